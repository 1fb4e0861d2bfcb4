"""Groups of runs, and comparisons of groups, as tables, as JSON and as sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from bleu_core.collection import GroupComparison, GroupComparisons, GroupScores
from bleu_core.errors import enumeration
from bleu_core.fields import SYSTEM, Table, decimal, field, inline, result, table_of
from bleu_core.inference import CONFIDENCE, STUDENT, Correction
from bleu_core.results.envelope import Envelope, ReportedMetric, envelope_fields, reported_metrics
from bleu_core.results.headlines import P_NAMES
from bleu_core.results.scores import Scores
from bleu_core.results.significance import correction_clause, text_of, units_of, verdict_in_words
from bleu_core.results.table import format_p
from bleu_core.scoring import BleuEvaluation, CorpusScores, ScoredCorpus
from bleu_core.version import VERSION

#: The test of groups, in JSON.
TEST = "two-way clustering"

NULL_HYPOTHESIS = "over all runs and all texts of this kind, the expected difference is zero"

#: Maximum number of pairs that are described by a sentence each.
MAX_SENTENCES = 3


@result
class ReportedGroup:
    """A group of runs with its scores by a metric."""

    metric: str | None = field("text", "Key of the metric, with several metrics.", default=None)
    scores: GroupScores = inline(GroupScores)


@result
class ComparedGroups:
    """The comparison of two groups, with its family and its verdict."""

    metric: str | None = field("text", "Key of the metric, with several metrics.", default=None)
    comparison: GroupComparison = inline(GroupComparison)
    family: str = field("text", "Comparisons that p is corrected for, or none.", label="corrected for")
    verdict: str = field(
        "text",
        "Better or worse if the corrected p is below the significance level, otherwise not significant; not tested "
        "without a p-value.",
    )


@result
class _RunRow:
    """A run of a group, in a table."""

    group: str = field("text", "Name of the group.")
    system: str = field(SYSTEM, label="run")
    score: float = field("points", "Corpus score of the run.")


@result
class GroupsReport(Envelope):
    """The JSON of `bleu-core compare --group`."""

    test: Literal["two-way clustering"] = field("text", "Test that was used.", default=TEST)
    interval_method: str = field("text", "Method of the intervals.", default=STUDENT)
    unit: str = field("text", "Unit that varies beside runs: segment, document or bundle of segments.")
    units: int = field("count", "Number of units.")
    correction: Correction = field("text", "Correction of p-values for the comparisons of the family.")
    family: str = field("text", "Comparisons that p-values are corrected for, or none.")
    alpha: float = field("fraction", "Significance level.")
    null_hypothesis: str = field("text", "Null hypothesis of the test.", default=NULL_HYPOTHESIS)
    metrics: tuple[ReportedMetric, ...] = field("object", "The metrics, in the order of the call.")
    groups: tuple[ReportedGroup, ...] = field("object", "The groups, and the systems that are in none.")
    pairs: tuple[ComparedGroups, ...] = field("object", "The compared pairs of groups.")
    methods: str = field("text", "Sentences for the methods section of a paper.")


@result
class ScoresOfGroups(Scores):
    """The JSON of `bleu-core score --group`."""

    groups: tuple[ReportedGroup, ...] = field("object", "The groups of runs, with --group.")


def group_table(groups: Sequence[GroupScores], metric: ScoredCorpus, *, several: bool = False) -> Table:
    """Return the mean score and the spread of each group.

    Args:
        groups: the groups.
        metric: of their scores.
        several: whether the table is one of several metrics, so that it names its metric.
    """
    rows = [ReportedGroup(metric=metric.label if several else None, scores=group) for group in groups]
    return table_of(rows, ReportedGroup).with_decimals(metric.metric.decimals)


def run_table(groups: Sequence[GroupScores], metric: ScoredCorpus) -> Table:
    """Return each run of the groups that have several."""
    rows = [
        _RunRow(group=group.group, system=run.system, score=run.score)
        for group in groups
        if group.runs > 1
        for run in group.systems
    ]
    return table_of(rows, _RunRow).with_decimals(metric.metric.decimals)


def group_comparison_table(comparisons: GroupComparisons) -> Table:
    """Return the compared pairs of groups with their tests."""
    return table_of(compared_groups(comparisons), ComparedGroups).with_decimals(comparisons.decimals)


def scores_of_groups(report: Scores, groups: Sequence[tuple[ScoredCorpus, Sequence[GroupScores]]]) -> ScoresOfGroups:
    """Return the JSON report of `bleu-core score` with the groups by each metric."""
    return ScoresOfGroups(**vars(report), groups=reported_groups(groups))


def groups_report(
    compared: Sequence[tuple[ScoredCorpus, GroupComparisons]], evaluation: BleuEvaluation | CorpusScores
) -> GroupsReport:
    """Return the JSON report of `bleu-core compare --group`.

    Args:
        compared: each metric with the comparisons by it; at least one.
        evaluation: the evaluation of the text.
    """
    metrics = [metric for metric, _ in compared]
    first = compared[0][1]
    return GroupsReport(
        **envelope_fields(evaluation, metrics[0]),
        unit=first.unit,
        units=first.units,
        correction=first.correction,
        family=first.corrected_for,
        alpha=first.alpha,
        metrics=reported_metrics(metrics),
        groups=reported_groups([(metric, comparisons.groups) for metric, comparisons in compared]),
        pairs=tuple(
            pair
            for metric, comparisons in compared
            for pair in compared_groups(comparisons, metric.name if len(compared) > 1 else None)
        ),
        methods=group_methods(compared, evaluation),
    )


def group_methods(
    compared: Sequence[tuple[ScoredCorpus, GroupComparisons]], evaluation: BleuEvaluation | CorpusScores
) -> str:
    """Return sentences for the methods section of a paper; the arguments are those of `groups_report`."""
    comparisons = compared[0][1]
    metrics = enumeration([f"{metric.label} ({metric.signature})" for metric, _ in compared])
    paired = {pair.runs_paired for pair in comparisons.pairs if min(pair.runs, pair.baseline_runs) > 1}
    if len(paired) > 1:
        runs = ", paired by seed where groups share their seeds"
    else:
        runs = "".join(", paired by seed" if is_paired else ", not paired" for is_paired in paired)
    sentence = (
        f"Mean scores over runs were compared by {metrics} on {text_of(comparisons, evaluation)}, using t-tests in "
        f"which runs{runs}, and {units_of(comparisons)}, paired, both vary (variance by two-way clustering: Cameron, "
        "Gelbach and Miller, 2011; degrees of freedom: Satterthwaite, 1946, and with few runs those of the weighted "
        "critical value: Cochran and Cox, 1957; two-sided p-values)"
        f"{correction_clause(comparisons, len(comparisons.pairs))}"
    )
    return (
        f"{sentence}, at a significance level of {comparisons.alpha:g}. The {100 * CONFIDENCE:g} percent intervals are "
        f"those of the same t (bleu-dashboard {VERSION})."
    )


def group_sentences(comparisons: GroupComparisons, metric: ScoredCorpus) -> list[str]:
    """Return what the comparisons support: a sentence for each pair, or for many pairs their number.

    If the systems are not comparable, the only sentence says so.
    """
    if comparisons.obstacle:
        return [comparisons.obstacle]
    if len(comparisons.pairs) <= MAX_SENTENCES:
        return [_sentence(comparisons, pair, metric) for pair in comparisons.pairs]
    found = sum(1 for pair in comparisons.pairs if comparisons.verdict(pair))
    verb = "is" if found == 1 else "are"
    differences = f"{found} of {len(comparisons.pairs)} differences in {metric.label} {verb} significant"
    return [f"{differences}, where runs and {comparisons.unit}s vary."]


def _sentence(comparisons: GroupComparisons, pair: GroupComparison, metric: ScoredCorpus) -> str:
    """Return what the comparison of two groups supports."""
    between = f"{pair.system} and {pair.baseline}"
    if math.isnan(pair.p_value):
        return f"The difference between {between} is not tested: {pair.reason}."
    decimals = comparisons.decimals
    delta = f"{decimal(pair.delta, decimals)} {metric.label}"
    evidence = f"{P_NAMES[comparisons.correction] if len(comparisons.pairs) > 1 else 'p'} = "
    p_value = format_p(pair.p_value_adjusted)
    evidence = f"{evidence}{p_value}" if p_value[0].isdigit() else f"{evidence.removesuffix('= ')}{p_value}"
    if not math.isnan(pair.interval.low):
        low, high = (decimal(end, decimals) for end in (pair.interval.low, pair.interval.high))
        evidence = f"{100 * CONFIDENCE:g}% interval {low} to {high}; {evidence}"
    vary = f"where {pair.varies} vary"
    if not comparisons.verdict(pair):
        return f"The difference between {between} is not significant, {vary}: {delta} ({evidence})."
    height = "higher" if pair.delta > 0 else "lower"
    return (
        f"{pair.system} scores significantly {height} than {pair.baseline}, {vary}: the difference is {delta} "
        f"({evidence})."
    )


def reported_groups(
    groups: Sequence[tuple[ScoredCorpus, Sequence[GroupScores]]], *, named: bool | None = None
) -> tuple[ReportedGroup, ...]:
    """Return the groups by each metric.

    Args:
        groups: each metric with the groups.
        named: whether the metric is named; if None, it is if there are several.
    """
    several = len(groups) > 1 if named is None else named
    return tuple(
        ReportedGroup(metric=metric.name if several else None, scores=scores)
        for metric, of_metric in groups
        for scores in of_metric
    )


def compared_groups(comparisons: GroupComparisons, metric: str | None = None) -> tuple[ComparedGroups, ...]:
    """Return the compared pairs of groups, with the key of their metric if it is given."""
    return tuple(
        ComparedGroups(
            metric=metric,
            comparison=pair,
            family=comparisons.corrected_for,
            verdict=verdict_in_words(comparisons.verdict(pair), pair.p_value, comparisons.obstacle),
        )
        for pair in comparisons.pairs
    )
