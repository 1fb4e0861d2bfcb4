"""Marked errors: the error rates of two systems, and of all systems."""

from __future__ import annotations

from bleu_core.results.error_spans import differences_methods, error_rates_table, profile_method
from dashboard import words
from dashboard.export.parts.declaration import Part, drawings, figure_table
from dashboard.export.section import Section
from dashboard.export.source import Source


def marked_errors(source: Source) -> Section:
    """Return the errors of two systems by severity with their differences, and the rates of all systems."""
    data = source.data
    pair = data.error_pair
    differences, metric = pair.differences, pair.options.metric
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=(words.errors_of_two_systems(differences, metric), words.evidence_of_errors(differences)),
        drawings=drawings(source, "error-rates"),
        tables=(figure_table(source, "error-rates"), error_rates_table(pair.profile)),
        notes=(
            profile_method(data.view.evaluation, metric),
            *differences_methods([differences]),
            *(f"Caution: {warning}." for warning in differences.warnings),
        ),
    )


PART = Part("errors", "Marked errors", marked_errors, ("two systems", "marked errors"))
