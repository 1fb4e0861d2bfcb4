"""Random hypotheses and references for TER, of which many differ by shifts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache

import sample_data

Words = list[str]

#: The share of segments, the longest of them in words, and the numbers of different words. Few words match often.
SIZES = (
    (0.9, 7, (1, 2, 3, 5, 9)),
    (0.09, 12, (2, 4, 8)),
    (0.0005, 70, (20, 60)),
    (0.0095, 0, ()),  # sentences of the sample data
)


def shifted_segment(rng: random.Random, longest: int | None = None) -> tuple[Words, list[Words]]:
    """A hypothesis and one to three references; any of them may be empty.

    Args:
        rng: draws them.
        longest: in words, instead of lengths of several kinds.
    """
    ((_, limit, sizes),) = rng.choices(SIZES, [share for share, *_ in SIZES])
    if longest is not None:
        limit, sizes = longest, (longest,)
    if limit:
        vocabulary = [str(number) for number in range(rng.choice(sizes))]
        base = rng.choices(vocabulary, k=rng.randint(0, limit))
    else:
        base = list(rng.choice(_sentences()))
        vocabulary = base
    return _changed(rng, base, vocabulary), [_changed(rng, base, vocabulary) for _ in range(rng.randint(1, 3))]


@cache
def _sentences() -> Sequence[Words]:
    paths = (*sample_data.systems(), *sample_data.references())
    return [line.lower().split() for path in paths for line in path.read_text(encoding="utf-8").split("\n")]


def _changed(rng: random.Random, base: Words, vocabulary: Words) -> Words:
    """Words of a text moved, and others inserted, deleted and replaced; or quite other words."""
    if rng.random() < 0.2 and vocabulary:
        return rng.choices(vocabulary, k=rng.randint(0, len(base) + 2))
    words = list(base)
    for _ in range(rng.randint(0, 3)):
        start = rng.randint(0, len(words))
        moved = words[start : start + rng.randint(1, 12)]
        del words[start : start + len(moved)]
        target = rng.randint(0, len(words))
        words[target:target] = moved
    for _ in range(rng.randint(0, 3)):
        place = rng.randint(0, len(words))
        words[place : place + rng.randint(0, 1)] = rng.choices([*vocabulary, "new"], k=rng.randint(0, 1))
    return words
