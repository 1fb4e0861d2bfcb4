"""Pages without a browser: empty, loaded, faulty; the numbers are sacreBLEU's."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import Opener
from nightly import nightly
from pages import APP, load, said, select_file, show_data, untick, upload, visit, with_parameters
from places import PLACES
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sentences import sentences_of
from streamlit.testing.v1 import AppTest
from style import offences

import sample_data
from bleu_core.dataset import Corpus
from bleu_core.inference import TESTS, Comparisons, Test, compare, document_blocks, equal_blocks
from bleu_core.limits import Limits
from bleu_core.results.significance import TEST_NAMES, caption, methods
from bleu_core.scoring import BleuEvaluation, evaluate, score_metric
from dashboard.widgets import NAME

PAGES = {path: page.title for path, page in PLACES.items() if path != "paper"}


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def expected(system: str, **settings: Any) -> float:
    """SacreBLEU's score of a sample system against all sample references."""
    references = [lines(path) for path in sample_data.references()]
    return BLEU(**settings).corpus_score(lines(sample_data.FOLDER / "systems" / f"{system}.txt"), references).score


#: Pages on which every run looks at data that are hard to show: one of each kind; the nightly run looks at all.
EVERY_RUN = (
    *("", "ranking/scores", "ranking/pairs", "two-systems/difference", "two-systems/ngrams", "blocks", "segments"),
    *("agreement/by-system", "metrics/best-agreement", "data"),
)
OF_EACH_KIND = pytest.mark.parametrize(
    "paths",
    [EVERY_RUN, *nightly([[path for path in PAGES if path not in EVERY_RUN]])],
    ids=["of each kind", "further pages"],
)


REFERENCE = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
SYSTEM = b"the cat sat on a mat\nit was a fine day in the park\nwe all went home by night\n"
OTHER = b"a cat sits on the mat\nthat was a sunny day at the park\nall of us went home at night\n"


@pytest.fixture
def app(app: AppTest) -> AppTest:
    """A session on the sample data, of which all five systems are ranked."""
    return with_parameters(app, rank_humans="true")


@pytest.mark.parametrize(("path", "title"), PAGES.items())
def test_every_page_opens_on_the_sample_with_one_heading(app: AppTest, path: str, title: str) -> None:
    visit(app, path)
    assert [heading.value for heading in app.title] == [title]
    assert not app.exception
    assert not app.error
    assert {text: offences(text) for text in sentences_of(app) if offences(text)} == {}


def test_the_overview_answers_with_sacrebleus_number(app: AppTest) -> None:
    best = max(("S1", "S2", "S3", "H1", "H2"), key=expected)
    assert f"{best} scores significantly higher than all others ({expected(best):.2f} BLEU)" in said(app)
    assert "Sample data" in said(app)


def test_a_changed_setting_changes_the_table_and_the_signature_at_once(app: AppTest) -> None:
    visit(app, "ranking/scores")
    app.selectbox(key="tokenizer").set_value("char").run()
    table = app.dataframe[0].value
    assert dict(zip(table["system"], table["bleu"], strict=True))["S2"] == pytest.approx(
        expected("S2", tokenize="char"), rel=1e-9
    )
    assert "tok:char" in app.code[0].value


def test_settings_stay_when_the_page_changes(app: AppTest) -> None:
    app.toggle(key="lowercase").set_value(True).run()
    visit(app, "ranking/scores")
    assert "case:lc" in app.code[0].value
    visit(app, "data")
    visit(app, "ranking/scores")
    assert "case:lc" in app.code[0].value


def test_a_preset_sets_the_rest_and_shows_what_the_rest_amounts_to(app: AppTest) -> None:
    app.selectbox(key="preset").set_value("paper").run()
    visit(app, "ranking/scores")
    assert "case:lc|eff:no|tok:none|smooth:none" in app.code[0].value
    app.selectbox(key="smoothing").set_value("exp").run()
    assert app.selectbox(key="preset").value == "own"
    app.selectbox(key="smoothing").set_value("none").run()
    assert app.selectbox(key="preset").value == "paper"


def test_leaving_out_references_and_systems_is_followed(app: AppTest) -> None:
    visit(app, "ranking/scores")
    untick(app, "references", "R2", "R3", "R4")
    untick(app, "systems", "H1", "H2")
    table = app.dataframe[0].value
    only = [lines(sample_data.FOLDER / "references" / "R1.txt")]
    score = BLEU().corpus_score(lines(sample_data.FOLDER / "systems" / "S3.txt"), only).score
    assert dict(zip(table["system"], table["bleu"], strict=True))["S3"] == pytest.approx(score, rel=1e-9)
    assert set(table["system"]) == {"S1", "S2", "S3"}
    untick(app, "references", "R1", "R2", "R3", "R4")
    assert "0 of 4" in said(app)
    assert "no reference is selected" in said(app)
    assert not app.dataframe
    assert not app.exception


@pytest.mark.parametrize("weights", ["0.5 0.5", "a b", *nightly(["1 1 1 1", "0.5 0.5 0 0", "nan 0 0 1"])])
def test_weights_that_cannot_be_used_keep_the_last_valid_numbers_and_can_be_undone(app: AppTest, weights: str) -> None:
    visit(app, "ranking/scores")
    app.toggle(key="lowercase").set_value(True).run()
    signature, scores = app.code[0].value, app.dataframe[0].value
    address = dict(app.query_params)
    app.text_input(key="weights").set_value(weights).run()
    for path in ("precision", "scores"):
        visit(app, path)
        (problem,) = app.sidebar.error
        assert "weights" in problem.value.lower()
        assert not app.main.error
        assert not app.exception
    assert app.code[0].value == signature
    pd.testing.assert_frame_equal(app.dataframe[0].value, scores)
    app.button(key="undo-setting").click().run()
    assert not app.error
    assert app.text_input(key="weights").value == ""
    assert app.code[0].value == signature
    assert app.query_params == address


def test_an_order_that_the_weights_do_not_fit_can_be_undone(app: AppTest) -> None:
    visit(app, "ranking/scores")
    app.slider(key="max_order").set_value(2).run()
    app.text_input(key="weights").set_value("0.75 0.25").run()
    signature = app.code[0].value
    app.slider(key="max_order").set_value(3).run()
    assert app.sidebar.error
    assert app.code[0].value == signature
    app.button(key="undo-setting").click().run()
    assert not app.error
    assert (app.slider(key="max_order").value, app.text_input(key="weights").value) == (2, "0.75 0.25")
    assert app.code[0].value == signature


def test_weights_and_orders_are_followed(app: AppTest) -> None:
    visit(app, "ranking/scores")
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
    assert "The last block has only 20 segments" in said(app)
    assert not app.exception


def test_uploaded_files_take_the_place_of_the_sample_and_stay(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM))
    assert "In use: 1 system, 1 reference, 3 segments" in said(app)
    visit(app, "ranking/scores")
    score = BLEU().corpus_score(SYSTEM.decode().split("\n")[:-1], [REFERENCE.decode().split("\n")[:-1]]).score
    assert app.dataframe[0].value["bleu"].tolist() == pytest.approx([score], rel=1e-9)
    visit(app, "data")
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "ours.txt"]
    show_data(app, "sample")
    assert "Sample data" in said(app)
    show_data(app, "own")
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "ours.txt"]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("short.txt", b"one\n", "short.txt has 1 line, 2 fewer than the 2 other files (3)"),
        ("latin.txt", "a\nbé\nc\n".encode("latin-1"), "latin.txt, line 2: byte 0xE9 at offset 3"),
        *nightly(
            [
                ("empty.txt", b"", "empty.txt: the file is empty"),
                ("binary.txt", bytes(range(256)), "binary.txt"),
                ("nul.txt", b"a\nb\0\nc\n", "nul.txt, line 2: NUL character found"),
                ("utf16.txt", "a\nb\nc\n".encode("utf-16-le"), "utf16.txt"),
                ("human.csv", b"segment,system,score\n1,ours,good\n", "human.csv, line 2: score 'good' found"),
            ]
        ),
        (
            "human.csv",
            b"segment,system,score\n9,ours,1\n",
            "human.csv, line 2: rating of segment 9 found, but the texts have 3 segments",
        ),
        ("ours.tok", b"a\nb\nc\n", "ours.tok: ours.txt already holds a system called ours"),
    ],
)
def test_a_bad_file_is_explained_and_what_was_loaded_stays(app: AppTest, name: str, data: bytes, message: str) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM))
    upload(app, (name, data))
    assert message in said(app)
    assert not app.exception
    visit(app, "ranking/scores")
    table = app.dataframe[0].value
    assert table["system"][table["bleu"].notna()].tolist() == ["ours"]


@pytest.mark.parametrize(
    "data",
    [
        SYSTEM.decode().encode("utf-16"),
        *nightly([b"\xef\xbb\xbf" + SYSTEM, SYSTEM.replace(b"\n", b"\r\n"), SYSTEM[:-1]]),
    ],
    ids=["UTF-16", "BOM", "CRLF", "no last newline"],
)
def test_what_can_be_repaired_scores_the_same(app: AppTest, data: bytes) -> None:
    load(app, ("ref.txt", REFERENCE), ("ours.txt", data))
    visit(app, "ranking/scores")
    score = BLEU().corpus_score(SYSTEM.decode().split("\n")[:-1], [REFERENCE.decode().split("\n")[:-1]]).score
    assert app.dataframe[0].value["bleu"].tolist() == pytest.approx([score], rel=1e-9)


def test_a_line_separator_inside_a_segment_does_not_misalign(app: AppTest) -> None:
    load(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM.replace(b"sat on", "sat\u2028on".encode())))
    visit(app, "ranking/scores")
    assert app.dataframe[0].value["system"].tolist() == ["ours"]


@OF_EACH_KIND
def test_a_system_without_overlap_scores_nothing_and_every_page_stands(app: AppTest, paths: Sequence[str]) -> None:
    load(app, ("ref.txt", REFERENCE), ("none.txt", b"x\ny\nz\n"), ("ours.txt", SYSTEM))
    for path in paths:
        visit(app, path)
        assert not app.exception, path


@OF_EACH_KIND
def test_one_segment_shorter_than_the_order_stands_on_every_page(app: AppTest, paths: Sequence[str]) -> None:
    ratings = b"system,score\nours,1\nother,2\n"
    load(app, ("ref.txt", b"a cat\n"), ("ours.txt", b"a cat\n"), ("other.txt", b"cat\n"), ("human.csv", ratings))
    for path in paths:
        visit(app, path)
        assert not app.exception, path
        assert {text: offences(text) for text in sentences_of(app) if offences(text)} == {}
    visit(app, "agreement/by-system")
    assert "not ranked: ours (identical to the reference ref)" in said(app)


def test_undefined_correlation_is_said_and_never_0(app: AppTest) -> None:
    ratings = b"system,score\nours,3\nother,3\nthird,3\n"
    third = OTHER.replace(b"cat", b"dog")
    load(
        app,
        ("ref.txt", REFERENCE),
        ("ours.txt", SYSTEM),
        ("other.txt", OTHER),
        ("third.txt", third),
        ("h.csv", ratings),
    )
    visit(app, "agreement/by-system")
    assert "all systems have the same mean rating" in said(app)
    assert app.dataframe[0].value["value"].isna().tolist()[:3] == [True] * 3


def test_pages_without_what_they_need_say_what_to_do(app: AppTest) -> None:
    load(app, ("ours.txt", SYSTEM))
    visit(app, "ranking/scores")
    assert "No reference translation is loaded" in said(app)
    visit(app, "agreement/by-system")
    assert "No reference translation is loaded" in said(app)
    load(app, ("ref.txt", REFERENCE))
    visit(app, "agreement/by-system")
    assert "No human judgments are loaded" in said(app)
    visit(app, "data")
    app.button(key="remove-all").click().run()
    app.button(key="remove-all-confirmed").click().run()
    assert "The sample data are shown." in said(app)


def test_files_can_be_renamed_given_another_role_flagged_and_removed(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), ("second.txt", OTHER))
    select_file(app, 1)
    next(box for box in app.text_input if box.label == "Name").set_value("New name").run()
    assert app.dataframe[0].value["names"].tolist() == ["ref", "New name", "second"]
    next(box for box in app.toggle if box.label == "Human translator").set_value(True).run()
    select_file(app, 2)
    next(box for box in app.selectbox if box.label == "Type").set_value("reference").run()
    assert app.dataframe[0].value["type"].tolist() == ["reference", "system", "reference"]
    visit(app, "ranking/scores")
    assert app.dataframe[0].value["system"].tolist() == ["New name"]
    assert "nrefs:2" in app.code[0].value
    visit(app, "data")
    select_file(app, 1)
    app.button(key="remove-file").click().run()
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "second.txt"]


def test_judgments_that_count_from_0_can_be_said_to(app: AppTest) -> None:
    ratings = b"segment,system,score\n0,ours,4\n2,ours,2\n"
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), ("h.csv", ratings))
    assert "segment 0 found, 1 or more expected" in said(app)
    select_file(app, 2)
    next(box for box in app.selectbox if box.label == "First segment").set_value(0).run()
    assert not app.error
    assert app.dataframe[0].value["ratings"].tolist()[-1] == 2


def test_files_named_on_the_command_line_are_open_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.txt").write_bytes(SYSTEM)
    (tmp_path / "truth.txt").write_bytes(REFERENCE)
    monkeypatch.setattr("sys.argv", ["app.py", "--ref", str(tmp_path / "truth.txt"), str(tmp_path / "mine.txt")])
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert "mine scores" in said(app)
    assert "sample data" not in said(app).lower()


def test_a_link_made_with_other_data_shows_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["app.py"])
    app = AppTest.from_file(str(APP), default_timeout=60)
    app.query_params["data"] = "0123456789abcdef"
    app.query_params["files"] = "ref.txt, theirs.txt"
    app.run()
    assert "The data of this address are not loaded (ref.txt, theirs.txt)" in said(app)
    assert "scores significantly higher" not in said(app)
    assert "These are **sample data**" not in said(app)
    app.button(key="dismiss-link").click().run()
    assert "scores significantly higher" in said(app)


@OF_EACH_KIND
def test_hostile_names_do_not_become_markup(app: AppTest, paths: Sequence[str]) -> None:
    name = "**b** $x^2$ [l](javascript:alert(1)) :red[r] <i>"
    load(app, ("ref.txt", REFERENCE), (f"{name}.txt", SYSTEM), ("other.txt", OTHER))
    for path in paths:
        visit(app, path)
        assert not app.exception
        raw = "\n".join(str(block.value) for block in (*app.markdown, *app.caption, *app.warning, *app.error))
        assert "**b**" not in raw
        assert "](javascript" not in raw
        assert ":red[" not in raw


# --- what fails for a reason that nobody expected ----------------------------------------------------------------


def failing(*_: object, **__: object) -> None:
    raise KeyError("/srv/secret/path")


def test_a_page_that_fails_says_so_in_a_sentence_and_all_else_works(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr("dashboard.views.ranking.scores.view_or_stop", failing)
        visit(app, "ranking/scores")
        assert len(app.error) == 1
        sentence = (
            "This page cannot be shown because of an unexpected error (KeyError). Check the files on the Data page"
        )
        assert sentence in said(app)
        assert not app.exception
        assert "secret" not in said(app)
        assert app.selectbox(key="tokenizer").value == "13a"
    assert [str(record.exc_info[1]) for record in caplog.records if record.exc_info] == ["'/srv/secret/path'"]
    caplog.clear()
    visit(app, "data")
    assert not app.error
    visit(app, "ranking/scores")
    assert len(app.dataframe[0].value) == 5


@pytest.mark.parametrize(
    ("place", "part"),
    [
        ("dashboard.analysis.signature_in_use", "The sidebar"),
        ("dashboard.views.data.page.file_table", "The list of files"),
        ("dashboard.views.data.page.formats_for", "The form to edit this file"),
    ],
)
def test_the_data_page_opens_and_removes_files_whatever_fails(
    app: AppTest, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, place: str, part: str
) -> None:
    ratings = b"segment,system,judge,score\n1,ours,x,3\n1,ours,y,3\n"
    upload(app, ("h.csv", ratings), ("ref.txt", REFERENCE), ("ours.txt", SYSTEM))
    monkeypatch.setattr(place, failing)
    visit(app, "data")
    select_file(app, 0)
    assert f"{part} cannot be shown because of an unexpected error (KeyError)" in said(app)
    assert not app.exception
    assert caplog.records
    app.button(key="remove-file").click().run()
    assert [file.name for file in app.session_state["held"].files] == ["ref.txt", "ours.txt"]
    app.button(key="remove-all").click().run()
    app.button(key="remove-all-confirmed").click().run()
    assert not app.session_state["held"].files
    caplog.clear()


@OF_EACH_KIND
def test_a_table_with_two_columns_of_documents_is_used_on_every_page_and_can_be_removed(
    app: AppTest, paths: Sequence[str]
) -> None:
    load(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM))
    upload(app, ("x.tsv", b"doc\tdoc_id\ttext\na\tb\tc d\na\tc\tc d\na\td\tc d\n"))
    assert "not used: doc_id (the documents are in doc)" in said(select_file(app, 2))
    for path in paths:
        visit(app, path)
        assert not app.exception
    visit(app, "data")
    select_file(app, 2)
    app.button(key="remove-file").click().run()
    assert "not used" not in said(app)
    visit(app, "ranking/scores")
    assert app.dataframe[0].value["system"].tolist() == ["ours"]


def test_a_session_takes_no_more_files_than_there_may_be_systems_and_references(app: AppTest) -> None:
    app.session_state["limits"] = Limits(systems=2, references=1)
    upload(app, ("ref.txt", REFERENCE), *((f"{name}.txt", SYSTEM) for name in "abcd"))
    assert "c.txt: this file and those after it were not loaded. A test set may have at most 3 files" in said(app)
    assert app.dataframe[0].value["file"].tolist() == ["ref.txt", "a.txt", "b.txt"]
    upload(app, ("a.txt", OTHER))  # in place of another one
    app.button(key="same-name-0-replace_by_waiting").click().run()
    assert app.session_state["held"].files[1].data == OTHER


def test_of_many_messages_after_an_upload_the_first_are_shown_and_the_others_counted(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE))
    upload(app, *[("ref.txt", REFERENCE)] * 60)
    assert len(app.info) == 51
    assert "10 more messages like these" in said(app)


@OF_EACH_KIND
def test_an_address_of_other_data_stays_on_every_page(opened: Opener, paths: Sequence[str]) -> None:
    address = {"data": "0123456789abcdef", "files": "theirs.txt", "tokenizer": "char"}
    app = opened("", **address)
    for path in paths:
        app.query_params.clear()  # as Streamlit's page does on a switch of pages
        visit(app, path)
        assert app.query_params == address
        assert "theirs.txt" in said(app)
        assert not app.dataframe
        assert "BLEU" not in said(app).replace(f"**{NAME}**", "")


# --- significance -----------------------------------------------------------------------------------------------

SOME = b"".join(line + b" and more of it\n" for line in REFERENCE.splitlines()) * 4
DIFFERENT = SOME.replace(b"more", b"most")  # else the reference is too close to the systems to compare them
OURS = DIFFERENT.replace(b"mat", b"rug", 2).replace(b"night", b"noon", 1)
THEIRS = DIFFERENT.replace(b"the", b"a").replace(b"sunny", b"fine", 2)


@functools.cache
def sample_evaluation() -> tuple[Corpus, BleuEvaluation]:
    systems = {path.stem: tuple(lines(path)) for path in sample_data.systems()}
    corpus = Corpus(systems, {path.stem: tuple(lines(path)) for path in sample_data.references()})
    return corpus, evaluate(corpus)


def expected_pairs(test: Test = "bootstrap", baseline: str | None = None, **options: Any) -> Comparisons:
    """The sample's systems compared: each two, the better one first, or all with a baseline."""
    _, evaluation = sample_evaluation()
    names, scores = evaluation.systems, evaluation.scores.score
    order = sorted(range(len(names)), key=lambda k: -scores[k])
    pairs = list(combinations(order, 2))
    if baseline is not None:  # with the draws of all pairs
        every = compare(evaluation.statistics, pairs, test=test, **options)
        options |= {"resamples": every.resamples, "trials": every.trials or None}
        pairs = [(k, names.index(baseline)) for k in range(len(names)) if names[k] != baseline]
    return compare(evaluation.statistics, pairs, test=test, **options)


def assert_shows(app: AppTest, wanted: Comparisons) -> None:
    """Whether the table of pairs has the numbers, and the sentences to quote are of the same comparisons."""
    corpus, evaluation = sample_evaluation()
    table = app.dataframe[0].value
    assert table["system"].tolist() == [pair.system for pair in wanted.pairs]
    assert table["baseline"].tolist() == [pair.baseline for pair in wanted.pairs]
    assert table["delta"].tolist() == pytest.approx([pair.delta for pair in wanted.pairs])
    assert table["low"].tolist() == pytest.approx([pair.interval.low for pair in wanted.pairs])
    assert table["high"].tolist() == pytest.approx([pair.interval.high for pair in wanted.pairs])
    assert table["p_value"].tolist() == pytest.approx([pair.p_value for pair in wanted.pairs])
    assert table["p_value_adjusted"].tolist() == pytest.approx([pair.p_value_adjusted for pair in wanted.pairs])
    bleu = score_metric(corpus, evaluation, "bleu")
    quoted = [words(wanted, bleu, evaluation) for words in (methods, caption)]
    assert [block.value for block in app.main.code] == quoted
    assert not app.exception


@pytest.fixture
def significance(app: AppTest) -> AppTest:
    """The Significance page on the sample data."""
    return visit(app, "ranking/pairs")


def choose(app: AppTest, **chosen: str) -> AppTest:
    for key, option in chosen.items():
        app.selectbox(key=key).set_value(option)
    return app.run()


def test_significance_answers_first_and_compares_the_two_best(significance: AppTest) -> None:
    pair = expected_pairs().pairs[0]
    shown = [block.value.replace("\\", "") for block in significance.markdown]
    first, detail = shown[next(n for n, text in enumerate(shown) if text.startswith("## ")) :][:2]
    assert first.startswith("## H2 scores significantly higher than all others (")
    assert detail.startswith(f"The difference to the next, H1, is {pair.delta:.2f} BLEU (95% interval ")
    assert re.search(r"\d tiers; H2 is in the first", said(significance))
    assert (pair.system, pair.baseline) == ("H2", "H1")
    assert not significance.warning
    wanted = f"The difference is {pair.delta:.2f} BLEU (95% interval {pair.interval.low:.2f} to "
    shown = said(visit(significance, "two-systems/difference"))
    assert "H2 scores significantly higher than H1 (" in shown
    assert wanted in shown


#: The others are compared under other settings, below.
@pytest.mark.parametrize("test", ["sacrebleu-bootstrap", *nightly(t for t in TESTS if t != "sacrebleu-bootstrap")])
def test_the_pairs_are_those_of_the_library(significance: AppTest, test: Test) -> None:
    choose(significance, test=TEST_NAMES[test])
    assert_shows(significance, expected_pairs(test))
    assert ("centres the absolute differences" in said(significance)) is (test == "sacrebleu-bootstrap")


def test_what_is_chosen_is_followed(significance: AppTest) -> None:
    choose(significance, correction="Benjamini-Hochberg", level="0.01", compare_with="S2")
    options: dict[str, Any] = {"correction": "benjamini-hochberg", "alpha": 0.01}
    assert_shows(significance, expected_pairs(baseline="S2", **options))
    assert "2 of the 4 others score significantly higher than S2; 1 scores significantly lower." in said(significance)
    choose(significance, correction="none")
    assert "not corrected for their number" in said(significance)


def test_documents_can_be_drawn(significance: AppTest) -> None:
    choose(significance, units="documents", test="paired t")
    groups = document_blocks(lines(sample_data.DOCUMENTS))
    assert_shows(significance, expected_pairs("t", groups=groups))
    assert "40 documents" in said(significance)
    choose(significance, test="paired bootstrap")
    assert_shows(significance, expected_pairs(groups=groups))


def test_draws_seed_and_blocks_are_followed(significance: AppTest) -> None:
    significance.number_input(key="draws").set_value(300)
    significance.number_input(key="seed").set_value(7).run()
    assert_shows(significance, expected_pairs(resamples=300, seed=7))
    assert not significance.warning
    choose(significance, test=TEST_NAMES["sacrebleu-bootstrap"])
    assert "300 draws found, at least 400 recommended" in significance.warning[0].value.replace("\\", "")
    choose(significance, test="approximate randomisation")
    assert_shows(significance, expected_pairs("randomization", trials=300, seed=7))
    significance.number_input(key="t_blocks").set_value(12)
    choose(significance, test="paired t")
    assert_shows(significance, expected_pairs("t", groups=equal_blocks(500, 12)))


@pytest.mark.parametrize("test", ["bootstrap", *nightly(["t"])])
def test_a_pair_is_told_by_the_test_that_was_chosen_even_without_the_baseline(
    significance: AppTest, test: Test
) -> None:
    significance.number_input(key="draws").set_value(1000)
    choose(significance, compare_with="S1", test=TEST_NAMES[test])
    choose(visit(significance, "two-systems/difference"), pair_system="S3", pair_baseline="S2")
    pair = expected_pairs(test, resamples=1000).between("S3", "S2")
    assert pair is not None
    bounds = f"(95% interval {pair.interval.low:.2f} to {pair.interval.high:.2f}; p"
    assert "S3 scores significantly higher than S2 (" in said(significance)
    assert f"The difference is 1.80 BLEU {bounds}" in said(significance)
    table = significance.dataframe[0].value
    assert table["test"].tolist() == [TEST_NAMES[t] for t in ("bootstrap", "randomization", "t")]


def test_a_pair_can_be_turned_round_and_has_to_be_two(app: AppTest) -> None:
    choose(visit(app, "two-systems/difference"), pair_system="S2", pair_baseline="S3")
    forwards = expected_pairs().between("S2", "S3")
    assert forwards is not None
    table = app.dataframe[0].value
    assert table["delta"].tolist()[:2] == pytest.approx([forwards.delta] * 2)
    assert forwards.delta < 0
    assert "S3 scores significantly higher than S2 (" in said(app)
    choose(app, pair_baseline="S2")
    assert "Choose two different systems." in said(app)
    assert not app.dataframe
    assert not app.exception


def test_a_baseline_that_is_left_out_is_none(significance: AppTest) -> None:
    choose(significance, compare_with="S1")
    choose(visit(significance, "two-systems/difference"), pair_system="S1")
    untick(significance, "systems", "S1")
    assert significance.selectbox(key="pair_system").value == "H2"
    visit(significance, "ranking/pairs")
    assert significance.selectbox(key="compare_with").value == "each other"
    assert not significance.exception
    assert "S1" not in {*significance.dataframe[0].value["system"], *significance.dataframe[0].value["baseline"]}
    untick(significance, "systems", "S1", "S2", "S3", "H1")
    assert "1 of 5 systems are selected, at least 2 needed" in said(significance)


@pytest.mark.parametrize("label", ["chrF2", "TER", *nightly(["BLEU", "chrF2++"])])
def test_every_metric_is_sacrebleus(app: AppTest, label: str) -> None:
    load(app, ("ref.txt", SOME), ("ours.txt", OURS), ("theirs.txt", THEIRS))
    choose(visit(app, "ranking/pairs"), metric=label)
    scorer: Any = {"BLEU": BLEU, "chrF2": CHRF, "chrF2++": lambda: CHRF(word_order=2), "TER": TER}[label]()
    ours, theirs, truth = (data.decode().split("\n")[:-1] for data in (OURS, THEIRS, SOME))
    delta = scorer.corpus_score(ours, [truth]).score - scorer.corpus_score(theirs, [truth]).score
    table = app.dataframe[0].value
    assert (table["system"][0], table["baseline"][0]) == ("ours", "theirs")  # the better one first
    assert table["delta"][0] == pytest.approx(delta)
    assert (delta < 0) is (label == "TER")
    assert table["verdict"][0] == "better"
    assert str(scorer.get_signature()) in app.code[0].value
    visit(app, "two-systems/difference")
    better = "significantly lower than that of theirs" if label == "TER" else "significantly higher than theirs"
    assert better in said(app)
    assert f"The difference is {abs(delta):.2f} {label} (" in said(app)


def test_without_documents_there_is_no_choice_of_units(app: AppTest) -> None:
    load(app, ("ref.txt", SOME), ("ours.txt", OURS), ("theirs.txt", THEIRS))
    visit(app, "ranking/pairs")
    assert "units" not in {box.key for box in app.selectbox}
    assert app.number_input(key="t_blocks").value == 12  # there are no more segments


def test_one_system_has_nothing_to_be_compared_with(app: AppTest) -> None:
    load(app, ("ref.txt", SOME), ("ours.txt", OURS))
    assert "1 system output loaded, at least 2 needed" in said(visit(app, "ranking/pairs"))
    load(app, ("copy.txt", SOME))
    assert "Only one system" in said(visit(app, "ranking/pairs"))
    assert "which are not ranked: copy (identical to the reference ref)" in said(app)
    assert not app.exception


def test_a_system_that_equals_a_reference_in_use_is_not_compared(app: AppTest) -> None:
    load(app, ("ref.txt", SOME), ("ours.txt", OURS), ("theirs.txt", THEIRS), ("copy.txt", SOME))
    visit(app, "ranking/pairs")
    assert app.dataframe[0].value["system"].tolist() == ["ours"]
    assert "which are not ranked: copy (identical to the reference ref)" in said(app)
    assert app.selectbox(key="compare_with").options == ["each other", "ours", "theirs"]


def test_systems_of_the_same_text_are_not_told_apart(app: AppTest) -> None:
    load(app, ("ref.txt", SOME), ("ours.txt", OURS), ("twin.txt", OURS))
    for test in TESTS:
        choose(visit(app, "ranking/pairs"), test=TEST_NAMES[test])
        assert not app.exception
        assert not re.search(r"(ours|theirs|twin) (is|scores) significantly", said(app))
        if test != "sacrebleu-bootstrap":  # which gives the smallest p there is
            verdict = "not tested" if test == "t" else "not significant"  # without variance, t has no p
            assert app.dataframe[0].value["verdict"].tolist() == [verdict]
    visit(app, "two-systems/how-much-text")
    assert "score the same on every segment" in said(app)


@pytest.mark.parametrize("segments", [1, *nightly([2, 5])])
def test_few_segments_stand_and_claim_nothing(app: AppTest, segments: int) -> None:
    first = [b"".join(data.splitlines(keepends=True)[:segments]) for data in (SOME, OURS, THEIRS)]
    load(app, ("ref.txt", first[0]), ("ours.txt", first[1]), ("theirs.txt", first[2]))
    for test in TESTS:
        choose(visit(app, "ranking/pairs"), test=TEST_NAMES[test])
        assert not app.exception
        assert len(app.main.code) == 2
    if segments == 1:
        assert not re.search(r"(ours|theirs|twin) (is|scores) significantly", said(app))
        assert "differ nowhere" not in said(app)
    choose(app, test="paired bootstrap")
    assert "at least 6 expected" in said(app)
    visit(app, "two-systems/difference")
    assert not app.exception
    visit(app, "")
    assert not app.exception
    assert not re.search(r"(ours|theirs) (is|scores) significantly", said(app))


def test_the_overview_says_what_the_test_of_the_two_best_finds(app: AppTest) -> None:
    pair = expected_pairs().between("H2", "H1")
    assert pair is not None
    bounds = f"(95% interval {pair.interval.low:.2f} to {pair.interval.high:.2f}; p"
    assert f"The difference to the next, H1, is {pair.delta:.2f} BLEU {bounds}" in said(app)


def test_the_intervals_can_be_taken_away_everywhere(app: AppTest) -> None:
    def bars() -> set[str]:
        """The keys of error bars drawn on the page."""
        specs = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]  # pyright: ignore[reportAttributeAccessIssue]
        traces = [trace for spec in specs for trace in spec["data"]]
        bars = [(k, t.get(k) or {}) for t in traces for k in ("error_x", "error_y")]
        return {k for k, bar in bars if "array" in bar and bar.get("visible", True)}

    drawn = {
        "": {"error_x", "error_y"},
        "scores": {"error_x"},
        "precision": {"error_y"},
        "significance": {"error_x"},
        "system-agreement": {"error_x"},
    }
    for shown in (True, False):
        columns = {"bleu_low", "bleu_high"} if shown else set[str]()
        if not shown:
            app.toggle(key="intervals").set_value(False).run()
        for page, of_page in drawn.items():
            visit(app, page)
            assert bars() == (of_page if shown else set()), page
            if page == "scores":
                assert {"bleu_low", "bleu_high"} & set(app.dataframe[0].value) == columns
        assert {"bleu_low", "bleu_high"} & set(visit(app, "blocks").dataframe[0].value) == columns
    assert not app.exception


#: What Streamlit's Markdown would turn into something else.
HOSTILE = (
    "**MB** _it_ `co` ``d``",
    "[L](javascript:alert(3))",
    "![i](http://127.0.0.1:9/x.png)zz".replace("/", ""),
    "cost $5 and $10 or $x^2$ $$y$$",
    ":material#upload: :rocket: :streamlit:",
    ":red[RED] :blue-badge[BB] :small[s]",
    "<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp; x",
    "# H1 line",
    "~~str~~ a<-b -> c -- d >= ~= <->",
    "each other",
    "=1+1 %{x} {y}",
    "a\u202eb\u202c",
)


@pytest.mark.parametrize("names", [HOSTILE[::3], *nightly([[name for name in HOSTILE if name not in HOSTILE[::3]]])])
def test_hostile_names_are_shown_as_they_are_on_the_significance_page(app: AppTest, names: Sequence[str]) -> None:
    words = SOME.decode().split()
    systems = [
        (f"{name}.txt", DIFFERENT.replace(words[k].encode(), b"x", k + 1).replace(b"most", b"less", k))
        for k, name in enumerate(HOSTILE)
    ]
    load(app, ("ref.txt", SOME), *systems)
    visit(with_parameters(app, draws="50"), "ranking/pairs")
    assert set(app.dataframe[0].value["system"]) | set(app.dataframe[0].value["baseline"]) == set(HOSTILE)
    for name in names:
        choose(app, compare_with=name)
        assert not app.exception
        raw = "\n".join(str(block.value) for block in (*app.markdown, *app.caption, *app.warning, *app.info))
        for markup in ("**MB**", "](javascript", "![i]", "$x^2$", ":rocket:", ":red[", "~~str"):
            assert markup not in raw
        if name not in ("each other", "a\u202eb\u202c"):
            assert re.search(rf"(significantly from|higher than) {re.escape(name)}", said(app))


def test_a_system_called_like_the_first_choice_can_be_the_baseline(app: AppTest) -> None:
    load(app, ("ref.txt", SOME), ("each other.txt", OURS), ("theirs.txt", THEIRS), ("third.txt", OTHER * 4))
    visit(app, "ranking/pairs")
    options = app.selectbox(key="compare_with").options
    assert len(set(options)) == len(options) == 4
