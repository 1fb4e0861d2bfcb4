"""Assign the columns named by --columns to files: COLUMN=ROLE applies to all tables, FILE:COLUMN=ROLE to one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bleu_core.dataset import FilePart
from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.cells import join_cells, strip_cells
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import FileRole
from bleu_core.formats.declaration import ReadOptions
from bleu_core.formats.delimited import parse_table
from bleu_core.formats.mapping import MappedColumn, MappedRole, UnclearColumnsError
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
            files: the names of all files of the call, twice if a file is used in two roles.
        """
        self._uses = Counter(files)
        self._unnamed: dict[str, list[str]] = {}  # header -> the files that have it as a system without a name
        self._unclear: dict[str, dict[str, MappedColumn]] = {}  # file -> its columns as they probably are, by header
        self._problem = ""
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

    def add_file(self, name: str) -> None:
        """Address columns to a file that was found in a zip or folder of the call."""
        self._uses[name] += 1
        for column in [column for column in self.shared if column.header.startswith(f"{name}:")]:
            self.shared.remove(column)
            del self._missing[column.header]
            addressed = replace(column, header=column.header.removeprefix(f"{name}:"))
            self.by_file.setdefault(name, []).append(addressed)

    def may_concern(self, file: str, role: FileRole) -> bool:
        """Return whether some of the columns may be those of a file in a role, which then has to be opened."""
        return role in ROLES_READ and bool(self.by_file.get(file) or self.shared)

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
        if not self.may_concern(file, role):
            return ()
        header = _header(data, file, role, options, limits=limits)
        if header is None:
            if addressed:
                raise SettingsError(f"columns: {file} is not a table and has no column {addressed[0].header!r}")
            return ()
        matching: list[MappedColumn] = []
        for column in self.shared:
            if column.header.strip() not in header:
                problem = f"no column {column.header!r} found in the header ({join_cells(header)})"
                if self._missing.get(column.header) == "":
                    self._missing[column.header] = f"{file}, line 1: {problem}"
                continue
            self._missing.pop(column.header, None)
            if column.role in ROLES_READ[role] and all(column.header != other.header for other in addressed):
                matching.append(column)
                if column.role == "system" and not column.name:
                    self._unnamed.setdefault(column.header, []).append(file)
        return (*self._of_role(file, role), *matching)

    def _of_role(self, file: str, role: FileRole) -> list[MappedColumn]:
        """Return the columns that are addressed to a file; those for a role if it is used in several."""
        addressed = self.by_file.get(file, [])
        if self._uses[file] == 1:
            return addressed
        addressed = [column for column in addressed if column.role in ROLES_READ[role]]
        return addressed if role != "system" or any(column.role == role for column in addressed) else []

    def add_unclear(self, error: UnclearColumnsError, *, references: Collection[str] = ()) -> None:
        """Add the columns of a file that need an option, which check() names for all files together.

        Args:
            error: what is unclear, with the columns.
            references: the files that are given as references; other files need none of their own then.
        """
        self._problem = self._problem or error.problem
        for file, columns in error.columns.items():
            ignored = {"reference"} if references and file not in references else set[str]()
            known = self._unclear.setdefault(file, {})
            known |= {c.header: c for c in columns if c.header not in known and c.role not in ignored}

    def add_own_references(self, parts: Iterable[FilePart]) -> None:
        """Add the columns, without references, of tables of systems whose references differ from those of other files.

        If no other file has references, those of the first such table are used.

        Args:
            parts: the parts of all files.
        """
        parts = list(parts)
        declared = any(c.role == "reference" for part in parts if part.own_reference is None for c in part.columns)
        errors = [part.own_reference for part in parts if isinstance(part.own_reference, UnclearColumnsError)]
        for error in errors if declared else errors[1:]:
            self.add_unclear(error)

    def named(self, parts: Iterable[FilePart]) -> list[FilePart]:
        """Return parts in which a system without a given name is named after its file if several files have its column.

        Args:
            parts: the parts of all files.
        """
        several = {header: files for header, files in self._unnamed.items() if len(files) > 1}
        named: list[FilePart] = []
        for part in parts:
            own = [c.name for c in part.columns if c.role == "system" and part.name in several.get(c.name, ())]
            stem = stem_of(part.name)
            names = {name: stem if len(own) == 1 else f"{stem}.{name}" for name in own}
            columns = (replace(c, name=names.get(c.name, c.name)) if c.role == "system" else c for c in part.columns)
            named.append(replace(part, columns=tuple(columns)) if own else part)
        return named

    def check_unclear(self) -> None:
        """Check that no file needs columns, after all texts have been read.

        Raises:
            UnclearColumnsError: a file does; the option is for all files, with the columns that are given.
        """
        if self._problem:
            unclear = {file: tuple(columns.values()) for file, columns in self._unclear.items()}
            raise UnclearColumnsError(self._problem, {"": self.shared} | self.by_file | unclear)

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
