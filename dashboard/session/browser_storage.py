"""Storage of the browser's tab that survives a reload: the key to its files on the server, and the URL of its page.

Streamlit starts a new session for a page that is reloaded, and for one whose session is lost after a disconnection.
The tab sends its record to such a session, but only after the first run has started. It also asks the other tabs of the
browser whether they have files; nothing else passes between tabs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components import v2

#: Key of the component, which is invisible.
KEY = "tab"

SCRIPT = Path(__file__).with_name("browser_storage.js")

#: Seconds to wait for the tab's answer before the session starts without it.
TIMEOUT_S = 1.5

#: Seconds between two checks for the answer.
POLL_INTERVAL_S = 0.02

#: Header with the protocols that a browser sends as it connects: Streamlit's, a token, and its previous session.
PROTOCOLS = "Sec-WebSocket-Protocol"


@dataclass(frozen=True, slots=True)
class TabRecord:
    """The record stored in a tab.

    Attributes:
        key: to the tab's files on the server; empty for none.
        shown: the query of the URL that the tab shows.
    """

    key: str = ""
    shown: str = ""


def is_reconnection() -> bool:
    """Return whether the page had a session before it lost the connection; it then still shows its former state."""
    return st.context.headers.get(PROTOCOLS, "").count(",") > 1


def store_in_tab(key: str, shown: str, *, files: bool, settled: bool) -> None:
    """Store a record in the tab.

    Args:
        key: to the session's files.
        files: whether the session has files of the user, which other tabs of the browser then tell.
        shown: the query of the URL that the tab shows.
        settled: whether the session has received the tab's former record. Otherwise the tab sends it if it differs,
            which starts another run.
    """
    _draw(key, shown=shown, files=files, settled=settled)


def ask_tab(key: str, *, wait: bool = False) -> None:
    """Request the tab's record; the answer starts another run.

    Args:
        key: to the session's files, which the tab stores if it has no record.
        wait: whether the tab has to answer in any case, and this run waits until the answer ends it.
    """
    _draw(key, waiting=wait)
    if wait:
        place, deadline = st.empty(), time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            time.sleep(POLL_INTERVAL_S)
            place.empty()  # Streamlit ends the run here once the answer has arrived


def tab_record(key: str) -> TabRecord | None:
    """Return the record that the tab has sent to the session of that key; None before it has."""
    state: Any = st.session_state.get(KEY) or {}
    answer = state.get("answer") or {}
    if answer.get("asked") != key:  # no answer, or the answer to a previous session
        return None
    return TabRecord(str(answer.get("key", "")), str(answer.get("shown", "")))


def other_tab_has_files() -> bool:
    """Return whether another tab of the browser had files of the user when this one was opened."""
    state: Any = st.session_state.get(KEY) or {}
    return bool(state.get("others"))


def _draw(key: str, *, shown: str = "", files: bool = False, waiting: bool = False, settled: bool = False) -> None:
    st.html(f"<style>.st-key-{KEY}-place {{ display: none }}</style>")
    with st.container(key=f"{KEY}-place"):
        tab = v2.component("tab", html="<span></span>", js=SCRIPT.read_text("utf-8"), isolate_styles=False)
        data = {"key": key, "shown": shown, "files": files, "waiting": waiting, "settled": settled}
        tab(data=data, key=KEY, on_answer_change=_ignore_change, on_others_change=_ignore_change)


def _ignore_change() -> None:
    """Do nothing: the rerun reads the value."""
