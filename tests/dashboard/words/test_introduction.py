"""The lines that introduce the overview take their numbers and names from the data and settings in use."""

from __future__ import annotations

from bleu_core.scoring import find_metric
from dashboard.words import meaning_of_error_bars, meaning_of_metric


def test_bleu_is_explained_with_the_orders_in_use() -> None:
    bleu = find_metric("bleu")
    assert "sequences of 1 to 4 words" in meaning_of_metric(bleu, 4)
    assert "share of a translation's words" in meaning_of_metric(bleu, 1)
    assert meaning_of_metric(find_metric("ter"), 4).startswith("TER: word edits")


def test_error_bars_are_explained_with_the_number_of_resamples() -> None:
    assert meaning_of_error_bars(1000).startswith("Error bars are 95% intervals: ")
    assert "from 1,000 bootstrap resamples" in meaning_of_error_bars(1000)
