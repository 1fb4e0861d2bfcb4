"""The files of a session, read and fitted together. No Streamlit: a pure function of the files.

A file that cannot be used is set aside with its problem, and the others go on without it. Of an archive, or a file of
several metrics, only the parts that cannot be used are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath, PurePosixPath

import numpy as np

from bleu_core.corpus import (
    Column,
    Corpus,
    Identical,
    identical_texts,
    length_mismatch,
    most_common_length,
    plural,
)
from bleu_core.errors import AlignmentError, BleuCoreError
from bleu_core.formats.archive import packed
from bleu_core.formats.delimited import is_delimited
from bleu_core.formats.recognise import Contents, FileReport, FileRole, formats_of, read, recognise
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.judgments import Judgments, ScoreTable, SetAside, merge

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


def sorted_in(name: str, data: bytes, role: FileRole | None) -> File:
    """Take a new file in, in the role given, or in the one its name and content suggest."""
    name = PurePath(name.replace("\\", "/")).name or "unnamed"
    if role is None:
        try:
            role = recognise(data, name)
        except BleuCoreError:  # told when it is read
            role = "system"
    return File(name, data, role)


def folders_in(arrived: Iterable[tuple[str, Callable[[], bytes]]]) -> tuple[list[File], list[str]]:
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
            found.append(sorted_in(folder, packed(files, folder), "archive"))
        except BleuCoreError as error:
            problems.append(str(error))
    if alone:
        count = f"{len(alone)} {plural(len(alone), 'file')} came without a folder"
        problems.append(
            f"{alone[0]}: {count}: a folder that is dropped may lose its structure; choose it with the button, or "
            "pack it as a zip"
        )
    return found, problems


def assemble(files: Sequence[File]) -> Workspace:
    """Read all files and keep those that fit together."""
    read_files = [_read(file) for file in files]
    parts = [(i, part) for i, (_, contents) in enumerate(read_files) for part in _parts(contents)]
    usable = {number: part for number, (_, part) in enumerate(parts)}
    problems: dict[int, str] = {}

    def set_aside(found: Mapping[int, str]) -> None:
        problems.update(found)
        for part in found:
            del usable[part]

    for check in (_second_names, _other_lengths, _without_any_reference):
        set_aside(check(usable))
    set_aside(_without_texts(parts, problems))
    corpus = Corpus.from_columns(column for contents in usable.values() for column in contents.columns)
    judgments, warnings, misplaced = _placed(usable, corpus)
    set_aside(misplaced)
    scores, odd, unfit = _aligned(usable, corpus)
    set_aside(unfit)
    warnings |= odd
    identical = identical_texts(corpus)
    entries: list[Entry] = []
    human: list[str] = []
    for i, (entry, _) in enumerate(read_files):
        mine = [part for part, (owner, _) in enumerate(parts) if owner == i]
        refused = [problems[part] for part in mine if part in problems]
        if refused and len(refused) == len(mine):
            entries.append(replace(entry, problem=refused[0]))
            continue
        systems = {c.name for part in mine if part in usable for c in usable[part].columns if c.role == "system"}
        if entry.file.human:
            human += [name for name in entry.names if name in systems]
        human += [name for name in entry.file.human_names if name in systems and name not in human]
        said = [f"not used: {problem}" for problem in refused]
        said += [warning for part in mine for warning in warnings.get(part, ())]
        entries.append(replace(entry, warnings=(*entry.warnings, *said, *_same_text(systems, identical))))
    digest = _digest(corpus, judgments, human, scores)
    return Workspace(tuple(entries), corpus, judgments, tuple(human), identical, digest, scores)


def _read(file: File) -> tuple[Entry, Contents | None]:
    try:
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
        )
    except BleuCoreError as error:
        return Entry(file, None, problem=str(error)), None
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


def _oddities(contents: Contents, file: File) -> tuple[str, ...]:
    found = list(contents.report.notes)
    empty = contents.report.empty_segments
    if empty:
        found.append(f"{empty} {plural(empty, 'segment')} without text")
    aside = contents.report.set_aside if contents.judgments is None else contents.judgments.set_aside
    return (*found, *_told(aside, file.name))


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
    """Files that give a name, or a role of which there is one, a second time."""
    first: dict[tuple[str, str], Column] = {}
    problems: dict[int, str] = {}
    for i, contents in usable.items():
        keys = [(c.role, "" if c.role in SINGLE else c.name) for c in contents.columns]
        taken = next((k for k in keys if k in first), None)
        if taken is None:
            first |= dict(zip(keys, contents.columns, strict=True))
            continue
        name, other = contents.report.name, first[taken].origin
        if taken[0] in SINGLE:
            role = "the source" if taken[0] == "source" else "the documents"
            problems[i] = f"{name}: {other} already holds {role}; remove one of the two"
        else:
            problems[i] = f"{name}: {other} already holds a {taken[0]} called {taken[1]}; rename or remove one"
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
            f"{origin}: ratings of {', '.join(judgments.systems)} found, of {', '.join(corpus.systems)} expected; "
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
            wanted = f"of {', '.join(corpus.systems)}" if corpus.systems else "and no system output is loaded"
            problems[i] = f"{place}: {name}: scores of {', '.join(table.systems)} found, {wanted} expected"
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
    count, names = int(np.isfinite(values[unknown]).sum()), ", ".join(table.systems[k] for k in unknown)
    verb = "is" if count == 1 else "are"
    return f"{count} {plural(count, 'score')} of {table.name} {verb} not used: no text of {names}"


def _joined(one: ScoreTable, other: ScoreTable) -> ScoreTable:
    """The scores of segments with those given of systems."""
    of_systems, of_segments = (one, other) if one.level == "system" else (other, one)
    given = of_systems.system_scores
    return replace(of_segments, system_scores=np.where(np.isnan(given), of_segments.system_scores, given))


def _same_text(systems: Collection[str], identical: Iterable[Identical]) -> list[str]:
    what = {"reference": "the reference ", "system": "the system ", "source": "", "document": ""}
    return [
        f"{i.system} is identical to {what[i.role]}{'the source' if i.role == 'source' else i.name}"
        for i in identical
        if i.system in systems
    ]


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
