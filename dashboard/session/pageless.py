"""Work outside of any page, as in a command: no progress is shown, and results are of no session."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

from dashboard.session.cache import Scope

_SCOPE: ContextVar[Scope | None] = ContextVar("_SCOPE", default=None)


@contextmanager
def without_page(scope: Scope | None = None) -> Generator[None]:
    """Inside of it there is neither a page nor a session.

    Args:
        scope: of the page whose results are used; None where there was none, and for results of its own.
    """
    token = _SCOPE.set(scope or ("", object()))
    try:
        yield
    finally:
        _SCOPE.reset(token)


def scope_without_page() -> Scope | None:
    """The scope of results where there is no page; None where there is one."""
    return _SCOPE.get()
