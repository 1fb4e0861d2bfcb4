"""Errors that judges and metrics marked, placed in the texts of the corpus."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from bleu_core.dataset import (
    NO_PLACE,
    OUTSIDE,
    Annotator,
    Corpus,
    ErrorAnnotations,
    Judgments,
    MarkedError,
    ScoreTable,
    annotated_errors,
    code_points,
    error_report,
    merge,
    place_ratings,
)

EMOJI = "\U0001f600"
CORPUS = Corpus(
    systems={"A": ("a red cat", f"{EMOJI} caf\u00e9 now"), "B": ("one", "two words")},
    references={},
    source=("le chat", "deux"),
)


def error(start: int, end: int, text: str | None = "a red cat", **fields: object) -> MarkedError:
    return MarkedError(start, end, "minor", "Style", text=text, line=2)._replace(**fields)


def judged(
    *rows: tuple[str, int, str, Sequence[MarkedError] | None],
    origin: str = "h.tsv",
    groups: Sequence[str] | None = None,
) -> Judgments:
    """Return ratings of rows: system, segment, judge and errors."""
    systems, segments, judges, errors = zip(*rows, strict=True)
    marked = [None if own is None else tuple(own) for own in errors]
    return Judgments.from_ratings(
        systems,
        [-1.0] * len(rows),
        range(2, len(rows) + 2),
        origin,
        segments=segments,
        judges=judges,
        groups=groups,
        errors=marked,
    )


def spans(found: ErrorAnnotations) -> list[tuple[str, str, int, int, int]]:
    """Return judge, system, segment (from 0), start and end of each span."""
    item = found.span_item
    return [
        (found.annotators[a].name, found.systems[k], s, start, end)
        for a, k, s, start, end in zip(
            found.item_annotator[item].tolist(),
            found.item_system[item].tolist(),
            found.item_segment[item].tolist(),
            found.span_start.tolist(),
            found.span_end.tolist(),
            strict=True,
        )
    ]


def annotated(judgments: Judgments | None, *scores: ScoreTable, corpus: Corpus = CORPUS) -> ErrorAnnotations:
    found = annotated_errors(corpus, judgments, scores)
    assert found is not None
    return found


def test_items_are_annotated_segments_and_spans_are_in_order() -> None:
    found = annotated(
        judged(
            ("A", 1, "ann", [error(2, 5), error(6, 9, severity="major", category="Accuracy/Addition")]),
            ("B", 2, "ann", []),
            ("A", 1, "bob", None),
        )
    )
    assert found.annotators == (Annotator("ann"),)
    assert (found.item_system.tolist(), found.item_segment.tolist()) == ([0, 1], [0, 1])
    assert spans(found) == [("ann", "A", 0, 2, 5), ("ann", "A", 0, 6, 9)]
    assert (found.severities, found.span_severity.tolist()) == (("minor", "major"), [0, 1])
    assert (found.categories, found.span_category.tolist()) == (("Style", "Accuracy/Addition"), [0, 1])
    assert (found.systems, found.segments) == (("A", "B"), 2)
    assert found.placed.all()


def test_ratings_without_annotations_have_none() -> None:
    assert annotated_errors(CORPUS, judged(("A", 1, "ann", None))) is None
    assert annotated_errors(CORPUS, None) is None
    assert not judged(("A", 1, "ann", None)).has_errors


def test_errors_of_the_source_and_without_a_mark_are_kept() -> None:
    ratings = judged(
        ("A", 1, "ann", [error(3, 7, "le chat", in_source=True), error(NO_PLACE, NO_PLACE, None, category="Omission")])
    )
    found = annotated(ratings)
    assert found.span_in_source.tolist() == [True, False]
    assert (found.span_start.tolist(), found.span_end.tolist()) == ([3, NO_PLACE], [7, NO_PLACE])
    report = error_report(CORPUS, ratings)
    assert (report.errors, report.items, report.placed, report.unmarked) == (2, 1, 1, 1)
    assert report.sentence == "2 errors in 1 annotated item: 1 placed in the texts, 1 without a mark in a text"
    assert report.problems == ()


@pytest.mark.parametrize(
    ("marked", "place"),
    [
        (error(2, 5, "a  red cat"), None),
        (error(3, 6, "a  red cat"), (2, 5)),
        (error(7, 10, "a  red cat"), (6, 9)),
        (error(0, 9), (0, 9)),
        (error(0, 9, None), (0, 9)),
    ],
)
def test_white_space_is_bridged_exactly(marked: MarkedError, place: tuple[int, int] | None) -> None:
    found = annotated(judged(("A", 1, "ann", [marked])))
    assert (int(found.span_start[0]), int(found.span_end[0])) == (place or (NO_PLACE, NO_PLACE))


def test_utf_16_units_are_converted_by_the_text() -> None:
    found = annotated(judged(("A", 2, "ann", [error(3, 7, None, utf16=True), error(0, 2, None, utf16=True)])))
    assert spans(found) == [("ann", "A", 1, 2, 6), ("ann", "A", 1, 0, 1)]
    padded = Corpus(systems={"A": ("a", f" \ufeff{EMOJI} caf\u00e9 now ")}, references={})
    found = annotated(judged(("A", 2, "ann", [error(3, 7, None, utf16=True)])), corpus=padded)
    assert spans(found) == [("ann", "A", 1, 4, 8)]  # browsers show the text without white space around it


@pytest.mark.parametrize(("units", "expected"), [(0, 0), (1, 1), (2, None), (3, 2), (4, 3), (5, None), (-1, None)])
def test_half_of_a_character_is_no_place(units: int, expected: int | None) -> None:
    assert code_points(f"a{EMOJI}b", units) == expected


@pytest.mark.parametrize(
    ("marked", "reason"),
    [
        (error(0, 1, "another text"), "the translation in which it is marked is not that of the segment"),
        (error(0, 1, "le chien", in_source=True), "the source in which it is marked is not that of the segment"),
        (error(0, 10, None), OUTSIDE),
        (error(5, 2), OUTSIDE),
        (error(NO_PLACE, 3), OUTSIDE),
        (error(2, 2), "its span is empty"),
        (error(8, 10, None, utf16=True), OUTSIDE),
        (error(2, 3, "a  red cat"), "the translation differs at its ends in white space or in the composition"),
        (error(NO_PLACE, NO_PLACE, problem="its tags do not pair"), "its tags do not pair"),
    ],
)
def test_marks_that_are_not_in_the_text_are_counted_with_the_reason(marked: MarkedError, reason: str) -> None:
    ratings = judged(("A", 1, "ann", [marked, error(0, 1)]))
    report = error_report(CORPUS, ratings)
    (problem,) = report.problems
    assert problem.startswith(f"1 error kept without its place (first: line 2): {reason}")
    assert (report.errors, report.placed, report.unmarked) == (2, 1, 0)
    assert spans(annotated(ratings)) == [("ann", "A", 0, NO_PLACE, NO_PLACE), ("ann", "A", 0, 0, 1)]


def test_without_the_source_its_errors_have_no_place() -> None:
    corpus = Corpus(systems=CORPUS.systems, references={})
    report = error_report(corpus, judged(("A", 1, "ann", [error(0, 2, "le chat", in_source=True)])))
    assert report.problems == (
        "1 error kept without its place (first: line 2): it is marked in the source, which is not loaded",
    )


def test_the_first_annotation_of_an_item_counts() -> None:
    found = annotated(judged(("A", 1, "ann", [error(0, 1)]), ("A", 1, "ann", []), ("A", 1, "bob", [])))
    assert spans(found) == [("ann", "A", 0, 0, 1)]
    assert len(found.item_annotator) == 2


def test_row_operations_keep_errors() -> None:
    ratings = judged(
        ("A", 1, "ann", [error(0, 1)]),
        ("A", 2, "ann", [error(0, 1, CORPUS.systems["A"][1])]),
        ("B", 1, "bob", [error(0, 1, "one")]),
        ("C", 1, "bob", []),
        groups=["x", "x", "y", "y"],
    )
    assert spans(annotated(ratings.of_group("y"))) == [("bob", "B", 0, 0, 1)]
    assert spans(annotated(ratings.without(judges=["bob"]))) == [("ann", "A", 0, 0, 1), ("ann", "A", 1, 0, 1)]
    second = annotated(ratings.subset([1]), corpus=CORPUS.subset([1]))
    assert spans(second) == [("ann", "A", 0, 0, 1)]
    placed = place_ratings({0: ratings}, CORPUS).judgments
    assert placed is not None
    assert len(spans(annotated(placed))) == 3
    assert annotated(placed).annotators == (Annotator("ann", "x"), Annotator("bob", "y"))


def test_merged_files_keep_errors_beside_ratings_without_any() -> None:
    marked = judged(("A", 1, "ann", [error(0, 1)]), origin="m.tsv")
    merged = merge([judged(("A", 1, "ann", None), origin="da.csv"), marked])
    assert merged is not None
    found = annotated(merged)
    assert found.annotators == (Annotator("ann", "m.tsv"),)
    assert spans(found) == [("ann", "A", 0, 0, 1)]


def test_the_fingerprint_covers_errors_and_the_digest_only_ratings() -> None:
    first, second, plain = (judged(("A", 1, "ann", own)) for own in ([error(0, 1)], [error(0, 2)], None))
    assert first.digest == second.digest == plain.digest == plain.fingerprint
    assert len({first.fingerprint, second.fingerprint, plain.fingerprint}) == 3
    assert first.fingerprint == judged(("A", 1, "ann", [error(0, 1)])).fingerprint


def test_metrics_annotate_the_segments_that_they_scored() -> None:
    marked: list[tuple[MarkedError, ...] | None] = [(error(2, 5),), None]
    table = ScoreTable("M", ("A",), np.array([[1.0, np.nan]]), np.array([1.0]), errors=(tuple(marked),))
    found = annotated(None, table)
    assert found.annotators == (Annotator("M", is_metric=True),)
    assert spans(found) == [("M", "A", 0, 2, 5)]
    assert len(found.item_annotator) == 1
    aligned = table.aligned(("B", "A"), 2)
    assert aligned.errors == ((None, None), tuple(marked))
    assert table.subset([1, 0]).errors == ((None, (error(2, 5),)),)


def test_systems_can_be_chosen() -> None:
    ratings = judged(("A", 1, "ann", [error(0, 1)]), ("B", 1, "ann", [error(0, 1, "one")]))
    found = annotated_errors(CORPUS, ratings, systems=["B"])
    assert found is not None
    assert (found.systems, spans(found)) == (("B",), [("ann", "B", 0, 0, 1)])


def test_annotations_of_no_segment_and_repeated_ones_are_counted() -> None:
    ratings = Judgments.from_ratings(
        ["A"], [1.0], [1], "h.csv", segments=[1], numbering="item", errors=[(error(0, 1), error(0, 2))]
    )
    assert ratings.has_errors
    report = error_report(CORPUS, ratings)
    assert (report.items, report.is_empty) == (0, False)
    assert report.sentence == "2 errors of no segment of the texts not used"
    repeated = judged(("A", 1, "ann", [error(0, 1)]), ("A", 1, "ann", [error(0, 1)]))
    assert error_report(CORPUS, repeated).sentence == (
        "1 error in 1 annotated item: 1 placed in the texts; 1 more in repeated annotations not used"
    )
