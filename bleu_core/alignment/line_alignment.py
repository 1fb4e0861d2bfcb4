"""Where the lines of a text are not those of the other texts: missing, doubled, split, joined or shifted.

Each text is compared with the others, line by line, by the tokens they share and by their lengths (`line_likeness`),
and the best path through both is found (`line_path`). A text that disagrees with the others is no yardstick for them.
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

#: Cost of each missing line, and of each surplus line: one that is a copy of the line before or after it, nearly so, or
#: another one.
_MISSING, _COPIED, _NEARLY_COPIED, _SURPLUS = 4.5, 0.0, 3.0, 8.0
#: Cosine of the tokens, and ratio of the lengths, from which on a line is nearly a copy.
_COPY, _COPY_LENGTH = 0.9, 0.8
#: What the path of a text with the right number of lines must gain.
_GAIN = 5.0
#: Mean score of the lines from which on two texts have something in common.
_LIKE = 0.1
#: Lines between a segment that was translated twice, in other words, and one that was left out are reported from this
#: number on. Fewer are left to the system: some that translate whole documents do so, and the file is as they made it.
_SHIFTED = 20
#: A reference, or the source, is blamed in place of a system only if its path gains this many times as much.
_CLEARLY = 1.1
#: Which of two texts that disagree as much is blamed: the one that comes first here.
_BLAMED = {"system": 0, "source": 1, "reference": 2}


@dataclass(frozen=True, slots=True)
class Place:
    """Where lines of a text are not those of the others.

    Attributes:
        kind: missing, doubled, split, joined, or shifted: lines that are missing and surplus lines cancel out.
        line: counted from 1 in the file as it is: for missing, the line that stands where the text is absent, which is
            the number of lines plus 1 at the end; for doubled, the second copy; otherwise the first line concerned.
        lines: how many lines are missing, doubled or shifted, were made of one, or were made one.
    """

    kind: PlaceKind
    line: int
    lines: int

    @property
    def sentence(self) -> str:
        """What is wrong, as a sentence that follows the file's name.

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
    """A text that is out of line.

    Attributes:
        column: the text.
        places: where, by line.
        repairs: what brings it to the number of segments of the others, by line.
    """

    column: Column
    places: tuple[Place, ...]
    repairs: tuple[LineRepair, ...]


def check_lines(columns: Sequence[Column], *, progress: Progress | None = None) -> tuple[MisalignedText, ...]:
    """Find the texts that are out of line, and where.

    The number of lines expected is that of most texts. Of texts that disagree, the one is blamed that disagrees most;
    of a system and a reference, the system.

    Args:
        columns: texts; documents are not compared.
        progress: called after each comparison.

    Returns:
        The texts with a place, in the order given. A text of another length without a place has nothing in common with
        the others.
    """
    texts = [column for column in columns if column.role != "document"]
    expected = most_common_length(texts)
    if len(texts) < 2 or not expected:  # noqa: PLR2004 # a pair
        return ()
    check = _Check(texts, [i for i, column in enumerate(texts) if len(column.segments) == expected], progress)
    return check.run()


@dataclass(frozen=True, slots=True)
class _Found:
    """A text beside the others."""

    path: Path
    repairs: tuple[LineRepair, ...]


class _Check:
    """The texts, and which of them are yardsticks."""

    def __init__(self, texts: Sequence[Column], yardsticks: Iterable[int], progress: Progress | None) -> None:
        self._texts = texts
        self._yardsticks = list(yardsticks)
        self._expected = len(texts[self._yardsticks[0]].segments)
        self._progress, self._done = progress, 0
        self._counted = count_tokens([column.segments for column in texts])
        expected = [self._counted[i] for i in self._yardsticks]
        self._rarity = rarity(expected)
        sides = [
            [lines for i, lines in enumerate(self._counted) if self._is_source(i) is side] for side in (True, False)
        ]
        self._alike = shared_tokens(*sides) * self._rarity if all(sides) else self._rarity
        self._weighted: dict[tuple[int, bool], Lines] = {}
        self._totals: dict[tuple[bool, bool], Lines] = {}

    def run(self) -> tuple[MisalignedText, ...]:
        """Find the yardsticks, then compare all others with them."""
        suspects = self._suspects(self._yardsticks)
        while suspects := {i: found for i, found in suspects.items() if found.repairs}:
            blamed = self._blamed({i: found.path.gain for i, found in suspects.items()})
            self._yardsticks.remove(blamed)
            self._totals.clear()
            del suspects[blamed]
            suspects = self._suspects(suspects)
        found: list[MisalignedText] = []
        for i, column in enumerate(self._texts):
            if i in self._yardsticks:
                continue
            repairs = _whole_copies(column.segments, self._expected) or self._compare(i).repairs
            if repairs:
                found.append(MisalignedText(column, _places(repairs), repairs))
        return tuple(found)

    def _suspects(self, among: Iterable[int]) -> dict[int, _Found]:
        """Yardsticks that may be out of line, beside the others; of two, one disagrees as much as the other."""
        if len(self._yardsticks) == 1:
            return {}
        first = min(self._yardsticks, key=lambda i: _BLAMED[self._texts[i].role])
        return {i: self._compare(i) for i in among if len(self._yardsticks) > 2 or i == first}  # noqa: PLR2004 # a pair

    def _is_source(self, i: int) -> bool:
        return self._texts[i].role == "source"

    def _blamed(self, gains: Mapping[int, float]) -> int:
        """The text that disagrees most; of nearly equal ones a system, else the source."""
        most = max(gains.values())
        near = [i for i, gain in gains.items() if gain * _CLEARLY >= most]
        return min(near, key=lambda i: (_BLAMED[self._texts[i].role], -gains[i]))

    def _compare(self, i: int) -> _Found:
        """Compare a text with the yardsticks other than itself."""
        others = [k for k in self._yardsticks if k != i]
        pairs: list[tuple[Lines, Lines, Weights]] = []
        for of_source in (False, True):
            if not any(self._is_source(k) is of_source for k in others):
                continue
            same = self._is_source(i) is of_source
            weights = SAME_LANGUAGE if same else OTHER_LANGUAGE
            pairs.append(
                (self._lines(i, alike=not same), self._together(i, of_source=of_source, alike=not same), weights)
            )
        beside = self._together(i, of_source=all(map(self._is_source, others)), alike=False)
        found = _alignment(_Copies(self._texts[i].segments, self._lines(i, alike=False)), beside, pairs)
        self._done += 1
        if self._progress:
            self._progress(min(self._done, len(self._texts)), len(self._texts))
        return found

    def _lines(self, i: int, *, alike: bool) -> Lines:
        """A text's tokens, all or those that are spelt alike in both languages."""
        weights = self._alike if alike else self._rarity
        if (i, alike) not in self._weighted:
            self._weighted[i, alike] = self._counted[i].weighted(weights)
        return self._weighted[i, alike]

    def _together(self, i: int, *, of_source: bool, alike: bool) -> Lines:
        """The yardsticks of a side other than a text, as one: the sum of their tokens, and their mean lengths."""
        members = [k for k in self._yardsticks if self._is_source(k) is of_source]
        if (of_source, alike) not in self._totals:
            lines = [self._lines(k, alike=alike) for k in members]
            tokens = reduce(add, (each.tokens for each in lines[1:]), lines[0].tokens)
            self._totals[of_source, alike] = Lines(tokens, _mean([each.lengths for each in lines]))
        total = self._totals[of_source, alike]
        if i not in members:
            return total
        lengths = _mean([self._counted[k].lengths for k in members if k != i])
        return Lines(total.tokens - self._lines(i, alike=alike).tokens, lengths)


def _whole_copies(segments: Sequence[str | None], expected: int) -> tuple[LineRepair, ...]:
    """The repair of a text that was written several times, one after the other; none of any other text."""
    copies, rest = divmod(len(segments), expected)
    if copies < 2 or rest or segments[expected:] != segments[:-expected]:  # noqa: PLR2004 # a text and its copy
        return ()
    return (LineRepair("doubled", expected + 1, len(segments) - expected),)


def _mean(lengths: Sequence[Any]) -> Any:
    """The mean length of each line; NaN where no text has it."""
    known = np.sum([~np.isnan(each) for each in lengths], axis=0)
    total = np.sum([np.nan_to_num(each) for each in lengths], axis=0)
    return np.where(known, total / np.maximum(known, 1), np.nan)


def _alignment(copies: _Copies, beside: Lines, pairs: Sequence[tuple[Lines, Lines, Weights]]) -> _Found:
    """Find the best path of a text beside the yardsticks of each language, and the repairs it needs.

    Args:
        copies: the lines of the text that are alike.
        beside: the yardsticks of one language, with all tokens.
        pairs: the text and the yardsticks of each language.
    """
    own, other = (len(lines.lengths) for lines in pairs[0][:2])
    surplus, missing = copies.surplus_costs(), np.full(other, _MISSING)
    missing[-1] -= GAP_OPEN_COST  # a text that was cut off lacks its last lines
    is_longer = own > other  # the path is searched with the shorter text as rows
    kinds = [Likeness(b, a, weights) if is_longer else Likeness(a, b, weights) for a, b, weights in pairs]

    def band(low: int, high: int) -> tuple[Scores, Scores, Scores]:
        found = [kind.band(low, high) for kind in kinds]
        first, second, third = (reduce(add, scores) for scores in zip(*found, strict=True))
        return first, second, third

    costs: tuple[Costs, Costs] = (missing, surplus) if is_longer else (surplus, missing)
    path = best_path(min(own, other), max(own, other), band, *costs)
    if path.likeness < _LIKE or path.gain < _GAIN:
        return _Found(path, ())

    def likeness(lines: range, of: range) -> float:
        return sum(kind.of(of, lines) if is_longer else kind.of(lines, of) for kind in kinds)

    steps = [Step(step.columns, step.rows) for step in path.steps] if is_longer else list(path.steps)
    return _Found(path, _repairs(copies, beside, _merged(steps, likeness), likeness))


def _places(repairs: Sequence[LineRepair]) -> tuple[Place, ...]:
    """The places of repairs; missing lines and as many surplus lines next to them in the list are one place."""
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
    """How many lines the text has too many there."""
    return {"missing": -repair.lines, "doubled": repair.lines, "split": repair.lines - 1}.get(
        repair.kind, 1 - repair.lines
    )


class _Copies:
    """Which lines of a text are nearly the same."""

    def __init__(self, segments: Sequence[str | None], lines: Lines) -> None:
        self._segments, self._lines = segments, lines

    def __len__(self) -> int:
        """The number of lines."""
        return len(self._segments)

    def near(self, a: int, b: int) -> bool:
        """Return whether two lines are the same, or nearly so."""
        one, other = self._text(a), self._text(b)
        return one == other or _nearly(self._lines, a, b)

    def is_reworded(self, surplus: LineRepair) -> bool:
        """Return whether surplus lines are nearly, but not exactly, the same as the line before them."""
        before, first = surplus.line - 2 + (surplus.kind == "split"), surplus.line - 1 + (surplus.kind == "split")
        return self.near(before, first) and self._text(before) != self._text(first)

    def is_empty(self, i: int) -> bool:
        """Return whether a line has no text."""
        return not self._text(i)

    def _text(self, i: int) -> str:
        return (self._segments[i] or "").strip()

    def surplus_costs(self) -> Costs:
        """What each line costs if it has no counterpart: little for one that is nearly the line before or after it."""
        norms, joined = self._lines.norms.astype(np.float64), self._lines.joined_norms[:-1].astype(np.float64)
        dots = (joined**2 - norms[:-1] ** 2 - norms[1:] ** 2) / 2
        costs = np.full(len(self._segments), _SURPLUS)
        for i in np.flatnonzero(dots >= (_COPY - 0.01) * norms[:-1] * norms[1:]).tolist():
            if self.near(i, i + 1):
                cost = _COPIED if self._text(i) == self._text(i + 1) else _NEARLY_COPIED
                costs[i : i + 2] = np.minimum(costs[i : i + 2], cost)
        return costs


def _repairs(
    copies: _Copies, beside: Lines, steps: Sequence[Step], likeness: Callable[[range, range], float]
) -> tuple[LineRepair, ...]:
    """The repairs that a path asks for.

    Args:
        copies: the lines of the text that are alike.
        beside: the yardsticks.
        steps: of the path; rows are the lines of the text.
        likeness: score of some of its lines, joined, and some of the others', joined.
    """
    found: list[LineRepair] = []
    free = 0  # the first line that no repair uses
    for k, step in enumerate(steps):
        rows, columns = step.rows, step.columns
        until = steps[k + 1].rows.start if k + 1 < len(steps) else len(copies)
        if not rows:
            found.append(LineRepair("missing", rows.start + 1, len(columns)))
        elif not columns:
            found.append(_surplus(copies, step, range(free, until), likeness))
        elif len(rows) > 1:
            blank_last = rows.stop < until and copies.is_empty(rows.stop - 1)  # as well a part of the next segment
            found.append(LineRepair("split", rows.start + 1 + blank_last, len(rows)))
        else:
            found.append(LineRepair("joined", rows.start + 1, len(columns)))
        free = found[-1].line - 1 + found[-1].used
    reworded = [
        copies.is_reworded(repair) if len(step.rows) > len(step.columns) else _is_twice(beside, step.columns)
        for repair, step in zip(found, steps, strict=True)
    ]
    return tuple(_without_own_shifts(found, reworded))


def _is_twice(lines: Lines, extra: range) -> bool:
    """Return whether the first of some lines is nearly the same as the line before or after it."""
    neighbours = [i for i in (extra.start - 1, extra.start + 1) if 0 <= i < len(lines.lengths)]
    return any(_nearly(lines, extra.start, i) for i in neighbours)


def _nearly(lines: Lines, a: int, b: int) -> bool:
    """Return whether two lines have nearly the same tokens and lengths."""
    if not min(lines.lengths[a], lines.lengths[b]) >= _COPY_LENGTH * max(lines.lengths[a], lines.lengths[b]):
        return False  # or one is not known
    dot = float(lines.tokens[a].multiply(lines.tokens[b]).sum())
    return dot > _COPY * float(lines.norms[a] * lines.norms[b])


def _without_own_shifts(repairs: Sequence[LineRepair], reworded: Sequence[bool]) -> Iterator[LineRepair]:
    """The repairs but those of lines that a system shifted itself, which cancel out within a few lines.

    A fault of a file copies a line as it is; a system that translates a segment twice uses other words.

    Args:
        repairs: by line.
        reworded: whether each is of lines that are nearly the same, but not exactly.
    """
    first = 0
    while first < len(repairs):
        sums = accumulate(map(_extra, repairs[first:]))
        last = next((first + k for k, extra in enumerate(sums) if not extra), None)
        is_short = last is not None and repairs[last].line - repairs[first].line < _SHIFTED
        if last is not None and is_short and any(reworded[first : last + 1]):
            first = last + 1
        else:
            yield repairs[first]
            first += 1


def _merged(steps: Sequence[Step], likeness: Callable[[range, range], float]) -> list[Step]:
    """The steps, with neighbours as one where one line was split into more than two, or more than two were joined."""
    found: list[Step] = []
    for step in steps:
        last = found[-1] if found else step
        if (last.rows.stop, last.columns.stop) == (step.rows.start, step.columns.start):
            both = Step(range(last.rows.start, step.rows.stop), range(last.columns.start, step.columns.stop))
            if min(len(both.rows), len(both.columns)) == 1:  # one of the two is of rows alone, or of columns alone
                larger = max(last, step, key=lambda each: min(len(each.rows), len(each.columns)))
                if likeness(both.rows, both.columns) >= likeness(larger.rows, larger.columns):
                    found[-1] = both
                    continue
            elif len(both.rows) == 2 or len(both.columns) == 2:  # noqa: PLR2004 # two steps of one
                found[-1:] = _divided(both, likeness)
                continue
        found.append(step)
    return found


def _divided(step: Step, likeness: Callable[[range, range], float]) -> list[Step]:
    """Several rows and two columns, or the other way round, as two steps; one of a row and a column is none."""
    rows, columns = step.rows, step.columns
    cuts = [
        (Step(range(rows.start, i), range(columns.start, j)), Step(range(i, rows.stop), range(j, columns.stop)))
        for i in range(rows.start + 1, rows.stop)
        for j in range(columns.start + 1, columns.stop)
    ]
    best = max(cuts, key=lambda parts: sum(likeness(part.rows, part.columns) for part in parts))
    return [part for part in best if (len(part.rows), len(part.columns)) != (1, 1)]


def _surplus(copies: _Copies, step: Step, within: range, likeness: Callable[[range, range], float]) -> LineRepair:
    """Surplus lines: copies of those before them, or else a part of the segment before or after them."""
    rows, column = step.rows, step.columns.start
    start, stop, count = rows.start, rows.stop, len(rows)
    while stop < within.stop and copies.near(start, stop):  # so that of several copies the last one is surplus
        start, stop = start + 1, stop + 1
    of_block = start >= count and all(copies.near(i, i - count) for i in range(start, stop))
    if of_block or (start and all(copies.near(i, start - 1) for i in range(start, stop))):
        return LineRepair("doubled", start + 1, count)
    start, stop = rows.start, rows.stop
    gains: dict[int, float] = {}
    if stop < within.stop:
        gains[start] = likeness(range(start, stop + 1), _one(column)) - likeness(_one(stop), _one(column))
    if start > within.start:
        before = _one(start - 1), _one(column - 1)
        gains[start - 1] = likeness(range(start - 1, stop), before[1]) - likeness(*before)
    if not gains:
        return LineRepair("doubled", start + 1, count)
    return LineRepair("split", max(gains, key=lambda first: gains[first]) + 1, count + 1)


def _one(number: int) -> range:
    return range(number, number + 1)
