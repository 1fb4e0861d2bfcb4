"""Scripts that the tokeniser in use does not split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bleu_core.diagnostics.characters import UNSPACED, Script, script_counts
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.material import Material
from bleu_core.diagnostics.wording import names, percent

KEY = "script"
ADVICE = "Choose the tokeniser that is named."
TER_ADVICE = (
    "Use WER with a tokeniser that splits the script, or chrF2; for TER of characters run sacrebleu -m ter "
    "--ter-normalized --ter-asian-support."
)

#: Tokenisers that split at blanks and punctuation only.
AT_BLANKS = ("13a", "none", "intl")

#: Language or script, and the tokenisers that split it, the usual one first; zh splits no kana.
TOKENIZERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Chinese": ("zh", "char", "spm", "flores101", "flores200", "spBLEU-1K"),
        "Japanese": ("ja-mecab", "char", "spm", "flores101", "flores200", "spBLEU-1K"),
        "Thai": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
        "Lao": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
        "Khmer": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
        "Burmese": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
    }
)

#: Share of the references' letters that makes a script theirs, and of kana that makes Chinese characters Japanese.
LEAST_SHARE, KANA_SHARE = 0.3, 0.05


def _find(material: Material) -> Sequence[Finding]:
    part, language = _unspaced(material)
    if part < LEAST_SHARE:
        return ()
    about_ter = Finding(
        key=KEY,
        references=material.references,
        found=_about_words(material, "TER", part, language),
        strength="note",
        advice=TER_ADVICE,
    )
    tokenizer, fitting = material.evaluation.settings.tokenizer, TOKENIZERS[language]
    if tokenizer in fitting:
        return (about_ter,)
    what = "splits only at blanks and punctuation" if tokenizer in AT_BLANKS else f"is not made for {language}"
    found = (
        f"{percent(part)} of the letters of {names(material.references)} are {language}, which the tokeniser "
        f"{tokenizer} does not split into words: it {what}."
    )
    advice = f"Choose the tokeniser {fitting[0]}, or {fitting[1]}."
    return (Finding(key=KEY, references=material.references, found=found, strength="alarm", advice=advice), about_ter)


def about_words(material: Material, metric: str = "TER") -> str:
    """What to say with the scores of a metric for which words stand between blanks; empty where they do.

    Args:
        material: the texts.
        metric: its name for people.
    """
    part, language = _unspaced(material)
    return f"{_about_words(material, metric, part, language)} {TER_ADVICE}" if part >= LEAST_SHARE else ""


def _about_words(material: Material, metric: str, part: float, language: str) -> str:
    return (
        f"{metric} takes what stands between blanks for a word, whatever the tokeniser is, and {percent(part)} of the "
        f"letters of {names(material.references)} are {language}, which has no blanks between words."
    )


def _unspaced(material: Material) -> tuple[float, str]:
    """The share of the references' letters that are in scripts without blanks between words, and their language."""
    letters = script_counts(material)[material.of_references].sum(axis=(0, 1))
    unspaced = int(sum(letters[script] for script in UNSPACED))
    language = _language({script: int(letters[script]) for script in UNSPACED}, unspaced)
    return unspaced / max(int(letters.sum()), 1), language


def _language(letters: Mapping[Script, int], unspaced: int) -> str:
    if letters[Script.KANA] >= KANA_SHARE * unspaced:
        return "Japanese"
    most = max(letters, key=lambda script: letters[script])
    by_script = {Script.THAI: "Thai", Script.LAO: "Lao", Script.KHMER: "Khmer", Script.MYANMAR: "Burmese"}
    return by_script.get(most, "Chinese")


WARNING = TrustWarning(
    key=KEY,
    title="Script that the tokeniser does not split",
    checked="The letters of the references are counted by script, and compared with what the tokeniser splits "
    "and with what TER takes for words.",
    misleads="A whole sentence without blanks is one token, so that only identical sentences match.",
    advice=ADVICE,
    find=_find,
)
