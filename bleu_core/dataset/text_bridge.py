"""Places in a text that are found again in another form of it: other white space, or another Unicode normalisation."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

#: A function of the start and the exclusive end of a span, which returns those in another text; None without one.
FindSpan: TypeAlias = "Callable[[int, int], tuple[int, int] | None]"
#: The first character that may have a canonical decomposition.
FIRST_COMPOSED = "\u00c0"
#: White space in ECMAScript, though not in Unicode.
BYTE_ORDER_MARK = "\ufeff"


def bridge(given: str, other: str) -> FindSpan | None:
    r"""Return a function that finds spans of one text in another form of it; None if it is another text.

    The texts are the same if their characters except white space are canonically equivalent (Unicode Standard Annex
    15). The function returns None if a span has no exact counterpart: it cuts through a character of the other text, or
    through white space that differs.

    Args:
        given: the text in which spans are known.
        other: the text in which they are to be found.

    >>> find = bridge("a  b", "a b")
    >>> find(3, 4), find(1, 2)
    ((2, 3), None)
    >>> bridge("a", "b") is None
    True
    """
    first, second = _Letters.of(given), _Letters.of(other)
    if first.letters != second.letters:
        return None

    def find(start: int, end: int) -> tuple[int, int] | None:
        if not 0 <= start <= end <= len(given):
            return None
        new_start = _counterpart(start, first, second, is_end=False)
        new_end = _counterpart(end, first, second, is_end=True)
        if new_start is None or new_end is None or new_start > new_end or (new_start == new_end) != (start == end):
            return None
        is_same = [first.before(place) for place in (start, end)] == [second.before(new_start), second.before(new_end)]
        return (new_start, new_end) if is_same else None

    return find


class _Letters(NamedTuple):
    """The canonically decomposed characters of a text without white space.

    Attributes:
        text: the text.
        letters: the decomposed characters.
        places: the index in the text of each of them, ascending.
        inseparable: boundaries between marks that another form of the text may have in another order.
    """

    text: str
    letters: str
    places: Sequence[int]
    inseparable: AbstractSet[int]

    def before(self, place: int) -> int:
        """Return the number of letters before a place in the text."""
        return bisect_left(self.places, place)

    def around(self, number: int) -> tuple[int, int]:
        """Return the end of the letter before the boundary after `number` letters, and the start of the next one."""
        before = self.places[number - 1] + 1 if number else 0
        return before, self.places[number] if number < len(self.places) else len(self.text)

    @classmethod
    def of(cls, text: str) -> _Letters:
        letters: list[str] = []
        places: list[int] = []
        inseparable: set[int] = set()
        marks: list[tuple[int, str, int]] = []  # since the last letter without a combining class

        def flush() -> None:
            in_order = sorted(marks, key=lambda mark: mark[0])
            if in_order != marks:
                inseparable.update(range(marks[0][2], marks[-1][2] + 1))
            letters.extend(mark for _, mark, _ in in_order)
            places.extend(place for _, _, place in marks)
            marks.clear()

        for place, character in enumerate(text):
            if character.isspace() or character == BYTE_ORDER_MARK:
                flush()
                continue
            for letter in character if character < FIRST_COMPOSED else unicodedata.normalize("NFD", character):
                order = unicodedata.combining(letter)
                if order:
                    marks.append((order, letter, place))
                    continue
                flush()
                letters.append(letter)
                places.append(place)
        flush()
        return cls(text, "".join(letters), places, inseparable)


def _counterpart(place: int, given: _Letters, other: _Letters, *, is_end: bool) -> int | None:
    """Return the counterpart of a boundary between characters in the other text; None if there is no exact one."""
    number = given.before(place)
    before, after = given.around(number)
    other_before, other_after = other.around(number)
    if other_before > other_after or place in given.inseparable:  # within a character of the other text
        return None
    if given.text[before:after] == other.text[other_before:other_after]:
        index = other_before + place - before
    elif place == (before if is_end else after):
        index = other_before if is_end else other_after
    elif place in (before, after):
        index = other_before if place == before else other_after
    else:
        return None
    return None if index in other.inseparable else index
