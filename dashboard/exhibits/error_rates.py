"""Errors per 1,000 tokens of two systems, by severity, category or place."""

from __future__ import annotations

import math
from collections.abc import Mapping

import plotly.graph_objects as go

from bleu_core.error_spans import ErrorDifference
from bleu_core.fields import decimal
from bleu_core.results.error_spans import error_differences_table
from bleu_core.results.table import format_p
from dashboard.analysis import ErrorPair
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Maximum number of rows in the figure; the table has all.
MAX_DRAWN = 30

#: Height in pixels of a row with two bars, and of axes, legend and margins.
ROW, AROUND = 44, 120


def rates_by_kind(pair: ErrorPair, styles: Mapping[str, Style]) -> go.Figure:
    """Draw the rates of two systems as bars, a row for each kind of errors, all errors first.

    A bar's customdata is the position of its row in the differences.

    Args:
        pair: the errors of two systems.
        styles: style of each system.
    """
    differences = pair.differences
    rows = differences.rows[:MAX_DRAWN]
    distinct = theme.distinct(styles, (differences.system, differences.baseline))
    figure = go.Figure()
    for name, of_system in ((differences.system, True), (differences.baseline, False)):
        figure.add_trace(
            go.Bar(
                x=[row.rate if of_system else row.baseline_rate for row in rows],
                y=list(range(len(rows))),
                orientation="h",
                name=theme.short(name),
                marker={
                    "color": distinct[name].color,
                    "pattern": {
                        "shape": "" if of_system else "/",
                        "fillmode": "overlay",
                        "fgcolor": "white",
                        "size": 6,
                    },
                },
                customdata=[[n] for n in range(len(rows))],
                text=[_hover(row, differences.system, differences.baseline) for row in rows],
                textposition="none",
                hovertemplate="%{text}<extra></extra>",
            )
        )
    return theme.finish(
        figure,
        height=AROUND + ROW * len(rows),
        barmode="group",
        bargap=0.25,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis={"title": "errors per 1,000 tokens", "rangemode": "tozero"},
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(rows))),
            "ticktext": [_label(row) for row in rows],
            "range": [len(rows) - 0.5, -0.5],
            "showgrid": False,
        },
    )


def _label(row: ErrorDifference) -> str:
    name = theme.short(row.name, 30)
    return f"{name} (group)" if row.part == "group" else name


def _hover(row: ErrorDifference, system: str, baseline: str) -> str:
    rates = f"{theme.plain(system)} {decimal(row.rate)}, {theme.plain(baseline)} {decimal(row.baseline_rate)}"
    difference = f"difference {decimal(row.delta, signed=True)}{theme.bounds_text(row.interval)}"
    lines = [theme.plain(row.name), f"{rates} per 1,000 tokens", difference]
    if not math.isnan(row.p_value_adjusted):
        lines.append(f"corrected p {theme.plain(format_p(row.p_value_adjusted))}")
    return "<br>".join(lines)


ERROR_RATES = Exhibit(
    name="error-rates",
    page="Two systems",
    part="Errors",
    title="Errors per 1,000 tokens of two systems",
    compute=lambda data: data.error_pair,
    figure=rates_by_kind,
    table=lambda pair: error_differences_table(pair.differences),
    needs=("two systems", "judgments", "marked errors"),
    options=("metric", "pair"),
    subject="pair",
    key="error-rates",
)
