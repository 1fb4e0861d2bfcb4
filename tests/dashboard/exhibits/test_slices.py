"""The figure of differences by slice: a row per slice, hollow where not significant, names that Plotly cannot read."""

from __future__ import annotations

from typing import Any

import pytest

from bleu_core.inference import Comparison, Comparisons, Interval
from dashboard.exhibits.slices import slice_differences
from dashboard.plots import theme

HOSTILE = "<b>x</b> &lt; <a href='http://127.0.0.1:9/'>y</a>"
STYLE = theme.Style("#0072B2", "circle")
NAN = float("nan")


def row(label: str, delta: float, p_value: float, segments: int = 20) -> tuple[str, Comparisons, Comparison]:
    pair = Comparison(
        system=HOSTILE,
        baseline="B",
        delta=delta,
        interval=Interval(delta - 1, delta + 1, 0.95),
        p_value=p_value,
        p_value_adjusted=p_value,
    )
    found = Comparisons(
        test="bootstrap",
        systems=(HOSTILE, "B"),
        scores=(20.0 + delta, 20.0),  # pyright: ignore[reportArgumentType]
        pairs=(pair,),
        higher_is_better=True,
        unit="segment",
        units=segments,
        segments=segments,
        resamples=100,
        trials=0,
        seed=1,
        correction="holm",
        alpha=0.05,
    )
    return label, found, pair


def traces(*rows: tuple[str, Comparisons, Comparison]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    figure = slice_differences(rows, STYLE, "BLEU").to_dict()
    return figure["data"], figure["layout"]


def test_each_slice_is_a_row_below_that_of_all_segments() -> None:
    data, layout = traces(row("all segments", 1.5, 0.001, 1200), row("news", 2, 0.01), row("talk", -0.5, 0.4))
    whole, slices = data
    assert (list(whole["x"]), list(whole["y"])) == ([1.5], [0])
    assert (list(slices["x"]), list(slices["y"]), list(slices["customdata"])) == ([2, -0.5], [1, 2], [[1], [2]])
    assert list(slices["error_x"]["array"]) == list(slices["error_x"]["arrayminus"]) == [1, 1]
    assert (whole["marker"]["symbol"], slices["marker"]["symbol"]) == (["diamond"], ["circle", "circle-open"])
    assert list(layout["yaxis"]["ticktext"]) == ["all segments (1,200)", "news (20)", "talk (20)"]
    assert layout["yaxis"]["range"] == [2.5, -0.5]
    zero, at_whole = (next(s for s in layout["shapes"] if s["x0"] == x) for x in (0, 1.5))
    assert (zero["line"].get("dash"), at_whole["line"]["dash"]) == (None, "dot")


def test_an_undefined_difference_has_a_row_without_a_mark() -> None:
    data, layout = traces(row("all segments", NAN, NAN), row("one", NAN, NAN), row("two", 1, 0.2))
    assert list(data[0]["x"]) == [None]
    assert list(data[1]["x"]) == [None, 1]
    assert data[1]["error_x"]["array"][0] is None
    assert "undefined" in data[1]["text"][0]
    assert [shape["x0"] for shape in layout["shapes"] if shape["x0"] == shape["x1"]] == [0]


def test_labels_and_names_are_not_interpreted() -> None:
    data, layout = traces(row("all segments", 1, 0.5), row(HOSTILE, 1, 0.5), row("%{x}", 1, 0.5))
    assert not any("<b>" in text for text in (*layout["yaxis"]["ticktext"], layout["xaxis"]["title"]["text"]))
    assert theme.plain(HOSTILE) in data[1]["text"][0]
    assert "%{x}" not in data[1]["text"][1]


@pytest.mark.parametrize("count", [2, 60])
def test_the_figure_is_as_high_as_its_rows_need(count: int) -> None:
    _, layout = traces(*(row(f"n{n}", 1, 0.5) for n in range(count)))
    assert 20 <= (layout["height"] - 96) / count <= 40
