"""Signs of careless judges: the exact test against SciPy, agreement against pandas, and how often they mislead."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from printed import Printed, printed_at_the_end
from scipy import stats
from simulated_campaigns import People

from bleu_core.arrays import Floats, Integers
from bleu_core.campaigns.judge_quality import (
    Checks,
    OthersComparison,
    Pace,
    QualityFlags,
    Repeats,
    agreement_with_others,
    compare_copies,
    compare_repeats,
    flag_judges,
    proposals,
    signed_rank_p,
)


def rank_sum(differences: Floats, axis: int = -1) -> Floats:
    """Of the positive ones; SciPy turns the signs, and 0 has none."""
    ranks = stats.rankdata(np.abs(differences), axis=axis)
    return np.sum(np.where(differences > 0, ranks, 0), axis=axis)


@pytest.mark.parametrize("seed", range(6))
def test_the_exact_test_of_checks_is_scipys_permutation_test(seed: int) -> None:
    random = np.random.default_rng(seed)
    differences = random.choice([-3.0, -2, -1, 1, 2, 3], size=int(random.integers(4, 11)))
    theirs = stats.permutation_test(
        (differences,), rank_sum, permutation_type="samples", alternative="greater", n_resamples=5000, vectorized=True
    )
    assert signed_rank_p(differences) == pytest.approx(theirs.pvalue)


def test_without_ties_the_exact_test_is_wilcoxons() -> None:
    differences = np.array([3.1, -0.2, 4.5, 1.7, -2.2, 6.0, 0.9, 5.3])
    theirs = stats.wilcoxon(differences, alternative="greater", method="exact")
    assert signed_rank_p(differences) == pytest.approx(theirs.pvalue)


def test_differences_of_one_size_make_it_the_sign_test() -> None:
    differences = np.array([1.0] * 7 + [-1.0] * 2 + [0.0] * 3)
    assert signed_rank_p(differences) == pytest.approx(stats.binomtest(7, 9, alternative="greater").pvalue)


def test_checks_that_change_nothing_have_a_p_of_1_and_none_has_no_p() -> None:
    same = np.array([3.0, 4.0])
    assert compare_copies(same, same) == Checks(count=2, lower=0, p_value=1.0)
    assert math.isnan(compare_copies(same[:0], same[:0]).p_value)


def test_repeats_are_compared_with_first_ratings_of_other_items() -> None:
    found = compare_repeats(np.array([1.0, 3.0, 5.0]), np.array([1.0, 4.0, 5.0]), 4)
    assert (found.count, found.difference, found.equal) == (3, pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert found.chance == pytest.approx((0 + 3 + 4 + 2 + 1 + 2 + 4 + 1 + 0) / 9)
    assert found.similar == 2
    # On a slider ratings are hardly ever the same: a tenth of the scale apart is alike.
    assert compare_repeats(np.array([10.0, 50.0, 90.0]), np.array([20.0, 61.0, 84.0]), 100).similar == 2


def test_agreement_with_the_others_is_that_of_pandas() -> None:
    random = np.random.default_rng(2)
    table = pd.DataFrame(np.round(5 * random.random((30, 4)))).mask(random.random((30, 4)) < 0.3)
    item, judge = np.nonzero(table.notna().to_numpy())
    found = agreement_with_others(
        item, judge, ratings=table.to_numpy()[item, judge], judges=4, included=[True, True, True, False]
    )
    for j, one in enumerate(found):
        others = table.drop(columns=[3, *([j] if j < 3 else [])]).mean(axis=1)
        both = table[j].notna() & others.notna()
        assert one.shared == both.sum()
        assert one.deviation == pytest.approx((table[j] - others).abs().mean())
        assert one.correlation == pytest.approx(table[j].corr(others))


FAILED = Checks(count=10, lower=4, p_value=0.6)
PASSED = Checks(count=10, lower=9, p_value=0.01)
GOOD = Repeats(count=10, difference=0.4, equal=0.6, chance=1.2, similar=6)
POOR = Repeats(count=10, difference=1.3, equal=0.2, chance=1.2, similar=2)
AGREES = OthersComparison(shared=200, deviation=0.6, correlation=0.6, constant=False)
DISAGREES = OthersComparison(shared=200, deviation=1.4, correlation=0.02, constant=False)
CONSTANT = OthersComparison(shared=200, deviation=1.0, correlation=math.nan, constant=True)


@pytest.mark.parametrize(
    ("checks", "others", "repeats", "proposed"),
    [
        (FAILED, DISAGREES, GOOD, True),
        (PASSED, DISAGREES, POOR, True),
        (FAILED, CONSTANT, Repeats(count=10, difference=0, equal=1, chance=0, similar=10), True),
        (FAILED, AGREES, POOR, False),
        (PASSED, DISAGREES, GOOD, False),
        (
            Checks(count=4, lower=0, p_value=1.0),
            DISAGREES,
            Repeats(count=4, difference=1.3, equal=0, chance=1.2, similar=0),
            False,
        ),
        (FAILED, OthersComparison(shared=19, deviation=1.4, correlation=0.0, constant=False), POOR, False),
        (FAILED, OthersComparison(shared=25, deviation=1.4, correlation=0.25, constant=False), POOR, False),
    ],
)
def test_who_disagrees_and_fails_a_check_is_proposed(
    *, checks: Checks, others: OthersComparison, repeats: Repeats, proposed: bool
) -> None:
    rest = ([GOOD] * 4, [PASSED] * 4, [AGREES] * 4)
    found = proposals([repeats, *rest[0]], [checks, *rest[1]], [others, *rest[2]], [True] * 5)
    assert bool(found[0]) == proposed
    assert found[1:] == ("",) * 4
    # Nobody is excluded twice.
    assert proposals([repeats, *rest[0]], [checks, *rest[1]], [others, *rest[2]], [False, *[True] * 4])[0] == ""


def test_a_proposal_says_what_was_found() -> None:
    (found, *_) = proposals([POOR, GOOD, GOOD], [FAILED, PASSED, PASSED], [DISAGREES, AGREES, AGREES], [True] * 3)
    assert found == (
        "Ratings correlate with the others' by 0.02, less than half as much as those of the median judge (0.60); "
        "degraded copies are not rated significantly lower than the translations they were made of (4 of 10 lower, "
        "p = 0.6); second ratings differ from the first ones by 1.30 on average, those of other items by 1.20."
    )


# --- flags ------------------------------------------------------------------------------------------------------


def repeated(alike: int, count: int) -> Repeats:
    return Repeats(count=count, difference=0.5, equal=alike / count if count else math.nan, chance=1.2, similar=alike)


def care(
    pace: Pace, copies: tuple[int, int], twice: tuple[int, int], *others: tuple[Pace, tuple[int, int], tuple[int, int]]
) -> QualityFlags:
    """What is found of the first judge, beside the others; copies and repeats passed, of how many."""
    paces, passed, alike = zip((pace, copies, twice), *others, strict=True)
    checks = [Checks(count=count, lower=lower, p_value=math.nan) for lower, count in passed]
    repeats = [repeated(*of) for of in alike]
    return flag_judges(paces, repeats, checks=checks, proposed=[""] * len(paces), included=[True] * len(paces))[0]


USUAL = (Pace(18, 14.0), (3, 3), (2, 3))


def test_a_hurried_judge_is_flagged_with_the_evidence() -> None:
    assert care(Pace(18, 0.71), (0, 3), (1, 3), USUAL, (Pace(18, 13.0), (3, 3), (3, 3))) == QualityFlags(
        ("fast", "copies"),
        "0.7 s per place (median of the others 14 s); rated 0 of 3 degraded copies lower (the others 6 of 6); "
        "rated 1 of 3 repeats alike (the others 5 of 6)",
    )


@pytest.mark.parametrize(
    ("pace", "copies", "twice", "flags"),
    [
        (Pace(18, 3.4), (3, 3), (3, 3), "fast"),
        (Pace(18, 3.6), (3, 3), (3, 3), ""),  # not less than a quarter
        (Pace(9, 0.7), (3, 3), (3, 3), ""),  # few places
        (Pace(0, math.nan), (0, 0), (0, 0), ""),
        (Pace(18, 14.0), (0, 3), (3, 3), "copies"),
        (Pace(18, 4.0), (2, 3), (2, 3), ""),  # fast, and one check missed
        (Pace(90, 4.0), (28, 30), (30, 30), ""),  # two missed, of many
        (Pace(18, 14.0), (0, 2), (0, 2), ""),  # few checks
        (Pace(18, 14.0), (6, 6), (0, 6), "repeats"),
        (Pace(18, 14.0), (6, 6), (3, 6), ""),  # significant at no level that is used
        (Pace(18, 0.5), (0, 6), (0, 6), "fast, copies, repeats"),
    ],
)
def test_flags_are_for_what_is_far_from_the_others(
    pace: Pace, copies: tuple[int, int], twice: tuple[int, int], flags: str
) -> None:
    others = [(Pace(18, 14.0), (6, 6), (5, 6))] * 4
    found = care(pace, copies, twice, *others)
    assert ", ".join(found.flags) == flags
    assert bool(found.evidence) == bool(flags)


def test_without_others_to_compare_with_nobody_is_flagged() -> None:
    hurried = (Pace(18, 0.7), (0, 6), (0, 6))
    assert care(*hurried) == QualityFlags()
    assert care(*hurried, (Pace(18, 14.0), (0, 0), (0, 0))) == QualityFlags()  # one: the others' time is one judge's
    assert care(*hurried, *[(Pace(18, 0.7), (1, 6), (1, 6))] * 3) == QualityFlags()  # all alike


def test_excluded_judges_are_neither_flagged_nor_compared_with() -> None:
    paces = [Pace(18, 0.7), Pace(18, 14.0), Pace(18, 13.0), Pace(18, 0.5)]
    repeats, checks = [repeated(3, 3)] * 4, [Checks(count=3, lower=3, p_value=0.1)] * 4
    found = flag_judges(
        paces, repeats, checks=checks, proposed=["", "Why.", "", ""], included=[True, True, True, False]
    )
    assert [one.flags for one in found] == [("fast",), ("disagreement",), (), ()]
    assert found[0].evidence.startswith("0.7 s per place (median of the others 14 s)")
    assert flag_judges(paces, repeats, checks=checks, proposed=[""] * 4, included=[False] * 4) == (QualityFlags(),) * 4


# --- how often it is wrong --------------------------------------------------------------------------------------

CASES: dict[str, tuple[People, int, float]] = {  # with the number of careless judges and the share of each check
    "as the paper's, 2 careless of 20": (People(), 2, 0.05),
    "none careless": (People(), 0, 0.05),
    "5 careless of 20": (People(), 5, 0.05),
    "noisy judges": (People(noise=1.3, own=0.4, segment=0.4), 2, 0.05),
    "strong tastes": (People(taste=0.6), 2, 0.05),
    "20 segments, 1 of 4 judges": (People(segments=20, judges=4), 1, 0.1),
    "100 segments, 2 of 10 judges each": (People(segments=100, judges=10, ratings=2), 1, 0.1),
}


def simulated(
    people: People, careless: int, share: float, random: np.random.Generator
) -> tuple[list[Repeats], list[Checks], tuple[OthersComparison, ...]]:
    """A campaign whose first judges choose any number; degraded copies are .8 points worse for the others."""
    views = People(**{**_values(people), "noise": 0, "rounded": False, "drift": 0})
    latent = views.ratings_of(random)
    rated = ~np.isnan(latent)

    def given(latent: Floats) -> Floats:
        found = np.clip(np.round(latent + people.noise * random.normal(size=latent.shape)), 1, 5)
        found[:, :careless] = random.integers(1, 6, size=found[:, :careless].shape)
        return np.where(rated, found, np.nan)

    first, again = given(latent), given(latent)
    copies = given(latent - np.abs(0.8 + 0.4 * random.normal(size=latent.shape)))
    repeats, checks = [], []
    for judge in range(people.judges):
        items = np.argwhere(rated[:, judge])
        drawn = [random.permutation(items)[: round(share * len(items))].T for _ in range(2)]
        repeats.append(compare_repeats(*(of[:, judge][tuple(drawn[0])] for of in (first, again)), scale=4))
        checks.append(compare_copies(*(of[:, judge][tuple(drawn[1])] for of in (first, copies))))
    segment, judges, system = np.nonzero(rated)
    item: Integers = (segment * people.systems + system).astype(np.int64)
    others = agreement_with_others(
        item, judges, ratings=first[rated], judges=people.judges, included=[True] * people.judges
    )
    return repeats, checks, others


def _values(people: People) -> dict[str, object]:
    return {name: getattr(people, name) for name in People.__dataclass_fields__}


#: Standard deviations of the logarithms of judges' usual times, and of one judge's times.
PACES, TIMES = 0.4, 0.7


def flagged(case: str, samples: int, speed: float = 1) -> tuple[float, float]:
    """Shares of honest and of careless judges who are flagged; the careless ones are so many times as fast."""
    people, careless, share = CASES[case]
    random = np.random.default_rng(13)
    counting = [True] * people.judges
    faster = np.where(np.arange(people.judges) < careless, speed, 1)
    places = people.segments * people.systems * (people.ratings or people.judges) // people.judges
    found: list[list[bool]] = []
    for _ in range(samples):
        repeats, checks, others = simulated(people, careless, share, random)
        usual = 14 * np.exp(PACES * random.normal(size=people.judges)) / faster
        times = usual[:, None] * np.exp(TIMES * random.normal(size=(people.judges, places)))
        paces = [Pace(places, seconds) for seconds in np.median(times, axis=1).tolist()]
        why = proposals(repeats, checks, others, counting)
        found.append(
            [bool(one.flags) for one in flag_judges(paces, repeats, checks=checks, proposed=why, included=counting)]
        )
    return _shares(found, careless)


def proposed(case: str, samples: int) -> tuple[float, float]:
    """Shares of honest and of careless judges who are proposed."""
    people, careless, share = CASES[case]
    random = np.random.default_rng(13)
    found = [
        [bool(reason) for reason in proposals(*simulated(people, careless, share, random), [True] * people.judges)]
        for _ in range(samples)
    ]
    return _shares(found, careless)


def _shares(found: list[list[bool]], careless: int) -> tuple[float, float]:
    of = np.array(found)
    return float(of[:, careless:].mean()), float(of[:, :careless].mean()) if careless else math.nan


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=2) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_few_honest_judges_and_most_careless_ones_are_proposed(printed: Printed, case: str) -> None:
    honest, careless = proposed(case, 300)
    printed.add(
        "Judges proposed for exclusion, 300 campaigns, %",
        {"campaign": case, "honest": 100 * honest, "careless": 100 * careless},
    )
    assert honest < 0.015
    assert math.isnan(careless) or careless > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_few_honest_judges_and_most_careless_ones_are_flagged(printed: Printed, case: str) -> None:
    (honest, careless), (_, fast) = flagged(case, 300), flagged(case, 300, speed=8)
    printed.add(
        "Judges flagged, 300 campaigns, %",
        {"campaign": case, "honest": 100 * honest, "careless": 100 * careless, "careless and fast": 100 * fast},
    )
    assert honest < 0.03
    assert math.isnan(careless) or careless > 0.9
    assert math.isnan(fast) or fast > 0.95


def test_in_a_few_campaigns_few_honest_judges_are_flagged() -> None:
    honest, careless = flagged("20 segments, 1 of 4 judges", 40, speed=8)
    assert honest < 0.05
    assert careless > 0.95


def test_in_a_few_campaigns_like_the_papers_the_careless_judges_are_proposed() -> None:
    honest, careless = proposed("as the paper's, 2 careless of 20", 10)
    assert honest == 0
    assert careless >= 0.85
