"""Work that is done once for all sessions, with its progress and a way to stop it; what is no longer used is dropped.

Results are kept under digests of the content, never under names or arrays, which Streamlit hashes from a sample.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable, Hashable
from typing import Any, NoReturn

import streamlit as st
from streamlit import runtime
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bleu_core.progress import Progress
from dashboard.literal import literal
from dashboard.session.cache import Holding, Holdings, Results

LOGGER = logging.getLogger(__name__)

#: Results of all sessions together, bytes at most.
MOST_BYTES = 2**30

#: Seconds after which a result that nobody uses, and the files of a session that has ended, are dropped.
KEPT_FOR = 600

#: Seconds between two looks for what is to be dropped.
SWEEP = 30

RESULTS = Results(MOST_BYTES, KEPT_FOR)
HOLDINGS = Holdings(KEPT_FOR)

#: Seconds of work before progress is shown.
PATIENCE = 0.4


def remember(kind: str, key: Hashable, compute: Callable[[Progress], Any], *, doing: str, what: str) -> Any:
    """Do some work, or return its result from before; long work shows its progress, and can be stopped.

    A cache of Streamlit's own would replay the progress bar each time, and could not be stopped.

    Args:
        kind: of the work; results are kept for all sessions.
        key: what the result depends on: digests, settings and names, never arrays.
        compute: the work; it is given a function to report its progress to.
        doing: the work's name, for people.
        what: the units of its progress, for people.
    """
    found = RESULTS.get((kind, key))
    if found is not None:
        return found
    if st.session_state.get("stopped") == (kind, key):
        st.info(literal(f"{doing} was stopped. Other settings may take less time."))
        st.button("Resume", on_click=_resume, key="resume-work")
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
        bar[0].progress(done / total, literal(f"{doing}: {done:,} of {total:,} {what}"))

    found = compute(show)
    place.empty()
    RESULTS.keep((kind, key), found)
    return found


def _stop(work: tuple[str, Hashable]) -> None:
    """Do not go on with that work until the person asks for it again."""
    st.session_state.stopped = work


def _resume() -> None:
    st.session_state.stopped = None


def begin_holding() -> Holding:
    """An empty holding for this session's files; from the first one on, what is no longer used is dropped."""
    _begin_sweeping()
    context = get_script_run_ctx()
    return HOLDINGS.begin("" if context is None else context.session_id)


@functools.cache
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
    """Drop results that nobody uses and files of sessions that have ended."""
    RESULTS.drop_unused()
    if not runtime.exists():
        return
    server = runtime.get_instance()
    HOLDINGS.seconds = max(KEPT_FOR, st.get_option("server.disconnectedSessionTTL"))  # a session may still come back
    for session in HOLDINGS.drop_ended(server.is_active_session):
        server.uploaded_file_mgr.remove_session_files(session)  # Streamlit has the same bytes
