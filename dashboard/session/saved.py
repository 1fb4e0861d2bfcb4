"""Workspaces as files: what a session shows, to be saved, and a saved workspace opened in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.formats import MEDIA_TYPE_BYTES, FileRole
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
from dashboard.session.address import begin_anew_with, view_parameters
from dashboard.session.cache import BeforeOpening, Holding, Shown
from dashboard.session.files import (
    add_uploads,
    dataset,
    is_loaded,
    loaded_digest,
    own_files,
    sample_files,
    session_limits,
    show_dataset,
    uploaded,
)
from dashboard.session.notes import all_notes, put_notes
from dashboard.session.report_text import put_report_text, report_text

#: The key of the position of the file that is selected on the Data page.
SELECTED_FILE = "selected_file"


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """The file of a workspace, made when it is asked for; a download has no session to ask.

    Attributes:
        saved: the workspace without its files.
        held: what has the files; None for the sample data. They are dropped with the session.
        limits: those of the session.
    """

    saved: SavedWorkspace
    held: Holding | None
    limits: Limits

    def __call__(self) -> bytes:
        """The bytes of the file."""
        files = sample_files() if self.held is None else self.held.files
        return pack_workspace(replace(self.saved, files=files), limits=self.limits)


def workspace_file(choices: Choices) -> WorkspaceFile:
    """The file of all that the session shows.

    Args:
        choices: those of the pages, for commands.
    """
    controls = {name: tuple(values) for name, values in view_parameters().items()}
    saved = SavedWorkspace(
        files=(), choices=choices, controls=controls, notes=all_notes(), report=report_text(), data=loaded_digest()
    )
    return WorkspaceFile(saved, None if dataset() == "sample" else st.session_state.held, session_limits())


def is_too_large_to_save() -> bool:
    """Whether the files are larger together than those of a workspace may be."""
    return sum(len(file.data) for file in own_files()) > session_limits().unpacked_bytes


def add_dropped(role: FileRole | None) -> None:
    """Take in the files in the upload form as add_uploads does, or open the saved workspace in it."""
    arrived = uploaded()
    # The value of an upload is the server's own copy; a buffer would make another one.
    saved = [each for each in arrived if is_saved_workspace(each.getvalue()[:MEDIA_TYPE_BYTES])]
    if not saved:
        add_uploads(role)
        return
    st.session_state.uploads += 1  # empties the form
    if len(arrived) > 1:
        message = f"{saved[0].name} is a saved workspace, which takes the place of all files. Drop it alone."
        st.session_state.notices = [("error", message)]
        return
    _open(saved[0].name, saved[0].getvalue())


def _open(name: str, data: bytes) -> None:
    """Show a saved workspace in place of what is shown; undo_opening brings that back."""
    session = st.session_state
    try:
        found = open_workspace(data, name, limits=session_limits())
    except Exception as error:  # noqa: BLE001 # whatever it is, the session goes on with what it has
        session.notices = [("error", describe_problem(name, error, "while opening it"))]
        return
    before = BeforeOpening(
        name=name,
        opened=found.files,
        files=own_files(),
        dataset=dataset(),
        controls=view_parameters(),
        notes=all_notes(),
        report=report_text(),
    )
    controls = {key: list(values) for key, values in found.controls.items()}
    _show(found.files, "own", controls=controls, notes=found.notes, report=found.report)
    session.held.before = before
    session.notices = []
    if not is_loaded(found.data):
        message = (
            f"{name} was saved by version {found.version} of this program. Its files are read in another way now, so "
            "numbers may differ from those that it showed then."
        )
        session.notices = [("info", message)]


def opened_workspace() -> str:
    """What was opened last, and what it replaced, in a sentence; empty once the files have changed, or after that."""
    before = _before_opening()
    if before is None:
        return ""
    sentence = f"Opened {before.name} with {len(before.opened):,} {plural(len(before.opened), 'file')}."
    if not before.files:
        return sentence
    return f"{sentence} It replaced {listed((file.name for file in before.files), max_items=3)}."


def undo_opening() -> None:
    """Show again what was shown before the last workspace was opened."""
    before = _before_opening()
    if before is not None:
        _show(before.files, before.dataset, controls=before.controls, notes=before.notes, report=before.report)
    st.session_state.held.before = None


def _before_opening() -> BeforeOpening | None:
    """What was shown before a workspace was opened; None where its files are no longer those that are loaded."""
    held: Holding = st.session_state.held
    if held.before is not None and held.before.opened is not held.files:
        held.before = None
    return held.before


def _show(
    files: tuple[File, ...],
    chosen: Shown,
    controls: Mapping[str, list[str]],
    notes: tuple[NoteRecord, ...],
    report: ReportText,
) -> None:
    """Show files with the choices of all pages, in place of all others."""
    session, held = st.session_state, st.session_state.held
    held.files, held.waiting, held.removed = files, (), ()
    session[SELECTED_FILE] = None  # its boxes would change the file that is now in its place
    put_notes(notes)
    put_report_text(report)
    show_dataset(chosen)
    begin_anew_with(controls)
