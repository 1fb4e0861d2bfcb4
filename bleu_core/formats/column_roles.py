"""Roles of the columns of a table: those that the user gives, and those that headers and cells suggest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from bleu_core.dataset import ROLE_NAMES, SINGLE, Role, plural
from bleu_core.errors import MAX_LISTED_LENGTH, FormatError, listed
from bleu_core.formats.cells import join_cells, normal_header, strip_cells
from bleu_core.formats.column_kinds import REASONS_WITHOUT_WORDS, why_not_text
from bleu_core.formats.compression import stem_of
from bleu_core.formats.delimited import Table
from bleu_core.formats.headers import HeaderKind, classify_header, is_language_header, is_plain_kind
from bleu_core.formats.long_tables import ColumnPositions
from bleu_core.formats.mapping import MappedColumn, PlacedColumn
from bleu_core.formats.segment_ids import is_id_column, is_language_column

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
#: Kinds of headers whose columns are texts or identify texts, whatever their cells are.
TEXT_KINDS: tuple[HeaderKind, ...] = ("source", "reference", "document", "output")


def place_columns(table: Table, columns: Sequence[MappedColumn], origin: str) -> tuple[PlacedColumn, ...]:
    """Return columns that the user gives with their positions.

    Args:
        table: the table.
        columns: the columns by header.
        origin: the file, for messages.

    Raises:
        FormatError: a column is not in the header, or twice.
    """
    header = strip_cells(table.header)
    placed: list[PlacedColumn] = []
    for column in columns:
        matching = [i for i, name in enumerate(header) if name == column.header.strip()]
        if not matching:
            raise FormatError(
                f"{origin}, line {table.line}: no column {column.header!r} found in the header ({join_cells(header)})"
            )
        if len(matching) > 1:
            raise FormatError(
                f"{origin}, line {table.line}: {len(matching)} columns called {column.header!r} found; rename one"
            )
        placed.append(PlacedColumn(matching[0], column))
    return tuple(placed)


def kinds_of_given(table: Table, columns: Sequence[PlacedColumn]) -> list[str | None]:
    """Return the kind of each column, by the roles of those that the user gives and the headers of others."""
    roles = {position: column.role for position, column in columns}
    kinds: list[str | None] = [
        roles.get(i) or ("number" if is_id_column(name, cells) else classify_header(name))
        for i, (name, cells) in enumerate(zip(table.header, table.columns, strict=True))
    ]
    if "document" in roles.values():
        kinds = [None if kind == "document" and i not in roles else kind for i, kind in enumerate(kinds)]
    return kinds


def recognise_columns(
    table: Table, kinds: Sequence[HeaderKind | None], notes: list[str], *, role: Role, origin: str, header: bool
) -> list[PlacedColumn]:
    """Return the columns that are used in a table of one row per segment, and add notes on others.

    A known header decides the role of its column, also with additions: see classify_header. Other columns are not used
    if their cells cannot be text. In a table of systems, the remaining columns are systems, unless a header says which
    column is the output. In a table of references, a remaining column is the reference only if it is the only one. If
    several columns give the source, or the documents, one is used: the first with a known name, else the first. A
    column with a generic header such as Target is named after the file, FILE, or FILE.HEADER if there are several.
    Without a header, all text columns have the given role.

    Args:
        table: a table with at least one row, whose names differ.
        kinds: what each header says of its column.
        notes: sentences about what is not used, to which others are added.
        role: the role of the file.
        origin: the file, for messages.
        header: whether the names are headers of the file.

    Raises:
        FormatError: no column is text, or the headers do not say which column is the reference, or which is the output.
    """
    names = table.header
    if role == "document":  # a table that describes segments may have other columns
        others = [i for i, kind in enumerate(kinds) if kind != "number"]
        roles: dict[int, Role] = dict.fromkeys([i for i in others if kinds[i] == "document"] or others[:1], role)
    else:
        roles = _roles(table, kinds, notes, role=role, origin=origin, header=header)
    if not roles:
        raise FormatError(f"{origin}: no column of text found ({listed(names)}); {_choose(names, role, origin)}")
    roles = _single(names, roles, notes)
    generic_names = _generic_names(names, [i for i in roles if roles[i] == role], kinds, stem_of(origin))
    return [PlacedColumn(i, MappedColumn(names[i], roles[i], generic_names.get(i, ""))) for i in roles]


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


def _generic_names(
    names: Sequence[str], of_role: Sequence[int], kinds: Sequence[HeaderKind | None], stem: str
) -> dict[int, str]:
    """Return names for those columns of the file's role whose headers any translation may have, by position."""
    generic = [i for i in of_role if _is_generic(names[i], kinds[i])]
    generic_names = {i: stem if len(generic) == 1 else f"{stem}.{names[i]}" for i in generic}
    others = [names[i] for i in of_role if i not in generic_names]
    return {i: name for i, name in generic_names.items() if name not in others}


def _choose(names: Sequence[str], role: Role, origin: str, among: Sequence[int] = ()) -> str:
    """Return what the user can do if the headers do not decide, with the actual names."""
    header = names[among[0]] if among else names[0]
    file = f"{origin}:{header if len(header) <= MAX_LISTED_LENGTH else 'COLUMN'}"
    option = f'"{file.replace(chr(34), 2 * chr(34))}"' if re.search('[,="]', file) else file
    return f"say what its columns are, on the Data page or with --columns '{option}={role}'"


def find_long_positions(names: Sequence[str], kinds: Sequence[HeaderKind | None]) -> ColumnPositions | None:
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
