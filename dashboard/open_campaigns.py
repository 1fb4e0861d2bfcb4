"""The campaign files that this process has open: each once, for the judges and for all sessions of the lead.

Campaigns that people open on the page Campaign of a server are hosted: stored in a folder of the server, which bounds
their number and size, and served again when the server is started again.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.errors import BleuCoreError

if TYPE_CHECKING:  # loaded when a campaign is opened, so that the server starts quickly
    from bleu_core.campaigns import CampaignStore

#: The most campaigns in the folder of a server, and the most bytes of one when it is opened.
MAX_HOSTED, MAX_BYTES = 20, 32 * 2**20

#: The cookie with the name of the cookie of the campaign whose lead's link a browser opened last.
NEWEST_LEAD = "lead-newest"

#: The end of the names of campaign files.
SUFFIX = ".db"

_LOCK = threading.Lock()
_STORES: dict[Path, CampaignStore] = {}


class HostingError(BleuCoreError):
    """A campaign cannot be opened on this server."""


class Hosting:
    """The campaigns that people open on the page of a server.

    Args:
        folder: in which their files are; made when the first one is opened.
        local: whether this computer only reaches the server, so that whoever opens a campaign may read its path.
    """

    def __init__(self, folder: Path, *, local: bool) -> None:
        self.folder, self.local = folder, local
        self._lock = threading.Lock()
        self._paths: dict[Path, None] = {}
        self._leads: dict[Path, Callable[[str], bool]] = {}

    def load(self) -> list[str]:
        """Open the campaigns that are in the folder.

        Returns:
            What is wrong with files that cannot be opened.
        """
        problems: list[str] = []
        for path in self._files()[:MAX_HOSTED]:
            try:
                open_campaign(path)
            except BleuCoreError as error:
                problems.append(str(error))
            else:
                with self._lock:
                    self._paths[path] = None
        return problems

    @property
    def stores(self) -> tuple[CampaignStore, ...]:
        """The campaigns, in the order in which they were opened."""
        with self._lock:
            paths = tuple(self._paths)
        return tuple(map(open_campaign, paths))

    def add(self, data: bytes) -> CampaignStore:
        """Store a campaign in the folder, and open it.

        Args:
            data: the file, as `create_store` writes it.

        Raises:
            HostingError: it is too large, there are too many, or the folder cannot be written.
            StoreError: it is no campaign.
        """
        if len(data) > MAX_BYTES:
            raise HostingError(
                f"the campaign has {len(data):,} bytes; at most {MAX_BYTES:,} can be opened on this page: choose fewer "
                "segments or judges, or start a server with the file"
            )
        with self._lock:
            if max(len(self._files()), len(self._paths)) >= MAX_HOSTED:
                raise HostingError(
                    f"{MAX_HOSTED} campaigns are stored on this server, the most that it has room for; the person who "
                    "runs it can move files of campaigns that have ended out of the folder, and start it again"
                )
            path = self.folder / f"campaign-{time.strftime('%Y-%m-%d')}-{secrets.token_hex(4)}{SUFFIX}"
            try:
                _write(path, data)
            except OSError as error:
                raise HostingError(f"the campaign cannot be stored on this server: {error.strerror or error}") from None
            store = open_campaign(path)
            self._paths[path] = None
        return store

    def let_in(self, store: CampaignStore, is_lead: Callable[[str], bool]) -> None:
        """Use a check of whether a secret is that of a session of a campaign's lead."""
        with self._lock:
            self._leads[store.path] = is_lead

    def is_lead(self, store: CampaignStore, secret: str) -> bool:
        """Return whether a secret, from a cookie, is that of a session of the campaign's lead.

        Raises:
            UnusableFileError: the campaign's file cannot be read.
        """
        with self._lock:
            check = self._leads.get(store.path)
        return check is not None and check(secret)

    def _files(self) -> list[Path]:
        """The files in the folder, the oldest first."""
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == SUFFIX)
        except OSError:  # there is no folder yet
            return []


class _Hosted:
    """What this process hosts."""

    hosting: Hosting | None = None


def host_campaigns(folder: Path, *, local: bool) -> Hosting:
    """Let people open campaigns on the page of this server; arguments as `Hosting`."""
    _Hosted.hosting = Hosting(folder.absolute(), local=local)
    return _Hosted.hosting


def hosting() -> Hosting | None:
    """The campaigns that people open on the page of this server; None where they cannot."""
    return _Hosted.hosting


def lead_cookie(store: CampaignStore) -> str:
    """The name of the cookie with the secret of a lead's session: cookies know no ports, and servers may be several."""
    return f"lead-{store.digest[:12]}"


def open_campaign(path: Path) -> CampaignStore:
    """The campaign of a file, which is opened the first time that somebody asks for it.

    Raises:
        StoreError: the file cannot be read.
    """
    from bleu_core.campaigns import CampaignStore  # loaded when first needed

    key = path.resolve()
    with _LOCK:
        if key not in _STORES:
            _STORES[key] = CampaignStore(path)
        return _STORES[key]


def close_campaigns() -> None:
    """Close all files, of which each then holds everything, and host no more."""
    _Hosted.hosting = None
    with _LOCK:
        while _STORES:
            _STORES.popitem()[1].close()


def _write(path: Path, data: bytes) -> None:
    """Write a new file for its owner only; nothing is left of one that cannot be written.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        path.unlink(missing_ok=True)
        raise
