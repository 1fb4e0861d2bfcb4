"""Figures 3 and 4: rating differences between neighbouring systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.fields import BASELINE, P_VALUE, REASON, SYSTEM, Field, T, Table, bounds, field, inline, result, table_of
from bleu_core.inference import CONFIDENCE
from bleu_core.judges import UNITS, PairedDifference
from bleu_core.paper.judge_groups import GroupDifferences
from bleu_core.paper.printed import MONOLINGUAL, MONOLINGUAL_DIFFERENCES, corresponds
from bleu_core.paper.shared import GROUP_NAME, group_name
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class PublishedDifference:
    """A rating difference that the paper prints."""

    group: str = field(GROUP_NAME)
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    mean_difference: float = field("number", "Mean difference of ratings on a scale from 1 to 5.")


@result
class Row:
    """Rating difference of a pair of systems over one unit."""

    group: str = field(GROUP_NAME)
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    over: str = field("text", "Unit: pairs of ratings by judge and segment, segments, or judges.")
    N: int = field("count", "Units in which both systems were rated.")
    difference: PairedDifference = inline(
        {
            "mean_difference": Field("number", "System minus baseline, in the unit of the ratings."),
            **bounds("number", f"{100 * CONFIDENCE:g}% interval of the mean difference"),
            "t": T,
            "p_value": P_VALUE,
            "reason": REASON,
        }
    )
    published_difference: float | None = field(
        "number", "Value printed in the paper, on a scale from 1 to 5.", default=None
    )


def compute(data: PaperInput) -> StepResult:
    """Return the differences of neighbouring systems, for all judges and by group."""
    groups = data.ratings.differences
    return StepResult(groups, tables=(_table(groups, published=corresponds(data.evaluation.systems)),))


def _table(groups: Sequence[GroupDifferences], *, published: bool) -> Table:
    rows: list[Row] = []
    for group in groups:
        for pair in group.pairs:
            printed = MONOLINGUAL_DIFFERENCES.get((pair.better, pair.worse), math.nan)
            for unit in UNITS:
                difference = pair.by(unit)
                rows.append(
                    Row(
                        group=group_name(group.group),
                        system=pair.better,
                        baseline=pair.worse,
                        over=unit,
                        N=difference.n,
                        difference=difference,
                        published_difference=printed if group.group == MONOLINGUAL and unit == UNITS[0] else math.nan,
                    )
                )
    table = table_of(rows, Row)
    return table if published else table.without("published_difference")


STEP = Step(
    key="figures_3_4",
    heading="Figures 3 and 4: rating differences between neighbours",
    look="How much higher judges rate each system than its neighbour. The paper's interval treats each rating as "
    "an independent observation, but ratings of the same segment or by the same judge are not independent. "
    "The interval by segment applies to other text with the same judges, the interval by judge to other "
    "judges of the same text. They can be wider or narrower than the paper's: shared judges and segments "
    "widen them, and variation common to both systems cancels out.",
    compute=compute,
    numbers=tuple[GroupDifferences, ...],
    published=tuple(
        PublishedDifference(group=MONOLINGUAL, system=better, baseline=worse, mean_difference=value)
        for (better, worse), value in MONOLINGUAL_DIFFERENCES.items()
    ),
    needs_judgments=True,
)
