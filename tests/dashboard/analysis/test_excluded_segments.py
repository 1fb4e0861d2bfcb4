"""Segments that a file lacks: excluded for all systems however many they are, and named as such."""

from __future__ import annotations

from typing import Any

import pytest

from bleu_core.dataset import LineRepair
from bleu_core.errors import AlignmentError
from bleu_core.project import Choices
from bleu_core.results.encoding import to_json
from bleu_core.results.envelope import envelope_fields, slice_report
from bleu_core.scoring import BleuSettings, evaluate
from bleu_core.uploads import File, Workspace, assemble
from dashboard import words
from dashboard.analysis import View, view_of
from dashboard.analysis.segment_parts import part_scores, segments_within
from dashboard.analysis.view import without_segments
from dashboard.export import DataInUse
from dashboard.session import Selection

SEGMENTS = 20_000

LOST = tuple(range(1, SEGMENTS + 1, 2))


def text(word: str, *, without: tuple[int, ...] = ()) -> bytes:
    lost = set(without)
    return "".join(
        f"the {word} sat on {number % 97} mats of {number}\n" for number in range(1, SEGMENTS + 1) if number not in lost
    ).encode()


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    """A file that lacks 10,000 scattered lines, each of which was put in its place as an empty segment."""
    repairs = tuple(LineRepair("missing", line, 1) for line in range(1, len(LOST) + 1))
    short = File("short.txt", text("dog", without=LOST), "system", repairs=repairs)
    return assemble([File("ref.txt", text("cat"), "reference"), File("full.txt", text("rat"), "system"), short])


@pytest.fixture
def view(workspace: Workspace) -> View:
    return view_of(workspace, Selection())


def test_thousands_of_segments_that_a_file_lacks_are_excluded(workspace: Workspace, view: View) -> None:
    assert workspace.absent == LOST
    assert view.slice is not None
    assert (view.slice.segments, view.slice.excluded) == (SEGMENTS - len(LOST), LOST)
    rows = range(1, SEGMENTS, 2)
    expected = evaluate(workspace.corpus.subset(rows))
    assert view.evaluation.scores.score.tolist() == expected.scores.score.tolist()
    assert view.evaluation.segments == len(rows)


def test_they_are_counted_and_not_listed(view: View) -> None:
    assert view.slice is not None
    told = "10,000 of 20,000 segments are excluded because short.txt lacks them"
    assert words.slice_in_use(view.slice) == told
    assert words.slice_to_quote(view.slice, descriptive=False) == f" {told}."
    assert words.slice_title(view.slice) == "10,000 of 20,000 segments"
    report = slice_report(view.slice)
    assert to_json(report) == {"expression": "", "segments": 10_000, "of": 20_000, "excluded": 10_000}
    assert envelope_fields(view.evaluation)["segments"] == 10_000


def test_a_slice_that_was_chosen_is_named_beside_them(workspace: Workspace) -> None:
    found = view_of(workspace, Selection(slice="segment <= 8")).slice
    assert found is not None
    assert found.numbers == (2, 4, 6, 8)
    assert words.slice_in_use(found) == f"segment <= 8 (4 of 20,000 segments); {found.exclusion}"
    assert words.slice_to_quote(found, descriptive=True) == (
        " Only 4 of 20,000 segments (segment <= 8) were used. 10,000 of 20,000 segments are excluded "
        "because short.txt lacks them. The slice was chosen after looking at the results; p-values only describe it."
    )
    with pytest.raises(AlignmentError) as caught:
        view_of(workspace, Selection(slice="segment <= 1"))
    assert str(caught.value).startswith("slice 'segment <= 1': no segment is left: 10,000 of 20,000 segments are ")


def test_they_can_be_scored_as_empty(workspace: Workspace) -> None:
    found = view_of(workspace, Selection(score_missing=True))
    assert (found.slice, found.evaluation.segments) == (None, SEGMENTS)


def test_further_segments_can_be_left_out(view: View) -> None:
    found = without_segments(view, range(2, SEGMENTS + 1, 4)).slice
    assert found is not None
    assert found.numbers == tuple(range(4, SEGMENTS + 1, 4))
    assert found.expression == ""


def test_what_a_file_lacks_is_no_part_of_the_text(view: View) -> None:
    assert part_scores(view, "bleu", ("full",)) is None
    inside = segments_within(view, "segment <= 8")
    assert not isinstance(inside, str)
    part: Any = part_scores(view, "bleu", systems=("full", "short"), within="segment <= 8", inside=inside)
    assert (part.expression, part.segments, part.of) == ("segment <= 8", 4, SEGMENTS - len(LOST))
    assert segments_within(view, "segment <= 1") == "'segment <= 1' holds for no segment in use"


@pytest.mark.parametrize("expression", ["", "segment <= 4000"])
def test_the_code_of_a_page_excludes_them(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, expression: str
) -> None:
    view = view_of(workspace, Selection(slice=expression))
    data = DataInUse(view, Choices(settings=BleuSettings()))
    assert data.command("score") == "bleu-core score --workspace workspace.bleu.zip"
    python = data.script().text
    assert "not segment" not in python
    monkeypatch.setattr("bleu_core.project.open_workspace", lambda *_: workspace)
    monkeypatch.setattr("bleu_core.uploads.assemble", lambda _: workspace)
    monkeypatch.setattr("pathlib.Path.read_bytes", lambda _: b"")
    names: dict[str, Any] = {}
    monkeypatch.setattr(Workspace, "files_in_use", (), raising=False)
    exec(python, names)  # noqa: S102 # as people would run it
    assert names["evaluation"].scores.score.tolist() == view.evaluation.scores.score.tolist()


def test_files_with_few_repairs_name_them_and_others_count_them(workspace: Workspace) -> None:
    file = workspace.repaired[0].file
    assert words.repairs_made(file.name, file.repairs[:2]) == (
        "Repaired short.txt: line 1 is missing: an empty segment was put in its place; line 2 is missing: an empty "
        "segment was put in its place."
    )
    sentence = words.repairs_made(file.name, file.repairs)
    assert sentence.endswith("; 9,990 more repairs.")
    assert len(sentence) < 1_000
