"""Sessions of the lead: what a link is exchanged for, how often, and when both end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from campaigned import corpus, plan

from bleu_core.campaigns import LEAD_LINK_HOURS, MAX_LEAD_SESSIONS, CampaignStore, create_store, design_campaign
from dashboard.rating.lead_sessions import MAX_AGE_S, MAX_IDLE_S, ExpiredLinkError, LeadSessions


class Clock:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CampaignStore]:
    create_store(tmp_path / "campaign.db", design_campaign(plan(), corpus()), corpus())
    with CampaignStore(tmp_path / "campaign.db") as store:
        yield store


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(store: CampaignStore, clock: Clock) -> LeadSessions:
    return LeadSessions(store, clock)


def begun(sessions: LeadSessions, token: str) -> str:
    secret = sessions.begin(token, None)
    assert secret is not None
    return secret


def test_a_link_begins_few_sessions_each_with_a_secret_of_its_own(sessions: LeadSessions, store: CampaignStore) -> None:
    token = store.new_token(None)
    secrets = {begun(sessions, token) for _ in range(MAX_LEAD_SESSIONS)}
    assert len(secrets) == MAX_LEAD_SESSIONS
    assert token not in secrets
    with pytest.raises(ExpiredLinkError, match="opened 3 times already"):
        sessions.begin(token, None)
    assert all(map(sessions.is_valid, secrets))
    assert not sessions.is_valid(token)
    assert begun(sessions, store.new_token(None)) not in secrets


def test_a_browser_that_has_a_session_keeps_it(sessions: LeadSessions, store: CampaignStore, clock: Clock) -> None:
    token = store.new_token(None)
    secret = begun(sessions, token)
    for _ in range(2 * MAX_LEAD_SESSIONS):
        assert sessions.begin(token, secret) == secret
    clock.now += 3600 * LEAD_LINK_HOURS - MAX_IDLE_S
    assert sessions.is_valid(secret)
    clock.now += MAX_IDLE_S
    assert sessions.begin(token, secret) == secret  # the link has expired, the session has not


def test_a_link_expires(sessions: LeadSessions, store: CampaignStore, clock: Clock) -> None:
    token = store.new_token(None)
    clock.now += 3600 * LEAD_LINK_HOURS - 60
    begun(sessions, token)
    clock.now += 120
    with pytest.raises(ExpiredLinkError, match="24 hours old"):
        sessions.begin(token, None)
    with pytest.raises(ExpiredLinkError, match="24 hours old"):
        sessions.begin(token, "no session")


def test_a_session_ends_when_it_is_not_used(sessions: LeadSessions, store: CampaignStore, clock: Clock) -> None:
    token = store.new_token(None)
    used, other = begun(sessions, token), begun(sessions, token)
    for _ in range(3):
        clock.now += MAX_IDLE_S - 60
        assert sessions.is_valid(used)
    assert not sessions.is_valid(other)
    clock.now += MAX_IDLE_S + 60
    assert not sessions.is_valid(used)
    clock.now -= MAX_IDLE_S
    assert not sessions.is_valid(used)


def test_a_session_ends_though_it_is_used(sessions: LeadSessions, store: CampaignStore, clock: Clock) -> None:
    secret, begin = begun(sessions, store.new_token(None)), clock.now
    while clock.now + 3600 - begin <= MAX_AGE_S:
        clock.now += 3600
        assert sessions.is_valid(secret)
    clock.now += 3600
    assert not sessions.is_valid(secret)


def test_a_new_link_ends_the_sessions_of_the_link_before(sessions: LeadSessions, store: CampaignStore) -> None:
    former = store.new_token(None)
    secret = begun(sessions, former)
    newer = store.new_token(None)
    assert not sessions.is_valid(secret)
    assert sessions.begin(former, secret) is None
    later = begun(sessions, newer)
    assert (sessions.is_valid(secret), sessions.is_valid(later)) == (False, True)


def test_a_restart_ends_all_sessions(sessions: LeadSessions, store: CampaignStore, clock: Clock) -> None:
    token = store.new_token(None)
    secret = begun(sessions, token)
    again = LeadSessions(store, clock)
    assert not again.is_valid(secret)
    assert again.is_valid(begun(again, token))


def test_only_the_leads_link_begins_a_session(sessions: LeadSessions, store: CampaignStore) -> None:
    for token in ("", "guess", "\ud800", store.new_token("people 1")):
        assert sessions.begin(token, None) is None
        assert not sessions.is_valid(token)
