"""Systems with equal scores: all lists call the same one the best, whatever the order of the files."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.arrays import best_first, worst_first
from bleu_core.dataset import Corpus
from bleu_core.inference import block_scores, compare, equal_blocks, ranked_pairs
from bleu_core.results.precisions import decay_table
from bleu_core.scoring import evaluate
from bleu_core.uploads import Workspace
from dashboard.analysis import View
from dashboard.analysis.scores import fitted_decays, ranked_systems, score_systems

LINES = ("the cat sat on the mat in the sun", "we all went home at night by the old road")
CHANGED = ("the cat sat on the rug in the sun", "we all went home at night by the new road")

#: The texts of B and A differ, but not their counts: each has one line of each kind twice.
TEXTS = {
    "B": (LINES[0], CHANGED[0], LINES[1], CHANGED[1]),
    "A": (CHANGED[0], LINES[0], CHANGED[1], LINES[1]),
    "worse": CHANGED * 2,
}
REFERENCE = (LINES[0], LINES[0], LINES[1], LINES[1])

#: Best first.
ORDER = ["A", "B", "worse"]


@pytest.mark.parametrize("names", [("B", "A", "worse"), ("A", "B", "worse"), ("worse", "B", "A")])
def test_equal_systems_are_in_one_order_everywhere(names: Sequence[str]) -> None:
    corpus = Corpus({name: TEXTS[name] for name in names}, {"R": REFERENCE, "Q": REFERENCE[::-1]})
    view = View(Workspace.of_data(corpus, None, (), ()), evaluate(corpus))
    table = view.evaluation.statistics
    assert len(set(view.evaluation.scores.score.tolist())) == 2
    assert list(view.best_systems) == ORDER
    assert [name for name, _ in score_systems(view, "bleu").best_first] == ORDER
    assert ranked_systems(view, "ter") == ORDER
    assert list(block_scores(view.evaluation, equal_blocks(4, 2)).systems) == ORDER[::-1]
    assert list(compare(table, ranked_pairs(table), resamples=9).ranked) == ORDER
    assert [table.systems[k] for pair in ranked_pairs(table)[:1] for k in pair] == ["A", "B"]
    assert [row[0] for row in decay_table(view.evaluation.systems, fitted_decays(view)).rows][:2] == ["A", "B"]


@given(
    st.lists(
        st.tuples(st.sampled_from("ABCDEF"), st.sampled_from([0.0, 1.0, 2.0, float("nan")])), unique_by=lambda s: s[0]
    )
)
def test_the_worst_first_is_the_reverse_of_the_best_first(systems: list[tuple[str, float]]) -> None:
    names, scores = [name for name, _ in systems], np.array([score for _, score in systems])
    for up in (True, False):
        order = best_first(names, scores, higher_is_better=up)
        assert worst_first(names, scores, higher_is_better=up) == order[::-1]
        defined = [k for k in order if not np.isnan(scores[k])]
        assert list(order[: len(defined)]) == defined
        ordered = [(-scores[k] if up else scores[k], names[k]) for k in defined]
        assert ordered == sorted(ordered)
