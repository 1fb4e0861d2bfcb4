"""Looks at a file's name and bytes and picks the reader, and says what it found in a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np

from bleu_core.dataset import Column, Judgments, Role, ScoreTable, SetAside
from bleu_core.errors import FormatError, SettingsError, listed, one_line
from bleu_core.formats import appraise, archive, crowd, esa, mqm, ratings, scores
from bleu_core.formats.archive import Archive, is_archive, read_archive
from bleu_core.formats.columns import read_columns
from bleu_core.formats.delimited import is_delimited
from bleu_core.formats.plain import read_plain
from bleu_core.formats.text import Text, decode, first_line, line_end_repairs
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from bleu_core.dataset import Part

FileRole = Literal["system", "reference", "source", "document", "judgments", "scores", "archive"]

NAME_HINTS: tuple[tuple[Role, re.Pattern[str]], ...] = (
    ("reference", re.compile(r"(^|[._-])(refs?|references?)([._-]|\d|$)|^ref[A-Z]\b|_ref$")),
    ("source", re.compile(r"(^|[._-])(src|sources?)([._-]|$)")),
    ("document", re.compile(r"(^|[._-])(docs?|documents?|docids?)([._-]|$)")),
)

#: The formats of judgments and scores, by the names that read() takes, in words for people.
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "ratings": ratings.FORMAT,
        "mqm": mqm.FORMAT,
        "mqm-averages": mqm.AVERAGES_FORMAT,
        "appraise": appraise.FORMAT,
        "crowd": "WMT crowd DA",
        "esa": esa.FORMAT,
        "scores": scores.FORMAT,
        "eval-scores": scores.EVAL_FORMAT,
        "archive": archive.FORMAT,
    }
)
ROLES_OF_FORMATS: Mapping[str, tuple[FileRole, ...]] = MappingProxyType(
    {
        **dict.fromkeys(FORMATS, ("judgments",)),
        "scores": ("scores",),
        "eval-scores": ("scores", "judgments"),
        "archive": ("archive",),
    }
)
TEXT_FORMAT = "text, a segment a line"
TABLE_FORMAT = "table of texts"
#: Fewer lines tell nothing about what a file holds.
FEWEST_LINES = 4
#: Characters from which a format is told.
HEAD = 2**14
#: Language pairs, and metrics of which lower is better, that a note names; others are counted.
MOST_PAIRS = 50
MOST_LOWER = 20


@dataclass(frozen=True, slots=True)
class FileReport:
    """What was found in a file.

    Attributes:
        name: the file's name.
        role: what its contents are taken for.
        segments: segments in each of its columns, or rated segments; system-level scores count as 0.
        empty_segments: segments without any text, over all columns.
        tokens: words between white space, over all columns.
        ratings: scores in a file of judgments or of metric scores.
        encoding: how its bytes were read.
        repairs: what was put right while reading.
        format: what it was read as, in words for people.
        set_aside: rows of judgments that are not counted, by reason.
        notes: what was decided while reading, in sentences for people.
        weights: what errors cost in a file of MQM errors; None in all others.
    """

    name: str
    role: FileRole
    segments: int
    empty_segments: int
    tokens: int
    encoding: str
    repairs: tuple[str, ...]
    ratings: int = 0
    format: str = ""
    set_aside: tuple[SetAside, ...] = ()
    notes: tuple[str, ...] = ()
    weights: MqmWeights | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """A file, read: columns of text, judgments, metric scores, or of an archive all of these, and the report.

    Of an archive judgments are the human scores chosen; archive has all of them, by name.
    """

    report: FileReport
    columns: tuple[Column, ...] = ()
    judgments: Judgments | None = None
    scores: tuple[ScoreTable, ...] = ()
    archive: Archive | None = None

    def parts(self, file: int = 0) -> tuple[Part, ...]:
        """What of the file is used or left out as a whole: each text of an archive, the judgments, each metric.

        Args:
            file: the file's number, which all of its parts have.
        """
        from bleu_core.dataset import Part  # loaded when first needed: files that are streamed have no parts

        name = self.report.name
        metrics = tuple(Part(name, file, scores=table) for table in self.scores)
        if self.archive is None:
            return metrics or (Part(name, file, self.columns, self.judgments),)
        texts = (Part(c.place, file, (c,), of_archive=True) for c in self.columns)
        ratings = () if self.judgments is None else (Part(name, file, judgments=self.judgments),)
        return (*texts, *ratings, *metrics)


@dataclass(frozen=True, slots=True)
class Inspection:
    """A file, decoded and recognised, so that read() does not do so again.

    Attributes:
        role: what it seems to hold, by its content first and its name second.
        text: its text; None where it is an archive.
        format: the format of judgments or scores that the text looks like, a key of FORMATS; None for other texts.
        encoding: the encoding it was decoded with, as in decode.
    """

    role: FileRole
    text: Text | None
    format: str | None
    encoding: str | None


def recognise(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> FileRole:
    """Guess what a file holds, from its content first and its name second.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    return inspect(data, name, encoding, limits=limits).role


def inspect(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Inspection:
    """Decode a file, and guess what it holds.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    if is_archive(data):
        archive.check_office(data, name, limits=limits)
        return Inspection("archive", None, None, encoding)
    text = decode(data, name, encoding, limits=limits)
    kind = _format(text, name)
    return Inspection(_role(text, name, kind), text, kind, encoding)


def _role(text: Text, name: str, kind: str | None) -> FileRole:
    if kind == "eval-scores":
        return "judgments" if scores.is_human_score(name) else "scores"
    if kind is not None:
        return ROLES_OF_FORMATS[kind][0]
    stem = PurePath(name).stem
    for role, hint in NAME_HINTS:
        if hint.search(stem) or hint.search(stem.lower()):
            return role
    return "document" if _looks_like_documents(text) else "system"


def formats_of(role: FileRole) -> tuple[str, ...]:
    """The formats (keys of FORMATS) that a file of that role may have; none of texts."""
    return tuple(kind for kind, roles in ROLES_OF_FORMATS.items() if role in roles)


def read(
    data: bytes,
    name: str,
    role: FileRole,
    *,
    encoding: str | None = None,
    header: bool | None = None,
    first_segment: int = 1,
    format: str | None = None,  # noqa: A002 # as the report has it
    weights: MqmWeights = PUBLISHED,
    pair: str | None = None,
    human_scores: str | None = None,
    lower_is_better: Collection[str] | None = None,
    inspection: Inspection | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Contents:
    """Read a file in a role: a table when its name says so, else one segment a line.

    Args:
        data: the file's bytes.
        name: the file, for messages; its stem names a plain file's system or reference.
        role: what it holds.
        encoding: as in decode.
        header: as in read_columns.
        first_segment: as in read_ratings.
        format: of judgments and scores, a key of FORMATS that overrules what the content looks like.
        weights: what the errors of MQM cost.
        pair: the language pair, where a file has several; its first when None.
        human_scores: of an archive, which of its human scores are the judgments; its preferred ones when None.
        lower_is_better: of metric scores, the metrics of which a lower score is the better one, and no others; None
            goes by the metrics' names.
        inspection: what inspect() made of the same bytes, so that they are decoded once.
        limits: the most that the file may hold.

    Raises:
        FormatError: the bytes are not such a file, or an archive has no such human scores.
        LimitError: the file holds more than the limits allow.
        SettingsError: there is no such encoding, or no such format of that role.
    """
    if format is not None and format not in formats_of(role):
        known = ", ".join(formats_of(role)) or "none"
        raise SettingsError(f"{name}: format {format!r} found, one of those of {role} expected: {known}")
    name = _encodable(name)
    if role == "archive":
        return read_test_set(
            data,
            name,
            encoding=encoding,
            pair=pair,
            human_scores=human_scores,
            lower_is_better=lower_is_better,
            limits=limits,
        )
    if is_archive(data):
        archive.check_office(data, name, limits=limits)
        raise FormatError(f"{name}: a zip found, text expected; unpack it, or read it as an archive (a test set)")
    known = inspection if inspection is not None and inspection.encoding == encoding else None
    text = decode(data, name, encoding, limits=limits) if known is None or known.text is None else known.text
    if role in ("judgments", "scores") or is_delimited(name):
        repairs = text.repairs + line_end_repairs(text.content.count("\r\n"))
    else:
        column, repairs = read_plain(text, role, PurePath(name).stem, name)
        report = _report_of_texts((column,), name, role, (text.encoding, repairs))
        return Contents(replace(report, format=TEXT_FORMAT), (column,))
    read_as = text.encoding, repairs
    if role not in ("judgments", "scores"):
        columns, notes = read_columns(text, role, name, header=header, limits=limits)
        report = _report_of_texts(columns, name, role, read_as)
        return Contents(replace(report, format=TABLE_FORMAT, notes=notes), columns)
    guess = format or (_format(text, name) if known is None else known.format)
    kind = guess if guess in formats_of(role) else formats_of(role)[0]
    if role == "scores":
        tables = _turned(_tables(text, name, kind, first_segment, limits), lower_is_better)
        return Contents(_report_of_scores(tables, name, kind, read_as, guessed=lower_is_better is None), scores=tables)
    judgments = _judgments(text, name, kind, first_segment=first_segment, weights=weights, pair=pair, limits=limits)
    report = _report_of_judgments(judgments, name, read_as)
    return Contents(replace(report, weights=weights if _holds_errors(judgments) else None), judgments=judgments)


def read_test_set(
    source: bytes | Path,
    name: str,
    *,
    encoding: str | None = None,
    pair: str | None = None,
    human_scores: str | None = None,
    lower_is_better: Collection[str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Contents:
    """Read one language pair of an archive, a zip's bytes or a folder, of which no other pair's files are opened.

    The other arguments and the errors are those of read.
    """
    name = _encodable(name)
    found = read_archive(source, name, pair=pair, encoding=encoding, limits=limits)
    chosen = found.preferred if human_scores is None else human_scores
    if chosen is not None and chosen not in found.judgments:
        there = f"there are {listed(found.judgments)}" if found.judgments else "there are none"
        raise FormatError(f"{name}: no human scores {chosen!r} of {found.pair}; {there}")
    others = listed((other for other in found.pairs if other != found.pair), most=MOST_PAIRS)
    report = replace(
        _report_of_texts(found.columns, name, "archive", (encoding or "UTF-8", ())),
        ratings=sum(len(table.rated) for table in found.judgments.values()),
        format=f"{archive.FORMAT}, {found.pair}",
        notes=(
            *((f"other language pairs in it: {others}",) if others else ()),
            *((f"human scores: {chosen}, of {listed(found.judgments)}",) if chosen else ()),
            *found.notes,
            *found.problems,
        ),
    )
    judgments = found.judgments[chosen] if chosen else None
    return Contents(report, found.columns, judgments, _turned(found.metrics.values(), lower_is_better), found)


def _format(text: Text, name: str) -> str | None:
    """The format of judgments or scores that a text looks like, the most particular first."""
    content = text.content
    first = first_line(content)
    end = len(content) if len(content) <= HEAD else content.rfind("\n", 0, HEAD)
    head = content[: end if end >= 0 else len(first)]
    tests: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("mqm", lambda: mqm.is_mqm(first)),
        ("mqm-averages", lambda: mqm.is_mqm_averages(first)),
        ("crowd", lambda: crowd.is_crowd(first)),
        ("esa", lambda: esa.is_esa(first)),
        ("scores", lambda: scores.is_scores(first, name)),
        ("ratings", lambda: ratings.is_ratings(first, name)),
        ("mqm", lambda: mqm.is_incomplete_mqm(first)),  # its reader tells which column is missing
        ("appraise", lambda: appraise.is_appraise(head)),
        ("eval-scores", lambda: scores.is_eval_scores(head, name)),
    )
    return next((kind for kind, holds in tests if holds()), None)


class _Counted(TypedDict):
    """What all readers of judgments but one are told."""

    first_segment: int
    limits: Limits


def _judgments(
    text: Text,
    name: str,
    kind: str,
    *,
    first_segment: int,
    weights: MqmWeights,
    pair: str | None,
    limits: Limits,
) -> Judgments:
    counted = _Counted(first_segment=first_segment, limits=limits)
    readers: Mapping[str, Callable[[], Judgments]] = {
        "ratings": lambda: ratings.read_ratings(text, name, **counted),
        "mqm": lambda: mqm.read_mqm(text, name, weights=weights, **counted),
        "mqm-averages": lambda: mqm.read_mqm_averages(text, name, **counted),
        "appraise": lambda: appraise.read_appraise(text, name, weights=weights, **counted),
        "crowd": lambda: crowd.read_crowd(text, name, **counted),
        "esa": lambda: esa.read_esa(text, name, pair=pair, **counted),
        "eval-scores": lambda: scores.read_eval_judgments(text, name, limits=limits),
    }
    return readers[kind]()


def _holds_errors(judgments: Judgments) -> bool:
    """Whether the ratings were computed from errors."""
    return judgments.format in (mqm.FORMAT, appraise.MQM_FORMAT)


def _tables(text: Text, name: str, kind: str, first_segment: int, limits: Limits) -> tuple[ScoreTable, ...]:
    if kind == "eval-scores":
        return scores.read_eval_scores(text, name, limits=limits)
    return scores.read_scores(text, name, first_segment=first_segment, limits=limits)


def _turned(tables: Iterable[ScoreTable], lower: Collection[str] | None) -> tuple[ScoreTable, ...]:
    """The tables, each marked as said; as they are where nothing is said."""
    return tuple(tables) if lower is None else tuple(replace(t, higher_is_better=t.name not in lower) for t in tables)


def _report_of_judgments(judgments: Judgments, name: str, read_as: tuple[str, tuple[str, ...]]) -> FileReport:
    rated = judgments.rated
    segments = int(rated["segment"].nunique())
    aside, notes = judgments.set_aside, judgments.notes
    return FileReport(name, "judgments", segments, 0, 0, *read_as, len(rated), judgments.format, aside, notes)


def _report_of_scores(
    tables: tuple[ScoreTable, ...], name: str, kind: str, read_as: tuple[str, tuple[str, ...]], *, guessed: bool
) -> FileReport:
    found = [t.scores if t.level == "segment" else t.system_scores for t in tables]
    count = sum(int(np.isfinite(values).sum()) for values in found)
    segments = max(t.scores.shape[1] for t in tables)
    lower = [t.name for t in tables if not t.higher_is_better] if guessed else []
    notes = tuple(one_line(f"{metric}: lower is taken for better, as the name says") for metric in lower[:MOST_LOWER])
    if len(lower) > MOST_LOWER:
        notes = (*notes, f"{len(lower) - MOST_LOWER} more metrics: lower is taken for better, as their names say")
    return FileReport(name, "scores", segments, 0, 0, *read_as, count, FORMATS[kind], notes=notes)


def _report_of_texts(
    columns: tuple[Column, ...], name: str, role: FileRole, read_as: tuple[str, tuple[str, ...]]
) -> FileReport:
    texts = [segment or "" for column in columns for segment in column.segments]
    empty = sum(not text.strip() for text in texts)
    tokens = sum(len(text.split()) for text in texts)
    return FileReport(name, role, len(columns[0].segments), empty, tokens, *read_as)


def _encodable(name: str) -> str:
    """The name of a file as text that can be written: on disk a name may be bytes that are no text."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _looks_like_documents(text: Text) -> bool:
    """A document id a line: few different lines, none with a blank, each in one run."""
    lines = text.content.removesuffix("\n").split("\n")
    if len(lines) < FEWEST_LINES or any(len(line.split()) != 1 for line in lines):
        return False
    runs = sum(a != b for a, b in pairwise(lines)) + 1
    return runs == len(set(lines)) <= len(lines) // 2
