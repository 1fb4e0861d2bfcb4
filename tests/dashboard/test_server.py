"""The server as a process: whom it asks, whom it answers, and what protects that cannot be turned off."""

from __future__ import annotations

import asyncio
import ctypes
import http.client
import platform
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar
from urllib.parse import urlsplit

import pytest
from nightly import nightly
from offline import Offline
from starlette.types import Message, Receive, Scope, Send
from streamlit.runtime import Runtime, RuntimeConfig
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.session_manager import SessionInfo
from visitor import serve

from dashboard import server
from dashboard.launch import PROTECTION, parse

#: A server's options turned against its visitors.
HOSTILE = """
[browser]
gatherUsageStats = true
serverAddress = "stats.example"
serverPort = 1
[client]
allowedOrigins = ["http://other.example"]
disableDataExport = false
showErrorDetails = "full"
showErrorLinks = true
toolbarMode = "developer"
[logger]
level = "debug"
[mapbox]
token = "x"
[runner]
magicEnabled = true
[secrets]
files = ["secrets.toml"]
[server]
address = "0.0.0.0"
allowedHosts = ["other.example"]
corsAllowedOrigins = ["http://other.example"]
customComponentBaseUrlPath = "http://other.example/component"
disconnectedSessionTTL = 1000000
enableAgentApi = true
enableCORS = false
enableStaticServing = true
enableXsrfProtection = false
fileWatcherType = "poll"
maxUploadSize = 100000
runOnSave = true
scriptHealthCheckEnabled = true
showEmailPrompt = true
trustedUserHeaders = {X-User = "name"}
unsafeMetricsUserAttributes = ["name"]
xsrfCookieSameSite = "none"
[theme]
base = "http://theme.example/theme.toml"
font = "Other:http://fonts.example/other.css"
"""
VARIABLES = {
    "STREAMLIT_BROWSER_GATHER_USAGE_STATS": "true",
    "STREAMLIT_CLIENT_SHOW_ERROR_DETAILS": "full",
    "STREAMLIT_SERVER_ADDRESS": "0.0.0.0",  # noqa: S104 # what must not be taken
    "STREAMLIT_SERVER_ENABLE_CORS": "false",
    "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false",
    "STREAMLIT_SERVER_MAX_UPLOAD_SIZE": "100000",
}
WEB_SOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol": "streamlit",
    "Sec-WebSocket-Version": "13",
}
UPLOAD = "/_stcore/upload_file/session/file"


def ask(address: str, path: str, *, method: str = "GET", **headers: str) -> tuple[int, dict[str, str]]:
    """A request's status, and the headers of its answer in lower case."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}


def web_socket(address: str, origin: str | None, path: str = "/_stcore/stream", **headers: str) -> int:
    """The status of a web socket's handshake: 101 where it is accepted."""
    return ask(address, path, **WEB_SOCKET, **headers, **({} if origin is None else {"Origin": origin}))[0]


def visit_everything(address: str) -> None:
    """Ask for what a browser asks for, and for what another site's page might."""
    for path in ("/", "/scores", "/_stcore/health", "/_stcore/host-config", "/_stcore/metrics", "/favicon.png"):
        assert ask(address, path)[0] == 200
    assert web_socket(address, address) == 101
    assert web_socket(address, None) == 101
    for origin in ("http://other.example", "https://127.0.0.1.other.example", "null", "http://127.0.0.1:1"):
        assert web_socket(address, origin) == 403


@pytest.fixture
def offline(tmp_path: Path) -> Offline:
    folder = tmp_path / "offline"
    folder.mkdir()
    return Offline(folder)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serve(tmp_path_factory.mktemp("home")) as found:
        yield found


# Every run asks for the same of a server with other options, below.
@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--address", "0.0.0.0"]])  # noqa: S104 # this test's own server
def test_no_other_host_is_asked_for_anything(offline: Offline, tmp_path: Path, options: list[str]) -> None:
    with serve(tmp_path, options, offline.environment) as address:
        visit_everything(address)
    assert offline.asked == []


def test_neither_config_files_nor_variables_turn_protection_off(offline: Offline, tmp_path: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text(HOSTILE, encoding="utf-8")
    (tmp_path / "secrets.toml").write_text("PATH = 'x'\n[auth]\ncookie_secret = 'x'\n", encoding="utf-8")
    with serve(tmp_path, (), {**VARIABLES, **offline.environment}) as address:
        visit_everything(address)
        _check_forgery_protection(address)
        port = urlsplit(address).port
    wanted = parse(["--port", str(port), "--no-browser"]).streamlit_options()
    assert wanted.items() >= PROTECTION.items()
    found = offline.options
    assert {name: found[name] for name in wanted} == wanted
    assert found["theme.font"] == "Other:http://fonts.example/other.css"  # the files were read: taste is theirs
    assert offline.asked == []


def test_nothing_is_reached_under_a_name_that_is_not_the_servers(tmp_path: Path) -> None:
    with serve(tmp_path, ["--allowed-host", "mt.example.org"]) as address:
        for path in ("/", "/scores", "/_stcore/health", "/_stcore/host-config", "/media/none", "/favicon.png"):
            assert ask(address, path, Host="evil.example:8501")[0] == 403
            assert ask(address, path, Host="mt.example.org")[0] != 403
        cookie = ask(address, "/_stcore/health")[1]["set-cookie"].split(";")[0]
        token = {"Cookie": cookie, "X-Xsrftoken": cookie.split("=", 1)[1]}
        assert ask(address, UPLOAD, method="PUT", Host="evil.example:8501", **token)[0] == 403
        assert ask(address, UPLOAD, method="PUT", Host="mt.example.org", **token)[0] == 400  # no such session
        assert web_socket(address, "http://evil.example:8501", Host="evil.example:8501") == 403
        assert web_socket(address, "https://mt.example.org", Host="mt.example.org") == 101
        assert web_socket(address, "null", Host="") == web_socket(address, "file://x", Host="x") == 403
    log = (tmp_path / "server.log").read_text()
    assert log.count("Host 'evil.example:8501' refused") == 1
    assert "--allowed-host" in log


def test_an_upload_needs_the_token_of_the_page(address: str) -> None:
    _check_forgery_protection(address)


def _check_forgery_protection(address: str) -> None:
    cookie = ask(address, "/_stcore/health")[1]["set-cookie"].split(";")[0]
    token = cookie.split("=", 1)[1]
    for headers in ({}, {"Cookie": cookie}, {"X-Xsrftoken": token}):
        assert ask(address, UPLOAD, method="PUT", **headers)[0] == 403
        assert ask(address, UPLOAD, method="DELETE", **headers)[0] == 403
    assert ask(address, UPLOAD, method="PUT", **{"Cookie": cookie, "X-Xsrftoken": token})[0] == 400  # no such session


@pytest.mark.parametrize("path", ["/", "/scores", "/_stcore/health", "/_stcore/none", "/media/none", "/favicon.png"])
def test_every_answer_has_the_headers_that_protect(address: str, path: str) -> None:
    _, headers = ask(address, path)
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == "'self'"
    assert policy["object-src"] == "'none'"
    assert not {"'unsafe-inline'", "'unsafe-eval'", "http:", "https:", "*"} & set(policy["script-src"].split())
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "SAMEORIGIN"
    assert headers["referrer-policy"] == "same-origin"


def test_static_files_have_the_headers_that_protect(address: str) -> None:
    with urllib.request.urlopen(address, timeout=60) as answer:
        page = answer.read().decode()
    script = page.split('src="./')[1].split('"')[0]
    assert ask(address, f"/{script}")[1]["x-content-type-options"] == "nosniff"


def test_the_dashboard_can_be_served_below_a_path(tmp_path: Path) -> None:
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text('[server]\nbaseUrlPath = "bleu"\n', encoding="utf-8")
    with serve(tmp_path, path="/bleu") as address:
        assert ask(address, "/bleu/")[0] == 200
        assert web_socket(address, address, "/bleu/_stcore/stream") == 101
        assert web_socket(address, "http://other.example", "/bleu/_stcore/stream") == 403


@pytest.mark.parametrize("stop", [signal.SIGINT, *nightly([signal.SIGTERM])])
def test_the_server_stops_with_status_0_and_without_a_traceback(tmp_path: Path, stop: signal.Signals) -> None:
    command = [sys.executable, "-m", "dashboard", "--port", "0", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path) as process:
        assert process.stdout
        for line in process.stdout:
            if b"The dashboard is at http://127.0.0.1:" in line:
                break
        process.send_signal(stop)
        try:
            rest, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert b"Traceback" not in rest
    assert process.returncode == 0


#: What the allocator within pyarrow, and Streamlit about threads, may print where memory is limited.
OF_OTHERS = ("<jemalloc>: Cannot allocate memory for MADV_DONTNEED check", "can't start new thread")


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is on addresses, which other systems count otherwise")
@pytest.mark.parametrize("limit", [250_000, *nightly([150_000, 700_000])])
def test_a_server_without_memory_for_its_pages_ends_and_names_the_limit(tmp_path: Path, limit: int) -> None:
    command = ["sh", "-c", f'ulimit -v {limit} && exec "$@"', "sh", sys.executable, "-m", "dashboard"]
    ended = subprocess.run(
        [*command, "--port", "0", "--no-browser"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    lines = ended.stderr.split("\n")
    (message,) = (line for line in lines if line.startswith("bleu-dashboard: the server ended: "))
    assert all(line.endswith(OF_OTHERS) for line in lines if line not in ("", message))
    assert "Traceback" not in ended.stderr
    assert message.endswith(f"; memory is limited by ulimit -v {limit}: raise or remove the limit")
    assert ended.returncode == 2


@pytest.mark.parametrize("error", [MemoryError(), ImportError("x.so: failed to map segment from shared object")])
def test_a_server_that_cannot_load_its_pages_for_want_of_memory_ends_itself(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(_: str) -> None:
        raise error

    problems: list[str] = []
    monkeypatch.setattr(server.importlib, "import_module", load)
    monkeypatch.setattr(server, "end_server", problems.append)
    monkeypatch.setattr(server, "memory_limits", lambda: "ulimit -v 400000")
    loaded = asyncio.Event()
    run_apart(server._load_or_end(loaded))  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    assert problems == [f"cannot load what the pages need: {str(error) or 'no memory left'}"]
    assert loaded.is_set()


Result = TypeVar("Result")


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a thread of its own: a browser's tests leave an event loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def answered(kind: str, loaded: asyncio.Event) -> bool:
    """Whether a request of that kind is passed on within some turns of the event loop."""
    passed: list[str] = []

    async def app(scope: Scope, _: Receive, __: Send) -> None:
        passed.append(scope["type"])

    async def receive() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        raise AssertionError(message)

    request = asyncio.create_task(
        server.Protection(app, loaded)({"type": kind, "headers": []}, receive, send),  # type: ignore[arg-type]
    )
    for _ in range(20):
        await asyncio.sleep(0)
    request.cancel()
    return passed == [kind]


@pytest.mark.parametrize(("kind", "waits"), [("http", False), ("websocket", True)])
def test_sessions_wait_until_packages_are_loaded_and_other_requests_do_not(kind: str, *, waits: bool) -> None:
    async def ask_before_and_after() -> tuple[bool, bool]:
        loaded = asyncio.Event()
        before = await answered(kind, loaded)
        loaded.set()
        return before, await answered(kind, loaded)

    assert run_apart(ask_before_and_after()) == (not waits, True)


def test_a_session_is_refused_for_now_if_loading_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def connect() -> None:
        site: Any = server.Protection(None, asyncio.Event())  # type: ignore[arg-type]
        await site({"type": "websocket", "headers": []}, None, send)

    monkeypatch.setattr(server, "LOAD_TIMEOUT_S", 0.01)
    run_apart(connect())
    assert sent == [{"type": "websocket.close", "code": 1013}]


def test_sessions_begin_even_where_a_package_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def load() -> bool:
        loaded = asyncio.Event()
        await server._load(loaded)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        return loaded.is_set()

    monkeypatch.setattr(server, "PACKAGES", ("no_such_package",))
    assert run_apart(load())
    assert "cannot load what the pages need" in caplog.text
    caplog.clear()


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="mallopt is glibc's")
def test_glibc_takes_the_options_of_malloc() -> None:
    found = {option: ctypes.CDLL(None).mallopt(option, value) for option, value in server.MALLOC_OPTIONS.items()}
    assert found == dict.fromkeys(server.MALLOC_OPTIONS, 1)  # 1 is success


def test_a_session_that_may_no_longer_come_back_is_ended_though_no_other_one_is_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[str] = []
    monkeypatch.setattr(Runtime, "_instance", None)
    storage = MemorySessionStorage(ttl_seconds=0)
    files = MemoryUploadedFileManager("/uploads")
    config = RuntimeConfig("app.py", MemoryMediaFileStorage("/media"), files, session_storage=storage)
    session: Any = SimpleNamespace(id="a", shutdown=lambda: ended.append("a"))
    storage.save(SessionInfo(client=None, session=session))
    server.end_expired_sessions(Runtime(config))
    server.end_expired_sessions(Runtime.instance())
    assert ended == ["a"]
