"""The systems ranked with each reference."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from bleu_core.agreement import ReferenceRankings
from bleu_core.fields import decimal
from bleu_core.results.reference_rankings import advantages_table, reference_scores_table, reference_title
from bleu_core.results.table import format_p
from dashboard.exhibits.declaration import Exhibit, Need
from dashboard.plots import theme

#: Height in pixels of a row, and of the axes and margins.
ROW, AROUND = 30, 100

#: Maximum number of characters of a name; minimum distance of names at the ends of lines, in ranks.
MAX_NAME_LENGTH, NAME_GAP = 16, 0.8


def rank_lines(result: ReferenceRankings, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw a line for each system through its ranks with each reference and with all together, named at both ends.

    Args:
        result: the rankings.
        styles: style of each system.
    """
    rankings = (*result.rankings, result.together)
    columns, label = list(range(len(rankings))), theme.plain(result.together.scored.label)
    decimals = result.together.scored.metric.decimals
    left, right = (
        theme.spread([float(rank) for rank in ranking.ranks], NAME_GAP) for ranking in (rankings[0], rankings[-1])
    )
    names = [_named(system, styles[system]) for system in result.systems]
    figure = go.Figure()
    drawn = sorted(range(len(result.systems)), key=lambda k: not styles[result.systems[k]].muted)  # muted ones behind
    for k in drawn:
        system = result.systems[k]
        style = styles[system]
        figure.add_trace(
            go.Scatter(
                x=columns,
                y=[ranking.ranks[k] for ranking in rankings],
                mode="lines+markers",
                legendgroup=str(k),
                line={"color": style.color, "width": 1 if style.muted else 3},
                marker={"color": style.color, "symbol": style.symbol, "size": 6 if style.muted else 10},
                text=[
                    f"{theme.plain(system)} with {theme.plain(reference_title(ranking.reference))}<br>"
                    f"rank {ranking.ranks[k]}, {label} {decimal(ranking.scores[k], decimals)}"
                    for ranking in rankings
                ],
                customdata=[[k]] * len(rankings),
                hovertemplate="%{text}<extra></extra>",
            )
        )
    name_length = max(min(len(system), MAX_NAME_LENGTH) for system in result.systems)
    return theme.finish(
        figure,
        height=AROUND + ROW * len(result.systems),
        right=theme.CHARACTER_WIDTH * (name_length + len("13 ■ ")) + 16,
        showlegend=False,
        meta=theme.ISOLATED,
        # All at once: each call of add_annotation checks those before it, which takes seconds for many systems.
        annotations=[
            {
                "name": str(k),
                "x": columns[-1],
                "y": right[k],
                "text": f"{result.together.ranks[k]} {names[k]}",
                "showarrow": False,
                "xanchor": "left",
                "xshift": 10,
                "font": {"size": theme.TEXT_SIZE},
            }
            for k in drawn
        ],
        xaxis={
            "tickmode": "array",
            "tickvals": columns,
            "ticktext": [theme.short(reference_title(ranking.reference), MAX_NAME_LENGTH) for ranking in rankings],
            "range": [-0.08, len(rankings) - 0.95],
            "showgrid": True,
        },
        yaxis={
            "title": "rank",
            "range": [len(result.systems) + 0.5, 0.5],
            "tickmode": "array",
            "tickvals": left,
            "ticktext": [f"{name} {rank}" for name, rank in zip(names, rankings[0].ranks, strict=True)],
            "showgrid": False,
        },
    )


def _named(system: str, style: theme.Style) -> str:
    """Return a system's name at the end of its line, with the line's colour unless the system is muted."""
    name = theme.short(system, MAX_NAME_LENGTH)
    return name if style.muted else f'<span style="color:{style.color}">■</span> {name}'


def reference_advantages(rankings: ReferenceRankings) -> go.Figure:
    """Draw how much each reference favours each system, as a grid; insignificant values are in parentheses.

    Args:
        rankings: the rankings.
    """
    order, metric = rankings.together.order, rankings.together.scored.metric
    unit, decimals = metric.unit, metric.decimals
    shape = (len(rankings.systems), len(rankings.references))
    cells = [rankings.advantages[k * shape[1] : (k + 1) * shape[1]] for k in order]
    values = np.array([[advantage.points for advantage in row] for row in cells])
    reach = max(float(np.abs(values).max()), 0.01)
    text = [
        [
            shown if rankings.is_significant(advantage) else f"({shown})"
            for advantage in row
            for shown in [decimal(advantage.points, decimals, signed=True)]
        ]
        for row in cells
    ]
    hover = [
        [
            f"{theme.plain(advantage.system)} with {theme.plain(advantage.reference)}<br>"
            f"{decimal(advantage.points, decimals, signed=True)}{theme.bounds_text(advantage.interval, decimals)}<br>"
            f"corrected p {theme.plain(format_p(advantage.p_value_adjusted))}"
            for advantage in row
        ]
        for row in cells
    ]
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(range(shape[1])),
            y=list(range(shape[0])),
            zmin=-reach,
            zmax=reach,
            colorscale=theme.DIVERGING,
            colorbar=theme.bar_above(f"advantage{f', {theme.plain(unit)}' if unit else ''}"),
            xgap=2,
            ygap=2,
            text=text,
            texttemplate="%{text}",
            customdata=hover,
            hovertemplate="%{customdata}<extra></extra>",
        )
    )
    ticks = {"tickmode": "array", "showgrid": False}
    return theme.finish(
        figure,
        height=AROUND + ROW * shape[0],
        showlegend=False,
        xaxis={
            **ticks,
            "tickvals": list(range(shape[1])),
            "ticktext": [theme.short(name, MAX_NAME_LENGTH) for name in rankings.references],
        },
        yaxis={
            **ticks,
            "tickvals": list(range(shape[0])),
            "ticktext": [theme.short(rankings.systems[k], MAX_NAME_LENGTH) for k in order],
            "range": [shape[0] - 0.5, -0.5],
        },
    )


def _favoured(rankings: ReferenceRankings) -> list[str]:
    """Return the system that a reference favours most, if any is favoured."""
    return [advantage.system for advantage in rankings.favoured[:1]]


_NEEDS: tuple[Need, ...] = ("two systems", "two references")

REFERENCE_RANKS = Exhibit(
    name="reference-ranks",
    page="Ranking",
    part="By reference",
    title="Ranks with each reference",
    compute=lambda data: data.reference_rankings,
    figure=rank_lines,
    table=reference_scores_table,
    named=lambda result: [*(name for ranking in result.rankings for name in ranking.leaders), *_favoured(result)],
    needs=_NEEDS,
    options=("metric", "tests", "ratings"),
    key="reference-ranks",
)

REFERENCE_ADVANTAGES = Exhibit(
    name="reference-advantages",
    page="Ranking",
    part="By reference",
    title="Systems that a reference favours",
    compute=lambda data: data.reference_rankings,
    figure=lambda rankings, _: reference_advantages(rankings),
    table=advantages_table,
    needs=_NEEDS,
    options=("metric", "tests", "ratings"),
    key="reference-advantages",
)
