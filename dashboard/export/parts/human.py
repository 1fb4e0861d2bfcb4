"""Human judgments: how well the metric and the judges agree on the order of systems."""

from __future__ import annotations

from bleu_core.results.agreement import coefficients_table
from dashboard import words
from dashboard.export.parts.declaration import Part, drawings, figure_table
from dashboard.export.section import Section
from dashboard.export.source import Source


def human(source: Source) -> Section:
    """Return scores with mean ratings, and the coefficients of their agreement."""
    data = source.data
    agreement, robustness = data.agreement, data.robustness
    lower = words.flipped_signs([] if agreement.higher_is_better else [agreement.metric])
    return Section(
        key=PART.key,
        title=PART.title,
        sentences=tuple(filter(None, (words.agreement_with_people(agreement), words.who_rated(data.rated), lower))),
        drawings=drawings(source, "agreement"),
        tables=(figure_table(source, "agreement"), coefficients_table(agreement, robustness)),
        notes=(words.regression_line(agreement), words.decisive_system(robustness)),
    )


PART = Part("human", "Human judgments", human, ("judgments",))
