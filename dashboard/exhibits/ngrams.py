"""N-grams that a system wins or loses against another, overuses or misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.results.ngrams import Ngram, NgramPair, NgramSystem, ngram_tables
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme

#: En space between zero and an n-gram, as leading and trailing blanks are not drawn.
SPACE = "\u2002"

#: Maximum number of bars of each list.
MAX_BARS = 10

#: Height in pixels of a bar, and of axes and legend; maximum number of characters of an n-gram.
ROW, AROUND, MAX_NGRAM_LENGTH = 24, 110, 22

#: Length of the axis relative to the longest bar.
AXIS_SCALE = 1.05


def ngram_effects(result: NgramPair | NgramSystem, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw the n-grams of both lists that have the greatest effects; a bar's customdata is its list and its row there.

    Args:
        result: n-grams won and lost, or overused and missing.
        styles: style of each system.
    """
    lists: list[tuple[str, str, Sequence[Ngram], str]]
    if isinstance(result, NgramPair):
        looks = theme.distinct(styles, (result.baseline, result.system))
        system, baseline = (theme.short(name, 20) for name in (result.system, result.baseline))
        lists = [
            ("won", f"won by {system}", result.surplus, looks[result.system].color),
            ("lost", f"lost to {baseline}", result.deficit, looks[result.baseline].color),
        ]
        title = f"effect on BLEU of {system} (right) and {baseline} (left), points"
    else:
        lists = [
            ("missing", "missing", result.deficit, styles[result.system].color),
            ("overused", "overused", result.surplus, theme.NEUTRAL),
        ]
        title = f"BLEU that {theme.short(result.system, 20)} would gain, points"
    figure = go.Figure()
    ticks: list[str] = []
    for key, name, ngrams, color in lists:
        rows = sorted(range(len(ngrams)), key=lambda row: -abs(ngrams[row].effect))[:MAX_BARS]
        places = [len(ticks) + place for place in range(len(rows))]
        figure.add_trace(
            go.Bar(
                orientation="h",
                name=name,
                x=[ngrams[row].effect for row in rows],
                y=places,
                marker={"color": color},
                customdata=[[key, row] for row in rows],
                text=[
                    f"{theme.plain(ngrams[row].ngram)}<br>{decimal(ngrams[row].effect, 3, signed=True)} points"
                    for row in rows
                ],
                textposition="none",
                hovertemplate="%{text}<extra></extra>",
            )
        )
        ticks += [theme.short(ngrams[row].ngram, MAX_NGRAM_LENGTH) for row in rows]
    sides: dict[str, Any] = {}
    beside = {"ticktext": ticks}
    if isinstance(result, NgramPair):  # each n-gram is on the side of zero without a bar
        beside = {"showticklabels": False}
        effects = [effect for bar in _traces(figure) for effect in bar.x]
        reach = AXIS_SCALE * max(map(abs, effects), default=1.0)
        sides = {"range": [-reach, reach]}
        figure.add_trace(
            go.Scatter(
                x=[0.0] * len(ticks),
                y=list(range(len(ticks))),
                mode="text",
                text=[f"{SPACE}{tick}{SPACE}" for tick in ticks],
                textposition=["middle left" if effect > 0 else "middle right" for effect in effects],
                textfont={"size": theme.TEXT_SIZE},
                cliponaxis=False,
                showlegend=False,
                hoverinfo="skip",
            )
        )
    return theme.finish(
        figure,
        height=AROUND + ROW * len(ticks),
        legend=theme.LEGEND_ABOVE,
        showlegend=True,
        bargap=0.25,
        xaxis={"title": title, "zeroline": True} | sides,
        yaxis={
            "tickmode": "array",
            "tickvals": list(range(len(ticks))),
            "range": [len(ticks) - 0.5, -0.5],
            "showgrid": False,
        }
        | beside,
    )


def _traces(figure: go.Figure) -> Sequence[Any]:
    drawn: Any = figure.data
    return drawn


NGRAMS = Exhibit(
    name="ngrams",
    page="Two systems",
    part="N-grams",
    title="N-grams with the greatest effects",
    compute=lambda data: data.ngrams,
    figure=ngram_effects,
    table=lambda result: ngram_tables([result])[1],
    subject="pair",
    key="ngram-effects",
)
