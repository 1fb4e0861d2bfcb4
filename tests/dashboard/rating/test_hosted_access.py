"""Who reaches what of campaigns that people open on the page of a server: each campaign its own judges and lead."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from asking import Answer, Reached, request, run_apart, web_socket
from campaigned import corpus, plan
from starlette.types import Message, Receive, Scope, Send

from bleu_core.campaigns import CampaignStore, create_store, design_campaign
from dashboard.open_campaigns import NEWEST_LEAD, Hosting, close_campaigns, host_campaigns, lead_cookie
from dashboard.rating import HostedAccess


class Cookies:
    """Notes the cookies that answers set, of which one answer may set several."""

    def __init__(self, app: HostedAccess) -> None:
        self._app = app
        self.jar = SimpleCookie()
        self.written: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request."""

        async def sent(message: Message) -> None:
            for name, value in message.get("headers", ()):
                if name == b"set-cookie":
                    self.jar.load(value.decode())
                    self.written.append(value.decode())
            await send(message)

        await self._app(scope, receive, sent)


@pytest.fixture
def hosting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hosting]:
    """A server with two campaigns."""
    monkeypatch.setattr("dashboard.rating.throttle.MIN_DELAY_S", 0.0)
    hosting = host_campaigns(tmp_path / "campaigns", local=True)
    for seed in (1, 2):
        create_store(tmp_path / f"{seed}.db", design_campaign(plan(seed=seed), corpus()), corpus())
        hosting.add((tmp_path / f"{seed}.db").read_bytes()).add_event("opened")
    yield hosting
    close_campaigns()


@pytest.fixture
def dashboard() -> Reached:
    return Reached()


@pytest.fixture
def site(hosting: Hosting, dashboard: Reached) -> Cookies:
    return Cookies(HostedAccess(dashboard, hosting))


def ask(site: Cookies, path: str, body: object = None, token: str = "", **more: Any) -> Answer:
    content = body if body is None else json.dumps(body).encode()
    headers = [("Authorization", f"Bearer {token}")] if token else []
    return run_apart(request(site, path, content, headers=headers, **more))


def rate(site: Cookies, token: str) -> Answer:
    given = {"client": "x", "place": 0, "position": 0, "score": 4, "reason": None, "shown": 1.0, "given": 2.0}
    return ask(site, "/rate/api/answers", {"answers": [given], "comments": []}, token)


def count(store: CampaignStore) -> int:
    judgments = store.judgments()
    return 0 if judgments is None else len(judgments.rated)


def test_a_judge_reaches_the_own_campaign_only(site: Cookies, hosting: Hosting, dashboard: Reached) -> None:
    first, second = hosting.stores
    tokens = [store.new_token(store.judges[0]) for store in (first, second)]
    for token, store in zip(tokens, (first, second), strict=True):
        found = ask(site, "/rate/api/list", token=token).json
        shown = {text for place in found["places"] for text in place["texts"]}
        assert shown == {item.text for slot in store.slots(store.judges[0]) for item in slot.items}
    assert rate(site, tokens[1]).status == 200
    assert (count(first), count(second)) == (0, 1)
    assert dashboard.paths == []


def test_a_token_of_no_campaign_reaches_nothing(site: Cookies, hosting: Hosting, dashboard: Reached) -> None:
    first, second = hosting.stores
    lead, old = first.new_token(None), second.new_token(second.judges[0])
    second.new_token(second.judges[0])
    for token in ("", "x", lead, old, "'; DROP TABLE answers; --"):
        assert ask(site, "/rate/api/list", token=token).status == 401
        assert rate(site, token).status == 401
    judge = second.new_token(second.judges[1])
    for token in ("", "x", judge, old):
        assert ask(site, "/lead", {"token": token}).status == 401
    assert not site.jar
    assert dashboard.paths == []


def test_a_leads_link_begins_a_session_of_its_campaign(site: Cookies, hosting: Hosting) -> None:
    first, second = hosting.stores
    assert ask(site, "/lead", {"token": second.new_token(None)}).status == 204
    secret = site.jar[lead_cookie(second)].value
    assert site.jar[NEWEST_LEAD].value == lead_cookie(second)
    assert all("HttpOnly" in cookie and "samesite=strict" in cookie.lower() for cookie in site.written)
    assert hosting.is_lead(second, secret)
    assert not hosting.is_lead(first, secret)
    assert not hosting.is_lead(second, "x")
    assert ask(site, "/lead", {"token": first.new_token(None)}).status == 204
    assert site.jar[NEWEST_LEAD].value == lead_cookie(first)
    assert hosting.is_lead(second, secret)  # a browser may lead several
    second.new_token(None)
    assert not hosting.is_lead(second, secret)  # a newer link ends the sessions of the one before


def test_a_page_of_another_site_begins_no_session(site: Cookies, hosting: Hosting) -> None:
    token = hosting.stores[0].new_token(None)
    body = json.dumps({"token": token}).encode()
    assert run_apart(request(site, "/lead", body, headers=[("Origin", "http://other.example")])).status == 403
    assert not site.jar


@pytest.mark.parametrize("path", ["/", "/data", "/rates", "/leading", "/mt/rate", "//rate", "/_stcore/health"])
def test_all_else_is_the_dashboards(site: Cookies, dashboard: Reached, path: str) -> None:
    assert ask(site, path).body == b"dashboard"
    assert dashboard.paths == [path]


def test_web_sockets_are_the_dashboards(site: Cookies, dashboard: Reached) -> None:
    run_apart(web_socket(site, "/_stcore/stream", "", []))
    assert dashboard.paths == ["/_stcore/stream"]


def test_the_rating_page_needs_no_token(site: Cookies) -> None:
    assert b"<html" in ask(site, "/rate").body
    assert b"<html" in ask(site, "/lead").body
    assert ask(site, "/rate/rate.js").status == 200


def test_without_a_campaign_the_dashboard_answers(tmp_path: Path, dashboard: Reached) -> None:
    empty = HostedAccess(dashboard, Hosting(tmp_path / "none", local=True))
    assert run_apart(request(empty, "/rate")).body == b"dashboard"
    assert run_apart(request(empty, "/lead", b"{}")).body == b"dashboard"


def test_a_prefix_belongs_to_the_paths(hosting: Hosting, dashboard: Reached) -> None:
    site = HostedAccess(dashboard, hosting, "/mt")
    assert b"<html" in run_apart(request(site, "/mt/rate")).body
    assert run_apart(request(site, "/rate")).body == b"dashboard"


def test_a_file_that_is_gone_holds_up_its_own_judges_only(site: Cookies, hosting: Hosting) -> None:
    first, second = hosting.stores
    lost, kept = first.new_token(first.judges[0]), second.new_token(second.judges[0])
    first.path.rename(first.path.with_suffix(".away"))
    assert rate(site, lost).status == 503  # and the page keeps the answer
    assert rate(site, kept).status == 200
    first.path.with_suffix(".away").rename(first.path)
    assert rate(site, lost).status == 200
    assert (count(first), count(second)) == (1, 1)


def test_a_long_body_is_not_read(site: Cookies, hosting: Hosting) -> None:
    token = hosting.stores[0].new_token(None)
    assert ask(site, "/lead", {"token": token, "more": "x" * 2000}).status == 401
