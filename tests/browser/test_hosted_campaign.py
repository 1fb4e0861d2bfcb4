"""A campaign that is opened on the page of a running server, from the design to a restart of the server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from accessibility import problems
from playwright.sync_api import Browser
from visitor import Server, Visitor

from bleu_core.campaigns import CampaignStore


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of this computer only, with a home folder of its own."""
    running = Server(tmp_path, environment={"XDG_DATA_HOME": ""})
    running.start()
    yield running
    running.stop()
    assert "Traceback" not in running.log.read_text()


def rate_first_place(browser: Browser, link: str) -> None:
    """Rate one place at the rating page, on a phone."""
    page = browser.new_context(viewport={"width": 390, "height": 800}).new_page()
    page.goto(link)
    page.get_by_role("button", name="Begin").click()
    page.wait_for_function("() => document.querySelector('h1')?.textContent.includes(' of ')")
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    page.context.close()


def leads(someone: Visitor) -> bool:
    return "of the judges' lists is answered" in someone.text()


@pytest.mark.slow
def test_a_campaign_is_opened_led_and_rated_on_the_running_server_and_after_a_restart(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    with closing(Visitor(browser, server.address, new=True)) as lead:
        lead.goto("/campaign")
        lead.page.locator(".st-key-campaign-open-now button").click()
        lead.idle()
        shown = lead.page.locator(".st-key-campaign-lead-link code")
        lead.eventually(shown.count, 1)
        lead.idle()
        assert problems(lead) == []
        link_of_lead = shown.inner_text()
        assert re.fullmatch(rf"{re.escape(server.address)}/lead#[\w-]+", link_of_lead)
        (path,) = (tmp_path / ".local" / "share" / "bleu-dashboard" / "campaigns").glob("*.db")
        assert f"This campaign is stored in {path}" in lead.text()
        lead.page.locator(".st-key-campaign-make-links button").click()
        lead.idle()
        links = lead.page.locator(".st-key-campaign-new-links code")
        lead.eventually(lambda: links.count() > 1, expected=True)
        judges = links.all_inner_texts()
        rate_first_place(browser, judges[0])

        lead.page.reload()  # the tab leads on
        lead.eventually(lambda: leads(lead), expected=True)
        lead.open_page("Data")
        assert "campaign ratings.csv" in lead.column("files", "file")

        with closing(Visitor(browser, server.address, new=True)) as other:
            other.goto("/campaign")
            other.page.locator(".st-key-campaign-open-now").wait_for()
            assert not leads(other)
            other.page.goto(link_of_lead)
            other.page.get_by_role("heading", name="Campaign", exact=True).wait_for()
            other.eventually(lambda: leads(other), expected=True)
            assert other.page.url == f"{server.address}/campaign" or "?" in other.page.url

        server.stop()  # as Ctrl-C does
        with CampaignStore(path) as store:
            assert sum(progress.rated for progress in store.progress()) == 1
        server.start()
        rate_first_place(browser, judges[1])
        with closing(Visitor(browser, server.address, new=True)) as again:
            again.page.goto(link_of_lead)
            again.page.get_by_role("heading", name="Campaign", exact=True).wait_for()
            again.eventually(lambda: leads(again), expected=True)
    with CampaignStore(path) as store:
        assert sum(progress.rated for progress in store.progress()) == 2
    log = server.log.read_text()
    assert f"Open to judges with a link: {path}." in log
    assert "#" not in log  # no link is printed
