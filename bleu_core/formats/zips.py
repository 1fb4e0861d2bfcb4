"""Zips: opened when they are known to hold few files, and refused where an office program has written them."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib

from bleu_core.errors import FormatError
from bleu_core.formats import unsupported
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: What each file's entry in a zip's directory begins with.
ENTRY = b"PK\x01\x02"
#: Of other methods a few bytes may unpack to gigabytes before zipfile counts them.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Longer media types are none.
LONGEST_MEDIA_TYPE = 200
#: What zipfile raises where a zip is broken.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
    KeyError,
    IndexError,
)


def check_office(data: bytes, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> None:
    """See that a zip is no office file; one that cannot be opened is none.

    Raises:
        FormatError: it is one.
        LimitError: as open_zip.
    """
    try:
        archive = open_zip(data, origin, limits)
    except FormatError:
        return
    unsupported.check_packed(archive.namelist(), media_type(archive), origin)


def open_zip(data: bytes, origin: str, limits: Limits) -> zipfile.ZipFile:
    """A zip, opened when its number of files is known to be small: zipfile reads the directory at once.

    Raises:
        FormatError: it is no zip, or cannot be opened.
        LimitError: it has too many bytes or files.
    """
    limits.check("file_bytes", len(data), origin)
    if not unsupported.is_zip(data):
        unsupported.check_supported(data, origin)
    limits.check("entries", data.count(ENTRY), origin)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except UNREADABLE as error:
        raise FormatError(f"{origin}: no readable zip found, one expected: {error}") from None


def media_type(archive: zipfile.ZipFile) -> str:
    """The media type in the file mimetype, which OpenDocument prescribes; empty where there is none."""
    try:
        entry = archive.getinfo("mimetype")
        if entry.file_size > LONGEST_MEDIA_TYPE or entry.compress_type not in METHODS:
            return ""
        with archive.open(entry) as stream:
            return stream.read(LONGEST_MEDIA_TYPE).decode("ascii", "replace").strip()
    except UNREADABLE:
        return ""
