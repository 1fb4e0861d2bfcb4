"""Differences of ratings between systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.judges import RaterDifferences, Unit
from bleu_core.results.judges import differences_table
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, mean_differences


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPairs:
    """Differences of the mean ratings of pairs of systems.

    Attributes:
        differences: of the pairs.
        units: over which the differences are averaged.
        group: of the judges; empty for all.
        standardised: whether ratings are standardised per judge.
    """

    differences: RaterDifferences
    units: Sequence[Unit]
    group: str = ""
    standardised: bool


def _rated_pairs(data: Data) -> RatedPairs:
    return RatedPairs(differences=data.rating_differences, units=("segment",), standardised=data.rated.standardised)


def _figure(found: RatedPairs, _styles: Mapping[str, Style], *, axis: tuple[float, float] | None = None) -> go.Figure:
    rating = "standardised rating" if found.standardised else "mean rating"
    return mean_differences(found.differences, found.units, axis=axis, rating=rating)


RATER_DIFFERENCES = Exhibit(
    name="rater-differences",
    page="Rater differences",
    title="Rating differences of neighbouring systems",
    compute=_rated_pairs,
    figure=_figure,
    table=lambda found: differences_table({found.group: found.differences}, found.units),
    needs=("judgments",),
    subject="judges",
    key="differences-0",
)
