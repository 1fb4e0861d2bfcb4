"""Adjusted means against statsmodels, raw means of balanced data, and refits without each unit and judge."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from judges.rosters import judgments_of, of_statsmodels, random_rows

from bleu_core.arrays import Floats
from bleu_core.errors import AlignmentError
from bleu_core.judges import adjusted_for_judges, adjusted_means
from bleu_core.judges.least_squares import Roster
from bleu_core.judges.system_means import covariance, raw_weights, raw_without_units


def crossed(systems: int, segments: int, judges: int, seed: int = 0) -> list[tuple[int, str, str, float]]:
    scores = np.random.default_rng(seed).normal(size=(systems, segments, judges)).round(6)
    return [(s + 1, f"S{k}", f"J{j}", float(value)) for (k, s, j), value in np.ndenumerate(scores)]


@pytest.mark.parametrize("seed", range(5))
def test_differences_are_those_of_least_squares_with_dummies(seed: int) -> None:
    rows = random_rows(seed)
    found = adjusted_means(judgments_of(rows))
    effects = of_statsmodels(rows, found.systems)
    np.testing.assert_allclose(found.differences, effects[:, None] - effects, atol=1e-8)
    np.testing.assert_allclose(found.adjusted[:, None] - found.adjusted, found.differences, atol=1e-8)
    assert found.adjusted.mean() == pytest.approx(found.raw.mean())


def test_balanced_ratings_keep_their_raw_means() -> None:
    found = adjusted_means(judgments_of(crossed(4, 12, 3)))
    np.testing.assert_allclose(found.adjusted, found.raw, atol=1e-10)


def test_judges_who_rate_all_systems_of_their_segments_change_no_difference() -> None:
    rows = [row for row in crossed(4, 12, 6) if row[0] % 3 == int(row[2][1]) % 3]
    found = adjusted_means(judgments_of(rows))
    np.testing.assert_allclose(found.adjusted, found.raw, atol=1e-10)


def test_a_severe_judge_of_one_system_is_taken_out_of_its_mean() -> None:
    # Without noise: B is as good as A, but half of its segments were rated by J1, who is 3 points more severe.
    rows = [(s, "A", "J0", s / 10) for s in range(1, 21)]
    rows += [(s, "B", "J1" if s % 2 else "J0", s / 10 - (3 if s % 2 else 0)) for s in range(1, 21)]
    rows += [(s, "C", f"J{s // 3 % 2}", s / 10 + 1 - 3 * (s // 3 % 2)) for s in range(1, 21)]
    found = adjusted_means(judgments_of(rows), ("A", "B", "C"))
    np.testing.assert_allclose(found.differences[0], [0, 0, -1], atol=1e-9)
    assert found.raw[0] - found.raw[1] == pytest.approx(1.5)
    assert found.severities[0] - found.severities[1] == pytest.approx(3)
    np.testing.assert_allclose(found.roster_severity[0] - found.roster_severity[1], 1.5)


def test_systems_that_nothing_connects_have_no_adjusted_means_and_the_reason_names_them() -> None:
    rows = [(s, f"{side}{k}", f"J{side}", float(s + k)) for side in "AB" for k in range(2) for s in range(1, 11)]
    found = adjusted_means(judgments_of(rows))
    assert found.components == (("A0", "A1"), ("B0", "B1"))
    assert np.isnan(found.adjusted).all()
    assert "(A0, A1) and (B0, B1)" in found.reason
    assert "would connect them" in found.reason
    assert found.differences[0, 1] == pytest.approx(-1)
    assert math.isnan(found.differences[0, 2])
    assert not np.isnan(found.raw).any()


def test_ratings_without_judges_are_not_adjusted() -> None:
    found = adjusted_means(judgments_of([(s, f"S{k}", "", float(s + k)) for s in range(1, 11) for k in range(3)]))
    assert found.reason == "the ratings do not name their judges"
    assert np.isnan(found.adjusted).all()


def test_fewer_than_three_judges_have_no_variance_over_judges_and_a_note_says_so() -> None:
    found = adjusted_means(judgments_of(random_rows(1, judges=2)))
    assert found.variances is not None
    assert np.isnan(found.variances.judges).all()
    np.testing.assert_array_equal(found.variances.total, found.variances.units)
    assert any("fewer than 3 there is no variance over judges" in note for note in found.notes)


def test_a_judge_whose_removal_disconnects_systems_is_named() -> None:
    rows = [(s, f"S{k}", f"J{s % 3}", float(s * k % 7)) for s in range(1, 31) for k in range(3)]
    rows += [(s, "Alone", "Bridge", float(s % 5)) for s in range(1, 31)]
    rows += [(s, "S0", "Bridge", float(s % 4)) for s in range(1, 31, 2)]
    found = adjusted_means(judgments_of(rows))
    assert not found.reason
    assert found.variances is not None
    assert any(note.startswith("Without Bridge,") for note in found.notes)
    alone = found.systems.index("Alone")
    others = [k for k in range(4) if k != alone]
    assert np.isnan(found.variances.total[alone, others]).all()
    assert not np.isnan(found.variances.total[np.ix_(others, others)]).any()


def roster_of(rows: list[tuple[int, str, str, float]]) -> tuple[Roster, Floats]:
    segment, system, judge = (np.unique([row[i] for row in rows], return_inverse=True)[1] for i in range(3))
    return Roster(system, segment, judge, np.arange(segment.max() + 1)), np.array([row[3] for row in rows])


@pytest.mark.parametrize("seed", range(3))
def test_what_units_and_judges_add_is_the_fit_less_the_fit_without_them(seed: int) -> None:
    rows = random_rows(seed, segments=12, judges=5)
    roster, ratings = roster_of(rows)
    fit = roster.fit(ratings)

    def without(column: int) -> list[Any]:
        levels = sorted({row[column] for row in rows})
        found: list[Any] = []
        for level in levels:
            others, values = roster_of([row for row in rows if row[column] != level])
            found.append(fit.effects - others.fit(values).effects)
        return found

    np.testing.assert_allclose(fit.without_units, without(0), atol=1e-9)
    np.testing.assert_allclose(fit.without_judges, without(2), atol=1e-9)
    weights = raw_weights(roster)
    raw = np.asarray(np.bincount(roster.system, weights * ratings), np.float64)
    of_raw: list[Any] = []
    for level in sorted({row[0] for row in rows}):
        others, values = roster_of([row for row in rows if row[0] != level])
        of_raw.append(raw - np.bincount(others.system, raw_weights(others) * values))
    np.testing.assert_allclose(raw_without_units(roster, ratings, weights, raw), of_raw, atol=1e-9)


def test_variances_of_crossed_ratings_are_those_of_two_way_clustering_pooled_over_pairs() -> None:
    rows = crossed(4, 20, 6, seed=3)
    rows = [(s, k, j, y + 0.8 * (int(k[1]) * int(j[1]) % 5)) for s, k, j, y in rows]  # judges view systems differently
    found = adjusted_means(judgments_of(rows))
    assert found.variances is not None
    y = np.array([row[3] for row in rows]).reshape(4, 20, 6)
    effects = y.mean(axis=(1, 2)) - y.mean()
    by_segment, by_judge = y.mean(axis=2), y.mean(axis=1)
    i, j = np.triu_indices(4, 1)
    of_segments = (by_segment[i] - by_segment[j]).var(axis=1, ddof=1) / 20
    of_judges = (by_judge[i] - by_judge[j]).var(axis=1, ddof=1) / 6
    np.testing.assert_allclose(found.variances.units[i, j], of_segments)
    common, pooled = found.variances.residual[i, j], found.variances.judges[i, j]
    # Of balanced ratings, pooling leaves the mean over pairs as it is.
    assert pooled.mean() == pytest.approx(of_judges.mean())
    np.testing.assert_allclose(
        found.variances.total[i, j], np.maximum(of_segments, common) + (pooled - common), rtol=1e-12
    )
    assert (found.variances.total[i, j] >= np.maximum(of_segments, pooled) - 1e-12).all()
    assert effects == pytest.approx(found.adjusted - found.adjusted.mean())


def test_documents_are_units_from_ten_on() -> None:
    rows = random_rows(2, segments=40)
    few = adjusted_means(judgments_of(rows), documents=[f"d{s // 5}" for s in range(40)])
    enough = adjusted_means(judgments_of(rows), documents=[f"d{s // 4}" for s in range(40)])
    assert (few.unit, few.units) == ("segment", 40)
    assert (enough.unit, enough.units) == ("document", 10)
    np.testing.assert_allclose(few.adjusted, enough.adjusted)


def test_the_order_of_rows_changes_nothing() -> None:
    rows = random_rows(4)
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]
    systems = tuple(sorted({row[1] for row in rows}))
    one, other = (adjusted_means(judgments_of(each), systems) for each in (rows, shuffled))
    np.testing.assert_array_equal(one.adjusted, other.adjusted)
    assert one.variances is not None
    assert other.variances is not None
    np.testing.assert_array_equal(one.variances.total, other.variances.total)


def test_a_system_without_ratings_has_none_and_changes_nothing() -> None:
    rows = random_rows(5)
    systems = tuple(sorted({row[1] for row in rows}))
    without, with_one = adjusted_means(judgments_of(rows), systems), adjusted_means(judgments_of(rows), (*systems, "X"))
    assert math.isnan(with_one.adjusted[-1])
    np.testing.assert_array_equal(with_one.adjusted[:-1], without.adjusted)


def test_the_jackknife_needs_no_spread() -> None:
    found = adjusted_means(judgments_of([(s, f"S{k}", f"J{s % 3}", 1.0) for s in range(1, 31) for k in range(3)]))
    assert found.variances is not None
    assert found.variances.p_values(found.adjusted)[0, 1] == 1.0
    assert covariance(np.zeros((5, 2))).tolist() == [[0, 0], [0, 0]]


def test_adjusted_ratings_have_the_adjusted_means_and_remember_the_raw_ones() -> None:
    rows = random_rows(6)
    judgments = judgments_of(rows)
    found, adjusted = adjusted_means(judgments), adjusted_for_judges(judgments)
    assert adjusted.system_means() == pytest.approx(dict(zip(found.systems, found.adjusted.tolist(), strict=True)))
    assert adjusted.raw_means == pytest.approx(judgments.system_means())
    assert adjusted.digest != judgments.digest
    severity = {judge.name: float(value) for judge, value in zip(found.judges, found.severities, strict=True)}
    np.testing.assert_allclose(adjusted.table["score"], [score - severity[judge] for _, _, judge, score in rows])
    again = adjusted_means(adjusted)
    np.testing.assert_allclose(again.severities, 0, atol=1e-9)
    np.testing.assert_allclose(again.differences, found.differences, atol=1e-9)


def test_adjusted_means_hold_for_no_part_of_the_ratings() -> None:
    adjusted = adjusted_for_judges(judgments_of(random_rows(6)))
    for part in (adjusted.subset([0, 1, 2]), adjusted.without(judges=["J0"])):
        assert part.adjusted_means == {}
        assert part.raw_means == {}


def test_ratings_that_cannot_be_adjusted_are_refused_with_the_reason() -> None:
    rows = [(s, f"{side}{k}", f"J{side}", float(s + k)) for side in "AB" for k in range(2) for s in range(1, 11)]
    with pytest.raises(AlignmentError, match="cannot be adjusted for judges: 2 groups of systems are not connected"):
        adjusted_for_judges(judgments_of(rows))
