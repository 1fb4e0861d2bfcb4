"""Recognises a file's format by its bytes and name, and reads it in a role."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from bleu_core.errors import SettingsError
from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.register import FORMATS, formats_of
from bleu_core.formats.source import Source
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: Roles in which a file may look like one of another role: a table of ratings and one of metric scores differ in a
#: word of their headers. Texts may look like anything, and are compared with the formats of texts only.
_NUMBERS: tuple[FileRole, ...] = ("judgments", "scores")

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Inspection:
    """A file that was recognised, so that read() neither decodes nor recognises it again.

    Attributes:
        role: what it seems to hold.
        format: the key of the format that it has most likely.
        source: its bytes, and its text if that was decoded.
    """

    role: FileRole
    format: str
    source: Source


def recognise(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> FileRole:
    """Guess what a file holds, from its content first and its name second.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    return inspect(data, name, encoding, limits=limits).role


def inspect(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> Inspection:
    """Recognise a file's format, and guess what it holds.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    source = Source(data, _encodable(name), encoding, limits)
    found = recognised(source)
    role = found.roles[0] if found.role_of is None else found.role_of(source)
    return Inspection(role, found.key, source)


def recognised(source: Source) -> Format:
    """The format that a file most likely has, of all; errors as of most_likely."""
    return most_likely(source, FORMATS.values())


def most_likely(source: Source, formats: Iterable[Format]) -> Format:
    """The format that is surest of a file; of equally sure ones the first.

    The text is decoded only where no binary format knows the bytes.

    Args:
        source: the file.
        formats: to choose from.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    formats = tuple(formats)
    sure = {each.key: each.sniff(source) for each in formats if each.binary}
    if not any(sure.values()):
        sure = {each.key: each.sniff(source) for each in formats if not each.binary}
    return FORMATS[max(sure, key=sure.__getitem__)]


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
    own: Mapping[str, str] = _NONE,
    inspection: Inspection | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Contents:
    """Read a file in a role, in the format that it most likely has.

    Args:
        data: the file's bytes.
        name: the file, for messages; its stem names a plain file's system or reference.
        role: what it holds.
        encoding: as in decode.
        header: as in read_columns.
        first_segment: as in read_ratings.
        format: a key of FORMATS that overrules what the file looks like.
        weights: what the errors of MQM cost.
        pair: the language pair, where a file has several; its first when None.
        human_scores: of an archive, which of its human scores are the judgments; its preferred ones when None.
        lower_is_better: of metric scores, the metrics of which a lower score is the better one, and no others; None
            goes by the metrics' names.
        own: options that only the format has, as its declaration names them.
        inspection: what inspect() made of the same bytes, so that they are decoded once.
        limits: the most that the file may hold.

    Raises:
        FormatError: the bytes are not such a file, or an archive has no such human scores.
        LimitError: the file holds more than the limits allow.
        SettingsError: there is no such encoding, no such format of that role, or no such option of the format.
    """
    name = _encodable(name)
    if format is not None:
        check_format(format, role, name, own)
    known = inspection if inspection is not None and inspection.source.encoding == encoding else None
    source = Source(data, name, encoding, limits) if known is None else known.source
    guess = None if known is None else known.format
    chosen = _format_for(source, role, guess) if format is None else FORMATS[format]
    options = Options(
        role=role,
        header=header,
        first_segment=first_segment,
        weights=weights,
        pair=pair,
        human_scores=human_scores,
        lower_is_better=lower_is_better,
        own=own,
    )
    contents = chosen.read(source, options)
    return replace(contents, report=replace(contents.report, format_key=chosen.key))


def check_format(format: str, role: FileRole, name: str, own: Mapping[str, str] = _NONE) -> None:  # noqa: A002 # as read
    """See that a file can be read in a format.

    Args:
        format: a key of FORMATS.
        role: what the file holds.
        name: the file, for messages.
        own: options that only the format has.

    Raises:
        SettingsError: there is no such format of that role, or no such option of the format.
    """
    if format not in formats_of(role):
        known = ", ".join(formats_of(role))
        raise SettingsError(f"{name}: format {format!r} found, one of those of {role} expected: {known}")
    unknown = [option for option in own if option not in FORMATS[format].own]
    if unknown:
        known = ", ".join(FORMATS[format].own) or "none"
        raise SettingsError(f"{name}: option {unknown[0]!r} found, one of those of format {format} expected: {known}")


def _format_for(source: Source, role: FileRole, guess: str | None) -> Format:
    """The format in which a file of that role is read.

    Args:
        source: the file.
        role: what it holds.
        guess: the key of the format that it most likely has, of all, if that is known.
    """
    choices = [FORMATS[key] for key in formats_of(role)]
    if len(choices) == 1:
        return choices[0]
    if guess is not None and role in FORMATS[guess].roles:
        return FORMATS[guess]
    if role not in _NUMBERS:
        return most_likely(source, choices)
    found = recognised(source) if guess is None else FORMATS[guess]
    return found if role in found.roles else choices[0]


def _encodable(name: str) -> str:
    """The name of a file as text that can be written: on disk a name may be bytes that are no text."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
