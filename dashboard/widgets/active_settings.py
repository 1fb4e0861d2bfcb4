"""The line at the top of each page that names the settings that differ from the defaults, and resets them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from bleu_core.scoring import SETTINGS
from dashboard import session, words
from dashboard.literal import literal
from dashboard.widgets.named_settings import LISTS, NAMED_SETTINGS, NAMES, SWITCHED
from dashboard.widgets.slice_filter import slice_or_problem


def changed_settings() -> tuple[Mapping[str, str], Sequence[str]]:
    """Name the settings that differ from the defaults, with a button that resets them.

    Returns:
        The named settings, as settings_named returns them.
    """
    changed, ignored = settings_named()
    if changed:
        with st.container(horizontal=True, vertical_alignment="center", key="changed-settings"):
            st.markdown(f":material/tune: {literal(' · '.join(filter(None, changed.values())))}", width="content")
            reset = partial(session.forget, tuple(NAMED_SETTINGS))
            st.button("Reset all", key="reset-all", type="tertiary", on_click=reset)
    if ignored:
        st.caption(literal(f"Ignored unknown values in the URL: {'; '.join(ignored)}."))
    return changed, ignored


def settings_named() -> tuple[Mapping[str, str], Sequence[str]]:
    """Return the settings that differ from the defaults, by key, and the ignored parameters of the URL."""
    if session.unmatched_link() is not None:
        return {}, []
    changed = {
        key: _described(key, value) for key, value in session.changed_controls().items() if key in NAMED_SETTINGS
    }
    return changed, [f"{key}={', '.join(values)}" for key, values in session.ignored_parameters().items()]


def _described(key: str, value: object) -> str:
    """Describe a control and its value."""
    if key in LISTS:
        loaded = _loaded(key)
        excluded = [name for name in session.control_value(key, []) if name in loaded]
        missing = len(session.current_workspace().missing) if key == "without_systems" else 0
        return f"{LISTS[key]}: {len(loaded) - len(excluded)} of {len(loaded) + missing}"
    if key in SWITCHED:
        return SWITCHED[key]
    if key == session.HALF and session.control_value(session.SLICE):
        return ""  # the slice names it
    if key == session.SLICE:
        return f"{NAMES[session.SLICE]}: {words.slice_in_use(slice_or_problem())}"
    setting = SETTINGS.get(key)
    name = setting.label if setting else NAMES[key]
    problem = session.settings_problem()
    unused = " (cannot be used)" if problem is not None and problem[0] == key else ""
    return f"{name}: {('on' if value else 'off') if isinstance(value, bool) else value}{unused}"


def _loaded(key: str) -> tuple[str, ...]:
    workspace = session.current_workspace()
    if key == "without_systems":
        return tuple(workspace.corpus.systems)
    if key == "without_references":
        return tuple(workspace.corpus.references)
    if key == "without_groups":
        return workspace.judgments.groups if workspace.judgments else ()
    return tuple(session.judge_labels(workspace))
