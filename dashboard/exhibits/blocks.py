"""Scores on blocks of text."""

from __future__ import annotations

from bleu_core.results.blocks import block_score_table
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import block_distributions, joined_blocks

BLOCKS = Exhibit(
    name="blocks",
    page="Blocks",
    title="Scores on blocks of text",
    compute=lambda data: data.block_scores,
    figure=block_distributions,
    table=block_score_table,
    key="blocks",
)

SAME_BLOCKS = Exhibit(
    name="same-blocks",
    page="Blocks",
    title="The same blocks across systems",
    compute=lambda data: data.block_scores,
    figure=joined_blocks,
    table=block_score_table,
    needs=("two systems",),
    key="joined",
)
