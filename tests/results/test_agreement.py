"""Tables of agreement by segment."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from bleu_core.agreement import (
    GROUPINGS,
    SEGMENT_METHODS,
    MetricScores,
    SegmentLevel,
    agreement_of_scores,
    calibrated_accuracy,
    metric_agreement,
    robustness,
    scatter,
    segment_correlation,
)
from bleu_core.dataset import Corpus, ScoreTable
from bleu_core.results.agreement import agreement_table, metric_report, scatter_table, segment_summary
from bleu_core.results.encoding import to_json
from bleu_core.results.table import formatted
from bleu_core.scoring import all_metrics, evaluate

NAN = float("nan")
METRIC = np.array([[1.0, 2.0, 3.0, 3.0], [2.0, 1.0, 3.0, NAN], [3.0, 3.0, 3.0, NAN]])
HUMAN = np.array([[1.0, 3.0, 2.0, 1.0], [2.0, 1.0, 2.0, 2.0], [3.0, 3.0, 1.0, 2.0]])


def test_the_summary_has_a_row_a_grouping_and_no_number_where_there_is_none() -> None:
    found = tuple(segment_correlation(METRIC, HUMAN, m, g) for m in SEGMENT_METHODS for g in GROUPINGS)
    level = SegmentLevel(
        signature="",
        systems=("A", "B", "C"),
        excluded=(),
        correlations={"M": found},
        calibrated={"M": calibrated_accuracy(METRIC, HUMAN)},
        left_out=(),
        ranking=None,
    )
    table = segment_summary(level, "M")
    assert [row[0] for row in table.rows] == ["all segments", "by system", "by segment"]
    rows = {row[0]: dict(zip(table.kinds, row, strict=True)) for row in table.rows}
    # Segment 1: three pairs in order, 1. 2: two in order, one that people tie, 2 / sqrt(3 * 2). 3: all scores equal.
    # 4: one entry. Of the pairs 3 of 3, 2 of 3 and, a tie with a tie, 1 of 3 are alike.
    assert rows["by segment"]["kendall"] == pytest.approx((1 + 2 / math.sqrt(6)) / 2)
    assert [rows["by segment"][name] for name in ("entries", "groups", "undefined_groups")] == [10, 2, 2]
    assert rows["by segment"]["pairwise_accuracy"] == pytest.approx((1 + 2 / 3 + 1 / 3) / 3)
    assert math.isnan(float(rows["by segment"]["p_value"]))
    assert math.isnan(float(rows["all segments"]["pairwise_accuracy"]))
    assert 0 < float(rows["all segments"]["p_value"]) <= 1


def test_points_are_listed_by_system_and_segment_or_in_the_order_asked_for() -> None:
    found = scatter(METRIC, HUMAN)
    every = scatter_table(found, ("A", "B", "C")).rows
    assert [row[:4] for row in every[3:5]] == [("A", 4, 3.0, 1.0), ("B", 1, 2.0, 2.0)]
    assert len(every) == 10
    assert scatter_table(found, ("A", "B", "C"), [4, 0]).rows == (every[4], every[0])
    assert scatter_table(found, ("A", "B", "C"), []).rows == ()


@pytest.mark.parametrize(
    ("scale", "shown"), [(1, ["0.5234", "0.6234", "0.7234"]), (10, ["5.234", "6.234", "7.234"]), (100, ["52.34"])]
)
def test_scores_from_a_file_have_the_decimals_of_their_scale(scale: int, shown: list[str]) -> None:
    names = ("A", "B", "C")
    scores = scale * (np.array([[0.5], [0.6], [0.7]]) + 0.02341)
    texts = ("the cat sat", "on the mat")
    table = ScoreTable("COMET", names, np.repeat(scores, 2, axis=1), scores[:, 0], "segment")
    metric = MetricScores.of_table(table, Corpus(dict.fromkeys(names, texts), {"R": texts}))
    bleu = agreement_of_scores({"A": 1.0, "B": 2.0, "C": 3.0}, {"A": 1.0, "B": 3.0, "C": 2.0})
    rows = formatted(agreement_table(metric_agreement(metric, bleu)))
    assert [row[1] for row in rows][: len(shown)] == shown


@pytest.mark.parametrize(
    ("metric", "higher_is_better", "named", "lower"),
    [("BLEU", True, "bleu", None), ("COMET", True, "COMET", None), ("TER", False, "ter", ["TER"])],
)
def test_the_report_of_one_metric_names_it(
    metric: str, *, higher_is_better: bool, named: str, lower: list[str] | None
) -> None:
    means = np.nanmean(HUMAN, axis=1)
    scores = np.array([1.0, 3.0, 2.0])
    names = ("A", "B", "C")
    result = agreement_of_scores(
        dict(zip(names, scores.tolist(), strict=True)),
        dict(zip(names, means.tolist(), strict=True)),
        metric=metric,
        higher_is_better=higher_is_better,
    )
    result = replace(result, scored_by=all_metrics().get(named))
    found = robustness(
        MetricScores(name=metric, systems=names, system_scores=scores, segment_scores=METRIC),
        means,
        HUMAN,
        resamples=20,
        stability_resamples=20,
    )
    texts = ("the cat sat on the mat",)
    evaluation = evaluate(Corpus(dict.fromkeys(names, texts), {"R": texts}))
    content = to_json(metric_report(result, found, evaluation))
    assert content["metric"] == named
    assert content.get("lower_is_better") == lower
    own = [1.0, 3.0, 2.0] if higher_is_better else [-1.0, -3.0, -2.0]
    assert [system["score"] for system in content["systems"]] == own
    assert [system.get("bleu") for system in content["systems"]] == (own if metric == "BLEU" else [None] * 3)
    assert content["pearson"]["coefficient"] == result.pearson.coefficient
    assert content["soft_pairwise_accuracy"]["value"] == found.soft_pairwise_accuracy.value
    assert [row["system"] for row in content["leave_one_out"]] == list(names)
