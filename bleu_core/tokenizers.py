"""The tokenisers, by sacreBLEU's names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from bleu_core.errors import SettingsError

Tokenizer = Callable[[str], str]

#: name -> what it does, for people
TOKENIZERS: dict[str, str] = {
    "13a": "WMT's default",
    "none": "at white space",
    "intl": "Unicode classes",
    "char": "characters",
    "zh": "Chinese",
    "ja-mecab": "Japanese",
    "ko-mecab": "Korean",
    "spm": "older FLORES-101",
    "flores101": "FLORES-101",
    "flores200": "FLORES-200",
    "spBLEU-1K": "1,000 languages",
}

#: What the tokenisers beyond sacreBLEU's own code need; the SentencePiece ones fetch a model at first use.
NEEDS = {
    "ja-mecab": "pip install 'sacrebleu[ja]'",
    "ko-mecab": "pip install 'sacrebleu[ko]'",
    **dict.fromkeys(
        ("spm", "flores101", "flores200", "spBLEU-1K"), "pip install sentencepiece, and a network at first use"
    ),
}


@cache
def tokenizer(name: str) -> Tokenizer:
    """Find a tokeniser: text in, tokens joined by blanks out.

    Raises:
        SettingsError: there is none of that name, or what it needs is not installed.
    """
    if name not in TOKENIZERS:
        raise SettingsError(f"tokenizer {name!r} found, one of {', '.join(TOKENIZERS)} expected")
    from sacrebleu.metrics.bleu import BLEU  # loaded when first needed

    try:
        return BLEU(tokenize=name, force=True).tokenizer
    except (ImportError, RuntimeError, OSError) as error:
        first_line = str(error).strip().split("\n", 1)[0]
        raise SettingsError(f"tokenizer {name} needs more than is installed: {NEEDS.get(name, first_line)}") from error


def tokenizer_signature(name: str) -> str:
    """What sacreBLEU's signature says of a tokeniser; with MeCab it tells the version and dictionary."""
    return str(tokenizer(name).signature()) if name in NEEDS else name  # pyright: ignore[reportFunctionMemberAccess]
