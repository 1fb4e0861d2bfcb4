"""Two systems: the segments that decide the lead, in a sentence and on the page Segments."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from conftest import Opener
from pages import said
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.dataset import Corpus
from bleu_core.inference import Comparisons, compare, tiers
from bleu_core.results.significance import parts_table
from bleu_core.scoring import evaluate

FOLDER = Path(sample_data.__file__).parent


def lines(path: str) -> list[str]:
    return (FOLDER / path).read_text(encoding="utf-8").split("\n")[:-1]  # as segments end


def compare_all(corpus: Corpus) -> Comparisons:
    table = evaluate(corpus).statistics
    return compare(table, list(combinations(range(len(table.systems)), 2)), resamples=500)


@pytest.fixture
def opened(opened: Opener) -> Opener:
    """Pages of the sample data, of which all five systems are ranked."""
    return partial(opened, rank_humans="true")


def test_without_the_segments_named_the_order_is_reversed(opened: Opener) -> None:
    app = opened("two-systems/difference", pair_system="S3", pair_baseline="S2")
    found = re.search(r"Without (\d+) of the 500 segments \(([\d.]+)%\), S3 and S2 change places\.", said(app))
    assert found
    assert float(found[2]) == int(found[1]) / 5
    assert re.search(r"Typical for this p-value: \d+\.\d%", said(app))
    app.button(key="read-deciding").click().run()
    assert not app.exception
    left_out = {int(number) for number in re.findall(r"\d+", app.session_state["segments_within"])}
    assert len(left_out) == int(found[1])
    assert f"({len(left_out)} of 500)" in said(app)
    texts = {name: lines(f"systems/{name}.txt") for name in ("S3", "S2")}
    references = [lines(f"references/R{n}.txt") for n in range(1, 5)]
    kept = [n for n in range(500) if n + 1 not in left_out]
    whole, rest = (
        [
            sacrebleu.corpus_bleu(
                [texts[name][n] for n in rows], [[text[n] for n in rows] for text in references]
            ).score
            for name in ("S3", "S2")
        ]
        for rows in (range(500), kept)
    )
    assert whole[0] > whole[1]
    assert rest[0] < rest[1]


def test_beyond_a_tenth_of_the_segments_no_set_is_named(opened: Opener) -> None:
    app = opened("two-systems/difference", pair_system="H2", pair_baseline="S1")
    assert "No set of up to 10% of the segments was found without which H2 and S1 change places" in said(app)
    assert not [button for button in app.button if button.key == "read-deciding"]


def left_out(app: AppTest) -> list[dict[Hashable, Any]]:
    """The pair with all segments, and without those that are ticked."""
    frame = next(one.value for one in app.dataframe if "part" in one.value)
    found: list[dict[Hashable, Any]] = frame.to_dict("records")
    return found


def test_the_pair_is_compared_again_without_the_segments_that_are_ticked(opened: Opener) -> None:
    app = opened("two-systems/difference", pair_system="S3", pair_baseline="S2")
    app.session_state["section-left-out"] = True
    whole, rest = left_out(app.run())
    assert whole["part"] == "all 500"
    count = int(re.fullmatch(r"without the (\d+) ticked", rest["part"])[1])  # type: ignore[index]
    assert f"Without {count} of the 500 segments" in said(app)
    assert whole["delta"] > 0 > rest["delta"]
    app.button(key="leave-out").click().run()
    assert app.query_params["slice"].startswith("not segment in ")
    compared = next(one.value for one in app.dataframe if "null_hypothesis" not in one.value and "test" in one.value)
    assert compared["delta"].iloc[0] == pytest.approx(rest["delta"])
    assert f"{500 - count} of 500" in said(app)


def test_tiers_follow_the_segments_that_are_left_out() -> None:
    texts = {name: lines(f"systems/{name}.txt") for name in ("S1", "S2", "S3")}
    references = {f"R{n}": lines(f"references/R{n}.txt") for n in range(1, 5)}
    kept = [n for n in range(500) if n not in {3, 77, 400}]
    corpus, rest = (
        Corpus(
            {name: tuple(text[n] for n in rows) for name, text in texts.items()},
            {name: tuple(text[n] for n in rows) for name, text in references.items()},
        )
        for rows in (range(500), kept)
    )
    found = {name: compare_all(one) for name, one in (("all", corpus), ("rest", rest))}
    table = parts_table(found, "S3", "S2")
    assert [row[0] for row in table.rows] == ["all", "rest"]
    columns = list(table.columns)
    for row, one in zip(table.rows, found.values(), strict=True):
        pair = one.between("S3", "S2")
        assert pair is not None
        of = dict(zip(columns, row, strict=True))
        assert (of["delta"], of["p_value"], of["p_value_adjusted"]) == (
            pair.delta,
            pair.p_value,
            pair.p_value_adjusted,
        )
        tier_of = {name: n for n, tier in enumerate(tiers(one), start=1) for name in tier}
        assert (of["system_tier"], of["baseline_tier"]) == (tier_of["S3"], tier_of["S2"])


def test_neighbours_in_the_ranking_have_their_deciding_segments_beside_p(opened: Opener) -> None:
    app = opened("ranking/pairs")
    frame = next(one.value for one in app.dataframe if "left_out" in one.value)
    ranked = ["H2", "H1", "S3", "S2", "S1"]
    assert list(zip(frame["system"], frame["baseline"], strict=True)) == list(pairwise(ranked))
    pairs = next(one.value for one in app.dataframe if "verdict" in one.value)
    for row in frame.to_dict("records"):
        of_pair = pairs[(pairs["system"] == row["system"]) & (pairs["baseline"] == row["baseline"])]
        assert row["p_value"] == of_pair["p_value"].iloc[0]
        assert row["p_value_adjusted"] == of_pair["p_value_adjusted"].iloc[0]
    two = opened("two-systems/difference", pair_system="S3", pair_baseline="S2")
    count = int(frame[frame["system"] == "S3"]["left_out"].iloc[0])
    assert f"Without {count} of the 500 segments" in said(two)


def test_against_a_baseline_each_system_has_its_deciding_segments(opened: Opener) -> None:
    app = opened("ranking/pairs", compare_with="S2")
    frame = next(one.value for one in app.dataframe if "left_out" in one.value)
    assert set(frame["system"]) == {"H2", "H1", "S3", "S1"}
    assert set(frame["baseline"]) == {"S2"}
