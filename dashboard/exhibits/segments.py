"""How the difference of two systems comes about, segment by segment."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.analysis import Replacement, SegmentsRead, curve_table
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import influence_curve


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence:
    """The difference of two systems as segments are replaced one by one.

    Attributes:
        read: the segments of the two.
        curve: the scores on the way from one system to the other.
    """

    read: SegmentsRead
    curve: Replacement


def _influence(data: Data) -> Influence:
    return Influence(curve=data.curve, read=data.segments)


INFLUENCE = Exhibit(
    name="influence",
    page="Segments",
    title="How the difference comes about, segment by segment",
    compute=_influence,
    figure=lambda found, _, stretch=None: influence_curve(
        found.curve, found.read.numbers, found.read.scored.label, stretch
    ),
    table=lambda found: curve_table(found.read, found.curve),
    needs=("two systems",),
    subject="pair",
    key="influence",
)
