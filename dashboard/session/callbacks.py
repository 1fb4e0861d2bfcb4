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
    """Begin a run of the app; those of the last run are still called until this one is complete."""
    st.session_state.held.drawn = set()


def drop_callbacks() -> None:
    """Drop the callbacks of widgets that were not shown in this run, which is complete."""
    held = st.session_state.held
    held.callbacks = {key: callback for key, callback in held.callbacks.items() if key in held.drawn}


def callback(key: str, function: Callable[..., None]) -> Callable[..., None]:
    """A callback to hand to Streamlit in place of a function that refers to results.

    Args:
        key: of the widget.
        function: called with the callback's arguments if the widget is still shown.
    """
    held = st.session_state.held
    held.callbacks[key] = function
    held.drawn.add(key)
    return partial(_call, key)


def _call(key: str, *args: Any) -> None:
    function = st.session_state.held.callbacks.get(key)
    if function is not None:
        function(*args)
