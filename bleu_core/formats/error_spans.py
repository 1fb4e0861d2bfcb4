"""Error spans in JSON, and ratings with them: those of Appraise and Pearmut count what a browser shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from bleu_core.dataset import (
    NO_PLACE,
    OUTSIDE,
    Errors,
    Judgments,
    MarkedError,
    Numbering,
    code_points,
    normal_severity,
    shown_text,
)
from bleu_core.formats.cells import detect_numbering, renumber_from_1
from bleu_core.formats.document_ids import label_of_pair
from bleu_core.formats.json_objects import as_mapping, text_or_none
from bleu_core.formats.weights import MqmWeights

#: Ratings whose values are added to columns together: fewer than those after which the garbage collector runs.
BATCH = 2**7
#: The start and end of a span in Appraise that marks an omission.
MISSING = "missing"
#: What the numbers of segments count -> the note on it, for formats whose numbers need none.
NO_EXPLANATIONS: Mapping[Numbering, str] = MappingProxyType({})
#: Why a span has no place.
NO_NUMBERS = "its start or end is not a whole number"


class Rating(NamedTuple):
    """A rating of a segment by a judge or a metric, with its marked errors.

    Attributes:
        line: its line in the file, from 1.
        number: the number of the segment, as in the file.
        system: the system.
        score: the score; NaN if it is missing.
        pair: the language pair; empty if the file does not name it.
        document: the document; empty if the file does not name it.
        judge: the judge; empty if the file names none.
        errors: the errors; None if the rating is no annotation.
        source: the source; None if the file does not have it.
        translation: the rated text, likewise.
    """

    line: int
    number: int
    system: str
    score: float
    pair: str = ""
    document: str = ""
    judge: str = ""
    errors: Errors | None = None
    source: str | None = None
    translation: str | None = None


def columns_of(ratings: Iterable[Rating]) -> dict[str, list[Any]]:
    """Return the values of ratings by field.

    The ratings are not kept: the garbage collector would visit each of them again and again, and not their values.
    """
    columns: dict[str, list[Any]] = {name: [] for name in Rating._fields}
    rest = iter(ratings)
    while batch := list(islice(rest, BATCH)):
        for column, values in zip(columns.values(), zip(*batch, strict=True), strict=True):
            column.extend(values)
    return columns


def mqm_score(errors: Errors, weights: MqmWeights) -> float:
    """Return minus the sum of the weights of errors, which is 0.0 and not -0.0 without any."""
    return 0.0 - sum(weights.of(error.category, error.severity) for error in errors)


def judgments_of(
    columns: Mapping[str, Sequence[Any]],
    origin: str,
    label: str,
    *,
    pair: str = "",
    numbering: Numbering | None = None,
    first_segment: int = 1,
    explanations: Mapping[Numbering, str] = NO_EXPLANATIONS,
    notes: Iterable[str] = (),
    **fields: Any,
) -> Judgments:
    """Build judgments from ratings of one language pair.

    Args:
        columns: the ratings, as columns_of returns them.
        origin: the file, for messages.
        label: the label of the format.
        pair: the language pair; empty if the file names none.
        numbering: what the numbers of segments count; None judges it by the documents and judges. Only lines are
            matched with the texts directly.
        first_segment: the number that the file gives the first line, 1 or 0.
        explanations: numbering -> the note on it.
        notes: further notes.
        fields: further arguments of Judgments.from_ratings.

    Raises:
        FormatError: there is no rating, a line is less than first_segment, or a name holds a lone surrogate.
        LimitError: there are too many systems or judges.
    """
    numbers, lines = columns["number"], columns["line"]
    if numbering is None:
        numbering = detect_numbering(numbers, columns["document"], columns["judge"])
    return Judgments.from_ratings(
        columns["system"],
        columns["score"],
        lines,
        origin,
        segments=renumber_from_1(numbers, lines, origin, first_segment) if numbering == "line" else numbers,
        judges=columns["judge"],
        documents=columns["document"],
        errors=columns["errors"],
        sources=columns["source"],
        translations=columns["translation"],
        first_segment=first_segment,
        format=label_of_pair(label, pair),
        numbering=numbering,
        notes=(*notes, *filter(None, [explanations.get(numbering)])),
        **fields,
    )


def category_of(kind: object) -> str:
    """Return a category as text: a list of its levels is joined by slashes; "" for none."""
    if isinstance(kind, list):
        return "/".join(map(word_of, cast("list[object]", kind)))
    return "" if kind is None else word_of(kind)


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
    start, end, problem = span.get("start"), span.get("end"), ""
    if not (type(start) is int and type(end) is int):
        problem = "" if start is end is None else NO_NUMBERS
        start = end = NO_PLACE
    severity, category = (text_or_none(span.get(name)) or "" for name in ("severity", "category"))
    in_source = span.get("is_source_error") is True
    severity = normal_severity(severity)
    return MarkedError(start, end, severity, category, in_source=in_source, text=text, line=line, problem=problem)


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
    if not (type(first) is int and type(last) is int):
        return NO_PLACE, NO_PLACE, NO_NUMBERS
    if text is None:
        return first, last + 1, ""
    counted = text if numbered is None else "".join(map(text.__getitem__, numbered))
    start, end = code_points(counted, first), code_points(counted, last + 1)
    if numbered is not None and first == last and start == len(counted):
        return NO_PLACE, NO_PLACE, ""  # the mark of omissions, which follows the text
    if start is None or end is None or start >= end:
        return NO_PLACE, NO_PLACE, OUTSIDE
    return (start, end, "") if numbered is None else (numbered[start], numbered[end - 1] + 1, "")
