"""Agreement by class of segment, in plain language. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.agreement import AgreementByClass, ClassAgreement, TestedMethod
from bleu_core.dataset import MIN_RATED_SEGMENTS
from bleu_core.errors import enumeration
from dashboard.words.formatting import coefficient, p_of, percent

CLASS_COEFFICIENTS: Mapping[TestedMethod, str] = {"kendall": "Kendall's tau", "acc-eq": "Pairwise accuracy"}


RANK_DIFFERENCE_LOOK = (
    "Rank of the score minus rank of the rating among all rated segments of all systems, from −1 to 1: above 0, the "
    "metric overrates segments of the class."
)


def rank_differences_of_classes(agreement: AgreementByClass, metric: str) -> str:
    """Name the classes that a metric overrates and underrates; empty if no interval excludes 0."""
    over = [c.segment_class.title for c in agreement.classes if c.rank_interval.low > 0]
    under = [c.segment_class.title for c in agreement.classes if c.rank_interval.high < 0]
    if agreement.segments < MIN_RATED_SEGMENTS:
        return ""
    findings = [
        f"{how} segments {enumeration(titles)}"
        for how, titles in (("overrates", over), ("underrates", under))
        if titles
    ]
    return (
        f"Compared with the judges, {metric} {' and '.join(findings)} (95% intervals, not corrected)."
        if findings
        else ""
    )


def agreement_of_classes(agreement: AgreementByClass, metric: str) -> str:
    """State where a metric agrees less or more with judges."""
    if agreement.different:
        return " ".join(_difference(c, agreement.method, metric) for c in agreement.different[:2])
    tested = agreement.tested
    if not tested:
        return f"Not tested: {agreement.missing}."
    return f"No significant difference in agreement between {metric} and judges in any of {tested} classes compared."


def _difference(result: ClassAgreement, method: TestedMethod, metric: str) -> str:
    how = "less" if result.difference < 0 else "better"
    segments = f"{metric} agrees {how} with judges on segments {result.segment_class.title}"
    after = f"p {p_of(result.p_value_adjusted)} after Holm's correction"
    if method == "acc-eq":
        inside, outside = percent(result.inside), percent(result.outside)
        return f"{segments}: {inside} of pairs of systems against {outside} elsewhere ({after})."
    tau = f"{CLASS_COEFFICIENTS[method]} {coefficient(result.inside)} against {coefficient(result.outside)} elsewhere"
    return f"{segments}: {tau} ({after})."
