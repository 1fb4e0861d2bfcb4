"""Writing to the terminal: output, messages and a progress bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

from bleu_core.errors import one_line
from bleu_core.progress import Progress


def write_output(output: str) -> str | None:
    """Print on standard output.

    Returns:
        What is wrong with standard output; None if all was printed, or if the reader had seen enough.
    """
    if sys.stdout is None:
        return "closed"
    encoding = sys.stdout.encoding or "utf-8"
    try:  # a name that the terminal cannot show is no reason to fail
        print(output.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:  # the reader, head for example, has seen enough
        _drop_output()
    except OSError as error:  # a full disk
        _drop_output()
        return (error.strerror or str(error)).lower()
    return None


def write_message(message: str) -> None:
    """Print one line on standard error, where there is one."""
    if sys.stderr is not None:
        with suppress(OSError):  # a full disk
            print(one_line(message), file=sys.stderr)


@contextmanager
def progress_bar() -> Generator[Progress | None]:
    """A progress bar on a terminal, for work that takes long enough for one."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm  # loaded when first needed

    with tqdm(total=1.0, delay=0.5, leave=False, bar_format="{percentage:3.0f}%|{bar}| {remaining}") as bar:

        def show(done: int, total: int) -> None:
            bar.update(done / total - bar.n)

        yield show


def _drop_output() -> None:
    """Let what Python flushes at its end go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
