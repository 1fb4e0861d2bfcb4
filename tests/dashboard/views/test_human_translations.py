"""Human translations among the systems, on pages: named in one note, and ranked only where a switch says so."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from conftest import Downloads, Opener, Runner, Writer
from nightly import nightly
from pages import load, said, untick, visit, with_parameters, with_state
from places import PLACES
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.results.table import to_tsv

MACHINES = ["S1", "S2", "S3"]
NOTE = "Human translations, which are not ranked: H1 (human translator), H2 (human translator)."
RANKED = "Human translations, which are ranked: H1 (human translator), H2 (human translator)."
LINES = 120

#: Pages on which systems are ranked, or compared with judges; the sample data are one test set.
OTHERS = ("data", "paper", "campaign/design", "report/workspace")
RANKING = [path for path in PLACES if path not in OTHERS and not path.startswith("test-sets/")]


def text(path: Path) -> bytes:
    return "".join(path.read_text("utf-8").splitlines(keepends=True)[:LINES]).encode()


REFERENCES = {f"ref{n}.txt": text(path) for n, path in enumerate(sample_data.references()[:2], start=1)}
SYSTEMS = {path.name: text(path) for path in sample_data.systems()[:3]}


def with_copy(app: AppTest, *, references: int = 2) -> AppTest:
    """Three systems, and a fourth that has the text of the first of one or two references."""
    texts = dict(list(REFERENCES.items())[:references]) | SYSTEMS | {"copy.txt": REFERENCES["ref1.txt"]}
    return load(app, *texts.items())


def column(app: AppTest, name: str = "system", beside: str = "bleu") -> list[Any]:
    """A column of the first table that has another one, too."""
    return next(d.value for d in app.dataframe if beside in d.value.columns)[name].tolist()


def bars(app: AppTest) -> set[str]:
    """The systems in the first figure of a page."""
    figure = json.loads(app.get("plotly_chart")[0].proto.spec)
    return {re.sub("</?b>", "", name) for name in figure["layout"]["yaxis"]["ticktext"]}


#: Pages of which every run looks at all: one of each kind of table and figure.
EVERY_RUN = (
    "",
    "ranking/scores",
    "two-systems/difference",
    "agreement/by-system",
    "report/printed",
)


@pytest.mark.parametrize("path", [*EVERY_RUN, *nightly(path for path in RANKING if path not in EVERY_RUN)])
def test_marked_systems_are_named_once_on_every_page_and_ranked_by_a_click(opened: Opener, path: str) -> None:
    app = opened(path)
    once = 2 if path == "report/printed" else 1  # whose page shows the report, too
    assert said(app).count(NOTE) == once
    assert "H1" not in said(app).replace(NOTE, "")
    app.toggle(key="rank_humans").set_value(True).run()
    assert app.query_params["rank_humans"] == "true"
    assert said(app).count(RANKED) == once
    assert not app.exception


@pytest.mark.parametrize("path", ["blocks", "references", *nightly(["significance", "precision"])])
def test_tables_have_human_translations_only_where_they_are_ranked(opened: Opener, path: str) -> None:
    def named(app: AppTest) -> set[str]:
        return {str(cell) for d in app.dataframe for cell in d.value.to_numpy().flat} & {*MACHINES, "H1", "H2"}

    assert named(opened(path)) <= set(MACHINES)
    assert {"H1", "H2"} & named(opened(path, rank_humans="true"))


def test_the_table_of_scores_lists_them_last_and_the_figure_has_no_bar_of_them(opened: Opener) -> None:
    app = opened("ranking/scores")
    assert column(app) == ["S3", "S2", "S1", "H1", "H2"]
    assert bars(app) == set(MACHINES)
    app = opened("ranking/scores", order="name")
    assert column(app) == [*MACHINES, "H1", "H2"]
    app = opened("ranking/scores", rank_humans="true")
    assert column(app) == ["H2", "H1", "S3", "S2", "S1"]
    assert bars(app) == {*MACHINES, "H1", "H2"}


def test_the_overview_ranks_three_systems_and_then_five(opened: Opener) -> None:
    app = opened("")
    assert "## S3 scores significantly higher than all others" in said(app)
    assert "over 3 pairs of 3 systems" in said(app)
    assert bars(app) == set(MACHINES)
    app.toggle(key="rank_humans").set_value(True).run()
    assert "## H2 scores significantly higher than all others" in said(app)
    assert bars(app) == {*MACHINES, "H1", "H2"}


def test_choosing_another_reference_does_not_change_which_systems_are_compared(app: AppTest) -> None:
    with_copy(app)
    shown: dict[str, list[str]] = {}
    for gone in ("", "ref1", "ref2"):
        visit(app, "ranking/scores")
        if gone:
            app.session_state["without_references"] = [gone]
            app.run()
        assert "copy (identical to the reference ref1)" in said(app)
        shown[gone] = column(app)
        assert bars(app) == set(MACHINES)
    assert {tuple(sorted(systems[:3])) for systems in shown.values()} == {tuple(MACHINES)}
    assert {systems[3] for systems in shown.values()} == {"copy"}


def test_a_copy_of_a_reference_is_ranked_against_the_others(
    app: AppTest, downloads: Downloads, run: Runner, tmp_path: Path
) -> None:
    visit(with_copy(app), "ranking/pairs")
    app.toggle(key="rank_humans").set_value(True).run()
    note = "which are ranked: copy (identical to the reference ref1). ref1 is not used as a reference."
    assert note in said(app)
    found = json.loads(downloads["json-comparisons"]())
    assert found["references"] == ["ref2"]
    assert "copy" in {pair["system"] for pair in found["pairs"]}
    assert "not_ranked" not in found
    path = tmp_path / "w.bleu.zip"
    path.write_bytes(downloads["save-workspace"]())
    assert run("compare", "--workspace", path, "--all-pairs", "--format", "json").json == found
    for name, data in (REFERENCES | SYSTEMS | {"copy.txt": REFERENCES["ref1.txt"]}).items():
        (tmp_path / name).write_bytes(data)
    files = ["--ref", "ref1.txt", "--ref", "ref2.txt", *SYSTEMS, "copy.txt"]
    named = run("compare", "--all-pairs", "--include-human", "copy", *files, "--format", "json").json
    assert named["pairs"] == found["pairs"]
    visit(app, "paper")
    assert "1 of 2 references" not in said(app)


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("ranking/pairs", "comparisons"),
        *nightly([("ranking/scores", "scores"), ("ranking/by-reference", "reference-scores")]),
    ],
)
def test_the_code_of_a_page_ranks_them_as_the_page_does(
    app: AppTest, downloads: Downloads, run: Runner, path: str, key: str
) -> None:
    third = text(sample_data.references()[2])
    texts = REFERENCES | SYSTEMS | {"ref3.txt": third, "copy.txt": REFERENCES["ref1.txt"]}
    for name, data in texts.items():
        Path(name).write_bytes(data)  # where the code is run
    load(with_state(with_parameters(app, rank_humans="true"), {"section-code": True}), *texts.items())
    visit(app, path)
    assert not app.exception
    code = {block.language: block.value for block in app.code if block.language in ("bash", "python")}
    names: dict[str, Any] = {}
    exec(code["python"], names)  # noqa: S102 # this is what people do with it
    assert to_tsv(names["table"]) == downloads[f"tsv-{key}"]().decode()
    _, *call = shlex.split(code["bash"])
    printed, found = run(*call, "--format", "json").json, json.loads(downloads[f"json-{key}"]())
    assert "--include-human" in call
    assert found["references"] == ["ref2", "ref3"]
    assert {name: printed[name] for name in found} == found


def test_a_report_ranks_them_where_its_call_does(run: Runner, write: Writer, tmp_path: Path) -> None:
    for name, data in (REFERENCES | SYSTEMS | {"copy.txt": REFERENCES["ref1.txt"]}).items():
        write(name, data)
    files = ["--ref", tmp_path / "ref1.txt", "--ref", tmp_path / "ref2.txt"]
    call = ["report", *files, *(tmp_path / name for name in SYSTEMS), tmp_path / "copy.txt", "--part", "summary"]
    call += ["--resamples", 50]
    result = run(*call, "--out", tmp_path / "without.html")
    assert "not ranked: copy (identical to the reference ref1)" in result.err
    report = (tmp_path / "without.html").read_text("utf-8")
    assert "which are not ranked: copy (identical to the reference ref1)." in report
    result = run(*call, "--out", tmp_path / "with.html", "--include-human", "copy")
    assert result.err == ""
    assert "which are ranked: copy" in (tmp_path / "with.html").read_text("utf-8")


def test_ranking_needs_another_reference_and_a_page_says_so(app: AppTest) -> None:
    visit(with_copy(app, references=1), "ranking/scores")
    assert app.toggle(key="rank_humans").disabled
    assert app.toggle(key="rank_humans").help == (
        "They cannot be ranked: every reference in use has the text of one of them."
    )
    visit(load(app, ("ref2.txt", REFERENCES["ref2.txt"])), "ranking/scores")
    assert not app.toggle(key="rank_humans").disabled
    app.toggle(key="rank_humans").set_value(True).run()
    assert column(app)[0] == "copy" or "copy" in column(app)[:4]
    untick(app, "references", "ref2")
    assert app.toggle(key="rank_humans").disabled
    assert column(app)[-1] == "copy"
    assert not app.exception


def test_human_translations_alone_are_ranked_among_themselves(opened: Opener) -> None:
    app = opened("ranking/pairs", without_systems=[*MACHINES])
    assert "## H2 scores significantly higher than H1" in said(app)
    assert f"{RANKED} No other system is selected." in said(app)
    assert app.toggle(key="rank_humans").disabled
    for path in ("", "references", "system-agreement", "two-systems", "blocks"):
        visit(app, path)
        assert not app.exception
        assert "H2" in said(app)
    untick(visit(app, "ranking/scores"), "systems", "H1", "H2")
    assert "0 of 5 systems are selected" in said(app)


def test_links_with_the_former_switch_keep_their_meaning(opened: Opener) -> None:
    app = opened("agreement/by-system", machines_only="true")
    assert NOTE in said(app)
    assert not app.session_state["rank_humans"]
    app = opened("agreement/by-system", machines_only="false")
    assert RANKED in said(app)
    assert app.session_state["rank_humans"]
    app.toggle(key="zscore").set_value(True).run()
    assert app.query_params["rank_humans"] == "true"
    assert "machines_only" not in app.query_params


def test_the_paper_is_the_same_whether_human_translations_are_ranked_or_not(
    opened: Opener, downloads: Downloads
) -> None:
    pages: list[str] = []
    numbers: list[bytes] = []
    for chosen in ("false", "true"):
        app = opened("paper", rank_humans=chosen)
        pages.append(said(app).replace(":material/tune: Human translations ranked\n", ""))
        numbers.append(downloads["paper-json"]())
    assert pages[0] == pages[1]
    assert numbers[0] == numbers[1]
    assert json.loads(numbers[0])["human_systems"] == ["H1", "H2"]


def test_warnings_are_not_about_human_translations(app: AppTest) -> None:
    visit(with_copy(app), "")
    spoken = said(app)
    assert "copy" not in spoken.replace("copy (identical to the reference ref1)", "")


#: Pages with options that are folded above their figures.
WITH_OPTIONS = [path for path in RANKING if path and not path.startswith(("report", "segments"))]


@pytest.mark.parametrize(
    "path", [*WITH_OPTIONS[::5], *nightly(path for path in WITH_OPTIONS if path not in WITH_OPTIONS[::5])]
)
def test_the_note_and_its_switch_are_among_the_folded_options(opened: Opener, path: str) -> None:
    app = opened(path)
    inside = [fold for fold in app.expander if fold.label == "Options" and fold.toggle]
    assert any(switch.key == "rank_humans" for fold in inside for switch in fold.toggle)
    notes = [caption.value for fold in inside for caption in fold.caption]
    assert any(note.startswith("Human translations, which are not ranked") for note in notes)
