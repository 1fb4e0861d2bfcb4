"""How many tokens texts have, chunk by chunk, beside the tokens of each text alone."""

from __future__ import annotations

import random

import pytest

from bleu_core.scoring import CHUNK_LINES, TOKENIZERS, Counting, is_installed, token_counts, tokens_of

PIECES = ("a", "1.5", "U.S.", " ", "  ", "\n", "\u2028", "\u00a0", "&quot;", "<skipped>", "字", "é", "-", "!", "\ud800")


@pytest.mark.parametrize("tokenizer", [name for name in TOKENIZERS if is_installed(name)])
@pytest.mark.parametrize("lowercase", [False, True])
def test_counts_are_those_of_the_tokens(tokenizer: str, *, lowercase: bool) -> None:
    counting, draw = Counting(tokenizer=tokenizer, lowercase=lowercase), random.Random(5)
    texts = ["", " ", "\n", *("".join(draw.choices(PIECES, k=draw.randrange(12))) for _ in range(60))]
    if tokenizer not in {"13a", "none", "intl", "zh", "char"}:
        texts = [text.replace("\ud800", "") for text in texts]  # other programs refuse half a character
    assert token_counts(texts, counting).tolist() == [len(tokens_of(text, counting)) for text in texts]


def test_a_text_of_several_chunks_is_counted_as_a_whole() -> None:
    texts = [f"{'a ' * (n % 7)}" for n in range(CHUNK_LINES + 3)]
    assert token_counts(texts, Counting()).tolist() == [n % 7 for n in range(CHUNK_LINES + 3)]
    assert token_counts([], Counting()).tolist() == []
