"""The contents of a file and the report on it; the same for every format."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bleu_core.dataset import Column, Judgments, Labels, MissingText, ScoreTable, UnusedRows, plural
from bleu_core.errors import FormatError, one_line
from bleu_core.formats.copied_rows import without_copies
from bleu_core.formats.document_ids import language_pair
from bleu_core.formats.invisible import InvisibleCharacters
from bleu_core.formats.source import Source
from bleu_core.formats.weights import MqmWeights
from bleu_core.progress import report_progress

if TYPE_CHECKING:
    from bleu_core.dataset import FilePart, PrintedScore

FileRole = Literal["system", "reference", "source", "document", "judgments", "scores", "labels", "archive"]

#: The human scores of a test set that are used by default: the first of these that it has.
PREFERRED_HUMAN_SCORES = ("mqm", "esa", "da-sqm")
#: Metrics that a note names, of those where lower is better or scores are missing; the others are counted.
MAX_LOWER = 20
#: Segments that are searched together; joining all of them would copy the text.
BATCH_SEGMENTS = 10_000
#: For each byte, 0 if it is white space in ASCII, else 1.
_IN_WORDS = bytes(not chr(byte).isspace() for byte in range(128)).ljust(256, b"\1")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """The report on a file.

    Attributes:
        name: the file's name.
        role: the role in which the file was read.
        segments: the number of segments in each column, or of rated segments; 0 for system-level scores.
        empty_segments: the number of segments without text, over all columns.
        tokens: the number of words separated by white space, over all columns.
        ratings: the number of scores in a file of judgments or of metric scores.
        encoding: the encoding in which it was read.
        repairs: descriptions of repairs while reading.
        format: the label of the format in which it was read.
        unused_rows: rows of judgments that are not used, by reason.
        notes: sentences about what is unusual or not used.
        decisions: sentences about decisions of the reader that are not unusual.
        of_ratings: the same, about what matters only if ratings are used.
        invisible: a sentence about invisible characters in texts; empty if there are none.
        weights: the weights of MQM errors, in a file of these; None for other files.
        format_key: the key of the format in which it was read.
    """

    name: str
    role: FileRole
    segments: int = 0
    empty_segments: int = 0
    tokens: int = 0
    encoding: str = "UTF-8"
    repairs: tuple[str, ...] = ()
    ratings: int = 0
    format: str = ""
    unused_rows: tuple[UnusedRows, ...] = ()
    notes: tuple[str, ...] = ()
    weights: MqmWeights | None = None
    decisions: tuple[str, ...] = ()
    of_ratings: tuple[str, ...] = ()
    invisible: str = ""
    format_key: str = field(default="", compare=False)  # reports are compared by the label

    @property
    def about_texts(self) -> tuple[str, ...]:
        """Sentences about unusual texts: invisible characters and segments without text."""
        return (*((self.invisible,) if self.invisible else ()), *empty_segment_notes(self.empty_segments))


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """One language pair of a test set.

    Attributes:
        pairs: all language pairs that have texts.
        pair: the language pair that was read.
        judgments: human scores by name, as ratings in a group of that name; also the ratings of each judge whose errors
            the archive has, called NAME ratings.
        problems: files that could not be read and are left out, with the reason.
    """

    pairs: tuple[str, ...]
    pair: str
    judgments: Mapping[str, Judgments] = field(default_factory=dict[str, Judgments])
    problems: tuple[str, ...] = ()

    @property
    def preferred(self) -> str | None:
        """The name of the human scores used by default: MQM, else ESA, else DA-SQM, else the first."""
        return next((name for name in (*PREFERRED_HUMAN_SCORES, *self.judgments) if name in self.judgments), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """The contents of a file (texts, judgments, metric scores, labels, or several of these) and the report.

    Attributes:
        report: the report on the file.
        columns: its texts.
        judgments: its ratings; for an archive, the selected human scores.
        scores: its metric scores.
        labels: its labels.
        archive: the test set, with all human scores by name.
        printed: scores that a program printed, with what is known about them; also among the scores.
        missing: texts that could not be read.
        member: whether the file is one of several in a zip or folder.
        pairs: the language pairs that a file names that is not an archive.
        paragraphs: whether documents of one segment each are split at paragraphs.
        named_languages: the language pair of the texts that the file, its name or its folders say, as SOURCE-TARGET;
            empty if none does.
        own_reference: for a table of systems whose header names a reference, the error if other files have another one.
    """

    report: FileReport
    columns: tuple[Column, ...] = ()
    judgments: Judgments | None = None
    scores: tuple[ScoreTable, ...] = ()
    labels: Labels | None = None
    archive: Archive | None = None
    printed: tuple[PrintedScore, ...] = ()
    missing: tuple[MissingText, ...] = ()
    member: bool = False
    pairs: tuple[str, ...] = ()
    paragraphs: bool = False
    named_languages: str = ""
    own_reference: FormatError | None = None

    @property
    def languages(self) -> str:
        """The language pair of its texts, as SOURCE-TARGET; empty if it is unknown. That of an archive goes first."""
        pair = "" if self.archive is None else language_pair(self.archive.pair.rpartition("/")[2])
        return pair or self.named_languages

    @property
    def takes(self) -> frozenset[str]:
        """The names of the options of ReadOptions by which such a file is read in different ways."""
        taken = {
            "first_segment": self.report.role in ("judgments", "scores", "labels"),
            "weights": self.report.weights is not None,
            "pair": self.pairs or (self.archive is not None and self.archive.pairs),
            "human_scores": self.archive is not None and self.archive.judgments,
            "paragraphs": any(column.written is not None for column in self.columns),
        }
        return frozenset(name for name, takes in taken.items() if takes)

    def renamed(self, name: str) -> Contents:
        """Return the contents with another name of the only text in the role of the file; unchanged if it has more."""
        role = self.report.role
        if sum(column.role == role for column in self.columns) != 1:
            return self
        columns = (replace(column, name=name) if column.role == role else column for column in self.columns)
        return replace(self, columns=tuple(columns))

    def parts(self, file: int = 0) -> tuple[FilePart, ...]:
        """Return the parts that are used or left out as a whole: texts (each one of an archive), ratings, each metric.

        Args:
            file: the number of the file, which all its parts share.
        """
        from bleu_core.dataset import FilePart  # loaded when first needed: streamed files have no parts

        name = self.report.name
        metrics = tuple(FilePart(name, file, scores=table) for table in self.scores)
        if self.labels is not None:
            has_texts = self.archive is not None or bool(self.columns)
            metrics = (*metrics, FilePart(name, file, labels=self.labels, of_archive=has_texts))
        if self.archive is None:
            others = self.columns or self.judgments is not None or not metrics
            optional = self.member and all(c.role == "system" for c in self.columns)
            texts = FilePart(
                name,
                file,
                self.columns,
                self.judgments,
                missing=self.missing,
                optional=optional,
                paragraphs=self.paragraphs,
                languages=self.languages,
                own_reference=self.own_reference,
            )
            return (texts, *metrics) if others else metrics
        parts = [
            FilePart(
                c.place,
                file,
                (c,),
                of_archive=True,
                optional=c.role == "system",
                paragraphs=self.paragraphs,
                languages=self.languages,
            )
            for c in self.columns
        ]
        if self.missing:
            parts.append(FilePart(name, file, of_archive=True, missing=self.missing))
        ratings = () if self.judgments is None else (FilePart(name, file, judgments=self.judgments),)
        return (*parts, *ratings, *metrics)


def empty_segment_notes(count: int) -> tuple[str, ...]:
    """Return a note on the number of segments without text; empty if it is 0."""
    return (f"{count:,} {plural(count, 'segment')} without text",) if count else ()


def text_contents(
    columns: tuple[Column, ...],
    source: Source,
    role: FileRole,
    format: str,  # noqa: A002 # as the report has it
    *,
    encoding: str | None = None,
    repairs: tuple[str, ...] | None = None,
    notes: tuple[str, ...] = (),
    **contents: Any,
) -> Contents:
    """Build the contents of a file from columns of text, at least one, with their report.

    Args:
        columns: columns of equal length.
        source: the file.
        role: the role in which the file was read.
        format: the label of the format.
        encoding: the encoding of the bytes; that of the source's text by default.
        repairs: descriptions of repairs; by default, those of reading a table.
        notes: sentences about decisions while reading.
        contents: further fields of Contents.
    """
    all_repairs = source.repairs if repairs is None else repairs
    read_as = source.text.encoding if encoding is None else encoding
    report = report_of_texts(columns, source.name, role=role, encoding=read_as, repairs=all_repairs)
    return Contents(report=replace(report, format=format, notes=notes), columns=columns, **contents)


def unused_contents(
    source: Source,
    role: FileRole,
    format: str,  # noqa: A002 # as the report has it
    *,
    notes: tuple[str, ...],
    pairs: tuple[str, ...] = (),
) -> Contents:
    """Build the contents of a file of which nothing is used; the notes say why.

    Args:
        source: the file.
        role: the role in which the file was read.
        format: the label of the format.
        notes: why nothing is used.
        pairs: the language pairs of the file.
    """
    report = FileReport(
        name=source.name,
        role=role,
        encoding=source.text.encoding,
        repairs=source.repairs,
        format=format,
        notes=notes,
    )
    return Contents(report=report, pairs=pairs)


def judgment_contents(judgments: Judgments, source: Source, *, weights: MqmWeights | None = None) -> Contents:
    """Build contents from judgments; rows that are exact copies of others are left out, unless they are errors.

    Args:
        judgments: as they were read; the report has their format.
        source: the file.
        weights: the weights of MQM errors, if the ratings were computed from these.
    """
    judgments = without_copies(judgments, source.text) if weights is None else judgments
    rated = judgments.rated
    report = FileReport(
        name=source.name,
        role="judgments",
        segments=int(rated["segment"].nunique()),
        encoding=source.text.encoding,
        repairs=source.repairs,
        ratings=len(rated),
        format=judgments.format,
        unused_rows=judgments.unused_rows,
        notes=judgments.notes,
        weights=weights,
    )
    return Contents(report=report, judgments=judgments)


def score_contents(
    tables: Iterable[ScoreTable],
    source: Source,
    format: str,  # noqa: A002 # as the report has it
    lower_is_better: Collection[str] | None,
    *,
    notes: Sequence[str] = (),
) -> Contents:
    """Build contents from tables of metric scores, at least one.

    Args:
        tables: as they were read.
        source: the file.
        format: the label of the format.
        lower_is_better: as in with_directions.
        notes: further notes.
    """
    scores = with_directions(tables, lower_is_better)
    missing = [sentence for table in scores for sentence in missing_score_notes(table)]
    more = len(missing) - MAX_LOWER
    notes = (*notes, *missing[:MAX_LOWER])
    if more > 0:
        notes = (*notes, f"{more:,} more {plural(more, 'metric')} with missing scores")
    values_of_tables = [t.scores if t.level == "segment" else t.system_scores for t in scores]
    count = sum(int(np.isfinite(values).sum()) for values in values_of_tables)
    segments = max(t.scores.shape[1] for t in scores)
    guessed = [t.name for t in scores if not t.higher_is_better] if lower_is_better is None else []
    notes = (
        *notes,
        *(one_line(f"{metric}: lower is assumed to be better because of the name") for metric in guessed[:MAX_LOWER]),
    )
    if len(guessed) > MAX_LOWER:
        notes = (
            *notes,
            f"{len(guessed) - MAX_LOWER:,} more metrics: lower is assumed to be better because of their names",
        )
    report = FileReport(
        name=source.name,
        role="scores",
        segments=segments,
        encoding=source.text.encoding,
        repairs=source.repairs,
        ratings=count,
        format=format,
        notes=notes,
    )
    return Contents(report=report, scores=scores)


def missing_score_notes(table: ScoreTable) -> tuple[str, ...]:
    """Return a note on the segments or systems of a table without a score; empty if all have one."""
    values = table.scores if table.level == "segment" else table.system_scores
    count = int(np.isnan(values).sum())
    return (one_line(f"{table.name}: {count:,} of {values.size:,} scores missing"),) if count else ()


def label_contents(
    labels: Labels,
    source: Source,
    format: str,  # noqa: A002 # as the report has it
    *,
    notes: tuple[str, ...] = (),
) -> Contents:
    """Build contents from labels of segments or documents.

    Args:
        labels: as they were read.
        source: the file.
        format: the label of the format.
        notes: sentences about what is unusual.
    """
    rows = len(labels.keys) if labels.unit == "segment" else 0
    report = FileReport(
        name=source.name,
        role="labels",
        segments=rows,
        encoding=source.text.encoding,
        repairs=source.repairs,
        format=format,
        notes=notes,
    )
    return Contents(report=report, labels=labels)


def with_directions(tables: Iterable[ScoreTable], lower_is_better: Collection[str] | None) -> tuple[ScoreTable, ...]:
    """Return the tables with the direction of each metric set.

    Args:
        tables: the tables of the metrics.
        lower_is_better: the metrics for which a lower score is better; None leaves the tables unchanged.
    """
    if lower_is_better is None:
        return tuple(tables)
    return tuple(replace(t, higher_is_better=t.name not in lower_is_better) for t in tables)


def report_of_texts(
    columns: tuple[Column, ...], name: str, role: FileRole, encoding: str, repairs: tuple[str, ...]
) -> FileReport:
    """Return the report on columns of text, including a sentence about invisible characters, without a format."""
    segments = max(len(column.segments) for column in columns)
    empty = tokens = 0
    invisible = InvisibleCharacters()
    for number, column in enumerate(columns):
        for begin in range(0, segments, BATCH_SEGMENTS):
            texts = [text or "" for text in column.segments[begin : begin + BATCH_SEGMENTS]]
            joined = "\n".join(texts)
            empty += sum(not text.strip() for text in texts)
            tokens += count_ascii_words(joined) if joined.isascii() else sum(len(text.split()) for text in texts)
            if column.role != "document":
                invisible.add(joined)
            # Reading the columns was the first half of the work.
            total = len(columns) * segments
            report_progress(total + number * segments + begin, 2 * total)
    return FileReport(
        name=name,
        role=role,
        segments=segments,
        empty_segments=empty,
        tokens=tokens,
        encoding=encoding,
        repairs=repairs,
        invisible="".join(invisible.sentences),
    )


def count_ascii_words(text: str) -> int:
    """Count the words of an ASCII text, separated by white space, without building them as str.split does."""
    inside = np.frombuffer(text.encode("ascii").translate(_IN_WORDS), np.uint8)
    return int(np.count_nonzero(inside[1:] > inside[:-1])) + int(inside[:1].sum())
