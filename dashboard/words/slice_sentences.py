"""Sentences about slices of the text."""

from __future__ import annotations

from bleu_core.dataset import FIELDS, Corpus
from dashboard.analysis import Slice

SLICE_HELP = (
    "All pages use only the segments for which this holds. A condition is a field, an operator (= != < <= > >= ~ in) "
    "and a value; and, or, not and parentheses combine conditions. ~ searches for a regular expression."
)

SLICE_CAUTION = (
    "Intervals and p-values hold for a slice that was chosen beforehand. For one chosen after looking at the results "
    "they only describe it."
)


def slice_in_use(found: Slice | str) -> str:
    """The slice with its size; if it cannot be found, why."""
    if isinstance(found, str):
        return f"cannot be used: {found}"
    return f"{found.expression} ({found.segments:,} of {found.of:,} segments)"


def slice_title(found: Slice | str) -> str:
    """The slice's size, for a button."""
    return "Slice cannot be used" if isinstance(found, str) else f"{found.segments:,} of {found.of:,} segments"


def slice_fields(corpus: Corpus) -> str:
    """The fields that conditions can have with these data."""
    known = [
        field
        for field in FIELDS
        if (field != "document" or corpus.documents is not None) and (field != "source" or corpus.source is not None)
    ]
    text = f"Fields: {', '.join(known)}"
    if corpus.labels:
        text += f"; labels: {', '.join(corpus.labels)}"
    return f'{text}. Examples: segment in 1-100; system "A" ~ "[0-9]"; length > 40.'
