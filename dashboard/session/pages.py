"""The app's pages: links from one to another, and a part of a page that fails without ending the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dashboard.literal import literal


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the app.

    Attributes:
        title: in the navigation, and the page's heading.
        path: of its address; empty for the page that opens first.
        question: what it answers.
        render: draws it.
        group: the heading under which the navigation lists it.
        icon: beside its title in the navigation.
    """

    title: str
    path: str
    question: str
    render: Callable[[], None]
    group: str
    icon: str


LOGGER = logging.getLogger(__name__)


def remember_pages(pages: Mapping[str, Any]) -> None:
    """Keep the pages by their titles, so that one can link to another."""
    st.session_state.pages = pages


def page_link(name: str, label: str, *, icon: str = ":material/arrow_forward:") -> None:
    """A link to another page; the settings go along."""
    st.page_link(st.session_state.pages[name], label=label, icon=icon)


def forward(titles: Mapping[str, str]) -> None:
    """Show, in place of an address of an earlier version, the page that shows the same; the settings go along.

    Args:
        titles: the title of that page by the value of the parameter "show", which is empty where there is none.
    """
    parameters = {key: st.query_params.get_all(key) for key in st.query_params}
    part = next(iter(parameters.pop("show", [])), "")
    st.switch_page(st.session_state.pages[titles.get(part, titles[""])], query_params=parameters)


@contextmanager
def going_on(part: str) -> Iterator[None]:
    """Let the rest of the app go on when a part of it fails for a reason that nobody expected.

    The page gets a sentence, the log the traceback. Streamlit's own way out of a run, as by st.stop, is no exception.

    Args:
        part: what is drawn, as a sentence begins.
    """
    try:
        yield
    except Exception as error:
        LOGGER.exception("%s cannot be shown", part)
        st.error(
            literal(
                f"{part} cannot be shown because of an unexpected error ({type(error).__name__}). Check the "
                "files on the Data page, and please report the error."
            )
        )
        page_link("Data", "Go to the Data page")
