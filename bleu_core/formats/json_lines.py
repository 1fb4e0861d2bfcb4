"""Tables in JSON: lines, arrays and sequences of objects, such a list within an object, and objects of columns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from bleu_core.errors import FormatError, listed
from bleu_core.formats.compression import suffix_of
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.harness_logs import POOLS, ROWS, only_text
from bleu_core.formats.headers import TEXT_KINDS, classify_header
from bleu_core.formats.json_objects import (
    are_json_lines,
    is_structure,
    iterate_array,
    iterate_values,
    parse_json,
)
from bleu_core.formats.records import Records
from bleu_core.formats.resource_files import JSON_ENDINGS, LINES_ENDINGS, NO_TABLE, as_text, refusal
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.progress import report_progress

LABEL = "JSON lines"
#: The beginnings of an array of objects, of another array, and of an object, all of which may have line breaks.
ARRAY = re.compile(r"\s*+\[\s*+\{\s*+(?:\"|\})")
OTHER_ARRAY = re.compile(r"\s*+\[\s*+[\[\"]")
OBJECT = re.compile(r"\s*+\{\s*+\"(?:[^\"\\]|\\.)*+\"\s*+:")
#: Any text after the first line.
MORE_LINES = re.compile(r"[^\n]*+\n\s*+\S")
#: Bytes at the end of a file that are searched for its last bracket.
TAIL_BYTES = 2**10
#: Lines after which progress is reported.
LINES_PER_REPORT = 2**12
Row = Mapping[str, object]
#: The fewest texts by their ids that are the segments of a file rather than one row of it.
MIN_TEXTS = 10
#: The keys of the texts of an array of texts, and of the names of rows.
TEXT, INDEX = "text", "index"


def _sniff(source: Source) -> float:
    begin, end = source.text.beginning, source.data[-TAIL_BYTES:].rstrip(b"\0 \t\r\n")[-1:]
    is_json = (
        suffix_of(source.name) in JSON_ENDINGS
        or ARRAY.match(begin) is not None
        or (OBJECT.match(begin) is not None and (end == b"}" or source.first_line.strip() == "{"))
        or (OTHER_ARRAY.match(begin) is not None and end == b"]" and _is_array(source))
        or are_json_lines(source.first_lines)
    )
    return 0.25 if is_json else 0


def _is_array(source: Source) -> bool:
    """Return whether a file is an array in JSON, or too large to be sure."""
    if len(source.data) > source.limits.json_bytes:
        return True
    try:
        return isinstance(parse_json(source.text.content, source.name, source.limits), list)
    except FormatError:
        return False


def _read(source: Source, _: Options) -> Source:
    """Return the table.

    Raises:
        FormatError: the file is not JSON, or a line or an item is not an object, or it is JSON of another kind.
        LimitError: there are too many lines, distinct names or cells.
    """
    begin = source.text.beginning
    if ARRAY.match(begin):
        return _read_values(source, iterate_array)
    is_line = is_structure(source.first_line)
    if not source.first_lines.lstrip().startswith(("{", "[")) or (is_line and MORE_LINES.match(begin)):
        return _read_lines(source)
    if not is_line and _is_sequence(source):
        return _read_values(source, iterate_values)
    rows, notes = _rows_in(parse_json(source.text.content, source.name, source.limits), source)
    records = Records(source, len(rows), row="item")
    for row in rows:
        records.add(row)
    return records.table(source.text.encoding, notes)


def _read_lines(source: Source) -> Source:
    """Return the table of an object or a text per line; blank lines at the end are ignored."""
    lines = split_lines(source.text)[0]
    source.limits.check("objects", len(lines), source.name)
    records = Records(source, len(lines))
    for number, line in enumerate(lines, start=1):
        record = _parse_row(line)
        if record is None:
            if not any(map(str.strip, lines[number - 1 :])):
                break
            how = "" if is_structure(line) else f"; {as_text(source.name)}"
            place = f"{source.name}, line {number}"
            raise FormatError(f"{place}: {line[:40]!r} found, an object with a value for each column expected{how}")
        records.add(record)
        if not number % LINES_PER_REPORT:
            report_progress(number, len(lines))
    return records.table(source.text.encoding)


def _parse_row(line: str) -> Row | None:
    """Return the object in a line, or its only text as one; None if it has neither."""
    try:
        value: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    text = only_text(value)
    return {TEXT: text} if isinstance(text, str) else cast("Row", value) if isinstance(value, dict) else None


def _read_values(source: Source, iterate: Callable[..., Iterator[tuple[int, object]]]) -> Source:
    """Return the table of the objects in an array, or of objects that follow each other."""
    name, content = source.name, source.text.content
    records = Records(source, 0, row="item")
    for number, (end, row) in enumerate(iterate(content, name, source.limits), start=1):
        if not isinstance(row, dict):
            raise FormatError(f"{name}, item {number}: {str(row)[:40]!r} found, an object expected as in item 1")
        if number > source.limits.objects:
            source.limits.check("objects", number, name)
        records.count = number
        records.add(cast("dict[str, object]", row))
        if not number % LINES_PER_REPORT:
            source.limits.check("cells", len(records.columns) * (number + 1), name)
            report_progress(end, len(content))
    source.limits.check("cells", len(records.columns) * (records.count + 1), name)
    return records.table(source.text.encoding)


def _is_sequence(source: Source) -> bool:
    """Return whether an object is followed by another; one that is longer than a line may be is not."""
    try:
        end, _ = next(iterate_values(source.text.content, source.name, source.limits))
    except FormatError:
        return False
    return re.compile(r"\s*+\S").match(source.text.content, end) is not None


def _rows_in(value: object, source: Source) -> tuple[Sequence[Row], tuple[str, ...]]:
    """Return the rows in the only value of a file, and a sentence on what in it is not used.

    Rows are texts in an array or by their ids, objects in an array within an object, or what pandas writes: columns of
    texts, as arrays or as objects by row, rows by their names, and arrays of cells beside the names of the columns.

    Raises:
        FormatError: it is not a table.
    """
    if isinstance(value, list):
        items = list(map(only_text, cast("list[object]", value)))
        if all(isinstance(item, str) for item in items):
            return [{TEXT: item} for item in items], ()
        raise refusal(source.name, NO_TABLE._replace(name="a JSON array of values that are neither texts nor objects"))
    whole = cast("dict[str, object]", value)
    is_line = suffix_of(source.name) in LINES_ENDINGS and is_structure(source.first_line)
    if is_line and any(isinstance(inner, str) for inner in whole.values()):
        return [whole], ()
    wrapped = _wrapped_rows(whole, source.name)
    if wrapped is not None:
        return wrapped
    rows = _rows_of_cells(whole) or _rows_of_objects(whole)
    columns = _rows_of_columns(whole) if rows is None else None
    if columns is not None:
        others = [key for key, value in whole.items() if not isinstance(value, list)]
        return columns, ((f"not used, since they are not lists: {listed(others)}",) if others else ())
    if rows is None:
        rows = [whole] if _is_row(whole, source) else _rows_of_texts(whole)
    if rows is None:
        raise refusal(source.name, NO_TABLE)
    return rows, ()


def _wrapped_rows(whole: dict[str, object], name: str) -> tuple[Sequence[Row], tuple[str, ...]] | None:
    """Return the rows in the only list of objects in an object, and what else is in it; None if there is none.

    Raises:
        FormatError: there are several such lists.
    """
    for path in ROWS:
        inner: object = cast("object", whole)
        for key in path:
            inner = cast("dict[str, object]", inner).get(key) if isinstance(inner, dict) else None
        if _are_objects(inner):
            rows = cast("list[Row]", inner)
            return [{key: value for key, value in row.items() if key not in POOLS} for row in rows], ()
    lists = [key for key, value in whole.items() if _are_objects(value)]
    if len(lists) > 1:
        raise refusal(name, NO_TABLE._replace(name=f"a JSON object with several lists of objects ({listed(lists)})"))
    if not lists:
        return None
    others = [key for key in whole if key != lists[0]]
    note = f"the rows are the list {listed(lists)}; not used: {listed(others)}"
    return cast("list[Row]", whole[lists[0]]), ((note,) if others else ())


def _are_objects(value: object) -> bool:
    items = _items(value)
    return bool(items) and all(isinstance(item, dict) for item in items)


def _items(value: object) -> list[object]:
    """Return the items of a list; none of any other value."""
    return cast("list[object]", value) if isinstance(value, list) else []


def _is_row(whole: Row, source: Source) -> bool:
    """Return whether an object may be the only row of a table: it is a line, and not texts with keys of a program."""
    if "\n" in source.text.content.strip() or (whole and not any(_is_scalar(value) for value in whole.values())):
        return False
    texts = len(whole) > 1 and all(isinstance(value, (str, dict)) for value in whole.values())
    return (
        (suffix_of(source.name) not in JSON_ENDINGS and len(whole) < MIN_TEXTS)
        or not texts
        or (len(whole) < MIN_TEXTS and any(classify_header(key) in TEXT_KINDS for key in whole))
    )


def _rows_of_texts(whole: Row) -> list[Row] | None:
    """Return the rows of an object of texts by their ids; None for another object."""
    if len(whole) < MIN_TEXTS or not all(isinstance(value, str) for value in whole.values()):
        return None
    return [name | {TEXT: text} for name, text in zip(_named(list(whole)), whole.values(), strict=True)]


def _is_scalar(value: object) -> bool:
    return not isinstance(value, (dict, list))


def _rows_of_cells(whole: Row) -> list[Row] | None:
    """Return the rows of arrays of cells beside the names of the columns, and of the rows; None for another object."""
    names, cells, index = whole.get("columns"), whole.get("data"), whole.get("index")
    if not (isinstance(names, list) and isinstance(cells, list)):
        return None
    header, rows = list(map(str, cast("list[object]", names))), cast("list[object]", cells)
    if not all(len(_items(row)) == len(header) for row in rows):
        return None
    keys = list(map(str, cast("list[object]", index))) if isinstance(index, list) else []
    named = _named(keys) if len(keys) == len(rows) else [dict[str, object]() for _ in rows]
    return [name | dict(zip(header, _items(row), strict=True)) for name, row in zip(named, rows, strict=True)]


def _rows_of_objects(whole: Row) -> list[Row] | None:
    """Return the rows of an object of columns by row, or of rows by name; None for another object."""
    if not whole or not all(isinstance(value, dict) for value in whole.values()):
        return None
    objects = cast("dict[str, dict[str, object]]", whole)
    keys = list(next(iter(objects.values())))
    square = all(inner.keys() == set(keys) for inner in objects.values())
    of_rows = all(any(classify_header(key) in TEXT_KINDS for key in inner) for inner in objects.values())
    of_columns = any(classify_header(key) in TEXT_KINDS for key in objects)
    if square and (_is_default(keys) or (of_columns and not of_rows)):
        return [
            name | {column: values[key] for column, values in objects.items()}
            for key, name in zip(keys, _named(keys), strict=True)
        ]
    if (square and _is_default(list(objects))) or (of_rows and not of_columns):
        return [name | row for name, row in zip(_named(list(objects)), objects.values(), strict=True)]
    return None


def _rows_of_columns(whole: Row) -> list[Row] | None:
    """Return the rows of an object of columns that are arrays of equal length; None for another object."""
    columns = {key: cast("list[object]", value) for key, value in whole.items() if isinstance(value, list)}
    sizes = set(map(len, columns.values()))
    has_text = any(isinstance(cell, str) for cells in columns.values() for cell in cells)
    if len(sizes) != 1 or not has_text or any(isinstance(value, dict) for value in whole.values()):
        return None
    return [{key: cells[i] for key, cells in columns.items()} for i in range(sizes.pop())]


def _is_default(keys: Sequence[str]) -> bool:
    """Return whether keys only count the rows, as pandas does unless told otherwise."""
    return bool(keys) and keys == [str(i) for i in range(len(keys))]


def _named(index: Sequence[str]) -> list[dict[str, object]]:
    """Return an object with the name of each row; empty objects if the names only count the rows."""
    counted = _is_default(index)
    return [{} if counted else {INDEX: key} for key in index]


FORMAT = Format(
    key="json-lines",
    label=LABEL,
    description="JSON lines (JSONL) or JSON of such a table: an array of objects, also within an object, or columns",
    roles=("system", "reference", "source", "document", "judgments", "scores", "labels"),
    sniff=_sniff,
    read=_read,
    endings=(".jsonl", ".ndjson", ".json"),
    container=True,
    json=True,
)
