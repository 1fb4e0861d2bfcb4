"""Which differences between systems are significant, and how much text it takes to find one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate

import numpy as np
import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.inference import Blocks, BlockSizes, Comparison, Comparisons, Interval, TextNeeded
from bleu_core.results.significance import VERDICTS, extrapolated_sizes
from bleu_core.results.table import format_p
from dashboard.figures import theme

HEIGHT = 420

#: Pixels: a row of the grid and of the tiers, and what names and axes take.
GRID_ROW, TIER_ROW, AROUND = 38, 34, 120

#: Worse, not significant, better; white text is readable on all.
VERDICT_COLORS = {-1: "#B34A00", 0: theme.UNDER_TEXT, 1: "#0072B2"}

BINS = 60


def comparison_grid(result: Comparisons, label: str, *, tested: bool = True) -> go.Figure:
    """Draw every system against every other, best first.

    Above the diagonal row minus column in points, below it the corrected p; the colour says whether the row is
    significantly better or worse than the column. The customdata of a cell ends with
    the places of both systems in the ranking, from 0.

    Args:
        result: all pairs.
        label: of the metric.
        tested: whether differences are tested; if not, all cells have one colour.
    """
    order = result.ranked
    verdicts: list[list[int | None]] = []
    cells: list[list[str]] = []
    hover: list[list[str]] = []
    for i, row in enumerate(order):
        pairs = [result.between(row, column) for column in order]
        verdicts.append([None if pair is None else result.verdict(pair) if tested else 0 for pair in pairs])
        cells.append(["" if pair is None else _cell(pair, above=j > i) for j, pair in enumerate(pairs)])
        hover.append(["" if pair is None else _grid_hover(result, pair, label) for pair in pairs])
    places = list(range(len(order)))
    figure = go.Figure(
        go.Heatmap(
            x=places,
            y=places,
            z=verdicts,
            zmin=-1,
            zmax=1,
            colorscale=[[0.0, VERDICT_COLORS[-1]], [0.5, VERDICT_COLORS[0]], [1.0, VERDICT_COLORS[1]]],
            showscale=False,
            text=cells,
            texttemplate="%{text}",
            textfont={"color": "white"},  # of Plotly's own size, which leaves text out where it does not fit
            hoverinfo="skip",
            xgap=2,
            ygap=2,
        )
    )
    figure.add_trace(_unseen_cells(hover))
    names = [theme.short(name, 16) for name in order]
    axis = {"tickmode": "array", "tickvals": places, "ticktext": names, "showgrid": False}
    for verdict, text in ((1, "row better"), (-1, "row worse"), (0, "not significant")):
        marker = {"color": VERDICT_COLORS[verdict], "symbol": "square", "size": 11}
        figure.add_trace(go.Scatter(x=[None], y=[None], mode="markers", name=text, marker=marker))
    return theme.finish(
        figure,
        height=AROUND + GRID_ROW * len(order),
        showlegend=tested,
        legend=theme.LEGEND_ABOVE,
        xaxis=axis | {"autotickangles": [0, 45, 90], "ticklabeloverflow": "allow", "range": [-0.5, len(order) - 0.5]},
        yaxis=axis | {"range": [len(order) - 0.5, -0.5]},
    )


def _unseen_cells(hover: Sequence[Sequence[str]]) -> go.Scatter:
    """Markers over the cells of the grid, which answer to clicks, as those of a heat map do not."""
    cells = [(i, j) for i, row in enumerate(hover) for j, text in enumerate(row) if text]
    return go.Scatter(
        x=[j for _, j in cells],
        y=[i for i, _ in cells],
        mode="markers",
        showlegend=False,
        marker={"symbol": "square", "size": GRID_ROW, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=[(hover[i][j], i, j) for i, j in cells],
        hovertemplate="%{customdata[0]}<extra></extra>",
    )


def tier_lines(
    result: Comparisons,
    parts: Sequence[Sequence[str]],
    intervals: Mapping[str, Interval],
    styles: Mapping[str, theme.Style],
    label: str,
    *,
    unit: str = "points",
    beaten: Mapping[str, int] | None = None,
) -> go.Figure:
    """Draw each system's score and interval, best at the top, with a line between tiers.

    A point's customdata is the system, from 0.

    Args:
        result: of all pairs, or against a baseline.
        parts: the tiers, best first; one part where there are none.
        intervals: of the scores; may be empty.
        styles: how each system is drawn.
        label: of the metric.
        unit: of its scores.
        beaten: how many others each system is significantly better than, written beside its name; not if None.
    """
    order = [name for part in parts for name in part]
    score = dict(zip(result.systems, result.scores.tolist(), strict=True))
    figure = go.Figure()
    for name in order:
        bounds = intervals.get(name)
        figure.add_trace(
            go.Scatter(
                x=[score[name]],
                y=[name],
                customdata=[[result.systems.index(name)]],
                mode="markers",
                name=theme.short(name),
                marker={"color": styles[name].color, "symbol": styles[name].symbol, "size": 10},
                error_x=theme.error_bars([score[name]], [bounds] if bounds else None, color=styles[name].color),
                hovertemplate=(
                    f"{theme.plain(name)}<br>{theme.plain(label)} %{{x:.2f}}{theme.bounds_text(bounds)}<extra></extra>"
                ),
            )
        )
    lines = [n - 0.5 for n in accumulate(len(part) for part in parts[:-1])]
    # All at once: add_hline takes 15 ms for each line.
    across = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1}
    dashed = {"line": {"color": theme.INK, "width": 1.5, "dash": "dash"}}
    return theme.finish(
        figure,
        height=AROUND - 30 + TIER_ROW * len(order),
        showlegend=False,
        shapes=[across | {"y0": y, "y1": y} | dashed for y in lines],
        xaxis={"title": theme.axis_title(label, unit)},
        yaxis=theme.systems_axis(order, range=[len(order) - 0.5, -0.5], showgrid=False)  # tiers alone have lines
        | ({} if beaten is None else {"ticktext": [_with_wins(name, beaten[name]) for name in order]}),
    )


def _with_wins(name: str, wins: int) -> str:
    return f"{theme.short(name, 20)}<br>beats {wins}" if wins else theme.short(name, 20)


def against_baseline(
    result: Comparisons, styles: Mapping[str, theme.Style], label: str, unit: str = "points"
) -> go.Figure:
    """Draw each system's difference to the baseline (points) with its interval; hollow where not significant.

    A point's customdata is the pair, from 0.
    """
    figure = go.Figure()
    sign = 1 if result.higher_is_better else -1
    pairs = sorted(result.pairs, key=lambda pair: (-sign * pair.delta, pair.system))
    for pair in pairs:
        style = styles[pair.system]
        delta = pair.paired_t.mean_difference if pair.paired_t else pair.delta
        hollow = "" if result.verdict(pair) else "-open"
        figure.add_trace(
            go.Scatter(
                x=[delta],
                y=[pair.system],
                customdata=[[result.pairs.index(pair)]],
                mode="markers",
                name=theme.short(pair.system),
                marker={"color": style.color, "symbol": style.symbol + hollow, "size": 10},
                error_x=theme.error_bars([delta], [pair.interval], color=style.color),
                hovertemplate=_grid_hover(result, pair, label) + "<extra></extra>",
            )
        )
    figure.add_vline(x=0, line={"color": theme.INK, "width": 1})
    baseline = theme.short(result.pairs[0].baseline)
    return theme.finish(
        figure,
        height=AROUND - 30 + TIER_ROW * len(pairs),
        showlegend=False,
        xaxis={"title": f"difference to {baseline} ({_in(label, unit)})"},
        yaxis=theme.systems_axis([pair.system for pair in pairs], range=[len(pairs) - 0.5, -0.5]),
    )


def drawn_deltas(deltas: Mapping[str, Sequence[float]], observed: float, label: str, unit: str = "points") -> go.Figure:
    """Draw how the differences drawn (points) are distributed, with zero and the observed difference marked."""
    every = [value for values in deltas.values() for value in values] + [observed, 0.0]
    edges = np.linspace(min(every), max(every) + 1e-9, BINS + 1)
    figure = go.Figure()
    highest = 0.0
    for i, (name, values) in enumerate(deltas.items(), start=2):  # the first two colours are those of the systems
        counts, _ = np.histogram(values, edges)
        shares = counts / max(len(values), 1)
        highest = max(highest, float(shares.max()))
        figure.add_trace(
            go.Bar(
                x=((edges[:-1] + edges[1:]) / 2).tolist(),
                y=shares.tolist(),
                width=float(edges[1] - edges[0]),
                name=name,
                marker={"color": theme.COLORS[i], "opacity": 0.65, "line": {"width": 0}},
                hovertemplate=f"{name}<br>about %{{x:.2f}}: %{{y:.1%}}<extra></extra>",
            )
        )
    for x, name, dash in ((0.0, "zero", "dot"), (observed, f"observed, {decimal(observed, signed=True)}", "dash")):
        line = {"color": theme.INK, "width": 2, "dash": dash}
        figure.add_trace(
            go.Scatter(x=[x, x], y=[0, highest * 1.05], mode="lines", name=name, line=line, hoverinfo="skip")
        )
    return theme.finish(
        figure,
        height=HEIGHT,
        barmode="overlay",
        bargap=0,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": f"difference ({_in(label, unit)})"},
        yaxis={"title": "share of resamples", "tickformat": ".0%", "rangemode": "tozero"},
    )


def block_differences(
    scores: Sequence[Sequence[float]],
    blocks: Blocks,
    names: tuple[str, str],
    styles: Mapping[str, theme.Style],
    *,
    unit: str = "points",
    higher_is_better: bool = True,
) -> go.Figure:
    """Draw the system's score minus the baseline's on each block, and on average, coloured by the better of the two.

    The last part of a bar's customdata is the block.

    Args:
        scores: of the baseline and of the system, on each block.
        blocks: the division.
        names: of the baseline and of the system.
        styles: how each system is drawn.
        unit: of the scores.
        higher_is_better: of the metric.
    """
    looks = theme.distinct(styles, names)
    deltas = [system - baseline for baseline, system in zip(*scores, strict=True)]
    mean = sum(deltas) / len(deltas)
    in_unit = f" ({theme.plain(unit)})" if unit else ""
    figure = go.Figure(
        go.Bar(
            x=list(range(1, len(deltas) + 1)),
            y=deltas,
            showlegend=False,
            marker={"color": [looks[names[delta >= 0 if higher_is_better else delta < 0]].color for delta in deltas]},
            customdata=[
                (f"{blocks.unit} {theme.plain(name)} ({size} segments)<br>difference {decimal(delta, signed=True)}", b)
                for b, (name, size, delta) in enumerate(zip(blocks.names, blocks.sizes, deltas, strict=True))
            ],
            hovertemplate="%{customdata[0]}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[0.5, len(deltas) + 0.5],
            y=[mean, mean],
            mode="lines",
            name=f"mean, {decimal(mean, signed=True)}",
            line={"color": theme.INK, "width": 2, "dash": "dash"},
            hoverinfo="skip",
        )
    )
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": blocks.unit, "range": [0.4, len(deltas) + 0.6]},
        yaxis={"title": f"{theme.short(names[1], 14)} minus {theme.short(names[0], 14)}{in_unit}", "zeroline": True},
    )


def interval_widths(needed: TextNeeded, label: str, unit: str = "points") -> go.Figure:
    """Draw the width of the interval of the difference (points) over the number of segments, and what to expect."""
    beyond = extrapolated_sizes(needed)
    figure = go.Figure(
        [
            go.Scatter(
                x=needed.sizes.tolist(),
                y=needed.widths.tolist(),
                mode="lines+markers",
                name="resampled from this text",
                line={"color": theme.COLORS[0]},
                marker={"size": 8},
                hovertemplate="%{x:,} segments<br>width %{y:.2f}<extra></extra>",
            ),
            go.Scatter(
                x=beyond.tolist(),
                y=needed.width_at(beyond).tolist(),
                mode="lines",
                name="extrapolated",
                line={"color": theme.COLORS[0], "dash": "dash"},
                hovertemplate="%{x:,.0f} segments<br>width %{y:.2f}, extrapolated<extra></extra>",
            ),
        ]
    )
    if needed.delta:
        twice = 2 * abs(needed.delta)
        figure.add_trace(
            go.Scatter(
                x=[float(needed.sizes[0]), float(beyond[-1])],
                y=[twice, twice],
                mode="lines",
                name="below this line the interval excludes zero",
                line={"color": theme.INK, "width": 1.5, "dash": "dot"},
                hovertemplate="twice the observed difference: %{y:.2f}<extra></extra>",
            )
        )
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "segments", "type": "log"} | theme.log_ticks(float(needed.sizes[0]), float(beyond[-1])),
        yaxis={"title": f"width of the 95% interval ({_in(label, unit)})", "rangemode": "tozero"},
    )


def t_over_block_size(result: BlockSizes) -> go.Figure:
    """Draw the paired t over the mean size of a block (segments), with the t that is significant at the 5% level."""
    t = [None if math.isnan(test.t) else test.t for test in result.tests]
    sign = -1 if sum(value for value in t if value is not None) < 0 else 1
    critical = result.critical_t * sign
    sizes = result.sizes.tolist()
    figure = go.Figure(
        [
            go.Scatter(
                x=sizes,
                y=t,
                mode="lines+markers",
                name="paired t",
                line={"color": theme.COLORS[0]},
                marker={"size": 8},
                customdata=[
                    f"{blocks} blocks, p {format_p(test.p_value)}"
                    for blocks, test in zip(result.blocks, result.tests, strict=True)
                ],
                hovertemplate="%{x:.0f} segments per block<br>%{customdata}<br>t %{y:.2f}<extra></extra>",
            ),
            go.Scatter(
                x=sizes,
                y=critical.tolist(),
                mode="lines",
                name="significant beyond this line (5% level)",
                line={"color": theme.INK, "dash": "dot"},
                hovertemplate="%{x:.0f} segments per block<br>significant beyond %{y:.2f}<extra></extra>",
            ),
        ]
    )
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "segments per block", "type": "log"}
        | (theme.log_ticks(min(sizes), max(sizes)) if sizes else {}),
        yaxis={"title": "t", "rangemode": "tozero"},
    )


def _cell(pair: Comparison, *, above: bool) -> str:
    if above:
        return decimal(pair.delta, 1, signed=True)
    return "" if math.isnan(pair.p_value_adjusted) else format_p(pair.p_value_adjusted)


def _in(label: str, unit: str) -> str:
    """A metric's label and unit, in which a difference is: "BLEU points"."""
    return theme.plain(f"{label} {unit}".rstrip())


def _grid_hover(result: Comparisons, pair: Comparison, label: str) -> str:
    low, high = pair.interval.low, pair.interval.high
    delta = decimal(pair.paired_t.mean_difference if pair.paired_t else pair.delta, signed=True)
    bounds = "" if math.isnan(low) else f" ({decimal(low, signed=True)} to {decimal(high, signed=True)})"
    verdict = VERDICTS[result.verdict(pair)]
    return (
        f"{theme.plain(pair.system)} against {theme.plain(pair.baseline)}<br>{theme.plain(label)} {delta}"
        f"{bounds}<br>p {theme.plain(format_p(pair.p_value))}, corrected "
        f"{theme.plain(format_p(pair.p_value_adjusted))}<br>{verdict}"
    )
