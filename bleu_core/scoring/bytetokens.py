r"""Tokenisation of many lines at once, over their UTF-8 bytes.

A tokeniser is a table with a class for every code point. sacreBLEU's successive regular expressions for 13a, zh and
intl are equivalent to these classes and one rule (see `_resolve`), so that a whole chunk of lines is tokenised by a few
passes over an array of bytes. To change a tokeniser, change its table; no other code depends on the language.

Lines are joined by \n, which is a separate token, so that no token extends over two lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers

Scalar = TypeVar("Scalar", bound=np.generic)
Bytes = npt.NDArray[np.uint8]

#: Classes of bytes, by the treatment of the character that they begin. Classes from WORD on are parts of words.
REST, SPACE, ALONE, WORD, NUMBER, SOFT, DASH = range(7)
# REST   a further byte of a character that is ALONE or SOFT
# ALONE  always a separate token
# SOFT   a separate token unless next to a number: the full stop and comma of 13a, all punctuation of intl
# DASH   a separate token after a number

BYTE_TOKENIZERS = ("13a", "none", "intl", "zh", "char")

#: White space as defined by str.split, without U+200B and U+FEFF.
WHITE_SPACE = (
    *(*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B)),
    *(0x2028, 0x2029, 0x202F, 0x205F, 0x3000),
)

#: ASCII punctuation that 13a and zh always separate; the full stop, comma and dash have other rules.
MARKS = ((0x21, 0x26), (0x28, 0x2B), (0x2F, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E))

#: Chinese characters as defined by sacreBLEU's zh. U+2001 to U+2A6D, and U+2F81 to U+2FA1, are included because it
#: writes code points of five digits as "\u20000"; the results are the same as its results.
CHINESE = (
    *((0x3400, 0x4DB5), (0x4E00, 0x9FBB), (0xF900, 0xFA2D), (0xFA30, 0xFA6A), (0xFA70, 0xFAD9), (0x2001, 0x2A6D)),
    *((0x2F81, 0x2FA1), (0xFF00, 0xFFEF), (0x2E80, 0x2EFF), (0x3000, 0x303F), (0x31C0, 0x31EF), (0x2F00, 0x2FDF)),
    *((0x2FF0, 0x2FFF), (0x3100, 0x312F), (0x31A0, 0x31BF), (0xFE10, 0xFE1F), (0xFE30, 0xFE4F), (0x2600, 0x26FF)),
    *((0x2700, 0x27BF), (0x3200, 0x32FF), (0x3300, 0x33FF)),
)

NEWLINE = 10
FIRST_LEAD = 0xC0  # bytes from here on begin a character of several bytes
ASCII_SIZE, UNICODE_SIZE = 0x80, 0x110000

#: Bytes of a character, by its first byte.
CHARACTER_SIZE = np.repeat(np.array([1, 2, 3, 4]), [0xC0, 0x20, 0x10, 0x10])
TWO_BYTES, THREE_BYTES, MAX_CHARACTER_LENGTH = 2, 3, 4

#: Text that 13a removes from a line.
SKIPPED = b"<skipped>"

#: Entities as 13a decodes them, one after the other: &amp;lt; becomes <, but &amp;quot; becomes &quot;.
ENTITY = re.compile(rb"&(?:quot|(?:amp;)?lt|(?:amp;)?gt|amp);")
ENTITIES = {b"&quot;": b'"', b"&amp;": b"&", b"&lt;": b"<", b"&gt;": b">", b"&amp;lt;": b"<", b"&amp;gt;": b">"}


@dataclass(frozen=True, slots=True, eq=False)
class ByteTokens:
    """Tokens of a chunk of lines, including the newlines before the first line and after each line.

    Attributes:
        data: the lines' bytes after cleaning, padded with at least eight zeros to whole words of eight.
        starts: of each token, in bytes.
        ends: of each token, after its last byte.
    """

    data: bytes
    starts: Integers
    ends: Integers


def take(array: npt.NDArray[Scalar], positions: Integers) -> npt.NDArray[Scalar]:
    """Return array[positions]; mode="clip" avoids a check of every position, a third of the cost."""
    return array.take(positions, mode="clip")


def tokenize_lines(lines: Sequence[str], tokenizer: str, *, lowercase: bool) -> ByteTokens:
    """Tokenise lines as sacreBLEU's tokeniser of that name does, after removing white space at their ends.

    Args:
        lines: texts; a newline inside one is white space.
        tokenizer: one of BYTE_TOKENIZERS.
        lowercase: whether they are lower-cased first.
    """
    data = _clean(lines, tokenizer, lowercase=lowercase)
    starts, ends = _bounds(data, tokenizer)
    padding = bytes(16 - len(data) % 8)
    return ByteTokens(data + padding, starts, ends)


@cache
def character_classes(tokenizer: str) -> npt.NDArray[np.uint8]:
    """Return the class of every code point."""
    classes = np.full(UNICODE_SIZE, ALONE if tokenizer == "char" else WORD, np.uint8)
    if tokenizer in ("13a", "zh"):
        for first, last in MARKS:
            classes[first : last + 1] = ALONE
        classes[ord("0") : ord("9") + 1] = NUMBER
        classes[[ord(","), ord(".")]] = SOFT
        classes[ord("-")] = DASH
    if tokenizer == "zh":
        for first, last in CHINESE:
            classes[first : last + 1] = ALONE
    if tokenizer == "intl":
        import regex  # sacreBLEU's own, whose Unicode version may differ from unicodedata's

        surrogates = range(0xD800, 0xE000)
        characters = "".join(chr(c) for c in range(UNICODE_SIZE) if c not in surrogates)
        for number, pattern in ((NUMBER, r"\p{N}"), (SOFT, r"\p{P}"), (ALONE, r"\p{S}")):
            classes[[ord(c) for c in regex.findall(pattern, characters)]] = number
    classes[list(WHITE_SPACE)] = SPACE
    classes[NEWLINE] = ALONE
    classes.flags.writeable = False
    return classes


@cache
def _ascii_table(tokenizer: str) -> bytes:
    """Return a table for bytes.translate, ten times as fast as an index for ASCII; other bytes start as WORD."""
    return character_classes(tokenizer)[:ASCII_SIZE].tobytes() + bytes([WORD]) * ASCII_SIZE


def _clean(lines: Sequence[str], tokenizer: str, *, lowercase: bool) -> bytes:
    """Return lines as UTF-8, each between newlines, after sacreBLEU's removals and replacements.

    Removal is not repeated, so that "<ski<skipped>pped>" leaves "<skipped>". Lower-casing the joined lines is the same
    as lower-casing each line.
    """
    if tokenizer == "zh":
        lines = [line.strip() for line in lines]
    elif tokenizer == "intl":  # line ends matter for its punctuation; 13a adds blanks there
        lines = [line.rstrip() for line in lines]
    text = "\n".join(lines)
    data = (text.lower() if lowercase else text).encode("utf-8", "surrogatepass")
    if np.count_nonzero(np.frombuffer(data, np.uint8) == NEWLINE) >= len(lines):  # bytes.count is much slower
        lines = [_without_newlines(line.lower() if lowercase else line, tokenizer) for line in lines]
        data = "\n".join(lines).encode("utf-8", "surrogatepass")
    elif tokenizer == "13a" and SKIPPED in data:
        data = data.replace(SKIPPED, b"")
    if tokenizer == "13a" and b"&" in data:
        data = ENTITY.sub(lambda match: ENTITIES[match[0]], data)
    return b"\n" + data + b"\n"


def _without_newlines(line: str, tokenizer: str) -> str:
    """Process a line that may contain newlines, as a table cell may, as sacreBLEU does before it decodes entities."""
    line = line.rstrip()
    if tokenizer == "13a":
        line = line.replace(SKIPPED.decode(), "").replace("-\n", "")
    return line.replace("\n", " ")


def _bounds(data: bytes, tokenizer: str) -> tuple[Integers, Integers]:
    """Return starts and ends of tokens in data that begins and ends with a newline."""
    classes = np.frombuffer(bytearray(data.translate(_ascii_table(tokenizer))), np.uint8)
    if not data.isascii():
        _classify_wide(np.frombuffer(data, np.uint8), classes, tokenizer)
    if tokenizer in ("13a", "zh", "intl"):
        _resolve(np.frombuffer(data, np.uint8), classes, tokenizer)
    in_word = classes > ALONE
    first = classes == ALONE
    first[1:] |= in_word[1:] > in_word[:-1]
    last = (classes == ALONE) | (classes == REST)
    last[:-1] &= classes[1:] != REST
    last[:-1] |= in_word[:-1] > in_word[1:]
    return np.flatnonzero(first), np.flatnonzero(last) + 1


def _classify_wide(data: Bytes, classes: Bytes, tokenizer: str) -> None:
    """Set the class of characters of several bytes, in place."""
    leads = np.flatnonzero(data >= FIRST_LEAD)
    lead = take(data, leads).astype(np.int64)
    size = CHARACTER_SIZE[lead]
    second, third, fourth = (take(data, leads + k).astype(np.int64) & 0x3F for k in (1, 2, 3))
    code_point = np.where(
        size == TWO_BYTES,
        (lead & 0x1F) << 6 | second,
        np.where(
            size == THREE_BYTES,
            (lead & 0x0F) << 12 | second << 6 | third,
            (lead & 0x07) << 18 | second << 12 | third << 6 | fourth,
        ),
    )
    wide_classes = take(character_classes(tokenizer), code_point)
    special = np.flatnonzero(wide_classes != WORD)  # all others are WORD already
    leads, size, wide_classes = leads[special], size[special], wide_classes[special]
    classes[leads] = wide_classes
    rest = np.where((wide_classes == ALONE) | (wide_classes == SOFT), REST, wide_classes)
    for k in range(1, MAX_CHARACTER_LENGTH):
        longer = np.flatnonzero(size > k)
        classes[leads[longer] + k] = rest[longer]


def _resolve(data: Bytes, classes: Bytes, tokenizer: str) -> None:
    """Decide, in place, which SOFT and DASH characters are separate tokens.

    The expressions of sacreBLEU separate punctuation that is not preceded by a number, then the remaining punctuation
    that is not followed by one. Each match takes two characters, so that in a run of SOFT characters every other one
    is skipped. The i-th of a run (from 0) is thus separated by the first expression if i is odd and the character
    before the run is a number, or i is even and it is not; and by the second if the character after it is no number.
    For intl and zh there is no character at the edge of a line to match, so the edge counts as a number.
    """
    number = classes == NUMBER
    if tokenizer != "13a":
        number |= data == NEWLINE
    undecided = np.flatnonzero(classes >= SOFT)
    is_soft = classes[undecided] == SOFT
    soft, dashes = undecided[is_soft], undecided[~is_soft]
    classes[dashes[classes[dashes - 1] == NUMBER]] = ALONE
    if not len(soft):
        return
    size = CHARACTER_SIZE[data[soft]] if tokenizer == "intl" else 1
    behind = soft + size
    index = np.arange(len(soft))
    begins_run = np.concatenate([[True], soft[1:] != behind[:-1]])
    run = np.maximum.accumulate(index * begins_run)  # the position in `soft` of the first of each run
    odd = ((index - run) & 1).astype(np.bool_)
    alone = (odd == number[soft[run] - 1]) | ~number[behind]
    classes[soft[alone]] = ALONE
    if tokenizer == "intl":  # the other bytes of one that is part of a word
        for k in range(1, MAX_CHARACTER_LENGTH):
            wide = soft[~alone & (behind - soft > k)]
            classes[wide + k] = WORD
