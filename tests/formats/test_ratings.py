"""Judgments in long form."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import read_ratings

from bleu_core.dataset import Judgments, UnusedRows
from bleu_core.dataset.judgments import COLUMNS
from bleu_core.errors import FormatError
from bleu_core.formats import delimited
from bleu_core.formats.delimited import header_names
from bleu_core.formats.ratings import KIND
from bleu_core.formats.text import Text


def read(content: str, *, first_segment: int = 1) -> Judgments:
    return read_ratings(Text(content, "UTF-8"), "h.csv", first_segment=first_segment)


def test_a_row_is_a_rating() -> None:
    table = read("doc,seg_id,system,rater,score,group\nd1,1,A,x,-2.5,g\nd1,2,B,y,3,g\n").table
    assert list(table.columns) == list(COLUMNS)
    first, second = (table.iloc[i].to_dict() for i in range(2))
    assert first == {
        "segment": 1,
        "system": "A",
        "judge": "x",
        "score": -2.5,
        "group": "g",
        "document": "d1",
        "origin": "h.csv",
        "line": 2,
    }
    assert (second["segment"], second["score"], second["line"]) == (2, 3.0, 3)


@pytest.mark.parametrize(("column", "name"), [(c, name) for c, names in KIND.columns.items() for name in names])
def test_synonyms_of_a_columns_name_are_known(column: str, name: str) -> None:
    names = {"system": "system", "score": "score", "segment": "segment", "judge": "judge", column: name}
    values = {"system": "A", "score": "1", "segment": "1", "judge": "x", "document": "d", "group": "g"}
    content = ",".join(names.values()) + "\n" + ",".join(values[c] for c in names) + "\n"
    found = read(content).table.iloc[0]
    assert str(found[column]) == {"score": "1.0"}.get(column, values[column])


@pytest.mark.parametrize("header", ["System,Score", " SYSTEM , score ", "Sys-ID,Rating", "system id,score"])
def test_case_blanks_and_hyphens_of_a_header_do_not_matter(header: str) -> None:
    assert KIND.names(header_names(header))
    assert read(f"{header}\nA,1\n").systems == ("A",)


@pytest.mark.parametrize("separator", ["\t", ",", ";"])
def test_tables_of_judgments_may_be_separated_by(separator: str) -> None:
    content = "segment,system,judge,score\n1,A,x,2\n".replace(",", separator)
    assert KIND.names(header_names(content.split("\n")[0]))
    assert dict(read(content).system_means()) == {"A": 2.0}


@pytest.mark.parametrize("line", ["system", "score", "the system has a score", "system\tA\nscore", "", "a,b"])
def test_other_lines_are_no_header_of_judgments(line: str) -> None:
    assert not KIND.names(header_names(line))


def test_columns_may_be_left_out() -> None:
    table = read("system,score\nA,1\nB,2\n").table
    assert table["segment"].isna().all()
    assert table["group"].isna().all()
    assert table["judge"].tolist() == ["", ""]


def test_columns_that_are_not_known_are_passed_over() -> None:
    assert list(read("system,comment,score\nA,very good,1\n").table.columns) == list(COLUMNS)


@pytest.mark.parametrize("missing", ["", " ", "none", "NA", "n/a", "NaN", "null", "-"])
def test_a_missing_score_is_kept_as_a_row_without_one(missing: str) -> None:
    judgments = read(f"segment,system,judge,score\n1,A,x,{missing}\n2,A,x,4\n")
    assert judgments.table["score"].isna().tolist() == [True, False]
    assert len(judgments.rated) == 1


@pytest.mark.parametrize(("written", "score"), [("1", 1.0), ("-0.5", -0.5), ("+3", 3.0), ("1e2", 100.0), (" 2 ", 2.0)])
def test_numbers_are_scores(written: str, score: float) -> None:
    assert read(f"system,score\nA,{written}\n").table["score"].tolist() == [score]


@pytest.mark.parametrize("written", ["good", "1_000", "inf", "-inf", "Infinity", "1e999", "1;2", "0x1", "1 2"])
def test_what_is_no_finite_number_is_no_score(written: str) -> None:
    message = re.escape(f"h.csv, line 3: score {written!r} found, a number expected")
    with pytest.raises(FormatError, match=f"^{message}$"):
        read(f"system,score\nA,1\nA,{written}\n")


@pytest.mark.parametrize(
    ("written", "scores"),
    [
        (["0,5", "-1,25", "3", "+2,0e1"], [0.5, -1.25, 3, 20]),
        (["1,000", "0,5"], [1, 0.5]),
        (["0,123", " 1,5 ", "NA"], [0.123, 1.5, None]),
        ([",5"], [0.5]),
    ],
)
@pytest.mark.parametrize("separator", [";", "\t"])
def test_decimal_commas_are_read(separator: str, written: list[str], scores: list[float | None]) -> None:
    content = "".join(f"{separator.join(row)}\n" for row in [("system", "score"), *(("A", cell) for cell in written)])
    found = read(content).table["score"].astype(object)
    assert found.where(found.notna(), None).tolist() == scores


@pytest.mark.parametrize(
    "written", [["1,000", "2,500"], ["0.5", "0,5"], ["1,000.5", "1"], ["1,2,3", "1,5"], ["1,", "2"]]
)
def test_commas_that_may_separate_thousands_are_refused(written: list[str]) -> None:
    at, cell = next((i, cell) for i, cell in enumerate(written) if "," in cell)
    message = re.escape(f"h.csv, line {at + 2}: score {cell!r} found, a number expected; write it with a decimal point")
    with pytest.raises(FormatError, match=f"^{message}$"):
        read("system;score\n" + "".join(f"A;{cell}\n" for cell in written))


def test_decimal_commas_are_refused_between_commas() -> None:
    with pytest.raises(
        FormatError, match=r"^h\.csv, line 2: score '3,5' found, a number expected; write it with a decimal point$"
    ):
        read('system,score\nA,"3,5"\n')


@pytest.mark.parametrize("written", ["", "one", "1.5", "-1", "1e3", "\u00b2", "\u0661"])
def test_what_is_no_whole_number_is_no_segment(written: str) -> None:
    message = re.escape(f"h.csv, line 2: segment {written!r} found, a whole number expected")
    with pytest.raises(FormatError, match=f"^{message}$"):
        read(f"segment,system,score\n{written},A,1\n")


@pytest.mark.parametrize("digits", [19, 20, 400, 5000])
def test_a_segment_too_large_for_a_number_is_refused(digits: int) -> None:
    with pytest.raises(FormatError, match=r"^h\.csv, line 2: segment"):
        read(f"segment,system,score\n{'9' * digits},A,1\n")


def test_segments_may_count_from_0() -> None:
    content = "segment,system,score\n0,A,1\n4,A,1\n"
    assert read(content, first_segment=0).table["segment"].tolist() == [1, 5]
    with pytest.raises(FormatError, match="line 2: segment 0 found, 1 or more expected"):
        read(content)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "h.csv: the file is empty; a header with the columns system and score expected"),
        ("segment,score\n1,2\n", "h.csv, line 1: no column system in the header (segment, score)"),
        ("segment,system\n1,A\n", "h.csv, line 1: no column score in the header (segment, system)"),
        ("system,sys,score\nA,A,1\n", "h.csv, line 1: columns 'system' and 'sys' both give the system; keep one"),
        ("system,score,Rating\nA,1,1\n", "h.csv, line 1: columns 'score' and 'Rating' both give the score; keep one"),
        ("system,score\n,1\n", "h.csv, line 2: no system found, a name expected"),
        ("system,score\n", "h.csv: no rating in 0 rows, at least 1 expected"),
        ("system,score\nA,\nB,NA\n", "h.csv: no rating in 2 rows, at least 1 expected"),
        ("system,score\nA,1,2\n", "h.csv, line 2: 3 cells found, 2 expected as in line 1"),
    ],
)
def test_files_without_ratings_are_refused(content: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        read(content)


def test_a_quoted_cell_of_two_lines_shifts_no_line_number() -> None:
    with pytest.raises(FormatError, match=r"^h\.csv, line 4: score 'bad'"):
        read('system,comment,score\nA,"two\nlines",1\nA,x,bad\n')


def test_rows_without_a_score_are_listed() -> None:
    found = read("system,score\nA,1\nA,\nB,NA\n")
    assert found.unused_rows == (UnusedRows("no score", 2, 3, "h.csv"),)
    assert found.format == "ratings, one per row"


CELLS = st.text(st.sampled_from(list('ab1 .,;"\t\r\n\u2028')), max_size=4)
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=5)


def read_all(content: str, name: str) -> object:
    try:
        found = delimited.parse_table(Text(content, "UTF-8"), name)
    except FormatError as error:
        return str(error)
    return found and (found.header, [list(c) for c in found.columns], list(found.lines))


@given(TABLES, st.sampled_from("\t,;"), st.booleans(), st.sampled_from(["t.csv", "t.tsv"]))
def test_large_tables_are_read_like_small_ones(
    cells: list[list[str]],
    separator: str,
    quoted: bool,  # noqa: FBT001
    name: str,
) -> None:
    def written(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if quoted and '"' in cell else cell

    content = "\n".join(separator.join(map(written, row)) for row in cells) + "\n"
    small = read_all(content, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "MIN_PANDAS_CHARS", 0)
        assert read_all(content, name) == small
