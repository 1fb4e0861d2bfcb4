"""Comparisons of systems: sacreBLEU's and SciPy's p-values, symmetry, documents, corrections, tiers, intervals."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nightly import nightly
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest
from scipy import stats
from texts import Texts, corpora

import sample_data
from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.fields import Approximate, AtMost
from bleu_core.inference import (
    ALPHA,
    CORRECTIONS,
    METHODS,
    MIN_EXTREME_DRAWS,
    PAIR_RESAMPLES,
    TESTS,
    Blocks,
    Comparison,
    Comparisons,
    Correction,
    Interval,
    Test,
    adjust,
    all_pairs,
    baseline_pairs,
    blocks_of_size,
    bootstrap_weights,
    compare,
    document_blocks,
    equal_blocks,
    extrapolated_p,
    method_for,
    metric_intervals,
    number_of_draws,
    paired_tests,
    ranked_pairs,
    resampled_deltas,
    resampling,
    score_intervals,
    significance,
    systems_beaten,
    tiers,
)
from bleu_core.inference.paired_tests import bootstrap_p, percentile_intervals, randomization_p, sacrebleu_p
from bleu_core.inference.resampling import bootstrap_scores
from bleu_core.scoring import BleuEvaluation, BleuSettings, Numbers, SegmentStatistics, evaluate

WORDS = BleuSettings(tokenizer="none")
FEW = 120  # segments of the sample data, where sacreBLEU computes the same
DRAWING: tuple[Test, ...] = ("bootstrap", "randomization", "sacrebleu-bootstrap")


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:-1])


SYSTEMS = {path.stem: lines(path)[:FEW] for path in sample_data.systems()}
CORPUS = Corpus(SYSTEMS, {path.stem: lines(path)[:FEW] for path in sample_data.references()[:2]})


@pytest.fixture(scope="module")
def evaluation() -> BleuEvaluation:
    return evaluate(CORPUS)


@pytest.fixture(scope="module")
def table(evaluation: BleuEvaluation) -> SegmentStatistics:
    return evaluation.statistics


def mean(sums: Numbers) -> Floats:
    return np.divide(sums[..., 0], sums[..., 1], dtype=np.float64)


def mean_table(values: npt.ArrayLike, names: str = "", *, higher_is_better: bool = True) -> SegmentStatistics:
    """Systems, (K, S), called by the letters of names or s0, s1 and so on, whose score is the mean over segments."""
    numbers = np.array(values, np.float64)
    called = tuple(names) or tuple(f"s{k}" for k in range(len(numbers)))
    return SegmentStatistics(
        called, np.stack([numbers, np.ones_like(numbers)], -1), mean, higher_is_better=higher_is_better
    )


def apart(systems: int, segments: int = 120, **options: Any) -> SegmentStatistics:
    """Systems that are one point apart, with a spread of 0.1."""
    noise = np.random.default_rng(5).normal(scale=0.1, size=(systems, segments))
    return mean_table(np.arange(systems)[:, None] + noise, **options)


def alike(systems: int = 3, segments: int = 120) -> SegmentStatistics:
    """Systems that differ by chance alone."""
    return mean_table(np.random.default_rng(6).normal(size=(systems, segments)))


def same(found: Comparison, expected: Comparison) -> None:
    """See that two comparisons are equal but for rounding, undefined values being equal."""
    assert (found.system, found.baseline) == (expected.system, expected.baseline)
    assert numbers(found) == pytest.approx(numbers(expected), abs=1e-9, nan_ok=True)


def numbers(found: Comparison) -> list[float]:
    t = found.paired_t
    of_t = [t.mean_difference, t.standard_error, t.t, t.degrees_of_freedom, t.p_value] if t else []
    interval = [found.interval.low, found.interval.high, found.interval.confidence]
    return [found.delta, *interval, found.p_value, found.p_value_adjusted, *of_t]


# sacreBLEU's own


def sacrebleu_p_values(kind: str, baseline: str, samples: int) -> Mapping[str, float]:
    """What sacreBLEU's paired test finds for each other system; it takes its seed from the environment."""
    order = [baseline, *(name for name in CORPUS.systems if name != baseline)]
    references: Any = [list(texts) for texts in CORPUS.references.values()]
    named: Any = [(name, list(CORPUS.systems[name])) for name in order]
    metrics: Any = {"BLEU": BLEU(references=references)}
    _, results = PairedTest(named, metrics, references=None, test_type=kind, n_samples=samples)()
    found: Any = results["BLEU"]
    return {name: result.p_value for name, result in zip(order[1:], found[1:], strict=True)}


@pytest.mark.parametrize(
    ("seed", "baseline", "samples"), [(12345, "S1", 300), (1, "S3", 300), (99, "H2", 101), (2**31, "S2", 1)]
)
def test_sacrebleus_bootstrap_is_sacrebleus(
    table: SegmentStatistics, monkeypatch: pytest.MonkeyPatch, *, seed: int, baseline: str, samples: int
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    pairs = baseline_pairs(table.systems, baseline)
    found = compare(table, pairs, test="sacrebleu-bootstrap", resamples=samples, seed=seed)
    assert {pair.system: pair.p_value for pair in found.pairs} == sacrebleu_p_values("bs", baseline, samples)


@pytest.mark.parametrize(("seed", "baseline", "samples"), [(12345, "S1", 300), (7, "H1", 333), (99, "S2", 1)])
def test_randomisation_is_sacrebleus_where_no_trial_ties(
    table: SegmentStatistics, monkeypatch: pytest.MonkeyPatch, *, seed: int, baseline: str, samples: int
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", str(seed))
    pairs = baseline_pairs(table.systems, baseline)
    found = compare(table, pairs, test="randomization", trials=samples, resamples=1, seed=seed)
    theirs = sacrebleu_p_values("ar", baseline, samples)
    observed = np.array([pair.delta for pair in found.pairs])
    counted = randomization_p(resampled_deltas(table, pairs, "randomization", samples, seed=seed), observed)
    assert dict(zip(theirs, counted.tolist(), strict=True)) == theirs
    for pair in found.pairs:  # where few trials are as extreme, theirs is a rough count
        assert pair.extrapolated == (theirs[pair.system] <= MIN_EXTREME_DRAWS / (samples + 1))
        assert pair.extrapolated or pair.p_value == theirs[pair.system]


def test_sacrebleus_bootstrap_calls_identical_systems_different_and_ours_do_not() -> None:
    texts = SYSTEMS["S1"]
    table = evaluate(Corpus({"A": texts, "B": texts}, {"R": SYSTEMS["H1"]})).statistics
    p_values = {test: compare(table, [(1, 0)], test=test, resamples=99, trials=99).pairs[0].p_value for test in DRAWING}
    assert p_values == {"bootstrap": 1, "randomization": 1, "sacrebleu-bootstrap": 1 / 100}


# What each test finds


def test_delta_is_of_corpus_scores(evaluation: BleuEvaluation) -> None:
    bleu = dict(zip(evaluation.systems, evaluation.scores.score, strict=True))
    for test in TESTS:
        found = compare(evaluation.statistics, all_pairs(evaluation.systems), test=test, resamples=10, trials=10)
        assert found.scores.tolist() == list(bleu.values())
        for pair in found.pairs:
            assert pair.delta == bleu[pair.system] - bleu[pair.baseline]


def test_the_t_is_scipys_over_20_blocks(table: SegmentStatistics) -> None:
    of_blocks = table.score(table.sums_by_label(equal_blocks(table.segments, 20).labels))
    pairs = all_pairs(table.systems)
    found = compare(table, pairs, test="t")
    assert (found.unit, found.units, found.resamples, found.trials, found.warnings) == ("block", 20, 0, 0, ())
    for pair, (k, b) in zip(found.pairs, pairs, strict=True):
        theirs = stats.ttest_rel(of_blocks[k], of_blocks[b])
        bounds = theirs.confidence_interval(0.95)
        assert pair.paired_t
        assert (pair.paired_t.t, pair.p_value) == (pytest.approx(theirs.statistic), pytest.approx(theirs.pvalue))
        assert (pair.interval.low, pair.interval.high) == (pytest.approx(bounds.low), pytest.approx(bounds.high))
        assert pair.paired_t.mean_difference == pytest.approx(np.mean(of_blocks[k] - of_blocks[b]))
        assert pair.paired_t.degrees_of_freedom == 19
        wider, theirs_wider = pair.paired_t.interval(0.99), theirs.confidence_interval(0.99)
        assert (wider.low, wider.high) == (pytest.approx(theirs_wider.low), pytest.approx(theirs_wider.high))


@pytest.mark.parametrize("groups", [blocks_of_size(FEW, 50), document_blocks([*"aaabbbcdef" * 8, *"abcdefabcd" * 4])])
def test_the_t_of_other_blocks_is_scipys_too(table: SegmentStatistics, groups: Blocks) -> None:
    of_blocks = table.score(table.sums_by_label(groups.labels))
    found = compare(table, [(2, 1)], test="t", groups=groups)
    theirs = stats.ttest_rel(of_blocks[2], of_blocks[1])
    assert (found.unit, found.units) == (groups.unit, len(groups.names))
    assert found.pairs[0].p_value == pytest.approx(theirs.pvalue)


@pytest.mark.parametrize(
    ("values", "reason"),
    [([[1.0], [2.0]], "only one block"), ([[1.0, 2, 3], [2.0, 3, 4]], "no variance"), ([[1.0, 2]] * 2, "no variance")],
)
def test_an_undefined_t_says_why(values: list[list[float]], reason: str) -> None:
    found = compare(mean_table(values), [(1, 0)], test="t")
    (pair,) = found.pairs
    assert pair.reason == pair.reversed().reason == reason
    assert math.isnan(pair.p_value)
    assert math.isnan(pair.p_value_adjusted)
    assert pair.spans_zero
    assert found.verdict(pair) == 0


def test_undefined_tests_are_not_counted_by_the_correction() -> None:
    values = np.random.default_rng(1).normal(size=(3, 40))
    table = mean_table([values[0], values[1], values[0]])
    pairs = ((1, 0), (2, 0))
    found = compare(table, pairs, test="t")
    assert math.isnan(found.pairs[1].p_value)
    assert found.pairs[0].p_value_adjusted == found.pairs[0].p_value


def test_the_t_of_countless_blocks_has_no_p_of_0() -> None:
    values = np.random.default_rng(1).normal(size=(2, 4000))
    values[1] += 5
    found = compare(mean_table(values), [(1, 0)], test="t", groups=equal_blocks(4000, 4000))
    assert 0 < found.pairs[0].p_value < 1e-300


def test_the_bootstrap_agrees_with_a_z_test_on_means() -> None:
    # The score is a mean, for which the normal approximation is good.
    generator = np.random.default_rng(8)
    for shift in (0.0, 0.1, 0.2, 0.3):
        values = generator.normal(size=(2, 400))
        values[1] += shift
        differences = values[1] - values[0]
        error = differences.std() / math.sqrt(400)
        expected = 2 * stats.norm.sf(abs(differences.mean()) / error)
        for test in ("bootstrap", "randomization"):
            (pair,) = compare(mean_table(values), [(1, 0)], test=test, resamples=4000, trials=4000).pairs
            assert pair.p_value == pytest.approx(expected, abs=0.02)
            assert pair.interval.low == pytest.approx(differences.mean() - 1.96 * error, abs=0.15 * error)
            assert pair.interval.high == pytest.approx(differences.mean() + 1.96 * error, abs=0.15 * error)


def test_sacrebleus_rule_gives_half_of_a_two_sided_p() -> None:
    values = np.random.default_rng(8).normal(size=(2, 400))
    values[1] += 2.2 * math.sqrt(2 / 400) - (values[1] - values[0]).mean()  # 2.2 standard errors
    two_sided, halved = (
        compare(mean_table(values), [(1, 0)], test=test, resamples=20_000).pairs[0].p_value
        for test in ("bootstrap", "sacrebleu-bootstrap")
    )
    assert halved / two_sided == pytest.approx(0.5, abs=0.1)


def test_the_interval_is_the_bootstraps_whatever_is_drawn_for_p(table: SegmentStatistics) -> None:
    pairs = all_pairs(table.systems)
    found = [compare(table, pairs, test=test, resamples=200, trials=50) for test in DRAWING]
    scores = bootstrap_scores(table, 200)
    for compared in found:
        for pair, (k, b) in zip(compared.pairs, pairs, strict=True):
            low, high = np.quantile(scores[k] - scores[b], [0.025, 0.975])
            assert (pair.interval.low, pair.interval.high) == (pytest.approx(low), pytest.approx(high))
            assert pair.interval.confidence == 0.95


# Directions


@pytest.mark.parametrize("test", TESTS)
def test_the_other_direction_has_the_same_p_and_all_signs_turned(table: SegmentStatistics, test: Test) -> None:
    pairs = all_pairs(table.systems)
    found = compare(table, pairs, test=test, resamples=101, trials=101)
    turned = compare(table, [(b, k) for k, b in pairs], test=test, resamples=101, trials=101)
    for pair, other in zip(found.pairs, turned.pairs, strict=True):
        same(pair.reversed(), other)
        same(pair.reversed().reversed(), pair)
        assert found.verdict(pair) == -turned.verdict(other)
        assert found.between(pair.system, pair.baseline) == pair
        assert found.between(pair.baseline, pair.system) == pair.reversed()


def test_what_was_not_compared_is_not_there(table: SegmentStatistics) -> None:
    found = compare(table, baseline_pairs(table.systems, "S1"), test="t")
    assert found.between("S2", "S3") is None
    assert found.between("S1", "S1") is None
    assert found.between("S1", "S2") is not None


def test_no_zero_gets_a_sign() -> None:
    (pair,) = compare(mean_table([[1.0, 2, 4]] * 2), [(1, 0)], resamples=10).pairs
    assert "-" not in str(pair.reversed())


def test_pairs_are_all_or_those_against_a_baseline() -> None:
    assert set(all_pairs(list("abcd"))) == {(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)}
    assert all_pairs(list("a")) == all_pairs([]) == ()
    assert baseline_pairs(list("abc"), "b") == ((0, 1), (2, 1))
    with pytest.raises(SettingsError, match="baseline 'd' found, one of a, b, c expected"):
        baseline_pairs(list("abc"), "d")


@pytest.mark.parametrize("test", TESTS)
def test_where_less_is_better_only_the_verdict_turns(test: Test) -> None:
    pairs = all_pairs(list("abc"))
    up = compare(apart(3, names="abc"), pairs, test=test, seed=3)
    down = compare(apart(3, names="abc", higher_is_better=False), pairs, test=test, seed=3)
    for pair, other in zip(up.pairs, down.pairs, strict=True):
        assert numbers(pair) == numbers(other)
        assert (up.verdict(pair), down.verdict(other)) == (1, -1)
    assert (up.ranked, down.ranked) == (("c", "b", "a"), ("a", "b", "c"))
    assert tiers(up) == (("c",), ("b",), ("a",))
    assert tiers(down) == (("a",), ("b",), ("c",))


# Draws


def test_the_number_of_draws_is_what_was_chosen_or_10_000() -> None:
    assert number_of_draws("bootstrap") == number_of_draws("sacrebleu-bootstrap") == (10_000, 0)
    assert number_of_draws("bootstrap", resamples=7, trials=8) == (7, 0)
    assert number_of_draws("randomization") == (10_000, 10_000)
    assert number_of_draws("randomization", resamples=7, trials=8) == (7, 8)
    assert number_of_draws("t") == (0, 0)


@pytest.mark.parametrize("alpha", [0.05, 0.0005])
@pytest.mark.parametrize("test", DRAWING)
def test_the_number_of_draws_does_not_depend_on_pairs_and_alpha(test: Test, alpha: float) -> None:
    for systems in (2, 15):
        table = apart(systems)
        found = compare(table, all_pairs(table.systems), test=test, alpha=alpha)
        assert (found.resamples, found.trials) == (PAIR_RESAMPLES, 10_000 if test == "randomization" else 0)
        assert found.seed == 12345


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_many_pairs_pass_the_correction(test: Test) -> None:
    table = apart(15)
    found = compare(table, all_pairs(table.systems), test=test)
    assert found.warnings == ()
    assert all(found.verdict(pair) == 1 for pair in found.pairs)
    assert len(tiers(found)) == 15


def test_draws_that_cannot_pass_the_correction_by_sacrebleus_rule_are_warned_of() -> None:
    table = alike()
    cases: list[tuple[int, Correction, int]] = [(119, "holm", 1), (120, "holm", 0), (119, "none", 0)]
    for draws, correction, warned in cases:
        pairs = all_pairs(table.systems)
        found = compare(table, pairs, test="sacrebleu-bootstrap", resamples=draws, correction=correction)
        assert len(found.warnings) == warned
        if warned:
            assert found.warnings[0].startswith("119 draws found, at least 120 recommended")


@pytest.mark.parametrize("test", DRAWING)
def test_draws_are_shared_by_all_pairs(table: SegmentStatistics, test: Test) -> None:
    # Each pair gets what it would get if it were alone.
    together = compare(table, all_pairs(table.systems), test=test, resamples=150, trials=150, correction="none")
    for (k, b), pair in zip(all_pairs(table.systems), together.pairs, strict=True):
        (alone,) = compare(table, [(k, b)], test=test, resamples=150, trials=150, correction="none").pairs
        same(alone, pair)


@pytest.mark.parametrize("test", DRAWING)
def test_the_seed_decides(table: SegmentStatistics, test: Test) -> None:
    found = [
        compare(table, all_pairs(table.systems), test=test, resamples=50, trials=50, seed=seed) for seed in (3, 3, 4)
    ]
    assert found[0].pairs == found[1].pairs
    assert found[0].pairs != found[2].pairs
    assert [compared.seed for compared in found] == [3, 3, 4]


@pytest.mark.parametrize(("test", "total"), [("bootstrap", 70), ("randomization", 170), ("sacrebleu-bootstrap", 70)])
def test_progress_grows_to_the_total(monkeypatch: pytest.MonkeyPatch, test: Test, total: int) -> None:
    monkeypatch.setattr(resampling, "BATCH_CELLS", 32 * 120)
    told: list[tuple[int, int]] = []
    compare(
        alike(), [(1, 0), (2, 0)], test=test, resamples=70, trials=100, progress=lambda *counts: told.append(counts)
    )
    assert {of for _, of in told} == {total}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (total, total)
    assert len(told) > 2


def plainly(
    table: SegmentStatistics, pairs: tuple[tuple[int, int], ...], test: Test, draws: int
) -> list[tuple[float, ...]]:
    """The p-value and interval of each pair, from all differences of all pairs at once."""
    scores = table.score(table.sums())
    observed = np.array([scores[k] - scores[b] for k, b in pairs])
    resampled = resampled_deltas(table, pairs, "bootstrap", draws)
    rules = {"bootstrap": bootstrap_p, "randomization": randomization_p, "sacrebleu-bootstrap": sacrebleu_p}
    drawn = resampled if test != "randomization" else resampled_deltas(table, pairs, "randomization", draws)
    p_values = rules[test](drawn, observed)
    if test != "sacrebleu-bootstrap":
        errors = resampled.std(axis=1, ddof=1) if test == "bootstrap" else np.sqrt(np.square(drawn).mean(axis=1))
        p_values, _ = extrapolated_p(p_values, draws, observed, errors)
    bounds = percentile_intervals(resampled, 0.95)
    return [(p, bound.low, bound.high) for p, bound in zip(p_values.tolist(), bounds, strict=True)]


@pytest.mark.parametrize("at_once", [1, 500, 10**9])
@pytest.mark.parametrize("test", DRAWING)
def test_a_few_pairs_at_a_time_give_the_digits_of_all_at_once(
    table: SegmentStatistics, monkeypatch: pytest.MonkeyPatch, *, test: Test, at_once: int
) -> None:
    monkeypatch.setattr(paired_tests, "BATCH_DELTAS", at_once)
    pairs = all_pairs(table.systems)
    found = compare(table, pairs, test=test, resamples=230, trials=230)
    for pair, expected in zip(found.pairs, plainly(table, pairs, test, 230), strict=True):
        assert (pair.p_value, pair.interval.low, pair.interval.high) == pytest.approx(expected, rel=1e-9)


def test_memory_does_not_grow_with_pairs_and_draws() -> None:
    # 435 pairs of 50,000 draws are 174 MB of differences.
    table = apart(30)
    tracemalloc.start()
    try:
        found = compare(table, all_pairs(table.systems), resamples=50_000)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (found.resamples, len(found.pairs)) == (50_000, 435)
    assert peak < 50e6


@pytest.mark.parametrize("test", DRAWING)
def test_scores_of_resamples_that_are_at_hand_are_not_drawn_again(
    table: SegmentStatistics, monkeypatch: pytest.MonkeyPatch, test: Test
) -> None:
    pairs = all_pairs(table.systems)
    scores = bootstrap_scores(table, 150)
    drawn = compare(table, pairs, test=test, resamples=100, trials=100)
    monkeypatch.setattr(significance, "bootstrap_scores", None)
    given = compare(table, pairs, test=test, resamples=100, trials=100, resampled_scores=scores)
    assert given.pairs == drawn.pairs
    with pytest.raises(ValueError, match="scores of 4 systems found, 5 expected"):
        compare(table, pairs, test=test, resamples=100, trials=1, resampled_scores=scores[1:])


@pytest.mark.parametrize(("test", "total"), [("bootstrap", 10), ("randomization", 100), ("sacrebleu-bootstrap", 10)])
def test_progress_counts_what_is_drawn_or_else_the_pairs(table: SegmentStatistics, test: Test, total: int) -> None:
    told: list[tuple[int, int]] = []
    scores = bootstrap_scores(table, 150)
    compare(
        table,
        all_pairs(table.systems),
        test=test,
        resamples=150,
        trials=100,
        resampled_scores=scores,
        progress=lambda *counts: told.append(counts),
    )
    assert told == sorted(told)
    assert {of for _, of in told} == {total}
    assert told[-1] == (total, total)


def test_too_few_resamples_at_hand_are_drawn_anew(table: SegmentStatistics) -> None:
    drawn = compare(table, [(1, 0)], resamples=100)
    assert compare(table, [(1, 0)], resamples=100, resampled_scores=np.zeros((5, 99))).pairs == drawn.pairs


def test_the_standard_error_is_that_of_the_resampled_differences(table: SegmentStatistics) -> None:
    for test in DRAWING:
        found = compare(table, [(2, 1)], test=test, resamples=80, trials=5).pairs[0]
        drawn = resampled_deltas(table, [(2, 1)], "bootstrap", 80)[0]
        assert found.standard_error == pytest.approx(np.std(drawn, ddof=1), rel=1e-12)
        assert found.reversed().standard_error == found.standard_error
    by_t = compare(table, [(2, 1)], test="t").pairs[0]
    assert by_t.paired_t is not None
    assert by_t.standard_error == by_t.paired_t.standard_error


# Where few draws are as extreme


def tail_of(z: float) -> float:
    return 2 * float(stats.norm.sf(z))


def test_a_bootstrap_p_of_fewer_than_10_draws_is_that_of_the_normal_tail() -> None:
    table = mean_table(np.random.default_rng(5).normal(scale=0.1, size=(3, 120)) + np.array([[0.0], [0.05], [0.04]]))
    pairs = all_pairs(table.systems)
    found = compare(table, pairs, resamples=1000)
    scores = bootstrap_scores(table, 1000)
    kinds: set[bool] = set()
    for pair, (k, b) in zip(found.pairs, pairs, strict=True):
        deltas = scores[k] - scores[b]
        beyond = int((np.abs(deltas - deltas.mean()) >= abs(pair.delta)).sum())
        tail = tail_of(abs(pair.delta) / deltas.std(ddof=1))
        expected = (beyond + 1) / 1001 if beyond >= MIN_EXTREME_DRAWS else min(11 / 1001, tail)
        assert pair.p_value == pytest.approx(expected, rel=1e-9)
        assert pair.extrapolated == isinstance(pair.p_value_adjusted, Approximate) == (beyond < MIN_EXTREME_DRAWS)
        assert pair.reversed().extrapolated == pair.extrapolated
        kinds.add(pair.extrapolated)
    assert kinds == {True, False}


def test_a_p_of_shuffles_is_extrapolated_by_their_own_spread() -> None:
    found = compare(apart(2), [(1, 0)], test="randomization", trials=500)
    shuffled = resampled_deltas(apart(2), [(1, 0)], "randomization", 500)[0]
    (pair,) = found.pairs
    z = abs(pair.delta) / math.sqrt(float(np.square(shuffled).mean()))
    assert pair.extrapolated
    assert pair.p_value == pytest.approx(tail_of(z), rel=1e-9)
    assert pair.p_value > 2.0**-119
    kept = compare(apart(2), [(1, 0)], test="randomization", trials=500, keep_deltas=True).pairs[0]
    assert kept.p_value == pytest.approx(pair.p_value, rel=1e-9)


def test_no_p_of_shuffles_is_below_that_of_the_most_extreme_of_all() -> None:
    # One of two opposite shuffles of 2**14 keeps all segments: too few to be among 500 drawn ten times.
    values = np.stack([np.zeros(14), np.full(14, 1.0)]) + np.random.default_rng(1).normal(scale=0.01, size=(2, 14))
    (pair,) = compare(mean_table(values), [(1, 0)], test="randomization", trials=500).pairs
    assert pair.extrapolated
    assert pair.p_value >= 2.0**-13


def test_a_p_of_few_draws_is_at_most_1_and_never_0() -> None:
    for draws in (1, 5, 9):
        for test in ("bootstrap", "randomization"):
            for table in (alike(), apart(2), mean_table([[1.0] * 120] * 2), mean_table([[1.0] * 120, [2.0] * 120])):
                (pair,) = compare(table, [(1, 0)], test=test, resamples=draws, trials=draws).pairs
                assert 0 < pair.p_value <= 1


def test_a_difference_that_never_varies_has_no_tail() -> None:
    (pair,) = compare(mean_table([[1.0] * 120, [2.0] * 120]), [(1, 0)]).pairs
    assert (pair.p_value, pair.extrapolated) == (11 / 10_001, True)


def test_sacrebleus_rule_is_not_extrapolated() -> None:
    far, near = apart(3), alike()
    for table, bound in ((far, True), (near, False)):
        found = compare(table, all_pairs(table.systems), test="sacrebleu-bootstrap", resamples=1000)
        for pair in (*found.pairs, *(pair.reversed() for pair in found.pairs)):
            assert isinstance(pair.p_value, AtMost) is isinstance(pair.p_value_adjusted, AtMost) is bound
            assert (pair.p_value == 1 / 1001) is bound
            assert not pair.extrapolated


# One comparison per pair


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("groups", [40, *nightly([None])])
def test_a_pair_is_the_same_whatever_else_is_compared(table: SegmentStatistics, test: Test, groups: int | None) -> None:
    of = None if groups is None else documents(groups)
    everything = compare(table, ranked_pairs(table), test=test, groups=of)
    for baseline in table.systems:
        for found in (
            compare(table, baseline_pairs(table.systems, baseline), test=test, groups=of),
            *(
                compare(table.select([baseline, name]), [(1, 0)], test=test, groups=of, alpha=0.001)
                for name in table.systems
                if name != baseline
            ),
        ):
            for pair in found.pairs:
                whole = everything.between(pair.system, pair.baseline)
                assert whole is not None
                assert (pair.delta, pair.p_value, type(pair.p_value)) == (
                    whole.delta,
                    pytest.approx(whole.p_value, rel=1e-12),
                    type(whole.p_value),
                )
                assert [pair.interval.low, pair.interval.high] == pytest.approx(
                    [whole.interval.low, whole.interval.high], rel=1e-12
                )
                assert pair.standard_error == pytest.approx(whole.standard_error, rel=1e-12)


def test_the_family_is_named(table: SegmentStatistics) -> None:
    def family(pairs: Any) -> str:
        return compare(table, pairs, test="t").family

    assert family(all_pairs(table.systems)) == "10 pairs of 5 systems"
    assert family(baseline_pairs(table.systems, "S1")) == "4 pairs with S1"
    assert family([(1, 0)]) == "1 pair"
    assert family([(1, 0), (3, 2)]) == "2 pairs"
    assert family([]) == "0 pairs"
    assert compare(table, [(1, 0)], test="t", correction="none").corrected_for == "none"
    assert family([(1, 0), (0, 1), (2, 0)]) == "3 pairs"


def test_the_p_of_a_t_is_no_bound_and_an_undefined_one_neither() -> None:
    tables: list[tuple[SegmentStatistics, Test]] = [
        (apart(2), "t"),
        (mean_table([[1.0], [2.0]]), "bootstrap"),
        (mean_table([[1.0, math.nan]] * 2), "bootstrap"),
    ]
    for table, test in tables:
        pair = compare(table, [(1, 0)], test=test).pairs[0]
        assert not isinstance(pair.p_value, AtMost)
        assert not isinstance(pair.p_value_adjusted, AtMost)


@pytest.mark.parametrize(("test", "draws"), [("bootstrap", 70), ("randomization", 90)])
def test_what_p_comes_from_is_kept_where_it_is_asked_for(
    table: SegmentStatistics, test: Literal["bootstrap", "randomization"], draws: int
) -> None:
    pairs = all_pairs(table.systems)
    found = compare(table, pairs, test=test, resamples=70, trials=90, keep_deltas=True)
    assert found.deltas is not None
    assert np.array_equal(found.deltas, resampled_deltas(table, pairs, test, draws))
    assert compare(table, pairs, test=test, resamples=70, trials=90).deltas is None


def test_what_draws_nothing_keeps_nothing() -> None:
    assert compare(alike(), [(1, 0)], test="t", keep_deltas=True).deltas is None
    of_one = compare(alike(2, 1), [(1, 0)], keep_deltas=True)
    assert of_one.deltas is not None
    assert of_one.deltas.shape == (1, 0)


class StoppedError(Exception):
    """What a caller raises."""


@pytest.mark.parametrize("test", DRAWING)
def test_progress_can_end_the_work(monkeypatch: pytest.MonkeyPatch, test: Test) -> None:
    monkeypatch.setattr(resampling, "BATCH_CELLS", 32 * 120)
    told: list[int] = []

    def stop(done: int, _total: int) -> None:
        told.append(done)
        raise StoppedError

    with pytest.raises(StoppedError):
        compare(alike(), [(1, 0)], test=test, resamples=70, trials=100, progress=stop)
    assert told == [32]


# Documents


def documents(number: int, segments: int = FEW) -> Blocks:
    """Documents of uneven size, not in one piece."""
    labels = np.random.default_rng(9).integers(0, number, segments)
    labels[:number] = np.arange(number)
    return document_blocks([f"d{label}" for label in labels])


@pytest.mark.parametrize("test", DRAWING)
def test_whole_documents_are_drawn_or_swapped(table: SegmentStatistics, test: Test) -> None:
    groups = documents(40)
    found = compare(table, all_pairs(table.systems), test=test, groups=groups, resamples=200, trials=200)
    of_sums = replace(table, values=table.sums_by_label(groups.labels))
    expected = compare(of_sums, all_pairs(table.systems), test=test, resamples=200, trials=200)
    assert found.pairs == expected.pairs
    assert (found.unit, found.units, found.segments) == ("document", 40, FEW)
    assert found.scores.tolist() == table.score(table.sums()).tolist()


def test_drawing_documents_weighs_their_segments_alike(table: SegmentStatistics) -> None:
    groups = documents(105)
    (pair,) = compare(table, [(1, 0)], groups=groups, resamples=100).pairs
    weights = np.concatenate(list(bootstrap_weights(105, 100)))[:, groups.labels]
    scores = table.score(table.weighted_sums(weights))
    low, high = np.quantile(scores[1] - scores[0], [0.025, 0.975])
    assert (pair.interval.low, pair.interval.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize("test", ["bootstrap", "sacrebleu-bootstrap"])
@pytest.mark.parametrize(("number", "warned"), [(6, True), (29, True), (30, False), (31, False)])
def test_few_documents_are_warned_of(table: SegmentStatistics, test: Test, number: int, *, warned: bool) -> None:
    found = compare(table, [(1, 0)], test=test, groups=documents(number), resamples=200)
    assert bool(found.warnings) == warned
    if warned:
        assert found.warnings[0].startswith(f"{number} documents found, at least 30 recommended")


@pytest.mark.parametrize("test", DRAWING)
@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_nothing_is_concluded_from_fewer_than_6_documents(table: SegmentStatistics, test: Test, number: int) -> None:
    found = compare(table, all_pairs(table.systems), test=test, groups=documents(number), resamples=200, trials=200)
    reason = "only one document" if number == 1 else f"only {number} documents, at least 6 needed"
    for pair in found.pairs:
        assert (pair.reason, found.verdict(pair)) == (reason, 0)
        assert np.isnan([pair.p_value, pair.p_value_adjusted, pair.interval.low, pair.interval.high]).all()
    (warning,) = [warning for warning in found.warnings if "document" in warning]
    assert warning.endswith("found, at least 6 expected: with fewer, there are no intervals and no p-values")
    of_scores = metric_intervals(table, groups=documents(number), resamples=50)
    assert all(math.isnan(interval.low) for interval in of_scores.values())


@pytest.mark.parametrize("units", [6, 8, 10, 20, 30, 60])
def test_of_equal_systems_one_pair_in_twenty_differs_with_few_documents(units: int) -> None:
    pairs = 1000
    scores = np.random.default_rng(units).normal(size=(2 * pairs, 4 * units))
    groups = document_blocks([str(s // 4) for s in range(4 * units)])
    indices = [(2 * n, 2 * n + 1) for n in range(pairs)]
    found = compare(mean_table(scores.tolist()), indices, groups=groups, correction="none")
    different = sum(map(bool, map(found.verdict, found.pairs))) / pairs
    covering = sum(pair.interval.low <= 0 <= pair.interval.high for pair in found.pairs) / pairs
    assert 0.03 < different < 0.07  # three standard errors
    assert covering == 1 - different


@pytest.mark.parametrize("test", ["bootstrap", "randomization"])
def test_with_few_documents_intervals_are_those_of_the_jackknife(table: SegmentStatistics, test: Test) -> None:
    groups = documents(9)
    found = compare(table, [(2, 1)], test=test, groups=groups, trials=200)
    sums = table.sums_by_label(groups.labels)
    left_out = [table.score(np.delete(sums, document, axis=1).sum(axis=1)) for document in range(9)]
    deltas = np.array([scores[2] - scores[1] for scores in left_out])
    error = math.sqrt(8 / 9 * float(((deltas - deltas.mean()) ** 2).sum()))
    (pair,) = found.pairs
    assert (found.method, found.resamples) == ("jackknife", 0)
    assert pair.standard_error == pytest.approx(error, rel=1e-9)
    reach = float(stats.t.ppf(0.975, 8)) * error
    assert [pair.interval.low, pair.interval.high] == pytest.approx([pair.delta - reach, pair.delta + reach])
    if test == "bootstrap":
        assert pair.p_value == pytest.approx(2 * stats.t.sf(abs(pair.delta) / error, 8))


def test_of_a_mean_the_jackknife_is_the_paired_t() -> None:
    values = np.random.default_rng(3).normal(size=(2, 12))
    found = compare(mean_table(values), [(1, 0)])
    theirs = stats.ttest_rel(values[1], values[0])
    bounds = theirs.confidence_interval(0.95)
    (pair,) = found.pairs
    assert pair.p_value == pytest.approx(theirs.pvalue)
    assert [pair.interval.low, pair.interval.high] == pytest.approx([bounds.low, bounds.high])
    assert found.resampled == "12 segments, each left out once"


@pytest.mark.parametrize("number", range(1, 130))
def test_numbers_between_have_the_method_of_the_next_smaller_one(number: int) -> None:
    below = [at for at in METHODS if at <= number]
    assert method_for(number) == (METHODS[max(below)] if below else None)


def test_a_difference_without_variance_has_no_p_with_few_units() -> None:
    (pair,) = compare(mean_table([[1.0] * 8, [2.0] * 8]), [(1, 0)]).pairs
    assert math.isnan(pair.p_value)
    assert pair.reason == "no variance"


def test_few_documents_have_no_t_either(table: SegmentStatistics) -> None:
    found = compare(table, [(1, 0)], test="t", groups=documents(5))
    (pair,) = found.pairs
    assert pair.reason == "only 5 documents, at least 6 needed"
    assert np.isnan([pair.p_value, pair.interval.low, pair.interval.high]).all()
    assert pair.paired_t is not None
    assert not math.isnan(pair.paired_t.mean_difference)
    assert found.verdict(pair) == 0
    assert found.warnings[0].startswith("5 documents found, at least 6 expected")
    assert not math.isnan(compare(table, [(1, 0)], test="t", groups=equal_blocks(FEW, 5)).pairs[0].p_value)


def test_documents_as_blocks_of_t_need_no_warning(table: SegmentStatistics) -> None:
    assert compare(table, [(1, 0)], test="t", groups=documents(6)).warnings == ()


@pytest.mark.parametrize("test", DRAWING)
@pytest.mark.parametrize(("number", "warned"), [(6, True), (29, True), (30, False)])
def test_few_segments_are_warned_of_as_few_documents_are(test: Test, number: int, *, warned: bool) -> None:
    warnings = compare(alike(2, number), [(1, 0)], test=test).warnings
    assert any(f"{number} segments found, at least 30 recommended" in warning for warning in warnings) == warned


@pytest.mark.parametrize(
    ("units", "systems", "correction", "possible"),
    [
        (6, 2, "holm", True),  # 2 of 2**6 swaps are .031
        (6, 3, "holm", False),  # three times that
        (6, 3, "none", True),
        (7, 3, "holm", True),  # .047
        (7, 4, "holm", False),  # six pairs
    ],
)
def test_so_few_swaps_that_nothing_can_be_significant_are_warned_of(
    *, units: int, systems: int, correction: Correction, possible: bool
) -> None:
    table = apart(systems, units)
    found = compare(table, all_pairs(table.systems), test="randomization", correction=correction, trials=100_000)
    assert any(found.verdict(pair) for pair in found.pairs) == possible
    assert any("no difference can be significant" in warning for warning in found.warnings) == (not possible)


def test_groups_of_another_text_are_refused(table: SegmentStatistics) -> None:
    for test in TESTS:
        for segments in (FEW - 1, FEW + 1):
            with pytest.raises(ValueError, match=f"{segments} labels found, {FEW} expected"):
                compare(table, [(1, 0)], test=test, groups=equal_blocks(segments, 3))


def test_an_unknown_test_or_correction_is_refused(table: SegmentStatistics) -> None:
    unknown: Any = "z"
    with pytest.raises(SettingsError, match=r"test 'z' found, one of bootstrap, .* expected"):
        compare(table, [(1, 0)], test=unknown)
    with pytest.raises(SettingsError, match=r"correction 'z' found, one of holm, .* expected"):
        compare(table, [(1, 0)], test="t", correction=unknown)


def test_segments_as_documents_change_nothing_but_the_unit(table: SegmentStatistics) -> None:
    each = document_blocks([str(s) for s in range(table.segments)])
    pairs = all_pairs(table.systems)
    assert compare(table, pairs, groups=each).pairs == compare(table, pairs).pairs


def test_documents_that_sway_together_widen_the_interval() -> None:
    # Each of 40 documents of ten segments has a difference of its own.
    generator = np.random.default_rng(11)
    values = generator.normal(size=(2, 400))
    values[1] += np.repeat(generator.normal(scale=2, size=40), 10)
    table, groups = mean_table(values), equal_blocks(400, 40)
    by_segment, by_document = (
        compare(table, [(1, 0)], groups=g).pairs[0] for g in (None, replace(groups, unit="document"))
    )
    assert width(by_document.interval) > 1.5 * width(by_segment.interval)


def width(interval: Interval) -> float:
    return interval.high - interval.low


# In words


def test_what_was_done_in_words(table: SegmentStatistics) -> None:
    groups = documents(110)
    found = {test: compare(table, [(1, 0)], test=test, groups=groups, resamples=1234, trials=4321) for test in TESTS}
    assert found["bootstrap"].resampled == "1,234 resamples of 110 documents with replacement"
    assert found["sacrebleu-bootstrap"].resampled == found["bootstrap"].resampled
    assert "4,321 random swaps" in found["randomization"].resampled
    assert "110 documents" in found["t"].resampled
    assert "1 segment with" in compare(alike(2, 1), [(1, 0)]).resampled
    for test, compared in found.items():
        assert ("document" if test in ("randomization", "t") else "all texts") in compared.null_hypothesis
        assert compared.test == test
    assert len({compared.null_hypothesis for compared in found.values()}) == 3


# Corrections


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("test", TESTS)
def test_pairs_are_corrected_together(table: SegmentStatistics, test: Test, correction: Correction) -> None:
    found = compare(table, all_pairs(table.systems), test=test, correction=correction, resamples=99, trials=99)
    raw = np.array([pair.p_value for pair in found.pairs])
    assert [pair.p_value_adjusted for pair in found.pairs] == adjust(raw, correction).tolist()
    assert found.correction == correction


def pair_of(system: str, baseline: str, delta: float, adjusted: float) -> Comparison:
    return Comparison(
        system=system,
        baseline=baseline,
        delta=delta,
        interval=Interval(-1, 1, 0.95),
        p_value=adjusted / 2,
        p_value_adjusted=adjusted,
    )


def made(scores: Mapping[str, float], different: set[str], *, higher_is_better: bool = True) -> Comparisons:
    """All pairs of systems with names of one letter, of which those named in two letters are different."""
    names = tuple(scores)
    pairs = tuple(
        pair_of(
            names[k],
            names[b],
            scores[names[k]] - scores[names[b]],
            0.01 if different & {names[k] + names[b], names[b] + names[k]} else 0.2,
        )
        for k, b in all_pairs(names)
    )
    return Comparisons(
        test="bootstrap",
        systems=names,
        scores=np.array(list(scores.values()), np.float64),
        pairs=pairs,
        higher_is_better=higher_is_better,
        unit="segment",
        units=100,
        segments=100,
        resamples=1000,
        trials=0,
        seed=1,
        correction="holm",
        alpha=0.05,
    )


def test_a_verdict_needs_a_p_below_alpha_after_correction() -> None:
    found = made({"a": 30, "b": 20}, set())
    for adjusted, expected in ((0.049, -1), (0.0501, 0), (1, 0), (math.nan, 0)):
        assert found.verdict(pair_of("b", "a", -10, adjusted)) == expected
        assert found.verdict(pair_of("a", "b", 10, adjusted)) == -expected
    stricter = replace(found, alpha=0.01)
    assert stricter.verdict(pair_of("b", "a", -10, 0.02)) == 0


def test_an_interval_that_touches_or_spans_zero_leaves_the_sign_open() -> None:
    pair = pair_of("a", "b", 1, 0.01)
    for low, high, spans in ((-1, 1, True), (0, 1, True), (-1, 0, True), (0.1, 1, False), (-1, -0.1, False)):
        assert replace(pair, interval=Interval(low, high, 0.95)).spans_zero == spans
    assert replace(pair, interval=Interval(math.nan, math.nan, 0.95)).spans_zero


# Tiers

FOUR = {"a": 40.0, "b": 30.0, "c": 20.0, "d": 10.0}
ALL = {"ab", "ac", "ad", "bc", "bd", "cd"}


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        (ALL, ("a", "b", "c", "d")),
        (set(), ("abcd",)),
        (ALL - {"bc"}, ("a", "bc", "d")),
        (ALL - {"ab", "cd"}, ("ab", "cd")),
        # a beats b, but a line below a needs a to beat all below: d is not told from a.
        (ALL - {"ad"}, ("abcd",)),
        # b is told from c, but not from d, nor a from c: no line between b and c, none between c and d.
        (ALL - {"ac", "bd"}, ("abcd",)),
        (ALL - {"bd"}, ("a", "bcd")),
        (ALL - {"ac"}, ("abc", "d")),
        ({"ab", "bc", "cd"}, ("abcd",)),
    ],
)
def test_a_line_stands_where_every_system_above_beats_every_system_below(
    different: set[str], expected: tuple[str, ...]
) -> None:
    assert tiers(made(FOUR, different)) == tuple(tuple(tier) for tier in expected)
    # The order in which systems came does not matter, and for TER all is the other way round.
    mixed = {name: FOUR[name] for name in "cadb"}
    assert tiers(made(mixed, different)) == tuple(tuple(tier) for tier in expected)
    turned = {name: 100 - score for name, score in mixed.items()}
    assert tiers(made(turned, different, higher_is_better=False)) == tuple(tuple(tier) for tier in expected)


@pytest.mark.parametrize(
    ("different", "expected"),
    [
        (ALL, {"a": 3, "b": 2, "c": 1, "d": 0}),
        (set(), {"a": 0, "b": 0, "c": 0, "d": 0}),
        (ALL - {"ab", "cd"}, {"a": 2, "b": 2, "c": 0, "d": 0}),
        ({"ad"}, {"a": 1, "b": 0, "c": 0, "d": 0}),
    ],
)
def test_how_many_systems_each_system_beats(different: set[str], expected: dict[str, int]) -> None:
    assert list(systems_beaten(made(FOUR, different)).items()) == list(expected.items())
    turned = {name: 100 - score for name, score in FOUR.items()}
    assert systems_beaten(made(turned, different, higher_is_better=False)) == expected


def test_how_many_systems_are_beaten_does_not_depend_on_the_direction_of_pairs() -> None:
    there, back = (
        systems_beaten(compare(apart(3, names="abc"), pairs))
        for pairs in (all_pairs(list("abc")), [(0, 1), (1, 0), (0, 2), (1, 2)])
    )
    assert there == back == {"c": 2, "b": 1, "a": 0}


def test_equal_systems_are_ranked_by_name() -> None:
    for higher_is_better in (True, False):
        found = made({"c": 20, "a": 20, "b": 20}, set(), higher_is_better=higher_is_better)
        assert found.ranked == ("a", "b", "c")
        assert tiers(found) == (("a", "b", "c"),)


@pytest.mark.parametrize("test", TESTS)
def test_ranked_pairs_are_all_pairs_with_the_better_system_first(table: SegmentStatistics, test: Test) -> None:
    found = compare(table, ranked_pairs(table), test=test, resamples=20, trials=20)
    assert found.complete
    assert all(pair.delta >= 0 for pair in found.pairs)
    assert [(pair.system, pair.baseline) for pair in found.pairs] == list(combinations(found.ranked, 2))


def test_a_system_alone_is_a_tier() -> None:
    assert tiers(compare(alike(1), [])) == (("s0",),)


@pytest.mark.parametrize("pairs", [[(1, 0), (2, 0)], [(1, 0), (0, 1), (2, 0)], []])
def test_tiers_need_all_pairs(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="pairs"):
        tiers(compare(alike(3), pairs, test="t"))


def test_tiers_take_pairs_in_any_direction() -> None:
    found = compare(apart(3, names="abc"), [(0, 1), (2, 0), (1, 2)])
    assert tiers(found) == (("c",), ("b",), ("a",))


def test_the_t_is_judged_by_the_mean_difference_it_tested() -> None:
    # Corpus scores weigh blocks by their length, t does not: they can point in opposite directions.
    values = np.array([[0.0] * 40, [1.0] * 19 + [-1.0] * 21])
    values[1] += np.random.default_rng(3).normal(scale=0.01, size=40)
    groups = document_blocks([f"d{s}" for s in range(19)] + ["long"] * 21)
    found = compare(mean_table(values), [(1, 0)], test="t", groups=groups)
    (pair,) = found.pairs
    assert pair.delta < 0
    assert pair.p_value < 0.05
    assert found.verdict(pair) == 1
    assert found.verdict(pair.reversed()) == -1


# Odd cases


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(("values", "groups"), [([[1.0], [3.0]], None), ([[1.0, 0, 2], [3.0, 2, 4]], documents(1, 3))])
def test_one_segment_or_document_shows_nothing(test: Test, values: list[list[float]], groups: Blocks | None) -> None:
    found = compare(mean_table(values), [(1, 0)], test=test, groups=groups)
    (pair,) = found.pairs
    assert pair.delta == 2
    assert pair.reason == f"only one {found.unit}"
    assert np.isnan([pair.p_value, pair.p_value_adjusted, pair.interval.low, pair.interval.high]).all()
    assert pair.reversed().reason == pair.reason
    assert pair.spans_zero
    assert found.verdict(pair) == 0
    assert tiers(found) == (("s1", "s0"),)


@pytest.mark.parametrize("test", TESTS)
def test_a_system_alone_has_no_pair(test: Test) -> None:
    found = compare(alike(1), [], test=test)
    assert found.pairs == ()
    assert found.ranked == ("s0",)


@pytest.mark.parametrize("test", TESTS)
def test_systems_that_score_zero_or_say_nothing_do_not_differ(test: Test) -> None:
    corpus = Corpus({"A": ("x y z", "x") * 3, "B": ("", "") * 3, "C": ("y", " ") * 3}, {"R": ("a b c", "d") * 3})
    found = compare(evaluate(corpus, WORDS).statistics, all_pairs(list("ABC")), test=test, resamples=20, trials=20)
    for pair in found.pairs:
        assert (pair.delta, found.verdict(pair)) == (0, 0)
        if test in {"bootstrap", "randomization"}:
            assert pair.p_value == 1
            assert (pair.interval.low, pair.interval.high) == (0, 0)


@pytest.mark.parametrize("test", TESTS)
@settings(max_examples=20)
@given(texts=corpora(fewest_systems=2), draws=st.integers(1, 40), seed=st.integers(0, 2**64))
def test_whatever_the_corpus_p_is_a_probability(test: Test, texts: Texts, draws: int, seed: int) -> None:
    table = evaluate(texts.corpus, WORDS).statistics
    pairs = all_pairs(table.systems)
    found = compare(table, pairs, test=test, resamples=draws, trials=draws, seed=seed)
    for pair in found.pairs:
        if pair.reason:
            assert math.isnan(pair.p_value)
            continue
        assert 0 < pair.p_value <= pair.p_value_adjusted <= 1
        assert pair.interval.low <= pair.interval.high
        if test == "sacrebleu-bootstrap":
            assert pair.p_value >= 1 / (draws + 1)
    everyone = {system for tier in tiers(found) for system in tier}
    assert everyone == set(table.systems)


@pytest.mark.parametrize("test", DRAWING)
def test_identical_systems_are_one_tier_and_have_an_empty_interval(test: Test) -> None:
    table = mean_table([[0.1, 0.7, 0.3, 0.4] * 2] * 3)
    found = compare(table, all_pairs(table.systems), test=test)
    assert tiers(found) == (("s0", "s1", "s2"),)
    assert {(pair.interval.low, pair.interval.high) for pair in found.pairs} == {(0, 0)}


@pytest.mark.parametrize("test", TESTS)
def test_numbers_out_of_their_range_are_refused(test: Test) -> None:
    options: list[dict[str, Any]] = [
        {"resamples": 0},
        {"trials": -1},
        {"alpha": 0},
        {"alpha": 1},
        {"alpha": math.nan},
        {"seed": -1},
    ]
    for option in options:
        with pytest.raises(SettingsError, match="found"):
            compare(alike(), [(1, 0)], test=test, **option)
    with pytest.raises(SettingsError, match="no segment"):
        compare(alike(2, 0), [(1, 0)], test=test)


# Intervals of scores


def test_intervals_of_scores_are_quantiles_of_resampled_corpora(evaluation: BleuEvaluation) -> None:
    # Each resample is written out as a corpus and scored as one.
    resamples = 25
    drawn = np.random.default_rng(12345).integers(0, FEW, (resamples, FEW))
    found = score_intervals(evaluation, resamples=resamples)
    scores = [
        evaluate(
            Corpus(
                {name: tuple(texts[s] for s in row) for name, texts in CORPUS.systems.items()},
                {name: tuple(texts[s] for s in row) for name, texts in CORPUS.references.items()},
            )
        ).scores
        for row in drawn
    ]
    for k, system in enumerate(evaluation.systems):
        bounds = np.quantile([of.score[k] for of in scores], [0.025, 0.975])
        assert [found.scores[system].low, found.scores[system].high] == pytest.approx(bounds.tolist())
        for n, of_order in enumerate(found.precisions[system]):
            bounds = np.quantile([of.precisions[k, n] for of in scores], [0.025, 0.975])
            assert [of_order.low, of_order.high] == pytest.approx(bounds.tolist())


def test_every_score_and_precision_lies_in_its_interval(evaluation: BleuEvaluation) -> None:
    found = score_intervals(evaluation)
    assert tuple(found.scores) == tuple(found.precisions) == evaluation.systems
    assert found.resamples == 1000
    for k, system in enumerate(evaluation.systems):
        assert found.scores[system].low < evaluation.scores.score[k] < found.scores[system].high
        assert len(found.precisions[system]) == evaluation.settings.max_order
        for n, interval in enumerate(found.precisions[system]):
            assert interval.low < evaluation.scores.precisions[k, n] < interval.high


def test_more_confidence_makes_wider_intervals(evaluation: BleuEvaluation) -> None:
    usual, wider = (score_intervals(evaluation, confidence=confidence) for confidence in (0.95, 0.99))
    for system in evaluation.systems:
        assert wider.scores[system].confidence == 0.99
        assert wider.scores[system].low < usual.scores[system].low
        assert wider.scores[system].high > usual.scores[system].high
        for one, other in zip(usual.precisions[system], wider.precisions[system], strict=True):
            assert width(one) < width(other)


def test_intervals_follow_the_settings() -> None:
    evaluation = evaluate(CORPUS, BleuSettings(max_order=2))
    found = score_intervals(evaluation, resamples=30)
    assert {len(of_orders) for of_orders in found.precisions.values()} == {2}
    bare = score_intervals(evaluate(Corpus({"A": ("", "") * 3}, {"R": ("a", "") * 3})), resamples=3)
    assert (bare.scores["A"].low, bare.scores["A"].high) == (0, 0)


@pytest.mark.parametrize("segments", [1, 5])
def test_few_segments_have_no_interval(table: SegmentStatistics, segments: int) -> None:
    alone = score_intervals(evaluate(Corpus({"A": ("a b c",) * segments}, {"R": ("a b d",) * segments})), resamples=9)
    found = [alone.scores["A"], *alone.precisions["A"], *metric_intervals(mean_table([[1.0]]), resamples=9).values()]
    found += metric_intervals(table, groups=documents(1), resamples=9).values()
    assert len(found) == 6 + len(table.systems)
    assert all(math.isnan(interval.low) and math.isnan(interval.high) for interval in found)


@pytest.mark.parametrize("option", [{"resamples": 0}, {"confidence": 0}, {"confidence": 1.5}, {"seed": -1}])
def test_intervals_of_scores_refuse_numbers_out_of_their_range(evaluation: BleuEvaluation, option: Any) -> None:
    with pytest.raises(SettingsError, match="found"):
        score_intervals(evaluation, **option)


def test_intervals_of_any_metric_are_those_of_bleu_for_bleu(evaluation: BleuEvaluation) -> None:
    assert metric_intervals(evaluation.statistics, resamples=80) == score_intervals(evaluation, resamples=80).scores


def test_intervals_of_any_metric_can_draw_documents(table: SegmentStatistics) -> None:
    groups = documents(30)
    scores = bootstrap_scores(table.grouped(groups.labels), 90)
    found = metric_intervals(table, groups=groups, resamples=90)
    assert tuple(found) == table.systems
    for of_system, interval in zip(scores, found.values(), strict=True):
        bounds = np.quantile(of_system, [0.025, 0.975])
        assert (interval.low, interval.high) == (pytest.approx(bounds[0]), pytest.approx(bounds[1]))


def test_progress_of_intervals_grows_to_the_total(monkeypatch: pytest.MonkeyPatch, evaluation: BleuEvaluation) -> None:
    monkeypatch.setattr(resampling, "BATCH_CELLS", 32 * FEW)
    for call in (score_intervals, lambda of, **options: metric_intervals(of.statistics, **options)):
        told: list[tuple[int, int]] = []
        call(evaluation, resamples=70, progress=lambda *counts: told.append(counts))  # noqa: B023 # called at once
        assert told == [(32, 70), (64, 70), (70, 70)]


def test_the_level_is_5_percent_unless_said_otherwise() -> None:
    assert ALPHA == compare(alike(), [(1, 0)], test="t").alpha == 0.05
