"""Opening of zips after checking their number of files, and refusal of office files."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib

from bleu_core.errors import FormatError
from bleu_core.formats import unsupported
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: The first bytes of each entry in a zip's directory.
ENTRY = b"PK\x01\x02"
#: Supported compression methods; with others, a few bytes may unpack to gigabytes before zipfile checks sizes.
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: The longest media type.
MAX_MEDIA_TYPE_LENGTH = 200
#: The exceptions of zipfile for a damaged zip.
ZIP_ERRORS = (
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
    """Check that a zip is not an office file; a zip that cannot be opened passes.

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
    """Open a zip after checking its number of files, since zipfile reads the whole directory at once.

    Raises:
        FormatError: it is not a zip, or cannot be opened.
        LimitError: it has too many bytes or files.
    """
    limits.check("file_bytes", len(data), origin)
    if not unsupported.is_zip(data):
        unsupported.check_supported(data, origin)
    limits.check("entries", data.count(ENTRY), origin)
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except ZIP_ERRORS as error:
        raise FormatError(f"{origin}: cannot be read as a zip: {error}") from None


def media_type(archive: zipfile.ZipFile) -> str:
    """Return the media type in the file mimetype, which OpenDocument requires; empty if there is none."""
    try:
        entry = archive.getinfo("mimetype")
        if entry.file_size > MAX_MEDIA_TYPE_LENGTH or entry.compress_type not in METHODS:
            return ""
        with archive.open(entry) as stream:
            return stream.read(MAX_MEDIA_TYPE_LENGTH).decode("ascii", "replace").strip()
    except ZIP_ERRORS:
        return ""
