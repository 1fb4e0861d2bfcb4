"""Charts, tables and their downloads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import partial
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.fields import Field, Table
from bleu_core.results.encoding import Json, to_json
from bleu_core.results.envelope import Envelope
from bleu_core.results.latex import PAGE_ROWS, Layout, caption_of, to_latex
from bleu_core.results.table import formatted, to_frame, to_tsv, to_xlsx
from dashboard import analysis, session
from dashboard.exhibits import Exhibit
from dashboard.export import printed_table
from dashboard.literal import literal
from dashboard.plots.theme import DARK_INK, LIGHT_INK, NEUTRAL, Style, config
from dashboard.widgets.figure_downloads import figure_files

if TYPE_CHECKING:
    import plotly.graph_objects as go

R = TypeVar("R")

#: For figures that draw no systems.
NO_STYLES: Mapping[str, Style] = MappingProxyType({})

#: Tables of up to this many rows do not scroll.
MAX_ROWS = 30

#: The most rows that are printed with a page.
MAX_PRINTED = 200

#: Pixels: where a table of pairs, of judges or of metrics begins to scroll.
LONG_TABLE_HIGH = 460

#: Pixels; Streamlit's own row height, and the height of tables that scroll.
ROW_HEIGHT, MAX_TABLE_HEIGHT = 35, 35 * (MAX_ROWS + 1) + 3

#: Pixels: the width of tables on a laptop's screen, and on a phone's.
NARROW, PHONE = 900, 390

#: Pixels: a character and what surrounds a cell's text, and what a column of text takes at most.
CHARACTER_WIDE, CELL_PADDING, MAX_COLUMN_WIDTH = 7, 20, 320

MIME_TYPES = {
    ".tsv": "text/tab-separated-values",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
    ".json": "application/json",
    ".html": "text/html",
    ".zip": "application/zip",
    ".toml": "application/toml",
    ".csv": "text/csv",
    ".db": "application/vnd.sqlite3",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

#: Layouts of tables in LaTeX that fit on a page, and of longer ones: the button, and the end of the file's name.
SHORT_LAYOUTS: Mapping[Layout, tuple[str, str]] = MappingProxyType({"table": ("Table (LaTeX)", "")})
LONG_LAYOUTS: Mapping[Layout, tuple[str, str]] = MappingProxyType(
    {
        "longtable": ("Table (LaTeX, one column)", ""),
        "two columns": ("Table (LaTeX, two columns)", "-two-columns"),
    }
)

#: Beside files whose cells are exact, which a spreadsheet may take for formulas.
TSV_HELP = (
    "For programs: cells are written exactly. For a spreadsheet choose XLSX, in which no cell is read as a formula."
)

DATA_HELP = "For programs: cells are written exactly, and a spreadsheet may read some as formulas."


def chart(
    figure: go.Figure,
    data: Table | Callable[[], Table] | None,
    *,
    key: str,
    alt: str,
    on_pick: Callable[[Any], None] | None = None,
    hint: str = "",
    on_stretch: Callable[[float, float], None] | None = None,
) -> None:
    """Show a figure, with its data one click away.

    Args:
        figure: what to draw.
        data: the numbers behind it; a function where there are many, called when they are asked for; None where they
            stand in a table below.
        key: of the chart; names the download too.
        alt: what the figure shows, for those who cannot see it.
        on_pick: called with the customdata of a point that is clicked, before the page is drawn again.
        hint: what a click does, shown below the figure.
        on_stretch: called with both ends of a stretch of the x axis that is selected, before the page is drawn again.
    """
    dark = st.context.theme.type == "dark"
    if not dark:  # Streamlit's own is too pale to be read in print
        figure.update_xaxes(tickfont_color=DARK_INK, title_font_color=DARK_INK)
        figure.update_yaxes(tickfont_color=DARK_INK, title_font_color=DARK_INK)
        figure.update_layout(font_color=DARK_INK)
    if session.selection().descriptive:
        for kind in ("bar", "scatter"):
            figure.update_traces(error_x_color=NEUTRAL, error_y_color=NEUTRAL, selector={"type": kind})
    else:
        ink = LIGHT_INK if dark else DARK_INK  # of error bars, half of which lie on bars
        figure.update_traces(error_x_color=ink, error_y_color=ink, selector={"type": "bar"})
    shown: dict[str, Any] = {"key": key, "config": config(key), "alt": alt}
    with st.container(key=f"chart-{key}"):
        if on_pick is not None:
            shown |= {
                "on_select": partial(_point_picked, key, session.callback(key, on_pick)),
                "selection_mode": "points",
            }
        if on_stretch is not None:
            shown |= {
                "on_select": partial(_stretch_picked, key, session.callback(key, on_stretch)),
                "selection_mode": "box",
            }
        st.plotly_chart(figure, **shown)
        if hint:
            st.caption(hint)
        with _menu("Download figure", f"figure-menu-{key}"):
            if data is not None:
                file_download("Data (TSV)", partial(table_tsv, data), f"{key}.tsv", key=f"data-{key}", help=DATA_HELP)
            figure_files(key, figure)


def show(
    exhibit: Exhibit[R],
    result: R,
    styles: Mapping[str, Style] = NO_STYLES,
    *,
    alt: str,
    key: str = "",
    data: Callable[[], Table] | None = None,
    on_pick: Callable[[Any], None] | None = None,
    hint: str = "",
    on_stretch: Callable[[float, float], None] | None = None,
    **choices: Any,
) -> None:
    """Show the figure of an exhibit, with its data one click away.

    Args:
        exhibit: what is shown.
        result: of the exhibit.
        styles: of the systems, where the figure draws systems.
        alt: as in chart.
        key: of the chart; that of the exhibit if empty.
        data: makes the numbers behind the figure, when they are asked for; None for the exhibit's table.
        on_pick: as in chart.
        hint: as in chart.
        on_stretch: as in chart.
        choices: of the page's readers, which the figure takes.
    """
    figure = exhibit.drawn(result, styles, **choices)
    chart(
        figure,
        data or partial(exhibit.table, result),
        key=key or exhibit.key,
        alt=alt,
        on_pick=on_pick,
        hint=hint,
        on_stretch=on_stretch,
    )


def table(
    data: Table,
    *,
    key: str,
    alt: str,
    highest: int = MAX_TABLE_HEIGHT,
    on_pick: Callable[[int], None] | None = None,
    picked: int | None = None,
    ticked: Collection[int] | None = None,
    hint: str = "",
    bars: Collection[str] = (),
) -> tuple[int, ...]:
    """Show a table of results; cells and headers are literal text.

    Args:
        data: the rows.
        key: of the table.
        alt: what it shows, for those who cannot see it.
        highest: pixels, of a table with more rows than MAX_ROWS.
        on_pick: called with the number of a row that is chosen, from 0, before the page is drawn again.
        picked: the row that is shown as chosen.
        ticked: the rows that are ticked at first, where several can be; None where rows have no ticks.
        hint: what choosing a row does, shown below the table.
        bars: columns of fractions that are drawn as bars, full at 1.

    Returns:
        The rows that are ticked, from 0, ascending.
    """
    selection: dict[str, Any] = {}
    if on_pick is not None:
        # Another row that is shown as chosen makes another widget: one's selection cannot be set.
        of_row = f"{key}-{picked}"
        selection |= {
            "key": of_row,
            "on_select": partial(_row_picked, of_row, session.callback(of_row, on_pick)),
            "selection_mode": "single-row-required" if picked is not None else "single-row",
            "selection_default": {"selection": {"rows": [] if picked is None else [picked]}},
        }
    if ticked is not None:
        # Other rows make another widget: ticks belong to the rows for which they were set.
        of_rows = hashlib.blake2b(repr(data.for_people().rows).encode(), digest_size=8).hexdigest()
        selection |= {
            "key": f"{key}-{of_rows}",
            "on_select": "rerun",
            "selection_mode": "multi-row",
            "selection_default": {"selection": {"rows": sorted(ticked)}},
        }
    event = _draw_table(data, selection, key=key, alt=alt, highest=highest, hint=hint, bars=bars)
    return tuple(sorted(event["selection"]["rows"])) if ticked is not None else ()


def pick_table(
    data: Table,
    *,
    key: str,
    alt: str,
    on_pick: Callable[[int | None], None],
    picked: int | None = None,
    hint: str = "",
) -> None:
    """Show a table in which a click anywhere in a row, or the arrow keys, choose the row; Escape chooses none.

    Args:
        data: the rows.
        key: of the table.
        alt: what it shows, for those who cannot see it.
        on_pick: called with the number of the row that is chosen, from 0, or None, before the page is drawn again.
        picked: the row that is shown as chosen.
        hint: what choosing a row does, shown below the table.
    """
    widget = f"{key}-rows"
    # The widget stays the same, so that the keyboard stays where it is; its mark follows the row that was chosen.
    selected = session.get(widget)
    cells = [] if selected is None else [cell for cell in selected["selection"]["cells"] if cell[0] == picked]
    rows = [] if picked is None else [picked]
    session.put(**{widget: {"selection": {"rows": rows, "columns": [], "cells": cells}}})
    selection: dict[str, Any] = {
        "key": widget,
        "on_select": partial(_cell_picked, widget, session.callback(widget, on_pick)),
        "selection_mode": ["single-row", "single-cell"],
    }
    _draw_table(data, selection, key=key, alt=alt, hint=hint)


def _draw_table(
    data: Table,
    selection: Mapping[str, Any],
    *,
    key: str,
    alt: str,
    highest: int = MAX_TABLE_HEIGHT,
    hint: str = "",
    bars: Collection[str] = (),
) -> Any:
    """Show a table of results; the arguments are those of table, and what Streamlit is told of its selection."""
    data = data.for_people()
    frame = to_frame(data)
    by_column = dict(zip(data.columns, zip(*formatted(data), strict=True), strict=True)) if data.rows else {}
    for name in bars:
        frame[name] *= 100
    columns: dict[str, Any] = {}
    wide = 0
    for name, column in data.columns.items():
        title, explained = column.title(name), literal(column.help) or None
        cells = by_column.get(name, ())
        wide += min(CHARACTER_WIDE * max(map(len, [title, *cells])) + CELL_PADDING, MAX_COLUMN_WIDTH)
        columns[name] = _shown_as(title, explained, cells, kind="bar" if name in bars else column.kind)
    # What is seen is the text, what is sorted by a click on a header is the number.
    seen = {name: dict(zip(frame[name], texts_of, strict=True)) for name, texts_of in by_column.items()}
    styled = frame.style.format({name: partial(_text_of, texts) for name, texts in seen.items() if name not in bars})
    inferred: list[Hashable] = [name for name, column in data.columns.items() if _is_inferred(name, column)]
    if inferred and session.selection().descriptive:
        styled = styled.set_properties(subset=inferred, color=NEUTRAL)
    rows_high = ROW_HEIGHT * (len(frame) + 1) + 3  # a header, and the borders
    height = rows_high if len(frame) <= MAX_ROWS else min(rows_high, highest)
    shown: dict[str, Any] = {"hide_index": True, "column_config": columns, "alt": alt, "placeholder": "–"}
    with st.container(key=f"table-{key}"):
        event = st.dataframe(styled, height=height, **shown, **selection)
        if hint:
            st.caption(hint)
        hidden = len(frame) - (height - 3) // ROW_HEIGHT + 1
        if hidden > 0:
            st.caption(f"Scroll for {hidden:,} more {plural(hidden, 'row')}.")
        if wide > PHONE:  # page.css hides it where the columns fit
            with st.container(key=f"sideways-{'laptop' if wide > NARROW else 'phone'}-{key}"):
                st.caption(f"Scroll sideways for all {len(data.columns)} columns.")
        st.html(f'<div class="printed">{printed_table(data, MAX_PRINTED)}</div>')  # page.css shows it on paper only
    return event


def _shown_as(title: str, explained: str | None, cells: Iterable[object], *, kind: str) -> Any:
    """How Streamlit shows a column of a kind; "bar" for percentages as bars."""
    if kind == "bar":
        return st.column_config.ProgressColumn(title, help=explained, format="%.0f%%", max_value=100)
    if kind == "text":
        return st.column_config.TextColumn(title, help=explained, width=_width(title, cells))
    return st.column_config.NumberColumn(title, help=explained)


def downloads(
    data: Table,
    *,
    key: str,
    content: Envelope | Json | None = None,
    of_texts: bool = True,
    ranks: bool = True,
    escaped: bool = False,
    caption: str = "",
) -> None:
    """Offer a table as TSV and XLSX (all digits) and LaTeX, and the command line's JSON where there is one.

    Args:
        data: the table.
        key: names the files.
        content: of the JSON.
        of_texts: whether it is about the texts, of which a slice may be chosen, and not about counts files.
        ranks: whether the JSON ranks systems, and so names the human translations that are not ranked.
        escaped: whether the TSV is safe for spreadsheets, as `to_tsv` has it.
        caption: in LaTeX, as under "To quote" on the page; follows from the content if empty.
    """
    if isinstance(content, Envelope) and of_texts:
        content = analysis.with_choices(content, session.current_workspace(), session.selection(), ranks=ranks)
    with _menu("Download table", f"downloads-{key}"):
        file_download(
            "Table (TSV)", partial(table_tsv, data, escaped=escaped), f"{key}.tsv", key=f"tsv-{key}", help=TSV_HELP
        )
        file_download("Table (XLSX)", partial(to_xlsx, data), f"{key}.xlsx", key=f"xlsx-{key}")
        layouts = LONG_LAYOUTS if len(data.rows) > PAGE_ROWS else SHORT_LAYOUTS
        for layout, (title, suffix) in layouts.items():
            latex = partial(_latex_of, data, key, content, caption=caption, layout=layout)
            file_download(title, latex, f"{key}{suffix}.tex", key=f"tex{suffix}-{key}")
        if content is not None:
            file_download("Table (JSON)", partial(_json_of, content), f"{key}.json", key=f"json-{key}")


def _menu(title: str, key: str) -> Any:
    """A button that opens a menu of downloads; the key is that of what is around it."""
    return st.container(key=key).popover(title, type="tertiary", icon=":material/download:")


def file_download(
    title: str,
    content: Callable[[], bytes],
    file_name: str,
    *,
    key: str,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    kind: Literal["primary", "tertiary"] = "tertiary",
) -> None:
    """Offer a file, whose bytes are made when they are asked for."""
    st.download_button(
        title,
        content,
        file_name=file_name,
        mime=MIME_TYPES[PurePath(file_name).suffix],
        key=key,
        on_click="ignore",
        help=help,
        type=kind,
        icon=":material/download:",
    )


def json_bytes(content: Json) -> bytes:
    """A JSON file, for people and programs."""
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")


def _width(title: str, cells: Iterable[object]) -> int | None:
    """Pixels for a column whose longest text Streamlit would cut, as it is far longer than most; else its choice."""
    lengths = [len(str(cell)) for cell in cells]
    if not lengths or max(lengths) < max(2 * sum(lengths) / len(lengths), len(title) + 1):
        return None
    return min(CHARACTER_WIDE * max(lengths) + CELL_PADDING, MAX_COLUMN_WIDTH)


def _is_inferred(name: str, column: Field) -> bool:
    """Whether a column holds p-values, what follows from them, or the ends of intervals."""
    return column.kind == "p" or name.rsplit("_", maxsplit=1)[-1] in ("low", "high", "verdict")


def _text_of(texts: Mapping[object, str], value: object) -> str:
    """What people read of a value; nothing of one that is not a number, which equals none."""
    return texts.get(value, "")


def _point_picked(key: str, on_pick: Callable[[Any], None]) -> None:
    points = session.get(key)["selection"]["points"]
    if points:  # none when a selection is taken back
        on_pick(points[0]["customdata"])


def _stretch_picked(key: str, on_stretch: Callable[[float, float], None]) -> None:
    boxes = session.get(key)["selection"]["box"]
    if boxes:  # none when a selection is taken back
        on_stretch(min(boxes[0]["x"]), max(boxes[0]["x"]))


def _row_picked(key: str, on_pick: Callable[[int], None]) -> None:
    rows = session.get(key)["selection"]["rows"]
    if rows:
        on_pick(rows[0])


def _cell_picked(key: str, on_pick: Callable[[int | None], None]) -> None:
    found = session.get(key)["selection"]
    rows = [row for row, _ in found["cells"]] or found["rows"]
    on_pick(rows[0] if rows else None)


def table_tsv(data: Table | Callable[[], Table], *, escaped: bool = False) -> bytes:
    """A table as TSV, with all digits; safe for spreadsheets if `escaped`."""
    return to_tsv(data if isinstance(data, Table) else data(), escaped=escaped).encode("utf-8", "surrogatepass")


def _latex_of(data: Table, key: str, content: Envelope | Json | None, *, caption: str, layout: Layout) -> bytes:
    """A table in LaTeX with its caption: that which the page has to quote, else one that follows from the content."""
    if not caption:
        title = key.replace("-", " ").capitalize()
        caption = caption_of(content, title) if isinstance(content, Envelope) else f"{title}."
    return to_latex(data, caption, key, layout=layout).encode("utf-8", "surrogatepass")


def _json_of(content: Envelope | Json) -> bytes:
    return json_bytes(to_json(content))
