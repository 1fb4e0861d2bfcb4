"""A hash join that finds the n-grams of hypotheses in their references, without a dictionary.

Tokens have keys of 64 bits, the first of which hold the line, so that a whole chunk of lines is joined at once. Where
keys are equal the bytes of the tokens are compared, so that no collision of keys can change a count. Longer n-grams are
found by comparing positions, since an n-gram consists of its first n - 1 tokens and the (n - 1)-gram that starts at its
second token.
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
#: Position of n-grams that occur in no reference: before all references.
NOWHERE = 0

#: Minimum slots per key in the first table of an index, and in its smaller later ones.
FIRST_TABLE_SLOTS, LATER_TABLE_SLOTS = 2, 4
#: Multipliers, one for each table of an index; the first table uses the keys unchanged.
SALTS = (np.uint64(1), *(salt() for _ in range(64)))
PAIR_SALT = SALTS[1]


@dataclass(slots=True, eq=False)
class HashIndex:
    """A hash index that finds equal keys without sorting.

    All keys are scattered into a table; of several keys with the same slot one is stored. Keys that collide are
    inserted into a smaller table with another multiplier, until every key has a slot. The first table is addressed by
    the first bits of the keys, so that keys of a line are close together.

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
        remaining = self.keys
        for factor in SALTS:
            slots_per_key = FIRST_TABLE_SLOTS if todo is first else LATER_TABLE_SLOTS
            bits = (slots_per_key * len(todo)).bit_length()
            shift = np.uint64(KEY_BITS - bits)
            table = np.full(1 << bits, NOT_FOUND)
            slots = _slots(remaining, factor, shift)
            table[slots] = todo
            self.rounds.append((table, factor, shift))
            owner = take(table, slots)
            if todo is first:
                self.representative = owner
            else:
                self.representative[todo] = owner
            collisions = np.flatnonzero(take(self.keys, owner) != remaining)
            if not len(collisions):
                return
            todo, remaining = take(todo, collisions), take(remaining, collisions)
        raise RuntimeError(f"{len(todo)} keys found no slot in {len(SALTS)} rounds")

    def find(self, keys: Keys) -> Integers:
        """Return the representative that equals each key, or NOT_FOUND."""
        if not len(self.keys):
            return np.full(len(keys), NOT_FOUND)
        representatives = np.empty(0, np.int64)
        todo: Integers | None = None  # all
        remaining = keys
        for table, factor, shift in self.rounds:
            owner = take(table, _slots(remaining, factor, shift))
            is_other = take(self.keys, owner) != remaining
            unresolved = np.flatnonzero(is_other & (owner >= 0))  # the slot has another key: continue in the next table
            np.putmask(owner, is_other, NOT_FOUND)
            if todo is None:
                representatives = owner
            else:
                representatives[todo] = owner
            if not len(unresolved):
                break
            todo = unresolved if todo is None else take(todo, unresolved)
            remaining = take(remaining, unresolved)
        return representatives


@dataclass(frozen=True, slots=True, eq=False)
class NgramMatches:
    """The n-grams of a text that occur in a reference of their line, for one order.

    Attributes:
        representatives: for each position of the text the representative that equals the n-gram there, or NOWHERE.
        repeated: the positions whose n-gram occurs more than once, in the text or in the references.
        rows: lines, numbered continuously over the references, where the text has an n-gram more often than any
            reference.
        excess: by how much.
    """

    representatives: Integers
    repeated: Integers
    rows: Integers
    excess: Integers


class CollisionError(Exception):
    """Different tokens of a line have the same key."""


def match_tokens(
    texts: Sequence[LineTokens], references: Sequence[LineTokens]
) -> tuple[ReferenceNgrams, list[NgramMatches]]:
    """Look up the tokens of texts in the references of their lines.

    Returns:
        The references, from which longer n-grams are found, and the matches of each text.
    """
    try:
        targets = ReferenceNgrams(references)
        return targets, [targets.find(text) for text in texts]
    except CollisionError:
        exact = numbered([*references, *texts])
        targets = ReferenceNgrams(exact[: len(references)])
        return targets, [targets.find(text) for text in exact[len(references) :]]


class ReferenceNgrams:
    """The n-grams of a chunk's references, order by order.

    An n-gram is identified by the position of its first token; equal n-grams of a line are identified by one of these
    positions, their representative. Few n-grams occur twice in a line, so that nearly every one represents itself.
    Hence a match extends to the next order where the match at the next position is the representative that follows its
    representative: a comparison, not a look-up. Only repeated n-grams can be extended in several ways, and only the
    other ways are indexed.

    Attributes:
        text: all references in sequence; the newline before them is NOWHERE.
        bounds: the start of each reference, and the end.
        index: of the tokens.
        representative: for each position.
        repeats: the positions with another representative, as long as it can match.
        limits: for each representative the maximum count in any single reference.

    Raises:
        CollisionError: different tokens of a line have the same key.
    """

    def __init__(self, references: Sequence[LineTokens]) -> None:
        self.text = joined(references)
        self.bounds = np.cumsum([1, *(len(r.keys) - 1 for r in references)])
        self.index = HashIndex(self.text.keys)
        self.representative = self.index.representative
        self.repeats = np.flatnonzero(self.representative != np.arange(len(self.text.keys)))
        self._confirm_repeats()
        self.limits = self._limits()

    def find(self, text: LineTokens) -> NgramMatches:
        """Find the tokens of a text that occur in a reference.

        Raises:
            CollisionError: a token has the key of a different one.
        """
        representatives = self.index.find(text.keys)
        np.maximum(representatives, NOWHERE, out=representatives)
        representatives[text.newlines] = NOWHERE
        self._confirm(text, representatives)
        return self._matches(representatives)

    def _confirm(self, text: LineTokens, representatives: Integers) -> None:
        """Check that each token of a text equals its representative."""
        different = take(self.text.openings, representatives) != text.openings
        different &= representatives != NOWHERE
        longer = take(text.longer, np.flatnonzero(take(representatives, text.longer) != NOWHERE))
        if different.any() or not same_endings(text.tokens, longer, self.text.tokens, take(representatives, longer)):
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

    def extend(self, texts: Sequence[NgramMatches]) -> list[NgramMatches]:
        """Return the matches of all texts for the next order."""
        matched = np.zeros(len(self.text.keys), np.bool_)
        for text in texts:
            matched[take(text.representatives, text.repeated)] = True
        self._keep(take(matched, take(self.representative, self.repeats)))
        first, second = take(self.representative, self.repeats), take(self.representative, self.repeats + 1)
        deviating = np.flatnonzero(take(self.representative, first + 1) != second)
        forks = take(self.repeats, deviating)
        branches = HashIndex(_pairs(take(first, deviating), take(second, deviating)))
        longer = [self._extend(text, branches, forks) for text in texts]
        self.representative[forks] = take(forks, branches.representative)
        self._keep(take(self.representative, self.repeats) != self.repeats)
        self.limits = self._limits()
        return [
            self._matches(representatives, text.repeated) for representatives, text in zip(longer, texts, strict=True)
        ]

    def _keep(self, which: npt.NDArray[np.bool_]) -> None:
        self.repeats = take(self.repeats, np.flatnonzero(which))

    def _extend(self, text: NgramMatches, branches: HashIndex, forks: Integers) -> Integers:
        """Return representatives of the next order: the successors of the current ones, or else indexed branches."""
        first, second = text.representatives[:-1], text.representatives[1:]
        representatives = first * (take(self.representative[1:], first) == second)
        if len(forks):
            unmatched = take(text.repeated, np.flatnonzero(take(representatives, text.repeated) == NOWHERE))
            branch = branches.find(_pairs(take(first, unmatched), take(second, unmatched)))
            known = np.flatnonzero(branch != NOT_FOUND)
            representatives[take(unmatched, known)] = take(forks, take(branch, known))
        return representatives

    def _matches(self, representatives: Integers, candidates: Integers | None = None) -> NgramMatches:
        """Find repeated n-grams, among all positions or where the next shorter n-grams were repeated."""
        values = representatives if candidates is None else take(representatives, candidates)
        counts = np.bincount(values, minlength=len(self.text.keys))
        counts[NOWHERE] = 0
        over = np.flatnonzero(counts > self.limits)
        is_repeated = counts > 1
        is_repeated[take(self.representative, self.repeats)] = True
        repeated = np.flatnonzero(take(is_repeated, values))
        if candidates is not None:
            repeated = take(candidates, repeated)
        return NgramMatches(
            representatives, repeated, np.searchsorted(self.text.newlines, over), counts[over] - self.limits[over]
        )

    def _limits(self) -> Integers:
        limits = np.ones(len(self.text.keys), np.int64)  # of n-grams that are not repeated
        parts = np.searchsorted(self.repeats, self.bounds)
        for r in range(len(parts) - 1):
            repeats = self.repeats[parts[r] : parts[r + 1]]
            if len(repeats):
                counts = np.bincount(take(self.representative, repeats), minlength=len(limits))
                counts[self.bounds[r] : self.bounds[r + 1]] += 1  # the representative itself
                np.maximum(limits, counts, out=limits)
        return limits


def _pairs(first: Integers, second: Integers) -> Keys:
    """Return keys of pairs of positions; an odd factor spreads them without making two equal."""
    keys = first << HALF
    keys |= second
    return keys.view(np.uint64) * PAIR_SALT


def _slots(keys: Keys, factor: np.uint64, shift: np.uint64) -> Integers:
    spread = keys if factor == 1 else keys * factor
    return (spread >> shift).view(np.int64)
