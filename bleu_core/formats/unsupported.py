"""Unsupported kinds of files, which are recognised by their content and refused with advice."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import NamedTuple

from bleu_core.errors import FormatError
from bleu_core.invocation import invocation

#: Bytes by which a file's kind is recognised; the part of XML before the root element is rarely longer.
HEAD_BYTES = 2**16
#: The first bytes of a zip with files, and of an empty one.
ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_TEXT = "one segment per line"


class Kind(NamedTuple):
    """An unsupported kind of file.

    Attributes:
        name: the name in messages.
        pattern: matches the first bytes; in a zip, the declared media type or a path in it.
        advice: what the user can do.
    """

    name: str
    pattern: str
    advice: str


#: The media types that a saved workspace and a counts file declare.
SAVED_WORKSPACE = "application/vnd.bleu-dashboard.workspace+zip"
COUNTS_FILE = "application/vnd.bleu-dashboard.counts+zip"
#: A file in every log of Inspect that is a zip.
INSPECT_LOG = "_journal/start.json"
#: The first file of a zip that declares its media type, and the number of bytes before its name.
MIMETYPE, HEADER = "mimetype", 30
#: Bytes by which the media type of a zip is recognised.
MEDIA_TYPE_BYTES = 128

#: Compressed files are decompressed first, so these were compressed twice.
_UNPACK = "unpack it and give the files in it"
_PLAIN = f"save it as plain text, {_TEXT}"

BINARY = (
    Kind("PDF", r"%PDF-\d", _PLAIN),
    Kind("RTF", r"\{\\rtf\d", _PLAIN),
    Kind("a file of an older Microsoft Office", r"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", f"{_PLAIN}, or a table as CSV"),
    Kind("gzip", r"\x1f\x8b", _UNPACK),
    Kind("bzip2", r"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", _UNPACK),
    Kind("xz", r"\xfd7zXZ\x00", _UNPACK),
    Kind("Zstandard", r"\x28\xb5\x2f\xfd", _UNPACK),
    Kind("a tar archive", r".{257}ustar", f"{_UNPACK}, or pack them as a zip"),
    Kind("7z", r"7z\xbc\xaf\x27\x1c", f"{_UNPACK}, or pack them as a zip"),
    Kind("an array of NumPy", r"\x93NUMPY", _PLAIN),
    Kind("a pickle of Python", r"\x80[\x02-\x05]", f"{_PLAIN}, or as JSON"),
    Kind("SQLite", r"SQLite format 3\x00", f"{_PLAIN}, or a table as CSV"),
    Kind("RAR", r"Rar!\x1a\x07", f"{_UNPACK}, or pack them as a zip"),
)
PACKED = (
    Kind("a Word document (DOCX)", r"word/.*", _PLAIN),
    Kind("a PowerPoint presentation (PPTX)", r"ppt/.*", _PLAIN),
    Kind("an OpenDocument text (ODT)", r"application/vnd\.oasis\.opendocument\.text.*", _PLAIN),
    Kind("an OpenDocument file", r"application/vnd\.oasis\.opendocument\..*", _PLAIN),
    Kind("a saved workspace", re.escape(SAVED_WORKSPACE), "give it as --workspace, or drop it on the Data page alone"),
    Kind(
        "a counts file",
        re.escape(COUNTS_FILE),
        "it holds counts and no texts; give the texts, or score it with "
        f"`{invocation('bleu-core')} score`, blocks, compare or gate",
    ),
    Kind("a log of Inspect (.eval)", re.escape(INSPECT_LOG), "convert it with `inspect log convert --to json`"),
    Kind("an Office Open XML file", r"\[Content_Types\]\.xml", f"{_PLAIN}, or a table as CSV"),
)

_BINARY = tuple((kind, re.compile(kind.pattern.encode("ascii"), re.DOTALL)) for kind in BINARY)
_PACKED = tuple((kind, re.compile(kind.pattern)) for kind in PACKED)


def check_supported(begin: bytes, name: str) -> None:
    """Check that a file is not of a known unsupported kind.

    Args:
        begin: the file's bytes, or the first HEAD_BYTES of them.
        name: the file, for messages.

    Raises:
        FormatError: it is of such a kind.
    """
    for kind, pattern in _BINARY:
        if pattern.match(begin):
            raise _refusal(kind, name)


def declares_media_type(begin: bytes, media_type: str) -> bool:
    """Return whether bytes, the first MEDIA_TYPE_BYTES of a file or more, are a zip that declares a media type."""
    return begin.startswith(ZIP[0]) and begin[HEADER:].startswith((MIMETYPE + media_type).encode("ascii"))


def is_zip(begin: bytes) -> bool:
    """Return whether bytes are those of a zip."""
    return begin.startswith(ZIP)


def check_packed(paths: Collection[str], media_type: str, name: str) -> None:
    """Check that a zip is not an office file, a workspace, a counts file or a log.

    Args:
        paths: the paths of the files in it.
        media_type: the media type in its file mimetype; may be empty.
        name: the zip, for messages.

    Raises:
        FormatError: it is one.
    """
    # Only content types or a media type identify an office file: a test set may have a folder named word.
    if not media_type and not {"[Content_Types].xml", INSPECT_LOG}.intersection(paths):
        return
    for kind, pattern in _PACKED:
        if pattern.fullmatch(media_type) or any(pattern.fullmatch(path) for path in paths):
            raise _refusal(kind, name)


def _refusal(kind: Kind, name: str) -> FormatError:
    return FormatError(f"{name}: {kind.name} found, which cannot be read; {kind.advice}")
