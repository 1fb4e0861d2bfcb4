"""The form that asks what the columns of a table are."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from bleu_core.errors import BleuCoreError
from bleu_core.formats import FORMATS, MappedColumn, MappedRole, check_columns
from bleu_core.uploads import Entry, Workspace
from dashboard import analysis, session
from dashboard.literal import literal
from dashboard.views.data.analysis.formats import TABLE, TITLED, values_of_options
from dashboard.widgets import show_table

#: What a column can be, for people.
NOTHING = "not used"
CONTENTS: Mapping[str, MappedRole] = {
    "system": "system",
    "reference": "reference",
    "source": "source",
    "document id": "document",
    "label": "label",
    "rating": "rating",
}

#: The row of the headers where nobody chose one.
RECOGNISED = "recognised"
#: Columns that are asked about; a table with more is described on the command line.
MAX_COLUMNS = 40


def column_form(workspace: Workspace, position: int) -> None:
    """Show the first rows of a table, and ask what each of its columns is; nothing for other files.

    Args:
        workspace: the data.
        position: of the file among those of the session.
    """
    entry = workspace.entries[position]
    found = analysis.columns_of_file(entry)
    if found is None:
        return
    stamp = f"{position}-{entry.file.digest[:8]}"
    with st.expander(
        "What the columns are",
        expanded=analysis.needs_columns(entry, workspace),
        icon=":material/view_column:",
        key=f"columns-{stamp}",
    ):
        show_table(found.preview, key=f"beginning-{stamp}", alt="The first rows of the table")
        _header_row(position, entry, stamp)
        header = found.beginning.header
        if len(header) > MAX_COLUMNS:
            st.caption(f"A table of more than {MAX_COLUMNS} columns is described on the command line, by --columns.")
            return
        chosen = [
            _column(name, mapped, i + 1, f"{stamp}-{i}")
            for i, (name, mapped) in enumerate(zip(header, found.mapped, strict=True))
        ]
        with st.container(horizontal=True):
            if st.button("Use these columns", key=f"use-columns-{stamp}", type="primary"):
                _use(position, entry, chosen)
            if entry.file.columns:
                st.button(
                    "Use the headers",
                    on_click=session.change_file,
                    kwargs={"position": position, "columns": ()},
                    key=f"use-headers-{stamp}",
                    help="Lets the headers decide again what the columns are.",
                )


def _header_row(position: int, entry: Entry, stamp: str) -> None:
    """Ask for the row of the headers of a table in text; a sheet has that among its own options."""
    read = analysis.format_of(entry)
    titled = FORMATS[TITLED]
    if read is None or read.key != TABLE:
        return
    own = dict(entry.file.own).get("header", "")
    chosen = {"": RECOGNISED, "yes": "1"}.get(own, own)
    rows = [RECOGNISED, *values_of_options(entry, titled)["header"]]
    row = st.selectbox(
        titled.own["header"],
        rows,
        index=rows.index(chosen),
        key=f"header-row-{stamp}",
        width=140,
        help="The row that holds the headers, or no if the first row is a segment.",
    )
    if row != chosen:
        given = () if row == RECOGNISED else (("header", row),)
        session.change_file(position, format=titled.key if given else None, own=given)
        st.rerun()


def _column(header: str, mapped: MappedColumn | None, number: int, stamp: str) -> tuple[str, str, str, str]:
    """Boxes for one column: its header, what it is, its name, and the system that is rated."""
    with st.container(horizontal=True, vertical_alignment="bottom", key=f"column-{stamp}"):
        titles = [NOTHING, *CONTENTS]
        usual = NOTHING if mapped is None else next(title for title, role in CONTENTS.items() if role == mapped.role)
        title = st.selectbox(
            literal(header or f"column {number}"),
            titles,
            index=titles.index(usual),
            key=f"column-role-{stamp}",
            width=220,
        )
        name = system = ""
        if title in ("system", "reference", "label"):
            name = st.text_input(
                f"Name of the {title}",
                mapped.name if mapped else "",
                placeholder=header,
                key=f"column-name-{stamp}",
                width=220,
            )
        elif title == "rating":
            name = st.text_input("Judge", mapped.name if mapped else "", key=f"column-judge-{stamp}", width=160)
            system = st.text_input(
                "Rated system", mapped.system if mapped else "", key=f"column-rated-{stamp}", width=200
            )
    return header, title, name.strip(), system.strip()


def _use(position: int, entry: Entry, chosen: list[tuple[str, str, str, str]]) -> None:
    """Read the file with these columns; what is wrong with them is said."""
    try:
        columns = tuple(
            MappedColumn(header, CONTENTS[title], name, system)
            for header, title, name, system in chosen
            if title != NOTHING
        )
        check_columns(columns)
    except BleuCoreError as error:
        st.error(literal(str(error)))
        return
    key = entry.file.format
    container = key is not None and FORMATS[key].container  # what is in it is a table anyhow
    session.change_file(position, columns=columns, format=key if container else None)
    st.rerun()
