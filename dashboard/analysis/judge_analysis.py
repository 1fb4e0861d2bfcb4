"""Judges' ratings, their agreement, and differences between systems in their ratings; results are cached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bleu_core.dataset import Judgments
from bleu_core.judges import (
    GroupComparison,
    HumanRanking,
    JudgeSummary,
    KrippendorffAlpha,
    PairwiseKendall,
    RatingDifferences,
    VarianceComponents,
    by_mean,
    compare_groups,
    compare_ratings,
    directed_differences,
    human_ranking,
    judge_summaries,
    judge_variance,
    krippendorff_alpha,
    pairwise_kendall,
)
from bleu_core.progress import Progress
from bleu_core.results.judges import alphas
from dashboard import session
from dashboard.analysis.ratings_in_use import RatingsInUse

#: Pairs of systems: neighbours by mean rating, all pairs, or a list of pairs.
Pairs = Literal["neighbours", "all"] | tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAnalysis:
    """The judges of the ratings in use.

    Attributes:
        summaries: one per judge, by group and name.
        interval, ordinal: Krippendorff's alpha with that distance between ratings.
        variance: components of the variance of a rating.
        groups: each group, and every pair of groups.
        standardised: whether ratings are z-scores.
    """

    summaries: tuple[JudgeSummary, ...]
    interval: KrippendorffAlpha
    ordinal: KrippendorffAlpha
    variance: VarianceComponents
    groups: GroupComparison
    standardised: bool

    @property
    def by_mean(self) -> tuple[JudgeSummary, ...]:
        """The judges, lowest mean first."""
        return by_mean(self.summaries)

    @property
    def alphas(self) -> Mapping[str, Sequence[KrippendorffAlpha]]:
        """Label of the judges -> their alphas; includes the groups if there are two or more."""
        return alphas(self.interval, self.ordinal, self.groups)


def analyse_judges(ratings: RatingsInUse) -> JudgeAnalysis:
    """Analyse the judges, their agreement, the variance of their ratings, and their groups."""
    return _analysis(ratings.scope, ratings.judgments, rated_systems(ratings), standardised=ratings.standardised)


@session.cached("Comparing judges", "steps")
def _analysis(
    progress: Progress, judgments: Judgments, systems: tuple[str, ...], *, standardised: bool
) -> JudgeAnalysis:
    rated = judgments.of_systems(systems)
    steps: Mapping[str, Callable[[Judgments], Any]] = {
        "summaries": judge_summaries,
        "interval": krippendorff_alpha,
        "variance": judge_variance,
        "groups": compare_groups,
        "ordinal": lambda j: krippendorff_alpha(j, "ordinal"),
    }
    results: dict[str, Any] = {}
    for n, (name, step) in enumerate(steps.items()):
        progress(n, len(steps))
        results[name] = step(rated)
    return JudgeAnalysis(**results, standardised=standardised)


def pairwise_judges(ratings: RatingsInUse) -> PairwiseKendall:
    """Return Kendall's tau of all pairs of judges; slow with a thousand judges."""
    return _judge_pairs(ratings.scope, ratings.judgments, rated_systems(ratings))


@session.cached("Comparing pairs of judges", "judges")
def _judge_pairs(progress: Progress, judgments: Judgments, systems: tuple[str, ...]) -> PairwiseKendall:
    return pairwise_kendall(judgments.of_systems(systems), progress=progress)


def rated_systems(ratings: RatingsInUse) -> tuple[str, ...]:
    """Return the systems that have ratings and are not excluded, by name."""
    without = set(ratings.without)
    selected = [name for name in ratings.view.evaluation.systems if name not in without]
    rated = set(ratings.judgments.systems)
    return tuple(sorted(name for name in selected if name in rated))


def rating_differences(
    ratings: RatingsInUse, pairs: Pairs, *, by_group: bool = False
) -> Mapping[str, RatingDifferences]:
    """Return differences between systems in the ratings of all judges (under "") or of each group.

    Neighbours are neighbours by the mean rating of all judges, so that each group's pairs are the same.
    """
    return _differences(ratings.scope, ratings.judgments, rated_systems(ratings), pairs, by_group=by_group)


@session.cached("Comparing ratings", "pairs")
def _differences(
    _: Progress, judgments: Judgments, systems: tuple[str, ...], pairs: Pairs, *, by_group: bool
) -> Mapping[str, RatingDifferences]:
    rated = judgments.of_systems(systems)
    all_judges = compare_ratings(rated.table, pairs=pairs)
    if not by_group:
        return {"": all_judges}
    same = tuple((pair.better, pair.worse) for pair in all_judges.pairs)
    return {name: directed_differences(rated.of_group(name).table, same) for name in sorted(rated.groups)}


def rank_by_judges(ratings: RatingsInUse) -> HumanRanking:
    """Rank the compared systems by judges' ratings: by adjusted means if the ratings are adjusted."""
    documents = ratings.view.workspace.corpus.documents
    given = ratings.given or ratings.judgments
    return _ranking(ratings.scope, given, ratings.systems, documents, adjusted=ratings.adjusted)


@session.cached("Ranking by judges", "systems")
def _ranking(
    _: Progress, judgments: Judgments, systems: tuple[str, ...], documents: tuple[str, ...] | None, *, adjusted: bool
) -> HumanRanking:
    return human_ranking(judgments, systems, documents, adjustment="adjusted" if adjusted else "raw")
