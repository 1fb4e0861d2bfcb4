"""Loading of files from disk as one data set, for notebooks and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, count
from pathlib import Path
from typing import NamedTuple

from bleu_core.dataset import AlignedData, FilePart, MissingText, fit, no_system
from bleu_core.errors import AlignmentError, FormatError, LanguagePairError, listed
from bleu_core.formats.addressed import ColumnsOfFiles
from bleu_core.formats.compression import decompress, stem_of
from bleu_core.formats.contents import Contents, FileReport, FileRole
from bleu_core.formats.declaration import ReadOptions
from bleu_core.formats.document_ids import language_pair
from bleu_core.formats.files import StrPath, archive_source, printable_path, read_bytes
from bleu_core.formats.mapping import UnclearColumnsError, parse_columns
from bleu_core.formats.mt_metrics_eval import LooseFile, companion_notes, list_companions, loose_files, read_test_set
from bleu_core.formats.reading import DEFAULT_OPTIONS, check_format, inspect, is_system_output, read
from bleu_core.formats.release_names import divide_by_language, target_of
from bleu_core.formats.text_roles import role_in_stem
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.progress import Progress, scaled_progress


def load(
    systems: Iterable[StrPath] = (),
    references: Iterable[StrPath] = (),
    *,
    source: StrPath | None = None,
    documents: StrPath | None = None,
    labels: Iterable[StrPath] = (),
    judgments: Iterable[StrPath] = (),
    scores: Iterable[StrPath] = (),
    archives: Iterable[StrPath] = (),
    pair: str | None = None,
    human_scores: str | None = None,
    encoding: str | None = None,
    columns: str = "",
    paragraphs: bool = False,
    shared_segments: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> AlignedData:
    """Read files and combine them to a data set; a file that does not fit is an error.

    In archives, a system's output that is empty, cannot be read or has another number of segments than the other texts
    is left out; `missing_systems` of the data set gives the reason.

    A file's format is recognised by its content and name, as on the Data page and by `bleu-core`. A plain text has one
    segment per line, and its system or reference is named after the file's stem.

    Args:
        systems: files of system outputs.
        references: files of reference translations.
        source: the file of the source text.
        documents: a file with the document id of each segment.
        labels: tables of labels of segments or documents.
        judgments: files with human judgments.
        scores: files with scores of other metrics.
        archives: test sets: folders or zips in the layout of mt-metrics-eval, or files in XML or SGML; also folders or
            zips of other files, each of which is taken for what its name and content suggest.
        pair: the language pair, in files of several; None reads the first.
        human_scores: the human scores of the archives that become the judgments; None uses the preferred ones.
        encoding: the encoding of files that are neither UTF-8 nor have a byte order mark.
        columns: the roles of columns of all tables, as in "src=source,A=system,ref=reference", or of one file, as in
            "ref.csv:gold=reference"; see parse_columns. Empty if their headers decide.
        paragraphs: whether documents of WMT, which are one segment each, are split at paragraphs if all texts of a
            document have equally many.
        shared_segments: whether only the segments that all systems have are used; otherwise a system that lacks one, by
            the ids in its file, is left out, with the reason in `missing_systems`.
        limits: the limits for files.

    Raises:
        FormatError: a file cannot be read in its role.
        LimitError: a file, or all files together, hold more than the limits allow.
        AlignmentError: the files do not fit together, or there is no system output.
        SettingsError: columns has another form.
        OSError: a file cannot be opened.
    """
    parts: list[FilePart] = []
    number = count()
    options = ReadOptions(encoding=encoding, pair=pair, human_scores=human_scores, paragraphs=paragraphs)
    archives = list(archives)
    for path in archives:
        for contents in read_archives_at(path, options, limits=limits):
            parts += contents.parts(next(number))
    paths_by_role: tuple[tuple[FileRole, Iterable[StrPath]], ...] = (
        ("source", [source] if source is not None else []),
        ("reference", references),
        ("system", systems),
        ("document", [documents] if documents is not None else []),
        ("labels", labels),
        ("judgments", judgments),
        ("scores", scores),
    )
    files: list[tuple[FileRole, list[StrPath]]] = [(role, list(paths)) for role, paths in paths_by_role]
    columns_of_files = ColumnsOfFiles(
        parse_columns(columns) if columns else (), [printable_path(path) for _, paths in files for path in paths]
    )
    given_references = [printable_path(path) for role, paths in files if role == "reference" for path in paths]
    given_references += map(printable_path, archives)
    for role, paths in files:
        for path in paths:
            data = read_bytes(path, limits)
            mapped = columns_of_files.for_file(data, printable_path(path), role, options, limits=limits)
            try:
                contents = read(data, printable_path(path), role, replace(options, columns=mapped), limits=limits)
            except UnclearColumnsError as error:
                columns_of_files.add_unclear(error, references=given_references)
            else:
                parts += contents.parts(next(number))
    columns_of_files.check_unclear()
    columns_of_files.check()
    parts = columns_of_files.named(parts)
    try:
        dataset = fit(parts, limits=limits, refuse=True, shared_segments=shared_segments)
    except UnclearColumnsError:
        columns_of_files.add_own_references(parts)
        columns_of_files.check_unclear()
        raise
    if not dataset.corpus.systems:
        raise AlignmentError(no_system(dataset.missing_systems))
    return dataset


def read_archives_at(
    path: StrPath,
    options: ReadOptions = DEFAULT_OPTIONS,
    *,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> list[Contents]:
    """Read a test set on disk: a file of any format of test sets, a folder of mt-metrics-eval, or a zip of one.

    The files in another zip or folder are read one by one, each in the role that its name and content suggest; an
    output that cannot be read is missing. Of files that their names divide into several languages, those in the
    language or pair of the options are read. The other arguments and the errors are those of reading.read.

    Raises:
        OSError: a file cannot be opened.
    """
    name = printable_path(path)
    source = archive_source(path, limits)
    if options.format is not None and isinstance(source, Path):
        check_format(options.format, "archive", name, options.own)
    if options.format is None and (files := _loose_files(source, name, limits)) is not None:
        chosen = _of_one_language(files, name, options)
        options = replace(options, pair=language_pair(options.pair or "") or None) if chosen.languages else options
        before = [0, *accumulate(len(file.data) for file in chosen.files)]
        contents = [
            _read_loose(
                file, name, options, limits, progress=scaled_progress(progress, before[i], len(file.data), before[-1])
            )
            for i, file in enumerate(chosen.files)
        ]
        contents = [own.renamed(text) if text else own for own, text in zip(contents, chosen.names, strict=True)]
        notes = (*companion_notes(list_companions(source, limits=limits)), *chosen.notes)
        if notes or chosen.languages:
            report = FileReport(
                name=name,
                role="archive",
                segments=0,
                empty_segments=0,
                tokens=0,
                encoding=options.encoding or "UTF-8",
                repairs=(),
                notes=notes,
            )
            contents.append(Contents(report=report, member=True, pairs=chosen.languages))
        return contents
    if isinstance(source, Path):
        return [read_test_set(source, name, options, limits=limits)]
    return [read(source, name, "archive", options, limits=limits, progress=progress)]


def _loose_files(source: bytes | Path, name: str, limits: Limits) -> tuple[LooseFile, ...] | None:
    """Return the files in a folder or zip that is not a test set; None for any other file."""
    unpacked_source = decompress(source, name, limits) if isinstance(source, bytes) else source
    return loose_files(unpacked_source, name, limits=limits)


class _OneLanguage(NamedTuple):
    """The files of one test set of a zip or folder.

    Attributes:
        files: the files.
        names: the name of the system or reference in each; empty if the file says it.
        languages: the languages of all its test sets; empty if it is not divided by them.
        notes: which files are not used.
    """

    files: Sequence[LooseFile]
    names: Sequence[str]
    languages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def _of_one_language(files: Sequence[LooseFile], origin: str, options: ReadOptions) -> _OneLanguage:
    """Return the files in the language of the options, where names of files divide them by languages.

    Raises:
        LanguagePairError: there are several languages, and the options do not choose one of them.
    """
    roles = [file.role or role_in_stem(stem_of(file.path.name)) for file in files]
    divided = divide_by_language([(file.path, role) for file, role in zip(files, roles, strict=True)])
    if divided is None:
        return _OneLanguage(files, [""] * len(files))
    languages = tuple(divided.sets)
    asked = None if options.pair is None else language_pair(options.pair) or options.pair.replace("-", "_")
    matching = [code for code in languages if asked == code] or [
        code
        for code in languages
        if asked and target_of(asked) == target_of(code) and not ("-" in asked and "-" in code)
    ]
    if len(matching) != 1:
        raise LanguagePairError(
            f"{origin}: files in several languages found by their names, in 1 language expected; choose one of "
            f"{listed(languages)}, for example with --language-pair {next(iter(languages))}, or compare all with "
            "bleu-core table",
            languages,
        )
    own = divided.sets[matching[0]]
    others = listed(str(file.path) for i, file in enumerate(files) if i not in own)
    return _OneLanguage(
        [files[i] for i in own],
        [divided.names.get(i, "") for i in own],
        languages,
        (f"files in other languages, or of unknown ones, not used: {others}",) if others else (),
    )


def _read_loose(
    file: LooseFile, origin: str, options: ReadOptions, limits: Limits, *, progress: Progress | None
) -> Contents:
    """Read a file of a zip or folder in the role that its folder, name and content suggest; a bad output is missing."""
    name, encoding = f"{origin}/{file.path}", options.encoding
    role = file.role
    try:
        file.check(name)
        inspection = inspect(file.data, name, encoding, limits=limits)
        role = role or inspection.role
        human_scores = options.human_scores if role == "archive" else None
        own_options = replace(options, human_scores=human_scores)
        contents = read(file.data, name, role, own_options, inspection=inspection, limits=limits, progress=progress)
    except FormatError as error:
        if role not in ("system", None) or not is_system_output(name) or isinstance(error, LimitError):
            raise
        report = FileReport(
            name=name, role="system", segments=0, empty_segments=0, tokens=0, encoding=encoding or "UTF-8", repairs=()
        )
        return Contents(
            report=report, missing=(MissingText.unreadable("system", stem_of(name), name, error),), member=True
        )
    return replace(contents, member=True)
