"""The pages: one module for each, which exports its PAGE. No number is computed here."""

from collections.abc import Sequence

from dashboard.session import Page
from dashboard.views import blocks, data, human, overview, paper, precision, scores, significance

#: In the order of the navigation; the first opens first.
PAGES: Sequence[Page] = (
    overview.PAGE,
    data.PAGE,
    scores.PAGE,
    precision.PAGE,
    blocks.PAGE,
    significance.PAGE,
    human.PAGE,
    paper.PAGE,
)
