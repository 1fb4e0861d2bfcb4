"""The input files of one call of `bleu-core`, or those of its workspace, and the warnings about them."""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast

from bleu_core.cli.chosen_settings import (
    chooses_by_language,
    chooses_tokenizer,
    expression_of,
    reads_ratings,
    settings_of,
)
from bleu_core.cli.optimised import check_marks
from bleu_core.cli.terminal import progress_bar
from bleu_core.cli.workspaces import (
    absent_segments,
    given_corrections,
    has_workspace,
    notes_on_sets,
    references_in_use,
    standardised_as_saved,
    without_saved_judges,
    workspace_languages,
)
from bleu_core.dataset import SAMPLE, common_languages, human_note, identical_texts
from bleu_core.errors import AlignmentError, BleuCoreError, SettingsError, listed, one_line
from bleu_core.formats import (
    FileRole,
    StrPath,
    checked_languages,
    is_stream,
    languages_of_file,
    printable_path,
    read_bytes,
    stem_of,
)
from bleu_core.limits import Limits
from bleu_core.scoring import DEFAULT_TOKENIZER, default_tokenizer

if TYPE_CHECKING:  # loaded when first needed; streamed files do without
    from bleu_core.dataset import (
        AlignedData,
        Column,
        Corpus,
        FilePart,
        HumanTranslation,
        Identical,
        LineRepair,
        MissingText,
        PrintedScore,
        ScoreTable,
    )
    from bleu_core.formats import ColumnsOfFiles, FileReport, FormatChoice
    from bleu_core.slicing import Slice
    from bleu_core.uploads import Entry, File, Workspace

#: How systems that are identical to a reference are reported.
Copies = Literal["warnings", "note", "none"]

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


def check_taken(
    options: argparse.Namespace, files: Iterable[tuple[FileReport, Container[str]]], *, divided: bool = False
) -> None:
    """Check that each option for reading that a call gives is one by which a file is read in different ways.

    Args:
        options: options of the call.
        files: the report on each file, and the names of the options of ReadOptions that it takes.
        divided: whether the language pair chose the files.

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
        if not known and not (name == "pair" and (divided or chooses_by_language(options))):
            raise SettingsError(
                f"argument --{key.replace('_', '-')}: no file that this call reads has {what}; remove the option"
            )


def chosen_formats(options: argparse.Namespace) -> dict[str, FormatChoice]:
    """Return the formats chosen by --format-of, by file.

    Raises:
        SettingsError: as for format_choices.
    """
    if not options.format_of:
        return {}
    from bleu_core.formats import format_choices  # loaded when first needed

    return format_choices(options.format_of, files_of(options))


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


def check_numbers(limits: Limits, *, systems: int, references: int) -> None:
    """Check the numbers of systems and references in all files together.

    Raises:
        LimitError: there are too many.
    """
    limits.check("systems", systems, "all files together")
    limits.check("references", references, "all files together")


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


def files_of(options: argparse.Namespace) -> list[str]:
    """Return the paths of all files of the call."""
    given = [getattr(options, name, None) or () for name in FILES]
    return [path for paths in given for path in ([paths] if isinstance(paths, str) else paths)]


def _stream(path: str, options: argparse.Namespace) -> bytes:
    """Return the bytes of a pipe or of standard input, which can be read only once."""
    streams: dict[str, bytes] = options.streams
    if path not in streams:
        streams[path] = read_bytes(path, options.limits)
    return streams[path]


class InputFiles:
    """The input files of a call; each file is read once.

    Attributes:
        warnings: warnings about the files that have been read so far.
        slice: the slice of the call, once the texts are read; None without one.
        missing_systems: the outputs of systems that cannot be used, once the texts are read.
        all_systems: the systems of the files, excluded ones, too, once the texts are read; none with a workspace.
        human_translations: the human translations that are not ranked, once the texts are read.
    """

    def __init__(self, options: argparse.Namespace, **changes: object) -> None:
        """Prepare to read; files are read when they are first needed.

        Args:
            options: options of the call, which are not changed.
            changes: options to replace.
        """
        self.warnings: list[str] = []
        self.slice: Slice | None = None
        self.missing_systems: tuple[MissingText, ...] = ()
        self.all_systems: tuple[str, ...] = ()
        self.human_translations: tuple[HumanTranslation, ...] = ()
        self._options = argparse.Namespace(**(vars(options) | changes))
        self._other_systems: dict[str, Sequence[str]] = {}
        self._excluded: list[Column] = []  # outputs of excluded systems
        self._copies: list[Identical] = []  # systems with the text of an excluded reference
        self._files: dict[tuple[str, FileRole], list[File]] = {}  # path and role -> the file, or those of an archive
        self._of_languages = False  # whether languages divide the files of an archive
        self._all_columns: ColumnsOfFiles | None = None

    @property
    def other_systems(self) -> dict[str, Sequence[str]]:
        """The outputs of excluded systems for the segments in use, once the texts are read; not human translations."""
        return dict(self._other_systems)

    @property
    def repairs(self) -> tuple[tuple[str, LineRepair], ...]:
        """The repairs of lines in a workspace, each with the name of its file."""
        return self._saved.repairs if has_workspace(self._options) else ()

    @property
    def _saved(self) -> Workspace:
        return self._options.loaded_workspace

    @cached_property
    def _formats(self) -> dict[str, FormatChoice]:
        """The formats that the call chooses, by file."""
        return chosen_formats(self._options)

    @property
    def _columns(self) -> ColumnsOfFiles:
        """The columns that the call names, for all of its files."""
        if self._all_columns is None:
            from bleu_core.formats import ColumnsOfFiles  # loaded when first needed

            options = self._options
            self._all_columns = ColumnsOfFiles(getattr(options, "columns", None) or (), files_of(options))
        return self._all_columns

    def corpus(self, *, copies: Copies = "warnings") -> Corpus:
        """Read the texts without excluded ones; those of the slice, if the call has one.

        Args:
            copies: how systems that are identical to a reference are reported: each in a warning that its score is not
                informative, all in one note that human translations are not ranked, or not at all.

        Raises:
            FormatError: a file or archive cannot be read.
            LimitError: there are more systems or references than the limits allow.
            AlignmentError: the texts do not fit together, or there is no system, or no segment in the slice.
            SettingsError: a text to exclude does not exist, an option for reading fits no file, or the slice is
                invalid.
        """
        corpus = self._read(with_ratings=False).corpus
        self._warn_of_copies(corpus, copies)
        return corpus

    def dataset(self, *, copies: Copies = "warnings") -> AlignedData:
        """Read and align the texts, the ratings and the scores of other metrics.

        Args:
            copies: as for corpus().

        Raises:
            FormatError, LimitError, AlignmentError, SettingsError: as for corpus(); or a rating is of a segment beyond
                the texts, none of a file's ratings can be placed, or scores do not fit.
        """
        data = self._read(with_ratings=True)
        self._warn_of_copies(data.corpus, copies)
        return data

    def texts(self) -> tuple[Column, ...]:
        """Read the texts, whatever their lengths, without documents and excluded texts.

        Raises:
            FormatError, LimitError, SettingsError: as for corpus().
            AlignmentError: two texts have the same name, there is no system, or only one text.
        """
        from bleu_core.dataset import distinct_texts, no_system  # loaded when first needed
        from bleu_core.uploads import parts_of

        options = self._options
        if has_workspace(options):
            parts = parts_of([entry.file for entry in self._saved.entries], options.limits)
        else:
            files = self._opened(with_ratings=False)
            with progress_bar() as progress:
                parts = parts_of(files, options.limits, strict=True, columns=self._columns, progress=progress)
        parts = self._select(parts, with_ratings=False)
        missing = [text for part in parts for text in part.missing]
        self.warnings += [f"not used: {text.problem}" for text in missing]
        texts = tuple(column for column in distinct_texts(parts) if column.role != "document")
        if not any(column.role == "system" for column in texts):
            raise AlignmentError(no_system(missing))
        if len(texts) == 1:
            raise AlignmentError("1 text found, at least 2 expected")
        return texts

    def documents(self) -> Sequence[str] | None:
        """Read the document of each segment without the texts; None if the call names no file of documents."""
        path: str | None = getattr(self._options, "documents", None)
        entries = [] if path is None else self._entries("document", [path])
        return next((tuple(map(str, c.segments)) for entry in entries for c in entry.file.texts), None)

    def printed_scores(self) -> tuple[PrintedScore, ...]:
        """Read the scores that sacreBLEU has printed, in the files of --metric-scores or of the workspace.

        Raises:
            FormatError, LimitError: a file cannot be read.
        """
        if has_workspace(self._options):
            entries = [entry for entry in self._saved.entries if not entry.problem]
        else:
            entries = self._entries("scores", getattr(self._options, "metric_scores", ()))
        return tuple(score for entry in entries for score in entry.printed)

    def human_scores(self) -> dict[str, str]:
        """Return the human scores in use of each archive that has any, by the archive's path."""
        if has_workspace(self._options):
            return self._saved.human_scores
        entries = self._entries("archive", getattr(self._options, "archive", ()))
        return {e.file.name: e.file.human_scores or e.human_scores[0] for e in entries if e.human_scores}

    def _entries(self, role: FileRole, paths: Sequence[str]) -> list[Entry]:
        limits = self._options.limits
        return [file.read(limits, strict=True)[0] for path in paths for file in self._opened_at(path, role)]

    def _opened(self, *, with_ratings: bool) -> list[File]:
        """Return the files of the call, which are opened when they are read.

        Args:
            with_ratings: whether to include those of ratings and scores.

        Raises:
            FormatError: a column that the call names is in no file, or an archive is damaged.
            LimitError, SettingsError, OSError: as for file_at and files_at.
        """
        options = self._options
        check_numbers(options.limits, systems=len(options.systems), references=len(options.ref))
        documents: str | None = getattr(options, "documents", None)
        archives: Sequence[str] = getattr(options, "archive", ())
        given: Sequence[tuple[FileRole, Sequence[str]]] = [
            ("archive", archives),
            ("reference", options.ref),
            ("system", options.systems),
            ("document", [documents] if documents else []),
            ("source", [options.source] if options.source else []),
            ("labels", options.labels),
            ("judgments", getattr(options, "human", ()) if with_ratings else ()),
            ("scores", getattr(options, "metric_scores", ()) if with_ratings else ()),
        ]
        files = [(role, file) for role, paths in given for path in paths for file in self._opened_at(path, role)]
        self._columns.check()
        self._check_formats()
        # A command whose subject is not ratings compares the scores that sacreBLEU has printed with its own.
        if "human" in options and not options.ratings_optional:
            return [file for _, file in files]
        return [
            file for role, file in files if role != "scores" or not file.read(options.limits, strict=True)[0].printed
        ]

    def _check_formats(self) -> None:
        """Check that each file of a zip or folder for which the call chooses a format exists.

        Raises:
            SettingsError: one does not.
        """
        archives = getattr(self._options, "archive", ())
        members = [file.name for path in archives for file in self._opened_at(path, "archive")]
        for name in self._formats:
            if name not in (*members, *files_of(self._options)):
                raise SettingsError(f"--format-of: file {name!r} found, one of {listed(members)} expected")

    def _opened_at(self, path: str, role: FileRole) -> list[File]:
        """Return the file of a path, or the files of an archive; each is created once, and so read once."""
        if (path, role) not in self._files:
            self._files[path, role] = self._created(path, role)
        return self._files[path, role]

    def _created(self, path: str, role: FileRole) -> list[File]:
        from bleu_core.uploads import file_at, files_at  # loaded when first needed

        options = self._options
        corrections, formats = given_corrections(options), self._formats
        if role == "archive":
            opened = files_at(path, corrections, self._columns, formats=formats, limits=options.limits)
            self.warnings += [one_line(f"{printable_path(path)}: {note}") for note in opened.notes]
            self._of_languages = self._of_languages or bool(opened.languages)
            files = opened.files
        else:
            choice = formats.get(path)
            corrections |= {} if choice is None else {"format": choice.format, "own": choice.own}
            data = _stream(path, options) if is_stream(path) else None
            files = [file_at(path, role, corrections, self._columns, data=data, limits=options.limits)]
        return [file.in_paragraphs() for file in files] if getattr(options, "paragraphs", False) else files

    def _select(self, parts: Sequence[FilePart], *, with_ratings: bool) -> list[FilePart]:
        """Return the parts to use, without excluded systems and references.

        Raises:
            LimitError: there are too many systems or references.
            SettingsError: as for excluded_names.
        """
        options = self._options
        parts = self._columns.named(parts)
        if not with_ratings:
            parts = [part for part in parts if part.columns or part.labels or part.missing]
        texts = [text for part in parts for text in (*part.columns, *part.missing)]
        number = {role: sum(c.role == role for part in parts for c in part.columns) for role in ("system", "reference")}
        check_numbers(options.limits, systems=number["system"], references=number["reference"])
        names = {role: list(dict.fromkeys(t.name for t in texts if t.role == role)) for role in ("system", "reference")}
        excluded = excluded_names(options, names)
        columns = [column for part in parts for column in part.columns]
        without = {c.segments: c.name for c in columns if c.role == "reference" and c.name in excluded["reference"]}
        self.all_systems = () if has_workspace(options) else tuple(names["system"])
        self._excluded = [c for c in columns if c.role == "system" and c.name in excluded["system"]]
        if without:
            from bleu_core.dataset import Identical  # loaded when first needed

            copying = [c for c in columns if c.role == "system" and c.segments in without]
            self._copies = [Identical(c.name, "reference", without[c.segments]) for c in copying]
        return [
            replace(
                part,
                columns=tuple(c for c in part.columns if c.name not in excluded.get(c.role, ())),
                missing=tuple(text for text in part.missing if text.name not in excluded.get(text.role, ())),
            )
            for part in parts
        ]

    def _assembled(self, *, with_ratings: bool) -> Workspace:
        """Read and align the files of the call without excluded texts; errors as for dataset()."""
        from bleu_core.uploads import assemble  # loaded when first needed

        options = self._options
        files = self._opened(with_ratings=with_ratings)
        with progress_bar() as progress:
            return assemble(
                files,
                options.limits,
                strict=True,
                columns=self._columns,
                select=partial(self._select, with_ratings=with_ratings),
                shared_segments=bool(options.shared_segments),
                progress=progress,
            )

    def _read(self, *, with_ratings: bool) -> AlignedData:
        """Return the data of the call or of its workspace: without excluded texts, and of the slice in use."""
        from bleu_core.dataset import AlignedData, no_system  # loaded when first needed

        options = self._options
        is_saved = has_workspace(options)
        workspace = self._saved if is_saved else self._assembled(with_ratings=with_ratings)
        self._check_taken(workspace)
        self._warn_of_files(workspace)
        whole, missing = workspace.corpus, workspace.missing
        if not whole.systems:
            raise AlignmentError(no_system(missing))
        corpus = self._without_excluded(workspace) if is_saved else self._with_languages(whole)
        excluded = [text.name for text in missing if text.name in getattr(options, "exclude_system", ())]
        self.missing_systems = tuple(text for text in missing if text.name not in excluded)
        corpus = self._ranked(corpus)
        ratings, scores = workspace.aligned.ratings, directed(options, workspace.scores)
        if is_saved:
            judgments = without_saved_judges(options, workspace.judgments)
            ratings = replace(workspace.ratings_for(corpus), judgments=judgments, rated=judgments)
            scores = [table.aligned(tuple(corpus.systems), corpus.segments) for table in scores]
        data = AlignedData(corpus=corpus, ratings=ratings, scores=tuple(scores), problems={}, warnings={})
        self.slice = self._slice(workspace, data)
        data = data if self.slice is None else self._sliced(data, self.slice)
        # Commands with this option standardise the ratings themselves.
        if not is_saved or "standardise" in options:
            return data
        judgments = standardised_as_saved(options, data.judgments)
        return replace(data, ratings=replace(data.ratings, judgments=judgments, rated=judgments))

    def _check_taken(self, workspace: Workspace) -> None:
        taken = [(entry.report, entry.takes) for entry in workspace.entries if entry.report is not None]
        check_taken(self._options, taken, divided=self._of_languages)

    def _warn_of_files(self, workspace: Workspace) -> None:
        """Add the warnings of the readers, and of the alignment of the files."""
        from bleu_core.dataset import COMPARE_SHARED, shared_segments_sentence  # loaded when first needed

        options = self._options
        self.warnings += notes_on_sets(options)
        for entry in workspace.entries:
            self.warnings += (*entry.sentences, *(entry.rating_sentences if reads_ratings(options) else ()))
        self.warnings += [f"not used: {problem}" for problem in workspace.unused]
        self.warnings += workspace.aligned.sentences(with_counts=options.command == "check")
        if workspace.incomplete:
            sharing = shared_segments_sentence(workspace.corpus.segments, workspace.unshared)
            self.warnings.append(sharing or COMPARE_SHARED)

    def _without_excluded(self, workspace: Workspace) -> Corpus:
        """Return the texts of a saved workspace without excluded ones; errors as for excluded_names."""
        options, corpus = self._options, workspace.corpus
        systems = [*corpus.systems, *(text.name for text in workspace.missing)]
        excluded = excluded_names(options, {"system": systems, "reference": list(corpus.references)})
        without = excluded["reference"]
        self._copies = [same for same in workspace.identical if same.role == "reference" and same.name in without]
        self._excluded = [
            column for column in corpus.columns if column.role == "system" and column.name in excluded["system"]
        ]
        return replace(
            corpus,
            systems={name: text for name, text in corpus.systems.items() if name not in excluded["system"]},
            references={name: text for name, text in corpus.references.items() if name not in without},
            languages=workspace_languages(options),
        )

    def _with_languages(self, corpus: Corpus) -> Corpus:
        """Return the texts with the language pair of the call, if neither the texts nor their files name one."""
        options = self._options
        if not getattr(options, "language_pair", None) or corpus.languages or not chooses_by_language(options):
            return corpus
        corpus = replace(corpus, languages=checked_languages(options.language_pair))
        tokenizer = default_tokenizer(corpus.languages.partition("-")[2], corpus.references.values())
        if chooses_tokenizer(options) or tokenizer == DEFAULT_TOKENIZER:
            reason = "a tokeniser is chosen" if chooses_tokenizer(options) else "the references are not in its script"
            self.warnings.append(f"--language-pair has no effect: {reason}")
        return corpus

    def _ranked(self, corpus: Corpus) -> Corpus:
        """Find the human translations, and return the texts without references of those that are ranked.

        Raises:
            SettingsError: a human translation that the call names is not a system, or no reference would be left.
        """
        options = self._options
        not_machines = {*getattr(options, "human_system", ()), *(copy.system for copy in self._copies)}
        others = (column for column in self._excluded if column.ids in (None, corpus.ids))
        self._other_systems = {
            column.name: cast("Sequence[str]", column.segments)
            for column in others
            if len(column.segments) == corpus.segments and column.name not in not_machines
        }
        check_marks(options, corpus.systems)
        if "include_human" not in options:  # the command does not rank systems
            return corpus
        from bleu_core.dataset import translations_of, without_references_of  # loaded when first needed

        included: Sequence[str] = options.include_human
        for name in (*options.human_system, *included):
            if name not in corpus.systems:
                raise SettingsError(f"human system {name!r} found, one of {', '.join(corpus.systems)} expected")
        identical = (*identical_texts(corpus), *self._copies)
        humans = translations_of(corpus.systems, identical, options.human_system)
        self.human_translations = tuple(human for human in humans if human.system not in included)
        ranked = without_references_of(corpus, included) if included else corpus
        if corpus.references and not ranked.references:
            raise SettingsError(
                f"argument --include-human: {listed(list(included))} cannot be ranked, as no other reference is left; "
                "add one"
            )
        return ranked

    def _slice(self, workspace: Workspace, data: AlignedData) -> Slice | None:
        """Return the slice, without segments that a file of a workspace lacks; None for the whole text.

        Raises:
            AlignmentError: there is no segment in it.
            SettingsError: its expression is invalid, or needs ratings that the call does not read.
        """
        from bleu_core.slicing import Slice, slice_corpus  # loaded when first needed

        options, corpus = self._options, data.corpus
        is_saved = has_workspace(options)
        expression, absent = expression_of(options), absent_segments(options)
        if not expression and not absent:
            return None
        if not expression:
            chosen = Slice.whole(workspace.corpus.segments)
        else:
            if not is_saved and not reads_ratings(options):
                _check_no_ratings(options, corpus)
            references = references_in_use(options) or list(corpus.references)
            chosen = slice_corpus(
                expression,
                workspace.corpus,
                references=references,
                settings=settings_of(options, corpus.languages, workspace.corpus.references.values()),
                judgments=standardised_as_saved(options, data.judgments),
                scores=workspace.scores,
            )
        return chosen.without(absent, workspace.lacking)

    def _sliced(self, data: AlignedData, chosen: Slice) -> AlignedData:
        """Return the data of a slice."""
        from bleu_core.dataset import plural  # loaded when first needed

        system_metrics = [table.name for table in data.scores if table.level == "system"]
        if system_metrics:
            self.warnings.append(f"scores of whole systems are not used in a slice: {listed(system_metrics)}")
        ratings = data.ratings.rated
        without_segment = 0 if ratings is None else int(ratings.rated["segment"].isna().sum())
        if without_segment:
            self.warnings.append(
                f"{without_segment:,} {plural(without_segment, 'rating')} of no single segment not used in a slice"
            )
        self._other_systems = {name: [text[i] for i in chosen.rows] for name, text in self._other_systems.items()}
        return data.subset(chosen.rows)

    def _warn_of_copies(self, corpus: Corpus, copies: Copies) -> None:
        if copies == "none":
            return
        for same in identical_texts(corpus):
            if same.role == "reference" and copies == "warnings":
                self.warnings.append(copy_warning(same))
            elif same.role == "source":
                self.warnings.append(same.sentence)
        if copies == "note":
            self.warnings += filter(None, [human_note(self.human_translations)])


def copy_warning(same: Identical) -> str:
    """Return the warning about a system that is identical to a reference."""
    return f"{same.sentence}; its score is not informative"
