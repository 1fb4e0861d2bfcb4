"""A server and a real browser for the tests in this folder.

Without Chromium the tests are skipped, or fail where BLEU_REQUIRE_BROWSER is set, as it is where every submission
is checked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from visitor import CHROMIUM, FLAGS, Visitor, serve

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REQUIRED = bool(os.environ.get("BLEU_REQUIRE_BROWSER"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A dashboard that opens on the sample data."""
    with serve(tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        if REQUIRED:
            pytest.fail("no Chromium, and BLEU_REQUIRE_BROWSER is set; install it (Debian: apt-get install chromium)")
        pytest.skip("no Chromium; install it, or name it in CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def visitor(browser: Browser, server: str) -> Iterator[Visitor]:
    """Someone at the sample data; the test fails if console or network show a fault."""
    someone = Visitor(browser, server)
    yield someone
    someone.close()
    assert someone.faults == []
