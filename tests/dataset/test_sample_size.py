"""How many segments are rated: enough for a statement about judges, or not."""

from __future__ import annotations

import pytest
from judged import read_ratings

from bleu_core.dataset import MIN_RATED_SEGMENTS, Judgments, rated_segments
from bleu_core.formats.text import Text


def ratings(*rows: str, header: str = "segment,system,judge,score") -> Judgments:
    return read_ratings(Text("\n".join([header, *rows]) + "\n", "UTF-8"), "h.csv")


def of(counts: dict[str, int]) -> Judgments:
    """Each system has so many rated segments, some of them by two judges."""
    rows = [f"{n + 1},{name},{judge},{n % 5}" for name, count in counts.items() for n in range(count) for judge in "xy"]
    return ratings(*rows)


@pytest.mark.parametrize(("count", "few"), [(1, True), (MIN_RATED_SEGMENTS - 1, True), (MIN_RATED_SEGMENTS, False)])
def test_fewer_than_20_segments_are_too_few(count: int, *, few: bool) -> None:
    found = rated_segments(of({"A": count, "B": count}), ["A", "B", "nobody"])
    assert (found.fewest, found.system, found.too_few) == (count, "", few)
    assert bool(found.note) is few
    assert found.statement == f"Only {count} segment{'' if count == 1 else 's'} {'is' if count == 1 else 'are'} rated"


def test_the_system_with_the_fewest_counts() -> None:
    judgments = of({"A": 40, "B": 4, "C": 1})
    found = rated_segments(judgments, ["A", "B"])
    assert (found.fewest, found.system, found.too_few) == (4, "B", True)
    assert (found.ratings, found.segments) == (2 * (40 + 4), 40)
    assert found.note.startswith("Only 4 segments of B are rated: at least 20 are needed")
    assert not rated_segments(judgments, ["A"]).too_few


def test_ratings_of_whole_systems_have_no_interval_and_are_not_too_few() -> None:
    found = rated_segments(ratings("A,1", "B,3", header="system,score"), ["A", "B"])
    assert (found.fewest, found.too_few, found.statement) == (None, False, "")
    assert "no interval" in found.note


def test_rows_without_a_score_do_not_count() -> None:
    rows = [f"{n},A,x,1" for n in range(1, 20)] + ["20,A,x,"]
    assert rated_segments(ratings(*rows), ["A"]).fewest == 19
