"""The files of a session: the sample data, the user's own files, uploads, and the workspaces made of them.

The files of all test sets are one sequence, and each file names its test set. Of these, the chosen test set is shown:
positions of files are positions among its files, as in the entries of its workspace. The bytes of uploads are copied
immediately, since Streamlit drops uploads when a page is left.
"""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import accumulate, count, pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

import sample_data
from bleu_core.collection import Division, open_uploads
from bleu_core.dataset import plural
from bleu_core.errors import BleuCoreError, listed
from bleu_core.formats import (
    FileRole,
    companion_notes,
    filter_companions,
    list_companions,
    pack_folder,
    stem_of,
    suffix_of,
)
from bleu_core.limits import Limits
from bleu_core.progress import Progress
from bleu_core.project import open_workspace
from bleu_core.uploads import Entry as Entry  # noqa: PLC0414 # a public name of this package
from bleu_core.uploads import (
    File,
    HeldRole,
    Workspace,
    assemble,
    create_file,
    describe_problem,
)
from dashboard.launch import Launch
from dashboard.open_campaigns import HostingError, hosting
from dashboard.session import work
from dashboard.session.cache import RemovedFile, Scope, SessionState, Shown
from dashboard.session.campaign_store import lead_hosted_campaign, serve_campaign, served_campaign, set_of_campaign
from dashboard.session.notes import put_notes
from dashboard.session.report_text import put_report_text
from dashboard.session.settings import control_value

#: Maximum number of characters of the list of files in a URL, which is only for users.
MAX_FILE_LIST_LENGTH = 300

#: Maximum number of messages that are shown after an upload.
MAX_NOTICES = 50

#: Maximum number of characters of the name of a test set.
MAX_SET_NAME_LENGTH = 60

MEGABYTE = 10**6

#: The key of the position of the file that is selected on the Data page, in the chosen test set.
SELECTED_FILE = "selected_file"

#: Key of the switch that compares systems only on the segments that all of them have.
SHARED_SEGMENTS = "shared_segments"


def open_files(launch: Launch) -> None:
    """Open the files named on the command line, or the sample data, for a new session that has no files yet."""
    session, state = st.session_state, _state()
    session.limits, session.workers = launch.limits, launch.workers
    session.notices = []
    serve_campaign(launch.campaign)
    if not state.changed:
        state.files = state.opened = (
            tuple(_in_test_sets(_opened(launch), ""))
            if launch.workspace is None
            else _opened_workspace(launch.workspace)
        )
        if not state.files and _is_campaign_of_sample():
            state.files = state.opened = tuple(file for file in sample_files() if file.role != "judgments")
        state.opened_notes, state.opened_report = state.copy_of_notes(), state.report
    session.uploads = 0
    session.dataset = "own" if own_files() or session.campaign is not None else "sample"


def open_hosted_campaign(data: bytes) -> str:
    """Open a campaign on this server, led by this session; the sample data become files of the session.

    Args:
        data: the campaign's file.

    Returns:
        The token of the lead's link.

    Raises:
        HostingError: it is too large, there are too many, or users cannot open campaigns on this server.
        StoreError: the file cannot be read or written.
    """
    hosted = hosting()
    if hosted is None:
        raise HostingError("campaigns cannot be opened on this server; start it with --campaign-folder")
    store = hosted.add(data)
    store.add_event("opened")
    token = lead_hosted_campaign(store)
    state = _state()
    if dataset() == "sample":  # its ratings belong to no campaign
        state.files = tuple(file for file in sample_files() if file.role != "judgments")
        show_dataset("own")
    state.campaign_set = state.chosen_set
    return token


def _is_campaign_of_sample() -> bool:
    """Return whether the server was started with a campaign that was designed from the sample data."""
    try:
        store = served_campaign()
        if store is None:
            return False
        corpus, first = sample_workspace().corpus, store.slots(store.judges[0])[0].items[0]
    except BleuCoreError:  # the page of the campaign says why
        return False
    texts = corpus.systems.get(first.system, ())
    return store.corpus_segments == corpus.segments and texts[first.segment - 1 : first.segment] == (first.text,)


def digest_in_address(name: str | None = None) -> str:
    """Return the digest of the data in the URL; with a campaign, that of its design, as its ratings change.

    Args:
        name: of the test set; the one that is shown if None.
    """
    try:
        store = served_campaign() if is_of_campaign(name) else None
    except BleuCoreError:
        store = None
    return loaded_digest(name) if store is None else store.digest


def is_of_campaign(name: str | None = None) -> bool:
    """Return whether a campaign that the session leads is of a test set; of the one that is shown if None."""
    state = _state()
    return dataset() == "own" and set_of_campaign(state) == (state.chosen_set if name is None else name)


def set_of_address(digest: str, name: str) -> str | None:
    """Return the test set for whose data a URL with a digest was written, also by an earlier version; None if none is.

    Args:
        digest: in the URL.
        name: of the test set in the URL, which is preferred; another one may have the same data under another name.
    """
    for other in sorted(test_sets(), key=lambda other: (other != name, other != chosen_set())):
        if digest == digest_in_address(other) or is_loaded(digest, other):
            return other
    return None


def loaded_digest(name: str | None = None) -> str:
    """Return the digest of the data in a saved workspace, which does not depend on what is selected."""
    return read_files(name).digest


def is_loaded(digest: str, name: str | None = None) -> bool:
    """Return whether that is the digest of the loaded data, also as earlier versions computed it."""
    return read_files(name).has_digest(digest)


def _opened(launch: Launch) -> tuple[File, ...]:
    """Read the files named on the command line, for each session."""
    opened: list[File] = []
    archives: list[tuple[Path, bytes]] = []
    names = names_by_folder(launch.files)
    for path, role in launch.files:
        try:
            data = pack_folder(path, limits=session_limits()) if path.is_dir() else path.read_bytes()
        except OSError as error:  # removed since the start
            st.session_state.notices.append(("error", f"{path}: {(error.strerror or str(error)).lower()}"))
            continue
        except Exception as error:  # noqa: BLE001 # the session starts in any case
            st.session_state.notices.append(("error", describe_problem(path.name, error, "while packing it")))
            continue
        choice = launch.formats.get(path)
        if role == "archive" and choice is None:
            archives.append((path, data))
            continue
        file = create_file(path.resolve().name, data, role, limits=session_limits())
        if choice is not None:
            file = replace(file, format=choice.format, own=choice.own)
        if (path, role) in names:
            name = names[path, role]
            file = replace(renamed_file(file, f"{name}{suffix_of(file.name)}"), renamed=name)
        opened.append(replace(file, human_names=launch.human_systems))
    contents = ((path.resolve().name, partial(_same, data)) for path, data in archives)
    division = open_uploads(contents, "archive", limits=session_limits())
    st.session_state.notices += [("error", problem) for problem in division.problems]
    st.session_state.notices += [("info", note) for note in division.notes]
    opened += (replace(file, human_names=launch.human_systems) for file in division.files)
    for path, data in archives:
        if path.is_dir() or not any(file.name == path.resolve().name for file in division.files):
            # a zip of a test set has a note
            _inform_of_companions(path.name, list_companions(path if path.is_dir() else data, limits=session_limits()))
    return with_plain_set_names(opened)


def _same(data: bytes) -> bytes:
    return data


def _opened_workspace(path: Path) -> tuple[File, ...]:
    """Read the workspace named on the command line and store its notes, report and controls; return its files."""
    try:
        saved = open_workspace(path.read_bytes(), path.name, limits=session_limits())
    except (OSError, BleuCoreError) as error:  # removed or replaced since the start
        st.session_state.notices.append(("error", str(error)))
        return ()
    put_notes(saved.notes)
    put_report_text(saved.report)
    st.session_state.launched_controls = {key: list(values) for key, values in saved.controls.items()}
    return with_plain_set_names(saved.files)


def names_by_folder(files: Iterable[tuple[Path, FileRole]]) -> dict[tuple[Path, FileRole], str]:
    """Name systems and references whose files have the same name by their folders: y/output and t/output.

    Args:
        files: the files with their roles.

    Returns:
        File and role -> name, with as many folders as distinguish the files; only for files of equal names.
    """
    names: dict[tuple[Path, FileRole], str] = {}
    paths_by_stem: dict[tuple[str, FileRole], list[Path]] = {}
    for path, role in files:
        if role in ("system", "reference") and path not in paths_by_stem.setdefault((stem_of(path.name), role), []):
            paths_by_stem[stem_of(path.name), role].append(path)
    for (stem, role), paths in paths_by_stem.items():
        folders = {path: path.resolve().parent.parts for path in paths}
        if len(paths) < 2 or len(set(folders.values())) < len(paths):  # noqa: PLR2004 # one folder cannot distinguish them
            continue
        deepest = max(map(len, folders.values()))
        depth = next(n for n in range(1, deepest + 1) if len({parts[-n:] for parts in folders.values()}) == len(paths))
        names |= {(path, role): "/".join((*parts[-depth:], stem)).lstrip("/") for path, parts in folders.items()}
    return names


def dataset() -> Shown:
    """Return whether the sample data or the user's own files are shown."""
    return st.session_state.dataset


def show_dataset(shown: Shown) -> None:
    """Switch between the sample data and the user's own files; neither is lost."""
    st.session_state.dataset = shown


def own_files() -> tuple[File, ...]:
    """Return the user's own files of all test sets, whether or not they are shown."""
    return _state().files


def test_sets() -> tuple[str, ...]:
    """Return the names of the test sets in their order, one or more; the sample data are one without a name."""
    return ("",) if dataset() == "sample" else _state().test_sets


def chosen_set() -> str:
    """Return the name of the test set that all pages show; empty for one without a name."""
    return "" if dataset() == "sample" else _state().chosen_set


def files_of_set(name: str | None = None) -> tuple[File, ...]:
    """Return the user's own files of a test set, in the order of their positions; of the chosen one if None."""
    return _state().files_of(_state().chosen_set if name is None else name)


def session_limits() -> Limits:
    """Return the limits on files."""
    return st.session_state.limits


@cache
def sample_files() -> tuple[File, ...]:
    """Return the files of the sample data."""
    files = [File(p.name, p.read_bytes(), "system", human=p.stem.startswith("H")) for p in sample_data.systems()]
    files += [File(p.name, p.read_bytes(), "reference") for p in sample_data.references()]
    files.append(File(sample_data.DOCUMENTS.name, sample_data.DOCUMENTS.read_bytes(), "document"))
    files.append(File(sample_data.JUDGMENTS.name, sample_data.JUDGMENTS.read_bytes(), "judgments"))
    return tuple(files)


def current_workspace(name: str | None = None) -> Workspace:
    """Return the data that are shown; if so chosen, only segments that all systems have.

    Args:
        name: of the test set; the chosen one if None.
    """
    workspace = read_files(name)
    if not workspace.incomplete or not control_value(SHARED_SEGMENTS):
        return workspace
    state = _state()
    name = state.chosen_set if name is None else name
    scope = state.scope_of(name)
    return _read(scope, state.files_of(name), session_limits(), scope, shared_segments=True)


def read_files(name: str | None = None) -> Workspace:
    """Return the files that are shown, read and combined, with all segments; cached until files change.

    Args:
        name: of the test set; the chosen one if None.
    """
    if dataset() == "sample":
        return sample_workspace()
    state = _state()
    name = state.chosen_set if name is None else name
    scope = state.scope_of(name)
    fitted = state.fitted.get(scope.files)
    if fitted is None:
        fitted = _read(scope, state.files_of(name), session_limits(), scope)
    elif fitted.scope != scope:
        fitted = replace(fitted, scope=scope)  # restored files have another owner
    state.fitted[scope.files] = fitted
    return fitted


def is_read(name: str) -> bool:
    """Return whether the files of a test set have been read since they last changed."""
    return dataset() == "sample" or _state().scope_of(name).files in _state().fitted


def sample_workspace() -> Workspace:
    """Return the sample data as a workspace."""
    return _read(work.SCOPE_OF_SAMPLE, sample_files(), session_limits(), work.SCOPE_OF_SAMPLE)


@work.cached("Read so far", "MB", can_stop=False)
def _read(
    report: Progress, files: tuple[File, ...], limits: Limits, scope: Scope, *, shared_segments: bool = False
) -> Workspace:
    def progress(done: int, total: int) -> None:
        report(done // MEGABYTE, total // MEGABYTE)

    with st.spinner("Reading files …"):
        workspace = assemble(files, limits, shared_segments=shared_segments, progress=progress)
    return replace(workspace, scope=scope)


def _state() -> SessionState:
    return st.session_state.held


def names_of_files() -> str:
    """Return the names of the user's files that are shown, for users; empty while the sample is shown."""
    if dataset() == "sample":
        return ""
    return list_of_names([entry.file.name for entry in current_workspace().entries if not entry.problem])


def list_of_names(names: Iterable[str]) -> str:
    """Return the names of files as a list that read_names parses; an ellipsis replaces those beyond the limit."""
    quoted = [name if _is_plain(name) else '"{}"'.format(name.replace('"', '""')) for name in names]
    lengths = accumulate(len(f"{name}, ") for name in quoted)
    fitting = [name for name, length in zip(quoted, lengths, strict=True) if length <= MAX_FILE_LIST_LENGTH]
    return ", ".join(quoted if len(fitting) == len(quoted) else [*fitting, "…"])


def _is_plain(name: str) -> bool:
    """Return whether a name is unambiguous in a list."""
    return name not in ("", "…") and name == name.strip() and name.isprintable() and not {",", '"'} & set(name)


def read_names(names: str) -> list[str]:
    """Parse the names in a list of list_of_names, without the ellipsis."""
    whole, _, last = names.rpartition(", ")
    names = whole if last == "…" else names  # in quotes, it is a name
    try:
        return next(csv.reader([names], skipinitialspace=True), [])
    except csv.Error:  # a URL may contain anything
        return [names]


def upload_key() -> str:
    """Return the key of the upload form; a new one after each upload empties the form."""
    return f"upload-{st.session_state.uploads}"


def uploaded() -> Sequence[UploadedFile]:
    """Return the files in the upload form."""
    return st.session_state.get(upload_key()) or []


def add_uploaded_files(role: FileRole | None) -> None:
    """Add the files in the upload form, in the given role or in the one detected from their names and contents.

    They replace the sample data. A file with the name of another one that was loaded before waits until the
    user decides whether it replaces that one.
    """
    uploads = uploaded()
    _add_divided(_divided(uploads, role), recognised=role is None)
    for upload in uploads:
        if not any(file.name == upload.name for file in own_files()):  # a test set has a separate message
            _inform_of_companions(upload.name, list_companions(upload.getvalue(), limits=session_limits()))


def add_text(text: str, name: str, role: FileRole) -> bool:
    """Add a text that was pasted, as a file.

    Args:
        text: one segment per line; line ends after the last segment are ignored.
        name: of the system or reference; "pasted" and a number if empty.
        role: role of the text.

    Returns:
        False where there is no text.
    """
    lines = text.replace("\r\n", "\n").rstrip("\n")
    if not lines:
        st.session_state.notices = [("error", "No text was pasted. Paste one segment per line.")]
        return False
    name = name.strip()
    file = create_file(
        f"{name or 'pasted'}.txt", f"{lines}\n".encode("utf-8", "replace"), role, limits=session_limits()
    )
    taken = not name and any(other.name == file.name for other in files_of_set())
    before = len(own_files())
    _add_files([renamed_file(file, free_name(file.name, files_of_set())) if taken else file], [])
    if len(own_files()) > before:
        segments = lines.count("\n") + 1
        message = f"Added {own_files()[-1].name} ({role}, {segments:,} {plural(segments, 'segment')})."
        st.session_state.notices.append(("info", message))
    return True


def add_folders() -> None:
    """Add the folders in the upload form, each as an archive; otherwise as add_uploaded_files."""
    uploads = uploaded()
    inside = [upload for upload in uploads if "/" in upload.name.replace("\\", "/")]
    _add_divided(_divided(inside, None))
    outside = [upload.name for upload in uploads if upload not in inside]
    if outside:
        count = f"{len(outside):,} {plural(len(outside), 'file')} arrived without a folder"
        message = (
            f"{outside[0]}: {count}. A folder that is dropped may lose its structure; choose it with the button, or "
            "pack it as a zip."
        )
        st.session_state.notices.insert(0, ("error", message))
    _inform_of_companions(
        "folder", filter_companions(PurePosixPath(upload.name.replace("\\", "/")) for upload in uploads)
    )


def _divided(uploads: Sequence[UploadedFile], role: FileRole | None) -> Division:
    """Open uploads, and divide them into test sets."""
    contents = ((upload.name, upload.getvalue) for upload in uploads)
    return open_uploads(contents, role, existing=list(filter(None, test_sets())), limits=session_limits())


def _add_divided(division: Division, *, recognised: bool = False) -> None:
    """Add files, and show the first of the test sets into which they were divided, if they were."""
    before = set(test_sets())
    _add_files(division.files, division.problems, recognised=recognised)
    st.session_state.notices += [("info", note) for note in division.notes]
    arrived = [name for name in map(plain_set_name, division.names) if name in test_sets()]
    if arrived and before.isdisjoint(arrived):
        _state().chosen = arrived[0]


def _inform_of_companions(name: str, names: Sequence[str]) -> None:
    """Add a message that names the files of a zip or folder that are not used."""
    st.session_state.notices += [("info", f"{name}: {sentence}") for sentence in companion_notes(names)]


def _add_files(files: Iterable[File], problems: Sequence[str], *, recognised: bool = False) -> None:
    session, state = st.session_state, _state()
    files = _in_test_sets(files, state.chosen_set)
    own, waiting = list(own_files()), {(file.test_set, file.name): file for file in state.waiting}
    before = len(own)
    notices = [("error", problem) for problem in problems]
    humans: list[str] = []
    empty = True
    for file in files:
        empty = False
        # Any text may have been recognised as a system, so a file of the same name in another role is the same file.
        twin = _twin(file, own, any_role=recognised and file.role == "system")
        same = twin is not None and own[twin].digest == file.digest
        arrived = file
        if twin is None:
            pass
        elif same and twin >= before and recognised and _roles_of_same(file, own) == {"reference"}:
            arrived = replace(file, role="system", human=True)
            humans.append(file.name)
        elif same:
            notices.append(
                ("info", f"{file.name}: this file is already loaded.{_hint(file, own, recognised=recognised)}")
            )
            continue
        elif twin < before:
            waiting[file.test_set, file.name] = file
            continue
        else:
            arrived = renamed_file(file, free_name(file.name, _in_set(own, file.test_set)))
            message = f"Two different files are named {file.name}; the second one is now {arrived.name}."
            notices.append(("info", message))
        if _is_full(own, file):
            notices.append(("error", _too_many_files(file.name)))
            break
        own.append(arrived)
    if humans:  # two folders of a test set may each have a file of a human translator
        message = (
            f"{listed(humans)} arrived twice with the same text. One copy is used as a reference, the other as a "
            "system, marked as a human translator."
        )
        notices.insert(0, ("info", message))
    put_files(own)
    state.waiting = tuple(waiting.values())
    session.uploads += 1
    more = len(notices) - MAX_NOTICES
    if more > 0:
        notices[MAX_NOTICES:] = [("info", f"{more:,} more {plural(more, 'message')} like these")]
    session.notices = notices
    if not empty:
        show_dataset("own")


def _in_test_sets(files: Iterable[File], default: str) -> Iterable[File]:
    """Give arriving files their test sets; the only place that does.

    Args:
        files: that were added on the Data page, or opened when the dashboard started.
        default: name of the chosen test set.
    """
    return (_with_set(file, plain_set_name(file.test_set) or default) for file in files)


def plain_set_name(name: str) -> str:
    """Return the name of a test set as it is stored: in NFC, trimmed, and cut to the possible length."""
    encodable = name.encode("utf-8", "replace").decode("utf-8")
    return unicodedata.normalize("NFC", encodable).strip()[:MAX_SET_NAME_LENGTH].strip()


def with_plain_set_names(files: Iterable[File]) -> tuple[File, ...]:
    """Return the files of a saved workspace with the names of their test sets as they are stored."""
    return tuple(_with_set(file, plain_set_name(file.test_set)) for file in files)


def _with_set(file: File, name: str) -> File:
    return file if file.test_set == name else file.in_test_set(name)


def _twin(file: File, own: Sequence[File], *, any_role: bool) -> int | None:
    """Return the position of the file of the same name in the same test set.

    Of several, it is that of one with the same bytes, else one in the same role, else any.

    Args:
        file: the new file.
        own: the user's files.
        any_role: whether the file of the same name may have another role.
    """
    named = [i for i, other in enumerate(own) if _is_named(other, file) and (any_role or other.role == file.role)]
    return min(named, key=lambda i: (own[i].digest != file.digest, own[i].role != file.role), default=None)


def _is_named(other: File, file: File) -> bool:
    """Return whether a file has the name of another one, in the same test set."""
    return (other.test_set, other.name) == (file.test_set, file.name)


def _in_set(files: Iterable[File], name: str) -> list[File]:
    return [file for file in files if file.test_set == name]


def put_files(files: Iterable[File]) -> None:
    """Replace the user's own files; a test set that has files is no longer an empty one."""
    state = _state()
    state.files = tuple(files)
    filled = {file.test_set for file in state.files}
    state.empty_sets = tuple(name for name in state.empty_sets if name not in filled)


def _roles_of_same(file: File, own: Sequence[File]) -> set[HeldRole]:
    """Return the roles of the files with the same name and the same bytes."""
    return {other.role for other in own if _is_named(other, file) and other.digest == file.digest}


def _hint(file: File, own: Sequence[File], *, recognised: bool) -> str:
    """Return a hint for loading a reference as a system; empty if not applicable."""
    if not recognised or _roles_of_same(file, own) != {"reference"}:
        return ""
    return " To use it as a system too, choose Systems before you drop it."


def renamed_file(file: File, name: str) -> File:
    """Return the file under another name."""
    return replace(file, name=name, inspection=None)  # the inspection has the original name


def free_name(name: str, own: Sequence[File]) -> str:
    """Return the name with the first number from 2 on that no file has."""
    taken, stem = {other.name for other in own}, stem_of(name)
    return next(new for n in count(2) if (new := f"{stem} ({n}){name.removeprefix(stem)}") not in taken)


def _max_files() -> int:
    return session_limits().systems + session_limits().references


def _is_full(own: Sequence[File], file: File) -> bool:
    """Return whether the test set of a file has as many files as it may have, or all test sets together have."""
    return len(_in_set(own, file.test_set)) >= _max_files() or len(own) >= session_limits().entries


def _too_many_files(name: str) -> str:
    return (
        f"{name}: this file and those after it were not loaded. A test set may have at most {_max_files():,} files, "
        "the limits on systems and references together; put several texts into one table, or start with a higher "
        "--limit systems=NUMBER."
    )


def waiting_files() -> tuple[File, ...]:
    """Return uploads with the name of another file, until the user decides whether they replace it."""
    return _state().waiting


def replace_by_waiting(names: Collection[tuple[str, str]]) -> None:
    """Replace files by the waiting files of the same names, keeping the files' corrections.

    undo_removal restores the replaced files.

    Args:
        names: test sets and names of files.
    """
    state, own = _state(), list(own_files())
    former_files: list[RemovedFile] = []
    for file in _pop_waiting(names):
        twin = _twin(file, own, any_role=True)
        if twin is None:  # the file was removed meanwhile
            own.append(file)
        else:
            former, own[twin] = own[twin], own[twin].replaced_by(file)
            former_files.append(RemovedFile(former, replacement=own[twin]))
    put_files(own)
    state.removed = tuple(former_files) or state.removed


def keep_both(names: Collection[tuple[str, str]]) -> None:
    """Load the waiting files of those test sets and names under new names."""
    own = list(own_files())
    for file in _pop_waiting(names):
        if _is_full(own, file):
            st.session_state.notices.append(("error", _too_many_files(file.name)))
            break
        taken = any(_is_named(other, file) for other in own)
        own.append(renamed_file(file, free_name(file.name, _in_set(own, file.test_set))) if taken else file)
    put_files(own)


def discard_waiting(names: Collection[tuple[str, str]]) -> None:
    """Discard the waiting files of those test sets and names."""
    _pop_waiting(names)


def _pop_waiting(names: Collection[tuple[str, str]]) -> list[File]:
    """Remove the waiting files of those test sets and names from the queue and return them."""
    state = _state()
    popped = [file for file in state.waiting if (file.test_set, file.name) in names]
    state.waiting = tuple(file for file in state.waiting if (file.test_set, file.name) not in names)
    return popped


def notices() -> list[tuple[str, str]]:
    """Return the messages about the last change of files, as (kind, message) pairs, and clear them."""
    pending = list(st.session_state.notices)
    st.session_state.notices = []
    return pending


def change_file(position: int, **changes: Any) -> None:
    """Change attributes of one of the user's files.

    Args:
        position: of the file in the chosen test set.
        **changes: attributes by name.
    """
    own, place = list(own_files()), _place_of(position)
    own[place] = replace(own[place], **changes)
    put_files(own)


def _place_of(position: int) -> int:
    """Return the position among all files of a file of the chosen test set."""
    state = _state()
    return state.positions_of(state.chosen_set)[position]


def add_human_translator(name: str) -> None:
    """Load the text of a reference also as a system, marked as a human translator."""
    texts = current_workspace().corpus.references[name]
    # A table's cell may have several lines; other line separators of Unicode are part of the text.
    lines = ((text or "").replace("\r\n", " ").replace("\n", " ") for text in texts)
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
    own = files_of_set()
    file_name = f"{name}.txt"
    if any(file.name == file_name and file.role == "system" for file in own):
        file_name = free_name(file_name, own)
    file = File(file_name, data, "system", renamed=name, human=True, test_set=chosen_set())
    put_files((*own_files(), file))


def ignore_alert(file: File, name: str) -> None:
    """Ignore that a file has ratings of a reference."""
    state = _state()
    state.ignored_alerts |= {(file.digest, name)}


def is_ignored(file: File, name: str) -> bool:
    """Return whether the user ignores that a file has ratings of a reference."""
    return (file.digest, name) in _state().ignored_alerts


def remove_file(position: int) -> None:
    """Remove one of the user's files; undo_removal restores it.

    Args:
        position: of the file in the chosen test set.
    """
    _remove([_place_of(position)])


def remove_files_of_set(name: str) -> None:
    """Remove a test set with all of its files; undo_removal restores them."""
    state = _state()
    state.empty_sets = tuple(other for other in state.empty_sets if other != name)
    state.waiting = tuple(file for file in state.waiting if file.test_set != name)
    if state.files_of(name):
        _remove(state.positions_of(name))


def _remove(places: Sequence[int]) -> None:
    """Remove files by their positions among all files, in ascending order."""
    state, own = _state(), own_files()
    state.removed = tuple(RemovedFile(own[place], after=own[place - 1] if place else None) for place in places)
    put_files(file for place, file in enumerate(own) if place not in set(places))


def _place_in(own: Sequence[File], file: File | None) -> int | None:
    """Return the position of a file whose corrections may have changed; None if it is not there."""
    if file is None:
        return None
    same = [n for n, other in enumerate(own) if _is_named(other, file) and other.digest == file.digest]
    return min(same, key=lambda n: own[n].role != file.role, default=None)


def remove_all_files() -> None:
    """Remove all of the user's files and show the sample data; undo_removal restores them."""
    state = _state()
    state.removed = tuple(RemovedFile(file, after=before) for before, file in pairwise((None, *state.files)) if file)
    state.files, state.fitted, state.waiting, state.empty_sets = (), {}, (), ()
    show_dataset("sample")


def removed_files() -> tuple[RemovedFile, ...]:
    """Return the files that were last removed or replaced, and can be restored."""
    return _state().removed


def undo_removal() -> None:
    """Restore the files that were last removed or replaced, in their places and test sets."""
    state, own = _state(), list(own_files())
    for former in state.removed:
        replaced, before = _place_in(own, former.replacement), _place_in(own, former.after)
        if replaced is not None:
            own[replaced] = former.file
        elif before is not None:
            own.insert(before + 1, former.file)
        else:  # it was the first, or what told its place was removed
            own.insert(0 if former.after is former.replacement is None else len(own), former.file)
    put_files(own)
    state.removed = ()
    show_dataset("own")
