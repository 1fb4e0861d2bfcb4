"""Text without blanks between words, of which some metrics take whole sentences for words."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.unspaced_scripts import MIN_SHARE, unspaced_script
from bleu_core.diagnostics.wording import names, percent
from bleu_core.scoring import Metric, all_metrics

KEY = "words-at-blanks"
ADVICE = (
    "Use chrF2, or WER with a tokeniser that splits the script; for TER of Chinese or Japanese characters, "
    "--ter-asian-support."
)


def about_words(data: DiagnosticInput, metric: Metric) -> str:
    """What to say with the scores of a metric that takes what stands between blanks for a word; empty where that is so.

    Args:
        data: the texts, and the settings that they are scored under.
        metric: the metric.
    """
    sentence = _sentence(data, [metric])
    return f"{sentence} {ADVICE}" if sentence else ""


def _sentence(data: DiagnosticInput, metrics: Sequence[Metric]) -> str:
    """What the metrics do with the texts, without the advice; empty where words stand between blanks."""
    part, language = unspaced_script(data)
    settings = data.evaluation.settings
    labels = [each.label for each in metrics if each.words_at_blanks(settings, language)]
    if part < MIN_SHARE or not labels:
        return ""
    *others, last = labels
    subject = f"{', '.join(others)} and {last} take" if others else f"{last} takes"
    return (
        f"{subject} what stands between blanks for a word under these settings, and "
        f"{percent(part)} of the letters of {names(data.references)} are {language}, which has no "
        "blanks between words."
    )


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    found = _sentence(data, list(all_metrics().values()))
    if not found:
        return ()
    return (Finding(key=KEY, references=data.references, message=found, strength="note", advice=ADVICE),)


WARNING = TrustWarning(
    key=KEY,
    title="Text that metrics of words do not split",
    checked="The letters of the references are counted by script: some scripts have no blanks between words.",
    misleads="TER, WER and chrF2++ compare words between blanks, unless their settings split the script, so one wrong "
    "character makes a whole sentence wrong; BLEU with a fitting tokeniser is not affected.",
    advice=ADVICE,
    find=_find,
)
