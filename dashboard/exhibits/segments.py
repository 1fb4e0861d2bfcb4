"""The cumulative difference of two systems, segment by segment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from bleu_core.arrays import Integers
from bleu_core.fields import decimal
from bleu_core.segments import Replacement
from dashboard.analysis import SegmentAnalysis, curve_table
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.plots import theme

HEIGHT = 260

#: Number of points at each end of the curve, and of evenly spaced points between.
POINTS_AT_ENDS, POINTS_BETWEEN = 100, 600

#: Size in pixels of the mark at half of the difference.
MARKER = 9

#: Colours of the curve, of the mark and of the listed range, visible on light and dark pages.
LINE, MARK, RANGE = theme.COLORS[0], theme.COLORS[1], theme.COLORS[1]


def influence_curve(
    curve: Replacement, numbers: Integers, label: str, stretch: tuple[int, int] | None = None
) -> go.Figure:
    """Draw the difference while the baseline's outputs are replaced by the system's.

    Args:
        curve: the differences.
        numbers: (S,) the number of each segment.
        label: of the metric.
        stretch: the ranks, from 1, of the listed segments; None for all.
    """
    label, shown, differences = theme.plain(label), _shown(curve.segments), curve.differences
    figure = go.Figure(
        go.Scatter(
            x=shown.tolist(),
            y=differences[shown].tolist(),
            customdata=[0, *numbers[curve.order[shown[1:] - 1]].tolist()],
            mode="lines",
            line={"color": LINE, "width": 2},
            name="difference",
            text=[decimal(difference, curve.decimals, signed=True) for difference in differences[shown].tolist()],
            hovertemplate=f"first %{{x:,}} segments: %{{text}} {label}<br>the last of them: segment %{{customdata:,}}"
            "<extra></extra>",
        )
    )
    if curve.leader:
        figure.add_trace(
            go.Scatter(
                x=[curve.half_at],
                y=[float(differences[curve.half_at])],
                mode="markers",
                marker={"color": MARK, "symbol": "diamond", "size": MARKER},
                name="half",
                hovertemplate=f"{curve.half:,} of {curve.segments:,} segments make half of the difference"
                "<extra></extra>",
            )
        )
    across = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "line": {"color": theme.INK, "width": 1}}
    shapes = [across | {"y0": 0.0, "y1": 0.0}]
    if stretch is not None:
        band = {"type": "rect", "yref": "paper", "y0": 0, "y1": 1, "x0": stretch[0] - 1, "x1": stretch[1]}
        shapes.append(band | {"fillcolor": RANGE, "opacity": 0.2, "line": {"width": 0}, "layer": "below"})
    lower = "" if curve.higher_is_better else ", lower is better"
    return theme.finish(
        figure,
        height=HEIGHT,
        showlegend=False,
        hovermode="x",
        dragmode="select",
        selectdirection="h",
        shapes=shapes,
        xaxis={
            "title": f"segments replaced,<br>most in favour of {theme.short(curve.system, 16)} first",
            "range": [-0.01 * curve.segments, 1.01 * curve.segments],
            "showgrid": False,
        },
        yaxis={"title": f"difference to {theme.short(curve.baseline, 16)}<br>({label}{lower})"},
    )


def _shown(segments: int) -> Integers:
    """Return the points that are drawn, from 0 to the number of segments; all at both ends, where it is steep."""
    ends = np.arange(min(POINTS_AT_ENDS, segments) + 1)
    between = np.linspace(0, segments, POINTS_BETWEEN).astype(np.int64)
    return np.unique(np.concatenate([ends, segments - ends, between]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence:
    """The difference of two systems as segments are replaced successively.

    Attributes:
        read: the segments of the two systems.
        curve: the scores as outputs are replaced.
    """

    read: SegmentAnalysis
    curve: Replacement


def _influence(data: Data) -> Influence:
    return Influence(curve=data.curve, read=data.segments)


INFLUENCE = Exhibit(
    name="influence",
    page="Segments",
    title="Cumulative difference by segment",
    compute=_influence,
    figure=lambda influence, _, stretch=None: influence_curve(
        influence.curve, influence.read.numbers, influence.read.scored.label, stretch
    ),
    table=lambda influence: curve_table(influence.read, influence.curve),
    needs=("two systems",),
    options=("metric", "pair"),
    subject="pair",
    key="influence",
)
