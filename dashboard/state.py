"""What a session holds and what is computed once: the only user of st.session_state and st.cache_*.

Files' bytes are copied in as soon as they arrive, since uploads vanish when a page is left. Caches are keyed on
digests of the content, never on names or on arrays, which Streamlit hashes from a sample.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NoReturn

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import sample_data
from bleu_core.bleu import PRESETS, BleuSettings
from bleu_core.blocks import Blocks, BlockScores, block_scores, blocks_of_size, document_blocks, equal_blocks
from bleu_core.corpus import Corpus
from bleu_core.correlation import Agreement, agreement, normalised_by_range
from bleu_core.decay import Decay, fit_decay
from bleu_core.errors import BleuCoreError, SettingsError
from bleu_core.evaluation import Evaluation, evaluate
from bleu_core.formats.recognise import FileRole
from bleu_core.judgments import Judgments
from dashboard.figures.theme import Style, styles
from dashboard.launch import Launch
from dashboard.literal import literal
from dashboard.workspace import File, Workspace, assemble, sorted_in

Dataset = Literal["sample", "own"]
Division = Literal["blocks", "size", "documents"]

#: Counted at once, so that a smaller maximum order needs no new count.
USUAL_ORDER, HIGHEST_ORDER = 4, 9

#: Names of files in an address are cut at this length; they are there for people.
LONGEST_FILES = 300

DEFAULTS = PRESETS["sacrebleu"]

#: What a count is kept under: the corpus's digest, the references in use, and the settings it depends on.
CountKey = tuple[str, tuple[str, ...], BleuSettings]
MOST_COUNTS = 32

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


@dataclass(frozen=True)  # without slots, which leave no place for what is computed once
class View:
    """What a page works on: the loaded data under the settings in force.

    Attributes:
        workspace: the loaded data.
        evaluation: the chosen systems against the chosen references.
        styles: how each loaded system is drawn.
    """

    workspace: Workspace
    evaluation: Evaluation
    styles: Mapping[str, Style]

    @cached_property
    def copies(self) -> tuple[str, ...]:
        """Chosen systems whose text equals a reference in use: their BLEU says nothing."""
        copies = self.workspace.copies_of(self.evaluation.references)
        return tuple(name for name in self.evaluation.systems if name in copies)

    @cached_property
    def compared(self) -> Evaluation:
        """The chosen systems without the copies, unless nothing else is left."""
        others = [name for name in self.evaluation.systems if name not in self.copies]
        return self.evaluation.select(others) if others else self.evaluation


# --- files ---------------------------------------------------------------------------------------------------


def start(launch: Launch) -> None:
    """Begin a session: open the files named on the command line, or the sample data.

    The sample's address and that of the files opened here always work; any other is remembered as a link.
    """
    session = st.session_state
    if "dataset" in session:
        return
    session.notices = []
    session.own = _opened(launch)
    session.uploads = 0
    session.dataset = "own" if session.own else "sample"
    wanted = st.query_params.get("data")
    if wanted and session.own and wanted == _workspace(sample_files()).digest:
        session.dataset = "sample"
    session.link = None
    if wanted and wanted != workspace().digest:
        parameters = {key: st.query_params.get_all(key) for key in st.query_params}
        session.link = Link(wanted, st.query_params.get("files", ""), parameters)


def _opened(launch: Launch) -> tuple[File, ...]:
    """The files named on the command line, read anew for each session."""
    found: list[File] = []
    for path, role in launch.files:
        try:
            file = sorted_in(path.name, path.read_bytes(), role)
        except OSError as error:  # gone since the start
            st.session_state.notices.append(("error", f"{path}: {(error.strerror or str(error)).lower()}"))
            continue
        found.append(replace(file, human=role == "system" and file.stem in launch.human_systems))
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
    session = st.session_state
    arrived = session.get(upload_key()) or []
    own = {(f.name, f.role): f for f in session.own}
    seen: dict[tuple[str, FileRole], str] = {}
    notices: list[tuple[str, str]] = []
    for upload in arrived:
        file = sorted_in(upload.name, upload.getvalue(), role)
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
    if arrived:
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
    restored = {key: st.session_state[key] for key in SETTING_KEYS if key in st.session_state}
    if restored and st.session_state.pop("restored", False):
        # Streamlit's page keeps in the address what Python or a person has set, but not what a later run of the
        # same session took from there: once the widgets have it, say it again.
        put(**restored)
    link: Link | None = st.session_state.link
    if link is not None and link.digest == workspace().digest:
        st.session_state.link = None
        st.session_state.restored = True
        st.query_params.from_dict(link.parameters)
        st.rerun()  # widgets take their values from the address a run begins with


def dismiss_link() -> None:
    """Forget the link and show the data that are loaded."""
    st.session_state.link = None


def write_address() -> None:
    """Put the data's digest and, for a person's own files, their names into the page's address."""
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
        weights=_weights(get("weights", "")),
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


# --- results -------------------------------------------------------------------------------------------------


def require(*, systems: int = 1, judgments: bool = False) -> View:
    """The data and settings a page needs; where something is missing, say what to do and stop the page.

    Args:
        systems: how many systems the page needs at least.
        judgments: whether it needs ratings.
    """
    link = unmatched_link()
    if link is not None:
        _stop_at_link(link)
    current = workspace()
    loaded = current.corpus
    if len(loaded.systems) < systems:
        noun = "system output" if systems == 1 else "system outputs"
        _stop_with_hint(f"{len(loaded.systems)} of at least {systems} {noun} loaded. Add files, one segment a line.")
    if not loaded.references:
        _stop_with_hint("No reference translation is loaded, at least 1 is needed. Add a file, one segment a line.")
    if judgments and current.judgments is None:
        _stop_with_hint(
            "No human judgments are loaded. Add a CSV or TSV file whose header names system and score, and segment, "
            "judge and group where they are known."
        )
    try:
        found = _evaluation(current, settings())
    except BleuCoreError as error:
        _stop_with_error(str(error))
    left = [name for name in loaded.systems if name not in get("without_systems", [])]
    if len(left) < systems:
        _stop_with_error(
            f"{len(left)} of {len(loaded.systems)} systems are left, at least {systems} needed; "
            "take some out of 'Leave out systems' in the sidebar"
        )
    return View(current, found.select(left), styles(tuple(loaded.systems)))


def decays(view: View) -> tuple[Decay, ...]:
    """The fitted decay of each system that is compared."""
    return fit_decay(view.compared.scores)


def blocks(view: View, division: Division, number: int, size: int) -> BlockScores:
    """BLEU on blocks, divided as chosen."""
    corpus = view.workspace.corpus
    divided: Blocks
    if division == "documents" and corpus.documents is not None:
        divided = document_blocks(corpus.documents)
    elif division == "size":
        divided = blocks_of_size(corpus.segments, min(size, corpus.segments))
    else:
        divided = equal_blocks(corpus.segments, min(number, corpus.segments))
    return block_scores(view.compared, divided)


def agreements(view: View, group: str | None = None, *, machines_only: bool = False) -> Agreement:
    """BLEU beside the ratings of all judges, or of one group.

    Raises:
        AlignmentError: no system has both.
    """
    judgments = view.workspace.judgments
    if judgments is None:
        raise SettingsError("no judgments are loaded")
    without = view.workspace.human_systems if machines_only else ()
    return agreement(view.workspace.corpus, view.evaluation, _of_group(judgments, group), without=without)


def lead(view: View, first: str, second: str, number: int) -> BlockScores:
    """BLEU on blocks of the two best systems only."""
    return blocks(replace(view, evaluation=view.evaluation.select([first, second])), "blocks", number, number)


def normalised(
    view: View, result: Agreement, *, machines_only: bool
) -> tuple[tuple[str, ...], dict[str, Sequence[float]]]:
    """BLEU, all ratings and each group's ratings, scaled to their range, lowest BLEU first.

    Returns:
        The systems, and what is compared -> one value a system.
    """
    order = sorted(range(len(result.systems)), key=lambda k: (result.bleu[k], result.systems[k]))
    systems = tuple(result.systems[k] for k in order)
    lines: dict[str, Sequence[float]] = {"BLEU": normalised_by_range(result.bleu)[order].tolist()}
    judgments = view.workspace.judgments
    groups = judgments.groups if judgments is not None else ()
    if not groups[1:]:  # one group is all judges
        lines["mean rating"] = normalised_by_range(result.human)[order].tolist()
        return systems, lines
    for group in groups:
        of_group = agreements(view, group, machines_only=machines_only)
        scaled = dict(zip(of_group.systems, normalised_by_range(of_group.human), strict=True))
        lines[f"mean rating, {group}"] = [float(scaled.get(name, math.nan)) for name in systems]
    return systems, lines


def remember_pages(pages: Mapping[str, Any]) -> None:
    """Keep the pages, so that one can link to another."""
    st.session_state.pages = pages


def page_link(name: str, label: str) -> None:
    """A link to another page; the settings go along."""
    st.page_link(st.session_state.pages[name], label=label, icon=":material/arrow_forward:")


def _of_group(judgments: Judgments, group: str | None) -> Judgments:
    return judgments if group is None else judgments.of_group(group)


def _weights(text: str) -> tuple[float, ...] | None:
    parts = text.replace(",", " ").replace(";", " ").split()
    try:
        return tuple(float(part) for part in parts) or None
    except ValueError:
        raise SettingsError(f"weights {text!r} found, numbers like 0.4 0.3 0.2 0.1 expected") from None


def _evaluation(current: Workspace, chosen: BleuSettings) -> Evaluation:
    references = tuple(name for name in current.corpus.references if name not in get("without_references", []))
    if not references:
        raise SettingsError("all references are left out; take one out of 'Leave out references' in the sidebar")
    order = USUAL_ORDER if chosen.max_order <= USUAL_ORDER else HIGHEST_ORDER
    counted = BleuSettings(tokenizer=chosen.tokenizer, lowercase=chosen.lowercase, max_order=order)
    return _count(current.corpus, references, counted).under(chosen)


def stop_counting(key: CountKey) -> None:
    """Do not count that any further, until the person asks for it again."""
    st.session_state.stopped = key


def resume_counting() -> None:
    """Count after all."""
    st.session_state.stopped = None


def _count(corpus: Corpus, references: tuple[str, ...], settings: BleuSettings) -> Evaluation:
    """Count, or find what was counted; long work shows how far it is, and can be stopped.

    A cache of Streamlit's own would replay the progress bar each time, and could not be stopped.
    """
    key = (corpus.digest, references, settings)
    kept = _counts()
    found = kept.pop(key, None)  # in one step, as other sessions use it too
    if found is not None:
        kept[key] = found
        return found
    if get("stopped") == key:
        st.info("Counting was stopped. Other settings, or fewer references, may take less time.")
        st.button("Count after all", on_click=resume_counting, key="resume-counting")
        st.stop()
    begun, place = time.monotonic(), st.empty()
    bar: list[DeltaGenerator] = []

    def show(done: int, total: int) -> None:
        # A click elsewhere ends the count here: Streamlit raises where a page draws.
        if not bar and time.monotonic() - begun < PATIENCE:
            return
        if not bar:
            inside = place.container(key="counting")
            bar.append(inside.progress(0.0))
            inside.button("Stop", on_click=stop_counting, args=(key,), key="stop-counting")
        bar[0].progress(done / total, f"Counting n-grams: {done:,} of {total:,} segments")

    found = evaluate(corpus, settings, references=references, progress=show)
    place.empty()
    kept[key] = found
    while len(kept) > MOST_COUNTS:
        kept.popitem(last=False)
    return found


@st.cache_resource(show_spinner=False)
def _counts() -> OrderedDict[CountKey, Evaluation]:
    """What was counted last, for all sessions: the key is made of digests, and arrays are read-only."""
    return OrderedDict()


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


def _stop_at_link(link: Link) -> NoReturn:
    explain_link(link)
    page_link("Data", "Add those files on the Data page; the link's settings then apply")
    st.stop()


def _stop_with_hint(message: str) -> NoReturn:
    st.info(literal(message))
    page_link("Data", "Go to the Data page")
    st.stop()


def _stop_with_error(message: str) -> NoReturn:
    st.error(literal(message))
    st.stop()
