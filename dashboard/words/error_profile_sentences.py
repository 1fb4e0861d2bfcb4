"""Profiles of errors and the agreement of spans, in plain language. Pure functions."""

from __future__ import annotations

import math

from bleu_core.dataset import plural
from bleu_core.error_spans import TOKENS_PER_RATE, ErrorDifferences, SpanAgreement
from bleu_core.fields import decimal
from bleu_core.inference import ALPHA, significant
from dashboard.words.formatting import INTERVAL, p_of


def errors_of_two_systems(differences: ErrorDifferences, metric: str | None = None) -> str:
    """State which of two systems has more errors, as marked by judges or by a metric."""
    system, baseline = differences.system, differences.baseline
    if differences.reason:
        return f"The errors of {system} and {baseline} cannot be compared: {differences.reason}."
    row = differences.rows[0]
    by = "" if metric is None else f" by {metric}"
    rates = f"{decimal(row.rate)} and {decimal(row.baseline_rate)} per {TOKENS_PER_RATE:,} tokens{by}"
    tested = row if row.adjusted is None else row.adjusted
    if math.isnan(tested.p_value_adjusted):
        return f"Errors of {system} and {baseline}: {rates}."
    how = "" if row.adjusted is None else ", adjusted for judges"
    if not significant(tested.p_value_adjusted, ALPHA):
        return f"No significant difference in errors between {system} and {baseline}{how}: {rates}."
    more = "more" if tested.delta > 0 else "fewer"
    return f"{system} has significantly {more} errors than {baseline}{how}: {rates}."


def evidence_of_errors(differences: ErrorDifferences) -> str:
    """State the difference with its interval and p, or why it has none; empty if nothing is compared."""
    if not differences.rows:
        return ""
    row = differences.rows[0]
    difference = f"The difference is {decimal(row.delta, signed=True)}"
    segments = f"on {differences.segments:,} {plural(differences.segments, 'segment')} that were annotated for both"
    if row.adjusted is not None:
        adjusted = row.adjusted
        return (
            f"Judges are confounded with systems, so the difference is adjusted for judges: "
            f"{decimal(adjusted.delta, signed=True)} ({INTERVAL} {decimal(adjusted.low)} to {decimal(adjusted.high)}; "
            f"corrected p {p_of(adjusted.p_value_adjusted)}). The raw difference is "
            f"{decimal(row.delta, signed=True)}, {segments}."
        )
    if row.reason:
        return f"{difference}. It is not tested: {row.reason}."
    return (
        f"{difference} ({INTERVAL} {decimal(row.interval.low)} to {decimal(row.interval.high)}; corrected p "
        f"{p_of(row.p_value_adjusted)}), {segments}."
    )


def agreement_of_error_spans(agreement: SpanAgreement) -> str:
    """State how well the spans of judges agree, or why that is not known."""
    if agreement.reason:
        return f"The agreement of error spans is not known: {agreement.reason}."
    pooled = next((pair for pair in agreement.pairs if pair.kind == "all judges"), agreement.pairs[0])
    names = "two judges" if pooled.kind == "all judges" else f"{pooled.first} and {pooled.second}"
    if math.isnan(pooled.scores.f1):
        return f"The agreement of error spans is undefined: {pooled.reason}."
    interval = pooled.scores.f1_interval
    bounds = "" if math.isnan(interval.low) else f" ({INTERVAL} {decimal(interval.low)} to {decimal(interval.high)})"
    return f"Error spans of {names} agree with an F1 of {decimal(pooled.scores.f1)}{bounds}."
