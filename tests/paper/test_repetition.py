"""The paper's experiment: what the sample data were made to show, and what happens with less than it takes."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import sample
from hypothesis import given, settings
from texts import Texts, corpora

from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.paper import GroupDifferences, PaperOptions, repeat_experiment
from bleu_core.paper import printed as paper
from bleu_core.scoring import PRESETS, BleuSettings, evaluate

PAPER = PRESETS["paper"]
NEIGHBOURS = [(right, left) for left, right in pairwise(paper.SYSTEMS)]
SMALL = Corpus(
    {"A": ("a b c d e", "f g h i j"), "B": ("a b c d x", "f g h i j"), "C": ("a b x d e", "x g h y j")},
    {"R": ("a b c d e", "f g h i y"), "Q": ("a b c d z", "f g h i j")},
)


def of_group(name: str | None) -> GroupDifferences:
    found = sample.repeated().ratings
    assert found is not None
    return next(group for group in found.differences if group.group == name)


# --- the sample data's calibration ------------------------------------------------------------------------------


def test_bleu_on_two_references_is_that_of_table_1() -> None:
    found = sample.repeated()
    assert found.evaluation.references == ("R1", "R2")
    assert found.table_2.systems == paper.SYSTEMS
    assert found.table_2.corpus_scores == pytest.approx(list(paper.TABLE_1.values()), abs=1)  # 0.01 of BLEU from 0 to 1


def test_the_best_human_gains_by_two_further_references_as_in_section_3() -> None:
    numbers = {n.number: n for n in sample.repeated().references_by_number}
    human = numbers[4].systems.index("H2")
    assert numbers[4].by_system[human].mean == pytest.approx(paper.H2_BY_REFERENCES[4], abs=2)
    of_tables = numbers[2].subsets.index(("R1", "R2"))
    assert numbers[2].scores[of_tables, human] == pytest.approx(paper.H2_BY_REFERENCES[2], abs=1)


def test_neighbours_differ_on_20_blocks_of_25() -> None:
    found = sample.repeated().table_2
    assert found.blocks.sizes == (paper.BLOCK_SIZE,) * paper.BLOCKS
    assert [(pair.system, pair.baseline) for pair in found.pairs] == NEIGHBOURS
    assert all(pair.test.t > paper.CRITICAL_T for pair in found.pairs)
    assert not found.zero_blocks.any()


def test_monolingual_judges_differ_between_machines_as_printed() -> None:
    pairs = {(p.better, p.worse): p for p in of_group("monolingual").pairs}
    for names, printed in paper.MONOLINGUAL_DIFFERENCES.items():
        assert pairs[names].by_judge_and_segment.mean == pytest.approx(printed, abs=0.05)
    assert list(pairs) == NEIGHBOURS
    assert all(pair.significant for pair in pairs.values())


def test_bilingual_judges_tell_the_machines_but_not_the_humans_apart() -> None:
    pairs = {(p.better, p.worse): p for p in of_group("bilingual").pairs}
    assert pairs["S3", "S2"].significant
    assert not pairs["H2", "H1"].significant


@pytest.mark.parametrize("group", paper.GROUPS)
def test_the_step_from_machine_to_human_is_the_largest(group: str) -> None:
    pairs = of_group(group).pairs
    largest = max(pairs, key=lambda pair: pair.by_judge_and_segment.mean)
    assert (largest.better, largest.worse) == ("H1", "S3")


@pytest.mark.parametrize("group", paper.GROUPS)
def test_comparisons_rest_on_350_to_470_pairs(group: str) -> None:
    assert of_group(group).judges == paper.JUDGES
    assert all(paper.MIN_N <= p.by_judge_and_segment.n <= paper.MAX_N for p in of_group(group).pairs)


@pytest.mark.parametrize("group", paper.GROUPS)
def test_correlations_are_those_of_section_5(group: str) -> None:
    found = sample.repeated().ratings
    assert found is not None
    (r,) = (a.everyone.pearson.coefficient for a in found.agreements if a.group == group)
    assert r == pytest.approx(paper.CORRELATIONS[group], abs=0.02)


# --- the parts fit together -------------------------------------------------------------------------------------


def test_figures_are_of_the_references_and_segments_that_the_paper_took() -> None:
    found = sample.repeated()
    assert (found.figure_1.systems, found.figure_1.segments) == (("S1", "H2"), 127)
    assert found.figure_1.references == ("R1", "R2", "R3", "R4")
    assert (found.figure_2.systems, found.figure_2.references) == (paper.SYSTEMS, ("R1", "R2"))
    assert found.single_reference.units == 40
    assert found.single_reference.unit == "document"


def test_block_sizes_hold_the_20_blocks_of_table_2_as_one_choice_among_many() -> None:
    found = sample.repeated()
    assert [(b.system, b.baseline) for b in found.block_sizes] == NEIGHBOURS
    for sizes in found.block_sizes:
        values = [test.t for test in sizes.tests]
        assert max(values) > 1.2 * min(values) > 0


def test_combinations_hold_the_scores_of_table_1() -> None:
    found = sample.repeated()
    (bleu,) = (c for c in found.combinations if (c.mean, c.max_order) == ("geometric", 4))
    assert bleu.scores.tolist() == found.table_2.corpus_scores.tolist()
    assert [s.bleu for s in found.definitions[0].systems] == found.table_2.corpus_scores.tolist()


def test_own_weights_are_combined_too() -> None:
    found = repeat_experiment(SMALL, BleuSettings(tokenizer="none", max_order=2, weights=(0.75, 0.25)))
    own = [c for c in found.combinations if c.weights]
    assert [(c.mean, c.weights) for c in own] == [("geometric", (0.75, 0.25)), ("arithmetic", (0.75, 0.25))]
    assert own[0].scores == pytest.approx(found.evaluation.scores.score)


def test_the_tables_may_use_all_references_or_one() -> None:
    assert repeat_experiment(SMALL, PAPER, options=PaperOptions(table_references=5)).evaluation.references == ("R", "Q")
    found = repeat_experiment(SMALL, PAPER, options=PaperOptions(table_references=1))
    assert found.evaluation.references == ("R",)
    assert found.full.references == ("R", "Q")


def test_the_tables_take_a_further_reference_where_a_segment_would_have_none() -> None:
    systems = {"A": ("a b", "c d")}
    corpus = Corpus(systems, {"R": ("a x", None), "Q": ("a y", None), "P": (None, "c d"), "O": ("a b", "c x")})
    assert repeat_experiment(corpus, PAPER).evaluation.references == ("R", "Q", "P")


@given(corpora())
@settings(deadline=None, max_examples=25)
def test_every_corpus_has_its_tables(texts: Texts) -> None:
    try:
        found = repeat_experiment(texts.corpus, PAPER, options=PaperOptions(draws=5))
    except AlignmentError as error:
        assert "every system is identical to a reference" in str(error)  # noqa: PT017
        return
    kept = [name for name in texts.systems if texts.systems[name] not in texts.references.values()]
    assert list(found.evaluation.systems) == kept
    wanted = evaluate(texts.corpus, PAPER, references=list(texts.references)[:2]).select(kept).scores.score
    assert sorted(found.table_2.corpus_scores.tolist()) == pytest.approx(sorted(wanted.tolist()))
    assert found.ratings is None


def test_progress_grows_to_the_end() -> None:
    told: list[float] = []
    few_draws = PaperOptions(draws=5)
    repeat_experiment(SMALL, PAPER, options=few_draws, progress=lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert told[-1] == 1


def test_every_set_of_references_is_counted_once() -> None:
    corpus, told = sample.corpus(), list[tuple[int, int]]()
    few_draws = PaperOptions(draws=5)
    repeat_experiment(corpus, PAPER, sample.judgments(), options=few_draws, progress=lambda *done: told.append(done))
    counted = (2 ** len(corpus.references) - 1) * corpus.segments
    assert told[-1] == (counted + 5, counted + 5)  # and the draws


# --- less than it takes -----------------------------------------------------------------------------------------


def rated(**scores: float) -> Judgments:
    return Judgments.from_ratings(tuple(scores), tuple(scores.values()), range(len(scores)), "human.csv")


def test_one_system_with_one_reference_has_tables_and_no_pairs() -> None:
    found = repeat_experiment(Corpus({"C": SMALL.systems["C"]}, {"R": SMALL.references["R"]}), PAPER, rated(C=3))
    assert found.figure_1.systems == found.figure_2.systems == ("C",)
    assert found.table_2.pairs == found.block_sizes == ()
    assert [n.number for n in found.references_by_number] == [1]
    assert found.ratings is not None
    assert found.ratings.differences[0].pairs == ()
    assert found.ratings.agreements[0].everyone.pearson.reason == "1 system, at least 3 needed"


def test_copies_of_references_are_left_out_but_their_ratings_are_compared() -> None:
    copy = ("a b c d e", "f g h i y")
    corpus = replace(SMALL, systems={**SMALL.systems, "copy": copy})
    found = repeat_experiment(corpus, PAPER, rated(A=1, B=2, C=3, copy=4), options=PaperOptions(humans=["copy"]))
    assert [(e.system, e.reason) for e in found.left_out] == [("copy", "identical to the reference R")]
    assert found.evaluation.systems == ("A", "B", "C")
    assert found.ratings is not None
    assert found.ratings.differences[0].systems == ("A", "B", "C", "copy")
    of_all, of_machines = found.ratings.agreements[0].everyone, found.ratings.agreements[0].machines
    assert of_machines is not None
    assert of_all.systems == of_machines.systems == ("A", "B", "C")
    assert of_all.excluded == of_machines.excluded == found.left_out
    only = Corpus({"copy": copy}, SMALL.references)
    with pytest.raises(AlignmentError, match="every system is identical to a reference"):
        repeat_experiment(only, PAPER)


def test_identical_systems_have_no_t() -> None:
    corpus = Corpus({"A": SMALL.systems["C"], "B": SMALL.systems["C"]}, SMALL.references)
    (pair,) = repeat_experiment(corpus, PAPER).table_2.pairs
    assert pair.test.reason == "no variance"


def test_empty_hypotheses_score_0() -> None:
    corpus = Corpus({"A": SMALL.systems["A"], "empty": ("", "")}, SMALL.references)
    found = repeat_experiment(corpus, PAPER, rated(A=2, empty=1))
    assert found.table_2.systems[0] == "empty"
    assert found.table_2.corpus_scores[0] == 0
    assert found.definitions[0].systems[1].log_bleu == -np.inf
    assert np.isnan(found.figure_2.precisions[1]).all()


def test_bad_options_are_refused() -> None:
    with pytest.raises(SettingsError, match="human system 'X' found, one of A, B, C expected"):
        repeat_experiment(SMALL, PAPER, options=PaperOptions(humans=["X"]))
    with pytest.raises(SettingsError, match="0 references for the tables found"):
        repeat_experiment(SMALL, PAPER, options=PaperOptions(table_references=0))
    with pytest.raises(SettingsError, match="0 segments found"):
        repeat_experiment(SMALL, PAPER, options=PaperOptions(figure_1_segments=0))
    with pytest.raises(AlignmentError, match="no system has both a score and ratings"):
        repeat_experiment(SMALL, PAPER, rated(X=1))
