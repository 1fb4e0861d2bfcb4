"""The tokenisers, by sacreBLEU's names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

from bleu_core.errors import SettingsError

Tokenizer = Callable[[str], str]

#: name -> what it does, for people
TOKENIZERS: dict[str, str] = {
    "13a": "WMT's default, as mteval-v13a",
    "none": "at white space only",
    "intl": "by Unicode's classes, as mteval-v14",
    "char": "every character by itself",
    "zh": "Chinese characters by themselves, the rest as 13a",
    "ja-mecab": "Japanese words",
    "ko-mecab": "Korean words",
    "spm": "SentencePiece of FLORES-101, by its older name",
    "flores101": "SentencePiece of FLORES-101",
    "flores200": "SentencePiece of FLORES-200",
    "spBLEU-1K": "SentencePiece for a thousand languages",
}

#: What the tokenisers beyond sacreBLEU's own code need; the SentencePiece ones fetch a model at first use.
NEEDS = {
    "ja-mecab": "pip install 'sacrebleu[ja]'",
    "ko-mecab": "pip install 'sacrebleu[ko]'",
    **dict.fromkeys(
        ("spm", "flores101", "flores200", "spBLEU-1K"), "pip install sentencepiece, and a network at first use"
    ),
}


#: The packages that they are read with.
PACKAGES = {
    "ja-mecab": "MeCab",
    "ko-mecab": "mecab_ko",
    **dict.fromkeys(("spm", "flores101", "flores200", "spBLEU-1K"), "sentencepiece"),
}


def is_installed(name: str) -> bool:
    """Whether the package that a tokeniser needs, if any, is installed."""
    return name not in PACKAGES or find_spec(PACKAGES[name]) is not None


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
