"""How often does a threshold exceed its limit on the other half, and do the intervals cover? Slow, on real ratings.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow -s tests/agreement/test_review_calibration.py

prints what docs/measurements.md reports. The ratings are those of real test sets. The scores are those of chrF2, or are
simulated: the ranks of the ratings as normal scores, plus noise, with a given correlation. Seeds were chosen once;
nothing was tuned to pass.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from null_pairs import TED, WMT23, evaluation_data
from printed import Printed, printed_at_the_end
from scipy import stats

import bleu_core as bc
from bleu_core.agreement import MetricScores, ReviewHalf, review_threshold, segment_ratings
from bleu_core.agreement.review_choice import share_of
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Corpus

pytestmark = pytest.mark.slow

DRAWS, SAMPLES, RESAMPLES, SEED = 500, 1000, 500, 6
CHRF = "chrF2"
Bools = npt.NDArray[np.bool_]

#: Test set, acceptable rating, units of a sample.
SIZES = [*((TED, -1, units) for units in (20, 50, 200)), *((WMT23, -5, units) for units in (5, 10, 30))]

#: Test set, metric or correlation of simulated scores, acceptable rating, limit.
CASES: list[tuple[str, str | float, float, float]] = [
    *((TED, correlation, -1, limit) for correlation in (0.5, 0.8, 0.95) for limit in (0.05, 0.2)),
    (TED, CHRF, -1, 0.25),
    *((WMT23, correlation, -5, limit) for correlation in (0.8, 0.95) for limit in (0.1, 0.2)),
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


def by_share(half: ReviewHalf, limit: float) -> float:
    """The lowest threshold whose share, and not its bound, keeps the limit with at least 20 segments; NaN if none."""
    curve = half.curve()
    allowed = np.flatnonzero((curve.unacceptable <= limit * curve.skipping) & (curve.skipping >= 20))
    return float(curve.thresholds[allowed[-1]]) if len(allowed) else math.nan


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_other_half_exceeds_the_limit_in_few_draws(
    folder: Path, printed: Printed, case: tuple[str, str | float, float, float]
) -> None:
    name, metric, acceptable, limit = case
    corpus, ratings = loaded(folder, name)
    generator = np.random.default_rng(SEED)
    found: dict[str, list[tuple[float, float]]] = {"bound": [], "share": []}
    unit = ""
    for seed in range(DRAWS):
        scores = (
            chrf(folder, name)
            if isinstance(metric, str)
            else MetricScores(
                name="simulated",
                systems=tuple(corpus.systems),
                system_scores=np.zeros(len(ratings)),
                segment_scores=simulated(ratings, metric, generator),
            )
        )
        review = review_threshold(
            scores, ratings, corpus.documents, acceptable=acceptable, max_unacceptable=limit, seed=seed
        )
        unit = review.unit
        for rule, threshold in (("bound", review.threshold), ("share", by_share(review.chosen_on, limit))):
            if not math.isnan(threshold):
                outcome = review.tested_on.outcome(threshold)
                found[rule].append((outcome.unacceptable.value, outcome.skipping.value))
    row: dict[str, object] = {
        "% of draws": name,
        "halves of": f"{unit}s",
        "correlation": metric,
        "acceptable": f"{acceptable:g}",
        "limit": f"{100 * limit:g}%",
    }
    for rule, outcomes in found.items():
        values = np.array(outcomes).reshape(-1, 2)
        row[f"none ({rule})"] = 100 * (1 - len(values) / DRAWS)
        row[f"exceed ({rule})"] = 100 * float((values[:, 0] > limit).sum()) / DRAWS
        row[f"skip ({rule})"] = 100 * float(values[:, 1].mean()) if len(values) else math.nan
    printed.add("The other half exceeds the limit", row)
    assert float(row["exceed (bound)"]) <= 20  # type: ignore[arg-type] # a number
    assert float(row["exceed (share)"]) >= float(row["exceed (bound)"])  # type: ignore[arg-type]


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
