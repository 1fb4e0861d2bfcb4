"""The threshold from which segments skip review: sentences, tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from bleu_core.agreement import (
    BOUND_CONFIDENCE,
    Exclusion,
    ReviewOutcome,
    ReviewPart,
    ReviewThreshold,
    Share,
    bound_confidence,
    percent_beside,
)
from bleu_core.dataset import plural
from bleu_core.fields import MINUS, REASON, SYSTEM, Table, bounds, exact, field, result, table_of
from bleu_core.formats import MqmWeights
from bleu_core.inference import CONFIDENCE
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.scoring import BleuEvaluation

_LEVEL = f"{100 * CONFIDENCE:g}%"
_BOUND_LEVEL = f"{100 * BOUND_CONFIDENCE:g}%"

_THRESHOLD_HELP = (
    "Score from which segments skip review: at or above it, or at or below it if lower scores are better. It has as "
    "few decimals as the scores of the part for the choice allow."
)

#: What was measured by tests/agreement/test_review_calibration.py (docs/measurements.md).
MEASURED = (
    "In samples of known populations, a threshold whose true share exceeds the limit was recommended in at most 3%: in "
    "0% to 3% of the samples with a threshold where at least half have one, and in up to all of them where few have "
    "one. The intervals of these samples covered the true share in 95% to 100%, and where few have a threshold in as "
    "few as 0%."
)

#: A share of segments below this has a decimal in sentences.
FEW = 0.1

CHOICE, TEST = "choice", "test"

_PART_HELP = f"Part of the documents or segments: {CHOICE}, a third of them, or {TEST}, the others."

#: Bounds of the share of unacceptable segments, in all tables.
_LOW, _HIGH = bounds("fraction", f"{_LEVEL} interval of the share of unacceptable segments").values()

_BOUND_HELP = (
    f"Upper bound of the share of unacceptable segments in the part for the test, which is compared with the limit: "
    f"one-sided, with {_BOUND_LEVEL} confidence for all metrics together."
)

_UNACCEPTABLE_HELP = "Share of the segments that skip review which are unacceptable."


@result
class ReviewShare:
    """A share of segments of systems."""

    count: int = field("count", "Number of segments.")
    of: int = field("count", "Number of segments that it is a share of.")
    share: float = field("fraction", "The share.")
    low: float = field("fraction", f"Lower end of its {_LEVEL} interval.")
    high: float = field("fraction", f"Upper end of its {_LEVEL} interval.")
    reason: str = field(REASON, default="")


@result
class ReviewedPart:
    """What a threshold does in one part."""

    part: str = field("text", _PART_HELP)
    units: int = field("count", "Number of documents or segments of the part.")
    skipping: ReviewShare = field("object", "Segments that skip review, of all.")
    unacceptable: ReviewShare = field("object", "Unacceptable segments, of those that skip review.")
    precision: ReviewShare = field("object", "Acceptable segments, of those that skip review.")
    recall: ReviewShare = field("object", "Segments that skip review, of the acceptable ones.")


@result
class _PartRow:
    """What a threshold does in one part, as a row of a table."""

    metric: str = field("text", "Name of the metric.")
    part: str = field("text", _PART_HELP)
    threshold: float = field("count", _THRESHOLD_HELP)
    segments: float = field("count", "Segments of systems with a score and a mean rating.")
    skipping: float = field("count", "Segments that skip review.")
    share_skipping: float = field("fraction", "Share of the segments that skip review.")
    unacceptable: float = field("count", "Segments that skip review and are unacceptable.")
    share_unacceptable: float = field("fraction", _UNACCEPTABLE_HELP)
    low: float = field(_LOW)
    high: float = field(_HIGH)
    precision: float = field("fraction", "Share of the segments that skip review which are acceptable.")
    recall: float = field("fraction", "Share of the acceptable segments that skip review.")
    reason: str = field(REASON, default="")


@result
class ThresholdRow:
    """What one of several thresholds does in both parts."""

    threshold: float = field("count", _THRESHOLD_HELP)
    chosen: str = field("text", "Whether this is the threshold that was chosen: yes or no.")
    share_skipping: float = field(
        "fraction", "Share of the segments that skip review, in the part for the test.", label="skipping"
    )
    share_unacceptable: float = field(
        "fraction",
        "Share of the segments that skip review which are unacceptable, in the part for the test.",
        label="unacceptable",
    )
    low: float = field(_LOW)
    high: float = field(_HIGH)
    bound: float = field("fraction", _BOUND_HELP, label="upper bound")
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
    skipping: float = field("count", "Segments of the system that skip review.")
    share_skipping: float = field("fraction", "Share of the system's segments that skip review.")
    unacceptable: float = field("count", "Segments that skip review and are unacceptable.")
    share_unacceptable: float = field("fraction", _UNACCEPTABLE_HELP)
    low: float = field(_LOW)
    high: float = field(_HIGH)
    reason: str = field(REASON, default="")


@result
class MetricReview:
    """The threshold of one metric."""

    metric: str = field("text", "Name of the metric.")
    signature: str = field("text", "Signature of the metric; empty for scores of a file.")
    higher_is_better: bool = field("text", "Whether a larger score is better.")
    threshold: float = field("number", _THRESHOLD_HELP)
    upper_bound: float = field("fraction", _BOUND_HELP)
    among: int = field("count", "Number of metrics that the confidence of the upper bound is for.")
    unit: str = field(
        "text", "Unit that was drawn for the parts and is a cluster of the intervals: document or segment."
    )
    documents: int = field("count", "Number of documents with ratings; 0 if they are unknown.")
    rated_segments: int = field("count", "Number of segments with a score and ratings of at least one system.")
    entries: int = field("count", "Number of segments of systems with a score and a mean rating.")
    share_acceptable: float = field("fraction", "Share of them that are acceptable.")
    parts: tuple[ReviewedPart, ...] = field("object", "The outcome in both parts; empty without a threshold.")
    systems: tuple[ReviewedSystem, ...] = field("object", "The outcome by system, in the part for the test.")
    thresholds: tuple[ThresholdRow, ...] = field("object", "The outcome of other thresholds.")
    note: str = field("text", "Why the parts are not of documents; empty if they are.")
    headline: str = field("text", "The result as a sentence.")
    reason: str = field(REASON, default="")


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
    rows: list[_PartRow] = []
    for review in reviews:
        if review.choice is None or review.test is None:
            rows.append(_without_threshold(review))
            continue
        rows.append(_part_row(review, review.choice, review.chosen_on, CHOICE))
        rows.append(_part_row(review, review.test, review.tested_on, TEST))
    return table_of(rows, _PartRow)


def thresholds_table(review: ReviewThreshold) -> Table:
    """Return the outcomes of thresholds in steps of 5% of the segments, and of the chosen one, the strictest first."""
    return table_of(_threshold_rows(review), ThresholdRow)


def reviewed_systems_table(reviews: Sequence[ReviewThreshold]) -> Table:
    """Return what each metric's threshold does to each system, in the part for the test."""
    return table_of([row for review in reviews for row in _system_rows(review)], ReviewedSystem)


def metric_review(review: ReviewThreshold) -> MetricReview:
    """Return the result of one metric for JSON."""
    parts: tuple[ReviewedPart, ...] = ()
    if review.choice is not None and review.test is not None:
        parts = (
            _reviewed_part(CHOICE, review.chosen_on, review.choice),
            _reviewed_part(TEST, review.tested_on, review.test),
        )
    return MetricReview(
        metric=review.metric,
        signature=review.signature,
        higher_is_better=review.higher_is_better,
        threshold=review.threshold,
        upper_bound=review.upper_bound,
        among=review.among,
        unit=review.unit,
        documents=review.documents,
        rated_segments=review.segments,
        entries=review.entries,
        share_acceptable=review.acceptable_share,
        parts=parts,
        systems=tuple(_system_rows(review)),
        thresholds=tuple(_threshold_rows(review)),
        note=review.note,
        headline=review_sentence(review),
        reason=review.reason,
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


def _without_threshold(review: ReviewThreshold) -> _PartRow:
    nan = math.nan
    return _PartRow(
        metric=review.metric,
        part=CHOICE,
        threshold=nan,
        segments=len(review.chosen_on.scores),
        skipping=nan,
        share_skipping=nan,
        unacceptable=nan,
        share_unacceptable=nan,
        low=nan,
        high=nan,
        precision=nan,
        recall=nan,
        reason=review.reason,
    )


def _part_row(review: ReviewThreshold, outcome: ReviewOutcome, part: ReviewPart, name: str) -> _PartRow:
    return _PartRow(
        metric=review.metric,
        part=name,
        threshold=outcome.threshold,
        segments=len(part.scores),
        skipping=outcome.skipping.count,
        share_skipping=outcome.skipping.value,
        unacceptable=outcome.unacceptable.count,
        share_unacceptable=outcome.unacceptable.value,
        low=outcome.unacceptable.interval.low,
        high=outcome.unacceptable.interval.high,
        precision=outcome.precision.value,
        recall=outcome.recall.value,
        reason=_reason_of(outcome, outcome.unacceptable) or outcome.reason,
    )


def _reviewed_part(name: str, part: ReviewPart, outcome: ReviewOutcome) -> ReviewedPart:
    def share(of: Share) -> ReviewShare:
        return ReviewShare(
            count=of.count,
            of=of.of,
            share=of.value,
            low=of.interval.low,
            high=of.interval.high,
            reason=_reason_of(outcome, of),
        )

    return ReviewedPart(
        part=name,
        units=part.size,
        skipping=share(outcome.skipping),
        unacceptable=share(outcome.unacceptable),
        precision=share(outcome.precision),
        recall=share(outcome.recall),
    )


def _system_rows(review: ReviewThreshold) -> list[ReviewedSystem]:
    rows: list[ReviewedSystem] = []
    for k, name in enumerate(review.systems):
        part = review.tested_on.of_system(k)
        n, nan = len(part.scores), math.nan
        outcome = part.outcome(review.threshold) if not review.reason else None
        unacceptable = None if outcome is None else outcome.unacceptable
        rows.append(
            ReviewedSystem(
                metric=review.metric,
                system=name,
                segments=n,
                share_acceptable=float(part.acceptable.mean()) if n else nan,
                skipping=nan if outcome is None else outcome.skipping.count,
                share_skipping=nan if outcome is None else outcome.skipping.value,
                unacceptable=nan if unacceptable is None else unacceptable.count,
                share_unacceptable=nan if unacceptable is None else unacceptable.value,
                low=nan if unacceptable is None else unacceptable.interval.low,
                high=nan if unacceptable is None else unacceptable.interval.high,
                reason=review.reason if outcome is None else _reason_of(outcome, outcome.unacceptable),
            )
        )
    return rows


def _reason_of(outcome: ReviewOutcome, share: Share) -> str:
    """Return why a share, or its interval, is undefined; empty if both are defined."""
    if not (math.isnan(share.value) or math.isnan(share.interval.low)):
        return ""
    return outcome.reason or "they are all of one document or segment"


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
                low=test.unacceptable.interval.low,
                high=test.unacceptable.interval.high,
                bound=review.tested_on.bound(threshold, review.confidence),
                precision=test.precision.value,
                recall=test.recall.value,
                choice_skipping=choice.skipping.value,
                choice_unacceptable=choice.unacceptable.value,
                reason=_reason_of(test, test.unacceptable) or test.reason or choice.reason,
            )
        )
    return rows


def _percent(fraction: float, decimals: int | None = 1) -> str:
    """Format a fraction as a percentage, with all digits if decimals is None."""
    return f"{100 * fraction:.10g}%" if decimals is None else f"{100 * fraction:.{decimals}f}%"


def _number(value: float) -> str:
    return exact(value).replace("-", MINUS)
