"""Tables of texts with one row per segment and system, converted to one column per system."""

from __future__ import annotations

from collections.abc import Mapping
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
    system_cells, text_cells = table.columns[places.system], table.columns[places.text]
    systems = list(dict.fromkeys(system_cells))
    limits.check("systems", len(systems), origin)
    keys = _keys(table, places)
    order = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    ids = None if places.number is None else tuple(order)
    texts = {system: _Texts(f"text of {system}", ids, len(order), origin) for system in systems}
    shared = {i: _Texts(f"{ROLE_NAMES[other]} text", ids, len(order), origin) for i, other in places.others.items()}
    if places.document is not None:
        shared[places.document] = _Texts("document", ids, len(order), origin)
    first: dict[int, int] = {}
    for row, (key, line) in enumerate(zip(keys, table.lines, strict=True)):
        at = order[key]
        first.setdefault(at, line)
        texts[system_cells[row]].put(at, text_cells[row], line)
        for i, texts_of_column in shared.items():
            texts_of_column.put(at, table.columns[i][row], line)
    columns = [texts_of_column.column(role, system, first) for system, texts_of_column in texts.items()]
    roles: dict[int, Role] = dict(places.others)
    if places.document is not None:
        roles[places.document] = "document"
    columns += [shared[i].column(other, table.header[i], first) for i, other in roles.items()]
    return tuple(columns)


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


class _Texts:
    """The texts of one column, by segment."""

    def __init__(self, what: str, ids: tuple[SegmentId, ...] | None, segments: int, origin: str) -> None:
        self.what = what
        self.ids = ids
        self.origin = origin
        self.texts: list[str | None] = [None] * segments
        self.lines = [0] * segments

    def put(self, at: int, text: str, line: int) -> None:
        known = self.texts[at]
        if known is None:
            self.texts[at], self.lines[at] = text, line
        elif known != text:
            raise FormatError(
                f"{self.origin}, line {line}: another {self.what} of a segment found than in line {self.lines[at]}, "
                "the same expected; keep one row per segment and system"
            )

    def column(self, role: Role, name: str, lines: Mapping[int, int]) -> Column:
        """Return the texts that were read, or all of them if segments are not numbered.

        Args:
            role: the role of the texts.
            name: the name of the system or reference.
            lines: segment -> the line in which it first occurs.

        Raises:
            FormatError: a text is missing, and segments are not numbered.
        """
        present = [at for at, text in enumerate(self.texts) if text is not None]
        if self.ids is None and len(present) < len(self.texts):
            at = self.texts.index(None)
            raise FormatError(
                f"{self.origin}: no {self.what} found for the segment that begins in line {lines[at]}, 1 row per "
                "segment and system expected; add the row, with an empty text if there is none"
            )
        ids = None if self.ids is None else tuple(self.ids[at] for at in present)
        return Column(role, name, tuple(self.texts[at] for at in present), self.origin, ids=ids)
