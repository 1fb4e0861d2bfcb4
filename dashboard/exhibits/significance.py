"""All pairs of systems compared, and all systems against one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from bleu_core.inference import Interval
from bleu_core.results.significance import comparison_table, grid_table, tier_table
from dashboard import analysis
from dashboard.analysis import Comparisons, ScoredCorpus
from dashboard.exhibits.data import Data
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, against_baseline, comparison_grid, tier_lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSystems:
    """Systems compared with each other, or with a baseline.

    Attributes:
        comparisons: of the pairs.
        scored: the systems under the metric.
        intervals: system -> interval of its score; empty where scores have none.
        tested: whether p-values are p-values; in a slice that may have been chosen for its results they only describe.
    """

    comparisons: Comparisons
    scored: ScoredCorpus
    intervals: Mapping[str, Interval]
    tested: bool

    @property
    def tiers(self) -> Sequence[Sequence[str]]:
        """The systems in tiers; all of them in one where nothing is tested."""
        return analysis.system_tiers(self.comparisons) if self.tested else [self.comparisons.ranked]


def _all_pairs(data: Data) -> ComparedSystems:
    return _compared(data, data.comparisons)


def _compared(data: Data, comparisons: Comparisons) -> ComparedSystems:
    tested = not data.view.descriptive
    return ComparedSystems(comparisons=comparisons, scored=data.scored, intervals=data.intervals, tested=tested)


def _grid(found: ComparedSystems, _styles: Mapping[str, Style]) -> go.Figure:
    return comparison_grid(found.comparisons, found.scored.label, tested=found.tested)


def _tiers(found: ComparedSystems, styles: Mapping[str, Style]) -> go.Figure:
    return tier_lines(
        found.comparisons,
        found.tiers,
        intervals=found.intervals,
        styles=styles,
        label=found.scored.label,
        unit=found.scored.metric.unit,
        beaten=analysis.systems_beaten(found.comparisons) if found.tested else None,
    )


def _against(found: ComparedSystems, styles: Mapping[str, Style]) -> go.Figure:
    return against_baseline(found.comparisons, styles, found.scored.label, found.scored.metric.unit)


PAIRS = Exhibit(
    name="pairs",
    page="Significance",
    title="Pairwise comparison",
    compute=_all_pairs,
    figure=_grid,
    table=lambda found: grid_table(found.comparisons),
    needs=("two systems",),
    key="grid",
)

TIERS = Exhibit(
    name="tiers",
    page="Significance",
    title="Tiers",
    compute=_all_pairs,
    figure=_tiers,
    table=lambda found: tier_table(found.comparisons, found.intervals),
    needs=("two systems",),
    key="tiers",
)

BASELINE = Exhibit(
    name="baseline",
    page="Significance",
    title="Differences to the baseline",
    compute=lambda data: _compared(data, data.against_baseline),
    figure=_against,
    table=lambda found: comparison_table(found.comparisons),
    needs=("two systems",),
    key="against",
)
