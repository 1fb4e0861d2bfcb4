"""`bleu-core report`: the file it writes, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from calls import assert_refused
from conftest import Runner


def test_a_report_has_the_scores_of_the_command_score(run: Runner, corpus: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    files = ["--ref", corpus["ref"], corpus["better"], corpus["worse"]]
    written = run("report", *files, "--human", corpus["human"], "--title", "A <b>title</b>", "--out", out)
    assert (written.status, written.err.count("Traceback")) == (0, 0)
    assert (
        written.out
        == f"{out}: written (summary, warnings, scores, precision, blocks, significance, human, slices, method)\n"
    )
    content = out.read_text("utf-8")
    assert "A &lt;b&gt;title&lt;/b&gt;" in content
    for system in run("score", *files, "--format", "json").json["systems"]:
        assert f'<td class="right">{system["bleu"]:.2f}</td>' in content
    assert "nrefs:1|case:mixed" in content


def test_captions_in_latex_say_what_is_shown(run: Runner, corpus: dict[str, Path]) -> None:
    files = ["--ref", corpus["ref"], corpus["better"], corpus["worse"]]
    found = run("score", *files, "--metric", "ter", "--format", "latex").out
    assert r"\caption{Scores of systems on 3 segments with 1 reference (TER: nrefs:1\textbar{}" in found
    found = run("compare", *files, "--resamples", 20, "--format", "latex").out
    methods = run("compare", *files, "--resamples", 20, "--format", "json").json["methods"]
    assert rf"\caption{{{methods}}}" in found.replace(r"\textbar{}", "|")


def test_a_file_that_exists_is_kept_unless_force_is_given(run: Runner, corpus: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    out.write_text("mine")
    call = ["report", "--ref", corpus["ref"], corpus["better"], corpus["worse"], "--short", "--out", out]
    assert_refused(run(*call), "report.html exists", "--force")
    assert out.read_text() == "mine"
    found = json.loads(run(*call, "--force", "--format", "json").out)
    assert found["parts"] == ["summary", "examples"]
    assert out.read_bytes().startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--part", "human"], "part 'human' needs judgments"),
        (["--part", "everything"], "part 'everything' found, one of summary, warnings"),
        (["--part", "scores", "--short"], "the short form has no parts to choose"),
        (["--system", "nobody"], "'nobody' found, one of better, worse expected"),
    ],
)
def test_what_cannot_be_written_is_refused_in_one_line(
    run: Runner, corpus: dict[str, Path], tmp_path: Path, options: list[str], why: str
) -> None:
    out = tmp_path / "report.html"
    result = run("report", "--ref", corpus["ref"], corpus["better"], corpus["worse"], "--out", out, *options)
    assert_refused(result, why)
    assert not out.exists()


def test_a_folder_that_does_not_exist_is_named(run: Runner, corpus: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "missing" / "report.html"
    result = run("report", "--ref", corpus["ref"], corpus["better"], corpus["worse"], "--short", "--out", out)
    assert_refused(result, "missing", "no such file or directory")
