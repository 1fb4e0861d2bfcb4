"""Comparisons of systems as tables, as JSON and as sentences to quote."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal
from xml.etree import ElementTree as ET

import numpy as np

from bleu_core.dataset import plural
from bleu_core.fields import (
    BASELINE,
    DEGREES_OF_FREEDOM,
    DELTA,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SEGMENTS,
    SYSTEM,
    Cell,
    Field,
    T,
    Table,
    decimal,
    field,
    result,
    table_of,
)
from bleu_core.inference import (
    CONFIDENCE,
    MIN_EXTREME_DRAWS,
    POWER,
    Blocks,
    BlockSizes,
    Comparison,
    Comparisons,
    Correction,
    Gate,
    Interval,
    Method,
    Test,
    TextNeeded,
    Verdict,
    systems_beaten,
    tiers,
)
from bleu_core.results.envelope import Envelope, about
from bleu_core.results.headlines import Headline
from bleu_core.results.reversal import ReversalResult, reversal_methods
from bleu_core.results.scores import SCORE
from bleu_core.scoring import BleuEvaluation, CorpusScores, ScoredCorpus
from bleu_core.version import VERSION

VERDICTS = {1: "better", 0: "not significant", -1: "worse"}

TEST_NAMES: dict[Test, str] = {
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomisation",
    "t": "paired t",
    "sacrebleu-bootstrap": "paired bootstrap, sacreBLEU's rule",
}
#: How intervals are computed, in JSON.
STUDENT = "Student's t"
INTERVAL_NAMES: dict[Method | None, str] = {
    "percentile": "bootstrap percentiles",
    "jackknife": f"jackknife with {STUDENT}",
    None: "none",
}
CORRECTION_NAMES: dict[Correction, str] = {
    "holm": "Holm's method",
    "benjamini-hochberg": "the method of Benjamini and Hochberg",
    "none": "no method",
}

#: How the line of the gate begins.
PASS, FAIL = "pass: ", "fail: "

#: How far beyond the test set's size the expected width of the interval is drawn.
EXTRAPOLATED = 10


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
    beats: int = field("count", "Number of other systems that this one is significantly better than.")
    low: float | None = field("points", f"Lower end of the {100 * CONFIDENCE:g}% interval.", default=None)
    high: float | None = field("points", f"Upper end of the {100 * CONFIDENCE:g}% interval.", default=None)


@result
class PairResult:
    """The difference between two systems, tested."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    delta: float = field(DELTA)
    mean_difference: float | None = field(
        "difference", "System minus baseline, mean over blocks, which the paired t tests.", default=None
    )
    low: float = field("difference", f"Lower end of the {_BOUND}.")
    high: float = field("difference", f"Upper end of the {_BOUND}.")
    confidence: float = field("fraction", "Confidence of the interval.", only="json")
    t: float | None = field(T, default=None)
    degrees_of_freedom: int | None = field(DEGREES_OF_FREEDOM, default=None)
    p_value: float = field(
        P_VALUE,
        (
            "Two-sided p-value of this pair, not corrected: probability that two equally good systems differ at "
            "least this much. It does not depend on what else is compared."
        ),
    )
    p_value_extrapolated: bool = field(
        "text",
        (
            f"Whether fewer than {MIN_EXTREME_DRAWS} of the draws are as extreme; p_value is then the smaller of "
            f"{MIN_EXTREME_DRAWS + 1} / (draws + 1) and the tails of a normal distribution, and written with ≈ in "
            "tables."
        ),
        only="json",
    )
    p_value_adjusted: float = field(
        P_VALUE_ADJUSTED, "p-value corrected for all comparisons of the family, which decides significance."
    )
    family: str = field("text", "Comparisons that p is corrected for, or none.", label="corrected for")
    verdict: str = field(
        "text", "Better or worse if the corrected p is below the significance level, otherwise not significant."
    )
    reason: str = field(REASON, default="")


@result
class _PartOfText:
    """Some of the segments, as the beginning of a row."""

    part: str = field("text", "Segments that are compared.", label="segments")


@result
class _TierOfSystems:
    """The tiers of two systems, as the end of a row."""

    system_tier: int | None = field("count", "Tier of the system among all systems.", default=None)
    baseline_tier: int | None = field("count", "Tier of the baseline among all systems.", default=None)


@result
class ComparedPair(PairResult):
    """A pair of `bleu-core compare`."""

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
        "Number of resamples of the bootstrap, if there are any: few units are left out once each.",
        default=None,
    )
    interval_method: str = field(
        "text", "How the intervals are computed: percentiles of the bootstrap, or Student's t."
    )
    unit: str = field("text", "Unit that is resampled or averaged: segment, document, block or bundle of segments.")
    units: int = field("count", "Number of units.")
    correction: Correction = field("text", "How p-values are corrected for the comparisons of the family.")
    family: str = field("text", "Comparisons that p-values are corrected for, or none.")
    alpha: float = field("fraction", "Significance level.")
    null_hypothesis: str = field("text", "Null hypothesis of the test.")
    resampled: str = field("text", "What the test resamples.")
    systems: tuple[ScoredSystem, ...] = field("object", "The systems and their scores.")
    pairs: tuple[ComparedPair, ...] = field("object", "The pairs that are compared.")
    tiers: tuple[tuple[str, ...], ...] | None = field("object", "Systems by tier, best first.", default=None)
    methods: str = field("text", "Sentences for the methods section of a paper.")


@result
class PairTest:
    """One pair of systems under one test."""

    test: str = field("text", "Test that was used.")
    delta: float = field(
        "difference", "System minus baseline: corpus scores, or the mean over blocks for the paired t."
    )
    low: float = field("difference", f"Lower end of the {_BOUND}.")
    high: float = field("difference", f"Upper end of the {_BOUND}.")
    p_value: float = field(P_VALUE, "Two-sided p-value.")
    resampled: str = field("text", "What the test resamples.")
    null_hypothesis: str = field("text", "Null hypothesis of the test.", label="null hypothesis")
    reason: str = field(REASON, default="")


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
class BlockSizeTest:
    """The paired t over blocks of one size."""

    segments: float = field("number", "Mean number of segments per block.")
    blocks: int = field("count", "Number of blocks.")
    mean_difference: float = field("difference", "System minus baseline, mean over blocks.")
    t: float = field(T)
    p_value: float = field(P_VALUE)
    reason: str = field(REASON, default="")


@result
class GateReport(Envelope):
    """The JSON of `bleu-core gate`."""

    system: str = field("text", "Name of the candidate.")
    baseline: str = field(BASELINE)
    delta: float = field(DELTA)
    low: float = field("difference", "Lower end of the one-sided interval of the difference.")
    high: float = field("difference", "Upper end of the one-sided interval of the difference.")
    margin: float = field("points", "Points by which the candidate may be worse.")
    alpha: float = field("fraction", "Significance level.", only="json")
    passed: bool = field("text", "Whether the candidate passes: the verdict is not worse, or inconclusive.")
    verdict: Verdict = field(
        "text",
        "worse: significantly worse than the baseline by more than the margin; not worse: the interval excludes a loss "
        "greater than the margin; inconclusive: neither.",
    )
    segments_needed: float = field(
        "count",
        f"Number of segments (documents, if unit is document) at which an equally good candidate would be answered not "
        f"worse with a probability of {100 * POWER:g}%.",
    )
    detectable_margin: float = field(
        "points",
        "Margin at which an equally good candidate would be answered not worse on this text with a probability of "
        f"{100 * POWER:g}%.",
    )
    unit: str = field("text", "Unit that is resampled: segment, document or bundle of segments.")
    units: int = field("count", "Number of units.")
    reason: str = field(REASON, default="")
    resamples: int | None = field(
        "count",
        "Number of resamples of the bootstrap; absent if the bounds come from the jackknife.",
        only="json",
        default=None,
    )
    seed: int = field("count", "Seed of all draws.", only="json")


def comparison_table(found: Comparisons) -> Table:
    """The pairs that are compared, and their tests."""
    return table_of(pair_results(found), PairResult)


def parts_table(parts: Mapping[str, Comparisons], system: str, baseline: str) -> Table:
    """One pair on several parts of the text: its difference, its p-values, and the tiers of the two systems.

    Args:
        parts: the name of each part -> all pairs of systems, compared on it.
        system: its name.
        baseline: the name of the other one.
    """
    rows: list[tuple[_PartOfText, PairResult | None, _TierOfSystems]] = []
    for name, found in parts.items():
        pair = found.between(system, baseline)
        tier_of = {each: n for n, tier in enumerate(tiers(found), start=1) for each in tier}
        of_pair = _TierOfSystems(system_tier=tier_of.get(system), baseline_tier=tier_of.get(baseline))
        rows.append((_PartOfText(part=name), None if pair is None else _pair(found, pair), of_pair))
    columns = {
        "system_tier": Field("count", f"Tier of {system} among all systems.", f"tier of {system}"),
        "baseline_tier": Field("count", f"Tier of {baseline} among all systems.", f"tier of {baseline}"),
    }
    return table_of(rows, _PartOfText, PairResult, _TierOfSystems).redeclared(columns)


def tests_table(results: Sequence[Comparisons]) -> Table:
    """One pair under several tests."""
    rows: list[PairTest] = []
    for one in results:
        pair = one.pairs[0]
        rows.append(
            PairTest(
                test=test_name(one),
                delta=pair.tested_difference,
                low=pair.interval.low,
                high=pair.interval.high,
                p_value=pair.p_value,
                resampled=one.resampled,
                null_hypothesis=one.null_hypothesis,
                reason=pair.reason,
            )
        )
    return table_of(rows, PairTest)


def grid_table(found: Comparisons) -> Table:
    """Every system against every other: row minus column above the diagonal, corrected p below it."""
    order = found.ranked
    columns = {"system": SYSTEM}
    columns |= {f"against {name}": Field("number", label=f"against {name}") for name in order}
    rows: list[tuple[Cell, ...]] = []
    for i, row in enumerate(order):
        cells: list[Cell] = [row]
        for j, column in enumerate(order):
            pair = found.between(row, column)
            if pair is None:
                cells.append("")
            else:
                cells.append(pair.delta if j > i else pair.p_value_adjusted)
        rows.append(tuple(cells))
    return Table(columns, tuple(rows))


def tier_table(found: Comparisons, intervals: Mapping[str, Interval] | None = None) -> Table:
    """Systems by tier, best first, with intervals of their scores where there are any."""
    score = dict(zip(found.systems, found.scores.tolist(), strict=True))
    beaten = systems_beaten(found)
    rows = [
        TierRow(
            tier=n,
            system=name,
            score=score[name],
            beats=beaten[name],
            low=intervals[name].low if intervals else None,
            high=intervals[name].high if intervals else None,
        )
        for n, tier in enumerate(tiers(found), start=1)
        for name in tier
    ]
    return table_of(rows, TierRow)


def pair_blocks_table(names: tuple[str, str], blocks: Blocks, scores: Sequence[Sequence[float]]) -> Table:
    """Two systems' scores on each block, the baseline's first, and their difference."""
    columns = {blocks.unit: Field("text", f"Name of the {blocks.unit}."), "segments": SEGMENTS}
    columns |= {f"score of {name}": Field("points", label=f"score of {name}") for name in names}
    columns["difference"] = Field("difference", f"Score of the system on the {blocks.unit} minus that of the baseline.")
    rows = tuple(
        (name, size, b, s, s - b) for name, size, b, s in zip(blocks.names, blocks.sizes, *scores, strict=True)
    )
    return Table(columns, rows)


def deltas_table(deltas: Mapping[str, Sequence[float]]) -> Table:
    """Resampled differences."""
    rows = [Draw(drawn_by=name, delta=value) for name, values in deltas.items() for value in values]
    return table_of(rows, Draw)


def text_needed_table(needed: TextNeeded) -> Table:
    """Width of the interval by number of segments, measured and expected."""
    beyond = extrapolated_sizes(needed)
    rows = [
        WidthRow(segments=int(n), width=float(w), kind="measured")
        for n, w in zip(needed.sizes, needed.widths, strict=True)
    ]
    rows += [
        WidthRow(segments=round(n), width=float(w), kind="expected")
        for n, w in zip(beyond, needed.width_at(beyond), strict=True)
    ]
    return table_of(rows, WidthRow)


def extrapolated_sizes(needed: TextNeeded) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Numbers of segments for which the expected width is drawn, from the test set's size on."""
    most = needed.segments_needed()
    last = EXTRAPOLATED * needed.segments
    if math.isfinite(most):
        last = min(max(last, 1.3 * most), 100 * needed.segments)
    return np.geomspace(needed.segments, last, 25)


def block_sizes_table(found: BlockSizes) -> Table:
    """The paired t by size of block."""
    rows = [
        BlockSizeTest(
            segments=float(size),
            blocks=int(blocks),
            mean_difference=test.mean_difference,
            t=test.t,
            p_value=test.p_value,
            reason=test.reason,
        )
        for size, blocks, test in zip(found.sizes, found.blocks, found.tests, strict=True)
    ]
    return table_of(rows, BlockSizeTest)


def comparison_report(
    found: Comparisons,
    metric: ScoredCorpus,
    evaluation: BleuEvaluation | CorpusScores,
    *,
    headline: Headline | None = None,
    reversals: Sequence[ReversalResult] | None = None,
) -> ComparisonReport:
    """The contract of `bleu-core compare --format json`.

    Args:
        found: the pairs.
        metric: that the systems are scored by.
        evaluation: of the text.
        headline: of the comparison, if it has one.
        reversals: the reversing set of each pair, if they were searched.
    """
    pairs = pair_results(found)
    sets = [None] * len(pairs) if reversals is None else reversals
    sentences = methods(found, metric, evaluation)
    return ComparisonReport(
        **about(evaluation, metric, found.warnings),
        headline=headline,
        test=found.test,
        seed=found.seed,
        blocks=found.units if found.test == "t" else None,
        trials=found.trials or None,
        resamples=found.resamples or None,
        interval_method=INTERVAL_NAMES[found.method] if found.test != "t" else STUDENT,
        unit=found.unit,
        units=found.units,
        correction=found.correction,
        family=found.corrected_for,
        alpha=found.alpha,
        null_hypothesis=found.null_hypothesis,
        resampled=found.resampled,
        systems=scored_systems(found, metric),
        pairs=tuple(ComparedPair(**vars(pair), reversal=one) for pair, one in zip(pairs, sets, strict=True)),
        tiers=tiers(found) if found.complete else None,
        methods=sentences if reversals is None else f"{sentences} {reversal_methods()}",
    )


def test_name(found: Comparisons) -> str:
    """What a test is called: where few units are resampled, the jackknife stands for the bootstrap."""
    return "jackknife" if found.test == "bootstrap" and found.method == "jackknife" else TEST_NAMES[found.test]


def methods(found: Comparisons, metric: ScoredCorpus, evaluation: BleuEvaluation | CorpusScores) -> str:
    """A sentence or two for a paper's methods section."""
    untested = _untested(found)
    if untested:
        return (
            f"Systems were compared by {metric.label} ({metric.signature}) on {_text(found, evaluation)}, "
            f"without intervals and p-values: {untested} (bleu-dashboard {VERSION})."
        )
    pairs = len(found.pairs)
    bootstrap = (
        f"paired bootstrap resampling (Koehn, 2004; {found.resamples:,} resamples of {_units(found)}, "
        f"seed {found.seed}; two-sided p-values of the centred differences)"
    )
    jackknife = f"the jackknife over {_units(found)} (Tukey, 1958; two-sided p-values of {_student(found)})"
    how = {
        "bootstrap": jackknife if found.method == "jackknife" else bootstrap,
        "sacrebleu-bootstrap": f"paired bootstrap resampling as in sacreBLEU ({found.resamples:,} resamples of "
        f"{_units(found)}, seed {found.seed})",
        "randomization": f"approximate randomisation (Riezler and Maxwell, 2005; {found.trials:,} trials over "
        f"{_units(found)}, seed {found.seed}; two-sided p-values)",
        "t": f"paired t-tests over {_units(found)} (Papineni et al., 2002; two-sided p-values)",
    }[found.test]
    sentence = (
        f"Systems were compared by {metric.label} ({metric.signature}) on {_text(found, evaluation)}, using {how}"
    )
    if pairs > 1 and found.correction != "none":
        sentence += f", corrected for {found.family} by {CORRECTION_NAMES[found.correction]}"
    elif pairs > 1:
        sentence += f", not corrected for the number of comparisons ({pairs})"
    sentence += f", at a significance level of {found.alpha:g}."
    if any(pair.extrapolated for pair in found.pairs):
        spread = "differences after swaps" if found.trials else "resampled differences"
        sentence += (
            f" Where fewer than {MIN_EXTREME_DRAWS} {'trials' if found.trials else 'resamples'} are as extreme as the "
            f"difference, p is the smaller of {MIN_EXTREME_DRAWS + 1} / {(found.trials or found.resamples) + 1:,} and "
            f"the tails of a normal distribution with the standard deviation of the {spread}."
        )
    if found.test == "t":
        intervals = f"confidence intervals of the mean difference of {found.unit}s"
    elif found.method == "jackknife":
        intervals = f"those of {_student(found)}"
        if found.test != "bootstrap":
            intervals += f" and the jackknife over {_units(found)}"
    elif found.method is None:
        return f"{sentence} There are no intervals (bleu-dashboard {VERSION})."
    else:
        source = f"{found.resamples:,} bootstrap resamples" if found.trials else "the same resamples"
        intervals = f"percentiles of {source}"
    return f"{sentence} The {_confidence()} intervals are {intervals} (bleu-dashboard {VERSION})."


def _untested(found: Comparisons) -> str:
    """Why no pair has a p-value; empty where one has."""
    reasons = [pair.reason for pair in found.pairs if math.isnan(pair.p_value)]
    return "; ".join(dict.fromkeys(reasons)) if len(reasons) == len(found.pairs) else ""


def caption(found: Comparisons, metric: ScoredCorpus, evaluation: BleuEvaluation | CorpusScores) -> str:
    """A caption for the grid or the table of pairs."""
    untested = _untested(found)
    if untested:
        return (
            f"Differences in {metric.label} (points) without intervals and p-values: {untested}; "
            f"{_text(found, evaluation)}. Signature: {metric.signature}"
        )
    drawn = {"t": "", "randomization": f", {found.trials:,} trials, seed {found.seed}"}.get(
        found.test, f", {found.resamples:,} resamples, seed {found.seed}" if found.resamples else ""
    )
    corrected = (
        ""
        if found.correction == "none" or len(found.pairs) == 1
        else f", corrected for {found.family} by {CORRECTION_NAMES[found.correction]}"
    )
    sides = "" if found.test == "sacrebleu-bootstrap" else "two-sided "
    return (
        f"Differences in {metric.label} (points) with {_confidence()} intervals and {sides}p-values "
        f"({test_name(found)} over {_units(found)}{drawn}{corrected}); {_text(found, evaluation)}. "
        f"Signature: {metric.signature}"
    )


def gate_line(found: Gate, metric: ScoredCorpus) -> str:
    """What the gate found, in one line."""
    level = f"{100 * (1 - found.alpha):g}%"
    worse = "worse" if metric.statistics.higher_is_better else "worse (higher)"
    size = f"more than {found.margin:g} {metric.label}"
    claim = {
        "worse": f"{found.system} is significantly {worse} than {found.baseline} by {size}",
        "not worse": f"a loss of {found.system} against {found.baseline} of {size} is excluded",
        "inconclusive": f"{found.system} may or may not be {worse} than {found.baseline} by {size}",
    }
    delta, low, high = (decimal(points, signed=True) for points in (found.delta, found.low, found.high))
    line = (
        f"{PASS if found.passed else FAIL}{found.verdict}, {needed_described(found)}, detectable margin "
        f"{decimal(found.detectable_margin)} {metric.label}: {claim[found.verdict]}: difference {delta}, one-sided "
        f"{level} bounds {low} and {high}"
    )
    return " ".join(line.split())  # names may hold line ends


def needed_described(found: Gate) -> str:
    """How many segments, or documents, the gate needs: "812 segments needed"."""
    unit = "document" if found.unit == "document" else "segment"
    if math.isnan(found.segments_needed):
        return f"{unit}s needed undefined"
    return f"{found.segments_needed:,.0f} {plural(int(found.segments_needed), unit)} needed"


def gate_report(found: Gate, metric: ScoredCorpus, evaluation: BleuEvaluation | CorpusScores) -> GateReport:
    """The contract of `bleu-core gate --format json`."""
    return GateReport(
        **about(evaluation, metric, found.warnings),
        system=found.system,
        baseline=found.baseline,
        delta=found.delta,
        low=found.low,
        high=found.high,
        margin=found.margin,
        alpha=found.alpha,
        passed=found.passed,
        verdict=found.verdict,
        segments_needed=found.segments_needed,
        detectable_margin=found.detectable_margin,
        unit=found.unit,
        units=found.units,
        reason=found.reason,
        resamples=found.resamples or None,
        seed=found.seed,
    )


def gate_table(report: GateReport) -> Table:
    """The gate as a row."""
    return table_of([report], GateReport)


def gate_junit(found: Gate, metric: ScoredCorpus, *, failed: bool) -> str:
    """The gate as a JUnit file with one test case.

    Args:
        found: by the gate.
        metric: that both systems are scored by.
        failed: whether the test case fails: the candidate is worse, or the answer is inconclusive where "not worse" is
            required.
    """
    suite = ET.Element("testsuite", name="bleu-core gate", tests="1", failures=str(int(failed)), errors="0")
    name = _printable(f"{found.system} against {found.baseline}")
    case = ET.SubElement(suite, "testcase", classname="bleu-core.gate", name=name)
    line = _printable(gate_line(found, metric))
    if not failed:
        ET.SubElement(case, "system-out").text = line
    else:
        if found.passed:
            line = f"required: not worse, found: {line.removeprefix(PASS)}"
        ET.SubElement(case, "failure", message=line).text = f"{line}\n{metric.signature}"
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def scored_systems(found: Comparisons, metric: ScoredCorpus) -> tuple[ScoredSystem, ...]:
    """The systems that are compared, and their scores."""
    return tuple(
        ScoredSystem(system=name, score=score, reason=metric.metric.undefined if math.isnan(score) else "")
        for name, score in zip(found.systems, found.scores.tolist(), strict=True)
    )


def pair_results(found: Comparisons) -> tuple[PairResult, ...]:
    """The pairs that are compared, and their tests."""
    return tuple(_pair(found, pair) for pair in found.pairs)


def _pair(found: Comparisons, pair: Comparison) -> PairResult:
    t = pair.paired_t
    return PairResult(
        system=pair.system,
        baseline=pair.baseline,
        delta=pair.delta,
        mean_difference=t.mean_difference if t else None,
        low=pair.interval.low,
        high=pair.interval.high,
        confidence=pair.interval.confidence,
        t=t.t if t else None,
        degrees_of_freedom=t.degrees_of_freedom if t else None,
        p_value=pair.p_value,
        p_value_extrapolated=pair.extrapolated,
        p_value_adjusted=pair.p_value_adjusted,
        family=found.corrected_for,
        verdict=VERDICTS[found.verdict(pair)],
        reason=pair.reason,
    )


def _student(found: Comparisons) -> str:
    return f"{STUDENT} with {found.units - 1} degrees of freedom"


def _units(found: Comparisons) -> str:
    return f"{found.units:,} {plural(found.units, found.unit)}"


def _text(found: Comparisons, evaluation: BleuEvaluation | CorpusScores) -> str:
    references = len(evaluation.references)
    return f"{found.segments:,} {plural(found.segments, 'segment')} with {references} {plural(references, 'reference')}"


def _confidence() -> str:
    return f"{100 * CONFIDENCE:g} percent"  # a % would begin a comment in LaTeX


def _printable(text: str) -> str:
    """XML has no way to write control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
