"""Agreement of metrics with people, by segment and ranked, as tables and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from bleu_core.meta_evaluation import SEGMENT_METHODS, SegmentLevel, SystemLevel
from bleu_core.metric_tests import MetricRanking
from bleu_core.report import correlate_json, correlation_table
from bleu_core.scatter import Scatter
from bleu_core.segment_level import GROUPINGS, CalibratedAccuracy, SegmentCorrelation
from bleu_core.table import Cell, Json, Kind, Table, none_if_nan

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


def ranking_table(ranking: MetricRanking) -> Table:
    """Metrics, the one that agrees best first; the corrected p of being told from the first of its list."""
    kinds: dict[str, Kind] = {"rank": "count", "metric": "text", ranking.method: "number", "corrected_p_to_best": "p"}
    rows = tuple(
        (int(ranking.ranks[i]), name, float(ranking.coefficients[i]), float(ranking.p_values_adjusted[0, i]))
        for i, name in enumerate(ranking.metrics)
    )
    return Table(kinds, rows)


def system_level_json(result: SystemLevel) -> Json:
    """The contract of `bleu-core correlate --level system --format json`."""
    first, *others = result.agreements
    content = correlate_json(first)
    if result.ranking is None:
        return content
    metrics = [
        {"metric": a.metric}
        | {key: value for key, value in correlate_json(a).items() if key not in ("signature", "level", "excluded")}
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
