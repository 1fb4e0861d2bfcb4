"""Figures and reports of a saved workspace: its controls apply, and options that are given beside it win."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from nightly import nightly

import sample_data
from bleu_core.project import Choices, ReportText, SavedWorkspace, write_workspace
from bleu_core.uploads import File

#: Controls of pages, as in an address.
CONTROLS = {
    "metric": ("TER",),
    "test": ("approximate randomisation",),
    "correction": ("none",),
    "draws": ("150",),
    "seed": ("3",),
    "pair_system": ("S1",),
    "pair_baseline": ("S3",),
    "level": ("0.1",),
    "divide_into": ("size",),
    "blocks_size": ("20",),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workspace with three systems."""
    files = [File("ref.txt", sample_data.references()[0].read_bytes(), "reference")]
    files += [File(path.name, path.read_bytes(), "system") for path in sample_data.systems() if path.name[0] == "S"]
    path = tmp_path / "w.bleu.zip"
    text = ReportText(heading="Of the workspace", introduction="Saved.")
    write_workspace(
        SavedWorkspace(files=tuple(files), choices=Choices(slice="segment < 60"), controls=CONTROLS, report=text), path
    )
    return path


@pytest.fixture
def drawn(run: Runner, path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The table of a figure of the workspace; nothing is drawn."""
    monkeypatch.setattr("dashboard.export.figure_file", lambda *_: b"")

    def table(name: str, *options: object) -> str:
        out = path.with_name("figure.svg")
        result = run("figure", name, "--workspace", path, "--out", out, "--force", "--format", "tsv", *options)
        assert result.status == 0, result.err
        assert re.fullmatch(r"bleu-core figure: slice: \d+ of 500 segments \(segment < \d+\)\n", result.err)
        return result.out

    return table


def test_a_figure_has_the_controls_of_the_pages(drawn: Any) -> None:
    named = [*("--metric", "ter", "--test", "randomization", "--correction", "none"), "--resamples", 150, "--seed", 3]
    assert drawn("pairs") == drawn("pairs", *named, "--alpha", 0.1)
    assert drawn("pairs") != drawn("pairs", "--seed", 4)
    assert drawn("pairs") != drawn("pairs", "--metric", "bleu")
    assert drawn("pairs") != drawn("pairs", "--slice", "segment < 50")
    assert drawn("causes", "--metric", "bleu") == drawn(
        "causes", "--metric", "bleu", "--system", "S1", "--baseline", "S3"
    )
    assert drawn("causes", "--metric", "bleu") != drawn("causes", "--metric", "bleu", "--system", "S2")


def test_a_figure_has_the_blocks_of_the_page(drawn: Any) -> None:
    # 59 segments in blocks of 20 are two blocks of 20 and one of 19.
    assert drawn("blocks") == drawn("blocks", "--blocks", 3)
    assert drawn("blocks") != drawn("blocks", "--blocks", 4)


def test_options_beside_a_workspace_win_also_with_their_usual_values(run: Runner, path: Path) -> None:
    out = path.with_name("report.html")
    call = ["report", "--workspace", path, "--out", out, "--force", "--part", "method", "--format", "json"]
    assert run(*call).json["metric"] == "ter"
    text = out.read_text("utf-8")
    assert "approximate randomisation" in text
    assert "significance level of 0.1" in text
    assert "bleu-core report" not in text  # but the commands that give its numbers
    assert (
        run(*call, "--metric", "bleu", "--test", "bootstrap", "--alpha", 0.05, "--tokenizer", "char").json["settings"][
            "tokenizer"
        ]
        == "char"
    )
    text = out.read_text("utf-8")
    assert "Systems were compared by BLEU" in text
    assert "using the jackknife over 59 segments" in text  # which stands for the bootstrap with so few
    assert "significance level of 0.05" in text


def test_a_heading_and_an_introduction_beside_a_workspace_win_one_by_one(run: Runner, path: Path) -> None:
    out = path.with_name("report.html")
    for given, expected in (
        ((), "<h1>Of the workspace</h1>\n<p>Saved.</p>"),
        (("--title", "Mine"), "<h1>Mine</h1>\n<p>Saved.</p>"),
        (("--introduction", "Mine."), "<h1>Of the workspace</h1>\n<p>Mine.</p>"),
        (("--title", ""), "<h1>Evaluation report</h1>\n<p>Saved.</p>"),
    ):
        call = ["report", "--workspace", path, "--out", out, "--force", "--part", "method"]
        assert run(*call, *given).status == 0
        assert expected in out.read_text("utf-8")


ODD = {"metric": ("NIST",), "test": ("x",), "units": ("documents",), "level": ("2",), "seed": ("x",), "draws": ("0",)}
ODD |= {"slices_by": ("gone",), "pair_system": ("gone",), "t_blocks": ("0",)}
#: Numbers that no box of a page takes.
BEYOND = {"level": ("0.2",), "seed": ("٣",), "draws": ("1000001",), "t_blocks": ("999",), "blocks_number": ("2_0",)}


@pytest.mark.parametrize(
    ("common", "odd"),
    [
        ({}, ODD),
        ({"test": ("paired t",)}, BEYOND),
        *nightly([({}, BEYOND | {"draws": ("9" * 5000,), "seed": ("2147483648",)})]),
    ],
)
def test_controls_that_say_nothing_here_do_not_count(
    run: Runner, path: Path, common: Mapping[str, tuple[str, ...]], odd: Mapping[str, tuple[str, ...]]
) -> None:
    for name, controls in (("plain", common), ("odd", {**common, **odd})):
        files = [File("ref.txt", sample_data.references()[0].read_bytes(), "reference")]
        files += [File(one.name, one.read_bytes(), "system") for one in sample_data.systems()[:2]]
        write_workspace(SavedWorkspace(files=tuple(files), controls=controls), path.with_name(f"{name}.bleu.zip"))
        call = ["report", "--workspace", path.with_name(f"{name}.bleu.zip"), "--out", path.with_name(f"{name}.html")]
        assert run(*call).status == 0
    assert path.with_name("odd.html").read_bytes() == path.with_name("plain.html").read_bytes()
