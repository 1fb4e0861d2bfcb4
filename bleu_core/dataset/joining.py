"""Rows of several files joined by the ids of their segments: a segment that a file lacks is a hole, never empty.

Columns without ids are joined by position. The segments are those of the references that have ids, in the order of the
longest of these; without such references those of the source, else those of the systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from bleu_core.dataset.corpus import Column, Role, SegmentId

#: Which columns decide the segments: those of the first of these roles that has ids.
SIDES: tuple[Role, ...] = ("reference", "source", "system", "document")


class Join(NamedTuple):
    """Rows of columns that belong together.

    Attributes:
        ids: S ids, of the segments in their order.
        rows: of each column the rows of the S segments, from 0, or -1 where it has none; None for a column that is
            joined by position.
        surplus: the position of a column -> the ids of its rows that are not used.
        notes: the position of a column -> what was assumed, in sentences that follow the file's name.
    """

    ids: tuple[SegmentId, ...]
    rows: tuple[tuple[int, ...] | None, ...]
    surplus: Mapping[int, tuple[SegmentId, ...]]
    notes: Mapping[int, tuple[str, ...]]

    def holes(self, position: int) -> tuple[SegmentId, ...]:
        """Return the ids of the segments that a column lacks."""
        rows = self.rows[position]
        return () if rows is None else tuple(key for key, row in zip(self.ids, rows, strict=True) if row < 0)


def join(columns: Sequence[Column]) -> Join | None:
    """Find the rows of columns that have the same ids.

    Documents count only where all columns with ids name them. Ids that count segments from 0 in one file and from 1 in
    another are the same segments. A column that shares no id with the others is joined by position, unless it names
    documents.

    Args:
        columns: of any length and role.

    Returns:
        None where no column has ids.

    >>> ids = (SegmentId("", "1"), SegmentId("", "2"))
    >>> reference = Column("reference", "R", ("a", "b"), ids=ids)
    >>> join([reference, Column("system", "A", ("B", "A"), ids=ids[::-1])]).rows
    ((0, 1), (1, 0))
    """
    keys, notes = _comparable(columns)
    if not keys:
        return None
    order = _segments(columns, keys)
    place = {key: s for s, key in enumerate(order)}
    rows: list[tuple[int, ...] | None] = [None] * len(columns)
    surplus: dict[int, tuple[SegmentId, ...]] = {}
    for k, own in keys.items():
        shifted = _recounted(own, place)
        if shifted is not own:
            notes.setdefault(k, []).append("its segments are counted from another number than those of the other files")
        found = {key: row for row, key in enumerate(shifted)}
        if not any(key in place for key in found) and not any(key.document for key in found):
            notes.setdefault(k, []).append("it has no id in common with the other files: its rows are joined by order")
            continue
        rows[k] = tuple(found.get(key, -1) for key in order)
        beyond = tuple(key for key in found if key not in place)
        if beyond:
            surplus[k] = beyond
    return Join(tuple(order), tuple(rows), surplus, {k: tuple(of) for k, of in notes.items()})


def is_in_order(rows: Sequence[int], column: Column) -> bool:
    """Tell whether rows are all rows of a column, in the order of its file.

    >>> is_in_order((0, 1), Column("system", "A", ("a", "b"))), is_in_order((0, -1), Column("system", "A", ("a",)))
    (True, False)
    """
    return len(rows) == len(column.segments) and all(row == s for s, row in enumerate(rows))


def _comparable(columns: Sequence[Column]) -> tuple[dict[int, Sequence[SegmentId]], dict[int, list[str]]]:
    """The ids of the columns that have any, all with documents or all without, and notes on columns that lose them."""
    keys = {k: column.ids for k, column in enumerate(columns) if column.ids is not None}
    notes: dict[int, list[str]] = {}
    if all(key.document for ids in keys.values() for key in ids):
        return dict(keys), notes
    found: dict[int, Sequence[SegmentId]] = {}
    for k, ids in keys.items():
        numbers = [SegmentId("", key.segment) for key in ids]
        if len(set(numbers)) == len(numbers) and all(key.segment for key in numbers):
            found[k] = numbers
        else:
            notes[k] = ["not all files name documents, which its ids need: its rows are joined by order"]
    return found, notes


def _segments(columns: Sequence[Column], keys: Mapping[int, Sequence[SegmentId]]) -> list[SegmentId]:
    """The ids of the segments, in order: of one column, and those that others of its role have beside them."""
    of_role: dict[Role, list[int]] = {}
    for k in keys:
        of_role.setdefault(columns[k].role, []).append(k)
    role: Role = next(filter(of_role.__contains__, SIDES))
    lengths = {len(columns[k].segments) for k in range(len(columns)) if k not in keys}
    fitting = [k for k in of_role[role] if len(keys[k]) in lengths]
    if fitting:  # what has no ids can only be in the order of such a column
        first, others = fitting[0], list[int]()
    else:
        first = max(of_role[role], key=lambda k: len(keys[k]))
        others = [k for k in of_role[role] if k != first]
    order = list(dict.fromkeys(chain(keys[first], *(_recounted(keys[k], set(keys[first])) for k in others))))
    by_position = any(c.role == "reference" and k not in keys for k, c in enumerate(columns))
    if role != "reference" or by_position:
        return order
    referenced = {
        key for k in of_role[role] for key, text in zip(keys[k], columns[k].segments, strict=True) if text is not None
    }
    return [key for key in order if key in referenced]


def _recounted(own: Sequence[SegmentId], known: Mapping[SegmentId, int] | set[SegmentId]) -> Sequence[SegmentId]:
    """The ids counted as those that are known, where one of the two begins with 0 and the other one with 1."""
    from_zero = any(key.segment == "0" for key in own)
    if from_zero == any(key.segment == "0" for key in known):
        return own
    documents = {key.document for key in known}
    inside = [key for key in own if key.document in documents]
    if all(key in known for key in inside) or not all(key.segment.isdecimal() for key in inside):
        return own
    shift = 1 if from_zero else -1
    shifted = [key.shifted(shift) if key.document in documents else key for key in own]
    fits = all(key in known for key in shifted if key.document in documents)
    return shifted if fits else own
