"""Controls of a served campaign for its lead: state, links, exclusions, and the ratings on other pages."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import streamlit as st

from bleu_core.campaigns import EXPORTED, CampaignStore, StoreError, methods_paragraph
from bleu_core.invocation import invocation
from dashboard import session
from dashboard.literal import literal
from dashboard.views.campaign.analysis.running import (
    EXPORTS_NAME,
    LINKS_NAME,
    JudgeLink,
    base_address,
    campaign_exports,
    change_state,
    clock_time,
    codes_table,
    exclude_judge,
    include_judge,
    judges_with_link,
    links_csv,
    links_table,
    make_links,
    new_ratings,
    texts_not_loaded,
)
from dashboard.views.campaign.words.state import (
    ADDRESS_HELP,
    BUTTONS,
    CLOSE_QUESTION,
    CODES_EXPLAINED,
    EARLY_RESULTS_ELSEWHERE,
    EXCLUSION_EXPLAINED,
    FILES_EXPLAINED,
    FLOW_EXPLAINED,
    JUDGES_TO_LINK_HELP,
    LINKS_EXPLAINED,
    LINKS_SHOWN_ONCE,
    LIVE_EXPLAINED,
    REMOVED,
    STATES,
    STOP_QUESTION,
    frozen_since,
    only_this_computer,
    proposed_exclusion,
    replace_links_question,
    systems_not_loaded,
)
from dashboard.widgets import file_download, select_subset, show_table

Event = Literal["opened", "paused", "reopened", "closed", "stopped"]

#: Keys of the last problem, of the event and of the judges whose new links have to be confirmed, and of links that were
#: just made.
PROBLEM, ASKED, ASKED_LINKS, MADE = "campaign_problem", "campaign_asked", "campaign_asked_links", "campaign_links"

#: Key of the server's address in links.
ADDRESS = "campaign_address"

#: Maximum number of links that do not scroll, and the height in pixels of a longer list.
MAX_LINKS, LINKS_HEIGHT_PX = 4, 420

#: State -> the events that buttons offer.
OFFERED: dict[str, tuple[Event, ...]] = {
    "new": ("opened",),
    "open": ("paused", "closed"),
    "paused": ("reopened", "closed"),
    "closed": ("reopened",),
    "stopped": (),
}
ICONS: dict[str, str] = {
    "opened": ":material/play_arrow:",
    "paused": ":material/pause:",
    "reopened": ":material/play_arrow:",
    "closed": ":material/stop:",
    "stopped": ":material/flag:",
}


def state_buttons(store: CampaignStore, *, may_stop: bool = False) -> None:
    """Show the state of the campaign, and the buttons that change it; closing has to be confirmed.

    Args:
        store: the campaign.
        may_stop: whether it may end by its rule.
    """
    state = store.state
    problem = session.control_value(PROBLEM)
    if problem:
        st.error(literal(problem))
    st.markdown(STATES[state])
    requested: Event | None = session.control_value(ASKED)
    offered = OFFERED[state] + (("stopped",) if may_stop and state not in ("new", "stopped") else ())
    with st.container(horizontal=True, vertical_alignment="center", key="campaign-state"):
        if requested is not None and requested in offered:
            st.markdown(STOP_QUESTION if requested == "stopped" else CLOSE_QUESTION, width="content")
            title = BUTTONS[requested]
            st.button(title, on_click=_change, args=(store, requested), key="campaign-confirmed", type="primary")
            st.button("Cancel", on_click=session.set_controls, kwargs={ASKED: None}, key="campaign-cancelled")
            return
        for event in offered:
            title = "Reopen" if event == "reopened" and state == "closed" else BUTTONS[event]
            confirm = event in ("closed", "stopped")
            st.button(
                title,
                on_click=partial(session.set_controls, **{ASKED: event}) if confirm else partial(_change, store, event),
                key=f"campaign-{event}",
                icon=ICONS[event],
                type="primary" if event in ("opened", "reopened", "stopped") else "secondary",
            )


def _change(store: CampaignStore, event: Event) -> None:
    session.set_controls(**{PROBLEM: change_state(store, event), ASKED: None})


def links_part(store: CampaignStore, page: str) -> None:
    """Show the links of the judges: when they were made, and controls that make new ones.

    Args:
        store: the campaign.
        page: the path of this page, with which the browser's address ends.
    """
    st.caption(LINKS_EXPLAINED)
    made: Sequence[JudgeLink] | None = session.control_value(MADE)
    if made:
        _show_links(made)
    show_table(links_table(store), key="campaign-links", alt="Each judge, and when the link was made", max_height=400)
    if not session.control_value(ADDRESS):
        session.set_controls(**{ADDRESS: base_address(st.context.url or "", page)})
    st.text_input("Address of this server", key=ADDRESS, help=ADDRESS_HELP)
    unreachable = only_this_computer(session.control_value(ADDRESS))
    if unreachable:
        st.warning(literal(unreachable))
    judges = list(store.judges)
    if session.control_value("campaign_link_judges") is None:
        linked = judges_with_link(store, judges)
        session.set_controls(campaign_link_judges=[judge for judge in judges if judge not in linked])
    selected = select_subset("Judges", judges, key="campaign_link_judges", help=JUDGES_TO_LINK_HELP)
    linked = judges_with_link(store, selected)
    if selected and linked and session.control_value(ASKED_LINKS) == selected:
        _confirm_links(store, selected, linked)
        return
    with st.container(horizontal=True):
        st.button(
            "Make links",
            on_click=_ask_for_links,
            args=(store, selected),
            key="campaign-make-links",
            icon=":material/add_link:",
            type="primary",
            disabled=not (selected and session.control_value(ADDRESS)),
        )
        all_judges = {"campaign_link_judges": judges}
        st.button(
            "Select all", on_click=session.set_controls, kwargs=all_judges, key="campaign-all-judges", type="tertiary"
        )


def _confirm_links(store: CampaignStore, judges: Sequence[str], linked: Sequence[str]) -> None:
    st.warning(literal(replace_links_question(linked)))
    with st.container(horizontal=True):
        st.button("Replace", on_click=_make_links, args=(store, judges), key="campaign-replace-links", type="primary")
        st.button("Cancel", on_click=session.set_controls, kwargs={ASKED_LINKS: None}, key="campaign-keep-links")


def _ask_for_links(store: CampaignStore, judges: Sequence[str]) -> None:
    """Make links, or ask first if some would be replaced, including those made elsewhere since the page was drawn."""
    if judges_with_link(store, judges):
        session.set_controls(**{ASKED_LINKS: list(judges)})
    else:
        _make_links(store, judges)


def _make_links(store: CampaignStore, judges: Sequence[str]) -> None:
    try:
        made = make_links(store, judges, session.control_value(ADDRESS, "").strip())
    except StoreError as error:
        session.set_controls(**{PROBLEM: str(error)})
        return
    session.set_controls(**{MADE: made, PROBLEM: "", ASKED_LINKS: None, "campaign_link_judges": []})


def _show_links(made: Sequence[JudgeLink]) -> None:
    """Show links that were just made; they cannot be shown again."""
    with st.container(border=True, key="campaign-new-links"):
        st.warning(LINKS_SHOWN_ONCE)
        with st.container(horizontal=True):
            content = partial(links_csv, made)
            file_download("Links (CSV)", content, LINKS_NAME, key="campaign-links-csv", kind="primary")
            st.button("Hide the links", on_click=session.set_controls, kwargs={MADE: None}, key="campaign-hide-links")
        with st.container(height=LINKS_HEIGHT_PX if len(made) > MAX_LINKS else "content", border=False):
            for link in made:
                st.markdown(f"**{literal(link.judge)}**")
                st.code(link.link, language=None, wrap_lines=True)


def exclusions_part(store: CampaignStore, proposed: dict[str, str]) -> None:
    """Show excluded judges, and controls that exclude a judge or include one again.

    Args:
        store: the campaign.
        proposed: judge whose ratings look careless -> the reason.
    """
    st.caption(EXCLUSION_EXPLAINED)
    excluded = {exclusion.judge: exclusion for exclusion in store.exclusions}
    for judge, why in proposed.items():
        if judge not in excluded:
            st.warning(literal(proposed_exclusion(judge, why)))
    for exclusion in excluded.values():
        time = clock_time(exclusion.stored)
        st.markdown(literal(f"{exclusion.judge} has been excluded since {time}: {exclusion.reason}"))
    first = [judge for judge in proposed if judge not in excluded]
    judges = [*first, *(judge for judge in store.judges if judge not in first)]
    with st.container(horizontal=True, vertical_alignment="bottom", key="campaign-exclude"):
        judge = st.selectbox("Judge", judges, key="campaign_exclude_judge", width=230)
        reason = st.text_input("Reason", key="campaign_exclude_reason", width=420)
        title, change = ("Include again", True) if judge in excluded else ("Exclude", False)
        st.button(title, on_click=_exclude, args=(store, judge, reason, change), key="campaign-exclude-button")
    problem = session.control_value("campaign_exclude_problem")
    if problem:
        st.error(literal(problem))


def _exclude(store: CampaignStore, judge: str, reason: str, include: bool) -> None:  # noqa: FBT001 # a callback
    change = include_judge if include else exclude_judge
    problem = change(store, judge, reason)
    session.set_controls(campaign_exclude_problem=problem)
    if not problem:
        session.set_controls(campaign_exclude_reason="")


def flow_part(store: CampaignStore, *, between_looks: bool) -> None:
    """Show whether other pages load new ratings, with controls that freeze or resume this.

    Args:
        store: the campaign.
        between_looks: whether the rule has further interim analyses, before which results should not be seen.
    """
    st.markdown(literal(FLOW_EXPLAINED.format(name=session.RATINGS_NAME)))
    if between_looks:
        st.caption(EARLY_RESULTS_ELSEWHERE)
    missing = texts_not_loaded(store, session.current_workspace())
    if missing:
        st.warning(literal(systems_not_loaded(missing)))
    if session.are_ratings_removed():
        st.info(REMOVED)
        st.button("Add them again", on_click=session.add_ratings_again, key="campaign-add-ratings")
        return
    followed = session.followed_ratings()
    with st.container(horizontal=True, vertical_alignment="center", key="campaign-flow"):
        if followed.following == "live":
            st.markdown(f"**Live.** {LIVE_EXPLAINED}", width="content")
            st.button("Freeze", on_click=session.follow_ratings, args=("frozen",), key="campaign-freeze")
        else:
            time = clock_time(followed.since)
            st.markdown(frozen_since(time, newer=new_ratings(store)), width="content")
            st.button("Follow live", on_click=session.follow_ratings, args=("live",), key="campaign-live")


def files_part(store: CampaignStore) -> None:
    """Show the files of the campaign, its methods, and the completion codes."""
    st.markdown(FILES_EXPLAINED.format(program=invocation("bleu-core")))
    st.markdown("\n".join(f"- `{name}`: {literal(what)}" for name, what in EXPORTED.items()))
    content = partial(campaign_exports, store)
    file_download("All files (ZIP)", content, EXPORTS_NAME, key="campaign-exports", kind="primary")
    with st.expander("Paragraph for a paper", key="campaign-methods", on_change="rerun") as methods:
        if methods.open:
            st.text(methods_paragraph(store))
    with st.expander("Completion codes", key="campaign-codes", on_change="rerun") as codes:
        if codes.open:
            st.caption(CODES_EXPLAINED)
            show_table(codes_table(store), key="campaign-codes", alt="Completion codes of all judges", max_height=400)
