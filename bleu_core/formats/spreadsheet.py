"""Spreadsheets (XLSX and ODS): one sheet is read like the same table as text."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.dataset import plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import ROWS_PER_REPORT, table_to_text
from bleu_core.formats.header_rows import HEADER_LABEL
from bleu_core.formats.merged_cells import Merged, fill_merged_cells, find_grouped_header, merged_in_ods
from bleu_core.formats.preamble import HEADER_ROW_CHOICES, cut_above, note_on_rows_above, skip_preamble
from bleu_core.formats.source import Source
from bleu_core.formats.unsupported import is_zip
from bleu_core.formats.zips import ZIP_ERRORS, media_type, open_zip
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
#: The file of ODS with the cells.
CONTENT = "content.xml"


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
    name, header_row = source.name, options.own.get("header", "").strip()
    kind, archive = _checked(source)
    book = _opened(source)
    sheet = _sheet(book, name, options.own.get("sheet", "").strip())
    _check_size(sheet, name, source.limits)
    merged = _merged(sheet, kind, archive, source)
    rows = [list(row) for row in _rows(sheet)]
    grouped = None if header_row or not merged else find_grouped_header(rows, merged, name)
    text, left_out = table_to_text(rows, kind, name, limits=source.limits, skip_empty=True)
    if grouped is None:
        text, notes = skip_preamble(text, name, header_row)
    else:
        text, notes = cut_above(text, grouped - text.above), note_on_rows_above(grouped)
    if merged:
        filled = fill_merged_cells(rows, merged, None if text.header is False else text.above)
        whole, _ = table_to_text(rows, kind, name, limits=source.limits, skip_empty=True)
        whole = cut_above(whole, text.above - whole.above)
        text = replace(whole, repairs=text.repairs, header=text.header)
        notes = (*notes, *filled)
    others = [other for other in book.sheet_names if other != sheet.name]
    decisions = (f"sheet {sheet.name} read; other sheets: {listed(others)}",) if others else ()
    return source.with_table(text, (*notes, *left_out), decisions)


def _check_size(sheet: CalamineSheet, name: str, limits: Limits) -> None:
    """Check the numbers of rows and columns, also empty ones before the first cell."""
    height, width = (number + 1 for number in sheet.end or (0, 0))
    limits.check("columns", width, name)
    limits.check("sheet_cells", height * width, name)


def _merged(sheet: CalamineSheet, kind: str, archive: zipfile.ZipFile, source: Source) -> Sequence[Merged]:
    """Return the merged cells; the reader knows only those of XLSX. Errors as for merged_in_ods."""
    if kind == "XLSX":
        return [Merged(*first, *last) for first, last in sheet.merged_cell_ranges or ()]
    try:
        content = archive.read(CONTENT)
    except ZIP_ERRORS as error:
        raise _damaged(source.name, error) from None
    return merged_in_ods(replace(source, data=content), sheet.name) if b"-spanned=" in content else ()


def _opened(source: Source) -> CalamineWorkbook:
    from python_calamine import CalamineError, CalamineWorkbook  # loaded when first needed

    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(source.data))
    except CalamineError as error:
        raise _damaged(source.name, error) from None


def _values(source: Source) -> Mapping[str, Sequence[str]]:
    """Return the names of the sheets, and the header rows; errors as for _read."""
    _checked(source)
    return {"sheet": [sheet.name for sheet in _sheets(_opened(source))], "header": HEADER_ROW_CHOICES}


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


def _checked(source: Source) -> tuple[str, zipfile.ZipFile]:
    """Return the kind of a spreadsheet and its zip after checking its declared sizes.

    Sizes may be false, and distant cells make a small file large: the process that reads it has limits for these.
    """
    name, limits = source.name, source.limits
    archive = open_zip(source.data, name, limits)
    kind = _kind(archive)
    if kind is None:
        raise FormatError(f"{name}: a zip that is not a spreadsheet found, XLSX or ODS expected")
    entries = [entry for entry in archive.infolist() if not entry.filename.startswith(UNNEEDED)]
    size = sum(entry.file_size for entry in entries)
    limits.check("file_bytes", size, f"{name}, unpacked")
    if size > MIN_RATIO_BYTES:
        limits.check("compression_ratio", size // len(source.data), name)
    duplicate = next((path for path, count in Counter(entry.filename for entry in entries).items() if count > 1), None)
    if duplicate is not None:
        raise FormatError(f"{name}: two files in it are named {duplicate!r}, 1 expected; save the file again")
    return kind, archive


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
