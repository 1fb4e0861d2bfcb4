"""Quality of each judge's ratings: pace, repeats, degraded copies, agreement with the others, proposed exclusions.

A judge is flagged, so that the lead inspects the judge's ratings, for any of these reasons:

- "fast": the median time per place is less than a quarter of the median of the other judges' median times;
- "copies": the judge rates a significantly smaller share of degraded copies lower than their originals than the other
  judges together do (Fisher's exact test, one-sided), and fails to do so for at least three copies;
- "repeats": the same for repeated items that get similar ratings, which differ by at most a tenth of the scale;
- "disagreement": an exclusion is proposed, see below.

Because of the comparison with the others, judges are not flagged where all of them find the copies hard to recognise
or the scale hard to use; and one or two failed checks are never enough.

An exclusion is proposed where a judge disagrees with the others and also fails the judge's own checks:

1. the ratings correlate with the others' mean ratings less than half as strongly as those of the median judge, and
   significantly less (one-sided, Fisher's z); or all ratings are the same; and
2. degraded copies are not rated significantly lower than the translations they were made of (an exact one-sided
   signed-rank test), or second ratings of items are no closer to the first ones than to the first ones of other items.

Neither is enough alone. Campaigns need judges with different opinions; and with a dozen checks each, careful
judges often fail the second: alone, it would propose to exclude 2 to 20 % of careful judges in simulations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.fields import REASON, decimal, field, inline, result
from bleu_core.inference import ALPHA, DECIMALS, normal_probability

#: Minimum numbers of checks, repeats and shared items of a judge for a criterion of an exclusion to apply.
MIN_CHECKS, MIN_REPEATS, MIN_SHARED = 5, 5, 20
#: A judge is fast whose median time is less than this fraction of the median of the others' times. The flag is not
#: computed for judges with fewer answered places, or with fewer others to compare with.
FAST_TIME_FRACTION, MIN_PLACES, MIN_OTHERS = 0.25, 10, 2
#: Significance level of the comparison of failed checks with the others', and the minimum number of failed checks.
CHECKS_ALPHA, MIN_FAILED = 0.02, 3
#: Two ratings of an item are similar if they differ by at most this fraction of the scale.
SIMILAR_SCALE_FRACTION = 0.1
#: A judge disagrees with the others if the correlation with them is below this fraction of the median judge's, and
#: significantly below it at this level.
MEDIAN_FRACTION = 0.5
DISAGREEMENT_ALPHA = 0.005


#: Reasons to doubt a judge's care.
FLAGS = ("fast", "copies", "repeats", "disagreement")


@result
class Repeats:
    """Summary of a judge's repeated ratings.

    Attributes:
        difference, equal: NaN without an item; the difference is in points of the scale.
        chance: mean absolute difference between the second rating of one item and the first rating of any of them.
        similar: number of items with ratings that differ by at most a tenth of the scale.
    """

    count: int = field("count", "Items that the judge has rated twice.", key="repeats")
    difference: float = field(
        "decimal",
        "Mean absolute difference between the two ratings of these items.",
        best="lowest",
        key="repeat_difference",
    )
    equal: float = field(
        "fraction",
        "Share of these items with the same rating twice.",
        best="highest",
        key="repeats_identical",
        former="repeats_equal",
    )
    chance: float
    similar: int


@result
class Checks:
    """Number of degraded copies a judge rated, how many lower than their originals, and the p-value."""

    count: int = field("count", "Degraded copies that the judge has rated together with their originals.", key="checks")
    lower: int = field(
        "count",
        "Degraded copies that the judge has rated lower than their originals.",
        key="degraded_lower",
        former="checks_lower",
    )
    p_value: float = field(
        "p",
        "One-sided p of the exact signed-rank test of whether degraded copies are rated lower.",
        label="p of checks",
    )


@dataclass(frozen=True, slots=True)
class Pace:
    """Number of places a judge has answered, and the median time per place in seconds; NaN without a place."""

    places: int
    seconds: float


@dataclass(frozen=True, slots=True)
class QualityFlags:
    """Reasons to doubt a judge's care: flags, and the numbers they are based on; both empty if there are none."""

    flags: tuple[str, ...] = ()
    evidence: str = ""


@result
class OthersComparison:
    """Comparison of a judge with the mean of the others.

    Attributes:
        deviation: in points of the scale; NaN without an item.
        correlation: NaN if it is undefined.
        constant: whether the judge gave all these items the same rating.
    """

    shared: int = field("count", "Items that both the judge and others have rated.")
    deviation: float = field("decimal", "Mean absolute difference from the others' mean rating of an item.")
    correlation: float = field("number", "Pearson's r with the others' mean rating of an item.", best="highest")
    constant: bool


@result
class JudgeStatus:
    """Progress of a judge and quality of the judge's ratings."""

    judge: str = field("text", "Pseudonym of the judge.")
    flags: str = field("text", f"Reasons to doubt the judge's care, from {', '.join(FLAGS)}; empty if there are none.")
    evidence: str = field("text", "Numbers on which the flags are based; empty without a flag.", only="json")
    group: str = field("text", "Group of the judge.")
    places: int = field("count", "Places in the judge's list, repeats and checks included.")
    rated: int = field("count", "Places that are rated.")
    skipped: int = field("count", "Places that are skipped.")
    share: float = field("fraction", "Share of the places that are rated or skipped.")
    seconds: float = field("decimal", "Median time per place, in seconds.")
    repeats: Repeats = inline(Repeats)
    checks: Checks = inline(Checks)
    others: OthersComparison = inline(OthersComparison)
    proposed: str = field("text", "Why an exclusion of the judge is proposed; empty if none is.", only="json")
    excluded: str = field(
        "text", "Why the lead has excluded the judge; empty if the judge is not excluded.", only="json"
    )
    reason: str = field(REASON, default="")


def compare_repeats(first: Floats, second: Floats, scale: float) -> Repeats:
    """Compare a judge's first and second ratings of the same items.

    Args:
        first: (n,) ratings.
        second: (n,) ratings of the same items.
        scale: points from the lowest to the highest rating.
    """
    if not len(first):
        return Repeats(count=0, difference=math.nan, equal=math.nan, chance=math.nan, similar=0)
    differences = np.abs(first - second).round(DECIMALS)
    chance = float(np.abs(first[:, None] - second).mean())
    similar = int((differences <= SIMILAR_SCALE_FRACTION * scale).sum())
    return Repeats(
        count=len(first),
        difference=float(differences.mean()),
        equal=float((differences == 0).mean()),
        chance=chance,
        similar=similar,
    )


def compare_copies(original: Floats, degraded: Floats) -> Checks:
    """Test whether degraded copies are rated lower than their originals.

    The exact signed-rank test (Wilcoxon 1945) by all 2^n signs of the differences' midranks, without differences of 0;
    the p-value is the share of sign patterns whose sum of positive ranks is at least as large.

    Args:
        original: (n,) ratings of translations.
        degraded: (n,) ratings of their degraded copies.

    Returns:
        The p-value is 1 if no copy is rated differently from its original, and NaN without a copy.
    """
    differences = (original - degraded).round(DECIMALS)
    p_value = signed_rank_p(differences) if len(differences) else math.nan
    return Checks(count=len(differences), lower=int((differences > 0).sum()), p_value=p_value)


def signed_rank_p(differences: Floats) -> float:
    """Return the one-sided p of the exact signed-rank test of differences above 0; 1 if all are 0."""
    values = differences[differences != 0]
    _, rank_index, counts = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    last_ranks = np.cumsum(counts)
    double_ranks = (2 * last_ranks - counts + 1)[rank_index]  # midranks, doubled to integers
    shares = np.ones(1)
    for rank in double_ranks.tolist():  # each rank is in the positive sum with probability 1/2
        shares = np.concatenate([shares, np.zeros(rank)]) / 2 + np.concatenate([np.zeros(rank), shares]) / 2
    return min(1.0, float(shares[int(double_ranks[values > 0].sum()) :].sum()))


def agreement_with_others(
    item: Integers, judge: Integers, ratings: Floats, judges: int, included: Sequence[bool]
) -> tuple[OthersComparison, ...]:
    """Compare each of J judges with the mean of the others who rated the same items.

    Args:
        item: (n,) item of each rating; any numbers from 0.
        judge: (n,) judge of each rating, from 0; at most one rating of an item by a judge.
        ratings: (n,) without NaN.
        judges: number of judges J.
        included: (J,) whether a judge counts as one of the others; excluded judges do not.
    """
    counted = np.array(included, np.bool_)[judge] if len(judge) else np.zeros(0, np.bool_)
    size = int(item.max(initial=-1)) + 1
    count = np.bincount(item[counted], minlength=size)[item] - counted
    total = np.bincount(item[counted], ratings[counted], minlength=size)[item] - np.where(counted, ratings, 0)
    comparisons: list[OthersComparison] = []
    for number in range(judges):
        rows = np.flatnonzero((judge == number) & (count > 0))
        comparisons.append(_compare_with_others(ratings[rows], total[rows] / count[rows]))
    return tuple(comparisons)


def flag_judges(
    paces: Sequence[Pace],
    repeats: Sequence[Repeats],
    checks: Sequence[Checks],
    proposed: Sequence[str],
    included: Sequence[bool],
) -> tuple[QualityFlags, ...]:
    """Return the flags of each of J judges; excluded judges have none.

    Args:
        paces: of the judges.
        repeats: of the judges.
        checks: of the judges.
        proposed: as `proposals` returns them.
        included: (J,) whether a judge counts as one of the others; excluded judges do not.
    """
    flagged: list[QualityFlags] = []
    for judge, pace in enumerate(paces):
        others = [n for n in range(len(paces)) if included[n] and n != judge]
        times = [paces[n].seconds for n in others if paces[n].places >= MIN_PLACES]
        median = float(np.median(times)) if len(times) >= MIN_OTHERS else math.nan
        copies = _Passed(checks[judge].lower, checks[judge].count)
        others_copies = _Passed(sum(checks[n].lower for n in others), sum(checks[n].count for n in others))
        twice = _Passed(repeats[judge].similar, repeats[judge].count)
        others_twice = _Passed(sum(repeats[n].similar for n in others), sum(repeats[n].count for n in others))
        signs = (
            pace.places >= MIN_PLACES and pace.seconds < FAST_TIME_FRACTION * median,
            copies.is_worse(others_copies),
            twice.is_worse(others_twice),
            bool(proposed[judge]),
        )
        flags = tuple(flag for flag, sign in zip(FLAGS, signs, strict=True) if sign and included[judge])
        evidence = [_pace_sentence(pace, median)] if pace.places else []
        evidence += [f"rated {copies.sentence(others_copies, 'degraded copies', 'lower')}"] if copies.count else []
        evidence += [f"rated {twice.sentence(others_twice, 'repeats', 'alike')}"] if twice.count else []
        flagged.append(QualityFlags(flags, "; ".join(evidence)) if flags else QualityFlags())
    return tuple(flagged)


def proposals(
    repeats: Sequence[Repeats], checks: Sequence[Checks], others: Sequence[OthersComparison], included: Sequence[bool]
) -> tuple[str, ...]:
    """Return why each of J exclusions is proposed; empty if it is not, or if the judge is excluded already."""
    defined = [
        (n, comparison.correlation)
        for n, comparison in enumerate(others)
        if included[n] and not math.isnan(comparison.correlation)
    ]
    reasons: list[str] = []
    for judge, (judge_repeats, copies, judge_others) in enumerate(zip(repeats, checks, others, strict=True)):
        others_correlations = [correlation for n, correlation in defined if n != judge]
        disagrees = _disagreement(judge_others, others_correlations)
        failed = [sign for sign in (_failed_checks(copies), _failed_repeats(judge_repeats)) if sign]
        signs = [disagrees, *failed] if included[judge] and disagrees and failed else []
        reasons.append(f"{_capital('; '.join(signs))}." if signs else "")
    return tuple(reasons)


@dataclass(frozen=True, slots=True)
class _Passed:
    """Number of checks that were passed, out of a number of checks."""

    passed: int
    count: int

    def is_worse(self, others: _Passed) -> bool:
        """Return whether a significantly smaller share is passed than by the others."""
        if self.count - self.passed < MIN_FAILED or not others.count:
            return False
        from scipy import stats  # loaded when first needed

        table = np.array([[checks.passed, checks.count - checks.passed] for checks in (self, others)])
        return float(stats.fisher_exact(table, alternative="less").pvalue) < CHECKS_ALPHA

    def sentence(self, others: _Passed, noun: str, outcome: str) -> str:
        """Describe the numbers of the judge and of the others."""
        others_share = f" (the others {others.passed:,} of {others.count:,})" if others.count else ""
        return f"{self.passed:,} of {self.count:,} {noun} {outcome}{others_share}"


def _pace_sentence(pace: Pace, median: float) -> str:
    others = "" if math.isnan(median) else f" (median of the others {_seconds(median)})"
    return f"{_seconds(pace.seconds)} per place{others}"


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value < 10 else f"{value:,.0f} s"  # noqa: PLR2004 # two digits


def _compare_with_others(own: Floats, others: Floats) -> OthersComparison:
    if not len(own):
        return OthersComparison(shared=0, deviation=math.nan, correlation=math.nan, constant=False)
    deviation = float(np.abs(own - others).mean())
    constant = not np.ptp(own.round(DECIMALS))
    varied = not constant and bool(np.ptp(others.round(DECIMALS)))
    correlation = float(np.corrcoef(own, others)[0, 1]) if varied else math.nan
    return OthersComparison(shared=len(own), deviation=deviation, correlation=correlation, constant=constant)


def _failed_checks(checks: Checks) -> str:
    if checks.count < MIN_CHECKS or checks.p_value < ALPHA:
        return ""
    return (
        "degraded copies are not rated significantly lower than the translations they were made of "
        f"({checks.lower} of {checks.count} lower, p = {checks.p_value:.2g})"
    )


def _disagreement(others: OthersComparison, rest: Sequence[float]) -> str:
    if others.shared < MIN_SHARED:
        return ""
    if others.constant:
        return f"all {others.shared} items that others also rated have the same rating"
    median = float(np.median(rest)) if rest else math.nan
    if not others.correlation < MEDIAN_FRACTION * median or not _is_below(others, median):
        return ""
    own = decimal(others.correlation)
    return (
        f"ratings correlate with the others' by {own}, less than half as much as those of the median judge "
        f"({median:.2f})"
    )


def _is_below(others: OthersComparison, median: float) -> bool:
    """Return whether the correlation is significantly below the median (Fisher's z, variance 1 / (n - 3))."""
    if median >= 1 or others.correlation <= -1:
        return True
    z = (math.atanh(others.correlation) - math.atanh(median)) * math.sqrt(others.shared - 3)
    return normal_probability(z) < DISAGREEMENT_ALPHA


def _failed_repeats(repeats: Repeats) -> str:
    # A judge who gives one number only repeats it perfectly.
    if repeats.count < MIN_REPEATS or not 0 < repeats.chance <= repeats.difference:
        return ""
    return (
        f"second ratings differ from the first ones by {repeats.difference:.2f} on average, those of other items by "
        f"{repeats.chance:.2f}"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
