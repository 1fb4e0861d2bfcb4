"""Files on disk: their bytes, and their paths in printable form."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from bleu_core.limits import DEFAULT_LIMITS, Limits

#: A path, as Python's own functions take it.
StrPath = str | os.PathLike[str]


def read_bytes(path: StrPath, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """A file's bytes; from a pipe, whose size is unknown, no more are read than the limits allow.

    Raises:
        LimitError: there are more than the limits allow.
        OSError: the file cannot be read; the error names it.
    """
    place = printable_path(path)
    try:
        with Path(path).open("rb") as file:
            status = os.fstat(file.fileno())
            limits.check("file_bytes", status.st_size, place)
            data = file.read(-1 if stat.S_ISREG(status.st_mode) else limits.file_bytes + 1)
    except OSError as error:  # an error while reading does not name the file
        raise OSError(error.errno, error.strerror, error.filename or os.fspath(path)) from error
    limits.check("file_bytes", len(data), place)
    return data


def archive_source(path: StrPath, limits: Limits = DEFAULT_LIMITS) -> bytes | Path:
    """An archive on disk as read_test_set takes it: the path of a folder, or the bytes of a zip.

    Raises:
        LimitError, OSError: as read_bytes.
    """
    return Path(path) if Path(path).is_dir() else read_bytes(path, limits)


def printable_path(path: StrPath) -> str:
    r"""The path as printable text; bytes that are not UTF-8 become escapes such as \xff.

    Python represents such bytes as lone surrogates, which neither JSON nor a table can hold.
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")
