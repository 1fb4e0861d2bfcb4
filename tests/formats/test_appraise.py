"""Exports of Appraise."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.dataset import Judgments, UnusedRows
from bleu_core.errors import FormatError
from bleu_core.formats import MqmWeights, inspect
from bleu_core.formats import read as read_file

TIMES = "1711317347.693,1711317350.1"


def direct(system: str = "A", item: object = 1, score: object = 50, kind: str = "TGT", judge: str = "u") -> str:
    return f"{judge},{system},{item},{kind},eng,deu,{score}"


def document(name: str = "d", *, complete: bool = False, **direct_cells: object) -> str:
    return f"{direct(**direct_cells)},{name},{complete}"  # type: ignore[arg-type]


def spanned(*spans: object, name: str = "d", written: str | None = None, **cells: object) -> str:
    text = written if written is not None else json.dumps(spans)
    return f'{document(name, **cells)},"{text.replace(chr(34), chr(34) * 2)}",{TIMES}'  # type: ignore[arg-type]


def read(*rows: str, weights: MqmWeights | None = None) -> Judgments:
    data = "".join(f"{row}\r\n" for row in rows).encode()
    found = read_file(data, "a.csv", "judgments", format="appraise", weights=weights or MqmWeights()).judgments
    assert found is not None
    return found


def is_appraise(line: str) -> bool:
    return inspect(line.encode(), "a").format == "appraise"


def scores(found: Judgments) -> list[float]:
    return found.table["score"].tolist()


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (direct(), "direct assessment"),
        (direct() + ",serious-error", "direct assessment"),
        (f"{direct()},{TIMES}", "direct assessment"),
        (direct() + ",serious-error,None", "direct assessment"),
        (document(), "documents"),
        (f"{document()},{TIMES}", "documents"),
        (spanned(), "ESA"),
        (document() + ",[]", "ESA"),
        (spanned(score=0), "MQM"),
    ],
)
def test_exports_of_every_width_are_read(row: str, said: str) -> None:
    assert is_appraise(row)
    found = read(row)
    assert found.format == f"Appraise (CSV), {said}"
    assert found.table[["system", "judge", "segment"]].astype(object).to_numpy().tolist() == [["A", "u", 1]]


def test_a_header_as_of_hassan_et_al_is_known() -> None:
    rows = ("UserID,SystemID,SegmentID,Type,Score,StartTime,EndTime", f"u,A,7,TGT,55,{TIMES}", f"u,A,8,REF,9,{TIMES}")
    assert is_appraise(rows[0])
    assert (scores(read(*rows)), read(*rows).table["segment"].tolist()) == ([55], [7])


@pytest.mark.parametrize(
    "line", ["", "a,b", "u,A,1,TGT,eng,deu,fine", "u,A,1,XXX,eng,deu,50", "u,A,1,TGT,EN,DE,50", '"']
)
def test_other_lines_are_no_export(line: str) -> None:
    assert not is_appraise(line)


def test_rows_of_quality_control_are_set_aside_and_counted() -> None:
    found = read(
        document(),
        document(kind="BAD", item=2),
        document(kind="CHK", item=3),
        document(kind="BAD", item=4),
        document("d#bad2", item=5),
        document("d#dup", item=6),
        document("d#incomplete", item=7),
        document("ende-tutorial1", item=8),
        document(complete=True, item=9),
    )
    assert scores(found) == [50]
    assert found.unused_rows == (
        UnusedRows("quality control (BAD)", 2, 2, "a.csv"),
        UnusedRows("quality control (CHK)", 1, 3, "a.csv"),
        UnusedRows("quality control (#bad)", 1, 5, "a.csv"),
        UnusedRows("quality control (#dup)", 1, 6, "a.csv"),
        UnusedRows("quality control (#incomplete)", 1, 7, "a.csv"),
        UnusedRows("tutorial", 1, 8, "a.csv"),
        UnusedRows("score of a whole document", 1, 9, "a.csv"),
    )


MAJOR = {"start_i": 1, "end_i": 2, "severity": "major", "error_type": ["Accuracy", "Omission"]}
MINOR = {"start_i": "missing", "end_i": "missing", "severity": "minor", "error_type": None}
COMMA = {"start_i": 1, "end_i": 2, "severity": "minor", "error_type": ["Linguistic conventions", "Punctuation"]}


def test_scores_of_an_mqm_campaign_are_computed_from_its_spans() -> None:
    rows = (spanned(MAJOR, MINOR, COMMA, score=0), spanned(score=0, item=2))
    found = read(*rows)
    assert scores(found) == [-6.1, 0]
    assert "scores computed from the error spans" in found.notes
    changed = read(*rows, weights=MqmWeights(major=1, minor=0))
    assert scores(changed) == [-1.1, 0]
    assert "MQM weights: major 1 instead of 5, minor 0 instead of 1" in changed.notes


def test_scores_of_an_esa_campaign_are_the_judges() -> None:
    found = read(spanned(MAJOR, score=0), spanned(MINOR, item=2, score=70), weights=MqmWeights(major=1))
    assert scores(found) == [0, 70]
    assert not any("error spans" in note or "weights" in note for note in found.notes)


def test_spans_of_old_exports_are_dictionaries_of_python() -> None:
    assert scores(read(spanned(written="{'start_i': 0, 'severity': 'major'}", score=0))) == [-5]
    assert scores(read(spanned(written="[{'severity': 'minor', 'error_type': None}]", score=0))) == [-1]


@pytest.mark.parametrize(
    ("systems", "names"),
    [
        (["wmt23.A", "wmt23.B-x"], ["A", "B-x"]),
        (["newstest2019.A.6785.en-de.txt", "newstest2019.B.1.en-de.txt"], ["A", "B"]),
        # What not all have, or what would make two systems one, stays.
        (["wmt23.A", "B"], ["wmt23.A", "B"]),
        (["wmt22.A", "wmt23.B"], ["wmt22.A", "wmt23.B"]),
        (["my.A", "my.B"], ["my.A", "my.B"]),
        (["A.1.en-de.txt", "A.2.en-de.txt"], ["A.1.en-de.txt", "A.2.en-de.txt"]),
    ],
)
def test_names_are_shortened_only_where_that_is_safe(systems: list[str], names: list[str]) -> None:
    found = read(*(direct(system, item) for item, system in enumerate(systems, start=1)))
    assert found.table["system"].tolist() == names
    told = [note for note in found.notes if "shortened" in note]
    assert told == ([] if names == systems else [f"system names shortened: {systems[0]} to {names[0]}"])


def test_a_rating_of_equal_outputs_counts_for_each_of_their_systems() -> None:
    found = read(direct("A", 1, 10), direct("B", 1, 20), direct("A+B", 2, 30), direct("A+C", 3, 40))
    assert list(zip(found.table["system"], scores(found), strict=True)) == [
        ("A", 10),
        ("B", 20),
        ("A", 30),
        ("B", 30),
        ("A+C", 40),
    ]
    assert "ratings of A+B count for both systems" in found.notes


def test_item_numbers_beside_one_document_each_are_lines() -> None:
    found = read(document("d", item=1), document("e", item=2), document("d", item=1, system="B"))
    assert (found.numbering, found.table["segment"].tolist()) == ("line", [1, 2, 1])


def test_item_numbers_that_begin_in_every_document_count_within_documents() -> None:
    cells = [(d, i, s) for d in "de" for i in (1, 2) for s in "AB"]
    found = read(*(document(d, item=i, system=s) for d, i, s in cells))
    assert (found.numbering, found.table["segment"].isna().all()) == ("document", True)
    placed, aside = found.place(("A", "B"), 4, documents=("e", "e", "d", "d"))
    assert placed.table["segment"].tolist() == [3, 3, 4, 4, 1, 1, 2, 2]
    assert aside == ()


def test_item_numbers_that_run_through_what_each_judge_saw_are_no_lines() -> None:
    rows = [
        document(f"{j}-{i // 3}", item=i, judge=j, kind="BAD" if i == 5 else "TGT") for j in "uv" for i in range(1, 13)
    ]
    found = read(*rows)
    assert found.numbering == "item"
    assert found.table["segment"].isna().all()
    assert any("not lines of the texts" in note for note in found.notes)


def test_documents_that_name_their_system_have_no_lines() -> None:
    found = read(document("d#A", system="wmt23.A", item=1), document("d#B", system="wmt23.B", item=2))
    assert (found.numbering, found.table["document"].tolist()) == ("item", ["d", "d"])


def rows_of(judge: str, items: list[int], ratings: list[int]) -> list[str]:
    return [
        document("d#A", system="wmt23.A", judge=judge, item=i, score=s) for i, s in zip(items, ratings, strict=True)
    ]


@pytest.mark.parametrize(
    ("items", "ratings", "mean"),
    [
        ([85, 86, 87, 88, 89, 90, 91], [10] * 7, (7 * 10 + 90 + 100) / 9),  # other segments of the document
        ([90, 91, 92], [10, 20, 30], ((90 + 10) / 2 + (100 + 20) / 2 + 30) / 3),  # the same ones, and another one
    ],
)
def test_equal_numbers_of_two_judges_are_one_segment_if_both_begin_the_document_with_the_same_number(
    items: list[int], ratings: list[int], mean: float
) -> None:
    found = read(*rows_of("u", [91, 90], [100, 90]), *rows_of("v", items, ratings))
    assert found.numbering == "item"
    assert found.system_means() == {"A": pytest.approx(mean)}
    assert found.repeated == 0


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("u,c,doc,t.tsv::1.2.3,1,TGT,eng",), "a.csv: Appraise assessment of data found"),
        (("u,A,1",), "a.csv, line 1: 3 cells found, 7 to 12 expected"),
        (("UserID,SystemID,ItemID,Type", "u,A,1,TGT"), "a.csv, line 1: 4 cells found, 7 to 12 expected"),
        ((direct(), document()), "a.csv, line 2: 9 cells found, 7 expected as in line 1"),
        ((direct(score="x"),), "a.csv, line 1: score 'x' found, a number expected"),
        ((direct(score="nan"), direct(score="inf")), "a.csv, line 2: score 'inf' found, a number expected"),
        ((direct(item="x"),), "a.csv, line 1: item 'x' found, a whole number expected"),
        ((direct(item=0),), "a.csv, line 1: segment 0 found, 1 or more expected"),
        ((direct(system=""),), "a.csv, line 1: no system found, a name expected"),
        ((spanned(written="[1]"),), "a.csv, line 1: spans '[1]' found, a list of objects expected"),
        ((spanned(written="[{"),), "a.csv, line 1: spans '[{' found, a list of objects expected"),
        ((direct(kind="BAD"),), "a.csv: no rating in 1 rows, at least 1 expected: 1 quality control (BAD)"),
    ],
)
def test_damaged_exports_are_refused(rows: tuple[str, ...], message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        read(*rows)


KINDS = st.sampled_from([None, "Fluency", ["Fluency", "Punctuation"], ["Non-translation!"], 'a_i":5,', "a, b"])
SPANS = st.lists(
    st.fixed_dictionaries(
        {
            "start_i": st.integers(0, 300) | st.just("missing"),
            "end_i": st.integers(-2, 300),
            "severity": st.sampled_from(["major", "minor", "neutral", "odd", None]),
            "error_type": KINDS,
        }
    ),
    max_size=3,
)


@given(st.lists(SPANS, min_size=1, max_size=5), st.booleans())
def test_every_row_costs_what_its_spans_cost(rows: list[list[dict[str, object]]], python: bool) -> None:  # noqa: FBT001
    weights = MqmWeights(major=3.3, other=2)

    def cost(span: dict[str, object]) -> float:
        kind = span["error_type"]
        return weights.of("/".join(kind) if isinstance(kind, list) else str(kind or ""), str(span["severity"]))

    found = read(*(spanned(written=(repr if python else json.dumps)(s), score=0) for s in rows), weights=weights)
    assert scores(found) == [-sum(map(cost, spans)) for spans in rows]


def test_positions_that_are_no_numbers_are_refused() -> None:
    spans = [f'[{{"start_i":{place},"severity":"minor"}}]' for place in ("1", "01")]
    with pytest.raises(FormatError, match=r"^a\.csv, line 2: spans .*01.* found"):
        read(*(spanned(written=written, score=0) for written in spans))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((document(), document(system=" "), direct()), "a.csv, line 2: no system"),
        ((document(), direct(), document(system=" ")), "a.csv, line 2: 7 cells found, 9 expected as in line 1"),
    ],
)
def test_of_several_faults_the_first_is_told(rows: tuple[str, ...], message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        read(*rows)
