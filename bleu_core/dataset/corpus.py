"""Columns of text, and the corpus of columns of equal length."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeVar, cast

from bleu_core.dataset.names import normal_name, normal_names
from bleu_core.errors import AlignmentError, EmptyFileError, FormatError, listed
from bleu_core.invocation import column_with_role, columns_option

Text = TypeVar("Text")
Role = Literal["source", "reference", "system", "document"]

ROLE_NAMES: Mapping[Role, str] = MappingProxyType(
    {"source": "source", "reference": "reference", "system": "system", "document": "documents"}
)

#: Roles with at most one column.
SINGLE: tuple[Role, ...] = ("source", "document")


#: Maximum number of files that a message names; further ones are counted.
MAX_NAMED = 2


class SegmentId(NamedTuple):
    """The id of a segment in a file.

    Attributes:
        document: the document; empty where the file names none.
        segment: the segment, within its document; empty where each document is one segment.
        pair: the language pair; empty where the file names none.
    """

    document: str
    segment: str
    pair: str = ""

    def __str__(self) -> str:
        """Return the id for people.

        >>> str(SegmentId("news-1", "3")), str(SegmentId("", "3")), str(SegmentId("news-1", ""))
        ('news-1 3', '3', 'news-1')
        """
        return " ".join(filter(None, (self.pair, self.document, self.segment)))

    def shifted(self, by: int) -> SegmentId:
        """Return the id of the segment `by` numbers later; ids must be whole numbers.

        >>> SegmentId("news-1", "3").shifted(-1)
        SegmentId(document='news-1', segment='2', pair='')
        """
        return self._replace(segment=str(int(self.segment) + by))


def counted_from_1(ids: Sequence[SegmentId]) -> tuple[SegmentId, ...]:
    """Return ids of segments counted from 1; ids that begin with 0 are shifted.

    >>> [key.segment for key in counted_from_1([SegmentId("a", "0"), SegmentId("a", "1"), SegmentId("b", "")])]
    ['1', '2', '']
    """
    if not any(key.segment == "0" for key in ids):
        return tuple(ids)
    return tuple(key.shifted(1) if key.segment.isdecimal() else key for key in ids)


def numbered_in_documents(documents: Sequence[str]) -> tuple[SegmentId, ...]:
    """Return ids of segments that are numbered from 1 within their documents.

    >>> [(key.document, key.segment) for key in numbered_in_documents(["a", "a", "b"])]
    [('a', '1'), ('a', '2'), ('b', '1')]
    """
    seen: Counter[str] = Counter()
    ids: list[SegmentId] = []
    for document in documents:
        seen[document] += 1
        ids.append(SegmentId(document, str(seen[document])))
    return tuple(ids)


class KeyColumn(NamedTuple):
    """A column of a table that may identify its rows, and that is not used as text.

    Attributes:
        header: its header.
        is_id: whether the header announces ids or numbers of rows.
        values: S values, whole numbers without leading zeros; empty where there is none.
        lines: the line of the file on which each row begins.
        is_given: whether the user says that it has ids.
    """

    header: str
    is_id: bool
    values: tuple[str, ...]
    lines: Sequence[int]
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class Column:
    """The segments of a file, or of a column of a table, in order.

    Attributes:
        role: the role of the segments.
        name: the name of the system or reference, in the form of normal_name.
        segments: S texts; None only in references, where a segment has no translation. For documents, their ids in the
            form of normal_name.
        origin: the file, for messages.
        unit: the unit of the file, for messages: plain text has one segment per line.
        ids: S unique ids of the segments, by which rows of several files are joined; None if the file has none.
        written: S texts with their line breaks, for documents that may be split at paragraphs; else None.
        id_name: what the ids are, for messages, such as "column id"; empty where the format says it.
        keys: columns of the same table by which its rows may be joined instead.
        numbers: of documents, header -> S whole numbers, -1 where unknown, of each other column of numbers in their
            table, which ratings may have instead of lines.

    Raises:
        EmptyFileError: there is no segment.
        FormatError: a segment other than a reference's is absent.
        ValueError: the number of ids is not that of segments.
    """

    role: Role
    name: str
    segments: tuple[str | None, ...]
    origin: str = ""
    unit: Literal["line", "segment"] = "segment"
    ids: tuple[SegmentId, ...] | None = field(default=None, repr=False)
    written: tuple[str, ...] | None = field(default=None, repr=False, compare=False)
    id_name: str = field(default="", repr=False, compare=False)
    keys: tuple[KeyColumn, ...] = field(default=(), repr=False, compare=False)
    numbers: Mapping[str, tuple[int, ...]] = field(
        default_factory=dict[str, tuple[int, ...]], repr=False, compare=False
    )

    def __post_init__(self) -> None:
        if not self.segments:
            raise EmptyFileError(f"{self.place}: the file is empty: 0 segments, at least 1 expected")
        if self.role != "reference" and None in self.segments:
            line = self.segments.index(None) + 1
            raise FormatError(
                f"{self.place}, line {line}: no text found; only references may have segments without text"
            )
        if self.ids is not None and len(self.ids) != len(self.segments):
            raise ValueError(f"{self.place}: {len(self.ids)} ids found, {len(self.segments)} expected")
        object.__setattr__(self, "name", normal_name(self.name))
        if self.role == "document":
            object.__setattr__(self, "segments", normal_names(cast("tuple[str, ...]", self.segments)))

    @property
    def key(self) -> tuple[Role, str]:
        """What is unique in a corpus: a name in a role, or a role with a single text."""
        return self.role, "" if self.role in SINGLE else self.name

    @property
    def place(self) -> str:
        """The file or, without one, the role and name of the column, for messages."""
        return self.origin or f"{ROLE_NAMES[self.role]} {self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingText:
    """A text that cannot be used, as its file cannot be read or differs from the others in its number of segments.

    Attributes:
        role: the role of the text.
        name: the name of the system or reference.
        place: the file, for messages.
        problem: the message about the text.
        segments: the number of its segments, if that is the problem; else None.
        expected: the number of segments of the other texts; 0 if unknown.
        unit: the unit of the file, for messages.
        incomplete: whether the text lacks segments, by the ids in its file, and can be compared on the segments it has.
    """

    role: Role
    name: str
    place: str
    problem: str
    segments: int | None = None
    expected: int = 0
    unit: Literal["line", "segment"] = "line"
    incomplete: bool = False

    @classmethod
    def unreadable(cls, role: Role, name: str, place: str, error: Exception, problem: str = "") -> MissingText:
        """Return the record of a text whose file is empty or cannot be read; `problem` replaces the error's message."""
        return cls(
            role=role,
            name=name,
            place=place,
            problem=problem or str(error),
            segments=0 if isinstance(error, EmptyFileError) else None,
        )

    @property
    def reason(self) -> str:
        """The reason why the text cannot be used, in words that follow its name.

        >>> problem = "a.txt: the file is empty"
        >>> MissingText(role="system", name="A", place="a.txt", problem=problem, segments=0, expected=529).reason
        'the file is empty (0 lines, 529 expected)'
        >>> problem = "a.txt, line 3: NUL character found"
        >>> MissingText(role="system", name="A", place="a.txt", problem=problem).reason
        'line 3: NUL character found'
        """
        if self.segments is None:
            return self.problem.removeprefix(self.place).lstrip(",: ")
        expected = f", {self.expected:,} expected" if self.expected else ""
        counts = f"{self.segments:,} {plural(self.segments, self.unit)}{expected}"
        return f"the file has {counts}" if self.segments else f"the file is empty ({counts})"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Hypotheses, references and source of the same text, aligned by position.

    Attributes:
        systems: name -> S hypotheses.
        references: name -> S segments, None where the reference is absent.
        source: S source segments, if known.
        documents: the document of each segment, if known.
        labels: further properties of the segments, such as their domains: name -> S labels, empty where unknown.
        ids: the ids of the segments in the files, if any; ratings are placed by them.
        languages: the language pair as SOURCE-TARGET, "en-zh" for example, if the files say it; else empty.
        digest: blake2b of all texts and labels, whatever the order of the files; a key for caches and links.

    Raises:
        AlignmentError: texts differ in length.
        ValueError: the number of labels or ids is not that of segments.
    """

    systems: Mapping[str, tuple[str, ...]]
    references: Mapping[str, tuple[str | None, ...]]
    source: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    ids: tuple[SegmentId, ...] | None = field(default=None, repr=False)
    languages: str = field(default="", compare=False)
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        for side in ("systems", "references", "labels"):
            texts: Mapping[str, tuple[str, ...]] = getattr(self, side)
            object.__setattr__(self, side, MappingProxyType({name: tuple(text) for name, text in texts.items()}))
        for side in ("source", "documents"):
            object.__setattr__(self, side, None if getattr(self, side) is None else tuple(getattr(self, side)))
        _check_lengths(self.columns)
        for name, labels in self.labels.items():
            if len(labels) != self.segments:
                raise ValueError(f"{name}: {len(labels)} labels found, {self.segments} expected, one per segment")
        if self.ids is not None and len(self.ids) != self.segments:
            raise ValueError(f"{len(self.ids)} ids found, {self.segments} expected, one per segment")
        object.__setattr__(self, "digest", _digest(self))

    def __hash__(self) -> int:
        return hash(self.digest)  # mappings have no hash

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Key of the corpus in caches; unlike the digest, it depends on the order of systems and references."""
        return self.digest, tuple(self.systems), tuple(self.references)

    @classmethod
    def from_columns(
        cls, columns: Iterable[Column], ids: Sequence[SegmentId] | None = None, *, languages: str = ""
    ) -> Corpus:
        """Align columns by position.

        Args:
            columns: columns of equal length.
            ids: ids of the segments; ignored if their number is not that of segments.
            languages: the language pair, if it is known.

        Raises:
            AlignmentError: columns differ in length, two of a role share a name, there is more than one
                source or document column, or a segment has no reference at all.
        """
        columns = tuple(columns)
        _check_names(columns)
        _check_lengths(columns)
        references = {c.name: c.segments for c in columns if c.role == "reference"}
        problem = no_reference([c for c in columns if c.role == "reference"])
        if problem:
            raise AlignmentError(problem)
        return cls(
            systems={c.name: _texts(c) for c in columns if c.role == "system"},
            references=references,
            source=next((_texts(c) for c in columns if c.role == "source"), None),
            documents=next((_texts(c) for c in columns if c.role == "document"), None),
            ids=tuple(ids) if ids and columns and len(ids) == len(columns[0].segments) else None,
            languages=languages,
        )

    @property
    def columns(self) -> tuple[Column, ...]:
        """All texts, as columns."""
        return (
            *(Column("system", name, texts) for name, texts in self.systems.items()),
            *(Column("reference", name, texts) for name, texts in self.references.items()),
            *(Column("source", "source", texts) for texts in [self.source] if texts is not None),
            *(Column("document", "documents", texts) for texts in [self.documents] if texts is not None),
        )

    @property
    def segments(self) -> int:
        """S, the number of segments; 0 for an empty corpus."""
        known = (*self.systems.values(), *self.references.values(), self.source, self.documents)
        return next((len(texts) for texts in known if texts is not None), 0)

    def subset(self, rows: Sequence[int]) -> Corpus:
        """Return the corpus with some of the segments.

        Args:
            rows: positions of the segments, from 0, in the order wanted.
        """

        def of_rows(texts: Sequence[Text]) -> tuple[Text, ...]:
            return tuple(texts[i] for i in rows)

        return Corpus(
            systems={name: of_rows(texts) for name, texts in self.systems.items()},
            references={name: of_rows(texts) for name, texts in self.references.items()},
            source=None if self.source is None else of_rows(self.source),
            documents=None if self.documents is None else of_rows(self.documents),
            labels={name: of_rows(labels) for name, labels in self.labels.items()},
            ids=None if self.ids is None else of_rows(self.ids),
            languages=self.languages,
        )


@dataclass(frozen=True, slots=True)
class Identical:
    """A system whose text equals a reference, the source or another system."""

    system: str
    role: Role
    name: str

    @property
    def sentence(self) -> str:
        """A sentence on the identity."""
        of = {"reference": f"the reference {self.name}", "system": f"the system {self.name}", "source": "the source"}
        return f"{self.system} is identical to {of.get(self.role, self.name)}"


def identical_texts(corpus: Corpus) -> tuple[Identical, ...]:
    """Find systems whose text equals a reference, another system or the source, which is usually a mistake.

    If several systems have the same text, each is compared with the first of them.
    """
    references: dict[tuple[str | None, ...], list[str]] = {}
    for name, texts in corpus.references.items():
        references.setdefault(texts, []).append(name)
    first: dict[tuple[str, ...], str] = {}
    identical: list[Identical] = []
    for name, texts in corpus.systems.items():
        identical += [Identical(name, "reference", reference) for reference in references.get(texts, ())]
        other = first.setdefault(texts, name)
        if other != name:
            identical.append(Identical(name, "system", other))
        if corpus.source == texts:
            identical.append(Identical(name, "source", "source"))
    return tuple(identical)


def most_common_length(columns: Iterable[Column]) -> int:
    """Return the number of segments that most columns have.

    If files differ in length, usually one file is wrong, possibly the reference. Ties are resolved in favour of the
    length of a reference, else that of the first column.
    """
    columns = tuple(columns)
    votes = Counter(len(c.segments) for c in columns)
    max_votes = max(votes.values(), default=0)
    tied = [length for length, count in votes.items() if count == max_votes]  # in the order of the columns
    reference_lengths = (
        len(c.segments) for c in columns if c.role == "reference" and votes[len(c.segments)] == max_votes
    )
    return next(reference_lengths, tied[0] if tied else 0)


def length_mismatch(column: Column, columns: Iterable[Column], expected: int | None = None) -> str:
    """Return the message that a column is shorter or longer than most others.

    Args:
        column: the column of another length.
        columns: all columns of the corpus, including `column`.
        expected: the expected number of segments; the most common one if None.

    >>> short, long = Column("system", "A", ("x",), "a.txt", "line"), Column("reference", "R", ("x", "y"), "r.txt")
    >>> length_mismatch(short, [short, long])
    'a.txt has 1 line, 1 fewer than r.txt (2). A line was probably lost or joined.'
    >>> long = Column("system", "B", ("x", "y", ""), "b.txt", "line")
    >>> length_mismatch(long, [Column("reference", "R", ("x", "y"), "r.txt"), long])
    'b.txt has 3 lines, 1 more than r.txt (2). 1 line is empty; if it is no segment, remove it.'
    """
    columns = tuple(columns)
    count = len(column.segments)
    expected = most_common_length(columns) if expected is None else expected
    others = {c.place for c in columns} - {column.place}
    agreeing = list(dict.fromkeys(c.place for c in columns if len(c.segments) == expected))
    if len(agreeing) == len(others) > 1:
        those = f"the {len(agreeing):,} other {'files' if column.origin else 'texts'}"
    else:
        those = " and ".join(agreeing) if len(agreeing) <= MAX_NAMED else listed(agreeing, max_items=MAX_NAMED)
    difference = abs(count - expected)
    what = f"A {column.unit} was" if difference == 1 else f"{column.unit.capitalize()}s were"
    more, how = ("fewer", "lost or joined") if count < expected else ("more", "added or split")
    counts = f"{count:,} {plural(count, column.unit)}, {difference:,} {more} than {those} ({expected:,})"
    if count > expected and sum(not (text or "").strip() for text in column.segments) == difference:
        are, they = ("is", "it is no segment") if difference == 1 else ("are", "these are no segments")
        these = f"{difference:,} {plural(difference, column.unit)}"
        return f"{column.place} has {counts}. {these} {are} empty; if {they}, remove {'it' if are == 'is' else 'them'}."
    return f"{column.place} has {counts}. {what} probably {how}."


def same_name(column: Column, first: Column, file: str = "") -> str:
    """Return the message that a column's name, or a role with at most one column, is already used.

    Args:
        column: the second column.
        first: the first column.
        file: the file of the second column; its own place if empty.
    """
    place = file or column.place
    if column.role in SINGLE and column.segments == first.segments:
        what = "source is" if column.role == "source" else "documents are"
        return f"{place}: the {what} already loaded from {first.place}; remove one of the two"
    if column.role in SINGLE:
        differing = "source differs from that" if column.role == "source" else "document ids differ from those"
        where = f"{first.place}{_first_difference(column, first)}"
        headers = [f"{c.origin}:{c.name}" for c in (first, column) if c.unit != "line"]
        texts = set(first.segments)
        is_same = len(texts) == len(first.segments) == len(column.segments) and texts == set(column.segments)
        if len(headers) > 1 and is_same:
            option = columns_option(column_with_role(header, "id") for header in headers)
            return f"{place}: its {differing} in {where} only in their order; to join the rows by them, use {option}"
        return f"{place}: its {differing} in {where}; remove one of the two"
    other = "another column" if column.origin and column.origin == first.origin else first.place
    return f"{place}: {other} already holds a {column.role} called {column.name}; rename or remove one"


def _first_difference(column: Column, first: Column) -> str:
    """Return the first difference of two columns as part of a sentence; empty if one is the beginning of the other."""
    pairs = enumerate(zip(column.segments, first.segments, strict=False), start=1)
    number = next((number for number, (text, other) in pairs if text != other), None)
    return "" if number is None else f" (first in segment {number:,})"


def no_reference(references: Sequence[Column]) -> str:
    """Return the message about the first segment without a reference; empty if every segment has one."""
    line = first_without_reference([c.segments for c in references])
    return f"{references[0].place}, line {line}: no reference, at least 1 expected" if line else ""


def first_without_reference(references: Sequence[Sequence[str | None]]) -> int:
    """Return the first segment (from 1) that no reference has; 0 if every segment has one."""
    if not all(None in segments for segments in references):
        return 0  # one of them has every segment
    present = enumerate(zip(*references, strict=True), start=1)
    return next((line for line, texts in present if all(text is None for text in texts)), 0)


def plural(count: int, noun: str) -> str:
    """Return the noun in the singular or plural."""
    return noun if count == 1 else noun + "s"


def _texts(column: Column) -> tuple[str, ...]:
    return cast("tuple[str, ...]", column.segments)  # Column has checked that none is absent


def _check_names(columns: tuple[Column, ...]) -> None:
    seen: dict[tuple[Role, str], Column] = {}
    for column in columns:
        first = seen.setdefault(column.key, column)
        if first is not column:
            raise AlignmentError(same_name(column, first))


def _check_lengths(columns: tuple[Column, ...]) -> None:
    expected = most_common_length(columns)
    for column in columns:
        if len(column.segments) != expected:
            raise AlignmentError(length_mismatch(column, columns))


def _digest(corpus: Corpus) -> str:
    content = hashlib.blake2b(digest_size=16)

    def add(text: str | None) -> None:
        encoded = b"" if text is None else text.encode("utf-8", "surrogatepass")
        length = -1 if text is None else len(encoded)
        content.update(length.to_bytes(8, "little", signed=True))  # lengths distinguish "ab","c" from "a","bc"
        content.update(encoded)

    sources = {} if corpus.source is None else {"": corpus.source}
    documents = {} if corpus.documents is None else {"": corpus.documents}
    groups: tuple[Mapping[str, tuple[str | None, ...]], ...]
    groups = (corpus.systems, corpus.references, sources, documents, corpus.labels)
    for role, texts in zip(("system", "reference", "source", "document", "label"), groups, strict=True):
        for name in sorted(texts):
            add(role)
            add(name)
            content.update(len(texts[name]).to_bytes(8, "little"))  # so that no segment is taken for a role
            for text in texts[name]:
                add(text)
    return content.hexdigest()
