"""What the data of a page support about which system is best: its first sentences."""

from __future__ import annotations

from collections.abc import Collection

from bleu_core.inference import Comparisons
from bleu_core.results.headlines import Headline, headline
from dashboard.analysis.scores import ScoresInOrder, SystemScores
from dashboard.analysis.trust_warnings import open_findings


def headline_of(
    scores: ScoresInOrder, comparisons: Comparisons | None = None, *, systems: Collection[str] | None = None
) -> Headline:
    """What the scores, the tests and the open warnings support about which system is best.

    Args:
        scores: of all systems; human translations are left out.
        comparisons: of all pairs, or of all systems with a baseline; None where nothing is tested.
        systems: those that are compared; all if None.
    """
    ranked = {
        name: score
        for name, score in scores.of_system.items()
        if name not in scores.not_ranked and (systems is None or name in systems)
    }
    units = scores.scored.table.segments
    if not isinstance(scores, SystemScores):  # of counts files there is no text to look at, and no slice
        return headline(ranked, scores.metric, comparisons, units=units)
    view = scores.view
    return headline(
        ranked,
        scores.metric,
        comparisons,
        findings=open_findings(view),
        references=view.evaluation.references,
        slice_chosen=view.slice_chosen,
        units=units,
    )
