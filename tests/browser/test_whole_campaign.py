"""A campaign of the paper's size under a server that is killed again and again: what arrives is what was given.

Some judges rate in real browsers, whose connections are cut, tabs doubled and pages reloaded, and who go back and
change their minds; the others send what the rating page sends, some of it twice. Two of them give any score.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from campaigned import corpus
from playwright.sync_api import Error
from rating_protocol import send_until_stored
from visitor import Server

from bleu_core.campaigns import (
    CampaignPlan,
    CampaignStore,
    JudgeGroup,
    ShownSlot,
    campaign_status,
    create_store,
    design_campaign,
    judge_link,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

KILLS = 50
IN_BROWSERS = ("monolingual 1", "bilingual 1", "bilingual 2")
CARELESS = ("monolingual 5", "bilingual 7")
QUALITY = {"S0": 1.8, "S1": 2.4, "S2": 2.8, "S3": 3.4, "S4": 4.0}
#: Seconds after which the test gives up.
PATIENCE = 900


def scores_of(judge: str, slots: tuple[ShownSlot, ...]) -> list[int]:
    """A judge's score of each place: lenient or severe, drifting, and careless in two cases."""
    chance = random.Random(judge)
    lenience = chance.gauss(0, 0.4)
    found: list[int] = []
    for slot in slots:
        (item,) = slot.items
        liked = QUALITY[item.system] + lenience + 0.4 * slot.place / len(slots) - 1.2 * (slot.kind == "degraded")
        liked += random.Random(item.segment).gauss(0, 0.4) + chance.gauss(0, 0.6)
        found.append(chance.randint(1, 5) if judge in CARELESS else min(5, max(1, round(liked))))
    return found


class BrowserJudge:
    """A judge at the rating page, who works by keyboard.

    Args:
        browser: for the judge's own windows.
        link: of the judge.
        given: the score of each place; the judge's changes of mind are written there.
        seed: of the judge's mishaps.
    """

    def __init__(self, browser: Browser, link: str, given: list[int], seed: int) -> None:
        self.link, self.given = link, given
        self.changed = self.cut = self.doubled = self.reloaded = 0
        self._browser, self._chance = browser, random.Random(seed)
        self._waited = 0
        self._context = self._window()
        self.page = self._tab()

    def step(self) -> bool:
        """Rate one text, or have a mishap; returns whether the judge has finished."""
        if self.page.locator("output.code").count():
            return True
        place = self._place()
        if place is None:
            self._begin()
            return False
        mishap = self._chance.random()
        if mishap < 0.02:
            self.cut += 1
            self._context.set_offline(self.cut % 2 == 1)
        elif mishap < 0.03:
            self.reloaded += 1
            self._context.set_offline(False)
            self._open(self.page)
        elif mishap < 0.04:
            self.doubled += 1
            self._context.set_offline(False)
            before, self.page = self.page, self._tab()
            if self.doubled % 2:
                before.close()
        elif mishap < 0.07 and place > 0:
            self.changed += 1
            self.page.go_back() if self.changed % 2 else self.page.keyboard.press("b")
            at = self._place()
            if at is not None and at < place:
                self.given[at] = 1 + self.given[at] % 5
                self._give(at)
        else:
            self._give(place)
        return False

    def _begin(self) -> None:
        """Leave the welcome; load the page anew where the server was killed before it had sent all of it."""
        button = self.page.get_by_role("button", name=re.compile("Begin|Go on at"))
        if button.count():
            button.click()
        self.page.wait_for_timeout(50)
        self._waited += 1
        if self._waited % 60 == 0:
            self._open(self.page)

    def come_back(self) -> None:
        """Let the connection be there again."""
        self._context.set_offline(False)

    def close(self) -> None:
        """Leave."""
        self._context.close()

    def _give(self, place: int) -> None:
        self.page.keyboard.press(str(self.given[place]))
        self.page.keyboard.press("Enter")

    def _place(self) -> int | None:
        """The place that is shown, from 0; None where none is."""
        heading = self.page.locator("main h1").first
        text = heading.inner_text() if heading.count() else ""
        found = re.fullmatch(r"(\d+) of \d+", text)
        return int(found[1]) - 1 if found else None

    def _window(self) -> BrowserContext:
        return self._browser.new_context(viewport={"width": 390, "height": 800})

    def _tab(self) -> Page:
        page = self._context.new_page()
        page.on("dialog", lambda dialog: dialog.accept())
        self._open(page)
        return page

    def _open(self, page: Page) -> None:
        """Open the link, or load it anew where it is open; again and again while there is no server."""
        self._context.set_offline(False)
        for _ in range(300):
            with suppress(Error):
                if page.url == self.link:
                    page.reload(wait_until="domcontentloaded")
                else:
                    page.goto(self.link, wait_until="domcontentloaded")
                return
            page.wait_for_timeout(100)
        raise AssertionError(page.url)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CampaignStore]:
    texts = corpus(segments=120, systems=5)
    groups = (JudgeGroup("monolingual", 10, source=False), JudgeGroup("bilingual", 10))
    plan = CampaignPlan(title="Whole", systems=tuple(QUALITY), segments=50, groups=groups, repeats=0.05, degraded=0.05)
    create_store(tmp_path / "c.db", design_campaign(plan, texts), texts)
    with CampaignStore(tmp_path / "c.db") as store:
        store.add_event("opened")
        yield store


@pytest.mark.slow
def test_what_20_judges_give_is_what_is_stored(browser: Browser, store: CampaignStore, tmp_path: Path) -> None:
    given = {judge: scores_of(judge, store.slots(judge)) for judge in store.judges}
    tokens = {judge: store.new_token(judge) for judge in store.judges}
    server = Server(tmp_path, ["--campaign", str(store.path)])
    deadline = time.monotonic() + PATIENCE
    others = [judge for judge in store.judges if judge not in IN_BROWSERS]
    try:
        server.start()
        with ThreadPoolExecutor(len(others) + 1) as pool:
            killing = pool.submit(kill_again_and_again, server)
            sending = [
                pool.submit(send_all, server.address, judge, tokens[judge], given[judge], deadline) for judge in others
            ]
            links = {judge: judge_link(server.address, tokens[judge]) for judge in IN_BROWSERS}
            mishaps = rate_in_browsers(browser, links, given=given, killing=killing, deadline=deadline)
            for work in (killing, *sending):
                work.result()
    finally:
        server.stop()
    assert min(mishaps) > 0
    stored = {judge: [a.score for a in sorted(store.answers(judge=judge), key=lambda a: a.place)] for judge in given}
    assert stored == given
    assert not [a for a in store.answers(all_revisions=True) if a.revision > 1 and a.judge in others]
    assert {judge.judge for judge in campaign_status(store).judges if judge.proposed} == set(CARELESS)
    changed, cut, doubled, reloaded = mishaps
    print(  # noqa: T201 # for who runs it by hand
        f"\n{KILLS} kills. {sum(map(len, given.values()))} answers of {len(given)} judges given, "
        f"{sum(map(len, stored.values()))} in the file; in {len(IN_BROWSERS)} browsers {changed} answers changed, "
        f"{cut} connections cut, {doubled} tabs doubled, {reloaded} pages reloaded"
    )


def kill_again_and_again(server: Server) -> None:
    """Kill the server at random moments, and start it again."""
    chance = random.Random(50)
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.2, 2.0))
        server.kill()
        server.start()


def send_all(address: str, judge: str, token: str, scores: list[int], deadline: float) -> None:
    """Send what a judge's page sends: a few answers at a time, now and then twice."""
    chance, place = random.Random(judge), 0
    while place < len(scores):
        batch = range(place, min(len(scores), place + chance.choice((1, 1, 1, 2, 5))))
        answers: list[dict[str, Any]] = [
            {"client": f"{judge} {n}", "place": n, "position": 0, "score": scores[n], "reason": None}
            | {"shown": 30.0 * n, "given": 30.0 * n + 9}
            for n in batch
        ]
        for _ in range(1 + (chance.random() < 0.1)):
            send_until_stored(address, token, answers, deadline)
        place = batch.stop
        time.sleep(chance.uniform(0.1, 1.0) * len(batch))


def rate_in_browsers(
    browser: Browser, links: dict[str, str], given: dict[str, list[int]], killing: Future[None], deadline: float
) -> tuple[int, int, int, int]:
    """Let judges rate in turn until all have their codes; returns how often each mishap happened."""
    judges = [BrowserJudge(browser, links[judge], given[judge], seed) for seed, judge in enumerate(links)]
    rating = list(judges)
    while rating:
        assert time.monotonic() < deadline, [judge.page.inner_text("body") for judge in rating]
        rating = [judge for judge in rating if not judge.step()]
        if killing.done():  # now that nothing is in their way, all that is kept has to arrive
            for judge in rating:
                judge.come_back()
        time.sleep(0.02)
    for judge in judges:
        judge.close()
    return (
        sum(judge.changed for judge in judges),
        sum(judge.cut for judge in judges),
        sum(judge.doubled for judge in judges),
        sum(judge.reloaded for judge in judges),
    )
