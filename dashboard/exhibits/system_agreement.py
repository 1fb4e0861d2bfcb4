"""The scores of systems and their mean ratings."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from bleu_core.agreement import Agreement, Robustness
from bleu_core.fields import Table
from bleu_core.inference import Interval, ScoreIntervals
from bleu_core.results.agreement import agreement_table, leave_one_out_table
from dashboard import analysis, words
from dashboard.analysis import RatingsInUse
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme
from dashboard.plots.theme import Style

HEIGHT = 460

#: Dashes of the lines of BLEU and of groups of judges.
LINE_DASHES = ("solid", "dash", "dot", "dashdot", "longdash")

#: A box in the plot: left, bottom, right, top, as shares of its width and height.
Box = tuple[float, float, float, float]
#: Sizes as shares of a small plot, as wide as a column of a paper: half a marker, a line of text, a character, half the
#: height of an error bar.
MARKER, LINE, CHARACTER, BAR = 0.02, 0.065, 0.0235, 0.015

#: Cost of an area that is cut off relative to one that is covered; maximum number of passes of placing names.
CUT_OFF_COST, MAX_PASSES = 10, 4

#: Maximum area, as a share of the plot, by which names may overlap; less is invisible.
MAX_OVERLAP = 1e-4


def bleu_and_ratings(
    result: Agreement,
    styles: Mapping[str, theme.Style],
    humans: Sequence[str] = (),
    *,
    intervals: Mapping[str, Interval] | None = None,
    rest: Agreement | None = None,
    notes: Mapping[str, str] | None = None,
    score: str = "BLEU (points)",
    height: int = HEIGHT,
) -> go.Figure:
    """Draw mean rating over BLEU (points), the regression line and its 95 % band (Papineni et al. 2002, Figure 5).

    A point's customdata is the system, from 0.

    Args:
        result: BLEU, or another score, and ratings, system by system.
        styles: style of each system.
        humans: human translators, drawn with a ring.
        intervals: system -> interval of its score; not drawn for systems that are muted.
        rest: the same without some of the systems, which are drawn hollow; its line is dashed.
        notes: system -> a note in its hover text.
        score: title of the axis of scores, with its unit.
        height: in pixels.
    """
    figure = go.Figure()
    if not result.line.reason:
        _add_line(figure, result)
    if rest is not None and not rest.line.reason:
        figure.add_trace(_line(result, rest))
    excluded = () if rest is None else [name for name in result.systems if name not in rest.systems]
    # Bars of many systems would strike through names.
    shown = {} if intervals is None else {n: intervals[n] for n in result.systems if not styles[n].muted}
    bounds = list(shown.values())
    reach = np.array([*result.scores, *(i.low for i in bounds), *(i.high for i in bounds)])
    x_range, y_range = _range(reach), _range(result.human)
    names = [theme.short(name, 20) for name in result.systems]
    points = [
        ((float(x) - x_range[0]) / (x_range[1] - x_range[0]), (float(y) - y_range[0]) / (y_range[1] - y_range[0]))
        for x, y in zip(result.scores, result.human, strict=True)
    ]
    width = x_range[1] - x_range[0]
    bars = [
        ((shown[name].low - x_range[0]) / width, y - BAR, (shown[name].high - x_range[0]) / width, y + BAR)
        for name, (_, y) in zip(result.systems, points, strict=True)
        if name in shown
    ]
    places = _name_positions(points, [CHARACTER * len(html.unescape(name)) for name in names], bars)
    # Of many systems, names without a place are omitted; hover texts and the table have them.
    names = [
        "" if place is None and styles[system].muted else name
        for place, name, system in zip(places, names, result.systems, strict=True)
    ]
    for k, name in enumerate(result.systems):
        figure.add_trace(
            go.Scatter(
                x=[float(result.scores[k])],
                y=[float(result.human[k])],
                customdata=[[k]],
                mode="markers+text",
                text=[names[k]],
                textposition=places[k] or "top center",
                cliponaxis=False,
                textfont={"size": theme.TEXT_SIZE},
                name=theme.short(name),
                marker={
                    "color": styles[name].color,
                    "symbol": styles[name].symbol + ("-open" if name in excluded else ""),
                    "size": 11,
                    "line": {"width": 2 if name in humans else 0, "color": theme.INK},
                },
                error_x=theme.error_bars(
                    [float(result.scores[k])], [shown[name]] if name in shown else None, color=styles[name].color
                ),
                hovertemplate=(
                    f"{theme.plain(name)}<br>{theme.plain(result.metric)} %{{x:.4~g}}<br>mean rating %{{y:.3f}}"
                    f"{f'<br>{theme.plain(notes[name])}' if notes else ''}<extra></extra>"
                ),
            )
        )
    return theme.finish(
        figure,
        height=height,
        showlegend=False,
        xaxis={"title": theme.plain(score), "range": x_range},
        yaxis={"title": "mean rating", "range": y_range},
    )


def normalised_lines(
    systems: Sequence[str], lines: Mapping[str, Sequence[float]], *, height: int = HEIGHT
) -> go.Figure:
    """Draw BLEU and ratings, each scaled to its range (0 to 1), as in Figure 7 of Papineni et al. (2002).

    Args:
        systems: names, lowest BLEU first.
        lines: name of a line -> one value per system; NaN leaves a gap.
        height: in pixels.
    """
    figure = go.Figure(
        [
            go.Scatter(
                x=list(systems),
                y=[None if np.isnan(v) else v for v in values],
                mode="lines+markers",
                name=theme.short(name),
                line={"color": theme.COLORS[i % len(theme.COLORS)], "dash": LINE_DASHES[i % len(LINE_DASHES)]},
                marker={"symbol": theme.SYMBOLS[i % len(theme.SYMBOLS)], "size": 9},
                hovertemplate=f"{theme.plain(name)}<br>%{{y:.3f}}<extra></extra>",
            )
            for i, (name, values) in enumerate(lines.items())
        ]
    )
    return theme.finish(
        figure,
        height=height,
        showlegend=True,
        legend=theme.LEGEND_ABOVE,
        xaxis=theme.systems_axis(systems, title="system, lowest BLEU first"),
        yaxis={"title": "position in the range", "range": [-0.05, 1.05]},
    )


def _add_line(figure: go.Figure, result: Agreement) -> None:
    along = np.linspace(*_range(result.scores), 60)
    low, high = result.line.band(along)
    figure.add_trace(
        go.Scatter(
            x=[*along, *along[::-1]],
            y=[*high, *low[::-1]],
            fill="toself",
            fillcolor="rgba(122,134,141,0.18)",
            line={"width": 0},
            hoverinfo="skip",
            name="95% confidence band",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=along.tolist(),
            y=result.line.at(along).tolist(),
            mode="lines",
            line={"color": theme.INK, "width": 1.5},
            hoverinfo="skip",
            name="regression",
        )
    )


def _line(result: Agreement, rest: Agreement) -> go.Scatter:
    """Return the regression line of the rest, over the range of all."""
    along = np.array(_range(result.scores))
    return go.Scatter(
        x=along.tolist(),
        y=rest.line.at(along).tolist(),
        mode="lines",
        line={"color": theme.INK, "width": 1.5, "dash": "dash"},
        hoverinfo="skip",
        name="regression without the excluded systems",
    )


def without_each(
    systems: Sequence[str],
    coefficient: float,
    without: Sequence[float],
    styles: Mapping[str, theme.Style],
    label: str,
) -> go.Figure:
    """Draw a coefficient without each system in turn, the highest first.

    Args:
        systems: K names.
        coefficient: of all systems.
        without: (K,) the coefficient without each system; NaN is omitted.
        styles: style of each system.
        label: of the coefficient.
    """
    kept = [k for k, value in enumerate(without) if not np.isnan(value)]
    order = sorted(kept, key=lambda k: (without[k], systems[k]))
    names = [systems[k] for k in order]
    figure = go.Figure()
    for k in order:
        figure.add_trace(
            go.Scatter(
                x=[coefficient, without[k]],
                y=[systems[k]] * 2,
                mode="lines+markers",
                line={"color": styles[systems[k]].color, "width": 2},
                marker={"size": [0, 10], "symbol": styles[systems[k]].symbol, "color": styles[systems[k]].color},
                hovertemplate=f"without {theme.plain(systems[k])}: %{{x:.3f}}<extra></extra>",
            )
        )
    figure.add_vline(x=coefficient, line={"color": theme.INK, "width": 1, "dash": "dot"})
    return theme.finish(
        figure,
        height=110 + 26 * len(names),
        showlegend=False,
        xaxis={"title": f"{label} without the system (dotted: all systems)"},
        yaxis=theme.systems_axis(names),
    )


def _range(values: npt.NDArray[np.float64]) -> tuple[float, float]:
    padding = float(np.ptp(values)) * 0.14 or max(abs(float(values[0])) * 0.1, 1.0)
    return float(values.min()) - padding, float(values.max()) + padding


def _name_positions(
    points: Sequence[tuple[float, float]], widths: Sequence[float], bars: Sequence[Box] = ()
) -> list[str | None]:
    """Select for each name the side of its point where it covers least: other points, names, the frame's edge.

    Names are placed one after the other, and then again, given the places of all others, until nothing changes.

    Args:
        points: places in the plot, both coordinates from 0 to 1.
        widths: of the names, in the same unit.
        bars: error bars, which names should not cover either.

    Returns:
        A side for each name; None where a name would cover another one that has a place, or be cut off, on every side.
    """
    marks: list[Box] = [(x - MARKER, y - 2 * MARKER, x + MARKER, y + 2 * MARKER) for x, y in points]
    marks += bars
    sides = [_sides(point, width) for point, width in zip(points, widths, strict=True)]
    side_of: dict[int, str] = {}

    def covered(k: int, side: str) -> float:
        box = sides[k][side]
        names = sum(_overlap(box, sides[j][other]) for j, other in side_of.items() if j != k)
        return sum(_overlap(box, mark) for mark in marks) + 2 * names + _outside(box)

    for _ in range(MAX_PASSES):
        before = dict(side_of)
        for k in range(len(points)):
            side_of[k] = min(sides[k], key=lambda side, k=k: covered(k, side))
        if side_of == before:
            break
    placed: dict[int, Box] = {}
    for k, side in side_of.items():
        box = sides[k][side]
        if _outside(box) + sum(_overlap(box, other) for other in placed.values()) <= MAX_OVERLAP:
            placed[k] = box
    return [side_of[k] if k in placed else None for k in range(len(points))]


def _sides(point: tuple[float, float], width: float) -> dict[str, Box]:
    """Return the box of a name on each side of its point."""
    x, y = point
    return {
        "top center": (x - width / 2, y + 2 * MARKER, x + width / 2, y + 2 * MARKER + LINE),
        "bottom center": (x - width / 2, y - 2 * MARKER - LINE, x + width / 2, y - 2 * MARKER),
        "middle right": (x + MARKER, y - LINE / 2, x + MARKER + width, y + LINE / 2),
        "middle left": (x - MARKER - width, y - LINE / 2, x - MARKER, y + LINE / 2),
        "top right": (x + MARKER, y + MARKER, x + MARKER + width, y + MARKER + LINE),
        "top left": (x - MARKER - width, y + MARKER, x - MARKER, y + MARKER + LINE),
        "bottom right": (x + MARKER, y - MARKER - LINE, x + MARKER + width, y - MARKER),
        "bottom left": (x - MARKER - width, y - MARKER - LINE, x - MARKER, y - MARKER),
    }


def _overlap(a: Box, b: Box) -> float:
    return max(0.0, min(a[2], b[2]) - max(a[0], b[0])) * max(0.0, min(a[3], b[3]) - max(a[1], b[1]))


def _outside(box: Box) -> float:
    """Return the cost of the area beyond the frame, which is cut off and so weighs more than covered area."""
    inside = max(0.0, min(box[2], 1) - max(box[0], 0)) * max(0.0, min(box[3], 1) - max(box[1], 0))
    return CUT_OFF_COST * ((box[2] - box[0]) * (box[3] - box[1]) - inside)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresAndRatings:
    """Scores and mean ratings of systems.

    Attributes:
        agreement: of the two.
        robustness: influence of single systems on the agreement.
        ratings: the ratings in use.
        rest: the agreement without some of the systems, if some are excluded.
    """

    agreement: Agreement
    robustness: Robustness
    ratings: RatingsInUse
    rest: Agreement | None = None

    @property
    def intervals(self) -> ScoreIntervals | None:
        """The intervals of the scores, if they are those of a metric and have intervals."""
        metric = self.agreement.scored_by
        if metric is None or metric.label != self.agreement.metric:
            return None
        return analysis.score_systems(self.ratings.view, metric.key).intervals


def _scores_and_ratings(data: Data) -> ScoresAndRatings:
    return ScoresAndRatings(agreement=data.agreement, robustness=data.robustness, ratings=data.rated)


def _scatter(data: ScoresAndRatings, styles: Mapping[str, Style]) -> go.Figure:
    result, bounds = data.agreement, data.intervals
    unit = "" if result.scored_by is None else result.scored_by.unit
    notes = ", ".join(filter(None, (unit, "" if result.higher_is_better else "lower is better")))
    return bleu_and_ratings(
        result,
        styles,
        data.ratings.humans,
        intervals=bounds and bounds.scores,
        rest=data.rest,
        notes=words.coefficients_without_each(data.robustness),
        score=f"{result.metric} ({notes})" if notes else result.metric,
    )


def _without_each(data: ScoresAndRatings, styles: Mapping[str, Style]) -> go.Figure:
    pearson = data.robustness.leave_one_out[0]
    return without_each(
        data.agreement.systems,
        pearson.coefficient,
        without=pearson.without.tolist(),
        styles=styles,
        label="Pearson's r",
    )


def _normalised(ratings: RatingsInUse, _styles: Mapping[str, Style]) -> go.Figure:
    return normalised_lines(*analysis.normalised_scores(ratings))


def _normalised_table(ratings: RatingsInUse) -> Table:
    return agreement_table(ratings.agreement)


AGREEMENT = Exhibit(
    name="agreement",
    page="Agreement",
    part="By system",
    title="Scores and mean ratings",
    compute=_scores_and_ratings,
    figure=_scatter,
    table=lambda data: agreement_table(data.agreement, data.intervals),
    needs=("judgments",),
    subject="judges",
    key="human",
)

WITHOUT_EACH = Exhibit(
    name="without-each",
    page="Agreement",
    part="By system",
    title="Influence of each system",
    compute=_scores_and_ratings,
    figure=_without_each,
    table=lambda data: leave_one_out_table(data.robustness),
    needs=("judgments",),
    subject="judges",
    key="leave-one-out",
)

NORMALISED = Exhibit(
    name="normalised",
    page="Agreement",
    part="By system",
    title="Scores and mean ratings, each scaled to its range",
    compute=lambda data: data.rated,
    figure=_normalised,
    table=_normalised_table,
    needs=("judgments",),
    options=(),
    subject="judges",
    key="normalised",
)
