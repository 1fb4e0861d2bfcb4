"""Cached work with progress and a button to stop it; unused results are dropped.

Results of a function that is `cached` belong to the session whose files they are computed from. Sessions share results
from files that the server opened for each of them, and results of a function that is `shared`: numbers without names.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Generator, Hashable, Iterable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import cache, partial, update_wrapper
from inspect import signature
from typing import Any, Concatenate, Generic, NoReturn, ParamSpec, TypeAlias, TypeVar, cast

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bleu_core.persistent_processes import PersistentProcesses
from bleu_core.processes import available_cores, in_background
from bleu_core.progress import Progress
from dashboard.literal import literal
from dashboard.session.cache import (
    Computation,
    Computations,
    Private,
    Results,
    Scope,
    SessionState,
    SessionStore,
    Shared,
)
from dashboard.session.turns import Turn, Turns

LOGGER = logging.getLogger(__name__)

#: Maximum number of bytes of the results of all sessions together.
MAX_RESULT_BYTES = 2**30

#: Seconds after which an unused result is dropped.
RESULT_TTL_S = 600

#: Seconds for which the files of a session that has ended are kept for its tab.
FILES_TTL_S = 1800

#: Maximum number of bytes of the files of all sessions that have ended.
MAX_FILE_BYTES = 2**30

#: Seconds between two sweeps.
SWEEP_INTERVAL_S = 30

RESULTS = Results(MAX_RESULT_BYTES, RESULT_TTL_S)
COMPUTATIONS = Computations()
SESSIONS = SessionStore(FILES_TTL_S, MAX_FILE_BYTES)
TURNS = Turns(available_cores(), max(available_cores() - 1, 1))

#: Processes for work of a session while others wait for answers; on one core there are none, as they gain nothing.
WORKER_PROCESSES = PersistentProcesses(available_cores() - 1)

_TURN: ContextVar[Turn | None] = ContextVar("turn", default=None)

#: The sample is the same for every session.
SCOPE_OF_SAMPLE = Scope("", "sample")

Work = Private | Shared

P = ParamSpec("P")
R = TypeVar("R")

#: A text that users read, or a function of the arguments that returns it.
Text: TypeAlias = str | Callable[..., str]

#: Seconds of work before progress is shown, and between two updates of the bar.
PROGRESS_DELAY_S, PROGRESS_INTERVAL_S = 0.4, 0.1


@contextmanager
def turn() -> Generator[None]:
    """Run the app when its turn has come; work after `after_answers` waits for the answers of other sessions."""
    with TURNS.take(_end_if_unwanted) as current:
        token = _TURN.set(current)
        try:
            yield
        finally:
            _TURN.reset(token)


def after_answers() -> None:
    """Wait until no session waits for an answer; called before work that was not requested or is below the fold."""
    current = _TURN.get()
    if current is not None:
        TURNS.follow(current, _end_if_unwanted)


def results_of_run() -> dict[Hashable, Any]:
    """Return the results that this run of the app may need again; empty, and not kept, outside a run."""
    current = _TURN.get()
    return {} if current is None else current.results


def offload(function: Callable[..., Any], *arguments: Any, progress: Progress | None = None, **named: Any) -> Any:
    """Call a function in another process if other sessions wait for answers and a process is free; else call it here.

    Args:
        function: of a module of bleu_core; pure.
        arguments: of the function.
        progress: of the function; called with zeros while another process works, whose progress is unknown.
        named: keyword arguments of the function.
    """
    if TURNS.running > 1 and st.session_state.get("workers") != 1:
        waiting = partial(progress or _ignore_progress, 0, 0)
        outcome = WORKER_PROCESSES.call(function, *arguments, waiting=waiting, **named)
        if outcome is not None:
            return outcome[0]
    return function(*arguments, **named, progress=progress)


def _end_if_unwanted() -> None:
    """Let Streamlit end the run here if the user's interaction has started another one."""
    _ = "held" in st.session_state


def scope() -> Hashable:
    """Return the scope of the files that this session shows: their owner and fingerprint.

    Without a page, the scope is unique.
    """
    if not _is_run():
        return object()
    state: SessionState | None = st.session_state.get("held")
    if state is None or st.session_state.get("dataset") == "sample":
        return SCOPE_OF_SAMPLE
    return state.scope


def joint_scope(scopes: Iterable[Hashable]) -> Hashable:
    """Return the scope of several test sets: their owner and the fingerprints of all their files."""
    parts = tuple(scopes)
    of_files = [part for part in parts if isinstance(part, Scope)]
    if len(of_files) < len(parts):  # the sample data, or the files of a command
        return parts
    owner = next((part.owner for part in of_files if part.owner), "")
    return Scope(owner, tuple(part.files for part in of_files))


def _is_run() -> bool:
    """Return whether this is a run of the app with a page and a session, and not a command or a download."""
    return get_script_run_ctx(suppress_warning=True) is not None


class ComputedOnce(Generic[P, R]):
    """A function whose results are cached by the content of its arguments."""

    def __init__(
        self, compute: Callable[Concatenate[Progress, P], R], doing: Text, what: Text, *, can_stop: bool = True
    ) -> None:
        self._compute, self._doing, self._what, self._can_stop = compute, doing, what, can_stop
        self._kind = f"{compute.__module__}.{compute.__qualname__}"
        self._signature = signature(compute)
        update_wrapper(cast("Callable[P, R]", self), compute)

    def _content(
        self, known_by: Callable[[object], Hashable], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Hashable, ...]:
        """Return the arguments by name, so that positional and keyword arguments are equivalent."""
        bound = self._signature.bind(None, *args, **kwargs)
        bound.apply_defaults()
        _, *given = bound.arguments.items()
        return tuple((name, known_by(value)) for name, value in given)

    def _once(self, work: Work, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute the result or return the cached one; on a page long work shows its progress, and can be stopped.

        Work that another session is doing is not repeated: this session waits, and shows the other one's progress. If
        the other one is stopped, or fails, this session does the work itself.
        """
        result: tuple[R] | None = RESULTS.get(work)
        if result is not None:
            return result[0]
        doing, what = (text if isinstance(text, str) else text(*args, **kwargs) for text in (self._doing, self._what))
        background: AbstractContextManager[None] = nullcontext()
        if _is_run():
            if st.session_state.get("stopped") == work:
                st.info(literal(f"{doing} was stopped. Other settings may take less time."))
                st.button("Resume", on_click=_resume, key="resume-work")
                st.stop()
            background = in_background(st.session_state.get("workers"))  # other sessions wait for answers meanwhile
        bar = _ProgressBar(work, doing, what, can_stop=self._can_stop)
        while True:
            with COMPUTATIONS.take(work) as computation:
                if computation is not None:
                    result = RESULTS.get(work)  # another session may have finished just now
                    if result is None:
                        with background:
                            result = (self._compute(partial(_report, computation, bar), *args, **kwargs),)
                        RESULTS.keep(work, result)
                    computation.result = result
                    break
            result = _other_result(work, bar)
            if result is not None:
                break
        bar.empty()
        return result[0]


class CachedFunction(ComputedOnce[P, R]):
    """A function whose results are cached for the files that they are computed from; see `cached`."""

    def __init__(
        self,
        compute: Callable[Concatenate[Progress, P], R],
        doing: Text,
        what: Text,
        *,
        can_stop: bool,
        typed: bool,
    ) -> None:
        super().__init__(compute, doing, what, can_stop=can_stop)
        self._typed = typed

    def __call__(self, data_scope: Hashable, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute the result, or return the cached one.

        Args:
            data_scope: the scope of the data; results of one scope are never used for another.
            args: of the function, without its progress.
            kwargs: as args.
        """
        return self._once(self._key(data_scope, *args, **kwargs), *args, **kwargs)

    def is_known(self, data_scope: Hashable, /, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Return whether the result is cached; the arguments are those of a call."""
        return RESULTS.get(self._key(data_scope, *args, **kwargs)) is not None

    def _key(self, data_scope: Hashable, *args: P.args, **kwargs: P.kwargs) -> Private:
        owner, files = data_scope if isinstance(data_scope, Scope) else ("", data_scope)
        if self._typed and isinstance(data_scope, Scope) and not owner:
            if _is_run():
                owner = st.session_state["held"].key
            else:
                files = object()  # the owner is unknown, so the result is not shared
        return Private(owner, files, self._kind, self._content(fingerprint, *args, **kwargs))


class SharedFunction(ComputedOnce[P, R]):
    """A function whose results are numbers that all sessions share; see `shared`."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute the result, or return the cached one; the arguments are those of the function."""
        key = Shared(self._kind, self._content(fingerprint_by_position, *args, **kwargs))
        return self._once(key, *args, **kwargs)


def cached(
    doing: Text, what: Text, *, can_stop: bool = True, typed: bool = False
) -> Callable[[Callable[Concatenate[Progress, P], R]], CachedFunction[P, R]]:
    """Cache the results of a function by the fingerprints of its arguments.

    The function's first parameter is its progress; it is called with the scope of the data there, such as
    `view.scope`, whose results are kept apart from those of others. It reads nothing but its arguments.

    Args:
        doing: name of the work for users, or a function of the arguments that returns it.
        what: units of its progress for users, or a function of the arguments that returns them.
        can_stop: whether there is a button to stop it; not for work that every page needs.
        typed: whether the result contains text that the user typed, so that sessions do not share it, even if the
            server opened the same files for them.
    """

    def decorated(compute: Callable[Concatenate[Progress, P], R]) -> CachedFunction[P, R]:
        return CachedFunction(compute, doing, what, can_stop=can_stop, typed=typed)

    return decorated


def shared(doing: Text, what: Text) -> Callable[[Callable[Concatenate[Progress, P], R]], SharedFunction[P, R]]:
    """Cache the results of a function for all sessions, by fingerprints of its arguments that hold no names.

    The function's first parameter is its progress, which calls leave out. It returns numbers only, with systems,
    references and judges as positions; a call raises a TypeError if its result holds anything else, or if an argument
    has no fingerprint by position.

    Args:
        doing: as at `cached`.
        what: as at `cached`.
    """
    return lambda compute: SharedFunction(compute, doing, what)


def fingerprint(value: object) -> Hashable:
    """Return the fingerprint of a value, for the key of a result.

    Args:
        value: with a `fingerprint`, which covers everything that a result depends on; or hashable by content, such as a
            text, a number, or a tuple or frozen dataclass of these.

    Raises:
        TypeError: it is neither, so that it could be confused with another value.
    """
    own = getattr(value, "fingerprint", None)
    if own is not None:
        return own
    if isinstance(value, tuple):
        return tuple(map(fingerprint, cast("tuple[object, ...]", value)))
    if value is not None and type(value).__hash__ is object.__hash__:
        raise TypeError(f"{type(value).__name__} found in the key of a result, a value with a fingerprint expected")
    hash(value)
    return cast("Hashable", value)


def fingerprint_by_position(value: object) -> Hashable:
    """Return the fingerprint of a value for shared results: without names, otherwise as `fingerprint`.

    Raises:
        TypeError: it has names, or is not hashable by content.
    """
    own = getattr(value, "fingerprint_by_position", None)
    if own is not None:
        return own
    if hasattr(value, "fingerprint"):
        raise TypeError(f"{type(value).__name__} found in the key of what all sessions share, which may have names")
    return fingerprint(value)


def _ignore_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


def _report(computation: Computation, bar: _ProgressBar, done: int, total: int) -> None:
    computation.progress = (done, total)
    bar.show(done, total)


def _other_result(work: Work, bar: _ProgressBar) -> Any:
    """Wait for the session that does the work and return its result; None if it did not finish."""
    computation = COMPUTATIONS.get(work)
    if computation is None:
        return RESULTS.get(work)
    while not computation.ended.wait(PROGRESS_INTERVAL_S):  # set in any case; the user can stop waiting
        bar.show(*computation.progress or (0, 0))
    return computation.result


class _ProgressBar:
    """The progress of some work, with a button to stop it; not shown at first, nor without a page.

    Args:
        work: key of the work.
        doing: its name, for users.
        what: the units of its progress, for users.
        can_stop: whether to show the button.
    """

    def __init__(self, work: Work, doing: str, what: str, *, can_stop: bool) -> None:
        self._work, self._doing, self._what, self._can_stop = work, doing, what, can_stop
        self._place: DeltaGenerator | None = None  # no gap on the page where none is needed
        self._bar: DeltaGenerator | None = None
        self._next = time.monotonic() + PROGRESS_DELAY_S

    def show(self, done: int, total: int) -> None:
        """Show the progress. Streamlit raises here when the user interacts with the page, which ends the work."""
        now = time.monotonic()
        if now < self._next or not _is_run():
            return
        self._next = now + PROGRESS_INTERVAL_S
        if self._bar is None:
            stamp = f"{hash(self._work):x}"  # one page may wait for several pieces of work
            self._place = st.empty()
            inside = self._place.container(key=f"working-{stamp}")
            self._bar = inside.progress(0.0)
            if self._can_stop:
                inside.button("Stop", on_click=_stop, args=(self._work,), key=f"stop-{stamp}")
        text = f"{self._doing}: {done:,} of {total:,} {self._what}" if total else self._doing
        self._bar.progress(min(done / total, 1.0) if total else 0.0, literal(text))

    def empty(self) -> None:
        """Remove the bar."""
        if self._place is not None:
            self._place.empty()


def _stop(work: Work) -> None:
    """Stop the work until the user resumes it."""
    st.session_state.stopped = work


def _resume() -> None:
    st.session_state.stopped = None


def create_state() -> SessionState:
    """Create an empty state for this session, and start sweeping with the first one."""
    _begin_sweeping()
    return SESSIONS.create(_session_id())


def is_stored(state: SessionState) -> bool:
    """Return whether a session's state is still stored; otherwise it is empty."""
    return SESSIONS.has(state)


def has_restorable_files() -> bool:
    """Return whether the server keeps any files that the tab of this session might have a key to."""
    return SESSIONS.has_of_others(_session_id())


def restore(key: str, state: SessionState) -> bool:
    """Copy the content stored under a key to this session's state; return whether there was any."""
    return SESSIONS.restore(key, state, runtime.get_instance().is_active_session)


def _session_id() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


@cache
def _begin_sweeping() -> None:
    threading.Thread(target=_sweep_forever, name="sweep", daemon=True).start()


def _sweep_forever() -> NoReturn:
    while True:
        time.sleep(SWEEP_INTERVAL_S)
        try:
            sweep()
        except Exception:
            LOGGER.exception("cannot drop unused results")


def sweep() -> None:
    """Drop unused results and processes, files of sessions that have ended, and garbage."""
    RESULTS.drop_unused()
    WORKER_PROCESSES.end_idle(RESULT_TTL_S)
    if runtime.exists():
        _drop_ended_sessions()
    gc.collect()  # not after each run, as Streamlit would, since that blocks all answers


def _drop_ended_sessions() -> None:
    server = runtime.get_instance()
    SESSIONS.reconnection = st.get_option("server.disconnectedSessionTTL")
    SESSIONS.seconds = max(FILES_TTL_S, SESSIONS.reconnection)
    for session in SESSIONS.drop_ended(server.is_active_session):
        server.uploaded_file_mgr.remove_session_files(session)  # Streamlit has the same bytes
    RESULTS.keep_only_of({"", *SESSIONS.keys})
