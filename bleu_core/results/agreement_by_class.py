"""Agreement of a metric with judges by class of segment, as tables and JSON."""

from __future__ import annotations

from bleu_core.agreement import COEFFICIENT, AgreementByClass, ClassAgreement
from bleu_core.fields import Table, field, result, table_of


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
    classes: tuple[ClassAgreement, ...] = field("object", "Agreement inside and outside each class.")


@result
class _OfMetric:
    """The metric that the rest of a row is about."""

    metric: str = field("text", "Name of the metric.")


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
        classes=agreement.classes,
    )


def classes_table(agreement: AgreementByClass, metric: str = "") -> Table:
    """Return a row per class, with a first column for the metric if it is named."""
    if not metric:
        return table_of(agreement.classes, ClassAgreement)
    return table_of([(_OfMetric(metric=metric), row) for row in agreement.classes], _OfMetric, ClassAgreement)
