"""Reads the files named on the command line of `bleu-core` and combines them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.cli.terminal import progress_bar
from bleu_core.errors import AlignmentError, SettingsError, listed, one_line
from bleu_core.formats import (
    PUBLISHED,
    Contents,
    FileRole,
    is_stream,
    printable_path,
    read,
    read_bytes,
    stem_of,
)
from bleu_core.limits import Limits
from bleu_core.progress import Progress, share_of
from bleu_core.scoring import PRESETS, SETTINGS, BleuSettings

if TYPE_CHECKING:  # files that are streamed are not fitted together
    from bleu_core.dataset import Column, Corpus, Dataset, Identical, Part, PrintedScore, ScoreTable
    from bleu_core.formats import ColumnsOfFiles, FormatChoice, MappedColumn
    from bleu_core.slicing import Slice


#: The options that name files: a path, or several.
FILES = (
    "systems",
    "baseline_file",
    "candidate_file",
    "ref",
    "documents",
    "source",
    "labels",
    "human",
    "metric_scores",
    "archive",
)

#: Steps of the progress bar per file.
STEPS = 1000


def settings_of(options: argparse.Namespace) -> BleuSettings:
    """The preset, or the settings of the workspace, with the changes of the call."""
    given = {key: value for key in SETTINGS if (value := getattr(options, key)) is not None}
    saved: BleuSettings | None = getattr(options, "saved_settings", None)
    if saved is None or options.preset is not None:
        return replace(PRESETS[options.preset or options.usual_preset], **given)
    anew = {
        key: setting.default
        for key, setting in SETTINGS.items()  # what goes with a setting that is changed
        if setting.goes_with in given or setting.one_per in given
    }
    return replace(saved, **anew | given)


def chosen_formats(options: argparse.Namespace) -> dict[str, FormatChoice]:
    """The formats that --format-of chooses, by file.

    Raises:
        SettingsError: as format_choices.
    """
    if not options.format_of:
        return {}
    from bleu_core.formats import format_choices  # loaded when first needed

    return format_choices(options.format_of, _files_of(options))


def corpus_of(options: argparse.Namespace) -> Corpus:
    """The texts of all files and archives, without those to leave out; of a slice, if the call names one.

    Raises:
        FormatError: a file or archive cannot be read.
        LimitError: there are more systems or references than the limits allow.
        AlignmentError: the texts do not fit together, or there is no system.
        SettingsError: what is to be left out is not there, an encoding is unknown, or the slice cannot be found.
    """
    return _fitted(_texts(options), options).corpus


def texts_of(options: argparse.Namespace) -> tuple[Column, ...]:
    """The texts of all files and archives, of whatever number of segments, without documents and those to leave out.

    Raises:
        FormatError, LimitError, SettingsError: as corpus_of.
        AlignmentError: two texts have one name, there is no system, or nothing to compare it with.
    """
    parts = _texts(options)
    _check_columns(options)
    options.warnings += [f"not used: {text.problem}" for part in parts for text in part.missing]
    return distinct_of(parts)


def distinct_of(parts: Sequence[Part]) -> tuple[Column, ...]:
    """The texts in parts of files, see texts_of."""
    from bleu_core.dataset import distinct_texts, no_system  # loaded when first needed

    texts = tuple(column for column in distinct_texts(parts) if column.role != "document")
    if not any(column.role == "system" for column in texts):
        raise AlignmentError(no_system([text for part in parts for text in part.missing]))
    if len(texts) == 1:
        raise AlignmentError("1 text found, at least 2 expected")
    return texts


def dataset_of(options: argparse.Namespace) -> Dataset:
    """The texts, the ratings and the scores of other metrics of all files and archives, fitted together.

    Raises:
        FormatError, LimitError, AlignmentError, SettingsError: as corpus_of; a rating is of a segment beyond the texts,
            none of a file's ratings has a place, or scores do not fit.
    """
    texts = _texts(options)
    others = _of_archives(options, texts=False)
    others += [part for path in options.human for part in _read(path, "judgments", options).parts()]
    scores: Sequence[str] = getattr(options, "metric_scores", ())
    others += [part for path in scores for part in _read(path, "scores", options).parts()]
    tables = iter(directed(options, [part.scores for part in others if part.scores is not None]))
    others = [part if part.scores is None else replace(part, scores=next(tables)) for part in others]
    return _fitted([*texts, *others], options)


def _fitted(parts: Sequence[Part], options: argparse.Namespace) -> Dataset:
    from bleu_core.dataset import COMPARE_SHARED, fit, no_system  # loaded when first needed

    _check_columns(options)
    found = fit(parts, limits=options.limits, refuse=True, shared_segments=bool(options.shared_segments))
    if not found.corpus.systems:
        raise AlignmentError(no_system(found.missing_systems))
    options.missing_systems = found.missing_systems
    found = replace(found, corpus=with_humans(options, found.corpus, getattr(options, "copies_of_left_out", ())))
    options.warnings += [f"not used: {text.problem}" for of_part in found.missing.values() for text in of_part]
    options.warnings += [
        f"{parts[i].name}: {sentence}" for i, of_part in found.warnings.items() for sentence in of_part
    ]
    if found.incomplete:
        options.warnings.append(found.sharing or COMPARE_SHARED)
    if options.slice is None:
        return found
    if "human" not in options:
        _check_no_ratings(options)
    from bleu_core.slicing import slice_corpus  # loaded when first needed

    chosen = slice_corpus(options.slice, found.corpus, settings=settings_of(options), judgments=found.ratings.judgments)
    return sliced(found, options, chosen)


def with_humans(options: argparse.Namespace, corpus: Corpus, copies: Sequence[Identical] = ()) -> Corpus:
    """Keep the human translations among the systems in the options, and return the corpus to rank systems in.

    Without the references of human translations that the call includes in the ranking it is the same corpus.

    Args:
        options: of the call.
        corpus: the texts, without those to leave out.
        copies: systems with the text of a reference that is left out.

    Raises:
        SettingsError: the call names a human translation that is no system, or no reference would be left.
    """
    if "include_human" not in options:  # of a command that ranks
        return corpus
    from bleu_core.dataset import human_translations, without_references_of  # loaded when first needed

    included: Sequence[str] = options.include_human
    for name in (*options.human_system, *included):
        if name not in corpus.systems:
            raise SettingsError(f"human system {name!r} found, one of {', '.join(corpus.systems)} expected")
    humans = human_translations(corpus, options.human_system, copies)
    options.human_translations = tuple(each for each in humans if each.system not in included)
    if not included:
        return corpus
    found = without_references_of(corpus, included)
    if corpus.references and not found.references:
        raise SettingsError(
            f"argument --include-human: {listed(list(included))} cannot be ranked, as no other reference is left; add "
            "one"
        )
    return found


def sliced(found: Dataset, options: argparse.Namespace, chosen: Slice) -> Dataset:
    """The segments of the slice, with the ratings and scores that are of them; keeps the slice in the options.

    Args:
        found: the data.
        options: of the call.
        chosen: the slice.
    """
    from bleu_core.dataset import plural  # loaded when first needed

    ratings = found.ratings.rated
    options.chosen_slice = chosen
    of_systems = [table.name for table in found.scores if table.level == "system"]
    if of_systems:
        options.warnings.append(f"scores of whole systems are not used in a slice: {listed(of_systems)}")
    without_segment = 0 if ratings is None else int(ratings.rated["segment"].isna().sum())
    if without_segment:
        options.warnings.append(
            f"{without_segment:,} {plural(without_segment, 'rating')} of no single segment not used in a slice"
        )
    return found.take(chosen.rows)


def _check_columns(options: argparse.Namespace) -> None:
    """Check that each column of --columns was in some file; errors as for ColumnsOfFiles.check."""
    mapped = _columns_of_files(options)
    if mapped is not None:
        mapped.check()


def _check_no_ratings(options: argparse.Namespace) -> None:
    """Check that the slice needs no ratings, as the command reads none.

    Raises:
        SettingsError: it needs them, or is not in the language.
    """
    from bleu_core.slicing import FIELDS_OF_RATINGS, fields_in, parse  # loaded when first needed

    field = next((name for name in FIELDS_OF_RATINGS if name in fields_in(parse(options.slice))), None)
    if field is not None:
        raise SettingsError(
            f"slice: field {field} found, but {options.command} reads no ratings; use a command that has --human"
        )


def printed_scores_of(options: argparse.Namespace) -> tuple[PrintedScore, ...]:
    """The scores that sacreBLEU has printed, of all files of --metric-scores.

    Raises:
        FormatError, LimitError: a file cannot be read.
        SettingsError: a file has scores of other kinds.
    """
    found: list[PrintedScore] = []
    for path in options.metric_scores:
        contents = _read(path, "scores", options)
        if not contents.printed:
            raise SettingsError(
                f"argument --metric-scores: {contents.report.name} has {contents.report.format}; {options.command} "
                "compares scores that sacreBLEU has printed as JSON, and correlate those of other metrics"
            )
        found += contents.printed
    return tuple(found)


def human_scores_of(options: argparse.Namespace) -> dict[str, str]:
    """Which human scores count of each archive that has any, by the archive's path."""
    found = {contents.report.name: contents.archive for contents in _archives(options)}
    return {path: options.human_scores or a.preferred for path, a in found.items() if a is not None and a.preferred}


def check_numbers(limits: Limits, *, systems: int, references: int) -> None:
    """Check that there are not too many systems or references in all files together.

    Raises:
        LimitError: there are.
    """
    limits.check("systems", systems, "all files together")
    limits.check("references", references, "all files together")


def documents_of(options: argparse.Namespace) -> Sequence[str] | None:
    """The document of each segment, if the call names a file of them; errors as for reading."""
    path: str | None = getattr(options, "documents", None)
    if path is None:
        return None
    columns = (column for part in _read(path, "document", options).parts() for column in part.columns)
    return next((tuple(map(str, column.segments)) for column in columns), None)


def plain_files(options: argparse.Namespace) -> tuple[dict[str, Path], dict[str, Path]] | None:
    """The systems and references of a call that names each by a file which may be plain text; None of any other call.

    Raises:
        LimitError: there are more than the limits allow.
    """
    found = plain_locations(options)
    if found is None:
        return None
    systems, references = ({name: Path(path) for name, path in paths.items()} for paths in found)
    return systems, references


def plain_locations(options: argparse.Namespace) -> tuple[dict[str, str], dict[str, str]] | None:
    """The same, as paths and URLs; the errors are those of plain_files."""
    if (
        options.workspace
        or options.archive
        or options.without_system
        or options.without_reference
        or options.format_of
        or options.columns
    ):
        return None
    if any(map(is_stream, (*options.systems, *options.ref, *filter(None, [getattr(options, "documents", None)])))):
        return None  # each can be read only once
    check_numbers(options.limits, systems=len(options.systems), references=len(options.ref))
    systems, references = (
        {stem_of(printable_path(path)): path for path in paths} for paths in (options.systems, options.ref)
    )
    twice = len(systems) < len(options.systems) or len(references) < len(options.ref)
    return None if twice else (systems, references)


def _texts(options: argparse.Namespace) -> list[Part]:
    """All texts, without those to leave out."""
    check_numbers(options.limits, systems=len(options.systems), references=len(options.ref))  # before any is read
    documents: str | None = getattr(options, "documents", None)
    given: tuple[tuple[FileRole, Sequence[str]], ...] = (
        ("reference", options.ref),
        ("system", options.systems),
        ("document", [documents] if documents else []),
        ("source", [options.source] if options.source else []),
        ("labels", options.labels),
    )
    parts = _of_archives(options, texts=True)
    files: list[tuple[str, FileRole]] = [(path, role) for role, paths in given for path in paths]
    with progress_bar() as progress:
        for done, (path, role) in enumerate(files):
            of_file = share_of(progress, done * STEPS, STEPS, len(files) * STEPS)
            parts += _contents(path, role, options, of_file).parts()
            if progress:
                progress(done + 1, len(files))
    columns = [column for part in parts for column in part.columns]
    number = {role: sum(column.role == role for column in columns) for role in ("system", "reference")}
    check_numbers(options.limits, systems=number["system"], references=number["reference"])
    return without(options, parts)


def without(options: argparse.Namespace, parts: Sequence[Part]) -> list[Part]:
    """The parts without the systems and references to leave out; errors as for left_out."""
    texts = [text for part in parts for text in (*part.columns, *part.missing)]
    names = {role: list(dict.fromkeys(t.name for t in texts if t.role == role)) for role in ("system", "reference")}
    gone = left_out(options, names)
    options.copies_of_left_out = _copies(parts, gone)
    return [
        replace(
            part,
            columns=tuple(c for c in part.columns if c.name not in gone.get(c.role, ())),
            missing=tuple(text for text in part.missing if text.name not in gone.get(text.role, ())),
        )
        for part in parts
    ]


def _copies(parts: Sequence[Part], gone: Mapping[str, Sequence[str]]) -> list[Identical]:
    """The systems with the text of a reference that is left out."""
    if not gone["reference"]:
        return []
    from bleu_core.dataset import Identical  # loaded when first needed

    columns = [column for part in parts for column in part.columns]
    references = {c.segments: c.name for c in columns if c.role == "reference" and c.name in gone["reference"]}
    return [
        Identical(c.name, "reference", references[c.segments])
        for c in columns
        if c.role == "system" and c.segments in references
    ]


def left_out(options: argparse.Namespace, names: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The systems and references to leave out.

    Args:
        options: of the call.
        names: of all systems and references.

    Raises:
        SettingsError: one of them is not there, or nothing would be left.
    """
    gone: dict[str, Sequence[str]] = {
        "system": getattr(options, "without_system", ()),
        "reference": getattr(options, "without_reference", ()),
    }
    for role, missed in gone.items():
        known = names[role]
        unknown = next((name for name in missed if name not in known), None)
        if unknown is not None:
            raise SettingsError(f"{role} {unknown!r} to leave out not found, one of {', '.join(known)} expected")
        if known and set(known) <= set(missed):
            raise SettingsError(f"all {role}s are left out, at least 1 expected")
    return gone


def directed(options: argparse.Namespace, tables: Sequence[ScoreTable]) -> list[ScoreTable]:
    """The scores of all metrics, those marked for which the call says that lower is better.

    Raises:
        SettingsError: a metric that is named is not there, or named both ways.
    """
    names = [table.name for table in tables]
    lower: Sequence[str] = getattr(options, "lower_is_better", ())
    higher: Sequence[str] = getattr(options, "higher_is_better", ())
    for name in (*lower, *higher):
        if name not in names:
            there = f"one of {', '.join(dict.fromkeys(names))}" if names else "a metric of --metric-scores"
            raise SettingsError(f"metric {name!r} found, {there} expected")
        if name in lower and name in higher:
            raise SettingsError(f"metric {name!r} is given both as lower and as higher is better; remove one")
    better = (table.name in higher or (table.higher_is_better and table.name not in lower) for table in tables)
    return [replace(table, higher_is_better=each) for table, each in zip(tables, better, strict=True)]


def _of_archives(options: argparse.Namespace, *, texts: bool) -> list[Part]:
    """The parts of all archives that are texts or labels of these, or all others."""
    parts = (part for i, contents in enumerate(_archives(options)) for part in contents.parts(i))
    return [part for part in parts if bool(part.columns or part.labels or part.missing) is texts]


def _archives(options: argparse.Namespace) -> list[Contents]:
    """The archives, and the files in zips and folders of other files, read once a call."""
    if "opened" not in options:
        archives: Sequence[str] = getattr(options, "archive", ())
        options.opened = [contents for path in archives for contents in _archive(path, options)]
    return options.opened


def _archive(path: str, options: argparse.Namespace) -> list[Contents]:
    from bleu_core.formats import read_archives_at  # loaded when first needed

    chosen = chosen_formats(options).get(path)
    with progress_bar() as progress:
        found = read_archives_at(
            path,
            encoding=options.encoding,
            format=None if chosen is None else chosen.format,
            pair=options.language_pair,
            human_scores=getattr(options, "human_scores", None),
            first_segment=_first_segment(options),
            weights=getattr(options, "mqm_weights", PUBLISHED),
            own={} if chosen is None else chosen.own,
            paragraphs=getattr(options, "paragraphs", False),
            limits=options.limits,
            progress=progress,
        )
    for contents in found:
        _warn_of(contents, options)
    return found


def _first_segment(options: argparse.Namespace) -> int:
    """The number of the first segment in files of ratings and scores, which a call need not give."""
    given: int | None = getattr(options, "first_segment", None)
    return 1 if given is None else given


def _read(path: str, role: FileRole, options: argparse.Namespace) -> Contents:
    """A file of ratings or scores, with a progress bar of its own."""
    with progress_bar() as progress:
        return _contents(path, role, options, progress)


def _contents(path: str, role: FileRole, options: argparse.Namespace, progress: Progress | None) -> Contents:
    chosen = chosen_formats(options).get(path)
    data, name = _bytes_of(path, options), printable_path(path)
    mapped = _columns_of_files(options)
    columns: tuple[MappedColumn, ...] = ()
    if mapped is not None:
        columns = mapped.for_file(
            data,
            path,
            role,
            encoding=options.encoding,
            format=None if chosen is None else chosen.format,
            own={} if chosen is None else chosen.own,
            limits=options.limits,
        )
    found = read(
        data,
        name,
        role,
        encoding=options.encoding,
        first_segment=_first_segment(options),
        format=None if chosen is None else chosen.format,
        weights=getattr(options, "mqm_weights", PUBLISHED),
        pair=getattr(options, "language_pair", None),
        paragraphs=getattr(options, "paragraphs", False),
        own={} if chosen is None else chosen.own,
        columns=columns,
        limits=options.limits,
        progress=progress,
    )
    _warn_of(found, options)
    return found


def _columns_of_files(options: argparse.Namespace) -> ColumnsOfFiles | None:
    """The columns that the call names, for all of its files; None where it names none."""
    if not getattr(options, "columns", ()):
        return None
    if "columns_of_files" not in options:
        from bleu_core.formats import ColumnsOfFiles  # loaded when first needed

        options.columns_of_files = ColumnsOfFiles(options.columns, _files_of(options))
    return options.columns_of_files


def _files_of(options: argparse.Namespace) -> list[str]:
    """The paths of all files of the call."""
    given = [getattr(options, name, None) or () for name in FILES]
    return [path for paths in given for path in ([paths] if isinstance(paths, str) else paths)]


def _bytes_of(path: str, options: argparse.Namespace) -> bytes:
    """The bytes of a file; those of a stream are kept, as commands may read a file a second time."""
    if not is_stream(path):
        return read_bytes(path, options.limits)
    streams: dict[str, bytes] = options.streams
    if path not in streams:
        streams[path] = read_bytes(path, options.limits)
    return streams[path]


def _warn_of(contents: Contents, options: argparse.Namespace) -> None:
    """Warn of what its reader noticed: what is unusual about a file, what was decided, and what is not used."""
    report = contents.report
    problems = contents.archive.problems if contents.archive else ()  # which name their files themselves
    notes = [note for note in report.notes if note not in problems]
    of_ratings = report.of_ratings if "human" in options else ()
    sentences = (*report.about_texts, *notes, *report.decisions, *of_ratings)
    aside = contents.judgments.set_aside if contents.judgments is not None and "human" in options else ()
    options.warnings += [*problems, *(one_line(f"{report.name}: {sentence}") for sentence in sentences)]
    options.warnings += map(str, aside)
