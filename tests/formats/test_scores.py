"""Scores of metrics and people: mt-metrics-eval's files and long tables."""

from __future__ import annotations

import re

import numpy as np
import pytest

from bleu_core.dataset import Judgments, ScoreTable
from bleu_core.errors import FormatError
from bleu_core.formats import inspect, read, recognise
from bleu_core.formats.eval_scores import read_eval_scores
from bleu_core.formats.text import Text

SEGMENTS = "B\t1\nB\tNone\nB\t3\nA 4\nA 5\nA None\n"


def long(content: str, name: str = "m.csv", *, first_segment: int = 1) -> tuple[ScoreTable, ...]:
    return read(content.encode(), name, "scores", format="scores", first_segment=first_segment).scores


def is_eval_scores(content: str) -> bool:
    return inspect(content.encode(), "a").format == "eval-scores"


def blocks(content: str, name: str = "BLEU-refA.seg.score") -> tuple[ScoreTable, ...]:
    return read_eval_scores(Text(content, "UTF-8"), name)


def test_a_long_table_has_a_table_for_each_metric_in_the_order_of_the_file() -> None:
    content = "metric,system,segment,score\nM,B,2,0.5\nN,A,1,9\nM,A,1,0.25\nM,B,1,\n"
    assert recognise(content.encode(), "m.csv") == "scores"
    first, second = long(content)
    assert (first.name, first.systems, first.origin, first.level) == ("M", ("B", "A"), "m.csv", "segment")
    np.testing.assert_array_equal(first.scores, [[np.nan, 0.5], [0.25, np.nan]])
    assert (second.name, second.systems, second.scores.tolist()) == ("N", ("A",), [[9.0]])
    # The table may end before the texts do: its rows have numbers.
    assert first.aligned(("A",), 5).scores.shape == (1, 5)


def test_a_metric_without_a_name_is_called_after_the_file() -> None:
    (table,) = long("system,score\nA,1\nB,2\n", "dir/COMET.csv")
    assert (table.name, table.level, table.scores.shape, table.system_scores.tolist()) == (
        "COMET",
        "system",
        (2, 0),
        [1, 2],
    )


@pytest.mark.parametrize(
    ("metric", "score", "higher"),
    [("TER", 60, False), ("c-der", 0, False), ("Error count", 3, False), ("wer", -60, True), ("TERp-A", 60, True)],
)
def test_metrics_of_errors_are_known_by_name_unless_their_sign_is_turned(
    metric: str,
    score: float,
    higher: bool,  # noqa: FBT001
) -> None:
    (table,) = long(f"metric,system,segment,score\n{metric},A,1,{score}\n")
    assert table.higher_is_better is higher
    (table,) = long(f"metric,system,score\n{metric},A,{score}\n")
    assert table.higher_is_better is higher
    (table,) = blocks(f"A\t{score}\n", f"{metric}.sys.score")  # where higher is better by convention
    assert table.higher_is_better


def test_segments_of_a_long_table_may_count_from_0() -> None:
    assert long("system,segment,score\nA,0,1\nA,1,2\n", first_segment=0)[0].scores.tolist() == [[1, 2]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "m.csv: no score below the header"),
        ("metric,system,score\n", "m.csv: no score below the header"),
        ("metric,system,score\nM,A,\n", "m.csv: no score in 1 row,"),
        ("metric,system\nM,A\n", "m.csv, line 1: no column score in the header (metric, system)"),
        ("system,sys,score\nA,A,1\n", "m.csv, line 1: columns 'system' and 'sys' both give the system; keep one"),
        ("system,score\n,1\n", "m.csv, line 2: no system found, a name expected"),
        ("system,score\nA,inf\n", "m.csv, line 2: score 'inf' found, a number expected"),
        ("system,segment,score\nA,x,1\n", "m.csv, line 2: segment 'x' found, a whole number expected"),
        (
            "metric,system,segment,score\nM,A,1,1\nM,B,1,1\nM,A,1,2\n",
            "m.csv, line 4: second score of M for A, segment 1 found, 1 expected; the first is in line 2",
        ),
        ("system,score\nA,1\nA,2\n", "m.csv, line 3: second score of m for A found, 1 expected; the first is in"),
        (
            f"system,segment,score\nA,{10**11},1\n",
            "m.csv: segment 100,000,000,000 of 1 system found, at most 20,000,000 scores expected",
        ),
    ],
)
def test_damaged_long_tables_are_refused(content: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        long(content)


def test_a_block_of_lines_is_a_systems_segments() -> None:
    assert is_eval_scores(SEGMENTS)
    (table,) = blocks(SEGMENTS)
    assert (table.name, table.systems, table.level) == ("BLEU-refA", ("B", "A"), "segment")
    np.testing.assert_array_equal(table.scores, [[1, np.nan, 3], [4, 5, np.nan]])
    assert table.system_scores.tolist() == [2, 4.5]


def test_a_line_a_system_is_the_system_level() -> None:
    (table,) = blocks("A\t1\nB\tNone\n", "en-de.mqm.sys.score")
    assert (table.name, table.level, table.scores.shape) == ("mqm", "system", (2, 0))
    np.testing.assert_array_equal(table.system_scores, [1, np.nan])
    # A single segment is told from a system by the name of the file.
    assert blocks("A\t1\nB\t2\n")[0].scores.tolist() == [[1], [2]]


def test_scores_of_domains_are_a_table_each() -> None:
    found = blocks("news\tA\t1\nnews\tB\t2\nlit\tA\t3\nlit\tB\t4\n", "BLEU-refA.domain.score")
    assert [(t.name, t.system_scores.tolist()) for t in found] == [
        ("BLEU-refA, news", [1, 2]),
        ("BLEU-refA, lit", [3, 4]),
    ]


@pytest.mark.parametrize(
    ("name", "human"), [("en-de.mqm.seg.score", True), ("BLEU-refA.seg.score", False), ("a", False)]
)
def test_human_scores_are_told_by_their_files_name(name: str, human: bool) -> None:  # noqa: FBT001
    assert (recognise(SEGMENTS.encode(), name) == "judgments") is human


def human_scores(content: str, name: str) -> Judgments:
    found = read(content.encode(), name, "judgments").judgments
    assert found is not None
    return found


def test_human_scores_are_ratings_of_one_judge() -> None:
    found = human_scores(SEGMENTS, "en-de.da-sqm.seg.score")
    assert [j.name for j in found.judges] == ["da-sqm"]
    cells = found.table[["system", "segment", "score", "line"]].astype(object).to_numpy().tolist()
    assert cells == [["B", 1, 1, 1], ["B", 3, 3, 3], ["A", 1, 4, 4], ["A", 2, 5, 5]]
    of_systems = human_scores("A\t1\nB\t3\n", "en-de.mqm.sys.score")
    assert (dict(of_systems.system_means()), of_systems.table["segment"].isna().all()) == ({"A": 1, "B": 3}, True)
    with pytest.raises(FormatError, match="line 1: score of a domain or document found"):
        human_scores("news\tA\t1\n", "en-de.mqm.domain.score")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "x.seg.score: no score found"),
        ("A\tNone\n", "x.seg.score: no score found"),
        ("A\n", "x.seg.score, line 1: 1 cell found, a system and a score expected"),
        ("A\t1\nB\t2\t3\n", "x.seg.score, line 2: 3 cells found"),
        ("A\tx\n", "x.seg.score, line 1: score 'x' found, a number expected"),
        (
            "A\t1\nA\t1\nB\t1\nC\t1\nC\t1\n",
            "x.seg.score: 1 score of B found, 2 expected as for the other systems",
        ),
    ],
)
def test_damaged_score_files_are_refused(content: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        blocks(content, "x.seg.score")


def test_segment_numbers_are_bounded_over_all_metrics_of_a_file() -> None:
    rows = "".join(f"M{n},A,5000000,1\n" for n in range(5))
    with pytest.raises(FormatError, match=r"^m\.csv: segment 5,000,000 of 1 system found, at most 20,000,000 scores"):
        long(f"metric,system,segment,score\n{rows}")


@pytest.mark.parametrize("cell", ["1", "+1", "-1.", "1.5", ".5", "1e5", "-1.5E-3", "\u0661"])
def test_numbers_of_score_files_are_known(cell: str) -> None:
    assert is_eval_scores(f"A {cell}\nB {cell}\n")
    assert not is_eval_scores(f"A {cell}x\nB {cell}\n")


@pytest.mark.parametrize("cell", ["", ".", "-", "1e", "e5", "1.5.2", "--1", "1e5.0"])
def test_other_cells_are_no_numbers_of_score_files(cell: str) -> None:
    assert not is_eval_scores(f"A {cell}\nB 1\n")
