"""Campaign files filled with answers, all at once: each in a transaction of its own takes too long for many."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.campaigns import CampaignPlan, CampaignStore, Design, Item, create_store, design_campaign
from bleu_core.dataset import Corpus

#: Judge, place, item and score; NaN for a skip.
Given = tuple[int, int, int, float]


def create(path: Path, plan: CampaignPlan, corpus: Corpus) -> Design:
    """Write a campaign and open it."""
    made = design_campaign(plan, corpus)
    create_store(path, made, corpus)
    with CampaignStore(path) as store:
        store.add_event("opened")
    return made


def in_turn(design: Design, score: Callable[[int, Item, float], float]) -> list[Given]:
    """What judges give who all answer one item after the other, at the same pace.

    Args:
        design: of the campaign.
        score: of a judge (number), an item, and the time in the judge's list, from 0 to 1.
    """
    lists = [
        [
            (j, place, number, score(j, design.items[number], place / len(judge.slots)))
            for place, slot in enumerate(judge.slots)
            for number in slot.items
        ]
        for j, judge in enumerate(design.judges)
    ]
    return [given for of_round in zip_longest(*lists) for given in of_round if given is not None]


def add_answers(path: Path, answers: Sequence[Given], seconds: Mapping[int, float] | None = None) -> None:
    """Store answers in their order; a second one to the same item is a revision.

    Args:
        path: of the campaign.
        answers: in their order.
        seconds: number of a judge -> time per place; 7 for others.
    """
    revisions: dict[tuple[int, int, int], int] = {}
    with sqlite3.connect(path) as connection:
        ((before,),) = connection.execute("SELECT count(*) FROM answers").fetchall()
        for key in connection.execute("SELECT judge, place, item FROM answers").fetchall():
            revisions[key] = revisions.get(key, 0) + 1
        rows: list[tuple[object, ...]] = []
        for n, (judge, place, item, score) in enumerate(answers, start=before + 1):
            revisions[judge, place, item] = revisions.get((judge, place, item), 0) + 1
            value, reason = (None, "unclear") if math.isnan(score) else (score, None)
            times = (n + (seconds or {}).get(judge, 7), n + 8)
            rows.append((f"c{n}", judge, place, item, revisions[judge, place, item], value, reason, n, *times))
        connection.executemany(
            "INSERT INTO answers (client, judge, place, item, revision, score, reason, shown, given, stored) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
    connection.close()


def people_scores(design: Design, seed: int = 3, careless: Collection[int] = ()) -> Callable[[int, Item, float], float]:
    """Scores from 1 to 5 by judges with their leniency, tastes and drift; degraded copies are a point worse.

    Args:
        design: of the campaign.
        seed: of all draws.
        careless: numbers of the judges who choose any score.
    """
    random = np.random.default_rng(seed)
    systems = {name: k for k, name in enumerate(design.plan.systems)}
    segments = {row: s for s, row in enumerate(design.sample.segments)}
    size, judges = len(segments), len(design.judges)
    true = 3 + 0.25 * np.arange(len(systems))
    texts: Floats = true + 0.7 * random.normal(size=(size, 1)) + 0.5 * random.normal(size=(size, len(systems)))
    leniency, drift = 0.5 * random.normal(size=judges), 0.3 * random.normal(size=judges)
    taste = 0.15 * random.normal(size=(judges, len(systems)))

    def score(judge: int, item: Item, time: float) -> float:
        if judge in careless:
            return float(random.integers(1, 6))
        k = systems[item.system]
        found = texts[segments[item.segment], k] + leniency[judge] + taste[judge, k] + drift[judge] * time
        found += 0.8 * random.normal() - (item.kind == "degraded")
        return float(np.clip(np.round(found), 1, 5))

    return score
