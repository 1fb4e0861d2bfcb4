"""Do p-values corrected for all pairs of 60 systems keep their level? Slow.

    python -m pytest -m slow -s tests/inference/test_large_families.py

prints what docs/measurements.md reports. Families of equal systems are simulated: the scores of each segment are those
of systems of unequal quality, in an order that is drawn anew for each segment, so that no system can be better. One
kind of family is drawn from real translations, see tests/conformance/README.md. Seeds were chosen once; nothing was
tuned to pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from null_pairs import TED, counted, evaluation_data
from printed import Printed, printed_at_the_end

from bleu_core.arrays import Floats, Numbers
from bleu_core.inference import (
    ALPHA,
    PAIR_RESAMPLES,
    Comparisons,
    all_pairs,
    bootstrap_scores,
    compare,
    ranked_pairs,
)
from bleu_core.results.significance import shown_pairs
from bleu_core.scoring import BleuSettings, SegmentStatistics, bleu_statistics_of_sums

pytestmark = pytest.mark.slow

SYSTEMS, SEGMENTS, SEED = 60, 1000, 4
NAMES = tuple(f"S{k:02}" for k in range(SYSTEMS))
FAMILIES = 300
#: Families whose draws are made together; each has those that it would have alone.
AT_ONCE = 5
#: Families that are compared as users compare them, with all pairs.
WHOLE_FAMILIES = 3
#: Pairs of a family that are tested: those with the largest differences, in standard errors.
EXTREME_PAIRS = 5
MAX_FALSE_CLAIMS = 6

Family = Callable[[np.random.Generator], SegmentStatistics]


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=2) as rows:
        yield rows


def mean(sums: Numbers) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1], np.float64)


def exchanged(values: Numbers, generator: np.random.Generator) -> Numbers:
    """Permute the systems in each segment, (K, S, columns)."""
    order = generator.permuted(np.tile(np.arange(len(values))[:, None], values.shape[1]), axis=0)
    return np.take_along_axis(values, order[..., None], axis=0)


def of_means(generator: np.random.Generator) -> SegmentStatistics:
    """A metric from 0 to 100 that most translations do well by, and some fail."""
    difficulty = generator.gamma(2, 4, SEGMENTS)
    quality = np.linspace(0.5, 1.5, SYSTEMS)[:, None]
    scores = np.clip(95 - quality * (difficulty + generator.exponential(5, (SYSTEMS, SEGMENTS))), 0, 100)
    values = np.stack([scores, np.ones_like(scores)], axis=2)
    return SegmentStatistics(NAMES, exchanged(values, generator), mean)


def of_ngrams(generator: np.random.Generator) -> SegmentStatistics:
    """The n-gram counts of BLEU, of segments of very different length."""
    reference = np.clip(generator.lognormal(3, 0.6, SEGMENTS).astype(np.int64), 4, 150)
    lengths = np.maximum(reference + generator.binomial(reference, 0.2, (SYSTEMS, SEGMENTS)) - reference // 10, 1)
    totals = np.stack([np.maximum(lengths - n, 0) for n in range(4)], axis=2)
    quality = np.linspace(0.55, 0.75, SYSTEMS)[:, None] + generator.normal(0, 0.08, SEGMENTS)
    matches = [generator.binomial(totals[..., 0], np.clip(quality, 0.05, 0.95))]
    for n in range(1, 4):
        share = np.clip(quality * (0.75 + 0.05 * n), 0.05, 0.95)
        matches.append(generator.binomial(np.minimum(matches[-1], totals[..., n]), share))
    references = np.broadcast_to(reference, lengths.shape)
    sums = np.concatenate([lengths[..., None], references[..., None], np.stack(matches, axis=2), totals], axis=2)
    return bleu_statistics_of_sums(NAMES, exchanged(sums, generator), BleuSettings())


def of_translations() -> Family:
    """The n-gram counts of real translations: segments are drawn, and for each system one of the translations."""
    table = counted(evaluation_data(), TED).statistics

    def drawn(generator: np.random.Generator) -> SegmentStatistics:
        segments = generator.integers(table.segments, size=SEGMENTS)
        systems = generator.integers(len(table.systems), size=(SYSTEMS, SEGMENTS))
        return bleu_statistics_of_sums(NAMES, table.values[systems, segments], BleuSettings())

    return drawn


KINDS: dict[str, Callable[[], Family]] = {
    "means": lambda: of_means,
    "n-gram counts": lambda: of_ngrams,
    "translations": of_translations,
}


def any_significant(null: SegmentStatistics, scores: Floats) -> bool:
    """Whether any pair of a family is significant after Holm's correction for all pairs.

    By Holm's method, one is if the smallest p of all pairs is below the level divided by their number. The p of a pair
    does not depend on others, so only the pairs that differ most have to be tested.
    """
    covariance = np.cov(scores)
    variances = np.diag(covariance)
    observed = null.score(null.sums())
    with np.errstate(invalid="ignore"):  # a system minus itself
        extremes = np.square(observed[:, None] - observed) / (variances[:, None] + variances - 2 * covariance)
    pairs = all_pairs(null.systems)
    chosen = sorted(pairs, key=lambda pair: -extremes[pair])[:EXTREME_PAIRS]
    tested = compare(null, chosen, resampled_scores=scores, correction="none")
    return min(pair.p_value for pair in tested.pairs) * len(pairs) < ALPHA


def any_verdict(comparisons: Comparisons) -> bool:
    return any(map(comparisons.verdict, comparisons.pairs))


@pytest.mark.parametrize("kind", KINDS)
def test_at_most_6_in_100_families_of_60_equal_systems_have_a_significant_pair(kind: str, printed: Printed) -> None:
    family, generator = KINDS[kind](), np.random.default_rng(SEED)
    false_claims: list[bool] = []
    for _ in range(0, FAMILIES, AT_ONCE):
        families = [family(generator) for _ in range(AT_ONCE)]
        names = tuple(f"{n} {name}" for n in range(AT_ONCE) for name in NAMES)
        values = np.concatenate([null.values for null in families])
        together = SegmentStatistics(names, values, families[0].score)
        scores = bootstrap_scores(together, PAIR_RESAMPLES).reshape(AT_ONCE, SYSTEMS, PAIR_RESAMPLES)
        for null, resampled in zip(families, scores, strict=True):
            claimed = any_significant(null, resampled)
            if len(false_claims) < WHOLE_FAMILIES:
                whole = compare(null, ranked_pairs(null))
                assert claimed == any_verdict(whole)
                assert whole.corrected_for == "1,770 pairs of 60 systems"
                shown = shown_pairs(whole)
                assert len(shown) == 2 * SYSTEMS - 3
                assert claimed or not any(map(whole.verdict, shown))  # p is not that of a family of the shown pairs
            false_claims.append(claimed)
    share = 100 * float(np.mean(false_claims))
    title = (
        f"Families of 60 equal systems, 1,000 segments, with a significant pair (Holm, {PAIR_RESAMPLES:,} resamples), %"
    )
    row = {"scores": kind, "pairs": len(all_pairs(NAMES)), "families": FAMILIES, "significant": share}
    printed.add(title, row)
    assert share <= MAX_FALSE_CLAIMS
