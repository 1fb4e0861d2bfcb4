"""Metrics for which a lower score is better, by their names."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import ScoreTable

#: Metrics that count errors or measure how unlikely a text is: whole names without anything between their words,
#: beginnings of such names (metricx24hybridxl), and words and last words of names, all in lower case.
ERROR_METRICS = frozenset(
    {"ter", "hter", "mter", "terp", "wer", "mwer", "per", "cer", "cder", "character", "eed", "errorcount", "errorrate"}
)
ERROR_METRIC_PREFIXES = ("metricx",)
ERROR_WORDS = frozenset({"errors", "perplexity", "ppl", "nll"})
ERROR_LAST_WORDS = frozenset({"error", "loss", "rate"})
#: Words of names of rates for which higher is better: win rate.
SUCCESS_WORDS = frozenset(
    {"acceptance", "accuracy", "approval", "completion", "hit", "match", "pass", "success", "win"}
)
#: A word of a name, and where one begins in pseudoPerplexity.
WORD = re.compile(r"[^\W\d_]+|\d+")
INNER_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")


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
    words = WORD.findall(INNER_WORD.sub(" ", name).lower())
    joined = "".join(words)
    is_named_so = (
        joined in ERROR_METRICS
        or joined.startswith(ERROR_METRIC_PREFIXES)
        or not ERROR_WORDS.isdisjoint(words)
        or (not ERROR_LAST_WORDS.isdisjoint(words[-1:]) and SUCCESS_WORDS.isdisjoint(words))
    )
    return is_named_so and not bool(np.less(scores, 0).any())
