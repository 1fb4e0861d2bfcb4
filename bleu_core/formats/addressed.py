"""Assign the columns named by --columns to files: COLUMN=ROLE applies to all tables, FILE:COLUMN=ROLE to one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.cells import join_cells, strip_cells
from bleu_core.formats.contents import FileRole
from bleu_core.formats.declaration import ReadOptions
from bleu_core.formats.delimited import parse_table
from bleu_core.formats.mapping import MappedColumn, MappedRole
from bleu_core.formats.reading import DEFAULT_OPTIONS, PLAIN, read_table_text
from bleu_core.formats.text import Text, first_line_of
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: The columns that are read of a table in each role of the file.
ROLES_READ: Mapping[str, tuple[MappedRole, ...]] = MappingProxyType(
    {
        "system": ("source", "reference", "system", "document", "label", "rating", "id"),
        "reference": ("reference", "source", "document", "label", "id"),
        "source": ("source", "document", "label", "id"),
        "judgments": ("rating", "label"),
    }
)


class ColumnsOfFiles:
    """The columns that the user describes, by the file that they belong to."""

    def __init__(self, columns: Sequence[MappedColumn], files: Collection[str]) -> None:
        """Address columns to files.

        Args:
            columns: as given; a header that begins with FILE: belongs to that file.
            files: the names of all files of the call.
        """
        self.shared: list[MappedColumn] = []
        self.by_file: dict[str, list[MappedColumn]] = {}
        for column in columns:
            file = max((name for name in files if column.header.startswith(f"{name}:")), key=len, default=None)
            if file is None:
                self.shared.append(column)
            else:
                addressed = replace(column, header=column.header.removeprefix(f"{file}:"))
                self.by_file.setdefault(file, []).append(addressed)
        self._missing = {column.header: "" for column in self.shared}  # header -> problem

    def for_file(
        self,
        data: bytes,
        file: str,
        role: FileRole,
        options: ReadOptions = DEFAULT_OPTIONS,
        *,
        limits: Limits = DEFAULT_LIMITS,
    ) -> tuple[MappedColumn, ...]:
        """Return the mapped columns of a file; none if its headers decide or it is not a table.

        A column for all tables is used if the file's header has it and it fits the file's role.

        Args:
            data: the file's bytes.
            file: its name in the call.
            role: its role in the call.
            options: as in read.
            limits: as in read.

        Raises:
            FormatError, LimitError, SettingsError: as read.
        """
        addressed = self.by_file.get(file, [])
        if role not in ROLES_READ or not (addressed or self.shared):
            return ()
        header = _header(data, file, role, options, limits=limits)
        if header is None:
            if addressed:
                raise SettingsError(f"columns: {file} is not a table and has no column {addressed[0].header!r}")
            return ()
        for column in self.shared:
            if column.header.strip() in header:
                self._missing.pop(column.header, None)
            elif column.header in self._missing and not self._missing[column.header]:
                problem = f"no column {column.header!r} found in the header ({join_cells(header)})"
                self._missing[column.header] = f"{file}, line 1: {problem}"
        addressed_headers = {column.header for column in addressed}
        matching = [
            column
            for column in self.shared
            if column.role in ROLES_READ[role]
            and column.header.strip() in header
            and column.header not in addressed_headers
        ]
        return (*addressed, *matching)

    def check(self) -> None:
        """Check that each column was in some file, after all files have been read.

        Raises:
            FormatError: a column was in no file.
        """
        for header, problem in self._missing.items():
            raise FormatError(problem or f"--columns: column {header!r} found, but no file of the call is a table")


def _header(data: bytes, file: str, role: FileRole, options: ReadOptions, *, limits: Limits) -> tuple[str, ...] | None:
    """Return the cells of the first row; None if the file is not a table."""
    table_text = read_table_text(
        data, file, role, format=options.format, own=options.own, encoding=options.encoding, limits=limits
    )
    if table_text is None:
        return None
    text = table_text.text
    first = first_line_of(text.beginning)
    if table_text.format == PLAIN:
        cells = first.rstrip("\r").split("\t")
        return tuple(strip_cells(cells)) if cells[1:] else None
    try:
        table = parse_table(Text(f"{first}\n", text.encoding, separator=text.separator), file, limits=limits)
    except FormatError:  # a header of several lines
        table = parse_table(text, file, ragged=True, limits=limits)
    return None if table is None else tuple(strip_cells(table.header))
