"""Two systems compared: resampling and blocks, the parts of BLEU, and the amount of text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleu_core.fields import Table, decimal
from bleu_core.inference import Blocks, BlockSizes, TextNeeded
from bleu_core.results.decomposition import decomposition_table
from bleu_core.results.significance import (
    block_sizes_table,
    deltas_table,
    extrapolated_sizes,
    pair_blocks_table,
    text_needed_table,
)
from bleu_core.results.table import format_p
from bleu_core.scoring import Decomposition, ScoredCorpus
from dashboard.analysis import PairTests
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Heights in pixels.
HEIGHT, TERMS_HEIGHT = 420, 300

BINS = 60


def difference_terms(decomposition: Decomposition, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw the terms as a waterfall, from 0 to the difference, coloured by the system that each term favours.

    Args:
        decomposition: the terms.
        styles: style of each system.
    """
    system, baseline = (theme.short(name, 14) for name in (decomposition.system, decomposition.baseline))
    looks = theme.distinct(styles, (decomposition.baseline, decomposition.system))
    orders = [f"precision {n}" for n in range(1, len(decomposition.precisions) + 1)]
    figure = go.Figure(
        go.Waterfall(
            x=[*orders, "brevity", "difference"],
            y=[*decomposition.terms.tolist(), decomposition.delta],
            measure=["relative"] * len(decomposition.terms) + ["total"],
            increasing={"marker": {"color": looks[decomposition.system].color}},
            decreasing={"marker": {"color": looks[decomposition.baseline].color}},
            totals={"marker": {"color": theme.INK}},
            connector={"mode": "spanning", "line": {"color": theme.INK, "width": 1}},
            customdata=[
                decimal(points, signed=True) for points in (*decomposition.terms.tolist(), decomposition.delta)
            ],
            hovertemplate="%{x}: %{customdata} points<extra></extra>",
        )
    )
    return theme.finish(
        figure,
        height=TERMS_HEIGHT,
        showlegend=False,
        xaxis={"showgrid": False},
        yaxis={
            "title": f"{system} minus {baseline} (points)",
            "zeroline": True,
        },
    )


def drawn_deltas(
    deltas: Mapping[str, Sequence[float]], observed: float, label: str, unit: str = "points", *, decimals: int = 2
) -> go.Figure:
    """Draw the distribution of resampled differences (points), with marks at zero and at the observed one."""
    marked = f"observed, {decimal(observed, decimals, signed=True)}"
    every = [value for values in deltas.values() for value in values] + [observed, 0.0]
    edges = np.linspace(min(every), max(every) + 1e-9, BINS + 1)
    figure = go.Figure()
    max_share = 0.0
    for i, (name, values) in enumerate(deltas.items(), start=2):  # the first two colours are those of the systems
        counts, _ = np.histogram(values, edges)
        shares = counts / max(len(values), 1)
        max_share = max(max_share, float(shares.max()))
        figure.add_trace(
            go.Bar(
                x=((edges[:-1] + edges[1:]) / 2).tolist(),
                y=shares.tolist(),
                width=float(edges[1] - edges[0]),
                name=name,
                marker={"color": theme.COLORS[i], "opacity": 0.65, "line": {"width": 0}},
                hovertemplate=f"{name}<br>about %{{x:.{decimals}f}}: %{{y:.1%}}<extra></extra>",
            )
        )
    for x, name, dash in ((0.0, "zero", "dot"), (observed, marked, "dash")):
        line = {"color": theme.INK, "width": 2, "dash": dash}
        figure.add_trace(
            go.Scatter(x=[x, x], y=[0, max_share * 1.05], mode="lines", name=name, line=line, hoverinfo="skip")
        )
    return theme.finish(
        figure,
        height=HEIGHT,
        barmode="overlay",
        bargap=0,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": f"difference ({theme.label_and_unit(label, unit)})"},
        yaxis={"title": "share of resamples", "tickformat": ".0%", "rangemode": "tozero"},
    )


def block_differences(
    scores: Sequence[Sequence[float]],
    blocks: Blocks,
    names: tuple[str, str],
    styles: Mapping[str, theme.Style],
    *,
    unit: str = "points",
    decimals: int = 2,
    higher_is_better: bool = True,
) -> go.Figure:
    """Draw the system's score minus the baseline's on each block, and on average, coloured by the better of the two.

    The last part of a bar's customdata is the block.

    Args:
        scores: of the baseline and of the system, on each block.
        blocks: the division.
        names: of the baseline and of the system.
        styles: style of each system.
        unit: of the scores.
        decimals: of the differences.
        higher_is_better: of the metric.
    """
    looks = theme.distinct(styles, names)
    deltas = [system - baseline for baseline, system in zip(*scores, strict=True)]
    mean = sum(deltas) / len(deltas)
    shown = [decimal(delta, decimals, signed=True) for delta in deltas]
    in_unit = f" ({theme.plain(unit)})" if unit else ""
    figure = go.Figure(
        go.Bar(
            x=list(range(1, len(deltas) + 1)),
            y=deltas,
            showlegend=False,
            marker={"color": [looks[names[delta >= 0 if higher_is_better else delta < 0]].color for delta in deltas]},
            customdata=[
                (f"{blocks.unit} {theme.plain(name)} ({size} segments)<br>difference {delta}", b)
                for b, (name, size, delta) in enumerate(zip(blocks.names, blocks.sizes, shown, strict=True))
            ],
            hovertemplate="%{customdata[0]}<extra></extra>",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[0.5, len(deltas) + 0.5],
            y=[mean, mean],
            mode="lines",
            name=f"mean, {decimal(mean, decimals, signed=True)}",
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
    """Draw the width of the difference's interval (points) over the number of segments, extrapolated."""
    beyond, width = extrapolated_sizes(needed), f"%{{y:.{needed.decimals}f}}"
    figure = go.Figure(
        [
            go.Scatter(
                x=needed.sizes.tolist(),
                y=needed.widths.tolist(),
                mode="lines+markers",
                name="resampled from this text",
                line={"color": theme.COLORS[0]},
                marker={"size": 8},
                hovertemplate=f"%{{x:,}} segments<br>width {width}<extra></extra>",
            ),
            go.Scatter(
                x=beyond.tolist(),
                y=needed.width_at(beyond).tolist(),
                mode="lines",
                name="extrapolated",
                line={"color": theme.COLORS[0], "dash": "dash"},
                hovertemplate=f"%{{x:,.0f}} segments<br>width {width}, extrapolated<extra></extra>",
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
                hovertemplate=f"twice the observed difference: {width}<extra></extra>",
            )
        )
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "segments", "type": "log"} | theme.log_ticks(float(needed.sizes[0]), float(beyond[-1])),
        yaxis={"title": f"width of the 95% interval ({theme.label_and_unit(label, unit)})", "rangemode": "tozero"},
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


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedPair:
    """Two systems under three tests.

    Attributes:
        tests: of the two systems.
        scored: systems under the metric.
        names: the baseline and the system.
    """

    tests: PairTests
    scored: ScoredCorpus
    names: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnoughText:
    """The amount of text that shows the difference of two systems.

    Attributes:
        needed: the width of the interval by the number of segments.
        sizes: the paired t by the size of blocks.
        scored: systems under the metric.
    """

    needed: TextNeeded
    sizes: BlockSizes
    scored: ScoredCorpus


def _tested(data: Data) -> TestedPair:
    return TestedPair(tests=data.tests, scored=data.scored, names=(data.names[1], data.names[0]))


def _enough(data: Data) -> EnoughText:
    needed, sizes = data.text_needed
    return EnoughText(needed=needed, sizes=sizes, scored=data.scored)


def _deltas(pair: TestedPair, _styles: Mapping[str, Style]) -> go.Figure:
    observed = pair.tests.tests[0].pairs[0].delta
    metric = pair.scored.metric
    return drawn_deltas(pair.tests.deltas, observed, metric.label, metric.unit, decimals=metric.decimals)


def _block_differences(pair: TestedPair, styles: Mapping[str, Style]) -> go.Figure:
    metric = pair.scored.metric
    return block_differences(
        pair.tests.block_scores,
        pair.tests.blocks,
        pair.names,
        styles,
        unit=metric.unit,
        decimals=metric.decimals,
        higher_is_better=metric.higher_is_better,
    )


def _blocks_table(pair: TestedPair) -> Table:
    table = pair_blocks_table(pair.names, pair.tests.blocks, pair.tests.block_scores)
    return table.with_decimals(pair.scored.metric.decimals)


RESAMPLED = Exhibit(
    name="resampled",
    page="Two systems",
    part="Difference",
    title="Resampled differences",
    compute=_tested,
    figure=_deltas,
    table=lambda pair: deltas_table(pair.tests.deltas).with_decimals(pair.scored.metric.decimals),
    needs=("two systems",),
    options=("metric", "pair", "tests"),
    subject="pair",
    key="deltas",
)

BLOCK_DIFFERENCES = Exhibit(
    name="block-differences",
    page="Two systems",
    part="Difference",
    title="Difference by block or document",
    compute=_tested,
    figure=_block_differences,
    table=_blocks_table,
    needs=("two systems",),
    options=("metric", "pair", "tests"),
    subject="pair",
    key="block-differences",
)

CAUSES = Exhibit(
    name="causes",
    page="Two systems",
    part="Difference",
    title="Why the scores differ",
    compute=lambda data: data.decomposition,
    figure=difference_terms,
    table=decomposition_table,
    needs=("two systems",),
    options=("metric", "pair"),
    subject="pair",
    key="causes",
)

INTERVAL_WIDTH = Exhibit(
    name="interval-width",
    page="Two systems",
    part="How much text",
    title="Width of the confidence interval",
    compute=_enough,
    figure=lambda pair, _: interval_widths(pair.needed, pair.scored.label, pair.scored.metric.unit),
    table=lambda pair: text_needed_table(pair.needed),
    needs=("two systems",),
    options=("metric", "pair", "tests"),
    subject="pair",
    key="widths",
)

BLOCK_SIZES = Exhibit(
    name="block-sizes",
    page="Two systems",
    part="How much text",
    title="Paired t by block size",
    compute=_enough,
    figure=lambda pair, _: t_over_block_size(pair.sizes),
    table=lambda pair: block_sizes_table(pair.sizes),
    needs=("two systems",),
    options=("metric", "pair", "tests"),
    subject="pair",
    key="block-sizes",
)
