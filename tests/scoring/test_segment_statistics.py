"""Tables of per-segment sums: labels, weights and additivity."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from texts import Texts, corpora

from bleu_core.scoring import BleuSettings, Numbers, SegmentStatistics, evaluate


def first_column(sums: Numbers) -> npt.NDArray[np.float64]:
    return sums[..., 0].astype(np.float64)


def random_table(systems: int, segments: int, columns: int, seed: int) -> SegmentStatistics:
    table = np.random.default_rng(seed).integers(0, 100, (systems, segments, columns))
    return SegmentStatistics(tuple(f"s{k}" for k in range(systems)), table, first_column)


TABLES = st.builds(random_table, st.integers(1, 4), st.integers(1, 12), st.integers(1, 6), st.integers(0, 999))


@st.composite
def labelled(draw: st.DrawFn) -> tuple[SegmentStatistics, npt.NDArray[np.int64]]:
    """A table and a label for each of its segments; some labels may be unused."""
    table = draw(TABLES)
    labels = draw(st.lists(st.integers(0, 5), min_size=table.segments, max_size=table.segments))
    return table, np.array(labels, np.int64)


@given(labelled())
def test_sums_by_label_add_up_to_the_sums(case: tuple[SegmentStatistics, npt.NDArray[np.int64]]) -> None:
    table, labels = case
    np.testing.assert_array_equal(table.sums_by_label(labels).sum(axis=1), table.sums())


@given(labelled())
def test_sums_by_label_equal_a_plain_loop(case: tuple[SegmentStatistics, npt.NDArray[np.int64]]) -> None:
    table, labels = case
    found = table.sums_by_label(labels)
    assert found.shape == (len(table.systems), labels.max() + 1, table.values.shape[2])
    for label in range(labels.max() + 1):
        np.testing.assert_array_equal(found[:, label], table.values[:, labels == label].sum(axis=1))


@given(TABLES)
def test_one_label_for_all_gives_the_sums(table: SegmentStatistics) -> None:
    np.testing.assert_array_equal(table.sums_by_label(np.zeros(table.segments, np.int64))[:, 0], table.sums())


@given(labelled())
def test_one_hot_weights_give_the_sums_by_label(case: tuple[SegmentStatistics, npt.NDArray[np.int64]]) -> None:
    table, labels = case
    one_hot = (np.arange(labels.max() + 1)[:, None] == labels).astype(np.int64)
    np.testing.assert_array_equal(table.weighted_sums(one_hot), table.sums_by_label(labels))


@given(TABLES)
def test_weights_of_one_give_the_sums_and_the_identity_gives_the_segments(table: SegmentStatistics) -> None:
    np.testing.assert_array_equal(table.weighted_sums(np.ones((1, table.segments), np.int64))[:, 0], table.sums())
    np.testing.assert_array_equal(table.weighted_sums(np.eye(table.segments)), table.values)


@given(TABLES)
def test_leaving_one_out_gives_the_sums_less_a_segment(table: SegmentStatistics) -> None:
    weights = 1 - np.eye(table.segments)
    np.testing.assert_array_equal(table.weighted_sums(weights), table.sums()[:, None] - table.values)


@given(TABLES, st.integers(0, 999))
def test_weights_are_additive(table: SegmentStatistics, seed: int) -> None:
    draw = np.random.default_rng(seed).integers
    one, two = (draw(0, 5, (3, table.segments)) for _ in range(2))
    np.testing.assert_array_equal(table.weighted_sums(one + two), table.weighted_sums(one) + table.weighted_sums(two))


def test_combining_by_hand() -> None:
    table = SegmentStatistics(("A",), np.array([[[1, 10], [2, 20], [3, 30]]]), first_column)
    # 2 * (1, 10) + 0 * (2, 20) + 1 * (3, 30), and all three once.
    assert table.weighted_sums(np.array([[2, 0, 1], [1, 1, 1]])).tolist() == [[[5, 50], [6, 60]]]


@given(corpora(), st.integers(1, 6))
def test_bleu_of_a_block_is_bleu_of_its_segments_alone(texts: Texts, blocks: int) -> None:
    settings = BleuSettings(tokenizer="none")
    evaluation = evaluate(texts.corpus, settings)
    labels = np.arange(texts.segments) % blocks
    found = evaluation.statistics.score(evaluation.statistics.sums_by_label(labels))
    for label in range(labels.max() + 1):
        where = np.flatnonzero(labels == label)
        part = Texts(
            {name: [segments[s] for s in where] for name, segments in texts.systems.items()},
            {name: [segments[s] for s in where] for name, segments in texts.references.items()},
        )
        np.testing.assert_allclose(found[:, label], evaluate(part.corpus, settings).scores.score, rtol=1e-12)


def test_the_score_is_of_summed_columns() -> None:
    table = random_table(2, 3, 4, seed=1)
    np.testing.assert_array_equal(table.score(table.sums()), table.values[:, :, 0].sum(axis=1))


@given(labelled())
def test_grouped_segments_are_the_segments_of_another_table(
    case: tuple[SegmentStatistics, npt.NDArray[np.int64]],
) -> None:
    table, labels = case
    grouped = table.grouped(labels)
    assert grouped.segments == labels.max() + 1
    np.testing.assert_array_equal(grouped.values, table.sums_by_label(labels))
    np.testing.assert_array_equal(grouped.score(grouped.sums()), table.score(table.sums()))


def test_selected_systems_come_in_the_order_asked_for() -> None:
    table = random_table(3, 2, 2, seed=1)
    chosen = table.select(["s2", "s0"])
    assert chosen.systems == ("s2", "s0")
    np.testing.assert_array_equal(chosen.values, table.values[[2, 0]])


def test_tables_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        random_table(1, 1, 1, seed=1).values[...] = 0


@pytest.mark.parametrize("shape", [(2, 3), (1, 3, 4), (2, 3, 4, 5)])
def test_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected for 2 systems"):
        SegmentStatistics(("a", "b"), np.zeros(shape, np.int64), first_column)
