"""Scores beside texts: what MetricX writes, and tables of COMET, made by hand as their programs write them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from small_files import parquet

from bleu_core.errors import FormatError
from bleu_core.formats import FileRole, inspect, read

#: source, hypothesis, reference and prediction of MetricX; NaN as Python's json writes it.
ROWS: tuple[tuple[str, str, str, float | None], ...] = (
    ("Eins ist hier.", "The first one is here.", "One is here.", 1.5),
    ("Zwei gibt es.", "There are two now.", "There are two.", None),
    ("Drei machen Text.", "Three make text.", "Three make a text.", math.nan),
    ("Vier stehen da.", "Four stand there.", "Four are standing there.", 25.0),
)


def metricx(*, scored: bool = True) -> bytes:
    names = ("source", "hypothesis", "reference", *(("prediction",) if scored else ()))
    return "".join(json.dumps(dict(zip(names, row, strict=False))) + "\n" for row in ROWS).encode()


def scores(data: bytes, name: str = "A.jsonl", **options: Any) -> Any:
    return read(data, name, "scores", **options)


def test_what_metricx_writes_is_scores_where_lower_is_better_and_missing_ones_are_missing() -> None:
    assert inspect(metricx(), "A.jsonl").role == "scores"
    found = scores(metricx())
    (table,) = found.scores
    assert (table.name, table.systems, table.higher_is_better) == ("MetricX", ("A",), False)
    np.testing.assert_array_equal(table.scores, [[1.5, np.nan, np.nan, 25]])
    assert found.report.notes == (
        "MetricX: 2 of 4 scores missing",
        "MetricX: lower is assumed to be better because of the name",
    )


@pytest.mark.parametrize(("role", "place"), [("source", 0), ("system", 1), ("reference", 2)])
def test_predictions_are_texts_in_no_role(role: FileRole, place: int) -> None:
    found = read(metricx(), "A.jsonl", role)
    (column,) = [c for c in found.columns if c.role == role]
    assert column.segments == tuple(row[place] for row in ROWS)
    assert "prediction" not in {c.name for c in found.columns}
    assert any("prediction" in note and "numbers only" in note for note in found.report.notes)


def test_what_metricx_takes_is_texts() -> None:
    found = read(metricx(scored=False), "A.jsonl", inspect(metricx(scored=False), "A.jsonl").role)
    assert [(c.role, c.name) for c in found.columns] == [
        ("source", "source"),
        ("system", "A"),
        ("reference", "reference"),
    ]


def test_an_output_of_numbers_alone_stays_an_output() -> None:
    found = read(b"source\ttarget\neins\t1\nzwei\t2\n", "A.tsv", "system")
    assert [c.segments for c in found.columns if c.role == "system"] == [("1", "2")]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("A.csv", b'src,mt,ref,COMET\nuno,"one, or",one,0.5\ndos,two,two,\ntres,3,three,nan\n'),
        ("A.csv", b"src;mt;ref;COMET\nuno;one;one;0,5\ndos;two;two;\ntres;3;three;NaN\n"),
        ("A.tsv", b"src\tmt\tCOMET\nuno\tone\t0.5\ndos\ttwo\tNone\ntres\t3\tN/A\n"),
        ("A.parquet", parquet({"src": ["a", "b", "c"], "mt": ["x", "y", "z"], "COMET": [0.5, None, math.nan]})),
    ],
)
def test_tables_of_comet_are_scores_where_scores_are_asked_for(name: str, data: bytes) -> None:
    assert inspect(data, name).role == "system"  # it has texts, which are what most files hold
    (table,) = scores(data, name).scores
    assert (table.name, table.systems, table.higher_is_better) == ("COMET", ("A",), True)
    np.testing.assert_array_equal(table.scores, [[0.5, np.nan, np.nan]])


def test_systems_in_a_column_have_a_row_per_segment_each() -> None:
    data = b"system,hypothesis,prediction,XCOMET-XL\nA,x,1,0.5\nB,y,2,0.6\nA,z,3,0.7\nB,w,4,0.8\n"
    tables = {table.name: table for table in scores(data, "all.csv").scores}
    assert tables["MetricX"].systems == ("A", "B")
    assert tables["MetricX"].scores.tolist() == [[1, 3], [2, 4]]
    assert tables["XCOMET-XL"].scores.tolist() == [[0.5, 0.7], [0.6, 0.8]]
    assert tables["XCOMET-XL"].higher_is_better


def test_the_system_and_the_metric_can_be_named() -> None:
    (table,) = scores(metricx(), format="scored-texts", own={"system": "S", "metric": "MetricX-24-XL"}).scores
    assert (table.name, table.systems, table.higher_is_better) == ("MetricX-24-XL", ("S",), False)


def test_scores_below_0_have_their_sign_turned_already() -> None:
    (table,) = scores(b"mt,prediction\na,-1.5\nb,-2\n", "A.csv").scores
    assert table.higher_is_better


@pytest.mark.parametrize(
    ("data", "own", "message"),
    [
        (b"mt,ref\na,b\n", {}, "A.csv, line 1: no column score in the header (mt, ref); score expected"),
        (b"mt,COMET\na,\n", {}, "A.csv: no score of COMET in 1 row, at least 1 expected"),
        (b"mt,COMET\na,x\n", {}, "A.csv, line 2: score 'x' found, a number expected"),
        (b"mt,COMET,COMET\na,1,2\n", {}, "A.csv, line 1: 2 columns have scores of COMET; keep one"),
        (
            b"mt,COMET,score\na,1,2\n",
            {"metric": "M"},
            "A.csv, line 1: 2 columns of scores (COMET, score) and the name M",
        ),
        (b"system,mt,COMET\nA,a,1\nA,b,2\nB,c,3\nC,a,1\nC,b,2\n", {}, "A.csv: 1 row of B found, 2 expected as for"),
        (b"system,mt,COMET\nA,a,1\n,b,2\n", {}, "A.csv, line 3: no system found, a name expected"),
    ],
)
def test_what_is_wrong_is_named(data: bytes, own: dict[str, str], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        scores(data, "A.csv", format="scored-texts", own=own)
    assert str(caught.value).startswith(message)


def test_a_column_of_scores_under_another_header_is_read_with_the_option_that_the_refusal_prints() -> None:
    data = b"mt,quality\na,1\nb,2.5\n"
    with pytest.raises(FormatError, match=r"use --format-of A\.csv=scored-texts:score=quality$"):
        scores(data, "A.csv", format="scored-texts")
    (table,) = scores(data, "A.csv", format="scored-texts", own={"score": "quality"}).scores
    assert (table.name, table.systems, table.scores.tolist()) == ("quality", ("A",), [[1, 2.5]])
