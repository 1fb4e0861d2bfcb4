"""Reversing sets as a table, as JSON and in sentences."""

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
    "Share that is usual for this p-value and number of segments, if what segments add to the difference is "
    "distributed normally."
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
    found: Comparisons, reversed_by: Sequence[Reversal], numbers: Sequence[int] | None = None
) -> tuple[ReversalResult, ...]:
    """The reversing set of each pair, for JSON.

    Args:
        found: the pairs.
        reversed_by: their reversing sets.
        numbers: the number of each segment in the whole text, from 1, if only some of its segments are used.
    """
    return tuple(
        ReversalResult(
            segments=None if one.positions is None else segment_numbers(one, numbers),
            share=one.share,
            usual_share=usual_share_of(found, pair),
            reason=one.reason,
        )
        for pair, one in zip(found.pairs, reversed_by, strict=True)
    )


def reversal_table(
    found: Comparisons,
    reversed_by: Sequence[Reversal],
    numbers: Sequence[int] | None = None,
    *,
    pairs: Sequence[Comparison] | None = None,
) -> Table:
    """The reversing set of each pair, beside its p-value.

    Args:
        found: all pairs that were compared.
        reversed_by: the reversing sets of the pairs in the table.
        numbers: as in `reversal_results`.
        pairs: those in the table; all if None.
    """
    rows = [
        _ReversalRow(
            system=one.system,
            baseline=one.baseline,
            delta=one.delta,
            p_value=pair.p_value,
            p_value_adjusted=pair.p_value_adjusted,
            left_out=math.nan if one.positions is None else len(one.positions),
            share=one.share,
            usual_share=usual_share_of(found, pair),
            rest=one.remaining_delta,
            segments=_listed(one, numbers),
            reason=one.reason,
        )
        for pair, one in zip(found.pairs if pairs is None else pairs, reversed_by, strict=True)
    ]
    return table_of(rows, _ReversalRow)


def reversal_sentences(reversed_by: Sequence[Reversal], numbers: Sequence[int] | None = None) -> list[str]:
    """A sentence for each pair that has a reversing set, with the numbers of its segments."""
    return [
        f"The order of {one.system} and {one.baseline} is reversed without "
        f"{'segment' if len(one.positions) == 1 else 'segments'} {_listed(one, numbers)}."
        for one in reversed_by
        if one.positions is not None
    ]


def reversal_methods() -> str:
    """Sentences for a paper's methods section."""
    return (
        "For each pair, the fewest segments were searched without which the order of the two systems is reversed, up "
        f"to {MAX_PERCENT} percent of the segments. The set found is an upper bound, and was verified by scoring the "
        "segments that are left. It is no second test: a usual share is that of normally distributed values of "
        "segments with the same p-value."
    )


def segment_numbers(found: Reversal, numbers: Sequence[int] | None = None) -> tuple[int, ...]:
    """The numbers of the segments of a reversing set, from 1, in the whole text; none if there is no set."""
    return tuple(p + 1 if numbers is None else numbers[p] for p in found.positions or ())


def usual_share_of(found: Comparisons, pair: Comparison) -> float | None:
    """The usual share, if the p-value is two-sided and segments are what is resampled."""
    if found.unit != "segment" or found.test == "sacrebleu-bootstrap":
        return None
    share = expected_share(pair, found.segments)
    return None if math.isnan(share) else share


def _listed(found: Reversal, numbers: Sequence[int] | None) -> str:
    return ", ".join(map(str, segment_numbers(found, numbers)))
