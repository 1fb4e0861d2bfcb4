"""Errors that judges and metrics marked in texts, in plain language. Pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from unicodedata import bidirectional

from bleu_core.dataset import NO_PLACE, plural
from bleu_core.segments import AnnotatedItem, ErrorMarks, SegmentError
from dashboard.literal import DIRECTIONS

#: Severities with a line of their own -> the line; all others have OTHER_LINE.
SEVERITY_LINES: Mapping[str, str] = {"minor": "dotted", "major": "double", "critical": "thick"}
OTHER_LINE = "dashed"

#: Legend of the lines below words.
ERROR_LINES_HELP = (
    "Lines below words mark errors: "
    f"{', '.join(f'{line} = {severity}' for severity, line in SEVERITY_LINES.items())}, {OTHER_LINE} = other."
)

ERROR_SPANS_HELP = (
    "Point at marked words, tap them, or go to them with the Tab key, to see severity, category, and who marked them; "
    "Escape hides the note. Overlapping errors of several judges and metrics have lines below each other."
)

#: Classes of characters that are written from right to left.
LEFTWARD = frozenset({"R", "AL", "AN"})

#: A part of the names of categories of errors by which text is missing.
OMISSION = "omission"


def error_described(error: SegmentError, *, with_system: bool = False) -> str:
    """Describe an error: "major, Accuracy/Omission (A)".

    Args:
        error: in a text.
        with_system: whether to name the system whose output was annotated.
    """
    place = "in the source" if error.in_source else ""
    kind = ", ".join(filter(None, (_isolated(error.severity), _isolated(error.category), place))) or "error"
    output = f", output of {_isolated(error.system)}" if with_system else ""
    return f"{kind} ({_isolated(error.annotator)}{output})"


def error_listed(marks: ErrorMarks, error: int, *, with_system: bool = False) -> str:
    """Describe one of the errors in a text for a list below it, with the marked words, or without a place."""
    described = error_described(marks.errors[error], with_system=with_system)
    if marks.layers[error] != NO_PLACE:
        return f"“{_isolated(marks.marked(error))}”: {described}"
    is_omission = OMISSION in marks.errors[error].category.lower()
    return f"{'Missing text' if is_omission else 'Without a place in the text'}: {described}"


def errors_of_output(texts: Sequence[ErrorMarks], items: Sequence[AnnotatedItem]) -> str:
    """Describe all errors in an output, with the marked words, in one line; empty if nobody has looked at it.

    Args:
        texts: the errors in the output, and those in its source.
        items: what annotators found.
    """
    errors = [error_listed(marks, error) for marks in texts for error in range(len(marks.errors))]
    without = [_isolated(item.annotator) for item in items if not item.errors]
    return "; ".join([*errors, *([f"no errors ({', '.join(without)})"] if without else [])])


def lines_of_annotators(marks: ErrorMarks, items: Sequence[AnnotatedItem], *, with_system: bool = False) -> str:
    """Name the annotators of a text in the order of their lines, and those without an error; empty if there are none.

    Args:
        marks: the errors in the text.
        items: what annotators found in the output; empty for a source.
        with_system: whether to name the system whose output was annotated.
    """
    placed = [error for error, layer in zip(marks.errors, marks.layers, strict=True) if layer != NO_PLACE]
    count = Counter((error.annotator, error.system) for error in placed)
    counts = ", ".join(
        f"{_isolated(annotator)} ({f'output of {_isolated(system)}: ' if with_system else ''}"
        f"{number:,} {plural(number, 'error')})"
        for (annotator, system), number in count.items()
    )
    sentences = [f"{'Lines from top to bottom:' if len(count) > 1 else 'Marked by'} {counts}."] if count else []
    without = [_isolated(item.annotator) for item in items if not item.errors]
    if without:
        sentences.append(f"No errors: {', '.join(without)}.")
    return " ".join(sentences)


def _isolated(text: str) -> str:
    """Return a text that does not change the direction of what is around it."""
    text = DIRECTIONS.sub("", text)
    return f"\u2068{text}\u2069" if LEFTWARD.intersection(map(bidirectional, text)) else text
