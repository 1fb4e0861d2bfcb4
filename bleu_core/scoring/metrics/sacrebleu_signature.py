"""The signatures of sacreBLEU's metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bleu_core.scoring.evaluation import BleuEvaluation

#: What makes sacreBLEU's object for a metric.
Scorer = Callable[[], Any]


def sacrebleu_signature(scorer: Scorer, evaluation: BleuEvaluation) -> str:
    """The signature of a metric without its own count of references."""
    whole = scorer()
    whole.num_refs = evaluation.references_per_segment or -1  # sacreBLEU's mark of a number that varies
    return whole.get_signature().format(short=False)
