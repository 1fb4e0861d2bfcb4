"""Segments as examples for a paper: a small table for each, in LaTeX or in Markdown, with all texts escaped."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import compress

from bleu_core.fields import Table
from bleu_core.results.latex import latex_text, without_controls
from bleu_core.results.table import format_cell

LATEX_HEAD = "% Needs the package booktabs. Texts beyond Latin script need XeLaTeX or LuaLaTeX and a suitable font."

#: Characters that Markdown and HTML interpret within a line, and where addresses and icons would begin.
MARKDOWN = re.compile(r"[\\`*_\[\]<>&|~$^{}@]|:(?=[\w/])|(?<=www)\.", re.IGNORECASE)


def examples_latex(table: Table) -> str:
    """A LaTeX table for each row, with a line for each cell that has a value.

    Args:
        table: of segments; the first column is what each is called by.
    """
    parts = [LATEX_HEAD]
    for title, cells in _examples(table):
        rows = [rf"{latex_text(label)} & {latex_text(cell)} \\" for label, cell in cells]
        head = [
            r"\begin{tabular}{p{0.2\linewidth}p{0.72\linewidth}}",
            r"\toprule",
            rf"\multicolumn{{2}}{{l}}{{{latex_text(title)}}} \\",
        ]
        parts.append("\n".join(["", *head, r"\midrule", *rows, r"\bottomrule", r"\end{tabular}"]))
    return "\n".join(parts) + "\n"


def examples_markdown(table: Table) -> str:
    """A Markdown table for each row, with a line for each cell that has a value.

    Args:
        table: of segments; the first column is what each is called by.
    """
    parts: list[str] = []
    for title, cells in _examples(table):
        rows = [f"| {_markdown(label)} | {_markdown(cell)} |" for label, cell in cells]
        parts.append("\n".join([f"| {_markdown(title)} | |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def _examples(table: Table) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The title of each row, and name and content, as people read them, of each cell that has a value."""
    titles, kinds = [title[:1].upper() + title[1:] for title in table.titles], list(table.kinds.values())
    for row in table.rows:
        known = [not (isinstance(cell, float) and math.isnan(cell)) for cell in row]
        texts = [format_cell(cell, kind) for cell, kind in zip(row, kinds, strict=True)]
        title, *cells = compress(zip(titles, texts, strict=True), known)
        yield " ".join(title), cells


def _markdown(text: str) -> str:
    return MARKDOWN.sub(r"\\\g<0>", without_controls(text))
