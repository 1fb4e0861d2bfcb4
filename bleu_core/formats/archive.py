"""A whole directory of mt-metrics-eval, as a folder or as a zip: texts, documents, human and metric scores."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

import numpy as np

from bleu_core.corpus import Column, Role
from bleu_core.errors import FormatError
from bleu_core.formats.scores import SUFFIX, as_judgments, read_eval_scores
from bleu_core.formats.text import decode, split_lines
from bleu_core.judgments import Judgments, ScoreTable

FORMAT = "mt-metrics-eval directory"
MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
#: Bytes of one language pair, unpacked, that are read at most.
LARGEST = 2**30
#: Bytes of a folder that are packed at most, whatever its language pairs.
LARGEST_FOLDER = 2**31
FOLDERS = ("sources", "references", "system-outputs", "documents", "human-scores", "metric-scores")
#: The human scores that stand for all, the first of these that there is.
PREFERRED = ("mqm", "esa", "da-sqm")
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
SYMBOLIC_LINK = 0o120000

Reader = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Archive:
    """One language pair of a test set.

    Attributes:
        pairs: all language pairs that have texts.
        pair: the one that was read.
        columns: its source, references, system outputs and documents.
        human: human scores by name.
        judgments: the same as ratings by one judge, who has that name, in a group of that name.
        metrics: metric scores, called METRIC-REFERENCE, by metric and reference (refA; src where there is none).
        problems: files that could not be read and are left out, with the reason.
        notes: what was passed over, in sentences for people.
    """

    pairs: tuple[str, ...]
    pair: str
    columns: tuple[Column, ...]
    human: Mapping[str, ScoreTable]
    judgments: Mapping[str, Judgments]
    metrics: Mapping[tuple[str, str], ScoreTable]
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def preferred(self) -> str | None:
        """The name of the human scores to begin with: MQM, else ESA, else DA, else the first."""
        return next((name for name in (*PREFERRED, *self.judgments) if name in self.judgments), None)


def is_archive(data: bytes) -> bool:
    """Whether bytes are those of a zip."""
    return data.startswith(MAGIC)


def read_archive(
    source: bytes | Path, origin: str, *, pair: str | None = None, encoding: str | None = None, largest: int = LARGEST
) -> Archive:
    """Read one language pair of a directory of mt-metrics-eval.

    Nothing is unpacked to disk. Folders above the directory, hidden files and those of macOS are passed over. Texts
    must be readable; a file of scores that is not is left out, and told.

    Args:
        source: a zip's bytes, or a folder.
        origin: the zip or folder, for messages.
        pair: the language pair, as in pairs; the first when None.
        encoding: as in decode.
        largest: bytes of the pair's files, unpacked, that are read at most.

    Raises:
        FormatError: the zip is broken, encrypted, too large or leads outside itself, there is no such directory or
            pair in it, or a text is not readable.
    """
    found = _of_zip(source, origin, largest) if isinstance(source, bytes) else _of_folder(source, origin)
    files = _below_root(found)
    pairs = tuple(dict.fromkeys(_pair(path, text=True) for path in sorted(files) if _pair(path, text=True)))
    if not pairs:
        inside = ", ".join(sorted({path.parts[0] for path in found})[:5]) or "nothing"
        raise FormatError(
            f"{origin}: no directory of mt-metrics-eval: {inside} found, folders sources, references and "
            "system-outputs expected"
        )
    chosen = pairs[0] if pair is None else pair
    if chosen not in pairs:
        raise FormatError(f"{origin}: no language pair {chosen!r}; there are {', '.join(pairs)}")
    contents: dict[PurePosixPath, bytes] = {}
    size = 0
    for path in sorted(files):
        if _pair(path, text=False) == chosen and path.parts[-1].endswith((".txt", ".docs", ".score")):
            try:
                contents[path] = files[path]()
            except UNREADABLE as error:
                if isinstance(error, FormatError):
                    raise
                raise FormatError(f"{origin}: {path} cannot be unpacked: {error}; is the zip damaged?") from None
            size += len(contents[path])
            if size > largest:
                raise FormatError(f"{origin}: more than {largest:,} bytes unpacked, {largest:,} at most expected")
    others = sum(_pair(path, text=False) == chosen for path in files) - len(contents)
    return _archive(contents, pairs, chosen, origin, encoding=encoding, unread=others)


def packed(files: Mapping[PurePosixPath, Reader], origin: str, *, largest: int = LARGEST_FOLDER) -> bytes:
    """A folder's files as a zip, which read_archive takes; equal files give equal bytes.

    Args:
        files: by their paths; hidden ones are left out.
        origin: the folder, for messages.
        largest: bytes that are packed at most.

    Raises:
        FormatError: there are more.
        OSError: a file is gone.
    """
    stream = io.BytesIO()
    size = 0
    with zipfile.ZipFile(stream, "w") as archive:  # not compressed: it is read at once
        for path in sorted(files):
            if _is_hidden(path.parts):
                continue
            data = files[path]()
            size += len(data)
            if size > largest:
                raise FormatError(
                    f"{origin}: more than {largest:,} bytes in the folder, {largest:,} at most expected; "
                    "take the folders of one test set, or those of one language pair"
                )
            name = str(path).encode("utf-8", "replace").decode("utf-8")
            archive.writestr(zipfile.ZipInfo(name), data)  # with no date, which would differ
    return stream.getvalue()


def packed_folder(folder: Path) -> bytes:
    """A folder on disk as a zip.

    Raises:
        FormatError: as packed, or there is no such folder.
        OSError: a file in it cannot be read.
    """
    return packed(_of_folder(folder, str(folder)), str(folder))


def _archive(
    contents: Mapping[PurePosixPath, bytes],
    pairs: tuple[str, ...],
    pair: str,
    origin: str,
    *,
    encoding: str | None,
    unread: int,
) -> Archive:
    columns: list[Column] = []
    scored: dict[tuple[str, str], dict[str, ScoreTable]] = {}
    problems: list[str] = []
    for path, data in contents.items():
        folder, place = _folder(path), f"{origin}/{path}"
        level = SUFFIX.fullmatch(path.name)
        if folder in ("human-scores", "metric-scores"):
            if level is None or level["level"] not in ("sys", "seg"):
                unread += 1
                continue
            name = (
                level["name"].removeprefix(pair.rpartition("/")[2] + ".") if folder == "human-scores" else level["name"]
            )
            try:
                (table,) = read_eval_scores(decode(data, place, encoding), place)
            except ValueError as error:
                problems.append(str(error) if isinstance(error, FormatError) else f"{place}: scores of parts found")
                continue
            scored.setdefault((folder, name), {})[level["level"]] = replace(table, name=name)
        else:
            columns.append(_column(path, data, pair.rpartition("/")[2], place, encoding))
    columns.sort(key=lambda c: (("source", "reference", "system", "document").index(c.role), c.name))
    human: dict[str, ScoreTable] = {}
    metrics: dict[tuple[str, str], ScoreTable] = {}
    for (folder, name), levels in scored.items():
        if folder == "human-scores":
            human[name] = _joined(levels)
        else:
            metric, _, reference = name.rpartition("-")
            metrics[metric or name, reference if metric else ""] = _joined(levels)
    judgments: dict[str, Judgments] = {}
    for name, table in human.items():
        try:
            found = as_judgments(table, format=f"{FORMAT}, {name}")
        except FormatError as error:
            problems.append(str(error))
            continue
        judgments[name] = replace(found, table=found.table.assign(group=found.table["judge"]))
    notes = (f"{unread} files of domains, documents or other kinds not used",) if unread else ()
    return Archive(
        pairs,
        pair,
        tuple(columns),
        MappingProxyType(human),
        MappingProxyType(judgments),
        MappingProxyType(metrics),
        tuple(problems),
        notes,
    )


def _joined(levels: Mapping[str, ScoreTable]) -> ScoreTable:
    """Scores of segments with those that the file of systems gives; systems that only it has come last."""
    of_segments, of_systems = levels.get("seg"), levels.get("sys")
    if of_segments is None or of_systems is None:
        return next(iter(levels.values()))
    systems = tuple(dict.fromkeys((*of_segments.systems, *of_systems.systems)))
    table = of_segments.aligned(systems, of_segments.scores.shape[1])
    given = of_systems.aligned(systems, 0).system_scores
    return replace(table, system_scores=np.where(np.isnan(given), table.system_scores, given))


def _column(path: PurePosixPath, data: bytes, pair: str, place: str, encoding: str | None) -> Column:
    roles: Mapping[str, Role] = {"sources": "source", "references": "reference", "documents": "document"}
    folder = _folder(path)
    segments, _ = split_lines(decode(data, place, encoding))
    stem = path.name.rpartition(".")[0]
    if folder == "documents":  # a domain and a document
        segments = tuple(line.rpartition("\t")[2].strip() for line in segments)
    name = {"sources": "source", "documents": "documents"}.get(folder) or stem.removeprefix(f"{pair}.")
    return Column(roles.get(folder, "system"), name, segments, place)


def _place(path: PurePosixPath) -> int:
    """Where in a path the directory's own folder is, the last of that name; -1 where there is none."""
    return max((i for i, part in enumerate(path.parts[:-1]) if part in FOLDERS), default=-1)


def _folder(path: PurePosixPath) -> str:
    return path.parts[_place(path)]


def _pair(path: PurePosixPath, *, text: bool) -> str:
    """The language pair of a file, with the test set where there are several; empty where it has none.

    With text, only source and system outputs count: they say which pairs there are.
    """
    at = _place(path)
    folder = path.parts[at]
    rest = path.parts[at + 1 :]
    inside = folder in ("system-outputs", "metric-scores")
    if at < 0 or len(rest) != (2 if inside else 1):
        return ""
    if text and (folder not in ("sources", "system-outputs") or path.suffix != ".txt"):
        return ""
    pair = rest[0] if inside else rest[0].partition(".")[0]
    if folder in ("sources", "documents") and path.stem != pair:
        return ""
    return "/".join((*path.parts[:at], pair)) if "-" in pair else ""


def _below_root(found: Mapping[PurePosixPath, Reader]) -> dict[PurePosixPath, Reader]:
    """The files in the directory's folders, by their paths in it; with the test set's where there are several."""
    roots = {path.parts[: _place(path)] for path in found if _pair(path, text=True)}
    cut = len(next(iter(roots))) if len(roots) == 1 else 0
    return {
        PurePosixPath(*path.parts[cut:]): read
        for path, read in found.items()
        if _place(path) >= 0 and path.parts[: _place(path)] in roots
    }


def _is_hidden(parts: Sequence[str]) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


def _of_folder(folder: Path, origin: str) -> dict[PurePosixPath, Reader]:
    if not folder.is_dir():
        raise FormatError(f"{origin}: no such folder")
    inside = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {PurePosixPath(*name.parts): path.read_bytes for name, path in inside.items() if not _is_hidden(name.parts)}


def _of_zip(data: bytes, origin: str, largest: int) -> dict[PurePosixPath, Reader]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        entries = archive.infolist()
    except UNREADABLE as error:
        raise FormatError(f"{origin}: no readable zip found, one expected: {error}") from None
    found: dict[PurePosixPath, Reader] = {}
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or ":" in name.partition("/")[0]:
            raise FormatError(f"{origin}: the path {name!r} leads out of the zip; pack it again")
        if entry.is_dir() or _is_hidden(path.parts) or not path.parts:
            continue
        if entry.flag_bits & 0x1:
            raise FormatError(f"{origin}: {name} is encrypted; pack it without a password")
        if (entry.external_attr >> 16) & 0o170000 == SYMBOLIC_LINK:
            raise FormatError(f"{origin}: {name} is a symbolic link, a file expected; pack the file itself")
        found[path] = _member(archive, entry, largest, origin)
    return found


def _member(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, largest: int, origin: str) -> Reader:
    """A function that unpacks one file, and no more of it than is allowed, whatever its entry says."""

    def unpack() -> bytes:
        with archive.open(entry) as stream:
            data = stream.read(largest + 1)
        if len(data) > largest:
            raise FormatError(f"{origin}: {entry.filename}: more than {largest:,} bytes unpacked, no more expected")
        return data

    return unpack
