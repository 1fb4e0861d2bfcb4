"""The translation edit rate (Snover et al. 2006, A Study of Translation Edit Rate), as sacreBLEU computes it.

Case is always folded. With several references a segment has the fewest edits, over the mean reference length. An
absent reference is as if it were not there; an empty one is a reference of length 0, which lowers that mean.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import Evaluation
from bleu_core.scoring.metrics.declaration import Metric
from bleu_core.scoring.metrics.sacrebleu_counts import Scorer, sacrebleu_counts, sacrebleu_signature
from bleu_core.scoring.sums import Numbers, SumTable, ratio

#: Hypotheses from which on processes share the work: some seconds of it.
SHARED_FROM = 500


def ter(sums: Numbers) -> npt.NDArray[np.float64]:
    """Score sums of edits.

    Args:
        sums: (..., 2) edits, and reference length in words, a mean over the references.

    Returns:
        Points, (...): 0 and up, beyond 100 where there are more edits than words; against nothing but empty references
        100 if there is any edit, else 0.
    """
    edits, length = sums[..., 0], sums[..., 1]
    return 100 * np.where(length > 0, ratio(edits, length, length > 0), edits > 0)


def _table(corpus: Corpus, evaluation: Evaluation, progress: Progress | None) -> SumTable:
    counts = sacrebleu_counts(corpus, evaluation, _scorer(), progress, shared_from=SHARED_FROM)
    return SumTable(evaluation.systems, counts, ter)


def _signature(evaluation: Evaluation) -> str:
    return sacrebleu_signature(_scorer(), evaluation)


def _scorer() -> Scorer:
    from sacrebleu.metrics.ter import TER  # loaded when first needed

    return TER


METRIC = Metric(
    key="ter",
    label="TER",
    help="word edits and shifts per reference word (sacreBLEU); slow",
    table=_table,
    signature=_signature,
    higher_is_better=False,
    settings=(),
    slow=True,
    words_at_blanks=True,
)
