"""What can be opened: pages, and parts of pages."""

from __future__ import annotations

from collections.abc import Mapping

from dashboard.session import Page
from dashboard.views import PAGES

#: Paths as `visit` and `opened` take them -> the page; without parts that only some data have.
PLACES: Mapping[str, Page] = {
    f"{page.path}/{part.path}" if part.path else page.path: page
    for page in PAGES
    for part in page.parts
    if not part.hidden
}
