"""Assignment of segments to judges, with even loads and even overlaps between pairs of judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from bleu_core.arrays import Integers

#: Swaps tried per segment to even out the overlaps between pairs of judges, and the maximum number of swaps.
SWAPS_PER_SEGMENT = 60
MAX_SWAPS = 20_000


def assign(segments: int, judges: int, ratings: int, random: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """Assign each segment to some of the judges.

    Loads differ by at most one segment. As far as the numbers allow, all judges are connected through shared segments,
    and all pairs of judges share equally many.

    Args:
        segments: number of segments N.
        judges: number of judges J.
        ratings: judges per segment, at most J.
        random: breaks ties.

    Returns:
        The segments of each judge, from 0, ascending.
    """
    if ratings == judges:
        return (tuple(range(segments)),) * judges
    panels = _initial_panels(segments, judges, ratings, random)
    if ratings > 1:
        _even_out(panels, judges, random)
    return tuple(tuple(s for s, panel in enumerate(panels) if judge in panel) for judge in range(judges))


def overlaps(loads: Sequence[Sequence[int]]) -> list[int]:
    """Return the number of shared segments of each pair of judges."""
    return [len(set(load) & set(other_load)) for load, other_load in combinations(loads, 2)]


def components(loads: Sequence[Sequence[int]]) -> int:
    """Return the number of connected components of the judges, who are connected by shared segments."""
    judges_of: dict[int, list[int]] = {}
    for judge, load in enumerate(loads):
        for segment in load:
            judges_of.setdefault(segment, []).append(judge)
    return len(set(_component_labels(len(loads), judges_of.values())))


def _component_labels(judges: int, panels: Iterable[Iterable[int]]) -> list[int]:
    """Return for each judge the lowest number in the judge's connected component."""
    parent = list(range(judges))

    def root(judge: int) -> int:
        while parent[judge] != judge:
            parent[judge] = parent[parent[judge]]
            judge = parent[judge]
        return judge

    for panel in panels:
        first, *rest = (root(judge) for judge in panel)
        for other in rest:
            low, high = sorted((root(first), root(other)))
            parent[high] = low
    return [root(judge) for judge in range(judges)]


def _initial_panels(segments: int, judges: int, ratings: int, random: np.random.Generator) -> list[set[int]]:
    """Choose panels greedily: the least loaded judges first, then those who join components and share the least."""
    load, shared = [0] * judges, np.zeros((judges, judges), np.int64)
    component = list(range(judges))
    panels: list[set[int]] = []
    for _ in range(segments):
        panel: list[int] = []
        ties = random.random(judges)
        for _ in range(ratings):
            together = shared[panel].sum(axis=0) if panel else np.zeros(judges, np.int64)
            panel_components = {component[judge] for judge in panel}
            candidates = (judge for judge in range(judges) if judge not in panel)
            best = [
                (
                    load[candidate],
                    component[candidate] in panel_components,
                    int(together[candidate]),
                    float(ties[candidate]),
                    candidate,
                )
                for candidate in candidates
            ]
            panel.append(min(best)[-1])
        for judge in panel:
            load[judge] += 1
            shared[judge, panel] += 1
            shared[judge, judge] -= 1
        joined, low = {component[judge] for judge in panel}, min(component[judge] for judge in panel)
        component = [low if of in joined else of for of in component]
        panels.append(set(panel))
    return panels


def _even_out(panels: list[set[int]], judges: int, random: np.random.Generator) -> None:
    """Swap judges between segments if that connects more of them, or evens out the overlaps between pairs."""
    shared = np.zeros((judges, judges), np.int64)
    for panel in panels:
        for first, second in combinations(panel, 2):
            shared[first, second] += 1
            shared[second, first] += 1
    components = len(set(_component_labels(judges, panels)))
    n_swaps = min(MAX_SWAPS, SWAPS_PER_SEGMENT * len(panels)) if len(panels) > 1 else 0
    pairs: list[list[int]] = random.integers(len(panels), size=(n_swaps, 2)).tolist()
    draws: list[list[float]] = random.random((n_swaps, 2)).tolist()
    for (s, t), draw in zip(pairs, draws, strict=True):
        only_first, only_second = sorted(panels[s] - panels[t]), sorted(panels[t] - panels[s])
        if not only_first:
            continue
        a, b = only_first[int(draw[0] * len(only_first))], only_second[int(draw[1] * len(only_second))]
        with_a, with_b = sorted(panels[s] - {a}), sorted(panels[t] - {b})
        change = _change(shared, a, b, with_a) + _change(shared, b, new=a, others=with_b, before=with_a)
        if change > 0 or (change == 0 and components == 1):
            continue
        swapped = [*panels]
        swapped[s], swapped[t] = {*with_a, b}, {*with_b, a}
        after = len(set(_component_labels(judges, swapped)))
        if after > components or (after == components and change >= 0):
            continue
        components = after
        panels[s], panels[t] = swapped[s], swapped[t]
        for old, new, others in ((a, b, with_a), (b, a, with_b)):
            for second in others:
                shared[old, second] -= 1
                shared[second, old] -= 1
                shared[new, second] += 1
                shared[second, new] += 1


def _change(shared: Integers, old: int, new: int, others: list[int], before: Sequence[int] = ()) -> int:
    """Return half the change of the sum of squared overlaps when one judge of a panel is replaced by another.

    Args:
        shared: (J, J) numbers of shared segments.
        old: the judge who is replaced.
        new: the replacement.
        others: the other judges of the panel.
        before: the other judges of the panel in which `new` has just been replaced by `old`.
    """
    change = 0
    for other in others:
        correction = 1 if other in before else 0  # the first replacement added to `old` and took from `new`
        change += int(shared[new, other]) - correction - (int(shared[old, other]) + correction) + 1
    return change
