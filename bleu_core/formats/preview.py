"""Previews for choices of users: the beginning of a table, and the values of format options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bleu_core.dataset import Role
from bleu_core.errors import FormatError
from bleu_core.formats.column_roles import ColumnRoles
from bleu_core.formats.compression import decompress
from bleu_core.formats.contents import FileRole
from bleu_core.formats.delimited import parse_table
from bleu_core.formats.headers import HEADED_ROLES, HeaderKind, classify_header
from bleu_core.formats.isolated import list_option_values
from bleu_core.formats.mapping import MappedColumn
from bleu_core.formats.reading import read_table_text, recognise_format
from bleu_core.formats.register import FORMATS
from bleu_core.formats.source import Source
from bleu_core.limits import DEFAULT_LIMITS, Limits

#: Rows below the header.
PREVIEW_ROWS = 10

_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TablePreview:
    """The beginning of a table.

    Attributes:
        header: the cells of the first row.
        rows: the cells of the rows after it.
        roles: the role of each column by its header; None if it says nothing.
        known: for each column, whether its header has a known word.
        proposed: each column as it probably is, in the role of the file; None if it is probably not used.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    roles: tuple[Role | None, ...]
    known: tuple[bool, ...]
    proposed: tuple[MappedColumn | None, ...] = ()


def preview_table(
    data: bytes,
    name: str,
    role: FileRole,
    *,
    encoding: str | None = None,
    format: str | None = None,  # noqa: A002 # as in read
    own: Mapping[str, str] = _NONE,
    rows: int = PREVIEW_ROWS,
    limits: Limits = DEFAULT_LIMITS,
) -> TablePreview | None:
    """Read the header and the first rows of a table.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        role: the role of the file.
        encoding: as in decode.
        format: the key of a format that is used instead of the recognised one, if such a file holds a table.
        own: values of the format's own options, such as a sheet.
        rows: the number of rows after the header.
        limits: the limits for the file.

    Returns:
        None if the file is not a table with at least two columns and one row below the header.

    Raises:
        LimitError: the file holds more than the limits allow.
        SettingsError: there is no such encoding.
    """
    try:
        file = read_table_text(data, name, role, encoding=encoding, format=format, own=own, limits=limits)
        table = None if file is None else parse_table(file.text, name, limits=limits)
    except FormatError:
        return None
    if table is None or not table.lines or not table.header[1:]:
        return None
    first = tuple(zip(*(cells[:rows] for cells in table.columns), strict=True))
    kinds: list[HeaderKind | None] = [classify_header(cell) for cell in table.header]
    proposed: Mapping[int, MappedColumn] = {}
    if role in ("system", "reference", "source"):
        proposed = ColumnRoles(table, kinds, role, name).proposed()
    return TablePreview(
        table.header,
        first,
        tuple(kind if kind in HEADED_ROLES else None for kind in kinds),
        tuple(kind is not None for kind in kinds),
        proposed=tuple(proposed.get(i) for i in range(len(table.header))),
    )


def option_values(
    data: bytes,
    name: str,
    format: str,  # noqa: A002 # as in read
    *,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Mapping[str, Sequence[str]]:
    """Return the possible values of a format's own options for a file.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        format: the key of the format.
        encoding: as in decode.
        limits: the limits for the file.

    Returns:
        Option -> its values; an option that is not among them may have any value.

    Raises:
        FormatError: the file is damaged.
        LimitError: it holds more than the limits allow.
    """
    return list_option_values(Source(decompress(data, name, limits), name, encoding, limits), FORMATS[format])


def recognise_format_key(
    data: bytes, name: str, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> str:
    """Return the key of a file's most likely format, even if the file cannot be read in it.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        encoding: as in decode.
        limits: the limits for the file.

    Raises:
        FormatError, LimitError, SettingsError: as decode.
    """
    return recognise_format(Source(decompress(data, name, limits), name, encoding, limits)).key
