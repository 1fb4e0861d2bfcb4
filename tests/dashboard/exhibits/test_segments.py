"""Figures of segments: a marker each while they are few, squares with their number when they are many."""

from __future__ import annotations

import html
from typing import Any

import numpy as np
import pytest

from bleu_core.agreement import COLUMNS, ROWS, Scatter, scatter
from dashboard.exhibits.segment_agreement import MAX_MARKERS, scores_and_ratings
from dashboard.plots import theme

HOSTILE = "<b>x</b> &lt; %{x} <a href='http://127.0.0.1:9/'>y</a>"
NAMES = ("A", "B", HOSTILE)


def points(systems: int, segments: int) -> Scatter:
    generator = np.random.default_rng(7)
    metric = generator.uniform(0, 100, (systems, segments))
    metric[0, 0] = np.nan
    return scatter(metric, generator.integers(1, 6, (systems, segments)).astype(float))


def drawn(found: Scatter, metric: str = "BLEU", names: tuple[str, ...] = NAMES, **rest: Any) -> Any:
    return scores_and_ratings(found, metric, names, theme.styles(names), **rest)


def test_few_segments_are_a_marker_each_in_their_systems_colour() -> None:
    found = points(3, 40)
    figure = drawn(found)
    styles = theme.styles(NAMES)
    assert [trace.name for trace in figure.data] == [theme.short(name, 20) for name in NAMES]
    assert [trace.marker.color for trace in figure.data] == [styles[name].color for name in NAMES]
    positions = [position for trace in figure.data for position in trace.customdata]
    assert sorted(positions) == list(range(found.size))
    for trace in figure.data:
        assert list(trace.x) == found.x[list(trace.customdata)].tolist()
        assert list(trace.y) == found.y[list(trace.customdata)].tolist()
    assert figure.data[0].text[0] == "A, segment 2"  # the first has no score
    assert figure.layout.showlegend
    assert figure.layout.xaxis.title.text == "sentence BLEU, points"
    assert figure.layout.yaxis.title.text == "mean rating"


def test_more_systems_than_colours_share_one_and_hover_names_them() -> None:
    names = tuple(f"S{k}" for k in range(len(theme.COLORS) + 1))
    figure = drawn(points(len(names), 20), names=names)
    assert len(figure.data) == 1
    assert not figure.layout.showlegend
    assert figure.data[0].text[-1] == "S10, segment 20"


def test_many_segments_are_squares_that_hold_them_all() -> None:
    found = points(3, 1000)
    assert found.size > MAX_MARKERS
    squares, catch = drawn(found).data
    counts = np.array([[0.0 if z is None else 10**z for z in line] for line in squares.z])
    assert counts.shape == (ROWS, COLUMNS)
    assert counts.sum() == pytest.approx(found.size, rel=0.01)  # logarithms are rounded
    assert len(catch.x) == len(found.counts) == (counts > 0).sum()
    assert list(catch.customdata) == found.first.tolist()
    for cell in (0, len(found.counts) - 1):
        members = found.members(cell)
        assert abs(found.x[members] - catch.x[cell]).max() <= found.x_step * 0.5001
        assert catch.text[cell] == ("1 segment" if len(members) == 1 else f"{len(members):,} segments")
    assert squares.hoverinfo == "skip"  # a click belongs to the markers
    assert squares.x0 == found.x_start
    assert squares.dy == found.y_step


@pytest.mark.parametrize("segments", [40, 1000])
def test_the_segment_that_is_read_has_a_ring_that_takes_no_click(segments: int) -> None:
    found = points(3, segments)
    assert len(drawn(found, chosen=5).data) == len(drawn(found).data) + 1
    ring = drawn(found, chosen=5).data[-1]
    assert (ring.x[0], ring.y[0]) == (found.x[5], found.y[5])
    assert ring.hoverinfo == "skip"
    assert drawn(found, chosen=5).layout.xaxis.range == drawn(found, chosen=9).layout.xaxis.range  # nothing moves


def test_the_axis_says_where_less_is_better_and_names_are_literal() -> None:
    figure = drawn(points(3, 40), HOSTILE, higher_is_better=False)
    lines = figure.layout.xaxis.title.text.split("<br>")
    assert " ".join(lines) == f"{theme.short(HOSTILE, 40)} (lower is better)"
    assert all(len(html.unescape(line)) <= theme.TITLE_LINE for line in lines)
    text = figure.to_json()
    assert text is not None
    assert "<a href" not in text
    assert "\\u003ca" not in text


@pytest.mark.parametrize("values", [(3.0, 3.0), (3.0, np.nan)])
def test_constant_scores_and_a_single_point_are_drawn(values: tuple[float, float]) -> None:
    for segments in (1, 1500):
        metric = np.repeat([values], segments, axis=0).T
        figure = drawn(scatter(metric, metric), names=("A", "B"), chosen=0)
        assert figure.data[0].type in ("scatter", "heatmap")
