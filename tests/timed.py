"""Bounds on the processor time of a call; they are checked where BLEU_TIME_LIMITS is set, as in `just nightly`."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

#: Whether times are checked; elsewhere they would fail on a machine that does other things too.
CHECKED = bool(os.environ.get("BLEU_TIME_LIMITS"))

#: How often a call is timed at most. As with timeit, the least of its times says how long it takes, and the others how
#: busy the machine is.
ATTEMPTS = 3


def within_seconds(seconds: float, call: Callable[[], Result], what: str = "the call") -> Result:
    """Call a function; where times are checked, it has less than so many seconds of this thread's processor time.

    What other tests have left is not counted: neither their threads, nor their objects, through which Python would go
    to collect garbage.

    Args:
        seconds: the bound.
        call: the function; it is called again where it took longer.
        what: it does, for the message.

    Raises:
        AssertionError: it takes longer each time.
    """
    if not CHECKED:
        return call()
    times: list[float] = []
    while len(times) < ATTEMPTS:
        gc.freeze()
        start = time.thread_time()
        try:
            result = call()
        finally:
            times.append(time.thread_time() - start)
            gc.unfreeze()
        if times[-1] < seconds:
            return result
    raise AssertionError(f"{what} takes {', '.join(f'{each:.2f}' for each in times)} s, at most {seconds} s expected")
