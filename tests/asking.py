"""Requests to the check of tokens, as a server would pass them on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from starlette.types import ASGIApp, Message, Receive, Scope, Send

Result = TypeVar("Result")


@dataclass
class Reached:
    """What stands for the dashboard: it notes what has passed the check."""

    paths: list[str] = field(default_factory=list[str])
    messages: list[Message] = field(default_factory=list[Message])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or take the messages of a web socket."""
        self.paths.append(scope["path"])
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"dashboard"})
            return
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] != "websocket.disconnect":
            self.messages.append(message)


@dataclass(frozen=True)
class Answer:
    """An answer: its status, headers in lower case, and body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


def run_apart(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in a thread of its own: a browser's tests leave an event loop running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def request(
    app: ASGIApp,
    path: str,
    body: bytes | None = None,
    *,
    method: str = "",
    headers: Iterable[tuple[str, str]] = (),
    client: str = "192.0.2.1",
    scheme: str = "http",
) -> Answer:
    """Ask over HTTP; with a body by POST."""
    scope: Scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method or ("GET" if body is None else "POST"),
        "scheme": scheme,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"test"), *((name.lower().encode(), value.encode("latin-1")) for name, value in headers)],
        "client": (client, 1),
        "server": ("test", 80),
    }
    parts = [body or b""]
    sent: list[Message] = []

    async def receive() -> Message:
        return (
            {"type": "http.request", "body": parts.pop(), "more_body": False} if parts else {"type": "http.disconnect"}
        )

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return Answer(sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:]))


async def web_socket(app: ASGIApp, path: str, cookie: str, messages: Iterable[Message]) -> list[Message]:
    """Open a web socket and send messages; returns what came back."""
    scope: Scope = {"type": "websocket", "path": path, "headers": [(b"cookie", cookie.encode())], "client": None}
    waiting = [*messages, {"type": "websocket.disconnect", "code": 1000}]
    sent: list[Message] = []

    async def receive() -> Message:
        message = waiting.pop(0)
        if callable(message.get("before")):
            message["before"]()
        return message

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent
