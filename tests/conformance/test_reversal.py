"""Reversing sets on whole test sets: their sizes, and that what is left, scored anew, has the opposite order."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from bleu_core.dataset import Corpus
from bleu_core.scoring import SegmentStatistics, evaluate
from bleu_core.segments import reversals

SETS = {
    "ted-zhen": ("ref.A", "ref.B"),
    "newstest2020-ruen-2sys": ("ref.A",),
    "wmt23-ende-3raters": ("ref.A", "synthetic_ref"),
}


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def bleu_table(folder: Path, name: str, reference: str) -> SegmentStatistics:
    """BLEU's table of all systems of a set, against one of its references."""
    data = folder / "data" / name
    systems = {path.stem: lines(path) for path in sorted((data / "systems").glob("*.txt"))}
    return evaluate(Corpus(systems, {reference: lines(data / "refs" / f"{reference}.txt")})).statistics


@pytest.mark.parametrize(
    ("name", "reference", "pair", "segments"),
    [
        ("ted-zhen", "ref.B", ("metricsystem2", "DIDI-NLP"), (19, 529)),
        ("ted-zhen", "ref.B", ("IIE-MT", "metricsystem2"), (1, 529)),
        ("newstest2020-ruen-2sys", "ref.A", ("Online-B", "Online-A"), (17, 400)),
    ],
)
def test_as_many_segments_as_expected_decide_a_lead(
    folder: Path, name: str, reference: str, pair: tuple[str, str], segments: tuple[int, int]
) -> None:
    table = bleu_table(folder, name, reference)
    leader, other = (table.systems.index(system) for system in pair)
    (found,) = reversals(table, [(leader, other)])
    assert found.delta > 0 > found.remaining_delta
    assert found.positions is not None
    assert (len(found.positions), found.segments) == segments
    assert found.share == segments[0] / segments[1]
    if pair[0] == "metricsystem2":
        assert round(found.delta, 2) == 0.94


@pytest.mark.parametrize(("name", "reference"), [(name, one) for name, several in SETS.items() for one in several])
def test_every_set_reverses_the_order_when_what_is_left_is_scored(folder: Path, name: str, reference: str) -> None:
    table = bleu_table(folder, name, reference)
    found = reversals(table, list(combinations(range(len(table.systems)), 2)))
    assert any(one.positions for one in found)
    for one in found:
        if one.positions is None:
            assert one.reason
            continue
        left = table.select([one.system, one.baseline]).subset(
            np.setdiff1d(np.arange(table.segments), one.positions).tolist()
        )
        first, second = left.score(left.sums()).tolist()
        assert (first - second) * one.delta < 0
        assert first - second == pytest.approx(one.remaining_delta, abs=1e-9)
