"""The app's pages: links between them, and error boundaries for their parts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from bleu_core.errors import BleuCoreError
from bleu_core.scoring import Basis
from bleu_core.uploads import Workspace
from dashboard.literal import literal
from dashboard.session.files import test_sets

#: Data that a page or a part of it needs -> the reason that the navigation gives if they are missing.
NEEDS: Mapping[str, str] = {
    "systems": "needs outputs",
    "two systems": "needs two systems",
    "judgments": "needs ratings",
    "marked errors": "needs marked errors",
    "counts": "needs counts files",
    "campaign": "needs a campaign",
    "test sets": "needs several test sets",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a page; one of them is shown at a time.

    Attributes:
        title: on its button; unique among pages and parts. Empty for the only part of a page.
        path: in the URL.
        render: draws the part.
        needs: the data that it needs, a key of NEEDS; empty for none.
        hidden: whether it is offered only if there are the data that it needs.
        rests_on: what its results rest on; the page says above them if an alarm obstructs it. Empty for parts without
            results of texts, and those that begin with a headline of their own, which says so.
    """

    title: str = ""
    path: str = ""
    render: Callable[[], None]
    needs: str = ""
    hidden: bool = False
    rests_on: tuple[Basis, ...] = ("references",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page of the app.

    Attributes:
        title: in the navigation, and the page's heading.
        path: of its URL; empty for the page that opens first.
        question: the question that it answers.
        parts: of the page; the first is the default.
        group: the heading under which the navigation lists it; empty for none.
        icon: beside its title in the navigation.
    """

    title: str
    path: str
    question: str
    parts: tuple[Part, ...]
    group: str = ""
    icon: str

    @property
    def part_key(self) -> str:
        """The key of the control that chooses the part."""
        return f"{self.path.replace('-', '_')}_part"

    def missing(self, workspace: Workspace) -> str:
        """Return what the data lack for all parts of the page, a key of NEEDS; empty if a part can be shown."""
        if not all(lacks(workspace, part.needs) for part in self.parts):
            return ""
        return next(part.needs for part in self.parts if not part.hidden)

    def offered(self, workspace: Workspace) -> list[Part]:
        """Return the parts that can be selected, even if their data are missing."""
        return [part for part in self.parts if not part.hidden or not lacks(workspace, part.needs)]


@dataclass(frozen=True, slots=True)
class Place:
    """The target of a title.

    Attributes:
        page: Streamlit's page.
        controls: the control that selects the part of the page, and its value, if the title is a part's.
    """

    page: StreamlitPage
    controls: Mapping[str, str]


LOGGER = logging.getLogger(__name__)


def lacks(workspace: Workspace, need: str) -> bool:
    """Return whether the data lack something, a key of NEEDS."""
    checks: Mapping[str, Callable[[], bool]] = {
        "systems": lambda: not workspace.corpus.systems,
        "two systems": lambda: len(workspace.corpus.systems) < 2,  # noqa: PLR2004 # a pair
        "judgments": lambda: workspace.judgments is None,
        "marked errors": lambda: not workspace.has_errors,
        "counts": lambda: workspace.counts is None,
        "campaign": lambda: st.session_state.get("campaign") is None,
        "test sets": lambda: len(test_sets()) < 2,  # noqa: PLR2004 # several
    }
    return need in checks and checks[need]()


def remember_pages(pages: Mapping[str, StreamlitPage], declared: Iterable[Page]) -> None:
    """Store the targets of titles, for links between pages.

    Args:
        pages: by title.
        declared: the same pages.
    """
    places = {title: Place(page, {}) for title, page in pages.items()}
    for page in declared:
        places |= {
            part.title: Place(pages[page.title], {page.part_key: part.path}) for part in page.parts if part.title
        }
    st.session_state.places = places


def place_of(title: str) -> Place:
    """Return the target of the title of a page, or of a part of a page."""
    return st.session_state.places[title]


class UnavailableError(BleuCoreError):
    """Results cannot be computed in this installation; the message says what to install."""


@contextmanager
def error_boundary(part: str) -> Iterator[None]:
    """Show an error message instead of a traceback when a part of the page fails.

    The traceback is logged. Streamlit's control flow, such as st.stop, passes through.

    Args:
        part: name of the part, as the beginning of a sentence.
    """
    try:
        yield
    except UnavailableError as error:
        st.info(literal(str(error)))
    except Exception as error:
        LOGGER.exception("%s cannot be shown", part)
        st.error(
            literal(
                f"{part} cannot be shown because of an unexpected error ({type(error).__name__}). Check the "
                "files on the Data page, and please report the error."
            )
        )
        st.page_link(place_of("Data").page, label="Go to the Data page", icon=":material/arrow_forward:")
