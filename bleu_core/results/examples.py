"""Segments as examples for a paper: a small table per segment, in LaTeX or in Markdown, with all texts escaped.

Words can be marked. In LaTeX, matched words are underlined and unmatched ones bold, word by word, since LaTeX does not
break underlined boxes; in Markdown, HTML elements are used, as Markdown's own marks have no effect next to some
characters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal
from unicodedata import east_asian_width

from bleu_core.fields import Table
from bleu_core.results.latex import escaped_latex, latex_text, one_line
from bleu_core.results.markdown import escaped_markdown, markdown_text
from bleu_core.results.table import format_cell

LATEX_HEAD = "% Needs the package booktabs. Texts beyond Latin script need XeLaTeX or LuaLaTeX and a suitable font."

#: The meaning of marks, for the head of a file.
MEANING = (
    "Underlined: words of an output that match a reference. Bold: words of an output that match none, and words of a "
    "reference that no output has."
)

#: A token of a text: its start and end (exclusive), in characters, and whether it matches.
TextMark = tuple[int, int, Literal["matched", "unmatched"]]
TextMarks = Sequence[TextMark]

#: The marks of texts by row, from 0, and column.
Marks = Mapping[tuple[int, str], TextMarks]

#: Classes of wide characters, after which a line may break without a space.
WIDE = ("W", "F")

WORDS = re.compile(r"\S+")


def examples_latex(table: Table, marks: Marks | None = None) -> str:
    """Return a LaTeX table for each row, with a line for each cell that has a value.

    Args:
        table: the segments; the first column identifies them.
        marks: marks of the texts, without overlaps.
    """
    parts = [f"{LATEX_HEAD}\n% {MEANING}" if marks else LATEX_HEAD]
    for title, cells in _examples(table, marks or {}):
        rows = [rf"{latex_text(label)} & {_pieces(cell, cell_marks, _latex)} \\" for label, cell, cell_marks in cells]
        head = [
            r"\begin{tabular}{p{0.2\linewidth}p{0.72\linewidth}}",
            r"\toprule",
            rf"\multicolumn{{2}}{{l}}{{{latex_text(title)}}} \\",
        ]
        parts.append("\n".join(["", *head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]))
    return "\n".join(parts) + "\n"


def examples_markdown(table: Table, marks: Marks | None = None) -> str:
    """Return a Markdown table for each row, with a line for each cell that has a value.

    Args:
        table: the segments; the first column identifies them.
        marks: marks of the texts, without overlaps.
    """
    parts = [f"{MEANING}\n"] if marks else []
    for title, cells in _examples(table, marks or {}):
        rows = [
            f"| {markdown_text(label)} | {_pieces(cell, cell_marks, _element)} |" for label, cell, cell_marks in cells
        ]
        parts.append("\n".join([f"| {markdown_text(title)} | |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _examples(table: Table, marks: Marks) -> Iterator[tuple[str, list[tuple[str, str, TextMarks]]]]:
    """Yield the title of each row, with name, formatted content and marks of each cell that has a value."""
    titles = [title[:1].upper() + title[1:] for title in table.titles]
    for place, row in enumerate(table.rows):
        cells = [
            (title, format_cell(cell, column.kind, column.decimals), marks.get((place, name), ()))
            for (name, column), title, cell in zip(table.columns.items(), titles, row, strict=True)
            if not (isinstance(cell, float) and math.isnan(cell))
        ]
        (label, text, _), *others = cells
        yield f"{label} {text}", others


def _pieces(text: str, marks: TextMarks, write: Callable[[str, str], str]) -> str:
    """Return a text in one line; `write` formats the pieces with marks and those between them."""
    runs: list[tuple[int, int, str]] = []
    for start, end, mark in marks:
        if runs and runs[-1][2] == mark and not text[runs[-1][1] : start].strip():
            runs[-1] = (runs[-1][0], end, mark)
        else:
            runs.append((start, end, mark))
    parts: list[str] = []
    end_of_last = 0
    for start, end, mark in runs:
        parts += [write(one_line(text[end_of_last:start]), ""), write(one_line(text[start:end]), mark)]
        end_of_last = end
    parts.append(write(one_line(text[end_of_last:]), ""))
    return "".join(parts).strip()


def _latex(piece: str, mark: str) -> str:
    if mark == "unmatched":
        return rf"\textbf{{{escaped_latex(piece)}}}"
    if mark != "matched":
        return escaped_latex(piece)
    parts: list[str] = []
    end_of_last = 0
    for word in WORDS.finditer(piece):
        parts.append(escaped_latex(piece[end_of_last : word.start()]))
        parts.append(r"\allowbreak{}".join(rf"\underline{{{escaped_latex(box)}}}" for box in _boxes(word[0])))
        end_of_last = word.end()
    return "".join([*parts, escaped_latex(piece[end_of_last:])])


def _boxes(word: str) -> list[str]:
    """Return the parts of a word between which a line may break: each wide character ends a part."""
    boxes = [""]
    for character in word:
        boxes[-1] += character
        if east_asian_width(character) in WIDE:
            boxes.append("")
    return [box for box in boxes if box]


def _element(piece: str, mark: str) -> str:
    text = escaped_markdown(piece)
    return text if not mark else f"<ins>{text}</ins>" if mark == "matched" else f"<b>{text}</b>"
