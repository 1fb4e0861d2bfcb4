"""The page's address: the data and settings it names, links made with other data, and widgets that live in it.

A widget is bound to a query parameter of its key's name. A widget that is always on its page is bound by Streamlit
(`bind="query-params"`), which leaves out a widget that has its initial value. Widgets of a part of a page that comes
and goes would lose their place in the address that way; they are bound by two calls:

- `restore_choice`, `restore_choices`, `restore_toggle` or `restore_number`, before the widget is drawn, sets it from
  the session, else from the address, else from the link that was followed, else to its default. Before a widget that
  Streamlit binds, the same call drops what is no option.
- `write_query_params`, after it, puts its value into the address.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn
from urllib.parse import parse_qs, urlencode

import streamlit as st

from dashboard.launch import Launch
from dashboard.literal import literal
from dashboard.session.files import (
    current_workspace,
    dataset,
    names_of_files,
    open_files,
    own_files,
    sample_workspace,
    show_dataset,
)
from dashboard.session.settings import INITIAL_VALUES, get, put, settings_changed

#: The key of a box that nobody sees: what the browser's tab shows.
TAB = "shown_in_this_tab"

#: Seconds in which a rerun of the page can overtake one of ours.
OVERTAKEN = 2.0

PaperSettings = Literal["paper", "sidebar"]

#: Under which settings the Paper page computes.
PAPER_SETTINGS: tuple[PaperSettings, ...] = ("paper", "sidebar")


@dataclass(frozen=True, slots=True)
class Link:
    """The address a session was opened with, made with other data than are loaded.

    Attributes:
        digest: of the data it was made with.
        files: their names, for people.
        parameters: all of its query parameters.
        lost: whether the data were loaded in this tab, in a session that has ended.
    """

    digest: str
    files: str
    parameters: Mapping[str, list[str]]
    lost: bool = False


def start(launch: Launch) -> None:
    """Begin a session: open the files named on the command line, or the sample data.

    The sample's address and that of the files opened here always work; any other is remembered as a link.
    """
    session = st.session_state
    if "started" in session:
        _exchange_with_tab()
        return
    open_files(launch)
    session.link = None
    link = _link_of_new_session()
    if link is not None:
        if own_files() and link.digest == sample_workspace().digest:
            show_dataset("sample")
        if link.digest != current_workspace().digest:
            session.link = link
    if "paper_settings" not in st.query_params and any(key in st.query_params for key in INITIAL_VALUES):
        put(paper_settings="sidebar")  # as in addresses from before the Paper page had settings of its own
    session.started = True  # at last: a click may have ended a first run before this, and the next begins anew


def _link_of_new_session() -> Link | None:
    """What a new session is to show, by the tab or by the address; None where neither names any data.

    A tab that has lost its session, because the server was started again or the session has ended while the tab was
    not connected, sends what its widgets hold. It may lack the address: on a switch of pages Streamlit's page drops
    what is bound to no widget.
    """
    parameters = {key: st.query_params.get_all(key) for key in st.query_params}
    before = _exchange_with_tab()
    if before is None:
        digest = st.query_params.get("data")
        return Link(digest, st.query_params.get("files", ""), parameters) if digest else None
    digest, files = before
    parameters |= {"data": [digest]} | ({"files": [files]} if files else {})
    return Link(digest, files, parameters, lost=bool(files))  # the sample has no names of files


def _exchange_with_tab() -> tuple[str, str] | None:
    """Keep in the tab which data it shows; in a new session, read what it showed before, if anything.

    Returns:
        The digest of the data and the names of the files. None where the tab holds nothing else than now.
    """
    link = unmatched_link()
    digest, files = (current_workspace().digest, names_of_files()) if link is None else (link.digest, link.files)
    shown = urlencode({"data": digest, "files": files})
    st.html(f"<style>.st-key-{TAB} {{ display: none }}</style>")
    if "started" in st.session_state:
        st.session_state[TAB] = shown
    held = parse_qs(st.text_input("Data shown in this tab", value=shown, key=TAB, autocomplete="off"))
    before = held.get("data", [""])[0], held.get("files", [""])[0]
    return before if before[0] and before != (digest, files) else None


# --- links ---------------------------------------------------------------------------------------------------


def unmatched_link() -> Link | None:
    """The link this session was opened with, while the data it was made with are not loaded."""
    return st.session_state.link


def follow_link() -> None:
    """Once the data of the remembered link are loaded, restore its settings."""
    session = st.session_state
    link: Link | None = session.link
    if link is not None and link.digest == current_workspace().digest:
        session.link, session.restoring, session.restored_at = None, link, time.monotonic()
        session.linked = link.parameters
        _restore_settings(link)
    restoring: Link | None = session.get("restoring")
    if restoring is None:
        return
    wanted = {key: value for key, value in restoring.parameters.items() if key in INITIAL_VALUES}
    arrived = all(st.query_params.get_all(key) == value for key, value in wanted.items())
    if not arrived and time.monotonic() - session.restored_at < OVERTAKEN:
        # The page's own rerun, after an upload, has overtaken ours with the address from before.
        _restore_settings(restoring)
    if all(key in session for key in wanted):
        # Streamlit's page keeps in the address what Python or a person has set, but not what a later run of the
        # same session took from there: once the widgets have it, set it again.
        put(**{key: session[key] for key in INITIAL_VALUES if key in session})
        session.restoring = None


def _restore_settings(link: Link) -> NoReturn:
    for key in INITIAL_VALUES:
        st.session_state.pop(key, None)
    st.query_params.from_dict(link.parameters)
    st.rerun()  # widgets take their values from the address a run begins with


def explain_link(link: Link) -> None:
    """Warn that the data a link was made with, or a tab has lost, are not loaded."""
    if link.lost:
        files = f" (these were loaded: {link.files})" if link.files else ""
        st.warning(literal(f"Your files are no longer on the server{files}. Add them again."))
    else:
        files = f": {link.files}" if link.files else ""
        st.warning(
            literal(
                f"This link was made with other data than are loaded here{files}. "
                "Numbers shown under it would not be those its sender saw."
            )
        )
    st.button("Show the loaded data instead", on_click=_dismiss_link, key="dismiss-link")


def _dismiss_link() -> None:
    """Forget the link and show the data that are loaded."""
    st.session_state.link = None


def write_address() -> None:
    """Put the data's digest and, for a person's own files, their names into the page's address."""
    link = unmatched_link()
    if link is not None:
        if {key: st.query_params.get_all(key) for key in st.query_params} != link.parameters:
            st.query_params.from_dict(link.parameters)  # a switch of pages has dropped some
        return
    digest, names = current_workspace().digest, names_of_files()
    if not names and "files" in st.query_params:
        del st.query_params["files"]
    write_query_params(data=digest, **({"files": names} if names else {}))


# --- widgets -------------------------------------------------------------------------------------------------


def restore_choice(key: str, options: Sequence[str], default: str | None = None) -> None:
    """Restore the choice of a box; where it is no option, the default (the first option if None)."""
    chosen = st.session_state.get(key, _in_address(key))
    st.session_state[key] = chosen if chosen in options else options[0] if default is None else default


def restore_choices(key: str, options: Sequence[str], default: Sequence[str] = ()) -> None:
    """Restore the choices of a box, as far as they are options; the default where nothing was chosen yet."""
    chosen = st.session_state.get(key, st.query_params.get_all(key) or _in_link(key) or default)
    st.session_state[key] = [name for name in chosen if name in options]


def restore_toggle(key: str) -> None:
    """Restore the position of a switch; off by default."""
    st.session_state[key] = st.session_state.get(key, _in_address(key) == "true")


def restore_number(key: str, low: int, high: int, default: int) -> None:
    """Restore the value of a number box; where it is no whole number within the bounds, the default."""
    chosen = st.session_state.get(key, _in_address(key))
    try:
        number = int(chosen)
    except (TypeError, ValueError):  # nothing there, or no number
        number = default
    st.session_state[key] = number if low <= number <= high else default


def write_query_params(**values: str | Sequence[str]) -> None:
    """Put values into the page's address, a list as a parameter per element, where they are not there yet.

    All at once: each change of the address is a step for the Back button.
    """
    wanted = {key: [value] if isinstance(value, str) else list(value) for key, value in values.items()}
    if any(st.query_params.get_all(key) != value for key, value in wanted.items()):
        st.query_params.update(wanted)


def _in_address(key: str) -> str | None:
    """The value of a parameter in the address, else in the link that was followed."""
    return st.query_params.get(key) or next(iter(_in_link(key)), None)


def _in_link(key: str) -> list[str]:
    """The values of a parameter in the link that was followed, on another page than the one that the link opens."""
    return st.session_state.get("linked", {}).get(key, [])


# --- settings of the Paper page ------------------------------------------------------------------------------


def restore_paper_settings() -> None:
    """Restore under which settings the Paper page computes; by default as in the paper for the sample data only."""
    restore_choice("paper_settings", PAPER_SETTINGS, "paper" if dataset() == "sample" else "sidebar")


def write_paper_settings() -> None:
    """Put under which settings the Paper page computes into the address, unless a new session would find the same.

    An address with settings of the sidebar, but without this parameter, is from before the page had settings of its
    own: it was computed as in the sidebar.
    """
    implied = "paper" if dataset() == "sample" and not settings_changed() else "sidebar"
    if get("paper_settings") != implied:
        write_query_params(paper_settings=get("paper_settings"))
    elif "paper_settings" in st.query_params:
        del st.query_params["paper_settings"]
