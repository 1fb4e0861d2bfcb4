"""Tabs that outlive their session: the server is started again, or the session ends while the tab is not connected."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from visitor import Server, Visitor
from websockets.sync.client import connect
from websockets.typing import Subprotocol

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REFERENCE = "the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
GONE = "Your files are no longer on the server (ref.txt, ours.txt). Add them again to continue."

#: As of streamlit.runtime.memory_session_storage.
SESSIONS_KEPT = 128
STREAMLIT = Subprotocol("streamlit")

#: Keeps the page's connections where a test can close them.
CATCH_SOCKETS = """
window.sockets = [];
window.WebSocket = class extends WebSocket { constructor(...a) { super(...a); window.sockets.push(this); } };
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of this file's own, which runs after each test, too."""
    running = Server(tmp_path_factory.mktemp("home"))
    running.start()
    yield running
    running.stop()
    assert "Traceback" not in running.log.read_text()


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Visitor]:
    """Someone at that server; the test fails if console or network show a fault while it can be reached."""
    someone = Visitor(browser, server.address, new=True)
    someone.page.add_init_script(CATCH_SOCKETS)
    yield someone
    someone.close()
    assert someone.faults == []


@contextmanager
def unreachable(visitor: Visitor) -> Iterator[None]:
    """Lose the server within, and wait until the tab has found it again.

    What a server that ends, or none, answers is no fault. The page has all that it loads before, so that no part of it
    is lost with the server.
    """
    visitor.page.wait_for_load_state("networkidle")
    before = list(visitor.faults)
    yield
    visitor.page.wait_for_function("() => sockets.some(socket => socket.readyState === WebSocket.OPEN)")
    visitor.page.wait_for_timeout(500)  # in which the page learns of it, and the last faults are noted
    visitor.faults[:] = before


def restart(visitor: Visitor, server: Server) -> None:
    with unreachable(visitor):
        server.kill()
        server.start()


def expire(visitor: Visitor, server: Server) -> None:
    """Lose the connection until the server has forgotten the session: it keeps the last ones that have ended."""
    with unreachable(visitor):
        visitor.context.set_offline(True)
        visitor.page.evaluate("sockets.forEach(socket => socket.close())")
        for _ in range(SESSIONS_KEPT + 1):
            with connect(f"{server.address.replace('http', 'ws')}/_stcore/stream", subprotocols=[STREAMLIT]):
                pass
        visitor.context.set_offline(False)


def query(visitor: Visitor) -> dict[str, list[str]]:
    return parse_qs(urlsplit(visitor.page.evaluate("location.href")).query)


@pytest.mark.slow
def test_a_tab_whose_files_are_gone_says_so_and_shows_no_other_numbers(
    visitor: Visitor, server: Server, tmp_path: Path
) -> None:
    files = [tmp_path / "ref.txt", tmp_path / "ours.txt"]
    files[0].write_text(REFERENCE, encoding="utf-8")
    files[1].write_text(REFERENCE.replace("the mat", "a mat"), encoding="utf-8")
    visitor.goto("/data")
    visitor.upload(files)
    visitor.open_page("Scores")
    visitor.score_by("Tokeniser", "char")
    before, address = visitor.table("scores"), query(visitor)
    assert address["files"] == ["ref.txt, ours.txt"]

    restart(visitor, server)
    for page in ("Precision", "Overview", "Scores", "Data"):
        visitor.open_page(page)
        visitor.alerts().filter(has_text=GONE).wait_for()
        assert query(visitor) == address
        assert visitor.page.locator("[data-testid=stDataFrame], .js-plotly-plot").count() == 0
        everything = visitor.page.get_by_test_id("stMain").inner_text()
        assert "BLEU" not in everything.replace("BLEU dashboard", "")
        assert "segment" not in everything.replace("one segment a line", "")
    visitor.goto(visitor.page.evaluate("location.pathname + location.search"))
    visitor.alerts().filter(has_text=GONE).wait_for()
    visitor.upload(files)
    visitor.open_page("Scores")
    visitor.eventually(lambda: visitor.table("scores"), before)
    assert query(visitor) == address
    assert GONE not in visitor.text()

    expire(visitor, server)
    visitor.open_page("Precision")
    assert query(visitor) == address
    visitor.open_page("Scores")
    assert visitor.table("scores") == before


@pytest.mark.slow
def test_a_setting_changed_after_a_restart_shows_no_other_numbers(
    visitor: Visitor, server: Server, tmp_path: Path
) -> None:
    files = [tmp_path / "ref.txt", tmp_path / "ours.txt"]
    for file in files:
        file.write_text(REFERENCE, encoding="utf-8")
    visitor.goto("/data")
    visitor.upload(files)
    visitor.open_page("Scores")
    restart(visitor, server)
    visitor.score_by("Tokeniser", "char")
    assert GONE in visitor.text()
    assert visitor.page.get_by_test_id("stDataFrame").count() == 0


@pytest.mark.slow
def test_a_tab_that_showed_the_sample_shows_it_again_after_a_restart(visitor: Visitor, server: Server) -> None:
    visitor.goto("/")
    address = query(visitor)
    restart(visitor, server)
    visitor.open_page("Scores")
    assert visitor.alerts().count() == 0
    assert query(visitor) == address
    assert visitor.column("scores", "system")


@pytest.mark.slow
def test_a_tab_whose_server_does_not_respond_says_so_in_the_dashboards_words(visitor: Visitor, server: Server) -> None:
    visitor.goto("/")
    with unreachable(visitor):
        server.kill()
        dialog = visitor.page.get_by_role("dialog")
        dialog.get_by_text("The server of the dashboard does not respond.").wait_for()
        assert "Streamlit" not in dialog.inner_text()
        server.start()
    visitor.open_page("Scores")
    assert visitor.column("scores", "system")
