"""The ids of segments in tables, by which rows of several files are joined."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import SegmentId, normal_names
from bleu_core.formats.cells import WHOLE_DECIMAL

#: Headers that say that a column identifies segments rather than rows, which come first.
OF_SEGMENTS = ("seg", "句", "сегмент", "セグメント")


def ids_of(
    headers: Sequence[str], kinds: Sequence[str | None], cells: Sequence[Sequence[str]]
) -> tuple[SegmentId, ...] | None:
    """Return the ids of the rows of a table; None where no column, with the documents if there are any, has them.

    An id is in a column whose header says that it numbers or names segments or rows, within the document if that is not
    enough. A column of documents identifies the rows by itself if each row is another one.

    Args:
        headers: of the columns.
        kinds: what the headers say.
        cells: of each column, one per row.

    >>> ids_of(["doc", "seg"], ["document", "number"], [["x", "x"], ["1", "2"]])
    (SegmentId(document='x', segment='1'), SegmentId(document='x', segment='2'))
    """
    at = next((i for i, kind in enumerate(kinds) if kind == "document"), None)
    documents = None if at is None else normal_names(cells[at])
    if documents is not None and not all(documents):
        documents = None
    numbers = [i for i, kind in enumerate(kinds) if kind == "number"]
    numbers.sort(key=lambda i: not any(word in headers[i].lower() for word in OF_SEGMENTS))
    for i in numbers:
        names = normal_ids(cells[i])
        if not all(names):
            continue
        ids = tuple(map(SegmentId, documents or [""] * len(names), names))
        if len(set(ids)) == len(ids):
            return ids
    if documents is not None and len(set(documents)) == len(documents) > 1:
        return tuple(SegmentId(document, "") for document in documents)
    return None


def normal_ids(cells: Sequence[str]) -> tuple[str, ...]:
    """Return ids in one form: whole numbers without a decimal point and leading zeros, all else as names.

    >>> normal_ids([" 7.0", "007", "s-07"])
    ('7', '7', 's-07')
    """
    return tuple(map(_whole, normal_names(cells)))


def _whole(name: str) -> str:
    match = WHOLE_DECIMAL.fullmatch(name)
    digits = match[1] if match is not None else name
    return (digits.lstrip("0") or "0") if digits.isascii() and digits.isdecimal() else name
