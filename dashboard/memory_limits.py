"""Limits on the memory of this process."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from bleu_core.cli import BAD_INPUT

try:
    import resource  # imported at the start, while there is memory for it
except ImportError:  # Windows
    resource = None

#: Limit of a process -> the option of `ulimit` that sets it, in KB.
LIMITS = {"RLIMIT_AS": "-v", "RLIMIT_DATA": "-d"}

#: Addresses, in KB, with which the server is not even started: a library that cannot create its threads may never
#: return. It needs about 1,000,000.
MIN_ADDRESSES = 700_000


def memory_limits() -> str:
    """Return the limits on the memory of this process for a message; empty if there is none, or none is known."""
    if resource is None:
        return ""
    soft_limits = {option: resource.getrlimit(getattr(resource, name))[0] for name, option in LIMITS.items()}
    limits = [
        f"ulimit {option} {soft // 1024}" for option, soft in soft_limits.items() if soft != resource.RLIM_INFINITY
    ]
    return " and ".join(limits)


def check_memory() -> None:
    """End the process if the limit on its addresses is far below what the server needs."""
    soft = -1 if resource is None else resource.getrlimit(resource.RLIMIT_AS)[0]
    if resource is not None and soft != resource.RLIM_INFINITY and soft <= 1024 * MIN_ADDRESSES:
        end_server("it has too little memory")


def end_server(problem: str) -> NoReturn:
    """End the process with a message, at once: without memory, a thread that loads a library may never return."""
    limits = memory_limits()
    advice = f"; memory is limited by {limits}: raise or remove the limit" if limits else ""
    sys.stderr.write(f"bleu-dashboard: the server ended: {problem}{advice}\n")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(BAD_INPUT)
