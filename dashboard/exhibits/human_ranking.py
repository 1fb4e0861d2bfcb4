"""Systems ranked by judges."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.judges import HumanRanking
from bleu_core.results.human_ranking import human_ranking_table
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

#: Height in pixels of a system's row, and of the axis and margins.
ROW, AROUND = 26, 90


def ranked_means(ranking: HumanRanking, _styles: Mapping[str, Style]) -> go.Figure:
    """Draw each system's mean and interval, best at the top, with a line between tiers."""
    ranks = ranking.ranks
    figure = go.Figure()
    bounded = [row for row, rank in enumerate(ranks) if not math.isnan(rank.interval.low)]
    bare = [row for row, rank in enumerate(ranks) if math.isnan(rank.interval.low)]
    for rows in (bounded, bare):  # separately, as Plotly draws ends of missing intervals
        means = [ranks[row].mean for row in rows]
        intervals = [ranks[row].interval for row in rows] if rows is bounded else None
        figure.add_trace(
            go.Scatter(
                x=means,
                y=[ranks[row].system for row in rows],
                mode="markers",
                marker={"color": theme.COLORS[0], "size": 9},
                error_x=theme.error_bars(means, intervals, theme.COLORS[0]),
                customdata=[_hover(ranking, row) for row in rows],
                hovertemplate="%{customdata}<extra></extra>",
                showlegend=False,
            )
        )
    lines = [row + 0.5 for row, (above, below) in enumerate(pairwise(ranks)) if above.tier != below.tier]
    across = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1}
    dashed = {"line": {"color": theme.INK, "width": 1.5, "dash": "dash"}}
    kind = "mean rating adjusted for judges" if ranking.adjusted else "mean rating"
    return theme.finish(
        figure,
        height=AROUND + ROW * len(ranks),
        showlegend=False,
        shapes=[across | {"y0": y, "y1": y} | dashed for y in lines],
        xaxis={"title": kind},
        yaxis=theme.systems_axis([rank.system for rank in ranks], range=[len(ranks) - 0.5, -0.5], showgrid=False),
    )


def _hover(ranking: HumanRanking, row: int) -> str:
    rank = ranking.ranks[row]
    tier = "" if rank.tier is None else f"<br>tier {rank.tier}"
    return (
        f"{theme.plain(rank.system)}<br>{decimal(rank.mean, 3)}{theme.bounds_text(rank.interval, 3)}<br>"
        f"raw {decimal(rank.raw, 3)}{tier}"
    )


HUMAN_RANKING = Exhibit(
    name="human-ranking",
    page="Judges",
    part="Human ranking",
    title="Systems ranked by judges",
    compute=lambda data: data.human_ranking,
    figure=ranked_means,
    table=human_ranking_table,
    needs=("judgments",),
    options=(),
    subject="judges",
    key="human-ranking",
)
