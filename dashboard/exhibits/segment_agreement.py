"""The scores of segments beside their ratings, and classes of segments on which they disagree."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.results.agreement import scatter_table
from bleu_core.results.agreement_by_class import classes_table
from dashboard import words
from dashboard.analysis import AgreementByClass, SegmentAgreement
from dashboard.exhibits.declaration import Exhibit
from dashboard.figures import Style, agreement_by_class, scores_and_ratings


def _scatter(found: SegmentAgreement, styles: Mapping[str, Style], *, chosen: int | None = None) -> go.Figure:
    """Draw a point for each segment and system; the one at that position has a ring."""
    return scores_and_ratings(
        found.points,
        found.metric,
        found.systems,
        styles,
        numbers=found.numbers,
        chosen=chosen,
        higher_is_better=found.higher_is_better,
    )


def _scatter_table(found: SegmentAgreement) -> Table:
    return scatter_table(found.points, found.systems, numbers=found.numbers)


def _classes(found: AgreementByClass, _styles: Mapping[str, Style]) -> go.Figure:
    return agreement_by_class(found, axis=words.CLASS_COEFFICIENTS[found.method])


SEGMENT_AGREEMENT = Exhibit(
    name="segment-agreement",
    page="Segment agreement",
    title="Scores and ratings of segments",
    compute=lambda data: data.segment_agreement,
    figure=_scatter,
    table=_scatter_table,
    needs=("judgments",),
    subject="judges",
    key="segments",
)

AGREEMENT_BY_CLASS = Exhibit(
    name="agreement-by-class",
    page="Agreement by class",
    title="Agreement inside and outside classes of segments",
    compute=lambda data: data.agreement_by_class,
    figure=_classes,
    table=classes_table,
    needs=("judgments",),
    subject="judges",
    key="class-agreement",
)
