"""The page Segments in a real browser: keys, Back, a row, an address in another browser, hostile and foreign text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from visitor import Visitor, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")

#: Each in a text of its own; none is to have any effect.
HOSTILE = [
    "<img src=x onerror=\"document.title='X'\"> end",
    "<script>document.title='X'</script> end",
    "</p></mark></div><style>*{display:none}</style> end",
    "**bold** $x^2$ :red[RED] :material/upload: end",
    "![i](http://127.0.0.1:9/x.png) end",
    "&lt;b&gt; &amp; &quot; end",
]
NOTED = "n s j <b>bold</b> **b** $x^2$ =1+1"
OURS, THEIRS = "<b>ours $x^2$", "**theirs** :red[r]"
FOREIGN = ["مرحبا بالعالم، كيف حالك؟", "שלום עולם, מה שלומך?", "今日は世界。お元気ですか。"]
LINES = [*HOSTILE, *FOREIGN]


def number(visitor: Visitor) -> str:
    return visitor.page.get_by_label("Segment (1 to").input_value()


def opened(visitor: Visitor, path: str) -> str:
    """Open the page; gives the number of the segment that is read, which the box shows a moment after it is drawn."""
    visitor.goto(path)
    visitor.page.wait_for_selector(".segment-text")
    visitor.eventually(lambda: current(visitor) == number(visitor), expected=True)
    return number(visitor)


def current(visitor: Visitor) -> str | None:
    """The number of the segment that keys act on."""
    return visitor.page.locator(".segment-number[aria-current=true]").get_attribute("data-number")


def card(visitor: Visitor) -> Locator:
    """The segment that keys act on."""
    return visitor.page.locator("[class*=st-key-segment-card-]", has=visitor.page.locator("[aria-current=true]"))


def press(visitor: Visitor, key: str) -> str:
    """Press a key that opens another segment; gives its number."""
    before = number(visitor)
    visitor.page.keyboard.press(key)
    visitor.eventually(lambda: number(visitor) == before, expected=False)
    visitor.idle()
    return number(visitor)


def test_keys_walk_through_the_list_and_back_undoes_each_step(visitor: Visitor) -> None:
    seen = [opened(visitor, "/segments?segments_order=Longest")]
    seen += [press(visitor, "j")]
    assert len(set(seen)) == 2
    assert press(visitor, "k") == seen[0]
    for earlier in (seen[1], seen[0]):
        visitor.page.go_back()
        visitor.eventually(lambda: number(visitor), earlier)


def accessible(visitor: Visitor) -> None:
    """The texts, marks and sentences of the page can be read by all, for all that axe finds."""
    found = Axe().run(visitor.page, options={"resultTypes": ["violations"]}).response["violations"]
    ours = re.compile("segment-|labelled|text-label|legend|found")
    assert [node["html"] for rule in found for node in rule["nodes"] if ours.search(node["html"])] == []


@pytest.fixture(scope="module")
def hostile_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard on texts, names of systems, documents and labels that others would interpret."""
    folder = tmp_path_factory.mktemp("hostile")
    texts = {
        "source": LINES,
        "ref": LINES,
        OURS: [f"{line} a" for line in LINES],
        THEIRS: LINES[::-1],
        "docs": [line.split()[0] for line in LINES],
        "labels": ["segment\tdomain\t=1+1", *(f"{n}\t{line}\t{line}" for n, line in enumerate(LINES, start=1))],
    }
    paths = {name: folder / f"{name}{'.tsv' if name == 'labels' else '.txt'}" for name in texts}
    for name, lines in texts.items():
        paths[name].write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = [str(paths[name]) for name in (OURS, THEIRS)]
    for option, name in (("ref", "ref"), ("source", "source"), ("documents", "docs"), ("labels", "labels")):
        files += [f"--{option}", str(paths[name])]
    home = folder / "home"
    home.mkdir()
    with serve(home, files) as address:
        yield address


def test_hostile_and_foreign_text_is_shown_as_it_is(browser: Browser, hostile_server: str) -> None:
    someone = Visitor(browser, hostile_server)
    opened(someone, f"/segments?segments_order=Segment+number&pair_system={quote(OURS)}&pair_baseline={quote(THEIRS)}")
    said = someone.text().replace("\u2060", "")  # which keeps Markdown from reading a colon
    assert OURS in said
    assert THEIRS in said
    direction = "e => getComputedStyle(e).direction"
    for place, line in enumerate(LINES):
        shown = someone.page.locator(f".st-key-segment-card-{place} .segment-text")
        assert shown.all_inner_texts() == [line, line, f"{line} a", LINES[-1 - place]]
        source = shown.first
        assert source.evaluate(direction) == ("rtl" if line in FOREIGN[:2] else "ltr")
        assert source.get_attribute("lang") == dict(zip(FOREIGN, ("ar", "he", "ja"), strict=True)).get(line)
    facts = [found.split("\n") for found in someone.page.locator(".segment-facts").all_inner_texts()]
    assert [[of[0], *of[2:]] for of in facts] == [[line.split()[0], f"domain {line}", f"=1+1 {line}"] for line in LINES]
    assert someone.page.title() != "X"
    assert someone.page.locator(".segment-text :not(mark), .text-label :not(b), .segment-facts li :not(b)").count() == 0
    assert someone.page.locator(".stMain img, .stMain .katex, .stMain a[href*=':9']").count() == 0
    accessible(someone)
    someone.close()
    assert someone.faults == []


@pytest.mark.slow
def test_on_a_phone_at_night_nothing_is_wider_than_the_window(browser: Browser, hostile_server: str) -> None:
    someone = Visitor(browser, hostile_server, dark=True, width=430)
    limits = {"segments_within": "segment in 1-8", "segments_from": "1", "segments_to": "8", "slice": "segment > 0"}
    found = {"segments_search": "e", "segments_regular": "true", "segments_order": "Segment number"}
    opened(someone, f"/segments?{urlencode(limits | found)}")
    assert "Only segments where segment in 1-8 (8 of 9)" in someone.text()
    assert someone.page.locator("mark.found").count() > 0
    assert someone.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 430
    box = someone.page.locator(".segment-text").first.bounding_box()
    assert box is not None
    assert box["width"] > 300
    accessible(someone)
    someone.close()
    assert someone.faults == []


@pytest.mark.slow
def test_word_differences_and_the_score_are_explained_at_a_click(visitor: Visitor) -> None:
    opened(visitor, "/segments")
    page = visitor.page
    assert page.locator(".segment-text mark[class^=order]").count() > 0
    visitor.unfold("segments-legend")
    page.get_by_text("Mark word differences").click()
    page.wait_for_selector(".segment-text mark.different")
    visitor.idle()
    assert page.locator(".segment-text mark[class^=order]").count() == 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More").first.click()
    page.get_by_text("Why this score").first.click()
    page.wait_for_function("() => document.body.innerText.includes('Brevity penalty: the output has')")


@pytest.mark.slow
def test_a_stretch_of_the_curve_lists_its_segments(visitor: Visitor) -> None:
    opened(visitor, "/segments?segments_order=Largest+gain")
    page = visitor.page
    everything = visitor.listed_segments()
    page.get_by_text("Cumulative difference by segment").click()
    visitor.idle()
    plot = page.locator(".st-key-chart-influence .nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 1, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, y + 5, steps=10)
    page.mouse.up()
    first, last = (page.get_by_label(name, exact=True) for name in ("Show segments", "to"))
    page.wait_for_function("() => /segments_to=/.test(location.search)")
    visitor.idle()
    assert first.input_value() == "1"
    assert 150 < int(last.input_value()) < 350
    assert visitor.listed_segments() == everything  # the largest gains
    first.focus()  # and by the keyboard alone
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    visitor.eventually(lambda: visitor.listed_segments()[:9], everything[1:])
    page.get_by_role("button", name="List all ranks").press("Enter")
    visitor.eventually(visitor.listed_segments, everything)


@pytest.mark.slow
def test_stars_and_notes_are_set_by_keys_and_go_to_another_session(
    visitor: Visitor, browser: Browser, server: str, tmp_path: Path
) -> None:
    first = opened(visitor, "/segments")
    page = visitor.page
    page.keyboard.press("s")
    page.get_by_role("button", name="Starred").wait_for()
    assert page.locator(".st-key-segment_note").count() == 0
    page.keyboard.press("n")  # opens the details
    page.wait_for_function("() => document.activeElement.closest('.st-key-segment_note') !== null")
    page.keyboard.type(NOTED)
    page.keyboard.press("Enter")
    visitor.idle()
    assert number(visitor) == first
    page.get_by_role("button", name="Stars and notes").click()
    with page.expect_download() as found:
        page.get_by_role("button", name="Stars and notes (TSV)").click()
    path = tmp_path / "notes.tsv"
    found.value.save_as(path)
    header, row = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    assert header == "data\tsegment\tstarred\tnote"
    assert row.split("\t")[1:] == [first, "yes", NOTED]
    other = Visitor(browser, server)
    assert opened(other, "/segments") == first
    other.page.get_by_role("button", name="Stars and notes").click()
    other.page.locator(".st-key-notes_added input[type=file]").set_input_files(path)
    other.page.get_by_role("button", name="Add to the session").click()
    other.page.get_by_text("Stars and notes of 1 segment added.").wait_for()
    card(other).get_by_text(f"Note: {NOTED}").wait_for()
    other.close()


#: Top and bottom of the segments that are shown, pixels from the top of the window.
EDGES = """() => [...document.querySelectorAll('[class*=st-key-segment-card-]')].map(e => e.getBoundingClientRect())
    .map(box => [box.top, box.bottom])"""


@pytest.fixture(scope="module")
def ted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard on a real test set with long segments, two references and documents."""
    if not DATA:
        pytest.skip("BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")
    folder = Path(DATA) / "data" / "ted-zhen"
    files = [str(path) for path in sorted((folder / "systems").glob("*.txt"))]
    files += [part for path in sorted((folder / "refs").glob("*.txt")) for part in ("--ref", str(path))]
    for option, name in (("source", "source.txt"), ("documents", "docs.txt"), ("human", "human.csv")):
        files += [f"--{option}", str(folder / name)]
    with serve(tmp_path_factory.mktemp("ted"), files) as address:
        yield address


@pytest.mark.slow
def test_three_segments_are_seen_at_once_with_all_their_texts(browser: Browser, ted: str) -> None:
    someone = Visitor(browser, ted, width=1440, height=900)
    opened(someone, "/segments")
    edges = someone.page.evaluate(EDGES)
    assert len(edges) == 10
    assert sum(0 <= top < bottom <= 900 for top, bottom in edges) >= 3
    for place in range(3):  # the source, two references and two outputs of each
        seen = someone.page.locator(f".st-key-segment-card-{place}")
        assert seen.locator(".segment-text").count() == 5
        assert seen.locator(".segment-text").nth(3).locator("mark[class^=order]").count() > 0
    accessible(someone)
    someone.close()
    assert someone.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_on_a_phone_texts_stand_below_each_other_and_nothing_is_cut(browser: Browser, ted: str, *, dark: bool) -> None:
    someone = Visitor(browser, ted, width=390, height=844, dark=dark)
    opened(someone, "/segments?segments_all_systems=true&segment_details=true")
    boxes = someone.page.locator(".st-key-segment-card-0 .labelled-text").evaluate_all(
        "found => found.map(e => e.getBoundingClientRect()).map(box => [box.left, box.right, box.top, box.bottom])"
    )
    assert len(boxes) == 3 + 13
    assert all(left >= 0 and right <= 390 and right - left > 300 for left, right, _, _ in boxes)
    assert all(bottom <= top for (*_, bottom), (_, _, top, _) in pairwise(boxes))
    wider = "found => found.filter(e => e.scrollWidth > e.clientWidth + 1).length"
    assert someone.page.locator(".segment-text, .text-label, .segment-facts").evaluate_all(wider) == 0
    assert someone.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    accessible(someone)
    someone.close()
    assert someone.faults == []


@pytest.mark.slow
def test_axis_titles_of_the_curve_are_whole_on_a_phone(browser: Browser, ted: str) -> None:
    someone = Visitor(browser, ted, width=390, height=844)
    opened(someone, "/segments")
    someone.page.get_by_text("Cumulative difference by segment").click()
    someone.page.wait_for_selector(".st-key-chart-influence .xtitle")
    someone.idle()
    inside = """() => {
        const plot = document.querySelector('.st-key-chart-influence .main-svg').getBoundingClientRect();
        return [...document.querySelectorAll('.st-key-chart-influence :is(.xtitle, .ytitle)')]
            .map(e => e.getBoundingClientRect())
            .map(box => box.left >= plot.left && box.right <= plot.right && box.top >= plot.top
                && box.bottom <= plot.bottom)
    }"""
    someone.eventually(lambda: someone.page.evaluate(inside), [True, True])
    someone.close()
    assert someone.faults == []


@pytest.mark.slow
def test_the_list_is_read_by_the_keyboard_alone(browser: Browser, ted: str) -> None:
    someone = Visitor(browser, ted, width=1440, height=900)
    first = opened(someone, "/segments")
    page = someone.page
    in_view = """() => { const box = document.querySelector('.segment-number[aria-current=true]')
        .closest('[class*=st-key-segment-card-]').getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight }"""
    for _ in range(5):
        press(someone, "j")
    someone.eventually(lambda: page.evaluate(in_view), expected=True)
    assert current(someone) == someone.listed_segments()[5] != first
    page.keyboard.press("s")
    card(someone).get_by_role("button", name="Starred").wait_for()
    page.get_by_role("button", name="Show segments 11 to 20").press("Enter")
    someone.idle()
    assert current(someone) == someone.listed_segments()[0]
    someone.eventually(lambda: page.evaluate(in_view), expected=True)
    card(someone).get_by_role("button", name="More").press("Enter")
    page.get_by_label("Note (press N)").wait_for()
    someone.idle()
    accessible(someone)
    someone.close()
    assert someone.faults == []
