"""Significance: which differences between systems are significant, and the tiers that follow."""

from __future__ import annotations

from bleu_core.inference import systems_beaten
from bleu_core.results.significance import (
    comparison_table,
    is_large,
    shown_pairs,
    shown_pairs_note,
    tier_table,
)
from dashboard import analysis, words
from dashboard.export.parts.declaration import Part, drawings
from dashboard.export.section import Section
from dashboard.export.source import Source


def significance(source: Source) -> Section:
    """Return all pairs of systems, or those of the leader and of neighbours in a large family, and the tiers."""
    data = source.data
    undefined = words.undefined_scores(data.scored)
    if undefined:
        return Section(PART.key, PART.title, (undefined,))
    comparisons = data.comparisons
    headline = analysis.headline_of(data.scores, comparisons)
    sentences = analysis.with_evidence_of(
        headline, data.scores, comparisons, ratings=data.ratings, options=data.comparison
    ).sentences
    if comparisons.tested and not data.view.descriptive:
        wins = words.wins_verdict(systems_beaten(comparisons), len(comparisons.systems) - 1)
        sentences = (*sentences, words.tiers_verdict(comparisons, data.tiers), wins)
    tiers = [tier_table(comparisons, data.intervals)] if comparisons.tested else []
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=sentences,
        drawings=drawings(source, *(() if is_large(comparisons) else ("pairs",)), "score-intervals"),
        tables=(comparison_table(comparisons, shown_pairs(comparisons)), *tiers),
        notes=(
            *filter(None, [shown_pairs_note(comparisons)]),
            words.comparison_method(comparisons),
            *(f"Caution: {warning}." for warning in comparisons.warnings),
        ),
    )


PART = Part("significance", "Significance", significance, ("two systems",))
