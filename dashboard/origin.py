"""Which page a request comes from."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers


def same_origin(headers: Headers) -> bool:
    """Whether a request comes from a page of this server, or from a program that is no browser."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
