"""chrF2 (Popović 2015, W15-3049), as sacreBLEU computes it."""

from __future__ import annotations

from functools import partial

from bleu_core.scoring.metrics.character_ngrams import chrf_signature, chrf_statistics
from bleu_core.scoring.metrics.declaration import Metric

METRIC = Metric(
    key="chrf2",
    label="chrF2",
    help="character n-gram F-score (sacreBLEU)",
    statistics=partial(chrf_statistics, word_order=0),
    signature=partial(chrf_signature, word_order=0),
    settings=("lowercase",),
)
