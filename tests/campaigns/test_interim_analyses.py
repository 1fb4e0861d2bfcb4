"""The stopping rule: what each look is made on, and whether intervals still cover when it has ended a campaign."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from answered_campaigns import add_answers, create, in_turn, people_scores
from campaigned import corpus, plan
from printed import Printed, printed_at_the_end
from simulated_campaigns import People

from bleu_core.arrays import Floats
from bleu_core.campaigns import (
    CampaignPlan,
    CampaignStore,
    InterimAnalysis,
    JudgeGroup,
    StoppingRule,
    SystemDifference,
    analysis_points,
    campaign_status,
    design_campaign,
    planned_ratings,
)
from bleu_core.campaigns.differences import system_differences
from bleu_core.campaigns.interim_analyses import interim_analyses
from bleu_core.campaigns.stored_ratings import StoredRatings

SEED = 7
#: The standard error of a share near 95 % is then .5.
SAMPLES = 2000


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        (StoppingRule(), (1000,)),
        (StoppingRule(ratings=300), (300,)),
        (StoppingRule(ratings=3000), (1000,)),
        (StoppingRule(width=0.3, looks=4), (250, 500, 750, 1000)),
        (StoppingRule(width=0.3), (333, 667, 1000)),
    ],
)
def test_looks_are_equally_spaced_and_the_last_is_on_all_ratings(rule: StoppingRule, points: tuple[int, ...]) -> None:
    assert analysis_points(plan(stopping=rule), 1000) == points


def test_a_campaign_of_fewer_ratings_than_looks_has_fewer_looks() -> None:
    assert analysis_points(plan(stopping=StoppingRule(width=0.3, looks=5)), 2) == (1, 2)


@pytest.mark.parametrize(
    "given",
    [
        plan(12, judges=5, ratings=2, repeats=0.1, degraded=0.1),
        plan(12, judges=3, mode="paper"),
        plan(None, documents=3, presentation="side by side", ratings=1),
        plan(12, groups=(JudgeGroup("a", 3), JudgeGroup("b", 2)), ratings=2),
    ],
    ids=["designed", "paper", "documents", "groups"],
)
def test_first_ratings_are_those_of_all_lists(tmp_path: Path, given: CampaignPlan) -> None:
    made = create(tmp_path / "c.db", given, corpus())
    slots = [slot for judge in made.judges for slot in judge.slots if slot.kind == "first"]
    with CampaignStore(tmp_path / "c.db") as store:
        assert planned_ratings(store) == sum(len(slot.items) for slot in slots)


def test_what_a_look_finds_does_not_depend_on_when_somebody_asks(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    made = create(path, plan(12, 3, 4, repeats=0.1, stopping=StoppingRule(width=0.1)), corpus(systems=3))
    given = in_turn(made, people_scores(made))
    found: list[tuple[InterimAnalysis, ...]] = []
    for start in range(0, len(given), 40):
        add_answers(path, given[start : start + 40])
        # Every answer so far is revised; at the looks before, the old one was in force.
        add_answers(path, [(j, place, item, 6 - score) for j, place, item, score in given[: start + 40 : 7]])
        with CampaignStore(path) as store:
            found.append(campaign_status(store).looks)
    for before, after in pairwise(found):
        for old, new in zip(before, after, strict=True):
            assert repr(old) == repr(new) or not old.made  # NaN is not equal to itself
    assert all(look.made for look in found[-1])


def test_a_look_is_on_the_answers_in_force_when_the_last_of_its_ratings_was_stored() -> None:
    stored = StoredRatings.of_arrays(
        ("A", "B"),
        ("x",),
        place=np.array([0, 1, 0, 2, 3, 1, 2]),
        judge=np.zeros(7, np.int64),
        segment=np.array([0, 0, 0, 1, 1, 0, 1]),
        system=np.array([0, 1, 0, 0, 1, 1, 0]),
        scores=np.array([1, math.nan, 3, 4, 5, 2, math.nan]),
    )
    assert stored.count.tolist() == [1, 1, 1, 2, 3, 4, 4]
    assert stored.rated == 4
    assert stored.in_force(1).tolist() == [0]
    assert stored.in_force(2).tolist() == [1, 2, 3]
    assert stored.in_force(4).tolist() == [2, 3, 4, 5]
    assert stored.in_force().tolist() == [2, 4, 5, 6]
    np.testing.assert_array_equal(stored.table(3).ratings, [[3, math.nan], [4, 5]])


# --- coverage ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(People):
    """People who rate systems of given means."""

    means: tuple[float, ...] = ()

    @property
    def latent(self) -> Floats:
        """(K,) the means."""
        return np.array(self.means)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A campaign under the width rule; the systems' means differ between samples where none are given."""

    people: People
    width: float
    looks: int = 4
    side_by_side: bool = True
    means: tuple[float, ...] = ()


CASES = {
    "as the paper's: 50 × 20": Case(people=People(), width=0.45),
    "the same, one by one": Case(people=People(), width=0.45, side_by_side=False),
    "20 × 4": Case(people=People(segments=20, judges=4), width=1.0),
    "50 × 6, 5 looks": Case(people=People(judges=6), width=0.55, looks=5),
    "3 of 20 judges": Case(people=People(ratings=3), width=0.6),
    "2 systems": Case(people=People(systems=2), width=0.45, looks=5),
}
#: Of neighbours at equal distances the pair that chance brings together is looked at.
EQUAL_DISTANCES = "50 × 20, equal distances"
HARD = {EQUAL_DISTANCES: Case(people=People(), width=0.45, means=(1.9, 2.35, 2.8, 3.25, 3.7))}


def under_the_rule(case: Case, samples: int) -> tuple[float, float, float, float]:
    """Shares that cover where the rule stops: of the closest pair, of all pairs, of the first pair; early stops."""
    people = case.people
    given = plan(
        people.segments,
        people.systems,
        people.judges,
        ratings=people.ratings,
        presentation="side by side" if case.side_by_side else "single",
        stopping=StoppingRule(width=case.width, looks=case.looks),
    )
    made = design_campaign(given, corpus(people.segments, people.systems))
    rows = {row: s for s, row in enumerate(made.sample.segments)}
    kinds = [[slot.kind for slot in judge.slots] for judge in made.judges]
    columns = [
        (j, rows[made.items[n].segment], given.systems.index(made.items[n].system), time)
        for j, place, n, time in in_turn(made, lambda _j, _item, time: time)
        if kinds[j][place] == "first"
    ]
    judge, segment, system = (np.array([c[i] for c in columns], np.int64) for i in range(3))
    time = np.array([c[3] for c in columns])
    random = np.random.default_rng(SEED)
    of_time = np.zeros((people.segments, people.judges, people.systems))
    of_time[segment, judge, system] = time
    values: dict[str, Any] = {f.name: getattr(people, f.name) for f in fields(People)} | {"ratings": None}
    closest: list[bool] = []
    every: list[float] = []
    first: list[bool] = []
    early = 0
    for _ in range(samples):
        means = case.means or tuple((3 + 0.4 * random.normal(size=people.systems)).tolist())
        chosen = Chosen(**values, means=means)
        truth = dict(zip(given.systems, chosen.true_means().tolist(), strict=True))
        pace = np.exp(0.3 * random.normal(size=people.judges))  # some judges are quicker
        order = np.argsort(time * pace[judge], kind="stable")
        stored = StoredRatings.of_arrays(
            given.systems,
            [f"j{j}" for j in range(people.judges)],
            place=np.arange(len(order)),
            judge=judge[order],
            segment=segment[order],
            system=system[order],
            scores=chosen.ratings_of(random, of_time)[segment, judge, system][order],
        )
        made_looks = interim_analyses(given, stored, len(order), complete=True)
        last = next((look for look in made_looks if look.stop), made_looks[-1])
        early += last is not made_looks[-1]
        closest.append(covers(last, truth))
        differences = system_differences(stored.table(last.ratings))
        every.append(float(np.mean([covers(difference, truth) for difference in differences])))
        first.append(next(covers(d, truth) for d in differences if {d.system, d.baseline} == set(given.systems[:2])))
    return float(np.mean(closest)), float(np.mean(every)), float(np.mean(first)), early / samples


def covers(found: InterimAnalysis | SystemDifference, truth: dict[str, float]) -> bool:
    assert found.system is not None
    assert found.baseline is not None
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth[found.system] - truth[found.baseline] <= found.high


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("name", [*CASES, *HARD])
def test_intervals_cover_where_the_width_rule_has_stopped(printed: Printed, name: str) -> None:
    closest, every, first, early = under_the_rule({**CASES, **HARD}[name], SAMPLES)
    printed.add(
        f"95 % intervals that cover when the width rule stops, {SAMPLES:,} campaigns, %",
        {
            "campaign": name,
            "closest pair": 100 * closest,
            "all pairs": 100 * every,
            "a given pair": 100 * first,
            "stopped early": 100 * early,
        },
    )
    assert 0.93 <= every <= 0.97
    if name in HARD:
        assert 0.87 <= closest <= 0.92  # docs/campaigns.md says so
    else:
        assert 0.92 <= closest <= 0.97


def test_intervals_of_a_small_sample_cover_where_the_width_rule_has_stopped() -> None:
    # 120 campaigns with a fixed seed; a share of 94 % has a standard error of 2.2.
    closest, every, _, early = under_the_rule(CASES["20 × 4"], 120)
    assert 0.87 <= closest <= 0.99
    assert 0.92 <= every <= 0.98
    assert early > 0.2
