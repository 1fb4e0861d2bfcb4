"""The URL in a run of the app: the data and controls it names, and links made with other data.

The URL is written once per run, before the navigation is drawn: then each step of a person makes one entry in the
browser's history, also a change of page together with its controls. Streamlit's own binding of widgets to the URL makes
no entries. When the person goes back or forward, the controls follow the URL.

`restore_choice` and its kin, called before a control is drawn, set it from the session, else from the URL that the
session was opened with or went back to, else to its default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NoReturn, cast
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.launch import Launch
from dashboard.literal import literal
from dashboard.session import work
from dashboard.session.files import (
    SHARED_SEGMENTS,
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
from dashboard.session.pages import place_of
from dashboard.session.settings import INITIAL_VALUES, get, put
from dashboard.session.tab import Record, answer_of_tab, ask_tab, had_a_session, keep_in_tab
from dashboard.session.url import DATA, DATASET, FILES, PAPER, Link, Parameters, UrlState, renewed, written

PaperSettings = Literal["paper", "sidebar"]

#: Under which settings the Paper page computes.
PAPER_SETTINGS: tuple[PaperSettings, ...] = ("paper", "sidebar")


def _url() -> UrlState:
    return st.session_state.url


def _controls() -> MutableMapping[str, Any]:
    return cast("MutableMapping[str, Any]", st.session_state)


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
    """Begin a run; a new session has what its tab had before a reload, the files of the command line, or the sample.

    The sample's URL and that of the files opened here always work; any other is a link until its data are loaded.
    """
    session = st.session_state
    if "started" not in session:
        _begin(launch)
        return
    url = _url()
    url.begin_run()
    url.following, url.written = url.written, False  # a URL that was just written stays as it is
    late = None if session.settled_with_tab else answer_of_tab(session.asked)
    if late is not None:
        session.settled_with_tab = True
        if not session.held.changed:
            _settle(late)
            _begin_with(url.arrived)
            url.following = True


def _begin(launch: Launch) -> None:
    session = st.session_state
    _begin_holding()
    record = answer_of_tab(session.asked)
    session.settled_with_tab, session.asks_tab = record is not None, record is None
    session.url = UrlState(arrived=renewed(_parameters()))
    open_files(launch)
    _settle(record or Record())
    if _is_from_before_paper_settings(_url().arrived):
        put(paper_settings="sidebar")
    session.started = True  # at last: a click may have ended a first run before this, and the next begins anew


def _settle(record: Record) -> None:
    """Take what the tab showed before, or the data that the URL names.

    Args:
        record: what the tab remembers.
    """
    session, url = st.session_state, _url()
    if record.key and work.hand_back(record.key, session.held):
        show_dataset("own" if own_files() else "sample")
    shown = parse_qs(record.shown)
    if DATA not in url.arrived and (had_a_session() or FILES in shown):
        # On a switch of pages without a connection Streamlit's page drops the query.
        url.arrived = renewed(shown) | url.arrived
    arrived = url.arrived
    if arrived.get(DATA):
        lost = FILES in shown and shown.get(DATA) == arrived[DATA]
        url.link = Link(arrived[DATA][0], "".join(arrived.get(FILES, [])), arrived, lost=lost)


def remember_in_tab() -> None:
    """Keep in the tab the key to its files and the URL of what it shows, for a session that begins anew."""
    session = st.session_state
    if session.asks_tab:  # in the first run
        session.asks_tab = False
        ask_tab(session.asked)
        return
    link = unmatched_link()
    shown = _wanted() if link is None else link.parameters
    keep_in_tab(session.held.key, urlencode(shown, doseq=True), settled=session.settled_with_tab)


def _parameters() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}


def _is_from_before_paper_settings(parameters: Parameters) -> bool:
    """Whether a URL was written when the page of the 2002 paper had no settings of its own."""
    return PAPER not in parameters and any(key in parameters for key in INITIAL_VALUES)


# --- links and the browser's history -------------------------------------------------------------------------


def unmatched_link() -> Link | None:
    """The link this session was opened with, while the data it was made with are not loaded."""
    return _url().link


def follow_url() -> None:
    """Let the controls follow the URL after Back or Forward, and a link once its data are loaded."""
    session, url = st.session_state, _url()
    launched = session.pop("launched_controls", None)
    if launched and not st.query_params:
        _begin_with(launched)
    link, context = url.link, get_script_run_ctx()
    if link is not None:
        if own_files() and sample_workspace().has_digest(link.digest):
            show_dataset("sample")
        if are_data_shown(link.digest):
            url.link = None
            _begin_with(link.parameters)
    elif context is not None and context.is_history_navigation:
        found = _parameters()
        url.following = True
        _begin_with(found)
        if own_files():
            show_dataset("sample" if found.get(DATASET) == ["sample"] else "own")
    restore_toggle(SHARED_SEGMENTS)  # which decides on the data


def begin_anew_with(parameters: Parameters) -> None:
    """Let all controls begin anew in the run that follows, with values as parameters; for callbacks."""
    _url().link = Link(digest_in_address(), "", parameters)  # which matches the data


def _begin_with(parameters: Parameters) -> None:
    """Let all controls begin anew with the values in a URL."""
    _url().begin_with(parameters, _controls())
    if _is_from_before_paper_settings(parameters):
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
    _url().link = None


def go_to(title: str, **controls: str | bool | float | None) -> None:
    """Show another page with some of its controls set; for callbacks.

    Args:
        title: of the page, or of a part of a page.
        controls: values by key; None for the default.
    """
    _begin_controls({**controls, **place_of(title).controls})
    _url().page = title


def _begin_controls(values: Mapping[str, str | bool | float | None]) -> None:
    """Let controls begin anew with values by key; None for the default."""
    url = _url()
    for key, value in values.items():
        url.drop(key, _controls())
        if value is not None:
            url.arrived[key] = written(value)


def page_link(title: str, label: str, *, icon: str = ":material/arrow_forward:") -> None:
    """A link to another page, or a button that leads to a part of a page; the settings go along.

    Args:
        title: of the page or the part.
        label: of the link or button.
        icon: beside the label.
    """
    place = place_of(title)
    if place.controls:
        st.button(label, key=f"to-{title}-{label}", type="tertiary", icon=icon, on_click=go_to, args=(title,))
    else:
        st.page_link(place.page, label=label, icon=icon)


def forward(titles: Mapping[str, str]) -> None:
    """Show, in place of an address of an earlier version, the page that shows the same; the settings go along.

    Args:
        titles: the title of that page, or part of a page, by the value of the parameter "show", which is empty where
            there is none.
    """
    url, parameters = _url(), _parameters()
    part = next(iter(parameters.pop("show", [])), "")
    place = place_of(titles.get(part, titles[""]))
    _begin_controls(place.controls)
    parameters |= {key: written(value) for key, value in place.controls.items()}
    if url.link is not None:
        url.link = replace(url.link, parameters=parameters)
    st.switch_page(place.page, query_params=parameters)


def leave_for_page() -> None:
    """Switch to the page that a callback has asked for by go_to, if any; before the address is written."""
    url = _url()
    title, url.page = url.page, None
    if title is not None:
        url.keep(_controls())
        url.written = True
        # Streamlit's page writes the parameters to the URL of this page first: Back leads here in any case.
        st.switch_page(place_of(title).page, query_params=_wanted())


def write_url() -> None:
    """Put the data's digest, the names of a person's own files, and all that is not as by default into the URL."""
    url = _url()
    url.keep(_controls())
    found = _parameters()
    wanted = dict(url.link.parameters) if url.link is not None else _wanted()
    if url.must_write(found, wanted, of_other_data=_is_of_other_data(found)):
        st.query_params.from_dict(wanted)


def _is_of_other_data(parameters: Parameters) -> bool:
    """Whether a URL names other files than a person has added."""
    return bool(own_files()) and any(parameters.get(key) != value for key, value in _data_shown().items())


def _wanted() -> dict[str, list[str]]:
    """The parameters of the URL."""
    wanted = _data_shown()
    if dataset() == "sample" and own_files():
        wanted[DATASET] = ["sample"]
    wanted |= _url().parameters(_controls())
    wanted |= _paper_settings(wanted)
    return {key: value for key, value in wanted.items() if value}


def view_parameters() -> dict[str, list[str]]:
    """What is chosen in the sidebar and on all pages, as parameters; without those that name the data."""
    of_data = {*_data_shown(), DATASET}
    chosen = {key: values for key, values in _wanted().items() if key not in of_data}
    return chosen | {PAPER: [paper_settings()]}  # whose default depends on the data


def _data_shown() -> dict[str, list[str]]:
    """The parameters that name the data."""
    names = names_of_files()
    return {DATA: [digest_in_address()]} | ({FILES: [names]} if names else {})


def changed_controls() -> dict[str, Any]:
    """The controls that are not as by default, with their values."""
    return _url().changed(_controls())


def forget(keys: Sequence[str]) -> None:
    """Set controls back to their defaults."""
    _url().reset(keys, _controls())


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
            _url().ignored[key] = unknown
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
    _url().restore(key, default, read=read, allowed=allowed, controls=_controls())


def ignored_parameters() -> Mapping[str, list[str]]:
    """Parameters of the address whose values are no options of their controls."""
    return _url().ignored


# --- settings of the Paper page ------------------------------------------------------------------------------


def restore_paper_settings() -> None:
    """Restore under which settings the Paper page computes; by default as in the paper for the sample data only."""
    restore_choice(PAPER, PAPER_SETTINGS, "paper" if dataset() == "sample" else "sidebar")


def _paper_settings(parameters: Parameters) -> dict[str, list[str]]:
    """Under which settings the Paper page computes, unless a new session would find the same.

    An address with settings of the sidebar, but without this parameter, is from before the page had settings of its
    own: it was computed as in the sidebar.

    Args:
        parameters: all others.
    """
    usual = "paper" if dataset() == "sample" else "sidebar"
    implied = "sidebar" if _is_from_before_paper_settings(parameters) else usual
    chosen = paper_settings()
    return {} if chosen == implied else {PAPER: [chosen]}


def paper_settings() -> str:
    """Under which settings the Paper page computes."""
    usual = "paper" if dataset() == "sample" else "sidebar"
    return get(PAPER) or next(iter(_url().arrived.get(PAPER, [])), usual)
