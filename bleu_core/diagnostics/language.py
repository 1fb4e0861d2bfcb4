"""The language of the references, guessed by their script or their function words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bleu_core.dataset import Script
from bleu_core.diagnostics.characters import Counts, script_counts
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.function_words import LANGUAGES, language_by_words

#: Scripts that are assumed to be of one language.
BY_SCRIPT: Mapping[Script, str] = MappingProxyType({Script.HAN: "zh", Script.ARABIC: "ar"})

#: Minimum share of kana among the kana and Chinese characters of Japanese text.
JAPANESE_SHARE = 0.1


def known_languages() -> tuple[str, ...]:
    """Return the languages (ISO 639-1) with a list of words."""
    from bleu_core.slicing import NEGATION_LANGUAGES  # loaded when first needed, not with every warning

    return tuple(sorted({*LANGUAGES, *NEGATION_LANGUAGES}))


def guessed_language(data: DiagnosticInput) -> str:
    """Return the language of the references (ISO 639-1); empty if it is not recognised."""
    letters = data.computed_once(_letters)
    script = Script(int(letters.argmax()))
    japanese_characters = letters[Script.KANA] + letters[Script.HAN]
    if script in (Script.HAN, Script.KANA) and letters[Script.KANA] >= JAPANESE_SHARE * japanese_characters:
        return "ja"
    if script in BY_SCRIPT:
        return BY_SCRIPT[script]
    number = data.computed_once(language_by_words)
    return "" if number is None else LANGUAGES[number]


def _letters(data: DiagnosticInput) -> Counts:
    """Return the number of letters of each script in the references, (scripts,)."""
    return script_counts(data)[data.reference_rows].sum(axis=(0, 1))
