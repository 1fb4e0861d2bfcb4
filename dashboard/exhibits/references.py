"""The systems ranked with each reference."""

from __future__ import annotations

from bleu_core.results.reference_rankings import advantages_table, reference_scores_table
from dashboard.exhibits.declaration import Exhibit, Need
from dashboard.figures import rank_lines, reference_advantages

_NEEDS: tuple[Need, ...] = ("two systems", "two references")

REFERENCE_RANKS = Exhibit(
    name="reference-ranks",
    page="References",
    title="Ranks with each reference",
    compute=lambda data: data.reference_rankings,
    figure=rank_lines,
    table=reference_scores_table,
    needs=_NEEDS,
    key="reference-ranks",
)

REFERENCE_ADVANTAGES = Exhibit(
    name="reference-advantages",
    page="References",
    title="Systems that a reference favours",
    compute=lambda data: data.reference_rankings,
    figure=lambda found, _: reference_advantages(found),
    table=advantages_table,
    needs=_NEEDS,
    key="reference-advantages",
)
