"""Parts of files that are used or left out as a whole: texts, ratings, scores, and labels of segments or documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from bleu_core.dataset.corpus import Column, MissingText, plural
from bleu_core.dataset.judgments import Judgments, ScoreTable
from bleu_core.errors import AlignmentError, FormatError, listed

#: Names of other properties of segments, which labels cannot have.
FIELDS = (
    *("segment", "document", "half", "source", "reference", "system", "equal", "score", "length", "numbers"),
    *("capitalised", "quotes", "negations", "ratings", "disputed"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """A table of labels, with one row per segment or per document.

    Attributes:
        unit: what a row describes.
        keys: the segment number, from 1, or the document of each row; unique.
        columns: name -> the label in each row.
        lines: the line of the file on which each row begins.
        origin: the file, for messages.
    """

    unit: Literal["segment", "document"]
    keys: tuple[int, ...] | tuple[str, ...]
    columns: Mapping[str, tuple[str, ...]]
    lines: tuple[int, ...]
    origin: str

    def place(
        self, segments: int, documents: Sequence[str] | None
    ) -> tuple[Mapping[str, tuple[str, ...]], tuple[str, ...]]:
        """Return the label of each segment of a text.

        Args:
            segments: S, the number of segments.
            documents: the document of each segment, if known.

        Returns:
            Name -> S labels, empty where the table has none, and warnings: sentences that follow the file's name.

        Raises:
            AlignmentError: a row is of a segment beyond the text, the documents are unknown, or the table has no label
                of any segment.
        """
        segment_keys: Sequence[int | str] = range(1, segments + 1) if self.unit == "segment" else documents or ()
        if self.unit == "document" and documents is None:
            raise AlignmentError(
                f"{self.origin}: its labels are of documents, and the documents of the segments are not known; add a "
                "file with one document id per line"
            )
        unknown = set(self.keys).difference(segment_keys)
        if unknown and self.unit == "segment":
            key, line = next(pair for pair in zip(self.keys, self.lines, strict=True) if pair[0] in unknown)
            raise AlignmentError(
                f"{self.origin}, line {line}: label of segment {key:,} found, but the texts have {segments:,} "
                f"{plural(segments, 'segment')}"
            )
        row = {key: i for i, key in enumerate(self.keys)}
        rows = [row.get(key, -1) for key in segment_keys]
        missing = rows.count(-1)
        if missing == segments:
            raise AlignmentError(
                f"{self.origin}: labels of {listed(map(str, self.keys))} found, labels of at least one of "
                f"{listed(dict.fromkeys(map(str, segment_keys)))} expected"
            )
        warnings: list[str] = []
        if missing:
            warnings.append(f"{missing:,} {plural(missing, 'segment')} without labels")
        if unknown:
            count = len(unknown)
            warnings.append(f"labels of {count:,} {plural(count, 'document')} not used: the texts do not have them")
        placed = {name: tuple(values[i] if i >= 0 else "" for i in rows) for name, values in self.columns.items()}
        return MappingProxyType(placed), tuple(warnings)

    def subset(self, rows: Sequence[int]) -> Labels:
        """Return the labels of some of the segments, which are renumbered; labels of documents do not change.

        Args:
            rows: positions of the segments, from 0; -1 for a segment without a row.
        """
        if self.unit == "document":
            return self
        number = {row + 1: n for n, row in enumerate(rows, start=1) if row >= 0}
        kept = [(i, number[key]) for i, key in enumerate(self.keys) if isinstance(key, int) and key in number]
        return replace(
            self,
            keys=tuple(n for _, n in kept),
            columns={name: tuple(values[i] for i, _ in kept) for name, values in self.columns.items()},
            lines=tuple(self.lines[i] for i, _ in kept),
        )


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of a file, which is used or left out as a whole.

    Attributes:
        name: the name of the file, for messages.
        file: the number of the file; parts of one file have the same number.
        columns: the texts.
        judgments: the ratings.
        scores: the scores of one metric.
        labels: the labels of segments or documents.
        of_archive: whether the part is of an archive, or its labels come with texts: files of documents and labels
            replace its own.
        missing: texts that could not be read.
        optional: whether the part is left out if its number of segments is not the most common one, even if parts that
            do not fit raise an error.
        paragraphs: whether documents that are one segment each are split at paragraphs, in all parts.
        languages: the language pair of its texts, as SOURCE-TARGET; empty if it is unknown.
        own_reference: the error if a reference that comes with systems is not among those of other parts; None if the
            references of this part are declared.
    """

    name: str
    file: int = 0
    columns: tuple[Column, ...] = ()
    judgments: Judgments | None = None
    scores: ScoreTable | None = None
    labels: Labels | None = None
    of_archive: bool = False
    missing: tuple[MissingText, ...] = ()
    optional: bool = False
    paragraphs: bool = False
    languages: str = ""
    own_reference: FormatError | None = None

    @property
    def is_empty(self) -> bool:
        """Whether the part has no usable content."""
        return not self.columns and all(content is None for content in (self.judgments, self.scores, self.labels))
