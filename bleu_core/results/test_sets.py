"""Systems over test sets, as tables, as JSON and as sentences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from bleu_core.collection import (
    AgreementOverSets,
    EvaluatedSet,
    GroupsOverSets,
    PooledDifference,
    ScoresOverSets,
    SetDifference,
    SystemOnSet,
    SystemOverSets,
    differences_over_sets,
    obstructions,
    pool,
)
from bleu_core.dataset import plural
from bleu_core.diagnostics import Finding
from bleu_core.errors import listed
from bleu_core.fields import (
    BASELINE,
    REASON,
    SEGMENTS,
    SYSTEM,
    Joined,
    Table,
    decimal,
    field,
    inline,
    result,
    table_of,
)
from bleu_core.inference import CONFIDENCE, INTERVAL_NAMES, Comparison, Interval
from bleu_core.results.envelope import TOOL, AssessmentReport, assessment_report
from bleu_core.results.headlines import SliceChosen, headline
from bleu_core.results.replicates import ComparedGroups, ReportedGroup, compared_groups, reported_groups
from bleu_core.results.significance import PairResult, comparison_table, correction_clause, pair_results, shown_pairs
from bleu_core.scoring import BleuSettings, Metric, ScoredCorpus
from bleu_core.version import VERSION

#: Marks a score that differs significantly from that of the baseline.
DAGGER = "\N{DAGGER}"

#: Columns of a table of pooled differences; JSON has all values.
POOLED_COLUMNS = (
    *("system", "baseline", "pooled_sets", "delta", "low", "high", "p_value", "i_squared", "tau", "reason"),
    *("prediction_low", "prediction_high", "prediction_reason"),
)

_PERCENT = f"{100 * CONFIDENCE:g}%"


@result
class TestSetSummary:
    """A test set of a collection."""

    __test__ = False  # not a class of tests

    name: str = field("text", "Name of the test set.", label="test set")
    languages: str = field("text", "Language pair, or the target language; empty if it is unknown.")
    segments: int = field(SEGMENTS)
    systems: int = field("count", "Number of systems with an output.")
    references: tuple[str, ...] = field("object", "Names of the references in use.")
    settings: BleuSettings = field("object", "The settings in use.")
    signatures: Mapping[str, str] = field("object", "Signature of the scores by each metric, by its key.")
    assessment: AssessmentReport = field("object", "Whether the results can be compared.", only="json")


@result
class MetricOverSets:
    """A metric of a report over test sets."""

    metric: str = field("text", "Key of the metric, as in --metric.")
    higher_is_better: bool = field("text", "Whether the better system scores higher.")
    common: tuple[str, ...] = field("object", "Test sets that all compared systems have, over which means are taken.")
    family: str = field("text", "Comparisons of mean scores that p-values are corrected for, or none.")
    interval_method: str = field(
        "text", "Method of the intervals of mean differences: percentiles of the joint bootstrap, or Student's t."
    )
    pooled_reason: str | None = field(
        "text",
        "Why there is no score of all segments together, if so.",
        key="no_score_of_all_segments",
        default=None,
    )
    lacking: Mapping[str, str] = field("object", "Test sets without scores by the metric, with the reason.")
    headline: tuple[str, ...] = field("object", "What the scores over all test sets show, in words.")
    reason: str | None = field(REASON, "Why there are no mean scores, if so.", default=None)


@result
class MeanPair:
    """A tested difference of mean scores."""

    metric: str = field("text", "Key of the metric.")
    pair: PairResult = inline(PairResult)


@result
class NextSet:
    """The difference of two systems over all test sets that have both, and what to expect on a new one."""

    metric: str = field("text", "Key of the metric.")
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    pooled: PooledDifference = inline(PooledDifference)


@result
class CollectionReport:
    """The JSON of `bleu-core table`."""

    tool: str = field("text", "Name of the program.", only="json", default=TOOL)
    version: str = field("text", "Version of the program.", only="json", default=VERSION)
    warnings: tuple[str, ...] = field("object", "Warnings about the files and the results.", default=())
    by_adjusted_ratings: object | None = field(
        "object",
        "The same report by ratings adjusted for judges, if judges of a test set are confounded with systems, and "
        "results rest on raw ratings.",
        default=None,
    )
    slice: str | None = field("text", "The expression of the slice of each text that was used, if any.", default=None)
    sets: tuple[TestSetSummary, ...] = field("object", "The test sets.")
    metrics: tuple[MetricOverSets, ...] = field("object", "The metrics, in the order of the call.")
    baseline: str | None = field("text", "System that the others are compared with, if one is named.", default=None)
    corrected_over: str = field(
        "text",
        "Differences from the baseline that p-values in cells are corrected for together: column, those on one test "
        "set by one metric, or table, all of them.",
    )
    resamples: int = field("count", "Number of bootstrap resamples of each test set.")
    seed: int = field("count", "Seed of all draws.")
    alpha: float = field("fraction", "Significance level.")
    cells: tuple[SystemOnSet, ...] = field("object", "Each system on each test set by each metric.")
    systems: tuple[SystemOverSets, ...] = field("object", "The compared systems over all test sets by each metric.")
    pairs: tuple[MeanPair, ...] = field("object", "The tested differences of mean scores, the better system first.")
    next_sets: tuple[NextSet, ...] = field(
        "object",
        "Differences pooled over test sets by random effects, and their predictions for a new test set: of each system "
        "from the baseline or, without one, of the best system from the second.",
    )
    groups: tuple[ReportedGroup, ...] | None = field(
        "object",
        "Mean scores of groups of runs over the test sets that all runs have, if there are groups.",
        default=None,
    )
    group_pairs: tuple[ComparedGroups, ...] | None = field(
        "object", "Tested differences of these means, where runs and segments vary.", default=None
    )
    agreement: AgreementOverSets | None = field(
        "object", "Agreement of the metrics with judges, averaged over test sets (--agreement).", default=None
    )

    @property
    def caption(self) -> str:
        """Caption of the tables."""
        return f"Systems over {len(self.sets):,} test sets."


@result
class _ScoreCells:
    """The score of a system on a test set."""

    score: float = field("points", columns="score_{0}", label="{0}")
    low: float | None = field("points", f"Lower end of the {_PERCENT} interval.", columns="low_{0}", label="{0} low")
    high: float | None = field("points", f"Upper end of the {_PERCENT} interval.", columns="high_{0}", label="{0} high")
    mark: str | None = field("text", columns="mark_{0}", label=DAGGER)


@result
class _DifferenceCells:
    """The difference of a system from the baseline on a test set."""

    delta: float = field("difference", columns="delta_{0}", label="{0}")
    low: float | None = field(
        "difference", f"Lower end of the {_PERCENT} interval.", columns="low_{0}", label="{0} low"
    )
    high: float | None = field(
        "difference", f"Upper end of the {_PERCENT} interval.", columns="high_{0}", label="{0} high"
    )
    mark: str | None = field("text", columns="mark_{0}", label=DAGGER)


@result
class _DifferenceRow:
    """A system over all test sets, and its differences from the baseline."""

    system: str = field(SYSTEM)
    over: SystemOverSets | None = inline(SystemOverSets, "tier", "mean_rank", "first", "sets")
    mean_delta: float = field(
        "difference",
        "Mean score minus that of the baseline, over the test sets that all compared systems have.",
        label="mean difference",
    )
    low: float = field("difference", f"Lower end of the {_PERCENT} interval of the mean difference.")
    high: float = field("difference", f"Upper end of the {_PERCENT} interval of the mean difference.")
    by_set: Mapping[str, _DifferenceCells] = field("object", columns="{}")
    reason: str = field(REASON, default="")


@result
class _SystemRow:
    """A system over all test sets, and on each."""

    system: str = field(SYSTEM)
    over: SystemOverSets | None = inline(
        SystemOverSets, "tier", "mean", "low", "high", "mean_rank", "first", "all_segments", "sets"
    )
    by_set: Mapping[str, _ScoreCells] = field("object", columns="{}")
    reason: str = field(REASON, default="")


def over_sets_table(results: ScoresOverSets, *, intervals: bool = False) -> Table:
    """Return one row per system, the best mean first: its means and ranks, and its score on each test set.

    Systems that are not compared come last. The best value of each column is marked; with a baseline, so are scores
    that differ significantly from it.

    Args:
        results: the systems over test sets by one metric.
        intervals: whether scores on single test sets have their intervals.
    """
    over = {row.system: row for row in results.systems}
    names = [*over, *dict.fromkeys(cell.system for cell in results.cells if cell.system not in over)]
    rows = [
        _SystemRow(
            system=name,
            over=over.get(name),
            by_set={
                test_set: _cells(results.by_set_and_system[test_set, name], intervals=intervals)
                for test_set in results.names
            },
            reason=over[name].reason if name in over else "not compared",
        )
        for name in names
    ]
    return _declared(
        results, table_of(rows, _SystemRow), "score", unranked=[name for name in names if name not in over]
    )


def differences_over_sets_table(results: ScoresOverSets, *, intervals: bool = False) -> Table:
    """Return one row per system, the best mean first: its difference from the baseline on average and on each test set.

    Systems that are not compared come last. The best value of each column is marked; so are differences that are
    significant.

    Args:
        results: the systems over test sets by one metric, with a baseline.
        intervals: whether differences on single test sets have their intervals.
    """
    over = {row.system: row for row in results.systems}
    names = [*over, *dict.fromkeys(cell.system for cell in results.cells if cell.system not in over)]
    rows = [
        _DifferenceRow(
            system=name,
            over=over.get(name),
            mean_delta=delta,
            low=interval.low,
            high=interval.high,
            by_set={
                test_set: _difference_cells(results.by_set_and_system[test_set, name], intervals=intervals)
                for test_set in results.names
            },
            reason=over[name].reason if name in over else "not compared",
        )
        for name in names
        for delta, interval in [mean_difference(results, name)]
    ]
    unranked = [name for name in names if name not in over]
    return _declared(results, table_of(rows, _DifferenceRow), "delta", unranked=unranked)


def mean_difference(results: ScoresOverSets, system: str) -> tuple[float, Interval]:
    """Return the difference of a system's mean score from the baseline's with its interval; NaN where undefined."""
    undefined = Interval(math.nan, math.nan, CONFIDENCE)
    comparisons = results.comparisons
    pair = None if comparisons is None else comparisons.between(system, results.baseline)
    return (math.nan, undefined) if pair is None else (pair.delta, pair.interval)


def _declared(results: ScoresOverSets, table: Table, cell: str, *, unranked: Sequence[str]) -> Table:
    """Return a table of systems over test sets with the declarations that depend on the metric, without empty columns.

    Args:
        results: the systems over test sets.
        table: one row per system.
        cell: the beginning of the names of columns of test sets: score or delta.
        unranked: the systems whose values are never the best.
    """
    metric = results.scored.metric
    table = table.with_unranked(unranked).with_decimals(metric.decimals)
    declared = dict(table.columns)
    what = metric.label if cell == "score" else f"{metric.label} minus that of {results.baseline}"
    not_comparable = {one.test_set for one in results.cells if not one.comparable}
    is_mean_comparable = results.comparisons is None or not results.comparisons.obstacle
    for test_set in results.names:
        name = f"{cell}_{test_set}"
        best = "" if test_set in not_comparable else metric.best
        declared[name] = replace(declared[name], help=f"{what} on {test_set}.", best=best, compact=True)
        for place in ("low", "high"):
            if f"{place}_{test_set}" in declared:
                joined = Joined(column=name, place=place)
                declared[f"{place}_{test_set}"] = replace(declared[f"{place}_{test_set}"], joined=joined)
        mark = f"mark_{test_set}"
        if mark in declared:
            declared[mark] = replace(declared[mark], joined=Joined(column=name, place="superscript"))
    mean = "mean" if cell == "score" else "mean_delta"
    for name, value in _best_over_sets(metric, mean).items():
        if name in declared:
            declared[name] = replace(declared[name], best=value if is_mean_comparable else "", compact=True)
    for place in ("low", "high"):
        if place in declared:
            declared[place] = replace(declared[place], joined=Joined(column=mean, place=place))
    table = table.redeclared(declared)
    empty = [name for place, name in enumerate(table.columns) if all(_is_absent(row[place]) for row in table.rows)]
    return table.without(*(name for name in empty if not name.startswith(f"{cell}_")))


def _difference_cells(cell: SystemOnSet, *, intervals: bool) -> _DifferenceCells:
    bounds = cell.difference_interval if intervals else None
    return _DifferenceCells(
        delta=math.nan if cell.delta is None else cell.delta,
        low=None if bounds is None else bounds.low,
        high=None if bounds is None else bounds.high,
        mark=DAGGER if cell.significant else None,
    )


def _cells(cell: SystemOnSet, *, intervals: bool) -> _ScoreCells:
    bounds = cell.interval if intervals else None
    return _ScoreCells(
        score=cell.score,
        low=None if bounds is None else bounds.low,
        high=None if bounds is None else bounds.high,
        mark=DAGGER if cell.significant else None,
    )


def _is_absent(cell: object) -> bool:
    return cell == "" or (isinstance(cell, float) and math.isnan(cell))


def systems_table(results: ScoresOverSets) -> Table:
    """Return the compared systems over all test sets, the best mean first, without scores on single test sets."""
    metric = results.scored.metric
    table = table_of(results.systems, SystemOverSets).without("metric").ordered("tier").with_decimals(metric.decimals)
    declared = dict(table.columns)
    for name, value in _best_over_sets(metric, "mean").items():
        if name in declared:
            declared[name] = replace(declared[name], best=value)
    obstacle = "" if results.comparisons is None else results.comparisons.obstacle
    return table.redeclared(declared).without_best() if obstacle else table.redeclared(declared)


def _best_over_sets(metric: Metric, mean: str) -> Mapping[str, Literal["highest", "lowest"]]:
    """Return which value is the best one in each column over all test sets; `mean` is the name of that of the means."""
    return {mean: metric.best, "all_segments": metric.best, "mean_rank": "lowest", "first": "highest"}


def differences_table(results: ScoresOverSets) -> Table:
    """Return the differences from the baseline on each test set, one row each."""
    rows = [cell for cell in results.cells if cell.delta is not None]
    return table_of(rows, SystemOnSet).without("metric", "low", "high").with_decimals(results.scored.metric.decimals)


def mean_pairs_table(results: ScoresOverSets, *, all_pairs: bool = False) -> Table | None:
    """Return the differences of mean scores; None if there are none."""
    comparisons = results.comparisons
    if comparisons is None or not comparisons.pairs:
        return None
    return comparison_table(comparisons, None if all_pairs else shown_pairs(comparisons))


def next_sets(results: ScoresOverSets) -> tuple[NextSet, ...]:
    """Return the pooled differences, and predictions, of each system from the baseline, or of the best two systems."""
    comparisons = results.comparisons
    ranked = comparisons.ranked if comparisons is not None else ()
    pairs = (
        [(name, results.baseline) for name in ranked if name != results.baseline]
        if results.baseline
        else [(ranked[0], ranked[1])]
        if len(ranked) > 1
        else []
    )
    return tuple(next_set(results, system, baseline) for system, baseline in pairs)


def next_set(results: ScoresOverSets, system: str, baseline: str) -> NextSet:
    """Return the difference of two systems pooled over test sets, and its prediction for a new one."""
    over = differences_over_sets(results, system, baseline)
    pooled = pool(over.differences, over.errors, names=over.sets)
    return NextSet(metric=results.scored.name, system=system, baseline=baseline, pooled=pooled)


def next_sets_table(rows: Sequence[NextSet], decimals: int) -> Table:
    """Return pooled differences with their heterogeneity and predictions, one row for each pair."""
    table = table_of(rows, NextSet).only(*POOLED_COLUMNS).with_decimals(decimals)
    return table if any(row.pooled.prediction.reason for row in rows) else table.without("prediction_reason")


def set_differences_table(row: NextSet, decimals: int) -> Table:
    """Return the difference on each test set that is pooled, with its weight."""
    return table_of(row.pooled.sets, SetDifference).with_decimals(decimals)


def next_set_sentence(row: NextSet, metric: Metric) -> str:
    """Return a sentence on the difference by a metric to expect on a new test set."""
    prediction, decimals = row.pooled.prediction, metric.decimals
    if prediction.reason:
        return f"There is no prediction for a new test set: {prediction.reason}."
    low, high = (decimal(end, decimals, signed=True) for end in (prediction.interval.low, prediction.interval.high))
    outcome = (
        "either system may score better"
        if prediction.spans_zero
        else f"{row.system if (row.pooled.delta > 0) is metric.higher_is_better else row.baseline} is expected to be "
        "better"
    )
    return (
        f"On a new test set of this kind and size, the difference {row.system} minus {row.baseline} is expected "
        f"between {low} and {high} {metric.label} ({_PERCENT} prediction interval): {outcome}."
    )


@result
class _GroupCells:
    """The scores of a group of runs on a test set."""

    mean: float = field("points", "Mean score of the runs on {0}.", columns="mean_{0}", label="{0}")
    spread: float = field(
        "points", "Standard deviation of the runs' scores on {0}.", columns="sd_{0}", label="{0} SD of runs"
    )


@result
class _GroupRow:
    """A group of runs on each test set."""

    group: str = field("text", "Name of the group, or of a single system.")
    runs: int = field("count", "Number of runs.")
    by_set: Mapping[str, _GroupCells] = field("object", columns="{}")


def groups_by_set_table(groups: GroupsOverSets, metric: Metric) -> Table:
    """Return the mean score of each group on each test set, and the spread of its runs."""
    names = dict.fromkeys((row.group, row.runs) for rows in groups.on_sets.values() for row in rows)
    on_sets = {name: {row.group: row for row in rows} for name, rows in groups.on_sets.items()}
    rows = [
        _GroupRow(
            group=name,
            runs=runs,
            by_set={
                test_set: _GroupCells(mean=own[name].score, spread=own[name].standard_deviation)
                if name in own
                else _GroupCells(mean=math.nan, spread=math.nan)
                for test_set, own in on_sets.items()
            },
        )
        for name, runs in names
    ]
    return table_of(rows, _GroupRow).with_decimals(metric.decimals)


def groups_methods(groups: GroupsOverSets, label: str) -> str:
    """Return how groups of runs were compared over test sets."""
    if groups.comparisons is None:
        return f"groups of runs are not compared by {label}: {groups.reason}"
    return (
        f"Mean {label} over runs and over {len(groups.sets)} test {plural(len(groups.sets), 'set')}, compared by "
        "t-tests in which runs, each on all test sets, and the segments of each set vary (variance by two-way "
        "clustering)."
    )


def sets_table(sets: Sequence[EvaluatedSet]) -> Table:
    """Return the test sets with their sizes."""
    return table_of([_summary(evaluated) for evaluated in sets], TestSetSummary)


def _summary(evaluated: EvaluatedSet) -> TestSetSummary:
    return TestSetSummary(
        name=evaluated.name,
        languages=evaluated.test_set.languages,
        segments=evaluated.evaluation.segments,
        systems=len(evaluated.evaluation.systems),
        references=tuple(evaluated.evaluation.references),
        settings=evaluated.evaluation.settings,
        signatures={key: scored_set.scored.signature for key, scored_set in evaluated.scored.items()},
        assessment=assessment_report(evaluated.assessment),
    )


def collection_report(
    sets: Sequence[EvaluatedSet],
    results: Sequence[ScoresOverSets],
    *,
    seed: int,
    expression: str = "",
    agreement: AgreementOverSets | None = None,
    groups: Sequence[tuple[ScoredCorpus, GroupsOverSets]] = (),
) -> CollectionReport:
    """Return the JSON of systems over test sets.

    Args:
        sets: the test sets.
        results: by one metric each.
        seed: of the draws.
        expression: of the slice; empty for the whole texts.
        agreement: of the metrics with judges, if it was measured.
        groups: each metric with the groups of runs by it, if there are groups.
    """
    compared = [(scored, of_metric.comparisons) for scored, of_metric in groups if of_metric.comparisons is not None]
    return CollectionReport(
        slice=expression or None,
        sets=tuple(map(_summary, sets)),
        metrics=tuple(_reported(of_metric, sets) for of_metric in results),
        baseline=results[0].baseline or None,
        corrected_over=results[0].corrected_over,
        resamples=max(of_metric.resamples for of_metric in results),
        seed=seed,
        alpha=results[0].alpha,
        cells=tuple(cell for of_metric in results for cell in of_metric.cells),
        systems=tuple(row for of_metric in results for row in of_metric.systems),
        pairs=tuple(
            MeanPair(metric=of_metric.scored.name, pair=pair)
            for of_metric in results
            if of_metric.comparisons is not None
            for pair in pair_results(of_metric.comparisons)
        ),
        next_sets=tuple(row for of_metric in results for row in next_sets(of_metric)),
        groups=reported_groups([(scored, each.groups) for scored, each in compared], named=True) if groups else None,
        group_pairs=tuple(pair for scored, each in compared for pair in compared_groups(each, scored.name))
        if groups
        else None,
        agreement=agreement,
    )


def _reported(results: ScoresOverSets, sets: Sequence[EvaluatedSet]) -> MetricOverSets:
    key, comparisons = results.scored.name, results.comparisons
    return MetricOverSets(
        metric=key,
        higher_is_better=results.scored.metric.higher_is_better,
        common=results.common,
        family="none" if comparisons is None else comparisons.corrected_for,
        interval_method=INTERVAL_NAMES[None if comparisons is None else comparisons.method],
        pooled_reason=results.pooled_reason or None,
        lacking={
            evaluated.name: evaluated.reasons.get(key, "no scores by this metric")
            for evaluated in sets
            if key not in evaluated.scored
        },
        headline=headline_over_sets(results, obstructions_over(results, sets)),
        reason=results.mean_reason or None,
    )


def obstructions_over(results: ScoresOverSets, sets: Sequence[EvaluatedSet]) -> Mapping[str, Finding]:
    """Return for each test set on which the compared systems are not comparable the alarm that says why."""
    return obstructions(sets, results.scored.metric, [row.system for row in results.systems])


def obstructed_over(results: ScoresOverSets, alarms: Mapping[str, Finding]) -> ScoresOverSets:
    """Return the results without statements of significance on test sets where systems are not comparable.

    Args:
        results: the systems over test sets by one metric.
        alarms: test set -> the alarm for which its systems are not comparable.
    """
    return results.obstructed(headline_over_sets(results, alarms)[0], alarms) if alarms else results


def headline_over_sets(
    results: ScoresOverSets,
    obstructed: Mapping[str, Finding] = MappingProxyType({}),
    *,
    slice_chosen: SliceChosen | None = None,
) -> tuple[str, ...]:
    """Return sentences on which system is better over all test sets, how sure that is, and on which sets it is not.

    The first ones are those of `headline` on the mean scores.

    Args:
        results: the systems over test sets by one metric.
        obstructed: test set -> the alarm for which its systems are not comparable.
        slice_chosen: as for `headline`.
    """
    comparisons, metric = results.comparisons, results.scored.metric
    alarms = {name: obstructed[name] for name in results.common or results.names if name in obstructed}
    if alarms:
        first = next(iter(alarms))
        where = f"{len(alarms):,} of {len(results.common or results.names):,} test sets"
        what = alarms[first].not_comparable.removeprefix("Not comparable: ")
        return tuple(filter(None, (f"Not comparable on {where}: {first}: {what}", alarms[first].cause)))
    if comparisons is None:
        return (f"There are no mean scores by {metric.label}: {results.mean_reason}.",)
    means = dict(zip(comparisons.systems, comparisons.scores.tolist(), strict=True))
    of_mean = replace(metric, label=f"mean {metric.label}")
    first, *others = headline(means, of_mean, comparisons, slice_chosen=slice_chosen).sentences
    if not first.startswith(comparisons.systems) and first[1:2].islower():
        first = f"{first[0].lower()}{first[1:]}"
    sets = f"{len(results.common):,} test {plural(len(results.common), 'set')}"
    sentences = [f"Over {sets}, {first}", *others]
    second = comparisons.between(*comparisons.ranked[:2]) if len(comparisons.ranked) > 1 else None
    if second is not None:
        sentences += _elsewhere(results, second)
    return tuple(sentences)


def _elsewhere(results: ScoresOverSets, pair: Comparison) -> list[str]:
    """Return a sentence on the test sets where the second system scores better than the leader."""
    higher = results.scored.metric.higher_is_better
    places = results.by_set_and_system
    worse = [
        name
        for name in results.common
        if (places[name, pair.system].score < places[name, pair.baseline].score) is higher
        and places[name, pair.system].score != places[name, pair.baseline].score
    ]
    if not worse or len(results.common) == 1:
        return []
    return [f"{pair.baseline} scores better on {listed(worse, max_items=5)}."]


def missing_cells_notes(results: ScoresOverSets) -> tuple[str, ...]:
    """Return sentences on systems that lack test sets, and on the sets over which means are taken."""
    missing_cells = results.missing_cells
    if not missing_cells:
        return ()
    missing = "; ".join(f"{system}: {listed(names, max_items=5)}" for system, names in list(missing_cells.items())[:10])
    more = f"; and {len(missing_cells) - 10} more systems" if len(missing_cells) > 10 else ""  # noqa: PLR2004 # as above
    notes = [f"no score by {results.scored.label}: {missing}{more}"]
    if results.common and len(results.common) < len(results.sets):
        notes.append(
            f"means and ranks are over the {len(results.common)} of {len(results.sets)} test sets that all compared "
            f"systems have: {listed(results.common, max_items=10)}"
        )
    return tuple(notes)


def methods_over_sets(results: ScoresOverSets) -> str:
    """Return sentences on how means were compared, for the methods section of a paper."""
    comparisons, label = results.comparisons, results.scored.label
    if comparisons is None or comparisons.method is None:
        return f"Mean {label} over test sets without tests (bleu-dashboard {VERSION})."
    how = (
        f"the joint bootstrap ({comparisons.resamples:,} resamples of the segments of each test set, the same for all "
        f"systems, seed {comparisons.seed}; two-sided p-values of the centred differences)"
        if comparisons.method == "percentile"
        else "the jackknife over the segments of each test set (two-sided p-values of Student's t with Satterthwaite's "
        "degrees of freedom)"
    )
    correction = correction_clause(comparisons, len(comparisons.pairs))
    return (
        f"Mean {label} over {len(results.common)} test sets with equal weights, compared by {how}{correction}, at a "
        f"significance level of {comparisons.alpha:g} (bleu-dashboard {VERSION})."
    )


def dagger_note(results: ScoresOverSets) -> str:
    """Return what the dagger means; empty without a baseline."""
    if not results.baseline:
        return ""
    family = "each test set" if results.corrected_over == "column" else "the whole table"
    return (
        f"{DAGGER} significantly different from {results.baseline} (p < {results.alpha:g}, corrected for the "
        f"differences of {family} by Holm's method)"
    )
