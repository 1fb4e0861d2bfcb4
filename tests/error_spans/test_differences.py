"""Differences of error rates: on common segments, against shuffles and corrections written out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from bleu_core.dataset import ErrorAnnotations
from bleu_core.error_spans import AdjustedErrors, ErrorDifferences, error_differences
from bleu_core.errors import SettingsError
from bleu_core.inference import adjust
from tests.marked_errors import Item, annotated, error

SEVERITIES = ("minor", "major")


def random_items(
    generator: np.random.Generator, segments: int, judges: Sequence[str], *, extra: float = 0.0
) -> list[Item]:
    """Errors by chance; the system A has more major ones, on average."""
    return [
        (
            system,
            segment,
            judge,
            [error(1, 5, "minor") for _ in range(generator.poisson(0.6))]
            + [error(1, 5, "major") for _ in range(generator.poisson(0.3 + extra * (system == "A")))],
        )
        for segment in range(segments)
        for system in "AB"
        for judge in judges
    ]


def compared(given: ErrorAnnotations, tokens: np.ndarray, documents: Sequence[str] | None = None) -> ErrorDifferences:
    return error_differences(given, tokens, "A", "B", documents=documents, trials=2000)


def plain_p(counts: np.ndarray, tokens: np.ndarray, units: np.ndarray, draws: int) -> float:
    """The share of swaps of (2, S) counts, by units, with a difference as large as the observed one.

    Counts are in proportion to the tokens of their system, so that differences are those of rates.
    """
    total = tokens.mean(axis=0).sum()
    in_proportion = counts * (total / tokens.sum(axis=1))[:, None]

    def difference(c: np.ndarray) -> float:
        return abs(float(1000 * (c[0].sum() - c[1].sum()) / total))

    generator = np.random.default_rng(99)
    observed, beyond = difference(in_proportion), 0
    for _ in range(draws):
        turned = generator.random(units.max() + 1)[units] < 0.5
        beyond += difference(np.where(turned, in_proportion[::-1], in_proportion)) >= observed - 1e-9
    return beyond / draws


def test_a_single_error_is_not_significant_where_one_output_is_shorter_everywhere() -> None:
    segments = 100
    items: list[Item] = [(system, s, "J", []) for s in range(segments) for system in "AB"]
    items[0] = ("A", 0, "J", [error(1, 5, "major")])
    tokens = np.stack([np.full(segments, 19), np.full(segments, 20)])
    results = compared(annotated(*items), tokens)
    assert [row.p_value for row in results.rows] == [1.0] * len(results.rows)
    assert results.rows[0].rate == pytest.approx(1000 / 1900)
    assert results.rows[0].delta == pytest.approx(1000 / 1900)


@pytest.mark.parametrize("documents", [12, 0])
def test_p_is_that_of_swaps_of_the_systems_in_documents_or_segments(documents: int) -> None:
    generator = np.random.default_rng(2)
    segments = 60
    items = random_items(generator, segments, ["J1", "J2"], extra=0.15)
    tokens = generator.integers(5, 40, (2, segments))
    names = [str(s * documents // segments) for s in range(segments)] if documents else None
    results = compared(annotated(*items), tokens, names)
    units = np.array([s * documents // segments if documents else s for s in range(segments)])
    assert (results.unit, results.units) == (("document", 12) if documents else ("segment", segments))
    for row in results.rows:
        counts = np.zeros((2, segments))
        for system, segment, _, errors in items:
            matching = [e for e in errors if row.name in ("all errors", e[1])]
            counts["AB".index(system), segment] += len(matching) / 2
        assert row.rate == pytest.approx(1000 * counts[0].sum() / tokens[0].sum())
        assert row.delta == pytest.approx(row.rate - row.baseline_rate)
        assert row.p_value == pytest.approx(plain_p(counts, tokens, units, 4000), abs=0.04)
        assert row.interval.low < row.delta < row.interval.high


def test_p_is_corrected_for_the_rows_of_the_table() -> None:
    generator = np.random.default_rng(4)
    results = compared(annotated(*random_items(generator, 60, ["J"], extra=0.5)), np.full((2, 60), 20))
    assert [row.name for row in results.rows] == ["all errors", "major", "minor"]
    expected = adjust(np.array([row.p_value for row in results.rows]), "holm")
    assert [row.p_value_adjusted for row in results.rows] == pytest.approx(expected.tolist())
    assert results.rows[1].p_value_adjusted > results.rows[1].p_value


def test_only_segments_that_both_systems_have_annotated_count() -> None:
    items: list[Item] = [(k, s, "J", [error()] if k == "A" else []) for k in "AB" for s in range(10)]
    items += [("A", s, "J", [error()] * 9) for s in range(10, 20)]
    results = compared(annotated(*items), np.full((2, 20), 100))
    assert (results.segments, results.rows[0].rate, results.rows[0].baseline_rate) == (10, 10.0, 0.0)
    assert [row.name for row in results.rows] == ["all errors", "minor"]


def test_fewer_than_10_documents_are_replaced_by_segments_and_said() -> None:
    generator = np.random.default_rng(6)
    given = annotated(*random_items(generator, 90, ["J"]))
    results = compared(given, np.full((2, 90), 20), [str(s // 10) for s in range(90)])
    assert (results.unit, results.units) == ("segment", 90)
    assert results.warnings[0].startswith("9 documents found, at least 10 needed")


def test_a_pair_without_common_segments_or_errors_has_a_reason() -> None:
    apart = annotated(("A", 0, "J", [error()]), ("B", 1, "J", [error()]))
    assert compared(apart, np.full((2, 2), 9)).reason == "no segment was annotated for both systems"
    flawless = annotated(("A", 0, "J", []), ("B", 0, "J", []))
    assert compared(flawless, np.full((2, 1), 9)).reason.startswith("no error was marked")


def test_few_segments_give_no_p_with_a_reason() -> None:
    items: list[Item] = [(k, s, "J", [error()]) for k in "AB" for s in range(3)]
    row = compared(annotated(*items), np.full((2, 3), 9)).rows[0]
    assert math.isnan(row.p_value)
    assert math.isnan(row.interval.low)
    assert row.reason == "only 3 segments, at least 6 needed"


def test_other_judges_for_each_system_give_no_p_with_the_reason() -> None:
    generator = np.random.default_rng(8)
    items = [item for item in random_items(generator, 60, ["J1", "J2"]) if (item[0] == "A") == (item[2] == "J1")]
    results = compared(annotated(*items), np.full((2, 60), 20))
    for row in results.rows:
        assert math.isfinite(row.delta)
        assert math.isnan(row.p_value)
        assert math.isnan(row.p_value_adjusted)
        assert math.isnan(row.interval.high)
        assert row.reason.startswith("judges are confounded with systems: the two systems have no judges in common")


def test_a_severe_judge_of_one_system_gives_no_p_for_what_that_judge_marks_more_often() -> None:
    """J2 marks many minor errors, and looked at B in most segments; major errors are marked alike."""
    generator = np.random.default_rng(10)
    items: list[Item] = []
    for segment in range(120):
        judges = {"A": "J1", "B": "J1"} if segment % 3 else {"A": "J1", "B": "J2"}
        for system, judge in judges.items():
            minor = generator.poisson(3.0 if judge == "J2" else 0.5)
            items.append((system, segment, judge, [error(1, 5)] * minor + [error(1, 5, "major")] * (segment % 2)))
    rows = {row.name: row for row in compared(annotated(*items), np.full((2, 120), 20)).rows}
    assert "adjusted for them" in rows["minor"].reason
    assert math.isnan(rows["minor"].p_value)
    assert not rows["major"].reason
    assert math.isfinite(rows["major"].p_value)


def test_judges_who_look_at_both_systems_in_each_segment_are_not_confounded() -> None:
    generator = np.random.default_rng(12)
    items = [item for item in random_items(generator, 60, ["J1", "J2"]) if (item[1] % 2 == 0) == (item[2] == "J1")]
    assert not any(row.reason for row in compared(annotated(*items), np.full((2, 60), 20)).rows)


def test_differences_are_adjusted_for_judges_who_are_confounded_with_the_systems_of_the_data() -> None:
    """Judge J3 marks more errors, and looked at A more often; A, B, C and D are alike."""
    generator = np.random.default_rng(21)
    items: list[Item] = []
    for segment in range(150):
        judges = generator.permutation(4).tolist()
        if judges[0] != 3 and generator.random() < 0.7:
            place = judges.index(3)
            judges[0], judges[place] = judges[place], judges[0]
        items += [
            (system, segment, f"J{judge}", [error(1, 5, "major")] * generator.poisson(3.0 if judge == 3 else 0.5))
            for system, judge in zip("ABCD", judges, strict=True)
        ]
    every = annotated(*items)
    tokens = np.full((4, 150), 20)
    adjusted = AdjustedErrors(every)
    row = error_differences(every, tokens, "A", "B", adjusted=adjusted).rows[0]
    assert row.adjusted is not None
    assert abs(row.adjusted.delta) < abs(row.delta) / 4
    assert row.adjusted.low < 0 < row.adjusted.high
    assert row.adjusted.p_value_adjusted > 0.05
    assert math.isnan(row.p_value)
    assert row.reason.startswith("judges are confounded with systems")
    expected = _by_dummies([(system, segment, judge, len(errors)) for system, segment, judge, errors in items])
    assert row.adjusted.delta == pytest.approx(1000 / 20 * (expected["A"] - expected["B"]))


def test_judges_who_looked_at_both_systems_in_every_segment_need_no_adjustment() -> None:
    every = annotated(*random_items(np.random.default_rng(22), 60, ["J1", "J2"]))
    row = error_differences(every, np.full((2, 60), 20), "A", "B", adjusted=AdjustedErrors(every)).rows[0]
    assert row.adjusted is None
    assert math.isfinite(row.p_value)


def _by_dummies(rows: Sequence[tuple[str, int, Any, int]]) -> dict[str, float]:
    """The effects of systems by least squares with a column per system, segment and judge."""
    names = [sorted({str(row[place]) for row in rows}) for place in range(3)]
    design = np.array([[float(str(row[k]) == name) for k in range(3) for name in names[k]] for row in rows])
    effects = np.linalg.lstsq(design, np.array([row[3] for row in rows], float), rcond=None)[0]
    return dict(zip(names[0], effects.tolist(), strict=False))


def test_unknown_and_equal_systems_are_refused() -> None:
    given = annotated(("A", 0, "J", []), ("B", 0, "J", []))
    for names in (("A", "C"), ("A", "A")):
        with pytest.raises(SettingsError):
            error_differences(given, np.full((2, 1), 9), *names)
