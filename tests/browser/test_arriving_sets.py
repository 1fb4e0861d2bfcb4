"""Files of several test sets that arrive together: a shared task of WMT, and a folder of folders."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from accessibility import problems
from visitor import Visitor
from wmt_files import shared_task

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAIRS = ("eng_Latn-isl_Latn", "eng_Latn-ces_Latn", "ces_Latn-deu_Latn")
NEWS = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"


def shared_task_in(folder: Path) -> Path:
    """The files of a shared task of three language pairs."""
    task = shared_task()
    (folder / "wmt26").mkdir()
    (folder / "wmt26" / "wmt26.jsonl").write_bytes(task.test_set)
    for name, data in task.of_systems.items():
        (folder / "wmt26" / f"{name}.jsonl").write_bytes(data)
    return folder / "wmt26"


def test_a_shared_task_is_one_table_and_a_cell_opens_its_test_set_by_the_keyboard(
    visitor: Visitor, tmp_path: Path
) -> None:
    visitor.goto("/data")
    visitor.upload([shared_task_in(tmp_path)], role="Folder")
    assert f"5 files were divided into 3 test sets by language pair: {', '.join(PAIRS)}" in visitor.text()
    assert visitor.column("test-sets", "test set") == list(PAIRS)
    visitor.open_page("Test sets")
    header, *rows = visitor.table("test-sets")
    assert set(PAIRS) <= set(header)
    holes = {row[0]: [pair for pair in PAIRS if row[header.index(pair)] in ("", "\N{EN DASH}")] for row in rows}
    lacking = {name: len(of) for name, of in holes.items()}
    assert lacking == {"A": 0, "B": 0, "C.v2": 2, "D 4 - 9B": 3}  # the last one lacks a document of each pair
    assert problems(visitor) == []
    visitor.page.locator(".st-key-table-test-sets canvas").first.focus()
    for _ in range(header.index(PAIRS[2])):  # the first cell has the focus
        visitor.page.keyboard.press("ArrowRight")
    visitor.idle()
    button = visitor.page.get_by_role("button", name=f"Open {PAIRS[2]}")
    button.wait_for()
    button.focus()
    visitor.page.keyboard.press("Enter")
    visitor.page.wait_for_selector('h1:has-text("Overview")')
    visitor.idle()
    assert f"set={PAIRS[2]}" in visitor.page.url


@pytest.mark.slow
def test_the_link_and_the_workspace_of_a_shared_task_open_elsewhere(
    visitor: Visitor, browser: Browser, server: str, tmp_path: Path
) -> None:
    visitor.goto("/data")
    visitor.upload([shared_task_in(tmp_path)], role="Folder")
    visitor.open_page("Test sets")
    visitor.choose("Test set", PAIRS[2])
    table = visitor.table("test-sets")
    link, path = visitor.page.url.removeprefix(server), tmp_path / "workspace.bleu.zip"
    with visitor.page.expect_download() as saved:
        visitor.page.get_by_role("button", name="Save workspace").click()
    saved.value.save_as(path)
    other = Visitor(browser, server)
    other.goto("/data")
    other.upload([path])
    other.goto(link)
    assert other.table("test-sets") == table
    assert other.page.get_by_role("combobox", name="Test set", exact=True).input_value() == PAIRS[2]
    other.close()
    assert other.faults == []


@pytest.mark.slow
def test_two_folders_are_two_sets_of_the_same_systems(visitor: Visitor, tmp_path: Path) -> None:
    for name, change in (("news", "mat"), ("talks", "park")):
        folder = tmp_path / "sets" / name
        folder.mkdir(parents=True)
        (folder / "ref.txt").write_text(NEWS.replace(change, "river"), encoding="utf-8")
        (folder / "A.txt").write_text(NEWS, encoding="utf-8")
        (folder / "B.txt").write_text("" if name == "talks" else NEWS.replace("cat", "dog"), encoding="utf-8")
    visitor.goto("/data")
    visitor.upload([tmp_path / "sets"], role="Folder")
    assert "divided into 2 test sets by folder: news, talks" in visitor.text()
    visitor.open_page("Test sets")
    header, *rows = visitor.table("test-sets")
    assert {"news", "talks"} <= set(header)
    assert [row[0] for row in rows if row[header.index("talks")] in ("", "\N{EN DASH}")] == ["B"]
