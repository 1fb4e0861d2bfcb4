"""Agreement of metrics with people, by segment and ranked, as tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from types import MappingProxyType

from bleu_core.agreement import (
    BLEU,
    CONFIDENCE,
    GROUPINGS,
    SEGMENT_METHODS,
    Agreement,
    CalibratedAccuracy,
    MetricRanking,
    Robustness,
    Scatter,
    SegmentCorrelation,
    SegmentLevel,
    SystemLevel,
)
from bleu_core.inference import Interval
from bleu_core.reports.scores import correlate_json, correlation_table
from bleu_core.reports.table import Cell, Json, Kind, Table, none_if_nan

#: What stands before the coefficients of ranked metrics.
RANKED: Mapping[str, Kind] = {"rank": "count", "metric": "text", "corrected_p_to_best": "p"}

GROUPING_NAMES = {"none": "all segments", "system": "by system", "item": "by segment"}


def segment_table(result: SegmentLevel) -> Table:
    """Coefficients of segments, a metric, method and grouping a row; acc_eq with its threshold."""
    kinds: dict[str, Kind] = {
        "metric": "text",
        "coefficient": "text",
        "grouping": "text",
        "value": "number",
        "p_value": "p",
        "threshold": "number",
        "entries": "count",
        "groups": "count",
        "dropped": "count",
        "note": "text",
    }
    nan = float("nan")
    rows = [
        (name, c.method, GROUPING_NAMES[c.grouping], c.coefficient, c.p_value, nan, *_counts(c))
        for name, found in result.correlations.items()
        for c in found
    ]
    rows += [
        (name, "acc_eq", GROUPING_NAMES[a.grouping], a.accuracy, nan, a.threshold, *_counts(a))
        for name, a in result.calibrated.items()
    ]
    return Table(kinds, tuple(rows))


def segment_summary(result: SegmentLevel, metric: str) -> Table:
    """Coefficients of one metric, a grouping a row; p is that of Kendall's tau, which is also what is counted."""
    kinds: dict[str, Kind] = {
        "compared": "text",
        "pearson": "number",
        "spearman": "number",
        "kendall": "number",
        "p_value": "p",
        "pairwise_accuracy": "fraction",
        "tie_threshold": "number",
        "entries": "count",
        "groups": "count",
        "dropped": "count",
        "note": "text",
    }
    nan = float("nan")
    accuracy = result.calibrated[metric]
    rows: list[tuple[Cell, ...]] = []
    for grouping in GROUPINGS:
        of_methods = {c.method: c for c in result.correlations[metric] if c.grouping == grouping}
        kendall = of_methods["kendall"]
        calibrated = accuracy.grouping == grouping
        rows.append(
            (
                GROUPING_NAMES[grouping],
                *(of_methods[method].coefficient for method in SEGMENT_METHODS),
                kendall.p_value,
                *((accuracy.accuracy, accuracy.threshold) if calibrated else (nan, nan)),
                *_counts(kendall),
            )
        )
    return Table(kinds, tuple(rows))


def scatter_table(found: Scatter, systems: Sequence[str], positions: Iterable[int] | None = None) -> Table:
    """Entries with both scores, one a row; all of them, or those at some positions in their order."""
    kinds: dict[str, Kind] = {
        "system": "text",
        "segment": "count",
        "score": "number",
        "rating": "number",
        "score_percentile": "count",
        "rating_percentile": "count",
    }
    chosen = list(range(found.size) if positions is None else positions)
    columns = (found.x, found.y, (100 * found.x_percentile).round(1), (100 * found.y_percentile).round(1))
    places = [divmod(int(entry), found.segments) for entry in found.entry[chosen]]
    values = zip(*(column[chosen].tolist() for column in columns), strict=True)
    return Table(kinds, tuple((systems[k], s + 1, *of) for (k, s), of in zip(places, values, strict=True)))


def system_table(result: SystemLevel) -> Table:
    """Coefficients of systems, a metric and coefficient a row."""
    kinds: dict[str, Kind] = {"metric": "text"}
    rows: list[tuple[Cell, ...]] = []
    for agreement in result.agreements:
        of_metric = correlation_table(agreement)
        kinds |= of_metric.kinds
        rows += [(agreement.metric, *row) for row in of_metric.rows]
    return Table(kinds, tuple(rows))


def coefficients_table(
    result: Agreement, found: Robustness, *, bootstrap: bool = False, rest: Agreement | None = None
) -> Table:
    """The coefficients of systems, soft pairwise accuracy among them, one a row.

    Args:
        result: a metric against mean ratings.
        found: what that rests on.
        bootstrap: intervals by the bootstrap over systems instead of by formula.
        rest: the same without some of the systems, for a column of its values.
    """
    kinds: dict[str, Kind] = {
        "coefficient": "text",
        "value": "number",
        **({} if rest is None else {"value_without": "number"}),
        "low": "number",
        "high": "number",
        "p_value": "p",
        "note": "text",
    }
    nan = math.nan
    by_bootstrap = {b.method: b for b in found.over_systems}
    of_rest = {} if rest is None else {c.method: c.coefficient for c in rest.correlations}
    rows: list[tuple[Cell, ...]] = []
    for c in result.correlations:
        interval, note = c.interval, c.note
        if bootstrap and c.method in by_bootstrap:
            interval, note = by_bootstrap[c.method].interval, by_bootstrap[c.method].reason
        without = () if rest is None else (of_rest[c.method],)
        rows.append((c.method, c.coefficient, *without, interval.low, interval.high, c.p_value, note))
    accuracy = result.pairwise_accuracy
    note = f"{accuracy.agreeing} of {accuracy.pairs} pairs"
    bounds = by_bootstrap["pairwise-accuracy"].interval if bootstrap else Interval(nan, nan, CONFIDENCE)
    without = () if rest is None else (rest.pairwise_accuracy.value,)
    rows.append(("pairwise accuracy", accuracy.value, *without, bounds.low, bounds.high, nan, note))
    soft = found.soft_pairwise_accuracy
    bounds = soft.interval if bootstrap else Interval(nan, nan, CONFIDENCE)
    note = soft.reason or f"{soft.pairs} pairs"
    empty = () if rest is None else (nan,)
    rows.append(("soft pairwise accuracy", soft.value, *empty, bounds.low, bounds.high, nan, note))
    return Table(kinds, tuple(rows))


def stability_table(found: Robustness) -> Table:
    """How coefficients move when segments are drawn anew, one a row."""
    kinds: dict[str, Kind] = {
        "coefficient": "text",
        "all_segments": "number",
        "median": "number",
        "low": "number",
        "high": "number",
        "resamples": "count",
        "note": "text",
    }
    rows = tuple(
        (s.method.replace("-", " "), s.coefficient, s.median, s.low, s.high, s.resamples, s.reason)
        for s in found.over_segments
    )
    return Table(kinds, rows)


def leave_one_out_table(found: Robustness) -> Table:
    """Each coefficient without each system in turn, a system a row; how far people put it from the median."""
    kinds: dict[str, Kind] = {
        "system": "text",
        **dict.fromkeys((f"{one.method.replace('-', ' ')} without" for one in found.leave_one_out), "number"),
        "deviations from the median rating": "number",
        "outlier": "text",
    }
    rows = tuple(
        (
            name,
            *(float(one.without[k]) for one in found.leave_one_out),
            float(found.outliers.robust_scores[k]),
            "outlier" if k in found.outliers.indices else "",
        )
        for k, name in enumerate(found.systems)
    )
    return Table(kinds, rows)


def robustness_json(found: Robustness) -> Json:
    """What `bleu-core correlate --format json` says of other systems, other text and single systems."""
    soft = found.soft_pairwise_accuracy
    return {
        "soft_pairwise_accuracy": {
            "value": none_if_nan(soft.value),
            "low": none_if_nan(soft.interval.low),
            "high": none_if_nan(soft.interval.high),
            "pairs": soft.pairs,
        }
        | ({"reason": soft.reason} if soft.reason else {}),
        "over_systems": {
            _key(b.method): {
                "low": none_if_nan(b.interval.low),
                "high": none_if_nan(b.interval.high),
                "resamples": b.resamples,
                "undefined": b.undefined,
            }
            | ({"reason": b.reason} if b.reason else {})
            for b in found.over_systems
        },
        "over_segments": {
            _key(s.method): {
                "median": none_if_nan(s.median),
                "low": none_if_nan(s.low),
                "high": none_if_nan(s.high),
                "resamples": s.resamples,
                "undefined": s.undefined,
            }
            | ({"reason": s.reason} if s.reason else {})
            for s in found.over_segments
        },
        "leave_one_out": [
            {"system": name} | {_key(one.method): none_if_nan(float(one.without[k])) for one in found.leave_one_out}
            for k, name in enumerate(found.systems)
        ],
        "outliers": list(found.outlying),
    }


def _key(method: str) -> str:
    return method.replace("-", "_")


def ranking_table(ranking: MetricRanking) -> Table:
    """Metrics, the one that agrees best first; the corrected p of being told from the first of its list."""
    kinds: dict[str, Kind] = {"rank": "count", "metric": "text", ranking.method: "number", "corrected_p_to_best": "p"}
    rows = tuple(
        (int(ranking.ranks[i]), name, float(ranking.coefficients[i]), float(ranking.p_values_adjusted[0, i]))
        for i, name in enumerate(ranking.metrics)
    )
    return Table(kinds, rows)


def ranked_system_table(result: SystemLevel) -> Table:
    """All coefficients of systems, a metric a row, the one that agrees best first."""
    kinds: dict[str, Kind] = {
        **RANKED,
        **dict.fromkeys(("pearson", "spearman", "kendall", "pairwise_accuracy"), "number"),
        "systems": "count",
        "signature": "text",
    }
    rows = {
        a.metric: (
            *(c.coefficient for c in a.correlations),
            a.pairwise_accuracy.value,
            len(a.systems),
            a.signature,
        )
        for a in result.agreements
    }
    return _ranked(kinds, rows, result.ranking)


def ranked_segment_table(result: SegmentLevel) -> Table:
    """All coefficients of segments, a metric a row, the one that agrees best first."""
    first = next(iter(result.correlations.values()))
    names = [f"{c.method} {GROUPING_NAMES[c.grouping]}" for c in first]
    kinds: dict[str, Kind] = {**RANKED, "acc_eq": "number", "threshold": "number", **dict.fromkeys(names, "number")}
    rows = {
        name: (result.calibrated[name].accuracy, result.calibrated[name].threshold, *(c.coefficient for c in found))
        for name, found in result.correlations.items()
    }
    return _ranked(kinds, rows, result.ranking)


def _ranked(kinds: Mapping[str, Kind], rows: Mapping[str, tuple[Cell, ...]], ranking: MetricRanking | None) -> Table:
    """The metrics in the order of their ranks, those without one at the end."""
    nan = math.nan
    places = {} if ranking is None else {name: i for i, name in enumerate(ranking.metrics)}
    ranks = (
        {}
        if ranking is None
        else {n: (int(ranking.ranks[i]), float(ranking.p_values_adjusted[0, i])) for n, i in places.items()}
    )
    order = sorted(rows, key=lambda name: places.get(name, len(places)))
    return Table(
        kinds,
        tuple((ranks.get(name, (nan, nan))[0], name, ranks.get(name, (nan, nan))[1], *rows[name]) for name in order),
    )


def p_values_table(ranking: MetricRanking) -> Table:
    """The p of each two metrics, a pair a row; the one that agrees better first."""
    kinds: dict[str, Kind] = {"metric": "text", "other": "text", "p_value": "p", "p_value_adjusted": "p"}
    pairs = combinations(range(len(ranking.metrics)), 2)
    rows = tuple(
        (
            ranking.metrics[i],
            ranking.metrics[j],
            float(ranking.p_values[i, j]),
            float(ranking.p_values_adjusted[i, j]),
        )
        for i, j in pairs
    )
    return Table(kinds, rows)


def metric_agreement_json(result: Agreement, found: Robustness) -> Json:
    """One metric as in `bleu-core correlate --level system --format json`; other metrics than BLEU are named.

    Args:
        result: the agreement of the metric with people.
        found: what it rests on.
    """
    content = correlate_json(result) | robustness_json(found)
    if result.metric == BLEU:
        return content
    return (
        {"metric": result.metric} | content | ({} if result.higher_is_better else {"lower_is_better": [result.metric]})
    )


def system_level_json(result: SystemLevel, found: Mapping[str, Robustness] = MappingProxyType({})) -> Json:
    """The contract of `bleu-core correlate --level system --format json`.

    Args:
        result: the metrics, BLEU first.
        found: metric -> what its agreement rests on.
    """
    first, *others = result.agreements
    rests_on = {name: robustness_json(one) for name, one in found.items()}
    content = correlate_json(first) | rests_on.get(first.metric, {})
    if result.ranking is None:
        return content
    metrics = [
        {"metric": a.metric}
        | {key: value for key, value in correlate_json(a).items() if key not in ("level", "excluded")}
        | rests_on.get(a.metric, {})
        for a in others
    ]
    return content | {"metrics": metrics, "ranking": _ranking_json(result.ranking)}


def segment_level_json(result: SegmentLevel) -> Json:
    """The contract of `bleu-core correlate --level segment --format json`."""
    content: Json = {
        "signature": result.signature,
        "level": "segment",
        "excluded": [asdict(e) for e in result.excluded],
        "systems": list(result.systems),
        "correlations": [
            {
                "metric": name,
                "method": c.method,
                "grouping": c.grouping,
                "coefficient": none_if_nan(c.coefficient),
                "p_value": none_if_nan(c.p_value),
                "entries": c.entries,
                "groups": c.groups,
                "dropped": c.dropped,
            }
            | ({"reason": c.reason} if c.reason else {})
            for name, found in result.correlations.items()
            for c in found
        ],
        "calibrated_accuracy": [
            {
                "metric": name,
                "grouping": a.grouping,
                "accuracy": none_if_nan(a.accuracy),
                "threshold": none_if_nan(a.threshold),
                "uncalibrated": none_if_nan(a.uncalibrated),
                "groups": a.groups,
                "dropped": a.dropped,
            }
            | ({"reason": a.reason} if a.reason else {})
            for name, a in result.calibrated.items()
        ],
        "left_out": [{"metric": name, "reason": reason} for name, reason in result.left_out],
    }
    return content if result.ranking is None else content | {"ranking": _ranking_json(result.ranking)}


def _counts(found: SegmentCorrelation | CalibratedAccuracy) -> tuple[int, int, int, str]:
    return found.entries, found.groups, found.dropped, found.reason


def _ranking_json(ranking: MetricRanking) -> Json:
    return {
        "method": ranking.method,
        "grouping": ranking.grouping,
        "test": ranking.test,
        "correction": ranking.correction,
        "alpha": ranking.alpha,
        "entries": ranking.entries,
        "metrics": [
            {"metric": name, "coefficient": float(ranking.coefficients[i]), "rank": int(ranking.ranks[i])}
            for i, name in enumerate(ranking.metrics)
        ],
        "p_values_adjusted": [[none_if_nan(float(p)) for p in row] for row in ranking.p_values_adjusted],
        "excluded": [{"metric": name, "reason": reason} for name, reason in ranking.excluded],
    }
