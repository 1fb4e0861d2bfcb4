"""Tables of texts with one row per segment and system, converted to one column per system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bleu_core.dataset import ROLE_NAMES, Column, Role, SegmentId, normal_names
from bleu_core.errors import FormatError
from bleu_core.formats.cells import check_filled, strip_cells
from bleu_core.formats.delimited import Table
from bleu_core.formats.segment_ids import normal_ids, pairs_of_rows
from bleu_core.limits import Limits


class ColumnPositions(NamedTuple):
    """The column positions of a table with one row per segment and system.

    Attributes:
        system: the name of a row's system.
        text: its text.
        number: the number of the segment; None if the rows of each system are in order.
        document: the document, within which segments may be numbered; None if there is none.
        others: the source and the references: position -> role.
    """

    system: int
    text: int
    number: int | None
    document: int | None
    others: Mapping[int, Role]


def columns_of_systems(
    table: Table, places: ColumnPositions, role: Role, origin: str, *, limits: Limits
) -> tuple[Column, ...]:
    """Return the texts of each system, and the texts that all systems share.

    Segments are in the order in which they first occur. A row that repeats a text is ignored. Where segments are
    numbered, a system may lack some: its column has the ids of those that it has.

    Args:
        table: the table.
        places: the positions of the columns.
        role: the role of the systems' texts.
        origin: the file, for messages.
        limits: the limits for tables.

    Raises:
        FormatError: a row has no system, segment or document, a system has two texts of a segment, a segment has two
            sources, two documents or two texts of one reference, or a system has fewer rows than others and segments
            are not numbered.
        LimitError: there are too many systems.
    """
    for what, position in (("system", places.system), ("segment", places.number), ("document", places.document)):
        if position is not None:
            check_filled(strip_cells(table.columns[position]), table.lines, origin, what)
    rows_of_systems: dict[str, list[int]] = {}
    for row, system in enumerate(table.columns[places.system]):
        rows_of_systems.setdefault(system, []).append(row)
    limits.check("systems", len(rows_of_systems), origin)
    keys = _keys(table, places)
    order = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    segments = [order[key] for key in keys]  # of the rows
    roles: dict[int, Role] = dict(places.others)
    if places.document is not None:
        roles[places.document] = "document"
    read: list[tuple[Role, str, int, Sequence[int], str]] = []
    for system, rows in rows_of_systems.items():
        read.append((role, system, places.text, rows, f"text of {system}"))
    for i, of_column in roles.items():
        what = of_column if of_column == "document" else f"{ROLE_NAMES[of_column]} text"
        read.append((of_column, table.header[i], i, range(len(keys)), what))
    first_rows = [
        _first_rows(table.columns[place], segments, rows, table.lines, origin=origin, what=what)
        for _, _, place, rows, what in read
    ]
    columns: list[Column] = []
    for (of_column, name, place, _, what), first in zip(read, first_rows, strict=True):
        if places.number is None and len(first) < len(order):
            missing = next(row for row, at in enumerate(segments) if at not in first)
            raise FormatError(
                f"{origin}: no {what} found for the segment that begins in line {table.lines[missing]}, 1 row per "
                "segment and system expected; add the row, with an empty text if there is none"
            )
        ids = None if places.number is None else tuple(key for key, at in order.items() if at in first)
        texts = tuple(table.columns[place][first[at]] for at in range(len(order)) if at in first)
        columns.append(Column(of_column, name, texts, origin, ids=ids))
    return tuple(columns)


def _first_rows(
    cells: Sequence[str], segments: Sequence[int], rows: Iterable[int], lines: Sequence[int], *, origin: str, what: str
) -> dict[int, int]:
    """Return the first row that has the text of each segment; the arguments are those of all rows, but for rows."""
    first: dict[int, int] = {}
    for row in rows:
        known = first.setdefault(segments[row], row)
        if cells[known] != cells[row]:
            raise FormatError(
                f"{origin}, line {lines[row]}: another {what} of a segment found than in line {lines[known]}, the same "
                "expected; keep one row per segment and system"
            )
    return first


def _keys(table: Table, places: ColumnPositions) -> list[SegmentId]:
    """Return the id of the segment of each row."""
    document = places.document
    if places.number is not None:
        nothing = [""] * len(table.lines)
        numbers = normal_ids(table.columns[places.number])
        documents = nothing if document is None else normal_names(table.columns[document])
        pairs = pairs_of_rows(table.header, table.columns) or nothing
        return list(map(SegmentId, documents, numbers, pairs))
    seen: dict[str, int] = {}
    keys: list[SegmentId] = []
    for system in table.columns[places.system]:
        seen[system] = seen.get(system, 0) + 1
        keys.append(SegmentId("", str(seen[system])))
    return keys
