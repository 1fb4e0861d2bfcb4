"""The hash join of n-grams: which n-grams of a hypothesis occur in its references, without a dictionary.

Tokens have keys of 64 bits, of which the first hold their line, so that a whole chunk of lines is joined at once. Where
keys are equal the bytes of the tokens are compared, so that no collision of keys can change a count. Longer n-grams are
found by comparing positions, since an n-gram goes on from its first n - 1 tokens to the n-gram behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.scoring.bytetokens import take
from bleu_core.scoring.token_keys import KEY_BITS, Keys, LineTokens, is_longer, joined, numbered, salt, same_endings

HALF = 32  # bits of a key that hold one half of an n-gram
NOT_FOUND = -1
#: Where n-grams are that occur in no reference: before all references.
NOWHERE = 0

#: Slots a key in an index's first table and, at least, in its small later ones.
FIRST_ROOM, LATER_ROOM = 2, 4
#: Multipliers, one for each table of an index; the first table takes keys as they are.
SALTS = (np.uint64(1), *(salt() for _ in range(64)))
PAIR_SALT = SALTS[1]


@dataclass(slots=True)
class Index:
    """Finds equal keys without sorting.

    All keys are scattered into a table; of those that want the same slot one gets it. Who finds another key in its
    slot goes on to a smaller table with another factor, until each has found itself. The first table goes by the keys'
    first bits, so that keys of a line are near each other.

    Attributes:
        keys: all keys.
        representative: for each key the position of one fixed key that equals it.
    """

    keys: Keys
    representative: Integers = field(init=False)
    rounds: list[tuple[Integers, np.uint64, np.uint64]] = field(init=False)

    def __post_init__(self) -> None:
        self.rounds = []
        first = todo = np.arange(len(self.keys))
        self.representative = first
        left = self.keys
        for factor in SALTS:
            room = FIRST_ROOM if todo is first else LATER_ROOM
            bits = (room * len(todo)).bit_length()
            shift = np.uint64(KEY_BITS - bits)
            table = np.full(1 << bits, NOT_FOUND)
            slots = _slots(left, factor, shift)
            table[slots] = todo
            self.rounds.append((table, factor, shift))
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

    def find(self, keys: Keys) -> Integers:
        """The representative that equals each key, NOT_FOUND where there is none."""
        if not len(self.keys):
            return np.full(len(keys), NOT_FOUND)
        found = np.empty(0, np.int64)
        todo: Integers | None = None  # all
        left = keys
        for table, factor, shift in self.rounds:
            owner = take(table, _slots(left, factor, shift))
            other = take(self.keys, owner) != left
            further = np.flatnonzero(other & (owner >= 0))  # the slot is another key's: look on in the next round
            np.putmask(owner, other, NOT_FOUND)
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

    found: Integers
    repeated: Integers
    rows: Integers
    excess: Integers


class CollisionError(Exception):
    """Two different tokens of a line have the same key."""


def match_tokens(texts: Sequence[LineTokens], references: Sequence[LineTokens]) -> tuple[References, list[Matches]]:
    """Look the tokens of some texts up in the references of their lines.

    Returns:
        The references, from which longer n-grams are found, and the matches of each text.
    """
    try:
        targets = References(references)
        return targets, [targets.find(text) for text in texts]
    except CollisionError:
        exact = numbered([*references, *texts])
        targets = References(exact[: len(references)])
        return targets, [targets.find(text) for text in exact[len(references) :]]


class References:
    """The n-grams of a chunk's references, one order after the other.

    An n-gram goes by the position of its first token; equal ones of a line go by one of theirs, the representative.
    Few n-grams occur twice in a line, so that nearly every one is its own. Hence a match goes on to the next order
    where the match behind it is the representative behind its representative: a comparison, not a look-up. Only
    repeated n-grams may go on in several ways, and only the other ways are indexed.

    Attributes:
        text: all references, one after the other; the newline in front of them is NOWHERE.
        bounds: where each reference begins, and the end.
        index: of the tokens.
        representative: for each position.
        repeats: the positions whose representative is another and still matters.
        limits: for each representative the most often that any single reference has it.

    Raises:
        CollisionError: different tokens of a line have the same key.
    """

    def __init__(self, references: Sequence[LineTokens]) -> None:
        self.text = joined(references)
        self.bounds = np.cumsum([1, *(len(r.keys) - 1 for r in references)])
        self.index = Index(self.text.keys)
        self.representative = self.index.representative
        self.repeats = np.flatnonzero(self.representative != np.arange(len(self.text.keys)))
        self._confirm_repeats()
        self.limits = self._limits()

    def find(self, text: LineTokens) -> Matches:
        """The tokens of a text that occur in a reference.

        Raises:
            CollisionError: a token has the key of a different one.
        """
        found = self.index.find(text.keys)
        np.maximum(found, NOWHERE, out=found)
        found[text.newlines] = NOWHERE
        self._confirm(text, found)
        return self._matches(found)

    def _confirm(self, text: LineTokens, found: Integers) -> None:
        """Check that each token of a text is the one that was found for it."""
        different = take(self.text.openings, found) != text.openings
        different &= found != NOWHERE
        longer = take(text.longer, np.flatnonzero(take(found, text.longer) != NOWHERE))
        if different.any() or not same_endings(text.tokens, longer, self.text.tokens, take(found, longer)):
            raise CollisionError

    def _confirm_repeats(self) -> None:
        """Check that each repeated token is its representative."""
        openings = take(self.text.openings, self.repeats)
        first = take(self.representative, self.repeats)
        longer = np.flatnonzero(is_longer(openings))
        tokens = self.text.tokens
        if not np.array_equal(openings, take(self.text.openings, first)) or not same_endings(
            tokens, take(self.repeats, longer), tokens, take(first, longer)
        ):
            raise CollisionError

    def extend(self, texts: Sequence[Matches]) -> list[Matches]:
        """Go from one order to the next, with the matches of all texts."""
        matched = np.zeros(len(self.text.keys), np.bool_)
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

    def _extend(self, text: Matches, ways: Index, forks: Integers) -> Integers:
        """Where the n-grams of the next order are found: on the way of their first half, or on another."""
        first, second = text.found[:-1], text.found[1:]
        found = first * (take(self.representative[1:], first) == second)
        if len(forks):
            left = take(text.repeated, np.flatnonzero(take(found, text.repeated) == NOWHERE))
            way = ways.find(_pairs(take(first, left), take(second, left)))
            known = np.flatnonzero(way != NOT_FOUND)
            found[take(left, known)] = take(forks, take(way, known))
        return found

    def _matches(self, found: Integers, candidates: Integers | None = None) -> Matches:
        """Look for repetition, at all positions or where the n-grams one shorter were repeated."""
        looked_at = found if candidates is None else take(found, candidates)
        counts = np.bincount(looked_at, minlength=len(self.text.keys))
        counts[NOWHERE] = 0
        over = np.flatnonzero(counts > self.limits)
        several = counts > 1
        several[take(self.representative, self.repeats)] = True
        repeated = np.flatnonzero(take(several, looked_at))
        if candidates is not None:
            repeated = take(candidates, repeated)
        return Matches(found, repeated, np.searchsorted(self.text.newlines, over), counts[over] - self.limits[over])

    def _limits(self) -> Integers:
        limits = np.ones(len(self.text.keys), np.int64)  # what is never repeated
        parts = np.searchsorted(self.repeats, self.bounds)
        for r in range(len(parts) - 1):
            repeats = self.repeats[parts[r] : parts[r + 1]]
            if len(repeats):
                counts = np.bincount(take(self.representative, repeats), minlength=len(limits))
                counts[self.bounds[r] : self.bounds[r + 1]] += 1  # the representative itself
                np.maximum(limits, counts, out=limits)
        return limits


def _pairs(first: Integers, second: Integers) -> Keys:
    """Keys of pairs of positions; an odd factor spreads them without making two equal."""
    keys = first << HALF
    keys |= second
    return keys.view(np.uint64) * PAIR_SALT


def _slots(keys: Keys, factor: np.uint64, shift: np.uint64) -> Integers:
    spread = keys if factor == 1 else keys * factor
    return (spread >> shift).view(np.int64)
