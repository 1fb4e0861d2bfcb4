"""Tables with one text per column: references, systems, the source and the documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from bleu_core.dataset import Column, Role
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import join_cells
from bleu_core.formats.column_roles import (
    ColumnRoles,
    columns_note,
    find_long_positions,
    find_repeated_segments,
    kinds_of,
    kinds_of_given,
    place_columns,
)
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, text_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Table, check_cells, is_delimited, parse_table
from bleu_core.formats.document_ids import language_pair, select_pair
from bleu_core.formats.harness_logs import select_log_columns
from bleu_core.formats.header_rows import (
    FIRST_ROW,
    HEADER_LABEL,
    NO_HEADER,
    are_rows,
    check_repeated_header,
    detect_header,
)
from bleu_core.formats.headers import HeaderKind
from bleu_core.formats.long_tables import ColumnPositions, columns_of_systems
from bleu_core.formats.mapping import MappedColumn, UnclearColumnsError, check_columns
from bleu_core.formats.preamble import check_headers
from bleu_core.formats.segment_ids import is_language_column, pairs_of_rows
from bleu_core.formats.source import Source
from bleu_core.formats.table_contents import TEXTS, contents_of_columns, row_ids, unescape_columns
from bleu_core.formats.text import Text
from bleu_core.formats.text_roles import TEXT_ROLES, guess_text_role
from bleu_core.invocation import format_option
from bleu_core.limits import LimitError

LABEL = "table of texts"
#: The label if the user gives the columns.
LABEL_OF_GIVEN = "table with columns as given"
#: Characters of a row that a note shows.
MAX_ROW_CHARS = 60


def _read(source: Source, options: Options) -> Contents:
    """Read a table with one row per segment; the user gives the roles of its columns, or they are recognised.

    Raises:
        LanguagePairError: the table names language pairs, but not the one that the user wants.
        FormatError: rows differ in width, a row repeats the header, the table is empty, a column that is given is not
            in its header or twice, it has two columns of one name, or its headers do not say which column is the
            reference, or which is the output.
        LimitError: there are too many columns, cells, systems, references or judges.
        SettingsError: the columns that are given do not go together.
    """
    given, role = options.columns, cast("Role", options.role)
    header = True if given else _header_chosen(source, options)
    if given:
        check_columns(given)
    recognised = all(column.role == "id" for column in given)
    if recognised or any(column.role in TEXTS for column in given):
        check_cells(source.text, source.name, source.limits)
    table = parse_table(source.text, source.name, limits=source.limits)
    if table is not None and header is not False and not source.text.header:
        check_repeated_header(table, source.name, kind=_kind_of(source.text))
    if recognised:
        return _read_recognised(table, source, role, header=header, pair=options.pair, given=given)
    if table is not None and {column.header.strip() for column in given} <= set(_column_names(table, source)):
        table = table.without_header(_column_names(table, source))  # as messages call the columns of such a table
    if table is None or not table.lines:
        raise FormatError(f"{source.name}: no row below the header found, at least 1 expected")
    columns = place_columns(table, given, source.name, role)
    table, kinds = unescape_columns(table, columns), kinds_of_given(table, columns)
    unused = {
        i: ""
        for i in set(range(len(kinds))).difference(position for position, _ in columns)
        if kinds[i] not in ("document", "number", "system") and not is_language_column(table.header[i])
    }
    used_as = [(column.header, column.role) for _, column in columns]
    notes = (*table.notes, *(columns_note(table.header, used_as, unused) if unused else ()))
    systems = [position for position, column in columns if column.role == "system"]
    if len(systems) == 1 and all(c.role in TEXTS and (c.name == "" or c.role != "system") for c in given):
        used = [None if i in unused else kind for i, kind in enumerate(kinds)]
        positions = find_repeated_segments(table, used, systems[0])
        if positions is not None:
            texts = columns_of_systems(table, positions, role="system", origin=source.name, limits=source.limits)
            return text_contents(texts, source, role, LABEL_OF_GIVEN, notes=notes)
    return contents_of_columns(
        table, columns, source, role=role, label=LABEL_OF_GIVEN, ids=row_ids(table, kinds, columns), notes=notes
    )


def _column_names(table: Table, source: Source) -> list[str]:
    """Return the names of the columns of a table without a header: FILE, or FILE.1, FILE.2."""
    stem, width = stem_of(source.name), len(table.header)
    return [stem] if width == 1 else [f"{stem}.{n}" for n in range(1, width + 1)]


def _read_recognised(
    table: Table | None,
    source: Source,
    role: Role,
    *,
    header: bool | None,
    pair: str | None,
    given: Sequence[MappedColumn] = (),
) -> Contents:
    """Read a table of texts whose columns are recognised.

    Without a header, the columns are named FILE.1, FILE.2. See ColumnRoles for their roles.

    A table with a column of system names and one column of texts has one row per segment and system. Its segments are
    identified by their number, within the document if there is one, or by their order.

    Args:
        table: the table; None if it is empty.
        source: the file.
        role: the role of the file.
        header: whether the first row is a header; None decides by its cells.
        pair: the language pair whose rows are read, in a table of several; None reads all rows.
        given: the column of ids, if the user gives it.
    """
    text, origin = source.text, source.name
    if table is None:
        raise FormatError(f"{origin}: the file is empty: 0 segments, at least 1 expected")
    header = text.header if header is None else header
    notes = [*table.notes]
    if header is None:
        header, sure = detect_header(table)
        notes += [] if sure else [_assumed(table.header, text, origin, header=header)]
        check_headers(table, text, origin, header=header)
    elif header:
        check_headers(table, text, origin, header=True)
    if not header:
        table = table.without_header(_column_names(table, source))
    if not table.lines:
        raise FormatError(f"{origin}: the table has only a header: 0 segments, at least 1 expected")
    kinds: list[HeaderKind | None] = kinds_of(table) if header else [None for _ in table.header]
    placed = place_columns(table, given, origin, role)
    for position, _ in placed:
        kinds[position] = "number"
    table, pairs = _select_pair(table, pair, origin) if header else (table, ())
    positions = None
    if role != "document":
        notes += _several_pairs(pairs) if pair is None else []
        log = select_log_columns(table, source, role) if header else None
        if log is not None:
            table, kinds = log.table, log.kinds
            notes += log.notes
        positions = find_long_positions(table.header, kinds)
    several_pairs = pairs if len(pairs) > 1 else ()
    if positions is not None:
        positions = positions._replace(number=placed[0].position) if placed else positions
        text_role: Role = "reference" if role == "reference" else "system"
        columns = ColumnRoles(table, kinds, text_role, origin)
        notes += columns.long_notes(positions)
        texts = _texts_of_systems(columns, positions, source)
        contents = text_contents(texts, source, role, LABEL, notes=tuple(notes), pairs=several_pairs)
        roles: dict[int, Role] = {positions.text: text_role, **positions.others}
        used = [MappedColumn(table.header[i], roles[i]) for i in sorted(roles)]
    else:
        recognised = ColumnRoles(table, kinds, role, origin).recognised(notes, header=header)
        used = [column for _, column in recognised]
        ids = None if role == "document" else row_ids(table, kinds, placed)
        contents = contents_of_columns(
            table, recognised, source, role=role, label=LABEL, ids=ids, notes=notes, pairs=several_pairs
        )
    read = pairs if pair is None else [pair]
    return replace(
        contents,
        named_languages=language_pair(read[0]) if pairs and len(read) == 1 else "",
        own_reference=_own_reference(used, origin) if role == "system" and header else None,
    )


def _texts_of_systems(columns: ColumnRoles, positions: ColumnPositions, source: Source) -> tuple[Column, ...]:
    """Return the texts of a table with one row per segment and system, see columns_of_systems.

    Raises:
        UnclearColumnsError: rows are not of segments and systems, so that they may be the text of one system.
    """
    table, origin = columns.table, source.name
    systems = sorted(set(table.columns[positions.system]))
    problem = (
        f"{origin}: no segment has rows of several systems ({listed(systems)}), 1 row per segment and system expected"
    )
    if len(systems) == 1 or not all(map(str.strip, systems)) or row_ids(table, columns.kinds, ()).ids is None:
        try:
            return columns_of_systems(table, positions, role=columns.role, origin=origin, limits=source.limits)
        except FormatError as error:
            if positions.number is not None or isinstance(error, LimitError):
                raise
            problem = str(error)
    # With a name, all rows are the text of one system.
    proposed = columns.proposed().values()
    named = tuple(replace(c, name=source.stem) if c.role == "system" else c for c in proposed)
    raise UnclearColumnsError(problem, {origin: named})


def _own_reference(columns: Sequence[MappedColumn], origin: str) -> UnclearColumnsError | None:
    """Return the error if the reference that comes with systems is another one than in other files; None without."""
    references = [column.header for column in columns if column.role == "reference"]
    others = tuple(column for column in columns if column.role != "reference")
    if not references or not any(column.role == "system" for column in others):
        return None
    problem = f"its reference ({listed(references)}) differs from the references of other files"
    return UnclearColumnsError(f"{origin}: {problem}", {origin: others})


def _assumed(first: Sequence[str], text: Text, origin: str, *, header: bool) -> str:
    """Return the note for a first row of which it is uncertain whether it is a header."""
    row = f"row {text.above + 1} ({join_cells(first)[:MAX_ROW_CHARS]})"
    value = "1" if text.separator is not None else FIRST_ROW
    option = format_option(origin, _kind_of(text), header=NO_HEADER if header else value)
    if header:
        return f"{row} is taken for the header; if it is a segment, read the file with {option}"
    return f"{row} is taken for a segment; if it is the header, read the file with {option}"


def _kind_of(text: Text) -> str:
    """Return the key of the format of a table that may have no header."""
    return "table" if text.separator is None else "spreadsheet"


def _select_pair(table: Table, pair: str | None, origin: str) -> tuple[Table, tuple[str, ...]]:
    """Return the rows of a language pair (all rows if no pair is selected or named), and all pairs."""
    row_pairs = pairs_of_rows(table.header, table.columns)
    pairs = tuple(dict.fromkeys(row_pairs or ()))
    if row_pairs is None or pair is None:
        return table, pairs
    selected = select_pair(origin, pairs, pair)
    return table.subset([row_pair == selected for row_pair in row_pairs]), pairs


def _several_pairs(pairs: Sequence[str]) -> list[str]:
    """Return a note on the language pairs of a table; empty if there is only one."""
    if len(pairs) < 2:  # noqa: PLR2004 # more than one
        return []
    count = f"{len(pairs):,} language pairs in one table ({listed(pairs)})"
    how = "choose one with --language-pair, or by Language pair on the Data page"
    return [f"{count}: all rows with a reference are one text; to score one pair, {how}"]


def _sniff(source: Source) -> float:
    is_table = source.table is not None or is_delimited(source.name) or are_rows(source.first_lines)
    return 0.2 if is_table else 0


def _header_chosen(source: Source, options: Options) -> bool | None:
    """Return whether the first row is the header, if the user has set it."""
    value = options.own.get("header", "").strip() if source.table is None else ""
    if value and value not in (NO_HEADER, FIRST_ROW):
        raise FormatError(f"{source.name}: header {value!r} found, {FIRST_ROW} or {NO_HEADER} expected")
    return value == FIRST_ROW if value else None


FORMAT = Format(
    key="table",
    label=LABEL,
    description="tables with one column per reference or system",
    roles=TEXT_ROLES,
    sniff=_sniff,
    read=_read,
    role_of=guess_text_role,
    endings=SUFFIXES,
    own={"header": HEADER_LABEL},
    pairs=True,
    values=lambda _: {"header": (FIRST_ROW, NO_HEADER)},
)
