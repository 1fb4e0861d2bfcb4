"""Keys of tokens: integers that are equal for equal tokens of a line, and a check that they are equal for no others.

A key holds the number of the token's line and a hash of the token: in a chunk of 2,048 lines exactly 11 bits of line
and 53 of hash. The hash of a token of at most eight bytes is the first bits of its bytes, as one 64-bit integer, times
an odd number that is drawn at random when the program starts. Two such tokens of a line have equal keys with a
probability of at most 2**-52, whatever the tokens (multiply-shift hashing: Dietzfelbinger et al. 1997, doi
10.1006/jagm.1997.0873), and any two of n tokens with at most n**2 * 2**-53. Longer tokens are mixed word by word, for
which no such bound is proved; but no one can construct a file of colliding tokens without knowing the random numbers.

No count depends on this. Where keys are equal, `ngram_match` compares the bytes of the tokens, and if two differ,
`numbered` assigns keys without a hash to the chunk. Collisions cost time only.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.scoring.bytetokens import NEWLINE, ByteTokens, take

Keys = npt.NDArray[np.uint64]

KEY_BITS = 64
WORD_BYTES = 8
#: The opening of a longer token has this many bytes, and a mark that shorter tokens do not have.
OPENING_BYTES = WORD_BYTES - 1
#: Longer tokens, in words, are hashed one by one: otherwise one giant token would take a pass for each word.
MAX_WORDS = 32

#: Masks of the first 0 to 8 bytes of a little-endian word, and padding after them: bytes of all ones, which UTF-8 never
#: has, so that padded words of different tokens differ.
FIRST_BYTES = np.array([(1 << 8 * k) - 1 for k in range(WORD_BYTES + 1)], np.uint64)
PADDING = ~FIRST_BYTES
NEWLINE_OPENING = PADDING[1] | np.uint64(NEWLINE)
#: The last byte of the opening of a longer token: neither in UTF-8 nor padding.
LONGER_MARK = np.uint64(0xFE)
LAST_BYTE = np.uint64(8 * OPENING_BYTES)


def salt() -> np.uint64:
    """Draw an odd random multiplier that the author of a file cannot know."""
    return np.uint64(int.from_bytes(os.urandom(WORD_BYTES)) | 1)


OPENING_SALT, WORD_SALT = salt(), salt()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LineTokens:
    """Tokens of a chunk of lines with their keys.

    Attributes:
        lengths: tokens of each line.
        keys: of all tokens. The first, the newline before the first line, has key 0; the newlines after each line
            separate lines.
        newlines: the positions of the newlines after each line.
        openings: 64 bits of each token, equal if and only if tokens of at most eight bytes, or the first seven bytes of
            longer ones, are equal.
        longer: the tokens of more than eight bytes.
        tokens: the bytes.
    """

    lengths: Integers
    keys: Keys
    newlines: Integers
    openings: Keys
    longer: Integers
    tokens: ByteTokens


def hash_tokens(tokens: ByteTokens) -> LineTokens:
    """Hash the tokens of a chunk of lines; joined texts must have the same number of lines."""
    words = np.frombuffer(tokens.data, "<u8")
    sizes = tokens.ends - tokens.starts
    openings = _read(words, tokens.starts)
    openings |= take(PADDING, sizes)  # none for all sizes from eight on
    longer = np.flatnonzero(sizes > WORD_BYTES)
    openings[longer] = take(openings, longer) & FIRST_BYTES[OPENING_BYTES] | LONGER_MARK << LAST_BYTE
    newlines = np.flatnonzero(openings == NEWLINE_OPENING)
    keys = _hashes(tokens, sizes, openings, longer)
    keys >>= np.uint64(_line_bits(newlines))
    _add_lines(keys, newlines)
    return LineTokens(
        lengths=np.diff(newlines) - 1, keys=keys, newlines=newlines[1:], openings=openings, longer=longer, tokens=tokens
    )


def numbered(texts: Sequence[LineTokens]) -> list[LineTokens]:
    """Return the texts with unique keys: tokens numbered by a dictionary, which takes longer."""
    numbers: dict[bytes, int] = {}
    results: list[LineTokens] = []
    for text in texts:
        data, bounds = text.tokens.data, zip(text.tokens.starts.tolist(), text.tokens.ends.tolist(), strict=True)
        keys = np.array([numbers.setdefault(data[start:end], len(numbers) + 1) for start, end in bounds], np.uint64)
        _add_lines(keys, np.concatenate([[0], text.newlines]))
        results.append(replace(text, keys=keys))
    return results


def joined(texts: Sequence[LineTokens]) -> LineTokens:
    """Concatenate texts to one."""
    if len(texts) == 1:
        return texts[0]
    first, *others = texts
    bounds = np.cumsum([0, *(len(text.keys) - 1 for text in texts)])[:-1]  # the first newline is not repeated
    begins = np.cumsum([0, *(len(text.tokens.data) for text in texts)])[:-1]  # in whole words, thanks to the padding
    every, moved = list(zip(texts, bounds, strict=True)), list(zip(texts, begins, strict=True))[1:]
    return LineTokens(
        lengths=np.concatenate([text.lengths for text in texts]),
        keys=np.concatenate([first.keys, *(text.keys[1:] for text in others)]),
        newlines=np.concatenate([text.newlines + bound for text, bound in every]),
        openings=np.concatenate([first.openings, *(text.openings[1:] for text in others)]),
        longer=np.concatenate([text.longer + bound for text, bound in every]),
        tokens=ByteTokens(
            b"".join(text.tokens.data for text in texts),
            np.concatenate([first.tokens.starts, *(text.tokens.starts[1:] + begin for text, begin in moved)]),
            np.concatenate([first.tokens.ends, *(text.tokens.ends[1:] + begin for text, begin in moved)]),
        ),
    )


def is_longer(openings: Keys) -> npt.NDArray[np.bool_]:
    """Return which tokens have more than eight bytes, so that the opening does not hold all."""
    return openings >> LAST_BYTE == LONGER_MARK


def same_endings(first: ByteTokens, positions: Integers, second: ByteTokens, other_positions: Integers) -> bool:
    """Return whether longer tokens whose openings are equal are equal in their other bytes.

    Args:
        first: a text.
        positions: of tokens in it.
        second: a text.
        other_positions: of as many tokens in it, compared pairwise.
    """
    starts, other_starts = take(first.starts, positions), take(second.starts, other_positions)
    remaining = take(first.ends, positions) - starts
    if not np.array_equal(remaining, take(second.ends, other_positions) - other_starts):
        return False
    words, other_words = np.frombuffer(first.data, "<u8"), np.frombuffer(second.data, "<u8")
    done = OPENING_BYTES
    remaining -= done
    while len(remaining) and done < MAX_WORDS * WORD_BYTES:
        different = _read(words, starts + done)
        different ^= _read(other_words, other_starts + done)
        different &= take(FIRST_BYTES, remaining)
        if different.any():
            return False
        done += WORD_BYTES
        unfinished = np.flatnonzero(remaining > WORD_BYTES)
        starts, other_starts = take(starts, unfinished), take(other_starts, unfinished)
        remaining = take(remaining, unfinished) - WORD_BYTES
    return all(
        first.data[start : start + done + size] == second.data[other_start : other_start + done + size]
        for start, other_start, size in zip(starts.tolist(), other_starts.tolist(), remaining.tolist(), strict=True)
    )


def _line_bits(newlines: Integers) -> int:
    """Return the number of bits of a key for the line number; the newline before the first line is included."""
    return (len(newlines) - 2).bit_length()


def _add_lines(keys: Keys, newlines: Integers) -> None:
    """Set the first bits of each key to the number of the token's line, in place; `newlines` includes the first."""
    shift = np.uint64(KEY_BITS - _line_bits(newlines))
    keys[1:] |= np.repeat(np.arange(len(newlines) - 1, dtype=np.uint64) << shift, np.diff(newlines))
    keys[0] = 0


def _hashes(tokens: ByteTokens, sizes: Integers, openings: Keys, longer: Integers) -> Keys:
    """Return 64-bit hashes of tokens: their openings, mixed with each further word of eight bytes of longer ones."""
    words = np.frombuffer(tokens.data, "<u8")
    hashes = _mix(openings * OPENING_SALT)
    done = OPENING_BYTES
    unfinished = longer
    while len(unfinished) and done < MAX_WORDS * WORD_BYTES:
        remaining = take(sizes, unfinished) - done
        word = _read(words, take(tokens.starts, unfinished) + done)
        word |= take(PADDING, remaining)
        mixed = take(hashes, unfinished) * OPENING_SALT
        mixed ^= word
        mixed *= WORD_SALT
        hashes[unfinished] = _mix(mixed)
        done += WORD_BYTES
        unfinished = take(unfinished, np.flatnonzero(remaining > WORD_BYTES))
    for giant in unfinished.tolist():
        token = tokens.data[tokens.starts[giant] : tokens.ends[giant]]
        digest = hashlib.blake2b(token, digest_size=WORD_BYTES, key=WORD_SALT.tobytes()).digest()
        hashes[giant] = int.from_bytes(digest, sys.byteorder)
    return hashes


def _mix(hashes: Keys) -> Keys:
    """Mix the first half of a product, which depends on all bits of the factor, into the second; in place.

    Different first bits remain different.
    """
    hashes ^= hashes >> np.uint64(KEY_BITS // 2)
    return hashes


def _read(words: Keys, starts: Integers) -> Keys:
    """Read eight bytes from any address: parts of two words, shifted."""
    shift = ((starts & 7) << 3).view(np.uint64)
    word = starts >> 3
    low = take(words, word) >> shift
    word += 1
    high = take(words, word) << (np.uint64(KEY_BITS) - shift)  # a shift by 64 gives 0 in NumPy
    low |= high
    return low
