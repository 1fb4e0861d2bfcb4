"""Significance of differences between systems, and the amount of text needed to show them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.errors import AlignmentError
from bleu_core.inference import (
    ALPHA,
    BLOCKS,
    MIN_UNITS,
    SEED,
    Blocks,
    BlockSizes,
    Comparison,
    Comparisons,
    Correction,
    Interval,
    Test,
    TextNeeded,
    baseline_pairs,
    compare,
    equal_blocks,
    number_of_draws,
    ranked_pairs,
    t_by_block_size,
    text_needed,
    tiers,
    why_pair_untested,
)
from bleu_core.progress import Progress
from bleu_core.scoring import DEFAULT_METRIC, Decomposition, SegmentStatistics, decompose
from bleu_core.segments import Reversal, reversals
from dashboard import session
from dashboard.analysis.scores import SystemScores, metric_of, sums_under, sums_with_optimised
from dashboard.analysis.shared import Sums, intervals_of_units, resampled_scores
from dashboard.analysis.trust_warnings import obstacle_of
from dashboard.analysis.view import View, without_segments

THREE_TESTS: tuple[Test, ...] = ("bootstrap", "randomization", "t")

#: Tests that resample the text.
RESAMPLING_TESTS: tuple[Test, ...] = ("bootstrap", "sacrebleu-bootstrap")

#: Labels of the differences between resampled systems, and between shuffled ones.
DRAW_LABELS = ("other texts (bootstrap)", "swapped outputs (randomisation)")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonOptions:
    """Options of comparisons of systems.

    Attributes:
        metric: the key of the metric.
        test: the test.
        by_documents: whether documents are drawn, swapped or averaged over as a whole.
        correction: for the number of pairs.
        alpha: level of significance.
        baseline: the system that all others are compared with; every pair is compared if None.
        draws: resamples or trials; 10,000 if None.
        blocks: for the paired t.
        seed: of the draws.
    """

    metric: str = DEFAULT_METRIC
    test: Test = "bootstrap"
    by_documents: bool = False
    correction: Correction = "holm"
    alpha: float = ALPHA
    baseline: str | None = None
    draws: int | None = None
    blocks: int = BLOCKS
    seed: int = SEED

    @property
    def run(self) -> Callable[..., Comparisons]:
        """`compare` with these options, except the metric, the baseline and the units."""
        shuffles = self.test == "randomization"  # only shuffles take long: resamples are drawn before
        return partial(
            *((session.offload, compare) if shuffles else (compare,)),
            test=self.test,
            resamples=None if shuffles else self.draws,
            trials=self.draws,
            seed=self.seed,
            correction=self.correction,
            alpha=self.alpha,
        )

    def equal_blocks(self, table: SegmentStatistics) -> Blocks | None:
        """Return the equal blocks of the paired t; None for other tests."""
        return equal_blocks(table.segments, min(self.blocks, table.segments)) if self.test == "t" else None


@dataclass(frozen=True, slots=True)
class PairTests:
    """Two systems under three tests.

    Attributes:
        tests: bootstrap, randomisation and paired t of the pair.
        deltas: label of the draws -> the differences of resampled, and of shuffled, systems, points.
        blocks: the blocks of the paired t.
        block_scores: (2, blocks) scores on the blocks; the baseline first.
    """

    tests: tuple[Comparisons, ...]
    deltas: Mapping[str, Sequence[float]]
    blocks: Blocks
    block_scores: Sequence[Sequence[float]]

    @property
    def undefined(self) -> bool:
        """Return whether the score of some resample or block is undefined, so that they cannot be drawn."""
        return any(bool(np.isnan(values).any()) for values in (*self.deltas.values(), *self.block_scores))


def compare_systems(view: View, options: ComparisonOptions) -> Comparisons:
    """Compare every pair of systems, or all systems with a baseline.

    All comparisons on all pages use the same resamples and shuffles. So the difference between two systems has one
    interval and, before the correction, one p.
    """
    sums = sums_under(view, options.metric)
    table, baseline = sums.table, options.baseline
    pairs = ranked_pairs(table) if baseline is None else baseline_pairs(table.systems, baseline)
    drawing = options if options.test == "t" else replace(options, draws=draws_in_use(options))
    comparisons = _comparisons(view.scope, sums, drawing, tuple(pairs))
    obstacle = obstacle_of(view, metric_of(view, options.metric), comparisons.systems)
    return replace(comparisons, obstacle=obstacle) if obstacle else comparisons


def compare_leaders(scores: SystemScores, options: ComparisonOptions | None = None) -> Comparisons | None:
    """Compare all pairs of systems, the first pair being the two best systems, the best one first.

    Args:
        scores: of the systems under a metric.
        options: of the comparison, except the metric and the baseline; the defaults if None.

    Returns:
        The result of compare_systems; None if there are not two systems with a score, or too few segments.
    """
    if len(scores.best_first) < 2 or scores.scored.statistics.segments < MIN_UNITS:  # noqa: PLR2004 # a pair
        return None
    leader_options = replace(options or ComparisonOptions(), metric=scores.metric.key, baseline=None)
    return compare_systems(scores.view, leader_options)


def system_tiers(comparisons: Comparisons) -> tuple[tuple[str, ...], ...]:
    """Return the systems in tiers: every system in a tier is significantly better than every system below it."""
    return tiers(comparisons)


def intervals_by_system(view: View, options: ComparisonOptions) -> Mapping[str, Interval]:
    """Return intervals of the compared systems' scores under the chosen metric; empty if scores have none."""
    if not view.with_intervals:
        return {}
    sums = sums_under(view, options.metric)
    return intervals_of_units(view.scope, sums, options.seed, by_documents=_by_documents(sums, options))


def decompose_difference(view: View, options: ComparisonOptions, system: str, baseline: str) -> Decomposition | None:
    """Decompose the BLEU difference of two systems; None for another metric."""
    return decompose(view.compared, system, baseline) if metric_of(view, options.metric).from_ngram_counts else None


def neighbouring_pairs(comparisons: Comparisons) -> tuple[Comparison, ...]:
    """Return the pairs of systems that are next to each other in the ranking, the better one first.

    With a baseline, return all pairs.
    """
    between = (comparisons.between(*two) for two in pairwise(comparisons.ranked))
    return tuple(pair for pair in between if pair is not None) if comparisons.complete else comparisons.pairs


def deciding_segments(view: View, options: ComparisonOptions, pairs: Sequence[Comparison]) -> tuple[Reversal, ...]:
    """Return for each pair the smallest set found without which the order of the two systems is reversed."""
    names = tuple((pair.system, pair.baseline) for pair in pairs)
    return _deciding(view.scope, sums_with_optimised(view, options.metric), names)


@session.cached("Searching segments", "pairs")
def _deciding(progress: Progress, sums: Sums, pairs: tuple[tuple[str, str], ...]) -> tuple[Reversal, ...]:
    place = sums.table.systems.index
    return reversals(sums.table, [(place(system), place(baseline)) for system, baseline in pairs], progress=progress)


def compare_without(view: View, options: ComparisonOptions, numbers: Collection[int]) -> Comparisons:
    """Compare all pairs of systems on the remaining segments.

    Args:
        view: the data and settings.
        options: of the comparison, except the baseline.
        numbers: of the excluded segments, in the whole text, from 1; at least one segment remains.
    """
    return compare_systems(without_segments(view, numbers), replace(options, baseline=None))


def why_not_tested(view: View, options: ComparisonOptions, system: str, baseline: str) -> str:
    """Return why no test of two systems can be run; empty if it can."""
    return why_pair_untested(sums_under(view, options.metric).table.select([system, baseline]))


def _checked_sums(view: View, options: ComparisonOptions, system: str, baseline: str) -> Sums:
    """Return the sums of the compared systems.

    Raises:
        AlignmentError: the two systems are not tested, see why_not_tested.
    """
    sums = sums_under(view, options.metric)
    reason = why_pair_untested(sums.table.select([system, baseline]))
    if reason:
        raise AlignmentError(f"{system} and {baseline} are not tested: {reason}")
    return sums


def run_three_tests(view: View, options: ComparisonOptions, system: str, baseline: str) -> PairTests:
    """Run three tests of two systems, uncorrected, with the draws that all pairs share.

    Raises:
        AlignmentError: the systems are not tested, see why_not_tested.
    """
    sums = _checked_sums(view, options, system, baseline)
    uncorrected = replace(options, correction="none", baseline=None)
    trials = draws_in_use(replace(options, test="randomization"))
    tested = _three_tests(view.scope, sums, uncorrected, trials, pair=(system, baseline))
    obstacle = obstacle_of(view, metric_of(view, options.metric), (system, baseline))
    return replace(tested, tests=tuple(replace(test, obstacle=obstacle) for test in tested.tests))


@session.cached("Shuffling the outputs", "trials")
def _three_tests(
    progress: Progress, sums: Sums, options: ComparisonOptions, trials: int, *, pair: tuple[str, str]
) -> PairTests:
    system, baseline = pair
    table = sums.table.select([baseline, system])
    groups = sums.groups(by_documents=options.by_documents)
    scores = None if table.has_gaps else _resampled(sums, options, [baseline, system])
    if table.has_gaps:
        table, rows = table.on_common_segments()
        groups = None if groups is None else groups.subset(rows)
    blocks = groups or equal_blocks(table.segments, min(options.blocks, table.segments))
    resamples = draws_in_use(replace(options, test="bootstrap"))
    tests: list[Comparisons] = []
    for test in THREE_TESTS:  # only the shuffles take long
        test_options = replace(options, test=test, draws=trials if test == "randomization" else resamples)
        reported = progress if test == "randomization" else None
        units = blocks if test == "t" else groups
        tests.append(
            test_options.run(
                table, [(1, 0)], groups=units, resampled_scores=scores, keep_deltas=True, progress=reported
            )
        )
    drawn = [comparisons.deltas for comparisons in tests if comparisons.deltas is not None]
    deltas = {name: values[0].tolist() for name, values in zip(DRAW_LABELS, drawn, strict=True)}
    return PairTests(tuple(tests), deltas, blocks, table.score(table.sums_by_label(blocks.labels)).tolist())


def estimate_text_needed(
    view: View, options: ComparisonOptions, system: str, baseline: str
) -> tuple[TextNeeded, BlockSizes]:
    """Estimate the amount of text needed to show the difference between two systems, and t by size of block.

    The width of the interval on this text, and the detectable difference, are those of the comparison of all pairs by
    segments.

    Raises:
        AlignmentError: the systems are not tested, see why_not_tested.
    """
    sums = _checked_sums(view, options, system, baseline)
    by_segments = ComparisonOptions(metric=options.metric, draws=options.draws, seed=options.seed)  # by segments
    return _text_needed(view.scope, sums, by_segments, pair=(system, baseline))


@session.cached("Resampling the text", "resamples")
def _text_needed(
    progress: Progress, sums: Sums, options: ComparisonOptions, *, pair: tuple[str, str]
) -> tuple[TextNeeded, BlockSizes]:
    system, baseline = pair
    table = sums.table.select(pair)
    scores = None if table.has_gaps else _resampled(sums, options, pair)
    table, _ = table.on_common_segments()
    needed = session.offload(
        text_needed, table, system, baseline, seed=options.seed, resampled_scores=scores, progress=progress
    )
    return needed, t_by_block_size(table, system, baseline)


def draws_in_use(options: ComparisonOptions) -> int:
    """Return the resamples, or trials, of a test that draws: those chosen, else the default for all comparisons."""
    if options.draws is not None:
        return options.draws
    resamples, trials = number_of_draws(options.test)
    return trials or resamples


def units_of_test(_: object, options: ComparisonOptions, __: object) -> str:
    """Return the units of the progress of comparisons, for users."""
    return "draws" if options.test == "randomization" else "pairs"


def _resampled(sums: Sums, options: ComparisonOptions, systems: Sequence[str] = ()) -> Floats:
    """Return the scores of the bootstrap's resamples, points, (systems, resamples); of all systems by default.

    All comparisons and pages share them.
    """
    resamples = draws_in_use(replace(options, test="bootstrap"))
    by_documents = _by_documents(sums, options)
    scores = resampled_scores(sums.scope, sums, resamples, options.seed, by_documents=by_documents)
    return scores[[sums.table.systems.index(name) for name in systems]] if systems else scores


@session.cached("Comparing the systems", units_of_test)
def _comparisons(
    progress: Progress, sums: Sums, options: ComparisonOptions, pairs: tuple[tuple[int, int], ...]
) -> Comparisons:
    scores = _resampled(sums, options) if options.test in RESAMPLING_TESTS else None
    groups = sums.groups(by_documents=options.by_documents) or options.equal_blocks(sums.table)
    return options.run(sums.table, pairs, groups=groups, resampled_scores=scores, progress=progress)


def _by_documents(sums: Sums, options: ComparisonOptions) -> bool:
    """Return whether documents are the units of the test; they have to be known."""
    return options.by_documents and sums.documents is not None
