"""Tables of ratings and of metric scores: which columns have numbers, and what they are numbers of."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Literal, NamedTuple, NoReturn

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import (
    MISSING,
    check_systems,
    join_cells,
    normal_header,
    parse_scores,
    parse_segments,
    strip_cells,
)
from bleu_core.formats.column_kinds import NUMBER
from bleu_core.formats.compression import stem_of
from bleu_core.formats.delimited import Table, header_names, is_escaped, parse_table, unescape_cell
from bleu_core.formats.headers import classify_header
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.limits import Limits

#: What the headers of several columns of numbers name.
Named = Literal["system", "judge", "metric"]
NO_OPTIONS: Mapping[str, str] = MappingProxyType({})
#: The options of these formats.
OWN: Mapping[str, str] = {"system": "System", "score": "Column of numbers"}
#: What separates columns in the option "score".
AND = "+"
#: The share of cells that are numbers from which on a column is one of numbers, so that a wrong cell is an error.
MIN_NUMBERS = 0.5
#: The headers of no column.
NOTHING = re.compile("(?!)")
#: Headers of numbers that describe rows or texts.
DESCRIPTION = re.compile(
    r"(?:.*_)?(?:id|ids|time|seconds|duration|date|timestamp|at|len|length|words|tokens|characters|chars|year|page|"
    r"version|count|no|nr|number|index|row|#)|unnamed:.*|"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableKind:
    """A kind of tables of ratings, scores or errors.

    Attributes:
        key: the key of the format, for the option in messages.
        what: what a row has, for messages: rating, score or error.
        columns: role -> the headers of its column, as normal_header returns them; a table may lack each role.
        required: the roles by which a header is recognised.
        several: the headers of which several columns may be used together, such as judges or metrics.
        named: what these headers name.
        criteria: the headers of which one column is used, as ratings of two criteria are never the same.
        overall: the headers of criteria that are used if there are others.
        by_stem: whether the file's name is that of the system if no column names one.
        in_order: whether the rows of a system are its segments in their order.
        averages: the name for the judges whose averages the numbers are; empty if they are of single judges.
    """

    key: str
    what: str
    columns: Mapping[str, Sequence[str]]
    required: Sequence[str] = ()
    several: re.Pattern[str] = NOTHING
    named: Named = "judge"
    criteria: re.Pattern[str] = NOTHING
    overall: re.Pattern[str] = NOTHING
    by_stem: bool = False
    in_order: bool = False
    averages: str = ""

    def roles_in(self, header: Sequence[str]) -> set[str]:
        """Return the roles that the cells of a header give to columns."""
        words = set(map(normal_header, header))
        return {role for role, headers in self.columns.items() if not words.isdisjoint(headers)}

    def names(self, header: Sequence[str]) -> bool:
        """Return whether the cells of a header name all required columns."""
        return self.roles_in(header) >= set(self.required)

    def confidence(self, source: Source) -> float:
        """Return how likely it is that the first line of a file is a header of such a table.

        It has the required columns, or else those of systems, segments and numbers only, with known names.
        """
        words = header_names(source.first_line, source.name)
        if self.names(words):
            return 0.4 + 0.1 * len(self.required)  # a header of scores is one of ratings, too
        known = {word for headers in self.columns.values() for word in headers}
        others = [word for word in words if word not in known]
        are_known = all(self.several.search(word) or self.criteria.search(word) for word in others)
        return 0.5 if others and are_known and {"system", "segment"} <= self.roles_in(words) else 0


class Numbers(NamedTuple):
    """A column of numbers: its header if that names a judge, a metric or a system, else "", and a value per row."""

    name: str
    values: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRows:
    """The rows of a table of numbers.

    Attributes:
        cells: role -> the cells of its column without surrounding white space; those of numbers are not among them.
        segments: the number of each row's segment, from 1; None if no column has it.
        numbers: the columns of numbers, at least one; NaN where there is none.
        named: what the names of the columns of numbers are.
        system: the system of all rows; empty if a column or the headers name systems.
        by_stem: whether that is the name of the file, so that another name may be meant.
        notes: sentences about what was recognised and is not used.
    """

    cells: Mapping[str, list[str]]
    segments: list[int] | None
    numbers: Sequence[Numbers]
    named: Named
    system: str = ""
    by_stem: bool = False
    notes: tuple[str, ...] = ()


def format_option(origin: str, key: str, **own: str) -> str:
    """Return the option that reads a file in a format, as it is typed.

    >>> format_option("my file.csv", "ratings", score="judge 1")
    "--format-of 'my file.csv=ratings:score=judge 1'"
    """
    return f"--format-of {shlex.quote(f'{origin}={key}:' + ','.join(f'{name}={value}' for name, value in own.items()))}"


def blank_separated(text: Text, origin: str, limits: Limits) -> Table:
    """Parse a table whose header is separated by blanks, and whose rows are by blanks or tabs.

    Raises:
        FormatError: the file is empty, or a row has another width than the header.
        LimitError: a row has too many cells.
    """
    lines = split_lines(text)[0] or [""]
    header = lines[0].split()
    rows = [header]
    for line in lines[1:]:
        cells = [cell.strip() for cell in line.split("\t")]
        while len(cells) > len(header) and not cells[-1]:  # tabs after the last cell
            cells.pop()
        rows.append(cells if len(cells) == len(header) else line.split())
    content = "\n".join(map("\t".join, rows))
    table = parse_table(Text(content, text.encoding, above=text.above), origin, separator="\t", limits=limits)
    if table is None:
        raise FormatError(f"{origin}: the file is empty; a header expected")
    return table


def read_rows(
    table: Table, kind: TableKind, origin: str, *, own: Mapping[str, str] = NO_OPTIONS, first_segment: int = 1
) -> NumberRows:
    """Return the rows of a table, after finding which columns have numbers, and of what.

    The user says so, or the headers do. A column `score` has the numbers of the systems in a column. Otherwise, with a
    column of systems, there is a column per judge, or per metric, or a criterion. Without one, there is a column per
    system; the rows have numbers of segments. Names that this program has escaped for spreadsheets are unescaped.

    Args:
        table: the table.
        kind: the kind of tables.
        origin: the file, for messages.
        own: the options of the format: the system of all rows, and the columns of numbers, separated by +.
        first_segment: the number the file gives the first segment, 1 or 0.

    Raises:
        FormatError: two columns have a role, no column has numbers, or the headers do not say which one; the message
            has the option that does. Or a cell is not a number, a row names no system, or a column has no number.
    """
    return _Reading(table, kind, origin, own.get("system", "")).rows(own.get("score", ""), first_segment)


def roles_of(header: Sequence[str], kind: TableKind, place: str) -> dict[str, int]:
    """Return the positions of the columns that have a role by their headers.

    Args:
        header: the cells of the header.
        kind: the kind of tables.
        place: the file and the line, for messages.

    Raises:
        FormatError: two columns have the same role.
    """
    words = list(map(normal_header, header))
    roles: dict[str, int] = {}
    for role, headers in kind.columns.items():
        places = [i for i, word in enumerate(words) if word in headers]
        if len(places) > 1:
            named = " and ".join(repr(header[i]) for i in places)
            raise FormatError(f"{place}: columns {named} both give the {role}; keep one")
        if places:
            roles[role] = places[0]
    return roles


def missing_column(header: Sequence[str], kind: TableKind, role: str, place: str, advice: str = "") -> FormatError:
    """Return the error for a table without a column of a role.

    Args:
        header: the cells of the header.
        kind: the kind of tables.
        role: the role.
        place: the file and the line, for messages.
        advice: what to do, after a semicolon.
    """
    known = kind.columns.get(role, (role,))
    expected = f"one of {', '.join(known)}" if len(known) > 1 else known[0]
    return FormatError(f"{place}: no column {role} in the header ({join_cells(header)}); {expected} expected{advice}")


class _Reading:
    """The search for the columns of numbers in a table."""

    def __init__(self, table: Table, kind: TableKind, origin: str, system: str) -> None:
        self.table, self.kind, self.origin, self.system = table, kind, origin, system
        self.names = [cell.strip() for cell in table.header]
        self.words = [normal_header(cell) for cell in table.header]
        self.place = f"{origin}, line {table.line}"
        self.roles = roles_of(table.header, kind, self.place)
        self.score = self.roles.pop("score", None)
        if system and not kind.in_order:
            self.roles.pop("system", None)
        if not {"system", "segment"} & self.roles.keys() and not kind.in_order:
            self.roles |= self._numbers_of_rows()
        self.notes: list[str] = []
        used = {*self.roles.values(), self.score}
        #: The positions of the columns without a role that may have numbers.
        self.others = [i for i, word in enumerate(self.words) if i not in used and not DESCRIPTION.fullmatch(word)]

    @cached_property
    def numeric(self) -> list[int]:
        """The positions of the columns without a role that have numbers."""
        return [i for i in self.others if _has_numbers(self.table.columns[i])]

    def rows(self, chosen: str, first_segment: int) -> NumberRows:
        """Return the rows; chosen are the columns that the user names, empty if none."""
        table, kind = self.table, self.kind
        has_systems = "system" in self.roles or bool(self.system)
        places, named = self._find(chosen, has_systems=has_systems)
        if named == "judge" and len(places) > 1 and "judge" in self.roles:
            self._refuse_choice(places, f"one column of {kind.what}s beside that of the judges")
        repeated, times = Counter(self.names[i] for i in places).most_common(1)[0]
        if times > 1:
            raise FormatError(f"{self.place}: {times} columns have {kind.what}s of {repeated}; keep one")
        cells = {role: strip_cells(table.columns[i]) for role, i in self.roles.items()}
        if is_escaped(table):
            cells = {role: list(map(unescape_cell, own)) for role, own in cells.items()}
        if "system" in cells:
            check_systems(cells["system"], table.lines, self.origin)
        segments = cells.pop("segment", None)
        are_metrics = named == "metric" and (self.score is None or bool(chosen))
        are_named = len(places) > 1 or named == "system" or are_metrics
        return NumberRows(
            cells=cells,
            segments=None if segments is None else parse_segments(segments, table.lines, self.origin, first_segment),
            numbers=[self._numbers(i, self.names[i] if are_named else "") for i in places],
            named=named,
            system="" if named == "system" or "system" in self.roles else self.system or stem_of(self.origin),
            by_stem=named != "system" and not has_systems,
            notes=(*table.notes, *self.notes),
        )

    def _find(self, chosen: str, *, has_systems: bool) -> tuple[list[int], Named]:
        """Return the columns of numbers, and what their headers name."""
        kind = self.kind
        named: Named = kind.named if has_systems else "system"
        if chosen:
            places = self._chosen(chosen)
            return places, kind.named if len(places) == 1 and kind.by_stem else named
        if self.score is None:
            return (self._of_systems(), named) if has_systems else self._of_rows()
        if not has_systems and not kind.by_stem:
            self._refuse_missing("system")
        if any(i in self.numeric for i in self.others if self._is_known(i)):
            self._note_use([self.score], f"the {kind.what}s")
        return [self.score], kind.named

    def _numbers(self, place: int, name: str) -> Numbers:
        """Return a column of numbers.

        Raises:
            FormatError: a cell is not a number, or the column has none.
        """
        table, origin = self.table, self.origin
        cells = strip_cells(table.columns[place])
        values = parse_scores(cells, table.lines, origin, decimal_commas=table.decimal_commas)
        if np.isnan(values).all():
            what = f"{self.kind.what} of {name}" if name else self.kind.what
            raise FormatError(f"{origin}: no {what} in {len(cells):,} {plural(len(cells), 'row')}, at least 1 expected")
        return Numbers(name, values)

    def option(self, **own: str) -> str:
        """Return the option with which the file is read."""
        return format_option(self.origin, self.kind.key, **own)

    def _chosen(self, chosen: str) -> list[int]:
        """Return the positions of the columns that the user names."""
        headers = [chosen] if chosen in self.names else [part.strip() for part in chosen.split(AND)]
        missing = next((header for header in headers if header not in self.names), None)
        if missing is not None:
            numeric = self.numeric if self.score is None else sorted([self.score, *self.numeric])
            numbers = listed(self.names[i] for i in numeric) or "none"
            raise FormatError(f"{self.place}: no column {missing!r} in the header; columns of numbers: {numbers}")
        return [self.names.index(header) for header in headers]

    def _of_systems(self) -> list[int]:
        """Return the columns of numbers of a table with a column of systems, or of one system."""
        kind, numeric = self.kind, self.numeric
        criteria = [i for i in numeric if kind.criteria.search(self.words[i])]
        # Below the name of a metric, a wrong cell is an error.
        named = self.others if kind.named == "metric" else numeric
        several = [i for i in named if i not in criteria and kind.several.search(self.words[i])]
        if bool(criteria) == bool(several):
            if numeric:
                self._refuse_choice(criteria + several or numeric, "a column called score")
            self._refuse_missing("score")
        overall = [i for i in criteria if kind.overall.fullmatch(self.words[i])]
        places = several or (overall if len(overall) == 1 else criteria)
        if criteria and len(places) > 1:
            self._refuse_choice(places, f"one column of {kind.what}s")
        if kind.named != "metric" or len(places) < len(numeric):  # names of metrics need no explanation
            self._note_use(places, f"the {plural(len(places), kind.what)}")
        return places

    def _of_rows(self) -> tuple[list[int], Named]:
        """Return the columns of numbers of a table with a row per segment, and what their headers name."""
        kind, numeric = self.kind, self.numeric
        if kind.in_order:  # beside texts
            return self._of_systems(), kind.named
        known = [i for i in numeric if self._is_known(i)]
        if not numeric or (not known and "segment" not in self.roles and not kind.by_stem):
            self._refuse_missing("system")
        if not known:
            self._note_use(numeric, f"the {kind.what}s of the {plural(len(numeric), 'system')}")
            return numeric, "system"
        if kind.by_stem and len(known) == len(numeric):
            return known, kind.named
        several = numeric if kind.by_stem else [i for i in known if kind.several.search(self.words[i])]
        of_one = self.option(system=stem_of(self.origin), score=self._joined(several or known[:1]))
        advice = (
            f"for the {kind.what}s of one system, use {of_one}",
            f"if the headers name systems, {self.option(score=self._joined(numeric))}",
        )
        raise FormatError(
            f"{self.place}: {listed(self.names[i] for i in numeric)} found in the header, systems expected, or a "
            f"column system; {'; '.join(advice if len(known) == len(numeric) else advice[::-1])}"
        )

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
        return bool(self.kind.several.search(self.words[place]) or self.kind.criteria.search(self.words[place]))

    def _joined(self, places: Sequence[int]) -> str:
        """Return columns as the option has them."""
        return AND.join(self.names[i] for i in places)

    def _note_use(self, places: Sequence[int], what: str) -> None:
        """Note as what columns are used, and which columns of numbers are not."""
        unused = [self.names[i] for i in self.numeric if i not in places]
        used = f"{plural(len(places), 'column')} {listed(self.names[i] for i in places)} read as {what}"
        more = f"; not used: {listed(unused)}; to use others, {self.option(score=unused[0])}" if unused else ""
        self.notes.append(f"{used}{more}")

    def _refuse_choice(self, places: Sequence[int], expected: str) -> NoReturn:
        """Refuse a table with several columns that may have the numbers.

        Raises:
            FormatError: always.
        """
        are_criteria = any(self.kind.criteria.search(self.words[i]) for i in places)
        together = f"; if each is of a {self.kind.named}, {self.option(score=self._joined(places))}"
        alone = len(places) == 1 or are_criteria or "judge" in self.roles
        raise FormatError(
            f"{self.place}: {plural(len(places), 'column')} {listed(self.names[i] for i in places)} found, {expected} "
            f"expected; use {self.option(score=self.names[places[0]])}{'' if alone else together}"
        )

    def _refuse_missing(self, role: str) -> NoReturn:
        """Refuse a table without a column of a role.

        Raises:
            FormatError: always.
        """
        advice = ""
        if role == "system" and self.score is not None:
            advice = f"; for ratings of one system, use {self.option(system=stem_of(self.origin))}"
        elif role == "system" and self.numeric:
            columns = ",".join(
                f"{_quoted(f'{self.origin}:{self.names[i]}')}=rating:judge 1:{_quoted(self.names[i])}"
                for i in self.numeric
            )
            advice = f"; if the rows are the segments in their order, use --columns {shlex.quote(columns)}"
        raise missing_column(self.table.header, self.kind, role, self.place, advice)


def _quoted(text: str) -> str:
    """Return a part of --columns in quotation marks if it has characters with a meaning there."""
    return '"' + text.replace('"', '""') + '"' if re.search('[,="]', text) else text


def _has_numbers(cells: Sequence[str]) -> bool:
    """Return whether most cells of a column that have text are numbers."""
    filled = [cell for cell in map(str.strip, cells) if cell.lower() not in MISSING]
    return bool(filled) and sum(map(bool, map(NUMBER.fullmatch, filled))) >= MIN_NUMBERS * len(filled)
