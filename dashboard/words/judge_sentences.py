"""How well judges agree and which systems they rate differently, in plain language. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleu_core.agreement import MIN_ENTRIES, Agreement, pearson
from bleu_core.dataset import MIN_RATED_SEGMENTS, RatedSegments, plural
from bleu_core.errors import enumeration
from bleu_core.fields import decimal
from bleu_core.inference import significant
from bleu_core.judges import (
    GroupComparison,
    KrippendorffAlpha,
    PairwiseKendall,
    RatingDifferences,
    Unit,
    VarianceComponents,
)
from bleu_core.results.judges import corrected_p_values
from dashboard.words.formatting import INTERVAL, LEVEL, coefficient, p_of, percent

if TYPE_CHECKING:
    from dashboard.analysis import JudgeAnalysis, RatingsInUse

#: Krippendorff's bounds (Content Analysis, chapter on reliability): above the first, tentative conclusions from the
#: ratings are acceptable; above the second, the ratings are reliable.
TENTATIVE, RELIABLE = 0.667, 0.8

#: Label of a bound in figures -> the bound.
ALPHA_BOUNDS = {f"{TENTATIVE}, tentative": TENTATIVE, f"{RELIABLE}, reliable": RELIABLE}

#: Maximum number of pairs of systems that a sentence names.
MAX_NAMED_PAIRS = 3

#: Decimals of differences.
DIGITS = 2

#: Per cent of samples in which the interval held the true difference, in simulations in which judges shared segments
#: or had different preferences.
COVERAGE = (41, 84)

SHARED = (
    "Ratings of the same segment, or by the same judge, are not independent: in simulations these "
    f"{INTERVAL}s covered the true difference in only {COVERAGE[0]}% to {COVERAGE[1]}% of samples. Rely on the "
    "intervals by segment or by judge instead."
)
UNIT_MEANINGS: dict[Unit, str] = {
    "judge and segment": "By judge and segment, as in Figures 3 and 4 of the 2002 paper: each rating by a judge counts "
    f"as one observation. {SHARED}",
    "segment": "By segment: how much the difference would vary on other text of this kind with the same judges.",
    "judge": "By judge: how much the difference would vary with other judges of the same text. n is the number of "
    "judges; with fewer than five, the interval may be wider than the chart.",
}


def adjustment(ratings: RatingsInUse, with_raw: str = "") -> str:
    """Say that ratings are adjusted for judges, with what raw ones would say, or why means may not be compared.

    Args:
        ratings: in use.
        with_raw: a sentence on the same result of raw ratings.
    """
    policy = ratings.policy
    if policy.obstacle:
        choose = "; choose “automatic” under “Adjust for judges”" if policy.confounded else ""
        return f"Not comparable: {policy.obstacle}{choose}. The page Judges shows who rated what."
    if not ratings.adjusted:
        return ""
    why = ", as these are confounded with systems: raw means depend on who rated which system" * policy.confounded
    return f"Ratings are adjusted for judges{why}.{f' With raw ratings: {with_raw}' if with_raw else ''}"


def raw_correlation(result: Agreement) -> str:
    """Give Pearson's r with raw mean ratings beside that with adjusted ones; empty if ratings are not adjusted."""
    if result.human_raw is None:
        return ""
    raw = pearson(result.oriented_scores, result.human_raw)
    return "" if raw.reason else f"Pearson's r = {coefficient(raw.coefficient)}."


def judges_agreement(analysis: JudgeAnalysis) -> str:
    """Describe how well judges agree, and what the variance of their ratings is due to."""
    return f"{krippendorff_alpha(analysis.interval)} {variance_of_ratings(analysis.variance)}"


def krippendorff_alpha(result: KrippendorffAlpha) -> str:
    """Describe Krippendorff's alpha, with his recommendation for such a value."""
    if result.reason:
        why = result.reason if result.items else "no item was rated by two judges"
        return f"Krippendorff's alpha is undefined: {why}."
    text = f"Krippendorff's alpha of the judges is {coefficient(result.coefficient)}"
    low, high = result.interval.low, result.interval.high
    if math.isnan(low):
        return f"{text}; its interval is undefined."
    return f"{text} ({INTERVAL} {coefficient(low)} to {coefficient(high)}): {_meaning(low, high)}."


def unnamed_judges(analysis: JudgeAnalysis) -> str:
    """Explain how ratings without a judge's name are treated where others have one; empty otherwise."""
    named = [bool(s.judge.name) for s in analysis.summaries]
    if all(named) or not any(named):
        return ""
    return "Some ratings do not name a judge; those of each group are treated as one judge's."


def variance_of_ratings(result: VarianceComponents) -> str:
    """Describe the shares of the variance of one rating that are due to systems, segments and judges."""
    if result.reason:
        return f"The variance of the ratings cannot be attributed: {result.reason}."
    shares = result.shares
    first, *others = [(percent(shares[name]), f"{name}s") for name in ("system", "segment", "judge")]
    parts = [f"{first[0]} is due to {first[1]}", *(f"{share} to {name}" for share, name in others)]
    return f"Of the variance of a single rating, {enumeration(parts)}."


def basis_of_alpha(result: KrippendorffAlpha) -> str:
    """Explain what alpha means and which ratings it is computed from."""
    text = (
        "Alpha is 1 for perfect agreement and 0 for agreement by chance. Krippendorff advises against conclusions from "
        f"single ratings below {TENTATIVE} and calls them reliable from {RELIABLE}. Averages of many ratings can still "
        "be reliable. “Interval” uses the distance between ratings, “ordinal” only their order."
    )
    text += f" Computed from {result.ratings:,} ratings of {result.items:,} items"
    if result.rated_once:
        verb = "was" if result.rated_once == 1 else "were"
        text += f"; {result.rated_once:,} {plural(result.rated_once, 'item')} with only one rating {verb} left out"
    return f"{text}. An item is one system's translation of one segment; intervals come from resampling items."


def agreement_of_two_judges(result: PairwiseKendall) -> str:
    """Describe how similarly pairs of judges rank the items that both rated."""
    if result.reason:
        return f"Kendall's tau between judges is undefined: {result.reason}."
    count = math.comb(len(result.judges), 2)
    pairs = f"{count:,}" if result.pairs == count else f"{result.pairs:,} of {count:,}"
    return (
        f"Kendall's tau is {coefficient(result.mean)} on average over {pairs} {plural(count, 'pair')} of judges: 1 "
        "if both rank the items they share in the same order, 0 if their rankings are unrelated. A pair needs at least "
        f"{MIN_ENTRIES} shared items."
    )


def residual_variance(result: VarianceComponents) -> str:
    """Explain each component of the variance, and name the estimates that were negative."""
    text = (
        "System: some systems are better. Segment: some segments are easier. Judge: some judges are more severe. "
        "Residual: everything else, such as systems that do well on some segments only, judges' preferences, and "
        "chance."
    )
    negative = [f"{c.name.capitalize()}: {c.note}" for c in result.components if c.note]
    return f"{text} {'; '.join(negative)}." if negative else text


def difference_of_groups(result: GroupComparison) -> str:
    """Describe how two groups differ; for more than two groups, give the number of pairs."""
    if len(result.pairs) != 1:
        return f"{len(result.groups)} groups of judges, {len(result.pairs)} pairs of groups."
    pair = result.pairs[0]
    if not pair.systems:
        return f"{pair.first} and {pair.second} did not rate any of the same systems."
    difference = pair.difference
    count = len(pair.systems)
    higher, lower = (pair.second, pair.first) if difference > 0 else (pair.first, pair.second)
    text = f"Group {higher} rates {_size(abs(difference))} higher than group {lower} on average"
    if not _size(abs(difference)).strip("0."):
        text = f"Groups {higher} and {lower} give the same ratings on average"
    if pair.pearson.reason:
        return f"{text}; the correlation of their system means is undefined: {pair.pearson.reason}."
    return (
        f"{text}. Their mean ratings of {count} {plural(count, 'system')} have Pearson's "
        f"r = {coefficient(pair.pearson.coefficient)}."
    )


def raters_verdict(result: RatingDifferences, *, neighbours: bool) -> str:
    """State which pairs differ significantly in their ratings, by segment and corrected for the number of pairs."""
    if not result.pairs:
        return "Only one system has ratings, so there is nothing to compare."
    few = [pair.by_segment.n < MIN_RATED_SEGMENTS for pair in result.pairs]
    not_compared = _too_few_rated(result) if all(few) else ""
    if not_compared:
        return not_compared
    pairs_with_few = zip(corrected_p_values(result, "segment"), few, strict=True)
    adjusted = [math.nan if too_few else p for p, too_few in pairs_with_few]
    known = [(pair, p) for pair, p in zip(result.pairs, adjusted, strict=True) if not math.isnan(p)]
    if len(result.pairs) == 1:
        return _single_pair(result, adjusted[0])
    what = "pairs of neighbours" if neighbours else "pairs of systems"
    if not known:
        why = "no pair has differences that vary between segments"
        if all(pair.by_segment.n <= 1 for pair in result.pairs):
            why = "no two systems have ratings of two segments in common"
        return f"The differences between systems cannot be tested by segment: {why}."
    clear = [(pair.better, pair.worse) for pair, p in known if significant(p)]
    open_ = [(pair.better, pair.worse) for pair, p in known if not significant(p)]
    every = "Both" if len(clear) == 2 else f"All {len(clear)}"  # noqa: PLR2004 # English has a word for two
    count = every if len(clear) == len(result.pairs) else f"{len(clear) or 'None'} of {len(result.pairs)}"
    text = f"{count} {what} {'differ' if len(clear) > 1 else 'differs'} significantly in their ratings"
    if 0 < len(clear) <= MAX_NAMED_PAIRS and (not open_ or len(clear) <= len(open_)):
        text += f": {enumeration([f'{better} is above {worse}' for better, worse in clear])}"
    elif 0 < len(open_) <= MAX_NAMED_PAIRS and clear:
        text += f"; no significant difference {' or '.join(f'between {better} and {worse}' for better, worse in open_)}"
    untested = len(result.pairs) - len(known)
    if untested:
        text += f"; {untested} could not be tested"
    return f"{text}."


def raters_test(result: RatingDifferences) -> str:
    """Describe the test behind the verdict; empty if there is none."""
    count = len(result.pairs)
    if all(math.isnan(pair.by_segment.p_value) for pair in result.pairs):
        return ""
    holm = f", with p corrected for {count} pairs by Holm's method" if count > 1 else ""
    text = f"Tested by a paired t-test over segments at the {LEVEL}{holm}."
    if any(pair.by_judge_and_segment.n < pair.by_segment.n for pair in result.pairs):
        text += (
            " For some segments no judge rated both systems, so part of the difference may be between judges. "
            "“Standardise judges” removes differences in severity."
        )
    return text


def meaning_of_units(units: Sequence[Unit]) -> str:
    """Explain what the interval of each unit means."""
    return " ".join(UNIT_MEANINGS[unit] for unit in units)


def _meaning(low: float, high: float) -> str:
    """Return the conclusion that an interval of alpha allows."""
    if low <= 0:
        return "less than chance agreement" if high < 0 else "not distinguishable from chance agreement"
    if high < TENTATIVE:
        return f"better than chance, but below {TENTATIVE}, the least for tentative conclusions from single ratings"
    if low >= RELIABLE:
        return f"at least {RELIABLE}, so single ratings count as reliable"
    if low < TENTATIVE:
        return f"it may lie on either side of {TENTATIVE}, the least for tentative conclusions from single ratings"
    if high < RELIABLE:
        return f"between {TENTATIVE} and {RELIABLE}, enough for tentative conclusions from single ratings"
    return f"enough for tentative conclusions from single ratings, perhaps for firm ones (from {RELIABLE})"


def _too_few_rated(result: RatingDifferences) -> str:
    """Return the sentence for pairs without enough rated segments; empty where another reason applies."""
    if not result.with_segments and len(result.pairs) == 1:
        pair = result.pairs[0]
        ahead = f"{pair.better} is rated {_size(pair.difference_of_means)} higher than {pair.worse}"
        if not pair.difference_of_means:
            ahead = f"{pair.better} and {pair.worse} are rated the same"
        return f"{ahead}. {RatedSegments(fewest=None).note}"
    max_segments = max(pair.by_segment.n for pair in result.pairs)
    if not result.with_segments or not max_segments:
        return ""
    both = "both systems" if len(result.pairs) == 1 else "both systems of any pair"
    rated = (
        f"Only {max_segments} {plural(max_segments, 'segment')} {'is' if max_segments == 1 else 'are'} rated for {both}"
    )
    return f"{rated}, too few to say which system is rated higher: at least {MIN_RATED_SEGMENTS} are needed."


def _single_pair(result: RatingDifferences, p_value: float) -> str:
    pair = result.pairs[0]
    by_segment = pair.by_segment
    if math.isnan(by_segment.mean):
        return f"{pair.better} and {pair.worse} cannot be compared: {by_segment.reason}."
    ahead = f"{pair.better} is rated {_size(by_segment.mean)} higher than {pair.worse}"
    if by_segment.mean < 0:  # missing ratings can turn the difference over common segments
        ahead = f"{pair.worse} is rated {_size(-by_segment.mean)} higher than {pair.better}"
    elif by_segment.mean == 0:
        ahead = f"{pair.better} and {pair.worse} are rated the same"
    if math.isnan(p_value):
        return f"On average over segments, {ahead}. The difference cannot be tested: {by_segment.reason}."
    low, high = (_size(bound) for bound in (by_segment.interval.low, by_segment.interval.high))
    if by_segment.mean < 0:
        low, high = (_size(-bound) for bound in (by_segment.interval.high, by_segment.interval.low))
    text = f"on average over segments, {ahead} ({INTERVAL} {low} to {high}; p {p_of(p_value)})"
    return f"Significant: {text}." if significant(p_value) else f"No significant difference: {text}."


def _size(value: float) -> str:
    decimals = DIGITS
    if value and abs(value) < 0.1:  # noqa: PLR2004 # one more decimal keeps two significant digits
        decimals += 1
    return decimal(value, decimals)
