"""Keys of tokens: no collision changes a count, and none can be prepared without the numbers drawn."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from fuzz import counting
from nightly import nightly
from sacrebleu.metrics.bleu import BLEU

from bleu_core.scoring import (
    BleuSettings,
    Counting,
    bleu,
    bleu_statistics,
    count_ngrams,
    ngram_match,
    token_keys,
    tokenize_lines,
)
from bleu_core.scoring.token_keys import Keys, hash_tokens

#: The multiplier of an earlier hash, which was the same everywhere.
FORMER_SALT = np.uint64(0xE220A8397B1DCDAF)
#: Any two numbers that might be drawn.
OPENING_SALT, WORD_SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
#: The hash that the tokens are made for.
TARGET = np.array([0x0123456789ABCDEF], np.uint64)
PRINTABLE = np.frombuffer(bytes(range(0x21, 0x7F)), np.uint8)
#: In so many lines, eleven bits of a key hold the line.
CHUNK_LINES = 2048

Solve = Callable[[Keys], Keys]


def folded(hashes: Keys) -> Keys:
    """The step of both hashes between multiplications, which is its own inverse."""
    return hashes ^ hashes >> np.uint64(32)


def inverse(factor: np.uint64) -> np.uint64:
    return np.uint64(pow(int(factor), -1, 2**64))


def colliding(first_bytes: int, solve: Solve, wanted: int = 12) -> list[str]:
    """Tokens whose first bytes are random and whose last word is solved for, as far as that is plain ASCII.

    Args:
        first_bytes: how many come before the last word of eight.
        solve: gives the last word for each word of first bytes.
        wanted: how many tokens.
    """
    generator = np.random.default_rng(2)
    found: list[str] = []
    while len(found) < wanted:
        first = np.zeros((200_000, 8), np.uint8)
        first[:, :first_bytes] = generator.choice(PRINTABLE, (len(first), first_bytes))
        last = solve(first.view("<u8").ravel())[:, None].view(np.uint8)
        plain = np.isin(last, PRINTABLE).all(axis=1)
        both = np.concatenate([first[plain, :first_bytes], last[plain]], axis=1)
        found += [bytes(token).decode() for token in both.tolist()]
    return found[:wanted]


def scores(hypothesis: str, reference: str) -> tuple[float, float]:
    """BLEU by bleu_core and by sacreBLEU."""
    settings = BleuSettings(tokenizer="none")
    stats = count_ngrams({"A": [hypothesis]}, {"R": [reference]}, counting=Counting(tokenizer="none"))
    by_sacrebleu = BLEU(tokenize="none", force=True).corpus_score([hypothesis], [[reference]]).score
    return float(bleu(bleu_statistics(stats, settings).sums(), settings).score[0]), by_sacrebleu


def test_tokens_made_to_collide_under_an_unsalted_hash_score_as_by_sacrebleu() -> None:
    def solve(first: Keys) -> Keys:
        target = TARGET ^ np.uint64(16)  # the size was mixed in last
        return folded(target) * inverse(FORMER_SALT) ^ folded(first * FORMER_SALT)

    one, *others = colliding(8, solve)
    found, expected = scores(" ".join([one] * len(others)), " ".join(others))
    assert found == expected == 0


def test_tokens_made_to_collide_under_known_salts_score_as_by_sacrebleu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_keys, "OPENING_SALT", OPENING_SALT)
    monkeypatch.setattr(token_keys, "WORD_SALT", WORD_SALT)

    def solve(first: Keys) -> Keys:
        marked = first | token_keys.LONGER_MARK << token_keys.LAST_BYTE
        return folded(TARGET) * inverse(WORD_SALT) ^ folded(marked * OPENING_SALT) * OPENING_SALT

    one, *others = tokens = colliding(7, solve)
    keys = hash_tokens(tokenize_lines([" ".join(tokens)], "none", lowercase=False)).keys
    assert len(set(keys[1:-1].tolist())) == 1  # they do collide
    assert len(set(tokens)) == len(tokens)
    for hypothesis, reference in (([one] * len(others), others), (others, [one]), ([*others, *others], tokens)):
        found, expected = scores(" ".join(hypothesis), " ".join(reference))
        assert found == pytest.approx(expected, abs=1e-12)


def test_collisions_of_nearly_all_tokens_change_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    numbered: list[int] = []

    def counted(texts: Sequence[token_keys.LineTokens]) -> list[token_keys.LineTokens]:
        numbered.append(len(texts))
        return token_keys.numbered(texts)

    monkeypatch.setattr(ngram_match, "numbered", counted)
    chance = random.Random(3)
    for _ in range(12):
        case = replace(counting.random_case(chance), badly_hashed=True)
        assert not counting.differs(case), counting.explain(case)
    assert len(numbered) >= 8


def of_size(size: int, place: int) -> list[str]:
    """Tokens of one size that differ in four bytes."""
    return ["x" * place + f"{i:04x}" + "x" * (size - place - 4) for i in range(1 << 16)]


FAMILIES = {
    "hexadecimal numbers": lambda: [f"{i:08x}" for i in range(1_000_000)],
    "decimal numbers": lambda: [str(i) for i in range(1_000_000)],
    "multiples": lambda: [str(i << 20) for i in range(300_000)],
    "repeated letters": lambda: [chr(c) * n for c in range(0x21, 0x7F) for n in range(1, 400)],
    "sizes with NUL": lambda: [c + "\0" * n for c in ("a", "b", "\0", "abcdefg") for n in range(500)],
    "one bit": lambda: list(
        {chr(0x40 ^ (1 << b)).join(("A" * i, "A" * (63 - i))) for i in range(64) for b in range(6)}
    ),
    "two bytes": lambda: [
        "".join("b" if k in (i, j) else "a" for k in range(200)) for i in range(200) for j in range(i, 200)
    ],
    "Cyrillic pairs": lambda: [chr(a) + chr(b) for a in range(0x400, 0x500) for b in range(0x400, 0x500)],
    **{
        f"size {n}, bytes from {k}": lambda n=n, k=k: of_size(n, k) for n in (8, 9, 16, 17, 64, 200) for k in (0, n - 4)
    },
    "giant": lambda: ["x" * n for n in range(250, 300)] + ["x" * 300 + str(i) for i in range(500)],
}


#: Like families that every run tries, with other numbers and sizes.
OF_NIGHTS = {"hexadecimal numbers", "multiples"} | {
    f"size {n}, bytes from {k}" for n in (9, 16, 64) for k in (0, n - 4)
}


@pytest.mark.parametrize("family", [*(f for f in FAMILIES if f not in OF_NIGHTS), *nightly(sorted(OF_NIGHTS))])
def test_tokens_of_a_pattern_have_keys_of_their_own(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_keys, "OPENING_SALT", OPENING_SALT)
    monkeypatch.setattr(token_keys, "WORD_SALT", WORD_SALT)
    tokens = FAMILIES[family]()
    lines = [" ".join(tokens), *[""] * (CHUNK_LINES - 1)]
    keys = hash_tokens(tokenize_lines(lines, "none", lowercase=False)).keys[1 : len(tokens) + 1]
    assert len(np.unique(keys)) == len(tokens) == len(set(tokens))
