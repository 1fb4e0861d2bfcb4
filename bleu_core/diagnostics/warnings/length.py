"""Systems much shorter or longer than the references."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import percent

KEY = "length"
ADVICE = "Look for omissions or additions, and compare the precisions and the brevity penalty separately."

#: Ratios of the length of a system to that of the references: limits for a caution and for an alarm.
SHORT, VERY_SHORT = 0.9, 0.5
LONG, VERY_LONG = 1.15, 2.0

#: A segment is listed if its lengths differ by this factor and one of them is at least MIN_TOKENS.
FACTOR, MIN_TOKENS = 2.0, 10


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    scores = data.evaluation.scores
    rows = data.evaluation.statistics.values[..., :2]
    findings: list[Finding] = []
    for k, name in enumerate(data.systems):
        reference_length = float(scores.reference_length[k])
        ratio = float(scores.hypothesis_length[k]) / reference_length if reference_length else 1.0
        strength = _strength(ratio)
        if strength is None:
            continue
        hypothesis, reference = rows[k, :, 0], rows[k, :, 1]
        short, long = hypothesis * FACTOR <= reference, hypothesis >= reference * FACTOR
        differing = (short if ratio < 1 else long) & (rows[k].max(axis=1) >= MIN_TOKENS)
        penalty = f"; the brevity penalty is {float(scores.brevity_penalty[k]):.3f}" if ratio < 1 else ""
        findings.append(
            Finding(
                key=KEY,
                systems=(name,),
                message=f"{name} has {percent(ratio)} of the tokens of the references{penalty}.",
                strength=strength,
                advice=ADVICE,
                segments=tuple((differing.nonzero()[0] + 1).tolist()),
            )
        )
    return findings


def _strength(ratio: float) -> Strength | None:
    if ratio < VERY_SHORT or ratio > VERY_LONG:
        return "alarm"
    return "caution" if ratio < SHORT or ratio > LONG else None


WARNING = TrustWarning(
    key=KEY,
    title="Length",
    checked=f"Each system's number of tokens is divided by that of the references; from {percent(SHORT)} to "
    f"{percent(LONG)} are usual.",
    misleads="A short system's score is mostly its brevity penalty, and a long one's additions lower its precision: "
    "neither is about the quality of what is translated.",
    advice=ADVICE,
    find=_find,
)
