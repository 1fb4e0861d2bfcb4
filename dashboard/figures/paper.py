"""The figures of Papineni et al. (2002), drawn from any data as the paper draws them: same axes, same order of systems.

BLEU is from 0 to 1 here, as in the paper. What the paper prints is a series of its own, hollow diamonds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from bleu_core.agreement import Agreement
from bleu_core.inference import BlockSizes
from bleu_core.judges import UNITS, Unit
from bleu_core.paper import (
    H2_BY_REFERENCES,
    MONOLINGUAL,
    MONOLINGUAL_DIFFERENCES,
    TABLE_1,
    TABLE_2_DEVIATIONS,
    TABLE_2_MEANS,
    CombinationAgreement,
    GroupDifferences,
    PrecisionOrders,
    ReferenceNumbers,
    SingleReference,
)
from dashboard.figures import theme

HEIGHT = 380

#: What BLEU from 0 to 1 is of points.
UNIT_SCALE = 100

PUBLISHED, PUBLISHED_COLOR = "published (2002)", theme.COLORS[1]
ALL_JUDGES = "all judges"

#: The units of rater differences, each with its colour and marker.
UNIT_STYLES: Mapping[Unit, tuple[str, str]] = {
    unit: (theme.COLORS[i], theme.SYMBOLS[i]) for i, unit in enumerate(UNITS)
}


def paper_precisions(figure: PrecisionOrders, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw precision by order, a bar a system, as Figures 1 and 2."""
    orders = list(range(1, figure.matches.shape[1] + 1))
    bars = [
        go.Bar(
            x=orders,
            y=_or_none(figure.precisions[k].tolist()),
            name=theme.short(name),
            marker={"color": styles[name].color, "pattern": {"shape": styles[name].pattern}},
            customdata=[f"{m:g} of {t:g}" for m, t in zip(figure.matches[k], figure.totals[k], strict=True)],
            hovertemplate=f"{theme.plain(name)}<br>order %{{x}}: %{{y:.3f}} (%{{customdata}})<extra></extra>",
        )
        for k, name in enumerate(figure.systems)
    ]
    return theme.finish(
        go.Figure(bars),
        height=HEIGHT,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "n-gram length", "tickmode": "array", "tickvals": orders},
        yaxis={"title": "precision", "rangemode": "tozero"},
    )


def agreement_by_order(results: Sequence[CombinationAgreement]) -> go.Figure:
    """Draw each group's correlation with BLEU over N, for both means."""
    groups = tuple(dict.fromkeys(r.group for r in results))
    figure = go.Figure()
    for i, group in enumerate(groups):
        for mean, dash in (("geometric", "solid"), ("arithmetic", "dot")):
            of = [
                r for r in results if r.group == group and r.combination.mean == mean and r.combination.weights is None
            ]
            name = f"{_label(group)}, {mean}"
            figure.add_trace(
                go.Scatter(
                    x=[r.combination.max_order for r in of],
                    y=_or_none([r.pearson.coefficient for r in of]),
                    mode="lines+markers",
                    name=theme.short(name),
                    line={"color": theme.COLORS[i % len(theme.COLORS)], "dash": dash, "width": 2},
                    marker={"symbol": theme.SYMBOLS[i % len(theme.SYMBOLS)], "size": 8},
                    hovertemplate=f"{theme.plain(name)}<br>N = %{{x}}: r %{{y:.4f}}<extra></extra>",
                )
            )
    return theme.finish(
        figure,
        height=HEIGHT + 40,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "N, the highest order", "dtick": 1},
        yaxis={"title": "Pearson's r"},
    )


def paper_scores(systems: Sequence[str], values: Sequence[float], *, published: bool) -> go.Figure:
    """Draw Table 1: BLEU (0 to 1) of each system, and what the paper prints beside it."""
    figure = go.Figure(_bars(systems, values))
    if published:
        figure.add_trace(_printed(systems, [TABLE_1.get(name, math.nan) / UNIT_SCALE for name in systems]))
    return _by_system(figure, systems, "BLEU", legend=published)


def paper_blocks(
    systems: Sequence[str], means: Sequence[float], deviations: Sequence[float], *, published: bool
) -> go.Figure:
    """Draw Table 2: mean and standard deviation of BLEU (0 to 1) over blocks."""
    figure = go.Figure(_bars(systems, means, deviations))
    if published:
        printed = _printed(systems, [TABLE_2_MEANS.get(name, math.nan) / UNIT_SCALE for name in systems])
        reach = [TABLE_2_DEVIATIONS.get(name, math.nan) / UNIT_SCALE for name in systems]
        printed.error_y = {"type": "data", "array": _or_none(reach), "color": PUBLISHED_COLOR, "thickness": 1.5}
        figure.add_trace(printed)
    return _by_system(figure, systems, "BLEU: mean ± standard deviation", legend=published)


def paper_block_sizes(found: Sequence[BlockSizes]) -> go.Figure:
    """Draw t of neighbours over the size of block (segments), with the t that is significant at 5 %."""
    figure = go.Figure()
    for i, pair in enumerate(found):
        name = f"{pair.system} and {pair.baseline}"
        color = theme.COLORS[i % len(theme.COLORS)]
        figure.add_trace(
            go.Scatter(
                x=pair.sizes.tolist(),
                y=_or_none([abs(test.t) for test in pair.tests]),
                mode="lines+markers",
                name=theme.short(name),
                line={"color": color, "dash": theme.DASHES[i // len(theme.COLORS) % len(theme.DASHES)]},
                marker={"symbol": theme.SYMBOLS[i % len(theme.SYMBOLS)], "size": 8},
                customdata=pair.blocks.tolist(),
                hovertemplate=(
                    f"{theme.plain(name)}<br>%{{customdata}} blocks of %{{x:.0f}}: t %{{y:.2f}}<extra></extra>"
                ),
            )
        )
    sizes = found[0].sizes.tolist() if found else []
    if found:
        figure.add_trace(
            go.Scatter(
                x=sizes,
                y=found[0].critical_t.tolist(),
                mode="lines",
                name="significant above (5 %, two-sided)",
                line={"color": theme.INK, "dash": "dot"},
                hovertemplate="significant above %{y:.2f}<extra></extra>",
            )
        )
    return theme.finish(
        figure,
        height=HEIGHT + 40,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "segments a block", "type": "log"} | (theme.log_ticks(min(sizes), max(sizes)) if sizes else {}),
        yaxis={"title": "t, without its sign", "rangemode": "tozero"},
    )


def reference_numbers(found: ReferenceNumbers, styles: Mapping[str, theme.Style], *, published: bool) -> go.Figure:
    """Draw BLEU (0 to 1) over the number of references: the mean over all sets of them, and their range."""
    numbers = [n.number for n in found.numbers]
    ticks = sorted({*numbers, *(H2_BY_REFERENCES if published else ())})
    figure = go.Figure()
    for k, name in enumerate(found.systems):
        means, lows, highs = (
            [float(side[k]) / UNIT_SCALE for side in sides]
            for sides in zip(*((n.means, n.lows, n.highs) for n in found.numbers), strict=True)
        )
        style = styles[name]
        figure.add_trace(
            go.Scatter(
                x=numbers,
                y=means,
                mode="lines+markers",
                name=theme.short(name),
                line={"color": style.color, "dash": style.dash},
                marker={"symbol": style.symbol, "size": 9, "color": style.color},
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": [h - m for h, m in zip(highs, means, strict=True)],
                    "arrayminus": [m - low for low, m in zip(lows, means, strict=True)],
                    "color": style.color,
                    "thickness": 1.2,
                    "width": 4,
                },
                hovertemplate=f"{theme.plain(name)}<br>%{{x}} references: %{{y:.4f}}<extra></extra>",
            )
        )
    if published:
        figure.add_trace(
            go.Scatter(
                x=list(H2_BY_REFERENCES),
                y=[value / UNIT_SCALE for value in H2_BY_REFERENCES.values()],
                mode="markers",
                name=f"H2, {PUBLISHED}",
                marker={"symbol": "diamond-open", "size": 14, "color": PUBLISHED_COLOR, "line": {"width": 2}},
                hovertemplate="H2, published<br>%{x} references: %{y:.4f}<extra></extra>",
            )
        )
    return theme.finish(
        figure,
        height=HEIGHT + 40,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "number of references", "tickmode": "array", "tickvals": ticks},
        yaxis={"title": "BLEU", "rangemode": "tozero"},
    )


def paper_single_reference(found: SingleReference, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw each system's BLEU (0 to 1) over the draws of one reference a document, systems from worst to best."""
    figure = go.Figure(
        [
            go.Box(
                x0=name,
                y=found.scores[:, k] / UNIT_SCALE,  # not as a list, which Plotly checks value by value
                name=theme.short(name),
                marker={"color": styles[name].color, "size": 3},
                line={"color": styles[name].color},
                hoverinfo="y",
            )
            for k, name in enumerate(found.systems)
        ]
    )
    return _by_system(figure, found.systems, "BLEU against one reference")


def paper_differences(groups: Sequence[GroupDifferences], units: Sequence[Unit], *, published: bool) -> go.Figure:
    """Draw Figures 3 and 4: mean difference of neighbours and its 95 % interval, a panel a group.

    Args:
        groups: of judges.
        units: what the intervals are over.
        published: whether the paper's values stand beside those of the monolingual group.
    """
    figure = go.Figure()
    share = 1 / max(len(groups), 1)
    axes: dict[str, Any] = {}
    for i, group in enumerate(groups):
        suffix = "" if not i else str(i + 1)
        names = [f"{theme.short(p.better, 14)} −<br>{theme.short(p.worse, 14)}" for p in group.pairs]
        for j, unit in enumerate(units):
            color, symbol = UNIT_STYLES[unit]
            of = [pair.by(unit) for pair in group.pairs]
            shift = (j - (len(units) - 1) / 2) * 0.22
            figure.add_trace(
                go.Scatter(
                    x=[k + shift for k in range(len(of))],
                    y=_or_none([d.mean for d in of]),
                    mode="markers",
                    name=f"by {unit}",
                    legendgroup=unit,
                    showlegend=not i,
                    marker={"color": color, "symbol": symbol, "size": 10},
                    error_y=theme.error_bars([d.mean for d in of], [d.interval for d in of], color),
                    xaxis=f"x{suffix}",
                    yaxis="y",
                    customdata=[d.n for d in of],
                    hovertemplate=f"%{{y:+.3f}}, N = %{{customdata}}<br>by {unit}<extra></extra>",
                )
            )
        if published and group.group == MONOLINGUAL:
            printed = [MONOLINGUAL_DIFFERENCES.get((p.better, p.worse), math.nan) for p in group.pairs]
            figure.add_trace(
                go.Scatter(
                    x=list(range(len(printed))),
                    y=_or_none(printed),
                    mode="markers",
                    name=PUBLISHED,
                    marker={"symbol": "diamond-open", "size": 16, "color": PUBLISHED_COLOR, "line": {"width": 2}},
                    xaxis=f"x{suffix}",
                    hovertemplate="published: %{y:+.3f}<extra></extra>",
                )
            )
        counts = [pair.by(units[0]).n for pair in group.pairs]
        axes[f"xaxis{suffix}"] = {
            "domain": [i * share, (i + 1) * share - (0.04 if i + 1 < len(groups) else 0)],
            "title": {"text": theme.short(_label(group.group)), "font": {"size": theme.TEXT_SIZE}},
            "tickmode": "array",
            "tickvals": list(range(len(names))),
            "ticktext": [f"{name}<br>N = {n}" for name, n in zip(names, counts, strict=True)],
            "tickfont": {"size": theme.TEXT_SIZE - 1},
            "autotickangles": [0, 90],  # aslant, the last ones would reach past the figure
            "ticklabeloverflow": "allow",
            "range": [-0.6, len(names) - 0.4],
            "showgrid": False,
            "zeroline": False,
            "automargin": True,
        }
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y", "y0": 0, "y1": 0}
    figure.add_shape(across, line={"color": theme.INK, "width": 1}, layer="below")
    first = axes.pop("xaxis", {})
    return theme.finish(
        figure,
        height=HEIGHT + 60,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis=first,
        yaxis={"title": "mean difference of ratings", "rangemode": "tozero"},
        **axes,
    )


def paper_agreement_by_reference(found: Mapping[str, Mapping[str, Agreement]]) -> go.Figure:
    """Draw Pearson's r with its 95 % interval by reference.

    Args:
        found: which systems -> the references scored against -> BLEU beside mean ratings.
    """
    figure = go.Figure()
    references = list(dict.fromkeys(reference for of in found.values() for reference in of))
    for i, (who, of) in enumerate(found.items()):
        shift = (i - (len(found) - 1) / 2) * 0.25
        places = [references.index(reference) + shift for reference in of]
        values = [a.pearson.coefficient for a in of.values()]
        bounds = [a.pearson.interval for a in of.values()]
        color = theme.COLORS[i % len(theme.COLORS)]
        figure.add_trace(
            go.Scatter(
                x=places,
                y=_or_none(values),
                mode="markers",
                name=who,
                marker={"color": color, "symbol": theme.SYMBOLS[i], "size": 11},
                error_y=theme.error_bars(values, bounds, color),
                hovertemplate="r %{y:.4f}<extra></extra>",
            )
        )
    figure.add_hline(y=0, line={"color": theme.INK, "width": 1})
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=len(found) > 1,
        legend=theme.LEGEND_ABOVE,
        xaxis={
            "title": "reference",
            "tickmode": "array",
            "tickvals": list(range(len(references))),
            "ticktext": [theme.short(reference, 20) for reference in references],
            "range": [-0.6, len(references) - 0.4],
            "showgrid": False,
        },
        yaxis={"title": "Pearson's r with people"},
    )


def _bars(systems: Sequence[str], values: Sequence[float], deviations: Sequence[float] | None = None) -> go.Bar:
    reach = {"type": "data", "array": _or_none(deviations), "color": theme.INK} if deviations else {"visible": False}
    return go.Bar(
        x=list(systems),
        y=_or_none(values),
        name="computed",
        marker={"color": theme.COLORS[5]},
        error_y=reach,
        hovertemplate="%{x}<br>%{y:.4f}<extra></extra>",
    )


def _printed(systems: Sequence[str], values: Sequence[float]) -> go.Scatter:
    return go.Scatter(
        x=list(systems),
        y=_or_none(values),
        mode="markers",
        name=PUBLISHED,
        marker={"symbol": "diamond-open", "size": 14, "color": PUBLISHED_COLOR, "line": {"width": 2}},
        hovertemplate="published: %{y:.4f}<extra></extra>",
    )


def _by_system(figure: go.Figure, systems: Sequence[str], title: str, *, legend: bool = False) -> go.Figure:
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=legend,
        legend=theme.LEGEND_ABOVE,
        xaxis=theme.systems_axis(systems),
        yaxis={"title": title, "rangemode": "tozero"},
    )


def _or_none(values: Sequence[float] | None) -> list[float | None]:
    """Plotly leaves gaps for None."""
    return [None if value is None or np.isnan(value) else float(value) for value in values or ()]


def _label(group: str | None) -> str:
    return ALL_JUDGES if group is None else group
