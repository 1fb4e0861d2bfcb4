"""The language of the references, guessed by their script or their function words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from bleu_core.diagnostics.characters import Counts, Script, script_counts
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.function_words import LANGUAGES, language_by_words
from bleu_core.slicing import NEGATION_LANGUAGES

#: Scripts that are taken for one language each.
BY_SCRIPT: Mapping[Script, str] = MappingProxyType({Script.HAN: "zh", Script.ARABIC: "ar"})

#: Share of the letters of a text in Chinese characters and Japanese syllables that are syllables, in Japanese at least.
JAPANESE_SHARE = 0.1

#: Languages that can be named: those that some list of words exists for.
KNOWN_LANGUAGES = tuple(sorted({*LANGUAGES, *NEGATION_LANGUAGES}))


def guessed_language(data: DiagnosticInput) -> str:
    """The language of the references (ISO 639-1); empty if it cannot be told."""
    letters = data.computed_once(_letters)
    script = Script(int(letters.argmax()))
    of_japanese = letters[Script.KANA] + letters[Script.HAN]
    if script in (Script.HAN, Script.KANA) and letters[Script.KANA] >= JAPANESE_SHARE * of_japanese:
        return "ja"
    if script in BY_SCRIPT:
        return BY_SCRIPT[script]
    number = data.computed_once(language_by_words)
    return "" if number is None else LANGUAGES[number]


def _letters(data: DiagnosticInput) -> Counts:
    """The letters of each script in the references, (scripts,)."""
    return script_counts(data)[data.reference_rows].sum(axis=(0, 1))
