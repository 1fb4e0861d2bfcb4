"""Warnings about these data with advice, and dismissed warnings with the reasons."""

from __future__ import annotations

from bleu_core.diagnostics import find_warning
from dashboard import analysis, words
from dashboard.export.parts.declaration import Part
from dashboard.export.section import Section
from dashboard.export.source import Source

NO_WARNING = "No warning was raised."


def trust(source: Source) -> Section:
    """Return the findings of the warnings, the strongest first."""
    findings = analysis.trust_findings(source.data.view)
    titles = {finding.key: find_warning(finding.key).title for finding in findings}
    paragraphs = words.warnings_described(findings, titles, source.data.view.selection.dismissed)
    caveats = {finding.key: find_warning(finding.key).caveat for finding in findings}
    notes = tuple(f"{titles[key]}: {caveat}" for key, caveat in caveats.items() if caveat)
    return Section(PART.key, PART.title, paragraphs or (NO_WARNING,), notes=notes)


PART = Part("warnings", "Warnings", trust)
