"""Summary: the answer in plain language, and cautions."""

from __future__ import annotations

from contextlib import suppress

from bleu_core.errors import BleuCoreError
from bleu_core.results.headlines import HeadlineClass
from dashboard import analysis, words
from dashboard.export.parts.declaration import Part
from dashboard.export.section import Section
from dashboard.export.source import Source


def summary(source: Source) -> Section:
    """Return which system leads, whether its lead is significant, and whether the judges agree."""
    data = source.data
    scores = data.scores
    comparisons = None
    comparable = data.headline.class_ != HeadlineClass.NOT_COMPARABLE
    if source.has_pair and comparable and not data.view.descriptive:
        comparisons = analysis.compare_leaders(scores, data.comparison)
    agreement = None
    if data.ratings is not None:
        with suppress(BleuCoreError):  # the part about human judgments is omitted, too
            agreement = data.agreement
    sentences = [
        *data.headline.sentences,
        *words.verdicts_of_leaders(scores, comparisons, agreement, data.ratings),
        words.human_translations(data.view),
        words.optimised_systems(data.view),
        words.slice_to_quote(data.view.slice, descriptive=data.view.descriptive).strip(),
        *(f"Caution: {caution}" for caution in source.cautions),
    ]
    return Section(PART.key, PART.title, tuple(filter(None, sentences)))


PART = Part("summary", "Summary", summary)
