"""What fits one page beside a verdict: how many examples, and how many lines of each text. Heights are estimated."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence

from dashboard.export.section import Example

#: CSS pixels that Letter has between its margins, less the line at the foot; and what report.html's headings take.
HEIGHT, HEADINGS = 915, 80

#: CSS pixels of a line of a paragraph and what is around the paragraph, of a line of an example, and of its title.
LINE, PARAGRAPH, EXAMPLE_LINE, EXAMPLE_TITLE = 15, 3, 11.2, 17

#: Narrow characters in a line of a paragraph, and of a text in an example.
IN_LINE, IN_EXAMPLE_LINE = 105, 110

#: What other characters take, of a narrow one.
CAPITAL, WIDE = 1.4, 2.0

#: Lines of each text that are printed at most.
MAX_LINES = 2


def fit_examples(above: Iterable[str], examples: Sequence[Example]) -> tuple[tuple[Example, ...], int]:
    """The examples that fit a page, and to how many lines each of their texts is cut.

    All examples with shorter texts are better than fewer examples with longer ones.

    Args:
        above: the paragraphs above the examples.
        examples: the most important ones first.
    """
    room = HEIGHT - HEADINGS - sum(LINE * _lines(text, IN_LINE) + PARAGRAPH for text in above)
    for most in range(MAX_LINES, 0, -1):
        if sum(_height(example, most) for example in examples) <= room:
            return tuple(examples), most
    fitting: list[Example] = []
    for example in examples:
        room -= _height(example, 1)
        if fitting and room < 0:
            break
        fitting.append(example)
    return tuple(fitting), 1


def _height(example: Example, most: int) -> float:
    texts = [text for _, text in example.texts] + ([example.note] if example.note else [])
    lines = sum(min(most, _lines(text, IN_EXAMPLE_LINE)) for text in texts)
    return EXAMPLE_TITLE + EXAMPLE_LINE * lines


def _lines(text: str, in_line: int) -> int:
    return sum(max(1, math.ceil(_width(line) / in_line)) for line in text[:10_000].split("\n"))


def _width(text: str) -> float:
    return sum(WIDE if unicodedata.east_asian_width(c) in "WF" else CAPITAL if c.isupper() else 1.0 for c in text)
