"""Whether a lower score of a metric is better, judged by its name."""

from __future__ import annotations

import re

import numpy as np

from bleu_core.arrays import Floats

#: Metrics that count errors, with their names in lower case and without blanks, hyphens and underscores.
ERROR_METRICS = frozenset(
    {"ter", "hter", "wer", "mwer", "per", "cer", "cder", "character", "eed", "errors", "errorcount", "errorrate"}
)
#: Families of such metrics, with the beginning of such a name: metricx24hybridxl.
ERROR_METRIC_PREFIXES = ("metricx",)
BETWEEN_WORDS = re.compile(r"[\s_-]+")


def counts_errors(name: str, scores: Floats) -> bool:
    """Return whether a metric's name is that of one which counts errors, and its sign has not been flipped.

    Args:
        name: the metric's.
        scores: of any shape, NaN if there is none; a score below 0 shows that the sign has been flipped.
    """
    bare = BETWEEN_WORDS.sub("", name.strip().lower())
    return (bare in ERROR_METRICS or bare.startswith(ERROR_METRIC_PREFIXES)) and not bool(np.less(scores, 0).any())
