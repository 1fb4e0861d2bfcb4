"""The tokenisers, by sacreBLEU's names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec

from bleu_core.dataset import SAMPLE, language_of_script
from bleu_core.errors import SettingsError

Tokenizer = Callable[[str], str]

#: name -> description for people
TOKENIZERS: dict[str, str] = {
    "13a": "the default of WMT and sacreBLEU (mteval-v13a)",
    "none": "splits at white space only",
    "intl": "splits by Unicode character classes (mteval-v14)",
    "char": "splits into characters",
    "zh": "splits Chinese into characters, other text as 13a",
    "ja-mecab": "Japanese words (MeCab)",
    "ko-mecab": "Korean words (MeCab)",
    "spm": "older name of flores101",
    "flores101": "SentencePiece model of FLORES-101",
    "flores200": "SentencePiece model of FLORES-200",
    "spBLEU-1K": "SentencePiece model for 1,000 languages",
}

#: The value of a setting that asks for tokenizer_for_language.
BY_LANGUAGE = "by-language"

#: Language codes of ISO 639, with those of the Chinese languages -> the tokeniser for texts in the language.
TOKENIZER_OF_LANGUAGE: dict[str, str] = {
    **dict.fromkeys(("zh", "zho", "chi", "cmn", "yue", "wuu", "lzh"), "zh"),
    **dict.fromkeys(("ja", "jpn"), "ja-mecab"),
    **dict.fromkeys(("ko", "kor"), "ko-mecab"),
}

#: Tokeniser of a language -> the languages whose script agrees with it; Japanese may be written without kana.
LANGUAGES_OF_TOKENIZER: Mapping[str, tuple[str, ...]] = {
    "zh": ("Chinese",),
    "ja-mecab": ("Japanese", "Chinese"),
    "ko-mecab": ("Korean",),
}

#: The tokeniser of all other languages.
DEFAULT_TOKENIZER = "13a"

#: Tokenisers that split at blanks and punctuation only.
SPLITTING_AT_BLANKS = ("13a", "none", "intl")

#: Requirements of the tokenisers outside sacreBLEU; those of SentencePiece download a model on first use.
REQUIREMENTS = {
    "ja-mecab": "the package mecab-python3 (pip install 'sacrebleu[ja]')",
    "ko-mecab": "the package mecab-ko (pip install 'sacrebleu[ko]')",
    **dict.fromkeys(
        ("spm", "flores101", "flores200", "spBLEU-1K"),
        "sentencepiece (pip install sentencepiece) and internet on first use",
    ),
}


#: The packages that they import.
PACKAGES = {
    "ja-mecab": "MeCab",
    "ko-mecab": "mecab_ko",
    **dict.fromkeys(("spm", "flores101", "flores200", "spBLEU-1K"), "sentencepiece"),
}


def is_installed(name: str) -> bool:
    """Return whether the package that a tokeniser requires, if any, is installed."""
    return name not in PACKAGES or find_spec(PACKAGES[name]) is not None


def tokenizer_for_language(target: str) -> str:
    """Return the tokeniser that WMT and sacreBLEU use for a target language: zh, ja-mecab, ko-mecab, or else 13a.

    Args:
        target: a language code, possibly with a script or region; empty if the language is unknown. Texts in Latin
            script, such as Pinyin, have words between blanks.

    >>> [tokenizer_for_language(code) for code in ("zh_CN", "zho-Hant", "jpn", "ko", "de", "zh-Latn", "")]
    ['zh', 'zh', 'ja-mecab', 'ko-mecab', '13a', '13a', '13a']
    """
    language, *variants = target.strip().lower().replace("_", "-").split("-")
    return DEFAULT_TOKENIZER if "latn" in variants else TOKENIZER_OF_LANGUAGE.get(language, DEFAULT_TOKENIZER)


def default_tokenizer(target: str, references: Iterable[Sequence[str | None]]) -> str:
    """Return the tokeniser that is used unless one is chosen: that of the target language if the script agrees.

    Args:
        target: the code of the target language, see tokenizer_for_language; empty if it is unknown.
        references: the segments of each reference, of which the first SAMPLE are looked at, as streams have only these.

    >>> [default_tokenizer("zh", [[text]]) for text in ("我来了。", "Wo lai le.")], default_tokenizer("", [["我来了"]])
    (['zh', '13a'], '13a')
    """
    name = tokenizer_for_language(target)
    if name not in LANGUAGES_OF_TOKENIZER:
        return name
    _, language = language_of_script(text[:SAMPLE] for text in references)
    return name if language in LANGUAGES_OF_TOKENIZER[name] else DEFAULT_TOKENIZER


@cache
def tokenizer(name: str) -> Tokenizer:
    """Return a tokeniser: a function from text to tokens joined by blanks.

    Raises:
        SettingsError: the name is unknown, or a requirement is not installed.
    """
    if name not in TOKENIZERS:
        raise SettingsError(f"tokeniser {name!r} found, one of {', '.join(TOKENIZERS)} expected")
    from sacrebleu.metrics.bleu import BLEU  # loaded when first needed

    try:
        return BLEU(tokenize=name, force=True).tokenizer
    except (ImportError, RuntimeError, OSError) as error:
        first_line = str(error).strip().split("\n", 1)[0]
        raise SettingsError(f"tokeniser {name} needs {REQUIREMENTS.get(name, first_line)}") from error


def unavailable_tokenizer(name: str) -> str:
    """Return why a tokeniser cannot be used, with what to install; empty if it can.

    Raises:
        SettingsError: the name is unknown.
    """
    if name not in REQUIREMENTS:
        return ""
    try:
        tokenizer(name)
    except SettingsError as error:
        return str(error)
    return ""


def tokenizer_signature(name: str) -> str:
    """Return the tokeniser's part of sacreBLEU's signature; for MeCab with its version and dictionary."""
    return str(tokenizer(name).signature()) if name in REQUIREMENTS else name  # pyright: ignore[reportFunctionMemberAccess]
