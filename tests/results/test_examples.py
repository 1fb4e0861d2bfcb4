"""Examples for papers: every text stands in Markdown and LaTeX as it is, whatever characters it has."""

from __future__ import annotations

import math
import re
from typing import Literal

import pytest
from calls import HOSTILE, LATEX
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from bleu_core.fields import Cell, Field, Table
from bleu_core.results.examples import TextMark, examples_latex, examples_markdown

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


def marks_of(text: str) -> list[TextMark]:
    """A mark on each word of a text, matched and unmatched ones in turn."""
    kinds: tuple[Literal["matched"], Literal["unmatched"]] = ("matched", "unmatched")
    return [(word.start(), word.end(), kinds[n % 2]) for n, word in enumerate(re.finditer(r"\S+", text))]


def marked_up(markdown: str) -> list[str]:
    """The elements of HTML in the last cell of a table, as readers of Markdown see them, and the text between them."""
    cells = [token for token in MarkdownIt("gfm-like", {"linkify": False}).parse(markdown) if token.type == "inline"]
    children = cells[-1].children or []
    assert {child.type for child in children} <= {"text", "text_special", "html_inline"}, markdown
    assert {child.content for child in children if child.type == "html_inline"} <= {"<ins>", "</ins>", "<b>", "</b>"}
    return [child.content for child in children]


@pytest.mark.parametrize("text", [*HOSTILE, *OTHERS])
def test_marked_texts_stand_in_markdown_as_they_are_between_marks(text: str) -> None:
    parts = marked_up(examples_markdown(table(text), {(0, f"output of {text}"): marks_of(text)}))
    tags = {"<ins>", "</ins>", "<b>", "</b>"}
    assert plain("".join(part for part in parts if part not in tags)) == plain(text)


@given(TEXTS)
def test_nothing_but_escapes_and_marks_is_a_command_in_latex(text: str) -> None:
    row = examples_latex(table(text), {(0, f"output of {text}"): marks_of(text)}).split("\n")[-4]
    bare = re.sub(r"\\(textbf|underline)\{((?:[^{}\\]|\\ensuremath\{.\}|\\.|\{\})*)\}|\\allowbreak\{\}", r"\2", row)
    unmarked = examples_latex(table(text)).split("\n")[-4]
    assert re.sub(r"\{\}", "", bare) == re.sub(r"\{\}", "", unmarked)


def test_marks_are_underlined_word_by_word_and_bold() -> None:
    text = "To a dog, 世界 $x <b>"
    marks: dict[tuple[int, str], list[TextMark]] = {
        (0, f"output of {text}"): [
            *((0, 2, "matched"), (3, 4, "matched"), (5, 8, "matched"), (8, 9, "matched")),
            *((10, 11, "matched"), (11, 12, "matched"), (13, 15, "unmatched"), (16, 19, "unmatched")),
        ]
    }
    latex = (
        r"\underline{To} \underline{a} \underline{dog,} \underline{世}\allowbreak{}\underline{界} "
        r"\textbf{\$x \ensuremath{<}b\ensuremath{>}}"
    )
    written = examples_latex(table(text), marks)
    assert f"& {latex} \\\\\n" in written
    assert "% Underlined: words of an output that match a reference." in written
    written = examples_markdown(table(text), marks)
    assert r"| <ins>To a dog, 世界</ins> <b>\$x \<b\></b> |" in written
    assert written.startswith("Underlined: words of an output")
    assert "Underlined" not in examples_markdown(table(text))
