"""Scores on blocks of text, as tables and as JSON: Table 2 of Papineni et al. (2002)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bleu_core.fields import REASON, SYSTEM, Table, field, result, table_of
from bleu_core.inference import BlockScores, NeighbourPair
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.results.scores import BLEU, INTERVAL, SCORE, in_columns_of, score_bounds, score_values
from bleu_core.scoring import BleuEvaluation

if TYPE_CHECKING:
    from bleu_core.inference import ScoreIntervals


@result
class SystemBlocks:
    """A system's scores on blocks of text."""

    system: str = field(SYSTEM)
    bleu: float | None = field(BLEU, default=None)
    score: float | None = field(SCORE, default=None)
    bleu_low: float | None = field(
        "points", f"Lower end of the {INTERVAL}.", only="table", label="BLEU low", default=None
    )
    bleu_high: float | None = field(
        "points", f"Upper end of the {INTERVAL}.", only="table", label="BLEU high", default=None
    )
    score_low: float | None = field("points", f"Lower end of the {INTERVAL}.", only="table", default=None)
    score_high: float | None = field("points", f"Upper end of the {INTERVAL}.", only="table", default=None)
    mean: float = field("points", "Mean of the blocks' scores.")
    standard_deviation: float = field(
        "points", "Sample standard deviation of the blocks' scores.", undefined="only one block"
    )
    zero_blocks: int | None = field(
        "count", "Blocks that score 0 because some order has no matching n-gram.", default=None
    )
    scores: tuple[float, ...] = field("points", "Score of each block.", only="json")
    reason: str = field(REASON, only="json", default="")


@result
class BlockReport(Envelope):
    """The JSON of `bleu-core blocks`."""

    block_sizes: tuple[int, ...] = field("count", "Segments in each block.")
    systems: tuple[SystemBlocks, ...] = field("object", "Scores of each system, worst corpus score first.")
    pairs: tuple[NeighbourPair, ...] = field("object", "Each system but the first, compared with the next worse one.")


@result
class BlockScore:
    """A system's score on one block."""

    system: str = field(SYSTEM)
    block: str = field("text", "Number or name of the block.")
    segments: int = field("count", "Segments in the block.")
    bleu: float | None = field("points", "BLEU of the block.", label="BLEU", default=None)
    score: float | None = field("points", "Score of the block.", default=None)


def block_table(scores: BlockScores, intervals: ScoreIntervals | None = None) -> Table:
    """Return Table 2 of the 2002 paper: each system, with a test against the system in the row above."""
    systems = _system_blocks(scores, intervals)
    table = table_of(list(zip(systems, [None, *scores.pairs], strict=True)), SystemBlocks, NeighbourPair)
    return in_columns_of(scores.metric, table)


def block_score_table(scores: BlockScores) -> Table:
    """Return the score of every system on every block."""
    blocks = list(zip(scores.blocks.names, scores.blocks.sizes, strict=True))
    rows = [
        BlockScore(
            system=system,
            block=block,
            segments=size,
            **score_values(scores.metric.score_field, float(scores.scores[k, b])),
        )
        for k, system in enumerate(scores.systems)
        for b, (block, size) in enumerate(blocks)
    ]
    return in_columns_of(scores.metric, table_of(rows, BlockScore))


def block_report(scores: BlockScores, evaluation: BleuEvaluation) -> BlockReport:
    """Return the JSON report of `bleu-core blocks`."""
    return BlockReport(
        **envelope_fields(evaluation) | {"signature": scores.signature, "metric": scores.metric.key},
        block_sizes=scores.blocks.sizes,
        systems=_system_blocks(scores, None),
        pairs=scores.pairs,
    )


def _system_blocks(scores: BlockScores, intervals: ScoreIntervals | None) -> tuple[SystemBlocks, ...]:
    return tuple(
        SystemBlocks(
            system=name,
            **score_values(scores.metric.score_field, float(scores.corpus_scores[k])),
            **score_bounds(intervals, name, scores.metric.score_field),
            mean=float(scores.means[k]),
            standard_deviation=float(scores.standard_deviations[k]),
            zero_blocks=int(scores.zero_blocks[k]) if scores.metric.from_ngram_counts else None,
            scores=tuple(scores.scores[k].tolist()),
            reason=scores.metric.undefined if math.isnan(scores.means[k]) else "",
        )
        for k, name in enumerate(scores.systems)
    )
