"""A system that seems to have memorised a reference."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.likeness import MIN_OTHER_SYSTEMS, likeness, long_enough, near_copies
from bleu_core.diagnostics.wording import percent, share
from bleu_core.scoring import BleuEvaluation

KEY = "memorised"
ADVICE = "Find out whether the test set was in the system's training data, and do not compare its score until then."

#: Minimum likeness of a verbatim segment to the reference, and minimum lead over all other systems.
MIN_VERBATIM_LIKENESS, MIN_LEAD = 0.9, 0.15

#: Minimum surplus of verbatim segments: in standard deviations over the other systems, and as a number.
MIN_EXCESS, MIN_SURPLUS = 2.75, 4

#: Minimum excess of the highest order's precision over its prediction from the others' decay, in standard deviations.
MIN_DECAY_EXCESS = 0.5

#: Minimum standard deviation between systems of the logarithm of the highest order's precision.
MIN_SPREAD = 0.02


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    if len(data.distinct_systems) <= MIN_OTHER_SYSTEMS or data.evaluation.stats.max_order == 1:
        return ()
    return [finding for reference in data.full_references for finding in _findings(data, reference)]


def _findings(data: DiagnosticInput, reference: str) -> Sequence[Finding]:
    evaluation = data.against_single_reference(reference).select(data.distinct_systems)
    like = likeness(evaluation)
    closest = np.stack([np.delete(like, k, axis=0).max(axis=0) for k in range(len(like))])
    verbatim = (like >= MIN_VERBATIM_LIKENESS) & (closest <= like - MIN_LEAD) & long_enough(evaluation)
    copies = near_copies(like, verbatim)
    slow, precisions, predicted = slow_decay(evaluation)
    flagged = (
        (copies.excess >= MIN_EXCESS) & (copies.observed - copies.expected >= MIN_SURPLUS) & (slow >= MIN_DECAY_EXCESS)
    )
    order = evaluation.stats.max_order
    findings: list[Finding] = []
    for k in np.flatnonzero(flagged).tolist():
        name = data.distinct_systems[k]
        segments = np.flatnonzero(verbatim[k])
        max_tokens = int(evaluation.stats.hypothesis_lengths[k, segments].max())
        sentence = (
            f"{name} has the words of the reference {reference}, which no other system has, in "
            f"{share(len(segments), data.segments)} of up to {max_tokens:,} tokens "
            f"({copies.expected[k]:.1f} expected), and its precision of order {order} is {precisions[k]:.3f}, where "
            f"{predicted[k]:.3f} goes with its unigrams."
        )
        findings.append(
            Finding(
                key=KEY,
                systems=(name,),
                references=(reference,),
                message=sentence,
                strength="alarm",
                advice=ADVICE,
                segments=tuple((segments + 1).tolist()),
                obstacle=f"{name} has the words of the reference {reference}, which no other system has, in "
                f"{percent(len(segments) / data.segments)} of the segments",
                cause=f"{name} may have been trained on this test set.",
            )
        )
    return findings


def slow_decay(evaluation: BleuEvaluation) -> tuple[Floats, Floats, Floats]:
    """Return how much more slowly each system's precision decays with the order than that of the others.

    The logarithm of the highest order's precision is regressed on that of the first, over the other systems.

    Args:
        evaluation: of at least five systems.

    Returns:
        (K,) excess of a system over the line of the others, in standard errors of the prediction; its precision of the
        highest order; and the predicted precision.
    """
    stats = evaluation.stats
    precisions = (stats.matches.sum(axis=1) + 0.5) / (stats.totals.sum(axis=1) + 1)
    x, y = np.log(precisions[:, 0]), np.log(precisions[:, -1])
    slow, predicted = np.zeros(len(x)), np.zeros(len(x))
    for k in range(len(x)):
        xs, ys = np.delete(x, k), np.delete(y, k)
        centred = xs - xs.mean()
        spread = float(np.square(centred).sum())
        slope = float(centred @ ys) / spread if spread > 0 else 0.0
        residuals = ys - ys.mean() - slope * centred
        deviation = max(float(np.sqrt(np.square(residuals).sum() / (len(xs) - 2))), MIN_SPREAD)
        distance = float(x[k] - xs.mean())
        error = deviation * np.sqrt(1 + 1 / len(xs) + (distance**2 / spread if spread > 0 else 0.0))
        line = float(ys.mean()) + slope * distance
        slow[k], predicted[k] = (y[k] - line) / error, np.exp(line)
    return slow, np.asarray(precisions[:, -1], np.float64), predicted


WARNING = TrustWarning(
    key=KEY,
    title="Memorised reference",
    checked="Segments with the words of the reference that no other system has are counted and compared with the "
    "number expected, and the precision of the highest order with what the decay of the other systems foresees for its "
    "unigrams. At least five systems are needed.",
    misleads="A system that has learned the test set scores high on it, and not on other text. The signs are reasons "
    "to ask, and no proof.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.004,
    find=_find,
)
