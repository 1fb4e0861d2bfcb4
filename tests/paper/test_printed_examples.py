"""The worked examples of Papineni et al. (2002), and that what is printed is kept as printed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bleu_core.dataset import Corpus
from bleu_core.paper import paper_examples
from bleu_core.paper import printed as paper
from bleu_core.scoring import PRESETS, evaluate

#: Numbers of example and candidate -> both.
CANDIDATES = {
    (example.number, number): (example, candidate)
    for example in paper.EXAMPLES
    for number, candidate in enumerate(example.candidates, start=1)
}


def scored(example: paper.Example, *texts: str) -> tuple[list[list[int]], list[list[int]]]:
    """Matches and totals of candidates as the engine counts them."""
    references = {str(i): (reference,) for i, reference in enumerate(example.references)}
    scores = evaluate(Corpus({text: (text,) for text in texts}, references), PRESETS["paper"]).scores
    return scores.matches.tolist(), scores.totals.tolist()


@pytest.mark.parametrize("place", CANDIDATES)
def test_modified_precisions_are_those_the_paper_gives(place: tuple[int, int]) -> None:
    example, candidate = CANDIDATES[place]
    (matches,), (totals,) = scored(example, candidate)
    for printed in paper.PRECISIONS:
        if printed.modified and (printed.example, printed.candidate) == place:
            assert matches[printed.order - 1] == printed.matches
            assert printed.total in (None, totals[printed.order - 1])


def test_the_printed_precisions_are_the_nine_of_the_text() -> None:
    # Sections 2.1 and 2.2: 17/18, 10/17; 8/14, 1/13; 7/7, 2/7, 0; 2/2, 1/1.
    found = [precision.fraction for precision in paper.PRECISIONS]
    assert found == ["17/18", "10/17", "8/14", "1/13", "7/7", "2/7", "0", "2/2", "1/1"]


def test_every_printed_precision_is_what_the_worked_example_finds() -> None:
    counted = {(c.example, c.candidate): c.worked for c in paper_examples()}
    for printed in paper.PRECISIONS:
        order = counted[printed.example, printed.candidate].orders[printed.order - 1]
        assert printed.matches == (order.matches if printed.modified else order.standard_matches)
        assert printed.total in (None, order.total)


def test_recalling_every_choice_is_not_better_than_one_good_choice() -> None:
    # Section 2.2.1: the first recalls more words of the references, the second is the better translation.
    example = paper.EXAMPLES[3]
    matches, totals = scored(example, *example.candidates)
    assert [row[0] for row in matches] == [5, 3]
    # Bigrams: "I always" and "perpetually do" of four; both of two.
    assert [m[1] / t[1] for m, t in zip(matches, totals, strict=True)] == [0.5, 1.0]


def test_bleu_is_in_points_and_agrees_with_itself() -> None:
    assert paper.H2_BY_REFERENCES[2] == paper.TABLE_1["H2"]
    for values in (paper.TABLE_1, paper.TABLE_2_MEANS, paper.TABLE_2_DEVIATIONS):
        assert tuple(values) == paper.SYSTEMS
    assert tuple(paper.TABLE_2_T) == paper.SYSTEMS[1:]
    assert sorted(paper.TABLE_1.values()) == list(paper.TABLE_1.values())
    # Means over blocks "differ only by small finite block size effects".
    assert all(abs(paper.TABLE_2_MEANS[name] - value) < 0.35 for name, value in paper.TABLE_1.items())
    assert paper.BLOCKS * paper.BLOCK_SIZE == paper.SEGMENTS
    assert set(paper.MONOLINGUAL_DIFFERENCES) <= {(b, a) for a, b in pairwise(paper.SYSTEMS)}


def test_published_lists_each_value_once() -> None:
    # Tables 1 and 2: 5, 5 + 5 + 4; two numbers of references, two differences, two correlations.
    assert len(paper.PUBLISHED) == 5 + 14 + 2 + 2 + 2
    assert len({(p.place, p.what) for p in paper.PUBLISHED}) == len(paper.PUBLISHED)


def test_printed_values_correspond_to_the_papers_systems_only() -> None:
    assert paper.corresponds(["H2", "S1", "S2", "S3", "H1", "more"])
    assert not paper.corresponds(["S1", "S2", "S3", "H1"])
    assert not paper.corresponds([])
