"""Figures 5 and 6: mean ratings by BLEU for each group of judges, with the regression line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.fields import Table, field, inline, result, rows_of, table_of
from bleu_core.paper.judge_groups import GroupAgreement, PearsonRow
from bleu_core.paper.printed import CORRELATIONS, corresponds
from bleu_core.paper.shared import GROUP_NAME, POINTS, group_name
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class PublishedCorrelation:
    """A correlation that the paper prints."""

    group: str = field(GROUP_NAME)
    r: float = field("number", "Pearson's correlation.")


@result
class Row:
    """Correlation and regression line of a group."""

    group: str = field(GROUP_NAME)
    pearson: PearsonRow = inline(PearsonRow)
    slope: float = field("number", "Increase of the rating as BLEU rises from 0 to 1.")
    intercept: float = field("number", "Rating at BLEU 0.")
    published_r: float | None = field("number", "Correlation printed in the paper.", default=None)


def compute(data: PaperInput) -> StepResult:
    """Return correlations and lines for all judges and by group; as in the paper, figures are by group."""
    groups = data.ratings.agreements
    return StepResult(groups, tables=(_table(groups, published=corresponds(data.evaluation.systems)),))


def _table(groups: Sequence[GroupAgreement], *, published: bool) -> Table:
    named_agreements = [
        (f"{group_name(group.group)}{suffix}", agreement)
        for group in groups
        for suffix, agreement in (("", group.everyone), (", machines only", group.machines))
        if agreement is not None
    ]
    rows = [
        Row(
            group=name,
            pearson=PearsonRow.of(agreement),
            slope=agreement.regression.slope * POINTS,
            intercept=agreement.regression.intercept,
            published_r=CORRELATIONS.get(name, math.nan) if published else None,
        )
        for name, agreement in named_agreements
    ]
    return table_of(rows, Row)


STEP = Step(
    key="figures_5_6",
    heading="Figures 5 and 6: mean rating and BLEU",
    look="How closely each group's mean ratings follow BLEU.",
    compute=compute,
    numbers=tuple[GroupAgreement, ...],
    published=rows_of(PublishedCorrelation, group=CORRELATIONS, r=CORRELATIONS.values()),
    needs_judgments=True,
)
