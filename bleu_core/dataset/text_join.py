"""Join of ratings and marked errors with segments by the texts in their file, where its numbers are of other segments.

A file of ratings may have the texts that were rated. If most of them are those of the segments that the file numbers,
its numbers are right, and a few other texts are edited ones. If not, the numbers are those of another test set, of
which the texts are a part or in another order; the texts themselves then say the segments.

Texts are the same if their characters except white space are canonically equivalent, as where marked errors are placed.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple, TypeAlias

import numpy as np

from bleu_core.dataset.corpus import Corpus, plural
from bleu_core.dataset.judgments import ERRORS, TEXTS, Judgments, ScoreTable
from bleu_core.dataset.marked_errors import errors_in
from bleu_core.dataset.numbering import numbered_by_columns
from bleu_core.dataset.text_bridge import BYTE_ORDER_MARK
from bleu_core.errors import AlignmentError

#: Line breaks of texts with one line per segment, marks of paragraphs, and white space in ECMAScript only.
BREAKS = re.compile(rf"\\n|</?p>|{BYTE_ORDER_MARK}")
DIGITS = re.compile("[0-9]+")
#: A segment as a file numbers it: its document, "" without one, and its number.
Key: TypeAlias = "tuple[str, int]"


class RatedText(NamedTuple):
    """The texts of a rated translation, as its file has them.

    Attributes:
        key: the segment by the file's number.
        line: the segment of the texts, from 1, that has this number; 0 if none has.
        system: its system.
        source: the source; "" if the file does not have it.
        translation: the translation; "" likewise.
    """

    key: Key
    line: int
    system: str
    source: str
    translation: str


class _Texts:
    """The texts of a corpus, normalised where they are compared."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._sides: dict[str | None, Sequence[str]] = {None: corpus.source or (), **corpus.systems}
        self._normal: dict[str, str] = {}
        self._lines: dict[str | None, Mapping[str, Sequence[int]]] = {}

    def sides(self, item: RatedText) -> list[tuple[str, str | None]]:
        """Return the texts of an item that the corpus has, too, normalised, each with its system; None for the source.

        The translation comes first.
        """
        given: tuple[tuple[str, str | None], ...] = ((item.translation, item.system), (item.source, None))
        normal = ((self.normal(text), system) for text, system in given if text and self._sides.get(system))
        return [(text, system) for text, system in normal if text]

    def fits(self, item: RatedText, line: int) -> bool:
        """Return whether a text of an item is that of a segment, counted from 1, or in a segment that is a document."""
        is_document = self.corpus.ids is not None and not self.corpus.ids[line - 1].segment
        own = ((text, self.normal(self._sides[system][line - 1])) for text, system in self.sides(item))
        return any(text == segment or (is_document and text in segment) for text, segment in own)

    def is_output(self, item: RatedText, system: str) -> bool:
        """Return whether the translation of an item is that of a system for its segment."""
        return self.fits(item._replace(source="", system=system), item.line)

    def lines(self, item: RatedText) -> set[int]:
        """Return the segments with the texts of an item, or else with one of them, in its document if it is known."""
        by_side: list[set[int]] = []
        for text, system in self.sides(item):
            if system not in self._lines:
                lines: dict[str, list[int]] = defaultdict(list)
                for line, own in enumerate(self._sides[system], start=1):
                    lines[self.normal(own)].append(line)
                self._lines[system] = lines
            by_side.append(set(self._lines[system].get(text, ())))
        candidates = by_side[0].intersection(*by_side[1:]) or next(filter(None, by_side), set[int]())
        documents = self.corpus.documents
        if documents is None or item.key[0] not in documents:
            return candidates
        return {line for line in candidates if documents[line - 1] == item.key[0]}

    def normal(self, text: str) -> str:
        """Return the canonically decomposed characters of a text without white space and BREAKS."""
        if text not in self._normal:
            self._normal[text] = "".join(unicodedata.normalize("NFD", BREAKS.sub("", text)).split())
        return self._normal[text]


def join_by_texts(
    items: Iterable[RatedText], corpus: Corpus, origin: str
) -> tuple[Mapping[Key, int] | None, tuple[str, ...]]:
    """Return the segments that a file numbers, by the texts in it, if its numbers are not those of the texts in use.

    The numbers are right if at least half of the texts that can be compared are those of their segments: with wrong
    numbers only repeated sentences are, with right ones only edited texts are not. If most numbers are beyond the texts
    in use, the texts must not find twice as many, since a few may fit by chance. Otherwise the file is joined by its
    texts if they are those of at least half of its rated translations, or of at least half of the translations in use,
    which may be a part of those rated. Placeholders, such as "text 1" and "text 2" in place of
    texts that are not published, are no texts.

    Args:
        items: the rated translations of the file.
        corpus: the texts in use.
        origin: the file, for messages.

    Returns:
        Segment as the file numbers it -> segment of the corpus, from 1, without those that are not found or are
        ambiguous; None if the numbers are right, or nothing can be compared. And sentences about it.

    Raises:
        AlignmentError: neither the numbers nor the texts are those of the texts in use, or most of a system's
            translations are those of another system.
    """
    texts = _Texts(corpus)
    comparable = [item for item in dict.fromkeys(items) if texts.sides(item)]
    numbered = [item for item in comparable if item.line]
    right = sum(texts.fits(item, item.line) for item in numbered)
    are_right = bool(numbered) and 2 * right >= len(numbered)
    _check_systems(texts, numbered, origin)
    if not comparable or (are_right and 2 * len(numbered) >= len(comparable)):
        return None, _differing(len(numbered), right)
    lines = _matched(texts, comparable)
    n_joined = sum(item.key in lines and texts.fits(item, lines[item.key]) for item in comparable)
    if are_right and n_joined < 2 * right:
        return None, _differing(len(numbered), right)
    cells = corpus.segments * max(1, len({item.system for item in comparable} & corpus.systems.keys()))
    counts = f"{right:,} of {len(numbered):,} rated texts are those of the segments with their numbers"
    if n_joined > right and 2 * n_joined >= min(len(comparable), cells):
        return lines, (
            f"joined by the texts in it ({n_joined:,} of {len(comparable):,} found), not by number: {counts}",
        )
    if not numbered:
        return None, ()
    if not right and not n_joined and _are_placeholders(comparable):
        return None, ()
    raise AlignmentError(
        f"{origin}: its segment numbers are not those of the texts: {counts}, and {n_joined:,} of {len(comparable):,} "
        "are found in the texts by themselves; load the texts that were rated, or number its segments by the lines of "
        "the texts"
    )


def _check_systems(texts: _Texts, items: Iterable[RatedText], origin: str) -> None:
    """Check that the rated translations of no system are those of another one.

    Raises:
        AlignmentError: most of them are, and most are not the system's own.
    """
    rated: dict[str, list[RatedText]] = defaultdict(list)
    for item in items:
        if item.translation and item.system in texts.corpus.systems:
            rated[item.system].append(item)
    for system, own in rated.items():
        others = [name for name in texts.corpus.systems if name != system]
        if not others or 2 * sum(texts.is_output(item, system) for item in own) >= len(own):
            continue
        counts = {name: sum(texts.is_output(item, name) for item in own) for name in others}
        other = max(others, key=counts.__getitem__)
        if 2 * counts[other] > len(own):
            raise AlignmentError(
                f"{origin}: {counts[other]:,} of {len(own):,} rated translations of {system} are those of {other}; "
                "correct the names of the systems in it, or of the files with their outputs"
            )


def _are_placeholders(items: Sequence[RatedText]) -> bool:
    """Return whether all sources are one word, the same but for digits, and so are all translations."""
    sources, translations = (
        {" ".join(DIGITS.sub(" ", text).split()) for text in texts if text}
        for texts in zip(*((item.source, item.translation) for item in items), strict=True)
    )
    return len(items) > 1 and all(len(words) <= 1 and " " not in "".join(words) for words in (sources, translations))


def _differing(numbered: int, right: int) -> tuple[str, ...]:
    """Return a sentence on rated texts that are not those of their segments; empty if there are none."""
    different = numbered - right
    if not different:
        return ()
    verb = "differs from that" if different == 1 else "differ from those"
    return (f"{different:,} of {numbered:,} rated texts {verb} in use, of the same segment; the ratings are used",)


def _matched(texts: _Texts, items: Iterable[RatedText]) -> dict[Key, int]:
    """Return the segment of each key that has exactly one; of repeated texts by the segments before and after."""
    by_key: dict[Key, list[set[int]]] = defaultdict(list)
    for item in items:
        by_key[item.key].append(texts.lines(item))
    candidates = {key: _agreed(own) for key, own in by_key.items()}
    sure = _unclaimed({key: min(lines) for key, lines in candidates.items() if len(lines) == 1})
    anchors: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for (document, number), line in sorted(sure.items()):
        anchors[document].append((number, line))
    taken = set(sure.values())
    others = {
        key: line
        for key, lines in candidates.items()
        if key not in sure and (line := _between(key[1], lines - taken, anchors[key[0]]))
    }
    return sure | _unclaimed(others)


def _agreed(candidates: Sequence[set[int]]) -> set[int]:
    """Return the segments that most items with one number may be of; empty if fewer than half agree."""
    votes = Counter(line for lines in candidates for line in lines)
    most = max(votes.values(), default=0)
    return {line for line, count in votes.items() if count == most} if 2 * most >= len(candidates) else set()


def _unclaimed(lines: Mapping[Key, int]) -> dict[Key, int]:
    """Return the keys whose segment no other key has."""
    counts = Counter(lines.values())
    return {key: line for key, line in lines.items() if counts[line] == 1}


def _between(number: int, lines: set[int], anchors: Sequence[tuple[int, int]]) -> int:
    """Return the one of several segments that the known segments around a number leave; 0 if it is not clear.

    Args:
        number: the number in the file.
        lines: the segments with its text.
        anchors: number -> segment of other texts of the document, ascending by number.
    """
    at = bisect_left(anchors, (number, 0))
    around = anchors[max(at - 1, 0) : at + 1]
    expected = {line + number - other for other, line in around}
    if len(expected) == 1 and expected <= lines:
        return expected.pop()
    if len(around) < 2 or not 0 < at < len(anchors):  # noqa: PLR2004 # before and after
        return 0
    inside = [line for line in lines if around[0][1] < line < around[1][1]]
    return inside[0] if len(inside) == 1 else 0


def joined_ratings(
    judgments: Judgments, corpus: Corpus, numbers: Mapping[str, Sequence[int]]
) -> tuple[Judgments, tuple[str, ...]]:
    """Return ratings with the segments that the texts in their file say, if its numbers are not those of the texts.

    Where no text can be compared, the numbers may be those of another column.

    Args:
        judgments: ratings as in their file, or numbered by the ids of the texts.
        corpus: the texts.
        numbers: name of a column -> the number of each segment in it.

    Returns:
        The ratings, and sentences about them, which follow the file's name.

    Raises:
        AlignmentError: as join_by_texts and numbered_by_columns.
    """
    if not corpus.segments or judgments.numbering == "item":
        return judgments, ()
    texts = _texts_of(judgments)
    if texts is None:
        return numbered_by_columns(judgments, corpus, numbers)
    table = judgments.lined(corpus.documents).table
    in_file = table["position"] if judgments.numbering == "document" else table["segment"]
    columns = (table["document"].fillna("").tolist(), in_file.fillna(0).astype(int).tolist())
    lines = table["segment"].fillna(0).astype(int).tolist()
    items = [
        RatedText((document, number), line if 0 < line <= corpus.segments else 0, system, *own)
        for document, number, line, system, own in zip(*columns, lines, table["system"].tolist(), texts, strict=True)
    ]
    in_corpus = _Texts(corpus)
    if not any(map(in_corpus.sides, items)):
        return numbered_by_columns(judgments, corpus, numbers)
    origin = str(table["origin"].iloc[0])
    line_of, sentences = join_by_texts(compress(items, in_file.notna()), corpus, origin)
    if line_of is None:
        return judgments, sentences
    own_lines = [line_of.get(item.key, -1) for item in items]
    own_lines = [
        line if line > 0 and (not in_corpus.sides(item) or in_corpus.fits(item, line)) else -1
        for item, line in zip(items, own_lines, strict=True)
    ]
    is_lost = (np.array(own_lines) < 0) & judgments.table["score"].notna().to_numpy(bool)
    lost = judgments.table.loc[is_lost, "line"]
    if len(lost):
        rating, verb = plural(len(lost), "rating"), "is" if len(lost) == 1 else "are"
        sentence = (
            f"{len(lost):,} {rating} (first: line {lost.min():,}) {verb} not used: the texts do not have the rated "
            "text, or have it in several places"
        )
        sentences = (*sentences, sentence)
    return judgments.at_lines(own_lines), sentences


def _texts_of(judgments: Judgments) -> list[tuple[str, str]] | None:
    """Return the source and the translation of each rating, "" for unknown ones; None if all are unknown."""
    table = judgments.table
    if TEXTS[0] in table.columns:
        pairs = zip(*(table[name].tolist() for name in TEXTS), strict=True)
        texts = [(source or "", translation or "") for source, translation in pairs]
    elif ERRORS in table.columns:
        texts = [_marked_texts(cell) for cell in table[ERRORS].tolist()]
    else:
        return None
    return texts if any(map(any, texts)) else None


def _marked_texts(cell: object) -> tuple[str, str]:
    """Return the source and the translation in which errors are marked; "" for unknown ones."""
    by_side = {error.in_source: error.text for error in errors_in(cell) or () if error.text and not error.problem}
    return by_side.get(True, ""), by_side.get(False, "")


def joined_scores(table: ScoreTable, corpus: Corpus) -> tuple[ScoreTable, tuple[str, ...]]:
    """Return scores by the segments that the scored texts say, or those with marked errors, as joined_ratings.

    Raises:
        AlignmentError: as join_by_texts.
    """
    scored: Sequence[Sequence[tuple[str, str]]] = [[("", text) for text in own] for own in table.texts or ()]
    if not scored:
        scored = [list(map(_marked_texts, marked)) for marked in table.errors or ()]
    table = replace(table, texts=None)
    if not scored or not corpus.segments or table.ids is not None:
        return table, ()
    items = [
        RatedText(("", number), number if number <= corpus.segments else 0, system, *texts)
        for system, own in zip(table.systems, scored, strict=True)
        for number, texts in enumerate(own, start=1)
    ]
    line_of, sentences = join_by_texts(items, corpus, f"{table.origin or 'scores'}: {table.name}")
    if line_of is None:
        return table, sentences
    row_of = {line: number - 1 for (_, number), line in line_of.items()}
    rows = [row_of.get(line, -1) for line in range(1, corpus.segments + 1)]
    return replace(table.subset(rows), numbered=True), sentences
