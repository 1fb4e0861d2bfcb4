"""The page Segments in a real browser: keys, Back, a row, an address in another browser, hostile and foreign text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from visitor import Visitor, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: Each in a text of its own; none is to have any effect.
HOSTILE = [
    "<img src=x onerror=\"document.title='X'\"> end",
    "<script>document.title='X'</script> end",
    "</p></mark></div><style>*{display:none}</style> end",
    "**bold** $x^2$ :red[RED] :material/upload: end",
    "![i](http://127.0.0.1:9/x.png) end",
    "&lt;b&gt; &amp; &quot; end",
]
FOREIGN = ["مرحبا بالعالم، كيف حالك؟", "שלום עולם, מה שלומך?", "今日は世界。お元気ですか。"]


def number(visitor: Visitor) -> str:
    return visitor.page.get_by_label("Segment (1 to").input_value()


def texts(visitor: Visitor) -> list[str]:
    return visitor.page.locator(".segment-text").all_inner_texts()


def opened(visitor: Visitor, path: str) -> str:
    """Open the page; gives the number of the segment that is read, which the box shows a moment after it is drawn."""
    visitor.goto(path)
    visitor.page.wait_for_selector(".segment-text")
    heading = visitor.page.locator(".st-key-reader h3")
    visitor.eventually(lambda: heading.inner_text().split()[1] == number(visitor), expected=True)
    return number(visitor)


def press(visitor: Visitor, key: str) -> str:
    """Press a key that opens another segment; gives its number."""
    before = number(visitor)
    visitor.page.keyboard.press(key)
    visitor.eventually(lambda: number(visitor) == before, expected=False)
    visitor.idle()
    return number(visitor)


def test_keys_walk_through_the_list_and_back_undoes_each_step(visitor: Visitor) -> None:
    seen = [opened(visitor, "/segments?segments_order=Longest")]
    seen += [press(visitor, "j"), press(visitor, "j")]
    assert len(set(seen)) == 3
    assert press(visitor, "k") == seen[1]
    for earlier in (seen[2], seen[1], seen[0]):
        visitor.page.go_back()
        visitor.eventually(lambda: number(visitor), earlier)


def test_an_address_opens_the_same_segment_in_another_browser(visitor: Visitor, browser: Browser, server: str) -> None:
    opened(visitor, "/segments")
    visitor.choose("Order", "Largest gain")
    visitor.page.get_by_role("button", name="Next").click()
    visitor.page.wait_for_function("() => /read_segment=/.test(location.search)")
    visitor.idle()
    shown, address = (number(visitor), texts(visitor)), visitor.page.url
    other = Visitor(browser, server)
    other.goto(address.removeprefix(server))
    other.eventually(lambda: (number(other), texts(other)), shown)
    other.close()


@pytest.mark.parametrize("dark", [False, True])
def test_hostile_and_foreign_text_is_shown_as_it_is(browser: Browser, tmp_path: Path, *, dark: bool) -> None:
    lines = [*HOSTILE, *FOREIGN]
    ours = [f"{line} a" for line in lines]
    for name, content in {"source": lines, "ref": lines, "ours": ours, "theirs": lines[::-1]}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(content) + "\n", encoding="utf-8")
    files = [str(tmp_path / "ours.txt"), str(tmp_path / "theirs.txt")]
    options = ["--ref", str(tmp_path / "ref.txt"), "--source", str(tmp_path / "source.txt")]
    home = tmp_path / "home"
    home.mkdir()
    with serve(home, [*files, *options]) as server:
        someone = Visitor(browser, server, dark=dark)
        opened(someone, "/segments?segments_order=Segment+number&pair_system=ours&pair_baseline=theirs")
        for place, line in enumerate(lines):
            someone.eventually(lambda: number(someone), str(place + 1))
            someone.eventually(lambda: texts(someone), [line, line, f"{line} a", lines[-1 - place]])
            if line != lines[-1]:
                press(someone, "j")
        assert someone.page.title() != "X"
        assert someone.page.locator(".segment-text :not(mark)").count() == 0
        direction = "e => getComputedStyle(e).direction"
        for place, wanted in ((7, "rtl"), (8, "rtl"), (9, "ltr"), (1, "ltr")):
            box = someone.page.get_by_label("Segment (1 to")
            box.fill(str(place))
            box.press("Enter")
            someone.eventually(lambda: texts(someone)[0], lines[place - 1])
            assert someone.page.locator(".segment-text").first.evaluate(direction) == wanted
        found = Axe().run(someone.page, options={"resultTypes": ["violations"]}).response["violations"]
        of_reader = [node for rule in found for node in rule["nodes"] if re.search("segment-text|legend", node["html"])]
        assert of_reader == []
        someone.close()


def test_word_differences_and_the_score_are_explained_at_a_click(visitor: Visitor) -> None:
    opened(visitor, "/segments")
    page = visitor.page
    assert page.locator(".segment-text mark[class^=order]").count() > 0
    page.get_by_text("Mark word differences").click()
    page.wait_for_selector(".segment-text mark.different")
    assert page.locator(".segment-text mark[class^=order]").count() == 0
    page.get_by_text("Why this score").first.click()
    page.wait_for_function("() => document.body.innerText.includes('Brevity penalty: the output has')")


def test_on_a_phone_nothing_is_wider_than_the_window(browser: Browser, server: str) -> None:
    someone = Visitor(browser, server, width=430)
    opened(someone, "/segments")
    assert someone.page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 430
    box = someone.page.locator(".segment-text").first.bounding_box()
    assert box is not None
    assert box["width"] > 300
    someone.close()


def test_stars_and_notes_are_set_by_keys_and_go_to_another_session(
    visitor: Visitor, browser: Browser, server: str, tmp_path: Path
) -> None:
    first = opened(visitor, "/segments")
    page = visitor.page
    page.keyboard.press("s")
    page.get_by_role("button", name="Starred").wait_for()
    page.keyboard.press("n")
    page.wait_for_function("() => document.activeElement.closest('.st-key-segment_note') !== null")
    page.keyboard.type("n s j <b>bold</b>")
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
    assert row.split("\t")[1:] == [first, "yes", "n s j <b>bold</b>"]
    other = Visitor(browser, server)
    assert opened(other, "/segments") == first
    other.page.get_by_role("button", name="Stars and notes").click()
    other.page.locator(".st-key-notes_added input[type=file]").set_input_files(path)
    other.page.get_by_role("button", name="Add to the session").click()
    other.page.get_by_text("Stars and notes of 1 segment added.").wait_for()
    other.eventually(other.page.get_by_label("Note (press N)").input_value, "n s j <b>bold</b>")
    assert other.column("segments-listed", "note")[0] == "n s j <b>bold</b>"
    other.close()
