"""Error spans in JSON: those of metrics count code points; those of Appraise and Pearmut, what a browser shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from bleu_core.dataset import NO_PLACE, OUTSIDE, Errors, MarkedError, code_points, normal_severity, shown_text
from bleu_core.formats.score_tables import as_mapping

#: The start and end of a span in Appraise that marks an omission.
MISSING = "missing"
#: Why a span has no place.
NO_NUMBERS = "its start or end is not a whole number"


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


def appraise_errors(spans: Sequence[object], text: object, line: int) -> Errors:
    """Return errors as Appraise exports them.

    Appraise numbers the UTF-16 code units of the translation, without white space around it, from 0, and the end is
    the last one of the span (direct-assessment-document-mqm-esa.js: trim(), split(""), start_i <= i <= end_i).

    Args:
        spans: objects with start_i, end_i, severity and error_type.
        text: the translation; None, or anything else than text, if the file does not have it.
        line: the line of the file, from 1.
    """
    shown = shown_text(text) if isinstance(text, str) else None
    return tuple(_error(as_mapping(span) or {}, shown, None, line) for span in spans)


def pearmut_errors(spans: Sequence[object], text: object, line: int) -> Errors:
    """Return errors as Pearmut logs them.

    Pearmut numbers the UTF-16 code units of the translation, except line breaks, from 0, and the end is the last one
    of the span (contentToCharSpans in utils.ts). A span behind the last one marks an omission.

    Args:
        spans: objects with start_i, end_i, severity and category.
        text: the translation; None, or anything else than text, if the file does not have it.
        line: the line of the file, from 1.
    """
    shown = text if isinstance(text, str) else None
    numbered = None if shown is None else [place for place, character in enumerate(shown) if character != "\n"]
    return tuple(_error(as_mapping(span) or {}, shown, numbered, line) for span in spans)


def _error(span: Mapping[str, object], text: str | None, numbered: Sequence[int] | None, line: int) -> MarkedError:
    """Return an error by an object with start_i and end_i.

    Args:
        span: the object.
        text: the text that was shown.
        numbered: indices of the characters of the text that are numbered; None if all are.
        line: the line of the file.
    """
    first, last = span.get("start_i"), span.get("end_i")
    severity = normal_severity("" if span.get("severity") is None else word_of(span["severity"]))
    category = category_of(span.get("error_type", span.get("category")))
    error = MarkedError(NO_PLACE, NO_PLACE, severity=severity, category=category, text=text, line=line)
    if MISSING in (first, last):
        return error
    if not (type(first) is type(last) is int):
        return error._replace(problem=NO_NUMBERS)
    start, end = cast("int", first), cast("int", last) + 1
    if text is None:
        return error._replace(start=start, end=end, utf16=True)
    counted = text if numbered is None else "".join(map(text.__getitem__, numbered))
    if numbered is not None and start == end - 1 and code_points(counted, start) == len(counted):
        return error  # the mark of omissions, which follows the text
    return _placed(error, code_points(counted, start), code_points(counted, end), numbered)


def _placed(error: MarkedError, start: int | None, end: int | None, numbered: Sequence[int] | None) -> MarkedError:
    """Return an error with its place, given in the numbered code points of its text; None is no such code point."""
    if start is None or end is None or start >= end:
        return error._replace(problem=OUTSIDE)
    if numbered is None:
        return error._replace(start=start, end=end)
    return error._replace(start=numbered[start], end=numbered[end - 1] + 1)
