"""How often the test of error rates rejects pairs of systems that are equally good.

Most segments have no error, and errors cluster in documents: some are hard for both systems, and some by chance for one
of them. All tests are of pairs in which the two systems are exchangeable.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from bleu_core.dataset import Annotator, ErrorAnnotations
from bleu_core.error_spans import error_differences
from tests.null_pairs import within

#: Share of errors, by category: the last two are sparse.
SHARES = {"Accuracy/Mistranslation": 0.5, "Fluency/Grammar": 0.35, "Terminology": 0.12, "Locale": 0.03}

#: Numbers of simulated data sets and of swaps for each.
SIMULATIONS, TRIALS = 1500, 999

#: Standard deviations of the logarithm of the expected number of errors: of documents for both systems, of documents
#: for one system, and of segments.
BOTH, ONE, SEGMENT = 0.6, 0.4, 0.8

#: Mean number of errors of a segment: some 70% have none.
ERRORS = 0.5


def null_pair(
    generator: np.random.Generator, documents: int, size: int, *, one: float = ONE
) -> tuple[ErrorAnnotations, np.ndarray, list[str]]:
    """Annotations of two equal systems by a judge, tokens and documents."""
    segments = documents * size
    document = np.repeat(np.arange(documents), size)
    logarithm = generator.normal(0, BOTH, documents)[document] + generator.normal(0, SEGMENT, segments)
    logarithm = logarithm + generator.normal(0, one, (2, documents))[:, document] if one else np.stack([logarithm] * 2)
    expected = ERRORS * np.exp(logarithm - (BOTH**2 + SEGMENT**2 + one**2) / 2)
    counts = generator.poisson(expected).ravel()
    errors = int(counts.sum())
    items = np.arange(2 * segments)
    tokens = np.maximum(1, generator.poisson(generator.gamma(4, 6, segments), (2, segments)))
    annotations = ErrorAnnotations(
        systems=("A", "B"),
        segments=segments,
        annotators=(Annotator("J"),),
        item_annotator=np.zeros(2 * segments, np.int64),
        item_system=items // segments,
        item_segment=items % segments,
        severities=("minor",),
        categories=tuple(SHARES),
        span_item=np.repeat(items, counts),
        span_in_source=np.zeros(errors, np.bool_),
        span_start=np.zeros(errors, np.int64),
        span_end=np.ones(errors, np.int64),
        span_severity=np.zeros(errors, np.int64),
        span_category=generator.choice(len(SHARES), errors, p=list(SHARES.values())),
    )
    return annotations, tokens, [str(d) for d in document.tolist()]


def rejections(
    documents: int, size: int, *, by_document: bool, one: float = ONE, simulations: int = SIMULATIONS
) -> Mapping[str, float]:
    """Percentage of null pairs that each row rejects at 5%, and whose interval excludes 0, and that Holm rejects."""
    generator = np.random.default_rng(20_000 + documents + size)
    counts: dict[str, list[int]] = {}
    for _ in range(simulations):
        annotations, tokens, names = null_pair(generator, documents, size, one=one)
        results = error_differences(
            annotations,
            tokens,
            "A",
            "B",
            by="category",
            documents=names if by_document else None,
            trials=TRIALS,
            seed=int(generator.integers(2**31)),
        )
        assert results.unit == ("document" if by_document else "segment")
        rejected = {row.name: row.p_value <= 0.05 for row in results.rows}
        excluded = {f"interval {r.name}": r.interval.low > 0 or r.interval.high < 0 for r in results.rows}
        any_row = {"any row (Holm)": any(row.p_value_adjusted <= 0.05 for row in results.rows)}
        for name, is_rejected in (rejected | excluded | any_row).items():
            counts.setdefault(name, [0, 0])
            counts[name][0] += is_rejected
            counts[name][1] += 1
    return {name: 100 * rejected / simulated for name, (rejected, simulated) in counts.items()}


def check(shares: Mapping[str, float]) -> None:
    """See that frequent errors reject at the nominal level, and no others, or all together, more often."""
    for name in ("all errors", "Accuracy/Mistranslation", "Fluency/Grammar"):
        within(shares[name], 4, 6, SIMULATIONS)
    for name in ("Terminology", "Locale", "any row (Holm)"):
        within(shares[name], 0, 6, SIMULATIONS)


@pytest.mark.slow
@pytest.mark.parametrize(("documents", "size"), [(12, 8), (30, 8)])
def test_null_pairs_reject_at_the_level_over_documents(documents: int, size: int) -> None:
    check(rejections(documents, size, by_document=True))


@pytest.mark.slow
@pytest.mark.parametrize("segments", [64, 240])
def test_null_pairs_reject_at_the_level_over_segments(segments: int) -> None:
    """Segments are swapped one by one, so that documents that are hard for one system alone do not count here."""
    check(rejections(segments // 8, 8, by_document=False, one=0.0))
