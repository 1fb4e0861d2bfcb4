"""Access control for a served campaign: judges can reach the rating page, and a lead's session everything else.

The check precedes everything that Streamlit serves: pages, uploads, media, metrics and web sockets.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request, cookie_parser
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleu_core.campaigns import CampaignStore, UnusableFileError
from bleu_core.invocation import invocation
from dashboard.open_campaigns import lead_cookie
from dashboard.origin import same_origin
from dashboard.rating.api import MAX_BYTES, BadRequestError, JudgeApi
from dashboard.rating.lead_sessions import MAX_AGE_S, ExpiredLinkError, LeadSessions
from dashboard.rating.throttle import Throttle

HEALTH = "/_stcore/health"
#: Maximum number of bytes that the page of the lead's link sends.
MAX_BYTES_OF_TOKEN = 1000

#: Headers of the rating page and the page of the lead's link, which load only their own files.
PAGE_HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer",
        "X-Frame-Options": "DENY",
        "Cache-Control": "no-cache",
    }
)
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}

NOT_VALID = "This link is not valid. Ask the person who sent it to you for a new one."
TOO_MANY = "Too many links that are not valid were tried. Wait a minute and try again."
#: The command works in the working folder of the server.
NEW_LINK = f"On the server, {invocation('bleu-core')} campaign links FILE --lead makes a new link."
LEAD_ONLY = (
    "This page needs the link of the person who leads the campaign. Judges: open the link that you were sent. Lead: "
    f"open your link; if it has expired, or your session has ended, make a new one. {NEW_LINK}"
)
LEAD_NOT_VALID = f"This link is not valid, or a newer one has replaced it. {NEW_LINK}"
CANNOT_READ = (
    "The server cannot read the campaign's file now. See the terminal in which the server runs for the reason. "
    "Judges' pages keep the answers that are not stored yet."
)
CANNOT_STORE = (
    "The server cannot store anything now. Answers that are not stored are kept on this device and sent again."
)

#: Seconds that a request waits for others to be stored. Together with the time that the store waits for other programs,
#: it is shorter than the rating page waits for its answer (`PATIENCE` in queue.js).
STORE_TIMEOUT_S = 5.0

#: Seconds that a request has to arrive.
BODY_TIMEOUT_S = 60.0


class CampaignAccess:
    """Serves the rating page to all, its API to judges, and the app to the lead.

    Args:
        app: the app, which only the lead can reach.
        store: of the campaign.
        path: the beginning of all paths, such as "/mt", or empty.
    """

    def __init__(self, app: ASGIApp, store: CampaignStore, path: str = "") -> None:
        self._app, self._store, self._path = app, store, path
        self._api = JudgeApi(store)
        self._lead = LeadSessions(store)
        self._throttle = Throttle()
        self._storing = asyncio.Lock()  # requests that wait to store something do not occupy threads
        self._cookie = lead_cookie(store)
        self._pages = Starlette(
            routes=[
                *(Route(f"{path}{at}", partial(_file, content)) for at, content in _files().items()),
                Route(f"{path}/rate/api/list", self._list),
                Route(f"{path}/rate/api/answers", self._answers, methods=["POST"]),
                Route(f"{path}/lead", self._sign_in, methods=["POST"]),
            ]
        )
        self._pages.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif scope["type"] == "http" and self._is_open(scope["path"]):
            await self._pages(scope, receive, send)
        elif scope["type"] == "http" and scope["path"] == self._path + HEALTH:
            await self._app(scope, receive, send)
        else:
            await self._lead_only(scope, receive, send)

    def is_lead(self, secret: str) -> bool:
        """Return whether a secret is that of an active session of the lead; if so, update the session's last use.

        Raises:
            UnusableFileError: the file cannot be read.
        """
        return self._lead.is_valid(secret)

    def _is_open(self, path: str) -> bool:
        return any(path == self._path + at or path.startswith(f"{self._path}{at}/") for at in ("/rate", "/lead"))

    async def _lead_only(self, scope: Scope, receive: Receive, send: Send) -> None:
        secret = self._secret(scope)
        try:
            allowed = secret is not None and await run_in_threadpool(self._lead.is_valid, secret)
        except UnusableFileError:
            await _refuse(503, CANNOT_READ, scope=scope, receive=receive, send=send)
            return
        if allowed and scope["type"] == "websocket":
            await self._while_valid(secret or "", scope, receive, send)
        elif allowed:
            await self._app(scope, receive, send)
        else:  # not delayed: secrets are too long to guess, and old tabs repeat requests after a session has ended
            await _refuse(401, LEAD_ONLY, scope=scope, receive=receive, send=send)

    def _secret(self, scope: Scope) -> str | None:
        """Return the secret in the cookie of a request; None without one."""
        return cookie_parser("; ".join(Headers(scope=scope).getlist("cookie"))).get(self._cookie)

    async def _while_valid(self, secret: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a web socket, which is closed at the first message after the session has ended."""
        ended = False

        async def received() -> Message:
            nonlocal ended
            message = await receive()  # without limit: the server ends connections whose browser does not answer
            if message["type"] == "websocket.receive" and not await self._is_lead(secret):
                ended = True
                await send({"type": "websocket.close", "code": 1008})
                return {"type": "websocket.disconnect", "code": 1008}
            return message

        async def sent(message: Message) -> None:
            if not ended:  # a page may still run
                await send(message)

        await self._app(scope, received, sent)

    async def _is_lead(self, secret: str) -> bool:
        try:
            return await run_in_threadpool(self._lead.is_valid, secret)
        except UnusableFileError:
            return True  # it was valid, and no newer link can have been made; the page shows the problem of the file

    async def _list(self, request: Request) -> Response:
        judge = await self._judge(request)
        if isinstance(judge, Response):
            return judge
        try:
            return _json(await run_in_threadpool(self._api.list_of, judge))
        except UnusableFileError:
            return _json({"message": CANNOT_READ}, 503)

    async def _answers(self, request: Request) -> Response:
        judge = await self._judge(request)
        if isinstance(judge, Response):
            return judge
        body = await body_of(request, MAX_BYTES)
        if body is None:
            return _json({"message": f"more than {MAX_BYTES:,} bytes found, fewer expected"}, 413)
        try:
            async with asyncio.timeout(STORE_TIMEOUT_S):
                await self._storing.acquire()
        except TimeoutError:
            return _json({"message": CANNOT_STORE}, 503)
        try:
            return _json(await run_in_threadpool(self._api.store_all, judge, body))
        except BadRequestError as error:
            return _json({"message": str(error)}, 400)
        except UnusableFileError:
            return _json({"message": CANNOT_STORE}, 503)
        finally:
            self._storing.release()

    async def _sign_in(self, request: Request) -> Response:
        """Exchange the lead's token for the secret of a session, in a cookie that no script can read."""
        if not same_origin(request.headers):
            return _json({"message": "a request of another site found, one of this server's page expected"}, 403)
        token = token_in(await body_of(request, MAX_BYTES_OF_TOKEN) or b"")
        secret = None
        try:
            if token is not None:
                secret = await run_in_threadpool(self._lead.begin, token, self._secret(request.scope))
        except ExpiredLinkError as error:
            return _json({"message": f"{error} {NEW_LINK}"}, 401)
        except UnusableFileError:
            return _json({"message": CANNOT_READ}, 503)
        if secret is None:
            return await self._refusal(request, LEAD_NOT_VALID)
        response = Response(status_code=204, headers={"Cache-Control": "no-store"})
        response.set_cookie(
            self._cookie,
            secret,
            max_age=MAX_AGE_S,
            path=self._path or "/",
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return response

    async def _judge(self, request: Request) -> str | Response:
        """Return the judge whose token a request has, or the response to a request without one."""
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        owner = None
        try:
            if kind.lower() == "bearer":
                owner = await run_in_threadpool(self._store.token_owner, token.strip())
        except UnusableFileError:
            return _json({"message": CANNOT_STORE}, 503)
        return owner[1] if owner is not None and owner[0] == "judge" else await self._refusal(request, NOT_VALID)

    async def _refusal(self, request: Request, message: str) -> Response:
        waited = await self._throttle.wait(_address(request.scope))
        return _json({"message": message}, 401) if waited else _json({"message": TOO_MANY}, 429)


async def _refuse(status: int, message: str, scope: Scope, receive: Receive, send: Send) -> None:
    """Respond with a page of one sentence, or refuse a web socket."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})  # before it is accepted: status 403
        return
    page = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{status}</title><p>{message}</p>'
    headers = {**PAGE_HEADERS, "Cache-Control": "no-store"}
    await Response(page, status, headers, TYPES[".html"])(scope, receive, send)


def _files() -> dict[str, tuple[bytes, str]]:
    """Return path -> content and type of the pages and their files."""
    folder = Path(__file__).parent
    contents = {f"/{name}": (folder / f"{name}.html").read_bytes() for name in ("rate", "lead")}
    for path in sorted(folder.iterdir()):
        if path.suffix in (".css", ".js"):
            contents[f"/{'lead' if path.stem == 'lead' else 'rate'}/{path.name}"] = path.read_bytes()
    return {at: (content, TYPES[Path(at).suffix or ".html"]) for at, content in contents.items()}


async def _file(content: tuple[bytes, str], _: Request) -> Response:
    return Response(content[0], headers=dict(PAGE_HEADERS), media_type=content[1])


async def body_of(request: Request, max_bytes: int) -> bytes | None:
    """Return the body of a request; None if it is longer than allowed, without reading the rest.

    A body that does not arrive in time is empty.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for part in request.stream():
                body += part
                if len(body) > max_bytes:
                    return None
    except (ClientDisconnect, TimeoutError):
        return b""
    return bytes(body)


def token_in(body: bytes) -> str | None:
    """Return the token in a request of the page of the lead's link; None without one."""
    try:
        content: Any = json.loads(body)
    except (ValueError, RecursionError):
        return None
    token: object = content.get("token") if isinstance(content, dict) else None
    return token if isinstance(token, str) else None


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _json(content: Mapping[str, Any], status: int = 200) -> Response:
    """Return a response in ASCII, which may contain lone surrogates of a request."""
    text = json.dumps(content, allow_nan=False)
    return Response(text, status, {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}, "application/json")
