"""Loading of files from disk as one data set, for notebooks and scripts, and the files in folders and zips."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from bleu_core.dataset import AlignedData, no_system
from bleu_core.errors import AlignmentError, LanguagePairError, listed
from bleu_core.formats import (
    ColumnsOfFiles,
    FileRole,
    FormatChoice,
    LooseFile,
    StrPath,
    archive_source,
    companion_notes,
    decompress,
    divide_by_language,
    language_pair,
    list_companions,
    loose_files,
    parse_columns,
    printable_path,
    role_in_stem,
    stem_of,
    target_of,
)
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.uploads.files import File, assemble, recognised_file

_NONE: Mapping[str, Any] = MappingProxyType({})


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
    given = {"encoding": encoding, "pair": pair, "human_scores": human_scores}
    paths_by_role: tuple[tuple[FileRole, Iterable[StrPath]], ...] = (
        ("source", [source] if source is not None else []),
        ("reference", references),
        ("system", systems),
        ("document", [documents] if documents is not None else []),
        ("labels", labels),
        ("judgments", judgments),
        ("scores", scores),
    )
    archives = list(archives)
    named: list[tuple[StrPath, FileRole]] = [(path, role) for role, paths in paths_by_role for path in paths]
    columns_of_files = ColumnsOfFiles(
        parse_columns(columns) if columns else (),
        [*map(printable_path, archives), *(printable_path(p) for p, _ in named)],
    )
    files = [file for path in archives for file in files_at(path, given, columns_of_files, limits=limits).files]
    files += [file_at(path, role, given, columns_of_files, limits=limits) for path, role in named]
    columns_of_files.check()
    files = [file.in_paragraphs() for file in files] if paragraphs else files
    workspace = assemble(files, limits, strict=True, columns=columns_of_files, shared_segments=shared_segments)
    if not workspace.corpus.systems:
        raise AlignmentError(no_system(workspace.missing))
    return workspace.aligned


def file_at(
    path: StrPath,
    role: FileRole,
    options: Mapping[str, Any] = _NONE,
    columns: ColumnsOfFiles | None = None,
    *,
    data: bytes | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> File:
    """Return a file on disk, which is opened when it is read.

    Args:
        path: where it is; "-" is standard input.
        role: its role.
        options: corrections: names of attributes of File -> values.
        columns: the columns that the user describes for all files.
        data: its bytes, if they are known.
        limits: the limits for the file.

    Raises:
        FormatError, LimitError, SettingsError: the columns cannot be those of the file.
        OSError: the file cannot be opened, if a column may be one of the file.
    """
    file = File(printable_path(path), data or b"", role, path=path if data is None else None, **options)
    return with_columns(file, columns, limits=limits)


def with_columns(
    file: File, columns: ColumnsOfFiles | None, *, path: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> File:
    """Return a file with the columns that the user describes.

    The role of a file in a folder or zip is a guess: there, one with columns of references and none of systems is a
    reference.

    Args:
        file: the file.
        columns: the columns that the user describes for all files; None for none.
        path: where it is, for one in a folder or zip, as the columns name it.
        limits: the limits for the file.

    Raises:
        FormatError, LimitError, SettingsError: the columns cannot be those of the file.
        OSError: the file cannot be opened, if a column may be one of the file.
    """
    role, name = file.role, file.name if path is None else path
    if columns is None or role == "counts" or not columns.may_concern(name, role):
        return file
    mapped = columns.for_file(file.content(limits), name, role, file, limits=limits)
    roles = {column.role for column in mapped}
    role = "reference" if path is not None and "reference" in roles and "system" not in roles else role
    return replace(file, columns=mapped, role=role, inspection=file.inspection)


def _in_format(file: File, formats: Mapping[str, FormatChoice]) -> File:
    """Return a file with the format that the user chooses for it."""
    choice = formats.get(file.name)
    if choice is None:
        return file
    return replace(file, format=choice.format, own=choice.own, inspection=file.inspection)


class ArchiveFiles(NamedTuple):
    """The files of a test set on disk.

    Attributes:
        files: the files.
        languages: the languages by which the names of its files divide it, of which one is read; empty if they do not.
        notes: sentences about what is not used.
    """

    files: list[File]
    languages: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def files_at(
    path: StrPath,
    options: Mapping[str, Any] = _NONE,
    columns: ColumnsOfFiles | None = None,
    *,
    formats: Mapping[str, FormatChoice] = _NONE,
    limits: Limits = DEFAULT_LIMITS,
) -> ArchiveFiles:
    """Return the files of a test set on disk: a file of any format of test sets, a folder of mt-metrics-eval, or a zip.

    The files in another zip or folder are files of their own, each in the role that its name and content suggest. Of
    files that their names divide into several languages, those in the language or pair of the options are returned.

    Args:
        path: the file or folder.
        options: as for file_at.
        columns: the columns that the user describes for all files.
        formats: the formats that the user chooses, by file; those in a zip or folder are called ARCHIVE/PATH.
        limits: the limits for the files.

    Raises:
        FormatError: a zip is damaged, or the columns cannot be those of a file.
        LanguagePairError: there are several languages, and the options do not choose one of them.
        LimitError: a zip or folder holds more than the limits allow.
        SettingsError: the columns cannot be those of a file.
        OSError: a file cannot be opened.
    """
    name = printable_path(path)
    source = archive_source(path, limits)
    unpacked = decompress(source, name, limits) if isinstance(source, bytes) else source
    loose = None if name in formats else loose_files(unpacked, name, limits=limits)
    if loose is None:
        data = None if isinstance(source, Path) else source
        return ArchiveFiles([_in_format(file_at(path, "archive", options, data=data), formats)])
    chosen = _of_one_language(loose, name, options.get("pair"))
    options = {**options, "pair": language_pair(options.get("pair") or "") or None} if chosen.languages else options
    files: list[File] = []
    for own, renamed in zip(chosen.files, chosen.names, strict=True):
        place = f"{name}/{own.path}"
        file = recognised_file(place, own.data, own.role, encoding=options.get("encoding"), limits=limits)
        of_file = {**options, "human_scores": options.get("human_scores") if file.role == "archive" else None}
        file = replace(file, **of_file, renamed=renamed, damage=own.damage, in_archive=True, inspection=file.inspection)
        if columns is not None:
            columns.add_file(place)
        files.append(with_columns(_in_format(file, formats), columns, path=place, limits=limits))
    notes = (*companion_notes(list_companions(source, limits=limits)), *chosen.notes)
    return ArchiveFiles(files, chosen.languages, notes)


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


def _of_one_language(files: Sequence[LooseFile], origin: str, pair: str | None) -> _OneLanguage:
    """Return the files in a language or pair, where names of files divide them by languages.

    Raises:
        LanguagePairError: there are several languages, and the pair is not one of them.
    """
    roles = [file.role or role_in_stem(stem_of(file.path.name)) for file in files]
    divided = divide_by_language([(file.path, role) for file, role in zip(files, roles, strict=True)])
    if divided is None:
        return _OneLanguage(files, [""] * len(files))
    languages = tuple(divided.sets)
    asked = None if pair is None else language_pair(pair) or pair.replace("-", "_")
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
