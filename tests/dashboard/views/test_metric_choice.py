"""One choice of the metric for the Overview, Scores, Blocks, Significance and Two systems."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jiwer
import pytest
from conftest import Opener
from nightly import nightly
from pages import load, said, visit
from plugins.installed import installed, shared_words_installed
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from streamlit.testing.v1 import AppTest

from bleu_core.scoring import all_metrics

LABELS = ["BLEU", "chrF2", "chrF2++", "TER", "WER"]
BUILT_IN = [metric.label for metric in all_metrics().values()]
LOWER = ("TER", "WER")
PAGES = ("", "ranking/scores", "blocks", "ranking/pairs", "two-systems/difference")

REFERENCE = b"the cat sat on the mat today\nit was a sunny day in the park\nwe all went home at night and slept\n" * 8
DIFFERENT = REFERENCE.replace(b"day", b"morning").replace(b"all", b"both")  # else the reference is too close to them
TEXTS = {
    "best": DIFFERENT.replace(b"mat", b"rug", 2),
    "fair": DIFFERENT.replace(b"the", b"a").replace(b"sunny", b"fine", 2),
    "poor": DIFFERENT.replace(b"the ", b"").replace(b"night", b"noon").replace(b"was", b"is"),
}


def segments(text: bytes) -> list[str]:
    return text.decode().split("\n")[:-1]


def scored(label: str, text: bytes) -> float:
    """What sacreBLEU or jiwer finds."""
    if label == "WER":
        return 100 * jiwer.wer(segments(REFERENCE), segments(text))
    scorers: dict[str, Callable[[], Any]] = {
        "BLEU": BLEU,
        "chrF2": CHRF,
        "chrF2++": lambda: CHRF(word_order=2),
        "TER": TER,
    }
    return scorers[label]().corpus_score(segments(text), [segments(REFERENCE)]).score


def choose(app: AppTest, label: str) -> AppTest:
    return app.selectbox(key="metric").set_value(label).run()


def axes(app: AppTest) -> list[str]:
    """The titles of all axes of a page's figures."""
    figures = [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]
    titles = [figure["layout"][axis].get("title", {}) for figure in figures for axis in ("xaxis", "yaxis")]
    return [title["text"] for title in titles if "text" in title]


@pytest.fixture
def loaded(app: AppTest) -> AppTest:
    """Three systems, and ratings of them."""
    ratings = "system,score\nbest,9\nfair,5\npoor,2\n"
    files = [(f"{name}.txt", text) for name, text in TEXTS.items()]
    return load(app, ("ref.txt", REFERENCE), *files, ("human.csv", ratings.encode()))


@pytest.mark.parametrize("label", ["BLEU", "TER", "WER", *nightly(["chrF2", "chrF2++"])])
def test_scores_are_those_of_other_programs_best_first(loaded: AppTest, label: str) -> None:
    choose(visit(loaded, "ranking/scores"), label)
    table = loaded.dataframe[0].value
    column = "bleu" if label == "BLEU" else "score"
    wanted = {name: scored(label, text) for name, text in TEXTS.items()}
    assert table["system"].tolist() == ["best", "fair", "poor"]
    assert table[column].tolist() == pytest.approx(list(wanted.values()))
    assert table[column].tolist() == sorted(table[column], reverse=label not in LOWER)
    low, high = ("bleu_low", "bleu_high") if label == "BLEU" else ("score_low", "score_high")
    assert (table[low] < table[column]).all()
    assert (table[column] < table[high]).all()
    best = f"{wanted['best']:.2f}"
    lower = f"best has the lowest {label} ({best}; lower is better), significantly lower than those of all others."
    higher = f"best scores significantly higher than all others ({best} {label})."
    assert (lower if label in LOWER else higher) in said(loaded)
    assert axes(loaded) == [f"{label} (points)"]
    assert not loaded.exception


@pytest.mark.parametrize("label", ["chrF2", "TER"])
def test_the_signature_is_sacrebleus(loaded: AppTest, label: str) -> None:
    choose(visit(loaded, "ranking/scores"), label)
    scorer: Any = {"chrF2": CHRF, "TER": TER}[label]()
    scorer.corpus_score(segments(TEXTS["best"]), [segments(REFERENCE)])
    assert loaded.code[0].value == scorer.get_signature().format(short=False)


@pytest.mark.parametrize("label", ["chrF2", "TER", *nightly(["BLEU", "chrF2++", "WER"])])
def test_blocks_run_from_the_worst_system_to_the_best(loaded: AppTest, label: str) -> None:
    choose(visit(loaded, "blocks"), label)
    loaded.number_input(key="blocks_number").set_value(4).run()
    table = loaded.dataframe[0].value
    assert table["system"].tolist() == ["poor", "fair", "best"]
    assert table["baseline"].tolist() == ["", "poor", "fair"]
    worse, sign = ("higher", -1) if label in LOWER else ("lower", 1)
    assert (sign * table["mean_difference"].iloc[1:] > 0).all()
    assert ("zero_blocks" in table) is (label == "BLEU")
    assert f"Over 4 blocks, best has a mean score of {table['mean'].iloc[-1]:.2f} {label}" in said(loaded)
    assert f"Each system compared with the next {worse} one" in said(loaded)
    assert "a t above 3.18 or below −3.18 is significant at the 5% level (two-sided" in said(loaded)
    first = "highest" if label in LOWER else "lowest"
    assert axes(loaded) == [f"system, {first} {label} first", f"{label} of a block (points)"] * 2
    assert not loaded.exception


@pytest.mark.parametrize("label", ["chrF2", "TER", *nightly(["BLEU", "chrF2++", "WER"])])
def test_the_overview_answers_by_the_metric(loaded: AppTest, label: str) -> None:
    choose(visit(loaded, ""), label)
    shown = said(loaded)
    best = f"{scored(label, TEXTS['best']):.2f}"
    lower = f"best has the lowest {label} ({best}; lower is better), significantly lower than those of all others."
    higher = f"best scores significantly higher than all others ({best} {label})."
    assert (lower if label in LOWER else higher) in shown
    ahead = abs(scored(label, TEXTS["best"]) - scored(label, TEXTS["fair"]))
    assert f"The difference to the next, fair, is {ahead:.2f} {label} (" in shown
    assert f"{label} and the judges order 3 of 3 pairs of systems the same way" in shown
    beside = f"{label} (points, lower is better)" if label in LOWER else f"{label} (points)"
    assert beside in axes(loaded)
    assert f"{label} of a block (points)" in axes(loaded)
    assert (f"Lower {label} is better; its sign is flipped" in shown) is (label in LOWER)
    assert not loaded.exception


def test_the_choice_is_one_on_all_pages_and_in_the_address(loaded: AppTest) -> None:
    choose(visit(loaded, "ranking/scores"), "WER")
    for path in PAGES:
        visit(loaded, path)
        assert loaded.selectbox(key="metric").value == "WER"
        assert loaded.query_params["metric"] in ("WER", ["WER"])
    choose(loaded, "chrF2")
    assert visit(loaded, "blocks").selectbox(key="metric").value == "chrF2"


@pytest.mark.unknown_choices
@pytest.mark.parametrize("path", [PAGES[1], *nightly([PAGES[0], *PAGES[2:]])])
def test_an_address_opens_a_page_by_its_metric(opened: Opener, path: str) -> None:
    app = opened(path, metric="WER", without_systems=["H1", "H2"], without_references=["R2", "R3", "R4"])
    assert app.selectbox(key="metric").value == "WER"
    assert " WER" in said(app)
    assert not app.exception
    other = opened(path, metric="METEOR")
    assert other.selectbox(key="metric").value == "BLEU"
    assert not other.exception


def test_a_setting_that_a_metric_does_not_depend_on_does_not_compute_it_anew(
    loaded: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    choose(visit(loaded, "ranking/scores"), "TER")
    before = loaded.dataframe[0].value["score"].tolist()
    monkeypatch.setattr(TER, "_extract_corpus_statistics", lambda *_: pytest.fail("computed anew"))
    loaded.selectbox(key="tokenizer").set_value("char").run()
    assert loaded.dataframe[0].value["score"].tolist() == before
    assert not loaded.exception
    choose(loaded, "WER")
    by_character = loaded.dataframe[0].value["score"].tolist()
    loaded.selectbox(key="tokenizer").set_value("none").run()
    assert loaded.dataframe[0].value["score"].tolist() != by_character


def test_an_undefined_score_is_explained_on_every_page(app: AppTest) -> None:
    load(app, ("ref.txt", b"\n \n\n"), ("A.txt", b"a\nb\nc\n"), ("B.txt", b"x\n\ny\n"))
    for path in ("scores", "", "blocks", "significance"):
        choose(visit(app, path), "WER")
        assert "undefined: the references have no tokens." in said(app)
        assert not app.exception
        assert not app.error


def test_an_undefined_score_of_a_resample_or_block_is_explained(app: AppTest) -> None:
    empty = b"\n" * 11
    files = (("ref.txt", b"a b\n"), ("A.txt", b"a\n"), ("B.txt", b"x y z\n"))
    load(app, *((name, text + empty) for name, text in files))
    for path in PAGES:
        choose(visit(app, path), "WER")
        assert "WER" in said(app)
        assert not app.exception
        assert not app.error
    assert "A and B cannot be compared: a score is undefined" in said(app)
    assert "The WER of some resamples or blocks is undefined: the references have no tokens" in said(app)
    assert "The WER of some blocks is undefined: the references have no tokens" in said(visit(app, "blocks"))


def test_a_metric_that_needs_a_text_is_on_offer_where_there_is_one(
    app: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needy.py").write_text(
        "from dataclasses import replace\nfrom bleu_core.scoring import find_metric\n"
        "METRIC = replace(find_metric('wer'), key='needy', label='Needy', needs=('source',))"
    )
    with installed(tmp_path, monkeypatch, {"needy": {"needy": "needy:METRIC"}}):
        load(app, ("ref.txt", REFERENCE), ("ours.txt", TEXTS["fair"]))
        assert visit(app, "ranking/scores").selectbox(key="metric").options == BUILT_IN
        load(app, ("source.txt", REFERENCE))
        assert visit(app, "ranking/scores").selectbox(key="metric").options == [*BUILT_IN, "Needy"]


def test_a_copy_of_a_reference_comes_last_and_does_not_lead(app: AppTest) -> None:
    load(app, ("ref.txt", REFERENCE), ("copy.txt", REFERENCE), *((f"{n}.txt", t) for n, t in TEXTS.items()))
    for label in ("TER", "chrF2"):
        choose(visit(app, "ranking/scores"), label)
        assert app.dataframe[0].value["system"].tolist() == ["best", "fair", "poor", "copy"]
        assert "best scores significantly higher" in said(app) or "best has the lowest TER" in said(app)
        assert "which are not ranked: copy (identical to the reference ref)" in said(app)


def test_a_metric_of_another_package_is_on_offer(
    loaded: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shared_words_installed(tmp_path, monkeypatch):
        for path in PAGES:
            visit(loaded, path)
            assert loaded.selectbox(key="metric").options == [*BUILT_IN, "Shared words"]
            choose(loaded, "Shared words")
            assert "Shared words" in said(loaded)
            assert not loaded.exception
            assert not loaded.error
            assert any("(%)" in title or "Shared words %" in title for title in axes(loaded))
        assert "best scores significantly higher than all others (" in said(visit(loaded, "ranking/scores"))
        visit(loaded, "metrics/best-agreement")
        assert "Shared words" in loaded.multiselect(key="metrics").options


def test_a_broken_package_is_named_and_the_page_goes_on(
    loaded: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installed(tmp_path, monkeypatch, {"bad-comet": {"comet": "not_there:METRIC"}}):
        visit(loaded, "ranking/scores")
        assert loaded.selectbox(key="metric").options == BUILT_IN
        assert "metric 'comet' of package bad-comet cannot be loaded" in said(loaded)
        assert "best scores significantly higher" in said(loaded)
