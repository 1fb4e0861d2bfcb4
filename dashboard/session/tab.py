"""What the browser's tab remembers over a reload: the key to its files on the server, and the address of what it shows.

Streamlit begins a new session for a page that is reloaded, and one that finds no session after the connection was lost.
The tab tells such a session what it remembers, but only after its first run has begun.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components import v2

#: The key of the component, which nobody sees.
KEY = "tab"

SCRIPT = Path(__file__).with_name("tab.js")

#: Seconds in which the tab has to answer; after them the session begins without it.
PATIENCE = 1.5

#: Seconds between two looks for the answer.
STEP = 0.02

#: Protocols that a browser names as it connects: Streamlit's, a token, and the session that it had before.
PROTOCOLS = "Sec-WebSocket-Protocol"


@dataclass(frozen=True, slots=True)
class Record:
    """What a tab remembers.

    Attributes:
        key: to its files on the server; empty for none.
        shown: the query of the address of what it shows.
    """

    key: str = ""
    shown: str = ""


def had_a_session() -> bool:
    """Whether the page had a session before it lost the connection; what it shows is as it was."""
    return st.context.headers.get(PROTOCOLS, "").count(",") > 1


def keep_in_tab(key: str, shown: str, *, settled: bool) -> None:
    """Let the tab remember something.

    Args:
        key: to the session's files.
        shown: the query of the address of what it shows.
        settled: whether the session knows what the tab remembers from before. Otherwise the tab says so if it has
            anything else, which begins another run.
    """
    _draw(key, shown=shown, settled=settled)


def ask_tab(key: str, *, wait: bool = False) -> None:
    """Ask the tab what it remembers; the answer begins another run.

    Args:
        key: to the session's files, for the tab to remember if it remembers nothing.
        wait: whether the tab has to answer in any case, and this run waits until the answer ends it.
    """
    _draw(key, waiting=wait)
    if wait:
        place, deadline = st.empty(), time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            time.sleep(STEP)
            place.empty()  # where the answer has come, Streamlit ends the run here


def answer_of_tab(key: str) -> Record | None:
    """What the tab has told the session of that key; None before it has."""
    state: Any = st.session_state.get(KEY) or {}
    found = state.get("answer") or {}
    if found.get("asked") != key:  # nothing, or what it told a session before
        return None
    return Record(str(found.get("key", "")), str(found.get("shown", "")))


def _draw(key: str, *, shown: str = "", waiting: bool = False, settled: bool = False) -> None:
    st.html(f"<style>.st-key-{KEY}-place {{ display: none }}</style>")
    with st.container(key=f"{KEY}-place"):
        tab = v2.component("tab", html="<span></span>", js=SCRIPT.read_text("utf-8"), isolate_styles=False)
        data = {"key": key, "shown": shown, "waiting": waiting, "settled": settled}
        tab(data=data, key=KEY, on_answer_change=_nothing)


def _nothing() -> None:
    """The next run looks at the answer."""
