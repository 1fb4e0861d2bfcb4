"""Detection of lines of a text that are missing, doubled, split, joined or shifted relative to other texts.

Each text is compared with the others, line by line, by shared tokens and by lengths (`line_likeness`), and the best
path through both is computed (`line_path`). A text that disagrees with the others is not used to check them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from operator import add
from typing import Any, Literal

import numpy as np

from bleu_core.alignment.line_likeness import (
    OTHER_LANGUAGE,
    SAME_LANGUAGE,
    Likeness,
    Lines,
    Scores,
    Weights,
    count_tokens,
    rarity,
    shared_tokens,
)
from bleu_core.alignment.line_path import GAP_OPEN_COST, Costs, Path, Step, best_path
from bleu_core.dataset import Column, LineRepair, most_common_length
from bleu_core.progress import Progress

PlaceKind = Literal["missing", "doubled", "split", "joined", "shifted"]

#: Cost of each missing line, and of each surplus line: a copy of the line before or after it, a near copy, or another
#: line.
_MISSING_COST, _COPY_COST, _NEAR_COPY_COST, _SURPLUS_COST = 4.5, 0.0, 3.0, 8.0
#: Minimum cosine of the tokens, and minimum ratio of the lengths, of a near copy.
_MIN_COPY_COSINE, _MIN_COPY_LENGTH_RATIO = 0.9, 0.8
#: Minimum gain of the path of a text with the expected number of lines.
_MIN_GAIN = 5.0
#: Minimum mean score of the lines of two texts that have something in common.
_MIN_LIKENESS = 0.1
#: Minimum number of lines reported between a segment that was translated twice in different words and one that was left
#: out. Shorter shifts are made by systems that translate whole documents, and the file is as they wrote it.
_MIN_SHIFTED_LINES = 20
#: A reference, or the source, is reported instead of a system only if the gain of its path is greater by this factor.
_GAIN_FACTOR = 1.1
#: Which of two texts that disagree as much is reported: the role with the lower number.
_ROLE_ORDER = {"system": 0, "source": 1, "reference": 2}


@dataclass(frozen=True, slots=True)
class Place:
    """A place where lines of a text differ from those of the others.

    Attributes:
        kind: missing, doubled, split, joined, or shifted, where missing and surplus lines cancel out.
        line: counted from 1 in the original file: for missing, the line at the place of the missing text, or the number
            of lines plus 1 at the end; for doubled, the second copy; otherwise the first line concerned.
        lines: the number of lines that are missing, doubled or shifted, or that were split from or joined to one.
    """

    kind: PlaceKind
    line: int
    lines: int

    @property
    def sentence(self) -> str:
        """The problem, as a sentence that follows the file's name.

        >>> Place("shifted", 17, 40).sentence
        'lines 17 to 56 are shifted'
        """
        last = self.line + self.lines - 1
        if self.kind == "joined":
            return f"line {self.line:,} has the text of {self.lines:,} segments"
        lines = f"line {self.line:,} is" if self.lines == 1 else f"lines {self.line:,} to {last:,} are"
        return f"{lines} {'one segment' if self.kind == 'split' else self.kind}"


@dataclass(frozen=True, slots=True)
class MisalignedText:
    """A misaligned text.

    Attributes:
        column: the text.
        places: of misaligned lines, by line.
        repairs: that give it the number of segments of the others, by line.
    """

    column: Column
    places: tuple[Place, ...]
    repairs: tuple[LineRepair, ...]


def check_lines(columns: Sequence[Column], *, progress: Progress | None = None) -> tuple[MisalignedText, ...]:
    """Find misaligned texts and the places of misaligned lines.

    The expected number of lines is that of most texts. Of texts that disagree, the one that disagrees most is reported;
    of a system and a reference, the system.

    Args:
        columns: texts; documents are not compared.
        progress: called after each comparison.

    Returns:
        The misaligned texts, in the order given. A text of another length that is not among them has nothing in common
        with the others.
    """
    texts = [column for column in columns if column.role != "document"]
    expected = most_common_length(texts)
    if len(texts) < 2 or not expected:  # noqa: PLR2004 # a pair
        return ()
    check = _Check(texts, [i for i, column in enumerate(texts) if len(column.segments) == expected], progress)
    return check.run()


@dataclass(frozen=True, slots=True)
class _Alignment:
    """The alignment of a text with the others."""

    path: Path
    repairs: tuple[LineRepair, ...]


class _Check:
    """The check of texts against those that are trusted."""

    def __init__(self, texts: Sequence[Column], trusted: Iterable[int], progress: Progress | None) -> None:
        self._texts = texts
        self._trusted = list(trusted)
        self._expected = len(texts[self._trusted[0]].segments)
        self._progress, self._done = progress, 0
        self._counted = count_tokens([column.segments for column in texts])
        expected = [self._counted[i] for i in self._trusted]
        self._rarity = rarity(expected)
        sides = [
            [lines for i, lines in enumerate(self._counted) if self._is_source(i) is side] for side in (True, False)
        ]
        self._alike = shared_tokens(*sides) * self._rarity if all(sides) else self._rarity
        self._weighted: dict[tuple[int, bool], Lines] = {}
        self._totals: dict[tuple[bool, bool], Lines] = {}

    def run(self) -> tuple[MisalignedText, ...]:
        """Determine the trusted texts, then compare all others with them."""
        suspects = self._suspects(self._trusted)
        while suspects := {i: alignment for i, alignment in suspects.items() if alignment.repairs}:
            reported = self._least_trusted({i: alignment.path.gain for i, alignment in suspects.items()})
            self._trusted.remove(reported)
            self._totals.clear()
            del suspects[reported]
            suspects = self._suspects(suspects)
        misaligned: list[MisalignedText] = []
        for i, column in enumerate(self._texts):
            if i in self._trusted:
                continue
            repairs = _whole_copies(column.segments, self._expected) or self._compare(i).repairs
            if repairs:
                misaligned.append(MisalignedText(column, _places(repairs), repairs))
        return tuple(misaligned)

    def _suspects(self, among: Iterable[int]) -> dict[int, _Alignment]:
        """Compare trusted texts with the other trusted ones; of two, only one, as both disagree as much."""
        if len(self._trusted) == 1:
            return {}
        first = min(self._trusted, key=lambda i: _ROLE_ORDER[self._texts[i].role])
        return {i: self._compare(i) for i in among if len(self._trusted) > 2 or i == first}  # noqa: PLR2004 # a pair

    def _is_source(self, i: int) -> bool:
        return self._texts[i].role == "source"

    def _least_trusted(self, gains: Mapping[int, float]) -> int:
        """Return the text that disagrees most; of nearly equal ones a system, else the source."""
        max_gain = max(gains.values())
        candidates = [i for i, gain in gains.items() if gain * _GAIN_FACTOR >= max_gain]
        return min(candidates, key=lambda i: (_ROLE_ORDER[self._texts[i].role], -gains[i]))

    def _compare(self, i: int) -> _Alignment:
        """Compare a text with the trusted texts other than itself."""
        others = [k for k in self._trusted if k != i]
        pairs: list[tuple[Lines, Lines, Weights]] = []
        for is_source in (False, True):
            if not any(self._is_source(k) is is_source for k in others):
                continue
            same = self._is_source(i) is is_source
            weights = SAME_LANGUAGE if same else OTHER_LANGUAGE
            pairs.append(
                (self._lines(i, alike=not same), self._together(i, is_source=is_source, alike=not same), weights)
            )
        others_lines = self._together(i, is_source=all(map(self._is_source, others)), alike=False)
        alignment = _align(_Copies(self._texts[i].segments, self._lines(i, alike=False)), others_lines, pairs)
        self._done += 1
        if self._progress:
            self._progress(min(self._done, len(self._texts)), len(self._texts))
        return alignment

    def _lines(self, i: int, *, alike: bool) -> Lines:
        """Return a text's tokens, all or those with the same spelling in both languages."""
        weights = self._alike if alike else self._rarity
        if (i, alike) not in self._weighted:
            self._weighted[i, alike] = self._counted[i].weighted(weights)
        return self._weighted[i, alike]

    def _together(self, i: int, *, is_source: bool, alike: bool) -> Lines:
        """Return the trusted texts of a side other than a text, as one: summed tokens, and mean lengths."""
        members = [k for k in self._trusted if self._is_source(k) is is_source]
        if (is_source, alike) not in self._totals:
            lines = [self._lines(k, alike=alike) for k in members]
            tokens = reduce(add, (text.tokens for text in lines[1:]), lines[0].tokens)
            self._totals[is_source, alike] = Lines(tokens, _mean([text.lengths for text in lines]))
        total = self._totals[is_source, alike]
        if i not in members:
            return total
        lengths = _mean([self._counted[k].lengths for k in members if k != i])
        return Lines(total.tokens - self._lines(i, alike=alike).tokens, lengths)


def _whole_copies(segments: Sequence[str | None], expected: int) -> tuple[LineRepair, ...]:
    """Return the repair of a text that was written several times in sequence; none for other texts."""
    copies, remainder = divmod(len(segments), expected)
    if copies < 2 or remainder or segments[expected:] != segments[:-expected]:  # noqa: PLR2004 # a text and its copy
        return ()
    return (LineRepair("doubled", expected + 1, len(segments) - expected),)


def _mean(lengths: Sequence[Any]) -> Any:
    """Return the mean length of each line; NaN if no text has it."""
    known = np.sum([~np.isnan(text_lengths) for text_lengths in lengths], axis=0)
    total = np.sum([np.nan_to_num(text_lengths) for text_lengths in lengths], axis=0)
    return np.where(known, total / np.maximum(known, 1), np.nan)


def _align(copies: _Copies, others_lines: Lines, pairs: Sequence[tuple[Lines, Lines, Weights]]) -> _Alignment:
    """Find the best path through a text and the trusted texts of each language, and the repairs.

    Args:
        copies: similar lines of the text.
        others_lines: the trusted texts of one language, with all tokens.
        pairs: the text and the trusted texts of each language.
    """
    own, n_others = (len(lines.lengths) for lines in pairs[0][:2])
    surplus, missing = copies.surplus_costs(), np.full(n_others, _MISSING_COST)
    missing[-1] -= GAP_OPEN_COST  # a truncated text lacks its last lines
    is_longer = own > n_others  # the path is searched with the shorter text as rows
    kinds = [Likeness(b, a, weights) if is_longer else Likeness(a, b, weights) for a, b, weights in pairs]

    def band(low: int, high: int) -> tuple[Scores, Scores, Scores]:
        bands = [kind.band(low, high) for kind in kinds]
        first, second, third = (reduce(add, scores) for scores in zip(*bands, strict=True))
        return first, second, third

    costs: tuple[Costs, Costs] = (missing, surplus) if is_longer else (surplus, missing)
    path = best_path(min(own, n_others), max(own, n_others), band, *costs)
    if path.likeness < _MIN_LIKENESS or path.gain < _MIN_GAIN:
        return _Alignment(path, ())

    def likeness(lines: range, of: range) -> float:
        return sum(kind.of(of, lines) if is_longer else kind.of(lines, of) for kind in kinds)

    steps = [Step(step.columns, step.rows) for step in path.steps] if is_longer else list(path.steps)
    return _Alignment(path, _repairs(copies, others_lines, _merged(steps, likeness), likeness))


def _places(repairs: Sequence[LineRepair]) -> tuple[Place, ...]:
    """Return the places of repairs; adjacent repairs of missing and as many surplus lines are one place."""
    places: list[Place] = []
    before: LineRepair | None = None
    for repair in repairs:
        if before is not None and _extra(before) == -_extra(repair) and "missing" in (before.kind, repair.kind):
            places[-1] = Place("shifted", before.line, max(repair.line - before.line, 1))
            before = None
            continue
        places.append(Place(repair.kind, repair.line, repair.lines))
        before = repair
    return tuple(places)


def _extra(repair: LineRepair) -> int:
    """Return the number of surplus lines of a repair, negative for missing lines."""
    return {"missing": -repair.lines, "doubled": repair.lines, "split": repair.lines - 1}.get(
        repair.kind, 1 - repair.lines
    )


class _Copies:
    """Similar lines of a text."""

    def __init__(self, segments: Sequence[str | None], lines: Lines) -> None:
        self._segments, self._lines = segments, lines

    def __len__(self) -> int:
        """The number of lines."""
        return len(self._segments)

    def near(self, a: int, b: int) -> bool:
        """Return whether two lines are equal or near copies."""
        first, second = self._text(a), self._text(b)
        return first == second or _nearly(self._lines, a, b)

    def is_reworded(self, surplus: LineRepair) -> bool:
        """Return whether surplus lines are near copies of, but not equal to, the line before them."""
        before, first = surplus.line - 2 + (surplus.kind == "split"), surplus.line - 1 + (surplus.kind == "split")
        return self.near(before, first) and self._text(before) != self._text(first)

    def is_empty(self, i: int) -> bool:
        """Return whether a line has no text."""
        return not self._text(i)

    def _text(self, i: int) -> str:
        return (self._segments[i] or "").strip()

    def surplus_costs(self) -> Costs:
        """Return the cost of each line without a counterpart: low for near copies of the line before or after."""
        norms, joined = self._lines.norms.astype(np.float64), self._lines.joined_norms[:-1].astype(np.float64)
        dots = (joined**2 - norms[:-1] ** 2 - norms[1:] ** 2) / 2
        costs = np.full(len(self._segments), _SURPLUS_COST)
        for i in np.flatnonzero(dots >= (_MIN_COPY_COSINE - 0.01) * norms[:-1] * norms[1:]).tolist():
            if self.near(i, i + 1):
                cost = _COPY_COST if self._text(i) == self._text(i + 1) else _NEAR_COPY_COST
                costs[i : i + 2] = np.minimum(costs[i : i + 2], cost)
        return costs


def _repairs(
    copies: _Copies, others_lines: Lines, steps: Sequence[Step], likeness: Callable[[range, range], float]
) -> tuple[LineRepair, ...]:
    """Return the repairs for a path.

    Args:
        copies: similar lines of the text.
        others_lines: the trusted texts.
        steps: of the path; rows are the lines of the text.
        likeness: returns the score of joined lines of the text and joined lines of the others.
    """
    repairs: list[LineRepair] = []
    first_free = 0  # the first line that no repair uses
    for k, step in enumerate(steps):
        rows, columns = step.rows, step.columns
        until = steps[k + 1].rows.start if k + 1 < len(steps) else len(copies)
        if not rows:
            repairs.append(LineRepair("missing", rows.start + 1, len(columns)))
        elif not columns:
            repairs.append(_surplus(copies, step, range(first_free, until), likeness))
        elif len(rows) > 1:
            blank_last = rows.stop < until and copies.is_empty(rows.stop - 1)  # it may also be part of the next segment
            repairs.append(LineRepair("split", rows.start + 1 + blank_last, len(rows)))
        else:
            repairs.append(LineRepair("joined", rows.start + 1, len(columns)))
        first_free = repairs[-1].line - 1 + repairs[-1].used
    reworded = [
        copies.is_reworded(repair) if len(step.rows) > len(step.columns) else _is_twice(others_lines, step.columns)
        for repair, step in zip(repairs, steps, strict=True)
    ]
    return tuple(_without_own_shifts(repairs, reworded))


def _is_twice(lines: Lines, extra: range) -> bool:
    """Return whether the first of some lines is a near copy of the line before or after it."""
    neighbours = [i for i in (extra.start - 1, extra.start + 1) if 0 <= i < len(lines.lengths)]
    return any(_nearly(lines, extra.start, i) for i in neighbours)


def _nearly(lines: Lines, a: int, b: int) -> bool:
    """Return whether two lines have nearly the same tokens and lengths."""
    if not min(lines.lengths[a], lines.lengths[b]) >= _MIN_COPY_LENGTH_RATIO * max(lines.lengths[a], lines.lengths[b]):
        return False  # or a length is not known
    dot = float(lines.tokens[a].multiply(lines.tokens[b]).sum())
    return dot > _MIN_COPY_COSINE * float(lines.norms[a] * lines.norms[b])


def _without_own_shifts(repairs: Sequence[LineRepair], reworded: Sequence[bool]) -> Iterator[LineRepair]:
    """Yield the repairs except those of shifts by the system, which cancel out within a few lines.

    A damaged file contains exact copies of lines; a system that translates a segment twice uses other words.

    Args:
        repairs: by line.
        reworded: whether each concerns near copies that are not exact copies.
    """
    first = 0
    while first < len(repairs):
        sums = accumulate(map(_extra, repairs[first:]))
        last = next((first + k for k, extra in enumerate(sums) if not extra), None)
        is_short = last is not None and repairs[last].line - repairs[first].line < _MIN_SHIFTED_LINES
        if last is not None and is_short and any(reworded[first : last + 1]):
            first = last + 1
        else:
            yield repairs[first]
            first += 1


def _merged(steps: Sequence[Step], likeness: Callable[[range, range], float]) -> list[Step]:
    """Join adjacent steps if one line was split into more than two, or more than two were joined."""
    merged: list[Step] = []
    for step in steps:
        last = merged[-1] if merged else step
        if (last.rows.stop, last.columns.stop) == (step.rows.start, step.columns.start):
            both = Step(range(last.rows.start, step.rows.stop), range(last.columns.start, step.columns.stop))
            if min(len(both.rows), len(both.columns)) == 1:  # one of the two steps has rows alone or columns alone
                larger = max(last, step, key=lambda part: min(len(part.rows), len(part.columns)))
                if likeness(both.rows, both.columns) >= likeness(larger.rows, larger.columns):
                    merged[-1] = both
                    continue
            elif len(both.rows) == 2 or len(both.columns) == 2:  # noqa: PLR2004 # two steps of one
                merged[-1:] = _divided(both, likeness)
                continue
        merged.append(step)
    return merged


def _divided(step: Step, likeness: Callable[[range, range], float]) -> list[Step]:
    """Divide several rows and two columns, or vice versa, into two steps, without those of one row and one column."""
    rows, columns = step.rows, step.columns
    cuts = [
        (Step(range(rows.start, i), range(columns.start, j)), Step(range(i, rows.stop), range(j, columns.stop)))
        for i in range(rows.start + 1, rows.stop)
        for j in range(columns.start + 1, columns.stop)
    ]
    best = max(cuts, key=lambda parts: sum(likeness(part.rows, part.columns) for part in parts))
    return [part for part in best if (len(part.rows), len(part.columns)) != (1, 1)]


def _surplus(copies: _Copies, step: Step, within: range, likeness: Callable[[range, range], float]) -> LineRepair:
    """Return the repair of surplus lines: copies of preceding lines, or else part of an adjacent segment."""
    rows, column = step.rows, step.columns.start
    start, stop, count = rows.start, rows.stop, len(rows)
    while stop < within.stop and copies.near(start, stop):  # the last of several copies is surplus
        start, stop = start + 1, stop + 1
    is_copied_block = start >= count and all(copies.near(i, i - count) for i in range(start, stop))
    if is_copied_block or (start and all(copies.near(i, start - 1) for i in range(start, stop))):
        return LineRepair("doubled", start + 1, count)
    start, stop = rows.start, rows.stop
    gains: dict[int, float] = {}
    if stop < within.stop:
        gains[start] = likeness(range(start, stop + 1), _single(column)) - likeness(_single(stop), _single(column))
    if start > within.start:
        before = _single(start - 1), _single(column - 1)
        gains[start - 1] = likeness(range(start - 1, stop), before[1]) - likeness(*before)
    if not gains:
        return LineRepair("doubled", start + 1, count)
    return LineRepair("split", max(gains, key=lambda first: gains[first]) + 1, count + 1)


def _single(number: int) -> range:
    return range(number, number + 1)
