"""Comparisons as tables, JSON, JUnit and words to quote."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from many_systems import MANY, MAX_WITH_ALL_PAIRS, many_systems
from scipy import stats

import sample_data
from bleu_core.dataset import Corpus
from bleu_core.fields import Cell, Table
from bleu_core.inference import (
    CORRECTIONS,
    TESTS,
    Comparisons,
    Correction,
    Gate,
    Test,
    Verdict,
    all_pairs,
    baseline_pairs,
    compare,
    document_blocks,
    equal_blocks,
    metric_intervals,
    t_by_block_size,
    text_needed,
)
from bleu_core.results.encoding import to_json
from bleu_core.results.latex import to_latex
from bleu_core.results.significance import (
    block_sizes_table,
    caption,
    comparison_report,
    comparison_table,
    deltas_table,
    gate_junit,
    gate_line,
    gate_report,
    gate_table,
    grid_table,
    is_large,
    methods,
    pair_blocks_table,
    shown_pairs,
    shown_pairs_note,
    text_needed_table,
    tier_table,
)
from bleu_core.results.significance import tests_table as table_of_tests  # pytest would take it for a test
from bleu_core.results.table import to_text, to_tsv
from bleu_core.scoring import ScoredCorpus, evaluate, find_metric, score_metric

SEGMENTS = 120


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:SEGMENTS])


# Names that the tables' own columns have, or that look like the names these make of them.
NAMES = dict(zip(("S1", "S2", "S3", "H1"), ("system", "against_system", "delta", "a"), strict=True))
CORPUS = Corpus(
    {NAMES[p.stem]: lines(p) for p in sample_data.systems() if p.stem in NAMES},
    {p.stem: lines(p) for p in sample_data.references()[:2]},
)
EVALUATION = evaluate(CORPUS)
BLEU = score_metric(CORPUS, EVALUATION, "bleu")
CHRF = score_metric(CORPUS, EVALUATION, "chrf2")
#: Lower is better; the numbers are the same.
UPSIDE_DOWN = ScoredCorpus(
    find_metric("ter"), "nrefs:2|case:lc|tok:tercom", replace(BLEU.statistics, higher_is_better=False)
)
DOCUMENTS = document_blocks([f"d{n // 2}" for n in range(SEGMENTS)])


def compared(test: Test = "bootstrap", found: ScoredCorpus = BLEU, **options: Any) -> Comparisons:
    draws: dict[str, Any] = {"resamples": 1200, "trials": 1200} | options
    return compare(found.statistics, draws.pop("pairs", all_pairs(EVALUATION.systems)), test=test, **draws)


ALL = {test: compared(test) for test in TESTS}
GATE = Gate(
    system="new",
    baseline="old",
    delta=-1.25,
    low=-2.0,
    high=-0.5,
    margin=0.3,
    alpha=0.05,
    verdict="worse",
    unit="segment",
    units=120,
    segments_needed=2345,
    detectable_margin=1.125,
    reason="",
    resamples=500,
    seed=3,
)


def column(table: Table, name: str) -> list[Cell]:
    """All cells of a column."""
    position = list(table.kinds).index(name)
    return [row[position] for row in table.rows]


def cell(table: Table, row: str, name: str) -> Any:
    """The cell of a system's row."""
    return dict(zip(column(table, "system"), column(table, name), strict=True))[row]


# --- tables -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", TESTS)
def test_a_pair_a_row_with_all_digits(test: Test) -> None:
    result = ALL[test]
    table = comparison_table(result)
    assert {len(row) for row in table.rows} == {len(table.kinds)}
    for name, values in {
        "system": [p.system for p in result.pairs],
        "baseline": [p.baseline for p in result.pairs],
        "delta": [p.delta for p in result.pairs],
        "low": [p.interval.low for p in result.pairs],
        "high": [p.interval.high for p in result.pairs],
        "p_value": [p.p_value for p in result.pairs],
        "p_value_adjusted": [p.p_value_adjusted for p in result.pairs],
    }.items():
        assert column(table, name) == values
    of_t = {"mean_difference", "t", "degrees_of_freedom"}
    assert of_t & set(table.kinds) == (of_t if test == "t" else set())
    scores = dict(zip(result.systems, result.scores.tolist(), strict=True))
    for row in table.rows:
        assert row[2] == pytest.approx(scores[str(row[0])] - scores[str(row[1])])


def test_verdicts_are_words_that_follow_the_metrics_direction() -> None:
    words = column(comparison_table(ALL["bootstrap"]), "verdict")
    turned = column(comparison_table(compared(found=UPSIDE_DOWN)), "verdict")
    assert {"better", "not significant"} <= set(words)
    other = {"better": "worse", "worse": "better", "not significant": "not significant"}
    assert turned == [other[str(word)] for word in words]


@pytest.mark.parametrize("test", TESTS)
def test_the_grid_has_differences_above_the_diagonal_and_corrected_p_below(test: Test) -> None:
    result = ALL[test]
    table = grid_table(result)
    order = column(table, "system")
    scores = dict(zip(result.systems, result.scores.tolist(), strict=True))
    assert order == sorted(scores, key=lambda name: -scores[name]) == list(result.ranked)
    assert list(table.kinds) == ["system", *(f"against_{name}" for name in order)]
    for above, below in combinations(map(str, order), 2):
        assert cell(table, above, f"against_{below}") == pytest.approx(scores[above] - scores[below])
        pair = result.between(above, below)
        assert pair is not None
        assert cell(table, below, f"against_{above}") == pair.p_value_adjusted
    assert [cell(table, str(name), f"against_{name}") for name in order] == [""] * len(order)


def test_the_grid_does_not_depend_on_the_pairs_directions() -> None:
    turned = tuple((baseline, system) for system, baseline in all_pairs(EVALUATION.systems))
    found, wanted = grid_table(compared(pairs=turned)), grid_table(ALL["bootstrap"])
    assert found.kinds == wanted.kinds
    for one, other in zip(found.rows, wanted.rows, strict=True):
        assert one == tuple(pytest.approx(value) if isinstance(value, float) else value for value in other)


def test_the_grid_is_empty_where_nothing_was_compared() -> None:
    result = compared(pairs=baseline_pairs(EVALUATION.systems, "a"))
    table = grid_table(result)
    assert cell(table, "delta", "against_system") == ""
    assert cell(table, "a", "against_system") > 0


def test_tiers_are_listed_best_first_with_scores_and_bounds() -> None:
    bounds = metric_intervals(BLEU.statistics, resamples=100)
    table = tier_table(ALL["bootstrap"], bounds)
    assert column(table, "system")[0] == "a"  # the human translator
    assert column(table, "tier")[:2] == [1, 2]
    numbers = [float(n) for n in column(table, "tier")]
    assert numbers == sorted(numbers)
    scores = [float(s) for s in column(table, "score")]
    assert scores == sorted(EVALUATION.scores.score.tolist(), reverse=True)
    assert column(table, "low") == [bounds[str(name)].low for name in column(table, "system")]
    assert column(table, "high") == [bounds[str(name)].high for name in column(table, "system")]
    assert list(tier_table(ALL["bootstrap"]).kinds) == ["tier", "system", "score", "beats"]


def test_three_tests_of_a_pair_are_a_row_each() -> None:
    results = [compared(test, pairs=[(2, 0)]) for test in ("bootstrap", "randomization", "t")]
    table = table_of_tests(results)
    assert column(table, "test") == ["paired bootstrap", "approximate randomisation", "paired t"]
    assert column(table, "p_value") == [result.pairs[0].p_value for result in results]
    deltas = [float(d) for d in column(table, "delta")]
    assert deltas[:2] == [results[0].pairs[0].delta] * 2
    # What t is of lies in the middle of its interval.
    low, high = (float(column(table, bound)[2]) for bound in ("low", "high"))
    assert deltas[2] == pytest.approx((low + high) / 2)
    assert column(table, "resampled") == [result.resampled for result in results]


def test_block_scores_of_two_systems_and_their_difference() -> None:
    blocks = equal_blocks(SEGMENTS, 3)
    table = pair_blocks_table(("difference", "block"), blocks, [[1.0, 2.0, 3.0], [4.0, 4.0, 1.0]])
    assert list(table.kinds) == ["block", "segments", "score_difference", "score_block", "difference"]
    assert column(table, "difference") == [3.0, 2.0, -2.0]
    assert column(table, "segments") == [40, 40, 40]
    by_document = pair_blocks_table(("x", "y"), DOCUMENTS, [[0.0] * 60, [1.0] * 60])
    assert column(by_document, "document") == [f"d{n}" for n in range(60)]
    helps = [one.columns["difference"].help for one in (table, by_document)]
    assert helps == [f"Score of the system on the {unit} minus that of the baseline." for unit in ("block", "document")]


def test_resampled_differences_are_a_draw_a_row() -> None:
    table = deltas_table({"one": [1.0, 2.0], "other": [3.0]})
    assert table.rows == (("one", 1.0), ("one", 2.0), ("other", 3.0))


def test_widths_are_measured_up_to_the_text_and_expected_beyond() -> None:
    needed = text_needed(BLEU.statistics, "delta", "system", resamples=100)
    table = text_needed_table(needed)
    kinds = column(table, "kind")
    measured = [row for row in table.rows if row[2] == "measured"]
    expected = [row for row in table.rows if row[2] == "expected"]
    assert kinds == sorted(kinds, reverse=True)
    assert [row[0] for row in measured] == needed.sizes.tolist()
    assert [row[1] for row in measured] == needed.widths.tolist()
    assert (measured[-1][0], expected[0][0]) == (SEGMENTS, SEGMENTS)
    assert float(expected[-1][0]) >= 10 * SEGMENTS
    # It falls with the square root of the number of segments.
    (first, width), (last, narrow) = ((float(row[0]), float(row[1])) for row in (expected[0], expected[-1]))
    assert narrow == pytest.approx(width * math.sqrt(first / last), rel=1e-3)


def test_the_segments_needed_are_drawn_if_they_are_not_too_many() -> None:
    needed = text_needed(BLEU.statistics, "delta", "system", resamples=100)
    wanted = needed.detectable() / math.sqrt(30)  # takes 30 times the text
    far = text_needed_table(replace(needed, delta=wanted))
    assert 30 * SEGMENTS < float(far.rows[-1][0]) < 60 * SEGMENTS
    assert float(text_needed_table(replace(needed, delta=wanted / 100)).rows[-1][0]) == 100 * SEGMENTS
    assert float(text_needed_table(replace(needed, delta=0.0)).rows[-1][0]) == 10 * SEGMENTS


def test_t_by_size_of_block_is_scipys() -> None:
    sizes = t_by_block_size(BLEU.statistics, "delta", "system")
    table = block_sizes_table(sizes)
    for size, number, mean, t, p_value, note in table.rows:
        labels = equal_blocks(SEGMENTS, int(number)).labels
        scores = BLEU.statistics.select(["delta", "system"])
        wanted: Any = stats.ttest_rel(*scores.score(scores.sums_by_label(labels)))
        assert float(size) == pytest.approx(SEGMENTS / int(number))
        assert (t, p_value, note) == (pytest.approx(wanted.statistic), pytest.approx(wanted.pvalue), "")
        assert math.copysign(1, float(mean)) == math.copysign(1, float(t))
    assert len(table.rows) > 3


def test_tables_are_printed_whatever_the_systems_are_called() -> None:
    for table in (*(comparison_table(r) for r in ALL.values()), grid_table(ALL["t"]), tier_table(ALL["t"])):
        assert len(to_text(table).split("\n")) == len(table.rows) + 2
        assert to_latex(table).count(r"\\") == len(table.rows) + 1
        assert {line.count("\t") for line in to_tsv(table).rstrip("\n").split("\n")} == {len(table.kinds) - 1}


# --- words ------------------------------------------------------------------------------------------------------

QUOTED: dict[Test, tuple[str, ...]] = {
    "bootstrap": ("Koehn, 2004", "1,200 resamples of 120 segments", "seed 12345", "two-sided"),
    "sacrebleu-bootstrap": ("sacreBLEU", "1,200 resamples of 120 segments", "seed 12345"),
    "randomization": ("Riezler and Maxwell, 2005", "1,200 trials over 120 segments", "seed 12345", "1,200 bootstrap"),
    "t": ("paired t", "20 blocks", "Papineni et al., 2002", "two-sided"),
}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("found", [BLEU, CHRF], ids=["BLEU", "chrF2"])
def test_the_methods_say_all_that_it_takes_to_do_it_again(test: Test, found: ScoredCorpus) -> None:
    said = methods(compared(test, found), found, EVALUATION)
    for part in (
        *QUOTED[test],
        f"by {found.label} ({found.signature})",
        "on 120 segments with 2 references",
        "corrected for 6 pairs of 4 systems by Holm's method",
        "significance level of 0.05",
        "95 percent",
    ):
        assert part in said
    assert "  " not in said
    assert said.endswith(").")


@pytest.mark.parametrize("test", TESTS)
def test_the_caption_says_what_is_shown(test: Test) -> None:
    said = caption(ALL[test], BLEU, EVALUATION)
    drawn = {"t": "paired t over 20 blocks", "randomization": "1,200 trials, seed 12345"}
    for part in (
        "Differences in BLEU (points)",
        "95 percent intervals",
        drawn.get(test, "1,200 resamples, seed 12345"),
        "corrected for 6 pairs of 4 systems by Holm's method",
        "120 segments with 2 references",
        BLEU.signature,
    ):
        assert part in said


def test_only_p_values_with_two_sides_are_called_two_sided() -> None:
    for test, result in ALL.items():
        assert ("two-sided" in caption(result, BLEU, EVALUATION)) is (test != "sacrebleu-bootstrap")
        assert ("two-sided" in methods(result, BLEU, EVALUATION)) is (test != "sacrebleu-bootstrap")


@pytest.mark.parametrize("test", [test for test in TESTS if test != "t"])
def test_nothing_is_quoted_that_was_not_computed(test: Test) -> None:
    halves = document_blocks([f"d{2 * n // SEGMENTS}" for n in range(SEGMENTS)])
    for said in (words(compared(test, groups=halves), BLEU, EVALUATION) for words in (methods, caption)):
        assert "without intervals and p-values: only 2 documents, at least 6 needed" in said
        assert "resamples" not in said
        assert "trials" not in said
        assert "95" not in said


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_a_correction_is_quoted_where_there_was_one(correction: Correction) -> None:
    many, one = compared(correction=correction), compared(correction=correction, pairs=[(1, 0)])
    named = {"holm": "Holm's method", "benjamini-hochberg": "Benjamini and Hochberg", "none": "corrected by"}[
        correction
    ]
    for words in (methods, caption):
        assert (named in words(many, BLEU, EVALUATION)) is (correction != "none")
        assert "corrected" not in words(one, BLEU, EVALUATION)
    assert ("not corrected for the number" in methods(many, BLEU, EVALUATION)) is (correction == "none")


def test_what_was_asked_for_is_quoted_and_not_what_is_usual() -> None:
    result = compared(seed=7, alpha=0.01, groups=DOCUMENTS, pairs=[(1, 0)])
    said = methods(result, BLEU, EVALUATION)
    assert "the jackknife over 60 documents (Tukey, 1958; two-sided p-values of Student's t with 59 degrees" in said
    assert "significance level of 0.01" in said
    assert "(jackknife over 60 documents)" in caption(result, BLEU, EVALUATION)
    one = evaluate(Corpus(CORPUS.systems, {"R": CORPUS.references["R1"]}))
    assert "120 segments with 1 reference," in methods(result, BLEU, one)


# --- JSON -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", TESTS)
def test_json_has_no_nan_even_where_nothing_is_defined(test: Test) -> None:
    corpus = Corpus({"a": ("x y z v w",), "b": ("x y z v u",)}, {"R": ("x y z v w q",)})
    alone = evaluate(corpus)
    result = compare(alone.statistics, [(0, 1)], test=test)
    found = json.loads(
        json.dumps(to_json(comparison_report(result, score_metric(corpus, alone, "bleu"), alone)), allow_nan=False)
    )
    (pair,) = found["pairs"]
    assert pair["p_value"] is pair["p_value_adjusted"] is pair["low"] is pair["high"] is None
    assert pair["reason"]
    assert "tiers" not in found


def test_json_has_tiers_of_all_pairs_only() -> None:
    some = to_json(comparison_report(compared(pairs=baseline_pairs(EVALUATION.systems, "a")), BLEU, EVALUATION))
    assert "tiers" not in some
    assert to_json(comparison_report(ALL["t"], BLEU, EVALUATION))["tiers"] == [
        [name for name, tier in zip(column(table, "system"), column(table, "tier"), strict=True) if tier == n]
        for table in [tier_table(ALL["t"])]
        for n in dict.fromkeys(column(table, "tier"))
    ]


# --- the gate ---------------------------------------------------------------------------------------------------


def test_the_gates_line_says_what_was_found_and_in_which_direction() -> None:
    said = gate_line(GATE, BLEU)
    assert said == (
        "fail: worse, 2,345 segments needed, detectable margin 1.12 BLEU: new is significantly worse than old by more "
        "than 0.3 BLEU: difference −1.25, one-sided 95% bounds −2.00 and −0.50"
    )
    assert gate_line(replace(GATE, verdict="not worse", alpha=0.01), UPSIDE_DOWN) == (
        "pass: not worse, 2,345 segments needed, detectable margin 1.12 TER: a loss of new against old of more than "
        "0.3 TER is excluded: difference −1.25, one-sided 99% bounds −2.00 and −0.50"
    )
    open_ = replace(GATE, verdict="inconclusive", unit="document", segments_needed=1)
    assert gate_line(open_, BLEU).startswith(
        "pass: inconclusive, 1 document needed, detectable margin 1.12 BLEU: new may or may not be worse than old by "
    )
    unknown = replace(open_, unit="bundle", segments_needed=math.nan, reason="why")
    assert "inconclusive, segments needed undefined, detectable" in gate_line(unknown, BLEU)


def test_the_gate_is_one_line_whatever_the_names() -> None:
    assert "\n" not in gate_line(replace(GATE, system="two\nlines", baseline="a\r\nb\x0bc"), BLEU)


def test_the_gate_as_table_and_json() -> None:
    report = gate_report(GATE, BLEU, EVALUATION)
    assert gate_table(report, BLEU).rows == (
        ("new", "old", -1.25, -2.0, -0.5, 0.3, "no", "worse", 2345, 1.125, "segment", 120, ""),
    )
    assert to_json(report)["passed"] is False
    assert to_json(report)["signature"] == BLEU.signature
    undefined = to_json(
        gate_report(replace(GATE, segments_needed=math.nan, reason="why", resamples=None), BLEU, EVALUATION)
    )
    assert (undefined["segments_needed"], undefined["reason"], "resamples" in undefined) == (None, "why", False)


@pytest.mark.parametrize(
    ("verdict", "passed"), [("not worse", True), ("inconclusive", True), ("inconclusive", False), ("worse", False)]
)
def test_junit_is_xml_that_counts_its_failures(*, verdict: Verdict, passed: bool) -> None:
    name = "<b> & \"q\" 'a' ]]> \x00\x07\ud800\ufffe é\n"
    text = gate_junit(replace(GATE, system=name, verdict=verdict), BLEU, failed=not passed)
    suite = ET.fromstring(text.encode())  # noqa: S314 # written just now
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("1", "0" if passed else "1", "0")
    (case,) = suite
    assert (case.get("name") or "").startswith("<b> & \"q\" 'a' ]]> ")
    assert "é" in (case.get("name") or "")
    assert [element.tag for element in case] == ["system-out" if passed else "failure"]
    assert BLEU.signature in (case[0].text or "") or passed
    if not passed:
        begin = {"worse": "fail: worse, ", "inconclusive": "required: not worse, found: inconclusive, "}[verdict]
        assert (case[0].get("message") or "").startswith(begin)


# --- large families ---------------------------------------------------------------------------------------------


def family(systems: int, **options: Any) -> Comparisons:
    statistics = evaluate(many_systems(systems)).statistics
    pairs = options.pop("pairs", None)
    return compare(statistics, all_pairs(statistics.systems) if pairs is None else pairs, resamples=100, **options)


def test_up_to_300_pairs_are_all_shown() -> None:
    comparisons = family(MAX_WITH_ALL_PAIRS)
    assert len(comparisons.pairs) == 300
    assert not is_large(comparisons)
    assert shown_pairs(comparisons) == comparisons.pairs
    assert shown_pairs_note(comparisons) == ""


def test_of_a_large_family_the_pairs_of_the_leader_and_of_neighbours_are_shown() -> None:
    comparisons = family(MANY)
    assert len(comparisons.pairs) == 325
    assert is_large(comparisons)
    place = {name: position for position, name in enumerate(comparisons.ranked)}
    expected = [
        pair
        for pair in comparisons.pairs
        if 0 in (places := {place[pair.system], place[pair.baseline]}) or max(places) - min(places) == 1
    ]
    assert list(shown_pairs(comparisons)) == expected
    assert len(expected) == 2 * MANY - 3
    table = comparison_table(comparisons, shown_pairs(comparisons))
    assert column(table, "p_value_adjusted") == [pair.p_value_adjusted for pair in expected]
    assert set(column(table, "family")) == {"325 pairs of 26 systems"}
    assert len(comparison_table(comparisons).rows) == 325


def test_p_of_shown_pairs_is_corrected_for_all() -> None:
    comparisons = family(MANY)
    most_significant = min(pair.p_value for pair in comparisons.pairs)
    corrected = [pair.p_value_adjusted for pair in shown_pairs(comparisons) if pair.p_value == most_significant]
    assert corrected
    assert corrected == [pytest.approx(min(325 * most_significant, 1))] * len(corrected)


def test_a_note_says_which_pairs_are_shown_and_what_p_is_corrected_for() -> None:
    comparisons = family(MANY)
    shown = (
        f"49 of 325 pairs are shown: those of {comparisons.ranked[0]}, which scores best, and of systems next to each "
        "other in the ranking"
    )
    chosen = "p is corrected for all 325 pairs, since these were chosen by their scores"
    assert shown_pairs_note(comparisons) == f"{shown}; {chosen}."
    uncorrected = shown_pairs_note(family(MANY, correction="none"))
    assert uncorrected == f"{shown}; p is not corrected for the number of pairs."
    untested = replace(comparisons, pairs=tuple(replace(pair, p_value=math.nan) for pair in comparisons.pairs))
    assert shown_pairs_note(untested) == f"{shown}."


def test_all_pairs_with_a_baseline_are_shown() -> None:
    comparisons = family(MANY, pairs=baseline_pairs(tuple(many_systems().systems), "System-1"))
    many = replace(comparisons, pairs=comparisons.pairs * 13)  # as of 326 systems
    assert len(many.pairs) > 300
    assert not is_large(many)
    assert shown_pairs(many) == many.pairs
