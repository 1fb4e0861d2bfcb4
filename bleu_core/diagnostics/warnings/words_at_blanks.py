"""Text without blanks between words, of which TER takes whole sentences for words."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.material import Material
from bleu_core.diagnostics.unspaced_scripts import LEAST_SHARE, unspaced_script
from bleu_core.diagnostics.wording import names, percent

KEY = "words-at-blanks"
ADVICE = (
    "Use WER with a tokeniser that splits the script, or chrF2; for TER of characters run sacrebleu -m ter "
    "--ter-normalized --ter-asian-support."
)


def about_words(material: Material, metric: str = "TER") -> str:
    """What to say with the scores of a metric for which words stand between blanks; empty where they do.

    Args:
        material: the texts.
        metric: its name for people.
    """
    part, language = unspaced_script(material)
    return f"{_sentence(material, metric, part, language)} {ADVICE}" if part >= LEAST_SHARE else ""


def _sentence(material: Material, metric: str, part: float, language: str) -> str:
    return (
        f"{metric} takes what stands between blanks for a word, whatever the tokeniser is, and {percent(part)} of the "
        f"letters of {names(material.references)} are {language}, which has no blanks between words."
    )


def _find(material: Material) -> Sequence[Finding]:
    part, language = unspaced_script(material)
    if part < LEAST_SHARE:
        return ()
    found = _sentence(material, "TER", part, language)
    return (Finding(key=KEY, references=material.references, found=found, strength="note", advice=ADVICE),)


WARNING = TrustWarning(
    key=KEY,
    title="Text that TER does not split",
    checked="The letters of the references are counted by script: some scripts have no blanks between words.",
    misleads="TER counts edits of words between blanks, so one wrong character makes a whole sentence wrong; BLEU with "
    "a fitting tokeniser is not affected.",
    advice=ADVICE,
    find=_find,
)
