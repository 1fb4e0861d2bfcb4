"""Metrics to compare with BLEU: registered metrics, BLEU with other settings, uploaded scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bleu_core.agreement import BLEU, MetricScores, bleu_variants
from bleu_core.dataset import ScoreTable, labelled
from bleu_core.errors import AlignmentError
from bleu_core.progress import Progress
from bleu_core.scoring import BleuSettings, Metric, all_metrics
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.scores import metrics_on_offer, score_under
from dashboard.analysis.view import evaluation_under

#: Keys of the metrics that are compared with BLEU by default, in addition to the uploaded ones.
DEFAULT_METRICS = ("chrf2", "ter")


@dataclass(frozen=True, slots=True)
class MetricChoice:
    """A metric that can be compared with BLEU; exactly one attribute is set.

    Attributes:
        settings: of BLEU.
        metric: a registered metric.
        table: uploaded scores.
    """

    settings: BleuSettings | None = None
    metric: Metric | None = None
    table: ScoreTable | None = None

    @property
    def higher_is_better(self) -> bool:
        """Return whether a larger score is the better one."""
        if self.table is not None:
            return self.table.higher_is_better
        return self.metric is None or self.metric.higher_is_better  # without a metric it is BLEU under other settings


def uploaded_metrics(workspace: Workspace) -> Mapping[str, ScoreTable]:
    """Return label -> scores of each uploaded metric; a label that a metric computed here also has is marked."""
    return labelled(workspace.scores, [metric.label for metric in all_metrics().values()])


def metric_choices(ratings: RatingsInUse) -> Mapping[str, MetricChoice]:
    """Return label -> metric; uploaded ones first."""
    choices = {label: MetricChoice(table=table) for label, table in uploaded_metrics(ratings.view.workspace).items()}
    offered = metrics_on_offer(ratings.view)
    choices |= {label: MetricChoice(metric=metric) for label, metric in offered.items() if metric.key != "bleu"}
    variants = bleu_variants(ratings.evaluation.settings)
    choices |= {label: MetricChoice(settings=settings) for label, settings in variants.items() if label not in choices}
    return choices


def default_metrics(ratings: RatingsInUse) -> list[str]:
    """Return the labels of the metrics that are compared with BLEU by default: the uploaded ones, chrF2 and TER."""
    return [
        label
        for label, choice in metric_choices(ratings).items()
        if choice.table is not None or (choice.metric is not None and choice.metric.key in DEFAULT_METRICS)
    ]


def score_rated_systems(ratings: RatingsInUse, label: str) -> MetricScores:
    """Return a metric's scores of the rated systems.

    Raises:
        AlignmentError: the metric has no score of any of them.
    """
    return _score(ratings.scope, ratings, label)


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
    return [label for label in labels if label in choices and not choices[label].higher_is_better]


@session.cached("Scoring segments", "segments")
def _score(_: Progress, ratings: RatingsInUse, label: str) -> MetricScores:
    if label == BLEU:
        return MetricScores.of_bleu(ratings.evaluation)
    choice = metric_choices(ratings)[label]
    if choice.table is not None:
        table = replace(choice.table, name=label)
        return MetricScores.of_table(table, ratings.view.workspace.corpus).select(ratings.systems)
    if choice.metric is not None:
        return MetricScores.of_metric(score_under(ratings.view, choice.metric.key)).select(ratings.systems)
    settings = choice.settings or ratings.evaluation.settings
    evaluation = evaluation_under(ratings.view, settings).select(ratings.systems)
    return MetricScores.of_bleu(evaluation, label)
