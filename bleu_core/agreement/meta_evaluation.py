"""Meta-evaluation: BLEU and other metrics ranked by agreement with the judges, by system and by segment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.agreement.correlation import Agreement, Exclusion, HumanSystems, agreement_of_scores, correlate
from bleu_core.agreement.metric_tests import TRIALS, MetricRanking, MetricTest, rank_metrics
from bleu_core.agreement.segment_agreement import (
    GROUPINGS,
    CalibratedAccuracy,
    Grouping,
    Method,
    SegmentCorrelation,
    TestedMethod,
    calibrated_accuracy,
    segment_correlation,
)
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, Judgments, RatedSegments, ScoreTable
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import DECIMALS, SEED, Correction, check_draws
from bleu_core.progress import Progress
from bleu_core.scoring import MAX_ORDER, SMOOTHINGS, BleuEvaluation, BleuSettings, ScoredCorpus, SegmentStatistics

BLEU = "BLEU"

#: Coefficients of segments that are reported.
SEGMENT_METHODS: tuple[Method, ...] = ("pearson", "spearman", "kendall")


#: Tokenisers that need nothing else installed.
VARIED_TOKENIZERS = ("13a", "none", "intl", "char", "zh")


def bleu_variants(settings: BleuSettings) -> Mapping[str, BleuSettings]:
    """What BLEU is called under settings that differ in one respect from those given -> these settings."""
    orders = range(1, MAX_ORDER + 1)
    variants = {f"{BLEU}-{n}": replace(settings, max_order=n, weights=None) for n in orders}
    variants |= {f"{BLEU}, tokeniser {name}": replace(settings, tokenizer=name) for name in VARIED_TOKENIZERS}
    folded = not settings.lowercase
    variants[f"{BLEU}, {'lower-case' if folded else 'cased'}"] = replace(settings, lowercase=folded)
    variants |= {
        f"{BLEU}, smoothing {name}": replace(settings, smoothing=name, smoothing_value=None) for name in SMOOTHINGS
    }
    return {label: variant for label, variant in variants.items() if variant != settings}


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricScores:
    """A metric's scores of K systems and their S segments; higher is better, so error rates are negated.

    Attributes:
        name: of the metric.
        systems: K names.
        of_systems: (K,) NaN where there is none.
        of_segments: (K, S) NaN where there is none; (K, 0) where only systems have scores.
        sums: T, where the score of a system is a function of sums; None where it is the mean over segments, or
            given for systems only.
        signature: what to quote with it, if anything.
        origin: the file it comes from, for messages.
        given: the systems that the file has scores of, for messages.
        higher_is_better: of the scores as the metric gives them; those here have their sign turned where it is not.
    """

    name: str
    systems: tuple[str, ...]
    of_systems: Floats
    of_segments: Floats
    sums: SegmentStatistics | None = None
    signature: str = ""
    origin: str = ""
    given: tuple[str, ...] = ()
    higher_is_better: bool = True

    @classmethod
    def of_bleu(cls, evaluation: BleuEvaluation, name: str = BLEU) -> MetricScores:
        """Corpus BLEU of systems and sentence BLEU of segments, under the evaluation's settings."""
        segments = evaluation.segment_scores.score.round(DECIMALS)
        return cls(
            name=name,
            systems=evaluation.systems,
            of_systems=evaluation.scores.score,
            of_segments=segments,
            sums=evaluation.statistics,
            signature=evaluation.signature,
        )

    @classmethod
    def of_metric(cls, scored: ScoredCorpus) -> MetricScores:
        """Any metric but BLEU; its segments' scores are those of one segment's sums."""
        table = scored.statistics
        sign = 1 if table.higher_is_better else -1
        segments = (sign * table.score(table.values)).round(DECIMALS)
        of_systems = sign * table.score(table.sums())
        up = table.higher_is_better
        return cls(
            name=scored.label,
            systems=table.systems,
            of_systems=of_systems,
            of_segments=segments,
            sums=table,
            signature=scored.signature,
            higher_is_better=up,
        )

    @classmethod
    def of_table(cls, table: ScoreTable, corpus: Corpus) -> MetricScores:
        """Scores from a file.

        Raises:
            AlignmentError: the file has scores of other segments than the texts.
        """
        aligned = table.aligned(tuple(corpus.systems), corpus.segments)
        sign = 1 if table.higher_is_better else -1
        segments = (sign * aligned.scores).round(DECIMALS)
        return cls(
            name=table.name,
            systems=aligned.systems,
            of_systems=sign * aligned.system_scores,
            of_segments=segments,
            origin=table.origin,
            given=tuple(np.array(table.systems)[~np.isnan(table.system_scores)].tolist()),
            higher_is_better=table.higher_is_better,
        )

    @property
    def has_segments(self) -> bool:
        """Whether there is a score of any segment."""
        return self.of_segments.shape[1] > 0

    def select(self, systems: Sequence[str]) -> MetricScores:
        """The scores of those systems, in that order.

        Raises:
            AlignmentError: it has a score of none of them.
        """
        place = {name: k for k, name in enumerate(self.systems)}
        rows = [place[name] for name in systems if name in place]
        if len(rows) < len(systems) or np.isnan(self.of_systems[rows]).all():
            raise AlignmentError(
                f"{self.origin or 'scores'}: {self.name}: scores of {', '.join(self.given or self.systems)} "
                f"found, scores of at least one of {', '.join(systems)} expected"
            )
        sums = None if self.sums is None else self.sums.select(systems)
        return replace(
            self,
            systems=tuple(systems),
            of_systems=self.of_systems[rows],
            of_segments=self.of_segments[rows],
            sums=sums,
        )


@dataclass(frozen=True, slots=True)
class SystemLevel:
    """Metrics against mean ratings of systems.

    Attributes:
        agreements: one per metric, BLEU first.
        ranking: of the metrics; None where there is BLEU alone.
    """

    agreements: tuple[Agreement, ...]
    ranking: MetricRanking | None


@dataclass(frozen=True, slots=True, kw_only=True)
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
        rated: how many segments of the systems are rated; None where that is not known.
    """

    signature: str
    systems: tuple[str, ...]
    excluded: tuple[Exclusion, ...]
    correlations: Mapping[str, tuple[SegmentCorrelation, ...]]
    calibrated: Mapping[str, CalibratedAccuracy]
    left_out: tuple[tuple[str, str], ...]
    ranking: MetricRanking | None
    rated: RatedSegments | None = None


def segment_ratings(judgments: Judgments, systems: Sequence[str], segments: int) -> Floats:
    """(K, S) mean ratings of segments, rounded; NaN where nobody rated one, as everywhere if systems were rated.

    Raises:
        AlignmentError: a rating is of a segment that the texts do not have.
    """
    means = judgments.segment_means(systems, segments).scores.round(DECIMALS)
    return means if means.shape[1] else np.full((len(systems), segments), np.nan)


def metric_agreement(metric: MetricScores, of_bleu: Agreement) -> Agreement:
    """Another metric beside the mean ratings that BLEU was compared with.

    Args:
        metric: of the same systems.
        of_bleu: BLEU beside them.

    Raises:
        AlignmentError: no system has both.
    """
    found = agreement_of_scores(
        dict(zip(metric.systems, metric.of_systems.tolist(), strict=True)),
        dict(zip(of_bleu.systems, of_bleu.human.tolist(), strict=True)),
        metric=metric.name,
        signature=metric.signature,
        excluded=of_bleu.excluded,
        higher_is_better=metric.higher_is_better,
    )
    raw = of_bleu.human_raw
    if raw is not None:
        place = {name: k for k, name in enumerate(of_bleu.systems)}
        raw = raw[[place[name] for name in found.systems]]
    return replace(found, rated=of_bleu.rated, human_raw=raw)


def system_level(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments,
    metrics: Sequence[MetricScores] = (),
    *,
    method: TestedMethod = "pearson",
    test: MetricTest = "perm-both",
    correction: Correction = "holm",
    trials: int = TRIALS,
    seed: int = SEED,
    without: HumanSystems = (),
    progress: Progress | None = None,
) -> SystemLevel:
    """Compare BLEU and other metrics with mean ratings of systems.

    Args:
        corpus: the texts that were evaluated.
        evaluation: of them.
        judgments: the ratings.
        metrics: other scores of the same systems.
        method: what metrics are ranked by.
        test: of each pair of metrics.
        correction: for the number of pairs of metrics.
        trials: of each permutation.
        seed: of its swaps.
        without: human translators to leave out, or each with the reason.
        progress: told, now and then, how much of the ranking is done.

    Raises:
        AlignmentError: as in agreement; or a metric has a score of none of the systems.
        SettingsError: two metrics have one name, one is called BLEU, or a number is out of its range.
    """
    _check_names(metrics)
    check_draws(seed, trials=trials)
    of_bleu = correlate(corpus, evaluation, judgments, without=without)
    selected = [metric.select(of_bleu.systems) for metric in metrics]
    found = (of_bleu, *(metric_agreement(metric, of_bleu) for metric in selected))
    scores: dict[str, Floats] = {BLEU: of_bleu.oriented_scores} | {
        metric.name: metric.of_systems for metric in selected
    }
    ranking = None
    if metrics:
        ranking = rank_metrics(
            scores,
            of_bleu.human,
            method,
            test=test,
            correction=correction,
            trials=trials,
            seed=seed,
            progress=progress,
        )
    return SystemLevel(found, ranking and replace(ranking, rated=of_bleu.rated))


def segment_level(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments,
    metrics: Sequence[MetricScores] = (),
    *,
    method: TestedMethod = "kendall",
    grouping: Grouping = "item",
    correction: Correction = "holm",
    trials: int = TRIALS,
    seed: int = SEED,
    without: HumanSystems = (),
    progress: Progress | None = None,
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
        correction: for the number of pairs of metrics.
        trials: of each permutation.
        seed: of its swaps.
        without: human translators to leave out, or each with the reason.
        progress: told, now and then, how much of the ranking is done.

    Raises:
        AlignmentError: as in agreement; or a metric has a score of none of the systems.
        SettingsError: two metrics have one name, one is called BLEU, or a number is out of its range.
    """
    _check_names(metrics)
    check_draws(seed, trials=trials)
    of_bleu = correlate(corpus, evaluation, judgments, without=without)
    systems = of_bleu.systems
    human = segment_ratings(judgments, systems, corpus.segments)
    scores: dict[str, Floats] = {BLEU: MetricScores.of_bleu(evaluation.select(systems)).of_segments}
    left_out: list[tuple[str, str]] = []
    for metric in metrics:
        selected = metric.select(systems)
        if not selected.has_segments:
            left_out.append((metric.name, "it has only system scores"))
        else:
            scores[metric.name] = selected.of_segments
    ranking = None
    if len(scores) > 1:
        ranking = rank_metrics(
            scores, human, method, grouping, correction=correction, trials=trials, seed=seed, progress=progress
        )
    return SegmentLevel(
        signature=of_bleu.signature,
        systems=systems,
        excluded=of_bleu.excluded,
        correlations={name: segment_correlations(values, human) for name, values in scores.items()},
        calibrated={name: calibrated_accuracy(values, human) for name, values in scores.items()},
        left_out=tuple(left_out),
        ranking=ranking and replace(ranking, rated=of_bleu.rated),
        rated=of_bleu.rated,
    )


def segment_correlations(
    scores: Floats, human: Floats, progress: Progress | None = None
) -> tuple[SegmentCorrelation, ...]:
    """All correlations of one metric's scores with mean ratings of segments: each method in each grouping.

    Args:
        scores: (K, S), rounded; higher is better.
        human: mean ratings, (K, S), rounded.
        progress: told how many are done, of how many.
    """
    kinds: list[tuple[Method, Grouping]] = [(method, grouping) for method in SEGMENT_METHODS for grouping in GROUPINGS]
    found: list[SegmentCorrelation] = []
    for done, (method, grouping) in enumerate(kinds):
        if progress is not None:
            progress(done, len(kinds))
        found.append(segment_correlation(scores, human, method, grouping))
    return tuple(found)


def _check_names(metrics: Sequence[MetricScores]) -> None:
    """Check that no metric stands in for another, or for BLEU itself."""
    names = [BLEU, *(metric.name for metric in metrics)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingsError(f"two metrics are called {twice}; rename one")
