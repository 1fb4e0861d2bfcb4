"""Differences between the error rates of two systems, with intervals and tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from bleu_core.arrays import Integers
from bleu_core.dataset import ErrorAnnotations, plural
from bleu_core.error_spans.confounded_judges import (
    ADJUSTED,
    OTHER_JUDGES,
    AdjustedErrorDifference,
    AdjustedErrors,
    confounded_reasons,
    same_judges,
)
from bleu_core.error_spans.kinds import Breakdown, error_kinds
from bleu_core.error_spans.profile import BY, check_tokens, error_weights, judges_of_segments, rates_of
from bleu_core.errors import SettingsError
from bleu_core.fields import (
    BASELINE,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    bounds,
    derived,
    field,
    inline,
    result,
)
from bleu_core.inference import (
    CONFIDENCE,
    INTERVAL_NAMES,
    SEED,
    TRIALS,
    Blocks,
    Interval,
    Method,
    Unit,
    adjust,
    compare,
    document_blocks,
)
from bleu_core.judges import MIN_DOCUMENTS
from bleu_core.progress import Progress
from bleu_core.scoring import SegmentStatistics


@result
class ErrorDifference:
    """The difference of two systems in errors of a kind per 1,000 tokens.

    Attributes:
        name, part: of the kind, as in ErrorRate.
        interval: NaN if there is none.
        adjusted: for judges, if these are confounded with the systems of the data; the row then has no p of its own.
    """

    name: str = field("text", "Severity, category or place of the errors; “all errors” for all.", label="errors")
    part: Literal["all", "group", "one"] = field(
        "text", "Whether the row has all errors, those of a group of categories, or those of one kind.", label="row"
    )
    rate: float = field("decimal", "Errors per 1,000 tokens of the system.")
    baseline_rate: float = field("decimal", "Errors per 1,000 tokens of the baseline.")
    delta: float = field("decimal", "Rate of the system minus that of the baseline.", label="difference")
    interval: Interval = inline(bounds("decimal", f"{100 * CONFIDENCE:g}% interval of the difference"))
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED, "p-value corrected for the rows of the table (Holm).")
    adjusted: AdjustedErrorDifference | None = inline(AdjustedErrorDifference, prefix="adjusted_", default=None)
    reason: str = field(REASON, default="")


@result
class ErrorDifferences:
    """Differences of the error rates of two systems, on the segments of both that were annotated.

    Attributes:
        by: what errors are divided by.
        system, baseline: names.
        seed: of all draws.
        method: of the intervals; None if there are none.
        rows: the differences, all errors first; kinds of errors that neither system has are left out.
        reason: why nothing is compared; empty if something is.
    """

    by: Breakdown = field(BY)
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    segments: int = field("count", "Segments that were annotated for both systems.")
    unit: Unit = field("text", "Unit that is swapped and resampled: document or segment.")
    units: int = field("count", "Number of units.")
    trials: int = field("count", "Number of trials of the permutation test; 0 if nothing is tested.")
    resamples: int = field("count", "Number of bootstrap resamples; 0 if intervals are by the jackknife, or none.")

    @derived("text", "Method of the intervals: percentiles of the bootstrap, or Student's t.")
    def interval_method(self) -> str:
        """The name of the method of the intervals."""
        return INTERVAL_NAMES[self.method]

    rows: tuple[ErrorDifference, ...] = field("object", "The kinds of errors that occur, all errors first.")
    warnings: tuple[str, ...] = field("object", "Warnings about the units.", default=())
    reason: str = field(REASON, default="")
    seed: int
    method: Method | None


def error_differences(
    annotations: ErrorAnnotations,
    tokens: Integers,
    system: str,
    baseline: str,
    *,
    by: Breakdown = "severity",
    documents: Sequence[str] | None = None,
    trials: int = TRIALS,
    seed: int = SEED,
    adjusted: AdjustedErrors | None = None,
    progress: Progress | None = None,
) -> ErrorDifferences:
    """Compare the error rates of two systems on the segments of both that were annotated.

    p is from a permutation test that swaps the errors of the two systems in randomly chosen documents, in proportion to
    the tokens of each system; if both have as many tokens, it is exact if errors are exchangeable within documents.
    Intervals are those of `bleu_core.inference.compare`: of the bootstrap over documents, or of the jackknife with
    fewer than 100 of them. With fewer than 10 documents, segments take their place. p-values are corrected for the
    rows of the table by Holm's method. Where judges are confounded with the two systems, there is no p and no interval.
    Where they are confounded with the systems of the data, differences are adjusted for judges, and these are tested,
    unless the same judges looked at both systems in every segment.

    Args:
        annotations: of the judges to average over, or of one metric.
        tokens: (K, S) tokens of the output of each system of the annotations in each segment.
        system: name of a system.
        baseline: name of another.
        by: what errors are divided by.
        documents: the document of each segment, if known.
        trials: of the permutation test.
        seed: of all draws.
        adjusted: the errors of all systems of the data, if judges are confounded with these.
        progress: called repeatedly with the draws done and their total.

    Raises:
        SettingsError: a system is not known, both are the same, or a number is out of its range.
        ValueError: the number of systems or segments differs.
    """
    check_tokens(annotations, tokens)
    pair = tuple(_position(annotations, name) for name in (system, baseline))
    if pair[0] == pair[1]:
        raise SettingsError(f"system {system!r} found twice, two different systems expected")
    common = np.flatnonzero((judges_of_segments(annotations)[list(pair)] > 0).all(axis=0))
    part = _of_pair(annotations, pair, common)
    kinds = [kind for kind in error_kinds(part, by) if kind.errors.any()]
    common_documents = None if documents is None else [documents[s] for s in common.tolist()]
    empty_result = ErrorDifferences(
        by=by,
        system=system,
        baseline=baseline,
        segments=len(common),
        unit="segment",
        units=len(common),
        trials=0,
        resamples=0,
        seed=seed,
        method=None,
        rows=(),
    )
    if not len(common):
        return replace(empty_result, reason="no segment was annotated for both systems")
    if not kinds:
        return replace(empty_result, reason="no error was marked in the segments that were annotated for both systems")
    statistics = _statistics(part, tokens[list(pair)][:, common], [kind.errors for kind in kinds])
    groups: Blocks | None = None
    warnings: list[str] = []
    if common_documents is not None:
        blocks = document_blocks(common_documents)
        if len(blocks.names) >= MIN_DOCUMENTS:
            groups = blocks
        else:
            number = len(blocks.names)
            warnings.append(
                f"{number} {plural(number, 'document')} found, at least {MIN_DOCUMENTS} needed to swap and resample "
                "documents: segments are swapped and resampled instead, which is less strict where the errors of a "
                "system cluster in documents"
            )
    comparisons = compare(
        statistics,
        [(2 * row, 2 * row + 1) for row in range(len(kinds))],
        test="randomization",
        groups=groups,
        trials=trials,
        seed=seed,
        correction="none",
        progress=progress,
    )
    by_adjusted: list[AdjustedErrorDifference | None] = [None] * len(kinds)
    if adjusted is not None and not same_judges(part):
        mean_tokens = float(tokens[list(pair)][:, common].mean())
        by_adjusted = _corrected(
            [adjusted.difference(by, kind, system, baseline, tokens=mean_tokens) for kind in kinds]
        )
        confounded = [OTHER_JUDGES if row is None else ADJUSTED for row in by_adjusted]
    else:
        confounded = confounded_reasons(part, [kind.errors for kind in kinds], common_documents, seed=seed)
    p_values = np.array(
        [math.nan if why else row.p_value for row, why in zip(comparisons.pairs, confounded, strict=True)]
    )
    rows = [
        ErrorDifference(
            name=kind.name,
            part=kind.part,
            rate=float(comparisons.scores[2 * number]),
            baseline_rate=float(comparisons.scores[2 * number + 1]),
            delta=compared.delta,
            interval=Interval(math.nan, math.nan, CONFIDENCE) if why else compared.interval,
            p_value=type(compared.p_value)(p_values[number]),
            p_value_adjusted=type(compared.p_value)(corrected),
            adjusted=by_adjusted[number],
            reason=why or compared.reason,
        )
        for number, (kind, compared, why, corrected) in enumerate(
            zip(kinds, comparisons.pairs, confounded, adjust(p_values), strict=True)
        )
    ]
    return replace(
        empty_result,
        unit=comparisons.unit,
        units=comparisons.units,
        trials=comparisons.trials,
        resamples=comparisons.resamples,
        method=comparisons.method,
        rows=tuple(rows),
        warnings=(*warnings, *comparisons.warnings),
    )


def _corrected(rows: Sequence[AdjustedErrorDifference | None]) -> list[AdjustedErrorDifference | None]:
    """Return adjusted differences with p-values that are corrected for their number."""
    p_values = adjust(np.array([math.nan if row is None else row.p_value for row in rows]))
    return [row and replace(row, p_value_adjusted=float(p)) for row, p in zip(rows, p_values, strict=True)]


def _position(annotations: ErrorAnnotations, name: str) -> int:
    if name not in annotations.systems:
        raise SettingsError(f"system {name!r} found, one of {', '.join(annotations.systems)} expected")
    return annotations.systems.index(name)


def _of_pair(annotations: ErrorAnnotations, pair: tuple[int, ...], common: Integers) -> ErrorAnnotations:
    """Return the annotations of two systems on common segments; both are numbered from 0 in the order given."""
    system_number = np.full(len(annotations.systems), -1, np.int64)
    system_number[list(pair)] = range(len(pair))
    segment_number = np.full(annotations.segments, -1, np.int64)
    segment_number[common] = range(len(common))
    systems, segments = system_number[annotations.item_system], segment_number[annotations.item_segment]
    kept = (systems >= 0) & (segments >= 0)
    return replace(
        annotations.of_items(kept),
        systems=tuple(annotations.systems[k] for k in pair),
        segments=len(common),
        item_system=systems[kept],
        item_segment=segments[kept],
    )


def _statistics(
    part: ErrorAnnotations, tokens: Integers, kinds: Sequence[np.ndarray[tuple[int], np.dtype[np.bool_]]]
) -> SegmentStatistics:
    """Return errors and tokens of each segment: for each kind of errors a row of the system and one of the baseline.

    The tokens of a segment are the mean of both systems', and the errors of a system are multiplied by the same ratio
    over all segments, so that rates are those of its own tokens. Swaps then leave the tokens as they are. With each
    system's own tokens, a single error would be significant if its system has the shorter output everywhere.
    """
    weights = error_weights(part)
    cells = part.item_cells[part.span_item]
    mean_tokens = tokens.mean(axis=0)
    own_tokens = tokens.sum(axis=1)
    ratios = np.divide(mean_tokens.sum(), own_tokens, out=np.full(2, np.nan), where=own_tokens > 0)
    values = np.empty((len(kinds), 2, part.segments, 2))
    values[..., 1] = mean_tokens
    for row, errors in enumerate(kinds):
        sums = np.bincount(cells[errors], weights[errors], 2 * part.segments)
        values[row, ..., 0] = sums.reshape(2, part.segments) * ratios[:, None]
    names = tuple(f"{row}:{side}" for row in range(len(kinds)) for side in part.systems)
    return SegmentStatistics(names, values.reshape(2 * len(kinds), part.segments, 2), rates_of, higher_is_better=False)
