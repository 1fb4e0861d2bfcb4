"""Progress callbacks. A callback cancels the work by raising."""

from __future__ import annotations

from collections.abc import Callable

#: Called now and then with how much is done, and of how much in all; may raise, which ends the work.
Progress = Callable[[int, int], None]


def part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """The callback for a part of some work, given how much was done before it and how much there is in all."""
    return progress and (lambda done, _: progress(before + done, total))
