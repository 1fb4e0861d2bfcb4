"""Too little text to detect differences of the usual size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bleu_core.arrays import best_first
from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.inference import CONFIDENCE, effects, normal_quantile

KEY = "too-little-text"
ADVICE = "Score more text, or do not conclude from smaller differences."

#: Half-widths of 95% intervals of differences, in points, for a note and for a caution.
NOTE_HALF_WIDTH, CAUTION_HALF_WIDTH = 1.0, 2.0

#: Minimum number of segments for intervals.
MIN_SEGMENTS = 30


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    segments = data.segments
    if segments < MIN_SEGMENTS:
        message = f"The text has {segments:,} {plural(segments, 'segment')}, too few for intervals or tests."
        return (Finding(key=KEY, message=message, strength="caution", advice=ADVICE),)
    table = data.evaluation.statistics.select(data.distinct_systems)
    if len(table.systems) < 2:  # noqa: PLR2004 # a pair
        return ()
    segment_effects = effects(table)
    ranked = best_first(table.systems, segment_effects.scores)
    errors = [segment_effects.error(better, worse) for better, worse in pairwise(ranked)]
    half_width = normal_quantile((1 + CONFIDENCE) / 2) * float(np.median(errors))
    if not half_width >= NOTE_HALF_WIDTH:
        return ()
    message = (
        f"With {segments:,} segments, differences of less than about {half_width:.2f} points between systems next to "
        "each other in the ranking are within their 95% interval (the median over the ranking)."
    )
    strength = "caution" if half_width >= CAUTION_HALF_WIDTH else "note"
    return (Finding(key=KEY, message=message, strength=strength, advice=ADVICE),)


WARNING = TrustWarning(
    key=KEY,
    title="Too little text",
    checked="The standard errors of the differences of neighbouring systems are computed by the infinitesimal "
    "jackknife over segments.",
    misleads="The order of systems whose scores are closer than the interval is a matter of chance.",
    advice=ADVICE,
    find=_find,
)
