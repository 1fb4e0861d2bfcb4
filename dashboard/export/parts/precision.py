"""Precision: how fast the precision of n-grams decays with their order."""

from __future__ import annotations

from dashboard import words
from dashboard.exhibits import precision_of
from dashboard.export.parts.declaration import Part, drawings, figure_table
from dashboard.export.section import Section
from dashboard.export.source import Source


def precision(source: Source) -> Section:
    """Return the precisions of all systems by order."""
    shown = precision_of(source.data.view)
    kept = words.precision_kept(shown.evaluation.systems, shown.evaluation.scores, shown.decays)
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=(kept,),
        drawings=drawings(source, "precision"),
        tables=(figure_table(source, "precision"),),
    )


PART = Part("precision", "Precision", precision)
