"""Content of a file to print: sections with sentences, figures, tables, examples and code."""

from __future__ import annotations

from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.fields import Table


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure, with a title where a section has several."""

    title: str
    figure: go.Figure


@dataclass(frozen=True, slots=True)
class Example:
    """The texts of a segment.

    Attributes:
        title: names the segment.
        texts: title and text.
        note: the user's note; empty for none.
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
        sentences: paragraphs.
        drawings: its figures.
        tables: its tables.
        examples: segments with their texts.
        code: lines to copy, such as signatures.
        calls: commands that reproduce the numbers.
        notes: remarks below it.
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
