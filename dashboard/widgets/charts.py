"""Charts, tables and their downloads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import pandas as pd
import streamlit as st

from bleu_core.fields import Table
from bleu_core.reports import (
    Envelope,
    Json,
    format_p,
    number_format,
    to_frame,
    to_json,
    to_latex,
    to_tsv,
    to_xlsx,
)
from dashboard import session
from dashboard.figures import CONFIG, DARK_INK

if TYPE_CHECKING:
    import plotly.graph_objects as go

#: Pixels; Streamlit's own row height, and where a table begins to scroll.
ROW_HEIGHT, HIGHEST_TABLE = 35, 1000

#: Pixels: a character and what surrounds a cell's text, and what a column of text takes at most.
CHARACTER_WIDE, CELL_PADDING, WIDEST_COLUMN = 7, 20, 320

MIME_TYPES = {
    ".tsv": "text/tab-separated-values",
    ".tex": "application/x-tex",
    ".json": "application/json",
    ".html": "text/html",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

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
) -> None:
    """Show a figure, with its data one click away.

    Args:
        figure: what to draw.
        data: the numbers behind it; a function where there are many, called when they are asked for; None where they
            stand in a table below.
        key: of the chart; names the download too.
        alt: what the figure shows, for those who cannot see it.
        on_pick: called with the customdata of a point that is clicked, before the page is drawn again.
    """
    if st.context.theme.type == "light":  # Streamlit's own is too pale to be read in print
        figure.update_xaxes(tickfont_color=DARK_INK, title_font_color=DARK_INK)
        figure.update_yaxes(tickfont_color=DARK_INK, title_font_color=DARK_INK)
        figure.update_layout(font_color=DARK_INK)
    with st.container(key=f"chart-{key}"):
        if on_pick is None:
            st.plotly_chart(figure, key=key, config=CONFIG, alt=alt)
        else:
            picked = partial(_point_picked, key, on_pick)
            st.plotly_chart(figure, key=key, config=CONFIG, alt=alt, on_select=picked, selection_mode="points")
        if data is not None:
            text = to_tsv(data) if isinstance(data, Table) else partial(_tsv_of, data)
            file_download("Data (TSV)", text, f"{key}.tsv", key=f"data-{key}", help=DATA_HELP)


def table(
    data: Table,
    *,
    key: str,
    alt: str,
    highest: int = HIGHEST_TABLE,
    on_pick: Callable[[int], None] | None = None,
    picked: int | None = None,
) -> None:
    """Show a table of results; cells and headers are literal text.

    Args:
        data: the rows.
        key: of the table.
        alt: what it shows, for those who cannot see it.
        highest: pixels, where the table begins to scroll.
        on_pick: called with the number of a row that is chosen, from 0, before the page is drawn again.
        picked: the row that is shown as chosen.
    """
    data = data.for_people()
    frame = to_frame(data)
    config: dict[str, Any] = {}
    for name, column in data.columns.items():
        title, explained = column.title(name), column.help or None
        if column.kind == "p":
            frame[name] = ["" if pd.isna(p) else format_p(p) for p in frame[name]]
        if column.kind in ("text", "p"):
            config[name] = st.column_config.TextColumn(title, help=explained, width=_width(title, frame[name]))
        else:
            config[name] = st.column_config.NumberColumn(title, help=explained, format=number_format(column.kind))
    rows_high = ROW_HEIGHT * (len(frame) + 1) + 3  # a header, and the borders
    shown: dict[str, Any] = {"hide_index": True, "column_config": config, "alt": alt, "placeholder": "–"}
    shown["height"] = min(rows_high, highest)
    with st.container(key=f"table-{key}"):
        if on_pick is None:
            st.dataframe(frame, **shown)
            return
        # Another row that is shown as chosen makes another widget: one's selection cannot be set.
        of_row = f"{key}-{picked}"
        st.dataframe(
            frame,
            key=of_row,
            on_select=partial(_row_picked, of_row, on_pick),
            selection_mode="single-row-required" if picked is not None else "single-row",
            selection_default={"selection": {"rows": [] if picked is None else [picked]}},
            **shown,
        )


def downloads(data: Table, *, key: str, content: Envelope | Json | None = None) -> None:
    """Offer a table as TSV and XLSX (all digits) and LaTeX, and the command line's JSON where there is one."""
    with st.container(horizontal=True, key=f"downloads-{key}"):
        file_download("Table (TSV)", to_tsv(data), f"{key}.tsv", key=f"tsv-{key}", help=TSV_HELP)
        file_download("Table (XLSX)", partial(to_xlsx, data), f"{key}.xlsx", key=f"xlsx-{key}")
        file_download("Table (LaTeX)", to_latex(data), f"{key}.tex", key=f"tex-{key}")
        if content is not None:
            file_download("Table (JSON)", to_json(content), f"{key}.json", key=f"json-{key}")


def file_download(
    title: str,
    text: str | Json | Callable[[], bytes],
    file_name: str,
    *,
    key: str,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> None:
    """Offer a file: text, what becomes JSON, or a function that makes bytes when they are asked for."""
    if isinstance(text, dict):
        text = json_text(text)
    st.download_button(
        title,
        text,
        file_name=file_name,
        mime=MIME_TYPES[PurePath(file_name).suffix],
        key=key,
        on_click="ignore",
        help=help,
        type="tertiary",
        icon=":material/download:",
    )


def json_bytes(content: Json) -> bytes:
    """A JSON file."""
    return json_text(content).encode("utf-8", "surrogatepass")


def json_text(content: Json) -> str:
    """JSON for people and programs."""
    return json.dumps(content, ensure_ascii=False, indent=1)


def _width(title: str, cells: Iterable[object]) -> int | None:
    """Pixels for a column whose longest text Streamlit would cut, as it is far longer than most; else its choice."""
    lengths = [len(str(cell)) for cell in cells]
    if not lengths or max(lengths) < max(2 * sum(lengths) / len(lengths), len(title) + 1):
        return None
    return min(CHARACTER_WIDE * max(lengths) + CELL_PADDING, WIDEST_COLUMN)


def _point_picked(key: str, on_pick: Callable[[Any], None]) -> None:
    points = session.get(key)["selection"]["points"]
    if points:  # none when a selection is taken back
        on_pick(points[0]["customdata"])


def _row_picked(key: str, on_pick: Callable[[int], None]) -> None:
    rows = session.get(key)["selection"]["rows"]
    if rows:
        on_pick(rows[0])


def _tsv_of(data: Callable[[], Table]) -> bytes:
    return to_tsv(data()).encode("utf-8", "surrogatepass")
