"""The paper's claims, tested on data that bear them out, contradict them or cannot tell."""

from __future__ import annotations

import pytest
import sample
from hypothesis import given, settings
from texts import Texts, corpora

from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.paper import Claim, PaperOptions, claims, repeat_experiment
from bleu_core.scoring import PRESETS

PAPER = PRESETS["paper"]
KEYS = (
    "human-from-machine",
    "every-order-ranks-alike",
    "order-of-the-judges",
    "exponential-decay",
    "best-order",
    "comparable-orders",
    "geometric-mean",
    "no-vanished-precision",
    "averaged-penalties",
    "short-segments",
    "log-domain",
    "more-references",
    "block-means",
    "neighbours-differ",
    "single-reference",
    "judges-tell-neighbours-apart",
    "bilingual-judges-and-humans",
    "large-gap",
    "tracks-the-judges",
    "closer-to-monolingual-judges",
)

#: What the sample data contradict: they were not made to show it.
CONTRADICTED = {"best-order", "short-segments"}


def by_key(corpus: Corpus, judgments: Judgments | None = None, *, humans: tuple[str, ...] = ()) -> dict[str, Claim]:
    return {
        claim.key: claim
        for claim in claims(repeat_experiment(corpus, PAPER, judgments, options=PaperOptions(humans=humans, draws=20)))
    }


def rated(scores: dict[str, float]) -> Judgments:
    """One judge's ratings of two segments, the second a little better."""
    rows = [(segment, name, score + segment / 8) for name, score in scores.items() for segment in (1, 2)]
    segments, names, values = zip(*rows, strict=True)
    return Judgments.from_ratings(names, values, range(len(rows)), "human.csv", segments=segments, judges="x")


def test_all_claims_stand_in_the_papers_order_and_say_what_was_found() -> None:
    found = claims(sample.repeated())
    assert tuple(claim.key for claim in found) == KEYS
    for claim in found:
        assert claim.place.startswith("section ")
        assert claim.holds is not None
        assert claim.found
        assert not claim.reason


@pytest.mark.parametrize("key", KEYS)
def test_the_sample_data_bear_the_claim_out_or_not(key: str) -> None:
    (claim,) = (claim for claim in claims(sample.repeated()) if claim.key == key)
    assert claim.holds == (key not in CONTRADICTED), claim.found


# A human keeps long n-grams; machines have the words only. Two references; rated as BLEU ranks them.
WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
MACHINE = "two one four three six five eight seven"
CORPUS = Corpus(
    {
        "M": (MACHINE, "x x x four five six y y"),
        "N": ("one two four three five six eight seven", "x x three four five six y y"),
        "H": (" ".join(WORDS), "one two three four five six y y"),
    },
    {"R": (" ".join([*WORDS, "nine"]), " ".join(WORDS)), "Q": (" ".join(WORDS[::-1]), "a b c d e f g h")},
)


def test_a_human_is_told_from_a_machine_only_if_one_is_named() -> None:
    assert by_key(CORPUS, humans=("H",))["human-from-machine"].holds
    nobody = by_key(CORPUS)["human-from-machine"]
    assert (nobody.holds, nobody.reason) == (None, "no human translator is named")
    # Called the other way round it does not hold.
    assert by_key(CORPUS, humans=("M",))["human-from-machine"].holds is False


def test_judges_who_disagree_contradict_the_ranking() -> None:
    agreeing = by_key(CORPUS, rated({"M": 1, "N": 2, "H": 5}), humans=("H",))
    assert agreeing["order-of-the-judges"].holds
    assert agreeing["judges-tell-neighbours-apart"].holds is True
    assert agreeing["large-gap"].holds
    turned = by_key(CORPUS, rated({"M": 5, "N": 2, "H": 1}), humans=("H",))
    assert turned["order-of-the-judges"].holds is False
    assert turned["order-of-the-judges"].found == "all judges: 0 of 3 pairs"
    assert turned["large-gap"].holds is False
    assert turned["tracks-the-judges"].holds is False


def test_without_judgments_nothing_is_said_of_judges() -> None:
    found = by_key(CORPUS)
    for key in (
        "order-of-the-judges",
        "best-order",
        "comparable-orders",
        "geometric-mean",
        "judges-tell-neighbours-apart",
        "large-gap",
        "tracks-the-judges",
    ):
        assert (found[key].holds, found[key].reason) == (None, "no judgments")


def test_constant_ratings_have_no_correlation() -> None:
    found = by_key(CORPUS, rated({"M": 3, "N": 3, "H": 3}))
    for key in ("best-order", "geometric-mean", "tracks-the-judges"):
        assert found[key].reason == "all systems have the same mean rating"


def test_one_system_with_one_reference_says_little() -> None:
    found = by_key(Corpus({"M": CORPUS.systems["M"]}, {"R": CORPUS.references["R"]}), rated({"M": 3}))
    told = {key for key, claim in found.items() if claim.holds is not None}
    assert told <= {"exponential-decay", "no-vanished-precision", "averaged-penalties", "short-segments", "block-means"}
    assert found["more-references"].reason == "one number of references, at least 2 needed"
    assert found["single-reference"].reason == found["every-order-ranks-alike"].reason == "1 system, at least 2 needed"


def test_a_vanished_precision_is_named() -> None:
    found = by_key(Corpus({"A": ("a b x c",), "B": ("a b c x",)}, {"R": ("a b c d",)}))
    assert found["no-vanished-precision"].holds is False
    assert "A, B" in found["no-vanished-precision"].found
    assert found["log-domain"].reason == "the logarithm of a score of 0 is undefined"


def test_identical_systems_cannot_be_tested() -> None:
    found = by_key(Corpus({"A": ("a b", "c x"), "B": ("a b", "c x")}, {"R": ("a b", "c d")}))
    assert found["neighbours-differ"].reason == "A and B: no variance"


@given(corpora())
@settings(deadline=None, max_examples=25)
def test_every_claim_says_what_was_found_or_why_not(texts: Texts) -> None:
    try:
        found = by_key(texts.corpus)
    except AlignmentError:  # all are copies of references
        return
    for claim in found.values():
        assert (claim.holds is None) == bool(claim.reason)
        assert bool(claim.found) != bool(claim.reason)
        assert "nan" not in claim.found
