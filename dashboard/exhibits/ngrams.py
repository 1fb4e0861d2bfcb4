"""N-grams that a system wins or loses against another, or uses too often or lacks."""

from __future__ import annotations

from bleu_core.results.ngrams import ngram_tables
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import ngram_effects

NGRAMS = Exhibit(
    name="ngrams",
    page="N-grams",
    title="N-grams with the greatest effects",
    compute=lambda data: data.ngrams,
    figure=ngram_effects,
    table=lambda found: ngram_tables([found])[1],
    subject="pair",
    key="ngram-effects",
)
