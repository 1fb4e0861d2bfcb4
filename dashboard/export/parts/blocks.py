"""Blocks: how much scores vary between blocks of text."""

from __future__ import annotations

from bleu_core.results.blocks import block_table
from dashboard import analysis, words
from dashboard.export.parts.declaration import Part, drawings
from dashboard.export.section import Section
from dashboard.export.source import Source


def blocks(source: Source) -> Section:
    """Return the spread of the scores over blocks, and each system compared with the next one."""
    scores = source.data.block_scores
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=(
            words.spread_of_blocks(scores, tested=analysis.may_be_significant(source.data.view, scores.metric)),
            words.division_into_blocks(scores),
        ),
        drawings=drawings(source, "blocks"),
        tables=(block_table(scores, source.data.scores.intervals),),
    )


PART = Part("blocks", "Blocks", blocks)
