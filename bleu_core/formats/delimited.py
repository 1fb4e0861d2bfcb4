"""Rows and columns of tab-separated and comma-separated files, with the line each row begins on."""

from __future__ import annotations

import csv
import io
import math
import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, compress, islice
from typing import NamedTuple

from bleu_core.dataset import plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count, normal_header
from bleu_core.formats.compression import suffix_of
from bleu_core.formats.text import Text, check_lines, first_line_of
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.progress import report_progress

#: The beginning of the error of the csv module for a cell longer than its limit, which is one for the whole process.
TOO_LONG = "field larger than field limit"
QUOTED = re.compile(r'"[^"]*"')
#: Text within quotation marks, in which two of them stand for one.
INSIDE_QUOTES = re.compile(r'(?:[^"]|"")*+')
TAB_SUFFIXES = (".tsv", ".tab")
SUFFIXES = (*TAB_SUFFIXES, ".csv")
#: Characters that separate cells and rows, and so cannot be part of a cell if every row is one line.
CELL_BREAKS = re.compile(r"[\t\r\n]+")
SURROGATE = re.compile("[\ud800-\udfff]")
NO_TEXT = re.compile("[\0\ud800-\udfff]")
#: Larger whole numbers may have lost digits, and are written with an exponent.
MAX_EXACT_INTEGER = 2**53
#: Lines at the beginning of a table by which its separator is recognised.
SNIFFED_LINES = 10
#: The fewest lines with tabs by which a text without the ending of a table is recognised as one.
MIN_TABBED_ROWS = 3
#: Rows after which progress is reported.
ROWS_PER_REPORT = 2**12
#: Characters of a table from which on pandas is faster in spite of its loading time.
MIN_PANDAS_CHARS = 2**20
#: The greatest share of distinct cells at the beginning of a table that pandas parses faster.
MAX_DISTINCT_SHARE = 0.5


#: The header of the last column of a table in which all text has been passed through `escape_cell`, and its cells.
ESCAPED, ESCAPED_BY = "escaped_by", "bleu-core"
#: The beginning of a formula for spreadsheets, some of which ignore blanks and quotation marks before it; also the
#: apostrophe with which such text is escaped.
FORMULA = re.compile(r"[\t\r\n']|[\s\u200b\ufeff\"]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
#: Characters that control a terminal or end a text, and a backslash that would look like an escaped one.
CONTROL = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\\(?=x[0-9a-f]{2})")
ESCAPED_CONTROL = re.compile(r"\\x([0-9a-f]{2})")


class Row(NamedTuple):
    """The cells of a row and the line of the file (from 1) on which it begins."""

    line: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table by column, as parsed from any file.

    Attributes:
        header: the cells of the first row.
        columns: the cells of all other rows, one sequence per cell of the header.
        lines: the file's line (1-based) on which each row begins.
        decimal_commas: whether numbers may have decimal commas, since commas do not separate the cells.
        line: the line of the header.
        notes: sentences about what is unusual.
        irregular: the first row with another number of cells than the header, which is in no column; None if there is
            none.
    """

    header: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    decimal_commas: bool
    line: int = 1
    notes: tuple[str, ...] = ()
    irregular: Row | None = None

    def check_width(self, name: str) -> None:
        """Check that all rows have as many cells as the first.

        Raises:
            FormatError: a row has more or fewer; the error names the file.
        """
        if self.irregular is not None:
            line, cells = self.irregular
            raise FormatError(
                f"{name}, line {line}: {cell_count(cells)} found, {len(self.header)} expected as in line {self.line}"
            )

    def places(self, headers: Collection[str]) -> list[int]:
        """Return the positions of the columns with one of these headers, given as normal_header returns them."""
        return [i for i, cell in enumerate(self.header) if normal_header(cell) in headers]

    def without_header(self, names: Sequence[str]) -> Table:
        """Return the table of all rows including the first, with names for its columns."""
        columns = tuple([first, *cells] for first, cells in zip(self.header, self.columns, strict=True))
        return replace(self, header=tuple(names), columns=columns, lines=[self.line, *self.lines])

    def subset(self, selected: Sequence[bool]) -> Table:
        """Return the selected rows."""
        columns = tuple(list(compress(cells, selected)) for cells in self.columns)
        return replace(self, columns=columns, lines=list(compress(self.lines, selected)))


def escape_cell(text: str) -> str:
    r"""Escape a text so that no spreadsheet evaluates it: an apostrophe precedes what begins like a formula.

    Control characters other than tabs and line breaks are written as escapes such as \x1b. `unescape_cell` undoes both.
    """
    escaped = CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
    return f"'{escaped}" if FORMULA.match(escaped) else escaped


def unescape_cell(cell: str) -> str:
    """Return the text that `escape_cell` was given."""
    return ESCAPED_CONTROL.sub(lambda match: chr(int(match[1], 16)), cell.removeprefix("'"))


def is_escaped(table: Table) -> bool:
    """Return whether a table declares that all its text has been passed through `escape_cell`."""
    return table.header[-1] == ESCAPED and set(table.columns[-1]) == {ESCAPED_BY}


def is_delimited(name: str) -> bool:
    """Return whether a file's name has the ending of a table."""
    return suffix_of(name) in SUFFIXES


def are_tabbed_rows(head: str) -> bool:
    """Return whether lines of a text are rows of a table: all have equally many tabs, and most have words in a cell.

    Lists of documents with their domains have tabs, and no words.
    """
    lines = [line for line in head.split("\n") if line.strip()]
    if len(lines) < MIN_TABBED_ROWS or len({line.count("\t") for line in lines}) > 1 or "\t" not in lines[0]:
        return False
    return 2 * sum(any(map(has_words, line.split("\t"))) for line in lines) > len(lines)


def has_words(text: str) -> bool:
    """Return whether a text has several words, or is in a script that may have no spaces between words."""
    return " " in text.strip() or not text.isascii()


def guess_delimiter(line: str, name: str = "") -> str:
    """Return the character between cells: a tab if the ending says so or a tab occurs outside quotation marks.

    Otherwise return the more frequent of semicolon and comma. Some files with the ending .csv are tab-separated.
    """
    unquoted = QUOTED.sub("", line)
    if suffix_of(name) in TAB_SUFFIXES or "\t" in unquoted:
        return "\t"
    return ";" if unquoted.count(";") > unquoted.count(",") else ","


def header_names(first_line: str, name: str = "") -> list[str]:
    """Return the cells of a line as the lists of known headers have them, if the line is the header of a table."""
    cells = first_line.split(guess_delimiter(first_line, name))
    return [normal_header(cell.strip('"\r')) for cell in cells]


def detect_separator(text: Text, name: str) -> str:
    """Return the character between the cells of a text: the known one, or that of the first line.

    Of semicolon and comma, the other one is returned if only that one is equally frequent in the next lines: a text in
    the first line may have more commas than there are semicolons between its cells.
    """
    separator = text.separator or guess_delimiter(first_line_of(text.beginning), name)
    other = {",": ";", ";": ","}.get(separator)
    if other is None:
        return separator
    lines = text.head.split("\n")[:-1][:SNIFFED_LINES]
    return other if is_regular(lines, other) and not is_regular(lines, separator) else separator


def is_regular(lines: Sequence[str], separator: str) -> bool:
    """Return whether a character is equally frequent in all lines, outside quotation marks."""
    counts = {QUOTED.sub("", line).count(separator) for line in lines}
    return len(counts) == 1 and 0 not in counts


def table_to_text(
    table: Iterable[Sequence[object]], kind: str, name: str, *, limits: Limits, skip_empty: bool = False
) -> tuple[Text, tuple[str, ...]]:
    """Convert a table that is not text to tab-separated text, in which every row is one line.

    Numbers have no needless ".0", truth values are TRUE and FALSE, dates have the form of ISO 8601, and None is an
    empty cell. Line breaks and tabs within cells become blanks; their number is in the repairs. Columns without
    text are left out, and so are empty rows at the end, which a note counts.

    Args:
        table: rows of equal length.
        kind: the kind of the file, which takes the place of the text's encoding.
        name: the file, for messages.
        limits: the limits for tables.
        skip_empty: whether empty rows before the first row with text are left out, too.

    Returns:
        The text, and sentences about what is left out.

    Raises:
        FormatError: a cell has characters that are not text.
        LimitError: there are too many columns, lines or bytes, or too long lines.
    """
    lines: list[str] = []
    used: set[int] = set()
    width = size = n_mended = n_skipped = 0
    for number, row in enumerate(table, start=1):
        if number == 1:
            width = len(row)
            limits.check("columns", width, name)
        cells = [value if type(value) is str else format_cell(value) for value in row]
        line = "\t".join(cells)
        if line.count("\t") != len(cells) - 1 or "\n" in line or "\r" in line:
            n_mended += sum(CELL_BREAKS.search(cell) is not None for cell in cells)
            line = "\t".join(CELL_BREAKS.sub(" ", cell) for cell in cells)
        if len(used) < width:
            used.update(i for i, cell in enumerate(cells) if cell)
        if skip_empty and not used:
            n_skipped = number
            continue
        size += len(line) + 1
        if size > limits.table_bytes or len(lines) >= limits.lines:
            limits.check("table_bytes", size, name)
            limits.check("lines", len(lines) + 1, name)
        lines.append(line)
    count = len(lines)
    while lines and not lines[-1].strip("\t"):
        lines.pop()
    if len(used) < width:
        places = sorted(used)
        lines = ["\t".join(cells[i] for i in places) for cells in (line.split("\t") for line in lines)]
    content = "".join(f"{line}\n" for line in lines)
    check_characters(content, name)
    check_lines(content, name, limits)
    repairs = (
        *((f"{n_skipped:,} empty {plural(n_skipped, 'row')} above the table skipped",) if n_skipped else ()),
        *line_break_repairs(n_mended),
    )
    return Text(content, kind, repairs, "\t", above=n_skipped), empty_end_notes(count - len(lines))


def line_break_repairs(cells: int) -> tuple[str, ...]:
    """Return the repair of cells in which line breaks or tabs became blanks; empty if there are none."""
    return (f"line breaks or tabs in {cells:,} {plural(cells, 'cell')} read as blanks",) if cells else ()


def empty_end_notes(count: int) -> tuple[str, ...]:
    """Return a note on empty rows at the end of a table, which are left out; empty if there are none."""
    return (f"{count:,} empty {plural(count, 'row')} at the end left out",) if count else ()


def _notes_on_quoted_cells(text: Text, separator: str) -> tuple[str, ...]:
    count = text.quoted_cells if separator == "\t" else 0
    words = f"quotation marks around {count:,} {plural(count, 'cell')}, as Excel writes them, removed"
    return (words,) if count else ()


def format_cell(value: object) -> str:
    """Return a value as a spreadsheet shows it."""
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


def check_characters(content: str, name: str) -> None:
    """Check the characters of a table in which every row is one line.

    Raises:
        FormatError: a cell has characters that are not text.
    """
    match = NO_TEXT.search(content)
    if match is not None:
        what = "NUL character" if match[0] == "\0" else "half of a surrogate pair"
        line = content.count("\n", 0, match.start()) + 1
        raise FormatError(f"{name}, line {line}: {what} found, text expected; remove it from the cell")


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
    if count > limits.cells and (separator != "\t" or text.quoted_cells):  # separators may be inside quoted cells
        count = sum(len(cells) for _, cells in _rows_of(text, separator, name))
    limits.check("cells", count, name)


def parse_table(
    text: Text, name: str, *, separator: str | None = None, ragged: bool = False, limits: Limits = DEFAULT_LIMITS
) -> Table | None:
    """Parse a table.

    Blank lines and empty rows at the end are left out, except in tables of one column. In tab-separated files, a
    quotation mark is an ordinary character unless cells are quoted consistently (see count_quoted_cells). Files
    separated by commas or semicolons are quoted as in spreadsheets.

    Args:
        text: the file's text.
        name: the file, for messages.
        separator: the character between cells; None detects it.
        ragged: whether rows may differ in width from the first.
        limits: the limits for rows.

    Returns:
        None if no cell has text.

    Raises:
        FormatError: a row has more or fewer cells than the first, or quotation marks do not match.
        LimitError: a row has too many cells.
    """
    separator = separator or detect_separator(text, name)
    columns = _parse_repeated_cells(text, separator, limits)
    if columns is None:
        table = _parse_rows(text, name, separator, limits)
        if table is not None and not ragged:
            table.check_width(name)
        return table
    return Table(
        header=tuple(cells[0] for cells in columns),
        columns=tuple(cells[1:] for cells in columns),
        lines=range(text.above + 2, text.above + len(columns[0]) + 1),
        decimal_commas=separator != ",",
        line=text.above + 1,
        notes=_notes_on_quoted_cells(text, separator),
    )


def iter_rows(
    pieces: Callable[[], Iterable[str]],
    separator: str,
    place: str = "",
    *,
    quoted: bool,
    strict: bool = True,
    above: int = 0,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row after the line (from 1) on which it begins; a blank line may have no cell.

    Args:
        pieces: returns the text in pieces, each of which ends with a whole line.
        separator: the character between cells.
        place: the file, for messages.
        quoted: whether cells may be quoted; otherwise every line is a row.
        strict: whether quotation marks have to match.
        above: the number of rows in the file above the first row.

    Raises:
        FormatError: quotation marks do not match.
    """
    line = above + 1
    if not quoted:
        for piece in pieces():
            for row in piece.removesuffix("\n").split("\n"):
                yield line, row.removesuffix("\r").split(separator)
                line += 1
        return
    try:
        reader = csv.reader(_lines(pieces()), delimiter=separator, strict=strict)
        try:
            for cells in reader:
                yield line, cells
                line = above + reader.line_num + 1
        except csv.Error as error:
            if not str(error).startswith(TOO_LONG):
                raise
            rest = islice(_lines(pieces()), line - above - 1, None)
            yield from _long_rows(rest, line, separator, place, strict=strict)
    except csv.Error as error:
        raise _unreadable(place, line, error) from None


def _unreadable(place: str, line: int, error: csv.Error) -> FormatError:
    """Return the error for a row whose quotation marks do not match."""
    return FormatError(f"{place}, line {line}: cannot be read as a table: {error}; check the quotation marks")


def _lines(pieces: Iterable[str]) -> Iterator[str]:
    """Return the lines of a text with their ends, as the csv module wants them."""
    return chain.from_iterable(io.StringIO(piece, newline="") for piece in pieces)


def _long_rows(
    lines: Iterable[str], first: int, separator: str, place: str, *, strict: bool
) -> Iterator[tuple[int, list[str]]]:
    """Yield rows as csv.reader returns them, with cells of any length, after the line on which each begins.

    Args:
        lines: the lines with their ends.
        first: the number of the first line.
        separator: the character between cells.
        place: the file, for messages.
        strict: whether quotation marks have to match.

    Raises:
        FormatError: quotation marks do not match and strict is set.
    """
    numbered = enumerate(lines, start=first)
    unquoted = re.compile(rf"[^{separator}\r\n]*+")
    for number, line in numbered:
        try:
            cells = _long_row(line, numbered, separator, unquoted, strict=strict) if line.strip("\r\n") else []
        except csv.Error as error:
            raise _unreadable(place, number, error) from None
        yield number, cells


def _long_row(
    line: str, later: Iterator[tuple[int, str]], separator: str, unquoted: re.Pattern[str], *, strict: bool
) -> list[str]:
    """Return the cells of the row that begins on a line; what is on later lines is taken from these."""
    cells: list[str] = []
    at = 0
    while True:
        parts: list[str] = []
        quoted = line.startswith('"', at)
        at += quoted
        while quoted:
            inside = _matched(INSIDE_QUOTES, line, at)
            parts.append(inside.replace('""', '"'))
            at += len(inside) + 1  # after the closing mark
            if at <= len(line):
                break
            _, line = next(later, (0, ""))
            at = 0
            if not line and strict:
                raise csv.Error("unexpected end of data")
            if not line:
                return [*cells, "".join(parts)]
        rest = _matched(unquoted, line, at)
        if quoted and rest and strict:
            raise csv.Error(f"'{separator}' expected after '\"'")
        cells.append("".join((*parts, rest)))
        at += len(rest)
        if not line.startswith(separator, at):
            return cells
        at += 1


def _matched(pattern: re.Pattern[str], line: str, at: int) -> str:
    """Return the text at a place in a line that matches a pattern, which may be empty."""
    match = pattern.match(line, at)
    return match[0] if match else ""


def _rows_of(text: Text, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    quoted = separator != "\t" or text.quoted_cells > 0
    return iter_rows(text.pieces, separator, name, quoted=quoted, above=text.above)


def _parse_rows(text: Text, name: str, separator: str, limits: Limits) -> Table | None:
    """Parse the rows one by one, and collect their cells by column, which needs less memory than rows."""
    columns: list[list[str]] = []
    lines = array("q")
    irregular: list[Row] = []
    batch: list[list[str]] = []
    count = text.line_ends.newlines + 1
    for line, cells in _rows_of(text, separator, name):
        if len(cells) > limits.columns:
            limits.check("columns", len(cells), f"{name}, line {line}")
        if not columns:
            columns = [[] for _ in cells or ("",)]
        if not cells and len(columns) == 1:  # a blank line is an empty cell, as in plain text
            cells = [""]  # noqa: PLW2901 # the cells that plain text has
        if len(cells) == len(columns):
            lines.append(line)
            batch.append(cells)
        else:
            irregular.append(Row(line, tuple(cells)))
        if len(batch) == ROWS_PER_REPORT:
            _extend(columns, batch)
            report_progress(line - text.above, count)
    _extend(columns, batch)
    if not any(map(any, columns)) and not any(any(row.cells) for row in irregular):
        return None
    notes: tuple[str, ...] = ()
    if len(columns) > 1:
        empty = _remove_empty_end(columns, lines, irregular)
        filled = [row for row in irregular if row.cells not in ((), ("",))]
        blank = len(irregular) - len(filled)
        blank_notes = (f"{blank:,} blank {plural(blank, 'line')} between rows left out",) if blank else ()
        notes = (*_notes_on_quoted_cells(text, separator), *blank_notes, *empty_end_notes(empty))
        irregular = filled
    header = tuple(cells.pop(0) for cells in columns)
    return Table(
        header=header,
        columns=tuple(columns),
        lines=lines[1:],
        decimal_commas=separator != ",",
        line=lines[0],
        notes=notes,
        irregular=irregular[0] if irregular else None,
    )


def _extend(columns: list[list[str]], batch: list[list[str]]) -> None:
    for column, cells in zip(columns, zip(*batch, strict=True), strict=False):  # no cells in an empty batch
        column.extend(cells)
    batch.clear()


def _remove_empty_end(columns: list[list[str]], lines: array[int], irregular: list[Row]) -> int:
    """Remove rows without text at the end, and return their number without blank lines, which are not unusual there."""
    empty = 0
    while True:
        if irregular and irregular[-1].line > lines[-1]:
            if "".join(irregular[-1].cells).strip():
                return empty
            empty += len(irregular.pop().cells) > 1
        elif len(lines) > 1 and not "".join(cells[-1] for cells in columns).strip():
            lines.pop()
            for cells in columns:
                cells.pop()
            empty += 1
        else:
            return empty


def _parse_repeated_cells(text: Text, separator: str, limits: Limits) -> Sequence[list[str]] | None:
    """Parse the columns of a large table of repeated cells with pandas.

    This second parser stays for speed: pandas creates one object for all repetitions of a text, such as the name of a
    system, so that a file of a million ratings is read in 0.74 of the time with _parse_rows() and with 0.60 of its
    memory. With texts, which differ, it gains no time and needs 1.64 times the memory (tests/benchmarks/tables.py).

    Returns:
        None if the table is small, most cells differ, a row may have several lines, the last row is empty, or something
        is wrong: _parse_rows() explains the error.
    """
    if text.size < MIN_PANDAS_CHARS or not _has_repeated_cells(text.head, separator):
        return None
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
    except ValueError:  # rows of different width, or invalid text: _parse_rows() explains the error
        return None
    columns = [frame[i].tolist() for i in frame.columns]
    # pandas fills short rows, and loses the lines of cells with line breaks. In a table of one column, blank lines are
    # cells.
    complete = bare.count(separator) == (len(columns) - 1) * len(frame) and content.count("\n") + 1 == len(frame)
    if (
        not complete
        or len(columns) == 1
        or not any(map(any, columns))
        or not any(cells[-1].strip() for cells in columns)
    ):
        return None
    return columns


def _has_repeated_cells(head: str, separator: str) -> bool:
    """Return whether most cells at the beginning of a table occur several times."""
    cells = head.replace("\n", separator).split(separator)
    return len(set(cells)) <= MAX_DISTINCT_SHARE * len(cells)


def _without_quoted(content: str, separator: str) -> str:
    """Remove quoted cells of one line from the content; any remaining quotation mark is misplaced."""
    # The pattern begins with the quotation mark, followed by a lookbehind: regular expressions search literals fast.
    cell = rf'"(?<![^{separator}\n]")[^"\n]*+(?:""[^"\n]*+)*+"(?![^{separator}\r\n])'
    return re.sub(cell, "", content)
