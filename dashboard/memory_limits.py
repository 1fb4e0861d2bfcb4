"""How much memory this process may use."""

from __future__ import annotations

try:
    import resource  # at the start, while there is memory for it
except ImportError:  # Windows
    resource = None

#: Limits of a process, and the options of `ulimit` that set them, in KB.
LIMITS = {"RLIMIT_AS": "-v", "RLIMIT_DATA": "-d"}


def memory_limits() -> str:
    """The limits on the memory of this process, as a message names them; empty without one, and where none is known."""
    if resource is None:
        return ""
    found = {option: resource.getrlimit(getattr(resource, name))[0] for name, option in LIMITS.items()}
    limits = [f"ulimit {option} {soft // 1024}" for option, soft in found.items() if soft != resource.RLIM_INFINITY]
    return " and ".join(limits)


def with_limits(problem: str) -> str:
    """What a lack of memory may have caused, with the limits that may be its cause."""
    limits = memory_limits()
    return f"{problem}; memory is limited by {limits}: raise or remove the limit" if limits else problem
