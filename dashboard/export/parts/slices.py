"""Slices: in which parts of the text one system is better than the other."""

from __future__ import annotations

from dashboard import words
from dashboard.export.parts.declaration import Part, drawings, figure_table
from dashboard.export.section import Section
from dashboard.export.source import Source


def slices(source: Source) -> Section:
    """Return the two systems compared on every slice of a division of the text."""
    data = source.data
    undefined = words.undefined_scores(data.scored)
    if undefined:
        return Section(PART.key, PART.title, (undefined,))
    divided, (system, _) = data.divided, data.names
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=(
            words.slices_verdict(divided, system),
            words.variation_verdict(divided.variation_of(system), data.comparison.alpha),
        ),
        drawings=drawings(source, "slices"),
        tables=(figure_table(source, "slices"),),
        notes=(words.division(divided), *(f"Caution: {warning}." for warning in divided.comparisons.warnings)),
    )


PART = Part("slices", "Slices", slices, ("two systems",))
