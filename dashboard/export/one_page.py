"""How many examples fit on a one-page report, and how many lines of each text. Heights are estimated."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Sequence

from dashboard.export.section import Example

#: Heights in CSS pixels: a page of Letter between its margins, without the foot; the headings of report.html.
HEIGHT, HEADINGS = 915, 80

#: Heights in CSS pixels: a line and the margins of a paragraph; a line and the title of an example.
LINE, PARAGRAPH, EXAMPLE_LINE, EXAMPLE_TITLE = 15, 3, 11.2, 17

#: Number of narrow characters in a line of a paragraph, and of a text in an example.
LINE_LENGTH, EXAMPLE_LINE_LENGTH = 105, 110

#: Widths of capital and wide characters, relative to a narrow one.
CAPITAL, WIDE = 1.4, 2.0

#: Maximum number of printed lines of each text.
MAX_LINES = 2


def fit_examples(above: Iterable[str], examples: Sequence[Example]) -> tuple[tuple[Example, ...], int]:
    """Return the examples that fit a page, and the number of lines to which their texts are cut.

    Showing all examples with shorter texts has priority over longer texts.

    Args:
        above: the paragraphs above the examples.
        examples: the most important ones first.
    """
    available = HEIGHT - HEADINGS - sum(LINE * _lines(text, LINE_LENGTH) + PARAGRAPH for text in above)
    for lines in range(MAX_LINES, 0, -1):
        if sum(_height(example, lines) for example in examples) <= available:
            return tuple(examples), lines
    fitting: list[Example] = []
    for example in examples:
        available -= _height(example, 1)
        if fitting and available < 0:
            break
        fitting.append(example)
    return tuple(fitting), 1


def _height(example: Example, max_lines: int) -> float:
    texts = [text for _, text in example.texts] + ([example.note] if example.note else [])
    lines = sum(min(max_lines, _lines(text, EXAMPLE_LINE_LENGTH)) for text in texts)
    return EXAMPLE_TITLE + EXAMPLE_LINE * lines


def _lines(text: str, line_length: int) -> int:
    return sum(max(1, math.ceil(_width(line) / line_length)) for line in text[:10_000].split("\n"))


def _width(text: str) -> float:
    return sum(WIDE if unicodedata.east_asian_width(c) in "WF" else CAPITAL if c.isupper() else 1.0 for c in text)
