"""Systems over test sets: the table of scores by test set with its shades, and the differences of a pair on each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.collection import ScoresOverSets, SetDifference, SystemOnSet
from bleu_core.fields import Table, decimal
from bleu_core.inference import Interval
from bleu_core.results.table import format_cell
from bleu_core.results.test_sets import (
    NextSet,
    differences_over_sets_table,
    over_sets_table,
    set_differences_table,
)
from bleu_core.scoring import Metric
from dashboard.analysis import MissingDataError, next_set_of, pairs_of_next_set
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Heights in pixels of a row of few test sets and of many, and of axes and margins; maximum number of wide rows.
ROW, NARROW_ROW, AROUND, MAX_WIDE_ROWS = 34, 24, 96, 20

#: Sizes of the markers of the smallest and the largest weight, and of the diamonds of the summary, in pixels.
MIN_SIZE_PX, MAX_SIZE_PX, SUMMARY_SIZE_PX = 5, 15, 14

#: Columns beside those of test sets, before them and after them.
FIRST_COLUMNS, LAST_COLUMNS = ("system", "tier", "mean", "mean_delta", "mean_rank", "first"), ("all_segments",)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemsBySets:
    """A table of systems by test sets, as it is shown.

    Attributes:
        table: one row per system, one column per test set, without columns of interval ends and marks.
        full: the same with these columns.
        texts: column of a test set or of means -> text of each cell, with interval and mark.
        strengths: the same column -> from -1, the worst, to 1, the best value; NaN without one.
        sets: column of a test set -> its name.
    """

    table: Table
    full: Table
    texts: Mapping[str, Sequence[str]]
    strengths: Mapping[str, Sequence[float]]
    sets: Mapping[str, str]

    def cell(self, results: ScoresOverSets, row: int, column: str) -> SystemOnSet | None:
        """Return the cell of a test set at a row; None in another column."""
        if column not in self.sets:
            return None
        return results.by_set_and_system[self.sets[column], str(self.table.rows[row][0])]


def systems_by_sets(
    results: ScoresOverSets, *, differences: bool = False, intervals: bool = False, tested: bool = True
) -> SystemsBySets:
    """Return the table of systems by test sets with the texts and the shades of its cells.

    Args:
        results: the systems over test sets by one metric.
        differences: whether cells are differences from the baseline.
        intervals: whether cells have intervals.
        tested: whether differences are tested; else there are neither marks nor tiers.
    """
    make = differences_over_sets_table if differences else over_sets_table
    full = make(results, intervals=intervals)
    if not tested:
        full = full.without("tier", *(f"mark_{name}" for name in results.names))
    kind, mean = ("delta", "mean_delta") if differences else ("score", "mean")
    sets = {f"{kind}_{name}": name for name in results.names}
    reasons = ["reason"] if full.for_people() is full and not results.mean_reason else []
    table = full.only(*FIRST_COLUMNS, *sets, *LAST_COLUMNS, *reasons)
    table = table.ordered(*(name for name in (*FIRST_COLUMNS, *sets, *LAST_COLUMNS) if name in table.columns))
    shaded = [name for name in (mean, *sets) if name in table.columns]
    ends = {name: ("low", "high") if name == mean else (f"low_{sets[name]}", f"high_{sets[name]}") for name in shaded}
    return SystemsBySets(
        table=table,
        full=full,
        texts={
            name: _texts(full, name, ends[name] if intervals else (), f"mark_{sets[name]}" if name in sets else "")
            for name in shaded
        },
        strengths=_strengths(table, shaded, results.scored.metric, differences=differences),
        sets=sets,
    )


def _texts(table: Table, name: str, ends: Sequence[str], mark: str) -> list[str]:
    """Return the texts of the cells of a column, with their intervals and marks."""
    places, column = {key: place for place, key in enumerate(table.columns)}, table.columns[name]
    texts: list[str] = []
    for row in table.rows:
        text = format_cell(row[places[name]], column.kind, column.decimals)
        if text and mark in places:
            text += str(row[places[mark]])
        if text and ends and all(end in places for end in ends):
            low, high = (format_cell(row[places[end]], column.kind, column.decimals) for end in ends)
            text += f" ({low} to {high})" if low else ""
        texts.append(text)
    return texts


def _strengths(
    table: Table, names: Sequence[str], metric: Metric, *, differences: bool
) -> Mapping[str, Sequence[float]]:
    """Return how good the values of columns are: differences on one scale, scores from the worst of each column."""
    places = {key: place for place, key in enumerate(table.columns)}
    values = {name: [_number(row[places[name]]) for row in table.rows] for name in names}
    sign = 1 if metric.higher_is_better else -1
    if differences:
        largest = max((abs(value) for own in values.values() for value in own if not math.isnan(value)), default=0.0)
        return {
            name: [sign * value / largest if largest else 0.0 * value for value in own] for name, own in values.items()
        }
    strengths: dict[str, Sequence[float]] = {}
    for name, own in values.items():
        ranked = [
            sign * value
            for row, value in zip(table.rows, own, strict=True)
            if not math.isnan(value) and row[0] not in table.columns[name].unranked
        ]
        low, high = min(ranked, default=0.0), max(ranked, default=0.0)
        strengths[name] = [
            math.nan
            if row[0] in table.columns[name].unranked
            else (sign * value - low) / (high - low)
            if high > low
            else 0.0 * value
            for row, value in zip(table.rows, own, strict=True)
        ]
    return strengths


def _number(cell: object) -> float:
    return float(cell) if isinstance(cell, int | float) else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestOfSets:
    """The difference of two systems on each test set, pooled, and on a new one.

    Attributes:
        row: the pair.
        metric: of the scores.
    """

    row: NextSet
    metric: Metric


def forest(result: ForestOfSets, styles: Mapping[str, Style]) -> go.Figure:
    """Draw the difference of two systems on each test set, with its interval and weight, pooled, and on a new set.

    A marker's customdata is the position of its test set among all; markers of larger weight are larger.
    """
    row, metric = result.row, result.metric
    pooled, prediction = row.pooled, row.pooled.prediction
    sets, count = pooled.sets, len(pooled.sets)
    style = styles.get(row.system, theme.numbered_style(0))
    figure = go.Figure()
    if not math.isnan(pooled.delta):
        figure.add_vline(x=pooled.delta, line={"color": theme.INK, "width": 1, "dash": "dot"})
    figure.add_vline(x=0, line={"color": theme.INK, "width": 1.5})
    figure.add_hline(y=count - 0.5, line={"color": theme.INK, "width": 0.5})
    drawn = [place for place, each in enumerate(sets) if not math.isnan(each.delta)]
    heaviest = max((each.weight for each in sets if not math.isnan(each.weight)), default=1.0)
    figure.add_trace(
        go.Scatter(
            x=[sets[place].delta for place in drawn],
            y=drawn,
            mode="markers",
            marker={
                "color": style.color,
                "symbol": ["square-open" if sets[place].reason else "square" for place in drawn],
                "size": [_size(sets[place], heaviest) for place in drawn],
                "line": {"width": 1, "color": style.color},
            },
            error_x=theme.error_bars(
                [sets[place].delta for place in drawn], [sets[place].interval for place in drawn], style.color
            ),
            customdata=[[place] for place in drawn],
            text=[_hover(sets[place], metric) for place in drawn],
            hovertemplate="%{text}<extra></extra>",
        )
    )
    summaries = [("pooled", pooled.interval, "diamond")]
    if not prediction.reason:
        summaries.append(("a new test set", prediction.interval, "line-ns-open"))
    for place, (name, interval, symbol) in enumerate(summaries, start=count):
        if math.isnan(pooled.delta):
            continue
        figure.add_trace(
            go.Scatter(
                x=[pooled.delta],
                y=[place],
                mode="markers",
                marker={"color": theme.COLORS[1], "symbol": symbol, "size": SUMMARY_SIZE_PX},
                error_x=theme.error_bars([pooled.delta], [interval], theme.COLORS[1]),
                customdata=[[None]],
                text=[f"{name}<br>{_value(pooled.delta, interval, metric)}"],
                hovertemplate="%{text}<extra></extra>",
            )
        )
    system, baseline = (theme.short(name, 14) for name in (row.system, row.baseline))
    rows = count + len(summaries)
    return theme.finish(
        figure,
        height=AROUND + (NARROW_ROW if rows > MAX_WIDE_ROWS else ROW) * rows,
        showlegend=False,
        xaxis={"title": f"{system} minus {baseline} ({theme.label_and_unit(metric.label, metric.unit)})"},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(rows)),
            "ticktext": [*(_tick(each) for each in sets), *(name for name, _, _ in summaries)],
            "range": [rows - 0.5, -0.5],
            "showgrid": False,
        },
    )


def _size(each: SetDifference, heaviest: float) -> float:
    """Return the size of a marker, whose area grows with the weight."""
    if math.isnan(each.weight):
        return MIN_SIZE_PX
    return MIN_SIZE_PX + (MAX_SIZE_PX - MIN_SIZE_PX) * math.sqrt(each.weight / heaviest)


def _tick(each: SetDifference) -> str:
    weight = "" if math.isnan(each.weight) else f" ({100 * each.weight:.0f}%)"
    return f"{theme.short(each.name, 22)}{weight}"


def _value(delta: float, interval: Interval, metric: Metric) -> str:
    value = f"{theme.plain(metric.label)} {decimal(delta, metric.decimals, signed=True)}"
    return f"{value}{theme.bounds_text(interval, metric.decimals)}"


def _hover(each: SetDifference, metric: Metric) -> str:
    text = f"{theme.plain(each.name)}<br>{_value(each.delta, each.interval, metric)}"
    if each.reason:
        return f"{text}<br>not pooled: {theme.plain(each.reason)}"
    return f"{text}<br>weight {100 * each.weight:.1f}%"


def _compute(data: Data) -> ForestOfSets:
    over = data.over_sets
    pair = pairs_of_next_set(over)
    if pair is None:
        raise MissingDataError("1 system found, at least 2 expected")
    return ForestOfSets(row=next_set_of(over, *pair), metric=over.metric)


#: Not in the register: `bleu-core figure` draws figures of one test set.
FOREST = Exhibit(
    name="next-test-set",
    page="Test sets",
    part="Next test set",
    title="Difference on each test set",
    compute=_compute,
    figure=forest,
    table=lambda result: set_differences_table(result.row, result.metric.decimals),
    needs=("two systems", "test sets"),
    key="next-test-set",
)
