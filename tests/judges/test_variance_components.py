"""Variance components against textbook analyses, matrix algebra and simulated ratings."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import read_ratings, sample

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judgments
from bleu_core.formats.text import Text
from bleu_core.judges import VarianceComponents, judge_variance, standardised
from bleu_core.judges import variance_components as variance
from bleu_core.judges.variance_components import variance_components


def estimates(found: VarianceComponents) -> dict[str, float]:
    return {component.name: component.estimate for component in found.components}


def judgments(*rows: tuple[int, str, str, float]) -> Judgments:
    lines = [",".join(map(str, row)) for row in rows]
    return read_ratings(Text("\n".join(["segment,system,judge,score", *lines]) + "\n", "UTF-8"), "h.csv")


def grid(systems: int, segments: int, judges: int) -> dict[str, Integers]:
    cells = np.indices((systems, segments, judges)).reshape(3, -1)
    return dict(zip(("system", "segment", "judge"), cells, strict=True))


def test_two_way_example_of_shrout_and_fleiss() -> None:
    # Shrout and Fleiss (1979), tables 2 and 3: six targets, four judges; mean squares 11.24, 32.49, 1.02.
    # The targets' share is their ICC(2,1), .29.
    ratings = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], float)
    target, judge = np.indices(ratings.shape).reshape(2, -1)
    found = variance_components({"target": target, "judge": judge}, ratings.ravel())
    targets = 4 * ((ratings.mean(axis=1) - ratings.mean()) ** 2).sum() / 5
    judges = 6 * ((ratings.mean(axis=0) - ratings.mean()) ** 2).sum() / 3
    assert (round(targets, 2), round(judges, 2)) == (11.24, 32.49)
    error = (((ratings - ratings.mean()) ** 2).sum() - 5 * targets - 3 * judges) / 15
    assert round(error, 2) == 1.02
    assert estimates(found) == {
        "target": pytest.approx((targets - error) / 4),
        "judge": pytest.approx((judges - error) / 6),
        "residual": pytest.approx(error),
    }
    assert round(found.shares["target"], 2) == 0.29
    assert [component.levels for component in found.components] == [6, 4, 15]


@pytest.mark.parametrize("shape", [(2, 3, 4), (5, 2, 3), (3, 7, 2)])
def test_balanced_crossed_ratings_have_the_textbooks_estimates(shape: tuple[int, int, int]) -> None:
    # Mean squares of the main effects and of the pooled rest; a factor's is expected to be
    # residual + (ratings per level) * component.
    y = np.random.default_rng(sum(shape)).normal(size=shape) + 3 * np.arange(shape[0])[:, None, None]
    found = variance_components(grid(*shape), y.ravel())
    rest, degrees = ((y - y.mean()) ** 2).sum(), y.size - 1
    mean_squares: list[float] = []
    for axis, levels in enumerate(shape):
        others = tuple(a for a in range(3) if a != axis)
        squares = y.size / levels * ((y.mean(axis=others) - y.mean()) ** 2).sum()
        mean_squares.append(squares / (levels - 1))
        rest, degrees = rest - squares, degrees - (levels - 1)
    residual = rest / degrees
    wanted = [(ms - residual) * levels / y.size for ms, levels in zip(mean_squares, shape, strict=True)]
    assert [c.estimate for c in found.components] == pytest.approx([*wanted, residual])
    assert found.components[-1].levels == degrees


@given(st.integers(0, 10_000), st.floats(0.4, 1))
def test_unbalanced_ratings_have_the_estimates_of_matrix_algebra(seed: int, kept: float) -> None:
    generator = np.random.default_rng(seed)
    factors = grid(3, 5, 4)
    chosen = generator.random(60) < kept
    factors = {name: codes[chosen] for name, codes in factors.items()}
    y = generator.integers(1, 6, int(chosen.sum())).astype(np.float64)
    found = variance_components(factors, y)
    if found.reason:
        assert all(math.isnan(share) for share in found.shares.values())
        return
    # Projections by pseudo-inverses of whole design matrices.
    designs = {name: np.eye(codes.max() + 1)[codes] for name, codes in factors.items()}
    ones = np.ones((len(y), 1))

    def outside(*names: str) -> Floats:
        x = np.concatenate([ones, *(designs[name] for name in names)], axis=1)
        return np.eye(len(y)) - x @ np.linalg.pinv(x)

    full = outside(*designs)
    residual = y @ full @ y / np.trace(full)
    assert estimates(found)["residual"] == pytest.approx(residual, abs=1e-9)
    for name, z in designs.items():
        others = outside(*(other for other in designs if other != name))
        added = y @ (others - full) @ y
        estimate = (added - residual * np.trace(others - full)) / np.trace(z.T @ others @ z)
        assert estimates(found)[name] == pytest.approx(estimate, abs=1e-9)
    assert sum(found.shares.values()) == pytest.approx(1)


def test_additive_ratings_with_gaps_leave_no_residual() -> None:
    generator = np.random.default_rng(5)
    factors = grid(4, 20, 6)
    chosen = generator.random(480) < 0.5
    factors = {name: codes[chosen] for name, codes in factors.items()}
    y = 2.0 * factors["system"] + factors["segment"] % 3 - 0.5 * factors["judge"]
    found = variance_components(factors, y)
    assert found.shares["residual"] == 0
    assert sum(found.shares.values()) == pytest.approx(1)


def test_estimates_are_right_on_average() -> None:
    # Components 1, 4, .25 and 2, half of the ratings missing: the means of 120 estimates lie within 4 standard errors.
    generator = np.random.default_rng(11)
    factors = grid(6, 15, 8)
    found: list[list[float]] = []
    for _ in range(120):
        y = sum(generator.normal(0, s, 15)[codes] for s, codes in zip((1, 2, 0.5), factors.values(), strict=True))
        y = y + generator.normal(0, math.sqrt(2), 720)
        chosen = generator.random(720) < 0.5
        result = variance_components({name: codes[chosen] for name, codes in factors.items()}, y[chosen])
        found.append([component.estimate for component in result.components])
    errors = np.std(found, axis=0, ddof=1) / math.sqrt(120)
    assert np.all(np.abs(np.mean(found, axis=0) - [1, 4, 0.25, 2]) < 4 * errors)


def test_negative_estimates_count_as_0_and_are_noted() -> None:
    # Judges' means are equal: less apart than the residual would have them.
    y = np.array([[[1, 2], [2, 1]], [[5, 4], [4, 5]]], float)
    found = variance_components(grid(2, 2, 2), y.ravel())
    by_name = {component.name: component for component in found.components}
    # Residual: squares 18 + 2 less the systems' 18, so 2 over 8 - 4 = 4 degrees; judges: (0 - .5) / 4.
    assert by_name["judge"].estimate == pytest.approx(-0.125)
    assert (by_name["judge"].share, by_name["judge"].note) == (0, "the estimate was negative and is set to 0")
    assert by_name["system"].note == ""
    assert sum(found.shares.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([(1, "A", "x", 1), (2, "B", "x", 2)], "1 judge, at least 2 needed"),
        ([(1, "A", "x", 1), (1, "B", "y", 2)], "1 segment, at least 2 needed"),
        ([(1, "A", "x", 1), (2, "A", "y", 2)], "1 system, at least 2 needed"),
        ([(s, n, j, 3) for s in (1, 2) for n in "AB" for j in "xy"], "all ratings are equal"),
        ([(1, "A", "x", 1), (2, "B", "y", 2)], "too few ratings to separate the residual from the effects"),
        (
            [(s, n, "xy"[s - 1], s + ord(n) * r % 5) for s in (1, 2) for r, n in enumerate("ABCDE")],
            "segment cannot be separated from system and judge, because they do not vary independently",
        ),
        (
            [(s + 2 * b, n + str(b), j + str(b), b) for b in (0, 1) for s in (1, 2) for n in "AB" for j in "xy"],
            "the ratings vary only between parts that share no system, segment or judge",
        ),
    ],
)
def test_what_cannot_be_told_apart_has_a_reason(rows: list[tuple[int, str, str, float]], reason: str) -> None:
    found = judge_variance(judgments(*rows))
    assert found.reason == reason
    assert list(found.shares) == ["system", "segment", "judge", "residual"]
    assert all(math.isnan(share) for share in found.shares.values())


def test_no_ratings_and_ratings_of_no_segment_have_a_reason() -> None:
    none = judgments((1, "A", "x", 1))
    assert judge_variance(Judgments(none.table[:0])).reason == "0 systems, at least 2 needed"
    systems = read_ratings(Text("system,judge,score\nA,x,1\nB,y,2\n", "UTF-8"), "h.csv")
    assert judge_variance(systems).reason == "no rating refers to a segment"


def test_too_many_levels_are_not_fitted(monkeypatch: pytest.MonkeyPatch) -> None:
    factors = grid(3, 9, 5)
    ratings = np.random.default_rng(1).normal(size=len(factors["judge"]))
    monkeypatch.setattr(variance, "MAX_LEVELS", 8)
    assert variance_components(factors, ratings).reason == ""
    monkeypatch.setattr(variance, "MAX_LEVELS", 7)
    found = variance_components(factors, ratings)
    assert found.reason == "8 systems and judges found, at most 7 can be fitted"
    assert all(np.isnan(share) for share in found.shares.values())


def test_repeats_are_averaged_first() -> None:
    generator = np.random.default_rng(2)
    rows = [(s, n, j, float(generator.integers(1, 6))) for s in (1, 2, 3) for n in "AB" for j in "xyz"]
    twice = [(s, n, j, score + shift) for s, n, j, score in rows for shift in (-1, 1)]
    assert estimates(judge_variance(judgments(*twice))) == pytest.approx(estimates(judge_variance(judgments(*rows))))


def test_of_the_sample_the_systems_hold_most_and_leniency_goes_with_z_scores() -> None:
    judged = sample()
    found = judge_variance(judged)
    assert [component.levels for component in found.components[:3]] == [5, 50, 20]
    assert found.ratings == 4450
    assert found.shares["system"] > 0.5
    # sample_data/judges.py draws leniency and ease uniformly from -.45 to .45 and -.4 to .4 (mistakes add to the
    # segments), and adds three draws from -.53 to .53; the variance of a uniform is a third of its bound squared,
    # that of rounding 1 / 12.
    by_name = estimates(found)
    assert by_name["judge"] == pytest.approx(0.45**2 / 3, rel=0.4)
    assert 0.4**2 / 3 * 0.7 < by_name["segment"] < 0.4**2 / 3 * 1.7
    assert by_name["residual"] == pytest.approx(0.53**2 + 1 / 12, rel=0.1)
    assert judge_variance(standardised(judged)).shares["judge"] < 0.005
    shuffled = Judgments(judged.table.sample(frac=1, random_state=1))
    assert judge_variance(shuffled).shares == pytest.approx(found.shares)
