"""Agreement of error spans: of judges with each other, and of metrics with judges.

Precision, recall and F1 of the spans of two annotators, who have looked at the same items (segments of systems), are
micro-averaged: credits of matched spans (`match_spans`) and numbers of spans are summed over all items before they are
divided. An item in which neither has marked a span adds nothing. If neither has marked any span in any item, all three
are undefined; if only one has, the measure that would divide by the number of the other's spans is undefined, and F1 is
0, whatever the other measure.

Omissions and other errors without a place in the text cannot overlap anything. They are left out and counted.

With severities, a pair of spans of different severity has half the credit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Annotator, ErrorAnnotations
from bleu_core.error_spans.matching import OTHER_SEVERITY_CREDIT, PlacedSpan, match_spans
from bleu_core.fields import REASON, bounds, field, fields_of, inline, result
from bleu_core.inference import (
    CONFIDENCE,
    MIN_UNITS,
    RESAMPLES,
    SEED,
    Blocks,
    Interval,
    Unit,
    document_blocks,
    metric_intervals,
    too_few_units_reason,
)
from bleu_core.judges import MIN_DOCUMENTS
from bleu_core.progress import Progress
from bleu_core.scoring import Numbers, SegmentStatistics

#: Maximum number of pairs of judges that are listed, those with the most common items; all count in the pooled row.
MAX_LISTED_PAIRS = 300

#: Names of both sides of the pooled row, and of the judges that a metric is compared with.
A_JUDGE, OTHER_JUDGES, ALL_JUDGES = "a judge", "another judge", "judges"

NO_SPANS = "neither has marked an error with a place in the text"
UNDEFINED_RESAMPLE = "some resamples have no spans, so that there is no interval"

_INTERVAL = f"{100 * CONFIDENCE:g}% interval of"

_MEASURES = ("precision", "recall", "f1")


@result
class SpanScores:
    """Precision, recall and F1 of the spans of two annotators.

    Attributes:
        precision, recall, f1: fractions; NaN if undefined.
        precision_interval, recall_interval, f1_interval: NaN if there is none.
    """

    precision: float = field("number", "Mean credit of the first side's spans.")
    precision_interval: Interval = inline(bounds("number", f"{_INTERVAL} precision"), prefix="precision_")
    recall: float = field("number", "Mean credit of the second side's spans.")
    recall_interval: Interval = inline(bounds("number", f"{_INTERVAL} recall"), prefix="recall_")
    f1: float = field("number", "Harmonic mean of precision and recall.")
    f1_interval: Interval = inline(bounds("number", f"{_INTERVAL} F1"), prefix="f1_")


#: The declarations of the same scores where severities count.
_WITH_SEVERITY = {
    key: replace(declared, help=f"{declared.help} A pair of different severity has half the credit.")
    for key, declared in fields_of(SpanScores).items()
}


@result
class SpanPair:
    """Agreement of the spans of two annotators.

    Attributes:
        scores: severities are ignored.
        with_severity: a pair of different severity has half the credit.
    """

    kind: Literal["judges", "all judges", "metric"] = field(
        "text", "Whether two judges are compared, all pairs of judges together, or a metric with judges.", label="pair"
    )
    first: str = field("text", "Annotator whose spans precision is of.")
    second: str = field("text", "Annotator whose spans recall is of.")
    items: int = field("count", "Items (translated segments) that both have looked at, in pairs of annotators.")
    first_spans: int = field("count", "Spans of the first in these items, with a place in the text.")
    second_spans: int = field("count", "Spans of the second in these items.")
    scores: SpanScores = inline(SpanScores)
    with_severity: SpanScores = inline(_WITH_SEVERITY, prefix="severity_")
    unit: Unit = field("text", "Unit that is resampled for the intervals: document or segment.")
    units: int = field("count", "Number of units with such items.")
    reason: str = field(REASON, default="")


@result
class SpanAgreement:
    """Agreement of the error spans of annotators.

    Attributes:
        listed: number of pairs of judges in the list.
        left_out: of all annotators.
        seed: of the draws.
        reason: why there is no pair; empty if there is one.
    """

    pairs: tuple[SpanPair, ...] = field(
        "object",
        "Pairs of judges, those with the most common items first; then all pairs of judges together, in both "
        "directions; then each metric with the judges.",
    )
    judge_pairs: int = field("count", "Pairs of judges with common items; some are not listed if there are many.")
    left_out: int = field("count", "Errors without a place in the text, such as omissions, which cannot be compared.")
    not_optimal: int = field(
        "count", "Pairs of items in which so many spans overlap that their matching may not be the best one."
    )
    resamples: int = field("count", "Number of bootstrap resamples for the intervals.")
    reason: str = field(REASON, default="")
    listed: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class _Matches:
    """Matched pairs of items: of n pairs of items that two annotators share.

    Attributes:
        pair: (n, 2) indices of the annotators, the first before the second.
        segment: (n,).
        values: (n, 2, 4): without and with severities, the credit of precision, the spans of the first, the credit of
            recall and the spans of the second.
        not_optimal: number of items whose matching may not be the best.
    """

    pair: Integers
    segment: Integers
    values: Floats
    not_optimal: int


def span_agreement(
    annotations: ErrorAnnotations,
    documents: Sequence[str] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> SpanAgreement:
    """Compute the agreement of spans of each pair of judges, of all pairs together, and of each metric with judges.

    Intervals are percentiles of the bootstrap over documents, if at least 10 have common items, or else over segments.
    All pairs together are compared in both directions, since none of the two is the first: precision, recall and F1 are
    equal. A metric is compared with each judge of an item; its spans count once for each of them.

    Args:
        annotations: of judges and metrics.
        documents: the document of each segment, if known.
        resamples: of the bootstrap.
        seed: of the draws.
        progress: called with the number of pairs that are done and their total.

    Raises:
        SettingsError: a number is out of its range.
    """
    matches = _matches(annotations)
    resampling = _Resampling(documents=documents, resamples=resamples, seed=seed)
    is_metric = np.array([a.is_metric for a in annotations.annotators], np.bool_)
    metrics_of_pair = is_metric[matches.pair].sum(axis=1)
    of_judges = np.flatnonzero(metrics_of_pair == 0)
    keys, number, items = np.unique(matches.pair[of_judges], axis=0, return_inverse=True, return_counts=True)
    number = number.reshape(-1)
    largest = np.argsort(-items, kind="stable")[:MAX_LISTED_PAIRS]
    names = _names(annotations.annotators)
    metrics = [a for a in range(len(names)) if is_metric[a]]
    total = len(largest) + 1 + len(metrics)
    pairs: list[SpanPair] = []
    for index in largest.tolist():
        rows = of_judges[number == index]
        first, second = (int(annotator) for annotator in keys[index])
        pairs.append(resampling.pair("judges", (names[first], names[second]), matches, rows))
        if progress:
            progress(len(pairs), total)
    if len(keys) > 1:
        both_ways = replace(matches, values=matches.values + matches.values[..., [2, 3, 0, 1]])
        pairs.append(resampling.pair("all judges", (A_JUDGE, OTHER_JUDGES), both_ways, of_judges))
    for metric in metrics:
        rows = np.flatnonzero((metrics_of_pair == 1) & (matches.pair == metric).any(axis=1))
        if not len(rows):
            continue
        turned = matches.pair[rows, 0] != metric
        values = matches.values.copy()
        values[rows[turned]] = values[rows[turned]][..., [2, 3, 0, 1]]
        pairs.append(resampling.pair("metric", (names[metric], ALL_JUDGES), replace(matches, values=values), rows))
        if progress:
            progress(len(pairs), total)
    return SpanAgreement(
        pairs=tuple(pairs),
        listed=len(largest),
        judge_pairs=len(keys),
        left_out=int((~_comparable(annotations)).sum()),
        not_optimal=matches.not_optimal,
        resamples=resamples,
        seed=seed,
        reason="" if pairs else "no two annotators have looked at the same translation of a segment",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resampling:
    """The units and draws of the intervals."""

    documents: Sequence[str] | None
    resamples: int
    seed: int

    def pair(
        self,
        kind: Literal["judges", "all judges", "metric"],
        names: tuple[str, str],
        matches: _Matches,
        rows: npt.NDArray[np.intp],
    ) -> SpanPair:
        """Return the agreement over some of the matched items."""
        segments, position = np.unique(matches.segment[rows], return_inverse=True)
        by_segment = np.zeros((len(segments), 2, 4))
        np.add.at(by_segment, position, matches.values[rows])
        values = by_segment.swapaxes(0, 1)
        groups = self._documents(segments)
        units = len(segments) if groups is None else len(groups.names)
        unit: Unit = "segment" if groups is None else "document"
        statistics = SegmentStatistics(("without", "with"), values, partial(span_scores, measure="f1"))
        scores: dict[str, Floats] = {}
        intervals: dict[str, tuple[Interval, ...]] = {}
        for measure in _MEASURES:
            of_measure = replace(statistics, score=partial(span_scores, measure=measure))
            scores[measure] = of_measure.score(of_measure.sums())
            by_name = metric_intervals(of_measure, groups=groups, resamples=self.resamples, seed=self.seed)
            intervals[measure] = tuple(by_name[name] for name in statistics.systems)
        without, with_severity = (
            SpanScores(
                precision=float(scores["precision"][k]),
                precision_interval=intervals["precision"][k],
                recall=float(scores["recall"][k]),
                recall_interval=intervals["recall"][k],
                f1=float(scores["f1"][k]),
                f1_interval=intervals["f1"][k],
            )
            for k in range(2)
        )
        numbers = values[0].sum(axis=0)
        directions = 2 if kind == "all judges" else 1
        return SpanPair(
            kind=kind,
            first=names[0],
            second=names[1],
            items=len(rows),
            first_spans=round(float(numbers[1]) / directions),
            second_spans=round(float(numbers[3]) / directions),
            scores=without,
            with_severity=with_severity,
            unit=unit,
            units=units,
            reason=_reason(names, numbers, without, units=units, unit=unit),
        )

    def _documents(self, segments: Integers) -> Blocks | None:
        """Return the documents of segments, if there are enough to resample them."""
        documents = self.documents
        if documents is None:
            return None
        blocks = document_blocks([documents[int(s)] for s in segments])
        return blocks if len(blocks.names) >= MIN_DOCUMENTS else None


def span_scores(sums: Numbers, measure: str) -> Floats:
    """Return a measure of sums of credits and numbers of spans.

    Args:
        sums: (..., 4), the credit of precision, the spans of the first, the credit of recall, the spans of the second.
        measure: "precision", "recall" or "f1".

    Returns:
        (...) fractions; NaN where undefined.
    """
    precision, recall = _quotient(sums[..., 0], sums[..., 1]), _quotient(sums[..., 2], sums[..., 3])
    if measure == "precision":
        return precision
    if measure == "recall":
        return recall
    credited = (sums[..., 0] > 0) & (sums[..., 2] > 0)
    harmonic = np.divide(2 * precision * recall, precision + recall, out=np.zeros(credited.shape), where=credited)
    return np.where(sums[..., 1] + sums[..., 3] > 0, harmonic, math.nan)


def _quotient(numerator: Numbers, denominator: Numbers) -> Floats:
    undefined = np.full(denominator.shape, math.nan)
    return np.divide(numerator, denominator, out=undefined, where=denominator > 0)


def _reason(names: tuple[str, str], numbers: Floats, scores: SpanScores, *, units: int, unit: Unit) -> str:
    """Return why a measure or an interval is undefined; empty if none is."""
    if math.isnan(scores.f1):
        return NO_SPANS
    if units < MIN_UNITS:
        return too_few_units_reason(units, unit)
    for name, count in zip(names, (numbers[1], numbers[3]), strict=True):
        if not count:
            return f"{name} has marked no error with a place in the text"
    bounds_of = (scores.precision_interval, scores.recall_interval, scores.f1_interval)
    return UNDEFINED_RESAMPLE if any(math.isnan(interval.low) for interval in bounds_of) else ""


def _names(annotators: Sequence[Annotator]) -> list[str]:
    """Return the name of each annotator, with the group or kind if the name occurs twice."""
    names = [a.name for a in annotators]
    return [
        a.name if names.count(a.name) == 1 else f"{a.name} ({'metric' if a.is_metric else a.group or 'no group'})"
        for a in annotators
    ]


def _comparable(annotations: ErrorAnnotations) -> npt.NDArray[np.bool_]:
    """Return which errors, (E,), have a place of at least one character in the text."""
    return annotations.placed & (annotations.span_end > annotations.span_start)


def _matches(annotations: ErrorAnnotations) -> _Matches:
    """Match the spans of all pairs of annotators of an item, except of two metrics."""
    spans = _spans_by_item(annotations)
    pairs: list[tuple[int, int]] = []
    segments: list[int] = []
    values: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    not_optimal = 0
    is_metric = [a.is_metric for a in annotations.annotators]
    annotator, segment = annotations.item_annotator.tolist(), annotations.item_segment.tolist()
    for items in _items_by_translation(annotations):
        for one, other in combinations(items, 2):
            if is_metric[annotator[one]] and is_metric[annotator[other]]:
                continue
            first, second = spans.get(one, ()), spans.get(other, ())
            numbers = float(len(first)), float(len(second))
            rows: list[tuple[float, ...]] = []
            for factor in (1.0, OTHER_SEVERITY_CREDIT):
                precision = recall = 0.0
                if first and second:
                    precision, recall, is_optimal = match_spans(first, second, other_severity_credit=factor)
                    not_optimal += factor == 1.0 and not is_optimal
                rows.append((precision, numbers[0], recall, numbers[1]))
            pairs.append((annotator[one], annotator[other]))
            segments.append(segment[one])
            values.append((rows[0], rows[1]))
    return _Matches(
        pair=np.array(pairs, np.int64).reshape(-1, 2),
        segment=np.array(segments, np.int64),
        values=np.array(values, np.float64).reshape(-1, 2, 4),
        not_optimal=not_optimal,
    )


def _spans_by_item(annotations: ErrorAnnotations) -> Mapping[int, list[PlacedSpan]]:
    """Return the spans with a place in the text, by item; items without any are missing."""
    kept = _comparable(annotations)
    columns = (
        annotations.span_item,
        annotations.span_in_source,
        annotations.span_start,
        annotations.span_end,
        annotations.span_severity,
    )
    spans: dict[int, list[PlacedSpan]] = {}
    for item, *span in zip(*(column[kept].tolist() for column in columns), strict=True):
        spans.setdefault(item, []).append(PlacedSpan(*span))
    return spans


def _items_by_translation(annotations: ErrorAnnotations) -> Iterator[list[int]]:
    """Yield the items of each translation of a segment that several annotators looked at, in their order."""
    order = np.lexsort((annotations.item_annotator, annotations.item_cells))
    cells = annotations.item_cells[order]
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    for part in np.split(order, starts[1:]) if len(order) else ():
        if len(part) > 1:
            yield part.tolist()
