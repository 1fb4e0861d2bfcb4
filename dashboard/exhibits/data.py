"""The data in use under the settings in force, with the options of pages and commands, and their results.

A page makes them from its view, whose cached results are reused. A command makes them from its files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from bleu_core.agreement import (
    BLEU,
    Agreement,
    AgreementByClass,
    DifferenceCurve,
    MetricRanking,
    ReferenceRankings,
    ReviewThreshold,
    Robustness,
    SegmentLevel,
    SystemLevel,
    difference_curve,
)
from bleu_core.diagnostics import Assessment
from bleu_core.errors import AlignmentError, BleuCoreError, SettingsError
from bleu_core.inference import BLOCKS, Blocks, BlockScores, BlockSizes, Comparison, Comparisons, Interval, TextNeeded
from bleu_core.judges import HumanRanking, PairwiseKendall, RatingDifferences
from bleu_core.results.headlines import Headline
from bleu_core.results.ngrams import NgramPair, NgramSystem
from bleu_core.scoring import HUMAN, Basis, Decomposition, ScoredCorpus
from bleu_core.segments import Replacement
from dashboard import analysis
from dashboard.analysis import (
    ComparisonOptions,
    Division,
    ErrorPair,
    JudgeAnalysis,
    OverSets,
    OverSetsOptions,
    PairTests,
    RankingOptions,
    RatingsInUse,
    SegmentAgreement,
    SegmentAnalysis,
    SetsInUse,
    SlicedComparison,
    SystemScores,
    View,
)
from dashboard.plots.theme import MAX_COLORS, Style, styles

#: Maximum number of n-grams of each order and list.
MAX_NGRAMS = 10

#: Default number of segments per block, where blocks have a fixed size.
BLOCK_SIZE = 25


@dataclass(frozen=True)  # without slots, which would exclude cached properties
class Data:
    """Data under settings, with cached results.

    A property raises a BleuCoreError where the data do not allow it: MissingDataError where data are missing.

    Attributes:
        view: the data and settings, slice and repairs applied.
        ratings: the ratings in use; None where there are none.
        comparison: options of comparisons of systems, with the metric.
        pair: the system and the baseline of exhibits of two systems; the best two if None.
        by: field that divides the text into slices: a label, document, length or half; the first possible one if empty.
        division: of the text into blocks.
        blocks: the number of blocks.
        block_size: segments per block.
        ranking: options of comparisons of metrics; the page's defaults if None.
        sets: returns the test sets of the session; None where there is only one.
        loaded: all loaded systems, which have a style each, as on pages; those of the view's texts if empty.
    """

    view: View
    ratings: RatingsInUse | None = None
    comparison: ComparisonOptions = field(default_factory=ComparisonOptions)
    pair: tuple[str, str] | None = None
    by: str = ""
    division: Division = "blocks"
    blocks: int = BLOCKS
    block_size: int = BLOCK_SIZE
    ranking: RankingOptions | None = None
    sets: Callable[[], SetsInUse] | None = None
    loaded: tuple[str, ...] = ()

    def assessment(self, *, ratings: bool) -> Assessment:
        """Return whether the results can be compared, those that rest on ratings, too, if they are stated."""
        statements: dict[str, Basis] = {self.scored.metric.key: self.scored.metric.basis}
        if ratings and self.ratings is not None:
            statements["ratings"] = self.ratings.basis
        return analysis.assessment_of(self.view, statements)

    # Systems.

    @cached_property
    def scores(self) -> SystemScores:
        """All selected systems under the metric."""
        return analysis.score_systems(self.view, self.comparison.metric)

    @cached_property
    def scored(self) -> ScoredCorpus:
        """The compared systems under the metric."""
        return analysis.score_under(self.view, self.comparison.metric)

    @cached_property
    def block_scores(self) -> BlockScores:
        """The compared systems on blocks of text."""
        if self.division == "documents" and self.view.workspace.corpus.documents is None:
            raise analysis.MissingDataError(
                "the documents of the segments are not known; add a file of documents (--documents)"
            )
        return analysis.score_blocks(
            self.view, self.comparison.metric, division=self.division, number=self.blocks, size=self.block_size
        )

    @cached_property
    def comparisons(self) -> Comparisons:
        """All pairs of systems compared."""
        self._need_two()
        return analysis.compare_systems(self.view, self._of_all_pairs)

    @cached_property
    def against_baseline(self) -> Comparisons:
        """All systems compared with the baseline of the pair, or with that of the comparison."""
        self._need_two()
        options = self.comparison
        if options.baseline is None:
            options = replace(options, baseline=self.names[1])
        return analysis.compare_systems(self.view, options)

    @cached_property
    def headline(self) -> Headline:
        """The conclusion about the best system that the scores, the tests and the warnings support."""
        leaders = None if self.view.descriptive else analysis.compare_leaders(self.scores, self.comparison)
        headline = analysis.headline_of(self.scores, leaders)
        return analysis.with_evidence_of(headline, self.scores, leaders, ratings=self.ratings, options=self.comparison)

    @cached_property
    def tiers(self) -> tuple[tuple[str, ...], ...]:
        """The systems in tiers: every system in a tier is significantly better than every system below it."""
        return analysis.system_tiers(self.comparisons)

    @cached_property
    def intervals(self) -> Mapping[str, Interval]:
        """System -> interval of its score from the comparison's resamples; empty where scores have none."""
        return analysis.intervals_by_system(self.view, self.comparison)

    @cached_property
    def styles(self) -> Mapping[str, Style]:
        """The style of each loaded system in figures of all systems."""
        systems = self._loaded
        return styles(systems) if len(systems) <= MAX_COLORS else styles(systems, self.view.best_systems)

    @property
    def _loaded(self) -> tuple[str, ...]:
        return self.loaded or tuple(self.view.workspace.corpus.systems)

    # Two systems.

    @cached_property
    def names(self) -> tuple[str, str]:
        """The system and the baseline of exhibits of two systems."""
        self._need_two()
        if self.pair is not None:
            return self.pair
        system, baseline, *_ = analysis.ranked_systems(self.view, self.comparison.metric)
        return system, baseline

    @cached_property
    def styles_of_pair(self) -> Mapping[str, Style]:
        """The styles of systems where two are highlighted, or the only one."""
        compared = self.view.compared.systems
        return styles(self._loaded, self.names if compared[1:] else compared)

    @cached_property
    def compared_pair(self) -> Comparison:
        """The two systems compared, among all pairs."""
        comparison = self.comparisons.between(*self.names)
        if comparison is None:
            raise AlignmentError(f"{self.names[0]} and {self.names[1]} cannot be compared")
        return comparison

    @cached_property
    def tests(self) -> PairTests:
        """The two systems under three tests."""
        return analysis.run_three_tests(self.view, self.comparison, *self.names)

    @cached_property
    def decomposition(self) -> Decomposition:
        """The decomposition of the BLEU difference of the two systems."""
        decomposition = analysis.decompose_difference(self.view, self.comparison, *self.names)
        if decomposition is None:
            raise SettingsError("only a BLEU difference can be decomposed; choose the metric bleu")
        return decomposition

    @cached_property
    def documents(self) -> tuple[Blocks, list[list[float]]]:
        """The documents, and the (2, D) scores on them, the baseline's first; the largest loss of the system first."""
        system, baseline = self.names
        scores = analysis.score_documents(self.view, self.comparison.metric, (baseline, system))
        if scores is None:
            raise analysis.MissingDataError(
                "the documents of the segments are not known; add a file of documents (--documents)"
            )
        return scores

    @cached_property
    def text_needed(self) -> tuple[TextNeeded, BlockSizes]:
        """The amount of text needed to show the difference of the two systems, and t by size of block."""
        return analysis.estimate_text_needed(self.view, self.comparison, *self.names)

    @cached_property
    def ngrams(self) -> NgramPair | NgramSystem:
        """N-grams won and lost between the two systems; for a single system, those overused and missing."""
        system, baseline = self.names if len(self.view.compared.systems) > 1 else (self.view.best_systems[0], "")
        return analysis.find_ngrams(self.view, system, baseline, max_ngrams=MAX_NGRAMS, order=None, kind=None)

    @cached_property
    def segments(self) -> SegmentAnalysis:
        """All segments of the two systems, or of the only system."""
        names = self.names if len(self.view.compared.systems) > 1 else self.view.compared.systems
        return analysis.segments_of(self.view, self.comparison.metric, names)

    @cached_property
    def curve(self) -> Replacement:
        """The cumulative difference of the two systems, segment by segment."""
        self._need_two()
        curve = analysis.influence_curve(self.segments)
        if curve is None:
            raise AlignmentError("the outputs of the two systems are the same, or their scores undefined")
        return curve

    @cached_property
    def divided(self) -> SlicedComparison:
        """The systems compared with the baseline on every slice of a division of the text."""
        self._need_two()
        by = self.by or next(iter(analysis.divisions(self.view)))
        return analysis.compare_divided(self.view, by, replace(self.comparison, baseline=self.names[1]))

    @cached_property
    def error_pair(self) -> ErrorPair:
        """The marked errors of the two systems, by severity."""
        self._need_two()
        options = analysis.default_error_options(self.view)
        pair = analysis.errors_of_pair(self.view, options, *self.names)
        if pair.differences.reason:
            raise AlignmentError(pair.differences.reason)
        return pair

    @cached_property
    def reference_rankings(self) -> ReferenceRankings:
        """The systems ranked with each reference."""
        self._need_two()
        return analysis.rankings_of_view(self.view, self.ratings, self.comparison)

    # Several test sets.

    @cached_property
    def over_sets(self) -> OverSets:
        """The systems over all test sets."""
        if self.sets is None:
            raise analysis.MissingDataError("1 test set found, at least 2 expected")
        options = self.comparison
        return analysis.compare_over_sets(
            self.sets(),
            OverSetsOptions(
                metric=self.scored.label,
                baseline=options.baseline or "",
                alpha=options.alpha,
                resamples=options.draws,
                seed=options.seed,
            ),
        )

    # Human judgments.

    @cached_property
    def rated(self) -> RatingsInUse:
        """The ratings in use, of at least one system."""
        if self.ratings is None:
            raise analysis.MissingDataError("no human judgments found; add a file of judgments (--human)")
        _ = self.ratings.agreement  # raises an error if no system has both a score and ratings, as on pages
        return self.ratings

    @property
    def _compared_with_ratings(self) -> str:
        """The label of the metric, or that of BLEU if the metric is the ratings themselves."""
        return BLEU if self.scored.name == HUMAN else self.scored.label

    @cached_property
    def agreement(self) -> Agreement:
        """The agreement of the metric with mean ratings, over systems."""
        metric = analysis.score_rated_systems(self.rated, self._compared_with_ratings)
        return analysis.system_agreement(self.rated, metric)

    @property
    def has_agreement(self) -> bool:
        """Return whether the judges can be compared with the metric."""
        try:
            _ = self.agreement
        except BleuCoreError:
            return False
        return True

    @cached_property
    def robustness(self) -> Robustness:
        """The influence of single systems and of the text on that agreement."""
        return analysis.robustness_of_agreement(self.rated, self._compared_with_ratings)

    @cached_property
    def difference_curve(self) -> DifferenceCurve:
        """The share of pairs in which judges agree with a difference of the metric, by its size."""
        return difference_curve(self.agreement)

    @cached_property
    def review_threshold(self) -> ReviewThreshold:
        """The score of the metric from which segments can skip review."""
        return analysis.review_with_entries(self.rated, analysis.ReviewOptions(metric=self._compared_with_ratings))

    @cached_property
    def segment_agreement(self) -> SegmentAgreement:
        """The agreement of the metric with mean ratings, segment by segment."""
        agreement = analysis.compare_segments(self.rated, self.scored.label)
        if agreement.reason:
            raise AlignmentError(agreement.reason)
        return agreement

    @cached_property
    def agreement_by_class(self) -> AgreementByClass:
        """The metric's agreement with the judges inside and outside classes of segments."""
        language = analysis.language_of_references(self.view)
        return analysis.compare_classes(self.rated, self.segment_agreement, language)

    @cached_property
    def ranking_options(self) -> RankingOptions:
        """The options of comparisons of metrics."""
        if self.ranking is not None:
            return self.ranking
        return RankingOptions(metrics=tuple(analysis.default_metrics(self.rated)))

    @cached_property
    def metrics_by_system(self) -> SystemLevel:
        """The metrics by their agreement with the judges over systems."""
        return analysis.rank_by_system(self.rated, self.ranking_options)

    @cached_property
    def metrics_by_segment(self) -> SegmentLevel:
        """The metrics by their agreement with the judges over segments."""
        return analysis.rank_by_segment(self.rated, self.ranking_options)

    @cached_property
    def ranked_metrics(self) -> MetricRanking:
        """The order of the metrics, and p of each pair of them, over systems."""
        ranking = self.metrics_by_system.ranking
        if ranking is None or not ranking.metrics:
            raise AlignmentError("no metric can be ranked")
        return ranking

    @cached_property
    def judges(self) -> JudgeAnalysis:
        """Summaries of the judges, their agreement, and the variance of their ratings."""
        return analysis.analyse_judges(self.rated)

    @cached_property
    def judge_pairs(self) -> PairwiseKendall:
        """Kendall's tau of all pairs of judges."""
        pairs = analysis.pairwise_judges(self.rated)
        if pairs.reason:
            raise AlignmentError(pairs.reason)
        return pairs

    @cached_property
    def rating_differences(self) -> RatingDifferences:
        """Rating differences between neighbours in the ranking, by all judges."""
        if len(analysis.rated_systems(self.rated)) < 2:  # noqa: PLR2004 # a pair
            raise analysis.MissingDataError("1 system with ratings found, at least 2 expected")
        return analysis.rating_differences(self.rated, "neighbours")[""]

    @cached_property
    def human_ranking(self) -> HumanRanking:
        """The systems ranked by judges."""
        if len(self.rated.systems) < 2:  # noqa: PLR2004 # a pair
            raise analysis.MissingDataError("1 system with ratings found, at least 2 expected")
        return analysis.rank_by_judges(self.rated)

    @property
    def _of_all_pairs(self) -> ComparisonOptions:
        return replace(self.comparison, baseline=None)

    def _need_two(self) -> None:
        if len(analysis.compared_by(self.view, self.comparison.metric)) < 2:  # noqa: PLR2004 # a pair
            raise analysis.MissingDataError("1 system found, at least 2 expected")
