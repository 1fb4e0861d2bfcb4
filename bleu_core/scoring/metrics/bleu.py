"""BLEU (Papineni et al. 2002) with the chosen settings."""

from __future__ import annotations

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.metrics.declaration import Metric
from bleu_core.scoring.segment_statistics import SegmentStatistics


def _statistics(_corpus: Corpus, evaluation: BleuEvaluation, _progress: Progress | None) -> SegmentStatistics:
    """Return the statistics of the evaluation, whose n-grams have been counted."""
    return evaluation.statistics


def _signature(evaluation: BleuEvaluation) -> str:
    return evaluation.signature


METRIC = Metric(
    key="bleu",
    label="BLEU",
    help="word n-gram precision, with a penalty for texts shorter than the reference",
    statistics=_statistics,
    signature=_signature,
    from_ngram_counts=True,
    score_field="bleu",
)
