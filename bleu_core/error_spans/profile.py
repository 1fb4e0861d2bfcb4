"""Profiles of errors: errors per 1,000 tokens of each system by severity, category or place.

The number of errors of an item is that of its judge; the number of a segment of a system is the mean over the judges
who have looked at it. A rate is the sum of these numbers over the annotated segments of the system, divided by the
tokens of its output there. A segment without errors counts with its tokens; a segment that nobody has looked at does
not count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Annotator, ErrorAnnotations
from bleu_core.error_spans.kinds import Breakdown, error_kinds
from bleu_core.fields import REASON, SYSTEM, Field, derived, field, result
from bleu_core.scoring import BleuEvaluation

#: What errors are divided by, in JSON.
BY = Field("text", "What errors are divided by.")

#: Rates are errors per this number of tokens.
TOKENS_PER_RATE = 1000

#: Why a system has no rates.
NOT_ANNOTATED = "no segment of the system was annotated"
NO_TOKENS = "the annotated segments of the system have no tokens"


@result
class ProfiledSystem:
    """A system and the annotations that its rates come from."""

    system: str = field(SYSTEM)
    segments: int = field("count", "Annotated segments.")
    judges: int = field("count", "Judges, or metrics, who looked at these segments.")
    tokens: int = field("count", "Tokens of the system's output in these segments.")
    errors: int = field("count", "Errors that were marked, by all judges together.")
    without_place: int = field("count", "Those without a place in the text, such as omissions, or not found in it.")
    reason: str = field(REASON, default="")


@result
class SystemRate:
    """The rate of errors of a kind of one system."""

    system: str = field(SYSTEM)
    rate: float = field("decimal", "Errors per 1,000 tokens: mean over the judges of a segment.")
    reason: str = field(REASON, default="")


@result
class ErrorRate:
    """Errors of a kind per 1,000 tokens, by system.

    Attributes:
        name, part: of the kind.
        rates: system -> rate; NaN if undefined.
        reasons: system -> why its rate is undefined, for those without one.
    """

    name: str = field("text", "Severity, category or place of the errors; “all errors” for all.", label="errors")
    part: Literal["all", "group", "one"] = field(
        "text",
        "Whether the row has all errors, those of a group of categories (the part before the slash), or those of one "
        "kind.",
        label="row",
    )
    rates: Mapping[str, float] = field(
        "decimal",
        "Errors per 1,000 tokens of {}: mean over the judges of a segment.",
        columns="{}",
        only="table",
    )
    reasons: Mapping[str, str]

    @derived("object", "Rate of each system.", key="systems")
    def by_system(self) -> tuple[SystemRate, ...]:
        """The rates of the systems, with the reasons."""
        return tuple(
            SystemRate(system=name, rate=rate, reason=self.reasons.get(name, "")) for name, rate in self.rates.items()
        )

    @derived("text", REASON.help, key="reason", only="table")
    def reason(self) -> str:
        """Why rates are undefined; empty if none is."""
        return "; ".join(f"{name}: {why}" for name, why in self.reasons.items())


@result
class ErrorProfile:
    """Errors per 1,000 tokens of K systems, by severity, category or place.

    Attributes:
        annotators: who marked them.
        systems: the K systems, in the order of the annotations.
    """

    by: Breakdown = field(BY)
    rates: tuple[ErrorRate, ...] = field("object", "The kinds of errors, all errors first.", key="rows")
    annotators: tuple[Annotator, ...]
    systems: tuple[ProfiledSystem, ...]


def output_tokens(evaluation: BleuEvaluation) -> Integers:
    """Return the number of tokens of the output of K systems in each segment, (K, S), by the tokeniser in force."""
    return np.asarray(evaluation.stats.hypothesis_lengths, np.int64)


def profile_errors(annotations: ErrorAnnotations, tokens: Integers, by: Breakdown = "severity") -> ErrorProfile:
    """Compute errors per 1,000 tokens of each system.

    Args:
        annotations: of the judges to average over, or of one metric.
        tokens: (K, S) tokens of the output of each system of the annotations in each segment.
        by: what errors are divided by.

    Raises:
        SettingsError: there is no such breakdown.
        ValueError: the number of systems or segments differs.
    """
    check_tokens(annotations, tokens)
    names = annotations.systems
    annotated = judges_of_segments(annotations) > 0
    totals = np.where(annotated, tokens, 0).sum(axis=1)
    weights = error_weights(annotations)
    system = annotations.item_system[annotations.span_item]
    segments = annotated.sum(axis=1)
    reasons = ["" if totals[k] else NO_TOKENS if segments[k] else NOT_ANNOTATED for k in range(len(names))]
    rates: list[ErrorRate] = []
    for kind in error_kinds(annotations, by):
        sums = np.bincount(system[kind.errors], weights[kind.errors], len(names))
        values = rates_of(np.stack([sums, totals.astype(np.float64)], axis=-1))
        rates.append(
            ErrorRate(
                name=kind.name,
                part=kind.part,
                rates=dict(zip(names, values.tolist(), strict=True)),
                reasons={name: why for name, why in zip(names, reasons, strict=True) if why},
            )
        )
    return ErrorProfile(
        by=by,
        annotators=annotations.annotators,
        systems=tuple(
            ProfiledSystem(
                system=name,
                segments=int(segments[k]),
                judges=len(np.unique(annotations.item_annotator[annotations.item_system == k])),
                tokens=int(totals[k]),
                errors=int((system == k).sum()),
                without_place=int((~annotations.placed & (system == k)).sum()),
                reason=reasons[k],
            )
            for k, name in enumerate(names)
        ),
        rates=tuple(rates),
    )


def judges_of_segments(annotations: ErrorAnnotations) -> Integers:
    """Return the number of annotators who have looked at each segment of each system, (K, S)."""
    shape = len(annotations.systems), annotations.segments
    return np.bincount(annotations.item_cells, minlength=math.prod(shape)).reshape(shape).astype(np.int64)


def error_weights(annotations: ErrorAnnotations) -> Floats:
    """Return the weight of each error in the mean over the judges of its segment, (E,): 1 divided by their number."""
    judges = judges_of_segments(annotations)[annotations.item_system, annotations.item_segment]
    return 1 / judges[annotations.span_item].astype(np.float64)


def rates_of(sums: npt.NDArray[np.int64 | np.float64]) -> Floats:
    """Return rates of (..., 2) sums of errors and tokens, errors per 1,000 tokens; NaN without tokens."""
    tokens = sums[..., 1]
    undefined = np.full(tokens.shape, math.nan)
    return np.divide(TOKENS_PER_RATE * sums[..., 0], tokens, out=undefined, where=tokens > 0)


def check_tokens(annotations: ErrorAnnotations, tokens: Integers) -> None:
    """Check that tokens are those of the systems and segments of the annotations.

    Raises:
        ValueError: their number differs.
    """
    expected = len(annotations.systems), annotations.segments
    if tokens.shape != expected:
        raise ValueError(f"tokens of shape {tokens.shape} found, {expected} expected")
