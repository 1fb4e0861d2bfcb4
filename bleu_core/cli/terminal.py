"""Output, messages and progress bars on the terminal."""

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
        The problem with standard output; None if all was printed or the reader closed the pipe.
    """
    if sys.stdout is None:
        return "closed"
    encoding = sys.stdout.encoding or "utf-8"
    try:  # characters that the terminal cannot show are escaped
        print(output.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:  # the reader, such as head, has closed the pipe
        _discard_output()
    except OSError as error:  # a full disk
        _discard_output()
        return (error.strerror or str(error)).lower()
    return None


def write_message(message: str) -> None:
    """Print one line on standard error, if it is open."""
    if sys.stderr is not None:
        with suppress(OSError):  # a full disk
            print(one_line(message), file=sys.stderr)


@contextmanager
def progress_bar() -> Generator[Progress | None]:
    """Show a progress bar on a terminal for work that takes more than half a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm  # loaded when first needed

    with tqdm(total=1.0, delay=0.5, leave=False, bar_format="{percentage:3.0f}%|{bar}| {remaining}") as bar:

        def show(done: int, total: int) -> None:
            bar.update(done / total - bar.n)

        yield show


def _discard_output() -> None:
    """Discard what Python flushes at its exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
