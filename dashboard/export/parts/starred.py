"""Starred segments with the user's notes."""

from __future__ import annotations

from bleu_core.dataset import plural
from dashboard.export.examples import examples
from dashboard.export.parts.declaration import Part
from dashboard.export.section import Section
from dashboard.export.source import Source


def starred(source: Source) -> Section:
    """Return the starred segments with their texts and notes."""
    numbers = source.starred
    count = f"{len(numbers):,} {plural(len(numbers), 'segment')}"
    what = f"{count}, chosen by hand. The score of a single segment says little about a system."
    return Section(PART.key, PART.title, (what,), examples=examples(source, numbers))


PART = Part("starred", "Starred segments", starred, ("starred segments",))
