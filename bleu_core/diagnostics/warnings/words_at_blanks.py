"""Text without blanks between words, for metrics that treat the text between blanks as words."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import Corpus, language_of_script
from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.warnings.script import find_unsplit
from bleu_core.diagnostics.wording import names, percent
from bleu_core.scoring import DEFAULT_METRIC, LANGUAGES_WITHOUT_BLANKS, BleuSettings, Metric, all_metrics

KEY = "words-at-blanks"
ADVICE = (
    "Use chrF2, or WER with a tokeniser that splits the script; for TER of Chinese or Japanese characters, "
    "--ter-asian-support."
)

#: Metrics to which words add only a part.
IN_PART = frozenset({"chrf2++"})


def find_unsplit_words(
    corpus: Corpus, settings: BleuSettings, metric: Metric, references: Sequence[str] | None = None
) -> Sequence[Finding]:
    """Return the finding that a metric takes whole clauses for words, as the references have no blanks between words.

    An alarm makes the scores by this metric not comparable. Only a sample of the references is read.

    Args:
        corpus: the texts.
        settings: the settings that the metric is computed under.
        metric: the metric.
        references: the names of the references in use; all by default.
    """
    names_in_use = tuple(corpus.references) if references is None else references
    if metric.key == DEFAULT_METRIC:
        return find_unsplit(corpus, names_in_use, settings)
    strength = "caution" if metric.key in IN_PART else "alarm"
    return _of_metrics([metric], corpus, settings, references=names_in_use, strength=strength)


def _of_metrics(
    metrics: Sequence[Metric], corpus: Corpus, settings: BleuSettings, *, references: Sequence[str], strength: Strength
) -> Sequence[Finding]:
    """Return the finding about metrics; none if blanks separate words."""
    if not any(metric.words_at_blanks(settings, name) for metric in metrics for name in LANGUAGES_WITHOUT_BLANKS):
        return ()
    share, language = language_of_script([corpus.references[name] for name in references])
    labels = [metric.label for metric in metrics if metric.words_at_blanks(settings, language)]
    if language not in LANGUAGES_WITHOUT_BLANKS or not labels:
        return ()
    *others, last = labels
    subject = f"{', '.join(others)} and {last} treat" if others else f"{last} treats"
    obstacle = (
        f"{subject} the text between blanks as a word under these settings, and {percent(share)} of the letters of "
        f"{names(references)} are {language}, which has no blanks between words"
    )
    return (
        Finding(
            key=KEY,
            references=tuple(references),
            metrics=tuple(metric.key for metric in metrics if metric.words_at_blanks(settings, language)),
            message=f"{obstacle}.",
            strength=strength,
            advice=ADVICE,
            obstacle=obstacle,
            cause="One wrong character makes a whole clause wrong.",
        ),
    )


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    return _of_metrics(
        list(all_metrics().values()),
        data.corpus,
        data.evaluation.settings,
        references=data.references,
        strength="note",
    )


WARNING = TrustWarning(
    key=KEY,
    title="Text without blanks between words",
    checked="The letters of the references are counted by script: some scripts have no blanks between words.",
    misleads="TER, WER and chrF2++ compare words between blanks, unless their settings split the script, so one wrong "
    "character makes a whole sentence wrong; BLEU with a fitting tokeniser is not affected.",
    advice=ADVICE,
    find=_find,
)
