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
from typing import Any, Literal
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

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


def start(launch: Launch) -> None:
    """Begin a session: open the files named on the command line, or the sample data.

    The sample's address and that of the files opened here always work; any other is remembered as a link.
    """
    session = st.session_state
    if "started" in session:
        session.following = session.pop("arriving", False)  # an address that was just written stays as it is
        _keep_in_tab()
        return
    open_files(launch)
    session.link = None
    session.defaults = {}  # of the controls that have been restored, by key
    session.kept = {}  # their values, as Streamlit forgets a widget that is not drawn on a page
    session.arrived = _parameters()  # what controls that have not been drawn yet begin with
    session.ignored = {}
    session.following = True  # the controls follow the address in this run, and nothing was changed by hand
    session.settled = None  # an address that was followed, and how it would be written here
    link = _link_of_new_session()
    if link is not None:
        if own_files() and link.digest == sample_workspace().digest:
            show_dataset("sample")
        if link.digest != current_workspace().digest:
            session.link = link
    if _from_before_paper_settings(session.arrived):
        put(paper_settings="sidebar")
    session.started = True  # at last: a click may have ended a first run before this, and the next begins anew


def _parameters() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}


def _from_before_paper_settings(parameters: Parameters) -> bool:
    """Whether an address was written when the Paper page had no settings of its own."""
    return "paper_settings" not in parameters and any(key in parameters for key in INITIAL_VALUES)


def _link_of_new_session() -> Link | None:
    """What a new session is to show, by the tab or by the address; None where neither names any data.

    A tab that has lost its session, because the server was started again or the session has ended while the tab was
    not connected, sends what its widgets hold. It may lack the address: on a switch of pages Streamlit's page drops
    what is bound to no widget.
    """
    parameters = st.session_state.arrived
    held = parse_qs(_box_of_tab(urlencode(_data_shown(), doseq=True)))
    if held != _data_shown():
        parameters |= held
    if held.get("data", [""]) not in ([""], [current_workspace().digest]):
        files = "".join(held.get("files", []))
        return Link(held["data"][0], files, parameters, lost=bool(files))  # the sample has no names of files
    digest = st.query_params.get("data")
    return Link(digest, st.query_params.get("files", ""), parameters) if digest else None


def _keep_in_tab() -> None:
    """Keep in the tab the address of what it shows, for a session that begins anew."""
    link = unmatched_link()
    st.session_state[TAB] = urlencode(_wanted() if link is None else link.parameters, doseq=True)
    _box_of_tab()


def _box_of_tab(initial: str = "") -> str:
    """A box that nobody sees, and what the tab holds in it.

    Args:
        initial: of a new session; not by the session's state, which would go before what the tab holds.
    """
    st.html(f"<style>.st-key-{TAB} {{ display: none }}</style>")
    return st.text_input("Data shown in this tab", initial, key=TAB, autocomplete="off")


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
        if link.digest == current_workspace().digest:
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
    st.session_state.link = Link(current_workspace().digest, "", parameters)  # which matches the data


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
                f"The data of this address are not loaded{files}. If you reloaded the page, your files are gone: add "
                "them again. If somebody sent you the link, add the files that it was made with. Other data would show "
                "other numbers."
            )
        )
    st.button("Show the loaded data instead", on_click=_dismiss_link, key="dismiss-link")


def _files_of(link: Link) -> str:
    """The names of a link's files, or of those that are missing, in parentheses."""
    names, loaded = link.files.split(", "), {file.name for file in own_files()}
    missing = [name for name in names if name not in loaded]
    if not link.files or len(missing) in (0, len(names)):
        return f" ({link.files})" if link.files else ""
    return f" (missing: {', '.join(missing)})"


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
    return {"data": [current_workspace().digest]} | ({"files": [names]} if names else {})


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
    return [f"{value:g}" if isinstance(value, float) else str(value)]


# --- controls ------------------------------------------------------------------------------------------------


def restore_choice(key: str, options: Sequence[str], default: str | None = None) -> None:
    """Restore the choice of a box; where it is no option, the default (the first option if None)."""
    usual = options[0] if default is None else default
    _restore(key, usual, lambda given: given[0], lambda value: value in options)


def restore_choices(key: str, options: Sequence[str], default: Sequence[str] = ()) -> None:
    """Restore the choices of a box, as far as they are options; the default where nothing was chosen yet."""
    usual = list(default)

    def read(given: list[str]) -> list[str]:
        if unknown := [name for name in given if name not in options]:
            st.session_state.ignored[key] = unknown
        return [name for name in given if name in options] or usual

    _restore(key, usual, read, lambda _: True)
    if st.session_state[key] != (known := [name for name in st.session_state[key] if name in options]):
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
