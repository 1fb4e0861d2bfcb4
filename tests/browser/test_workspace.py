"""A workspace saved in one browser and opened in another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from visitor import Visitor

from bleu_core.project import open_workspace

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_workspace_is_downloaded_and_opened_by_somebody_else(
    visitor: Visitor, browser: Browser, server: str, tmp_path: Path
) -> None:
    visitor.goto("/ranking?tokenizer=char&slice=segment%20%3C%20200")
    table = visitor.table("scores")
    path = tmp_path / "workspace.bleu.zip"
    with visitor.page.expect_download() as saved:
        visitor.page.get_by_role("button", name="Save workspace").click()
    saved.value.save_as(path)
    assert saved.value.suggested_filename == path.name
    assert open_workspace(path.read_bytes(), path.name).choices.slice == "segment < 200"
    other = Visitor(browser, server)
    other.goto("/data")
    other.upload([path])
    other.open_page("Scores")
    assert other.table("scores") == table
    other.close()
    assert other.faults == []
