"""Tables in Markdown, with best values in bold and all texts escaped."""

from __future__ import annotations

import re

from bleu_core.fields import Table
from bleu_core.results.latex import without_controls
from bleu_core.results.table import best_rows, formatted

#: Characters that Markdown and HTML interpret within a line, and the beginnings of addresses and icons.
MARKDOWN = re.compile(r"[\\`*_\[\]<>&|~$^{}@]|:(?=[\w/])|(?<=www)\.", re.IGNORECASE)

#: Characters, and numbers of lists, that Markdown interprets at the beginning of a line.
LINE_BEGINNING = re.compile(r"^([#+=-])|^(\d+)([.)])")


def escaped_markdown(text: str) -> str:
    """Escape a part of a text for Markdown."""
    return MARKDOWN.sub(r"\\\g<0>", text)


def markdown_text(text: str) -> str:
    """Return a text in Markdown, in one line, which may be a cell of a table."""
    return escaped_markdown(without_controls(text))


def markdown_line(text: str) -> str:
    """Return a text in Markdown as a line of its own."""
    return LINE_BEGINNING.sub(r"\\\1" if not text[:1].isdigit() else r"\2\\\3", markdown_text(text))


def to_markdown(table: Table, note: str = "") -> str:
    """Return a table in the Markdown of GitHub, formatted for people; the best value of each column is bold.

    A text that LaTeX sets as a superscript, such as a dagger, follows the value in its cell.

    Args:
        table: the table.
        note: a line below it.
    """
    table = table.for_people()
    best, texts = best_rows(table), formatted(table)
    marks = {
        column.joined.column: place
        for place, column in enumerate(table.columns.values())
        if column.joined is not None and column.joined.place == "superscript" and column.kind == "text"
    }
    shown = {name: place for place, name in enumerate(table.columns) if place not in marks.values()}
    rows: list[list[str]] = []
    for number, row in enumerate(texts):
        cells: list[str] = []
        for name, place in shown.items():
            text = markdown_text(row[place])
            text = f"**{text}**" if text and number in best.get(name, ()) else text
            cells.append(text + (markdown_text(row[marks[name]]) if name in marks else ""))
        rows.append(cells)
    kinds, titles = list(table.kinds.values()), table.titles
    alignment = ["---" if kinds[place] == "text" else "---:" for place in shown.values()]
    lines = [[markdown_text(titles[place]) for place in shown.values()], alignment, *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + (f"\n{markdown_line(note)}\n" if note else "")
