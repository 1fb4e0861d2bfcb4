"""Work outside of any page, as in a command: every control has its usual value, and no progress is shown."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

_WITHOUT_PAGE = ContextVar("without_page", default=False)


@contextmanager
def without_page() -> Generator[None]:
    """Inside of it there is neither a page nor a session."""
    token = _WITHOUT_PAGE.set(True)
    try:
        yield
    finally:
        _WITHOUT_PAGE.reset(token)


def has_page() -> bool:
    """Whether there is a page, and a session whose controls have values."""
    return not _WITHOUT_PAGE.get()
