"""All pairs of systems compared, and all systems compared with a baseline."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import plotly.graph_objects as go

from bleu_core.fields import decimal
from bleu_core.inference import Comparison, Comparisons, Interval, systems_beaten
from bleu_core.results.significance import VERDICTS, comparison_table, grid_table, is_large, tier_table
from bleu_core.results.table import format_cell, format_p
from bleu_core.scoring import ScoredCorpus
from dashboard import analysis
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

HEIGHT = 420


#: Heights in pixels of a row of the grid and of the tiers, and of names and axes.
GRID_ROW, TIER_ROW, AROUND = 38, 34, 120


#: Heights in pixels of the ranking: minimum, minimum of a row, and axis.
MIN_HEIGHT, MIN_ROW, AROUND_RANKING = 270, 22, 76

#: Background of the rows of leading systems; on light and dark pages.
LEADING = "rgba(47, 147, 214, 0.14)"


#: Smallest p that is written in a cell; smaller ones are in the hover text and in the table.
MIN_P_IN_CELL = 0.001

#: Colours of worse, not significant and better, on all of which white text is readable.
VERDICT_COLORS = {-1: "#B34A00", 0: theme.UNDER_TEXT, 1: "#0072B2"}


def comparison_grid(result: Comparisons, label: str, *, tested: bool = True) -> go.Figure:
    """Draw every system against every other, best first.

    Above the diagonal row minus column in points, below it the corrected p; the colour says whether the row is
    significantly better or worse than the column. The customdata of a cell ends with
    the places of both systems in the ranking, from 0.

    Args:
        result: all pairs.
        label: of the metric.
        tested: whether differences are tested; if not, all cells have one colour.
    """
    order = result.ranked
    verdicts: list[list[int | None]] = []
    cells: list[list[str]] = []
    hover: list[list[str]] = []
    for i, row in enumerate(order):
        pairs = [result.between(row, column) for column in order]
        verdicts.append([None if pair is None else result.verdict(pair) if tested else 0 for pair in pairs])
        cells.append(
            ["" if pair is None else _cell(pair, result.decimals, above=j > i) for j, pair in enumerate(pairs)]
        )
        hover.append(["" if pair is None else _grid_hover(result, pair, label) for pair in pairs])
    places = list(range(len(order)))
    figure = go.Figure(
        go.Heatmap(
            x=places,
            y=places,
            z=verdicts,
            zmin=-1,
            zmax=1,
            colorscale=[[0.0, VERDICT_COLORS[-1]], [0.5, VERDICT_COLORS[0]], [1.0, VERDICT_COLORS[1]]],
            showscale=False,
            text=cells,
            texttemplate="%{text}",
            textfont={"color": "white"},  # no size: Plotly omits text that does not fit
            hoverinfo="skip",
            xgap=2,
            ygap=2,
        )
    )
    figure.add_trace(_unseen_cells(hover))
    names = [theme.short(name, 16) for name in order]
    axis = {"tickmode": "array", "tickvals": places, "ticktext": names, "showgrid": False}
    for verdict, text in ((1, "row better"), (-1, "row worse"), (0, "not significant")):
        marker = {"color": VERDICT_COLORS[verdict], "symbol": "square", "size": 11}
        figure.add_trace(go.Scatter(x=[None], y=[None], mode="markers", name=text, marker=marker))
    return theme.finish(
        figure,
        height=AROUND + GRID_ROW * len(order),
        showlegend=tested,
        legend=theme.LEGEND_ABOVE,
        xaxis=axis | {"autotickangles": [0, 45, 90], "ticklabeloverflow": "allow", "range": [-0.5, len(order) - 0.5]},
        yaxis=axis | {"range": [len(order) - 0.5, -0.5]},
    )


def _unseen_cells(hover: Sequence[Sequence[str]]) -> go.Scatter:
    """Return invisible markers over the cells of the grid, since heat maps do not respond to clicks."""
    cells = [(i, j) for i, row in enumerate(hover) for j, text in enumerate(row) if text]
    return go.Scatter(
        x=[j for _, j in cells],
        y=[i for i, _ in cells],
        mode="markers",
        showlegend=False,
        marker={"symbol": "square", "size": GRID_ROW, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        customdata=[(hover[i][j], i, j) for i, j in cells],
        hovertemplate="%{customdata[0]}<extra></extra>",
    )


def tier_lines(
    result: Comparisons,
    parts: Sequence[Sequence[str]],
    intervals: Mapping[str, Interval],
    styles: Mapping[str, theme.Style],
    label: str,
    *,
    unit: str = "points",
    beaten: Mapping[str, int] | None = None,
) -> go.Figure:
    """Draw each system's score and interval, best at the top, with a line between tiers.

    A point's customdata is the system, from 0. A large family, which has no grid, has lower rows with scores and wins
    at their right.

    Args:
        result: of all pairs, or against a baseline.
        parts: the tiers, best first; one part where there are none.
        intervals: of the scores; may be empty.
        styles: style of each system.
        label: of the metric.
        unit: of its scores.
        beaten: how many others each system is significantly better than, written below its name; None to omit.
    """
    order = [name for part in parts for name in part]
    large = is_large(result)
    score = dict(zip(result.systems, result.scores.tolist(), strict=True))
    figure = go.Figure()
    for name in order:
        bounds = intervals.get(name)
        figure.add_trace(
            go.Scatter(
                x=[score[name]],
                y=[name],
                customdata=[[result.systems.index(name)]],
                mode="markers",
                name=theme.short(name),
                marker={"color": styles[name].color, "symbol": styles[name].symbol, "size": 10},
                error_x=theme.error_bars([score[name]], [bounds] if bounds else None, color=styles[name].color),
                hovertemplate=(
                    f"{theme.plain(name)}<br>{theme.plain(label)} %{{x:.{result.decimals}f}}"
                    f"{theme.bounds_text(bounds, result.decimals)}<extra></extra>"
                ),
            )
        )
    wins = {} if beaten is None else beaten
    texts = [_score_and_wins(score[name], wins.get(name), result.decimals) for name in order] if large else []
    return theme.finish(
        figure,
        height=AROUND - 30 + (MIN_ROW if large else TIER_ROW) * len(order),
        right=_width_beside(texts) if large else 8,
        showlegend=False,
        shapes=_between_tiers(parts),
        annotations=[_beside(name, text) for name, text in zip(order, texts, strict=False)],
        xaxis={"title": theme.axis_title(label, unit)},
        yaxis=theme.systems_axis(order, range=[len(order) - 0.5, -0.5], showgrid=False)  # tiers alone have lines
        | ({} if beaten is None or large else {"ticktext": [_with_wins(name, beaten[name]) for name in order]}),
    )


def _score_and_wins(score: float, wins: int | None, decimals: int) -> str:
    text = format_cell(score, "points", decimals)
    return f"{text}, beats {wins}" if wins else text


def _between_tiers(parts: Sequence[Sequence[str]]) -> list[dict[str, Any]]:
    """Return a line between each two tiers. All at once: add_hline takes 15 ms for each line."""
    lines = [n - 0.5 for n in accumulate(len(part) for part in parts[:-1])]
    across: dict[str, Any] = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1}
    dashed = {"line": {"color": theme.INK, "width": 1.5, "dash": "dash"}}
    return [across | {"y0": y, "y1": y} | dashed for y in lines]


def ranked_scores(
    scores: Mapping[str, float],
    styles: Mapping[str, theme.Style],
    *,
    intervals: Mapping[str, Interval] | None,
    parts: Sequence[Sequence[str]],
    leading: Collection[str] = (),
    beaten: Mapping[str, int] | None = None,
    label: str = "BLEU",
    unit: str = "points",
    decimals: int = 2,
) -> go.Figure:
    """Draw each system's score and interval, best at the top and its score at the right, with a line between tiers.

    The rows of leading systems are shaded. A point's customdata ends with the system's place in the ranking, from 0.

    Args:
        scores: system -> score, NaN where undefined, in the order in which they are drawn.
        styles: style of each system.
        intervals: of the scores; None where they have none.
        parts: the tiers of all systems, best first; one part where there are none.
        leading: the systems whose rows are shaded.
        beaten: how many others each system is significantly better than, in hover texts; None to omit.
        label: of the metric.
        unit: of its scores.
        decimals: of its scores.
    """
    names, points = list(scores), list(scores.values())
    bounds = None if intervals is None else [intervals[name] for name in names]
    wins = (
        [f"<br>significantly better than {beaten.get(name, 0)} of {len(names) - 1}" for name in names]
        if beaten
        else None
    )
    figure = go.Figure(
        go.Scatter(
            x=[None if math.isnan(score) else score for score in points],
            y=names,
            mode="markers",
            marker={
                "color": [styles[name].color for name in names],
                "symbol": [styles[name].symbol for name in names],
                "size": 10,
            },
            error_x=theme.error_bars(points, bounds, color=theme.INK),
            customdata=[
                (
                    theme.plain(name),
                    theme.bounds_text(bounds[k] if bounds else None, decimals),
                    wins[k] if wins else "",
                    k,
                )
                for k, name in enumerate(names)
            ],
            hovertemplate="%{customdata[0]}<br>"
            + theme.plain(label)
            + f" %{{x:.{decimals}f}}%{{customdata[1]}}%{{customdata[2]}}<extra></extra>",
        )
    )
    written = ["undefined" if math.isnan(score) else format_cell(score, "points", decimals) for score in points]
    band = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "layer": "below", "line": {"width": 0}}
    shaded = [k for k, name in enumerate(names) if name in leading]
    return theme.finish(
        figure,
        height=ranking_height(len(names)),
        right=_width_beside(written),
        showlegend=False,
        shapes=[
            *(band | {"y0": k - 0.5, "y1": k + 0.5, "fillcolor": LEADING} for k in shaded),
            *_between_tiers(parts),
        ],
        annotations=[
            _beside(name, f"<b>{text}</b>" if name in leading else text)
            for name, text in zip(names, written, strict=True)
        ],
        xaxis={"title": theme.axis_title(label, unit)},
        yaxis=theme.systems_axis(names, range=[len(names) - 0.5, -0.5], showgrid=False)
        | {"ticktext": [f"<b>{theme.short(name)}</b>" if name in leading else theme.short(name) for name in names]},
    )


def _beside(name: str, text: str) -> dict[str, Any]:
    """Return a text at the right of a system's row."""
    place = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 8, "showarrow": False}
    return place | {"y": name, "text": text, "font": {"size": theme.TEXT_SIZE}}


def _width_beside(texts: Sequence[str]) -> int:
    """Return the width of texts at the right of rows, in pixels."""
    return theme.CHARACTER_WIDTH * max(map(len, texts), default=0) + 16


def ranking_height(systems: int) -> int:
    """Return the height of the ranking of so many systems, in pixels."""
    row = min(max(MIN_HEIGHT / max(systems, 1), MIN_ROW), TIER_ROW)
    return max(round(AROUND_RANKING + row * systems), MIN_HEIGHT)


def _with_wins(name: str, wins: int) -> str:
    return f"{theme.short(name, 20)}<br>beats {wins}" if wins else theme.short(name, 20)


def against_baseline(
    result: Comparisons, styles: Mapping[str, theme.Style], label: str, unit: str = "points"
) -> go.Figure:
    """Draw each system's difference to the baseline (points) with its interval; hollow where not significant.

    A point's customdata is the pair, from 0.
    """
    figure = go.Figure()
    sign = 1 if result.higher_is_better else -1
    pairs = sorted(result.pairs, key=lambda pair: (-sign * pair.delta, pair.system))
    for pair in pairs:
        style = styles[pair.system]
        delta = pair.tested_difference
        hollow = "" if result.verdict(pair) else "-open"
        figure.add_trace(
            go.Scatter(
                x=[delta],
                y=[pair.system],
                customdata=[[result.pairs.index(pair)]],
                mode="markers",
                name=theme.short(pair.system),
                marker={"color": style.color, "symbol": style.symbol + hollow, "size": 10},
                error_x=theme.error_bars([delta], [pair.interval], color=style.color),
                hovertemplate=_grid_hover(result, pair, label) + "<extra></extra>",
            )
        )
    figure.add_vline(x=0, line={"color": theme.INK, "width": 1})
    baseline = theme.short(result.pairs[0].baseline)
    return theme.finish(
        figure,
        height=AROUND - 30 + TIER_ROW * len(pairs),
        showlegend=False,
        xaxis={"title": f"difference to {baseline} ({theme.label_and_unit(label, unit)})"},
        yaxis=theme.systems_axis([pair.system for pair in pairs], range=[len(pairs) - 0.5, -0.5]),
    )


def _cell(pair: Comparison, decimals: int, *, above: bool) -> str:
    if above:
        return decimal(pair.delta, decimals - 1, signed=True)  # so that it fits a cell
    p = pair.p_value_adjusted
    if p < MIN_P_IN_CELL:
        return f"< {MIN_P_IN_CELL}"
    return "" if math.isnan(p) else format_p(p)


def _grid_hover(result: Comparisons, pair: Comparison, label: str) -> str:
    low, high = pair.interval.low, pair.interval.high
    delta, *ends = (decimal(value, result.decimals, signed=True) for value in (pair.tested_difference, low, high))
    bounds = "" if math.isnan(low) else f" ({' to '.join(ends)})"
    verdict = VERDICTS[result.verdict(pair)]
    return (
        f"{theme.plain(pair.system)} against {theme.plain(pair.baseline)}<br>{theme.plain(label)} {delta}"
        f"{bounds}<br>p {theme.plain(format_p(pair.p_value))}, corrected "
        f"{theme.plain(format_p(pair.p_value_adjusted))}<br>{verdict}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystems:
    """Systems compared with each other, or with a baseline.

    Attributes:
        comparisons: of the pairs.
        scored: the systems under the metric.
        intervals: system -> interval of its score; empty where scores have none.
        tested: whether p-values are valid tests; in a slice that may have been chosen for its results they are only
            descriptive.
    """

    comparisons: Comparisons
    scored: ScoredCorpus
    intervals: Mapping[str, Interval]
    tested: bool

    @property
    def tiers(self) -> Sequence[Sequence[str]]:
        """The systems in tiers; a single one if nothing is tested."""
        return analysis.system_tiers(self.comparisons) if self.tested else [self.comparisons.ranked]


def _all_pairs(data: Data) -> ComparedSystems:
    return _compared(data, data.comparisons)


def _compared(data: Data, comparisons: Comparisons) -> ComparedSystems:
    tested = comparisons.tested and not data.view.descriptive
    return ComparedSystems(comparisons=comparisons, scored=data.scored, intervals=data.intervals, tested=tested)


def _grid(compared: ComparedSystems, styles: Mapping[str, Style]) -> go.Figure:
    """Draw the grid of all pairs; of a large family, whose cells would not be readable, the tiers."""
    if is_large(compared.comparisons):
        return _tiers(compared, styles)
    return comparison_grid(compared.comparisons, compared.scored.label, tested=compared.tested)


def _tiers(compared: ComparedSystems, styles: Mapping[str, Style]) -> go.Figure:
    return tier_lines(
        compared.comparisons,
        compared.tiers,
        intervals=compared.intervals,
        styles=styles,
        label=compared.scored.label,
        unit=compared.scored.metric.unit,
        beaten=systems_beaten(compared.comparisons) if compared.tested else None,
    )


def _against(compared: ComparedSystems, styles: Mapping[str, Style]) -> go.Figure:
    return against_baseline(compared.comparisons, styles, compared.scored.label, compared.scored.metric.unit)


PAIRS = Exhibit(
    name="pairs",
    page="Ranking",
    part="Pairs of systems",
    title="Pairwise comparison",
    compute=_all_pairs,
    figure=_grid,
    table=lambda compared: grid_table(compared.comparisons),
    needs=("two systems",),
    options=("metric", "tests"),
    key="grid",
)

SCORE_INTERVALS = Exhibit(
    name="score-intervals",
    page="Ranking",
    part="Pairs of systems",
    title="Scores with intervals",
    compute=_all_pairs,
    figure=_tiers,
    table=lambda compared: tier_table(compared.comparisons, compared.intervals),
    needs=("two systems",),
    options=("metric", "tests"),
    key="score-intervals",
)

BASELINE = Exhibit(
    name="baseline",
    page="Ranking",
    part="Pairs of systems",
    title="Differences to the baseline",
    compute=lambda data: _compared(data, data.against_baseline),
    figure=_against,
    table=lambda compared: comparison_table(compared.comparisons),
    needs=("two systems",),
    options=("metric", "baseline", "tests"),
    key="against",
)
