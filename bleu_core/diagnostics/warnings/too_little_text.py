"""Too little text to find differences of the usual size."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bleu_core.arrays import best_first
from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.inference import CONFIDENCE, effects

KEY = "too-little-text"
ADVICE = "Score more text, or do not conclude from smaller differences."

#: Points: 95% intervals of differences are this wide on each side, or wider.
WIDE, VERY_WIDE = 1.0, 2.0

#: Fewer segments are too few for any interval.
FEW_SEGMENTS = 30


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    from scipy.special import ndtri  # loaded when first needed: it costs more than scoring

    segments = data.segments
    if segments < FEW_SEGMENTS:
        found = f"The text has {segments:,} {plural(segments, 'segment')}, too few for intervals or tests."
        return (Finding(key=KEY, message=found, strength="caution", advice=ADVICE),)
    table = data.evaluation.statistics.select(data.distinct_systems)
    if len(table.systems) < 2:  # noqa: PLR2004 # a pair
        return ()
    of_systems = effects(table)
    ranked = best_first(table.systems, of_systems.scores)
    errors = [of_systems.error(one, other) for one, other in pairwise(ranked)]
    half = float(ndtri((1 + CONFIDENCE) / 2)) * float(np.median(errors))
    if not half >= WIDE:
        return ()
    found = (
        f"With {segments:,} segments, differences of less than about {half:.2f} points between systems next to each "
        "other in the ranking are within their 95% interval (the median over the ranking)."
    )
    strength = "caution" if half >= VERY_WIDE else "note"
    return (Finding(key=KEY, message=found, strength=strength, advice=ADVICE),)


WARNING = TrustWarning(
    key=KEY,
    title="Too little text",
    checked="The standard errors of the differences of neighbouring systems are computed by the infinitesimal "
    "jackknife over segments.",
    misleads="The order of systems whose scores are closer than the interval is a matter of chance.",
    advice=ADVICE,
    find=_find,
)
