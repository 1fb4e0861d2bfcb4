"""Tables and JSON of results."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest
from judged import read_ratings

from bleu_core.agreement import MetricScores, SystemLevel, correlate, robustness
from bleu_core.dataset import Corpus, MissingText
from bleu_core.fields import Approximate, AtMost, Field, Kind, Table
from bleu_core.formats.text import Text
from bleu_core.inference import block_scores, equal_blocks, score_intervals
from bleu_core.results.agreement import agreement_table, coefficients_table, system_level_report
from bleu_core.results.blocks import block_report, block_score_table, block_table
from bleu_core.results.encoding import table_json, to_json
from bleu_core.results.latex import to_latex
from bleu_core.results.precisions import decay_table, precision_table
from bleu_core.results.scores import score_report, score_table
from bleu_core.results.table import format_cell, format_p, formatted, to_frame, to_text, to_tsv
from bleu_core.scoring import BleuSettings, ScoredCorpus, evaluate, fit_decay, score_metric

TEXT = ("the cat sat on the mat", "a dog ran in the park", "it is late now , she said")
CORPUS = Corpus(
    {
        "B_1": ("the cat sat on a mat", "a dog ran in a park", "it is late now , he said"),
        "A": ("a cat sat on mats", "the dog walked in parks", "late it is , she says"),
        "C": ("cats sit", "dogs run", "it is late"),
    },
    {"R": TEXT},
)
EVALUATION = evaluate(CORPUS, BleuSettings(tokenizer="none"))
BLOCKS = block_scores(EVALUATION, equal_blocks(3, 3))
AGREEMENT = correlate(CORPUS, EVALUATION, read_ratings(Text("system,score\nA,2\nB_1,3\nC,1\nD,4\n", "UTF-8"), "h.csv"))
ROBUSTNESS = robustness(
    MetricScores.of_metric(ScoredCorpus.of_bleu(EVALUATION)), AGREEMENT.human, np.eye(3), stability_resamples=20
)
TABLES = {
    "score": score_table(EVALUATION),
    "precision": precision_table(EVALUATION),
    "decay": decay_table(EVALUATION.systems, fit_decay(EVALUATION.scores)),
    "block": block_table(BLOCKS),
    "block scores": block_score_table(BLOCKS),
    "agreement": agreement_table(AGREEMENT),
    "coefficients": coefficients_table(AGREEMENT, ROBUSTNESS),
}


def column(table: Table, name: str) -> list[str | int | float]:
    """All cells of a column."""
    position = list(table.kinds).index(name)
    return [row[position] for row in table.rows]


@pytest.mark.parametrize(
    ("p_value", "said"),
    [
        (0.0, "< 0.001"),
        (0.0009999, "< 0.001"),
        (0.001, "0.0010"),
        (0.0123, "0.012"),
        (0.05, "0.050"),
        (0.5, "0.50"),
        (1.0, "1.0"),
        (math.nan, "undefined"),
    ],
)
def test_p_values_have_two_digits_and_are_never_0(p_value: float, said: str) -> None:
    assert format_p(p_value) == said


@pytest.mark.parametrize(
    ("p_value", "said"),
    [
        (1 / 1001, "≤ 0.0010"),
        (1 / 24_001, "≤ 0.000042"),
        (1 / 50_001, "≤ 0.000020"),
        (120 / 24_001, "≤ 0.0050"),
        (0.0995, "≤ 0.10"),
        (1 / 11, "≤ 0.091"),
        (0.5, "≤ 0.50"),
        (1.0, "≤ 1.0"),
    ],
)
def test_p_values_that_are_bounds_say_so_to_people_and_are_numbers_to_programs(p_value: float, said: str) -> None:
    assert format_p(AtMost(p_value)) == said
    table = Table({"system": Field("text"), "p_value": Field("p")}, (("A", AtMost(p_value)),))
    assert said in to_text(table)
    assert f"\\ensuremath{{\\leq}} {said[2:]}" in to_latex(table)
    assert to_tsv(table) == f"system\tp_value\nA\t{p_value!r}\n"
    assert to_frame(table)["p_value"].tolist() == [p_value]
    assert json.loads(json.dumps(AtMost(p_value))) == p_value


@pytest.mark.parametrize(
    ("p_value", "said"),
    [
        (11 / 10_001, "≈ 0.0011"),
        (0.000234, "≈ 0.00023"),
        (1.04e-6, "≈ 0.0000010"),
        (9.9e-7, "< 0.000001"),
        (5e-324, "< 0.000001"),
        (1.0, "≈ 1.0"),
    ],
)
def test_p_values_that_are_approximations_say_so_to_people(p_value: float, said: str) -> None:
    assert format_p(Approximate(p_value)) == said
    table = Table({"p_value": Field("p")}, ((Approximate(p_value),),))
    assert said in to_text(table)
    assert said.startswith("<") or f"\\ensuremath{{\\approx}} {said[2:]}" in to_latex(table)
    assert to_tsv(table) == f"p_value\n{p_value!r}\n"
    assert json.loads(json.dumps(Approximate(p_value))) == p_value


@pytest.mark.parametrize(
    ("cell", "kind", "said"),
    [
        ("a_b", "text", "a_b"),
        (12, "count", "12"),
        (8.0, "count", "8"),
        (8.5, "count", "8.5"),
        (1234567, "count", "1,234,567"),
        (43.7491, "points", "43.75"),
        (1.5, "difference", "+1.50"),
        (-1.5, "difference", "−1.50"),
        (0.99211, "fraction", "0.992"),
        (-2.40529, "number", "−2.405"),
        (0.04, "p", "0.040"),
        (math.nan, "points", ""),
        (math.nan, "p", ""),
        (math.nan, "difference", ""),
    ],
)
def test_cells_are_formatted_by_kind(cell: float | str, kind: Kind, said: str) -> None:
    assert format_cell(cell, kind) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [("bleu", "BLEU"), ("p_value", "p"), ("precision_3", "p3"), ("brevity_penalty", "brevity penalty"), ("t", "t")],
)
def test_columns_have_names_for_people(name: str, said: str) -> None:
    columns = {**TABLES["block"].columns, **TABLES["score"].columns}
    assert columns[name].title(name) == said


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_as_wide_as_the_header(name: str) -> None:
    table = TABLES[name]
    assert table.rows
    assert {len(row) for row in table.rows} == {len(table.kinds)}
    assert all(len(row) == len(table.kinds) for row in formatted(table))


@pytest.mark.parametrize("name", TABLES)
def test_tsv_has_all_digits(name: str) -> None:
    table = TABLES[name]
    header, *rows = csv.reader(io.StringIO(to_tsv(table)), dialect="excel-tab")
    assert header == list(table.kinds)
    for row, cells in zip(rows, table.rows, strict=True):
        for written, cell in zip(row, cells, strict=True):
            if isinstance(cell, str):
                assert written == cell
            elif math.isnan(cell):
                assert written == ""
            else:
                assert float(written) == cell


@pytest.mark.parametrize("name", TABLES)
def test_text_and_latex_show_every_row(name: str) -> None:
    table = TABLES[name]
    assert len(to_text(table).split("\n")) == len(table.rows) + 2
    latex = to_latex(table)
    assert latex.count(r"\\") == len(table.rows) + 1
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert rule in latex


def test_numbers_are_right_aligned_and_text_left() -> None:
    assert r"\begin{tabular}{lrrrrrrrrr}" in to_latex(TABLES["score"])


def test_a_column_of_reasons_is_shown_only_where_there_is_a_reason() -> None:
    assert "reason" not in to_text(TABLES["block"])
    assert "reason" in to_tsv(TABLES["block"]).split("\n")[0].split("\t")
    copies = Corpus({"A": CORPUS.systems["A"], "B": CORPUS.systems["A"]}, CORPUS.references)
    noted = block_table(block_scores(evaluate(copies), equal_blocks(3, 3)))
    assert "reason" in to_text(noted)
    assert "reason" in to_latex(noted)


def test_names_that_look_like_numbers_stay_as_they_are() -> None:
    table = Table({"system": Field("text"), "bleu": Field("points")}, (("1e5", 1.0), ("007", 2.0), ("nan", 3.0)))
    for name in ("1e5", "007", "nan"):
        assert name in to_text(table)
        assert name in to_latex(table)


def test_the_length_ratio_is_hypothesis_over_reference() -> None:
    table = TABLES["score"]
    hypothesis, reference = column(table, "hypothesis_length"), column(table, "reference_length")
    assert column(table, "length_ratio") == pytest.approx(
        [float(h) / float(r) for h, r in zip(hypothesis, reference, strict=True)]
    )


def test_a_reference_without_words_has_no_length_ratio() -> None:
    empty = evaluate(Corpus({"A": ("x",)}, {"R": ("",)}))
    assert math.isnan(float(column(score_table(empty), "length_ratio")[0]))
    assert to_json(score_report(empty))["systems"]


@pytest.mark.parametrize("name", ["bleu", "chrf2"])
def test_a_system_without_a_usable_output_is_last_and_has_a_reason(name: str) -> None:
    missing = [
        MissingText(
            role="system", name="Lost", place="x.txt", problem="x.txt: the file is empty", segments=0, expected=2
        )
    ]
    corpus = Corpus({"A": ("a b c d e", "f")}, {"R": ("a b c d e", "g")})
    evaluation = evaluate(corpus)
    if name == "bleu":
        intervals = score_intervals(evaluation, resamples=10)
        table, plain = score_table(evaluation, intervals, missing=missing), score_table(evaluation, intervals)
        report = score_report(evaluation, intervals, missing=missing)
    else:
        of_metric = score_metric(corpus, evaluation, name)
        table, plain = score_table(of_metric, missing=missing), score_table(of_metric)
        report = score_report(evaluation, scored=of_metric, missing=missing)
    reason = "no score: the file is empty (0 lines, 2 expected)"
    field = "bleu" if name == "bleu" else "score"
    entry = {"system": "Lost", "score": None, field: None, "scores": {name: None}, "reason": reason}
    assert to_json(report)["systems"][1:] == [entry]
    assert table.without("reason").columns == plain.columns
    assert table.without("reason").rows[:1] == plain.rows
    assert column(table, "system")[1:] == ["Lost"]
    assert column(table, "reason") == ["", reason]
    assert all(math.isnan(float(cell)) for cell in table.without("system", "reason").rows[1])


def test_average_reference_lengths_keep_their_fraction() -> None:
    corpus = Corpus({"A": ("a b",)}, {"R": ("a",), "Q": ("a b",)})
    found = to_json(score_report(evaluate(corpus, BleuSettings(reference_length="average"))))
    assert found["systems"][0]["reference_length"] == 1.5
    whole = to_json(score_report(evaluate(corpus, BleuSettings(reference_length="closest"))))
    assert json.dumps(whole["systems"][0]["reference_length"]) == "2"


def test_precisions_are_listed_with_their_counts() -> None:
    table = TABLES["precision"]
    assert column(table, "order") == [1, 2, 3, 4] * 3
    for name, order, precision, matches, totals in table.rows:
        assert isinstance(matches, int)
        assert isinstance(totals, int)
        if matches:
            assert precision == pytest.approx(matches / totals), (name, order)


def test_the_precision_table_equals_the_counts() -> None:
    scores = EVALUATION.scores
    table = TABLES["precision"]
    assert column(table, "matches") == scores.matches.ravel().tolist()
    assert column(table, "totals") == scores.totals.ravel().tolist()
    assert column(table, "precision") == scores.precisions.ravel().tolist()


def test_an_undefined_decay_says_why() -> None:
    evaluation = evaluate(Corpus({"A": ("x y",)}, {"R": ("x z",)}), BleuSettings(tokenizer="none"))
    (row,) = decay_table(evaluation.systems, fit_decay(evaluation.scores)).rows
    assert math.isnan(float(row[1]))
    assert "at least 2 needed" in str(row[-1])


def test_the_lowest_system_of_a_block_table_has_no_baseline() -> None:
    table = TABLES["block"]
    assert column(table, "system") == list(BLOCKS.systems)
    assert column(table, "baseline") == ["", *BLOCKS.systems[:-1]]
    assert math.isnan(float(column(table, "t")[0]))


def test_block_scores_are_listed_by_system_and_block() -> None:
    table = TABLES["block scores"]
    assert column(table, "system") == [name for name in BLOCKS.systems for _ in range(3)]
    assert column(table, "block") == ["1", "2", "3"] * 3
    assert column(table, "segments") == [1] * 9
    assert column(table, "bleu") == BLOCKS.scores.ravel().tolist()


@pytest.mark.parametrize("name", ["block", "segments", "my_mt_system", "bleu", "t", "precision_5", "note"])
def test_a_systems_name_is_no_columns_name_and_stays_as_it_is(name: str) -> None:
    corpus = Corpus({name: CORPUS.systems["A"], "other": CORPUS.systems["B_1"]}, CORPUS.references)
    evaluation = evaluate(corpus)
    blocks = block_scores(evaluation, equal_blocks(3, 3))
    for table in (score_table(evaluation), precision_table(evaluation), block_table(blocks), block_score_table(blocks)):
        assert {len(row) for row in table.rows} == {len(table.kinds)}
        shown = to_text(table).split("\n")[2:]
        assert {line.split()[0] for line in shown} == {name, "other"}


def test_blocks_json_is_strict() -> None:
    alone = EVALUATION.select(["A"])
    found = to_json(block_report(block_scores(alone, equal_blocks(3, 1)), alone))
    assert json.loads(json.dumps(found, allow_nan=False))["systems"][0]["standard_deviation"] is None


def test_correlate_json_is_strict_and_lists_what_was_left_out() -> None:
    report = system_level_report(SystemLevel((AGREEMENT,), None), EVALUATION)
    found = json.loads(json.dumps(to_json(report), allow_nan=False))
    assert found["excluded"] == [{"system": "D", "reason": "has ratings, but no text in use"}]
    assert [system["system"] for system in found["systems"]] == ["B_1", "A", "C"]
    assert found["pearson"]["coefficient"] == pytest.approx(AGREEMENT.pearson.coefficient)


def test_the_agreement_table_scales_both_sides_to_their_range() -> None:
    table = TABLES["agreement"]
    assert column(table, "human") == [3, 2, 1]
    assert column(table, "human_normalised") == [1, 0.5, 0]
    scaled = np.array(column(table, "bleu_normalised"), np.float64)
    assert (scaled.min(), scaled.max()) == (0, 1)


def test_the_table_of_coefficients_says_how_many_pairs_agree() -> None:
    table = TABLES["coefficients"]
    assert column(table, "coefficient") == [
        *("pearson", "spearman", "kendall", "pairwise accuracy", "soft pairwise accuracy")
    ]
    assert (column(table, "agreeing")[3], column(table, "pairs")[3]) == (3, 3)


def test_undefined_is_null() -> None:
    assert to_json(math.nan) is None
    assert to_json(math.inf) is None
    assert to_json(0.0) == 0.0
    assert table_json(Table({"a": Field("number")}, ((math.nan,),))) == {"rows": [{"a": None}]}
