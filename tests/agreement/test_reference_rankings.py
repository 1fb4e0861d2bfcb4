"""The order of systems with each reference: scores, ranks, Kendall's tau, agreement with raters and advantages."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from diagnostics.material import drawn_set, material, reworded
from judged import table
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER
from scipy import stats

from bleu_core.agreement import ReferenceRankings, rank_by_reference
from bleu_core.arrays import Floats, Integers
from bleu_core.diagnostics import DiagnosticInput
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import document_blocks

SYSTEMS, SEGMENTS = 5, 150


def ranked_by(texts: DiagnosticInput, name: str = "bleu", **options: Any) -> ReferenceRankings:
    """Rank the systems of a test's texts with each of their references."""
    return rank_by_reference(texts.corpus, texts.evaluation, texts.judgments, name=name, **options)


def drawn(number: int = 3) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Systems, and references of which the second is close to the system S3."""
    systems, first = drawn_set(systems=SYSTEMS, segments=SEGMENTS)
    generator = random.Random(5)
    references = {"A": first, "B": [reworded(line, generator, 0.3) for line in systems["S3"]]}
    for name in "CDE"[: number - 2]:
        references[name] = [reworded(line, generator, 0.3) for line in first]
    return systems, references


@pytest.fixture(scope="module")
def texts() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    return drawn()


@pytest.fixture(scope="module")
def of_three(texts: tuple[dict[str, list[str]], dict[str, list[str]]]) -> DiagnosticInput:
    return material(*texts)


@pytest.fixture(scope="module")
def ranked(of_three: DiagnosticInput) -> ReferenceRankings:
    return ranked_by(of_three)


def test_scores_with_each_reference_are_those_of_sacrebleu(
    texts: tuple[dict[str, list[str]], dict[str, list[str]]], ranked: ReferenceRankings
) -> None:
    systems, references = texts
    for one in (*ranked.rankings, ranked.together):
        used = [text for name, text in references.items() if one.reference in (None, name)]
        expected = [BLEU().corpus_score(output, used).score for output in systems.values()]
        np.testing.assert_allclose(one.scores, expected, atol=1e-9)
        assert list(one.ranks) == stats.rankdata([-score for score in expected], method="min").tolist()


def test_another_metric_ranks_the_lowest_score_first_where_lower_is_better(
    texts: tuple[dict[str, list[str]], dict[str, list[str]]],
) -> None:
    systems, references = ({name: lines[:12] for name, lines in some.items()} for some in texts)
    found = ranked_by(material(systems, references), "ter")
    expected = [TER().corpus_score(output, [references["B"]]).score for output in systems.values()]
    with_b = found.rankings[1]
    np.testing.assert_allclose(with_b.scores, expected, atol=1e-9)
    assert list(with_b.ranks) == stats.rankdata(expected, method="min").tolist()
    largest = max(found.advantages, key=lambda one: one.points)
    assert (largest.system, largest.reference) == ("S3", "B")


def test_tau_of_each_two_rankings_is_scipys(ranked: ReferenceRankings) -> None:
    rankings = {one.reference: one.scores for one in (*ranked.rankings, ranked.together)}
    expected = [("A", "B"), ("A", "C"), ("B", "C"), ("A", None), ("B", None), ("C", None)]
    assert [(pair.reference, pair.other) for pair in ranked.pairs] == expected
    for pair in ranked.pairs:
        x, y = rankings[pair.reference], rankings[pair.other]
        assert pair.kendall.coefficient == pytest.approx(stats.kendalltau(x, y).statistic)
        swapped = [(x[i] - x[j]) * (y[i] - y[j]) < 0 for i, j in combinations(range(SYSTEMS), 2)]
        assert (pair.reversed_pairs, pair.pairs) == (sum(swapped), len(swapped))


def test_advantages_are_the_residuals_of_an_additive_model(ranked: ReferenceRankings) -> None:
    scores = np.stack([one.scores for one in ranked.rankings])
    rows = [
        [r == 0, r == 1, r == 2, *(k == i for i in range(1, SYSTEMS))] for r, k in product(range(3), range(SYSTEMS))
    ]
    design = np.array(rows, float)
    fitted = design @ np.linalg.lstsq(design, scores.ravel(), rcond=None)[0]
    residuals = (scores.ravel() - fitted).reshape(scores.shape)
    for one in ranked.advantages:
        r, k = ranked.references.index(one.reference), ranked.systems.index(one.system)
        assert one.points == pytest.approx(residuals[r, k], abs=1e-9)


def _drawn_advantages(found: ReferenceRankings, labels: Integers, draws: int = 1500) -> Floats:
    """(draws, R, K) advantages of texts drawn from the units, which segments belong to, each scored anew."""
    units = int(labels.max()) + 1
    weights = np.random.default_rng(3).multinomial(units, [1 / units] * units, size=draws)[:, labels]
    tables = [one.scored.statistics for one in found.rankings]
    scores = np.stack([table.score(table.weighted_sums(weights)).T for table in tables], axis=1)
    return scores - scores.mean(1, keepdims=True) - scores.mean(2, keepdims=True) + scores.mean((1, 2), keepdims=True)


@pytest.mark.parametrize(("unit", "segments"), [("segment", 1), ("document", 3)])
def test_standard_errors_are_those_of_a_bootstrap(of_three: DiagnosticInput, unit: str, segments: int) -> None:
    blocks = document_blocks([f"d{n // segments}" for n in range(SEGMENTS)])
    found = ranked_by(of_three, documents=blocks if unit == "document" else None)
    assert (found.unit, found.units) == (unit, SEGMENTS // segments)
    deviations = _drawn_advantages(found, blocks.labels).std(axis=0)
    for one in found.advantages:
        r, k = found.references.index(one.reference), found.systems.index(one.system)
        assert one.error == pytest.approx(deviations[r, k], rel=0.12)
        assert one.interval.high - one.interval.low == pytest.approx(2 * stats.norm.ppf(0.975) * one.error)
        assert one.p_value == pytest.approx(2 * stats.norm.sf(abs(one.points / one.error)))


def test_the_system_that_a_reference_was_made_of_has_the_largest_advantage(ranked: ReferenceRankings) -> None:
    favoured = ranked.favoured[0]
    assert (favoured.system, favoured.reference) == ("S3", "B")
    assert favoured.p_value_adjusted < 0.001
    assert ranked.rankings[1].leaders == ("S3",)


def test_p_values_are_corrected_for_all_cells_but_those_of_two_references_for_one_of_each() -> None:
    systems, references = drawn(number=2)
    found = ranked_by(material(systems, references))
    assert found.tests == SYSTEMS
    for first, second in zip(found.advantages[::2], found.advantages[1::2], strict=True):
        assert first.points == pytest.approx(-second.points)
        assert first.p_value_adjusted == second.p_value_adjusted
    smallest = min(found.advantages, key=lambda one: one.p_value)
    assert smallest.p_value_adjusted == pytest.approx(min(1, SYSTEMS * smallest.p_value))
    of_two = {name: systems[name] for name in ("S0", "S1")}
    assert ranked_by(material(of_two, references)).tests == 1


def test_three_references_count_all_cells(ranked: ReferenceRankings) -> None:
    assert ranked.tests == 3 * SYSTEMS
    smallest = min(ranked.advantages, key=lambda one: one.p_value)
    assert smallest.p_value_adjusted == pytest.approx(min(1, 3 * SYSTEMS * smallest.p_value))


def test_equal_references_favour_no_system() -> None:
    systems, references = drawn(number=2)
    found = ranked_by(material(systems, {"A": references["A"], "B": references["A"]}))
    assert all(one.points == pytest.approx(0) for one in found.advantages)
    assert all(one.reason and np.isnan(one.p_value) for one in found.advantages)
    assert found.favoured == ()
    assert found.alone[0].kendall.coefficient == 1


def test_agreement_with_raters_is_scipys_and_without_the_unrated_and_the_humans() -> None:
    systems, references = drawn(number=2)
    means = (1.0, 5.0, 2.0, 4.0)  # S4 is not rated
    rated = table(*((segment, f"S{k}", "x", mean, None) for k, mean in enumerate(means) for segment in (1, 2)))
    of_all = material(systems, references, judgments=rated)
    for without, kept in (((), [0, 1, 2, 3]), (("S1",), [0, 2, 3])):
        found = ranked_by(of_all, without=without)
        assert found.systems == tuple(f"S{k}" for k in range(SYSTEMS) if f"S{k}" not in without)
        assert [one.system for one in found.excluded] == list(without)
        for one in (*found.rankings, found.together):
            assert one.agreement is not None
            assert one.agreement.systems == tuple(f"S{k}" for k in kept)
            x = one.scores[[found.systems.index(f"S{k}") for k in kept]]
            y = [means[k] for k in kept]
            assert one.agreement.kendall.coefficient == pytest.approx(stats.kendalltau(x, y).statistic)
            assert one.agreement.pearson.coefficient == pytest.approx(stats.pearsonr(x, y).statistic)
    none_rated = material(systems, references, judgments=table((1, "other", "x", 1.0, None)))
    assert ranked_by(none_rated).together.agreement is None


def test_systems_that_are_a_reference_are_left_out() -> None:
    systems, references = drawn(number=2)
    found = ranked_by(material({**systems, "copy": references["A"]}, references))
    assert found.systems == tuple(systems)
    assert [(one.system, one.reason) for one in found.excluded] == [("copy", "identical to the reference A")]
    assert found.advantages == ranked_by(material(systems, references)).advantages


def test_a_reference_that_lacks_segments_counts_in_all_together_only() -> None:
    systems, references = drawn()
    partial: list[str | None] = [None, None, *references["C"][2:]]
    found = ranked_by(material(systems, {**references, "C": partial}))
    assert (found.references, found.incomplete) == (("A", "B"), {"C": 2})
    assert found.together.scored.signature.startswith("nrefs:var")
    with pytest.raises(AlignmentError, match=r"1 reference with all segments found, at least 2 .*C lacks 2 of 150"):
        ranked_by(material(systems, {"A": references["A"], "C": partial}))


@pytest.mark.parametrize(
    ("systems", "references", "message"),
    [
        (2, 1, "1 reference in use, at least 2 expected; add another"),
        (1, 2, "1 system found, at least 2 expected$"),
    ],
)
def test_too_little_to_compare_is_refused(systems: int, references: int, message: str) -> None:
    outputs, texts = drawn(number=2)
    few = {name: outputs[name] for name in list(outputs)[:systems]}
    with pytest.raises(AlignmentError, match=message):
        ranked_by(material(few, {name: texts[name] for name in list(texts)[:references]}))


def test_two_systems_have_no_tau_with_a_reason() -> None:
    systems, references = drawn(number=2)
    found = ranked_by(material({name: systems[name] for name in ("S0", "S3")}, references))
    assert found.alone[0].kendall.reason == "2 systems, at least 3 needed"
    assert np.isnan(found.alone[0].kendall.coefficient)


def test_few_units_are_warned_of(of_three: DiagnosticInput, ranked: ReferenceRankings) -> None:
    assert ranked.warnings == ()
    blocks = document_blocks([f"d{n // 25}" for n in range(SEGMENTS)])
    few = ranked_by(of_three, documents=blocks)
    (warning,) = few.warnings
    assert warning.startswith("6 documents found, at least 30 recommended")
    assert all(0 < one.p_value <= 1 for one in few.advantages)
    assert [one.interval.low < one.points < one.interval.high for one in few.advantages]


def test_fewer_than_6_units_have_no_standard_errors(of_three: DiagnosticInput) -> None:
    blocks = document_blocks([f"d{n // 30}" for n in range(SEGMENTS)])
    few = ranked_by(of_three, documents=blocks)
    assert few.warnings == (
        "5 documents found, at least 6 expected: with fewer, there are no intervals and no p-values",
    )
    assert {one.reason for one in few.advantages} == {"only 5 documents, at least 6 needed"}
    assert all(np.isnan([one.p_value, one.error]).all() for one in few.advantages)
    assert few.favoured == ()


def test_a_level_out_of_range_is_refused(of_three: DiagnosticInput) -> None:
    with pytest.raises(SettingsError, match="alpha 1 found"):
        ranked_by(of_three, alpha=1)
