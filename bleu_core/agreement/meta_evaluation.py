"""Meta-evaluation: ranking of metrics by agreement with judges, by system and by segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bleu_core.agreement.correlation import Agreement, Exclusion, HumanSystems, agreement_of_scores, correlate
from bleu_core.agreement.metric_tests import TRIALS, MetricRanking, MetricTest, RankingMethod, rank_metrics
from bleu_core.agreement.rated_scores import RatedScores, rank_by_soft_accuracy
from bleu_core.agreement.segment_agreement import (
    GROUPINGS,
    CalibratedAccuracy,
    Grouping,
    Method,
    SegmentCorrelation,
    calibrated_accuracy,
    segment_correlation,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, Judgments, RatedSegments, ScoreTable
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import DECIMALS, SEED, Correction, check_draws
from bleu_core.progress import Progress
from bleu_core.scoring import (
    MAX_ORDER,
    SMOOTHINGS,
    Basis,
    BleuEvaluation,
    BleuSettings,
    Metric,
    ScoredCorpus,
    SegmentStatistics,
    basis_of,
    decimals_of,
)

BLEU = "BLEU"

#: Coefficients that are reported for segments.
SEGMENT_METHODS: tuple[Method, ...] = ("pearson", "spearman", "kendall")


#: Tokenisers without optional dependencies.
VARIED_TOKENIZERS = ("13a", "none", "intl", "char", "zh")


def bleu_variants(settings: BleuSettings) -> Mapping[str, BleuSettings]:
    """Return variants of BLEU, label -> settings, which differ from the given settings in one respect."""
    orders = range(1, MAX_ORDER + 1)
    variants = {f"{BLEU}-{n}": replace(settings, max_order=n, weights=None) for n in orders}
    variants |= {f"{BLEU}, tokeniser {name}": replace(settings, tokenizer=name) for name in VARIED_TOKENIZERS}
    lowercase = not settings.lowercase
    variants[f"{BLEU}, {'lower-case' if lowercase else 'cased'}"] = replace(settings, lowercase=lowercase)
    variants |= {
        f"{BLEU}, smoothing {name}": replace(settings, smoothing=name, smoothing_value=None) for name in SMOOTHINGS
    }
    return {label: variant for label, variant in variants.items() if variant != settings}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MetricScores:
    """A metric's scores of K systems and their S segments, oriented so that higher is better.

    Attributes:
        name: of the metric.
        systems: K names.
        system_scores: (K,) NaN if there is none.
        segment_scores: (K, S) NaN if there is none; (K, 0) if only systems have scores.
        sums: the table of sums, if the score of a system is a function of sums; None if it is the mean over segments,
            or given for systems only.
        signature: of the metric, if it has one.
        origin: file of the scores, for messages.
        given: systems with scores in the file, for messages.
        higher_is_better: for the original scores, which are negated here if it is false.
        scored_by: the metric that computed the scores; None for scores from a file.
        decimals: of the scores for people.
        excluded: systems that this metric is not compared on -> the reason; they have no scores here.
    """

    name: str
    systems: tuple[str, ...]
    system_scores: Floats
    segment_scores: Floats
    sums: SegmentStatistics | None = None
    signature: str = ""
    origin: str = ""
    given: tuple[str, ...] = ()
    higher_is_better: bool = True
    scored_by: Metric | None = None
    decimals: int = 2
    excluded: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def basis(self) -> Basis:
        """What the scores rest on."""
        return basis_of(self.name) if self.scored_by is None else self.scored_by.basis

    @classmethod
    def of_metric(cls, scored: ScoredCorpus, name: str | None = None) -> MetricScores:
        """Return the scores of systems and of single segments under a metric, with a name or the metric's label."""
        statistics = scored.statistics
        sign = 1 if statistics.higher_is_better else -1
        return cls(
            name=name or scored.label,
            systems=statistics.systems,
            system_scores=sign * statistics.score(statistics.sums()),
            segment_scores=(sign * statistics.segment_scores).round(DECIMALS),
            sums=statistics,
            signature=scored.signature,
            higher_is_better=statistics.higher_is_better,
            scored_by=scored.metric,
            decimals=scored.metric.decimals,
        )

    @classmethod
    def of_bleu(cls, evaluation: BleuEvaluation, name: str = BLEU) -> MetricScores:
        """Return corpus BLEU of systems and sentence BLEU of segments, under the evaluation's settings."""
        return cls.of_metric(ScoredCorpus.of_bleu(evaluation), name)

    @classmethod
    def of_table(cls, table: ScoreTable, corpus: Corpus) -> MetricScores:
        """Return scores from a file.

        Raises:
            AlignmentError: the file has scores of segments that the texts do not have.
        """
        aligned = table.aligned(tuple(corpus.systems), corpus.segments)
        sign = 1 if table.higher_is_better else -1
        segments = (sign * aligned.scores).round(DECIMALS)
        return cls(
            name=table.name,
            systems=aligned.systems,
            system_scores=sign * aligned.system_scores,
            segment_scores=segments,
            origin=table.origin,
            given=tuple(np.array(table.systems)[~np.isnan(table.system_scores)].tolist()),
            higher_is_better=table.higher_is_better,
            decimals=decimals_of(table.scores if table.level == "segment" else table.system_scores),
        )

    def excluding(self, reasons: Mapping[str, str]) -> MetricScores:
        """Return the scores without those of some systems, such as systems that were optimised for the metric.

        Args:
            reasons: system -> the reason why it is excluded; other names than those of systems are ignored.
        """
        excluded = {name: reasons[name] for name in self.systems if name in reasons}
        if not excluded:
            return self
        rows = np.array([name in excluded for name in self.systems])
        return replace(
            self,
            system_scores=np.where(rows, np.nan, self.system_scores),
            segment_scores=np.where(rows[:, None], np.nan, self.segment_scores),
            excluded={**self.excluded, **excluded},
        )

    @property
    def key(self) -> str:
        """The key of the metric in JSON; the name of other scores, such as those of BLEU under other settings."""
        return self.name if self.scored_by is None or self.scored_by.label != self.name else self.scored_by.key

    @property
    def has_segments(self) -> bool:
        """Whether segments have scores."""
        return self.segment_scores.shape[1] > 0

    def on_rated(self, ratings: Floats) -> RatedScores:
        """Return the scores of the rated segments.

        Args:
            ratings: (K, S) of the segments; NaN for unrated ones.
        """
        rated = np.isfinite(ratings) & np.isfinite(self.system_scores)[:, None]
        if self.sums is not None:
            return RatedScores.of_sums(self.sums, rated)
        scores = self.segment_scores if self.has_segments else np.full(rated.shape, np.nan)
        return RatedScores(contributions=np.where(rated, scores, np.nan), sums=None)

    def select(self, systems: Sequence[str]) -> MetricScores:
        """Return the scores of some systems, in the order given.

        Raises:
            AlignmentError: none of them has a score.
        """
        position = {name: k for k, name in enumerate(self.systems)}
        rows = [position[name] for name in systems if name in position]
        if rows and self.excluded and set(systems) <= set(self.excluded):
            reasons = "; ".join(f"{name}: {self.excluded[name]}" for name in systems)
            raise AlignmentError(f"no system to compare by {self.name} found ({reasons})")
        if len(rows) < len(systems) or np.isnan(self.system_scores[rows]).all():
            raise AlignmentError(
                f"{self.origin or 'scores'}: {self.name}: scores of {', '.join(self.given or self.systems)} "
                f"found, scores of at least one of {', '.join(systems)} expected"
            )
        sums = None if self.sums is None else self.sums.select(systems)
        return replace(
            self,
            systems=tuple(systems),
            system_scores=self.system_scores[rows],
            segment_scores=self.segment_scores[rows],
            sums=sums,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingTest:
    """How metrics are ranked, and how each pair of them is tested.

    Attributes:
        method: coefficient by which metrics are ranked; Pearson's r of systems and Kendall's tau of segments if None;
            "spa" is of systems, "acc-eq" of segments.
        grouping: of segments; systems have none.
        test: of each pair of metrics, for systems; segments are permuted.
        correction: of p-values for the number of pairs of metrics.
        trials: number of permutations.
        seed: of the permutations.
    """

    method: RankingMethod | None = None
    grouping: Grouping = "item"
    test: MetricTest = "perm-both"
    correction: Correction = "holm"
    trials: int = TRIALS
    seed: int = SEED


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedScores:
    """A metric whose agreement was measured.

    Attributes:
        name: of the metric.
        key: in JSON.
        signature: of the metric, if it has one.
        higher_is_better: for the original scores.
    """

    name: str
    key: str
    signature: str
    higher_is_better: bool


@dataclass(frozen=True, slots=True)
class SystemLevel:
    """Agreement of metrics with mean ratings of systems.

    Attributes:
        agreements: one per metric, in the order given.
        ranking: of the metrics; None if there is only one.
    """

    agreements: tuple[Agreement, ...]
    ranking: MetricRanking | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentLevel:
    """Agreement of metrics with mean ratings of segments.

    Attributes:
        signature: of the first metric.
        systems: compared systems.
        excluded: systems that are not compared, with the reason.
        correlations: metric -> its coefficients, by method and grouping.
        calibrated: metric -> its tie-calibrated accuracy over pairs of systems within segments.
        left_out: (metric, reason) of metrics without segment scores.
        ranking: of the metrics; None if there is only one.
        rated: how many segments of the systems are rated; None if that is unknown.
        metrics: the metrics, in the order of the coefficients; empty if they are not known.
    """

    signature: str
    systems: tuple[str, ...]
    excluded: tuple[Exclusion, ...]
    correlations: Mapping[str, tuple[SegmentCorrelation, ...]]
    calibrated: Mapping[str, CalibratedAccuracy]
    left_out: tuple[tuple[str, str], ...]
    ranking: MetricRanking | None
    rated: RatedSegments | None = None
    metrics: tuple[ComparedScores, ...] = ()


def segment_ratings(judgments: Judgments, systems: Sequence[str], segments: int) -> Floats:
    """Return the rounded mean ratings (K, S) of segments; NaN for unrated ones, or if only systems were rated.

    Raises:
        AlignmentError: a rating refers to a segment that the texts do not have.
    """
    means = judgments.segment_means(systems, segments).scores.round(DECIMALS)
    return means if means.shape[1] else np.full((len(systems), segments), np.nan)


def metric_agreement(metric: MetricScores, bleu_agreement: Agreement) -> Agreement:
    """Compare a metric with the mean ratings that BLEU was compared with.

    Args:
        metric: of the same systems.
        bleu_agreement: agreement of BLEU with the ratings.

    Raises:
        AlignmentError: no system has both.
    """
    agreement = agreement_of_scores(
        dict(zip(metric.systems, metric.system_scores.tolist(), strict=True)),
        dict(zip(bleu_agreement.systems, bleu_agreement.human.tolist(), strict=True)),
        metric=metric.name,
        signature=metric.signature,
        without=metric.excluded,
        excluded=bleu_agreement.excluded,
        higher_is_better=metric.higher_is_better,
    )
    raw = bleu_agreement.human_raw
    if raw is not None:
        position = {name: k for k, name in enumerate(bleu_agreement.systems)}
        raw = raw[[position[name] for name in agreement.systems]]
    return replace(
        agreement, rated=bleu_agreement.rated, human_raw=raw, scored_by=metric.scored_by, decimals=metric.decimals
    )


def system_level(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments,
    metrics: Sequence[MetricScores] = (),
    *,
    ranking: RankingTest = RankingTest(),
    without: HumanSystems = (),
    progress: Progress | None = None,
) -> SystemLevel:
    """Compare metrics with mean ratings of systems.

    Args:
        corpus: the texts that were evaluated.
        evaluation: of them.
        judgments: the ratings.
        metrics: scores of the same systems, the metric of main interest first; BLEU of the evaluation if there are
            none.
        ranking: the coefficient by which metrics are ranked, and the test of each pair.
        without: human translators to exclude, or each with the reason.
        progress: called with how much of the ranking is done.

    Raises:
        AlignmentError: as in `correlate`; or a metric has no score of any of the systems.
        SettingsError: two metrics have the same name, or a number is out of its range.
    """
    metrics = metrics or [MetricScores.of_bleu(evaluation)]
    _check_names(metrics)
    check_draws(ranking.seed, trials=ranking.trials)
    bleu_agreement = correlate(corpus, evaluation, judgments, without=without)
    selected = [metric.select(bleu_agreement.systems) for metric in metrics]
    ranked = None
    if len(selected) == 1:
        pass
    elif ranking.method == "spa":
        human = segment_ratings(judgments, bleu_agreement.systems, corpus.segments)
        ranked = rank_by_soft_accuracy(
            {metric.name: metric.on_rated(human) for metric in selected},
            human,
            correction=ranking.correction,
            trials=ranking.trials,
            seed=ranking.seed,
            progress=progress,
        )
    else:
        ranked = rank_metrics(
            {metric.name: metric.system_scores for metric in selected},
            bleu_agreement.human,
            ranking.method or "pearson",
            test=ranking.test,
            correction=ranking.correction,
            trials=ranking.trials,
            seed=ranking.seed,
            progress=progress,
        )
    agreements = tuple(metric_agreement(metric, bleu_agreement) for metric in selected)
    return SystemLevel(agreements, ranked and replace(ranked, rated=bleu_agreement.rated))


def segment_level(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments,
    metrics: Sequence[MetricScores] = (),
    *,
    ranking: RankingTest = RankingTest(),
    without: HumanSystems = (),
    progress: Progress | None = None,
) -> SegmentLevel:
    """Compare metrics with mean ratings of segments.

    Scores and means are rounded first, so that rounding errors do not break ties.

    Args:
        corpus: the texts that were evaluated.
        evaluation: of them.
        judgments: the ratings.
        metrics: scores of the same systems, the metric of main interest first; BLEU of the evaluation if there are
            none.
        ranking: the coefficient by which metrics are ranked, and the test of each pair.
        without: human translators to exclude, or each with the reason.
        progress: called with how much of the ranking is done.

    Raises:
        AlignmentError: as in `correlate`; or a metric has no score of any of the systems, or none has segment scores.
        SettingsError: two metrics have the same name, a number is out of its range, or the coefficient is of systems.
    """
    if ranking.method == "spa":
        raise SettingsError("soft pairwise accuracy found, a coefficient of segments expected")
    metrics = metrics or [MetricScores.of_bleu(evaluation)]
    _check_names(metrics)
    check_draws(ranking.seed, trials=ranking.trials)
    bleu_agreement = correlate(corpus, evaluation, judgments, without=without)
    systems = bleu_agreement.systems
    human = segment_ratings(judgments, systems, corpus.segments)
    selected = [metric.select(systems) for metric in metrics]
    compared = [metric for metric in selected if metric.has_segments]
    if not compared:
        raise AlignmentError(
            f"{selected[0].origin or 'scores'}: {', '.join(metric.name for metric in selected)}: scores of whole "
            "systems found, scores of segments expected"
        )
    scores = {metric.name: metric.segment_scores for metric in compared}
    ranked = None
    if len(scores) > 1:
        ranked = rank_metrics(
            scores,
            human,
            ranking.method or "kendall",
            ranking.grouping,
            correction=ranking.correction,
            trials=ranking.trials,
            seed=ranking.seed,
            progress=progress,
        )
    return SegmentLevel(
        signature=compared[0].signature,
        systems=systems,
        excluded=bleu_agreement.excluded,
        correlations={name: segment_correlations(values, human) for name, values in scores.items()},
        calibrated={name: calibrated_accuracy(values, human) for name, values in scores.items()},
        left_out=tuple((m.name, "it has only system scores") for m in selected if not m.has_segments),
        ranking=ranked and replace(ranked, rated=bleu_agreement.rated),
        rated=bleu_agreement.rated,
        metrics=tuple(
            ComparedScores(name=m.name, key=m.key, signature=m.signature, higher_is_better=m.higher_is_better)
            for m in compared
        ),
    )


def segment_correlations(
    scores: Floats, human: Floats, progress: Progress | None = None
) -> tuple[SegmentCorrelation, ...]:
    """Return all correlations of a metric with mean ratings of segments: each method in each grouping.

    Args:
        scores: (K, S), rounded; higher is better.
        human: mean ratings, (K, S), rounded.
        progress: called with the number of correlations that are done and the number of all.
    """
    combinations: list[tuple[Method, Grouping]] = [
        (method, grouping) for method in SEGMENT_METHODS for grouping in GROUPINGS
    ]
    correlations: list[SegmentCorrelation] = []
    for done, (method, grouping) in enumerate(combinations):
        if progress is not None:
            progress(done, len(combinations))
        correlations.append(segment_correlation(scores, human, method, grouping))
    return tuple(correlations)


def _check_names(metrics: Sequence[MetricScores]) -> None:
    """Check that the names of metrics are unique."""
    names = [metric.name for metric in metrics]
    duplicate = next((name for name in names if names.count(name) > 1), None)
    if duplicate is not None:
        raise SettingsError(f"two metrics are called {duplicate}; rename one")
