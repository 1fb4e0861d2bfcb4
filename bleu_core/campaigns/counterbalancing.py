"""Counterbalancing: the order of the systems within segments, and the dispersion of segments over a judge's list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from bleu_core.arrays import Integers

#: Minimum number of places between two translations of a segment.
MIN_SPACING = 10
#: Steps of the search for odd numbers of systems, for which no single square is balanced.
SEARCH_STEPS = 3000
#: Relabellings compared per judge, and passes over all judges.
RELABELLINGS = 60
PASSES = 3

Order = tuple[int, ...]


def spacing(segments: int) -> int:
    """Return the minimum number of places between two translations of a segment: 10, or fewer for short lists.

    >>> spacing(50), spacing(7), spacing(1)
    (10, 6, 0)
    """
    return max(0, min(MIN_SPACING, segments - 1))


def williams_square(systems: int) -> tuple[Order, ...]:
    """Return K orders of K systems: each system is once in each position and, for even K, once after each other one.

    For odd K the systems follow each other equally often in the union of this square and its mirror image.

    Source:
        Williams (1949), Experimental designs balanced for the estimation of residual effects of treatments.
    """
    first = [(p + 1) // 2 if p % 2 else -(p // 2) for p in range(systems)]
    return tuple(tuple((system + row) % systems for system in first) for row in range(systems))


def counts(orders: Sequence[Order], systems: int) -> tuple[Integers, Integers]:
    """Count how often each system is in each position, (K, K), and follows each other one, (K, K), diagonal -1."""
    positions, successions = np.zeros((systems, systems), np.int64), np.zeros((systems, systems), np.int64)
    for order in orders:
        positions[list(order), range(systems)] += 1
        successions[list(order[:-1]), list(order[1:])] += 1
    np.fill_diagonal(successions, -1)
    return positions, successions


def spread(positions: Integers, successions: Integers) -> tuple[int, int]:
    """Return the ranges of the counts of positions and of successions."""
    others = successions[successions >= 0]
    return int(np.ptp(positions)), int(np.ptp(others)) if len(others) else 0


def balanced_orders(loads: Sequence[int], systems: int, random: np.random.Generator) -> list[list[Order]]:
    """Return balanced orders of the systems for the segments of each judge.

    For even K the counts of positions and successions differ by at most one, within each judge and over all judges:
    each judge continues in a Williams square where the previous one stopped. For odd K a square and its mirror image
    alternate; the remaining segments of a judge, fewer than two squares, get orders found by search, which balances
    positions first, and the systems of each judge are relabelled to balance the counts over all judges.

    Args:
        loads: number of segments of each judge.
        systems: number of systems K.
        random: relabels the systems.

    Returns:
        For each judge one order per segment, shuffled.
    """
    labels = random.permutation(systems).tolist()
    by_judge: list[list[Order]] = []
    if systems % 2 == 0 or systems == 1:
        square, place = williams_square(systems), 0
        for load in loads:
            rows = [square[(place + n) % systems] for n in range(load)]
            place += load
            by_judge.append([tuple(labels[k] for k in row) for row in rows])
    else:
        square = williams_square(systems)
        square_pair = (*square, *(row[::-1] for row in square))
        remainders = _even_totals(
            [list(search_orders(systems, load % len(square_pair))) for load in loads], systems, random
        )
        by_judge = [
            [*(square_pair * (load // len(square_pair))), *remainder]
            for load, remainder in zip(loads, remainders, strict=True)
        ]
    return [[orders[i] for i in random.permutation(len(orders)).tolist()] for orders in by_judge]


def _even_totals(rows: list[list[Order]], systems: int, random: np.random.Generator) -> list[list[Order]]:
    """Relabel the systems of each judge, and mirror the orders, to balance the counts over all judges.

    Neither changes the balance within a judge. In each pass, every judge in turn gets the labels that balance the
    totals best.
    """
    relabelled = [list(orders) for orders in rows]
    totals = counts([order for orders in relabelled for order in orders], systems)
    for judge in [*range(len(rows))] * PASSES:
        _add(totals, relabelled[judge], -1)
        candidates: list[tuple[tuple[int, int, int], list[Order]]] = []
        for n in range(RELABELLINGS):
            labels = random.permutation(systems).tolist()
            candidate = [tuple(labels[k] for k in order[:: 1 if n % 2 else -1]) for order in rows[judge]]
            _add(totals, candidate, 1)
            candidates.append(((int((totals[0] ** 2).sum() + (totals[1] ** 2).sum()), *spread(*totals)), candidate))
            _add(totals, candidate, -1)
        relabelled[judge] = min(candidates)[1]
        _add(totals, relabelled[judge], 1)
    return relabelled


def _add(totals: tuple[Integers, Integers], orders: Sequence[Order], factor: int) -> None:
    for total, count in zip(totals, counts(orders, systems=len(totals[0])), strict=True):
        total += factor * count  # noqa: PLW2901 # in place
    np.fill_diagonal(totals[1], -1)


@cache
def search_orders(systems: int, count: int) -> tuple[Order, ...]:
    """Search for a few orders whose counts of positions, then of successions, are as even as possible.

    Simulated annealing with a fixed seed: it starts from rows of a Williams square and its mirror image, and swaps two
    systems of an order or replaces an order.

    Args:
        systems: number of systems K.
        count: number of orders, fewer than 2 K.
    """
    square = williams_square(systems)
    rows = [*square, *(row[::-1] for row in square)][:count]
    if count == 0:
        return ()
    random = np.random.default_rng([systems, count])
    best, best_value = list(rows), spread(*counts(rows, systems))
    cost = _cost(rows, systems)
    for step in range(SEARCH_STEPS):
        if max(best_value) <= 1:
            break
        i = int(random.integers(count))
        changed = list(rows[i])
        if random.random() < 0.5:  # noqa: PLR2004 # one of two moves
            a, b = random.permutation(systems)[:2].tolist()
            changed[a], changed[b] = changed[b], changed[a]
        else:
            changed = random.permutation(systems).tolist()
        candidate = [*rows[:i], tuple(changed), *rows[i + 1 :]]
        candidate_cost = _cost(candidate, systems)
        if candidate_cost <= cost or random.random() < np.exp(
            (cost - candidate_cost) / (4 * (1 - step / SEARCH_STEPS) + 0.1)
        ):
            rows, cost = candidate, candidate_cost
            value = spread(*counts(rows, systems))
            if value < best_value:
                best, best_value = list(rows), value
    return tuple(best)


def _cost(rows: Sequence[Order], systems: int) -> int:
    positions, successions = counts(rows, systems)
    return int(2 * (positions**2).sum() + (successions**2).sum())


def dispersed(segments: int, rounds: int, random: np.random.Generator) -> list[list[int]]:
    """Draw K random permutations of the segments with a minimum spacing between occurrences of a segment.

    A segment occurs at least `spacing` places after its previous place, so that its position in a round is at most
    N - spacing smaller than in the previous round. All admissible segments are equally likely. There always is one: at
    least t + 1 of N segments are admissible in place t or before.

    Args:
        segments: number of segments N.
        rounds: number of rounds K.
        random: draws the permutations.
    """
    slack = segments - spacing(segments)
    permutations = [random.permutation(segments).tolist()]
    for _ in range(rounds - 1):
        previous = list(permutations[-1])
        admissible: list[int] = previous[:slack]
        permutation: list[int] = []
        for place in range(segments):
            if place + slack < segments:
                admissible.append(previous[place + slack])
            i = int(random.integers(len(admissible)))
            admissible[i], admissible[-1] = admissible[-1], admissible[i]
            permutation.append(admissible.pop())
        permutations.append(permutation)
    return permutations
