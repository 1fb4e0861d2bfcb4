"""Files made of a slice of the text name it: in captions, notes and JSON, and in their names."""

from __future__ import annotations

import html
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

import pytest
import streamlit as st
from conftest import Holder
from nightly import nightly
from pages import visit, with_state
from places import PLACES
from several_sets import several
from sparse_data import SEGMENTS, sparse

from bleu_core.results.latex import caption_latex
from bleu_core.results.markdown import markdown_text
from dashboard.exhibits import score_bars
from dashboard.plots.on_paper import PRINT_SIZES, printed
from dashboard.plots.theme import plain, styles

#: Text that LaTeX, Markdown and HTML would interpret.
SLICE = 'segment <= 30 or reference ~ "<b>_[#&%$^|*~]x{2}"'
DESCRIBED = f"30 of {SEGMENTS} segments ({SLICE})"
BY_DAY = ("ranking/scores", "ranking/pairs", "two-systems/difference", "judges/agreement", "report/printed")

Offered = dict[str, tuple[str, Callable[[], bytes]]]

#: Files that are not made of the slice.
OF_WHOLE_TEXT = ("save-workspace", "save-workspace-report", "save-workspace-data", "campaign", "tsv-notes")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> Offered:
    """The files that pages offer: key -> name and content."""
    found: Offered = {}

    def offer(_: str, data: Any, *, key: str, file_name: str, **__: object) -> bool:
        if not key.startswith(OF_WHOLE_TEXT):
            found[key] = (file_name, data)
        return False

    monkeypatch.setattr(st, "download_button", offer)
    return found


def _names_slice(ending: str, content: bytes) -> bool:
    text = "" if ending == ".xlsx" else content.decode()
    if ending == ".xlsx":
        strings = zipfile.ZipFile(io.BytesIO(content)).read("xl/sharedStrings.xml").decode()
        return DESCRIBED in html.unescape(strings)
    if ending == ".json":
        found = json.loads(text)["slice"]
        return (found["expression"], found["segments"], found["of"]) == (SLICE, 30, SEGMENTS)
    if ending == ".html":
        return plain(DESCRIBED).replace('"', "&#34;") in text
    shown = {".tex": caption_latex(DESCRIBED), ".md": markdown_text(DESCRIBED)}
    return shown[ending] in text


@pytest.mark.parametrize("place", [*BY_DAY, *nightly(path for path in PLACES if path not in BY_DAY)])
def test_files_of_pages_name_the_slice(place: str, holding: Holder, offered: Offered) -> None:
    files = sparse("ABCD", "ABCD", documents=4).files
    app = visit(with_state(holding(files, slice=SLICE), {"section-code": True}), place)
    assert not app.exception
    for name, content in offered.values():
        ending = PurePath(name).suffix
        assert "segment-30-or-reference" in name, name
        if ending != ".tsv" and not name.startswith("examples"):  # with the rows of a table, or single segments, only
            assert _names_slice(ending, content()), name


@pytest.mark.parametrize("place", ["test-sets/scores", *nightly(["test-sets/overall", "test-sets/next"])])
def test_files_over_test_sets_name_the_slice_of_each(place: str, holding: Holder, offered: Offered) -> None:
    app = visit(holding(several(("en-de", "en-fr")), slice="segment <= 90"), place)
    assert not app.exception
    tables = {name: content for name, content in offered.values() if name.endswith(".tex")}
    assert tables
    for name, content in tables.items():
        assert "segment-90" in name
        assert caption_latex("the segments of each test set in a slice (segment <= 90)") in content().decode()


def test_a_figure_has_the_slice_above_it_in_as_many_lines_as_it_needs() -> None:
    figure = score_bars(["A"], [20.0], styles(["A"]))
    for size in PRINT_SIZES.values():
        bare, noted = printed(figure, size).to_dict()["layout"], printed(figure, size, DESCRIBED).to_dict()["layout"]
        assert "title" not in bare
        assert noted["title"]["text"].replace("<br>", " ") == plain(DESCRIBED)
        added = noted["margin"]["t"] - bare["margin"]["t"]
        assert added >= noted["title"]["font"]["size"] * (noted["title"]["text"].count("<br>") + 1)
        assert noted["height"] == pytest.approx(bare["height"] + (0 if size.ratio else added))


def test_without_a_slice_none_is_named(holding: Holder, offered: Offered) -> None:
    visit(holding(sparse("ABC").files), "ranking/scores")
    assert offered["tex-scores"][0] == "scores.tex"
    assert b"Only " not in offered["tex-scores"][1]()
