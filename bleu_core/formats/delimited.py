"""Rows and columns of tab-separated and comma-separated files, with the line each row begins on."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, Self

from bleu_core.dataset import plural
from bleu_core.errors import FormatError
from bleu_core.formats.compression import suffix_of
from bleu_core.formats.text import Text, check_lines, first_line_of
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import tell

#: The most characters of a cell, more than any file may have. The csv module has one such limit for the whole process,
#: 128 KiB by default, and a document may be longer; all users of csv import this module first.
MAX_CELL_LENGTH = 2**31 - 1
csv.field_size_limit(MAX_CELL_LENGTH)

QUOTED = re.compile(r'"[^"]*"')
TAB_SUFFIXES = (".tsv", ".tab")
SUFFIXES = (*TAB_SUFFIXES, ".csv")
#: What separates cells and rows, and can be no part of a cell where every row is one line.
CELL_BREAKS = re.compile(r"[\t\r\n]+")
SURROGATE = re.compile("[\ud800-\udfff]")
#: Larger whole numbers may have lost digits, and are written with an exponent.
MAX_EXACT_INTEGER = 2**53
#: Characters, and lines, at the beginning of a table that show what separates its cells.
SNIFFED_CHARS = 2**14
SNIFFED_LINES = 10
#: Rows after which progress is reported.
ROWS_PER_REPORT = 2**12
#: Characters of a table from which on pandas is worth the time to load it.
MIN_PANDAS_CHARS = 2**20


#: The last column of a table in which all text has been passed through `escape_cell`.
ESCAPED, ESCAPED_BY = "escaped_by", "bleu-core"
#: The beginning of what a spreadsheet takes for a formula, of which some drop blanks and quotation marks before it; and
#: the apostrophe that is put before such text, and so before what begins with one.
FORMULA = re.compile(r"[\t\r\n']|[\s\u200b\ufeff\"]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
#: Characters that control a terminal or end a text, and what would be taken for one that was written out.
CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\\(?=x[0-9a-f]{2})")
ESCAPED_CONTROL = re.compile(r"\\x([0-9a-f]{2})")


class Row(NamedTuple):
    """The cells of one row and the file's line (1-based) on which it begins."""

    line: int
    cells: tuple[str, ...]


class Rows(tuple[Row, ...]):  # noqa: SLOT001 # no tuple can have slots for attributes
    """The rows of a table, and what was noticed about them.

    Attributes:
        notes: sentences.
    """

    notes: tuple[str, ...] = ()

    @classmethod
    def noted(cls, content: Iterable[Row], notes: Iterable[str]) -> Self:
        """Rows with notes."""
        found = cls(content)
        found.notes = tuple(notes)
        return found


@dataclass(frozen=True, slots=True)
class Table:
    """A table by columns, with a header.

    Attributes:
        header: the cells of the first row.
        columns: the cells of all other rows, one sequence per cell of the header.
        lines: the file's line (1-based) on which each row begins.
        line: that of the header.
        decimal_commas: whether numbers may have decimal commas, since commas do not separate the cells.
        notes: what was noticed, as sentences.
    """

    header: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    decimal_commas: bool
    line: int = 1
    notes: tuple[str, ...] = ()


def escape_cell(text: str) -> str:
    r"""Return a text as a cell that no spreadsheet runs: with an apostrophe before what begins like a formula.

    Control characters other than tabs and line breaks are written out, as \x1b. `unescape_cell` undoes both.
    """
    written = CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
    return f"'{written}" if FORMULA.match(written) else written


def unescape_cell(cell: str) -> str:
    """Return the text that `escape_cell` has made a cell of."""
    return ESCAPED_CONTROL.sub(lambda found: chr(int(found[1], 16)), cell.removeprefix("'"))


def is_escaped(table: Table) -> bool:
    """Return whether a table says that all its text has been passed through `escape_cell`."""
    return table.header[-1] == ESCAPED and set(table.columns[-1]) == {ESCAPED_BY}


def is_delimited(name: str) -> bool:
    """Return whether a file's name is that of a table."""
    return suffix_of(name) in SUFFIXES


def guess_delimiter(line: str, name: str = "") -> str:
    """Return the character between cells: a tab if the file's suffix means that or a tab occurs outside quotation marks.

    Else the more frequent of semicolon and comma. There are tab-separated files with the suffix .csv.
    """
    unquoted = QUOTED.sub("", line)
    if suffix_of(name) in TAB_SUFFIXES or "\t" in unquoted:
        return "\t"
    return ";" if unquoted.count(";") > unquoted.count(",") else ","


def detect_separator(text: Text, name: str) -> str:
    """Return the character between the cells of a text: as it is known, or as delimiter finds it in the first line.

    Of semicolon and comma, the other one is taken where only that one is equally frequent in the next lines, too: a
    text in the first line may have more commas than there are semicolons between its cells.
    """
    found = text.separator or guess_delimiter(first_line_of(text.beginning), name)
    other = {",": ";", ";": ","}.get(found)
    if other is None:
        return found
    lines = text.beginning[:SNIFFED_CHARS].split("\n")[:-1][:SNIFFED_LINES]
    return other if _is_regular(lines, other) and not _is_regular(lines, found) else found


def _is_regular(lines: Sequence[str], separator: str) -> bool:
    """Return whether a character is equally frequent in all lines, outside quotation marks."""
    counts = {QUOTED.sub("", line).count(separator) for line in lines}
    return len(counts) == 1 and 0 not in counts


def table_to_text(
    table: Iterable[Sequence[object]], kind: str, name: str, *, limits: Limits, skip_empty: bool = False
) -> tuple[Text, tuple[str, ...]]:
    """Return a table that is no text as tab-separated text, in which every row is one line.

    Numbers have no needless ".0", truth values are TRUE and FALSE, dates have the form of ISO 8601, and None is an
    empty cell. Line breaks and tabs within cells become blanks; their number is in the repairs. Columns without any
    text are left out, and so are empty rows at the end, of which a note tells.

    Args:
        table: rows of equal length.
        kind: of the file, which stands in the place of the text's encoding.
        name: the file, for messages.
        limits: the limits for tables.
        skip_empty: whether empty rows before the first one with text are left out, too.

    Returns:
        The text, and sentences about what is left out.

    Raises:
        FormatError: a cell has characters that are not text.
        LimitError: there are too many columns, lines or bytes, or too long lines.
    """
    lines: list[str] = []
    used: set[int] = set()
    width = size = mended = skipped = 0
    for number, row in enumerate(table, start=1):
        if number == 1:
            width = len(row)
            limits.check("columns", width, name)
        cells = [value if type(value) is str else format_cell(value) for value in row]
        line = "\t".join(cells)
        if line.count("\t") != len(cells) - 1 or "\n" in line or "\r" in line:
            mended += sum(CELL_BREAKS.search(cell) is not None for cell in cells)
            line = "\t".join(CELL_BREAKS.sub(" ", cell) for cell in cells)
        if len(used) < width:
            used.update(i for i, cell in enumerate(cells) if cell)
        if skip_empty and not used:
            skipped = number
            continue
        size += len(line) + 1
        if size > limits.table_bytes or len(lines) >= limits.lines:
            limits.check("table_bytes", size, name)
            limits.check("lines", len(lines) + 1, name)
        lines.append(line)
    _check_characters(lines, name)
    count = len(lines)
    while lines and not lines[-1].strip("\t"):
        lines.pop()
    if len(used) < width:
        places = sorted(used)
        lines = ["\t".join(cells[i] for i in places) for cells in (line.split("\t") for line in lines)]
    content = "".join(f"{line}\n" for line in lines)
    check_lines(content, name, limits)
    repairs = (
        *((f"{skipped:,} empty {plural(skipped, 'row')} above the table skipped",) if skipped else ()),
        *line_break_repairs(mended),
    )
    return Text(content, kind, repairs, "\t", above=skipped), empty_end_notes(count - len(lines))


def line_break_repairs(cells: int) -> tuple[str, ...]:
    """Return the repair of so many cells in which line breaks and tabs became blanks, in words."""
    return (f"line breaks or tabs in {cells:,} {plural(cells, 'cell')} read as blanks",) if cells else ()


def empty_end_notes(count: int) -> tuple[str, ...]:
    """Return the sentence about so many empty rows at the end of a table, which are left out; none if there are none."""
    return (f"{count:,} empty {plural(count, 'row')} at the end left out",) if count else ()


def _notes_on_blank_lines(lines: int) -> tuple[str, ...]:
    return (f"{lines:,} blank {plural(lines, 'line')} between rows left out",) if lines else ()


def _notes_on_quoted_cells(text: Text, separator: str) -> tuple[str, ...]:
    count = text.quoted_cells if separator == "\t" else 0
    if not count:
        return ()
    return (f"quotation marks around {count:,} {plural(count, 'cell')}, as Excel writes them, removed",)


def format_cell(value: object) -> str:
    """Return a value as a sheet shows it."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float):
        if math.isnan(value):
            return ""
        return str(int(value)) if value.is_integer() and abs(value) < MAX_EXACT_INTEGER else repr(value)
    return str(value)


def _check_characters(lines: Sequence[str], name: str) -> None:
    for number, line in enumerate(lines, start=1):
        if line.isascii() and "\0" not in line:
            continue
        place = f"{name}, line {number}"
        if "\0" in line:
            raise FormatError(f"{place}: NUL character found, text expected; remove it from the cell")
        if SURROGATE.search(line):
            raise FormatError(f"{place}: half of a surrogate pair found, text expected; remove it from the cell")


def parse_rows(text: Text, name: str, *, limits: Limits = DEFAULT_LIMITS) -> Rows:
    """Read rows of equal width; blank lines and empty rows at the end are left out, except in tables of one column.

    In tab-separated files a quotation mark is an ordinary character, unless cells are quoted consistently (see
    count_quoted_cells). Files separated by commas or semicolons are quoted as spreadsheets do it.

    Raises:
        FormatError: a row has more or fewer cells than the first.
        LimitError: a row has too many cells.
    """
    found = parse_ragged_rows(text, name, limits=limits)
    for row in found:
        if len(row.cells) != len(found[0].cells):
            cells = f"{len(row.cells)} {'cell' if len(row.cells) == 1 else 'cells'}"
            raise FormatError(
                f"{name}, line {row.line}: {cells} found, {len(found[0].cells)} expected as in line {found[0].line}"
            )
    return found


def check_cells(text: Text, name: str, limits: Limits) -> None:
    """Check the number of cells of a table of texts before it is read.

    Raises:
        FormatError: quotation marks do not match.
        LimitError: there are too many cells.
    """
    separator = detect_separator(text, name)
    count = 0
    ended = False
    for piece in text.pieces():
        count += piece.count(separator) + piece.count("\n")
        ended = piece.endswith("\n")
    count += not ended
    if count > limits.cells and (separator != "\t" or text.quoted_cells):  # some of these may be within cells
        count = sum(len(row.cells) for row in _quoted(text, separator, name))
    limits.check("cells", count, name)


def parse_ragged_rows(text: Text, name: str, separator: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Rows:
    """Read rows that may differ in width, otherwise like rows().

    Args:
        text: the file's text.
        name: the file, for messages.
        separator: between cells; None finds it as delimiter does.
        limits: the most that a row may hold.

    Raises:
        FormatError: quotation marks do not match.
        LimitError: a row has too many cells.
    """
    separator = separator or detect_separator(text, name)
    plain = separator == "\t" and not text.quoted_cells
    read = _tab_separated(text) if plain else _quoted(text, separator, name)
    found: list[Row] = []
    lines = text.line_ends.newlines + 1
    for row in read:
        if len(row.cells) > limits.columns:
            limits.check("columns", len(row.cells), f"{name}, line {row.line + text.above}")
        found.append(row._replace(line=row.line + text.above) if text.above else row)
        if not len(found) % ROWS_PER_REPORT:
            tell(row.line, lines)
    if not any(cell for row in found for cell in row.cells):
        return Rows()
    if len(found[0].cells) <= 1:  # a blank line is an empty cell, as in plain text
        return Rows(Row(line=row.line, cells=row.cells or ("",)) for row in found)
    empty = 0  # rows at the end; that a file ends with blank lines is nothing unusual
    while len(found) > 1 and not "".join(found[-1].cells).strip():
        empty += len(found.pop().cells) > 1
    filled = [row for row in found if row.cells not in ((), ("",))]
    notes = (
        *_notes_on_quoted_cells(text, separator),
        *_notes_on_blank_lines(len(found) - len(filled)),
        *empty_end_notes(empty),
    )
    return Rows.noted(filled, notes)


def parse_table(text: Text, name: str, *, limits: Limits = DEFAULT_LIMITS) -> Table | None:
    """Read a table with a header by columns: the same cells as rows() gives, in less time.

    Returns:
        None if the file is empty.

    Raises:
        FormatError, LimitError: as rows.
    """
    separator = detect_separator(text, name)
    quick = parse_regular_columns(text, separator, limits=limits)
    if quick is not None:
        lines = range(text.above + 2, text.above + len(quick[0]) + 1)
        return Table(
            header=tuple(cells[0] for cells in quick),
            columns=tuple(cells[1:] for cells in quick),
            lines=lines,
            decimal_commas=separator != ",",
            line=text.above + 1,
            notes=_notes_on_quoted_cells(text, separator),
        )
    found = parse_rows(text, name, limits=limits)
    if not found:
        return None
    header, body = found[0].cells, found[1:]
    cells = tuple([row.cells[i] for row in body] for i in range(len(header)))
    return Table(
        header=header,
        columns=cells,
        lines=[row.line for row in body],
        decimal_commas=separator != ",",
        line=found[0].line,
        notes=found.notes,
    )


def parse_regular_columns(
    text: Text, separator: str, *, limits: Limits = DEFAULT_LIMITS
) -> Sequence[Sequence[str]] | None:
    """Read a large table in which every row is one line: the cells of its columns, including those of the first row.

    Returns:
        None if the table is small, a row may take several lines, the last row is empty, or something is wrong:
        rows() explains that.
    """
    content = text.content
    if len(content) < MIN_PANDAS_CHARS or first_line_of(content).count(separator) >= limits.columns:
        return None
    import pandas as pd  # loaded when first needed: scoring does without

    quoted = '"' in content and (separator != "\t" or text.quoted_cells > 0)
    strange = content.count("\r") != content.count("\r\n") or content.startswith("\ufeff")
    content = content.rstrip("\r\n")
    bare = _without_quoted(content, separator) if quoted else content
    if strange or (quoted and '"' in bare):
        return None
    try:
        frame = pd.read_csv(
            io.BytesIO(content.encode()),
            sep=separator,
            header=None,
            dtype=object,
            keep_default_na=False,
            na_filter=False,
            skip_blank_lines=False,
            quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        )
    except ValueError:  # rows of different width, or text that cannot be parsed: rows() explains it
        return None
    found = [frame[i].tolist() for i in frame.columns]
    # pandas fills up short rows, and the lines of cells with line breaks are lost. In a table of one column blank
    # lines are cells.
    complete = bare.count(separator) == (len(found) - 1) * len(frame) and content.count("\n") + 1 == len(frame)
    if not complete or len(found) == 1 or not any(map(any, found)) or not any(cells[-1].strip() for cells in found):
        return None
    return found


def _without_quoted(content: str, separator: str) -> str:
    """Return the content without quoted cells of one line; any quotation mark that remains is misplaced."""
    # The pattern begins with the mark and looks behind afterwards: there are few marks, and they are found at once.
    cell = rf'"(?<![^{separator}\n]")[^"\n]*+(?:""[^"\n]*+)*+"(?![^{separator}\r\n])'
    return re.sub(cell, "", content)


def _tab_separated(text: Text) -> Iterator[Row]:
    number = 0
    for piece in text.pieces():
        for line in piece.removesuffix("\n").split("\n"):
            number += 1
            yield Row(line=number, cells=tuple(line.removesuffix("\r").split("\t")))


def _quoted(text: Text, separator: str, name: str) -> Iterator[Row]:
    lines = chain.from_iterable(io.StringIO(piece, newline="") for piece in text.pieces())
    reader = csv.reader(lines, delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            yield Row(line=line, cells=tuple(cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(
            f"{name}, line {line + text.above}: cannot be read as a table: {error}; check the quotation marks"
        ) from None
