"""N-grams that a system wins or loses against another, overuses or misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.results.ngrams import NgramPair, NgramSystem, ngram_tables
from bleu_core.segments import NgramDifference
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bars:
    """A list of n-grams and how it is drawn.

    Attributes:
        key: of the list, which the customdata of its bars name.
        name: for the legend.
        ngrams: the list.
        color: of its bars.
    """

    key: str
    name: str
    ngrams: Sequence[NgramDifference]
    color: str

    @property
    def rows(self) -> list[int]:
        """The positions of the n-grams with the greatest effects."""
        return sorted(range(len(self.ngrams)), key=lambda row: -abs(self.ngrams[row].effect))[:MAX_BARS]

    def trace(self, first: int) -> go.Bar:
        """Return the bars from a place on."""
        shown = [self.ngrams[row] for row in self.rows]
        return go.Bar(
            orientation="h",
            name=self.name,
            x=[ngram.effect for ngram in shown],
            y=[first + place for place in range(len(shown))],
            marker={"color": self.color},
            customdata=[[self.key, row] for row in self.rows],
            text=[f"{theme.plain(n.ngram)}<br>{decimal(n.effect, 3, signed=True)} points" for n in shown],
            textposition="none",
            hovertemplate="%{text}<extra></extra>",
        )


def ngram_effects(result: NgramPair | NgramSystem, styles: Mapping[str, theme.Style]) -> go.Figure:
    """Draw the n-grams of both lists that have the greatest effects; a bar's customdata is its list and its row there.

    Args:
        result: n-grams won and lost, or overused and missing.
        styles: style of each system.
    """
    if isinstance(result, NgramPair):
        lists, title = _won_and_lost(result, styles)
    else:
        lists = (
            _Bars(key="missing", name="missing", ngrams=result.deficit, color=styles[result.system].color),
            _Bars(key="overused", name="overused", ngrams=result.surplus, color=theme.NEUTRAL),
        )
        title = f"BLEU that {theme.short(result.system, 20)} would gain, points"
    figure = go.Figure()
    ticks: list[str] = []
    for bars in lists:
        figure.add_trace(bars.trace(len(ticks)))
        ticks += [theme.short(bars.ngrams[row].ngram, MAX_NGRAM_LENGTH) for row in bars.rows]
    xaxis: dict[str, Any] = {"title": title, "zeroline": True}
    yaxis: dict[str, Any] = {
        "tickmode": "array",
        "tickvals": list(range(len(ticks))),
        "range": [len(ticks) - 0.5, -0.5],
        "showgrid": False,
    }
    if isinstance(result, NgramPair):  # each n-gram is on the side of zero without a bar
        effects = [effect for bar in _traces(figure) for effect in bar.x]
        reach = AXIS_SCALE * max(map(abs, effects), default=1.0)
        xaxis["range"], yaxis["showticklabels"] = [-reach, reach], False
        figure.add_trace(_names(ticks, effects))
    else:
        yaxis["ticktext"] = ticks
    return theme.finish(
        figure,
        height=AROUND + ROW * len(ticks),
        legend=theme.LEGEND_ABOVE,
        showlegend=True,
        bargap=0.25,
        xaxis=xaxis,
        yaxis=yaxis,
    )


def _won_and_lost(result: NgramPair, styles: Mapping[str, theme.Style]) -> tuple[tuple[_Bars, _Bars], str]:
    """Return the lists of two systems, and the title of the axis."""
    looks = theme.distinct(styles, (result.baseline, result.system))
    system, baseline = (theme.short(name, 20) for name in (result.system, result.baseline))
    return (
        _Bars(key="won", name=f"won by {system}", ngrams=result.surplus, color=looks[result.system].color),
        _Bars(key="lost", name=f"lost to {baseline}", ngrams=result.deficit, color=looks[result.baseline].color),
    ), f"effect on BLEU of {system} (right) and {baseline} (left), points"


def _names(ticks: Sequence[str], effects: Sequence[float]) -> go.Scatter:
    """Return the n-grams, each on the side of zero without a bar."""
    return go.Scatter(
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
    options=("metric", "pair"),
    subject="pair",
    key="ngram-effects",
)
