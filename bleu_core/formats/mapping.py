"""Roles of a table's columns, as the user gives them (COLUMN=ROLE[:NAME]) or as they are recognised."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from bleu_core.dataset import FIELDS
from bleu_core.errors import UNPRINTABLE, FormatError, SettingsError, one_line
from bleu_core.invocation import column_with_role, columns_option

MappedRole = Literal["source", "reference", "system", "document", "label", "rating", "id"]
ROLES: tuple[MappedRole, ...] = get_args(MappedRole)
#: Roles that at most one column of a table has.
SINGLE: tuple[MappedRole, ...] = ("source", "document")
FORM = "COLUMN=ROLE[:NAME] expected, as in 'src=source,A=system,B=system:Engine B,ref=reference'"
#: The longest option that a message shows, in characters.
MAX_OPTION_LENGTH = 4000

_QUOTED = r'"(?:[^"]|"")*+"'
_ENTRY = re.compile(
    rf"\s*+(?P<header>{_QUOTED}|[^\",=][^,=]*+)=\s*+(?P<role>[^\",:]*+)"
    rf"(?::(?P<name>{_QUOTED}|[^\",:][^,:]*+|))?(?::(?P<more>{_QUOTED}|[^\",][^,]*+|))?\s*+(?:,|$)"
)


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """A column of a table and its role.

    Attributes:
        header: the header in the table; for JSON lines, the key.
        role: the role of the column.
        name: the name of the system, reference or label (by default the header), or of the judge of ratings (by default
            empty).
        system: the system that is rated, in a column of ratings; otherwise empty.

    Raises:
        SettingsError: a column of ratings names no system, or a label has a name with another meaning.
    """

    header: str
    role: MappedRole
    name: str = ""
    system: str = ""

    def __post_init__(self) -> None:
        if self.role == "rating" and not self.system:
            raise SettingsError(f"column {self.header!r}: rating without a system found, rating:JUDGE:SYSTEM expected")
        if self.role == "label" and self.called.lower() in FIELDS:
            raise SettingsError(
                f"column {self.header!r}: a label called {self.called} found, which has another meaning; give another "
                "name, as in label:NAME"
            )

    @property
    def called(self) -> str:
        """The name, or the header if no name was given."""
        return self.name or self.header


class PlacedColumn(NamedTuple):
    """A column of a table that is read, whether its role was given or recognised.

    Attributes:
        position: its position in the table.
        column: its header, role and name.
    """

    position: int
    column: MappedColumn


def parse_columns(text: str) -> tuple[MappedColumn, ...]:
    """Parse COLUMN=ROLE[:NAME],...; a text with a comma or an equals sign may be quoted.

    >>> parse_columns('src=source,"a, b"=system:B,q=rating:judge 1:B')[1:]
    (MappedColumn(header='a, b', role='system', name='B', system=''), \
MappedColumn(header='q', role='rating', name='judge 1', system='B'))

    Raises:
        SettingsError: the text has another form, a role does not exist, or the columns are not compatible.
    """
    columns: list[MappedColumn] = []
    position = 0
    while position < len(text):
        match = _ENTRY.match(text, position)
        if match is None:
            raise SettingsError(f"columns: {text[position : position + 60]!r} found, {FORM}")
        role: MappedRole | None = next((known for known in ROLES if known == match["role"].strip()), None)
        if role is None:
            raise SettingsError(f"columns: role {match['role']!r} found, one of {', '.join(ROLES)} expected")
        name, more = _unquoted(match["name"]), _unquoted(match["more"])
        if role != "rating" and more:
            name, more = text[match.start("name") : match.end("more")].strip(), ""
        columns.append(MappedColumn(_unquoted(match["header"]), role, name, more))
        position = match.end()
    check_columns(columns, addressed=True)
    return tuple(columns)


def check_columns(columns: Iterable[MappedColumn], *, addressed: bool = False) -> None:
    """Check that columns are compatible.

    Args:
        columns: the columns.
        addressed: whether what is before the last colon of a header may be its file; the columns of each file have to
            be checked again.

    Raises:
        SettingsError: there is no column, a column is given twice, or two columns have the same role and name.
    """
    columns = tuple(columns)
    if not columns:
        raise SettingsError(f"columns: none found, {FORM}")
    headers: set[str] = set()
    first: dict[tuple[str, str, str, str], str] = {}
    for column in columns:
        if column.header in headers:
            raise SettingsError(f"columns: column {column.header!r} is given twice; keep one")
        headers.add(column.header)
        name = column.name if column.role == "rating" else "" if column.role in SINGLE else column.called
        file = column.header.rpartition(":")[0] if addressed else ""
        first_header = first.setdefault((column.role, name, column.system, file), column.header)
        if first_header != column.header:
            raise SettingsError(
                f"columns: both {first_header!r} and {column.header!r} are {_words(column)}; leave one out or rename it"
            )


class UnclearColumnsError(FormatError):
    """The headers of a table do not decide what its columns are; the message ends with an option that does.

    Attributes:
        problem: the file, and what is unclear.
        columns: file -> its columns as they probably are.
    """

    def __init__(self, problem: str, columns: Mapping[str, Sequence[MappedColumn]]) -> None:
        """Join the problem and the option for all files.

        Args:
            problem: the file, and what is unclear.
            columns: file -> its columns as they probably are; without any if no column can be chosen.
        """
        super().__init__(problem)
        self.problem = problem
        self.columns = columns
        given = [column for file, of_file in columns.items() for column in format_columns(of_file, file)]
        option = columns_option(given)
        if given and len(option) <= MAX_OPTION_LENGTH and not UNPRINTABLE.search(option):
            advice = f"say what its columns are, on the Data page or with {option}"
            self.args = (f"{one_line(problem)}; {advice}",)  # the option is of use only if it is complete

    @property
    def without_option(self) -> str:
        """The message without the option."""
        return one_line(f"{self.problem}; say what its columns are")

    def __reduce__(self) -> tuple[type[UnclearColumnsError], tuple[str, Mapping[str, Sequence[MappedColumn]]]]:
        """Return what makes the same error in another process."""
        return UnclearColumnsError, (self.problem, self.columns)


def format_columns(columns: Iterable[MappedColumn], file: str = "") -> list[str]:
    """Return columns in the form that parse_columns reads, if they are joined with commas.

    Args:
        columns: the columns.
        file: the file that they belong to; empty if they belong to all tables.

    >>> format_columns([MappedColumn("a, b", "system", "B:2"), MappedColumn("ref", "reference")], "t.csv")
    ['"t.csv:a, b"=system:"B:2"', 't.csv:ref=reference']
    """
    return [
        column_with_role(c.header, c.role, *((c.name, c.system) if c.system else filter(None, (c.name,))), file=file)
        for c in columns
    ]


def _words(column: MappedColumn) -> str:
    if column.role in SINGLE:
        return f"the {column.role}"
    if column.role == "rating":
        return f"ratings of {column.system} by {column.name or 'a judge without a name'}"
    return f"the {column.role} {column.called}"


def _unquoted(part: str | None) -> str:
    part = (part or "").strip()
    return part[1:-1].replace('""', '"') if len(part) > 1 and part[0] == part[-1] == '"' else part
