"""Headlines of pages: the conclusion about the best system that the data support."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import replace

from bleu_core.errors import AlignmentError
from bleu_core.inference import Comparisons
from bleu_core.results.envelope import Envelope, assessment_report
from bleu_core.results.evidence import (
    MAX_SECOND_SEGMENTS,
    SECOND_METRICS,
    claims_differences,
    judges_against,
    metrics_against,
    ordered_pairs,
    orders_otherwise,
    with_evidence,
)
from bleu_core.results.headlines import Headline, headline, verdict_between
from bleu_core.scoring import BUILT_IN_METRICS, HUMAN, Basis, basis_of
from bleu_core.uploads import Workspace
from dashboard.analysis.judge_analysis import rank_by_judges
from dashboard.analysis.ratings_in_use import RatingsInUse, ratings_or_none
from dashboard.analysis.scores import ScoresInOrder, SystemScores, score_systems
from dashboard.analysis.significance import ComparisonOptions, compare_systems
from dashboard.analysis.trust_warnings import assessment_of
from dashboard.analysis.view import view_of
from dashboard.session import Selection


def headline_of(
    scores: ScoresInOrder, comparisons: Comparisons | None = None, *, systems: Collection[str] | None = None
) -> Headline:
    """Return the conclusion about the best system that the scores, the tests and the open warnings support.

    Args:
        scores: of all systems; human translations are excluded.
        comparisons: of all pairs, or of all systems with a baseline; None where nothing is tested.
        systems: the compared systems; all if None.
    """
    ranked = {
        name: score
        for name, score in scores.of_system.items()
        if name not in scores.not_ranked and (systems is None or name in systems)
    }
    units = scores.scored.statistics.segments
    if not isinstance(scores, SystemScores):  # counts files have no text and no slice
        return headline(ranked, scores.metric, comparisons, units=units)
    view = scores.view
    return headline(
        ranked,
        scores.metric,
        comparisons,
        findings=assessment_of(view, {scores.metric.key: scores.metric.basis}).open,
        references=view.evaluation.references,
        slice_chosen=view.slice_chosen,
        units=units,
    )


def with_assessment(report: Envelope, workspace: Workspace, selection: Selection) -> Envelope:
    """Return a report with the assessment of the data under a selection, and with why they are not comparable, if so.

    Args:
        report: on these data.
        workspace: the data.
        selection: the choices in force.
    """
    view = view_of(workspace, selection)
    reported: Sequence[object] = getattr(report, "metrics", None) or ()
    keys = dict.fromkeys(key for each in reported if (key := getattr(each, "metric", None))) or {report.metric: None}
    ratings = ratings_or_none(view)
    of_ratings = "raw ratings" if ratings is None else ratings.basis
    statements: dict[str, Basis] = {
        key: of_ratings if key == HUMAN else "references" if key in BUILT_IN_METRICS else basis_of(key) for key in keys
    }
    if report.states_ratings and ratings is not None:
        statements["ratings"] = of_ratings
    assessment = assessment_of(view, statements)
    reasons = (finding.reason for finding in assessment.open)
    warnings = tuple(dict.fromkeys((*report.warnings, *reasons)))
    return replace(report, warnings=warnings, assessment=assessment_report(assessment))


def leading_systems(scores: ScoresInOrder, comparisons: Comparisons | None) -> tuple[str, ...]:
    """Return the system with the best score, and those not significantly different from it; empty without tests.

    Args:
        scores: of all systems; human translations are excluded.
        comparisons: of all pairs; None where nothing is compared.
    """
    if comparisons is None or not comparisons.tested or not scores.best_first:
        return ()
    best, *others = (name for name, _ in scores.best_first)
    return (best, *(other for other in others if not verdict_between(comparisons, best, other)))


def with_evidence_of(
    result: Headline,
    scores: SystemScores,
    comparisons: Comparisons | None,
    *,
    ratings: RatingsInUse | None,
    options: ComparisonOptions,
) -> Headline:
    """Return a headline with the evidence against it: by judges, and by a second metric beside BLEU.

    A second metric is computed only for texts that take it a few seconds, and tested only if it orders two systems of
    the headline otherwise.

    Args:
        result: the headline.
        scores: of all systems, by the metric of the headline.
        comparisons: of the systems; None where nothing is tested.
        ratings: in use; None where there are none.
        options: of the comparisons.
    """
    if comparisons is None or not ordered_pairs(result, comparisons):
        return result
    view, label = scores.view, scores.metric.label
    judges = ""
    if ratings is not None and not ratings.policy.obstacle and scores.metric.key != HUMAN:
        with suppress(AlignmentError):  # no system has both a score and ratings
            judges = judges_against(result, comparisons, rank_by_judges(ratings))
    second = SECOND_METRICS.get(scores.metric.key)
    texts = len(view.evaluation.systems) * view.evaluation.segments
    if second is None or texts > MAX_SECOND_SEGMENTS or not claims_differences(result, comparisons):
        return with_evidence(result, judges)
    by_second = score_systems(view, second)
    if not orders_otherwise(result, comparisons, by_second.scored):
        return with_evidence(result, judges)
    tested = compare_systems(view, replace(options, metric=second))
    contradicting = metrics_against(result, {label: comparisons, by_second.metric.label: tested})
    return with_evidence(result, judges, contradicting)
