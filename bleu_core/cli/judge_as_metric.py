"""The option `--judge-as-metric` of `bleu-core correlate`: a judge against the others, beside the metrics."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bleu_core.cli.arguments import Parser
from bleu_core.dataset import Judgments
from bleu_core.fields import Table

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores


def add_judge_as_metric(parser: Parser) -> None:
    """Add the option."""
    parser.add_argument(
        "--judge-as-metric",
        action="store_true",
        help="also compare each judge, and the metrics on the judge's items, with the mean rating of the other judges",
    )


def about_judge_as_metric(
    options: argparse.Namespace, judgments: Judgments, metrics: Sequence[MetricScores], systems: Sequence[str]
) -> tuple[dict[str, Any], list[Table], list[str]]:
    """Return judges against the others, if requested: fields of the report, tables and notes.

    Args:
        options: of the command.
        judgments: the ratings, not adjusted for judges.
        metrics: the compared metrics, BLEU first.
        systems: the compared systems.
    """
    if not options.judge_as_metric:
        return {}, [], []
    from bleu_core.judges import judge_as_metric  # loaded when first needed
    from bleu_core.results.judge_as_metric import (
        compared_table,
        judge_as_metric_note,
        judge_as_metric_report,
        judge_coefficients_table,
    )

    over_systems = options.level == "system"
    comparison = judge_as_metric(
        judgments,
        [metric.select(systems) for metric in metrics],
        method=options.method or ("pearson" if over_systems else "kendall"),
        grouping=options.grouping,
        over_systems=over_systems,
    )
    tables = [compared_table(comparison), judge_coefficients_table(comparison)] if comparison.judges else []
    return (
        {"judge_as_metric": judge_as_metric_report(comparison)},
        tables,
        [judge_as_metric_note(comparison)],
    )
