"""What a file to print consists of: sections with sentences, figures, tables, examples and lines of code."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.fields import Table


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure; titled where a section has several."""

    title: str
    figure: go.Figure


@dataclass(frozen=True, slots=True)
class Example:
    """The texts of a segment.

    Attributes:
        title: names the segment.
        texts: what each text is, and the text.
        note: a person's note; empty for none.
    """

    title: str
    texts: tuple[tuple[str, str], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A section; all of its text is literal.

    Attributes:
        key: its anchor in the file.
        title: its heading.
        sentences: what it says, a paragraph each.
        drawings: its figures.
        tables: its tables.
        examples: segments with their texts.
        code: lines to copy, such as signatures.
        calls: commands that compute the same numbers.
        notes: what to know of it, below.
    """

    key: str
    title: str
    sentences: tuple[str, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    tables: tuple[Table, ...] = ()
    examples: tuple[Example, ...] = ()
    code: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
