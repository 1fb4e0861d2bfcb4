"""Metrics to compare with BLEU: registered metrics, BLEU with other settings, uploaded scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from bleu_core.agreement import SENTINELS, MetricScores, bleu_variants, sentinel_metric, sentinel_scores
from bleu_core.dataset import ScoreTable, optimised_for
from bleu_core.errors import AlignmentError
from bleu_core.progress import Progress
from bleu_core.scoring import HUMAN_LABEL, BleuSettings, Metric, all_metrics
from dashboard import session
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.scores import registered_metrics, score_systems, uploaded_tables
from dashboard.analysis.view import View, evaluation_under

#: Keys of the metrics that are compared with BLEU by default, in addition to the uploaded ones.
DEFAULT_METRICS = ("chrf2", "ter")


#: A metric whose agreement with ratings can be measured: computed here, BLEU under other settings, or uploaded scores.
MetricChoice: TypeAlias = Metric | BleuSettings | ScoreTable


def metric_choices(ratings: RatingsInUse) -> Mapping[str, MetricChoice]:
    """Return label -> metric; BLEU first, then uploaded ones."""
    registered = registered_metrics(ratings.view)
    first = next(iter(registered))
    choices: dict[str, MetricChoice] = {first: registered[first], **uploaded_tables(ratings.view.workspace)}
    choices |= registered
    variants = bleu_variants(ratings.evaluation.settings)
    return choices | {label: settings for label, settings in variants.items() if label not in choices}


def rankable_metrics(ratings: RatingsInUse) -> Mapping[str, MetricChoice]:
    """Return label -> metric, of those that can be ranked by agreement: all choices, and the sentinel at the end."""
    sentinel = sentinel_metric(ratings.view.workspace.corpus)
    return {**metric_choices(ratings), sentinel.label: sentinel}


def default_metrics(ratings: RatingsInUse) -> list[str]:
    """Return the labels of the metrics that are compared with BLEU by default: the uploaded ones, chrF2 and TER."""
    return [
        label
        for label, choice in metric_choices(ratings).items()
        if isinstance(choice, ScoreTable) or (isinstance(choice, Metric) and choice.key in DEFAULT_METRICS)
    ]


def score_rated_systems(ratings: RatingsInUse, label: str) -> MetricScores:
    """Return a metric's scores of the rated systems.

    Raises:
        AlignmentError: the metric has no score of any of them, or it is the ratings themselves.
    """
    if label == HUMAN_LABEL:
        raise AlignmentError(f"{HUMAN_LABEL} are what other metrics are compared with; choose another metric")
    scores = _score(ratings.scope, ratings, label)
    if not ratings.view.optimised:  # a list of all metrics takes a while
        return scores
    marked = marked_as_optimised(ratings.view, label, rankable_metrics(ratings)[label])
    return scores.excluding(marked).select(ratings.systems) if marked else scores


def scorable_metrics(ratings: RatingsInUse, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the metrics with a score of a rated system, and the reasons why the others have none."""
    scorable: list[str] = []
    problems: list[str] = []
    for label in labels:
        try:
            score_rated_systems(ratings, label)
        except AlignmentError as error:
            problems.append(str(error))
        else:
            scorable.append(label)
    return scorable, problems


def lower_is_better(ratings: RatingsInUse, labels: Sequence[str]) -> list[str]:
    """Those of the metrics whose smaller score is the better one."""
    choices = metric_choices(ratings)
    return [label for label in labels if not getattr(choices.get(label), "higher_is_better", True)]


def marked_as_optimised(view: View, label: str, choice: MetricChoice) -> Mapping[str, str]:
    """Return the systems that were optimised for a metric, which are not in its agreement -> the reason."""
    names = (choice.key, label) if isinstance(choice, Metric) else (label,)
    return {mark.system: mark.reason for mark in optimised_for(view.optimised, *names)}


def markable_metrics(view: View) -> tuple[str, ...]:
    """Return the names of all metrics that a system can be marked with as optimised for them: labels and keys."""
    computed = {name: None for key, metric in all_metrics().items() for name in (metric.label, key)}
    return (*computed, *uploaded_tables(view.workspace), *bleu_variants(view.evaluation.settings))


@session.cached("Scoring segments", "segments")
def _score(_: Progress, ratings: RatingsInUse, label: str) -> MetricScores:
    choice = rankable_metrics(ratings)[label]
    if label in SENTINELS:
        return sentinel_scores(ratings.view.workspace.corpus, ratings.view.evaluation).select(ratings.systems)
    if isinstance(choice, ScoreTable):
        table = replace(choice, name=label)
        return MetricScores.of_table(table, ratings.view.workspace.corpus).select(ratings.systems)
    if isinstance(choice, Metric):
        return MetricScores.of_metric(score_systems(ratings.view, choice.key).scored).select(ratings.systems)
    return MetricScores.of_bleu(evaluation_under(ratings.view, choice).select(ratings.systems), label)
