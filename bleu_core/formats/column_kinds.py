"""Columns whose cells cannot be text: numbers, dates, addresses, codes, constants, or few distinct values."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from bleu_core.formats.delimited import Table

NUMBER = re.compile(r"[+-]?(?=[.,\s]*+\d)[\d.,\s]++(?:e[+-]?\d++)?\s?%?", re.IGNORECASE)
DATE = re.compile(
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)
ADDRESS = re.compile(r"(?:https?|ftp|file)://\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.-]+")
TRUTH_VALUES = frozenset(
    {"true", "false", "yes", "no", "ja", "nein", "oui", "non", "sí", "si", "да", "нет", "是", "否", "x", "y", "n"}
)
#: A token with a character that words lack (a digit, or a symbol between letters), or a short token in capitals.
CODE = re.compile(r"(?=\S*[\d_/#:|=-])(?=\S*\w)\S++|[A-Z]{1,5}")
#: A character of a script without spaces between words. Ranges this wide take milliseconds to compile: at first use.
UNSPACED = r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
#: The fewest rows in which few distinct values show that a column is not text, and their largest share.
MIN_ROWS = 8
MAX_DISTINCT_SHARE = 0.25
#: The longest such values, in characters and in words.
MAX_LENGTH, MAX_WORDS = 40, 4
#: The same for fewer rows, in which only single words count as such values.
MIN_FEW_ROWS = 4
MAX_DISTINCT_SHARE_OF_FEW = 0.5
MAX_LENGTH_OF_FEW = 20

#: Rows that are compared, and the share of words that texts in one language have in common at least.
MAX_COMPARED_ROWS = 200
MIN_SHARED_WORDS = 0.3

#: Headers of a rated or scored translation, and of its source, which may also name languages or where texts are from.
TRANSLATION_HEADERS = ("translation", "target", "tgt", "hypothesis", "hyp", "mt")
SOURCE_HEADERS = ("source", "src", "source_text")

#: Reasons of why_not_text that exclude a translation of any text.
NUMBERS_ONLY, NO_TEXT = "numbers only", "no text"
REASONS_WITHOUT_WORDS = frozenset({NUMBERS_ONLY, NO_TEXT})


def why_not_text(cells: Sequence[str]) -> str | None:
    """Return why a column cannot be a translation, in words that follow "it holds"; None if it can.

    Args:
        cells: the cells of the column, without its header; empty cells are ignored.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled:
        return NO_TEXT
    for pattern, reason in ((NUMBER, NUMBERS_ONLY), (DATE, "dates only"), (ADDRESS, "addresses only")):
        if all(map(pattern.fullmatch, filled)):
            return reason
    distinct = set(filled)
    if len(filled) > 1 and len(distinct) == 1:
        return "the same value in all rows"
    if {cell.lower() for cell in distinct} <= TRUTH_VALUES and len(filled) > len(distinct):
        return "yes or no only"
    if not any(re.search(UNSPACED, cell) for cell in distinct) and all(map(CODE.fullmatch, distinct)):
        return "codes only"
    return "few different values" if _are_few(filled, distinct) else None


def text_column(table: Table, headers: Collection[str]) -> Sequence[str] | None:
    """Return the cells of the only column with one of these headers; None unless there is one, and it can be text."""
    places = table.places(headers)
    return table.columns[places[0]] if len(places) == 1 and why_not_text(table.columns[places[0]]) is None else None


def are_alike(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether columns are translations into one language: their rows share words with those of the first."""
    words = [[_words(cell) for cell in cells[:MAX_COMPARED_ROWS]] for cells in columns]
    return all(
        sum(len(a & b) / max(1, min(len(a), len(b))) for a, b in zip(words[0], others, strict=True))
        >= MIN_SHARED_WORDS * sum(bool(a and b) for a, b in zip(words[0], others, strict=True))
        for others in words[1:]
    )


def _words(cell: str) -> frozenset[str]:
    """Return the words of a cell, or its characters in a script without spaces between words."""
    return frozenset(re.findall(rf"{UNSPACED}|[^\W\d_]+", cell.casefold()))


def _are_few(filled: Sequence[str], distinct: set[str]) -> bool:
    rows = len(filled)
    if rows >= MIN_ROWS:
        are_short = all(len(cell) <= MAX_LENGTH and len(cell.split()) <= MAX_WORDS for cell in distinct)
        return are_short and len(distinct) <= rows * MAX_DISTINCT_SHARE
    are_single_words = all(len(cell) <= MAX_LENGTH_OF_FEW and len(cell.split()) == 1 for cell in distinct)
    return rows >= MIN_FEW_ROWS and are_single_words and len(distinct) <= rows * MAX_DISTINCT_SHARE_OF_FEW
