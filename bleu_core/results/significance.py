"""Comparisons of systems, as tables, as JSON and as sentences to quote."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal
from xml.etree import ElementTree as ET

import numpy as np

from bleu_core.argument_types import refuse_texts
from bleu_core.dataset import plural
from bleu_core.diagnostics import Finding
from bleu_core.fields import (
    REASON,
    SEGMENTS,
    SYSTEM,
    Field,
    Table,
    bounds,
    decimal,
    field,
    inline,
    result,
    table_of,
)
from bleu_core.inference import (
    CONFIDENCE,
    INTERVAL_NAMES,
    MIN_EXTREME_DRAWS,
    STUDENT,
    Blocks,
    BlockSizes,
    BlockSizeTest,
    Comparison,
    Comparisons,
    Correction,
    Design,
    Gate,
    Interval,
    Test,
    TextNeeded,
    systems_beaten,
    tiers,
)
from bleu_core.results.envelope import Envelope, ReportedMetric, envelope_fields, reported_metrics
from bleu_core.results.headlines import Headline
from bleu_core.results.reversal import ReversalResult, reversal_methods
from bleu_core.results.scores import SCORE
from bleu_core.results.table import DECIMALS
from bleu_core.scoring import BleuEvaluation, CorpusScores, ScoredCorpus
from bleu_core.version import VERSION

VERDICTS = {1: "better", 0: "not significant", -1: "worse"}
NOT_TESTED, NOT_COMPARABLE = "not tested", "not comparable"

TEST_NAMES: dict[Test, str] = {
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomisation",
    "t": "paired t",
    "sacrebleu-bootstrap": "paired bootstrap, sacreBLEU's rule",
}
CORRECTION_NAMES: dict[Correction, str] = {
    "holm": "Holm's method",
    "benjamini-hochberg": "the method of Benjamini and Hochberg",
    "none": "no method",
}

#: The beginning of the line of the gate.
PASS, FAIL = "pass: ", "fail: "

#: The expected width of the interval is drawn for up to this multiple of the test set's size.
MAX_EXTRAPOLATION = 10


#: Maximum number of pairs of a family that are all shown; of a larger one, only pairs of the leader and of neighbours.
MAX_SHOWN_PAIRS = 300


_BOUND = f"{100 * CONFIDENCE:g}% interval of the difference"


@result
class ScoredSystem:
    """A system and its corpus score."""

    system: str = field(SYSTEM)
    score: float = field(SCORE)
    reason: str = field(REASON, default="")


@result
class TierRow:
    """A system in its tier."""

    tier: int = field(
        "count",
        "Tier of the system; 1 is the best. Every system is significantly better than all systems in lower tiers.",
    )
    system: str = field(SYSTEM)
    score: float = field(SCORE)
    beats: int = field("count", "Number of other systems that the system is significantly better than.")
    interval: Interval | None = inline(bounds("points", f"{100 * CONFIDENCE:g}% interval"), default=None)


@result
class PairResult:
    """The tested difference between two systems, with its family and its verdict."""

    comparison: Comparison = inline(Comparison)
    family: str = field("text", "Comparisons that p is corrected for, or none.", label="corrected for")
    verdict: str = field(
        "text",
        "Better or worse if the corrected p is below the significance level, otherwise not significant; not tested "
        "without a p-value.",
    )


@result
class _PartOfText:
    """A part of the segments, as the beginning of a row."""

    part: str = field("text", "Segments that are compared.", label="segments")


@result
class _TierOfSystems:
    """The tiers of two systems, as the end of a row."""

    system_tier: int | None = field("count", "Tier of the system among all systems.", default=None)
    baseline_tier: int | None = field("count", "Tier of the baseline among all systems.", default=None)


@result
class ComparedSystem:
    """A system of `bleu-core compare`."""

    system: str = field(SYSTEM)
    score: float | None = field(SCORE, default=None)
    scores: Mapping[str, float] = field("points", "Score by each metric, by its key.", only="json")
    reason: str = field(REASON, default="")


@result
class ComparedMetric(ReportedMetric):
    """A metric of `bleu-core compare`."""

    tiers: tuple[tuple[str, ...], ...] | None = field(
        "object",
        "Systems by tier, best first, with several metrics and all pairs; absent if no pair has a p-value.",
        default=None,
    )
    headline: Headline | None = field(
        "object", "What the data support by this metric, in words, with several metrics.", default=None
    )


@result
class DisagreeingMetrics:
    """Two systems of which each is significantly better than the other by some metrics."""

    system: str = field("text", "System that is significantly better by the metrics.")
    baseline: str = field("text", "System that is significantly better by the others.")
    metrics: tuple[str, ...] = field("object", "Keys of metrics by which the system is better.")
    others: tuple[str, ...] = field("object", "Keys of metrics by which the baseline is better.")


@result
class ComparedPair(PairResult):
    """A pair of `bleu-core compare`."""

    metric: str | None = field("text", "Key of the metric, with several metrics.", default=None)
    reversal: ReversalResult | None = field(
        "object", "The smallest set found of segments without which the order is reversed (--reversal).", default=None
    )


@result
class ComparisonReport(Envelope):
    """The JSON of `bleu-core compare`."""

    headline: Headline | None = field("object", "What the data support, in words.", default=None)
    test: Test = field("text", "Test that was used.")
    seed: int = field("count", "Seed of all draws.")
    blocks: int | None = field("count", "Number of blocks of the paired t.", default=None)
    trials: int | None = field("count", "Number of trials of approximate randomisation.", default=None)
    resamples: int | None = field(
        "count",
        "Number of bootstrap resamples; absent if there are none: with few units, the jackknife is used.",
        default=None,
    )
    interval_method: str = field("text", "Method of the intervals: percentiles of the bootstrap, or Student's t.")
    unit: str = field("text", "Unit that is resampled or averaged: segment, document, block or bundle of segments.")
    units: int = field("count", "Number of units.")
    correction: Correction = field("text", "Correction of p-values for the comparisons of the family.")
    family: str = field("text", "Comparisons that p-values are corrected for, or none.")
    alpha: float = field("fraction", "Significance level.")
    null_hypothesis: str = field("text", "Null hypothesis of the test.")
    resampled: str = field("text", "Units that the test resamples.")
    metrics: tuple[ComparedMetric, ...] = field("object", "The metrics, in the order of the call.")
    systems: tuple[ComparedSystem, ...] = field("object", "The systems and their scores.")
    pairs: tuple[ComparedPair, ...] = field("object", "The compared pairs.")
    tiers: tuple[tuple[str, ...], ...] | None = field(
        "object", "Systems by tier, best first; absent if no pair has a p-value.", default=None
    )
    disagreements: tuple[DisagreeingMetrics, ...] | None = field(
        "object",
        "Pairs of systems on which metrics disagree, each significantly: with several metrics, or if chrF2, which is "
        "computed in addition to BLEU, contradicts the headline.",
        default=None,
    )
    methods: str = field("text", "Sentences for the methods section of a paper.")


@result
class PairTest:
    """One pair of systems by one test."""

    test: str = field("text", "Test that was used.")
    delta: float = field(
        "difference", "System minus baseline: corpus scores, or the mean over blocks for the paired t."
    )
    comparison: Comparison = inline(Comparison, "low", "high", "p_value", "reason")
    resampled: str = field("text", "Units that the test resamples.")
    null_hypothesis: str = field("text", "Null hypothesis of the test.", label="null hypothesis")


@result
class Draw:
    """A resampled difference."""

    drawn_by: str = field("text", "Test that the difference was resampled for.", label="test")
    delta: float = field("difference", "Resampled difference, system minus baseline.")


@result
class WidthRow:
    """The width of the interval of a difference for an amount of text."""

    segments: int = field(SEGMENTS)
    width: float = field("points", f"Width of the {_BOUND}.")
    kind: Literal["measured", "expected"] = field(
        "text", "Whether the width was measured on resamples of this text or extrapolated to more text of this kind."
    )


@result
class GateReport(Envelope):
    """The JSON of `bleu-core gate`."""

    outcome: Gate = inline(Gate)


def comparison_table(comparisons: Comparisons, pairs: Sequence[Comparison] | None = None) -> Table:
    """Return compared pairs with their tests.

    Args:
        comparisons: the comparisons.
        pairs: those of their pairs that the table has, such as shown_pairs; all if None.
    """
    return table_of(pair_results(comparisons, pairs), PairResult).with_decimals(comparisons.decimals)


def shown_pairs(comparisons: Comparisons) -> tuple[Comparison, ...]:
    """Return the pairs that people are shown: all or, of a family of more than 300, those of the leader and neighbours.

    Neighbours are next to each other in the ranking. P-values stay corrected for all pairs of the family, since these
    are chosen by their scores. With a baseline, all pairs are shown.
    """
    if not is_large(comparisons):
        return comparisons.pairs
    ranked = comparisons.ranked
    names = {frozenset((ranked[0], other)) for other in ranked[1:]}
    names |= {frozenset(neighbours) for neighbours in pairwise(ranked)}
    return tuple(pair for pair in comparisons.pairs if frozenset((pair.system, pair.baseline)) in names)


def is_large(comparisons: Comparisons) -> bool:
    """Return whether all pairs of systems were compared and these are too many to be shown."""
    return len(comparisons.pairs) > MAX_SHOWN_PAIRS and comparisons.complete


def shown_pairs_note(comparisons: Comparisons) -> str:
    """Return sentences on which pairs are shown and what p is corrected for; empty if all are shown."""
    shown, pairs = len(shown_pairs(comparisons)), len(comparisons.pairs)
    if shown == pairs:
        return ""
    corrected = (
        "p is not corrected for the number of pairs"
        if comparisons.correction == "none"
        else f"p is corrected for all {pairs:,} pairs, since these were chosen by their scores"
    )
    tested = f"; {corrected}" if comparisons.tested else ""
    return (
        f"{shown:,} of {pairs:,} pairs are shown: those of {comparisons.ranked[0]}, which scores best, and of systems "
        f"next to each other in the ranking{tested}."
    )


def parts_table(parts: Mapping[str, Comparisons], system: str, baseline: str) -> Table:
    """Return one pair on several parts of the text: its difference, its p-values, and the tiers of the two systems.

    Args:
        parts: name of a part -> comparisons of all pairs on it.
        system: name of the system.
        baseline: name of the baseline.
    """
    rows: list[tuple[_PartOfText, PairResult | None, _TierOfSystems]] = []
    for name, comparisons in parts.items():
        pair = comparisons.between(system, baseline)
        tier_of = {member: n for n, tier in enumerate(tiers(comparisons), start=1) for member in tier}
        pair_tiers = _TierOfSystems(system_tier=tier_of.get(system), baseline_tier=tier_of.get(baseline))
        rows.append((_PartOfText(part=name), None if pair is None else _pair(comparisons, pair), pair_tiers))
    columns = {
        "system_tier": Field("count", f"Tier of {system} among all systems.", f"tier of {system}"),
        "baseline_tier": Field("count", f"Tier of {baseline} among all systems.", f"tier of {baseline}"),
    }
    decimals = next(iter(parts.values())).decimals
    return table_of(rows, _PartOfText, PairResult, _TierOfSystems).redeclared(columns).with_decimals(decimals)


def tests_table(results: Sequence[Comparisons]) -> Table:
    """Return one pair by several tests."""
    rows: list[PairTest] = []
    for comparisons in results:
        pair = comparisons.pairs[0]
        rows.append(
            PairTest(
                test=test_name(comparisons),
                delta=pair.tested_difference,
                comparison=pair,
                resampled=comparisons.resampled,
                null_hypothesis=comparisons.null_hypothesis,
            )
        )
    return table_of(rows, PairTest).with_decimals(results[0].decimals)


@result
class _GridRow:
    """A row of the grid of pairs."""

    system: str = field(SYSTEM)
    cells: Mapping[str, float | str] = field("number", columns="against_{}", label="against {}")


@result
class _BlockRow:
    """Two systems on a block; the unit is a key, as it is part of headers and help."""

    name: Mapping[str, str] = field("text", "Name of the {}.", columns="{}")
    segments: int = field(SEGMENTS)
    scores: Mapping[str, float] = field("points", columns="score_{}", label="score of {}")
    difference: Mapping[str, float] = field(
        "difference", "Score of the system on the {} minus that of the baseline.", columns="difference"
    )


def grid_table(comparisons: Comparisons) -> Table:
    """Return a grid of all pairs of systems: row minus column above the diagonal, corrected p below it."""
    order = comparisons.ranked
    rows: list[_GridRow] = []
    for i, row in enumerate(order):
        cells: dict[str, float | str] = {}
        for j, column in enumerate(order):
            pair = comparisons.between(row, column)
            cells[column] = "" if pair is None else pair.delta if j > i else pair.p_value_adjusted
        rows.append(_GridRow(system=row, cells=cells))
    decimals = max(comparisons.decimals, DECIMALS["number"])  # differences and p-values share columns
    table = table_of(rows, _GridRow)
    return table.with_decimals(decimals, *table.columns)


def tier_table(comparisons: Comparisons, intervals: Mapping[str, Interval] | None = None) -> Table:
    """Return the systems by tier, best first, with intervals of their scores if given."""
    score = dict(zip(comparisons.systems, comparisons.scores.tolist(), strict=True))
    beaten = systems_beaten(comparisons)
    rows = [
        TierRow(
            tier=n,
            system=name,
            score=score[name],
            beats=beaten[name],
            interval=intervals[name] if intervals else None,
        )
        for n, tier in enumerate(tiers(comparisons), start=1)
        for name in tier
    ]
    return table_of(rows, TierRow).with_decimals(comparisons.decimals)


def pair_blocks_table(names: tuple[str, str], blocks: Blocks, scores: Sequence[Sequence[float]]) -> Table:
    """Return two systems' scores on each block, the baseline's first, and their difference."""
    rows = [
        _BlockRow(
            name={blocks.unit: name},
            segments=size,
            scores=dict(zip(names, (baseline, score), strict=True)),
            difference={blocks.unit: score - baseline},
        )
        for name, size, baseline, score in zip(blocks.names, blocks.sizes, *scores, strict=True)
    ]
    return table_of(rows, _BlockRow)


def deltas_table(deltas: Mapping[str, Sequence[float]]) -> Table:
    """Return resampled differences."""
    rows = [Draw(drawn_by=name, delta=value) for name, values in deltas.items() for value in values]
    return table_of(rows, Draw)


def text_needed_table(needed: TextNeeded) -> Table:
    """Return the width of the interval by number of segments, measured and expected."""
    beyond = extrapolated_sizes(needed)
    rows = [
        WidthRow(segments=int(n), width=float(w), kind="measured")
        for n, w in zip(needed.sizes, needed.widths, strict=True)
    ]
    rows += [
        WidthRow(segments=round(n), width=float(w), kind="expected")
        for n, w in zip(beyond, needed.width_at(beyond), strict=True)
    ]
    return table_of(rows, WidthRow).with_decimals(needed.decimals)


def extrapolated_sizes(needed: TextNeeded) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the numbers of segments for which the expected width is drawn, from the test set's size on."""
    needed_segments = needed.segments_needed()
    last = MAX_EXTRAPOLATION * needed.segments
    if math.isfinite(needed_segments):
        last = min(max(last, 1.3 * needed_segments), 100 * needed.segments)
    return np.geomspace(needed.segments, last, 25)


def block_sizes_table(sizes: BlockSizes) -> Table:
    """Return the paired t by block size."""
    return table_of(sizes.by_size, BlockSizeTest).without("degrees_of_freedom").with_decimals(sizes.decimals)


def comparison_report(
    comparisons: Comparisons,
    metric: ScoredCorpus,
    evaluation: BleuEvaluation | CorpusScores,
    *,
    headline: Headline | None = None,
    reversals: Sequence[ReversalResult] | None = None,
    disagreements: Sequence[DisagreeingMetrics] = (),
    second: ScoredCorpus | None = None,
) -> ComparisonReport:
    """Return the JSON report of `bleu-core compare` with one metric.

    Args:
        comparisons: the comparisons.
        metric: the scored systems.
        evaluation: the evaluation of the text.
        headline: the headline of the comparison, if it has one.
        reversals: the reversing set of each pair, if they were searched.
        disagreements: pairs of systems on which a second metric contradicts the headline.
        second: the systems under that metric, if there are any.
    """
    pairs = pair_results(comparisons)
    sets = [None] * len(pairs) if reversals is None else reversals
    sentences = methods(comparisons, metric, evaluation, second)
    return ComparisonReport(
        **envelope_fields(evaluation, metric, comparisons.warnings),
        **test_fields(comparisons),
        headline=headline,
        metrics=(ComparedMetric(**vars(reported_metrics([metric])[0])),),
        systems=tuple(
            ComparedSystem(**vars(scored), scores={metric.name: scored.score})
            for scored in scored_systems(comparisons, metric)
        ),
        pairs=tuple(ComparedPair(**vars(pair), reversal=reversal) for pair, reversal in zip(pairs, sets, strict=True)),
        tiers=tiers(comparisons) if comparisons.complete and comparisons.tested else None,
        disagreements=tuple(disagreements) or None,
        methods=sentences if reversals is None else f"{sentences} {reversal_methods()}",
    )


def test_fields(comparisons: Comparisons) -> Any:
    """Return the arguments of a report that describe the test."""
    return {
        "test": comparisons.test,
        "seed": comparisons.seed,
        "blocks": comparisons.units if comparisons.test == "t" else None,
        "trials": comparisons.trials or None,
        "resamples": comparisons.resamples or None,
        "interval_method": INTERVAL_NAMES[comparisons.method] if comparisons.test != "t" else STUDENT,
        "unit": comparisons.unit,
        "units": comparisons.units,
        "correction": comparisons.correction,
        "family": comparisons.corrected_for,
        "alpha": comparisons.alpha,
        "null_hypothesis": comparisons.null_hypothesis,
        "resampled": comparisons.resampled,
    }


def test_name(comparisons: Comparisons) -> str:
    """Return the name of a test; with few units the jackknife replaces the bootstrap."""
    return (
        "jackknife"
        if comparisons.test == "bootstrap" and comparisons.method == "jackknife"
        else TEST_NAMES[comparisons.test]
    )


def methods(
    comparisons: Comparisons,
    metric: ScoredCorpus,
    evaluation: BleuEvaluation | CorpusScores,
    second: ScoredCorpus | None = None,
) -> str:
    """Return sentences for the methods section of a paper; a second metric was tested alike."""
    metrics = ", ".join(f"{scored.label} ({scored.signature})" for scored in (metric, second) if scored is not None)
    return methods_by(metrics, comparisons, evaluation)


def methods_by(metrics: str, comparisons: Comparisons, evaluation: BleuEvaluation | CorpusScores) -> str:
    """Return sentences for the methods section of a paper on comparisons by metrics that are named with signatures."""
    untested = _untested(comparisons)
    if untested:
        return (
            f"Systems were compared by {metrics} on {text_of(comparisons, evaluation)}, "
            f"without intervals and p-values: {untested} (bleu-dashboard {VERSION})."
        )
    pairs, units = len(comparisons.pairs), units_of(comparisons)
    bootstrap = (
        f"paired bootstrap resampling (Koehn, 2004; {comparisons.resamples:,} resamples of {units}, "
        f"seed {comparisons.seed}; two-sided p-values of the centred differences)"
    )
    jackknife = f"the jackknife over {units} (Tukey, 1958; two-sided p-values of {_student(comparisons)})"
    how = {
        "bootstrap": jackknife if comparisons.method == "jackknife" else bootstrap,
        "sacrebleu-bootstrap": f"paired bootstrap resampling as in sacreBLEU ({comparisons.resamples:,} resamples of "
        f"{units}, seed {comparisons.seed})",
        "randomization": f"approximate randomisation (Riezler and Maxwell, 2005; {comparisons.trials:,} trials over "
        f"{units}, seed {comparisons.seed}; two-sided p-values)",
        "t": f"paired t-tests over {units} (Papineni et al., 2002; two-sided p-values)",
    }[comparisons.test]
    sentence = f"Systems were compared by {metrics} on {text_of(comparisons, evaluation)}, using {how}"
    sentence += f"{correction_clause(comparisons, pairs)}, at a significance level of {comparisons.alpha:g}."
    if any(pair.extrapolated for pair in comparisons.pairs):
        spread = "differences after swaps" if comparisons.trials else "resampled differences"
        sentence += (
            f" Where fewer than {MIN_EXTREME_DRAWS} {'trials' if comparisons.trials else 'resamples'} are as extreme "
            f"as the difference, p is the smaller of {MIN_EXTREME_DRAWS + 1} / "
            f"{(comparisons.trials or comparisons.resamples) + 1:,} and the tails of a normal distribution with the "
            f"standard deviation of the {spread}."
        )
    if comparisons.test == "t":
        intervals = f"confidence intervals of the mean difference of {comparisons.unit}s"
    elif comparisons.method == "jackknife":
        intervals = f"those of {_student(comparisons)}"
        if comparisons.test != "bootstrap":
            intervals += f" and the jackknife over {units}"
    elif comparisons.method is None:
        return f"{sentence} There are no intervals (bleu-dashboard {VERSION})."
    else:
        source = f"{comparisons.resamples:,} bootstrap resamples" if comparisons.trials else "the same resamples"
        intervals = f"percentiles of {source}"
    return f"{sentence} The {_confidence()} intervals are {intervals} (bleu-dashboard {VERSION})."


def correction_clause(design: Design, pairs: int) -> str:
    """Return how the p-values of a number of pairs are corrected, for sentences on methods; empty for one pair."""
    if pairs == 1:
        return ""
    if design.correction == "none":
        return f", not corrected for the number of comparisons ({pairs})"
    return f", corrected for {design.family} by {CORRECTION_NAMES[design.correction]}"


def _untested(comparisons: Comparisons) -> str:
    """Return why no pair has a p-value; empty if one has."""
    reasons = [pair.reason for pair in comparisons.pairs if math.isnan(pair.p_value)]
    return "; ".join(dict.fromkeys(reasons)) if len(reasons) == len(comparisons.pairs) else ""


def caption(comparisons: Comparisons, metric: ScoredCorpus, evaluation: BleuEvaluation | CorpusScores) -> str:
    """Return a caption for the grid or the table of pairs, which begins with why they are not comparable, if so."""
    return " ".join(filter(None, (comparisons.obstacle, _caption(comparisons, metric, evaluation))))


def _caption(comparisons: Comparisons, metric: ScoredCorpus, evaluation: BleuEvaluation | CorpusScores) -> str:
    untested = _untested(comparisons)
    if untested:
        return (
            f"Differences in {_with_unit(metric)} without intervals and p-values: {untested}; "
            f"{text_of(comparisons, evaluation)}. Signature: {metric.signature}"
        )
    drawn = {"t": "", "randomization": f", {comparisons.trials:,} trials, seed {comparisons.seed}"}.get(
        comparisons.test,
        f", {comparisons.resamples:,} resamples, seed {comparisons.seed}" if comparisons.resamples else "",
    )
    corrected = "" if comparisons.correction == "none" else correction_clause(comparisons, len(comparisons.pairs))
    sides = "" if comparisons.test == "sacrebleu-bootstrap" else "two-sided "
    return (
        f"Differences in {_with_unit(metric)} with {_confidence()} intervals and {sides}p-values "
        f"({test_name(comparisons)} over {units_of(comparisons)}{drawn}{corrected}); "
        f"{text_of(comparisons, evaluation)}. Signature: {metric.signature}"
    )


def gate_line(outcome: Gate, metric: ScoredCorpus, alarm: Finding | None = None) -> str:
    """Return the outcome of the gate in one line.

    Args:
        outcome: the outcome.
        metric: the scored systems.
        alarm: an alarm that makes the systems not comparable, whose reason is the outcome then.
    """
    if alarm is not None:
        return " ".join(f"not comparable: {alarm.reason.removeprefix('Not comparable: ')}".split())
    level = f"{100 * (1 - outcome.alpha):g}%"
    worse = "worse" if metric.statistics.higher_is_better else "worse (higher)"
    size = f"more than {outcome.margin:g} {metric.label}"
    claim = {
        "worse": f"{outcome.system} is significantly {worse} than {outcome.baseline} by {size}",
        "not worse": f"a loss of {outcome.system} against {outcome.baseline} of {size} is excluded",
        "inconclusive": f"{outcome.system} may or may not be {worse} than {outcome.baseline} by {size}",
    }
    decimals = metric.metric.decimals
    delta, low, high = (decimal(points, decimals, signed=True) for points in (outcome.delta, outcome.low, outcome.high))
    line = (
        f"{PASS if outcome.passed else FAIL}{outcome.verdict}, {needed_described(outcome)}, detectable margin "
        f"{decimal(outcome.detectable_margin, decimals)} {metric.label}: {claim[outcome.verdict]}: difference {delta}, "
        f"one-sided {level} bounds {low} and {high}"
    )
    return " ".join(line.split())  # names may hold line ends


def needed_described(outcome: Gate) -> str:
    """Return the number of segments, or documents, that the gate needs, such as "812 segments needed"."""
    unit = "document" if outcome.unit == "document" else "segment"
    if math.isnan(outcome.segments_needed):
        return f"{unit}s needed undefined"
    return f"{outcome.segments_needed:,.0f} {plural(int(outcome.segments_needed), unit)} needed"


def gate_report(
    outcome: Gate, metric: ScoredCorpus, evaluation: BleuEvaluation | CorpusScores, alarm: Finding | None = None
) -> GateReport:
    """Return the JSON report of `bleu-core gate`; the verdict is that of an alarm, if there is one."""
    if alarm is not None:
        outcome = replace(outcome, verdict="not comparable")
    return GateReport(**envelope_fields(evaluation, metric, outcome.warnings), outcome=outcome)


def gate_table(report: GateReport, metric: ScoredCorpus) -> Table:
    """Return the outcome of the gate as a row."""
    return table_of([report], GateReport).with_decimals(metric.metric.decimals)


def gate_junit(outcome: Gate, metric: ScoredCorpus, *, failed: bool, alarm: Finding | None = None) -> str:
    """Return the outcome of the gate as a JUnit file with one test case.

    Args:
        outcome: the outcome of the gate.
        metric: the scored systems.
        failed: whether the test case fails: the candidate is worse, or the verdict is inconclusive and "not worse" is
            required.
        alarm: an alarm that makes the systems not comparable: the test case has an error, no failure.
    """
    errors, failures = int(alarm is not None), int(failed and alarm is None)
    counts = {"failures": str(failures), "errors": str(errors)}
    suite = ET.Element("testsuite", name="bleu-core gate", tests="1", attrib=counts)
    name = _printable(f"{outcome.system} against {outcome.baseline}")
    case = ET.SubElement(suite, "testcase", classname="bleu-core.gate", name=name)
    line = _printable(gate_line(outcome, metric, alarm))
    if alarm is not None:
        ET.SubElement(case, "error", message=line).text = f"{line}\n{metric.signature}"
    elif not failed:
        ET.SubElement(case, "system-out").text = line
    else:
        if outcome.passed:
            line = f"required: not worse, found: {line.removeprefix(PASS)}"
        ET.SubElement(case, "failure", message=line).text = f"{line}\n{metric.signature}"
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def scored_systems(comparisons: Comparisons, metric: ScoredCorpus) -> tuple[ScoredSystem, ...]:
    """Return the compared systems with their scores."""
    return tuple(
        ScoredSystem(system=name, score=score, reason=metric.metric.undefined if math.isnan(score) else "")
        for name, score in zip(comparisons.systems, comparisons.scores.tolist(), strict=True)
    )


def pair_results(comparisons: Comparisons, pairs: Sequence[Comparison] | None = None) -> tuple[PairResult, ...]:
    """Return compared pairs with their tests; all pairs by default."""
    return tuple(_pair(comparisons, pair) for pair in (comparisons.pairs if pairs is None else pairs))


def _pair(comparisons: Comparisons, pair: Comparison) -> PairResult:
    verdict = verdict_in_words(comparisons.verdict(pair), pair.p_value, comparisons.obstacle)
    return PairResult(comparison=pair, family=comparisons.corrected_for, verdict=verdict)


def verdict_in_words(verdict: int, p_value: float, obstacle: str = "") -> str:
    """Return the verdict on a pair: -1, 0 or 1, whose p may be undefined, or which is not comparable."""
    if obstacle:
        return NOT_COMPARABLE
    return NOT_TESTED if math.isnan(p_value) else VERDICTS[verdict]


def _student(comparisons: Comparisons) -> str:
    return f"{STUDENT} with {comparisons.units - 1} degrees of freedom"


def units_of(design: Design) -> str:
    """Return the number of units that tests draw, swap or leave out, such as "20 documents"."""
    return f"{design.units:,} {plural(design.units, design.unit)}"


def text_of(design: Design, evaluation: BleuEvaluation | CorpusScores) -> str:
    """Return the amount of text that is compared, such as "3,000 segments with 2 references"."""
    references = len(evaluation.references)
    segments = f"{design.segments:,} {plural(design.segments, 'segment')}"
    return f"{segments} with {references} {plural(references, 'reference')}"


def _with_unit(metric: ScoredCorpus) -> str:
    return f"{metric.label} ({metric.metric.unit})" if metric.metric.unit else metric.label


def _confidence() -> str:
    return f"{100 * CONFIDENCE:g} percent"  # a % would begin a comment in LaTeX


def _printable(text: str) -> str:
    """Replace control characters, which XML cannot hold."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


refuse_texts(__name__)
