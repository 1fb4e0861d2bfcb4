"""Labels of segments or documents, such as their domain, in tables with a header."""

from __future__ import annotations

from typing import Literal

from bleu_core.dataset import FIELDS, Labels, normal_names
from bleu_core.errors import FormatError
from bleu_core.formats.cells import join_cells, parse_segments, strip_cells
from bleu_core.formats.contents import Contents, label_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, guess_delimiter, header_names, parse_table
from bleu_core.formats.source import Source

LABEL = "labels, one row per segment or document"

#: Header of the first column -> what the rows describe.
UNITS: dict[str, Literal["segment", "document"]] = {"segment": "segment", "document": "document"}

#: Headers of ratings, metric scores and texts; a table with one of them is not a table of labels.
HEADERS_OF_OTHER_FORMATS = frozenset(
    {
        *("system", "judge", "rater", "score", "metric"),
        *("source", "src", "reference", "ref", "target", "translation", "hypothesis", "mt", "output", "text"),
        *("doc", "doc_id", "document_id"),
    }
)

#: The most words of a label, in a file that is recognised as labels.
MAX_WORDS = 3


def _sniff(source: Source) -> float:
    """Recognise a header that begins with segment or document, above short cells: texts are longer."""
    names = header_names(source.first_line, source.name)
    if len(names) < 2 or names[0] not in UNITS or set(names) & HEADERS_OF_OTHER_FORMATS:  # noqa: PLR2004
        return 0
    separator = guess_delimiter(source.first_line, source.name)
    cells = [cell.split() for line in source.first_lines.split("\n")[1:] for cell in line.split(separator)]
    return 0.6 if cells and max(map(len, cells)) <= MAX_WORDS else 0


def _read(source: Source, options: Options) -> Contents:
    """Read the table.

    Raises:
        FormatError: the first column is neither segment nor document, there is no other column or no row, a name is
            taken or given twice, or a segment or document occurs twice.
        LimitError: there are too many columns.
    """
    origin = source.name
    table = parse_table(source.text, origin, limits=source.limits)
    header = normal_names(table.header) if table is not None else ()
    unit = UNITS.get(header[0].lower()) if header else None
    if table is None or unit is None:
        raise FormatError(
            f"{origin}, line {source.text.above + 1}: header {join_cells(header or (source.first_line,))[:60]!r} "
            "found, segment or document expected as the first column"
        )
    names = header[1:]
    if not names:
        raise FormatError(f"{origin}, line {table.line}: 1 column found, at least 2 expected: {unit} and a label")
    if not table.lines:
        raise FormatError(f"{origin}: the table has only a header, at least 1 row expected")
    for i, name in enumerate(names):
        place = f"{origin}, line {table.line}"
        if not name:
            raise FormatError(f"{place}: column {i + 2} has no name, one expected")
        if name.lower() in FIELDS:
            raise FormatError(f"{place}: a column called {name} found, which has another meaning; rename it")
        if name in names[:i]:
            raise FormatError(f"{place}: two columns are named {name}; rename one")
    cells = strip_cells(table.columns[0])
    numbers = parse_segments(cells, table.lines, origin, options.first_segment) if unit == "segment" else None
    keys = normal_names(cells) if numbers is None else tuple(numbers)
    first: dict[int | str, int] = {}
    for key, cell, line in zip(keys, cells, table.lines, strict=True):
        if first.setdefault(key, line) != line:
            raise FormatError(
                f"{origin}, line {line}: {unit} {cell} found a second time, 1 row expected; the first is in line "
                f"{first[key]}"
            )
    columns = dict(zip(names, map(normal_names, table.columns[1:]), strict=True))
    labels = Labels(unit=unit, keys=keys, columns=columns, lines=tuple(table.lines), origin=origin)
    return label_contents(labels, source, LABEL, notes=table.notes)


FORMAT = Format(
    key="labels",
    label=LABEL,
    description="tables with a header that begins with segment or document",
    roles=("labels",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
)
