"""Files named on the command line of `bleu-core`, read and fitted together."""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

from bleu_core.dataset import Column, Corpus, Judgments, Role, ScoreTable, SetAside, merge
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.formats import PUBLISHED, Contents, FileRole, read, read_test_set
from bleu_core.limits import Limits
from bleu_core.scoring import PRESETS, BleuSettings


def settings_of(options: argparse.Namespace) -> BleuSettings:
    """The preset, changed as the call says."""
    named = {f.name for f in fields(BleuSettings)}
    given = {name: value for name, value in vars(options).items() if name in named and value is not None}
    return replace(PRESETS[options.preset], **given)


def corpus_of(options: argparse.Namespace) -> Corpus:
    """The texts of all files and archives, without those to leave out.

    Raises:
        FormatError: a file or archive cannot be read.
        LimitError: there are more systems or references than the limits allow.
        AlignmentError: the texts do not fit together, or there is no system.
        SettingsError: what is to be left out is not there, or an encoding is unknown.
    """
    corpus = Corpus.from_columns(_without(options, _columns(options)))
    if not corpus.systems:
        raise AlignmentError("no system among the columns of the files given, at least 1 expected")
    return corpus


def judgments_of(options: argparse.Namespace, corpus: Corpus) -> tuple[Judgments | None, tuple[SetAside, ...]]:
    """The ratings of all files and archives, None without any; and those that find no place in the documents.

    Where the documents are known, ratings numbered within documents are placed in the texts.

    Raises:
        FormatError: a file cannot be read.
    """
    found = [contents.judgments for contents in _archives(options)]
    found += [_read(path, "judgments", options).judgments for path in options.human]
    placed: list[Judgments] = []
    aside: tuple[SetAside, ...] = ()
    for judgments in found:
        if judgments is not None and judgments.numbering == "document" and corpus.documents is not None:
            lined, others = judgments.place(judgments.systems, corpus.segments, corpus.documents)
            placed.append(lined)
            aside += others
        elif judgments is not None:
            placed.append(judgments)
    return merge(placed), aside


def human_scores_of(options: argparse.Namespace) -> dict[str, str]:
    """Which human scores count of each archive that has any, by the archive's path."""
    found = {contents.report.name: contents.archive for contents in _archives(options)}
    return {path: options.human_scores or a.preferred for path, a in found.items() if a is not None and a.preferred}


def metric_scores_of(options: argparse.Namespace) -> list[ScoreTable]:
    """The scores of other metrics, of all files and archives.

    Raises:
        FormatError: a file cannot be read.
        SettingsError: two metrics have one name, or one that is said to be turned is not there.
    """
    tables = [table for contents in _archives(options) for table in contents.scores]
    tables += [table for path in options.metric_scores for table in _read(path, "scores", options).scores]
    names = ["BLEU", *(table.name for table in tables)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingsError(f"two metrics are called {twice}; rename one")
    lower, higher = options.lower_is_better, options.higher_is_better
    for name in (*lower, *higher):
        if name not in names[1:]:
            there = f"one of {', '.join(names[1:])}" if tables else "--metric-scores with it"
            raise SettingsError(f"metric {name!r} found, {there} expected")
        if name in lower and name in higher:
            raise SettingsError(f"metric {name!r} found as both lower and higher is better, one expected")
    return [
        replace(t, higher_is_better=t.name in higher or (t.higher_is_better and t.name not in lower)) for t in tables
    ]


def check_numbers(limits: Limits, *, systems: int, references: int) -> None:
    """See that there are not too many systems or references in all files together.

    Raises:
        LimitError: there are.
    """
    limits.check("systems", systems, "all files together")
    limits.check("references", references, "all files together")


def printable_path(path: str) -> str:
    r"""The path as people read it; bytes that are not UTF-8 become escapes such as \xff.

    Python keeps such bytes of a file's name as lone surrogates, which neither JSON nor a table can hold.
    """
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _columns(options: argparse.Namespace) -> list[Column]:
    """All columns of text; documents named on the command line replace those of archives."""
    check_numbers(options.limits, systems=len(options.systems), references=len(options.ref))  # before any is read
    documents: str | None = getattr(options, "documents", None)
    given: tuple[tuple[FileRole, Sequence[str]], ...] = (
        ("reference", options.ref),
        ("system", options.systems),
        ("document", [documents] if documents else []),
    )
    columns = [column for contents in _archives(options) for column in contents.columns]
    if documents:
        columns = [column for column in columns if column.role != "document"]
    columns += [column for role, paths in given for path in paths for column in _read(path, role, options).columns]
    number = {role: sum(column.role == role for column in columns) for role in ("system", "reference")}
    check_numbers(options.limits, systems=number["system"], references=number["reference"])
    return columns


def _without(options: argparse.Namespace, columns: list[Column]) -> list[Column]:
    gone: dict[Role, Sequence[str]] = {
        "system": getattr(options, "without_system", ()),
        "reference": getattr(options, "without_reference", ()),
    }
    for role, names in gone.items():
        known = list(dict.fromkeys(column.name for column in columns if column.role == role))
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None:
            raise SettingsError(f"{role} {unknown!r} to leave out found, one of {', '.join(known)} expected")
        if known and set(known) <= set(names):
            raise SettingsError(f"all {role}s are left out, at least 1 expected")
    return [column for column in columns if column.name not in gone.get(column.role, ())]


def _archives(options: argparse.Namespace) -> list[Contents]:
    """The archives, read once a call."""
    if "opened" not in options:
        options.opened = [_archive(path, options) for path in getattr(options, "archive", ())]
    return options.opened


def _archive(path: str, options: argparse.Namespace) -> Contents:
    contents = read_test_set(
        Path(path) if Path(path).is_dir() else _bytes_of(path, options.limits),
        printable_path(path),
        encoding=options.encoding,
        pair=options.language_pair,
        human_scores=getattr(options, "human_scores", None),
        limits=options.limits,
    )
    options.warnings += contents.archive.problems if contents.archive else ()
    return contents


def _read(path: str, role: FileRole, options: argparse.Namespace) -> Contents:
    return read(
        _bytes_of(path, options.limits),
        printable_path(path),
        role,
        encoding=options.encoding,
        first_segment=getattr(options, "first_segment", 1),
        weights=getattr(options, "mqm_weights", PUBLISHED),
        pair=getattr(options, "language_pair", None) if role == "judgments" else None,
        limits=options.limits,
    )


def _bytes_of(path: str, limits: Limits) -> bytes:
    """A file's bytes; of a pipe, whose size nobody knows, no more than are allowed are read.

    Raises:
        LimitError: there are more than the limits allow.
        OSError: the file cannot be read; the error names it.
    """
    place = printable_path(path)
    try:
        with Path(path).open("rb") as file:
            status = os.fstat(file.fileno())
            limits.check("file_bytes", status.st_size, place)
            data = file.read(-1 if stat.S_ISREG(status.st_mode) else limits.file_bytes + 1)
    except OSError as error:  # an error while reading does not name the file
        raise OSError(error.errno, error.strerror, error.filename or path) from error
    limits.check("file_bytes", len(data), place)
    return data
