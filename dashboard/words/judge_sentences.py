"""How far judges agree and which systems they find different, in plain words. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleu_core.dataset import plural
from bleu_core.inference import significant
from bleu_core.judges import (
    GroupComparison,
    KrippendorffAlpha,
    PairwiseKendall,
    RaterDifferences,
    Unit,
    VarianceComponents,
)
from bleu_core.reports import corrected
from dashboard.words.formatting import MINUS, coefficient, enumeration, p_of, percent

if TYPE_CHECKING:
    from dashboard.analysis import JudgeAnalysis

#: Krippendorff's bounds: tentative conclusions from the ratings are acceptable above the one, they are reliable above
#: the other (Content Analysis, chapter on reliability).
TENTATIVE, RELIABLE = 0.667, 0.8

#: Pairs of systems that are named in a sentence.
NAMED = 3

#: Differences are given with as many decimals as keep two digits.
DIGITS = 2

SHARED = (
    "Where judges rated the same segments, or have tastes of their own, the pairs of ratings are not independent: "
    "in simulations these 95 % intervals held the true difference in 41 to 84 % of samples, not in 95 %. Trust those "
    "by segment, or by judge."
)
UNIT_MEANINGS: dict[Unit, str] = {
    "judge and segment": "By judge and segment, as in Figures 3 and 4 of the 2002 paper: every judge's rating of "
    f"every segment counts by itself. {SHARED}",
    "segment": "By segment: how far the difference would vary over other text of this kind under the same judges.",
    "judge": "By judge: how far the difference would vary over other judges of the same text; n is the number of "
    "judges, and with fewer than five the interval may be too wide for the figure.",
}


def judges_agreement(analysis: JudgeAnalysis) -> str:
    """How far judges agree, and where the variance of their ratings comes from."""
    return f"{krippendorff_alpha(analysis.interval)} {variance_of_ratings(analysis.variance)}"


def krippendorff_alpha(result: KrippendorffAlpha) -> str:
    """Krippendorff's alpha, and what he recommends for such a value."""
    if result.reason:
        why = result.reason if result.items else "no item was rated by two judges"
        return f"How far judges agree cannot be computed: {why}."
    text = f"Judges agree with Krippendorff's alpha = {coefficient(result.coefficient)}"
    low, high = result.interval.low, result.interval.high
    if math.isnan(low):
        return f"{text}; it has no interval."
    return f"{text} (95 % interval {coefficient(low)} to {coefficient(high)}): {_meaning(low, high)}."


def unnamed_judges(analysis: JudgeAnalysis) -> str:
    """How ratings without a judge's name count; empty if all have one."""
    judges = [s.judge for s in analysis.summaries]
    if all(judge.name for judge in judges):
        return ""
    if len(judges) == 1:
        return "The ratings name no judges, so that all count as those of one."
    return "Some ratings name no judge; those of a group count as those of one judge."


def variance_of_ratings(result: VarianceComponents) -> str:
    """The shares of the variance of one rating that are due to systems, segments and judges."""
    if result.reason:
        return f"What makes ratings vary cannot be told apart: {result.reason}."
    shares = result.shares
    first, *others = [(percent(shares[name]), f"{name}s") for name in ("system", "segment", "judge")]
    parts = [f"{first[0]} is due to {first[1]}", *(f"{share} to {name}" for share, name in others)]
    return f"Of the variance of one judge's rating of one segment, {enumeration(parts)}."


def basis_of_alpha(result: KrippendorffAlpha) -> str:
    """What alpha means and which ratings it is computed from."""
    text = (
        f"Alpha is 1 where judges agree perfectly and 0 where they agree no more than by chance; below {TENTATIVE} "
        f"Krippendorff advises against conclusions from single ratings, from {RELIABLE} on they are reliable. Means "
        "over many ratings can be reliable all the same. Interval: how far two ratings lie apart counts. Ordinal: "
        "only their order does."
    )
    text += f" From {result.ratings:,} ratings of {result.items:,} items"
    if result.rated_once:
        verb = "was" if result.rated_once == 1 else "were"
        text += f"; {result.rated_once:,} {plural(result.rated_once, 'item')} that one judge rated {verb} left out"
    return f"{text}. An item is a segment of a system; intervals draw items with replacement."


def agreement_of_two_judges(result: PairwiseKendall) -> str:
    """How alike two judges order what both rated."""
    if result.reason:
        return f"How alike two judges order the items cannot be computed: {result.reason}."
    count = math.comb(len(result.judges), 2)
    pairs = f"{count:,}" if result.pairs == count else f"{result.pairs:,} of {count:,}"
    return (
        f"Kendall's tau of {pairs} {plural(count, 'pair')} of judges is {coefficient(result.mean)} on average: 1 where "
        "both put the items that both rated in the same order, 0 where their orders are unrelated. "
        "A pair needs three such items."
    )


def residual_variance(result: VarianceComponents) -> str:
    """What the residual variance holds, and what negative estimates mean."""
    text = (
        "Systems: some are better. Segments: some are easier. Judges: some are more severe. The rest is all that these "
        "three do not explain: a system that does well on one segment and badly on another, a judge's own view of a "
        "system or segment, and chance."
    )
    negative = [f"{c.name}: {c.note}" for c in result.components if c.note]
    return f"{text} {'; '.join(negative)}." if negative else text


def difference_of_groups(result: GroupComparison) -> str:
    """How two groups differ; for more than two groups, how many pairs there are."""
    if len(result.pairs) != 1:
        return f"{len(result.groups)} groups of judges, {len(result.pairs)} pairs of groups."
    pair = result.pairs[0]
    if not pair.systems:
        return f"{pair.first} and {pair.second} rated no system in common."
    gap = pair.difference
    count = len(pair.systems)
    higher, lower = (pair.second, pair.first) if gap > 0 else (pair.first, pair.second)
    text = f"The group {higher} rates {_size(abs(gap))} higher than {lower} on average"
    if not _size(abs(gap)).strip("0."):
        text = f"The groups {higher} and {lower} rate the same on average"
    if pair.pearson.reason:
        return f"{text}; the correlation of their means of systems is undefined: {pair.pearson.reason}."
    return (
        f"{text}; their means of {count} {plural(count, 'system')} correlate with "
        f"r = {coefficient(pair.pearson.coefficient)}."
    )


def raters_verdict(result: RaterDifferences, *, neighbours: bool) -> str:
    """Which pairs differ significantly in their ratings, by segment and corrected for the number of pairs."""
    if not result.pairs:
        return "Only one system has ratings, so there is nothing to compare."
    adjusted = corrected(result, "segment")
    known = [(pair, p) for pair, p in zip(result.pairs, adjusted, strict=True) if not math.isnan(p)]
    if len(result.pairs) == 1:
        return _one(result, adjusted[0])
    what = "pairs of neighbours" if neighbours else "pairs of systems"
    if not known:
        why = "no pair has differences that vary over segments"
        if all(pair.by_segment.n <= 1 for pair in result.pairs):
            why = "no two of them have ratings of two segments in common"
        return f"Whether raters tell systems apart cannot be tested by segment: {why}."
    clear = [(pair.better, pair.worse) for pair, p in known if significant(p)]
    open_ = [(pair.better, pair.worse) for pair, p in known if not significant(p)]
    every = "both" if len(clear) == 2 else f"all {len(clear)}"  # noqa: PLR2004 # English has a word for two
    count = every if len(clear) == len(result.pairs) else f"{len(clear) or 'none'} of {len(result.pairs)}"
    text = f"Raters clearly tell apart {count} {what}"
    if 0 < len(clear) <= NAMED and (not open_ or len(clear) <= len(open_)):
        text += f": {enumeration([f'{better} is above {worse}' for better, worse in clear])}"
    elif 0 < len(open_) <= NAMED and clear:
        text += f"; not {enumeration([f'{better} from {worse}' for better, worse in open_])}"
    untested = len(result.pairs) - len(known)
    if untested:
        text += f"; {untested} {'has' if untested == 1 else 'have'} no test"
    return f"{text}."


def raters_test(result: RaterDifferences) -> str:
    """The test behind the verdict; empty if there is none."""
    count = len(result.pairs)
    if all(math.isnan(pair.by_segment.p_value) for pair in result.pairs):
        return ""
    holm = f", p corrected for {count} pairs by Holm's method" if count > 1 else ""
    text = f"{'Clearly: by' if count > 1 else 'By'} the paired t over segments at the 5 % level{holm}."
    if any(pair.by_judge_and_segment.n < pair.by_segment.n for pair in result.pairs):
        text += (
            " Of some segments no judge rated both systems, so that differences by segment are partly between judges; "
            "'Standardise judges' in the sidebar takes out how severe each is."
        )
    return text


def meaning_of_units(chosen: Sequence[Unit]) -> str:
    """What the interval of each unit means."""
    return " ".join(UNIT_MEANINGS[unit] for unit in chosen)


def _meaning(low: float, high: float) -> str:
    """What an interval of alpha leaves open."""
    if low <= 0:
        return "less than by chance" if high < 0 else "it could as well be by chance"
    if high < TENTATIVE:
        return f"more than by chance, and below the {TENTATIVE} that single ratings need for even tentative use"
    if low >= RELIABLE:
        return f"above the {RELIABLE} from which single ratings count as reliable"
    if low < TENTATIVE:
        return f"it may lie on either side of {TENTATIVE}, the least for tentative conclusions from single ratings"
    if high < RELIABLE:
        return f"between {TENTATIVE} and {RELIABLE}, enough for tentative conclusions from single ratings"
    return f"enough for tentative conclusions from single ratings, and perhaps for firm ones ({RELIABLE})"


def _one(result: RaterDifferences, p_value: float) -> str:
    pair = result.pairs[0]
    of_segments = pair.by_segment
    if math.isnan(of_segments.mean):
        return f"{pair.better} and {pair.worse} cannot be compared: {of_segments.reason}."
    ahead = f"raters put {pair.better} {_size(of_segments.mean)} above {pair.worse}"
    if of_segments.mean < 0:  # missing ratings can turn the difference over common segments
        ahead = f"raters put {pair.worse} {_size(-of_segments.mean)} above {pair.better}"
    elif of_segments.mean == 0:
        ahead = f"raters put {pair.better} and {pair.worse} level"
    if math.isnan(p_value):
        return f"Over segments, {ahead}; this cannot be tested: {of_segments.reason}."
    low, high = (_size(bound) for bound in (of_segments.interval.low, of_segments.interval.high))
    if of_segments.mean < 0:
        low, high = (_size(-bound) for bound in (of_segments.interval.high, of_segments.interval.low))
    text = f"{ahead} (95 % interval {low} to {high}; p {p_of(p_value)})"
    return f"Over segments, {text}." if significant(p_value) else f"The ratings do not tell them apart: {text}."


def _size(value: float) -> str:
    decimals = DIGITS
    if value and abs(value) < 0.1:  # noqa: PLR2004 # one decimal further, so that two digits stay
        decimals += 1
    return f"{value:.{decimals}f}".replace("-", MINUS)
