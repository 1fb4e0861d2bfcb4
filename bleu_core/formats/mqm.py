"""MQM errors, one per row: Google's files and those of its viewer Marot, and tables that other tools export.

Google's files are tab-separated without quoting, and have a row for each segment without errors, too. Other tables may
be separated and quoted in any way, and may list errors only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from bleu_core.dataset import NO_PLACE, Judgments, MarkedError, normal_severity, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import (
    DOCUMENT_HEADERS,
    JUDGE_HEADERS,
    SEGMENT_HEADERS,
    SYSTEM_HEADERS,
    cell_count,
    numbers_restart,
    parse_whole_numbers,
    renumber_from_1,
)
from bleu_core.formats.column_kinds import SOURCE_HEADERS, TRANSLATION_HEADERS
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.copied_rows import copied_error_notes
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, header_names, parse_table
from bleu_core.formats.json_objects import parse_object
from bleu_core.formats.number_tables import TableKind
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.formats.weights import MqmWeights
from bleu_core.invocation import format_option

#: The columns of a file of Marot, which may lack a header.
MAROT: Sequence[str] = (
    *("system", "doc", "docsegid", "globalsegid", "rater"),
    *("source", "target", "category", "severity", "metadata"),
)
SEGMENT_NAMES = ("globalsegid", "global_seg_id", "seg_id")
#: The files of Google and Marot. The position in its document identifies a segment if a file does not number them all.
GOOGLE = TableKind(
    key="mqm",
    label="Google MQM (TSV)",
    what="error",
    columns={
        **{name: (name,) for name in ("system", "rater", "source", "target", "category", "severity")},
        "segment": SEGMENT_NAMES,
        "document": ("doc",),
        "position": ("docsegid", "doc_seg_id"),
    },
    required=("system", "segment", "rater", "category", "severity"),
)
#: Other tables of errors.
TABLE = TableKind(
    key="mqm",
    label="MQM errors, one per row",
    what="error",
    columns={
        "system": SYSTEM_HEADERS,
        "segment": (*SEGMENT_HEADERS, "segment_no", "segment_number", *SEGMENT_NAMES),
        "category": ("category", "error_category", "issue_category", "error_type", "issue_type"),
        "subcategory": ("subcategory", "error_subcategory", "issue_subcategory"),
        "severity": ("severity", "error_severity", "issue_severity"),
        "rater": JUDGE_HEADERS,
        "document": DOCUMENT_HEADERS,
        "source": SOURCE_HEADERS,
        "target": TRANSLATION_HEADERS,
    },
    required=("segment", "category", "severity"),
)
#: The option that says whether segments that a table does not list are without errors or not rated.
UNLISTED = "unlisted"
WITHOUT_ERRORS, UNRATED = "no-error", "unrated"
#: The roles of the cells that describe an error.
ERROR = ("rater", "category", "subcategory", "severity")
ATTENTION_CHECK = "hotw"
NO_RATING = "metrics or references only, without a rating"
#: Severities and categories of rows without an error, in lower case.
NO_ERROR = frozenset({"no-error", "no error"})
#: The beginning and the end of a mark.
TAG = re.compile("<(/?)v>")
BROKEN = "the tags <v> and </v> in its text do not pair"
EMPTY = "nothing is between its tags <v> and </v>"


#: The number of a row's line, its text, and its cells, of which the last may be missing.
_Row = tuple[int, str, Sequence[str]]


@dataclass(slots=True)
class _Item:
    """A judge's rating of a system's segment.

    Attributes:
        line: the line of its first row.
        source, target: the texts without marks; None if the file does not have them.
        penalty: the sum of the weights of its errors; None if it has only rows of attention checks.
        errors: its errors.
    """

    line: int
    source: str | None
    target: str | None
    penalty: float | None = None
    errors: tuple[MarkedError, ...] = ()


def is_mqm(first_line: str, name: str = "") -> bool:
    """Return whether the first line of a file is the header of Google's MQM files, of any year."""
    return GOOGLE.names(header_names(first_line, name))


def is_marot(first_line: str) -> bool:
    """Return whether the first line of a file is a row of Marot, whose last cell is a JSON object."""
    cells = first_line.rstrip("\r").split("\t")
    return len(cells) == len(MAROT) and parse_object(cells[-1]) is not None


def is_error_table(first_line: str, name: str = "") -> bool:
    """Return whether the first line of a file is the header of another table of errors."""
    names = set(header_names(first_line, name))
    if (
        is_mqm(first_line, name) or {"doc", "doc_id"} <= names or "docsegid" in names
    ):  # of Google or Marot, complete or not
        return False
    return not names & {"score", "rating"} and TABLE.names(list(names))


def _read(source: Source, options: Options) -> Contents:
    """Read errors, one per row; a score is minus the sum of a judge's errors in a segment, and 0 without errors.

    The header may end with a comment (#) without a cell in the rows; a file of Marot need not have a header. Rows of
    attention checks (HOTW-test) are not used, and neither are rows without judge, category and severity, which contain
    scores of metrics or references; an item without other rows has no rating. If all segments have the same number,
    their positions in their documents identify them; a number that occurs in several documents is such a position. A
    severity without a published weight has the weight weights.other, and a note names it. Exact copies of rows count as
    further errors, and a note counts them.

    In another table, the judge may be missing, and rows without category and severity are of segments without
    errors. If it has no such row, the user has to say what segments are that it does not list.

    Raises:
        FormatError: the header lacks a column, a row has another width, a segment is not a whole number from
            first_segment on, or there is no rating.
        LimitError: there are too many columns, systems or judges.
    """
    origin, weights, own = source.name, options.weights, options.own
    is_table = is_error_table(source.first_line, origin)
    if is_table or (is_mqm(source.first_line, origin) and "\t" not in source.first_line):
        at, rows = _table_rows(source, TABLE if is_table else GOOGLE, own)
    else:
        at, rows = _google_rows(source)
    items: dict[tuple[str, str, str, str], _Item] = {}  # (judge, document, segment, system) -> rating
    unused_rows: list[tuple[str, int]] = []
    cost_of = cache(partial(_cost, weights=weights))
    marks = _Marks()
    severities: Counter[str] = Counter()
    seen: set[str] = set()
    copies = 0
    for number, line, row in rows:
        given = {role: row[place] for role, place in at.items() if place < len(row)}
        rater, category, subcategory, severity = (given.get(role, "").strip() for role in ERROR)
        if not category and not severity:
            if not is_table and not rater:
                unused_rows.append((NO_RATING, number))
                continue
            severity = WITHOUT_ERRORS if is_table else severity
        system = (is_table and own.get("system")) or given["system"].strip()
        if not system:
            raise FormatError(f"{origin}, line {number}: no system found, a name expected")
        document, segment = given.get("document", "").strip(), given["segment"].strip()
        rater, document, segment, system = map(marks.one, (rater, document, segment, system))
        copies += line in seen
        seen.add(line)
        item = items.get((rater, document, segment, system))
        if item is None:
            item = items[rater, document, segment, system] = _Item(number, *marks.texts(given))
        category = f"{category}/{subcategory}".strip("/") if subcategory else category
        cost = cost_of(category, severity)
        if cost is None:
            unused_rows.append((f"attention check ({severity}: {category.lower()})", number))
            continue
        item.penalty = (item.penalty or 0.0) + cost
        severities[severity] += 1
        if NO_ERROR.isdisjoint((category.lower(), severity.lower())):
            item.errors += (marks.error(given, category, severity, number),)
    del rows, seen  # of a large file, these take as much memory as the ratings
    kept = [(*key, item) for key, item in items.items() if item.penalty is not None]
    raters, documents, cells, systems, rated = zip(*kept, strict=True) if kept else ((), (), (), (), ())
    lines = [item.line for item in rated]
    by_position = "position" in at or numbers_restart(cells, documents)
    unlisted_is_0 = is_table and _unlisted_is_0(
        severities, zip(raters, systems, strict=True), origin, own, by_position=by_position
    )
    numbers = parse_whole_numbers(cells, lines, origin)
    judgments = Judgments.from_ratings(
        systems,
        [-(item.penalty or 0.0) for item in rated],
        lines,
        origin,
        segments=numbers if by_position else renumber_from_1(numbers, lines, origin, options.first_segment),
        numbering="document" if by_position else "line",
        judges=raters,
        documents=documents,
        errors=[item.errors for item in rated],
        sources=[item.source for item in rated],
        translations=[item.target for item in rated],
        first_segment=options.first_segment,
        format=TABLE.label if is_table else GOOGLE.label,
        unlisted_is_0=unlisted_is_0,
        unused_rows=unused_rows,
        notes=(*weights.notes_on(severities), *copied_error_notes(copies), *marks.notes),
        limits=source.limits,
    )
    return judgment_contents(judgments, source, weights=weights)


class _Marks:
    """Reads the errors that rows mark in their texts by <v> and </v>, and counts marks that are unusual."""

    def __init__(self) -> None:
        self._interned: dict[str, str] = {}
        self._in_parts = self._on_both_sides = 0

    def texts(self, row: Mapping[str, str]) -> tuple[str | None, str | None]:
        """Return the source and the target of a row without marks; None for one that it does not have."""
        source, target = (TAG.sub("", row[side]) if side in row else None for side in ("source", "target"))
        return source and self.one(source), target and self.one(target)

    def error(self, row: Mapping[str, str], category: str, severity: str, line: int) -> MarkedError:
        """Return the error of a row: marked in the target or else in the source, or without a mark."""
        target, source = mark_in(row.get("target", "")), mark_in(row.get("source", ""))
        in_source = target is None and source is not None
        self._on_both_sides += target is not None and source is not None
        text, start, end, problem, parts = target or source or (None, NO_PLACE, NO_PLACE, "", 0)
        self._in_parts += parts > 1
        severity, category = self.one(normal_severity(severity)), self.one(category)
        text = None if text is None else self.one(text)
        return MarkedError(start, end, severity, category, in_source=in_source, text=text, line=line, problem=problem)

    def one(self, text: str) -> str:
        """Return the string that all equal names, numbers and texts share."""
        return self._interned.setdefault(text, text)

    @property
    def notes(self) -> Iterator[str]:
        """Notes on marks that are shown in another way than the file has them."""
        if count := self._in_parts:
            yield f"{count:,} {plural(count, 'error')} marked in several parts: from the first part to the last"
        if count := self._on_both_sides:
            yield f"{count:,} {plural(count, 'error')} marked in both texts: the mark in the target counts"


def mark_in(text: str) -> tuple[str, int, int, str, int] | None:
    """Return the text without tags, the start and end of its mark, why it has no place, and its number of parts.

    Returns:
        None if the text has no tag.

    >>> mark_in("An <v>error</v>.")
    ('An error.', 3, 8, '', 1)
    """
    pieces = TAG.split(text)
    tags = pieces[1::2]
    if not tags:
        return None
    if tags != ["", "/"] * (len(tags) // 2):
        return text, NO_PLACE, NO_PLACE, BROKEN, 0
    plain, start = "".join(pieces[::2]), len(pieces[0])
    if not any(pieces[2::4]):
        return plain, NO_PLACE, NO_PLACE, EMPTY, 0
    return plain, start, len(plain) - len(pieces[-1]), "", len(tags) // 2


def _google_rows(source: Source) -> tuple[Mapping[str, int], Iterator[_Row]]:
    """Return the columns of a file of Google or Marot by role, and its rows.

    The last cells of a row are remarks and may be missing. There is a column of positions in documents only if the
    segments have no numbers of their own.

    Raises:
        FormatError: the header lacks a column, or, as the rows are read, one has another width.
        LimitError: there are too many columns.
    """
    lines, _ = split_lines(source.text)
    has_header = not (lines and is_marot(lines[0]))
    header = (lines[0].split("\t") if lines else []) if has_header else MAROT
    place = f"{source.name}, line {source.text.above + 1}"
    source.limits.check("columns", len(header), place)
    at = GOOGLE.columns_of(header, place)
    missing = next((role for role in GOOGLE.required if role not in at), None)
    if missing is not None:
        raise GOOGLE.missing(missing, header, place)
    min_cells = max(at[role] for role in ("document", *GOOGLE.required) if role in at) + 1
    _choose_numbers(at, (line.split("\t") for line in lines[has_header:]))
    return at, _rows(lines, source, range(min_cells, len(header) + 1), has_header=has_header)


def _cost(category: str, severity: str, *, weights: MqmWeights) -> float | None:
    """Return the weight of an error; None for an attention check, which is not an error."""
    return None if severity.lower().startswith(ATTENTION_CHECK) else weights.of(category, severity)


def _choose_numbers(at: dict[str, int], rows: Iterable[Sequence[str]]) -> None:
    """Use the positions in documents as numbers of segments if all rows have the same number and several positions.

    Args:
        at: role -> its column, of which that of positions is removed if it is not used.
        rows: the cells of all rows.
    """
    segment, position = at["segment"], at.pop("position", None)
    if position is None or "document" not in at:
        return
    numbers: set[str] = set()
    positions: set[str] = set()
    for cells in rows:
        if len(cells) > max(segment, position):
            numbers.add(cells[segment])
            positions.add(cells[position])
            if len(numbers) > 1:
                return
    if len(positions) > 1:
        at["segment"] = at["position"] = position


def _rows(lines: Sequence[str], source: Source, widths: range, *, has_header: bool) -> Iterator[_Row]:
    above = source.text.above
    for number, line in enumerate(lines[has_header:], start=above + has_header + 1):
        cells = line.split("\t")
        if len(cells) not in widths:
            width = " to ".join(map(str, dict.fromkeys((widths[0], widths[-1]))))
            raise FormatError(
                f"{source.name}, line {number}: {cell_count(cells)} found, {width} cells expected as in line "
                f"{above + 1}"
            )
        yield number, line, cells


def _table_rows(source: Source, kind: TableKind, own: Mapping[str, str]) -> tuple[Mapping[str, int], Iterable[_Row]]:
    """Return the columns of a table by role, and its rows.

    Raises:
        FormatError: two columns have a role, or no column names systems and the user does not, either.
        LimitError: there are too many columns.
    """
    origin = source.name
    table = parse_table(source.text, origin, limits=source.limits)
    if table is None:
        return {}, ()
    place = f"{origin}, line {table.line}"
    at = kind.columns_of(table.header, place)
    if "system" not in at and not own.get("system"):
        option = format_option(origin, kind.key, **{**own, "system": stem_of(origin)})
        raise kind.missing("system", table.header, place, f"; for errors of one system, use {option}")
    _choose_numbers(at, zip(*table.columns, strict=True))
    rows = zip(*table.columns, strict=True)
    return at, ((number, "\t".join(row), row) for number, row in zip(table.lines, rows, strict=True))


def _unlisted_is_0(
    severities: Mapping[str, int],
    ratings: Iterable[tuple[str, str]],
    origin: str,
    own: Mapping[str, str],
    *,
    by_position: bool,
) -> bool:
    """Return whether segments that a table of errors does not list are without errors.

    Args:
        severities: severity -> number of rows.
        ratings: the judge and the system of each rating.
        origin: the file, for messages.
        own: the options of the format.
        by_position: whether segments are numbered within documents.

    Raises:
        FormatError: the table lists errors only and the user does not say; or such a segment has no number or no judge,
            since segments are numbered within documents, or systems have several judges.
    """
    choice = own.get(UNLISTED, "")
    if choice not in ("", WITHOUT_ERRORS, UNRATED):
        raise FormatError(f"{origin}: {UNLISTED} {choice!r} found, {WITHOUT_ERRORS} or {UNRATED} expected")
    if not choice and NO_ERROR.isdisjoint(map(str.lower, severities)):
        without_errors, unrated = (
            format_option(origin, "mqm", **{**own, UNLISTED: value}) for value in (WITHOUT_ERRORS, UNRATED)
        )
        raise FormatError(
            f"{origin}: only segments with errors found; if the other segments have no errors, use {without_errors}; "
            f"if they are not rated, {unrated}"
        )
    if choice != WITHOUT_ERRORS:
        return False
    judges: dict[str, str] = {}
    several = next((system for judge, system in ratings if judges.setdefault(system, judge) != judge), None)
    if several is not None or by_position:
        reason = "numbers of segments within documents" if several is None else f"several judges of {several}"
        raise FormatError(
            f"{origin}: {reason} found where segments without errors have no row; add a row of severity "
            f"{WITHOUT_ERRORS} for each segment that a judge found to be without errors"
        )
    return True


def _sniff(source: Source) -> float:
    if is_mqm(source.first_line, source.name) or is_marot(source.first_line):
        return 0.95
    if is_error_table(source.first_line, source.name):
        return 0.65
    missing = set(GOOGLE.required) - GOOGLE.roles_in(source.first_line.split("\t"))
    return 0.5 if len(missing) == 1 else 0  # its reader names the missing column


FORMAT = Format(
    key=GOOGLE.key,
    label=GOOGLE.label,
    description="MQM error tables as Google publishes them and Marot takes them, or with category and severity",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    own={"system": "System", UNLISTED: "Segments not listed"},
    values=lambda _: {UNLISTED: (WITHOUT_ERRORS, UNRATED)},
)
