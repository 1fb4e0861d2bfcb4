"""Character counts by segment: scripts, capitals, punctuation and traces of tokenisation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import BLOCKS, Script
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput

Bytes = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
#: Number of the characters that are told apart, and one more for all later ones, which are in no block of a script.
SIZE = max(last for _, last, _ in BLOCKS) + 2


class Count(IntEnum):
    """The columns of the counts of characters."""

    UPPER = 0
    LOWER = 1
    FULL_STOP = 2  # and other marks that end sentences
    COMMA = 3  # and semicolons and colons
    STRAIGHT_QUOTE = 4
    TYPESET_QUOTE = 5
    STRAIGHT_APOSTROPHE = 6  # between letters
    TYPESET_APOSTROPHE = 7
    PRINTED = 8  # characters that are not blank
    SPACED_MARK = 9  # a full stop or comma after a blank and before one
    ATTACHED_MARK = 10  # a full stop or comma after a word and before a blank
    MARKUP = 11  # traces of tokenisers: @-@, @@, U+2581, &quot;
    ENDED = 12  # 1 if the last character ends a sentence
    NOT_COMPOSED = 13  # 1 if the text is not in normal form C
    REPLACED = 14  # U+FFFD
    MOJIBAKE = 15  # UTF-8 that was read as Windows-1252 or ISO 8859-1
    FULL_WIDTH = 16  # full-width and ideographic punctuation
    DETACHED = 17  # 's and n't as words of their own


#: Kinds of characters; the first are columns of Count, too.
SPACE, LETTER, REST = 8, 9, 10
KINDS = 11
_MARKS = {
    Count.FULL_STOP: ".!?\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964\u1362",
    Count.COMMA: ",;:\u3001\uff0c\uff1b\uff1a\u060c\u061b",
    Count.STRAIGHT_QUOTE: '"',
    Count.TYPESET_QUOTE: "\u201c\u201d\u201e\u201f\u00ab\u00bb",
    Count.STRAIGHT_APOSTROPHE: "'",
    Count.TYPESET_APOSTROPHE: "\u2018\u2019",
}

#: Characters after which a sentence may be over.
ENDS = frozenset(_MARKS[Count.FULL_STOP] + ":;\"'\u201c\u201d\u2019\u00bb\u00ab)]\uff09\u300d\u300f\u2014\u2013-*")

#: Traces of tokenisers, which do not occur in other text.
MARKUP = re.compile(r"@-@|@@(?= |$)|\u2581|&(?:quot|apos|amp|lt|gt|#39|#34|#91|#93|#124);")
_MARKUP_PARTS = ("@-@", "@@", "\u2581", "&")

#: English endings as words of their own, as tokenisers write them. Dutch has 's before these words.
DETACHED = re.compile(
    r"(?<=\w) (?:'s(?! (?:ochtends|morgens|middags|avonds|nachts|zomers|winters|anderendaags|lands|werelds"
    r"|(?:maan|dins|woens|donder|vrij|zater|zon)dags)\b)|n't)(?= |$)",
    re.IGNORECASE,
)
_DETACHED_PARTS = (" 's", " 'S", " n't", " N'T")

#: Bytes that continue a character of UTF-8, as Windows-1252 and ISO 8859-1 have them.
_CONTINUED = "".join(map(chr, range(0x80, 0xC0))) + bytes(range(0x80, 0xA0)).decode("cp1252", "ignore")
_CONTINUED_CODES = np.array([ord(character) for character in _CONTINUED], np.uint32)
_C = f"[{re.escape(_CONTINUED)}]"
#: UTF-8 in these encodings: Latin letters, punctuation, Greek and Cyrillic, Chinese and similar. Other lead bytes may
#: be text, such as a German \xdf before a quotation mark, and so may some of these alone, or not after a small letter.
MOJIBAKE = (
    rf"[\xc2\xc3]{_C}|\xe2[\x80\u20ac\x82\u201a]{_C}|(?<=[a-z])[\xc4\xc5]{_C}|(?:[\xc4\xc5\xce-\xd1]{_C}){{2}}"
    rf"|(?:[\xe3-\xe9]{_C}{{2}}){{2}}"
)
#: The first and the last of these lead bytes.
_LEADS = (0xC2, 0xE9)

#: Replacement character of decoders for invalid bytes.
_REPLACEMENT = 0xFFFD

#: Full-width forms of ASCII's punctuation, and the comma and the full stop of Chinese and Japanese.
_WIDE = ((0xFF01, 0xFF0F), (0xFF1A, 0xFF20), (0xFF3B, 0xFF40), (0xFF5B, 0xFF5E), (0x3001, 0x3002))


def character_counts(data: DiagnosticInput) -> Counts:
    """Return the counts of all texts, (T, S, columns of Count); 0 for absent references."""
    return data.segment_values(count_characters)


def script_counts(data: DiagnosticInput) -> Counts:
    """Return the number of letters by script of all texts, (T, S, scripts)."""
    return data.segment_values(count_scripts)


def count_characters(data: DiagnosticInput) -> npt.NDArray[Any]:
    """Count characters of all texts; the cached computation of `character_counts`."""
    return data.computed_once(_counts)[0]


def count_scripts(data: DiagnosticInput) -> npt.NDArray[Any]:
    """Count letters by script; the cached computation of `script_counts`."""
    if data.alarms_only:  # characters of other kinds are not needed
        return np.stack([count_scripts_of([line or "" for line in text]) for text in data.texts.values()])
    return data.computed_once(_counts)[1]


def _counts(data: DiagnosticInput) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Count characters and scripts together."""
    counts = [_count_text([line or "" for line in text]) for text in data.texts.values()]
    return np.stack([characters for characters, _ in counts]), np.stack([scripts for _, scripts in counts])


def code_points(lines: Sequence[str]) -> tuple[npt.NDArray[np.uint32], Counts]:
    """Return the code points of lines, with a newline after each, and the line number of each code point."""
    data = "\n".join([*lines, ""]).encode("utf-32-le", "surrogatepass")
    return np.frombuffer(data, np.uint32), np.repeat(np.arange(len(lines)), [len(line) + 1 for line in lines])


def count_scripts_of(lines: Sequence[str]) -> Counts:
    """Return the number of letters by script of one text, (S, scripts)."""
    codes, rows = code_points(lines)
    scripts = _tables()[0][np.minimum(codes, SIZE - 1)]
    size = len(lines) * len(Script)
    counts = np.bincount(rows * len(Script) + scripts, minlength=size).reshape(len(lines), len(Script))
    counts[:, Script.NONE] = 0
    return counts


def _count_text(lines: Sequence[str]) -> tuple[Counts, Counts]:
    """Return the counts of one text, (S, columns of Count) and (S, scripts)."""
    codes, rows = code_points(lines)
    classes, class_of_code = _classes()
    places = np.minimum(codes, SIZE - 1)
    size, kinds = len(lines), _tables()[1][places]
    cells = rows * len(classes) + class_of_code[places]
    by_class = np.bincount(cells, minlength=size * len(classes)).reshape(size, len(classes))
    by_script, by_kind = np.zeros((size, len(Script)), np.int64), np.zeros((size, KINDS), np.int64)
    for number, (script, kind) in enumerate(classes):
        by_kind[:, kind] += by_class[:, number]
        if script != Script.NONE:
            by_script[:, script] += by_class[:, number]
    counts = np.zeros((size, len(Count)), np.int64)
    counts[:, : SPACE - 2] = by_kind[:, : SPACE - 2]
    counts[:, Count.PRINTED] = by_kind.sum(axis=1) - by_kind[:, SPACE]
    for column, found in _in_context(codes, kinds).items():
        counts[:, column] = np.bincount(rows[found], minlength=size)
    counts[:, Count.ENDED] = [line.rstrip()[-1:] in ENDS for line in lines]
    joined = "\n".join(lines)
    for column, pattern, parts in (
        (Count.MARKUP, MARKUP, _MARKUP_PARTS),
        (Count.DETACHED, DETACHED, _DETACHED_PARTS),
    ):
        if any(part in joined for part in parts):
            counts[:, column] = [len(pattern.findall(line)) for line in lines]
    _count_damage(counts, lines, codes, rows)
    if not unicodedata.is_normalized("NFC", joined):
        counts[:, Count.NOT_COMPOSED] = [not unicodedata.is_normalized("NFC", line) for line in lines]
    return counts, by_script


def _count_damage(counts: Counts, lines: Sequence[str], codes: npt.NDArray[np.uint32], rows: Counts) -> None:
    """Count replacement characters, UTF-8 read in another encoding, and full-width punctuation."""
    candidates = np.flatnonzero(codes >= _LEADS[0])
    candidate_rows, candidate_codes = rows[candidates], codes[candidates]
    wide = np.logical_or.reduce([(candidate_codes >= first) & (candidate_codes <= last) for first, last in _WIDE])
    for column, which in ((Count.REPLACED, candidate_codes == _REPLACEMENT), (Count.FULL_WIDTH, wide)):
        counts[:, column] = np.bincount(candidate_rows[which], minlength=len(lines))
    leads = candidates[candidate_codes <= _LEADS[1]]  # each is followed by at least a newline
    suspects: list[int] = np.unique(rows[leads[np.isin(codes[leads + 1], _CONTINUED_CODES)]]).tolist()
    for i in suspects:
        counts[i, Count.MOJIBAKE] = len(re.findall(MOJIBAKE, lines[i]))


def _in_context(codes: npt.NDArray[np.uint32], kinds: Bytes) -> dict[Count, Counts]:
    """Return the positions of characters whose class depends on their neighbours."""
    marks = np.flatnonzero((codes == ord(".")) | (codes == ord(",")))
    marks = marks[(marks > 0) & (marks < len(codes) - 1)]
    marks = marks[kinds[marks + 1] == SPACE]
    before = kinds[marks - 1]
    words = (before == LETTER) | (before <= Count.LOWER)
    positions = {Count.SPACED_MARK: marks[before == SPACE], Count.ATTACHED_MARK: marks[words]}
    for kind in (Count.STRAIGHT_APOSTROPHE, Count.TYPESET_APOSTROPHE):
        places = np.flatnonzero(kinds == kind)
        places = places[(places > 0) & (places < len(codes) - 1)]
        inside = (kinds[places - 1] <= Count.LOWER) & (kinds[places + 1] <= Count.LOWER)
        positions[kind] = places[inside]
    return positions


@cache
def _classes() -> tuple[tuple[tuple[int, int], ...], Bytes]:
    """Return the existing pairs of script and kind, and the number of the pair of every code point."""
    scripts, kinds = _tables()
    pair_of_code = scripts * np.uint8(KINDS) + kinds  # at most 165, the number of pairs
    pairs = np.flatnonzero(np.bincount(pair_of_code))
    number_of_pair = np.zeros(len(Script) * KINDS, np.uint8)
    number_of_pair[pairs] = np.arange(len(pairs))
    classes: list[tuple[int, int]] = [divmod(pair, KINDS) for pair in pairs.tolist()]
    return tuple(classes), number_of_pair[pair_of_code]


@cache
def _tables() -> tuple[Bytes, Bytes]:
    """Return the script and the kind of every code point."""
    scripts, kinds = np.zeros(SIZE, np.uint8), np.full(SIZE, REST, np.uint8)
    for first, last, script in BLOCKS:
        scripts[first : last + 1] = script
        kinds[first : last + 1] = LETTER
    for code in range(0x3000):
        character = chr(code)
        if character.isalpha():
            kinds[code] = Count.UPPER if character.isupper() else Count.LOWER if character.islower() else LETTER
            scripts[code] = scripts[code] or Script.OTHER
        elif unicodedata.category(character) not in (
            "Mn",
            "Mc",
        ):  # combining marks belong to the letters of their block
            kinds[code], scripts[code] = SPACE if character.isspace() else REST, Script.NONE
    scripts[0xA000:0xA4D0] = Script.OTHER
    for kind, characters in _MARKS.items():
        for character in characters:
            kinds[ord(character)], scripts[ord(character)] = kind, Script.NONE
    kinds[0x3000] = SPACE
    return scripts, kinds
