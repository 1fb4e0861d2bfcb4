"""Errors in texts on the page Segments in a real browser: notes at the pointer, by keys and by touch; hostile names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from accessibility import problems
from visitor import Visitor, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

ADDRESS = "/segments?segments_order=Segment+number&pair_system=a&pair_baseline=b"
HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
SOURCE = ["the quick brown fox jumps over the lazy dog and runs away from all of the hounds", "مرحبا بالعالم اليوم"]
OUTPUT = ["a fast brown fox <i>leaps</i> over a lazy dog and runs from the hounds & their barking", "مرحبا بالعالم"]
BOB = "bob <img src=x onerror=\"document.title='X'\">"
CATEGORY = "**Style** $x^2$ :red[R] <script>document.title='X'</script>"


def marked(text: str, words: str) -> str:
    return text.replace(words, f"<v>{words}</v>", 1)


ROWS = [
    ("1", "ann", SOURCE[0], marked(OUTPUT[0], "fast brown fox"), CATEGORY, "Minor"),
    ("1", "ann", SOURCE[0], marked(OUTPUT[0], "barking"), "Accuracy/Addition", "Neutral"),
    ("1", "ann", marked(SOURCE[0], "away"), OUTPUT[0], "Accuracy/Omission", "Major"),
    ("1", BOB, SOURCE[0], marked(OUTPUT[0], "fox <i>leaps</i>"), "Accuracy/Mistranslation", "Critical"),
    ("1", "cara", SOURCE[0], marked(OUTPUT[0], "brown fox <i>leaps"), "Fluency/Grammar", "Major"),
    ("1", "dan", SOURCE[0], OUTPUT[0], "Accuracy/Omission", "Major"),
    ("2", "ann", SOURCE[1], marked(OUTPUT[1], "حبا ب"), "فئة/خطأ", "Minor"),
    ("2", BOB, SOURCE[1], OUTPUT[1], "No-error", "No-error"),
]


@pytest.fixture(scope="module")
def marked_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard on texts in which several judges marked errors, with names that others would interpret."""
    folder = tmp_path_factory.mktemp("marked")
    texts = {
        "a.txt": OUTPUT,
        "b.txt": SOURCE,
        "ref.txt": [f"{line} end" for line in SOURCE],
        "source.txt": SOURCE,
        "mqm.tsv": [HEADER, *("\t".join(("a", "d", row[0], *row)) for row in ROWS)],
    }
    for name, lines in texts.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    paths = {name: str(folder / name) for name in texts}
    home = folder / "home"
    home.mkdir()
    options = ["--ref", paths["ref.txt"], "--source", paths["source.txt"], "--human", paths["mqm.tsv"]]
    with serve(home, [paths["a.txt"], paths["b.txt"], *options]) as address:
        yield address


@pytest.fixture(scope="module")
def reader(browser: Browser, marked_server: str) -> Iterator[Visitor]:
    """Someone who has the texts open."""
    someone = Visitor(browser, marked_server, height=1200)
    someone.goto(ADDRESS)
    someone.page.wait_for_selector(".segment-text mark.error")
    yield someone
    someone.close()
    assert someone.faults == []


def piece(page: Page, text: str) -> Locator:
    """The piece of the first output whose text, without its note, is this."""
    pieces = page.locator(".labelled-text.output mark.error")
    texts: list[str] = pieces.evaluate_all("all => all.map(e => e.firstElementChild.textContent.trim())")
    return pieces.nth(texts.index(text))


def notes(page: Page) -> list[str]:
    """The notes that can be seen."""
    return [note.inner_text() for note in page.locator(".error-note").all() if note.is_visible()]


def inside(note: Locator, page: Page) -> bool:
    """Whether a note is in the window, as wide as its text."""
    box, width = note.bounding_box(), page.evaluate("window.innerWidth")
    assert box is not None
    return box["x"] >= 0 and box["x"] + box["width"] <= width and box["width"] > 60


def test_notes_open_at_the_pointer_and_by_keys(reader: Visitor) -> None:
    page = reader.page
    assert notes(page) == []
    fast, fox = piece(page, "fast"), piece(page, "fox")
    fast.hover()
    ann = f"minor, {CATEGORY} (ann)"
    assert notes(page) == [ann]
    page.mouse.move(5, 5)
    assert notes(page) == []
    fast.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expected = [ann, f"critical, Accuracy/Mistranslation ({BOB})", "major, Fluency/Grammar (cara)"]
    assert notes(page)[0].split("\n") == expected
    assert page.evaluate("document.activeElement.textContent").startswith("foxminor")
    assert fox.evaluate("e => document.getElementById(e.getAttribute('aria-describedby')).textContent") == "".join(
        expected
    )
    assert problems(reader) == []  # with an open note
    fast.hover()  # the pointer's note takes the place of that of the focus
    assert notes(page) == [ann]
    page.mouse.move(5, 5)
    page.keyboard.press("Escape")
    assert notes(page) == []
    page.keyboard.press("Shift+Tab")
    assert len(notes(page)) == 1
    assert page.title() != "X"
    assert page.locator(".stMain img, .stMain .katex, .labelled-text script").count() == 0


def test_texts_lists_and_lines_are_those_of_the_file_and_fit_a_phone(reader: Visitor) -> None:
    page = reader.page
    page.evaluate("() => document.activeElement.blur()")  # a note may still be open
    page.set_viewport_size({"width": 390, "height": 844})
    reader.idle()
    outputs = page.locator(".labelled-text.output:has(.error-list)")
    assert outputs.locator(".segment-text").all_inner_texts() == OUTPUT
    assert outputs.nth(1).locator(".segment-text").evaluate("e => getComputedStyle(e).direction") == "rtl"
    style = "e => getComputedStyle(e).textDecorationStyle"
    severities = {"minor": "dotted", "major": "double", "critical": "solid", "other": "dashed"}
    for severity, line in severities.items():
        assert page.locator(f".error-line.{severity}").first.evaluate(style) == line
    offsets = page.locator(".error-line.layer-1, .error-line.layer-2, .error-line.layer-3").evaluate_all(
        "all => Object.fromEntries(all.map(e => [e.className.at(-1), getComputedStyle(e).textUnderlineOffset]))"
    )
    assert len(set(offsets.values())) == 3
    assert "Lines from top to bottom: ann (2 errors)" in outputs.first.inner_text()
    assert "Missing text: major, Accuracy/Omission (dan)" in outputs.first.inner_text()
    assert f"No errors: {BOB}." in outputs.nth(1).inner_text()
    assert page.locator(".labelled-text:not(.output) mark.error").inner_text() == "away"
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
    page.emulate_media(media="print")
    listed = outputs.first.locator(".error-list li")
    assert [entry.is_visible() and box_height(entry) > 8 for entry in listed.all()] == [True] * 5
    assert listed.first.inner_text() == f"“fast brown fox”: minor, {CATEGORY} (ann)"


@pytest.mark.slow
def test_marked_texts_on_a_phone_are_accessible_at_night(browser: Browser, marked_server: str) -> None:
    someone = Visitor(browser, marked_server, dark=True, width=390, height=844)
    someone.goto(ADDRESS)
    someone.page.wait_for_selector(".segment-text mark.error")
    assert problems(someone) == []
    someone.close()
    assert someone.faults == []


def box_height(element: Locator) -> float:
    box = element.bounding_box()
    return 0.0 if box is None else box["height"]


@pytest.mark.slow
def test_a_tap_opens_a_note_and_another_closes_it(browser: Browser, marked_server: str) -> None:
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(marked_server + ADDRESS)
    page.wait_for_selector(".segment-text mark.error")
    page.wait_for_timeout(1000)  # the page scrolls
    for text, shown in (("fast", 1), ("fox", 3), ("<i>leaps", 2)):  # the last begins no error
        touched = piece(page, text)
        touched.scroll_into_view_if_needed()
        touched.tap()
        page.wait_for_function(
            "n => document.querySelectorAll('mark.error:focus > .error-note > span').length == n", arg=shown
        )
        (note,) = [note for note in page.locator(".error-note").all() if note.is_visible()]
        assert inside(note, page)
    page.locator(".error-annotators").first.tap()
    page.wait_for_function("() => !document.querySelector('mark.error:focus')")
    assert notes(page) == []
    context.close()


@pytest.mark.slow
def test_the_choice_of_judges_is_part_of_the_address(browser: Browser, marked_server: str) -> None:
    someone = Visitor(browser, marked_server, height=1200)
    page = someone.page
    someone.goto(ADDRESS)
    page.wait_for_selector(".segment-text mark.error")
    someone.unfold("without_errors_of-list")
    page.locator(".st-key-without_errors_of-boxes label").filter(has_text=re.compile("^ann$")).click()
    page.wait_for_function("() => /without_errors_of=ann/.test(location.search)")
    someone.idle()
    assert "(ann)" not in page.locator(".labelled-texts").first.inner_text()
    page.locator(".st-key-without_errors_of-none button").click()
    someone.idle()
    assert page.locator(".segment-text mark.error").count() == 0
    page.go_back()
    page.wait_for_selector(".segment-text mark.error")
    someone.close()
    assert someone.faults == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_the_parts_about_errors_are_accessible_and_fit_a_phone(
    browser: Browser, marked_server: str, *, dark: bool
) -> None:
    someone = Visitor(browser, marked_server, dark=dark, width=390, height=844)
    page = someone.page
    for place, heading in (("two-systems", "Errors of all systems"), ("judges", "Errors per 1,000 tokens")):
        part = "errors" if place == "two-systems" else "error-spans"
        someone.goto(f"/{place}?{place.replace('-', '_')}_part={part}&pair_system=a&pair_baseline=b")
        page.get_by_role("heading", name=heading).wait_for()
        someone.idle()
        assert problems(someone) == [], place
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), place
        assert page.locator(".stMain img, .stMain .katex, .stMain script").count() == 0
    assert page.title() != "X"
    someone.close()
    assert someone.faults == []
