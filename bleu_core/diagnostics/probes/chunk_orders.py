"""The exact number of orders of an output's chunks.

Exchanging equal chunks does not make another order, and different orders of chunks may give the same tokens:
[a] [b] [a b] and [a b] [a] [b]. Orders are therefore counted as sequences of tokens.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

#: A token, or its number.
Token = str | int

Chunk = tuple[Token, ...]

#: Maximum number of states of the automaton for exact counts.
MAX_STATES = 5_000

#: Remaining number of each kind of chunk, the kind that is being read (-1 for none), and the number of its tokens read.
Reading = tuple[tuple[int, ...], int, int]

#: Results after a number of tokens: state of the automaton -> number of blocks -> number of sequences that lead there.
Layer = dict[frozenset[Reading], Counter[int]]


@dataclass(frozen=True, slots=True)
class Orders:
    """The number of orders of chunks.

    Attributes:
        number: of different sequences of tokens, including the present one.
        exact: whether the number is exact; else it is a lower bound.
    """

    number: int
    exact: bool = True


def split_chunks(tokens: Sequence[Token], references: Sequence[Sequence[Token]]) -> list[Chunk]:
    """Split an output between tokens that are not adjacent in any reference.

    Matching n-grams are not split, because each of their bigrams is in a reference.

    Args:
        tokens: of the output.
        references: the tokens of each.

    Source:
        Callison-Burch, Osborne and Koehn (2006), section 3.1.
    """
    known = {pair for reference in references for pair in pairwise(reference)}
    chunks: list[list[Token]] = []
    for position, token in enumerate(tokens):
        if position and (tokens[position - 1], token) in known:
            chunks[-1].append(token)
        else:
            chunks.append([token])
    return [tuple(chunk) for chunk in chunks]


def count_orders(chunks: Sequence[Chunk], max_states: int = MAX_STATES) -> Orders:
    """Count the distinct sequences of tokens over all orders of chunks.

    Chunks that can be identified in every sequence are permuted as a multiset. The others are read by a determinised
    automaton, so that each sequence is counted once.

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
        gaps = sum(counts[kind] for kind in certain) + 1  # before, between and after the certain ones
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
    tails = {tail for first in words for second in words if (tail := _tail(first, second))}
    while tails:
        if tails & words:
            return False
        seen |= tails
        pairs = [
            pair for tail_of_pair in tails for word in words for pair in ((tail_of_pair, word), (word, tail_of_pair))
        ]
        tails = {tail for prefix, word_of_pair in pairs if (tail := _tail(prefix, word_of_pair))} - seen
    return True


def _tail(prefix: Chunk, word: Chunk) -> Chunk:
    """Return the remainder of a word after a prefix; empty if the word has another beginning or no remainder."""
    return word[len(prefix) :] if word[: len(prefix)] == prefix else ()


def _permutations(numbers: Collection[int] | Iterator[int]) -> int:
    """Return the number of orders of a multiset with these numbers of equal members."""
    orders, size = 1, 0
    for number in numbers:
        size += number
        orders *= math.comb(size, number)
    return orders


def _certain(kinds: Collection[Chunk]) -> tuple[list[Chunk], list[Chunk]]:
    """Return the kinds of chunks that can be identified in any sequence of chunks, and the other kinds.

    A token that only one kind has identifies the chunks of that kind; this is repeated for the other kinds. Kinds that
    have no token in common with other kinds, directly or indirectly, are identified if they are uniquely decodable
    among themselves.
    """
    certain: list[Chunk] = []
    remaining = list(dict.fromkeys(kinds))
    while True:
        kinds_with_token = Counter(token for kind in remaining for token in set(kind))
        identified = [kind for kind in remaining if any(kinds_with_token[token] == 1 for token in kind)]
        if not identified:
            break
        certain += identified
        remaining = [kind for kind in remaining if kind not in set(identified)]
    ambiguous: list[Chunk] = []
    for family in _families(remaining):
        (certain if is_uniquely_decodable(family) else ambiguous).extend(family)
    return certain, ambiguous


def _families(kinds: Sequence[Chunk]) -> list[list[Chunk]]:
    """Group kinds that are connected by common tokens."""
    families: list[tuple[set[Token], list[Chunk]]] = []
    for kind in kinds:
        near = [family for family in families if family[0] & set(kind)]
        tokens = set(kind).union(*(tokens for tokens, _ in near))
        members = [member for _, family in near for member in family]
        families = [family for family in families if family not in near] + [(tokens, [*members, kind])]
    return [members for _, members in families]


def _decodable_part(counts: Mapping[Chunk, int], certain: Sequence[Chunk], ambiguous: Sequence[Chunk]) -> list[Chunk]:
    """Kinds that are uniquely decodable together: the certain ones, and as many of the others as can be added."""
    decodable: list[Chunk] = []
    for kind in sorted(ambiguous, key=lambda kind: -counts[kind]):
        if is_uniquely_decodable([*decodable, kind]):
            decodable.append(kind)
    return [*certain, *decodable]


def _sequences_in_blocks(counts: Mapping[Chunk, int], max_states: int) -> Counter[int] | None:
    """Return the number of sequences of chunks that are divided into non-empty blocks, by number of blocks.

    A state of the automaton is the set of all readings of the tokens so far.

    Args:
        counts: kind of chunk -> number of chunks.
        max_states: of the automaton.

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
        if states > max_states:
            return None
    total = Counter[int]()
    for numbers in layer.values():
        total.update(numbers)
    return total


def _add(layer: Layer, states: Iterable[frozenset[Reading]], numbers: Counter[int]) -> None:
    """Add numbers of sequences to states of a layer."""
    for state in states:
        layer.setdefault(state, Counter()).update(numbers)


def _next_states(state: frozenset[Reading], kinds: Sequence[Chunk]) -> Iterator[frozenset[Reading]]:
    """Return the states after each possible next token."""
    reached: defaultdict[Token, set[Reading]] = defaultdict(set)
    for remaining, reading, position in state:
        if reading >= 0:
            reached[kinds[reading][position]].add(_read(remaining, reading, position, kinds))
            continue
        for number, kind in enumerate(kinds):
            if remaining[number]:
                remaining_after = (*remaining[:number], remaining[number] - 1, *remaining[number + 1 :])
                reached[kind[0]].add(_read(remaining_after, number, 0, kinds))
    return map(frozenset, reached.values())


def _read(remaining: tuple[int, ...], reading: int, position: int, kinds: Sequence[Chunk]) -> Reading:
    """Return the reading after one more token."""
    return (remaining, reading, position + 1) if position + 1 < len(kinds[reading]) else (remaining, -1, 0)
