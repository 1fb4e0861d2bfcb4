"""Metrics beside BLEU as it is set: BLEU under other settings, chrF, TER, and scores that were uploaded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bleu_core.agreement import (
    BLEU,
    Agreement,
    Grouping,
    MetricScores,
    MetricTest,
    Robustness,
    SegmentLevel,
    SystemLevel,
    TestedMethod,
    bleu_variants,
    metric_agreement,
    robustness,
    segment_level,
    system_level,
)
from bleu_core.dataset import ScoreTable
from bleu_core.errors import AlignmentError
from bleu_core.inference import Correction, Interval
from bleu_core.scoring import HIGHER_IS_BETTER, METRICS, BleuSettings, MetricName
from dashboard import session
from dashboard.analysis import results
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.session import Workspace

Intervals = Mapping[str, Interval]

#: Orders that are compared at first, where nobody has uploaded a metric.
USUAL_ORDERS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """A metric that can be compared with BLEU; one of the three is given.

    Attributes:
        settings: BLEU under these.
        name: chrF or TER.
        table: scores that were uploaded.
    """

    settings: BleuSettings | None = None
    name: MetricName | None = None
    table: ScoreTable | None = None


def uploaded_metrics(workspace: Workspace) -> Mapping[str, ScoreTable]:
    """What each uploaded metric is called -> its scores; marked where its name is that of a metric computed here."""
    computed = set(METRICS.values())
    taken = {table.name for table in workspace.scores} | computed
    labels: dict[str, ScoreTable] = {}
    for table in workspace.scores:
        label = table.name
        while label in computed or (label != table.name and label in taken):
            label += " (uploaded)"
        labels[label] = table
        taken.add(label)
    return labels


def metric_choices(found: RatingsInUse) -> Mapping[str, MetricChoice]:
    """What each metric is called -> what it is; uploaded ones first."""
    offers = {label: MetricChoice(table=table) for label, table in uploaded_metrics(found.view.workspace).items()}
    offers |= {label: MetricChoice(name=name) for name, label in METRICS.items() if name != "bleu"}
    variants = bleu_variants(found.evaluation.settings)
    offers |= {label: MetricChoice(settings=settings) for label, settings in variants.items() if label not in offers}
    return offers


def default_metrics(found: RatingsInUse) -> list[str]:
    """What is compared at first: the uploaded metrics; where there are none, BLEU of fewer orders."""
    offers = metric_choices(found)
    given = [label for label, offer in offers.items() if offer.table is not None]
    return given or [label for n in USUAL_ORDERS if (label := f"{BLEU}-{n}") in offers]


def metric_scores_of_systems(found: RatingsInUse, label: str) -> MetricScores:
    """A metric's scores of the systems that people rated.

    Raises:
        AlignmentError: it has a score of none of them.
    """
    return session.remember(
        "metric scores",
        (found.key, found.view.workspace.digest, label),
        lambda _: _scores(found, label),
        doing="Scoring segments",
        what="segments",
    )


def system_agreement(found: RatingsInUse, metric: MetricScores) -> Agreement:
    """A metric beside mean ratings.

    Raises:
        AlignmentError: no system has both.
    """
    if metric.name == BLEU:
        return found.agreement
    return metric_agreement(metric, found.agreement)


def robustness_of_metric(found: RatingsInUse, metric: MetricScores, result: Agreement) -> Robustness:
    """What the agreement of a metric with people rests on."""
    place = {name: k for k, name in enumerate(found.systems)}
    rows = [place[name] for name in result.systems]
    of_these = metric.select(result.systems)
    return session.remember(
        "robustness",
        (found.key, found.view.workspace.digest, metric.name, metric.signature),
        lambda progress: robustness(of_these, result.human, found.ratings[rows], progress=progress),
        doing="Drawing systems and segments anew",
        what="steps",
    )


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """How metrics are ranked.

    Attributes:
        metrics: their labels, beside BLEU.
        method: by which coefficient.
        test: of each two.
        correction: for the number of pairs.
        grouping: of segments.
    """

    metrics: tuple[str, ...]
    method: TestedMethod = "pearson"
    test: MetricTest = "perm-both"
    correction: Correction = "holm"
    grouping: Grouping = "item"


def rank_by_system(found: RatingsInUse, asked: RankingOptions) -> SystemLevel:
    """The metrics ranked by their agreement over systems."""
    view = found.view
    metrics = _all(found, asked.metrics)
    return session.remember(
        "by system",
        (found.key, view.workspace.digest, asked),
        lambda progress: system_level(
            view.workspace.corpus,
            view.evaluation,
            found.judgments,
            metrics,
            method=asked.method,
            test=asked.test,
            correction=asked.correction,
            without=found.without,
            progress=progress,
        ),
        doing="Comparing metrics",
        what="trials",
    )


def ranking_intervals(result: SystemLevel, method: TestedMethod) -> Intervals | None:
    """Intervals over systems of each metric's coefficient, by formula; of pairs there are none."""
    if method not in ("pearson", "spearman", "kendall"):
        return None
    return {a.metric: next(c for c in a.correlations if c.method == method).interval for a in result.agreements}


def rank_by_segment(found: RatingsInUse, asked: RankingOptions) -> SegmentLevel:
    """The metrics ranked by their agreement over segments."""
    view = found.view
    metrics = _all(found, asked.metrics)
    return session.remember(
        "by segment",
        (found.key, view.workspace.digest, asked),
        lambda progress: segment_level(
            view.workspace.corpus,
            view.evaluation,
            found.judgments,
            metrics,
            method=asked.method,
            grouping=asked.grouping,
            correction=asked.correction,
            without=found.without,
            progress=progress,
        ),
        doing="Comparing metrics",
        what="trials",
    )


def scorable_metrics(found: RatingsInUse, labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """The metrics with a score of a system that people rated, and why the others have none."""
    kept: list[str] = []
    problems: list[str] = []
    for label in labels:
        try:
            metric_scores_of_systems(found, label)
        except AlignmentError as error:
            problems.append(str(error))
        else:
            kept.append(label)
    return kept, problems


def lower_is_better(found: RatingsInUse, labels: Sequence[str]) -> list[str]:
    """Those of the metrics of which less is better."""
    offers = metric_choices(found)
    return [label for label in labels if label in offers and not _up(offers[label])]


def _up(offer: MetricChoice) -> bool:
    if offer.table is not None:
        return offer.table.higher_is_better
    return offer.name is None or HIGHER_IS_BETTER[offer.name]  # without a name it is BLEU under other settings


def _all(found: RatingsInUse, labels: Sequence[str]) -> list[MetricScores]:
    return [metric_scores_of_systems(found, label) for label in labels]


def _scores(found: RatingsInUse, label: str) -> MetricScores:
    if label == BLEU:
        return MetricScores.of_bleu(found.evaluation)
    offer = metric_choices(found)[label]
    if offer.table is not None:
        table = replace(offer.table, name=label)
        return MetricScores.of_table(table, found.view.workspace.corpus).select(found.systems)
    if offer.name is not None:
        return MetricScores.of_metric(results.metric_scores(found.view, offer.name)).select(found.systems)
    settings = offer.settings or found.evaluation.settings
    evaluation = results.counted(found.view.workspace, settings).select(found.systems)
    return MetricScores.of_bleu(evaluation, label)
