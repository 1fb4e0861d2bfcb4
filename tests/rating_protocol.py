"""What the rating page asks of the server and sends to it, without a browser."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Sequence
from contextlib import suppress
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
