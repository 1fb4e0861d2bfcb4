"""The page of a campaign that is served: the lead's link opens it, and it makes the links of the judges."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from campaigned import plan
from playwright.sync_api import Browser
from sample import corpus
from visitor import Visitor, serve

from bleu_core.campaigns import CampaignStore, JudgeGroup, create_store, design_campaign, lead_link


@pytest.mark.slow
def test_the_lead_makes_links_that_begin_with_the_address_of_the_server(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "campaign.db"
    small = plan(segments=5, systems=("S1", "H2"), groups=(JudgeGroup("people", 2, source=False),))
    create_store(path, design_campaign(small, corpus()), corpus())
    options = ["--campaign", str(path), "--path", "mt/rating"]
    with (
        CampaignStore(path) as store,
        serve(tmp_path, options, path="/mt/rating") as server,
        closing(Visitor(browser, f"{server}/mt/rating")) as lead,
    ):
        address = lead.address
        lead.page.goto(lead_link(address, store.new_token(None)))
        lead.page.get_by_role("heading", name="Campaign", exact=True).wait_for()
        box = lead.page.get_by_role("textbox", name="Address of this server")
        lead.eventually(box.input_value, address)  # the browser tells it after the page's first run
        lead.idle()
        lead.page.locator(".st-key-campaign-make-links button").click()
        lead.idle()
        shown = lead.page.locator(".st-key-campaign-new-links code")
        lead.eventually(shown.count, 2)
        links = shown.all_inner_texts()
        assert [link.partition("#")[0] for link in links] == [f"{address}/rate"] * 2
        owners = [store.token_owner(link.partition("#")[2]) for link in links]
        assert owners == [("judge", judge) for judge in store.judges]
        lead.page.locator(".st-key-campaign-opened button").click()
        lead.idle()
        assert store.state == "open"
        # A browser may ask for the icon of the page that signs the lead in, before the lead is signed in.
        assert [fault for fault in lead.faults if "401" not in fault] == []
