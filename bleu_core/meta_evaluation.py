"""Metrics against people: BLEU and other scores of the same systems, by system and by segment, ranked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleu_core.corpus import Corpus
from bleu_core.correlation import DECIMALS, Agreement, Exclusion, Points, agreement, agreement_of_scores
from bleu_core.errors import AlignmentError
from bleu_core.evaluation import Evaluation
from bleu_core.judgments import Judgments, ScoreTable
from bleu_core.metric_tests import MetricRanking, TestedMethod, rank_metrics
from bleu_core.segment_level import (
    GROUPINGS,
    CalibratedAccuracy,
    Grouping,
    Method,
    SegmentCorrelation,
    calibrated_accuracy,
    segment_correlation,
)

Level = Literal["system", "segment"]

BLEU = "BLEU"

#: Coefficients of segments that are reported.
SEGMENT_METHODS: tuple[Method, ...] = ("pearson", "spearman", "kendall")


@dataclass(frozen=True, slots=True)
class SystemLevel:
    """Metrics against mean ratings of systems.

    Attributes:
        agreements: one a metric, BLEU first.
        ranking: of the metrics; None where there is BLEU alone.
    """

    agreements: tuple[Agreement, ...]
    ranking: MetricRanking | None


@dataclass(frozen=True, slots=True)
class SegmentLevel:
    """Metrics against mean ratings of segments.

    Attributes:
        signature: of BLEU.
        systems: those compared.
        excluded: those that are not, with the reason.
        correlations: metric -> its coefficients, by method and grouping.
        calibrated: metric -> its accuracy over pairs of systems, segment by segment, with ties calibrated.
        left_out: (metric, reason) of those without scores of segments.
        ranking: of the metrics; None where there is BLEU alone.
    """

    signature: str
    systems: tuple[str, ...]
    excluded: tuple[Exclusion, ...]
    correlations: Mapping[str, tuple[SegmentCorrelation, ...]]
    calibrated: Mapping[str, CalibratedAccuracy]
    left_out: tuple[tuple[str, str], ...]
    ranking: MetricRanking | None


def system_level(
    corpus: Corpus,
    evaluation: Evaluation,
    judgments: Judgments,
    metrics: Sequence[ScoreTable] = (),
    *,
    method: TestedMethod = "pearson",
    without: Iterable[str] = (),
) -> SystemLevel:
    """Compare BLEU and other metrics with mean ratings of systems.

    Args:
        corpus: the texts that were evaluated.
        evaluation: of them.
        judgments: the ratings.
        metrics: other scores of the same systems.
        method: what metrics are ranked by.
        without: human translators to leave out.

    Raises:
        AlignmentError: as in agreement; or a metric has none of the systems, or other segments than the texts.
    """
    of_bleu = agreement(corpus, evaluation, judgments, without=without)
    systems, excluded = of_bleu.systems, of_bleu.excluded
    means = dict(zip(systems, of_bleu.human.tolist(), strict=True))
    found = [of_bleu]
    scores: dict[str, Points] = {BLEU: of_bleu.bleu}
    for table in metrics:
        scores[table.name] = _higher_is_better(table, _aligned(table, systems, corpus).system_scores)
        of_systems = dict(zip(systems, scores[table.name].tolist(), strict=True))
        present = {name: score for name, score in of_systems.items() if not np.isnan(score)}
        found.append(agreement_of_scores(present, means, metric=table.name, excluded=excluded))
    ranking = rank_metrics(scores, of_bleu.human, method) if metrics else None
    return SystemLevel(tuple(found), ranking)


def segment_level(
    corpus: Corpus,
    evaluation: Evaluation,
    judgments: Judgments,
    metrics: Sequence[ScoreTable] = (),
    *,
    method: TestedMethod = "kendall",
    grouping: Grouping = "item",
    without: Iterable[str] = (),
) -> SegmentLevel:
    """Compare BLEU and other metrics with mean ratings of segments.

    Scores and means are compared after rounding, so that float noise breaks no tie.

    Args:
        corpus: the texts that were evaluated.
        evaluation: of them.
        judgments: the ratings.
        metrics: other scores of the same systems.
        method: what metrics are ranked by.
        grouping: how they are grouped for the ranking.
        without: human translators to leave out.

    Raises:
        AlignmentError: as in agreement; or a metric has none of the systems, or other segments than the texts.
    """
    of_bleu = agreement(corpus, evaluation, judgments, without=without)
    systems = of_bleu.systems
    human = judgments.segment_means(systems, corpus.segments).scores.round(DECIMALS)
    scores: dict[str, Points] = {BLEU: evaluation.select(systems).segment_scores.score.round(DECIMALS)}
    left_out: list[tuple[str, str]] = []
    for table in metrics:
        if table.level == "system":
            left_out.append((table.name, "scores of whole systems only"))
        else:
            aligned = _aligned(table, systems, corpus)
            scores[table.name] = _higher_is_better(table, aligned.scores).round(DECIMALS)
    return SegmentLevel(
        of_bleu.signature,
        systems,
        of_bleu.excluded,
        {
            name: tuple(segment_correlation(values, human, m, g) for m in SEGMENT_METHODS for g in GROUPINGS)
            for name, values in scores.items()
        },
        {name: calibrated_accuracy(values, human) for name, values in scores.items()},
        tuple(left_out),
        rank_metrics(scores, human, method, grouping) if len(scores) > 1 else None,
    )


def _aligned(table: ScoreTable, systems: Sequence[str], corpus: Corpus) -> ScoreTable:
    if not set(systems) & set(table.systems):
        raise AlignmentError(
            f"{table.origin or 'scores'}: {table.name}: scores of {', '.join(table.systems)} found, of one of "
            f"{', '.join(systems)} at least expected"
        )
    return table.aligned(systems, corpus.segments)


def _higher_is_better(table: ScoreTable, scores: Points) -> Points:
    return scores if table.higher_is_better else -scores
