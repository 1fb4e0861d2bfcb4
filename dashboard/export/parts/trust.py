"""Warnings: where BLEU misleads on these data, what to do, and which warnings were dismissed and why."""

from __future__ import annotations

from bleu_core.diagnostics import find_warning
from dashboard import analysis, words
from dashboard.export.parts.declaration import Part
from dashboard.export.section import Section
from dashboard.export.source import Source

NOTHING = "No warning was raised."


def trust(source: Source) -> Section:
    """What the warnings found, the strongest first."""
    found = analysis.trust_findings(source.data.view)
    titles = {each.key: find_warning(each.key).title for each in found}
    said = words.warnings_described(found, titles, source.data.view.selection.dismissed)
    caveats = {each.key: find_warning(each.key).caveat for each in found}
    notes = tuple(f"{titles[key]}: {caveat}" for key, caveat in caveats.items() if caveat)
    return Section(PART.key, PART.title, said or (NOTHING,), notes=notes)


PART = Part("warnings", "Warnings", trust)
