"""Files fitted together: left out or refused, by the same rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from bleu_core.dataset import Column, FilePart, MissingText, Role, ScoreTable, fit, labelled, place_ratings
from bleu_core.errors import AlignmentError, BleuCoreError
from bleu_core.formats import read
from bleu_core.limits import Limits


def text(role: Role, name: str, *segments: str | None, file: str = "") -> FilePart:
    origin = file or f"{name}.txt"
    return FilePart(origin, columns=(Column(role, name, segments, origin),))


def ratings(*rows: str, header: str = "segment,system,score", name: str = "h.csv") -> FilePart:
    (part,) = read("\n".join((header, *rows, "")).encode(), name, "judgments").parts()
    return part


def scores(name: str, of: dict[str, float], origin: str = "m.csv") -> FilePart:
    return FilePart(origin, scores=ScoreTable.of_systems(name, of, origin=origin))


TEXTS = [text("reference", "R", "a", "b"), text("system", "A", "a", "b"), text("system", "B", "a", "c")]
GAPS = text("reference", "gaps", "a", None)

#: What does not fit -> the parts, and why.
UNFIT: dict[str, tuple[Sequence[FilePart], str]] = {
    "a second name": (
        [*TEXTS, text("system", "A", "x", "y", file="other/A.txt")],
        "other/A.txt: A.txt already holds a system called A; rename or remove one",
    ),
    "a second source": (
        [*TEXTS, text("source", "s", "x", "y"), text("source", "t", "x", "z")],
        "t.txt: its source differs from that in s.txt (first in segment 2); remove one of the two",
    ),
    "another length": (
        [*TEXTS, text("system", "C", "x")],
        "C.txt has 1 segment, 1 fewer than the 3 other files (2). A segment was probably lost or joined.",
    ),
    "no reference": (
        [TEXTS[1], GAPS],
        "gaps.txt, line 2: no reference, at least 1 expected",
    ),
    "ratings of others": (
        [*TEXTS, ratings("1,C,3")],
        "h.csv: no rating can be used: they are of C, but the systems loaded are A, B",
    ),
    "scores of others": (
        [*TEXTS, scores("M", {"C": 1})],
        "m.csv: the scores of M are for C, but the systems loaded are A, B",
    ),
    "scores a second time": (
        [*TEXTS, scores("M", {"A": 1}), scores("M", {"A": 2}, "n.csv")],
        "n.csv: m.csv already holds scores of M; rename or remove one",
    ),
}


@pytest.mark.parametrize("what", UNFIT)
def test_what_does_not_fit_is_left_out_or_refused_for_the_same_reason(what: str) -> None:
    parts, why = UNFIT[what]
    assert [str(problem) for problem in fit(parts).problems.values()] == [why]
    with pytest.raises(AlignmentError) as caught:
        fit(parts, refuse=True)
    assert str(caught.value) == why


def test_an_optional_part_of_another_length_is_left_out_even_where_others_are_refused() -> None:
    short, twin = (replace(text("system", *given), optional=True) for given in (("C", "x"), ("A", "y", "z")))
    found = fit([*TEXTS, short], refuse=True)
    assert list(found.corpus.systems) == ["A", "B"]
    assert [(each.name, each.reason) for each in found.missing_systems] == [("C", "the file has 1 segment, 2 expected")]
    with pytest.raises(AlignmentError, match="already holds a system called A"):
        fit([*TEXTS, twin], refuse=True)


def test_a_system_with_another_output_is_not_missing() -> None:
    lost = MissingText(role="system", name="A", place="a.zip/A.txt", problem="a.zip/A.txt: damaged")
    found = fit([*TEXTS, FilePart("a.zip", missing=(lost, replace(lost, name="Z")))])
    assert [each.name for each in found.missing_systems] == ["Z"]
    assert [each.expected for each in found.missing[len(TEXTS)]] == [2, 2]


def test_too_many_systems_are_left_out_or_refused_for_the_same_reason() -> None:
    few = Limits(systems=1)
    (problem,) = fit(TEXTS, limits=few).problems.values()
    assert str(problem).startswith("B.txt, with the files before it: 2 systems found, at most 1 allowed")
    with pytest.raises(BleuCoreError) as caught:
        fit(TEXTS, limits=few, refuse=True)
    assert str(caught.value) == str(problem)


def test_parts_that_fit_are_all_used_and_the_others_are_used_without_one_that_does_not() -> None:
    found = fit([*TEXTS, text("system", "C", "x"), ratings("1,A,3", "2,B,1"), scores("M", {"A": 1, "B": 2})])
    assert list(found.corpus.systems) == ["A", "B"]
    assert found.judgments is not None
    assert found.judgments.system_means() == {"A": 3.0, "B": 1.0}
    assert [table.name for table in found.scores] == ["M"]
    assert list(found.problems) == [3]


def test_a_rating_beyond_the_texts_is_left_out_with_its_line_and_refused() -> None:
    parts = [*TEXTS, ratings("1,A,3", "3,A,1")]
    found = fit(parts)
    (row,) = found.ratings.unused_rows[3]
    assert (row.reason, row.count, row.line) == ("the segment is beyond the texts, which have 2 segments", 1, 3)
    with pytest.raises(AlignmentError, match="line 3: rating of segment 3 found, but the texts have 2 segments"):
        fit(parts, refuse=True)


@pytest.mark.parametrize("name", ["copy.csv", "h.csv"])
def test_a_file_of_the_same_ratings_is_ignored(name: str) -> None:
    rows = ("1,A,3", "2,A,4", "1,B,2", "2,B,1")
    data = fit([*TEXTS, ratings(*rows), ratings(*rows[::-1], name=name)])
    assert data.judgments is not None
    assert len(data.judgments.rated) == len(rows)
    assert data.warnings[4] == ("all its ratings are already loaded from h.csv; this copy of them is ignored",)
    other = fit([*TEXTS, ratings(*rows), ratings(*rows[:-1], "2,B,2", name=name)]).judgments
    assert other is not None
    assert len(other.rated) == 2 * len(rows)


def test_ratings_of_systems_without_text_are_apart() -> None:
    found = fit([*TEXTS, ratings("1,A,3", "2,C,1", "2,C,")], refuse=True).ratings
    assert found.judgments is not None
    assert found.rated is not None
    assert (found.judgments.systems, found.rated.systems) == (("A",), ("A", "C"))
    assert [(row.reason, row.count) for row in found.unused_rows[3]] == [("C is not loaded as a system", 2)]
    assert [(row.reason, row.count) for row in found.unused_ratings[3]] == [("C is not loaded as a system", 1)]
    assert found.misplaced[3] == ()


@pytest.mark.parametrize(("row", "count", "line"), [(0, 1, 3), (1, 2, 4)])
def test_in_some_of_the_segments_only_their_ratings_are_set_aside(row: int, count: int, line: int) -> None:
    whole = fit([*TEXTS, ratings("1,A,3", "1,C,2", "2,C,1", "2,C,4", "2,A,1", "9,A,1")])
    part = whole.subset([row])
    (aside,) = part.ratings.all_unused_rows
    assert (aside.reason, aside.count, aside.line) == ("C is not loaded as a system", count, line)
    assert part.ratings_for(part.corpus).all_unused_rows == part.ratings.all_unused_rows
    assert [rows.line for rows in part.ratings.misplaced[3]] == [7]  # which is of no segment
    assert whole.subset([1, 0]).subset([1 - row]).ratings.all_unused_rows == (aside,)


def test_a_file_of_ratings_of_whole_systems_has_no_part_in_a_slice() -> None:
    found = fit([*TEXTS, ratings("A,3", "C,1", header="system,score"), ratings("1,A,2")]).subset([0])
    assert found.ratings.all_unused_rows == ()
    assert list(found.ratings.read) == [4]


def test_ratings_are_placed_anew_beside_fewer_texts() -> None:
    part = ratings("1,A,3", "2,B,1")
    assert part.judgments is not None
    placed = place_ratings({7: part.judgments}, fit(TEXTS[:2]).corpus)
    assert placed.judgments is not None
    assert placed.judgments.systems == ("A",)
    assert [row.reason for row in placed.unused_rows[7]] == ["B is not loaded as a system"]


def test_documents_of_their_own_file_stand_for_those_of_an_archive() -> None:
    packed = FilePart("z.zip/d", 1, (Column("document", "d", ("x", "y"), "z.zip/d"),), of_archive=True)
    own = text("document", "docs", "p", "q")
    for parts in ([*TEXTS, packed, own], [*TEXTS, own, packed]):
        found = fit(parts, refuse=True)
        assert found.corpus.documents == ("p", "q")
        assert found.warnings == {parts.index(packed): ("its documents are not used; those of docs.txt replace them",)}
    assert fit([*TEXTS, packed], refuse=True).corpus.documents == ("x", "y")


def table(name: str, *columns: tuple[Role, str, str]) -> FilePart:
    """A table of columns, each given as role, name and its segments, a letter each."""
    return FilePart(name, columns=tuple(Column(role, of, tuple(segments), name) for role, of, segments in columns))


@pytest.mark.parametrize(
    ("role", "sentence"),
    [
        ("source", "the source is already loaded from first.csv; the identical copy in second.csv is ignored"),
        ("document", "the documents are already loaded from first.csv; the identical copy in second.csv is ignored"),
        ("reference", "the reference s is already loaded from first.csv; the identical copy in second.csv is ignored"),
    ],
)
def test_tables_that_repeat_a_text_are_used_together_and_the_copy_is_ignored(role: Role, sentence: str) -> None:
    parts = [
        text("reference", "R", "a", "b"),
        table("first.csv", (role, "s", "uv"), ("system", "A", "ab")),
        table("second.csv", (role, "s", "uv"), ("system", "B", "ac")),
    ]
    found = fit(parts, refuse=True)
    assert list(found.corpus.systems) == ["A", "B"]
    assert (found.warnings, found.notes) == ({}, {2: (sentence,)})
    different = [*parts[:2], table("second.csv", (role, "s", "uw"), ("system", "B", "ac"))]
    assert list(fit(different).problems) == [2]


@pytest.mark.parametrize("alone_first", [True, False])
def test_a_source_of_its_own_file_is_accepted_beside_tables_that_repeat_it(alone_first: bool) -> None:  # noqa: FBT001
    alone = text("source", "source", "u", "v")
    tables = [table("first.csv", ("source", "Source", "uv"), ("system", "A", "ab"))]
    found = fit([*TEXTS[:1], alone, *tables] if alone_first else [*TEXTS[:1], *tables, alone], refuse=True)
    assert (found.corpus.source, list(found.corpus.systems)) == (("u", "v"), ["A"])
    first, copy = ("source.txt", "first.csv") if alone_first else ("first.csv", "source.txt")
    sentence = f"the source is already loaded from {first}; the identical copy in {copy} is ignored"
    assert (found.warnings, found.notes) == ({}, {2: (sentence,)})


def test_a_source_whose_file_is_left_out_is_taken_from_the_copy() -> None:
    short = table("short.csv", ("source", "s", "u"), ("system", "A", "a"))
    full = table("full.csv", ("source", "s", "uv"), ("system", "B", "ab"))
    found = fit([*TEXTS[:1], short, full])
    (problem,) = found.problems.values()
    assert str(problem).startswith("short.csv has 1 segment, 1 fewer than the 2 other files (2).")
    assert found.corpus.source == ("u", "v")


def test_a_system_is_never_a_copy_to_be_ignored() -> None:
    twice = table("second.csv", ("source", "s", "uv"), ("system", "A", "ab"))
    (problem,) = fit([*TEXTS, twice]).problems.values()
    assert str(problem) == "second.csv: A.txt already holds a system called A; rename or remove one"


def test_scores_of_systems_and_of_segments_of_one_metric_go_together() -> None:
    of_segments = ScoreTable.of_segments("M", ("A", "B"), np.array([[1.0, 2.0], [3.0, 4.0]]), origin="seg.csv")
    found = fit([*TEXTS, scores("M", {"A": 9}), FilePart("seg.csv", scores=of_segments)], refuse=True)
    (table,) = found.scores
    assert table.level == "segment"
    assert table.system_scores.tolist() == [9.0, 3.5]


def test_a_metric_called_like_a_computed_one_is_marked() -> None:
    tables = [ScoreTable.of_systems(name, {"A": 1.0}) for name in ("BLEU", "BLEU (uploaded)", "M")]
    assert list(labelled(tables, ["BLEU"])) == ["BLEU (uploaded) (uploaded)", "BLEU (uploaded)", "M"]


def test_a_table_of_many_columns_does_not_outvote_files_of_another_length() -> None:
    columns = tuple(Column("system", f"t.{n}", ("x", "y", "z"), "t.xlsx") for n in range(6))
    found = fit([*TEXTS, FilePart("t.xlsx", columns=columns)])
    assert found.corpus.segments == 2
    assert list(found.problems) == [3]
    assert str(found.problems[3]) == (
        "t.xlsx has 3 segments, 1 more than the 3 other files (2). A segment was probably added or split."
    )


def test_of_a_table_and_a_reference_the_reference_decides() -> None:
    columns = tuple(Column("system", f"t.{n}", ("x", "y", "z"), "t.xlsx") for n in range(6))
    found = fit([FilePart("t.xlsx", columns=columns), TEXTS[0]])
    assert list(found.problems) == [0]
