"""Which columns cannot be text, by their cells: numbers, dates, addresses, codes, constants, few different values."""

from __future__ import annotations

import re
from collections.abc import Sequence

NUMBER = re.compile(r"[+-]?(?=[.,\s]*+\d)[\d.,\s]++(?:e[+-]?\d++)?\s?%?", re.IGNORECASE)
DATE = re.compile(
    r"\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?"
)
ADDRESS = re.compile(r"(?:https?|ftp|file)://\S+|www\.\S+|[\w.+-]+@[\w-]+\.[\w.-]+")
TRUTH_VALUES = frozenset(
    {"true", "false", "yes", "no", "ja", "nein", "oui", "non", "sí", "si", "да", "нет", "是", "否", "x", "y", "n"}
)
#: A token with a mark that words lack: a digit, or a sign between letters; or a short one in capitals, as codes are.
CODE = re.compile(r"(?=\S*[\d_/#:|=-])\S*\w\S*|[A-Z]{1,5}")
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
#: Rows from which on few different values are no text, and the share of different ones; of fewer rows, see below.
MIN_ROWS = 8
MAX_DISTINCT_SHARE = 0.25
#: The longest such values.
MAX_LENGTH, MAX_WORDS = 40, 4
#: The same for fewer rows, of which only single words are taken for values.
MIN_FEW_ROWS = 4
MAX_DISTINCT_SHARE_OF_FEW = 0.5
MAX_LENGTH_OF_FEW = 20

#: Reasons of why_not_text that hold for no translation of any text.
NUMBERS_ONLY, NO_TEXT = "numbers only", "no text"
REASONS_WITHOUT_WORDS = frozenset({NUMBERS_ONLY, NO_TEXT})


def why_not_text(cells: Sequence[str]) -> str | None:
    """Return why a column cannot be a translation, in words that follow "it holds"; None if it may be one.

    Args:
        cells: of the column, without its header; empty ones do not matter.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled:
        return NO_TEXT
    for pattern, what in ((NUMBER, NUMBERS_ONLY), (DATE, "dates only"), (ADDRESS, "addresses only")):
        if all(map(pattern.fullmatch, filled)):
            return what
    different = set(filled)
    if len(filled) > 1 and len(different) == 1:
        return "the same value in all rows"
    if {cell.lower() for cell in different} <= TRUTH_VALUES and len(filled) > len(different):
        return "yes or no only"
    if not any(map(UNSPACED.search, different)) and all(map(CODE.fullmatch, different)):
        return "codes only"
    return "few different values" if _are_few(filled, different) else None


def _are_few(filled: Sequence[str], different: set[str]) -> bool:
    rows = len(filled)
    if rows >= MIN_ROWS:
        short = all(len(cell) <= MAX_LENGTH and len(cell.split()) <= MAX_WORDS for cell in different)
        return short and len(different) <= rows * MAX_DISTINCT_SHARE
    single = all(len(cell) <= MAX_LENGTH_OF_FEW and len(cell.split()) == 1 for cell in different)
    return rows >= MIN_FEW_ROWS and single and len(different) <= rows * MAX_DISTINCT_SHARE_OF_FEW
