"""The paper's figures: traces, axes, what is published beside what is computed, gaps, names that Plotly cannot read."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sample
from judged import Row, table

from bleu_core.dataset import Corpus
from bleu_core.judges import UNITS
from bleu_core.paper import (
    GroupDifferences,
    PaperInput,
    PaperOptions,
    PaperResults,
    Ratings,
    all_steps,
    repeat_experiment,
)
from bleu_core.paper import printed as paper
from bleu_core.scoring import PRESETS
from dashboard.exhibits import paper_figures as figures
from dashboard.plots import theme

HOSTILE = "<b>x</b> &lt; <a href='http://127.0.0.1:9/'>y</a> %{x}"
SYSTEMS = ("A", "B", HOSTILE)


def lines(text: str, changed: int) -> tuple[str, ...]:
    return tuple(f"{text} {n} {'x' if n < changed else 'y'} the end" for n in range(12))


#: Name here -> key of the step.
STEPS = {
    "scores": "table_1",
    "blocks": "table_2",
    "sizes": "block_sizes",
    "numbers": "references_by_number",
    "single": "single_reference",
    "following": "combining",
    "by reference": "agreement_by_reference",
}


def repeat(systems: tuple[str, ...], *, judged: bool = True, references: int = 2) -> PaperInput:
    """The experiment on made texts, each system a little further from the references than the one before."""
    corpus = Corpus(
        {name: lines("a cat sat", k % 11) for k, name in enumerate(systems)},
        {f"<i>R{r}</i>": lines("a cat sat", 12 - r) for r in range(references)},
    )
    rows: list[Row] = [
        (n, name, judge, 1.0 + k + (n * (k + 2) + len(judge)) % 3, f"<u>{judge}</u>")
        for k, name in enumerate(systems)
        for n in range(1, 5)
        for judge in ("Ann", "Bob5")
    ]
    judgments = table(*rows) if judged else None
    found = repeat_experiment(corpus, PRESETS["paper"], judgments, options=PaperOptions(blocks=4, draws=20))
    return PaperInput(corpus=corpus, judgments=judgments, results=found)


def ratings(found: PaperResults) -> Ratings:
    assert found.ratings is not None
    return found.ratings


def drawn(data: PaperInput) -> dict[str, Any]:
    """Every figure of the steps that these data allow; of differences all groups and units."""
    styles = theme.styles(tuple(data.results.full.systems))
    made: dict[str, Any] = {"orders": figures.paper_precisions(data.results.figure_2, styles)}
    of_steps = {name: figures.STEP_FIGURES[key].draw(data.results, styles) for name, key in STEPS.items()}
    made |= {name: shown[""] for name, shown in of_steps.items() if shown}
    if data.results.ratings is not None:
        made["differences"] = differences(all_groups(data.results))
    return made


def all_groups(results: PaperResults) -> list[GroupDifferences]:
    """All groups as groups with names: the figure shows all judges only where there is no other group."""
    everyone, *groups = ratings(results).differences
    return [everyone, replace(everyone, group="all judges"), *groups]


def differences(groups: Sequence[GroupDifferences], option: str = figures.ALL_UNITS) -> Any:
    return figures.neighbour_differences(groups, {}, option)


def named(figure: Any, name: str) -> list[Any]:
    return [trace for trace in figure.data if name in (trace.name or "")]


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return drawn(repeat(SYSTEMS))


@pytest.fixture(scope="module")
def of_sample() -> dict[str, Any]:
    return drawn(sample.data())


def test_axes_say_what_they_show(of_sample: dict[str, Any]) -> None:
    titles = {name: (f.layout.xaxis.title.text, f.layout.yaxis.title.text) for name, f in of_sample.items()}
    assert titles == {
        "orders": ("n-gram length", "precision"),
        "scores": (None, "BLEU"),
        "blocks": (None, "BLEU: mean ± standard deviation"),
        "sizes": ("segments per block", "|t|"),
        "numbers": ("number of references", "BLEU"),
        "single": (None, "BLEU against one reference"),
        "following": ("highest order N", "Pearson's r"),
        "differences": ("all judges", "mean difference of ratings"),
        "by reference": ("reference", "Pearson's r with the judges"),
    }


def test_computed_values_are_those_of_the_experiment(of_sample: dict[str, Any]) -> None:
    found = sample.repeated()
    bars = of_sample["scores"].data[0]
    assert tuple(bars.x) == paper.SYSTEMS
    assert list(bars.y) == pytest.approx((found.table_2.corpus_scores / 100).tolist())
    assert list(of_sample["blocks"].data[0].error_y.array) == pytest.approx(
        (found.table_2.standard_deviations / 100).tolist()
    )
    assert [list(bar.y) for bar in of_sample["orders"].data] == [
        pytest.approx(row.tolist()) for row in found.figure_2.precisions
    ]
    boxes = of_sample["single"].data
    assert [box.x0 for box in boxes] == list(found.single_reference.systems)
    np.testing.assert_allclose(np.array([box.y for box in boxes]).T, found.single_reference.scores / 100)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("scores", [v / 100 for v in paper.TABLE_1.values()]),
        ("blocks", [v / 100 for v in paper.TABLE_2_MEANS.values()]),
        ("numbers", [v / 100 for v in paper.H2_BY_REFERENCES.values()]),
        ("differences", [*paper.MONOLINGUAL_DIFFERENCES.values(), None, None]),
    ],
)
def test_published_values_are_a_series_of_their_own(
    of_sample: dict[str, Any], name: str, expected: list[float | None]
) -> None:
    (printed,) = named(of_sample[name], figures.PUBLISHED_NAME)
    assert sorted(printed.y, key=str) == sorted(expected, key=str)
    assert printed.marker.symbol == "diamond-open"
    others = [trace for trace in of_sample[name].data if trace is not printed and trace.type == "scatter"]
    assert all(trace.marker.symbol != "diamond-open" for trace in others)
    assert of_sample[name].layout.showlegend


def test_without_correspondence_nothing_published_is_drawn(made: dict[str, Any]) -> None:
    assert not any(named(figure, "published") for figure in made.values())


def test_a_further_system_has_no_published_value() -> None:
    data = sample.data()
    table_2 = data.results.table_2
    more = replace(table_2, systems=(*paper.SYSTEMS, "other"), corpus_scores=np.full(6, 10.0), scores=np.ones((6, 20)))
    figure: Any = figures.corpus_scores(more, {})
    (printed,) = named(figure, figures.PUBLISHED_NAME)
    assert printed.y[-1] is None
    assert None not in printed.y[:-1]


def test_published_values_stand_beside_the_monolingual_group_alone(of_sample: dict[str, Any]) -> None:
    (printed,) = named(of_sample["differences"], figures.PUBLISHED_NAME)
    axis = of_sample["differences"].layout["xaxis" + printed.xaxis.removeprefix("x")]
    assert axis.title.text == paper.MONOLINGUAL


def test_what_is_undefined_is_a_gap() -> None:
    table_2 = sample.repeated().table_2
    scores = table_2.scores.copy()
    scores[1] = math.nan
    figure: Any = figures.block_means(replace(table_2, scores=scores), {})
    assert [y is None for y in figure.data[0].y] == [False, True, False, False, False]
    assert [bar is None for bar in figure.data[0].error_y.array] == [False, True, False, False, False]


def test_a_pair_without_an_interval_takes_none_from_the_others() -> None:
    group = ratings(sample.repeated()).differences[0]
    first = group.pairs[0]
    unknown = replace(first.by_judge, interval=replace(first.by_judge.interval, low=math.nan, high=math.nan))
    group = replace(group, pairs=(replace(first, by_judge=unknown), *group.pairs[1:]))
    figure: Any = differences([group])
    trace = figure.data[UNITS.index("judge")]
    assert trace.error_y.array[0] is None
    assert None not in trace.error_y.array[1:]


def test_each_unit_of_the_differences_has_its_own_interval(of_sample: dict[str, Any]) -> None:
    group = ratings(sample.repeated()).differences[0]
    for unit, trace in zip(UNITS, of_sample["differences"].data, strict=False):
        of = [pair.by(unit) for pair in group.pairs]
        assert trace.name == f"by {unit}"
        assert list(trace.y) == [d.mean for d in of]
        assert [y + up for y, up in zip(trace.y, trace.error_y.array, strict=True)] == [
            pytest.approx(d.interval.high) for d in of
        ]
        assert list(trace.customdata) == [d.n for d in of]


@pytest.mark.parametrize("number", [1, 2, 5])
def test_every_group_has_its_panel(number: int) -> None:
    group = ratings(sample.repeated()).differences[0]
    groups = [replace(group, group=f"g{i}") for i in range(number)]
    figure: Any = differences([group, *groups])
    panels = sorted(tuple(axis.domain) for axis in figure.select_xaxes() if axis.domain)
    assert len(panels) == number
    assert all(before[1] <= after[0] for before, after in pairwise(panels))
    assert len(figure.data) == number * len(UNITS)


def test_groups_are_told_apart_by_colour_and_means_by_dashes(of_sample: dict[str, Any]) -> None:
    traces = of_sample["following"].data
    assert [trace.name for trace in traces] == [
        f"{group}, {mean}" for group in ("all judges", *paper.GROUPS) for mean in ("geometric", "arithmetic")
    ]
    assert len({(trace.line.color, trace.line.dash) for trace in traces}) == len(traces)
    assert list(traces[0].x) == list(range(1, 10))


def test_references_are_beside_each_other_with_zero_between_the_signs(of_sample: dict[str, Any]) -> None:
    figure = of_sample["by reference"]
    found = ratings(sample.repeated()).by_reference
    assert list(figure.layout.xaxis.ticktext) == [one.label for one in found]
    assert list(figure.data[0].y) == [one.everyone.pearson.coefficient for one in found]
    assert [(shape.y0, shape.y1) for shape in figure.layout.shapes] == [(0, 0)]


def test_one_system_is_drawn_without_neighbours() -> None:
    found = drawn(repeat(("A",)))
    assert "sizes" not in found
    assert [list(trace.x) for trace in found["scores"].data] == [["A"]]
    assert all(not trace.y for trace in found["differences"].data)


def test_sixteen_systems_are_all_drawn() -> None:
    names = tuple(f"system {k:02}" for k in range(16))
    found = drawn(repeat(names))
    assert [bar.name for bar in found["orders"].data] == list(names)
    assert {bar.marker.color for bar in found["orders"].data} == {theme.NEUTRAL}
    assert len(found["differences"].layout.xaxis.ticktext) == 15
    assert len(found["sizes"].data) == 16


def test_a_published_number_of_references_has_its_tick_even_where_fewer_are_loaded() -> None:
    figure = drawn(repeat(paper.SYSTEMS, references=2))["numbers"]
    assert list(figure.layout.xaxis.tickvals) == [1, 2, 4]


def test_names_are_literal_wherever_plotly_would_read_them(made: dict[str, Any]) -> None:
    for name, figure in made.items():
        text = json.dumps(shown(figure))
        for tag in ("<b>", "<a ", "<i>", "<u>", "</a", "</b", " %{x}<br>"):
            assert tag not in text, (name, tag)
    assert any(theme.plain(HOSTILE) in (bar.hovertemplate or "") for bar in made["orders"].data)


def shown(figure: Any) -> list[Any]:
    """All that Plotly interprets: names, hover texts, titles and labels; not the categories themselves."""
    layout: dict[str, Any] = figure.to_dict()["layout"]
    axes = [axis for key, axis in layout.items() if key.startswith(("xaxis", "yaxis"))]
    return [
        *(
            (trace.name, trace.hovertemplate, trace.text, trace.hovertext)
            for trace in figure.data
            if trace.type != "box"
        ),
        *((trace.name, trace.text, trace.hovertext) for trace in figure.data if trace.type == "box"),
        *((axis.get("title"), axis.get("ticktext")) for axis in axes),
        layout.get("annotations"),
    ]


# --- single figures -------------------------------------------------------------------------------------------------


def test_points_of_several_series_stand_beside_each_other_and_published_ones_in_the_middle() -> None:
    (group,) = (group for group in all_groups(sample.repeated()) if group.group == paper.MONOLINGUAL)
    first, *others, printed = (list(trace.x) for trace in differences([group]).data)
    assert printed == list(range(len(group.pairs)))
    assert all(left < middle < right for left, middle, right in zip(first, printed, others[-1], strict=True))


def test_the_default_intervals_are_the_papers_and_all_are_printed() -> None:
    step, found = figures.STEP_FIGURES["figures_3_4"], sample.repeated()
    assert step.choice is not None
    shown: list[Any] = [step.draw(found, {}, option)[""] for option in (*step.choice.options, "")]
    drawn_units = [{trace.name for trace in named(figure, "by ")} for figure in shown]
    units = {f"by {unit}" for unit in UNITS}
    assert drawn_units == [{f"by {UNITS[0]}"}, units, units]


def test_every_figure_is_of_a_step() -> None:
    assert figures.STEP_FIGURES.keys() <= {step.key for step in all_steps()}
