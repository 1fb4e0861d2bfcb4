"""Recognition of a file's format by its bytes and name, and reading of a file in a role."""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from types import MappingProxyType
from typing import Any, NamedTuple

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.compression import compression_of, decompress, stem_of, suffix_of
from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.declaration import Format, ReadOptions
from bleu_core.formats.isolated import read_container
from bleu_core.formats.register import FORMATS, formats_of
from bleu_core.formats.release_names import languages_of_file
from bleu_core.formats.resource_files import refuse_resource_file
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.formats.text_roles import role_in_stem
from bleu_core.formats.xml_elements import begins_with_tag
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.processes import is_own_process
from bleu_core.progress import Progress, file_progress, scaled_progress

#: Roles whose files look alike: tables of ratings and of metric scores differ in one word of their headers. Texts may
#: look like anything and are compared with formats of texts only.
_NUMBERS: tuple[FileRole, ...] = ("judgments", "scores")

#: Roles for which a language pair may be chosen in all formats; in other roles, the format decides.
_WITH_PAIRS: tuple[FileRole, ...] = ("archive", "judgments")

#: Roles whose files are limited by the number of their lines -> the limit.
_LINES: Mapping[FileRole, str] = MappingProxyType({"judgments": "ratings", "scores": "scores", "labels": "scores"})
#: The formats of tables of texts, and of texts with one segment per line.
TABLE, PLAIN = "table", "text"
#: Formats that nearly any text may have.
FALLBACK_FORMATS = frozenset({PLAIN, TABLE, "titled-table"})
#: Steps of progress for each half of the work.
STEPS_PER_HALF = 500

_NONE: Mapping[str, str] = MappingProxyType({})

#: Options of a file that is read as its name and content suggest.
DEFAULT_OPTIONS = ReadOptions()


class _Collection:
    """Pauses the cyclic garbage collector, which would search the millions of objects that reading creates.

    It serves all threads, so that only a program of this project may pause it, not a program that imports this one.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._readers = 0  # in all threads
        self._enabled = False  # before the first reader began

    @contextmanager
    def paused(self) -> Generator[None]:
        """Pause garbage collection in the context."""
        if not is_own_process():
            yield
            return
        with self._lock:
            if not self._readers:
                self._enabled = gc.isenabled()
                gc.disable()
            self._readers += 1
        try:
            yield
        finally:
            with self._lock:
                self._readers -= 1
                if self._enabled and not self._readers:
                    gc.enable()


_COLLECTION = _Collection()


@dataclass(frozen=True, slots=True)
class Inspection:
    """A recognised file, so that read() need not decode or recognise it again.

    Attributes:
        role: its probable role.
        format: the key of its most likely format.
        source: its bytes, and its text if that was decoded.
        table: the table in it, if its format is a container.
    """

    role: FileRole
    format: str
    source: Source
    table: Source | None = None


def recognise(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> FileRole:
    """Guess the role of a file by its content, and its name if the content does not decide.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    return inspect(data, name, encoding, limits=limits).role


def is_system_output(name: str) -> bool:
    """Return whether a file that cannot be read is a system output by its name: a plain text with no other role."""
    endings = {
        ending for known_format in FORMATS.values() if known_format.key != PLAIN for ending in known_format.endings
    }
    return suffix_of(name) not in endings and role_in_stem(stem_of(name)) is None


def inspect(
    data: bytes,
    name: str,
    encoding: str | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> Inspection:
    """Recognise a file's format, and guess its role.

    Only the beginning of a large text is decoded; later errors are found when the file is read.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        encoding: as in decode.
        limits: the limits for the file.
        progress: called while a compressed file is unpacked, or the table in a container is read.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    with file_progress(progress):
        source = _open_source(data, name, encoding, limits)
        detected = recognise_format(source)
        if detected.key in FALLBACK_FORMATS:
            refuse_resource_file(source)
        if not detected.container:
            return Inspection(_role_of(source, detected), detected.key, source)
        with _COLLECTION.paused():
            table = _table_in(source, detected, _NONE)
        return Inspection(_role_of(table, recognise_format(table)), detected.key, source, table)


def recognise_format(source: Source) -> Format:
    """Return the most likely format of a file, of all formats; errors as for most_likely."""
    return most_likely(source, _possible(source, FORMATS))


def _possible(source: Source, keys: Iterable[str]) -> list[Format]:
    """Return the formats that a file may have: a table in a container is text and not a container."""
    formats = [FORMATS[key] for key in keys]
    return [candidate for candidate in formats if source.table is None or not (candidate.container or candidate.binary)]


def _role_of(source: Source, file_format: Format) -> FileRole:
    return file_format.roles[0] if file_format.role_of is None else file_format.role_of(source)


def _check_size(source: Source, file_format: Format, role: FileRole | None) -> None:
    """Check that a file is not too large to be read in its format.

    Args:
        source: the file.
        file_format: its format.
        role: its role; None for a container, which may hold anything.

    Raises:
        LimitError: there are too many bytes or lines.
    """
    if file_format.json:
        source.limits.check("json_bytes", len(source.data), source.name)
    limit = _LINES.get(role) if role else None
    if limit is not None and not file_format.binary and source.text.size > getattr(source.limits, limit):
        source.limits.check(limit, source.text.line_ends.newlines - 1, source.name)


def _container_of(source: Source, file_format: Format, role: FileRole) -> Format | None:
    """Return the format of the file if it is a container that may hold the selected format; None if it is not."""
    if file_format.container or file_format.binary:
        return file_format if file_format.container else None
    containers = [candidate for key in formats_of(role) if (candidate := FORMATS[key]).container]
    container = next((candidate for candidate in containers if candidate.binary and candidate.sniff(source)), None)
    if container is None and not file_format.json and file_format.key != PLAIN:  # no other table begins like JSON
        texts = (
            candidate
            for candidate in containers
            if not candidate.binary and (candidate.json or file_format.key == TABLE)
        )
        container = next((candidate for candidate in texts if candidate.sniff(source)), None)
    return container


def _table_in(source: Source, container: Format, own: Mapping[str, str]) -> Source:
    """Return the table in a file; errors as for read."""
    _check_size(source, container, None)
    return read_container(source, container, own)


def most_likely(source: Source, formats: Iterable[Format]) -> Format:
    """Return the format with the highest confidence, and the first one in a tie.

    The text is decoded only if no binary format recognises the bytes.

    Args:
        source: the file.
        formats: the candidates.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    formats = tuple(formats)
    sure = {candidate.key: candidate.sniff(source) for candidate in formats if candidate.binary}
    if not any(sure.values()):
        sure = {candidate.key: candidate.sniff(source) for candidate in formats if not candidate.binary} | sure
    return FORMATS[max(sure, key=sure.__getitem__)]


def read(
    data: bytes,
    name: str,
    role: FileRole,
    options: ReadOptions = DEFAULT_OPTIONS,
    *,
    default_pair: str | None = None,
    inspection: Inspection | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    **changes: Any,
) -> Contents:
    """Read a file in a role, in its most likely format.

    Args:
        data: the file's bytes.
        name: the file, for messages; its stem names the system or reference of a plain file.
        role: its role.
        options: options for reading it.
        default_pair: the language pair of formats that ask for one, if the options have none.
        inspection: the result of inspect() for the same bytes, so that they are decoded only once.
        limits: the limits for the file.
        progress: called with how much of the file has been read, and of how much, in any unit; only by readers that
            go through a file piece by piece.
        changes: options to change, by name.

    Raises:
        FormatError: the bytes are not such a file, or an archive has no such human scores.
        LimitError: the file holds more than the limits allow.
        SettingsError: the encoding, the format for that role, or an option of the format does not exist; or columns are
            given for a format that is not a table.
    """
    name = _encodable(name)
    options = replace(options, **changes)
    encoding, own, columns = options.encoding, options.own, options.columns
    if options.format is not None:
        check_format(options.format, role, name, own)
    known = inspection if inspection is not None and inspection.source.encoding == encoding else None
    if known is None and compression_of(data) is not None:  # unpacking is the first half of the work
        with file_progress(scaled_progress(progress, 0, STEPS_PER_HALF, 2 * STEPS_PER_HALF)):
            source = _open_source(data, name, encoding, limits)
        progress = scaled_progress(progress, STEPS_PER_HALF, STEPS_PER_HALF, 2 * STEPS_PER_HALF)
    else:
        source = _open_source(data, name, encoding, limits) if known is None else known.source
    guess = None if known is None else known.format
    named = options.format or (TABLE if columns else None)
    file_format = _format_for(source, role, guess) if named is None else FORMATS[named]
    if columns and not (file_format.key == TABLE or file_format.container):
        raise SettingsError(f"{name}: format {options.format} found, a table expected, since its columns are given")
    given = options.in_role(role, _pair_of(file_format, role, options.pair, default_pair))
    with _COLLECTION.paused(), file_progress(progress):
        container, key = _container_of(source, file_format, role), file_format.key
        if container is not None:
            table = None if known is None or own else known.table
            source, key = _table_in(source, container, own) if table is None else table, container.key
            if file_format.container:
                file_format = FORMATS[TABLE] if columns else _format_for(source, role, None)
        _check_size(source, file_format, role)
        contents = file_format.read(source, given)
    if isinstance(contents, Source):
        raise TypeError(f"the format {file_format.key} gives a table and is not declared as a container")
    report = replace(contents.report, format_key=key)
    if container is not None:
        report = replace(
            report,
            format=f"{container.label}: {report.format}",
            notes=(*source.notes, *report.notes),
            decisions=(*source.decisions, *report.decisions),
        )
    languages = contents.named_languages or languages_of_file(name, source.data)
    return replace(contents, report=report, named_languages=languages)


def _pair_of(file_format: Format, role: FileRole, pair: str | None, default: str | None) -> str | None:
    """Return the language pair for a file of a format in a role."""
    if pair is None:
        return default if file_format.asks_pair else None
    return pair if role in _WITH_PAIRS or file_format.pairs or file_format.container else None


class TableText(NamedTuple):
    """The text of a file that may be a table.

    Attributes:
        text: its own text, or that of the table in it, such as a sheet.
        format: the key of its format: that of the user, or the recognised one.
    """

    text: Text
    format: str


def read_table_text(
    data: bytes,
    name: str,
    role: FileRole,
    *,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002 # as in read
    own: Mapping[str, str] = _NONE,
    limits: Limits = DEFAULT_LIMITS,
) -> TableText | None:
    """Return the text of a file that may be a table.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        role: the role of the file.
        encoding: as in decode.
        format: the key of a format that is used instead of the recognised one, if such a file holds a table.
        own: values of the format's own options.
        limits: the limits for the file.

    Returns:
        None if the file is in a format that is not a table, such as an archive.

    Raises:
        FormatError, LimitError, SettingsError: as read.
    """
    source = _open_source(data, name, encoding, limits)
    guess = FORMATS[format] if format is not None and FORMATS[format].container else recognise_format(source)
    container = guess if guess.container else _container_of(source, FORMATS[TABLE], role)
    if container is not None:
        text = _table_in(source, container, own).text
    elif guess.binary or guess.json:
        return None
    else:
        text = source.text
    return TableText(text, format or guess.key)


def check_format(format: str, role: FileRole, name: str, own: Mapping[str, str] = _NONE) -> None:  # noqa: A002 # as read
    """Check that a file of a role can be read in a format.

    Args:
        format: a key of FORMATS.
        role: the role of the file.
        name: the file, for messages.
        own: values of the format's own options, by name.

    Raises:
        SettingsError: the format for that role or an option of the format does not exist.
    """
    if format not in formats_of(role):
        known = ", ".join(formats_of(role))
        raise SettingsError(f"{name}: format {format!r} found, one of these expected for the role {role}: {known}")
    unknown = [option for option in own if option not in FORMATS[format].own]
    if unknown:
        known = ", ".join(FORMATS[format].own) or "none"
        raise SettingsError(f"{name}: format {format} has no option {unknown[0]!r}; its options: {known}")


def _format_for(source: Source, role: FileRole, guess: str | None) -> Format:
    """Return the format in which a file of that role is read.

    Args:
        source: the file.
        role: its role.
        guess: the key of its most likely format of all, if known.

    Raises:
        FormatError: the file is in a format of XML that cannot have the role, or of an unsupported kind.
    """
    choices = _possible(source, formats_of(role))
    if guess is not None and role in FORMATS[guess].roles:
        return FORMATS[guess]
    _check_markup(source, role)
    if len(choices) == 1:
        return choices[0]
    if role not in _NUMBERS:
        likely = most_likely(source, choices)
        if likely.key in FALLBACK_FORMATS:
            refuse_resource_file(source)
        return likely
    recognised = recognise_format(source) if guess is None else FORMATS[guess]
    return recognised if role in recognised.roles else most_likely(source, choices)


def _open_source(data: bytes, name: str, encoding: str | None, limits: Limits) -> Source:
    """Return a file as a source, decompressed if it is compressed; errors as for decompress."""
    name = _encodable(name)
    return Source(decompress(data, name, limits), name, encoding, limits)


def _check_markup(source: Source, role: FileRole) -> None:
    """Check that a file in XML or SGML is in a format that can have the role; as text it would be meaningless."""
    if not begins_with_tag(source):
        return
    recognised = recognise_format(source)
    if recognised.binary and role not in recognised.roles:
        raise FormatError(
            f"{source.name}: {recognised.label} found, which may hold {', '.join(recognised.roles)}; choose one of "
            f"these as its type instead of {role}"
        )


def _encodable(name: str) -> str:
    """Return a file's name as text that can be encoded; on disk, a name may have bytes that are not text."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
