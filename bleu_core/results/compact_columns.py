"""Columns of wide tables for LaTeX, as narrow as the text of a page needs: joined cells, broken lines, smaller type.

Widths are estimated from those of Computer Modern, TeX's default font.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import Literal

from bleu_core.fields import MINUS, Field, Table
from bleu_core.inference import CONFIDENCE
from bleu_core.results.table import best_rows, format_cell

#: Width in points for which tables are set. The text of the class article has 345 in type of 10 points, and relatively
#: less in type of 11 and 12 points.
TEXT_WIDTH_PT, MAX_TEXT_WIDTH_PT = 312.0, 345.0

#: Width in points above which a table does not fit a column of a text of two columns.
COLUMN_WIDTH_PT = 190.0

#: Widths in points of characters in type of 10 points; others are as wide as OTHER_WIDTH_PT.
WIDTHS_PT: Mapping[str, float] = {
    **dict.fromkeys("0123456789aceogz/\N{EN DASH}", 5.0),
    **dict.fromkeys("ijl.,:;|!'", 2.8),
    **dict.fromkeys(" -frst()[]I", 4.0),
    **dict.fromkeys("bdhknpquvxy_", 5.6),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ", 7.5),
}
OTHER_WIDTH_PT = 9.5

#: Factors of widths: of bold type, and of superscripts.
BOLD, SUPERSCRIPT = 1.15, 0.8

Size = Literal["", "small", "footnotesize", "scriptsize", "tiny"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Type:
    """A size of type and that of second lines, the space on both sides of a column, and factors of widths."""

    size: Size
    small: Size
    separation_pt: float
    factor: float
    small_factor: float


#: Sizes of type, the default first.
TYPES = (
    _Type(size="", small="scriptsize", separation_pt=6, factor=1, small_factor=0.8),
    _Type(size="small", small="scriptsize", separation_pt=4, factor=0.925, small_factor=0.8),
    _Type(size="footnotesize", small="scriptsize", separation_pt=3, factor=0.85, small_factor=0.8),
    _Type(size="scriptsize", small="scriptsize", separation_pt=2, factor=0.8, small_factor=0.8),
    _Type(size="scriptsize", small="tiny", separation_pt=2, factor=0.8, small_factor=0.68),
)

#: Maximum numbers of characters in a line of a header and of a name, by which longer ones are broken.
BREAKS: tuple[tuple[int, int], ...] = ((1000, 1000), (9, 24), (8, 16), (8, 12))


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A line of a cell: its text, and what is set on it."""

    text: str = ""
    superscript: str = ""
    bold: bool = False
    small: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactColumns:
    """The columns of a table as they are set.

    Attributes:
        texts: for each column, whether it has text, which is aligned to the left.
        header: the lines of the header, with a text per column.
        rows: the lines of each row, with a piece per column.
        size: of the type; empty for that of the text.
        small: the size of second lines.
        separation_pt: the space on both sides of a column; None for TeX's.
        width_pt: the estimated width.
        notes: what superscripts and second lines are.
    """

    texts: tuple[bool, ...]
    header: tuple[tuple[str, ...], ...]
    rows: tuple[tuple[tuple[Piece, ...], ...], ...]
    size: Size
    small: Size
    separation_pt: float | None
    width_pt: float
    notes: tuple[str, ...]

    @property
    def is_too_wide(self) -> bool:
        """Whether the table is wider than the text of a page of one column, in any type."""
        return self.width_pt > MAX_TEXT_WIDTH_PT

    @property
    def max_lines(self) -> int:
        """The maximum number of lines of a row."""
        return max(map(len, self.rows), default=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Column:
    """A title and the lines of each cell."""

    title: str
    cells: tuple[tuple[Piece, ...], ...]
    is_text: bool

    def broken(self, in_title: int, in_name: int) -> tuple[tuple[str, ...], tuple[tuple[Piece, ...], ...]]:
        """Return the lines of the title and of the cells, of at most so many characters where they can be broken."""
        longest = max((len(piece.text) for cell in self.cells for piece in cell), default=0)
        if not self.is_text:
            return _lines(self.title, max(in_title, longest)), self.cells
        cells = tuple(
            tuple(Piece(text=line) for piece in cell for line in _lines(piece.text, in_name)) for cell in self.cells
        )
        return _lines(self.title, in_name), cells


def compact_columns(table: Table) -> CompactColumns:
    """Return the columns of a table, in the largest type in which they fit a page, or else in the smallest one."""
    columns = _columns(table)
    width, best = 0.0, (TYPES[-1], BREAKS[-1])
    for style, limits in product(TYPES, BREAKS):
        width = _width(columns, style, limits)
        if width <= TEXT_WIDTH_PT:
            best = style, limits
            break
    style, limits = best
    broken = [column.broken(*limits) for column in columns]
    height = max(len(title) for title, _ in broken)
    titles = [("",) * (height - len(title)) + title for title, _ in broken]
    return CompactColumns(
        texts=tuple(column.is_text for column in columns),
        header=tuple(zip(*titles, strict=True)),
        rows=tuple(
            tuple(zip_longest(*cells, fillvalue=Piece())) for cells in zip(*(c for _, c in broken), strict=True)
        ),
        size=style.size,
        small=style.small,
        separation_pt=None if style is TYPES[0] else style.separation_pt,
        width_pt=width,
        notes=_notes(table),
    )


def _columns(table: Table) -> list[_Column]:
    names, best = list(table.columns), best_rows(table)
    joined = {
        (field.joined.column, field.joined.place): [row[place] for row in table.rows]
        for place, field in enumerate(table.columns.values())
        if field.joined is not None
    }
    columns: list[_Column] = []
    for place, (name, field) in enumerate(table.columns.items()):
        if field.joined is not None and field.joined.column in names:
            continue
        texts = [format_cell(row[place], field.kind, field.decimals) for row in table.rows]
        above = joined.get((name, "superscript"))
        superscripts = [""] * len(texts) if above is None else [format_cell(number, "count") for number in above]
        cells = [
            [Piece(text=text, superscript=superscript, bold=row in best.get(name, ()))]
            for row, (text, superscript) in enumerate(zip(texts, superscripts, strict=True))
        ]
        if (name, "low") in joined and (name, "high") in joined:
            for cell, low, high in zip(cells, joined[name, "low"], joined[name, "high"], strict=True):
                cell.append(Piece(text=_interval(field, low, high), small=True))
        columns.append(_Column(title=field.title(name), cells=tuple(map(tuple, cells)), is_text=field.kind == "text"))
    return columns


def _interval(field: Field, *ends: object) -> str:
    """Return an interval such as "20.10–21.30"; empty if it is undefined."""
    low, high = (format_cell(end, field.kind, field.decimals) for end in ends)  # pyright: ignore[reportArgumentType]
    if not low or not high:
        return ""
    return f"{low} to {high}" if MINUS in low + high else f"{low}\N{EN DASH}{high}"


def _notes(table: Table) -> tuple[str, ...]:
    """Return sentences on what is joined to cells."""
    notes: dict[str, None] = {}
    for field in table.columns.values():
        if field.joined is None or field.joined.column not in table.columns:
            continue
        if field.joined.place == "superscript":
            title = table.columns[field.joined.column].title(field.joined.column)
            meaning = field.label.removeprefix(title).strip()
            if any(map(str.isalpha, meaning)):  # a mark is explained in the caption
                notes[f"Superscript: {meaning}."] = None
        elif field.joined.place == "low":
            notes[f"Below a score: its {100 * CONFIDENCE:g}% interval."] = None
    return tuple(notes)


def _width(columns: Collection[_Column], style: _Type, limits: tuple[int, int]) -> float:
    """Return the estimated width in points of columns with lines of limited lengths."""
    total = 0.0
    for column in columns:
        title, cells = column.broken(*limits)
        widths = [style.factor * text_width(line) for line in title]
        widths += [_piece_width(piece, style) for cell in cells for piece in cell]
        total += max(widths, default=0.0) + 2 * style.separation_pt
    return total


def _piece_width(piece: Piece, style: _Type) -> float:
    factor = style.small_factor if piece.small else style.factor
    width = text_width(piece.text) * (BOLD if piece.bold else 1)
    return factor * (width + SUPERSCRIPT * text_width(piece.superscript))


def text_width(text: str) -> float:
    """Return the estimated width in points of a text in type of 10 points."""
    return sum(WIDTHS_PT.get(character, OTHER_WIDTH_PT) for character in text)


def _lines(text: str, max_length: int) -> tuple[str, ...]:
    """Break a text, at spaces and hyphens if possible."""
    text = " ".join(text.split())
    return (text,) if len(text) <= max_length else tuple(textwrap.wrap(text, max_length)) or ("",)
