"""Which judge rates which segments: even loads, and pairs of judges who overlap evenly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from bleu_core.arrays import Integers

#: Swaps that are tried per segment to even out how pairs of judges overlap; at most so many in all.
SWAPS_PER_SEGMENT = 60
MAX_SWAPS = 20_000


def assign(segments: int, judges: int, ratings: int, random: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """Give each segment to some judges.

    Loads differ by at most one segment. As far as the size allows, the judges are connected through segments that two
    of them share, and pairs of judges share equally many.

    Args:
        segments: N.
        judges: J.
        ratings: judges per segment, at most J.
        random: decides between equal choices.

    Returns:
        For each judge the segments, from 0, ascending.
    """
    if ratings == judges:
        return (tuple(range(segments)),) * judges
    chosen = _first_choice(segments, judges, ratings, random)
    if ratings > 1:
        _even_out(chosen, judges, random)
    return tuple(tuple(s for s, panel in enumerate(chosen) if judge in panel) for judge in range(judges))


def overlaps(loads: Sequence[Sequence[int]]) -> list[int]:
    """The number of segments that each pair of judges shares, over all pairs."""
    return [len(set(one) & set(other)) for one, other in combinations(loads, 2)]


def components(loads: Sequence[Sequence[int]]) -> int:
    """Parts of the judges between which no segment is shared."""
    owner: dict[int, list[int]] = {}
    for judge, load in enumerate(loads):
        for segment in load:
            owner.setdefault(segment, []).append(judge)
    return len(set(_parts(len(loads), owner.values())))


def _parts(judges: int, panels: Iterable[Iterable[int]]) -> list[int]:
    """For each judge the lowest number among those it is connected with."""
    part = list(range(judges))

    def root(judge: int) -> int:
        while part[judge] != judge:
            part[judge] = part[part[judge]]
            judge = part[judge]
        return judge

    for panel in panels:
        first, *rest = (root(judge) for judge in panel)
        for other in rest:
            low, high = sorted((root(first), root(other)))
            part[high] = low
    return [root(judge) for judge in range(judges)]


def _first_choice(segments: int, judges: int, ratings: int, random: np.random.Generator) -> list[set[int]]:
    """Panels chosen one after the other: of the least loaded judges, those who connect parts and have met least."""
    load, met = [0] * judges, np.zeros((judges, judges), np.int64)
    part = list(range(judges))
    chosen: list[set[int]] = []
    for _ in range(segments):
        panel: list[int] = []
        ties = random.random(judges)
        for _ in range(ratings):
            together = met[panel].sum(axis=0) if panel else np.zeros(judges, np.int64)
            parts = {part[judge] for judge in panel}
            rest = (judge for judge in range(judges) if judge not in panel)
            best = [(load[j], part[j] in parts, int(together[j]), float(ties[j]), j) for j in rest]
            panel.append(min(best)[-1])
        for judge in panel:
            load[judge] += 1
            met[judge, panel] += 1
            met[judge, judge] -= 1
        joined, low = {part[judge] for judge in panel}, min(part[judge] for judge in panel)
        part = [low if of in joined else of for of in part]
        chosen.append(set(panel))
    return chosen


def _even_out(chosen: list[set[int]], judges: int, random: np.random.Generator) -> None:
    """Swap judges between segments where that connects more of them, or evens out how often pairs meet."""
    met = np.zeros((judges, judges), np.int64)
    for panel in chosen:
        for one, other in combinations(panel, 2):
            met[one, other] += 1
            met[other, one] += 1
    parts = len(set(_parts(judges, chosen)))
    tries = min(MAX_SWAPS, SWAPS_PER_SEGMENT * len(chosen)) if len(chosen) > 1 else 0
    pairs: list[list[int]] = random.integers(len(chosen), size=(tries, 2)).tolist()
    draws: list[list[float]] = random.random((tries, 2)).tolist()
    for (s, t), draw in zip(pairs, draws, strict=True):
        leaving, coming = sorted(chosen[s] - chosen[t]), sorted(chosen[t] - chosen[s])
        if not leaving:
            continue
        a, b = leaving[int(draw[0] * len(leaving))], coming[int(draw[1] * len(coming))]
        with_a, with_b = sorted(chosen[s] - {a}), sorted(chosen[t] - {b})
        change = _change(met, a, b, with_a) + _change(met, b, new=a, others=with_b, before=with_a)
        if change > 0 or (change == 0 and parts == 1):
            continue
        swapped = [*chosen]
        swapped[s], swapped[t] = {*with_a, b}, {*with_b, a}
        now = len(set(_parts(judges, swapped)))
        if now > parts or (now == parts and change >= 0):
            continue
        parts = now
        chosen[s], chosen[t] = swapped[s], swapped[t]
        for old, new, others in ((a, b, with_a), (b, a, with_b)):
            for other in others:
                met[old, other] -= 1
                met[other, old] -= 1
                met[new, other] += 1
                met[other, new] += 1


def _change(met: Integers, old: int, new: int, others: list[int], before: Sequence[int] = ()) -> int:
    """How the sum of squares of the meetings changes when one judge of a panel gives way to another, halved.

    Args:
        met: (J, J) meetings.
        old: the judge who goes.
        new: the judge who comes.
        others: the rest of the panel.
        before: the rest of the panel in which the two have just changed the other way.
    """
    change = 0
    for other in others:
        back = 1 if other in before else 0  # the other panel has added to `old` and taken from `new`
        change += int(met[new, other]) - back - (int(met[old, other]) + back) + 1
    return change
