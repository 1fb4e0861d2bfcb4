"""Progress callbacks. A callback cancels the work by raising."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

#: Called repeatedly with the amount done and the total; may raise, which cancels the work.
Progress = Callable[[int, int], None]


#: Minimum time between two calls of the callback of file_progress, in seconds.
REPORT_INTERVAL_S = 0.1

_IN_FILE: ContextVar[Progress | None] = ContextVar("in_file", default=None)


@contextmanager
def file_progress(progress: Progress | None) -> Generator[None]:
    """Pass the progress of file readers, reported by `report_progress`, to a callback at a limited rate."""
    last_time = max_fraction = 0.0

    def report(done: int, total: int) -> None:
        nonlocal last_time, max_fraction
        now = time.monotonic()
        # A reader may read a file twice, the second time faster.
        if progress and now - last_time >= REPORT_INTERVAL_S and done / total >= max_fraction:
            last_time, max_fraction = now, done / total
            progress(done, total)

    token = _IN_FILE.set(report if progress else None)
    try:
        yield
    finally:
        _IN_FILE.reset(token)


def report_progress(done: int, total: int) -> None:
    """Report how much of a file has been read, in any unit; without file_progress this does nothing."""
    progress = _IN_FILE.get()
    if progress is not None and total > 0:
        progress(min(done, total), total)


def scaled_progress(progress: Progress | None, before: int, size: int, total: int) -> Progress | None:
    """Return a callback for a part of the work whose progress is counted in other units.

    Args:
        progress: callback of the whole work.
        before: amount of the whole that was done before the part.
        size: of the part, in the units of the whole.
        total: amount of the whole work.
    """
    return progress and (lambda done, part_total: progress(before + size * done // max(part_total, 1), total))


def offset_progress(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Return a callback for a part of the work, given the amount done before it and the total."""
    return progress and (lambda done, _: progress(before + done, total))
