"""Error annotations of mt-metrics-eval."""

from __future__ import annotations

import json
import re

import pytest

from bleu_core.errors import FormatError
from bleu_core.formats import MqmWeights, inspect, read

NAME = "en-de.mqm.rater1.seg.rating"


def errors(*found: tuple[str, str]) -> str:
    return json.dumps({"errors": [{"start": 0, "end": 2, "category": c, "severity": s, "score": 9} for c, s in found]})


FILE = [
    ("A", errors(("accuracy/omission", "major"), ("fluency/punctuation", "minor"))),
    ("A", errors()),
    ("A", "None"),
    ("B", errors(("Non-translation!", "major"))),
    ("B", errors(("style", "minor"))),
    ("B", errors(("style", "neutral"))),
]


def content(rows: list[tuple[str, ...]]) -> bytes:
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def test_a_rating_is_minus_the_weights_of_the_errors() -> None:
    assert (inspect(content(FILE), NAME).format, inspect(content(FILE), "x").format) == ("eval-ratings", "eval-ratings")
    found = read(content(FILE), NAME, "judgments")
    assert found.judgments is not None
    rated = found.judgments.rated
    assert list(zip(rated["system"], rated["segment"], rated["score"], strict=True)) == [
        ("A", 1, pytest.approx(-5.1)),
        ("A", 2, 0),
        ("B", 1, -25),
        ("B", 2, -1),
        ("B", 3, 0),
    ]
    assert set(rated["judge"]) == {"mqm.rater1"}
    assert [str(aside) for aside in found.report.unused_rows] == [f"{NAME}: 1 row not used (line 3): no score"]
    weighted = read(content(FILE), NAME, "judgments", weights=MqmWeights(major=10)).judgments
    assert weighted is not None
    assert weighted.rated["score"].iloc[0] == pytest.approx(-10.1)


def test_raters_are_those_of_the_lines() -> None:
    found = read(content([(*row, f"r{i % 2}") for i, row in enumerate(FILE)]), NAME, "judgments").judgments
    assert found is not None
    assert found.rated["judge"].tolist() == ["r0", "r1", "r1", "r0", "r1"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("A",)], ", line 1: 1 cell found, a system, its errors and perhaps a rater expected"),
        ([("A", "5")], ", line 1: '5' found, None or an object with a list of errors expected"),
        ([("A", '{"errors": [3]}')], ", line 1: '{\"errors\": [3]}' found, None or an object"),
        ([("A", '{"errors": [{"severity": []}]}')], ', line 1: \'{"errors"'),
        ([*FILE, ("C", "None")], ": 1 line of C found, 3 expected as for the other systems"),
        ([("A", "None")], ": no rating in 1 row, at least 1 expected"),
    ],
)
def test_other_files_are_refused(rows: list[tuple[str, ...]], message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(NAME + message)}"):
        read(content(rows), NAME, "judgments", format="eval-ratings")
