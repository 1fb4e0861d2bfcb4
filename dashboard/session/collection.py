"""The test sets of a session: creating, renaming and removing them, moving files between them, and reading all of them.

A test set exists as long as it has a file, or as an empty one from when it was created until its first file is added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.uploads import Workspace, set_label
from dashboard.literal import literal
from dashboard.session.address import choose_set
from dashboard.session.cache import SessionState
from dashboard.session.files import (
    MAX_SET_NAME_LENGTH,
    SELECTED_FILE,
    chosen_set,
    current_workspace,
    files_of_set,
    free_name,
    is_read,
    own_files,
    plain_set_name,
    put_files,
    read_files,
    remove_files_of_set,
    renamed_file,
    test_sets,
)
from dashboard.session.settings import set_controls


def set_name_problem(name: str, *, present: str | None = None) -> str:
    """Return why a test set cannot have a name; empty if it can.

    Args:
        name: as it was typed.
        present: the present name of the test set; None for a new one.
    """
    plain = plain_set_name(name)
    if not plain:
        return "Enter a name for the test set."
    if len(name.strip()) > MAX_SET_NAME_LENGTH:
        return f"The name has {len(name.strip()):,} characters, at most {MAX_SET_NAME_LENGTH} are possible."
    if plain != present and plain in [set_label(other) for other in test_sets() if other != present]:
        return f"There is already a test set named {plain}. Choose another name."
    return ""


def create_set(name: str) -> bool:
    """Create a test set without files, and choose it; for callbacks.

    Returns:
        False where the name is not possible; a message then says why.
    """
    if not _is_possible(name):
        return False
    state, plain = _state(), plain_set_name(name)
    _forget_removal_from(state, plain)
    state.empty_sets = (*state.empty_sets, plain)
    choose_set(plain)
    return True


def rename_set(name: str, new_name: str) -> bool:
    """Rename a test set; for callbacks.

    Returns:
        False where the new name is not possible; a message then says why.
    """
    if not _is_possible(new_name, present=name):
        return False
    state, plain = _state(), plain_set_name(new_name)
    if plain == name:
        return True
    was_chosen = chosen_set() == name
    _forget_removal_from(state, plain)
    state.waiting = tuple(replace(file, test_set=plain) if file.test_set == name else file for file in state.waiting)
    state.removed = tuple(former.in_test_set(name, plain) for former in state.removed)
    state.empty_sets = tuple(plain if other == name else other for other in state.empty_sets)
    if state.campaign_set == name:
        state.campaign_set = plain
    put_files(replace(file, test_set=plain) if file.test_set == name else file for file in own_files())
    if was_chosen:
        state.chosen = plain
    return True


def remove_set(name: str) -> None:
    """Remove a test set with its files, which undo_removal restores; for callbacks. Another test set is then shown."""
    names = test_sets()
    if len(names) > 1 and chosen_set() == name:
        place = names.index(name)
        choose_set(names[place + 1] if place + 1 < len(names) else names[place - 1])
    remove_files_of_set(name)


def move_files(positions: Sequence[int], name: str) -> None:
    """Move files of the chosen test set to another one, after its other files; for callbacks.

    A file of the same name and content as one there is not moved; one of the same name gets a free name.

    Args:
        positions: of the files in the chosen test set.
        name: of the other test set.
    """
    state, source = _state(), chosen_set()
    if name == source or name not in test_sets():
        return
    places = state.positions_of(source)
    moved = {places[position]: own_files()[places[position]] for position in positions}
    there, twins = list(files_of_set(name)), list[str]()
    notices: list[tuple[str, str]] = st.session_state.notices
    for place, file in list(moved.items()):
        same_name = [other for other in there if other.name == file.name]
        if any(other.digest == file.digest and other.role == file.role for other in same_name):
            twins.append(file.name)
            del moved[place]
            continue
        arrived = replace(file, test_set=name)
        if same_name:
            arrived = renamed_file(arrived, free_name(file.name, there))
            notices.append(
                ("info", f"{set_label(name)} has another file named {file.name}; the one moved is now {arrived.name}.")
            )
        moved[place] = arrived
        there.append(arrived)
    if twins:
        sentence = (
            f"{set_label(name)} already has {listed(twins)} with the same content, which {_was(len(twins))} not moved."
        )
        notices.append(("info", sentence))
    if not moved:
        return
    count = len(moved)
    notices.append(("info", f"Moved {count:,} {plural(count, 'file')} to {set_label(name)}."))
    stay = (file for place, file in enumerate(own_files()) if place not in moved)
    put_files((*stay, *moved.values()))
    state.removed = ()  # their places have changed
    set_controls(**{SELECTED_FILE: None})
    if source not in test_sets():  # all of its files were moved
        choose_set(name)


def workspaces() -> Mapping[str, Workspace]:
    """Return the data of each test set by its name, as its pages show them; read when first needed, with progress."""
    names = test_sets()
    unread = [name for name in names if not is_read(name)]
    if len(unread) > 1:
        place = st.empty()
        for number, name in enumerate(unread):
            place.progress(number / len(unread), literal(f"Reading test sets: {number:,} of {len(unread):,}"))
            read_files(name)
        place.empty()
    return {name: current_workspace(name) for name in names}


def _is_possible(name: str, *, present: str | None = None) -> bool:
    """Return whether a test set can have a name; if not, add a message that says why."""
    problem = set_name_problem(name, present=present)
    st.session_state.notices += [("error", problem)] if problem else []
    return not problem


def _was(count: int) -> str:
    return "was" if count == 1 else "were"


def _forget_removal_from(state: SessionState, name: str) -> None:
    """Forget removed files of a test set of that name, as another one now has the name."""
    if any(former.file.test_set == name for former in state.removed):
        state.removed = ()


def _state() -> SessionState:
    return st.session_state.held
