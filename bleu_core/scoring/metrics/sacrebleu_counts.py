"""What sacreBLEU's metrics count in each segment, and their signatures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import Evaluation
from bleu_core.scoring.metrics.by_segment import count_by_segment
from bleu_core.scoring.sums import Numbers

#: What makes sacreBLEU's object for a metric, given references.
Scorer = Callable[..., Any]


def sacrebleu_counts(
    corpus: Corpus,
    evaluation: Evaluation,
    scorer: Scorer,
    progress: Progress | None,
    *,
    shared_from: int | None = None,
) -> Numbers:
    """Each segment's columns, (K, S, columns).

    sacreBLEU is given one segment at a time: its references are prepared once for all systems and then dropped, as all
    n-grams of a large corpus would fill the memory. The arguments are those of count_by_segment.
    """
    return count_by_segment(corpus, evaluation, partial(_count, scorer=scorer), progress, shared_from=shared_from)


def _count(texts: set[str], references: Sequence[str], *, scorer: Scorer) -> Mapping[str, Sequence[float]]:
    prepared = scorer(references=[[text] for text in references])
    return {text: prepared._extract_corpus_statistics([text], None)[0] for text in texts}  # noqa: SLF001


def sacrebleu_signature(scorer: Scorer, evaluation: Evaluation) -> str:
    """The signature of a metric without its own count of references."""
    whole = scorer()
    whole.num_refs = evaluation.references_per_segment or -1  # sacreBLEU's mark of a number that varies
    return whole.get_signature().format(short=False)
