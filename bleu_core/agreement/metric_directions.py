"""Whether the direction in which an uploaded metric is read, higher or lower is better, contradicts the judges."""

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
from bleu_core.inference import ALPHA

#: Pearson's r over systems below which a metric contradicts the judges.
MIN_R = -0.8
#: The fewest systems over which it does.
MIN_SYSTEMS = 8
#: The fewest segments whose mean coefficient is tested.
MIN_SEGMENTS = 10


@dataclass(frozen=True, slots=True)
class DoubtfulDirection:
    """A metric that ranks translations the other way round than the judges do.

    Attributes:
        metric: its name.
        higher_is_better: how its scores were read.
        evidence: what shows it, in words.
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
    metrics: Iterable[MetricScores], systems: Sequence[str], of_systems: Floats, of_segments: Floats
) -> tuple[DoubtfulDirection, ...]:
    """Find the metrics whose direction contradicts the judges.

    A metric does if Pearson's r over at least MIN_SYSTEMS systems is below MIN_R, or if the mean of Kendall's tau
    over segments, each between the systems' outputs, is significantly below 0, by a two-sided t-test at the 5% level
    over segments. It does not if its scores of each system's segments agree with the judges on average: then it
    prefers other systems, but its direction is right.

    Args:
        metrics: from files, as their direction is not known; higher is better in their scores.
        systems: K names, of the ratings.
        of_systems: (K,) mean ratings, NaN where there is none.
        of_segments: (K, S) mean ratings, NaN where nobody rated one.

    Raises:
        AlignmentError: a metric has a score of none of the systems.
    """
    found: list[DoubtfulDirection] = []
    for metric in metrics:
        selected = metric.select(systems)
        evidence = _of_segments(selected, of_segments) or _of_systems(selected, of_systems)
        if evidence:
            found.append(DoubtfulDirection(metric.name, metric.higher_is_better, evidence))
    return tuple(found)


def _of_systems(metric: MetricScores, human: Floats) -> str:
    both = int((np.isfinite(metric.of_systems) & np.isfinite(human)).sum())
    r = pearson(metric.of_systems, human, metric=metric.name).coefficient
    if both < MIN_SYSTEMS or not r < MIN_R:
        return ""
    return f"Pearson's r with the mean ratings of {both} systems is {_number(r)}"


def _of_segments(metric: MetricScores, human: Floats) -> str:
    if not metric.has_segments or metric.of_segments.shape != human.shape:
        return ""
    by_segment = segment_correlation(metric.of_segments, human, "kendall", "item").by_group
    values = by_segment[np.isfinite(by_segment)]
    if len(values) < MIN_SEGMENTS or not values.mean() < 0:
        return ""
    within = segment_correlation(metric.of_segments, human, "kendall", "system").coefficient
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    if within > 0 or not _is_significant(float(values.mean()), error, len(values)):
        return ""
    return f"Kendall's tau with the ratings by segment is {_number(float(values.mean()))} on average"


def _is_significant(mean: float, error: float, count: int) -> bool:
    from scipy.stats import t  # loaded when first needed

    return error == 0 or 2 * float(t.sf(abs(mean) / error, count - 1)) < ALPHA


def _number(value: float) -> str:
    return f"{value:z.3f}".replace("-", "\N{MINUS SIGN}")
