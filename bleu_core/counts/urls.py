"""Files at URLs, such as s3://bucket/file, opened by fsspec; any range of their bytes can be read alone."""

from __future__ import annotations

import errno
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, BinaryIO

from bleu_core.errors import BleuCoreError, FormatError, SettingsError
from bleu_core.invocation import install_extra

#: Bytes per request: a range of lines needs a few requests.
BLOCK_BYTES = 2**21

#: Details of a file by which a change is noticed, as the file systems name them.
CHANGE_DETAILS = (
    *("size", "ETag", "etag", "md5Hash", "generation", "VersionId"),
    *("LastModified", "last_modified", "mtime", "updated", "modified", "created"),
)


class RemoteError(FormatError):
    """The file at a URL cannot be read."""


def open_url(location: str) -> BinaryIO:
    """Open the file at a URL.

    The time of a request is limited by the packages: 60 seconds for each read by s3fs, 5 minutes for a request by
    aiohttp (https://, gs://). Other file systems of fsspec may have no limit.

    Raises:
        SettingsError: this kind of URL is not known, or needs a package that is not installed.
        RemoteError: the file does not exist, or cannot be opened.
        OSError: the connection failed.
    """
    with _error_messages(location):
        system, path = _system(location)
        file = system.open(path, "rb", block_size=BLOCK_BYTES)
        file.seek(1)  # fails if the file cannot be read from any position
        file.seek(0)
        return file


def stamp_of_url(location: str, file: Any = None) -> tuple[str, ...]:
    """Return what changes with a file: its size and, if the file system gives them, digest, version and times.

    Args:
        location: the URL.
        file: the open file, for the details at the time of opening; the current ones if None.

    Raises:
        SettingsError, RemoteError, OSError: as for open_url.
    """
    with _error_messages(location):
        details = getattr(file, "details", {})
        if "ETag" not in details:  # other file systems give an open file fewer details
            system, path = _system(location)
            system.invalidate_cache()
            details = system.info(path)
        return tuple(f"{key}={details[key]}" for key in CHANGE_DETAILS if details.get(key) is not None)


@contextmanager
def _error_messages(location: str) -> Generator[None]:
    """Turn errors of file systems, such as missing credentials, into messages that name the URL.

    Raises:
        RemoteError, OSError: as for open_url.
    """
    try:
        yield
    except BleuCoreError:
        raise
    except (FileNotFoundError, PermissionError) as error:
        what = "no such file" if isinstance(error, FileNotFoundError) else "it may not be read"
        raise RemoteError(f"{location}: {what}") from None
    except OSError as error:
        raise OSError(error.errno or errno.EIO, str(error), location) from None
    except Exception as error:  # noqa: BLE001 # of any kind
        raise RemoteError(f"{location}: the file cannot be opened ({error})") from None


def _system(location: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    try:
        return import_module("fsspec.core").url_to_fs(location)
    except (ImportError, ValueError) as error:
        raise SettingsError(
            f"{location}: {error}; fsspec is needed and, for s3://, s3fs; for gs://, gcsfs; for https://, aiohttp: "
            f"{install_extra('cluster', 's3fs')}"
        ) from None
