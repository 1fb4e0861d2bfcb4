"""Sentences about slices of the text."""

from __future__ import annotations

from bleu_core.dataset import FIELDS, Corpus
from bleu_core.segments import FIELDS_OF_RATINGS
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


def slice_fields(corpus: Corpus, *, rated: bool = False) -> str:
    """The fields that conditions can have with these data.

    Args:
        corpus: the texts.
        rated: whether there are ratings.
    """
    known = {
        "document": corpus.documents is not None,
        "source": corpus.source is not None,
        "equal": len(corpus.systems) > 1,
        **dict.fromkeys(FIELDS_OF_RATINGS, rated),
    }
    fields = [_WITH_NAMES.get(field, field) for field in FIELDS if known.get(field, True)]
    text = f"Fields: {', '.join(fields)}"
    if corpus.labels:
        text += f"; labels: {', '.join(corpus.labels)}"
    return f'{text}. Examples: segment in 1-100; system "A" ~ "[0-9]"; length > 40.'


#: Fields that need names, with examples of these.
_WITH_NAMES = {"equal": 'equal "A" "B"', "score": 'score "A"', "negations": 'negations "en"'}
