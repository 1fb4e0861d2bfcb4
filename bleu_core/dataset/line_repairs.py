"""Repairs of a text that is misaligned with the other texts by missing, doubled, split or joined lines.

Repairs depend on positions alone, so that they can be listed, undone and repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

RepairKind = Literal["missing", "doubled", "split", "joined"]

#: Kinds of repair -> the minimum number of lines or segments of a repair.
_MIN_LINES: dict[str, int] = {"missing": 1, "doubled": 1, "split": 2, "joined": 2}
#: The most segments that repairs may add to a text: as many for each of its lines, or so many to a short one.
_MAX_ADDED_PER_LINE, _MAX_ADDED_TO_SHORT_TEXT = 10, 1000


@dataclass(frozen=True, slots=True)
class LineRepair:
    """One repair of a text.

    Attributes:
        kind: missing: before `line` there are `lines` lines too few, and as many empty segments are put there. doubled:
            `lines` lines from `line` on are a second copy and are left out. split: `lines` lines from `line` on are one
            segment and are joined. joined: `line` has the text of `lines` segments; the first segment keeps it, the
            others are empty.
        line: line number in the unrepaired file, from 1; for lines missing at the end, the number of its lines plus 1.
        lines: number of lines, or of segments of a joined line.
        member: the path of the text in a zip or folder of several files; else empty.

    Raises:
        ValueError: the kind is unknown, or a number is too small.
    """

    kind: RepairKind
    line: int
    lines: int
    member: str = ""

    def __post_init__(self) -> None:
        if self.kind not in _MIN_LINES:
            raise ValueError(f"kind {self.kind!r} found, one of {', '.join(_MIN_LINES)} expected")
        if self.line < 1:
            raise ValueError(f"line {self.line} found, at least 1 expected")
        if self.lines < _MIN_LINES[self.kind]:
            raise ValueError(f"{self.lines} lines found, at least {_MIN_LINES[self.kind]} expected for {self.kind}")

    @property
    def used(self) -> int:
        """Number of lines of the file that the repair replaces."""
        return {"missing": 0, "joined": 1}.get(self.kind, self.lines)

    @property
    def segments(self) -> int:
        """Number of segments that the lines become."""
        return {"doubled": 0, "split": 1}.get(self.kind, self.lines)

    @property
    def sentence(self) -> str:
        """A sentence about the error and its repair, which follows the file's name.

        >>> LineRepair("missing", 17, 1).sentence
        'line 17 is missing: an empty segment was put in its place'
        >>> LineRepair("split", 17, 3).sentence
        'lines 17 to 19 are one segment: they were joined'
        """
        last = self.line + self.lines - 1
        is_one = self.lines == 1
        several = f"lines {self.line:,} {'and' if self.lines == 2 else 'to'} {last:,} are"  # noqa: PLR2004 # two lines
        lines = f"line {self.line:,} is" if is_one else several
        empty = "an empty segment was put in its" if is_one else f"{self.lines:,} empty segments were put in their"
        others = "the other one is" if self.lines == 2 else f"the {self.lines - 1:,} others are"  # noqa: PLR2004
        return {
            "missing": f"{lines} missing: {empty} place",
            "doubled": f"{lines} doubled: the second {'copy was' if is_one else 'copies were'} left out",
            "split": f"{lines} one segment: they were joined",
            "joined": (
                f"line {self.line:,} has the text of {self.lines:,} segments: the first segment has all of it, and "
                f"{others} empty"
            ),
        }[self.kind]


@dataclass(frozen=True, slots=True)
class RepairedText:
    """A text after its repairs.

    Attributes:
        segments: the texts; None where a reference has none.
        absent: numbers, from 1, of the segments whose text is not known: missing segments, and all segments of a joined
            line.
    """

    segments: tuple[str | None, ...]
    absent: tuple[int, ...]


def repaired(segments: Sequence[str | None], repairs: Sequence[LineRepair]) -> RepairedText:
    """Apply repairs to a text.

    Args:
        segments: the unrepaired text.
        repairs: the repairs, sorted by line and without overlaps.

    Raises:
        ValueError: repairs are not sorted, overlap, are beyond the end of the text, or add too many segments.

    >>> repaired(["a", "c", "d1", "d2"], [LineRepair("missing", 2, 1), LineRepair("split", 3, 2)])
    RepairedText(segments=('a', '', 'c', 'd1 d2'), absent=(2,))
    """
    _check(len(segments), repairs)
    added = repaired_length(len(segments), repairs) - len(segments)
    max_added = max(_MAX_ADDED_PER_LINE * len(segments), _MAX_ADDED_TO_SHORT_TEXT)
    if added > max_added:
        raise ValueError(f"{added:,} segments added to {len(segments):,} lines, at most {max_added:,} expected")
    texts: dict[int, list[str | None]] = {}
    absent: dict[int, None] = {}
    for segment, line, kind in aligned_lines(len(segments), repairs):
        if segment is not None:
            texts.setdefault(segment, []).extend([] if line is None else [segments[line - 1]])
            absent |= {segment: None} if kind in ("missing", "joined") else {}
    return RepairedText(tuple(map(_joined, texts.values())), tuple(absent))


def repaired_length(lines: int, repairs: Iterable[LineRepair]) -> int:
    """Return the number of segments of a text after repairs of its lines."""
    return lines + sum(repair.segments - repair.used for repair in repairs)


def aligned_lines(
    lines: int, repairs: Sequence[LineRepair]
) -> Iterator[tuple[int | None, int | None, RepairKind | None]]:
    """Align the segments of a repaired text with the lines of the file, both from 1, and give the kind of repair.

    Args:
        lines: number of lines of the file.
        repairs: the repairs, sorted by line and without overlaps.

    Yields:
        A segment without a line, which is missing; a line without a segment, which is surplus; or both.

    >>> list(aligned_lines(2, [LineRepair("missing", 2, 1)]))
    [(1, 1, None), (2, None, 'missing'), (3, 2, None)]
    """
    segment, line = 1, 1
    for repair in (*repairs, None):
        end = lines + 1 if repair is None else repair.line
        while line < end:
            yield segment, line, None
            segment, line = segment + 1, line + 1
        if repair is None:
            return
        for i in range(repair.lines):
            place = {"doubled": None, "split": segment}.get(repair.kind, segment + i)
            yield place, line + i if i < repair.used else None, repair.kind
        segment += repair.segments
        line += repair.used


def _joined(parts: Sequence[str | None]) -> str | None:
    """Join the parts of a segment by spaces, without empty parts; None if there are some, and all are absent."""
    return None if parts and all(part is None for part in parts) else " ".join(filter(None, parts))


def _check(segments: int, repairs: Sequence[LineRepair]) -> None:
    """Check that repairs are of existing lines, sorted and without overlaps.

    Raises:
        ValueError: they are not.
    """
    before: LineRepair | None = None
    for repair in repairs:
        last = segments + 1 if repair.kind == "missing" else segments - repair.used + 1
        if repair.line > last:
            raise ValueError(f"line {repair.line}: the text ends before this repair ({segments} lines found)")
        if before is not None:
            if repair.line < before.line:
                raise ValueError(f"line {repair.line}: found after line {before.line}, repairs in order expected")
            is_repeated = repair.kind == before.kind == "missing" and repair.line == before.line
            if is_repeated or repair.line < before.line + before.used:
                raise ValueError(f"line {repair.line}: this repair overlaps that of line {before.line}")
        before = repair
