"""Texts of test sets by document: the source, references and systems of each document, by segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, repeat
from types import MappingProxyType
from typing import TypeAlias

from bleu_core.dataset import ROLE_NAMES, Column, Labels, Role, SegmentId, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.contents import Archive, Contents, FileRole, report_of_texts
from bleu_core.formats.document_ids import language_pair
from bleu_core.formats.source import Source

#: A text of a test set: its role and its name.
Side = tuple[Role, str]
#: The roles of a file of documents: the whole test set, or the texts of one role.
DOCUMENT_ROLES: tuple[FileRole, ...] = ("archive", "system", "reference", "source", "document")
ORDER: tuple[Role, ...] = ("source", "reference", "system", "document")
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(slots=True)
class Document:
    """A document of a test set.

    Attributes:
        name: its id.
        labels: its labels by name, such as its domain.
        texts: for each side, the segments by their ids, in the order of the file.
    """

    name: str
    labels: dict[str, str] = field(default_factory=dict[str, str])
    texts: dict[Side, dict[str, str]] = field(default_factory=dict[Side, dict[str, str]])

    def segments(self) -> tuple[str, ...]:
        """Return the ids of its segments: those of the source, else of the references, else of the systems."""
        for role in ORDER:
            texts_of_role = [texts for (kind, _), texts in self.texts.items() if kind == role and texts]
            if texts_of_role:
                return tuple(
                    texts_of_role[0] if len(texts_of_role) == 1 else dict.fromkeys(chain.from_iterable(texts_of_role))
                )
        return ()


#: Documents with the ids of their segments that are used.
Segments: TypeAlias = "Sequence[tuple[Document, tuple[str, ...]]]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingContext:
    """The settings, repairs and notes of reading a file of documents.

    Attributes:
        role: the role of the file.
        label: the label of the format.
        encoding: the encoding of the bytes.
        pairs: the language pairs in the file.
        pair: the language pair that was read.
        repairs: descriptions of repairs.
        notes: sentences about decisions.
        any_role: whether a file with texts of one role may have them in any other.
    """

    role: FileRole
    label: str
    encoding: str
    pairs: tuple[str, ...] = ()
    pair: str = ""
    repairs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    any_role: bool = False


def document_contents(source: Source, documents: Sequence[Document], reading: ReadingContext) -> Contents:
    """Build contents from documents: their texts as columns.

    Columns have the ids of their segments: document and number, or the number in the file if several documents have one
    name. If there are references and other texts, segments without any reference are left out. A source or system has
    no row for a segment that it lacks; each of several references has None there.

    Raises:
        FormatError: there is no segment, or no text of the role.
        LimitError: there are too many systems, references or segments.
    """
    sides = dict.fromkeys(side for document in documents for side in document.texts)
    kinds = {role for role, _ in sides}
    numbers = Counter(role for role, _ in sides)
    for role in ("system", "reference"):
        source.limits.check(f"{role}s", numbers[role], source.name)
    segments, left_out = _segments(source, documents, has_references=kinds > {"reference"})
    notes = [*reading.notes, *left_out]
    count = sum(len(ids) for _, ids in segments)
    if not count:
        raise FormatError(f"{source.name}: 0 segments found, at least 1 expected")
    present = sum(_count_present(texts, ids) for document, ids in segments for texts in document.texts.values())
    source.limits.check("lines", len(sides) * count - present, f"{source.name}, segments that are missing")
    roles = _select_sides(source, sides, reading)
    ids = tuple(SegmentId(document.name, number) for document, document_ids in segments for number in document_ids)
    if len(set(ids)) < count:  # documents of one name, as of two test sets
        ids = tuple(SegmentId("", str(number)) for number in range(1, count + 1))
    columns = [
        _column(source, segments, side=side, role=role, ids=ids, several=numbers["reference"] > 1)
        for side, role in roles.items()
    ]
    if len(documents) > 1 or reading.role == "document":
        names = _repeat_per_segment(segments, lambda document: document.name)
        columns.append(Column("document", "documents", names, source.name, ids=ids))
    columns.sort(key=lambda column: ORDER.index(column.role))
    report = report_of_texts(
        tuple(columns), source.name, role=reading.role, encoding=reading.encoding, repairs=reading.repairs
    )
    report = replace(report, format=reading.label, notes=tuple(notes))
    labels = _labels(source, segments)
    archive = Archive(pairs=reading.pairs, pair=reading.pair) if reading.role == "archive" else None
    pair = language_pair(reading.pair)
    return Contents(report=report, columns=tuple(columns), labels=labels, archive=archive, named_languages=pair)


def _segments(source: Source, documents: Sequence[Document], *, has_references: bool) -> tuple[Segments, list[str]]:
    """Return the documents with their used segments, and notes on unused segments.

    Args:
        source: the file.
        documents: its documents.
        has_references: whether there are references and other texts.
    """
    segments = [(document, document.segments()) for document in documents]
    count = sum(len(ids) for _, ids in segments)
    source.limits.check("lines", count, f"{source.name}, segments")
    notes: list[str] = []
    surplus = 0
    for document, ids in segments:
        surplus += sum(len(texts) - _count_present(texts, ids) for texts in document.texts.values())
    if surplus:
        notes.append(f"{surplus:,} {plural(surplus, 'segment')} with ids that the source does not have not used")
    if has_references:
        segments = [(document, _with_reference(document, ids)) for document, ids in segments]
        count -= sum(len(ids) for _, ids in segments)
        if count:
            notes.append(f"{count:,} {plural(count, 'segment')} without any reference left out")
    return segments, notes


def _select_sides(source: Source, sides: Iterable[Side], reading: ReadingContext) -> dict[Side, Role]:
    """Return the texts that are used, with their roles."""
    sides = tuple(sides)
    if reading.role == "archive":
        return {side: side[0] for side in sides}
    if reading.role == "document":
        return {}
    role: Role = next(known_role for known_role in ORDER if known_role == reading.role)
    selected: dict[Side, Role] = {side: role for side in sides if side[0] == role}
    if not selected and reading.any_role and len({kind for kind, _ in sides}) == 1:
        selected = dict.fromkeys(sides, role)
    if not selected:
        contents = listed(
            dict.fromkeys(f"{ROLE_NAMES[kind]} {name}" if name else ROLE_NAMES[kind] for kind, name in sides)
        )
        raise FormatError(f"{source.name}: no {ROLE_NAMES[role]} found, at least 1 expected; the file has {contents}")
    if role == "source" and len(selected) > 1:
        raise FormatError(f"{source.name}: {len(selected)} texts found, 1 source expected")
    return selected


def _column(
    source: Source, segments: Segments, side: Side, role: Role, ids: tuple[SegmentId, ...], *, several: bool
) -> Column:
    place = f"{source.name}, {ROLE_NAMES[role]} {side[1]}" if side[1] else source.name
    name = side[1] or ("source" if role == "source" else source.stem)
    texts = [
        document_texts.get(number)
        for document, numbers in segments
        for document_texts in (document.texts.get(side, _NONE),)
        for number in numbers
    ]
    if role == "reference" and several:
        return Column(role, name, tuple(text if text and text.strip() else None for text in texts), place, ids=ids)
    present = [(key, text) for key, text in zip(ids, texts, strict=True) if text is not None]
    if len(present) < len(ids):
        ids = tuple(key for key, _ in present)  # other columns share theirs, which are then compared once
    return Column(role, name, tuple(text for _, text in present), place, ids=ids)


def _count_present(texts: Mapping[str, str], ids: Iterable[str]) -> int:
    """Return how many of the segments a text has."""
    return sum(map(texts.__contains__, ids))


def _repeat_per_segment(segments: Segments, property_of: Callable[[Document], str]) -> tuple[str, ...]:
    """Return a property of each document once per segment."""
    return tuple(chain.from_iterable(repeat(property_of(document), len(ids)) for document, ids in segments))


def _with_reference(document: Document, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the segments that a reference has."""
    references = (texts for (role, _), texts in document.texts.items() if role == "reference")
    with_text = {number for texts in references for number, text in texts.items() if text.strip()}
    return tuple(number for number in ids if number in with_text)


def _labels(source: Source, segments: Segments) -> Labels | None:
    names = dict.fromkeys(name for document, ids in segments if ids for name in document.labels)
    given = {
        name: _repeat_per_segment(segments, lambda document, name=name: document.labels.get(name, "")) for name in names
    }
    varied = {name: labels for name, labels in given.items() if len(set(labels)) > 1}
    if not varied:
        return None
    numbers = tuple(range(1, sum(len(ids) for _, ids in segments) + 1))
    return Labels(unit="segment", keys=numbers, columns=varied, lines=numbers, origin=source.name)
