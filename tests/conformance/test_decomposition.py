"""The decomposition of differences of BLEU adds up on whole test sets, also where precisions vanish."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from bleu_core.dataset import Corpus
from bleu_core.scoring import BleuSettings, decompose, evaluate

SETS = ("ted-zhen", "newstest2020-ruen-2sys", "wmt23-ende-3raters")


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


@pytest.mark.parametrize(
    "settings",
    [
        BleuSettings(),
        BleuSettings(max_order=9, smoothing="none"),
        BleuSettings(max_order=9, reference_length="average"),
    ],
    ids=["as by default", "order 9 without smoothing", "order 9"],
)
@pytest.mark.parametrize("name", SETS)
def test_terms_add_up_for_every_pair_and_reference(folder: Path, name: str, settings: BleuSettings) -> None:
    data = folder / "data" / name
    systems = {path.stem: lines(path) for path in sorted((data / "systems").glob("*.txt"))}
    references = {path.stem: lines(path) for path in sorted((data / "refs").glob("*.txt"))}
    for used in [references, *({one: texts} for one, texts in references.items())]:
        evaluation = evaluate(Corpus(systems, used), settings)
        scores = dict(zip(evaluation.systems, evaluation.scores.score.tolist(), strict=True))
        for system, baseline in permutations(evaluation.systems, 2):
            found = decompose(evaluation, system, baseline)
            assert found.delta == scores[system] - scores[baseline]
            assert abs(found.terms.sum() - found.delta) < 1e-9
