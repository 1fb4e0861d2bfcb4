"""The beginning of every page: its data, or a hint if they are missing, and its answer."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import NoReturn

import streamlit as st

from bleu_core.errors import AlignmentError, BleuCoreError
from bleu_core.results.headlines import Headline
from bleu_core.scoring import Metric
from bleu_core.uploads import Workspace
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.plots.theme import MAX_COLORS, Style, styles
from dashboard.widgets.controls import switch

#: Title of the part of a page that shows counts files.
COUNTS_PART = "Counts files"

#: Seconds after which the progress over test sets is shown.
PROGRESS_DELAY_S = 0.4

RANK_HELP = (
    "Compare the human translations among the systems like the others, on all pages. References with their texts are "
    "then not in use. The page of the 2002 paper always compares them, with all references."
)
NO_OTHER_REFERENCE = "They cannot be ranked: every reference in use has the text of one of them."


def dim_pages(pages: Sequence[session.Page]) -> None:
    """Dim the links of the navigation to pages whose data are missing, and add the reason."""
    workspace = session.current_workspace()
    rules: list[str] = []
    for page in pages:
        need = page.missing(workspace)
        if need:
            link = f'[data-testid="stSidebarNavLink"][href$="/{page.path}"]'
            rules.append(
                f'{link}:not([aria-current]) {{ opacity: 0.75 }} {link}::after {{ content: "{session.NEEDS[need]}" }}'
            )
    if rules:
        st.html(f"<style>{' '.join(rules)}</style>")


def draw_page(page: session.Page) -> None:
    """Draw a page: its title, the control that selects a part where it has several, and the selected part."""
    workspace = session.current_workspace()
    parts = {part.path: part for part in page.offered(workspace)}
    with st.container(horizontal=True, vertical_alignment="center", key="page-title"):
        st.title(page.title, width="content", help=page.question)
        shown = next(iter(parts))
        if len(parts) > 1:
            possible = (path for path, part in parts.items() if not session.lacks(workspace, part.needs))
            session.restore_choice(page.part_key, list(parts), next(possible, shown))
            st.segmented_control(
                f"Part of {page.title}",
                list(parts),
                format_func=lambda path: parts[path].title,
                key=page.part_key,
                required=True,
                label_visibility="collapsed",
            )
            shown = session.control_value(page.part_key) or shown
    _say_what_obstructs(parts[shown])
    parts[shown].render()


def _say_what_obstructs(part: session.Part) -> None:
    """Say above the results of a part why they are not comparable, if an alarm obstructs what they rest on."""
    try:
        view = analysis.view_of(session.current_workspace(), session.selection()) if part.rests_on else None
    except BleuCoreError:  # the part says what is missing
        return
    for finding in () if view is None else analysis.obstructing_findings(view, part.rests_on):
        st.warning(literal(finding.reason), icon=":material/error:")


def view_or_stop(
    *, systems: int = 1, judgments: bool = False, as_in_paper: bool = False, of_paper: bool = False
) -> analysis.View:
    """Return the data and settings of a page; if something is missing, show what to do and stop the page.

    Args:
        systems: the minimum number of systems that the page needs.
        judgments: whether it needs ratings.
        as_in_paper: whether to use the paper's settings and number of references, not the sidebar's.
        of_paper: whether it is the page of the 2002 paper, as in view_of.
    """
    with _stopping():
        return analysis.view_of(
            session.current_workspace(),
            session.selection(),
            systems=systems,
            judgments=judgments,
            as_in_paper=as_in_paper,
            of_paper=of_paper,
        )


def texts_or_stop() -> Workspace:
    """Return the data of a page that needs systems only; without any, show what to do and stop the page."""
    with _stopping():
        workspace = session.current_workspace()
        if not workspace.corpus.systems and workspace.missing:
            raise analysis.too_few_outputs(workspace, 1)
        if not workspace.corpus.systems:
            raise analysis.MissingDataError(
                "No system output is loaded, at least 1 is needed. Add text files with one segment per line."
            )
        return workspace


def sets_or_stop(min_sets: int = analysis.MIN_SETS) -> analysis.SetsInUse:
    """Return the test sets under the settings of each; with too few, explain how to add others and stop the page."""
    with _stopping():
        if len(session.test_sets()) < min_sets:
            st.info(words.ONE_SET)
            session.page_link("Data", "Go to the Data page")
            st.stop()
        sets = sets_of_session()
        if not sets.views:
            raise AlignmentError(words.sets_left_out(sets.left_out))
        return sets


def sets_of_session() -> analysis.SetsInUse:
    """Return all test sets of the session under the settings of each, with progress."""
    workspaces = {session.set_label(name): data for name, data in session.workspaces().items()}
    place, started = st.empty(), time.monotonic()

    def progress(done: int, total: int) -> None:
        if time.monotonic() - started > PROGRESS_DELAY_S:
            place.progress(done / total, f"Counting n-grams: {done:,} of {total:,} test sets")

    sets = analysis.sets_in_use(workspaces, session.selection_for_set, progress)
    place.empty()
    return sets


def counts_or_stop() -> analysis.CountsScores:
    """Return the systems of the counts files; without any, show what to do and stop the page."""
    with _stopping():
        return analysis.scores_of_counts(session.current_workspace(), session.selection())


def system_styles(view: analysis.View, highlighted: Sequence[str] = ()) -> Mapping[str, Style]:
    """Return the style of each loaded system in all figures.

    Args:
        view: the data.
        highlighted: two systems that are highlighted where there are too many for a colour each; the best two by BLEU
            if empty.
    """
    systems = tuple(view.workspace.corpus.systems)
    if len(systems) <= MAX_COLORS:
        return styles(systems)
    return styles(systems, highlighted or view.best_systems)


def answer(text: str) -> None:
    """Show the sentence that answers a page's question, as its first line."""
    st.markdown(f"## {literal(text)}", anchors=False)


def headline(result: Headline) -> None:
    """Show the answer that the data support, and the evidence or the reason below it."""
    answer(result.text)
    if result.detail:
        st.markdown(literal(result.detail))


def note_humans(view: analysis.View) -> None:
    """Name the human translations among the systems, if any, with the switch that ranks them."""
    sentence = words.human_translations(view)
    if not sentence:
        return
    possible = view.can_rank_humans
    with st.container(horizontal=True, vertical_alignment="center", key="human-translations"):
        st.caption(literal(sentence), width="content")
        switch(
            "Rank human translations",
            key=session.RANK_HUMANS,
            disabled=not possible or view.has_humans_only,
            help=RANK_HELP if possible else NO_OTHER_REFERENCE,
        )


def note_optimised(view: analysis.View) -> None:
    """Name the systems that are not ranked by the metric they were optimised for, if any."""
    sentence = words.optimised_systems(view)
    if sentence:
        st.caption(literal(sentence))


def note_optimised_but_shown(view: analysis.View, metric: Metric, systems: Sequence[str]) -> None:
    """Say which of the shown systems were optimised for the metric that they are shown with, if any."""
    sentence = words.optimised_but_shown(view, metric, systems)
    if sentence:
        st.caption(literal(sentence))


@contextmanager
def _stopping() -> Generator[None]:
    """If something that a page needs is missing or wrong, show what to do and stop the page."""
    link = session.unmatched_link()
    if link is not None:
        _stop_at_link(link)
    try:
        yield
    except analysis.MissingDataError as error:
        _stop_with_hint(error)
    except BleuCoreError as error:
        st.error(literal(str(error)))
        st.stop()


def _stop_at_link(link: session.Link) -> NoReturn:
    session.explain_link(link)
    whose = "same" if link.lost else "link's"
    session.page_link("Data", f"Add those files on the Data page; the {whose} settings then apply")
    st.stop()


def _stop_with_hint(error: analysis.MissingDataError) -> NoReturn:
    st.info(literal(str(error)))
    with st.container(horizontal=True, vertical_alignment="center"):
        session.page_link("Data", "Go to the Data page")
        if error.ratings:
            session.page_link("Campaign", "Collect ratings in a campaign")
        if session.current_workspace().counts is not None:
            session.page_link(COUNTS_PART, "See the scores of the counts files")
    st.stop()
