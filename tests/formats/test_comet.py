"""comet-score's JSON, made by hand as comet/cli/score.py of unbabel-comet writes it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from bleu_core.errors import FormatError
from bleu_core.formats import inspect, read


def segment(score: object, **more: object) -> dict[str, object]:
    return {"src": "uno", "mt": "one", "ref": "one", "COMET": score, **more}


def comet(systems: object, name: str = "c.json", **options: Any) -> Any:
    return read(json.dumps(systems, indent=4).encode(), name, "scores", **options)


def test_scores_of_segments_are_read_by_system() -> None:
    data = {
        "out/A.de.txt": [segment(0.5), segment(1)],
        "out/B.txt": [segment(None), segment(0.25, errors=[{"text": "one"}])],
    }
    content = json.dumps(data, ensure_ascii=False, indent=4).encode()
    assert (inspect(content, "c.json").role, inspect(content, "c.json").format) == ("scores", "comet")
    (table,) = comet(data).scores
    assert (table.name, table.systems, table.level) == ("COMET", ("A.de", "B"), "segment")
    np.testing.assert_array_equal(table.scores, [[0.5, 1], [np.nan, 0.25]])
    assert table.system_scores.tolist() == [0.75, 0.25]
    assert not table.numbered


def test_a_score_that_is_absent_or_nan_is_missing() -> None:
    found = comet({"A": [segment(1), {"src": "x", "mt": "y"}, segment(float("nan"))]})
    np.testing.assert_array_equal(found.scores[0].scores, [[1, np.nan, np.nan]])
    assert found.report.notes == ("COMET: 2 of 3 scores missing",)


def test_models_without_references_and_older_versions_are_read() -> None:
    segments = [{"src": "uno", "mt": "one", "COMET": 0.5, "variance": 0.1}]
    (table,) = comet(segments, "A.json").scores
    assert (table.systems, table.scores.tolist()) == (("A",), [[0.5]])
    assert inspect(json.dumps(segments).encode(), "A.json").format == "comet"


def test_the_metric_can_be_named_since_every_model_is_called_comet() -> None:
    (table,) = comet({"A.txt": [segment(1)]}, own={"metric": "CometKiwi"}).scores
    assert table.name == "CometKiwi"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"A": [segment(1)], "B": [segment(1)] * 2, "C": [segment(1)]}, "c.json: 2 scores of B found, 1 expected"),
        ({"A": [segment(1), {"src": "x"}]}, "c.json: segment 2 of A without COMET found"),
        ({"A": [segment(1), 2]}, "c.json: segment 2 of A without COMET found"),
        ({"A": [segment("x")]}, "c.json, A, segment 1: score 'x' found, a number expected"),
        ({"A": [segment([])]}, "c.json, A, segment 1: a list found, text or a number expected"),
        ({"A": 1}, "c.json: value of A that is not a list found, a list expected"),
        ({"A": [segment(None)]}, "c.json: no score found, at least 1 expected"),
        ({"a/A": [segment(1)], "b/A.txt": [segment(1)]}, "both 'a/A' and 'b/A.txt' are scores of A"),
        ({}, "c.json: no system found"),
        ([], "c.json: no score found, at least 1 expected"),
        (3, "c.json: no system found"),
    ],
)
def test_what_is_wrong_is_named(data: object, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        comet(data, format="comet")
    assert message in str(caught.value)
