"""The web server: Streamlit's, with stricter checks of connections, security headers, and uploads in memory.

Streamlit looks up this machine's external address, at a host on the internet, before it refuses a web socket of another
origin; so such a web socket is refused here first.

The server answers before the packages that pages need are loaded, which takes seconds and starts at once in a thread.
"""

from __future__ import annotations

import asyncio
import base64
import ctypes
import gc
import hashlib
import importlib
import logging
import mmap
import os
import re
import shlex
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import runtime

from bleu_core.invocation import invocation
from dashboard.launch import Launch
from dashboard.memory_limits import end_server, memory_limits
from dashboard.open_campaigns import Hosting, close_campaigns, host_campaigns
from dashboard.origin import KnownHosts, same_origin

if TYPE_CHECKING:  # loaded where a campaign is served
    from dashboard.rating import CampaignAccess, ServedCampaign

APP = Path(__file__).with_name("app.py")

LOGGER = logging.getLogger(__name__)

#: Packages that the first page loads, which takes seconds.
PACKAGES = ("dashboard.views", "plotly.graph_objects", "sacrebleu.metrics.bleu", "scipy.stats")


#: Option of glibc's malloc, mallopt(3) -> value: the number of arenas, and the threshold in bytes of separate mappings.
#: By default each thread has an arena, whose fragmentation retains the memory of past sessions.
MALLOC_OPTIONS = {-8: 2, -3: 2**20}

#: Bytes that must remain for sessions when everything is loaded: the stacks of some threads, and the results for a
#: small test set.
MIN_FREE_BYTES = 400 * 2**20

#: Line printed at the start for each open campaign in the folder.
HOSTED = (
    "Open to judges with a link: {file}. A new link of its lead: {program} campaign links {shell} --lead --url {base}"
)

#: Seconds between two checks for expired sessions.
SWEEP_INTERVAL_S = 30

#: Seconds that a session waits for the server to load what it needs; then the browser tries again.
LOAD_TIMEOUT_S = 60


def run(launch: Launch) -> None:
    """Serve the dashboard until it is stopped.

    Raises:
        MemoryError: the memory limits of this process are too low to load the packages that pages need.
    """
    if sys.platform == "linux":
        _configure_malloc()
    # Uploads over 1 MB would pass through a temporary file, which fails where the disk is full. Kept in memory, where
    # Streamlit copies them in the end, they need twice their size while they are read, and no text reaches the disk.
    MultiPartParser.spool_max_size = launch.limits.file_bytes + 1

    # Otherwise uvicorn trusts X-Forwarded-For headers of all programs on this machine.
    os.environ["FORWARDED_ALLOW_IPS"] = ",".join(launch.trusted_proxies)

    loaded = asyncio.Event()
    campaign = None
    if launch.campaign is not None:
        from dashboard.rating import ServedCampaign  # loaded when first needed

        campaign = ServedCampaign(launch.campaign)
    hosting = _hosting(launch)

    @asynccontextmanager
    async def opened(_: st.App) -> AsyncIterator[None]:
        tasks = asyncio.create_task(_load_or_end(loaded)), asyncio.create_task(_end_sessions())
        lines, first = _greeting(launch, campaign, hosting)
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
        if launch.browser and first:
            threading.Thread(target=webbrowser.open, args=(first,), daemon=True).start()
        yield
        for task in tasks:
            task.cancel()
        if campaign is not None:
            campaign.close()
        close_campaigns()

    sys.argv = [str(APP), *launch.arguments()]  # the app reads these
    middleware = [Middleware(Protection, loaded=loaded), Middleware(KnownHosts, names=launch.names)]
    if campaign is not None:
        middleware.append(Middleware(_with_access_check(campaign)))
    if hosting is not None:
        middleware.append(Middleware(HostedCampaigns, hosting=hosting))
    app = st.App(APP, middleware=middleware, lifespan=opened)
    app.run(config=launch.streamlit_options())


def _greeting(launch: Launch, campaign: ServedCampaign | None, hosting: Hosting | None) -> tuple[list[str], str]:
    """Return the lines printed at the start, and the page to open first; empty where there is none."""
    base = address(launch)
    lines = [f"The dashboard is at {base} (Ctrl-C stops it)"]
    program = invocation("bleu-core")
    for store in hosting.stores if hosting is not None else ():
        shell = shlex.quote(str(store.path))
        lines.append(HOSTED.format(file=store.path, program=program, shell=shell, base=shlex.quote(base)))
    if campaign is None:
        return lines, base
    more, first = campaign.greeting(base, launch.reached_by)
    return [*lines, *more], first


def _hosting(launch: Launch) -> Hosting | None:
    """Return the campaigns that are opened on the page, with those already in their folder."""
    folder = launch.hosting_folder
    if folder is None:
        return None
    hosted = host_campaigns(folder, local=launch.is_local)
    for problem in hosted.load():
        sys.stderr.write(f"bleu-dashboard: {problem}\n")
    return hosted


class HostedCampaigns:
    """Lets judges and leads of hosted campaigns reach their pages; the code is loaded with the first campaign.

    Args:
        app: answers all other requests.
        hosting: the campaigns.
    """

    def __init__(self, app: ASGIApp, hosting: Hosting) -> None:
        self._app, self._hosting = app, hosting
        self._access: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if self._access is None and scope["type"] == "http" and self._hosting.stores:
            from dashboard.rating import HostedAccess  # loaded when first needed

            self._access = HostedAccess(self._app, self._hosting, _base_path())
        await (self._access or self._app)(scope, receive, send)


def _with_access_check(campaign: ServedCampaign) -> Callable[[ASGIApp], CampaignAccess]:
    """Return a wrapper that adds the check of tokens to an app, once the server has its options."""

    def wrap(app: ASGIApp) -> CampaignAccess:
        return campaign.access(app, _base_path())

    return wrap


def _base_path() -> str:
    """Return the prefix of all paths, such as "/mt", or empty."""
    path = st.get_option("server.baseUrlPath").strip("/")
    return f"/{path}" if path else ""


def _configure_malloc() -> None:
    """Let glibc return the memory of past sessions to the system."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        for option, value in MALLOC_OPTIONS.items():
            libc.mallopt(option, value)


async def _load_or_end(loaded: asyncio.Event) -> None:
    """Load the packages that pages need; for lack of memory, end the server, which could not draw any page.

    Args:
        loaded: set when they are loaded, or cannot be.
    """
    problem = await _load(loaded)
    if problem:
        end_server(problem)


async def _load(loaded: asyncio.Event) -> str:
    """Load the packages that pages need, in a thread, so that other requests are answered meanwhile.

    Returns:
        The problem if they cannot be loaded for lack of memory; empty if pages can be drawn or show the error.
    """
    try:
        for package in PACKAGES:
            await asyncio.to_thread(importlib.import_module, package)
        mmap.mmap(-1, MIN_FREE_BYTES).close()
    except (ImportError, MemoryError, OSError, RuntimeError) as error:  # a library; no memory, no threads left
        problem = f"cannot load what the pages need: {str(error) or 'no memory left'}"
        if isinstance(error, MemoryError) or memory_limits():
            return problem
        LOGGER.error(problem)  # noqa: TRY400
    except Exception:  # the page that needs it shows the error
        LOGGER.exception("cannot load what the pages need")
    finally:
        gc.freeze()  # garbage collection blocks all answers; loaded objects stay and need not be searched
        gc.enable()
        loaded.set()
    return ""


async def _end_sessions() -> None:
    while True:
        await asyncio.sleep(SWEEP_INTERVAL_S)
        try:
            end_expired_sessions(runtime.get_instance())
        except Exception:
            LOGGER.exception("cannot end sessions that have expired")


def end_expired_sessions(server: runtime.Runtime) -> None:
    """End expired sessions; to be called in the thread of the event loop.

    Streamlit drops them only when another session is disconnected, so the last ones would stay without new visitors,
    and does not shut them down, so that their files would stay forever.
    """
    storage: Any = vars(vars(server)["_session_mgr"])["_session_storage"]  # there is no public function for this
    for _, ended in vars(storage)["_cache"].expire():
        ended.session.shutdown()


def address(launch: Launch) -> str:
    """Return where a browser on this machine finds the dashboard; known once the server has its port."""
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    path = st.get_option("server.baseUrlPath").strip("/")
    return f"{scheme}://{launch.host}:{st.get_option('server.port')}/{path}"


class Protection:
    """Refuses web sockets of other origins, and adds security headers to all other answers.

    The content security policy lets a page load from this server only, so that browsers contact no other host.

    Args:
        app: answers the requests.
        loaded: set when a session can start; web sockets wait for it, as two threads that load the same packages at the
            same time would interfere.
    """

    def __init__(self, app: ASGIApp, loaded: asyncio.Event | None = None) -> None:
        self._app = app
        self._loaded = loaded
        self._headers = {
            "Content-Security-Policy": content_security_policy(),
            "Referrer-Policy": "same-origin",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "SAMEORIGIN",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "websocket" and not same_origin(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: status 403
            return
        if scope["type"] == "websocket" and self._loaded is not None:
            try:
                async with asyncio.timeout(LOAD_TIMEOUT_S):
                    await self._loaded.wait()
            except TimeoutError:
                await send({"type": "websocket.close", "code": 1013})  # try again later
                return

        async def protected(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)  # the rating page has stricter ones
            await send(message)

        await self._app(scope, receive, protected)


def content_security_policy() -> str:
    """Return the policy that lets a page load only from this server."""
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    hashes = [
        hashlib.sha256(script.encode()).digest() for script in re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    ]
    inline = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes)
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' blob: {inline}",  # components are modules in blobs
            "style-src 'self' 'unsafe-inline'",  # Streamlit and Plotly write styles as they draw
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'self'",
            "object-src 'none'",
        )
    )
