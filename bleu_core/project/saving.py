"""A workspace as one file: a zip of all uploaded files, and a manifest of choices and notes."""

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
from bleu_core.formats import (
    MIMETYPE,
    SAVED_WORKSPACE,
    ZIP_ERRORS,
    StrPath,
    declares_media_type,
    is_zip,
    media_type,
    open_zip,
    write_bytes,
)
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
from bleu_core.uploads import File, by_test_set
from bleu_core.version import VERSION

#: The ending of the name of a saved workspace.
ENDING = ".bleu.zip"

#: The name of the program in a manifest.
TOOL = "bleu-dashboard"

#: The content of the first file in the zip, by which programs recognise it, as in OpenDocument and EPUB.
MEDIA_TYPE = SAVED_WORKSPACE.encode("ascii")

MANIFEST = "manifest.json"

#: The most bytes of a manifest; with notes on 10,000 segments, it has about a fifth of them.
MAX_MANIFEST_BYTES = 2**26

#: Compression level: a third of the time of the default one, for files that are about a fifth larger.
COMPRESSION_LEVEL = 1

#: A file with a higher compression factor is stored uncompressed, since the limits on archives would refuse it.
MAX_FACTOR = 50

#: Bytes that are compressed at a time to determine this factor.
CHUNK_BYTES = 2**20

#: The folder of the files in the zip, and the longest file name; names are only for people who unpack it.
FOLDER, MAX_NAME_LENGTH = "files", 80

#: Attributes in the zip: permissions of a regular file, on Unix; there is no date, so that equal files give equal
#: bytes.
PLAIN_FILE, UNIX = 0o100644 << 16, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedWorkspace:
    """Files with their corrections, choices, and notes.

    Attributes:
        files: the files, in their order.
        choices: settings, exclusions and the slice, for commands.
        controls: these and all other choices on pages, as parameters of their addresses.
        notes: stars and notes on segments.
        report: heading and introduction of the report.
        data: the digest of the data, as in a page's address.
        version: the version of the program that saved it.
    """

    files: tuple[File, ...]
    choices: Choices = field(default_factory=Choices)
    controls: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[NoteRecord, ...] = ()
    report: ReportText = field(default_factory=ReportText)
    data: str = ""
    version: str = VERSION

    @property
    def test_sets(self) -> Mapping[str, tuple[File, ...]]:
        """The files of each test set; the name of the one without a name is empty."""
        return by_test_set(self.files)

    @property
    def test_set(self) -> str:
        """The test set that is shown, or the first one if that has no files."""
        sets = self.test_sets
        return self.choices.test_set if self.choices.test_set in sets else next(iter(sets), "")

    @property
    def files_in_use(self) -> tuple[File, ...]:
        """The files of the test set that is shown, which commands read."""
        return self.test_sets.get(self.test_set, ())


def pack_workspace(workspace: SavedWorkspace, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Return the workspace as a zip; equal workspaces give equal bytes.

    Args:
        workspace: the workspace.
        limits: the limits under which it must be possible to open it.

    Raises:
        LimitError: it has more files or bytes than the limits allow.
    """
    place = "the workspace"
    first = {file.digest: file for file in reversed(workspace.files)}  # files of several test sets share their bytes
    limits.check("entries", len(first) + 2, place)
    limits.check("unpacked_bytes", sum(len(file.data) for file in first.values()), place)
    numbers = {
        digest: number for number, digest in enumerate(dict.fromkeys(f.digest for f in workspace.files), start=1)
    }
    records = tuple(_record(numbers[file.digest], file, first[file.digest].name) for file in workspace.files)
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
        for path, file in {record.path: file for record, file in zip(records, workspace.files, strict=True)}.items():
            _add(archive, path, file.data)
    limits.check("file_bytes", len(stream.getbuffer()), place)
    return stream.getvalue()


def write_workspace(workspace: SavedWorkspace, path: StrPath, *, limits: Limits = DEFAULT_LIMITS) -> None:
    """Write the workspace to disk atomically, as write_bytes does.

    Raises:
        LimitError: as pack_workspace.
        OSError: the file cannot be written.
    """
    write_bytes(path, pack_workspace(workspace, limits=limits))


def is_saved_workspace(data: bytes, *, limits: Limits = DEFAULT_LIMITS) -> bool:
    """Return whether a file is a saved workspace, also if another program has packed it again."""
    if declares_media_type(data, SAVED_WORKSPACE):
        return True
    try:
        archive = open_zip(data, "", limits) if is_zip(data) else None
    except FormatError:
        return False
    return archive is not None and MANIFEST in archive.namelist() and media_type(archive) == SAVED_WORKSPACE


def open_workspace(data: bytes, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> SavedWorkspace:
    """Open a saved workspace, of this program or an older one; nothing is unpacked to disk.

    Args:
        data: the zip.
        origin: the file, for messages.
        limits: the limits for it.

    Raises:
        FormatError: it is not a saved workspace, is damaged, or was saved by a newer program.
        LimitError: it exceeds the limits.
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
            f"{origin}: a manifest of {entries[MANIFEST].file_size:,} bytes found, at most "
            f"{MAX_MANIFEST_BYTES:,} expected"
        )
    manifest = read_manifest(_read(archive, entries[MANIFEST], origin), origin, limits)
    files: list[File] = []
    read: dict[str, bytes] = {}
    for record in manifest.files:
        if record.path not in entries:
            raise _damaged(origin, f"{record.path} ({record.name}) is missing")
        if record.path not in read:
            read[record.path] = _read(archive, entries[record.path], origin)
        files.append(_file(record, read[record.path], origin))
    shared = {item.name: getattr(manifest, item.name) for item in fields(SavedWorkspace) if item.name != "files"}
    return SavedWorkspace(files=tuple(files), **shared)


def _record(number: int, file: File, first_name: str) -> FileRecord:
    """Return the record of a file in the manifest.

    Args:
        number: of its bytes.
        file: the file.
        first_name: the name of the first file with these bytes, after which their path in the zip is named.
    """
    name = re.sub(r"[^\w.-]+|\.{2,}", "_", first_name)[-MAX_NAME_LENGTH:].lstrip(".")
    zip_entry: dict[str, Any] = {"path": f"{FOLDER}/{number:04}-{name}", "bytes": len(file.data)}
    return FileRecord(
        **{item.name: getattr(file, item.name) for item in fields(FileRecord) if item.name not in zip_entry},
        **zip_entry,
    )


def _file(record: FileRecord, data: bytes, origin: str) -> File:
    """Return the file of a record, after checking its bytes.

    Raises:
        FormatError: they differ from the record.
    """
    if len(data) != record.bytes or hashlib.blake2b(data, digest_size=16).hexdigest() != record.digest:
        raise _damaged(origin, f"{record.path} ({record.name}) has other bytes than it had")
    others = ("path", "bytes", "digest")
    values: dict[str, Any] = {f.name: getattr(record, f.name) for f in fields(FileRecord) if f.name not in others}
    return File(data=data, **values)


def _add(archive: zipfile.ZipFile, path: str, data: bytes) -> None:
    """Add a file, uncompressed if it is the media type or if its compression factor is too high."""
    entry = zipfile.ZipInfo(path)
    entry.create_system, entry.external_attr = UNIX, PLAIN_FILE
    is_stored = path == MIMETYPE or _exceeds_factor(data)
    archive.writestr(entry, data, zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED, COMPRESSION_LEVEL)


def _exceeds_factor(data: bytes) -> bool:
    """Return whether a file's compression factor exceeds MAX_FACTOR; for most files, the first part decides."""
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
