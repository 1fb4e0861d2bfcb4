"""Charts, tables and their downloads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.fields import Field, Table
from bleu_core.results.encoding import Json, to_json
from bleu_core.results.envelope import Envelope, slice_report, with_slice
from bleu_core.results.latex import PAGE_ROWS, Layout, caption_of, to_latex
from bleu_core.results.markdown import to_markdown
from bleu_core.results.table import best_rows, formatted, to_frame, to_tsv, to_xlsx
from dashboard import analysis, session
from dashboard.exhibits import Exhibit
from dashboard.export import printed_table
from dashboard.literal import literal
from dashboard.plots import theme
from dashboard.plots.theme import DARK_INK, LIGHT_INK, NEUTRAL, Style, config
from dashboard.widgets.figure_downloads import figure_files, name_in_slice
from dashboard.widgets.slice_filter import described_slice

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

R = TypeVar("R")

#: Styles of figures without systems.
NO_STYLES: Mapping[str, Style] = MappingProxyType({})

#: Weight of the font of the best values of a column, and what it means.
BOLD = "700"
BEST = "Bold: the best value of a column; equal values are all bold."
BEST_RANKED = "Bold: the best value of a column among the ranked systems; equal values are all bold."

#: Maximum number of rows of a table that does not scroll.
MAX_ROWS = 30

#: Maximum number of rows that are printed with a page.
MAX_PRINTED = 200

#: Height in pixels at which a table of pairs, of judges or of metrics begins to scroll.
LONG_TABLE_HEIGHT_PX = 460

#: Streamlit's row height, and the height of tables that scroll.
ROW_HEIGHT_PX, MAX_TABLE_HEIGHT_PX = 35, 35 * (MAX_ROWS + 1) + 3

#: Width of tables on a laptop's screen, and on a phone's.
LAPTOP_WIDTH_PX, PHONE_WIDTH_PX = 900, 390

#: Width of a character, the padding of a cell, and the maximum width of a column of text.
CHARACTER_WIDTH_PX, CELL_PADDING_PX, MAX_COLUMN_WIDTH_PX = 7, 20, 320

#: Maximum widths of a column that stays in view, which leaves room for others on a phone, and of columns beside it.
MAX_PINNED_WIDTH_PX, MAX_NUMBER_WIDTH_PX = 150, 170

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

#: LaTeX layouts of tables that fit on a page, and of longer ones: label of the button, and end of the file's name.
SHORT_LAYOUTS: Mapping[Layout, tuple[str, str]] = MappingProxyType({"table": ("Table (LaTeX)", "")})
LONG_LAYOUTS: Mapping[Layout, tuple[str, str]] = MappingProxyType(
    {
        "longtable": ("Table (LaTeX, one column)", ""),
        "two columns": ("Table (LaTeX, two columns)", "-two-columns"),
    }
)

#: Help of files whose cells are exact, and could be interpreted as formulas by a spreadsheet.
TSV_HELP = (
    "For programs: cells are written exactly. For a spreadsheet choose XLSX, in which no cell is read as a formula."
)

DATA_HELP = "For programs: cells are written exactly, and a spreadsheet may read some as formulas."


def show_chart(
    figure: go.Figure,
    data: Table | Callable[[], Table] | None,
    *,
    key: str,
    alt: str,
    on_pick: Callable[[Any], None] | None = None,
    hint: str = "",
    on_stretch: Callable[[float, float], None] | None = None,
    within: str | None = None,
) -> None:
    """Show a figure, with downloads of its data.

    Args:
        figure: what to draw.
        data: the numbers of the figure; a function where there are many, called on download; None where a table
            below shows them.
        key: of the chart, and name of the download.
        alt: alternative text.
        on_pick: called with the customdata of a point that is clicked, before the page is drawn again.
        hint: effect of a click, shown below the figure.
        on_stretch: called with both ends of a selected range of the x axis, before the page is drawn again.
        within: the slice that the figure is of, as files name it; that of the test set that is shown if None.
    """
    dark = st.context.theme.type == "dark"
    if not dark:  # Streamlit's colour is too pale in print
        theme.color_text(figure, DARK_INK)
    if session.selection().descriptive:
        theme.color_error_bars(figure, NEUTRAL, kinds=("bar", "scatter"))
    else:  # half of an error bar overlaps a bar
        theme.color_error_bars(figure, LIGHT_INK if dark else DARK_INK, kinds=("bar",))
    within = described_slice() if within is None else within
    name = name_in_slice(key, within)
    shown: dict[str, Any] = {"key": key, "config": config(name), "alt": alt}
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
                file_download("Data (TSV)", partial(table_tsv, data), f"{name}.tsv", key=f"data-{key}", help=DATA_HELP)
            figure_files(key, figure, within)


def show_exhibit(
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
    within: str | None = None,
    **choices: Any,
) -> None:
    """Show the figure of an exhibit, with downloads of its data.

    Args:
        exhibit: the exhibit.
        result: its result.
        styles: of the systems, where the figure draws systems.
        alt: as in show_chart.
        key: of the chart; that of the exhibit if empty.
        data: returns the numbers of the figure, called on download; None for the exhibit's table.
        on_pick: as in show_chart.
        hint: as in show_chart.
        on_stretch: as in show_chart.
        within: as in show_chart.
        choices: display options of the figure, set by controls of the page.
    """
    figure = exhibit.drawn(result, styles, **choices)
    show_chart(
        figure,
        data or partial(exhibit.table, result),
        key=key or exhibit.key,
        alt=alt,
        on_pick=on_pick,
        hint=hint,
        on_stretch=on_stretch,
        within=within,
    )


def show_table(
    data: Table,
    *,
    key: str,
    alt: str,
    max_height: int = MAX_TABLE_HEIGHT_PX,
    on_pick: Callable[[int], None] | None = None,
    picked: int | None = None,
    ticked: Collection[int] | None = None,
    hint: str = "",
    bars: Collection[str] = (),
    bold_best: bool = False,
) -> tuple[int, ...]:
    """Show a table of results; cells and headers are literal text.

    Args:
        data: the rows.
        key: of the table.
        alt: alternative text.
        max_height: in pixels, of a table with more rows than MAX_ROWS.
        on_pick: called with the number of a selected row, from 0, before the page is drawn again.
        picked: the row that is shown as selected.
        ticked: the rows that are initially ticked; None where rows have no checkboxes.
        hint: effect of selecting a row, shown below the table.
        bars: columns of fractions that are drawn as bars, full at 1.
        bold_best: whether the best value of a column is bold where the column declares which values are best.

    Returns:
        The rows that are ticked, from 0, ascending.
    """
    selection: dict[str, Any] = {}
    if on_pick is not None:
        # Another selected row makes another widget, as the selection of a widget cannot be set.
        widget = f"{key}-{picked}"
        selection |= {
            "key": widget,
            "on_select": partial(_row_picked, widget, session.callback(widget, on_pick)),
            "selection_mode": "single-row-required" if picked is not None else "single-row",
            "selection_default": {"selection": {"rows": [] if picked is None else [picked]}},
        }
    if ticked is not None:
        # Other rows make another widget: ticks belong to the rows for which they were set.
        rows_digest = hashlib.blake2b(repr(data.for_people().rows).encode(), digest_size=8).hexdigest()
        selection |= {
            "key": f"{key}-{rows_digest}",
            "on_select": "rerun",
            "selection_mode": "multi-row",
            "selection_default": {"selection": {"rows": sorted(ticked)}},
        }
    event = _draw_table(
        data, selection, key=key, alt=alt, max_height=max_height, hint=hint, bars=bars, bold_best=bold_best
    )
    return tuple(sorted(event["selection"]["rows"])) if ticked is not None else ()


def show_selectable_table(
    data: Table,
    *,
    key: str,
    alt: str,
    on_pick: Callable[[int | None], None],
    picked: int | None = None,
    hint: str = "",
) -> None:
    """Show a table in which a click in a row, or the arrow keys, select the row; Escape selects none.

    Args:
        data: the rows.
        key: of the table.
        alt: alternative text.
        on_pick: called with the number of the selected row, from 0, or None, before the page is drawn again.
        picked: the row that is shown as selected.
        hint: effect of selecting a row, shown below the table.
    """
    widget = f"{key}-rows"
    # The widget stays the same, so that it keeps the keyboard focus; its mark follows the selected row.
    selected = session.control_value(widget)
    cells = [] if selected is None else [cell for cell in selected["selection"]["cells"] if cell[0] == picked]
    rows = [] if picked is None else [picked]
    session.set_controls(**{widget: {"selection": {"rows": rows, "columns": [], "cells": cells}}})
    selection: dict[str, Any] = {
        "key": widget,
        "on_select": partial(_cell_picked, widget, session.callback(widget, on_pick)),
        "selection_mode": ["single-row", "single-cell"],
    }
    _draw_table(data, selection, key=key, alt=alt, hint=hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """The looks of the cells of a table, beyond those of the kinds of its columns.

    Attributes:
        texts: column -> the text of each of its cells; a click on the header still sorts by the numbers.
        styles: column -> CSS of each of its cells.
        pinned: a column that stays in view while the others scroll.
        printed: the table that is printed with the page; None for the table itself.
    """

    texts: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    styles: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    pinned: str = ""
    printed: Table | None = None


NO_LOOKS = Looks()


def show_cells(data: Table, looks: Looks, *, key: str, alt: str, hint: str = "") -> tuple[int, str] | None:
    """Show a table of which a cell can be selected, by a click or with the arrow keys.

    Args:
        data: the rows.
        looks: of the cells.
        key: of the table.
        alt: alternative text.
        hint: effect of selecting a cell, shown below the table.

    Returns:
        The row, from 0, and the column of the selected cell; None if none is selected.
    """
    selection = {"key": f"{key}-cells", "on_select": "rerun", "selection_mode": "single-cell"}
    event = _draw_table(data, selection, key=key, alt=alt, hint=hint, bold_best=True, looks=looks)
    cells = event["selection"]["cells"]
    row, column = cells[0] if cells else (-1, "")
    return (row, column) if 0 <= row < len(data.rows) and column in data.columns else None


def _draw_table(
    data: Table,
    selection: Mapping[str, Any],
    *,
    key: str,
    alt: str,
    max_height: int = MAX_TABLE_HEIGHT_PX,
    hint: str = "",
    bars: Collection[str] = (),
    bold_best: bool = False,
    looks: Looks = NO_LOOKS,
) -> Any:
    """Show a table of results; the arguments are those of show_table, and Streamlit's arguments of its selection."""
    data = data.for_people()
    frame = to_frame(data)
    by_column = dict(zip(data.columns, zip(*formatted(data), strict=True), strict=True)) if data.rows else {}
    by_column |= {name: tuple(texts) for name, texts in looks.texts.items() if name in by_column}
    for name in bars:
        frame[name] *= 100
    columns: dict[str, Any] = {}
    width = 0
    for name, column in data.columns.items():
        title, help_text = column.title(name), literal(column.help) or None
        cells = by_column.get(name, ())
        width += min(CHARACTER_WIDTH_PX * max(map(len, [title, *cells])) + CELL_PADDING_PX, MAX_COLUMN_WIDTH_PX)
        columns[name] = _column_config(title, help_text, cells, kind="bar" if name in bars else column.kind)
        if looks.pinned:
            columns[name] |= _beside_pinned([title, *cells], pinned=name == looks.pinned)
    styled = _styled(frame, {name: texts for name, texts in by_column.items() if name not in bars}, looks)
    inferred: list[Hashable] = [name for name, column in data.columns.items() if _is_inferred(name, column)]
    best = best_rows(data) if bold_best else {}
    for name, rows in best.items():
        styled = styled.set_properties(subset=(sorted(rows), [name]), **{"font-weight": BOLD})
    if best:
        hint = f"{BEST_RANKED if any(data.columns[name].unranked for name in best) else BEST} {hint}".strip()
    if inferred and session.selection().descriptive:
        styled = styled.set_properties(subset=inferred, color=NEUTRAL)
    rows_height = ROW_HEIGHT_PX * (len(frame) + 1) + 3  # a header, and the borders
    height = rows_height if len(frame) <= MAX_ROWS else min(rows_height, max_height)
    shown: dict[str, Any] = {"hide_index": True, "column_config": columns, "alt": alt, "placeholder": "–"}
    with st.container(key=f"table-{key}"):
        event = st.dataframe(styled, height=height, **shown, **selection)
        if hint:
            st.caption(hint)
        hidden = len(frame) - (height - 3) // ROW_HEIGHT_PX + 1
        if hidden > 0:
            st.caption(f"Scroll for {hidden:,} more {plural(hidden, 'row')}.")
        if width > PHONE_WIDTH_PX:  # page.css hides it where the columns fit
            with st.container(key=f"sideways-{'laptop' if width > LAPTOP_WIDTH_PX else 'phone'}-{key}"):
                st.caption(f"Scroll sideways for all {len(data.columns)} columns.")
        st.html(
            f'<div class="printed">{printed_table(looks.printed or data, MAX_PRINTED, bold_best=bold_best)}</div>'
        )  # shown only in print
    return event


def _beside_pinned(texts: Sequence[str], *, pinned: bool) -> Mapping[str, object]:
    """Return Streamlit's configuration of the width of a column in a table with a column that stays in view."""
    width = CHARACTER_WIDTH_PX * max(map(len, texts)) + 2 * CELL_PADDING_PX
    return {"pinned": pinned, "width": min(width, MAX_PINNED_WIDTH_PX if pinned else MAX_NUMBER_WIDTH_PX)}


def _styled(frame: pd.DataFrame, texts_of: Mapping[str, Sequence[str]], looks: Looks) -> Any:
    """Return a frame whose cells show texts, while a click on a header sorts by the numbers."""
    seen = {name: dict(zip(frame[name], texts, strict=True)) for name, texts in texts_of.items()}
    styled = frame.style.format({name: partial(_text_of, texts) for name, texts in seen.items()})
    for name in looks.texts.keys() & texts_of.keys():  # equal numbers may have different texts
        for rows, texts in _layers(list(frame[name]), texts_of[name]):
            styled = styled.format(partial(_text_of, texts), subset=(rows, [name]))
    styles = {name: list(css) for name, css in looks.styles.items() if name in frame}
    if styles:
        styled = styled.apply(lambda column: styles[str(column.name)], subset=list(styles))
    return styled


def _layers(values: Sequence[object], texts: Sequence[str]) -> list[tuple[list[int], dict[object, str]]]:
    """Divide rows so that equal values have equal texts in each part; return the rows of each, and value -> text."""
    layers: list[tuple[list[int], dict[object, str]]] = []
    for row, (value, text) in enumerate(zip(values, texts, strict=True)):
        layer = next((layer for layer in layers if layer[1].get(value, text) == text), None)
        if layer is None:
            layer = ([], {})
            layers.append(layer)
        layer[0].append(row)
        layer[1][value] = text
    return layers


def _column_config(title: str, help_text: str | None, cells: Iterable[object], *, kind: str) -> Any:
    """Return Streamlit's configuration of a column of a kind; "bar" for percentages as bars."""
    if kind == "bar":
        return st.column_config.ProgressColumn(title, help=help_text, format="%.0f%%", max_value=100)
    if kind == "text":
        return st.column_config.TextColumn(title, help=help_text, width=_width(title, cells))
    return st.column_config.NumberColumn(title, help=help_text)


def downloads(
    data: Table,
    *,
    key: str,
    content: Envelope | Json | Callable[[], object] | None = None,
    within: str | None = None,
    ranks: bool = True,
    escaped: bool = False,
    caption: str = "",
) -> None:
    """Offer a table as TSV and XLSX (all digits), LaTeX and Markdown, and the command line's JSON where there is one.

    Args:
        data: the table.
        key: name of the files.
        content: of the JSON, or a function that returns it, called on download.
        within: the slice that the table is of, as captions name it; that of the test set that is shown if None.
        ranks: whether the JSON ranks systems, and so names the human translations that are not ranked.
        escaped: whether the TSV is safe for spreadsheets, as in `to_tsv`.
        caption: in LaTeX, as under "To quote" on the page; made from the content if empty.
    """
    if within is None:
        within = described_slice()
        if isinstance(content, Envelope):
            chosen = session.current_workspace(), session.selection()
            content = analysis.with_assessment(analysis.with_choices(content, *chosen, ranks=ranks), *chosen)
        elif isinstance(content, dict) and within:  # a table without an envelope
            text_slice = analysis.slice_in_use(session.current_workspace(), session.selection())
            content = {"slice": to_json(slice_report(text_slice)), **content}
    name, note = name_in_slice(key, within), with_slice("", within)
    with _menu("Download table", f"downloads-{key}"):
        file_download(
            "Table (TSV)", partial(table_tsv, data, escaped=escaped), f"{name}.tsv", key=f"tsv-{key}", help=TSV_HELP
        )
        file_download("Table (XLSX)", partial(to_xlsx, data, note), f"{name}.xlsx", key=f"xlsx-{key}")
        layouts = LONG_LAYOUTS if len(data.rows) > PAGE_ROWS else SHORT_LAYOUTS
        for layout, (title, suffix) in layouts.items():
            latex = partial(_latex_of, data, key, content, caption=caption, layout=layout, within=within)
            file_download(title, latex, f"{name}{suffix}.tex", key=f"tex{suffix}-{key}")
        file_download("Table (Markdown)", partial(_markdown_of, data, note), f"{name}.md", key=f"md-{key}")
        if content is not None:
            file_download("Table (JSON)", partial(_json_of, content), f"{name}.json", key=f"json-{key}")


def _menu(title: str, key: str) -> Any:
    """Draw a button that opens a menu of downloads."""
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
    """Offer a file, whose bytes are made when it is downloaded."""
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
    """Return a JSON file, indented."""
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass")


def _width(title: str, cells: Iterable[object]) -> int | None:
    """Return a width in pixels for a column whose longest text Streamlit would cut; else None, for its default."""
    lengths = [len(str(cell)) for cell in cells]
    if not lengths or max(lengths) < max(2 * sum(lengths) / len(lengths), len(title) + 1):
        return None
    return min(CHARACTER_WIDTH_PX * max(lengths) + CELL_PADDING_PX, MAX_COLUMN_WIDTH_PX)


def _is_inferred(name: str, column: Field) -> bool:
    """Return whether a column holds p-values, verdicts, or the ends of intervals."""
    return column.kind == "p" or name.rsplit("_", maxsplit=1)[-1] in ("low", "high", "verdict")


def _text_of(texts: Mapping[object, str], value: object) -> str:
    """Return the displayed text of a value; none for NaN, which equals nothing."""
    return texts.get(value, "")


def _point_picked(key: str, on_pick: Callable[[Any], None]) -> None:
    points = session.control_value(key)["selection"]["points"]
    if points:  # none when a selection is removed
        on_pick(points[0]["customdata"])


def _stretch_picked(key: str, on_stretch: Callable[[float, float], None]) -> None:
    boxes = session.control_value(key)["selection"]["box"]
    if boxes:  # none when a selection is removed
        on_stretch(min(boxes[0]["x"]), max(boxes[0]["x"]))


def _row_picked(key: str, on_pick: Callable[[int], None]) -> None:
    rows = session.control_value(key)["selection"]["rows"]
    if rows:
        on_pick(rows[0])


def _cell_picked(key: str, on_pick: Callable[[int | None], None]) -> None:
    selection = session.control_value(key)["selection"]
    rows = [row for row, _ in selection["cells"]] or selection["rows"]
    on_pick(rows[0] if rows else None)


def table_tsv(data: Table | Callable[[], Table], *, escaped: bool = False) -> bytes:
    """Return a table as TSV, with all digits; safe for spreadsheets if `escaped`."""
    return to_tsv(data if isinstance(data, Table) else data(), escaped=escaped).encode("utf-8", "surrogatepass")


def _latex_of(data: Table, key: str, content: object, *, caption: str, layout: Layout, within: str) -> bytes:
    """Return a table in LaTeX with the given caption, else one made from the content; it names the slice."""
    if not caption:
        title = key.replace("-", " ").capitalize()
        caption = caption_of(content, title) if isinstance(content, Envelope) else f"{title}."
    return to_latex(data, with_slice(caption, within), key, layout=layout).encode("utf-8", "surrogatepass")


def _markdown_of(data: Table, note: str) -> bytes:
    return to_markdown(data, note).encode("utf-8", "surrogatepass")


def _json_of(content: object) -> bytes:
    return json_bytes(to_json(content() if callable(content) else content))
