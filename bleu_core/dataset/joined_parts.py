"""Join of parts of files by the ids of their segments, with warnings about lacking and surplus segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bleu_core.dataset.corpus import ROLE_NAMES, SINGLE, Column, MissingText, SegmentId, plural
from bleu_core.dataset.joining import SIDES, Join, join
from bleu_core.dataset.numbering import numbered_by_ids
from bleu_core.dataset.parts import FilePart
from bleu_core.errors import AlignmentError, listed

#: Maximum number of ids that a message names; further ones are counted.
MAX_NAMED = 3


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
    ids: tuple[SegmentId, ...]
    missing: Mapping[int, tuple[MissingText, ...]]
    warnings: Mapping[int, tuple[str, ...]]
    incomplete: tuple[str, ...] = ()
    shared: tuple[int, ...] | None = None


def join_parts(parts: Mapping[int, FilePart], *, shared_segments: bool = False) -> JoinedParts:
    """Join the rows of parts by the ids of their segments.

    A source, documents or a reference that lack segments in one file are completed from other files.

    Args:
        parts: position -> part.
        shared_segments: whether to keep systems that lack segments, for a comparison on the segments that all have.

    Raises:
        AlignmentError: no segment is shared by all systems.
    """
    places = [(position, column) for position, part in parts.items() for column in part.columns]
    joined_rows = join([column for _, column in places])
    if joined_rows is None:
        return JoinedParts(parts=dict(parts), ids=(), missing={}, warnings={})
    work = _Joining(parts, places, joined_rows, shared_segments=shared_segments)
    columns = work.columns()
    by_part = {
        position: replace(part, columns=columns[position]) if position in columns else part
        for position, part in parts.items()
    }
    renumbered = work.renumbered(by_part)
    warnings = {
        position: tuple(dict.fromkeys(sentences)) for position, sentences in sorted(work.warnings.items()) if sentences
    }
    incomplete = tuple(places[k][1].name for k, holes in work.lacking.items() if holes)
    return JoinedParts(
        parts=renumbered,
        ids=joined_rows.ids,
        missing=work.missing(),
        warnings=warnings,
        incomplete=incomplete,
        shared=work.shared,
    )


class _Joining:
    """The columns of parts while they are joined."""

    def __init__(
        self,
        parts: Mapping[int, FilePart],
        places: Sequence[tuple[int, Column]],
        joined_rows: Join,
        *,
        shared_segments: bool,
    ) -> None:
        self.parts = parts
        self.places = places
        self.join = joined_rows
        self.warnings: dict[int, list[str]] = {}
        self.lacking = {k: joined_rows.holes(k) for k, (_, column) in enumerate(places) if column.role == "system"}
        self.shared: tuple[int, ...] | None = None
        if shared_segments and any(self.lacking.values()):
            lacking_ids = {key for holes in self.lacking.values() for key in holes}
            self.shared = tuple(s for s, key in enumerate(joined_rows.ids) if key not in lacking_ids)
            if not self.shared:
                names = listed(places[k][1].name for k, holes in self.lacking.items() if holes)
                raise AlignmentError(
                    f"no segment found that all systems have, at least 1 expected ({names} lack segments); exclude "
                    "the systems with the fewest segments"
                )
        self._warn()

    def columns(self) -> dict[int, tuple[Column, ...]]:
        """Return the columns of each part with the segments in order, without columns that lack segments."""
        known = self._known()
        by_part: dict[int, list[Column]] = {}
        for k, (position, column) in enumerate(self.places):
            joined = self._joined(k, position, column, known)
            by_part.setdefault(position, [])
            if joined is not None:
                by_part[position].append(joined)
        return {position: tuple(columns) for position, columns in by_part.items()}

    def missing(self) -> dict[int, tuple[MissingText, ...]]:
        """Return the systems of each part that lack segments, unless only shared segments are used."""
        missing_texts: dict[int, tuple[MissingText, ...]] = {}
        for k, holes in self.lacking.items():
            if not holes or self.shared is not None:
                continue
            position, column = self.places[k]
            is_only_system = sum(c.role == "system" for c in self.parts[position].columns) == 1
            place = column.place if is_only_system else f"{column.place}, {column.name}"
            text = MissingText(
                role="system",
                name=column.name,
                place=place,
                problem=f"{place}: {self._hole_count(holes)}",
                unit="segment",
                incomplete=True,
            )
            missing_texts[position] = (*missing_texts.get(position, ()), text)
        return missing_texts

    def renumbered(self, parts: dict[int, FilePart]) -> dict[int, FilePart]:
        """Return the parts with ratings, labels and scores renumbered by segments.

        In a file with texts, numbers are those of its rows; in other files, they are ids of the texts.
        """
        rows_of: dict[str, Sequence[int]] = {}
        for k, (position, _) in enumerate(self.places):
            rows = self.join.rows[k]
            if rows is not None and not isinstance(rows, range):
                rows_of.setdefault(parts[position].name, rows)
        numbered_parts: dict[int, FilePart] = {}
        with_lines = None in self.join.rows
        names_with_texts = {self.parts[position].name for position, _ in self.places}
        for position, part in parts.items():
            rows = rows_of.get(part.name)
            numbered_parts[position] = part if rows is None else _numbered_by(part, rows)
            if part.name not in names_with_texts:
                numbered_parts[position], sentences = numbered_by_ids(part, self.join.ids, with_lines=with_lines)
                self.warnings.setdefault(position, []).extend(sentences)
        return numbered_parts

    def _warn(self) -> None:
        for k, sentences in self.join.notes.items():
            self.warnings.setdefault(self.places[k][0], []).extend(sentences)
        empty = {k: self._is_empty(k, keys) for k, keys in self.join.surplus.items()}
        # Reported only once, for the references.
        reported = {key for k, keys in self.join.surplus.items() if empty[k] for key in keys}
        surplus: dict[tuple[int, tuple[SegmentId, ...], bool], list[str]] = {}
        for k, surplus_ids in self.join.surplus.items():
            position, column = self.places[k]
            keys = surplus_ids if empty[k] else tuple(key for key in surplus_ids if key not in reported)
            if keys and column.role in ("system", "reference"):
                surplus.setdefault((position, keys, empty[k]), []).append(column.name)
        for (position, keys, is_empty), names in surplus.items():
            count, noun = len(keys), plural(len(keys), "segment")
            if is_empty:
                sentence = f"{count:,} {noun} without a reference not used"
            else:
                rows = f"{count:,} {plural(count, 'row')} of {listed(names)}"
                sentence = f"{rows} not used: {self._defining_files()} no such {noun}"
            self.warnings.setdefault(position, []).append(f"{sentence} ({listed(keys, max_items=MAX_NAMED)})")
        if self.shared is not None:
            for k, holes in self.lacking.items():
                if holes:
                    position, column = self.places[k]
                    self.warnings.setdefault(position, []).append(f"{column.name}: {self._hole_count(holes)}")
        self._warn_of_order()

    def _warn_of_order(self) -> None:
        """Warn about files in another order than the segments, and about files without ids."""
        in_order = (c.place for k, (_, c) in enumerate(self.places) if isinstance(self.join.rows[k], range))
        first = next(in_order, "")
        comparison = f" than {first}" if first else ""
        other_orders = False
        left_out = {position for k, (position, _) in enumerate(self.places) if self._is_left_out(k)}
        for k, (position, column) in enumerate(self.places):
            rows = self.join.rows[k]
            if rows is not None and not isinstance(rows, range) and position not in left_out:
                kept = [row for row in rows if row >= 0]
                if kept != sorted(kept):
                    other_orders = True
                    sentence = f"its rows have another order{comparison}: they are joined by {column.id_name or 'ids'}"
                    self.warnings.setdefault(position, []).append(sentence)
        for k, (position, column) in enumerate(self.places):
            if other_orders and first and self.join.rows[k] is None and k not in self.join.notes:
                sentence = f"its {plural(2, column.unit)} have no ids: they are assumed to be in the order of {first}"
                self.warnings.setdefault(position, []).append(sentence)

    def _is_left_out(self, k: int) -> bool:
        """Return whether a column is a system that is left out as it lacks segments."""
        return bool(self.lacking.get(k)) and self.shared is None

    def _is_empty(self, k: int, keys: Iterable[SegmentId]) -> bool:
        """Return whether a column is a reference without text in the rows of these ids."""
        _, column = self.places[k]
        if column.role != "reference" or column.ids is None:
            return False
        with_documents, with_pairs = any(key.document for key in keys), any(key.pair for key in keys)
        own_ids = (
            SegmentId(key.document if with_documents else "", key.segment, key.pair if with_pairs else "")
            for key in column.ids
        )
        text = dict(zip(own_ids, column.segments, strict=True))
        return all(text.get(key, "") is None for key in keys)

    def _defining_files(self) -> str:
        """Return the subject and verb of a message: the files that define the segments, and "have"."""
        roles = {c.role for k, (_, c) in enumerate(self.places) if self.join.rows[k] is not None}
        side = next(role for role in SIDES if role in roles)
        return {"reference": "the references have", "source": "the source has"}.get(side, "the other files have")

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
            rows = self.join.rows[k]
            if rows is None:
                continue
            texts = known.setdefault(_key(column), {})
            for s, row in enumerate(rows):
                text = column.segments[row] if row >= 0 else None
                if text is not None:
                    texts.setdefault(s, text)
        return known

    def _joined(
        self, k: int, position: int, column: Column, known: Mapping[tuple[str, str], Mapping[int, str]]
    ) -> Column | None:
        rows = self.join.rows[k]
        if rows is None:
            return replace(column, ids=None) if column.ids is not None else column
        if isinstance(rows, range):  # all rows in order
            return column
        if self._is_left_out(k):
            return None
        known_texts = known.get(_key(column), {})
        segments = [column.segments[row] if row >= 0 else known_texts.get(s) for s, row in enumerate(rows)]
        if column.role == "document":
            segments = [text or self.join.ids[s].document for s, text in enumerate(segments)]
        elif column.role != "reference":
            unknown = [s for s, text in enumerate(segments) if text is None]
            if unknown and (self.shared is None or set(unknown) & set(self.shared)):
                holes = self._hole_count([self.join.ids[s] for s in unknown])
                self.warnings.setdefault(position, []).append(f"its {ROLE_NAMES[column.role]} is not used: {holes}")
                return None
            segments = ["" if text is None else text for text in segments]  # these segments are left out later
        numbers = {
            name: tuple(of_rows[row] if row >= 0 else -1 for row in rows) for name, of_rows in column.numbers.items()
        }
        return replace(column, segments=tuple(segments), ids=self.join.ids, numbers=numbers)


def _key(column: Column) -> tuple[str, str]:
    return column.role, "" if column.role in SINGLE else column.name


def _numbered_by(part: FilePart, rows: Sequence[int]) -> FilePart:
    judgments = None if part.judgments is None else part.judgments.subset(rows)
    return replace(part, judgments=judgments, labels=None if part.labels is None else part.labels.subset(rows))
