"""Files on disk: reading and writing their bytes, and their paths in printable form."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from bleu_core.limits import DEFAULT_LIMITS, Limits

#: The ending of the name of a file that is being written.
UNFINISHED_ENDING = ".part"

#: The path of standard input, and its name in messages.
STANDARD_INPUT, STANDARD_INPUT_NAME = "-", "stdin"

#: A path, as Python's functions accept it.
StrPath = str | os.PathLike[str]


def read_bytes(path: StrPath, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the bytes of a file, or of standard input for "-".

    A pipe, whose size is unknown, is read only up to the limit.

    Raises:
        LimitError: there are more than the limits allow.
        OSError: the file cannot be read; the error names it.
    """
    place = printable_path(path)
    if path == STANDARD_INPUT:
        data = sys.stdin.buffer.read(limits.file_bytes + 1) if sys.stdin is not None else b""
        limits.check("file_bytes", len(data), place)
        return data
    try:
        with Path(path).open("rb") as file:
            status = os.fstat(file.fileno())
            limits.check("file_bytes", status.st_size, place)
            data = file.read(-1 if stat.S_ISREG(status.st_mode) else limits.file_bytes + 1)
    except OSError as error:  # errors of reading do not name the file
        raise OSError(error.errno, error.strerror, error.filename or os.fspath(path)) from error
    limits.check("file_bytes", len(data), place)
    return data


def size_on_disk(path: StrPath) -> int:
    """Return the number of bytes of a file; 0 for a folder, a stream or a file that cannot be opened."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0


def write_bytes(path: StrPath, data: bytes) -> None:
    """Write a file atomically: until it is complete, no file has its name.

    A new file has default permissions; a replaced file keeps its own. If the system supports it, the incomplete file
    has no name at all, so that nothing remains if the process is killed.

    Raises:
        OSError: the file cannot be written; the error names it.
    """
    target = Path(path).absolute()
    unfinished = target.with_name(f".{token_hex(8)}{UNFINISHED_ENDING}")
    try:
        with _nameless(target.parent) or unfinished.open("xb") as file:
            if target.exists():
                os.chmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))  # noqa: PTH101 # a number, no path
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if not unfinished.exists():
                number = file.fileno()  # ignored as a folder, but os.link follows symbolic links only with one
                os.link(f"/proc/self/fd/{number}", unfinished, src_dir_fd=number, follow_symlinks=True)
        unfinished.replace(target)
    except OSError as error:  # errors of writing do not name the file
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    finally:
        unfinished.unlink(missing_ok=True)


def _nameless(folder: Path) -> BinaryIO | None:
    """Open a new unnamed file in a folder; None if the system does not support it."""
    if not hasattr(os, "O_TMPFILE"):
        return None
    try:
        return os.fdopen(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
    except OSError:
        return None


def is_stream(path: StrPath) -> bool:
    """Return whether a path is standard input or a pipe, which can be read only once."""
    if path == STANDARD_INPUT:
        return True
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)


def archive_source(path: StrPath, limits: Limits = DEFAULT_LIMITS) -> bytes | Path:
    """Return an archive on disk as read_test_set takes it: the path of a folder, or the bytes of a zip.

    Raises:
        LimitError, OSError: as read_bytes.
    """
    return Path(path) if Path(path).is_dir() else read_bytes(path, limits)


def printable_path(path: StrPath) -> str:
    r"""Return the path as printable text; "-" is stdin, and bytes that are not UTF-8 become escapes such as \xff.

    Python represents such bytes as lone surrogates, which neither JSON nor a table can hold.
    """
    if path == STANDARD_INPUT:
        return STANDARD_INPUT_NAME
    return os.fsencode(path).decode("utf-8", "backslashreplace")
