"""Functions that tests run on a cluster."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path


class StoppedError(Exception):
    """What a callback raises."""


def square(number: int) -> int:
    return number * number


def process(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def modules(_: object) -> list[str]:
    return sorted(sys.modules)


def refuse(number: int) -> int:
    if number == 2:
        raise ValueError("2 is refused")
    return number


def end_worker(number: int) -> int:
    if number == 2:
        os._exit(1)
    return number


def noted(task: tuple[str, int]) -> int:
    """Write down, in a file, that the task was run."""
    with Path(task[0]).open("a", encoding="ascii") as file:
        file.write(f"{task[1]}\n")
    time.sleep(0.02)
    return task[1] ** 2


def unreadable_at_first(folder: str) -> int:
    """Fail once as a network does."""
    mark = Path(folder) / "tried"
    if not mark.exists():
        mark.touch()
        raise ConnectionResetError("for a moment")
    return 1


def unreadable(_: object) -> int:
    raise FileNotFoundError("gone")
