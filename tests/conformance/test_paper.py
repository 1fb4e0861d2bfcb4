"""The paper's experiment on real test sets, against what SciPy and sacreBLEU found for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]
Expected = Callable[[str], Any]

TED, WMT23 = "ted-zhen", "wmt23-ende-3raters"
SETS = {TED: ("ref.A", "ref.B", "ref.A+ref.B"), WMT23: ("ref.A", "synthetic_ref", "ref.A+synthetic_ref")}
CASES = [(name, references) for name, several in SETS.items() for references in several]

#: The expected values are of means rounded to 9 decimals.
TOLERANCE = 1e-6

UNITS = {"rater_segment": "by_judge_and_segment", "segment": "by_segment", "rater": "by_judge"}


#: Two, of different sets.
OF_EVERY_RUN = ("ted-zhen", "ref.A+ref.B"), ("wmt23-ende-3raters", "ref.A")


@pytest.fixture(
    params=[
        pytest.param(case, id="-".join(case), marks=() if case in OF_EVERY_RUN else pytest.mark.slow) for case in CASES
    ]
)
def case(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A test set and its references."""
    return request.param


@pytest.fixture
def found(folder: Path, command: Command, expected: Expected, case: tuple[str, str]) -> Any:
    """The experiment under sacreBLEU's settings, all systems against those references."""
    name, references = case
    data, values = folder / "data" / name, expected(name)
    return command(
        "paper",
        *("--preset", "sacrebleu", "--draws", 100, "--human", data / "human.csv", "--documents", data / "docs.txt"),
        *(part for reference in references.split("+") for part in ("--ref", data / "refs" / f"{reference}.txt")),
        *(part for human in values["human_systems"] for part in ("--human-system", human)),
        *(data / "systems" / f"{system}.txt" for system in values["systems"]),
    )


def test_regressions_of_all_systems_and_of_machines_equal_scipy(
    found: Any, expected: Expected, case: tuple[str, str]
) -> None:
    name, references = case
    (agreement,) = found["figures_5_6"]["computed"]
    for key, who in (("all_systems", "all_non_self"), ("machines_only", "mt_only")):
        wanted, of_key = expected(name)["system_level"][f"{references}|{who}"], agreement[key]
        assert [s["system"] for s in of_key["systems"]] == wanted["systems"]
        assert [s["bleu"] for s in of_key["systems"]] == pytest.approx(wanted["bleu"], rel=1e-11)
        assert of_key["pearson"]["coefficient"] == pytest.approx(wanted["pearson"]["r"], abs=TOLERANCE)
        assert of_key["spearman"]["coefficient"] == pytest.approx(wanted["spearman"]["rho"], abs=TOLERANCE)
        line = wanted["regression_human_on_bleu"]
        assert of_key["regression"]["slope"] == pytest.approx(line["slope"], rel=TOLERANCE)
        assert of_key["regression"]["intercept"] == pytest.approx(line["intercept"], rel=TOLERANCE)


def test_ranges_are_those_expected(found: Any, expected: Expected, case: tuple[str, str]) -> None:
    name, references = case
    wanted = expected(name)["system_level"][f"{references}|all_non_self"]
    of_figure = found["figure_7"]["computed"]
    order = [of_figure["systems"].index(system) for system in wanted["systems"]]
    normalised = wanted["range_normalised"]
    assert [of_figure["bleu"]["values"][k] for k in order] == pytest.approx(normalised["bleu"], abs=TOLERANCE)
    (group,) = of_figure["groups"]
    assert [group["values"][k] for k in order] == pytest.approx(normalised["human"], abs=TOLERANCE)


def test_neighbours_ratings_differ_as_scipy_found(found: Any, expected: Expected, case: tuple[str, str]) -> None:
    wanted = expected(case[0])["rater_differences"]
    (group,) = found["figures_3_4"]["computed"]
    assert group["systems"] == wanted["order"]
    for pair, of_pair in zip(group["pairs"], wanted["adjacent"], strict=True):
        assert (pair["baseline"], pair["system"]) == (of_pair["worse"], of_pair["better"])
        for key, unit in UNITS.items():
            by, of_unit = pair[unit], of_pair[key]
            assert by["n"] == of_unit["n"]
            assert by["mean_difference"] == pytest.approx(of_unit["mean_diff"], abs=TOLERANCE)
            if "t" in of_unit:
                assert by["t"] == pytest.approx(of_unit["t"], abs=TOLERANCE)
                assert [by["low"], by["high"]] == pytest.approx(of_unit["ci95"], abs=TOLERANCE)


def test_blocks_equal_scipy(found: Any, expected: Expected, case: tuple[str, str]) -> None:
    name, references = case
    wanted = expected(name)["blocks"][f"{references}|array_split"]
    computed = found["table_2"]["computed"]
    assert computed["block_sizes"] == wanted["block_sizes"]
    for system in computed["systems"]:
        of_system = wanted["per_system"][system["system"]]
        assert system["mean"] == pytest.approx(of_system["mean"], rel=TOLERANCE)
        assert system["standard_deviation"] == pytest.approx(of_system["std"], rel=TOLERANCE)


@pytest.mark.parametrize(("reference", "r"), [("ref.B", 0.3315), ("ref.A", -0.3668)])
def test_machines_of_ted_follow_judges_on_one_reference_and_not_on_the_other(
    folder: Path, command: Command, expected: Expected, reference: str, r: float
) -> None:
    data, values = folder / "data" / TED, expected(TED)
    result = command(
        "paper",
        *("--preset", "sacrebleu", "--draws", 10, "--human", data / "human.csv"),
        *("--ref", data / "refs" / f"{reference}.txt"),
        *(part for human in values["human_systems"] for part in ("--human-system", human)),
        *(data / "systems" / f"{system}.txt" for system in values["systems"]),
    )
    (agreement,) = result["figures_5_6"]["computed"]
    assert agreement["machines_only"]["pearson"]["coefficient"] == pytest.approx(r, abs=5e-5)
