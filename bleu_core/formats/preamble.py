"""Rows above the header of a table, such as a title, a date or empty rows; tables in CSV or TSV with such rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from bleu_core.dataset import plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.column_kinds import NUMBER, why_not_text
from bleu_core.formats.compression import suffix_of
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import (
    SNIFFED_LINES,
    SUFFIXES,
    TAB_SUFFIXES,
    Row,
    Table,
    detect_separator,
    is_delimited,
    iter_rows,
)
from bleu_core.formats.header_rows import HEADER_LABEL, NO_HEADER
from bleu_core.formats.headers import TEXT_KINDS, classify_header
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.invocation import format_option

#: The values of the option for the header row: the first rows, and no header.
HEADER_ROW_CHOICES = (*(str(row) for row in range(1, SNIFFED_LINES + 1)), NO_HEADER)
#: Separators of cells, in the order in which they are tried.
SEPARATORS = (";", ",", "\t")
#: The fewest rows with the header's number of cells below it, if the rows above it have other numbers.
MIN_REGULAR_ROWS = 2


def skip_preamble(text: Text, name: str, header_row: str) -> tuple[Text, tuple[str, ...]]:
    """Return a table without the rows above its header.

    Args:
        text: a table; its separator is known, or detected.
        name: the file, for messages.
        header_row: the row of the header (from 1) as text, or NO_HEADER; empty detects it.

    Returns:
        The table, and notes about the decision.

    Raises:
        FormatError: there is no such row.
    """
    chosen = header_row.strip()
    if chosen == NO_HEADER:
        return replace(text, header=False), ()
    if chosen:
        rows = text.line_ends.newlines + text.above
        row = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) < 8 else 0  # noqa: PLR2004 # digits
        if not text.above < row < rows:
            expected = f"a number from {text.above + 1} to {max(rows - 1, 1)} expected"
            raise FormatError(f"{name}: header row {chosen!r} found, {expected}")
        return cut_above(text, row - text.above - 1), ()
    line = count_preamble_lines(text, name)
    return (cut_above(text, line), note_on_rows_above(text.above + line)) if line else (text, ())


def note_on_rows_above(count: int) -> tuple[str, ...]:
    """Return the note on rows above the header, which are not used."""
    what = "row 1 is" if count == 1 else f"rows 1 to {count} are"
    return (f"{what} not used: the headers of the table are in row {count + 1}",)


def count_preamble_lines(text: Text, name: str) -> int:
    """Return the number of lines above the header of a table; 0 if its first row may be the header.

    A title is a first row with at most one filled cell. The header is the first row after it with a cell for every
    column that is used below. Its cells differ and are not numbers, and one of these conditions holds: a header is
    known; a row between title and header is empty; or in text, the rows above have another number of cells than all
    others.
    """
    detected = detect_separator(text, name)
    rows = list(_beginning(text, detected))
    if text.separator is not None or (len({len(row.cells) for row in rows}) == 1 and len(rows[0].cells) > 1):
        separators: Sequence[str] = (detected,)
    else:
        separators = "\t" if suffix_of(name) in TAB_SUFFIXES else SEPARATORS
    headers = (_header(_beginning(text, separator)) for separator in separators)
    best = max((row for row in headers if row is not None), key=lambda row: len(row.cells), default=None)
    # A row may also end with CR alone, and then be no line that could be skipped.
    return 0 if best is None or best.line > text.beginning.count("\n") else best.line


def check_headers(table: Table, text: Text, name: str, *, header: bool) -> None:
    """Check that columns of text have headers, which some lack if the first row is one of groups of columns.

    Args:
        table: the table with its first row as its header.
        text: the text from which it was parsed.
        name: the file, for messages.
        header: whether the first row is the header; otherwise only known headers in the next row are refused.

    Raises:
        FormatError: a column has none; the error has the option to use if the next row has known headers.
    """
    cells_of = enumerate(zip(table.header, table.columns, strict=True), start=1)
    unnamed = [i for i, (name_of, cells) in cells_of if not name_of.strip() and why_not_text(cells) is None]
    following = [cells[0] for cells in table.columns if cells]
    is_next = all(map(str.strip, following)) and sum(map(_is_known, following)) > 1
    if not unnamed or not (header or is_next):
        return
    advice = "write all headers in one row"
    if is_next:
        key = "titled-table" if text.separator is None else "spreadsheet"
        option = format_option(name, key, header=str(table.lines[0]))
        advice += f", or if they are in line {table.lines[0]}, read the file with {option}"
    places = f"{plural(len(unnamed), 'column')} {listed(unnamed)}"
    raise FormatError(f"{name}, line {table.line}: no header found above {places}, a name expected; {advice}")


def _beginning(text: Text, separator: str) -> Iterator[Row]:
    """Yield the first rows of a text, each with the number of lines before it."""
    quoted = separator != "\t" or text.quoted_cells > 0
    for line, cells in iter_rows(lambda: (text.head,), separator, quoted=quoted, strict=False):
        yield Row(line - 1, tuple(cells))


def _header(rows: Iterable[Row]) -> Row | None:
    """Return the header below a title; None if there is no title, or the header is ambiguous."""
    rows = iter(rows)
    first = list(islice(rows, SNIFFED_LINES))
    filled = [_filled(row) for row in first]
    if not first or len(filled[0]) > 1:
        return None
    later: set[int] = set()
    for row in rows:
        later |= _filled(row)
    for i, row in enumerate(first[1:], start=1):
        below = later.union(*filled[i + 1 :])
        if len(filled[i]) < 2 or not below or not below <= filled[i]:  # noqa: PLR2004 # a table has two columns
            continue
        return row if _is_header(first, filled, i) else None
    return None


def _filled(row: Row) -> set[int]:
    return {i for i, cell in enumerate(row.cells) if cell.strip()}


def _is_header(first: Sequence[Row], filled: Sequence[set[int]], at: int) -> bool:
    """Return whether the first row with all cells is a header."""
    names = [cell.strip() for cell in first[at].cells if cell.strip()]
    if len(set(names)) < len(names) or any(map(NUMBER.fullmatch, names)):
        return False
    if any(len(cells) >= len(names) for cells in filled[:at]):
        return False
    if any(map(_is_known, names)) or (filled[0] and set() in filled[1:at]):
        return True
    width = len(first[at].cells)
    others = first[at + 1 :]
    ragged = all(len(row.cells) != width for row in first[:at]) and all(len(row.cells) == width for row in others)
    return ragged and len(others) >= MIN_REGULAR_ROWS


def _is_known(name: str) -> bool:
    return classify_header(name) in (*TEXT_KINDS, "number")


def cut_above(text: Text, count: int) -> Text:
    """Return a table that begins with its header, without the lines above it and columns that become empty."""
    content = text.content.split("\n", count)[count]
    if text.separator is not None and count:
        rows = [line.split(text.separator) for line in content.removesuffix("\n").split("\n")]
        used = sorted({i for row in rows for i, cell in enumerate(row) if cell})
        if len(used) < len(rows[0]):
            content = "".join(text.separator.join(row[i] for i in used) + "\n" for row in rows)
    skipped = f"{count:,} {plural(count, 'row')} above the header skipped"
    repairs = (*text.repairs, skipped) if count else text.repairs
    return Text(content, text.encoding, repairs, text.separator, header=True, above=text.above + count)


def _sniff(source: Source) -> float:
    is_text = source.table is None and is_delimited(source.name)
    return 0.5 if is_text and count_preamble_lines(source.text, source.name) else 0


def _read(source: Source, options: Options) -> Source:
    """Return the table.

    Raises:
        FormatError: the header row that the user has set does not exist.
    """
    return source.with_table(*skip_preamble(source.text, source.name, options.own.get("header", "")))


FORMAT = Format(
    key="titled-table",
    label="table below a title",
    description="tables with rows above their header, such as a title",
    roles=("system", "reference", "source", "document", "judgments", "scores", "labels"),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    container=True,
    own={"header": HEADER_LABEL},
    values=lambda _: {"header": HEADER_ROW_CHOICES},
)
