"""Comparisons of systems by several metrics, as JSON and as sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bleu_core.inference import Comparisons, disagreements, tiers
from bleu_core.results.envelope import envelope_fields, reported_metrics
from bleu_core.results.headlines import Headline
from bleu_core.results.significance import (
    ComparedMetric,
    ComparedPair,
    ComparedSystem,
    ComparisonReport,
    DisagreeingMetrics,
    methods_by,
    pair_results,
    test_fields,
)
from bleu_core.scoring import BleuEvaluation, CorpusScores, ScoredCorpus


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricComparison:
    """The comparisons of systems by one metric.

    Attributes:
        scored: the systems under the metric.
        comparisons: of them.
        headline: what the data support by this metric.
        second: the comparisons by a second metric that contradicts the headline, if there are any.
        judges: what judges say against the headline, as judges_against has it.
    """

    scored: ScoredCorpus
    comparisons: Comparisons
    headline: Headline
    second: MetricComparison | None = None
    judges: str = ""


def comparisons_report(
    compared: Sequence[MetricComparison], evaluation: BleuEvaluation | CorpusScores
) -> ComparisonReport:
    """Return the JSON report of `bleu-core compare` with several metrics.

    Args:
        compared: the comparisons of the same systems by the same test, by each metric.
        evaluation: the evaluation of the text.
    """
    metrics = [item.scored for item in compared]
    scores = {
        item.scored.name: dict(zip(item.comparisons.systems, item.comparisons.scores.tolist(), strict=True))
        for item in compared
    }
    systems: list[ComparedSystem] = []
    for name in compared[0].comparisons.systems:
        undefined = [metric.metric.undefined for metric in metrics if math.isnan(scores[metric.name][name])]
        systems.append(
            ComparedSystem(
                system=name,
                scores={key: of_system[name] for key, of_system in scores.items()},
                reason="; ".join(dict.fromkeys(undefined)),
            )
        )
    pairs = [
        ComparedPair(**vars(pair), metric=item.scored.name)
        for item in compared
        for pair in pair_results(item.comparisons)
    ]
    return ComparisonReport(
        **envelope_fields(evaluation, metrics[0], comparison_warnings(compared)),
        **test_fields(compared[0].comparisons),
        metrics=tuple(
            ComparedMetric(
                **vars(reported),
                tiers=tiers(item.comparisons) if item.comparisons.complete and item.comparisons.tested else None,
                headline=item.headline,
            )
            for item, reported in zip(compared, reported_metrics(metrics), strict=True)
        ),
        systems=tuple(systems),
        pairs=tuple(pairs),
        disagreements=disagreeing_metrics(compared),
        methods=methods_of_metrics(compared, evaluation),
    )


def disagreeing_metrics(compared: Sequence[MetricComparison]) -> tuple[DisagreeingMetrics, ...]:
    """Return the pairs of systems on which metrics disagree, by the metrics' keys."""
    return tuple(
        DisagreeingMetrics(system=pair.systems[0], baseline=pair.systems[1], metrics=pair.metrics, others=pair.others)
        for pair in disagreements({item.scored.name: item.comparisons for item in compared})
    )


def methods_of_metrics(compared: Sequence[MetricComparison], evaluation: BleuEvaluation | CorpusScores) -> str:
    """Return sentences for the methods section of a paper; metrics that were tested alike are named together."""
    alike: dict[str, list[MetricComparison]] = {}
    for item in compared:
        alike.setdefault(methods_by("", item.comparisons, evaluation), []).append(item)
    return " ".join(
        methods_by(
            ", ".join(f"{item.scored.label} ({item.scored.signature})" for item in items),
            items[0].comparisons,
            evaluation,
        )
        for items in alike.values()
    )


def comparison_warnings(compared: Sequence[MetricComparison]) -> tuple[str, ...]:
    """Return the warnings about comparisons; those that do not concern all metrics begin with the name of one."""
    first, *others = (item.comparisons.warnings for item in compared)
    of_all = set(first).intersection(*others)
    warnings = [
        warning if warning in of_all else f"{item.scored.label}: {warning}"
        for item in compared
        for warning in item.comparisons.warnings
    ]
    return tuple(dict.fromkeys(warnings))
