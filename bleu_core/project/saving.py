"""A workspace as one file: a zip of all files as they were added, and a manifest of what was chosen and noted."""

from __future__ import annotations

import hashlib
import io
import platform
import re
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib.metadata import version as version_of
from types import MappingProxyType
from typing import Any

from bleu_core.errors import FormatError
from bleu_core.formats import MIMETYPE, SAVED_WORKSPACE, ZIP_ERRORS, StrPath, declares_media_type, open_zip, write_bytes
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.project.manifest import (
    LAYOUT,
    Choices,
    FileRecord,
    Manifest,
    NoteRecord,
    ReportText,
    manifest_json,
    read_manifest,
)
from bleu_core.uploads import File
from bleu_core.version import VERSION

#: The end of the name of a saved workspace.
ENDING = ".bleu.zip"

#: The name of the program in a manifest.
TOOL = "bleu-dashboard"

#: The first file in the zip, and its content, as in OpenDocument and EPUB: programs recognise the file by it.
MEDIA_TYPE = SAVED_WORKSPACE.encode("ascii")

MANIFEST = "manifest.json"

#: Bytes of a manifest at most; with a note on every one of 10,000 segments it has about a fifth of them.
MAX_MANIFEST_BYTES = 2**26

#: Compression, which takes a third of the time of the usual one, for files that are about a fifth larger.
COMPRESSION_LEVEL = 1

#: A file that becomes smaller than by this factor is kept as it is: the limits on archives suspect it of being a bomb.
MAX_FACTOR = 50

#: Bytes that are compressed at a time to find that out.
CHUNK_BYTES = 2**20

#: How the names of files begin in the zip; the rest of a name is only for users who unpack it.
FOLDER, MAX_NAME_LENGTH = "files", 80

#: In the zip: no date, which would differ, and the rights of a plain file.
PLAIN_FILE, UNIX = 0o100644 << 16, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedWorkspace:
    """Files with their corrections, what was chosen, and notes.

    Attributes:
        files: in their order, as they were added.
        choices: settings, exclusions and the slice, for commands.
        controls: the same and all else that was chosen on pages, as parameters of their addresses.
        notes: stars and notes on segments.
        report: heading and introduction of the report.
        data: the digest of the data, as in a page's address.
        version: of the program that saved it.
    """

    files: tuple[File, ...]
    choices: Choices = field(default_factory=Choices)
    controls: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[NoteRecord, ...] = ()
    report: ReportText = field(default_factory=ReportText)
    data: str = ""
    version: str = VERSION


def pack_workspace(workspace: SavedWorkspace, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the workspace as a zip; equal workspaces give equal bytes.

    Args:
        workspace: what is saved.
        limits: those that it could not be opened under are an error.

    Raises:
        LimitError: it has more files or bytes than the limits allow.
    """
    place = "the workspace"
    limits.check("entries", len(workspace.files) + 2, place)
    limits.check("unpacked_bytes", sum(len(file.data) for file in workspace.files), place)
    records = tuple(_record(number, file) for number, file in enumerate(workspace.files, start=1))
    manifest = Manifest(
        layout=LAYOUT,
        tool=TOOL,
        version=VERSION,
        python=platform.python_version(),
        sacrebleu=version_of("sacrebleu"),
        data=workspace.data,
        files=records,
        choices=workspace.choices,
        controls={name: workspace.controls[name] for name in sorted(workspace.controls)},
        notes=tuple(sorted(workspace.notes, key=lambda note: (note.data, note.segment))),
        report=workspace.report,
    )
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        _add(archive, MIMETYPE, MEDIA_TYPE)
        _add(archive, MANIFEST, manifest_json(manifest))
        for record, file in zip(records, workspace.files, strict=True):
            _add(archive, record.path, file.data)
    limits.check("file_bytes", len(stream.getbuffer()), place)
    return stream.getvalue()


def write_workspace(workspace: SavedWorkspace, path: StrPath, *, limits: Limits = DEFAULT_LIMITS) -> None:
    """Write the workspace to disk, as write_bytes.

    Raises:
        LimitError: as pack_workspace.
        OSError: the file cannot be written.
    """
    write_bytes(path, pack_workspace(workspace, limits=limits))


def is_saved_workspace(data: bytes) -> bool:
    """Return whether bytes, the first BEGIN of a file or all, begin as those of a saved workspace."""
    return declares_media_type(data, SAVED_WORKSPACE)


def open_workspace(data: bytes, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> SavedWorkspace:
    """Open a saved workspace, of this program or an older one; nothing is unpacked to disk.

    Args:
        data: the zip.
        origin: the file, for messages.
        limits: the limits for it.

    Raises:
        FormatError: it is no saved workspace, is damaged, or was saved by a newer program.
        LimitError: it holds more than the limits allow.
    """
    archive = open_zip(data, origin, limits)
    entries = {entry.filename: entry for entry in archive.infolist()}
    if MANIFEST not in entries or MIMETYPE not in entries or _read(archive, entries[MIMETYPE], origin) != MEDIA_TYPE:
        raise FormatError(f"{origin}: not a saved workspace; give a file that “Save workspace” has written")
    unpacked = sum(entry.file_size for entry in entries.values())
    limits.check("unpacked_bytes", unpacked, origin)
    limits.check("compression_ratio", unpacked // max(1, len(data)), origin)
    if entries[MANIFEST].file_size > MAX_MANIFEST_BYTES:
        raise FormatError(
            f"{origin}: a manifest of {entries[MANIFEST].file_size:,} bytes found, at most {MAX_MANIFEST_BYTES:,} expected"
        )
    manifest = read_manifest(_read(archive, entries[MANIFEST], origin), origin)
    files: list[File] = []
    for record in manifest.files:
        if record.path not in entries:
            raise _damaged(origin, f"{record.path} ({record.name}) is missing")
        files.append(_file(record, _read(archive, entries[record.path], origin), origin))
    return SavedWorkspace(
        files=tuple(files),
        choices=manifest.choices,
        controls=manifest.controls,
        notes=manifest.notes,
        report=manifest.report,
        data=manifest.data,
        version=manifest.version,
    )


def _record(number: int, file: File) -> FileRecord:
    """What the manifest says of a file."""
    name = re.sub(r"[^\w.-]+|\.{2,}", "_", file.name)[-MAX_NAME_LENGTH:].lstrip(".")
    zip_entry: dict[str, Any] = {"path": f"{FOLDER}/{number:04}-{name}", "bytes": len(file.data), "own": dict(file.own)}
    return FileRecord(
        **{item.name: getattr(file, item.name) for item in fields(FileRecord) if item.name not in zip_entry},
        **zip_entry,
    )


def _file(record: FileRecord, data: bytes, origin: str) -> File:
    """Return a file as it was, if its bytes are what they were.

    Raises:
        FormatError: they are not.
    """
    if len(data) != record.bytes or hashlib.blake2b(data, digest_size=16).hexdigest() != record.digest:
        raise _damaged(origin, f"{record.path} ({record.name}) has other bytes than it had")
    values: dict[str, Any] = {item.name: getattr(record, item.name) for item in fields(FileRecord)}
    for name in ("path", "bytes", "digest"):
        del values[name]
    values["own"] = tuple(record.own.items())
    return File(data=data, **values)


def _add(archive: zipfile.ZipFile, path: str, data: bytes) -> None:
    """Add a file; of a few bytes, and of those that would look like a bomb, as it is."""
    entry = zipfile.ZipInfo(path)
    entry.create_system, entry.external_attr = UNIX, PLAIN_FILE
    as_it_is = path == MIMETYPE or _looks_like_a_bomb(data)
    archive.writestr(entry, data, zipfile.ZIP_STORED if as_it_is else zipfile.ZIP_DEFLATED, COMPRESSION_LEVEL)


def _looks_like_a_bomb(data: bytes) -> bool:
    """Return whether a file becomes smaller than by the factor; most are known not to after their first part."""
    compressor, size = zlib.compressobj(COMPRESSION_LEVEL), 0
    for start in range(0, len(data), CHUNK_BYTES):
        size += len(compressor.compress(data[start : start + CHUNK_BYTES]))
        if size * MAX_FACTOR >= len(data):
            return False
    return len(data) > MAX_FACTOR * (size + len(compressor.flush()))


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, origin: str) -> bytes:
    """Return the bytes of a file in the zip, as many as its entry declares.

    Raises:
        FormatError: it cannot be unpacked.
    """
    try:
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & 0x1:
            raise zipfile.BadZipFile("neither stored nor deflated, or encrypted")
        with archive.open(entry) as stream:
            return stream.read(entry.file_size)
    except ZIP_ERRORS as error:
        raise _damaged(origin, f"{entry.filename} cannot be unpacked: {error}") from None


def _damaged(origin: str, what: str) -> FormatError:
    return FormatError(f"{origin}: the saved workspace is damaged: {what}; save it again, or get another copy")
