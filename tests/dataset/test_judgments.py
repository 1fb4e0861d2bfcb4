"""Means over judges, segments and systems."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged import read_ratings

from bleu_core.dataset import Judge, Judgments, ScoreTable, UnusedRows, merge
from bleu_core.errors import AlignmentError, FormatError
from bleu_core.formats.text import Text


def judgments(*rows: str, header: str = "segment,system,judge,score", origin: str = "h.csv") -> Judgments:
    return read_ratings(Text("\n".join([header, *rows]) + "\n", "UTF-8"), origin)


def test_a_systems_mean_is_over_segments_of_means_over_judges() -> None:
    # Segment 1: (2 + 4) / 2 = 3; segment 2: 9; mean 6, and not (2 + 4 + 9) / 3 = 5.
    assert dict(judgments("1,A,x,2", "1,A,y,4", "2,A,x,9").system_means()) == {"A": 6.0}


def test_a_judges_repeated_ratings_of_an_item_are_averaged_first() -> None:
    # x gave 1 and 3, so 2; y gave 6; mean 4, and not (1 + 3 + 6) / 3.
    assert dict(judgments("1,A,x,1", "1,A,x,3", "1,A,y,6").system_means()) == {"A": 4.0}


def test_missing_scores_are_left_out_of_means() -> None:
    assert dict(judgments("1,A,x,2", "1,A,y,", "2,A,x,NA", "3,A,x,4").system_means()) == {"A": 3.0}


def test_judges_of_one_name_in_two_groups_are_two() -> None:
    # Group g: judge 1 gave 1 twice; group h: judge 1 gave 4. Two judges, mean (1 + 4) / 2.
    found = judgments("1,A,1,1,g", "1,A,1,1,g", "1,A,1,4,h", header="segment,system,judge,score,group")
    assert dict(found.system_means()) == {"A": 2.5}
    assert found.judge_count == 2
    assert found.groups == ("g", "h")


def test_system_level_scores_count_as_one_segment() -> None:
    assert dict(judgments("A,3", "B,4", "A,5", header="system,score").system_means()) == {"A": 4.0, "B": 4.0}


def test_systems_are_in_the_order_of_their_first_rating() -> None:
    found = judgments("1,B,x,1", "1,C,x,", "1,A,x,2", "2,B,x,1")
    assert found.systems == ("B", "A")
    assert list(found.system_means()) == ["B", "A"]


def test_a_group_is_its_own_judgments() -> None:
    found = judgments("1,A,x,1,g", "1,A,y,5,h", header="segment,system,judge,score,group")
    assert dict(found.of_group("h").system_means()) == {"A": 5.0}


def test_judgments_without_groups_have_none() -> None:
    assert judgments("1,A,x,1").groups == ()


def test_segments_of_the_texts_are_accepted() -> None:
    judgments("1,A,x,1", "3,A,x,1").check_segments(3)
    judgments("A,1", header="system,score").check_segments(1)


def test_segments_beyond_the_texts_are_refused_with_the_first_line_and_their_number() -> None:
    with pytest.raises(
        AlignmentError, match=r"^h\.csv, line 3: rating of segment 4 found, but the texts have 3 segments$"
    ):
        judgments("1,A,x,1", "4,A,x,1").check_segments(3)
    with pytest.raises(AlignmentError, match=r"^h\.csv, line 2: rating of segment 9 found, .* \(2 such rows\)$"):
        judgments("9,A,x,1", "4,A,x,").check_segments(3)


def test_merging_nothing_is_nothing_and_merging_one_is_that_one() -> None:
    one = judgments("1,A,x,1")
    assert merge([]) is None
    assert merge([one]) is one


def test_files_without_groups_become_a_group_each() -> None:
    merged = merge(
        [
            judgments("1,A,x,1", origin="mono.csv"),
            judgments("1,A,x,3", origin="bi.csv"),
            judgments("1,A,x,8,g", header="segment,system,judge,score,group", origin="g.csv"),
        ]
    )
    assert merged is not None
    assert merged.groups == ("mono.csv", "bi.csv", "g")
    assert merged.judge_count == 3
    assert dict(merged.system_means()) == {"A": 4.0}


def test_the_digest_does_not_depend_on_the_order_of_rows() -> None:
    assert judgments("1,A,x,1", "2,B,y,3").digest == judgments("2,B,y,3", "1,A,x,1").digest


@pytest.mark.parametrize("row", ["2,A,x,1", "1,B,x,1", "1,A,y,1", "1,A,x,2", "1,A,x,"])
def test_the_digest_changes_with_every_column(row: str) -> None:
    assert judgments("1,A,x,1", "3,C,z,1").digest != judgments(row, "3,C,z,1").digest


def test_means_equal_a_plain_loop() -> None:
    draw = np.random.default_rng(7)
    rows = [(int(s), f"s{k}", f"j{j}", float(v)) for s, k, j, v in draw.integers(1, 5, (200, 4))]
    # Numbers of rows, since exact copies of rows do not count.
    lines = [",".join(map(str, (*row, n))) for n, row in enumerate(rows)]
    found = judgments(*lines, header="segment,system,judge,score,row").system_means()
    for system in found:
        by_segment: list[float] = []
        for segment in sorted({s for s, k, _, _ in rows if k == system}):
            ratings: dict[str, list[float]] = {}
            for s, k, judge, score in rows:
                if (s, k) == (segment, system):
                    ratings.setdefault(judge, []).append(score)
            by_segment.append(sum(sum(r) / len(r) for r in ratings.values()) / len(ratings))
        assert found[system] == pytest.approx(sum(by_segment) / len(by_segment), rel=1e-12)


GROUPED = "segment,system,judge,score,group"
ratings = st.lists(
    st.tuples(st.integers(1, 4), st.integers(0, 2), st.integers(0, 2), st.integers(-50, 50)), min_size=1, max_size=30
)


def of(rows: list[tuple[int, int, int, int]]) -> Judgments:
    return judgments(*(f"{segment},s{system},j{judge},{score / 8}" for segment, system, judge, score in rows))


def test_segment_means_are_over_judges_and_missing_where_nobody_rated() -> None:
    found = judgments("1,A,x,1", "1,A,x,3", "1,A,y,6", "3,B,x,4", "2,C,x,9").segment_means(("B", "A"), 3)
    assert found.systems == ("B", "A")
    np.testing.assert_array_equal(found.scores, [[np.nan, np.nan, 4], [4, np.nan, np.nan]])
    assert (found.level, found.system_scores.tolist()) == ("segment", [4.0, 4.0])


def test_segment_means_of_unrated_systems_are_missing() -> None:
    found = judgments("1,A,x,1").segment_means(("A", "Z"), 1)
    np.testing.assert_array_equal(found.scores, [[1], [np.nan]])
    np.testing.assert_array_equal(found.system_scores, [1, np.nan])


def test_system_level_scores_have_no_segment_means() -> None:
    found = judgments("A,3", "B,4", header="system,score").segment_means(("A", "B"), 7)
    assert (found.level, found.scores.shape, found.system_scores.tolist()) == ("system", (2, 0), [3.0, 4.0])


def test_segment_means_of_segments_beyond_the_texts_are_refused() -> None:
    with pytest.raises(AlignmentError, match=r"^h\.csv, line 2: rating of segment 4 found"):
        judgments("4,A,x,1").segment_means(("A",), 3)


@settings(max_examples=20)
@given(ratings, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_no_mean(rows: list[tuple[int, int, int, int]], draw: random.Random) -> None:
    shuffled = list(rows)
    draw.shuffle(shuffled)
    first, second = of(rows), of(shuffled)
    assert dict(second.system_means()) == pytest.approx(dict(first.system_means()), rel=1e-12, abs=1e-12)
    systems = first.systems
    np.testing.assert_allclose(first.segment_means(systems, 4).scores, second.segment_means(systems, 4).scores, 1e-12)
    assert (first.repeated, first.digest) == (second.repeated, second.digest)


@settings(max_examples=20)
@given(ratings)
def test_a_judge_who_gives_every_item_its_mean_moves_no_mean(rows: list[tuple[int, int, int, int]]) -> None:
    before = of(rows)
    table = before.segment_means(before.systems, 4)
    added = [
        f"{s + 1},{name},new,{float(table.scores[k, s])!r}"
        for k, name in enumerate(table.systems)
        for s in np.flatnonzero(np.isfinite(table.scores[k]))
    ]
    after = merge([before, judgments(*added)])
    assert after is not None
    np.testing.assert_allclose(after.segment_means(table.systems, 4).scores, table.scores, 1e-12, 1e-12)
    assert dict(after.system_means()) == pytest.approx(dict(before.system_means()), rel=1e-12, abs=1e-12)


def test_repeated_ratings_are_counted_beyond_the_first() -> None:
    rows = ("1,A,1,1,g", "1,A,1,2,g", "1,A,1,3,g", "1,A,1,4,h", "1,A,2,1,g", "2,A,1,1,g", "1,B,1,1,g", "1,B,1,,g")
    assert judgments(*rows, header=GROUPED).repeated == 2


def test_judges_are_named_with_their_group() -> None:
    rows = ("1,A,y,1,g", "1,A,x,1,", "1,A,y,1,h", "2,A,y,1,g", "1,A,z,,g")
    assert judgments(*rows, header=GROUPED).judges == (Judge("g", "y"), Judge(None, "x"), Judge("h", "y"))


@pytest.mark.parametrize(
    ("left_out", "rest"),
    [
        ({"judges": ["y"]}, [2, 8]),
        ({"judges": [Judge("g", "y")]}, [2, 4, 8]),
        ({"judges": [Judge(None, "x")]}, [1, 4, 8]),
        ({"groups": ["g"]}, [2, 4]),
        ({"groups": ["h"], "judges": ["x"]}, [1]),
        ({}, [1, 2, 4, 8]),
    ],
)
def test_judges_and_groups_can_be_left_out(left_out: dict[str, list[str]], rest: list[float]) -> None:
    found = judgments("1,A,y,1,g", "1,A,x,2,", "1,A,y,4,h", "2,A,x,8,g", header=GROUPED)
    assert found.without(**left_out).table["score"].tolist() == rest


def test_what_is_left_when_all_are_left_out_has_no_means() -> None:
    found = judgments("1,A,y,1").without(judges=["y"])
    assert (dict(found.system_means()), found.judges, found.systems, found.repeated) == ({}, (), (), 0)
    assert np.isnan(found.segment_means(("A",), 2).system_scores).all()


def test_ratings_that_cannot_be_placed_are_listed_and_counted() -> None:
    found = judgments("1,A,x,1", "5,A,x,2", "2,Z,x,3", "1,Z,x,4", "4,A,y,5", "3,B,x,6")
    placed, aside = found.place(("A", "B"), 3)
    assert placed.table["score"].tolist() == [1, 6]
    assert aside == (
        UnusedRows("the segment is beyond the texts, which have 3 segments", 2, 3, "h.csv"),
        UnusedRows("Z is not loaded as a system", 2, 4, "h.csv"),
    )
    assert str(aside[0]) == (
        "h.csv: 2 rows not used (first: line 3): the segment is beyond the texts, which have 3 segments"
    )
    placed.check_segments(3)


def test_what_can_be_placed_stays_as_it_is() -> None:
    found = judgments("1,A,x,1", "2,B,x,2")
    placed, aside = found.place(("A", "B"), 2)
    assert (placed.digest, aside) == (found.digest, ())


def test_a_line_of_another_document_is_not_joined() -> None:
    found = judgments("1,A,x,1,d", "2,A,x,2,d", "3,A,x,3,unknown", header="segment,system,judge,score,doc")
    placed, aside = found.place(("A",), 3, documents=("d", "e", "f"))
    assert placed.table["score"].tolist() == [1, 3]
    assert aside == (UnusedRows("the line is in another document of the texts", 1, 3, "h.csv"),)


def within_documents(*positions: int, numbering: str = "document") -> Judgments:
    return Judgments.from_ratings(
        ["A"] * len(positions),
        list(range(len(positions))),
        range(1, len(positions) + 1),
        "h.csv",
        segments=positions,
        documents=["d", "e"] * (len(positions) // 2),
        numbering=numbering,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("first", [0, 1])
def test_segments_of_documents_find_their_lines(first: int) -> None:
    found = within_documents(first, first, first + 1, first + 1)
    placed, aside = found.place(("A",), 4, documents=("e", "e", "d", "f"))
    assert placed.numbering == "line"
    assert placed.table[["segment", "score"]].to_numpy().tolist() == [[3, 0], [1, 1], [2, 3]]
    assert [(s.reason, s.line) for s in aside] == [
        ("the texts have no such document, or the document no such segment", 3)
    ]


@pytest.mark.parametrize("numbering", ["document", "item"])
def test_items_that_are_no_lines_count_for_systems_only(numbering: str) -> None:
    found = within_documents(1, 1, 2, 2, numbering=numbering)
    placed, aside = found.place(("A",), 4)
    assert (placed.numbering, aside) == (numbering, ())
    assert dict(placed.system_means()) == {"A": 1.5}
    assert placed.segment_means(("A",), 4).level == "system"
    # The position is part of the item: another rating of the first one is averaged with it, (0 + 8) / 2 = 4.
    again = Judgments.from_ratings(
        ["A"], [8], [9], "g.csv", segments=[1], numbering="item", documents=["d"], judges="y"
    )
    merged = merge([placed, again])
    assert merged is not None
    assert dict(merged.system_means()) == {"A": (4 + 1 + 2 + 3) / 4}


def test_the_digest_changes_with_positions() -> None:
    assert within_documents(1, 1).digest != within_documents(1, 2).digest


def test_merged_files_keep_what_was_set_aside_and_said() -> None:
    parts = [
        Judgments.from_ratings(["A"], [1], [1], o, format="F", unused_rows=[("r", 1)], notes=["n"]) for o in ("a", "b")
    ]
    merged = merge(parts)
    assert merged is not None
    assert [s.origin for s in merged.unused_rows] == ["a", "b"]
    assert (merged.notes, merged.format, merged.numbering) == (("n",), "F", "line")


def test_no_errors_score_0_and_not_minus_0() -> None:
    assert str(Judgments.from_ratings(["A"], [-0.0], [1], "a").table["score"].iloc[0]) == "0.0"


def test_system_scores_are_means_of_the_segments_that_have_one() -> None:
    found = ScoreTable.of_segments("m", ("A", "B"), np.array([[1, np.nan, 4], [np.nan] * 3]))
    np.testing.assert_array_equal(found.system_scores, [2.5, np.nan])
    with pytest.raises(ValueError, match="read-only"):
        found.scores[0, 0] = 1


def test_a_table_of_scores_is_brought_into_the_order_of_the_texts() -> None:
    table = ScoreTable.of_segments("m", ("A", "B"), np.array([[1.0, 2.0], [3.0, 4.0]]), numbered=True)
    found = table.aligned(("B", "Z"), 3)
    np.testing.assert_array_equal(found.scores, [[3, 4, np.nan], [np.nan] * 3])
    np.testing.assert_array_equal(found.system_scores, [3.5, np.nan])
    assert ScoreTable.of_systems("m", {"A": 1.0}).aligned(("A",), 9).scores.shape == (1, 0)


@pytest.mark.parametrize(("numbered", "segments"), [(False, 3), (False, 1), (True, 1)])
def test_scores_of_other_segments_than_the_texts_are_refused(numbered: bool, segments: int) -> None:  # noqa: FBT001
    table = ScoreTable.of_segments("m", ("A",), np.array([[1.0, 2.0]]), origin="m.score", numbered=numbered)
    with pytest.raises(
        AlignmentError, match=r"^m\.score: the scores of m cover 2 segments, 1 (fewer|more) than the texts have \(\d\)$"
    ):
        table.aligned(("A",), segments)


@pytest.mark.parametrize(
    ("systems", "scores", "system_scores", "message"),
    [
        (("A",), [[1.0], [2.0]], [1.0], "scores of shapes"),
        (("A",), [[1.0]], [1.0, 2.0], "scores of shapes"),
        (("A", "A"), [[1.0], [1.0]], [1.0, 1.0], "the system 'A' occurs twice"),
        (("A",), [[np.inf]], [1.0], "infinite score"),
    ],
)
def test_tables_of_scores_check_themselves(
    systems: tuple[str, ...], scores: list[list[float]], system_scores: list[float], message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        ScoreTable("m", systems, np.array(scores), np.array(system_scores))


def test_whether_judges_are_named_is_known_also_of_several_files() -> None:
    named = judgments("1,A,x,1", "2,A,,1")
    unnamed = judgments("1,A,1", header="segment,system,score")
    averages = Judgments.from_ratings(["A"], [1.0], [1], "mean.tsv", judges="mean of raters", averages=True)
    assert (named.named, unnamed.named, averages.named) == (True, False, False)
    assert named.of_named_judges.tolist() == [True, False]
    together = merge([averages, unnamed])
    assert together is not None
    assert (together.named, together.averages) == (False, frozenset({"mean.tsv"}))
    everything = merge([averages, named])
    assert everything is not None
    assert everything.of_named_judges.tolist() == [False, True, False]
    assert not everything.without(judges=["x"]).named
