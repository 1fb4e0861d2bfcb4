"""References of a real test set that rank systems in different orders, one of them against the raters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Runner


@pytest.fixture
def ranked(run: Runner, folder: Path) -> Any:
    """The JSON of `references` on a test set with two references."""
    data = folder / "data" / "ted-zhen"
    texts = sorted((data / "systems").iterdir())
    refs = [part for path in sorted((data / "refs").iterdir()) for part in ("--ref", path)]
    return run("references", *refs, "--human", data / "human.csv", "--format", "json", *texts).json


def test_one_reference_agrees_far_worse_with_raters_than_the_other(ranked: Any) -> None:
    tau = {one["reference"]: one["agreement"]["kendall"]["coefficient"] for one in ranked["rankings"]}
    assert tau["ref.A"] < 0 < tau["ref.B"]
    assert tau["ref.B"] - tau["ref.A"] > 0.5
    between = next(one for one in ranked["pairs"] if one["other"] == "ref.B")
    assert between["tau"] < 0


def test_both_references_are_left_out_of_the_systems(ranked: Any) -> None:
    assert [one["system"] for one in ranked["left_out"]] == ["ref.A", "ref.B"]
    assert {len(one["systems"]) for one in ranked["rankings"]} == {13}
