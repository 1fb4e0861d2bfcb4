"""Orders: which translation of a segment a judge sees first, second and so on, and in which places of the list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from bleu_core.arrays import Integers

#: Places between two translations of a segment, at least.
SPACING = 10
#: Steps of the search where no square is balanced (an odd number of systems), and relabellings that are compared.
SEARCH_STEPS = 3000
RELABELLINGS = 60
SWEEPS = 3

Order = tuple[int, ...]


def spacing(segments: int) -> int:
    """Places between two translations of a segment at least: 10, fewer where a judge has few segments.

    >>> spacing(50), spacing(7), spacing(1)
    (10, 6, 0)
    """
    return max(0, min(SPACING, segments - 1))


def williams_square(systems: int) -> tuple[Order, ...]:
    """K orders of K systems: each system is once in each position and, for even K, follows each other one once.

    For odd K the systems follow each other equally often in this square and its mirror image together.

    Source:
        Williams (1949), Experimental designs balanced for the estimation of residual effects of treatments.
    """
    first = [(p + 1) // 2 if p % 2 else -(p // 2) for p in range(systems)]
    return tuple(tuple((system + row) % systems for system in first) for row in range(systems))


def counts(orders: Sequence[Order], systems: int) -> tuple[Integers, Integers]:
    """How often each system is in each position, (K, K), and follows each other one, (K, K), -1 on the diagonal."""
    positions, successions = np.zeros((systems, systems), np.int64), np.zeros((systems, systems), np.int64)
    for order in orders:
        positions[list(order), range(systems)] += 1
        successions[list(order[:-1]), list(order[1:])] += 1
    np.fill_diagonal(successions, -1)
    return positions, successions


def spread(positions: Integers, successions: Integers) -> tuple[int, int]:
    """The largest minus the smallest number, of positions and of successions."""
    others = successions[successions >= 0]
    return int(np.ptp(positions)), int(np.ptp(others)) if len(others) else 0


def balanced_orders(loads: Sequence[int], systems: int, random: np.random.Generator) -> list[list[Order]]:
    """Orders of the systems for the segments of each judge.

    For even K all numbers of positions and of successions differ by at most one, within each judge and over all
    judges: each judge continues where the one before has stopped in a Williams square. For odd K squares of two kinds
    alternate; the rest of a judge's segments, fewer than both squares hold, has orders found by search, positions
    first, and the judges' systems are relabelled so that the numbers over all judges are even.

    Args:
        loads: of each judge, the number of segments.
        systems: K.
        random: labels the systems.

    Returns:
        For each judge as many orders as segments, shuffled.
    """
    labels = random.permutation(systems).tolist()
    found: list[list[Order]] = []
    if systems % 2 == 0 or systems == 1:
        square, place = williams_square(systems), 0
        for load in loads:
            rows = [square[(place + n) % systems] for n in range(load)]
            place += load
            found.append([tuple(labels[k] for k in row) for row in rows])
    else:
        square = williams_square(systems)
        both = (*square, *(row[::-1] for row in square))
        rests = _even_totals([list(search_orders(systems, load % len(both))) for load in loads], systems, random)
        found = [[*(both * (load // len(both))), *rest] for load, rest in zip(loads, rests, strict=True)]
    return [[orders[i] for i in random.permutation(len(orders)).tolist()] for orders in found]


def _even_totals(rows: list[list[Order]], systems: int, random: np.random.Generator) -> list[list[Order]]:
    """Relabel the systems of each judge, and mirror the orders, so that the numbers over all judges are even.

    Neither changes how even the numbers within a judge are. Each judge in turn, and all of them a second time, gets
    those labels that fit the others best.
    """
    found = [list(of_judge) for of_judge in rows]
    totals = counts([order for of_judge in found for order in of_judge], systems)
    for judge in [*range(len(rows))] * SWEEPS:
        _add(totals, found[judge], -1)
        choices: list[tuple[tuple[int, int, int], list[Order]]] = []
        for n in range(RELABELLINGS):
            labels = random.permutation(systems).tolist()
            tried = [tuple(labels[k] for k in order[:: 1 if n % 2 else -1]) for order in rows[judge]]
            _add(totals, tried, 1)
            choices.append(((int((totals[0] ** 2).sum() + (totals[1] ** 2).sum()), *spread(*totals)), tried))
            _add(totals, tried, -1)
        found[judge] = min(choices)[1]
        _add(totals, found[judge], 1)
    return found


def _add(totals: tuple[Integers, Integers], orders: Sequence[Order], sign: int) -> None:
    for total, count in zip(totals, counts(orders, systems=len(totals[0])), strict=True):
        total += sign * count  # noqa: PLW2901 # in place
    np.fill_diagonal(totals[1], -1)


@cache
def search_orders(systems: int, count: int) -> tuple[Order, ...]:
    """A few orders, the numbers of whose positions, and then of whose successions, differ as little as can be found.

    The search begins with rows of a Williams square and its mirror image and exchanges two systems of an order, or
    one order for another, as long as that makes the numbers no less even on the way (simulated annealing, seeded).

    Args:
        systems: K.
        count: of orders, fewer than 2 K.
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
        tried = [*rows[:i], tuple(changed), *rows[i + 1 :]]
        new = _cost(tried, systems)
        if new <= cost or random.random() < np.exp((cost - new) / (4 * (1 - step / SEARCH_STEPS) + 0.1)):
            rows, cost = tried, new
            value = spread(*counts(rows, systems))
            if value < best_value:
                best, best_value = list(rows), value
    return tuple(best)


def _cost(rows: Sequence[Order], systems: int) -> int:
    positions, successions = counts(rows, systems)
    return int(2 * (positions**2).sum() + (successions**2).sum())


def dispersed(segments: int, rounds: int, random: np.random.Generator) -> list[list[int]]:
    """K rounds through the segments, in each of which every segment comes once.

    A segment comes `spacing` places after its last place at the earliest: in a round, at most N - spacing places
    sooner than in the round before. Of the segments that may come, each is as likely as any other. There always is
    one: of N segments, at least t + 1 may come in place t or before.

    Args:
        segments: N.
        rounds: K.
        random: draws the orders.
    """
    slack = segments - spacing(segments)
    found = [random.permutation(segments).tolist()]
    for _ in range(rounds - 1):
        coming = list(found[-1])
        ready: list[int] = coming[:slack]
        chosen: list[int] = []
        for place in range(segments):
            if place + slack < segments:
                ready.append(coming[place + slack])
            i = int(random.integers(len(ready)))
            ready[i], ready[-1] = ready[-1], ready[i]
            chosen.append(ready.pop())
        found.append(chosen)
    return found
