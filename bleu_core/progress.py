"""Progress callbacks. A callback cancels the work by raising."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

#: Called now and then with how much is done, and of how much in all; may raise, which ends the work.
Progress = Callable[[int, int], None]


#: Seconds between two calls of a callback about what goes on in a file.
BETWEEN = 0.1

_IN_FILE: ContextVar[Progress | None] = ContextVar("in_file", default=None)


@contextmanager
def told_within_file(progress: Progress | None) -> Generator[None]:
    """Let the readers of a file tell how far they are; each calls `tell` now and then, and the callback less often."""
    last = furthest = 0.0

    def seldom(done: int, total: int) -> None:
        nonlocal last, furthest
        now = time.monotonic()
        # A reader may go through a file twice, the second time faster.
        if progress and now - last >= BETWEEN and done / total >= furthest:
            last, furthest = now, done / total
            progress(done, total)

    token = _IN_FILE.set(seldom if progress else None)
    try:
        yield
    finally:
        _IN_FILE.reset(token)


def tell(done: int, total: int) -> None:
    """Tell how much of a file has been read, in any unit; nothing happens where nobody wants to know."""
    progress = _IN_FILE.get()
    if progress is not None and total > 0:
        progress(min(done, total), total)


def share_of(progress: Progress | None, before: int, size: int, total: int) -> Progress | None:
    """The callback for a part of some work that counts in units of its own.

    Args:
        progress: of the whole.
        before: how much of the whole was done before the part.
        size: of the part, in the units of the whole.
        total: the whole.
    """
    return progress and (lambda done, of: progress(before + size * done // max(of, 1), total))


def part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """The callback for a part of some work, given how much was done before it and how much there is in all."""
    return progress and (lambda done, _: progress(before + done, total))
