"""Work outside of any page, as in a command: controls have their usual values, or given ones; no progress is shown."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from dashboard.session.cache import Scope

_VALUES: ContextVar[Mapping[str, Any] | None] = ContextVar("_VALUES", default=None)
_SCOPE: ContextVar[Scope] = ContextVar("_SCOPE")


@contextmanager
def without_page(scope: Scope | None = None, **values: Any) -> Generator[None]:
    """Inside of it there is neither a page nor a session.

    Args:
        scope: of the page whose results are used; None where there was none, and for results of its own.
        values: of controls, by key; all others have their usual values.
    """
    tokens = _VALUES.set(values), _SCOPE.set(scope or ("", object()))
    try:
        yield
    finally:
        _VALUES.reset(tokens[0])
        _SCOPE.reset(tokens[1])


def has_page() -> bool:
    """Whether there is a page, and a session whose controls have values."""
    return _VALUES.get() is None


def values_without_page() -> Mapping[str, Any]:
    """The values that are given where there is no page."""
    return _VALUES.get() or {}


def scope_without_page() -> Scope:
    """The scope of results where there is no page."""
    return _SCOPE.get()
