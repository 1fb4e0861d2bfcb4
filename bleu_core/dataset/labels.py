"""Labels of segments, such as a domain, as files give them: per segment or per document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from bleu_core.dataset.corpus import plural
from bleu_core.errors import AlignmentError, listed

#: What else is known of segments; labels cannot have these names.
FIELDS = (
    *("segment", "document", "half", "source", "reference", "system", "equal", "score", "length", "numbers"),
    *("capitalised", "quotes", "negations", "ratings", "disputed"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """A table of labels, with one row per segment or per document.

    Attributes:
        unit: what a row describes.
        keys: the number of the segment, from 1, or the document, of each row; none occurs twice.
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
        """The label of each segment of a text.

        Args:
            segments: S, the number of segments.
            documents: the document of each of them, if known.

        Returns:
            Name -> S labels, empty where the table has none, and warnings: sentences that follow the file's name.

        Raises:
            AlignmentError: a row is of a segment beyond the text, the documents are not known, or the table has none of
                them.
        """
        of_segments: Sequence[int | str] = range(1, segments + 1)
        if self.unit == "document":
            if documents is None:
                raise AlignmentError(
                    f"{self.origin}: its labels are of documents, and the documents of the segments are not known; add "
                    "a file with one document id per line"
                )
            of_segments = documents
        unknown = self._unknown(segments, documents)
        row = {key: i for i, key in enumerate(self.keys)}
        rows = [row.get(key, -1) for key in of_segments]
        missing = rows.count(-1)
        if missing == segments:
            raise AlignmentError(
                f"{self.origin}: labels of {listed(map(str, self.keys))} found, labels of at least one of "
                f"{listed(dict.fromkeys(map(str, of_segments)))} expected"
            )
        warnings: list[str] = []
        if missing:
            warnings.append(f"{missing:,} {plural(missing, 'segment')} without labels")
        if unknown:
            warnings.append(f"labels of {unknown:,} {plural(unknown, 'document')} not used: the texts do not have them")
        placed = {name: tuple(values[i] if i >= 0 else "" for i in rows) for name, values in self.columns.items()}
        return MappingProxyType(placed), tuple(warnings)

    def subset(self, rows: Sequence[int]) -> Labels:
        """Return the labels of some of the segments, which are numbered anew; those of documents stay as they are.

        Args:
            rows: the positions of the segments, from 0; -1 where one has no row.
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

    def _unknown(self, segments: int, documents: Sequence[str] | None) -> int:
        """How many documents of the table the text does not have; segments beyond it are an error."""
        if self.unit == "document":
            return len(set(self.keys) - set(documents or ()))
        for key, line in zip(self.keys, self.lines, strict=True):
            if isinstance(key, int) and key > segments:
                raise AlignmentError(
                    f"{self.origin}, line {line}: label of segment {key:,} found, but the texts have "
                    f"{segments:,} {plural(segments, 'segment')}"
                )
        return 0
