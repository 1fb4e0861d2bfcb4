"""Examples for papers: every text stands in Markdown and LaTeX as it is, whatever characters it has."""

from __future__ import annotations

import math
import re

import pytest
from calls import HOSTILE, LATEX
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bleu_core.fields import Cell, Field, Table
from bleu_core.results.examples import examples_latex, examples_markdown

OTHERS = (
    ":material/upload: :rocket: $$y$$",
    "http://127.0.0.1:9/auto www.ex.org WWW.ex.org a@ex.org",
    "![i](http://127.0.0.1:9/x.png)zz",
    "a<br>b<sup>2</sup>",
    "~~str~~ [^1] [x] \\| b",
    "``` code",
    "ends with a backslash \\",
    "``quoted'' -- dash --- ,,low'' ?` !`",
    "1. one",
    "| a | b |",
)
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=30)


def table(*texts: str) -> Table:
    columns: dict[str, Field] = {"segment": Field("count"), "source": Field("text")}
    columns |= {f"output of {text}": Field("text") for text in texts}
    cells: list[Cell] = [1234, math.nan, *texts]
    return Table(columns, (tuple(cells),))


def plain(text: str) -> str:
    """The text on one line, without overrides of direction."""
    return " ".join(re.sub("[\u202a-\u202e\u2066-\u2069]", "", text).split())


def rendered(markdown: str) -> list[list[str]]:
    """The cells of the tables as a reader of Markdown shows them; fails where they hold anything but text."""
    found: list[list[str]] = []
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(markdown):
        if token.type == "tr_open":
            found.append([])
        if token.type == "inline":
            assert {child.type for child in token.children or []} <= {"text", "text_special"}, markdown
            found[-1].append(plain("".join(child.content for child in token.children or [])))
    return found


@pytest.mark.parametrize("text", [*HOSTILE, *OTHERS])
def test_a_reader_of_markdown_shows_every_text_as_it_is(text: str) -> None:
    rows = rendered(examples_markdown(table(text)))
    assert rows == [["Segment 1,234", ""], [plain(f"Output of {text}"), plain(text)]]


@given(TEXTS)
def test_a_reader_of_markdown_shows_any_text_as_it_is(text: str) -> None:
    assert rendered(examples_markdown(table(text)))[1][1] == plain(text)


@pytest.mark.parametrize("text", OTHERS[1:2])
def test_addresses_do_not_become_links(text: str) -> None:
    written = examples_markdown(table(text))
    for address in ("http:", "www.", "WWW.", "a@ex"):
        assert address not in written


@pytest.mark.parametrize(("text", "latex"), LATEX.items())
def test_special_characters_of_latex_are_escaped(text: str, latex: str) -> None:
    assert f"Output of {latex} & {latex} \\\\\n" in examples_latex(table(text))


@given(TEXTS)
def test_nothing_but_escapes_is_a_command_in_latex(text: str) -> None:
    row = examples_latex(table(text)).split("\n")[-4]
    left, _, rest = row.removesuffix(" \\\\").partition(" & ")
    assert left.startswith("Output of")
    commands = (
        r"\\textbackslash\{\}|\\textasciitilde\{\}|\\ensuremath\{[<>]\}|\\char34\{\}|\\\^\{\}|\\[&%$#_{}]|\$-\$|\{\}"
    )
    assert not re.search(r'[\\&%$#_{}^~"<>]', re.sub(commands, "", rest))


def test_characters_that_tex_joins_stay_apart() -> None:
    written = examples_latex(table("``a'' -- b --- ?`"))
    assert "`{}`a'{}' -{}- b -{}-{}- ?{}`" in written


def test_each_segment_is_a_table_and_lines_without_a_value_are_left_out() -> None:
    columns = {"segment": Field("count"), "source": Field("text"), "BLEU of A": Field("points")}
    both = Table(columns, ((7, "", 1.5), (8, math.nan, math.nan)))
    assert examples_markdown(both) == (
        "| Segment 7 | |\n|---|---|\n| Source |  |\n| BLEU of A | 1.50 |\n\n| Segment 8 | |\n|---|---|\n"
    )
    assert examples_latex(both).count(r"\begin{tabular}") == 2
    assert "Source & \\\\\nBLEU of A & 1.50 \\\\\n" in examples_latex(both).replace("&  ", "& ")
