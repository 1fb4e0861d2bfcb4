"""chrF's counts of every segment of whole test sets, against sacreBLEU's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from sacrebleu.metrics.chrf import CHRF

from bleu_core.scoring import count_chrf

SETS = ("ted-zhen", "wmt23-ende-3raters", "newstest2020-ruen-2sys", "formats/mt-metrics-eval/wmt23")
#: Every so many systems of a set: sacreBLEU takes a third of a millisecond for each segment.
EACH = 4
WORD_ORDERS = {"chrf2": 0, "chrf2++": 2}


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def texts(data: Path) -> tuple[list[list[str]], list[list[str]]]:
    """Systems and references of a set; references are systems, too, so that whole segments match."""
    named = (("systems", "refs"), ("system-outputs/en-de", "references"))
    systems, references = next(pair for pair in named if (data / pair[0]).is_dir())
    found = [[lines(path) for path in sorted((data / kind).glob("*.txt"))] for kind in (systems, references)]
    return found[0], found[1]


def with_absent(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """Every third segment of the first reference absent, and every third, beginning later, of the others empty."""
    first, *others = references
    return [
        [None if s % 3 == 0 else text for s, text in enumerate(first)],
        *([("" if s % 3 == 1 else text) for s, text in enumerate(other)] for other in others),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("thorough", [False, True])
@pytest.mark.parametrize("metric", WORD_ORDERS)
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize("name", SETS)
def test_counts_of_every_segment_are_sacrebleus(
    folder: Path, name: str, metric: str, *, lowercase: bool, thorough: bool
) -> None:
    outputs, references = texts(folder / "data" / name)
    systems = outputs[:: EACH if name == "ted-zhen" else 1] if thorough else outputs[:1]
    choices: list[Sequence[Sequence[str | None]]] = [references]
    if thorough:
        choices = [*permutations(references), *([one] for one in references)]
    if len(references) > 1:
        choices.append(with_absent(references))
    for chosen in choices:
        found = count_chrf(systems, chosen, word_order=WORD_ORDERS[metric], lowercase=lowercase)
        theirs = CHRF(word_order=WORD_ORDERS[metric], lowercase=lowercase, references=chosen)  # type: ignore[arg-type] # None is allowed
        for k, hypotheses in enumerate(systems):
            assert found[k].tolist() == theirs._extract_corpus_statistics(hypotheses, None)  # noqa: SLF001 # there is no public way to the counts of segments
