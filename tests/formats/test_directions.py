"""Metrics whose names say that lower is better."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_core.formats import read
from bleu_core.formats.directions import counts_errors

LOWER = [
    *["TER", "HTER", "mTER", "m-TER", "TERp", "hter", "WER", "CharacTER", "EED", "MetricX-24-Hybrid-XL"],
    *["word error rate", "Word-Error-Rate", "WordErrorRate", "hallucination_rate", "error count", "squared error"],
    *["errors", "Major errors", "errors per 100 words", "PPL", "GPT2-PPL", "gpt2ppl PPL", "perplexity (GPT-2)"],
    *["pseudoPerplexity", "loss", "xent loss", "NLL", "nllLoss", "mean NLL"],
]
HIGHER = [
    *["BLEU", "chrF2", "COMET", "prism", "score per segment", "Terra", "accurate", "translate", "moderate", "lossless"],
    *["win rate", "pass_rate", "SuccessRate", "error-free share", "character F-score", "judge accuracy", "Häufigkeit"],
]


@pytest.mark.parametrize(("name", "lower"), [*((n, True) for n in LOWER), *((n, False) for n in HIGHER)])
def test_names_of_errors_and_of_perplexity_are_known(name: str, lower: bool) -> None:  # noqa: FBT001
    assert counts_errors(name, np.array([0.5, np.nan, 3])) == lower
    assert not counts_errors(name, np.array([-0.5, np.nan, 3]))  # its sign has been flipped
    contents = read(f"metric,system,score\n{name},A,60\n{name},B,1\n".encode(), "a.csv", "scores")
    guess = (f"{name}: lower is assumed to be better because of the name",) if lower else ()
    assert contents.report.notes == guess
