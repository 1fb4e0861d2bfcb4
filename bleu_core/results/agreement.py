"""Agreement of metrics with human judgments, by system, by segment and ranked, as tables and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from bleu_core.agreement import (
    BLEU,
    COEFFICIENT,
    GROUPINGS,
    SEGMENT_METHODS,
    Agreement,
    CalibratedAccuracy,
    Coefficient,
    Exclusion,
    MetricRanking,
    RegressionLine,
    Robustness,
    Scatter,
    SegmentCorrelation,
    SegmentLevel,
    Stability,
    SystemLevel,
    bleu_variants,
    difference_curve,
    normalised_by_range,
)
from bleu_core.fields import P_VALUE, P_VALUE_ADJUSTED, REASON, SYSTEM, Cell, Field, Table, field, result, table_of
from bleu_core.formats import MqmWeights
from bleu_core.inference import CONFIDENCE, Interval
from bleu_core.results.agreement_by_class import ClassesReport
from bleu_core.results.envelope import Envelope, about, rating_notes
from bleu_core.results.human_ranking import HumanRankingReport
from bleu_core.results.judges import JudgesReport
from bleu_core.results.score_differences import ScoreDifferences, score_differences_report
from bleu_core.results.scores import INTERVAL

if TYPE_CHECKING:
    from bleu_core.inference import ScoreIntervals
    from bleu_core.scoring import BleuEvaluation

GROUPING_NAMES = {"none": "all segments", "system": "by system", "item": "by segment"}

METRIC = Field("text", "Name of the metric.")
ENTRIES = Field("count", "Segments of systems with both a score and a rating.")
GROUPS = Field("count", "Number of coefficients that were averaged.")
DROPPED = Field(
    "count",
    ("Systems or segments without a coefficient, because they have fewer than two entries or all entries are equal."),
)
THRESHOLD = Field("number", "Differences of scores up to this threshold count as ties; in the metric's unit.")
HUMAN = Field(
    "number",
    "Mean rating: ratings are averaged over judges, then over segments; with `--adjust-judges` the least-squares mean.",
)
PEARSON = Field("number", "Linear correlation, from −1 to 1.")
SPEARMAN = Field("number", "Correlation of the ranks, from −1 to 1.")
KENDALL = Field(
    "number", "Share of pairs in the same order minus share in the opposite order, adjusted for ties (tau-b)."
)
PAIRWISE_ACCURACY = Field("number", "Fraction of pairs that both order the same way; a tie agrees with a tie.")
#: Why a coefficient without one system is undefined.
FEW_OTHERS = "too few other systems, or all their values are equal"
_LEVEL = f"{100 * CONFIDENCE:g}%"


@result
class Accuracy:
    """Pairwise accuracy over systems."""

    value: float = field(PAIRWISE_ACCURACY, undefined="no pair of systems")
    agreeing: int = field("count", "Pairs that both order the same way.")
    pairs: int = field("count", "Number of pairs.")


@result
class SoftAccuracy:
    """Soft pairwise accuracy over systems."""

    value: float = field(
        "fraction", "1 minus the mean difference between the p-values of the metric and of the ratings."
    )
    low: float = field("fraction", f"Lower end of the {_LEVEL} interval over systems.")
    high: float = field("fraction", f"Upper end of the {_LEVEL} interval over systems.")
    pairs: int = field("count", "Pairs of systems.")
    reason: str = field(REASON, default="")


@result
class OverSystems:
    """The bootstrap interval of a coefficient over systems."""

    low: float = field("number", f"Lower end of the {_LEVEL} interval.")
    high: float = field("number", f"Upper end of the {_LEVEL} interval.")
    resamples: int = field("count", "Resamples of the systems.")
    undefined: int = field("count", "Resamples in which the coefficient is undefined.")
    reason: str = field(REASON, default="")


@result
class OverSegments:
    """How a coefficient moves when segments are resampled."""

    coefficient: str = field("text", "The coefficient.", only="table")
    all_segments: float = field("number", "Value on all segments.", only="table")
    median: float = field("number", "Median over resamples of the segments.")
    low: float = field("number", f"Lower end of the range that holds {_LEVEL} of the resamples.")
    high: float = field("number", f"Upper end of the range that holds {_LEVEL} of the resamples.")
    resamples: int = field("count", "Resamples of the segments.")
    undefined: int = field("count", "Resamples in which the coefficient is undefined.", only="json")
    reason: str = field(REASON, default="")


@result
class RatedSystem:
    """A system's score beside its mean rating."""

    system: str = field(SYSTEM)
    bleu: float | None = field("points", "Corpus BLEU, where that is the metric.", label="BLEU", default=None)
    score: float | None = field("number", "Score by the metric.", default=None)
    bleu_low: float | None = field(
        "points", f"Lower end of the {INTERVAL}.", label="BLEU low", only="table", default=None
    )
    bleu_high: float | None = field(
        "points", f"Upper end of the {INTERVAL}.", label="BLEU high", only="table", default=None
    )
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


@result
class WithoutSystem:
    """Coefficients without one of the systems."""

    system: str = field("text", "System that is excluded.")
    pearson: float | None = field(PEARSON, undefined=FEW_OTHERS, default=None)
    spearman: float | None = field(SPEARMAN, undefined=FEW_OTHERS, default=None)
    kendall: float | None = field(KENDALL, undefined=FEW_OTHERS, default=None)
    pairwise_accuracy: float | None = field(PAIRWISE_ACCURACY, undefined=FEW_OTHERS, default=None)


@result
class AgreementNumbers:
    """How well a metric's scores of systems agree with people."""

    systems: tuple[RatedSystem, ...] = field("object", "Scores and mean ratings of each system.")
    pearson: Coefficient = field("object", "Pearson's r.")
    spearman: Coefficient = field("object", "Spearman's rank correlation.")
    kendall: Coefficient = field("object", "Kendall's tau-b.")
    pairwise_accuracy: Accuracy = field("object", "Pairwise accuracy.")
    regression: RegressionLine = field("object", "Least-squares regression of mean ratings on scores.")
    soft_pairwise_accuracy: SoftAccuracy | None = field("object", "Soft pairwise accuracy.", default=None)
    over_systems: Mapping[str, OverSystems] | None = field(
        "object", "Bootstrap intervals over systems, by coefficient.", default=None
    )
    over_segments: Mapping[str, OverSegments] | None = field(
        "object", "How each coefficient varies when segments are resampled.", default=None
    )
    leave_one_out: tuple[WithoutSystem, ...] | None = field(
        "object", "Coefficients with one system excluded at a time.", default=None
    )
    outliers: tuple[str, ...] | None = field(
        "object", "Systems whose mean rating lies far from the median.", default=None
    )
    score_differences: ScoreDifferences | None = field(
        "object", "How often judges agree with a difference between two scores, by its size.", default=None
    )


@result
class MetricAgreement(AgreementNumbers):
    """How well another metric agrees with people."""

    metric: str = field(METRIC)
    signature: str = field("text", "Signature to quote with the scores.")


@result
class RankedMetric:
    """A metric and its rank."""

    metric: str = field(METRIC)
    coefficient: float = field(COEFFICIENT, best="highest")
    rank: int = field("count", "Rank; no metric agrees significantly better than another of the same rank.")


@result
class LeftOutMetric:
    """A metric that is left out, and why."""

    metric: str = field(METRIC)
    reason: str = field(REASON)


@result
class Ranking:
    """Metrics ranked by their agreement with people."""

    method: str = field("text", "Coefficient by which metrics are ranked.")
    grouping: str = field(
        "text", "Whether the coefficient is computed over all segments at once, or averaged over segments or systems."
    )
    test: str = field("text", "Test that compares two metrics.")
    correction: str = field("text", "How p-values are corrected for the number of pairs.")
    alpha: float = field("fraction", "Significance level.")
    entries: int = field(
        "count", "Number of systems, or of translated segments, from which the coefficients are computed."
    )
    metrics: tuple[RankedMetric, ...] = field("object", "Metrics, best agreement first.")
    p_values_adjusted: tuple[tuple[float, ...], ...] = field(
        "object", "Corrected p-value of each pair of metrics, in that order; null where there is none."
    )
    excluded: tuple[LeftOutMetric, ...] = field("object", "Metrics without a coefficient.")


@result
class CorrelationReport(Envelope, JudgesReport, HumanRankingReport):
    """What the JSON of `bleu-core correlate` has on both levels."""

    excluded: tuple[Exclusion, ...] = field("object", "Systems that are left out, with the reason.")
    adjusted_for_judges: bool | None = field(
        "text", "True where ratings are adjusted for judges; with `--adjust-judges`.", default=None
    )
    human_scores: tuple[str, ...] | None = field("object", "Human scores in use, by archive.", default=None)
    mqm_weights: MqmWeights | None = field("object", "MQM error weights that were changed.", default=None)
    lower_is_better: tuple[str, ...] | None = field(
        "object", "Metrics for which lower is better; they are negated before coefficients are computed.", default=None
    )


@result
class SystemLevelReport(CorrelationReport, AgreementNumbers):
    """The JSON of `bleu-core correlate --level system`."""

    level: Literal["system"] = field("text", "Whether systems or segments are compared.", default="system")
    metrics: tuple[MetricAgreement, ...] | None = field("object", "Results for other metrics.", default=None)
    ranking: Ranking | None = field("object", "All metrics, ranked.", default=None)


@result
class SegmentCoefficient:
    """A coefficient of agreement over segments."""

    metric: str = field(METRIC)
    method: str = field("text", "The coefficient.")
    grouping: str = field("text", "Grouping: none (all segments at once), or averaged by system or by item (segment).")
    coefficient: float = field(COEFFICIENT)
    p_value: float = field(P_VALUE, undefined="averaged coefficients have no p-value")
    entries: int = field(ENTRIES)
    groups: int = field(GROUPS)
    dropped: int = field(DROPPED)
    reason: str = field(REASON, default="")


@result
class CalibratedResult:
    """Pairwise accuracy with ties calibrated."""

    metric: str = field(METRIC)
    grouping: str = field("text", "Grouping: none (all segments at once), or averaged by system or by item (segment).")
    accuracy: float = field(PAIRWISE_ACCURACY)
    threshold: float = field(THRESHOLD)
    uncalibrated: float = field("number", "Accuracy with a threshold of 0.")
    groups: int = field(GROUPS)
    dropped: int = field(DROPPED)
    reason: str = field(REASON, default="")


@result
class SegmentLevelReport(CorrelationReport):
    """The JSON of `bleu-core correlate --level segment`."""

    level: Literal["segment"] = field("text", "Whether systems or segments are compared.", default="segment")
    systems: tuple[str, ...] = field("object", "Systems that are compared.")
    correlations: tuple[SegmentCoefficient, ...] = field("object", "Coefficients of each metric.")
    calibrated_accuracy: tuple[CalibratedResult, ...] = field("object", "Pairwise accuracy with ties calibrated.")
    left_out: tuple[LeftOutMetric, ...] = field("object", "Metrics without segment scores.")
    ranking: Ranking | None = field("object", "All metrics, ranked.", default=None)
    classes: tuple[ClassesReport, ...] | None = field(
        "object", "Agreement of each metric by class of segment; with `--classes`.", default=None
    )


@result
class CoefficientRow:
    """A coefficient of agreement over systems, in a table."""

    coefficient: str = field("text", "The coefficient.")
    value: float = field(
        "number",
        "Pearson: linear correlation. Spearman and Kendall: rank correlation. Pairwise accuracy: fraction of "
        "pairs of systems that both order the same way. Soft pairwise accuracy: 1 minus the mean difference "
        "between the p-values of the metric and of the ratings.",
    )
    value_without: float | None = field("number", "Coefficient without the excluded systems.", default=None)
    low: float = field(
        "number",
        (
            f"Lower end of the {_LEVEL} interval over systems: how the coefficient would vary with other systems "
            "of this kind."
        ),
    )
    high: float = field("number", f"Upper end of the {_LEVEL} interval over systems.")
    p_value: float = field(
        P_VALUE,
        (
            "Two-sided p-value: probability of a coefficient at least this far from 0 if scores and ratings were "
            "unrelated."
        ),
    )
    agreeing: float = field("count", "Pairs of systems that both order the same way.", default=math.nan)
    pairs: float = field("count", "Pairs of systems.", default=math.nan)
    reason: str = field(REASON, default="")


@result
class SegmentRow:
    """A coefficient of agreement over segments, in a table."""

    metric: str = field(METRIC)
    coefficient: str = field("text", "The coefficient.")
    grouping: str = field("text", "What the coefficient is computed over.")
    value: float = field(COEFFICIENT)
    p_value: float = field(P_VALUE)
    threshold: float = field(THRESHOLD)
    entries: int = field(ENTRIES)
    groups: int = field(GROUPS)
    dropped: int = field(DROPPED)
    reason: str = field(REASON, default="")


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
    entries: int = field(ENTRIES)
    groups: int = field("count", "Number of coefficients of Kendall's tau that were averaged.")
    dropped: int = field(DROPPED)
    reason: str = field(REASON, default="")


@result
class MetricPair:
    """The test between two metrics."""

    metric: str = field("text", "The metric that agrees better.")
    other: str = field("text", "The metric it is compared with.")
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED)


#: Columns of metrics that are ranked.
RANK = Field("count", "Rank; no metric agrees significantly better than another of the same rank.")
TO_BEST = Field("p", "p-value of the difference from the best metric, corrected for the number of pairs.")
RANKED: Mapping[str, Field] = {"rank": RANK, "metric": METRIC, "corrected_p_to_best": TO_BEST}

_SCATTER: Mapping[str, Field] = {
    "system": SYSTEM,
    "segment": Field("count", "Number of the segment, from 1."),
    "score": Field("decimal", "Score of the segment by the metric."),
    "rating": Field("number", "Mean rating over judges."),
    "score_percentile": Field(
        "percent", "Percentage of segments with a lower score; half of those with an equal score count."
    ),
    "rating_percentile": Field(
        "percent", "Percentage of segments with a lower rating; half of those with an equal rating count."
    ),
}


def agreement_table(found: Agreement, intervals: ScoreIntervals | None = None) -> Table:
    """Scores beside mean ratings; both also scaled from worst (0) to best (1), as in Figure 7."""
    of_bleu = found.metric == BLEU
    rows: list[RatedSystem] = []
    columns = found.scores, found.human, normalised_by_range(found.oriented_scores), normalised_by_range(found.human)
    for name, raw, score, human, scaled, human_scaled in zip(
        found.systems, _raw_means(found), *(column.tolist() for column in columns), strict=True
    ):
        named: Any = (
            {"bleu": score, "bleu_normalised": scaled} if of_bleu else {"score": score, "score_normalised": scaled}
        )
        if intervals is not None:
            named |= {"bleu_low": intervals.scores[name].low, "bleu_high": intervals.scores[name].high}
        rows.append(RatedSystem(system=name, human=human, human_raw=raw, human_normalised=human_scaled, **named))
    return table_of(rows, RatedSystem)


def _raw_means(found: Agreement) -> list[float] | list[None]:
    """Of each system the mean rating that is not adjusted for judges; None where none is adjusted."""
    return [None] * len(found.systems) if found.human_raw is None else found.human_raw.tolist()


def segment_table(found: SegmentLevel) -> Table:
    """Coefficients over segments of each metric, by method and grouping; acc_eq with its threshold."""
    rows = [
        SegmentRow(
            metric=name,
            coefficient=c.method,
            grouping=GROUPING_NAMES[c.grouping],
            value=c.coefficient,
            p_value=c.p_value,
            threshold=math.nan,
            **_counts(c),
        )
        for name, of_metric in found.correlations.items()
        for c in of_metric
    ]
    rows += [
        SegmentRow(
            metric=name,
            coefficient="acc_eq",
            grouping=GROUPING_NAMES[a.grouping],
            value=a.accuracy,
            p_value=math.nan,
            threshold=a.threshold,
            **_counts(a),
        )
        for name, a in found.calibrated.items()
    ]
    return table_of(rows, SegmentRow)


def segment_summary(found: SegmentLevel, metric: str) -> Table:
    """Coefficients of one metric, by grouping; p is that of Kendall's tau, and so are the counts."""
    accuracy = found.calibrated[metric]
    rows: list[SegmentSummary] = []
    for grouping in GROUPINGS:
        of_methods = {c.method: c for c in found.correlations[metric] if c.grouping == grouping}
        calibrated = accuracy.grouping == grouping
        coefficients: Any = {method: of_methods[method].coefficient for method in SEGMENT_METHODS}
        rows.append(
            SegmentSummary(
                compared=GROUPING_NAMES[grouping],
                **coefficients,
                p_value=of_methods["kendall"].p_value,
                pairwise_accuracy=accuracy.accuracy if calibrated else math.nan,
                tie_threshold=accuracy.threshold if calibrated else math.nan,
                **_counts(of_methods["kendall"]),
            )
        )
    return table_of(rows, SegmentSummary)


def scatter_table(
    found: Scatter,
    systems: Sequence[str],
    positions: Iterable[int] | None = None,
    numbers: Sequence[int] | None = None,
) -> Table:
    """Entries with both scores.

    Args:
        found: the entries.
        systems: all, in the order the entries are numbered by.
        positions: of the entries to list, in their order; all if None.
        numbers: the number of each segment; from 1 on if None.
    """
    numbers = range(1, found.segments + 1) if numbers is None else numbers
    chosen = list(range(found.size) if positions is None else positions)
    columns = (found.x, found.y, (100 * found.x_percentile).round(1), (100 * found.y_percentile).round(1))
    places = [divmod(int(entry), found.segments) for entry in found.entry[chosen]]
    values = zip(*(column[chosen].tolist() for column in columns), strict=True)
    # Not results one by one: there can be 100,000 entries.
    return Table(_SCATTER, tuple((systems[k], numbers[s], *of) for (k, s), of in zip(places, values, strict=True)))


def system_table(found: SystemLevel) -> Table:
    """Coefficients over systems of each metric."""
    tables = {agreement.metric: correlation_table(agreement) for agreement in found.agreements}
    columns = {"metric": METRIC} | dict(next(iter(tables.values())).columns)
    return Table(columns, tuple((metric, *row) for metric, table in tables.items() for row in table.rows))


def correlation_table(found: Agreement) -> Table:
    """The coefficients over systems."""
    return table_of([*_correlation_rows(found), _accuracy_row(found)], CoefficientRow)


def coefficients_table(
    found: Agreement, rests_on: Robustness, *, bootstrap: bool = False, rest: Agreement | None = None
) -> Table:
    """The coefficients over systems, soft pairwise accuracy among them.

    Args:
        found: a metric against mean ratings.
        rests_on: what that rests on.
        bootstrap: intervals by the bootstrap over systems instead of by formula.
        rest: the same without some of the systems, for a column of its values.
    """
    by_method = {b.method: b for b in rests_on.over_systems} if bootstrap else {}
    of_rest = {c.method: c.coefficient for c in rest.correlations} if rest else {}
    rows = [
        CoefficientRow(
            coefficient=c.method,
            value=c.coefficient,
            value_without=of_rest.get(c.method),
            low=(by_method[c.method].interval if c.method in by_method else c.interval).low,
            high=(by_method[c.method].interval if c.method in by_method else c.interval).high,
            p_value=c.p_value,
            reason=by_method[c.method].reason if c.method in by_method else c.note,
        )
        for c in found.correlations
    ]
    unknown = Interval(math.nan, math.nan, CONFIDENCE)
    bounds = by_method["pairwise-accuracy"].interval if bootstrap else unknown
    rows.append(_accuracy_row(found, bounds, rest))
    soft = rests_on.soft_pairwise_accuracy
    bounds = soft.interval if bootstrap else unknown
    rows.append(
        CoefficientRow(
            coefficient="soft pairwise accuracy",
            value=soft.value,
            value_without=math.nan if rest else None,
            low=bounds.low,
            high=bounds.high,
            p_value=math.nan,
            pairs=soft.pairs,
            reason=soft.reason,
        )
    )
    return table_of(rows, CoefficientRow)


def _correlation_rows(found: Agreement) -> list[CoefficientRow]:
    return [
        CoefficientRow(
            coefficient=c.method,
            value=c.coefficient,
            low=c.interval.low,
            high=c.interval.high,
            p_value=c.p_value,
            reason=c.note,
        )
        for c in found.correlations
    ]


def _accuracy_row(found: Agreement, bounds: Interval | None = None, rest: Agreement | None = None) -> CoefficientRow:
    accuracy = found.pairwise_accuracy
    return CoefficientRow(
        coefficient="pairwise accuracy",
        value=accuracy.value,
        value_without=rest.pairwise_accuracy.value if rest else None,
        low=bounds.low if bounds else math.nan,
        high=bounds.high if bounds else math.nan,
        p_value=math.nan,
        agreeing=accuracy.agreeing,
        pairs=accuracy.pairs,
    )


def stability_table(found: Robustness) -> Table:
    """How coefficients move when segments are resampled."""
    return table_of([_over_segments(s) for s in found.over_segments], OverSegments)


def _over_segments(found: Stability) -> OverSegments:
    return OverSegments(
        coefficient=found.method.replace("-", " "),
        all_segments=found.coefficient,
        median=found.median,
        low=found.low,
        high=found.high,
        resamples=found.resamples,
        undefined=found.undefined,
        reason=found.reason,
    )


def leave_one_out_table(found: Robustness) -> Table:
    """Each coefficient with one system excluded at a time, and the distance of its mean rating from the median."""
    names = [f"{one.method.replace('-', ' ')} without" for one in found.leave_one_out]
    columns = {"system": SYSTEM}
    columns |= {name: Field("number", "Coefficient of the other systems.", name) for name in names}
    columns |= {
        "deviation from the median": Field(
            "number",
            "Distance of the mean rating from the median, in robust standard deviations.",
            "deviation from the median",
        ),
        "outlier": Field("text", "Whether the mean rating is an outlier."),
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
    return Table(columns, rows)


def ranking_table(ranking: MetricRanking) -> Table:
    """Metrics, the one that agrees best first; the corrected p of the difference from the best."""
    columns = {"rank": RANK, "metric": METRIC, ranking.method: COEFFICIENT, "corrected_p_to_best": TO_BEST}
    rows = tuple(
        (int(ranking.ranks[i]), name, float(ranking.coefficients[i]), float(ranking.p_values_adjusted[0, i]))
        for i, name in enumerate(ranking.metrics)
    )
    return Table(columns, rows)


def ranked_system_table(found: SystemLevel) -> Table:
    """All coefficients over systems, the metric that agrees best first."""
    columns: Mapping[str, Field] = {
        **RANKED,
        "pearson": PEARSON,
        "spearman": SPEARMAN,
        "kendall": KENDALL,
        "pairwise_accuracy": PAIRWISE_ACCURACY,
        "systems": Field("count", "Number of systems from which the coefficients are computed."),
        "signature": Field("text", "Signature to quote with the scores."),
    }
    rows = {
        a.metric: (*(c.coefficient for c in a.correlations), a.pairwise_accuracy.value, len(a.systems), a.signature)
        for a in found.agreements
    }
    return _ranked(columns, rows, found.ranking)


def ranked_segment_table(found: SegmentLevel) -> Table:
    """All coefficients over segments, the metric that agrees best first."""
    first = next(iter(found.correlations.values()))
    names = [f"{c.method} {GROUPING_NAMES[c.grouping]}" for c in first]
    columns: dict[str, Field] = {
        **RANKED,
        "acc_eq": Field("number", "Pairwise accuracy by segment, with ties calibrated (Deutsch et al. 2023)."),
        "threshold": Field("number", "Threshold of acc_eq: differences of scores up to this count as ties."),
        **{name: Field("number", label=name) for name in names},
    }
    rows = {
        name: (found.calibrated[name].accuracy, found.calibrated[name].threshold, *(c.coefficient for c in of_metric))
        for name, of_metric in found.correlations.items()
    }
    return _ranked(columns, rows, found.ranking)


def _ranked(columns: Mapping[str, Field], rows: Mapping[str, tuple[Cell, ...]], ranking: MetricRanking | None) -> Table:
    """The metrics in the order of their ranks, those without one at the end."""
    places = {} if ranking is None else {name: i for i, name in enumerate(ranking.metrics)}
    ranks: dict[str, tuple[Cell, Cell]] = dict.fromkeys(rows, (math.nan, math.nan))
    if ranking is not None:
        ranks |= {n: (int(ranking.ranks[i]), float(ranking.p_values_adjusted[0, i])) for n, i in places.items()}
    order = sorted(rows, key=lambda name: places.get(name, len(places)))
    return Table(columns, tuple((ranks[name][0], name, ranks[name][1], *rows[name]) for name in order))


def p_values_table(ranking: MetricRanking) -> Table:
    """The p of each pair of metrics; the one that agrees better first."""
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


def metric_report(found: Agreement, rests_on: Robustness, evaluation: BleuEvaluation) -> SystemLevelReport:
    """One metric's agreement as `bleu-core correlate --level system --format json` reports that of BLEU.

    Args:
        found: the agreement of the metric with people.
        rests_on: what it rests on.
        evaluation: by BLEU, of the same texts.
    """
    about_metric = about(evaluation, warnings=rating_notes(found.rated)) | {
        "signature": found.signature,
        "metric": "bleu" if found.metric == BLEU else found.metric,
    }
    lower = None if found.higher_is_better else (found.metric,)
    numbers = _numbers(found, rests_on, evaluation)
    return SystemLevelReport(
        **about_metric,
        excluded=found.excluded,
        **numbers,
        lower_is_better=lower,
        adjusted_for_judges=True if found.human_raw is not None else None,
    )


def system_level_report(
    found: SystemLevel, evaluation: BleuEvaluation, rests_on: Mapping[str, Robustness] = MappingProxyType({})
) -> SystemLevelReport:
    """The contract of `bleu-core correlate --level system --format json`.

    Args:
        found: the metrics, BLEU first.
        evaluation: by BLEU.
        rests_on: metric -> what its agreement rests on.
    """
    first, *others = found.agreements
    ranked: Any = {}
    if found.ranking is not None:
        metrics = (
            MetricAgreement(metric=a.metric, signature=a.signature, **_numbers(a, rests_on.get(a.metric), evaluation))
            for a in others
        )
        ranked = {"metrics": tuple(metrics), "ranking": _ranking(found.ranking)}
    return SystemLevelReport(
        **about(evaluation, warnings=rating_notes(found.agreements[0].rated)),
        excluded=first.excluded,
        **_numbers(first, rests_on.get(first.metric), evaluation),
        **ranked,
        adjusted_for_judges=True if first.human_raw is not None else None,
    )


def segment_level_report(found: SegmentLevel, evaluation: BleuEvaluation) -> SegmentLevelReport:
    """The contract of `bleu-core correlate --level segment --format json`."""
    return SegmentLevelReport(
        **about(evaluation, warnings=rating_notes(found.rated)),
        excluded=found.excluded,
        systems=found.systems,
        correlations=tuple(
            SegmentCoefficient(
                metric=name,
                method=c.method,
                grouping=c.grouping,
                coefficient=c.coefficient,
                p_value=c.p_value,
                **_counts(c),
            )
            for name, of_metric in found.correlations.items()
            for c in of_metric
        ),
        calibrated_accuracy=tuple(
            CalibratedResult(
                metric=name,
                grouping=a.grouping,
                accuracy=a.accuracy,
                threshold=a.threshold,
                uncalibrated=a.uncalibrated,
                groups=a.groups,
                dropped=a.dropped,
                reason=a.reason,
            )
            for name, a in found.calibrated.items()
        ),
        left_out=tuple(LeftOutMetric(metric=name, reason=reason) for name, reason in found.left_out),
        ranking=None if found.ranking is None else _ranking(found.ranking),
    )


def _numbers(found: Agreement, rests_on: Robustness | None, evaluation: BleuEvaluation) -> dict[str, Any]:
    """The fields of AgreementNumbers; scores and their regression in the metric's own direction."""
    accuracy = found.pairwise_accuracy
    of_bleu = found.metric in (BLEU, *bleu_variants(evaluation.settings))
    numbers: dict[str, Any] = {
        "systems": tuple(
            RatedSystem(system=name, bleu=score if of_bleu else None, score=score, human=human, human_raw=raw)
            for name, score, human, raw in zip(
                found.systems, found.scores.tolist(), found.human.tolist(), _raw_means(found), strict=True
            )
        ),
        **{c.method: Coefficient.of(c) for c in found.correlations},
        "pairwise_accuracy": Accuracy(value=accuracy.value, agreeing=accuracy.agreeing, pairs=accuracy.pairs),
        "regression": RegressionLine.of(found.line),
    }
    if rests_on is None:
        return numbers
    soft = rests_on.soft_pairwise_accuracy
    return numbers | {
        "soft_pairwise_accuracy": SoftAccuracy(
            value=soft.value, low=soft.interval.low, high=soft.interval.high, pairs=soft.pairs, reason=soft.reason
        ),
        "over_systems": {
            _json_key(b.method): OverSystems(
                low=b.interval.low,
                high=b.interval.high,
                resamples=b.resamples,
                undefined=b.undefined,
                reason=b.reason,
            )
            for b in rests_on.over_systems
        },
        "over_segments": {_json_key(s.method): _over_segments(s) for s in rests_on.over_segments},
        "leave_one_out": tuple(
            WithoutSystem(system=name, **_without(rests_on, k)) for k, name in enumerate(rests_on.systems)
        ),
        "outliers": tuple(rests_on.outlying),
        "score_differences": score_differences_report(difference_curve(found)),
    }


def _without(rests_on: Robustness, k: int) -> dict[str, Any]:
    """Each coefficient without one of the systems."""
    return {_json_key(one.method): float(one.without[k]) for one in rests_on.leave_one_out}


def _ranking(found: MetricRanking) -> Ranking:
    return Ranking(
        method=found.method,
        grouping=found.grouping,
        test=found.test,
        correction=found.correction,
        alpha=found.alpha,
        entries=found.entries,
        metrics=tuple(
            RankedMetric(metric=name, coefficient=float(found.coefficients[i]), rank=int(found.ranks[i]))
            for i, name in enumerate(found.metrics)
        ),
        p_values_adjusted=tuple(tuple(row) for row in found.p_values_adjusted.tolist()),
        excluded=tuple(LeftOutMetric(metric=name, reason=reason) for name, reason in found.excluded),
    )


def _json_key(method: str) -> str:
    return method.replace("-", "_")


def _counts(found: SegmentCorrelation | CalibratedAccuracy) -> dict[str, Any]:
    return {"entries": found.entries, "groups": found.groups, "dropped": found.dropped, "reason": found.reason}
