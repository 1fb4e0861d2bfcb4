"""Error spans in JSON, and ratings with them: those of Appraise and Pearmut count what a browser shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from bleu_core.dataset import (
    NO_PLACE,
    OUTSIDE,
    Errors,
    Judgments,
    MarkedError,
    Numbering,
    UnusedRows,
    code_points,
    normal_severity,
    shown_text,
)
from bleu_core.formats.cells import renumber_from_1
from bleu_core.formats.score_tables import as_mapping

#: The start and end of a span in Appraise that marks an omission.
MISSING = "missing"
#: Why a span has no place.
NO_NUMBERS = "its start or end is not a whole number"


class Rating(NamedTuple):
    """A rating of a segment, with its marked errors.

    Attributes:
        line: its line in the file, from 1.
        pair: the language pair; empty if the file does not name it.
        document: the document; empty if the file does not name it.
        number: the number of the segment, as in the file.
        system: the system.
        judge: the judge; empty if the file names none.
        score: the score; NaN if it is missing.
        errors: the errors; None if the rating is no annotation.
        source: the source; None if the file does not have it.
        translation: the rated text, likewise.
    """

    line: int
    pair: str
    document: str
    number: int
    system: str
    judge: str
    score: float
    errors: Errors | None
    source: str | None
    translation: str | None


def judgments_of(
    ratings: Sequence[Rating],
    origin: str,
    *,
    numbering: Numbering,
    first_segment: int = 1,
    unused_rows: Iterable[tuple[str, int]] = (),
    **fields: Any,
) -> Judgments:
    """Build judgments from ratings of one language pair.

    Args:
        ratings: the ratings.
        origin: the file, for messages.
        numbering: what their numbers count; only lines are matched with the texts directly.
        first_segment: the number that the file gives the first line, 1 or 0.
        unused_rows: the reason and the line of each row that is not used.
        fields: further arguments of Judgments.from_ratings.

    Raises:
        FormatError: there is no rating, a line is less than first_segment, or a name holds a lone surrogate.
        LimitError: there are too many systems or judges.
    """
    numbers, lines = [rating.number for rating in ratings], [rating.line for rating in ratings]
    are_lines = numbering == "line"
    return Judgments.from_ratings(
        [rating.system for rating in ratings],
        [rating.score for rating in ratings],
        lines,
        origin,
        segments=renumber_from_1(numbers, lines, origin, first_segment) if are_lines else None,
        positions=None if are_lines else numbers,
        judges=[rating.judge for rating in ratings],
        documents=[rating.document or None for rating in ratings],
        errors=[rating.errors for rating in ratings],
        sources=[rating.source for rating in ratings],
        translations=[rating.translation for rating in ratings],
        first_segment=first_segment,
        numbering=numbering,
        unused_rows=UnusedRows.tally(unused_rows, origin),
        **fields,
    )


def category_of(kind: object) -> str:
    """Return a category as text: a list of its levels is joined by slashes; "" for none."""
    if isinstance(kind, list):
        return "/".join(map(word_of, cast("list[object]", kind)))
    return "" if kind is None else word_of(kind)


def text_or_none(value: object) -> str | None:
    """Return a JSON value if it is a text."""
    return value if isinstance(value, str) else None


def word_of(value: object) -> str:
    """Return a value in a span as text; empty for a list or object, which may be nested too deeply to be converted."""
    return str(value) if value is None or isinstance(value, (str, int, float)) else ""


def marked_error(span: Mapping[str, object], *, text: str | None = None, line: int = 0) -> MarkedError:
    """Return an error whose start and exclusive end count code points, as in ratings.py of mt-metrics-eval.

    Args:
        span: the object.
        text: the text in which it is marked, if the file has it.
        line: the line of the file; 0 if there are none.
    """
    start, end = span.get("start"), span.get("end")
    severity, category = (text_or_none(span.get(name)) or "" for name in ("severity", "category"))
    in_source = span.get("is_source_error") is True
    severity = normal_severity(severity)
    error = MarkedError(NO_PLACE, NO_PLACE, severity, category, in_source=in_source, text=text, line=line)
    if not (type(start) is type(end) is int):
        return error if start is end is None else error._replace(problem=NO_NUMBERS)
    return error if start == end == NO_PLACE else error._replace(start=start, end=end)


def appraise_errors(spans: object, text: object, line: int) -> Errors | None:
    """Return errors as Appraise exports them; None if there is no list of them.

    Appraise numbers the UTF-16 code units of the translation, without white space around it, from 0, and the end is
    the last one of the span (direct-assessment-document-mqm-esa.js: trim(), split(""), start_i <= i <= end_i).

    Args:
        spans: objects with start_i, end_i, severity and error_type.
        text: the translation; None, or anything else than text, if the file does not have it.
        line: the line of the file, from 1.
    """
    if not isinstance(spans, list):
        return None
    shown = shown_text(text) if spans and isinstance(text, str) else None
    return tuple(_error(as_mapping(span) or {}, shown, None, line) for span in cast("list[object]", spans))


def pearmut_errors(spans: object, text: object, line: int) -> Errors | None:
    """Return errors as Pearmut logs them; None if there is no list of them.

    Pearmut numbers the UTF-16 code units of the translation, except line breaks, from 0, and the end is the last one
    of the span (contentToCharSpans in utils.ts). A span behind the last one marks an omission.

    Args:
        spans: objects with start_i, end_i, severity and category.
        text: the translation; None, or anything else than text, if the file does not have it.
        line: the line of the file, from 1.
    """
    if not isinstance(spans, list):
        return None
    shown = text if spans and isinstance(text, str) else None
    numbered = None if shown is None else [place for place, character in enumerate(shown) if character != "\n"]
    return tuple(_error(as_mapping(span) or {}, shown, numbered, line) for span in cast("list[object]", spans))


def _error(span: Mapping[str, object], text: str | None, numbered: Sequence[int] | None, line: int) -> MarkedError:
    """Return an error by an object with start_i and end_i.

    Args:
        span: the object.
        text: the text that was shown.
        numbered: indices of the characters of the text that are numbered; None if all are.
        line: the line of the file.
    """
    severity = normal_severity("" if span.get("severity") is None else word_of(span["severity"]))
    category = category_of(span.get("error_type", span.get("category")))
    start, end, problem = _place(span.get("start_i"), span.get("end_i"), text, numbered)
    utf16 = text is None and (start, end) != (NO_PLACE, NO_PLACE)
    return MarkedError(start, end, severity, category, text=text, line=line, utf16=utf16, problem=problem)


def _place(first: object, last: object, text: str | None, numbered: Sequence[int] | None) -> tuple[int, int, str]:
    """Return the start and the end of an error, in code points if the text is known, and why it has no place.

    Args:
        first: the number of its first character.
        last: the number of its last character.
        text: as in _error.
        numbered: as in _error.
    """
    if MISSING in (first, last):
        return NO_PLACE, NO_PLACE, ""
    if not (type(first) is type(last) is int):
        return NO_PLACE, NO_PLACE, NO_NUMBERS
    first, last = cast("int", first), cast("int", last)
    if text is None:
        return first, last + 1, ""
    counted = text if numbered is None else "".join(map(text.__getitem__, numbered))
    start, end = code_points(counted, first), code_points(counted, last + 1)
    if numbered is not None and first == last and start == len(counted):
        return NO_PLACE, NO_PLACE, ""  # the mark of omissions, which follows the text
    if start is None or end is None or start >= end:
        return NO_PLACE, NO_PLACE, OUTSIDE
    return (start, end, "") if numbered is None else (numbered[start], numbered[end - 1] + 1, "")
