"""The page Campaign of a server on which people open campaigns: who sees them, where they are, how they go on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pages import APP, load, said, upload, visit
from streamlit.testing.v1 import AppTest

from bleu_core.campaigns import CampaignStore
from dashboard import open_campaigns
from dashboard.open_campaigns import Hosting, close_campaigns, host_campaigns
from dashboard.session import RATINGS_NAME

SYSTEMS = tuple((f"{name}.txt", "".join(f"{name} says {n} in words\n" for n in range(30)).encode()) for name in "ABC")


@pytest.fixture
def hosting(tmp_path: Path) -> Iterator[Hosting]:
    """A server that this computer only reaches."""
    yield host_campaigns(tmp_path / "data" / "campaigns", local=True)
    close_campaigns()


def new_session(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(sys, "argv", ["app.py"])
    return AppTest.from_file(str(APP), default_timeout=60).run()


@pytest.fixture
def page(hosting: Hosting, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page on three systems, in the session of whoever opens the campaign."""
    assert not hosting.stores
    app = visit(load(new_session(monkeypatch), *SYSTEMS), "campaign")
    assert not app.exception
    return app


def open_now(page: AppTest) -> AppTest:
    page.button(key="campaign-open-now").click().run()
    assert not page.exception
    return page


def token_of(page: AppTest) -> str:
    (link,) = [block.value for block in page.code if "/lead#" in block.value]
    return link.partition("#")[2]


def rate(store: CampaignStore) -> None:
    judge, slot = store.judges[0], store.slots(store.judges[0])[0]
    store.add_rating(judge, 0, slot.items[0].item, 4, client="x", shown=1.0, given=9.0)


def test_a_campaign_opens_at_once_with_the_leads_link(page: AppTest, hosting: Hosting) -> None:
    assert f"stored in the folder {hosting.folder}" in said(page)
    open_now(page)
    (store,) = hosting.stores
    assert store.path.parent == hosting.folder
    assert store.path.stat().st_mode & 0o077 == 0
    assert hosting.folder.stat().st_mode & 0o077 == 0
    assert store.state == "open"
    assert store.token_owner(token_of(page)) == ("lead", "")
    assert f"This campaign is stored in {store.path}." in said(page)
    assert f"bleu-dashboard --campaign {store.path}" in said(page)
    page.text_input(key="campaign_address").set_value("http://rate.example.org").run()
    page.button(key="campaign-make-links").click().run()
    links = [block.value for block in page.code if "/rate#" in block.value]
    assert {store.token_owner(link.partition("#")[2]) for link in links} == {("judge", judge) for judge in store.judges}


def test_the_ratings_come_to_the_other_pages_of_that_session_only(
    page: AppTest, hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_now(page)
    rate(hosting.stores[0])
    page.run()
    assert [file.name for file in page.session_state["held"].files] == [name for name, _ in SYSTEMS] + [RATINGS_NAME]
    other = visit(new_session(monkeypatch), "campaign")
    assert not other.exception
    assert [button.key for button in other.button if button.key == "campaign-open-now"]
    assert "judges' lists is answered" not in said(other)
    assert RATINGS_NAME not in [file.name for file in other.session_state["held"].files]


def test_a_session_without_files_rates_the_sample_without_its_own_ratings(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = visit(new_session(monkeypatch), "campaign")
    open_now(app)
    assert app.session_state["dataset"] == "own"
    assert all(file.role != "judgments" for file in app.session_state["held"].files)
    assert len(hosting.stores) == 1


def test_a_new_link_of_the_lead_ends_the_one_before(page: AppTest, hosting: Hosting) -> None:
    open_now(page)
    first = token_of(page)
    page.button(key="campaign-new-lead-link").click().run()
    (store,) = hosting.stores
    assert store.token_owner(first) is None
    assert store.token_owner(token_of(page)) == ("lead", "")
    assert "judges' lists is answered" in said(page)  # this session goes on
    store.new_token(None)  # as the command line does
    page.run()
    assert not page.exception
    assert "judges' lists is answered" not in said(page)


def test_another_campaign_can_be_designed(page: AppTest, hosting: Hosting) -> None:
    open_now(page)
    rate(hosting.stores[0])
    page.run()
    page.button(key="campaign-leave").click().run()
    assert not page.exception
    assert RATINGS_NAME not in [file.name for file in page.session_state["held"].files]
    open_now(page)
    assert len(hosting.stores) == 2
    assert hosting.stores[1].path == page.session_state["campaign"]


@pytest.mark.parametrize(("limit", "message"), [("MAX_HOSTED", "1 campaigns are stored"), ("MAX_BYTES", "bytes; at")])
def test_number_and_size_are_bounded(
    page: AppTest, hosting: Hosting, monkeypatch: pytest.MonkeyPatch, limit: str, message: str
) -> None:
    if limit == "MAX_HOSTED":
        open_now(page)
        page.button(key="campaign-leave").click().run()
    before = len(hosting.stores)
    monkeypatch.setattr(open_campaigns, limit, 1)
    open_now(page)
    assert "The campaign was not opened: " in said(page)
    assert message in said(page)
    assert len(hosting.stores) == before


def test_a_folder_that_cannot_be_written_is_explained(page: AppTest, hosting: Hosting) -> None:
    hosting.folder.parent.mkdir()
    hosting.folder.write_text("a file")
    open_now(page)
    assert "The campaign was not opened: the campaign cannot be stored on this server: File exists" in said(page)
    assert not hosting.stores


def test_paths_are_shown_on_this_computer_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hosting = host_campaigns(tmp_path / "campaigns", local=False)
    try:
        app = visit(load(new_session(monkeypatch), *SYSTEMS), "campaign")
        assert str(tmp_path) not in said(app)
        open_now(app)
        text = said(app)
        assert str(tmp_path) not in text
        assert f"stored on the server, in the file {hosting.stores[0].path.name}" in text
    finally:
        close_campaigns()


def test_without_a_folder_the_command_line_is_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    app = visit(new_session(monkeypatch), "campaign")
    assert "campaign-open-now" not in [button.key for button in app.button]
    assert "--campaign-folder" in said(app)
    assert "campaign-file" in [button.key for button in app.get("download_button")]


def test_campaigns_in_the_folder_are_open_again_after_a_restart(page: AppTest, hosting: Hosting) -> None:
    open_now(page)
    (store,) = hosting.stores
    judge = store.judges[0]
    token, path = store.new_token(judge), store.path
    rate(store)
    close_campaigns()
    (hosting.folder / "damaged.db").write_bytes(b"no campaign")
    again = host_campaigns(hosting.folder, local=True)
    problems = again.load()
    assert len(problems) == 1
    assert "damaged.db" in problems[0]
    (found,) = again.stores
    assert found.path == path
    assert found.token_owner(token) == ("judge", judge)
    assert len(found.judgments().rated) == 1  # pyright: ignore[reportOptionalMemberAccess]


def test_the_ratings_go_to_the_test_set_in_which_the_campaign_was_opened(page: AppTest, hosting: Hosting) -> None:
    visit(page, "data")
    page.text_input(key="new_set_name").input("Other")
    next(button for button in page.button if button.label == "Create test set").click().run()
    upload(page, *SYSTEMS)
    visit(page, "campaign")
    open_now(page)
    page.selectbox(key="shown_set").select("").run()
    rate(hosting.stores[0])
    page.run()
    assert [file.test_set for file in page.session_state["held"].files if file.name == RATINGS_NAME] == ["Other"]
