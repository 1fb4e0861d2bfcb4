"""Text without blanks between words, for metrics that treat the text between blanks as words."""

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
    """Return a remark on the scores of a metric that treats the text between blanks as words; empty if that is correct.

    Args:
        data: the texts, and the settings that they are scored under.
        metric: the metric.
    """
    sentence = _sentence(data, [metric])
    return f"{sentence} {ADVICE}" if sentence else ""


def _sentence(data: DiagnosticInput, metrics: Sequence[Metric]) -> str:
    """Return the observation about metrics, without the advice; empty if blanks separate words."""
    part, language = unspaced_script(data)
    settings = data.evaluation.settings
    labels = [metric.label for metric in metrics if metric.words_at_blanks(settings, language)]
    if part < MIN_SHARE or not labels:
        return ""
    *others, last = labels
    subject = f"{', '.join(others)} and {last} treat" if others else f"{last} treats"
    return (
        f"{subject} the text between blanks as a word under these settings, and "
        f"{percent(part)} of the letters of {names(data.references)} are {language}, which has no "
        "blanks between words."
    )


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    message = _sentence(data, list(all_metrics().values()))
    if not message:
        return ()
    return (Finding(key=KEY, references=data.references, message=message, strength="note", advice=ADVICE),)


WARNING = TrustWarning(
    key=KEY,
    title="Text without blanks between words",
    checked="The letters of the references are counted by script: some scripts have no blanks between words.",
    misleads="TER, WER and chrF2++ compare words between blanks, unless their settings split the script, so one wrong "
    "character makes a whole sentence wrong; BLEU with a fitting tokeniser is not affected.",
    advice=ADVICE,
    find=_find,
)
