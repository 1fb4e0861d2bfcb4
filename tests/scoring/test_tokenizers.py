"""The tokenisers, by sacreBLEU's names."""

from __future__ import annotations

import sys

import pytest
from sacrebleu.metrics.bleu import BLEU

from bleu_core.errors import SettingsError
from bleu_core.scoring import TOKENIZERS, tokenizer
from bleu_core.scoring.tokenizers import REQUIREMENTS, tokenizer_signature

OWN = tuple(name for name in TOKENIZERS if name not in REQUIREMENTS)


def test_the_tokenizers_without_further_needs_are_these() -> None:
    assert set(OWN) == {"13a", "none", "intl", "char", "zh"}


def test_all_names_are_sacrebleus() -> None:
    assert set(TOKENIZERS) <= set(BLEU.TOKENIZERS)


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("none", "Hello, world.", "Hello, world."),
        ("13a", "Hello, world.", "Hello , world ."),
        ("13a", "It costs 1,000.50 or 2-3.", "It costs 1,000.50 or 2 - 3 ."),
        ("13a", "&quot;a&amp;b&quot; &lt;c&gt;", '" a & b " < c >'),
        ("13a", "1...2", "1 . . .2"),
        ("intl", "\u00abA\u00bb 1,5 \u20ac", "\u00ab A \u00bb 1,5 \u20ac"),
        ("char", "ab c", "a b c"),
        ("zh", "\u4f60\u597dabc", "\u4f60 \u597d abc"),
    ],
)
def test_a_tokenizer_splits_as_its_name_says(name: str, text: str, tokens: str) -> None:
    assert tokenizer(name)(text).split() == tokens.split()


@pytest.mark.parametrize("name", OWN)
def test_tokenizers_without_further_needs_are_signed_by_their_name(name: str) -> None:
    assert tokenizer_signature(name) == name


def test_an_unknown_tokenizer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match=r"'words' found, one of 13a, none, .* expected"):
        tokenizer("words")


@pytest.mark.parametrize(
    ("name", "package"), [("ja-mecab", "MeCab"), ("ko-mecab", "mecab_ko"), ("flores200", "sentencepiece")]
)
def test_a_tokenizer_whose_package_is_missing_says_what_to_install(
    name: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # an import of None raises ImportError
    with pytest.raises(SettingsError, match="pip install") as caught:
        tokenizer(name)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
