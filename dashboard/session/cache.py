"""In-memory stores of the server: results, shared or of one session, and the files of each session. No Streamlit.

Results are bounded in bytes and dropped some time after their last use. Results that all sessions share hold numbers
only. The files of a session that has ended are kept for some time, so that its tab can restore them, also after a
reload; all of them together are bounded in bytes, too.
"""

from __future__ import annotations

import secrets
import sys
import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass
from itertools import islice
from pathlib import Path
from types import FunctionType
from typing import Any, Literal, NamedTuple, cast

import numpy as np
import pandas as pd
from cachetools import TTLCache
from cachetools.keys import hashkey

from bleu_core.project import NoteRecord, ReportText
from bleu_core.uploads import File, Workspace, by_test_set

Shown = Literal["sample", "own"]


class Scope(NamedTuple):
    """The owner and the files that results are computed from.

    Attributes:
        owner: key of the session state; empty for files that the server opened for every session.
        files: fingerprint of the files.
    """

    owner: str
    files: Hashable


#: Maximum number of elements of a collection that are measured; the others are assumed to be as large on average.
MAX_MEASURED = 100

#: Bytes of an object itself, without what it refers to.
OBJECT_BYTES = 100


@dataclass(frozen=True, slots=True)
class _Result:
    value: Any
    size: int


@dataclass(frozen=True, slots=True)
class Shared:
    """Key of a result that all sessions share.

    Attributes:
        kind: of the work.
        content: digests of all inputs of the result, in order of position, and settings; no names.
    """

    kind: str
    content: Hashable


@dataclass(frozen=True, slots=True)
class Private:
    """Key of a result that sessions do not share, unless the server has opened the same files for them.

    Attributes:
        owner: key of the session state whose files the result is from; empty for files that the server opened.
        files: fingerprint of these files.
        kind: of the work.
        content: further inputs that the result depends on.
    """

    owner: str
    files: Hashable
    kind: str
    content: Hashable


class Results:
    """Results of computations; safe to use from several threads.

    The least recently used results are evicted for new ones, and a result that was not used for some time is dropped.

    Args:
        max_bytes: estimated bytes of all results together at most; a larger result is not kept.
        seconds: how long a result is kept after its last use.
        timer: returns the time in seconds.
    """

    def __init__(self, max_bytes: int, seconds: float, timer: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._results: TTLCache[Hashable, _Result] = TTLCache(max_bytes, seconds, timer, _size_of_result)

    def __len__(self) -> int:
        with self._lock:
            return len(self._results)

    @property
    def bytes(self) -> int:
        """Estimated bytes of all results."""
        with self._lock:
            return int(self._results.currsize)

    def get(self, key: Hashable) -> Any:
        """Return a result and restart its time to live; None where there is none."""
        with self._lock:
            entry = self._results.get(key)
            if entry is None:
                return None
            self._results[key] = entry  # restarts its time to live
            return entry.value

    def keep(self, key: Hashable, value: Any) -> None:
        """Keep a result, if it is not larger than all results may be.

        Raises:
            TypeError: all sessions would share it, and it holds anything but numbers.
        """
        if isinstance(key, Shared):
            check_numbers(value)
        result = _Result(value, size(value, without=File))  # files belong to the sessions, whatever refers to them
        with self._lock:
            if result.size <= self._results.maxsize:
                self._results[key] = result

    def drop_unused(self) -> None:
        """Drop results that were not used for some time."""
        with self._lock:
            self._results.expire()

    def keep_only_of(self, owners: Collection[str]) -> None:
        """Drop the results of all owners but these; results that are shared have none."""
        with self._lock:
            for key in [key for key in self._results if isinstance(key, Private) and key.owner not in owners]:
                self._results.pop(key, None)  # it may have expired meanwhile


def _size_of_result(result: _Result) -> int:
    return result.size


@dataclass(eq=False, slots=True)
class Computation:
    """A computation that one session does, and others may wait for.

    Attributes:
        progress: units done and in all; None before they are known.
        ended: set when the computation is finished, stopped or failed.
        result: None if the computation is not finished.
    """

    progress: tuple[int, int] | None = None
    ended: threading.Event = field(default_factory=threading.Event)
    result: Any = None


class Computations:
    """The computations under way, so that none is done twice at the same time; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._of: dict[Hashable, Computation] = {}

    def __len__(self) -> int:
        with self._lock:
            return len(self._of)

    @contextmanager
    def take(self, key: Hashable) -> Iterator[Computation | None]:
        """Register a computation, which ends when the context is left; yield None if it is already under way."""
        mine = Computation()
        with self._lock:
            taken = self._of.setdefault(key, mine) is mine
        try:
            yield mine if taken else None
        finally:
            if taken:
                with self._lock:
                    del self._of[key]
                mine.ended.set()

    def get(self, key: Hashable) -> Computation | None:
        """Return the computation of a result that is under way, if there is one."""
        with self._lock:
            return self._of.get(key)


@dataclass(frozen=True, slots=True)
class RemovedFile:
    """A file that was removed or replaced, and can be restored.

    Attributes:
        file: its former content.
        after: the file before it among those of all test sets; None for the first.
        replacement: the file that has replaced it, if any.
    """

    file: File
    after: File | None = None
    replacement: File | None = None

    def in_test_set(self, name: str, new_name: str) -> RemovedFile:
        """Return the same with a new name of a test set."""

        def moved(file: File) -> File:
            return file.in_test_set(new_name) if file.test_set == name else file

        return RemovedFile(
            moved(self.file), self.after and moved(self.after), self.replacement and moved(self.replacement)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoSnapshot:
    """The session's content before a workspace was opened.

    Attributes:
        name: of the workspace that was opened.
        opened: the files of the workspace.
        files: the former files.
        empty_sets: the former test sets without files.
        dataset: the data that were shown.
        controls: of all pages, as parameters of the address.
        notes: stars and notes.
        report: heading and introduction of the report.
    """

    name: str
    opened: tuple[File, ...]
    files: tuple[File, ...]
    empty_sets: tuple[str, ...] = ()
    dataset: Shown
    controls: Mapping[str, list[str]]
    notes: tuple[NoteRecord, ...]
    report: ReportText


@dataclass(frozen=True, slots=True, kw_only=True)
class _Division:
    """The files of a session, divided into test sets.

    Attributes:
        files: all of them.
        of: the files of each test set, by its name.
        fingerprints: of the files of each test set, by its name.
    """

    files: tuple[File, ...]
    of: Mapping[str, tuple[File, ...]]
    fingerprints: Mapping[str, Hashable]


Following = Literal["live", "frozen"]


@dataclass(frozen=True, slots=True)
class CampaignRatings:
    """The state of following the ratings of a campaign.

    Attributes:
        following: "live" imports new ratings with every run of a page, "frozen" none.
        since: time of that choice, in seconds since 1970.
        seen: `CampaignStore.changes` when ratings were last imported; None before that.
        present: whether the ratings were among the files then.
    """

    following: Following = "live"
    since: float = 0.0
    seen: tuple[int, int, int] | None = None
    present: bool = False


@dataclass(eq=False, slots=True, kw_only=True)
class SessionState:
    """A user's files in a session, with notes and report texts.

    Attributes:
        key: secret of the session's tab, by which it can restore the files.
        files: those of all test sets, in the order they came.
        opened: files that the server opened for the session.
        chosen: name of the test set that the user has chosen last; see `chosen_set`.
        empty_sets: names of test sets without files.
        fitted: the workspaces made of the files of test sets, by the fingerprints of these files, so that a renamed
            test set keeps its own; there is none of a test set that was not read yet.
        waiting: uploads with the name of another file, until the user decides whether they replace it.
        removed: the files that were last removed or replaced.
        notes: stars and notes on segments: digest of a text -> number of a segment -> note.
        opened_notes: notes of the workspace that the server opened for the session.
        report: heading and introduction of the report.
        opened_report: report texts of the workspace that the server opened for the session.
        before: the session's content before a workspace was opened; None where that cannot be undone.
        ignored_alerts: alerts that the user ignores: digest of a file and name of a reference.
        campaign: state of following the ratings of the campaign that the session leads.
        campaign_set: name of the test set in which the campaign was opened, whose files its ratings are among; None
            before its ratings are first added.
        hosted: the file of the campaign that was opened in this session on the page Campaign, and the time at which the
            link of its lead was made, which a newer link invalidates; None without a campaign.
        callbacks: callbacks of the widgets that the page shows, by the widgets' keys; never copied to another session.
        drawn: keys of the widgets that the current run has shown.
    """

    key: str = field(default_factory=secrets.token_urlsafe, repr=False)
    files: tuple[File, ...] = ()
    opened: tuple[File, ...] = ()
    chosen: str = ""
    empty_sets: tuple[str, ...] = ()
    fitted: dict[Hashable, Workspace] = field(default_factory=dict[Hashable, Workspace])
    waiting: tuple[File, ...] = ()
    removed: tuple[RemovedFile, ...] = ()
    notes: dict[str, dict[int, Any]] = field(default_factory=dict[str, dict[int, Any]])
    opened_notes: dict[str, dict[int, Any]] = field(default_factory=dict[str, dict[int, Any]])
    report: ReportText = field(default_factory=ReportText)
    opened_report: ReportText = field(default_factory=ReportText)
    before: UndoSnapshot | None = None
    ignored_alerts: frozenset[tuple[str, str]] = frozenset()
    campaign: CampaignRatings = field(default_factory=CampaignRatings)
    campaign_set: str | None = None
    hosted: tuple[Path, float | None] | None = None
    callbacks: dict[str, Callable[..., None]] = field(default_factory=dict[str, Callable[..., None]])
    drawn: set[str] = field(default_factory=set[str])
    _divided: _Division | None = field(default=None, init=False, repr=False)
    _opened_sets: tuple[tuple[File, ...], tuple[tuple[File, ...], ...]] | None = field(
        default=None, init=False, repr=False
    )

    @property
    def test_sets(self) -> tuple[str, ...]:
        """The names of the test sets, one or more: in the order of the first file of each, then those without files."""
        names = dict.fromkeys((*self._division.of, *self.empty_sets))
        return tuple(names) or ("",)

    @property
    def chosen_set(self) -> str:
        """The name of the test set that is shown: the one that was chosen last, else the first."""
        names = self.test_sets
        return self.chosen if self.chosen in names else names[0]

    def files_of(self, name: str) -> tuple[File, ...]:
        """Return the files of a test set."""
        return self._division.of.get(name, ())

    def positions_of(self, name: str) -> tuple[int, ...]:
        """Return the positions among all files of the files of a test set."""
        return tuple(position for position, file in enumerate(self.files) if file.test_set == name)

    def scope_of(self, name: str) -> Scope:
        """Return the scope of results of a test set's files; files that the server opened have no owner."""
        division = self._division
        return Scope(
            "" if self._is_opened(self.files_of(name)) else self.key, division.fingerprints.get(name, NO_FILES)
        )

    @property
    def scope(self) -> Scope:
        """The scope of results of the files that are shown."""
        return self.scope_of(self.chosen_set)

    @property
    def _division(self) -> _Division:
        if self._divided is None or self._divided.files is not self.files:
            of = by_test_set(self.files)
            fingerprints = {name: _fingerprint_of(files) for name, files in of.items()}
            self._divided = _Division(files=self.files, of=of, fingerprints=fingerprints)
            current = {NO_FILES, *fingerprints.values()}
            self.fitted = {files: workspace for files, workspace in self.fitted.items() if files in current}
        return self._divided

    def _is_opened(self, files: tuple[File, ...]) -> bool:
        """Return whether the server has opened the same files, and no others, as a test set of the same name."""
        if self._opened_sets is None or self._opened_sets[0] is not self.opened:
            self._opened_sets = self.opened, tuple(by_test_set(self.opened).values()) or ((),)
        return any(files == others for others in self._opened_sets[1])

    @property
    def changed(self) -> bool:
        """Return whether the state has anything that the server would not open again for a new session."""
        has_notes = (
            self.copy_of_notes() != self.opened_notes or self.report != self.opened_report or self.ignored_alerts
        )
        frozen = self.campaign.following == "frozen"
        kept = self.waiting or self.removed or self.before or has_notes or frozen or self.hosted or self.empty_sets
        return bool(self.files != self.opened or kept)

    @property
    def bytes(self) -> int:
        """Estimated bytes of the whole state."""
        files = self.files, self.fitted, self.waiting, self.removed, self.before
        return size((*files, self.notes, self.report, self.ignored_alerts))

    def copy_from(self, other: SessionState) -> None:
        """Copy the content of another state; later changes of one do not affect the other."""
        self.files, self.opened, self.fitted = other.files, other.opened, dict(other.fitted)
        self.chosen, self.empty_sets = other.chosen, other.empty_sets
        self.waiting, self.removed = other.waiting, other.removed
        self.notes, self.opened_notes = other.copy_of_notes(), other.opened_notes
        self.report, self.opened_report = other.report, other.opened_report
        self.before, self.ignored_alerts = other.before, other.ignored_alerts
        self.campaign, self.campaign_set, self.hosted = other.campaign, other.campaign_set, other.hosted

    def copy_of_notes(self) -> dict[str, dict[int, Any]]:
        """Return a copy of the notes, without texts that have none."""
        return {digest: dict(notes) for digest, notes in self.notes.items() if notes}

    def clear(self) -> None:
        """Remove all content."""
        self.copy_from(SessionState())
        self.callbacks, self.drawn = {}, set()


def _fingerprint_of(files: Iterable[File]) -> Hashable:
    """Return the fingerprint of files, which keeps its hash."""
    return hashkey(*(file.fingerprint for file in files))


#: Fingerprint of no files.
NO_FILES = _fingerprint_of(())


@dataclass(slots=True, kw_only=True)
class _Owner:
    session: str
    seen: float
    connected: bool = True
    left: bool = False
    bytes: int = 0


class SessionStore:
    """The states of all sessions; safe to use from several threads.

    Args:
        seconds: how long files are kept after their session was last seen connected.
        max_bytes: estimated bytes of the files of all sessions that are not connected; the oldest are dropped first.
        timer: returns the time in seconds.

    Attributes:
        reconnection: seconds in which a session may reconnect by itself. What its tab could not restore by its key is
            dropped after that.
    """

    def __init__(self, seconds: float, max_bytes: int, timer: Callable[[], float] = time.monotonic) -> None:
        self.seconds = seconds
        self.reconnection = seconds
        self._max_bytes = max_bytes
        self._timer = timer
        self._lock = threading.Lock()
        self._owners: dict[SessionState, _Owner] = {}

    def create(self, session: str) -> SessionState:
        """Create an empty state for a session that is connected."""
        state = SessionState()
        with self._lock:
            self._owners[state] = _Owner(session=session, seen=self._timer())
        return state

    @property
    def keys(self) -> set[str]:
        """The keys of all states."""
        with self._lock:
            return {state.key for state in self._owners}

    def has(self, state: SessionState) -> bool:
        """Return whether a state is kept; otherwise it was dropped, and is empty."""
        with self._lock:
            return state in self._owners

    def has_of_others(self, session: str) -> bool:
        """Return whether other sessions have anything that a tab might restore."""
        with self._lock:
            return any(owner.session != session and state.changed for state, owner in self._owners.items())

    def restore(self, key: str, state: SessionState, connected: Callable[[str], bool]) -> bool:
        """Give a session the content that another one has under that key.

        The key is moved if the other session has ended, as after a reload. If it is still connected, its tab was
        duplicated: both continue with the same files and separate keys.

        Args:
            key: sent by a tab.
            state: of the tab's new session.
            connected: returns whether a session is connected now.

        Returns:
            Whether there is anything under that key.
        """
        sent = key.encode("utf-8", "surrogatepass")
        with self._lock:
            others = (other for other in self._owners if other is not state)
            former = next((other for other in others if secrets.compare_digest(other.key.encode(), sent)), None)
            if former is None or not former.changed:
                return False
            owner = self._owners[former]
            is_connected = connected(owner.session)
            if not is_connected and self._timer() - owner.seen > self.seconds:
                return False
            state.copy_from(former)
            if not is_connected:
                state.key, former.key = former.key, state.key
                owner.left = True
        return True

    def drop_ended(self, connected: Callable[[str], bool]) -> list[str]:
        """Empty the states of sessions that ended some time ago, and the oldest ones beyond the limit of bytes.

        Args:
            connected: returns whether a session is connected now.

        Returns:
            The sessions whose states were emptied.
        """
        now = self._timer()
        with self._lock:
            for state, owner in self._owners.items():
                is_connected = connected(owner.session)
                if is_connected:
                    owner.seen, owner.left, owner.bytes = now, False, 0
                elif owner.connected:
                    owner.bytes = state.bytes
                owner.connected = is_connected
                if now - owner.seen > self.reconnection:
                    state.callbacks = {}
            ended = [state for state, owner in self._owners.items() if not owner.connected]
            ended.sort(key=lambda state: self._owners[state].seen)
            total = sum(self._owners[state].bytes for state in ended)
            dropped: list[str] = []
            for state in ended:
                owner = self._owners[state]
                seconds = self.seconds if state.changed and not owner.left else self.reconnection
                if total > self._max_bytes or now - owner.seen > seconds:
                    total -= owner.bytes
                    state.clear()
                    del self._owners[state]
                    dropped.append(owner.session)
        return dropped


def check_numbers(value: object) -> None:
    """Check that a value holds no text or other names, and make its arrays read-only.

    Args:
        value: a number, a truth value, None, an array of these, or a tuple or dataclass of such values. A function is
            allowed if it belongs to a module, as it then holds nothing but code.

    Raises:
        TypeError: the value holds something else.
    """
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        if type(array) is not np.ndarray or array.dtype.kind not in "biuf":
            raise TypeError(f"an array of {array.dtype} found in what all sessions share, numbers expected")
        array.flags.writeable = False
    elif isinstance(value, tuple):
        for element in cast("tuple[object, ...]", value):
            check_numbers(element)
    elif is_dataclass(value) and not isinstance(value, type):
        for element in _attributes(value).values():
            check_numbers(element)
    elif not (value is None or isinstance(value, bool | int | float | np.bool_ | np.number) or _is_code(value)):
        raise TypeError(f"{type(value).__name__} found in what all sessions share, numbers expected")


def _is_code(value: object) -> bool:
    """Return whether a value is a function of a module, accessible there by its name."""
    if not isinstance(value, FunctionType):
        return False
    return value is getattr(sys.modules.get(value.__module__), value.__qualname__, None)


def size(value: object, *, without: type | None = None) -> int:
    """Estimate the memory of a value in bytes, from samples of its collections.

    Arrays and tables are measured as a whole, an array with its base. An object that occurs twice counts once.

    Args:
        value: what is measured.
        without: the class of objects whose content is not counted, as others hold them.

    >>> size("x" * 1000) > 1000
    True
    >>> size(np.zeros(1000)) >= 8000
    True
    """
    return round(_size(value, set(), without))


def _size(value: object, seen: set[int], without: type | None) -> float:
    if isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base
    if id(value) in seen:
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return (
            OBJECT_BYTES + value.nbytes + (_size_of_all(value.ravel(), seen, without) if value.dtype.hasobject else 0)
        )
    if isinstance(value, (pd.DataFrame, pd.Series, pd.Index)):
        return OBJECT_BYTES + float(np.sum(value.memory_usage(deep=True)))
    own = sys.getsizeof(value, OBJECT_BYTES)
    if isinstance(value, (Mapping, tuple, list, set, frozenset)):
        own += _size_of_all(value, seen, without)
        return own + (_size_of_all(value.values(), seen, without) if isinstance(value, Mapping) else 0)
    held_by_others = without is not None and isinstance(value, without)
    if is_dataclass(value) and not isinstance(value, type) and not held_by_others:
        return own + sum(_size(attribute, seen, without) for attribute in _attributes(value).values())
    return own


def _attributes(value: Any) -> dict[str, object]:
    """Return the fields of a dataclass instance; of one without slots also its cached properties."""
    return {field.name: getattr(value, field.name) for field in fields(value)} | getattr(value, "__dict__", {})


def _size_of_all(values: Collection[object], seen: set[int], without: type | None) -> float:
    """Estimate the size of all elements from a sample."""
    sample = list(islice(values, 0, None, -(-len(values) // MAX_MEASURED) or 1))
    return sum(_size(element, seen, without) for element in sample) * len(values) / len(sample) if sample else 0
