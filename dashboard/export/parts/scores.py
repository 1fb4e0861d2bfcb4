"""Scores: each system by the metric, with its interval."""

from __future__ import annotations

from dashboard import words
from dashboard.export.parts.declaration import Part, drawings, figure_table
from dashboard.export.section import Section
from dashboard.export.source import Source


def scores(source: Source) -> Section:
    """Return the scores, best first, with an explanation."""
    system_scores = source.data.scores
    metric, view = system_scores.metric, source.data.view
    meaning = words.meaning_of_metric(metric, view.evaluation.settings.max_order)
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=tuple(filter(None, (*source.data.headline.sentences, words.undefined_scores(system_scores.scored)))),
        drawings=drawings(source, "scores"),
        tables=(figure_table(source, "scores"),),
        notes=(meaning,),
    )


PART = Part("scores", "Scores", scores)
