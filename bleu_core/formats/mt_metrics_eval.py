"""Test sets of mt-metrics-eval, as a folder or a zip: texts, documents, human scores and metric scores."""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from posixpath import commonpath
from types import MappingProxyType
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from bleu_core.dataset import Column, Judgments, Labels, MissingText, Role, ScoreTable, plural
from bleu_core.errors import FormatError, listed, one_line
from bleu_core.formats import unsupported
from bleu_core.formats.compression import decompress, strip_compression_ending
from bleu_core.formats.contents import Archive, Contents, FileRole, report_of_texts, with_directions
from bleu_core.formats.declaration import Format, Options, ReadOptions
from bleu_core.formats.eval_ratings import read_eval_ratings
from bleu_core.formats.eval_scores import SUFFIX, as_judgments, read_eval_scores
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, decode, split_lines
from bleu_core.formats.text_roles import ROLE_OF_FOLDER, split_domains
from bleu_core.formats.zips import METHODS, ZIP_ERRORS, check_office, media_type, open_zip
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.progress import report_progress

MT_METRICS_EVAL = "archive"
LABEL = "mt-metrics-eval directory"
#: Language pairs that a note names; the others are not listed.
MAX_PAIRS = 50
#: Bytes of a file's local header and directory entry in a zip, besides its contents and twice its name.
ZIP_HEADER_BYTES = 30 + 46
#: Unreadable files that are listed individually; the others are counted.
MAX_PROBLEMS = 20
#: Folders with texts -> their role, and those with scores.
TEXT_FOLDERS: Mapping[str, Role] = MappingProxyType(
    {"sources": "source", "references": "reference", "system-outputs": "system", "documents": "document"}
)
OUTPUTS, HUMAN_SCORES, METRIC_SCORES = "system-outputs", "human-scores", "metric-scores"
FOLDERS = (*TEXT_FOLDERS, HUMAN_SCORES, METRIC_SCORES)
#: The order of texts by their roles.
ORDER = tuple(TEXT_FOLDERS.values())
#: The ending of the files with the errors that each judge marked.
RATINGS = ".seg.rating"
#: The file with the media type of a zip that is a format itself, such as a saved workspace.
MIMETYPE = "mimetype"
#: Appended to the names of such ratings; the names without it are those of their averages.
RATINGS_NAME_ENDING = " ratings"
#: Files and folders that operating systems add, in lower case.
SYSTEM_FILES = frozenset({"__macosx", "thumbs.db", "ehthumbs.db", "desktop.ini", "$recycle.bin"})
#: Names of files that are not data: information such as README.md, backups, programs and their logs.
COMPANION = re.compile(
    r"(?:readme|licen[cs]e|copying|notice|changelog|citation|authors|contributing)"
    r"(?:\.(?:md|txt|rst|html?|pdf|cff|bib))?"
    r"|.*~|#.*#|.*\.(?:bak|backup|orig|swp|tmp|log|md|rst|py|pyc|ipynb|sh|bash|bat|ps1|js)(?:\.(?:gz|bz2|xz|zst))?"
    r"|makefile|dockerfile",
    re.IGNORECASE | re.DOTALL,
)
SYMBOLIC_LINK = 0o120000

#: Endings of files in folders of the same names, which in FLORES have the references of each language.
FLORES_ENDINGS = (".dev", ".devtest")

Reader = Callable[[], bytes]


class LooseFile(NamedTuple):
    """A file in a zip or folder that is not a test set.

    Attributes:
        path: its path without the folders that all files share.
        data: its bytes; empty if it is damaged.
        role: the role that its folder's name suggests.
        damage: why its bytes cannot be unpacked; empty if they can.
    """

    path: PurePosixPath
    data: bytes
    role: FileRole | None
    damage: str = ""

    def check(self, name: str) -> None:
        """Raise a FormatError with this name of the file if it is damaged."""
        if self.damage:
            raise FormatError(f"{name}: {self.damage}")


class _File(NamedTuple):
    """A file in a zip or folder: its declared size, unpacked and packed, and a function that reads it."""

    size: int
    packed: int
    read: Reader


class _Listing(NamedTuple):
    """The files of a test set, by language pair.

    Attributes:
        limits: the limits under which they were listed.
        pairs: the language pairs that have texts.
        files: language pair -> its files by their paths, sorted.
        top: the names at the top of the zip or folder, sorted.
        companions: the files that describe the others, backups and programs.
    """

    limits: Limits
    pairs: tuple[str, ...]
    files: Mapping[str, Mapping[PurePosixPath, _File]]
    top: tuple[str, ...]
    companions: tuple[str, ...]


#: The listings of zips from which several language pairs are read, for as long as the file is in use.
_LISTINGS: WeakKeyDictionary[Source, _Listing] = WeakKeyDictionary()


def _list_pairs(source: bytes | Path, origin: str, limits: Limits) -> _Listing:
    """List a zip or folder; errors as for read_test_set."""
    entries, companions = _list_files(source, origin, limits)
    files = _below_root(_strip_compressions(entries, origin))
    by_pair: dict[str, dict[PurePosixPath, _File]] = {}
    pairs: dict[str, None] = {}
    for path, file in sorted(files.items()):
        by_pair.setdefault(_pair(path, text=False), {})[path] = file
        if pair := _pair(path, text=True):
            pairs[pair] = None
    top = tuple(sorted({path.parts[0] for path in entries}))
    return _Listing(limits=limits, pairs=tuple(pairs), files=by_pair, top=top, companions=companions)


def _listing_of(source: Source) -> _Listing:
    """Return the listing of a zip, which is made once for all language pairs; errors as for read_test_set."""
    listing = _LISTINGS.get(source)
    if listing is None or listing.limits != source.limits:
        listing = _LISTINGS[source] = _list_pairs(source.data, source.name, source.limits)
    return listing


def language_pairs(source: Source) -> tuple[str, ...]:
    """Return the language pairs of a zip of mt-metrics-eval, as read_test_set takes them, by its directory alone.

    Returns:
        Such as en-de, or wmt23/en-de if there are several test sets; empty for any other file.

    Raises:
        FormatError, LimitError: as read_test_set.
    """
    return _listing_of(source).pairs if unsupported.is_zip(source.data) else ()


def read_test_set(
    source: bytes | Path | Source,
    name: str,
    options: ReadOptions | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> Contents:
    """Read one language pair of a directory of mt-metrics-eval, without opening files of other pairs.

    Nothing is unpacked to disk. Folders above the directory, hidden files and those of macOS are ignored. The source,
    references and documents must be readable. An unreadable or empty output of a system is missing; an unreadable file
    of scores is left out, with a note.

    Args:
        source: a zip's bytes, or a folder. A zip that is given as a source is listed once for all its language pairs.
        name: the zip or folder, for messages.
        options: as in reading.read; without a language pair, the first is read.
        limits: the limits on a zip and on the files of the language pair. Sizes are those that the zip's directory
            declares; nothing is unpacked beyond these.

    Raises:
        FormatError: the zip is broken or encrypted, has two files of one name or paths that lead out of it, there is no
            such directory, pair or human score in it, a text other than a system's is not readable, or no text is.
        LimitError: it holds too much.
    """
    options = options or ReadOptions()
    name = name.encode("utf-8", "backslashreplace").decode("utf-8")
    listing = _listing_of(source) if isinstance(source, Source) else _list_pairs(source, name, limits)
    pair = _selected_pair(listing, name, options.pair)
    reading = _Reading(name, pair, options, limits)
    reading.read(listing.files[pair])
    if not reading.columns:
        raise FormatError(reading.missing[0].problem)
    columns = tuple(sorted(reading.columns, key=lambda column: (ORDER.index(column.role), column.name)))
    judgments = reading.judgments() | reading.ratings
    archive = Archive(pairs=listing.pairs, pair=pair, judgments=judgments)
    used = archive.preferred if options.human_scores is None else options.human_scores
    if used is not None and used not in judgments:
        choices = f"choose one of {listed(judgments)}" if judgments else "there are none"
        raise FormatError(f"{name}: no human scores {used!r} for {pair}; {choices}")
    others = listed((other for other in archive.pairs if other != pair), max_items=MAX_PAIRS)
    texts = report_of_texts(columns, name, role="archive", encoding=options.encoding or "UTF-8", repairs=())
    problems = reading.problems[:MAX_PROBLEMS]
    if more := reading.problems[MAX_PROBLEMS:]:
        problems.append(f"{len(more):,} more files could not be read")
    notes = [f"other language pairs in this archive: {others}"] if others else []
    if reading.n_unread:
        other_files = f"{reading.n_unread:,} other {plural(reading.n_unread, 'file')} in the archive not used"
        notes.append(f"{other_files}, for example scores of domains")
    report = replace(
        texts,
        ratings=sum(len(table.rated) for table in judgments.values()),
        format=f"{LABEL}, {pair}",
        notes=(*notes, *companion_notes(listing.companions), *problems),
        weights=options.weights if used is not None and used.endswith(RATINGS_NAME_ENDING) else None,
        of_ratings=(f"human scores in use: {used}; available: {listed(judgments)}",) if used else (),
        format_key=MT_METRICS_EVAL,
    )
    return Contents(
        report=report,
        columns=columns,
        judgments=judgments[used] if used else None,
        scores=with_directions(reading.metrics(), options.lower_is_better),
        labels=reading.labels,
        archive=replace(archive, problems=tuple(problems)),
        missing=tuple(reading.missing),
    )


def _selected_pair(listing: _Listing, origin: str, pair: str | None) -> str:
    """Return the language pair that is read; errors as for read_test_set."""
    if not listing.pairs:
        inside = listed(listing.top, max_items=5) or "nothing"
        raise FormatError(
            f"{origin}: not a test set of mt-metrics-eval: {inside} found, the folders sources, references and "
            "system-outputs expected"
        )
    if pair is not None and pair not in listing.pairs:
        raise FormatError(f"{origin}: no language pair {pair!r}; choose one of {listed(listing.pairs)}")
    return listing.pairs[0] if pair is None else pair


@dataclass(slots=True)
class _Reading:
    """The files of one language pair, as far as they have been read.

    Attributes:
        origin: the zip or folder, for messages.
        pair: the language pair.
        options: the options for reading them.
        limits: the limits for them.
        columns: the texts.
        missing: the outputs that cannot be read.
        labels: the domains of the segments, if they have any.
        tables: folder and name of scores -> level (sys or seg) -> scores.
        ratings: name -> the ratings of the judges whose errors the archive has.
        problems: sentences about files of scores and ratings that cannot be read.
        n_unread: the number of files that are not used.
    """

    origin: str
    pair: str
    options: ReadOptions
    limits: Limits
    columns: list[Column] = field(default_factory=list[Column])
    missing: list[MissingText] = field(default_factory=list[MissingText])
    labels: Labels | None = None
    tables: dict[tuple[str, str], dict[str, ScoreTable]] = field(
        default_factory=dict[tuple[str, str], dict[str, ScoreTable]]
    )
    ratings: dict[str, Judgments] = field(default_factory=dict[str, Judgments])
    problems: list[str] = field(default_factory=list[str])
    n_unread: int = 0

    def read(self, files: Mapping[PurePosixPath, _File]) -> None:
        """Read the files; errors as for read_test_set."""
        wanted = [path for path in files if path.name.endswith((".txt", ".docs", ".score", RATINGS))]
        self.n_unread = len(files) - len(wanted)
        _check_numbers(wanted, self.origin, self.limits)
        _check_sizes([files[path] for path in wanted], f"{self.origin}, {self.pair}", self.limits)
        total = sum(files[path].size for path in wanted)
        size = 0
        for path in wanted:
            check_name(path, self.origin)
            try:
                data = decompress(_read_one(path, files[path], self.origin), f"{self.origin}/{path}", self.limits)
            except FormatError as error:
                if isinstance(error, LimitError):
                    raise
                self._leave_out(path, error, is_optional=_folder(path) == OUTPUTS)
                continue
            size += len(data)
            self.limits.check("unpacked_bytes", size, f"{self.origin}, {self.pair}")
            report_progress(size, total)
            is_text = _folder(path) in TEXT_FOLDERS and not path.name.endswith(RATINGS)
            try:
                text = decode(data, f"{self.origin}/{path}", self.options.encoding, limits=self.limits)
                (self._add_text if is_text else self._add_scores)(path, text)
            except FormatError as error:
                self._leave_out(path, error, is_optional=_folder(path) == OUTPUTS or not is_text)

    def _leave_out(self, path: PurePosixPath, error: FormatError, *, is_optional: bool) -> None:
        """Note a file that cannot be read, or raise its error if the test set needs it."""
        if not is_optional:
            raise error
        if _folder(path) == OUTPUTS:
            name = _name(path, self.pair)
            self.missing.append(MissingText.unreadable("system", name, f"{self.origin}/{path}", error))
        else:
            self.problems.append(str(error))

    def _add_text(self, path: PurePosixPath, text: Text) -> None:
        """Add a text, or documents with their domains."""
        place, role = f"{self.origin}/{path}", TEXT_FOLDERS[_folder(path)]
        segments, _ = split_lines(text)
        if role == "document":
            segments, labels = split_domains(segments, place)
            segments = tuple(line.rpartition("\t")[2].strip() for line in segments)
            self.labels = labels or self.labels
        name = {"source": "source", "document": "documents"}.get(role) or _name(path, self.pair)
        self.columns.append(Column(role=role, name=name, segments=segments, origin=place, unit="line"))

    def _add_scores(self, path: PurePosixPath, text: Text) -> None:
        """Add the scores of systems or segments, or the ratings of judges."""
        place, level = f"{self.origin}/{path}", SUFFIX.fullmatch(path.name)
        beginning = f"{self.pair.rpartition('/')[2]}."
        if path.name.endswith(RATINGS):
            name = path.name.removesuffix(RATINGS).removeprefix(beginning) + RATINGS_NAME_ENDING
            ratings = read_eval_ratings(text, place, weights=self.options.weights, limits=self.limits)
            self.ratings[name] = replace(ratings, table=ratings.table.assign(group=name))
        elif level is None or level["level"] not in ("sys", "seg"):
            self.n_unread += 1
        else:
            tables = read_eval_scores(text, place, limits=self.limits)
            if len(tables) != 1:
                raise FormatError(
                    f"{place}: scores of domains or documents found, scores of systems or segments expected"
                )
            is_human = _folder(path) == HUMAN_SCORES
            name = level["name"].removeprefix(beginning) if is_human else level["name"]
            self.tables.setdefault((_folder(path), name), {})[level["level"]] = replace(tables[0], name=name)

    def metrics(self) -> list[ScoreTable]:
        """Return the metric scores, called METRIC-REFERENCE."""
        return [_merge_levels(levels) for (folder, _), levels in self.tables.items() if folder != HUMAN_SCORES]

    def judgments(self) -> dict[str, Judgments]:
        """Return the human scores by name, each as ratings in a group of that name."""
        judgments: dict[str, Judgments] = {}
        for (folder, name), levels in self.tables.items():
            if folder == HUMAN_SCORES:
                try:
                    own = as_judgments(_merge_levels(levels), format=f"{LABEL}, {name}", limits=self.limits)
                except FormatError as error:
                    self.problems.append(str(error))
                else:
                    judgments[name] = replace(own, table=own.table.assign(group=own.table["judge"]))
        return judgments


def loose_files(source: bytes | Path, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> tuple[LooseFile, ...] | None:
    """Return the files in a zip or folder that is not a test set, by their paths without the folders that all share.

    Hidden files and those of macOS are ignored. Archives inside are files like others.

    Args:
        source: a file's bytes, or a folder.
        origin: the zip or folder, for messages.
        limits: the limits on its files and bytes, as for read_test_set.

    Returns:
        None if it is a test set of mt-metrics-eval, is not a zip, holds no file, or declares a media type.

    Raises:
        FormatError: as read_test_set; or the zip is an office file.
        LimitError: it holds too much.
    """
    if isinstance(source, bytes) and not unsupported.is_zip(source):
        return None
    entries, _ = _list_files(source, origin, limits)
    if (
        not entries
        or PurePosixPath(MIMETYPE) in entries
        or any(_pair(path, text=True) for path in _below_root(entries))
    ):
        return None
    limits.check("unpacked_bytes", sum(file.size for file in entries.values()), origin)
    shared = commonpath([path.parent for path in entries])
    files: list[LooseFile] = []
    for path, file in sorted(entries.items()):
        check_name(path, origin)
        role: FileRole | None = next(
            (ROLE_OF_FOLDER[part] for part in reversed(path.parts[:-1]) if part in ROLE_OF_FOLDER), None
        )
        if path.suffix in FLORES_ENDINGS and path.parent.name == path.suffix[1:]:
            role = "reference"
        data, damage = b"", ""
        try:
            data = _read_one(path, file, origin)
        except FormatError as error:
            damage = str(error).removeprefix(f"{origin}/{path}: ")
        files.append(LooseFile(path.relative_to(shared), data, role, damage))
    return tuple(files)


def check_name(path: PurePosixPath, origin: str) -> None:
    """Check that a file's name is printable.

    Raises:
        FormatError: it is not.
    """
    if one_line(str(path)) != str(path):
        raise FormatError(f"{origin}: the file name {str(path)!r} has control characters or is too long; rename it")


def _read_one(path: PurePosixPath, file: _File, origin: str) -> bytes:
    """Return the bytes of a file in a zip or folder; raise FormatError if it cannot be unpacked."""
    try:
        return file.read()
    except ZIP_ERRORS as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{origin}/{path}: cannot be unpacked: {error}; is the zip damaged?") from None


def pack_files(files: Mapping[PurePosixPath, Reader], origin: str, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Pack a folder's files as a zip for read_test_set; equal files give equal bytes.

    Args:
        files: path -> function that reads the file; hidden files are left out.
        origin: the folder, for messages.
        limits: the limits on the folder's files and bytes.

    Raises:
        LimitError: it holds more.
        OSError: a file no longer exists.
    """
    limits.check("entries", len(files), origin)
    stream = io.BytesIO()
    size = 0
    with zipfile.ZipFile(stream, "w") as archive:  # not compressed, since it is read immediately
        for path in sorted(files):
            if _is_added(path.parts) or _is_companion(path.parts):
                continue
            data = files[path]()
            size += len(data)
            limits.check("unpacked_bytes", size, origin)
            name = str(path).encode("utf-8", "replace").decode("utf-8")
            archive.writestr(zipfile.ZipInfo(name), data)  # without a date, so that equal files give equal bytes
    return stream.getvalue()


def pack_folder(folder: Path, *, limits: Limits = DEFAULT_LIMITS) -> bytes:
    """Pack a folder on disk as a zip.

    Raises:
        FormatError: there is no such folder.
        LimitError: as pack_files; sizes are checked before any file is read.
        OSError: a file in it cannot be read.
    """
    files, _ = _list_files(folder, str(folder), limits)
    limits.check("unpacked_bytes", sum(file.size for file in files.values()), str(folder))
    return pack_files({path: file.read for path, file in files.items()}, str(folder), limits=limits)


def _merge_levels(levels: Mapping[str, ScoreTable]) -> ScoreTable:
    """Combine scores of segments with those of the file of systems; systems that only the latter has come last."""
    segment_table, system_table = levels.get("seg"), levels.get("sys")
    if segment_table is None or system_table is None:
        return next(iter(levels.values()))
    systems = tuple(dict.fromkeys((*segment_table.systems, *system_table.systems)))
    table = segment_table.aligned(systems, segment_table.scores.shape[1])
    system_scores = system_table.aligned(systems, 0).system_scores
    return replace(table, system_scores=np.where(np.isnan(system_scores), table.system_scores, system_scores))


def _name(path: PurePosixPath, pair: str) -> str:
    """Return the name of the system or reference of a file."""
    return path.name.rpartition(".")[0].removeprefix(f"{pair.rpartition('/')[2]}.")


def _folder_position(path: PurePosixPath) -> int:
    """Return the position in a path of the last folder of mt-metrics-eval; -1 if there is none."""
    return max((i for i, part in enumerate(path.parts[:-1]) if part in FOLDERS), default=-1)


def _folder(path: PurePosixPath) -> str:
    return path.parts[_folder_position(path)]


def _pair(path: PurePosixPath, *, text: bool) -> str:
    """Return the language pair of a file, with the test set if there are several; empty if it has none.

    With text, only sources and system outputs count: they determine the pairs of the archive.
    """
    at = _folder_position(path)
    folder = path.parts[at]
    rest = path.parts[at + 1 :]
    inside = folder in (OUTPUTS, METRIC_SCORES)
    if at < 0 or len(rest) != (2 if inside else 1):
        return ""
    if text and (folder not in ("sources", OUTPUTS) or path.suffix != ".txt"):
        return ""
    pair = rest[0] if inside else rest[0].partition(".")[0]
    if folder in ("sources", "documents") and path.stem != pair:
        return ""
    return "/".join((*path.parts[:at], pair)) if "-" in pair else ""


def _below_root(files: Mapping[PurePosixPath, _File]) -> dict[PurePosixPath, _File]:
    """Return the files in the folders of the directory by their paths in it, with the test set if there are several."""
    roots = {path.parts[: _folder_position(path)] for path in files if _pair(path, text=True)}
    cut = len(next(iter(roots))) if len(roots) == 1 else 0
    return {
        PurePosixPath(*path.parts[cut:]): file
        for path, file in files.items()
        if _folder_position(path) >= 0 and path.parts[: _folder_position(path)] in roots
    }


def _strip_compressions(files: Mapping[PurePosixPath, _File], origin: str) -> dict[PurePosixPath, _File]:
    """Return the files by their paths without the endings of compressions."""
    stripped: dict[PurePosixPath, _File] = {}
    for path, file in files.items():
        name = path.with_name(strip_compression_ending(path.name))
        if name in stripped:
            raise FormatError(f"{origin}: {name} found both compressed and as it is, 1 of them expected; remove one")
        stripped[name] = file
    return stripped


def list_companions(source: bytes | Path, *, limits: Limits = DEFAULT_LIMITS) -> tuple[str, ...]:
    """Return the files in a zip or folder that are no data and are not used: descriptions, backups and programs.

    Args:
        source: a file's bytes, or a folder.
        limits: the limits for zips.
    """
    try:
        return _list_files(source, "", limits)[1]
    except FormatError:  # reading it finds the same problem and shows it
        return ()


def filter_companions(paths: Iterable[PurePosixPath]) -> tuple[str, ...]:
    """Return the files that describe the others, such as README.md, and backups and programs."""
    return tuple(sorted(one_line(str(path)) for path in paths if _is_companion(path.parts)))


def companion_notes(names: Collection[str]) -> tuple[str, ...]:
    """Return a note on files that describe the others, backups and programs; empty if there are none."""
    return (f"descriptions, backups and programs not used: {listed(names)}",) if names else ()


def _is_companion(parts: Sequence[str]) -> bool:
    return bool(parts) and COMPANION.fullmatch(parts[-1]) is not None and not _is_added(parts)


def _is_added(parts: Sequence[str]) -> bool:
    return any(part.startswith((".", "~$")) or part.lower() in SYSTEM_FILES for part in parts)


def _check_numbers(paths: Collection[PurePosixPath], origin: str, limits: Limits) -> None:
    """Check the numbers of systems, references and scores by the names of the files."""
    folders = Counter(map(_folder, paths))
    limits.check("systems", folders[OUTPUTS], origin)
    limits.check("references", folders["references"], origin)
    names = Counter((_folder(path), path.name.split(".score")[0].rpartition(".")[0]) for path in paths)
    scored = Counter(folder for folder, _ in names)
    limits.check("metrics", scored[METRIC_SCORES], origin)
    limits.check("groups", scored[HUMAN_SCORES], origin)


def _check_sizes(files: Collection[_File], origin: str, limits: Limits) -> None:
    size = sum(file.size for file in files)
    limits.check("unpacked_bytes", size, origin)
    limits.check("compression_ratio", size // max(1, sum(file.packed for file in files)), origin)


def _list_files(
    source: bytes | Path, origin: str, limits: Limits
) -> tuple[dict[PurePosixPath, _File], tuple[str, ...]]:
    """Return the files in a zip or folder, and the names of descriptions, backups and programs, which are not data.

    Raises:
        FormatError, LimitError: as read_test_set.
    """
    files = _list_zip(source, origin, limits) if isinstance(source, bytes) else _list_folder(source, origin, limits)
    companions = {path for path in files if _is_companion(path.parts)}
    return {path: file for path, file in files.items() if path not in companions}, filter_companions(companions)


def _list_folder(folder: Path, origin: str, limits: Limits) -> dict[PurePosixPath, _File]:
    if not folder.is_dir():
        raise FormatError(f"{origin}: no such folder")
    files: dict[PurePosixPath, _File] = {}
    for number, path in enumerate(folder.rglob("*"), start=1):
        limits.check("entries", number, origin)  # folders count, too, since there may be nothing else
        parts = path.relative_to(folder).parts
        if not _is_added(parts) and path.is_file():
            # A name on disk may contain bytes that are not text.
            name = PurePosixPath(*(part.encode("utf-8", "replace").decode("utf-8") for part in parts))
            size = path.stat().st_size
            files[name] = _File(size, size, path.read_bytes)
    return files


def _list_zip(data: bytes, origin: str, limits: Limits) -> dict[PurePosixPath, _File]:
    archive = open_zip(data, origin, limits)
    unsupported.check_packed(archive.namelist(), media_type(archive), origin)
    entries = archive.infolist()
    _check_sizes([_File(sum(entry.file_size for entry in entries), len(data), bytes)], origin, limits)
    files: dict[PurePosixPath, _File] = {}
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or ":" in name.partition("/")[0]:
            raise FormatError(f"{origin}: the path {name!r} leads out of the zip; pack the folder again")
        if not path.parts or entry.is_dir() or _is_added(path.parts):  # is_dir fails on an entry without a name
            continue
        if entry.flag_bits & 0x1:
            raise FormatError(f"{origin}: {name} is encrypted; pack the folder without a password")
        if (entry.external_attr >> 16) & 0o170000 == SYMBOLIC_LINK:
            raise FormatError(f"{origin}: {name} is a symbolic link, a file expected; pack the file itself")
        if path in files:
            raise FormatError(f"{origin}: two files are named {str(path)!r}; pack the folder again")
        packed_size = entry.compress_size + 2 * len(entry.filename) + ZIP_HEADER_BYTES
        files[path] = _File(entry.file_size, packed_size, _unpack_function(archive, entry, origin))
    return files


def _unpack_function(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, origin: str) -> Reader:
    """Return a function that unpacks one file, up to the size that its entry declares."""

    def unpack() -> bytes:
        if entry.compress_type not in METHODS:
            raise FormatError(f"{origin}: {entry.filename} is not compressed with deflate; pack the folder again")
        with archive.open(entry) as stream:
            return stream.read(entry.file_size)

    return unpack


def _sniff(source: Source) -> float:
    """Recognise a zip that is not an office file."""
    if not unsupported.is_zip(source.data):
        return 0
    try:
        check_office(source.data, source.name, limits=source.limits)
    except FormatError:
        return 0
    return 0.9  # not 1, since formats that are zips recognise their own files


def _read(source: Source, options: Options) -> Contents:
    return read_test_set(source, source.name, options, limits=source.limits)


FORMAT = Format(
    key=MT_METRICS_EVAL,
    label=LABEL,
    description="a whole test set of mt-metrics-eval as a zip",
    roles=("archive",),
    sniff=_sniff,
    read=_read,
    endings=(".zip",),
    binary=True,
)
