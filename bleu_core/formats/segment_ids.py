"""Segment ids in tables, by which rows of several files are joined."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bleu_core.dataset import KeyColumn, SegmentId, normal_names, plural
from bleu_core.errors import listed
from bleu_core.formats.cells import WHOLE_DECIMAL, normal_header

#: Words in headers of columns that identify segments rather than rows; these columns are preferred.
SEGMENT_WORDS = ("seg", "句", "сегмент", "セグメント")

#: Headers of ids beside those that classify_header knows, if no cell has several words; and headers that have other
#: meanings, too, so that their cells must be whole numbers: pandas calls a column without a header Unnamed.
ID_HEADER = re.compile(r"#|№|n[°º]|(?:.*[\W_])?(?:key|hash|md5|sha\d*|uid|guid|uuid|identifier)|no\.", re.IGNORECASE)
NUMBER_HEADER = re.compile(r"|no|unnamed: \d+", re.IGNORECASE)
#: A number that is no id.
FRACTION = re.compile(r"[+-]?\d*+[.,]0*+[1-9]\d*+(?:e[+-]?\d++)?", re.IGNORECASE)
#: The largest share of rows that repeat an id, or have none, in a column whose header does and does not announce ids.
MAX_REPEATED_IDS, MAX_REPEATED = 0.5, 0.05
#: The number of rows at the beginning of a table that show whether most cells of a column are repeated.
SAMPLED_ROWS = 1000

#: Headers of a language pair.
PAIR_HEADERS = frozenset({"lp", "langpair", "lang_pair", "language_pair", "langs"})
LANGUAGE_HEADERS = (  # of the source language and of the target language
    frozenset({"src_lang", "source_lang", "source_language", "srclang"}),
    frozenset({"tgt_lang", "target_lang", "target_language", "tgtlang", "trg_lang"}),
)


class RowIds(NamedTuple):
    """The ids of the rows of a table.

    Attributes:
        ids: the ids; None if no column, with the documents if there are any, has them.
        name: the columns that have them, for messages.
        numbers: positions of all columns whose headers announce ids or numbers, and their ids if they were compared.
        is_given: whether the user says that this one column has ids.
    """

    ids: tuple[SegmentId, ...] | None
    name: str = ""
    numbers: Mapping[int, tuple[str, ...] | None] = MappingProxyType({})
    is_given: bool = False


def segment_ids(headers: Sequence[str], kinds: Sequence[str | None], cells: Sequence[Sequence[str]]) -> RowIds:
    """Return the ids of the rows of a table.

    Ids are in a column whose header announces numbers or names of segments or rows, within the document and the
    language pair if necessary. A column of documents identifies the rows by itself if all rows of a language pair have
    different documents.

    Args:
        headers: the headers of the columns, at least one.
        kinds: the kinds of the headers.
        cells: the cells of each column.

    >>> found = segment_ids(["doc", "seg"], ["document", "number"], [["x", "x"], ["1", "2"]])
    >>> [str(row_id) for row_id in found.ids or ()], found.name
    (['x 1', 'x 2'], 'columns doc, seg')
    """
    rows = len(cells[0])
    document_column = next((i for i, kind in enumerate(kinds) if kind == "document"), None)
    documents = None if document_column is None else normal_names(cells[document_column])
    if documents is not None and not all(documents):
        documents = None
    document_header = [] if document_column is None or documents is None else [headers[document_column]]
    pairs = pairs_of_rows(headers, cells) or ("",) * rows
    numbers: dict[int, tuple[str, ...] | None] = {i: None for i, kind in enumerate(kinds) if kind == "number"}
    for i in sorted(numbers, key=lambda i: not names_segments(headers[i])):
        names = numbers[i] = normal_ids(cells[i])
        if not all(names):
            continue
        ids = tuple(map(SegmentId, documents or ("",) * rows, names, pairs))
        if len(set(ids)) == len(ids):
            return RowIds(ids, _named([*document_header, headers[i]]), numbers)
    if documents is not None and rows > 1:
        ids = tuple(SegmentId(document, "", pair) for document, pair in zip(documents, pairs, strict=True))
        return RowIds(ids if len(set(ids)) == len(ids) else None, _named(document_header), numbers)
    return RowIds(None, numbers=numbers)


def _named(headers: Sequence[str]) -> str:
    return f"{plural(len(headers), 'column')} {listed(headers)}"


def names_segments(header: str) -> bool:
    """Return whether a header of numbers or names says that they are those of segments, rather than of rows."""
    return any(word in header.lower() for word in SEGMENT_WORDS)


def is_id_column(header: str, cells: Sequence[str]) -> bool:
    """Return whether a column has ids by its header, which is not one that classify_header knows, and its cells.

    >>> is_id_column("No.", ["1", "2"]), is_id_column("no", ["en tekst"]), is_id_column("Unnamed: 0", ["0", "1"])
    (True, False, True)
    """
    header = header.strip()
    if ID_HEADER.fullmatch(header):
        return all(len(cell.split()) <= 1 for cell in cells)
    return NUMBER_HEADER.fullmatch(header) is not None and all(_is_whole(cell) for cell in cells if cell)


def key_columns(
    headers: Sequence[str], cells: Sequence[Sequence[str]], lines: Sequence[int], *, ids: RowIds, used: Container[int]
) -> tuple[KeyColumn, ...]:
    """Return the columns by which the rows of a table may be joined with those of another: few cells are repeated.

    Args:
        headers: the headers of the columns.
        cells: the cells of each column.
        lines: the line of each row.
        ids: the ids of the rows.
        used: positions of columns with other uses.
    """
    keys: list[KeyColumn] = []
    for i, own in enumerate(cells):
        is_id = i in ids.numbers
        share = MAX_REPEATED_IDS if is_id else MAX_REPEATED
        beginning = own[:SAMPLED_ROWS]
        if i in used or (ids.is_given and not is_id) or FRACTION.fullmatch(own[0]):
            continue
        if all(
            _repeated(part) <= max(1, most * len(part)) for part, most in ((beginning, MAX_REPEATED_IDS), (own, share))
        ):
            values = ids.numbers.get(i) or normal_ids(own)
            keys.append(KeyColumn(headers[i], is_id, values, lines, is_given=ids.is_given))
    return tuple(keys)


def _repeated(cells: Sequence[str]) -> int:
    """Return the number of cells that are empty or repeat another one."""
    return len(cells) - len(set(cells) - {""})


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


def _is_whole(cell: str) -> bool:
    return _whole(cell.strip()).isdecimal() and cell.isascii()


def _whole(name: str) -> str:
    if name.isalpha() or (name.isascii() and name.isdecimal() and name[0] != "0"):
        return name
    match = WHOLE_DECIMAL.fullmatch(name)
    digits = match[1] if match is not None else name
    return (digits.lstrip("0") or "0") if digits.isascii() and digits.isdecimal() else name
