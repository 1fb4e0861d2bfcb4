"""The parts of the page Report: every figure is drawn and offered, commands run, and the workspace is the sidebar's."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import streamlit as st
from conftest import Downloads, Opener, Runner
from pages import load, said, visit

from dashboard.exhibits import EXHIBITS

REFERENCES = {
    "ref1.txt": "a cat sat here\nthe dog ran off\n" * 20,
    "ref2.txt": "one cat sat here\na dog ran away\n" * 20,
}
SYSTEMS = {"A.txt": "a cat sat there\nthe dog ran off\n" * 20, "B.txt": "the cat sits here\na dog runs off\n" * 20}
FILES = [(name, text.encode()) for name, text in (REFERENCES | SYSTEMS).items()]


@pytest.mark.parametrize("name", EXHIBITS)
def test_every_figure_of_the_sample_is_drawn_or_what_it_lacks_is_said(opened: Opener, name: str) -> None:
    app = opened("report/figures", report_figure=EXHIBITS[name].title, rank_humans="true")
    assert not app.exception
    drawn = app.get("plotly_chart")
    assert (len(drawn) == 1) != bool(app.info)
    if drawn:
        assert f"bleu-core figure {name} " in "\n".join(block.value for block in app.code)


def test_the_commands_run_on_the_files(opened: Opener, run: Runner, downloads: Downloads) -> None:
    assert not downloads  # the fixture has made a folder for the files the current one
    app = opened("report/code")
    load(app, *FILES)
    for name, data in FILES:
        Path(name).write_bytes(data)
    visit(app, "report/code")
    calls = [line for block in app.code if "bleu-core" in block.value for line in block.value.splitlines()]
    found = [shlex.split(call) for call in calls if not call.startswith("#")]
    assert {words[1] for words in found} >= {"score", "compare", "blocks"}
    for _, *call in found:
        result = run(*call)
        assert (result.status, result.err) == (0, "")


def test_the_workspace_and_the_link_are_those_of_the_sidebar(opened: Opener, downloads: Downloads) -> None:
    app = opened("report/workspace")
    load(app, *FILES)
    visit(app, "report/workspace")
    assert downloads["save-workspace-report"]() == downloads["save-workspace"]()
    assert "A.txt" in app.dataframe[0].value["file"].tolist()
    assert "Everything in one file" in said(app)


def test_warnings_are_looked_for_after_the_controls_and_not_for_figures_and_commands(
    opened: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[set[str]] = []

    def findings(_: object) -> tuple[()]:
        drawn.append({"report_form", "report_parts", "report_heading", "report_introduction"} - {*st.session_state})
        return ()

    monkeypatch.setattr("dashboard.analysis.open_findings", findings)
    monkeypatch.setattr("dashboard.analysis.findings_are_fast", lambda _: False)  # those of the sidebar
    opened("report/printed")
    assert drawn == [set()]
    for part in ("figures", "code"):
        assert not opened(f"report/{part}").exception
    assert len(drawn) == 1


def test_a_figure_has_the_pair_and_the_metric_of_its_page_and_so_has_the_command(opened: Opener) -> None:
    chosen = {"metric": "chrF2", "pair_system": "S3", "pair_baseline": "S1"}
    app = opened("report/figures", report_figure=EXHIBITS["block-differences"].title, **chosen)
    (chart,) = app.get("plotly_chart")
    assert "S3 minus S1" in chart.proto.spec
    assert "--metric chrf2 --system S3 --baseline S1" in "\n".join(block.value for block in app.code)
