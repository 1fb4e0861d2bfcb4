"""Split of documents that are one segment each into paragraphs, if all texts of a document have the same number."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.dataset.corpus import ROLE_NAMES, Column, Role, SegmentId, plural
from bleu_core.errors import listed

if TYPE_CHECKING:
    from bleu_core.dataset.parts import FilePart

#: Blank lines between paragraphs, and paragraphs in HTML.
BLANK_LINES = re.compile(r"\n[^\S\n]*+\n\s*+")
ELEMENT, END_OF_ELEMENT = "<p>", "</p>"
#: Blanks with a line break; a match begins before all of them, since one from each would take quadratic time.
LINE_BREAK = re.compile(r"(?<!\s)[^\S\r\n]*+[\r\n]\s*+")
#: The first of these roles is the one that other texts are compared with.
SIDES: tuple[Role, ...] = ("source", "reference", "system", "document")
#: Maximum number of documents and texts that a sentence names.
MAX_NAMED = 5


def paragraphs_of(text: str) -> tuple[str, ...]:
    r"""Split a document at blank lines, or into <p> elements if it consists of them; each paragraph is one line.

    >>> paragraphs_of("One\nand more.\n\nTwo.\n")
    ('One and more.', 'Two.')
    >>> paragraphs_of("<p>One</p>\n<p>Two</p>")
    ('<p>One</p>', '<p>Two</p>')
    """
    text = text.strip()
    *elements, rest = (element.lstrip() for element in text.split(END_OF_ELEMENT))
    if elements and not rest and all(element.startswith(ELEMENT) for element in elements):
        pieces = [element + END_OF_ELEMENT for element in elements]
    else:
        pieces = [piece for piece in BLANK_LINES.split(text) if piece.strip()] or [text]
    return tuple(LINE_BREAK.sub(" ", piece.strip()) for piece in pieces)


def split_at_paragraphs(parts: Mapping[int, FilePart]) -> tuple[dict[int, FilePart], dict[int, tuple[str, ...]]]:
    """Split the documents of parts at paragraphs, if one of the parts requests it.

    A document is split if all of its texts have the same number of paragraphs; else it stays one segment. Paragraphs
    are numbered from 1. Texts without the original line breaks are not split.

    Args:
        parts: position -> part.

    Returns:
        The parts, and position -> sentences about documents that are not split, which follow the file's name: of the
        first part with the source, else with references or a system.
    """
    if not any(part.paragraphs for part in parts.values()):
        return dict(parts), {}
    places = [(position, c) for position, part in parts.items() for c in part.columns if c.written is not None]
    places.sort(key=lambda place: SIDES.index(place[1].role))
    texts = [column for _, column in places]
    counts = [_counts(column) for column in texts]
    numbers: dict[SegmentId, set[int]] = {}
    for text_counts in counts:
        for key, count in text_counts.items():
            numbers.setdefault(key, set()).add(count)
    split = {key: split_parts.pop() for key, split_parts in numbers.items() if len(split_parts) == 1}
    split_parts = {
        position: replace(part, columns=tuple(_split(column, split) for column in part.columns))
        for position, part in parts.items()
    }
    unsplit = [key for key in numbers if key not in split]
    return split_parts, ({places[0][0]: (_sentence(texts, counts, unsplit, len(numbers)),)} if unsplit else {})


def _counts(column: Column) -> dict[SegmentId, int]:
    """Return the number of paragraphs of each document with a text in a column."""
    texts = zip(column.ids or (), column.segments, column.written or (), strict=True)
    return {key: len(paragraphs_of(written)) for key, text, written in texts if text is not None}


def _split(column: Column, split: Mapping[SegmentId, int]) -> Column:
    """Return a column with documents split into paragraphs."""
    if column.ids is None or any(key.segment for key in column.ids):
        return column
    if column.written is None and column.role != "document":
        return column
    segments: list[str | None] = []
    ids: list[SegmentId] = []
    for row, (key, text) in enumerate(zip(column.ids, column.segments, strict=True)):
        count = split.get(key, 0)
        if not count:
            segments.append(text)
            ids.append(key)
            continue
        written = None if column.written is None else column.written[row]
        pieces = [text] * count if written is None or text is None else paragraphs_of(written)
        segments += pieces
        ids += [SegmentId(key.document, str(number)) for number in range(1, count + 1)]
    return replace(column, segments=tuple(segments), ids=tuple(ids), written=None)


def _sentence(
    texts: Sequence[Column], counts: Sequence[Mapping[SegmentId, int]], unsplit: Sequence[SegmentId], total: int
) -> str:
    """Return the sentence about documents that are not split, and the texts that differ from the first one."""
    expected = {key: next(of[key] for of in counts if key in of) for key in unsplit}
    differing: dict[str, int] = {}
    for column, text_counts in zip(texts, counts, strict=True):
        different = sum(text_counts.get(key, expected[key]) != expected[key] for key in unsplit)
        if different:
            differing[column.name] = differing.get(column.name, 0) + different
    ordered = sorted(differing, key=lambda name: (-differing[name], name))
    named = listed((f"{name} in {differing[name]:,}" for name in ordered), max_items=MAX_NAMED)
    return (
        f"{len(unsplit):,} of {total:,} {plural(total, 'document')} not split, as their texts differ in the number of "
        f"paragraphs: {listed((key.document for key in unsplit), max_items=MAX_NAMED)}; other numbers than in the "
        f"{ROLE_NAMES[texts[0].role]}: {named}"
    )
