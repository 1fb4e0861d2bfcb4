"""A sentinel metric, the length of the source: it does not look at translations, so that it cannot tell good from bad.

The score of a translation is the number of characters of its source segment, for every system the same. Where a metric
does not agree significantly better with ratings than the sentinel, the ratings do not show that the metric measures
quality: the agreement can be due to segments, some of which are harder to translate than others.

The direction is fixed beforehand, so that it is not fitted to the ratings: a longer source gets a lower score, as
errors add up over a segment. Lengths are in characters, which need no tokeniser.

What follows for each way to compare, since the score is the same for all systems:

- all segments at once, and by system: it has a coefficient, and is tested as other metrics are.
- by segment: all translations of a segment have the same score, so that a correlation is undefined, and none is shown.
  The accuracy with calibrated ties is defined: it is the share of pairs of translations that the judges tie, as of any
  constant score, and it is shown with that explanation.
- systems: all have the same score. No coefficient is shown, not even the accuracy over pairs of systems, which would be
  the share of tied pairs: PERM-BOTH standardises scores, and a constant score has no standard deviation.

Source:
    Perrella, Proietti, Huguet Cabot, Barba and Navigli (2024), "Guardians of the machine translation meta-evaluation:
    sentinel metrics fall in!", arXiv 2408.13831, whose sentinels are trained on ratings. This one is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

import numpy as np
import numpy.typing as npt

from bleu_core.agreement.correlation import MIN_ENTRIES
from bleu_core.agreement.meta_evaluation import MetricScores
from bleu_core.agreement.metric_tests import MetricRanking
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus
from bleu_core.errors import listed
from bleu_core.inference import significant
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation, Metric, SegmentStatistics, score_metric

#: Name of the sentinel.
SOURCE_LENGTH = "source length"
#: Name of the sentinel for texts without the source.
LENGTH_OF_REFERENCE = "length of the reference"
SENTINELS = (SOURCE_LENGTH, LENGTH_OF_REFERENCE)

#: Maximum number of metrics that a sentence names; further ones are counted.
MAX_NAMED = 10

#: Why the sentinel has no coefficient over systems.
NOT_OVER_SYSTEMS = (
    "it is the same for all systems, so it has no agreement with judges over systems; compare segments, by system or "
    "all at once"
)


def sentinel_metric(corpus: Corpus) -> Metric:
    """Return the sentinel: the length of the source in characters, or of the reference for texts without the source.

    A segment's reference is the first of those in use that has it. The metric is not registered, as it cannot compare
    systems.
    """
    name = LENGTH_OF_REFERENCE if corpus.source is None else SOURCE_LENGTH
    return Metric(
        key=name.replace(" ", "-"),
        label=name,
        help="number of characters, the same for all systems: a sentinel that does not look at translations",
        statistics=_statistics,
        signature=partial(_signature, name=name),
        unit="characters",
        higher_is_better=False,
        settings=(),
        undefined="no segment has a reference",
    )


def sentinel_scores(corpus: Corpus, evaluation: BleuEvaluation) -> MetricScores:
    """Return the scores of the sentinel.

    Args:
        corpus: the texts.
        evaluation: of that corpus; it names the systems and references in use.
    """
    return MetricScores.of_metric(score_metric(corpus, evaluation, sentinel_metric(corpus)))


def sentinel_sentence(ranking: MetricRanking) -> str:
    """Return what a ranking of metrics says about those that do not beat the sentinel; empty without a sentinel."""
    without = next((name for name, _ in ranking.excluded if name in SENTINELS), None)
    if without is not None and ranking.grouping == "item" and ranking.entries > MIN_ENTRIES:
        return (
            f"The {without} is the same for all translations of a segment, so it has no coefficient by segment. "
            "The agreement of the other metrics by segment is therefore not due to easy and hard segments."
        )
    sentinel = next((k for k, name in enumerate(ranking.metrics) if name in SENTINELS), None)
    if sentinel is None or len(ranking.metrics) == 1:
        return ""
    name, coefficient = ranking.metrics[sentinel], ranking.coefficients[sentinel]
    others = [k for k in range(len(ranking.metrics)) if k != sentinel]
    differs: list[bool] = np.asarray(significant(ranking.p_values_adjusted[sentinel], ranking.alpha), np.bool_).tolist()
    beating = [k for k in others if differs[k] and ranking.coefficients[k] > coefficient]
    behind = [ranking.metrics[k] for k in others if k not in beating]
    what = f"{name}, which does not look at the translations"
    notes: list[str] = []
    if behind:
        verb = "does" if len(behind) == 1 else "do"
        notes.append(
            f"{_and(behind)} {verb} not agree significantly better with the judges than {what}: "
            f"{'its' if len(behind) == 1 else 'their'} agreement can be due to easy and hard segments alone, and is no "
            "evidence of measuring quality."
        )
    else:
        number = len(others)
        subject = f"{ranking.metrics[others[0]]} agrees" if number == 1 else f"All {number} other metrics agree"
        notes.append(f"{subject} significantly better with the judges than {what}.")
    if ranking.method == "acc-eq":
        notes.append("The accuracy of the sentinel is the share of pairs of translations that the judges tie.")
    elif not math.isnan(coefficient) and coefficient < 0:
        notes.append(
            f"Here judges rate longer segments higher, so the coefficient of the {name} is negative: it is a weak "
            "test of the other metrics."
        )
    return " ".join(notes)


def _and(names: Sequence[str]) -> str:
    """Join names to a list in a sentence; more than ten are counted."""
    if len(names) > MAX_NAMED:
        return listed(names, max_items=MAX_NAMED)
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def _statistics(corpus: Corpus, evaluation: BleuEvaluation, _progress: Progress | None) -> SegmentStatistics:
    texts = corpus.source if corpus.source is not None else _first_references(corpus, evaluation.references)
    lengths = np.array([math.nan if text is None else float(len(text)) for text in texts])
    has_text = np.isfinite(lengths)
    values = np.stack([np.where(has_text, lengths, 0.0), has_text.astype(np.float64)], axis=-1)
    return SegmentStatistics(
        evaluation.systems,
        np.repeat(values[None], len(evaluation.systems), axis=0),
        _mean_length,
        higher_is_better=False,
        has_gaps=not has_text.all(),
    )


def _first_references(corpus: Corpus, references: Sequence[str]) -> list[str | None]:
    """Return the first reference of each segment that exists."""
    columns = zip(*(corpus.references[name] for name in references), strict=True)
    return [next((text for text in texts if text is not None), None) for texts in columns]


def _mean_length(sums: npt.NDArray[np.int64 | np.float64]) -> Floats:
    """Return mean lengths of (..., 2) summed lengths and numbers of segments; NaN without a segment."""
    return np.divide(sums[..., 0], sums[..., 1], out=np.full(sums.shape[:-1], np.nan), where=sums[..., 1] > 0)


def _signature(evaluation: BleuEvaluation, *, name: str) -> str:
    return f"{name}|unit:characters|segments:{evaluation.segments}|better:lower"
