"""The page's address: the data and settings it names, and links made with other data.

Every control of every page has a parameter of its key's name, unless it has its default. The address is written once
per run, before the navigation is drawn: then each step of a person makes one entry in the browser's history, also a
change of page together with its controls. Streamlit's own binding of widgets to the address makes no entries. When the
person goes back or forward, the controls follow the address.

`restore_choice` and its kin, called before a control is drawn, set it from the session, else from the address that the
session was opened with or went back to, else to its default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from bleu_core.fields import exact
from dashboard.launch import Launch
from dashboard.literal import literal
from dashboard.session import work
from dashboard.session.files import (
    are_data_shown,
    dataset,
    digest_in_address,
    list_of_names,
    names_of_files,
    open_files,
    own_files,
    read_names,
    sample_workspace,
    show_dataset,
)
from dashboard.session.settings import INITIAL_VALUES, get, put, settings_changed
from dashboard.session.tab import Record, answer_of_tab, ask_tab, had_a_session, keep_in_tab

PaperSettings = Literal["paper", "sidebar"]

#: Under which settings the Paper page computes.
PAPER_SETTINGS: tuple[PaperSettings, ...] = ("paper", "sidebar")

Parameters = Mapping[str, list[str]]


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
    parameters: Parameters
    lost: bool = False


def waits_for_tab() -> bool:
    """Whether the session cannot begin before its tab has answered, as the server may have files for it.

    Until then nothing may be drawn: the sample would take the place of a person's own files.
    """
    session = st.session_state
    if "started" in session and not work.has_holding(session.held):  # dropped while the tab was not connected
        session.clear()
    _begin_holding()
    return (
        "started" not in session
        and answer_of_tab(session.asked) is None
        and "tab_is_silent" not in session
        and (had_a_session() or work.may_have_files_back())
    )


def _begin_holding() -> None:
    session = st.session_state
    if "held" not in session:
        session.held = work.begin_holding()
        session.asked = session.held.key  # by which the tab's answer is known, also once it has another key


def wait_for_tab() -> NoReturn:
    """Wait until the tab has answered, for a second or so. Then another run begins."""
    ask_tab(st.session_state.asked, wait=True)
    st.session_state.tab_is_silent = True
    st.rerun()


def start(launch: Launch) -> None:
    """Begin a session: with what its tab had before a reload, with the files named on the command line, or the sample.

    The sample's address and that of the files opened here always work; any other is remembered as a link.
    """
    session = st.session_state
    if "started" not in session:
        _begin(launch)
        return
    session.following = session.pop("arriving", False)  # an address that was just written stays as it is
    late = None if session.settled_with_tab else answer_of_tab(session.asked)
    if late is not None:
        session.settled_with_tab = True
        if not session.held.changed:
            _settle(late)
            _begin_with(session.arrived)
            session.following = True
    _keep_in_tab()


def _begin(launch: Launch) -> None:
    session = st.session_state
    _begin_holding()
    record = answer_of_tab(session.asked)
    session.settled_with_tab = record is not None
    session.link = None
    session.defaults = {}  # of the controls that have been restored, by key
    session.kept = {}  # their values, as Streamlit forgets a widget that is not drawn on a page
    session.arrived = _parameters()  # what controls that have not been drawn yet begin with
    session.ignored = {}
    session.following = True  # the controls follow the address in this run, and nothing was changed by hand
    session.settled = None  # an address that was followed, and how it would be written here
    open_files(launch)
    _settle(record or Record())
    if _from_before_paper_settings(session.arrived):
        put(paper_settings="sidebar")
    if record is None:
        ask_tab(session.asked)
    else:
        _keep_in_tab()
    session.started = True  # at last: a click may have ended a first run before this, and the next begins anew


def _settle(record: Record) -> None:
    """Show what the tab showed before, or what the address names.

    Args:
        record: what the tab remembers.
    """
    session = st.session_state
    if record.key and work.hand_back(record.key, session.held):
        show_dataset("own" if own_files() else "sample")
    shown = parse_qs(record.shown)
    if "data" not in session.arrived and (had_a_session() or "files" in shown):
        # On a switch of pages without a connection Streamlit's page drops the address.
        session.arrived |= shown
    arrived = session.arrived
    if not arrived.get("data"):
        return
    link = Link(
        arrived["data"][0],
        "".join(arrived.get("files", [])),
        arrived,
        lost="files" in shown and shown.get("data") == arrived["data"],
    )
    if own_files() and sample_workspace().has_digest(link.digest):
        show_dataset("sample")
    session.link = None if are_data_shown(link.digest) else link


def _keep_in_tab() -> None:
    """Keep in the tab the key to its files and the address of what it shows, for a session that begins anew."""
    session = st.session_state
    link = unmatched_link()
    shown = _wanted() if link is None else link.parameters
    keep_in_tab(session.held.key, urlencode(shown, doseq=True), settled=session.settled_with_tab)


def _parameters() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}


def _from_before_paper_settings(parameters: Parameters) -> bool:
    """Whether an address was written when the Paper page had no settings of its own."""
    return "paper_settings" not in parameters and any(key in parameters for key in INITIAL_VALUES)


# --- links and the browser's history -------------------------------------------------------------------------


def unmatched_link() -> Link | None:
    """The link this session was opened with, while the data it was made with are not loaded."""
    return st.session_state.link


def follow_address() -> None:
    """Let the controls follow the address after Back or Forward, and a link once its data are loaded."""
    session = st.session_state
    session.restored = set()  # keys of the controls that this run has restored
    launched = session.pop("launched_controls", None)
    if launched and not st.query_params:
        _begin_with(launched)
    link: Link | None = session.link
    context = get_script_run_ctx()
    if link is not None:
        if are_data_shown(link.digest):
            session.link = None
            _begin_with(link.parameters)
    elif context is not None and context.is_history_navigation:
        found = _parameters()
        session.following = True
        _begin_with(found)
        if own_files():
            show_dataset("sample" if found.get("dataset") == ["sample"] else "own")


def begin_anew_with(parameters: Parameters) -> None:
    """Let all controls begin anew in the run that follows, with values as parameters; for callbacks."""
    st.session_state.link = Link(digest_in_address(), "", parameters)  # which matches the data


def _begin_with(parameters: Parameters) -> None:
    """Let all controls begin anew with the values in an address."""
    session = st.session_state
    session.arrived, session.ignored = dict(parameters), {}
    for key in session.defaults:
        session.pop(key, None)
    session.kept = {}
    if _from_before_paper_settings(parameters):
        put(paper_settings="sidebar")


def shared_link() -> str:
    """The address of this page with all that is chosen, for people with the same files."""
    page = (st.context.url or "").partition("?")[0]
    return f"{page}?{urlencode(_wanted(), doseq=True)}"


def explain_link(link: Link) -> None:
    """Warn that the data a link was made with, or a tab has lost, are not loaded."""
    files = _files_of(link)
    if link.lost:
        st.warning(literal(f"Your files are no longer on the server{files}. Add them again to continue."))
    else:
        st.warning(
            literal(
                f"The data of this address are not loaded{files}. Add the files that it was made with. Other data "
                "would show other numbers."
            )
        )
    st.button("Show the loaded data instead", on_click=_dismiss_link, key="dismiss-link")


def _files_of(link: Link) -> str:
    """The names of a link's files, or of those that are missing, in parentheses."""
    names, loaded = read_names(link.files), {file.name for file in own_files()}
    missing = [name for name in names if name not in loaded]
    if not link.files or len(missing) in (0, len(names)):
        return f" ({link.files})" if link.files else ""
    return f" (missing: {list_of_names(missing)})"


def _dismiss_link() -> None:
    """Forget the link and show the data that are loaded."""
    st.session_state.link = None


def go_to(title: str, **controls: str | bool | float | None) -> None:
    """Show another page with some of its controls set; for callbacks.

    Args:
        title: of the page.
        controls: values by key; None for the default.
    """
    session = st.session_state
    for key, value in controls.items():
        session.pop(key, None)
        session.kept.pop(key, None)
        session.arrived.pop(key, None)
        if value is not None:
            session.arrived[key] = _written(value)
    session.going_to = title


def leave_for_page() -> None:
    """Switch to the page that a callback has asked for by go_to, if any; before the address is written."""
    session = st.session_state
    title = session.pop("going_to", None)
    if title is not None:
        _keep_controls()
        session.arriving = True
        # Streamlit's page writes the parameters to the address of this page first: Back leads here in any case.
        st.switch_page(session.pages[title], query_params=_wanted())


def _keep_controls() -> None:
    """Keep the values of the controls, as Streamlit forgets a widget that is not drawn on a page."""
    session = st.session_state
    session.kept |= {key: session[key] for key in session.defaults if key in session}


def write_address() -> None:
    """Put the data's digest, the names of a person's own files, and all that is not as by default into the address."""
    session = st.session_state
    _keep_controls()
    link = unmatched_link()
    found = _parameters()
    wanted = dict(link.parameters) if link is not None else _wanted()
    bare = not found and wanted.keys() == {"data"}
    if session.following or bare:
        session.settled = found, wanted  # it stays as it is while it shows the same, or Back would lead here again
    if found != wanted and (link is not None or _of_other_data(found) or session.settled != (found, wanted)):
        st.query_params.from_dict(wanted)


def _of_other_data(parameters: Parameters) -> bool:
    """Whether an address names other files than a person has added."""
    return bool(own_files()) and any(parameters.get(key) != value for key, value in _data_shown().items())


def _wanted() -> dict[str, list[str]]:
    """The parameters of the address."""
    session = st.session_state
    wanted = _data_shown()
    if dataset() == "sample" and own_files():
        wanted["dataset"] = ["sample"]
    known = {*session.kept, "data", "files", "dataset", "paper_settings"}
    wanted |= {key: value for key, value in session.arrived.items() if key not in known}  # of pages not opened yet
    wanted |= {key: _written(value) for key, value in changed_controls().items()} | _paper_settings()
    return {key: value for key, value in wanted.items() if value}


def view_parameters() -> dict[str, list[str]]:
    """What is chosen in the sidebar and on all pages, as parameters; without those that name the data."""
    of_data = {*_data_shown(), "dataset"}
    chosen = {key: values for key, values in _wanted().items() if key not in of_data}
    return chosen | {"paper_settings": [paper_settings()]}  # whose default depends on the data


def _data_shown() -> dict[str, list[str]]:
    """The parameters that name the data."""
    names = names_of_files()
    return {"data": [digest_in_address()]} | ({"files": [names]} if names else {})


def changed_controls() -> dict[str, Any]:
    """The controls that are not as by default, with their values."""
    session = st.session_state
    chosen = session.kept | {key: session[key] for key in session.defaults if key in session}
    return {
        key: value
        for key, value in chosen.items()
        if key != "paper_settings" and value is not None and value != session.defaults[key]
    }


def forget(keys: Sequence[str]) -> None:
    """Set controls back to their defaults."""
    for key in keys:
        st.session_state[key] = st.session_state.kept[key] = st.session_state.defaults[key]


def _written(value: Any) -> list[str]:
    """A control's value as parameters."""
    if isinstance(value, (list, tuple)):
        return [str(each) for each in value]
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [exact(value) if isinstance(value, float) else str(value)]


# --- controls ------------------------------------------------------------------------------------------------


def restore_choice(key: str, options: Sequence[str], default: str | None = None) -> None:
    """Restore the choice of a box; where it is no option, the default (the first option if None)."""
    usual = options[0] if default is None else default
    _restore(key, usual, lambda given: given[0], lambda value: value in options)


def restore_choices(key: str, options: Sequence[str], default: Sequence[str] = ()) -> None:
    """Restore the choices of a box that are options, in their order; the default where nothing was chosen yet."""
    usual = list(default)

    def read(given: list[str]) -> list[str]:
        if unknown := [name for name in given if name not in options]:
            st.session_state.ignored[key] = unknown
        return [name for name in options if name in given] or usual

    _restore(key, usual, read, lambda _: True)
    if st.session_state[key] != (known := [name for name in options if name in st.session_state[key]]):
        st.session_state[key] = known


def restore_toggle(key: str, *, default: bool = False) -> None:
    """Restore the position of a switch."""
    _restore(key, default, lambda given: {"true": True, "false": False}[given[0]], lambda _: True)


def restore_number(key: str, low: float, high: float, default: float | None) -> None:
    """Restore the value of a number box; where it is no number within the bounds, the default.

    Args:
        key: of the box.
        low: the least number.
        high: the greatest number.
        default: None where the box may be empty; a whole number where only those are allowed.
    """
    whole = isinstance(low, int)
    _restore(
        key,
        default,
        lambda given: int(given[0]) if whole else float(given[0]),
        lambda value: value is None or low <= value <= high,
    )


def restore_text(key: str, default: str = "") -> None:
    """Restore what is typed into a box."""
    _restore(key, default, lambda given: given[0], lambda _: True)


def _restore(key: str, default: Any, read: Callable[[list[str]], Any], allowed: Callable[[Any], bool]) -> None:
    session = st.session_state
    before = session.defaults.get(key)
    session.defaults[key] = default
    if key in session.restored:  # it may have been drawn, and cannot be set after that
        return
    session.restored.add(key)
    if key in session or key in session.kept:
        value = session.get(key, session.kept.get(key))
        untouched = before is not None and value == before
        # What a page without this control has left would come back once the control is no longer drawn.
        session.pop(key, None)
        # Also where it stays the same: a widget of the same key on another page would begin with its own default.
        session[key] = value if allowed(value) and not untouched else default
        return
    given = session.arrived.get(key)
    value = default
    if given:
        try:
            value = read(given)
            fits = allowed(value)
        except (KeyError, ValueError):  # no number, or neither true nor false
            fits = False
        if not fits:
            value = default
            session.ignored[key] = given
    session[key] = value


def ignored_parameters() -> Mapping[str, list[str]]:
    """Parameters of the address whose values are no options of their controls."""
    return st.session_state.ignored


# --- settings of the Paper page ------------------------------------------------------------------------------


def restore_paper_settings() -> None:
    """Restore under which settings the Paper page computes; by default as in the paper for the sample data only."""
    restore_choice("paper_settings", PAPER_SETTINGS, "paper" if dataset() == "sample" else "sidebar")


def _paper_settings() -> dict[str, list[str]]:
    """Under which settings the Paper page computes, unless a new session would find the same.

    An address with settings of the sidebar, but without this parameter, is from before the page had settings of its
    own: it was computed as in the sidebar.
    """
    usual = "paper" if dataset() == "sample" else "sidebar"
    implied = usual if not settings_changed() else "sidebar"
    chosen = paper_settings()
    return {} if chosen == implied else {"paper_settings": [chosen]}


def paper_settings() -> str:
    """Under which settings the Paper page computes."""
    usual = "paper" if dataset() == "sample" else "sidebar"
    return get("paper_settings") or next(iter(st.session_state.arrived.get("paper_settings", [])), usual)
