"""Figures 3 and 4: rating differences between neighbouring systems."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.fields import BASELINE, P_VALUE, REASON, SYSTEM, T, Table, field, result, table_of
from bleu_core.judges import UNITS, PairedDifference
from bleu_core.paper.judge_groups import GroupDifferences
from bleu_core.paper.printed import MONOLINGUAL, MONOLINGUAL_DIFFERENCES, corresponds
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import (
    GROUP,
    GROUP_NAME,
    LEFT_OUT,
    NO_JUDGMENTS,
    NO_JUDGMENTS_REASON,
    PUBLISHED,
    RATED,
    group_name,
)


@result
class Difference:
    """The mean difference of ratings over one unit, with its paired t test."""

    n: int = field("count", "Units in which both systems were rated.")
    degrees_of_freedom: int = field("count", "Degrees of freedom of t.")
    mean_difference: float = field("number", "System minus baseline, in the unit of the ratings.")
    standard_deviation: float = field("number", "Standard deviation of the differences, in the unit of the ratings.")
    low: float = field("number", "Lower end of the 95% interval of the mean difference.")
    high: float = field("number", "Upper end of the 95% interval of the mean difference.")
    t: float = field(T)
    p_value: float = field(P_VALUE)
    reason: str = field(REASON, default="")


@result
class PairDifferences:
    """Rating differences of a system and its neighbour."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    by_judge_and_segment: Difference = field(
        "object", "Over all pairs of ratings by the same judge of the same segment, as in the paper."
    )
    by_segment: Difference = field("object", "Over segments.")
    by_judge: Difference = field("object", "Over judges.")


@result
class GroupDifferenceNumbers:
    """Rating differences by a group of judges."""

    group: str | None = field(GROUP)
    judges: int = field("count", "Number of judges.")
    systems: tuple[str, ...] = field("object", "The systems by mean rating of all judges, lowest first.")
    pairs: tuple[PairDifferences, ...] = field("object", "Pairs of neighbouring systems.")


@result
class PublishedDifference:
    """A rating difference that the paper prints."""

    group: str = field(GROUP_NAME)
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    mean_difference: float = field("number", "Mean difference of ratings on a scale from 1 to 5.")


@result
class DifferenceNumbers:
    """The differences in the JSON."""

    published: tuple[PublishedDifference, ...] = field(PUBLISHED)
    computed: tuple[GroupDifferenceNumbers, ...] | None = field(RATED)
    reason: str = field(NO_JUDGMENTS_REASON, default="")


@result
class Row:
    """Rating difference of a pair of systems over one unit."""

    group: str = field(GROUP_NAME)
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    over: str = field("text", "Unit: pairs of ratings by judge and segment, segments, or judges.")
    N: int = field("count", "Units in which both systems were rated.")
    mean_difference: float = field("number", "System minus baseline, in the unit of the ratings.")
    low: float = field("number", "Lower end of the 95% interval of the mean difference.")
    high: float = field("number", "Upper end of the 95% interval of the mean difference.")
    t: float = field(T)
    p_value: float = field(P_VALUE)
    published_difference: float | None = field(
        "number", "Value printed in the paper, on a scale from 1 to 5.", default=None
    )
    reason: str = field(REASON, default="")


def compute(data: PaperInput) -> StepResult:
    """Return the differences of neighbouring systems, for all judges and by group."""
    ratings = data.results.ratings
    published = tuple(
        PublishedDifference(group=MONOLINGUAL, system=better, baseline=worse, mean_difference=value)
        for (better, worse), value in MONOLINGUAL_DIFFERENCES.items()
    )
    if ratings is None:
        return StepResult(DifferenceNumbers(published=published, computed=None, reason=NO_JUDGMENTS), notes=LEFT_OUT)
    groups = ratings.differences
    return StepResult(
        DifferenceNumbers(published=published, computed=tuple(map(_group_numbers, groups))),
        tables=(_table(groups, published=corresponds(data.evaluation.systems)),),
    )


def _group_numbers(group: GroupDifferences) -> GroupDifferenceNumbers:
    return GroupDifferenceNumbers(
        group=group.group,
        judges=group.judges,
        systems=group.systems,
        pairs=tuple(
            PairDifferences(
                system=pair.better,
                baseline=pair.worse,
                by_judge_and_segment=_difference(pair.by_judge_and_segment),
                by_segment=_difference(pair.by_segment),
                by_judge=_difference(pair.by_judge),
            )
            for pair in group.pairs
        ),
    )


def _difference(difference: PairedDifference) -> Difference:
    return Difference(
        n=difference.n,
        degrees_of_freedom=difference.degrees_of_freedom,
        mean_difference=difference.mean,
        standard_deviation=difference.standard_deviation,
        low=difference.interval.low,
        high=difference.interval.high,
        t=difference.t,
        p_value=difference.p_value,
        reason=difference.reason,
    )


def _table(groups: Sequence[GroupDifferences], *, published: bool) -> Table:
    rows: list[Row] = []
    for group in groups:
        for pair in group.pairs:
            printed = MONOLINGUAL_DIFFERENCES.get((pair.better, pair.worse), math.nan)
            for unit in UNITS:
                d = pair.by(unit)
                rows.append(
                    Row(
                        group=group_name(group.group),
                        system=pair.better,
                        baseline=pair.worse,
                        over=unit,
                        N=d.n,
                        mean_difference=d.mean,
                        low=d.interval.low,
                        high=d.interval.high,
                        t=d.t,
                        p_value=d.p_value,
                        published_difference=printed if group.group == MONOLINGUAL and unit == UNITS[0] else math.nan,
                        reason=d.reason,
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
    numbers=DifferenceNumbers,
)
