"""Two systems compared: by draws and blocks, by the parts of BLEU, and by the amount of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.inference import BlockSizes, TextNeeded
from bleu_core.results.decomposition import decomposition_table
from bleu_core.results.significance import block_sizes_table, deltas_table, pair_blocks_table, text_needed_table
from dashboard.analysis import PairTests, ScoredCorpus
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import (
    Style,
    block_differences,
    difference_terms,
    drawn_deltas,
    interval_widths,
    t_over_block_size,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedPair:
    """Two systems under three tests.

    Attributes:
        tests: of the two.
        scored: systems under the metric.
        names: the baseline and the system.
    """

    tests: PairTests
    scored: ScoredCorpus
    names: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EnoughText:
    """How much text shows the difference of two systems.

    Attributes:
        needed: the width of the interval by the number of segments.
        sizes: the paired t by the size of blocks.
        scored: systems under the metric.
    """

    needed: TextNeeded
    sizes: BlockSizes
    scored: ScoredCorpus


def _tested(data: Data) -> TestedPair:
    return TestedPair(tests=data.tests, scored=data.scored, names=(data.names[1], data.names[0]))


def _enough(data: Data) -> EnoughText:
    needed, sizes = data.text_needed
    return EnoughText(needed=needed, sizes=sizes, scored=data.scored)


def _deltas(found: TestedPair, _styles: Mapping[str, Style]) -> go.Figure:
    observed = found.tests.tests[0].pairs[0].delta
    return drawn_deltas(found.tests.deltas, observed, found.scored.label, found.scored.metric.unit)


def _block_differences(found: TestedPair, styles: Mapping[str, Style]) -> go.Figure:
    metric = found.scored.metric
    return block_differences(
        found.tests.block_scores,
        found.tests.blocks,
        found.names,
        styles,
        unit=metric.unit,
        higher_is_better=metric.higher_is_better,
    )


RESAMPLED = Exhibit(
    name="resampled",
    page="Two systems",
    title="Resampled differences",
    compute=_tested,
    figure=_deltas,
    table=lambda found: deltas_table(found.tests.deltas),
    needs=("two systems",),
    subject="pair",
    key="deltas",
)

BLOCK_DIFFERENCES = Exhibit(
    name="block-differences",
    page="Two systems",
    title="Difference by block or document",
    compute=_tested,
    figure=_block_differences,
    table=lambda found: pair_blocks_table(found.names, found.tests.blocks, found.tests.block_scores),
    needs=("two systems",),
    subject="pair",
    key="block-differences",
)

CAUSES = Exhibit(
    name="causes",
    page="Two systems",
    title="Why the scores differ",
    compute=lambda data: data.decomposition,
    figure=difference_terms,
    table=decomposition_table,
    needs=("two systems",),
    subject="pair",
    key="causes",
)

INTERVAL_WIDTH = Exhibit(
    name="interval-width",
    page="Two systems",
    title="Width of the confidence interval",
    compute=_enough,
    figure=lambda found, _: interval_widths(found.needed, found.scored.label, found.scored.metric.unit),
    table=lambda found: text_needed_table(found.needed),
    needs=("two systems",),
    subject="pair",
    key="widths",
)

BLOCK_SIZES = Exhibit(
    name="block-sizes",
    page="Two systems",
    title="Paired t by block size",
    compute=_enough,
    figure=lambda found, _: t_over_block_size(found.sizes),
    table=lambda found: block_sizes_table(found.sizes),
    needs=("two systems",),
    subject="pair",
    key="block-sizes",
)
