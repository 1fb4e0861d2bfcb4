"""Tables in Markdown: what a reader of Markdown sees, whatever names contain."""

from __future__ import annotations

import math

import pytest
from calls import HOSTILE
from markdown_it import MarkdownIt

from bleu_core.fields import Field, Joined, Table
from bleu_core.results.markdown import markdown_line, markdown_text, to_markdown

READER = MarkdownIt("gfm-like", {"linkify": False})


def cells(markdown: str) -> list[list[str]]:
    """The rendered texts of a table's cells, with those of bold ones in stars."""
    rows: list[list[str]] = []
    for token in READER.parse(markdown):
        if token.type == "tr_open":
            rows.append([])
        if token.type == "inline":
            text = "".join("*" if child.type.startswith("strong") else child.content for child in token.children or ())
            assert {child.type for child in token.children or ()} <= {
                "text",
                "text_special",
                "strong_open",
                "strong_close",
            }
            rows[-1].append(text)
    return rows


def test_best_values_are_bold_and_marks_follow_them() -> None:
    columns = {
        "system": Field("text"),
        "score": Field("points", label="BLEU", best="highest"),
        "mark": Field("text", label="dagger", joined=Joined(column="score", place="superscript")),
        "reason": Field("text"),
    }
    table = Table(columns, (("A", 30.0, "\N{DAGGER}", ""), ("B", 20.5, "", ""), ("C", math.nan, "", "")))
    assert cells(to_markdown(table)) == [["system", "BLEU"], ["A", "*30.00*\N{DAGGER}"], ["B", "20.50"], ["C", ""]]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text(name: str) -> None:
    table = Table({"system": Field("text"), name: Field("points")}, ((name, 1.0),))
    plain = " ".join(name.split())
    head, row = cells(to_markdown(table))
    assert [" ".join(text.split()) for text in (head[1], row[0])] == [plain, plain]
    rendered = READER.render(markdown_line(name))
    assert rendered.startswith("<p>")
    assert rendered.count("<") == 2


@pytest.mark.parametrize(
    "text", ["# a", "- b", "+ c", "1. d", "23) e", "> f", "=== g", "`h`", "![i](j)", "a|b", "<b>k</b>"]
)
def test_a_line_is_a_paragraph(text: str) -> None:
    (_, inline, _) = READER.parse(markdown_line(text))
    assert "".join(child.content for child in inline.children or ()) == text
    assert markdown_text("a\nb") == "a b"
