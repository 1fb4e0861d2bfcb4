"""The difference of two systems in each slice of the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.results.slices import slice_pair_table
from dashboard.analysis import DividedText
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import MOST_DRAWN, Style, slice_differences


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicedPair:
    """Two systems on the whole text and on its slices.

    Attributes:
        divided: all systems compared with the baseline on the slices.
        system: the one of the pair that is not the baseline.
    """

    divided: DividedText
    system: str

    @property
    def drawn(self) -> tuple[int, ...]:
        """The positions of the slices that are drawn: the largest."""
        return tuple(self.divided.largest(MOST_DRAWN))


def _figure(found: SlicedPair, styles: Mapping[str, Style]) -> go.Figure:
    whole, *slices = found.divided.rows_of(found.system)
    scored = found.divided.scored
    rows = [whole, *(slices[n] for n in found.drawn)]
    return slice_differences(rows, styles[found.system], scored.label, scored.metric.unit)


SLICES = Exhibit(
    name="slices",
    page="Slices",
    title="Difference in each slice",
    compute=lambda data: SlicedPair(divided=data.divided, system=data.names[0]),
    figure=_figure,
    table=lambda found: slice_pair_table(found.divided.found, found.divided.grouping.by, found.system),
    needs=("two systems",),
    subject="pair",
    key="slice-differences",
)
