"""A campaign from the plan to the figures of the 2002 paper, as its lead and its judges live it."""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest
from rating_protocol import send_until_stored
from scipy import stats
from visitor import Visitor, serve

import sample_data
from bleu_core.campaigns import CampaignStore, judge_link
from bleu_core.cli import main

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SYSTEMS = ("S1", "S2", "S3", "H2", "H1")
PLAN = """
title = "As in the paper"
systems = ["S1", "S2", "S3", "H2", "H1"]
segments = 50
mode = "paper"
scale = {lowest = 1, highest = 5, names = {1 = "very bad", 5 = "very good"}}
groups = [{name = "monolingual", judges = 10, source = false}, {name = "bilingual", judges = 10}]
"""
#: Judges who rate at the rating page first, and how many texts; then the same is sent without it.
IN_BROWSERS, RATED_BY_KEYS = ("monolingual 1", "bilingual 1"), 5
QUALITY: dict[str, float] = dict(zip(SYSTEMS, (1.9, 2.3, 2.6, 3.6, 4.1), strict=True))


def rate_by_keys(browser: Browser, link: str, scores: list[int]) -> None:
    """Give the scores of the first places at the rating page, on a phone."""
    page = browser.new_context(viewport={"width": 390, "height": 800}).new_page()
    page.goto(link)
    page.get_by_role("button", name="Begin").click()
    for place, score in enumerate(scores, start=1):
        page.wait_for_function("n => document.querySelector('h1')?.textContent.startsWith(`${n} of `)", arg=place)
        page.keyboard.press(str(score))
        page.keyboard.press("Enter")
    page.wait_for_function("() => !Object.keys(localStorage).some(key => key.includes('/queue/'))")
    page.context.close()


def rate_all(address: str, token: str, scores: list[int], first: int = 0) -> None:
    """Give the scores of all places from one on, as the page sends them."""
    answers = [
        {
            "client": f"{token} {place}",
            "place": place,
            "position": 0,
            "score": score,
            "shown": place,
            "given": place + 9,
        }
        for place, score in enumerate(scores)
    ][first:]
    for begin in range(0, len(answers), 100):
        send_until_stored(address, token, answers[begin : begin + 100], time.monotonic() + 60)


def simulated(store: CampaignStore) -> pd.DataFrame:
    """A score for each place of each judge: lenient and severe ones, segments of all kinds, and noise."""
    random = np.random.default_rng(7)
    segments = {segment.segment: random.normal(0, 0.5) for segment in store.segments}
    rows: list[Mapping[str, object]] = []
    for judge in store.judges:
        lenience = random.normal(0, 0.4)
        for slot in store.slots(judge):
            (item,) = slot.items
            liked = QUALITY[item.system] + segments[item.segment] + lenience + random.normal(0, 0.8)
            score = int(np.clip(np.round(liked), 1, 5))
            rows.append(
                {"judge": judge, "group": judge.split()[0], "place": slot.place, "segment": item.segment}
                | {"system": item.system, "score": score}
            )
    return pd.DataFrame(rows)


@pytest.fixture
def store(tmp_path: Path) -> CampaignStore:
    plan, source = tmp_path / "plan.toml", tmp_path / "source.txt"
    plan.write_text(PLAN, encoding="utf-8")
    lines = (sample_data.FOLDER / "references" / "R4.txt").read_text(encoding="utf-8").upper()
    source.write_text(lines, encoding="utf-8")
    call = ["campaign", "create", str(plan), "--out", str(tmp_path / "c.db"), "--source", str(source)]
    assert main([*call, *map(str, sample_data.systems())]) == 0
    return CampaignStore(tmp_path / "c.db")


@pytest.mark.slow
def test_figures_3_to_7_of_the_paper_from_a_campaign(browser: Browser, store: CampaignStore, tmp_path: Path) -> None:
    given = simulated(store)
    lead = store.new_token(None)
    options = ["--campaign", str(store.path), "--source", str(tmp_path / "source.txt")]
    options += [part for path in sample_data.references()[:2] for part in ("--ref", str(path))]
    options += ["--human-system", "H1", "--human-system", "H2", *map(str, sample_data.systems())]
    with serve(tmp_path, options) as address:
        store.add_event("opened")
        for judge in store.judges:
            scores = given[given["judge"] == judge].sort_values("place")["score"].tolist()
            token = store.new_token(judge)
            in_browser = RATED_BY_KEYS if judge in IN_BROWSERS else 0
            if in_browser:
                rate_by_keys(browser, judge_link(address, token), scores[:in_browser])
            rate_all(address, token, scores, in_browser)
        someone = Visitor(browser, address, width=2400, new=True)
        someone.page.goto(f"{address}/lead#{lead}")
        someone.page.wait_for_selector('h1:has-text("Campaign")')
        someone.idle()
        assert lead not in someone.page.url
        someone.open_page("The 2002 paper")
        differences = someone.all_rows("figures-3-4")
        bleu = {row["system"]: float(row["BLEU"]) for row in someone.rows("table-1")}
        lines = {row["group"]: row for row in someone.rows("figures-5-6")}
        normalised = {row["system"]: row for row in someone.rows("figure-7")}
        someone.close()
        assert someone.faults == []
    for group in ("monolingual", "bilingual"):
        of_group = given[given["group"] == group]
        check_differences([row for row in differences if row["group"] == group], of_group)
        means = of_group.groupby("system")["score"].mean()
        line = stats.linregress([bleu[name] for name in SYSTEMS], means[list(SYSTEMS)])
        found = lines[group]
        assert [float(found[name]) for name in ("r", "slope", "intercept")] == pytest.approx(
            [line.rvalue, line.slope, line.intercept]
        )
        scaled = (means - means.min()) / (means.max() - means.min())
        for name in SYSTEMS:
            assert float(normalised[name][f"group {group}"]) == pytest.approx(scaled[name])


def check_differences(found: list[dict[str, str]], given: pd.DataFrame) -> None:
    """Paired t of neighbouring systems over judges and segments, as SciPy has it."""
    order = given.groupby("system")["score"].mean().sort_values().index
    wide = given.pivot_table(index=["judge", "segment"], columns="system", values="score")
    by_pair = {(row["system"], row["baseline"]): row for row in found if row["over"] == "judge and segment"}
    for worse, better in itertools.pairwise(order):
        expected = stats.ttest_rel(wide[better], wide[worse])
        row = by_pair[better, worse]
        assert int(row["N"]) == len(wide) == 500
        assert float(row["mean difference"]) == pytest.approx((wide[better] - wide[worse]).mean())
        interval = expected.confidence_interval(0.95)
        assert [float(row[name]) for name in ("t", "low", "high")] == pytest.approx(
            [expected.statistic, interval.low, interval.high]
        )
