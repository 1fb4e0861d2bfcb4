"""Tables in JSON lines, one object per row, and in a JSON array of objects."""

from __future__ import annotations

import re
from typing import cast

from bleu_core.errors import FormatError
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.json_objects import iterate_array, parse_object
from bleu_core.formats.records import Records
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.progress import report_progress

LABEL = "JSON lines"
#: The beginning of an array of objects, which may have line breaks.
ARRAY = re.compile(r"\s*+\[\s*+\{\s*+(?:\"|\})")
#: Lines after which progress is reported.
LINES_PER_REPORT = 2**12


def _sniff(source: Source) -> float:
    if ARRAY.match(source.text.beginning):
        return 0.25
    return 0.25 if source.first_line.startswith("{") and parse_object(source.first_line) else 0


def _read(source: Source, _: Options) -> Source:
    """Return the table; blank lines at the end are ignored.

    Raises:
        FormatError: a line is not an object.
        LimitError: there are too many lines, distinct names or cells.
    """
    if ARRAY.match(source.text.beginning):
        return _read_array(source)
    lines = split_lines(source.text)[0]
    source.limits.check("objects", len(lines), source.name)
    records = Records(source, len(lines))
    for number, line in enumerate(lines, start=1):
        record = parse_object(line)
        if record is None:
            if not any(map(str.strip, lines[number - 1 :])):
                break
            raise FormatError(
                f"{source.name}, line {number}: {line[:40]!r} found, an object with a value for each column expected"
            )
        records.add(record)
        if not number % LINES_PER_REPORT:
            report_progress(number, len(lines))
    return records.table(source.text.encoding)


def _read_array(source: Source) -> Source:
    """Return the table in an array of objects."""
    name, content = source.name, source.text.content
    records = Records(source, 0, row="item")
    for number, (end, row) in enumerate(iterate_array(content, name, source.limits), start=1):
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


FORMAT = Format(
    key="json-lines",
    label=LABEL,
    description="JSON lines (JSONL) or a JSON array with an object for each row of such a table",
    roles=("system", "reference", "source", "document", "judgments", "scores", "labels"),
    sniff=_sniff,
    read=_read,
    endings=(".jsonl", ".ndjson", ".json"),
    container=True,
    json=True,
)
