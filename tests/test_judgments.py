"""Means over judges, segments and systems."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_core.errors import AlignmentError
from bleu_core.formats.ratings import read_ratings
from bleu_core.formats.text import Text
from bleu_core.judgments import Judgments, merge


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
    with pytest.raises(AlignmentError, match=r"^h\.csv, line 3: segment 4 found, 1 to 3 expected as in the texts$"):
        judgments("1,A,x,1", "4,A,x,1").check_segments(3)
    with pytest.raises(AlignmentError, match=r"^h\.csv, line 2: segment 9 found, .* \(2 such lines\)$"):
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
    found = judgments(*(",".join(map(str, row)) for row in rows)).system_means()
    for system in found:
        by_segment: list[float] = []
        for segment in sorted({s for s, k, _, _ in rows if k == system}):
            ratings: dict[str, list[float]] = {}
            for s, k, judge, score in rows:
                if (s, k) == (segment, system):
                    ratings.setdefault(judge, []).append(score)
            by_segment.append(sum(sum(r) / len(r) for r in ratings.values()) / len(ratings))
        assert found[system] == pytest.approx(sum(by_segment) / len(by_segment), rel=1e-12)
