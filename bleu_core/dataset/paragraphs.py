"""Documents that are one segment each, split at paragraphs where all texts of a document have as many of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.dataset.corpus import ROLE_NAMES, Column, Role, SegmentId, plural
from bleu_core.errors import listed

if TYPE_CHECKING:
    from bleu_core.dataset.parts import Part

#: Blank lines between paragraphs, and what a text of paragraphs in HTML is made of.
BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
ELEMENT = re.compile(r"<p>.*?</p>", re.DOTALL)
BETWEEN_ELEMENTS = re.compile(r"\s*")
LINE_BREAK = re.compile(r"[^\S\n]*[\r\n]\s*")
#: Texts in the order in which others are compared with them.
SIDES: tuple[Role, ...] = ("source", "reference", "system", "document")
#: Documents and texts that a sentence names.
MAX_NAMED = 5


def paragraphs_of(text: str) -> tuple[str, ...]:
    r"""Split a document at blank lines, or into its elements <p> where it is nothing else; each on one line.

    >>> paragraphs_of("One\nand more.\n\nTwo.\n")
    ('One and more.', 'Two.')
    >>> paragraphs_of("<p>One</p>\n<p>Two</p>")
    ('<p>One</p>', '<p>Two</p>')
    """
    text = text.strip()
    elements = ELEMENT.findall(text)
    between = ELEMENT.split(text)
    if elements and not any(piece.strip() for piece in between):
        pieces = elements
    else:
        pieces = [piece for piece in BLANK_LINES.split(text) if piece.strip()] or [text]
    return tuple(LINE_BREAK.sub(" ", piece.strip()) for piece in pieces)


def split_at_paragraphs(parts: Mapping[int, Part]) -> tuple[dict[int, Part], dict[int, tuple[str, ...]]]:
    """Split the documents of parts at paragraphs, if one of the parts asks for it.

    A document is split where all of its texts have as many paragraphs; else it stays one segment. Paragraphs are
    numbered from 1. Texts whose files do not have documents as they were written stay as they are.

    Args:
        parts: by their positions.

    Returns:
        The parts, and of the first one that has the source, or else references or a system, sentences about documents
        that stay whole, which follow its file's name.
    """
    if not any(part.paragraphs for part in parts.values()):
        return dict(parts), {}
    places = [(position, c) for position, part in parts.items() for c in part.columns if c.written is not None]
    places.sort(key=lambda place: SIDES.index(place[1].role))
    texts = [column for _, column in places]
    counts = [_counts(column) for column in texts]
    numbers: dict[SegmentId, set[int]] = {}
    for of_text in counts:
        for key, count in of_text.items():
            numbers.setdefault(key, set()).add(count)
    split = {key: found.pop() for key, found in numbers.items() if len(found) == 1}
    found = {
        position: replace(part, columns=tuple(_split(column, split) for column in part.columns))
        for position, part in parts.items()
    }
    whole = [key for key in numbers if key not in split]
    return found, ({places[0][0]: (_sentence(texts, counts, whole, len(numbers)),)} if whole else {})


def _counts(column: Column) -> dict[SegmentId, int]:
    """The number of paragraphs of each document of which a column has a text."""
    texts = zip(column.ids or (), column.segments, column.written or (), strict=True)
    return {key: len(paragraphs_of(written)) for key, text, written in texts if text is not None}


def _split(column: Column, split: Mapping[SegmentId, int]) -> Column:
    """A column with the paragraphs of documents that are split."""
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
    texts: Sequence[Column], counts: Sequence[Mapping[SegmentId, int]], whole: Sequence[SegmentId], every: int
) -> str:
    """Which documents stay whole, and which texts differ from the first one that has the document."""
    usual = {key: next(of[key] for of in counts if key in of) for key in whole}
    differing: dict[str, int] = {}
    for column, of_text in zip(texts, counts, strict=True):
        different = sum(of_text.get(key, usual[key]) != usual[key] for key in whole)
        if different:
            differing[column.name] = differing.get(column.name, 0) + different
    worst = sorted(differing, key=lambda name: (-differing[name], name))
    named = listed((f"{name} in {differing[name]:,}" for name in worst), max_items=MAX_NAMED)
    return (
        f"{len(whole):,} of {every:,} {plural(every, 'document')} not split, as their texts differ in the number of "
        f"paragraphs: {listed((key.document for key in whole), max_items=MAX_NAMED)}; other numbers than in the "
        f"{ROLE_NAMES[texts[0].role]}: {named}"
    )
