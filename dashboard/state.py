"""What a session holds and what is computed once: the only user of st.session_state and st.cache_*.

Files' bytes are copied in as soon as they arrive, since uploads vanish when a page is left. Caches are keyed on
digests of the content, never on names or on arrays, which Streamlit hashes from a sample.
"""

from __future__ import annotations

import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import sample_data
from bleu_core.bleu import PRESETS, BleuSettings
from bleu_core.errors import BleuCoreError, SettingsError
from bleu_core.formats.archive import packed_folder
from bleu_core.formats.recognise import FileRole
from bleu_core.paper import TABLE_REFERENCES
from bleu_core.progress import Progress
from dashboard.launch import Launch
from dashboard.literal import literal
from dashboard.workspace import File, Workspace, assemble, folders_in, sorted_in

Dataset = Literal["sample", "own"]

#: Names of files in an address are cut at this length; they are there for people.
LONGEST_FILES = 300

DEFAULTS = PRESETS["sacrebleu"]

#: Results of a kind that are kept.
MOST_KEPT = 32

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
    """

    digest: str
    files: str
    parameters: Mapping[str, list[str]]


# --- files ---------------------------------------------------------------------------------------------------


def start(launch: Launch) -> None:
    """Begin a session: open the files named on the command line, or the sample data.

    The sample's address and that of the files opened here always work; any other is remembered as a link.
    """
    session = st.session_state
    session.whole_run = True
    if "dataset" in session:
        return
    session.notices = []
    session.own = _opened(launch)
    session.uploads = 0
    session.dataset = "own" if session.own else "sample"
    wanted = st.query_params.get("data")
    if wanted and session.own and wanted == _workspace(sample_files()).digest:
        session.dataset = "sample"
    session.opened_by_link = wanted is not None
    session.link = None
    if wanted and wanted != workspace().digest:
        parameters = {key: st.query_params.get_all(key) for key in st.query_params}
        session.link = Link(wanted, st.query_params.get("files", ""), parameters)


def _opened(launch: Launch) -> tuple[File, ...]:
    """The files named on the command line, read anew for each session."""
    found: list[File] = []
    for path, role in launch.files:
        try:
            data = packed_folder(path) if path.is_dir() else path.read_bytes()
        except OSError as error:  # gone since the start
            st.session_state.notices.append(("error", f"{path}: {(error.strerror or str(error)).lower()}"))
            continue
        except BleuCoreError as error:
            st.session_state.notices.append(("error", str(error)))
            continue
        file = sorted_in(path.resolve().name, data, role)
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
    return st.session_state.own


def sample_files() -> tuple[File, ...]:
    """The sample data."""
    return _sample()


def workspace() -> Workspace:
    """The data that are shown."""
    return _workspace(sample_files() if dataset() == "sample" else own_files())


def upload_key() -> str:
    """The key of the upload form; it changes with each upload, which empties the form."""
    return f"upload-{st.session_state.uploads}"


def add_uploads(role: FileRole | None) -> None:
    """Take in what lies in the upload form, in the role given or sorted by name and content.

    A file of the name and role of one that is there replaces it. The sample data make way.
    """
    arrived = st.session_state.get(upload_key()) or []
    _take([sorted_in(upload.name, upload.getvalue(), role) for upload in arrived], [])


def add_folders() -> None:
    """Take in the folders that lie in the upload form, each as an archive; else as add_uploads."""
    arrived = st.session_state.get(upload_key()) or []
    files, problems = folders_in((upload.name, upload.getvalue) for upload in arrived)
    _take(files, problems)


def _take(files: Sequence[File], problems: Sequence[str]) -> None:
    session = st.session_state
    own = {(f.name, f.role): f for f in session.own}
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
            file = replace(own[key], data=file.data)
        elif key in own:
            notices.append(("info", f"{file.name}: the same file is already loaded"))
            continue
        own[key] = file
    session.own = tuple(own.values())
    session.uploads += 1
    session.notices = notices
    if files:
        session.dataset = "own"


def notices() -> list[tuple[str, str]]:
    """What to tell about the last change of files: (kind, message) pairs; told once."""
    told = list(st.session_state.notices)
    st.session_state.notices = []
    return told


def change_file(position: int, **changes: Any) -> None:
    """Change what is said about one of the person's files."""
    own = list(st.session_state.own)
    own[position] = replace(own[position], **changes)
    st.session_state.own = tuple(own)


def remove_file(position: int) -> None:
    """Remove one of the person's files."""
    own = st.session_state.own
    st.session_state.own = own[:position] + own[position + 1 :]


def remove_all_files() -> None:
    """Remove all of the person's files and show the sample data again."""
    st.session_state.own = ()
    st.session_state.dataset = "sample"


# --- address -------------------------------------------------------------------------------------------------


def unmatched_link() -> Link | None:
    """The link this session was opened with, while the data it was made with are not loaded."""
    return st.session_state.link


def follow_link() -> None:
    """Once the data of the remembered link are loaded, restore its settings."""
    session = st.session_state
    link: Link | None = session.link
    if link is not None and link.digest == workspace().digest:
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
    if unmatched_link() is not None:
        return
    current = workspace()
    names = "" if dataset() == "sample" else ", ".join(e.file.name for e in current.entries if not e.problem)
    if len(names) > LONGEST_FILES:
        names = names[:LONGEST_FILES] + "…"
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
    paper, others = PRESETS["paper"], list(workspace().corpus.references)[TABLE_REFERENCES:]
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
        kind: of the work; the last few results of each kind are kept, for all sessions.
        key: what the result depends on: digests, settings and names, never arrays.
        compute: the work; told where to report progress.
        doing: what it is, for people.
        what: the units of its progress, for people.
    """
    kept = _kept()[kind]
    found = kept.pop(key, None)  # in one step, as other sessions use it too
    if found is not None:
        kept[key] = found
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
    kept[key] = found
    while len(kept) > MOST_KEPT:
        kept.popitem(last=False)
    return found


def _stop(work: tuple[str, Hashable]) -> None:
    """Do not go on with that until the person asks for it again."""
    st.session_state.stopped = work


def _resume() -> None:
    st.session_state.stopped = None


@st.cache_resource(show_spinner=False)
def _kept() -> defaultdict[str, OrderedDict[Hashable, Any]]:
    """The last results of each kind, for all sessions: keys are made of digests, and arrays are read-only."""
    return defaultdict(OrderedDict)


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


def _workspace(files: Sequence[File]) -> Workspace:
    return _assembled(tuple(f.key for f in files), files)


@st.cache_resource(max_entries=16, show_spinner="Reading files …")
def _assembled(keys: tuple[tuple[object, ...], ...], _files: Sequence[File]) -> Workspace:
    del keys  # they stand for the files, which may be large
    return assemble(_files)


def explain_link(link: Link) -> None:
    """Say with which data a link was made."""
    files = f": {link.files}" if link.files else ""
    st.warning(
        literal(
            f"This link was made with other data than are loaded here{files}. "
            "Numbers shown under it would not be those its sender saw."
        )
    )
    st.button("Show the loaded data instead", on_click=dismiss_link, key="dismiss-link")
