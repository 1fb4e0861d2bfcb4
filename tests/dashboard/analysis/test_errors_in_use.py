"""The errors in use: those of the judges, systems and segments that are selected."""

from __future__ import annotations

import json

import pytest

from bleu_core.dataset import Annotator, ErrorAnnotations
from bleu_core.errors import SettingsError
from bleu_core.uploads import File, Workspace, assemble
from dashboard.analysis import errors_in_use, slice_fields, view_of
from dashboard.session import Selection

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
ROWS = (
    "A\td\t1\t1\tann\tle chat\ta <v>red</v> cat\tStyle/Awkward\tMinor",
    "A\td\t1\t1\tann\tle <v>chat</v>\ta red cat\tAccuracy/Omission\tMajor",
    "A\td\t2\t2\tann\tdeux\ttwo  <v>words</v>\tStyle\tMinor",
    "B\td\t1\t1\tbob\tle chat\tother <v>more</v>\tStyle\tMinor",
    "B\td\t2\t2\tann\tdeux\tb\tNo-error\tNo-error",
)


def workspace_of(*rows: str) -> Workspace:
    return assemble(
        [
            File("A.txt", b"a red cat\ntwo words\n", "system"),
            File("B.txt", b"one more\nb\n", "system"),
            File("ref.txt", b"r s\nt u\n", "reference"),
            File("src.txt", b"le chat\ndeux\n", "source"),
            File("m.tsv", "\n".join((HEADER, *rows, "")).encode(), "judgments"),
        ]
    )


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return workspace_of(*ROWS)


def errors(workspace: Workspace, selection: Selection | None = None) -> ErrorAnnotations:
    found = errors_in_use(view_of(workspace, selection or Selection()))
    assert found is not None
    return found


def test_the_file_says_how_many_errors_were_placed(workspace: Workspace) -> None:
    entry = workspace.entries[-1]
    assert entry.error_counts == (
        "4 errors in 4 annotated items: 3 placed in the texts, 1 without a place because of a problem",
    )
    (warning,) = entry.warnings
    assert warning == (
        "1 error kept without its place (first: line 5): the translation in which it is marked is not that of the "
        "segment"
    )


def test_all_errors_are_in_use(workspace: Workspace) -> None:
    found = errors(workspace)
    assert found.annotators == (Annotator("ann"), Annotator("bob"))
    assert found.span_start.tolist() == [2, 3, 4, -1]
    assert found.span_end.tolist() == [5, 7, 9, -1]
    assert found.span_in_source.tolist() == [False, True, False, False]


def test_they_follow_judges_systems_and_the_slice(workspace: Workspace) -> None:
    assert errors(workspace, Selection(without_judges=("ann",))).annotators == (Annotator("bob"),)
    assert errors(workspace, Selection(without_systems=("A",))).systems == ("B",)
    sliced = errors(workspace, Selection(slice="segment = 2"))
    assert (sliced.segments, sliced.item_segment.tolist(), sliced.span_start.tolist()) == (1, [0, 0], [4])


def test_standardised_ratings_have_the_same_errors(workspace: Workspace) -> None:
    assert errors(workspace, Selection(standardised=True)).span_start.tolist() == [2, 3, 4, -1]


def test_other_marks_with_the_same_scores_are_not_taken_from_the_cache(workspace: Workspace) -> None:
    moved = workspace_of(ROWS[0].replace("a <v>red</v> cat", "<v>a</v> red cat"), *ROWS[1:])
    assert moved.digest == workspace.digest
    assert moved.fingerprint != workspace.fingerprint
    assert errors(moved).span_start.tolist() == [0, 3, 4, -1]


def test_slices_offer_the_categories_and_severities(workspace: Workspace) -> None:
    fields = {field.name: field for field in slice_fields(workspace) if not field.is_label}
    assert fields["errors"].names == (("A", "B"),)
    assert fields["category"].values == ("Accuracy", "Accuracy/Omission", "Style", "Style/Awkward")
    assert fields["severity"].values == ("major", "minor")


def test_slices_of_errors_follow_the_judges_in_use(workspace: Workspace) -> None:
    view = view_of(workspace, Selection(slice='category of "A" = Accuracy'))
    assert view.numbers == (1,)
    with pytest.raises(SettingsError, match="holds for none of 2 segments"):
        view_of(workspace, Selection(slice='category of "A" = Accuracy', without_judges=("ann",)))


def test_metrics_are_annotators_too() -> None:
    spans = [{"severity": "minor", "start": 2, "end": 5}]
    segments = [{"src": "s", "mt": "a red cat", "COMET": 0.5, "errors": spans}, {"src": "s", "mt": "-", "COMET": 0.9}]
    scores = json.dumps({"A.txt": segments}).encode()
    workspace = assemble([*(entry.file for entry in workspace_of(*ROWS).entries), File("x.json", scores, "scores")])
    assert workspace.entries[-1].error_counts == ("1 error in 2 annotated items: 1 placed in the texts",)
    found = errors(workspace)
    assert found.annotators[-1] == Annotator("COMET", is_metric=True)
    assert found.span_start.tolist() == [2, 3, 4, -1, 2]
    view = view_of(workspace, Selection(slice='errors of "A" by "COMET" >= 1'))
    assert view.numbers == (1,)
    sliced = errors_in_use(view)
    assert sliced is not None
    assert (sliced.segments, sliced.annotators[-1].name) == (1, "COMET")
