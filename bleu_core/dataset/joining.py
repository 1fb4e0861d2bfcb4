"""Join of the rows of several files by the ids of their segments; a segment that a file lacks is never an empty one.

Columns without ids are joined by position. The segments are those of the references with ids, in the order of the
longest of these; without such references those of the source, else those of the systems.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat
from operator import itemgetter
from typing import NamedTuple

from bleu_core.dataset.corpus import ROLE_NAMES, Column, MissingText, Role, SegmentId, plural
from bleu_core.dataset.numbering import numbered_by_ids, renumbered, shifted_like
from bleu_core.dataset.parts import FilePart
from bleu_core.errors import AlignmentError, listed

#: The first of these roles that has ids defines the segments.
SIDES: tuple[Role, ...] = ("reference", "source", "system", "document")
#: Maximum number of ids that a message names; further ones are counted.
MAX_NAMED = 3


class Join(NamedTuple):
    """The rows of columns that have the same ids.

    Attributes:
        ids: S ids of the segments, in order.
        rows: for each column the rows of the S segments, from 0, or -1 where it has none; None for a column that is
            joined by position. A range if these are all rows in the order of the file.
        surplus: position of a column -> the ids of its unused rows.
        notes: position of a column -> sentences about assumptions, which follow the file's name.
        unreferenced: the ids that only references without text have.
    """

    ids: tuple[SegmentId, ...]
    rows: tuple[Sequence[int] | None, ...]
    surplus: Mapping[int, tuple[SegmentId, ...]]
    notes: Mapping[int, tuple[str, ...]]
    unreferenced: Collection[SegmentId] = ()

    def holes(self, position: int) -> tuple[SegmentId, ...]:
        """Return the ids of the segments that a column lacks."""
        rows = self.rows[position]
        if rows is None or isinstance(rows, range):
            return ()
        return tuple(key for key, row in zip(self.ids, rows, strict=True) if row < 0)


def join(columns: Sequence[Column], known: dict[tuple[int, int], IdRows] | None = None) -> Join | None:
    """Find the rows of columns that have the same ids.

    Documents and language pairs are part of ids only if all columns with ids have them. Ids that count segments from 0
    in one file and from 1 in another denote the same segments. A column that shares no id with the others is joined by
    position, unless it names documents or language pairs.

    Args:
        columns: columns of any length and role.
        known: rows that were found before, to which further ones are added; None to find all.

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
    order, unreferenced = _segments(columns, keys)
    place = dict(zip(order, range(len(order)), strict=True))
    if len(place) < len(order):
        raise ValueError(f"{len(place)} different ids found, {len(order)} expected")
    known = {} if known is None else known
    joined: dict[int, IdRows] = {}
    for k, own in keys.items():
        if (id(own), id(order)) not in known:  # the columns of a table share their ids
            known[id(own), id(order)] = _rows(own, order, place, columns[k].place)
        joined[k] = known[id(own), id(order)]
        if joined[k].note:
            notes[k] = (joined[k].note,)
    return Join(
        ids=order,
        rows=tuple(joined[k].rows if k in joined else None for k in range(len(columns))),
        surplus={k: of.surplus for k, of in joined.items() if of.surplus},
        notes=notes,
        unreferenced=unreferenced,
    )


class IdRows(NamedTuple):
    """The rows in which ids are those of the segments.

    Attributes:
        own: the ids.
        order: the ids of the segments.
        rows: as for a column in `Join`.
        surplus: the unused ids.
        note: a sentence about assumptions.
    """

    own: Sequence[SegmentId]
    order: Sequence[SegmentId]
    rows: Sequence[int] | None
    surplus: tuple[SegmentId, ...] = ()
    note: str = ""


def _rows(
    own: Sequence[SegmentId], order: tuple[SegmentId, ...], place: Mapping[SegmentId, int], origin: str
) -> IdRows:
    if own == order:
        return IdRows(own, order, range(len(order)))
    shifted = shifted_like(own, place)
    note = "" if shifted is own else "its segments are not numbered from the same number as those of the other files"
    row_of = dict(zip(shifted, range(len(shifted)), strict=True))
    if len(row_of) < len(shifted):
        raise ValueError(f"{origin}: {len(row_of)} different ids found, {len(shifted)} expected")
    rows = tuple(map(row_of.get, order, repeat(-1)))
    is_complete = len(rows) - rows.count(-1) == len(row_of)
    surplus = () if is_complete else tuple(key for key in row_of if key not in place)
    if len(surplus) == len(row_of) and not any(key.document or key.pair for key in surplus):
        return IdRows(
            own, order, None, note="it has no id in common with the other files: its rows are joined by order"
        )
    in_order = range(len(order))
    is_same = is_complete and rows == tuple(in_order)
    return IdRows(own, order, in_order if is_same else rows, surplus=surplus, note=note)


def _comparable(columns: Sequence[Column]) -> tuple[dict[int, tuple[SegmentId, ...]], dict[int, tuple[str, ...]]]:
    """Return the comparable ids of columns, with the fields that all of them have, and notes on ignored ids."""
    keys = {k: column.ids for k, column in enumerate(columns) if column.ids is not None}
    different = {id(ids): ids for ids in keys.values()}
    documents, pairs = (all(all(map(itemgetter(n), ids)) for ids in different.values()) for n in (0, 2))
    reduced = {place: _reduced(ids, documents=documents, pairs=pairs) for place, ids in different.items()}
    note = "not all files name documents and language pairs, which its ids need: its rows are joined by order"
    comparable = {k: kept for k, ids in keys.items() if (kept := reduced[id(ids)]) is not None}
    return comparable, {k: (note,) for k in keys if k not in comparable}


def _reduced(ids: tuple[SegmentId, ...], *, documents: bool, pairs: bool) -> tuple[SegmentId, ...] | None:
    """Return the ids with or without documents and language pairs; None if they are not unique then."""
    if (documents or not any(map(itemgetter(0), ids))) and (pairs or not any(map(itemgetter(2), ids))):
        return ids
    kept = tuple(SegmentId(key.document if documents else "", key.segment, key.pair if pairs else "") for key in ids)
    is_complete = all(key.document or key.segment for key in kept)
    return kept if is_complete and len(set(kept)) == len(kept) else None


def _segments(
    columns: Sequence[Column], keys: Mapping[int, tuple[SegmentId, ...]]
) -> tuple[tuple[SegmentId, ...], Collection[SegmentId]]:
    """Return the ids of the segments in order: those of one column, then further ones of others of its role.

    Of references, they are those with text; the others are returned, too.
    """
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
        order = tuple(dict.fromkeys(chain(order, *(shifted_like(keys[k], known) for k in others))))
    by_position = any(c.role == "reference" and k not in keys for k, c in enumerate(columns))
    if role != "reference" or by_position or not any(None in columns[k].segments for k in by_role[role]):
        return order, ()
    referenced = {
        key for k in by_role[role] for key, text in zip(keys[k], columns[k].segments, strict=True) if text is not None
    }
    return tuple(key for key in order if key in referenced), {key for key in order if key not in referenced}


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedParts:
    """Parts whose columns with ids have the same segments.

    Attributes:
        parts: position -> part, without the columns that lack segments.
        ids: ids of the segments; empty if no column has ids.
        missing: position -> the systems that lack segments and are left out.
        warnings: position -> sentences that follow the file's name.
        incomplete: the names of the systems that lack segments.
        shared: positions of the segments that all systems have; None unless only these are to be used and others exist.
            The other segments of systems that lack them are empty until they are left out.
    """

    parts: dict[int, FilePart]
    ids: tuple[SegmentId, ...] = ()
    missing: Mapping[int, tuple[MissingText, ...]]
    warnings: Mapping[int, tuple[str, ...]]
    incomplete: tuple[str, ...] = ()
    shared: tuple[int, ...] | None = None


def join_parts(
    parts: Mapping[int, FilePart],
    known: dict[tuple[int, int], IdRows] | None = None,
    *,
    shared_segments: bool = False,
) -> JoinedParts:
    """Join the rows of parts by the ids of their segments.

    A source, documents or a reference that lack segments in one file are completed from other files.

    Args:
        parts: position -> part.
        known: rows that were found before, as in `join`.
        shared_segments: whether to keep systems that lack segments, for a comparison on the segments that all have.

    Raises:
        AlignmentError: no segment is shared by all systems.
    """
    places = [(position, column) for position, part in parts.items() for column in part.columns]
    joined = join([column for _, column in places], known)
    if joined is None:
        return JoinedParts(parts=dict(parts), missing={}, warnings={})
    return _Joining(parts, places, joined, shared_segments=shared_segments).joined_parts()


class _Joining:
    """The columns of parts while they are joined."""

    def __init__(
        self,
        parts: Mapping[int, FilePart],
        places: Sequence[tuple[int, Column]],
        joined: Join,
        *,
        shared_segments: bool,
    ) -> None:
        self.parts = parts
        self.places = places
        self.join = joined
        self.warnings: dict[int, list[str]] = {}
        systems = [k for k, (_, column) in enumerate(places) if column.role == "system"]
        self.lacking = {k: holes for k in systems if (holes := joined.holes(k))}
        self.shared: tuple[int, ...] | None = None
        if shared_segments and self.lacking:
            lacking_ids = set(chain(*self.lacking.values()))
            self.shared = tuple(s for s, key in enumerate(joined.ids) if key not in lacking_ids)
            if not self.shared:
                raise AlignmentError(
                    f"no segment found that all systems have, at least 1 expected ({listed(self._incomplete())} lack "
                    "segments); exclude the systems with the fewest segments"
                )
        self.left_out = frozenset[int]() if self.shared is not None else frozenset(self.lacking)

    def joined_parts(self) -> JoinedParts:
        """Return the parts with the segments in order, without columns that lack segments."""
        for k, sentences in self.join.notes.items():
            self._warn(k, *sentences)
        self._warn_of_surplus()
        if self.shared is not None:
            for k, holes in self.lacking.items():
                self._warn(k, f"{self.places[k][1].name}: {self._hole_count(holes)}")
        self._warn_of_order()
        columns: dict[int, list[Column]] = {position: [] for position, _ in self.places}
        known = self._known()
        for k, (position, column) in enumerate(self.places):
            joined = self._joined(k, column, known)
            columns[position] += [] if joined is None else [joined]
        parts = {
            position: self._renumbered(position, replace(part, columns=tuple(columns.get(position, ()))))
            for position, part in self.parts.items()
        }
        return JoinedParts(
            parts=parts,
            ids=self.join.ids,
            missing=self._missing(),
            warnings={position: tuple(dict.fromkeys(own)) for position, own in sorted(self.warnings.items())},
            incomplete=self._incomplete(),
            shared=self.shared,
        )

    def _warn(self, k: int, *sentences: str) -> None:
        self.warnings.setdefault(self.places[k][0], []).extend(sentences)

    def _incomplete(self) -> tuple[str, ...]:
        return tuple(self.places[k][1].name for k in self.lacking)

    def _missing(self) -> dict[int, tuple[MissingText, ...]]:
        """Return the systems of each part that are left out, since they lack segments."""
        missing: dict[int, tuple[MissingText, ...]] = {}
        for k in sorted(self.left_out):
            position, column = self.places[k]
            is_only_system = sum(c.role == "system" for c in self.parts[position].columns) == 1
            place = column.place if is_only_system else f"{column.place}, {column.name}"
            text = MissingText(
                role="system",
                name=column.name,
                place=place,
                problem=f"{place}: {self._hole_count(self.lacking[k])}",
                unit="segment",
                incomplete=True,
            )
            missing[position] = (*missing.get(position, ()), text)
        return missing

    def _renumbered(self, position: int, part: FilePart) -> FilePart:
        """Return a part with ratings, labels and scores renumbered by segments.

        In a file with texts, numbers are those of its rows; in other files, they are ids of the texts.
        """
        of_file = [self.join.rows[k] for k, (other, _) in enumerate(self.places) if self.parts[other].name == part.name]
        if not of_file:
            part, sentences = numbered_by_ids(part, self.join.ids, with_lines=None in self.join.rows)
        else:
            rows = next((rows for rows in of_file if rows is not None and not isinstance(rows, range)), None)
            part, sentences = (part, ()) if rows is None else renumbered(part, rows, may_be_lines=False)
        if sentences:
            self.warnings.setdefault(position, []).extend(sentences)
        return part

    def _warn_of_surplus(self) -> None:
        """Warn about segments without a reference, only in the files of references, and about other unused rows."""
        surplus: dict[tuple[int, tuple[SegmentId, ...], bool], list[str]] = {}
        for k, keys in self.join.surplus.items():
            position, column = self.places[k]
            others = tuple(key for key in keys if key not in self.join.unreferenced)
            is_reference = column.role == "reference"
            if others and (is_reference or column.role == "system"):
                surplus.setdefault((position, others, False), []).append(column.name)
            elif is_reference and not others:
                surplus.setdefault((position, keys, True), []).append(column.name)
        roles = {c.role for k, (_, c) in enumerate(self.places) if self.join.rows[k] is not None}
        defining = {"reference": "the references have", "source": "the source has"}
        subject = defining.get(next(filter(roles.__contains__, SIDES)), "the other files have")
        for (position, keys, is_unreferenced), names in surplus.items():
            count, noun = len(keys), plural(len(keys), "segment")
            what = f"{count:,} {noun} without a reference not used"
            if not is_unreferenced:
                what = f"{count:,} {plural(count, 'row')} of {listed(names)} not used: {subject} no such {noun}"
            self.warnings.setdefault(position, []).append(f"{what} ({listed(keys, max_items=MAX_NAMED)})")

    def _warn_of_order(self) -> None:
        """Warn about files in another order than the segments, and about files without ids."""
        in_order = (c.place for k, (_, c) in enumerate(self.places) if isinstance(self.join.rows[k], range))
        first = next(in_order, "")
        comparison = f" than {first}" if first else ""
        other_orders = False
        left_out = {self.places[k][0] for k in self.left_out}
        for k, (position, column) in enumerate(self.places):
            rows = self.join.rows[k]
            if rows is not None and not isinstance(rows, range) and position not in left_out:
                kept = [row for row in rows if row >= 0]
                if kept != sorted(kept):
                    other_orders = True
                    joined_by = column.id_name or "ids"
                    self._warn(k, f"its rows have another order{comparison}: they are joined by {joined_by}")
        for k, (_, column) in enumerate(self.places):
            if other_orders and first and self.join.rows[k] is None and k not in self.join.notes:
                units = plural(2, column.unit)
                self._warn(k, f"its {units} have no ids: they are assumed to be in the order of {first}")

    def _hole_count(self, holes: Sequence[SegmentId]) -> str:
        total = len(self.join.ids)
        if len(holes) == total:
            return f"no text for any of the {total:,} {plural(total, 'segment')}"
        named = listed(holes, max_items=MAX_NAMED)
        return f"no text for {len(holes):,} of {total:,} {plural(total, 'segment')} ({named})"

    def _known(self) -> dict[tuple[str, str], dict[int, str]]:
        """Return segment -> text of the source, the documents and each reference, from the first file that has it."""
        known: dict[tuple[str, str], dict[int, str]] = {}
        sides = [(k, column) for k, (_, column) in enumerate(self.places) if column.role != "system"]
        if not any(self.join.holes(k) for k, _ in sides):  # there is nothing to complete
            return known
        for k, column in sides:
            texts = known.setdefault(column.key, {})
            for s, row in enumerate(self.join.rows[k] or ()):
                text = column.segments[row] if row >= 0 else None
                if text is not None:
                    texts.setdefault(s, text)
        return known

    def _joined(self, k: int, column: Column, known: Mapping[tuple[str, str], Mapping[int, str]]) -> Column | None:
        """Return a column with the segments in order; None if it lacks segments."""
        rows = self.join.rows[k]
        if rows is None:
            return replace(column, ids=None) if column.ids is not None else column
        if isinstance(rows, range):  # all rows in order
            return column
        if k in self.left_out:
            return None
        known_texts = known.get(column.key, {})
        segments = [column.segments[row] if row >= 0 else known_texts.get(s) for s, row in enumerate(rows)]
        if column.role == "document":
            segments = [text or self.join.ids[s].document for s, text in enumerate(segments)]
        elif column.role != "reference":
            unknown = [s for s, text in enumerate(segments) if text is None]
            if unknown and (self.shared is None or set(unknown) & set(self.shared)):
                holes = self._hole_count([self.join.ids[s] for s in unknown])
                self._warn(k, f"its {ROLE_NAMES[column.role]} is not used: {holes}")
                return None
            segments = ["" if text is None else text for text in segments]  # these segments are left out later
        numbers = {
            name: tuple(of_rows[row] if row >= 0 else -1 for row in rows) for name, of_rows in column.numbers.items()
        }
        return replace(column, segments=tuple(segments), ids=self.join.ids, numbers=numbers)
