"""The sentinel, source length: what it correlates with, where it has no coefficient, and what a ranking says of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from judges.rosters import judgments_of
from scipy import stats

from bleu_core.agreement import (
    LENGTH_OF_REFERENCE,
    SOURCE_LENGTH,
    MetricScores,
    RankingTest,
    segment_level,
    sentinel_scores,
    sentinel_sentence,
)
from bleu_core.agreement.metric_tests import rank_metrics
from bleu_core.dataset import Corpus, Judgments
from bleu_core.scoring import BleuEvaluation, BleuSettings, evaluate

SEGMENTS, SYSTEMS = 60, ("a", "b", "c", "d")


def texts(name: str) -> tuple[str, ...]:
    """Return texts of different lengths, which have nothing to do with the order of segments."""
    return tuple(f"the {name} text" + " and so on" * (7 * s % 11) for s in range(SEGMENTS))


def corpus_of(*, source: bool = True) -> Corpus:
    systems = {name: texts(name) for name in SYSTEMS}
    return Corpus(systems, {"ref": texts("ref")}, source=texts("source") if source else None)


def judged(ratings: np.ndarray) -> Judgments:
    """Return judgments of one judge from ratings, (K, S)."""
    return judgments_of(
        [(s + 1, name, "j", float(ratings[k, s])) for k, name in enumerate(SYSTEMS) for s in range(SEGMENTS)]
    )


def lengths() -> np.ndarray:
    return np.array([len(text) for text in texts("source")], np.float64)


def evaluated(corpus: Corpus) -> BleuEvaluation:
    return evaluate(corpus, BleuSettings())


def metric_of(name: str, scores: np.ndarray) -> MetricScores:
    return MetricScores(name=name, systems=SYSTEMS, system_scores=scores.mean(axis=1), segment_scores=scores)


def quality(seed: int = 3) -> np.ndarray:
    """Return what differs between the translations of a segment, (K, S)."""
    return np.random.default_rng(seed).normal(0, 1, (len(SYSTEMS), SEGMENTS)) + np.arange(len(SYSTEMS))[:, None]


def sentence(ratings: np.ndarray, *metrics: MetricScores, **options: Any) -> str:
    corpus = corpus_of()
    sentinel = sentinel_scores(corpus, evaluated(corpus))
    compared = [MetricScores.of_bleu(evaluated(corpus)), *metrics, sentinel]
    ranking = RankingTest(trials=200, **options)
    level = segment_level(corpus, evaluated(corpus), judged(ratings), compared, ranking=ranking)
    assert level.ranking is not None
    return sentinel_sentence(level.ranking)


def test_the_score_is_the_negated_number_of_characters_of_the_source() -> None:
    corpus = corpus_of()
    scores = sentinel_scores(corpus, evaluated(corpus))
    assert (scores.name, scores.higher_is_better) == (SOURCE_LENGTH, False)
    assert np.array_equal(scores.segment_scores, np.tile(-lengths(), (len(SYSTEMS), 1)))
    assert scores.signature == "source length|unit:characters|segments:60|better:lower"


def test_without_a_source_it_is_the_length_of_the_first_reference_that_a_segment_has() -> None:
    first = (None, *texts("ref")[1:])
    corpus = Corpus({name: texts(name) for name in SYSTEMS}, {"some": first, "all": texts("longer reference")})
    scores = sentinel_scores(corpus, evaluated(corpus))
    assert scores.name == LENGTH_OF_REFERENCE
    assert scores.segment_scores[0, :2].tolist() == [-len(texts("longer reference")[0]), -len(texts("ref")[1])]


def test_over_all_segments_and_by_system_it_has_the_coefficients_of_scipy_and_by_segment_none() -> None:
    corpus, ratings = corpus_of(), quality() - lengths() / 20
    sentinel = sentinel_scores(corpus, evaluated(corpus))
    level = segment_level(corpus, evaluated(corpus), judged(ratings), [sentinel], ranking=RankingTest(trials=20))
    found = {(c.method, c.grouping): c for c in level.correlations[SOURCE_LENGTH]}
    pooled = stats.kendalltau(np.tile(-lengths(), len(SYSTEMS)), ratings.ravel()).statistic
    assert found["kendall", "none"].coefficient == pytest.approx(pooled)
    by_system = [stats.kendalltau(-lengths(), row).statistic for row in ratings]
    assert found["kendall", "system"].coefficient == pytest.approx(np.mean(by_system))
    assert np.isnan(found["kendall", "item"].coefficient)
    assert found["kendall", "item"].reason == "all metric scores of a group are the same, in every group"


def test_by_segment_it_is_not_ranked_and_the_sentence_says_why() -> None:
    said = sentence(quality(), metric_of("good", quality()), grouping="item")
    assert said.startswith("The source length is the same for all translations of a segment, so it has no coefficient")


def test_a_metric_that_only_follows_length_does_not_beat_it_and_one_that_measures_quality_does() -> None:
    ratings = 2 * quality() - lengths() / 20
    generator = np.random.default_rng(8)
    length_only = metric_of("length only", -lengths() / 20 + generator.normal(0, 1, ratings.shape))
    good = metric_of("good", ratings + generator.normal(0, 0.3, ratings.shape))
    said = sentence(ratings, length_only, good, method="pearson", grouping="none")
    assert said.startswith("length only and BLEU do not agree significantly better with the judges than source length,")
    assert "good" not in said


def test_where_all_metrics_beat_it_the_sentence_says_so_and_that_a_negative_coefficient_is_a_weak_test() -> None:
    corpus = corpus_of()
    sentinel = sentinel_scores(corpus, evaluated(corpus)).segment_scores
    ratings = quality() + lengths() / 20
    human = np.round(ratings, 9)
    scores = {"good": ratings + np.random.default_rng(8).normal(0, 0.3, ratings.shape), SOURCE_LENGTH: sentinel}
    said = sentinel_sentence(rank_metrics(scores, human, "pearson", "none", trials=200))
    assert said == (
        "good agrees significantly better with the judges than source length, which does not look at the translations. "
        "Here judges rate longer segments higher, so the coefficient of the source length is negative: it is a weak "
        "test of the other metrics."
    )


def test_its_accuracy_with_calibrated_ties_is_the_share_of_tied_pairs() -> None:
    ratings = np.round(quality() / 2)
    corpus = corpus_of()
    sentinel = sentinel_scores(corpus, evaluated(corpus))
    level = segment_level(corpus, evaluated(corpus), judged(ratings), [sentinel], ranking=RankingTest(trials=5))
    first, second = np.triu_indices(len(SYSTEMS), 1)
    assert level.calibrated[SOURCE_LENGTH].accuracy == pytest.approx((ratings[first] == ratings[second]).mean())
    said = sentence(ratings, metric_of("good", ratings), method="acc-eq")
    assert said.endswith("The accuracy of the sentinel is the share of pairs of translations that the judges tie.")
