"""A reference that is too close to one of the systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.likeness import OTHER_SYSTEMS, likeness, long_enough, longest_match, near_copies
from bleu_core.diagnostics.material import Material
from bleu_core.diagnostics.wording import percent, share
from bleu_core.scoring import tokens_of

KEY = "close-reference"
ADVICE = (
    "Ask how the reference was made; if it was post-edited from this system's output, or the system learned it, leave "
    "one of the two out."
)

#: A near copy is this like the reference: about one word in twelve differs.
NEAR = 0.7

#: Standard deviations beyond the other systems, and near copies beyond the expected: a number, a share of the segments.
EXCESS, MORE, MORE_SHARE = 2.5, 5, 0.03

#: From this share of surplus near copies on it is an alarm.
ALARM = 0.08

#: The longest match is searched in so many of the near copies.
SEARCHED = 50


def _find(material: Material) -> Sequence[Finding]:
    if len(material.distinct) <= OTHER_SYSTEMS:
        return ()
    return [one for reference in material.full_references for one in _of(material, reference)]


def _of(material: Material, reference: str) -> Sequence[Finding]:
    evaluation = material.alone(reference).select(material.distinct)
    like = likeness(evaluation)
    near = (like >= NEAR) & long_enough(evaluation)
    copies = near_copies(like, near)
    surplus = copies.observed - copies.expected
    flagged = (copies.excess >= EXCESS) & (surplus >= MORE) & (surplus >= MORE_SHARE * material.segments)
    found: list[Finding] = []
    for k in np.flatnonzero(flagged).tolist():
        name = material.distinct[k]
        segments = np.flatnonzero(near[k])
        longest, where = _longest(material, name, reference, segments.tolist())
        part = share(int(copies.observed[k]), material.segments)
        sentence = (
            f"{name} is nearly equal to the reference {reference} in {part}; by the other systems on the "
            f"same segments and its usual distance from them, {copies.expected[k]:.0f} are expected. The longest match "
            f"has {longest:,} tokens (segment {where:,})."
        )
        found.append(
            Finding(
                key=KEY,
                systems=(name,),
                references=(reference,),
                found=sentence,
                strength="alarm" if surplus[k] >= ALARM * material.segments else "caution",
                advice=ADVICE,
                segments=tuple((segments + 1).tolist()),
                obstacle=_obstacle(copies.observed / material.segments, k, name, reference),
                cause=f"{reference} may have been post-edited from {name}'s output, or {name} may have learned it.",
            )
        )
    return found


def _obstacle(shares: Floats, k: int, name: str, reference: str) -> str:
    """How many segments of the reference are nearly equal to the output of system k, and to that of any other."""
    others = percent(float(np.delete(shares, k).max()))
    return (
        f"{percent(float(shares[k]))} of the segments of the reference {reference} nearly equal {name}'s output (other "
        f"systems: at most {others})"
    )


def _longest(material: Material, system: str, reference: str, segments: Sequence[int]) -> tuple[int, int]:
    """The longest run of tokens in common, and its segment, from 1."""
    counting = material.evaluation.settings.counting
    texts, references = material.corpus.systems[system], material.corpus.references[reference]
    longest = sorted(segments, key=lambda i: -len(texts[i]))[:SEARCHED]
    matches = [
        (longest_match(tokens_of(texts[i], counting), tokens_of(references[i] or "", counting)), i + 1) for i in longest
    ]
    return max(matches, key=lambda match: match[0])


WARNING = TrustWarning(
    key=KEY,
    title="Reference close to a system",
    checked="The segments in which a system is nearly equal to a reference are counted, and compared with the number "
    "that is expected from the other systems on the same segments and from this system's usual "
    "distance from them. At least five systems are needed.",
    misleads="A reference that was post-edited from a system, or that a system learned, gives that system points that "
    "its translations do not earn.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.001,
    obstructs="scores",
    find=_find,
)
