"""What judges gave, one by one, and z-scores."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import Row, sample, table
from scipy import stats

from bleu_core.dataset import Judge, Judgments
from bleu_core.judges import judge_summaries, standardised
from bleu_core.judges.krippendorff import alpha
from bleu_core.judges.ratings import judge_ratings

# Few judges, systems and segments, so that items are repeated; scores in tenths.
ROWS: st.SearchStrategy[list[Row]] = st.lists(
    st.tuples(
        st.integers(1, 3) | st.none(),
        st.sampled_from("AB"),
        st.sampled_from("xyz"),
        st.integers(-20, 20).map(lambda n: n / 10) | st.none(),
        st.sampled_from(["g", "h"]) | st.none(),
    ),
    max_size=30,
)


def test_a_judge_is_summarised_by_hand() -> None:
    # 1, 3 (the same item), 4, 4: mean 3; squares 4 + 0 + 1 + 1 = 6 over 3.
    (found,) = judge_summaries(
        table((1, "A", "x", 1, "g"), (1, "A", "x", 3, "g"), (2, "A", "x", 4, "g"), (1, "B", "x", 4, "g"))
    )
    assert found.judge == Judge("g", "x")
    assert (found.ratings, found.items, found.systems, found.repeats) == (4, 3, 2, 1)
    assert (found.mean, found.standard_deviation) == (3, pytest.approx(math.sqrt(2)))
    assert (found.minimum, found.maximum) == (1, 4)
    assert found.edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert found.histogram.tolist() == [1, 0, 1, 2]
    assert found.reason == ""


def test_judges_of_one_name_in_two_groups_are_two_and_come_by_group_and_name() -> None:
    found = judge_summaries(table(*((1, "A", j, 1, g) for g in ("h", "g", None) for j in "yx")))
    assert [s.judge for s in found] == [Judge(g, j) for g in (None, "g", "h") for j in "xy"]


@settings(max_examples=20)
@given(ROWS)
def test_summaries_are_those_of_each_judges_own_ratings(rows: list[Row]) -> None:
    found = judge_summaries(table(*rows))
    rated = [row for row in rows if row[3] is not None]
    assert {s.judge for s in found} == {Judge(row[4], row[2]) for row in rated}
    for summary in found:
        own = [row for row in rated if Judge(row[4], row[2]) == summary.judge]
        scores = [row[3] for row in own if row[3] is not None]
        items = [row[:2] for row in own]
        assert (summary.ratings, summary.items) == (len(own), len(set(items)))
        assert (summary.repeats, summary.systems) == (len(own) - len(set(items)), len({row[1] for row in own}))
        assert summary.mean == pytest.approx(np.mean(scores), abs=1e-12)
        assert (summary.minimum, summary.maximum) == (min(scores), max(scores))
        if len(scores) > 1:
            assert summary.standard_deviation == pytest.approx(np.std(scores, ddof=1), abs=1e-12)
        else:
            assert math.isnan(summary.standard_deviation)
        assert bool(summary.reason) == (min(scores) == max(scores))
        assert summary.histogram.tolist() == np.histogram(scores, summary.edges)[0].tolist()
        assert summary.histogram.sum() == len(scores)
        # Consistency: within items and, with the repeats as judges, alpha.
        numbers = np.array([items.index(item) for item in items])
        repeated = np.bincount(numbers)[numbers] > 1
        values = np.array(scores)[repeated]
        assert (summary.consistency.items, summary.consistency.ratings) == (len(set(numbers[repeated])), len(values))
        wanted = alpha(numbers[repeated], values, resamples=0)
        assert summary.consistency.alpha == pytest.approx(wanted.coefficient, abs=1e-9, nan_ok=True)
        assert bool(summary.consistency.reason) == bool(wanted.reason)


def test_consistency_by_hand() -> None:
    # Items of 1 and 3, and of 5, 5 and 5: squares within items 2 over 1 + 2 degrees of freedom.
    rows: list[Row] = [(1, "A", "x", 1, None), (1, "A", "x", 3, None), *[(2, "A", "x", 5, None)] * 3]
    (found,) = judge_summaries(table(*rows, (3, "A", "x", 9, None)))
    assert (found.consistency.items, found.consistency.ratings) == (2, 5)
    assert found.consistency.deviation == pytest.approx(math.sqrt(2 / 3))
    # D_o = (2 * 4) / 5; D_e = 2 (5 * 85 - 19**2) / (5 * 4) = 6.4.
    assert found.consistency.alpha == pytest.approx(1 - 1.6 / 6.4)


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([[1], [2]], "no item was rated twice"),
        ([[1, 2], [3]], "1 item was rated twice, at least 2 needed"),
        ([[2, 2], [2, 2], [3]], "all repeated ratings are equal"),
    ],
)
def test_consistency_without_repeats_has_a_reason(scores: list[list[float]], reason: str) -> None:
    (found,) = judge_summaries(table(*((s, "A", "x", one, None) for s, of in enumerate(scores, 1) for one in of)))
    assert math.isnan(found.consistency.alpha)
    assert found.consistency.reason == reason


@pytest.mark.parametrize(
    ("scores", "edges"),
    [
        ([3, 3], [2.5, 3.5]),
        ([0.5, 0.5], [0, 1]),
        ([0, 100], [*range(0, 101, 5)]),
        ([-1, 1], [-1.5, -0.5, 0.5, 1.5]),
        ([0, 0.5, 10], [n / 2 for n in range(21)]),
    ],
)
def test_bins_are_ratings_where_these_are_few_whole_numbers(scores: list[float], edges: list[float]) -> None:
    found = judge_summaries(table(*((1, "A", judge, score, None) for judge, score in zip("xyz", scores, strict=False))))
    for summary in found:
        assert summary.edges.tolist() == pytest.approx(edges)
        assert summary.histogram.sum() == 1


@pytest.mark.parametrize("unit", [1e100, -1e100, 1e-300])
def test_ratings_of_any_size_are_summarised(unit: float) -> None:
    rows: list[Row] = [(s, "A", j, unit * (s + ord(j) % 2), None) for s in (1, 2, 2, 3, 3) for j in "xy"]
    for found in judge_summaries(table(*rows)):
        assert found.histogram.sum() == found.ratings == 5
        assert math.isfinite(found.mean)
    assert standardised(table(*rows)).table["score"].notna().all()


def test_z_scores_are_scipys_of_each_judge() -> None:
    before = sample()
    after = standardised(before)
    for _, of_judge in before.table.groupby(["group", "judge"]):
        wanted = stats.zscore(of_judge["score"].to_numpy(), ddof=1)
        assert after.table.loc[of_judge.index, "score"].to_numpy() == pytest.approx(wanted)


def test_z_scores_by_hand_take_one_degree_of_freedom_off() -> None:
    # 40, 60, 80: mean 60, deviation sqrt(800 / 2) = 20.
    found = standardised(table(*((s, "A", "x", score, None) for s, score in enumerate((40, 60, 80), 1))))
    assert found.table["score"].tolist() == [-1, 0, 1]


def test_z_scores_leave_the_ratings_and_all_else_as_they_are() -> None:
    before = table((1, "A", "x", 1, "g"), (2, "A", "x", None, "g"), (3, "B", "x", 4, "g"))
    copy = before.table.copy()
    after = standardised(before)
    pd.testing.assert_frame_equal(before.table, copy)
    pd.testing.assert_frame_equal(after.table.drop(columns="score"), copy.drop(columns="score"))
    assert np.isnan(after.table["score"]).tolist() == [False, True, False]


def test_a_constant_judge_gets_0_and_one_with_a_single_rating_nothing() -> None:
    ratings = table(
        (1, "A", "x", 0.1, None), (2, "A", "x", 0.1, None), (3, "A", "x", 0.1, None), (1, "A", "y", 5, None)
    )
    assert standardised(ratings).table["score"].tolist()[:3] == [0, 0, 0]
    assert math.isnan(standardised(ratings).table["score"].tolist()[3])
    assert [s.reason for s in judge_summaries(ratings)] == [
        "all ratings are 0.1",
        "1 rating, at least 2 needed for a standard deviation",
    ]


@settings(max_examples=20)
@given(ROWS)
def test_z_scores_have_mean_0_and_deviation_1_and_no_row_moves(rows: list[Row]) -> None:
    before = table(*rows)
    after = standardised(before)
    for summary in judge_summaries(after):
        assert summary.mean == pytest.approx(0, abs=1e-9)
        assert summary.standard_deviation == pytest.approx(1) or summary.maximum == summary.minimum == 0
    shuffled = Judgments(before.table.sample(frac=1, random_state=4))
    again = standardised(shuffled).table["score"].sort_index().to_numpy()
    assert again == pytest.approx(after.table["score"].to_numpy(), abs=1e-12, nan_ok=True)


def test_z_scores_take_leniency_away() -> None:
    # Judges of one taste and different strictness and reach agree after all.
    taste = np.random.default_rng(0).normal(size=40)
    rows: list[Row] = [
        (s + 1, "A", j, a + b * taste[s], None) for j, a, b in (("x", 3, 1), ("y", 60, 20)) for s in range(40)
    ]
    ratings = judge_ratings(standardised(table(*rows)))
    assert alpha(ratings.item, ratings.ratings, resamples=0).coefficient == pytest.approx(1)


@settings(max_examples=20)
@given(ROWS)
def test_one_rating_per_judge_and_item_whatever_the_order_of_rows(rows: list[Row]) -> None:
    found = judge_ratings(table(*rows))
    again = judge_ratings(Judgments(table(*rows).table.sample(frac=1, random_state=1)))
    assert (found.judges, found.systems) == (again.judges, again.systems)
    for name in ("judge", "item", "system", "segment", "ratings"):
        assert getattr(found, name).tolist() == getattr(again, name).tolist()
    keys = [
        (found.judges[j], found.systems[s], g) for j, s, g in zip(found.judge, found.system, found.segment, strict=True)
    ]
    assert len(set(keys)) == len(keys)
    scores: dict[tuple[Judge, str, int | None], list[float]] = {}
    for segment, system, judge, score, group in rows:
        if score is not None:
            scores.setdefault((Judge(group, judge), system, segment), []).append(score)
    assert sorted(found.ratings) == pytest.approx(sorted(np.mean(of) for of in scores.values()))
    assert [g < 0 for _, _, g in sorted(keys, key=str)].count(True) == sum(segment is None for _, _, segment in scores)


def test_positions_in_documents_are_items_and_positions_in_batches_are_not() -> None:
    def placed(numbering: str) -> Judgments:
        frame = table(*((None, "A", j, 1, None) for j in "xyxy")).table
        frame = frame.assign(
            document=pd.array(["d", "d", "e", "e"], dtype="string"), position=pd.array([1] * 4, "Int64")
        )
        return Judgments(frame, numbering=numbering)  # type: ignore[arg-type]

    found = judge_ratings(placed("document"))
    assert found.item.tolist() == [0, 1, 0, 1]
    assert found.segment.tolist() == [0, 1, 0, 1]
    assert judge_ratings(placed("item")).judges == ()


def test_without_ratings_there_are_no_judges() -> None:
    nothing = table((1, "A", "x", None, None))
    for empty in (nothing, Judgments(nothing.table[:0])):
        assert judge_summaries(empty) == ()
        assert judge_ratings(empty).judges == ()
        assert standardised(empty).table["score"].isna().all()


def test_judges_without_a_name_are_one_judge() -> None:
    frame = table((1, "A", "x", 1, None), (2, "A", "y", 2, None)).table.assign(judge=pd.array([None, None], "string"))
    (found,) = judge_summaries(Judgments(frame))
    assert (found.judge, found.ratings) == (Judge(None, ""), 2)


def test_the_samples_judges_are_twenty_and_differ_in_leniency() -> None:
    found = judge_summaries(sample())
    assert [s.judge.group for s in found] == ["bilingual"] * 10 + ["monolingual"] * 10
    assert sum(s.ratings for s in found) == 4450
    assert all(s.repeats == 0 and s.systems == 5 for s in found)
    assert found[0].edges.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    means = [s.mean for s in found]
    assert max(means) - min(means) > 0.5
    assert all(0.9 < s.standard_deviation < 1.2 for s in found)
