"""Boundaries of sentences, as indicated by punctuation and capitals."""

from __future__ import annotations

import regex

#: Marks at the end of a sentence, closing marks after them, and the blank before the next one. A full stop does not end
#: a sentence after a single letter or a capitalised word of up to three letters, which is probably an abbreviation. In
#: Chinese and Japanese no blank follows.
END = regex.compile(
    r"(?:(?<!(?<![\p{L}\p{M}])\p{Lu}\p{L}{0,2})\.|[!?\u2026\u061f\u06d4\u0964])[\"')\]\u201d\u2019\u00bb]*\s+"
    r"(?=[\"'(\[\u201c\u2018\u00ab\u201e\u00bf\u00a1\u2013\u2014-]*\s*[\p{Lu}\p{Lo}])"
    r"|[\u3002\uff01\uff1f]+[\"'\u201d\u2019\u300d\u300f\uff09]*\s*(?=\S)",
)


def sentence_starts(text: str) -> list[int]:
    """Return the position of the first character of each sentence of a text except the first.

    >>> sentence_starts("Mr. Smith left. He was tired! So was I.")
    [16, 30]
    """
    return [match.end() for match in END.finditer(text)]
