"""The word error rate: insertions, deletions and substitutions of tokens per token of the reference.

Tokens are those of the settings' tokeniser, in lower case if the settings require it. With several references, the one
with the fewest edits counts, of equal ones the longest. Absent references are ignored; an empty one has length 0, and
all tokens of the hypothesis are insertions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import partial

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Numbers
from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.bleu_score import BleuSettings
from bleu_core.scoring.evaluation import BleuEvaluation, common_signature
from bleu_core.scoring.metrics.by_segment import count_by_segment
from bleu_core.scoring.metrics.declaration import Metric
from bleu_core.scoring.ngrams import tokens_of
from bleu_core.scoring.segment_statistics import SegmentStatistics
from bleu_core.scoring.settings import Counting
from bleu_core.scoring.tokenizers import SPLITTING_AT_BLANKS


def wer(sums: Numbers) -> npt.NDArray[np.float64]:
    """Compute WER of summed edits.

    Args:
        sums: (..., 2) edits, and tokens of the reference.

    Returns:
        Points, (...), at least 0, above 100 for more edits than tokens; NaN without a token.
    """
    edits, length = sums[..., 0], sums[..., 1]
    return 100 * np.divide(edits, length, out=np.full(length.shape, np.nan), where=length > 0)


def _statistics(corpus: Corpus, evaluation: BleuEvaluation, progress: Progress | None) -> SegmentStatistics:
    count = partial(_count, counting=evaluation.settings.counting)
    return SegmentStatistics(evaluation.systems, count_by_segment(corpus, evaluation, count, progress), wer)


def _count(texts: set[str], references: Sequence[str], *, counting: Counting) -> Mapping[str, tuple[int, int]]:
    """Return, for each hypothesis, its edits and the length of the chosen reference."""
    from rapidfuzz.distance import Levenshtein  # loaded when first needed

    numbers: dict[str, int] = {}

    def numbered(text: str) -> list[int]:
        return [numbers.setdefault(token, len(numbers)) for token in tokens_of(text, counting)]

    choices = [numbered(reference) for reference in references]

    def fewest_edits(text: str) -> tuple[int, int]:
        hypothesis = numbered(text)
        edits, shorter = min((Levenshtein.distance(choice, hypothesis), -len(choice)) for choice in choices)
        return edits, -shorter

    return {text: fewest_edits(text) for text in texts}


def _at_blanks(settings: BleuSettings, _language: str) -> bool:
    return settings.tokenizer in SPLITTING_AT_BLANKS


METRIC = Metric(
    key="wer",
    label="WER",
    help="token edits per reference token, as in speech recognition",
    statistics=_statistics,
    signature=common_signature,
    higher_is_better=False,
    undefined="the references have no tokens",
    settings=tuple(field.name for field in fields(Counting)),
    words_at_blanks=_at_blanks,
)
