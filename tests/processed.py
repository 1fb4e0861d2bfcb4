"""Functions for tests of processes, which import them by this module's name."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from bleu_core.errors import FormatError
from bleu_core.limits import LimitError


def square(number: int) -> int:
    return number * number


def slowly(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def process_of(_: int, *, progress: object = None) -> int:
    assert progress is None
    return os.getpid()


def fail(kind: str) -> None:
    if kind == "format":
        raise FormatError("x.txt, line 3: wrong")
    if kind == "limit":
        raise LimitError("too many")
    if kind == "odd":

        class OddError(Exception):
            def __init__(self, one: int, two: int) -> None:
                super().__init__(f"{one} {two}")

        raise OddError(1, 2)
    raise KeyError(kind)


def die_once(marker: str) -> str:
    """Kill the own process the first time."""
    path = Path(marker)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def die(_: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def noisy(number: int) -> int:
    print("in the way of the results", flush=True)  # noqa: T201
    sys.stdin.read()
    return number


def large(size: int) -> bytes:
    return b"x" * size


def modules(_: int) -> list[str]:
    return sorted(sys.modules)
