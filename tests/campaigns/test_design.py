"""Designs of campaigns: what every size allows, and what is said where it does not."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise, permutations

import numpy as np
import pytest
from campaigned import corpus, plan

from bleu_core.campaigns import CampaignPlan, Design, JudgeGroup
from bleu_core.campaigns.assignment import assign, components, overlaps
from bleu_core.campaigns.checks import degraded_copy
from bleu_core.campaigns.counterbalancing import counts, search_orders, spread, williams_square
from bleu_core.campaigns.design import design_campaign
from bleu_core.campaigns.sampling import allocation, draw_sample
from bleu_core.errors import SettingsError

CORPUS = {systems: corpus(60, systems) for systems in range(1, 8)}


def random_plan(seed: int) -> CampaignPlan:
    draw = random.Random(seed)
    systems, segments = draw.choice([1, 2, 2, 3, 4, 4, 5, 6, 7]), draw.randint(1, 24)
    judges = tuple(JudgeGroup(name, draw.randint(1, 6)) for name in "ab"[: draw.randint(1, 2)])
    mode = draw.choice(["paper", "designed", "designed"])
    fewest = min(group.judges for group in judges)
    return plan(
        segments,
        systems,
        groups=judges,
        mode=mode,
        presentation=draw.choice(["single", "single", "side by side"]),
        ratings=draw.choice([None, draw.randint(1, fewest)]) if mode == "designed" else None,
        repeats=draw.choice([0, 0.05, 0.1, 0.25]),
        degraded=draw.choice([0, 0.05, 0.1, 0.25]),
        seed=seed,
    )


def check(asked: CampaignPlan) -> Design:  # one property after the other
    made = design_campaign(asked, CORPUS[len(asked.systems)])
    size, systems = len(made.sample.segments), len(asked.systems)
    totals: list[tuple[int, ...]] = []
    loads: dict[str, list[int]] = {}
    rated: Counter[tuple[str, int]] = Counter()
    for judge in made.judges:
        first = [slot.items for slot in judge.slots if slot.kind == "first"]
        by_segment: dict[int, list[tuple[int, int]]] = {}  # segment -> place in the whole list, system
        for place, slot in enumerate(judge.slots):
            for item in slot.items if slot.kind == "first" else ():
                by_segment.setdefault(item // systems, []).append((place, item % systems))
        loads.setdefault(judge.group, []).append(len(by_segment))
        rated.update((judge.group, segment) for segment in by_segment)
        distance = min(10, max(0, len(by_segment) - 1))
        for shown in by_segment.values():
            assert sorted(system for _, system in shown) == list(range(systems))  # all systems, once each
            if asked.presentation == "single":
                places = [place for place, _ in shown]
                assert all(later - sooner >= distance for sooner, later in pairwise(places))
            totals.append(tuple(system for _, system in shown))
        if by_segment:
            positions, successions = spread(*counts(totals[-len(by_segment) :], systems))
            assert positions <= 1
            assert successions <= (1 if systems % 2 == 0 else 2)
        check_checks(made, judge.slots, first, distance)
    if systems % 2 == 0 and asked.mode == "designed":
        assert max(spread(*counts(totals, systems))) <= 1
    for group in asked.groups:
        assert max(loads[group.name]) - min(loads[group.name]) <= 1
        assert [rated[group.name, s] for s in range(size)] == [asked.ratings_in(group)] * size
    return made


def check_checks(made: Design, slots: tuple, first: list[tuple[int, ...]], distance: int) -> None:  # type: ignore[type-arg]
    places = [n for n, slot in enumerate(slots) if slot.kind != "first"]
    assert all(place >= 5 for place in places)
    assert all(later - sooner > 1 for sooner, later in pairwise(places))
    for place in places:
        items = slots[place].items
        if slots[place].kind == "repeat":
            before = next(n for n, slot in enumerate(slots) if slot.kind == "first" and slot.items == items)
            assert place - before >= distance
        else:
            copies = [item for item in items if made.items[item].kind == "degraded"]
            assert len(copies) == 1
            copy = made.items[copies[0]]
            whole = next(
                n
                for n, i in enumerate(made.items)
                if (i.segment, i.system, i.kind) == (copy.segment, copy.system, "translation")
            )
            assert made.items[whole].text != copy.text != ""
            assert tuple(whole if item == copies[0] else item for item in items) in first
    for kind, share in (("repeat", made.plan.repeats), ("degraded", made.plan.degraded)):
        found, wanted = sum(slot.kind == kind for slot in slots), round(share * len(first))
        assert found <= wanted
        said = "repeats" if kind == "repeat" else "degraded copies"
        assert found == wanted or any(f"{said} have a place" in sentence for sentence in made.shortfalls)
        if len(first) >= 40 and share <= 0.1:
            assert found == wanted or kind == "degraded"


def test_designs_of_many_sizes_have_their_properties() -> None:
    for seed in range(30):
        check(random_plan(seed))


@pytest.mark.slow
def test_designs_of_thousands_of_sizes_have_their_properties() -> None:
    for seed in range(1000, 4000):
        check(random_plan(seed))


def test_the_same_plan_and_corpus_give_the_same_design_and_another_seed_another() -> None:
    asked = plan(repeats=0.1, degraded=0.1)
    assert design_campaign(asked, corpus()) == design_campaign(asked, corpus())
    assert (
        design_campaign(asked, corpus()).digest
        != design_campaign(plan(repeats=0.1, degraded=0.1, seed=7), corpus()).digest
    )
    assert design_campaign(asked, corpus()).digest != design_campaign(asked, corpus(41)).digest


def test_the_papers_campaign_has_one_order_for_all_and_no_shortfall() -> None:
    asked = plan(50, 5, mode="paper", groups=(JudgeGroup("monolingual", 10, source=False), JudgeGroup("bilingual", 10)))
    made = check(asked)
    assert len(made.items) == 250
    assert [len(judge.slots) for judge in made.judges] == [250] * 20
    assert len({judge.slots for judge in made.judges}) == 1
    assert made.shortfalls == ()


def test_what_a_size_does_not_allow_is_said() -> None:
    made = design_campaign(plan(6, 4, 3), corpus())
    assert made.shortfalls == ("With 6 segments per judge, translations of one segment are 5 places apart, not 10.",)
    said = " ".join(design_campaign(plan(3, 4, 5, ratings=1), corpus()).shortfalls)
    assert "2 of 5 judges of the group people have no segment" in said
    assert "their agreement is undefined" in said
    assert "differ by up to 2" in " ".join(design_campaign(plan(3, 3, 1), corpus()).shortfalls)


@pytest.mark.parametrize(("systems", "most"), [(2, 4), (3, 5), (4, 2)])
def test_orders_within_a_judge_are_the_most_even_by_brute_force(systems: int, most: int) -> None:
    everything = list(permutations(range(systems)))
    for count in range(1, most + 1):
        best = min(spread(*counts(rows, systems)) for rows in combinations_with_replacement(everything, count))
        square = williams_square(systems)
        found = search_orders(systems, count) if systems % 2 else tuple(square[n % systems] for n in range(count))
        assert spread(*counts(found, systems)) == best


def test_judges_are_connected_and_loads_even_whenever_the_size_allows() -> None:
    for segments in range(1, 13):
        for judges in range(1, 8):
            for ratings in range(1, judges + 1):
                loads = assign(segments, judges, ratings, np.random.default_rng(segments))
                assert sum(map(len, loads)) == segments * ratings
                assert max(map(len, loads)) - min(map(len, loads)) <= 1
                if judges > 1 and min(map(len, loads)) and segments * (ratings - 1) >= judges - 1:
                    assert components(loads) == 1, (segments, judges, ratings)


@pytest.mark.parametrize(
    ("segments", "judges", "ratings"), [(4, 4, 2), (5, 4, 2), (4, 5, 2), (4, 4, 3), (3, 4, 3), (5, 5, 2)]
)
def test_overlaps_are_the_most_even_by_brute_force(segments: int, judges: int, ratings: int) -> None:
    best = math.inf
    for panels in combinations_with_replacement(combinations(range(judges), ratings), segments):
        loads = [[n for n, panel in enumerate(panels) if j in panel] for j in range(judges)]
        if max(map(len, loads)) - min(map(len, loads)) <= 1 and components(loads) == 1:
            best = min(best, sum(n * n for n in overlaps(loads)))
    loads = assign(segments, judges, ratings, np.random.default_rng(1))
    assert sum(n * n for n in overlaps(loads)) == best


def test_segments_are_drawn_with_the_probabilities_that_are_stored() -> None:
    texts = corpus(40, 1)
    for asked in (
        {"segments": 10},
        {"segments": 11, "strata": "domain"},
        {"segments": None, "documents": 3},
    ):
        drawn: Counter[int] = Counter()
        for seed in range(1500):
            sample = draw_sample(plan(systems=1, seed=seed, **asked), texts)
            for row, probability in zip(sample.segments, sample.probabilities, strict=True):
                drawn[row] += 1 / probability  # type: ignore[assignment] # Horvitz and Thompson: 1 on average
        assert all(abs(drawn[row] / 1500 - 1) < 0.22 for row in range(40))  # five standard errors


def test_strata_share_the_segments_in_proportion() -> None:
    draw = random.Random(1)
    for _ in range(300):
        sizes = [draw.randint(1, 40) for _ in range(draw.randint(1, 6))]
        count = draw.randint(1, sum(sizes))
        shares = allocation(sizes, count)
        assert sum(shares) == count
        assert all(0 <= share <= size for share, size in zip(shares, sizes, strict=True))
        if count >= len(sizes):
            assert min(shares) >= 1


def test_whole_documents_are_drawn() -> None:
    sample = draw_sample(plan(segments=None, documents=3), corpus())
    documents = [n // 4 for n in sample.segments]
    assert set(Counter(documents).values()) == {4}
    assert len(set(documents)) == 3


@pytest.mark.parametrize(
    "text", ["a b c d e f g", "猫は床の上に座っていた", "ab", "one two", "ก็ไม่รู้เหมือนกัน", "a  b\tc d"]
)
def test_a_degraded_copy_differs_in_any_script(text: str) -> None:
    for seed in range(50):
        copy = degraded_copy(text, np.random.default_rng(seed))
        assert copy
        assert copy != text
        assert not Counter(copy.split() and copy.replace(" ", "")) - Counter(text.replace(" ", ""))  # nothing is added


@pytest.mark.parametrize("text", ["", "a", "é", " "])
def test_a_text_of_one_character_has_no_degraded_copy(text: str) -> None:
    assert degraded_copy(text, np.random.default_rng(1)) is None


def test_the_system_with_the_middle_score_is_degraded() -> None:
    scores = np.tile(np.array([[3.0], [1.0], [2.0], [9.0], [8.0]]), 40)
    made = design_campaign(plan(30, 5, degraded=0.1), corpus(40, 5), scores)
    assert {item.system for item in made.items if item.kind == "degraded"} == {"S0"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"segments": 41}, "segments: 41 found, at most 40"),
        ({"segments": None, "documents": 11}, "documents: 11 found, at most 10"),
        ({"strata": "genre"}, "strata: 'genre' found, one of domain expected"),
        ({"systems": 5}, "systems: 'S4' found"),
    ],
)
def test_what_the_corpus_does_not_have_is_refused(changes: dict[str, int], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        design_campaign(plan(**changes), corpus())
