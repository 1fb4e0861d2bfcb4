"""Agreement of metrics with judges over several test sets, as tables, sentences and JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bleu_core.collection import (
    AgreementOverSets,
    AveragedMetric,
    AveragePair,
    LeftOutSet,
    SetAgreement,
)
from bleu_core.dataset import plural
from bleu_core.fields import REASON, Table, derived, field, fields_of, inline, result, table_of
from bleu_core.results.envelope import TOOL, rating_notes
from bleu_core.results.significance import CORRECTION_NAMES
from bleu_core.version import VERSION

_METRIC = fields_of(AveragedMetric)


@result
class AgreementOverSetsReport:
    """Metrics ranked by their average agreement with judges over test sets, as JSON."""

    tool: str = field("text", "Name of the program.", only="json", default=TOOL)
    version: str = field("text", "Version of the program.", only="json", default=VERSION)
    warnings: tuple[str, ...] = field("object", "Warnings about the ratings, and what is left out.", default=())
    agreement: AgreementOverSets = inline(AgreementOverSets)

    @derived("text", "Sentences for the methods section of a paper.")
    def methods(self) -> str:
        """Sentences for the methods section of a paper."""
        return agreement_over_sets_methods(self.agreement)


@result
class _OnSet:
    """The agreement of a metric on one test set, in columns of that set."""

    soft_pairwise_accuracy: float = field(
        "number",
        "Soft pairwise accuracy on {0}: 1 minus the mean difference between the p-values of the metric and of the "
        "ratings.",
        columns="soft_pairwise_accuracy_{0}",
        label="{0} SPA",
        best="highest",
    )
    calibrated_accuracy: float = field(
        "number",
        "Tie-calibrated accuracy on {0}: fraction of pairs of translations of a segment that the metric and the judges "
        "order the same way; a tie agrees with a tie.",
        columns="calibrated_accuracy_{0}",
        label="{0} acc_eq",
        best="highest",
    )


@result
class _Row:
    """A metric with its average and its agreement on each test set."""

    metric: str = field(_METRIC["metric"])
    average: float = field(_METRIC["average"])
    rank: float = field(_METRIC["rank"])
    cluster: float = field(_METRIC["cluster"])
    system_average: float | None = field(_METRIC["system_average"], default=None)
    segment_average: float | None = field(_METRIC["segment_average"], default=None)
    sets: Mapping[str, _OnSet] = field("object", columns="{0}")
    reason: str = field(REASON, "Why the metric is left out of the average.", default="")


def agreement_over_sets_report(agreement: AgreementOverSets) -> AgreementOverSetsReport:
    """Return the JSON report of the agreement, whose warnings are the notes on it."""
    return AgreementOverSetsReport(agreement=agreement, warnings=tuple(agreement_over_sets_notes(agreement)))


def agreement_over_sets_table(agreement: AgreementOverSets) -> Table:
    """Return a row per metric: average, rank, cluster and the agreement on each test set; the best average first.

    Metrics that are left out of the average come last, with the reason.
    """
    rows = [
        _Row(
            metric=metric.metric,
            average=metric.average,
            rank=metric.rank,
            cluster=metric.cluster,
            system_average=metric.system_average,
            segment_average=metric.segment_average,
            sets=_on_sets(metric.sets),
        )
        for metric in agreement.metrics
    ]
    rows += [
        _Row(
            metric=metric.metric,
            average=math.nan,
            rank=math.nan,
            cluster=math.nan,
            sets=_on_sets(metric.sets),
            reason=metric.reason,
        )
        for metric in agreement.left_out_metrics
    ]
    return table_of(rows, _Row)


def average_pairs_table(agreement: AgreementOverSets) -> Table:
    """Return the difference of averages and p of each pair of metrics, the better average first."""
    return table_of(agreement.pairs, AveragePair)


def left_out_sets_table(agreement: AgreementOverSets) -> Table:
    """Return the test sets that are left out, with the reason."""
    return table_of(agreement.left_out_sets, LeftOutSet)


def agreement_over_sets_notes(agreement: AgreementOverSets) -> list[str]:
    """Return sentences on test sets and metrics that are left out, and on test sets with few rated segments."""
    notes = [f"Test set {each.test_set} is left out: {each.reason}." for each in agreement.left_out_sets]
    notes += [
        f"{each.metric} is left out of the average over test sets: {each.reason}."
        for each in agreement.left_out_metrics
    ]
    notes += [f"{each.test_set}: {note}" for each in agreement.sets for note in rating_notes(each.rated)]
    return notes


def agreement_over_sets_methods(agreement: AgreementOverSets) -> str:
    """Return sentences for the methods section of a paper."""
    statistics = {
        "system": "soft pairwise accuracy of systems (Thompson et al., 2024)",
        "segment": "tie-calibrated pairwise accuracy of segments, acc_eq (Deutsch et al., 2023)",
    }
    sets = len(agreement.sets)
    first = (
        f"The agreement of metrics with judges is {' and '.join(statistics[level] for level in agreement.levels)}, "
        f"averaged over {sets} test {plural(sets, 'set')} with equal weights, as in the WMT24 metrics shared task "
        "(Freitag et al., 2024)."
    )
    sentences = [first]
    if agreement.pairs:
        side = "two-sided" if agreement.alternative == "two-sided" else "one-sided"
        corrected = (
            f"{len(agreement.pairs):,} {plural(len(agreement.pairs), 'pair')}, with p-values corrected by "
            f"{CORRECTION_NAMES[agreement.correction]}"
        )
        sentences.append(
            f"Averages are compared by {side} permutation tests (PERM-BOTH; Deutsch et al., 2021) with "
            f"{agreement.trials:,} permutations for {corrected}; clusters are formed at the "
            f"{100 * agreement.alpha:g}% level."
        )
    return " ".join(sentences)


def _on_sets(sets: tuple[SetAgreement, ...]) -> Mapping[str, _OnSet]:
    return {
        each.test_set: _OnSet(
            soft_pairwise_accuracy=each.soft_pairwise_accuracy, calibrated_accuracy=each.calibrated_accuracy
        )
        for each in sets
    }
