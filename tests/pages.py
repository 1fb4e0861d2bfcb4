"""Sessions without a browser: going to a page, dropping files, what a page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[1] / "dashboard" / "app.py"


def visit(app: AppTest, path: str) -> AppTest:
    """Go to a page by its address; AppTest itself knows only pages that are files."""
    pages: dict[str, Any] = vars(app)["_registered_pages"]
    vars(app)["_page_hash"] = next(h for h, page in pages.items() if page.get("url_pathname", "") == path)
    return app.run()


def said(app: AppTest) -> str:
    """All that a page says, without the escapes of Markdown."""
    blocks: list[Any] = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error]
    blocks += [*app.header, *app.subheader]
    return re.sub(r"\\(.)", r"\1", "\n".join(str(block.value) for block in blocks)).replace("\u2060", "")


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Drop files on the Data page."""
    visit(app, "data")
    form = app.file_uploader[0]
    return form.set_value([(name, data, "text/plain") for name, data in files]).run()
