"""Choice of the columns by which rows of several files are joined, whatever the headers of these columns are.

The columns that two tables may have in common are those with the same set of values. Where they give the rows another
order than that of the lines, headers that announce ids decide, else the texts: rows of one segment have texts that are
more alike than others. A text without ids has the numbers of its lines.
"""

from __future__ import annotations

import math
import operator
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

from bleu_core.dataset.corpus import Column, KeyColumn, SegmentId, plural
from bleu_core.dataset.joining import SIDES, IdRows, join
from bleu_core.dataset.parts import FilePart
from bleu_core.errors import AlignmentError, BleuCoreError, enumeration, listed, shortened
from bleu_core.invocation import column_with_role, columns_option

#: Name of the numbers of lines, which a text without ids has.
LINES = "line numbers"
#: The least share of ids of one file in another, if some are repeated or lacking.
MIN_COMMON = 0.5
#: The largest share of rows whose number is repeated or lacking, beside numbers of lines.
MAX_LACKING_NUMBERS = 0.25
#: Rows on which orders are compared, and the fewest that decide.
SAMPLED_ROWS, MIN_ROWS = 200, 3
#: The least mean difference in likeness, from 0 to 1, that decides; and the least ratio to its standard error, to which
#: the second number is added divided by the number of rows, as few differences have an uncertain standard deviation.
MIN_DIFFERENCE, MIN_RATIO, RATIO_OF_FEW = 0.1, 4, 12
#: Lines that a message names; further ones are counted.
MAX_NAMED = 3
#: An id that ends with a number.
NUMBERED = re.compile(r"(.*?)([0-9]{1,18})", re.DOTALL)
#: Length of the runs of characters in which texts are compared.
RUN = 3

#: For each row of a file the row of the other file, from 0, or -1 without one.
Order: TypeAlias = "tuple[int, ...]"


class KeyedParts(NamedTuple):
    """Parts of files with the ids by which their rows are joined.

    Attributes:
        parts: position -> part, whose columns have no other keys.
        warnings: position -> sentences that follow the file's name.
        problems: position of a part whose rows cannot be joined -> the reason.
        known: the rows of ids, as in `join`.
    """

    parts: dict[int, FilePart]
    warnings: dict[int, tuple[str, ...]]
    problems: dict[int, BleuCoreError]
    known: dict[tuple[int, int], IdRows]


class _Candidate(NamedTuple):
    """Columns of two files that may identify the same rows.

    Attributes:
        first: the column of the first file; None for the ids that both files have.
        own: the column of the other file, likewise.
        order: its rows in the first file.
        is_id: whether both headers announce ids.
        is_faulty: whether ids are repeated or lacking.
    """

    first: KeyColumn | None
    own: KeyColumn | None
    order: Order
    is_id: bool = True
    is_faulty: bool = False

    @property
    def is_default(self) -> bool:
        """Whether rows are joined by the ids that both files have."""
        return self.own is None and self.is_id

    @property
    def counts_lines(self) -> bool:
        """Whether a column of the first file counts the lines of the other one."""
        return self.own is not None and not self.own.lines

    @property
    def has_headers(self) -> bool:
        """Whether both files have the ids in columns, rather than lines that are counted."""
        return all(key is None or key.lines for key in (self.first, self.own))


def with_keys(parts: Mapping[int, FilePart]) -> KeyedParts:
    """Return parts with the ids by which `join` joins their rows; all are compared with one of the tables.

    Args:
        parts: position -> part.
    """
    keyed = {
        position: replace(part, columns=tuple(replace(c, keys=()) for c in part.columns))
        for position, part in parts.items()
    }
    warnings: dict[int, tuple[str, ...]] = {}
    problems: dict[int, BleuCoreError] = {}
    known: dict[tuple[int, int], IdRows] = {}
    sides = {position: min(part.columns, key=_side) for position, part in parts.items() if part.columns}
    tables = [position for position, column in sides.items() if column.ids is not None or column.keys]
    if not tables or len(sides) == 1:
        return KeyedParts(keyed, warnings, problems, known)
    first = min(tables, key=lambda position: (not _has_ids(sides[position]), _side(sides[position])))
    lines: dict[int, tuple[_Candidate | None, bool]] = {}  # by number of lines: how texts without ids are joined
    texts: dict[int, _Pair] = {}
    others = [position for position in sides if position != first and sides[position].role != "document"]
    for position in sorted(others, key=lambda position: (_has_ids(sides[position]), _side(sides[position]))):
        pair = _Pair(parts[first].columns, parts[position].columns, known)
        try:
            chosen = pair.chosen()
        except AlignmentError as error:
            problems[position] = error
            continue
        if pair.warning:
            warnings[position] = (pair.warning,)
        if _has_ids(sides[position]) or not (chosen is None or chosen.counts_lines):
            keyed[first], keyed[position] = pair.joined(keyed[first], keyed[position], chosen)
            continue
        texts[position] = pair
        count = len(sides[position].segments)
        if count not in lines or (pair.is_sure and not lines[count][1]):
            lines[count] = chosen, pair.is_sure
    for position, pair in sorted(texts.items()):  # their lines correspond
        chosen, _ = lines[len(sides[position].segments)]
        keyed[first], keyed[position] = pair.joined(keyed[first], keyed[position], chosen)
    return KeyedParts(keyed, warnings, problems, known)


def _side(column: Column) -> int:
    return SIDES.index(column.role)


def _has_ids(column: Column) -> bool:
    return column.ids is not None or any(key.is_id for key in column.keys)


class _Pair:
    """The texts of two files, and the columns by which their rows may be joined."""

    def __init__(self, first: Sequence[Column], own: Sequence[Column], known: dict[tuple[int, int], IdRows]) -> None:
        self._known = known
        self.first, self.own = min(first, key=_side), min(own, key=_side)
        self.warning, self.is_sure = "", True
        sources = [c for columns in (first, own) for c in columns if c.role == "source"]
        targets = [next((c for c in columns if c.role != "source"), columns[0]) for columns in (first, own)]
        self._compared = sources if len(sources) > 1 else targets
        lengths = {len(c.segments) for c in (*first, *own)}
        self._lines = tuple(range(lengths.pop())) if len(lengths) == 1 else None

    def chosen(self) -> _Candidate | None:
        """Return the columns that join the rows; None if rows are joined by the ids that they have, or by order.

        Raises:
            AlignmentError: ids are repeated or lacking, or columns give rows different orders.
        """
        candidates = self._candidates()
        named = {c.order: c for c in reversed(candidates) if c.is_id and not c.is_faulty}
        if not named:
            self._check(c for c in candidates if c.is_id)
        others = {c.order: c for c in candidates if not c.is_id and c.order not in named and c.order != self._lines}
        options = {**others, **named}
        if self._lines is not None:
            options.setdefault(self._lines, _Candidate(None, None, self._lines, is_id=False))
        if not options:
            return None
        best = self._most_alike(list(options))
        self.is_sure = best is not None
        if best is None and named:
            if len(named) > 1:
                names = enumeration([self._names(c) for c in candidates if named.get(c.order) is c])
                raise AlignmentError(
                    f"{self.own.place}: {names} give its rows different orders beside {self.first.place}, the same "
                    f"expected; {self._advice(c for c in candidates if c.is_id and not c.is_faulty)}"
                )
            best = next(iter(named))
        if others and (best is None or (not self.is_sure and not named[best].has_headers)):
            names = enumeration([self._names(c) for c in others.values()])
            have = "has the same values" if len(others) == 1 else "have the same values"
            self.warning = (
                f"{names} {have} as {self.first.place} in another order, and the texts do not show which order is "
                f"right: its rows are joined by {'order' if best is None else 'line numbers'}; to join by a column, "
                f"{self._advice(others.values())}"
            )
        if best is None:
            return None
        self._check([options[best]])
        if not named and not self.warning and _has_ids(self.first) and _has_ids(self.own):
            self.warning = f"it has no id in common with {self.first.place}: its rows are joined by order"
        if named and best not in named and best == self._lines:
            names = enumeration([self._names(c) for c in named.values()])
            self.warning = (
                f"its rows are joined by order, not by {names}: in this order, its texts are more like those of "
                f"{self.first.place}"
            )
        is_as_read = options[best].is_default or (best == self._lines and self.own.ids is None)
        return None if is_as_read else options[best]

    def joined(self, first: FilePart, own: FilePart, chosen: _Candidate | None) -> tuple[FilePart, FilePart]:
        """Return the parts with ids of their rows as chosen."""
        if chosen is None or any(column.ids != own.columns[0].ids for column in own.columns):
            return first, own
        ids = min(first.columns, key=_side).ids
        if ids is None:
            if chosen.first is None or len(set(chosen.first.values)) < len(chosen.first.values):
                return first, own
            ids = tuple(SegmentId("", value) for value in chosen.first.values)
            name = _name(chosen.first, self.first)
            first = replace(first, columns=tuple(replace(c, ids=ids, id_name=name) for c in first.columns))
        if chosen.counts_lines:
            name = f"{_name(chosen.first, self.first)}, which counts the lines of {self.own.place}"
            first = replace(first, columns=tuple(replace(c, id_name=name) for c in first.columns))
        own_ids = tuple(ids[row] for row in chosen.order)
        name = _name(chosen.own, self.own)
        return first, replace(own, columns=tuple(replace(c, ids=own_ids, id_name=name) for c in own.columns))

    def _names(self, candidate: _Candidate) -> str:
        """Return the column of the other file that identifies rows, or of the first if the other is a text."""
        is_line = candidate.counts_lines
        return _name(candidate.first, self.first) if is_line else _name(candidate.own, self.own)

    def _advice(self, candidates: Iterable[_Candidate]) -> str:
        """Return how to join rows by a column, preferably by one that does more than count lines."""
        keys = [
            (c.order == self._lines, c.first, c.own) for c in candidates if c.first is not None and c.own is not None
        ]
        if not keys:
            return "remove the columns that do not identify segments"
        _, *pair = min(keys, key=lambda key: key[0])
        headers = [key.header.strip() for key in pair if key.lines]
        places = [f"{column.place}:" for column, key in zip((self.first, self.own), pair, strict=True) if key.lines]
        names = headers[:1] if len(headers) > 1 and len(set(headers)) == 1 else map(operator.add, places, headers)
        return f"say which column has ids, as in {columns_option(column_with_role(name, 'id') for name in names)}"

    def _candidates(self) -> list[_Candidate]:
        """Return the columns that may identify the same rows, those with the same header first."""
        candidates: list[_Candidate] = []
        if self.first.ids is not None and self.own.ids is not None:
            order = self._joined_order()
            candidates += [_Candidate(None, None, order)] if order else []
            if order and self.own.ids[0].document:  # numbers alone may be of segments within documents
                return candidates
        firsts, owns = _keys(self.first, self.own), _keys(self.own, self.first)
        headers = {id(key): key.header.strip().casefold() for key in (*firsts, *owns)}
        used: set[int] = set()
        pairs = sorted(
            product(firsts, owns),
            key=lambda pair: (headers[id(pair[0])] != headers[id(pair[1])], not (pair[0].is_id and pair[1].is_id)),
        )
        for first, own in pairs:
            if used.isdisjoint((id(first), id(own))) and (first.lines or own.lines):
                candidate = _candidate(first, own)
                if candidate is not None:
                    candidates.append(candidate)
                    if headers[id(first)] == headers[id(own)]:
                        used |= {id(first), id(own)}
        return candidates

    def _joined_order(self) -> Order | None:
        """Return the rows of the other file in the first by the ids of both; None if these have none in common."""
        if self.first.ids == self.own.ids:
            return tuple(range(len(self.own.segments)))
        joined = join([self.first, self.own], self._known)
        rows, own_rows = (None, None) if joined is None else joined.rows
        if rows is None or own_rows is None:
            return None
        order = [-1] * len(self.own.segments)
        for row, own_row in zip(rows, own_rows, strict=True):
            if own_row >= 0:
                order[own_row] = row
        return tuple(order)

    def _check(self, candidates: Iterable[_Candidate]) -> None:
        """Check that no id is repeated or lacking.

        Raises:
            AlignmentError: an id is; the message names its lines.
        """
        for candidate in candidates:
            sides = (self.own, candidate.own, self.first), (self.first, candidate.first, self.own)
            for column, key, other in sides if candidate.is_faulty else ():
                times = Counter(() if key is None else key.values)
                faulty = [value for value, count in times.items() if count > 1 or not value]
                if key is None or not faulty:
                    continue
                value = faulty[0]
                same = [f"{line:,}" for line, own in zip(key.lines, key.values, strict=True) if own == value]
                rest = sum(times[other_value] for other_value in faulty[1:])
                more = f" (and {rest:,} more rows with such ids)" if rest else ""
                problem = f"the same id {shortened(value)} found" if value else "no id found"
                raise AlignmentError(
                    f"{column.place}, {plural(len(same), 'line')} {listed(same, MAX_NAMED)}: {problem} in column "
                    f"{shortened(key.header)}{more}, one different id per row expected; correct the ids, or remove the "
                    f"column if all rows are in the order of {other.place}"
                )

    def _most_alike(self, orders: Sequence[Order]) -> Order | None:
        """Return the order in which rows have texts that are clearly more alike than in each other one, if any."""
        for order in orders:
            if all(self._is_more_alike(order, other) for other in orders if other is not order):
                return order
        return None

    def _is_more_alike(self, order: Order, other: Order) -> bool:
        places = [i for i, (row, o) in enumerate(zip(order, other, strict=True)) if row != o and min(row, o) >= 0]
        places = places[:: max(1, len(places) // SAMPLED_ROWS)]
        count = len(places)
        if count < MIN_ROWS:
            return False
        first, own = self._compared[0].segments, self._compared[1].segments
        differences = [_likeness(first[order[i]], own[i]) - _likeness(first[other[i]], own[i]) for i in places]
        mean = sum(differences) / count
        error = math.sqrt(sum((d - mean) ** 2 for d in differences) / (count - 1) / count)
        return mean >= MIN_DIFFERENCE and mean > (MIN_RATIO + RATIO_OF_FEW / count) * error


def _keys(column: Column, other: Column) -> list[KeyColumn]:
    """Return the columns by which rows may be joined; without ids, the numbers of lines if the other file has any."""
    keys = [key for key in column.keys if not (key.is_id and _restarts(key.values))]
    if any(key.is_id for key in keys):
        return keys
    rows = range(1, len(column.segments) + 1)
    if column.ids is not None:
        is_plain = not any(key.document or key.pair for key in column.ids)
        ids = KeyColumn("", is_id=True, values=tuple(key.segment for key in column.ids), lines=rows)
        return [*keys, ids] if is_plain else keys
    firsts = [key.values[0] for key in other.keys] or [key.segment for key in (other.ids or ())[:1]]
    if any(value[-1:].isdecimal() or not value for value in firsts):
        keys.append(KeyColumn(LINES, is_id=True, values=tuple(map(str, rows)), lines=()))
    return keys


def _restarts(values: Sequence[str]) -> bool:
    """Return whether values count from the same number several times, as within documents."""
    if values[0] not in ("0", "1") or values.count(values[0]) == 1:
        return False
    if not all(value.isascii() and value.isdecimal() for value in values):
        return False
    numbers = list(map(int, values))
    return {after for before, after in pairwise(numbers) if after != before + 1} == {numbers[0]}


def _candidate(first: KeyColumn, own: KeyColumn) -> _Candidate | None:
    """Return the rows with the same values in two columns; None if these are not the same ids."""
    is_id = (first.is_id and own.is_id) or first.is_given or own.is_given
    values = first.values, own.values
    if not set(values[0]).intersection(values[1]) or not first.lines or not own.lines:
        values = _numbers(first.values), _numbers(own.values)
    if values[0] == values[1]:
        return _Candidate(first, own, tuple(range(len(own.values))), is_id)
    from_1 = _from_1(values[0]), _from_1(values[1])
    counted = [values]
    counted += [(from_1[0], values[1])] if from_1[0] is not values[0] else []
    counted += [(values[0], from_1[1])] if from_1[1] is not values[1] else []
    sides = max(counted, key=lambda values: len(set(values[0]).intersection(values[1])))
    sets = [set(side) - {""} for side in sides]
    common = len(sets[0] & sets[1])
    repeated = [len(side) - len(different) for side, different in zip(sides, sets, strict=True)]
    if not any(repeated):
        is_same = sets[0] == sets[1]
    elif not first.lines or not own.lines:
        is_same = common == min(map(len, sets)) and sum(repeated) <= max(1, MAX_LACKING_NUMBERS * len(own.values))
    elif is_id:
        is_same = common >= MIN_COMMON * min(map(len, sets))
    else:
        is_same = len(sets[0] ^ sets[1]) <= sum(repeated)
    if not is_same or not common:
        return None
    row_of = {value: row for row, value in enumerate(sides[0])}
    if any(repeated):
        for side in sides:
            for value in [value for value, times in Counter(side).items() if times > 1 or not value]:
                row_of[value] = -1
    return _Candidate(first, own, tuple(row_of.get(value, -1) for value in sides[1]), is_id, is_faulty=any(repeated))


def _numbers(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the numbers at the end of ids that otherwise are the same, such as H-12 of fairseq; others as they are."""
    parts = [NUMBERED.fullmatch(value) for value in values]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or len({part[1] for part in known}) > 1:
        return values
    return tuple(part[2].lstrip("0") or "0" for part in known)


def _from_1(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return numbers that count rows from 0, in any order and with gaps, counted from 1; others as they are."""
    if "0" not in values or not set(values) <= {"", *map(str, range(len(values)))}:
        return values
    return tuple(value and str(int(value) + 1) for value in values)


def _likeness(text: str | None, other: str | None) -> float:
    """Return the share of runs of characters that two texts have in common, from 0 to 1."""
    runs, others = _runs(text or ""), _runs(other or "")
    return 2 * len(runs & others) / max(1, len(runs) + len(others))


def _runs(text: str) -> set[str]:
    text = text.casefold()
    return {text[i : i + RUN] for i in range(max(1, len(text) - RUN + 1))} if text else set()


def _name(key: KeyColumn | None, column: Column) -> str:
    """Return what joins the rows of a text, for messages."""
    if key is None or not key.header:
        return column.id_name or "ids"
    return f"column {shortened(key.header)}" if key.lines else key.header
