"""Functions for tests of isolated calls, whose processes import them by this module's name."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

from bleu_core.errors import FormatError
from bleu_core.limits import LimitError
from bleu_core.progress import report_progress

CALLS: list[int] = []


def given(data: bytes, *arguments: object) -> list[object]:
    return [len(data), *arguments]


def text(_: bytes) -> str:
    return "ä\ud800\u2028\0\x1b" * 100_000


def process(_: bytes) -> int:
    return os.getpid()


def modules(_: bytes) -> list[str]:
    return sorted(sys.modules)


def fail(_: bytes, kind: str) -> None:
    if kind == "format":
        raise FormatError("x.parquet, row 3: wrong")
    if kind == "limit":
        raise LimitError("too many")
    raise KeyError(kind)


def end(_: bytes, how: str) -> None:
    """End the process as native code might."""
    if how == "abort":
        os.write(2, b"terminate called after throwing an instance of 'parquet::ParquetException'\n")
        os.abort()
    if how == "panic":

        class PanicException(BaseException):
            """As Rust raises it."""

        raise PanicException("index out of bounds")
    if how == "exit":
        os._exit(3)
    os.kill(os.getpid(), getattr(signal, how))


def end_second(_: bytes) -> str:
    """Abort unless it is this process's first call."""
    CALLS.append(1)
    if len(CALLS) > 1:
        os.abort()
    return "first"


def nonsense(_: bytes, written: bytes) -> None:
    """Write to whatever is open, as a function that a hostile file has taken over."""
    for number in range(3, 30):
        with contextlib.suppress(OSError):
            os.write(number, written)
    time.sleep(60)


def allocate(_: bytes, size: int) -> int:
    return len(bytearray(size))


def compute(_: bytes) -> None:
    while True:
        pass


def wait(_: bytes) -> None:
    report_progress(1, 2)
    time.sleep(60)


def unwritable(_: bytes) -> object:
    return {1, 2}


def printing(_: bytes) -> str:
    print("in the way of the answer", flush=True)  # noqa: T201
    return sys.stdin.read()
