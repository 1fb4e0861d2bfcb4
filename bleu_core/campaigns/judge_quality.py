"""How carefully each judge rates: pace, repeats, degraded copies and agreement with the others, and whom to leave out.

A judge is flagged, so that the lead looks at the judge's ratings, for each of these:

- "fast": the median time per place is less than a quarter of the median of the other judges' median times;
- "copies": significantly fewer degraded copies are rated lower than the translations they were made of than by the
  other judges together (Fisher's exact test, one-sided), and at least three are not;
- "repeats": the same of repeats that are rated alike, the two ratings at most a tenth of the scale apart;
- "disagreement": an exclusion is proposed, see below.

By the comparison with the others, judges are not flagged where all find the copies hard to see, or the scale hard to
use; and one or two missed checks are never enough.

An exclusion is proposed where a judge disagrees with the others and also fails the judge's own checks:

1. the ratings correlate with the others' mean ratings less than half as much as those of the median judge, and
   significantly less (one-sided, Fisher's z); or all ratings are the same; and
2. degraded copies are not rated significantly lower than the translations they were made of (an exact one-sided
   signed-rank test), or second ratings of items are no closer to the first ones than to the first ones of other items.

Neither is enough alone. A judge of another opinion is what a campaign is for; and with a dozen checks each, careful
judges often fail the second: with it alone, 2 to 20 % of careful judges would be proposed in simulations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.fields import REASON, decimal, field, result
from bleu_core.inference import ALPHA, DECIMALS

#: Fewest checks, repeats and shared items of a judge from which a sign is read.
MIN_CHECKS, MIN_REPEATS, MIN_SHARED = 5, 5, 20
#: A judge is fast whose median time is less than this part of the median of the others' times; of judges with fewer
#: places answered, or fewer others to compare with, nothing is said.
PART_OF_TIME, MIN_PLACES, MIN_OTHERS = 0.25, 10, 2
#: The level at which a judge fails more checks than the others, and how many failed ones that takes at least.
LEVEL_OF_CHECKS, MIN_FAILED = 0.02, 3
#: Two ratings of an item are alike that are at most this part of the scale apart.
PART_OF_SCALE = 0.1
#: A judge whose correlation with the others is below this part of the median judge's, and significantly below that at
#: this level, disagrees with them.
PART_OF_MEDIAN = 0.5
LEVEL_OF_DISAGREEMENT = 0.005


#: What speaks against a judge's care.
FLAGS = ("fast", "copies", "repeats", "disagreement")


@result
class JudgeStatus:
    """How far a judge is, and how carefully the judge rates."""

    judge: str = field("text", "Pseudonym of the judge.")
    flags: str = field(
        "text", f"What speaks against the judge's care, of {', '.join(FLAGS)}; empty where nothing does."
    )
    evidence: str = field("text", "The numbers behind the flags; empty without a flag.", only="json")
    group: str = field("text", "Group of the judge.")
    places: int = field("count", "Places in the judge's list, repeats and checks included.")
    rated: int = field("count", "Places that are rated.")
    skipped: int = field("count", "Places with a skip.")
    share: float = field("fraction", "Share of the places that are rated or skipped.")
    seconds: float = field("decimal", "Median time per place, in seconds.")
    repeats: int = field("count", "Items that the judge has rated twice.")
    repeat_difference: float = field(
        "decimal", "Mean absolute difference of the two ratings of such an item.", best="lowest"
    )
    repeats_equal: float = field("fraction", "Share of these items that got the same rating twice.", best="highest")
    checks: int = field("count", "Degraded copies that the judge has rated, and the translations they were made of.")
    checks_lower: int = field("count", "Degraded copies that the judge has rated lower.")
    p_value: float = field(
        "p", "One-sided p of the exact signed-rank test that degraded copies are rated lower.", label="p of checks"
    )
    shared: int = field("count", "Items that the judge and others have rated.")
    deviation: float = field("decimal", "Mean absolute difference from the others' mean rating of an item.")
    correlation: float = field("number", "Pearson's r with the others' mean rating of an item.", best="highest")
    proposed: str = field("text", "Why it is proposed to exclude the judge; empty where it is not.", only="json")
    excluded: str = field("text", "Why the lead has excluded the judge; empty where the lead has not.", only="json")
    reason: str = field(REASON, default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """What a judge's second ratings say.

    Attributes:
        count: how many items.
        difference: mean absolute difference of the two ratings, in points of the scale; NaN without one.
        equal: share of the items with the same rating twice; NaN without one.
        chance: mean absolute difference of a second rating and any first one of these.
        alike: how many items with ratings at most a tenth of the scale apart.
    """

    count: int
    difference: float
    equal: float
    chance: float
    alike: int


@dataclass(frozen=True, slots=True)
class Checks:
    """What a judge's ratings of degraded copies say: how many, how many lower than the original, and the p-value."""

    count: int
    lower: int
    p_value: float


@dataclass(frozen=True, slots=True)
class Pace:
    """How many places a judge has answered, and the median time of one in seconds; NaN without a place."""

    places: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Care:
    """What speaks against a judge's care: flags, and the numbers behind them; both empty where nothing does."""

    flags: tuple[str, ...] = ()
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Others:
    """A judge and the mean of the others.

    Attributes:
        shared: items that both rated.
        deviation: mean absolute difference, in points of the scale; NaN without an item.
        correlation: Pearson's r; NaN where it is undefined.
        constant: whether the judge gave all these items the same rating.
    """

    shared: int
    deviation: float
    correlation: float
    constant: bool


def repeats_of(first: Floats, second: Floats, scale: float) -> Repeats:
    """Compare a judge's two ratings of some items.

    Args:
        first: (n,) ratings.
        second: (n,) of the same items.
        scale: points from the lowest to the highest rating.
    """
    if not len(first):
        return Repeats(count=0, difference=math.nan, equal=math.nan, chance=math.nan, alike=0)
    apart = np.abs(first - second).round(DECIMALS)
    chance = float(np.abs(first[:, None] - second).mean())
    alike = int((apart <= PART_OF_SCALE * scale).sum())
    return Repeats(
        count=len(first), difference=float(apart.mean()), equal=float((apart == 0).mean()), chance=chance, alike=alike
    )


def checks_of(whole: Floats, degraded: Floats) -> Checks:
    """Test whether degraded copies are rated lower.

    The exact signed-rank test (Wilcoxon 1945) by all 2^n signs of the differences' midranks, differences of 0 left out;
    the p-value is the share of signs whose sum of positive ranks is as large, or larger.

    Args:
        whole: (n,) ratings of translations.
        degraded: (n,) those of their degraded copies.

    Returns:
        p is 1 where no copy is rated otherwise than its translation, NaN without a copy.
    """
    differences = (whole - degraded).round(DECIMALS)
    p_value = signed_rank_p(differences) if len(differences) else math.nan
    return Checks(len(differences), int((differences > 0).sum()), p_value)


def signed_rank_p(differences: Floats) -> float:
    """One-sided p of the exact signed-rank test that differences are above 0; 1 if all are 0."""
    values = differences[differences != 0]
    _, at, counts = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    twice = (2 * ends - counts + 1)[at]  # midranks, doubled to be whole
    shares = np.ones(1)
    for rank in twice.tolist():  # each rank counts or does not, with even chances
        shares = np.concatenate([shares, np.zeros(rank)]) / 2 + np.concatenate([np.zeros(rank), shares]) / 2
    return min(1.0, float(shares[int(twice[values > 0].sum()) :].sum()))


def agreement_with_others(
    item: Integers, judge: Integers, ratings: Floats, judges: int, counting: Sequence[bool]
) -> tuple[Others, ...]:
    """Compare each of J judges with the mean of the others who rated the same items.

    Args:
        item: (n,) which item each rating is of; any numbers from 0.
        judge: (n,) who gave it, from 0; at most one rating of an item by a judge.
        ratings: (n,) without NaN.
        judges: J.
        counting: (J,) whether a judge is one of the others; those who are excluded are not.
    """
    counted = np.array(counting, np.bool_)[judge] if len(judge) else np.zeros(0, np.bool_)
    size = int(item.max(initial=-1)) + 1
    count = np.bincount(item[counted], minlength=size)[item] - counted
    total = np.bincount(item[counted], ratings[counted], minlength=size)[item] - np.where(counted, ratings, 0)
    found: list[Others] = []
    for number in range(judges):
        rows = np.flatnonzero((judge == number) & (count > 0))
        found.append(_with_others(ratings[rows], total[rows] / count[rows]))
    return tuple(found)


def care_of(
    paces: Sequence[Pace],
    repeats: Sequence[Repeats],
    checks: Sequence[Checks],
    proposed: Sequence[str],
    counting: Sequence[bool],
) -> tuple[Care, ...]:
    """Find what speaks against the care of each of J judges; nothing is said of judges who are excluded.

    Args:
        paces: of the judges.
        repeats: of the judges.
        checks: of the judges.
        proposed: as `proposals` returns them.
        counting: (J,) whether a judge is one of the others with whom each is compared; the excluded are not.
    """
    found: list[Care] = []
    for number, pace in enumerate(paces):
        others = [n for n in range(len(paces)) if counting[n] and n != number]
        times = [paces[n].seconds for n in others if paces[n].places >= MIN_PLACES]
        median = float(np.median(times)) if len(times) >= MIN_OTHERS else math.nan
        copies = _Passed(checks[number].lower, checks[number].count)
        others_copies = _Passed(sum(checks[n].lower for n in others), sum(checks[n].count for n in others))
        twice = _Passed(repeats[number].alike, repeats[number].count)
        others_twice = _Passed(sum(repeats[n].alike for n in others), sum(repeats[n].count for n in others))
        signs = (
            pace.places >= MIN_PLACES and pace.seconds < PART_OF_TIME * median,
            copies.is_worse(others_copies),
            twice.is_worse(others_twice),
            bool(proposed[number]),
        )
        flags = tuple(flag for flag, sign in zip(FLAGS, signs, strict=True) if sign and counting[number])
        evidence = [_pace_sentence(pace, median)] if pace.places else []
        evidence += [f"rated {copies.beside(others_copies, 'degraded copies', 'lower')}"] if copies.count else []
        evidence += [f"rated {twice.beside(others_twice, 'repeats', 'alike')}"] if twice.count else []
        found.append(Care(flags, "; ".join(evidence)) if flags else Care())
    return tuple(found)


def proposals(
    repeats: Sequence[Repeats], checks: Sequence[Checks], others: Sequence[Others], counting: Sequence[bool]
) -> tuple[str, ...]:
    """For each of J judges why an exclusion is proposed; empty where it is not, as where the judge is excluded."""
    defined = [(n, one.correlation) for n, one in enumerate(others) if counting[n] and not math.isnan(one.correlation)]
    found: list[str] = []
    for number, (own, copies, beside) in enumerate(zip(repeats, checks, others, strict=True)):
        rest = [correlation for n, correlation in defined if n != number]
        disagrees = _others_sign(beside, rest)
        failed = [sign for sign in (_checks_sign(copies), _repeats_sign(own)) if sign]
        signs = [disagrees, *failed] if counting[number] and disagrees and failed else []
        found.append(f"{_capital('; '.join(signs))}." if signs else "")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Passed:
    """Checks that were passed, of how many."""

    passed: int
    count: int

    def is_worse(self, others: _Passed) -> bool:
        """Whether significantly fewer are passed than by the others."""
        if self.count - self.passed < MIN_FAILED or not others.count:
            return False
        from scipy import stats  # loaded when first needed

        table = np.array([[one.passed, one.count - one.passed] for one in (self, others)])
        return float(stats.fisher_exact(table, alternative="less").pvalue) < LEVEL_OF_CHECKS

    def beside(self, others: _Passed, what: str, how: str) -> str:
        """Both in words."""
        theirs = f" (the others {others.passed:,} of {others.count:,})" if others.count else ""
        return f"{self.passed:,} of {self.count:,} {what} {how}{theirs}"


def _pace_sentence(pace: Pace, median: float) -> str:
    others = "" if math.isnan(median) else f" (median of the others {_seconds(median)})"
    return f"{_seconds(pace.seconds)} per place{others}"


def _seconds(value: float) -> str:
    return f"{value:.1f} s" if value < 10 else f"{value:,.0f} s"  # noqa: PLR2004 # two digits


def _with_others(own: Floats, others: Floats) -> Others:
    if not len(own):
        return Others(0, math.nan, math.nan, constant=False)
    deviation = float(np.abs(own - others).mean())
    constant = not np.ptp(own.round(DECIMALS))
    varied = not constant and bool(np.ptp(others.round(DECIMALS)))
    correlation = float(np.corrcoef(own, others)[0, 1]) if varied else math.nan
    return Others(len(own), deviation, correlation, constant)


def _checks_sign(checks: Checks) -> str:
    if checks.count < MIN_CHECKS or checks.p_value < ALPHA:
        return ""
    return (
        "degraded copies are not rated significantly lower than the translations they were made of "
        f"({checks.lower} of {checks.count} lower, p = {checks.p_value:.2g})"
    )


def _others_sign(others: Others, rest: Sequence[float]) -> str:
    if others.shared < MIN_SHARED:
        return ""
    if others.constant:
        return f"all {others.shared} items that others rated, too, have the same rating"
    median = float(np.median(rest)) if rest else math.nan
    if not others.correlation < PART_OF_MEDIAN * median or not _below(others, median):
        return ""
    own = decimal(others.correlation)
    return (
        f"ratings correlate with the others' by {own}, less than half as much as those of the median judge "
        f"({median:.2f})"
    )


def _below(others: Others, median: float) -> bool:
    """Whether a correlation is significantly below another one, on Fisher's scale, with the variance 1 / (n - 3)."""
    from scipy import special  # loaded when first needed: scoring does without

    if median >= 1 or others.correlation <= -1:
        return True
    z = (math.atanh(others.correlation) - math.atanh(median)) * math.sqrt(others.shared - 3)
    return float(special.ndtr(z)) < LEVEL_OF_DISAGREEMENT


def _repeats_sign(repeats: Repeats) -> str:
    # A judge who gives one number only repeats it perfectly.
    if repeats.count < MIN_REPEATS or not 0 < repeats.chance <= repeats.difference:
        return ""
    return (
        f"second ratings differ from the first ones by {repeats.difference:.2f} on average, those of other items by "
        f"{repeats.chance:.2f}"
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
