"""The systems of a corpus, scored by a metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.metrics.declaration import Metric
from bleu_core.scoring.metrics.register import find_metric
from bleu_core.scoring.segment_statistics import SegmentStatistics


@dataclass(frozen=True, slots=True)
class ScoredCorpus:
    """A corpus's systems under one metric.

    Attributes:
        metric: which.
        signature: what to quote with the scores.
        table: (K, S, columns), with the metric as its score.
    """

    metric: Metric
    signature: str
    statistics: SegmentStatistics

    @classmethod
    def of_bleu(cls, evaluation: BleuEvaluation) -> ScoredCorpus:
        """The systems of an evaluation under BLEU."""
        return cls(find_metric("bleu"), evaluation.signature, evaluation.statistics)

    @property
    def name(self) -> str:
        """The metric's key."""
        return self.metric.key

    @property
    def label(self) -> str:
        """The metric's name for people."""
        return self.metric.label

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        """Of the whole corpus, (K,)."""
        return self.statistics.score(self.statistics.sums())

    def select(self, systems: Sequence[str]) -> ScoredCorpus:
        """The same for some of the systems, in the order given."""
        return replace(self, statistics=self.statistics.select(systems))

    def subset(self, rows: Sequence[int]) -> ScoredCorpus:
        """The same for some of the segments, by their positions from 0."""
        return replace(self, statistics=self.statistics.subset(rows))


def score_metric(
    corpus: Corpus, evaluation: BleuEvaluation, name: str, *, progress: Progress | None = None
) -> ScoredCorpus:
    """Compute what a metric needs of each segment.

    BLEU is there already. Other metrics depend on those of the settings that they declare.

    Args:
        corpus: the texts.
        evaluation: of that corpus; it names the systems and references in use.
        name: the key of the metric.
        progress: told, now and then, how many hypotheses of K times S are done; may raise, which ends the work.

    Raises:
        ValueError: the evaluation is of another corpus, or the metric's table of other systems or segments.
        SettingsError: there is no such metric, or the package that adds it is broken.
        AlignmentError: the corpus lacks a text that the metric needs.
    """
    if corpus.digest != evaluation.digest:
        raise ValueError(f"an evaluation of {evaluation.digest} found, one of the corpus {corpus.digest} expected")
    found = find_metric(name)
    for need in found.needs:
        if getattr(corpus, need) is None:
            raise AlignmentError(f"{found.label} needs the {need}; add a file with it")
    table = found.statistics(corpus, evaluation, progress)
    if (table.systems, table.segments) != (evaluation.systems, evaluation.segments):
        raise ValueError(
            f"{found.label}: a table of {', '.join(table.systems)} and {table.segments} segments found, one of "
            f"{', '.join(evaluation.systems)} and {evaluation.segments} expected"
        )
    if table.higher_is_better != found.higher_is_better:
        table = replace(table, higher_is_better=found.higher_is_better)
    return ScoredCorpus(found, found.signature(evaluation), table)


def segment_scores(evaluation: BleuEvaluation, scored: ScoredCorpus) -> npt.NDArray[np.float64]:
    """Scores of single segments, (K, S): the metric of one segment's sums; sentence BLEU, which has rules of its own.

    Args:
        evaluation: of the corpus, with the same systems.
        scored: the systems under a metric.
    """
    if scored.name == "bleu":
        return evaluation.segment_scores.score
    return scored.statistics.score(scored.statistics.values)
