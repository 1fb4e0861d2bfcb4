"""BLEU (Papineni et al. 2002) with the chosen settings."""

from __future__ import annotations

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import Evaluation
from bleu_core.scoring.metrics.declaration import Metric
from bleu_core.scoring.sums import SumTable


def _table(_corpus: Corpus, evaluation: Evaluation, _progress: Progress | None) -> SumTable:
    """The evaluation's own: n-grams have been counted."""
    return evaluation.table


def _signature(evaluation: Evaluation) -> str:
    return evaluation.signature


METRIC = Metric(
    key="bleu",
    label="BLEU",
    help="word n-gram precision, with a penalty for texts shorter than the reference",
    table=_table,
    signature=_signature,
)
