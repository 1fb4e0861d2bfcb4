"""Pairs of systems that metrics order differently, each significantly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from bleu_core.inference.significance import Comparisons


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """Two systems of which each is significantly better than the other by some metrics.

    Attributes:
        systems: their names; the first is better by the first of the metrics.
        metrics: names of the metrics by which the first system is better.
        others: names of the metrics by which the second one is.
    """

    systems: tuple[str, str]
    metrics: tuple[str, ...]
    others: tuple[str, ...]


def disagreements(comparisons: Mapping[str, Comparisons]) -> tuple[Disagreement, ...]:
    """Return the pairs of systems on which metrics disagree, each at its own corrected level of significance.

    Args:
        comparisons: metric -> comparisons of the same systems, the leading metric first.
    """
    if not comparisons:
        return ()
    systems = next(iter(comparisons.values())).ranked
    found: list[Disagreement] = []
    for first, second in combinations(systems, 2):
        verdicts: dict[str, int] = {}
        for metric, results in comparisons.items():
            pair = results.between(first, second)
            verdicts[metric] = 0 if pair is None else results.verdict(pair)
        better = tuple(metric for metric, verdict in verdicts.items() if verdict > 0)
        worse = tuple(metric for metric, verdict in verdicts.items() if verdict < 0)
        if not better or not worse:
            continue
        leading = next(metric for metric, verdict in verdicts.items() if verdict)
        if verdicts[leading] > 0:
            found.append(Disagreement(systems=(first, second), metrics=better, others=worse))
        else:
            found.append(Disagreement(systems=(second, first), metrics=worse, others=better))
    return tuple(found)
