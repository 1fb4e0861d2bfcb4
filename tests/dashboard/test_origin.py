"""Under which names the server answers, for each kind of request."""

from __future__ import annotations

import logging

import pytest
from asking import Reached, run_apart
from starlette.datastructures import Headers
from starlette.types import Message, Scope

from dashboard.launch import parse
from dashboard.origin import MAX_LOGGED, KnownHosts, host_name, same_origin

#: Pages, health, uploads, media, the list and the answers of judges, and web sockets.
KINDS = (
    *(("http", path) for path in ("/", "/scores", "/_stcore/health", "/_stcore/upload_file/a/b", "/media/x.csv")),
    *(("http", path) for path in ("/rate", "/rate/api/list", "/rate/api/answers", "/lead")),
    ("websocket", "/_stcore/stream"),
)
ANY = "0.0.0.0"  # noqa: S104 # only compared


def answer(app: KnownHosts, *hosts: str, kind: str = "http", path: str = "/", at: str = "127.0.0.1") -> tuple[int, str]:
    """The status and the text of an answer; of a web socket 101 or 403."""
    headers = [(b"host", host.encode("latin-1")) for host in hosts] + [(b"x-forwarded-host", b"localhost")]
    scope: Scope = {"type": kind, "path": path, "method": "GET", "headers": headers, "server": (at, 8501)}
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": f"{kind}.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    run_apart(app(scope, receive, send))  # type: ignore[arg-type]
    if kind == "websocket":
        return {"websocket.accept": 101, "websocket.close": 403}[sent[0]["type"]], ""
    return sent[0]["status"], sent[1]["body"].decode()


def status(*hosts: str, options: tuple[str, ...] = (), at: str = "127.0.0.1") -> int:
    """The status with a Host header, or with several, of a server with these options."""
    return answer(KnownHosts(Reached(), parse(options).names), *hosts, at=at)[0]


@pytest.mark.parametrize(("kind", "path"), KINDS)
def test_a_name_that_is_not_the_servers_reaches_nothing(kind: str, path: str) -> None:
    reached = Reached()
    app = KnownHosts(reached, parse([]).names)
    assert answer(app, "evil.example:8501", kind=kind, path=path)[0] == 403
    assert reached.paths == []
    assert answer(app, "localhost:8501", kind=kind, path=path)[0] in (101, 200)
    assert reached.paths == [path]


@pytest.mark.parametrize(
    "host", ["localhost", "LocalHost:1", "localhost.:8501", "127.0.0.1:8501", "[::1]:8501", "[0:0::1]", "127.0.0.1"]
)
def test_a_loopback_address_is_reached_under_its_names(host: str) -> None:
    assert status(host) == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example.", "192.0.2.1", "[::2]"),
        *("", ".", ":8501", "localhost:x", "localhost:99999", "x@localhost", "localhost@evil.example", "local host"),
        *("localhost/", "localhost?", "localhost#", "localhost\\", "[::1", "::1", "localhost,evil.example", ANY),
        *("\xb5", "localhost\t", "[localhost]", "2130706433"),
    ],
)
def test_other_names_and_headers_that_are_none_are_refused(host: str) -> None:
    assert status(host) == 403


def test_one_host_is_needed() -> None:
    assert status() == 403
    assert status("localhost", "localhost") == 403
    assert status("evil.example", "localhost") == 403


def test_a_wildcard_address_is_reached_at_this_machines_addresses_and_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Box.lab.example")
    for host in ("box", "box.lab.example", "box.local", "localhost", "127.0.0.1", ANY):
        assert status(f"{host}:8501", options=("--address", ANY)) == 200
        assert status(f"{host}:8501") == (200 if host in ("localhost", "127.0.0.1") else 403)
    for address, host in (
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::7", "[2001:db8::7]"),
    ):
        assert status(f"{host}:8501", options=("--address", "::"), at=address) == 200
        assert status(f"{host}:8501", options=("--address", "::"), at="192.0.2.8") == 403
    assert status("evil.example", options=("--address", ANY)) == 403


@pytest.mark.parametrize(
    ("options", "host"),
    [
        (("--allowed-host", "MT.example.org"), "mt.example.org:443"),
        (("--allowed-host", "a.example", "--allowed-host", "b.example."), "b.example"),
        (("--allowed-host", "[2001:db8::1]"), "[2001:db8:0::1]"),
        (("--address", "box.example"), "box.example:8501"),
        (("--address", "2001:db8::1"), "[2001:db8::1]:8501"),
        (("--address", "[2001:db8::1]"), "[2001:db8::1]:8501"),
    ],
)
def test_the_address_and_the_names_given_are_names_of_the_server(options: tuple[str, ...], host: str) -> None:
    assert status(host, options=options) == 200
    assert status(host) == 403


def test_the_page_and_the_terminal_name_the_host_and_the_option(caplog: pytest.LogCaptureFixture) -> None:
    app = KnownHosts(Reached(), parse([]).names)
    with caplog.at_level(logging.WARNING):
        found, page = answer(app, "evil.example<b>\n:8501")
        answer(app, "evil.example<b>\n:8501", kind="websocket")
    assert found == 403
    assert "Host &#x27;evil.example&lt;b&gt;\\n:8501&#x27; is refused" in page
    assert "--allowed-host NAME" in page
    (message,) = caplog.messages  # once
    assert message.startswith(r"Host 'evil.example<b>\n:8501' refused; names accepted: 127.0.0.1, ::1, localhost.")
    assert "--allowed-host NAME" in message


def test_made_up_names_do_not_fill_the_terminal(caplog: pytest.LogCaptureFixture) -> None:
    app = KnownHosts(Reached(), ())
    for n in range(MAX_LOGGED + 5):
        answer(app, f"{n}" + "x" * 10_000)
    assert len(caplog.messages) == MAX_LOGGED
    assert max(map(len, caplog.messages)) < 500


@pytest.mark.parametrize(("host", "name"), [("A.b.:80", "a.b"), ("[::FFFF:127.0.0.1]", "127.0.0.1"), ("a b", "a b")])
def test_host_names_have_one_form(host: str, name: str) -> None:
    assert host_name(host) == name


@pytest.mark.parametrize(
    ("origin", "same"),
    [
        (None, True),
        ("http://localhost:8501", True),
        ("https://localhost:8501", True),
        ("http://localhost", False),
        ("null", False),
        ("", False),
        ("file://localhost:8501", False),
        ("file://", False),
        ("http://[", False),
    ],
)
def test_only_web_pages_of_the_same_host_are_of_the_same_origin(origin: str | None, *, same: bool) -> None:
    headers = {"host": "localhost:8501"} | ({} if origin is None else {"origin": origin})
    assert same_origin(Headers(headers)) is same
    if origin is not None:
        assert not same_origin(Headers({"host": "", "origin": origin}))
