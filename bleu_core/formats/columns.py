"""Tables whose columns are texts: references, systems, the source, the documents, side by side."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from bleu_core.dataset import ROLE_NAMES, SINGLE, Column, Role, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, of_texts
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Row, check_cells, is_delimited, rows
from bleu_core.formats.long_tables import Places, columns_of
from bleu_core.formats.mapped_tables import read_mapped
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.formats.text_roles import TEXT_ROLES, role_of_texts
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
#: Headers that are what any translation may be called, so that the file has to say whose it is.
GENERIC = frozenset(
    {
        *("target", "target_text", "target_segment", "tgt", "translation", "translated_text", "translated"),
        *("machine_translation", "mt", "mt_output", "hypothesis", "hyp", "prediction", "candidate"),
        *("output", "system_output", "system", "text", "segment_text"),
    }
)
NUMBERING = frozenset({"segment", "seg_id", "segment_id", "line", "id", "index", "doc_seg", "orig_seg_id", "mtme_line"})
#: All headers that are known, which may be of several words.
KNOWN = frozenset({*HEADER_ROLES, *GENERIC, *NUMBERING})
#: Headers of the system's name, in tables with one row per segment and system.
SYSTEMS = frozenset({"system", "system_id", "system_name", "sys", "sys_id"})
NUMBER = re.compile(r"[+-]?\d++(?:\.\d*+)?(?:e[+-]?\d++)?")
IDENTIFIER = re.compile(r"[A-Za-z0-9_.+-]{1,60}")


def read_columns(
    text: Text, role: Role, origin: str, *, header: bool | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Read a table of texts, one row per segment.

    A header decides the role of columns called source, document or reference; all others take the role given.
    Columns that only number the rows are skipped. If several columns give the source, or the documents, one is used:
    the first with such a name, else the first. A column with a generic header such as Target is named after the file,
    FILE, or FILE.HEADER where there are several. Without a header columns are named FILE.1, FILE.2. In a table of
    several references an empty cell means that the segment has none.

    A table with one column of systems' names and one of texts has one row per segment and system. Segments are then
    identified by their number, within the document if there is one, or by their order.

    Args:
        text: the file's text.
        role: of columns whose header does not decide it.
        origin: the file, for messages.
        header: whether the first row holds names; None decides by what is in it.
        limits: the most that a table may hold.

    Returns:
        The columns, and sentences about those that are not used.

    Raises:
        FormatError: rows differ in width, the table is empty, or has two columns of one name.
        LimitError: there are too many columns, cells, systems or references.
    """
    check_cells(text, origin, limits)
    table = rows(text, origin, limits=limits)
    if not table:
        raise FormatError(f"{origin}: the file is empty: 0 segments, at least 1 expected")
    stem = stem_of(origin)
    width = len(table[0].cells)
    header = text.header if header is None else header
    if header if header is not None else looks_like_header(table):
        names, table = table[0].cells, table[1:]
    else:
        names = (stem,) if width == 1 else tuple(f"{stem}.{n}" for n in range(1, width + 1))
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise FormatError(f"{origin}, line {text.above + 1}: two columns are named {name!r}; rename one")
    if not table:
        raise FormatError(f"{origin}: the table has only a header: 0 segments, at least 1 expected")
    chosen = [i for i, name in enumerate(names) if header_word(name) not in NUMBERING]
    if role == "document":  # a table that describes segments may have other columns
        chosen = [i for i in chosen if HEADER_ROLES.get(header_word(names[i])) == "document"] or chosen[:1]
    if not chosen:
        raise FormatError(f"{origin}: all columns ({listed(names)}) only number the rows; a column of text expected")
    roles: dict[int, Role] = {i: known_role(names[i]) or role for i in chosen}
    long = _long_places(names, roles)
    if long is not None:
        return columns_of(
            table, names, long, "reference" if role == "reference" else "system", origin, limits=limits
        ), ()
    notes: list[str] = []
    if text.header:  # values have types there: numbers are no texts
        roles = _without_numbers(table, names, roles, notes)
    roles = _single(names, roles, notes)
    of_roles = Counter(roles.values())
    limits.check("systems", of_roles["system"], origin)
    limits.check("references", of_roles["reference"], origin)
    several = of_roles["reference"] > 1
    generic = [i for i, found in roles.items() if found == role and header_word(names[i]) in GENERIC]
    called = {i: stem if len(generic) == 1 else f"{stem}.{names[i]}" for i in generic}
    taken = [names[i] for i, found in roles.items() if found == role and i not in called]
    called = {i: name for i, name in called.items() if name not in taken}
    columns = tuple(
        _column(table, i, found, called.get(i, names[i]), origin, absent_when_empty=several)
        for i, found in roles.items()
    )
    return columns, tuple(notes)


def _without_numbers(
    table: Sequence[Row], names: Sequence[str], roles: Mapping[int, Role], notes: list[str]
) -> dict[int, Role]:
    """The columns without those that hold numbers only and have no known header, unless no other is left."""
    numbers = [i for i in roles if known_role(names[i]) is None and _is_of_numbers(table, i)]
    if not numbers or len(numbers) == len(roles):
        return dict(roles)
    they = "it holds" if len(numbers) == 1 else "they hold"
    unused = f"{plural(len(numbers), 'column')} {listed(names[i] for i in numbers)}"
    notes.append(f"{unused} not used: {they} numbers only")
    return {i: found for i, found in roles.items() if i not in set(numbers)}


def _single(names: Sequence[str], roles: Mapping[int, Role], notes: list[str]) -> dict[int, Role]:
    """The columns with one source and one of documents."""
    kept: dict[int, Role] = {**roles}
    for single in SINGLE:
        what = ROLE_NAMES[single]
        places = [i for i, found in roles.items() if found == single]
        first = next((i for i in places if header_word(names[i]) in HEADER_ROLES), places[0] if places else None)
        others = [i for i in places if i != first]
        if first is not None and others:
            verb = "is" if len(others) == 1 else "are"
            unused = f"{plural(len(others), 'column')} {listed(names[i] for i in others)} {verb} not used"
            notes.append(f"{unused}: the {what} {'are' if single == 'document' else 'is'} in {listed([names[first]])}")
            kept = {i: found for i, found in kept.items() if i not in set(others)}
    return kept


def _long_places(names: Sequence[str], roles: Mapping[int, Role]) -> Places | None:
    """Where a table with one row per segment and system has what; None for other tables."""
    words = [header_word(name) for name in names]
    systems = [i for i, word in enumerate(words) if word in SYSTEMS]
    texts = [i for i, word in enumerate(words) if word in GENERIC and i not in systems]
    if len(systems) != 1 or len(texts) != 1:
        return None
    number = next((i for i, word in enumerate(words) if word in NUMBERING), None)
    given: dict[Role, int] = {}
    for i, found in roles.items():
        if words[i] in HEADER_ROLES:
            given.setdefault(found, i)
    others: dict[int, Role] = {i: found for found, i in given.items() if found in ("source", "reference")}
    return Places(systems[0], texts[0], number, given.get("document"), others)


def _is_of_numbers(table: Sequence[Row], position: int) -> bool:
    """Whether a column has numbers, and no text."""
    cells = [cell for row in table if (cell := row.cells[position])]
    return bool(cells) and all(map(NUMBER.fullmatch, cells))


def looks_like_header(table: tuple[Row, ...]) -> bool:
    """Whether the first row holds names: identifiers, all different, above rows that hold running text.

    A row with a known name (source, ref, doc, seg_id) is a header. Known names may be of several words.
    """
    first = table[0].cells
    words = [header_word(cell) for cell in first]
    known = [word in HEADER_ROLES or word in NUMBERING for word in words]
    if not all(IDENTIFIER.fullmatch(cell) or word in KNOWN for cell, word in zip(first, words, strict=True)):
        return False
    if any(known):
        return True
    below = [cell for row in table[1:6] for cell in row.cells]
    return len(set(first)) == len(first) and any(not IDENTIFIER.fullmatch(cell) for cell in below)


def header_word(header: str) -> str:
    """A header as HEADER_ROLES, KNOWN and the like have it."""
    return header.strip().lower().replace(" ", "_").replace("-", "_")


def known_role(name: str) -> Role | None:
    """The role that a header decides."""
    found = HEADER_ROLES.get(header_word(name))
    return "reference" if found is None and re.match(r"ref(erence)?s?[\W_\d]", name.lower()) else found


def _column(
    table: tuple[Row, ...], position: int, role: Role, name: str, origin: str, *, absent_when_empty: bool
) -> Column:
    texts = (row.cells[position] for row in table)
    if role == "reference" and absent_when_empty:
        return Column(role, name, tuple(text or None for text in texts), origin)
    return Column(role, name, tuple(texts), origin)


def _sniff(source: Source) -> float:
    return 0.2 if source.table is not None or is_delimited(source.name) else 0


def _read(source: Source, options: Options) -> Contents:
    if options.columns:
        return read_mapped(source, options.columns, cast("Role", options.role))
    columns, notes = read_columns(
        source.text, cast("Role", options.role), source.name, header=options.header, limits=source.limits
    )
    return of_texts(columns, source, options.role, LABEL, notes=notes)


FORMAT = Format(
    key="table",
    label=LABEL,
    description="tables with one column per reference or system",
    roles=TEXT_ROLES,
    sniff=_sniff,
    read=_read,
    role_of=role_of_texts,
    endings=SUFFIXES,
)
