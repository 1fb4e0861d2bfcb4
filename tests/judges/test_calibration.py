"""Are equal systems told apart as rarely as p says, and are confounded judges found, and no others? Slow.

BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/judges/test_calibration.py
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from judges.calibration import Campaign, Simulation, alarms, campaign, levels
from null_pairs import TED, WMT23, evaluation_data
from printed import Printed, printed_at_the_end

pytestmark = pytest.mark.slow

SAMPLES, POWER_SAMPLES, POLICY_SAMPLES, SEED = 2000, 500, 500, 20261125


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=2) as found:
        yield found


def real(name: str, *, machines: bool = True) -> Campaign:
    """A campaign; that of TED talks has 5 documents, so that segments are its units."""
    return campaign(evaluation_data() / name, machines=machines, documents=name == WMT23)


@pytest.mark.parametrize("severity", [1.0, 2.0])
@pytest.mark.parametrize("name", [TED, WMT23])
def test_random_rosters_are_called_confounded_in_at_most_a_hundredth(
    name: str, severity: float, printed: Printed
) -> None:
    simulation = Simulation(real(name), severity=severity, equal=False)
    share = alarms(simulation, SAMPLES, random=True, seed=SEED)
    row = {"roster": f"{name}, judges at random", "severity": severity, "alarms, %": share, "samples": SAMPLES}
    printed.add("Judges called confounded", row)
    assert share <= 1.0


@pytest.mark.parametrize("severity", [1.0, 2.0])
def test_crossed_rosters_never_are(severity: float, printed: Printed) -> None:
    simulation = Simulation(real(WMT23), severity=severity, equal=False)
    share = alarms(simulation, SAMPLES, random=False, seed=SEED)
    row = {"roster": f"{WMT23}, crossed", "severity": severity, "alarms, %": share, "samples": SAMPLES}
    printed.add("Judges called confounded", row)
    assert share == 0


def test_the_confounded_roster_is_found(printed: Printed) -> None:
    simulation = Simulation(real(TED), equal=False)
    share = alarms(simulation, POWER_SAMPLES, random=False, seed=SEED)
    row = {"roster": f"{TED}, as it is", "severity": 1.0, "alarms, %": share, "samples": POWER_SAMPLES}
    printed.add("Judges called confounded", row)
    assert share >= 90


@pytest.mark.parametrize(("views", "random"), [(0.0, False), (1.0, False), (0.0, True)])
@pytest.mark.parametrize("name", [TED, WMT23])
def test_equal_systems_are_told_apart_as_rarely_by_the_policy_as_a_whole(
    name: str, views: float, printed: Printed, *, random: bool
) -> None:
    """The policy looks at ratings to decide whether to adjust them, which may cause errors, too."""
    simulation = Simulation(real(name), views=views)
    found = levels(simulation, POLICY_SAMPLES, means="auto", seed=SEED, random=random)
    printed.add(
        "Equal systems told apart: automatic",
        {
            "roster": f"{name}, judges at random" if random else name,
            "views": views,
            "adjusted, %": found.adjusted,
            "pairs, %": found.pairs,
            "lowest": found.lowest,
            "highest": found.highest,
            "families, %": found.families,
        },
    )
    assert 4 - 0.75 <= found.pairs <= 6 + 0.75  # two standard errors
    assert found.families <= 6 + 2.5


@pytest.mark.parametrize("views", [0.0, 1.0, 2.0])
@pytest.mark.parametrize(("name", "machines"), [(TED, True), (TED, False), (WMT23, True), (WMT23, False)])
def test_equal_systems_are_told_apart_as_rarely_as_p_says(
    name: str, *, machines: bool, views: float, printed: Printed
) -> None:
    simulation = Simulation(real(name, machines=machines), views=views)
    found = levels(simulation, SAMPLES, means="adjusted", seed=SEED)
    printed.add(
        "Equal systems told apart: adjusted means",
        {
            "roster": name,
            "systems": simulation.roster.systems,
            "views": views,
            "deviation of views": float(simulation.views),
            "pairs, %": found.pairs,
            "lowest": found.lowest,
            "highest": found.highest,
            "families, %": found.families,
        },
    )
    if views < 2:  # more than was estimated is for the table
        assert 3 - 0.25 <= found.pairs <= 6 + 0.25  # two standard errors
        assert found.families <= 6 + 1


def test_equal_systems_of_a_crossed_roster_are_told_apart_as_rarely_as_p_says(printed: Printed) -> None:
    simulation = Simulation(real(WMT23, machines=False))
    found = levels(simulation, SAMPLES, means="raw", seed=SEED)
    printed.add(
        "Equal systems told apart: raw means",
        {"roster": WMT23, "systems": simulation.roster.systems, "pairs, %": found.pairs, "families, %": found.families},
    )
    assert 3 - 0.25 <= found.pairs <= 6 + 0.25
    assert found.families <= 6 + 1
