"""Which differences between systems are significant, by which test, and how much text it takes to show them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from bleu_core.inference import (
    ALPHA,
    BLOCKS,
    RESAMPLES,
    SEED,
    TRIALS,
    Blocks,
    BlockSizes,
    Comparisons,
    Correction,
    Interval,
    Test,
    TextNeeded,
    against,
    best_first,
    compare,
    document_blocks,
    enough_draws,
    equal_blocks,
    metric_intervals,
    t_by_block_size,
    text_needed,
    tiers,
)
from bleu_core.progress import Progress, part_of
from bleu_core.scoring import SumTable
from dashboard import session
from dashboard.analysis.scores import SystemScores, score_under
from dashboard.analysis.view import View

THREE_TESTS: tuple[Test, ...] = ("bootstrap", "randomization", "t")

USUAL_DRAWS: Mapping[Test, int] = {"bootstrap": RESAMPLES, "randomization": TRIALS}

#: Labels of the differences between resampled systems, and between shuffled ones.
DRAWN = ("other texts (bootstrap)", "swapped outputs (randomisation)")


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """How systems are compared.

    Attributes:
        metric: the key of the metric.
        test: the test.
        by_documents: whether documents are drawn, swapped or averaged over as a whole.
        correction: for the number of pairs.
        alpha: level of significance.
        baseline: the system that all others are compared with; every pair is compared if None.
        draws: resamples or trials; as many as the correction needs if None.
        blocks: for the paired t.
        seed: of the draws.
    """

    metric: str = "bleu"
    test: Test = "bootstrap"
    by_documents: bool = False
    correction: Correction = "holm"
    alpha: float = ALPHA
    baseline: str | None = None
    draws: int | None = None
    blocks: int = BLOCKS
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class PairTests:
    """Two systems under three tests.

    Attributes:
        tests: bootstrap, randomisation and paired t of the one pair.
        deltas: label of the draws -> the differences of resampled, and of shuffled, systems, points.
        blocks: the blocks of the paired t.
        block_scores: (2, blocks) scores on them; the baseline first.
    """

    tests: tuple[Comparisons, ...]
    deltas: Mapping[str, Sequence[float]]
    blocks: Blocks
    block_scores: Sequence[Sequence[float]]

    @property
    def undefined(self) -> bool:
        """Whether the score of some resample or block is undefined, so that they cannot be drawn."""
        return any(math.isnan(value) for values in (*self.deltas.values(), *self.block_scores) for value in values)


def compare_systems(view: View, options: ComparisonOptions) -> Comparisons:
    """Every pair of systems compared, or all systems with a baseline."""
    table = score_under(view, options.metric).table
    if options.baseline is not None:
        return _remember_comparisons(view, options, against(table.systems, options.baseline))
    order = best_first(table.systems, table.score(table.sums()), higher_is_better=table.higher_is_better)
    return _remember_comparisons(view, options, tuple(combinations(order, 2)))  # the better system of a pair first


def compare_leaders(scores: SystemScores) -> Comparisons | None:
    """The two best systems compared, by the bootstrap; None if there are not two, or a single segment."""
    leaders = [name for name, _ in scores.best_first[:2]]
    table, options = scores.scored.table, ComparisonOptions(metric=scores.metric.key)
    if len(leaders) < 2 or table.segments == 1:  # noqa: PLR2004 # a pair
        return None
    return session.remember(
        "comparisons",
        (scores.view.key, options, tuple(leaders)),
        lambda progress: _compare(table.select(leaders), options, [(0, 1)], None, progress),
        doing="Resampling the text",
        what="draws",
    )


def compare_pair(view: View, options: ComparisonOptions, system: str, baseline: str) -> Comparisons:
    """Two systems by the chosen test, by themselves."""
    systems = score_under(view, options.metric).table.systems
    pair = systems.index(system), systems.index(baseline)
    return _remember_comparisons(view, replace(options, correction="none"), [pair])


def system_tiers(comparisons: Comparisons) -> tuple[tuple[str, ...], ...]:
    """The systems in tiers: everyone in a tier is significantly better than everyone below it."""
    return tiers(comparisons)


def intervals_by_system(view: View, options: ComparisonOptions) -> Mapping[str, Interval]:
    """Intervals of the compared systems' scores under the chosen metric; empty if scores have none."""
    if not view.with_intervals:
        return {}
    table, groups = score_under(view, options.metric).table, _documents(view, options)
    return session.remember(
        "intervals",
        (view.key, options.metric, groups is not None, options.seed),
        lambda progress: metric_intervals(table, groups=groups, seed=options.seed, progress=progress),
        doing="Resampling the text",
        what="resamples",
    )


def run_three_tests(view: View, options: ComparisonOptions, system: str, baseline: str) -> PairTests:
    """Three tests of two systems side by side, each by itself, with as many draws as all pairs had."""
    pairs = len(compare_systems(view, options).pairs)
    draws = {
        test: options.draws or max(usual, enough_draws(pairs, options.alpha)) for test, usual in USUAL_DRAWS.items()
    }
    table = score_under(view, options.metric).table.select([baseline, system])
    groups = _documents(view, options)
    blocks = groups or _equal_blocks(table, options)
    uncorrected = replace(options, correction="none")

    def compute(progress: Progress) -> PairTests:
        total = sum(draws.values()) + RESAMPLES  # of which the last are for the interval beside the randomisation
        before = 0
        tests: list[Comparisons] = []
        for test in THREE_TESTS:
            of_test = replace(uncorrected, test=test, draws=draws.get(test))
            part = part_of(progress, before, total)
            tests.append(_compare(table, of_test, [(1, 0)], groups, part, keep_deltas=True))
            before += draws.get(test, 0)
        drawn = [comparisons.deltas for comparisons in tests if comparisons.deltas is not None]
        deltas = {name: values[0].tolist() for name, values in zip(DRAWN, drawn, strict=True)}
        return PairTests(tuple(tests), deltas, blocks, table.score(table.by(blocks.labels)).tolist())

    return session.remember(
        "pair",
        (view.key, uncorrected, tuple(draws.values()), system, baseline),
        compute,
        doing="Resampling the text",
        what="draws",
    )


def estimate_text_needed(
    view: View, options: ComparisonOptions, system: str, baseline: str
) -> tuple[TextNeeded, BlockSizes]:
    """How much text it takes to show the difference between two systems, and t by size of block."""
    table = score_under(view, options.metric).table

    def compute(progress: Progress) -> tuple[TextNeeded, BlockSizes]:
        needed = text_needed(table, system, baseline, seed=options.seed, progress=progress)
        return needed, t_by_block_size(table, system, baseline)

    key = (view.key, options.metric, options.seed, system, baseline)
    return session.remember("text", key, compute, doing="Resampling the text", what="resamples")


def _remember_comparisons(view: View, options: ComparisonOptions, pairs: Sequence[tuple[int, int]]) -> Comparisons:
    table, groups = score_under(view, options.metric).table, _documents(view, options)
    return session.remember(
        "comparisons",
        (view.key, options, tuple(pairs)),
        lambda progress: _compare(table, options, pairs, groups, progress),
        doing="Resampling the text",
        what="draws",
    )


def _compare(
    table: SumTable,
    options: ComparisonOptions,
    pairs: Sequence[tuple[int, int]],
    groups: Blocks | None,
    progress: Progress | None,
    *,
    keep_deltas: bool = False,
) -> Comparisons:
    if options.test == "t":
        groups = groups or _equal_blocks(table, options)
    return compare(
        table,
        pairs,
        test=options.test,
        groups=groups,
        resamples=None if options.test == "randomization" else options.draws,
        trials=options.draws,
        seed=options.seed,
        correction=options.correction,
        alpha=options.alpha,
        keep_deltas=keep_deltas,
        progress=progress,
    )


def _equal_blocks(table: SumTable, options: ComparisonOptions) -> Blocks:
    return equal_blocks(table.segments, min(options.blocks, table.segments))


def _documents(view: View, options: ComparisonOptions) -> Blocks | None:
    """The documents as blocks, if they are the units of the test."""
    documents = view.workspace.corpus.documents
    return document_blocks(documents) if options.by_documents and documents is not None else None
