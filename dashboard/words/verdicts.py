"""Which differences are significant, in plain words. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.dataset import plural
from bleu_core.inference import Comparison, Comparisons, TextNeeded, significant
from bleu_core.reports import CORRECTION_NAMES, TEST_NAMES
from dashboard.words.formatting import MINUS, enumeration, p_of

#: Smaller differences are none. A p below RARE is given as a bound, one above OFTEN as a count in 100 tests.
TIED, RARE, OFTEN = 1e-9, 0.001, 0.015

#: Systems that are named in a sentence.
NAMED = 4

#: The most decimals of a number that must not be rounded to zero.
MOST_DECIMALS = 9

#: Digits that count in a number of tests or segments.
DIGITS = 2


def pair_verdict(result: Comparisons, pair: Comparison, label: str = "BLEU") -> str:
    """Which of two systems is better; neither if the test is not significant or the interval includes zero."""
    if math.isnan(pair.p_value):
        return f"Nothing can be said of the difference between {pair.system} and {pair.baseline}: {pair.reason}."
    delta = _tested_delta(pair)
    better = delta >= 0 if result.higher_is_better else delta <= 0
    shown = pair if better else pair.reversed()
    low, high = shown.interval.low, shown.interval.high
    if not result.higher_is_better:
        low, high = -high, -low
    size, low, high = _points(abs(delta), low, high)
    if abs(delta) < TIED:
        return f"{shown.system} and {shown.baseline} score the same (95 % interval {low} to {high})."
    by = f"by {size} {label} (95 % interval {low} to {high})"
    if result.verdict(pair) and not pair.spans_zero:
        return f"{shown.system} is better than {shown.baseline} {by}; {_chance(result, pair)}."
    text = f"This text does not tell {shown.system} and {shown.baseline} apart: {shown.system} is ahead {by}"
    if result.verdict(pair):
        return f"{text}, and although p {p_of(pair.p_value)}, the interval does not exclude zero."
    if significant(pair.p_value, result.alpha):
        return (
            f"{text}. Taken alone, p {p_of(pair.p_value)} would be small enough, but among {len(result.pairs)} "
            f"comparisons such a difference is no surprise (corrected p {p_of(pair.p_value_adjusted)})."
        )
    return f"{text}; {_chance(result, pair)}."


def comparison_method(result: Comparisons) -> str:
    """The test, its draws, its correction and its null hypothesis."""
    name = TEST_NAMES[result.test]
    text = f"{name[0].upper()}{name[1:]}: {result.resampled}"
    if result.test != "t":
        text += f", seed {result.seed}"
    if len(result.pairs) > 1:
        named = "" if result.correction == "none" else f", corrected by {CORRECTION_NAMES[result.correction]}"
        text += f"; {len(result.pairs)} pairs{named or ', not corrected for their number'}"
    return f"{text}. If a system were no better than another, then {result.null_hypothesis}."


def tiers_verdict(result: Comparisons, parts: Sequence[Sequence[str]]) -> str:
    """How many tiers there are, and who is in the first."""
    count = len(parts)
    if count == 1:
        return (
            f"All {len(result.systems)} systems are in one tier: nowhere is everyone above a line significantly better "
            "than everyone below it."
        )
    top = len(parts[0])
    first = enumeration(parts[0]) if top <= NAMED else f"{top} of {len(result.systems)} systems"
    alone = "alone at the top" if top == 1 else "together at the top"
    return f"{count} tiers, with {first} {alone}: everyone above a line is significantly better than everyone below it."


def baseline_verdict(result: Comparisons, baseline: str) -> str:
    """How many systems differ from a baseline."""
    verdicts = [result.verdict(pair) for pair in result.pairs]
    better, worse = verdicts.count(1), verdicts.count(-1)
    return (
        f"Of {len(verdicts)} {plural(len(verdicts), 'system')}, {_none(better)} shown to be better than "
        f"{baseline}, {_none(worse)} shown to be worse."
    )


def three_tests_verdict(tests: Sequence[Comparisons]) -> str:
    """Whether three tests of one pair agree, and why they may not."""
    verdicts = {test.test: test.verdict(test.pairs[0]) for test in tests}
    if len(set(verdicts.values())) == 1:
        if next(iter(verdicts.values())):
            return "All three tests find the difference real."
        return "None of the three tests finds the difference real."
    if {1, -1} <= set(verdicts.values()):
        return "The tests disagree: they find opposite differences."
    positive = enumeration([TEST_NAMES[test.test] for test in tests if verdicts[test.test]])
    return (
        f"The tests disagree: only {positive} {'finds' if sum(map(bool, verdicts.values())) == 1 else 'find'} the "
        "difference real. They ask different questions: the bootstrap about other texts of this kind, randomisation "
        "about who wrote which output of this text, and the paired t knows nothing but the scores of a few blocks. "
        "Near the threshold that is enough to part them; report the one chosen beforehand."
    )


def meaning_of_tests(tests: Sequence[Comparisons]) -> str:
    """What each test draws, and the null hypothesis of its p; one per line."""
    return "\n".join(
        f"{TEST_NAMES[test.test]}: {test.resampled}; p is computed as if {test.null_hypothesis}" for test in tests
    )


def enough_text(needed: TextNeeded, label: str) -> str:
    """Which difference the test set can detect, and how many segments the observed one takes."""
    if math.isnan(needed.standard_error):
        return "One segment says nothing about how much text it takes."
    if not needed.standard_error and needed.delta:
        return "Nothing is known of the spread, and so of how much text it takes."
    if not needed.standard_error:
        return "The two systems differ nowhere, so no amount of text like this would tell them apart."
    least = _size(needed.detectable())
    on = f"{needed.segments:,} {plural(needed.segments, 'segment')}"
    text = (
        f"On {on} like these a true difference of {least} {label} is found four times in five (80 % power at the 5 % "
        "level)."
    )
    count = needed.needed()
    if not math.isfinite(count):
        return text
    observed = _size(abs(needed.delta))
    if count <= needed.segments:
        return f"{text} One as large as observed, {observed}, would take no more than about {_round(count)}."
    return f"{text} To find one as large as observed, {observed}, takes about {_round(count)} segments like these."


def _tested_delta(pair: Comparison) -> float:
    """The difference that p and the interval refer to."""
    return pair.paired_t.mean_difference if pair.paired_t else pair.delta


def _chance(result: Comparisons, pair: Comparison) -> str:
    """How often chance makes such a difference; by sacreBLEU's rule only p, which is no such frequency."""
    if result.test == "sacrebleu-bootstrap":
        return f"p by sacreBLEU's rule {p_of(pair.p_value)}, about half of a two-sided one"
    often = _often(pair.p_value)
    return f"if the two were equally good, a difference this large would turn up {often} such tests"


def _points(*values: float) -> tuple[str, ...]:
    """Numbers with the fewest decimals that round none of them to zero."""
    counted = [abs(value) for value in values if abs(value) >= TIED]
    enough = (d for d in range(1, MOST_DECIMALS) if all(value >= 0.5 / 10**d for value in counted))
    decimals = next(enough, MOST_DECIMALS)
    return tuple(f"{v:.{decimals}f}".replace("-", MINUS) if abs(v) >= TIED else "0" for v in values)


def _often(p_value: float) -> str:
    """A probability as people count: "about once in 500"."""
    if p_value < RARE:
        return f"less than once in {1 / RARE:,.0f}"
    if p_value < OFTEN:
        return f"about once in {_round(1 / p_value)}"
    times = round(100 * p_value)
    return f"about {'once' if times == 1 else f'{times} times'} in 100"


def _round(number: float) -> str:
    """Two digits that count, since no more are known."""
    return f"{round(number, min(0, DIGITS - len(str(int(number))))):,.0f}"


def _none(count: int) -> str:
    return {0: "none is", 1: "1 is"}.get(count, f"{count} are")


def _size(value: float) -> str:
    """A difference with one decimal, or as many as it takes."""
    usual = 1 if value >= 1 else 2
    return f"{value:.{usual}f}" if value >= 0.5 / 10**usual else _points(value)[0]
