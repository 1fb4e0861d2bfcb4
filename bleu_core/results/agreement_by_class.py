"""Agreement of a metric with judges by class of segment, as tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.agreement import COEFFICIENT, AgreementByClass, Scatter
from bleu_core.fields import P_VALUE, P_VALUE_ADJUSTED, REASON, SYSTEM, Table, field, result, table_of
from bleu_core.inference import CONFIDENCE

_LEVEL = f"{100 * CONFIDENCE:g}%"

_RANK_HELP = (
    "Mean percentile of the score minus mean percentile of the rating, over all translations of the class, as a "
    "fraction. Above 0, the metric overrates them."
)


@result
class _Class:
    """Agreement inside and outside a class of segments."""

    key: str = field("text", "Key of the class.", only="json")
    title: str = field("text", "Segments in the class.", label="segments")
    counts: str = field("text", "What is counted in a segment to determine the class.", only="json")
    source: str = field("text", "Source of the list of words or characters.", only="json")
    segments: int = field("count", "Segments in the class with a coefficient.", label="inside n")
    others: int = field("count", "Segments outside the class with a coefficient.", label="outside n")
    documents: int | None = field(
        "count", "Documents with segments of the class that have a coefficient.", default=None
    )
    inside: float = field("number", "Mean coefficient of segments in the class.")
    inside_low: float = field("number", f"Lower end of its {_LEVEL} interval.")
    inside_high: float = field("number", f"Upper end of its {_LEVEL} interval.")
    outside: float = field("number", "Mean coefficient of all other segments.")
    outside_low: float = field("number", f"Lower end of its {_LEVEL} interval.")
    outside_high: float = field("number", f"Upper end of its {_LEVEL} interval.")
    difference: float = field("number", "Inside minus outside.", label="inside − outside")
    low: float = field("number", f"Lower end of the {_LEVEL} interval of the difference.")
    high: float = field("number", f"Upper end of the {_LEVEL} interval of the difference.")
    p_value: float = field(P_VALUE, "Two-sided p-value, by permutations of the membership of segments in the class.")
    p_value_adjusted: float = field(P_VALUE_ADJUSTED, "p-value corrected for the number of classes (Holm).")
    rank_difference: float = field("number", _RANK_HELP)
    rank_low: float = field("number", f"Lower end of its {_LEVEL} interval.")
    rank_high: float = field("number", f"Upper end of its {_LEVEL} interval.")
    reason: str = field(REASON, default="")


@result
class ClassesReport:
    """Agreement of a metric with judges by class of segment."""

    metric: str = field("text", "Name of the metric.")
    method: str = field("text", "The coefficient, computed over the translations of each segment and averaged.")
    language: str | None = field(
        "text", "Language of the references for lists of words; null if unknown.", default=None, null=True
    )
    coefficient: float = field(COEFFICIENT, undefined="no segment has a coefficient")
    threshold: float | None = field(
        "number", "Differences of scores up to this threshold count as ties; only of acc-eq.", default=None
    )
    segments: int = field("count", "Segments with a coefficient.")
    unit: str = field("text", "Unit of the bootstrap: document or segment.")
    resamples: int = field("count", "Resamples of the bootstrap.")
    trials: int = field("count", "Permutations.")
    seed: int = field("count", "Seed of the bootstrap and the permutations.")
    classes: tuple[_Class, ...] = field("object", "Agreement inside and outside each class.")


@result
class _OfMetric:
    """The metric that the rest of a row is about."""

    metric: str = field("text", "Name of the metric.")


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


def classes_report(agreement: AgreementByClass, metric: str, language: str) -> ClassesReport:
    """Return the agreement of one metric by class of segment.

    Args:
        agreement: agreement of the metric by class.
        metric: name of the metric.
        language: language of the references; empty if unknown.
    """
    return ClassesReport(
        metric=metric,
        method=agreement.method,
        language=language or None,
        coefficient=agreement.coefficient,
        threshold=agreement.threshold if agreement.method == "acc-eq" else None,
        segments=agreement.segments,
        unit=agreement.unit,
        resamples=agreement.resamples,
        trials=agreement.trials,
        seed=agreement.seed,
        classes=_rows(agreement),
    )


def classes_table(agreement: AgreementByClass, metric: str = "") -> Table:
    """Return a row per class, with a first column for the metric if it is named."""
    if not metric:
        return table_of(_rows(agreement), _Class)
    return table_of([(_OfMetric(metric=metric), row) for row in _rows(agreement)], _OfMetric, _Class)


def documents_table(
    points: Scatter, systems: Sequence[str], documents: Sequence[str], positions: Sequence[int]
) -> Table:
    """Return translated documents with their mean scores and ratings.

    Args:
        points: mean scores and mean ratings, (K, D).
        systems: K names.
        documents: D names.
        positions: positions in `points` of the documents to list, in order.
    """
    rows: list[_RatedDocument] = []
    for position in positions:
        system, document = divmod(int(points.entry[position]), points.segments)
        rows.append(
            _RatedDocument(
                system=systems[system],
                document=documents[document],
                score=float(points.x[position]),
                rating=float(points.y[position]),
                score_percentile=float((100 * points.x_percentile[position]).round(1)),
                rating_percentile=float((100 * points.y_percentile[position]).round(1)),
            )
        )
    return table_of(rows, _RatedDocument)


def _rows(agreement: AgreementByClass) -> tuple[_Class, ...]:
    return tuple(
        _Class(
            key=item.segment_class.key,
            title=item.segment_class.title,
            counts=item.segment_class.help,
            source=item.segment_class.source,
            segments=item.segments,
            others=item.others,
            documents=item.documents,
            inside=item.inside,
            inside_low=item.inside_interval.low,
            inside_high=item.inside_interval.high,
            outside=item.outside,
            outside_low=item.outside_interval.low,
            outside_high=item.outside_interval.high,
            difference=item.difference,
            low=item.interval.low,
            high=item.interval.high,
            p_value=item.p_value,
            p_value_adjusted=item.p_value_adjusted,
            rank_difference=item.rank_difference,
            rank_low=item.rank_interval.low,
            rank_high=item.rank_interval.high,
            reason=item.reason,
        )
        for item in agreement.classes
    )
