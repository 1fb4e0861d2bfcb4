"""The scores of systems beside their mean ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.inference import ScoreIntervals
from bleu_core.results.agreement import agreement_table, leave_one_out_table
from dashboard import analysis, words
from dashboard.analysis import Agreement, RatingsInUse, Robustness
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, bleu_and_ratings, normalised_lines, without_each


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresAndRatings:
    """Scores and mean ratings of systems.

    Attributes:
        agreement: of the two.
        robustness: what the agreement rests on.
        ratings: those in use.
        rest: the agreement without some of the systems, if some are left out.
    """

    agreement: Agreement
    robustness: Robustness
    ratings: RatingsInUse
    rest: Agreement | None = None

    @property
    def intervals(self) -> ScoreIntervals | None:
        """The intervals of BLEU, if it is the metric and scores have them."""
        return self.ratings.view.intervals if self.agreement.metric == analysis.BLEU else None


def _scores_and_ratings(data: Data) -> ScoresAndRatings:
    return ScoresAndRatings(agreement=data.agreement, robustness=data.robustness, ratings=data.rated)


def _scatter(found: ScoresAndRatings, styles: Mapping[str, Style]) -> go.Figure:
    result, bounds = found.agreement, found.intervals
    name = "BLEU (points)" if result.metric == analysis.BLEU else result.metric
    return bleu_and_ratings(
        result,
        styles,
        found.ratings.humans,
        intervals=bounds and bounds.scores,
        rest=found.rest,
        notes=words.coefficients_without_each(found.robustness),
        score=name if result.higher_is_better else f"{name} (lower is better)",
    )


def _without_each(found: ScoresAndRatings, styles: Mapping[str, Style]) -> go.Figure:
    pearson = found.robustness.leave_one_out[0]
    return without_each(
        found.agreement.systems,
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
    page="System agreement",
    title="Scores and mean ratings",
    compute=_scores_and_ratings,
    figure=_scatter,
    table=lambda found: agreement_table(found.agreement, found.intervals),
    needs=("judgments",),
    subject="judges",
    key="human",
)

WITHOUT_EACH = Exhibit(
    name="without-each",
    page="System agreement",
    title="Influence of each system",
    compute=_scores_and_ratings,
    figure=_without_each,
    table=lambda found: leave_one_out_table(found.robustness),
    needs=("judgments",),
    subject="judges",
    key="leave-one-out",
)

NORMALISED = Exhibit(
    name="normalised",
    page="System agreement",
    title="Scores and mean ratings, each scaled to its range",
    compute=lambda data: data.rated,
    figure=_normalised,
    table=_normalised_table,
    needs=("judgments",),
    subject="judges",
    key="normalised",
)
