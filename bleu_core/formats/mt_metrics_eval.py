"""Reads a whole test set of mt-metrics-eval, a folder or a zip: texts, documents, human and metric scores."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from bleu_core.dataset import Column, Judgments, Labels, MissingText, Role, ScoreTable, plural
from bleu_core.errors import FormatError, listed, one_line
from bleu_core.formats import unsupported
from bleu_core.formats.compression import decompress, strip_compression_ending
from bleu_core.formats.contents import Archive, Contents, FileRole, report_of_texts, with_directions
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.eval_ratings import read_eval_ratings
from bleu_core.formats.eval_scores import SUFFIX, as_judgments, read_eval_scores
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, decode, split_lines
from bleu_core.formats.text_roles import split_domains
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.formats.zips import METHODS, ZIP_ERRORS, check_office, media_type, open_zip
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.progress import tell

KEY = "archive"
LABEL = "mt-metrics-eval directory"
#: Language pairs that a note names; further ones are counted.
MAX_PAIRS = 50
#: Bytes that a file takes in a zip besides its contents and twice its name: its header, and its entry in the directory.
HEADERS = 30 + 46
#: Files that cannot be read and are listed one by one; further ones are counted.
MAX_PROBLEMS = 20
FOLDERS = ("sources", "references", "system-outputs", "documents", "human-scores", "metric-scores")
#: The ending of files with the errors that each rater marked.
RATINGS = ".seg.rating"
#: The file with the media type of a zip that is a format of its own, as a saved workspace is.
MIMETYPE = "mimetype"
#: What follows the name of such ratings: their averages have the name itself.
OF_ERRORS = " ratings"
#: Files and folders that operating systems add, in lower case.
OF_SYSTEMS = frozenset({"__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin"})
#: Files about the others.
COMPANION = re.compile(
    r"(?:readme|licen[cs]e|copying|notice|changelog|citation|authors|contributing)"
    r"(?:\.(?:md|txt|rst|html?|pdf|cff|bib))?",
    re.IGNORECASE,
)
SYMBOLIC_LINK = 0o120000

#: What the files in a folder of that name are, where the folder is no test set.
ROLE_OF_FOLDER: Mapping[str, FileRole] = MappingProxyType(
    {
        "references": "reference",
        "refs": "reference",
        "sources": "source",
        "systems": "system",
        "system-outputs": "system",
        "hypotheses": "system",
    }
)

Reader = Callable[[], bytes]


class LooseFile(NamedTuple):
    """A file in a zip or folder that is no test set.

    Attributes:
        path: without the folders that all files share.
        data: its bytes; none where it is damaged.
        role: that which its folder's name gives.
        damage: why its bytes cannot be unpacked; empty where they can.
    """

    path: PurePosixPath
    data: bytes
    role: FileRole | None
    damage: str = ""

    def check(self, name: str) -> None:
        """Raise a FormatError that names the file so, if it is damaged."""
        if self.damage:
            raise FormatError(f"{name}: {self.damage}")


class _File(NamedTuple):
    """A file in a zip or folder: its declared size, unpacked and packed, and a function that reads it."""

    size: int
    packed: int
    read: Reader


def read_test_set(
    source: bytes | Path,
    name: str,
    *,
    encoding: str | None = None,
    pair: str | None = None,
    human_scores: str | None = None,
    lower_is_better: Collection[str] | None = None,
    weights: MqmWeights = PUBLISHED,
    limits: Limits = DEFAULT_LIMITS,
) -> Contents:
    """Read one language pair of an archive, the bytes of a zip or a folder, without opening files of other pairs.

    The other arguments and the errors are those of reading.read.
    """
    name = name.encode("utf-8", "backslashreplace").decode("utf-8")
    found = read_archive(source, name, pair=pair, encoding=encoding, weights=weights, limits=limits)
    chosen = found.preferred if human_scores is None else human_scores
    if chosen is not None and chosen not in found.judgments:
        there = f"choose one of {listed(found.judgments)}" if found.judgments else "there are none"
        raise FormatError(f"{name}: no human scores {chosen!r} for {found.pair}; {there}")
    others = listed((other for other in found.pairs if other != found.pair), most=MAX_PAIRS)
    texts = report_of_texts(found.columns, name, role="archive", encoding=encoding or "UTF-8", repairs=())
    report = replace(
        texts,
        ratings=sum(len(table.rated) for table in found.judgments.values()),
        format=f"{LABEL}, {found.pair}",
        notes=(
            *((f"other language pairs in this archive: {others}",) if others else ()),
            *found.notes,
            *companion_notes(list_companions(source, limits=limits)),
            *found.problems,
        ),
        weights=weights if chosen is not None and chosen.endswith(OF_ERRORS) else None,
        of_ratings=(f"human scores in use: {chosen}; available: {listed(found.judgments)}",) if chosen else (),
        format_key=KEY,
    )
    judgments = found.judgments[chosen] if chosen else None
    return Contents(
        report=report,
        columns=found.columns,
        judgments=judgments,
        scores=with_directions(found.metrics.values(), lower_is_better),
        labels=found.labels,
        archive=found,
        missing=found.missing,
    )


def read_archive(
    source: bytes | Path,
    origin: str,
    *,
    pair: str | None = None,
    encoding: str | None = None,
    weights: MqmWeights = PUBLISHED,
    limits: Limits = DEFAULT_LIMITS,
) -> Archive:
    """Read one language pair of a directory of mt-metrics-eval.

    Nothing is unpacked to disk. Folders above the directory, hidden files and those of macOS are ignored. The source,
    references and documents must be readable. A system's output that is not, or that is empty, is missing; a file of
    scores that is not readable is left out, with a note.

    Args:
        source: a zip's bytes, or a folder.
        origin: the zip or folder, for messages.
        pair: the language pair, as in pairs; the first when None.
        encoding: as in decode.
        weights: of the errors in ratings.
        limits: the most that a zip, and the files of the language pair, may hold. Sizes are those that the zip's
            directory declares; nothing is unpacked beyond these.

    Raises:
        FormatError: the zip is broken or encrypted, has two files of one name or paths that lead out of it, there is no
            such directory or pair in it, a text other than a system's is not readable, or no text is.
        LimitError: it holds too much.
    """
    found = _of_zip(source, origin, limits) if isinstance(source, bytes) else _of_folder(source, origin, limits)
    files = _below_root(_bare(found, origin))
    pairs = tuple(dict.fromkeys(_pair(path, text=True) for path in sorted(files) if _pair(path, text=True)))
    if not pairs:
        inside = listed(sorted({path.parts[0] for path in found}), most=5) or "nothing"
        raise FormatError(
            f"{origin}: not a test set of mt-metrics-eval: {inside} found, the folders sources, references and "
            "system-outputs expected"
        )
    chosen = pairs[0] if pair is None else pair
    if chosen not in pairs:
        raise FormatError(f"{origin}: no language pair {chosen!r}; choose one of {listed(pairs)}")
    of_pair = [path for path in sorted(files) if _pair(path, text=False) == chosen]
    wanted = [path for path in of_pair if path.parts[-1].endswith((".txt", ".docs", ".score", RATINGS))]
    _check_numbers(wanted, origin, limits)
    _check_sizes([files[path] for path in wanted], f"{origin}, {chosen}", limits)
    contents: dict[PurePosixPath, bytes] = {}
    missing: list[MissingText] = []
    size = 0
    for path in wanted:
        _check_name(path, origin)
        try:
            contents[path] = decompress(_read_one(path, files[path], origin), f"{origin}/{path}", limits)
        except FormatError as error:
            if _folder(path) != "system-outputs" or isinstance(error, LimitError):
                raise
            missing.append(_missing_output(path, chosen, origin, error))
            continue
        size += len(contents[path])
        limits.check("unpacked_bytes", size, f"{origin}, {chosen}")
    unread = len(of_pair) - len(wanted)
    found = _archive(contents, pairs, chosen, origin, encoding=encoding, weights=weights, unread=unread, limits=limits)
    missing += found.missing
    if not found.columns:
        raise FormatError(missing[0].problem)
    return replace(found, missing=tuple(missing))


def loose_files(source: bytes | Path, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> tuple[LooseFile, ...] | None:
    """The files in a zip or folder that is no test set, by their paths without the folders that all of them share.

    Hidden files and those of macOS are ignored. Archives inside are files like others.

    Args:
        source: a file's bytes, or a folder.
        origin: the zip or folder, for messages.
        limits: the most files and bytes that it may hold, as for read_archive.

    Returns:
        None where it is a test set of mt-metrics-eval, is no zip, holds no file, or declares a media type.

    Raises:
        FormatError: as read_archive; or the zip is an office file.
        LimitError: it holds too much.
    """
    if isinstance(source, bytes):
        if not unsupported.is_zip(source):
            return None
        found = _of_zip(source, origin, limits)
    else:
        found = _of_folder(source, origin, limits)
    if not found or PurePosixPath(MIMETYPE) in found or any(_pair(path, text=True) for path in _below_root(found)):
        return None
    limits.check("unpacked_bytes", sum(file.size for file in found.values()), origin)
    shared = _shared([path.parts[:-1] for path in found])
    files: list[LooseFile] = []
    for path, file in sorted(found.items()):
        _check_name(path, origin)
        role: FileRole | None = next(
            (ROLE_OF_FOLDER[part] for part in reversed(path.parts[:-1]) if part in ROLE_OF_FOLDER), None
        )
        data, damage = b"", ""
        try:
            data = _read_one(path, file, origin)
        except FormatError as error:
            damage = str(error).removeprefix(f"{origin}/{path}: ")
        files.append(LooseFile(PurePosixPath(*path.parts[shared:]), data, role, damage))
    return tuple(files)


def _shared(folders: Sequence[tuple[str, ...]]) -> int:
    """How many folders are the same, from the first on."""
    least, most = min(folders), max(folders)  # all others are between these
    pairs = enumerate(zip(least, most, strict=False))
    return next((i for i, (one, other) in pairs if one != other), min(len(least), len(most)))


def _check_name(path: PurePosixPath, origin: str) -> None:
    """Check that the name of a file can be printed.

    Raises:
        FormatError: it cannot.
    """
    if one_line(str(path)) != str(path):
        raise FormatError(f"{origin}: the file name {str(path)!r} has control characters or is too long; rename it")


def _read_one(path: PurePosixPath, file: _File, origin: str) -> bytes:
    """The bytes of a file in a zip or folder; FormatError where it cannot be unpacked."""
    try:
        return file.read()
    except ZIP_ERRORS as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{origin}/{path}: cannot be unpacked: {error}; is the zip damaged?") from None


def pack_files(files: Mapping[PurePosixPath, Reader], origin: str, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Pack a folder's files as a zip for read_archive; equal files give equal bytes.

    Args:
        files: by their paths; hidden ones are left out.
        origin: the folder, for messages.
        limits: the most files and bytes that the folder may hold.

    Raises:
        LimitError: it holds more.
        OSError: a file no longer exists.
    """
    limits.check("entries", len(files), origin)
    stream = io.BytesIO()
    size = 0
    with zipfile.ZipFile(stream, "w") as archive:  # not compressed: it is read at once
        for path in sorted(files):
            if _is_hidden(path.parts):
                continue
            data = files[path]()
            size += len(data)
            limits.check("unpacked_bytes", size, origin)
            name = str(path).encode("utf-8", "replace").decode("utf-8")
            archive.writestr(zipfile.ZipInfo(name), data)  # with no date, which would differ
    return stream.getvalue()


def pack_folder(folder: Path, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Pack a folder on disk as a zip.

    Raises:
        FormatError: there is no such folder.
        LimitError: as pack_files; sizes are checked before anything is read.
        OSError: a file in it cannot be read.
    """
    files = _of_folder(folder, str(folder), limits)
    limits.check("unpacked_bytes", sum(file.size for file in files.values()), str(folder))
    return pack_files({path: file.read for path, file in files.items()}, str(folder), limits=limits)


def _archive(
    contents: Mapping[PurePosixPath, bytes],
    pairs: tuple[str, ...],
    pair: str,
    origin: str,
    *,
    encoding: str | None,
    weights: MqmWeights,
    unread: int,
    limits: Limits,
) -> Archive:
    scored: dict[tuple[str, str], dict[str, ScoreTable]] = {}
    rated, problems = _ratings(contents, pair, origin, encoding=encoding, weights=weights, limits=limits)
    texts: dict[PurePosixPath, bytes] = {}
    for path, data in contents.items():
        if path.name.endswith(RATINGS):
            continue
        folder, place = _folder(path), f"{origin}/{path}"
        level = SUFFIX.fullmatch(path.name)
        if folder not in ("human-scores", "metric-scores"):
            texts[path] = data
            continue
        if level is None or level["level"] not in ("sys", "seg"):
            unread += 1
            continue
        name = level["name"].removeprefix(pair.rpartition("/")[2] + ".") if folder == "human-scores" else level["name"]
        try:
            (table,) = read_eval_scores(decode(data, place, encoding, limits=limits), place, limits=limits)
        except ValueError as error:
            problems.append(
                str(error)
                if isinstance(error, FormatError)
                else f"{place}: scores of domains or documents found, scores of systems or segments expected"
            )
            continue
        scored.setdefault((folder, name), {})[level["level"]] = replace(table, name=name)
    columns, missing, labels = _texts(texts, pair, origin, encoding=encoding, limits=limits)
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
            found = as_judgments(table, format=f"{LABEL}, {name}", limits=limits)
        except FormatError as error:
            problems.append(str(error))
            continue
        judgments[name] = replace(found, table=found.table.assign(group=found.table["judge"]))
    judgments |= rated
    more = (f"{len(problems) - MAX_PROBLEMS:,} more files could not be read",) if len(problems) > MAX_PROBLEMS else ()
    notes = (
        (f"{unread:,} other {plural(unread, 'file')} in the archive not used, for example scores of domains",)
        if unread
        else ()
    )
    return Archive(
        pairs=pairs,
        pair=pair,
        columns=tuple(columns),
        human=MappingProxyType(human),
        judgments=MappingProxyType(judgments),
        metrics=MappingProxyType(metrics),
        problems=tuple(problems[:MAX_PROBLEMS]) + more,
        notes=notes,
        labels=labels,
        missing=tuple(missing),
    )


def _texts(
    contents: Mapping[PurePosixPath, bytes], pair: str, origin: str, *, encoding: str | None, limits: Limits
) -> tuple[list[Column], list[MissingText], Labels | None]:
    """The texts, the outputs of systems that cannot be read, and the domains of the segments.

    Raises:
        FormatError: another text cannot be read.
    """
    columns: list[Column] = []
    missing: list[MissingText] = []
    labels: Labels | None = None
    done, total = 0, sum(map(len, contents.values()))
    for path, data in contents.items():
        done += len(data)
        tell(done, total)
        place = f"{origin}/{path}"
        try:
            column, of_documents = _column(path, decode(data, place, encoding, limits=limits), pair, place)
        except FormatError as error:
            if _folder(path) != "system-outputs":
                raise
            missing.append(_missing_output(path, pair, origin, error))
        else:
            columns.append(column)
            labels = of_documents or labels
    columns.sort(key=lambda c: (("source", "reference", "system", "document").index(c.role), c.name))
    return columns, missing, labels


def _missing_output(path: PurePosixPath, pair: str, origin: str, error: FormatError) -> MissingText:
    """A system's output that cannot be read."""
    return MissingText.unreadable("system", _name(path, pair), f"{origin}/{path}", error)


def _ratings(
    contents: Mapping[PurePosixPath, bytes],
    pair: str,
    origin: str,
    *,
    encoding: str | None,
    weights: MqmWeights,
    limits: Limits,
) -> tuple[dict[str, Judgments], list[str]]:
    """The ratings of each rater whose errors the archive has, by name, and what is wrong with other such files."""
    found: dict[str, Judgments] = {}
    problems: list[str] = []
    for path, data in contents.items():
        if path.name.endswith(RATINGS):
            name = path.name.removesuffix(RATINGS).removeprefix(pair.rpartition("/")[2] + ".") + OF_ERRORS
            place = f"{origin}/{path}"
            try:
                text = decode(data, place, encoding, limits=limits)
                ratings = read_eval_ratings(text, place, weights=weights, limits=limits)
            except FormatError as error:
                problems.append(str(error))
            else:
                found[name] = replace(ratings, table=ratings.table.assign(group=name))
    return found, problems


def _joined(levels: Mapping[str, ScoreTable]) -> ScoreTable:
    """Scores of segments combined with those of the file of systems; systems that only that file has come last."""
    of_segments, of_systems = levels.get("seg"), levels.get("sys")
    if of_segments is None or of_systems is None:
        return next(iter(levels.values()))
    systems = tuple(dict.fromkeys((*of_segments.systems, *of_systems.systems)))
    table = of_segments.aligned(systems, of_segments.scores.shape[1])
    given = of_systems.aligned(systems, 0).system_scores
    return replace(table, system_scores=np.where(np.isnan(given), table.system_scores, given))


def _column(path: PurePosixPath, text: Text, pair: str, place: str) -> tuple[Column, Labels | None]:
    """A file of texts; of documents, their domains as well."""
    roles: Mapping[str, Role] = {"sources": "source", "references": "reference", "documents": "document"}
    folder = _folder(path)
    segments, _ = split_lines(text)
    labels: Labels | None = None
    if folder == "documents":
        segments, labels = split_domains(segments, place)
        segments = tuple(line.rpartition("\t")[2].strip() for line in segments)
    name = {"sources": "source", "documents": "documents"}.get(folder) or _name(path, pair)
    return Column(role=roles.get(folder, "system"), name=name, segments=segments, origin=place, unit="line"), labels


def _name(path: PurePosixPath, pair: str) -> str:
    """The name of the system or reference whose text a file has."""
    return path.name.rpartition(".")[0].removeprefix(f"{pair.rpartition('/')[2]}.")


def _place(path: PurePosixPath) -> int:
    """The position in a path of the last folder with a name in FOLDERS; -1 where there is none."""
    return max((i for i, part in enumerate(path.parts[:-1]) if part in FOLDERS), default=-1)


def _folder(path: PurePosixPath) -> str:
    return path.parts[_place(path)]


def _pair(path: PurePosixPath, *, text: bool) -> str:
    """The language pair of a file, with the test set where there are several; empty where it has none.

    With text, only sources and system outputs count: they determine which pairs there are.
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


def _below_root(found: Mapping[PurePosixPath, _File]) -> dict[PurePosixPath, _File]:
    """The files in the folders of the directory by their paths in it, with the test set if there are several."""
    roots = {path.parts[: _place(path)] for path in found if _pair(path, text=True)}
    cut = len(next(iter(roots))) if len(roots) == 1 else 0
    return {
        PurePosixPath(*path.parts[cut:]): file
        for path, file in found.items()
        if _place(path) >= 0 and path.parts[: _place(path)] in roots
    }


def _bare(found: Mapping[PurePosixPath, _File], origin: str) -> dict[PurePosixPath, _File]:
    """The files by their paths without the endings of compressions."""
    bare: dict[PurePosixPath, _File] = {}
    for path, file in found.items():
        name = path.with_name(strip_compression_ending(path.name))
        if name in bare:
            raise FormatError(f"{origin}: {name} found both compressed and as it is, 1 of them expected; remove one")
        bare[name] = file
    return bare


def list_companions(source: bytes | Path, *, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the files in a zip or folder that are about the others, such as README.md, and are not used.

    Args:
        source: a file's bytes, or a folder.
        limits: the most files that a zip may hold.
    """
    if isinstance(source, Path):
        paths = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
        return filter_companions(PurePosixPath(*path.parts) for path in paths)
    try:
        names = open_zip(source, "", limits).namelist() if unsupported.is_zip(source) else []
    except FormatError:  # reading it finds the same problem and shows it
        return ()
    return filter_companions(PurePosixPath(name.replace("\\", "/")) for name in names if not name.endswith("/"))


def filter_companions(paths: Iterable[PurePosixPath]) -> tuple[str, ...]:
    """Return those of the files that are about the others."""
    return tuple(sorted(one_line(str(path)) for path in paths if _is_companion(path.parts)))


def companion_notes(names: Collection[str]) -> tuple[str, ...]:
    """Return the sentence about files that are about the others; none where there are none."""
    return (f"files about the others not used: {listed(names)}",) if names else ()


def _is_companion(parts: Sequence[str]) -> bool:
    return bool(parts) and COMPANION.fullmatch(parts[-1]) is not None and not _is_added(parts)


def _is_added(parts: Sequence[str]) -> bool:
    return any(part.startswith((".", "~$")) or part.lower() in OF_SYSTEMS for part in parts)


def _is_hidden(parts: Sequence[str]) -> bool:
    """Whether a file is none of the data: hidden, added by an operating system, or about the others, as README.md."""
    return _is_added(parts) or _is_companion(parts)


def _check_numbers(paths: Collection[PurePosixPath], origin: str, limits: Limits) -> None:
    """Check the numbers of systems, references and scores by the names of the files."""
    folders = Counter(map(_folder, paths))
    limits.check("systems", folders["system-outputs"], origin)
    limits.check("references", folders["references"], origin)
    names = Counter((_folder(path), path.name.split(".score")[0].rpartition(".")[0]) for path in paths)
    scored = Counter(folder for folder, _ in names)
    limits.check("metrics", scored["metric-scores"], origin)
    limits.check("groups", scored["human-scores"], origin)


def _check_sizes(files: Collection[_File], origin: str, limits: Limits) -> None:
    size = sum(file.size for file in files)
    limits.check("unpacked_bytes", size, origin)
    limits.check("compression_ratio", size // max(1, sum(file.packed for file in files)), origin)


def _of_folder(folder: Path, origin: str, limits: Limits) -> dict[PurePosixPath, _File]:
    if not folder.is_dir():
        raise FormatError(f"{origin}: no such folder")
    found: dict[PurePosixPath, _File] = {}
    for number, path in enumerate(folder.rglob("*"), start=1):
        limits.check("entries", number, origin)  # folders count too: there may be nothing else
        parts = path.relative_to(folder).parts
        if not _is_hidden(parts) and path.is_file():
            # A name on disk may not be text.
            name = PurePosixPath(*(part.encode("utf-8", "replace").decode("utf-8") for part in parts))
            size = path.stat().st_size
            found[name] = _File(size, size, path.read_bytes)
    return found


def _of_zip(data: bytes, origin: str, limits: Limits) -> dict[PurePosixPath, _File]:
    archive = open_zip(data, origin, limits)
    unsupported.check_packed(archive.namelist(), media_type(archive), origin)
    entries = archive.infolist()
    _check_sizes([_File(sum(entry.file_size for entry in entries), len(data), bytes)], origin, limits)
    found: dict[PurePosixPath, _File] = {}
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or ":" in name.partition("/")[0]:
            raise FormatError(f"{origin}: the path {name!r} leads out of the zip; pack the folder again")
        if not path.parts or entry.is_dir() or _is_hidden(path.parts):  # is_dir fails on an entry without a name
            continue
        if entry.flag_bits & 0x1:
            raise FormatError(f"{origin}: {name} is encrypted; pack the folder without a password")
        if (entry.external_attr >> 16) & 0o170000 == SYMBOLIC_LINK:
            raise FormatError(f"{origin}: {name} is a symbolic link, a file expected; pack the file itself")
        if path in found:
            raise FormatError(f"{origin}: two files are named {str(path)!r}; pack the folder again")
        held = entry.compress_size + 2 * len(entry.filename) + HEADERS
        found[path] = _File(entry.file_size, held, _unpacking(archive, entry, origin))
    return found


def _unpacking(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, origin: str) -> Reader:
    """A function that unpacks one file, up to the size that its entry declares."""

    def unpack() -> bytes:
        if entry.compress_type not in METHODS:
            raise FormatError(f"{origin}: {entry.filename} is not compressed with deflate; pack the folder again")
        with archive.open(entry) as stream:
            return stream.read(entry.file_size)

    return unpack


def _sniff(source: Source) -> float:
    """Whether the bytes are those of a zip that is not an office file."""
    if not unsupported.is_zip(source.data):
        return 0
    try:
        check_office(source.data, source.name, limits=source.limits)
    except FormatError:
        return 0
    return 0.9  # not 1: a format that is packed as a zip recognises its own files


def _read(source: Source, options: Options) -> Contents:
    return read_test_set(
        source.data,
        source.name,
        encoding=source.encoding,
        pair=options.pair,
        human_scores=options.human_scores,
        lower_is_better=options.lower_is_better,
        weights=options.weights,
        limits=source.limits,
    )


FORMAT = Format(
    key=KEY,
    label=LABEL,
    description="a whole test set of mt-metrics-eval as a zip",
    roles=("archive",),
    sniff=_sniff,
    read=_read,
    endings=(".zip",),
    binary=True,
)
