"""Uploaded files, read and combined by one function of the files and their corrections.

A file that cannot be used is left out with its problem, and the others are used. Of an archive, or a file of several
metrics, only the parts with a problem are left out. This includes unexpected errors: no file can prevent the use of
the others.
"""

from __future__ import annotations

import hashlib
import logging
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path, PurePath, PurePosixPath
from typing import Any, Literal, TypeAlias, cast

import numpy as np

from bleu_core.counts import Counts, check_combinable, combine_systems, copies, decode_counts, is_counts, oddities_of
from bleu_core.dataset import (
    AlignedData,
    AlignedRatings,
    Column,
    Corpus,
    FilePart,
    HumanTranslation,
    Identical,
    Judgments,
    LineRepair,
    MissingText,
    PrintedScore,
    ScoreTable,
    UnusedRows,
    fit,
    identical_texts,
    missing_systems,
    place_ratings,
    plural,
    repaired,
    repaired_length,
    subset_ratings,
    translations_of,
)
from bleu_core.digests import Hashed, digest_of, hashed
from bleu_core.errors import AlignmentError, BleuCoreError, FormatError, LanguagePairError, listed, one_line
from bleu_core.formats import (
    FORMATS,
    PARAGRAPHS,
    SEGMENTS,
    ColumnsOfFiles,
    Contents,
    FileReport,
    FileRole,
    Inspection,
    LooseFile,
    MappedColumn,
    ReadOptions,
    StrPath,
    TablePreview,
    UnclearColumnsError,
    check_format,
    formats_of,
    inspect,
    is_system_output,
    preview_table,
    read,
    read_bytes,
    read_test_set,
    size_on_disk,
    stem_of,
)
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.progress import Progress, scaled_progress

#: The role of a file in a workspace: one that formats read, or counts of n-grams.
HeldRole = Literal[FileRole, "counts"]

LOGGER = logging.getLogger(__name__)

#: What people read in place of the name of the test set without a name.
UNNAMED_SET = "Unnamed"

#: The most warnings that are stored for a file.
MAX_WARNINGS = 50

#: The share of segments that a table may lack, or have in excess, if its columns are to be taken as understood.
MAX_LOST_SHARE = 0.1
#: Headers that a message names; the others are counted.
MAX_HEADERS = 6


#: Chooses parts of files.
Select: TypeAlias = Callable[[Sequence[FilePart]], list[FilePart]]

#: A file that was read: its entry, and its contents, None if they cannot be used.
_ReadFile: TypeAlias = "tuple[Entry, Contents | None]"


@dataclass(frozen=True, slots=True)
class File(ReadOptions):
    """A file, in memory or on disk, with the user's corrections, which are also its options for reading.

    Attributes:
        name: the file's name; never used as a path.
        data: its bytes.
        role: its role.
        renamed: the name of its only system or reference, chosen by the user; empty keeps the name that was read.
        human: whether its text is a human translation.
        human_names: in a file of several systems, those that are human translators.
        repairs: repairs of lines that are missing, duplicated, split or joined, made after the file was read; for a zip
            or folder, those of all texts in it.
        damage: why its bytes could not be unpacked from the zip in which it arrived; empty if they could.
        test_set: the name of the test set that it belongs to; empty for the one without a name.
        path: where it is on disk, if its bytes are read when they are needed and not kept; a folder of a test set is
            such a file, too. Otherwise None.
        in_archive: whether it is one of several in a zip or folder: an output that cannot be read is then missing, also
            where an unreadable file is an error.
        digest: the digest of the bytes.
        inspection: the inspection of the bytes, until the file has been read.
        hashed: the bytes and their digest, for copies of the file.
    """

    name: str
    data: bytes = field(repr=False)
    role: HeldRole
    renamed: str = ""
    human: bool = False
    human_names: tuple[str, ...] = ()
    repairs: tuple[LineRepair, ...] = ()
    damage: str = ""
    test_set: str = ""
    path: StrPath | None = None
    in_archive: bool = False
    digest: str = field(init=False)
    inspection: Inspection | None = field(default=None, repr=False, compare=False, kw_only=True)
    hashed: Hashed[str] | None = field(default=None, repr=False, compare=False, kw_only=True)
    _read: tuple[Limits, str | None, _ReadFile] | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        computed = hashed(self.hashed, self.data, by=lambda: hashlib.blake2b(self.data, digest_size=16).hexdigest())
        object.__setattr__(self, "hashed", computed)
        object.__setattr__(self, "digest", computed.value)

    def read(
        self, limits: Limits, progress: Progress | None = None, *, pair: str | None = None, strict: bool = False
    ) -> _ReadFile:
        """Read the file; it is read once, and again only after a correction.

        Args:
            limits: the limits for the file.
            progress: as in assemble.
            pair: the language pair of formats that ask for one, if none was chosen for this file.
            strict: whether a problem is an error; otherwise it is in the entry.

        Raises:
            FormatError, LimitError, SettingsError, AlignmentError, OSError: the file cannot be read, and `strict` is
                set.
        """
        pair = pair if self.pair is None else None
        if self._read is not None and self._read[:2] == (limits, pair):
            return self._read[2]
        result: _ReadFile
        try:
            result = _contents_of(self, limits, progress, pair, strict=strict)
        except Exception as error:  # whatever it is, the other files are used
            if strict:
                raise
            problem = describe_problem(self.name, error, "while reading it")
            missing: tuple[MissingText, ...] = ()
            if self.role == "system" and is_system_output(self.name):
                name = self.renamed or self.stem
                missing = (MissingText.unreadable("system", name, place=self.name, error=error, problem=problem),)
            pairs = error.pairs if isinstance(error, LanguagePairError) else ()
            entry = Entry(file=self, report=None, problem=problem, missing=missing, pairs=pairs)
            result = replace(entry, proposed=_proposed(error, self.name)), None
        object.__setattr__(self, "_read", (limits, pair, result))
        object.__setattr__(self, "inspection", None)  # its text is no longer needed
        return result

    @property
    def size(self) -> int:
        """The number of its bytes; 0 if it is a folder or a stream."""
        return len(self.data) if self.path is None else size_on_disk(self.path)

    def content(self, limits: Limits = DEFAULT_LIMITS) -> bytes:
        """Return its bytes, from disk if they are not kept; errors as for read_bytes."""
        return self.data if self.path is None else read_bytes(self.path, limits)

    def in_test_set(self, test_set: str, pair: str | None = None) -> File:
        """Return the file as one of a test set, which shares its bytes; they are not hashed again.

        Args:
            test_set: the name of the test set.
            pair: the language pair that it reads; None leaves its own.
        """
        file = copy(self)
        object.__setattr__(file, "test_set", test_set)
        if pair is not None and pair != self.pair:
            object.__setattr__(file, "pair", pair)
            object.__setattr__(file, "_read", None)
        return file

    @property
    def texts(self) -> tuple[Column, ...]:
        """The texts that were last read, after repairs of their lines, whether or not they are used."""
        contents = None if self._read is None else self._read[2][1]
        return () if contents is None else contents.columns

    def replaced_by(self, other: File) -> File:
        """Return the file with the bytes of another one and its corrections, except repairs of lines."""
        return replace(self, data=other.data, damage=other.damage, repairs=(), inspection=other.inspection)

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Everything that affects how the file is read, which its test set does not; the key of the file in caches."""
        others = ("data", "test_set", "own")
        values = (getattr(self, item.name) for item in fields(self) if item.compare and item.name not in others)
        return (*values, tuple(self.own.items()))

    @property
    def options(self) -> ReadOptions:
        """The options for reading it, without a format that was chosen for another role."""
        file_format = self.format if self.role != "counts" and self.format in formats_of(self.role) else None
        own = {k: v for k, v in self.own.items() if file_format is None or k in FORMATS[file_format].own}
        given: dict[str, Any] = {option.name: getattr(self, option.name) for option in fields(ReadOptions)}
        given |= {"format": file_format, "own": own}
        return ReadOptions(**given)

    def preview(self, role: FileRole, limits: Limits = DEFAULT_LIMITS) -> TablePreview | None:
        """Return the beginning of it, read as a table in a role; see preview_table."""
        given: dict[str, Any] = {"encoding": self.encoding, "format": self.format, "own": self.own}
        return preview_table(self.content(limits), self.name, role, **given, limits=limits)

    def in_paragraphs(self) -> File:
        """Return the file with documents that are one segment each split at paragraphs, if its format has any."""
        if self.format is not None and SEGMENTS not in FORMATS[self.format].own:
            return self
        return replace(self, own={**self.own, SEGMENTS: PARAGRAPHS}, inspection=self.inspection)

    def member(self, column: Column) -> str:
        """Return the path of one of its texts in a zip or folder of several, as in their repairs; otherwise empty."""
        path = column.place.removeprefix(f"{self.name}/")
        return "" if path == column.place else path

    @property
    def stem(self) -> str:
        """The file's name without its ending: the name of the system or reference in a plain file."""
        return stem_of(self.name)


def set_label(name: str) -> str:
    """Return the name of a test set for people, also of the one without a name."""
    return name or UNNAMED_SET


def by_test_set(files: Iterable[File]) -> dict[str, tuple[File, ...]]:
    """Return the files of each test set, in the order of the first file of each."""
    sets: dict[str, list[File]] = {}
    for file in files:
        sets.setdefault(file.test_set, []).append(file)
    return {name: tuple(own) for name, own in sets.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A file and its state in the workspace.

    Attributes:
        file: the file.
        report: the report on its contents; None if it could not be read, or contains counts.
        problem: why it is not used; empty if it is used.
        warnings: sentences about what is unusual or not used.
        notes: sentences about decisions while reading it, and about expected repetitions of other files.
        names: the names of its systems, references or metrics.
        pairs: the language pairs of an archive, or of texts or scores that name them.
        human_scores: the names of an archive's human scores, the preferred ones first.
        systems: the systems with text in the file.
        references: the references with text in the file.
        metrics: metric with scores in the file -> whether a lower score is better.
        unloaded: system that is rated in the file but not loaded -> the number of its ratings.
        renamed_from: the name of its only system or reference in the file, if it was renamed; otherwise empty.
        absent: numbers, from 1, of segments whose text is unknown after repairs of its lines.
        repairs: the repairs of the texts that were read.
        missing: its unused texts, with the reason.
        printed: scores in the file that sacreBLEU has printed, with what is known about them.
        counts: the counts of n-grams, in a counts file.
        copied: whether all its contents are in use from earlier files, so that it is ignored.
        error_counts: sentences on the marked errors in the file, and how many were placed in the texts.
        unclear: the headers of a table that does not fit the other files and whose columns the user has not described;
            empty for other files.
        proposed: the columns of a table that could not be read or does not fit without them, as they probably are.
        takes: the names of the options of ReadOptions by which it is read in different ways.
        sentences: what was unusual when it was read, and what was decided, each with the file's name.
        rating_sentences: the same, about what matters only if ratings are used.
    """

    file: File
    report: FileReport | None
    problem: str = ""
    warnings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    human_scores: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    metrics: Mapping[str, bool] = field(default_factory=dict[str, bool])
    unloaded: Mapping[str, int] = field(default_factory=dict[str, int])
    renamed_from: str = ""
    absent: tuple[int, ...] = ()
    repairs: tuple[LineRepair, ...] = ()
    missing: tuple[MissingText, ...] = ()
    notes: tuple[str, ...] = ()
    printed: tuple[PrintedScore, ...] = ()
    counts: Counts | None = field(default=None, repr=False)
    copied: bool = False
    error_counts: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    proposed: tuple[MappedColumn, ...] = ()
    takes: frozenset[str] = frozenset()
    sentences: tuple[str, ...] = ()
    rating_sentences: tuple[str, ...] = ()

    @property
    def pair(self) -> str | None:
        """The language pair that was chosen for the file, else the first of an archive; None if neither is known.

        In formats that ask for a pair, the choice for another file belongs to that file.
        """
        if self.file.pair or self.file.role != "archive" or not self.pairs:
            return self.file.pair
        asks = self.report is not None and FORMATS[self.report.format_key].asks_pair
        return None if asks else self.pairs[0]

    @property
    def can_be_renamed(self) -> bool:
        """Whether the file has exactly one system, or reference, in its role, so that one name is enough."""
        return len(self.of_role) == 1

    @property
    def of_role(self) -> tuple[str, ...]:
        """The names of its systems or references, by its role."""
        if self.file.role == "system":
            return self.systems
        return self.references if self.file.role == "reference" else ()

    @property
    def has_unnamed_columns(self) -> bool:
        """Whether it is a table of several texts without a header, so that they are named after the file."""
        unnamed = (re.fullmatch(rf"{re.escape(self.file.stem)}\.\d+", name) for name in self.names)
        return len(self.names) > 1 and all(unnamed)

    @property
    def humans(self) -> tuple[str, ...]:
        """Its systems that are marked as human translations."""
        return tuple(name for name in self.systems if self.file.human or name in self.file.human_names)

    def place(self, repair: LineRepair) -> str:
        """Return the name of the file whose lines are repaired, with the path if it is in a zip or folder."""
        return f"{self.file.name}/{repair.member}" if repair.member else self.file.name

    def __post_init__(self) -> None:
        object.__setattr__(self, "problem", one_line(self.problem))
        object.__setattr__(self, "warnings", tuple(map(one_line, self.warnings)))
        object.__setattr__(self, "notes", tuple(map(one_line, self.notes)))


@dataclass(frozen=True, kw_only=True)  # without slots, which exclude cached properties
class Workspace:
    """The data of a session.

    Attributes:
        entries: all files, in the order of their upload.
        corpus: the texts that fit together; without systems if there are none.
        judgments: the ratings that belong to loaded texts; None if there are none.
        human_systems: systems whose text is a human translation.
        identical: systems whose text equals another text.
        digest: the digest of everything that affects a number on a page; part of a page's address.
        scores: uploaded metric scores that fit, one table per metric, for the systems and segments of the corpus; NaN
            where a score is missing.
        rated: the used ratings as read from their files, before they were aligned with the texts, by number of the
            part.
        absent: numbers, from 1, of segments of which some text is unknown after repairs of lines.
        counts: the counts of all counts files; None if there are none.
        missing: the outputs that cannot be used, of systems without another output.
        incomplete: the systems that lack segments, by the ids in their files.
        unshared: the number of segments that are left out because a system lacks them.
        aligned: the texts, ratings and scores of all files as they were aligned.
        scope: the part of cache keys that separates these data from others; by default a new object.
    """

    entries: tuple[Entry, ...]
    corpus: Corpus
    judgments: Judgments | None
    human_systems: tuple[str, ...]
    identical: tuple[Identical, ...]
    digest: str
    aligned: AlignedData = field(repr=False, compare=False)
    scores: tuple[ScoreTable, ...] = ()
    rated: Mapping[int, Judgments] = field(default_factory=dict[int, Judgments])
    absent: tuple[int, ...] = ()
    counts: Counts | None = field(default=None, repr=False)
    missing: tuple[MissingText, ...] = ()
    incomplete: tuple[str, ...] = ()
    unshared: int = 0
    scope: Hashable = field(default_factory=object, compare=False, repr=False)

    @classmethod
    def of_data(
        cls,
        corpus: Corpus,
        judgments: Judgments | None,
        human_systems: tuple[str, ...],
        scores: tuple[ScoreTable, ...],
        missing: tuple[MissingText, ...] = (),
    ) -> Workspace:
        """Create a workspace from combined data; without entries, as the files are unknown."""
        digest = _digest(corpus, judgments, human_systems, scores)
        identical = identical_texts(corpus)
        return cls(
            entries=(),
            corpus=corpus,
            judgments=judgments,
            human_systems=human_systems,
            identical=identical,
            digest=digest,
            aligned=AlignedData(
                corpus=corpus, ratings=AlignedRatings(judgments=judgments), scores=scores, problems={}, warnings={}
            ),
            scores=scores,
            missing=missing,
        )

    @property
    def fingerprint(self) -> Hashable:
        """The key of the data in caches, within their scope."""
        judges = None if self.judgments is None else self.judgments.fingerprint
        return self.digest, judges, tuple(table.errors_hash for table in self.scores)

    @property
    def has_errors(self) -> bool:
        """Whether judges or metrics marked errors."""
        of_metrics = any(table.errors is not None for table in self.scores)
        return of_metrics or (self.judgments is not None and self.judgments.has_errors)

    def has_digest(self, digest: str) -> bool:
        """Return whether these data have this digest, also in the form of earlier versions."""
        return digest == self.digest or (not self.absent and digest == _former_digest(self))

    def ratings_for(self, corpus: Corpus) -> AlignedRatings:
        """Return the ratings aligned with other texts, for example after systems were left out."""
        return place_ratings(self.rated, corpus)

    def subset(self, rows: Sequence[int]) -> Workspace:
        """Return the data of some of the segments, which are renumbered.

        Ratings and scores of whole systems are left out, since they refer to all segments.

        Args:
            rows: the positions of the segments, from 0.
        """
        corpus = self.corpus.subset(rows)
        judgments = None if self.judgments is None else self.judgments.subset(rows)
        return replace(
            self,
            corpus=corpus,
            judgments=judgments if judgments is not None and len(judgments.rated) else None,
            identical=identical_texts(corpus),
            digest=digest_of((self.digest, np.asarray(rows, np.int64))).hex(),
            absent=(),
            scores=tuple(table.subset(rows) for table in self.scores if table.level == "segment"),
            rated=subset_ratings(self.rated, self.corpus, rows),
        )

    @cached_property
    def human_translations(self) -> tuple[HumanTranslation, ...]:
        """The systems that are human translations: those with the text of a reference, and those marked."""
        return translations_of(self.corpus.systems, self.identical, self.human_systems)

    def references_besides(self, systems: Collection[str]) -> tuple[str, ...]:
        """Return the references whose text is not that of one of the given systems."""
        own = {same.name for same in self.identical if same.role == "reference" and same.system in systems}
        return tuple(name for name in self.corpus.references if name not in own)

    def without_references_of(self, systems: Collection[str]) -> Workspace:
        """Return the data without the references that have the text of given systems, which can then be ranked."""
        remaining = self.references_besides(systems)
        if len(remaining) == len(self.corpus.references):
            return self
        removed = [name for name in self.corpus.references if name not in remaining]
        corpus = replace(self.corpus, references={name: self.corpus.references[name] for name in remaining})
        kept = (same for same in self.identical if same.role != "reference" or same.name in remaining)
        digest = digest_of((self.digest, "without", *removed)).hex()
        return replace(self, corpus=corpus, identical=tuple(kept), digest=digest)

    @property
    def problems(self) -> tuple[Entry, ...]:
        """The files that are not used."""
        return tuple(e for e in self.entries if e.problem)

    @property
    def unused(self) -> tuple[str, ...]:
        """The reasons why files, or texts of otherwise used files, are not used."""
        problems = ([e.problem] if e.problem else [text.problem for text in e.missing] for e in self.entries)
        return tuple(dict.fromkeys(problem for entry_problems in problems for problem in entry_problems))

    @property
    def repaired(self) -> tuple[Entry, ...]:
        """The used files whose lines were repaired."""
        return tuple(e for e in self.entries if e.repairs and not e.problem)

    @property
    def repairs(self) -> tuple[tuple[str, LineRepair], ...]:
        """The repairs of lines of all used files, each with the name of its file."""
        return tuple((entry.place(repair), repair) for entry in self.repaired for repair in entry.repairs)

    @property
    def lacking(self) -> tuple[str, ...]:
        """The names of the used files that lack segments."""
        return tuple(entry.file.name for entry in self.repaired if entry.absent)

    @property
    def human_scores(self) -> dict[str, str]:
        """Name of a test set's file -> its human scores in use."""
        entries = (entry for entry in self.entries if entry.human_scores and not entry.problem)
        return {entry.file.name: entry.file.human_scores or entry.human_scores[0] for entry in entries}

    def holder_of(self, role: HeldRole, name: str) -> Entry | None:
        """Return the used file that has a system or reference of that name; None if there is none."""
        for entry in self.entries:
            names = entry.systems if role == "system" else entry.references
            if not entry.problem and name in names:
                return entry
        return None


def create_file(name: str, data: bytes, role: FileRole | None, *, limits: Limits = DEFAULT_LIMITS) -> File:
    """Create a file in the given role, or in the role that its name and content suggest; counts files are detected."""
    name = PurePath(name.replace("\\", "/")).name or "unnamed"
    name = name.encode("utf-8", "replace").decode()  # names on disk may have bytes that no page can show
    if is_counts(data):  # which is certain
        return File(name, data, "counts")
    return recognised_file(name, data, role, limits=limits)


def recognised_file(
    name: str, data: bytes, role: FileRole | None, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> File:
    """Create a file in the given role, or in the role that its name and content suggest."""
    if role is not None:
        return File(name, data, role)
    try:
        inspection = inspect(data, name, encoding, limits=limits)
    except Exception as error:  # noqa: BLE001 # reading it finds the same problem and shows it
        _log_unexpected(error, f"{name}: not recognised")
        return File(name, data, "system")
    return File(name, data, inspection.role, inspection=inspection)


def create_loose(loose: LooseFile, role: FileRole | None, *, limits: Limits = DEFAULT_LIMITS) -> File:
    """Create a file of a zip or folder.

    Args:
        loose: the file in it.
        role: its role; if it is None or that of archives, its folder, name and content decide.
        limits: the limits for the file.
    """
    file_role = loose.role if role in (None, "archive") else role
    return replace(create_file(loose.path.name, loose.data, file_role, limits=limits), damage=loose.damage)


def name_by_folders(files: Sequence[tuple[PurePosixPath, File]]) -> list[File]:
    """Return files whose names have their folders where several files of one name are in different folders.

    Args:
        files: each file with its path.
    """
    names = Counter(path.name for path, _ in files)
    named: list[File] = []
    for path, file in files:
        if names[path.name] == 1 or len(path.parts) == 1:
            named.append(file)
            continue
        stem = stem_of(file.name)
        full_stem = "/".join((*path.parts[:-1], stem))
        full_name = f"{full_stem}{file.name.removeprefix(stem)}"
        renamed = file.renamed or (full_stem if file.role in ("system", "reference") else "")
        named.append(replace(file, name=full_name, renamed=renamed, inspection=None))
    return named


def assemble(
    files: Sequence[File],
    limits: Limits = DEFAULT_LIMITS,
    *,
    strict: bool = False,
    columns: ColumnsOfFiles | None = None,
    select: Select | None = None,
    shared_segments: bool = False,
    progress: Progress | None = None,
) -> Workspace:
    """Read all files and combine those that fit together.

    Unless `strict` is set, a file that causes an unexpected error in combination is left out, too; if two files fail
    only together, the later one is left out.

    Args:
        files: in the order of their upload.
        limits: the limits on systems, references and segments of all files together.
        strict: whether a file that cannot be read or does not fit is an error; otherwise it is left out with its
            problem. Outputs in a zip, a folder or an archive are left out in both cases.
        columns: the columns that the user describes for all files together; if some table needs others, the error names
            those of all files.
        select: chooses, of the parts of all files, those that are combined.
        shared_segments: whether only the segments that all systems have are used; otherwise a system that lacks one, by
            the ids in its file, is left out.
        progress: called while files are read, with the bytes read so far and the bytes of all files.

    Raises:
        FormatError: `strict` is set, and a file cannot be read in its role.
        LimitError: `strict` is set, and the files hold more than the limits allow.
        AlignmentError: `strict` is set, and the files do not fit together.
        SettingsError: `strict` is set, and an option for reading is not valid for its file.
        OSError: `strict` is set, and a file cannot be opened.
    """
    read_files = _read_all(files, limits, progress, strict=strict, columns=columns)
    combine = partial(_combine, limits=limits, strict=strict, select=select, shared_segments=shared_segments)
    if strict:
        try:
            return combine(read_files)
        except UnclearColumnsError:
            if columns is not None:
                columns.add_own_references(_parts(read_files))
                columns.check_unclear()
            raise
    while True:
        try:
            return combine(read_files)
        except Exception as error:  # whatever it is, the session continues without the file
            if not any(contents is not None for _, contents in read_files):
                raise  # no remaining file can be the reason
            unfit, why = _first_unfit(read_files, combine, error)
            entry, _ = read_files[unfit]
            problem = describe_problem(entry.file.name, why, "while combining it with the other files")
            read_files[unfit] = replace(entry, problem=problem), None


def parts_of(
    files: Sequence[File],
    limits: Limits = DEFAULT_LIMITS,
    *,
    strict: bool = False,
    columns: ColumnsOfFiles | None = None,
    progress: Progress | None = None,
) -> list[FilePart]:
    """Return the parts of all readable files, whether or not they fit together; arguments and errors as assemble."""
    return _parts(_read_all(files, limits, progress, strict=strict, columns=columns))


def _read_all(
    files: Sequence[File],
    limits: Limits,
    progress: Progress | None = None,
    *,
    strict: bool = False,
    columns: ColumnsOfFiles | None = None,
) -> list[_ReadFile]:
    """Read files until their texts have more segments than the limit allows, since one text may be there many times."""
    read_files: list[_ReadFile] = []
    done, total, segments = 0, sum(file.size for file in files), 0
    pair = _shared_pair(files)
    references = [file.name for file in files if file.role in ("reference", "archive")]
    for file in files:
        try:
            if not strict:
                limits.check("segments", segments, f"{file.name}: not read, after files with many segments")
        except LimitError as error:
            read_files.append((Entry(file=file, report=None, problem=str(error)), None))
            continue
        file_progress = scaled_progress(progress, done, file.size, total) if total else None
        try:
            read_files.append(file.read(limits, file_progress, pair=pair, strict=strict))
        except UnclearColumnsError as error:
            if columns is None:
                raise
            columns.add_unclear(error, references=references)
            continue
        contents = read_files[-1][1]
        segments += sum(len(column.segments) for column in contents.columns) if contents is not None else 0
        done += file.size
        if progress and total:
            progress(done, total)
    if columns is not None:
        columns.check_unclear()
    return read_files


def _shared_pair(files: Iterable[File]) -> str | None:
    """Return the language pair that was chosen for files of texts or scores; None if there is not exactly one."""
    pairs = {file.pair for file in files if file.pair is not None and file.role != "judgments"}
    return pairs.pop() if len(pairs) == 1 else None


def _first_unfit(
    read_files: Sequence[_ReadFile], combine: Callable[[Sequence[_ReadFile]], Workspace], error: Exception
) -> tuple[int, Exception]:
    """Return the position of the first file that does not fit together with those before it, and the error.

    Args:
        read_files: files that do not fit together.
        combine: combines files, with the limits and options of all of them.
        error: the error that all of them raise.
    """
    used = [i for i, (_, contents) in enumerate(read_files) if contents is not None]
    errors = {used[-1]: error}  # all of them together are known to fail

    def fails(last: int) -> int:
        try:
            combine(read_files[: last + 1])
        except Exception as why:  # noqa: BLE001 # as in assemble
            errors[last] = why
        return int(last in errors)

    first = used[bisect_left(used[:-1], 1, key=fails)]
    return first, errors[first]


def _parts(read_files: Sequence[_ReadFile]) -> list[FilePart]:
    """Return the parts of all files, with systems under their new names."""
    parts = [
        part for i, (_, contents) in enumerate(read_files) if contents is not None for part in contents.parts(file=i)
    ]
    texts = {c.name for part in parts for c in part.columns if c.role == "system"}
    renamed = {e.renamed_from: e.file.renamed for e, contents in read_files if contents is not None and e.renamed_from}
    renamed = {before: now for before, now in renamed.items() if before not in texts}
    return [_with_names(part, renamed) for part in parts]


def _combine(
    read_files: Sequence[_ReadFile], limits: Limits, *, strict: bool, select: Select | None, shared_segments: bool
) -> Workspace:
    parts = _parts(read_files)
    parts = parts if select is None else select(parts)
    fitted = fit(parts, limits=limits, refuse=strict, shared_segments=shared_segments)
    corpus = fitted.corpus
    identical = identical_texts(corpus)
    same_text = _same_text(identical)
    positions_by_file: list[list[int]] = [[] for _ in read_files]
    for position, part in enumerate(parts):
        positions_by_file[part.file].append(position)
    entries: list[Entry] = []
    human: dict[str, None] = {}
    for (entry, _), own in zip(read_files, positions_by_file, strict=True):
        refused = [fitted.problems[position].without_option for position in own if position in fitted.problems]
        unloaded = _unloaded((parts[position].judgments for position in own), corpus)
        unread = [replace(text, expected=corpus.segments) for text in entry.missing]
        unfit = (text for position in own for text in fitted.missing.get(position, ()))
        # Columns without names are not systems until the user has described them.
        missing = tuple(unread) if entry.has_unnamed_columns else (*unread, *unfit)
        entry = replace(entry, missing=missing)  # noqa: PLW2901 # the same entry, completed
        if not refused and _is_only_incomplete(entry.missing, [parts[position] for position in own]):
            refused = [text.problem for text in entry.missing]
        if refused and len(refused) == len(own):
            unclear = () if strict else _unclear_columns(entry, corpus.segments, limits)
            if unclear:
                entries.append(replace(entry, problem=_not_understood(entry, unclear), unclear=unclear, missing=()))
            else:
                proposed = _proposed(fitted.problems.get(own[0]), entry.file.name)
                entries.append(replace(entry, problem=refused[0], unloaded=unloaded, proposed=proposed))
            continue
        used = [position for position in own if position not in fitted.problems]
        systems = dict.fromkeys(c.name for position in used for c in parts[position].columns if c.role == "system")
        marked = entry.names if entry.file.human else entry.file.human_names
        human |= dict.fromkeys(name for name in marked if name in systems and name in corpus.systems)
        texts = {i: parts[i].missing if i in fitted.problems else fitted.missing.get(i, ()) for i in own}
        unusable = (text.problem for part_missing in texts.values() for text in part_missing)
        warnings = [f"not used: {problem}" for problem in (*refused, *unusable)]
        for position in own:
            warnings += fitted.warnings.get(position, ())
            warnings += _unused_row_warnings(fitted.ratings.unused_ratings.get(position, ()), entry.file.name)
        errors = [fitted.errors[position] for position in used if position in fitted.errors]
        warnings += [problem for report in errors for problem in report.problems]
        warnings += [warning for name in systems for warning in same_text.get(name, ())]
        notes = (*entry.notes, *(note for position in own for note in fitted.notes.get(position, ())))
        warnings = _first_few((*entry.warnings, *warnings))
        copied = bool(own) and fitted.copies.issuperset(own)
        entry = replace(entry, error_counts=tuple(report.sentence for report in errors))  # noqa: PLW2901 # completed
        entries.append(replace(entry, warnings=warnings, notes=notes, unloaded=unloaded, copied=copied))
    entries, counts = _with_counts(entries)
    judgments = fitted.ratings.judgments
    rated = {i: ratings for i, ratings in fitted.ratings.read.items() if i not in fitted.problems}
    absent = tuple(sorted({number for entry in entries if not entry.problem for number in entry.absent}))
    digest = _digest(corpus, judgments, human, fitted.scores, absent=absent, counts=counts)
    return Workspace(
        entries=tuple(entries),
        corpus=corpus,
        judgments=judgments,
        human_systems=tuple(human),
        identical=identical,
        digest=digest,
        scores=fitted.scores,
        rated=rated,
        absent=absent,
        counts=counts,
        missing=missing_systems((text for entry in entries for text in entry.missing), corpus),
        incomplete=fitted.incomplete,
        unshared=fitted.unshared,
        aligned=fitted,
    )


def _proposed(error: Exception | None, file: str) -> tuple[MappedColumn, ...]:
    """Return the columns of a file that an error proposes; empty if it proposes none."""
    return tuple(error.columns.get(file, ())) if isinstance(error, UnclearColumnsError) else ()


def _is_only_incomplete(missing: Sequence[MissingText], parts: Sequence[FilePart]) -> bool:
    """Return whether a file has nothing but a system that lacks segments and is left out."""
    columns = [column for part in parts for column in part.columns if column.role != "document"]
    others = any(part.judgments or part.scores or part.labels for part in parts)
    return len(missing) == len(columns) == len(parts) == 1 and missing[0].incomplete and not others


def _unclear_columns(entry: Entry, expected: int, limits: Limits) -> tuple[str, ...]:
    """Return the headers of a table whose columns are not described and which therefore differs in length.

    A table with a known header counts only if it also has other columns and a very different number of rows: a table
    in which some lines are missing is understood, and its lines can be repaired.

    Args:
        entry: a file that does not fit.
        expected: the number of segments of the others.
        limits: the limits for the file.
    """
    file, report = entry.file, entry.report
    if report is None or file.columns or entry.pairs or file.role in ("archive", "counts") or not entry.of_role:
        return ()
    preview = file.preview(file.role, limits)
    if preview is None or report.segments == expected:
        return ()
    differing = abs(report.segments - expected) > MAX_LOST_SHARE * max(expected, report.segments)
    return preview.header if entry.has_unnamed_columns or (differing and not all(preview.known)) else ()


def _not_understood(entry: Entry, headers: Sequence[str]) -> str:
    """Return the problem of a table whose columns are not described."""
    count = 0 if entry.report is None else entry.report.segments
    rows = f"{count:,} {plural(count, 'row')}"
    what, verb = ("first row", "does") if entry.has_unnamed_columns else ("headers", "do")
    shown = listed((header or "empty" for header in headers), max_items=MAX_HEADERS)
    return f"{entry.file.name}: its {what} {verb} not say what the columns are ({shown}; {rows})"


def _with_counts(entries: Sequence[Entry]) -> tuple[list[Entry], Counts | None]:
    """Return the entries, and the combined counts of all counts files that are compatible with earlier ones."""
    accepted: list[tuple[str, Counts]] = []
    updated: list[Entry] = []
    for entry in entries:
        if entry.counts is None:
            updated.append(entry)
            continue
        candidates = [*accepted, (entry.file.name, entry.counts)]
        try:
            check_combinable(candidates)
        except AlignmentError as error:
            updated.append(replace(entry, problem=str(error)))
        else:
            accepted = candidates
            updated.append(entry)
    return updated, combine_systems(accepted) if accepted else None


def _with_names(part: FilePart, renamed: Mapping[str, str]) -> FilePart:
    """Return a part whose ratings and scores have the new names of systems, unless it has both names."""
    judgments, scores = part.judgments, part.scores
    if judgments is not None:
        names = {before: now for before, now in renamed.items() if now not in judgments.systems}
        if names.keys() & set(judgments.systems):
            systems = judgments.table["system"].replace(names)
            judgments = replace(judgments, table=judgments.table.assign(system=systems))
    if scores is not None:
        names = {before: now for before, now in renamed.items() if now not in scores.systems}
        scores = replace(scores, systems=tuple(names.get(name, name) for name in scores.systems))
    return replace(part, judgments=judgments, scores=scores)


def _counts_of(file: File, limits: Limits) -> _ReadFile:
    """Read a counts file, which has no texts to be combined with others."""
    counts = decode_counts(file.data, file.name, limits)
    counted = counts.counted
    copy_notes = (copy.sentence for copy in copies(counted))
    names, warnings = tuple(text.name for text in counted.systems), (*oddities_of(counts), *copy_notes)
    return Entry(file=file, report=None, warnings=_first_few(warnings), names=names, counts=counts), None


def _read_contents(file: File, options: ReadOptions, **arguments: Any) -> Contents:
    """Read the contents of a file with texts or numbers, or of a folder of a test set; the others are those of read."""
    role = cast("FileRole", file.role)
    if file.damage:
        raise FormatError(f"{file.name}: {file.damage}")
    limits: Limits = arguments["limits"]
    if file.path is not None and Path(file.path).is_dir():
        if options.format is not None:
            check_format(options.format, role, file.name, options.own)
        return read_test_set(Path(file.path), file.name, options, limits=limits)
    return read(file.content(limits), file.name, role, options, inspection=file.inspection, **arguments)


def _contents_of(file: File, limits: Limits, progress: Progress | None, pair: str | None, *, strict: bool) -> _ReadFile:
    if file.role == "counts":
        return _counts_of(file, limits)
    options = file if strict else file.options
    try:
        contents = _read_contents(file, options, default_pair=pair, limits=limits, progress=progress)
    except FormatError as error:
        is_output = file.in_archive and file.role == "system" and is_system_output(file.name)
        if not strict or not is_output or isinstance(error, LimitError):
            raise
        report = FileReport(
            name=file.name,
            role="system",
            encoding=file.encoding or "UTF-8",
        )
        missing = MissingText.unreadable("system", file.renamed or file.stem, file.name, error)
        contents = Contents(report=report, missing=(missing,))
    contents = replace(contents, member=True) if file.in_archive else contents
    renamed_from = ""
    if file.renamed and sum(c.role == file.role for c in contents.columns) == 1:
        renamed_from = next(c.name for c in contents.columns if c.role == file.role)
        contents = contents.renamed(file.renamed)
    contents, absent, repairs = _with_repairs(contents, file, limits)
    names = [c.name for c in contents.columns if c.role in ("system", "reference")]
    if file.role == "scores":
        names = [table.name for table in contents.scores]
    if file.role == "labels" and contents.labels is not None:
        names = list(contents.labels.columns)
    archive, report = contents.archive, contents.report
    problems = () if archive is None else archive.problems  # they name their files themselves
    about_texts = (*report.about_texts, *(n for n in report.notes if n not in problems), *report.decisions)
    entry = Entry(
        file=file,
        report=contents.report,
        warnings=_oddities(contents, file),
        names=tuple(dict.fromkeys(names)),
        pairs=archive.pairs if archive is not None else contents.pairs,
        human_scores=tuple(sorted(archive.judgments, key=archive.preferred.__ne__)) if archive is not None else (),
        systems=tuple(dict.fromkeys(c.name for c in contents.columns if c.role == "system")),
        references=tuple(dict.fromkeys(c.name for c in contents.columns if c.role == "reference")),
        metrics={table.name: not table.higher_is_better for table in contents.scores},
        renamed_from=renamed_from,
        absent=absent,
        repairs=repairs,
        notes=(*contents.report.decisions, *contents.report.of_ratings),
        printed=contents.printed,
        takes=contents.takes,
        sentences=(*problems, *(one_line(f"{report.name}: {sentence}") for sentence in about_texts)),
        rating_sentences=(
            *(one_line(f"{report.name}: {sentence}") for sentence in report.of_ratings),
            *(() if contents.judgments is None else map(str, contents.judgments.unused_rows)),
        ),
    )
    return entry, contents


def _with_repairs(
    contents: Contents, file: File, limits: Limits
) -> tuple[Contents, tuple[int, ...], tuple[LineRepair, ...]]:
    """Return the contents after repairs of lines, the numbers of segments without known text, and the repairs.

    Raises:
        AlignmentError: the repairs refer to lines that the file does not have, or add too many.
        LimitError: the repaired text has more segments than a file may have lines.
    """
    if not file.repairs:
        return contents, (), ()
    columns: list[Column] = []
    absent: set[int] = set()
    made: dict[LineRepair, None] = {}
    for column in contents.columns:
        repairs = [repair for repair in file.repairs if repair.member == file.member(column)]
        limits.check("lines", repaired_length(len(column.segments), repairs), column.place)
        try:
            text = repaired(column.segments, repairs)
        except ValueError as error:
            raise AlignmentError(f"{column.place}: its lines cannot be repaired: {error}; undo the repairs") from None
        columns.append(replace(column, segments=text.segments, ids=None) if repairs else column)
        absent.update(text.absent)
        made |= dict.fromkeys(repairs)
    if not made:
        return contents, (), ()
    report = replace(contents.report, segments=max(len(column.segments) for column in columns))
    return replace(contents, columns=tuple(columns), report=report), tuple(sorted(absent)), tuple(made)


def describe_problem(name: str, error: Exception, doing: str) -> str:
    """Return the message about a file that cannot be used; log the traceback of an unexpected error."""
    if isinstance(error, BleuCoreError):
        return error.without_option
    _log_unexpected(error, f"{name}: unexpected error {doing}")
    return (
        f"{name}: cannot be used because of an unexpected error ({type(error).__name__}) {doing}; please report it "
        "with the file"
    )


def _log_unexpected(error: Exception, message: str) -> None:
    if not isinstance(error, BleuCoreError):
        LOGGER.error("%r", message, exc_info=error)


def _oddities(contents: Contents, file: File) -> tuple[str, ...]:
    unused_rows = contents.report.unused_rows if contents.judgments is None else contents.judgments.unused_rows
    return (*contents.report.notes, *contents.report.about_texts, *_unused_row_warnings(unused_rows, file.name))


def _unloaded(judgments: Iterable[Judgments | None], corpus: Corpus) -> dict[str, int]:
    """Return the number of ratings of each system that is rated but not loaded; empty while no system is loaded."""
    unloaded: dict[str, int] = {}
    for file_judgments in judgments:
        if file_judgments is None or not corpus.systems or set(file_judgments.systems) <= corpus.systems.keys():
            continue
        counts = file_judgments.rated["system"].value_counts(sort=False)
        unloaded |= {str(name): int(count) for name, count in counts.items() if name not in corpus.systems}
    return unloaded


def _first_few(warnings: tuple[str, ...]) -> tuple[str, ...]:
    more = len(warnings) - MAX_WARNINGS
    return warnings if more <= 0 else (*warnings[:MAX_WARNINGS], f"{more:,} more {plural(more, 'warning')} like these")


def _unused_row_warnings(unused_rows: Iterable[UnusedRows], name: str) -> list[str]:
    """Return warnings about unused rows, without the file's name."""
    return [str(rows).removeprefix(f"{name}: ").removeprefix(f"{name}/") for rows in unused_rows]


def _same_text(identical: Iterable[Identical]) -> dict[str, list[str]]:
    """Return, for each system whose text equals another text, sentences about this."""
    sentences: dict[str, list[str]] = {}
    for pair in identical:
        sentences.setdefault(pair.system, []).append(pair.sentence)
    return sentences


def _digest(
    corpus: Corpus,
    judgments: Judgments | None,
    human: Iterable[str],
    scores: Iterable[ScoreTable],
    *,
    absent: tuple[int, ...] = (),
    counts: Counts | None = None,
) -> str:
    return digest_of(
        (
            corpus.digest,
            tuple(corpus.references),  # some pages use the first ones
            None if judgments is None else judgments.digest,
            sorted(human),
            sorted(map(_digest_of_scores, scores)),
            absent,
            None if counts is None else counts.digest,
        )
    ).hex()


def _digest_of_scores(table: ScoreTable) -> bytes:
    """Return a digest of a metric's name and scores, independent of the order of the systems."""
    order = sorted(range(len(table.systems)), key=table.systems.__getitem__)
    system_scores = [(table.systems[k], table.scores[k], table.system_scores[k]) for k in order]
    return digest_of((table.name, table.level, table.higher_is_better, system_scores))


def _former_digest(workspace: Workspace) -> str:
    """Return the digest that earlier versions wrote in addresses and saved workspaces; too incomplete for caches."""
    tables: list[str] = []
    for table in workspace.scores:
        content = hashlib.blake2b(digest_size=16)
        for k in sorted(range(len(table.systems)), key=table.systems.__getitem__):
            texts = (table.name, table.systems[k], table.level, str(table.higher_is_better))
            content.update("\n".join(texts).encode("utf-8", "surrogatepass"))
            content.update(table.scores[k].tobytes() + table.system_scores[k].tobytes())
        tables.append(content.hexdigest())
    judgments, counts = workspace.judgments, workspace.counts
    ratings_digest = judgments.digest if judgments else ""
    counts_digest = () if counts is None else (counts.digest,)
    parts = (workspace.corpus.digest, ratings_digest, *sorted(workspace.human_systems), *sorted(tables), *counts_digest)
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
