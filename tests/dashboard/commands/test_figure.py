"""`bleu-core figure`: files at an exact width, and what is wrong in one sentence."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from calls import assert_refused
from conftest import Run, Runner

import sample_data
from dashboard.exhibits import EXHIBITS, RENAMED

BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")

NEEDS_BROWSER = pytest.mark.skipif(
    importlib.util.find_spec("kaleido") is None or BROWSER is None, reason="kaleido or a browser is not installed"
)

TEXTS = ["--ref", *map(str, sample_data.references()[:1]), *map(str, sample_data.systems()[:2])]


def draw(run: Runner, name: str, out: Path, *options: object) -> Run:
    """A call of the command on two systems of the sample data."""
    return run("figure", name, *options, "--out", out, *TEXTS)


def test_the_list_names_every_figure_and_its_page(run: Runner) -> None:
    result = run("figure", "--list")
    assert (result.status, result.err) == (0, "")
    assert [line.split()[0] for line in result.out.splitlines()] == list(EXHIBITS)
    assert "Precision by n-gram order, as lines (Precision)" in result.out


def test_wrong_calls_are_refused_in_one_sentence(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(draw(run, "nosuch", tmp_path / "a.pdf"), "figure 'nosuch' found, one of scores, precision")
    assert_refused(
        draw(run, "scores", tmp_path / "a.doc"), "a.doc found, a file that ends in .pdf, .svg, .png expected"
    )
    assert_refused(draw(run, "agreement", tmp_path / "a.pdf"), "no human judgments found; add a file of judgments")
    assert_refused(draw(run, "baseline", tmp_path / "a.pdf", "--baseline", "x"), "--baseline: 'x' found, one of S1, S2")
    assert_refused(
        draw(run, "slices", tmp_path / "a.pdf", "--by", "x"), "argument --by: 'x' found, one of length, half"
    )
    both = ("--system", "S1", "--baseline", "S1")
    assert_refused(draw(run, "causes", tmp_path / "a.pdf", *both), "are both 'S1'; name two different systems")
    (tmp_path / "a.pdf").write_bytes(b"mine")
    assert_refused(draw(run, "scores", tmp_path / "a.pdf"), "a.pdf exists; add --force to overwrite it")
    monkeypatch.setitem(sys.modules, "kaleido", None)
    assert_refused(
        draw(run, "scores", tmp_path / "b.pdf"), "kaleido is not installed", 'pip install "bleu-dashboard[figures]"'
    )
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]
    assert (tmp_path / "a.pdf").read_bytes() == b"mine"


@pytest.mark.skipif(importlib.util.find_spec("kaleido") is None, reason="kaleido is not installed")
def test_without_a_browser_the_sentence_says_what_to_install(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER_PATH", str(tmp_path / "nowhere"))
    assert_refused(draw(run, "scores", tmp_path / "a.pdf"), "no browser found", "apt-get install chromium")


@pytest.mark.skipif(importlib.util.find_spec("kaleido") is None, reason="kaleido is not installed")
@pytest.mark.parametrize("hangs", [1, 2])
def test_a_browser_that_hangs_is_tried_again_and_then_given_up(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs: int
) -> None:
    calls: list[int] = []

    async def calculated(*_: object, **__: object) -> bytes:
        calls.append(1)
        if len(calls) <= hangs:
            await asyncio.sleep(60)
        return b"drawn"

    monkeypatch.setattr("kaleido.calc_fig", calculated)
    monkeypatch.setattr("dashboard.export.figure_files.TIMEOUT_S", 0.2)
    result = draw(run, "scores", tmp_path / "a.png")
    if hangs == 1:
        assert result.status == 0
        assert (tmp_path / "a.png").read_bytes().startswith(b"drawn")  # its resolution follows
    else:
        assert_refused(result, "the browser did not answer within 0.2 seconds, 2 times; try again")


@NEEDS_BROWSER
@pytest.mark.filterwarnings("ignore")  # of kaleido's own threads
def test_a_pdf_has_the_width_that_was_chosen_and_its_fonts(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER_PATH", str(BROWSER))
    result = draw(run, "precision", tmp_path / "a.pdf", "--format", "json")
    assert (result.status, result.err) == (0, "")
    found = json.loads(result.out)
    assert (found["figure"], found["millimetres"], found["file"]) == ("precision", 84, str(tmp_path / "a.pdf"))
    pdf = (tmp_path / "a.pdf").read_bytes()
    page = re.search(rb"/MediaBox \[0 0 ([\d.]+) ", pdf)
    assert page is not None
    assert float(page[1]) / 72 * 25.4 == pytest.approx(84, abs=0.01)
    assert b"/FontFile" in pdf  # the font is in the file


@NEEDS_BROWSER
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of kaleido's own threads
def test_an_svg_has_the_width_that_was_chosen(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER_PATH", str(BROWSER))
    assert draw(run, "precision", tmp_path / "a.svg", "--width", "174").status == 0
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert re.match(r'<svg [^>]*width="174mm" height="[\d.]+mm"', svg)
    assert "http://" not in svg.replace("http://www.w3.org/", "")


@NEEDS_BROWSER
@pytest.mark.filterwarnings("ignore")  # of kaleido's own threads
def test_a_png_has_its_width_in_pixels_per_metre(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROWSER_PATH", str(BROWSER))
    assert draw(run, "precision", tmp_path / "a.png").status == 0
    png = (tmp_path / "a.png").read_bytes()
    width, per_metre = (int.from_bytes(png[at : at + 4], "big") for at in (16, 33 + 8))
    assert png[33 + 4 : 33 + 8] == b"pHYs"
    assert width / per_metre == pytest.approx(0.084, abs=1e-4)


def test_a_former_name_of_a_figure_is_still_known(run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.export.figure_file", lambda *_: b"drawn")
    for name, former in ((name, former) for former, name in RENAMED.items()):
        assert former not in EXHIBITS
        result = draw(run, former, tmp_path / f"{former}.svg")
        assert (result.status, result.err) == (0, "")
        assert EXHIBITS[name].title in result.out
