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

#: Pixels: of a row, and of what is around the rows.
ROW, AROUND = 30, 100

#: Characters of a name; how far names at the ends of lines are apart, in ranks.
MAX_NAME_LENGTH, APART = 16, 0.8


def rank_lines(found: ReferenceRankings, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw a line for each system through its ranks with each reference and with all together, named at both ends.

    Args:
        found: the rankings.
        styles: how each system is drawn.
    """
    rankings = (*found.rankings, found.together)
    columns, label = list(range(len(rankings))), theme.plain(found.together.scored.label)
    left, right = (theme.spread([float(rank) for rank in one.ranks], APART) for one in (rankings[0], rankings[-1]))
    names = [_named(system, styles[system]) for system in found.systems]
    figure = go.Figure()
    for k in sorted(range(len(found.systems)), key=lambda k: not styles[found.systems[k]].muted):  # others lie behind
        system = found.systems[k]
        style = styles[system]
        figure.add_trace(
            go.Scatter(
                x=columns,
                y=[one.ranks[k] for one in rankings],
                mode="lines+markers",
                legendgroup=str(k),
                line={"color": style.color, "width": 1 if style.muted else 3},
                marker={"color": style.color, "symbol": style.symbol, "size": 6 if style.muted else 10},
                text=[
                    f"{theme.plain(system)} with {theme.plain(reference_title(one.reference))}<br>rank {one.ranks[k]}, "
                    f"{label} {decimal(one.scores[k])}"
                    for one in rankings
                ],
                customdata=[[k]] * len(rankings),
                hovertemplate="%{text}<extra></extra>",
            )
        )
        figure.add_annotation(
            name=str(k),
            x=columns[-1],
            y=right[k],
            text=f"{found.together.ranks[k]} {names[k]}",
            showarrow=False,
            xanchor="left",
            xshift=10,
            font={"size": theme.TEXT_SIZE},
        )
    longest = max(min(len(system), MAX_NAME_LENGTH) for system in found.systems)
    return theme.finish(
        figure,
        height=AROUND + ROW * len(found.systems),
        right=theme.CHARACTER_WIDTH * (longest + len("13 ■ ")) + 16,
        showlegend=False,
        meta=theme.ISOLATED,
        xaxis={
            "tickmode": "array",
            "tickvals": columns,
            "ticktext": [theme.short(reference_title(one.reference), MAX_NAME_LENGTH) for one in rankings],
            "range": [-0.08, len(rankings) - 0.95],
            "showgrid": True,
        },
        yaxis={
            "title": "rank",
            "range": [len(found.systems) + 0.5, 0.5],
            "tickmode": "array",
            "tickvals": left,
            "ticktext": [f"{name} {rank}" for name, rank in zip(names, rankings[0].ranks, strict=True)],
            "showgrid": False,
        },
    )


def _named(system: str, style: theme.Style) -> str:
    """A system's name at the end of its line, with the line's colour if it has one of its own."""
    name = theme.short(system, MAX_NAME_LENGTH)
    return name if style.muted else f'<span style="color:{style.color}">■</span> {name}'


def reference_advantages(found: ReferenceRankings) -> go.Figure:
    """Draw by how much each reference favours each system, as a grid; what is not significant is in parentheses.

    Args:
        found: the rankings.
    """
    order, unit = found.together.order, found.together.scored.metric.unit
    shape = (len(found.systems), len(found.references))
    cells = [found.advantages[k * shape[1] : (k + 1) * shape[1]] for k in order]
    values = np.array([[one.points for one in row] for row in cells])
    reach = max(float(np.abs(values).max()), 0.01)
    text = [
        [
            shown if found.is_significant(one) else f"({shown})"
            for one in row
            for shown in [decimal(one.points, signed=True)]
        ]
        for row in cells
    ]
    hover = [
        [
            f"{theme.plain(one.system)} with {theme.plain(one.reference)}<br>{decimal(one.points, signed=True)}"
            f"{theme.bounds_text(one.interval)}<br>corrected p {theme.plain(format_p(one.p_value_adjusted))}"
            for one in row
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
            "ticktext": [theme.short(name, MAX_NAME_LENGTH) for name in found.references],
        },
        yaxis={
            **ticks,
            "tickvals": list(range(shape[0])),
            "ticktext": [theme.short(found.systems[k], MAX_NAME_LENGTH) for k in order],
            "range": [shape[0] - 0.5, -0.5],
        },
    )


def _favoured(found: ReferenceRankings) -> list[str]:
    """The system that a reference favours most, if any is favoured."""
    return [one.system for one in found.favoured[:1]]


_NEEDS: tuple[Need, ...] = ("two systems", "two references")

REFERENCE_RANKS = Exhibit(
    name="reference-ranks",
    page="Ranking",
    part="By reference",
    title="Ranks with each reference",
    compute=lambda data: data.reference_rankings,
    figure=rank_lines,
    table=reference_scores_table,
    named=lambda found: [*(name for one in found.rankings for name in one.leaders), *_favoured(found)],
    needs=_NEEDS,
    key="reference-ranks",
)

REFERENCE_ADVANTAGES = Exhibit(
    name="reference-advantages",
    page="Ranking",
    part="By reference",
    title="Systems that a reference favours",
    compute=lambda data: data.reference_rankings,
    figure=lambda found, _: reference_advantages(found),
    table=advantages_table,
    needs=_NEEDS,
    key="reference-advantages",
)
