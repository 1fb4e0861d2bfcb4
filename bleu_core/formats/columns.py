"""Tables whose columns are texts: several references, systems, the source, the documents, side by side."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePath
from typing import cast

from bleu_core.dataset import ROLE_NAMES, SINGLE, Column, Role, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.contents import Contents, of_texts
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Row, is_delimited, rows
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
}
NUMBERING = frozenset({"segment", "seg_id", "segment_id", "line", "id", "index", "doc_seg", "orig_seg_id", "mtme_line"})
IDENTIFIER = re.compile(r"[A-Za-z0-9_.+-]{1,60}")


def read_columns(
    text: Text, role: Role, origin: str, *, header: bool | None = None, limits: Limits = DEFAULT_LIMITS
) -> tuple[tuple[Column, ...], tuple[str, ...]]:
    """Read a table of texts, one row per segment.

    A header's names decide the roles of columns called source, document or reference; all others take the role
    given. Columns that only number the rows are passed over. Of several columns that give the source, or the
    documents, the first is used, one that is called so before others. Without a header columns are named FILE.1,
    FILE.2. In a table of several references an empty cell means that there is none for that segment.

    Args:
        text: the file's text.
        role: of columns whose name does not tell.
        origin: the file, for messages.
        header: whether the first row holds names; None looks at the row.
        limits: the most that a table may hold.

    Returns:
        The columns, and a note on those that are not used, in sentences for people.

    Raises:
        FormatError: rows differ in width, the table is empty, or has two columns of one name.
        LimitError: there are too many columns, systems or references.
    """
    table = rows(text, origin, limits=limits)
    if not table:
        raise FormatError(f"{origin}: the file is empty: 0 segments, at least 1 expected")
    stem = PurePath(origin).stem
    width = len(table[0].cells)
    if header if header is not None else looks_like_header(table):
        names, table = table[0].cells, table[1:]
    else:
        names = (stem,) if width == 1 else tuple(f"{stem}.{n}" for n in range(1, width + 1))
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise FormatError(f"{origin}, line 1: two columns have the name {name!r}; rename one")
    if not table:
        raise FormatError(f"{origin}: only a header: 0 segments, at least 1 expected")
    chosen = [i for i, name in enumerate(names) if name.lower() not in NUMBERING]
    if role == "document":  # of a table that describes segments only its documents are wanted
        chosen = [i for i in chosen if HEADER_ROLES.get(names[i].lower()) == "document"] or chosen[:1]
    if not chosen:
        raise FormatError(f"{origin}: all columns ({listed(names)}) only number the rows, a column of text expected")
    roles: dict[int, Role] = {i: _role(names[i], role) for i in chosen}
    notes: list[str] = []
    for single in SINGLE:
        what = ROLE_NAMES[single]
        places = [i for i, found in roles.items() if found == single]
        first = next((i for i in places if names[i].lower() in HEADER_ROLES), places[0] if places else None)
        others = [i for i in places if i != first]
        if first is not None and others:
            unused = f"{plural(len(others), 'column')} {listed(names[i] for i in others)} not used"
            notes.append(f"{unused}: {names[first]} gives the {what}")
            roles = {i: found for i, found in roles.items() if i not in set(others)}
    of_roles = Counter(roles.values())
    limits.check("systems", of_roles["system"], origin)
    limits.check("references", of_roles["reference"], origin)
    several = of_roles["reference"] > 1
    columns = tuple(_column(table, i, found, names[i], origin, absent_when_empty=several) for i, found in roles.items())
    return columns, tuple(notes)


def looks_like_header(table: tuple[Row, ...]) -> bool:
    """Whether the first row holds names: identifiers, all different, above rows that hold running text.

    A known name (source, ref, doc, seg_id) settles it.
    """
    first = table[0].cells
    if not all(IDENTIFIER.fullmatch(cell) for cell in first):
        return False
    if any(cell.lower() in HEADER_ROLES or cell.lower() in NUMBERING for cell in first):
        return True
    below = [cell for row in table[1:6] for cell in row.cells]
    return len(set(first)) == len(first) and any(not IDENTIFIER.fullmatch(cell) for cell in below)


def _role(name: str, otherwise: Role) -> Role:
    found = HEADER_ROLES.get(name.lower())
    if found is None and re.match(r"ref(erence)?[\W_\d]", name.lower()):
        return "reference"
    return found or otherwise


def _column(
    table: tuple[Row, ...], position: int, role: Role, name: str, origin: str, *, absent_when_empty: bool
) -> Column:
    texts = (row.cells[position] for row in table)
    if role == "reference" and absent_when_empty:
        return Column(role, name, tuple(text or None for text in texts), origin)
    return Column(role, name, tuple(texts), origin)


def _sniff(source: Source) -> float:
    return 0.2 if is_delimited(source.name) else 0


def _read(source: Source, options: Options) -> Contents:
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
