"""Tables whose columns are what a person says: texts, documents, labels and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleu_core.dataset import Column, Judgments, Labels, Role, SegmentId
from bleu_core.errors import FormatError
from bleu_core.formats.cells import joined, scores, stripped
from bleu_core.formats.contents import Contents, of_judgments, of_labels, of_texts
from bleu_core.formats.delimited import Table, check_cells, columns, is_escaped, plain_text
from bleu_core.formats.headers import kind_of_header
from bleu_core.formats.mapping import MappedColumn, check_columns
from bleu_core.formats.segment_ids import ids_of, names_languages
from bleu_core.formats.source import Source

LABEL = "table with columns as given"
TEXTS: Mapping[str, Role] = {each: each for each in ("source", "reference", "system", "document")}


def read_mapped(source: Source, mapped: Sequence[MappedColumn], role: Role) -> Contents:
    """Read the columns that are mapped, with one row per segment; all others are ignored.

    Rows have the ids that a column gives by its header, though it is not mapped, so that a table in another order is
    joined with others. In a table of several references an empty cell means that the segment has none. Ratings are
    numbers; an empty cell is no rating.

    Args:
        source: a table with a header.
        mapped: what its columns are.
        role: what the file is taken for.

    Raises:
        FormatError: a column is not in the header, or twice, the table has no row, or a rating is not a number.
        LimitError: there are too many columns, cells, systems, references or judges.
        SettingsError: the columns do not go together.
    """
    check_columns(mapped)
    origin, limits = source.name, source.limits
    if any(column.role in TEXTS for column in mapped):
        check_cells(source.text, origin, limits)
    table = columns(source.text, origin, limits=limits)
    if table is None or not table.lines:
        raise FormatError(f"{origin}: no row below the header found, at least 1 expected")
    at = _places(table, mapped, origin)
    if is_escaped(table):
        texts_at = {at[column.header] for column in mapped if column.role != "rating"}
        cells = (list(map(plain_text, of)) if i in texts_at else of for i, of in enumerate(table.columns))
        table = replace(table, columns=tuple(cells))
    for kind in ("system", "reference"):
        limits.check(f"{kind}s", sum(column.role == kind for column in mapped), origin)
    several = sum(column.role == "reference" for column in mapped) > 1
    ids = _ids(table, {at[column.header]: column.role for column in mapped})
    texts = tuple(
        _text(column, TEXTS[column.role], table.columns[at[column.header]], origin, several=several, ids=ids)
        for column in mapped
        if column.role in TEXTS
    )
    judgments = _judgments(source, table, [(c, at[c.header]) for c in mapped if c.role == "rating"])
    named = {c.called: tuple(stripped(table.columns[at[c.header]])) for c in mapped if c.role == "label"}
    labels = Labels(
        unit="segment",
        keys=tuple(range(1, len(table.lines) + 1)),
        columns=named,
        lines=tuple(table.lines),
        origin=origin,
    )
    if texts:
        found = of_texts(texts, source, role, LABEL)
        if judgments is not None:
            report = replace(found.report, ratings=len(judgments.rated), unused_rows=judgments.unused_rows)
            found = replace(found, report=report)
    elif judgments is not None:
        found = of_judgments(judgments, source)
    else:
        found = of_labels(labels, source, LABEL)
    found = replace(found, report=replace(found.report, notes=(*table.notes, *found.report.notes)))
    return replace(found, judgments=judgments, labels=labels if named else None)


def _places(table: Table, mapped: Sequence[MappedColumn], origin: str) -> dict[str, int]:
    """The position of each column that is mapped, by its header."""
    header = stripped(table.header)
    found: dict[str, int] = {}
    for column in mapped:
        places = [i for i, name in enumerate(header) if name == column.header.strip()]
        if not places:
            raise FormatError(
                f"{origin}, line {table.line}: no column {column.header!r} found in the header ({joined(header)})"
            )
        if len(places) > 1:
            raise FormatError(
                f"{origin}, line {table.line}: {len(places)} columns called {column.header!r} found; rename one"
            )
        found[column.header] = places[0]
    return found


def _ids(table: Table, roles: Mapping[int, str]) -> tuple[SegmentId, ...] | None:
    """The ids of the rows, if the table has any: in columns that are mapped as documents, and others by their headers.

    Args:
        table: with its header.
        roles: of the columns that are mapped, by position.
    """
    kinds = [kind_of_header(name) if i not in roles else roles[i] for i, name in enumerate(table.header)]
    if "document" in roles.values():
        kinds = [None if kind == "document" and i not in roles else kind for i, kind in enumerate(kinds)]
    names = table.header
    places = [i for i, kind in enumerate(kinds) if kind in ("document", "number") or names_languages(names[i])]
    return ids_of([table.header[i] for i in places], [kinds[i] for i in places], [table.columns[i] for i in places])


def _text(
    column: MappedColumn,
    role: Role,
    cells: Sequence[str],
    origin: str,
    *,
    several: bool,
    ids: tuple[SegmentId, ...] | None,
) -> Column:
    if role == "reference" and several:
        return Column(role, column.called, tuple(cell or None for cell in cells), origin, ids=ids)
    return Column(role, column.called, tuple(cells), origin, ids=ids)


def _judgments(source: Source, table: Table, rated: Sequence[tuple[MappedColumn, int]]) -> Judgments | None:
    """The ratings of all columns of ratings; None where there is no such column."""
    systems: list[str] = []
    judges: list[str] = []
    values: list[float] = []
    lines: list[int] = []
    segments: list[int | None] = []
    for column, place in rated:
        found = scores(table.columns[place], table.lines, source.name, decimal_commas=table.decimal_commas)
        for segment, (value, line) in enumerate(zip(found.tolist(), table.lines, strict=True), start=1):
            systems.append(column.system)
            judges.append(column.name)
            values.append(value)
            lines.append(line)
            segments.append(segment)
    if not rated:
        return None
    return Judgments.from_ratings(
        systems, values, lines, source.name, segments=segments, judges=judges, format=LABEL, limits=source.limits
    )
