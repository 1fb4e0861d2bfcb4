"""Ratings whose numbers are those of another column of a table of documents or labels, and not lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pytest

from bleu_core.formats import FileRole
from bleu_core.uploads import File, Workspace, assemble

N = 6
#: The document of each segment, and its numbers elsewhere.
DOCUMENTS = ("x", "x", "x", "y", "y", "y")
ELSEWHERE = (4, 5, 6, 9, 10, 12)
IN_DOCUMENT = (3, 4, 5, 4, 5, 7)


def loaded(
    rows: Iterable[str], header: str, table: str, role: FileRole = "document", name: str = "segments.tsv"
) -> Workspace:
    """Return texts with a table of segments, and ratings."""
    texts = "".join(f"text {s}\n" for s in range(N)).encode()
    ratings = "".join(f"{row}\n" for row in (header, *rows)).encode()
    files = [
        File("A.txt", texts, "system"),
        File("R.txt", texts, "reference"),
        File(name, table.encode(), role),
        File("h.csv", ratings, "judgments"),
    ]
    return assemble(files)


def table_of(columns: Mapping[str, Sequence[object]]) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in (columns.keys(), *zip(*columns.values(), strict=True)))


SEGMENTS = table_of({"seg_id": range(1, N + 1), "doc": DOCUMENTS, "orig_seg_id": ELSEWHERE, "part": IN_DOCUMENT})
LABELS = table_of({"segment": range(1, N + 1), "orig_seg_id": ELSEWHERE})


def scores_in(workspace: Workspace) -> dict[int, float]:
    """Return line -> score."""
    assert workspace.judgments is not None, workspace.entries[-1].problem
    rated = workspace.judgments.rated
    return dict(zip(map(int, rated["segment"]), map(float, rated["score"]), strict=True))


def said(workspace: Workspace) -> str:
    return "; ".join((workspace.entries[-1].problem, *workspace.entries[-1].warnings))


def rated(numbers: Sequence[int], lines: Iterable[int] = range(1, N + 1)) -> list[str]:
    """Return ratings of lines with other numbers; the score is the line."""
    return [f"{numbers[line - 1]},A,{line}" for line in lines]


@pytest.mark.parametrize("role", ["document", "system"])
@pytest.mark.parametrize("lines", [range(1, N + 1), (1, 4), (4, 5, 6), (6,)])
def test_numbers_beyond_the_texts_are_those_of_a_column(role: FileRole, lines: Sequence[int]) -> None:
    workspace = loaded(rated(ELSEWHERE, lines), "seg_id,system,score", SEGMENTS, role)
    assert scores_in(workspace) == {line: line for line in lines}
    n = len(lines)
    assert f"joined by orig_seg_id in segments.tsv ({n} of {n} rated segments found), not by line" in said(workspace)


def test_a_table_of_labels_may_have_the_numbers() -> None:
    workspace = loaded(rated(ELSEWHERE), "seg_id,system,score", LABELS, "labels")
    assert scores_in(workspace) == {line: line for line in range(1, N + 1)}


def test_ratings_of_more_segments_are_joined_if_all_segments_of_the_texts_are_rated() -> None:
    workspace = loaded([*rated(ELSEWHERE), "2,A,0", "99,A,0"], "seg_id,system,score", SEGMENTS)
    assert scores_in(workspace) == {line: line for line in range(1, N + 1)}


def test_numbers_that_repeat_in_documents_are_joined_by_document_and_number() -> None:
    rows = [f"{DOCUMENTS[line - 1]},{IN_DOCUMENT[line - 1]},A,{line}" for line in range(1, N + 1)]
    workspace = loaded(rows, "doc,seg_id,system,score", SEGMENTS)
    assert scores_in(workspace) == {line: line for line in range(1, N + 1)}


def test_rows_without_a_score_do_not_decide() -> None:
    rows = ["1,A,None", "2,A,None", "3,A,None", *rated(ELSEWHERE)]
    assert scores_in(loaded(rows, "seg_id,system,score", SEGMENTS)) == {line: line for line in range(1, N + 1)}


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        (rated(range(1, N + 1)), "seg_id,system,score"),
        (rated(range(1, N + 1), (1, 2)), "seg_id,system,score"),
        ([f"{DOCUMENTS[line - 1]},{line},A,{line}" for line in (4, 5)], "doc,seg_id,system,score"),
    ],
    ids=["all", "some", "of a document that repeats numbers"],
)
def test_lines_stay_lines(rows: Sequence[str], header: str) -> None:
    workspace = loaded(rows, header, SEGMENTS)
    assert all(line == score for line, score in scores_in(workspace).items())
    assert "joined by" not in said(workspace)


@pytest.mark.parametrize(
    ("table", "numbers", "readings"),
    [
        (SEGMENTS, (4, 5), "lines of the texts or orig_seg_id in segments.tsv"),
        (
            table_of({"doc": DOCUMENTS, "a": ELSEWHERE, "b": ELSEWHERE[::-1]}),
            (9, 12),
            "a in segments.tsv or b in segments.tsv",
        ),
    ],
    ids=["lines or a column", "two columns"],
)
def test_numbers_that_may_be_of_different_segments_are_refused(
    table: str, numbers: Sequence[int], readings: str
) -> None:
    workspace = loaded([f"{number},A,1" for number in numbers], "seg_id,system,score", table)
    assert workspace.judgments is None
    assert f"h.csv: its segment numbers may be {readings}, which are not the same segments" in said(workspace)
    assert list(workspace.corpus.systems) == ["A"]


def test_a_column_that_agrees_with_lines_leaves_no_doubt() -> None:
    table = table_of({"doc": DOCUMENTS, "a": range(1, N + 1), "b": range(N)})
    assert scores_in(loaded(rated(range(1, N + 1)), "seg_id,system,score", table))
    assert "may be lines" in said(loaded(["1,A,1", "2,A,1"], "seg_id,system,score", table))


def test_numbers_within_documents_stay_so_if_the_table_numbers_all_segments() -> None:
    rows = [f"{document},{n},A,{n}" for document in "xy" for n in (1, 2, 3)]
    workspace = loaded(rows, "doc,seg_id,system,score", table_of({"seg_id": range(1, 7), "doc": DOCUMENTS}), "system")
    assert scores_in(workspace) == {1: 1, 2: 2, 3: 3, 4: 1, 5: 2, 6: 3}


def test_numbers_follow_the_order_of_the_texts() -> None:
    """The table has another order than the texts, whose ids are in its column seg_id."""
    texts = "seg_id,doc,A\n" + "".join(f"{s + 1},{DOCUMENTS[s]},text {s}\n" for s in range(N))
    rows = SEGMENTS.removesuffix("\n").split("\n")
    shuffled = "\n".join([rows[0], *rows[:0:-1], ""])
    files = [
        File("texts.csv", texts.encode(), "system"),
        File("R.csv", texts.replace(",A\n", ",R\n").encode(), "reference"),
        File("segments.tsv", shuffled.encode(), "system"),
        File("h.csv", "\n".join(["seg_id,system,score", *rated(ELSEWHERE), ""]).encode(), "judgments"),
    ]
    assert scores_in(assemble(files)) == {line: line for line in range(1, N + 1)}
