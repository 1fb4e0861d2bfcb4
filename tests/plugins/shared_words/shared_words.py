"""How many of a hypothesis's different words some reference has, as a metric of another package."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation, Metric, Numbers, SegmentStatistics, common_signature


def share(sums: Numbers) -> npt.NDArray[np.float64]:
    """Score sums of words shared and words: per cent, 0 without a word."""
    shared, words = sums[..., 0], sums[..., 1]
    return 100 * np.divide(shared, words, out=np.zeros(words.shape), where=words > 0)


def count(corpus: Corpus, evaluation: BleuEvaluation, _progress: Progress | None) -> SegmentStatistics:
    """Words shared and words, of each system and segment."""
    references = zip(*(corpus.references[name] for name in evaluation.references), strict=True)
    known = [{word for text in texts if text for word in text.split()} for texts in references]
    rows = [
        [(len(set(text.split()) & words), len(set(text.split()))) for text, words in zip(texts, known, strict=True)]
        for texts in (corpus.systems[name] for name in evaluation.systems)
    ]
    return SegmentStatistics(evaluation.systems, np.array(rows), share)


METRIC = Metric(
    key="shared-words",
    label="Shared words",
    help="words of the hypothesis that some reference has",
    statistics=count,
    signature=common_signature,
    unit="%",
    settings=(),
)
