"""Parts of files that are used or left out as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from bleu_core.dataset.corpus import Column, MissingText
from bleu_core.dataset.judgments import Judgments, ScoreTable
from bleu_core.dataset.labels import Labels
from bleu_core.errors import FormatError


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
