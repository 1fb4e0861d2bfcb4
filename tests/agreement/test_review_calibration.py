"""How often is a threshold recommended whose true share exceeds the limit, and do the intervals cover?

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/agreement/test_review_calibration.py

prints what docs/measurements.md reports. A population is a set of documents, or of segments, with ratings and scores,
so that the true share of unacceptable segments at each threshold is known. Samples are drawn from it with
replacement, and the threshold is found in each as `bleu-core review` finds it. The ratings are simulated, or those of
real test sets; the scores are those of chrF2, or are simulated: the ranks of the ratings as normal scores, plus
noise, with a given correlation. Seeds were chosen once. The rule was chosen by samples of
these test sets, too (docs/measurements.md). By day, the same is tried with fewer samples of small simulated
populations, in one case where a threshold that is not tested is often wrong.

Tolerance: a test fails if more thresholds are wrong than in 999 of 1,000 runs of a procedure that errs in exactly 5% of
samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from null_pairs import TED, WMT23, evaluation_data
from printed import Printed, printed_at_the_end
from scipy import stats

import bleu_core as bc
from bleu_core.agreement import BOUND_CONFIDENCE, MetricScores, review_threshold, segment_ratings
from bleu_core.agreement.review_choice import share_of
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Corpus
from bleu_core.inference import CONFIDENCE
from tests.nightly import nightly

DRAWS, DRAWS_BY_DAY, SAMPLES, RESAMPLES, SEED = 500, 150, 1000, 500, 6
CHRF, SIMULATED = "chrF2", "simulated"
#: Correlation of a metric that is unrelated to the ratings; the limit is then just below the lowest true share.
NOISE = 0.0
Bools = npt.NDArray[np.bool_]

#: Test set, acceptable rating, units of a sample.
SIZES = [*((TED, -1, units) for units in (20, 50, 200)), *((WMT23, -5, units) for units in (5, 10, 30))]

#: Population, metrics (chrF2, or correlations of simulated scores), acceptable rating, limit.
CASES: list[tuple[str, tuple[str | float, ...], float, float]] = [
    *((TED, (correlation,), -1, limit) for correlation in (0.5, 0.8, 0.95) for limit in (0.05, 0.2)),
    (TED, (CHRF,), -1, 0.25),
    *((WMT23, (correlation,), -5, limit) for correlation in (0.8, 0.95) for limit in (0.1, 0.2)),
    *((SIMULATED, (correlation,), 0, limit) for correlation in (0.5, 0.8, 0.95) for limit in (0.05, 0.2)),
    *((name, (NOISE,), acceptable, math.nan) for name, acceptable in ((TED, -1), (WMT23, -5), (SIMULATED, 0))),
    *((name, (NOISE,) * 10, acceptable, math.nan) for name, acceptable in ((TED, -1), (WMT23, -5), (SIMULATED, 0))),
    *((name, (0.3, 0.5, 0.8, 0.8, 0.95), acceptable, 0.1) for name, acceptable in ((TED, -1), (SIMULATED, 0))),
]
BY_DAY: list[tuple[str, tuple[str | float, ...], float, float]] = [
    (SIMULATED, (0.8,), 0, 0.1),
    (SIMULATED, (NOISE,), 0, math.nan),
    (SIMULATED, (0.3,) * 4, 0, 0.1),
]

REFERENCES = {TED: "ref.B", WMT23: "ref.A"}


@cache
def loaded(folder: Path, name: str) -> tuple[Corpus, Floats]:
    """A test set without human translators among the systems, and its mean ratings."""
    path = folder / name
    data = bc.load(
        systems=[file for file in sorted(path.glob("systems/*.txt")) if not file.stem.startswith("ref")],
        references=[path / "refs" / f"{REFERENCES[name]}.txt"],
        judgments=[path / "human.csv"],
        documents=path / "docs.txt",
    )
    assert data.judgments is not None
    return data.corpus, segment_ratings(data.judgments, tuple(data.corpus.systems), data.corpus.segments)


def simulated(ratings: Floats, correlation: float, generator: np.random.Generator) -> Floats:
    ties_broken = ratings + 1e-6 * np.random.default_rng(SEED).normal(size=ratings.shape)
    ranks = stats.rankdata(ties_broken, nan_policy="omit").reshape(ratings.shape)
    normal = stats.norm.ppf((ranks - 0.5) / np.isfinite(ratings).sum())
    return correlation * normal + math.sqrt(1 - correlation**2) * generator.normal(size=ratings.shape)


@cache
def chrf(folder: Path, name: str) -> MetricScores:
    corpus = loaded(folder, name)[0]
    return MetricScores.of_metric(bc.score_metric(corpus, bc.evaluate(corpus), "chrf2"))


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=1) as found:
        yield found


@pytest.fixture(scope="module")
def folder() -> Path:
    return evaluation_data()


@dataclass(frozen=True)
class Population:
    """Segments of units with ratings and with scores of M metrics.

    Attributes:
        scores: (M, K, S), higher is better.
        ratings: (K, S) mean ratings.
        units: (S,) number of the document, or of the segment, of each segment.
        by_document: whether units are documents.
        acceptable: the lowest acceptable rating.
    """

    scores: Floats
    ratings: Floats
    units: Integers
    by_document: bool
    acceptable: float

    def share(self, metric: int, threshold: float) -> float:
        """The true share of unacceptable segments among those that skip."""
        skips = (self.scores[metric] >= threshold) & np.isfinite(self.ratings)
        return float((self.ratings[skips] < self.acceptable).mean())

    def lowest_share(self) -> float:
        """The lowest true share of the thresholds at which at least 5% skip: stricter ones can hardly pass."""
        rated = np.isfinite(self.ratings)
        return min(
            self.share(m, threshold)
            for m, scores in enumerate(self.scores)
            for threshold in np.quantile(scores[rated], np.linspace(0, 0.95, 96))
        )

    def sample(self, generator: np.random.Generator) -> tuple[Floats, Floats, list[str] | None]:
        """Scores, ratings and documents of as many units as there are, drawn with replacement."""
        places = [np.flatnonzero(self.units == unit) for unit in np.unique(self.units)]
        drawn = [places[n] for n in generator.integers(0, len(places), len(places))]
        segments = np.concatenate(drawn)
        names = [f"d{n}" for n, part in enumerate(drawn) for _ in part] if self.by_document else None
        return self.scores[:, :, segments], self.ratings[:, segments], names


def population(name: str, metrics: Sequence[str | float], acceptable: float) -> Population:
    generator = np.random.default_rng(SEED)
    if name == SIMULATED:
        units = np.repeat(np.arange(60), 5)
        difficulty = generator.normal(size=60)[units] + generator.normal(size=300)
        ratings = 1 + difficulty + generator.normal(size=(3, 300))
        rated = np.ones(300, np.bool_)
    else:
        corpus, ratings = loaded(evaluation_data(), name)
        labels = np.arange(corpus.segments) if name == TED else bc.document_blocks(corpus.documents or ()).labels
        rated = np.isfinite(ratings).any(axis=0)
        ratings, units = ratings[:, rated], labels[rated]
    scores = [
        chrf(evaluation_data(), name).segment_scores[:, rated]
        if isinstance(metric, str)
        else simulated(ratings, metric, generator)
        for metric in metrics
    ]
    return Population(np.array(scores), ratings, units, name != TED, acceptable)


class Found(NamedTuple):
    """A recommended threshold: whether its true share exceeds the limit, and what the test says about it."""

    wrong: bool
    covered: bool
    exceeds: bool
    skipping: float


def found_in(of: Population, limit: float, generator: np.random.Generator, seed: int) -> Found | None:
    """A threshold that is recommended in a sample: of several metrics, a wrong one if there is any."""
    scores, ratings, documents = of.sample(generator)
    systems = tuple(f"s{k}" for k in range(len(ratings)))
    results: list[Found] = []
    for m, own in enumerate(scores):
        metric = MetricScores(name="m", systems=systems, system_scores=np.zeros(len(own)), segment_scores=own)
        options = {"acceptable": of.acceptable, "max_unacceptable": limit}
        review = review_threshold(metric, ratings, documents, **options, seed=seed, among=len(scores))
        if review.test is not None:
            share, interval = of.share(m, review.threshold), review.test.unacceptable.interval
            covered = interval.low <= share <= interval.high
            results.append(Found(share > limit, covered, interval.high > limit, review.test.skipping.value))
    return max(results, default=None, key=lambda found: found.wrong)


@pytest.mark.parametrize(
    ("case", "draws"), [*((case, DRAWS_BY_DAY) for case in BY_DAY), *nightly((case, DRAWS) for case in CASES)], ids=str
)
def test_few_thresholds_are_recommended_whose_true_share_exceeds_the_limit(
    printed: Printed, case: tuple[str, tuple[str | float, ...], float, float], draws: int
) -> None:
    name, metrics, acceptable, limit = case
    of = population(name, metrics, acceptable)
    if math.isnan(limit):
        limit = of.lowest_share() - 0.001
    generator = np.random.default_rng(SEED)
    outcomes = [found_in(of, limit, generator, seed) for seed in range(draws)]
    recommended = [found for found in outcomes if found is not None]
    wrong = sum(found.wrong for found in recommended)

    def percent(count: int, of: int) -> float:
        return 100 * count / of if of else math.nan

    printed.add(
        "Recommended thresholds and their true shares",
        {
            "% of samples": name,
            "units": f"{len(np.unique(of.units))} {'documents' if of.by_document else 'segments'}",
            "correlation": ", ".join(map(str, metrics)) if len(set(metrics)) > 1 else f"{metrics[0]} x {len(metrics)}",
            "limit": f"{100 * limit:.1f}%",
            "recommended": percent(len(recommended), draws),
            "wrong": percent(wrong, draws),
            "wrong of these": percent(wrong, len(recommended)),
            "covered": percent(sum(found.covered for found in recommended), len(recommended)),
            "interval exceeds": percent(sum(found.exceeds for found in recommended), len(recommended)),
            "skip": 100 * float(np.mean([found.skipping for found in recommended])) if recommended else math.nan,
        },
    )
    assert wrong <= stats.binom.ppf(0.999, draws, 1 - BOUND_CONFIDENCE)
    if len(recommended) >= draws / 2:
        assert wrong <= stats.binom.ppf(0.999, len(recommended), 1 - BOUND_CONFIDENCE)
        assert sum(found.covered for found in recommended) >= stats.binom.ppf(0.001, len(recommended), CONFIDENCE)
    if metrics == (0.8,) and limit > 0.05:
        assert len(recommended) >= draws / 2  # a good metric has a threshold


@pytest.mark.slow
@pytest.mark.parametrize(("name", "acceptable", "count"), SIZES)
def test_intervals_cover_the_share_of_the_population(
    folder: Path, printed: Printed, name: str, acceptable: float, count: int
) -> None:
    """Of units that are drawn with replacement from those of a test set, which are the population."""
    corpus, ratings = loaded(folder, name)
    scores = simulated(ratings, 0.8, np.random.default_rng(SEED))
    present = np.isfinite(ratings)
    skips = (scores >= np.nanmedian(scores[present])) & present
    bad = skips & (ratings < acceptable)
    labels = np.arange(corpus.segments) if name == TED else bc.document_blocks(corpus.documents or ()).labels
    units = np.broadcast_to(labels, ratings.shape)
    sizes, sums = (np.bincount(units[mask], minlength=labels.max() + 1) for mask in (skips, bad))
    truth = sums.sum() / sizes.sum()
    generator = np.random.default_rng(SEED)
    covered: list[tuple[bool, bool]] = []
    for _ in range(SAMPLES):
        drawn = generator.integers(0, len(sizes), count)
        interval = share_of(*_entries(sizes[drawn], sums[drawn])).interval
        weights = generator.multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
        resampled = (weights @ sums[drawn]) / np.maximum(weights @ sizes[drawn], 1)
        low, high = np.quantile(resampled, [0.025, 0.975])
        covered.append((interval.low <= truth <= interval.high, low <= truth <= high))
    exact, bootstrap = 100 * np.array(covered).mean(axis=0)
    printed.add(
        "Coverage of 95% intervals",
        {
            "% covered": name,
            "units": count,
            "unacceptable": 100 * truth,
            "Korn and Graubard": exact,
            "percentile bootstrap": bootstrap,
        },
    )
    assert exact >= 90


def _entries(sizes: Integers, sums: Integers) -> tuple[Bools, Bools, Integers, Bools]:
    """Entries of units, of which so many are counted."""
    units = np.repeat(np.arange(len(sizes)), sizes)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    counted = np.arange(len(units)) - first < np.repeat(sums, sizes)
    return counted, np.ones(len(units), np.bool_), units, counted
