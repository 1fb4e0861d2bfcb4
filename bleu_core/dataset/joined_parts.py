"""Parts of files whose rows are joined by the ids of their segments; what lacks segments, or has more, is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleu_core.dataset.corpus import ROLE_NAMES, SINGLE, Column, MissingText, SegmentId, plural
from bleu_core.dataset.joining import SIDES, Join, join
from bleu_core.dataset.numbering import numbered_by_ids
from bleu_core.dataset.parts import Part
from bleu_core.errors import AlignmentError, listed

#: The ids that a message names; of more, all but the first ones are counted.
MAX_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedParts:
    """Parts whose columns with ids have the same segments.

    Attributes:
        parts: position -> part, without the columns that lack segments.
        ids: of the segments; empty where no column has ids.
        missing: position -> the systems that lack segments and are left out.
        warnings: position -> sentences that follow the file's name.
        incomplete: the names of the systems that lack segments.
        shared: the positions of the segments that all systems have, where only these are to be used and others exist:
            the other segments of systems that lack them are empty until they are left out.
    """

    parts: dict[int, Part]
    ids: tuple[SegmentId, ...]
    missing: Mapping[int, tuple[MissingText, ...]]
    warnings: Mapping[int, tuple[str, ...]]
    incomplete: tuple[str, ...] = ()
    shared: tuple[int, ...] | None = None


def join_parts(parts: Mapping[int, Part], *, shared_segments: bool = False) -> JoinedParts:
    """Join the rows of parts by the ids of their segments.

    A source, documents and a reference that a file has only in part are completed by its copies in other files.

    Args:
        parts: by their positions.
        shared_segments: whether systems that lack segments are kept, with those that are shared by all systems.

    Raises:
        AlignmentError: no segment is shared by all systems.
    """
    places = [(position, column) for position, part in parts.items() for column in part.columns]
    found = join([column for _, column in places])
    if found is None:
        return JoinedParts(parts=dict(parts), ids=(), missing={}, warnings={})
    work = _Joining(parts, places, found, shared_segments=shared_segments)
    columns = work.columns()
    by_part = {
        position: replace(part, columns=columns[position]) if position in columns else part
        for position, part in parts.items()
    }
    renumbered = work.renumbered(by_part)
    warnings = {position: tuple(dict.fromkeys(said)) for position, said in sorted(work.warnings.items()) if said}
    incomplete = tuple(places[k][1].name for k, holes in work.lacking.items() if holes)
    return JoinedParts(
        parts=renumbered,
        ids=found.ids,
        missing=work.missing(),
        warnings=warnings,
        incomplete=incomplete,
        shared=work.shared,
    )


class _Joining:
    """Columns of parts while they are joined."""

    def __init__(
        self, parts: Mapping[int, Part], places: Sequence[tuple[int, Column]], found: Join, *, shared_segments: bool
    ) -> None:
        self.parts = parts
        self.places = places
        self.found = found
        self.warnings: dict[int, list[str]] = {}
        self.lacking = {k: found.holes(k) for k, (_, column) in enumerate(places) if column.role == "system"}
        self.shared: tuple[int, ...] | None = None
        if shared_segments and any(self.lacking.values()):
            gone = {key for holes in self.lacking.values() for key in holes}
            self.shared = tuple(s for s, key in enumerate(found.ids) if key not in gone)
            if not self.shared:
                names = listed(places[k][1].name for k, holes in self.lacking.items() if holes)
                raise AlignmentError(
                    f"no segment found that all systems have, at least 1 expected ({names} lack segments); leave out "
                    "the systems with the fewest segments"
                )
        self._warn()

    def columns(self) -> dict[int, tuple[Column, ...]]:
        """The columns of each part with the segments in their order; those that lack segments are left out."""
        known = self._known()
        of_part: dict[int, list[Column]] = {}
        for k, (position, column) in enumerate(self.places):
            joined = self._joined(k, position, column, known)
            of_part.setdefault(position, [])
            if joined is not None:
                of_part[position].append(joined)
        return {position: tuple(columns) for position, columns in of_part.items()}

    def missing(self) -> dict[int, tuple[MissingText, ...]]:
        """The systems of each part that lack segments, unless only shared segments are used."""
        found: dict[int, tuple[MissingText, ...]] = {}
        for k, holes in self.lacking.items():
            if not holes or self.shared is not None:
                continue
            position, column = self.places[k]
            alone = sum(c.role == "system" for c in self.parts[position].columns) == 1
            place = column.place if alone else f"{column.place}, {column.name}"
            text = MissingText(
                role="system",
                name=column.name,
                place=place,
                problem=f"{place}: {self._hole_count(holes)}",
                unit="segment",
                incomplete=True,
            )
            found[position] = (*found.get(position, ()), text)
        return found

    def renumbered(self, parts: dict[int, Part]) -> dict[int, Part]:
        """The parts with ratings, labels and scores numbered as the segments.

        Those of a file with texts are of its rows; others name segments by the ids of the texts.
        """
        rows_of: dict[str, Sequence[int]] = {}
        for k, (position, _) in enumerate(self.places):
            rows = self.found.rows[k]
            if rows is not None and not isinstance(rows, range):
                rows_of.setdefault(parts[position].name, rows)
        found: dict[int, Part] = {}
        with_lines = None in self.found.rows
        of_texts = {self.parts[position].name for position, _ in self.places}
        for position, part in parts.items():
            rows = rows_of.get(part.name)
            found[position] = part if rows is None else _numbered_by(part, rows)
            if part.name not in of_texts:
                found[position], sentences = numbered_by_ids(part, self.found.ids, with_lines=with_lines)
                self.warnings.setdefault(position, []).extend(sentences)
        return found

    def _warn(self) -> None:
        for k, sentences in self.found.notes.items():
            self.warnings.setdefault(self.places[k][0], []).extend(sentences)
        empty = {k: self._is_empty(k, keys) for k, keys in self.found.surplus.items()}
        told = {key for k, keys in self.found.surplus.items() if empty[k] for key in keys}  # once, of the references
        surplus: dict[tuple[int, tuple[SegmentId, ...], bool], list[str]] = {}
        for k, every in self.found.surplus.items():
            position, column = self.places[k]
            keys = every if empty[k] else tuple(key for key in every if key not in told)
            if keys and column.role in ("system", "reference"):
                surplus.setdefault((position, keys, empty[k]), []).append(column.name)
        for (position, keys, is_empty), names in surplus.items():
            count, noun = len(keys), plural(len(keys), "segment")
            if is_empty:
                said = f"{count:,} {noun} without a reference not used"
            else:
                rows = f"{count:,} {plural(count, 'row')} of {listed(names)}"
                said = f"{rows} not used: {self._others()} no such {noun}"
            self.warnings.setdefault(position, []).append(f"{said} ({listed(keys, max_items=MAX_NAMED)})")
        if self.shared is not None:
            for k, holes in self.lacking.items():
                if holes:
                    position, column = self.places[k]
                    self.warnings.setdefault(position, []).append(f"{column.name}: {self._hole_count(holes)}")
        self._warn_of_order()

    def _warn_of_order(self) -> None:
        """Say which files have another order than the segments, and in which order files without ids are read."""
        in_order = (c.place for k, (_, c) in enumerate(self.places) if isinstance(self.found.rows[k], range))
        first = next(in_order, "")
        like = f" than {first}" if first else ""
        other_orders = False
        left_out = {position for k, (position, _) in enumerate(self.places) if self._is_left_out(k)}
        for k, (position, _) in enumerate(self.places):
            rows = self.found.rows[k]
            if rows is not None and not isinstance(rows, range) and position not in left_out:
                kept = [row for row in rows if row >= 0]
                if kept != sorted(kept):
                    other_orders = True
                    said = f"its rows have another order{like}: they are joined by ids"
                    self.warnings.setdefault(position, []).append(said)
        for k, (position, column) in enumerate(self.places):
            if other_orders and first and self.found.rows[k] is None and k not in self.found.notes:
                said = f"its {plural(2, column.unit)} have no ids: they are taken to be in the order of {first}"
                self.warnings.setdefault(position, []).append(said)

    def _is_left_out(self, k: int) -> bool:
        """Whether a column is a system that lacks segments, and not only shared segments are used."""
        return bool(self.lacking.get(k)) and self.shared is None

    def _is_empty(self, k: int, keys: Iterable[SegmentId]) -> bool:
        """Whether a column is a reference without text in the rows of those ids."""
        _, column = self.places[k]
        if column.role != "reference" or column.ids is None:
            return False
        named, paired = any(key.document for key in keys), any(key.pair for key in keys)
        own = (SegmentId(k.document if named else "", k.segment, k.pair if paired else "") for k in column.ids)
        text = dict(zip(own, column.segments, strict=True))
        return all(text.get(key, "") is None for key in keys)

    def _others(self) -> str:
        """The files that decide the segments, and "have"."""
        roles = {c.role for k, (_, c) in enumerate(self.places) if self.found.rows[k] is not None}
        side = next(role for role in SIDES if role in roles)
        return {"reference": "the references have", "source": "the source has"}.get(side, "the other files have")

    def _hole_count(self, holes: Sequence[SegmentId]) -> str:
        every = len(self.found.ids)
        if len(holes) == every:
            return f"no text for any of the {every:,} {plural(every, 'segment')}"
        named = listed(holes, max_items=MAX_NAMED)
        return f"no text for {len(holes):,} of {every:,} {plural(every, 'segment')} ({named})"

    def _known(self) -> dict[tuple[str, str], dict[int, str]]:
        """Of the source, the documents and each reference: segment -> the text in the first file that has it."""
        known: dict[tuple[str, str], dict[int, str]] = {}
        sides = [(k, column) for k, (_, column) in enumerate(self.places) if column.role != "system"]
        if not any(self.found.holes(k) for k, _ in sides):  # nothing to complete
            return known
        for k, column in sides:
            rows = self.found.rows[k]
            if rows is None:
                continue
            of_key = known.setdefault(_key(column), {})
            for s, row in enumerate(rows):
                text = column.segments[row] if row >= 0 else None
                if text is not None:
                    of_key.setdefault(s, text)
        return known

    def _joined(
        self, k: int, position: int, column: Column, known: Mapping[tuple[str, str], Mapping[int, str]]
    ) -> Column | None:
        rows = self.found.rows[k]
        if rows is None:
            return replace(column, ids=None) if column.ids is not None else column
        if isinstance(rows, range):  # all rows, in their order
            return column
        if self._is_left_out(k):
            return None
        of_key = known.get(_key(column), {})
        segments = [column.segments[row] if row >= 0 else of_key.get(s) for s, row in enumerate(rows)]
        if column.role == "document":
            segments = [text or self.found.ids[s].document for s, text in enumerate(segments)]
        elif column.role != "reference":
            unknown = [s for s, text in enumerate(segments) if text is None]
            if unknown and (self.shared is None or set(unknown) & set(self.shared)):
                holes = self._hole_count([self.found.ids[s] for s in unknown])
                self.warnings.setdefault(position, []).append(f"its {ROLE_NAMES[column.role]} is not used: {holes}")
                return None
            segments = ["" if text is None else text for text in segments]  # which is left out afterwards
        return replace(column, segments=tuple(segments), ids=self.found.ids)


def _key(column: Column) -> tuple[str, str]:
    return column.role, "" if column.role in SINGLE else column.name


def _numbered_by(part: Part, rows: Sequence[int]) -> Part:
    judgments = None if part.judgments is None else part.judgments.subset(rows)
    return replace(part, judgments=judgments, labels=None if part.labels is None else part.labels.subset(rows))
