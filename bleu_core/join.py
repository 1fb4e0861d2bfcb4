"""The hash join of n-grams: which n-grams of a hypothesis occur in its references, without a dictionary.

Tokens are hashed to 64 bits, of which the first hold their line, so that a whole chunk of lines is joined at once. Two
different tokens of a line share a key with a chance of about 2**-53 where a chunk has 2,048 lines. From there on all is
exact: an n-gram is found by comparing positions, since it goes on from its first n - 1 tokens to the n-gram behind.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bleu_core.bytetokens import NEWLINE, ByteTokens, Positions, take

Keys = npt.NDArray[np.uint64]

WORD_BYTES = 8
#: Tokens longer than this many words are hashed one by one: one giant token would else take a pass a word.
MOST_WORDS = 32
KEY_BITS = 64
HALF = 32  # bits of a key that hold one half of an n-gram
NOT_FOUND = -1
#: Where n-grams are that occur in no reference: before all references.
NOWHERE = 0

#: Slots a key in an index's first table and, at least, in its small later ones.
FIRST_ROOM, LATER_ROOM = 2, 4


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


#: One a round of an index, which at first takes keys as they are. The first also mixes words.
SALTS = (np.uint64(1), *_salts(64))
WORD_SALT = SALTS[1]
#: Masks that keep the first 0 to 8 bytes of a little-endian word.
FIRST_BYTES = np.array([(1 << 8 * k) - 1 for k in range(WORD_BYTES + 1)], np.uint64)


@dataclass(frozen=True, slots=True)
class LineTokens:
    """Tokens of a chunk of lines, hashed.

    Attributes:
        lengths: tokens of each line.
        keys: of all tokens and of the newline behind each line, which keeps lines apart; equal for equal tokens of
            the same line.
        newlines: where the newlines are among the keys.
    """

    lengths: Positions
    keys: Keys
    newlines: Positions


def hash_tokens(tokens: ByteTokens) -> LineTokens:
    """Hash the tokens of a chunk of lines; texts to be joined have the same number of lines."""
    newlines = np.flatnonzero(take(np.frombuffer(tokens.data, np.uint8), tokens.starts) == NEWLINE)
    sizes = np.diff(newlines, prepend=-1)
    keys = _hashes(tokens.data, tokens.starts, tokens.ends)
    line_bits = (len(newlines) - 1).bit_length()
    room = KEY_BITS - line_bits
    keys &= np.uint64((1 << room) - 1)
    keys |= np.repeat(np.arange(len(newlines), dtype=np.uint64) << np.uint64(room), sizes)
    return LineTokens(sizes - 1, keys, newlines)


@dataclass(slots=True)
class Index:
    """Finds equal keys without sorting.

    All keys are scattered into a table; of those that want the same slot one gets it. Who finds another key in its
    slot goes on to a smaller table with another salt, until each has found itself. The first table goes by the keys'
    first bits, so that keys of a line are near each other.

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
            shift = np.uint64(KEY_BITS - bits)
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


@dataclass(frozen=True, slots=True)
class Matches:
    """N-grams of a text that occur in a reference of their line, for one order.

    Attributes:
        found: for each position of the text the representative that equals the n-gram there, NOWHERE if none does.
        repeated: the positions whose n-gram occurs more than once, in the text or in the references.
        rows: where the text has an n-gram more often than any reference: lines, counted on from reference to reference.
        excess: how much more often.
    """

    found: Positions
    repeated: Positions
    rows: Positions
    excess: Positions


class References:
    """The n-grams of a chunk's references, one order after the other.

    An n-gram goes by the position of its first token; equal ones of a line go by one of theirs, the representative.
    Few n-grams occur twice in a line, so that nearly every one is its own. Hence a match goes on to the next order
    where the match behind it is the representative behind its representative: a comparison, not a look-up. Only
    repeated n-grams may go on in several ways, and only the other ways are indexed.

    Attributes:
        keys: of all references, one after the other, behind a place of its own for NOWHERE.
        bounds: where each reference begins, and the end.
        newlines: where the newlines are.
        index: of the tokens.
        representative: for each position.
        repeats: the positions whose representative is another and still matters.
        limits: for each representative the most often that any single reference has it.
    """

    def __init__(self, references: Sequence[LineTokens]) -> None:
        self.keys = np.concatenate([np.zeros(1, np.uint64), *(r.keys for r in references)])
        self.bounds = np.cumsum([1, *(len(r.keys) for r in references)])
        self.newlines = np.concatenate([r.newlines + b for r, b in zip(references, self.bounds[:-1], strict=True)])
        self.index = Index(self.keys)
        self.representative = self.index.representative
        self.repeats = np.flatnonzero(self.representative != np.arange(len(self.keys)))
        self.limits = self._limits()

    def find(self, text: LineTokens) -> Matches:
        """The tokens of a text that occur in a reference."""
        found = np.maximum(self.index.find(text.keys), NOWHERE)
        found[text.newlines] = NOWHERE
        return self._matches(found)

    def extend(self, texts: Sequence[Matches]) -> list[Matches]:
        """Go from one order to the next, with the matches of all texts."""
        matched = np.zeros(len(self.keys), np.bool_)
        for text in texts:
            matched[take(text.found, text.repeated)] = True
        self._keep(take(matched, take(self.representative, self.repeats)))
        first, second = take(self.representative, self.repeats), take(self.representative, self.repeats + 1)
        other = np.flatnonzero(take(self.representative, first + 1) != second)
        forks = take(self.repeats, other)
        ways = Index(_pairs(take(first, other), take(second, other)))
        longer = [self._extend(text, ways, forks) for text in texts]
        self.representative[forks] = take(forks, ways.representative)
        self._keep(take(self.representative, self.repeats) != self.repeats)
        self.limits = self._limits()
        return [self._matches(found, text.repeated) for found, text in zip(longer, texts, strict=True)]

    def _keep(self, which: npt.NDArray[np.bool_]) -> None:
        self.repeats = take(self.repeats, np.flatnonzero(which))

    def _extend(self, text: Matches, ways: Index, forks: Positions) -> Positions:
        """Where the n-grams of the next order are found: on the way of their first half, or on another."""
        first, second = text.found[:-1], text.found[1:]
        found = first * (take(self.representative[1:], first) == second)
        if len(forks):
            left = take(text.repeated, np.flatnonzero(take(found, text.repeated) == NOWHERE))
            way = ways.find(_pairs(take(first, left), take(second, left)))
            known = np.flatnonzero(way != NOT_FOUND)
            found[take(left, known)] = take(forks, take(way, known))
        return found

    def _matches(self, found: Positions, candidates: Positions | None = None) -> Matches:
        """Look for repetition, at all positions or where the n-grams one shorter were repeated."""
        looked_at = found if candidates is None else take(found, candidates)
        counts = np.bincount(looked_at, minlength=len(self.keys))
        counts[NOWHERE] = 0
        over = np.flatnonzero(counts > self.limits)
        several = counts > 1
        several[take(self.representative, self.repeats)] = True
        repeated = np.flatnonzero(take(several, looked_at))
        if candidates is not None:
            repeated = take(candidates, repeated)
        return Matches(found, repeated, np.searchsorted(self.newlines, over), counts[over] - self.limits[over])

    def _limits(self) -> Positions:
        limits = np.ones(len(self.keys), np.int64)  # what is never repeated
        parts = np.searchsorted(self.repeats, self.bounds)
        for r in range(len(parts) - 1):
            repeats = self.repeats[parts[r] : parts[r + 1]]
            if len(repeats):
                counts = np.bincount(take(self.representative, repeats), minlength=len(limits))
                counts[self.bounds[r] : self.bounds[r + 1]] += 1  # the representative itself
                np.maximum(limits, counts, out=limits)
        return limits


def _pairs(first: Positions, second: Positions) -> Keys:
    """Keys of pairs of positions; an odd factor spreads them without making two equal."""
    keys = first << HALF
    keys |= second
    return keys.view(np.uint64) * WORD_SALT


def _slots(keys: Keys, salt: np.uint64, shift: np.uint64) -> Positions:
    return ((keys * salt) >> shift).view(np.int64)


def _hashes(data: bytes, starts: Positions, ends: Positions) -> Keys:
    """64-bit hashes of tokens: their words of eight bytes mixed one after the other, and their length."""
    words = np.frombuffer(data, "<u8")
    sizes = ends - starts
    hashes = _mix(_read(words, starts, sizes))
    done = WORD_BYTES
    live = np.flatnonzero(sizes > done)
    while len(live) and done < MOST_WORDS * WORD_BYTES:
        left = take(sizes, live) - done
        more = _read(words, take(starts, live) + done, left)
        hashes[live] = _mix(take(hashes, live) ^ more)
        done += WORD_BYTES
        live = take(live, np.flatnonzero(left > WORD_BYTES))
    for giant in live.tolist():
        token = data[starts[giant] : ends[giant]]
        hashes[giant] = int.from_bytes(hashlib.blake2b(token, digest_size=WORD_BYTES).digest(), sys.byteorder)
    hashes ^= sizes.view(np.uint64)
    return hashes


def _read(words: Keys, starts: Positions, sizes: Positions) -> Keys:
    """The first eight bytes, or as many as there are, from any address: parts of two words, shifted and masked."""
    shift = ((starts & 7) << 3).view(np.uint64)
    word = starts >> 3
    low = take(words, word) >> shift
    word += 1
    high = take(words, word) << (np.uint64(64) - shift)  # a shift by 64 gives 0 in NumPy
    low |= high
    low &= take(FIRST_BYTES, sizes)  # which takes the last mask for sizes beyond
    return low


def _mix(hashes: Keys) -> Keys:
    hashes *= WORD_SALT
    hashes ^= hashes >> np.uint64(32)
    return hashes
