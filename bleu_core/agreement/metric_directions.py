"""Detection of uploaded metrics whose direction, higher or lower is better, contradicts the judges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.agreement.correlation import pearson
from bleu_core.agreement.meta_evaluation import MetricScores
from bleu_core.agreement.segment_agreement import segment_correlation
from bleu_core.arrays import Floats
from bleu_core.errors import one_line
from bleu_core.inference import ALPHA, two_sided_p

#: Pearson's r over systems below which a metric contradicts the judges.
MIN_R = -0.8
#: Minimum number of systems for Pearson's r.
MIN_SYSTEMS = 8
#: Minimum number of segments for the test of the mean coefficient.
MIN_SEGMENTS = 10


@dataclass(frozen=True, slots=True)
class DoubtfulDirection:
    """A metric that ranks translations in the reverse order of the judges.

    Attributes:
        metric: name of the metric.
        higher_is_better: how its scores were read.
        evidence: the statistic that contradicts the direction, in words.
    """

    metric: str
    higher_is_better: bool
    evidence: str

    @property
    def sentence(self) -> str:
        """The warning, with what to do."""
        read, other = ("higher", "lower") if self.higher_is_better else ("lower", "higher")
        return one_line(
            f"{self.metric}: its direction may be wrong: its scores are read as {read} is better, and {self.evidence}; "
            f"if {other} is better, say so with --{other}-is-better {self.metric}, or by Lower is better on the Data "
            "page"
        )


def doubtful_directions(
    metrics: Iterable[MetricScores], systems: Sequence[str], system_ratings: Floats, segment_ratings: Floats
) -> tuple[DoubtfulDirection, ...]:
    """Return the metrics whose direction contradicts the judges.

    The direction contradicts the judges if Pearson's r over at least MIN_SYSTEMS systems is below MIN_R, or if the mean
    over segments of Kendall's tau between the systems' outputs is significantly below 0, by a two-sided t-test at the
    5% level over segments. It does not if the scores of each system's segments agree with the judges on average: then
    the metric prefers other systems, but its direction is right.

    Args:
        metrics: from files, whose direction is unknown; oriented so that higher is better.
        systems: K names of the rated systems.
        system_ratings: (K,) mean ratings; NaN if there is none.
        segment_ratings: (K, S) mean ratings; NaN for unrated segments.

    Raises:
        AlignmentError: a metric has no score of any of the systems.
    """
    doubtful: list[DoubtfulDirection] = []
    for metric in metrics:
        selected = metric.select(systems)
        evidence = _segment_evidence(selected, segment_ratings) or _system_evidence(selected, system_ratings)
        if evidence:
            doubtful.append(DoubtfulDirection(metric.name, metric.higher_is_better, evidence))
    return tuple(doubtful)


def _system_evidence(metric: MetricScores, human: Floats) -> str:
    n_systems = int((np.isfinite(metric.system_scores) & np.isfinite(human)).sum())
    r = pearson(metric.system_scores, human, metric=metric.name).coefficient
    if n_systems < MIN_SYSTEMS or not r < MIN_R:
        return ""
    return f"Pearson's r with the mean ratings of {n_systems} systems is {_number(r)}"


def _segment_evidence(metric: MetricScores, human: Floats) -> str:
    if not metric.has_segments or metric.segment_scores.shape != human.shape:
        return ""
    by_segment = segment_correlation(metric.segment_scores, human, "kendall", "item").by_group
    values = by_segment[np.isfinite(by_segment)]
    if len(values) < MIN_SEGMENTS or not values.mean() < 0:
        return ""
    within_systems = segment_correlation(metric.segment_scores, human, "kendall", "system").coefficient
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    if within_systems > 0 or not _is_significant(float(values.mean()), error, len(values)):
        return ""
    return f"Kendall's tau with the ratings by segment is {_number(float(values.mean()))} on average"


def _is_significant(mean: float, error: float, count: int) -> bool:
    return error == 0 or two_sided_p(mean / error, count - 1) < ALPHA


def _number(value: float) -> str:
    return f"{value:z.3f}".replace("-", "\N{MINUS SIGN}")
