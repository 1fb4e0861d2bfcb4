"""Spreadsheets (XLSX and ODS): one sheet is read like the same table as text."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from xml.parsers import expat

from bleu_core.dataset import plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import ROWS_PER_REPORT, table_to_text
from bleu_core.formats.header_rows import HEADER_LABEL
from bleu_core.formats.preamble import HEADER_ROW_CHOICES, skip_preamble
from bleu_core.formats.source import Source
from bleu_core.formats.unsupported import is_zip
from bleu_core.formats.zips import METHODS, ZIP_ERRORS, media_type, open_zip
from bleu_core.limits import Limits
from bleu_core.progress import report_progress

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook, SheetMetadata

LABEL = "spreadsheet"
ENDINGS = (".xlsx", ".xlsm", ".ods")
OPEN_DOCUMENT = "application/vnd.oasis.opendocument.spreadsheet"
#: Paths of files in a spreadsheet that are not needed for cells.
UNNEEDED = (
    "docProps/",
    "xl/theme/",
    "xl/drawings/",
    "xl/media/",
    "Pictures/",
    "Thumbnails/",
    "meta.xml",
    "settings.xml",
)
#: Unpacked bytes from which on the limit on the compression ratio applies, since sheets are repetitive.
MIN_RATIO_BYTES = 2**24
#: The element of cells in an XML file of XLSX.
SHEET_DATA = b"sheetData"
#: The element of a sheet of ODS, with the prefix that the reader requires.
TABLE = "table:table"
#: The letters of column names.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _kind(archive: zipfile.ZipFile) -> str | None:
    """Return XLSX or ODS; None for other zips."""
    if media_type(archive).startswith(OPEN_DOCUMENT):
        return "ODS"
    paths = set(archive.namelist())
    return "XLSX" if "[Content_Types].xml" in paths and any(path.startswith("xl/") for path in paths) else None


def _sniff(source: Source) -> float:
    if not is_zip(source.data):
        return 0
    try:
        return 1 if _kind(open_zip(source.data, source.name, source.limits)) else 0
    except FormatError:
        return 0.95 if source.name.lower().endswith(ENDINGS) else 0  # its reader reports that the file is damaged


def _read(source: Source, options: Options) -> Source:
    """Return the sheet with the given name or number, else the first one with cells, and visible sheets first.

    Raises:
        FormatError: the file is damaged, or there is no such sheet or row of headers.
        LimitError: the unpacked file is too large, or the sheet has too many cells.
    """
    kind, checked = _checked(source)
    try:
        book = _opened(checked, source.name)
        sheet = _sheet(book, source.name, options.own.get("sheet", "").strip())
    except ZIP_ERRORS as error:
        if isinstance(error, FormatError):
            raise
        raise _damaged(source.name, error) from None
    text, left_out = table_to_text(_rows(sheet), kind, source.name, limits=source.limits, skip_empty=True)
    text, notes = skip_preamble(text, source.name, options.own.get("header", ""))
    others = [name for name in book.sheet_names if name != sheet.name]
    decisions = (f"sheet {sheet.name} read; other sheets: {listed(others)}",) if others else ()
    return source.with_table(text, (*notes, *left_out), decisions)


def _opened(data: bytes, name: str) -> CalamineWorkbook:
    from python_calamine import CalamineError, CalamineWorkbook  # loaded when first needed

    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except CalamineError as error:
        raise _damaged(name, error) from None


def _values(source: Source) -> Mapping[str, Sequence[str]]:
    """Return the names of the sheets, and the header rows; errors as for _read."""
    _, checked = _checked(source)
    try:
        return {"sheet": [sheet.name for sheet in _sheets(_opened(checked, source.name))], "header": HEADER_ROW_CHOICES}
    except ZIP_ERRORS as error:
        if isinstance(error, FormatError):
            raise
        raise _damaged(source.name, error) from None


def _sheets(book: CalamineWorkbook) -> Sequence[SheetMetadata]:
    """Return the sheets that may have cells, without charts."""
    from python_calamine import SheetTypeEnum  # loaded when first needed

    return [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]


def _sheet(book: CalamineWorkbook, name: str, selected: str) -> CalamineSheet:
    """Return the sheet to read."""
    from python_calamine import CalamineError, SheetVisibleEnum

    sheets = _sheets(book)
    names = [metadata.name for metadata in sheets]
    try:
        if selected:
            number = int(selected) if selected.isascii() and selected.isdigit() and len(selected) < 6 else 0  # noqa: PLR2004
            if selected not in names and not 1 <= number <= len(names):
                raise FormatError(f"{name}: sheet {selected!r} found, one of {listed(names)} or its number expected")
            sheet = book.get_sheet_by_name(selected if selected in names else names[number - 1])
            if sheet.end is None:
                raise FormatError(f"{name}: no cell found in the sheet, a table expected")
            return sheet
        for metadata in sorted(sheets, key=lambda sheet: sheet.visible != SheetVisibleEnum.Visible):
            sheet = book.get_sheet_by_name(metadata.name)
            if sheet.end is not None:
                return sheet
    except CalamineError as error:
        raise _damaged(name, error) from None
    raise FormatError(f"{name}: no cell found in {len(names):,} {plural(len(names), 'sheet')}, a table expected")


def _rows(sheet: CalamineSheet) -> Iterator[Sequence[object]]:
    """Yield the rows and report progress while they are converted to text: the reader opens a sheet at once."""
    for number, row in enumerate(sheet.iter_rows(), start=1):
        yield row
        if not number % ROWS_PER_REPORT:
            report_progress(number, sheet.total_height)


def _checked(source: Source) -> tuple[str, bytes]:
    """Return the kind of a spreadsheet, and a zip with its XML after checking the declared sizes.

    A few bytes may unpack to gigabytes, and two distant cells make a sheet too large for the memory. The returned zip
    has only true sizes and only files that have been checked.
    """
    name, limits = source.name, source.limits
    archive = open_zip(source.data, name, limits)
    kind = _kind(archive)
    if kind is None:
        raise FormatError(f"{name}: a zip that is not a spreadsheet found, XLSX or ODS expected")
    entries = [entry for entry in archive.infolist() if _is_needed(entry.filename)]
    size = sum(entry.file_size for entry in entries)
    limits.check("file_bytes", size, f"{name}, unpacked")
    if size > MIN_RATIO_BYTES:
        limits.check("compression_ratio", size // len(source.data), name)
    duplicate = next((path for path, count in Counter(entry.filename for entry in entries).items() if count > 1), None)
    if duplicate is not None:
        raise FormatError(f"{name}: two files in it are named {duplicate!r}, 1 expected; save the file again")
    stream = io.BytesIO()
    try:
        with zipfile.ZipFile(stream, "w") as checked:
            for entry in entries:
                if entry.flag_bits & 0x1:
                    raise FormatError(f"{name}: the file is encrypted; save it without a password")
                if entry.compress_type not in METHODS:
                    raise FormatError(f"{name}: {entry.filename} is not compressed with deflate; save the file again")
                data = archive.read(entry)
                _check_sheet(data, entry.filename, kind=kind, name=name, limits=limits)
                checked.writestr(zipfile.ZipInfo(entry.filename), data)
    except ZIP_ERRORS as error:
        if isinstance(error, FormatError):
            raise
        raise _damaged(name, error) from None
    return kind, stream.getvalue()


def _is_needed(path: str) -> bool:
    """Return whether a file is needed for cells."""
    return path.endswith((".xml", ".rels", "mimetype")) and not path.startswith(UNNEEDED)


def _check_sheet(data: bytes, path: str, kind: str, name: str, limits: Limits) -> None:
    """Check the numbers of rows and columns of a file that may have cells."""
    if kind == "XLSX" and SHEET_DATA in data:
        _parse(_Xlsx(name, limits), data, name)
    elif kind == "ODS" and path == "content.xml":
        _parse(_Ods(name, limits), data, name)


def _parse(extent: _Extent, data: bytes, name: str) -> None:
    parser = expat.ParserCreate("utf-8")  # whatever the file declares: the reader decodes all files as UTF-8
    parser.StartElementHandler = extent.start  # no handler of ends, since a sheet has millions of elements
    parser.StartDoctypeDeclHandler = extent.refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003 # expat takes no keywords
    except expat.ExpatError as error:
        raise _damaged(name, error) from None
    extent.finish()


class _LocalNames(dict[str, str]):
    """A cache of element names without their prefixes."""

    def __missing__(self, name: str) -> str:
        self[name] = name.rpartition(":")[2]
        return self[name]


class _Extent:
    """The numbers of rows and columns of a sheet, counted in its XML.

    Attributes:
        height, width: the numbers of rows and columns so far.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        self.height = 0
        self.width = 0
        self.local = _LocalNames()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle the beginning of an element, whose tag may have a prefix."""
        raise NotImplementedError

    def finish(self) -> None:
        """Handle the end of the file."""

    def refuse(self, *_: object) -> None:
        """Refuse a document type declaration, which no spreadsheet needs."""
        raise FormatError(f"{self.name}: a document type declaration found in its XML; save the file again")

    def check(self) -> None:
        """Check the numbers of rows and columns.

        Raises:
            LimitError: there are too many cells.
        """
        self.limits.check("columns", self.width, self.name)
        self.limits.check("sheet_cells", self.height * self.width, self.name)


class _Xlsx(_Extent):
    """The extent of a sheet of XLSX: cells have positions as r="AB12", or follow the previous cell."""

    row = column = 0
    digits = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        local = self.local[tag]
        if local == "c":
            place = attributes.get("r", "")
            digits = place.lstrip(LETTERS)
            if digits != self.digits:
                self.digits, self.row = digits, _number(digits, self.row)
            letters = place[: len(place) - len(digits)]
            self.column = _column(letters) if letters else self.column + 1
            if self.row > self.height or self.column > self.width:
                self.height, self.width = max(self.row, self.height), max(self.column, self.width)
                self.check()
        elif local == "row":
            self.digits, self.column = "", 0
            self.row = _number(attributes.get("r", "").lstrip(LETTERS), self.row + 1)


def _number(digits: str, default: int) -> int:
    return int(digits[:18]) if digits.isascii() and digits.isdigit() else default


@lru_cache(maxsize=4096)
def _column(letters: str) -> int:
    """Return the number of a column from 1: 28 for AB."""
    number = 0
    for letter in letters[:12]:
        number = number * 26 + ord(letter.upper()) - ord("A") + 1
    return number


class _Ods(_Extent):
    """The extent of a sheet of ODS: rows and cells may be repeated; empty ones at the end do not count."""

    cells = pending_cells = rows = pending_rows = 0
    repeated = 0  # repetitions of the current row
    blanks = 0  # in all texts

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        local = self.local[tag]
        if local in ("table-cell", "covered-table-cell"):
            count, has_value = 1, False
            for name, value in attributes.items():
                what = self.local[name]
                if what == "number-columns-repeated":
                    count = _number(value.strip(), 1)
                elif what in ("value-type", "formula"):
                    has_value = True
            self.pending_cells += count
            if has_value:
                self._count()
        elif local == "p":  # a text in a cell may be a value
            self._count()
        elif local == "s":  # repeated blanks, which the reader expands
            self.blanks += _number(attributes.get("text:c", "1").strip(), 1)
            self.limits.check("table_bytes", self.blanks, self.name)
        elif local == "table-row":
            self._end_row()
            row_attributes = {self.local[name]: value for name, value in attributes.items()}
            self.repeated = _number(row_attributes.get("number-rows-repeated", "1").strip(), 1)
        elif tag == TABLE:
            self._end_row()
            self.rows = self.pending_rows = self.height = self.width = 0

    def finish(self) -> None:
        self._end_row()

    def _end_row(self) -> None:
        self.pending_rows += self.repeated
        if self.cells:
            self.rows += self.pending_rows
            self.pending_rows = 0
            self.height, self.width = self.rows, max(self.width, self.cells)
            self.check()
        self.repeated = self.cells = self.pending_cells = 0

    def _count(self) -> None:
        self.cells += self.pending_cells
        self.pending_cells = 0
        if self.cells > self.width:
            self.limits.check("columns", self.cells, self.name)


def _damaged(name: str, error: Exception) -> FormatError:
    return FormatError(f"{name}: cannot be read as a spreadsheet: {error}; save the file again")


FORMAT = Format(
    key="spreadsheet",
    label=LABEL,
    description="spreadsheets (XLSX, ODS) whose sheet is such a table",
    roles=("system", "reference", "source", "document", "judgments", "scores", "labels"),
    sniff=_sniff,
    read=_read,
    endings=ENDINGS,
    binary=True,
    container=True,
    isolated=True,
    own={"sheet": "Sheet", "header": HEADER_LABEL},
    values=_values,
)
