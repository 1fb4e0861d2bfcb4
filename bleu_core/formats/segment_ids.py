"""Segment ids in tables, by which rows of several files are joined."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import SegmentId, normal_names
from bleu_core.formats.cells import WHOLE_DECIMAL, normal_header

#: Words in headers of columns that identify segments rather than rows; these columns are preferred.
SEGMENT_WORDS = ("seg", "句", "сегмент", "セグメント")

#: Headers of a language pair.
PAIR_HEADERS = frozenset({"lp", "langpair", "lang_pair", "language_pair", "langs"})
LANGUAGE_HEADERS = (  # of the source language and of the target language
    frozenset({"src_lang", "source_lang", "source_language", "srclang"}),
    frozenset({"tgt_lang", "target_lang", "target_language", "tgtlang", "trg_lang"}),
)


def segment_ids(
    headers: Sequence[str], kinds: Sequence[str | None], cells: Sequence[Sequence[str]]
) -> tuple[SegmentId, ...] | None:
    """Return the ids of the rows of a table; None if no column, with the documents if there are any, has them.

    Ids are in a column whose header announces numbers or names of segments or rows, within the document and the
    language pair if necessary. A column of documents identifies the rows by itself if all rows of a language pair have
    different documents.

    Args:
        headers: the headers of the columns.
        kinds: the kinds of the headers.
        cells: the cells of each column.

    >>> ids = segment_ids(["doc", "seg"], ["document", "number"], [["x", "x"], ["1", "2"]])
    >>> [str(row_id) for row_id in ids or ()]
    ['x 1', 'x 2']
    """
    if not cells:
        return None
    rows = len(cells[0])
    document_column = next((i for i, kind in enumerate(kinds) if kind == "document"), None)
    documents = None if document_column is None else normal_names(cells[document_column])
    if documents is not None and not all(documents):
        documents = None
    pairs = pairs_of_rows(headers, cells) or ("",) * rows
    numbers = [i for i, kind in enumerate(kinds) if kind == "number"]
    numbers.sort(key=lambda i: not any(word in headers[i].lower() for word in SEGMENT_WORDS))
    for i in numbers:
        names = normal_ids(cells[i])
        if not all(names):
            continue
        ids = tuple(map(SegmentId, documents or ("",) * rows, names, pairs))
        if len(set(ids)) == len(ids):
            return ids
    if documents is not None and rows > 1:
        ids = tuple(SegmentId(document, "", pair) for document, pair in zip(documents, pairs, strict=True))
        return ids if len(set(ids)) == len(ids) else None
    return None


def pairs_of_rows(headers: Sequence[str], cells: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """Return the language pair of each row, as SOURCE-TARGET or as in the table; None if a row has none.

    Args:
        headers: the headers of the columns.
        cells: the cells of each column.

    >>> pairs_of_rows(["src_lang", "tgt_lang"], [["en", "en"], ["de", "cs"]])
    ('en-de', 'en-cs')
    """
    words = list(map(normal_header, headers))
    pair_column = next((i for i, word in enumerate(words) if word in PAIR_HEADERS), None)
    if pair_column is not None:
        pairs = normal_names(cells[pair_column])
    else:
        sides = [next((i for i, word in enumerate(words) if word in side), None) for side in LANGUAGE_HEADERS]
        if sides[0] is None or sides[1] is None:
            return None
        both = zip(normal_names(cells[sides[0]]), normal_names(cells[sides[1]]), strict=True)
        pairs = tuple(f"{source}-{target}" if source and target else "" for source, target in both)
    return pairs if all(pairs) else None


def is_language_column(header: str) -> bool:
    """Return whether a column has the language pair, or one of its languages, of each row."""
    return normal_header(header) in PAIR_HEADERS.union(*LANGUAGE_HEADERS)


def normal_ids(cells: Sequence[str]) -> tuple[str, ...]:
    """Return ids in one form: whole numbers without a decimal point and leading zeros, others as names.

    >>> normal_ids([" 7.0", "007", "s-07"])
    ('7', '7', 's-07')
    """
    return tuple(map(_whole, normal_names(cells)))


def _whole(name: str) -> str:
    match = WHOLE_DECIMAL.fullmatch(name)
    digits = match[1] if match is not None else name
    return (digits.lstrip("0") or "0") if digits.isascii() and digits.isdecimal() else name
