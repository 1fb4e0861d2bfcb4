"""The page Counts files: its numbers are those that the texts have on other pages."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import Downloads, Opener, Runner
from nightly import nightly
from pages import load, said, select_file, upload, visit
from streamlit.testing.v1 import AppTest

import bleu_core as bc
import sample_data
from bleu_core.counts import Bundling, Counts, Texts, count_texts, encode_counts
from bleu_core.dataset import Corpus
from bleu_core.inference import Test
from bleu_core.project import SavedWorkspace, pack_workspace
from bleu_core.results.significance import TEST_NAMES
from bleu_core.scoring import Counting
from bleu_core.uploads import File

CASED = Counting("13a", lowercase=False)


@cache
def sample() -> Corpus:
    """The sample data with two references."""
    return bc.load(references=sample_data.references()[:2], systems=sample_data.systems()).corpus


@pytest.fixture
def app(opened: Opener) -> AppTest:
    """A session with the sample data."""
    return opened("data")


def counted(corpus: Corpus, *systems: str, bundling: Bundling | None = None, counting: Counting = CASED) -> Counts:
    """Counts of some of the systems."""
    texts = Texts({name: corpus.systems[name] for name in systems}, corpus.references)
    return count_texts(texts, counting=counting, bundling=bundling)


def tables(app: AppTest) -> Mapping[str, pd.DataFrame]:
    """The tables of the page, by their first column that others lack."""
    frames = [frame.value for frame in app.dataframe]
    return dict(zip(("scores", "comparisons", "blocks"), frames, strict=False))


def shown(app: AppTest, *counts: Counts, **settings: Any) -> AppTest:
    """The page, with the counts as files."""
    upload(app, *((f"{number}.counts", encode_counts(each)) for number, each in enumerate(counts)))
    for key, value in settings.items():
        app.session_state[key] = value
    return visit(app, "ranking/counts-files")


def test_without_counts_files_their_part_is_not_offered(opened: Opener) -> None:
    app = opened("ranking/counts-files")
    assert [box.options for box in app.segmented_control if box.key == "ranking_part"] == [
        ["Scores", "By metric", "Pairs of systems", "By reference"]
    ]


def test_the_numbers_are_those_of_the_texts(app: AppTest, downloads: Downloads) -> None:
    shown(app, counted(sample(), "S1", "S3", "H1"), counted(sample(), "S2"))
    assert not app.exception
    found = {key: downloads[key]() for key in ("tsv-counts-scores", "tsv-counts-comparisons", "tsv-counts-blocks")}
    references = [(f"ref.{name}.txt", _as_file(texts)) for name, texts in sample().references.items()]
    systems = [(f"{name}.txt", _as_file(sample().systems[name])) for name in ("S1", "S3", "H1", "S2")]
    load(app, *references, *systems)
    for page, key in (("ranking/scores", "scores"), ("ranking/pairs", "comparisons"), ("blocks", "blocks")):
        visit(app, page)
        assert found[f"tsv-counts-{key}"] == downloads[f"tsv-{key}"]()
    assert "500 segments, 2 references, counts per segment; tokeniser 13a, mixed case." in said(
        visit(app, "ranking/counts-files")
    )


def test_settings_of_the_sidebar_apply_but_for_those_of_counting(app: AppTest, downloads: Downloads) -> None:
    counts = counted(sample(), "S1", "S2", counting=Counting("char", lowercase=True))
    shown(app, counts, smoothing="floor", max_order=3)
    text = said(app)
    assert "Tokeniser and case are those of the counts, whatever the sidebar says." in text
    settings = bc.BleuSettings(tokenizer="char", lowercase=True, smoothing="floor", max_order=3)
    expected = bc.evaluate(sample(), settings).select(["S2", "S1"])
    table = bc.score_table(expected, bc.score_intervals(expected))
    assert downloads["tsv-counts-scores"]().decode() == bc.to_tsv(table)


def test_orders_that_were_not_counted_are_asked_for(app: AppTest) -> None:
    shown(app, counted(sample(), "S1"), max_order=5)
    assert "order 5 is needed, but n-grams were counted up to order 4" in said(app)
    assert not app.dataframe


def test_bundles_are_resampled_in_place_of_segments(app: AppTest, downloads: Downloads) -> None:
    shown(app, counted(sample(), "S1", "S2", "S3", bundling=Bundling("lines", 100)))
    text = said(app)
    assert "Segments are bundled: intervals and tests resample bundles" in text
    assert "Blocks of text" not in text
    header, *rows = (row.split("\t") for row in downloads["tsv-counts-scores"]().decode().splitlines())
    whole = bc.evaluate(sample(), bc.BleuSettings()).select(["S3", "S2", "S1"])
    assert [float(row[header.index("bleu")]) for row in rows] == whole.scores.score.tolist()
    assert len(tables(app)["comparisons"]) == 3


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "t"])
@pytest.mark.parametrize("bundling", [*nightly([None]), Bundling("lines", 100)])
def test_the_commands_give_the_numbers_of_the_page(
    test: Test, bundling: Bundling | None, app: AppTest, downloads: Downloads, called: Callable[[str], Any]
) -> None:
    counts = counted(sample(), "S1", "S2", "S3", bundling=bundling)
    shown(app, counts, counts_with="S2", draws=200, **{"section-code": True})
    app.selectbox(key="test").set_value(TEST_NAMES[test]).run()
    assert not app.exception
    Path("0.counts").write_bytes(encode_counts(counts))
    score, compare = code(app, "bash").splitlines()
    for command, key in ((score, "counts-scores"), (compare, "counts-comparisons")):
        assert ordered(called(command)) == ordered(json.loads(downloads[f"json-{key}"]()))


@pytest.mark.parametrize("bundling", [None, Bundling("lines", 100)])
def test_the_lines_of_python_give_the_scores_of_the_page(
    bundling: Bundling | None, app: AppTest, downloads: Downloads
) -> None:
    counts = counted(sample(), "S1", "S2", "S3", bundling=bundling)
    shown(app, counts, **{"section-code": True})
    Path("0.counts").write_bytes(encode_counts(counts))
    lines: dict[str, Any] = {}
    exec(code(app, "python"), lines)  # noqa: S102 # this is what people do with it
    assert bc.to_tsv(lines["table"]).encode() == downloads["tsv-counts-scores"]()


def test_a_part_and_counts_of_other_references_are_not_used(app: AppTest) -> None:
    whole = counted(sample(), "S1")
    others = count_texts(Texts({"S2": sample().systems["S2"]}, {"R1": sample().references["R1"]}), counting=CASED)
    shown(app, whole, others, whole, counted(sample(), "S2", counting=Counting("intl", lowercase=False)))
    visit(app, "data")
    assert app.dataframe[0].value["status"].tolist() == ["in use", "not used", "not used", "not used"]
    text = said(app)
    assert "1.counts: references R1 found, references R1, R2 expected (in 0.counts)" in text
    assert "2.counts: system 'S1' is in 0.counts, too; rename its file and count it again" in text
    assert "found, case:mixed|tok:13a" in text


def test_a_damaged_file_is_not_used(app: AppTest) -> None:
    data = encode_counts(counted(sample(), "S1"))
    upload(app, ("cut.counts", data[: len(data) // 2]), ("all.counts", data))
    assert "cut.counts: " in said(app)
    assert app.dataframe[0].value["status"].tolist() == ["not used", "in use"]
    visit(app, "ranking/counts-files")
    assert "S1 scores" in said(app)


def test_a_file_can_be_seen_and_removed_but_not_edited(app: AppTest) -> None:
    upload(app, ("all.counts", encode_counts(counted(sample(), "S1", "S2"))))
    select_file(app, 0)
    assert "Read as counts file · 500 segments, 2 references, counts per segment" in said(app)
    assert not app.exception
    assert not [box for box in app.selectbox if box.label == "Type"]
    app.button(key="remove-file").click().run()
    assert not app.session_state["held"].files


def test_a_system_that_is_a_reference_is_named_and_not_compared(app: AppTest) -> None:
    copied = [text or "" for text in sample().references["R1"]]
    texts = Texts({"S1": sample().systems["S1"], "copy": copied}, sample().references)
    shown(app, count_texts(texts, counting=CASED))
    text = said(app)
    assert "copy is identical to the reference R1; its score is not informative." in text
    assert "S1 scores" in text
    assert "Only one system is compared." in text


def test_names_are_no_markup(app: AppTest) -> None:
    name = "<b>x</b> *y* $z$"
    shown(app, count_texts(Texts({name: ["a b", "c d"], "s": ["a b", "c c"]}, {"r": ["a b", "c d"]}), counting=CASED))
    assert not app.exception
    assert name in said(app)


def test_pages_of_texts_lead_to_the_counts(app: AppTest) -> None:
    load(app, ("all.counts", encode_counts(counted(sample(), "S1"))))
    visit(app, "ranking/pairs")
    assert "0 system outputs loaded" in said(app)
    assert not app.exception


def test_a_workspace_keeps_counts_files(app: AppTest) -> None:
    file = File("all.counts", encode_counts(counted(sample(), "S1", "S2")), "counts")
    upload(app, ("saved.bleu.zip", pack_workspace(SavedWorkspace(files=(file,)))))
    visit(app, "ranking/counts-files")
    assert "S2 scores significantly higher than S1 (" in said(app)


def test_a_large_number_of_systems_is_drawn(app: AppTest) -> None:
    texts = Texts({f"sys{k}": sample().systems["S1"][:50] for k in range(30)}, {"r": sample().references["R1"][:50]})
    shown(app, count_texts(texts, counting=CASED))
    assert not app.exception


def _as_file(texts: Sequence[str | None]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def code(app: AppTest, language: str) -> str:
    """The code of the page."""
    return next(block.value for block in app.code if block.language == language)


def ordered(content: Any) -> Any:
    """The JSON of a command with the systems by name; the page has them by score."""
    return content | {"systems": sorted(content["systems"], key=lambda system: system["system"])}


@pytest.fixture
def called(run: Runner) -> Callable[[str], Any]:
    """Calls a command, and gives its JSON."""

    def call(command: str) -> Any:
        printed = run(*shlex.split(command)[1:], "--format", "json")
        assert printed.status == 0, printed.err
        return printed.json

    return call
