"""The threshold from which segments skip review: sentences, tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from bleu_core.agreement import (
    BOUND_CONFIDENCE,
    Exclusion,
    ReviewOutcome,
    ReviewThreshold,
    bound_confidence,
    percent_beside,
)
from bleu_core.dataset import plural
from bleu_core.fields import (
    MINUS,
    REASON,
    SYSTEM,
    Field,
    Table,
    bounds,
    exact,
    field,
    fields_of,
    inline,
    result,
    table_of,
)
from bleu_core.formats import MqmWeights
from bleu_core.inference import CONFIDENCE, Interval
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.scoring import BleuEvaluation

_LEVEL = f"{100 * CONFIDENCE:g}%"

#: What was measured by tests/agreement/test_review_calibration.py (docs/measurements.md).
MEASURED = (
    "In samples of known populations, a threshold whose true share exceeds the limit was recommended in at most 3%: in "
    "0% to 3% of the samples with a threshold where at least half have one, and in up to all of them where few have "
    "one. The intervals of these samples covered the true share in 95% to 100%, and where few have a threshold in as "
    "few as 0%."
)

#: A share of segments below this has a decimal in sentences.
FEW = 0.1

_REVIEW, _PART = fields_of(ReviewThreshold), fields_of(ReviewOutcome)["part"]
_THRESHOLD = Field("count", _REVIEW["threshold"].help)


@result
class _Skipping:
    """Segments that skip review; NaN without a threshold."""

    skipping: float = field("count", "Segments that skip review.")
    share_skipping: float = field("fraction", "Share of the segments that skip review.")
    unacceptable: float = field("count", "Segments that skip review and are unacceptable.")
    share_unacceptable: float = field("fraction", "Share of the segments that skip review which are unacceptable.")
    interval: Interval = inline(bounds("fraction", f"{_LEVEL} interval of the share of unacceptable segments"))
    precision: float = field("fraction", "Share of the segments that skip review which are acceptable.")
    recall: float = field("fraction", "Share of the acceptable segments that skip review.")
    reason: str = field(REASON, default="")


_SKIPPING = fields_of(_Skipping)


@result
class _PartRow:
    """What a threshold does in one part, as a row of a table."""

    metric: str = field("text", "Name of the metric.")
    part: str = field(_PART)
    threshold: float = field(_THRESHOLD)
    segments: float = field("count", "Segments of systems with a score and a mean rating.")
    skipping: _Skipping = inline(_Skipping)


@result
class ThresholdRow:
    """What one of several thresholds does in both parts."""

    threshold: float = field(_THRESHOLD)
    chosen: str = field("text", "Whether this is the threshold that was chosen: yes or no.")
    share_skipping: float = field(
        "fraction", "Share of the segments that skip review, in the part for the test.", label="skipping"
    )
    share_unacceptable: float = field(
        "fraction",
        "Share of the segments that skip review which are unacceptable, in the part for the test.",
        label="unacceptable",
    )
    interval: Interval = inline({end: _SKIPPING[end] for end in ("low", "high")})
    bound: float = field(_REVIEW["upper_bound"], label="upper bound")
    precision: float = field(
        "fraction", "Share of the segments that skip review which are acceptable, in the part for the test."
    )
    recall: float = field("fraction", "Share of the acceptable segments that skip review, in the part for the test.")
    choice_skipping: float = field(
        "fraction", "Share of the segments that skip review, in the part for the choice.", label="skipping (choice)"
    )
    choice_unacceptable: float = field(
        "fraction",
        "Share of the segments that skip review which are unacceptable, in the part for the choice.",
        label="unacceptable (choice)",
    )
    reason: str = field(REASON, default="")


@result
class ReviewedSystem:
    """What a metric's threshold does to one system, in the part for the test."""

    metric: str = field("text", "Name of the metric.", only="table")
    system: str = field(SYSTEM)
    segments: int = field("count", "Segments of the system with a score and a mean rating.")
    share_acceptable: float = field("fraction", "Share of them that are acceptable.", label="acceptable")
    skipping: _Skipping = inline(
        {name: declared for name, declared in _SKIPPING.items() if name not in ("precision", "recall")}
        | {
            "skipping": Field("count", "Segments of the system that skip review."),
            "share_skipping": Field("fraction", "Share of the system's segments that skip review."),
        }
    )


@result
class MetricReview:
    """The threshold of one metric, and what it and others do."""

    review: ReviewThreshold = inline(ReviewThreshold)
    systems: tuple[ReviewedSystem, ...] = field("object", "The outcome by system, in the part for the test.")
    thresholds: tuple[ThresholdRow, ...] = field("object", "The outcome of other thresholds.")
    note: str = field("text", "Why the parts are not of documents; empty if they are.")
    headline: str = field("text", "The result as a sentence.")


@result
class ReviewReport(Envelope):
    """The JSON of `bleu-core review`."""

    states_ratings: ClassVar[bool] = True

    acceptable: float = field("number", "Mean rating from which a segment is acceptable.")
    acceptable_is_default: bool = field("text", "Whether that value was derived from the scale of the ratings.")
    max_unacceptable: float = field("fraction", "Limit of the share of unacceptable segments among those that skip.")
    seed: int = field("count", "Seed of the draw of the parts.")
    metrics: tuple[MetricReview, ...] = field("object", "The threshold of each metric.")
    excluded: tuple[Exclusion, ...] = field("object", "Systems that are left out, with the reason.")
    adjusted_for_judges: bool | None = field(
        "text", "True if ratings are adjusted for judges; with `--adjust-judges`.", default=None
    )
    human_scores: tuple[str, ...] | None = field("object", "Human scores in use, by archive.", default=None)
    mqm_weights: MqmWeights | None = field("object", "MQM error weights that were changed.", default=None)


def review_sentence(review: ReviewThreshold) -> str:
    """Return the headline: what can skip review, and what was found in the test; or why there is no threshold."""
    if review.choice is None or review.test is None:
        acceptable = f"with {_number(review.acceptable)} as the lowest acceptable rating"
        return f"No threshold of {review.metric} can be recommended {acceptable}: {review.reason}."
    skipping, unacceptable = review.test.skipping, review.test.unacceptable
    limit, high = review.max_unacceptable, unacceptable.interval.high
    exceeds = "exceeds" if high > limit else "does not exceed"
    interval = f"{_LEVEL} interval {_percent(unacceptable.interval.low)} to {percent_beside(high, limit)}"
    return (
        f"{_percent(skipping.value, 0 if skipping.value >= FEW else 1)} of segments can be published unread: at "
        f"{review.metric} {_number(review.threshold)} or {'above' if review.higher_is_better else 'below'}, "
        f"{percent_beside(unacceptable.value, limit)} ({interval}, which {exceeds} the limit of "
        f"{_percent(limit, None)}) of them have a mean rating below {_number(review.acceptable)} in the "
        f"{review.tested_on.size:,} {review.unit}s for the test, at most {percent_beside(review.upper_bound, limit)} "
        f"with {bound_confidence(review.among)}."
    )


def review_method(review: ReviewThreshold) -> str:
    """Return sentences on the data, the parts, the rule and the intervals."""
    entries = f"{review.entries:,} {plural(review.entries, 'translation')} of {review.segments:,} segments"
    entries += " with a score and a mean rating"
    acceptable = "" if math.isnan(review.acceptable_share) else f", {_percent(review.acceptable_share, 0)} acceptable"
    parts = (
        f"{review.chosen_on.size:,} {review.unit}s for the choice and {review.tested_on.size:,} for the test, seed "
        f"{review.seed}"
    )
    metrics = f" divided by {review.among:,} metrics" if review.among > 1 else ""
    return (
        f"{entries}{acceptable}; {parts}. Thresholds are tested from the one with the strongest evidence in the choice "
        f"to laxer ones until one fails, each at a level of {100 * (1 - BOUND_CONFIDENCE):g}%{metrics}, and the last "
        f"that keeps the limit of {_percent(review.max_unacceptable, None)} is recommended. {_LEVEL} intervals and "
        "bounds: Clopper and Pearson with the effective number of observations of Korn and Graubard (1998), "
        f"{review.unit}s as clusters."
    )


def review_table(reviews: Sequence[ReviewThreshold]) -> Table:
    """Return the outcome of each metric's threshold in both parts, or why it has none."""
    rows = [
        _PartRow(
            metric=review.metric,
            part=part.name,
            threshold=review.threshold,
            segments=len(part.scores),
            skipping=_skipping(outcome, review.reason if outcome is None else outcome.reason),
        )
        for review in reviews
        for part, outcome in ((review.chosen_on, review.choice), (review.tested_on, review.test))
        if outcome is not None or part is review.chosen_on
    ]
    return table_of(rows, _PartRow)


def thresholds_table(review: ReviewThreshold) -> Table:
    """Return the outcomes of thresholds in steps of 5% of the segments, and of the chosen one, the strictest first."""
    return table_of(_threshold_rows(review), ThresholdRow)


def reviewed_systems_table(reviews: Sequence[ReviewThreshold]) -> Table:
    """Return what each metric's threshold does to each system, in the part for the test."""
    return table_of([row for review in reviews for row in _system_rows(review)], ReviewedSystem)


def metric_review(review: ReviewThreshold) -> MetricReview:
    """Return the result of one metric for JSON."""
    return MetricReview(
        review=review,
        systems=tuple(_system_rows(review)),
        thresholds=tuple(_threshold_rows(review)),
        note=review.note,
        headline=review_sentence(review),
    )


def review_report(
    reviews: Sequence[ReviewThreshold],
    evaluation: BleuEvaluation,
    *,
    excluded: Sequence[Exclusion] = (),
    acceptable_is_default: bool = False,
    warnings: Sequence[str] = (),
) -> ReviewReport:
    """Return the JSON report of `bleu-core review`.

    Args:
        reviews: of one or several metrics, with the same settings.
        evaluation: of the texts.
        excluded: systems that are left out, with the reason.
        acceptable_is_default: whether the acceptable value was derived from the scale of the ratings.
        warnings: about the results.
    """
    first = reviews[0]
    envelope: dict[str, Any] = envelope_fields(evaluation, warnings=warnings)
    envelope["metric"] = ", ".join(review.metric for review in reviews)
    envelope["signature"] = "" if reviews[1:] else first.signature
    return ReviewReport(
        **envelope,
        acceptable=first.acceptable,
        acceptable_is_default=acceptable_is_default,
        max_unacceptable=first.max_unacceptable,
        seed=first.seed,
        metrics=tuple(metric_review(review) for review in reviews),
        excluded=tuple(excluded),
    )


def _skipping(outcome: ReviewOutcome | None, reason: str) -> _Skipping:
    """Return the numbers of an outcome; NaN, with the reason, if there is no threshold."""
    if outcome is None:
        nan = math.nan
        return _Skipping(
            skipping=nan,
            share_skipping=nan,
            unacceptable=nan,
            share_unacceptable=nan,
            interval=Interval(nan, nan, CONFIDENCE),
            precision=nan,
            recall=nan,
            reason=reason,
        )
    return _Skipping(
        skipping=outcome.skipping.count,
        share_skipping=outcome.skipping.value,
        unacceptable=outcome.unacceptable.count,
        share_unacceptable=outcome.unacceptable.value,
        interval=outcome.unacceptable.interval,
        precision=outcome.precision.value,
        recall=outcome.recall.value,
        reason=outcome.unacceptable.reason or reason,
    )


def _system_rows(review: ReviewThreshold) -> list[ReviewedSystem]:
    rows: list[ReviewedSystem] = []
    for k, name in enumerate(review.systems):
        part = review.tested_on.of_system(k)
        rows.append(
            ReviewedSystem(
                metric=review.metric,
                system=name,
                segments=len(part.scores),
                share_acceptable=float(part.acceptable.mean()) if len(part.scores) else math.nan,
                skipping=_skipping(None if review.reason else part.outcome(review.threshold), review.reason),
            )
        )
    return rows


def _threshold_rows(review: ReviewThreshold) -> list[ThresholdRow]:
    rows: list[ThresholdRow] = []
    for threshold in review.thresholds():
        choice, test = review.chosen_on.outcome(threshold), review.tested_on.outcome(threshold)
        rows.append(
            ThresholdRow(
                threshold=threshold,
                chosen="yes" if threshold == review.threshold else "no",
                share_skipping=test.skipping.value,
                share_unacceptable=test.unacceptable.value,
                interval=test.unacceptable.interval,
                bound=review.tested_on.bound(threshold, review.confidence),
                precision=test.precision.value,
                recall=test.recall.value,
                choice_skipping=choice.skipping.value,
                choice_unacceptable=choice.unacceptable.value,
                reason=test.unacceptable.reason or test.reason or choice.reason,
            )
        )
    return rows


def _percent(fraction: float, decimals: int | None = 1) -> str:
    """Format a fraction as a percentage, with all digits if decimals is None."""
    return f"{100 * fraction:.10g}%" if decimals is None else f"{100 * fraction:.{decimals}f}%"


def _number(value: float) -> str:
    return exact(value).replace("-", MINUS)
