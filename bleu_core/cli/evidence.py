"""Evidence against the headline of a call: its ratings, and a second metric that is computed in addition to BLEU."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import without_effect
from bleu_core.cli.chosen_settings import expression_of, metrics_named
from bleu_core.cli.judge_choices import chosen_judges
from bleu_core.cli.options import has_judges_beside
from bleu_core.cli.scored_data import scored
from bleu_core.scoring import HUMAN, BleuEvaluation

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.cli.scored_data import ScoredData
    from bleu_core.inference import Comparisons
    from bleu_core.judges import HumanRanking
    from bleu_core.results.metric_comparisons import MetricComparison
    from bleu_core.scoring import ScoredCorpus


def judges_beside(options: argparse.Namespace, given: ScoredData) -> HumanRanking | None:
    """Return the ranking of all rated systems by the judges of a call; None if it names none beside its metrics.

    Raises:
        SettingsError: all judges are excluded.
    """
    rated = None if given.ratings is None else given.ratings.rated
    if rated is None or not has_judges_beside(options) or all(metric.name == HUMAN for metric in given.metrics):
        return None
    from bleu_core.judges import human_ranking  # loaded when first needed

    judgments = chosen_judges(options, rated)
    humans = {human.system for human in given.humans}
    systems = [name for name in judgments.systems if name not in humans]
    adjustment = "adjusted" if options.adjust_judges else "auto"
    return human_ranking(judgments, systems, given.documents, adjustment=adjustment, seed=options.seed)


def notes_on_judges(options: argparse.Namespace, compared: Sequence[MetricComparison]) -> list[str]:
    """Return a note if the ratings of a call are named beside its metrics alone, and contradict no headline."""
    used = HUMAN in metrics_named(options) or bool(expression_of(options)) or not has_judges_beside(options)
    if used or any(of_metric.judges for of_metric in compared):
        return []
    return without_effect(options, ["human"], "the ratings are no evidence against the first sentence")


def with_evidence_of(
    compared: MetricComparison,
    given: ScoredData,
    *,
    judges: HumanRanking | None,
    compare_by: Callable[[ScoredCorpus], Comparisons],
) -> MetricComparison:
    """Return comparisons whose headline names the evidence against it.

    A second metric is computed only if texts are compared by one metric; its differences are tested only if it orders
    two systems otherwise.

    Args:
        compared: the comparisons.
        given: the data of the call.
        judges: the ranking by judges, if there is one.
        compare_by: compares the same pairs by another metric.
    """
    from bleu_core.results.evidence import (  # loaded when first needed
        judges_against,
        metrics_against,
        orders_otherwise,
        with_evidence,
    )

    metric, comparisons, headline = compared.scored, compared.comparisons, compared.headline
    against = ""
    if judges is not None and metric.name != HUMAN:
        against = judges_against(headline, comparisons, judges)
    second = _second_metric(given, compared)
    if second is None or not orders_otherwise(headline, comparisons, second):
        return replace(compared, headline=with_evidence(headline, against), judges=against)
    by_second = compare_by(second)
    disagreements = metrics_against(headline, {metric.label: comparisons, second.label: by_second})
    return replace(
        compared,
        headline=with_evidence(headline, against, disagreements),
        second=replace(compared, scored=second, comparisons=by_second) if disagreements else None,
        judges=against,
    )


def _second_metric(given: ScoredData, compared: MetricComparison) -> ScoredCorpus | None:
    """Return the systems under the metric that is computed in addition to that of a headline; None if there is none."""
    from bleu_core.results.evidence import MAX_SECOND_SEGMENTS, SECOND_METRICS, claims_differences  # loaded on demand

    corpus, evaluation, metric = given.corpus, given.evaluation, compared.scored
    if corpus is None or not isinstance(evaluation, BleuEvaluation) or len(given.metrics) > 1:
        return None
    if metric.name not in SECOND_METRICS or len(corpus.systems) * corpus.segments > MAX_SECOND_SEGMENTS:
        return None
    if not claims_differences(compared.headline, compared.comparisons):
        return None
    return scored(corpus, evaluation, SECOND_METRICS[metric.name]).select(metric.systems)
