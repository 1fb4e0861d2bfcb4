"""Evidence against a headline: systems that judges, or a second metric, order the other way round, significantly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from bleu_core.argument_types import refuse_texts
from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.fields import decimal
from bleu_core.inference import ALPHA, Comparisons, Disagreement, adjust, disagreements, significant
from bleu_core.results.headlines import (
    MAX_NAMED,
    P_NAMES,
    Headline,
    HeadlineClass,
    verdict_between,
)
from bleu_core.results.metric_scores import disagreement_sentence
from bleu_core.results.table import format_p

if TYPE_CHECKING:
    from bleu_core.judges import HumanRanking
    from bleu_core.scoring import ScoredCorpus

#: Key of a metric -> that of the metric that is computed in addition for headlines.
SECOND_METRICS: Mapping[str, str] = MappingProxyType({"bleu": "chrf2"})

#: Maximum number of segments of all systems together for which a second metric is computed unasked, in about 2 s.
MAX_SECOND_SEGMENTS = 50_000

#: Maximum number of pairs on which metrics disagree that a headline names.
MAX_DISAGREEMENTS = 2

#: Classes of headlines that order the best system before all others.
_OF_LEADERS = (HeadlineClass.LEADER, HeadlineClass.LEADERS, HeadlineClass.TIE)


def ordered_pairs(headline: Headline, comparisons: Comparisons) -> tuple[tuple[str, str], ...]:
    """Return the pairs of systems that a headline orders, in each the system that is better by the metric first.

    These are the best system and each other one or, against a baseline, the baseline and each system that differs
    significantly from it. Headlines that order no systems, or only describe a slice, have none.

    Args:
        headline: of the comparisons.
        comparisons: of the systems by the metric.
    """
    if headline.class_ in _OF_LEADERS:
        best = headline.systems if headline.class_ == HeadlineClass.TIE else headline.systems[:1]
        others = headline.systems[len(best) :] or [name for name in comparisons.ranked if name not in best]
        return tuple((first, other) for first in best for other in others if comparisons.between(first, other))
    if headline.class_ != HeadlineClass.BASELINE:
        return ()
    (baseline,) = headline.systems
    verdicts = {name: verdict_between(comparisons, name, baseline) for name in comparisons.ranked if name != baseline}
    better = [(name, baseline) for name, verdict in verdicts.items() if verdict == 1]
    return (*better, *((baseline, name) for name, verdict in verdicts.items() if verdict == -1))


def judges_against(headline: Headline, comparisons: Comparisons, ranking: HumanRanking) -> str:
    """Return a sentence if judges rate a system significantly lower than one that a headline puts below it.

    p-values are corrected by Holm's method for the pairs that the headline orders. Means that may not be compared, such
    as raw ones of judges who are confounded with systems, are no evidence.

    Args:
        headline: of the comparisons.
        comparisons: of the systems by the metric.
        ranking: of all rated systems, as confounded judges are recognised from all ratings.

    Returns:
        The sentence; empty if there is no such evidence.
    """
    if ranking.not_comparable:
        return ""
    p_of = {frozenset((pair.system, pair.baseline)): pair.p_value for pair in ranking.pairs}
    rated = [pair for pair in ordered_pairs(headline, comparisons) if frozenset(pair) in p_of]
    if not rated:
        return ""
    place = {rank.system: number for number, rank in enumerate(ranking.ranks)}
    p_values = adjust(np.array([p_of[frozenset(pair)] for pair in rated], np.float64)).tolist()
    contradicting = {
        (first, other): p
        for (first, other), p in zip(rated, p_values, strict=True)
        if place[first] > place[other] and significant(p)
    }
    family = f" over {len(rated):,} pairs" if len(rated) > 1 else ""
    name_of_p = P_NAMES["holm"] if family else "p"
    if len(contradicting) == 1:
        ((lower, higher), p), *_ = contradicting.items()
        equals = "" if format_p(p).startswith("<") else "= "
        basis = f"{_mean_ratings(ranking, lower, higher)}; {name_of_p} {equals}{format_p(p)}{family}"
    else:
        adjusted = "ratings adjusted for judges; " if ranking.adjusted else ""
        basis = f"{adjusted}{name_of_p} at the {ALPHA:g} level{family}"
    return " ".join(
        f"Judges rate {listed(lower, MAX_NAMED)} significantly lower than {listed(higher, MAX_NAMED)} ({basis})."
        for lower, higher in _grouped(contradicting)
    )


def _mean_ratings(ranking: HumanRanking, lower: str, higher: str) -> str:
    """Return the mean ratings of two systems; raw ones beside those that are adjusted for judges."""
    first, second = ({rank.system: rank for rank in ranking.ranks}[name] for name in (lower, higher))
    raw = f"{decimal(first.raw)} against {decimal(second.raw)}"
    if not ranking.adjusted:
        return f"mean rating {raw}"
    return f"mean rating adjusted for judges {decimal(first.mean)} against {decimal(second.mean)}, raw {raw}"


def _grouped(pairs: Iterable[tuple[str, str]]) -> Iterable[tuple[Sequence[str], Sequence[str]]]:
    """Return pairs of a lower and a higher system as a few statements about several systems each."""
    lower_than: dict[str, list[str]] = {}
    for lower, higher in pairs:
        lower_than.setdefault(higher, []).append(lower)
    groups: dict[tuple[str, ...], list[str]] = {}
    for higher, lower in lower_than.items():
        groups.setdefault(tuple(lower), []).append(higher)
    return groups.items()


def claims_differences(headline: Headline, comparisons: Comparisons) -> bool:
    """Return whether a headline rests on a significant difference, which a second metric may contradict."""
    return any(verdict_between(comparisons, *pair) == 1 for pair in ordered_pairs(headline, comparisons))


def orders_otherwise(headline: Headline, comparisons: Comparisons, second: ScoredCorpus) -> bool:
    """Return whether a second metric orders two systems unlike a headline that rests on a significant difference.

    If it does not, the differences by that metric need no test: it cannot contradict the headline.

    Args:
        headline: of the comparisons.
        comparisons: of the systems by the metric of the headline.
        second: the systems under the second metric.
    """
    sign = 1 if second.metric.higher_is_better else -1
    scores = dict(zip(second.systems, (sign * second.scores).tolist(), strict=True))
    return any(
        verdict_between(comparisons, first, other) == 1 and scores[first] < scores[other]
        for first, other in ordered_pairs(headline, comparisons)
    )


def metrics_against(headline: Headline, comparisons: Mapping[str, Comparisons]) -> tuple[Disagreement, ...]:
    """Return the pairs of systems that a headline orders and another metric orders otherwise, both significantly.

    Args:
        headline: by the first of the metrics.
        comparisons: metric -> comparisons of the same systems; the first one is that of the headline.
    """
    ordered = {frozenset(pair) for pair in ordered_pairs(headline, next(iter(comparisons.values())))}
    return tuple(pair for pair in disagreements(comparisons) if frozenset(pair.systems) in ordered)


def with_evidence(headline: Headline, judges: str = "", metrics: Sequence[Disagreement] = ()) -> Headline:
    """Return a headline whose second sentence begins with the evidence against it.

    Args:
        headline: the headline.
        judges: from judges_against.
        metrics: from metrics_against, by the labels of the metrics.
    """
    sentences = [judges, *map(disagreement_sentence, metrics[:MAX_DISAGREEMENTS])]
    more = len(metrics) - MAX_DISAGREEMENTS
    if more > 0:
        sentences.append(f"These metrics disagree on {more:,} more {plural(more, 'pair')}.")
    return replace(headline, detail=" ".join(filter(None, [*sentences, headline.detail])))


refuse_texts(__name__)
