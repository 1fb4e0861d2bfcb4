"""Uploads in a real browser: good files, bad files, hostile names, links to data that are not loaded."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from accessibility import problems
from sacrebleu.metrics.bleu import BLEU
from visitor import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REFERENCE = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
SYSTEM = REFERENCE.replace("the mat", "a mat").replace("sunny", "fine")
OTHER = REFERENCE.replace("cat", "dog").replace("night", "noon")

#: Names that a page, a figure or a table could take for something else.
HOSTILE = [
    "**b** _i_ `c`",
    "[l](javascript:alert(1))",
    "![i](http:x.png) www.example.org",
    "$x^2$ cost $5",
    ":material#upload: :rocket: :red[r]",
    "<b>B<br>x<sup>2<img src=x onerror=alert(1)>",
    "&lt;b&gt; &amp; x",
    "# H1 - 1. ~~s~~ -> <- >= c",
    "=1+1",
]


def write(folder: Path, **files: str) -> list[Path]:
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content, encoding="utf-8", newline="")
    return [folder / f"{name}.txt" for name in files]


def score(system: str) -> float:
    return BLEU().corpus_score(system.split("\n")[:-1], [REFERENCE.split("\n")[:-1]]).score


@pytest.mark.parametrize("width", [1440, pytest.param(390, marks=pytest.mark.slow)])
def test_files_dropped_at_once_are_sorted_opened_by_a_click_or_a_key_and_scored(
    browser: Browser, server: str, tmp_path: Path, width: int
) -> None:
    visitor = Visitor(browser, server, width=width, height=844)
    visitor.goto("/data")
    systems = {"s0": OTHER} | {f"s{n}": SYSTEM.replace("fine", f"nice{n}") for n in range(1, 12)}
    visitor.upload(write(tmp_path, ref=REFERENCE, **systems))
    visitor.eventually(lambda: visitor.column("files", "type")[:3], ["reference", "system", "system"])
    editor, files = visitor.page.locator(".st-key-edit-file"), visitor.page.locator(".st-key-table-files canvas").first
    files.scroll_into_view_if_needed()
    box = files.bounding_box()
    assert box
    visitor.page.mouse.click(box["x"] + 150, box["y"] + 35 * 2.5)  # in a cell, and not on the mark at its beginning
    editor.get_by_role("heading", name="Edit s0.txt").wait_for()
    visitor.idle()
    visitor.eventually(lambda: _is_in_view(visitor, ".st-key-edit-file-head"), expected=True)
    table, form = files.bounding_box(), editor.bounding_box()
    assert table
    assert form
    if width > 1000:
        assert form["x"] > table["x"] + table["width"] - 1  # beside it
    else:
        assert form["y"] > table["y"] + table["height"] - 1  # and else below it
    visitor.page.keyboard.press("ArrowDown")
    editor.get_by_role("heading", name="Edit s1.txt").wait_for()
    visitor.idle()
    visitor.page.keyboard.press("ArrowDown")  # the keyboard is still in the table
    editor.get_by_role("heading", name="Edit s2.txt").wait_for()
    visitor.idle()
    visitor.eventually(lambda: _is_in_view(visitor, ".st-key-edit-file-head"), expected=True)
    assert problems(visitor) == []
    visitor.page.keyboard.press("Escape")
    editor.wait_for(state="detached")
    if width > 1000:  # where the sidebar is open
        _check_scores(visitor, systems)
    visitor.close()
    assert visitor.faults == []


def _check_scores(visitor: Visitor, systems: Mapping[str, str]) -> None:
    visitor.page.set_viewport_size({"width": 1440, "height": 2000})
    visitor.open_page("Scores")
    found = {row[0]: float(row[1]) for row in visitor.table("scores")[1:]}
    assert found == {name: pytest.approx(score(text)) for name, text in systems.items()}


def _is_in_view(visitor: Visitor, place: str) -> bool:
    box, window = visitor.page.locator(place).bounding_box(), visitor.page.viewport_size
    assert window
    return box is not None and box["y"] >= 0 and box["y"] + box["height"] <= window["height"]


@pytest.mark.slow
def test_a_role_can_be_said_before_and_corrected_after(visitor: Visitor, tmp_path: Path) -> None:
    visitor.goto("/data")
    visitor.upload(write(tmp_path, ref=REFERENCE), role="Systems")
    visitor.upload(write(tmp_path, truth=REFERENCE, ours=SYSTEM), role="Systems")
    visitor.eventually(lambda: visitor.column("files", "type"), ["system"] * 3)
    visitor.select_file(1)
    visitor.choose("Type", "References")
    visitor.eventually(lambda: visitor.column("files", "type"), ["system", "reference", "system"])
    visitor.select_file(0)
    assert "ref is identical to the reference truth" in visitor.text()
    visitor.page.get_by_role("button", name="Remove", exact=True).click()
    visitor.idle()
    visitor.eventually(lambda: visitor.column("files", "file"), ["truth.txt", "ours.txt"])


@pytest.mark.slow
def test_bad_files_are_explained_and_what_was_loaded_stays(visitor: Visitor, tmp_path: Path) -> None:
    visitor.goto("/data")
    visitor.upload(write(tmp_path, ref=REFERENCE, ours=SYSTEM))
    bad = {
        "short.txt": b"one\n",
        "empty.txt": b"",
        "nul.txt": b"a\nb\0\nc\n",
        "latin.txt": "a\nb\xe9\nc\n".encode("latin-1"),
        "noise.bin": bytes(range(256)),
        "human.csv": b"segment,system,score\n1,ours,good\n",
        "beyond.csv": b"segment,system,score\n1,ours,3\n9,ours,3\n",
        "ours.tok": b"a\nb\nc\n",
    }
    for name, data in bad.items():
        (tmp_path / name).write_bytes(data)
    visitor.upload([tmp_path / name for name in bad])
    text = visitor.text()
    for message in (
        "short.txt has 1 line, 2 fewer than the",
        "empty.txt: the file is empty",
        "nul.txt, line 2: NUL character found",
        "latin.txt, line 2: byte 0xE9 at offset 3 is not UTF-8",
        "noise.bin",
        "human.csv, line 2: score 'good' found, a number expected",
        "ours.tok: ours.txt already holds a system called ours; rename or remove one",
    ):
        assert message in text
    assert "Traceback" not in text
    visitor.select_file(8)
    assert "1 row not used (line 3): the segment is beyond the texts, which have 3 segments" in visitor.text()
    visitor.open_page("Scores")
    assert [row[0] for row in visitor.table("scores")[1:] if re.match(r"\d", row[1])] == ["ours"]


@pytest.mark.slow
def test_repairs_are_reported(visitor: Visitor, tmp_path: Path) -> None:
    (tmp_path / "ref.txt").write_bytes(b"\xef\xbb\xbf" + REFERENCE.encode())
    (tmp_path / "ours.txt").write_bytes(SYSTEM.replace("\n", "\r\n").encode())
    (tmp_path / "wide.txt").write_bytes(OTHER.encode("utf-16"))
    (tmp_path / "line.txt").write_bytes(SYSTEM.replace("sat on", "sat\u2028on").encode())
    visitor.goto("/data")
    visitor.upload([tmp_path / name for name in ("ref.txt", "ours.txt", "wide.txt", "line.txt")])
    visitor.eventually(lambda: visitor.column("files", "file"), ["ref.txt", "ours.txt", "wide.txt", "line.txt"])
    found = ("repaired: byte order mark removed", "repaired: 3 Windows line ends (CRLF) read as LF", "UTF-16-LE")
    for row, detail in enumerate(found):
        visitor.select_file(row)
        assert detail in visitor.text()
    assert visitor.column("files", "segments") == ["3"] * 4


@pytest.mark.slow
def test_odd_but_legal_data_give_the_right_numbers_on_every_page(visitor: Visitor, tmp_path: Path) -> None:
    copy, twin, strange = REFERENCE, SYSTEM, "x\ny\nz\n"
    files = write(tmp_path, ref=REFERENCE, ours=SYSTEM, twin=twin, copy=copy, strange=strange, other=OTHER)
    ratings = "segment,system,judge,score\n1,ours,j,3\n2,ours,j,\n1,twin,j,3\n1,other,j,3\n1,copy,j,5\n1,ghost,j,1\n"
    (tmp_path / "human.csv").write_text(ratings, encoding="utf-8")
    visitor.goto("/data")
    visitor.upload([*files, tmp_path / "human.csv"])
    visitor.select_file(3)
    assert "copy is identical to the reference ref" in visitor.text()
    visitor.select_file(2)
    assert "twin is identical to the system ours" in visitor.text()
    visitor.select_file(6)
    assert re.search(r"1 row not used \(line \d+\): no score", visitor.text())
    assert re.search(r"1 row not used \(line \d+\): ghost is not loaded as a system", visitor.text())
    visitor.open_page("Scores")
    visitor.eventually(lambda: visitor.column("scores", "system"), ["other", "ours", "twin", "strange", "copy"])
    assert [float(b) for b in visitor.column("scores", "BLEU")] == pytest.approx(
        [score(OTHER), score(SYSTEM), score(SYSTEM), 0, 100]
    )
    for page in ("Overview", "Precision", "Blocks"):
        visitor.open_page(page)
        visitor.unfold("options")
        assert "which are not ranked: copy (identical to the reference ref)" in visitor.text()
    visitor.open_page("By system")
    visitor.unfold("options")
    text = visitor.text()
    assert "all systems have the same mean rating" in text
    for left_out in (
        "which are not ranked: copy (identical to the reference ref)",
        "strange: no ratings",
    ):
        assert left_out in text
    visitor.eventually(lambda: visitor.column("correlations", "value")[:3], ["", "", ""])


@pytest.mark.slow
def test_one_segment_shorter_than_the_order_stands_on_every_page(visitor: Visitor, tmp_path: Path) -> None:
    visitor.goto("/data")
    visitor.upload(write(tmp_path, ref="a cat", ours="a dog", other="cat"))
    visitor.open_page("Scores")
    visitor.eventually(lambda: visitor.column("scores", "BLEU"), ["0", "0"])
    for page in ("Overview", "Precision", "Blocks"):
        visitor.open_page(page)


@pytest.mark.parametrize(
    ("pages", "read"),
    [
        (("By system",), [3, 5]),  # a picture, and HTML
        pytest.param(
            ("Overview", "Scores", "Precision", "Blocks", "By system"),
            range(2, len(HOSTILE)),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["last", "all"],
)
def test_hostile_names_are_shown_letter_by_letter(
    visitor: Visitor, tmp_path: Path, pages: tuple[str, ...], read: Sequence[int]
) -> None:
    files = write(tmp_path, ref=REFERENCE)
    for i, name in enumerate(HOSTILE):
        (tmp_path / f"{name}.txt").write_text(SYSTEM if i % 2 else OTHER, encoding="utf-8")
    ratings = "system,score\n" + "".join(f'"{name}",{i}\n' for i, name in enumerate(HOSTILE))
    (tmp_path / "human.csv").write_text(ratings, encoding="utf-8")
    visitor.goto("/data")
    visitor.upload([*files, tmp_path / "human.csv"])
    visitor.upload([tmp_path / f"{name}.txt" for name in HOSTILE], role="Systems")
    for place in read:  # the first two names are of the first files with their texts
        visitor.select_file(2 + place)  # after the reference and the ratings
        assert f"{HOSTILE[place]} is identical to the system" in visitor.text().replace("\u2060", "")
    for page in pages:
        visitor.open_page(page)
        main = visitor.page.get_by_test_id("stMain")
        assert main.locator("img, a[href*=javascript], a[href*=example], .katex, sup").count() == 0
    visitor.page.locator(".st-key-human text").filter(has_text="=1+1").first.wait_for(state="attached")


@pytest.mark.slow
def test_a_link_to_other_data_says_with_which_files_it_was_made(
    visitor: Visitor, browser: Browser, server: str, tmp_path: Path
) -> None:
    files = write(tmp_path, ref=REFERENCE, ours=SYSTEM)
    visitor.goto("/data")
    visitor.upload(files)
    visitor.open_page("Scores")
    visitor.score_by("Tokeniser", "char")
    link = visitor.page.url.removeprefix(server)
    signature = visitor.signature()

    somebody = Visitor(browser, server)
    somebody.goto(link)
    assert "The data of this address are not loaded (ref.txt, ours.txt)" in somebody.text()
    assert somebody.page.locator(".st-key-table-scores").count() == 0
    somebody.page.get_by_test_id("stMain").get_by_test_id("stPageLink-NavLink").click()
    somebody.page.wait_for_selector('h1:has-text("Data")')
    somebody.idle()
    somebody.upload(files)
    somebody.open_page("Scores")
    assert somebody.signature() == signature
    assert "tokenizer=char" in somebody.page.url
    somebody.close()
    assert somebody.faults == []


@pytest.mark.slow
def test_long_counting_shows_progress_and_can_be_stopped(visitor: Visitor, tmp_path: Path) -> None:
    many = 250_000
    visitor.goto("/data")
    visitor.upload(write(tmp_path, ref=REFERENCE * many, ours=SYSTEM * many))
    visitor.score_by("Tokeniser", "char")  # five times as many tokens take five times as long
    visitor.page.get_by_test_id("stSidebarNavLink").filter(has_text="Ranking").click()
    visitor.page.locator("[class*=st-key-stop-] button").click(timeout=90_000)  # reading comes first
    visitor.page.wait_for_selector("text=Counting n-grams was stopped", timeout=60_000)
    visitor.page.get_by_role("button", name="Resume").click()
    visitor.page.wait_for_selector(".st-key-table-scores", timeout=90_000)
    visitor.idle()
    expected = BLEU(tokenize="char").corpus_score(SYSTEM.split("\n")[:-1], [REFERENCE.split("\n")[:-1]]).score
    assert float(visitor.column("scores", "BLEU")[0]) == pytest.approx(expected)
