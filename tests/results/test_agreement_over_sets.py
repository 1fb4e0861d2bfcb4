"""Tables, sentences and JSON of agreement over test sets."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from jsonschema import Draft202012Validator

from bleu_core.agreement import Exclusion
from bleu_core.collection import (
    AgreementOverSets,
    AveragedMetric,
    AveragePair,
    ComparedSet,
    LeftOutSet,
    NotAveragedMetric,
    SetAgreement,
)
from bleu_core.dataset import RatedSegments
from bleu_core.results.agreement_over_sets import (
    AgreementOverSetsReport,
    agreement_over_sets_methods,
    agreement_over_sets_notes,
    agreement_over_sets_report,
    agreement_over_sets_table,
    average_pairs_table,
    left_out_sets_table,
)
from bleu_core.results.encoding import to_json
from bleu_core.results.latex import to_latex
from bleu_core.results.schema import json_schema
from bleu_core.results.table import formatted

NAN = math.nan


def on_set(name: str, system: float, segment: float, reason: str = "") -> SetAgreement:
    return SetAgreement(
        test_set=name,
        signature="",
        soft_pairwise_accuracy=system,
        calibrated_accuracy=segment,
        threshold=NAN if reason else 0.5,
        reason=reason,
    )


def averaged(name: str, rank: int, cluster: int, *sets: SetAgreement) -> AveragedMetric:
    systems = float(np.mean([each.soft_pairwise_accuracy for each in sets]))
    segments = float(np.mean([each.calibrated_accuracy for each in sets]))
    return AveragedMetric(
        metric=name,
        average=(systems + segments) / 2,
        rank=rank,
        cluster=cluster,
        system_average=systems,
        segment_average=segments,
        sets=sets,
    )


@pytest.fixture
def agreement() -> AgreementOverSets:
    """Two metrics on two sets, one that lacks a set, and a set without ratings."""
    return AgreementOverSets(
        levels=("system", "segment"),
        tasks=4,
        alternative="two-sided",
        correction="holm",
        alpha=0.05,
        trials=1000,
        seed=1,
        sets=(
            ComparedSet(test_set="en-de", systems=("A", "B"), segments=90, excluded=(), rated=None),
            ComparedSet(
                test_set="zh_{en}",
                systems=("A", "C"),
                segments=20,
                excluded=(Exclusion("B", "no ratings"),),
                rated=RatedSegments(fewest=12, system="C", ratings=32, segments=20),
            ),
        ),
        left_out_sets=(LeftOutSet(test_set="ja-zh", reason="no ratings"),),
        metrics=(
            averaged("COMET", 1, 1, on_set("en-de", 0.9, 0.6), on_set("zh_{en}", 0.8, 0.5)),
            averaged("BLEU", 2, 2, on_set("en-de", 0.7, 0.62), on_set("zh_{en}", 0.6, 0.4)),
        ),
        left_out_metrics=(
            NotAveragedMetric(
                metric="TER",
                reason="zh_{en}: no scores by this metric",
                sets=(on_set("en-de", 0.5, 0.4), on_set("zh_{en}", NAN, NAN, "no scores by this metric")),
            ),
        ),
        pairs=(AveragePair(metric="COMET", other="BLEU", delta=0.12, p_value=0.01, p_value_adjusted=0.02),),
        p_values=np.array([[NAN, 0.01], [0.01, NAN]]),
        p_values_adjusted=np.array([[NAN, 0.02], [0.02, NAN]]),
    )


def test_the_table_has_the_average_the_cluster_and_both_accuracies_of_each_set(agreement: AgreementOverSets) -> None:
    table = agreement_over_sets_table(agreement)
    assert table.titles == [
        *("metric", "average", "rank", "cluster", "SPA", "acc_eq"),
        *("en-de SPA", "en-de acc_eq", "zh_{en} SPA", "zh_{en} acc_eq", "reason"),
    ]
    rows = {row[0]: row[1:] for row in table.rows}
    assert list(rows) == ["COMET", "BLEU", "TER"]
    assert rows["COMET"] == pytest.approx((0.7, 1, 1, 0.85, 0.55, 0.9, 0.6, 0.8, 0.5, ""))
    assert rows["BLEU"][4:9] == pytest.approx((0.51, 0.7, 0.62, 0.6, 0.4))
    assert all(math.isnan(float(cell)) for cell in rows["TER"][:5])
    assert rows["TER"][5:7] == (0.5, 0.4)
    assert rows["TER"][9] == "zh_{en}: no scores by this metric"
    assert "zh_{en}" in table.columns["soft_pairwise_accuracy_zh_{en}"].help


def test_numbers_for_people_have_three_decimals_and_nothing_for_undefined_values(agreement: AgreementOverSets) -> None:
    cells = formatted(agreement_over_sets_table(agreement))
    assert cells[0][:6] == ["COMET", "0.700", "1", "1", "0.850", "0.550"]
    assert cells[2][1] == ""


def test_the_best_of_each_column_is_bold_in_latex(agreement: AgreementOverSets) -> None:
    text = to_latex(agreement_over_sets_table(agreement).for_people(), "Agreement.")
    assert r"\textbf{0.700}" in text
    assert r"\textbf{0.620}" in text
    assert r"\textbf{0.600}" not in text


def test_pairs_and_left_out_sets_are_tables(agreement: AgreementOverSets) -> None:
    assert average_pairs_table(agreement).rows == (("COMET", "BLEU", 0.12, 0.01, 0.02, ""),)
    assert left_out_sets_table(agreement).rows == (("ja-zh", "no ratings"),)
    assert left_out_sets_table(replace(agreement, left_out_sets=())).rows == ()


def test_notes_name_what_is_left_out_and_sets_with_few_ratings(agreement: AgreementOverSets) -> None:
    first, second, third = agreement_over_sets_notes(agreement)
    assert first == "Test set ja-zh is left out: no ratings."
    assert second == "TER is left out of the average over test sets: zh_{en}: no scores by this metric."
    assert third.startswith("zh_{en}: Only 12 segments of C are rated: at least 20 are needed")


def test_the_methods_name_statistics_sets_test_and_correction(agreement: AgreementOverSets) -> None:
    text = agreement_over_sets_methods(agreement)
    for part in ("soft pairwise accuracy", "acc_eq", "over 2 test sets", "1,000 permutations", "1 pair", "5% level"):
        assert part in text
    assert "two-sided" in text
    assert "Holm" in text
    single = agreement_over_sets_methods(replace(agreement, levels=("segment",), pairs=()))
    assert "soft pairwise accuracy" not in single
    assert "permutation" not in single


def test_json_fits_its_schema_and_undefined_values_are_null_with_a_reason(agreement: AgreementOverSets) -> None:
    content = to_json(agreement_over_sets_report(agreement))
    json.dumps(content, allow_nan=False)
    Draft202012Validator(json_schema("agreement over sets", AgreementOverSetsReport)).validate(content)
    assert content["tool"] == "bleu-core"
    assert content["tasks"] == 4
    assert content["metrics"][0]["sets"][1] == {
        "set": "zh_{en}",
        "signature": "",
        "soft_pairwise_accuracy": 0.8,
        "calibrated_accuracy": 0.5,
        "threshold": 0.5,
    }
    (left_out,) = content["left_out_metrics"]
    assert left_out["sets"][1]["calibrated_accuracy"] is None
    assert left_out["sets"][1]["reason"] == "no scores by this metric"
    assert content["left_out_sets"] == [{"set": "ja-zh", "reason": "no ratings"}]
    assert content["sets"][1]["excluded"] == [{"system": "B", "reason": "no ratings"}]
    assert content["pairs"] == [
        {"metric": "COMET", "other": "BLEU", "delta": 0.12, "p_value": 0.01, "p_value_adjusted": 0.02}
    ]
    assert len(content["warnings"]) == 3
    assert content["methods"] == agreement_over_sets_methods(agreement)
