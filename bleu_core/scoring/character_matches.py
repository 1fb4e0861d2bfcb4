"""Clipped matches of character n-grams of all orders, found by one sort.

Each position of a text has a key of 64 bits: the number of its line, the characters of the longest n-gram that begins
there, and in the last bit whether the text is the hypothesis or the reference. Characters are numbered for each chunk
of lines, so that each takes few bits. In the sorted keys, equal n-grams of a line are adjacent, and so are equal
n-grams of every lower order, since longer ones begin with them. A run of equal n-grams ends where one of the first n
characters changes.

Of h equal n-grams in the hypothesis and r in the reference, min(h, r) = (h + r - |h - r|) / 2 match. Hence the matches
of a line are half of the number of its keys minus |h - r| for each of its runs.

NumPy sorts integers with vector instructions where the processor has them, and then this takes half of the time of the
hash join; without them both take equally long. A chunk with too many different characters for the keys, as in Chinese,
is left to the hash join.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Integers
from bleu_core.scoring.bytetokens import UNICODE_SIZE, WHITE_SPACE, take
from bleu_core.scoring.token_keys import KEY_BITS, Keys

#: Characters that end a line of a hypothesis, and a line of a reference. After removal of white space, no other
#: character equals them, and they differ, so that no n-gram that extends beyond its line matches.
HYPOTHESIS_END, REFERENCE_END = ord("\n"), ord("\r")

IS_SPACE = np.zeros(UNICODE_SIZE, np.bool_)
IS_SPACE[list(WHITE_SPACE)] = True

#: The last bit of a key.
SIDE_BITS = 1
IN_HYPOTHESIS = np.uint64(1)


@dataclass(frozen=True, slots=True, eq=False)
class LineCharacters:
    """The characters of n lines without white space.

    Attributes:
        code_points: of the lines in sequence, each with its end, then further ends that complete the last n-gram.
        lengths: (n,) characters of each line, without its end.
    """

    code_points: Integers
    lengths: Integers

    @classmethod
    def of(cls, lines: Sequence[str], end: int, max_order: int) -> LineCharacters:
        """Remove white space, as sacreBLEU does.

        Args:
            lines: n texts.
            end: HYPOTHESIS_END or REFERENCE_END.
            max_order: the length of the longest n-gram.
        """
        text = "\n".join(lines) + "\n" * max_order
        code_points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<i4").astype(np.int64)
        is_space = take(IS_SPACE, code_points)
        ends = np.cumsum(np.fromiter(map(len, lines), np.int64, len(lines)) + 1) - 1
        for where in (ends, slice(ends[-1], None)):
            is_space[where] = False
            code_points[where] = end
        kept = np.flatnonzero(~is_space)
        return cls(take(code_points, kept), np.diff(np.searchsorted(kept, ends), prepend=-1) - 1)


def match_characters(
    hypotheses: Sequence[LineCharacters], references: Sequence[LineCharacters], max_order: int
) -> Integers | None:
    """Count the clipped matches of a chunk with each reference alone.

    Args:
        hypotheses: K texts of n lines.
        references: R texts of n lines.
        max_order: N.

    Returns:
        (R, K, n, N); None if there are too many different characters.
    """
    texts, lines = (*hypotheses, *references), len(hypotheses[0].lengths)
    numbers, different = _numbered([text.code_points for text in texts])
    bits = (different - 1).bit_length()
    if (lines - 1).bit_length() + max_order * bits + SIDE_BITS > KEY_BITS:
        return None
    keys = [_keys(take(numbers, text.code_points), text.lengths, bits, max_order) for text in texts]
    hypothesis_keys, reference_keys = [own | IN_HYPOTHESIS for own in keys[: len(hypotheses)]], keys[len(hypotheses) :]
    matches = np.empty((len(references), len(hypotheses), lines, max_order), np.int64)
    for r, reference in enumerate(references):
        for k, hypothesis in enumerate(hypotheses):
            sizes = hypothesis.lengths + reference.lengths + 2  # of lines, with both ends
            _match(np.concatenate([hypothesis_keys[k], reference_keys[r]]), sizes, bits, matches[r, k])
    return matches


def _numbered(texts: Sequence[Integers]) -> tuple[Keys, int]:
    """Return a table with a number for each code point that occurs, and their count."""
    occurs = np.zeros(max(int(text.max()) for text in texts) + 1, np.bool_)
    for text in texts:
        occurs[text] = True
    alphabet = np.flatnonzero(occurs)
    numbers = np.zeros(len(occurs), np.uint64)
    numbers[alphabet] = np.arange(len(alphabet))
    return numbers, len(alphabet)


def _keys(characters: Keys, lengths: Integers, bits: int, max_order: int) -> Keys:
    """Return a key for each character and each end of a line; the last bit is 0."""
    keys = np.repeat(np.arange(len(lengths), dtype=np.uint64), lengths + 1)
    for ahead in range(max_order):
        keys <<= np.uint64(bits)
        keys |= characters[ahead : ahead + len(keys)]
    keys <<= np.uint64(SIDE_BITS)
    return keys


def _match(keys: Keys, sizes: Integers, bits: int, matches: Integers) -> None:
    """Fill in the matches of a hypothesis with a reference, from the highest order to the lowest.

    Args:
        keys: of both.
        sizes: (n,) keys of each line.
        bits: of a character.
        matches: (n, N).
    """
    max_order = matches.shape[1]
    keys.sort()
    lines = np.cumsum(sizes) - sizes  # starts of lines
    changes = np.full(len(keys) + 1, ~np.uint64(0))  # the bits that differ between neighbours; all at both edges
    np.bitwise_xor(keys[1:], keys[:-1], out=changes[1:-1])
    surplus = np.zeros(len(keys) + 1, np.int64)  # of the hypothesis, cumulated over the keys
    np.cumsum(((keys & IN_HYPOTHESIS) << np.uint64(1)).view(np.int64) - 1, out=surplus[1:])
    for order in range(max_order, 0, -1):
        behind = SIDE_BITS + (max_order - order) * bits  # the bits after the first `order` characters
        runs = np.flatnonzero(changes >= np.uint64(1 << behind))
        changes, surplus, lines = take(changes, runs), take(surplus, runs), np.searchsorted(runs, lines)
        unmatched = np.add.reduceat(np.abs(np.diff(surplus)), lines)
        matches[:, order - 1] = (sizes - unmatched) >> 1
