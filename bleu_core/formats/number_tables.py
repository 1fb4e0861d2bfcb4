"""Tables of ratings and of metric scores: which columns have numbers, and what they are numbers of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, NoReturn, TypeVar

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import Judgments, Numbering, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import (
    MISSING,
    check_filled,
    join_cells,
    normal_header,
    numbers_restart,
    parse_scores,
    parse_segments,
    strip_cells,
)
from bleu_core.formats.column_kinds import NUMBER, SOURCE_HEADERS, TRANSLATION_HEADERS, text_column
from bleu_core.formats.compression import stem_of
from bleu_core.formats.declaration import Options
from bleu_core.formats.delimited import Table, header_names, is_escaped, parse_table, unescape_cell
from bleu_core.formats.headers import classify_header
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.invocation import column_with_role, columns_option, format_option

T = TypeVar("T")

#: What the headers of several columns of numbers name.
Named = Literal["system", "judge", "metric"]
#: The options of these formats.
OWN: Mapping[str, str] = {"system": "System", "score": "Column of numbers"}
#: What separates columns in the option "score".
AND = "+"
#: The share of cells that are numbers from which on a column is one of numbers, so that a wrong cell is an error.
MIN_NUMBERS = 0.5
#: Headers of ranks, of which the lowest is the best.
RANKS = frozenset({"rank", "ranks", "ranking", "rang", "place", "position"})
#: The note if segment numbers occur in several documents.
WITHIN_DOCUMENTS = (
    "segments are numbered within documents: the ratings can be matched with segments only if the documents of the "
    "texts are known; otherwise they count for systems only"
)
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
        label: the label of the format.
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
    label: str
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

    def columns_of(self, header: Sequence[str], place: str) -> dict[str, int]:
        """Return the positions of the columns that have a role by their headers.

        Args:
            header: the cells of the header.
            place: the file and the line, for messages.

        Raises:
            FormatError: two columns have the same role.
        """
        words = list(map(normal_header, header))
        roles: dict[str, int] = {}
        for role, headers in self.columns.items():
            places = [i for i, word in enumerate(words) if word in headers]
            if len(places) > 1:
                named = " and ".join(repr(header[i]) for i in places)
                raise FormatError(f"{place}: columns {named} both give the {role}; keep one")
            if places:
                roles[role] = places[0]
        return roles

    def missing(self, role: str, header: Sequence[str], place: str, advice: str = "") -> FormatError:
        """Return the error for a table without a column of a role; the advice follows a semicolon."""
        known = self.columns.get(role, (role,))
        expected = f"one of {', '.join(known)}" if len(known) > 1 else known[0]
        return FormatError(
            f"{place}: no column {role} in the header ({join_cells(header)}); {expected} expected{advice}"
        )

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


def blank_separated(source: Source) -> Table:
    """Parse a table whose header is separated by blanks, and whose rows are by blanks or tabs.

    Raises:
        FormatError: the file is empty, or a row has another width than the header.
        LimitError: a row has too many cells.
    """
    text, origin = source.text, source.name
    lines = split_lines(text)[0] or [""]
    header = lines[0].split()
    rows = [header]
    for line in lines[1:]:
        cells = [cell.strip() for cell in line.split("\t")]
        while len(cells) > len(header) and not cells[-1]:  # tabs after the last cell
            cells.pop()
        rows.append(cells if len(cells) == len(header) else line.split())
    content = "\n".join(map("\t".join, rows))
    table = parse_table(Text(content, text.encoding, above=text.above), origin, separator="\t", limits=source.limits)
    if table is None:
        raise FormatError(f"{origin}: the file is empty; a header expected")
    return table


class NumberRows:
    """The rows of a table of numbers.

    The user says which columns have numbers, and of what, or the headers do. A column `score` has the numbers of the
    systems in a column. Otherwise, with a column of systems, there is a column per judge, or per metric, or a
    criterion. Without one, there is a column per system; the rows have numbers of segments. Names that this program has
    escaped for spreadsheets are unescaped.

    Attributes:
        cells: role -> the cells of its column without surrounding white space; those of numbers are not among them.
        segments: the number of each row's segment, from 1; None if no column has it.
        numbers: the columns of numbers, at least one; NaN where there is none.
        named: what the names of the columns of numbers are.
        system: the system of all rows; empty if a column or the headers name systems.
        by_stem: whether that is the name of the file, so that another name may be meant.
        notes: sentences about what was recognised and is not used.

    Raises:
        FormatError: two columns have a role, no column has numbers, or the headers do not say which one; the message
            has the option that does. Or a cell is not a number, a row names no system, or a column has no number.
    """

    def __init__(self, table: Table, kind: TableKind, origin: str, options: Options) -> None:
        """Read a table of a kind; options of the format are the system of all rows and the columns of numbers."""
        self._table, self._kind, self._origin = table, kind, origin
        self._names = [cell.strip() for cell in table.header]
        self._words = [normal_header(cell) for cell in table.header]
        self._place = f"{origin}, line {table.line}"
        self._roles = roles = kind.columns_of(table.header, self._place)
        self._score = roles.pop("score", None)
        system, chosen = options.own.get("system", ""), options.own.get("score", "")
        if system and not kind.in_order:
            roles.pop("system", None)
        if not {"system", "segment"} & roles.keys() and not kind.in_order:
            roles |= self._numbers_of_rows()
        used = {*roles.values(), self._score}
        #: The positions of the columns without a role that may have numbers.
        self._others = [i for i, word in enumerate(self._words) if i not in used and not DESCRIPTION.fullmatch(word)]
        self.notes = table.notes
        has_systems = "system" in roles or bool(system)
        places, self.named = self._find(chosen, has_systems=has_systems)
        if self.named == "judge" and len(places) > 1 and "judge" in roles:
            self._refuse_choice(places, f"one column of {kind.what}s beside that of the judges")
        repeated, times = Counter(self._names[i] for i in places).most_common(1)[0]
        if times > 1:
            raise FormatError(f"{self._place}: {times} columns have {kind.what}s of {repeated}; keep one")
        cells = {role: strip_cells(table.columns[i]) for role, i in roles.items()}
        self.cells = (
            {role: list(map(unescape_cell, own)) for role, own in cells.items()} if is_escaped(table) else cells
        )
        if "system" in roles:
            check_filled(self.cells["system"], table.lines, origin)
        segments = self.cells.pop("segment", None)
        first = options.first_segment
        self.segments = None if segments is None else parse_segments(segments, table.lines, origin, first)
        self.by_stem = self.named != "system" and not has_systems
        self.system = "" if self.named == "system" or "system" in roles else system or stem_of(origin)
        are_metrics = self.named == "metric" and (self._score is None or bool(chosen))
        are_named = len(places) > 1 or self.named == "system" or are_metrics
        self.numbers = [self._numbers(i, self._names[i] if are_named else "") for i in places]

    def _find(self, chosen: str, *, has_systems: bool) -> tuple[list[int], Named]:
        """Return the columns of numbers, and what their headers name."""
        kind = self._kind
        if chosen:
            places = self._chosen(chosen)
            return places, kind.named if has_systems or (len(places) == 1 and kind.by_stem) else "system"
        if self._score is None:
            return (self._of_systems(), kind.named) if has_systems or kind.in_order else self._of_rows()
        if not has_systems and not kind.by_stem:
            raise self._without_systems()
        if any(i in self._numeric for i in self._others if self._is_known(i)):
            self._note_use([self._score], f"the {kind.what}s")
        return [self._score], kind.named

    @cached_property
    def _numeric(self) -> list[int]:
        """The positions of the columns without a role that have numbers."""
        return [i for i in self._others if _has_numbers(self._table.columns[i])]

    def _numbers(self, place: int, name: str) -> Numbers:
        """Return a column of numbers.

        Raises:
            FormatError: a cell is not a number, or the column has none.
        """
        table, origin = self._table, self._origin
        cells = strip_cells(table.columns[place])
        values = parse_scores(cells, table.lines, origin, decimal_commas=table.decimal_commas)
        if np.isnan(values).all():
            what = f"{self._kind.what} of {name}" if name else self._kind.what
            raise FormatError(f"{origin}: no {what} in {len(cells):,} {plural(len(cells), 'row')}, at least 1 expected")
        return Numbers(name, values)

    def _option(self, **own: str) -> str:
        """Return the option with which the file is read."""
        return format_option(self._origin, self._kind.key, **own)

    def _chosen(self, chosen: str) -> list[int]:
        """Return the positions of the columns that the user names."""
        headers = [chosen] if chosen in self._names else [part.strip() for part in chosen.split(AND)]
        missing = next((header for header in headers if header not in self._names), None)
        if missing is not None:
            numeric = self._numeric if self._score is None else sorted([self._score, *self._numeric])
            numbers = listed(self._names[i] for i in numeric) or "none"
            raise FormatError(f"{self._place}: no column {missing!r} in the header; columns of numbers: {numbers}")
        return [self._names.index(header) for header in headers]

    def _of_systems(self) -> list[int]:
        """Return the columns of numbers of a table with a column of systems, or of one system."""
        kind, numeric = self._kind, self._numeric
        criteria = [i for i in numeric if kind.criteria.search(self._words[i])]
        # Below the name of a metric, a wrong cell is an error.
        named = self._others if kind.named == "metric" else numeric
        several = [i for i in named if i not in criteria and kind.several.search(self._words[i])]
        if bool(criteria) == bool(several):
            if numeric:
                self._refuse_choice(criteria + several or numeric, "a column called score")
            raise kind.missing("score", self._table.header, self._place)
        overall = [i for i in criteria if kind.overall.fullmatch(self._words[i])]
        places = several or (overall if len(overall) == 1 else criteria)
        if criteria and len(places) > 1:
            self._refuse_choice(places, f"one column of {kind.what}s")
        if kind.named != "metric" or len(places) < len(numeric):  # names of metrics need no explanation
            self._note_use(places, f"the {plural(len(places), kind.what)}")
        return places

    def _of_rows(self) -> tuple[list[int], Named]:
        """Return the columns of numbers of a table with a row per segment, and what their headers name."""
        kind, numeric = self._kind, self._numeric
        known = [i for i in numeric if self._is_known(i)]
        if not numeric or (not known and "segment" not in self._roles and not kind.by_stem):
            raise self._without_systems()
        if not known:
            self._note_use(numeric, f"the {kind.what}s of the {plural(len(numeric), 'system')}")
            return numeric, "system"
        if kind.by_stem and len(known) == len(numeric):
            return known, kind.named
        several = numeric if kind.by_stem else [i for i in known if kind.several.search(self._words[i])]
        of_one = self._option(system=stem_of(self._origin), score=self._joined(several or known[:1]))
        advice = (
            f"for the {kind.what}s of one system, use {of_one}",
            f"if the headers name systems, {self._option(score=self._joined(numeric))}",
        )
        raise FormatError(
            f"{self._place}: {listed(self._names[i] for i in numeric)} found in the header, systems expected, or a "
            f"column system; {'; '.join(advice if len(known) == len(numeric) else advice[::-1])}"
        )

    def _numbers_of_rows(self) -> dict[str, int]:
        """Return the column of numbers of rows, by its header, as that of segments in a table of a row per segment."""
        places = [
            i
            for i, name in enumerate(self._names)
            if i not in self._roles.values()
            and (not name or name == "#" or classify_header(name) == "number")
            and all(cell.strip().isdecimal() for cell in self._table.columns[i])
        ]
        return {"segment": places[0]} if len(places) == 1 else {}

    def _is_known(self, place: int) -> bool:
        return bool(self._kind.several.search(self._words[place]) or self._kind.criteria.search(self._words[place]))

    def _joined(self, places: Sequence[int]) -> str:
        """Return columns as the option has them."""
        return AND.join(self._names[i] for i in places)

    def _note_use(self, places: Sequence[int], what: str) -> None:
        """Note as what columns are used, and which columns of numbers are not."""
        unused = [self._names[i] for i in self._numeric if i not in places]
        used = f"{plural(len(places), 'column')} {listed(self._names[i] for i in places)} read as {what}"
        more = f"; not used: {listed(unused)}; to use others, {self._option(score=unused[0])}" if unused else ""
        self.notes = (*self.notes, f"{used}{more}")

    def _refuse_choice(self, places: Sequence[int], expected: str) -> NoReturn:
        """Refuse a table with several columns that may have the numbers.

        Raises:
            FormatError: always.
        """
        are_criteria = any(self._kind.criteria.search(self._words[i]) for i in places)
        together = f"; if each is of a {self._kind.named}, {self._option(score=self._joined(places))}"
        alone = len(places) == 1 or are_criteria or "judge" in self._roles
        columns = f"{plural(len(places), 'column')} {listed(self._names[i] for i in places)}"
        advice = f"use {self._option(score=self._names[places[0]])}{'' if alone else together}"
        if all(self._words[i] in RANKS for i in places):
            advice = "write scores in its place, in which higher is better"
        raise FormatError(f"{self._place}: {columns} found, {expected} expected; {advice}")

    def _without_systems(self) -> FormatError:
        """Return the error for a table that does not name systems."""
        advice = ""
        if self._score is not None:
            advice = f"; for {self._kind.what}s of one system, use {self._option(system=stem_of(self._origin))}"
        elif self._numeric and not any(map(NUMBER.fullmatch, self._names)):  # the first row is a header
            names = [self._names[i] for i in self._numeric]
            columns = [column_with_role(name, "rating", "judge 1", name, file=self._origin) for name in names]
            advice = f"; if the rows are the segments in their order, use {columns_option(columns)}"
        return self._kind.missing("system", self._table.header, self._place, advice)


def _has_numbers(cells: Sequence[str]) -> bool:
    """Return whether most cells of a column that have text are numbers."""
    filled = [cell for cell in map(str.strip, cells) if cell.lower() not in MISSING]
    return bool(filled) and sum(map(bool, map(NUMBER.fullmatch, filled))) >= MIN_NUMBERS * len(filled)


def judgments_of(
    table: Table | None,
    kind: TableKind,
    source: Source,
    options: Options,
    *,
    unused_rows: Iterable[tuple[str, int]] = (),
    notes: Sequence[str] = (),
) -> Judgments:
    """Return the ratings in a table.

    Args:
        table: the table; None if the file is empty.
        kind: the kind of tables.
        source: the file.
        options: the options.
        unused_rows: the reason and the line of each row of the file that is not in the table.
        notes: sentences about decisions while reading.

    Raises:
        FormatError: as NumberRows; or the file is empty, or a document is missing where segments are numbered within
            documents.
        LimitError: there are too many systems, judges or groups.
    """
    origin = source.name
    if table is None:
        raise FormatError(
            f"{origin}: the file is empty; a header with the columns {' and '.join(kind.required)} expected"
        )
    rows = NumberRows(table, kind, origin, options)
    cells, lines, times = rows.cells, table.lines, len(rows.numbers)
    documents, numbers = cells.get("document"), rows.segments
    numbering: Numbering = "line"
    if numbers and documents and numbers_restart(numbers, documents):
        check_filled(documents, lines, origin, "document")
        numbering = "document"
        notes = (*notes, WITHIN_DOCUMENTS)
    is_wide = rows.named == "system"
    translations = None if is_wide else text_column(table, TRANSLATION_HEADERS)
    sources = text_column(table, SOURCE_HEADERS) if is_wide or translations is not None else None
    names = [column.name for column in rows.numbers for _ in lines]
    is_judged = rows.named == "judge" and times > 1
    return Judgments.from_ratings(
        names if is_wide else _repeated(cells.get("system", [rows.system] * len(lines)), times) or (),
        np.concatenate([column.values for column in rows.numbers]),
        _repeated(lines, times) or (),
        origin,
        segments=_repeated(numbers, times),
        numbering=numbering,
        judges=names if is_judged else _repeated(cells.get("judge"), times) or kind.averages,
        groups=_repeated(cells.get("group"), times),
        documents=_repeated(documents, times),
        sources=_repeated(sources, times),
        translations=_repeated(translations, times),
        averages=bool(kind.averages),
        first_segment=options.first_segment,
        format=kind.label,
        unused_rows=unused_rows,
        notes=(*rows.notes, *notes),
        limits=source.limits,
    )


def _repeated(cells: Sequence[T] | None, times: int) -> Sequence[T] | None:
    """Return cells once per column of numbers."""
    return cells if cells is None or times == 1 else [*cells] * times
