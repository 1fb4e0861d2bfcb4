"""N-grams won and lost on whole test sets: they add up to the difference in matches, and are those of a plain count."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from nightly import nightly
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from bleu_core.dataset import Corpus
from bleu_core.scoring import evaluate
from bleu_core.segments import Side, compare_ngrams

ALL = 10**7


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def corpus(data: Path) -> Corpus:
    systems = {path.stem: lines(path) for path in sorted((data / "systems").iterdir())}
    return Corpus(systems, {path.stem: lines(path) for path in sorted((data / "refs").iterdir())})


@pytest.mark.parametrize("name", [*nightly(["ted-zhen", "wmt23-ende-3raters"]), "newstest2020-ruen-2sys"])
def test_gains_minus_losses_are_the_difference_in_matches(folder: Path, name: str) -> None:
    texts = corpus(folder / "data" / name)
    evaluation = evaluate(texts)
    matches = evaluation.stats.matches.sum(axis=1)
    baseline, *others = texts.systems
    for k, system in enumerate(others, start=1):
        found = compare_ngrams(texts, evaluation, system, baseline)
        for order, sums in enumerate(found.orders):
            assert sums.surplus - sums.deficit == matches[k, order] - matches[0, order]
        net: Counter[int] = Counter()
        for side in ("surplus", "deficit"):
            for one in found.largest(side, number=ALL):
                net[one.order] += one.surplus - one.deficit
        assert [net[order + 1] for order in range(4)] == (matches[k] - matches[0]).tolist()


def test_ngrams_won_and_lost_are_those_of_a_plain_count(folder: Path) -> None:
    texts = corpus(folder / "data" / "ted-zhen")
    split = Tokenizer13a()

    def count(text: str | None) -> Counter[str]:
        tokens = split(text or "").split()
        return Counter(" ".join(tokens[i : i + n]) for n in range(1, 5) for i in range(len(tokens) - n + 1))

    gained: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    columns = (texts.systems["metricsystem2"], texts.systems["DIDI-NLP"], *texts.references.values())
    for segment in zip(*columns, strict=True):
        one, other, first, second = map(count, segment)
        most = first | second
        gained += (one & most) - (other & most)
        lost += (other & most) - (one & most)
    found = compare_ngrams(texts, evaluate(texts), "metricsystem2", "DIDI-NLP")
    sides: list[tuple[Side, Counter[str], Counter[str]]] = [("surplus", gained, lost), ("deficit", lost, gained)]
    for side, won, given in sides:
        listed = {one.ngram: (one.surplus, one.deficit) for one in found.largest(side, number=ALL)}
        assert listed == {ngram: (gained[ngram], lost[ngram]) for ngram in won if won[ngram] > given[ngram]}
