"""Alignment of the contents of files, by one set of rules for the command line, the library and the pages.

A part of a file is used or left out as a whole: a file of texts, one text of an archive, a file's judgments, one
metric's scores. `fit` leaves out each part that does not fit and continues with the others, or raises at the first:

- rows of files with ids are joined by their ids, see `joining`. A system that lacks a segment is left out with the
  reason; alternatively, only the segments that all systems have are used. Rows of a system without a reference are not
  used;
- all texts have the number of segments that most of them have, and every segment has a reference; a system of a test
  set with another number of segments is left out even if other parts that do not fit raise an error;
- names are unique, and there is one source and one list of documents; a copy with the same text is ignored, and so is a
  reference that a table repeats; a table of systems with another reference than other files is left out; a file of
  documents replaces those in an archive;
- ratings and marked errors whose file has the rated texts are joined by these if its numbers are of other segments;
- ratings are placed by `place_ratings`; those that cannot be placed are counted by reason;
- scores are of systems that have text; a metric's scores of systems and of segments, and of systems in several files,
  are combined;
- labels are of segments or documents of the texts, and names of labels are unique; of several labels with the same name
  that come with texts the first are used, unless a file of labels has that name.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from bleu_core.dataset.corpus import (
    SINGLE,
    Column,
    Corpus,
    MissingText,
    length_mismatch,
    most_common_length,
    no_reference,
    plural,
    same_name,
)
from bleu_core.dataset.error_annotations import ErrorReport, error_report
from bleu_core.dataset.joining import JoinedParts, join_parts
from bleu_core.dataset.judgments import Judgments, ScoreTable, UnusedRows, merge
from bleu_core.dataset.marked_errors import Errors
from bleu_core.dataset.names import loaded_names
from bleu_core.dataset.numbering import other_numbers
from bleu_core.dataset.paragraphs import split_at_paragraphs
from bleu_core.dataset.parts import FilePart
from bleu_core.dataset.row_keys import with_keys
from bleu_core.dataset.text_join import joined_ratings, joined_scores
from bleu_core.errors import AlignmentError, BleuCoreError, listed
from bleu_core.invocation import format_option
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits

#: Maximum number of systems whose problem a message names; further ones are counted.
MAX_REASONS = 3
#: Advice if systems lack segments.
COMPARE_SHARED = "to compare on the segments that all systems have, use --shared-segments"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedRatings:
    """Ratings aligned with the texts.

    Attributes:
        judgments: ratings of segments of the texts, of systems that have text; None if there are none.
        rated: `judgments`, and ratings of systems without text, which can be listed but not compared.
        read: ratings as in their files, by the position of the part.
        unused_rows: all other rows: position of the part -> its rows, by reason.
        unused_ratings: the unused rows that have a score; rows without one were counted while the file was read.
        misplaced: rows whose segment is not in the texts, whatever their system.
        problems: position of a part none of whose ratings can be placed -> the reason.
        annotated: the aligned ratings of parts with marked errors.
    """

    judgments: Judgments | None = None
    rated: Judgments | None = None
    read: Mapping[int, Judgments] = field(default_factory=dict[int, Judgments])
    unused_rows: Mapping[int, tuple[UnusedRows, ...]] = field(default_factory=dict[int, tuple[UnusedRows, ...]])
    unused_ratings: Mapping[int, tuple[UnusedRows, ...]] = field(default_factory=dict[int, tuple[UnusedRows, ...]])
    misplaced: Mapping[int, tuple[UnusedRows, ...]] = field(default_factory=dict[int, tuple[UnusedRows, ...]])
    problems: Mapping[int, BleuCoreError] = field(default_factory=dict[int, BleuCoreError])
    annotated: Mapping[int, Judgments] = field(default_factory=dict[int, Judgments])

    @property
    def all_unused_rows(self) -> tuple[UnusedRows, ...]:
        """The unused rows of all parts."""
        return tuple(rows for part_rows in self.unused_rows.values() for rows in part_rows)

    @property
    def all_misplaced_rows(self) -> tuple[UnusedRows, ...]:
        """The rows of all parts whose segment is not in the texts."""
        return tuple(rows for part_rows in self.misplaced.values() for rows in part_rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignedData:
    """Parts of files, aligned with each other.

    Attributes:
        corpus: the texts; without systems if there are none.
        ratings: the ratings, aligned with the texts.
        scores: one table per metric, of the corpus's systems and segments; NaN where there is no score.
        problems: position of a part that is left out -> the reason.
        warnings: position of a part -> sentences about its unused contents, which follow the file's name.
        notes: position of a part -> such sentences about texts that it repeats, such as the source, which is usually in
            every table or XLIFF file.
        copies: positions of parts that hold only texts of earlier parts.
        missing: position of a part -> its texts that could not be read or are left out.
        incomplete: the systems that lack segments, by the ids in their files.
        unshared: number of segments that are left out because a system lacks them.
        errors: position of a part with marked errors -> how many of them could be placed in the texts.
        names: the name of the file of each part.
    """

    corpus: Corpus
    ratings: AlignedRatings
    scores: tuple[ScoreTable, ...]
    problems: Mapping[int, BleuCoreError]
    warnings: Mapping[int, tuple[str, ...]]
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    copies: frozenset[int] = frozenset()
    missing: Mapping[int, tuple[MissingText, ...]] = field(default_factory=dict[int, tuple[MissingText, ...]])
    incomplete: tuple[str, ...] = ()
    unshared: int = 0
    errors: Mapping[int, ErrorReport] = field(default_factory=dict[int, ErrorReport])
    names: tuple[str, ...] = ()

    @property
    def missing_systems(self) -> tuple[MissingText, ...]:
        """The outputs that cannot be used, of systems without any other output."""
        return missing_systems((text for part_texts in self.missing.values() for text in part_texts), self.corpus)

    @property
    def sharing(self) -> str:
        """A sentence on the number of shared segments; empty if no segment is left out."""
        return shared_segments_sentence(self.corpus.segments, self.unshared)

    def sentences(self, *, with_counts: bool = False) -> list[str]:
        """Return the sentences about unused contents and marked errors, each with the file's name.

        Args:
            with_counts: whether to count the marked errors that could be placed.
        """
        sentences = [(i, sentence) for i, of_part in self.warnings.items() for sentence in of_part]
        for i, report in self.errors.items():
            counts = (report.sentence,) if with_counts else ()
            sentences += [(i, sentence) for sentence in (*counts, *report.problems)]
        return [f"{self.names[i]}: {sentence}" for i, sentence in sentences]

    @property
    def judgments(self) -> Judgments | None:
        """Ratings of segments of the texts, of systems that have text; None if there are none."""
        return self.ratings.judgments

    def ratings_for(self, corpus: Corpus) -> AlignedRatings:
        """Return the ratings aligned with another corpus, for example after systems were excluded."""
        return place_ratings(self.ratings.read, corpus)

    def subset(self, rows: Sequence[int]) -> AlignedData:
        """Return the texts, ratings and scores of some of the segments.

        Ratings and scores of whole systems are left out, as they are of all segments. Unused rows are those of the
        selected segments; misplaced rows, which are of no segment, do not change.

        Args:
            rows: positions of the segments, from 0, in the order wanted.
        """
        corpus = self.corpus.subset(rows)
        read = subset_ratings(self.ratings.read, self.corpus, rows)
        unused_rows = place_ratings(read, corpus).unused_rows
        judgments, rated = (
            None if ratings is None else ratings.subset(rows)
            for ratings in (self.ratings.judgments, self.ratings.rated)
        )
        return replace(
            self,
            corpus=corpus,
            ratings=replace(
                self.ratings,
                judgments=judgments if judgments is not None and len(judgments.rated) else None,
                rated=rated if rated is not None and len(rated.rated) else None,
                read=read,
                unused_rows=unused_rows,
            ),
            scores=tuple(table.subset(rows) for table in self.scores if table.level == "segment"),
        )


def fit(
    parts: Sequence[FilePart], *, limits: Limits = DEFAULT_LIMITS, refuse: bool = False, shared_segments: bool = False
) -> AlignedData:
    """Align parts of files with each other.

    Args:
        parts: the parts in the order of their files.
        limits: the limits on systems and references in all files apply.
        refuse: whether a part that does not fit, and is not optional, is an error; else it is left out.
        shared_segments: whether to use only the segments that all systems have; else a system that lacks a segment, by
            the ids in its file, is left out.

    Raises:
        AlignmentError: a part does not fit and `refuse` is set, or no segment is shared by all systems.
        FormatError: a reference that comes with systems is another one than those of the other parts, and `refuse` is
            set.
        LimitError: there are too many systems or references and `refuse` is set.
    """
    alignment = _Alignment(parts, refuse=refuse)
    alignment.update(*split_at_paragraphs(alignment.usable))
    joined = alignment.join_rows(shared_segments=shared_segments)
    alignment.check_sizes(limits)
    with_numbers = list(alignment.usable.values())
    alignment.drop_copies()
    alignment.check_texts_of_files()
    usable = alignment.usable
    corpus = Corpus.from_columns(
        (column for part in usable.values() for column in part.columns),
        joined.ids,
        languages=common_languages(part.languages for part in usable.values() if part.columns and part.languages),
    )
    alignment.rejoin(corpus, other_numbers(with_numbers, corpus.segments))
    judgments = {
        i: part.judgments.with_unlisted(corpus.segments) for i, part in usable.items() if part.judgments is not None
    }
    if refuse and corpus.segments:
        for ratings_of_part in judgments.values():
            ratings_of_part.check_segments(corpus.segments)
    labels = alignment.labels(corpus)
    corpus = replace(corpus, labels=labels) if labels else corpus
    ratings = place_ratings(judgments, corpus)
    for position, problem in ratings.problems.items():
        alignment.leave_out(position, problem)
    scores, scores_with_errors = alignment.scores(corpus)
    marked: dict[int, Judgments | ScoreTable] = {**ratings.annotated, **scores_with_errors}
    data = AlignedData(
        corpus=corpus,
        ratings=ratings,
        scores=scores,
        problems=MappingProxyType(alignment.problems),
        warnings=MappingProxyType({position: tuple(own) for position, own in alignment.warnings.items()}),
        notes=MappingProxyType(alignment.notes),
        copies=frozenset(i for i in alignment.notes if i in usable and usable[i].is_empty),
        missing=MappingProxyType(_missing(parts, alignment.problems, joined.missing, corpus)),
        incomplete=joined.incomplete,
        errors=MappingProxyType(
            {i: report for i, own in marked.items() if (report := error_report(corpus, own)).items}
        ),
        names=tuple(part.name for part in parts),
    )
    return _with_shared_segments(data, usable, joined.shared) if corpus.ids and joined.shared is not None else data


class _Alignment:
    """Parts while they are aligned.

    Attributes:
        parts: the parts in the order of their files, as they were read.
        refuse: whether a part that does not fit is an error.
        usable: position -> the part as far as it is aligned; without those that are left out.
        problems: position of a part that is left out -> the reason.
        warnings: position -> sentences that follow the file's name.
        notes: position -> such sentences about repeated texts.
    """

    def __init__(self, parts: Sequence[FilePart], *, refuse: bool) -> None:
        self.parts = parts
        self.refuse = refuse
        self.usable = dict(enumerate(parts))
        self.problems: dict[int, BleuCoreError] = {}
        self.warnings: dict[int, list[str]] = {}
        self.notes: dict[int, tuple[str, ...]] = {}

    def leave_out(self, position: int, problem: BleuCoreError, *, optional: bool = False) -> None:
        """Leave out a part, or raise the problem if that is to be done and the part is not optional."""
        if self.refuse and not (optional and self.parts[position].optional):
            raise problem
        if self.usable.pop(position, None) is not None:
            self.problems[position] = problem

    def warn(self, position: int, *sentences: str) -> None:
        """Add sentences about a part."""
        if sentences:
            self.warnings.setdefault(position, []).extend(sentences)

    def update(self, parts: Mapping[int, FilePart], warnings: Mapping[int, Sequence[str]]) -> None:
        """Replace the parts by others, except those that are left out, and add sentences about them."""
        self.usable = {position: part for position, part in parts.items() if position in self.usable}
        for position, sentences in warnings.items():
            self.warn(position, *sentences)

    def join_rows(self, *, shared_segments: bool = False) -> JoinedParts:
        """Join the rows of the parts, and leave out those with another reference or with a name that is in use.

        If no segment is shared by all systems, all are used, unless that is to be raised.
        """
        self._replace_documents()
        keyed = with_keys(self.usable)
        for position, problem in keyed.problems.items():
            self.leave_out(position, problem)
        self.update(keyed.parts, keyed.warnings)
        try:
            joined = join_parts(self.usable, keyed.known, shared_segments=shared_segments)
        except AlignmentError:
            if self.refuse:
                raise
            joined = join_parts(self.usable, keyed.known)
        self.update(joined.parts, joined.warnings)
        self._check_references()
        self._check_names()
        return joined

    def _replace_documents(self) -> None:
        """Remove the documents of archives if there is a file of documents."""
        given = [
            c for part in self.usable.values() if not part.of_archive for c in part.columns if c.role == "document"
        ]
        for position, part in self.usable.items():
            others = tuple(c for c in part.columns if c.role != "document")
            if given and part.of_archive and len(others) < len(part.columns):
                self.warn(position, f"its documents are not used; those of {given[0].origin} replace them")
                self.usable[position] = replace(part, columns=others)

    def _check_references(self) -> None:
        """Remove references that come with systems and repeat one of other parts under another name.

        Parts with systems whose reference is another one are left out: another one than those that are declared, or if
        none is, than that of the first such part.
        """
        declared = [part for part in self.usable.values() if part.own_reference is None]
        references = [c for part in declared for c in part.columns if c.role == "reference"]
        for position, part in list(self.usable.items()):
            if part.own_reference is None:
                continue
            kept: list[Column] = []
            is_other = False
            for column in part.columns:
                others = [c for c in references if len(c.segments) == len(column.segments)]
                first = next((c for c in others if _has_texts_of(c, column)), None)
                if column.role != "reference" or not others or (first is not None and _is_copy(column, first, part)):
                    kept.append(column)  # an identical reference of the same name is a copy as in any table
                elif first is None:
                    is_other = True
                else:
                    self.warn(position, _ignored(column, first, part))
            self.usable[position] = replace(part, columns=tuple(kept))
            references = references or [column for column in kept if column.role == "reference"]
            if is_other:
                self.leave_out(position, part.own_reference)

    def _check_names(self) -> None:
        """Leave out parts that repeat a name, or have another source or other documents than an earlier part.

        A source of another length does not count as another source: one of the two files is too short or too long.
        """
        first: dict[tuple[str, str, int], Column] = {}
        for position, part in list(self.usable.items()):
            own: dict[tuple[str, str, int], Column] = {}
            for column in part.columns:
                key = (*column.key, len(column.segments) if column.role in SINGLE else 0)
                other = first.get(key) or own.setdefault(key, column)
                if other is not column and not _is_copy(column, other, part):
                    self.leave_out(position, AlignmentError(same_name(column, other, part.name)))
                    break
            else:
                first |= own

    def check_sizes(self, limits: Limits) -> None:
        """Leave out parts beyond the limits on systems or references, and those of another number of segments.

        The number of segments is the most common one; a table counts once, not by columns. If a segment has no
        reference at all, tables of references with gaps are left out, too.
        """
        held = {"systems": 0, "references": 0}
        for position, part in list(self.usable.items()):
            counts = {kind: held[kind] + sum(c.role == kind[:-1] for c in part.columns) for kind in held}
            try:
                for kind, count in counts.items():
                    limits.check(kind, count, f"{part.name}, with the files before it")
            except LimitError as error:
                self.leave_out(position, error)
            else:
                held = counts
        columns = [c for part in self.usable.values() for c in part.columns]
        expected = most_common_length(
            column
            for part in self.usable.values()
            for column in {
                len(c.segments): c for c in sorted(part.columns, key=lambda c: c.role == "reference")
            }.values()
        )
        for position, part in list(self.usable.items()):
            others = [column for column in part.columns if len(column.segments) != expected]
            if others:
                problem = AlignmentError(length_mismatch(others[-1], columns, expected))
                self.leave_out(position, problem, optional=True)
        problem = no_reference([c for part in self.usable.values() for c in part.columns if c.role == "reference"])
        for position, part in list(self.usable.items()):
            if problem and any(None in c.segments for c in part.columns if c.role == "reference"):
                self.leave_out(position, AlignmentError(problem))

    def drop_copies(self) -> None:
        """Remove repeated sources, documents, references and files of ratings, with notes about them."""
        first: dict[tuple[str, str], Column] = {}
        rated: dict[str, int] = {}  # digest of ratings -> position of the first part with them
        for position, part in list(self.usable.items()):
            if part.judgments is not None and (k := rated.setdefault(part.judgments.digest, position)) != position:
                other = self.parts[k].name
                self.warn(position, f"all its ratings are already loaded from {other}; this copy of them is ignored")
                self.usable[position] = part = replace(part, judgments=None)  # noqa: PLW2901 # without its ratings
            copies = [c for c in part.columns if first.setdefault(c.key, c) is not c]
            if copies:
                kept = tuple(c for c in part.columns if first[c.key] is c)
                self.usable[position] = replace(part, columns=kept)
                self.notes[position] = tuple(_ignored(copy, first[copy.key], part) for copy in copies)

    def check_texts_of_files(self) -> None:
        """Leave out the judgments and scores of files whose texts are all left out: they belong to those texts."""
        text_problems: dict[int, list[BleuCoreError | None]] = {}
        for position, part in enumerate(self.parts):
            if part.columns:
                text_problems.setdefault(part.file, []).append(self.problems.get(position))
        for position, part in enumerate(self.parts):
            reasons = text_problems.get(part.file, [None])
            if position not in self.problems and reasons[0] is not None and all(reasons):
                self.leave_out(position, reasons[0])

    def rejoin(self, corpus: Corpus, numbers: Mapping[str, Sequence[int]]) -> None:
        """Join ratings and scores by names of systems as they are loaded, and by texts or a column of numbers.

        Args:
            corpus: the texts.
            numbers: name of a column -> the number of each segment in it, where numbers in a file are not lines.
        """
        columns = (column for part in self.usable.values() for column in part.columns)
        files = {column.name: column.origin for column in columns if column.role == "system"}
        files = {system: files.get(system, "") for system in corpus.systems}
        for position, part in list(self.usable.items()):
            judgments, scores = part.judgments, part.scores
            try:
                if judgments is not None:
                    names = loaded_names(judgments.systems, files)
                    judgments = judgments.renamed(names) if names else judgments
                    judgments, sentences = joined_ratings(judgments, corpus, numbers)
                    self.warn(position, *sentences)
                if scores is not None:
                    names = loaded_names(scores.systems, files)
                    scores = replace(scores, systems=tuple(names.get(name, name) for name in scores.systems))
                    scores, sentences = joined_scores(scores, corpus)
                    self.warn(position, *sentences)
            except AlignmentError as error:
                self.leave_out(position, error)
            else:
                self.usable[position] = replace(part, judgments=judgments, scores=scores)

    def labels(self, corpus: Corpus) -> dict[str, tuple[str, ...]]:
        """Return the labels of the segments by name; files of labels replace those that come with texts."""
        labels_by_name: dict[str, tuple[str, ...]] = {}
        origin: dict[str, str] = {}
        own = {n for part in self.usable.values() if part.labels and not part.of_archive for n in part.labels.columns}
        for position, part in list(self.usable.items()):
            labels = part.labels
            if labels is not None and part.of_archive:
                labels = replace(labels, columns={n: of for n, of in labels.columns.items() if n not in own})
            if labels is None or not labels.columns:
                continue
            repeated = next((name for name in labels.columns if name in labels_by_name), None)
            if repeated is not None and not part.of_archive:
                first = f"{labels.origin}: {origin[repeated]} already holds labels called {repeated}"
                self.leave_out(position, AlignmentError(f"{first}; rename or remove one"))
                continue
            try:
                placed, sentences = labels.place(corpus.segments, corpus.documents)
            except AlignmentError as error:
                self.leave_out(position, error)
                continue
            self.warn(position, *sentences)
            others = [name for name, given in placed.items() if labels_by_name.get(name, given) != given]
            if others:
                where = listed(dict.fromkeys(origin[name] for name in others))
                self.warn(position, f"its labels called {listed(others)} are not used: {where} already holds others")
            labels_by_name = {**placed, **labels_by_name}
            origin = dict.fromkeys(placed, labels.origin) | origin
        return labels_by_name

    def scores(self, corpus: Corpus) -> tuple[tuple[ScoreTable, ...], dict[int, ScoreTable]]:
        """Return metric scores of the systems, a table per metric, and the scores of parts with marked errors."""
        with_errors: dict[int, ScoreTable] = {}
        tables: dict[str, ScoreTable] = {}
        read: list[ScoreTable] = []
        for position, part in list(self.usable.items()):
            if part.scores is None:
                continue
            try:
                table, note = part.scores.placed(corpus.ids, corpus.documents) if corpus.segments else (part.scores, "")
                fitting = _fitting(table, corpus, read)
            except AlignmentError as error:
                self.leave_out(position, error)
                continue
            self.warn(position, *([note] if note else ()))
            if fitting.errors is not None:
                with_errors[position] = fitting
            read.append(table)
            tables[table.name] = _joined(tables[table.name], fitting) if table.name in tables else fitting
            if not set(table.systems) <= corpus.systems.keys():
                self.warn(position, _without_text(table, corpus.systems))
        return tuple(tables.values()), with_errors


def common_languages(pairs: Iterable[str]) -> str:
    """Return the language pair that all parts name, but for regions and scripts; empty if none does, or they differ."""
    pairs = list(pairs)
    bare = {tuple(code.partition("_")[0] for code in pair.split("-")) for pair in pairs}
    return pairs[0] if len(bare) == 1 else ""


def _with_shared_segments(data: AlignedData, usable: Mapping[int, FilePart], shared: Sequence[int]) -> AlignedData:
    """Return the data of the shared segments, with warnings about unused ratings and scores of whole systems."""
    warnings = dict(data.warnings)
    for position, part in usable.items():
        if part.scores is not None and part.scores.level == "system":
            what = f"scores of whole systems are not used with shared segments: {part.scores.name}"
        elif part.judgments is not None and (count := int(part.judgments.rated["segment"].isna().sum())):
            what = f"{count:,} {plural(count, 'rating')} of no single segment not used with shared segments"
        else:
            continue
        warnings[position] = (*warnings.get(position, ()), what)
    unshared = data.corpus.segments - len(shared)
    return replace(data.subset(shared), warnings=MappingProxyType(warnings), unshared=unshared)


def shared_segments_sentence(count: int, unshared: int) -> str:
    """Return a sentence on the number of shared segments; empty if no segment is left out.

    Args:
        count: number of segments that all systems have.
        unshared: number of segments that a system lacks.

    >>> shared_segments_sentence(1, 2)
    '1 of 3 segments is compared: all systems have it'
    """
    if not unshared:
        return ""
    rest = "is compared: all systems have it" if count == 1 else "are compared: all systems have them"
    return f"{count:,} of {count + unshared:,} segments {rest}"


def missing_systems(missing: Iterable[MissingText], corpus: Corpus) -> tuple[MissingText, ...]:
    """Return the unusable outputs of systems without any other output, one per system, sorted by name.

    Args:
        missing: texts that cannot be used.
        corpus: the texts in use.
    """
    outputs = (text for text in missing if text.role == "system" and text.name not in corpus.systems)
    return tuple(sorted({text.name: text for text in outputs}.values(), key=lambda text: text.name))


def no_system(missing: Sequence[MissingText]) -> str:
    """Return the message that there is no system output, with the reasons of unusable outputs."""
    if not missing:
        return "no system output found in the files, at least 1 expected"
    return f"no system output can be used, at least 1 expected{_why_missing(missing)}"


def too_few_systems(count: int, missing: Sequence[MissingText], expected: str = "at least 2 expected") -> str:
    """Return the message that there are too few systems, with the reasons of unusable outputs.

    >>> too_few_systems(1, [])
    '1 system found, at least 2 expected'
    """
    return f"{count} {plural(count, 'system')} found, {expected}{_why_missing(missing) if missing else ''}"


def _why_missing(missing: Sequence[MissingText]) -> str:
    """Return the reasons of unusable outputs, and advice, as the end of a sentence."""
    reasons = listed((f"{text.name}: {text.reason}" for text in missing), max_items=MAX_REASONS)
    advice = COMPARE_SHARED if any(text.incomplete for text in missing) else "correct or replace the files"
    return f" ({reasons}); {advice}"


def _missing(
    parts: Sequence[FilePart],
    problems: Mapping[int, BleuCoreError],
    incomplete: Mapping[int, Sequence[MissingText]],
    corpus: Corpus,
) -> dict[int, tuple[MissingText, ...]]:
    """Return the texts of each part that could not be read or are left out, with the expected number of segments."""
    missing: dict[int, tuple[MissingText, ...]] = {}
    for position, part in enumerate(parts):
        texts = [replace(text, expected=corpus.segments) for text in (*part.missing, *incomplete.get(position, ()))]
        for column in part.columns if position in problems else ():
            if column.role != "document":
                count, expected = len(column.segments), corpus.segments
                text = MissingText(
                    role=column.role,
                    name=column.name,
                    place=column.place,
                    problem=problems[position].without_option,
                    segments=count if expected and count != expected else None,
                    expected=expected,
                    unit=column.unit,
                )
                texts.append(text)
        if texts:
            missing[position] = tuple(texts)
    return missing


def distinct_texts(parts: Sequence[FilePart]) -> tuple[Column, ...]:
    """Return the texts of all parts, whatever their lengths, without copies that `fit` ignores.

    Args:
        parts: the parts in the order of their files.

    Raises:
        AlignmentError: a name is given twice.
        FormatError: a reference that comes with systems is another one than those of the other parts.
    """
    alignment = _Alignment(parts, refuse=True)
    alignment.join_rows()
    alignment.drop_copies()
    return tuple(column for part in alignment.usable.values() for column in part.columns)


def place_ratings(judgments: Mapping[int, Judgments], corpus: Corpus) -> AlignedRatings:
    """Align ratings with the segments of texts, each file's by its own numbers, and merge them.

    Without texts, all ratings are used; without systems, ratings of any system are used.

    Args:
        judgments: ratings as in their files, by the position of the part.
        corpus: the texts.
    """
    if not corpus.segments:
        merged = merge(judgments.values())
        return AlignedRatings(judgments=merged, rated=merged, read=judgments)
    usable: list[Judgments] = []
    rated: list[Judgments] = []
    unused_rows: dict[int, tuple[UnusedRows, ...]] = {}
    unused: dict[int, tuple[UnusedRows, ...]] = {}
    misplaced: dict[int, tuple[UnusedRows, ...]] = {}
    problems: dict[int, BleuCoreError] = {}
    annotated: dict[int, Judgments] = {}
    for position, ratings in judgments.items():
        known = tuple(corpus.systems) or ratings.systems
        where = corpus.segments, corpus.documents
        placed, unplaced = ratings.place(known, *where)
        scored = unplaced
        if unplaced and ratings.table["score"].isna().any():
            _, scored = replace(ratings, table=ratings.rated).place(known, *where)
        if not len(placed.rated):
            problems[position] = AlignmentError(_why_unplaced(ratings, corpus, scored))
            continue
        with_missing_systems, outside_texts = (
            (placed, unplaced) if set(ratings.systems) <= set(known) else ratings.place(ratings.systems, *where)
        )
        usable.append(placed)
        if placed.has_errors:
            annotated[position] = placed
        rated.append(with_missing_systems)
        unused_rows[position], unused[position], misplaced[position] = unplaced, scored, outside_texts
    merged = merge(usable)
    merged_rated = merged if all(map(operator.is_, usable, rated)) else merge(rated)
    return AlignedRatings(
        judgments=merged,
        rated=merged_rated,
        read=judgments,
        unused_rows=unused_rows,
        unused_ratings=unused,
        misplaced=misplaced,
        problems=problems,
        annotated=annotated,
    )


def subset_ratings(judgments: Mapping[int, Judgments], corpus: Corpus, rows: Sequence[int]) -> dict[int, Judgments]:
    """Return the ratings of some of the segments, which are renumbered; each file's by its own numbers.

    Files without such ratings, for example with ratings of whole systems, are left out.

    Args:
        judgments: ratings as in their files, by the position of the part.
        corpus: the texts with all segments.
        rows: positions of the segments, from 0, in the order wanted.
    """
    where = corpus.segments, corpus.documents
    taken = {
        position: ratings.place(ratings.systems, *where)[0].subset(rows) for position, ratings in judgments.items()
    }
    return {position: ratings for position, ratings in taken.items() if len(ratings.rated)}


def _has_texts_of(column: Column, other: Column) -> bool:
    """Return whether a column has all texts of another one, but for white space."""
    pairs = zip(column.segments, other.segments, strict=True)
    return all(b is None or (a is not None and (a == b or a.split() == b.split())) for a, b in pairs)


def _is_copy(column: Column, other: Column, part: FilePart) -> bool:
    """Return whether a column repeats another one and can be ignored; tables may repeat a reference."""
    repeated = column.role in SINGLE or (column.role == "reference" and len(part.columns) > 1)
    return repeated and column.key == other.key and column.segments == other.segments


def _ignored(copy: Column, first: Column, part: FilePart) -> str:
    """Return the sentence about an ignored copy, which follows the file's name."""
    what = {"source": "source is", "document": "documents are"}.get(copy.role, f"reference {copy.name} is")
    return f"the {what} already loaded from {first.place}; the identical copy in {part.name} is ignored"


def _why_unplaced(judgments: Judgments, corpus: Corpus, unused: Sequence[UnusedRows]) -> str:
    """Return why no rating can be placed."""
    if corpus.systems and not any(system in corpus.systems for system in judgments.systems):
        origin = judgments.table["origin"].iloc[0]
        return (
            f"{origin}: no rating can be used: they are of {listed(judgments.systems)}, but the systems loaded are "
            f"{listed(corpus.systems)}"
        )
    if len(unused) == 1:
        try:
            judgments.check_segments(corpus.segments)
        except AlignmentError as error:
            return str(error)
    return f"{'; '.join(map(str, unused))}; no rating can be used"


def _fitting(table: ScoreTable, corpus: Corpus, others: Iterable[ScoreTable]) -> ScoreTable:
    """Return the scores of the corpus's systems.

    Args:
        table: scores as in their file.
        corpus: the texts.
        others: tables that are already used.

    Raises:
        AlignmentError: the scores are of none of the systems or of other segments, or contradict the other tables.
    """
    place, name = table.origin or "scores", table.name
    if not any(system in corpus.systems for system in table.systems):
        loaded = f"the systems loaded are {listed(corpus.systems)}" if corpus.systems else "no system output is loaded"
        naming = _naming(table, tuple(corpus.systems)) if table.naming_format and corpus.systems else ""
        raise AlignmentError(f"{place}: the scores of {name} are for {listed(table.systems)}, but {loaded}{naming}")
    fitting = table.aligned(tuple(corpus.systems), corpus.segments)
    same_metric = [(other.origin or "scores", other) for other in others if other.name == name]
    for first, other in same_metric:
        repeated = [system for system in table.systems if system in other.systems and system in corpus.systems]
        if other.level == table.level and repeated:
            raise AlignmentError(f"{place}: {first} already holds scores of {name}; rename or remove one")
    for first, other in same_metric:
        if other.higher_is_better != table.higher_is_better:
            raise AlignmentError(
                f"{place}: lower {name} is better in only one of this file and {first}; make them the same"
            )
    return fitting


def _naming(table: ScoreTable, systems: Sequence[str]) -> str:
    """Return how to name the system of scores whose file does not: the one in the file's name, or else the first."""
    words = set(re.split(r"[\W_]+", table.systems[0]))
    likely = [system for system in systems if words.issuperset(re.split(r"[\W_]+", system))]
    option = format_option(table.origin, table.naming_format, system=(*likely, *systems)[0])
    other = "" if len(likely) == 1 or len(systems) == 1 else ", or another of these systems"
    return f"; name the system of the scores with {option}{other}"


def _without_text(table: ScoreTable, known: Collection[str]) -> str:
    """Return the sentence about unused scores of a metric, which follows the file's name."""
    unknown = [k for k, system in enumerate(table.systems) if system not in known]
    values = table.scores if table.level == "segment" else table.system_scores
    count, names = int(np.isfinite(values[unknown]).sum()), listed(table.systems[k] for k in unknown)
    verb = "is" if count == 1 else "are"
    return f"{count:,} {plural(count, 'score')} of {table.name} {verb} not used: no output of {names} is loaded"


def _joined(first: ScoreTable, other: ScoreTable) -> ScoreTable:
    """Combine scores of segments with scores of systems, or scores of different systems."""
    if first.level == other.level:
        return replace(
            first,
            scores=np.where(np.isnan(first.scores), other.scores, first.scores),
            system_scores=np.where(np.isnan(first.system_scores), other.system_scores, first.system_scores),
            errors=_joined_errors(first, other),
        )
    system_table, segment_table = (first, other) if first.level == "system" else (other, first)
    given = system_table.system_scores
    return replace(segment_table, system_scores=np.where(np.isnan(given), segment_table.system_scores, given))


def _joined_errors(first: ScoreTable, other: ScoreTable) -> tuple[tuple[Errors | None, ...], ...] | None:
    """Return the errors that one metric marked in segments of different systems."""
    if first.errors is None or other.errors is None:
        return first.errors or other.errors
    pairs = zip(first.errors, other.errors, strict=True)
    return tuple(marked if any(errors is not None for errors in marked) else others for marked, others in pairs)


def labelled(tables: Iterable[ScoreTable], computed: Iterable[str]) -> Mapping[str, ScoreTable]:
    """Return the score tables from files by label; a name that is also a computed metric is marked as uploaded.

    >>> table = ScoreTable.of_systems("BLEU", {"A": 1.0})
    >>> list(labelled([table], ["BLEU", "chrF2"]))
    ['BLEU (uploaded)']
    """
    tables, computed = tuple(tables), set(computed)
    used_labels = {table.name for table in tables} | computed
    by_label: dict[str, ScoreTable] = {}
    for table in tables:
        label = table.name
        while label in computed or (label != table.name and label in used_labels):
            label += " (uploaded)"
        by_label[label] = table
        used_labels.add(label)
    return MappingProxyType(by_label)
