"""Metric scores of WMT25 in JSON lines, made by hand as its repository has them."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from bleu_core.dataset import ScoreTable, SegmentId
from bleu_core.errors import AlignmentError, FormatError, LanguagePairError
from bleu_core.formats import Contents, inspect, read


def document(name: str, pair: str = "en-is_IS", domain: str = "news", **scores: list[Any]) -> dict[str, object]:
    of_metrics = {metric.replace("_", "-"): found for metric, found in scores.items()}
    return {"language_pair": pair, "domain": domain, "document_id": name, "metric_scores": of_metrics}


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


ROWS = (
    document("a", XCOMET_XL=[0.5, 0.7], MetricX_24=[-9.6, -4.5]),
    document("b", "en-cs_CZ", XCOMET_XL=[0.1]),
    document("c", XCOMET_XL=[None, 0.2, math.nan]),
)


def scores(data: bytes, name: str = "AMI.jsonl", **options: Any) -> Contents:
    return read(data, name, "scores", **options)


def tables(found: Contents) -> dict[str, ScoreTable]:
    return {table.name: table for table in found.scores}


def test_scores_are_read_by_document_and_paragraph() -> None:
    assert (inspect(lines(*ROWS), "AMI.jsonl").role, inspect(lines(*ROWS), "AMI.jsonl").format) == (
        "scores",
        "wmt-scores",
    )
    found = scores(lines(*ROWS), pair="en-is_IS")
    xcomet, metricx = tables(found)["XCOMET-XL"], tables(found)["MetricX-24"]
    assert xcomet.ids == tuple(
        SegmentId(f"news_#_{d}", str(n)) for d, n in (("a", 1), ("a", 2), ("c", 1), ("c", 2), ("c", 3))
    )
    assert xcomet.systems == ("AMI",)
    np.testing.assert_array_equal(xcomet.scores, [[0.5, 0.7, np.nan, 0.2, np.nan]])
    np.testing.assert_array_equal(metricx.scores, [[-9.6, -4.5, np.nan, np.nan, np.nan]])
    assert metricx.higher_is_better  # its sign has been turned
    assert found.report.notes == ("XCOMET-XL: 2 of 5 scores missing", "MetricX-24: 3 of 5 scores missing")


def test_the_language_pair_is_asked_for_and_need_not_be_there() -> None:
    with pytest.raises(
        LanguagePairError, match=r"^AMI\.jsonl: 2 language pairs found, 1 expected; .*: en-is_IS, en-cs_CZ$"
    ):
        scores(lines(*ROWS))
    found = scores(lines(*ROWS), pair="en-de_DE")
    assert found.scores == ()
    assert found.report.notes == ("no scores for the language pair en-de_DE: not used; it has en-is_IS, en-cs_CZ",)


def table() -> ScoreTable:
    values = np.array([[0.5, 0.7, 0.1]])
    own = tuple(SegmentId(d, n) for d, n in (("a", "1"), ("a", "2"), ("b", "1")))
    return replace(ScoreTable.of_segments("M", ("S",), values), ids=own, higher_is_better=False)


@pytest.mark.parametrize(
    ("ids", "expected", "note"),
    [
        ((("b", "1"), ("a", "2"), ("a", "1")), [0.1, 0.7, 0.5], ""),
        ((("b", "0"), ("a", "1"), ("a", "0")), [0.1, 0.7, 0.5], ""),
        ((("b", ""), ("a", "")), [0.1, 0.6], "M: scores of 3 paragraphs averaged over their document"),
        ((("a", "1"), ("c", "1")), [0.5, np.nan], "M: 2 scores per system of segments that the texts lack not used"),
    ],
)
def test_scores_are_placed_by_ids(ids: tuple[tuple[str, str], ...], expected: list[float], note: str) -> None:
    found, sentence = table().placed([SegmentId(*each) for each in ids], None)
    np.testing.assert_allclose(found.scores, [expected])
    assert found.system_scores.tolist() == pytest.approx([np.nanmean(expected)])
    assert (sentence, found.higher_is_better) == (note, False)


def test_without_ids_scores_are_placed_by_documents_and_never_by_order_alone() -> None:
    found, _ = table().placed(None, ["b", "a", "a"])
    assert found.scores.tolist() == [[0.1, 0.5, 0.7]]
    with pytest.raises(AlignmentError, match="the documents of the segments are not known"):
        table().placed(None, None)
    with pytest.raises(AlignmentError, match=r"M: scores of a, b found, scores of at least one of x, y expected"):
        table().placed(None, ["x", "y", "y"])


def test_a_document_without_all_of_its_scores_has_none() -> None:
    own = ScoreTable.of_segments("M", ("S",), np.array([[0.5, np.nan]]))
    ids = (SegmentId("a", "1"), SegmentId("a", "2"))
    assert np.isnan(replace(own, ids=ids).placed([SegmentId("a", "")], None)[0].scores).all()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"a": 1}, "t.jsonl, line 2: '{\"a\": 1}' found, an object with document_id and metric_scores expected"),
        (document("d", M=[0.5], N=[1, 2]), "t.jsonl, line 2: 2 scores of N found, 1 expected as for the other metrics"),
        (document("d", M=["x"]), "t.jsonl, line 2, M, paragraph 1: score 'x' found, a number expected"),
        (
            document("a", M=[1]),
            "t.jsonl, line 2: a second row of the document news_#_a found, 1 expected; the first is",
        ),
        (document("d") | {"metric_scores": {"M": 1}}, "t.jsonl, line 2: scores of M that is not a list found"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(row: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        scores(lines(ROWS[0], row), "t.jsonl")
    assert str(caught.value).startswith(message)
