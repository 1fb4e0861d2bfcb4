"""Parts of files joined by ids: what is completed, left out and said."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bleu_core.dataset import Column, FilePart, Judgments, Labels, Role, ScoreTable, SegmentId, fit
from bleu_core.errors import AlignmentError
from bleu_core.formats import read

Rows = dict[tuple[str, object], str | None]


def column(role: Role, name: str, rows: Rows) -> Column:
    ids = tuple(SegmentId(document, str(number)) for document, number in rows)
    return Column(role, name, tuple(rows.values()), f"{name}.csv", ids=ids)


def part(*columns: Column) -> FilePart:
    return FilePart(columns[-1].origin, columns=columns)


TEXTS: Rows = {("x", 1): "a", ("x", 2): "b", ("y", 1): "c", ("y", 2): "d"}


def without(*keys: tuple[str, object]) -> Rows:
    return {key: text for key, text in TEXTS.items() if key not in keys}


def test_segments_without_any_reference_are_left_out_and_named() -> None:
    reference = column("reference", "R", {**TEXTS, ("x", 2): None})
    found = fit([part(reference), part(column("system", "A", TEXTS))], refuse=True)
    assert found.corpus.systems == {"A": ("a", "c", "d")}
    assert found.corpus.ids == (SegmentId("x", "1"), SegmentId("y", "1"), SegmentId("y", "2"))
    assert found.warnings == {0: ("1 segment without a reference not used (x 2)",)}


def test_a_segment_may_lack_some_of_the_references() -> None:
    references = [column("reference", "R", without(("x", 1))), column("reference", "Q", without(("y", 2)))]
    found = fit([*map(part, references), part(column("system", "A", TEXTS))], refuse=True).corpus
    by_id = dict(zip(found.ids or (), zip(*found.references.values(), found.systems["A"], strict=True), strict=True))
    assert by_id == {
        SegmentId("x", "1"): (None, "a", "a"),
        SegmentId("x", "2"): ("b", "b", "b"),
        SegmentId("y", "1"): ("c", "c", "c"),
        SegmentId("y", "2"): ("d", None, "d"),
    }


def test_a_source_and_documents_are_completed_by_other_files() -> None:
    def table(name: str, rows: Rows) -> FilePart:
        documents = {key: key[0] for key in rows}
        sources = {key: f"{key[0]} {key[1]}" for key in rows}
        sides = (column("source", "src", sources), column("document", "doc", documents))  # type: ignore[arg-type]
        return part(*sides, column("reference", "R", rows), column("system", name, rows))

    first, second = table("A", without(("y", 1))), table("B", without(("x", 1), ("y", 2)))
    found = fit([first, second], refuse=True)
    assert found.incomplete == ("A", "B")
    assert found.corpus.source == ("x 1", "x 2", "y 2", "y 1")
    assert found.corpus.documents == ("x", "x", "y", "y")
    assert found.corpus.references == {"R": ("a", "b", "d", "c")}
    assert not found.problems
    shared = fit([first, second], refuse=True, shared_segments=True)
    assert (shared.corpus.systems, shared.corpus.source) == ({"A": ("b",), "B": ("b",)}, ("x 2",))
    assert (shared.unshared, shared.sharing) == (3, "1 of 4 segments is compared: all systems have it")
    assert shared.missing_systems == ()


def test_other_texts_of_one_segment_are_refused() -> None:
    parts = [part(column("source", name, {**TEXTS, ("x", 2): name})) for name in ("s", "t")]
    with pytest.raises(AlignmentError, match=r"t\.csv: its source differs from that in s\.csv \(first in segment 2\)"):
        fit(parts, refuse=True)


def test_a_source_that_lacks_segments_is_not_used_unless_no_system_has_them() -> None:
    parts = [part(column("reference", "R", TEXTS)), part(column("source", "s", without(("x", 2))))]
    whole = fit([*parts, part(column("system", "A", TEXTS))], refuse=True)
    assert whole.corpus.source is None
    assert whole.warnings == {1: ("its source is not used: no text for 1 of 4 segments (x 2)",)}
    holes = part(column("system", "A", without(("x", 2))))
    assert fit([*parts, holes], refuse=True, shared_segments=True).corpus.source == ("a", "c", "d")


def test_systems_of_one_table_are_named_one_by_one() -> None:
    rows = [("A", "x", n) for n in (1, 2, 3)] + [("B", "x", n) for n in (3, 1)] + [("C", "x", 2)]
    content = "system,doc,seg,reference,hyp\n" + "".join(f"{s},{d},{n},r {n},{s} {n}\n" for s, d, n in rows)
    parts = read(content.encode(), "t.csv", "system").parts()
    found = fit(parts, refuse=True)
    assert found.corpus.systems == {"A": ("A 1", "A 2", "A 3")}
    assert [(text.name, text.problem) for text in found.missing_systems] == [
        ("B", "t.csv, B: no text for 1 of 3 segments (x 2)"),
        ("C", "t.csv, C: no text for 2 of 3 segments (x 1, x 3)"),
    ]
    with pytest.raises(AlignmentError, match=r"no segment found that all systems have, .* \(B, C lack segments\)"):
        fit(parts, refuse=True, shared_segments=True)
    assert fit(parts, shared_segments=True).corpus.systems == {"A": ("A 1", "A 2", "A 3")}  # as without


def test_scores_of_whole_systems_are_not_used_with_shared_segments() -> None:
    texts = [part(column("reference", "R", TEXTS)), part(column("system", "A", TEXTS))]
    holes = part(column("system", "B", without(("y", 1))))
    scores = FilePart("m.csv", scores=ScoreTable.of_systems("M", {"A": 1, "B": 2}, origin="m.csv"))
    found = fit([*texts, holes, scores], refuse=True, shared_segments=True)
    assert found.scores == ()
    assert found.warnings[3] == ("scores of whole systems are not used with shared segments: M",)
    assert len(fit([*texts, holes, scores], refuse=True).scores) == 1


def test_files_without_ids_are_fitted_together_as_before() -> None:
    def plain(role: Role, name: str, texts: Sequence[str]) -> FilePart:
        return FilePart(f"{name}.txt", columns=(Column(role, name, tuple(texts), f"{name}.txt"),))

    parts = [plain("reference", "R", "abc"), plain("system", "A", "abd"), plain("system", "B", "ab")]
    found = fit(parts, shared_segments=True)
    assert (found.corpus.ids, found.incomplete, found.unshared) == (None, (), 0)
    assert found.corpus == fit(parts).corpus
    assert list(found.problems) == [2]


def test_files_without_ids_take_part_in_shared_segments() -> None:
    def plain(role: Role, name: str) -> FilePart:
        return FilePart(f"{name}.txt", columns=(Column(role, name, tuple("abcd"), f"{name}.txt"),))

    parts = [plain("reference", "R"), plain("source", "s"), plain("system", "S")]
    parts += [part(column("system", "A", TEXTS)), part(column("system", "B", without(("x", 2))))]
    assert fit(parts, refuse=True).corpus.systems == {"S": tuple("abcd"), "A": tuple("abcd")}
    shared = fit(parts, refuse=True, shared_segments=True).corpus
    assert shared.systems == dict.fromkeys(("S", "A", "B"), tuple("acd"))
    assert (shared.references, shared.source) == ({"R": tuple("acd")}, tuple("acd"))


def rated_in_reverse(segments: Sequence[int | None]) -> list[FilePart]:
    """Return references, and a system in reverse order whose file rates segments by its rows."""
    system = column("system", "A", dict(reversed(TEXTS.items())))
    count = len(segments)
    ratings = Judgments.from_ratings(
        ["A"] * count, list(range(1, count + 1)), list(range(2, count + 2)), "A.csv", segments=segments
    )
    return [part(column("reference", "R", without(("x", 1)))), FilePart("A.csv", columns=(system,), judgments=ratings)]


def test_ratings_beside_texts_in_another_order_are_of_the_same_texts_or_of_the_whole_system() -> None:
    found = fit(rated_in_reverse([1, 4, None]), refuse=True)
    assert found.judgments is not None
    rows = found.judgments.table
    assert rows["segment"].fillna(0).tolist() == [3, 0]  # the first row is the last segment
    assert rows["score"].tolist() == [1, 3]
    assert "1 rating not used: the texts have no such segment" in found.warnings[1]


def test_ratings_of_texts_that_are_not_used_are_no_ratings() -> None:
    found = fit(rated_in_reverse([4, 4]), refuse=True)
    assert found.judgments is None
    assert "2 ratings not used: the texts have no such segments" in found.warnings[1]


def test_a_file_that_fits_in_no_respect_is_left_out_with_the_first_reason() -> None:
    ratings = Judgments.from_ratings(["Z"], [1], [2], "z.csv", segments=[1])
    labels = Labels(unit="segment", keys=(9,), columns={"domain": ("news",)}, lines=(7,), origin="z.csv")
    texts = [part(column("reference", "R", TEXTS)), part(column("system", "A", TEXTS))]
    found = fit([*texts, FilePart("z.csv", judgments=ratings, labels=labels)])
    assert list(map(str, found.problems.values())) == [
        "z.csv, line 7: label of segment 9 found, but the texts have 4 segments"
    ]
