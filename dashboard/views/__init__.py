"""The pages: one module for each, which exports its PAGE. No number is computed here."""

from collections.abc import Mapping, Sequence

from dashboard.session import Page
from dashboard.views import (
    agreement_by_class,
    blocks,
    campaign,
    counts,
    data,
    judges,
    metrics,
    ngrams,
    overview,
    paper,
    precision,
    rater_differences,
    references,
    report,
    score_differences,
    scores,
    segment_agreement,
    segments,
    significance,
    slices,
    system_agreement,
    two_systems,
)

#: In the order of the navigation; the first opens first.
PAGES: Sequence[Page] = (
    overview.PAGE,
    scores.PAGE,
    significance.PAGE,
    two_systems.PAGE,
    slices.PAGE,
    references.PAGE,
    precision.PAGE,
    blocks.PAGE,
    segments.PAGE,
    ngrams.PAGE,
    system_agreement.PAGE,
    segment_agreement.PAGE,
    agreement_by_class.PAGE,
    metrics.PAGE,
    judges.PAGE,
    rater_differences.PAGE,
    score_differences.PAGE,
    campaign.PAGE,
    paper.PAGE,
    report.PAGE,
    counts.PAGE,
    data.PAGE,
)

#: Addresses of earlier versions: a path, and the title of the page by the value of the parameter "show", if any.
FORMER_ADDRESSES: Mapping[str, Mapping[str, str]] = {
    "human": {
        "": system_agreement.PAGE.title,
        "Systems": system_agreement.PAGE.title,
        "Segments": segment_agreement.PAGE.title,
        "Metrics": metrics.PAGE.title,
        "Judges": judges.PAGE.title,
        "Differences": rater_differences.PAGE.title,
    }
}
