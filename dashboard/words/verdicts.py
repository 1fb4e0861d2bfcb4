"""Which differences are significant, in plain language. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bleu_core.dataset import plural
from bleu_core.errors import enumeration
from bleu_core.fields import AtMost
from bleu_core.inference import POWER, Comparison, Comparisons, Test, TextNeeded, significant
from bleu_core.results.significance import CORRECTION_NAMES, TEST_NAMES, test_name
from bleu_core.results.table import EQUAL, format_differences
from bleu_core.scoring import Decomposition
from bleu_core.segments import MAX_PERCENT, NO_SMALL_SET, Reversal
from dashboard.words.formatting import p_of, percent, signed

#: A p-value below the first is given as a bound, one below the second as "1 of n", one above the third as "nearly
#: every".
BOUND_BELOW, RATIO_BELOW, NEARLY_EVERY_ABOVE = 0.001, 0.015, 0.995

#: Maximum number of systems that a sentence names.
MAX_NAMED_SYSTEMS = 4

#: Significant digits of estimated numbers of tests and segments.
DIGITS = 2


def meaning_of_p(result: Comparisons, pair: Comparison) -> str:
    """Explain the p-value of a pair and the effect of the correction; empty where there is no p or no difference."""
    if math.isnan(pair.p_value) or abs(pair.tested_difference) < EQUAL or result.obstacle:
        return ""
    if significant(pair.p_value, result.alpha) and not result.verdict(pair):
        return (
            f"On its own, p {p_of(pair.p_value)} would be significant, but not after correcting for "
            f"{len(result.pairs):,} comparisons."
        )
    if result.test == "sacrebleu-bootstrap":
        return "This p follows sacreBLEU's rule and is about half of a two-sided one."
    return f"If the two systems were equally good, a difference this large would appear in {_often(pair.p_value)}."


#: About sacreBLEU's paired bootstrap.
SACREBLEU_RULE = (
    "sacreBLEU's rule centres the absolute differences and counts how many exceed the observed one. Near the "
    "threshold this is a one-sided test: p is about half of a two-sided p, and about 11% of equally good "
    "pairs come out below 0.05. Use it to compare with published tables; the paired bootstrap, which centres "
    "the signed differences, keeps to 5%."
)

#: Legend of hollow points in a figure of differences.
HOLLOW = "Hollow: not significant."


def grid_shown(label: str) -> str:
    """Explain the grid of all pairs, for the metric with this label."""
    return f"Above the diagonal: {label} of the row minus that of the column. Below: corrected p."


#: Where the pairs are that a table does not show.
ALL_IN_DOWNLOADS = "The downloads have all pairs."


def differences_shown(baseline: str) -> str:
    """Explain the figure of differences to a baseline."""
    return f"Difference of each system to {baseline}, with its interval."


def comparison_method(result: Comparisons) -> str:
    """Describe the test, its draws, its correction and its null hypothesis."""
    name = test_name(result)
    text = f"{name[0].upper()}{name[1:]}: {result.resampled}"
    if result.test != "t" and name == TEST_NAMES[result.test]:  # the jackknife draws nothing
        text += f", seed {result.seed}"
    if len(result.pairs) > 1:
        named = "" if result.correction == "none" else f", p corrected by {CORRECTION_NAMES[result.correction]}"
        text += f"; {result.family or f'{len(result.pairs)} pairs'}{named or ', p not corrected for their number'}"
    return f"{text}. Null hypothesis: {result.null_hypothesis}."


def tiers_verdict(result: Comparisons, parts: Sequence[Sequence[str]]) -> str:
    """State how many tiers there are, and which systems are in the first."""
    count = len(parts)
    if count == 1:
        return (
            "The systems do not fall into tiers: at no place in the ranking is every system above significantly better "
            "than every system below."
        )
    top = len(parts[0])
    first = enumeration(parts[0]) if top <= MAX_NAMED_SYSTEMS else f"{top} of {len(result.systems)} systems"
    return (
        f"{count} tiers; {first} {'is' if top == 1 else 'are'} in the first. Every system is significantly better than "
        "all systems in lower tiers."
    )


def wins_verdict(wins: Mapping[str, int], others: int) -> str:
    """State how many others the best systems significantly beat.

    Args:
        wins: system -> how many others it is significantly better than; best system first.
        others: how many others each system is compared with.
    """
    winners = sorted(((count, name) for name, count in wins.items() if count), key=lambda pair: -pair[0])
    if not winners:
        return "No system is significantly better than another."
    (max_wins, first), *rest = winners
    if others == 1:
        return f"{first} is significantly better than the other system."
    than = f"{max_wins} of the {others}"
    if max_wins == others:
        than = "both" if max_wins == 2 else f"all {max_wins}"  # noqa: PLR2004 # English has a word for two
    parts = [f"{first} is significantly better than {than} others"]
    parts += [f"{name} than {count}" for count, name in rest[: MAX_NAMED_SYSTEMS - 1]]
    return f"{enumeration(parts)}."


def causes_of_difference(decomposition: Decomposition) -> str:
    """State how much of a difference of BLEU is due to the precisions, and how much to brevity."""
    sign = -1 if decomposition.delta < 0 else 1
    leader, other = (decomposition.system, decomposition.baseline)[::sign]
    precisions, brevity = sign * float(decomposition.precisions.sum()), sign * decomposition.brevity
    if decomposition.reason or max(abs(precisions), abs(brevity)) < EQUAL:
        text = f"The scores of {decomposition.system} and {decomposition.baseline} do not differ."
    elif decomposition.one_sign:
        size, first, second = format_differences(
            abs(decomposition.delta), max(precisions, brevity), min(precisions, brevity)
        )
        factors = ("brevity", "the precisions") if brevity > precisions else ("the precisions", "brevity")
        if min(abs(precisions), abs(brevity)) < EQUAL:
            text = f"All of the {size} points by which {leader} leads {other} are due to {factors[0]}."
            return text + _zeros(decomposition)
        accounts = "accounts" if factors[0] == "brevity" else "account"
        text = (
            f"{factors[0][0].upper()}{factors[0][1:]} {accounts} for {first} of the {size} points by which {leader} "
            f"leads {other}, and {factors[1]} for {second}."
        )
    else:
        text = (
            f"{leader} minus {other}: the precisions contribute {signed(precisions)} points and brevity "
            f"{signed(brevity)}, {signed(abs(decomposition.delta))} in all."
        )
    return text + _zeros(decomposition)


def three_tests_verdict(tests: Sequence[Comparisons]) -> str:
    """State whether three tests of one pair agree, and explain why they may not."""
    if tests[0].obstacle:
        return tests[0].obstacle
    verdicts = {test.test: test.verdict(test.pairs[0]) for test in tests}
    if len(set(verdicts.values())) == 1:
        if next(iter(verdicts.values())):
            return "All three tests find the difference significant."
        return "None of the three tests finds the difference significant."
    if {1, -1} <= set(verdicts.values()):
        return "The tests disagree: they find significant differences in opposite directions."
    positive = enumeration([_with_article(test.test) for test in tests if verdicts[test.test]])
    return (
        f"The tests disagree: only {positive} {'finds' if sum(map(bool, verdicts.values())) == 1 else 'find'} the "
        "difference significant. They answer different questions. Bootstrap: would the difference hold on other texts "
        "of this kind? Randomisation: could it arise by swapping the two systems' outputs? The paired t uses only the "
        "scores of a few blocks. Close to the threshold they can disagree; report the test you chose in advance."
    )


def meaning_of_tests(tests: Sequence[Comparisons]) -> str:
    """Describe what each test resamples, and its null hypothesis; one test per line."""
    return "\n".join(f"{test_name(test)}: {test.resampled}. Null hypothesis: {test.null_hypothesis}." for test in tests)


def detectable_difference(segments: int, difference: float, label: str, *, decimals: int = 2) -> str:
    """Describe the true difference that a test on this text detects.

    Args:
        segments: of the text.
        difference: points that are detected with the usual power at the usual level.
        label: of the metric.
        decimals: of its scores.
    """
    return (
        f"On {segments:,} {plural(segments, 'segment')}, this test finds a true difference of about "
        f"{_size(difference, decimals)} {label} in {percent(POWER)} of cases, and smaller ones less often."
    )


def enough_text(needed: TextNeeded, label: str) -> str:
    """State which difference the test set can detect, and how many segments the observed one takes."""
    if math.isnan(needed.standard_error):
        return "How much text is needed cannot be estimated from one segment."
    if not needed.standard_error and needed.delta:
        return "How much text is needed cannot be estimated, because the difference does not vary between resamples."
    if not needed.standard_error:
        return "The two systems score the same on every segment, so more text of this kind would show no difference."
    text = detectable_difference(needed.segments, needed.detectable(), label, decimals=needed.decimals)
    count = needed.segments_needed()
    if not math.isfinite(count):
        return text
    observed = format_differences(abs(needed.delta), decimals=needed.decimals)[0]
    if count <= needed.segments:
        return f"{text} For a true difference of {observed}, as observed, about {_round(count)} segments are enough."
    return (
        f"{text} To detect a true difference of {observed}, as observed, in {percent(POWER)} of cases takes about "
        f"{_round(count)} segments like these."
    )


def _with_article(test: Test) -> str:
    return TEST_NAMES[test] if test == "randomization" else f"the {TEST_NAMES[test]}"


def _zeros(decomposition: Decomposition) -> str:
    """Name the precisions that are smoothed, and those that are 0."""
    text, in_a_system = "", "for at least one of the two systems"
    if decomposition.smoothed:
        text += f" {_precisions(decomposition.smoothed)} smoothed {in_a_system}."
    if decomposition.vanished:
        text += f" {_precisions(decomposition.vanished)} 0 {in_a_system}, so that a score is 0."
    return text


def _precisions(orders: Sequence[int]) -> str:
    """Return precisions as the subject of a sentence: "The precision of order 4 is"."""
    if len(orders) == 1:
        return f"The precision of order {orders[0]} is"
    return f"The precisions of orders {enumeration([str(n) for n in orders])} are"


def _often(p_value: float) -> str:
    """Return a probability as a number of tests: "about 26 of 100 tests"."""
    if isinstance(p_value, AtMost):
        return f"at most 1 of about {_round(1 / p_value)} tests"
    if p_value < BOUND_BELOW:
        return f"fewer than 1 of {1 / BOUND_BELOW:,.0f} tests"
    if p_value < RATIO_BELOW:
        return f"about 1 of {_round(1 / p_value)} tests"
    return f"about {100 * p_value:.0f} of 100 tests" if p_value < NEARLY_EVERY_ABOVE else "nearly every test"


def _round(number: float) -> str:
    """Format an estimated number with two significant digits."""
    return f"{round(number, min(0, DIGITS - len(str(int(number))))):,.0f}"


def _size(value: float, decimals: int) -> str:
    """Format an estimated difference with one decimal less than others, or as many as it takes."""
    shown = decimals - 1 if value >= 10 ** (2 - decimals) else decimals
    return f"{value:.{shown}f}" if value >= 0.5 / 10**shown else format_differences(value, decimals=decimals)[0]


DECIDING_CAUTION = (
    "This is the smallest set found; a smaller one may exist. It is not another test: it restates the p-value. The "
    "typical share is the one expected for this p-value and this number of segments, if the segments' contributions "
    "to the difference are normally distributed."
)


#: Caption of the difference without the ticked segments.
LEFT_OUT_CAUTION = (
    "These segments were chosen for their results, so the p without them describes the rest of the text and is no test."
)


def deciding_segments(reversal: Reversal, typical_share: float | None) -> str:
    """State how few segments have to be left out for the order of two systems to be reversed.

    Args:
        reversal: the set of segments.
        typical_share: the share of segments that is typical for the p-value; None if it is not known.
    """
    pair = f"{reversal.system} and {reversal.baseline}"
    if reversal.reason == NO_SMALL_SET:
        return f"No set of up to {MAX_PERCENT}% of the segments was found without which {pair} change places."
    if reversal.positions is None:
        return f"No segments decide between {pair}: {reversal.reason}."
    count = len(reversal.positions)
    text = (
        f"Without {count:,} of the {reversal.segments:,} segments ({100 * reversal.share:.1f}%), {pair} change places."
    )
    return text if typical_share is None else f"{text} Typical for this p-value: {100 * typical_share:.1f}%."
