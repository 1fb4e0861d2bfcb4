"""Tables of ratings and of metric scores: which columns have numbers, and what they are numbers of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NoReturn

from bleu_core.dataset import plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import MISSING, join_cells, normal_header
from bleu_core.formats.column_kinds import NUMBER
from bleu_core.formats.compression import stem_of
from bleu_core.formats.delimited import Table, header_names
from bleu_core.formats.headers import classify_header
from bleu_core.invocation import column_with_role, columns_option, format_option

#: What the headers of several columns of numbers name.
Named = Literal["system", "judge", "metric"]
#: The options of these formats.
OWN: Mapping[str, str] = {"system": "System", "score": "Column of numbers"}
#: What separates columns in the option "score".
AND = "+"
#: The share of cells that are numbers from which on a column is one of numbers, so that a wrong cell is an error.
MIN_NUMBERS = 0.5
#: Headers of numbers that describe rows or texts.
DESCRIPTION = re.compile(
    r"(?:.*_)?(?:id|ids|time|seconds|duration|date|timestamp|at|len|length|words|tokens|characters|chars|year|page|"
    r"version|count|no|nr|number|index|row|#)|unnamed:.*|"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberTable:
    """A kind of tables of numbers.

    Attributes:
        key: the key of the format, for the option in messages.
        what: what a number is, for messages: rating or score.
        columns: role -> the headers of its column, as normal_header returns them; a table may lack each role.
        several: the headers of which several columns may be used together, such as judges or metrics.
        named: what these headers name.
        criteria: the headers of which one column is used, as ratings of two criteria are never the same.
        overall: the headers of criteria that are used if there are others.
        by_stem: whether the file's name is that of the system if no column names one.
        in_order: whether the rows of a system are its segments in their order.
    """

    key: str
    what: str
    columns: Mapping[str, Sequence[str]]
    several: re.Pattern[str]
    named: Named
    criteria: re.Pattern[str] | None = None
    overall: re.Pattern[str] | None = None
    by_stem: bool = False
    in_order: bool = False


class NumberColumn(NamedTuple):
    """A column of numbers: its position, and its header if that names a judge, a metric or a system, else ""."""

    position: int
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The columns of a table.

    Attributes:
        roles: role -> the position of its column; those of numbers are not among them.
        numbers: the columns of numbers, at least one.
        named: what the names of the columns of numbers are.
        system: the system of all rows; empty if a column or the headers name systems.
        by_stem: whether that is the name of the file, so that another name may be meant.
        notes: sentences about what was recognised and is not used.
    """

    roles: Mapping[str, int]
    numbers: Sequence[NumberColumn]
    named: Named
    system: str = ""
    by_stem: bool = False
    notes: tuple[str, ...] = field(default=())


def is_number_table(first_line: str, name: str, kind: NumberTable) -> bool:
    """Return whether the first line of a file is a header of systems, segments and numbers with known names only."""
    words = header_names(first_line, name)
    roles = {word: role for role, headers in kind.columns.items() for word in headers}
    others = [word for word in words if word not in roles]
    patterns = [pattern for pattern in (kind.several, kind.criteria) if pattern is not None]
    are_known = all(any(pattern.search(word) for pattern in patterns) for word in others)
    return bool(others) and are_known and {"system", "segment"} <= {roles[word] for word in words if word in roles}


def layout_of(table: Table, kind: NumberTable, own: Mapping[str, str], origin: str) -> Layout:
    """Return which columns of a table have numbers, and of what: as the user says, or as the headers do.

    A column `score` has the numbers of the systems in a column. Otherwise, with a column of systems, there is a column
    per judge, or per metric, or a criterion. Without one, there is a column per system; the rows have numbers of
    segments.

    Args:
        table: the table.
        kind: the kind of tables.
        own: the options of the format: the system of all rows, and the columns of numbers, separated by +.
        origin: the file, for messages.

    Raises:
        FormatError: two columns have a role, no column has numbers, or the headers do not say which one; the message
            has the option that does.
    """
    return _Reading(table, kind, origin, own.get("system", "")).layout(own.get("score", ""))


def roles_of(table: Table, columns: Mapping[str, Sequence[str]], origin: str) -> dict[str, int]:
    """Return the positions of the columns that have a role by their headers.

    Args:
        table: the table.
        columns: role -> headers, as normal_header returns them.
        origin: the file, for messages.

    Raises:
        FormatError: two columns have the same role.
    """
    roles: dict[str, int] = {}
    for role, headers in columns.items():
        places = table.places(headers)
        if len(places) > 1:
            named = " and ".join(repr(table.header[i]) for i in places)
            raise FormatError(f"{origin}, line {table.line}: columns {named} both give the {role}; keep one")
        if places:
            roles[role] = places[0]
    return roles


class _Reading:
    """The search for the columns of numbers in a table."""

    def __init__(self, table: Table, kind: NumberTable, origin: str, system: str) -> None:
        self.table, self.kind, self.origin, self.system = table, kind, origin, system
        self.names = [cell.strip() for cell in table.header]
        self.words = [normal_header(cell) for cell in table.header]
        self.place = f"{origin}, line {table.line}"
        self.roles = self._roles()
        if not {"system", "segment"} & self.roles.keys() and not kind.in_order:
            self.roles |= self._numbers_of_rows()
        self.notes: list[str] = []

    def layout(self, chosen: str) -> Layout:
        """Return the layout; chosen are the columns that the user names, empty if none."""
        kind, score = self.kind, self.roles.pop("score", None)
        has_systems = "system" in self.roles or bool(self.system)
        named: Named = kind.named if has_systems else "system"
        if chosen:
            places = self._chosen(chosen)
            if len(places) == 1 and (has_systems or kind.by_stem):
                named = kind.named
        elif score is not None:
            if not has_systems and not kind.by_stem:
                self._refuse_missing("system")
            self._note_others([score])
            places, named = [score], kind.named
        elif has_systems:
            places = self._of_systems()
        else:
            places, named = self._of_rows()
        by_stem = named != "system" and not has_systems
        if named == "judge" and len(places) > 1 and "judge" in self.roles:
            self._refuse_choice(places, f"one column of {kind.what}s beside that of the judges")
        repeated, times = Counter(self.names[i] for i in places).most_common(1)[0]
        if times > 1:
            raise FormatError(f"{self.place}: {times} columns have {kind.what}s of {repeated}; keep one")
        named_columns = len(places) > 1 or named == "system" or (named == "metric" and (score is None or bool(chosen)))
        return Layout(
            roles=self.roles,
            numbers=[NumberColumn(i, self.names[i] if named_columns else "") for i in places],
            named=named,
            system="" if named == "system" or "system" in self.roles else self.system or stem_of(self.origin),
            by_stem=by_stem,
            notes=tuple(self.notes),
        )

    def option(self, **own: str) -> str:
        """Return the option with which the file is read."""
        return format_option(self.origin, self.kind.key, **own)

    def _roles(self) -> dict[str, int]:
        roles = roles_of(self.table, self.kind.columns, self.origin)
        if self.system and not self.kind.in_order:
            roles.pop("system", None)
        return roles

    def _chosen(self, chosen: str) -> list[int]:
        """Return the positions of the columns that the user names."""
        headers = [chosen] if chosen in self.names else [part.strip() for part in chosen.split(AND)]
        missing = next((header for header in headers if header not in self.names), None)
        if missing is not None:
            numbers = listed(self.names[i] for i in self._rest() if _has_numbers(self.table, i)) or "none"
            raise FormatError(f"{self.place}: no column {missing!r} in the header; columns of numbers: {numbers}")
        return [self.names.index(header) for header in headers]

    def _of_systems(self) -> list[int]:
        """Return the columns of numbers of a table with a column of systems, or of one system."""
        kind = self.kind
        rest = [i for i in self._rest() if _has_numbers(self.table, i)]
        criteria = [i for i in rest if kind.criteria is not None and kind.criteria.search(self.words[i])]
        named = self._rest() if kind.named == "metric" else rest  # a wrong cell below the name of a metric is an error
        several = [i for i in named if i not in criteria and kind.several.search(self.words[i])]
        if criteria and not several:
            overall = [i for i in criteria if kind.overall is not None and kind.overall.fullmatch(self.words[i])]
            places = overall if len(overall) == 1 else criteria
            if len(places) > 1:
                self._refuse_choice(places, f"one column of {kind.what}s")
        elif several and not criteria:
            places = several
        else:
            if rest:
                self._refuse_choice(criteria + several or rest, f"a column called {kind.columns['score'][0]}")
            self._refuse_missing("score")
        if kind.named != "metric" or len(places) < len(rest):  # names of metrics need no explanation
            self._note_use(places, f"the {plural(len(places), kind.what)}")
        return places

    def _of_rows(self) -> tuple[list[int], Named]:
        """Return the columns of numbers of a table with a row per segment, and what their headers name."""
        kind = self.kind
        if kind.in_order:  # beside texts
            return self._of_systems(), kind.named
        numbers = [i for i in self._rest() if _has_numbers(self.table, i)]
        known = [i for i in numbers if self._is_known(i)]
        if not numbers or (not known and "segment" not in self.roles and not kind.by_stem):
            self._refuse_missing("system", numbers)
        if not known:
            self._note_use(numbers, f"the {kind.what}s of the {plural(len(numbers), 'system')}")
            return numbers, "system"
        if not kind.by_stem or len(known) < len(numbers):
            several = numbers if kind.by_stem else [i for i in known if kind.several.search(self.words[i])]
            headers = AND.join(self.names[i] for i in several or known[:1])
            of_one = (
                f"for the {kind.what}s of one system, use {self.option(system=stem_of(self.origin), score=headers)}"
            )
            of_all = f"if the headers name systems, {self.option(score=AND.join(self.names[i] for i in numbers))}"
            advice = (of_one, of_all) if len(known) == len(numbers) else (of_all, of_one)
            raise FormatError(
                f"{self.place}: {listed(self.names[i] for i in numbers)} found in the header, systems expected, or a "
                f"column system; {'; '.join(advice)}"
            )
        return known, kind.named

    def _numbers_of_rows(self) -> dict[str, int]:
        """Return the column of numbers of rows, by its header, as that of segments in a table of a row per segment."""
        places = [
            i
            for i, name in enumerate(self.names)
            if i not in self.roles.values()
            and (not name or name == "#" or classify_header(name) == "number")
            and all(cell.strip().isdecimal() for cell in self.table.columns[i])
        ]
        return {"segment": places[0]} if len(places) == 1 else {}

    def _is_known(self, place: int) -> bool:
        patterns = (self.kind.several, self.kind.criteria)
        return any(pattern is not None and pattern.search(self.words[place]) for pattern in patterns)

    def _rest(self) -> list[int]:
        """Return the positions of the columns without a role that may have numbers."""
        used = set(self.roles.values())
        return [i for i in range(len(self.words)) if i not in used and not DESCRIPTION.fullmatch(self.words[i])]

    def _note_others(self, places: Sequence[int]) -> None:
        """Note columns that look like those in use and are not used."""
        others = [i for i in self._rest() if i not in places and self._is_known(i)]
        if any(_has_numbers(self.table, i) for i in others):
            self._note_use(places, f"the {self.kind.what}s")

    def _note_use(self, places: Sequence[int], what: str) -> None:
        """Note as what columns are used, and which columns of numbers are not."""
        unused = [self.names[i] for i in self._rest() if i not in places and _has_numbers(self.table, i)]
        used = f"{plural(len(places), 'column')} {listed(self.names[i] for i in places)} read as {what}"
        more = f"; not used: {listed(unused)}; to use others, {self.option(score=unused[0])}" if unused else ""
        self.notes.append(f"{used}{more}")

    def _refuse_choice(self, places: Sequence[int], expected: str) -> NoReturn:
        """Refuse a table with several columns that may have the numbers.

        Raises:
            FormatError: always.
        """
        headers = [self.names[i] for i in places]
        are_criteria = any(self.kind.criteria is not None and self.kind.criteria.search(self.words[i]) for i in places)
        together = f"; if each is of a {self.kind.named}, {self.option(score=AND.join(headers))}"
        alone = len(headers) == 1 or are_criteria or "judge" in self.roles
        raise FormatError(
            f"{self.place}: {plural(len(headers), 'column')} {listed(headers)} found, {expected} expected; use "
            f"{self.option(score=headers[0])}{'' if alone else together}"
        )

    def _refuse_missing(self, role: str, numbers: Sequence[int] = ()) -> NoReturn:
        """Refuse a table without a column of a role.

        Args:
            role: the role.
            numbers: columns that may have the numbers of systems, in the order of the segments.

        Raises:
            FormatError: always.
        """
        advice = ""
        if numbers:
            columns = [
                column_with_role(self.names[i], "rating", "judge 1", self.names[i], file=self.origin) for i in numbers
            ]
            advice = f"; if the rows are the segments in their order, use {columns_option(columns)}"
        elif role == "system" and self.table.places(self.kind.columns["score"]):
            advice = f"; for ratings of one system, use {self.option(system=stem_of(self.origin))}"
        raise FormatError(
            f"{self.place}: no column {role} in the header ({join_cells(self.table.header)}); one of "
            f"{', '.join(self.kind.columns[role])} expected{advice}"
        )


def _has_numbers(table: Table, place: int) -> bool:
    """Return whether a column is one of numbers that do not describe rows or texts."""
    if DESCRIPTION.fullmatch(normal_header(table.header[place])):
        return False
    filled = [cell for cell in map(str.strip, table.columns[place]) if cell.lower() not in MISSING]
    return bool(filled) and sum(map(bool, map(NUMBER.fullmatch, filled))) >= MIN_NUMBERS * len(filled)
