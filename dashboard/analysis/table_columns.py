"""The columns of a table: its first rows, the roles in its headers, and the user's corrections."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleu_core.errors import BleuCoreError
from bleu_core.fields import Field, Table, table_of_columns
from bleu_core.formats import (
    FileRole,
    MappedColumn,
    MappedRole,
    TablePreview,
    preview_table,
    probable_kind,
)
from bleu_core.limits import Limits
from bleu_core.progress import Progress
from bleu_core.uploads import Entry, File, Workspace
from dashboard import session

#: Kind of a header -> probable role of its column.
PROBABLE_ROLES: Mapping[str | None, MappedRole] = {
    "source": "source",
    "reference": "reference",
    "document": "document",
    "output": "system",
    "system": "system",
}
#: Pattern of cells that are numbers, or empty.
NUMBER = re.compile(r"[+-]?[\d.,]*")


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a file that is a table.

    Attributes:
        beginning: the header and first rows.
        mapped: the role of each column; None for one that is not used.
    """

    beginning: TablePreview
    mapped: tuple[MappedColumn | None, ...]

    @property
    def preview(self) -> Table:
        """The first rows."""
        columns = {
            f"column_{i}": (Field("text", label=name or f"column {i + 1}"), [row[i] for row in self.beginning.rows])
            for i, name in enumerate(self.beginning.header)
        }
        return table_of_columns(columns)


def columns_of_file(entry: Entry) -> TableColumns | None:
    """Return the columns of a file as the user assigned them, or as its headers say; None if it is no table."""
    file, role = entry.file, entry.file.role
    if role == "archive" or role == "counts":  # noqa: PLR1714 # which pyright understands
        return None
    beginning = _beginning(session.scope(), file, role, session.session_limits())
    return None if beginning is None else TableColumns(beginning, _mapped(entry, beginning))


@session.cached("Reading the table", "rows")
def _beginning(_: Progress, file: File, role: FileRole, limits: Limits) -> TablePreview | None:
    try:
        return preview_table(
            file.data, file.name, role, encoding=file.encoding, format=file.format, own=dict(file.own), limits=limits
        )
    except BleuCoreError:  # reading the file finds the same problem and shows it
        return None


def needs_columns(entry: Entry, workspace: Workspace) -> bool:
    """Return whether a file is a table whose columns the user has to identify.

    It could not be read in the recognised format, or it does not fit the other files and its headers do not identify
    its columns; or it has several texts, and either no reference is known and no header marks one, or no header names
    them.
    """
    if entry.unclear:
        return True
    if entry.pairs:  # not a table, and the language pair has to be selected first
        return False
    if entry.report is None and entry.file.format is not None:  # the selected format is wrong
        return False
    if entry.file.columns or not (entry.report is None or len(entry.names) > 1):
        return False
    unnamed = entry.report is None or entry.has_unnamed_columns
    if not unnamed and workspace.corpus.references:
        return False
    columns = columns_of_file(entry)
    return columns is not None and (unnamed or not any(columns.beginning.roles))


def files_to_explain(workspace: Workspace) -> tuple[int, ...]:
    """Return the positions of the files whose columns the user has to identify."""
    return tuple(i for i, entry in enumerate(workspace.entries) if needs_columns(entry, workspace))


def _mapped(entry: Entry, beginning: TablePreview) -> tuple[MappedColumn | None, ...]:
    if entry.file.columns:
        assigned = {column.header: column for column in entry.file.columns}
        return tuple(assigned.get(name) for name in beginning.header)
    return tuple(
        _probable(entry, name, role, [row[i] for row in beginning.rows])
        for i, (name, role) in enumerate(zip(beginning.header, beginning.roles, strict=True))
    )


def _probable(entry: Entry, header: str, role: MappedRole | None, cells: Sequence[str]) -> MappedColumn | None:
    """Return the role of a column by its header, or by how the file was read; columns of numbers are not texts."""
    name = ""
    if role is None and not all(NUMBER.fullmatch(cell) for cell in cells):
        if header in entry.systems:
            role = "system"
        elif header in entry.references:
            role = "reference"
        elif not _is_understood(entry):
            kind, name = probable_kind(header)
            role = PROBABLE_ROLES.get(kind)
    return None if role is None else MappedColumn(header, role, name)


def _is_understood(entry: Entry) -> bool:
    return not (entry.report is None or entry.unclear or entry.has_unnamed_columns)
