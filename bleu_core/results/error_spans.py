"""Profiles of errors, their differences and the agreement of spans, as tables, as JSON and as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bleu_core.dataset import plural
from bleu_core.error_spans import (
    OTHER_SEVERITY_CREDIT,
    TOKENS_PER_RATE,
    Breakdown,
    ErrorDifference,
    ErrorDifferences,
    ErrorProfile,
    ErrorRate,
    ProfiledSystem,
    SpanAgreement,
    SpanPair,
)
from bleu_core.fields import Table, field, result, table_of
from bleu_core.inference import CONFIDENCE, INTERVAL_NAMES, MIN_PERCENTILE_UNITS
from bleu_core.judges import MIN_DOCUMENTS
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.scoring import BleuEvaluation
from bleu_core.version import VERSION

#: Who marked the errors of a profile, if it is not a metric.
JUDGES = "judges"

#: Columns of the table of agreement that only programs read.
DETAILS = (
    "precision_low",
    "precision_high",
    "recall_low",
    "recall_high",
    "severity_precision",
    "severity_precision_low",
    "severity_precision_high",
    "severity_recall",
    "severity_recall_low",
    "severity_recall_high",
    "unit",
    "units",
)


@result
class ErrorsReport(Envelope):
    """The JSON of `bleu-core errors`."""

    states_ratings: ClassVar[bool] = True

    annotations: str = field("text", f"Who marked the errors: {JUDGES}, or the name of a metric.")
    judges: tuple[str, ...] = field("object", "Names of the judges that rates are averaged over, or of the metric.")
    systems: tuple[ProfiledSystem, ...] = field("object", "The systems and their annotations.")
    profiles: tuple[ErrorProfile, ...] = field(
        "object", "Errors per 1,000 tokens of the output, by the tokeniser of the settings."
    )
    differences: tuple[ErrorDifferences, ...] = field("object", "Differences of pairs of systems.")
    agreement: SpanAgreement = field("object", "Agreement of spans.")
    seed: int = field("count", "Seed of all draws.")
    methods: str = field("text", "Sentences for the methods section of a paper.")


def errors_report(
    evaluation: BleuEvaluation,
    profiles: Sequence[ErrorProfile],
    differences: Sequence[ErrorDifferences],
    agreement: SpanAgreement,
    *,
    metric: str | None = None,
) -> ErrorsReport:
    """Return the JSON report of `bleu-core errors`.

    Args:
        evaluation: of the texts, whose tokeniser counts the tokens.
        profiles: by severity, category or place; at least one.
        differences: of pairs of systems.
        agreement: of spans.
        metric: the metric whose errors are profiled; None for those of judges.
    """
    return ErrorsReport(
        **envelope_fields(evaluation),
        annotations=metric or JUDGES,
        judges=tuple(dict.fromkeys(annotator.name for annotator in profiles[0].annotators)),
        systems=profiles[0].systems,
        profiles=tuple(profiles),
        differences=tuple(differences),
        agreement=agreement,
        seed=agreement.seed,
        methods=" ".join(
            [profile_method(evaluation, metric), *differences_methods(differences), agreement_method(agreement)]
        ),
    )


def profiled_systems_table(profile: ErrorProfile) -> Table:
    """Return the systems with their annotated segments, tokens and errors."""
    return table_of(profile.systems, ProfiledSystem)


def error_rates_table(profile: ErrorProfile) -> Table:
    """Return errors per 1,000 tokens of each system, all errors first."""
    return _with_parts(table_of(profile.rates, ErrorRate), profile.by)


def error_differences_table(differences: ErrorDifferences) -> Table:
    """Return the differences of two systems, all errors first."""
    return _with_parts(table_of(differences.rows, ErrorDifference), differences.by)


def _with_parts(table: Table, by: Breakdown) -> Table:
    """Return a table without the column of what a row covers, unless it has groups of categories."""
    return table if by == "category" else table.without("part")


def span_agreement_table(agreement: SpanAgreement, *, details: bool = False) -> Table:
    """Return the agreement of spans of pairs of annotators.

    Args:
        agreement: the agreement.
        details: whether the table has all intervals, and precision and recall with severities.
    """
    table = table_of(agreement.pairs, SpanPair)
    return table if details else table.without(*DETAILS)


def differences_title(differences: ErrorDifferences) -> str:
    """Return the heading of the differences of two systems."""
    return f"Errors by {differences.by}: {differences.system} minus {differences.baseline}"


def profile_method(evaluation: BleuEvaluation, metric: str | None = None) -> str:
    """Return a sentence on the rates of a profile, of judges or of a metric."""
    marked = (
        "averaged over the judges of each segment" if metric is None else f"as marked by {metric}, an automatic metric"
    )
    return (
        f"Rates are errors per {TOKENS_PER_RATE:,} tokens of the output (tokeniser "
        f"{evaluation.settings.tokenizer}) in annotated segments, {marked}."
    )


def differences_methods(differences: Sequence[ErrorDifferences]) -> list[str]:
    """Return sentences on the tests and intervals of differences; none if nothing is tested."""
    tested = [pair for pair in differences if pair.trials]
    if not tested:
        return []
    first = tested[0]
    units = f"{first.units:,} {plural(first.units, first.unit)}"
    if len({(pair.unit, pair.units) for pair in tested}) > 1:
        units = f"documents, or segments where fewer than {MIN_DOCUMENTS} documents have annotations of both systems"
    intervals = INTERVAL_NAMES[first.method]
    if len({pair.method for pair in tested}) > 1:
        intervals = f"the jackknife with Student's t, or bootstrap percentiles for {MIN_PERCENTILE_UNITS} units or more"
    sentence = (
        "Two systems were compared on the segments that were annotated for both, by a permutation test that swaps the "
        f"systems in randomly chosen units ({units}; {first.trials:,} trials, seed {first.seed}; two-sided p-values), "
        f"corrected for the rows of a table by Holm's method. The method of the {100 * CONFIDENCE:g}% intervals: "
        f"{intervals} (bleu-dashboard {VERSION})."
    )
    return [sentence]


def agreement_method(agreement: SpanAgreement) -> str:
    """Return a sentence on how the agreement of spans is computed."""
    return (
        "Spans were matched one to one, with partial overlap and partial credit, and micro-averaged (MPP; Perrella et "
        "al., 2026, arXiv 2603.19921): the credit of a matched span is the share of its characters that overlap; "
        "precision is the mean credit of the spans of the first annotator, recall that of the second. With severities, "
        f"the credit of a pair of different severity is multiplied by {OTHER_SEVERITY_CREDIT:g}. Intervals are "
        f"percentiles of {agreement.resamples:,} bootstrap resamples of documents, or of segments where fewer than "
        f"{MIN_DOCUMENTS} documents have common items."
    )


def agreement_notes(agreement: SpanAgreement) -> list[str]:
    """Return sentences on what the agreement leaves out."""
    notes: list[str] = []
    if agreement.reason:
        notes.append(f"The agreement of spans is undefined: {agreement.reason}.")
    if agreement.left_out:
        verb = "is" if agreement.left_out == 1 else "are"
        notes.append(
            f"{agreement.left_out:,} {plural(agreement.left_out, 'error')} without a place in the text {verb} left out "
            "of the agreement of spans."
        )
    if agreement.listed < agreement.judge_pairs:
        notes.append(
            f"{agreement.listed:,} of {agreement.judge_pairs:,} pairs of judges are listed: those with the most common "
            "items."
        )
    if agreement.not_optimal:
        notes.append(
            f"In {agreement.not_optimal:,} {plural(agreement.not_optimal, 'item')} so many spans overlap that their "
            "matching may not be the best one."
        )
    return notes
