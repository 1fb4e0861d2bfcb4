"""What must not change a number: the order of rows, a judge who says what all say, another scale of the same order."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Runner
from hypothesis import given
from hypothesis import strategies as st

import sample_data
from bleu_core.agreement import GROUPINGS, agreement_of_scores, calibrated_accuracy, segment_correlation
from bleu_core.dataset import Judgments
from bleu_core.formats import read

SYSTEMS = [str(path) for path in sample_data.systems()]
REFERENCE = str(sample_data.references()[0])

#: (segment, system, judge, score), several of one item by one judge among them.
rows = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from("ABCD"), st.sampled_from("xyz"), st.integers(-20, 20)),
    min_size=1,
    max_size=40,
)


def judged(found: list[tuple[int, str, str, float]]) -> Judgments:
    segments, systems, judges, scores = zip(*found, strict=True)
    lines = range(2, len(found) + 2)
    return Judgments.from_ratings(systems, scores, list(lines), "human.csv", segments=segments, judges=judges)


@pytest.mark.parametrize(
    "options",
    [
        ("--standardise",),
        *(
            pytest.param(options, marks=pytest.mark.slow)
            for options in ((), ("--level", "segment"), ("--exclude-judge", "monolingual"))
        ),
    ],
)
def test_the_order_of_rows_changes_no_number(run: Runner, tmp_path: Path, options: tuple[str, ...]) -> None:
    header, *lines = sample_data.JUDGMENTS.read_text(encoding="utf-8").splitlines()
    random.Random(7).shuffle(lines)
    path = tmp_path / "shuffled.csv"
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    found: list[Any] = [
        run("correlate", "--format", "json", *options, "--ref", REFERENCE, "--human", human, *SYSTEMS).json
        for human in (sample_data.JUDGMENTS, path)
    ]
    assert json.dumps(found[0]) == json.dumps(found[1])


@given(rows)
def test_a_judge_who_gives_every_item_its_mean_moves_no_system(found: list[tuple[int, str, str, float]]) -> None:
    before = judged(found)
    means = before.segment_means(tuple("ABCD"), 4).scores
    echo = [(s + 1, "ABCD"[k], "echo", means[k, s]) for k, s in np.argwhere(~np.isnan(means)).tolist()]
    after = judged([*found, *echo])
    assert dict(after.system_means()) == pytest.approx(dict(before.system_means()), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(-9, 9)), min_size=3, max_size=12))
def test_another_scale_of_the_same_order_leaves_ranks_alone(pairs: list[tuple[int, int]]) -> None:
    scores = {f"S{k}": float(x) for k, (x, _) in enumerate(pairs)}
    ratings = {f"S{k}": float(y) for k, (_, y) in enumerate(pairs)}
    one = agreement_of_scores(scores, ratings)
    other = agreement_of_scores(scores, {name: np.exp(y / 3) for name, y in ratings.items()})
    for method in ("spearman", "kendall"):
        first, second = (getattr(found, method) for found in (one, other))
        assert first.coefficient == pytest.approx(second.coefficient, abs=1e-12, nan_ok=True)
        assert first.p_value == pytest.approx(second.p_value, abs=1e-12, nan_ok=True)
    assert one.pairwise_accuracy == other.pairwise_accuracy


@given(st.integers(0, 2**32 - 1))
def test_another_scale_of_ratings_of_segments_leaves_ranks_alone(seed: int) -> None:
    draw = np.random.default_rng(seed)
    scores, ratings = draw.integers(0, 6, (3, 5)).astype(float), draw.integers(-3, 4, (3, 5)).astype(float)
    ratings[draw.random((3, 5)) < 0.2] = np.nan
    for grouping in GROUPINGS:
        for method in ("spearman", "kendall"):
            one, other = (segment_correlation(scores, y, method, grouping) for y in (ratings, np.exp(ratings)))
            assert one.coefficient == pytest.approx(other.coefficient, abs=1e-12, nan_ok=True)
    one, other = (calibrated_accuracy(scores, y) for y in (ratings, np.exp(ratings)))
    assert (one.accuracy, one.threshold) == pytest.approx((other.accuracy, other.threshold), nan_ok=True)


def test_the_sample_is_read_whatever_the_order_of_its_rows() -> None:
    content = sample_data.JUDGMENTS.read_text(encoding="utf-8").splitlines()
    turned = "\n".join([content[0], *reversed(content[1:])]) + "\n"
    one, other = (
        read(text.encode(), "judgments.csv", "judgments").judgments for text in ("\n".join(content) + "\n", turned)
    )
    assert one is not None
    assert other is not None
    assert one.digest == other.digest
