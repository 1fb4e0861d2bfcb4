"""Recognises a file's format by its bytes and name, and reads the file in a role."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats.contents import Contents, FileRole
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.markup import begins_as_markup
from bleu_core.formats.register import FORMATS, formats_of
from bleu_core.formats.source import Source
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: Roles whose files look alike: tables of ratings and of metric scores differ in one word of their headers. Texts may
#: look like anything and are compared with the formats of texts only.
_NUMBERS: tuple[FileRole, ...] = ("judgments", "scores")

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Inspection:
    """A recognised file, so that read() need not decode or recognise it again.

    Attributes:
        role: what it seems to hold.
        format: the key of its most likely format.
        source: its bytes, and its text if that was decoded.
    """

    role: FileRole
    format: str
    source: Source


def recognise(data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS) -> FileRole:
    """Guess what a file holds by its content first and its name second.

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
    """The most likely format of a file, of all formats; errors as for most_likely."""
    return most_likely(source, FORMATS.values())


def most_likely(source: Source, formats: Iterable[Format]) -> Format:
    """The format with the highest confidence; the first one in a tie.

    The text is decoded only if no binary format recognises the bytes.

    Args:
        source: the file.
        formats: to choose from.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    formats = tuple(formats)
    sure = {each.key: each.sniff(source) for each in formats if each.binary}
    if not any(sure.values()):
        sure |= {each.key: each.sniff(source) for each in formats if not each.binary}
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
    """Read a file in a role, in its most likely format.

    Args:
        data: the file's bytes.
        name: the file, for messages; its stem names the system or reference of a plain file.
        role: what it holds.
        encoding: as in decode.
        header: as in read_columns.
        first_segment: as in read_ratings.
        format: a key of FORMATS, used instead of the recognised one.
        weights: of MQM errors.
        pair: the language pair, where a file has several; its first when None.
        human_scores: which human scores of an archive are the judgments; the preferred ones when None.
        lower_is_better: the metrics for which a lower score is better, and no others; None decides by the metrics'
            names.
        own: values of options that only the format has, by name.
        inspection: the result of inspect() for the same bytes, so that they are decoded only once.
        limits: the most that the file may hold.

    Raises:
        FormatError: the bytes are not such a file, or an archive has no such human scores.
        LimitError: the file holds more than the limits allow.
        SettingsError: there is no such encoding, no such format for that role, or no such option of the format.
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
    """Check that a file of a role can be read in a format.

    Args:
        format: a key of FORMATS.
        role: what the file holds.
        name: the file, for messages.
        own: values of options that only the format has, by name.

    Raises:
        SettingsError: there is no such format for that role, or no such option of the format.
    """
    if format not in formats_of(role):
        known = ", ".join(formats_of(role))
        raise SettingsError(f"{name}: format {format!r} found, one of these expected for the role {role}: {known}")
    unknown = [option for option in own if option not in FORMATS[format].own]
    if unknown:
        known = ", ".join(FORMATS[format].own) or "none"
        raise SettingsError(f"{name}: format {format} has no option {unknown[0]!r}; its options: {known}")


def _format_for(source: Source, role: FileRole, guess: str | None) -> Format:
    """The format in which a file of that role is read.

    Args:
        source: the file.
        role: what it holds.
        guess: the key of its most likely format of all, if that is known.

    Raises:
        FormatError: the file is of a format in XML that cannot hold that.
    """
    choices = [FORMATS[key] for key in formats_of(role)]
    if guess is not None and role in FORMATS[guess].roles:
        return FORMATS[guess]
    _check_markup(source, role)
    if len(choices) == 1:
        return choices[0]
    if role not in _NUMBERS:
        return most_likely(source, choices)
    found = recognised(source) if guess is None else FORMATS[guess]
    return found if role in found.roles else choices[0]


def _check_markup(source: Source, role: FileRole) -> None:
    """Refuse files in XML or SGML whose format cannot hold what the role says: as text they would be nonsense."""
    if not begins_as_markup(source):
        return
    found = recognised(source)
    if found.binary and role not in found.roles:
        raise FormatError(
            f"{source.name}: {found.label} found, which may hold {', '.join(found.roles)}; choose one of these as its "
            f"type instead of {role}"
        )


def _encodable(name: str) -> str:
    """A file's name as text that can be written; on disk a name may be bytes that are not text."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
