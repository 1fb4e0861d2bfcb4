"""How long work says how far it is, and how it can be ended: by an exception from what it tells."""

from __future__ import annotations

from collections.abc import Callable

#: Told, now and then, how much of how much is done; may raise, which ends the work.
Progress = Callable[[int, int], None]


def part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """What a part of some work tells, told as that of the whole: so much was done before it, of so much in all."""
    return progress and (lambda done, _: progress(before + done, total))
