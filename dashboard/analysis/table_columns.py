"""The columns of a table: its first rows, the roles in its headers, and the user's corrections."""

from __future__ import annotations

from dataclasses import dataclass

from bleu_core.errors import BleuCoreError
from bleu_core.fields import Field, Table, table_of_columns
from bleu_core.formats import (
    FileRole,
    MappedColumn,
    MappedRole,
    TablePreview,
)
from bleu_core.limits import Limits
from bleu_core.progress import Progress
from bleu_core.uploads import Entry, File, Workspace
from dashboard import session


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
        return file.preview(role, limits)
    except BleuCoreError:  # reading the file finds the same problem and shows it
        return None


def needs_columns(entry: Entry, workspace: Workspace) -> bool:
    """Return whether a file is a table whose columns the user has to identify.

    It could not be read in the recognised format, or it does not fit the other files and its headers do not identify
    its columns; or it has several texts, and either no reference is known and no header marks one, or no header names
    them.
    """
    if entry.unclear or entry.proposed:
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
    if entry.file.columns or entry.proposed:
        assigned = {column.header.strip(): column for column in entry.file.columns or entry.proposed}
        return tuple(assigned.get(name.strip()) for name in beginning.header)
    if entry.report is None or entry.unclear or entry.has_unnamed_columns:
        return beginning.proposed
    return tuple(_in_use(entry, name, role) for name, role in zip(beginning.header, beginning.roles, strict=True))


def _in_use(entry: Entry, header: str, role: MappedRole | None) -> MappedColumn | None:
    """Return the role in which a column was read; None if it was not."""
    if role is None and header in entry.systems:
        role = "system"
    elif role is None and header in entry.references:
        role = "reference"
    return None if role is None else MappedColumn(header, role)
