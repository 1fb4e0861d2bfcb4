"""The files of a session: the sample data and a person's own, uploads, and the workspace they make.

Files' bytes are copied in as soon as they arrive, since uploads vanish when a page is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

import streamlit as st

import sample_data
from bleu_core.dataset import plural
from bleu_core.formats import FileRole, packed_folder
from bleu_core.limits import Limits
from dashboard.launch import Launch
from dashboard.session import work
from dashboard.session.cache import Holding
from dashboard.session.workspace import File, Workspace, assemble, folders_in, problem_with, sorted_in

Shown = Literal["sample", "own"]

#: Names of files in an address are cut at this length; they are there for people.
LONGEST_FILES = 300

#: Messages that are shown after an upload.
MOST_NOTICES = 50


def open_files(launch: Launch) -> None:
    """Begin a session's files: with those named on the command line, or with the sample data."""
    session = st.session_state
    session.limits = launch.limits
    session.held = work.begin_holding()
    session.notices = []
    session.held.files = _opened(launch)
    session.uploads = 0
    session.dataset = "own" if own_files() else "sample"


def _opened(launch: Launch) -> tuple[File, ...]:
    """The files named on the command line, read anew for each session."""
    found: list[File] = []
    for path, role in launch.files:
        try:
            data = packed_folder(path, limits=session_limits()) if path.is_dir() else path.read_bytes()
        except OSError as error:  # gone since the start
            st.session_state.notices.append(("error", f"{path}: {(error.strerror or str(error)).lower()}"))
            continue
        except Exception as error:  # noqa: BLE001 # whatever it is, the session begins
            st.session_state.notices.append(("error", problem_with(path.name, error, "while it was packed")))
            continue
        file = sorted_in(path.resolve().name, data, role, limits=session_limits())
        choice = launch.formats.get(path)
        if choice is not None:
            file = replace(file, format=choice.format, own=tuple(choice.own.items()))
        human = role == "system" and file.stem in launch.human_systems
        found.append(replace(file, human=human, human_names=() if file.can_be_renamed else launch.human_systems))
    return tuple(found)


def dataset() -> Shown:
    """Whether the sample data or the person's own files are shown."""
    return st.session_state.dataset


def show_dataset(chosen: Shown) -> None:
    """Switch between the sample data and one's own files; neither is lost."""
    if chosen != dataset():
        st.session_state.pop("paper_settings", None)  # other data, another default
    st.session_state.dataset = chosen


def own_files() -> tuple[File, ...]:
    """The files a person has given, whether or not they are shown."""
    return _held().files


def session_limits() -> Limits:
    """What files may hold at most."""
    return st.session_state.limits


def sample_files() -> tuple[File, ...]:
    """The sample data."""
    return _sample()


@st.cache_resource(max_entries=1, show_spinner=False)
def _sample() -> tuple[File, ...]:
    files = [File(p.name, p.read_bytes(), "system", human=p.stem.startswith("H")) for p in sample_data.systems()]
    files += [File(p.name, p.read_bytes(), "reference") for p in sample_data.references()]
    files.append(File(sample_data.DOCUMENTS.name, sample_data.DOCUMENTS.read_bytes(), "document"))
    files.append(File(sample_data.JUDGMENTS.name, sample_data.JUDGMENTS.read_bytes(), "judgments"))
    return tuple(files)


def current_workspace() -> Workspace:
    """The data that are shown."""
    if dataset() == "sample":
        return sample_workspace()
    held = _held()
    key = _key_of(held.files)
    if held.fitted is None or held.fitted[0] != key:
        held.fitted = key, _workspace(held.files)
    return held.fitted[1]


def sample_workspace() -> Workspace:
    """The sample data, fitted together."""
    return _workspace(sample_files())


def _workspace(files: Sequence[File]) -> Workspace:
    key = "workspace", _key_of(files)
    found: Workspace | None = work.RESULTS.get(key)
    if found is None:
        with st.spinner("Reading files …"):
            found = assemble(files, session_limits())
        work.RESULTS.keep(key, found)
    return found


def _key_of(files: Sequence[File]) -> tuple[object, ...]:
    """Stands for the files, which may be large."""
    return session_limits(), *(f.key for f in files)


def _held() -> Holding:
    return st.session_state.held


def names_of_files() -> str:
    """The names of the person's files that are shown, for people; empty where the sample is shown."""
    names = (
        "" if dataset() == "sample" else ", ".join(e.file.name for e in current_workspace().entries if not e.problem)
    )
    return names if len(names) <= LONGEST_FILES else names[:LONGEST_FILES] + "…"


def upload_key() -> str:
    """The key of the upload form; it changes with each upload, which empties the form."""
    return f"upload-{st.session_state.uploads}"


def add_uploads(role: FileRole | None) -> None:
    """Take in what lies in the upload form, in the role given or sorted by name and content.

    A file of the name and role of one that is there replaces it. The sample data make way.
    """
    arrived = st.session_state.get(upload_key()) or []
    _take((sorted_in(upload.name, upload.getvalue(), role, limits=session_limits()) for upload in arrived), [])


def add_folders() -> None:
    """Take in the folders that lie in the upload form, each as an archive; else as add_uploads."""
    arrived = st.session_state.get(upload_key()) or []
    given = ((upload.name, upload.getvalue) for upload in arrived)
    files, problems = folders_in(given, limits=session_limits())
    _take(files, problems)


def _take(files: Iterable[File], problems: Sequence[str]) -> None:
    session = st.session_state
    most = session_limits().systems + session_limits().references
    own = {(f.name, f.role): f for f in own_files()}
    seen: dict[tuple[str, FileRole], str] = {}
    notices = [("error", problem) for problem in problems]
    for arrived in files:
        file = arrived
        key = (file.name, file.role)
        if key in seen and seen[key] != file.digest:
            notices.append(
                ("error", f"{file.name}: two different files of this name in one upload; the first is kept, rename one")
            )
            continue
        seen[key] = file.digest
        if key in own and own[key].digest != file.digest:
            notices.append(("info", f"{file.name}: replaced by the file just uploaded"))
            file = own[key].replaced_by(file)
        elif key in own:
            notices.append(("info", f"{file.name}: the same file is already loaded"))
            continue
        elif len(own) >= most:
            notices.append(("error", _too_many_files(file.name, most)))
            break
        own[key] = file
    _held().files = tuple(own.values())
    session.uploads += 1
    more = len(notices) - MOST_NOTICES
    if more > 0:
        notices[MOST_NOTICES:] = [("info", f"{more:,} more {plural(more, 'message')} like these")]
    session.notices = notices
    if seen:
        show_dataset("own")


def _too_many_files(name: str, most: int) -> str:
    return (
        f"{name}: this file and those after it were not taken in: a session holds {most:,} files at most, as many as "
        "there may be systems and references; put several texts into one table, or start with a higher "
        "--limit systems=NUMBER"
    )


def notices() -> list[tuple[str, str]]:
    """The messages about the last change of files, as (kind, message) pairs; each is returned once."""
    found = list(st.session_state.notices)
    st.session_state.notices = []
    return found


def change_file(position: int, **changes: Any) -> None:
    """Change what is known about one of the person's files."""
    own = list(own_files())
    own[position] = replace(own[position], **changes)
    _held().files = tuple(own)


def remove_file(position: int) -> None:
    """Remove one of the person's files."""
    own = own_files()
    _held().files = own[:position] + own[position + 1 :]


def remove_all_files() -> None:
    """Remove all of the person's files and show the sample data again."""
    held = _held()
    held.files, held.fitted = (), None
    show_dataset("sample")
