"""Tables of judges and of the systems they tell apart."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from judged import read_ratings

from bleu_core.dataset import Judge, Judgments
from bleu_core.fields import Table
from bleu_core.formats.text import Text
from bleu_core.judges import (
    UNITS,
    compare_groups,
    compare_ratings,
    judge_agreement,
    judge_summaries,
    judge_variance,
    krippendorff_alpha,
    pairwise_kendall,
    standardised,
)
from bleu_core.results.encoding import table_json, to_json
from bleu_core.results.judges import (
    UNNAMED,
    alpha_table,
    corrected_p_values,
    differences_table,
    distribution_table,
    group_means_table,
    group_pairs_table,
    groups_table,
    judge_names,
    judge_pairs_table,
    judges_report,
    judges_table,
    systems_of_groups,
    tau_counts,
    tau_counts_table,
    variance_table,
)
from bleu_core.results.latex import to_latex
from bleu_core.results.table import to_text, to_tsv, to_xlsx

SAMPLE = Path(__file__).parents[2] / "sample_data" / "judgments.csv"


def ratings(text: str) -> Judgments:
    return read_ratings(Text(text, "UTF-8"), "h.csv")


@pytest.fixture(scope="module")
def sample() -> Judgments:
    return ratings(SAMPLE.read_text(encoding="utf-8"))


def column(table: Table, name: str) -> list[object]:
    return [row[list(table.kinds).index(name)] for row in table.rows]


def test_a_judge_is_a_row_and_groups_and_repeats_have_columns_only_where_there_are_any(sample: Judgments) -> None:
    table = judges_table(judge_summaries(sample))
    assert len(table.rows) == 20
    assert list(table.kinds)[:2] == ["group", "judge"]
    assert "repeat_alpha" not in table.kinds
    alone = judges_table(judge_summaries(ratings("segment,system,judge,score\n1,A,x,1\n2,A,x,3\n2,A,x,5\n")))
    assert next(iter(alone.kinds)) == "judge"
    # Item 2 was rated 3 and 5: the deviation within items is the root of 2. One repeated item has no alpha.
    assert column(alone, "repeat_deviation") == [pytest.approx(math.sqrt(2))]
    assert math.isnan(float(str(column(alone, "repeat_alpha")[0])))
    assert column(alone, "reason") == ["repeats: 1 item was rated twice, at least 2 needed"]


def test_a_judge_without_a_name_is_called_so_and_one_rating_has_no_deviation() -> None:
    table = judges_table(judge_summaries(ratings("segment,system,score\n1,A,4\n")))
    assert column(table, "judge") == [UNNAMED]
    assert "at least 2 needed for a standard deviation" in str(column(table, "reason")[0])
    assert math.isnan(float(str(column(table, "standard_deviation")[0])))


def test_means_of_standardised_ratings_are_0_and_not_minus_0(sample: Judgments) -> None:
    means = column(judges_table(judge_summaries(standardised(sample))), "mean")
    assert [str(mean) for mean in means] == ["0.0"] * 20


def test_judges_of_one_name_are_told_apart_by_their_group() -> None:
    judges = (Judge("g", "a"), Judge("h", "a"), Judge(None, "b"), Judge(None, ""))
    assert judge_names(judges) == ("a (g)", "a (h)", "b", UNNAMED)


def test_shares_of_a_judges_ratings_sum_to_1(sample: Judgments) -> None:
    table = distribution_table(judge_summaries(sample))
    frame = pd.DataFrame(table.rows, columns=pd.Index(list(table.kinds)))
    assert frame.groupby("judge")["share"].sum().tolist() == pytest.approx([1.0] * 20)
    assert frame.groupby("judge")["ratings"].sum().sum() == 4450


def test_alpha_has_a_row_for_each_metric(sample: Judgments) -> None:
    interval = krippendorff_alpha(sample, resamples=50)
    ordinal = krippendorff_alpha(sample, "ordinal", resamples=50)
    table = alpha_table({"all": (interval, ordinal)})
    assert column(table, "metric") == ["interval", "ordinal"]
    assert column(table, "alpha") == [interval.coefficient, ordinal.coefficient]


def test_pairs_of_judges_are_listed_once_with_their_reason() -> None:
    rows = [f"{s},A,{j},{v}" for j, vs in {"x": (1, 2, 3), "y": (1, 3, 2)}.items() for s, v in enumerate(vs, 1)]
    table = judge_pairs_table(pairwise_kendall(ratings("\n".join(["segment,system,judge,score", *rows, "1,A,z,1"]))))
    # x against y: 2 of 3 pairs of items agree, (2 - 1) / 3.
    assert table.rows[0] == ("x", "y", pytest.approx(1 / 3), 3, "")
    assert [row[3] for row in table.rows] == [3, 1, 1]
    assert [bool(row[4]) for row in table.rows] == [False, True, True]


def test_pairs_of_judges_are_counted_by_coefficient(sample: Judgments) -> None:
    found = pairwise_kendall(sample)
    counts = tau_counts(found)
    assert sum(counts.few) + sum(counts.many) == found.pairs == 190
    lower, upper = counts.edges[:-1], counts.edges[1:]
    inside = [p for p in found if lower[15] <= round(p.coefficient, 9) < upper[15]]
    assert counts.few[15] + counts.many[15] == len(inside)
    assert len(tau_counts_table(counts).rows) == 20


def test_json_says_which_pairs_of_judges_it_lists(sample: Judgments, monkeypatch: pytest.MonkeyPatch) -> None:
    content = json.loads(json.dumps(to_json(judges_report(sample, sample.systems))))
    assert "reason" not in content["pairwise_kendall"]
    assert len(content["judge_pairs"]) == 190
    monkeypatch.setattr(judge_agreement, "MAX_LISTED_JUDGES", 19)
    monkeypatch.setattr(judge_agreement, "MAX_LISTED_PAIRS", 30)
    content = json.loads(json.dumps(to_json(judges_report(sample, sample.systems))))
    assert content["pairwise_kendall"]["reason"].startswith("30 of 190 pairs of judges are listed")
    assert len(content["judge_pairs"]) == 30


def test_variance_has_a_row_for_each_source(sample: Judgments) -> None:
    table = variance_table(judge_variance(sample))
    assert column(table, "source") == ["system", "segment", "judge", "residual"]
    assert sum(float(str(share)) for share in column(table, "share")) == pytest.approx(1)


def test_groups_and_their_pairs(sample: Judgments) -> None:
    found = compare_groups(sample, resamples=50)
    assert column(groups_table(found), "group") == ["bilingual", "monolingual"]
    (pair,) = group_pairs_table(found).rows
    assert pair[:4] == ("bilingual", "monolingual", 5, found.pairs[0].difference)
    assert systems_of_groups(found) == ("H2", "H1", "S3", "S2", "S1")
    assert list(group_means_table(found).kinds) == ["system", "mean_bilingual", "mean_monolingual"]


def test_p_is_shown_as_it_is_and_corrected_by_holm(sample: Judgments) -> None:
    noisy = sample.table.assign(score=np.random.default_rng(1).integers(1, 6, len(sample.table)).astype(float))
    found = compare_ratings(noisy)
    p_values = [pair.by_segment.p_value for pair in found.pairs]
    # Holm: the smallest p times the number of pairs, the next times one less, never falling, at most 1.
    order = np.argsort(p_values)
    steps = np.array(p_values)[order] * np.arange(len(p_values), 0, -1)
    expected = np.minimum(np.maximum.accumulate(steps), 1)
    assert np.array(corrected_p_values(found, "segment"))[order] == pytest.approx(expected)
    table = differences_table({"": found}, ["segment"])
    assert column(table, "p_value") == p_values
    assert column(table, "p_value_adjusted") == list(corrected_p_values(found, "segment"))


def test_differences_have_a_row_for_each_group_pair_and_unit(sample: Judgments) -> None:
    found = {g: compare_ratings(sample.of_group(g).table) for g in sample.groups}
    table = differences_table(found, UNITS)
    assert len(table.rows) == 2 * 4 * 3
    assert list(table.kinds)[:4] == ["judges", "system", "baseline", "unit"]
    assert "judges" not in differences_table({"": found["bilingual"]}, UNITS).kinds


def test_a_pair_the_other_way_round_has_the_opposite_difference(sample: Judgments) -> None:
    pair = compare_ratings(sample.table).pairs[0]
    turned = pair.reversed()
    assert (turned.better, turned.worse) == (pair.worse, pair.better)
    for unit in UNITS:
        there, back = pair.by(unit), turned.by(unit)
        assert (back.mean, back.t, back.p_value, back.n) == (-there.mean, -there.t, there.p_value, there.n)
        assert (back.interval.low, back.interval.high) == (-there.interval.high, -there.interval.low)
    assert turned.reversed() == pair


def test_what_is_undefined_is_null_for_programs_and_never_0() -> None:
    found = compare_ratings(ratings("system,score\nA,1\nB,3\n").table)
    table = differences_table({"": found}, ["segment"])
    (row,) = json.loads(json.dumps(table_json(table), allow_nan=False))["rows"]
    assert (row["mean_difference"], row["n"]) == (2, 1)
    assert [row[name] for name in ("low", "high", "t", "p_value", "p_value_adjusted")] == [None] * 5
    assert row["reason"] == "1 segment in common, at least 2 needed"


def test_every_table_is_written_in_every_form(sample: Judgments) -> None:
    groups = compare_groups(sample, resamples=20)
    for table in (
        judges_table(judge_summaries(sample)),
        judge_pairs_table(pairwise_kendall(sample)),
        groups_table(groups),
        group_pairs_table(groups),
        differences_table({"": compare_ratings(sample.table)}, UNITS),
    ):
        assert to_text(table)
        assert to_latex(table)
        assert to_xlsx(table)
        assert len(to_tsv(table).splitlines()) == len(table.rows) + 1
