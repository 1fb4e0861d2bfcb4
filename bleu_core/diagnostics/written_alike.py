"""Comparison of texts of a segment without regard to case and typography."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bleu_core.diagnostics.diagnostic_input import DiagnosticInput

#: Quotation marks, apostrophes and accents in their place; two single marks make a double one.
_MARKS = re.compile(
    "[\"'`\u00b4\u00ab\u00bb\u02bc\u2018-\u201f\u2032-\u2037\u2039\u203a\u300c-\u300f\u301d-\u301f\uff02\uff07]"
)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]+")
_DASHES = re.compile("[-\u2010-\u2015\u2043\u2212\u2e3a\u2e3b]+")
_FINAL = ".,;:!?\u3002\u061f\u06d4\u0964"

#: Characters that are removed from ASCII text, the most frequent case.
_ASCII_MARKS = str.maketrans("", "", "\"'`")

#: Separates texts, which have no NUL, while they are normalised together.
_END = "\0"


def without_typography(texts: Sequence[str]) -> list[str]:
    """Return texts without typographic differences.

    Quotation marks, apostrophes, spaces and final punctuation are removed, dashes are hyphens, compatible characters
    are the same (NFKC), and case is ignored.

    Args:
        texts: of segments.

    >>> without_typography(["'Well' - it is  fine.", '"well" -- it is fine'])
    ['well-itisfine', 'well-itisfine']
    """
    joined = _END.join(text.replace(_END, "") for text in texts)
    if joined.isascii():
        joined = joined.translate(_ASCII_MARKS).lower()
    else:
        joined = unicodedata.normalize("NFKC", _MARKS.sub("", joined)).casefold()
        joined = _INVISIBLE.sub("", joined)
    joined = "".join(joined.split())  # NUL is no space
    if not joined.isascii() or "--" in joined:
        joined = _DASHES.sub("-", joined)
    return [text.rstrip(_FINAL) for text in joined.split(_END)]


def number_texts(data: DiagnosticInput) -> npt.NDArray[np.int64]:
    """Number the texts of each segment, with equal numbers for texts that differ only in typography.

    Returns:
        (systems + references in use, segments) the position of the first equal text of the segment; that of the text
        itself if it is absent or consists of typographic characters only.
    """
    return number_columns([texts for (role, _), texts in data.texts.items() if role != "source"])


def number_columns(texts: Sequence[Sequence[str | None]]) -> npt.NDArray[np.int64]:
    """Number the texts of each segment as `number_texts` does, (texts, segments).

    Args:
        texts: of the same segments.
    """
    columns = [without_typography([line or "" for line in text]) for text in texts]
    segments = len(columns[0])
    numbers = np.empty((len(columns), segments), np.int64)
    for i in range(segments):
        first: dict[str, int] = {}
        for k, column in enumerate(columns):
            text = column[i]
            numbers[k, i] = first.setdefault(text, k) if text else k
    return numbers
