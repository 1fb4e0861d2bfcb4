"""The F-score of character n-grams, of which chrF2 and chrF2++ are two forms.

With several references a segment has the counts against the reference with the highest segment score (of equal ones
the first). Absent references are ignored.
"""

from __future__ import annotations

from functools import partial

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.chrf_counts import count_chrf
from bleu_core.scoring.chrf_score import chrf
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.metrics.sacrebleu_signature import sacrebleu_signature
from bleu_core.scoring.segment_statistics import SegmentStatistics


def chrf_statistics(
    corpus: Corpus, evaluation: BleuEvaluation, progress: Progress | None, *, word_order: int
) -> SegmentStatistics:
    """Count the n-grams of each segment as sacreBLEU does; case is ignored if the settings require it.

    Args:
        corpus: the texts.
        evaluation: of the texts.
        progress: called repeatedly with the number of hypotheses done.
        word_order: the highest order of word n-grams; 0 is none.
    """
    counts = count_chrf(
        [corpus.systems[system] for system in evaluation.systems],
        [corpus.references[reference] for reference in evaluation.references],
        word_order=word_order,
        lowercase=evaluation.settings.lowercase,
        progress=progress,
    )
    return SegmentStatistics(evaluation.systems, counts, chrf)


def chrf_signature(evaluation: BleuEvaluation, *, word_order: int) -> str:
    """Return sacreBLEU's signature."""
    from sacrebleu.metrics.chrf import CHRF  # loaded when first needed

    scorer = partial(CHRF, word_order=word_order, lowercase=evaluation.settings.lowercase)
    return sacrebleu_signature(scorer, evaluation)
