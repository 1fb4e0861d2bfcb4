"""Two scores as points: every point lies in one cell, and the largest differences come first."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bleu_core.agreement import COLUMNS, ROWS, scatter

NAN = float("nan")
SCORES = st.one_of(st.just(NAN), st.floats(-100, 100), st.sampled_from([0.0, 1.0, 100.0]))


@given(arrays(np.float64, (2, 3, 7), elements=SCORES))
def test_every_entry_with_both_scores_lies_in_one_cell_that_surrounds_it(values: np.ndarray) -> None:
    metric, human = values
    found = scatter(metric, human)
    both = np.isfinite(metric) & np.isfinite(human)
    assert found.size == both.sum() == found.counts.sum()
    assert found.entry.tolist() == np.flatnonzero(both).tolist()
    listed = [found.members(cell) for cell in range(len(found.counts))]
    assert sorted(position for members in listed for position in members) == list(range(found.size))
    assert [len(members) for members in listed] == found.counts.tolist()
    assert [int(members[0]) for members in listed] == found.first.tolist()
    assert (found.column < COLUMNS).all()
    assert (found.row < ROWS).all()
    for cell, members in enumerate(listed):
        x = found.x_start + found.x_step * found.column[cell]
        y = found.y_start + found.y_step * found.row[cell]
        assert (np.abs(found.x[members] - x) <= found.x_step / 2 * (1 + 1e-6)).all()
        assert (np.abs(found.y[members] - y) <= found.y_step / 2 * (1 + 1e-6)).all()


@given(arrays(np.float64, (2, 3, 7), elements=SCORES), st.integers(0, 2), st.integers(0, 6))
def test_an_entry_is_found_by_its_system_and_segment(values: np.ndarray, system: int, segment: int) -> None:
    metric, human = values
    found = scatter(metric, human)
    position = found.find(system, segment)
    if np.isnan(metric[system, segment]) or np.isnan(human[system, segment]):
        assert position is None
    else:
        assert position is not None
        assert (found.x[position], found.y[position]) == (metric[system, segment], human[system, segment])


def test_the_grid_by_hand() -> None:
    # 0 to 8 in 2 columns of width 4, 1 to 5 in 2 rows of height 2; 4 and 3 lie on the edge and go up, 8 and 5 stay in.
    found = scatter(np.array([[0.0, 4.0, 8.0, 3.9]]), np.array([[1.0, 3.0, 5.0, 1.0]]), columns=2, rows=2)
    assert list(zip(found.column, found.row, found.counts, found.first, strict=True)) == [(0, 0, 2, 0), (1, 1, 2, 1)]
    assert found.cell.tolist() == [0, 1, 1, 0]
    assert (found.x_start, found.x_step, found.y_start, found.y_step) == (2.0, 4.0, 2.0, 2.0)


def test_percentiles_count_half_of_the_equal_ones() -> None:
    # Of 4 scores 10 10 20 30: ranks 1.5 1.5 3 4, less a half over 4.
    found = scatter(np.array([[10.0, 10.0, 20.0, 30.0]]), np.array([[4.0, 3.0, 2.0, 1.0]]))
    assert found.x_percentile.tolist() == [0.25, 0.25, 0.625, 0.875]
    assert found.y_percentile.tolist() == [0.875, 0.625, 0.375, 0.125]


def test_the_largest_differences_of_percentiles_come_first_and_ties_in_order() -> None:
    # Percentiles differ by 0.625, 0.375, 0.25 and 0.75.
    metric, human = np.array([[10.0, 10.0, 20.0, 30.0]]), np.array([[4.0, 3.0, 2.0, 1.0]])
    assert scatter(metric, human).furthest(3).tolist() == [3, 0, 1]
    equal = scatter(np.ones((2, 3)), np.ones((2, 3)))
    assert equal.furthest(10).tolist() == [0, 1, 2, 3, 4, 5]


def test_a_metric_of_which_less_is_better_agrees_with_people_who_think_so() -> None:
    found = scatter(np.array([[3.0, 2.0, 1.0]]), np.array([[1.0, 2.0, 3.0]]), higher_is_better=False)
    assert found.x_percentile.tolist() == found.y_percentile.tolist()
    assert found.x.tolist() == [3.0, 2.0, 1.0]  # drawn as it is


def test_without_scores_there_is_nothing() -> None:
    for shape in ((0, 0), (2, 0), (2, 3)):
        found = scatter(np.full(shape, NAN), np.full(shape, NAN))
        assert found.size == len(found.counts) == len(found.furthest(10)) == 0
        assert found.find(0, 0) is None


def test_shapes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes"):
        scatter(np.ones((2, 3)), np.ones((3, 2)))
