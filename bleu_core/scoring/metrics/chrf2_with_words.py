"""chrF2++ (Popović 2017, W17-4770), as sacreBLEU computes it."""

from __future__ import annotations

from functools import partial

from bleu_core.scoring.metrics.character_ngrams import chrf_signature, chrf_statistics
from bleu_core.scoring.metrics.declaration import Metric

#: The highest order of word n-grams.
WORD_ORDER = 2

METRIC = Metric(
    key="chrf2++",
    label="chrF2++",
    help="character and word n-gram F-score (sacreBLEU)",
    statistics=partial(chrf_statistics, word_order=WORD_ORDER),
    signature=partial(chrf_signature, word_order=WORD_ORDER),
    settings=("lowercase",),
    words_at_blanks=lambda _settings, _language: True,
)
