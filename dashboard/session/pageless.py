"""Work outside of any page, as in a command: controls have their usual values, or given ones; no progress is shown."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_VALUES: ContextVar[Mapping[str, Any] | None] = ContextVar("_VALUES", default=None)


@contextmanager
def without_page(**values: Any) -> Generator[None]:
    """Inside of it there is neither a page nor a session.

    Args:
        values: of controls, by key; all others have their usual values.
    """
    token = _VALUES.set(values)
    try:
        yield
    finally:
        _VALUES.reset(token)


def has_page() -> bool:
    """Whether there is a page, and a session whose controls have values."""
    return _VALUES.get() is None


def values_without_page() -> Mapping[str, Any]:
    """The values that are given where there is no page."""
    return _VALUES.get() or {}
