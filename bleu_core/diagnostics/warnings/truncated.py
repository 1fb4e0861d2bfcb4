"""Outputs that end before their sentence does."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.diagnostics.characters import Count, character_counts
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.material import Material
from bleu_core.diagnostics.wording import percent, share, strength_of

KEY = "truncated"
ADVICE = "Read these segments, and raise the system's limit on the length of its output."

#: An output that has this fraction of the characters of its references, and of the other systems, at most.
SHORT = 0.7

#: The references of a segment have so many characters that are not blank, at least.
MIN_CHARACTERS = 30

#: Shares of the segments.
CAUTION, ALARM = 0.005, 0.05


def _find(material: Material) -> Sequence[Finding]:
    counts = character_counts(material)
    printed, ended = counts[..., Count.PRINTED], counts[..., Count.ENDED] > 0
    references = material.of_references
    present = np.array([[line is not None for line in material.corpus.references[r]] for r in material.references])
    number = present.sum(axis=0)
    length = printed[references].sum(axis=0) / np.maximum(number, 1)
    whole = (ended[references] & present).sum(axis=0) == number
    candidate = whole & (length >= MIN_CHARACTERS)
    found: list[Finding] = []
    for k, name in enumerate(material.systems):
        others = [material.systems.index(other) for other in material.distinct if other != name]
        usual = np.minimum(length, np.median(printed[others], axis=0)) if others else length
        short = (printed[k] > 0) & (printed[k] <= SHORT * usual)
        segments = np.flatnonzero(candidate & short & ~ended[k]) + 1
        if not len(segments):
            continue
        part = len(segments) / material.segments
        sentence = (
            f"{name} ends without a full stop and has at most {percent(SHORT)} of the usual characters in "
            f"{share(len(segments), material.segments)}."
        )
        found.append(
            Finding(
                key=KEY,
                systems=(name,),
                found=sentence,
                strength=strength_of(part, caution=CAUTION, alarm=ALARM),
                advice=ADVICE,
                segments=tuple(segments.tolist()),
            )
        )
    return found


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
