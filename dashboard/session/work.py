"""Work that is done once, with its progress and a way to stop it; what is no longer used is dropped.

Results of a function that is `cached` belong to the session whose files they are from. Sessions share those from files
that the server opened for each of them, and results of a function that is `shared`: numbers that hold no name.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Generator, Hashable
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
from dashboard.session.cache import Computation, Computations, Holding, Holdings, Private, Results, Scope, Shared
from dashboard.session.turns import Turn, Turns

LOGGER = logging.getLogger(__name__)

#: Results of all sessions together, bytes at most.
MAX_BYTES = 2**30

#: Seconds after which a result that nobody uses is dropped.
KEPT_FOR = 600

#: Seconds for which the files of a session that has ended are kept for its tab.
FILES_KEPT_FOR = 1800

#: The files of all sessions that have ended, bytes at most.
MAX_BYTES_OF_FILES = 2**30

#: Seconds between two looks for what is to be dropped.
SWEEP = 30

RESULTS = Results(MAX_BYTES, KEPT_FOR)
COMPUTATIONS = Computations()
HOLDINGS = Holdings(FILES_KEPT_FOR, MAX_BYTES_OF_FILES)
TURNS = Turns(available_cores(), max(available_cores() - 1, 1))

#: For work of a session while others want answers: on one core there are none, as they would gain nothing.
ASIDE = PersistentProcesses(available_cores() - 1)

_TURN: ContextVar[Turn | None] = ContextVar("turn", default=None)

#: The sample is the same for every session.
SCOPE_OF_SAMPLE = Scope("", "sample")

Work = Private | Shared

P = ParamSpec("P")
R = TypeVar("R")

#: A text for people, or what makes it of the arguments of a function.
Text: TypeAlias = str | Callable[..., str]

#: Seconds of work before progress is shown, and between two steps of the bar.
PATIENCE, STEP = 0.4, 0.1


@contextmanager
def turn() -> Generator[None]:
    """A run of the app, when its turn has come: what follows others' answers waits for it until `after_answers`."""
    with TURNS.take(_end_if_unwanted) as taken:
        token = _TURN.set(taken)
        try:
            yield
        finally:
            _TURN.reset(token)


def after_answers() -> None:
    """Go on when no session waits for its answer: what follows was not asked for, or stands further down the page."""
    taken = _TURN.get()
    if taken is not None:
        TURNS.follow(taken, _end_if_unwanted)


def results_of_run() -> dict[Hashable, Any]:
    """What this run of the app has made and may need again; empty, and dropped at once, where there is no run."""
    taken = _TURN.get()
    return {} if taken is None else taken.results


def aside(function: Callable[..., Any], *arguments: Any, progress: Progress | None = None, **named: Any) -> Any:
    """Call a function in another process if other sessions want answers meanwhile, and a process is free; else here.

    Args:
        function: of a module of bleu_core; pure.
        arguments: of the function.
        progress: of the function; told in another process's place that nothing is known of how far it is.
        named: arguments that the function takes by name.
    """
    if TURNS.running > 1 and st.session_state.get("workers") != 1:
        waiting = partial(progress or _unseen, 0, 0)
        found = ASIDE.call(function, *arguments, waiting=waiting, **named)
        if found is not None:
            return found[0]
    return function(*arguments, **named, progress=progress)


def _end_if_unwanted() -> None:
    """Let Streamlit end the run here where a click has begun another one."""
    _ = "held" in st.session_state


def scope() -> Hashable:
    """The scope of the files that this session shows: their owner and what stands for them.

    Where no page is shown, it is one that nothing else has.
    """
    if not _is_run():
        return object()
    held: Holding | None = st.session_state.get("held")
    if held is None or st.session_state.get("dataset") == "sample":
        return SCOPE_OF_SAMPLE
    return held.scope


def _is_run() -> bool:
    """Whether this is a run of the app, which has a page and a session, and not a command or a download."""
    return get_script_run_ctx(suppress_warning=True) is not None


class Kept(Generic[P, R]):
    """A function whose results are kept under what its arguments hold."""

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
        """The arguments by name, so that it does not matter how they are given."""
        bound = self._signature.bind(None, *args, **kwargs)
        bound.apply_defaults()
        _, *given = bound.arguments.items()
        return tuple((name, known_by(value)) for name, value in given)

    def _once(self, work: Work, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute, or return the result from before; on a page long work shows its progress, and can be stopped.

        Work that another session is doing is not done again: this session waits, and shows how far the other one is. If
        the other one is stopped, or fails, this session does the work itself.

        A cache of Streamlit's own would replay the progress bar each time, and could not be stopped.
        """
        found: tuple[R] | None = RESULTS.get(work)
        if found is not None:
            return found[0]
        doing, what = (text if isinstance(text, str) else text(*args, **kwargs) for text in (self._doing, self._what))
        background: AbstractContextManager[None] = nullcontext()
        if _is_run():
            if st.session_state.get("stopped") == work:
                st.info(literal(f"{doing} was stopped. Other settings may take less time."))
                st.button("Resume", on_click=_resume, key="resume-work")
                st.stop()
            background = in_background(st.session_state.get("workers"))  # other sessions want answers meanwhile
        bar = _ProgressBar(work, doing, what, can_stop=self._can_stop)
        while True:
            with COMPUTATIONS.take(work) as computation:
                if computation is not None:
                    found = RESULTS.get(work)  # another session may have finished just now
                    if found is None:
                        with background:
                            found = (self._compute(partial(_report, computation, bar), *args, **kwargs),)
                        RESULTS.keep(work, found)
                    computation.result = found
                    break
            found = _other_result(work, bar)
            if found is not None:
                break
        bar.empty()
        return found[0]


class Cached(Kept[P, R]):
    """A function whose results are kept for the files that they are from; `cached` makes them."""

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

    def __call__(self, of: Hashable, /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute the result, or return the one from before.

        Args:
            of: the scope of the data; results of one scope are never used for another.
            args: of the function, without its progress.
            kwargs: as args.
        """
        return self._once(self._key(of, *args, **kwargs), *args, **kwargs)

    def is_known(self, of: Hashable, /, *args: P.args, **kwargs: P.kwargs) -> bool:
        """Whether the result is there; the arguments are those of a call."""
        return RESULTS.get(self._key(of, *args, **kwargs)) is not None

    def _key(self, of: Hashable, *args: P.args, **kwargs: P.kwargs) -> Private:
        owner, files = of if isinstance(of, Scope) else ("", of)
        if self._typed and isinstance(of, Scope) and not owner:
            if _is_run():
                owner = st.session_state["held"].key
            else:
                files = object()  # whose it is cannot be known: it is not kept
        return Private(owner, files, self._kind, self._content(fingerprint, *args, **kwargs))


class KeptForAll(Kept[P, R]):
    """A function whose results are numbers that all sessions share; `shared` makes them."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Compute the result, or return the one from before; the arguments are those of the function."""
        key = Shared(self._kind, self._content(fingerprint_by_position, *args, **kwargs))
        return self._once(key, *args, **kwargs)


def cached(
    doing: Text, what: Text, *, can_stop: bool = True, typed: bool = False
) -> Callable[[Callable[Concatenate[Progress, P], R]], Cached[P, R]]:
    """Keep the results of a function under the fingerprints of its arguments.

    The function's first parameter is its progress; it is called with the scope of the data there, such as
    `view.scope`, whose results are kept apart from those of others. It reads nothing but its arguments.

    Args:
        doing: the work's name, for people; or a function of the arguments that makes it.
        what: the units of its progress, for people; or a function of the arguments that makes them.
        can_stop: whether there is a button to stop it; not for work without which there is no page.
        typed: whether the result has anything that the person typed, so that sessions do not share it, even if the
            server opened the same files for them.
    """

    def decorated(compute: Callable[Concatenate[Progress, P], R]) -> Cached[P, R]:
        return Cached(compute, doing, what, can_stop=can_stop, typed=typed)

    return decorated


def shared(doing: Text, what: Text) -> Callable[[Callable[Concatenate[Progress, P], R]], KeptForAll[P, R]]:
    """Keep the results of a function for all sessions, under fingerprints of its arguments that hold no names.

    The function's first parameter is its progress, which calls leave out. It returns numbers only, with systems,
    references and judges as positions; a call raises a TypeError if its result holds anything else, or if an argument
    has no fingerprint by position.

    Args:
        doing: as at `cached`.
        what: as at `cached`.
    """
    return lambda compute: KeptForAll(compute, doing, what)


def fingerprint(value: object) -> Hashable:
    """What stands for a value in the key of a result.

    Args:
        value: with a `fingerprint`, which covers all that decides a result; or known by what it holds, such as a text,
            a number, or a tuple or frozen dataclass of these.

    Raises:
        TypeError: it is neither, so that another value could be taken for it.
    """
    found = getattr(value, "fingerprint", None)
    if found is not None:
        return found
    if isinstance(value, tuple):
        return tuple(map(fingerprint, cast("tuple[object, ...]", value)))
    if value is not None and type(value).__hash__ is object.__hash__:
        raise TypeError(f"{type(value).__name__} found in the key of a result, a value with a fingerprint expected")
    hash(value)
    return cast("Hashable", value)


def fingerprint_by_position(value: object) -> Hashable:
    """What stands for a value in what all sessions share: without names, as `fingerprint` otherwise.

    Raises:
        TypeError: it has names, or is not known by what it holds.
    """
    found = getattr(value, "fingerprint_by_position", None)
    if found is not None:
        return found
    if hasattr(value, "fingerprint"):
        raise TypeError(f"{type(value).__name__} found in the key of what all sessions share, which may have names")
    return fingerprint(value)


def _unseen(_done: int, _total: int) -> None:
    """Progress that nobody is shown."""


def _report(computation: Computation, bar: _ProgressBar, done: int, total: int) -> None:
    computation.progress = (done, total)
    bar.show(done, total)


def _other_result(work: Work, bar: _ProgressBar) -> Any:
    """Wait for the session that does the work; None if it did not finish."""
    computation = COMPUTATIONS.get(work)
    if computation is None:
        return RESULTS.get(work)
    while not computation.ended.wait(STEP):
        bar.show(*computation.progress or (0, 0))
    return computation.result


class _ProgressBar:
    """The progress of some work, with a button to stop it; not shown before it has taken a while, nor without a page.

    Args:
        work: its key.
        doing: its name, for people.
        what: the units of its progress, for people.
        can_stop: whether there is the button.
    """

    def __init__(self, work: Work, doing: str, what: str, *, can_stop: bool) -> None:
        self._work, self._doing, self._what, self._can_stop = work, doing, what, can_stop
        self._place: DeltaGenerator | None = None  # no gap on the page where none is needed
        self._bar: DeltaGenerator | None = None
        self._next = time.monotonic() + PATIENCE

    def show(self, done: int, total: int) -> None:
        """Show how much of how much is done; a click elsewhere ends the work here, as Streamlit raises."""
        now = time.monotonic()
        if now < self._next or not _is_run():
            return
        self._next = now + STEP
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
        """Take the bar away."""
        if self._place is not None:
            self._place.empty()


def _stop(work: Work) -> None:
    """Do not go on with that work until the person asks for it again."""
    st.session_state.stopped = work


def _resume() -> None:
    st.session_state.stopped = None


def begin_holding() -> Holding:
    """An empty holding for this session's files; from the first one on, what is no longer used is dropped."""
    _begin_sweeping()
    return HOLDINGS.begin(_session_id())


def has_holding(holding: Holding) -> bool:
    """Whether a session's holding is still kept; otherwise it is empty."""
    return HOLDINGS.has(holding)


def may_have_files_back() -> bool:
    """Whether the server keeps any files that the tab of this session might have a key to."""
    return HOLDINGS.has_of_others(_session_id())


def hand_back(key: str, holding: Holding) -> bool:
    """Give this session's holding what the server keeps by that key; whether there was anything."""
    return HOLDINGS.hand_back(key, holding, runtime.get_instance().is_active_session)


def _session_id() -> str:
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


@cache
def _begin_sweeping() -> None:
    threading.Thread(target=_sweep_for_ever, name="sweep", daemon=True).start()


def _sweep_for_ever() -> NoReturn:
    while True:
        time.sleep(SWEEP)
        try:
            sweep()
        except Exception:
            LOGGER.exception("cannot drop what is not used")


def sweep() -> None:
    """Drop results and processes that nobody uses, files of sessions that have ended, and garbage."""
    RESULTS.drop_unused()
    ASIDE.end_idle(KEPT_FOR)
    if runtime.exists():
        _drop_ended_sessions()
    gc.collect()  # not after each run, as Streamlit would, since nobody is answered meanwhile


def _drop_ended_sessions() -> None:
    server = runtime.get_instance()
    HOLDINGS.reconnection = st.get_option("server.disconnectedSessionTTL")
    HOLDINGS.seconds = max(FILES_KEPT_FOR, HOLDINGS.reconnection)
    for session in HOLDINGS.drop_ended(server.is_active_session):
        server.uploaded_file_mgr.remove_session_files(session)  # Streamlit has the same bytes
    RESULTS.keep_only_of({"", *HOLDINGS.keys})
