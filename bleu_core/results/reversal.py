"""Reversing sets, as a table, as JSON and in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.fields import (
    BASELINE,
    DELTA,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    Table,
    field,
    result,
    table_of,
)
from bleu_core.inference import Comparison, Comparisons
from bleu_core.segments import MAX_PERCENT, Reversal, expected_share

_USUAL = (
    "Expected share for this p-value and number of segments, if the contributions of segments to the difference are "
    "normally distributed."
)


@result
class ReversalResult:
    """The smallest set found of segments without which the order of a pair is reversed."""

    segments: tuple[int, ...] | None = field(
        "object",
        (
            "Numbers of the segments, from 1, without which the order of the two systems is reversed: the smallest set "
            "found, which is an upper bound; null if there is none."
        ),
        null=True,
    )
    share: float = field("fraction", "Number of these segments divided by the number of all segments.")
    usual_share: float | None = field("fraction", _USUAL, default=None)
    reason: str = field(REASON, default="")


@result
class _ReversalRow:
    """A reversing set, as a row of a table."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    delta: float = field(DELTA)
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED)
    left_out: float = field(
        "count", "Number of segments without which the order is reversed; an upper bound.", label="segments left out"
    )
    share: float = field(
        "fraction", "Number of these segments divided by the number of all segments.", label="share of segments"
    )
    usual_share: float | None = field("fraction", _USUAL, default=None)
    rest: float = field("difference", "Difference without these segments.", label="delta without them")
    segments: str = field("text", "Numbers of these segments, from 1.")
    reason: str = field(REASON, default="")


def reversal_results(
    comparisons: Comparisons, reversed_by: Sequence[Reversal], numbers: Sequence[int] | None = None
) -> tuple[ReversalResult, ...]:
    """Return the JSON of the reversing set of each pair.

    Args:
        comparisons: the pairs.
        reversed_by: their reversing sets.
        numbers: the number of each segment in the whole text, from 1, if only some of its segments are used.
    """
    return tuple(
        ReversalResult(
            segments=None if reversal.positions is None else segment_numbers(reversal, numbers),
            share=reversal.share,
            usual_share=usual_share_of(comparisons, pair),
            reason=reversal.reason,
        )
        for pair, reversal in zip(comparisons.pairs, reversed_by, strict=True)
    )


def reversal_table(
    comparisons: Comparisons,
    reversed_by: Sequence[Reversal],
    numbers: Sequence[int] | None = None,
    *,
    pairs: Sequence[Comparison] | None = None,
) -> Table:
    """Return the reversing set of each pair, with its p-value.

    Args:
        comparisons: all compared pairs.
        reversed_by: the reversing sets of the pairs in the table.
        numbers: as for `reversal_results`.
        pairs: the pairs in the table; all if None.
    """
    rows = [
        _ReversalRow(
            system=reversal.system,
            baseline=reversal.baseline,
            delta=reversal.delta,
            p_value=pair.p_value,
            p_value_adjusted=pair.p_value_adjusted,
            left_out=math.nan if reversal.positions is None else len(reversal.positions),
            share=reversal.share,
            usual_share=usual_share_of(comparisons, pair),
            rest=reversal.remaining_delta,
            segments=_listed(reversal, numbers),
            reason=reversal.reason,
        )
        for pair, reversal in zip(comparisons.pairs if pairs is None else pairs, reversed_by, strict=True)
    ]
    return table_of(rows, _ReversalRow).with_decimals(comparisons.decimals)


def reversal_sentences(reversed_by: Sequence[Reversal], numbers: Sequence[int] | None = None) -> list[str]:
    """Return a sentence for each pair with a reversing set, with the numbers of its segments."""
    return [
        f"The order of {reversal.system} and {reversal.baseline} is reversed without "
        f"{'segment' if len(reversal.positions) == 1 else 'segments'} {_listed(reversal, numbers)}."
        for reversal in reversed_by
        if reversal.positions is not None
    ]


def reversal_methods() -> str:
    """Return sentences for the methods section of a paper."""
    return (
        "For each pair, the fewest segments were searched without which the order of the two systems is reversed, up "
        f"to {MAX_PERCENT} percent of the segments. The set found is an upper bound, and was verified by scoring the "
        "remaining segments. It is not a second test: the usual share is that of normally distributed values of "
        "segments with the same p-value."
    )


def segment_numbers(reversal: Reversal, numbers: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the numbers of the segments of a reversing set, from 1, in the whole text; empty without a set."""
    return tuple(p + 1 if numbers is None else numbers[p] for p in reversal.positions or ())


def usual_share_of(comparisons: Comparisons, pair: Comparison) -> float | None:
    """Return the usual share, if the p-value is two-sided and segments are resampled."""
    if comparisons.unit != "segment" or comparisons.test == "sacrebleu-bootstrap":
        return None
    share = expected_share(pair, comparisons.segments)
    return None if math.isnan(share) else share


def _listed(reversal: Reversal, numbers: Sequence[int] | None) -> str:
    return ", ".join(map(str, segment_numbers(reversal, numbers)))
