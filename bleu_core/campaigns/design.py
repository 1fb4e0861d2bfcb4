"""Design of a campaign: its items, and the order in which each judge rates them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.campaigns.assignment import assign, components, overlaps
from bleu_core.campaigns.checks import degraded_copy, place_checks
from bleu_core.campaigns.counterbalancing import MIN_SPACING, Order, balanced_orders, counts, dispersed, spacing, spread
from bleu_core.campaigns.declaration import CampaignPlan, plan_tables
from bleu_core.campaigns.sampling import Sample, draw_sample
from bleu_core.dataset import Corpus, plural
from bleu_core.errors import SettingsError, listed

ItemKind = Literal["translation", "degraded"]
SlotKind = Literal["first", "repeat", "degraded"]


@dataclass(frozen=True, slots=True)
class Item:
    """A text to be rated.

    Attributes:
        segment: position of the segment in the corpus, from 0.
        system: the system that made the translation, or the original of the degraded copy.
        kind: "translation", or "degraded" for a copy with a phrase dropped or moved.
        text: as judges see it.
    """

    segment: int
    system: str
    kind: ItemKind
    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a judge's list.

    Attributes:
        kind: "first"; "repeat" if the judge has rated the items before; "degraded" if a degraded copy is shown.
        items: numbers of the items shown, from 0: one, or those of all systems in the order of the columns.
    """

    kind: SlotKind
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JudgeList:
    """The list of places that a judge rates.

    Attributes:
        name: a pseudonym, such as "bilingual 3".
        group: of the judge.
        slots: the places, in the order in which they are shown.
    """

    name: str
    group: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """The complete design, which is fixed before the first rating.

    Attributes:
        plan: from which the design was made.
        sample: the segments, with their probabilities of inclusion.
        items: the texts; slots refer to their positions.
        sources: position of a segment in the corpus -> its source; empty if the source is unknown.
        judges: the lists of all judges.
        shortfalls: sentences about requirements of the plan that its size does not allow.
        digest: BLAKE2b of the design; equal for equal plans and corpora.
    """

    plan: CampaignPlan
    sample: Sample
    items: tuple[Item, ...]
    sources: Mapping[int, str]
    judges: tuple[JudgeList, ...]
    shortfalls: tuple[str, ...]
    digest: str


def design_campaign(plan: CampaignPlan, corpus: Corpus, scores: Floats | None = None) -> Design:
    """Design a campaign.

    Args:
        plan: the requirements.
        corpus: the texts.
        scores: (K, S) scores by any metric of the plan's systems on all segments of the corpus. The translation with
            the median score of a segment is the one that is degraded; without scores it is drawn at random.

    Raises:
        SettingsError: the corpus lacks systems, segments, documents or labels of the plan.
    """
    missing = [name for name in plan.systems if name not in corpus.systems]
    if missing:
        raise SettingsError(f"systems: {missing[0]!r} found, systems of the corpus expected: {listed(corpus.systems)}")
    if scores is not None and scores.shape != (len(plan.systems), corpus.segments):
        raise ValueError(f"scores of shape {scores.shape} found, {(len(plan.systems), corpus.segments)} expected")
    if any(group.source for group in plan.groups) and corpus.source is None:
        name = next(group.name for group in plan.groups if group.source)
        raise SettingsError(f"groups: the group {name} is shown the source, and the corpus has none; add the source")
    sample = draw_sample(plan, corpus)
    items = _Items(plan, corpus, sample, scores)
    builder = _Lists(plan, items, len(sample.segments))
    judges = builder.paper() if plan.mode == "paper" else builder.designed()
    sources = {row: corpus.source[row] for row in sample.segments} if corpus.source is not None else {}
    all_items = tuple(items.all)
    content = [plan_tables(plan), corpus.digest, [(i.segment, i.system, i.kind, i.text) for i in all_items]]
    slots = [[(slot.kind, slot.items) for slot in judge.slots] for judge in judges]
    digest = hashlib.blake2b(json.dumps([*content, slots]).encode(), digest_size=16).hexdigest()
    return Design(
        plan=plan,
        sample=sample,
        items=all_items,
        sources=sources,
        judges=judges,
        shortfalls=(*_sampling_shortfalls(plan, corpus, sample), *builder.shortfalls),
        digest=digest,
    )


class _Items:
    """The items of a campaign; degraded copies are added when they are first used."""

    def __init__(self, plan: CampaignPlan, corpus: Corpus, sample: Sample, scores: Floats | None) -> None:
        self.plan, self.sample = plan, sample
        self.all = [
            Item(row, system, "translation", corpus.systems[system][row])
            for row in sample.segments
            for system in plan.systems
        ]
        self._scores = scores
        self._median_systems: dict[int, int] = {}
        self._degraded: dict[int, int] = {}
        self._copies: dict[int, str | None] = {}

    def item(self, segment: int, system: int) -> int:
        """Return the number of a translation by its segment in the sample and its system, both from 0."""
        return segment * len(self.plan.systems) + system

    def median_system(self, segment: int) -> int:
        """Return the system with the median score of the segment."""
        if segment not in self._median_systems:
            row = self.sample.segments[segment]
            if self._scores is None:
                system = np.random.default_rng([self.plan.seed, 2, row]).integers(len(self.plan.systems))
            else:
                order = np.argsort(self._scores[:, row], kind="stable")
                system = order[(len(order) - 1) // 2]
            self._median_systems[segment] = int(system)
        return self._median_systems[segment]

    def copy(self, segment: int) -> str | None:
        """Return the degraded copy of a segment's median translation; None if there can be none."""
        if segment not in self._copies:
            text = self.all[self.item(segment, self.median_system(segment))].text
            random = np.random.default_rng([self.plan.seed, 3, self.sample.segments[segment]])
            self._copies[segment] = degraded_copy(text, random)
        return self._copies[segment]

    def degraded(self, segment: int) -> int:
        """Return the number of a segment's degraded copy, which becomes an item on first use."""
        if segment not in self._degraded:
            system = self.plan.systems[self.median_system(segment)]
            self._degraded[segment] = len(self.all)
            self.all.append(Item(self.sample.segments[segment], system, "degraded", self.copy(segment) or ""))
        return self._degraded[segment]


class _Lists:
    """A builder of the judges' lists, with the shortfalls."""

    def __init__(self, plan: CampaignPlan, items: _Items, segments: int) -> None:
        self.plan, self.items, self.segments = plan, items, segments
        self.systems = len(plan.systems)
        self.single = plan.presentation == "single"
        self.shortfalls: list[str] = []

    def paper(self) -> tuple[JudgeList, ...]:
        """Return the lists of all judges, which are the same."""
        random = np.random.default_rng([self.plan.seed, 4])
        orders = balanced_orders([self.segments], self.systems, random)
        slots = self._slots(tuple(range(self.segments)), orders[0], random)
        self._check_lists([self.segments], orders, [slots])
        return tuple(
            JudgeList(f"{group.name} {n}", group.name, slots)
            for group in self.plan.groups
            for n in _numbers(group.judges)
        )

    def designed(self) -> tuple[JudgeList, ...]:
        """Return a different list for each judge."""
        loads: list[tuple[int, ...]] = []
        names: list[tuple[str, str]] = []
        for g, group in enumerate(self.plan.groups):
            random = np.random.default_rng([self.plan.seed, 5, g])
            group_loads = assign(self.segments, group.judges, self.plan.ratings_in(group), random)
            self._check_group(group.name, group_loads)
            loads += group_loads
            names += [(f"{group.name} {n}", group.name) for n in _numbers(group.judges)]
        sizes = [len(load) for load in loads]
        orders = balanced_orders(sizes, self.systems, np.random.default_rng([self.plan.seed, 6]))
        slots = [
            self._slots(load, judge_orders, np.random.default_rng([self.plan.seed, 7, j]))
            for j, (load, judge_orders) in enumerate(zip(loads, orders, strict=True))
        ]
        self._check_lists(sizes, orders, slots)
        return tuple(JudgeList(*name, judge_slots) for name, judge_slots in zip(names, slots, strict=True))

    def _slots(self, load: tuple[int, ...], orders: Sequence[Order], random: np.random.Generator) -> tuple[Slot, ...]:
        """Return a judge's list with its checks."""
        if not load:
            return ()
        rounds = dispersed(len(load), self.systems if self.single else 1, random)
        shown: list[tuple[int, tuple[int, ...]]] = [  # the segment, and its systems
            (load[n], (orders[n][place],) if self.single else orders[n])
            for place, round_segments in enumerate(rounds)
            for n in round_segments
        ]
        first = [Slot("first", tuple(self.items.item(segment, k) for k in systems)) for segment, systems in shown]
        degradable = [
            self.items.median_system(segment) in systems and self.items.copy(segment) is not None
            for segment, systems in shown
        ]
        checks = place_checks(
            [segment for segment, _ in shown],
            *self._n_checks(len(shown)),
            distance=spacing(len(load)),
            can_degrade=degradable.__getitem__,
            random=random,
        )
        for check in checks:
            self._insert_check(first, shown, place=check.place, kind=check.kind, of=check.of)
        return tuple(first)

    def _insert_check(
        self, slots: list[Slot], shown: Sequence[tuple[int, Order]], place: int, kind: SlotKind, of: int
    ) -> None:
        segment, systems = shown[of]
        items = [self.items.item(segment, k) for k in systems]
        if kind == "degraded":
            items[systems.index(self.items.median_system(segment))] = self.items.degraded(segment)
        slots.insert(place, Slot(kind, tuple(items)))

    def _n_checks(self, slots: int) -> tuple[int, int]:
        return round(self.plan.repeats * slots), round(self.plan.degraded * slots)

    def _check_group(self, name: str, loads: Sequence[Sequence[int]]) -> None:
        idle = sum(not load for load in loads)
        if idle:
            self.shortfalls.append(f"{idle:,} of {len(loads):,} judges of the group {name} have no segment.")
        elif len(loads) > 1 and components(loads) > 1:
            self.shortfalls.append(
                f"The judges of the group {name} form {components(loads):,} parts that share no segment, so that "
                "severe judges and difficult segments cannot be distinguished."
            )
        shared = overlaps(loads)
        if shared and max(shared) == 0:
            self.shortfalls.append(
                f"No two judges of the group {name} rate the same segment: their agreement is undefined."
            )

    def _check_lists(
        self, sizes: Sequence[int], orders: Sequence[Sequence[Order]], slots: Sequence[Sequence[Slot]]
    ) -> None:
        min_load = min((size for size in sizes if size), default=0)
        if self.single and self.systems > 1 and spacing(min_load) < MIN_SPACING:
            self.shortfalls.append(
                f"With {min_load} {plural(min_load, 'segment')} per judge, translations of one segment are "
                f"{spacing(min_load)} {plural(spacing(min_load), 'place')} apart, not {MIN_SPACING}."
            )
        spreads = [spread(*counts(judge_orders, self.systems)) for judge_orders in orders]
        spreads.append(spread(*counts(list(chain.from_iterable(orders)), self.systems)))
        for n, relation in enumerate(("are in each position", "follow each other")):
            max_spread = max(spread_pair[n] for spread_pair in spreads)
            if max_spread > 1:
                self.shortfalls.append(
                    f"The order of systems is not perfectly balanced: the numbers of times that they {relation} "
                    f"differ by up to {max_spread}."
                )
        for n, kind in enumerate(("repeat", "degraded")):
            planned = [self._n_checks(sum(slot.kind == "first" for slot in judge_slots))[n] for judge_slots in slots]
            counted = [sum(slot.kind == kind for slot in judge_slots) for judge_slots in slots]
            name = "repeats" if kind == "repeat" else "degraded copies"
            if counted != planned:
                self.shortfalls.append(
                    f"{sum(counted):,} of {sum(planned):,} {name} have a place in the judges' lists."
                )
            elif (self.plan.repeats, self.plan.degraded)[n] > 0 and not any(counted):
                self.shortfalls.append(
                    f"The judges' lists are so short that the share of {name} amounts to less than one."
                )


def _sampling_shortfalls(plan: CampaignPlan, corpus: Corpus, sample: Sample) -> list[str]:
    shortfalls: list[str] = []
    if plan.strata:
        labels = corpus.labels[plan.strata]
        missing = set(labels) - {labels[row] for row in sample.segments}
        if missing:
            shortfalls.append(
                f"No segment is drawn from {len(missing):,} of {len(set(labels)):,} values of {plan.strata}."
            )
    planned = sum(plan.ratings_in(group) for group in plan.groups) * len(sample.segments) * len(plan.systems)
    if plan.stopping.ratings is not None and plan.stopping.ratings > planned:
        shortfalls.append(
            f"The campaign is to stop after {plan.stopping.ratings:,} ratings, but its design has {planned:,}."
        )
    return shortfalls


def _numbers(count: int) -> range:
    return range(1, count + 1)
