"""Pages without a browser: empty, loaded, faulty; the numbers are sacreBLEU's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.metrics.bleu import BLEU
from streamlit.testing.v1 import AppTest

import sample_data

APP = Path(__file__).parents[1] / "dashboard" / "app.py"
PAGES = {"": "Overview", "data": "Data", "scores": "Scores", "precision": "Precision", "blocks": "Blocks"} | {
    "human": "Human judgments"
}


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """A session on the sample data."""
    monkeypatch.setattr("sys.argv", ["app.py"])
    return AppTest.from_file(str(APP), default_timeout=60).run()


def visit(app: AppTest, path: str) -> AppTest:
    """Go to a page by its address; AppTest itself knows only pages that are files."""
    pages: dict[str, Any] = vars(app)["_registered_pages"]
    vars(app)["_page_hash"] = next(h for h, page in pages.items() if page.get("url_pathname", "") == path)
    return app.run()


def said(app: AppTest) -> str:
    """All that a page says, without the escapes of Markdown."""
    blocks: list[Any] = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error, *app.subheader]
    return re.sub(r"\\(.)", r"\1", "\n".join(str(block.value) for block in blocks)).replace("\u2060", "")


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Drop files on the Data page."""
    visit(app, "data")
    form = app.file_uploader[0]
    return form.set_value([(name, data, "text/plain") for name, data in files]).run()


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def expected(system: str, **settings: Any) -> float:
    """SacreBLEU's score of a sample system against all sample references."""
    references = [lines(path) for path in sample_data.references()]
    return BLEU(**settings).corpus_score(lines(sample_data.FOLDER / "systems" / f"{system}.txt"), references).score


REFERENCE = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
SYSTEM = b"the cat sat on a mat\nit was a fine day in the park\nwe all went home by night\n"
OTHER = b"a cat sits on the mat\nthat was a sunny day at the park\nall of us went home at night\n"


@pytest.mark.parametrize(("path", "title"), PAGES.items())
def test_every_page_opens_on_the_sample_with_one_heading(app: AppTest, path: str, title: str) -> None:
    visit(app, path)
    assert [heading.value for heading in app.title] == [title]
    assert not app.exception
    assert not app.error


def test_the_overview_answers_with_sacrebleus_number(app: AppTest) -> None:
    best = max(("S1", "S2", "S3", "H1", "H2"), key=expected)
    assert f"{best} leads with {expected(best):.2f} BLEU" in said(app)
    assert "sample data" in said(app)


def test_a_changed_setting_changes_the_table_and_the_signature_at_once(app: AppTest) -> None:
    visit(app, "scores")
    app.selectbox(key="tokenizer").set_value("char").run()
    table = app.dataframe[0].value
    assert dict(zip(table["system"], table["bleu"], strict=True))["S2"] == pytest.approx(
        expected("S2", tokenize="char"), rel=1e-9
    )
    assert "tok:char" in app.code[0].value


def test_settings_stay_when_the_page_changes(app: AppTest) -> None:
    app.toggle(key="lowercase").set_value(True).run()
    visit(app, "scores")
    assert "case:lc" in app.code[0].value
    visit(app, "data")
    visit(app, "scores")
    assert "case:lc" in app.code[0].value


def test_a_preset_sets_the_rest_and_shows_what_the_rest_amounts_to(app: AppTest) -> None:
    app.selectbox(key="preset").set_value("paper").run()
    visit(app, "scores")
    assert "case:lc|eff:no|tok:none|smooth:none" in app.code[0].value
    app.selectbox(key="smoothing").set_value("exp").run()
    assert app.selectbox(key="preset").value == "own"
    app.selectbox(key="smoothing").set_value("none").run()
    assert app.selectbox(key="preset").value == "paper"


def test_leaving_out_references_and_systems_is_followed(app: AppTest) -> None:
    visit(app, "scores")
    app.multiselect(key="without_references").set_value(["R2", "R3", "R4"]).run()
    app.multiselect(key="without_systems").set_value(["H1", "H2"]).run()
    table = app.dataframe[0].value
    only = [lines(sample_data.FOLDER / "references" / "R1.txt")]
    score = BLEU().corpus_score(lines(sample_data.FOLDER / "systems" / "S3.txt"), only).score
    assert dict(zip(table["system"], table["bleu"], strict=True))["S3"] == pytest.approx(score, rel=1e-9)
    assert set(table["system"]) == {"S1", "S2", "S3"}
    app.multiselect(key="without_references").set_value(["R1", "R2", "R3", "R4"]).run()
    assert "all references are left out" in said(app)
    assert not app.exception


@pytest.mark.parametrize("weights", ["0.5 0.5", "a b", "1 1 1 1", "0.5 0.5 0 0", "nan 0 0 1"])
def test_weights_that_do_not_do_are_refused_and_no_number_is_shown(app: AppTest, weights: str) -> None:
    visit(app, "scores")
    app.text_input(key="weights").set_value(weights).run()
    assert app.error
    assert "weights" in said(app)
    assert not app.dataframe
    assert not app.exception


def test_weights_and_orders_are_followed(app: AppTest) -> None:
    visit(app, "scores")
    app.slider(key="max_order").set_value(2).run()
    app.text_input(key="weights").set_value("0.75; 0.25").run()
    assert app.code[0].value.endswith("|order:2|weights:0.75/0.25")
    assert "precision_3" not in app.dataframe[0].value


def test_blocks_of_every_kind(app: AppTest) -> None:
    visit(app, "blocks")
    assert "20 blocks of 25 segments" in said(app)
    app.segmented_control(key="divide_into").set_value("documents").run()
    assert "40 blocks" in said(app)
    app.segmented_control(key="divide_into").set_value("size").run()
    app.number_input(key="blocks_size").set_value(30).run()
    assert "The last block is short: 20 segments" in said(app)
    assert not app.exception


def test_uploaded_files_take_the_place_of_the_sample_and_stay(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM))
    assert "your own files" in said(app)
    visit(app, "scores")
    score = BLEU().corpus_score(SYSTEM.decode().split("\n")[:-1], [REFERENCE.decode().split("\n")[:-1]]).score
    assert app.dataframe[0].value["bleu"].tolist() == pytest.approx([score], rel=1e-9)
    visit(app, "data")
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "ours.txt"]
    app.button(key="show-sample").click().run()
    assert "sample data" in said(app)
    app.button(key="show-own").click().run()
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "ours.txt"]


def test_a_file_uploaded_again_replaces_its_earlier_self(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", OTHER))
    upload(app, ("ours.txt", SYSTEM))
    assert "ours.txt: replaced" in said(app)
    visit(app, "scores")
    score = BLEU().corpus_score(SYSTEM.decode().split("\n")[:-1], [REFERENCE.decode().split("\n")[:-1]]).score
    assert app.dataframe[0].value["bleu"].tolist() == pytest.approx([score], rel=1e-9)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("short.txt", b"one\n", "short.txt: line 2 is missing: 1 segment found, 3 expected"),
        ("empty.txt", b"", "empty.txt: the file is empty"),
        ("binary.txt", bytes(range(256)), "binary.txt"),
        ("nul.txt", b"a\nb\0\nc\n", "nul.txt, line 2: a NUL character"),
        ("latin.txt", "a\nbé\nc\n".encode("latin-1"), "latin.txt, line 2: byte 0xE9 at offset 3"),
        ("utf16.txt", "a\nb\nc\n".encode("utf-16-le"), "utf16.txt"),
        ("human.csv", b"segment,system,score\n1,ours,good\n", "human.csv, line 2: score 'good' found"),
        ("human.csv", b"segment,system,score\n9,ours,1\n", "human.csv, line 2: segment 9 found, 1 to 3 expected"),
        ("ours.tok", b"a\nb\nc\n", "ours.tok: ours.txt already holds a system called ours"),
    ],
)
def test_a_bad_file_is_explained_and_what_was_loaded_stays(app: AppTest, name: str, data: bytes, message: str) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM))
    upload(app, (name, data))
    assert message in said(app)
    assert not app.exception
    visit(app, "scores")
    assert app.dataframe[0].value["system"].tolist() == ["ours"]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + SYSTEM,
        SYSTEM.replace(b"\n", b"\r\n"),
        SYSTEM.decode().encode("utf-16"),
        SYSTEM[:-1],
    ],
    ids=["BOM", "CRLF", "UTF-16", "no last newline"],
)
def test_what_can_be_repaired_scores_the_same(app: AppTest, data: bytes) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", data))
    visit(app, "scores")
    score = BLEU().corpus_score(SYSTEM.decode().split("\n")[:-1], [REFERENCE.decode().split("\n")[:-1]]).score
    assert app.dataframe[0].value["bleu"].tolist() == pytest.approx([score], rel=1e-9)


def test_a_line_separator_inside_a_segment_does_not_misalign(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM.replace(b"sat on", "sat\u2028on".encode())))
    visit(app, "scores")
    assert app.dataframe[0].value["system"].tolist() == ["ours"]


def test_a_system_without_overlap_scores_nothing_and_every_page_stands(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("none.txt", b"x\ny\nz\n"), ("ours.txt", SYSTEM))
    for path in PAGES:
        visit(app, path)
        assert not app.exception, path


def test_one_segment_shorter_than_the_order_stands_on_every_page(app: AppTest) -> None:
    ratings = b"system,score\nours,1\nother,2\n"
    upload(app, ("ref.txt", b"a cat\n"), ("ours.txt", b"a cat\n"), ("other.txt", b"cat\n"), ("human.csv", ratings))
    for path in PAGES:
        visit(app, path)
        assert not app.exception, path
    visit(app, "human")
    assert "ours: its text equals the reference ref" in said(app)


def test_undefined_correlation_is_said_and_never_0(app: AppTest) -> None:
    ratings = b"system,score\nours,3\nother,3\nthird,3\n"
    third = OTHER.replace(b"cat", b"dog")
    upload(
        app,
        ("ref.txt", REFERENCE),
        ("ours.txt", SYSTEM),
        ("other.txt", OTHER),
        ("third.txt", third),
        ("h.csv", ratings),
    )
    visit(app, "human")
    assert "all systems have the same mean rating" in said(app)
    assert app.dataframe[0].value["value"].isna().tolist()[:3] == [True] * 3


def test_pages_without_what_they_need_say_what_to_do(app: AppTest) -> None:
    upload(app, ("ours.txt", SYSTEM))
    visit(app, "scores")
    assert "No reference translation is loaded" in said(app)
    visit(app, "human")
    assert "No reference translation is loaded" in said(app)
    upload(app, ("ref.txt", REFERENCE))
    visit(app, "human")
    assert "No human judgments are loaded" in said(app)
    visit(app, "data")
    app.button(key="remove-all").click().run()
    assert "sample data" in said(app)


def test_files_can_be_renamed_given_another_role_flagged_and_removed(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), ("second.txt", OTHER))
    app.selectbox(key="file_to_correct").set_value(1).run()
    next(box for box in app.text_input if box.label == "Name").set_value("New name").run()
    assert app.dataframe[0].value["name"].tolist() == ["ref", "New name", "second"]
    next(box for box in app.toggle if box.label == "Human translator").set_value(True).run()
    app.selectbox(key="file_to_correct").set_value(2).run()
    next(box for box in app.selectbox if box.label == "Holds").set_value("reference").run()
    assert app.dataframe[0].value["holds"].tolist() == ["reference", "system", "reference"]
    visit(app, "scores")
    assert app.dataframe[0].value["system"].tolist() == ["New name"]
    assert "nrefs:2" in app.code[0].value
    visit(app, "data")
    app.selectbox(key="file_to_correct").set_value(1).run()
    app.button(key="remove-file").click().run()
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "second.txt"]


def test_judgments_that_count_from_0_can_be_said_to(app: AppTest) -> None:
    ratings = b"segment,system,score\n0,ours,4\n2,ours,2\n"
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), ("h.csv", ratings))
    assert "segment 0 found, 1 or more expected" in said(app)
    app.selectbox(key="file_to_correct").set_value(2).run()
    next(box for box in app.selectbox if box.label == "First segment is number").set_value(0).run()
    assert not app.error
    assert app.dataframe[0].value["ratings"].tolist()[-1] == 2


def test_files_named_on_the_command_line_are_open_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.txt").write_bytes(SYSTEM)
    (tmp_path / "truth.txt").write_bytes(REFERENCE)
    monkeypatch.setattr("sys.argv", ["app.py", "--ref", str(tmp_path / "truth.txt"), str(tmp_path / "mine.txt")])
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert "mine scores" in said(app)
    assert "sample" not in said(app)


def test_a_link_made_with_other_data_shows_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["app.py"])
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params["data"] = "0123456789abcdef"
    app.query_params["files"] = "ref.txt, theirs.txt"
    app.run()
    assert "made with other data than are loaded here: ref.txt, theirs.txt" in said(app)
    assert "leads with" not in said(app)
    app.button(key="dismiss-link").click().run()
    assert "leads with" in said(app)


def test_hostile_names_do_not_become_markup(app: AppTest) -> None:
    name = "**b** $x^2$ [l](javascript:alert(1)) :red[r] <i>"
    upload(app, ("ref.txt", REFERENCE), (f"{name}.txt", SYSTEM), ("other.txt", OTHER))
    for path in PAGES:
        visit(app, path)
        assert not app.exception
        raw = "\n".join(str(block.value) for block in (*app.markdown, *app.caption, *app.warning, *app.error))
        assert "**b**" not in raw
        assert "](javascript" not in raw
        assert ":red[" not in raw
