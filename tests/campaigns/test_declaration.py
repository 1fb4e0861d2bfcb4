"""Plans of campaigns: read from TOML, and refused with a message that names the key."""

from __future__ import annotations

import pytest

from bleu_core.campaigns import (
    CampaignPlan,
    JudgeGroup,
    Scale,
    StoppingRule,
    TrainingExample,
    plan_from,
    plan_tables,
    read_plan,
)
from bleu_core.errors import BleuCoreError

TOML = b"""
title = "Pilot"
systems = ["A", "B"]
segments = 50
repeats = 0.05
[scale]
lowest = 0
highest = 100
step = 1
names = {0 = "no meaning kept", 100 = "perfect"}
[[groups]]
name = "monolingual"
judges = 10
source = false
[stopping]
width = 0.2
looks = 4
[[training]]
source = "Guten Tag."
text = "Good meat."
lowest = 0
highest = 30
feedback = "The meaning is lost."
"""


def test_a_plan_is_read_from_toml_and_comes_back_from_its_tables() -> None:
    plan = read_plan(TOML, "plan.toml")
    assert plan == CampaignPlan(
        title="Pilot",
        systems=("A", "B"),
        segments=50,
        repeats=0.05,
        scale=Scale(0, 100, 1, {0: "no meaning kept", 100: "perfect"}),
        groups=(JudgeGroup("monolingual", 10, source=False),),
        stopping=StoppingRule(width=0.2, looks=4),
        training=(
            TrainingExample(
                text="Good meat.", lowest=0, highest=30, feedback="The meaning is lost.", source="Guten Tag."
            ),
        ),
    )
    assert plan_from(plan_tables(plan), "again") == plan


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("colour = 1", "p.toml: colour: unknown key found, one of title, "),
        ("segments = '5'", "p.toml: segments: '5' found, a whole number expected"),
        ("segments = true", "p.toml: segments: True found, a whole number expected"),
        ("segments = 0", "p.toml: segments: 0 found, a number from 1 on expected"),
        ("documents = 3\nsegments = 3", "segments: both or neither of segments and documents found, one of the two"),
        ("mode = 'odd'", "p.toml: mode: 'odd' found, one of designed, paper expected"),
        ("presentation = 'odd'", "presentation: 'odd' found, one of single, side by side"),
        ("repeats = 0.5", "repeats: 0.5 found, a share from 0 to 0.25"),
        ("degraded = -0.1", "degraded: -0.1 found, a share"),
        ("ratings = 2", "ratings: 2 found, at most 1, the judges of the group judges"),
        ("seed = -1", "seed: -1 found"),
        ("scale = {step = 0.3}", "scale.step: 0.3 found, a number above 0 that divides"),
        ("scale = {lowest = 9}", "scale.highest: 5 found, a number above the lowest, 9"),
        ("scale = {highest = inf}", "finite numbers"),
        ("scale = {names = {7 = 'x'}}", "scale.names: 7.0 found, a number of the scale"),
        ("scale = {names = {x = 'x'}}", "scale.names: 'x' found, a number of the scale"),
        ("scale = {step = nan}", "finite numbers"),
        ("groups = [{judges = 0}]", "groups.judges: 0 found"),
        ("groups = [{}, {}]", "groups: 'judges' twice found, different names"),
        ("groups = [1]", "groups, entry 1: 1 found, a table expected"),
        ("groups = []", "groups: none found, at least 1"),
        ("stopping = {looks = 9}", "stopping.looks: 9 found, a number from 3 to 5"),
        ("stopping = {width = 0}", "stopping.width: 0 found"),
        ("stopping = {width = 1, ratings = 5}", "stopping: ratings and width found, one of the two"),
        ("training = [{text = 'x', lowest = 1}]", "training, entry 1: highest: nothing found, a number expected"),
        ("training = [{text = ' ', lowest = 1, highest = 2}]", "training.text: ' ' found, a translation expected"),
        (
            "training = [{text = 'x', lowest = 3, highest = 2}]",
            "training.highest: 2 found, a number from the lowest, 3",
        ),
        ("training = [{text = 'x', lowest = 1, highest = 6}]", "training.highest: 6 found, a number of the scale"),
        ("training = [{text = 'x', lowest = 1, highest = 2, note = ''}]", "training, entry 1: note: unknown key"),
        ("training = ['x']", "training, entry 1: 'x' found, a table expected"),
        ("title =", "p.toml, line 1: not valid TOML"),
        (f"seed = {'9' * 5000}", "p.toml, line 4: a key or number of more than 300 characters found, a shorter one"),
        (f"seed = {'9' * 200}", "p.toml: seed: a number beyond 9,223,372,036,854,775,807 found, one up to that"),
        (f"scale = {{highest = {'9' * 200}}}", "p.toml: scale.highest: a number beyond 9,223,372,036,854,775,807"),
        ("scale = {highest = 1e300, step = 1e-300}", "p.toml: scale.step: 1e-300 found, at most 1,000,000 steps from"),
        ("scale = {lowest = -1e308, highest = 1e308}", "p.toml: scale.step: 1 found, at most 1,000,000 steps from"),
        ("groups = [{name = 'a', judges = 501}, {judges = 500}]", "groups: 1,001 judges found, at most 1,000 in all"),
    ],
)
def test_a_plan_that_means_nothing_is_refused_by_key(line: str, message: str) -> None:
    text = ""
    for key, value in {"title": "'t'", "systems": "['A']", "segments": "5"}.items():
        text += "" if f"{key} =" in line else f"{key} = {value}\n"
    text = f"{line}\n{text}" if "segments" in line or "title" in line else f"{text}{line}\n"
    with pytest.raises(BleuCoreError) as refused:
        read_plan(text.encode(), "p.toml")
    assert message in str(refused.value)


@pytest.mark.parametrize("key", ["title", "systems"])
def test_a_missing_key_is_named(key: str) -> None:
    text = b"\n".join(line for line in TOML.split(b"\n") if not line.startswith(key.encode()))
    with pytest.raises(BleuCoreError, match=f"p.toml: {key}: nothing found"):
        read_plan(text, "p.toml")


def test_a_seed_of_the_form_is_bounded_too() -> None:
    with pytest.raises(BleuCoreError, match="seed: a number beyond 9,223,372,036,854,775,807 found"):
        CampaignPlan(title="t", systems=("A",), segments=5, seed=10**5000)
