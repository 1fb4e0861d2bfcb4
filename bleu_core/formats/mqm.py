"""MQM errors, one per row: Google's files and those of its viewer Marot, and tables that other tools export.

Google's files are tab-separated without quoting, and have a row for each segment without errors, too. Other tables may
be separated and quoted in any way, and may list errors only.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bleu_core.dataset import NO_PLACE, Judgments, MarkedError, UnusedRows, normal_severity, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import (
    JUDGE_HEADERS,
    SEGMENT_HEADERS,
    SYSTEM_HEADERS,
    cell_count,
    numbers_restart,
    parse_segments,
    parse_whole_numbers,
)
from bleu_core.formats.column_kinds import SOURCE_HEADERS, TRANSLATION_HEADERS
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.copied_rows import copied_error_notes
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, header_names, parse_table
from bleu_core.formats.number_tables import roles_of
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, first_line_of, split_lines
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.invocation import format_option
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "Google MQM (TSV)"
LABEL_OF_TABLE = "MQM errors, one per row"
SEGMENT_NAMES = ("globalsegid", "global_seg_id", "seg_id")
#: The column of the segment's position in its document, used if a file does not number all segments.
PLACE_NAMES = ("docsegid", "doc_seg_id")
#: The columns of a file of Marot, which may lack a header.
MAROT: Sequence[str] = (
    "system",
    "doc",
    "docsegid",
    "globalsegid",
    "rater",
    "source",
    "target",
    "category",
    "severity",
    "metadata",
)
#: The columns of other tables of errors: role -> headers.
SYNONYMS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "system": SYSTEM_HEADERS,
        "segment": (*SEGMENT_HEADERS, "segment_no", "segment_number", *SEGMENT_NAMES),
        "category": ("category", "error_category", "issue_category", "error_type", "issue_type"),
        "subcategory": ("subcategory", "error_subcategory", "issue_subcategory"),
        "severity": ("severity", "error_severity", "issue_severity"),
        "rater": JUDGE_HEADERS,
        "doc": ("document", "document_id", "doc", "doc_id"),
        "source": SOURCE_HEADERS,
        "target": TRANSLATION_HEADERS,
    }
)
#: The columns by which such a table is recognised, if it has no column of scores.
ERROR_COLUMNS = ("segment", "category", "severity")
#: The option that says whether segments that a table does not list are without errors or not rated.
UNLISTED = "unlisted"
WITHOUT_ERRORS, UNRATED = "no-error", "unrated"
REQUIRED_COLUMNS = ("system", "rater", "category", "severity")
ATTENTION_CHECK = "hotw"
NO_RATING = "metrics or references only, without a rating"
#: Severities and categories of rows without an error, in lower case.
NO_ERROR = frozenset({"no-error", "no error"})
#: The beginning and the end of a mark.
TAG = re.compile("<(/?)v>")
BROKEN = "the tags <v> and </v> in its text do not pair"
EMPTY = "nothing is between its tags <v> and </v>"


class _Columns(NamedTuple):
    """The positions of a file's columns.

    Attributes:
        system, rater, category, severity: their columns.
        number: the column of the segment's number.
        document: its column; None if there is none.
        source, target: the columns of the texts; None if there are none.
        by_position: whether the number is the segment's position in its document.
        min_cells: the fewest cells of a row.
        max_cells: the most cells of a row.
        first: the position of the first row, from 0.
    """

    system: int
    rater: int
    category: int
    severity: int
    number: int
    document: int | None
    source: int | None
    target: int | None
    by_position: bool
    min_cells: int
    max_cells: int
    first: int


def is_mqm(first_line: str) -> bool:
    """Return whether the first line of a file is the header of Google's MQM files, of any year."""
    names = _names(first_line)
    return all(name in names for name in REQUIRED_COLUMNS) and any(name in names for name in SEGMENT_NAMES)


def is_marot(first_line: str) -> bool:
    """Return whether the first line of a file is a row of Marot, whose last cell is a JSON object."""
    cells = first_line.rstrip("\r").split("\t")
    if len(cells) != len(MAROT) or not cells[-1].startswith("{"):
        return False
    try:
        return isinstance(json.loads(cells[-1]), dict)
    except (ValueError, RecursionError):
        return False


def is_incomplete_mqm(first_line: str) -> bool:
    """Return whether the first line of a file is such a header with one column missing."""
    names = _names(first_line)
    present = [name in names for name in REQUIRED_COLUMNS] + [any(name in names for name in SEGMENT_NAMES)]
    return sum(present) == len(present) - 1


def is_error_table(first_line: str, name: str = "") -> bool:
    """Return whether the first line of a file is the header of another table of errors."""
    names = set(header_names(first_line, name))
    if is_mqm(first_line) or {"doc", "doc_id"} <= names or "docsegid" in names:  # of Google or Marot, complete or not
        return False
    return not names & {"score", "rating"} and all(names & set(SYNONYMS[role]) for role in ERROR_COLUMNS)


def read_mqm(
    text: Text,
    origin: str,
    *,
    weights: MqmWeights = PUBLISHED,
    first_segment: int = 1,
    own: Mapping[str, str] = MappingProxyType({}),
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Read errors, one per row; a score is minus the sum of a judge's errors in a segment, and 0 without errors.

    The header may end with a comment (#) without a cell in the rows; a file of Marot need not have a header. Rows of
    attention checks (HOTW-test) are not used, and neither are rows without judge, category and severity, which contain
    scores of metrics or references; an item without other rows has no rating. If all segments have the same number,
    their positions in their documents identify them; a number that occurs in several documents is such a position. A
    severity without a published weight has the weight weights.other, and a note names it. Exact copies of rows count as
    further errors, and a note counts them.

    In another table, the judge may be missing, and rows without category and severity are of segments without
    errors. If it has no such row, the user has to say what segments are that it does not list.

    Args:
        text: the file's text.
        origin: the file, for messages.
        weights: the weights of errors.
        first_segment: the number the file gives the first segment, 1 or 0.
        own: the options of the format: the system of a file that names none, and whether unlisted segments of a system
            are without errors.
        limits: the limits for the file.

    Raises:
        FormatError: the header lacks a column, a row has another width, a segment is not a whole number from
            first_segment on, or there is no rating.
        LimitError: there are too many columns, systems or judges.
    """
    is_table = is_error_table(first_line_of(text.beginning), origin)
    columns, rows = (_TABLE, _table_rows(text, origin, own, limits)) if is_table else _google_rows(text, origin, limits)
    items: dict[tuple[str, str, str, str], int] = {}  # (judge, document, segment, system) -> index in the lists below
    numbers: list[int] = []
    penalties: list[float | None] = []
    unused_rows: list[tuple[str, int]] = []
    costs: dict[tuple[str, str], float | None] = {}
    marked: list[tuple[MarkedError, ...]] = []
    texts: list[tuple[str | None, str | None]] = []
    marks = _Marks(columns)
    severities: Counter[str] = Counter()
    seen: set[str] = set()
    copies = 0
    interned: dict[str, str] = {}  # names and numbers of many rows share one string
    for number, line, cells in rows:
        if not any(cells[column].strip() for column in (columns.rater, columns.category, columns.severity)):
            unused_rows.append((NO_RATING, number))
            continue
        system = cells[columns.system].strip()
        if not system:
            raise FormatError(f"{origin}, line {number}: no system found, a name expected")
        document = "" if columns.document is None else cells[columns.document].strip()
        system, document, rater, segment = (
            interned.setdefault(cell, cell)
            for cell in (system, document, cells[columns.rater].strip(), cells[columns.number].strip())
        )
        copies += line in seen
        seen.add(line)
        i = items.setdefault((rater, document, segment, system), len(numbers))
        if i == len(numbers):
            numbers.append(number)
            penalties.append(None)
            marked.append(())
            texts.append(marks.texts(cells))
        error = cells[columns.category], cells[columns.severity]
        cost = costs[error] if error in costs else costs.setdefault(error, _cost(*error, weights))
        category, severity = map(str.strip, error)
        if cost is None:
            unused_rows.append((f"attention check ({severity}: {category.lower()})", number))
            continue
        penalties[i] = (penalties[i] or 0.0) + cost
        severities[severity] += 1
        if NO_ERROR.isdisjoint((category.lower(), severity.lower())):
            marked[i] += (marks.error(cells, category, severity, number),)
    kept = [
        (key, i, -penalty) for (key, i), penalty in zip(items.items(), penalties, strict=True) if penalty is not None
    ]
    kept = [
        (key, i, -penalty) for (key, i), penalty in zip(items.items(), penalties, strict=True) if penalty is not None
    ]
    del rows, seen, items, penalties  # of a large file, these take as much memory as the ratings
    kept_lines = [numbers[i] for _, i, _ in kept]
    cells = [segment for (_, _, segment, _), _, _ in kept]
    kept_documents = [document or None for (_, document, _, _), _, _ in kept]
    by_position = columns.by_position or numbers_restart(cells, kept_documents)
    unlisted_is_0 = is_table and _unlisted_is_0(severities, kept, origin, own, by_position=by_position)
    return Judgments.from_ratings(
        [system for (_, _, _, system), _, _ in kept],
        [score for _, _, score in kept],
        kept_lines,
        origin,
        segments=None if by_position else parse_segments(cells, kept_lines, origin, first_segment),
        positions=parse_whole_numbers(cells, kept_lines, origin) if by_position else None,
        numbering="document" if by_position else "line",
        judges=[rater for (rater, _, _, _), _, _ in kept],
        documents=kept_documents,
        errors=[marked[i] for _, i, _ in kept],
        sources=[texts[i][0] for _, i, _ in kept],
        translations=[texts[i][1] for _, i, _ in kept],
        first_segment=first_segment,
        format=LABEL_OF_TABLE if is_table else LABEL,
        unlisted_is_0=unlisted_is_0,
        unused_rows=UnusedRows.tally(unused_rows, origin),
        notes=(
            *weights.notes,
            *weights.notes_on(severities),
            *copied_error_notes(copies),
            *marks.notes,
        ),
        limits=limits,
    )


class _Marks:
    """Reads the errors that rows mark in their texts by <v> and </v>, and counts marks that are unusual."""

    def __init__(self, columns: _Columns) -> None:
        self._target, self._source = columns.target, columns.source
        self._interned: dict[str, str] = {}
        self._in_parts = self._on_both_sides = 0

    def texts(self, cells: Sequence[str]) -> tuple[str | None, str | None]:
        """Return the source and the target of a row without marks; None for one that it does not have."""
        source, target = (
            TAG.sub("", cells[column]) if column is not None and column < len(cells) else None
            for column in (self._source, self._target)
        )
        return source and self._interned.setdefault(source, source), target and self._interned.setdefault(
            target, target
        )

    def error(self, cells: Sequence[str], category: str, severity: str, line: int) -> MarkedError:
        """Return the error of a row: marked in the target or else in the source, or without a mark."""
        target, source = (
            mark_in(cells[column]) if column is not None and column < len(cells) else None
            for column in (self._target, self._source)
        )
        in_source = target is None and source is not None
        self._on_both_sides += target is not None and source is not None
        mark = source if in_source else target
        text, start, end, problem, parts = mark or (None, NO_PLACE, NO_PLACE, "", 0)
        self._in_parts += parts > 1
        names = (normal_severity(severity), category)
        severity, category = (self._interned.setdefault(name, name) for name in names)
        text = None if text is None else self._interned.setdefault(text, text)
        return MarkedError(start, end, severity, category, in_source=in_source, text=text, line=line, problem=problem)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on marks that are shown in another way than the file has them."""
        in_parts, both = self._in_parts, self._on_both_sides
        return (
            *(
                [f"{in_parts:,} {plural(in_parts, 'error')} marked in several parts: from the first part to the last"]
                if in_parts
                else []
            ),
            *(
                [f"{both:,} {plural(both, 'error')} marked in both texts: the mark in the target counts"]
                if both
                else []
            ),
        )


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


def _google_rows(text: Text, origin: str, limits: Limits) -> tuple[_Columns, Iterator[tuple[int, str, list[str]]]]:
    """Return the columns and the rows of a file of Google or Marot; errors as for _columns and _rows."""
    lines, _ = split_lines(text)
    columns = _columns(lines, origin, text.above, limits)
    return columns, _rows(lines, columns, origin, text.above)


def _columns(lines: Sequence[str], origin: str, above: int, limits: Limits) -> _Columns:
    """Return the positions of a file's columns.

    Raises:
        FormatError: the header lacks a column.
        LimitError: there are too many columns.
    """
    has_header = not (lines and is_marot(lines[0]))
    header = (_names(lines[0]) if lines else []) if has_header else list(MAROT)
    limits.check("columns", len(header), f"{origin}, line {above + 1}")
    position_of = {name: header.index(name) for name in (*REQUIRED_COLUMNS, "doc") if name in header}
    segment = next((header.index(name) for name in SEGMENT_NAMES if name in header), None)
    missing = [name for name in REQUIRED_COLUMNS if name not in position_of] + (
        [] if segment is not None else ["seg_id"]
    )
    if segment is None or missing:
        raise FormatError(
            f"{origin}, line {above + 1}: no {', '.join(missing)} in the header; a table of MQM errors has system, "
            "doc, seg_id, rater, source, target, category, severity"
        )
    position_column = next(
        (header.index(name) for name in PLACE_NAMES if name in header and "doc" in position_of), None
    )
    by_position = position_column is not None and _is_constant(lines[has_header:], segment, position_column)
    return _Columns(
        *(position_of[name] for name in REQUIRED_COLUMNS),
        number=position_column if by_position and position_column is not None else segment,
        document=position_of.get("doc"),
        **{side: header.index(side) if side in header else None for side in ("source", "target")},
        by_position=by_position,
        min_cells=max(segment, *position_of.values()) + 1,
        max_cells=len(header),
        first=int(has_header),
    )


def _names(first_line: str) -> list[str]:
    return [cell.strip().lower() for cell in first_line.rstrip("\r").split("\t")]


def _cost(category: str, severity: str, weights: MqmWeights) -> float | None:
    """Return the weight of an error; None for an attention check, which is not an error."""
    return None if severity.strip().lower().startswith(ATTENTION_CHECK) else weights.of(category, severity)


def _is_constant(rows: Sequence[str], segment: int, position: int) -> bool:
    """Return whether all rows have the same segment number and several positions in documents.

    Args:
        rows: without the header.
        segment: the column of segment numbers.
        position: the column of positions in the document.
    """
    numbers: set[str] = set()
    positions: set[str] = set()
    for line in rows:
        cells = line.split("\t", max(segment, position) + 1)
        if len(cells) > max(segment, position):
            numbers.add(cells[segment])
            positions.add(cells[position])
            if len(numbers) > 1:
                return False
    return len(numbers) == 1 and len(positions) > 1


def _rows(lines: Sequence[str], at: _Columns, origin: str, above: int) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the number of each line, the line and its cells; the last cells are remarks and may be missing."""
    for number, line in enumerate(lines[at.first :], start=above + at.first + 1):
        cells = line.split("\t")
        if not at.min_cells <= len(cells) <= at.max_cells:
            width = str(at.max_cells) if at.min_cells == at.max_cells else f"{at.min_cells} to {at.max_cells}"
            raise FormatError(
                f"{origin}, line {number}: {cell_count(cells)} found, {width} cells expected as in line {above + 1}"
            )
        yield number, line, cells


#: The columns of rows as _table_rows returns them, which are those of Marot.
_TABLE = _Columns(
    *(MAROT.index(name) for name in REQUIRED_COLUMNS),
    number=MAROT.index("globalsegid"),
    document=MAROT.index("doc"),
    source=MAROT.index("source"),
    target=MAROT.index("target"),
    by_position=False,
    min_cells=len(MAROT),
    max_cells=len(MAROT),
    first=1,
)


def _table_rows(
    text: Text, origin: str, own: Mapping[str, str], limits: Limits
) -> Iterator[tuple[int, str, list[str]]]:
    """Yield the rows of another table: the number of the line, the row as text, and the cells as Marot has them.

    Raises:
        FormatError: two columns have a role, or no column names systems and the user does not, either.
        LimitError: there are too many columns.
    """
    table = parse_table(text, origin, limits=limits)
    if table is None:
        return
    roles = roles_of(table, SYNONYMS, origin)
    system = own.get("system", "")
    if not system and "system" not in roles:
        option = format_option(origin, "mqm", **{**own, "system": stem_of(origin)})
        raise FormatError(
            f"{origin}, line {table.line}: no column system in the header; for errors of one system, use {option}"
        )
    empty = [""] * len(table.lines)
    column_of = {role: table.columns[i] for role, i in roles.items()}
    names = [system] * len(table.lines) if system else column_of["system"]
    others = (column_of.get(role, empty) for role in ("doc", "segment", "rater", "source", "target"))
    errors = (column_of.get(role, empty) for role in ("category", "subcategory", "severity"))
    for i, (number, name, document, segment, rater, source, target, *error) in enumerate(
        zip(table.lines, names, *others, *errors, strict=True)
    ):
        category, subcategory, severity = map(str.strip, error)
        if not category and not severity:
            severity = WITHOUT_ERRORS
        category = "/".join(filter(None, (category, subcategory)))
        row = "\t".join(cells[i] for cells in table.columns)
        yield number, row, [name, document, "", segment, rater, source, target, category, severity, ""]


def _unlisted_is_0(
    severities: Mapping[str, int],
    ratings: Iterable[tuple[tuple[str, str, str, str], int, float]],
    origin: str,
    own: Mapping[str, str],
    *,
    by_position: bool,
) -> bool:
    """Return whether segments that a table of errors does not list are without errors.

    Args:
        severities: severity -> number of rows.
        ratings: the judge, document, segment and system of each rating, its index and its score.
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
    several = next((system for (judge, *_, system), *_ in ratings if judges.setdefault(system, judge) != judge), None)
    if several is not None or by_position:
        reason = "numbers of segments within documents" if several is None else f"several judges of {several}"
        raise FormatError(
            f"{origin}: {reason} found where segments without errors have no row; add a row of severity "
            f"{WITHOUT_ERRORS} for each segment that a judge found to be without errors"
        )
    return True


def _sniff(source: Source) -> float:
    if is_mqm(source.first_line) or is_marot(source.first_line):
        return 0.95
    if is_error_table(source.first_line, source.name):
        return 0.65
    return 0.5 if is_incomplete_mqm(source.first_line) else 0  # its reader names the missing column


def _read(source: Source, options: Options) -> Contents:
    weights, first = options.weights, options.first_segment
    judgments = read_mqm(
        source.text, source.name, weights=weights, first_segment=first, own=options.own, limits=source.limits
    )
    return judgment_contents(judgments, source, weights=weights)


FORMAT = Format(
    key="mqm",
    label=LABEL,
    description="MQM error tables as Google publishes them and Marot takes them, or with category and severity",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    own={"system": "System", UNLISTED: "Segments not listed"},
    values=lambda _: {UNLISTED: (WITHOUT_ERRORS, UNRATED)},
)
