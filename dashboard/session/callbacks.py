"""Callbacks of widgets, kept for as long as the page shows the widgets.

Streamlit keeps the callbacks of all widgets that a session has ever shown, and with them
the results that they refer to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from dashboard.session.cache import SessionState


@contextmanager
def callbacks_of_run() -> Iterator[None]:
    """Enclose a run of the app, and drop the callbacks of widgets that it has not shown once it is complete.

    Callbacks of the last run are still called until then, also if the run is interrupted.
    """
    state: SessionState = st.session_state.held
    state.drawn = set()
    try:
        yield
    except StopException:  # the page is complete: something that it needs is missing
        _drop_callbacks(state)
        raise
    _drop_callbacks(state)


def _drop_callbacks(state: SessionState) -> None:
    """Drop callbacks of widgets that were not shown; without Streamlit, which would end the stopped run here."""
    state.callbacks = {key: callback for key, callback in state.callbacks.items() if key in state.drawn}


def callback(key: str, function: Callable[..., None]) -> Callable[..., None]:
    """Return a callback for Streamlit that calls a function through a reference that can be dropped.

    Args:
        key: of the widget.
        function: called with the callback's arguments if the widget is still shown.
    """
    state = st.session_state.held
    state.callbacks[key] = function
    state.drawn.add(key)
    return partial(_call, key)


def _call(key: str, *args: Any) -> None:
    function = st.session_state.held.callbacks.get(key)
    if function is not None:
        function(*args)
