"""The difference of two systems in each slice of the text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.inference import Comparison, Comparisons
from bleu_core.results.significance import VERDICTS
from bleu_core.results.slices import slice_pair_table
from bleu_core.results.table import format_p
from dashboard.analysis import SlicedComparison
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Maximum number of slices in a figure, which then fills three screens.
MAX_DRAWN = 60

#: Heights in pixels of a row of few slices and of many, and of axes and margins; maximum number of wide rows.
ROW, NARROW_ROW, AROUND, MAX_WIDE_ROWS = 34, 24, 96, 20


def slice_differences(
    rows: Sequence[tuple[str, Comparisons, Comparison]], style: theme.Style, label: str, unit: str = "points"
) -> go.Figure:
    """Draw the difference of two systems (points) on all segments and on each slice, with its interval.

    A marker is hollow where the difference is not significant. A marker's customdata is its row.

    Args:
        rows: the label of each slice, the comparison of systems on it, and that of the two systems, which are the same
            in all rows; all segments are the first row.
        style: style of the system.
        label: of the metric.
        unit: of its scores.
    """
    (_, _, whole), *_ = rows
    figure = go.Figure()
    if not math.isnan(whole.delta):
        figure.add_vline(x=whole.delta, line={"color": theme.INK, "width": 1, "dash": "dot"})
    figure.add_vline(x=0, line={"color": theme.INK, "width": 1.5})
    figure.add_hline(y=0.5, line={"color": theme.INK, "width": 0.5})
    for first, last, size, symbol in ((0, 1, 13, "diamond"), (1, len(rows), 10, style.symbol)):
        shown = rows[first:last]
        deltas = [pair.delta for _, _, pair in shown]
        figure.add_trace(
            go.Scatter(
                x=[None if math.isnan(delta) else delta for delta in deltas],
                y=list(range(first, last)),
                mode="markers",
                marker={
                    "color": style.color,
                    "size": size,
                    "symbol": [symbol + ("" if result.verdict(pair) else "-open") for _, result, pair in shown],
                    "line": {"width": 1.5, "color": style.color},
                },
                error_x=theme.error_bars(deltas, [pair.interval for _, _, pair in shown], color=style.color),
                customdata=[[n] for n in range(first, last)],
                text=[_hover(name, result, pair, label) for name, result, pair in shown],
                hovertemplate="%{text}<extra></extra>",
            )
        )
    system, baseline = (theme.short(name, 14) for name in (whole.system, whole.baseline))
    names = [f"{theme.short(name, 22)} ({result.segments:,})" for name, result, _ in rows]
    return theme.finish(
        figure,
        height=AROUND + (NARROW_ROW if len(rows) > MAX_WIDE_ROWS else ROW) * len(rows),
        showlegend=False,
        xaxis={"title": f"{system} minus {baseline} ({theme.plain(f'{label} {unit}'.rstrip())})"},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(rows))),
            "ticktext": names,
            "range": [len(rows) - 0.5, -0.5],
            "showgrid": False,
        },
    )


def _hover(name: str, result: Comparisons, pair: Comparison, label: str) -> str:
    delta = "undefined" if math.isnan(pair.delta) else decimal(pair.delta, result.decimals, signed=True)
    return (
        f"{theme.plain(name)} ({result.segments:,} segments)<br>{theme.plain(label)} {delta}"
        f"{theme.bounds_text(pair.interval, result.decimals)}<br>p {theme.plain(format_p(pair.p_value))}, corrected "
        f"{theme.plain(format_p(pair.p_value_adjusted))}<br>{VERDICTS[result.verdict(pair)]}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicedPair:
    """Two systems on the whole text and on its slices.

    Attributes:
        divided: all systems compared with the baseline on the slices.
        system: the system of the pair that is compared with the baseline.
    """

    divided: SlicedComparison
    system: str

    @property
    def drawn(self) -> tuple[int, ...]:
        """The positions of the slices that are drawn, the largest ones."""
        return tuple(self.divided.largest(MAX_DRAWN))


def _figure(pair: SlicedPair, styles: Mapping[str, Style]) -> go.Figure:
    whole, *slices = pair.divided.rows_of(pair.system)
    scored = pair.divided.scored
    rows = [whole, *(slices[n] for n in pair.drawn)]
    return slice_differences(rows, styles[pair.system], scored.label, scored.metric.unit)


SLICES = Exhibit(
    name="slices",
    page="Two systems",
    part="Slices",
    title="Difference in each slice",
    compute=lambda data: SlicedPair(divided=data.divided, system=data.names[0]),
    figure=_figure,
    table=lambda pair: slice_pair_table(pair.divided.comparisons, pair.divided.grouping.by, pair.system),
    needs=("two systems",),
    options=("metric", "pair", "slices", "tests"),
    subject="pair",
    key="slice-differences",
)
