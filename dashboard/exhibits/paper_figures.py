"""Figures of the steps of the 2002 paper.

Values that the paper prints are drawn as hollow diamonds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import numpy as np
import plotly.graph_objects as go

from bleu_core.agreement import Agreement
from bleu_core.fields import decimal
from bleu_core.inference import CONFIDENCE, BlockScores, BlockSizes, Interval
from bleu_core.judges import UNITS, Unit
from bleu_core.paper import (
    H2_BY_REFERENCES,
    MONOLINGUAL,
    MONOLINGUAL_DIFFERENCES,
    POINTS,
    PRINTED_SYSTEM,
    TABLE_1,
    TABLE_2_DEVIATIONS,
    TABLE_2_MEANS,
    CombinationAgreement,
    GroupDifferences,
    Normalised,
    PaperResults,
    PrecisionOrders,
    Ratings,
    ReferenceAgreement,
    ReferenceNumber,
    SingleReference,
    agreement_from_0_to_1,
    corresponds,
    group_name,
    published_of,
    sum_precisions,
)
from bleu_core.scoring import MAX_ORDER
from dashboard.exhibits.system_agreement import bleu_and_ratings
from dashboard.plots import theme
from dashboard.plots.theme import Style

R = TypeVar("R")
G = TypeVar("G")

Styles = Mapping[str, Style]

PUBLISHED_NAME = "published (2002)"

#: Options of the intervals of rating differences.
AS_IN_PAPER, ALL_UNITS = "by judge and segment, as in the paper", "by segment and by judge, too"

#: Colours of the values that the paper prints, and of computed values that have no colour of a system.
PUBLISHED_COLOR, COMPUTED_COLOR = theme.COLORS[1], theme.COLORS[5]

#: Dash styles, in the order in which lines use them.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")

#: Heights in pixels.
HEIGHT, TALL_HEIGHT, DIFFERENCES_HEIGHT, RANGES_HEIGHT = 380, 420, 440, 460

#: Sizes of markers in pixels.
POINT, LINE_MARKER, DIAMOND, BOX_POINT = 10, 8, 14, 3

#: Maximum number of characters of a name below the plot, and of a line of a label with several lines.
MAX_NAME_LENGTH, MAX_LABEL_LENGTH = 20, 16

#: Distance of points of one category, as a share of the category, and of panels, as a share of the figure.
POINT_GAP, PANEL_GAP = 0.22, 0.04


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A choice between versions of a step's figures.

    Attributes:
        label: of the control.
        key: of the URL parameter.
        options: the first one is the default, the last one is printed.
    """

    label: str
    key: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepFigures(Generic[R]):
    """The figures of a step.

    Attributes:
        parts: returns the results that have a figure of their own, by title; the title of the only one is empty.
        figure: draws such a result with the styles of systems, and with an option if there is a choice.
        choice: between versions of the figures.
    """

    parts: Callable[[PaperResults], Mapping[str, R]]
    figure: Callable[..., go.Figure]
    choice: Choice | None = None

    def draw(self, results: PaperResults, styles: Styles, option: str = "") -> Mapping[str, go.Figure]:
        """Return title -> figure, for the last option, as in print, by default; empty if there is nothing to draw."""
        options = () if self.choice is None else (option or self.choice.options[-1],)
        return {title: self.figure(part, styles, *options) for title, part in self.parts(results).items()}


# Precisions and scores.


def paper_precisions(precisions: PrecisionOrders, styles: Styles) -> go.Figure:
    """Draw precisions (fraction) with a bar per system and order, as in Figures 1 and 2."""
    orders = list(range(1, precisions.matches.shape[1] + 1))
    figure = go.Figure(
        [
            go.Bar(
                x=orders,
                y=_values(precisions.precisions[k]),
                name=theme.short(name),
                customdata=[
                    f"{m:g} of {t:g}" for m, t in zip(precisions.matches[k], precisions.totals[k], strict=True)
                ],
                hovertemplate=_hover(name, "order %{x}: %{y:.3f} (%{customdata})"),
                marker={"color": styles[name].color},
            )
            for k, name in enumerate(precisions.systems)
        ]
    )
    xaxis = {"title": "n-gram length", "tickmode": "array", "tickvals": orders}
    return _finish(figure, xaxis=xaxis, yaxis={"title": "precision", "rangemode": "tozero"})


def combination_lines(agreements: Sequence[CombinationAgreement], _: Styles) -> go.Figure:
    """Draw Pearson's r over the highest order, with a line per group of judges and mean of precisions."""
    figure = go.Figure()
    for number, group in enumerate(dict.fromkeys(a.group for a in agreements)):
        for mean, dash in (("geometric", "solid"), ("arithmetic", "dot")):
            points = [
                a
                for a in agreements
                if a.group == group and a.combination.mean == mean and a.combination.weights is None
            ]
            trace = _line(
                f"{group_name(group)}, {mean}",
                [a.combination.max_order for a in points],
                [a.pearson.coefficient for a in points],
                theme.numbered_style(number, dash),
            )
            figure.add_trace(trace.update(hovertemplate=_hover(f"{group_name(group)}, {mean}", "N = %{x}: r %{y:.4f}")))
    xaxis = {"title": "highest order N", "tickmode": "array", "tickvals": list(range(1, MAX_ORDER + 1))}
    return _finish(figure, height=TALL_HEIGHT, xaxis=xaxis, yaxis={"title": "Pearson's r"})


def corpus_scores(table: BlockScores, _: Styles) -> go.Figure:
    """Draw corpus BLEU (0 to 1) of each system, with the paper's values for its own systems: Table 1."""
    systems = table.systems
    figure = go.Figure(_bars(systems, table.corpus_scores / POINTS))
    if corresponds(systems):
        figure.add_trace(_published(systems, _printed(systems, TABLE_1)))
    return _finish(
        figure,
        showlegend=corresponds(systems),
        xaxis=theme.systems_axis(systems),
        yaxis={"title": "BLEU", "rangemode": "tozero"},
    )


def block_means(table: BlockScores, _: Styles) -> go.Figure:
    """Draw mean and standard deviation of BLEU (0 to 1) over blocks, with the paper's for its own systems: Table 2."""
    systems = table.systems
    bars = _bars(systems, table.means / POINTS)
    figure = go.Figure(bars.update(error_y=_deviations(table.means / POINTS, table.standard_deviations / POINTS)))
    if corresponds(systems):
        means, deviations = _printed(systems, TABLE_2_MEANS), _printed(systems, TABLE_2_DEVIATIONS)
        published = _published(systems, means)
        figure.add_trace(published.update(error_y=_deviations(means, deviations, PUBLISHED_COLOR)))
    return _finish(
        figure,
        showlegend=corresponds(systems),
        xaxis=theme.systems_axis(systems),
        yaxis={"title": "BLEU: mean ± standard deviation", "rangemode": "tozero"},
    )


def t_by_size(pairs: Sequence[BlockSizes], _: Styles) -> go.Figure:
    """Draw |t| of neighbouring systems by block size, with the critical value."""
    figure = go.Figure()
    for number, pair in enumerate(pairs):
        name = f"{pair.system} and {pair.baseline}"
        line = _line(name, pair.sizes.tolist(), [abs(test.t) for test in pair.tests], theme.numbered_style(number))
        hover = _hover(name, "%{customdata} blocks of %{x:.0f}: t %{y:.2f}")
        figure.add_trace(line.update(customdata=pair.blocks.tolist(), hovertemplate=hover))
    sizes, name = pairs[0].sizes.tolist(), "significant above (5%, two-sided)"
    figure.add_trace(
        go.Scatter(
            x=sizes,
            y=_values(pairs[0].critical_t),
            name=name,
            mode="lines",
            line={"color": theme.INK, "dash": "dot"},
            hovertemplate=_hover(name, "%{y:.2f}"),
        )
    )
    all_sizes = [size for pair in pairs for size in pair.sizes.tolist()]
    return _finish(
        figure,
        height=TALL_HEIGHT,
        xaxis={"title": "segments per block", "type": "log"}
        | (theme.log_ticks(min(all_sizes), max(all_sizes)) if all_sizes else {}),
        yaxis={"title": "|t|", "rangemode": "tozero"},
    )


# References.


def scores_by_references(numbers: Sequence[ReferenceNumber], styles: Styles) -> go.Figure:
    """Draw mean and range of BLEU (0 to 1) over the sets of references of each size, with a line per system."""
    counts, hover = [n.number for n in numbers], "%{x} references: %{y:.4f}"
    figure = go.Figure()
    for k, name in enumerate(numbers[0].systems):
        ranges = [number.by_system[k] for number in numbers]
        means = [r.mean / POINTS for r in ranges]
        line = _line(name, counts, means, styles[name])
        bars = _error_bars(means, ((r.low / POINTS, r.high / POINTS) for r in ranges), styles[name].color)
        figure.add_trace(line.update(error_y=bars, hovertemplate=_hover(name, hover)))
    ticks = set(counts)
    if corresponds(numbers[0].systems):
        ticks |= set(H2_BY_REFERENCES)
        printed = [value / POINTS for value in H2_BY_REFERENCES.values()]
        name = f"{PRINTED_SYSTEM}, {PUBLISHED_NAME}"
        published = _published(list(H2_BY_REFERENCES), printed, name)
        figure.add_trace(published.update(hovertemplate=_hover(name, hover)))
    xaxis = {"title": "number of references", "tickmode": "array", "tickvals": sorted(ticks)}
    return _finish(figure, height=TALL_HEIGHT, xaxis=xaxis, yaxis={"title": "BLEU", "rangemode": "tozero"})


def single_reference_boxes(single: SingleReference, styles: Styles) -> go.Figure:
    """Draw the distribution of BLEU (0 to 1) over the draws of one reference, with a box per system."""
    figure = go.Figure(
        [
            go.Box(
                x0=name,
                y=np.asarray(single.scores[:, k] / POINTS),  # not as a list, which Plotly checks value by value
                name=theme.short(name),
                marker={"color": styles[name].color, "size": BOX_POINT},
                line={"color": styles[name].color},
                hoverinfo="y",
            )
            for k, name in enumerate(single.systems)
        ]
    )
    return _finish(
        figure,
        showlegend=False,
        xaxis=theme.systems_axis(single.systems),
        yaxis={"title": "BLEU against one reference", "rangemode": "tozero"},
    )


def r_by_reference(agreements: Sequence[ReferenceAgreement], _: Styles) -> go.Figure:
    """Draw Pearson's r with the judges and its 95 % interval for each choice of references."""
    series: dict[str, Sequence[Agreement | None]] = {"all systems": [a.everyone for a in agreements]}
    machines = [a.machines for a in agreements]
    if any(machines):
        series["machine systems only"] = machines
    figure = go.Figure()
    for number, (name, by_reference) in enumerate(series.items()):
        shift = _shift(number, len(series))
        places = [(place, agreement.pearson) for place, agreement in enumerate(by_reference) if agreement is not None]
        values = [r.coefficient for _, r in places]
        style = theme.numbered_style(number)
        points = _points(name, [place + shift for place, _ in places], values, style)
        bars = _error_bars(values, ((r.interval.low, r.interval.high) for _, r in places), style.color)
        figure.add_trace(points.update(error_y=bars, hovertemplate=_hover(name, "r %{y:.4f}")))
    _zero_line(figure)
    labels = [theme.short(agreement.label, MAX_NAME_LENGTH) for agreement in agreements]
    return _finish(
        figure,
        showlegend=len(series) > 1,
        xaxis={"title": "reference"} | _places_axis(labels),
        yaxis={"title": "Pearson's r with the judges"},
    )


# Groups of judges.


def neighbour_differences(differences: Sequence[GroupDifferences], _: Styles, option: str) -> go.Figure:
    """Draw mean rating differences of neighbouring systems with 95 % intervals, with a panel per group.

    Args:
        differences: of all judges, then of each group.
        option: which intervals.
    """
    groups, units = _named(differences), UNITS[:1] if option == AS_IN_PAPER else UNITS
    figure, axes, listed = go.Figure(), dict[str, Any](), set[str]()
    for number, group in enumerate(groups):
        suffix = "" if not number else str(number + 1)
        traces = _difference_points(group, units)
        if group.group == MONOLINGUAL and corresponds(group.systems):
            printed = [MONOLINGUAL_DIFFERENCES.get((pair.better, pair.worse), math.nan) for pair in group.pairs]
            traces.append(_published(range(len(group.pairs)), printed))
            traces[-1].update(hovertext=_signed(printed), hovertemplate=_hover(PUBLISHED_NAME, "%{hovertext}"))
        if len(groups) > 1:
            for trace in traces:
                name = str(trace.name)
                trace.update(xaxis=f"x{suffix}", yaxis="y", legendgroup=name, showlegend=name not in listed)
                listed.add(name)
        figure.add_traces(traces)
        labels = [(f"{pair.better} −", pair.worse, f"N = {pair.by(units[0]).n}") for pair in group.pairs]
        end = (number + 1) / len(groups) - (PANEL_GAP if number + 1 < len(groups) else 0)
        axes[f"xaxis{suffix}"] = _places_axis(
            ["<br>".join(theme.short(line, MAX_LABEL_LENGTH) for line in lines) for lines in labels],
            title={"text": theme.short(group_name(group.group)), "font": {"size": theme.TEXT_SIZE}},
            tickfont={"size": theme.TEXT_SIZE - 1},
            autotickangles=[0, 90],  # oblique labels would extend beyond the figure
            ticklabeloverflow="allow",
            domain=[number / len(groups), end],
        )
        _zero_line(figure, suffix)
    return _finish(
        figure,
        height=DIFFERENCES_HEIGHT,
        xaxis=axes.pop("xaxis", {}),
        yaxis={"title": "mean difference of ratings", "rangemode": "tozero"},
        **axes,
    )


def _difference_points(group: GroupDifferences, units: Sequence[Unit]) -> list[go.Scatter]:
    """Return the points of a group, a series per unit."""
    traces: list[go.Scatter] = []
    for number, unit in enumerate(units):
        differences = [pair.by(unit) for pair in group.pairs]
        means, shift = [d.mean for d in differences], _shift(number, len(units))
        style = theme.numbered_style(UNITS.index(unit))
        points = _points(f"by {unit}", [place + shift for place in range(len(means))], means, style)
        points.update(
            error_y=_error_bars(means, ((d.interval.low, d.interval.high) for d in differences), style.color),
            hovertext=_signed(means),
            customdata=[d.n for d in differences],
            hovertemplate=_hover(f"by {unit}", "%{hovertext}, N = %{customdata}"),
        )
        traces.append(points)
    return traces


def scaled_lines(normalised: Normalised, _: Styles) -> go.Figure:
    """Draw BLEU and the mean ratings of each group, or of all judges if there is none, scaled to their ranges."""
    groups = [(group_name(ratings.group), ratings.values) for ratings in _named(normalised.groups)]
    series = [("BLEU", normalised.bleu.values), *groups]
    figure = go.Figure()
    for number, (name, values) in enumerate(series):
        style = theme.numbered_style(number, DASHES[number % len(DASHES)])
        line = _line(name, list(normalised.systems), values, style)
        figure.add_trace(line.update(hovertemplate=_hover(name, "%{y:.3f}")))
    return _finish(
        figure,
        height=RANGES_HEIGHT,
        xaxis=theme.systems_axis(normalised.systems, title="system, lowest BLEU first"),
        yaxis={"title": "position in the range", "range": [-0.05, 1.05]},
    )


def regression(part: tuple[Agreement, Sequence[str]], styles: Styles) -> go.Figure:
    """Draw mean ratings over BLEU (0 to 1) with the regression line and its 95 % band.

    Args:
        part: the agreement of BLEU from 0 to 1 with a group, and the human translators among its systems.
        styles: style of each system.
    """
    agreement, humans = part
    return bleu_and_ratings(agreement, styles, humans, score="BLEU")


# Parts of figures.


def _finish(figure: go.Figure, *, height: int = HEIGHT, showlegend: bool = True, **layout: Any) -> go.Figure:
    return theme.finish(figure, height=height, showlegend=showlegend, legend=theme.LEGEND_ABOVE, **layout)


def _bars(systems: Sequence[str], values: Iterable[float]) -> go.Bar:
    hover = _hover("computed", "%{x}: %{y:.4f}")
    marker = {"color": COMPUTED_COLOR}
    return go.Bar(x=list(systems), y=_values(values), name="computed", hovertemplate=hover, marker=marker)


def _published(x: Iterable[object], values: Iterable[float], name: str = PUBLISHED_NAME) -> go.Scatter:
    """Return the values that the paper prints; NaN where it prints none."""
    return go.Scatter(
        x=list(x),
        y=_values(values),
        name=theme.short(name),
        mode="markers",
        marker={"symbol": "diamond-open", "size": DIAMOND, "color": PUBLISHED_COLOR, "line": {"width": 2}},
        hovertemplate=_hover(name, "%{x}: %{y:.4f}"),
    )


def _points(name: str, x: list[float], values: Iterable[float], style: Style) -> go.Scatter:
    marker = {"symbol": style.symbol, "color": style.color, "size": POINT}
    return go.Scatter(x=x, y=_values(values), name=theme.short(name), mode="markers", marker=marker)


def _line(name: str, x: Sequence[object], values: Iterable[float], style: Style) -> go.Scatter:
    return go.Scatter(
        x=x,
        y=_values(values),
        name=theme.short(name),
        mode="lines+markers",
        line={"color": style.color, "dash": style.dash, "width": 2},
        marker={"symbol": style.symbol, "color": style.color, "size": LINE_MARKER},
    )


def _values(values: Iterable[float]) -> list[float | None]:
    """Replace NaN by None, for which Plotly leaves gaps."""
    return [None if math.isnan(value) else float(value) for value in values]


def _signed(values: Iterable[float]) -> list[str]:
    """Return values with their signs for hover texts: Plotly would write a minus before a value rounded to zero."""
    return [decimal(value, 3, signed=True) for value in values]


def _printed(systems: Iterable[str], printed: Mapping[str, float]) -> list[float]:
    """Return the printed value of each system, 0 to 1; NaN for systems that are not the paper's."""
    return [value / POINTS for value in published_of(systems, printed)]


def _deviations(means: Iterable[float], deviations: Iterable[float], color: str = theme.INK) -> dict[str, Any]:
    values, widths = list(means), list(deviations)
    return _error_bars(values, ((v - w, v + w) for v, w in zip(values, widths, strict=True)), color)


def _error_bars(values: Iterable[float], bounds: Iterable[tuple[float, float]], color: str) -> dict[str, Any]:
    intervals = [Interval(low, high, CONFIDENCE) for low, high in bounds]
    return theme.error_bars([float(value) for value in values], intervals, color)


def _hover(name: str, text: str) -> str:
    """Return a hover text below the name of a series, in Plotly's syntax."""
    return f"{theme.plain(name)}<br>{text}<extra></extra>"


def _shift(number: int, series: int) -> float:
    """Return the offset of the points of a series from the middle of their category."""
    return (number - (series - 1) / 2) * POINT_GAP


def _places_axis(labels: Sequence[str], **axis: Any) -> dict[str, Any]:
    """Return an axis on which each category is a number, so that points of one category can have offsets."""
    return {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": list(labels),
        "range": [-0.6, len(labels) - 0.4],
        "showgrid": False,
        "zeroline": False,
        "automargin": True,
    } | axis


def _zero_line(figure: go.Figure, suffix: str = "") -> None:
    line = {"color": theme.INK, "width": 1}
    figure.add_shape(type="line", xref=f"x{suffix} domain", x0=0, x1=1, yref="y", y0=0, y1=0, line=line)


# Steps.


def _only(part: Callable[[PaperResults], R | None]) -> Callable[[PaperResults], Mapping[str, R]]:
    """Return the parts of a step with a single figure, which is not drawn where its result is None or empty."""

    def parts(results: PaperResults) -> Mapping[str, R]:
        result = part(results)
        return {"": result} if result else {}

    return parts


def _of_ratings(part: Callable[[Ratings], R | None]) -> Callable[[PaperResults], Mapping[str, R]]:
    return _only(lambda results: part(results.ratings) if results.ratings else None)


def _named(groups: Sequence[G]) -> Sequence[G]:
    """Return the named groups, as the paper's figures never show all judges; all judges if there is no other group."""
    return groups[1:] or groups


def _regressions(results: PaperResults) -> Mapping[str, tuple[Agreement, Sequence[str]]]:
    return {
        group_name(group.group): (
            agreement_from_0_to_1(group.everyone),
            [name for name in results.humans if name in group.everyone.systems],
        )
        for group in _named(results.ratings.agreements if results.ratings else ())
    }


#: Key of a step -> its figures; steps without a key have tables only.
STEP_FIGURES: Mapping[str, StepFigures[Any]] = MappingProxyType(
    {
        "figure_1": StepFigures(parts=_only(lambda results: results.figure_1), figure=paper_precisions),
        "figure_2": StepFigures(
            parts=_only(lambda results: sum_precisions(results.evaluation, results.table_2.systems)),
            figure=paper_precisions,
        ),
        "combining": StepFigures(
            parts=_of_ratings(lambda ratings: ratings.combination_agreements), figure=combination_lines
        ),
        "table_1": StepFigures(parts=_only(lambda results: results.table_2), figure=corpus_scores),
        "table_2": StepFigures(parts=_only(lambda results: results.table_2), figure=block_means),
        "block_sizes": StepFigures(parts=_only(lambda results: results.block_sizes), figure=t_by_size),
        "references_by_number": StepFigures(
            parts=_only(lambda results: results.references_by_number), figure=scores_by_references
        ),
        "single_reference": StepFigures(
            parts=_only(lambda results: results.single_reference), figure=single_reference_boxes
        ),
        "figures_3_4": StepFigures(
            parts=_of_ratings(lambda r: r.differences if any(group.pairs for group in r.differences) else None),
            figure=neighbour_differences,
            choice=Choice(label="Intervals", key="paper_intervals", options=(AS_IN_PAPER, ALL_UNITS)),
        ),
        "figures_5_6": StepFigures(parts=_regressions, figure=regression),
        "figure_7": StepFigures(
            parts=_of_ratings(lambda ratings: ratings.normalised if ratings.normalised.systems else None),
            figure=scaled_lines,
        ),
        "agreement_by_reference": StepFigures(
            parts=_of_ratings(lambda ratings: ratings.by_reference), figure=r_by_reference
        ),
    }
)
