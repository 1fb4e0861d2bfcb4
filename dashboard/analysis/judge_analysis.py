"""How judges rate, how far they agree, and how systems differ in their ratings; nothing is computed twice."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from bleu_core.dataset import Judgments
from bleu_core.inference import DECIMALS
from bleu_core.judges import (
    GroupComparison,
    HumanRanking,
    JudgeSummary,
    KrippendorffAlpha,
    PairwiseKendall,
    RaterDifferences,
    VarianceComponents,
    compare_groups,
    directed_differences,
    human_ranking,
    judge_summaries,
    judge_variance,
    krippendorff_alpha,
    pairwise_kendall,
    rater_differences,
)
from bleu_core.progress import Progress
from bleu_core.results.judges import alphas
from dashboard import session
from dashboard.analysis.ratings_in_use import RatingsInUse

#: Pairs of systems: neighbours by mean rating, all pairs, or those listed.
Pairs = Literal["neighbours", "all"] | tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAnalysis:
    """The judges of the ratings in use.

    Attributes:
        summaries: one by one, by group and name.
        interval, ordinal: Krippendorff's alpha with that distance between ratings.
        variance: where the variance of a rating comes from.
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
        """The judges, the one with the lowest mean first."""
        return tuple(sorted(self.summaries, key=lambda s: (round(s.mean, DECIMALS), s.judge.group or "", s.judge.name)))

    @property
    def alphas(self) -> Mapping[str, Sequence[KrippendorffAlpha]]:
        """Label of the judges -> their alphas; includes the groups if there are two or more."""
        return alphas(self.interval, self.ordinal, self.groups)


def analyse_judges(ratings: RatingsInUse) -> JudgeAnalysis:
    """The judges one by one, their agreement, the variance of their ratings, and their groups."""

    def compute(progress: Progress) -> tuple[object, ...]:
        judgments = _of_systems(ratings)
        steps = (
            judge_summaries,
            krippendorff_alpha,
            judge_variance,
            compare_groups,
            lambda j: krippendorff_alpha(j, "ordinal"),
        )
        results: list[object] = []
        for n, step in enumerate(steps):
            progress(n, len(steps))
            results.append(step(judgments))
        return tuple(results)

    summaries, interval, variance, groups, ordinal = session.remember(
        "judges analysed", _key(ratings), compute, doing="Comparing judges", what="steps"
    )
    return JudgeAnalysis(
        summaries=summaries,
        interval=interval,
        ordinal=ordinal,
        variance=variance,
        groups=groups,
        standardised=ratings.standardised,
    )


def pairwise_judges(ratings: RatingsInUse) -> PairwiseKendall:
    """Kendall's tau of all pairs of judges; slow with a thousand judges."""
    return session.remember(
        "judge-pairs",
        _key(ratings),
        lambda progress: pairwise_kendall(_of_systems(ratings), progress=progress),
        doing="Comparing pairs of judges",
        what="judges",
    )


def rated_systems(ratings: RatingsInUse) -> tuple[str, ...]:
    """Systems that have ratings and are not left out, by name."""
    without = set(ratings.without)
    chosen = [name for name in ratings.view.evaluation.systems if name not in without]
    rated = set(ratings.judgments.systems)
    return tuple(sorted(name for name in chosen if name in rated))


def rating_differences(
    ratings: RatingsInUse, pairs: Pairs, *, by_group: bool = False
) -> Mapping[str, RaterDifferences]:
    """Differences between systems in the ratings of all judges (under "") or of each group.

    Neighbours are neighbours by the mean rating of all judges, so that each group's pairs are the same.
    """

    def compute(_: Progress) -> Mapping[str, RaterDifferences]:
        judgments = _of_systems(ratings)
        of_all = rater_differences(judgments.table, pairs=pairs)
        if not by_group:
            return {"": of_all}
        same = tuple((pair.better, pair.worse) for pair in of_all.pairs)
        return {name: directed_differences(judgments.of_group(name).table, same) for name in sorted(judgments.groups)}

    key = (*_key(ratings), pairs, by_group)
    return session.remember("rater-differences", key, compute, doing="Comparing ratings", what="pairs")


def rank_by_judges(ratings: RatingsInUse) -> HumanRanking:
    """The systems that are compared with judges, ranked by them: by adjusted means if the ratings are adjusted."""
    judgments = ratings.given or ratings.judgments
    documents, adjusted = ratings.view.workspace.corpus.documents, ratings.adjusted

    def compute(_: Progress) -> HumanRanking:
        return human_ranking(judgments, ratings.systems, documents, adjustment="adjusted" if adjusted else "raw")

    key = (judgments.digest, ratings.systems, documents, adjusted)
    return session.remember("human-ranking", key, compute, doing="Ranking by judges", what="systems")


def _of_systems(ratings: RatingsInUse) -> Judgments:
    return ratings.judgments.of_systems(rated_systems(ratings))


def _key(ratings: RatingsInUse) -> tuple[Hashable, ...]:
    return ratings.judgments.digest, rated_systems(ratings)
