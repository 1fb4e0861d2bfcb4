"""The page Test sets: numbers as of the library on each test set, what is left out and why, the way to a test set."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import Downloads, Holder, Opener, Runner, Writer
from pages import said, visit, with_parameters, with_state
from several_sets import ERRORS, made_set, ratings, several, text_file
from streamlit.testing.v1 import AppTest

from bleu_core.collection import TestSet as Members
from bleu_core.collection import by_metric, evaluate_set, pool, score_over_sets
from bleu_core.results.table import to_tsv
from bleu_core.scoring import BleuSettings, tokenizer
from bleu_core.uploads import File, by_test_set
from dashboard.literal import literal

NAMES = ("en-de", "en-fr", "en-cs", "en-ja", "en-uk")
#: So that pages show their code.
UNFOLDED = {"section-code": True}
PARTS = ("scores", "overall", "next", "agreement", "replicates")


@pytest.fixture
def app(holding: Holder) -> AppTest:
    return holding(several(NAMES))


def evaluated(files: tuple[File, ...], expression: str = "") -> Any:
    """The scored test sets of files, without the dashboard."""
    sets = [Members(name=name, files=own) for name, own in by_test_set(files).items()]
    return [evaluate_set(each, each.read(), BleuSettings(), ["bleu"], expression=expression) for each in sets]


def table(app: AppTest, number: int = 0) -> Any:
    return app.dataframe[number].value


def code_of(app: AppTest) -> tuple[str, str]:
    """The command and the lines of Python of a page."""
    blocks = {block.language: block.value for block in app.main.code}
    return blocks.get("bash", ""), blocks["python"]


def test_one_test_set_is_told_how_to_add_others(opened: Opener) -> None:
    app = opened("")
    for part in PARTS:
        visit(app, f"test-sets/{part}")
        assert not app.exception
        assert "only one is loaded. On the Data page, create another test set" in said(app)
        assert not app.dataframe


def test_cells_are_the_scores_of_each_test_set_and_means_those_of_the_common_ones(app: AppTest) -> None:
    visit(app, "test-sets/scores")
    results = score_over_sets(by_metric(evaluated(several(NAMES)))["bleu"])
    shown = table(app)
    assert list(shown["system"]) == ["A", "B", "C"] == [row.system for row in results.systems]
    for name in NAMES:
        expected = [results.by_set_and_system[name, system].score for system in shown["system"]]
        assert list(shown[f"score_{name}"]) == pytest.approx(expected, nan_ok=True)
    assert list(shown["mean"]) == pytest.approx([row.mean for row in results.systems])
    assert list(shown["tier"]) == [1, 2, 3]
    page = said(app)
    assert "Over 4 test sets, A scores significantly higher than all others" in page
    assert "over the 4 of 5 test sets that all compared systems have" in page
    assert "No score by BLEU: C: en-uk." in page
    assert "different target languages (de, fr, cs and 1 more)" in page


def test_differences_are_marked_as_the_chosen_family_is_corrected(app: AppTest, downloads: Downloads) -> None:
    visit(app, "test-sets/scores")
    app.selectbox(key="sets_baseline").set_value("B").run()
    results = score_over_sets(by_metric(evaluated(several(NAMES)))["bleu"], baseline="B")
    shown = table(app)
    assert shown["delta_en-de"][0] == pytest.approx(results.by_set_and_system["en-de", "A"].delta)
    assert "differences of each test set by Holm's method" in said(app)
    column = json.loads(downloads["json-test-sets"]())
    app.segmented_control(key="sets_corrected").set_value("the whole table").run()
    assert "differences of the whole table by Holm's method" in said(app)
    whole = json.loads(downloads["json-test-sets"]())
    assert (column["corrected_over"], whole["corrected_over"]) == ("column", "table")
    pairs = [
        (one["p_value_adjusted"], other["p_value_adjusted"])
        for one, other in zip(column["cells"], whole["cells"], strict=True)
        if one.get("p_value") is not None
    ]
    assert len(pairs) == 9
    assert all(other >= one for one, other in pairs)
    app.segmented_control(key="sets_cells").set_value("scores").run()
    assert "score_en-de" in table(app)


def test_a_selected_cell_is_described_and_opens_its_test_set(app: AppTest) -> None:
    visit(with_parameters(app, sets_baseline="B"), "test-sets/scores")
    app.session_state["test-sets-cells"] = {"selection": {"rows": [], "columns": [], "cells": [[0, "delta_en-fr"]]}}
    app.run()
    assert "A on en-fr: " in said(app)
    assert "The difference from B is +" in said(app)
    assert "): significant." in said(app)
    app.button(key="open-picked-set").click().run()
    assert [title.value for title in app.title] == ["Overview"]
    assert app.query_params["set"] == "en-fr"


def test_each_test_set_has_a_button_and_its_name_is_no_markdown(holding: Holder) -> None:
    name = "news *2024* :red[x] $y$"
    app = holding((*made_set("en-de"), *made_set(name)))
    visit(app, "test-sets/scores")
    button = app.button(key="open-set-1")
    assert button.label == literal(name)
    button.click().run()
    assert app.query_params["set"] == name


def test_what_cannot_be_used_is_left_out_with_the_reason(holding: Holder) -> None:
    lone = text_file("A.txt", ["no reference here"] * 120, "system", "bare")
    files = (*made_set("en-de"), *made_set("en-fr"), lone)
    app = holding(files)
    visit(app, "test-sets/scores")
    assert "Left out: bare: No reference translation is loaded" in said(app)
    app.session_state["slice"] = "length >= 400"
    app.run()
    assert not app.exception
    assert "Left out: " in said(app) or "length" in said(app)


def test_a_slice_and_exclusions_apply_to_every_test_set(app: AppTest) -> None:
    with_parameters(app, slice="segment <= 60", without_systems="C")
    visit(app, "test-sets/scores")
    results = score_over_sets(by_metric(evaluated(several(NAMES), "segment <= 60"))["bleu"], systems=["A", "B"])
    assert list(table(app)["system"]) == ["A", "B"]
    assert list(table(app)["mean"]) == pytest.approx([row.mean for row in results.systems])
    assert "over all 5 test sets" in said(app)


def test_with_a_slice_that_may_follow_the_results_nothing_is_tested(app: AppTest) -> None:
    with_parameters(app, sets_baseline="B", slice='score "A" > 50')
    visit(app, "test-sets/scores")
    assert "tier" not in table(app)
    assert "significant" not in said(app).replace("significantly different", "")
    assert "†" not in said(app)
    assert "Nothing is tested" in said(app)
    visit(app, "test-sets/overall")
    assert "tier" not in table(app)


def test_an_exclusion_in_a_test_set_that_lacks_another_system_keeps_both(app: AppTest) -> None:
    with_parameters(app, without_systems="C")
    app.selectbox(key="shown_set").select("en-uk").run()  # which lacks C
    visit(app, "test-sets/scores")
    assert list(table(app)["system"]) == ["A", "B"]


def test_overall_lists_tiers_and_tested_pairs(app: AppTest) -> None:
    visit(app, "test-sets/overall")
    assert "3 tiers by mean BLEU" in said(app)
    assert list(table(app)["system"]) == ["A", "B", "C"]
    assert list(table(app, 1)["verdict"]) == ["better"] * 3
    assert "All 3 pairs of systems; p is corrected for 3 pairs of 3 systems." in said(app)


def test_without_a_common_test_set_there_is_a_reason_and_no_mean(holding: Holder) -> None:
    files = (*made_set("en-de", systems={"A": 0.1}), *made_set("en-fr", systems={"B": 0.2}))
    app = holding(files)
    visit(app, "test-sets/overall")
    assert "There are no mean scores: no test set has all 2 compared systems" in said(app)
    assert not app.dataframe
    visit(app, "test-sets/next")
    assert not app.exception
    assert "The differences of A and B cannot be pooled: no test set has a difference" in said(app)


def test_without_means_the_pair_with_most_test_sets_is_pooled(holding: Holder) -> None:
    files = (*made_set("a", systems={"A": 0.25, "B": 0.35}), *made_set("b", systems={"B": 0.35, "C": 0.55}))
    app = holding((*files, *made_set("c", systems={"B": 0.35, "C": 0.55})))
    visit(app, "test-sets/next")
    assert "Pooled over 2 test sets, the difference B minus C is +" in said(app)
    visit(app, "test-sets/scores")
    assert said(app).count("no test set has all 3 compared systems") == 1


def test_the_next_test_set_is_predicted_from_four_on(app: AppTest, holding: Holder) -> None:
    visit(app, "test-sets/next")
    shown = table(app)
    pooled = pool(list(shown["delta"]), list(shown["standard_error"]))
    assert list(shown["weight"]) == pytest.approx([each.weight for each in pooled.sets])
    page = said(app)
    assert f"the difference A minus B is +{pooled.delta:.2f} BLEU" in page
    assert f"expected between +{pooled.prediction.interval.low:.2f} and +{pooled.prediction.interval.high:.2f}" in page
    assert "in at least 95% of cases" in page
    app.selectbox(key="sets_other").set_value("C").run()
    assert "A minus C" in said(app)
    few = holding(several(NAMES[:3]))
    visit(few, "test-sets/next")
    assert "There is no prediction for a new test set: only 3 test sets, at least 4 needed." in said(few)


def test_metrics_are_ranked_by_their_agreement_over_rated_sets(holding: Holder) -> None:
    files = (*several(NAMES[:3]), ratings("en-de"), ratings("en-fr"))
    app = holding(files)
    visit(app, "test-sets/agreement")
    assert not app.exception
    assert "agrees best with the judges on average over 2 test sets" in said(app)
    assert "Test set en-cs is left out: no ratings." in said(app)
    shown = table(app)
    columns = [f"{what}_accuracy_{name}" for what in ("soft_pairwise", "calibrated") for name in ("en-de", "en-fr")]
    assert list(shown["average"]) == pytest.approx(list(shown[columns].mean(axis=1)))
    app.multiselect(key="sets_metrics").set_value(["BLEU"]).run()
    assert "Choose at least two metrics." in said(app)


def test_the_code_of_the_agreement_gives_its_numbers(holding: Holder, downloads: Downloads, run: Runner) -> None:
    app = holding((*several(NAMES[:3]), ratings("en-de"), ratings("en-fr")))
    visit(with_state(app, UNFOLDED), "test-sets/agreement")
    command, python = code_of(app)
    Path("workspace.bleu.zip").write_bytes(downloads["save-workspace"]())
    names: dict[str, Any] = {}
    exec(python, names)  # noqa: S102 # as below
    assert to_tsv(names["table"]) == downloads["tsv-agreement-over-sets"]().decode()
    page = json.loads(downloads["json-agreement-over-sets"]())
    printed = run(*command.split()[1:], "--format", "json").json["agreement"]
    assert printed["metrics"] == page["metrics"]
    assert printed["pairs"] == page["pairs"]


def test_agreement_needs_ratings(app: AppTest) -> None:
    visit(app, "test-sets/agreement")
    assert "No test set has ratings." in said(app)


def test_runs_are_compared_as_groups_and_wrong_groups_explained(holding: Holder) -> None:
    systems = {"A": 0.1, **{f"base.s{n}": 0.25 for n in (1, 2, 3)}}
    app = holding(tuple(file for name in NAMES[:2] for file in made_set(name, systems=systems)))
    visit(app, "test-sets/replicates")
    assert "Enter a group" in said(app)
    app.text_area(key="replicates").set_value("base=base.s*").run()
    assert "A scores significantly higher than base, where runs and segments vary" in said(app)
    assert list(table(app, 3)["group"]) == ["A", "base"]
    assert app.query_params["replicates"] == "base=base.s*"
    app.text_area(key="replicates").set_value("base=other*").run()
    assert "no system that matches 'other*' found" in said(app)
    assert not app.exception


def test_runs_on_a_single_test_set_are_compared_as_the_command_does(
    holding: Holder, run: Runner, write: Writer
) -> None:
    systems = {"A": 0.1, **{f"base.s{n}": 0.25 for n in (1, 2, 3)}}
    files = made_set("", systems=systems)
    app = holding(tuple(files))
    visit(app, "test-sets/replicates")
    app.text_area(key="replicates").set_value("base=base.s*").run()
    assert not app.exception
    row = table(app, 0).iloc[0]
    given = {
        role: [write(file.name, file.data) for file in files if file.role == role] for role in ("system", "reference")
    }
    references = [argument for path in given["reference"] for argument in ("--ref", path)]
    groups = ("--group", "base=base.s*", "--all-pairs", "--format", "json")
    (pair,) = run("compare", *references, *given["system"], *groups).json["pairs"]
    assert (row["system"], row["baseline"]) == (pair["system"], pair["baseline"])
    assert [row["delta"], row["p_value"]] == pytest.approx([pair["delta"], pair["p_value"]])


@pytest.mark.parametrize("chosen", [{}, {"slice": "segment <= 60", "without_systems": "C", "tokenizer": "char"}])
@pytest.mark.parametrize("part", ["scores", "next"])
def test_the_code_gives_the_numbers_of_the_page(
    part: str, chosen: dict[str, Any], app: AppTest, downloads: Downloads, run: Runner
) -> None:
    visit(with_state(with_parameters(app, sets_baseline="B", **chosen), UNFOLDED), f"test-sets/{part}")
    command, python = code_of(app)
    Path("workspace.bleu.zip").write_bytes(downloads["save-workspace"]())
    names: dict[str, Any] = {}
    exec(python, names)  # noqa: S102 # this is what people do with it
    key = "test-sets" if part == "scores" else "set-differences"
    assert to_tsv(names["table"]) == downloads[f"tsv-{key}"]().decode()
    page = json.loads(downloads[f"json-{key}"]())
    printed = run(*command.split()[1:], "--format", "json") if not chosen else None
    if printed is not None:
        assert printed.json["cells"] == page["cells"]
        assert printed.json["pairs"] == page["pairs"]
        assert printed.json["next_sets"] == page["next_sets"]


def test_latex_has_bold_best_scores_and_daggers_that_are_explained(app: AppTest, downloads: Downloads) -> None:
    visit(with_parameters(app, sets_baseline="B"), "test-sets/scores")
    latex = downloads["tex-test-sets"]().decode()
    assert "\\toprule" in latex
    assert "\\textbf{" in latex
    assert "†" in latex
    assert "significantly different from B" in latex
    assert set(ERRORS) <= set(latex.replace("&", " ").split())


CHINESE = ("今天天气很好，我们去公园散步。", "他昨天买了一本新书。", "会议将于明天上午举行。")
JAPANESE = ("今日は天気がとても良いです。", "彼は昨日新しい本を買いました。", "会議は明日の午前に行われます。")


def translated(name: str, lines: tuple[str, ...]) -> tuple[File, ...]:
    """The reference and three outputs of a test set in another script."""
    first, second, third = lines
    texts = {"ref.txt": lines, "A.txt": (first, second, first), "B.txt": (first, third, second), "C.txt": (third,) * 3}
    return tuple(
        File(file, "\n".join(text).encode(), "reference" if file == "ref.txt" else "system", test_set=name)
        for file, text in texts.items()
    )


def tokenizers_in_use(downloads: Downloads) -> dict[str, str]:
    report = json.loads(downloads["json-test-sets"]())
    return {each["name"]: each["settings"]["tokenizer"] for each in report["sets"]}


def test_each_test_set_is_tokenised_by_its_target_language_unless_a_tokeniser_is_chosen(
    holding: Holder, downloads: Downloads
) -> None:
    files = (*translated("en-zh", CHINESE), *made_set("en-de"), *translated("unknown", CHINESE))
    app = holding(files)
    visit(app, "test-sets/scores")
    by_language = {"en-zh": "zh", "en-de": "13a", "unknown": "13a"}
    assert tokenizers_in_use(downloads) == by_language
    assert "the test sets have different settings" in said(app)
    assert app.selectbox(key="tokenizer").value == "zh"
    assert "tokenizer" not in app.query_params
    app.session_state["section-code"] = True
    app.run()
    command, python = code_of(app)
    assert "--tokenizer" not in str(command)
    Path("workspace.bleu.zip").write_bytes(downloads["save-workspace"]())
    names: dict[str, Any] = {}
    exec(python, names)  # noqa: S102 # as above
    assert to_tsv(names["table"]) == downloads["tsv-test-sets"]().decode()
    app.selectbox(key="tokenizer").set_value("13a").run()
    assert tokenizers_in_use(downloads) == dict.fromkeys(by_language, "13a")
    assert app.query_params["tokenizer"] == "13a"
    assert "--tokenizer 13a" in str(code_of(app)[0])
    app.selectbox(key="preset").set_value("sacrebleu").run()
    assert tokenizers_in_use(downloads) == by_language


def test_a_test_set_whose_tokeniser_is_not_installed_is_left_out_with_what_to_install(
    holding: Holder, downloads: Downloads, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "MeCab", None)  # an import of None raises ImportError
    tokenizer.cache_clear()
    app = holding((*translated("en-ja", JAPANESE), *made_set("en-de")))
    visit(app, "test-sets/scores")
    why = "tokeniser ja-mecab needs the package mecab-python3"
    assert why in said(app)
    assert list(tokenizers_in_use(downloads).values()) == ["13a", "13a"]
    visit(app, "ranking/scores")
    assert f"BLEU is not available: {why}" in said(app)
    assert not app.exception
    app.selectbox(key="metric").set_value("chrF2").run()
    assert not app.exception
    assert len(table(app)) == 3


def test_reports_have_a_part_on_test_sets_where_there_are_several(
    app: AppTest, opened: Opener, downloads: Downloads
) -> None:
    visit(app, "report/printed")
    assert not app.exception
    assert "Test sets" in app.multiselect(key="report_parts").options
    assert "Over 4 test sets, A scores significantly higher than all others" in said(app)
    report = downloads["report"]().decode()
    assert 'id="test-sets"' in report
    assert "Pooled over 5 test sets, the difference A minus B is" in report
    sample = opened("report/printed")
    assert "Test sets" not in sample.multiselect(key="report_parts").options
