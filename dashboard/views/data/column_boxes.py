"""The form for the columns of a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bleu_core.errors import BleuCoreError
from bleu_core.formats import FORMATS, MappedColumn, MappedRole, check_columns
from bleu_core.uploads import Entry, Workspace
from dashboard import analysis, session
from dashboard.literal import literal
from dashboard.views.data.analysis.formats import TABLE, TITLED, values_of_options
from dashboard.views.data.sets import stamp_of_set
from dashboard.widgets import show_table

#: Label of the contents of a column -> its role.
NOTHING = "not used"
CONTENTS: Mapping[str, MappedRole] = {
    "system": "system",
    "reference": "reference",
    "source": "source",
    "document id": "document",
    "label": "label",
    "rating": "rating",
    "segment id": "id",
}

#: Label of the default row of headers.
RECOGNISED = "recognised"
#: Maximum number of columns of the form; tables with more are described on the command line.
MAX_COLUMNS = 40


def column_form(workspace: Workspace, position: int) -> None:
    """Show the first rows of a table, and a form for the contents of its columns; nothing for other files.

    Args:
        workspace: the data.
        position: of the file in the session.
    """
    entry = workspace.entries[position]
    columns = analysis.columns_of_file(entry)
    if columns is None:
        return
    stamp = f"{position}-{entry.file.digest[:8]}{stamp_of_set()}"
    with st.expander(
        "Contents of the columns",
        expanded=analysis.needs_columns(entry, workspace),
        icon=":material/view_column:",
        key=f"columns-{stamp}",
    ):
        show_table(columns.preview, key=f"beginning-{stamp}", alt="The first rows of the table")
        _header_row(position, entry, stamp)
        header = columns.beginning.header
        if len(header) > MAX_COLUMNS:
            st.caption(f"A table of more than {MAX_COLUMNS} columns is described on the command line, by --columns.")
            return
        assigned = [
            _column(name, mapped, i + 1, f"{stamp}-{i}")
            for i, (name, mapped) in enumerate(zip(header, columns.mapped, strict=True))
        ]
        with st.container(horizontal=True):
            if st.button("Use these columns", key=f"use-columns-{stamp}", type="primary"):
                _use(position, entry, assigned)
            if entry.file.columns:
                st.button(
                    "Use the headers",
                    on_click=session.change_file,
                    kwargs={"position": position, "columns": ()},
                    key=f"use-headers-{stamp}",
                    help="Uses the headers again to identify the columns.",
                )


def file_box(key: str, value: Any) -> str:
    """Set a box to the file's value where that has changed, maybe in another box, and return the box's key.

    Otherwise the box would set the file back to the box's own former value.
    """
    known = f"{key}-known"
    if session.control_value(key) is None or session.control_value(known) != value:
        session.set_controls(**{key: value, known: value})
    return key


def _header_row(position: int, entry: Entry, stamp: str) -> None:
    """Draw a box for the row of the headers of a table in text; for sheets, this is an option of the format."""
    read = analysis.format_of(entry)
    titled = FORMATS[TITLED]
    if read is None or read.key != TABLE:
        return
    own = entry.file.own.get("header", "")
    current = {"": RECOGNISED, "yes": "1"}.get(own, own)
    rows = [RECOGNISED, *values_of_options(entry, titled)["header"]]
    row = st.selectbox(
        titled.own["header"],
        rows,
        key=file_box(f"header-row-{stamp}", current),
        width=140,
        help="The row that holds the headers, or no if the first row is a segment.",
    )
    if row != current:
        options = {} if row == RECOGNISED else {"header": row}
        session.change_file(position, format=titled.key if options else None, own=options)
        st.rerun()


def _column(header: str, mapped: MappedColumn | None, number: int, stamp: str) -> tuple[str, str, str, str]:
    """Draw boxes for one column: its header, contents, name, and the system that is rated."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"column-{stamp}"):
        titles = [NOTHING, *CONTENTS]
        default = NOTHING if mapped is None else next(title for title, role in CONTENTS.items() if role == mapped.role)
        title = st.selectbox(
            literal(header or f"column {number}"),
            titles,
            key=file_box(f"column-role-{stamp}", default),
            width=220,
        )
        name = system = ""
        if title in ("system", "reference", "label"):
            name = st.text_input(
                f"Name of the {title}",
                placeholder=header,
                key=file_box(f"column-name-{stamp}", mapped.name if mapped else ""),
                width=220,
            )
        elif title == "rating":
            box = file_box(f"column-judge-{stamp}", mapped.name if mapped else "")
            name = st.text_input("Judge", key=box, width=160)
            box = file_box(f"column-rated-{stamp}", mapped.system if mapped else "")
            system = st.text_input("Rated system", key=box, width=200)
    return header, title, name.strip(), system.strip()


def _use(position: int, entry: Entry, assigned: list[tuple[str, str, str, str]]) -> None:
    """Read the file with these columns, or show what is wrong with them."""
    try:
        columns = tuple(
            MappedColumn(header, CONTENTS[title], name, system)
            for header, title, name, system in assigned
            if title != NOTHING
        )
        check_columns(columns)
    except BleuCoreError as error:
        st.error(literal(str(error)))
        return
    key = entry.file.format
    container = key is not None and FORMATS[key].container  # its content is a table in any case
    session.change_file(position, columns=columns, format=key if container else None)
    st.rerun()
