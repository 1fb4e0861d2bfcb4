"""In how many orders the chunks of an output can stand, counted exactly.

Chunks that are equal make no new order when they change places, and different orders of chunks may give the same
tokens: [a] [b] [a b] and [a b] [a] [b]. Orders are therefore counted as sequences of tokens.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

#: A token, or the number that stands for it.
Token = str | int

Chunk = tuple[Token, ...]

#: States of the automaton that reads orders, beyond which they are not counted exactly.
MAX_STATES = 5_000

#: How often each kind of chunk is left, the kind that is being read (-1 for none), and how many of its tokens are read.
Reading = tuple[tuple[int, ...], int, int]

#: What is reached by so many tokens: state of the automaton -> number of blocks -> sequences that lead there.
Layer = dict[frozenset[Reading], Counter[int]]


@dataclass(frozen=True, slots=True)
class Orders:
    """In how many orders chunks can stand.

    Attributes:
        number: of different sequences of tokens, the present one among them.
        exact: whether there are no more.
    """

    number: int
    exact: bool = True


def split_chunks(tokens: Sequence[Token], references: Sequence[Sequence[Token]]) -> list[Chunk]:
    """Split an output where no reference has the two tokens at the break next to each other.

    No n-gram that matches is broken, because every bigram in it is in a reference.

    Args:
        tokens: of the output.
        references: the tokens of each.

    Source:
        Callison-Burch, Osborne and Koehn (2006), section 3.1.
    """
    known = {pair for reference in references for pair in pairwise(reference)}
    found: list[list[Token]] = []
    for position, token in enumerate(tokens):
        if position and (tokens[position - 1], token) in known:
            found[-1].append(token)
        else:
            found.append([token])
    return [tuple(chunk) for chunk in found]


def count_orders(chunks: Sequence[Chunk], max_states: int = MAX_STATES) -> Orders:
    """Count the sequences of tokens that chunks make in all their orders.

    Chunks whose places are certain in every sequence, whatever the order, are permuted as a multiset. The others are
    read by an automaton that is made deterministic, so that a sequence is counted once.

    Args:
        chunks: each with at least one token.
        max_states: of the automaton; if it needs more, the number returned is a lower bound: the orders of chunks from
            which every sequence can be read in one way only, followed by the others.
    """
    counts = Counter(chunks)
    certain, ambiguous = _certain(counts)
    if not ambiguous:
        return Orders(_permutations(counts.values()))
    blocks = _sequences_in_blocks({kind: counts[kind] for kind in ambiguous}, max_states)
    if blocks is not None:
        gaps = sum(counts[kind] for kind in certain) + 1  # before, between and behind the certain ones
        placed = sum(number * math.comb(gaps, block) for block, number in blocks.items())
        return Orders(_permutations(counts[kind] for kind in certain) * placed)
    return Orders(_permutations(counts[kind] for kind in _decodable_part(counts, certain, ambiguous)), exact=False)


def is_uniquely_decodable(code: Collection[Chunk]) -> bool:
    """Return whether no sequence of tokens can be split into words of a code in two ways.

    Source:
        Sardinas and Patterson (1953), A necessary and sufficient condition for the unique decomposition of coded
        messages.
    """
    words, seen = set(code), set[Chunk]()
    left = {tail for one in words for other in words if (tail := _tail(one, other))}
    while left:
        if left & words:
            return False
        seen |= left
        pairs = [pair for rest in left for word in words for pair in ((rest, word), (word, rest))]
        left = {tail for beginning, whole in pairs if (tail := _tail(beginning, whole))} - seen
    return True


def _tail(beginning: Chunk, word: Chunk) -> Chunk:
    """What follows a beginning in a word; empty if the word does not begin so, or has nothing behind it."""
    return word[len(beginning) :] if word[: len(beginning)] == beginning else ()


def _permutations(numbers: Collection[int] | Iterator[int]) -> int:
    """The orders of a multiset with these numbers of equal members."""
    found, size = 1, 0
    for number in numbers:
        size += number
        found *= math.comb(size, number)
    return found


def _certain(kinds: Collection[Chunk]) -> tuple[list[Chunk], list[Chunk]]:
    """The kinds of chunks whose places are certain in any sequence of them, and the others.

    A token that only one kind has shows where the chunks of that kind are; of the tokens left, the same is asked again.
    Kinds that have no token in common with the others, directly or through others, are certain if they are uniquely
    decodable by themselves.
    """
    certain: list[Chunk] = []
    left = list(dict.fromkeys(kinds))
    while True:
        having = Counter(token for kind in left for token in set(kind))
        found = [kind for kind in left if any(having[token] == 1 for token in kind)]
        if not found:
            break
        certain += found
        left = [kind for kind in left if kind not in set(found)]
    ambiguous: list[Chunk] = []
    for family in _families(left):
        (certain if is_uniquely_decodable(family) else ambiguous).extend(family)
    return certain, ambiguous


def _families(kinds: Sequence[Chunk]) -> list[list[Chunk]]:
    """Kinds in groups of those that are connected by common tokens."""
    families: list[tuple[set[Token], list[Chunk]]] = []
    for kind in kinds:
        near = [family for family in families if family[0] & set(kind)]
        tokens = set(kind).union(*(tokens for tokens, _ in near))
        members = [member for _, family in near for member in family]
        families = [family for family in families if family not in near] + [(tokens, [*members, kind])]
    return [members for _, members in families]


def _decodable_part(counts: Mapping[Chunk, int], certain: Sequence[Chunk], ambiguous: Sequence[Chunk]) -> list[Chunk]:
    """Kinds that are uniquely decodable together: the certain ones, and as many of the others as can be added."""
    chosen: list[Chunk] = []
    for kind in sorted(ambiguous, key=lambda kind: -counts[kind]):
        if is_uniquely_decodable([*chosen, kind]):
            chosen.append(kind)
    return [*certain, *chosen]


def _sequences_in_blocks(counts: Mapping[Chunk, int], most_states: int) -> Counter[int] | None:
    """The number of sequences that chunks make if they are divided into any number of blocks, none of them empty.

    A state of the automaton is the set of all readings of the tokens so far.

    Args:
        counts: kind of chunk -> how many there are.
        most_states: of the automaton.

    Returns:
        Number of blocks -> sequences; None if there are more states.
    """
    kinds = list(counts)
    start: Reading = (tuple(counts.values()), -1, 0)
    layer: Layer = {frozenset([start]): Counter({1: 1})}
    states = 0
    for position in range(sum(len(kind) * counts[kind] for kind in kinds)):
        following: Layer = {}
        for state, numbers in layer.items():
            _add(following, _next_states(state, kinds), numbers)
            between = frozenset(reading for reading in state if reading[1] < 0)
            if position and between:  # a block may end here
                more = Counter({block + 1: number for block, number in numbers.items()})
                _add(following, _next_states(between, kinds), more)
        layer = following
        states += len(layer)
        if states > most_states:
            return None
    total = Counter[int]()
    for numbers in layer.values():
        total.update(numbers)
    return total


def _add(layer: Layer, states: Iterable[frozenset[Reading]], numbers: Counter[int]) -> None:
    """Add numbers of sequences to each of some states."""
    for state in states:
        layer.setdefault(state, Counter()).update(numbers)


def _next_states(state: frozenset[Reading], kinds: Sequence[Chunk]) -> Iterator[frozenset[Reading]]:
    """The states that each possible next token leads to."""
    reached: defaultdict[Token, set[Reading]] = defaultdict(set)
    for left, reading, position in state:
        if reading >= 0:
            reached[kinds[reading][position]].add(_read(left, reading, position, kinds))
            continue
        for number, kind in enumerate(kinds):
            if left[number]:
                rest = (*left[:number], left[number] - 1, *left[number + 1 :])
                reached[kind[0]].add(_read(rest, number, 0, kinds))
    return map(frozenset, reached.values())


def _read(left: tuple[int, ...], reading: int, position: int, kinds: Sequence[Chunk]) -> Reading:
    """What is left after one more token."""
    return (left, reading, position + 1) if position + 1 < len(kinds[reading]) else (left, -1, 0)
