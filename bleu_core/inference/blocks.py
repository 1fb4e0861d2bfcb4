"""Scores on blocks of text, and the paired t between neighbours: Table 2 of Papineni et al. (2002), section 3."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers, worst_first
from bleu_core.digests import digest_of
from bleu_core.errors import SettingsError
from bleu_core.fields import BASELINE, DEGREES_OF_FREEDOM, DELTA, P_VALUE, REASON, SYSTEM, T, field, inline, result
from bleu_core.inference.intervals import ALPHA, CONFIDENCE, Interval
from bleu_core.inference.student_t import one_sample_t, student_interval, t_quantile
from bleu_core.scoring import BleuEvaluation, SegmentStatistics

if TYPE_CHECKING:  # scoring by BLEU does without
    from bleu_core.scoring import Metric, ScoredCorpus


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """A division of S segments into B blocks.

    Attributes:
        names: B names: of documents, or block numbers from 1.
        labels: (S,) the block of each segment, 0 to B - 1.
        fixed_size: whether the blocks were requested with a fixed size, so that the last may be short.
        unit: of a block.
    """

    names: tuple[str, ...]
    labels: Integers
    fixed_size: bool = False
    unit: Literal["block", "document"] = "block"

    @property
    def fingerprint_by_position(self) -> bytes:
        """Cache key of the division, without the names of the blocks."""
        return digest_of(self.labels)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Segments in each block."""
        return tuple(int(n) for n in np.bincount(self.labels, minlength=len(self.names)))

    def subset(self, rows: Sequence[int]) -> Blocks:
        """Return the division of some of the segments, by their positions from 0; blocks without any are left out."""
        present, first, labels = np.unique(self.labels[list(rows)], return_index=True, return_inverse=True)
        order = np.argsort(first)  # of the first segments, as in document_blocks
        names = tuple(self.names[int(n)] for n in present[order].tolist())
        return replace(self, names=names, labels=np.argsort(order)[labels])


@result
class PairedT:
    """The paired t of two systems' block scores.

    Attributes:
        mean_difference: of the blocks' scores, points; this is what t tests.
        standard_error: of the mean difference, points; NaN where t is undefined.
        t: NaN where it is undefined.
        degrees_of_freedom: blocks - 1.
        p_value: two-sided; NaN if t is.
        reason: why t is undefined, else empty.
    """

    mean_difference: float = field("difference", "System minus baseline, mean over blocks, as tested by the paired t.")
    standard_error: float
    t: float = field(T)
    degrees_of_freedom: int = field(DEGREES_OF_FREEDOM)
    p_value: float = field(
        P_VALUE, "Two-sided p-value: probability that two equally good systems differ at least this much."
    )
    reason: str = field(REASON, default="")

    def interval(self, confidence: float = CONFIDENCE) -> Interval:
        """Return Student's interval of the mean difference; NaN if t is."""
        return student_interval(
            self.mean_difference,
            standard_error=self.standard_error,
            degrees_of_freedom=self.degrees_of_freedom,
            confidence=confidence,
        )


@result
class NeighbourPair:
    """The comparison of a system with its left neighbour, by paired t over blocks."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE, "The next worse system, in the row above.")
    delta: float = field(DELTA, only="json")
    test: PairedT = inline(PairedT)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BlockScores:
    """Scores of K systems on B blocks, systems in the order of their corpus scores, in the reverse of best_first.

    Attributes:
        metric: of the scores.
        signature: to report with the scores.
        systems: K names.
        blocks: the division.
        corpus_scores: (K,) of the whole corpus; NaN where undefined.
        scores: (K, B) of the blocks; NaN where undefined.
        pairs: each system but the first with its left neighbour, the next worse system, as baseline.
    """

    metric: Metric
    signature: str
    systems: tuple[str, ...]
    blocks: Blocks
    corpus_scores: Floats
    scores: Floats
    pairs: tuple[NeighbourPair, ...]

    @property
    def means(self) -> Floats:
        """(K,) mean over blocks; NaN where the score of a block is undefined."""
        return self.scores.mean(axis=1)

    @property
    def standard_deviations(self) -> Floats:
        """(K,) standard deviations with B - 1 in the denominator; NaN for a single block."""
        return self.scores.std(axis=1, ddof=1) if self.scores.shape[1] > 1 else np.full(len(self.systems), np.nan)

    @property
    def zero_blocks(self) -> npt.NDArray[np.int64]:
        """(K,) numbers of blocks that score 0; in BLEU because a precision is 0 there."""
        return (self.scores == 0).sum(axis=1)

    @property
    def short_block(self) -> bool:
        """Whether the last block of a fixed size is shorter."""
        sizes = self.blocks.sizes
        return self.blocks.fixed_size and sizes[-1] < sizes[0]

    @property
    def critical_t(self) -> float:
        """The critical t of a single two-sided test at the 5 % level; NaN for a single block.

        For 20 blocks it is 2.09. The p-value of a pair is below 0.05 if the absolute value of its t is greater.
        """
        return t_quantile(1 - ALPHA / 2, len(self.blocks.names) - 1)

    @property
    def one_sided_critical_t(self) -> float:
        """The critical t of a one-sided test at the 5 % level: 1.7 for 20 blocks, as in the 2002 paper."""
        return t_quantile(1 - ALPHA, len(self.blocks.names) - 1)


def equal_blocks(segments: int, blocks: int = 20) -> Blocks:
    """Split into B consecutive blocks as numpy.array_split does: sizes differ by at most one.

    Raises:
        SettingsError: fewer than 1 or more blocks than segments.
    """
    if not 1 <= blocks <= segments:
        raise SettingsError(f"{blocks} blocks found, 1 to {segments} expected for {segments} segments")
    sizes = [len(part) for part in np.array_split(np.arange(segments), blocks)]
    return Blocks(names=_numbered(blocks), labels=np.repeat(np.arange(blocks), sizes))


def blocks_of_size(segments: int, size: int) -> Blocks:
    """Split into consecutive blocks of M segments; a short last block is kept.

    Raises:
        SettingsError: the size is below 1 or above the number of segments.
    """
    if not 1 <= size <= segments:
        raise SettingsError(f"block size {size} found, 1 to {segments} expected for {segments} segments")
    labels = np.arange(segments) // size
    return Blocks(names=_numbered(int(labels[-1]) + 1), labels=labels, fixed_size=True)


def document_blocks(documents: Sequence[str]) -> Blocks:
    """Divide into documents, in the order of their first segment; they need not be contiguous."""
    names = tuple(dict.fromkeys(documents))
    position = {name: i for i, name in enumerate(names)}
    return Blocks(names=names, labels=np.array([position[d] for d in documents], np.int64), unit="document")


def block_scores(scored: BleuEvaluation | ScoredCorpus, blocks: Blocks) -> BlockScores:
    """Score every system on every block, and compare each system with its left neighbour.

    Args:
        scored: the systems under a metric; an evaluation means BLEU.
        blocks: the division.
    """
    from bleu_core.scoring import ScoredCorpus  # loaded when first needed

    if isinstance(scored, BleuEvaluation):
        scored = ScoredCorpus.of_bleu(scored)
    systems, corpus_scores = scored.statistics.systems, scored.scores
    order = worst_first(systems, corpus_scores, higher_is_better=scored.metric.higher_is_better)
    statistics = scored.statistics.select([systems[k] for k in order])
    corpus_scores = corpus_scores[list(order)]
    scores = statistics.score(statistics.sums_by_label(blocks.labels))
    pairs = tuple(
        NeighbourPair(
            system=statistics.systems[k],
            baseline=statistics.systems[k - 1],
            delta=float(corpus_scores[k] - corpus_scores[k - 1]),
            test=_neighbour_test(statistics, blocks, scores, k),
        )
        for k in range(1, len(order))
    )
    return BlockScores(
        metric=scored.metric,
        signature=scored.signature,
        systems=statistics.systems,
        blocks=blocks,
        corpus_scores=corpus_scores,
        scores=scores,
        pairs=pairs,
    )


def _neighbour_test(statistics: SegmentStatistics, blocks: Blocks, scores: Floats, system: int) -> PairedT:
    """Compare a system with its left neighbour, on the segments of which both have scores.

    Args:
        statistics: of the systems, worst first.
        blocks: the division.
        scores: (K, B) of all systems.
        system: its index.
    """
    both = _common_scores(statistics, blocks, system) if statistics.has_gaps else (scores[system], scores[system - 1])
    return without_test(paired_t(*both), statistics.untested)


def _common_scores(statistics: SegmentStatistics, blocks: Blocks, system: int) -> tuple[Floats, Floats]:
    """Return the scores of a system and its left neighbour on each block, from the segments that both have."""
    both = statistics.common(statistics.systems[system - 1 : system + 1])
    neighbour, scores = both.score(both.sums_by_label(blocks.labels))
    return scores, neighbour


def paired_t(system: Floats, baseline: Floats) -> PairedT:
    """Test whether two systems' scores on B blocks, (B,) each, differ on average."""
    if np.isnan(system - baseline).any():
        undefined = "a score of a block is undefined"
        return PairedT(
            mean_difference=math.nan,
            standard_error=math.nan,
            t=math.nan,
            degrees_of_freedom=len(system) - 1,
            p_value=math.nan,
            reason=undefined,
        )
    test = one_sample_t(system - baseline)
    reason = "" if not math.isnan(test.t) else "only one block" if test.n == 1 else "no variance"
    error = math.nan if reason else test.standard_error
    return PairedT(
        mean_difference=test.mean,
        standard_error=error,
        t=test.t,
        degrees_of_freedom=test.degrees_of_freedom,
        p_value=test.p_value,
        reason=reason,
    )


def without_test(test: PairedT, reason: str) -> PairedT:
    """Return the mean difference of a paired t without its test, if there is a reason for that; else the test."""
    if not reason:
        return test
    return replace(test, standard_error=math.nan, t=math.nan, p_value=math.nan, reason=reason)


def _numbered(blocks: int) -> tuple[str, ...]:
    return tuple(str(n) for n in range(1, blocks + 1))
