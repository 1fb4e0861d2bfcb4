"""The signatures of sacreBLEU's metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bleu_core.scoring.evaluation import BleuEvaluation

#: Constructor of sacreBLEU's object for a metric.
Scorer = Callable[[], Any]


def sacrebleu_signature(scorer: Scorer, evaluation: BleuEvaluation) -> str:
    """Return the signature of a metric, with the number of references of an evaluation."""
    metric = scorer()
    metric.num_refs = evaluation.references_per_segment or -1  # sacreBLEU's value for a varying number
    return metric.get_signature().format(short=False)
