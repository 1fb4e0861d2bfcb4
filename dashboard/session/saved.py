"""Saving a session as a workspace file, and opening a saved workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.formats import FileRole
from bleu_core.limits import Limits
from bleu_core.project import (
    Choices,
    NoteRecord,
    ReportText,
    SavedWorkspace,
    is_saved_workspace,
    open_workspace,
    pack_workspace,
)
from bleu_core.uploads import File, describe_problem
from dashboard.session.address import reset_controls_to, view_parameters
from dashboard.session.cache import SessionState, Shown, UndoSnapshot
from dashboard.session.files import (
    SELECTED_FILE,
    add_uploaded_files,
    chosen_set,
    dataset,
    is_loaded,
    loaded_digest,
    own_files,
    plain_set_name,
    sample_files,
    session_limits,
    show_dataset,
    uploaded,
    with_plain_set_names,
)
from dashboard.session.notes import all_notes, put_notes
from dashboard.session.report_text import put_report_text, report_text
from dashboard.session.url import TEST_SET


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """The file of a workspace, created when it is downloaded; a download has no session to read.

    Attributes:
        saved: the workspace without its files.
        state: has the files, which are dropped with the session; None for the sample data.
        limits: those of the session.
    """

    saved: SavedWorkspace
    state: SessionState | None
    limits: Limits

    def __call__(self) -> bytes:
        """Return the bytes of the file."""
        files = sample_files() if self.state is None else self.state.files
        return pack_workspace(replace(self.saved, files=files), limits=self.limits)


def workspace_file(choices: Choices) -> WorkspaceFile:
    """Return the file of everything that the session shows.

    Args:
        choices: those of the pages, for commands.
    """
    controls = {name: tuple(values) for name, values in view_parameters().items()}
    saved = SavedWorkspace(
        files=(), choices=choices, controls=controls, notes=all_notes(), report=report_text(), data=loaded_digest()
    )
    return WorkspaceFile(saved, None if dataset() == "sample" else st.session_state.held, session_limits())


def is_too_large_to_save() -> bool:
    """Return whether the files together exceed the limit of a workspace."""
    sizes = {file.digest: len(file.data) for file in own_files()}  # test sets may share the bytes of an archive
    return sum(sizes.values()) > session_limits().unpacked_bytes


def handle_upload(role: FileRole | None) -> None:
    """Add the files in the upload form, or open the saved workspace in it."""
    uploads = uploaded()
    # getvalue returns the server's copy; getbuffer would make another one.
    saved = [upload for upload in uploads if is_saved_workspace(upload.getvalue(), limits=session_limits())]
    if not saved:
        add_uploaded_files(role)
        return
    st.session_state.uploads += 1  # empties the form
    if len(uploads) > 1:
        message = f"{saved[0].name} is a saved workspace, which replaces all files. Drop it alone."
        st.session_state.notices = [("error", message)]
        return
    _open(saved[0].name, saved[0].getvalue())


def _open(name: str, data: bytes) -> None:
    """Show a saved workspace in place of the current files; undo_opening restores these."""
    session = st.session_state
    try:
        saved = open_workspace(data, name, limits=session_limits())
    except Exception as error:  # noqa: BLE001 # the session continues unchanged
        session.notices = [("error", describe_problem(name, error, "while opening it"))]
        return
    files = with_plain_set_names(saved.files)
    before = UndoSnapshot(
        name=name,
        opened=files,
        files=own_files(),
        empty_sets=session.held.empty_sets,
        dataset=dataset(),
        controls=view_parameters(),
        notes=all_notes(),
        report=report_text(),
    )
    controls = {key: list(values) for key, values in saved.controls.items()}
    _show(files, "own", controls=controls, notes=saved.notes, report=saved.report)
    session.held.before = before
    session.notices = []
    if not is_loaded(saved.data) and chosen_set() == plain_set_name(saved.choices.test_set):
        message = (
            f"{name} was saved by version {saved.version} of this program. Its files are read in another way now, so "
            "numbers may differ from those that it showed then."
        )
        session.notices = [("info", message)]


def opened_workspace() -> str:
    """Describe the last opened workspace and the files that it replaced; empty once the files have changed."""
    before = _before_opening()
    if before is None:
        return ""
    sentence = f"Opened {before.name} with {len(before.opened):,} {plural(len(before.opened), 'file')}."
    if not before.files:
        return sentence
    return f"{sentence} It replaced {listed((file.name for file in before.files), max_items=3)}."


def undo_opening() -> None:
    """Restore the content from before the last workspace was opened."""
    before = _before_opening()
    if before is not None:
        _show(
            before.files,
            before.dataset,
            controls=before.controls,
            notes=before.notes,
            report=before.report,
            empty_sets=before.empty_sets,
        )
    st.session_state.held.before = None


def _before_opening() -> UndoSnapshot | None:
    """Return the content from before a workspace was opened; None if its files are no longer loaded."""
    state: SessionState = st.session_state.held
    if state.before is not None and state.before.opened is not state.files:
        state.before = None
    return state.before


def _show(
    files: tuple[File, ...],
    shown: Shown,
    *,
    controls: Mapping[str, list[str]],
    notes: tuple[NoteRecord, ...],
    report: ReportText,
    empty_sets: tuple[str, ...] = (),
) -> None:
    """Show files with the controls of all pages, in place of all others."""
    session, state = st.session_state, st.session_state.held
    state.files, state.waiting, state.removed, state.empty_sets = files, (), (), empty_sets
    state.chosen = next(iter(controls.get(TEST_SET, [])), "")
    session[SELECTED_FILE] = None  # its controls would change another file at the same position
    put_notes(notes)
    put_report_text(report)
    show_dataset(shown)
    reset_controls_to(controls)
