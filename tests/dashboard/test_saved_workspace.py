"""A workspace saved in one session and opened in another, and by commands: the same files, choices and numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Downloads, Runner
from nightly import nightly
from pages import APP, UnopenedSession, load, said, upload, visit, with_parameters
from places import PLACES
from streamlit.testing.v1 import AppTest

from bleu_core.dataset import LineRepair, OptimisedSystem
from bleu_core.formats import MappedColumn
from bleu_core.project import LAYOUT, Choices, ReportText, SavedWorkspace, open_workspace, pack_workspace, saving
from bleu_core.uploads import File, assemble
from dashboard.__main__ import main
from dashboard.launch import parse

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "park", "late", "now", "very", "it", "is", "was"]


def line(n: int, other: int) -> str:
    """A line of some words, which depend on two numbers."""
    return " ".join(WORDS[(n * k + other * (k % 3)) % len(WORDS)] for k in range(1, 8 + n % 3))


SEGMENTS = 24
TRUTH = [line(n, 0) for n in range(SEGMENTS)]
SHORT = [text for n, text in enumerate(line(n, 1) for n in range(SEGMENTS)) if n != 4]
TABLE = "x,y,z\n" + "".join(f"{line(n, 2)},d{n // 6},{'news' if n % 2 else 'talk'}\n" for n in range(SEGMENTS))
RATINGS = "segment,system,judge,score\n" + "".join(
    f"{n + 1},{system},{judge},{(n * k + len(judge)) % 5}\n"
    for n in range(SEGMENTS)
    for k, system in enumerate(("Engine A", "mapped", "human"), start=2)
    for judge in ("x", "yy")
)


def text(*lines: str) -> bytes:
    return "".join(f"{each}\n" for each in lines).encode()


FILES = (
    File("ref.txt", text(*TRUTH), "reference"),
    File("a.txt", text(*SHORT), "system", renamed="Engine A", repairs=(LineRepair("missing", 5, 1),)),
    File(
        "table.csv",
        TABLE.encode(),
        "system",
        columns=(
            MappedColumn("x", "system", "mapped"),
            MappedColumn("y", "document"),
            MappedColumn("z", "label", "kind"),
        ),
    ),
    File("human.txt", text(*(line(n, 3 * (n % 4 == 0)) for n in range(SEGMENTS))), "system", human=True),
    File("left-out.txt", text(*(line(n, 5) for n in range(SEGMENTS))), "system"),
    File("ratings.csv", RATINGS.encode(), "judgments"),
)

#: Parameters of the address.
CONTROLS = {
    "slice": "kind = news or length > 7",
    "without_systems": "left-out",
    "without_judges": "yy",
    "tokenizer": "char",
    "max_order": "3",
    "weights": "0.3333333 0.3333333 0.3333334",
    "metric": "chrF2",
    "draws": "200",
    "seed": "7",
    "zscore": "true",
    "adjust_judges": "adjusted",
}


@pytest.fixture
def session(on_sample: None, hashes: Mapping[str, str]) -> Callable[..., AppTest]:  # noqa: ARG001
    """A session that has FILES, with controls as a link sets them."""

    def begin(**parameters: str) -> AppTest:
        new = with_parameters(UnopenedSession(hashes), **parameters, data=assemble(FILES).digest)
        return load(new, *FILES).run()

    return begin


def fresh() -> AppTest:
    return AppTest.from_file(str(APP), default_timeout=60).run()


def shown(app: AppTest, path: str) -> tuple[str, list[str], list[str]]:
    """What a page shows: its sentences, tables, and figures."""
    visit(app, path)
    tables = [frame.value.to_json(orient="split") for frame in app.dataframe]
    figures = [chart.proto.spec for chart in app.get("plotly_chart")]
    return said(app), tables, figures


#: What a page offers as JSON -> the call that prints the same from the workspace.
CALLS: dict[str, tuple[str, ...]] = {
    "json-scores": ("score", "--metric", "chrf2", "--intervals"),
    "json-blocks": ("blocks", "--metric", "chrf2"),
    "json-comparisons": ("compare", "--metric", "chrf2", "--all-pairs", "--resamples", "200", "--seed", "7"),
    "json-agreement": ("correlate",),
    "paper-json": ("paper",),
}


def test_numbers_keep_all_their_digits(session: Callable[..., AppTest], downloads: Downloads) -> None:
    app = session(smoothing="floor", smoothing_value="0.5")
    app.number_input(key="smoothing_value").set_value(0.1234567).run()
    assert app.query_params["smoothing_value"] == "0.1234567"
    data = downloads["save-workspace"]()
    assert open_workspace(data, "w").choices.settings.smoothing_value == 0.1234567
    after = upload(fresh(), ("saved.bleu.zip", data))
    assert after.number_input(key="smoothing_value").value == 0.1234567
    assert after.query_params["smoothing_value"] == "0.1234567"
    again = session(smoothing="floor", smoothing_value=str(after.query_params["smoothing_value"]))
    assert again.number_input(key="smoothing_value").value == 0.1234567


#: Pages of which every run compares all: those with the JSON of a command, and notes.
COMPARED = ["ranking/scores", "blocks", "ranking/pairs", "agreement/by-system", "paper", "segments"]


@pytest.mark.parametrize(
    "paths",
    [COMPARED, *nightly([[path for path in PLACES if path != "data"]])],
    ids=["some pages", "all pages"],
)
def test_every_page_and_every_command_shows_the_same_after_saving_and_opening(
    session: Callable[..., AppTest], downloads: Downloads, run: Runner, tmp_path: Path, paths: Sequence[str]
) -> None:
    before = session(**CONTROLS)
    visit(before, "segments").button(key="reader-star").click().run()
    pages = {path: shown(before, path) for path in paths}
    data = downloads["save-workspace"]()
    after = upload(fresh(), ("saved.bleu.zip", data))
    assert after.session_state["held"].files == FILES
    assert {path: shown(after, path) for path in paths} == pages
    assert dict(after.query_params) == dict(before.query_params)
    assert downloads["save-workspace"]() == data  # with the star
    path = tmp_path / "saved.bleu.zip"
    path.write_bytes(data)
    for key, call in CALLS.items():
        found, printed = json.loads(downloads[key]()), run(*call, "--workspace", path, "--format", "json").json
        if "warnings" in printed:  # the page has no options that it does without
            printed["warnings"] = [text for text in printed["warnings"] if " has no effect: " not in text]
        assert found == printed


def test_marks_of_optimised_systems_are_saved_for_pages_and_commands(
    session: Callable[..., AppTest], downloads: Downloads, run: Runner, tmp_path: Path
) -> None:
    before = session(optimised="mapped=BLEU")
    for path in ("ranking/pairs", "blocks", "agreement/by-system"):
        visit(before, path)
    assert not before.exception
    data = downloads["save-workspace"]()
    assert open_workspace(data, "w").choices.optimised == (OptimisedSystem(system="mapped", metric="BLEU"),)
    after = upload(fresh(), ("saved.bleu.zip", data))
    assert after.query_params["optimised"] == "mapped=BLEU"
    path = tmp_path / "saved.bleu.zip"
    path.write_bytes(data)
    for key, call in {
        "json-blocks": ("blocks",),
        "json-comparisons": ("compare", "--all-pairs"),
        "json-agreement": ("correlate",),
    }.items():
        found, printed = json.loads(downloads[key]()), run(*call, "--workspace", path, "--format", "json").json
        assert found == printed
        assert {"system": "mapped", "reason": "optimised for BLEU", "metric": "BLEU"} in found["not_ranked"]


def parts_of(html: bytes) -> list[str]:
    """The text of a report, part by part; figures with their content."""
    return html.decode().split("<h2")


#: What is chosen on pages, for their report.
FOR_REPORTS: dict[str, dict[str, str]] = {
    "nothing": {},
    "a slice, a metric and judges": CONTROLS,
    "a test, a level and parts": {
        "test": "paired t",
        "t_blocks": "5",
        "level": "0.1",
        "correction": "none",
        "intervals": "false",
        "rank_humans": "true",
        "without_references": "",
        "slices_by": "length",
        "report_parts": "Significance",
    },
    "documents, in a slice that was planned": {
        "slice": "segment < 20",
        "slice_planned": "true",
        "units": "documents",
        "test": "approximate randomisation",
        "draws": "300",
    },
    "a system that was optimised for a metric": {"optimised": "mapped=BLEU"},
    "half of the text, in the short form": {"half": "explore", "report_form": "short"},
}


#: What every run makes reports of.
EVERY_RUN = ("a slice, a metric and judges",)


@pytest.mark.parametrize("chosen", [*EVERY_RUN, *nightly(key for key in FOR_REPORTS if key not in EVERY_RUN)])
def test_the_report_of_the_command_is_that_of_the_page(
    session: Callable[..., AppTest], downloads: Downloads, run: Runner, tmp_path: Path, chosen: str
) -> None:
    before = session(**FOR_REPORTS[chosen])
    visit(before, "segments").button(key="reader-star").click().run()
    before.button(key="reader-details").click().run()
    before.text_input(key="segment_note").set_value("a note").run()
    visit(before, "report").text_input(key="report_heading").set_value("<b>For</b> *the* board")
    before.text_area(key="report_introduction").set_value("One.\n\n<script>two()</script>").run()
    assert not before.exception
    path, out = tmp_path / "saved.bleu.zip", tmp_path / "report.html"
    path.write_bytes(downloads["save-workspace"]())
    of_page = parts_of(downloads["report"]())
    assert run("report", "--workspace", path, "--out", out).status == 0
    for page, command in zip(of_page, parts_of(out.read_bytes()), strict=True):
        assert command == page
    text = "<h1>&lt;b&gt;For&lt;/b&gt; *the* board</h1>\n<p>One.</p>\n<p>&lt;script&gt;two()&lt;/script&gt;</p>"
    assert text in of_page[0]
    assert "a note" in "".join(of_page) or "report_parts" in FOR_REPORTS[chosen]


def test_the_heading_and_the_introduction_of_a_report_stay_and_come_with_the_workspace(
    session: Callable[..., AppTest], downloads: Downloads
) -> None:
    before = visit(session(), "report")
    before.text_input(key="report_heading").set_value("Before").run()
    half = ReportText(heading="\ud800 " + "x" * 300, introduction="<img src=x>\x00\r\n\u2028\u202e" * 1000)
    upload(before, ("other.bleu.zip", pack_workspace(SavedWorkspace(files=FILES[:4], report=half))))
    visit(before, "report")
    assert not before.exception
    assert before.text_input(key="report_heading").value == "? " + "x" * 198
    assert before.text_area(key="report_introduction").value == half.introduction[:5000]
    assert b"<p>&lt;img src=x&gt;" in downloads["report"]()
    assert b"<img src=x" not in downloads["report"]()
    visit(before, "data").button(key="undo-opening").click().run()
    assert visit(before, "report").text_input(key="report_heading").value == "Before"
    assert open_workspace(downloads["save-workspace"](), "w").report == ReportText(heading="Before")
    assert "Before" not in str(before.query_params)


def test_opening_a_workspace_can_be_undone(session: Callable[..., AppTest], downloads: Downloads) -> None:
    before = session(tokenizer="char")
    visit(before, "ranking/scores")
    saved = downloads["save-workspace"]()
    other = SavedWorkspace(files=(FILES[0], FILES[3]), choices=Choices(), controls={"max_order": ("2",)})
    upload(before, ("other.bleu.zip", pack_workspace(other)))
    assert "Opened other.bleu.zip with 2 files. It replaced ref.txt, a.txt, table.csv" in said(before)
    assert "its files are read in another way now" in said(before).lower()  # no digest was saved
    assert (before.session_state["tokenizer"], before.session_state["max_order"]) == ("13a", 2)
    before.button(key="undo-opening").click().run()
    assert "Opened" not in said(before)
    assert downloads["save-workspace"]() == saved


def test_opening_can_no_longer_be_undone_once_a_file_has_changed(session: Callable[..., AppTest]) -> None:
    app = session()
    upload(app, ("other.bleu.zip", pack_workspace(SavedWorkspace(files=(FILES[0], FILES[3])))))
    assert [button for button in app.button if button.key == "undo-opening"]
    upload(app, ("b.txt", text(*TRUTH)))
    assert not [button for button in app.button if button.key == "undo-opening"]


def test_a_selected_file_does_not_change_the_one_in_its_place(session: Callable[..., AppTest]) -> None:
    app = session()
    visit(app, "data")
    app.session_state["selected_file"] = 1
    app.run()
    app.text_input(key="encoding-1-a.txt-system").set_value("latin-1").run()
    saved = SavedWorkspace(files=(FILES[0], replace(FILES[1], encoding="utf-8")))
    upload(app, ("w.bleu.zip", pack_workspace(saved)))
    app.session_state["selected_file"] = 1
    app.run()
    assert app.session_state["held"].files == saved.files


@pytest.mark.parametrize("what", ["damaged", "newer", "beside another file"])
def test_what_cannot_be_opened_is_refused_and_what_was_loaded_stays(
    session: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    if what == "newer":
        monkeypatch.setattr(saving, "LAYOUT", LAYOUT + 1)
    app, data = session(), pack_workspace(SavedWorkspace(files=FILES[:2]))
    given = [("w.bleu.zip", data[:-60] if what == "damaged" else data)]
    if what == "beside another file":
        given.append(("b.txt", text(*TRUTH)))
    upload(app, *given)
    assert next(error.value for error in app.error).startswith(r"w\.bleu\.zip")
    assert app.session_state["held"].files == FILES


def test_the_sample_can_be_saved_with_the_settings_of_its_paper_page(app: AppTest, downloads: Downloads) -> None:
    visit(app, "ranking/scores")
    saved = open_workspace(downloads["save-workspace"](), "w")
    assert saved.choices.paper_preset
    after = upload(fresh(), ("w.bleu.zip", downloads["save-workspace"]()))
    assert after.session_state["held"].files == saved.files
    visit(after, "paper")
    assert after.session_state["paper_settings"] == "paper"


def test_notes_come_with_the_workspace_and_replace_those_of_the_session(
    session: Callable[..., AppTest], downloads: Downloads
) -> None:
    before = session()
    visit(before, "segments").button(key="reader-star").click().run()
    before.button(key="reader-details").click().run()
    before.text_input(key="segment_note").set_value("a note").run()
    saved = open_workspace(downloads["save-workspace"](), "w")
    assert [(note.starred, note.note) for note in saved.notes] == [(True, "a note")]
    upload(before, ("w.bleu.zip", pack_workspace(replace(saved, notes=()))))
    visit(before, "ranking/scores")
    assert open_workspace(downloads["save-workspace"](), "w").notes == ()


def test_a_link_made_in_the_session_opens_on_the_workspace(
    session: Callable[..., AppTest], downloads: Downloads
) -> None:
    before = session(slice="kind = news")
    visit(before, "ranking/scores")
    link = dict(before.query_params)
    data = downloads["save-workspace"]()
    after = AppTest.from_file(str(APP), default_timeout=60)
    for key, value in link.items():
        after.query_params[key] = value
    after.run()
    assert "The data of this address are not loaded" in said(visit(after, "ranking/scores"))
    upload(after, ("w.bleu.zip", data))
    assert dict(after.query_params) == link
    assert shown(after, "ranking/scores") == shown(before, "ranking/scores")


# --- from the command line -----------------------------------------------------------------------------------


def test_the_dashboard_starts_with_a_workspace(
    session: Callable[..., AppTest], downloads: Downloads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = session(**CONTROLS)
    visit(before, "segments").button(key="reader-star").click().run()
    data = downloads["save-workspace"]()
    path = tmp_path / "saved.bleu.zip"
    path.write_bytes(data)
    monkeypatch.setattr("sys.argv", ["app.py", *parse([str(path)]).arguments()])
    after = fresh()
    assert shown(after, "ranking/scores") == shown(before, "ranking/scores")
    assert downloads["save-workspace"]() == data
    link = AppTest.from_file(str(APP), default_timeout=60)
    link.query_params["data"], link.query_params["max_order"] = dict(before.query_params)["data"], "2"
    assert link.run().session_state["max_order"] == 2  # the address says otherwise
    assert link.session_state["tokenizer"] == "13a"


def test_further_files_beside_a_workspace_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, other = tmp_path / "saved.bleu.zip", tmp_path / "a.txt"
    path.write_bytes(pack_workspace(SavedWorkspace(files=FILES)))
    other.write_bytes(text("x"))
    with pytest.raises(SystemExit):
        parse([str(path), str(other)])
    assert f"{other}: further files with the workspace {path} found, none expected" in capsys.readouterr().err
    assert parse(["--workspace", str(path)]) == parse([str(path)])


def test_a_damaged_workspace_ends_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "saved.bleu.zip"
    path.write_bytes(pack_workspace(SavedWorkspace(files=FILES))[:-60])
    monkeypatch.setattr("sys.argv", ["bleu-dashboard", str(path)])
    assert main() == 2
    assert capsys.readouterr().err.startswith(f"bleu-dashboard: {path}: cannot be read as a zip")
