"""Reading and combining the files that a call of `bleu-core` names."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from bleu_core.cli.optimised import check_marks
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import SAMPLE, common_languages
from bleu_core.errors import AlignmentError, BleuCoreError, SettingsError, listed, one_line
from bleu_core.formats import (
    PUBLISHED,
    Contents,
    FileRole,
    StrPath,
    checked_languages,
    is_stream,
    languages_of_file,
    printable_path,
    read,
    read_bytes,
    stem_of,
)
from bleu_core.limits import Limits
from bleu_core.progress import Progress, scaled_progress
from bleu_core.scoring import (
    DEFAULT_METRIC,
    DEFAULT_TOKENIZER,
    HUMAN,
    PRESETS,
    SETTINGS,
    BleuSettings,
    Setting,
    default_tokenizer,
    tokenizer_for_language,
    unavailable_tokenizer,
)

if TYPE_CHECKING:  # loaded when first needed; streamed files do without
    from bleu_core.dataset import AlignedData, Column, Corpus, FilePart, Identical, PrintedScore, ScoreTable
    from bleu_core.formats import ColumnsOfFiles, FileReport, FormatChoice, ReadOptions
    from bleu_core.project import SavedWorkspace
    from bleu_core.slicing import Slice


#: The options that name files, each with one path or several.
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

#: Options for reading files: the attribute of the options -> the option of ReadOptions, and what a file has that takes
#: it.
READING: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "encoding": ("encoding", "text in an encoding of its own"),
        "language_pair": ("pair", "language pairs"),
        "paragraphs": ("paragraphs", "documents of WMT, which are one segment each"),
        "first_segment": ("first_segment", "ratings, scores or labels"),
        "human_scores": ("human_scores", "human scores of a test set"),
    }
)

#: Steps of the progress bar for each file.
STEPS = 1000


def settings_of(
    options: argparse.Namespace, languages: str = "", references: Iterable[Sequence[str | None]] = ()
) -> BleuSettings:
    """Return the settings: the preset or those of the workspace, with the changes of the call.

    Args:
        options: options of the call.
        languages: the language pair of the texts; empty if it is unknown.
        references: the segments of each reference. Unless a tokeniser is chosen, language and script decide on it.

    Raises:
        SettingsError: the tokeniser of the language is not installed.
    """
    settings = _chosen_settings(options)
    if not languages or chooses_tokenizer(options):
        return settings
    name = default_tokenizer(languages.partition("-")[2], references)
    if unavailable := unavailable_tokenizer(name):
        if getattr(options, "continues_without_bleu", False) or not depends_on(SETTINGS["tokenizer"], options):
            return settings
        raise SettingsError(f"{unavailable}; it is the default for {languages}, and --tokenizer chooses another one")
    return replace(settings, tokenizer=name)


def settings_for(options: argparse.Namespace, corpus: Corpus) -> BleuSettings:
    """Return the settings of a call for texts; errors as for settings_of."""
    return settings_of(options, corpus.languages, corpus.references.values())


def beginnings(
    options: argparse.Namespace, systems: Mapping[str, StrPath], references: Mapping[str, StrPath]
) -> Corpus:
    """Return the beginnings of the references of plain files, with the languages that all names say.

    Args:
        options: options of the call.
        systems: name -> path or URL.
        references: the same.

    Raises:
        IrregularError: a reference is not plain text, or they differ in length.
        OSError: a reference cannot be read.
    """
    from bleu_core.counts import IrregularError, Source, first_lines  # loaded when first needed
    from bleu_core.dataset import Corpus

    languages = filter(None, (languages_of_file(str(path)) for path in (*references.values(), *systems.values())))
    files = {name: Source(str(path), options.encoding) for name, path in references.items()}
    texts = {name: tuple(first_lines(file, SAMPLE, options.limits)) for name, file in files.items()}
    try:
        return Corpus(systems={}, references=texts, languages=common_languages(languages))
    except BleuCoreError:  # one is empty, or they differ in length
        raise IrregularError from None


def chooses_tokenizer(options: argparse.Namespace) -> bool:
    """Return whether a call, its preset or its workspace chooses a tokeniser."""
    if options.tokenizer is not None:
        return True
    if options.preset is None and getattr(options, "saved_settings", None) is not None:
        saved: SavedWorkspace = options.saved_workspace
        return "tokenizer" in saved.controls or options.saved_settings.tokenizer != DEFAULT_TOKENIZER
    return (options.preset or options.default_preset) in SETTINGS["tokenizer"].presets


def _chosen_settings(options: argparse.Namespace) -> BleuSettings:
    given = {key: value for key in SETTINGS if (value := getattr(options, key)) is not None}
    saved: BleuSettings | None = getattr(options, "saved_settings", None)
    if saved is None or options.preset is not None:
        return replace(PRESETS[options.preset or options.default_preset], **given)
    reset = {
        key: setting.default
        for key, setting in SETTINGS.items()  # settings that depend on a changed setting
        if setting.parent in given or setting.one_per in given
    }
    return replace(saved, **reset | given)


def check_taken(options: argparse.Namespace, files: Iterable[tuple[FileReport, Container[str]]]) -> None:
    """Check that each option for reading that a call gives is one by which a file is read in different ways.

    Args:
        options: options of the call.
        files: the report on each file, and the names of the options of ReadOptions that it takes.

    Raises:
        SettingsError: an option is not.
    """
    asked = [key for key in READING if key in options.given]
    if not asked:
        return
    from bleu_core.formats import FORMATS  # loaded when first needed

    files = list(files)
    for key in asked:
        name, what = READING[key]
        encoded = (report.format_key not in FORMATS or not FORMATS[report.format_key].binary for report, _ in files)
        known = any(encoded) if name == "encoding" else any(name in takes for _, takes in files)
        if not known and not (name == "pair" and _chooses_by_language(options)):
            raise SettingsError(
                f"argument --{key.replace('_', '-')}: no file that this call reads has {what}; remove the option"
            )


def _tokenizer_for(corpus: Corpus) -> str:
    return default_tokenizer(corpus.languages.partition("-")[2], corpus.references.values())


def _chooses_by_language(options: argparse.Namespace) -> bool:
    """Return whether the language pair of a call can choose the tokeniser of files that name no languages."""
    if "tokenizer" not in options:
        return False
    pair = checked_languages(options.language_pair)
    return tokenizer_for_language(pair.partition("-")[2]) != DEFAULT_TOKENIZER


def chosen_formats(options: argparse.Namespace) -> dict[str, FormatChoice]:
    """Return the formats chosen by --format-of, by file.

    Raises:
        SettingsError: as for format_choices.
    """
    if not options.format_of:
        return {}
    from bleu_core.formats import format_choices  # loaded when first needed

    return format_choices(options.format_of, _files_of(options))


def corpus_of(options: argparse.Namespace) -> Corpus:
    """Read the texts of all files and archives, without excluded ones; those of the slice, if the call has one.

    Raises:
        FormatError: a file or archive cannot be read.
        LimitError: there are more systems or references than the limits allow.
        AlignmentError: the texts do not fit together, or there is no system.
        SettingsError: a text to exclude does not exist, an encoding is unknown, or the slice is invalid.
    """
    return _fitted(_texts(options), options).corpus


def texts_of(options: argparse.Namespace) -> tuple[Column, ...]:
    """Read the texts of all files and archives, whatever their lengths, without documents and excluded texts.

    Raises:
        FormatError, LimitError, SettingsError: as for corpus_of.
        AlignmentError: two texts have the same name, there is no system, or only one text.
    """
    parts = _texts(options)
    _columns_of_files(options).check()
    options.warnings += [f"not used: {text.problem}" for part in parts for text in part.missing]
    return distinct_of(parts)


def distinct_of(parts: Sequence[FilePart]) -> tuple[Column, ...]:
    """Return the texts in parts of files, see texts_of."""
    from bleu_core.dataset import distinct_texts, no_system  # loaded when first needed

    texts = tuple(column for column in distinct_texts(parts) if column.role != "document")
    if not any(column.role == "system" for column in texts):
        raise AlignmentError(no_system([text for part in parts for text in part.missing]))
    if len(texts) == 1:
        raise AlignmentError("1 text found, at least 2 expected")
    return texts


def dataset_of(options: argparse.Namespace) -> AlignedData:
    """Read and align the texts, the ratings and the scores of other metrics of all files and archives.

    Raises:
        FormatError, LimitError, AlignmentError, SettingsError: as for corpus_of; or a rating is of a segment beyond the
            texts, none of a file's ratings can be placed, or scores do not fit.
    """
    texts = _texts(options)
    others = _of_archives(options, texts=False)
    ratings: Sequence[str] = getattr(options, "human", ())
    others += [part for path in ratings for part in _read(path, "judgments", options).parts()]
    # A command whose subject is not ratings compares the scores that sacreBLEU has printed with its own.
    of_ratings = "human" in options and not options.ratings_optional
    files = (contents for contents in _score_files(options) if of_ratings or not contents.printed)
    others += [part for contents in files for part in contents.parts()]
    tables = iter(directed(options, [part.scores for part in others if part.scores is not None]))
    others = [part if part.scores is None else replace(part, scores=next(tables)) for part in others]
    return _fitted([*texts, *others], options)


def _fitted(parts: Sequence[FilePart], options: argparse.Namespace) -> AlignedData:
    from bleu_core.dataset import COMPARE_SHARED, fit, no_system  # loaded when first needed
    from bleu_core.formats import UnclearColumnsError

    mapped = _columns_of_files(options)
    mapped.check()
    check_taken(options, ((contents.report, contents.takes) for contents in options.contents))
    try:
        data = fit(parts, limits=options.limits, refuse=True, shared_segments=bool(options.shared_segments))
    except UnclearColumnsError:
        mapped.add_own_references(parts)
        mapped.check_unclear()
        raise
    if not data.corpus.systems:
        raise AlignmentError(no_system(data.missing_systems))
    options.missing_systems = data.missing_systems
    data = replace(data, corpus=with_humans(options, data.corpus, getattr(options, "copies_of_excluded", ())))
    if getattr(options, "language_pair", None) and not data.corpus.languages and _chooses_by_language(options):
        data = replace(data, corpus=replace(data.corpus, languages=checked_languages(options.language_pair)))
        if chooses_tokenizer(options) or _tokenizer_for(data.corpus) == DEFAULT_TOKENIZER:
            reason = "a tokeniser is chosen" if chooses_tokenizer(options) else "the references are not in its script"
            options.warnings.append(f"--language-pair has no effect: {reason}")
    options.warnings += [f"not used: {text.problem}" for part_texts in data.missing.values() for text in part_texts]
    options.warnings += [
        f"{parts[i].name}: {sentence}" for i, part_texts in data.warnings.items() for sentence in part_texts
    ]
    if data.incomplete:
        options.warnings.append(data.sharing or COMPARE_SHARED)
    for i, report in data.errors.items():
        counts = (report.sentence,) if options.command == "check" else ()
        options.warnings += [f"{parts[i].name}: {sentence}" for sentence in (*counts, *report.problems)]
    columns: Sequence[Column] = options.excluded_columns
    store_others(options, {c.name: c.segments for c in columns if c.ids in (None, data.corpus.ids)}, data.corpus)
    if options.slice is None:
        return data
    if not reads_ratings(options):
        _check_no_ratings(options, data.corpus)
    from bleu_core.slicing import slice_corpus  # loaded when first needed

    slice_in_use = slice_corpus(
        options.slice,
        data.corpus,
        settings=settings_for(options, data.corpus),
        judgments=data.ratings.judgments,
        scores=data.scores,
    )
    return sliced(data, options, slice_in_use)


def with_humans(options: argparse.Namespace, corpus: Corpus, copies: Sequence[Identical] = ()) -> Corpus:
    """Store the human translations among the systems in the options, and return the corpus in which systems are ranked.

    That corpus has no references that equal human translations which the call includes in the ranking.

    Args:
        options: options of the call.
        corpus: the texts without excluded ones.
        copies: systems with the text of an excluded reference.

    Raises:
        SettingsError: a human translation that the call names is not a system, or no reference would be left.
    """
    check_marks(options, corpus.systems)
    if "include_human" not in options:  # the command does not rank systems
        return corpus
    from bleu_core.dataset import human_translations, without_references_of  # loaded when first needed

    included: Sequence[str] = options.include_human
    for name in (*options.human_system, *included):
        if name not in corpus.systems:
            raise SettingsError(f"human system {name!r} found, one of {', '.join(corpus.systems)} expected")
    humans = human_translations(corpus, options.human_system, copies)
    options.human_translations = tuple(human for human in humans if human.system not in included)
    if not included:
        return corpus
    ranked = without_references_of(corpus, included)
    if corpus.references and not ranked.references:
        raise SettingsError(
            f"argument --include-human: {listed(list(included))} cannot be ranked, as no other reference is left; add "
            "one"
        )
    return ranked


def store_others(options: argparse.Namespace, texts: Mapping[str, Sequence[str | None]], corpus: Corpus) -> None:
    """Store the outputs of excluded systems in the options, except human translations and those that do not fit.

    Args:
        options: options of the call.
        texts: the outputs by system.
        corpus: the texts in use.
    """
    copies: Sequence[Identical] = getattr(options, "copies_of_excluded", ())
    humans = {*getattr(options, "human_system", ()), *(copy.system for copy in copies)}
    options.other_systems = {
        name: text for name, text in texts.items() if len(text) == corpus.segments and name not in humans
    }


def sliced(data: AlignedData, options: argparse.Namespace, slice_in_use: Slice) -> AlignedData:
    """Return the data of a slice, and store the slice in the options.

    Args:
        data: the data of the whole text.
        options: options of the call.
        slice_in_use: the slice.
    """
    from bleu_core.dataset import plural  # loaded when first needed

    ratings = data.ratings.rated
    options.chosen_slice = slice_in_use
    system_metrics = [table.name for table in data.scores if table.level == "system"]
    if system_metrics:
        options.warnings.append(f"scores of whole systems are not used in a slice: {listed(system_metrics)}")
    without_segment = 0 if ratings is None else int(ratings.rated["segment"].isna().sum())
    if without_segment:
        options.warnings.append(
            f"{without_segment:,} {plural(without_segment, 'rating')} of no single segment not used in a slice"
        )
    others: Mapping[str, Sequence[str]] = options.other_systems
    options.other_systems = {name: [text[i] for i in slice_in_use.rows] for name, text in others.items()}
    return data.subset(slice_in_use.rows)


def expression_of(options: argparse.Namespace) -> str:
    """Return the slice of a call, or that of its workspace; empty without one."""
    saved: str = options.choices.slice if "choices" in options else ""
    return saved if options.slice is None else options.slice


def metrics_named(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the metrics that a call names, or the default that a check has set."""
    metric: str | Sequence[str] | None = getattr(options, "metric", None)
    return (metric,) if isinstance(metric, str) else tuple(metric or ())


def depends_on(setting: Setting, options: argparse.Namespace) -> bool:
    """Return whether a call depends on a setting: one of its metrics does, or its slice may."""
    names = metrics_named(options) if getattr(options, "metrics_of_texts", False) else ()
    if not names or expression_of(options):
        names = (*names, DEFAULT_METRIC)
    from bleu_core.scoring import all_metrics  # loaded when first needed

    known = all_metrics()
    return any(name in known and setting.key in known[name].setting_names for name in names)


def reads_ratings(options: argparse.Namespace) -> bool:
    """Return whether a call uses ratings: its command is about them, or it names some, or it takes them as a metric."""
    if "human" not in options:
        return False
    if not options.ratings_optional or options.human:
        return True
    return options.metric == HUMAN if isinstance(options.metric, str) else HUMAN in (options.metric or ())


def _check_no_ratings(options: argparse.Namespace, corpus: Corpus) -> None:
    """Check that the slice needs no ratings, as the call names none.

    Raises:
        SettingsError: the slice needs ratings, or its expression is invalid.
    """
    from bleu_core.slicing import FIELDS_OF_RATINGS, fields_in, parse  # loaded when first needed

    fields = fields_in(parse(options.slice)) - corpus.labels.keys()
    field = next((name for name in FIELDS_OF_RATINGS if name in fields), None)
    if field is not None:
        raise SettingsError(
            f"slice: field {field} found, but no ratings are read; name a file of ratings with --human"
            if "human" in options
            else f"slice: field {field} found, but {options.command} reads no ratings; use a command with --human"
        )


def printed_scores_of(options: argparse.Namespace) -> tuple[PrintedScore, ...]:
    """Return the scores that sacreBLEU has printed, in the files of --metric-scores.

    Raises:
        FormatError, LimitError: a file cannot be read.
    """
    return tuple(printed for contents in _score_files(options) for printed in contents.printed)


def human_scores_of(options: argparse.Namespace) -> dict[str, str]:
    """Return the human scores in use of each archive that has any, by the archive's path."""
    archives = {contents.report.name: contents.archive for contents in _archives(options)}
    return {path: options.human_scores or a.preferred for path, a in archives.items() if a is not None and a.preferred}


def check_numbers(limits: Limits, *, systems: int, references: int) -> None:
    """Check the numbers of systems and references in all files together.

    Raises:
        LimitError: there are too many.
    """
    limits.check("systems", systems, "all files together")
    limits.check("references", references, "all files together")


def documents_of(options: argparse.Namespace) -> Sequence[str] | None:
    """Read the document of each segment; None if the call names no file of documents. Errors as for read."""
    path: str | None = getattr(options, "documents", None)
    if path is None:
        return None
    columns = (column for part in _read(path, "document", options).parts() for column in part.columns)
    return next((tuple(map(str, column.segments)) for column in columns), None)


def plain_files(options: argparse.Namespace) -> tuple[dict[str, Path], dict[str, Path]] | None:
    """Return systems and references by name if each is a file of its own that may be plain text; else None.

    Raises:
        LimitError: there are too many systems or references.
    """
    locations = plain_locations(options)
    if locations is None:
        return None
    systems, references = ({name: Path(path) for name, path in paths.items()} for paths in locations)
    return systems, references


def plain_locations(options: argparse.Namespace) -> tuple[dict[str, str], dict[str, str]] | None:
    """Return what plain_files returns, as paths or URLs; errors as for plain_files."""
    if (
        options.workspace
        or options.archive
        or options.exclude_system
        or options.exclude_reference
        or options.format_of
        or options.columns
        or options.language_pair
        or options.paragraphs
    ):
        return None
    if any(map(is_stream, (*options.systems, *options.ref, *filter(None, [getattr(options, "documents", None)])))):
        return None  # a stream can be read only once
    check_numbers(options.limits, systems=len(options.systems), references=len(options.ref))
    systems, references = (
        {stem_of(printable_path(path)): path for path in paths} for paths in (options.systems, options.ref)
    )
    repeated = len(systems) < len(options.systems) or len(references) < len(options.ref)
    return None if repeated else (systems, references)


def _texts(options: argparse.Namespace) -> list[FilePart]:
    """Read all texts, without excluded ones."""
    check_numbers(options.limits, systems=len(options.systems), references=len(options.ref))  # before any file is read
    documents: str | None = getattr(options, "documents", None)
    given: tuple[tuple[FileRole, Sequence[str]], ...] = (
        ("reference", options.ref),
        ("system", options.systems),
        ("document", [documents] if documents else []),
        ("source", [options.source] if options.source else []),
        ("labels", options.labels),
    )
    from bleu_core.formats import UnclearColumnsError  # loaded when first needed

    parts = _of_archives(options, texts=True)
    mapped = _columns_of_files(options)
    files: list[tuple[str, FileRole]] = [(path, role) for role, paths in given for path in paths]
    with progress_bar() as progress:
        for done, (path, role) in enumerate(files):
            file_progress = scaled_progress(progress, done * STEPS, STEPS, len(files) * STEPS)
            try:
                parts += _contents(path, role, options, file_progress).parts()
            except UnclearColumnsError as error:
                mapped.add_unclear(error, references=(*options.ref, *options.archive))
            if progress:
                progress(done + 1, len(files))
    mapped.check_unclear()
    parts = mapped.named(parts)
    columns = [column for part in parts for column in part.columns]
    number = {role: sum(column.role == role for column in columns) for role in ("system", "reference")}
    check_numbers(options.limits, systems=number["system"], references=number["reference"])
    return without(options, parts)


def without(options: argparse.Namespace, parts: Sequence[FilePart]) -> list[FilePart]:
    """Return the parts without excluded systems and references; errors as for excluded_names."""
    texts = [text for part in parts for text in (*part.columns, *part.missing)]
    names = {role: list(dict.fromkeys(t.name for t in texts if t.role == role)) for role in ("system", "reference")}
    excluded = excluded_names(options, names)
    options.all_systems = tuple(names["system"])
    options.excluded_columns = [
        column
        for part in parts
        for column in part.columns
        if column.role == "system" and column.name in excluded["system"]
    ]
    options.copies_of_excluded = _copies(parts, excluded)
    return [
        replace(
            part,
            columns=tuple(c for c in part.columns if c.name not in excluded.get(c.role, ())),
            missing=tuple(text for text in part.missing if text.name not in excluded.get(text.role, ())),
        )
        for part in parts
    ]


def _copies(parts: Sequence[FilePart], excluded: Mapping[str, Sequence[str]]) -> list[Identical]:
    """Return the systems with the text of an excluded reference."""
    if not excluded["reference"]:
        return []
    from bleu_core.dataset import Identical  # loaded when first needed

    columns = [column for part in parts for column in part.columns]
    references = {c.segments: c.name for c in columns if c.role == "reference" and c.name in excluded["reference"]}
    return [
        Identical(c.name, "reference", references[c.segments])
        for c in columns
        if c.role == "system" and c.segments in references
    ]


def excluded_names(options: argparse.Namespace, names: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return the names of the systems and references to exclude.

    Args:
        options: options of the call.
        names: role -> names of all systems or references.

    Raises:
        SettingsError: a name does not exist, or none would remain.
    """
    excluded: dict[str, Sequence[str]] = {
        "system": getattr(options, "exclude_system", ()),
        "reference": getattr(options, "exclude_reference", ()),
    }
    for role, missed in excluded.items():
        known = names[role]
        unknown = next((name for name in missed if name not in known), None)
        if unknown is not None:
            raise SettingsError(f"{role} {unknown!r} to leave out not found, one of {', '.join(known)} expected")
        if known and set(known) <= set(missed):
            raise SettingsError(f"all {role}s are left out, at least 1 expected")
    return excluded


def directed(options: argparse.Namespace, tables: Sequence[ScoreTable]) -> list[ScoreTable]:
    """Return the score tables with the directions that the call gives.

    Raises:
        SettingsError: a named metric does not exist, or is named for both directions.
    """
    names = [table.name for table in tables]
    lower: Sequence[str] = getattr(options, "lower_is_better", ())
    higher: Sequence[str] = getattr(options, "higher_is_better", ())
    for name in (*lower, *higher):
        if name not in names:
            expected = f"one of {', '.join(dict.fromkeys(names))}" if names else "a metric of --metric-scores"
            raise SettingsError(f"metric {name!r} found, {expected} expected")
        if name in lower and name in higher:
            raise SettingsError(f"metric {name!r} is given both as lower and as higher is better; remove one")
    better = (table.name in higher or (table.higher_is_better and table.name not in lower) for table in tables)
    return [
        replace(table, higher_is_better=higher_is_better)
        for table, higher_is_better in zip(tables, better, strict=True)
    ]


def _score_files(options: argparse.Namespace) -> list[Contents]:
    """Read the files of --metric-scores, once per call."""
    if "opened_scores" not in options:
        paths: Sequence[str] = getattr(options, "metric_scores", ())
        options.opened_scores = [_read(path, "scores", options) for path in paths]
    return options.opened_scores


def _of_archives(options: argparse.Namespace, *, texts: bool) -> list[FilePart]:
    """Return the parts of all archives that hold texts or their labels, or all other parts."""
    parts = (part for i, contents in enumerate(_archives(options)) for part in contents.parts(i))
    return [part for part in parts if bool(part.columns or part.labels or part.missing) is texts]


def _archives(options: argparse.Namespace) -> list[Contents]:
    """Read the archives, and the files in zips and folders of other files, once per call."""
    if "opened" not in options:
        archives: Sequence[str] = getattr(options, "archive", ())
        options.opened = [contents for path in archives for contents in _archive(path, options)]
    return options.opened


def _archive(path: str, options: argparse.Namespace) -> list[Contents]:
    from bleu_core.formats import read_archives_at  # loaded when first needed

    with progress_bar() as progress:
        archives = read_archives_at(path, _read_options(path, options), limits=options.limits, progress=progress)
    for contents in archives:
        _warn_of(contents, options)
    return archives


def _read_options(path: str, options: argparse.Namespace) -> ReadOptions:
    """Return the options for reading a file of the call."""
    from bleu_core.formats import ReadOptions  # loaded when first needed

    choice = chosen_formats(options).get(path)
    first_segment: int | None = getattr(options, "first_segment", None)
    return ReadOptions(
        encoding=options.encoding,
        format=None if choice is None else choice.format,
        own={} if choice is None else choice.own,
        first_segment=1 if first_segment is None else first_segment,
        weights=getattr(options, "mqm_weights", PUBLISHED),
        pair=getattr(options, "language_pair", None),
        human_scores=getattr(options, "human_scores", None),
        paragraphs=getattr(options, "paragraphs", False),
    )


def _read(path: str, role: FileRole, options: argparse.Namespace) -> Contents:
    """Read a file of ratings or scores with a progress bar."""
    with progress_bar() as progress:
        return _contents(path, role, options, progress)


def _contents(path: str, role: FileRole, options: argparse.Namespace, progress: Progress | None) -> Contents:
    data, name, limits = _bytes_of(path, options), printable_path(path), options.limits
    mapped, given = _columns_of_files(options), _read_options(path, options)
    given = replace(given, columns=mapped.for_file(data, path, role, given, limits=limits))
    contents = read(data, name, role, given, limits=limits, progress=progress)
    _warn_of(contents, options)
    return contents


def _columns_of_files(options: argparse.Namespace) -> ColumnsOfFiles:
    """Return the columns that the call names, for all of its files."""
    if "columns_of_files" not in options:
        from bleu_core.formats import ColumnsOfFiles  # loaded when first needed

        options.columns_of_files = ColumnsOfFiles(getattr(options, "columns", None) or (), _files_of(options))
    return options.columns_of_files


def _files_of(options: argparse.Namespace) -> list[str]:
    """Return the paths of all files of the call."""
    given = [getattr(options, name, None) or () for name in FILES]
    return [path for paths in given for path in ([paths] if isinstance(paths, str) else paths)]


def _bytes_of(path: str, options: argparse.Namespace) -> bytes:
    """Read the bytes of a file; those of a stream are stored, as commands may read a file twice."""
    if not is_stream(path):
        return read_bytes(path, options.limits)
    streams: dict[str, bytes] = options.streams
    if path not in streams:
        streams[path] = read_bytes(path, options.limits)
    return streams[path]


def _warn_of(contents: Contents, options: argparse.Namespace) -> None:
    """Add the warnings of a file's reader: unusual content, guesses, and unused rows."""
    options.contents.append(contents)
    report = contents.report
    problems = contents.archive.problems if contents.archive else ()  # they name their files themselves
    notes = [note for note in report.notes if note not in problems]
    rating_sentences = report.of_ratings if reads_ratings(options) else ()
    sentences = (*report.about_texts, *notes, *report.decisions, *rating_sentences)
    judgments = contents.judgments if reads_ratings(options) else None
    unused_rows = () if judgments is None else judgments.unused_rows
    options.warnings += [*problems, *(one_line(f"{report.name}: {sentence}") for sentence in sentences)]
    options.warnings += map(str, unused_rows)
