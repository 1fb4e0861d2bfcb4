"""The worked examples in section 2.1 of Papineni et al. (2002): lower-cased, the final period dropped."""

from __future__ import annotations

import pytest

from bleu_core.bleu import PRESETS
from bleu_core.corpus import Corpus
from bleu_core.evaluation import evaluate

REFERENCES = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)
CANDIDATES = {
    "example 1, candidate 1": (
        "It is a guide to action which ensures that the military always obeys the commands of the party",
        REFERENCES,
        ((17, 18), (10, 17)),
    ),
    "example 1, candidate 2": (
        "It is to insure the troops forever hearing the activity guidebook that party direct",
        REFERENCES,
        ((8, 14), (1, 13)),
    ),
    "example 2": (
        "the the the the the the the",
        ("The cat is on the mat", "There is a cat on the mat"),
        ((2, 7), (0, 6)),
    ),
    "example 3": ("of the", REFERENCES, ((2, 2), (1, 1))),
}


@pytest.mark.parametrize("example", CANDIDATES)
def test_modified_precisions_are_those_the_paper_gives(example: str) -> None:
    candidate, references, wanted = CANDIDATES[example]
    corpus = Corpus(systems={"C": (candidate,)}, references={str(i): (r,) for i, r in enumerate(references)})
    scores = evaluate(corpus, PRESETS["paper"]).scores
    found = list(zip(scores.matches[0].tolist(), scores.totals[0].tolist(), strict=True))
    assert tuple(found[:2]) == wanted


def test_a_word_is_exhausted_after_it_has_matched() -> None:
    # Without clipping all seven would match: the standard unigram precision of example 2 is 7/7.
    candidate, references, _ = CANDIDATES["example 2"]
    words = set(" ".join(references).lower().split())
    assert all(word in words for word in candidate.split())
    corpus = Corpus(systems={"C": (candidate,)}, references={str(i): (r,) for i, r in enumerate(references)})
    assert evaluate(corpus, PRESETS["paper"]).scores.precisions[0, 0] == pytest.approx(2 / 7)


def test_recalling_every_choice_is_not_better_than_one_good_choice() -> None:
    # Section 2.2.1: the first recalls more words of the references, the second is the better translation.
    corpus = Corpus(
        systems={"all": ("I always invariably perpetually do",), "one": ("I always do",)},
        references={"1": ("I always do",), "2": ("I invariably do",), "3": ("I perpetually do",)},
    )
    scores = evaluate(corpus, PRESETS["paper"]).scores
    assert scores.matches[:, 0].tolist() == [5, 3]
    # Bigrams: "I always" and "perpetually do" of four; both of two.
    assert (scores.matches[:, 1] / scores.totals[:, 1]).tolist() == [0.5, 1.0]
