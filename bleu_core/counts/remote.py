"""Files named by a URL, such as s3://bucket/file, which fsspec opens; any range of their bytes can be read alone."""

from __future__ import annotations

import errno
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, BinaryIO

from bleu_core.errors import BleuCoreError, FormatError, SettingsError
from bleu_core.invocation import install_extra

#: Bytes that are asked for at a time: a range of lines is a few of these.
BLOCK_BYTES = 2**21

#: What file systems tell by which a change shows, by the names that they give it.
TELLING = (
    *("size", "ETag", "etag", "md5Hash", "generation", "VersionId"),
    *("LastModified", "last_modified", "mtime", "updated", "modified", "created"),
)


class RemoteError(FormatError):
    """A file that a URL names cannot be read."""


def open_url(location: str) -> BinaryIO:
    """A file, from its beginning.

    Raises:
        SettingsError: a package is not installed that this kind of URL needs, or the kind is not known.
        RemoteError: the file is not there, or cannot be opened.
        OSError: the connection failed.
    """
    with _told(location):
        system, path = _system(location)
        file = system.open(path, "rb", block_size=BLOCK_BYTES)
        file.seek(1)  # what cannot be read from any place on says so here
        file.seek(0)
        return file


def stamp_of_url(location: str, file: Any = None) -> tuple[str, ...]:
    """By what a change of a file is noticed: its size and, as far as they are told, digest, version and times.

    Args:
        location: the URL.
        file: the open file, if what it was opened as is meant and not what the URL leads to now.

    Raises:
        SettingsError, RemoteError, OSError: as for open_url.
    """
    with _told(location):
        found = getattr(file, "details", {})
        if "ETag" not in found:  # elsewhere an open file knows less of itself
            system, path = _system(location)
            system.invalidate_cache()
            found = system.info(path)
        return tuple(f"{key}={found[key]}" for key in TELLING if found.get(key) is not None)


@contextmanager
def _told(location: str) -> Generator[None]:
    """Tell what is wrong with a URL: file systems have errors of their own, as where there are no credentials.

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
    """The file system of a URL, and the path there."""
    try:
        return import_module("fsspec.core").url_to_fs(location)
    except (ImportError, ValueError) as error:
        raise SettingsError(
            f"{location}: {error}; fsspec is needed and, for s3://, s3fs; for gs://, gcsfs; for https://, aiohttp: "
            f"{install_extra('cluster', 's3fs')}"
        ) from None
