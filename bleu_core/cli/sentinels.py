"""The sentinel among the metrics of `bleu-core correlate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores
    from bleu_core.results.agreement import SegmentLevelReport, SystemLevelReport


def without_sentinel(metrics: Sequence[MetricScores], level: str) -> tuple[list[MetricScores], str]:
    """Return the metrics that are compared on a level, and why the sentinel is left out; empty if it is not."""
    from bleu_core.agreement import NOT_OVER_SYSTEMS, SENTINELS  # loaded when first needed

    sentinel = next((metric.name for metric in metrics if metric.name in SENTINELS), None)
    if sentinel is None or level == "segment":
        return list(metrics), ""
    others = [metric for metric in metrics if metric.name not in SENTINELS]
    return others, f"left out: {sentinel}: {NOT_OVER_SYSTEMS}"


def about_sentinel(content: SystemLevelReport | SegmentLevelReport, left_out: str) -> tuple[dict[str, Any], list[str]]:
    """Return what a ranking says about the sentinel: fields of the report, and notes.

    Args:
        content: the report with the ranking, if there is one.
        left_out: why the sentinel is left out; empty if it is not.
    """
    from bleu_core.agreement import sentinel_sentence  # loaded when first needed

    ranking = content.ranking
    sentence = left_out or ("" if ranking is None else sentinel_sentence(ranking.ranking))
    return ({"sentinel": sentence}, [sentence]) if sentence else ({}, [])
