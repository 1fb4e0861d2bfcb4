"""WMT's direct assessment by the crowd."""

from __future__ import annotations

import re

import pytest

from bleu_core.dataset import Judgments, UnusedRows
from bleu_core.errors import FormatError
from bleu_core.formats import read as read_file

HEADER = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time"


def row(
    system: str = "Online-B.4", kind: str = "SYSTEM", segment: object = 7, score: object = 0.5, judge: str = "M1"
) -> str:
    return f"H1\t{judge}\tru\ten\tad\t13\t{system}\t1001\t{kind}\t{segment}\t{score}\t479.0"


def read(*rows: str, header: str = HEADER) -> Judgments:
    return judgments_of("\n".join((header, *rows)) + "\n")


def judgments_of(content: str) -> Judgments:
    found = read_file(content.encode(), "c.csv", "judgments", format="crowd").judgments
    assert found is not None
    return found


@pytest.mark.parametrize("separate", [lambda r: r, lambda r: r.replace("\t", " ")])
def test_rows_may_be_separated_by_tabs_or_blanks(separate: object) -> None:
    table = read(separate(row())).table  # type: ignore[operator]
    cells = ["system", "segment", "judge", "score", "line"]
    assert table[cells].astype(object).to_numpy().tolist() == [["Online-B", 7, "M1", 0.5, 2]]


@pytest.mark.parametrize("end", ["", "\t", "\t\t "])
def test_the_last_cells_may_be_empty_or_end_with_tabs(end: str) -> None:
    without_time = row().rpartition("\t")[0] + "\t"
    assert read(row(), f"{without_time}{end}").table["score"].tolist() == [0.5, 0.5]


def test_a_repeat_is_the_judges_second_rating_of_the_item() -> None:
    found = read(row(score=-0.5), row(kind="REPEAT", score=1.5), row(judge="M2", score=3.5))
    assert (found.repeated, dict(found.system_means())) == (1, {"Online-B": 2.0})


def test_references_and_damaged_references_are_set_aside() -> None:
    found = read(row(), row(kind="REF"), row(kind="BAD_REF"), row(kind="REF"), row(kind="ODD"))
    assert len(found.table) == 1
    assert found.unused_rows == (
        UnusedRows("quality control (REF)", 2, 3, "c.csv"),
        UnusedRows("quality control (BAD_REF)", 1, 4, "c.csv"),
        UnusedRows("type ODD", 1, 6, "c.csv"),
    )


def test_the_number_behind_a_system_is_no_part_of_its_name() -> None:
    assert read(row("A.v2.4"), row("A.v2.5")).systems == ("A.v2",)
    assert read(row("A.4"), row("B")).systems == ("A.4", "B")


def test_averages_by_segment_are_standardised() -> None:
    found = judgments_of("SYS SID RAW.SCR Z.SCR N \nOnline-B.4 37 98 0.57 1 \n")
    assert found.table[["system", "segment", "score"]].astype(object).to_numpy().tolist() == [["Online-B", 37, 0.57]]


def test_averages_by_system_have_no_segment() -> None:
    found = read("70.5 0.25 1000 Online-B.4 1200", header="RAW.SCR Z.SCR N SYS N.ALL")
    assert (found.table["segment"].isna().all(), dict(found.system_means())) == (True, {"Online-B": 0.25})


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        (("1 2",), "a b", "c.csv, line 1: no column system in the header (a, b); sys_id expected"),
        ((row(), "H1 M1"), HEADER, "c.csv, line 3: 2 cells found, 12 expected as in line 1"),
        ((row(score="x"),), HEADER, "c.csv, line 2: score 'x' found, a number expected"),
        ((row(segment=0),), HEADER, "c.csv, line 2: segment 0 found, 1 or more expected"),
        ((row(kind="REF"),), HEADER, "c.csv: no rating in 0 rows, at least 1 expected"),
    ],
)
def test_damaged_files_are_refused(rows: tuple[str, ...], header: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        read(*rows, header=header)
