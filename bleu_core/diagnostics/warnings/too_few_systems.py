"""Too few systems for checks that depend on their number."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.likeness import MIN_OTHER_SYSTEMS

KEY = "too-few-systems"
ADVICE = "Report agreement with judges by segment, and inspect the matches with the reference."

#: Minimum number of rated systems for an informative correlation with judges.
MIN_RATED_SYSTEMS = 8


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    distinct = len(data.distinct_systems)
    sentences: list[str] = []
    strength: Strength = "note"
    if data.judgments is not None:
        rated = len(set(data.judgments.systems) & set(data.distinct_systems))
        if rated < MIN_RATED_SYSTEMS:
            strength = "caution"
            sentences.append(
                f"{rated:,} {plural(rated, 'system')} with a text of {'its' if rated == 1 else 'their'} own "
                f"{'is' if rated == 1 else 'are'} rated, and a correlation over fewer than {MIN_RATED_SYSTEMS} systems "
                "is hardly informative."
            )
    if distinct <= MIN_OTHER_SYSTEMS:
        sentences.append(
            f"There {'is' if distinct == 1 else 'are'} {distinct:,} {plural(distinct, 'system')}; with fewer than "
            f"{MIN_OTHER_SYSTEMS + 1}, a reference that a system has memorised is noticed only by equal segments."
        )
    if not sentences:
        return ()
    return (Finding(key=KEY, message=" ".join(sentences), strength=strength, advice=ADVICE),)


WARNING = TrustWarning(
    key=KEY,
    title="Too few systems",
    checked="Systems that are no human translations, and whose text is not another system's, are counted, and those "
    "that are rated.",
    misleads="A correlation over a few systems is high or low by chance, and a system that has memorised a small part "
    "of a reference is not noticed.",
    advice=ADVICE,
    find=_find,
)
