"""Who reaches what on the server of a campaign."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from asking import Answer, Reached, request, run_apart, web_socket
from campaigned import corpus, plan
from starlette.requests import Request
from starlette.types import Message

from bleu_core.campaigns import (
    MAX_LEAD_SESSIONS,
    CampaignStore,
    JudgeGroup,
    TrainingExample,
    UnusableFileError,
    create_store,
    design_campaign,
)
from dashboard.rating import CampaignAccess
from dashboard.rating.access import body_of
from dashboard.rating.api import MAX_BYTES, MAX_SENT, JudgeApi
from dashboard.rating.throttle import Throttle, network_of

HOSTILE = [
    "'; DROP TABLE answers; --",
    "<script>alert(1)</script>",
    "a\x00b",
    "\ud800",
    "\u202eبالعكس",
    "{}[]%s",
]
GROUPS = (JudgeGroup("monolingual", 2, source=False), JudgeGroup("bilingual", 2))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CampaignStore]:
    example = TrainingExample(text="bad", lowest=1, highest=2, feedback="No.", source="gut")
    made = design_campaign(plan(groups=GROUPS, repeats=0.1, degraded=0.1, training=(example,)), corpus())
    create_store(tmp_path / "campaign.db", made, corpus())
    with CampaignStore(tmp_path / "campaign.db") as store:
        store.add_event("opened")
        yield store


@pytest.fixture
def dashboard() -> Reached:
    return Reached()


@pytest.fixture
def site(store: CampaignStore, dashboard: Reached, monkeypatch: pytest.MonkeyPatch) -> CampaignAccess:
    monkeypatch.setattr("dashboard.rating.throttle.MIN_DELAY_S", 0.0)
    return CampaignAccess(dashboard, store)


def ask(site: CampaignAccess, path: str, body: object = None, token: str = "", **more: Any) -> Answer:
    content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = [*more.pop("headers", ()), *([("Authorization", f"Bearer {token}")] if token else [])]
    return run_apart(request(site, path, content, headers=headers, **more))


def send(site: CampaignAccess, token: str, *answers: object, comments: object = ()) -> Answer:
    return ask(site, "/rate/api/answers", {"answers": answers, "comments": list(comments)}, token)  # type: ignore[call-overload]


def answer(client: str = "x", **changes: Any) -> dict[str, Any]:
    return {
        "client": client,
        "place": 0,
        "position": 0,
        "score": 4,
        "reason": None,
        "shown": 1.0,
        "given": 2.0,
    } | changes


def cookie_of(site: CampaignAccess, token: str) -> str:
    found = ask(site, "/lead", {"token": token})
    assert found.status == 204
    return found.headers["set-cookie"].split(";")[0]


# --- the list ---------------------------------------------------------------------------------------------------


def test_a_judge_gets_the_texts_in_order_and_nothing_that_tells_systems_or_checks(
    site: CampaignAccess, store: CampaignStore
) -> None:
    found = ask(site, "/rate/api/list", token=store.new_token("bilingual 1")).json
    assert [place["texts"] for place in found["places"]] == [
        [item.text for item in slot.items] for slot in store.slots("bilingual 1")
    ]
    assert [place["source"] for place in found["places"]] == [slot.source for slot in store.slots("bilingual 1")]
    assert found["places"][0].keys() == {"source", "texts", "answers", "comment"}
    assert found.keys() == {
        *("judge", "title", "question", "instructions", "presentation", "scale", "training", "places"),
        *("state", "completion", "server"),
    }
    assert (found["judge"], found["state"], found["completion"]) == ("bilingual 1", "open", None)


def test_only_those_who_see_sources_get_them(site: CampaignAccess, store: CampaignStore) -> None:
    for judge, sees in (("monolingual 2", False), ("bilingual 2", True)):
        found = ask(site, "/rate/api/list", token=store.new_token(judge)).json
        assert {place["source"] is not None for place in found["places"]} == {sees}
        assert found["training"][0]["source"] == ("gut" if sees else None)


def test_what_was_given_is_in_the_list_on_another_device(site: CampaignAccess, store: CampaignStore) -> None:
    token = store.new_token("bilingual 1")
    send(site, token, answer("a"), answer("b", score=2), answer("c", place=1, score=None, reason="blank"))
    send(
        site,
        token,
        comments=[{"client": "d", "place": 0, "text": "first"}, {"client": "e", "place": 0, "text": "then"}],
    )
    first, second, third = ask(site, "/rate/api/list", token=token).json["places"][:3]
    assert first["answers"] == [{"score": 2.0, "reason": None}]
    assert first["comment"] == "then"
    assert second["answers"] == [{"score": None, "reason": "blank"}]
    assert third["answers"] == [None]


def test_after_the_end_a_link_gives_no_texts_but_the_completion_code(
    site: CampaignAccess, store: CampaignStore
) -> None:
    token, other = store.new_token("bilingual 1"), store.new_token("bilingual 2")
    places = len(store.slots("bilingual 1"))
    send(site, token, *(answer(f"{n}", place=n) for n in range(places)))
    store.add_event("closed")
    for of, code in ((token, store.completion_code("bilingual 1")), (other, None)):
        found = ask(site, "/rate/api/list", token=of)
        assert (found.status, found.json["places"], found.json["completion"]) == (200, [], code)
    store.add_event("reopened")
    assert len(ask(site, "/rate/api/list", token=token).json["places"]) == places
    store.add_event("stopped")
    assert ask(site, "/rate/api/list", token=token).json["places"] == []


# --- answers ----------------------------------------------------------------------------------------------------


def test_what_arrives_is_what_was_given_and_counts_once(site: CampaignAccess, store: CampaignStore) -> None:
    token = store.new_token("monolingual 1")
    slots = store.slots("monolingual 1")
    given = [answer(f"id {n}", place=n, score=1 + n % 5, shown=n, given=n + 0.5) for n in range(len(slots))]
    send(site, token, *given)
    found = send(site, token, *given).json
    assert found["stored"] == [each["client"] for each in given]
    assert found["refused"] == []
    stored = store.answers(all_revisions=True)
    assert [(a.place, a.item, a.score, a.shown, a.given) for a in stored] == [
        (n, slots[n].items[0].item, each["score"], each["shown"], each["given"]) for n, each in enumerate(given)
    ]
    assert found["completion"] == store.completion_code("monolingual 1")


@pytest.mark.parametrize("state", ["new", "paused", "closed"])
def test_nothing_is_stored_while_a_campaign_is_not_open(
    site: CampaignAccess, store: CampaignStore, tmp_path: Path, state: str
) -> None:
    if state == "new":
        create_store(tmp_path / "new.db", design_campaign(plan(), corpus()), corpus())
        store = CampaignStore(tmp_path / "new.db")
        site = CampaignAccess(Reached(), store)
        token = store.new_token("people 1")
    else:
        token = store.new_token("bilingual 1")
        store.add_event("paused" if state == "paused" else "closed")
    found = send(site, token, answer())
    assert (found.status, found.json["stored"], found.json["state"]) == (200, [], state)
    assert found.json["refused"] == [
        {"client": "x", "message": f"the campaign is {state}; ratings are accepted while it is open"}
    ]
    assert store.answers() == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"place": 10**30},
        {"place": -1},
        {"place": 0.5},
        {"place": True},
        {"place": "0"},
        {"position": 1},
        {"position": -1},
        {"score": 6},
        {"score": 10**400},
        {"score": "4"},
        {"score": None},
        {"reason": "both"},
        {"score": None, "reason": 3},
        {"score": None, "reason": "x" * 6000},
        {"shown": None},
        {"given": 10**400},
        {"client": ""},
        {"client": "x" * 101},
    ],
)
def test_an_answer_that_means_nothing_is_refused_and_the_others_are_stored(
    site: CampaignAccess, store: CampaignStore, changes: dict[str, Any]
) -> None:
    found = send(site, store.new_token("bilingual 1"), answer("before"), answer(**changes), answer("after", place=1))
    assert found.status == 200
    assert found.json["stored"] == ["before", "after"]
    ((refused),) = found.json["refused"]
    assert "item" not in refused["message"]
    assert "bilingual" not in refused["message"]
    assert len(store.answers()) == 2


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_is_text_everywhere(site: CampaignAccess, store: CampaignStore, hostile: str) -> None:
    token = store.new_token("bilingual 1")
    found = send(
        site,
        token,
        answer(f"id{hostile}"),
        answer("skip", place=1, score=None, reason=hostile),
        comments=[{"client": "comment", "place": 2, "text": hostile}],
    )
    assert found.status == 200
    assert {"skip", "comment"} <= set(found.json["stored"])
    written = hostile.encode("utf-8", "replace").decode()
    assert [a.reason for a in store.answers() if a.reason is not None] == [written]
    assert store.comments[0][2] == written
    assert ask(site, "/rate/api/list", token=hostile.encode("utf-8", "replace").decode("latin-1")).status == 401


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"\xff",
        b"{",
        b"[" * 100_000,
        b'{"answers": {}}',
        b'{"answers": [1]}',
        b'{"answers": [{}]}',
        b'{"comments": [{"client": 1}]}',
        b'{"answers": [{"client": "x", "score": NaN}]}',
        json.dumps({"answers": [answer(str(n)) for n in range(MAX_SENT + 1)]}).encode(),
        b'{"answers": [{"client": "x", "score": ' + b"9" * 5000 + b"}]}",
    ],
)
def test_nonsense_is_refused_as_a_whole(site: CampaignAccess, store: CampaignStore, body: bytes) -> None:
    found = ask(site, "/rate/api/answers", body, store.new_token("bilingual 1"))
    assert found.status == 400
    assert found.json["message"].endswith("expected")
    assert store.answers() == ()


def test_a_body_that_is_too_long_is_not_read(site: CampaignAccess, store: CampaignStore) -> None:
    found = ask(site, "/rate/api/answers", b" " * (MAX_BYTES + 1), store.new_token("bilingual 1"))
    assert found.status == 413


def test_a_body_that_does_not_arrive_is_not_waited_for_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.rating.access.BODY_TIMEOUT_S", 0.01)
    received: list[Message] = [{"type": "http.request", "body": b"the beginning", "more_body": True}]

    async def receive() -> Message:
        if not received:
            await asyncio.sleep(60)
        return received.pop()

    assert run_apart(body_of(Request({"type": "http"}, receive), MAX_BYTES)) == b""


def test_a_full_disk_is_said_and_the_answer_can_be_sent_again(
    site: CampaignAccess, store: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = store.new_token("bilingual 1")

    def fail(*_: object, **__: object) -> None:
        raise UnusableFileError(f"{store.path}: the file cannot be used")

    with monkeypatch.context() as broken:
        broken.setattr(CampaignStore, "add_rating", fail)
        found = send(site, token, answer())
        assert found.status == 503
        assert str(store.path) not in found.json["message"]
    assert send(site, token, answer()).json["stored"] == ["x"]


def test_what_needs_a_file_that_cannot_be_read_says_so(
    site: CampaignAccess, store: CampaignStore, dashboard: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, lead = store.new_token("bilingual 1"), store.new_token(None)
    cookie = cookie_of(site, lead)

    def fail(*_: object) -> None:
        raise UnusableFileError(f"{store.path}: the file cannot be used")

    monkeypatch.setattr(CampaignStore, "token_owner", fail)
    monkeypatch.setattr("dashboard.rating.throttle.MIN_DELAY_S", 1000.0)  # nobody has guessed
    for found in (
        ask(site, "/rate/api/list", token=judge),
        send(site, judge, answer()),
        ask(site, "/lead", {"token": lead}),
        ask(site, "/scores", headers=[("Cookie", cookie)]),
    ):
        assert found.status == 503
        assert b"See the terminal in which the server runs" in found.body or b"kept on this device" in found.body
        assert str(store.path).encode() not in found.body
    assert run_apart(web_socket(site, "/_stcore/stream", cookie, [])) == [{"type": "websocket.close", "code": 1008}]
    assert dashboard.paths == []


def test_a_page_of_the_lead_stays_open_to_say_what_is_wrong_with_the_file(
    site: CampaignAccess, store: CampaignStore, dashboard: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = cookie_of(site, store.new_token(None))

    def fail(*_: object) -> None:
        raise UnusableFileError(f"{store.path}: no file found")

    def lose() -> None:
        monkeypatch.setattr(CampaignStore, "token_owner", fail)

    messages = [{"type": "websocket.receive", "bytes": b"1", "before": lose}]
    assert run_apart(web_socket(site, "/_stcore/stream", cookie, messages)) == [{"type": "websocket.accept"}]
    assert [message["bytes"] for message in dashboard.messages] == [b"1"]


def test_those_who_wait_to_store_something_hold_up_no_reader(
    site: CampaignAccess, store: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = store.new_token("bilingual 1")
    end = threading.Event()
    store_all = JudgeApi.store_all

    def wait(api: JudgeApi, judge: str, body: bytes) -> dict[str, Any]:
        end.wait(60)
        return store_all(api, judge, body)

    monkeypatch.setattr(JudgeApi, "store_all", wait)
    headers = [("Authorization", f"Bearer {token}")]

    async def visit() -> tuple[int, set[int]]:
        sent = json.dumps({"answers": [answer()]}).encode()
        waiting = [asyncio.create_task(request(site, "/rate/api/answers", sent, headers=headers)) for _ in range(60)]
        await asyncio.sleep(0)
        found = await asyncio.wait_for(request(site, "/rate/api/list", headers=headers), 30)
        end.set()
        return found.status, {done.status for done in await asyncio.gather(*waiting)}

    monkeypatch.setattr("dashboard.rating.access.STORE_TIMEOUT_S", 60.0)
    assert run_apart(visit()) == (200, {200})


def test_an_answer_is_refused_in_time_where_others_are_not_stored(
    site: CampaignAccess, store: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = store.new_token("bilingual 1")
    end = threading.Event()
    monkeypatch.setattr(JudgeApi, "store_all", lambda *_: end.wait(60) and {})
    monkeypatch.setattr("dashboard.rating.access.STORE_TIMEOUT_S", 0.01)
    headers = [("Authorization", f"Bearer {token}")]

    async def visit() -> list[int]:
        tasks = [asyncio.create_task(request(site, "/rate/api/answers", b"{}", headers=headers)) for _ in range(2)]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        end.set()
        return [task.result().status for task in done] + [(await task).status for task in tasks if task not in done]

    assert run_apart(visit()) == [503, 200]


# --- tokens -----------------------------------------------------------------------------------------------------


def test_a_judge_cannot_answer_in_another_judges_list(site: CampaignAccess, store: CampaignStore) -> None:
    token = store.new_token("bilingual 1")
    longest = max(len(store.slots(judge)) for judge in store.judges)
    send(site, token, *(answer(f"{n}", place=n) for n in range(longest + 5)))
    assert {a.judge for a in store.answers()} == {"bilingual 1"}
    # the id of another judge's answer neither counts for it nor changes it
    other = store.new_token("bilingual 2")
    found = send(site, other, answer("0", score=1)).json
    assert found["stored"] == []
    assert {a.judge for a in store.answers(all_revisions=True)} == {"bilingual 1"}


@pytest.mark.parametrize("token", ["", "x", "' OR 1=1 --", "a" * 10_000])
def test_a_guess_is_refused(site: CampaignAccess, token: str) -> None:
    for path, body in (("/rate/api/list", None), ("/rate/api/answers", {"answers": []})):
        found = ask(site, path, body, token or "none")
        assert found.status == 401
        assert found.json == {"message": "This link is not valid. Ask the person who sent it to you for a new one."}


def test_a_replaced_link_ends_at_once(site: CampaignAccess, store: CampaignStore) -> None:
    old = store.new_token("bilingual 1")
    assert send(site, old, answer()).status == 200
    store.new_token("bilingual 1")
    assert send(site, old, answer()).status == 401
    assert ask(site, "/rate/api/list", token=old).status == 401


def test_a_token_opens_what_it_is_for_only(site: CampaignAccess, store: CampaignStore, dashboard: Reached) -> None:
    judge, lead = store.new_token("bilingual 1"), store.new_token(None)
    assert ask(site, "/rate/api/list", token=lead).status == 401
    assert ask(site, "/lead", {"token": judge}).status == 401
    name = cookie_of(site, lead).split("=")[0]
    assert ask(site, "/", headers=[("Cookie", f"{name}={judge}")]).status == 401
    assert dashboard.paths == []


LEADS = (
    *("/", "/campaign", "/scores", "/_stcore/upload_file/a/b", "/_stcore/host-config", "/_stcore/metrics"),
    *("/media/0123.csv", "/static/js/main.js", "/component/x", "/rates", "/leading", "/RATE", "/mt/rate", "//rate"),
)


@pytest.mark.parametrize("path", LEADS)
@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "POST", "DELETE", "OPTIONS"])
def test_all_else_needs_the_leads_link(
    site: CampaignAccess, store: CampaignStore, dashboard: Reached, path: str, method: str
) -> None:
    judge = store.new_token("bilingual 1")
    for headers in ([], [("Authorization", f"Bearer {judge}")], [("Cookie", f"lead={judge}")]):
        found = ask(site, path, method=method, headers=headers)
        assert found.status == 401
        assert found.headers["cache-control"] == "no-store"
    assert dashboard.paths == []
    cookie = cookie_of(site, store.new_token(None))
    assert ask(site, path, method=method, headers=[("Cookie", cookie)]).status == 200
    assert dashboard.paths == [path]


def test_health_is_open(site: CampaignAccess, dashboard: Reached) -> None:
    assert ask(site, "/_stcore/health").body == b"dashboard"
    assert ask(site, "/_stcore/health/../metrics").status == 401
    assert dashboard.paths == ["/_stcore/health"]


def test_web_sockets_need_the_leads_link(site: CampaignAccess, store: CampaignStore, dashboard: Reached) -> None:
    cookie = cookie_of(site, store.new_token(None))
    message = {"type": "websocket.receive", "text": "x"}
    judge = f"{cookie.split('=', maxsplit=1)[0]}={store.new_token('bilingual 1')}"
    for wrong in ("", "lead=x", judge):
        assert run_apart(web_socket(site, "/_stcore/stream", wrong, [message])) == [
            {"type": "websocket.close", "code": 1008}
        ]
    assert dashboard.paths == []
    assert run_apart(web_socket(site, "/_stcore/stream", cookie, [message])) == [{"type": "websocket.accept"}]
    assert dashboard.messages == [message]


def test_a_web_socket_ends_when_the_leads_link_is_replaced(
    site: CampaignAccess, store: CampaignStore, dashboard: Reached
) -> None:
    cookie = cookie_of(site, store.new_token(None))
    messages = [
        {"type": "websocket.receive", "text": "before"},
        {"type": "websocket.receive", "text": "after", "before": lambda: store.new_token(None)},
    ]
    sent = run_apart(web_socket(site, "/_stcore/stream", cookie, messages))
    assert sent == [{"type": "websocket.accept"}, {"type": "websocket.close", "code": 1008}]
    assert [message["text"] for message in dashboard.messages] == ["before"]


def test_the_cookie_is_read_by_no_script_and_sent_to_no_other_site(site: CampaignAccess, store: CampaignStore) -> None:
    token = store.new_token(None)
    plain = ask(site, "/lead", {"token": token}).headers["set-cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(plain.split("; "))
    assert "Secure" not in plain
    assert "Secure" in ask(site, "/lead", {"token": token}, scheme="https").headers["set-cookie"].split("; ")
    other = ask(site, "/lead", {"token": token}, headers=[("Origin", "http://other.example")])
    assert (other.status, "set-cookie" in other.headers) == (403, False)
    assert "Max-Age=604800" in plain.split("; ")
    for body in (b"", b"[]", b'{"token": 1}', b"[" * 900, b" " * 2000):
        found = ask(site, "/lead", body)
        assert found.status == 401
        assert "campaign links FILE --lead" in found.json["message"]


def test_the_cookie_is_the_secret_of_a_session_and_not_the_token(
    site: CampaignAccess, store: CampaignStore, dashboard: Reached
) -> None:
    token = store.new_token(None)
    cookies = [cookie_of(site, token) for _ in range(MAX_LEAD_SESSIONS)]
    assert len(set(cookies)) == MAX_LEAD_SESSIONS
    assert not any(token in cookie for cookie in cookies)
    name = cookies[0].partition("=")[0]
    assert ask(site, "/campaign", headers=[("Cookie", f"{name}={token}")]).status == 401
    assert dashboard.paths == []
    used_up = ask(site, "/lead", {"token": token})
    assert (used_up.status, "set-cookie" in used_up.headers) == (401, False)
    assert used_up.json["message"].startswith("This link was opened 3 times already and has expired. On the server,")
    # A browser with a session of this link opens it again without another one.
    again = ask(site, "/lead", {"token": token}, headers=[("Cookie", cookies[1])])
    assert (again.status, again.headers["set-cookie"].split(";")[0]) == (204, cookies[1])


def test_an_expired_link_or_session_opens_nothing(
    site: CampaignAccess, store: CampaignStore, dashboard: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = store.new_token(None)
    cookie = cookie_of(site, token)
    monkeypatch.setattr("dashboard.rating.throttle.MIN_DELAY_S", 1000.0)  # nobody has guessed
    monkeypatch.setattr("dashboard.rating.lead_sessions.LEAD_LINK_HOURS", -1)
    monkeypatch.setattr("dashboard.rating.lead_sessions.MAX_IDLE_S", -1)
    assert "has expired. On the server" in ask(site, "/lead", {"token": token}).json["message"]
    found = ask(site, "/campaign", headers=[("Cookie", cookie)])
    assert found.status == 401
    assert b"your session has ended" in found.body
    assert run_apart(web_socket(site, "/_stcore/stream", cookie, [])) == [{"type": "websocket.close", "code": 1008}]
    assert dashboard.paths == []


def test_a_web_socket_ends_with_its_session(
    site: CampaignAccess, store: CampaignStore, dashboard: Reached, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie = cookie_of(site, store.new_token(None))
    end = partial(monkeypatch.setattr, "dashboard.rating.lead_sessions.MAX_AGE_S", -1)
    messages = [
        {"type": "websocket.receive", "text": "before"},
        {"type": "websocket.receive", "text": "after", "before": end},
    ]
    sent = run_apart(web_socket(site, "/_stcore/stream", cookie, messages))
    assert sent == [{"type": "websocket.accept"}, {"type": "websocket.close", "code": 1008}]
    assert [message["text"] for message in dashboard.messages] == ["before"]


def test_a_path_prefix_holds_for_everything(store: CampaignStore, dashboard: Reached) -> None:
    site = CampaignAccess(dashboard, store, "/mt/rating")
    token, lead = store.new_token("bilingual 1"), store.new_token(None)
    assert ask(site, "/mt/rating/rate").status == 200
    assert ask(site, "/mt/rating/rate/api/list", token=token).status == 200
    assert ask(site, "/rate", token=token).status == 401
    found = ask(site, "/mt/rating/lead", {"token": lead})
    assert "Path=/mt/rating" in found.headers["set-cookie"].split("; ")
    assert ask(site, "/mt/rating/_stcore/health").status == 200


# --- pages ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/rate", "/rate/rate.js", "/rate/rate.css", "/lead", "/lead/lead.js"])
def test_pages_need_no_token_and_load_their_own_files_only(site: CampaignAccess, path: str) -> None:
    found = ask(site, path)
    assert found.status == 200
    policy = dict(part.split(" ", 1) for part in found.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == "'self'"
    assert found.headers["referrer-policy"] == "no-referrer"


def test_other_addresses_below_the_pages_are_none(site: CampaignAccess, dashboard: Reached) -> None:
    for path in ("/rate/", "/rate/x", "/rate/../campaign", "/rate/access.py", "/lead/rate.js", "/rate/api"):
        assert ask(site, path).status == 404
    assert ask(site, "/rate/api/answers").status == 405
    assert dashboard.paths == []


# --- guesses ----------------------------------------------------------------------------------------------------


def test_each_further_guess_of_an_address_waits_longer_and_a_valid_token_never(
    store: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("dashboard.rating.throttle.asyncio.sleep", sleep)
    site = CampaignAccess(Reached(), store)
    for _ in range(9):
        assert ask(site, "/rate/api/list", token="guess").status == 401  # noqa: S106
    assert waited == [0.25, 0.5, 1, 2, 4, 8, 16, 16, 16]
    assert ask(site, "/rate/api/list", token=store.new_token("bilingual 1")).status == 200
    ask(site, "/rate/api/list", token="guess", client="192.0.2.2")  # noqa: S106
    assert waited[9:] == [0.25]


def test_few_guesses_wait_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    monkeypatch.setattr("dashboard.rating.throttle.MIN_DELAY_S", 0.05)
    monkeypatch.setattr("dashboard.rating.throttle.MAX_DELAY_S", 0.05)

    async def guess() -> tuple[list[bool], list[bool]]:
        throttle = Throttle()
        of_one = await asyncio.gather(*(throttle.wait("192.0.2.1") for _ in range(12)))
        of_many = await asyncio.gather(*(throttle.wait(f"192.0.2.{n}") for n in range(250)))
        return list(of_one), list(of_many)

    of_one, of_many = run_apart(guess())
    assert (of_one.count(True), of_many.count(True)) == (8, 200)


def test_an_ipv6_visitor_has_one_network() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1")
    assert network_of("not an address") == "not an address"
    assert network_of("::ffff:192.0.2.1") != network_of("::ffff:192.0.2.2")
