"""Agreement of spans, against a plain second computation over pairs of items."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np
import pytest

from bleu_core.dataset import Annotator
from bleu_core.error_spans import SpanAgreement, SpanPair, span_agreement
from tests.marked_errors import Error, Item, annotated, error

METRIC = Annotator("xCOMET", None, is_metric=True)


def random_items(
    generator: np.random.Generator, segments: int, annotators: Sequence[Annotator | str], *, share: float = 1.0
) -> list[Item]:
    items: list[Item] = []
    for segment, system, annotator in product(range(segments), "AB", annotators):
        if generator.random() < share:
            errors: list[Error] = []
            for _ in range(generator.choice([0, 0, 1, 2, 3])):
                start = int(generator.integers(12))
                severity = str(generator.choice(["minor", "major"]))
                place = (start, start + int(generator.integers(1, 8))) if generator.random() < 0.9 else (None, None)
                errors.append(error(*place, severity, in_source=bool(generator.random() < 0.1)))
            items.append((system, segment, annotator, errors))
    return items


def matchings(first: int, second: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    if not first:
        yield []
        return
    for rest in matchings(first - 1, second):
        yield rest
        yield from ([*rest, (first - 1, j)] for j in second if j not in {other for _, other in rest})


def plain_sums(items: Sequence[Item], one: str, other: str, factor: float) -> np.ndarray:
    """Sums of credits and spans of two annotators: for each item, of the matching with the highest F1."""
    marked = {(system, segment, getattr(a, "name", a)): errors for system, segment, a, errors in items}
    sums = np.zeros(4)
    for system, segment, name in marked:
        if name != one or (system, segment, other) not in marked:
            continue
        first, second = ([e for e in marked[system, segment, who] if e[0] is not None] for who in (one, other))
        best = (0.0, 0.0, 0.0, 0.0, 0.0)
        for pairs in matchings(len(first), range(len(second))):
            precision = recall = 0.0
            for i, j in pairs:
                (a, severity, _, side), (b, other_severity, _, other_side) = first[i], second[j]
                assert a is not None
                assert b is not None
                shared = len(set(range(*a)) & set(range(*b))) if side == other_side else 0
                credit = shared * (1.0 if severity == other_severity else factor)
                precision, recall = precision + credit / (a[1] - a[0]), recall + credit / (b[1] - b[0])
            if precision:
                p, r = precision / len(first), recall / len(second)
                best = max(best, (round(2 * p * r / (p + r), 12), p + r, p, precision, recall))
        sums += [best[3], len(first), best[4], len(second)]
    return sums


def measures(sums: np.ndarray) -> tuple[float, float, float]:
    precision, recall = sums[0] / sums[1], sums[2] / sums[3]
    return precision, recall, 2 * precision * recall / (precision + recall)


def of(agreement: SpanAgreement, first: str, second: str) -> SpanPair:
    return next(pair for pair in agreement.pairs if (pair.first, pair.second) == (first, second))


def test_all_pairs_equal_a_plain_second_computation() -> None:
    generator = np.random.default_rng(1)
    judges = ["J1", "J2", "J3"]
    items = random_items(generator, 25, [*judges, METRIC], share=0.8)
    agreement = span_agreement(annotated(*items), resamples=10)
    assert {(pair.kind, pair.first, pair.second) for pair in agreement.pairs} == {
        *(("judges", *pair) for pair in combinations(judges, 2)),
        ("all judges", "a judge", "another judge"),
        ("metric", "xCOMET", "judges"),
    }
    for attribute, factor in (("scores", 1.0), ("with_severity", 0.5)):
        by_pair = {pair: plain_sums(items, *pair, factor) for pair in combinations(judges, 2)}
        pooled = sum(sums + sums[[2, 3, 0, 1]] for sums in by_pair.values())
        of_metric = sum(plain_sums(items, "xCOMET", judge, factor) for judge in judges)
        expected = by_pair | {("a judge", "another judge"): pooled, ("xCOMET", "judges"): of_metric}
        for names, sums in expected.items():
            found = getattr(of(agreement, *names), attribute)
            assert (found.precision, found.recall, found.f1) == pytest.approx(measures(np.asarray(sums)))
    pooled_row = of(agreement, "a judge", "another judge")
    assert pooled_row.scores.precision == pooled_row.scores.recall == pytest.approx(pooled_row.scores.f1)
    assert agreement.left_out == sum(e[0] is None for *_, errors in items for e in errors)
    assert agreement.not_optimal == 0


def test_equal_spans_agree_fully_and_their_severities_by_half() -> None:
    items: list[Item] = [
        ("A", s, j, [error(s, s + 3, "minor" if j == "J1" else "major")]) for s in range(8) for j in ("J1", "J2")
    ]
    pair = span_agreement(annotated(*items)).pairs[0]
    assert (pair.scores.precision, pair.scores.recall, pair.scores.f1) == (1, 1, 1)
    assert pair.with_severity.f1 == 0.5
    assert (pair.scores.f1_interval.low, pair.scores.f1_interval.high) == (1, 1)
    assert (pair.unit, pair.units, pair.items, pair.first_spans, pair.second_spans) == ("segment", 8, 8, 8, 8)


def test_items_without_errors_change_nothing() -> None:
    marked: list[Item] = [("A", 0, "J1", [error(0, 4)]), ("A", 0, "J2", [error(2, 4)])]
    empty: list[Item] = [("A", s, j, []) for s in range(1, 5) for j in ("J1", "J2")]
    one, many = (span_agreement(annotated(*items)).pairs[0] for items in (marked, [*marked, *empty]))
    assert one.scores.precision == many.scores.precision == 0.5
    assert one.scores.recall == many.scores.recall == 1.0
    assert (one.items, many.items) == (1, 5)


def test_without_any_span_nothing_is_defined_and_the_reason_is_given() -> None:
    items: list[Item] = [("A", s, j, []) for s in range(8) for j in ("J1", "J2")]
    pair = span_agreement(annotated(*items)).pairs[0]
    assert all(map(math.isnan, (pair.scores.precision, pair.scores.recall, pair.scores.f1)))
    assert pair.reason == "neither has marked an error with a place in the text"


def test_spans_of_one_annotator_alone_have_an_f1_of_0_and_one_undefined_measure() -> None:
    items: list[Item] = [("A", s, j, [error(0, 2)] if j == "J1" else []) for s in range(8) for j in ("J1", "J2")]
    pair = span_agreement(annotated(*items)).pairs[0]
    assert (pair.scores.precision, pair.scores.f1) == (0, 0)
    assert math.isnan(pair.scores.recall)
    assert pair.reason == "J2 has marked no error with a place in the text"


def test_annotators_without_common_items_have_no_pair() -> None:
    agreement = span_agreement(annotated(("A", 0, "J1", [error(0, 1)]), ("A", 1, "J2", [error(0, 1)])))
    assert agreement.pairs == ()
    assert agreement.reason.startswith("no two annotators")


def test_intervals_are_over_documents_if_there_are_at_least_10() -> None:
    generator = np.random.default_rng(9)
    given = annotated(*random_items(generator, 60, ["J1", "J2"]))
    over_segments = span_agreement(given).pairs[0]
    over_documents = span_agreement(given, [str(s // 5) for s in range(60)]).pairs[0]
    over_nine = span_agreement(given, [str(min(s // 5, 8)) for s in range(60)]).pairs[0]
    assert [(p.unit, p.units) for p in (over_segments, over_documents, over_nine)] == [
        ("segment", 60),
        ("document", 12),
        ("segment", 60),
    ]
    for pair in (over_segments, over_documents):
        assert pair.scores.f1_interval.low < pair.scores.f1 < pair.scores.f1_interval.high
    assert over_segments.scores == over_nine.scores


def test_intervals_are_percentiles_of_resampled_segments() -> None:
    generator = np.random.default_rng(13)
    items = random_items(generator, 50, ["J1", "J2"])
    pair = span_agreement(annotated(*items), resamples=2000).pairs[0]
    by_segment = np.array([plain_sums([i for i in items if i[1] == s], "J1", "J2", 1.0) for s in range(50)])
    draws = [measures(by_segment[generator.integers(50, size=50)].sum(axis=0))[2] for _ in range(2000)]
    low, high = np.quantile(draws, [0.025, 0.975])
    assert pair.scores.f1_interval.low == pytest.approx(low, abs=0.02)
    assert pair.scores.f1_interval.high == pytest.approx(high, abs=0.02)


def test_names_that_occur_twice_have_their_group_or_kind() -> None:
    who = [Annotator("J", "experts"), Annotator("J", "crowd"), Annotator("J", None, is_metric=True)]
    agreement = span_agreement(annotated(*[("A", 0, a, [error(0, 1)]) for a in who]))
    assert [(pair.first, pair.second) for pair in agreement.pairs] == [
        ("J (experts)", "J (crowd)"),
        ("J (metric)", "judges"),
    ]
