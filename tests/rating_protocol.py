"""What the rating page asks of the server and sends to it, without a browser."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

#: Seconds between two tries.
PAUSE = 0.05


def ask(address: str, path: str, body: object = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """A request, with a body by POST: its status, the headers of the answer in lower case, and its body."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    try:
        sent = None if body is None else json.dumps(body)
        connection.request("GET" if sent is None else "POST", path, sent, headers)
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()


class PageWithoutScreen:
    """What a judge's page keeps and sends: answers wait until they are stored, and are sent again if they are missing.

    Args:
        address: of the server.
        judge: whose page it is; a part of the ids of the answers.
        token: of the judge's link.
    """

    def __init__(self, address: str, judge: str, token: str) -> None:
        self.waiting: dict[str, dict[str, Any]] = {}
        self.stored: dict[str, dict[str, Any]] = {}
        self.refusals = self.sent_again = 0
        self._address, self._judge, self._token = address, judge, token
        self._server = ""

    def give(self, place: int, score: int) -> None:
        """Answer the text in a place, from 0."""
        client = f"{self._judge} {place}"
        answer = {"client": client, "place": place, "position": 0, "score": score, "reason": None}
        self.waiting[client] = answer | {"shown": 1.0, "given": 2.0}

    def send(self) -> bool:
        """Send what waits, and what a server that was started again does not have; returns whether it all is stored."""
        with suppress(OSError, http.client.HTTPException, ValueError):
            answers = list(self.waiting.values())[:30]
            reply = self._ask("/rate/api/answers", {"answers": answers})
            if reply is None:
                return False
            for client in reply["stored"]:
                self.stored[client] = self.waiting.pop(client)
            if reply["server"] != self._server and self._restore():
                self._server = reply["server"]
            return not self.waiting and reply["server"] == self._server
        return False

    def _restore(self) -> bool:
        found = self._ask("/rate/api/list")
        if found is None:
            return False
        missing = {
            client: answer
            for client, answer in self.stored.items()
            if found["places"][answer["place"]]["answers"][answer["position"]] is None
        }
        self.sent_again += len(missing)
        self.waiting = missing | self.waiting
        return True

    def _ask(self, path: str, body: object = None) -> dict[str, Any] | None:
        """The answer of the server; None if it cannot answer now."""
        status, _, content = ask(self._address, path, body, Authorization=f"Bearer {self._token}")
        self.refusals += status == HTTPStatus.SERVICE_UNAVAILABLE
        return json.loads(content) if status == HTTPStatus.OK else None


def send_until_stored(address: str, token: str, answers: Sequence[dict[str, Any]], deadline: float) -> None:
    """Send answers until the server says that it has stored them all.

    Raises:
        TimeoutError: it has not by the deadline, a time of the monotonic clock.
    """
    clients = [answer["client"] for answer in answers]
    while time.monotonic() < deadline:
        with suppress(OSError, http.client.HTTPException, ValueError, KeyError):
            _, _, body = ask(address, "/rate/api/answers", {"answers": answers}, Authorization=f"Bearer {token}")
            if json.loads(body)["stored"] == clients:
                return
        time.sleep(PAUSE)
    raise TimeoutError(clients[0])
