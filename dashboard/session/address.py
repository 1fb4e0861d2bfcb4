"""The URL in a run of the app: the data and controls that it names, and links made with other data.

The URL is written once per run, before the navigation is drawn: then each step of a user makes one entry in the
browser's history, also a change of page together with its controls. Streamlit's binding of widgets to the URL makes
no entries. When the user goes back or forward, the controls follow the URL.

`restore_choice` and similar functions, called before a control is drawn, set it from the session, else from the URL
that the session was opened with or went back to, else to its default.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, NoReturn
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dashboard.launch import Launch
from dashboard.literal import literal
from dashboard.session import work
from dashboard.session.browser_storage import (
    TabRecord,
    ask_tab,
    is_reconnection,
    other_tab_has_files,
    store_in_tab,
    tab_record,
)
from dashboard.session.files import (
    SELECTED_FILE,
    SHARED_SEGMENTS,
    chosen_set,
    dataset,
    digest_in_address,
    list_of_names,
    names_of_files,
    open_files,
    own_files,
    read_names,
    sample_workspace,
    set_of_address,
    show_dataset,
    test_sets,
)
from dashboard.session.pages import place_of
from dashboard.session.settings import INITIAL_VALUES, ControlValues, control_value, set_controls
from dashboard.session.url import (
    ABSENT,
    DATA,
    DATASET,
    FILES,
    PAPER,
    TEST_SET,
    Link,
    Parameters,
    UrlState,
    renewed,
    written,
)

#: Numbers in a URL; Python also reads digits of other scripts, underscores, "inf" and "nan".
WHOLE_NUMBER = re.compile(r"-?[0-9]+")
NUMBER = re.compile(r"-?([0-9]++(\.[0-9]*+)?|\.[0-9]++)([eE][-+]?[0-9]++)?")

#: Keys of the slice and of the list of dismissed warnings.
SLICE, DISMISSED = "slice", "dismissed"

PaperSettings = Literal["paper", "sidebar"]

#: Settings that the page of the 2002 paper can use.
PAPER_SETTINGS: tuple[PaperSettings, ...] = ("paper", "sidebar")


def _url() -> UrlState:
    return st.session_state.url


def _controls() -> MutableMapping[str, Any]:
    return ControlValues()


def waits_for_tab() -> bool:
    """Return whether the session has to wait for its tab's answer, as the server may have files for it.

    Until then nothing may be drawn: the sample would be shown instead of the user's files.
    """
    session = st.session_state
    if "started" in session and not work.is_stored(session.held):  # dropped while the tab was not connected
        session.clear()
    _create_state()
    return (
        "started" not in session
        and tab_record(session.asked) is None
        and "tab_is_silent" not in session
        and (is_reconnection() or work.has_restorable_files())
    )


def _create_state() -> None:
    session = st.session_state
    if "held" not in session:
        session.held = work.create_state()
        session.asked = session.held.key  # identifies the tab's answer, even after the key has changed


def wait_for_tab() -> NoReturn:
    """Wait until the tab has answered, for a second or so, then start another run."""
    ask_tab(st.session_state.asked, wait=True)
    st.session_state.tab_is_silent = True
    st.rerun()


def start(launch: Launch) -> None:
    """Start a run; a new session restores its tab's state or opens the launched files or the sample.

    The URLs of the sample and of the files opened here always work; any other is a link until its data are loaded.
    """
    session = st.session_state
    if "started" not in session:
        _begin(launch)
        return
    url = _url()
    url.begin_run()
    url.following, url.written = url.written, False  # a URL that was just written is not changed
    late = None if session.settled_with_tab else tab_record(session.asked)
    if late is not None:
        session.settled_with_tab = True
        if not session.held.changed:
            _settle(late)
            _begin_with(url.arrived, opened=True)
            url.following = True


def _begin(launch: Launch) -> None:
    session = st.session_state
    _create_state()
    record = tab_record(session.asked)
    session.settled_with_tab, session.asks_tab = record is not None, record is None
    session.url = UrlState(arrived=renewed(_parameters()))
    open_files(launch)
    _settle(record or TabRecord())
    session.url.arrived = session.url.opened = _with_paper_settings(session.url.arrived)
    session.started = True  # last: a click may end a first run before this, and the next one starts again


def _settle(record: TabRecord) -> None:
    """Restore the tab's former state, or select the data that the URL names.

    Args:
        record: the record stored in the tab.
    """
    session, url = st.session_state, _url()
    if record.key and work.restore(record.key, session.held):
        show_dataset("own" if own_files() else "sample")
    shown = parse_qs(record.shown, keep_blank_values=True)
    if DATA not in url.arrived and (is_reconnection() or FILES in shown):
        # Streamlit's page drops the query on a switch of pages without a connection.
        url.arrived = renewed(shown) | url.arrived
    arrived = url.arrived
    if DATA not in arrived and not _choose_set_of(arrived):  # with data, it is a link
        url.ignored[TEST_SET] = arrived[TEST_SET]
    if arrived.get(DATA):
        lost = FILES in shown and shown.get(DATA) == arrived[DATA]
        url.link = Link(arrived[DATA][0], "".join(arrived.get(FILES, [])), arrived, lost=lost)


def update_tab() -> None:
    """Store in the tab the key to its files and the URL that it shows, for a new session after a reload."""
    session = st.session_state
    if session.asks_tab:  # in the first run
        session.asks_tab = False
        ask_tab(session.asked)
        return
    link = unmatched_link()
    shown = _wanted() if link is None else link.parameters
    store_in_tab(
        session.held.key, urlencode(shown, doseq=True), files=bool(own_files()), settled=session.settled_with_tab
    )


def _parameters() -> dict[str, list[str]]:
    return {key: st.query_params.get_all(key) for key in st.query_params}


def _is_from_before_paper_settings(parameters: Parameters) -> bool:
    """Return whether a URL was written before the page of the 2002 paper had separate settings."""
    return PAPER not in parameters and any(key in parameters for key in INITIAL_VALUES)


def _with_paper_settings(parameters: Parameters) -> dict[str, list[str]]:
    """Return the parameters with that of the page of the 2002 paper, whose results were computed as in the sidebar."""
    return {**parameters, **({PAPER: ["sidebar"]} if _is_from_before_paper_settings(parameters) else {})}


# --- links and the browser's history -------------------------------------------------------------------------


def unmatched_link() -> Link | None:
    """Return the link this session was opened with, while the data it was made with are not loaded."""
    return _url().link


def follow_url() -> None:
    """Let the controls follow the URL after Back or Forward, and a link once its data are loaded."""
    session, url = st.session_state, _url()
    launched = session.pop("launched_controls", None)
    if launched and not st.query_params:
        _begin_with(launched)
    link, context = url.link, get_script_run_ctx()
    page = context.page_script_hash if context is not None else ""
    if session.setdefault("page_shown", page) != page:
        session.page_shown, url.ignored = page, {}  # each page names the values that are unknown to it
    if link is not None:
        if own_files() and sample_workspace().has_digest(link.digest):
            show_dataset("sample")
        name = set_of_address(link.digest, _set_in(link.parameters))
        if name is not None:
            url.link = None
            _show_set(name)
            _begin_with({**link.parameters, TEST_SET: [name]}, opened=True)
    elif context is not None and context.is_history_navigation:
        parameters = _parameters()
        url.following = True
        if own_files():
            show_dataset("sample" if parameters.get(DATASET) == ["sample"] else "own")
        _begin_with(parameters)
    restore_toggle(SHARED_SEGMENTS)  # which decides on the data


def reset_controls_to(parameters: Parameters) -> None:
    """Reset all controls to the values of parameters in the next run; for callbacks."""
    url = _url()
    url.link = Link(digest_in_address(), "", parameters)  # it matches the data
    url.of_other_sets, url.dismissed = {}, {}


def _begin_with(parameters: Parameters, *, opened: bool = False) -> None:
    """Choose the test set in a URL, and reset all controls to the values there.

    Args:
        parameters: of the URL.
        opened: whether the session was opened with it.
    """
    is_known = _choose_set_of(parameters)
    _url().of_other_sets.pop(SLICE, None)
    _url().begin_with(_with_paper_settings(parameters), _controls(), opened=opened)
    if not is_known:
        _url().ignored[TEST_SET] = parameters[TEST_SET]


def _set_in(parameters: Parameters) -> str:
    """Return the name of the test set in a URL; empty for the one without a name."""
    return next(iter(parameters.get(TEST_SET, [])), "")


def _choose_set_of(parameters: Parameters) -> bool:
    """Choose the test set in a URL, else the one with its data; return False if it names one that there is not."""
    name = _set_in(parameters)
    if dataset() == "sample":
        return not name
    digest = next(iter(parameters.get(DATA, [])), "")
    known = name if name in test_sets() else set_of_address(digest, name) if digest else None
    if known is not None:
        _show_set(known)
    return known is not None or not name


def _show_set(name: str) -> None:
    """Show a test set; its files have other positions than those of the former one."""
    if dataset() == "sample":
        return
    if name != chosen_set():
        url, controls = _url(), _controls()
        url.change_set(controls)
        url.dismissed[chosen_set()] = controls.get(DISMISSED, url.kept.get(DISMISSED)) or []
        set_controls(**{DISMISSED: url.dismissed.get(name, [])})
        set_controls(**{SELECTED_FILE: None})
    st.session_state.held.chosen = name


def choose_set(name: str, *, without: Sequence[str] = ()) -> None:
    """Show a test set on all pages; for callbacks.

    Choices of systems, references and judges remain in force where the test set has them; what it lacks is ignored
    until a test set is chosen that has it. Warnings are dismissed for one test set.

    Args:
        name: of the test set; the choice does not change if there is none of that name.
        without: keys of controls that concern single segments, and are reset.
    """
    if name not in test_sets() or name == chosen_set():
        return
    url = _url()
    _show_set(name)
    for key in without:
        url.drop(key, _controls())
    set_aside = url.of_other_sets.pop(SLICE, [])
    if set_aside and not control_value(SLICE):
        set_controls(**{SLICE: set_aside[0]})
    st.session_state.slice_unchecked = bool(control_value(SLICE))


def takes_slice_along() -> bool:
    """Return whether the test set was just changed while a slice was chosen, which it may not support; once."""
    return bool(st.session_state.pop("slice_unchecked", False))


def set_slice_aside() -> None:
    """Show all segments of the chosen test set; the slice returns with another test set."""
    _url().of_other_sets[SLICE] = [str(control_value(SLICE))]
    set_controls(**{SLICE: ""})


def slice_of_other_sets() -> str:
    """Return the slice that the chosen test set does not support; empty without one, or if another one was typed."""
    return "" if control_value(SLICE) else next(iter(_url().of_other_sets.get(SLICE, [])), "")


def shared_link() -> str:
    """Return the URL of this page with the values of all controls, for people with the same files."""
    page = (st.context.url or "").partition("?")[0]
    return f"{page}?{urlencode(_wanted(), doseq=True)}"


def explain_link(link: Link) -> None:
    """Warn that the data of a link, or those that a tab has lost, are not loaded."""
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
    note_other_tab()
    st.button("Show the loaded data instead", on_click=_dismiss_link, key="dismiss-link")


def note_other_tab() -> None:
    """Say that another tab of the browser has files and this one none, if so."""
    if other_tab_has_files() and not own_files():
        st.caption(
            "Another tab of this browser has files; this tab has none. To continue with them here, duplicate that tab "
            "in the browser. Otherwise add files on the Data page."
        )


def _files_of(link: Link) -> str:
    """Return the names of a link's files, or of those that are missing, in parentheses."""
    names, loaded = read_names(link.files), {file.name for file in own_files()}
    missing = [name for name in names if name not in loaded]
    if not link.files or len(missing) in (0, len(names)):
        return f" ({link.files})" if link.files else ""
    return f" (missing: {list_of_names(missing)})"


def _dismiss_link() -> None:
    """Discard the link and show the loaded data."""
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
    """Reset controls to values by key; None for the default."""
    url = _url()
    for key, value in values.items():
        url.drop(key, _controls())
        if value is not None:
            url.arrived[key] = written(value)


def page_link(title: str, label: str, *, icon: str = ":material/arrow_forward:") -> None:
    """Draw a link to another page, or a button that opens a part of a page; the settings are preserved.

    Args:
        title: of the page or the part.
        label: of the link or button.
        icon: of the link or button.
    """
    place = place_of(title)
    if place.controls:
        st.button(label, key=f"to-{title}-{label}", type="tertiary", icon=icon, on_click=go_to, args=(title,))
    else:
        st.page_link(place.page, label=label, icon=icon)


def forward(titles: Mapping[str, str]) -> None:
    """Redirect a URL of an earlier version to the page that shows the same; the settings are preserved.

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
    """Switch to the page that a callback has requested, before the URL is written."""
    url = _url()
    title, url.page = url.page, None
    if title is not None:
        url.keep(_controls())
        url.written = True
        # Streamlit's page first writes the parameters to the URL of this page, so Back leads here in any case.
        st.switch_page(place_of(title).page, query_params=_wanted())


def write_url() -> None:
    """Write the data's digest, the names of the user's files, and all changed controls to the URL."""
    url = _url()
    url.keep(_controls())
    present = _parameters()
    wanted = dict(url.link.parameters) if url.link is not None else _wanted()
    if url.must_write(present, wanted, of_other_data=_is_of_other_data(present)):
        st.query_params.from_dict(wanted)


def _is_of_other_data(parameters: Parameters) -> bool:
    """Return whether a URL names other files than the user has added."""
    return bool(own_files()) and any(parameters.get(key) != value for key, value in _data_shown().items())


def _wanted() -> dict[str, list[str]]:
    """Return the parameters that the URL should have."""
    wanted = _data_shown()
    if dataset() == "sample" and own_files():
        wanted[DATASET] = ["sample"]
    wanted |= _set_shown()
    wanted |= _url().parameters(_controls())
    wanted |= _paper_settings(wanted)
    return {key: value for key, value in wanted.items() if value}


def view_parameters() -> dict[str, list[str]]:
    """Return the controls of the sidebar and all pages as parameters, without those that name the data."""
    data_keys = {*_data_shown(), DATASET}
    parameters = {key: values for key, values in _wanted().items() if key not in data_keys}
    return parameters | {PAPER: [paper_settings()]}  # its default depends on the data


def _data_shown() -> dict[str, list[str]]:
    """Return the parameters that name the data."""
    names = names_of_files()
    return {DATA: [digest_in_address()]} | ({FILES: [names]} if names else {})


def _set_shown() -> dict[str, list[str]]:
    """Return the parameter of the chosen test set, where there are several and it has a name."""
    name = chosen_set()
    return {TEST_SET: [name]} if name and len(test_sets()) > 1 else {}


def changed_controls() -> dict[str, Any]:
    """Return the controls that differ from the defaults, with their values."""
    return _url().changed(_controls())


def forget(keys: Sequence[str]) -> None:
    """Reset controls to their defaults."""
    _url().reset(keys, _controls())


# --- controls ------------------------------------------------------------------------------------------------


def restore_choice(
    key: str,
    options: Sequence[str],
    default: str | None = None,
    *,
    former: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Restore the value of a select box; if it is not an option, the default (the first option if None).

    Args:
        key: of the box.
        options: each once.
        default: the first option if None.
        former: value in URLs of former versions -> the option.
    """
    fallback = options[0] if default is None else default
    _restore(
        key,
        fallback,
        lambda values: former.get(values[0], values[0]),
        lambda value: value if value in options else ABSENT,
    )


def restore_choices(key: str, options: Sequence[str], default: Sequence[str] | None = None) -> None:
    """Restore the values of a multiselect that are options, in the options' order; at first the default.

    Args:
        key: of the multiselect.
        options: each once.
        default: None if none is chosen by default, whatever the options.
    """

    def fit(value: list[str]) -> Any:
        known = [name for name in options if name in value]
        return known if known or not value else ABSENT

    _restore(key, list(default or ()), lambda values: list(filter(None, values)), fit, fixed=default is None)


def restore_names(key: str, names: Sequence[str]) -> None:
    """Restore which of a test set's systems, references or judges are chosen; those of other test sets are kept."""
    _url().names[key] = names
    restore_choices(key, names)


def names_of_other_sets(key: str) -> tuple[str, ...]:
    """Return the chosen systems, references or judges that the test set that is shown lacks, and others may have."""
    url = _url()
    return tuple(name for name in url.of_other_sets.get(key, []) if name not in url.names.get(key, []))


def restore_toggle(key: str, *, default: bool = False) -> None:
    """Restore the position of a switch."""
    _restore(key, default, lambda values: {"true": True, "false": False}[values[0]], _same, fixed=True)


def restore_number(key: str, low: float, high: float, default: float | None) -> None:
    """Restore the value of a number box; if it is not a number within the bounds, the default.

    Args:
        key: of the box.
        low: the minimum.
        high: the maximum.
        default: None where the box may be empty; a whole number where only those are allowed.
    """
    number = WHOLE_NUMBER if isinstance(low, int) else NUMBER

    def read(values: list[str]) -> float:
        if not number.fullmatch(values[0]):
            raise ValueError
        return int(values[0]) if number is WHOLE_NUMBER else float(values[0])

    def fit(value: float | None) -> Any:
        return value if value is None or (low <= value <= high and math.isfinite(value)) else ABSENT

    _restore(key, default, read, fit)


def restore_text(key: str) -> None:
    """Restore the text typed into a box, which is empty by default."""
    _restore(key, "", lambda values: values[0], _same, fixed=True)


def has_value(key: str) -> bool:
    """Return whether the session or the URL has a value of a control, other than an empty list."""
    url = _url()
    return any(values.get(key) for values in (_controls(), url.kept, url.chosen, url.arrived))


def is_chosen(key: str) -> bool:
    """Return whether a value of a control was chosen, by the user or a URL, that is possible at present."""
    return key in _url().chosen and key in _url().usable


def _restore(
    key: str, default: Any, read: Callable[[list[str]], Any], fit: Callable[[Any], Any], *, fixed: bool = False
) -> None:
    _url().restore(key, default, read=read, fit=fit, controls=_controls(), fixed=fixed)


def _same(value: Any) -> Any:
    return value


def ignored_parameters() -> Mapping[str, list[str]]:
    """Return the URL parameters whose values are not options of their controls."""
    return _url().ignored


# --- settings of the Paper page ------------------------------------------------------------------------------


def restore_paper_settings() -> None:
    """Restore the settings of the page of the 2002 paper; the default is the paper's for the sample data only."""
    restore_choice(PAPER, PAPER_SETTINGS, "paper" if dataset() == "sample" else "sidebar")


def _paper_settings(parameters: Parameters) -> dict[str, list[str]]:
    """Return the parameter of the page of the 2002 paper, unless a new session would infer the same.

    A URL with settings of the sidebar, but without this parameter, is from before the page had separate settings: its
    results were computed as in the sidebar.

    Args:
        parameters: all others.
    """
    default = "paper" if dataset() == "sample" else "sidebar"
    implied = "sidebar" if _is_from_before_paper_settings(parameters) else default
    current = paper_settings()
    return {} if current == implied else {PAPER: [current]}


def paper_settings() -> str:
    """Return the settings that the page of the 2002 paper uses."""
    default = "paper" if dataset() == "sample" else "sidebar"
    return _url().chosen.get(PAPER) or next(iter(_url().arrived.get(PAPER, [])), default)
