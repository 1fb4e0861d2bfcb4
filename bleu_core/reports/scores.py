"""Results as tables and as JSON, the same for the command line and the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from bleu_core.agreement import Agreement, Correlation, normalised_by_range
from bleu_core.inference import BlockScores, Interval
from bleu_core.reports.table import Cell, Json, Kind, Table, none_if_nan
from bleu_core.scoring import CorpusScores, Decay, Evaluation

if TYPE_CHECKING:
    from bleu_core.inference import ScoreIntervals  # scoring does without what it needs
    from bleu_core.scoring import ScoredCorpus


def score_table(evaluation: Evaluation | CorpusScores, intervals: ScoreIntervals | None = None) -> Table:
    """BLEU and what it is made of, a system a row, in the corpus's order."""
    scores = evaluation.scores
    orders = range(evaluation.settings.max_order)
    kinds: dict[str, Kind] = {"system": "text", "bleu": "points"}
    kinds |= _bound_kinds(intervals)
    kinds |= {f"precision_{n + 1}": "fraction" for n in orders}
    kinds |= {
        "brevity_penalty": "fraction",
        "hypothesis_length": "count",
        "reference_length": "count",
        "length_ratio": "fraction",
    }
    rows = tuple(
        (
            name,
            float(scores.score[k]),
            *_bounds(intervals, name),
            *(float(scores.precisions[k, n]) for n in orders),
            float(scores.brevity_penalty[k]),
            int(scores.hypothesis_length[k]),
            _length(scores.reference_length[k]),
            float(scores.hypothesis_length[k] / scores.reference_length[k]) if scores.reference_length[k] else math.nan,
        )
        for k, name in enumerate(evaluation.systems)
    )
    return Table(kinds, rows)


def score_json(evaluation: Evaluation | CorpusScores, intervals: ScoreIntervals | None = None) -> Json:
    """The contract of `bleu-core score --format json`."""
    scores = evaluation.scores
    return {
        "signature": evaluation.signature,
        "metric": "bleu",
        "settings": asdict(evaluation.settings),
        "references": list(evaluation.references),
        "segments": evaluation.segments,
        "systems": [
            {
                "system": name,
                "bleu": float(scores.score[k]),
                "precisions": scores.precisions[k].tolist(),
                "brevity_penalty": float(scores.brevity_penalty[k]),
                "hypothesis_length": int(scores.hypothesis_length[k]),
                "reference_length": _length(scores.reference_length[k]),
                "matches": [int(m) for m in scores.matches[k]],
                "totals": [int(t) for t in scores.totals[k]],
            }
            | ({} if intervals is None else _bounds_json(intervals, name))
            for k, name in enumerate(evaluation.systems)
        ],
    }


def metric_score_table(scored: ScoredCorpus, intervals: ScoreIntervals | None = None) -> Table:
    """The score of each system by any metric, one system per row, in the corpus's order."""
    kinds: dict[str, Kind] = {"system": "text", "score": "points"}
    if intervals is not None:
        kinds |= {"low": "points", "high": "points"}
    rows = tuple(
        (name, score, *_bounds(intervals, name))
        for name, score in zip(scored.table.systems, scored.scores.tolist(), strict=True)
    )
    return Table(kinds, rows)


def metric_score_json(scored: ScoredCorpus, evaluation: Evaluation, intervals: ScoreIntervals | None = None) -> Json:
    """The contract of `bleu-core score --format json` for metrics other than BLEU."""
    return {
        "signature": scored.signature,
        "metric": scored.name,
        "settings": asdict(evaluation.settings),
        "references": list(evaluation.references),
        "segments": evaluation.segments,
        "systems": [
            {"system": name, "score": none_if_nan(score)}
            | ({} if intervals is None else _bounds_json(intervals, name, "score"))
            | ({"reason": scored.metric.undefined} if math.isnan(score) else {})
            for name, score in zip(scored.table.systems, scored.scores.tolist(), strict=True)
        ],
    }


def precision_table(evaluation: Evaluation, intervals: ScoreIntervals | None = None) -> Table:
    """Precisions by system and order, with the counts behind them."""
    scores = evaluation.scores
    kinds: dict[str, Kind] = {
        "system": "text",
        "order": "count",
        "precision": "fraction",
    }
    if intervals is not None:
        kinds |= {"low": "fraction", "high": "fraction"}
    kinds |= {"matches": "count", "totals": "count"}
    rows = tuple(
        (
            name,
            n + 1,
            float(scores.precisions[k, n]),
            *(() if intervals is None else _ends(intervals.precisions[name][n])),
            int(scores.matches[k, n]),
            int(scores.totals[k, n]),
        )
        for k, name in enumerate(evaluation.systems)
        for n in range(evaluation.settings.max_order)
    )
    return Table(kinds, rows)


def decay_table(systems: Sequence[str], decays: Sequence[Decay]) -> Table:
    """The fitted rate of decay, a system a row."""
    kinds: dict[str, Kind] = {
        "system": "text",
        "rate": "number",
        "retention": "fraction",
        "r_squared": "fraction",
        "orders": "text",
    }
    rows = tuple(
        (name, d.rate, d.retention, d.r_squared, d.reason or ", ".join(map(str, d.orders)))
        for name, d in zip(systems, decays, strict=True)
    )
    return Table(kinds, rows)


def block_table(result: BlockScores, intervals: ScoreIntervals | None = None) -> Table:
    """Table 2: a system a row, each against the row above."""
    of_bleu = result.metric.key == "bleu"
    kinds: dict[str, Kind] = {
        "system": "text",
        _score_key(result): "points",
        **_bound_kinds(intervals, _score_key(result)),
        "mean": "points",
        "standard_deviation": "points",
        **({"zero_blocks": "count"} if of_bleu else {}),
        "baseline": "text",
        "mean_difference": "difference",
        "t": "points",
        "degrees_of_freedom": "count",
        "p_value": "p",
        "note": "text",
    }
    rows: list[tuple[Cell, ...]] = []
    for k, name in enumerate(result.systems):
        of_system = (
            name,
            float(result.corpus_scores[k]),
            *_bounds(intervals, name),
            float(result.means[k]),
            float(result.standard_deviations[k]),
            *((int(result.zero_blocks[k]),) if of_bleu else ()),
        )
        if k == 0:
            rows.append((*of_system, "", *[math.nan] * 4, ""))
            continue
        pair = result.pairs[k - 1]
        tested = (
            pair.test.mean_difference,
            pair.test.t,
            pair.test.degrees_of_freedom,
            pair.test.p_value,
            pair.test.reason,
        )
        rows.append((*of_system, pair.baseline, *tested))
    return Table(kinds, tuple(rows))


def block_score_table(result: BlockScores) -> Table:
    """The score of every system on every block, a row each."""
    kinds: dict[str, Kind] = {"system": "text", "block": "text", "segments": "count", _score_key(result): "points"}
    blocks = list(zip(result.blocks.names, result.blocks.sizes, strict=True))
    rows = tuple(
        (system, block, size, float(result.scores[k, b]))
        for k, system in enumerate(result.systems)
        for b, (block, size) in enumerate(blocks)
    )
    return Table(kinds, rows)


def blocks_json(result: BlockScores) -> Json:
    """The contract of `bleu-core blocks --format json`."""
    return {
        "signature": result.signature,
        "metric": result.metric.key,
        "block_sizes": list(result.blocks.sizes),
        "systems": [
            {
                "system": name,
                _score_key(result): none_if_nan(float(result.corpus_scores[k])),
                "mean": none_if_nan(float(result.means[k])),
                "standard_deviation": none_if_nan(float(result.standard_deviations[k])),
            }
            | ({"zero_blocks": int(result.zero_blocks[k])} if result.metric.key == "bleu" else {})
            | {"scores": [none_if_nan(score) for score in result.scores[k].tolist()]}
            | ({"reason": result.metric.undefined} if math.isnan(result.means[k]) else {})
            for k, name in enumerate(result.systems)
        ],
        "pairs": [
            {
                "system": pair.system,
                "baseline": pair.baseline,
                "delta": none_if_nan(pair.delta),
                "mean_difference": none_if_nan(pair.test.mean_difference),
                "t": none_if_nan(pair.test.t),
                "degrees_of_freedom": pair.test.degrees_of_freedom,
                "p_value": none_if_nan(pair.test.p_value),
            }
            | ({"reason": pair.test.reason} if pair.test.reason else {})
            for pair in result.pairs
        ],
    }


def agreement_table(result: Agreement, intervals: ScoreIntervals | None = None) -> Table:
    """BLEU, or another score, and mean rating, a system a row; both scaled from worst to best as in Figure 7."""
    score = "bleu" if result.metric == "BLEU" else "score"
    kinds: dict[str, Kind] = {
        "system": "text",
        score: "points" if score == "bleu" else "number",
        **_bound_kinds(intervals),
        "human": "number",
        f"{score}_normalised": "fraction",
        "human_normalised": "fraction",
    }
    columns = (
        result.scores,
        result.human,
        normalised_by_range(result.oriented_scores),
        normalised_by_range(result.human),
    )
    rows = tuple(
        (name, float(bleu), *_bounds(intervals, name), *(float(value) for value in values))
        for name, bleu, *values in zip(result.systems, *columns, strict=True)
    )
    return Table(kinds, rows)


def correlation_table(result: Agreement) -> Table:
    """The coefficients, one a row."""
    kinds: dict[str, Kind] = {
        "coefficient": "text",
        "value": "number",
        "low": "number",
        "high": "number",
        "p_value": "p",
        "note": "text",
    }
    rows: list[tuple[Cell, ...]] = [
        (c.method, c.coefficient, c.interval.low, c.interval.high, c.p_value, c.note) for c in result.correlations
    ]
    accuracy = result.pairwise_accuracy
    note = f"{accuracy.agreeing} of {accuracy.pairs} pairs"
    rows.append(("pairwise accuracy", accuracy.value, math.nan, math.nan, math.nan, note))
    return Table(kinds, tuple(rows))


def correlate_json(result: Agreement) -> Json:
    """The contract of `bleu-core correlate --format json`."""
    accuracy, line = result.pairwise_accuracy, result.regression
    return {
        "signature": result.signature,
        "level": "system",
        "excluded": [asdict(e) for e in result.excluded],
        "systems": [
            {"system": name, "bleu": float(b), "human": float(h)}
            for name, b, h in zip(result.systems, result.oriented_scores, result.human, strict=True)
        ],
        **{c.method: _correlation_json(c) for c in result.correlations},
        "pairwise_accuracy": {
            "value": none_if_nan(accuracy.value),
            "agreeing": accuracy.agreeing,
            "pairs": accuracy.pairs,
        },
        "regression": {"slope": none_if_nan(line.slope), "intercept": none_if_nan(line.intercept)}
        | ({"reason": line.reason} if line.reason else {}),
    }


def _score_key(result: BlockScores) -> str:
    """The name of a corpus score in tables and JSON."""
    return "bleu" if result.metric.key == "bleu" else "score"


def _bound_kinds(intervals: ScoreIntervals | None, score: str = "bleu") -> dict[str, Kind]:
    """Columns for the interval of a score, where there are intervals."""
    return {} if intervals is None else {f"{score}_low": "points", f"{score}_high": "points"}


def _bounds(intervals: ScoreIntervals | None, system: str) -> tuple[float, ...]:
    return () if intervals is None else _ends(intervals.scores[system])


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _bounds_json(intervals: ScoreIntervals, system: str, score: str = "bleu") -> Json:
    found = intervals.scores[system]
    return {
        f"{score}_low": none_if_nan(found.low),
        f"{score}_high": none_if_nan(found.high),
        "confidence": found.confidence,
        "resamples": intervals.resamples,
    }


def _correlation_json(c: Correlation) -> Json:
    found: Json = {
        "coefficient": none_if_nan(c.coefficient),
        "low": none_if_nan(c.interval.low),
        "high": none_if_nan(c.interval.high),
        "p_value": none_if_nan(c.p_value),
    }
    return found | ({"reason": c.note} if c.note else {})


def _length(value: float) -> int | float:
    """Lengths are whole but for the average over references."""
    return int(value) if float(value).is_integer() else float(value)
