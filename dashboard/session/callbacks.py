"""Callbacks of widgets, kept for as long as the page shows the widgets.

Streamlit keeps the callbacks of all widgets that a session has ever shown, and with them
the results that they refer to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st


def begin_callbacks() -> None:
    """Start a run of the app; callbacks of the last run are still called until this one is complete."""
    st.session_state.held.drawn = set()


def drop_callbacks() -> None:
    """Drop the callbacks of widgets that were not shown in this run, which is complete."""
    state = st.session_state.held
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
