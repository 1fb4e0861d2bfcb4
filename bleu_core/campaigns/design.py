"""The design of a campaign: its items, and what each judge rates in which order."""

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
from bleu_core.campaigns.counterbalancing import SPACING, Order, balanced_orders, counts, dispersed, spacing, spread
from bleu_core.campaigns.declaration import CampaignPlan, plan_tables
from bleu_core.campaigns.sampling import Sample, draw_sample
from bleu_core.dataset import Corpus, plural
from bleu_core.errors import SettingsError, listed

ItemKind = Literal["translation", "degraded"]
SlotKind = Literal["first", "repeat", "degraded"]


@dataclass(frozen=True, slots=True)
class Item:
    """A text that is rated.

    Attributes:
        segment: its position in the corpus, from 0.
        system: whose translation it is, or is made of.
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
        kind: "first", "repeat" for what the judge has rated before, or "degraded" where a degraded copy is shown.
        items: numbers of the items shown, from 0: one, or all systems' side by side in the order of the columns.
    """

    kind: SlotKind
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JudgeList:
    """What a judge rates.

    Attributes:
        name: a pseudonym, such as "bilingual 3".
        group: of the judge.
        slots: in the order in which they are shown.
    """

    name: str
    group: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Everything that is fixed before the first rating.

    Attributes:
        plan: what it was made from.
        sample: the segments, and the probabilities with which they were drawn.
        items: the texts; slots name them by their position here.
        sources: position of a segment in the corpus -> its source; empty where it is unknown.
        judges: the lists of all judges.
        shortfalls: what the plan asks for and its size does not allow, in sentences.
        digest: blake2b of all of it; the same for the same plan and corpus.
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
        plan: what is asked for.
        corpus: the texts.
        scores: (K, S) scores of the plan's systems on all segments of the corpus, of any metric. The system with the
            middle score of a segment is the one whose translation is degraded; without scores, one drawn at random.

    Raises:
        SettingsError: the corpus has not the systems, segments, documents or labels of the plan.
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
    work = _Lists(plan, items, len(sample.segments))
    judges = work.paper() if plan.mode == "paper" else work.designed()
    sources = {row: corpus.source[row] for row in sample.segments} if corpus.source is not None else {}
    found = tuple(items.found)
    content = [plan_tables(plan), corpus.digest, [(i.segment, i.system, i.kind, i.text) for i in found]]
    slots = [[(slot.kind, slot.items) for slot in judge.slots] for judge in judges]
    digest = hashlib.blake2b(json.dumps([*content, slots]).encode(), digest_size=16).hexdigest()
    return Design(
        plan=plan,
        sample=sample,
        items=found,
        sources=sources,
        judges=judges,
        shortfalls=(*_sampling_shortfalls(plan, corpus, sample), *work.short),
        digest=digest,
    )


class _Items:
    """The items of a campaign; degraded copies are added when they are first used."""

    def __init__(self, plan: CampaignPlan, corpus: Corpus, sample: Sample, scores: Floats | None) -> None:
        self.plan, self.sample = plan, sample
        self.found = [
            Item(row, system, "translation", corpus.systems[system][row])
            for row in sample.segments
            for system in plan.systems
        ]
        self._scores = scores
        self._middling: dict[int, int] = {}
        self._degraded: dict[int, int] = {}
        self._copies: dict[int, str | None] = {}

    def item(self, segment: int, system: int) -> int:
        """The number of a translation, of a segment of the sample and a system, both from 0."""
        return segment * len(self.plan.systems) + system

    def middling(self, segment: int) -> int:
        """The system whose score of the segment is the middle one."""
        if segment not in self._middling:
            row = self.sample.segments[segment]
            if self._scores is None:
                chosen = np.random.default_rng([self.plan.seed, 2, row]).integers(len(self.plan.systems))
            else:
                order = np.argsort(self._scores[:, row], kind="stable")
                chosen = order[(len(order) - 1) // 2]
            self._middling[segment] = int(chosen)
        return self._middling[segment]

    def copy(self, segment: int) -> str | None:
        """The degraded copy of the middling translation of a segment; None where there can be none."""
        if segment not in self._copies:
            text = self.found[self.item(segment, self.middling(segment))].text
            random = np.random.default_rng([self.plan.seed, 3, self.sample.segments[segment]])
            self._copies[segment] = degraded_copy(text, random)
        return self._copies[segment]

    def degraded(self, segment: int) -> int:
        """The number of the degraded copy."""
        if segment not in self._degraded:
            system = self.plan.systems[self.middling(segment)]
            self._degraded[segment] = len(self.found)
            self.found.append(Item(self.sample.segments[segment], system, "degraded", self.copy(segment) or ""))
        return self._degraded[segment]


class _Lists:
    """The lists of judges, and what their size does not allow."""

    def __init__(self, plan: CampaignPlan, items: _Items, segments: int) -> None:
        self.plan, self.items, self.segments = plan, items, segments
        self.systems = len(plan.systems)
        self.single = plan.presentation == "single"
        self.short: list[str] = []

    def paper(self) -> tuple[JudgeList, ...]:
        """One list for all judges."""
        random = np.random.default_rng([self.plan.seed, 4])
        orders = balanced_orders([self.segments], self.systems, random)
        slots = self._slots(tuple(range(self.segments)), orders[0], random)
        self._judge_short([self.segments], orders, [slots])
        return tuple(
            JudgeList(f"{group.name} {n}", group.name, slots)
            for group in self.plan.groups
            for n in _numbers(group.judges)
        )

    def designed(self) -> tuple[JudgeList, ...]:
        """A list for each judge."""
        loads: list[tuple[int, ...]] = []
        names: list[tuple[str, str]] = []
        for g, group in enumerate(self.plan.groups):
            random = np.random.default_rng([self.plan.seed, 5, g])
            of_group = assign(self.segments, group.judges, self.plan.ratings_in(group), random)
            self._group_short(group.name, of_group)
            loads += of_group
            names += [(f"{group.name} {n}", group.name) for n in _numbers(group.judges)]
        sizes = [len(load) for load in loads]
        orders = balanced_orders(sizes, self.systems, np.random.default_rng([self.plan.seed, 6]))
        slots = [
            self._slots(load, of_judge, np.random.default_rng([self.plan.seed, 7, j]))
            for j, (load, of_judge) in enumerate(zip(loads, orders, strict=True))
        ]
        self._judge_short(sizes, orders, slots)
        return tuple(JudgeList(*name, of_judge) for name, of_judge in zip(names, slots, strict=True))

    def _slots(self, load: tuple[int, ...], orders: Sequence[Order], random: np.random.Generator) -> tuple[Slot, ...]:
        """A judge's list with its checks."""
        if not load:
            return ()
        rounds = dispersed(len(load), self.systems if self.single else 1, random)
        shown: list[tuple[int, tuple[int, ...]]] = [  # the segment, and its systems
            (load[n], (orders[n][place],) if self.single else orders[n])
            for place, of_round in enumerate(rounds)
            for n in of_round
        ]
        first = [Slot("first", tuple(self.items.item(segment, k) for k in systems)) for segment, systems in shown]
        degradable = [
            self.items.middling(segment) in systems and self.items.copy(segment) is not None
            for segment, systems in shown
        ]
        checks = place_checks(
            [segment for segment, _ in shown],
            *self._wanted(len(shown)),
            distance=spacing(len(load)),
            can_degrade=degradable.__getitem__,
            random=random,
        )
        for check in checks:
            self._checked(first, shown, place=check.place, kind=check.kind, of=check.of)
        return tuple(first)

    def _checked(
        self, slots: list[Slot], shown: Sequence[tuple[int, Order]], place: int, kind: SlotKind, of: int
    ) -> None:
        segment, systems = shown[of]
        items = [self.items.item(segment, k) for k in systems]
        if kind == "degraded":
            items[systems.index(self.items.middling(segment))] = self.items.degraded(segment)
        slots.insert(place, Slot(kind, tuple(items)))

    def _wanted(self, slots: int) -> tuple[int, int]:
        return round(self.plan.repeats * slots), round(self.plan.degraded * slots)

    def _group_short(self, name: str, loads: Sequence[Sequence[int]]) -> None:
        idle = sum(not load for load in loads)
        if idle:
            self.short.append(f"{idle:,} of {len(loads):,} judges of the group {name} have no segment.")
        elif len(loads) > 1 and components(loads) > 1:
            self.short.append(
                f"The judges of the group {name} form {components(loads):,} parts that share no segment, so that "
                "severe judges and difficult segments cannot be distinguished."
            )
        met = overlaps(loads)
        if met and max(met) == 0:
            self.short.append(f"No two judges of the group {name} rate the same segment: their agreement is undefined.")

    def _judge_short(
        self, sizes: Sequence[int], orders: Sequence[Sequence[Order]], slots: Sequence[Sequence[Slot]]
    ) -> None:
        fewest = min((size for size in sizes if size), default=0)
        if self.single and self.systems > 1 and spacing(fewest) < SPACING:
            self.short.append(
                f"With {fewest} {plural(fewest, 'segment')} per judge, translations of one segment are "
                f"{spacing(fewest)} {plural(spacing(fewest), 'place')} apart, not {SPACING}."
            )
        everything = [spread(*counts(of_judge, self.systems)) for of_judge in orders]
        everything.append(spread(*counts(list(chain.from_iterable(orders)), self.systems)))
        for n, what in enumerate(("are in each position", "follow each other")):
            most = max(of_all[n] for of_all in everything)
            if most > 1:
                self.short.append(
                    f"The order of systems is not perfectly balanced: the numbers of times that they {what} differ by "
                    f"up to {most}."
                )
        for n, kind in enumerate(("repeat", "degraded")):
            wanted = [self._wanted(sum(slot.kind == "first" for slot in of_judge))[n] for of_judge in slots]
            found = [sum(slot.kind == kind for slot in of_judge) for of_judge in slots]
            name = "repeats" if kind == "repeat" else "degraded copies"
            if found != wanted:
                self.short.append(f"{sum(found):,} of {sum(wanted):,} {name} have a place in the judges' lists.")
            elif (self.plan.repeats, self.plan.degraded)[n] > 0 and not any(found):
                self.short.append(f"The judges' lists are so short that the share of {name} makes less than one.")


def _sampling_shortfalls(plan: CampaignPlan, corpus: Corpus, sample: Sample) -> list[str]:
    found: list[str] = []
    if plan.strata:
        labels = corpus.labels[plan.strata]
        without = set(labels) - {labels[row] for row in sample.segments}
        if without:
            found.append(f"No segment is drawn from {len(without):,} of {len(set(labels)):,} values of {plan.strata}.")
    whole = sum(plan.ratings_in(group) for group in plan.groups) * len(sample.segments) * len(plan.systems)
    if plan.stopping.ratings is not None and plan.stopping.ratings > whole:
        found.append(f"The campaign is to stop after {plan.stopping.ratings:,} ratings, and has {whole:,}.")
    return found


def _numbers(count: int) -> range:
    return range(1, count + 1)
