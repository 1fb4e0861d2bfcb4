"""Slices compared: each as if it were the whole text, p-values corrected over slices, and their variation tested."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
import sample
from scipy import stats

from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.fields import Approximate, AtMost
from bleu_core.inference import adjust, compare, document_blocks, resampled_deltas
from bleu_core.scoring import SegmentStatistics, evaluate, score_metric
from bleu_core.slicing import SlicesCompared, SliceTests, compare_slices, heterogeneity
from bleu_core.slicing.heterogeneity import slice_variances, variation

SEGMENTS = 240
PAIRS = ((1, 0), (2, 0))
RESAMPLES = 200


@cache
def table(key: str = "bleu") -> SegmentStatistics:
    whole = sample.corpus().subset(range(SEGMENTS))
    corpus = Corpus({name: whole.systems[name] for name in ("S1", "S2", "S3")}, {"R1": whole.references["R1"]})
    return score_metric(corpus, evaluate(corpus), key).statistics


def documents(size: int = 8) -> list[str]:
    return [f"d{segment // size}" for segment in range(SEGMENTS)]


def thirds() -> list[str]:
    """Labels that documents share."""
    return [["news", "talks", "mail"][segment * 3 // SEGMENTS] for segment in range(SEGMENTS)]


def compared(labels: list[str], **options: object) -> SlicesCompared:
    given: dict[str, Any] = {"resamples": RESAMPLES, "trials": 99} | options
    of_text = {name: given.pop(name) for name in ("order", "documents", "progress") if name in given}
    return compare_slices(table(), labels, PAIRS, tests=SliceTests(**given), **of_text)


def rows(found: SegmentStatistics) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return found.values.astype(np.float64)


def null_labels(number: int = 4) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.arange(SEGMENTS) * 7 % number


def q_by_hand(labels: np.ndarray[tuple[int], np.dtype[np.int64]], system: int, baseline: int) -> float:
    """Cochran's Q with standard errors of the bootstrap itself."""
    deltas, weights = [], []
    for label in range(labels.max() + 1):
        part = replace(table(), values=table().values[:, labels == label])
        scores = part.score(part.sums())
        deltas.append(scores[system] - scores[baseline])
        drawn = resampled_deltas(part, [(system, baseline)], "bootstrap", 4000)
        weights.append(1 / drawn.var())
    mean = np.average(deltas, weights=weights)
    return float(np.dot(weights, (np.array(deltas) - mean) ** 2))


# --- slices -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("whole_documents", [False, True])
def test_each_slice_is_compared_as_if_it_were_the_whole_text(*, whole_documents: bool) -> None:
    found = compared(thirds(), documents=documents(), whole_documents=whole_documents)
    assert [one.label for one in found.slices] == ["news", "talks", "mail"]
    for one in found.slices:
        inside = [document for document, chosen in zip(documents(), one.mask, strict=True) if chosen]
        alone = compare(
            replace(table(), values=table().values[:, one.mask]),
            PAIRS,
            groups=document_blocks(inside) if whole_documents else None,
            resamples=RESAMPLES,
        )
        assert one.segments == SEGMENTS // 3
        assert one.comparisons.unit == ("document" if whole_documents else "segment")
        np.testing.assert_array_equal(one.comparisons.scores, alone.scores)
        for pair, expected in zip(one.comparisons.pairs, alone.pairs, strict=True):
            assert (pair.delta, pair.interval, pair.p_value) == (expected.delta, expected.interval, expected.p_value)


def test_the_whole_is_compared_as_without_slices() -> None:
    found = compared(thirds())
    alone = compare(table(), PAIRS, resamples=RESAMPLES)
    assert found.whole.pairs == alone.pairs
    assert set(alone.warnings) <= set(found.warnings)


def test_p_values_are_corrected_by_holm_for_the_number_of_slices() -> None:
    found = compared(["first", "second"] * (SEGMENTS // 2))
    for p in range(len(PAIRS)):
        p_values = np.array([one.comparisons.pairs[p].p_value for one in found.slices])
        corrected = [one.comparisons.pairs[p].p_value_adjusted for one in found.slices]
        assert corrected == adjust(p_values).tolist()
        assert corrected != p_values.tolist()
    least = [pair for one in found.slices for pair in one.comparisons.pairs if pair.extrapolated]
    assert least
    assert all(isinstance(pair.p_value_adjusted, Approximate) for pair in least)


def test_there_are_10_000_draws_for_the_whole_and_for_each_slice() -> None:
    found = compared(["first", "second"] * (SEGMENTS // 2), resamples=None)
    assert found.resamples == found.whole.resamples == 10_000
    assert "10,000 resamples of its segments" in found.tested_by
    assert "jackknife" not in found.tested_by


def test_small_slices_are_tested_by_the_jackknife() -> None:
    found = compared(documents(12))
    assert found.resamples == 0
    assert {one.comparisons.method for one in found.slices} == {"jackknife"}
    assert found.tested_by == "the jackknife over its segments with Student's t"
    mixed = compared(["small"] * 50 + ["large"] * (SEGMENTS - 50))
    assert [one.comparisons.method for one in mixed.slices] == ["jackknife", "percentile"]
    assert mixed.tested_by.endswith("or the jackknife with Student's t where it has fewer than 100 segments")


def test_the_families_are_named() -> None:
    found = compared(thirds())
    assert {one.comparisons.family for one in found.slices} == {"3 slices"}
    assert found.whole.family == "2 pairs with S1"


def test_segments_without_a_label_are_in_no_slice() -> None:
    labels = ["" if segment < 50 else label for segment, label in enumerate(thirds())]
    found = compared(labels)
    assert found.unlabelled == 50
    assert [one.segments for one in found.slices] == [30, 80, 80]
    assert found.whole.segments == SEGMENTS
    assert "50 segments without a label found, left out of all slices" in found.warnings
    rest = compare_slices(
        replace(table(), values=table().values[:, 50:]),
        labels[50:],
        PAIRS,
        tests=SliceTests(resamples=RESAMPLES, trials=99),
    )
    assert found.variation == rest.variation


def test_text_without_any_label_is_refused() -> None:
    with pytest.raises(SettingsError, match="no segment has a label"):
        compared([""] * SEGMENTS)


def test_labels_of_another_number_are_refused() -> None:
    with pytest.raises(ValueError, match="one label"):
        compared(["a"])


def test_a_slice_of_one_segment_has_scores_and_no_p() -> None:
    found = compared(["one", *["rest"] * (SEGMENTS - 1)])
    (pair, _) = found.slices[0].comparisons.pairs
    assert not math.isnan(pair.delta)
    assert math.isnan(pair.p_value)
    assert math.isnan(pair.p_value_adjusted)
    assert pair.reason == "only one segment"
    # The one p-value that there is needs no correction.
    assert found.slices[1].comparisons.pairs[0].p_value_adjusted == found.slices[1].comparisons.pairs[0].p_value


def test_small_slices_are_warned_of_once() -> None:
    found = compared(documents(12))
    assert found.warnings[-1].startswith("20 of 20 slices with fewer than 30 units found")


def test_progress_runs_to_the_end_without_going_back() -> None:
    told: list[tuple[int, int]] = []
    compared(thirds(), progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {4 * RESAMPLES + 99}
    assert told[-1] == (4 * RESAMPLES + 99, 4 * RESAMPLES + 99)


# --- variation --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["bleu", "chrf2", "ter", "wer"])
def test_standard_errors_are_those_of_the_bootstrap(key: str) -> None:
    one = table(key)
    sizes = np.array([80, 160])
    deltas, variances = slice_variances(one, rows(one), sizes, PAIRS)
    for place, part in enumerate((slice(0, 80), slice(80, SEGMENTS))):
        alone = replace(one, values=one.values[:, part])
        scores = alone.score(alone.sums())
        drawn = resampled_deltas(alone, PAIRS, "bootstrap", 4000)
        assert deltas[:, place] == pytest.approx([scores[1] - scores[0], scores[2] - scores[0]], abs=1e-9)
        assert np.sqrt(variances[:, place]) == pytest.approx(drawn.std(axis=1), rel=0.05)


def test_the_variance_of_a_mean_is_known_exactly() -> None:
    generator = np.random.default_rng(1)
    values = generator.normal(10, 3, (2, 60))
    one = SegmentStatistics(
        ("A", "B"),
        np.stack([values, np.ones_like(values)], axis=-1),
        lambda sums: (sums[..., 0] / sums[..., 1]).astype(np.float64),
    )
    _, variances = slice_variances(one, rows(one), np.array([20, 40]), [(0, 1)])
    differences = values[0] - values[1]
    expected = [differences[:20].var() / 20, differences[20:].var() / 40]
    assert variances[0] == pytest.approx(expected, rel=1e-6)


def test_q_is_cochrans_with_the_slices_differences_and_bootstrap_errors() -> None:
    labels = null_labels()
    found = variation(table(), labels, PAIRS, trials=9)
    assert [one.q for one in found] == pytest.approx([q_by_hand(labels, 1, 0), q_by_hand(labels, 2, 0)], rel=0.1)


def test_p_is_near_that_of_chi_squared_in_large_slices() -> None:
    found = variation(table(), null_labels(3), PAIRS, trials=999)
    for one in found:
        assert one.p_value == pytest.approx(stats.chi2.sf(one.q, 2), abs=0.06)


def test_a_difference_that_varies_is_found_and_one_that_does_not_is_not() -> None:
    one, two, three = table().values
    swapped = np.random.default_rng(1).integers(2, size=(SEGMENTS, 1)).astype(bool)
    half = np.arange(SEGMENTS) % 2 == 0
    base = np.where(half[:, None], one, np.where(swapped, one, two))
    mixed = np.where(half[:, None], three, np.where(swapped, two, one))  # better in one half, in the other by chance
    one = SegmentStatistics(("base", "mixed"), np.stack([base, mixed]), table().score)
    (found,) = variation(one, half.astype(np.int64), [(1, 0)], trials=199)
    assert found.p_value == 1 / 200
    assert isinstance(found.p_value, AtMost)
    (nothing,) = variation(one, np.arange(SEGMENTS) // 2 % 2, [(1, 0)], trials=199)
    assert nothing.p_value > 0.05


def test_exchanging_the_systems_changes_nothing() -> None:
    one, turned = variation(table(), null_labels(), [(1, 0), (0, 1)], trials=49)
    assert one.q == pytest.approx(turned.q)
    assert one.p_value == turned.p_value


def test_pairs_share_the_permutations_and_do_not_depend_on_each_other() -> None:
    together = variation(table(), null_labels(), PAIRS, trials=49)
    assert together == (
        *variation(table(), null_labels(), PAIRS[:1], trials=49),
        *variation(table(), null_labels(), PAIRS[1:], trials=49),
    )


@pytest.mark.parametrize("metric_of_slices", ["chrf2", "ter", "wer"])
def test_variation_of_every_metric_is_tested(metric_of_slices: str) -> None:
    for one in variation(table(metric_of_slices), null_labels(), PAIRS, trials=49):
        assert one.q > 0
        assert 0 < one.p_value <= 1


def test_labels_of_documents_are_permuted_over_documents() -> None:
    found = compared(thirds(), documents=documents())
    assert found.unit == "document"
    grouped = table().grouped(document_blocks(documents()).labels)
    labels = np.arange(30) * 3 // 30
    assert found.variation == variation(grouped, labels, PAIRS, trials=99)


def test_labels_that_vary_within_documents_are_permuted_over_segments() -> None:
    labels = ["long" if segment % 2 else "short" for segment in range(SEGMENTS)]
    found = compared(labels, documents=documents())
    assert found.unit == "segment"
    assert found.variation == compared(labels).variation


def test_slices_that_are_documents_are_compared_and_permuted_over_segments() -> None:
    found = compared(documents(60), documents=documents(60), whole_documents=True)
    assert found.unit == "segment"
    assert {one.comparisons.unit for one in found.slices} == {"segment"}
    assert not math.isnan(found.variation[0].p_value)


def test_one_slice_of_a_single_document_among_others_has_no_p() -> None:
    labels = ["first" if document == "d0" else "rest" for document in documents()]
    first, rest = compared(labels, documents=documents(), whole_documents=True).slices
    assert first.comparisons.pairs[0].reason == "only one document"
    assert math.isnan(first.comparisons.pairs[0].p_value)
    assert rest.comparisons.unit == "document"


def test_documents_may_be_scattered() -> None:
    order = np.random.default_rng(3).permutation(SEGMENTS)
    scattered = replace(table(), values=table().values[:, order])
    labels, names = (np.array(of_segments)[order].tolist() for of_segments in (thirds(), documents()))
    found = compare_slices(scattered, labels, PAIRS, documents=names, tests=SliceTests(resamples=RESAMPLES, trials=99))
    assert found.unit == "document"
    q = [one.q for one in compared(thirds(), documents=documents()).variation]
    assert [one.q for one in found.variation] == pytest.approx(q)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (["all"] * SEGMENTS, "only one slice"),
        (["few"] * 9 + ["many"] * (SEGMENTS - 9), "few has 9 segments, at least 10 per slice expected"),
        (["one"] + ["many"] * (SEGMENTS - 1), "one has 1 segment, at least 10 per slice expected"),
    ],
)
def test_variation_is_refused_with_a_reason(labels: list[str], reason: str) -> None:
    for one in compared(labels).variation:
        assert math.isnan(one.q)
        assert math.isnan(one.p_value)
        assert one.reason == reason


def test_ten_units_are_enough_and_nine_documents_are_not() -> None:
    assert compared(["few"] * 10 + ["many"] * (SEGMENTS - 10)).variation[0].reason == ""
    labels = ["few"] * 72 + ["many"] * (SEGMENTS - 72)
    (one, _) = compared(labels, documents=documents()).variation
    assert one.reason == "few has 9 documents, at least 10 per slice expected"


def test_equal_outputs_have_no_variance() -> None:
    twin = SegmentStatistics(("A", "B"), np.stack([table().values[0]] * 2), table().score)
    (found,) = variation(twin, null_labels(), [(1, 0)], trials=9)
    assert math.isnan(found.q)
    assert found.reason == "no variance in a slice"


def test_an_undefined_score_is_named() -> None:
    values = np.ones((2, 40, 2))
    values[:, :20] = 0
    one = SegmentStatistics(("A", "B"), values, lambda sums: np.where(sums[..., 1] > 0, sums[..., 0], np.nan))
    (found,) = variation(one, np.arange(40) // 20, [(1, 0)], trials=9)
    assert math.isnan(found.p_value)
    assert found.reason == "a score is undefined"


def test_bundles_are_of_one_slice_and_keep_its_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heterogeneity, "MAX_UNBUNDLED_UNITS", 100)
    monkeypatch.setattr(heterogeneity, "BUNDLES", 80)
    monkeypatch.setattr(heterogeneity, "MIN_BUNDLES_PER_SLICE", 10)
    labels = null_labels(3)
    bundled, of_bundle = heterogeneity._bundled(table(), labels, np.random.default_rng(1))  # noqa: SLF001
    assert bundled.segments == len(of_bundle) == 78  # 26 bundles of 3 or 4 segments in each slice of 80
    np.testing.assert_array_equal(bundled.sums_by_label(of_bundle), table().sums_by_label(labels))
    one, two = (variation(table(), labels, PAIRS, trials=199), variation(table(), labels, PAIRS, trials=199, seed=2))
    monkeypatch.setattr(heterogeneity, "MAX_UNBUNDLED_UNITS", 1000)
    for single, *others in zip(variation(table(), labels, PAIRS, trials=199), one, two, strict=True):
        for other in others:
            assert other.q == pytest.approx(single.q, rel=0.5)


def test_the_seed_decides_the_permutations() -> None:
    first, again, other = (variation(table(), null_labels(), PAIRS, trials=199, seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert [one.q for one in first] == [one.q for one in other]
    assert [one.p_value for one in first] != [one.p_value for one in other]


def test_no_trials_are_refused() -> None:
    with pytest.raises(SettingsError, match="0 trials found"):
        compared(thirds(), trials=0)
