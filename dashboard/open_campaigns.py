"""The open campaign files of this process, each opened once for the judges and all sessions of the lead.

Campaigns that are opened on the page Campaign of a server are hosted: they are stored in a folder of the server, with
limits on their number and size, and served again when the server is restarted.
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

#: Maximum number of campaigns in the folder of a server, and of bytes of one when it is opened.
MAX_HOSTED, MAX_BYTES = 20, 32 * 2**20

#: The cookie with the name of the cookie of the campaign whose lead's link a browser opened last.
NEWEST_LEAD = "lead-newest"

#: Ending of campaign files.
SUFFIX = ".db"

_LOCK = threading.Lock()  # held while a file is opened or closed, in which SQLite waits for a limited time
_STORES: dict[Path, CampaignStore] = {}


class HostingError(BleuCoreError):
    """A campaign cannot be opened on this server."""


class Hosting:
    """The campaigns that are opened on a server's page.

    Args:
        folder: of their files; created when the first one is opened.
        local: whether only this computer can reach the server, so that the path of a campaign may be shown.
    """

    def __init__(self, folder: Path, *, local: bool) -> None:
        self.folder, self.local = folder, local
        self._lock = threading.Lock()
        self._paths: dict[Path, None] = {}
        self._leads: dict[Path, Callable[[str], bool]] = {}

    def load(self) -> list[str]:
        """Open the campaigns that are in the folder.

        Returns:
            The problems of files that cannot be opened.
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
            StoreError: the data are not a campaign.
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
        """Set the check of whether a secret is that of a session of a campaign's lead."""
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
        """Return the files in the folder, the oldest first."""
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix == SUFFIX)
        except OSError:  # there is no folder yet
            return []


class _Hosted:
    """The hosting of this process."""

    hosting: Hosting | None = None


def host_campaigns(folder: Path, *, local: bool) -> Hosting:
    """Let users open campaigns on the page of this server; arguments as `Hosting`."""
    _Hosted.hosting = Hosting(folder.absolute(), local=local)
    return _Hosted.hosting


def hosting() -> Hosting | None:
    """Return the campaigns that are opened on the page of this server; None where they cannot be opened."""
    return _Hosted.hosting


def lead_cookie(store: CampaignStore) -> str:
    """Return the name of the cookie of a lead's session: cookies ignore ports, so each campaign has a different one."""
    return f"lead-{store.digest[:12]}"


def open_campaign(path: Path) -> CampaignStore:
    """Return the campaign of a file, which is opened on first use.

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
    """Close all files, which are then complete, and stop hosting."""
    _Hosted.hosting = None
    with _LOCK:
        while _STORES:
            _STORES.popitem()[1].close()


def _write(path: Path, data: bytes) -> None:
    """Write a new file with permissions for its owner only; nothing remains of a file that cannot be written.

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
