"""Ratings, labels and scores of segments that the texts call by ids."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from bleu_core.dataset import AlignedData, Column, FilePart, SegmentId, fit
from bleu_core.formats import parse_columns, read

#: (document, number): documents of unequal length in turn, with gaps in their numbers.
SEGMENTS = [("x", 1), ("y", 1), ("x", 2), ("x", 4), ("y", 3), ("z", 2)]


def texts(ids: Sequence[tuple[str, object]], *, documents: bool = True) -> list[FilePart]:
    keys = tuple(SegmentId(document if documents else "", str(number)) for document, number in ids)
    segments = tuple(f"{document} {number}" for document, number in ids)
    columns = [
        Column("reference", "R", segments, "R.csv", ids=keys),
        Column("system", "A", segments, "A.csv", ids=keys),
    ]
    if documents:
        columns.append(Column("document", "documents", tuple(document for document, _ in ids), "R.csv", ids=keys))
    return [FilePart("t.csv", columns=tuple(columns))]


def other(content: str, role: str = "judgments") -> list[FilePart]:
    return list(read(content.encode(), "h.csv", role).parts())  # type: ignore[arg-type]


def by_text(data: AlignedData) -> dict[str, float]:
    """The mean rating of each segment, by its text."""
    assert data.judgments is not None
    means = data.judgments.segment_means(("A",), data.corpus.segments).scores[0]
    found = zip(data.corpus.systems["A"], means.tolist(), strict=True)
    return {text: score for text, score in found if not math.isnan(score)}


@pytest.mark.parametrize("base", [0, 1])
def test_ratings_find_segments_by_document_and_number_as_pandas_joins_them(base: int) -> None:
    rng = random.Random(3)
    rows = [(doc, n, judge, rng.randint(0, 100)) for doc, n in SEGMENTS for judge in "pq"]
    rng.shuffle(rows)
    shift = base - 1
    content = "doc,seg,system,judge,score\n" + "".join(f"{d},{n + shift},A,{j},{s}\n" for d, n, j, s in rows)
    found = fit([*texts(SEGMENTS), *list(read(content.encode(), "h.csv", "judgments", first_segment=base).parts())])
    table = pd.DataFrame({"text": [f"{d} {n}" for d, n, _, _ in rows], "score": [row[-1] for row in rows]})
    expected = table.groupby("text")["score"].mean().to_dict()
    assert by_text(found) == expected
    assert not found.ratings.all_unused_rows


def test_ratings_of_segments_that_the_texts_lack_are_set_aside() -> None:
    found = fit([*texts(SEGMENTS), *other("doc,seg,system,score\nx,3,A,9\nx,4,A,8\ny,4,A,7\ny,3,A,6\nw,1,A,1\n")])
    assert by_text(found) == {"x 4": 8, "y 3": 6}
    (rows,) = found.ratings.all_unused_rows
    assert (rows.count, rows.reason) == (3, "the texts have no such document, or the document no such segment")


def test_numbers_are_ids_where_the_texts_have_another_order_or_gaps() -> None:
    ids = [("", 5), ("", 2), ("", 1)]
    parts = texts(ids, documents=False)
    rated = fit([*parts, *other("segment,system,score\n1,A,10\n2,A,20\n5,A,50\n4,A,40\n")], refuse=True)
    assert by_text(rated) == {" 1": 10, " 2": 20, " 5": 50}
    assert rated.warnings == {1: ("1 rating not used: the texts have no such segment",)}
    labels = fit([*parts, *other("segment\tkind\n1\tone\n2\ttwo\n5\tfive\n", "labels")], refuse=True).corpus.labels
    assert labels == {"kind": ("five", "two", "one")}
    scores = fit([*parts, *other("segment,system,metric,score\n1,A,M,.1\n2,A,M,.2\n4,A,M,.4\n", "scores")], refuse=True)
    assert np.array_equal(scores.scores[0].scores, [[np.nan, 0.2, 0.1]], equal_nan=True)


def test_numbers_are_lines_where_none_of_them_is_an_id() -> None:
    parts = texts([("", 700), ("", 500), ("", 900)], documents=False)
    rated = fit([*parts, *other("segment,system,score\n1,A,10\n3,A,30\n")], refuse=True)
    assert by_text(rated) == {" 700": 10, " 900": 30}
    labels = fit([*parts, *other("segment\tkind\n1\tone\n2\ttwo\n", "labels")], refuse=True).corpus.labels
    assert labels == {"kind": ("one", "two", "")}
    scores = fit([*parts, *other("segment,system,metric,score\n1,A,M,.1\n3,A,M,.3\n", "scores")], refuse=True)
    assert np.array_equal(scores.scores[0].scores, [[0.1, np.nan, 0.3]], equal_nan=True)


def test_numbers_are_lines_of_a_text_without_ids() -> None:
    plain = FilePart("S.txt", columns=(Column("system", "S", ("one", "two", "three"), "S.txt"),))
    parts = [*texts([("", 3), ("", 1), ("", 2)], documents=False), plain]
    rated = fit([*parts, *other("segment,system,score\n1,A,10\n3,A,30\n")], refuse=True)
    assert by_text(rated) == {" 1": 10, " 3": 30}
    assert rated.corpus.systems == {"A": (" 3", " 1", " 2"), "S": ("three", "one", "two")}


def test_numbers_are_lines_where_ids_count_all_segments() -> None:
    for first in (0, 1):
        parts = texts([("", first + n) for n in range(3)], documents=False)
        found = fit([*parts, *other("segment,system,score\n1,A,10\n3,A,30\n")], refuse=True)
        assert by_text(found) == {f" {first}": 10, f" {first + 2}": 30}


def test_ratings_and_labels_of_a_table_of_texts_follow_its_rows() -> None:
    def table(order: Sequence[int]) -> bytes:
        rows = "".join(f"{n},out {n},{n * 10},kind {n}\n" for n in order)
        return f"id,hyp,points,kind\n{rows}".encode()

    reference = Column("reference", "R", ("one", "two", "three"), "R.csv", ids=tuple(SegmentId("", n) for n in "123"))
    mapped = parse_columns("hyp=system:A,points=rating:x:A,kind=label:sort")
    for order in ([1, 2, 3], [3, 1, 2]):
        parts = read(table(order), "A.csv", "system", columns=mapped).parts()
        found = fit([FilePart("R.csv", columns=(reference,)), *parts])
        assert found.corpus.systems == {"A": ("out 1", "out 2", "out 3")}
        assert by_text(found) == {"out 1": 10, "out 2": 20, "out 3": 30}
        assert found.corpus.labels == {"sort": ("kind 1", "kind 2", "kind 3")}
