"""The hash join of n-grams: which n-grams of a hypothesis occur in its references, without a dictionary.

Unigrams are hashed to 64 bits together with their line, so that a whole chunk of lines is joined at once. A longer
n-gram is its two halves' positions in the references side by side, which is exact, and only n-grams that matched live
on, so that the arrays shrink with the order. Two different tokens of a line share a hash with a chance of about
2**-64 a pair of tokens.
"""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bleu_core.bytetokens import NEWLINE, ByteTokens, Positions, take

Keys = npt.NDArray[np.uint64]

WORD_BYTES = 8
#: Tokens longer than this many words are hashed one by one: one giant token would else take a pass a word.
MOST_WORDS = 32
HALF = 32  # bits of a key that hold one half of an n-gram
NOT_FOUND = -1

#: Slots a key in an index's first table, which should stay in the cache, and in its small later ones.
FIRST_ROOM, LATER_ROOM = 2, 16


def _salts(count: int) -> tuple[np.uint64, ...]:
    """Odd 64-bit multipliers without a pattern, by splitmix64 (Steele, Lea and Flood 2014) from 0."""
    found: list[np.uint64] = []
    state, mask = 0, 2**64 - 1
    for _ in range(count):
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        found.append(np.uint64((mixed ^ (mixed >> 31)) | 1))
    return tuple(found)


#: One a round of an index; the first two also mix lines and words.
SALTS = _salts(64)
LINE_SALT, WORD_SALT = SALTS[0], SALTS[1]
#: Masks that keep the first 0 to 8 bytes of a little-endian word.
FIRST_BYTES = np.array([(1 << 8 * k) - 1 for k in range(WORD_BYTES + 1)], np.uint64)


@dataclass(frozen=True, slots=True)
class Grams:
    """N-grams of one order, in the order of the text.

    Attributes:
        keys: equal for equal n-grams of the same line.
        positions: of their first token in the text; n-grams at neighbouring positions overlap.
    """

    keys: Keys
    positions: Positions


@dataclass(frozen=True, slots=True)
class LineTokens:
    """Tokens of a chunk of lines, hashed.

    Attributes:
        lengths: tokens of each line.
        lines: the line of each token.
        unigrams: keys and positions; a gap in the positions keeps lines apart.
    """

    lengths: Positions
    lines: Positions
    unigrams: Grams


def hash_tokens(tokens: ByteTokens) -> LineTokens:
    """Hash the tokens of a chunk of lines."""
    is_newline = take(np.frombuffer(tokens.data, np.uint8), tokens.starts) == NEWLINE
    lengths = np.diff(np.flatnonzero(is_newline), prepend=-1) - 1
    positions = np.flatnonzero(~is_newline)
    lines = np.repeat(np.arange(len(lengths)), lengths)
    keys = _hashes(tokens.data, take(tokens.starts, positions), take(tokens.ends, positions))
    keys += lines.view(np.uint64) * LINE_SALT
    return LineTokens(lengths, lines, Grams(keys, positions))


@dataclass(slots=True)
class Index:
    """Finds equal keys without sorting.

    All keys are scattered into a table; of those that want the same slot one gets it. Who finds another key in its
    slot goes on to a smaller table with another salt, until each has found itself.

    Attributes:
        keys: all keys.
        representative: for each key the position of one fixed key that equals it.
    """

    keys: Keys
    representative: Positions = field(init=False)
    rounds: list[tuple[Positions, np.uint64, np.uint64]] = field(init=False)

    def __post_init__(self) -> None:
        self.rounds = []
        first = todo = np.arange(len(self.keys))
        self.representative = first
        left = self.keys
        for salt in SALTS:
            room = FIRST_ROOM if todo is first else LATER_ROOM
            bits = (room * len(todo)).bit_length()
            shift = np.uint64(64 - bits)
            table = np.full(1 << bits, NOT_FOUND)
            slots = _slots(left, salt, shift)
            table[slots] = todo
            self.rounds.append((table, salt, shift))
            owner = take(table, slots)
            if todo is first:
                self.representative = owner
            else:
                self.representative[todo] = owner
            lost = np.flatnonzero(take(self.keys, owner) != left)
            if not len(lost):
                return
            todo, left = take(todo, lost), take(left, lost)
        raise RuntimeError(f"{len(todo)} keys found no slot in {len(SALTS)} rounds")

    def find(self, keys: Keys) -> Positions:
        """The representative that equals each key, NOT_FOUND where there is none."""
        found = np.full(len(keys), NOT_FOUND)
        if not len(self.keys):
            return found
        todo: Positions | None = None  # all
        left = keys
        for table, salt, shift in self.rounds:
            owner = take(table, _slots(left, salt, shift))
            other = take(self.keys, owner) != left
            further = np.flatnonzero(other & (owner >= 0))  # the slot is another key's: look on in the next round
            owner = np.where(other, NOT_FOUND, owner)
            if todo is None:
                found = owner
            else:
                found[todo] = owner
            if not len(further):
                break
            todo = further if todo is None else take(todo, further)
            left = take(left, further)
        return found


def extend(representatives: Positions, positions: Positions) -> tuple[Grams, Positions]:
    """Make n-grams of order n + 1 from matched n-grams of order n.

    Args:
        representatives: of the n-grams, in an index.
        positions: of the n-grams in the text, ascending.

    Returns:
        The longer n-grams, and for each the index of its first half among those given.
    """
    first = np.flatnonzero(positions[1:] - positions[:-1] == 1)
    keys = take(representatives, first) << HALF
    keys |= take(representatives[1:], first)
    return Grams(keys.view(np.uint64), take(positions, first)), first


def _slots(keys: Keys, salt: np.uint64, shift: np.uint64) -> Positions:
    return ((keys * salt) >> shift).view(np.int64)


def _hashes(data: bytes, starts: Positions, ends: Positions) -> Keys:
    """64-bit hashes of tokens: their words of eight bytes mixed one after the other, and their length."""
    words = np.frombuffer(data, "<u8")
    sizes = ends - starts
    hashes = _mix(_read(words, starts, np.minimum(sizes, WORD_BYTES)))
    done = WORD_BYTES
    live = np.flatnonzero(sizes > done)
    while len(live) and done < MOST_WORDS * WORD_BYTES:
        left = take(sizes, live) - done
        more = _read(words, take(starts, live) + done, np.minimum(left, WORD_BYTES))
        hashes[live] = _mix(take(hashes, live) ^ more)
        done += WORD_BYTES
        live = take(live, np.flatnonzero(left > WORD_BYTES))
    for giant in live.tolist():
        token = data[starts[giant] : ends[giant]]
        hashes[giant] = int.from_bytes(hashlib.blake2b(token, digest_size=WORD_BYTES).digest(), sys.byteorder)
    hashes ^= sizes.view(np.uint64)
    return hashes


def _read(words: Keys, starts: Positions, sizes: Positions) -> Keys:
    """Up to eight bytes from any address: parts of two neighbouring words, shifted together and masked."""
    shift = ((starts & 7) << 3).view(np.uint64)
    word = starts >> 3
    low = take(words, word) >> shift
    word += 1
    high = take(words, word) << (np.uint64(64) - shift)  # a shift by 64 gives 0 in NumPy
    low |= high
    low &= take(FIRST_BYTES, sizes)
    return low


def _mix(hashes: Keys) -> Keys:
    hashes *= WORD_SALT
    hashes ^= hashes >> np.uint64(32)
    return hashes
