"""Tables with one text per column: references, systems, the source and the documents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from bleu_core.dataset import ROLE_NAMES, SINGLE, Column, Role, SegmentId, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import join_cells, normal_header
from bleu_core.formats.column_kinds import REASONS_WITHOUT_WORDS, why_not_text
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, text_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Table, check_cells, is_delimited, parse_table
from bleu_core.formats.document_ids import select_pair
from bleu_core.formats.header_rows import detect_header
from bleu_core.formats.headers import HeaderKind, classify_header, is_language_header, is_plain_kind
from bleu_core.formats.long_tables import ColumnPositions, columns_of_systems
from bleu_core.formats.mapped_tables import read_mapped
from bleu_core.formats.segment_ids import is_language_column, pairs_of_rows, segment_ids
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.formats.text_roles import TEXT_ROLES, guess_text_role
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "table of texts"
HEADER_ROLES: dict[str, Role] = {
    "source": "source",
    "src": "source",
    "document": "document",
    "doc": "document",
    "doc_id": "document",
    "document_id": "document",
    "reference": "reference",
    "ref": "reference",
    "source_text": "source",
    "source_segment": "source",
    "reference_translation": "reference",
}
#: Headers that any translation may have, so that the file's name has to say whose it is.
GENERIC_HEADERS = frozenset(
    {
        *("target", "target_text", "target_segment", "tgt", "translation", "translated_text", "translated"),
        *("machine_translation", "mt", "mt_output", "hypothesis", "hyp", "prediction", "candidate"),
        *("output", "system_output", "system", "text", "segment_text"),
    }
)
NUMBER_HEADERS = frozenset(
    {"segment", "seg_id", "segment_id", "line", "id", "index", "doc_seg", "orig_seg_id", "mtme_line"}
)
#: All known headers; some have several words.
KNOWN_HEADERS = frozenset({*HEADER_ROLES, *GENERIC_HEADERS, *NUMBER_HEADERS})
#: Headers of the column of system names, in tables with one row per segment and system.
SYSTEM_HEADERS = frozenset({"system", "system_id", "system_name", "sys", "sys_id"})
NUMBER = re.compile(r"[+-]?\d++(?:\.\d*+)?(?:e[+-]?\d++)?")
#: Kinds of headers whose columns are texts or identify texts, whatever their cells are.
TEXT_KINDS: tuple[HeaderKind, ...] = ("source", "reference", "document", "output")
#: Characters of a row that a note shows.
MAX_ROW_CHARS = 60
#: The label of the option for the row of the header.
HEADER_LABEL = "Header row"
#: Its values for no header, and for a header in the first row.
NO_HEADER, FIRST_ROW = "no", "yes"


class TableOfTexts(NamedTuple):
    """The columns of a table.

    Attributes:
        columns: the columns that are used.
        notes: sentences about unused columns and about assumptions.
        pairs: the language pairs that the table names.
    """

    columns: tuple[Column, ...]
    notes: tuple[str, ...]
    pairs: tuple[str, ...]


def read_columns(
    text: Text,
    role: Role,
    origin: str,
    *,
    header: bool | None = None,
    pair: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> TableOfTexts:
    """Read a table of texts, one row per segment.

    A known header decides the role of its column, also with additions: see classify_header. Other columns are not used
    if their cells cannot be text. In a table of systems, the remaining columns are systems, unless a header says which
    column is the output. In a table of references, a remaining column is the reference only if it is the only one. If
    several columns give the source, or the documents, one is used: the first with a known name, else the first. A
        column
    with a generic header such as Target is named after the file, FILE, or FILE.HEADER if there are several. Without a
    header, all text columns have the given role and are named FILE.1, FILE.2. In a table of several references, an
    empty cell means that the segment has no such reference.

    A table with a column of system names and one column of texts has one row per segment and system. Its segments are
    identified by their number, within the document if there is one, or by their order.

    Args:
        text: the file's text.
        role: the role of the file.
        origin: the file, for messages.
        header: whether the first row is a header; None decides by its cells.
        pair: the language pair whose rows are read, in a table of several; None reads all rows.
        limits: the limits for tables.

    Raises:
        LanguagePairError: the table names language pairs, but not this one.
        FormatError: rows differ in width, the table is empty, has two columns of one name, or its headers do not say
            which column is the reference, or which is the output.
        LimitError: there are too many columns, cells, systems or references.
    """
    check_cells(text, origin, limits)
    table = parse_table(text, origin, limits=limits)
    if table is None:
        raise FormatError(f"{origin}: the file is empty: 0 segments, at least 1 expected")
    stem = stem_of(origin)
    header = text.header if header is None else header
    notes = [*table.notes]
    if header is None:
        header, sure = detect_header(table, KNOWN_HEADERS)
        notes += [] if sure else [_assumed(table.header, text, origin, header=header)]
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
    if role == "document":  # a table that describes segments may have other columns
        others = [i for i, kind in enumerate(kinds) if kind != "number"]
        roles: dict[int, Role] = dict.fromkeys([i for i in others if kinds[i] == "document"] or others[:1], role)
    else:
        notes += _several_pairs(pairs) if pair is None else []
        positions = _long_positions(names, kinds)
        if positions is not None:
            text_role: Role = "reference" if role == "reference" else "system"
            columns = columns_of_systems(table, positions, role=text_role, origin=origin, limits=limits)
            return TableOfTexts(columns, tuple(notes), pairs)
        roles = _roles(table, kinds, notes, role=role, origin=origin, header=header)
    if not roles:
        raise FormatError(f"{origin}: no column of text found ({listed(names)}); {_choose(names, role, origin)}")
    roles = _single(names, roles, notes)
    role_counts = Counter(roles.values())
    limits.check("systems", role_counts["system"], origin)
    limits.check("references", role_counts["reference"], origin)
    several = role_counts["reference"] > 1
    generic = [i for i, column_role in roles.items() if column_role == role and _is_generic(names[i], kinds[i])]
    generic_names = {i: stem if len(generic) == 1 else f"{stem}.{names[i]}" for i in generic}
    other_names = [names[i] for i, column_role in roles.items() if column_role == role and i not in generic_names]
    generic_names = {i: name for i, name in generic_names.items() if name not in other_names}
    ids = None if role == "document" else _ids(table, kinds)
    columns = tuple(
        _column(
            table.columns[i],
            role=column_role,
            name=generic_names.get(i, names[i]),
            origin=origin,
            absent_when_empty=several,
            ids=ids,
        )
        for i, column_role in roles.items()
    )
    return TableOfTexts(columns, tuple(notes), pairs)


def _roles(
    table: Table,
    kinds: Sequence[HeaderKind | None],
    notes: list[str],
    *,
    role: Role,
    origin: str,
    header: bool,
) -> dict[int, Role]:
    """Return the roles of the columns that are used, by position, and add notes on unused columns."""
    names = table.header
    others = [
        i for i, kind in enumerate(kinds) if kind not in (*TEXT_KINDS, "number") and not is_language_column(names[i])
    ]
    reasons = {i: why_not_text(table.columns[i]) for i in others}
    reasons |= _reasons_against_outputs(table, [i for i, kind in enumerate(kinds) if kind == "output"])
    reasons |= dict.fromkeys((i for i in others if kinds[i] == "other"), "its header says something else")
    texts = [i for i, reason in reasons.items() if reason is None]
    used: dict[int, Role] = {i: kind for i, kind in enumerate(kinds) if kind in ("source", "reference", "document")}
    if not texts and not used and len(names) - list(kinds).count("number") == 1:  # nothing else can be meant
        texts = list(reasons)
    notes += _without_text(names, {i: reason for i, reason in reasons.items() if i not in texts and reason})
    if not header:
        if len(texts) > 1 and role == "reference":
            notes.append(f"the table has no header: all {len(texts)} columns of text are references")
        return dict.fromkeys(texts, role)
    if role == "source":
        used |= dict.fromkeys(texts, role)
        return {i: used[i] for i in sorted(used)}
    outputs = [i for i in texts if kinds[i] == "output"]
    if role == "reference":
        selected = [] if role in used.values() else texts
        if len(selected) != 1 and role not in used.values():
            what = "several columns may be" if texts else "no column is"
            raise FormatError(
                f"{origin}: {what} the reference ({listed(names)}); {_choose(names, role, origin, texts)}"
            )
    else:
        selected = outputs or texts
        languages = [i for i in selected if is_language_header(names[i])]
        if len(languages) > 1 and len({names[i] for i in languages}) > 1:
            between = listed(names[i] for i in languages)
            raise FormatError(
                f"{origin}: the headers {between} name languages and not which column is the source or the output; "
                + _choose(names, role, origin, languages)
            )
    unused = [names[i] for i in texts if i not in selected]
    if unused:
        known = listed(names[i] for i, kind in enumerate(kinds) if kind == ("output" if role == "system" else role))
        what = "outputs are" if role == "system" else "references are"
        notes.append(
            f"{plural(len(unused), 'column')} {listed(unused)} not used: the {what} in {known}; to use others, "
            + _choose(names, role, origin, [i for i in texts if i not in selected])
        )
    used |= dict.fromkeys(selected, role)
    return {i: used[i] for i in sorted(used)}


def _reasons_against_outputs(table: Table, outputs: Sequence[int]) -> dict[int, str | None]:
    """Return, for columns with output headers, why they are not used: they have no words and another one has."""
    reasons = {
        i: reason if (reason := why_not_text(table.columns[i])) in REASONS_WITHOUT_WORDS else None for i in outputs
    }
    return reasons if None in reasons.values() else dict.fromkeys(outputs)


def _without_text(names: Sequence[str], reasons: Mapping[int, str]) -> list[str]:
    """Return sentences about unused columns, one per reason."""
    columns_by_reason: dict[str, list[str]] = {}
    for i, reason in reasons.items():
        columns_by_reason.setdefault(reason, []).append(names[i])
    notes: list[str] = []
    for reason, columns in columns_by_reason.items():
        several = len(columns) > 1
        why = f"{'they hold' if several else 'it holds'} {reason}"
        if reason.startswith("its header"):
            why = "their headers say that they are not text" if several else "its header says that it is not text"
        notes.append(f"{plural(len(columns), 'column')} {listed(columns)} not used: {why}")
    return notes


def _choose(names: Sequence[str], role: Role, origin: str, among: Sequence[int] = ()) -> str:
    """Return what the user can do if the headers do not decide, with the actual names."""
    header = names[among[0]] if among else names[0]
    file = f"{origin}:{header}"
    option = f'"{file.replace(chr(34), 2 * chr(34))}"' if re.search('[,="]', file) else file
    return f"say what its columns are, on the Data page or with --columns '{option}={role}'"


def _assumed(first: Sequence[str], text: Text, origin: str, *, header: bool) -> str:
    """Return the note for a first row of which it is uncertain whether it is a header."""
    row = f"row {text.above + 1} ({join_cells(first)[:MAX_ROW_CHARS]})"
    kind, value = ("spreadsheet", "1") if text.separator is not None else ("table", FIRST_ROW)
    option = f"--format-of {origin}={kind}:header={NO_HEADER if header else value}"
    if header:
        return f"{row} is taken for the header; if it is a segment, read the file with {option}"
    return f"{row} is taken for a segment; if it is the header, read the file with {option}"


def _single(names: Sequence[str], roles: Mapping[int, Role], notes: list[str]) -> dict[int, Role]:
    """Keep one column of the source and one of documents; add notes on the others."""
    kept: dict[int, Role] = {**roles}
    for single in SINGLE:
        what = ROLE_NAMES[single]
        places = [i for i, role_of_column in roles.items() if role_of_column == single]
        first = next((i for i in places if normal_header(names[i]) in HEADER_ROLES), places[0] if places else None)
        others = [i for i in places if i != first]
        if first is not None and others:
            verb = "is" if len(others) == 1 else "are"
            unused = f"{plural(len(others), 'column')} {listed(names[i] for i in others)} {verb} not used"
            notes.append(f"{unused}: the {what} {'are' if single == 'document' else 'is'} in {listed([names[first]])}")
            kept = {i: role_of_column for i, role_of_column in kept.items() if i not in set(others)}
    return kept


def _long_positions(names: Sequence[str], kinds: Sequence[HeaderKind | None]) -> ColumnPositions | None:
    """Return the column positions of a table with one row per segment and system; None for other tables."""
    words = [normal_header(name) for name in names]
    systems = [
        i
        for i, word in enumerate(words)
        if word in SYSTEM_HEADERS or (kinds[i] == "system" and is_plain_kind(names[i]))
    ]
    texts = [i for i, kind in enumerate(kinds) if kind == "output" and _is_generic(names[i], kind) and i not in systems]
    if len(systems) != 1 or len(texts) != 1:
        return None
    number = next((i for i, word in enumerate(words) if word in NUMBER_HEADERS), None)
    number = next((i for i, kind in enumerate(kinds) if kind == "number"), None) if number is None else number
    document = next((i for i, kind in enumerate(kinds) if kind == "document"), None)
    source = next((i for i, kind in enumerate(kinds) if kind == "source"), None)
    others: dict[int, Role] = {i: "reference" for i, kind in enumerate(kinds) if kind == "reference"}
    if source is not None:
        others[source] = "source"
    return ColumnPositions(
        system=systems[0], text=texts[0], number=number, document=document, others=dict(sorted(others.items()))
    )


def _is_generic(name: str, kind: HeaderKind | None) -> bool:
    """Return whether any translation may have this header."""
    return normal_header(name) in GENERIC_HEADERS or (kind == "output" and is_plain_kind(name))


def classify_column(name: str) -> HeaderKind | None:
    """Return what a header says about its column; None if it has no known word."""
    word = normal_header(name)
    if word in HEADER_ROLES:
        role = HEADER_ROLES[word]
        return None if role == "system" else role
    if word in GENERIC_HEADERS:
        return "output"
    if word in NUMBER_HEADERS:
        return "number"
    return classify_header(name)


def known_role(name: str) -> Role | None:
    """Return the role that a header decides; None if it decides none."""
    kind = classify_column(name)
    return kind if kind in ("source", "reference", "document") else None


def _ids(table: Table, kinds: Sequence[HeaderKind | None]) -> tuple[SegmentId, ...] | None:
    """Return the ids of the rows; None if the table has none."""
    names = table.header
    places = [i for i, kind in enumerate(kinds) if kind in ("document", "number") or is_language_column(names[i])]
    return segment_ids([names[i] for i in places], [kinds[i] for i in places], [table.columns[i] for i in places])


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


def _column(
    cells: Sequence[str],
    role: Role,
    name: str,
    origin: str,
    *,
    absent_when_empty: bool,
    ids: tuple[SegmentId, ...] | None,
) -> Column:
    if role == "reference" and absent_when_empty:
        return Column(role, name, tuple(cell or None for cell in cells), origin, ids=ids)
    return Column(role, name, tuple(cells), origin, ids=ids)


def _sniff(source: Source) -> float:
    return 0.2 if source.table is not None or is_delimited(source.name) else 0


def _read(source: Source, options: Options) -> Contents:
    if options.columns:
        return read_mapped(source, options.columns, cast("Role", options.role))
    table = read_columns(
        source.text,
        cast("Role", options.role),
        source.name,
        header=_header_chosen(source, options),
        pair=options.pair,
        limits=source.limits,
    )
    several = table.pairs if len(table.pairs) > 1 else ()
    return text_contents(table.columns, source, options.role, LABEL, notes=table.notes, pairs=several)


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
