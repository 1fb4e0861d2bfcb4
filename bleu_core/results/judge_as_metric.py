"""A judge against the others beside the metrics, as tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from bleu_core.agreement import COEFFICIENT, Grouping, TestedMethod
from bleu_core.fields import REASON, Table, field, result, table_of
from bleu_core.judges import MAX_COMPARED_JUDGES, MIN_JUDGED_ITEMS, JudgeAsMetric
from bleu_core.results.judges import judge_names

#: Name of the row of the judges among the metrics.
A_JUDGE = "a judge"


@result
class ComparedWithOthers:
    """A judge, or a metric, compared with the mean of the other judges."""

    name: str = field("text", "Name of the metric; “a judge” for the judges themselves.")
    coefficient: float = field(
        "number",
        "Coefficient of agreement with the mean rating of all judges but one, on the items of that judge; mean over "
        "judges.",
        best="highest",
    )
    lowest: float = field("number", "Lowest coefficient over judges.")
    highest: float = field("number", "Highest coefficient over judges.")
    reason: str = field(REASON, default="")


@result
class JudgeCoefficient:
    """A judge compared with the mean of the others."""

    judge: str = field("text", "Name of the judge.")
    items: int = field("count", "Items that the judge and at least one other rated.")
    coefficient: float = field(COEFFICIENT)
    reason: str = field(REASON, default="")


@result
class JudgeAsMetricReport:
    """A judge among the metrics; with `--judge-as-metric`."""

    method: TestedMethod = field("text", "Coefficient of agreement.")
    level: Literal["system", "segment"] = field("text", "Whether systems or segments are compared.")
    grouping: Grouping = field("text", "Grouping of the segments; none for systems.")
    compared: tuple[ComparedWithOthers, ...] = field(
        "object", "The judges and the metrics against the same ratings, best agreement first."
    )
    judges: tuple[JudgeCoefficient, ...] = field("object", "Each judge's agreement with the mean of the others.")
    left_out: int = field(
        "count",
        f"Judges with fewer than {MIN_JUDGED_ITEMS} items in common with others, or beyond the {MAX_COMPARED_JUDGES} "
        "with the most.",
    )
    reason: str = field(REASON, default="")


def judge_as_metric_report(comparison: JudgeAsMetric) -> JudgeAsMetricReport:
    """Return the JSON of a judge among the metrics."""
    names = judge_names([judge.judge for judge in comparison.judges])
    return JudgeAsMetricReport(
        method=comparison.method,
        level="system" if comparison.over_systems else "segment",
        grouping=comparison.grouping,
        compared=_compared(comparison),
        judges=tuple(
            JudgeCoefficient(judge=name, items=judge.items, coefficient=judge.coefficient, reason=judge.reason)
            for name, judge in zip(names, comparison.judges, strict=True)
        ),
        left_out=comparison.left_out,
        reason=comparison.reason,
    )


def compared_table(comparison: JudgeAsMetric) -> Table:
    """Return a judge and the metrics, compared with the same ratings, best agreement first."""
    return table_of(_compared(comparison), ComparedWithOthers)


def judge_coefficients_table(comparison: JudgeAsMetric) -> Table:
    """Return each judge's agreement with the mean of the others."""
    return table_of(judge_as_metric_report(comparison).judges, JudgeCoefficient)


def judge_as_metric_note(comparison: JudgeAsMetric) -> str:
    """Return sentences that say how the judges and the metrics were compared, or why they were not."""
    count = len(comparison.defined)
    if not count:
        return f"No judge is compared with the others: {comparison.reason or comparison.judges[0].reason}."
    over = "1 judge" if count == 1 else f"the {count} judges"
    left_out = f" ({comparison.left_out} left out)" if comparison.left_out else ""
    return (
        f"A judge and the metrics are compared with the mean rating of all other judges, on the items of that judge; "
        f"coefficients are means over {over}{left_out}. A ranking of metrics uses the ratings of all judges, so that "
        "its coefficients differ; a judge is not tested against metrics."
    )


def _compared(comparison: JudgeAsMetric) -> tuple[ComparedWithOthers, ...]:
    """Return the judges and the metrics, best agreement first; those without a coefficient come last."""
    defined = comparison.defined
    if not defined:
        return ()
    rows = [_row(A_JUDGE, [judge.coefficient for judge in defined])]
    rows += [_row(name, [float(judge.metrics[m]) for judge in defined]) for m, name in enumerate(comparison.names)]
    return tuple(sorted(rows, key=lambda row: 1.0 if math.isnan(row.coefficient) else -row.coefficient))


def _row(name: str, coefficients: Sequence[float]) -> ComparedWithOthers:
    if np.isnan(coefficients).any():
        nan = math.nan
        return ComparedWithOthers(
            name=name, coefficient=nan, lowest=nan, highest=nan, reason="the coefficient is undefined for a judge"
        )
    return ComparedWithOthers(
        name=name,
        coefficient=float(np.mean(coefficients)),
        lowest=min(coefficients),
        highest=max(coefficients),
    )
