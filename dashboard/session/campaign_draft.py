"""Draft of the campaign form, kept in the session because Streamlit drops the state of widgets that are not drawn.

It is not part of the URL: instructions and examples are too long for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

DRAFT, DEFAULTS = "campaign_draft", "campaign_defaults"


def restore_draft(key: str, default: Any, allowed: Callable[[Any], bool] = lambda _: True) -> Any:
    """Set a widget of the form, before it is drawn, to its former value, else to its default.

    Args:
        key: of the widget.
        default: value of a widget that was not filled in; it may change with the data.
        allowed: returns whether the widget can have a value; otherwise it gets the default.

    Returns:
        The value of the widget.
    """
    session, draft, before = st.session_state, _held(DRAFT), _held(DEFAULTS)
    value = session.get(key, draft.get(key, default))
    untouched = key in before and value == before[key]
    value = value if allowed(value) and not untouched else default
    session.pop(key, None)
    session[key] = draft[key] = value
    before[key] = default
    return value


def box_of_draft(key: str) -> str:
    """Return the key of a box whose options are titles of the values in the form."""
    return f"{key}-box"


def drafted() -> Mapping[str, Any]:
    """Return all values of the form, by the keys of its widgets."""
    return dict(_held(DRAFT))


def fill_draft(values: Mapping[str, Any]) -> None:
    """Reset the form to some values, and to the defaults for all others; for callbacks."""
    session = st.session_state
    for key in _held(DRAFT):
        session.pop(key, None)
        session.pop(box_of_draft(key), None)
    session[DRAFT], session[DEFAULTS] = dict(values), {}


def _held(name: str) -> dict[str, Any]:
    return st.session_state.setdefault(name, {})
