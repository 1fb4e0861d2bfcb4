"""Matched spans of an item, against all matchings of it, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from bleu_core.error_spans import OTHER_SEVERITY_CREDIT, PlacedSpan, match_spans, matching


def span(start: int, end: int, severity: int = 0, *, in_source: bool = False) -> PlacedSpan:
    return PlacedSpan(in_source, start, end, severity)


def all_matchings(first: int, second: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to match the first spans, from the last to the first, with different second ones or none."""
    if not first:
        yield []
        return
    for rest in all_matchings(first - 1, second):
        yield rest
        for j in second:
            if j not in {other for _, other in rest}:
                yield [*rest, (first - 1, j)]


def credits_of(
    first: Sequence[PlacedSpan], second: Sequence[PlacedSpan], pairs: Sequence[tuple[int, int]], factor: float
) -> tuple[float, float]:
    """Credits by sets of characters."""
    precision = recall = 0.0
    for i, j in pairs:
        a, b = ({(s.in_source, c) for c in range(s.start, s.end)} for s in (first[i], second[j]))
        credit = len(a & b) * (1 if first[i].severity == second[j].severity else factor)
        precision += credit / len(a)
        recall += credit / len(b)
    return precision, recall


def best_f1(first: Sequence[PlacedSpan], second: Sequence[PlacedSpan], factor: float) -> float:
    """The highest F1 of all matchings."""
    values = [0.0]
    for pairs in all_matchings(len(first), range(len(second))):
        precision, recall = credits_of(first, second, pairs, factor)
        values.append(f1_of(precision, recall, len(first), len(second)))
    return max(values)


def f1_of(precision: float, recall: float, first: int, second: int) -> float:
    if not first or not second or not precision:
        return 0.0
    return 2 / (first / precision + second / recall)


def random_spans(generator: np.random.Generator, most: int) -> list[PlacedSpan]:
    spans: list[PlacedSpan] = []
    for _ in range(int(generator.integers(most + 1))):
        start = int(generator.integers(20))
        end = start + int(generator.integers(1, 12))
        spans.append(span(start, end, int(generator.integers(2)), in_source=bool(generator.random() < 0.2)))
    return spans


@pytest.mark.parametrize("factor", [1.0, OTHER_SEVERITY_CREDIT, 0.0])
def test_the_matching_has_the_highest_f1_of_all(factor: float) -> None:
    generator = np.random.default_rng(7)
    conflicts = 0
    for _ in range(400):
        first, second = random_spans(generator, 4), random_spans(generator, 4)
        matched = match_spans(first, second, other_severity_credit=factor)
        expected = best_f1(first, second, factor)
        assert matched.is_optimal
        assert f1_of(matched.precision, matched.recall, len(first), len(second)) == pytest.approx(expected, abs=1e-12)
        conflicts += len(first) > 2 and len(second) > 2
    assert conflicts > 50


def test_credits_are_shares_of_each_span() -> None:
    assert match_spans([span(0, 10)], [span(5, 25)]) == (0.5, 0.25, True)


def test_spans_on_other_sides_do_not_match() -> None:
    assert match_spans([span(0, 10)], [span(0, 10, in_source=True)]) == (0.0, 0.0, True)


def test_a_span_is_matched_once() -> None:
    """Two halves of a span: the second is not matched, so that precision does not count both."""
    assert match_spans([span(0, 5), span(5, 10)], [span(0, 10)]) == (1.0, 0.5, True)


def test_another_severity_has_half_the_credit() -> None:
    first, second = [span(0, 4, 0)], [span(0, 4, 1)]
    assert match_spans(first, second) == (1.0, 1.0, True)
    assert match_spans(first, second, other_severity_credit=OTHER_SEVERITY_CREDIT) == (0.5, 0.5, True)


def test_swapped_sides_have_swapped_credits() -> None:
    generator = np.random.default_rng(3)
    for _ in range(200):
        first, second = random_spans(generator, 6), random_spans(generator, 6)
        one, other = match_spans(first, second), match_spans(second, first)
        f1s = [
            f1_of(m.precision, m.recall, a, b)
            for m, a, b in ((one, len(first), len(second)), (other, len(second), len(first)))
        ]
        assert f1s[0] == pytest.approx(f1s[1], abs=1e-12)


def test_too_many_overlapping_spans_are_matched_by_assignments(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a limit of no partial matchings, the result is never above the best, and equals it where it says so."""
    generator = np.random.default_rng(11)
    monkeypatch.setattr(matching, "MAX_PARTIAL_MATCHINGS", 0)
    optimal = 0
    for _ in range(200):
        first, second = random_spans(generator, 4), random_spans(generator, 4)
        matched = match_spans(first, second)
        value, best = f1_of(matched.precision, matched.recall, len(first), len(second)), best_f1(first, second, 1.0)
        assert value <= best + 1e-12
        if matched.is_optimal:
            optimal += 1
            assert value == pytest.approx(best, abs=1e-12)
    assert optimal > 150


def test_hundreds_of_nested_spans_end() -> None:
    first = [span(n, 400 - n) for n in range(100)]
    second = [span(2 * n, 401 - n) for n in range(100)]
    matched = match_spans(first, second)
    assert 0 < matched.precision <= 100
    assert 0 < matched.recall <= 100
