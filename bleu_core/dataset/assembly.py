"""How files that have been read are fitted together, by one set of rules for all who give files.

A part of a file is what is used or left out as a whole: a file of texts, one text of an archive, a file's judgments,
one metric's scores. `fit` leaves out each part that does not fit and goes on with the others, or refuses at the first:

- rows of files with ids are joined by these, see `joining`. A system that lacks a segment is left out with the reason,
  or only the segments that all systems have are used, where that is chosen; rows of a system without a reference are
  not used;
- all texts have the number of segments that most of them have, and every segment has a reference; of a test set, a
  system with another number of segments is left out even where other parts that do not fit are refused;
- a name is given once, and there is one source and one list of documents; a copy with the same text is ignored, and so
  is a reference that a table repeats; a file of documents takes the place of those in an archive;
- ratings are placed by `place_ratings`; those without a place are counted by reason;
- scores are of systems that have text; a metric's scores of systems and of segments, and of systems in several files,
  are combined;
- labels are of segments or documents of the texts, and a name of labels is given once; of labels that come with
  texts, the first of a name are used, unless a file of labels has that name.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
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
from bleu_core.dataset.joined_parts import JoinedParts, join_parts
from bleu_core.dataset.judgments import Judgments, ScoreTable, SetAside, merge
from bleu_core.dataset.paragraphs import split_at_paragraphs
from bleu_core.dataset.parts import Part
from bleu_core.errors import AlignmentError, BleuCoreError, listed
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits

#: Systems whose problem a message names; further ones are counted.
MAX_REASONS = 3
#: What can be done where systems lack segments.
COMPARE_SHARED = "to compare on the segments that all systems have, use --shared-segments"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Ratings beside the texts.

    Attributes:
        judgments: those with a place in the texts, of systems that have text; None where there are none.
        rated: the same and those of systems without text, which are compared with nothing but can be listed.
        read: the ratings as their files have them, by the position of the part.
        set_aside: all other rows: the position of the part -> its rows, by reason.
        unused: those of them that have a score; rows without one were counted while the file was read.
        misplaced: rows whose segment is not in the texts, whatever their system.
        problems: the position of a part none of whose ratings has a place -> the reason.
    """

    judgments: Judgments | None = None
    rated: Judgments | None = None
    read: Mapping[int, Judgments] = field(default_factory=dict[int, Judgments])
    set_aside: Mapping[int, tuple[SetAside, ...]] = field(default_factory=dict[int, tuple[SetAside, ...]])
    unused: Mapping[int, tuple[SetAside, ...]] = field(default_factory=dict[int, tuple[SetAside, ...]])
    misplaced: Mapping[int, tuple[SetAside, ...]] = field(default_factory=dict[int, tuple[SetAside, ...]])
    problems: Mapping[int, BleuCoreError] = field(default_factory=dict[int, BleuCoreError])

    @property
    def left_out(self) -> tuple[SetAside, ...]:
        """The rows that are set aside, of all parts."""
        return tuple(rows for of_part in self.set_aside.values() for rows in of_part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """Parts of files, fitted together.

    Attributes:
        corpus: the texts; without systems where there are none.
        ratings: the ratings beside them.
        scores: one table per metric, of the corpus's systems and segments; NaN where there is no score.
        problems: the position of a part that is left out -> the reason.
        warnings: the position of a part -> what of it is not used, in sentences that follow the file's name.
        notes: the position of a part -> what it repeats, in such sentences: the source of a table or XLIFF, for
            example, which is usually in every such file.
        copies: the positions of parts that hold nothing but texts that parts before them hold, too.
        missing: the position of a part -> its texts that could not be read or are left out.
        incomplete: the systems that lack segments, by the ids in their files.
        unshared: how many segments are left out because a system lacks them.
    """

    corpus: Corpus
    ratings: Placed
    scores: tuple[ScoreTable, ...]
    problems: Mapping[int, BleuCoreError]
    warnings: Mapping[int, tuple[str, ...]]
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    copies: frozenset[int] = frozenset()
    missing: Mapping[int, tuple[MissingText, ...]] = field(default_factory=dict[int, tuple[MissingText, ...]])
    incomplete: tuple[str, ...] = ()
    unshared: int = 0

    @property
    def missing_systems(self) -> tuple[MissingText, ...]:
        """The outputs that cannot be used, of systems that have no other one."""
        return missing_systems((text for of_part in self.missing.values() for text in of_part), self.corpus)

    @property
    def sharing(self) -> str:
        """How many segments are compared where others are left out because a system lacks them; else empty."""
        return shared_segments_sentence(self.corpus.segments, self.unshared)

    @property
    def judgments(self) -> Judgments | None:
        """The ratings that have a place in the texts, of systems that have text; None where there are none."""
        return self.ratings.judgments

    def ratings_beside(self, corpus: Corpus) -> Placed:
        """The ratings of other texts, for example after systems were left out."""
        return place_ratings(self.ratings.read, corpus)

    def subset(self, rows: Sequence[int]) -> Dataset:
        """The texts, ratings and scores of some of the segments.

        Ratings and scores of whole systems are left out: they are of all segments. Rows that are set aside are those
        of the segments that are taken; misplaced ones are of none, and stay as they are.

        Args:
            rows: the positions of the segments, from 0, in the order wanted.
        """
        corpus = self.corpus.subset(rows)
        read = take_ratings(self.ratings.read, self.corpus, rows)
        set_aside = place_ratings(read, corpus).set_aside
        given = self.ratings.judgments, self.ratings.rated
        ratings = [None if found is None else found.subset(rows) for found in given]
        judgments, rated = (found if found is not None and len(found.rated) else None for found in ratings)
        return replace(
            self,
            corpus=corpus,
            ratings=replace(self.ratings, judgments=judgments, rated=rated, read=read, set_aside=set_aside),
            scores=tuple(table.subset(rows) for table in self.scores if table.level == "segment"),
        )


def fit(
    parts: Sequence[Part], *, limits: Limits = DEFAULT_LIMITS, refuse: bool = False, shared_segments: bool = False
) -> Dataset:
    """Fit parts of files together.

    Args:
        parts: in the order of their files.
        limits: how many systems and references there may be together.
        refuse: whether a part that does not fit, and is not optional, is an error; else it is left out, and the others
            are used.
        shared_segments: whether only the segments that all systems have are used; else a system that lacks one, by the
            ids in its file, is left out.

    Raises:
        AlignmentError: a part does not fit, and such parts are refused; or no segment is shared by all systems.
        LimitError: there are too many systems or references, and that is refused.
    """
    usable = dict(enumerate(parts))
    problems: dict[int, BleuCoreError] = {}
    warnings: dict[int, list[str]] = {}

    def leave_out(found: Mapping[int, BleuCoreError], *, optional: bool = False) -> None:
        for position, problem in found.items():
            if refuse and not (optional and parts[position].optional):
                raise problem
            problems[position] = problem
            del usable[position]

    usable, of_documents = split_at_paragraphs(usable)
    _add(warnings, of_documents)
    _replace_documents(usable, warnings)
    joined = _joined_parts(usable, warnings, refuse=refuse, shared_segments=shared_segments)
    usable = joined.parts
    leave_out(_second_names(usable))
    leave_out(_too_many(usable, limits))
    leave_out(_other_lengths(usable), optional=True)
    leave_out(_without_any_reference(usable))
    notes = _drop_copies(usable)
    leave_out(_without_texts(parts, problems))
    corpus = Corpus.from_columns((column for part in usable.values() for column in part.columns), joined.ids)
    judgments = {i: part.judgments for i, part in usable.items() if part.judgments is not None}
    if refuse and corpus.segments:
        for each in judgments.values():
            each.check_segments(corpus.segments)
    labels, sentences_of, unplaced = _labels(usable, corpus)
    leave_out(unplaced)
    _add(warnings, sentences_of)
    corpus = replace(corpus, labels=labels) if labels else corpus
    ratings = place_ratings(judgments, corpus)
    leave_out(ratings.problems)
    scores, unused, unfit = _aligned(usable, corpus)
    leave_out(unfit)
    _add(warnings, unused)
    found = Dataset(
        corpus=corpus,
        ratings=ratings,
        scores=scores,
        problems=MappingProxyType(problems),
        warnings=MappingProxyType({position: tuple(sentences) for position, sentences in warnings.items()}),
        notes=MappingProxyType(notes),
        copies=frozenset(i for i in notes if i in usable and usable[i].is_empty),
        missing=MappingProxyType(_missing(parts, problems, joined.missing, corpus)),
        incomplete=joined.incomplete,
    )
    return _with_shared_segments(found, usable, joined.shared) if corpus.ids and joined.shared is not None else found


def _joined_parts(
    usable: Mapping[int, Part], warnings: dict[int, list[str]], *, refuse: bool, shared_segments: bool
) -> JoinedParts:
    """The parts with joined rows; adds warnings. Without a shared segment that is refused, or all are used."""
    try:
        joined = join_parts(usable, shared_segments=shared_segments)
    except AlignmentError:
        if refuse:
            raise
        joined = join_parts(usable)
    for position, sentences in joined.warnings.items():
        warnings.setdefault(position, []).extend(sentences)
    return joined


def _with_shared_segments(found: Dataset, usable: Mapping[int, Part], shared: Sequence[int]) -> Dataset:
    """The data of the segments that all systems have, with warnings of ratings and scores that are of all segments."""
    warnings = dict(found.warnings)
    for position, part in usable.items():
        if part.scores is not None and part.scores.level == "system":
            what = f"scores of whole systems are not used with shared segments: {part.scores.name}"
        elif part.judgments is not None and (count := int(part.judgments.rated["segment"].isna().sum())):
            what = f"{count:,} {plural(count, 'rating')} of no single segment not used with shared segments"
        else:
            continue
        warnings[position] = (*warnings.get(position, ()), what)
    unshared = found.corpus.segments - len(shared)
    return replace(found.subset(shared), warnings=MappingProxyType(warnings), unshared=unshared)


def shared_segments_sentence(count: int, unshared: int) -> str:
    """Say how many segments are compared; empty where none is left out.

    Args:
        count: of the segments that all systems have.
        unshared: of those that a system lacks.

    >>> shared_segments_sentence(1, 2)
    '1 of 3 segments is compared: all systems have it'
    """
    if not unshared:
        return ""
    rest = "is compared: all systems have it" if count == 1 else "are compared: all systems have them"
    return f"{count:,} of {count + unshared:,} segments {rest}"


def missing_systems(missing: Iterable[MissingText], corpus: Corpus) -> tuple[MissingText, ...]:
    """The missing texts that are outputs of systems without any other output, one for each system, by name.

    Args:
        missing: texts that cannot be used.
        corpus: the texts in use.
    """
    of_systems = (text for text in missing if text.role == "system" and text.name not in corpus.systems)
    return tuple(sorted({text.name: text for text in of_systems}.values(), key=lambda text: text.name))


def no_system(missing: Sequence[MissingText]) -> str:
    """Explain that there is no output of a system, and why none of those that were given can be used."""
    if not missing:
        return "no system output found in the files, at least 1 expected"
    return f"no system output can be used, at least 1 expected{_why_missing(missing)}"


def too_few_systems(count: int, missing: Sequence[MissingText], expected: str = "at least 2 expected") -> str:
    """Explain that there are too few systems, and why others that were given cannot be used.

    >>> too_few_systems(1, [])
    '1 system found, at least 2 expected'
    """
    return f"{count} {plural(count, 'system')} found, {expected}{_why_missing(missing) if missing else ''}"


def _why_missing(missing: Sequence[MissingText]) -> str:
    """Why outputs cannot be used, and what to do, as the end of a sentence."""
    reasons = listed((f"{text.name}: {text.reason}" for text in missing), max_items=MAX_REASONS)
    advice = COMPARE_SHARED if any(text.incomplete for text in missing) else "correct or replace the files"
    return f" ({reasons}); {advice}"


def _missing(
    parts: Sequence[Part],
    problems: Mapping[int, BleuCoreError],
    incomplete: Mapping[int, Sequence[MissingText]],
    corpus: Corpus,
) -> dict[int, tuple[MissingText, ...]]:
    """The texts of each part that could not be read or are left out, with the number of segments expected."""
    found: dict[int, tuple[MissingText, ...]] = {}
    for position, part in enumerate(parts):
        texts = [replace(text, expected=corpus.segments) for text in (*part.missing, *incomplete.get(position, ()))]
        if position in problems:
            problem = str(problems[position])
            texts += [
                _left_out(column, problem, corpus.segments) for column in part.columns if column.role != "document"
            ]
        if texts:
            found[position] = tuple(texts)
    return found


def _left_out(column: Column, problem: str, expected: int) -> MissingText:
    """A text that is left out for that reason."""
    count = len(column.segments)
    segments = count if expected and count != expected else None
    return MissingText(
        role=column.role,
        name=column.name,
        place=column.place,
        problem=problem,
        segments=segments,
        expected=expected,
        unit=column.unit,
    )


def distinct_texts(parts: Sequence[Part]) -> tuple[Column, ...]:
    """The texts of all parts, of whatever number of segments; copies that `fit` ignores are left out.

    Args:
        parts: in the order of their files.

    Raises:
        AlignmentError: a name is given twice.
    """
    usable = dict(enumerate(parts))
    warnings: dict[int, list[str]] = {}
    _replace_documents(usable, warnings)
    usable = join_parts(usable).parts
    for problem in _second_names(usable).values():
        raise problem
    _drop_copies(usable)
    return tuple(column for part in usable.values() for column in part.columns)


def _add(warnings: dict[int, list[str]], found: Mapping[int, tuple[str, ...]]) -> None:
    """Add sentences to the warnings of parts."""
    for position, sentences in found.items():
        if sentences:
            warnings.setdefault(position, []).extend(sentences)


def place_ratings(judgments: Mapping[int, Judgments], corpus: Corpus) -> Placed:
    """Place ratings in texts, each file's by its own numbers, and put them together.

    Without texts there is nothing to place ratings in, and without systems none that could be missing.

    Args:
        judgments: by the position of the part.
        corpus: the texts.
    """
    if not corpus.segments:
        together = merge(judgments.values())
        return Placed(judgments=together, rated=together, read=judgments)
    kept: list[Judgments] = []
    rated: list[Judgments] = []
    set_aside: dict[int, tuple[SetAside, ...]] = {}
    unused: dict[int, tuple[SetAside, ...]] = {}
    misplaced: dict[int, tuple[SetAside, ...]] = {}
    problems: dict[int, BleuCoreError] = {}
    for position, each in judgments.items():
        known = tuple(corpus.systems) or each.systems
        where = corpus.segments, corpus.documents
        placed, aside = each.place(known, *where)
        scored = aside
        if aside and each.table["score"].isna().any():
            _, scored = replace(each, table=each.rated).place(known, *where)
        if not len(placed.rated):
            problems[position] = AlignmentError(_why_none(each, corpus, scored))
            continue
        of_all, astray = (placed, aside) if set(each.systems) <= set(known) else each.place(each.systems, *where)
        kept.append(placed)
        rated.append(of_all)
        set_aside[position], unused[position], misplaced[position] = aside, scored, astray
    together = merge(kept)
    everyone = together if all(map(operator.is_, kept, rated)) else merge(rated)
    return Placed(
        judgments=together,
        rated=everyone,
        read=judgments,
        set_aside=set_aside,
        unused=unused,
        misplaced=misplaced,
        problems=problems,
    )


def take_ratings(judgments: Mapping[int, Judgments], corpus: Corpus, rows: Sequence[int]) -> dict[int, Judgments]:
    """The ratings of some of the segments of texts, which are numbered anew; each file's by its own numbers.

    Files that have none, such as those with ratings of whole systems, are left out.

    Args:
        judgments: as their files have them, by the position of the part.
        corpus: the texts, with all segments.
        rows: the positions of the segments, from 0, in the order wanted.
    """
    where = corpus.segments, corpus.documents
    taken = {position: each.place(each.systems, *where)[0].subset(rows) for position, each in judgments.items()}
    return {position: each for position, each in taken.items() if len(each.rated)}


def _replace_documents(usable: dict[int, Part], warnings: dict[int, list[str]]) -> None:
    """Leave out the documents of archives where a file of its own gives them."""
    given = [c for part in usable.values() if not part.of_archive for c in part.columns if c.role == "document"]
    if not given:
        return
    for position, part in list(usable.items()):
        others = tuple(c for c in part.columns if c.role != "document")
        if not part.of_archive or len(others) == len(part.columns):
            continue
        warnings[position] = [f"its documents are not used; those of {given[0].origin} take their place"]
        usable[position] = replace(part, columns=others)


def _second_names(usable: Mapping[int, Part]) -> dict[int, BleuCoreError]:
    """Parts that give a name a second time, or another source or other documents than a part before them.

    A source of another length is no other source yet: one of the two files is too short or too long.
    """
    first: dict[tuple[str, str, int], Column] = {}
    problems: dict[int, BleuCoreError] = {}
    for position, part in usable.items():
        new: dict[tuple[str, str, int], Column] = {}
        problem = ""
        for column in part.columns:
            key = (*_key(column), len(column.segments) if column.role in SINGLE else 0)
            other = first.get(key) or new.get(key)
            if other is None:
                new[key] = column
            elif not _is_copy(column, other, part):
                problem = same_name(column, other, part.name)
                break
        if problem:
            problems[position] = AlignmentError(problem)
        else:
            first |= new
    return problems


def _drop_copies(usable: dict[int, Part]) -> dict[int, tuple[str, ...]]:
    """Use parts without the source, documents and references that they repeat; what is repeated, by the part."""
    first: dict[tuple[str, str], Column] = {}
    notes: dict[int, tuple[str, ...]] = {}
    for position, part in usable.items():
        is_copy = [first.setdefault(_key(column), column) is not column for column in part.columns]
        if any(is_copy):
            usable[position] = replace(part, columns=tuple(compress(part.columns, map(operator.not_, is_copy))))
            copies = compress(part.columns, is_copy)
            notes[position] = tuple(_ignored(copy, first[_key(copy)], part) for copy in copies)
    return notes


def _key(column: Column) -> tuple[str, str]:
    """What a corpus has one of: a name in a role, or the role itself."""
    return column.role, "" if column.role in SINGLE else column.name


def _is_copy(column: Column, other: Column, part: Part) -> bool:
    """Whether a column repeats another one and can be ignored: that a table repeats a reference is no mistake."""
    repeated = column.role in SINGLE or (column.role == "reference" and len(part.columns) > 1)
    return repeated and column.segments == other.segments


def _ignored(copy: Column, first: Column, part: Part) -> str:
    """What becomes of a copy, as a sentence that follows the file's name."""
    what = {"source": "source is", "document": "documents are"}.get(copy.role, f"reference {copy.name} is")
    return f"the {what} already loaded from {first.place}; the identical copy in {part.name} is ignored"


def _too_many(usable: Mapping[int, Part], limits: Limits) -> dict[int, BleuCoreError]:
    """Parts with which there would be more systems or references than the limits allow."""
    held = {"systems": 0, "references": 0}
    problems: dict[int, BleuCoreError] = {}
    for position, part in usable.items():
        found = {kind: held[kind] + sum(c.role == kind[:-1] for c in part.columns) for kind in held}
        try:
            for kind, count in found.items():
                limits.check(kind, count, f"{part.name}, with the files before it")
        except LimitError as error:
            problems[position] = error
        else:
            held = found
    return problems


def _other_lengths(usable: Mapping[int, Part]) -> dict[int, BleuCoreError]:
    """Parts whose number of segments is not that of most texts; a table counts once, however many columns it has."""
    columns = [c for part in usable.values() for c in part.columns]
    expected = most_common_length(_one_per_length(usable))
    return {
        position: AlignmentError(length_mismatch(column, columns, expected))
        for position, part in usable.items()
        for column in part.columns
        if len(column.segments) != expected
    }


def _one_per_length(usable: Mapping[int, Part]) -> Iterator[Column]:
    """One column of each part for each length, a reference if there is one."""
    for part in usable.values():
        found: dict[int, Column] = {}
        for column in sorted(part.columns, key=lambda column: column.role != "reference"):
            found.setdefault(len(column.segments), column)
        yield from found.values()


def _without_any_reference(usable: Mapping[int, Part]) -> dict[int, BleuCoreError]:
    """Tables of references with gaps, where these leave a segment without any reference."""
    references = [c for part in usable.values() for c in part.columns if c.role == "reference"]
    problem = no_reference(references)
    if not problem:
        return {}
    return {
        position: AlignmentError(problem)
        for position, part in usable.items()
        if any(None in c.segments for c in part.columns if c.role == "reference")
    }


def _without_texts(parts: Sequence[Part], problems: Mapping[int, BleuCoreError]) -> dict[int, BleuCoreError]:
    """Judgments and scores of archives whose texts are all left out: they belong to other texts than those in use."""
    of_texts: dict[int, list[BleuCoreError | None]] = {}
    for position, part in enumerate(parts):
        if part.columns:
            of_texts.setdefault(part.file, []).append(problems.get(position))
    found: dict[int, BleuCoreError] = {}
    for position, part in enumerate(parts):
        why = of_texts.get(part.file, [None])
        if position not in problems and why[0] is not None and all(why):
            found[position] = why[0]
    return found


def _why_none(judgments: Judgments, corpus: Corpus, aside: Sequence[SetAside]) -> str:
    """Why no rating can be placed."""
    if corpus.systems and not any(system in corpus.systems for system in judgments.systems):
        origin = judgments.table["origin"].iloc[0]
        return (
            f"{origin}: no rating can be used: they are of {listed(judgments.systems)}, but the systems loaded are "
            f"{listed(corpus.systems)}"
        )
    if len(aside) == 1:
        try:
            judgments.check_segments(corpus.segments)
        except AlignmentError as error:
            return str(error)
    return f"{'; '.join(map(str, aside))}; no rating can be used"


def _aligned(
    usable: Mapping[int, Part], corpus: Corpus
) -> tuple[tuple[ScoreTable, ...], dict[int, tuple[str, ...]], dict[int, BleuCoreError]]:
    """Metric scores of the systems, a table per metric; what of each part is not used, and parts that do not fit."""
    found: dict[str, ScoreTable] = {}
    read: list[ScoreTable] = []
    unused: dict[int, tuple[str, ...]] = {}
    problems: dict[int, BleuCoreError] = {}
    for position, given in ((i, part.scores) for i, part in usable.items() if part.scores is not None):
        try:
            table, note = given.placed(corpus.ids, corpus.documents) if corpus.segments else (given, "")
            fitting = _fitting(table, corpus, read)
        except AlignmentError as error:
            problems[position] = error
            continue
        unused[position] = (note,) if note else ()
        read.append(table)
        found[table.name] = _joined(found[table.name], fitting) if table.name in found else fitting
        if not set(table.systems) <= corpus.systems.keys():
            unused[position] += (_without_text(table, corpus.systems),)
    return tuple(found.values()), unused, problems


def _fitting(table: ScoreTable, corpus: Corpus, others: Iterable[ScoreTable]) -> ScoreTable:
    """The scores of the corpus's systems.

    Args:
        table: scores as their file has them.
        corpus: the texts.
        others: the tables that are used already.

    Raises:
        AlignmentError: they are of none of the systems or of other segments, or do not go with the other tables.
    """
    place, name = table.origin or "scores", table.name
    if not any(system in corpus.systems for system in table.systems):
        loaded = f"the systems loaded are {listed(corpus.systems)}" if corpus.systems else "no system output is loaded"
        raise AlignmentError(f"{place}: the scores of {name} are for {listed(table.systems)}, but {loaded}")
    fitting = table.aligned(tuple(corpus.systems), corpus.segments)
    of_metric = [(other.origin or "scores", other) for other in others if other.name == name]
    for first, other in of_metric:
        twice = [system for system in table.systems if system in other.systems and system in corpus.systems]
        if other.level == table.level and twice:
            raise AlignmentError(f"{place}: {first} already holds scores of {name}; rename or remove one")
    for first, other in of_metric:
        if other.higher_is_better != table.higher_is_better:
            raise AlignmentError(
                f"{place}: lower {name} is better in only one of this file and {first}; make them the same"
            )
    return fitting


def _labels(
    usable: Mapping[int, Part], corpus: Corpus
) -> tuple[dict[str, tuple[str, ...]], dict[int, tuple[str, ...]], dict[int, BleuCoreError]]:
    """The labels of the segments by name; what of each part is not used, and parts that do not fit."""
    found: dict[str, tuple[str, ...]] = {}
    origin: dict[str, str] = {}
    unused: dict[int, tuple[str, ...]] = {}
    problems: dict[int, BleuCoreError] = {}
    own = {name for part in usable.values() if part.labels and not part.of_archive for name in part.labels.columns}
    for position, part in usable.items():
        labels = part.labels
        if labels is not None and part.of_archive:  # files of their own take the place of an archive's
            labels = replace(labels, columns={n: of for n, of in labels.columns.items() if n not in own})
        if labels is None or not labels.columns:
            continue
        twice = next((name for name in labels.columns if name in found), None)
        if twice is not None and not part.of_archive:
            problems[position] = AlignmentError(
                f"{labels.origin}: {origin[twice]} already holds labels called {twice}; rename or remove one"
            )
            continue
        try:
            placed, unused[position] = labels.place(corpus.segments, corpus.documents)
        except AlignmentError as error:
            problems[position] = error
            continue
        others = [name for name, given in placed.items() if found.get(name, given) != given]
        if others:
            where = listed(dict.fromkeys(origin[name] for name in others))
            unused[position] += (f"its labels called {listed(others)} are not used: {where} already holds others",)
        found = {**placed, **found}
        origin = dict.fromkeys(placed, labels.origin) | origin
    return found, unused, problems


def _without_text(table: ScoreTable, known: Collection[str]) -> str:
    """Which of a metric's scores are not used, as a sentence that follows the file's name."""
    unknown = [k for k, system in enumerate(table.systems) if system not in known]
    values = table.scores if table.level == "segment" else table.system_scores
    count, names = int(np.isfinite(values[unknown]).sum()), listed(table.systems[k] for k in unknown)
    verb = "is" if count == 1 else "are"
    return f"{count:,} {plural(count, 'score')} of {table.name} {verb} not used: no output of {names} is loaded"


def _joined(one: ScoreTable, other: ScoreTable) -> ScoreTable:
    """The scores of segments with those given of systems, or those of different systems."""
    if one.level == other.level:
        return replace(
            one,
            scores=np.where(np.isnan(one.scores), other.scores, one.scores),
            system_scores=np.where(np.isnan(one.system_scores), other.system_scores, one.system_scores),
        )
    of_systems, of_segments = (one, other) if one.level == "system" else (other, one)
    given = of_systems.system_scores
    return replace(of_segments, system_scores=np.where(np.isnan(given), of_segments.system_scores, given))


def labelled(tables: Iterable[ScoreTable], computed: Iterable[str]) -> Mapping[str, ScoreTable]:
    """The scores of each metric read from files, by its label; one named like a computed metric is marked as uploaded.

    >>> table = ScoreTable.of_systems("BLEU", {"A": 1.0})
    >>> list(labelled([table], ["BLEU", "chrF2"]))
    ['BLEU (uploaded)']
    """
    tables, computed = tuple(tables), set(computed)
    taken = {table.name for table in tables} | computed
    found: dict[str, ScoreTable] = {}
    for table in tables:
        label = table.name
        while label in computed or (label != table.name and label in taken):
            label += " (uploaded)"
        found[label] = table
        taken.add(label)
    return MappingProxyType(found)
