"""Which of the columns that a person names are of which file: COLUMN=ROLE is of all tables, FILE:COLUMN=ROLE of one."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.cells import join_cells, strip_cells
from bleu_core.formats.compression import decompress
from bleu_core.formats.contents import FileRole
from bleu_core.formats.delimited import parse_ragged_rows
from bleu_core.formats.mapping import MappedColumn, MappedRole
from bleu_core.formats.reading import PLAIN, read_table_text, recognise_format
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, first_line_of
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: What of a table is read that is given as something else than systems' outputs.
OF_ROLE: Mapping[str, tuple[MappedRole, ...]] = MappingProxyType(
    {
        "system": ("source", "reference", "system", "document", "label", "rating"),
        "reference": ("reference", "source", "document", "label"),
        "source": ("source", "document", "label"),
        "judgments": ("rating", "label"),
    }
)

_NONE: Mapping[str, str] = MappingProxyType({})


class ColumnsOfFiles:
    """The columns that a person names, handed out to the files that have them."""

    def __init__(self, columns: Sequence[MappedColumn], files: Collection[str]) -> None:
        """Address columns to files.

        Args:
            columns: as they were given; a header that begins with FILE: is addressed to that file.
            files: all files of the call, as it names them.
        """
        self.of_all: list[MappedColumn] = []
        self.of_file: dict[str, list[MappedColumn]] = {}
        for column in columns:
            file = max((name for name in files if column.header.startswith(f"{name}:")), key=len, default=None)
            if file is None:
                self.of_all.append(column)
            else:
                addressed = replace(column, header=column.header.removeprefix(f"{file}:"))
                self.of_file.setdefault(file, []).append(addressed)
        self._missing = {column.header: "" for column in self.of_all}  # header -> why

    def for_file(
        self,
        data: bytes,
        file: str,
        role: FileRole,
        *,
        encoding: str | None = None,
        format: str | None = None,  # noqa: A002 # as in read
        own: Mapping[str, str] = _NONE,
        limits: Limits = DEFAULT_LIMITS,
    ) -> tuple[MappedColumn, ...]:
        """The columns of a file that are mapped; none where its headers decide, or it is no table.

        Columns of all tables are those of the file's role that its header has.

        Args:
            data: the file's bytes.
            file: as the call names it.
            role: what it is given as.
            encoding: as in read.
            format: as in read.
            own: as in read.
            limits: as in read.

        Raises:
            FormatError, LimitError, SettingsError: as read.
        """
        addressed = self.of_file.get(file, [])
        if role not in OF_ROLE or not (addressed or self.of_all):
            return ()
        header = _header(data, file, role, encoding=encoding, format=format, own=own, limits=limits)
        if header is None:
            if addressed:
                raise SettingsError(f"columns: {file} is no table, and has no column {addressed[0].header!r}")
            return ()
        for column in self.of_all:
            if column.header.strip() in header:
                self._missing.pop(column.header, None)
            elif column.header in self._missing and not self._missing[column.header]:
                why = f"no column {column.header!r} found in the header ({join_cells(header)})"
                self._missing[column.header] = f"{file}, line 1: {why}"
        taken = {column.header for column in addressed}
        shared = [
            column
            for column in self.of_all
            if column.role in OF_ROLE[role] and column.header.strip() in header and column.header not in taken
        ]
        return (*addressed, *shared)

    def check(self) -> None:
        """Check that each column was in some file, once all files are read.

        Raises:
            FormatError: one was in none.
        """
        for header, why in self._missing.items():
            raise FormatError(why or f"--columns: column {header!r} found, but no file of the call is a table")


def _header(
    data: bytes,
    file: str,
    role: FileRole,
    *,
    encoding: str | None,
    format: str | None,  # noqa: A002 # as in read
    own: Mapping[str, str],
    limits: Limits,
) -> tuple[str, ...] | None:
    """The cells of the first row; None for a file that is no table."""
    text = read_table_text(data, file, role, format=format, own=own, encoding=encoding, limits=limits)
    if text is None:
        return None
    first = first_line_of(text.beginning)
    source = Source(decompress(data, file, limits), file, encoding, limits)
    if format == PLAIN or (format is None and recognise_format(source).key == PLAIN):
        cells = first.rstrip("\r").split("\t")
        return tuple(strip_cells(cells)) if cells[1:] else None
    try:
        rows = parse_ragged_rows(Text(f"{first}\n", text.encoding, separator=text.separator), file, limits=limits)
    except FormatError:  # a header of several lines
        rows = parse_ragged_rows(text, file, limits=limits)
    return tuple(strip_cells(rows[0].cells)) if rows else None
