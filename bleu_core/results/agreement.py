"""Agreement of metrics with human judgments, by system, by segment and ranked, as tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from bleu_core.agreement import (
    ACCURACY,
    COEFFICIENT,
    GROUPINGS,
    KENDALL,
    PEARSON,
    SEGMENT_METHODS,
    SPEARMAN,
    Agreement,
    CalibratedAccuracy,
    Exclusion,
    MetricRanking,
    Robustness,
    Scatter,
    SegmentCorrelation,
    SegmentLevel,
    Stability,
    SystemLevel,
    difference_curve,
    normalised_by_range,
)
from bleu_core.fields import (
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SYSTEM,
    Field,
    Table,
    columns_of,
    field,
    fields_of,
    inline,
    result,
    table_of,
    table_of_columns,
)
from bleu_core.formats import MqmWeights
from bleu_core.inference import CONFIDENCE, Interval
from bleu_core.results.agreement_by_class import ClassesReport
from bleu_core.results.envelope import Envelope, ReportedMetric, envelope_fields, rating_notes
from bleu_core.results.human_ranking import HumanRankingReport
from bleu_core.results.judge_as_metric import JudgeAsMetricReport
from bleu_core.results.judges import JudgesReport
from bleu_core.results.score_differences import ScoreDifferences, score_differences_report
from bleu_core.results.scores import INTERVAL, score_bounds
from bleu_core.scoring import DEFAULT_METRIC

if TYPE_CHECKING:
    from bleu_core.dataset import RatedSegments
    from bleu_core.inference import ScoreIntervals
    from bleu_core.scoring import BleuEvaluation

GROUPING_NAMES = {"none": "all segments", "system": "by system", "item": "by segment"}

METRIC = Field("text", "Name of the metric.")
#: Numbers of a coefficient over segments, and why it is undefined.
COUNTS: Mapping[str, Field] = {
    key: fields_of(SegmentCorrelation)[key] for key in ("entries", "groups", "undefined_groups", "reason")
}
THRESHOLD = fields_of(CalibratedAccuracy)["threshold"]
HUMAN = Field(
    "number",
    "Mean rating: ratings are averaged over judges, then over segments; with `--adjust-judges` the least-squares mean.",
)
UNDEFINED = Interval(math.nan, math.nan, CONFIDENCE)
_LEVEL = f"{100 * CONFIDENCE:g}%"


@result
class RatedSystem:
    """A system's score and mean rating."""

    system: str = field(SYSTEM)
    bleu: float | None = field("points", "Corpus BLEU, if that is the metric.", label="BLEU", default=None)
    score: float | None = field("number", "Score by the metric.", default=None)
    scores: Mapping[str, float] | None = field(
        "number", "Score by each metric, by its name, for the first metric.", only="json", default=None
    )
    bleu_low: float | None = field(
        "points", f"Lower end of the {INTERVAL}.", label="BLEU low", only="table", default=None
    )
    bleu_high: float | None = field(
        "points", f"Upper end of the {INTERVAL}.", label="BLEU high", only="table", default=None
    )
    score_low: float | None = field("number", f"Lower end of the {INTERVAL}.", only="table", default=None)
    score_high: float | None = field("number", f"Upper end of the {INTERVAL}.", only="table", default=None)
    human: float = field(HUMAN)
    human_raw: float | None = field(
        "number", "Mean rating that is not adjusted for judges; with `--adjust-judges`.", default=None
    )
    bleu_normalised: float | None = field(
        "fraction",
        "Scaled so that the worst system is 0 and the best is 1.",
        label="BLEU normalised",
        only="table",
        default=None,
    )
    score_normalised: float | None = field(
        "fraction", "Scaled so that the worst system is 0 and the best is 1.", only="table", default=None
    )
    human_normalised: float | None = field(
        "fraction", "Scaled so that the worst system is 0 and the best is 1.", only="table", default=None
    )
    reason: str | None = field(REASON, only="json", default=None)


@result
class AgreementNumbers:
    """Agreement of a metric's scores of systems with judges."""

    systems: tuple[RatedSystem, ...] = field("object", "Scores and mean ratings of each system.")
    agreement: Agreement = inline(Agreement, "pearson", "spearman", "kendall", "pairwise_accuracy", "regression")
    robustness: Robustness | None = inline(Robustness)
    score_differences: ScoreDifferences | None = field(
        "object", "How often judges agree with a difference between two scores, by its size.", default=None
    )


@result
class MetricAgreement(AgreementNumbers):
    """Agreement of another metric with judges."""

    agreement: Agreement = inline(Agreement, "metric", "signature", "higher_is_better")


@result
class RankedMetric:
    """A metric and its rank."""

    metric: str = field(METRIC)
    coefficient: float = field(COEFFICIENT, best="highest")
    rank: int = field("count", "Rank; no metric agrees significantly better than another of the same rank.")


@result
class LeftOutMetric:
    """A metric that is left out, with the reason."""

    metric: str = field(METRIC)
    reason: str = field(REASON)


@result
class Ranking:
    """Metrics ranked by their agreement with judges."""

    ranking: MetricRanking = inline(MetricRanking)
    metrics: tuple[RankedMetric, ...] = field("object", "Metrics, best agreement first.")
    p_values_adjusted: tuple[tuple[float, ...], ...] = field(
        "object", "Corrected p-value of each pair of metrics, in that order; null if there is none."
    )
    excluded: tuple[LeftOutMetric, ...] = field("object", "Metrics without a coefficient.")


@result
class CorrelationReport(Envelope, JudgesReport, HumanRankingReport):
    """The JSON of `bleu-core correlate` on both levels."""

    states_ratings: ClassVar[bool] = True

    excluded: tuple[Exclusion, ...] = field("object", "Systems that are left out, with the reason.")
    adjusted_for_judges: bool | None = field(
        "text", "True if ratings are adjusted for judges; with `--adjust-judges`.", default=None
    )
    human_scores: tuple[str, ...] | None = field("object", "Human scores in use, by archive.", default=None)
    mqm_weights: MqmWeights | None = field("object", "MQM error weights that were changed.", default=None)
    lower_is_better: tuple[str, ...] | None = field(
        "object", "Metrics for which lower is better; they are negated before coefficients are computed.", default=None
    )
    sentinel: str | None = field(
        "text",
        "What the ranking says about metrics that do not agree better with the judges than the sentinel, or why the "
        "sentinel is left out; with `source length` among the metrics.",
        default=None,
    )
    judge_as_metric: JudgeAsMetricReport | None = field(
        "object",
        "A judge against the mean of the others, beside the metrics; with `--judge-as-metric`.",
        default=None,
    )


@result
class SystemLevelReport(CorrelationReport, AgreementNumbers):
    """The JSON of `bleu-core correlate --level system`."""

    level: Literal["system"] = field("text", "Level of comparison: system or segment.", default="system")
    metrics: tuple[MetricAgreement, ...] | None = field(
        "object", "Results for the metrics other than the first.", default=None
    )
    ranking: Ranking | None = field("object", "All metrics, ranked.", default=None)
    adjusted: tuple[MetricAgreement, ...] | None = field(
        "object",
        "Agreement of each metric with mean ratings adjusted for judges, if judges are confounded with systems and the "
        "other results are of raw ratings.",
        default=None,
    )


@result
class SegmentCoefficient:
    """A coefficient of agreement over segments."""

    metric: str = field(METRIC)
    correlation: SegmentCorrelation = inline(SegmentCorrelation)


@result
class CalibratedResult:
    """Pairwise accuracy with ties calibrated."""

    metric: str = field(METRIC)
    accuracy: CalibratedAccuracy = inline(CalibratedAccuracy)


@result
class SegmentLevelReport(CorrelationReport):
    """The JSON of `bleu-core correlate --level segment`."""

    level: Literal["segment"] = field("text", "Level of comparison: system or segment.", default="segment")
    systems: tuple[str, ...] = field("object", "Systems that are compared.")
    correlations: tuple[SegmentCoefficient, ...] = field("object", "Coefficients of each metric.")
    calibrated_accuracy: tuple[CalibratedResult, ...] = field("object", "Pairwise accuracy with ties calibrated.")
    left_out: tuple[LeftOutMetric, ...] = field("object", "Metrics without segment scores.")
    metrics: tuple[ReportedMetric, ...] | None = field(
        "object", "The metrics, in the order of the coefficients.", default=None
    )
    ranking: Ranking | None = field("object", "All metrics, ranked.", default=None)
    classes: tuple[ClassesReport, ...] | None = field(
        "object", "Agreement of each metric by class of segment; with `--classes`.", default=None
    )


@result
class CoefficientRow:
    """A coefficient of agreement over systems, as a row of a table."""

    coefficient: str = field("text", "The coefficient.")
    value: float = field(
        "number",
        "Pearson: linear correlation. Spearman and Kendall: rank correlation. Pairwise accuracy: fraction of "
        "pairs of systems that the metric and the judges order the same way. Soft pairwise accuracy: 1 minus the mean "
        "difference between the p-values of the metric and of the ratings, both of rated segments.",
    )
    value_without: float | None = field("number", "Coefficient without the excluded systems.", default=None)
    interval: Interval = inline(
        {
            "low": Field(
                "number",
                f"Lower end of the {_LEVEL} interval over systems: the variation of the coefficient with other systems "
                "of this kind.",
            ),
            "high": Field("number", f"Upper end of the {_LEVEL} interval over systems."),
        },
        default=UNDEFINED,
    )
    p_value: float = field(
        P_VALUE,
        (
            "Two-sided p-value: probability of a coefficient at least this far from 0 if scores and ratings were "
            "unrelated."
        ),
        default=math.nan,
    )
    agreeing: float = field(
        "count", "Pairs of systems that the metric and the judges order the same way.", default=math.nan
    )
    pairs: float = field("count", "Pairs of systems.", default=math.nan)
    reason: str = field(REASON, default="")


@result
class SegmentRow:
    """A coefficient of agreement over segments, as a row of a table."""

    metric: str = field(METRIC)
    coefficient: str = field("text", "The coefficient.")
    grouping: str = field("text", "Grouping of the coefficient: all segments, by system or by segment.")
    value: float = field(COEFFICIENT)
    p_value: float = field(P_VALUE)
    threshold: float = field(THRESHOLD)
    counts: SegmentCorrelation | CalibratedAccuracy = inline(COUNTS)


@result
class SegmentSummary:
    """All coefficients of one metric over segments."""

    compared: str = field(
        "text",
        "all segments: one coefficient over all scores of all systems. by system: mean of one coefficient "
        "per system. by segment: mean of one coefficient per segment, computed over its translations.",
    )
    pearson: float = field(PEARSON)
    spearman: float = field(SPEARMAN)
    kendall: float = field(KENDALL)
    p_value: float = field(
        P_VALUE,
        "Two-sided p-value of Kendall's tau over all segments: probability of a coefficient at least this "
        "far from 0 if scores and ratings were unrelated. Averaged coefficients have none.",
    )
    pairwise_accuracy: float = field(
        "fraction",
        "Share of pairs of translations of the same segment that the metric and the judges order the same "
        "way; a tie agrees with a tie. Differences of the metric up to the best threshold count as ties "
        "(acc_eq of Deutsch, Foster and Freitag 2023).",
    )
    tie_threshold: float = field(THRESHOLD)
    counts: SegmentCorrelation = inline(
        {**COUNTS, "groups": Field("count", "Number of coefficients of Kendall's tau that were averaged.")}
    )


@result
class MetricPair:
    """The test between two metrics."""

    metric: str = field("text", "The metric that agrees better.")
    other: str = field("text", "The metric it is compared with.")
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED)


#: Columns of ranked metrics.
RANK = Field("count", "Rank; no metric agrees significantly better than another of the same rank.")
TO_BEST = Field("p", "p-value of the difference from the best metric, corrected for the number of pairs.")


@result
class _OfMetric:
    """The metric that the rest of a row is about."""

    metric: str = field(METRIC)


@result
class _RankedMetric(_OfMetric):
    """A metric and its rank."""

    rank: float = field(RANK)
    corrected_p_to_best: float = field(TO_BEST)


@result
class _RankedCoefficient:
    """The coefficient by which metrics are ranked."""

    by_method: Mapping[str, float] = field(COEFFICIENT, columns="{}")


@result
class _SystemCoefficients:
    """A metric's coefficients over systems."""

    pearson: float = field(PEARSON)
    spearman: float = field(SPEARMAN)
    kendall: float = field(KENDALL)
    pairwise_accuracy: float = field(ACCURACY)
    systems: int = field("count", "Number of systems from which the coefficients are computed.")
    signature: str = field("text", "Signature to quote with the scores.")


@result
class _SegmentCoefficients:
    """A metric's coefficients over segments."""

    acc_eq: float = field("number", "Pairwise accuracy by segment, with ties calibrated (Deutsch et al. 2023).")
    threshold: float = field("number", "Threshold of acc_eq: differences of scores up to this count as ties.")
    coefficients: Mapping[str, float] = field("number", columns="{}", label="{}")


@result
class _Rated:
    """A segment of a system with its score and its rating."""

    system: str = field(SYSTEM)
    segment: int = field("count", "Number of the segment, from 1.")
    score: float = field("decimal", "Score of the segment by the metric.")
    rating: float = field("number", "Mean rating over judges.")
    score_percentile: float = field(
        "percent", "Percentage of segments with a lower score; half of those with an equal score count."
    )
    rating_percentile: float = field(
        "percent", "Percentage of segments with a lower rating; half of those with an equal rating count."
    )


@result
class _RatedDocument:
    """A translated document with its mean score and its mean rating."""

    system: str = field(SYSTEM)
    document: str = field("text", "Name of the document.")
    score: float = field("decimal", "Mean score of its segments by the metric.")
    rating: float = field("number", "Mean rating of its segments.")
    score_percentile: float = field(
        "percent", "Percentage of translated documents with a lower score; half of those with an equal score count."
    )
    rating_percentile: float = field(
        "percent", "Percentage of translated documents with a lower rating; half of those with an equal rating count."
    )


@result
class _Omission:
    """The coefficients without one system."""

    system: str = field(SYSTEM)
    without: Mapping[tuple[str, str], float] = field(
        "number", "Coefficient of the other systems.", columns="{0}_without", label="{1} without"
    )
    deviation_from_median: float = field(
        "number",
        "Distance of the mean rating from the median, in robust standard deviations.",
        label="deviation from the median",
    )
    outlier: str = field("text", "Whether the mean rating is an outlier.")


def agreement_table(agreement: Agreement, intervals: ScoreIntervals | None = None) -> Table:
    """Return scores and mean ratings, also scaled from worst (0) to best (1), as in Figure 7 of the 2002 paper."""
    key = agreement.score_field
    rows: list[RatedSystem] = []
    columns = (
        agreement.scores,
        agreement.human,
        normalised_by_range(agreement.oriented_scores),
        normalised_by_range(agreement.human),
    )
    for name, raw, score, human, scaled, human_scaled in zip(
        agreement.systems, _raw_means(agreement), *(column.tolist() for column in columns), strict=True
    ):
        bounds = {field: end for field, end in score_bounds(intervals, name, key).items() if field.startswith(key)}
        named: Any = {key: score, f"{key}_normalised": scaled, **bounds}
        rows.append(RatedSystem(system=name, human=human, human_raw=raw, human_normalised=human_scaled, **named))
    table = table_of(rows, RatedSystem)
    from_file = agreement.scored_by is None or bool(agreement.scored_by.digest)
    return table.with_decimals(agreement.decimals, "score", "score_low", "score_high") if from_file else table


def _raw_means(agreement: Agreement) -> list[float] | list[None]:
    """Return the unadjusted mean rating of each system; None if ratings are not adjusted for judges."""
    return [None] * len(agreement.systems) if agreement.human_raw is None else agreement.human_raw.tolist()


def segment_table(results: SegmentLevel) -> Table:
    """Return coefficients over segments of each metric, by method and grouping, and acc_eq with its threshold."""
    rows = [
        SegmentRow(
            metric=name,
            coefficient=c.method,
            grouping=GROUPING_NAMES[c.grouping],
            value=c.coefficient,
            p_value=c.p_value,
            threshold=math.nan,
            counts=c,
        )
        for name, coefficients in results.correlations.items()
        for c in coefficients
    ]
    rows += [
        SegmentRow(
            metric=name,
            coefficient="acc_eq",
            grouping=GROUPING_NAMES[a.grouping],
            value=a.accuracy,
            p_value=math.nan,
            threshold=a.threshold,
            counts=a,
        )
        for name, a in results.calibrated.items()
    ]
    return table_of(rows, SegmentRow)


def segment_summary(results: SegmentLevel, metric: str) -> Table:
    """Return the coefficients of one metric by grouping; p and counts are those of Kendall's tau."""
    accuracy = results.calibrated[metric]
    rows: list[SegmentSummary] = []
    for grouping in GROUPINGS:
        by_method = {c.method: c for c in results.correlations[metric] if c.grouping == grouping}
        calibrated = accuracy.grouping == grouping
        coefficients: Any = {method: by_method[method].coefficient for method in SEGMENT_METHODS}
        rows.append(
            SegmentSummary(
                compared=GROUPING_NAMES[grouping],
                **coefficients,
                p_value=by_method["kendall"].p_value,
                pairwise_accuracy=accuracy.accuracy if calibrated else math.nan,
                tie_threshold=accuracy.threshold if calibrated else math.nan,
                counts=by_method["kendall"],
            )
        )
    return table_of(rows, SegmentSummary)


def scatter_table(
    scatter: Scatter,
    systems: Sequence[str],
    positions: Iterable[int] | None = None,
    numbers: Sequence[int] | None = None,
    *,
    decimals: int = 2,
) -> Table:
    """Return the entries with their scores and ratings.

    Args:
        scatter: the entries.
        systems: names of all systems, in the order by which entries are numbered.
        positions: positions of the entries to list, in order; all if None.
        numbers: the number of each segment; from 1 on if None.
        decimals: of the scores.
    """
    numbers = range(1, scatter.segments + 1) if numbers is None else numbers
    return _points_table(_Rated, scatter, systems, positions, decimals=decimals, segment=numbers)


def documents_table(
    points: Scatter, systems: Sequence[str], documents: Sequence[str], positions: Sequence[int], *, decimals: int = 2
) -> Table:
    """Return translated documents with their mean scores and ratings.

    Args:
        points: mean scores and mean ratings, (K, D).
        systems: K names.
        documents: D names.
        positions: positions in `points` of the documents to list, in order.
        decimals: of the scores.
    """
    return _points_table(_RatedDocument, points, systems, positions, decimals=decimals, document=documents)


def _points_table(
    kind: type,
    points: Scatter,
    systems: Sequence[str],
    positions: Iterable[int] | None,
    *,
    decimals: int,
    **names: Sequence[object],
) -> Table:
    """Return points with a column of a name, which has the name of each segment or document."""
    listed = list(range(points.size) if positions is None else positions)
    places = [divmod(int(entry), points.segments) for entry in points.entry[listed]]
    columns = columns_of(  # without a result per entry, as there can be 100,000 entries
        kind,
        system=[systems[k] for k, _ in places],
        **{column: [of_place[s] for _, s in places] for column, of_place in names.items()},
        score=points.x[listed].tolist(),
        rating=points.y[listed].tolist(),
        score_percentile=(100 * points.x_percentile[listed]).round(1).tolist(),
        rating_percentile=(100 * points.y_percentile[listed]).round(1).tolist(),
    )
    return table_of_columns(columns).with_decimals(decimals, "score")


def system_table(results: SystemLevel, robustness: Mapping[str, Robustness]) -> Table:
    """Return the coefficients over systems of each metric, including soft pairwise accuracy."""
    rows = [
        (_OfMetric(metric=agreement.metric), row)
        for agreement in results.agreements
        for row in _coefficient_rows(agreement, robustness[agreement.metric])
    ]
    return table_of(rows, _OfMetric, CoefficientRow)


def coefficients_table(
    agreement: Agreement, robustness: Robustness, *, bootstrap: bool = False, rest: Agreement | None = None
) -> Table:
    """Return the coefficients over systems, including soft pairwise accuracy.

    Args:
        agreement: agreement of a metric with mean ratings.
        robustness: robustness of the agreement.
        bootstrap: whether intervals are those of the bootstrap over systems instead of a formula.
        rest: agreement without some of the systems, for an additional column.
    """
    return table_of(_coefficient_rows(agreement, robustness, bootstrap=bootstrap, rest=rest), CoefficientRow)


def _coefficient_rows(
    agreement: Agreement, robustness: Robustness, *, bootstrap: bool = False, rest: Agreement | None = None
) -> list[CoefficientRow]:
    by_method = {b.method: b for b in robustness.over_systems} if bootstrap else {}
    rest_by_method = {c.method: c.coefficient for c in rest.correlations} if rest else {}
    rows = [
        CoefficientRow(
            coefficient=c.method,
            value=c.coefficient,
            value_without=rest_by_method.get(c.method),
            interval=by_method.get(c.method, c).interval,
            p_value=c.p_value,
            reason=by_method[c.method].reason if c.method in by_method else c.note,
        )
        for c in agreement.correlations
    ]
    accuracy, soft = agreement.pairwise_accuracy, robustness.soft_pairwise_accuracy
    return [
        *rows,
        CoefficientRow(
            coefficient="pairwise accuracy",
            value=accuracy.value,
            value_without=rest.pairwise_accuracy.value if rest else None,
            interval=by_method["pairwise-accuracy"].interval if bootstrap else UNDEFINED,
            agreeing=accuracy.agreeing,
            pairs=accuracy.pairs,
        ),
        CoefficientRow(
            coefficient="soft pairwise accuracy",
            value=soft.value,
            value_without=math.nan if rest else None,
            interval=soft.interval if bootstrap else UNDEFINED,
            pairs=soft.pairs,
            reason=soft.reason,
        ),
    ]


def stability_table(robustness: Robustness) -> Table:
    """Return the distribution of coefficients over resamples of the segments."""
    return table_of(robustness.over_segments, Stability)


def leave_one_out_table(robustness: Robustness) -> Table:
    """Return each coefficient with one system excluded, and the distance of its mean rating from the median."""
    rows = [
        _Omission(
            system=name,
            without={
                (omission.method.replace("-", "_"), omission.method.replace("-", " ")): float(omission.without[k])
                for omission in robustness.leave_one_out
            },
            deviation_from_median=float(robustness.outliers.robust_scores[k]),
            outlier="outlier" if k in robustness.outliers.indices else "",
        )
        for k, name in enumerate(robustness.systems)
    ]
    return table_of(rows, _Omission)


def ranking_table(ranking: MetricRanking) -> Table:
    """Return the metrics, best agreement first, with the corrected p of the difference from the best."""
    rows = {
        name: _RankedCoefficient(by_method={ranking.method: float(ranking.coefficients[i])})
        for i, name in enumerate(ranking.metrics)
    }
    return _ranked(rows, _RankedCoefficient, ranking).ordered("rank", "metric", ranking.method)


def ranked_system_table(results: SystemLevel) -> Table:
    """Return all coefficients over systems, best agreement first."""
    rows = {
        agreement.metric: _SystemCoefficients(
            pearson=agreement.pearson.coefficient,
            spearman=agreement.spearman.coefficient,
            kendall=agreement.kendall.coefficient,
            pairwise_accuracy=agreement.pairwise_accuracy.value,
            systems=len(agreement.systems),
            signature=agreement.signature,
        )
        for agreement in results.agreements
    }
    return _ranked(rows, _SystemCoefficients, results.ranking)


def ranked_segment_table(results: SegmentLevel) -> Table:
    """Return all coefficients over segments, best agreement first."""
    rows = {
        name: _SegmentCoefficients(
            acc_eq=results.calibrated[name].accuracy,
            threshold=results.calibrated[name].threshold,
            coefficients={f"{c.method} {GROUPING_NAMES[c.grouping]}": c.coefficient for c in coefficients},
        )
        for name, coefficients in results.correlations.items()
    }
    return _ranked(rows, _SegmentCoefficients, results.ranking)


def _ranked(coefficients: Mapping[str, object], kind: type, ranking: MetricRanking | None) -> Table:
    """Return the metrics with their coefficients sorted by rank, those without a rank last."""
    ranks: dict[str, tuple[int, int, float]] = {}
    if ranking is not None:
        ranks = {
            name: (i, int(ranking.ranks[i]), float(ranking.p_values_adjusted[0, i]))
            for i, name in enumerate(ranking.metrics)
        }
    rows: list[tuple[object, ...]] = []
    for name in sorted(coefficients, key=lambda name: ranks[name][0] if name in ranks else len(ranks)):
        _, rank, p_value = ranks.get(name, (0, math.nan, math.nan))
        rows.append((_RankedMetric(metric=name, rank=rank, corrected_p_to_best=p_value), coefficients[name]))
    return table_of(rows, _RankedMetric, kind).ordered("rank", "metric")


def p_values_table(ranking: MetricRanking) -> Table:
    """Return the p of each pair of metrics, the better one first."""
    rows = [
        MetricPair(
            metric=ranking.metrics[i],
            other=ranking.metrics[j],
            p_value=float(ranking.p_values[i, j]),
            p_value_adjusted=float(ranking.p_values_adjusted[i, j]),
        )
        for i, j in combinations(range(len(ranking.metrics)), 2)
    ]
    return table_of(rows, MetricPair)


def metric_report(agreement: Agreement, robustness: Robustness, evaluation: BleuEvaluation) -> SystemLevelReport:
    """Return one metric's agreement in the form that `bleu-core correlate --level system` reports for BLEU.

    Args:
        agreement: agreement of the metric with judges.
        robustness: robustness of the agreement.
        evaluation: evaluation of the same texts by BLEU.
    """
    report = system_level_report(SystemLevel((agreement,), None), evaluation, {agreement.metric: robustness})
    return report if agreement.higher_is_better else replace(report, lower_is_better=(agreement.metric,))


def system_level_report(
    results: SystemLevel, evaluation: BleuEvaluation, robustness: Mapping[str, Robustness] = MappingProxyType({})
) -> SystemLevelReport:
    """Return the JSON report of `bleu-core correlate --level system`.

    Args:
        results: agreement of the metrics, the metric of main interest first.
        evaluation: the evaluation by BLEU.
        robustness: metric -> robustness of its agreement.
    """
    first, *others = results.agreements
    ranked: Any = {}
    if results.ranking is not None:
        metrics = tuple(MetricAgreement(**_numbers(a, robustness.get(a.metric))) for a in others)
        ranked = {"metrics": metrics, "ranking": _ranking(results.ranking)}
    numbers = _numbers(first, robustness.get(first.metric))
    by_metric = {a.metric: dict(zip(a.systems, a.scores.tolist(), strict=True)) for a in results.agreements}
    numbers["systems"] = tuple(_with_scores(row, by_metric) for row in numbers["systems"])
    return SystemLevelReport(
        **_head(evaluation, first.key, first.signature, rated=first.rated),
        excluded=first.excluded,
        **numbers,
        **ranked,
        adjusted_for_judges=True if first.human_raw is not None else None,
    )


def metric_agreements(agreements: Sequence[Agreement]) -> tuple[MetricAgreement, ...]:
    """Return the agreement of metrics with judges, without its robustness."""
    return tuple(MetricAgreement(**_numbers(a, None)) for a in agreements)


def segment_level_report(results: SegmentLevel, evaluation: BleuEvaluation) -> SegmentLevelReport:
    """Return the JSON report of `bleu-core correlate --level segment`."""
    first = results.metrics[0].key if results.metrics else DEFAULT_METRIC
    return SegmentLevelReport(
        **_head(evaluation, first, results.signature, rated=results.rated),
        excluded=results.excluded,
        systems=results.systems,
        correlations=tuple(
            SegmentCoefficient(metric=name, correlation=c)
            for name, coefficients in results.correlations.items()
            for c in coefficients
        ),
        calibrated_accuracy=tuple(CalibratedResult(metric=name, accuracy=a) for name, a in results.calibrated.items()),
        left_out=tuple(LeftOutMetric(metric=name, reason=reason) for name, reason in results.left_out),
        metrics=tuple(
            ReportedMetric(metric=m.name, signature=m.signature, higher_is_better=m.higher_is_better)
            for m in results.metrics
        )
        or None,
        ranking=None if results.ranking is None else _ranking(results.ranking),
    )


def _with_scores(system: RatedSystem, by_metric: Mapping[str, Mapping[str, float]]) -> RatedSystem:
    """Return a system with its score by each metric, and which of them have none."""
    missing = [name for name, scores in by_metric.items() if system.system not in scores]
    return replace(
        system,
        scores={name: scores.get(system.system, math.nan) for name, scores in by_metric.items()},
        reason=f"no score by {', '.join(missing)}" if missing else None,
    )


def _head(evaluation: BleuEvaluation, metric: str, signature: str, *, rated: RatedSegments | None) -> dict[str, Any]:
    """Return the first fields of a report whose first metric has this key and signature."""
    head: dict[str, Any] = envelope_fields(evaluation, warnings=rating_notes(rated))
    return head | {"signature": signature, "metric": metric}


def _numbers(agreement: Agreement, robustness: Robustness | None) -> dict[str, Any]:
    """Return the attributes of AgreementNumbers; scores have the metric's own direction."""
    return {
        "systems": tuple(
            RatedSystem(system=name, **{"score": score, agreement.score_field: score}, human=human, human_raw=raw)
            for name, score, human, raw in zip(
                agreement.systems,
                agreement.scores.tolist(),
                agreement.human.tolist(),
                _raw_means(agreement),
                strict=True,
            )
        ),
        "agreement": agreement,
        "robustness": robustness,
        "score_differences": None if robustness is None else score_differences_report(difference_curve(agreement)),
    }


def _ranking(ranking: MetricRanking) -> Ranking:
    return Ranking(
        ranking=ranking,
        metrics=tuple(
            RankedMetric(metric=name, coefficient=float(ranking.coefficients[i]), rank=int(ranking.ranks[i]))
            for i, name in enumerate(ranking.metrics)
        ),
        p_values_adjusted=tuple(tuple(row) for row in ranking.p_values_adjusted.tolist()),
        excluded=tuple(LeftOutMetric(metric=name, reason=reason) for name, reason in ranking.excluded),
    )
