"""The judges: their ratings, their agreement, and the sources of the variance of ratings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from bleu_core.fields import Table, decimal
from bleu_core.judges import GroupComparison, JudgeSummary, KrippendorffAlpha, PairwiseKendall, VarianceComponents
from bleu_core.results.judges import (
    MANY_ITEMS,
    TauCounts,
    alpha_table,
    distribution_table,
    group_means_table,
    judge_names,
    judge_pairs_table,
    systems_of_groups,
    tau_counts,
    tau_counts_table,
    variance_table,
)
from dashboard import words
from dashboard.analysis import JudgeAnalysis
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Maximum number of judges with a histogram each; more become rows of a heatmap.
MAX_HISTOGRAMS = 12
#: Maximum number of judges whose names are shown.
MAX_NAMES = 60

#: Heights in pixels: a histogram's row, a row of a heatmap, of cells with numbers and of bars; the maximum of a
#: heatmap; axes and margins.
HISTOGRAM_ROW, ROW, CELL_ROW, BAR_ROW, MAX_HEIGHT, AROUND = 52, 18, 36, 44, 900, 90

#: Maximum number of integer ratings with a tick each.
MAX_TICKS = 11

#: Maximum number of judges of a matrix with a cell per pair; the pairs of more judges are counted.
MAX_IN_MATRIX = 30

#: Maximum number of judges of a matrix with numbers in its cells.
MAX_NUMBERS = 12
CELL_TEXT = 11

#: Height of the highest bar of a histogram, as a share of its row.
HISTOGRAM_HEIGHT = 0.88

BLUE, CLEAR_BLUE = "rgba(0,114,178,1)", "rgba(0,114,178,0)"
#: Background colours of white numbers.
GREY_TO_BLUE = [[0.0, theme.UNDER_TEXT], [1.0, theme.COLORS[0]]]
#: Minimum width of a colour scale of taus, so that small differences do not look large.
MIN_SCALE_WIDTH = 0.3

SOURCES = {"system": "systems", "segment": "segments", "judge": "judges", "residual": "residual"}


def rating_histograms(summaries: Sequence[JudgeSummary], *, rating: str = "rating") -> go.Figure:
    """Draw the distribution of each judge's ratings over the scale, and the judge's mean; the first at the top.

    Args:
        summaries: one per judge.
        rating: name of the ratings, for the axis.
    """
    names = judge_names([s.judge for s in summaries])
    figure = _rows(summaries, names) if len(summaries) <= MAX_HISTOGRAMS else _heatmap(summaries, names)
    few = len(summaries) <= MAX_HISTOGRAMS
    named = len(summaries) <= MAX_NAMES
    places = list(range(len(summaries)))
    figure.add_trace(
        go.Scatter(
            x=[s.mean for s in summaries],
            y=places,
            mode="markers",
            name="mean",
            marker={
                "color": theme.COLORS[1],
                "symbol": "line-ns-open" if not few else "circle",
                "size": 9 if few else 8 if named else 3,
                "line": {"width": 2 if few or named else 1},
            },
            customdata=[
                f"{theme.plain(name)}<br>mean {decimal(s.mean)} of {s.ratings:,} ratings"
                for name, s in zip(names, summaries, strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    axis = {"tickmode": "array", "tickvals": places, "ticktext": [theme.short(name, 16) for name in names]}
    edges = summaries[0].edges
    ticks = {"dtick": 1} if edges[1] - edges[0] == 1 and len(edges) - 1 <= MAX_TICKS else {}
    if not named:
        axis = {"showticklabels": False, "title": f"{len(summaries):,} judges, lowest mean at the top"}
    row = HISTOGRAM_ROW if few else ROW
    top = -0.5 - 0.5 * few
    return theme.finish(
        figure,
        height=min(AROUND + row * len(summaries), MAX_HEIGHT),
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": rating} | ticks,
        yaxis=axis | {"showgrid": few, "range": [len(summaries) - 0.5, top]},
    )


def krippendorff_alphas(alphas: Mapping[str, Sequence[KrippendorffAlpha]], bounds: Mapping[str, float]) -> go.Figure:
    """Draw Krippendorff's alpha with its interval, by group of judges and metric of distances.

    Args:
        alphas: group of judges -> their agreement.
        bounds: label of a bound -> the bound.
    """
    rows = [(name, a) for name, by_metric in alphas.items() for a in by_metric]
    figure = go.Figure()
    for i, (text, bound) in enumerate(bounds.items()):
        line = {"color": theme.INK, "width": 1.5, "dash": ("dot", "dash")[i % 2]}
        ends = [-0.5, len(rows) - 0.5]
        figure.add_trace(
            go.Scatter(x=[bound] * 2, y=ends, mode="lines", name=theme.plain(text), line=line, hoverinfo="skip")
        )
    known = [(i, name, a) for i, (name, a) in enumerate(rows) if not a.reason]
    figure.add_trace(
        go.Scatter(
            x=[a.coefficient for _, _, a in known],
            y=[i for i, _, _ in known],
            mode="markers",
            showlegend=False,
            marker={"color": theme.COLORS[0], "size": 10},
            error_x=theme.error_bars(
                [a.coefficient for _, _, a in known], [a.interval for _, _, a in known], theme.COLORS[0]
            ),
            customdata=[
                f"{theme.plain(name)}, {a.metric}<br>alpha {decimal(a.coefficient, 3)}"
                f"{theme.bounds_text(a.interval, 3)}<br>{a.ratings:,} ratings of {a.items:,} items"
                for _, name, a in known
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    lowest = min([0.0, *(b for _, _, a in known for b in (a.coefficient, a.interval.low) if not math.isnan(b))])
    labels = [f"{theme.short(name, 18)},<br>{a.metric}" for name, a in rows]
    return theme.finish(
        figure,
        height=AROUND + 20 + BAR_ROW * len(rows),
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "Krippendorff's alpha", "range": [lowest - 0.03, 1.03]},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(rows))),
            "ticktext": labels,
            "showgrid": False,
            "range": [len(rows) - 0.5, -0.5],
        },
    )


def kendall_matrix(result: PairwiseKendall) -> go.Figure:
    """Draw Kendall's tau-b of all pairs of judges; hover texts give the number of shared items."""
    names = judge_names(result.judges)
    count = len(names)
    reasons = {(p.first, p.second): p.reason for p in result}
    values: list[list[float | None]] = []
    hover: list[list[str]] = []
    for i, first in enumerate(result.judges):
        values.append([])
        hover.append([])
        for j, second in enumerate(result.judges):
            tau = float(result.coefficients[i, j])
            values[-1].append(None if math.isnan(tau) else tau)
            pair = (first, second) if i < j else (second, first)
            shared = f"Kendall's tau {decimal(tau, 3)}, {int(result.items[i, j]):,} items rated by both"
            text = shared if not math.isnan(tau) else reasons.get(pair, "")
            hover[-1].append("" if i == j else f"{theme.plain(names[i])}, {theme.plain(names[j])}<br>{text}")
    known = [v for row in values for v in row if v is not None]
    max_tau = max(known, default=1.0)
    cells = [["" if v is None else decimal(v) for v in row] for row in values]
    places = list(range(count))
    axis = {
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [theme.short(name, 14) for name in names],
        "showgrid": False,
    }
    numbers = {"text": cells, "texttemplate": "%{text}", "textfont": {"color": "white", "size": CELL_TEXT}}
    figure = go.Figure(
        go.Heatmap(
            x=places,
            y=places,
            z=values,
            zmin=min([*known, max_tau - MIN_SCALE_WIDTH]),
            zmax=max_tau,
            colorscale=GREY_TO_BLUE if count <= MAX_NUMBERS else [[0.0, CLEAR_BLUE], [1.0, BLUE]],
            colorbar={"title": {"text": "Kendall's tau"}, "thickness": 12},
            customdata=hover,
            hovertemplate="%{customdata}<extra></extra>",
            hoverongaps=True,
            xgap=1,
            ygap=1,
            **(numbers if count <= MAX_NUMBERS else {}),
        )
    )
    row = CELL_ROW if count <= MAX_NUMBERS else ROW
    return theme.finish(
        figure,
        height=AROUND + 30 + row * count,
        xaxis=axis | {"autotickangles": [0, 45, 90], "ticklabeloverflow": "allow", "range": [-0.5, count - 0.5]},
        yaxis=axis | {"range": [count - 0.5, -0.5]},
    )


def kendall_counts(counts: TauCounts, mean: float) -> go.Figure:
    """Draw a histogram of Kendall's tau-b over pairs of judges, those with few common items separately."""
    middles = [(low + high) / 2 for low, high in zip(counts.edges[:-1], counts.edges[1:], strict=True)]
    bins = [
        f"{decimal(low, 1)} to {decimal(high, 1)}"
        for low, high in zip(counts.edges[:-1], counts.edges[1:], strict=True)
    ]
    figure = go.Figure()
    for values, text, color in (
        (counts.many, f"at least {MANY_ITEMS} shared items", theme.COLORS[0]),
        (counts.few, f"3 to {MANY_ITEMS - 1} shared items", theme.NEUTRAL),
    ):
        figure.add_trace(
            go.Bar(
                x=middles,
                y=list(values),
                name=text,
                marker={"color": color},
                customdata=bins,
                hovertemplate=f"{text}<br>Kendall's tau %{{customdata}}: %{{y:,}} pairs<extra></extra>",
            )
        )
    highest = max(f + m for f, m in zip(counts.few, counts.many, strict=True))
    figure.add_trace(
        go.Scatter(
            x=[mean, mean],
            y=[0, highest],
            mode="lines",
            name="mean",
            line={"color": theme.COLORS[1], "width": 2, "dash": "dash"},
            hoverinfo="skip",
        )
    )
    return theme.finish(
        figure,
        height=340,
        barmode="stack",
        bargap=0.05,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "Kendall's tau between two judges", "range": [-1.02, 1.02]},
        yaxis={"title": "pairs of judges", "rangemode": "tozero"},
    )


def variance_shares(result: VarianceComponents) -> go.Figure:
    """Draw the share of each source in the variance of a rating."""
    names = [SOURCES.get(c.name, c.name) for c in result.components]
    figure = go.Figure(
        go.Bar(
            x=[c.share for c in result.components],
            y=names,
            orientation="h",
            marker={"color": [theme.NEUTRAL if c.name == "residual" else theme.COLORS[0] for c in result.components]},
            text=[f"{100 * c.share:.0f}%" for c in result.components],
            textposition="outside",
            textfont={"size": theme.TEXT_SIZE},
            cliponaxis=False,
            customdata=[
                f"variance {c.estimate:.3g}, {c.levels:,} "
                + ("degrees of freedom" if c.name == "residual" else SOURCES.get(c.name, c.name))
                + (f"<br>{theme.plain(c.note)}" if c.note else "")
                for c in result.components
            ],
            hovertemplate="%{y}: %{x:.1%}<br>%{customdata}<extra></extra>",
        )
    )
    max_share = max(c.share for c in result.components)
    return theme.finish(
        figure,
        height=AROUND + BAR_ROW * len(names),
        showlegend=False,
        xaxis={"title": "share of the variance", "tickformat": ".0%", "range": [0, min(max_share * 1.18, 1.12)]},
        yaxis={"type": "category", "categoryorder": "array", "categoryarray": names[::-1]},
    )


def group_means(result: GroupComparison, *, rating: str = "mean rating") -> go.Figure:
    """Draw each system's mean rating by each group of judges, the best system at the top."""
    systems = systems_of_groups(result)
    figure = go.Figure()
    for name, lowest, highest in _spans(result, systems):
        line = {"color": theme.NEUTRAL, "width": 2}
        ends = [lowest, highest]
        figure.add_trace(go.Scatter(x=ends, y=[name] * 2, mode="lines", line=line, showlegend=False, hoverinfo="skip"))
    for i, group in enumerate(result.groups):
        rated = [name for name in systems if name in group.system_means]
        figure.add_trace(
            go.Scatter(
                x=[group.system_means[name] for name in rated],
                y=rated,
                mode="markers",
                name=theme.short(group.group),
                marker={
                    "color": theme.COLORS[i % len(theme.COLORS)],
                    "symbol": theme.SYMBOLS[i % len(theme.SYMBOLS)],
                    "size": 10,
                },
                customdata=[f"{theme.plain(name)}<br>{theme.plain(group.group)}" for name in rated],
                hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
            )
        )
    return theme.finish(
        figure,
        height=AROUND + 30 + 30 * len(systems),
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": rating},
        yaxis=theme.systems_axis(systems, range=[len(systems) - 0.5, -0.5]),
    )


def _rows(summaries: Sequence[JudgeSummary], names: Sequence[str]) -> go.Figure:
    """Draw one histogram per judge, one below the other on one scale."""
    figure = go.Figure()
    highest = max(float(s.histogram.max()) / s.ratings for s in summaries)
    for place, (name, s) in enumerate(zip(names, summaries, strict=True)):
        shares = s.histogram / s.ratings
        figure.add_trace(
            go.Bar(
                x=((s.edges[:-1] + s.edges[1:]) / 2).tolist(),
                y=(-HISTOGRAM_HEIGHT * shares / highest).tolist(),
                base=[place] * len(shares),
                width=(np.diff(s.edges) * 0.96).tolist(),
                marker={"color": theme.COLORS[0], "opacity": 0.75, "line": {"width": 0}},
                name=f"share of the judge's ratings (highest bar: {highest:.0%})",
                legendgroup="shares",
                showlegend=place == 0,
                customdata=_bins(s, name),
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    return figure.update_layout(barmode="overlay", bargap=0)


def _heatmap(summaries: Sequence[JudgeSummary], names: Sequence[str]) -> go.Figure:
    edges = summaries[0].edges
    return go.Figure(
        go.Heatmap(
            x=edges.tolist(),
            y=list(range(len(summaries))),
            z=[(s.histogram / s.ratings).tolist() for s in summaries],
            zmin=0,
            colorscale=[[0.0, CLEAR_BLUE], [1.0, BLUE]],
            colorbar={"title": {"text": "share of<br>ratings"}, "tickformat": ".0%", "thickness": 12},
            customdata=[_bins(s, name) for name, s in zip(names, summaries, strict=True)],
            hovertemplate="%{customdata}<extra></extra>",
        )
    )


def _bins(s: JudgeSummary, name: str) -> list[str]:
    """Return the hover texts of the bins of a judge's histogram."""
    edges = s.edges.tolist()
    whole = all(high - low == 1 and (low + high) % 2 == 0 for low, high in pairwise(edges))
    texts: list[str] = []
    for low, high, n in zip(edges[:-1], edges[1:], s.histogram.tolist(), strict=True):
        text = f"{(low + high) / 2:g}" if whole else f"{low:.4g} to {high:.4g}"
        texts.append(f"{theme.plain(name)}<br>{text}: {n:,} of {s.ratings:,} ratings ({100 * n / s.ratings:.0f}%)")
    return texts


def _spans(result: GroupComparison, systems: Sequence[str]) -> list[tuple[str, float, float]]:
    spans: list[tuple[str, float, float]] = []
    for name in systems:
        means = [g.system_means[name] for g in result.groups if name in g.system_means]
        if len(means) > 1:
            spans.append((name, min(means), max(means)))
    return spans


def _rating(analysis: JudgeAnalysis) -> str:
    return "standardised rating" if analysis.standardised else "rating"


def _pairs(analysis: PairwiseKendall, _styles: Mapping[str, Style]) -> go.Figure:
    if len(analysis.judges) <= MAX_IN_MATRIX:
        return kendall_matrix(analysis)
    return kendall_counts(tau_counts(analysis), analysis.mean)


def _pairs_table(analysis: PairwiseKendall) -> Table:
    if len(analysis.judges) <= MAX_IN_MATRIX:
        return judge_pairs_table(analysis)
    return tau_counts_table(tau_counts(analysis))


JUDGES = Exhibit(
    name="judges",
    page="Judges",
    part="Agreement and severity",
    title="Each judge",
    compute=lambda data: data.judges,
    figure=lambda analysis, _: rating_histograms(analysis.by_mean, rating=_rating(analysis)),
    table=lambda analysis: distribution_table(analysis.by_mean),
    needs=("judgments",),
    options=(),
    subject="judges",
    key="judge-ratings",
)

ALPHAS = Exhibit(
    name="alphas",
    page="Judges",
    part="Agreement and severity",
    title="How well judges agree",
    compute=lambda data: data.judges,
    figure=lambda analysis, _: krippendorff_alphas(analysis.alphas, words.ALPHA_BOUNDS),
    table=lambda analysis: alpha_table(analysis.alphas),
    needs=("judgments",),
    options=(),
    subject="judges",
    key="alphas",
)

JUDGE_PAIRS = Exhibit(
    name="judge-pairs",
    page="Judges",
    part="Agreement and severity",
    title="Pairs of judges",
    compute=lambda data: data.judge_pairs,
    figure=_pairs,
    table=_pairs_table,
    needs=("judgments",),
    options=(),
    subject="judges",
    key="judge-pairs",
)

VARIANCE = Exhibit(
    name="variance",
    page="Judges",
    part="Agreement and severity",
    title="Variance of the ratings",
    compute=lambda data: data.judges,
    figure=lambda analysis, _: variance_shares(analysis.variance),
    table=lambda analysis: variance_table(analysis.variance),
    needs=("judgments",),
    options=(),
    subject="judges",
    key="variance",
)

JUDGE_GROUPS = Exhibit(
    name="judge-groups",
    page="Judges",
    part="Agreement and severity",
    title="Groups of judges",
    compute=lambda data: data.judges,
    figure=lambda analysis, _: group_means(analysis.groups, rating=f"mean {_rating(analysis)}"),
    table=lambda analysis: group_means_table(analysis.groups),
    needs=("judgments",),
    options=(),
    subject="judges",
    key="group-means",
)
