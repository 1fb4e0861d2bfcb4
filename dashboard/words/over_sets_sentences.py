"""Sentences about systems over several test sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bleu_core.collection import PREDICTION_COVERAGE, AgreementOverSets, ScoresOverSets, SystemOnSet
from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.fields import decimal
from bleu_core.results.significance import MAX_SHOWN_PAIRS
from bleu_core.results.test_sets import NextSet
from bleu_core.scoring import Metric
from dashboard.words.formatting import INTERVAL, p_of, percent, signed

ONE_SET = (
    "This page compares systems over several test sets, and only one is loaded. On the Data page, create another test "
    "set and add its files, or add a folder that has a folder per test set or a manifest (bleu.toml)."
)

#: Maximum number of names in a sentence; further ones are counted.
MAX_NAMED = 5

#: Decimals of averages of agreement.
AGREEMENT_DECIMALS = 3

#: I² from which most of the variation is between test sets.
LARGE_I_SQUARED = 0.5


def sets_left_out(left_out: Mapping[str, str]) -> str:
    """Return which test sets are left out, with the reasons; empty if none is."""
    if not left_out:
        return ""
    reasons = "; ".join(f"{name}: {reason}" for name, reason in list(left_out.items())[:MAX_NAMED])
    more = len(left_out) - MAX_NAMED
    rest = f"; and {more:,} more" if more > 0 else ""
    return f"Left out: {reasons}{rest}."


def what_is_shaded(results: ScoresOverSets, *, differences: bool) -> str:
    """Return what the cells and their colours are."""
    label = results.scored.label
    if differences:
        return (
            f"Each cell is a system's {label} minus that of {results.baseline} on the test set. Blue is better than "
            f"{results.baseline} and orange worse; larger differences are stronger colours."
        )
    return f"Each cell is a system's {label} on the test set. The better the score is there, the stronger is the blue."


def what_the_mean_is(results: ScoresOverSets) -> str:
    """Return over which test sets the mean is taken, and what its tests resample; the reason if there is none."""
    if results.mean_reason:
        return f"There are no mean scores: {results.mean_reason}."
    sets = len(results.common)
    over = (
        f"all {sets:,} test sets"
        if sets == len(results.sets)
        else (f"the {sets:,} of {len(results.sets):,} test sets that all compared systems have")
    )
    return f"Means and ranks are over {over}; each test set counts alike."


def all_segments_together(results: ScoresOverSets) -> str:
    """Return whether there is a score of all segments together, or why there is none."""
    if results.mean_reason:
        return ""
    if results.pooled_reason:
        return f"There is no score over all segments together: {results.pooled_reason}."
    return "The column “all segments” has the score of the segments of these test sets together."


def cell_described(results: ScoresOverSets, cell: SystemOnSet) -> str:
    """Return the score of a system on a test set with its interval, and its difference from the baseline."""
    metric = results.scored.metric
    if math.isnan(cell.score):
        return f"{cell.system} on {cell.test_set}: no score ({cell.reason})."
    interval = ""
    if cell.interval is not None and not math.isnan(cell.interval.low):
        low, high = (decimal(end, metric.decimals) for end in (cell.interval.low, cell.interval.high))
        interval = f" ({INTERVAL} {low} to {high})"
    score = f"{cell.system} on {cell.test_set}: {decimal(cell.score, metric.decimals)} {metric.label}{interval}."
    if cell.delta is None:
        return score
    delta = signed(cell.delta, metric.decimals)
    if cell.p_value is None or math.isnan(cell.p_value) or cell.difference_interval is None:
        return f"{score} The difference from {cell.baseline} is {delta}; it is not tested ({cell.reason})."
    low, high = (signed(end, metric.decimals) for end in (cell.difference_interval.low, cell.difference_interval.high))
    adjusted = math.nan if cell.p_value_adjusted is None else cell.p_value_adjusted
    verdict = "significant" if cell.significant else "not significant"
    return (
        f"{score} The difference from {cell.baseline} is {delta} ({INTERVAL} {low} to {high}; p {p_of(cell.p_value)}, "
        f"corrected p {p_of(adjusted)}): {verdict}."
    )


def pairs_shown(results: ScoresOverSets) -> str:
    """Return which pairs are listed, and what their p-values are corrected for."""
    comparisons = results.comparisons
    if comparisons is None or not comparisons.pairs:
        return ""
    number = len(comparisons.pairs)
    if number <= MAX_SHOWN_PAIRS:
        return f"All {number:,} {plural(number, 'pair')} of systems; p is corrected for {comparisons.family}."
    return (
        f"The pairs of the best system and of neighbours in the ranking. p is corrected for all {number:,} pairs, "
        "since these pairs are chosen by their scores."
    )


def tiers_over_sets(results: ScoresOverSets) -> str:
    """Return what the tiers are, and how many there are."""
    tiers = {row.tier for row in results.systems if row.tier is not None}
    if not tiers:
        return "There are no tiers, since the differences of mean scores are not tested."
    number = len(tiers)
    return (
        f"{number:,} {plural(number, 'tier')} by mean {results.scored.label}: every system of a tier is significantly "
        "better than every system of the tiers below."
    )


def pooled_sentence(row: NextSet, metric: Metric) -> str:
    """Return the pooled difference of two systems with its interval and p."""
    pooled = row.pooled
    sets = f"{pooled.number:,} test {plural(pooled.number, 'set')}"
    if math.isnan(pooled.delta):
        return f"The differences of {row.system} and {row.baseline} cannot be pooled: {pooled.reason}."
    delta = signed(pooled.delta, metric.decimals)
    if math.isnan(pooled.p_value):
        return f"The difference {row.system} minus {row.baseline} is {delta} {metric.label} ({sets}; {pooled.reason})."
    low, high = (signed(end, metric.decimals) for end in (pooled.interval.low, pooled.interval.high))
    return (
        f"Pooled over {sets}, the difference {row.system} minus {row.baseline} is {delta} {metric.label} ({INTERVAL} "
        f"{low} to {high}; p {p_of(pooled.p_value)})."
    )


def heterogeneity(row: NextSet, metric: Metric) -> str:
    """Return whether the difference varies between test sets more than its errors explain; empty if undefined."""
    pooled = row.pooled
    if math.isnan(pooled.q):
        return ""
    numbers = (
        f"Q = {decimal(pooled.q)} with {pooled.degrees_of_freedom} degrees of freedom, p {p_of(pooled.q_p_value)}; "
        f"I² = {percent(pooled.i_squared)}; tau = {decimal(pooled.tau, metric.decimals)} {metric.label}"
    )
    if pooled.i_squared >= LARGE_I_SQUARED:
        return f"Most of the variation between test sets is more than their standard errors explain ({numbers})."
    if pooled.i_squared > 0:
        return f"A part of the variation between test sets is more than their standard errors explain ({numbers})."
    return f"The standard errors of the test sets explain the variation between them ({numbers})."


def best_agreement_over_sets(agreement: AgreementOverSets) -> str:
    """Return which metric agrees best with judges on average."""
    sets = f"{len(agreement.sets):,} test {plural(len(agreement.sets), 'set')}"
    if not agreement.metrics:
        return f"No metric has an agreement with judges on all {sets} with ratings."
    best = agreement.metrics[0]
    average = decimal(best.average, AGREEMENT_DECIMALS)
    return f"{best.metric} agrees best with the judges on average over {sets}: {average}."


def adjusted_over_sets(adjusted: Sequence[str], raw: AgreementOverSets) -> str:
    """Name the test sets whose ratings are adjusted for judges, with the metric that agrees best with raw ones."""
    return f"Ratings of {listed(adjusted)} are adjusted for judges. With raw ratings: {best_agreement_over_sets(raw)}"


def clusters_over_sets(agreement: AgreementOverSets) -> str:
    """Return which metrics are in the first cluster."""
    first = [metric.metric for metric in agreement.metrics if metric.cluster == 1]
    if len(agreement.metrics) < 2:  # noqa: PLR2004 # a pair
        return "No other metric is compared."
    if len(first) == len(agreement.metrics):
        return "No metric agrees significantly better than another one."
    if len(first) == 1:
        return f"All other metrics agree significantly less than {first[0]}."
    return f"In the first cluster, no metric agrees significantly better than another one: {listed(first)}."


def coverage_of_prediction() -> str:
    """Return how often prediction intervals contain the difference on a new test set, in simulations."""
    return (
        "In simulations with 4, 8 and 20 test sets, such intervals contained the difference on a new test set in at "
        f"least {percent(PREDICTION_COVERAGE)} of cases. They hold for test sets like these, with the same kinds of "
        "text and languages."
    )
