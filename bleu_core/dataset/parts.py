"""Parts of files, which are used or left out as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from bleu_core.dataset.corpus import Column, MissingText
from bleu_core.dataset.judgments import Judgments, ScoreTable
from bleu_core.dataset.labels import Labels


@dataclass(frozen=True, slots=True)
class FilePart:
    """What of a file is used or left out as a whole.

    Attributes:
        name: the file's, for messages.
        file: the file's number; parts of one file have the same.
        columns: its texts.
        judgments: its ratings.
        scores: one metric's scores.
        labels: its labels of segments or documents.
        of_archive: whether it comes with an archive, or labels with any texts: files of documents and labels take the
            place of its own.
        missing: texts that could not be read.
        optional: whether it is left out where its number of segments is not that of most texts, even if parts that do
            not fit are refused.
        paragraphs: whether documents that are one segment each are split at paragraphs, in all parts.
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

    @property
    def is_empty(self) -> bool:
        """Whether it holds nothing that can be used."""
        return not self.columns and all(each is None for each in (self.judgments, self.scores, self.labels))
