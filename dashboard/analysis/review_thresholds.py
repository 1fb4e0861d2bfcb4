"""The score from which segments can skip review, for pages and figures."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bleu_core.agreement import MAX_UNACCEPTABLE, ReviewThreshold, default_acceptable, review_threshold
from bleu_core.errors import AlignmentError
from bleu_core.inference import SEED
from bleu_core.progress import Progress
from bleu_core.results.envelope import rating_notes
from dashboard import session
from dashboard.analysis.available_metrics import score_rated_systems
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.scores import uploaded_tables
from dashboard.analysis.segment_agreement import segment_metrics


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewOptions:
    """Options of the threshold.

    Attributes:
        metric: label of a metric with scores of segments.
        acceptable: the mean rating from which a segment is acceptable; derived from the scale of the ratings if None.
        max_unacceptable: limit of the share of unacceptable segments among those that skip, a fraction.
        seed: of the draw of the parts.
        among: number of metrics among which one is chosen; the uploaded ones and this one if None.
    """

    metric: str
    acceptable: float | None = None
    max_unacceptable: float = MAX_UNACCEPTABLE
    seed: int = SEED
    among: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingScale:
    """The range of the ratings in use, and the acceptable value that fits their scale.

    Attributes:
        low, high: whole numbers around all ratings and the default.
        default: the acceptable value.
    """

    low: float
    high: float
    default: float


def rating_scale(ratings: RatingsInUse) -> RatingScale:
    """Return the range of the ratings and the default of the acceptable value, before ratings are adjusted."""
    values = (ratings.given or ratings.judgments).rated["score"].to_numpy()
    default = default_acceptable(values)
    low, high = math.floor(min(values.min(), default)), math.ceil(max(values.max(), default))
    return RatingScale(low=float(low), high=float(high), default=default)


def default_review_metric(ratings: RatingsInUse) -> str:
    """Return the first uploaded metric with scores of segments, else BLEU."""
    uploaded = {table.name for table in ratings.view.workspace.scores}
    metrics = segment_metrics(ratings)
    return next((label for label in metrics[1:] if label in uploaded), metrics[0])


def metrics_to_choose_from(ratings: RatingsInUse, label: str) -> int:
    """Return the number of uploaded metrics with scores of segments, with a metric that is not among them."""
    tables = uploaded_tables(ratings.view.workspace).items()
    return len({label, *(name for name, table in tables if table.level == "segment")})


def notes_on_ratings(ratings: RatingsInUse) -> tuple[str, ...]:
    """Return the warning that few segments, or only whole systems, are rated, if so."""
    return rating_notes(ratings.agreement.rated)


def review_of_ratings(ratings: RatingsInUse, options: ReviewOptions) -> ReviewThreshold:
    """Return the threshold of a metric, chosen on part of the data and tested on the rest.

    Raises:
        AlignmentError: the metric has no score of any rated system.
    """
    score_rated_systems(ratings, options.metric)  # it shows its progress
    return _review(ratings.scope, ratings, options)


def review_with_entries(ratings: RatingsInUse, options: ReviewOptions) -> ReviewThreshold:
    """Return the threshold, for figures.

    Raises:
        AlignmentError: no segment has a score and a rating.
    """
    review = review_of_ratings(ratings, options)
    if not review.is_drawn:
        raise AlignmentError(review.reason)
    return review


@session.cached("Choosing a threshold", "metrics")
def _review(_: Progress, ratings: RatingsInUse, options: ReviewOptions) -> ReviewThreshold:
    acceptable = options.acceptable
    return review_threshold(
        score_rated_systems(ratings, options.metric),
        ratings.segment_means,
        ratings.view.workspace.corpus.documents,
        acceptable=rating_scale(ratings).default if acceptable is None else acceptable,
        max_unacceptable=options.max_unacceptable,
        seed=options.seed,
        among=metrics_to_choose_from(ratings, options.metric) if options.among is None else options.among,
    )
