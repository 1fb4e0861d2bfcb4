"""Sampling of a campaign's segments from a corpus, with known probabilities of inclusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from bleu_core.campaigns.declaration import CampaignPlan
from bleu_core.dataset import Corpus, plural
from bleu_core.errors import SettingsError, listed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of segments without replacement.

    Attributes:
        segments: their positions in the corpus, from 0, ascending.
        probabilities: their probabilities of inclusion, above 0.
    """

    segments: tuple[int, ...]
    probabilities: tuple[float, ...]


def draw_sample(plan: CampaignPlan, corpus: Corpus) -> Sample:
    """Draw the segments of a plan: at random, in proportion to strata, or as whole documents.

    Raises:
        SettingsError: the corpus has too few segments or documents, or lacks the label or documents.
    """
    random = np.random.default_rng([plan.seed, 1])
    if plan.documents is not None:
        if corpus.documents is None:
            raise SettingsError("documents: the documents of the segments are not known; add a file of documents")
        units = _rows(corpus.documents)
        drawn = _drawn(list(units), plan.documents, "document", random)
        rows = sorted(row for name in drawn for row in units[name])
        return Sample(tuple(rows), (plan.documents / len(units),) * len(rows))
    count = plan.segments or 0
    if not plan.strata:
        rows = sorted(_drawn(range(corpus.segments), count, "segment", random))
        return Sample(tuple(rows), (count / corpus.segments,) * count)
    if plan.strata not in corpus.labels:
        known = f"one of {listed(corpus.labels)}" if corpus.labels else "none, because the segments have no labels,"
        raise SettingsError(f"strata: {plan.strata!r} found, {known} expected")
    strata = _rows(corpus.labels[plan.strata])
    if count > corpus.segments:
        _drawn(range(corpus.segments), count, "segment", random)
    shares = allocation([len(rows) for rows in strata.values()], count)
    probabilities: dict[int, float] = {}
    for rows, share in zip(strata.values(), shares, strict=True):
        probabilities |= dict.fromkeys(_drawn(rows, share, "segment", random), share / len(rows))
    return Sample(tuple(sorted(probabilities)), tuple(probabilities[row] for row in sorted(probabilities)))


def allocation(sizes: Sequence[int], count: int) -> list[int]:
    """Divide a number of segments among strata in proportion to their sizes, by largest remainders.

    Every stratum gets at least one segment if there are enough.

    >>> allocation([60, 30, 10], 10)
    [6, 3, 1]
    >>> allocation([97, 2, 1], 5)
    [3, 1, 1]
    """
    total = sum(sizes)
    shares = [count * size // total for size in sizes]
    by_remainder = sorted(range(len(sizes)), key=lambda h: -(count * sizes[h] % total))
    for h in by_remainder[: count - sum(shares)]:
        shares[h] += 1
    if count >= len(sizes):
        for h in [h for h, share in enumerate(shares) if not share]:
            shares[max(range(len(sizes)), key=lambda other: shares[other])] -= 1
            shares[h] += 1
    return shares


def _rows(values: Sequence[str]) -> Mapping[str, list[int]]:
    """Return value -> its rows, in the order of first occurrence."""
    rows: dict[str, list[int]] = {}
    for row, value in enumerate(values):
        rows.setdefault(value, []).append(row)
    return rows


def _drawn(units: Sequence[T], count: int, noun: str, random: np.random.Generator) -> list[T]:
    if count > len(units):
        raise SettingsError(
            f"{noun}s: {count:,} found, at most {len(units):,} expected: the corpus has {len(units):,} "
            f"{plural(len(units), noun)}"
        )
    return [units[i] for i in random.permutation(len(units))[:count].tolist()]
