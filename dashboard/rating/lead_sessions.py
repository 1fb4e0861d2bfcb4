"""Sessions of the lead, for which the link is exchanged, so that a link in a browser's history soon expires.

Sessions are in memory only: they end with the server. A new link ends the sessions of the previous one.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from bleu_core.campaigns import LEAD_LINK_HOURS, MAX_LEAD_SESSIONS, CampaignStore

#: Bytes of a session's secret: 256 bits.
SECRET_BYTES = 32
#: Seconds without a request after which a session ends, and seconds after which it ends in any case.
MAX_IDLE_S, MAX_AGE_S = 12 * 3600, 7 * 24 * 3600


class ExpiredLinkError(Exception):
    """The lead's link is valid but has expired; the message gives the reason."""


@dataclass(slots=True)
class _Session:
    begun: float
    used: float

    def is_over(self, now: float) -> bool:
        return now - self.begun > MAX_AGE_S or now - self.used > MAX_IDLE_S


class LeadSessions:
    """The sessions of the lead; methods read the campaign's file, and are called in threads.

    Args:
        store: of the campaign.
        now: the clock, in seconds since 1970.
    """

    def __init__(self, store: CampaignStore, now: Callable[[], float] = time.time) -> None:
        self._store, self._now = store, now
        self._lock = threading.Lock()
        self._token, self._begun = "", 0
        self._sessions: dict[str, _Session] = {}  # by the hash of the secret

    def begin(self, token: str, secret: str | None) -> str | None:
        """Exchange the token of the lead's link for the secret of a session.

        Args:
            token: of the link.
            secret: of the browser's present session, if any; a valid one is returned again.

        Returns:
            The secret; None if the token is not that of the lead's newest link.

        Raises:
            ExpiredLinkError: the link is too old, or has started the maximum number of sessions.
            UnusableFileError: the file cannot be read.
        """
        if not self._is_lead(token):
            return None
        if secret is not None and self.is_valid(secret):
            return secret
        if self._now() - (self._store.token_created(None) or 0) > 3600 * LEAD_LINK_HOURS:
            raise ExpiredLinkError(f"This link is more than {LEAD_LINK_HOURS} hours old and has expired.")
        with self._lock:
            if token != self._token:
                self._token, self._begun, self._sessions = token, 0, {}
            if self._begun == MAX_LEAD_SESSIONS:
                raise ExpiredLinkError(f"This link was opened {MAX_LEAD_SESSIONS} times already and has expired.")
            self._begun += 1
            secret, now = secrets.token_urlsafe(SECRET_BYTES), self._now()
            self._sessions[_hash(secret)] = _Session(now, now)
        return secret

    def is_valid(self, secret: str) -> bool:
        """Return whether a secret is that of an active session; if so, update the session's last use.

        Raises:
            UnusableFileError: the file cannot be read.
        """
        key, now = _hash(secret), self._now()
        with self._lock:
            session, token = self._sessions.get(key), self._token
            if session is not None and session.is_over(now):
                del self._sessions[key]
                session = None
        if session is None or not self._is_lead(token):
            return False
        session.used = now
        return True

    def _is_lead(self, token: str) -> bool:
        owner = self._store.token_owner(token)
        return owner is not None and owner[0] == "lead"


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
