"""Agreement of a metric with judges by class of segment, as tables and JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleu_core.agreement import COEFFICIENT, AgreementByClass, Scatter
from bleu_core.fields import P_VALUE, P_VALUE_ADJUSTED, REASON, SYSTEM, Field, Table, field, result, table_of
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
    counts: str = field("text", "What is counted to decide the class.", only="json")
    source: str = field("text", "Where the list of words or characters comes from.", only="json")
    segments: int = field("count", "Segments in the class with a coefficient.", label="inside n")
    others: int = field("count", "Segments outside the class with a coefficient.", label="outside n")
    documents: int | None = field("count", "Documents with such segments in the class.", default=None)
    inside: float = field("number", "Mean coefficient of segments in the class.")
    inside_low: float = field("number", f"Lower end of its {_LEVEL} interval.")
    inside_high: float = field("number", f"Upper end of its {_LEVEL} interval.")
    outside: float = field("number", "Mean coefficient of all other segments.")
    outside_low: float = field("number", f"Lower end of its {_LEVEL} interval.")
    outside_high: float = field("number", f"Upper end of its {_LEVEL} interval.")
    difference: float = field("number", "Inside minus outside.", label="inside − outside")
    low: float = field("number", f"Lower end of the {_LEVEL} interval of the difference.")
    high: float = field("number", f"Upper end of the {_LEVEL} interval of the difference.")
    p_value: float = field(P_VALUE, "Two-sided p-value, from permutations of which segments are in the class.")
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
        "text", "Language of the references for lists of words; null where it is not known.", default=None, null=True
    )
    coefficient: float = field(COEFFICIENT, undefined="no segment has a coefficient")
    threshold: float | None = field(
        "number", "Differences of scores up to this threshold count as ties; of acc-eq only.", default=None
    )
    segments: int = field("count", "Segments with a coefficient.")
    unit: str = field("text", "What the bootstrap draws: document or segment.")
    resamples: int = field("count", "Resamples of the bootstrap.")
    trials: int = field("count", "Permutations.")
    seed: int = field("count", "Seed of both.")
    classes: tuple[_Class, ...] = field("object", "Agreement inside and outside each class.")


_DOCUMENTS: Mapping[str, Field] = {
    "system": SYSTEM,
    "document": Field("text", "Name of the document."),
    "score": Field("decimal", "Mean score of its segments by the metric."),
    "rating": Field("number", "Mean rating of its segments."),
    "score_percentile": Field(
        "percent", "Percentage of documents of systems with a lower score; half of those with an equal score count."
    ),
    "rating_percentile": Field(
        "percent", "Percentage of documents of systems with a lower rating; half of those with an equal rating count."
    ),
}


def classes_report(found: AgreementByClass, metric: str, language: str) -> ClassesReport:
    """Agreement of one metric by class.

    Args:
        found: of the metric.
        metric: its name.
        language: of the references; empty if it is not known.
    """
    return ClassesReport(
        metric=metric,
        method=found.method,
        language=language or None,
        coefficient=found.coefficient,
        threshold=found.threshold if found.method == "acc-eq" else None,
        segments=found.segments,
        unit=found.unit,
        resamples=found.resamples,
        trials=found.trials,
        seed=found.seed,
        classes=_rows(found),
    )


def classes_table(found: AgreementByClass, metric: str = "") -> Table:
    """One row per class; with a first column for the metric if it is named."""
    table = table_of(_rows(found), _Class)
    if not metric:
        return table
    columns = {"metric": Field("text", "Name of the metric.")} | dict(table.columns)
    return Table(columns, tuple((metric, *row) for row in table.rows))


def documents_table(
    points: Scatter, systems: Sequence[str], documents: Sequence[str], positions: Sequence[int]
) -> Table:
    """Documents of systems with their mean scores and ratings.

    Args:
        points: mean scores beside mean ratings, (K, D).
        systems: K names.
        documents: D names.
        positions: in points, of the rows.
    """
    columns = (points.x, points.y, (100 * points.x_percentile).round(1), (100 * points.y_percentile).round(1))
    chosen = list(positions)
    places = [divmod(int(entry), points.segments) for entry in points.entry[chosen]]
    values = zip(*(column[chosen].tolist() for column in columns), strict=True)
    return Table(_DOCUMENTS, tuple((systems[k], documents[d], *of) for (k, d), of in zip(places, values, strict=True)))


def _rows(found: AgreementByClass) -> tuple[_Class, ...]:
    return tuple(
        _Class(
            key=one.segment_class.key,
            title=one.segment_class.title,
            counts=one.segment_class.help,
            source=one.segment_class.source,
            segments=one.segments,
            others=one.others,
            documents=one.documents,
            inside=one.inside,
            inside_low=one.inside_interval.low,
            inside_high=one.inside_interval.high,
            outside=one.outside,
            outside_low=one.outside_interval.low,
            outside_high=one.outside_interval.high,
            difference=one.difference,
            low=one.interval.low,
            high=one.interval.high,
            p_value=one.p_value,
            p_value_adjusted=one.p_value_adjusted,
            rank_difference=one.rank_difference,
            rank_low=one.rank_interval.low,
            rank_high=one.rank_interval.high,
            reason=one.reason,
        )
        for one in found.classes
    )
