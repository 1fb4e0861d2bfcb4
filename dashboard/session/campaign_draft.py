"""Draft of the campaign form, kept in the session because Streamlit drops the state of widgets that are not drawn.

It is not part of the URL: instructions and examples are too long for one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

#: Keys of the values of all widgets, and of those that were chosen.
DRAFT, CHOSEN = "campaign_draft", "campaign_chosen"


def restore_draft(key: str, default: Any, allowed: Callable[[Any], bool] = lambda _: True) -> Any:
    """Set a widget of the form, before it is drawn, to its former value, else to its default.

    Args:
        key: of the widget.
        default: value of a widget that was not filled in; it may change with the data.
        allowed: returns whether the widget can have a value; otherwise it gets the default.

    Returns:
        The value of the widget.
    """
    session, draft, chosen = st.session_state, _held(DRAFT), _held(CHOSEN)
    value = session.get(key, draft.get(key))
    if value != draft.get(key):
        chosen[key] = value
    value = chosen.get(key, default)
    value = value if allowed(value) else default
    session.pop(key, None)
    session[key] = draft[key] = value
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
    session[DRAFT], session[CHOSEN] = dict(values), dict(values)


def _held(name: str) -> dict[str, Any]:
    return st.session_state.setdefault(name, {})
