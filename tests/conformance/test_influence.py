"""Influence on a whole test set: leaving each segment out equals scoring the files without that line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from nightly import nightly

from bleu_core.dataset import Corpus
from bleu_core.scoring import SegmentStatistics, evaluate, score_metric
from bleu_core.segments import influences

SYSTEMS = ("DIDI-NLP", "metricsystem2", "Online-W")


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def scored(systems: dict[str, tuple[str, ...]], reference: tuple[str, ...], key: str) -> SegmentStatistics:
    corpus = Corpus(systems, {"ref.A": reference})
    return score_metric(corpus, evaluate(corpus), key).statistics


@pytest.mark.parametrize(
    ("key", "names", "every"), [("bleu", SYSTEMS[:2], 9), *nightly([("bleu", SYSTEMS, 1), ("wer", SYSTEMS[:2], 1)])]
)
def test_influence_of_a_segment_equals_scoring_without_its_line(
    folder: Path, key: str, names: tuple[str, ...], every: int
) -> None:
    data = folder / "data" / "ted-zhen"
    systems = {name: lines(data / "systems" / f"{name}.txt") for name in names}
    reference = lines(data / "refs" / "ref.A.txt")
    found = influences(scored(systems, reference, key))
    sign = 1 if found.higher_is_better else -1
    for segment in range(0, len(reference), every):
        rest = scored(
            {name: texts[:segment] + texts[segment + 1 :] for name, texts in systems.items()},
            reference[:segment] + reference[segment + 1 :],
            key,
        )
        scores = rest.score(rest.sums())
        np.testing.assert_array_equal(found.without[:, segment], scores)
        for k, name in enumerate(names[1:], start=1):
            delta = found.scores[k] - found.scores[0]
            influence = sign * (delta - (scores[k] - scores[0]))
            assert found.between(name, names[0]).values[segment] == pytest.approx(influence, abs=1e-12)
