"""Agreement by class of segment, in words. Pure functions."""

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


def rank_differences_of_classes(found: AgreementByClass, metric: str) -> str:
    """Which classes a metric overrates and underrates beside the judges; empty if no interval excludes 0."""
    over = [one.segment_class.title for one in found.classes if one.rank_interval.low > 0]
    under = [one.segment_class.title for one in found.classes if one.rank_interval.high < 0]
    if found.segments < MIN_RATED_SEGMENTS:
        return ""
    said = [
        f"{how} segments {enumeration(titles)}"
        for how, titles in (("overrates", over), ("underrates", under))
        if titles
    ]
    return f"Beside the judges, {metric} {' and '.join(said)} (95% intervals, not corrected)." if said else ""


def agreement_of_classes(found: AgreementByClass, metric: str) -> str:
    """Where a metric agrees less or more with judges."""
    if found.different:
        return " ".join(_difference(one, found.method, metric) for one in found.different[:2])
    tested = found.tested
    if not tested:
        return f"Not tested: {found.missing}."
    return f"No significant difference in agreement between {metric} and judges in any of {tested} classes compared."


def _difference(one: ClassAgreement, method: TestedMethod, metric: str) -> str:
    how = "less" if one.difference < 0 else "better"
    segments = f"{metric} agrees {how} with judges on segments {one.segment_class.title}"
    after = f"p {p_of(one.p_value_adjusted)} after Holm's correction"
    if method == "acc-eq":
        return (
            f"{segments}: {percent(one.inside)} of pairs of systems against {percent(one.outside)} elsewhere ({after})."
        )
    tau = f"{CLASS_COEFFICIENTS[method]} {coefficient(one.inside)} against {coefficient(one.outside)} elsewhere"
    return f"{segments}: {tau} ({after})."
