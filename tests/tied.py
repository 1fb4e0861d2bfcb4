"""`python tied.py PARENT COMMAND...`: run a command that ends when the process that started it does, however that ends.

Tests start servers by this, so that a run of tests that is killed leaves none behind. Linux tells a process of its
parent's end; elsewhere the command is run as it is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

#: As in <linux/prctl.h>.
PR_SET_PDEATHSIG = 1


def tied(command: list[str]) -> list[str]:
    """A command of Python's that this process starts from the thread that waits for it, tied to this process."""
    return [sys.executable, __file__, str(os.getpid()), *command]


def main() -> None:
    """Ask for the signal, which a program keeps that takes this one's place, and run the command."""
    _, parent, *command = sys.argv
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != int(parent):  # it has ended before the signal was asked for
            return
    os.execv(command[0], command)  # noqa: S606 # so that the signal stays asked for


if __name__ == "__main__":
    main()
