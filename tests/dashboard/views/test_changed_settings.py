"""What differs from the defaults: named on every page, the same for others by a link, and set back by one button."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pandas as pd
import pytest
from conftest import Downloads, Opener
from nightly import nightly
from pages import UnopenedSession, load, said, tick, untick, unticked, visit
from places import PLACES
from streamlit.testing.v1 import AppTest

from bleu_core.project import open_workspace
from bleu_core.scoring import SETTINGS
from bleu_core.scoring.tokenizers import tokenizer
from dashboard.session.settings import INITIAL_VALUES
from dashboard.widgets.controls import MAX_TICKED
from dashboard.widgets.named_settings import LISTS, NAMES, SWITCHED

PATHS = list(PLACES)

#: Names that Markdown would turn into something else.
HOSTILE = [
    "**b** _i_ `c`",
    "[l](javascript:alert(1))",
    "cost $5 and $x^2$",
    ":material#upload: :red[r]",
    "<b>B<br>",
    "&lt;b&gt; &amp; x",
    "# H1 - 1.",
    "=1+1",
]

#: The strip's controls -> a page that has them, and parameters that change them; the first is the control's own.
CHANGES: dict[str, tuple[str, dict[str, str | list[str]]]] = {
    "tokenizer": ("ranking/scores", {"tokenizer": "char"}),
    "lowercase": ("ranking/scores", {"lowercase": "true"}),
    "max_order": ("ranking/scores", {"max_order": "3"}),
    "weights": ("ranking/scores", {"weights": "0.4 0.3 0.2 0.1"}),
    "smoothing": ("ranking/scores", {"smoothing": "floor"}),
    "smoothing_value": ("ranking/scores", {"smoothing_value": "0.2", "smoothing": "floor"}),
    "reference_length": ("ranking/scores", {"reference_length": "shortest"}),
    "ter_normalized": ("ranking/scores", {"ter_normalized": "true"}),
    "ter_no_punct": ("ranking/scores", {"ter_no_punct": "true"}),
    "ter_asian_support": ("ranking/scores", {"ter_asian_support": "true"}),
    "intervals": ("ranking/scores", {"intervals": "false"}),
    "without_systems": ("ranking/scores", {"without_systems": ["S1", "S3"]}),
    "without_references": ("ranking/scores", {"without_references": "R4"}),
    "without_groups": ("judges/agreement", {"without_groups": "bilingual"}),
    "without_judges": ("judges/agreement", {"without_judges": "M03"}),
    "zscore": ("judges/agreement", {"zscore": "true"}),
    "rank_humans": ("ranking/scores", {"rank_humans": "true"}),
    "slice": ("ranking/scores", {"slice": "length > 25"}),
    "half": ("ranking/scores", {"half": "test"}),
    "slice_planned": ("ranking/scores", {"slice_planned": "true"}),
    "score_missing": ("ranking/scores", {"score_missing": "true"}),
    "shared_segments": ("ranking/scores", {"shared_segments": "true"}),
    "metric": ("ranking/scores", {"metric": "chrF2"}),
    "adjust_judges": ("agreement/by-system", {"adjust_judges": "adjusted"}),
    "compare_with": ("ranking/pairs", {"compare_with": "S2"}),
    "test": ("ranking/pairs", {"test": "paired t"}),
    "units": ("ranking/pairs", {"units": "documents"}),
    "correction": ("ranking/pairs", {"correction": "none"}),
    "level": ("ranking/pairs", {"level": "0.01"}),
    "draws": ("ranking/pairs", {"draws": "300"}),
    "seed": ("ranking/pairs", {"seed": "7"}),
    "t_blocks": ("ranking/pairs", {"t_blocks": "10"}),
}


def strip(app: AppTest) -> str:
    """What the strip names; empty where there is none."""
    found = [line for line in said(app).split("\n") if line.startswith(":material/tune: ")]
    assert len(found) <= 1
    return found[0].removeprefix(":material/tune: ") if found else ""


def label(key: str) -> str:
    """How the strip calls a control."""
    return SETTINGS[key].label if key in SETTINGS else {**NAMES, **SWITCHED, **LISTS}[key]


def address(app: AppTest) -> dict[str, list[str]]:
    """The parameters of the address that set anything; those of the data and of the paper's page follow from these."""
    found = {key: [value] if isinstance(value, str) else list(value) for key, value in app.query_params.items()}
    others = ("data", "files", "paper_settings")
    return {key: value for key, value in found.items() if key not in others and not key.endswith("_part")}


def tables(app: AppTest) -> list[pd.DataFrame]:
    return [frame.value for frame in app.dataframe]


def assert_shows_the_same(one: AppTest, other: AppTest) -> None:
    """Whether two sessions show the same, but for the strip, which does not name controls of pages not opened yet."""
    ours, theirs = ([line for line in said(app).split("\n") if ":material/tune: " not in line] for app in (one, other))
    assert ours == theirs
    assert len(one.dataframe) == len(other.dataframe)
    for ours, theirs in zip(tables(one), tables(other), strict=True):
        pd.testing.assert_frame_equal(ours, theirs)


# --- the strip -------------------------------------------------------------------------------------------------


def test_all_that_the_strip_can_name_is_tried_below() -> None:
    assert set(CHANGES) == {*SETTINGS, *NAMES, *SWITCHED, *LISTS}


@pytest.fixture(scope="module")
def unchanged(hashes: Mapping[str, str]) -> Callable[[str], AppTest]:
    """`unchanged("ranking/scores")`: a page under the defaults, drawn once for all tests, which only look at it."""

    @cache
    def call(path: str) -> AppTest:
        return visit(UnopenedSession(hashes), path)

    return call


#: One of each kind of control, and those on which others depend.
EVERY_RUN = {
    "tokenizer",
    "weights",
    "smoothing_value",
    "without_systems",
    "without_judges",
    "rank_humans",
    "slice",
    "metric",
    "draws",
}


@pytest.mark.parametrize("key", [*sorted(EVERY_RUN), *nightly(key for key in CHANGES if key not in EVERY_RUN)])
def test_a_link_names_what_it_changes_and_one_button_sets_it_back(
    opened: Opener, unchanged: Callable[[str], AppTest], key: str
) -> None:
    path, parameters = CHANGES[key]
    app = opened(path, **parameters)
    assert not app.exception
    assert not app.error
    assert label(key) in strip(app)
    assert len(strip(app).split(" · ")) == len(parameters)
    app.button(key="reset-all").click().run()
    assert strip(app) == ""
    assert address(app) == {}
    assert_shows_the_same(app, unchanged(path))


#: What the changes need of each other if all are made at once.
TOGETHER = {"weights": "0.4 0.3 0.3", "t_blocks": "5"}

#: Controls that the sample data do not have.
OF_OTHER_DATA = {"score_missing", "shared_segments"}


def drawn(app: AppTest, key: str) -> Any:
    """A control on a page by its key, with a number after it once it was set in a popover; None if there is none."""
    boxes = [*app.selectbox, *app.toggle, *app.slider, *app.number_input, *app.text_input, *app.segmented_control]
    return next((box for box in boxes if re.fullmatch(rf"{key}(-\d+)?", box.key or "")), None)


def choose_all(app: AppTest) -> set[str]:
    """Change all that a page can change, as clicks do; gives the keys of the controls."""
    chosen: set[str] = set()
    while True:  # some controls appear with a choice of another one
        new = {key: box for key in CHANGES if key not in chosen and (box := drawn(app, key)) is not None}
        for key, box in new.items():
            text = TOGETHER.get(key, CHANGES[key][1][key])
            if box.type == "toggle":
                box.set_value(not box.value)
            else:
                box.set_value(float(str(text)) if box.type in ("number_input", "slider") else text)
        lists = {
            key for key in LISTS if key not in chosen and app.checkbox and f"{key}-0" in {b.key for b in app.checkbox}
        }
        for key in lists:
            names = CHANGES[key][1][key]
            untick(app, key.removeprefix("without_"), *([names] if isinstance(names, str) else names))
        if not new and not lists:
            return chosen
        app.run()
        assert not app.exception
        chosen |= new.keys() | lists


@pytest.mark.parametrize("path", ["ranking/pairs", *nightly(path for path in PATHS if path != "ranking/pairs")])
def test_what_one_button_sets_back_stays_so_on_all_pages_and_in_workspaces(
    app: AppTest, unchanged: Callable[[str], AppTest], downloads: Downloads, path: str
) -> None:
    visit(app, path)
    chosen = choose_all(app)
    assert chosen >= {*SETTINGS, "intervals", "slice", "half"} - {"slice_planned"}
    assert chosen - address(app).keys() <= {"seed"}
    app.button(key="reset-all").click().run()
    for place in (path, "precision", path):
        visit(app, place)
        assert strip(app) == ""
        assert not address(app).keys() & CHANGES.keys()
        defaults = unchanged(place)
        for key in chosen:
            box = drawn(app, key)
            assert box is None or box.value == drawn(defaults, key).value, key
        assert not open_workspace(downloads["save-workspace"](), "w").controls.keys() & CHANGES.keys()


@pytest.mark.slow
def test_the_strip_names_the_same_on_every_page(app: AppTest) -> None:
    untick(app, "systems", "S1")
    untick(app, "references", "R1", "R2")
    app.toggle(key="lowercase").set_value(True).run()
    app.toggle(key="intervals").set_value(False).run()
    visit(app, "ranking/pairs")
    app.selectbox(key="metric").set_value("chrF2").run()
    app.selectbox(key="level").set_value("0.01").run()
    visit(app, "judges/agreement")
    app.toggle(key="zscore").set_value(True).run()
    untick(app, "groups", "bilingual")
    named = [
        "Systems: 4 of 5",
        "References: 2 of 4",
        "Groups: 1 of 2",
        f"{SETTINGS['lowercase'].label}: on",
        f"{NAMES['metric']}: chrF2",
        f"{NAMES['level']}: 0.01",
        SWITCHED["intervals"],
        SWITCHED["zscore"],
    ]
    for path in PATHS:
        assert sorted(strip(visit(app, path)).split(" · ")) == sorted(named), path
    visit(app, "blocks")
    app.button(key="reset-all").click().run()
    for path in PATHS:
        assert strip(visit(app, path)) == "", path
    assert unticked(app, "systems") == unticked(app, "references") == []
    assert address(app) == {}


def test_controls_that_decide_nothing_on_other_pages_are_kept_by_the_button(app: AppTest) -> None:
    visit(app, "ranking/scores")
    app.segmented_control(key="order").set_value("name").run()
    assert strip(app) == ""
    app.toggle(key="lowercase").set_value(True).run()
    app.button(key="reset-all").click().run()
    assert app.segmented_control(key="order").value == "name"
    assert address(app) == {"order": ["name"]}


def test_the_scoring_can_be_reset_and_the_rest_stays(opened: Opener) -> None:
    scoring = {key: of for name in SETTINGS for key, of in CHANGES[name][1].items()} | {"max_order": "2"}
    app = opened("ranking/scores", **scoring | {"weights": "0.6 0.4", "intervals": "false", "without_systems": "S1"})
    assert not app.error
    app.button(key="reset-scoring").click().run()
    shown = [*app.sidebar.selectbox, *app.sidebar.toggle, *app.sidebar.slider, *app.sidebar.text_input]
    found = {box.key: box.value for box in shown}
    for key in SETTINGS.keys() & found.keys():
        assert found[key] == INITIAL_VALUES[key], key
    assert found["preset"] == "sacrebleu"
    assert found["intervals"] is True
    assert address(app) == {"without_systems": ["S1"]}
    assert_shows_the_same(app, opened("ranking/scores", without_systems="S1"))


# --- links -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_link_with_controls_of_several_pages_opens_them_all_the_same(app: AppTest, opened: Opener) -> None:
    untick(app, "systems", "S2")
    app.slider(key="max_order").set_value(3).run()
    visit(app, "ranking/scores")
    app.selectbox(key="metric").set_value("chrF2").run()
    app.segmented_control(key="order").set_value("name").run()
    visit(app, "precision")
    app.segmented_control(key="precision_as").set_value("bars").run()
    visit(app, "blocks")
    app.segmented_control(key="divide_into").set_value("size").run()
    app.number_input(key="blocks_size").set_value(40).run()
    visit(app, "two-systems/difference")
    app.selectbox(key="pair_system").set_value("S1").run()
    app.selectbox(key="pair_baseline").set_value("S3").run()
    app.number_input(key="draws").set_value(500).run()
    visit(app, "agreement/by-segment")
    app.selectbox(key="read_system").set_value("S1").run()
    app.number_input(key="read_segment").set_value(7).run()
    untick(app, "judges", "M03")
    visit(app, "metrics/best-agreement")
    app.multiselect(key="metrics").set_value(["BLEU-1", "chrF2"]).run()
    visit(app, "judges/human-ranking")
    app.selectbox(key="rated_pairs").set_value("all pairs").run()
    visit(app, "paper")
    app.segmented_control(key="paper_settings").set_value("sidebar").run()
    visit(app, "")
    link = address(app)
    assert {"metric", "order", "precision_as", "blocks_size", "pair_system", "read_segment", "metrics"} <= link.keys()
    somebody = app
    for path in PATHS:
        somebody = opened(path, **link)
        assert not somebody.exception
        assert address(somebody) == link, path
        assert_shows_the_same(visit(app, path), somebody)
    assert strip(visit(somebody, "")) == strip(visit(app, ""))


def test_the_address_of_one_page_keeps_what_it_says_of_pages_not_opened_yet(opened: Opener) -> None:
    app = opened("ranking/scores", level="0.01", blocks_number="12", read_segment="9", read_system="S3", zscore="true")
    visit(app, "precision")
    assert visit(app, "blocks").number_input(key="blocks_number").value == 12
    assert visit(app, "ranking/pairs").selectbox(key="level").value == "0.01"
    assert visit(app, "agreement/by-segment").number_input(key="read_segment").value == 9
    assert app.toggle(key="zscore").value is True


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        ("ranking/scores", "tokenizer", "words"),
        ("ranking/scores", "max_order", "12"),
        ("ranking/scores", "max_order", "x"),
        ("ranking/scores", "without_systems", "nobody"),
        ("metrics/best-agreement", "metrics", "METEOR"),
        *nightly(
            [
                ("ranking/scores", "lowercase", "perhaps"),
                ("ranking/scores", "smoothing_value", "-1"),
                ("two-systems/difference", "pair_system", "nobody"),
                ("ranking/scores", "metric", "METEOR"),
                ("ranking/scores", "order", "size"),
                ("blocks", "blocks_number", "501"),
                ("ranking/pairs", "level", "0.5"),
                ("ranking/pairs", "draws", "0"),
                ("judges/agreement", "zscore", "1"),
                ("", "intervals", "no"),
            ]
        ),
    ],
)
@pytest.mark.unknown_choices
def test_values_in_the_address_that_are_no_options_are_named(opened: Opener, path: str, key: str, value: str) -> None:
    app = opened(path, **{key: value})
    assert not app.exception
    assert f"{key}={value}" in said(app)
    assert strip(app) == ""
    app.toggle(key="intervals").set_value(False).run()
    assert app.query_params.get(key) not in (value, [value])  # as soon as the address is written
    assert f"{key}={value}" not in said(opened(path))


# --- a tokeniser that is not installed ---------------------------------------------------------------------------


@pytest.fixture
def without_mecab(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a tokeniser whose package is not installed."""
    monkeypatch.setitem(sys.modules, "MeCab", None)  # an import of None raises ImportError
    tokenizer.cache_clear()
    return "ja-mecab"


def test_a_tokeniser_that_is_not_installed_is_marked_in_the_list(app: AppTest, without_mecab: str) -> None:
    app.run()
    options = app.selectbox(key="tokenizer").options
    assert f"{without_mecab} (not installed)" in options
    assert {"13a", "none", "intl", "char", "zh"} <= set(options)


def test_a_tokeniser_that_is_not_installed_keeps_the_numbers_and_offers_the_way_back(
    app: AppTest, without_mecab: str
) -> None:
    visit(app, "ranking/scores")
    app.selectbox(key="tokenizer").set_value("char").run()
    signature, before, link = app.code[0].value, tables(app), address(app)
    app.selectbox(key="tokenizer").set_value(without_mecab).run()
    assert "tok:char" in signature
    for path in ("", "ranking/pairs", "ranking/scores"):
        visit(app, path)
        (problem,) = app.sidebar.error
        assert without_mecab in problem.value.replace("\\", "")
        assert "pip install" in problem.value
        assert not app.main.error
    assert app.code[0].value == signature
    for shown, earlier in zip(tables(app), before, strict=True):
        pd.testing.assert_frame_equal(shown, earlier)
    app.button(key="undo-setting").click().run()
    assert not app.error
    assert app.selectbox(key="tokenizer").value == "char"
    assert address(app) == link


def test_a_link_with_a_tokeniser_that_is_not_installed_shows_the_usual_numbers(
    opened: Opener, without_mecab: str
) -> None:
    app = opened("ranking/scores", tokenizer=without_mecab)
    assert app.sidebar.error
    for shown, usual in zip(tables(app), tables(opened("ranking/scores")), strict=True):
        pd.testing.assert_frame_equal(shown, usual)
    app.button(key="undo-setting").click().run()
    assert not app.error
    assert app.selectbox(key="tokenizer").value == "13a"


# --- lists that are ticked ---------------------------------------------------------------------------------------


def test_names_are_ticked_all_or_none_or_one_by_one(app: AppTest) -> None:
    visit(app, "ranking/scores")
    app.button(key="without_systems-none").click().run()
    assert unticked(app, "systems") == ["S1", "S2", "S3", "H1", "H2"]
    assert "0 of 5 systems are selected" in said(app)
    assert not app.dataframe
    tick(app, "systems", "S3")
    assert unticked(app, "systems") == ["S1", "S2", "H1", "H2"]
    assert app.dataframe[0].value["system"].tolist() == ["S3"]
    app.button(key="without_systems-all").click().run()
    assert unticked(app, "systems") == []
    assert len(app.dataframe[0].value) == 5
    assert address(app) == {}
    untick(app, "systems", "S1")
    tick(visit(app, "precision"), "systems", "S1")
    assert strip(app) == ""


def test_the_lists_of_judges_are_ticked_all_or_none_or_one_by_one(app: AppTest) -> None:
    visit(app, "judges/agreement")
    app.button(key="without_judges-none").click().run()
    assert len(unticked(app, "judges")) == 20
    assert not app.dataframe
    assert "no judge is selected" in said(app)
    tick(app, "judges", "M03", "B01")
    assert len(unticked(app, "judges")) == 18
    summaries: Any = next(frame.value for frame in app.dataframe if "repeats" in frame.value)
    assert sorted(summaries["judge"]) == ["B01", "M03"]
    app.button(key="without_judges-all").click().run()
    assert unticked(app, "judges") == []


def test_names_are_shown_letter_by_letter_in_the_lists_and_kept_as_they_are(app: AppTest) -> None:
    words = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
    load(app, ("ref.txt", words), *((f"{name}.txt", words.replace(b"cat", b"dog")) for name in HOSTILE))
    visit(app, "ranking/scores")
    assert len(app.dataframe[0].value) == len(HOSTILE)
    for name in HOSTILE:
        untick(app, "systems", name)  # finds the box by its escaped label
        assert unticked(app, "systems") == [name]
        assert name not in app.dataframe[0].value["system"].tolist()
        assert address(app)["without_systems"] == [name]
        assert strip(app) == f"Systems: {len(HOSTILE) - 1} of {len(HOSTILE)}"
        tick(app, "systems", name)
    assert not app.exception


def test_very_many_names_are_left_out_in_one_box(app: AppTest) -> None:
    words = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
    names = [f"S{number:02}" for number in range(MAX_TICKED + 1)]
    outputs = ((f"{name}.txt", words.replace(b"cat", f"dog {name}".encode())) for name in names)
    load(app, ("ref.txt", words), *outputs)
    visit(app, "ranking/scores")
    assert not [box for box in app.checkbox if (box.key or "").startswith("without_systems")]
    app.multiselect(key="without_systems").set_value(["S00", "S60"]).run()
    assert app.dataframe[0].value["system"].tolist() == names[1:-1]
    visit(app, "precision")
    assert strip(app) == "Systems: 59 of 61"
    app.button(key="reset-all").click().run()
    assert len(visit(app, "ranking/scores").dataframe[0].value) == 61
