"""Data: add files, see what was read, correct it."""

from __future__ import annotations

import streamlit as st

from dashboard import state
from dashboard.tables import file_table
from dashboard.widgets import ROLE_CHOICES, literal, table, upload_form
from dashboard.workspace import Entry

HELP = {
    "holds": "What the file is taken for; can be changed below.",
    "empty": "Segments without any text.",
    "tokens": "Words between white space.",
    "repaired": "What was put right while reading.",
}


def render() -> None:
    """Take files in, report on each, and let each be corrected."""
    st.title("Data")
    link = state.unmatched_link()
    if link is not None:
        state.explain_link(link)
    _which()
    upload_form()
    for kind, message in state.notices():
        (st.error if kind == "error" else st.info)(literal(message))
    workspace = state.workspace()
    _status(workspace.entries)
    for entry in workspace.problems:
        st.error(literal(f"Set aside: {entry.problem}"))
    for entry in workspace.entries:
        for warning in entry.warnings:
            st.warning(literal(f"{entry.file.name}: {warning}"))
    if workspace.entries:
        st.subheader("Files", anchor=False)
        table(file_table(workspace), key="files", alt="What was found in each file", help_of=HELP)
    if state.dataset() == "own" and workspace.entries:
        _correct(workspace.entries)


def _which() -> None:
    """Say which data are shown, and the way to the others."""
    own = state.own_files()
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="which-data"):
        if state.dataset() == "sample":
            st.markdown(
                "You are looking at the **sample data**: synthetic news, five systems, four references, twenty judges. "
                "Add files below and they take its place."
            )
            if own:
                st.button("Back to my files", on_click=state.show_dataset, args=("own",), key="show-own")
        else:
            st.markdown("You are looking at **your own files**. They stay in this session and go nowhere else.")
            st.button("Show the sample data", on_click=state.show_dataset, args=("sample",), key="show-sample")


def _status(entries: tuple[Entry, ...]) -> None:
    if not entries:
        st.info("No files are loaded. Start with at least one system output and one reference, one segment a line.")


def _correct(entries: tuple[Entry, ...]) -> None:
    """Change what is said about one file, or remove it."""
    st.subheader("Correct a file", anchor=False)
    position = st.selectbox(
        "File", range(len(entries)), format_func=lambda i: entries[i].file.name, key="file_to_correct"
    )
    if position is None or position >= len(entries):
        return
    file = entries[position].file
    stamp = f"{position}-{file.name}-{file.role}"
    with st.container(horizontal=True, vertical_alignment="bottom", key="correct"):
        roles = {role: title for title, role in ROLE_CHOICES.items() if role is not None}
        role = st.selectbox(
            "Holds",
            list(roles),
            index=list(roles).index(file.role),
            format_func=lambda r: roles[r],
            key=f"role-{stamp}",
            width=180,
        )
        _change_if(position, "role", file.role, role or file.role)
        if file.can_be_renamed:
            shown = next(iter(entries[position].names), file.renamed)
            name = st.text_input("Name", value=shown, key=f"name-{stamp}", width=240)
            _change_if(position, "renamed", shown, name.strip() or shown)
        if file.role == "system":
            human = st.toggle("Human translator", value=file.human, key=f"human-{stamp}")
            _change_if(position, "human", file.human, human)
        if file.role == "judgments":
            first = st.selectbox(
                "First segment is number",
                [1, 0],
                index=[1, 0].index(file.first_segment),
                key=f"first-{stamp}",
                width=200,
            )
            _change_if(position, "first_segment", file.first_segment, first)
        encoding = st.text_input(
            "Encoding", value=file.encoding or "", placeholder="UTF-8", key=f"encoding-{stamp}", width=140
        )
        _change_if(position, "encoding", file.encoding, encoding.strip() or None)
        st.button("Remove", on_click=state.remove_file, args=(position,), key="remove-file")
    st.button("Remove all files", on_click=state.remove_all_files, key="remove-all", type="tertiary")


def _change_if(position: int, what: str, before: object, after: object) -> None:
    if after != before:
        state.change_file(position, **{what: after})
        st.rerun()
