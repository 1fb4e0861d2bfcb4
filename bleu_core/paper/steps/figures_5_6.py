"""Figures 5 and 6: mean ratings by BLEU for each group of judges, with the regression line."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.fields import P_VALUE, REASON, Table, field, result, table_of
from bleu_core.paper.judge_groups import GroupAgreement
from bleu_core.paper.printed import CORRELATIONS, corresponds
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import (
    GROUP,
    GROUP_NAME,
    LEFT_OUT,
    NO_JUDGMENTS,
    NO_JUDGMENTS_REASON,
    POINTS,
    PUBLISHED,
    RATED,
    AgreementNumbers,
    agreement_numbers,
    group_name,
)


@result
class GroupAgreementNumbers:
    """Agreement of BLEU with the mean ratings of a group."""

    group: str | None = field(GROUP)
    all_systems: AgreementNumbers = field("object", "All systems.")
    machines_only: AgreementNumbers | None = field(
        "object", "Without the human translators; null if none is named.", null=True
    )


@result
class PublishedCorrelation:
    """A correlation that the paper prints."""

    group: str = field(GROUP_NAME)
    r: float = field("number", "Pearson's correlation.")


@result
class RegressionNumbers:
    """Agreement of BLEU with mean ratings in the JSON."""

    published: tuple[PublishedCorrelation, ...] = field(PUBLISHED)
    computed: tuple[GroupAgreementNumbers, ...] | None = field(RATED)
    reason: str = field(NO_JUDGMENTS_REASON, default="")


@result
class Row:
    """Correlation and regression line of a group."""

    group: str = field(GROUP_NAME)
    systems: int = field("count", "Systems that have BLEU and ratings.")
    r: float = field("number", "Pearson's r of BLEU and the mean ratings.")
    low: float = field("number", "Lower end of the 95% interval of r.")
    high: float = field("number", "Upper end of the 95% interval of r.")
    p_value: float = field(P_VALUE)
    slope: float = field("number", "Increase of the rating as BLEU rises from 0 to 1.")
    intercept: float = field("number", "Rating at BLEU 0.")
    published_r: float | None = field("number", "Correlation printed in the paper.", default=None)
    reason: str = field(REASON, default="")


def compute(data: PaperInput) -> StepResult:
    """Return correlations and lines for all judges and by group; as in the paper, figures are by group."""
    results = data.results
    published = tuple(PublishedCorrelation(group=group, r=r) for group, r in CORRELATIONS.items())
    if results.ratings is None:
        return StepResult(RegressionNumbers(published=published, computed=None, reason=NO_JUDGMENTS), notes=LEFT_OUT)
    groups = results.ratings.agreements
    computed = tuple(
        GroupAgreementNumbers(
            group=agreement.group,
            all_systems=agreement_numbers(agreement.everyone),
            machines_only=None if agreement.machines is None else agreement_numbers(agreement.machines),
        )
        for agreement in groups
    )
    return StepResult(
        RegressionNumbers(published=published, computed=computed),
        tables=(_table(groups, published=corresponds(data.evaluation.systems)),),
    )


def _table(groups: Sequence[GroupAgreement], *, published: bool) -> Table:
    rows: list[Row] = []
    for group in groups:
        named_agreements = [(group_name(group.group), group.everyone)]
        named_agreements += [(f"{group_name(group.group)}, machines only", group.machines)] if group.machines else []
        for name, agreement in named_agreements:
            r, line = agreement.pearson, agreement.regression
            rows.append(
                Row(
                    group=name,
                    systems=r.pairs,
                    r=r.coefficient,
                    low=r.interval.low,
                    high=r.interval.high,
                    p_value=r.p_value,
                    slope=line.slope * POINTS,
                    intercept=line.intercept,
                    published_r=CORRELATIONS.get(name, math.nan) if published else None,
                    reason=r.reason,
                )
            )
    return table_of(rows, Row)


STEP = Step(
    key="figures_5_6",
    heading="Figures 5 and 6: mean rating and BLEU",
    look="How closely each group's mean ratings follow BLEU.",
    compute=compute,
    numbers=RegressionNumbers,
)
