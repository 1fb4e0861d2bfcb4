"""The edit distance of two sequences of words and its alignment, as in sacreBLEU's TER.

sacreBLEU computes the table of edit distances row by row, a row per word of the hypothesis, and only in a beam around
the diagonal; cells outside count as infinitely far. Few alignments reach the end of the beam. If the distance without a
beam is smaller than that of every path that leaves it, both distances and both alignments are the same. Otherwise the
beam is applied.

Rows are bit vectors: one for distances that rise by 1 to the next column, one for those that fall by 1 (Myers 1999, A
Fast Bit-Vector Algorithm for Approximate String Matching; Hyyrö 2003, A Bit-Vector Algorithm for Computing Levenshtein
and Damerau Edit Distances).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

#: sacreBLEU's width of the beam on each side of the diagonal.
BEAM_WIDTH = 25

#: A position, or a distance, beyond all others.
FAR = 1 << 62

#: Character in the text of a hypothesis for words that the reference does not have.
UNKNOWN = "\0"

#: A row of the table of distances: the bits of the columns that cannot be reached by a substitution
#: or a match, of those that can be reached by a deletion, and of those whose words match; the first column that has
#: no other predecessor than the one above it; and the last that has one above it.
Row = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, init=False)
class NumberedReference:
    """A reference whose words are encoded as characters, numbered by first occurrence.

    Attributes:
        text: a character per word.
        characters: word -> its character.
        places: character -> the positions that have it, ascending.
        bits: character -> the same positions as bits.
    """

    text: str
    characters: Mapping[str, str] = field(repr=False)
    places: Mapping[str, Sequence[int]] = field(repr=False)
    bits: Mapping[str, int] = field(repr=False)

    def __init__(self, words: Sequence[str]) -> None:
        characters: dict[str, str] = {}
        places: dict[str, list[int]] = {}
        for position, word in enumerate(words):
            character = characters.setdefault(word, chr(len(characters) + 1))
            places.setdefault(character, []).append(position)
        object.__setattr__(self, "text", "".join([characters[word] for word in words]))
        object.__setattr__(self, "characters", characters)
        object.__setattr__(self, "places", places)
        object.__setattr__(self, "bits", {c: sum(1 << position for position in at) for c, at in places.items()})

    def numbered(self, words: Sequence[str]) -> str:
        """Encode the words of a hypothesis by the same characters; unknown words match none and share a character."""
        characters = self.characters
        return "".join([characters.get(word, UNKNOWN) for word in words])


@dataclass(frozen=True, slots=True)
class Alignment:
    """An alignment of the words of a hypothesis with those of a reference.

    Attributes:
        partners: for each word of the reference the position of the hypothesis's word that it comes from; of an
            inserted one, of the last word before it, -1 if there is none.
        up_to_error: for each word of the hypothesis the number of words from this one up to the next that is not a
            match.
        reference_up_to_error: the same for each word of the reference.
    """

    partners: Sequence[int]
    up_to_error: Sequence[int]
    reference_up_to_error: Sequence[int]


def least_distance(hypothesis: str, reference: NumberedReference) -> int:
    """Return a lower bound of the edits, for any order of the hypothesis's words."""
    shared = sum(min(hypothesis.count(character), len(at)) for character, at in reference.places.items())
    return max(len(hypothesis), len(reference.text)) - shared


def distance_in_beam(hypothesis: str, reference: NumberedReference) -> int:
    """Return the edit distance over paths in the beam; both texts must have words."""
    return _rows_in_beam(hypothesis, reference)[0]


def align(hypothesis: str, reference: NumberedReference, *, in_beam: bool) -> Alignment:
    """Return the alignment with the fewest edits.

    Of several, matches and substitutions are preferred to deletions, and deletions to insertions, from the last edit
    to the first.

    Args:
        hypothesis: as characters; it must have words.
        reference: it must have words, too.
        in_beam: whether only paths in the beam count.
    """
    rows = _rows_in_beam(hypothesis, reference)[1] if in_beam else _rows(hypothesis, reference)
    i, j = len(hypothesis), len(reference.text)
    partners = [-1] * j
    up_to_error = [1] * i
    reference_up_to_error = [1] * j
    error = reference_error = FAR
    while i:
        no_diagonal, from_above, matches, first, last = rows[i - 1]
        if j == first:
            i -= 1
            error = i
        elif j > last:
            j -= 1
            partners[j] = i - 1
            reference_error = j
        elif not no_diagonal >> j - 1 & 1:
            i -= 1
            j -= 1
            partners[j] = i
            if matches >> j & 1:
                up_to_error[i] = error - i + 1
                reference_up_to_error[j] = reference_error - j + 1
            else:
                error = i
                reference_error = j
        elif from_above >> j - 1 & 1:
            i -= 1
            error = i
        else:
            j -= 1
            partners[j] = i - 1
            reference_error = j
    return Alignment(partners, up_to_error, reference_up_to_error)


@lru_cache(maxsize=4096)
def distance_of_leaving_the_beam(words: int, reference_words: int) -> int:
    """Return the minimum number of edits of paths that leave the beam; FAR if no path can leave it.

    Args:
        words: of the hypothesis, at least 1.
        reference_words: at least 1.
    """
    if reference_words < BEAM_WIDTH:
        return FAR
    minimum = FAR
    more = reference_words - words
    starts, ends = _beam(words, reference_words)
    for i in range(1, words + 1):
        # By way of column j of row i it takes abs(i - j) + abs(i - j + more) edits. Those are fewest from column i to
        # i + more.
        if starts[i] > 0:
            j = min(starts[i] - 1, i, i + more)
            minimum = min(minimum, abs(i - j) + abs(i - j + more))
        if ends[i] <= reference_words:
            j = max(ends[i], i, i + more)
            minimum = min(minimum, abs(i - j) + abs(i - j + more))
    return minimum


@lru_cache(maxsize=16)
def _beam(words: int, reference_words: int) -> tuple[Sequence[int], Sequence[int]]:
    """Return the first column of each row, from row 0, and the column after the last; row 0 is complete."""
    ratio = reference_words / words
    width = math.ceil(ratio / 2 + BEAM_WIDTH) if ratio / 2 > BEAM_WIDTH else BEAM_WIDTH
    diagonal = [math.floor(i * ratio) for i in range(words + 1)]
    starts = [max(0, j - width) for j in diagonal]
    ends = [min(reference_words + 1, j + width) for j in diagonal]
    starts[0], ends[0], ends[-1] = 0, reference_words + 1, reference_words + 1
    return starts, ends


def _rows(hypothesis: str, reference: NumberedReference) -> Sequence[Row]:
    """Return the rows of the table of distances below the first."""
    length, bits = len(reference.text), reference.bits
    full = (1 << length) - 1
    rises, falls = full, 0  # from one column to the next, in the row above
    rows: list[Row] = []
    for character in hypothesis:
        matches = bits.get(character, 0)
        as_diagonal = (((matches & rises) + rises ^ rises) | matches | falls) & full
        above_rises = falls | ~(as_diagonal | rises)  # from the row above to this one
        above_falls = as_diagonal & rises
        rows.append((as_diagonal ^ matches, above_rises, matches, 0, length))
        above_rises = above_rises << 1 | 1
        rises = (above_falls << 1 | ~(as_diagonal | above_rises)) & full
        falls = above_rises & as_diagonal
    return rows


def _rows_in_beam(hypothesis: str, reference: NumberedReference) -> tuple[int, Sequence[Row]]:
    """Return the distance, and the rows of the table below the first, restricted to the beam.

    To the left of the beam is a column from which the distance rises by 1 in each row. It is the first column of
    the beam if the beam starts there in the row above, too, as then that column can be reached only from above; else
    the one before it, which is in the beam in the row above. To the right the distances of the row above continue to
    rise by 1 from column to column, so that no path through them is shorter than one in the beam, as long as there are
    no matches beyond the first of these columns.
    """
    length, bits, words = len(reference.text), reference.bits, len(hypothesis)
    starts, ends = _beam(words, length)
    full = (1 << length) - 1
    rises, falls = full, 0
    first = distance = 0  # the column to the left, and the distance there
    rows: list[Row] = []
    for i, character in enumerate(hypothesis, start=1):
        left = starts[i] - (starts[i] > starts[i - 1])
        passed = (1 << left) - (1 << first)
        distance += 1 + (rises & passed).bit_count() - (falls & passed).bit_count()
        first = left
        inside = full ^ ((1 << first) - 1)
        rises &= inside
        falls &= inside
        matches = bits.get(character, 0) & inside & ((1 << ends[i - 1]) - 1)
        as_diagonal = (((matches & rises) + rises ^ rises) | matches | falls) & full
        above_rises = falls | ~(as_diagonal | rises)
        above_falls = as_diagonal & rises
        rows.append((as_diagonal ^ matches, above_rises, matches, first, ends[i - 1]))
        above_rises = above_rises << 1 | 1
        rises = (above_falls << 1 | ~(as_diagonal | above_rises)) & full
        falls = above_rises & as_diagonal
        beyond = full ^ ((1 << ends[i] - 1) - 1)
        rises |= beyond
        falls &= ~beyond
    return distance + rises.bit_count() - falls.bit_count(), rows
