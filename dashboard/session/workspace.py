"""The files of a session, read and fitted together. No Streamlit: a pure function of the files.

A file that cannot be used is set aside with its problem, and the others go on without it. Of an archive, or a file of
several metrics, only the parts that cannot be used are. That holds for errors that nobody expected as well: no file
can keep the others from being used.
"""

from __future__ import annotations

import hashlib
import logging
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath, PurePosixPath
from typing import TypeAlias

import numpy as np

from bleu_core.dataset import (
    Column,
    Corpus,
    Identical,
    Judgments,
    ScoreTable,
    SetAside,
    identical_texts,
    length_mismatch,
    merge,
    most_common_length,
    plural,
)
from bleu_core.errors import AlignmentError, BleuCoreError, listed, one_line
from bleu_core.formats import (
    PUBLISHED,
    Contents,
    FileReport,
    FileRole,
    MqmWeights,
    formats_of,
    is_delimited,
    packed,
    read,
    recognise,
)
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits

LOGGER = logging.getLogger(__name__)

#: Warnings that are kept of a file.
MOST_WARNINGS = 50

#: Roles of which there is one file at most.
SINGLE: tuple[FileRole, ...] = ("source", "document")


@dataclass(frozen=True, slots=True)
class File:
    """A file as it came, with what a person has said about it.

    Attributes:
        name: the file's name; never used as a path.
        data: its bytes.
        role: what it holds.
        renamed: what its column is called instead of the file's stem; empty keeps the stem.
        human: whether its text is a human translator's.
        human_names: of a file of several systems, those that are human translators.
        encoding: its encoding where it is neither UTF-8 nor marked; None tries UTF-8.
        first_segment: the number its first segment has, in judgments and scores.
        format: of judgments and scores, a key of FORMATS that overrules the guess.
        pair: the language pair, where the file has several; its first when None.
        human_scores: of an archive, the human scores that count; its preferred ones when None.
        weights: what errors cost, in judgments that are errors.
        lower_is_better: of metric scores, the metrics of which a lower score is the better one; None goes by name.
        digest: of the bytes.
    """

    name: str
    data: bytes = field(repr=False)
    role: FileRole
    renamed: str = ""
    human: bool = False
    human_names: tuple[str, ...] = ()
    encoding: str | None = None
    first_segment: int = 1
    format: str | None = None
    pair: str | None = None
    human_scores: str | None = None
    weights: MqmWeights = PUBLISHED
    lower_is_better: tuple[str, ...] | None = None
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", hashlib.blake2b(self.data, digest_size=16).hexdigest())

    @property
    def key(self) -> tuple[object, ...]:
        """All that decides how the file is read; stands for the file in caches."""
        return (
            self.name,
            self.digest,
            self.role,
            self.renamed,
            self.human,
            self.human_names,
            self.encoding,
            self.first_segment,
            self.format,
            self.pair,
            self.human_scores,
            self.weights,
            self.lower_is_better,
        )

    @property
    def stem(self) -> str:
        """The file's name without its suffix: what its system or reference is called."""
        return PurePath(self.name).stem

    @property
    def can_be_renamed(self) -> bool:
        """Whether it holds one system or reference, so that one name is enough."""
        return self.role in ("system", "reference") and not is_delimited(self.name)


@dataclass(frozen=True, slots=True)
class Entry:
    """A file and what became of it.

    Attributes:
        file: the file.
        report: what was found in it; None when it could not be read.
        problem: why it is set aside; empty when it is in use.
        warnings: what is odd about it, and what of it is not used.
        names: of its systems, references or metrics.
        pairs: the language pairs of an archive.
        human_scores: the names of an archive's human scores, the preferred ones first.
        systems: those whose text it holds.
        metrics: those whose scores it holds, and whether a lower score is the better one.
    """

    file: File
    report: FileReport | None
    problem: str = ""
    warnings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    human_scores: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    metrics: Mapping[str, bool] = field(default_factory=dict[str, bool])

    def __post_init__(self) -> None:
        object.__setattr__(self, "problem", one_line(self.problem))
        object.__setattr__(self, "warnings", tuple(map(one_line, self.warnings)))


#: A file as it was read: what is known of it, and what it holds, None where that cannot be used.
_ReadFile: TypeAlias = tuple[Entry, Contents | None]


@dataclass(frozen=True, slots=True)
class Workspace:
    """What a session works on.

    Attributes:
        entries: every file, in the order they came.
        corpus: the texts that fit together; without systems when there are none.
        judgments: the ratings that can be placed; None when there are none.
        human_systems: systems whose text a person wrote.
        identical: systems whose text equals something else.
        digest: of all that decides a number on a page; part of a page's address.
        scores: uploaded metric scores that fit, a metric each, of the corpus's systems and segments; NaN where there
            are none.
    """

    entries: tuple[Entry, ...]
    corpus: Corpus
    judgments: Judgments | None
    human_systems: tuple[str, ...]
    identical: tuple[Identical, ...]
    digest: str
    scores: tuple[ScoreTable, ...] = ()

    @property
    def problems(self) -> tuple[Entry, ...]:
        """The files set aside."""
        return tuple(e for e in self.entries if e.problem)

    def copies_of(self, references: Collection[str]) -> tuple[str, ...]:
        """Systems whose text is that of one of the references."""
        of_those = (i.system for i in self.identical if i.role == "reference" and i.name in references)
        return tuple(dict.fromkeys(of_those))


def sorted_in(name: str, data: bytes, role: FileRole | None, *, limits: Limits = DEFAULT_LIMITS) -> File:
    """Take a new file in, in the role given, or in the one its name and content suggest."""
    name = PurePath(name.replace("\\", "/")).name or "unnamed"
    name = name.encode("utf-8", "replace").decode()  # names on disk can have bytes that no page can show
    if role is None:
        try:
            role = recognise(data, name, limits=limits)
        except Exception as error:  # noqa: BLE001 # its problem is found again, and shown, when it is read
            _log_unexpected(error, f"{name}: not recognised")
            role = "system"
    return File(name, data, role)


def folders_in(
    arrived: Iterable[tuple[str, Callable[[], bytes]]], *, limits: Limits = DEFAULT_LIMITS
) -> tuple[list[File], list[str]]:
    """Take in files that came with their paths: each folder as an archive.

    Returns:
        The archives, and what is wrong with the others, in sentences.
    """
    folders: dict[str, dict[PurePosixPath, Callable[[], bytes]]] = {}
    alone: list[str] = []
    for name, contents in arrived:
        parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
        if len(parts) > 1:
            folders.setdefault(parts[0], {})[PurePosixPath(*parts)] = contents
        else:
            alone.append(name)
    found: list[File] = []
    problems: list[str] = []
    for folder, files in folders.items():
        try:
            data = packed(files, folder, limits=limits)
            found.append(sorted_in(folder, data, "archive", limits=limits))
        except Exception as error:  # noqa: BLE001 # the other folders go on
            problems.append(problem_with(folder, error, "while it was packed"))
    if alone:
        count = f"{len(alone)} {plural(len(alone), 'file')} came without a folder"
        problems.append(
            f"{alone[0]}: {count}: a folder that is dropped may lose its structure; choose it with the button, or "
            "pack it as a zip"
        )
    return found, problems


def assemble(files: Sequence[File], limits: Limits = DEFAULT_LIMITS) -> Workspace:
    """Read all files and keep those that fit together.

    A file with which the others do not fit together, for a reason that no check has found, is set aside too; of two
    files that do not fit together that is the later one.

    Args:
        files: in the order they came.
        limits: how many systems and references all files may hold together.
    """
    read_files = [_read(file, limits) for file in files]
    while True:
        try:
            return _fitted(read_files, limits)
        except Exception as error:  # whatever it is, the session goes on without the file
            if not any(contents is not None for _, contents in read_files):
                raise  # no file is left that could be the reason
            culprit, why = _first_unfit(read_files, limits, error)
            entry, _ = read_files[culprit]
            problem = problem_with(entry.file.name, why, "while it was put together with the other files")
            read_files[culprit] = replace(entry, problem=problem), None


def _first_unfit(read_files: Sequence[_ReadFile], limits: Limits, error: Exception) -> tuple[int, Exception]:
    """The position of the first file with which those before it do not fit together, and why.

    Args:
        read_files: which do not fit together.
        limits: as of assemble.
        error: why not.
    """
    used = [i for i, (_, contents) in enumerate(read_files) if contents is not None]
    errors = {used[-1]: error}  # that all of them fail is known

    def fails(last: int) -> int:
        try:
            _fitted(read_files[: last + 1], limits)
        except Exception as why:  # noqa: BLE001 # as in assemble
            errors[last] = why
        return int(last in errors)

    first = used[bisect_left(used[:-1], 1, key=fails)]
    return first, errors[first]


def _fitted(read_files: Sequence[_ReadFile], limits: Limits) -> Workspace:
    parts = [(i, part) for i, (_, contents) in enumerate(read_files) for part in _parts(contents)]
    usable = {number: part for number, (_, part) in enumerate(parts)}
    problems: dict[int, str] = {}

    def set_aside(found: Mapping[int, str]) -> None:
        problems.update(found)
        for part in found:
            del usable[part]

    set_aside(_second_names(usable))
    set_aside(_too_many(usable, limits))
    set_aside(_other_lengths(usable))
    set_aside(_without_any_reference(usable))
    set_aside(_without_texts(parts, problems))
    corpus = Corpus.from_columns(column for contents in usable.values() for column in contents.columns)
    judgments, warnings, misplaced = _placed(usable, corpus)
    set_aside(misplaced)
    scores, odd, unfit = _aligned(usable, corpus)
    set_aside(unfit)
    warnings |= odd
    identical = identical_texts(corpus)
    same_text = _same_text(identical)
    of_file: list[list[int]] = [[] for _ in read_files]
    for part, (owner, _) in enumerate(parts):
        of_file[owner].append(part)
    entries: list[Entry] = []
    human: dict[str, None] = {}
    for (entry, _), mine in zip(read_files, of_file, strict=True):
        refused = [problems[part] for part in mine if part in problems]
        if refused and len(refused) == len(mine):
            entries.append(replace(entry, problem=refused[0]))
            continue
        systems = dict.fromkeys(
            c.name for part in mine if part in usable for c in usable[part].columns if c.role == "system"
        )
        marked = entry.names if entry.file.human else entry.file.human_names
        human |= dict.fromkeys(name for name in marked if name in systems)
        said = [f"not used: {problem}" for problem in refused]
        said += [warning for part in mine for warning in warnings.get(part, ())]
        said += [warning for name in systems for warning in same_text.get(name, ())]
        entries.append(replace(entry, warnings=_first_few((*entry.warnings, *said))))
    digest = _digest(corpus, judgments, list(human), scores)
    return Workspace(tuple(entries), corpus, judgments, tuple(human), identical, digest, scores)


def _read(file: File, limits: Limits) -> _ReadFile:
    try:
        return _contents_of(file, limits)
    except Exception as error:  # noqa: BLE001 # whatever it is, the other files go on
        return Entry(file, None, problem=problem_with(file.name, error, "while it was read")), None


def _contents_of(file: File, limits: Limits) -> _ReadFile:
    contents = read(
        file.data,
        file.name,
        file.role,
        encoding=file.encoding,
        first_segment=file.first_segment,
        format=file.format if file.format in formats_of(file.role) else None,  # chosen for another role
        pair=file.pair,
        human_scores=file.human_scores,
        weights=file.weights,
        lower_is_better=file.lower_is_better,
        limits=limits,
    )
    if file.renamed and file.can_be_renamed:
        contents = replace(contents, columns=tuple(replace(c, name=file.renamed) for c in contents.columns))
    names = [c.name for c in contents.columns if c.role in ("system", "reference")]
    if file.role == "scores":
        names = [table.name for table in contents.scores]
    archive = contents.archive
    entry = Entry(
        file,
        contents.report,
        warnings=_oddities(contents, file),
        names=tuple(dict.fromkeys(names)),
        pairs=archive.pairs if archive is not None else (),
        human_scores=tuple(sorted(archive.judgments, key=archive.preferred.__ne__)) if archive is not None else (),
        systems=tuple(dict.fromkeys(c.name for c in contents.columns if c.role == "system")),
        metrics={table.name: not table.higher_is_better for table in contents.scores},
    )
    return entry, contents


def problem_with(name: str, error: Exception, doing: str) -> str:
    """What to say of a file that cannot be used; the traceback of an error nobody expected goes into the log."""
    if isinstance(error, BleuCoreError):
        return str(error)
    _log_unexpected(error, f"{name}: unexpected error {doing}")
    return (
        f"{name}: cannot be used: an unexpected error ({type(error).__name__}) {doing}; please report it with the file"
    )


def _log_unexpected(error: Exception, message: str) -> None:
    if not isinstance(error, BleuCoreError):
        LOGGER.error("%r", message, exc_info=error)


def _oddities(contents: Contents, file: File) -> tuple[str, ...]:
    found = list(contents.report.notes)
    empty = contents.report.empty_segments
    if empty:
        found.append(f"{empty} {plural(empty, 'segment')} without text")
    aside = contents.report.set_aside if contents.judgments is None else contents.judgments.set_aside
    return (*found, *_told(aside, file.name))


def _first_few(warnings: tuple[str, ...]) -> tuple[str, ...]:
    more = len(warnings) - MOST_WARNINGS
    return warnings if more <= 0 else (*warnings[:MOST_WARNINGS], f"{more:,} more {plural(more, 'warning')} like these")


def _told(aside: Iterable[SetAside], name: str) -> list[str]:
    """What is not counted, in sentences that follow the file's name."""
    return [str(rows).removeprefix(f"{name}: ").removeprefix(f"{name}/") for rows in aside]


def _parts(contents: Contents | None) -> list[Contents]:
    """What of a file is used or set aside as a whole: each text of an archive, its judgments, each metric."""
    if contents is None:
        return []
    tables = [Contents(contents.report, scores=(table,)) for table in contents.scores]
    if contents.archive is None:
        return tables or [contents]
    texts = [Contents(replace(contents.report, name=c.place), (c,)) for c in contents.columns]
    ratings = [] if contents.judgments is None else [Contents(contents.report, judgments=contents.judgments)]
    return [*texts, *ratings, *tables]


def _second_names(usable: dict[int, Contents]) -> dict[int, str]:
    """Files that give a name, or a role of which there is one, a second time.

    Where a file repeats the source or the documents among other columns, with the same text, its other columns stay.
    """
    first: dict[tuple[str, str], Column] = {}
    problems: dict[int, str] = {}
    for i, contents in usable.items():
        new: dict[tuple[str, str], Column] = {}
        problem = ""
        for column in contents.columns:
            key = (column.role, "" if column.role in SINGLE else column.name)
            other = first.get(key) or new.get(key)
            if other is None:
                new[key] = column
            elif column.role not in SINGLE or column.segments != other.segments:
                problem = _second(column, other, contents.report.name)
                break
        if not problem and contents.columns and not new:  # nothing but what another file holds
            column = contents.columns[0]
            problem = _second(column, first[column.role, ""], contents.report.name)
        if problem:
            problems[i] = problem
            continue
        first |= new
        if len(new) < len(contents.columns):
            usable[i] = replace(contents, columns=tuple(new.values()))
    return problems


def _second(column: Column, first: Column, name: str) -> str:
    """What to say of a column whose name or role another one has already."""
    if column.role in SINGLE:
        role = "the source" if column.role == "source" else "the documents"
        return f"{name}: {first.origin} already holds {role}; remove one of the two"
    other = "another column" if column.origin == first.origin else first.origin
    return f"{name}: {other} already holds a {column.role} called {column.name}; rename or remove one"


def _too_many(usable: Mapping[int, Contents], limits: Limits) -> dict[int, str]:
    """Files with which there would be more systems or references than the limits allow."""
    held = {"systems": 0, "references": 0}
    problems: dict[int, str] = {}
    for i, contents in usable.items():
        found = {kind: held[kind] + sum(c.role == kind[:-1] for c in contents.columns) for kind in held}
        try:
            for kind, count in found.items():
                limits.check(kind, count, f"{contents.report.name}, with the files before it")
        except LimitError as error:
            problems[i] = str(error)
        else:
            held = found
    return problems


def _other_lengths(usable: dict[int, Contents]) -> dict[int, str]:
    """Files whose number of segments differs from that of most."""
    columns = [c for contents in usable.values() for c in contents.columns]
    expected = most_common_length(columns)
    agreeing = [c for c in columns if len(c.segments) == expected]
    if not agreeing:
        return {}
    others = len({c.origin for c in agreeing})
    witness = agreeing[0].place if others == 1 else f"{agreeing[0].place} and {others - 1} more"
    return {
        i: length_mismatch(column, expected, witness)
        for i, contents in usable.items()
        for column in contents.columns
        if len(column.segments) != expected
    }


def _without_any_reference(usable: dict[int, Contents]) -> dict[int, str]:
    """Tables of references with gaps, where some segment is left without any."""
    holding = {i: [c for c in contents.columns if c.role == "reference"] for i, contents in usable.items()}
    try:
        Corpus.from_columns(c for columns in holding.values() for c in columns)
    except AlignmentError as error:
        return {i: str(error) for i, columns in holding.items() if any(None in c.segments for c in columns)}
    return {}


def _without_texts(parts: Sequence[tuple[int, Contents]], problems: Mapping[int, str]) -> dict[int, str]:
    """Judgments and scores of archives whose texts are all set aside: they are of other texts than those in use."""
    of_texts: dict[int, list[str]] = {}
    for number, (owner, part) in enumerate(parts):
        if part.columns:
            of_texts.setdefault(owner, []).append(problems.get(number, ""))
    return {
        number: of_texts[owner][0]
        for number, (owner, _) in enumerate(parts)
        if number not in problems and all(of_texts.get(owner, [""]))
    }


def _placed(
    usable: Mapping[int, Contents], corpus: Corpus
) -> tuple[Judgments | None, dict[int, list[str]], dict[int, str]]:
    """The ratings of the texts, together; what of each part cannot be placed, and parts of which nothing can.

    Without texts there is nothing to place ratings in, and without systems none that could be missing.
    """
    kept: list[Judgments] = []
    warnings: dict[int, list[str]] = {}
    problems: dict[int, str] = {}
    for i, contents in usable.items():
        judgments = contents.judgments
        if judgments is None:
            continue
        if not corpus.segments:
            kept.append(judgments)
            continue
        where = tuple(corpus.systems) or judgments.systems, corpus.segments, corpus.documents
        placed, aside = judgments.place(*where)
        if aside and judgments.table["score"].isna().any():  # rows without a score are told already
            _, aside = replace(judgments, table=judgments.rated).place(*where)
        if len(placed.rated):
            kept.append(placed)
            warnings[i] = _told(aside, contents.report.name)
        else:
            problems[i] = _why_none(judgments, corpus, aside)
    return merge(kept), warnings, problems


def _why_none(judgments: Judgments, corpus: Corpus, aside: Sequence[SetAside]) -> str:
    """Why no rating can be placed."""
    if corpus.systems and not any(system in corpus.systems for system in judgments.systems):
        origin = judgments.table["origin"].iloc[0]
        return (
            f"{origin}: ratings of {listed(judgments.systems)} found, of {listed(corpus.systems)} expected; "
            "no rating is left"
        )
    if len(aside) == 1:
        try:
            judgments.check_segments(corpus.segments)
        except AlignmentError as error:
            return str(error)
    return f"{'; '.join(map(str, aside))}; no rating is left"


def _aligned(
    usable: Mapping[int, Contents], corpus: Corpus
) -> tuple[tuple[ScoreTable, ...], dict[int, list[str]], dict[int, str]]:
    """Metric scores of the systems, a table a metric; what of each part is not used, and parts that do not fit.

    Scores of systems and scores of segments of one metric go together.
    """
    found: dict[str, ScoreTable] = {}
    places: dict[tuple[str, str], str] = {}
    warnings: dict[int, list[str]] = {}
    problems: dict[int, str] = {}
    for i, table in ((i, table) for i, contents in usable.items() for table in contents.scores):
        place, name = table.origin or "scores", table.name
        known = [system for system in table.systems if system in corpus.systems]
        if not known:
            wanted = f"of {listed(corpus.systems)}" if corpus.systems else "and no system output is loaded"
            problems[i] = f"{place}: {name}: scores of {listed(table.systems)} found, {wanted} expected"
            continue
        try:
            fitting = table.aligned(tuple(corpus.systems), corpus.segments)
        except AlignmentError as error:
            problems[i] = str(error)
            continue
        first = places.get((name, table.level))
        if first is not None:
            problems[i] = f"{place}: {first} already holds scores of {name}; rename or remove one"
            continue
        if name in found and found[name].higher_is_better != table.higher_is_better:
            other = next(other for (of, _), other in places.items() if of == name)
            problems[i] = f"{place}: lower {name} is better here or in {other}, but not in both; mark them alike"
            continue
        places[name, table.level] = place
        found[name] = _joined(found[name], fitting) if name in found else fitting
        if len(known) < len(table.systems):
            warnings[i] = [_without_text(table, known)]
    return tuple(found.values()), warnings, problems


def _without_text(table: ScoreTable, known: Collection[str]) -> str:
    """What of a metric's scores is not used."""
    unknown = [k for k, system in enumerate(table.systems) if system not in known]
    values = table.scores if table.level == "segment" else table.system_scores
    count, names = int(np.isfinite(values[unknown]).sum()), listed(table.systems[k] for k in unknown)
    verb = "is" if count == 1 else "are"
    return f"{count} {plural(count, 'score')} of {table.name} {verb} not used: no text of {names}"


def _joined(one: ScoreTable, other: ScoreTable) -> ScoreTable:
    """The scores of segments with those given of systems."""
    of_systems, of_segments = (one, other) if one.level == "system" else (other, one)
    given = of_systems.system_scores
    return replace(of_segments, system_scores=np.where(np.isnan(given), of_segments.system_scores, given))


def _same_text(identical: Iterable[Identical]) -> dict[str, list[str]]:
    """Each system whose text is that of something else -> what to say of it."""
    what = {"reference": "the reference ", "system": "the system ", "source": "", "document": ""}
    found: dict[str, list[str]] = {}
    for i in identical:
        name = "the source" if i.role == "source" else i.name
        found.setdefault(i.system, []).append(f"{i.system} is identical to {what[i.role]}{name}")
    return found


def _digest(corpus: Corpus, judgments: Judgments | None, human: Sequence[str], scores: Iterable[ScoreTable]) -> str:
    of_scores = sorted(_digest_of_scores(table) for table in scores)
    parts = (corpus.digest, judgments.digest if judgments else "", *sorted(human), *of_scores)
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _digest_of_scores(table: ScoreTable) -> str:
    """Of a metric's name and scores, whatever the order of the systems."""
    content = hashlib.blake2b(digest_size=16)
    for k in sorted(range(len(table.systems)), key=table.systems.__getitem__):
        texts = (table.name, table.systems[k], table.level, str(table.higher_is_better))
        content.update("\n".join(texts).encode("utf-8", "surrogatepass"))
        content.update(table.scores[k].tobytes() + table.system_scores[k].tobytes())
    return content.hexdigest()
