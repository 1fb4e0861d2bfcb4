"""The F-score of character n-grams, of which chrF2 and chrF2++ are two forms.

With several references a segment has the counts against the reference with the highest segment score (of equal ones
the first). An absent reference is as if it were not there.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import Evaluation
from bleu_core.scoring.metrics.sacrebleu_counts import Scorer, ratio, sacrebleu_counts, sacrebleu_signature
from bleu_core.scoring.sums import Numbers, SumTable

#: How many times as much recall weighs as precision.
BETA = 2


def chrf_table(corpus: Corpus, evaluation: Evaluation, progress: Progress | None, *, word_order: int) -> SumTable:
    """The n-grams of each segment, counted by sacreBLEU; case is ignored if the settings require it.

    Args:
        corpus: the texts.
        evaluation: of them.
        progress: told, now and then, how many hypotheses are done.
        word_order: the highest order of word n-grams; 0 is none.
    """
    counts = sacrebleu_counts(corpus, evaluation, _scorer(evaluation, word_order), progress)
    return SumTable(evaluation.systems, counts, chrf)


def chrf_signature(evaluation: Evaluation, *, word_order: int) -> str:
    """SacreBLEU's signature."""
    return sacrebleu_signature(_scorer(evaluation, word_order), evaluation)


def chrf(sums: Numbers) -> npt.NDArray[np.float64]:
    """Score sums of n-gram counts.

    Precision and recall are means over the effective orders, those with n-grams on both sides; without any, or without
    a match, the score is 0.

    Args:
        sums: (..., 3 * orders), for each order n-grams of the hypothesis, of the reference, and matches.

    Returns:
        Points, 0 to 100, (...).
    """
    hypothesis, reference, matches = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    effective = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(effective.sum(axis=-1), 1)  # of none the sums are 0 too
    # Added from the first order to the last, as cumsum does and sum does not: sacreBLEU's scores to the last digit.
    precision = ratio(matches, hypothesis, effective).cumsum(axis=-1)[..., -1] / orders
    recall = ratio(matches, reference, effective).cumsum(axis=-1)[..., -1] / orders
    weighted = BETA**2 * precision + recall
    return 100 * ratio((1 + BETA**2) * precision * recall, weighted, weighted > 0)


def _scorer(evaluation: Evaluation, word_order: int) -> Scorer:
    from sacrebleu.metrics.chrf import CHRF  # loaded when first needed

    return partial(CHRF, word_order=word_order, lowercase=evaluation.settings.lowercase)
