"""Metrics for which a lower score is better, by their names."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import ScoreTable

#: Metrics that count errors; names in lower case, without blanks, hyphens and underscores.
ERROR_METRICS = frozenset(
    {"ter", "hter", "wer", "mwer", "per", "cer", "cder", "character", "eed", "errors", "errorcount", "errorrate"}
)
#: Beginnings of the names of families of such metrics: metricx24hybridxl.
ERROR_METRIC_PREFIXES = ("metricx",)
BETWEEN_WORDS = re.compile(r"[\s_-]+")


def with_direction(table: ScoreTable) -> ScoreTable:
    """Return a table of scores with lower as better if its metric counts errors, otherwise with higher as better."""
    scores = table.scores if table.level == "segment" else table.system_scores
    return replace(table, higher_is_better=not counts_errors(table.name, scores))


def counts_errors(name: str, scores: Floats) -> bool:
    """Return whether a metric counts errors, by its name, and its sign has not been flipped.

    Args:
        name: the name of the metric.
        scores: its scores, of any shape, NaN if there is none; a score below 0 shows that the sign has been flipped.
    """
    normalised = BETWEEN_WORDS.sub("", name.strip().lower())
    return (normalised in ERROR_METRICS or normalised.startswith(ERROR_METRIC_PREFIXES)) and not bool(
        np.less(scores, 0).any()
    )
