"""Access control for the campaigns that are opened on a server's page, for the judges and leads of each.

The rest of the server stays open to everyone who can reach it; the page Campaign shows a campaign to its lead only.
"""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bleu_core.campaigns import CampaignStore, UnusableFileError
from dashboard.open_campaigns import NEWEST_LEAD, Hosting, lead_cookie
from dashboard.rating.access import MAX_BYTES_OF_TOKEN, CampaignAccess, body_of, token_in
from dashboard.rating.lead_sessions import MAX_AGE_S


class HostedAccess:
    """Serves the rating page, its API and the page of the lead's link for all hosted campaigns.

    A request is answered by the campaign whose token it has. A request without a valid token is refused by the first
    campaign, with an increasing delay for each further one from the same address.

    Args:
        app: answers all other requests.
        hosting: the campaigns.
        path: the beginning of all paths, such as "/mt", or empty.
    """

    def __init__(self, app: ASGIApp, hosting: Hosting, path: str = "") -> None:
        self._app, self._hosting, self._path = app, hosting, path
        self._sites: dict[Path, CampaignAccess] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = ""
        if scope["type"] == "http" and scope["path"].startswith(f"{self._path}/"):
            path = scope["path"].removeprefix(self._path)
        stores = self._hosting.stores if _is_of_campaigns(path) else ()
        if not stores:
            await self._app(scope, receive, send)
        elif path == "/lead" and scope["method"] == "POST":
            await self._sign_in(stores, scope, receive, send)
        else:
            kind, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
            owner = await run_in_threadpool(_owner, stores, token.strip() if kind.lower() == "bearer" else "")
            await self._site(owner)(scope, receive, send)

    async def _sign_in(self, stores: tuple[CampaignStore, ...], scope: Scope, receive: Receive, send: Send) -> None:
        """Exchange the token of a lead's link, in the body; its campaign becomes the newest of this browser."""
        body = await body_of(Request(scope, receive), MAX_BYTES_OF_TOKEN) or b""
        owner = await run_in_threadpool(_owner, stores, token_in(body) or "")

        async def received() -> Message:
            return {"type": "http.request", "body": body, "more_body": False}

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 204:  # noqa: PLR2004 # signed in
                newest = Response()
                newest.set_cookie(
                    NEWEST_LEAD,
                    lead_cookie(owner),
                    max_age=MAX_AGE_S,
                    path=self._path or "/",
                    secure=scope["scheme"] == "https",
                    httponly=True,
                    samesite="strict",
                )
                MutableHeaders(scope=message).append("set-cookie", newest.headers["set-cookie"])
            await send(message)

        await self._site(owner)(scope, received, sent)

    def _site(self, store: CampaignStore) -> CampaignAccess:
        if store.path not in self._sites:
            self._sites[store.path] = site = CampaignAccess(self._app, store, self._path)
            self._hosting.let_in(store, site.is_lead)
        return self._sites[store.path]


def _is_of_campaigns(path: str) -> bool:
    return any(path == at or path.startswith(f"{at}/") for at in ("/rate", "/lead"))


def _owner(stores: tuple[CampaignStore, ...], token: str) -> CampaignStore:
    """Return the campaign that a token belongs to; else one whose file cannot be read, or the first."""
    unusable: list[CampaignStore] = []
    for store in stores if token else ():
        try:
            if store.token_owner(token) is not None:
                return store
        except UnusableFileError:
            unusable.append(store)
    return (*unusable, *stores)[0]
