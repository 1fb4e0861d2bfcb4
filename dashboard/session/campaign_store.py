"""The campaign that the session leads, and its ratings as one of the session's files.

Everyone with access to a server that was started with a campaign leads it. Of the campaigns that were opened on a
server's page, a session leads the one that it has opened itself, or whose lead's link its browser has opened.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from bleu_core.campaigns import CampaignStore, ratings_csv
from bleu_core.errors import BleuCoreError
from bleu_core.uploads import File
from dashboard.open_campaigns import NEWEST_LEAD, Hosting, hosting, lead_cookie, open_campaign
from dashboard.session.cache import CampaignRatings, Following, SessionState

#: Name of the file with the ratings of the campaign.
RATINGS_NAME = "campaign ratings.csv"


def serve_campaign(path: Path | None) -> None:
    """Set the campaign that the server was started with, for a new session."""
    st.session_state.campaign = st.session_state.launched_campaign = path
    st.session_state.left_campaign = False
    find_hosted_campaign()


def find_hosted_campaign() -> None:
    """Find the campaign of this server that the session leads: one that it has opened, or by the lead's link."""
    session, hosted = st.session_state, hosting()
    if session.launched_campaign is not None:
        return
    session.campaign = None
    if hosted is not None and not session.left_campaign:
        stores = hosted.stores
        store = _opened_here(stores) or _led_by_link(hosted, stores)
        session.campaign = None if store is None else store.path


def _opened_here(stores: Sequence[CampaignStore]) -> CampaignStore | None:
    """Return the campaign that this session has opened, unless a new link of the lead has ended that."""
    state: SessionState = st.session_state.held
    if state.hosted is None:
        return None
    path, made = state.hosted
    store = next((store for store in stores if store.path == path), None)
    try:
        return store if store is not None and store.token_created(None) == made else None
    except BleuCoreError:  # the page of the campaign says why
        return store


def _led_by_link(hosted: Hosting, stores: Sequence[CampaignStore]) -> CampaignStore | None:
    """Return the campaign whose lead's link this browser has opened; of several, the last valid one."""
    cookies = st.context.cookies
    newest = cookies.get(NEWEST_LEAD)
    for store in sorted(stores, key=lambda store: lead_cookie(store) != newest):
        secret = cookies.get(lead_cookie(store))
        try:
            if secret is not None and hosted.is_lead(store, secret):
                return store
        except BleuCoreError:  # its links cannot be checked
            continue
    return None


def lead_hosted_campaign(store: CampaignStore) -> str:
    """Let this session lead a campaign of this server, and make a new link for its lead that invalidates older ones.

    Returns:
        The token of the link.

    Raises:
        StoreError: the file cannot be written.
    """
    state: SessionState = st.session_state.held
    token = store.new_token(None)
    if state.hosted is None or state.hosted[0] != store.path:
        state.campaign = CampaignRatings()
    state.hosted = store.path, store.token_created(None)
    st.session_state.left_campaign = False
    find_hosted_campaign()
    return token


def leave_campaign() -> None:
    """Leave the campaign, to design another one; the lead's link leads back. For callbacks."""
    state: SessionState = st.session_state.held
    state.hosted, state.campaign = None, CampaignRatings()
    _put(state, b"")
    st.session_state.left_campaign = True
    find_hosted_campaign()


def is_hosted() -> bool:
    """Return whether the campaign that the session leads was opened on the page, and not by the command line."""
    return st.session_state.get("campaign") is not None and st.session_state.launched_campaign is None


def served_campaign() -> CampaignStore | None:
    """Return the campaign that the session leads, opened once for all sessions; None without one.

    Raises:
        StoreError: its file cannot be read.
    """
    path: Path | None = st.session_state.get("campaign")
    return None if path is None else open_campaign(path)


def campaign_in_use() -> CampaignStore | None:
    """Return the campaign that the session leads, if its ratings are among the files that are shown; else None.

    Raises:
        StoreError: its file cannot be read.
    """
    store, state = served_campaign(), st.session_state.held
    if store is None or _position(state) is None or set_of_campaign(state) != state.chosen_set:
        return None
    return store


def set_of_campaign(state: SessionState) -> str:
    """Return the name of the test set with the ratings of the campaign: the one in which the campaign was opened.

    Ratings that are moved to another test set stay there; without ratings, it is the chosen test set if the one of the
    campaign was removed.
    """
    place = _position(state)
    if place is not None:
        return state.files[place].test_set
    name = state.campaign_set
    return name if name is not None and name in state.test_sets else state.chosen_set


def followed_ratings() -> CampaignRatings:
    """Return the state of following the ratings."""
    state: SessionState = st.session_state.held
    return state.campaign


def follow_ratings(following: Following) -> None:
    """Import new ratings from now on, or keep the present ones; for callbacks."""
    state: SessionState = st.session_state.held
    state.campaign = replace(state.campaign, following=following, since=time.time())


def add_ratings_again() -> None:
    """Put the ratings back among the files, from which they were removed; for callbacks."""
    state: SessionState = st.session_state.held
    state.campaign = CampaignRatings()


def are_ratings_removed() -> bool:
    """Return whether the ratings were removed from the session's files."""
    return followed_ratings().present and _position(st.session_state.held) is None


def take_in_ratings() -> None:
    """Update the file with the ratings, if the session follows them; once in each run."""
    find_hosted_campaign()
    try:
        store = served_campaign()
        if store is None:
            return
        state: SessionState = st.session_state.held
        ratings, changes = state.campaign, store.changes
        if ratings.seen == changes or are_ratings_removed() or (ratings.following == "frozen" and ratings.seen):
            return
        judgments = store.judgments()
        data = b"" if judgments is None else ratings_csv(judgments)
    except BleuCoreError:  # the page of the campaign says why
        return
    _put(state, data)
    state.campaign = replace(ratings, seen=changes, present=bool(data))


def _put(state: SessionState, data: bytes) -> None:
    """Put the ratings among the files in place of older ones; remove the file if there are none."""
    place, state.campaign_set = _position(state), set_of_campaign(state)
    file = File(RATINGS_NAME, data, "judgments", test_set=state.campaign_set)
    untouched = state.files == state.opened
    if place is None:
        state.files = (*state.files, file) if data else state.files
    else:
        content = (state.files[place].replaced_by(file),) if data else ()
        state.files = (*state.files[:place], *content, *state.files[place + 1 :])
    if untouched:
        state.opened = state.files


def _position(state: SessionState) -> int | None:
    """Return the position of the ratings among all files, preferably in the campaign's test set; None without any."""
    places = [n for n, file in enumerate(state.files) if file.name == RATINGS_NAME]
    return min(places, key=lambda n: state.files[n].test_set != state.campaign_set, default=None)
