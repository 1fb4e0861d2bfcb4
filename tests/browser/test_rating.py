"""The rating page in a real browser: what judges see, and that what they give is what is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from campaigned import plan
from visitor import PATIENCE, Server

from bleu_core.campaigns import CampaignStore, JudgeGroup, Scale, TrainingExample, create_store, design_campaign
from bleu_core.dataset import Corpus

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

#: Texts that pages can break at: scripts, directions, a word without an end, and HTML.
TEXTS = (
    "The committee postponed its decision.\nThe figures were missing.",
    "صرّح الوزير بأن المحادثات ستُستأنف الأسبوع المقبل.",
    "委员会昨天决定将预算问题推迟到下次会议，因为缺少重要数据。" * 3,
    "คณะกรรมการตัดสินใจเมื่อวานนี้ที่จะเลื่อนการตัดสินใจเรื่องงบประมาณ" * 2,
    "x" * 300,
    "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script> & &amp;",
)
NAMES: dict[float, str] = {1: "Incomprehensible", 3: "Understandable", 5: "Perfect <b>"}
EXAMPLE = TrainingExample(
    text="The dog barks.",
    lowest=4,
    highest=5,
    feedback="It says <i>all</i> that the source says.",
    source="Der Hund bellt.",
)
TOO_WIDE = "() => document.scrollingElement.scrollWidth - innerWidth"
UNNAMED = """() => [...document.querySelectorAll('button, input, textarea, dialog[open], progress')]
    .filter(each => each.checkVisibility())
    .filter(each => !(each.ariaLabel || each.textContent.trim() || each.labels?.[0]?.textContent.trim()))
    .map(each => each.outerHTML)"""


QUEUE_IS_EMPTY = "() => !Object.keys(localStorage).some(key => key.includes('/queue/'))"


#: What takes from a page all that browsers keep for a site.
NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } });"
)


class Served:
    """A campaign of two systems that is served, and its judges' browsers."""

    def __init__(self, folder: Path, browser: Browser, **changes: Any) -> None:
        self.store = _created(folder / "campaign.db", **changes)
        self.faults: list[str] = []
        self._browser = browser
        self._server = Server(folder, ["--campaign", str(self.store.path)])
        self._contexts: list[BrowserContext] = []
        self._server.start()

    def kill(self) -> None:
        """End the server at once, as kill -9 does."""
        self._server.kill()

    def start(self) -> None:
        """Start the server again."""
        self._server.start()

    def reopen(self) -> None:
        """Read the file anew, which was replaced."""
        self.store.close()
        self.store = CampaignStore(self.store.path)

    def link(self, judge: str = "people 1") -> str:
        """A new link of a judge."""
        return f"{self._server.address}/rate#{self.store.new_token(judge)}"

    def opened(self, link: str, beside: Page | None = None, **options: Any) -> Page:
        """A page on a device of its own, or in a further tab."""
        if beside is None:
            self._contexts.append(self._browser.new_context(**options))
        page = (self._contexts[-1] if beside is None else beside.context).new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda message: self._note(message.type, message.text))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self._note_request(request.url))
        page.goto(link)
        page.wait_for_selector("h1")
        return page

    def given(self, judge: str = "people 1") -> dict[tuple[int, int], float | None]:
        """Place and position -> score, of what is stored."""
        position = {
            (slot.place, item.item): at for slot in self.store.slots(judge) for at, item in enumerate(slot.items)
        }
        found = [each for each in self.store.answers() if each.judge == judge]
        return {(each.place, position[each.place, each.item]): each.score for each in found}

    def close(self) -> None:
        """Close all."""
        for context in self._contexts:
            context.close()
        self._server.stop()
        self.store.close()

    def _note(self, kind: str, text: str) -> None:
        if kind == "error" and "ERR_" not in text and "status of 4" not in text and "status of 503" not in text:
            self.faults.append(text)

    def _note_request(self, url: str) -> None:
        if not url.startswith((self._server.address, "data:")):
            self.faults.append(f"request elsewhere: {url}")


def _created(path: Path, *, state: str = "opened", texts: tuple[str, ...] = TEXTS, **changes: Any) -> CampaignStore:
    systems = {"S0": texts, "S1": tuple(f"{text} (2)" for text in texts)}
    corpus = Corpus(systems, {}, texts)
    changes = {"groups": (JudgeGroup("people", 2),), "scale": Scale(1, 5, 1, NAMES), **changes}
    create_store(path, design_campaign(plan(len(texts), ("S0", "S1"), **changes), corpus), corpus)
    store = CampaignStore(path)
    if state:
        store.add_event("opened")
    return store


@pytest.fixture
def serving(tmp_path: Path, browser: Browser) -> Iterator[Callable[..., Served]]:
    """Serves a campaign; the test fails if a console shows a fault or a page asks for something elsewhere."""
    made: list[Served] = []

    def serve(**changes: Any) -> Served:
        made.append(Served(tmp_path, browser, **changes))
        return made[-1]

    yield serve
    for each in made:
        each.close()
    assert [fault for each in made for fault in each.faults] == []


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[Served]:
    """A campaign with an example and three judges, of whom each test takes others."""
    groups = (JudgeGroup("people", 3),)
    one = Served(
        tmp_path_factory.mktemp("campaign"),
        browser,
        groups=groups,
        training=(EXAMPLE,),
        instructions="Read <b>twice</b>.\nThen rate.",
    )
    yield one
    one.close()
    assert one.faults == []


def begin(page: Page) -> None:
    page.get_by_role("button", name="Begin").wait_for()
    page.keyboard.press("Enter")
    at(page, 1)


def at(page: Page, number: int) -> None:
    """Wait for a place, from 1."""
    page.wait_for_function("n => document.querySelector('h1')?.textContent.startsWith(`${n} of `)", arg=number)


def rate(page: Page, number: int, score: int) -> None:
    """Rate the place that is shown, by keys, and go on."""
    at(page, number)
    page.keyboard.press(str(score))
    page.keyboard.press("Enter")


def done(page: Page) -> str:
    """Wait for the completion code."""
    return page.get_by_label("Completion code").inner_text()


def test_what_is_rated_by_keys_is_what_is_stored(served: Served) -> None:
    page = served.opened(served.link())
    assert "Read <b>twice</b>.\nThen rate." in page.get_by_role("main").inner_text()
    page.keyboard.press("Enter")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    assert "the expected score is 4 to 5" in page.get_by_role("main").inner_text()
    assert EXAMPLE.feedback in page.get_by_role("main").inner_text()
    page.keyboard.press("Enter")

    at(page, 1)
    page.keyboard.press("Enter")  # nothing is chosen
    assert "Choose a score." in page.get_by_role("main").inner_text()
    slots = served.store.slots("people 1")
    for place, slot in enumerate(slots):
        at(page, place + 1)
        assert page.locator(".text").all_text_contents() == [slot.source, slot.items[0].text]
        if place == 3:
            page.keyboard.press("c")
            page.keyboard.type("<u>why</u> 5 b s?")
            page.locator("h1").focus()
        if place == 5:
            page.keyboard.press("s")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
        else:
            rate(page, place + 1, place % 5 + 1)
    code = done(page)
    page.get_by_role("button", name="Look at my answers").click()
    for _ in range(len(slots) - 1):
        page.keyboard.press("b")
    rate(page, 1, 5)

    expected = {(place, 0): float(place % 5 + 1) for place in range(len(slots))} | {(5, 0): None, (0, 0): 5.0}
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    assert served.given() == expected
    mine = [answer for answer in served.store.answers(all_revisions=True) if answer.judge == "people 1"]
    assert len(mine) == len(slots) + 1
    assert [comment[:3] for comment in served.store.comments] == [("people 1", 3, "<u>why</u> 5 b s?")]
    assert code == served.store.completion_code("people 1")
    assert page.title() != "run"
    assert all(0 < answer.shown <= answer.given <= answer.stored + 1 for answer in served.store.answers())


@pytest.mark.slow
def test_what_is_rated_while_the_server_is_down_arrives_later(serving: Callable[..., Served]) -> None:
    served = serving(repeats=0.0)
    page = served.opened(served.link())
    begin(page)
    for number in range(1, 4):
        rate(page, number, 4)
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    served.kill()
    for number in range(4, 7):
        rate(page, number, 2)
    page.get_by_text("No connection to the server. 3 answers are kept on this device").wait_for()
    assert len(served.given()) == 3
    served.start()
    page.get_by_text("No connection").wait_for(state="detached")
    page.context.set_offline(True)
    for number in range(7, 13):
        rate(page, number, 5)
    page.get_by_role("heading", name="Almost done").wait_for()
    page.context.set_offline(False)
    done(page)
    assert [score for _, score in sorted(served.given().items())] == [4.0] * 3 + [2.0] * 3 + [5.0] * 6
    assert len(served.store.answers(all_revisions=True)) == 12


@pytest.mark.slow
def test_what_is_rated_while_the_file_is_gone_is_kept_and_arrives_when_it_is_back(
    serving: Callable[..., Served],
) -> None:
    served = serving(repeats=0.0)
    page = served.opened(served.link())
    begin(page)
    rate(page, 1, 4)
    page.wait_for_function(QUEUE_IS_EMPTY)
    path = served.store.path
    kept = path.rename(path.with_name("kept.db"))
    for number in (2, 3):
        rate(page, number, 2)
    page.get_by_text(
        "The server cannot take answers at the moment. 2 answers are kept on this device and sent again. You can go on."
    ).wait_for()
    page.reload()
    page.get_by_text("Answers of yours that are not stored yet are kept on this device and sent again.").wait_for()
    kept.rename(path)
    page.reload()
    at(page, 4)
    page.wait_for_function(QUEUE_IS_EMPTY)
    assert [score for _, score in sorted(served.given().items())] == [4.0, 2.0, 2.0]


@pytest.mark.slow
def test_a_page_sends_again_what_a_restored_copy_does_not_have(serving: Callable[..., Served]) -> None:
    served = serving(repeats=0.0)
    page = served.opened(served.link())
    begin(page)
    rate(page, 1, 4)
    page.wait_for_function(QUEUE_IS_EMPTY)
    path = served.store.path
    served.store.backup(path.with_name("copy.db"))
    for number in (2, 3):
        rate(page, number, 2)
    page.keyboard.press("b")
    rate(page, 3, 5)
    page.wait_for_function(QUEUE_IS_EMPTY)
    assert [score for _, score in sorted(served.given().items())] == [4.0, 2.0, 5.0]
    served.kill()
    path.with_name("copy.db").replace(path)
    served.start()
    rate(page, 4, 1)  # which shows the page that the server is another one
    served.reopen()
    for _ in range(500):
        if len(served.given()) == 4:
            break
        page.wait_for_timeout(20)
    assert [score for _, score in sorted(served.given().items())] == [4.0, 2.0, 5.0, 1.0]
    assert len(served.store.answers(all_revisions=True)) == 4


@pytest.mark.slow
def test_tabs_back_reload_and_another_device_lose_and_repeat_nothing(serving: Callable[..., Served]) -> None:
    served = serving()
    link = served.link()
    one = served.opened(link)
    begin(one)
    two = served.opened(link, beside=one)
    begin(two)
    served.kill()
    rate(one, 1, 1)
    rate(one, 2, 2)
    rate(two, 1, 3)  # a second thought, in the other tab
    at(two, 2)
    served.start()
    one.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    assert served.given() == {(0, 0): 3.0, (1, 0): 2.0}
    assert len(served.store.answers(all_revisions=True)) == 3

    at(one, 3)
    one.go_back()
    at(one, 2)
    one.go_forward()
    rate(one, 3, 4)
    at(one, 4)
    one.reload()
    at(one, 4)
    one.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    other = served.opened(link)
    assert "Welcome back" in other.get_by_role("main").inner_text()
    other.get_by_role("button", name="Go on at 4").click()
    for number in range(4, 13):
        rate(other, number, 5)
    done(other)
    assert [score for _, score in sorted(served.given().items())] == [3.0, 2.0, 4.0] + [5.0] * 9


def test_an_answer_whose_acknowledgement_is_lost_counts_once_and_judges_at_one_browser_stay_apart(
    served: Served,
) -> None:
    one = served.opened(served.link("people 2"))
    two = served.opened(served.link("people 3"), beside=one)
    for page in (one, two):
        page.get_by_text("Then rate.").wait_for()
        for key in ("Enter", "2", "Enter", "Enter"):  # through the example
            page.keyboard.press(key)
        at(page, 1)

    def lose(route: Route) -> None:
        route.fetch()  # the server stores it
        route.abort()

    one.route("**/api/answers", lose, times=2)
    rate(one, 1, 4)
    one.get_by_text("No connection to the server. 1 answer is kept on this device").wait_for()
    rate(two, 1, 2)
    for page in (one, two):
        page.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    one.get_by_text("No connection").wait_for(state="detached")
    assert served.given("people 2") == {(0, 0): 4.0}
    assert served.given("people 3") == {(0, 0): 2.0}
    others = [answer for answer in served.store.answers(all_revisions=True) if answer.judge != "people 1"]
    assert len(others) == 2


@pytest.mark.slow
def test_without_storage_the_page_warns_and_still_sends(serving: Callable[..., Served]) -> None:
    served = serving(repeats=0.0)
    page = served.opened(served.link())
    page.add_init_script(NO_STORAGE)
    page.reload()
    begin(page)
    page.context.set_offline(True)
    rate(page, 1, 4)
    rate(page, 2, 2)
    page.get_by_text("leave it open until all answers are sent").wait_for()
    page.context.set_offline(False)
    page.get_by_text("leave it open").wait_for(state="detached")
    assert served.given() == {(0, 0): 4.0, (1, 0): 2.0}


@pytest.mark.slow
def test_a_page_says_what_the_campaign_is_at(serving: Callable[..., Served]) -> None:
    served = serving(state="")
    link = served.link()
    page = served.opened(f"{link}x")
    page.get_by_text("This link is not valid. Ask the person who sent it to you for a new one.").wait_for()
    page = served.opened(link)
    page.get_by_text("The campaign is not open yet.").wait_for()
    served.store.add_event("opened")
    page.reload()
    begin(page)
    served.store.add_event("paused")
    rate(page, 1, 4)
    page.get_by_text("The campaign is paused. 1 answer is kept on this device and sent when it goes on.").wait_for()
    served.opened(link).get_by_role("heading", name="Paused").wait_for()
    served.store.add_event("reopened")
    page.reload()
    at(page, 2)
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    assert served.given() == {(0, 0): 4.0}
    served.store.add_event("closed")
    rate(page, 2, 4)
    page.get_by_role("heading", name="Closed").wait_for()
    page.get_by_text("1 answer of yours came too late and is kept on this device.").wait_for()
    assert "paused" not in page.locator("body").inner_text()
    page.reload()  # from here on the server sends no texts
    page.get_by_role("heading", name="Closed").wait_for()
    page.get_by_text("1 answer of yours came too late and is kept on this device.").wait_for()
    other = "people 2"
    served.store.add_event("reopened")
    for slot in served.store.slots(other):
        served.store.add_rating(other, slot.place, slot.items[0].item, 3, client=f"{slot.place}", shown=1, given=2)
    served.store.add_event("closed")
    code = served.opened(served.link(other)).locator("output.code")
    assert code.inner_text() == served.store.completion_code(other)


@pytest.mark.parametrize(
    ("presentation", "scale"),
    [
        ("single", Scale(1, 5, 1, NAMES)),
        pytest.param("side by side", Scale(0, 10), marks=pytest.mark.slow),
        pytest.param("single", Scale(0, 100, 1, {0.0: "bad"}), marks=pytest.mark.slow),
    ],
)
def test_pages_fit_phones_and_have_no_serious_finding(
    serving: Callable[..., Served], presentation: str, scale: Scale
) -> None:
    training = (TrainingExample(text="x" * 300, lowest=scale.lowest, highest=scale.highest, feedback="y" * 300),)
    served = serving(presentation=presentation, scale=scale, training=training, instructions="z" * 300)
    page = served.opened(served.link(), viewport={"width": 360, "height": 640})
    slider = scale.highest == 100

    def look() -> None:
        assert page.evaluate(TOO_WIDE) <= 0
        assert page.evaluate(UNNAMED) == []

    def check(*, dark: bool) -> None:
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found] == []

    look()
    check(dark=True)
    page.keyboard.press("Enter")
    page.keyboard.type("7" if slider else "1")
    page.keyboard.press("Enter")
    look()
    page.keyboard.press("Enter")
    places = len(served.store.slots("people 1"))
    expected = {}
    for place in range(places):
        at(page, place + 1)
        look()
        if place == 0:
            page.keyboard.press("?")
            look()
            check(dark=False)
            page.keyboard.press("Escape")
            page.keyboard.press("s")
            look()
            page.keyboard.press("Escape")
            check(dark=False)
        for position in range(page.locator(".scale").count()):
            score = 10 * place + 7 - 7 * (place == 10) if slider else (place + position) % 5 + 1
            if slider and place % 2 == 0:
                page.keyboard.type(str(min(score, 100)))
            elif slider:
                page.get_by_role("slider").focus()
                page.keyboard.press("Home")
                page.keyboard.press("ArrowRight")
                score = 1
            else:
                page.keyboard.press(str(score))
            expected[place, position] = float(min(score, 100))
        page.keyboard.press("Enter")
    done(page)
    look()
    check(dark=True)
    assert served.given() == expected
