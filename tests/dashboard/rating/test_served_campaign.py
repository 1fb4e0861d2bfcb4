"""The server of a campaign as a process: what is exposed, and what it does without its file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from campaigned import corpus, plan
from rating_protocol import ask
from visitor import Server, serve

from bleu_core.campaigns import CampaignStore, UnusableFileError, create_store, design_campaign
from bleu_core.errors import BleuCoreError
from dashboard.open_campaigns import open_campaign
from dashboard.rating import ServedCampaign


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CampaignStore]:
    create_store(tmp_path / "campaign.db", design_campaign(plan(repeats=0.1), corpus()), corpus())
    with CampaignStore(tmp_path / "campaign.db") as store:
        store.add_event("opened")
        yield store


def test_only_the_rating_page_is_reached_without_the_leads_link(store: CampaignStore, tmp_path: Path) -> None:
    lead, judge = store.new_token(None), store.new_token("people 1")
    with serve(tmp_path, ["--campaign", str(store.path), "--path", "mt"], path="/mt") as address:
        for path in ("/mt/", "/mt/scores", "/mt/_stcore/metrics", "/mt/_stcore/upload_file/a/b", "/mt/media/x", "/"):
            assert ask(address, path, Authorization=f"Bearer {judge}")[0] == 401
        status, _, body = ask(address, "/mt/rate/api/list", Authorization=f"Bearer {judge}")
        assert (status, len(json.loads(body)["places"])) == (200, len(store.slots("people 1")))
        assert "default-src 'none'" in ask(address, "/mt/rate")[1]["content-security-policy"]
        # A program on this machine is not believed when it names another address or protocol.
        _, headers, _ = ask(address, "/mt/lead", {"token": lead}, **{"X-Forwarded-Proto": "https"})
        assert "Secure" not in headers["set-cookie"]
        cookie = headers["set-cookie"].split(";")[0]
        assert ask(address, "/mt/", Cookie=cookie)[0] == 200
        assert ask(address, "/mt/_stcore/health")[0] == 200
        # Under another name nothing is reached, with a link neither.
        for path in ("/mt/rate", "/mt/rate/api/list", "/mt/_stcore/health", "/mt/"):
            found = ask(address, path, Host="evil.example", Cookie=cookie, Authorization=f"Bearer {judge}")
            assert (found[0], b"--allowed-host" in found[2]) == (403, True)


def test_a_trusted_proxy_is_believed(store: CampaignStore, tmp_path: Path) -> None:
    lead = store.new_token(None)
    with serve(tmp_path, ["--campaign", str(store.path), "--trusted-proxy", "127.0.0.1"]) as address:
        _, headers, _ = ask(address, "/lead", {"token": lead}, **{"X-Forwarded-Proto": "https"})
    assert "Secure" in headers["set-cookie"]


def test_the_leads_link_is_printed_until_it_has_expired(store: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    served = ServedCampaign(store.path)
    base, prefix = "http://localhost:1/mt", "http://localhost:1/mt/lead#"
    lines, first = served.greeting(base, "this computer only")
    assert lines[0].startswith("Open to this computer only: the rating page")
    assert lines[1] == f"The lead's link, for 24 hours and 3 browsers: {first}"
    assert lines[2].endswith(f"campaign links {store.path} --lead --url {base}")
    assert store.token_owner(first.removeprefix(prefix)) == ("lead", "")
    lines, again = served.greeting(base, "this computer only")
    assert again == ""
    assert "made before" in lines[1]
    assert store.token_owner(first.removeprefix(prefix)) == ("lead", "")
    monkeypatch.setattr("dashboard.rating.served_campaign.LEAD_LINK_HOURS", -1)
    _, later = served.greeting(base, "this computer only")
    assert store.token_owner(later.removeprefix(prefix)) == ("lead", "")
    assert store.token_owner(first.removeprefix(prefix)) is None
    served.close()


def test_a_file_that_is_no_campaign_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    with pytest.raises(BleuCoreError, match=r"a\.txt"):
        ServedCampaign(tmp_path / "a.txt")


def test_a_campaign_is_opened_once_for_judges_and_sessions_and_closed_for_all(store: CampaignStore) -> None:
    store.close()
    served = ServedCampaign(store.path)
    of_session = open_campaign(store.path.resolve())
    of_session.new_token(None)
    assert open_campaign(store.path) is of_session
    served.close()
    assert [file.name for file in store.path.parent.iterdir()] == ["campaign.db"]
    with pytest.raises(UnusableFileError, match="a campaign that was closed found"):
        of_session.new_token(None)


def test_a_file_that_is_deleted_while_it_is_served_takes_no_answer_until_it_is_back(
    store: CampaignStore, tmp_path: Path
) -> None:
    token, path = store.new_token("people 1"), store.path
    lead = store.new_token(None)
    store.close()
    server = Server(tmp_path, ["--campaign", str(path)])

    def send(number: int) -> tuple[int, dict[str, Any]]:
        sent = {"client": f"id {number}", "place": number, "position": 0, "score": 3, "shown": 1, "given": 2}
        status, _, body = ask(server.address, "/rate/api/answers", {"answers": [sent]}, Authorization=f"Bearer {token}")
        return status, json.loads(body)

    try:
        server.start()
        cookie = ask(server.address, "/lead", {"token": lead})[1]["set-cookie"].split(";")[0]
        assert send(0)[1]["stored"] == ["id 0"]
        path.rename(tmp_path / "kept.db")
        status, message = send(1)
        assert (status, str(path) in message["message"]) == (503, False)
        assert ask(server.address, "/rate/api/list", Authorization=f"Bearer {token}")[0] == 503
        status, _, page = ask(server.address, "/campaign", Cookie=cookie)
        assert (status, b"See the terminal in which the server runs" in page) == (503, True)
        assert f"{path}: no file found, the campaign that was opened expected." in server.log.read_text()
        (tmp_path / "kept.db").rename(path)
        assert send(1)[1]["stored"] == ["id 1"]
        assert f"{path}: the file can be used again\n" in server.log.read_text()
    finally:
        server.stop()
    assert [file.name for file in tmp_path.glob("*.db*")] == ["campaign.db"]  # nothing is beside it after a clean stop
    with CampaignStore(path) as stopped:
        assert [answer.place for answer in stopped.answers()] == [0, 1]
