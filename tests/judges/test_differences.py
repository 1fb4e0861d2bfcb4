"""Differences of ratings between systems."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from timed import within_seconds

from bleu_core.judges import UNITS, PairedDifference, RatingDifference, compare_ratings
from bleu_core.judges.differences import paired_difference

Row = tuple[int | None, str, str | None, float | None, str | None]


def table(*rows: Row) -> pd.DataFrame:
    frame = pd.DataFrame(list(rows), columns=["segment", "system", "judge", "score", "group"])
    return frame.astype({"segment": "Int64", "score": "float64"})


# Two judges, three segments; x rates the first item of A twice, 2 and 4; y skips segment 3.
EXAMPLE = table(
    (1, "A", "x", 2, None),
    (1, "A", "x", 4, None),
    (2, "A", "x", 2, None),
    (3, "A", "x", 1, None),
    (1, "A", "y", 5, None),
    (2, "A", "y", 2, None),
    (1, "B", "x", 4, None),
    (2, "B", "x", 2, None),
    (3, "B", "x", 5, None),
    (1, "B", "y", 5, None),
    (2, "B", "y", 4, None),
)


def only(ratings: pd.DataFrame) -> RatingDifference:
    (pair,) = compare_ratings(ratings).pairs
    return pair


def test_differences_by_hand() -> None:
    # x: B - A of segments 1 to 3: 4 - 3 = 1, 0, 4; y: 0, 2. Five pairs of mean 7 / 5.
    # Segments: A (3 + 5) / 2 = 4, 2, 1; B 4.5, 3, 5: .5, 1, 4. Judges: 5 / 3 and 1.
    found = only(EXAMPLE)
    assert (found.better, found.worse) == ("B", "A")
    assert found.difference_of_means == pytest.approx(5.5 / 3)
    wanted = {"judge and segment": [1, 0, 4, 0, 2], "segment": [0.5, 1, 4], "judge": [5 / 3, 1]}
    for unit in UNITS:
        differences = wanted[unit]
        result = stats.ttest_1samp(differences, 0)
        of_unit = found.by(unit)
        assert of_unit.n == len(differences)
        assert of_unit.degrees_of_freedom == len(differences) - 1
        assert of_unit.mean == pytest.approx(np.mean(differences))
        assert of_unit.standard_deviation == pytest.approx(np.std(differences, ddof=1))
        assert (of_unit.t, of_unit.p_value) == (pytest.approx(result.statistic), pytest.approx(result.pvalue))
        bounds = result.confidence_interval(0.95)
        assert (of_unit.interval.low, of_unit.interval.high) == (pytest.approx(bounds.low), pytest.approx(bounds.high))
        assert of_unit.reason == ""


def test_systems_are_ordered_by_mean_and_pairs_are_neighbours_or_all_or_chosen() -> None:
    ratings = table(*((s, system, "x", s + shift, None) for shift, system in enumerate("CAB") for s in (1, 2)))
    found = compare_ratings(ratings)
    assert found.systems == ("C", "A", "B")
    assert found.means.tolist() == [1.5, 2.5, 3.5]
    assert [(p.better, p.worse) for p in found.pairs] == [("A", "C"), ("B", "A")]
    every = compare_ratings(ratings, pairs="all")
    assert [(p.better, p.worse) for p in every.pairs] == [("A", "C"), ("B", "C"), ("B", "A")]
    chosen = compare_ratings(ratings, pairs=[("C", "B")])
    assert [(p.better, p.worse, p.difference_of_means) for p in chosen.pairs] == [("B", "C", 2)]


def test_equal_means_are_in_the_reverse_of_the_order_of_the_best_by_name() -> None:
    ratings = table((1, "B", "x", 2, None), (1, "A", "x", 2, None))
    assert compare_ratings(ratings).systems == ("B", "A")


def test_judges_of_one_name_in_two_groups_are_two() -> None:
    rows = [(1, "A", "x", 1, g) for g in ("one", "two")] + [(1, "B", "x", 3, g) for g in ("one", "two")]
    found = only(table(*rows))
    assert (found.by_judge.n, found.by_judge_and_segment.n) == (2, 2)
    assert only(table(*[(s, n, j, x, None) for s, n, j, x, _ in rows])).by_judge.n == 1


def test_scores_of_whole_systems_and_unknown_judges_are_compared() -> None:
    found = only(table((None, "A", None, 1, None), (None, "B", None, 3, None)))
    assert found.difference_of_means == 2
    assert [found.by(unit).n for unit in UNITS] == [1, 1, 1]


def test_empty_scores_do_not_count() -> None:
    ratings = pd.concat([EXAMPLE, table((3, "A", "y", None, None), (4, "A", "z", None, None))], ignore_index=True)
    assert compare_ratings(ratings).pairs == compare_ratings(EXAMPLE).pairs


# --- properties -------------------------------------------------------------------------------------------------

ROWS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from("ABC"), st.sampled_from("xyz"), st.integers(0, 9), st.none()),
    min_size=1,
    max_size=40,
)


@given(ROWS, st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_rows_changes_nothing(rows: list[Row], random: object) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    wanted, found = compare_ratings(table(*rows), pairs="all"), compare_ratings(table(*shuffled), pairs="all")
    assert repr(found) == repr(wanted)  # to the last digit; NaN equals NaN


@given(ROWS)
@settings(deadline=None)
def test_a_judge_who_gives_every_item_its_mean_moves_no_mean(rows: list[Row]) -> None:
    ratings = table(*rows)
    means = ratings.groupby(["segment", "system", "judge"])["score"].mean().groupby(["segment", "system"]).mean()
    more = means.reset_index().assign(judge="of means", group=None)
    found = compare_ratings(pd.concat([ratings, more], ignore_index=True).astype(ratings.dtypes))
    wanted = compare_ratings(ratings)
    assert found.systems == wanted.systems
    np.testing.assert_allclose(found.means, wanted.means)
    for one, other in zip(found.pairs, wanted.pairs, strict=True):
        assert one.by_segment.mean == pytest.approx(other.by_segment.mean, nan_ok=True)


@given(ROWS)
@settings(deadline=None)
def test_the_segments_of_fully_rated_systems_differ_by_their_means(rows: list[Row]) -> None:
    every = [(s, system, "w", float(s), None) for s in range(1, 5) for system in "ABC"]
    for pair in compare_ratings(table(*rows, *every), pairs="all").pairs:
        assert pair.by_segment.mean == pytest.approx(pair.difference_of_means)


# --- bad input --------------------------------------------------------------------------------------------------


def is_undefined(found: PairedDifference) -> bool:
    return math.isnan(found.t) and math.isnan(found.p_value) and bool(found.reason)


def test_nothing_in_common_is_nan_with_a_reason() -> None:
    found = only(table((1, "A", "x", 1, None), (2, "B", "y", 3, None)))
    assert found.difference_of_means == 2
    reasons = [found.by(unit).reason for unit in UNITS]
    assert reasons == ["no rating of one segment by one judge in common", "no segment in common", "no judge in common"]
    for unit in UNITS:
        of_unit = found.by(unit)
        assert is_undefined(of_unit)
        assert math.isnan(of_unit.mean)
        assert math.isnan(of_unit.interval.low)


def test_one_judge_has_a_mean_and_no_t() -> None:
    found = only(EXAMPLE[EXAMPLE["judge"] == "x"])
    assert is_undefined(found.by_judge)
    assert found.by_judge.mean == pytest.approx(5 / 3)
    assert found.by_judge.reason == "1 judge in common, at least 2 needed"
    assert not is_undefined(found.by_segment)


def test_ties_everywhere_have_no_t() -> None:
    found = only(table(*((s, system, j, 3, None) for s in (1, 2) for system in "AB" for j in "xy")))
    for unit in UNITS:
        of_unit = found.by(unit)
        assert is_undefined(of_unit)
        assert (of_unit.mean, of_unit.standard_deviation) == (0, 0)
        assert of_unit.reason == "all differences are the same"


def test_float_noise_is_no_variance() -> None:
    assert is_undefined(paired_difference(np.array([0.1 + 0.2, 0.3, 0.3]), "segment"))


@pytest.mark.parametrize("ratings", [EXAMPLE[:0], table((1, "A", "x", None, None)), EXAMPLE[EXAMPLE["system"] == "A"]])
def test_fewer_than_two_systems_make_no_pair(ratings: pd.DataFrame) -> None:
    for pairs in ("neighbours", "all"):
        found = compare_ratings(ratings, pairs=pairs)  # type: ignore[arg-type]
        assert found.pairs == ()
        assert len(found.systems) == len(found.means) <= 1


def test_a_pair_with_an_unknown_system_is_nan_with_reasons() -> None:
    (pair,) = compare_ratings(EXAMPLE, pairs=[("A", "nobody")]).pairs
    assert math.isnan(pair.difference_of_means)
    assert all(is_undefined(pair.by(unit)) for unit in UNITS)


def test_a_certain_difference_has_a_small_p_and_never_0() -> None:
    differences = 5 + np.random.default_rng(1).normal(size=3000) / 100
    assert 0 < paired_difference(differences, "segment").p_value < 1e-300


@pytest.mark.slow
def test_a_million_ratings_are_compared_in_seconds() -> None:
    generator, rows = np.random.default_rng(2), 1_000_000
    ratings = pd.DataFrame(
        {
            "segment": generator.integers(1, 3000, rows),
            "system": np.array(list("ABCDEFGHIJ"))[generator.integers(0, 10, rows)],
            "judge": np.array(list("uvwxyz"))[generator.integers(0, 6, rows)],
            "score": generator.integers(0, 101, rows).astype(float),
            "group": None,
        }
    )
    found = within_seconds(5, lambda: compare_ratings(ratings, pairs="all"))  # about 1 s on an idle machine
    assert len(found.pairs) == 45
