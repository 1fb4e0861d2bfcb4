"""How judges agree with one another."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import Row, sample, table
from scipy import stats

from bleu_core.agreement import pearson
from bleu_core.dataset import Judge, Judgments
from bleu_core.judges import compare_groups, judge_agreement, krippendorff_alpha, pairwise_kendall, standardised
from bleu_core.judges.krippendorff import alpha


def shuffled(judgments: Judgments) -> Judgments:
    return Judgments(judgments.table.sample(frac=1, random_state=3))


ROWS: st.SearchStrategy[list[Row]] = st.lists(
    st.tuples(
        st.integers(1, 4),
        st.sampled_from("AB"),
        st.sampled_from("xyz"),
        st.integers(1, 4).map(float) | st.none(),
        st.sampled_from(["g", "h"]) | st.none(),
    ),
    max_size=60,
)


def matrix(rows: list[Row]) -> dict[Judge, dict[tuple[object, str], float]]:
    """Every judge's mean rating of every item, by plain loops."""
    found: dict[Judge, dict[tuple[object, str], list[float]]] = {}
    for segment, system, judge, score, group in rows:
        if score is not None:
            found.setdefault(Judge(group, judge), {}).setdefault((segment, system), []).append(score)
    return {judge: {item: sum(of) / len(of) for item, of in items.items()} for judge, items in found.items()}


@given(ROWS)
def test_alpha_is_of_items_by_judges_with_repeats_averaged(rows: list[Row]) -> None:
    found = krippendorff_alpha(table(*rows), resamples=10)
    cells = [(item, score) for of in matrix(rows).values() for item, score in of.items()]
    items = sorted({item for item, _ in cells}, key=str)
    numbers = np.array([items.index(item) for item, _ in cells], np.int64)
    wanted = alpha(numbers, np.array([score for _, score in cells]), resamples=0)
    assert found.coefficient == pytest.approx(wanted.coefficient, abs=1e-9, nan_ok=True)
    assert (found.items, found.rated_once, found.reason) == (wanted.items, wanted.rated_once, wanted.reason)
    assert repr(krippendorff_alpha(shuffled(table(*rows)), resamples=10)) == repr(found)


@given(ROWS)
def test_tau_is_scipys_over_the_items_that_both_rated(rows: list[Row]) -> None:
    found = pairwise_kendall(table(*rows))
    scores = matrix(rows)
    pairs = list(found)
    assert len(pairs) == len(scores) * (len(scores) - 1) // 2
    for pair in pairs:
        common = sorted(scores[pair.first].keys() & scores[pair.second].keys(), key=str)
        x, y = ([scores[judge][item] for item in common] for judge in (pair.first, pair.second))
        assert pair.items == len(common)
        if len(common) < 3 or len({round(v, 9) for v in x}) == 1 or len({round(v, 9) for v in y}) == 1:
            assert math.isnan(pair.coefficient)
            assert pair.reason
        else:
            assert pair.coefficient == pytest.approx(stats.kendalltau(np.round(x, 9), np.round(y, 9)).statistic)
            assert pair.reason == ""
    defined = [pair.coefficient for pair in pairs if not pair.reason]
    assert found.pairs == len(defined)
    assert found.mean == pytest.approx(np.mean(defined) if defined else math.nan, nan_ok=True)
    assert bool(found.reason) == (not defined)
    assert repr(pairwise_kendall(shuffled(table(*rows)))) == repr(found)


def test_the_table_of_tau_is_symmetric_and_names_its_judges() -> None:
    # x and y order three items alike, z the other way round; w rated two of them.
    scores = {"x": (1, 2, 3), "y": (2, 4, 9), "z": (3, 2, 1), "w": (1, 2)}
    found = pairwise_kendall(table(*((s, "A", j, v, None) for j, of in scores.items() for s, v in enumerate(of, 1))))
    assert [judge.name for judge in found.judges] == ["w", "x", "y", "z"]
    nan = math.nan
    wanted = [[nan, nan, nan, nan], [nan, nan, 1, -1], [nan, 1, nan, -1], [nan, -1, -1, nan]]
    assert found.coefficients == pytest.approx(np.array(wanted), nan_ok=True)
    assert found.items.tolist() == [[2, 2, 2, 2], [2, 3, 3, 3], [2, 3, 3, 3], [2, 3, 3, 3]]
    assert (found.mean, found.pairs) == (pytest.approx(-1 / 3), 3)
    assert next(iter(found)).reason == "2 items rated by both, at least 3 needed"


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "0 judges, at least 2 needed"),
        ([(1, "A", "x", None, None)], "0 judges, at least 2 needed"),
        ([(s, "A", "x", s, None) for s in range(1, 9)], "1 judge, at least 2 needed"),
        ([(1, "A", j, 1, None) for j in "xyz"], "no two of 3 judges share at least 3 items"),
        (
            [(s, "A", j, 1, None) for s in range(1, 9) for j in "xy"],
            "the coefficient is undefined for all pairs of 2 judges",
        ),
    ],
)
def test_without_two_judges_that_can_be_compared_there_is_no_mean(rows: list[Row], reason: str) -> None:
    found = pairwise_kendall(table(*rows))
    assert (found.reason, found.pairs) == (reason, 0)
    assert math.isnan(found.mean)
    agreement = krippendorff_alpha(table(*rows))
    assert math.isnan(agreement.coefficient)
    assert agreement.reason


def crowd(judges: int, items: int, pool: int) -> Judgments:
    """Judges who each rated some of the pool's segments."""
    chance = np.random.default_rng(4)
    rows: list[Row] = []
    for judge in range(judges):
        segments = chance.choice(pool, items, replace=False).tolist()
        rows += [(s + 1, "A", f"j{judge:05}", float(chance.integers(1, 6)), None) for s in segments]
    return table(*rows)


@pytest.mark.parametrize("most", [judge_agreement.MAX_LISTED_JUDGES, 5])
def test_tau_of_many_judges_is_scipys(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_agreement, "MAX_LISTED_JUDGES", most)
    monkeypatch.setattr(judge_agreement, "BATCH_CELLS", 40)
    judgments = crowd(24, 12, 30)
    found = pairwise_kendall(judgments)
    given = judgments.table.pivot_table(index="segment", columns="judge", values="score")
    expected: list[float] = []
    for first, second in combinations(given.columns, 2):
        both = given[[first, second]].dropna()
        if len(both) >= 3 and both[first].nunique() > 1 and both[second].nunique() > 1:
            expected.append(float(stats.kendalltau(both[first], both[second]).statistic))
    assert found.taus[~np.isnan(found.taus)] == pytest.approx(expected)
    assert (found.pairs, found.mean) == (len(expected), pytest.approx(np.mean(expected)))


def test_of_many_judges_the_pairs_with_the_most_common_items_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    judgments = crowd(40, 12, 30)
    every = {(p.first, p.second): p for p in pairwise_kendall(judgments)}
    assert len(every) == 780
    assert pairwise_kendall(judgments).note == ""
    monkeypatch.setattr(judge_agreement, "MAX_LISTED_JUDGES", 39)
    monkeypatch.setattr(judge_agreement, "MAX_LISTED_PAIRS", 100)
    found = pairwise_kendall(judgments)
    listed = list(found)
    assert [repr(p) for p in listed] == [repr(every[p.first, p.second]) for p in listed]
    assert sorted(p.items for p in listed) == sorted(p.items for p in every.values())[-100:]
    assert found.note == "100 of 780 pairs of judges are listed: those with the most shared items"
    monkeypatch.setattr(judge_agreement, "MAX_LISTED_PAIRS", 780)
    enough = sum(p.items >= 3 for p in every.values())
    assert len(list(pairwise_kendall(judgments))) == enough < 780
    assert f"{enough} of 780" in pairwise_kendall(judgments).note


def test_pairs_of_judges_without_common_items_take_no_room() -> None:
    found = pairwise_kendall(crowd(3000, 1, 20))
    assert len(found.first) == len(found.taus) == len(list(found)) == 0
    assert found.reason == "no two of 3000 judges share at least 3 items"


def test_too_many_pairs_of_ratings_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    judgments = crowd(6, 4, 4)
    monkeypatch.setattr(judge_agreement, "MAX_RATING_PAIRS", 60)
    assert pairwise_kendall(judgments).reason == ""
    monkeypatch.setattr(judge_agreement, "MAX_RATING_PAIRS", 59)
    found = pairwise_kendall(judgments)
    assert found.reason == "60 pairs of ratings of the same item found, at most 59 are compared"
    assert found.pairs == 0
    assert math.isnan(found.mean)


def test_a_constant_judge_has_no_tau_and_a_reason() -> None:
    rows: list[Row] = [(s, "A", j, s if j == "x" else 1, None) for s in range(1, 5) for j in "xy"]
    (pair,) = pairwise_kendall(table(*rows))
    assert math.isnan(pair.coefficient)
    assert pair.reason == "one of the two judges gave all these items the same rating"


def test_whole_systems_may_be_what_was_rated() -> None:
    rows: list[Row] = [(None, name, j, ord(name), None) for name in "ABCD" for j in "xy"]
    assert krippendorff_alpha(table(*rows)).coefficient == 1
    assert pairwise_kendall(table(*rows)).mean == pytest.approx(1)


def test_groups_are_compared_by_hand() -> None:
    # g gives A 1 and 3, B 4, C 6; h gives A 2, B 5, C 8 and D 9.
    rows: list[Row] = [
        (1, "A", "x", 1, "g"),
        (1, "A", "y", 3, "g"),
        (1, "B", "x", 4, "g"),
        (1, "C", "x", 6, "g"),
        *[(1, name, "x", score, "h") for name, score in zip("ABCD", (2, 5, 8, 9), strict=True)],
        (1, "A", "z", 9, None),
    ]
    found = compare_groups(table(*rows))
    first, second = found.groups
    assert (first.group, first.judges, first.ratings, first.items) == ("g", 2, 4, 3)
    assert (first.mean, first.standard_deviation) == (3.5, pytest.approx(np.std([1, 3, 4, 6], ddof=1)))
    assert first.system_means == {"A": 2, "B": 4, "C": 6}
    assert first.alpha.reason == "1 item with two ratings or more, at least 2 needed"
    assert (second.judges, second.ratings, second.mean) == (1, 4, 6)
    (pair,) = found.pairs
    assert pair.systems == ("A", "B", "C")
    assert pair.difference == pytest.approx(((2 + 5 + 8) - (2 + 4 + 6)) / 3)
    assert (pair.pearson.coefficient, pair.spearman.coefficient, pair.kendall.coefficient) == (1, 1, 1)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ({"A": (1, 2), "B": (2, 3)}, "2 systems, at least 3 needed"),
        ({"A": (1, 2), "B": (1, 3), "C": (1, 4)}, "all systems have the same mean rating in group g"),
        ({"A": (1, 2), "B": (2, 2), "C": (3, 2)}, "all systems have the same mean rating in group h"),
    ],
)
def test_groups_that_cannot_be_correlated_have_a_reason(scores: dict[str, tuple[float, float]], reason: str) -> None:
    (pair,) = compare_groups(
        table(*((1, n, "x", v, g) for n, of in scores.items() for g, v in zip("gh", of, strict=True)))
    ).pairs
    for found in (pair.pearson, pair.spearman, pair.kendall):
        assert math.isnan(found.coefficient)
        assert found.reason == reason


def test_groups_without_a_common_system_or_name_are_not_correlated() -> None:
    (pair,) = compare_groups(table((1, "A", "x", 1, "g"), (1, "B", "x", 1, "h"))).pairs
    assert (pair.systems, pair.pearson.reason) == ((), "0 systems, at least 3 needed")
    assert math.isnan(pair.difference)
    unnamed = compare_groups(table((1, "A", "x", 1, None)))
    assert (unnamed.groups, unnamed.pairs) == ((), ())


def test_the_samples_groups_agree_within_and_with_each_other() -> None:
    ratings = sample()
    found = compare_groups(ratings, resamples=200)
    bilingual, monolingual = found.groups
    assert (bilingual.group, bilingual.judges, bilingual.ratings) == ("bilingual", 10, 2229)
    assert (monolingual.group, monolingual.judges, monolingual.ratings) == ("monolingual", 10, 2221)
    for group in found.groups:
        assert 0.55 < group.alpha.coefficient < 0.75
        assert group.alpha.interval.low < group.alpha.coefficient < group.alpha.interval.high
        assert group.system_means == ratings.of_group(group.group).system_means()
    (pair,) = found.pairs
    assert pair.pearson == pearson(pair.first_means, pair.second_means)
    assert pair.pearson.coefficient > 0.95
    assert pair.difference < 0  # the monolingual group was made the stricter one


def test_z_scores_raise_the_samples_agreement() -> None:
    # Leniency is what interval alpha counts as disagreement, and what a judge's own mean takes away.
    raw, z = sample(), standardised(sample())
    assert krippendorff_alpha(z, resamples=0).coefficient > krippendorff_alpha(raw, resamples=0).coefficient
    # Within a judge nothing changes, so that the order of items stays.
    before, after = pairwise_kendall(raw), pairwise_kendall(z)
    assert after.coefficients == pytest.approx(before.coefficients, nan_ok=True)
    assert (before.pairs, len(before.judges)) == (190, 20)
    assert 0.5 < before.mean < 0.7
