"""A metric's scores and mean ratings by segment, and the texts, scores and ratings of one segment."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.agreement import (
    MetricScores,
    Scatter,
    SegmentLevel,
    calibrated_accuracy,
    scatter,
    segment_correlations,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import ScoreTable
from bleu_core.errors import AlignmentError
from bleu_core.fields import Field, Table
from bleu_core.inference import DECIMALS
from bleu_core.progress import Progress
from dashboard import session
from dashboard.analysis.available_metrics import metric_choices, score_rated_systems
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.scores import uploaded_tables

#: Number of decimals of mean ratings.
RATING_DECIMALS = 3

#: Maximum number of listed entries where metric and judges differ most, and of entries of one cell.
MAX_FURTHEST, MAX_LISTED = 10, 200

#: Columns of the ratings of one segment.
RATING_COLUMNS: Mapping[str, Field] = {
    "judge": Field("text", "Name of the judge."),
    "group": Field("text", "Group of the judge."),
    "rating": Field("count", "Rating by the judge. Repeated ratings have separate rows and are averaged first."),
}

EMPTY, NO_REFERENCE = "(empty)", "(no translation of this segment)"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SegmentAgreement:
    """A metric's scores and the judges' ratings of segments.

    Attributes:
        metric: label of the metric.
        systems: the K compared systems.
        numbers: (S,) the number of each segment in the whole text, from 1.
        level: coefficients.
        points: the entries with both scores, in the metric's direction.
        scores: (K, S) of the metric.
        ratings: (K, S) means over judges.
        furthest: positions in points of the entries where the two differ most, largest difference first.
        higher_is_better: whether a larger score of the metric is the better one.
        decimals: of the metric's scores.
        reason: why nothing can be compared; empty if there is no problem.
    """

    metric: str
    systems: tuple[str, ...]
    numbers: tuple[int, ...]
    level: SegmentLevel
    points: Scatter
    scores: Floats
    ratings: Floats
    furthest: tuple[int, ...]
    higher_is_better: bool = True
    decimals: int = 2
    reason: str = ""

    def entry(self, position: int) -> tuple[str, int]:
        """Return the system, and the number of the segment, of one of the points."""
        system, segment = divmod(int(self.points.entry[position]), self.points.segments)
        return self.systems[system], self.numbers[segment]

    def position(self, system: str, segment: int) -> int | None:
        """Return the point of the segment of that number; None where it lacks a score."""
        return self.points.find(self.systems.index(system), self.numbers.index(segment))

    def neighbours(self, system: str, segment: int) -> tuple[int, ...]:
        """Return the positions of the points in a segment's cell, itself included; none if it is not a point."""
        position = self.position(system, segment)
        return () if position is None else tuple(self.points.members(int(self.points.cell[position])).tolist())


@dataclass(frozen=True, slots=True)
class SegmentDetails:
    """The texts, scores and ratings of a segment of a system.

    Attributes:
        texts: (title, text) pairs: source, the system's output, the references in use.
        scores: (name, number of decimals, value, percentile as a fraction) of the metric and the mean rating; NaN where
            there is none.
        ratings: one rating per row.
    """

    texts: tuple[tuple[str, str], ...]
    scores: tuple[tuple[str, int, float, float], ...]
    ratings: Table


def segment_metrics(ratings: RatingsInUse) -> list[str]:
    """Return the metrics with scores of segments; BLEU first."""
    choices = metric_choices(ratings).items()
    return [label for label, choice in choices if not isinstance(choice, ScoreTable) or choice.level == "segment"]


def compare_segments(ratings: RatingsInUse, metric: str) -> SegmentAgreement:
    """Compare a metric with judges, segment by segment."""
    _scores(ratings, metric)  # it shows its progress
    return _compared(ratings.scope, ratings, metric)


@session.cached("Correlating segments", "coefficients")
def _compared(progress: Progress, ratings: RatingsInUse, metric: str) -> SegmentAgreement:
    metric_scores = _scores(ratings, metric)
    means = ratings.segment_means
    up = metric_scores is None or metric_scores.higher_is_better
    better = np.full(means.shape, np.nan) if metric_scores is None else metric_scores.segment_scores
    scores = better if up else -better
    level = _level(ratings, metric, scores=better, means=means, progress=progress)
    points = scatter(scores, means, higher_is_better=up)
    furthest = tuple(points.furthest(MAX_FURTHEST).tolist())
    for values in (scores, means):
        values.flags.writeable = False
    return SegmentAgreement(
        metric=metric,
        systems=ratings.systems,
        numbers=ratings.view.numbers,
        level=level,
        points=points,
        scores=scores,
        ratings=means,
        furthest=furthest,
        higher_is_better=up,
        decimals=2 if metric_scores is None else metric_scores.decimals,
        reason=_reason(ratings, metric, points, means),
    )


def segment_details(ratings: RatingsInUse, agreement: SegmentAgreement, system: str, segment: int) -> SegmentDetails:
    """Return the texts of the segment of that number of a system, its scores and its ratings."""
    corpus = ratings.view.workspace.corpus
    line, k = agreement.numbers.index(segment), agreement.systems.index(system)
    texts = [("Source", corpus.source[line])] if corpus.source is not None else []
    texts.append((f"Output of {system}", corpus.systems[system][line]))
    names = ratings.view.evaluation.references
    for name in names:
        text = corpus.references[name][line]
        title = f"Reference {name}" if len(names) > 1 else "Reference"
        texts.append((title, NO_REFERENCE if text is None else text))
    position, nan, points = agreement.position(system, segment), math.nan, agreement.points
    metric_percentile, rating_percentile = nan, nan
    if position is not None:
        metric_percentile, rating_percentile = (
            float(points.x_percentile[position]),
            float(points.y_percentile[position]),
        )
    scores: list[tuple[str, int, float, float]] = [
        (agreement.metric, agreement.decimals, float(agreement.scores[k, line]), metric_percentile)
    ]
    scores.append(("Mean rating", RATING_DECIMALS, float(agreement.ratings[k, line]), rating_percentile))
    shown = tuple((title, text if text.strip() else EMPTY) for title, text in texts)
    return SegmentDetails(shown, tuple(scores), ratings_of_segment(ratings, system, line + 1))


def _scores(ratings: RatingsInUse, metric: str) -> MetricScores | None:
    """Return the metric's scores; None where it has none of these systems."""
    try:
        return score_rated_systems(ratings, metric)
    except AlignmentError:
        return None


def _level(ratings: RatingsInUse, metric: str, scores: Floats, means: Floats, progress: Progress) -> SegmentLevel:
    """Return the agreement of one metric, without a ranking."""
    scores, means = scores.round(DECIMALS), means.round(DECIMALS)
    uploaded = uploaded_tables(ratings.view.workspace).items()
    return SegmentLevel(
        signature=ratings.agreement.signature,
        systems=ratings.systems,
        excluded=ratings.agreement.excluded,
        correlations={metric: segment_correlations(scores, means, progress)},
        calibrated={metric: calibrated_accuracy(scores, means)},
        left_out=tuple((name, "it has only system scores") for name, table in uploaded if table.level == "system"),
        ranking=None,
        rated=ratings.agreement.rated,
    )


def _reason(ratings: RatingsInUse, metric: str, points: Scatter, means: Floats) -> str:
    if points.size:
        return ""
    if not (means == means).any():  # noqa: PLR0124 # NaN is unequal to itself
        if ratings.judgments.numbering == "line":
            return "the ratings are for whole systems, not for segments"
        reason = "the ratings number their items differently from the lines of the texts"
        where = "; add a file that names the document of each line"
        return reason + (where if ratings.judgments.numbering == "document" else "")
    return f"{metric} has no scores for rated segments of these systems"


def ratings_of_segment(ratings: RatingsInUse, system: str, segment: int) -> Table:
    """Return each rating of a segment of a system; standardised ones also as given."""
    table = ratings.judgments.table
    rows = table[table["segment"].eq(segment).fillna(value=False).astype(bool)]
    rows = rows[(rows["system"] == system) & rows["score"].notna()].sort_values(["group", "judge"], kind="stable")
    given = dict(RATING_COLUMNS)
    columns = [rows[name].fillna("").tolist() for name in ("judge", "group")] + [rows["score"].tolist()]
    loaded = ratings.view.workspace.judgments
    if ratings.standardised and loaded is not None:  # the remaining rows keep their index
        given["rating"] = replace(RATING_COLUMNS["rating"], kind="number")
        given["as_given"] = Field("count", "The rating before standardisation.")
        columns.append(loaded.table.loc[rows.index, "score"].tolist())
    data = Table(given, tuple(zip(*columns, strict=True)))
    return data if rows["group"].notna().any() else data.without("group")
