"""Tables made of results: columns by key, results by key, columns of arrays, and what tables do with their columns."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pytest

from bleu_core.fields import Field, Table, columns_of, field, result, table_of, table_of_columns


@result
class Pair:
    """A score and a rank."""

    score: float = field("points", "Score on {0}.", columns="score_{0}", label="score of {1}")
    rank: int = field("count", columns="rank_{0}")


@result
class Row:
    """A row with values by key."""

    from_: str = field("text", "Where it begins.")
    parts: Mapping[str, float] = field("bleu", "BLEU of {}.", columns="{} only")
    pairs: Mapping[tuple[str, str], Pair] = field("object", columns="{0}")
    nested: tuple[int, ...] = field("object", default=())
    orders: tuple[float, ...] = field("fraction", columns="p_{}", default=())


ROWS = [
    Row(from_="a", parts={"A": 0.1, "{x}": 0.2}, pairs={("one", "system 1"): Pair(score=1.0, rank=2)}, orders=(0.5,)),
    Row(from_="b", parts={"A": 0.3}, pairs={("one", "system 1"): Pair(score=3.0, rank=1)}, orders=(0.25, 0.125)),
]


def test_keys_name_columns_their_labels_and_their_help() -> None:
    table = table_of(ROWS, Row)
    assert list(table.columns) == ["from", "A only", "{x} only", "score_one", "rank_one", "p_1", "p_2"]
    assert table.columns["{x} only"] == Field("bleu", "BLEU of {x}.")
    assert table.columns["score_one"] == Field("points", "Score on one.", "score of system 1")
    assert table.rows[0][:6] == ("a", 0.1, 0.2, 1.0, 2, 0.5)


def test_a_row_without_a_key_has_an_empty_cell_there() -> None:
    table = table_of(ROWS, Row)
    empty = [[isinstance(cell, float) and math.isnan(cell) for cell in row] for row in table.rows]
    assert [row.index(True) for row in empty] == [6, 2]
    assert [sum(row) for row in empty] == [1, 1]


def test_keys_that_repeat_the_name_of_a_column_have_columns_of_their_own() -> None:
    @result
    class Means:
        judge: str = field("text")
        by_judge: Mapping[tuple[str, str], float] = field("number", columns="{0}{1}")
        raw: float = field("number")

    table = table_of([Means(judge="J", by_judge={("ra", "w"): 1.0, ("r", "aw"): 2.0}, raw=3.0)], Means)
    assert dict(zip(table.columns, table.rows[0], strict=True)) == {"judge": "J", "raw_": 1.0, "raw__": 2.0, "raw": 3.0}


def test_columns_of_arrays_are_those_of_results() -> None:
    @result
    class Point:
        x: int = field("count", "X.")
        y: float = field("number", "Y.")

    by_rows = table_of([Point(x=1, y=0.5), Point(x=2, y=1.5)], Point)
    assert table_of_columns(columns_of(Point, x=range(1, 3), y=[0.5, 1.5])) == by_rows
    with pytest.raises(ValueError, match="argument 2 is longer"):
        table_of_columns(columns_of(Point, x=[1], y=[0.5, 1.5]))


def test_tables_change_by_their_methods() -> None:
    table = Table({"a": Field("text"), "b": Field("count")}, (("x", 1), ("y", 2)))
    assert table.ordered("b", "unknown") == Table({"b": Field("count"), "a": Field("text")}, ((1, "x"), (2, "y")))
    assert table.beginning(1).rows == (("x", 1),)
    assert table.beginning(None) == table
    assert table.extended("c", Field("text"), "z").rows == (("x", 1, "z"), ("y", 2, "z"))
    assert table.with_texts(str.upper).rows == (("X", 1), ("Y", 2))
