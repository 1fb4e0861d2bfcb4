"""Texts of test sets by document: the source, references and systems of each document, by segment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType
from typing import TypeAlias

from bleu_core.dataset import ROLE_NAMES, Column, Labels, Role, SegmentId, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.contents import Contents, FileRole, text_contents
from bleu_core.formats.source import Source
from bleu_core.formats.xml_elements import join_lines

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


#: A segment of a test set: its document, and its id in it.
Segment: TypeAlias = "tuple[Document, str]"


def document_contents(
    source: Source,
    documents: Sequence[Document],
    role: FileRole,
    label: str,
    *,
    encoding: str,
    pairs: tuple[str, ...] = (),
    pair: str = "",
    repairs: tuple[str, ...] = (),
    notes: Sequence[str] = (),
    any_role: bool = False,
) -> Contents:
    """Build contents from documents: their texts as columns.

    Columns have the ids of their segments: document and number, or the number in the file if several documents have one
    name. If there are references and other texts, segments without any reference are left out. A source or system has
    no row for a segment that it lacks; each of several references has None there.

    Args:
        source: the file.
        documents: its documents.
        role: the role of the file.
        label: the label of the format.
        encoding: the encoding of the bytes.
        pairs: the language pairs in the file.
        pair: the language pair that was read.
        repairs: descriptions of repairs.
        notes: sentences about decisions.
        any_role: whether a file with texts of one role may have them in any other.

    Raises:
        FormatError: there is no segment, or no text of the role.
        LimitError: there are too many systems, references or segments.
    """
    sides = dict.fromkeys(side for document in documents for side in document.texts)
    numbers = Counter(kind for kind, _ in sides)
    for kind in ("system", "reference"):
        source.limits.check(f"{kind}s", numbers[kind], source.name)
    segments, left_out = _segments(source, documents, sides)
    count = len(segments)
    if not count:
        raise FormatError(f"{source.name}: 0 segments found, at least 1 expected")
    roles = _select_sides(source, sides, role, any_role=any_role)
    ids = tuple(SegmentId(document.name, number) for document, number in segments)
    if len(set(ids)) < count:  # documents of one name, as of two test sets
        ids = tuple(SegmentId("", str(number)) for number in range(1, count + 1))
    columns = [
        _column(source, segments, side=side, role=as_role, ids=ids, several=numbers["reference"] > 1)
        for side, as_role in roles.items()
    ]
    if len(documents) > 1 or role == "document":
        names = tuple(document.name for document, _ in segments)
        columns.append(Column("document", "documents", names, source.name, ids=ids))
    columns.sort(key=lambda column: ORDER.index(column.role))
    return text_contents(
        tuple(columns),
        source,
        role,
        label,
        encoding=encoding,
        repairs=repairs,
        notes=(*notes, *left_out),
        pairs=pairs if role == "archive" else (),
        pair=pair,
        labels=_labels(source, segments),
    )


def column_of_texts(
    side: Side, texts: Sequence[str | None], ids: tuple[SegmentId, ...], place: str, *, written: bool = False
) -> Column:
    """Return a text of a test set: a reference has None for a segment that it lacks, other texts have no row for it.

    Args:
        side: its role and its name.
        texts: S texts; None for a segment without one.
        ids: the ids of the S segments.
        place: the file and the text, for messages.
        written: whether the column keeps the texts as they are written beside those in one line.
    """
    role, name = side
    if role != "reference" and None in texts:
        present = [(key, text) for key, text in zip(ids, texts, strict=True) if text is not None]
        ids, texts = tuple(key for key, _ in present), tuple(text for _, text in present)
    if not written:
        return Column(role, name, tuple(texts), place, ids=ids)  # columns that share their ids are compared once
    segments = tuple(None if text is None else join_lines(text) for text in texts)
    return Column(role, name, segments, place, ids=ids, written=tuple(text or "" for text in texts))


def _segments(
    source: Source, documents: Sequence[Document], sides: Collection[Side]
) -> tuple[list[Segment], list[str]]:
    """Return the segments that are used, and notes on the others.

    Raises:
        LimitError: there are too many segments, or too many that texts lack.
    """
    ids_of_documents = [(document, document.segments()) for document in documents]
    segments = [(document, number) for document, ids in ids_of_documents for number in ids]
    source.limits.check("lines", len(segments), f"{source.name}, segments")
    surplus = sum(len(texts.keys() - ids) for document, ids in ids_of_documents for texts in document.texts.values())
    present = sum(len(texts) for document in documents for texts in document.texts.values()) - surplus
    source.limits.check("lines", len(sides) * len(segments) - present, f"{source.name}, segments that are missing")
    notes: list[str] = []
    if surplus:
        notes.append(f"{surplus:,} {plural(surplus, 'segment')} with ids that the source does not have not used")
    references = [side for side in sides if side[0] == "reference"]
    if 0 < len(references) < len(sides):
        used = [
            (document, number)
            for document, number in segments
            if any(document.texts.get(side, _NONE).get(number, "").strip() for side in references)
        ]
        count = len(segments) - len(used)
        if count:
            notes.append(f"{count:,} {plural(count, 'segment')} without any reference left out")
        segments = used
    return segments, notes


def _select_sides(source: Source, sides: Collection[Side], role: FileRole, *, any_role: bool) -> dict[Side, Role]:
    """Return the texts that are used in a role of the file, with their roles."""
    if role == "archive":
        return {side: side[0] for side in sides}
    if role == "document":
        return {}
    as_role: Role = next(known for known in ORDER if known == role)
    selected: dict[Side, Role] = {side: as_role for side in sides if side[0] == as_role}
    if not selected and any_role and len({kind for kind, _ in sides}) == 1:
        selected = dict.fromkeys(sides, as_role)
    if not selected:
        contents = listed(
            dict.fromkeys(f"{ROLE_NAMES[kind]} {name}" if name else ROLE_NAMES[kind] for kind, name in sides)
        )
        raise FormatError(
            f"{source.name}: no {ROLE_NAMES[as_role]} found, at least 1 expected; the file has {contents}"
        )
    if role == "source" and len(selected) > 1:
        raise FormatError(f"{source.name}: {len(selected)} texts found, 1 source expected")
    return selected


def _column(
    source: Source, segments: Sequence[Segment], side: Side, role: Role, ids: tuple[SegmentId, ...], *, several: bool
) -> Column:
    place = f"{source.name}, {ROLE_NAMES[role]} {side[1]}" if side[1] else source.name
    name = side[1] or ("source" if role == "source" else source.stem)
    texts = [document.texts.get(side, _NONE).get(number) for document, number in segments]
    if role == "reference" and several:
        texts = [text if text and text.strip() else None for text in texts]
    return column_of_texts((role, name), texts, ids, place)


def _labels(source: Source, segments: Sequence[Segment]) -> Labels | None:
    given = {
        name: tuple(document.labels.get(name, "") for document, _ in segments)
        for name in dict.fromkeys(name for document, _ in segments for name in document.labels)
    }
    varied = {name: labels for name, labels in given.items() if len(set(labels)) > 1}
    if not varied:
        return None
    numbers = tuple(range(1, len(segments) + 1))
    return Labels(unit="segment", keys=numbers, columns=varied, lines=numbers, origin=source.name)
