"""Sentences about slices of the text."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.dataset import FIELDS, Corpus
from bleu_core.results.envelope import only_slice, slice_described
from bleu_core.slicing import FIELDS_OF_ERRORS, FIELDS_OF_RATINGS, Slice
from dashboard.analysis import SliceField

SLICE_HELP = (
    "All pages use only the segments for which this holds. A condition is a field, an operator (= != < <= > >= ~ in) "
    "and a value; and, or, not and parentheses combine conditions. ~ searches for a regular expression."
)

SLICE_CAUTION = (
    "Descriptive only: the grey intervals and p-values do not test a slice that was chosen after looking at the "
    "results. To test it, choose it in one half of the text and look at the other."
)

HALF_HELP = (
    "Look for slices in the half “explore”, then test what you found in the half “test”. Each document always "
    "belongs to the same half, and so does each segment where documents are not known."
)

TESTED_HALF = (
    "This half of the text tests a slice that was chosen in the other half. If you have seen the results of the slice "
    "in this half before, too, they only describe it."
)

PLANNED_HELP = (
    "Switch this on if you decided on the slice without knowing its scores: intervals and p-values then hold."
)

#: Field -> its label, and the labels of the names that follow it.
_FIELD_TITLES: Mapping[str, tuple[str, ...]] = {
    "document": ("document",),
    "length": ("length (tokens of the reference)",),
    "segment": ("segment number",),
    "source": ("source text",),
    "reference": ("reference text",),
    "system": ("output of a system", "System"),
    "score": ("score of a segment (BLEU)", "System"),
    "equal": ("equal outputs of two systems", "System", "Other system"),
    "numbers": ("numbers in the reference",),
    "capitalised": ("capitalised words in the reference",),
    "quotes": ("quotation marks in the reference",),
    "negations": ("negation words in the reference", "Language"),
    "ratings": ("number of ratings",),
    "disputed": ("largest difference between judges",),
    "errors": ("number of marked errors (mean over judges)", "System"),
    "category": ("category of a marked error", "System"),
    "severity": ("severity of a marked error", "System"),
    "half": ("half of the text",),
}


def slice_field(field: SliceField) -> str:
    """Return the label of a field for a list."""
    return f"label: {field.name}" if field.is_label else _FIELD_TITLES[field.name][0]


def names_of_field(field: SliceField) -> tuple[str, ...]:
    """Return the labels of the names that follow a field."""
    return () if field.is_label else _FIELD_TITLES[field.name][1:]


def shown_value(value: str) -> str:
    """Return a value of a field for a list."""
    return value or "(none)"


def slice_in_use(text_slice: Slice | str | None) -> str:
    """Describe the slice with its size; if it cannot be used, explain why."""
    if isinstance(text_slice, str):
        return f"cannot be used: {text_slice}"
    if text_slice is None:
        return "all segments"
    size = (
        f"{text_slice.expression} ({text_slice.segments:,} of {text_slice.total:,} segments)"
        if text_slice.expression
        else ""
    )
    return "; ".join(filter(None, (size, text_slice.exclusion)))


def slice_to_quote(text_slice: Slice | None, *, descriptive: bool) -> str:
    """Return the restriction to add to a sentence, so that a slice is not mistaken for the whole text.

    Args:
        text_slice: the slice, if there is one.
        descriptive: whether the slice may have been chosen for its results.
    """
    if text_slice is None:
        return ""
    excluded = f" {text_slice.exclusion}." if text_slice.excluded else ""
    if not text_slice.expression:
        return excluded
    text = f" {only_slice(slice_described(text_slice))}{excluded}"
    return (
        f"{text} The slice was chosen after looking at the results; p-values only describe it." if descriptive else text
    )


def slice_title(text_slice: Slice | str | None) -> str:
    """Return the slice's size, for a button."""
    if text_slice is None:
        return "All segments"
    return (
        "Slice cannot be used"
        if isinstance(text_slice, str)
        else f"{text_slice.segments:,} of {text_slice.total:,} segments"
    )


def slice_fields(corpus: Corpus, *, rated: bool = False, annotated: bool = False) -> str:
    """List the fields that conditions can have with these data.

    Args:
        corpus: the texts.
        rated: whether there are ratings.
        annotated: whether errors are marked.
    """
    known = {
        "document": corpus.documents is not None,
        "source": corpus.source is not None,
        "equal": len(corpus.systems) > 1,
        **dict.fromkeys(FIELDS_OF_RATINGS, rated),
        **dict.fromkeys(FIELDS_OF_ERRORS, annotated),
    }
    fields = [_WITH_NAMES.get(field, field) for field in (*FIELDS, *FIELDS_OF_ERRORS) if known.get(field, True)]
    text = f"Fields: {', '.join(fields)}"
    if corpus.labels:
        text += f"; labels: {', '.join(corpus.labels)}"
    return f'{text}. Examples: segment in 1-100; system "A" ~ "[0-9]"; length > 40.'


#: Fields that need names, with examples of these.
_WITH_NAMES = {
    "equal": 'equal "A" "B"',
    "score": 'score "A"',
    "negations": 'negations "en"',
    "errors": 'errors of "A"',
    "category": 'category of "A"',
    "severity": 'severity of "A" by "JUDGE"',
}
