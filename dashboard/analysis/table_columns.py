"""What the columns of a table are: its beginning, what its headers say, and what a person says instead."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleu_core.errors import BleuCoreError
from bleu_core.fields import Field, Table
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

#: What a person probably chooses for a column whose header says that.
ROLES_OF_KINDS: Mapping[str | None, MappedRole] = {
    "source": "source",
    "reference": "reference",
    "document": "document",
    "output": "system",
    "system": "system",
}
#: Cells that are numbers, or empty.
NUMBER = re.compile(r"[+-]?[\d.,]*")


@dataclass(frozen=True, slots=True)
class TableColumns:
    """The columns of a file that is a table.

    Attributes:
        beginning: its header and first rows.
        mapped: for each column, what it is; None for one that is not used.
    """

    beginning: TablePreview
    mapped: tuple[MappedColumn | None, ...]

    @property
    def preview(self) -> Table:
        """The first rows."""
        header = self.beginning.header
        columns = {f"column_{i}": Field("text", label=name or f"column {i + 1}") for i, name in enumerate(header)}
        return Table(columns, self.beginning.rows)


def columns_of_file(entry: Entry) -> TableColumns | None:
    """The columns of a file as they were said to be, or as its headers say; None if it is no table."""
    file, role = entry.file, entry.file.role
    if role == "archive" or role == "counts":  # noqa: PLR1714 # which pyright understands
        return None
    found = _beginning(session.scope(), file, role, session.session_limits())
    return None if found is None else TableColumns(found, _mapped(entry, found))


@session.cached("Reading the table", "rows")
def _beginning(_: Progress, file: File, role: FileRole, limits: Limits) -> TablePreview | None:
    try:
        return preview_table(
            file.data, file.name, role, encoding=file.encoding, format=file.format, own=dict(file.own), limits=limits
        )
    except BleuCoreError:  # reading the file finds the same problem and shows it
        return None


def needs_columns(entry: Entry, workspace: Workspace) -> bool:
    """Whether a file is a table of which a person has to say what its columns are.

    It could not be read in the format recognised, or it does not fit the other files and its headers do not say what
    its columns are; or it has several texts, and no reference is known and no header says which column is one, or no
    header names them.
    """
    if entry.unclear:
        return True
    if entry.pairs:  # it is no table, and the language pair has to be chosen first
        return False
    if entry.report is None and entry.file.format is not None:  # what is wrong is the format that was chosen
        return False
    if entry.file.columns or not (entry.report is None or len(entry.names) > 1):
        return False
    unnamed = entry.report is None or entry.has_unnamed_columns
    if not unnamed and workspace.corpus.references:
        return False
    found = columns_of_file(entry)
    return found is not None and (unnamed or not any(found.beginning.roles))


def files_to_explain(workspace: Workspace) -> tuple[int, ...]:
    """The positions of the files of which a person has to say what their columns are."""
    return tuple(i for i, entry in enumerate(workspace.entries) if needs_columns(entry, workspace))


def _mapped(entry: Entry, found: TablePreview) -> tuple[MappedColumn | None, ...]:
    if entry.file.columns:
        said = {column.header: column for column in entry.file.columns}
        return tuple(said.get(name) for name in found.header)
    return tuple(
        _probable(entry, name, role, [row[i] for row in found.rows])
        for i, (name, role) in enumerate(zip(found.header, found.roles, strict=True))
    )


def _probable(entry: Entry, header: str, role: MappedRole | None, cells: Sequence[str]) -> MappedColumn | None:
    """What a column is according to its header, or to how the file was read; numbers are no text."""
    name = ""
    if role is None and not all(NUMBER.fullmatch(cell) for cell in cells):
        if header in entry.systems:
            role = "system"
        elif header in entry.references:
            role = "reference"
        elif not _is_understood(entry):
            kind, name = probable_kind(header)
            role = ROLES_OF_KINDS.get(kind)
    return None if role is None else MappedColumn(header, role, name)


def _is_understood(entry: Entry) -> bool:
    return not (entry.report is None or entry.unclear or entry.has_unnamed_columns)
