"""The dashboard as a process, and someone who looks at it in a browser."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from tied import tied

from dashboard.views import PAGES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, WebSocket

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")

#: Keeps Chromium on this machine: no name but the loopback's resolves.
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
]

#: When a page other than the first is opened by its address, Streamlit's frontend looks for its server below that
#: page's path before it looks at the root.
PROBE = re.compile(r"/[a-z-]+/_stcore/(health|host-config)$")

#: What protects visitors, in every answer of the server.
HEADERS = {"content-security-policy", "referrer-policy", "x-content-type-options", "x-frame-options"}

#: Seconds in which the page has to answer, on a machine that does other things too.
PATIENCE = 60

#: Resolves once the page has had the time to send what a click or a key asks for: tables wait for 150 ms of rest.
SENT = "() => new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done)), 250))"

#: Resolves once nothing moves any more: a click on what a fold still moves would open nothing, or something else.
#: What is paused, or no longer drawn, never finishes; what is drawn has finished within the time that is waited for.
SETTLED = """() => Promise.race([
    Promise.allSettled(document.getAnimations()
        .filter(each => each.effect.getComputedTiming().endTime < 2000)
        .map(each => each.finished)),
    new Promise(done => setTimeout(done, 3000))]).then(() => true)"""

#: Resolves once the page has drawn the answer. What has reached the browser waits for the page to take it up, so that
#: it has to look finished three times in a row, with time to work in between.
DRAWN = """async () => {
    const finished = () => document.querySelector('[data-testid="stApp"][data-test-script-state="notRunning"]')
        && !document.querySelector('[data-stale="true"]');
    for (let times = 0; times < 3; times = finished() ? times + 1 : 0)
        await new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)));
    return true;
}"""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The dashboard on a free port, with a home folder of its own; it can be killed and started again.

    It ends with the process that starts it, and is started from a thread that lasts.

    Args:
        home: the folder, which is its working folder too.
        options: of its command line, files among them.
        environment: variables on top of those of the tests.
        path: below which it is served.
        program: what Python runs.
    """

    def __init__(
        self,
        home: Path,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        *,
        path: str = "",
        program: Sequence[str] = ("-m", "dashboard"),
    ) -> None:
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.log = home / "server.log"
        self._home, self._path = home, path
        self._command = [*tied([sys.executable, *program]), "--port", str(port), "--no-browser", *options]
        self._environment = {**os.environ, "HOME": str(home), **(environment or {})}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self.log.open("ab") as out:
            self._process = subprocess.Popen(
                self._command, stdout=out, stderr=subprocess.STDOUT, env=self._environment, cwd=self._home
            )
        _wait(f"{self.address}{self._path}/_stcore/health", self._process, self.log)

    def kill(self) -> None:
        """End it at once, as kill -9 does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def serve(
    home: Path, options: Sequence[str] = (), environment: Mapping[str, str] | None = None, *, path: str = ""
) -> Iterator[str]:
    """Start the dashboard on a free port; gives its address. The arguments are those of Server."""
    server = Server(home, options, environment, path=path)
    try:
        server.start()
        yield server.address
    finally:
        server.stop()
    log = server.log.read_text()
    assert "Traceback" not in log, log


def _wait(health: str, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(log.read_text())
        try:
            with urllib.request.urlopen(health, timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            pass
        time.sleep(0.05)
    raise TimeoutError(log.read_text())


#: Windows that a visitor has left, by browser and zoom. The next visitor's page opens in a third of the time there, as
#: the window still has Streamlit's scripts compiled.
_WINDOWS: dict[tuple[Browser, float], list[Page]] = {}


class Visitor:
    """Someone at the dashboard; notes what a browser's console and network should not show.

    Args:
        browser: in which the visitor opens a window.
        address: of the server.
        dark: whether the visitor prefers a dark theme.
        width: of the window, in pixels.
        height: of the window, in pixels; charts and tables draw only what is in view.
        zoom: of the window.
        new: whether the window has to be a new one, without a history.
        beside: a visitor in whose window a further tab is opened.
    """

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        dark: bool = False,
        width: int = 1366,
        height: int = 2000,
        zoom: float = 1.0,
        new: bool = False,
        beside: Visitor | None = None,
    ) -> None:
        self.address = address
        left = _WINDOWS.setdefault((browser, zoom), [])
        self._left = None if new or beside else left
        self._beside = beside is not None
        if beside is not None:
            self.page: Page = beside.context.new_page()
            self.page.set_default_timeout(1000 * PATIENCE)
        elif left and not new:
            self.page = left.pop()
        else:
            self.page = browser.new_context(accept_downloads=True, device_scale_factor=zoom).new_page()
            self.page.set_default_timeout(1000 * PATIENCE)
        self.context = self.page.context
        self.page.set_viewport_size({"width": width, "height": height})
        # A visitor before may have left paper, or a screen, as what the window stands for.
        self.page.emulate_media(media="null", color_scheme="dark" if dark else "light", reduced_motion="null")
        self.faults: list[str] = []
        self._asked = self._begun = False  # a run of the page was asked for; it has begun
        self._listeners: dict[Any, Callable[[Any], None]] = {
            "websocket": self._listen,
            "console": lambda m: self._note_console(m.type, m.text),
            "pageerror": lambda error: self.faults.append(f"page error: {error}"),
            "request": lambda request: self._note_request(request.url),
            "response": lambda response: self._note_response(response.status, response.url),
        }
        for event, listener in self._listeners.items():
            self.page.on(event, listener)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: self._note_sent(frame if isinstance(frame, bytes) else frame.encode()))
        socket.on("framereceived", lambda frame: self._note_got(frame if isinstance(frame, bytes) else frame.encode()))

    def _note_sent(self, frame: bytes) -> None:
        if BackMsg.FromString(frame).WhichOneof("type") == "rerun_script":
            self._asked, self._begun = True, False

    def _note_got(self, frame: bytes) -> None:
        message = ForwardMsg.FromString(frame)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._begun = True
        elif kind == "script_finished" and self._begun:
            again = message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN
            self._asked, self._begun = again, False

    def _note_console(self, kind: str, text: str) -> None:
        if kind == "error" and "status of 404" not in text:  # those are noted as responses, with their address
            self.faults.append(f"console: {text}")

    def _note_request(self, url: str) -> None:
        own = (self.address, self.address.replace("http", "ws"), "data:", "blob:")
        if not url.startswith(own):
            self.faults.append(f"request elsewhere: {url}")

    def _note_response(self, status: int, url: str) -> None:
        if status >= 400 and not PROBE.search(url.split("?", maxsplit=1)[0]):
            self.faults.append(f"{status}: {url}")

    def goto(self, path: str = "/") -> None:
        """Open a page by its address."""
        self._asked = True
        self.page.goto(self.address + path, wait_until="domcontentloaded")
        self.idle()

    def idle(self) -> None:
        """Wait until the page has run for all that it was asked, and see that it did not fail."""
        deadline = time.monotonic() + PATIENCE
        self.page.evaluate(SENT)
        while self._asked:
            assert time.monotonic() < deadline, "the page has not answered"
            self.page.wait_for_timeout(20)
        self.page.wait_for_function(DRAWN)
        exceptions = self.page.get_by_test_id("stException")
        assert exceptions.count() == 0, exceptions.first.inner_text()

    def open_page(self, name: str) -> None:
        """Follow a link of the sidebar, and choose a part of the page if the name is a part's."""
        page = next(page for page in PAGES if name in (page.title, *(part.title for part in page.parts)))
        self.page.get_by_test_id("stSidebarNavLink").filter(has_text=page.title).click()
        self.page.wait_for_selector(f'h1:has-text("{page.title}")')
        self.idle()
        if name != page.title:
            choice = self.page.locator(f".st-key-{page.part_key}")
            if not choice.count():  # of the only part that the data allow
                return
            part = choice.get_by_role("radio", name=name, exact=True)
            if part.get_attribute("aria-checked") != "true":
                part.click()
                self.idle()

    def unfold(self, key: str) -> None:
        """Open what is folded, in the sidebar or on the page, unless it is open."""
        inside = self.page.locator(f".st-key-{key}")
        details, button = inside.locator("details"), inside.get_by_role("button").first
        inside.first.wait_for()
        if details.count():
            if details.first.get_attribute("open") is not None:
                return
            details.locator("summary").first.click()
        elif button.get_attribute("aria-expanded") != "true":
            button.click()
        self.page.wait_for_function(SETTLED)

    def score_by(self, label: str, option: str) -> None:
        """Choose from a box of the sidebar's settings of scoring."""
        self.unfold("scoring")
        self.choose(label, option)

    def tick(self, what: str, name: str) -> None:
        """Tick or untick a name in the list of systems, references, groups or judges."""
        self.unfold(f"without_{what}-list")
        boxes = self.page.locator(f".st-key-without_{what}-boxes")
        boxes.locator("label").filter(has_text=re.compile(f"^{re.escape(name)}$")).click()
        self.idle()

    def signature(self) -> str:
        """The signature on the page Scores."""
        return self.page.get_by_test_id("stMain").locator("code").inner_text()

    def choose(self, label: str, option: str) -> None:
        """Choose from a box in the sidebar or on the page."""
        self.page.get_by_role("combobox", name=label).click()
        self.page.get_by_role("option", name=option, exact=True).click()
        self.idle()

    def upload(self, files: Sequence[str | Path], role: str | None = None) -> None:
        """Put files into the form of the Data page."""
        if role:
            self.page.get_by_role("radio", name=role, exact=True).click()
            self.idle()
        form = self.page.locator("[class*=st-key-upload-]:not([class*=st-key-upload_role])")
        key = next(name for name in (form.get_attribute("class") or "").split() if name.startswith("st-key-upload-"))
        form.locator("input[type=file]").set_input_files([str(f) for f in files])
        self.page.locator(f".{key}").wait_for(state="detached")  # what was taken in leaves an empty form
        self.idle()

    def select_row(self, table: str, row: int) -> None:
        """Click on the mark at the beginning of a table's row, from 0."""
        canvas = self.page.locator(f".st-key-table-{table} canvas").first
        canvas.scroll_into_view_if_needed()
        box = canvas.bounding_box()
        assert box
        self.page.mouse.click(box["x"] + 15, box["y"] + 35 * (row + 1.5))
        self.idle()

    def select_file(self, row: int) -> None:
        """Select a row in the table of files on the Data page."""
        self.select_row("files", row)
        self.page.locator(".st-key-edit-file").wait_for()

    def download(self, place: Locator, name: str, folder: Path) -> Path:
        """Save a file that a menu of downloads offers, under the name that the browser proposes.

        Args:
            place: what the menu is in.
            name: of the menu's button.
            folder: where the file goes.
        """
        place.get_by_role("button", name="Download").click()
        with self.page.expect_download() as found:
            self.page.get_by_role("button", name=name, exact=True).click()
        self.page.keyboard.press("Escape")  # a menu stays open after some downloads
        self.page.get_by_role("button", name=name, exact=True).wait_for(state="detached")
        path = folder / found.value.suggested_filename
        found.value.save_as(path)
        return path

    def table(self, key: str) -> list[list[str]]:
        """The text of a table, its header first, once it has stopped to change."""
        grid = self.page.locator(f".st-key-table-{key} table[role=grid]")
        grid.wait_for(state="attached")
        cells = "t => [...t.rows].map(r => [...r.cells].map(c => c.textContent))"
        found: list[list[str]] = []
        for _ in range(20):
            before, found = found, grid.evaluate(cells)
            if found == before:
                break
            self.page.wait_for_timeout(300)
        return found

    def rows(self, key: str) -> list[dict[str, str]]:
        """The rows of a table that are in view, by the names of the columns; a fold that hides it is opened."""
        place = self.page.locator(f".st-key-table-{key}")
        if not place.count():
            self.page.get_by_role("button", name="Open all").click()
            self.idle()
        place.scroll_into_view_if_needed()
        header, *found = self.table(key)
        return [dict(zip(header, row, strict=True)) for row in found]

    def all_rows(self, key: str) -> list[dict[str, str]]:
        """All rows of a table that scrolls: those in view, then those at its end."""
        found = self.rows(key)
        box = self.page.locator(f".st-key-table-{key} .dvn-scroller")
        for _ in range(8):
            box.evaluate("e => e.scrollBy(0, 300)")
            self.page.wait_for_timeout(150)
            found += [row for row in self.rows(key) if row not in found]
        return found

    def eventually(self, look: Callable[[], object], expected: object) -> None:
        """Compare until it fits or time runs out: a canvas is drawn a moment after its data arrive."""
        deadline = time.monotonic() + PATIENCE / 2
        while (found := look()) != expected and time.monotonic() < deadline:
            self.page.wait_for_timeout(100)
        assert found == expected

    def column(self, key: str, name: str) -> list[str]:
        """A table's column, without its header."""
        header, *rows = self.table(key)
        return [row[header.index(name)] for row in rows]

    def listed_segments(self) -> list[str]:
        """The numbers of the segments that the page Segments shows, in their order."""
        numbers: list[str] = self.page.eval_on_selector_all(
            ".segment-number", "found => found.map(e => e.dataset.number)"
        )
        return numbers

    def text(self) -> str:
        """All that the page's main part says."""
        return self.page.get_by_test_id("stMain").inner_text()

    def alerts(self) -> Locator:
        """Messages: errors, warnings, hints."""
        return self.page.get_by_test_id("stAlert")

    def close(self) -> None:
        """Leave; the next visitor finds nothing in the window but compiled scripts."""
        if self._beside:
            self.page.close()
            return
        if self._left is None:
            self.context.close()
            return
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)
        self.context.clear_permissions()
        if self.page.url.startswith(self.address):
            self.page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
            self.page.goto("about:blank")
        self._left.append(self.page)
