"""Agreement of BLEU with people."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged import read_ratings
from scipy import stats

from bleu_core.agreement import (
    Correlation,
    agreement_of_scores,
    correlate,
    kendall,
    normalised_by_range,
    pearson,
    spearman,
)
from bleu_core.agreement.correlation import pairwise_accuracy, regression
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, Judgments, without_references_of
from bleu_core.errors import AlignmentError
from bleu_core.formats.text import Text
from bleu_core.scoring import BleuSettings, evaluate

Estimate = Callable[[Floats, Floats], Correlation]

METHODS = [(pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)]
RANKED = [spearman, kendall]


def points(*values: float) -> Floats:
    return np.array(values, np.float64)


# Whole numbers, so that ties are common and rounding changes nothing.
VECTORS = st.integers(3, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-9, 9), min_size=n, max_size=n).map(lambda v: points(*v))] * 2)
)
VARIED = VECTORS.filter(lambda xy: np.ptp(xy[0]) > 0 and np.ptp(xy[1]) > 0)


@pytest.mark.parametrize(("estimate", "scipys"), METHODS)
@pytest.mark.parametrize("pairs", [3, 4, 5, 10, 60])
def test_coefficients_equal_scipys(estimate: Estimate, scipys: Callable[..., tuple[float, float]], pairs: int) -> None:
    x, y = np.random.default_rng(pairs).normal(size=(2, pairs)).round(9)
    found, wanted = estimate(x, y), scipys(x, y)
    assert (found.coefficient, found.p_value) == (pytest.approx(wanted[0]), pytest.approx(wanted[1]))
    assert (found.pairs, found.reason) == (pairs, "")


@given(VARIED)
def test_coefficients_with_ties_equal_scipys(vectors: tuple[Floats, Floats]) -> None:
    for estimate, scipys in METHODS:
        found, wanted = estimate(*vectors), scipys(*vectors)
        assert found.coefficient == pytest.approx(float(wanted[0]), abs=1e-12)
        assert found.p_value == pytest.approx(float(wanted[1]), abs=1e-12)


def test_coefficients_by_hand() -> None:
    # x = 1 2 3 4, y = 1 3 2 4. Deviations -1.5 -.5 .5 1.5 against -1.5 .5 -.5 1.5: products 2.25 - .25 - .25 + 2.25
    # = 4, of sums of squares 5 and 5: r = rho = .8. Five of six pairs agree: tau = (5 - 1) / 6.
    x, y = points(1, 2, 3, 4), points(1, 3, 2, 4)
    assert pearson(x, y).coefficient == pytest.approx(0.8)
    assert spearman(x, y).coefficient == pytest.approx(0.8)
    assert kendall(x, y).coefficient == pytest.approx(4 / 6)
    accuracy = pairwise_accuracy(x, y)
    assert (accuracy.agreeing, accuracy.pairs, accuracy.value) == (5, 6, 5 / 6)


@pytest.mark.parametrize(("estimate", "_"), METHODS)
def test_perfect_agreement_is_1_and_perfect_disagreement_minus_1(estimate: Estimate, _: object) -> None:
    x = points(1, 2, 3, 4, 5)
    assert estimate(x, 2 * x + 1).coefficient == pytest.approx(1)
    assert estimate(x, -x).coefficient == pytest.approx(-1)


@given(VARIED)
def test_coefficients_are_symmetric_and_change_sign_with_one_side(vectors: tuple[Floats, Floats]) -> None:
    x, y = vectors
    for estimate, _ in METHODS:
        found = estimate(x, y).coefficient
        assert estimate(y, x).coefficient == pytest.approx(found, abs=1e-12)
        assert estimate(x, -y).coefficient == pytest.approx(-found, abs=1e-12)


@given(VARIED, st.sampled_from([np.exp, np.arctan, lambda v: v**3, lambda v: 5 * v - 2]))
def test_monotone_transformations_leave_rank_correlations_alone(
    vectors: tuple[Floats, Floats], transform: Callable[[Floats], Floats]
) -> None:
    x, y = vectors
    scaled = x / 10  # exp and arctan of small numbers stay apart after rounding to 9 decimals
    for estimate in RANKED:
        assert estimate(transform(scaled), y).coefficient == pytest.approx(estimate(x, y).coefficient, abs=1e-12)
    assert pairwise_accuracy(transform(scaled), y) == pairwise_accuracy(x, y)


@given(VARIED, st.floats(0.1, 50), st.floats(-50, 50))
def test_linear_transformations_leave_pearson_alone(vectors: tuple[Floats, Floats], scale: float, shift: float) -> None:
    x, y = vectors
    assert pearson(scale * x + shift, y).coefficient == pytest.approx(pearson(x, y).coefficient, abs=1e-6)


@given(VARIED, st.permutations(range(12)))
def test_the_order_of_systems_changes_nothing(vectors: tuple[Floats, Floats], permutation: list[int]) -> None:
    x, y = vectors
    order = [k for k in permutation if k < len(x)]
    for estimate, _ in METHODS:
        assert estimate(x[order], y[order]).coefficient == pytest.approx(estimate(x, y).coefficient, abs=1e-12)
    assert pairwise_accuracy(x[order], y[order]) == pairwise_accuracy(x, y)


@given(VECTORS)
def test_pairwise_accuracy_equals_a_plain_double_loop(vectors: tuple[Floats, Floats]) -> None:
    x, y = (v.tolist() for v in vectors)
    agreeing = pairs = 0
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            pairs += 1
            agreeing += (
                (x[i] > x[j] and y[i] > y[j]) or (x[i] < x[j] and y[i] < y[j]) or (x[i] == x[j] and y[i] == y[j])
            )
    found = pairwise_accuracy(*vectors)
    assert (found.agreeing, found.pairs) == (agreeing, pairs)
    assert found.value == agreeing / pairs


def test_a_tie_agrees_with_a_tie_and_with_nothing_else() -> None:
    assert pairwise_accuracy(points(1, 1), points(2, 2)).agreeing == 1
    assert pairwise_accuracy(points(1, 1), points(2, 3)).agreeing == 0
    assert pairwise_accuracy(points(1, 2), points(3, 3)).agreeing == 0


def test_float_noise_breaks_no_tie() -> None:
    # .1 + .2 is .30000000000000004.
    x, y = points(0.1 + 0.2, 0.3, 1), points(2, 2, 3)
    assert pairwise_accuracy(x, y).agreeing == 3
    assert kendall(x, y).coefficient == pytest.approx(1)
    assert spearman(x, y).coefficient == pytest.approx(1)


def test_no_pair_has_no_accuracy() -> None:
    assert math.isnan(pairwise_accuracy(points(1), points(1)).value)


@pytest.mark.parametrize(("estimate", "_"), METHODS)
@pytest.mark.parametrize("systems", [0, 1, 2])
def test_fewer_than_three_systems_have_no_coefficient_and_a_reason(estimate: Estimate, _: object, systems: int) -> None:
    found = estimate(points(*range(systems)), points(*range(systems)))
    assert math.isnan(found.coefficient)
    assert math.isnan(found.p_value)
    assert math.isnan(found.interval.low)
    assert math.isnan(found.interval.high)
    assert found.reason == f"{systems} {'system' if systems == 1 else 'systems'}, at least 3 needed"


@pytest.mark.parametrize(("estimate", "_"), METHODS)
def test_a_constant_has_no_coefficient_and_a_reason(estimate: Estimate, _: object) -> None:
    varied, constant = points(1, 2, 3), points(0.3, 0.1 + 0.2, 0.3)
    for x, y, reason in (
        (constant, varied, "all systems have the same BLEU"),
        (varied, constant, "all systems have the same mean rating"),
    ):
        found = estimate(x, y)
        assert math.isnan(found.coefficient)
        assert found.reason == reason


def test_regression_equals_scipys() -> None:
    x, y = np.random.default_rng(3).normal(size=(2, 12))
    found, wanted = regression(x, y), stats.linregress(x, y)
    assert (found.slope, found.intercept) == (pytest.approx(wanted.slope), pytest.approx(wanted.intercept))
    # The standard error of a slope is the residual deviation over the root of the sum of squares.
    assert found.residual_deviation / math.sqrt(found.squares) == pytest.approx(wanted.stderr)
    assert found.mean == pytest.approx(x.mean())


def test_regression_by_hand() -> None:
    # x = 1 2 3 around 2, y = 1 2 6 around 3: slope (-1 * -2 + 0 + 1 * 3) / 2 = 2.5, intercept 3 - 5 = -2.
    # Residuals .5, -1, .5: deviation sqrt(1.5 / 1).
    found = regression(points(1, 2, 3), points(1, 2, 6))
    assert (found.slope, found.intercept) == (pytest.approx(2.5), pytest.approx(-2))
    assert found.residual_deviation == pytest.approx(math.sqrt(1.5))
    np.testing.assert_allclose(found.at(points(0, 4)), [-2, 8])


def test_the_band_is_narrowest_at_the_mean_and_follows_its_formula() -> None:
    x, y = np.random.default_rng(4).normal(size=(2, 10))
    line = regression(x, y)
    at = np.array([line.mean - 2, line.mean, line.mean + 2])
    low, high = line.band(at)
    np.testing.assert_allclose((low + high) / 2, line.at(at))
    width = (high - low) / 2
    assert width[1] == width.min()
    assert width[0] == pytest.approx(width[2])
    # At the mean only the uncertainty of the mean is left: t * s / sqrt(n).
    t = float(stats.t.ppf(0.975, 8))
    assert width[1] == pytest.approx(t * line.residual_deviation / math.sqrt(10))


def test_regression_on_a_constant_has_no_line_and_a_reason() -> None:
    found = regression(points(2, 2, 2), points(1, 2, 3))
    assert math.isnan(found.slope)
    assert math.isnan(found.intercept)
    assert found.reason == "all systems have the same BLEU"


def test_regression_of_a_constant_is_flat() -> None:
    found = regression(points(1, 2, 3), points(4, 4, 4))
    assert (found.slope, found.intercept, found.reason) == (pytest.approx(0), pytest.approx(4), "")


def test_values_are_scaled_to_their_range() -> None:
    np.testing.assert_allclose(normalised_by_range(points(10, 30, 15)), [0, 1, 0.25])
    assert np.isnan(normalised_by_range(points(2, 2))).all()
    assert np.isnan(normalised_by_range(points(2))).all()
    assert normalised_by_range(points()).tolist() == []


# --- from texts and ratings -------------------------------------------------------------------------------------

TEXT = ("the cat sat on the mat", "a dog ran in the park")
CORPUS = Corpus(
    {
        "copy": TEXT,
        "worst": ("a cat", "one dog walked"),
        "best": ("the cat sat on a mat", "a dog ran in the park"),
        "middle": ("the cat sat on mats", "a dog walks in the park"),
        "unrated": TEXT[::-1],
        "human": ("a cat sat on the mat", "some dog ran in a park"),
    },
    {"R": TEXT, "Q": TEXT[::-1]},
)


def ratings(content: str = "") -> Judgments:
    rows = "".join(
        f"{segment},{system},x,{score}\n"
        for system, score in {"copy": 5, "worst": 1, "best": 4, "middle": 3, "human": 5, "nobody": 2}.items()
        for segment in (1, 2)
    )
    return read_ratings(Text(f"segment,system,judge,score\n{rows}{content}", "UTF-8"), "h.csv")


def test_systems_that_cannot_be_compared_are_left_out_and_listed() -> None:
    evaluation = evaluate(CORPUS, BleuSettings(smoothing="floor"), references=["R"])
    found = correlate(CORPUS, evaluation, ratings(), without=["human"])
    assert found.systems == ("worst", "best", "middle")
    assert [(e.system, e.reason) for e in found.excluded] == [
        ("copy", "identical to the reference R"),
        ("unrated", "identical to the reference Q"),
        ("human", "human translator"),
        ("nobody", "has ratings, but no text in use"),
    ]
    assert found.human.tolist() == [1, 4, 3]
    score = dict(zip(evaluation.systems, evaluation.scores.score.tolist(), strict=True))
    assert found.oriented_scores.tolist() == [score[name] for name in found.systems]
    assert found.signature == evaluation.signature
    assert found.pearson == pearson(found.oriented_scores, found.human)
    assert found.correlations == (found.pearson, found.spearman, found.kendall)
    assert found.pairwise_accuracy.agreeing == 3


def test_the_references_in_use_do_not_change_which_systems_are_compared() -> None:
    found = [correlate(CORPUS, evaluate(CORPUS, references=names), ratings()) for names in (["Q"], ["R"], ["R", "Q"])]
    assert {one.systems for one in found} == {("worst", "best", "middle", "human")}
    assert {one.excluded for one in found} == {found[0].excluded}


def test_a_human_translation_is_compared_with_the_references_that_are_not_its_own() -> None:
    corpus = without_references_of(CORPUS, ["copy"])
    assert list(corpus.references) == ["Q"]
    found = correlate(corpus, evaluate(corpus), ratings())
    assert "copy" in found.systems
    assert "unrated" not in found.systems


def test_the_reason_of_a_human_translator_can_be_given() -> None:
    found = correlate(CORPUS, evaluate(CORPUS), ratings(), without={"human": "a translator"})
    assert {one.system: one.reason for one in found.excluded}["human"] == "a translator"


def test_system_level_scores_are_compared_too() -> None:
    judgments = read_ratings(Text("system,score\nbest,90\nmiddle,70\nworst,20\n", "UTF-8"), "h.csv")
    found = correlate(CORPUS, evaluate(CORPUS, references=["R"]), judgments)
    assert found.human.tolist() == [20, 90, 70]


def test_a_rating_of_a_segment_beyond_the_texts_is_refused() -> None:
    with pytest.raises(
        AlignmentError, match=r"h\.csv, line 14: rating of segment 3 found, but the texts have 2 segments"
    ):
        correlate(CORPUS, evaluate(CORPUS), ratings("3,best,x,1\n"))


def test_no_system_to_compare_is_refused_with_the_reasons() -> None:
    judgments = read_ratings(Text("system,score\nnobody,90\n", "UTF-8"), "h.csv")
    with pytest.raises(AlignmentError, match=r"no system has both a score and ratings .*best: no ratings.*nobody"):
        correlate(CORPUS, evaluate(CORPUS, references=["Q"]), judgments)


# --- any metric -------------------------------------------------------------------------------------------------


def test_any_metric_is_compared_as_bleu_is() -> None:
    scores = {"a": 0.1, "b": 0.4, "c": 0.3, "d": 0.9, "none": math.nan, "h": 1.0, "unrated": 0.5}
    means = {"b": 2.0, "a": 1.0, "d": 3.0, "c": 5.0, "none": 1.0, "h": 4.0, "else": 2.0, "unrated": math.nan}
    found = agreement_of_scores(scores, means, metric="COMET", signature="wmt22", without=["h"])
    assert found.systems == ("a", "b", "c", "d")
    assert found.scores.tolist() == found.oriented_scores.tolist() == [0.1, 0.4, 0.3, 0.9]
    assert found.human.tolist() == [1, 2, 5, 3]
    assert (found.metric, found.signature) == ("COMET", "wmt22")
    assert found.pearson == pearson(found.scores, found.human)
    assert [(e.system, e.reason) for e in found.excluded] == [
        ("none", "has ratings, but no score by COMET"),
        ("h", "human translator"),
        ("unrated", "no ratings"),
        ("else", "has ratings, but no score by COMET"),
    ]


def test_the_metric_is_named_in_reasons() -> None:
    found = agreement_of_scores(dict.fromkeys("abc", 1.0), {"a": 1.0, "b": 2.0, "c": 3.0}, metric="chrF2")
    for result in (*found.correlations, found.regression):
        assert result.reason == "all systems have the same chrF2"


def test_a_metric_of_other_systems_is_refused_with_the_reasons() -> None:
    with pytest.raises(AlignmentError, match="x: no ratings; a: has ratings, but no score by COMET"):
        agreement_of_scores({"x": 1.0}, {"a": 1.0}, metric="COMET")


def test_bleu_is_compared_under_its_name() -> None:
    found = correlate(CORPUS, evaluate(CORPUS, references=["R"]), ratings())
    assert found.metric == "BLEU"
    assert found.scores is found.oriented_scores


@pytest.mark.parametrize(("estimate", "_"), METHODS)
def test_systems_that_lack_a_score_are_left_out(estimate: Estimate, _: object) -> None:
    x, y = points(1, 2, math.nan, 4, 3, 7), points(1, 3, 2, 4, math.nan, 1)
    assert estimate(x, y) == estimate(points(1, 2, 4, 7), points(1, 3, 4, 1))
    nothing = estimate(points(1, 2, math.nan), points(math.nan, math.nan, 3))
    assert (nothing.pairs, nothing.reason) == (0, "0 systems, at least 3 needed")
    assert pairwise_accuracy(x, y).pairs == 6
    assert regression(x, y) == regression(points(1, 2, 4, 7), points(1, 3, 4, 1))


def test_scores_that_are_equal_after_rounding_have_no_regression_line() -> None:
    found = regression(np.array([1e-200, 2e-200, 4e-200]), np.array([1.0, 2.0, 3.0]), metric="M")
    assert math.isnan(found.slope)
    assert found.reason == "all systems have the same M"
