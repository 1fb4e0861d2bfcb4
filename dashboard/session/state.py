"""What a session holds and what is computed once: the only user of st.session_state and st.cache_*.

Files' bytes are copied in as soon as they arrive, since uploads vanish when a page is left. Results are kept under
digests of the content, never under names or arrays, which Streamlit hashes from a sample.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, NoReturn
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

import sample_data
from bleu_core.dataset import plural
from bleu_core.errors import SettingsError
from bleu_core.formats import FileRole, packed_folder
from bleu_core.limits import Limits
from bleu_core.paper import TABLE_REFERENCES
from bleu_core.progress import Progress
from bleu_core.scoring import PRESETS, BleuSettings
from dashboard.launch import Launch
from dashboard.literal import literal
from dashboard.session.cache import Holding, Holdings, Results
from dashboard.session.workspace import File, Workspace, assemble, folders_in, problem_with, sorted_in

LOGGER = logging.getLogger(__name__)

Dataset = Literal["sample", "own"]

#: Names of files in an address are cut at this length; they are there for people.
LONGEST_FILES = 300

DEFAULTS = PRESETS["sacrebleu"]

#: Messages that are shown after an upload.
MOST_NOTICES = 50

#: Results of all sessions together, bytes at most.
MOST_BYTES = 2**30

#: Seconds after which a result that nobody uses, and the files of a session that has ended, are dropped.
KEPT_FOR = 600

#: Seconds between two looks for what is to be dropped.
SWEEP = 30

RESULTS = Results(MOST_BYTES, KEPT_FOR)
HOLDINGS = Holdings(KEPT_FOR)

#: The key of a box that nobody sees: what the browser's tab shows.
TAB = "shown_in_this_tab"

#: Seconds in which a rerun of the page can overtake one of ours.
OVERTAKEN = 2.0

#: Seconds after which a switch of pages has settled.
SETTLED = 1.0

#: Seconds of work before progress is shown.
PATIENCE = 0.4

#: The sidebar's widgets, each a query parameter of the page's address.
SETTING_KEYS = (
    "tokenizer",
    "lowercase",
    "max_order",
    "weights",
    "smoothing",
    "smoothing_value",
    "reference_length",
    "without_references",
    "without_systems",
    "without_groups",
    "without_judges",
    "zscore",
    "intervals",
)


@dataclass(frozen=True, slots=True)
class Link:
    """The address a session was opened with, made with other data than are loaded.

    Attributes:
        digest: of the data it was made with.
        files: their names, for people.
        parameters: all of its query parameters.
        lost: whether the data were loaded in this tab, in a session that has ended.
    """

    digest: str
    files: str
    parameters: Mapping[str, list[str]]
    lost: bool = False


# --- files ---------------------------------------------------------------------------------------------------


def start(launch: Launch) -> None:
    """Begin a session: open the files named on the command line, or the sample data.

    The sample's address and that of the files opened here always work; any other is remembered as a link.
    """
    session = st.session_state
    session.whole_run = True
    if "started" in session:
        _told_by_tab()
        return
    _begin_sweeping()
    session.limits = launch.limits
    session.held = HOLDINGS.begin(_session_id())
    session.notices = []
    session.held.files = _opened(launch)
    session.uploads = 0
    session.dataset = "own" if own_files() else "sample"
    session.link = None
    link = _asked_for()
    session.opened_by_link = link is not None
    if link is not None:
        if own_files() and link.digest == _sample_workspace().digest:
            session.dataset = "sample"
        if link.digest != current_workspace().digest:
            session.link = link
    session.started = True  # at last: a click may have ended a first run before this, and the next begins anew


def _asked_for() -> Link | None:
    """What a new session is to show, by the tab or by the address; None where neither says so.

    A tab that has lost its session, because the server was started again or the session has ended while the tab was
    not connected, sends what its widgets hold. It may lack the address: on a switch of pages Streamlit's page drops
    what is bound to no widget.
    """
    parameters = {key: st.query_params.get_all(key) for key in st.query_params}
    before = _told_by_tab()
    if before is None:
        digest = st.query_params.get("data")
        return Link(digest, st.query_params.get("files", ""), parameters) if digest else None
    digest, files = before
    parameters |= {"data": [digest]} | ({"files": [files]} if files else {})
    return Link(digest, files, parameters, lost=bool(files))  # the sample has no names of files


def _told_by_tab() -> tuple[str, str] | None:
    """Tell the tab which data it shows; in a new session, get to know what it showed before, if anything.

    Returns:
        The digest of the data and the names of the files. None where the tab has nothing else to say than now.
    """
    link = unmatched_link()
    digest, files = (current_workspace().digest, _names()) if link is None else (link.digest, link.files)
    shown = urlencode({"data": digest, "files": files})
    st.html(f"<style>.st-key-{TAB} {{ display: none }}</style>")
    if "started" in st.session_state:
        st.session_state[TAB] = shown
    told = parse_qs(st.text_input("Data shown in this tab", value=shown, key=TAB, autocomplete="off"))
    before = told.get("data", [""])[0], told.get("files", [""])[0]
    return before if before[0] and before != (digest, files) else None


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
        human = role == "system" and file.stem in launch.human_systems
        found.append(replace(file, human=human, human_names=() if file.can_be_renamed else launch.human_systems))
    return tuple(found)


def dataset() -> Dataset:
    """Whether the sample data or the person's own files are shown."""
    return st.session_state.dataset


def show_dataset(chosen: Dataset) -> None:
    """Switch between the sample data and one's own files; neither is lost."""
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


def current_workspace() -> Workspace:
    """The data that are shown."""
    if dataset() == "sample":
        return _sample_workspace()
    held = _held()
    key = _key_of(held.files)
    if held.fitted is None or held.fitted[0] != key:
        held.fitted = key, _workspace(held.files)
    return held.fitted[1]


def _held() -> Holding:
    return st.session_state.held


def _names() -> str:
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
        session.dataset = "own"


def _too_many_files(name: str, most: int) -> str:
    return (
        f"{name}: this file and those after it were not taken in: a session holds {most:,} files at most, as many as "
        "there may be systems and references; put several texts into one table, or start with a higher "
        "--limit systems=NUMBER"
    )


def notices() -> list[tuple[str, str]]:
    """What to tell about the last change of files: (kind, message) pairs; told once."""
    told = list(st.session_state.notices)
    st.session_state.notices = []
    return told


def change_file(position: int, **changes: Any) -> None:
    """Change what is said about one of the person's files."""
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
    st.session_state.dataset = "sample"


# --- address -------------------------------------------------------------------------------------------------


def unmatched_link() -> Link | None:
    """The link this session was opened with, while the data it was made with are not loaded."""
    return st.session_state.link


def follow_link() -> None:
    """Once the data of the remembered link are loaded, restore its settings."""
    session = st.session_state
    link: Link | None = session.link
    if link is not None and link.digest == current_workspace().digest:
        session.link, session.restoring, session.restored_at = None, link, time.monotonic()
        session.linked = link.parameters
        _restore(link)
    restoring: Link | None = session.get("restoring")
    if restoring is None:
        return
    wanted = {key: value for key, value in restoring.parameters.items() if key in SETTING_KEYS}
    arrived = all(st.query_params.get_all(key) == value for key, value in wanted.items())
    if not arrived and time.monotonic() - session.restored_at < OVERTAKEN:
        _restore(restoring)  # the page's own rerun, after an upload, has overtaken ours with the address from before
    if all(key in session for key in wanted):
        # Streamlit's page keeps in the address what Python or a person has set, but not what a later run of the
        # same session took from there: once the widgets have it, say it again.
        _say_settings_again()
        session.restoring = None


def _say_settings_again() -> None:
    put(**{key: st.session_state[key] for key in SETTING_KEYS if key in st.session_state})


def _restore(link: Link) -> NoReturn:
    for key in SETTING_KEYS:
        st.session_state.pop(key, None)
    st.query_params.from_dict(link.parameters)
    st.rerun()  # widgets take their values from the address a run begins with


def dismiss_link() -> None:
    """Forget the link and show the data that are loaded."""
    st.session_state.link = None


def write_address() -> None:
    """Put the data's digest and, for a person's own files, their names into the page's address."""
    st.session_state.opened_by_link = False  # from here on the address is this session's own
    link = unmatched_link()
    if link is not None:
        if {key: st.query_params.get_all(key) for key in st.query_params} != link.parameters:
            st.query_params.from_dict(link.parameters)  # a switch of pages has dropped some
        return
    current, names = current_workspace(), _names()
    if not names and "files" in st.query_params:
        del st.query_params["files"]
    wanted = {"data": current.digest} | ({"files": names} if names else {})
    if any(st.query_params.get(key) != value for key, value in wanted.items()):
        st.query_params.update(wanted)  # at once: each change of the address is a step for the Back button


# --- settings ------------------------------------------------------------------------------------------------


def put(**values: Any) -> None:
    """Set widgets by key, before they are drawn."""
    for key, value in values.items():
        st.session_state[key] = value


def get(key: str, default: Any = None) -> Any:
    """What a widget is set to."""
    return st.session_state.get(key, default)


def keep_known(key: str, known: Iterable[str]) -> None:
    """Drop names that are no longer loaded from a widget's choice."""
    names = tuple(known)
    if key in st.session_state:
        st.session_state[key] = [name for name in st.session_state[key] if name in names]


def say_in_address(**values: str) -> None:
    """Put values into the page's address where they are not there yet."""
    if any(st.query_params.get(key) != value for key, value in values.items()):
        st.query_params.update(values)


def keep_one_of(key: str, options: Sequence[str], usual: str | None = None) -> None:
    """Take a box's choice from the session or the address; where it is no option, choose the usual one (the first)."""
    chosen = st.session_state.get(key, _asked(key))
    st.session_state[key] = chosen if chosen in options else options[0] if usual is None else usual


def keep_some_of(key: str, options: Sequence[str], usual: Sequence[str]) -> None:
    """Take a box's choices from the session or the address, as far as they are options; the usual ones at first."""
    chosen = st.session_state.get(key, st.query_params.get_all(key) or _linked(key) or list(usual))
    st.session_state[key] = [name for name in chosen if name in options]


def say_all_in_address(key: str, values: Sequence[str]) -> None:
    """Put the choices of a box into the page's address where they are not there yet."""
    if st.query_params.get_all(key) != list(values):
        st.query_params[key] = list(values)


def keep_switch(key: str) -> None:
    """Take a switch's position from the session or the address; off at first."""
    st.session_state[key] = st.session_state.get(key, _asked(key) == "true")


def _asked(key: str) -> str | None:
    """What the address says, or the link that was followed."""
    return st.query_params.get(key) or next(iter(_linked(key)), None)


def _linked(key: str) -> list[str]:
    """What the link said of a box that is on another page than the one where its data were added."""
    return st.session_state.get("linked", {}).get(key, [])


def keep_number_within(key: str, low: int, high: int, usual: int) -> None:
    """Take a number box's value from the session or the address; where it is out of bounds, the usual one."""
    chosen = st.session_state.get(key, _asked(key))
    try:
        number = int(chosen)
    except (TypeError, ValueError):  # nothing there, or no number
        number = usual
    st.session_state[key] = number if low <= number <= high else usual


def settings() -> BleuSettings:
    """The settings in force, from the sidebar.

    Raises:
        SettingsError: they do not go together.
    """
    smoothing = get("smoothing", DEFAULTS.smoothing)
    return BleuSettings(
        tokenizer=get("tokenizer", DEFAULTS.tokenizer),
        lowercase=get("lowercase", DEFAULTS.lowercase),
        max_order=get("max_order", DEFAULTS.max_order),
        weights=weights(get("weights", "")),
        smoothing=smoothing,
        smoothing_value=get("smoothing_value") if smoothing in ("floor", "add-k") else None,
        reference_length=get("reference_length", DEFAULTS.reference_length),
    )


def choose_preset(name: str) -> None:
    """Set the sidebar to a preset."""
    preset = PRESETS[name]
    put(
        tokenizer=preset.tokenizer,
        lowercase=preset.lowercase,
        max_order=preset.max_order,
        weights="",
        smoothing=preset.smoothing,
        smoothing_value=None,
        reference_length=preset.reference_length,
    )


def weights(text: str) -> tuple[float, ...] | None:
    """The weights a person has written; None for none.

    Raises:
        SettingsError: it is no list of numbers.
    """
    parts = text.replace(",", " ").replace(";", " ").split()
    try:
        return tuple(float(part) for part in parts) or None
    except ValueError:
        raise SettingsError(f"weights {text!r} found, numbers like 0.4 0.3 0.2 0.1 expected") from None


def bring_paper_settings() -> None:
    """On the first visit of the Paper page with the sample data, set the sidebar as in the paper.

    Settings that a person or a link has chosen stay: a link to the page without any was made under the usual ones.
    """
    session = st.session_state
    if session.get("paper_visited") or dataset() != "sample" or unmatched_link() is not None:
        return
    session.paper_visited = True
    if (
        session.opened_by_link
        or any(key in st.query_params for key in SETTING_KEYS)
        or settings() != DEFAULTS
        or get("without_references")
    ):
        return
    session.paper_brought, session.paper_unsaid = True, "tokenizer" in session
    paper, others = PRESETS["paper"], list(current_workspace().corpus.references)[TABLE_REFERENCES:]
    put(tokenizer=paper.tokenizer, lowercase=paper.lowercase, smoothing=paper.smoothing)  # all that differs
    put(without_references=others)
    if not session.paper_unsaid:  # the session's first run: there are no widgets yet, so that Python may say it
        st.query_params.update(
            {
                "tokenizer": paper.tokenizer,
                "lowercase": "true",
                "smoothing": paper.smoothing,
                "without_references": others,
            }
        )


@st.fragment(run_every=SETTLED)
def say_paper_settings() -> None:
    """Once the switch of pages has settled, set the same again, which puts them into the address.

    Streamlit's page does that for its widgets, but loses some of them while it switches pages.
    """
    session = st.session_state
    if session.pop("whole_run", False):  # drawn with the page, not run by itself
        return
    session.paper_unsaid = False
    _say_settings_again()
    st.rerun()


def paper_settings_unsaid() -> bool:
    """Whether settings brought on a switch of pages are still to be put into the address."""
    return st.session_state.get("paper_unsaid", False)


def paper_settings_brought() -> bool:
    """Whether the sidebar was set as in the paper, and still is."""
    brought = st.session_state.get("paper_brought", False) and dataset() == "sample"
    return brought and settings() == PRESETS["paper"]


# --- work ----------------------------------------------------------------------------------------------------


def remember(kind: str, key: Hashable, compute: Callable[[Progress], Any], *, doing: str, what: str) -> Any:
    """Do some work, or find what it gave before; long work shows how far it is, and can be stopped.

    A cache of Streamlit's own would replay the progress bar each time, and could not be stopped.

    Args:
        kind: of the work; results are kept for all sessions.
        key: what the result depends on: digests, settings and names, never arrays.
        compute: the work; told where to report progress.
        doing: what it is, for people.
        what: the units of its progress, for people.
    """
    found = RESULTS.get((kind, key))
    if found is not None:
        return found
    if get("stopped") == (kind, key):
        st.info(f"{doing} was stopped. Other settings may take less time.")
        st.button("Go on after all", on_click=_resume, key="resume-work")
        st.stop()
    begun, place = time.monotonic(), st.empty()
    stamp = f"{kind}-{hash(key):x}"  # one page may wait for several pieces of work
    bar: list[DeltaGenerator] = []

    def show(done: int, total: int) -> None:
        # A click elsewhere ends the work here: Streamlit raises where a page draws.
        if not bar and time.monotonic() - begun < PATIENCE:
            return
        if not bar:
            inside = place.container(key=f"working-{stamp}")
            bar.append(inside.progress(0.0))
            inside.button("Stop", on_click=_stop, args=((kind, key),), key=f"stop-{stamp}")
        bar[0].progress(done / total, f"{doing}: {done:,} of {total:,} {what}")

    found = compute(show)
    place.empty()
    RESULTS.keep((kind, key), found)
    return found


def _stop(work: tuple[str, Hashable]) -> None:
    """Do not go on with that until the person asks for it again."""
    st.session_state.stopped = work


def _resume() -> None:
    st.session_state.stopped = None


@functools.cache
def _begin_sweeping() -> None:
    """From now on, drop what was not used for some time."""
    threading.Thread(target=_sweep_for_ever, name="sweep", daemon=True).start()


def _sweep_for_ever() -> NoReturn:
    while True:
        time.sleep(SWEEP)
        try:
            sweep()
        except Exception:
            LOGGER.exception("cannot drop what is not used")


def sweep() -> None:
    """Drop results that nobody uses and files of sessions that have ended."""
    RESULTS.drop_unused()
    if not runtime.exists():
        return
    server = runtime.get_instance()
    HOLDINGS.seconds = max(KEPT_FOR, st.get_option("server.disconnectedSessionTTL"))  # a session may still come back
    for session in HOLDINGS.drop_ended(server.is_active_session):
        server.uploaded_file_mgr.remove_session_files(session)  # Streamlit has the same bytes


def _session_id() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def remember_pages(pages: Mapping[str, Any]) -> None:
    """Keep the pages, so that one can link to another."""
    st.session_state.pages = pages


def page_link(name: str, label: str) -> None:
    """A link to another page; the settings go along."""
    st.page_link(st.session_state.pages[name], label=label, icon=":material/arrow_forward:")


@st.cache_resource(max_entries=1, show_spinner=False)
def _sample() -> tuple[File, ...]:
    files = [File(p.name, p.read_bytes(), "system", human=p.stem.startswith("H")) for p in sample_data.systems()]
    files += [File(p.name, p.read_bytes(), "reference") for p in sample_data.references()]
    files.append(File(sample_data.DOCUMENTS.name, sample_data.DOCUMENTS.read_bytes(), "document"))
    files.append(File(sample_data.JUDGMENTS.name, sample_data.JUDGMENTS.read_bytes(), "judgments"))
    return tuple(files)


def _key_of(files: Sequence[File]) -> tuple[object, ...]:
    """Stands for the files, which may be large."""
    return session_limits(), *(f.key for f in files)


def _sample_workspace() -> Workspace:
    return _workspace(sample_files())


def _workspace(files: Sequence[File]) -> Workspace:
    key = "workspace", _key_of(files)
    found: Workspace | None = RESULTS.get(key)
    if found is None:
        with st.spinner("Reading files …"):
            found = assemble(files, session_limits())
        RESULTS.keep(key, found)
    return found


def explain_link(link: Link) -> None:
    """Say with which data a link was made, or a tab has lost."""
    if link.lost:
        files = f" (these were loaded: {link.files})" if link.files else ""
        st.warning(literal(f"Your files are no longer on the server{files}. Add them again."))
    else:
        files = f": {link.files}" if link.files else ""
        st.warning(
            literal(
                f"This link was made with other data than are loaded here{files}. "
                "Numbers shown under it would not be those its sender saw."
            )
        )
    st.button("Show the loaded data instead", on_click=dismiss_link, key="dismiss-link")


# --- when something fails ------------------------------------------------------------------------------------


@contextmanager
def going_on(part: str) -> Iterator[None]:
    """Let the rest of the app go on when a part of it fails for a reason that nobody expected.

    The page gets a sentence, the log the traceback. Streamlit's own way out of a run, as by st.stop, is no exception.

    Args:
        part: what is drawn, as a sentence begins.
    """
    try:
        yield
    except Exception as error:
        LOGGER.exception("%s cannot be shown", part)
        st.error(
            literal(
                f"{part} cannot be shown: an unexpected error ({type(error).__name__}). "
                "Look at the files on the Data page, and please report the error."
            )
        )
        page_link("Data", "Go to the Data page")
