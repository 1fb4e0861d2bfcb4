"""Work that is done once, with its progress and a way to stop it; what is no longer used is dropped.

Results belong to the session whose files they are from. Sessions share those from files that the server opened for each
of them, and numbers that hold no name, which `share` keeps under digests of the texts.
"""

from __future__ import annotations

import gc
import logging
import threading
import time
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from typing import Any, NoReturn

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bleu_core.processes import available_cores, in_background
from bleu_core.progress import Progress
from bleu_core.standing_processes import StandingProcesses
from dashboard.literal import literal
from dashboard.session.cache import Computation, Computations, Holding, Holdings, Private, Results, Scope, Shared
from dashboard.session.pageless import scope_without_page
from dashboard.session.turns import Turn, Turns

LOGGER = logging.getLogger(__name__)

#: Results of all sessions together, bytes at most.
MOST_BYTES = 2**30

#: Seconds after which a result that nobody uses is dropped.
KEPT_FOR = 600

#: Seconds for which the files of a session that has ended are kept for its tab.
FILES_KEPT_FOR = 1800

#: The files of all sessions that have ended, bytes at most.
MOST_BYTES_OF_FILES = 2**30

#: Seconds between two looks for what is to be dropped.
SWEEP = 30

RESULTS = Results(MOST_BYTES, KEPT_FOR)
COMPUTATIONS = Computations()
HOLDINGS = Holdings(FILES_KEPT_FOR, MOST_BYTES_OF_FILES)
TURNS = Turns(available_cores(), max(available_cores() - 1, 1))

#: For work of a session while others want answers: on one core there are none, as they would gain nothing.
ASIDE = StandingProcesses(available_cores() - 1)

_TURN: ContextVar[Turn | None] = ContextVar("turn", default=None)

#: The sample is the same for every session.
SCOPE_OF_SAMPLE: Scope = ("", "sample")

Work = Private | Shared

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


def scope() -> Scope:
    """The owner of results of the files that this session shows, and what stands for these files."""
    without_page = scope_without_page()
    if without_page is not None:
        return without_page
    held: Holding | None = st.session_state.get("held")
    if held is None or st.session_state.get("dataset") == "sample":
        return SCOPE_OF_SAMPLE
    return held.scope


def is_known(kind: str, key: Hashable) -> bool:
    """Whether the result of some work is there; what kind and key are is said at `remember`."""
    return RESULTS.get(Private(*scope(), kind, key)) is not None


def remember(
    kind: str,
    key: Hashable,
    compute: Callable[[Progress], Any],
    *,
    doing: str,
    what: str,
    can_stop: bool = True,
    typed: bool = False,
    of: Scope | None = None,
) -> Any:
    """Do some work on this session's files, or return its result from before.

    Args:
        kind: of the work.
        key: what the result depends on beside the files: digests, settings and names, never arrays.
        compute: the work; it is given a function to report its progress to.
        doing: the work's name, for people.
        what: the units of its progress, for people.
        can_stop: whether there is a button to stop it; not for work without which there is no page.
        typed: whether the result has anything that the person typed, so that it is never shared.
        of: the scope of the files, if they are not those that the session shows.
    """
    owner, files = of or scope()
    if typed and not owner and scope_without_page() is None:
        owner = st.session_state["held"].key
    return _once(Private(owner, files, kind, key), compute, doing=doing, what=what, can_stop=can_stop)


def share(kind: str, content: Hashable, compute: Callable[[Progress], Any], *, doing: str, what: str) -> Any:
    """Do some work, or return its result from before, in whatever session that was.

    Args:
        kind: of the work.
        content: digests of all that the result is computed from, in order of position, and settings; no names.
        compute: the work, which returns numbers only, with systems, references and judges as positions; otherwise as at
            `remember`.
        doing: as at `remember`.
        what: as at `remember`.

    Raises:
        TypeError: the result holds anything but numbers.
    """
    return _once(Shared(kind, content), compute, doing=doing, what=what, can_stop=True)


def _once(work: Work, compute: Callable[[Progress], Any], *, doing: str, what: str, can_stop: bool) -> Any:
    """Do some work, or return its result from before; long work shows its progress, and can be stopped.

    Work that another session is doing is not done again: this session waits, and shows how far the other one is. If the
    other one is stopped, or fails, this session does the work itself.

    A cache of Streamlit's own would replay the progress bar each time, and could not be stopped.
    """
    found = RESULTS.get(work)
    if found is not None:
        return found
    if scope_without_page() is not None:
        found = compute(_unseen)
        RESULTS.keep(work, found)
        return found
    if st.session_state.get("stopped") == work:
        st.info(literal(f"{doing} was stopped. Other settings may take less time."))
        st.button("Resume", on_click=_resume, key="resume-work")
        st.stop()
    bar = _ProgressBar(work, doing, what, can_stop=can_stop)
    while True:
        with COMPUTATIONS.take(work) as computation:
            if computation is not None:
                found = RESULTS.get(work)  # another session may have finished just now
                if found is None:
                    with in_background(st.session_state.get("workers")):  # other sessions want answers meanwhile
                        found = compute(partial(_report, computation, bar))
                    RESULTS.keep(work, found)
                computation.result = found
                break
        found = _other_result(work, bar)
        if found is not None:
            break
    bar.empty()
    return found


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
    """The progress of some work, with a button to stop it; not shown before it has taken a while.

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
        if now < self._next:
            return
        self._next = now + STEP
        if self._bar is None:
            stamp = f"{self._work.kind}-{hash(self._work):x}"  # one page may wait for several pieces of work
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
