"""Tables with one text per column: references, systems, the source and the documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from bleu_core.dataset import Role
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import join_cells
from bleu_core.formats.column_roles import (
    KNOWN_HEADERS,
    classify_column,
    find_long_positions,
    kinds_of_given,
    place_columns,
    recognise_columns,
)
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, text_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Table, check_cells, is_delimited, parse_table
from bleu_core.formats.document_ids import language_pair, select_pair
from bleu_core.formats.header_rows import FIRST_ROW, HEADER_LABEL, NO_HEADER, detect_header
from bleu_core.formats.headers import HeaderKind
from bleu_core.formats.long_tables import columns_of_systems
from bleu_core.formats.mapping import check_columns
from bleu_core.formats.preamble import check_headers
from bleu_core.formats.segment_ids import pairs_of_rows
from bleu_core.formats.source import Source
from bleu_core.formats.table_contents import TEXTS, contents_of_columns, row_ids, unescape_columns
from bleu_core.formats.text import Text
from bleu_core.formats.text_roles import TEXT_ROLES, guess_text_role

LABEL = "table of texts"
#: The label if the user gives the columns.
LABEL_OF_GIVEN = "table with columns as given"
#: Characters of a row that a note shows.
MAX_ROW_CHARS = 60


def _read(source: Source, options: Options) -> Contents:
    """Read a table with one row per segment; the user gives the roles of its columns, or they are recognised.

    Raises:
        LanguagePairError: the table names language pairs, but not the one that the user wants.
        FormatError: rows differ in width, the table is empty, a column that is given is not in its header or twice, it
            has two columns of one name, or its headers do not say which column is the reference, or which is the
            output.
        LimitError: there are too many columns, cells, systems, references or judges.
        SettingsError: the columns that are given do not go together.
    """
    given, role = options.columns, cast("Role", options.role)
    header = None if given else _header_chosen(source, options)
    if given:
        check_columns(given)
    if not given or any(column.role in TEXTS for column in given):
        check_cells(source.text, source.name, source.limits)
    table = parse_table(source.text, source.name, limits=source.limits)
    if not given:
        return _read_recognised(table, source, role, header=header, pair=options.pair)
    if table is None or not table.lines:
        raise FormatError(f"{source.name}: no row below the header found, at least 1 expected")
    columns = place_columns(table, given, source.name)
    return contents_of_columns(
        unescape_columns(table, columns),
        columns,
        source,
        role=role,
        label=LABEL_OF_GIVEN,
        ids=row_ids(table, kinds_of_given(table, columns)),
        notes=table.notes,
    )


def _read_recognised(
    table: Table | None, source: Source, role: Role, *, header: bool | None, pair: str | None
) -> Contents:
    """Read a table of texts whose columns are recognised.

    Without a header, the columns are named FILE.1, FILE.2. See recognise_columns for their roles.

    A table with a column of system names and one column of texts has one row per segment and system. Its segments are
    identified by their number, within the document if there is one, or by their order.

    Args:
        table: the table; None if it is empty.
        source: the file.
        role: the role of the file.
        header: whether the first row is a header; None decides by its cells.
        pair: the language pair whose rows are read, in a table of several; None reads all rows.
    """
    text, origin = source.text, source.name
    if table is None:
        raise FormatError(f"{origin}: the file is empty: 0 segments, at least 1 expected")
    stem = stem_of(origin)
    header = text.header if header is None else header
    notes = [*table.notes]
    if header is None:
        header, sure = detect_header(table, KNOWN_HEADERS)
        notes += [] if sure else [_assumed(table.header, text, origin, header=header)]
        check_headers(table, text, origin, header=header)
    elif header:
        check_headers(table, text, origin, header=True)
    if not header:
        width = len(table.header)
        table = table.without_header([stem] if width == 1 else [f"{stem}.{n}" for n in range(1, width + 1)])
    names = table.header
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise FormatError(f"{origin}, line {text.above + 1}: two columns are named {name!r}; rename one")
    if not table.lines:
        raise FormatError(f"{origin}: the table has only a header: 0 segments, at least 1 expected")
    kinds: list[HeaderKind | None] = [classify_column(name) if header else None for name in names]
    table, pairs = _select_pair(table, pair, origin) if header else (table, ())
    several_pairs = pairs if len(pairs) > 1 else ()
    if role != "document":
        notes += _several_pairs(pairs) if pair is None else []
        positions = find_long_positions(names, kinds)
        if positions is not None:
            text_role: Role = "reference" if role == "reference" else "system"
            texts = columns_of_systems(table, positions, role=text_role, origin=origin, limits=source.limits)
            contents = text_contents(texts, source, role, LABEL, notes=tuple(notes), pairs=several_pairs)
            return replace(contents, named_languages=_language_of(pairs, pair))
    columns = recognise_columns(table, kinds, notes, role=role, origin=origin, header=header)
    contents = contents_of_columns(
        table,
        columns,
        source,
        role=role,
        label=LABEL,
        ids=None if role == "document" else row_ids(table, kinds),
        notes=notes,
        pairs=several_pairs,
    )
    return replace(contents, named_languages=_language_of(pairs, pair))


def _language_of(pairs: Sequence[str], pair: str | None) -> str:
    """Return the language pair of the rows that are read; empty if there are several, or none is named."""
    read = pairs if pair is None else [pair]
    return language_pair(read[0]) if pairs and len(read) == 1 else ""


def _assumed(first: Sequence[str], text: Text, origin: str, *, header: bool) -> str:
    """Return the note for a first row of which it is uncertain whether it is a header."""
    row = f"row {text.above + 1} ({join_cells(first)[:MAX_ROW_CHARS]})"
    kind, value = ("spreadsheet", "1") if text.separator is not None else ("table", FIRST_ROW)
    option = f"--format-of {origin}={kind}:header={NO_HEADER if header else value}"
    if header:
        return f"{row} is taken for the header; if it is a segment, read the file with {option}"
    return f"{row} is taken for a segment; if it is the header, read the file with {option}"


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
    return 0.2 if source.table is not None or is_delimited(source.name) else 0


def _header_chosen(source: Source, options: Options) -> bool | None:
    """Return whether the first row is the header, if the user has set it."""
    value = options.own.get("header", "").strip() if source.table is None else ""
    if value and value not in (NO_HEADER, FIRST_ROW):
        raise FormatError(f"{source.name}: header {value!r} found, {FIRST_ROW} or {NO_HEADER} expected")
    return value == FIRST_ROW if value else options.header


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
