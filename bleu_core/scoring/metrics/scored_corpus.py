"""The scores of a corpus's systems by a metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError
from bleu_core.progress import Progress
from bleu_core.scoring.bleu_factors import Bleu
from bleu_core.scoring.evaluation import BleuEvaluation, CorpusScores
from bleu_core.scoring.metrics.declaration import Metric
from bleu_core.scoring.metrics.register import find_metric
from bleu_core.scoring.segment_statistics import SegmentStatistics


@dataclass(frozen=True, slots=True)
class ScoredCorpus:
    """The systems of a corpus with their statistics under a metric.

    Attributes:
        metric: the metric.
        signature: to report with the scores.
        statistics: (K, S, columns), whose score is the metric.
    """

    metric: Metric
    signature: str
    statistics: SegmentStatistics

    @classmethod
    def of_bleu(cls, evaluation: BleuEvaluation | CorpusScores) -> ScoredCorpus:
        """Return the systems of an evaluation under BLEU."""
        return cls(find_metric("bleu"), evaluation.signature, evaluation.statistics)

    @classmethod
    def of_corpus(
        cls, corpus: Corpus, evaluation: BleuEvaluation, metric: Metric, statistics: SegmentStatistics
    ) -> ScoredCorpus:
        """Return the systems of an evaluation with their statistics; the metric says why scores are undefined."""
        if metric.explain is not None and np.isnan(statistics.values).any():
            metric = replace(metric, undefined=metric.explain(corpus, evaluation, statistics))
        return cls(metric, metric.signature(evaluation), statistics)

    @property
    def name(self) -> str:
        """The metric's key."""
        return self.metric.key

    @property
    def label(self) -> str:
        """The metric's name for people."""
        return self.metric.label

    @property
    def systems(self) -> tuple[str, ...]:
        """K names."""
        return self.statistics.systems

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        """The corpus scores, (K,)."""
        return self.statistics.score(self.statistics.sums())

    @property
    def factors(self) -> Bleu | None:
        """The factors of the corpus scores, (K,), of a metric that has them."""
        factors = self.statistics.factors
        return None if factors is None else factors(self.statistics.sums())

    def select(self, systems: Sequence[str]) -> ScoredCorpus:
        """Return the scores of some of the systems, in the order given."""
        return replace(self, statistics=self.statistics.select(systems))

    def subset(self, rows: Sequence[int]) -> ScoredCorpus:
        """Return the scores on some of the segments, by their positions from 0."""
        return replace(self, statistics=self.statistics.subset(rows))


def score_metric(
    corpus: Corpus, evaluation: BleuEvaluation, metric: str | Metric, *, progress: Progress | None = None
) -> ScoredCorpus:
    """Score the systems of a corpus by a metric.

    BLEU is not computed again. Other metrics depend on the settings that they declare.

    Args:
        corpus: the texts.
        evaluation: of that corpus; it names the systems and references in use.
        metric: the metric, or the key of a registered one.
        progress: called repeatedly with the hypotheses done, of K times S; may raise, which cancels the work.

    Raises:
        ValueError: the evaluation is of another corpus, or the metric's statistics of other systems or segments.
        SettingsError: there is no such metric, or the package that adds it is broken.
        AlignmentError: the corpus lacks a text that the metric needs.
    """
    if corpus.digest != evaluation.digest:
        raise ValueError(f"an evaluation of {evaluation.digest} found, one of the corpus {corpus.digest} expected")
    metric = find_metric(metric) if isinstance(metric, str) else metric
    for need in metric.needs:
        if getattr(corpus, need) is None:
            raise AlignmentError(f"{metric.label} needs the {need}; add a file with it")
    statistics = metric.statistics(corpus, evaluation, progress)
    if (statistics.systems, statistics.segments) != (evaluation.systems, evaluation.segments):
        raise ValueError(
            f"{metric.label}: statistics of {', '.join(statistics.systems)} and {statistics.segments} segments found, "
            f"of {', '.join(evaluation.systems)} and {evaluation.segments} expected"
        )
    if (statistics.higher_is_better, statistics.decimals) != (metric.higher_is_better, metric.decimals):
        statistics = replace(statistics, higher_is_better=metric.higher_is_better, decimals=metric.decimals)
    return ScoredCorpus.of_corpus(corpus, evaluation, metric, statistics)
