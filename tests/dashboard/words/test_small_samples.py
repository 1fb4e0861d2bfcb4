"""With few rated segments no sentence ranks systems by judges, or says that a metric agrees with them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.random import default_rng

from bleu_core.agreement import Agreement, agreement_by_class, agreement_of_scores, difference_curve
from bleu_core.agreement.metric_tests import rank_metrics
from bleu_core.dataset import RatedSegments
from bleu_core.slicing import SEGMENT_CLASSES, ClassMembers
from dashboard.words import class_sentences, difference_sentences, sentences

FEW = RatedSegments(fewest=4)
WHOLE = RatedSegments(fewest=None)
CLAIM = re.compile(
    r"\bin the same way|the same way|agrees best|agrees (less|better) with|prefer the system with|differ significantly"
)


def agreement(rated: RatedSegments | None) -> Agreement:
    scores = {f"S{k}": float(k) for k in range(9)}
    found = agreement_of_scores(scores, {name: value + (value == 3) * 2 for name, value in scores.items()})
    return replace(found, rated=rated)


def test_agreement_of_systems() -> None:
    assert sentences.agreement_with_people(agreement(FEW)) == (
        "Only 4 segments are rated, too few to say whether BLEU agrees with the judges: at least 20 are needed."
    )
    full = sentences.agreement_with_people(agreement(RatedSegments(fewest=20)))
    assert "pairs of systems the same way. Pearson's r = " in full
    assert sentences.agreement_with_people(agreement(WHOLE)) == f"{full} {WHOLE.note}"


@pytest.mark.parametrize(
    ("rated", "said"),
    [
        (RatedSegments(fewest=4, ratings=36, segments=4), "This rests on 36 ratings of 4 of 529 segments."),
        (RatedSegments(fewest=264, ratings=264, segments=264), "This rests on 264 ratings of 264 of 529 segments."),
        (RatedSegments(fewest=20, ratings=999, segments=265), ""),  # more than half of them
        (WHOLE, ""),
        (None, ""),
    ],
)
def test_what_a_statement_rests_on(rated: RatedSegments | None, said: str) -> None:
    assert sentences.share_rated(rated, 529) == said


def test_agreement_with_a_difference() -> None:
    few = difference_curve(agreement(FEW))
    said = difference_sentences.meaning_to_raters(2.0, "BLEU", few)
    assert said.startswith(
        "Only 4 segments are rated, too few to say whether judges agree with a difference of that size"
    )
    assert "In a study of" in said
    assert difference_sentences.pairs_beyond(2.0, "BLEU", few) == ""
    assert not CLAIM.search(said)
    assert CLAIM.search(difference_sentences.meaning_to_raters(2.0, "BLEU", difference_curve(agreement(None))))


def test_the_best_metric() -> None:
    human = np.arange(9.0)
    ranking = rank_metrics({"BLEU": human + default_rng(1).normal(size=9), "chrF2": human}, human, "pearson", trials=50)
    assert "chrF2 agrees best with the judges" in sentences.best_metric(ranking)
    assert sentences.best_metric(replace(ranking, rated=FEW)) == (
        "Only 4 segments are rated, too few to say whether one metric agrees better with the judges than another: at "
        "least 20 are needed."
    )


@pytest.mark.parametrize(
    ("segments", "documents", "missing"),
    [
        (
            30,
            30,
            "this needs 20 segments with ratings of several systems inside and outside a class, and there are 30",
        ),
        (400, 5, "this needs 10 documents, and there are 5"),
        (400, 40, ""),
    ],
)
def test_agreement_by_class_says_what_is_missing(segments: int, documents: int, missing: str) -> None:
    generator = default_rng(2)
    scores, ratings = generator.normal(size=(2, 4, segments))
    members = ClassMembers(SEGMENT_CLASSES[0], generator.random(segments) < 0.5)
    names = [f"d{n % documents}" for n in range(segments)]
    found = agreement_by_class(scores, ratings, [members], names, trials=50, resamples=50)
    assert found.missing.removesuffix(" in all") == missing
    assert (found.tested == 0) is bool(missing)
    said = class_sentences.agreement_of_classes(found, "BLEU")
    assert said == f"Not tested: {found.missing}." if missing else not said.startswith("Not tested")


def test_overrated_classes_are_not_named_with_few_ratings() -> None:
    segments = 12
    scores = (
        np.tile(np.where(np.arange(segments) < 6, 2.0, 0.0), (4, 1)) + default_rng(3).normal(size=(4, segments)) / 10
    )
    found = agreement_by_class(
        scores, -scores, [ClassMembers(SEGMENT_CLASSES[0], np.arange(segments) < 6)], trials=50, resamples=50
    )
    assert class_sentences.rank_differences_of_classes(found, "BLEU") == ""
