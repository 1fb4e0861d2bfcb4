"""The test sets of the session: which there are, creating, renaming and removing them, moving files between them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dashboard import session
from dashboard.literal import literal
from dashboard.views.data.words import SETS_HINT
from dashboard.widgets import open_test_set, show_selectable_table

#: Keys of the forms, which store whether they are open.
NEW_FORM, NAME_FORM, MOVE_FORM = "new-set-popover", "rename-set-popover", "move-files-popover"

#: Keys of their boxes.
NEW_NAME, NAME, MOVED, TARGET = "new_set_name", "set_name", "files_to_move", "set_of_files_to_move"

NEW_SET_HELP = (
    "A test set has its own references and systems, for example another language pair. All pages show one test set, "
    "which is chosen at the top of each page."
)


def note_chosen_set() -> None:
    """Say to which test set new files belong, where there are several."""
    if len(session.test_sets()) > 1:
        name = session.set_label(session.chosen_set())
        st.caption(literal(f"Files that you add belong to the test set {name}."))


def test_sets_part() -> None:
    """List the test sets where there are several, with forms that create, rename and remove them and move files."""
    if session.dataset() != "own" or not (session.own_files() or len(session.test_sets()) > 1):
        return
    names, shown = session.test_sets(), session.chosen_set()
    several = len(names) > 1
    if several:
        show_selectable_table(
            session.set_table(session.workspaces()),
            key="test-sets",
            alt="The test sets, what they contain, and how many of their files are not used",
            on_pick=_pick,
            picked=names.index(shown),
            hint=SETS_HINT,
        )
    with st.container(horizontal=True, vertical_alignment="center", key="set-actions"):
        _creation()
        if not several:
            return
        _renaming(shown)
        if session.files_of_set():
            _moving([name for name in names if name != shown])
        st.button(
            "Remove this test set",
            on_click=session.remove_set,
            args=(shown,),
            key="remove-set",
            type="tertiary",
            icon=":material/delete:",
        )


def move_selected(position: int, stamp: str) -> None:
    """Draw the test set of the selected file, where there are several; another one moves the file there.

    Args:
        position: of the file in the chosen test set.
        stamp: what tells the file's widgets from those of others.
    """
    names = session.test_sets()
    if len(names) < 2:  # noqa: PLR2004 # nothing to choose
        return
    shown, key = session.chosen_set(), f"test-set-{stamp}"
    st.selectbox(
        "Test set of this file",
        names,
        index=names.index(shown),
        format_func=session.set_label,
        key=key,
        on_change=_move_one,
        args=(position, key),
        width=220,
    )


def stamp_of_set() -> str:
    """Return what keys of widgets of a test set's files end with; empty for the one without a name."""
    name = session.chosen_set()
    return f"-{name}" if name else ""


def _pick(row: int | None) -> None:
    """Show the test set in a row of the table."""
    if row is not None:
        open_test_set(session.test_sets()[row])


def _creation() -> None:
    with (
        st.popover(
            "New test set", icon=":material/create_new_folder:", type="tertiary", key=NEW_FORM, on_change="rerun"
        ),
        st.form("new-set", border=False),
    ):
        st.text_input("Name of the new test set", key=NEW_NAME, help=NEW_SET_HELP)
        st.form_submit_button("Create test set", on_click=_create)


def _create() -> None:
    created = session.create_set(str(session.control_value(NEW_NAME) or ""))
    session.set_controls(**{NEW_FORM: False} | ({NEW_NAME: ""} if created else {}))


def _renaming(shown: str) -> None:
    with (
        st.popover("Rename", icon=":material/edit:", type="tertiary", key=NAME_FORM, on_change="rerun"),
        st.form("rename-set", border=False),
    ):
        key = f"{NAME}{stamp_of_set()}"
        st.text_input(f"New name of {literal(session.set_label(shown))}", value=shown, key=key)
        st.form_submit_button("Rename test set", on_click=_rename, args=(shown, key))


def _rename(name: str, key: str) -> None:
    session.rename_set(name, str(session.control_value(key) or ""))
    session.set_controls(**{NAME_FORM: False})


def _moving(others: Sequence[str]) -> None:
    files = session.files_of_set()
    with (
        st.popover("Move files", icon=":material/drive_file_move:", type="tertiary", key=MOVE_FORM, on_change="rerun"),
        st.form("move-files", clear_on_submit=True, border=False),
    ):
        st.multiselect(
            "Files to move",
            range(len(files)),
            format_func=lambda position: files[position].name if position < len(files) else "",
            key=f"{MOVED}{stamp_of_set()}",
            placeholder="Choose files",
            width=420,
        )
        st.selectbox("Move them to", others, format_func=session.set_label, key=f"{TARGET}{stamp_of_set()}")
        st.form_submit_button("Move files", on_click=_move_several, args=(stamp_of_set(),))


def _move_several(stamp: str) -> None:
    positions = sorted(session.control_value(f"{MOVED}{stamp}") or ())  # the order of the clicks has no meaning
    name = session.control_value(f"{TARGET}{stamp}")
    session.move_files([position for position in positions if position < len(session.files_of_set())], str(name))
    session.set_controls(**{MOVE_FORM: False})


def _move_one(position: int, key: str) -> None:
    session.move_files([position], str(session.control_value(key)))
