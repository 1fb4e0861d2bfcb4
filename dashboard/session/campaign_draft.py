"""What is filled in on the form of a campaign; kept in the session, since Streamlit forgets what a page does not draw.

It is not part of the address: instructions and examples are too long for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

DRAFT, USUAL = "campaign_draft", "campaign_usual"


def restore_draft(key: str, usual: Any, allowed: Callable[[Any], bool] = lambda _: True) -> Any:
    """Set a widget of the form, before it is drawn, to what it held before; else to its usual value.

    Args:
        key: of the widget.
        usual: taken where nothing else was filled in; it may change with the data.
        allowed: whether the widget can hold a value; otherwise it gets the usual one.

    Returns:
        What the widget holds.
    """
    session, draft, before = st.session_state, _held(DRAFT), _held(USUAL)
    value = session.get(key, draft.get(key, usual))
    untouched = key in before and value == before[key]
    value = value if allowed(value) and not untouched else usual
    session.pop(key, None)
    session[key] = draft[key] = value
    before[key] = usual
    return value


def box_of_draft(key: str) -> str:
    """The key of a box whose options are titles of what the form holds."""
    return f"{key}-box"


def drafted() -> Mapping[str, Any]:
    """All that the form holds, by the keys of its widgets."""
    return dict(_held(DRAFT))


def fill_draft(values: Mapping[str, Any]) -> None:
    """Let the form begin anew with some values, and with its usual ones for all others; for callbacks."""
    session = st.session_state
    for key in _held(DRAFT):
        session.pop(key, None)
        session.pop(box_of_draft(key), None)
    session[DRAFT], session[USUAL] = dict(values), {}


def _held(name: str) -> dict[str, Any]:
    return st.session_state.setdefault(name, {})
