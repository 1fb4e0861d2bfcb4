"""Repairs of lines: what each does to a text, and which cannot be made."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bleu_core.dataset import LineRepair, repaired

TEXT = ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(
    ("repair", "segments", "absent"),
    [
        (LineRepair("missing", 1, 1), ("", *TEXT), (1,)),
        (LineRepair("missing", 3, 2), ("a", "b", "", "", "c", "d", "e"), (3, 4)),
        (LineRepair("missing", 6, 2), (*TEXT, "", ""), (6, 7)),
        (LineRepair("doubled", 2, 1), ("a", "c", "d", "e"), ()),
        (LineRepair("doubled", 4, 2), ("a", "b", "c"), ()),
        (LineRepair("split", 2, 3), ("a", "b c d", "e"), ()),
        (LineRepair("joined", 5, 2), (*TEXT, ""), (5, 6)),
        (LineRepair("joined", 1, 3), ("a", "", "", "b", "c", "d", "e"), (1, 2, 3)),
    ],
)
def test_each_repair_changes_its_own_lines(repair: LineRepair, segments: tuple[str, ...], absent: Any) -> None:
    found = repaired(TEXT, [repair])
    assert (found.segments, found.absent) == (segments, absent)


def test_several_repairs_are_made_at_once_by_the_lines_of_the_file_as_it_is() -> None:
    repairs = [
        LineRepair("missing", 1, 1),
        LineRepair("doubled", 1, 1),
        LineRepair("split", 2, 2),
        LineRepair("missing", 4, 1),
        LineRepair("joined", 4, 2),
        LineRepair("missing", 6, 1),
    ]
    found = repaired(TEXT, repairs)
    assert found.segments == ("", "b c", "", "d", "", "e", "")
    assert found.absent == (1, 3, 4, 5, 7)


def test_an_empty_part_of_a_split_segment_adds_no_blank() -> None:
    assert repaired(["", "b", "", "c"], [LineRepair("split", 1, 4)]).segments == ("b c",)
    assert repaired(["", ""], [LineRepair("split", 1, 2)]).segments == ("",)


def test_a_reference_without_text_stays_without_text() -> None:
    assert repaired(["a", None, None], [LineRepair("split", 2, 2)]).segments == ("a", None)
    assert repaired(["a", None, "b"], [LineRepair("split", 2, 2)]).segments == ("a", "b")


def test_without_repairs_a_text_stays_as_it_is() -> None:
    found = repaired(TEXT, [])
    assert (found.segments, found.absent) == (TEXT, ())


@pytest.mark.parametrize(
    ("repairs", "message"),
    [
        ([("missing", 7, 1)], "line 7: the text ends before this repair (5 lines found)"),
        ([("doubled", 5, 2)], "line 5: the text ends before this repair (5 lines found)"),
        ([("joined", 6, 2)], "line 6: the text ends before this repair (5 lines found)"),
        ([("split", 3, 2), ("doubled", 2, 1)], "line 2: found after line 3, repairs in order expected"),
        ([("split", 2, 3), ("missing", 4, 1)], "line 4: this repair overlaps that of line 2"),
        ([("doubled", 2, 1), ("joined", 2, 2)], "line 2: this repair overlaps that of line 2"),
        ([("missing", 2, 1), ("missing", 2, 2)], "line 2: this repair overlaps that of line 2"),
    ],
)
def test_repairs_that_do_not_fit_are_refused(repairs: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        repaired(TEXT, [LineRepair(*each) for each in repairs])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (("lost", 1, 1), "kind 'lost' found, one of missing, doubled, split, joined expected"),
        (("missing", 0, 1), "line 0 found, at least 1 expected"),
        (("missing", 1, 0), "0 lines found, at least 1 expected for missing"),
        (("split", 1, 1), "1 lines found, at least 2 expected for split"),
    ],
)
def test_a_repair_that_means_nothing_is_refused(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        LineRepair(*values)


@pytest.mark.parametrize(
    ("repair", "sentence"),
    [
        (LineRepair("missing", 17, 1), "line 17 is missing: an empty segment was put in its place"),
        (LineRepair("missing", 17, 3), "lines 17 to 19 are missing: 3 empty segments were put in their place"),
        (LineRepair("doubled", 17, 1), "line 17 is doubled: the second copy was left out"),
        (LineRepair("doubled", 17, 2), "lines 17 and 18 are doubled: the second copies were left out"),
        (LineRepair("split", 1017, 2), "lines 1,017 and 1,018 are one segment: they were joined"),
        (
            LineRepair("joined", 17, 2),
            "line 17 has the text of 2 segments: the first segment has all of it, and the other one is empty",
        ),
        (
            LineRepair("joined", 17, 3),
            "line 17 has the text of 3 segments: the first segment has all of it, and the 2 others are empty",
        ),
    ],
)
def test_a_sentence_says_what_a_repair_does(repair: LineRepair, sentence: str) -> None:
    assert repair.sentence == sentence
