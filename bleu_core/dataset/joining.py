"""Join of the rows of several files by the ids of their segments; a segment that a file lacks is never an empty one.

Columns without ids are joined by position. The segments are those of the references with ids, in the order of the
longest of these; without such references those of the source, else those of the systems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from bleu_core.dataset.corpus import Column, Role, SegmentId

#: The first of these roles that has ids defines the segments.
SIDES: tuple[Role, ...] = ("reference", "source", "system", "document")


class Join(NamedTuple):
    """The rows of columns that have the same ids.

    Attributes:
        ids: S ids of the segments, in order.
        rows: for each column the rows of the S segments, from 0, or -1 where it has none; None for a column that is
            joined by position. A range if these are all rows in the order of the file.
        surplus: position of a column -> the ids of its unused rows.
        notes: position of a column -> sentences about assumptions, which follow the file's name.
    """

    ids: tuple[SegmentId, ...]
    rows: tuple[Sequence[int] | None, ...]
    surplus: Mapping[int, tuple[SegmentId, ...]]
    notes: Mapping[int, tuple[str, ...]]

    def holes(self, position: int) -> tuple[SegmentId, ...]:
        """Return the ids of the segments that a column lacks."""
        rows = self.rows[position]
        if rows is None or isinstance(rows, range):
            return ()
        return tuple(key for key, row in zip(self.ids, rows, strict=True) if row < 0)


def join(columns: Sequence[Column]) -> Join | None:
    """Find the rows of columns that have the same ids.

    Documents and language pairs are part of ids only if all columns with ids have them. Ids that count segments from 0
    in one file and from 1 in another denote the same segments. A column that shares no id with the others is joined by
    position, unless it names documents or language pairs.

    Args:
        columns: columns of any length and role.

    Returns:
        The join; None if no column has ids.

    Raises:
        ValueError: a column has an id twice.

    >>> ids = (SegmentId("", "1"), SegmentId("", "2"))
    >>> reference = Column("reference", "R", ("a", "b"), ids=ids)
    >>> join([reference, Column("system", "A", ("B", "A"), ids=ids[::-1])]).rows
    (range(0, 2), (1, 0))
    """
    keys, notes = _comparable(columns)
    if not keys:
        return None
    order = _segments(columns, keys)
    place = {key: s for s, key in enumerate(order)}
    if len(place) < len(order):
        raise ValueError(f"{len(place)} different ids found, {len(order)} expected")
    rows_by_ids: dict[int, _Rows] = {}  # by identity, as the columns of a table share their ids
    rows: list[Sequence[int] | None] = [None] * len(columns)
    surplus: dict[int, tuple[SegmentId, ...]] = {}
    for k, own in keys.items():
        if id(own) not in rows_by_ids:
            rows_by_ids[id(own)] = _rows(own, order, place, columns[k].place)
        joined = rows_by_ids[id(own)]
        rows[k] = joined.rows
        if joined.surplus:
            surplus[k] = joined.surplus
        if joined.note:
            notes.setdefault(k, []).append(joined.note)
    return Join(order, tuple(rows), surplus, {k: tuple(of) for k, of in notes.items()})


class _Rows(NamedTuple):
    """The rows of ids, the unused ids, and a sentence about assumptions."""

    rows: Sequence[int] | None
    surplus: tuple[SegmentId, ...] = ()
    note: str = ""


def _rows(own: Sequence[SegmentId], order: tuple[SegmentId, ...], place: Mapping[SegmentId, int], origin: str) -> _Rows:
    if own == order:
        return _Rows(range(len(order)))
    shifted = _shifted_like(own, place)
    note = "" if shifted is own else "its segments are not numbered from the same number as those of the other files"
    row_of = {key: row for row, key in enumerate(shifted)}
    if len(row_of) < len(shifted):
        raise ValueError(f"{origin}: {len(row_of)} different ids found, {len(shifted)} expected")
    beyond = tuple(key for key in row_of if key not in place)
    if len(beyond) == len(row_of) and not any(key.document or key.pair for key in beyond):
        return _Rows(None, note="it has no id in common with the other files: its rows are joined by order")
    rows = tuple(row_of.get(key, -1) for key in order)
    in_order = not beyond and rows == tuple(range(len(order)))
    return _Rows(range(len(order)) if in_order else rows, beyond, note)


def _comparable(columns: Sequence[Column]) -> tuple[dict[int, tuple[SegmentId, ...]], dict[int, list[str]]]:
    """Return the comparable ids of columns, with the fields that all of them have, and notes on ignored ids."""
    keys = {k: column.ids for k, column in enumerate(columns) if column.ids is not None}
    notes: dict[int, list[str]] = {}
    different = {id(ids): ids for ids in keys.values()}
    documents = all(key.document for ids in different.values() for key in ids)
    pairs = all(key.pair for ids in different.values() for key in ids)
    reduced = {place: _reduced(ids, documents=documents, pairs=pairs) for place, ids in different.items()}
    comparable: dict[int, tuple[SegmentId, ...]] = {}
    for k, ids in keys.items():
        kept = reduced[id(ids)]
        if kept is not None:
            comparable[k] = kept
        else:
            notes[k] = [
                "not all files name documents and language pairs, which its ids need: its rows are joined by order"
            ]
    return comparable, notes


def _reduced(ids: tuple[SegmentId, ...], *, documents: bool, pairs: bool) -> tuple[SegmentId, ...] | None:
    """Return the ids with or without documents and language pairs; None if they are not unique then."""
    if (documents or not any(key.document for key in ids)) and (pairs or not any(key.pair for key in ids)):
        return ids
    kept = tuple(SegmentId(key.document if documents else "", key.segment, key.pair if pairs else "") for key in ids)
    is_complete = all(key.document or key.segment for key in kept)
    return kept if is_complete and len(set(kept)) == len(kept) else None


def _segments(columns: Sequence[Column], keys: Mapping[int, tuple[SegmentId, ...]]) -> tuple[SegmentId, ...]:
    """Return the ids of the segments in order: those of one column, then further ones of others of its role."""
    by_role: dict[Role, list[int]] = {}
    for k in keys:
        by_role.setdefault(columns[k].role, []).append(k)
    role: Role = next(filter(by_role.__contains__, SIDES))
    lengths = {len(columns[k].segments) for k in range(len(columns)) if k not in keys}
    fitting = [k for k in by_role[role] if len(keys[k]) in lengths]
    if fitting:  # columns without ids must be in the order of such a column
        first, others = fitting[0], list[int]()
    else:
        first = max(by_role[role], key=lambda k: len(keys[k]))
        others = [k for k in by_role[role] if keys[k] != keys[first]]
    order = keys[first]
    if others:
        known = set(order)
        order = tuple(dict.fromkeys(chain(order, *(_shifted_like(keys[k], known) for k in others))))
    by_position = any(c.role == "reference" and k not in keys for k, c in enumerate(columns))
    if role != "reference" or by_position or not any(None in columns[k].segments for k in by_role[role]):
        return order
    referenced = {
        key for k in by_role[role] for key, text in zip(keys[k], columns[k].segments, strict=True) if text is not None
    }
    return tuple(key for key in order if key in referenced)


def _shifted_like(own: Sequence[SegmentId], known: Mapping[SegmentId, int] | set[SegmentId]) -> Sequence[SegmentId]:
    """Return the ids numbered from the same number as the known ones, if one begins with 0 and the other with 1."""
    from_zero = any(key.segment == "0" for key in own)
    if from_zero == any(key.segment == "0" for key in known):
        return own
    documents = {(key.pair, key.document) for key in known}
    inside = [key for key in own if (key.pair, key.document) in documents]
    if all(key in known for key in inside) or not all(key.segment.isdecimal() for key in inside):
        return own
    shift = 1 if from_zero else -1
    shifted = tuple(key.shifted(shift) if (key.pair, key.document) in documents else key for key in own)
    fits = all(key in known for key in shifted if (key.pair, key.document) in documents)
    return shifted if fits else own
