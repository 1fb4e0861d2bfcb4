"""Sessions without a browser: going to a page, dropping files, ticking names, what a page says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from bleu_core.uploads import File, create_file
from dashboard.literal import literal
from dashboard.session import work
from dashboard.views import PAGES

#: How Streamlit calls every session of AppTest.
SESSION_ID = "test session id"

APP = Path(__file__).parents[1] / "dashboard" / "app.py"


class UnopenedSession(AppTest):
    """A session that runs when a test looks at it: one that goes to another page first does not draw the first page.

    Args:
        hashes: address of a page -> the hash by which Streamlit knows it.
    """

    def __init__(self, hashes: Mapping[str, str]) -> None:
        self.opened = True  # for what AppTest itself sets
        super().__init__(APP, default_timeout=60)
        self.opened = False
        self.hashes = hashes

    def run(self, *, timeout: float | None = None) -> AppTest:
        """Open the session, or run the page again."""
        self.opened = True
        return super().run(timeout=timeout)

    def __getattribute__(self, name: str) -> Any:
        if name in {"_tree", "session_state", "query_params"} and not self.opened:
            self.run()
        return super().__getattribute__(name)


def visit(app: AppTest, path: str) -> AppTest:
    """Go to a page by its address; AppTest itself knows only pages that are files.

    Args:
        app: the session.
        path: of the page, and after a slash of a part of it: "ranking/pairs".
    """
    path, _, part = path.partition("/")
    if part:
        _choose_part(app, path, part)
    vars(app)["_page_hash"] = _hashes(app)[path]
    return app.run()


def _choose_part(app: AppTest, path: str, part: str) -> None:
    """Choose a part of the next page, as a link to the part does; the first one needs none, unless data may lack it."""
    state, key = vars(app)["_session_state"], part_key(path)
    first = next(page.parts[0] for page in PAGES if page.path == path)
    if key in state or "url" not in state:
        state[key] = part
    elif key in {**state["url"].kept, **state["url"].arrived} or part != first.path or first.needs == "test sets":
        state["url"].drop(key, {})
        state["url"].arrived[key] = [part]


def _hashes(app: AppTest) -> Mapping[str, str]:
    if isinstance(app, UnopenedSession) and not app.opened:
        return app.hashes
    pages: dict[str, Any] = vars(app)["_registered_pages"]
    return {page.get("url_pathname", ""): key for key, page in pages.items()}


def with_parameters(app: AppTest, **parameters: str | list[str]) -> AppTest:
    """Give a session that is not opened yet the parameters of its address."""
    _unopened(app)["query_params"].update(parameters)
    return app


def with_state(app: AppTest, state: Mapping[str, Any]) -> AppTest:
    """Give a session that is not opened yet values of its state, such as which sections are unfolded."""
    for key, value in state.items():
        _unopened(app)["_session_state"][key] = value
    return app


def load(app: AppTest, *files: tuple[str, bytes] | File) -> AppTest:
    """Give a session files, which the next page has; unlike `upload`, this draws no page."""
    session = vars(app)["_session_state"]
    if "held" not in session:
        assert isinstance(app, UnopenedSession)
        session["held"] = work.SESSIONS.create(SESSION_ID)
        session["asked"] = session["held"].key
    new = [file if isinstance(file, File) else create_file(*file, role=None) for file in files]
    session["held"].files += tuple(new)
    session["dataset"] = "own"
    return app


def _unopened(app: AppTest) -> dict[str, Any]:
    assert isinstance(app, UnopenedSession)
    assert not app.opened
    return vars(app)


def part_key(path: str) -> str:
    """The parameter that names the part of a page in addresses."""
    return f"{path.replace('-', '_')}_part"


def widget_of(widgets: Iterable[Any], key: str) -> Any:
    """The widget of a control; in a popover, it has another one after each value that the page sets."""
    return next(widget for widget in widgets if re.fullmatch(rf"{key}(-[0-9]+)?", widget.key or ""))


def said(app: AppTest) -> str:
    """All that a page says, without the escapes of Markdown."""
    blocks: list[Any] = [*app.markdown, *app.caption, *app.text, *app.info, *app.warning, *app.error]
    blocks += [*app.header, *app.subheader]
    return re.sub(r"\\(.)", r"\1", "\n".join(str(block.value) for block in blocks)).replace("\u2060", "")


def html_of(app: AppTest) -> list[str]:
    """What a page shows as HTML."""
    return [str(element.proto.body) for element in app.get("html")]


def listed_segments(app: AppTest) -> list[int]:
    """The numbers of the segments that the page Segments shows, in their order."""
    return [int(n) for body in html_of(app) for n in re.findall(r'class="segment-number" data-number="(\d+)"', body)]


def select_file(app: AppTest, row: int) -> AppTest:
    """Select a row in the table of files on the Data page; AppTest cannot click on it."""
    app.session_state["selected_file"] = row
    return app.run()


def show_data(app: AppTest, chosen: str) -> AppTest:
    """Show the sample data ("sample") or the uploaded files ("own")."""
    return app.segmented_control(key="dataset_shown").set_value(chosen).run()


def upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Drop files on the Data page."""
    visit(app, "data")
    form = app.file_uploader[0]
    return form.set_value([(name, data, "text/plain") for name, data in files]).run()


# --- check lists ---------------------------------------------------------------------------------------------


def untick(app: AppTest, what: str, *names: str) -> AppTest:
    """Untick names in the list of systems, references, groups or judges."""
    for name in names:
        _box(app, what, name).uncheck()
    return app.run()


def tick(app: AppTest, what: str, *names: str) -> AppTest:
    """Tick names in the list of systems, references, groups or judges."""
    for name in names:
        _box(app, what, name).check()
    return app.run()


def unticked(app: AppTest, what: str) -> list[str]:
    """The names that are not ticked in a list, in the list's order."""
    return [_plain(box.label) for box in _boxes(app, what) if not box.value]


def _box(app: AppTest, what: str, name: str) -> Any:
    return next(box for box in _boxes(app, what) if box.label == literal(name))


def _boxes(app: AppTest, what: str) -> list[Any]:
    return [box for box in app.checkbox if re.fullmatch(rf"without_{what}-\d+(-\d+)?", box.key or "")]


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).replace("\u2060", "")
