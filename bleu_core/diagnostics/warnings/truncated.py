"""Outputs that end before their sentence does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.diagnostics.characters import Count, character_counts
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import percent, share, strength_of

KEY = "truncated"
ADVICE = "Read these segments, and raise the system's limit on the length of its output."

#: Maximum ratio of the characters of an output to those of its references and of the other systems.
MAX_RATIO = 0.7

#: Minimum number of non-blank characters of the references of a segment.
MIN_CHARACTERS = 30

#: Shares of the segments.
CAUTION, ALARM = 0.005, 0.05


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    counts = character_counts(data)
    printed, ended = counts[..., Count.PRINTED], counts[..., Count.ENDED] > 0
    references = data.reference_rows
    present = np.array([[line is not None for line in data.corpus.references[r]] for r in data.references])
    number = present.sum(axis=0)
    length = printed[references].sum(axis=0) / np.maximum(number, 1)
    references_end = (ended[references] & present).sum(axis=0) == number
    candidate = references_end & (length >= MIN_CHARACTERS)
    findings: list[Finding] = []
    for k, name in enumerate(data.systems):
        others = [data.systems.index(other) for other in data.distinct_systems if other != name]
        expected = np.minimum(length, np.median(printed[others], axis=0)) if others else length
        short = (printed[k] > 0) & (printed[k] <= MAX_RATIO * expected)
        segments = np.flatnonzero(candidate & short & ~ended[k]) + 1
        if not len(segments):
            continue
        part = len(segments) / data.segments
        sentence = (
            f"{name} ends without a full stop and has at most {percent(MAX_RATIO)} of the usual characters in "
            f"{share(len(segments), data.segments)}."
        )
        findings.append(
            Finding(
                key=KEY,
                systems=(name,),
                message=sentence,
                strength=strength_of(part, caution=CAUTION, alarm=ALARM),
                advice=ADVICE,
                segments=tuple(segments.tolist()),
            )
        )
    return findings


WARNING = TrustWarning(
    key=KEY,
    title="Truncated outputs",
    checked="Outputs are searched that do not end as a sentence does, where the references do, and that are much "
    "shorter than the references and most other systems.",
    misleads="What is missing costs little if the rest matches: one brevity penalty for the whole text hides the "
    "loss in single segments.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
