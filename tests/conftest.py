"""What several test modules share: running the command in this process, and small files."""

from __future__ import annotations

import gc
import itertools
import json
import logging
import os
import re
import signal
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import nightly
import pandas as pd
import pytest
import streamlit as st
from hypothesis import HealthCheck, settings
from pages import APP, UnopenedSession, load, part_key, with_parameters
from plotly import basedatatypes
from schemas import check_json
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.elements.lib import pandas_styler_utils
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest, local_script_runner

from bleu_core.cli.commands import main
from bleu_core.formats import isolated
from bleu_core.invocation import STARTED_BY_UV
from bleu_core.uploads import File
from dashboard.session import address, work
from dashboard.session.url import ABSENT, KNOWN, MACHINES_ONLY, Controls, Parameters, UrlState

# A shared machine's pauses are no failures, and the same examples every time make a failure reproducible.
settings.register_profile(
    "suite",
    max_examples=int(os.environ.get("BLEU_EXAMPLES", "25")),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")

# Streamlit looks through all installed packages for components in every session without a browser.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

# It looks every millisecond whether the page has run, in a time that a busy machine may exceed.
_look = local_script_runner.require_widgets_deltas


def _wait_and_look(runner: local_script_runner.LocalScriptRunner, _timeout: float = 3) -> None:
    """Wait until the page has run, for as long as the test may take."""
    thread = runner._script_thread  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    assert thread
    try:
        thread.join()
    except BaseException:  # the test may take no longer
        runner.request_stop()
        raise
    _look(runner)


local_script_runner.require_widgets_deltas = _wait_and_look

# A session without a browser compiles the app's file anew for each run; a server does so once.
_SCRIPTS = ScriptCache()
setattr(local_script_runner, "ScriptCache", lambda: _SCRIPTS)  # noqa: B010

# A session without a browser keeps no messages that it might send again, and needs no digests of them.
setattr(script_run_context, "populate_hash_if_needed", lambda _: None)  # noqa: B010

# A server looks for unused memory twice a minute; a test process ends sooner than it would need that.
work.SWEEP_INTERVAL_S = 24 * 3600


def _display_values(frame: pd.DataFrame, styles: Mapping[str, Any]) -> pd.DataFrame:
    """Replace the values of a table by the texts of its cells, as Streamlit does, but in one array."""
    texts = frame.astype(str).to_numpy(dtype=object)
    for cell in itertools.chain.from_iterable(styles.get("body", ())):
        if found := re.match(r"row(\d+)_col(\d+)", cell.get("id", "")):
            texts[int(found[1]), int(found[2])] = str(cell["display_value"])
    return pd.DataFrame(texts, index=frame.index, columns=frame.columns, dtype="str")


setattr(pandas_styler_utils, "_use_display_values", _display_values)  # noqa: B010

_copied: Callable[[SafeSessionState], dict[str, Any]] = vars(SafeSessionState)["filtered_state"].fget


class _Values(Mapping[str, Any]):
    """The values of a session, each looked up when it is asked for: a widget copies all of them, and asks for one."""

    def __init__(self, state: SafeSessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        of: Any = vars(self._state)
        with of["_lock"]:
            return of["_state"][key]

    def __iter__(self) -> Iterator[str]:
        return iter(_copied(self._state))

    def __len__(self) -> int:
        return len(_copied(self._state))


setattr(SafeSessionState, "filtered_state", property(_Values))  # noqa: B010

# Plotly takes the names of properties apart anew for each that is set, by a function of these names alone.
setattr(basedatatypes, "_str_to_dict_path_full", cache(vars(basedatatypes)["_str_to_dict_path_full"]))  # noqa: B010

# As the dashboard has it: Streamlit collects no statistics of usage.
config.set_option("browser.gatherUsageStats", value=False)

# Messages name commands as somebody calls them who has installed the project, however the tests were started.
os.environ.pop(STARTED_BY_UV, None)
os.environ["PATH"] = os.pathsep.join((sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)))

# A shell starts its background jobs with SIGINT ignored, and the programs that tests start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests of the whole project: a file is one core's, and these would keep one busy at the end.

    Tests of the nightly run have more time than the others, which have that of pyproject.toml.
    """
    items.sort(key=lambda item: item.path.parent != Path(__file__).parent)
    for item in items:
        if item.get_closest_marker("slow") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(nightly.TEST_TIMEOUT_S))


def pytest_collection_finish() -> None:
    """Look for garbage rarely, and never in what was imported."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture
def readers_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let isolated formats be read in this process, whose memory and time a test measures."""
    monkeypatch.setattr(isolated, "isolated", lambda function, *given, **_: function(*given))


@pytest.fixture(autouse=True)
def no_unexpected_error(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Errors that nobody expected do not end a session, only the test in which they are logged.

    A test that is about such errors clears them.
    """
    yield
    errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in errors if record.name.startswith(("dashboard", "bleu_core"))] == []


@pytest.fixture(autouse=True)
def no_unknown_choice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test chooses by an address or a click is a control's, and an option of it: all else has no effect.

    A test that is about such choices is marked `unknown_choices`.
    """
    unknown: set[str] = set()
    restore, renew = UrlState.restore, address.renewed

    def restored(self: UrlState, key: str, default: Any, *, controls: Controls, **given: Any) -> None:
        value = controls.get(key, ABSENT)
        is_new = key not in self.restored and value is not ABSENT and value != self.kept.get(key, ABSENT)
        restore(self, key, default, controls=controls, **given)
        if not key.endswith("_part"):  # parts depend on the data
            unknown.update(f"{key}={item}" for item in self.ignored.get(key, []))
        if is_new and controls[key] != value and not isinstance(value, list):  # lists may name what other sets have
            unknown.add(f"{key}={value}")

    def renewed(parameters: Parameters) -> dict[str, list[str]]:
        unknown.update(parameters.keys() - KNOWN - {MACHINES_ONLY, "show"})
        return renew(parameters)

    monkeypatch.setattr(UrlState, "restore", restored)
    monkeypatch.setattr(address, "renewed", renewed)
    yield
    if not request.node.get_closest_marker("unknown_choices"):
        assert sorted(unknown) == []


@dataclass(frozen=True, slots=True)
class Run:
    """What one call of the command did."""

    status: int
    out: str
    err: str
    command: str = ""

    @property
    def json(self) -> Any:
        """What it printed, read as strict JSON: NaN and Infinity, which JSON lacks, are errors."""

        def refuse(constant: str) -> None:
            raise ValueError(f"{constant} is not JSON")

        assert self.status == 0, self.err
        content = json.loads(self.out, parse_constant=refuse)
        check_json(self.command, content)
        return content


Runner = Callable[..., Run]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Runner:
    """`run("score", "--ref", path, ...)`: the command in this process."""

    def call(*arguments: object) -> Run:
        capsys.readouterr()
        try:
            status = main([str(a) for a in arguments])
        except SystemExit as ended:  # argparse ends the process itself
            status = ended.code if isinstance(ended.code, int) else 1
        captured = capsys.readouterr()
        return Run(status, captured.out, captured.err, str(arguments[0]) if arguments else "")

    return call


Writer = Callable[[str, str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    r"""`write("A.txt", "one\ntwo\n")`: a file in a temporary folder; text as UTF-8, line ends as given."""

    def call(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return call


@pytest.fixture
def on_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """The app as the command line starts it without files."""
    monkeypatch.setattr("sys.argv", ["app.py"])


@pytest.fixture
def app(on_sample: None, hashes: Mapping[str, str]) -> AppTest:  # noqa: ARG001
    """A session on the sample data, at the first page unless `visit` opens it at another."""
    return UnopenedSession(hashes)


Holder = Callable[..., AppTest]


@pytest.fixture
def holding(on_sample: None, hashes: Mapping[str, str]) -> Holder:  # noqa: ARG001
    """`holding(files, tokenizer="char")`: a session that has files, before it is opened."""

    def call(files: Iterable[File], **parameters: str | list[str]) -> AppTest:
        return load(with_parameters(UnopenedSession(hashes), **parameters), *files)

    return call


Opener = Callable[..., AppTest]


@pytest.fixture(scope="session")
def hashes() -> Mapping[str, str]:
    """Address of a page -> the hash by which Streamlit knows it, from a session before: a new one knows none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["app.py"])
        first = AppTest.from_file(str(APP), default_timeout=60).run()
    pages: dict[str, Any] = vars(first)["_registered_pages"]
    return {page.get("url_pathname", ""): key for key, page in pages.items()}


Downloads = dict[str, Callable[[], bytes]]


@pytest.fixture
def downloads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Downloads:
    """The files that pages offer, by key; AppTest cannot download. They go to an empty folder, in which the test is."""
    monkeypatch.chdir(tmp_path)
    found: Downloads = {}

    def offered(_: str, data: Any, *, key: str, **__: object) -> bool:
        found[key] = data
        return False

    monkeypatch.setattr(st, "download_button", offered)
    return found


@pytest.fixture
def opened(on_sample: None, hashes: Mapping[str, str]) -> Opener:  # noqa: ARG001
    """`opened("ranking/pairs", tokenizer="char")`: a session opened by the address of a page, or of a part of it."""

    def call(path: str, **parameters: str | list[str]) -> AppTest:
        new = AppTest.from_file(str(APP), default_timeout=60)
        path, _, part = path.partition("/")
        if part:
            parameters[part_key(path)] = part
        vars(new)["_page_hash"] = hashes[path]
        for key, value in parameters.items():
            new.query_params[key] = value
        return new.run()

    return call
