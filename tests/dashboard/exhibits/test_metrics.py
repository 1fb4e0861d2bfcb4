"""Figures of metrics ranked by agreement with people: few and many of them, names that Plotly cannot interpret."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from bleu_core.agreement import MetricRanking
from dashboard.exhibits import metrics as figures

HOSTILE = "<b>x</b> %{x} &lt;"


def ranking(count: int, name: str = "metric") -> MetricRanking:
    """The first metric is told apart from the second half of them."""
    p_values = np.full((count, count), 0.5)
    half = count // 2
    p_values[0, half:] = p_values[half:, 0] = 0.01
    np.fill_diagonal(p_values, np.nan)
    names = tuple(f"{name} {n}" for n in range(count))
    ranks = np.array([1] * half + [2] * (count - half))
    values = np.linspace(0.9, 0.1, count)
    return MetricRanking(
        test="perm-both",
        method="pearson",
        grouping="none",
        metrics=names,
        coefficients=values,
        p_values=p_values,
        p_values_adjusted=p_values,
        ranks=ranks,
        alternative="two-sided",
        correction="none",
        alpha=0.05,
        entries=12,
    )


def drawn(figure: go.Figure) -> Any:
    return json.loads(str(figure.to_json()))


def ticks(axis: Any) -> list[str]:
    return axis["ticktext"]


@pytest.mark.parametrize("count", [2, 12, 13, 40])
def test_every_two_metrics_have_a_cell_that_names_them(count: int) -> None:
    found = ranking(count)
    figure = figures.metric_p_values(found)
    of = drawn(figure)
    cells: Any = figure.data[0]
    for i, row in enumerate(found.metrics):
        for j, column in enumerate(found.metrics):
            name, other, p = cells.customdata[i][j]
            assert (name, other) == (row, column)
            assert p == ("" if i == j else "0.010" if cells.z[i][j] == 1 else "0.50")
            assert np.isnan(cells.z[i][j]) == (i == j)
    numbered = count > figures.MAX_NUMBERED
    assert (cells.text is None) == numbered
    rows, columns = (ticks(of["layout"][axis]) for axis in ("yaxis", "xaxis"))
    assert len(rows) == len(columns) == count
    if numbered:
        assert rows == [f"{name}  {n}" for n, name in enumerate(found.metrics, start=1)]
        assert [n for n, said in enumerate(columns, start=1) if said] == [1, *range(5, count + 1, 5)]
        assert all(said in ("", str(n)) for n, said in enumerate(columns, start=1))
    else:
        assert rows == columns == list(found.metrics)


def test_many_metrics_have_narrower_rows() -> None:
    few, many = (ranking(count) for count in (figures.MAX_NUMBERED, 3 * figures.MAX_NUMBERED))
    for draw in (figures.metric_ranking, figures.metric_p_values):
        heights = [drawn(figure(draw, of))["layout"]["height"] for of in (few, many)]
        assert heights[0] < heights[1] < 3 * heights[0]


def figure(draw: Any, of: MetricRanking) -> go.Figure:
    return draw(of, "Pearson's r") if draw is figures.metric_ranking else draw(of)


@pytest.mark.parametrize("count", [3, 20])
def test_names_are_literal(count: int) -> None:
    found = ranking(count, HOSTILE)
    for draw in (figures.metric_ranking, figures.metric_p_values):
        text = str(figure(draw, found).to_json())
        text = text.replace("\\u003c", "<").replace("\\u003e", ">").replace("\\u0026", "&")
        assert "&lt;b&gt;x" in text
        assert "&amp;lt;" in text
        assert "<b>" not in text
        assert "%{x}" not in text.replace("%{x:.3f}", "")
