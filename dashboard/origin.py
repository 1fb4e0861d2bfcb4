"""Checks of the origin and host name of requests."""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable
from contextlib import suppress
from html import escape
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

LOGGER = logging.getLogger(__name__)

#: Names of the local machine, which name servers cannot redirect.
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

#: Maximum number of refused names that are logged, so that requests cannot fill the log.
MAX_LOGGED = 100

#: Maximum number of characters of a name in a message; host names have at most 253.
MAX_SHOWN = 253

REFUSED = (
    "Host {host} is refused: it is not a name of this server. Open the address that the dashboard prints when "
    "it starts. If the name leads to this server, for example through a proxy, start it with --allowed-host NAME."
)
LOGGED = "Host %s refused; names accepted: %s. If it leads to this server, start it with --allowed-host NAME."


def same_origin(headers: Headers) -> bool:
    """Return whether a request comes from a page of this server, or from a program that is not a browser."""
    origin, host = headers.get("origin"), headers.get("host")
    return origin is None or (bool(host) and origin in (f"http://{host}", f"https://{host}"))


def host_name(host: str) -> str:
    """Return the name in a Host header, without port, brackets and final dot, in lower case; empty if it is invalid."""
    try:
        parts = urlsplit(f"//{host}")
        name, _ = (parts.hostname or "").removesuffix("."), parts.port  # a port that is not a number raises
    except ValueError:
        return ""
    if host != parts.netloc or "@" in host:
        return ""
    return str(_address(name) or name)


class KnownHosts:
    """Refuses every request whose Host is not a name of the server.

    A page of another site can have its own name resolved to this machine (DNS rebinding). The browser then takes the
    dashboard for that site, so that only the name identifies the page that sends the request.

    Args:
        app: answers the other requests.
        names: of the server. The names of the loopback, and the address at which a connection arrives, are added:
            addresses are not resolved by name servers.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = LOOPBACK | {host_name(f"[{name}]" if ":" in name else name) for name in names}
        self._logged: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        hosts = Headers(scope=scope).getlist("host")
        name = host_name(hosts[0]) if len(hosts) == 1 else ""
        if name and (name in self._names or name == str(_address((scope.get("server") or [""])[0]))):
            await self._app(scope, receive, send)
            return
        shown = repr(", ".join(hosts)[:MAX_SHOWN])
        self._log(shown)
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: status 403
            return
        page = f"<!doctype html><title>403</title><p>{escape(REFUSED.format(host=shown))}</p>"
        await HTMLResponse(page, 403, {"Cache-Control": "no-store"})(scope, receive, send)

    def _log(self, shown: str) -> None:
        if shown not in self._logged and len(self._logged) < MAX_LOGGED:
            self._logged.add(shown)
            LOGGER.warning(LOGGED, shown, ", ".join(sorted(self._names)))


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address in canonical form: a dual-stack socket shows IPv4 addresses as ::ffff:192.0.2.1."""
    with suppress(ValueError):
        address = ipaddress.ip_address(text)
        return getattr(address, "ipv4_mapped", None) or address
    return None
