"""Comparisons of systems as tables, as JSON and in words to quote."""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as ET

import numpy as np

from bleu_core.dataset import plural
from bleu_core.inference import (
    CONFIDENCE,
    Blocks,
    BlockSizes,
    Comparison,
    Comparisons,
    Correction,
    Gate,
    Interval,
    Test,
    TextNeeded,
    tiers,
)
from bleu_core.reports.table import Cell, Json, Kind, Table, none_if_nan
from bleu_core.scoring import Evaluation, ScoredCorpus

VERDICTS = {1: "better", 0: "not shown", -1: "worse"}

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

#: How far beyond the test set's size the expected width of the interval is drawn.
EXTRAPOLATED = 10


def comparison_table(result: Comparisons) -> Table:
    """A pair a row."""
    kinds: dict[str, Kind] = {"system": "text", "baseline": "text", "delta": "difference"}
    if result.test == "t":
        kinds |= {"mean_difference": "difference"}
    kinds |= {"low": "difference", "high": "difference"}
    if result.test == "t":
        kinds |= {"t": "points", "degrees_of_freedom": "count"}
    kinds |= {"p_value": "p", "p_value_adjusted": "p", "verdict": "text", "note": "text"}
    return Table(kinds, tuple(_pair_row(result, pair) for pair in result.pairs))


def tests_table(results: list[Comparisons]) -> Table:
    """One pair under several tests, a test a row."""
    kinds: dict[str, Kind] = {
        "test": "text",
        "delta": "difference",
        "low": "difference",
        "high": "difference",
        "p_value": "p",
        "resampled": "text",
        "null_hypothesis": "text",
        "note": "text",
    }
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        pair = result.pairs[0]
        delta = pair.paired_t.mean_difference if pair.paired_t else pair.delta
        bounds = (pair.interval.low, pair.interval.high)
        said = (result.resampled, result.null_hypothesis, pair.reason)
        rows.append((TEST_NAMES[result.test], delta, *bounds, pair.p_value, *said))
    return Table(kinds, tuple(rows))


def grid_table(result: Comparisons) -> Table:
    """Every system against every other: row minus column above the diagonal, corrected p below it."""
    order = result.ranked
    kinds: dict[str, Kind] = {"system": "text"}
    kinds |= dict.fromkeys((f"against {name}" for name in order), "number")
    rows: list[tuple[Cell, ...]] = []
    for i, row in enumerate(order):
        cells: list[Cell] = [row]
        for j, column in enumerate(order):
            pair = result.between(row, column)
            if pair is None:
                cells.append("")
            else:
                cells.append(pair.delta if j > i else pair.p_value_adjusted)
        rows.append(tuple(cells))
    return Table(kinds, tuple(rows))


def tier_table(result: Comparisons, intervals: Mapping[str, Interval] | None = None) -> Table:
    """Systems by tier, best first, with intervals of their scores where there are any."""
    kinds: dict[str, Kind] = {"tier": "count", "system": "text", "score": "points"}
    if intervals:
        kinds |= {"low": "points", "high": "points"}
    score = dict(zip(result.systems, result.scores.tolist(), strict=True))
    rows: list[tuple[Cell, ...]] = []
    for n, tier in enumerate(tiers(result), start=1):
        for name in tier:
            bounds = (intervals[name].low, intervals[name].high) if intervals else ()
            rows.append((n, name, score[name], *bounds))
    return Table(kinds, tuple(rows))


def pair_blocks_table(names: tuple[str, str], blocks: Blocks, scores: Sequence[Sequence[float]]) -> Table:
    """Two systems' scores on each block, the baseline's first, and their difference."""
    baseline, system = names
    kinds: dict[str, Kind] = {blocks.unit: "text", "segments": "count"}
    kinds |= {f"score of {baseline}": "points", f"score of {system}": "points", "difference": "difference"}
    rows = tuple(
        (name, size, b, s, s - b) for name, size, b, s in zip(blocks.names, blocks.sizes, *scores, strict=True)
    )
    return Table(kinds, rows)


def deltas_table(deltas: Mapping[str, Sequence[float]]) -> Table:
    """Resampled differences, a draw a row."""
    kinds: dict[str, Kind] = {"drawn_by": "text", "delta": "difference"}
    return Table(kinds, tuple((name, value) for name, values in deltas.items() for value in values))


def text_needed_table(needed: TextNeeded) -> Table:
    """Width of the interval by number of segments, measured and expected."""
    kinds: dict[str, Kind] = {"segments": "count", "width": "points", "kind": "text"}
    beyond = extrapolated_sizes(needed)
    rows = [(int(n), float(w), "measured") for n, w in zip(needed.sizes, needed.widths, strict=True)]
    rows += [(round(n), float(w), "expected") for n, w in zip(beyond, needed.width_at(beyond), strict=True)]
    return Table(kinds, tuple(rows))


def extrapolated_sizes(needed: TextNeeded) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Numbers of segments for which the expected width is drawn, from the test set's size on."""
    most = needed.needed()
    last = EXTRAPOLATED * needed.segments
    if math.isfinite(most):
        last = min(max(last, 1.3 * most), 100 * needed.segments)
    return np.geomspace(needed.segments, last, 25)


def block_sizes_table(result: BlockSizes) -> Table:
    """The paired t by size of block."""
    kinds: dict[str, Kind] = {
        "segments": "number",
        "blocks": "count",
        "mean_difference": "difference",
        "t": "points",
        "p_value": "p",
        "note": "text",
    }
    rows = tuple(
        (float(size), int(blocks), test.mean_difference, test.t, test.p_value, test.reason)
        for size, blocks, test in zip(result.sizes, result.blocks, result.tests, strict=True)
    )
    return Table(kinds, rows)


def compare_json(result: Comparisons, metric: ScoredCorpus, evaluation: Evaluation) -> Json:
    """The contract of `bleu-core compare --format json`."""
    content: Json = {
        "signature": metric.signature,
        "metric": metric.name,
        "segments": result.segments,
        "references": list(evaluation.references),
        "test": result.test,
        "seed": result.seed,
    }
    if result.test == "t":
        content |= {"blocks": result.units}
    if result.trials:
        content |= {"trials": result.trials}
    if result.resamples:
        content |= {"resamples": result.resamples}
    content |= {
        "unit": result.unit,
        "units": result.units,
        "correction": result.correction,
        "alpha": result.alpha,
        "null_hypothesis": result.null_hypothesis,
        "resampled": result.resampled,
        "systems": [
            {"system": name, "score": none_if_nan(score)}
            | ({"reason": metric.metric.undefined} if math.isnan(score) else {})
            for name, score in zip(result.systems, result.scores.tolist(), strict=True)
        ],
        "pairs": [_pair_json(result, pair) for pair in result.pairs],
    }
    if result.complete:
        content |= {"tiers": [list(tier) for tier in tiers(result)]}
    return content | {"warnings": list(result.warnings), "methods": methods(result, metric, evaluation)}


def methods(result: Comparisons, metric: ScoredCorpus, evaluation: Evaluation) -> str:
    """A sentence or two for a paper's methods section."""
    pairs = len(result.pairs)
    how = {
        "bootstrap": f"paired bootstrap resampling (Koehn, 2004; {result.resamples:,} resamples of {_units(result)}, "
        f"seed {result.seed}; two-sided p-values of the centred differences)",
        "sacrebleu-bootstrap": f"paired bootstrap resampling as in sacreBLEU ({result.resamples:,} resamples of "
        f"{_units(result)}, seed {result.seed})",
        "randomization": f"approximate randomisation (Riezler and Maxwell, 2005; {result.trials:,} trials over "
        f"{_units(result)}, seed {result.seed}; two-sided p-values)",
        "t": f"paired t-tests over {_units(result)} (Papineni et al., 2002; two-sided p-values)",
    }[result.test]
    said = f"Systems were compared by {metric.label} ({metric.signature}) on {_text(result, evaluation)}, using {how}"
    if pairs > 1 and result.correction != "none":
        said += f", corrected for {pairs} comparisons by {CORRECTION_NAMES[result.correction]}"
    elif pairs > 1:
        said += f", not corrected for the number of comparisons ({pairs})"
    said += f", at a significance level of {result.alpha:g}."
    if result.test == "t":
        intervals = f"confidence intervals of the mean difference of {result.unit}s"
    else:
        source = f"{result.resamples:,} bootstrap resamples" if result.trials else "the same resamples"
        intervals = f"percentile intervals from {source}"
    version = importlib.metadata.version("bleu-dashboard")
    return f"{said} Intervals are {_confidence()} {intervals} (bleu-dashboard {version})."


def caption(result: Comparisons, metric: ScoredCorpus, evaluation: Evaluation) -> str:
    """A caption for the grid or the table of pairs."""
    drawn = {"t": "", "randomization": f", {result.trials:,} trials, seed {result.seed}"}.get(
        result.test, f", {result.resamples:,} resamples, seed {result.seed}"
    )
    corrected = (
        ""
        if result.correction == "none" or len(result.pairs) == 1
        else (f", corrected for {len(result.pairs)} comparisons by {CORRECTION_NAMES[result.correction]}")
    )
    sides = "" if result.test == "sacrebleu-bootstrap" else "two-sided "
    return (
        f"Differences in {metric.label} (points) with {_confidence()} intervals and {sides}p-values "
        f"({TEST_NAMES[result.test]} over {_units(result)}{drawn}{corrected}); {_text(result, evaluation)}. "
        f"Signature: {metric.signature}"
    )


def gate_line(result: Gate, metric: ScoredCorpus) -> str:
    """What the gate found, in one line."""
    level = f"{100 * (1 - result.alpha):g} %"
    worse = "worse" if metric.table.higher_is_better else "worse (higher)"
    how = "not shown to be " if result.passed else ""
    line = (
        f"{'pass' if result.passed else 'fail'}: {result.system} is {how}{worse} than {result.baseline} by more than "
        f"{result.margin:g} {metric.label}: delta {result.delta:+.2f}, one-sided {level} bounds {result.low:+.2f} and "
        f"{result.high:+.2f}"
    )
    return " ".join(line.split())  # names may hold line ends


def gate_json(result: Gate, metric: ScoredCorpus) -> Json:
    """The contract of `bleu-core gate --format json`."""
    return {
        "signature": metric.signature,
        "metric": metric.name,
        "system": result.system,
        "baseline": result.baseline,
        "delta": result.delta,
        "low": result.low,
        "high": result.high,
        "margin": result.margin,
        "alpha": result.alpha,
        "passed": result.passed,
        "resamples": result.resamples,
        "seed": result.seed,
    }


def gate_table(result: Gate) -> Table:
    """The gate as a row."""
    kinds: dict[str, Kind] = {
        "system": "text",
        "baseline": "text",
        "delta": "difference",
        "low": "difference",
        "high": "difference",
        "margin": "points",
        "passed": "text",
    }
    verdict = "yes" if result.passed else "no"
    row = (result.system, result.baseline, result.delta, result.low, result.high, result.margin, verdict)
    return Table(kinds, (row,))


def gate_junit(result: Gate, metric: ScoredCorpus) -> str:
    """The gate as a JUnit file with one test case."""
    suite = ET.Element("testsuite", name="bleu-core gate", tests="1", failures=str(int(not result.passed)), errors="0")
    name = _printable(f"{result.system} against {result.baseline}")
    case = ET.SubElement(suite, "testcase", classname="bleu-core.gate", name=name)
    line = _printable(gate_line(result, metric))
    if result.passed:
        ET.SubElement(case, "system-out").text = line
    else:
        ET.SubElement(case, "failure", message=line).text = f"{line}\n{metric.signature}"
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def _pair_row(result: Comparisons, pair: Comparison) -> tuple[Cell, ...]:
    bounds = (pair.interval.low, pair.interval.high)
    tested = (pair.p_value, pair.p_value_adjusted, VERDICTS[result.verdict(pair)], pair.reason)
    if pair.paired_t is None:
        return (pair.system, pair.baseline, pair.delta, *bounds, *tested)
    t = pair.paired_t
    return (pair.system, pair.baseline, pair.delta, t.mean_difference, *bounds, t.t, t.degrees_of_freedom, *tested)


def _pair_json(result: Comparisons, pair: Comparison) -> Json:
    found: Json = {
        "system": pair.system,
        "baseline": pair.baseline,
        "delta": none_if_nan(pair.delta),
        "low": none_if_nan(pair.interval.low),
        "high": none_if_nan(pair.interval.high),
        "confidence": pair.interval.confidence,
        "p_value": none_if_nan(pair.p_value),
        "p_value_adjusted": none_if_nan(pair.p_value_adjusted),
        "verdict": VERDICTS[result.verdict(pair)],
    }
    if pair.paired_t is not None:
        t = pair.paired_t
        found |= {
            "mean_difference": none_if_nan(t.mean_difference),
            "t": none_if_nan(t.t),
            "degrees_of_freedom": t.degrees_of_freedom,
        }
    return found | ({"reason": pair.reason} if pair.reason else {})


def _units(result: Comparisons) -> str:
    return f"{result.units:,} {plural(result.units, result.unit)}"


def _text(result: Comparisons, evaluation: Evaluation) -> str:
    references = len(evaluation.references)
    return (
        f"{result.segments:,} {plural(result.segments, 'segment')} with {references} {plural(references, 'reference')}"
    )


def _confidence() -> str:
    return f"{100 * CONFIDENCE:g} %"


def _printable(text: str) -> str:
    """XML has no way to write control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
