"""The files of a session, read and fitted together. No Streamlit: a pure function of the files.

A file that cannot be used is set aside with its problem, and the others go on without it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

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
from bleu_core.formats.delimited import is_delimited
from bleu_core.formats.recognise import Contents, FileReport, FileRole, read, recognise
from bleu_core.judgments import Judgments, merge

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
        encoding: its encoding where it is neither UTF-8 nor marked; None tries UTF-8.
        first_segment: the number its first segment has, in judgments.
        digest: of the bytes.
    """

    name: str
    data: bytes = field(repr=False)
    role: FileRole
    renamed: str = ""
    human: bool = False
    encoding: str | None = None
    first_segment: int = 1
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
            self.encoding,
            self.first_segment,
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
        warnings: what is odd about it.
        names: of its systems or references.
    """

    file: File
    report: FileReport | None
    problem: str = ""
    warnings: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Workspace:
    """What a session works on.

    Attributes:
        entries: every file, in the order they came.
        corpus: the texts that fit together; without systems when there are none.
        judgments: the ratings that fit; None when there are none.
        human_systems: systems whose text a person wrote.
        identical: systems whose text equals something else.
        digest: of all that decides a number on a page; part of a page's address.
    """

    entries: tuple[Entry, ...]
    corpus: Corpus
    judgments: Judgments | None
    human_systems: tuple[str, ...]
    identical: tuple[Identical, ...]
    digest: str

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


def assemble(files: Sequence[File]) -> Workspace:
    """Read all files and keep those that fit together."""
    read_files = [_read(file) for file in files]
    entries = [entry for entry, _ in read_files]
    usable = {i: contents for i, (_, contents) in enumerate(read_files) if contents is not None}
    for check in (_second_names, _other_lengths, _without_any_reference):
        for i, problem in check(usable).items():
            entries[i] = replace(entries[i], problem=problem)
            del usable[i]
    corpus = Corpus.from_columns(column for contents in usable.values() for column in contents.columns)
    for i, contents in list(usable.items()):
        if contents.judgments is not None:
            problem = _misplaced(contents.judgments, corpus)
            if problem:
                entries[i] = replace(entries[i], problem=problem)
                del usable[i]
    judgments = merge(c.judgments for c in usable.values() if c.judgments is not None)
    identical = identical_texts(corpus)
    human = tuple(n for e in entries if e.file.human and not e.problem and e.file.role == "system" for n in e.names)
    entries = [
        replace(e, warnings=(*e.warnings, *_same_text(e, identical), *_unrated(e, corpus, judgments))) for e in entries
    ]
    return Workspace(tuple(entries), corpus, judgments, human, identical, _digest(corpus, judgments, human))


def _read(file: File) -> tuple[Entry, Contents | None]:
    try:
        contents = read(file.data, file.name, file.role, encoding=file.encoding, first_segment=file.first_segment)
    except BleuCoreError as error:
        return Entry(file, None, problem=str(error)), None
    if file.renamed and file.can_be_renamed:
        contents = replace(contents, columns=tuple(replace(c, name=file.renamed) for c in contents.columns))
    names = tuple(c.name for c in contents.columns if c.role in ("system", "reference"))
    return Entry(file, contents.report, warnings=_oddities(contents), names=names), contents


def _oddities(contents: Contents) -> tuple[str, ...]:
    found: list[str] = []
    report = contents.report
    if report.empty_segments:
        found.append(f"{report.empty_segments} {plural(report.empty_segments, 'segment')} without text")
    if contents.judgments is not None:
        missing = len(contents.judgments.table) - len(contents.judgments.rated)
        if missing:
            found.append(f"{missing} {plural(missing, 'row')} without a score, not counted")
    return tuple(found)


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


def _misplaced(judgments: Judgments, corpus: Corpus) -> str:
    if not corpus.segments:
        return ""
    try:
        judgments.check_segments(corpus.segments)
    except AlignmentError as error:
        return str(error)
    return ""


def _same_text(entry: Entry, identical: Iterable[Identical]) -> list[str]:
    if entry.problem or entry.file.role != "system":
        return []
    what = {"reference": "the reference ", "system": "the system ", "source": "", "document": ""}
    return [
        f"{i.system} is identical to {what[i.role]}{'the source' if i.role == 'source' else i.name}"
        for i in identical
        if i.system in entry.names
    ]


def _unrated(entry: Entry, corpus: Corpus, judgments: Judgments | None) -> list[str]:
    if entry.problem or entry.file.role != "judgments" or judgments is None:
        return []
    unknown = [name for name in judgments.systems if name not in corpus.systems]
    return [f"rated, but no text is loaded: {', '.join(unknown)}"] if unknown else []


def _digest(corpus: Corpus, judgments: Judgments | None, human: Sequence[str]) -> str:
    parts = (corpus.digest, judgments.digest if judgments else "", *sorted(human))
    return hashlib.blake2b("\n".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
