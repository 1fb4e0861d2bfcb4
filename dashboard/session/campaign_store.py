"""The campaign that the server was started with, and its ratings as one of the session's files."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import streamlit as st

from bleu_core.campaigns import CampaignStore, ratings_csv
from bleu_core.errors import BleuCoreError
from bleu_core.uploads import File
from dashboard.open_campaigns import open_campaign
from dashboard.session.cache import CampaignRatings, Following, Holding

#: The name of the file with the ratings of the campaign.
RATINGS_NAME = "campaign ratings.csv"


def serve_campaign(path: Path | None) -> None:
    """Remember with which campaign the server was started, for a new session."""
    st.session_state.campaign = path


def served_campaign() -> CampaignStore | None:
    """The campaign that the server was started with, opened once for all sessions; None without one.

    Raises:
        StoreError: its file cannot be read.
    """
    path: Path | None = st.session_state.get("campaign")
    return None if path is None else open_campaign(path)


def campaign_in_use() -> CampaignStore | None:
    """The campaign that the server was started with, where its ratings are among the session's files; else None.

    Raises:
        StoreError: its file cannot be read.
    """
    store = served_campaign()
    return None if store is None or _position(st.session_state.held) is None else store


def followed_ratings() -> CampaignRatings:
    """How the session follows the ratings."""
    held: Holding = st.session_state.held
    return held.campaign


def follow_ratings(following: Following) -> None:
    """Take in new ratings from now on, or keep those that are there; for callbacks."""
    held: Holding = st.session_state.held
    held.campaign = replace(held.campaign, following=following, since=time.time())


def add_ratings_again() -> None:
    """Put the ratings back among the files, from which they were removed; for callbacks."""
    held: Holding = st.session_state.held
    held.campaign = CampaignRatings()


def are_ratings_removed() -> bool:
    """Whether somebody has removed the ratings from the session's files."""
    return followed_ratings().present and _position(st.session_state.held) is None


def take_in_ratings() -> None:
    """Bring the file with the ratings up to date, if the session follows them; once in each run."""
    try:
        store = served_campaign()
        if store is None:
            return
        held: Holding = st.session_state.held
        ratings, changes = held.campaign, store.changes
        if ratings.seen == changes or are_ratings_removed() or (ratings.following == "frozen" and ratings.seen):
            return
        judgments = store.judgments()
        data = b"" if judgments is None else ratings_csv(judgments)
    except BleuCoreError:  # the page of the campaign says why
        return
    _put(held, data)
    held.campaign = replace(ratings, seen=changes, present=bool(data))


def _put(held: Holding, data: bytes) -> None:
    """Put the ratings among the files in place of older ones; without any, there is no such file."""
    file, place = File(RATINGS_NAME, data, "judgments"), _position(held)
    untouched = held.files == held.opened
    if not data:
        held.files = tuple(other for other in held.files if other.name != RATINGS_NAME)
    elif place is None:
        held.files = (*held.files, file)
    else:
        held.files = (*held.files[:place], held.files[place].replaced_by(file), *held.files[place + 1 :])
    if untouched:
        held.opened = held.files


def _position(held: Holding) -> int | None:
    return next((n for n, file in enumerate(held.files) if file.name == RATINGS_NAME), None)
