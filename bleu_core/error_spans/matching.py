"""Matching of the error spans of two annotators of one item, with partial overlap and partial credit.

Each span is matched with at most one span of the other annotator, on the same side (source or translation), with which
it shares characters. A matched pair with an overlap of o characters adds o divided by the length of the first span to
the credit of precision, and o divided by the length of the second span to that of recall. Of all matchings of an item,
the one with the highest F1 counts.

Source:
    Perrella, Morales Agostinho and Zaragoza (2026), "Span-Level Machine Translation Meta-Evaluation", arXiv 2603.19921:
    match with partial overlap and partial credit (MPP), one to one and optimal, as in the authors' package
    span-mt-metrics-eval. The factor for different severities is its `severity_penalty`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

#: Factor of the credit of two spans of different severity, where severities count.
OTHER_SEVERITY_CREDIT = 0.5

#: F1 that differ by less are equal.
TOLERANCE = 1e-12

#: Maximum number of partial matchings of an item that are compared at once. Only items in which dozens of spans of both
#: annotators overlap each other have more; their matching is then the best that is found without comparing all.
MAX_PARTIAL_MATCHINGS = 2_000

#: Maximum number of assignments that are tried for such an item.
MAX_ASSIGNMENTS = 50


class PlacedSpan(NamedTuple):
    """A span with a place in the text.

    Attributes:
        in_source: whether it is in the source, not in the translation.
        start: index of its first character.
        end: index after its last character, larger than start.
        severity: number of the severity.
    """

    in_source: bool
    start: int
    end: int
    severity: int


class Credits(NamedTuple):
    """Sums of the credits of matched spans of an item.

    Attributes:
        precision: over the spans of the first annotator, at most their number.
        recall: over those of the second.
        is_optimal: whether no other matching has a higher F1 for certain.
    """

    precision: float
    recall: float
    is_optimal: bool = True


#: Credits of precision and recall of a possible pair, by the position of the second span.
_Candidates = Mapping[int, tuple[float, float]]


def match_spans(
    first: Sequence[PlacedSpan], second: Sequence[PlacedSpan], *, other_severity_credit: float = 1.0
) -> Credits:
    """Match the spans of two annotators of an item one to one, so that F1 is highest.

    Args:
        first: spans of the first annotator.
        second: spans of the second.
        other_severity_credit: factor of the credit of two spans of different severity, 0 to 1; 1 to ignore severities.
    """
    first, second = sorted(first), sorted(second)
    candidates = [_candidates(span, second, other_severity_credit) for span in first]
    possible = [j for of_span in candidates for j in of_span]
    if len(possible) == len(set(possible)) and all(len(of_span) <= 1 for of_span in candidates):
        pairs = [credit for of_span in candidates for credit in of_span.values()]
        return Credits(sum(p for p, _ in pairs), sum(r for _, r in pairs))
    matchings = _undominated(candidates)
    if matchings is None:
        return _by_assignments(candidates, len(second))
    return Credits(*max(matchings, key=lambda credit: _preference(*credit, len(first), len(second))))


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of precision and recall; 0 if both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _candidates(span: PlacedSpan, others: Sequence[PlacedSpan], other_severity_credit: float) -> _Candidates:
    """Return the spans that a span can be matched with, with the credits."""
    credits_by_position: dict[int, tuple[float, float]] = {}
    for position, other in enumerate(others):
        overlap = min(span.end, other.end) - max(span.start, other.start)
        factor = 1.0 if span.severity == other.severity else other_severity_credit
        if span.in_source == other.in_source and overlap > 0 and factor > 0:
            credits_by_position[position] = (
                factor * overlap / (span.end - span.start),
                factor * overlap / (other.end - other.start),
            )
    return credits_by_position


def _preference(precision: float, recall: float, first: int, second: int) -> tuple[float, float, float]:
    """Return the key by which matchings are compared: F1, then the sum of precision and recall, then precision."""
    of_first, of_second = precision / first, recall / second
    return round(f1(of_first, of_second) / TOLERANCE), of_first + of_second, of_first


def _undominated(candidates: Sequence[_Candidates]) -> list[tuple[float, float]] | None:
    """Return the credits of matchings to which no other is at least equal in both; None if there are too many.

    Spans are matched in their order. Matchings of the spans so far that use the same spans of the other side, among
    those that can still be needed, differ in their credits only; those that are dominated cannot lead to a higher F1,
    which increases with both credits.
    """
    last_use = {j: i for i, of_span in enumerate(candidates) for j in of_span}
    states: dict[frozenset[int], list[tuple[float, float]]] = {frozenset(): [(0.0, 0.0)]}
    for i, of_span in enumerate(candidates):
        following: dict[frozenset[int], list[tuple[float, float]]] = {}
        for used, matchings in states.items():
            options = [(used, 0.0, 0.0)]
            options += [(used | {j}, p, r) for j, (p, r) in of_span.items() if j not in used]
            for then_used, precision, recall in options:
                needed = frozenset(j for j in then_used if last_use[j] > i)
                following.setdefault(needed, []).extend((p + precision, r + recall) for p, r in matchings)
        states = {used: _front(matchings) for used, matchings in following.items()}
        if sum(map(len, states.values())) > MAX_PARTIAL_MATCHINGS:
            return None
    return states[frozenset()]


def _front(matchings: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the credits that are not dominated."""
    front: list[tuple[float, float]] = []
    best_recall = -1.0
    for precision, recall in sorted(matchings, reverse=True):
        if recall > best_recall:
            front.append((precision, recall))
            best_recall = recall
    return front


def _by_assignments(candidates: Sequence[_Candidates], second: int) -> Credits:
    """Return a matching by linear assignments, which is optimal if none has a higher first-order bound.

    F1 is concave and homogeneous in precision and recall, so that its gradient at a matching, as weights of the two
    credits, bounds the F1 of every other matching by its weighted credit.
    """
    from scipy import optimize  # loaded when first needed: scoring does without

    first = len(candidates)
    credit = np.zeros((2, first, second))
    for i, of_span in enumerate(candidates):
        for j, pair in of_span.items():
            credit[:, i, j] = pair
    credit[0] /= first
    credit[1] /= second
    weights = np.array([0.5, 0.5])
    best = np.zeros(2)
    is_optimal = False
    for _ in range(MAX_ASSIGNMENTS):
        rows, columns = optimize.linear_sum_assignment(np.tensordot(weights, credit, 1), maximize=True)
        matched = credit[:, rows, columns].sum(axis=1)
        if f1(*best) > 0 and float(weights @ matched) <= f1(*best) + TOLERANCE:
            is_optimal = True
            break
        if f1(*matched) <= f1(*best) + TOLERANCE:
            break
        best = matched
        weights = 2 * np.square(best[::-1]) / np.square(best.sum())
    return Credits(float(best[0]) * first, float(best[1]) * second, is_optimal)
