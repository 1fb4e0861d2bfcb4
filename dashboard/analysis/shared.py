"""Numbers that all sessions with the same texts share: counts, sums, and what is drawn from them.

They are kept by position, under digests of the texts in order of position. Each session adds its own names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.counts import counter_for
from bleu_core.dataset import Corpus
from bleu_core.digests import DIGEST_BYTES, digest_of
from bleu_core.inference import (
    Blocks,
    Interval,
    ScoreIntervals,
    bootstrap_scores,
    metric_intervals,
    score_intervals,
)
from bleu_core.progress import Progress
from bleu_core.scoring import (
    BUILT_IN_METRICS,
    BleuSettings,
    Evaluation,
    Metric,
    NgramStats,
    ScoredCorpus,
    SumTable,
    count_ngrams,
    evaluate,
    metric,
)
from dashboard import session

#: The number of resamples, and their seed.
Draws = tuple[int, int]


def count_texts(corpus: Corpus, references: tuple[str, ...], counting: BleuSettings) -> Evaluation:
    """All systems of a corpus against some references; n-grams are counted once.

    Raises:
        BleuCoreError: the settings cannot be used with these data.
    """
    systems = tuple(corpus.systems)

    def compute(progress: Progress) -> tuple[object, ...]:
        count = counter_for(len(systems) * corpus.segments)
        if count is count_ngrams:
            count = partial(session.aside, count_ngrams)
        stats = evaluate(corpus, counting, references=references, count=count, progress=progress).stats
        return stats.matches, stats.hypothesis_lengths, stats.reference_lengths

    counts = session.share(
        "counts",
        (*_digests(corpus, systems, references), counting),
        compute,
        doing="Counting n-grams",
        what="segments",
    )
    return Evaluation(
        digest=corpus.digest,
        systems=systems,
        references=references,
        stats=NgramStats(systems, *counts),
        settings=counting,
    )


def compute_metric(corpus: Corpus, evaluation: Evaluation, chosen: Metric, key: Hashable) -> ScoredCorpus:
    """The systems of an evaluation under a metric other than BLEU.

    Args:
        corpus: the texts.
        evaluation: of them.
        chosen: the metric.
        key: what the scores depend on, names included.
    """
    doing = f"Computing {chosen.label}"
    if not _is_ours(chosen):  # the sums of another package's metric may hold anything

        def compute_all(progress: Progress) -> ScoredCorpus:
            return metric(corpus, evaluation, chosen.key, progress=progress)

        return session.remember("metric", key, compute_all, doing=doing, what="hypotheses")

    def compute(progress: Progress) -> tuple[object, ...]:
        table = metric(corpus, evaluation, chosen.key, progress=progress).table
        return table.table, table.score

    digests = _digests(corpus, evaluation.systems, evaluation.references, chosen.needs)
    content = (*digests, chosen.key, chosen.settings_in_use(evaluation.settings))
    sums, score = session.share("metric", content, compute, doing=doing, what="hypotheses")
    table = SumTable(evaluation.systems, sums, score, chosen.higher_is_better)
    return ScoredCorpus(chosen, chosen.signature(evaluation), table)


def draw_intervals(scored: ScoredCorpus, evaluation: Evaluation, progress: Progress) -> ScoreIntervals:
    """Intervals of systems' scores; of BLEU also of their precisions.

    Args:
        scored: the systems of the evaluation under a metric.
        evaluation: whose settings are in force.
        progress: told how far the draws are.
    """
    resampled = evaluation if scored.name == "bleu" else scored.table

    def draw(progress: Progress) -> tuple[object, ...]:
        found: ScoreIntervals = session.aside(score_intervals, resampled, progress=progress)
        return tuple(found.scores.values()), tuple(found.precisions.values()), found.resamples

    scores, precisions, resamples = _share_drawn(
        ("intervals",), scored, settings=evaluation.settings, draw=draw, progress=progress
    )
    systems = scored.table.systems
    return ScoreIntervals(
        dict(zip(systems, scores, strict=True)), dict(zip(systems, precisions, strict=False)), resamples
    )


def draw_metric_intervals(
    scored: ScoredCorpus, settings: BleuSettings, groups: Blocks | None, seed: int, progress: Progress
) -> Mapping[str, Interval]:
    """Intervals of systems' scores, where groups of segments are drawn as a whole.

    Args:
        scored: the systems under a metric.
        settings: in force.
        groups: what is drawn; segments if None.
        seed: of the draws.
        progress: told how far the draws are.
    """

    def draw(progress: Progress) -> tuple[Interval, ...]:
        return tuple(metric_intervals(scored.table, groups=groups, seed=seed, progress=progress).values())

    work = ("intervals of units", _digest_of_groups(groups), seed)
    found = _share_drawn(work, scored, settings=settings, draw=draw, progress=progress)
    return dict(zip(scored.table.systems, found, strict=True))


def draw_scores(
    scored: ScoredCorpus, settings: BleuSettings, groups: Blocks | None, draws: Draws, progress: Progress
) -> Floats:
    """The scores of the bootstrap's resamples, points, (systems, resamples).

    Args:
        scored: the systems under a metric.
        settings: in force.
        groups: what is drawn; segments if None.
        draws: the number of resamples, and their seed.
        progress: told how far the draws are.
    """
    table = scored.table if groups is None else scored.table.grouped(groups.labels)

    def draw(progress: Progress) -> Floats:
        return session.aside(bootstrap_scores, table, *draws, progress=progress)

    return _share_drawn(
        ("resamples", _digest_of_groups(groups), draws), scored, settings=settings, draw=draw, progress=progress
    )


def _share_drawn(
    work: tuple[Hashable, ...],
    scored: ScoredCorpus,
    settings: BleuSettings,
    draw: Callable[[Progress], Any],
    progress: Progress,
) -> Any:
    """Numbers that are drawn from the sums of systems.

    Args:
        work: what is drawn, and how.
        scored: the systems under a metric.
        settings: in force.
        draw: what draws.
        progress: told how far the draws are where sessions do not share them.
    """
    if not _is_ours(scored.metric):
        return draw(progress)
    content = (digest_of(scored.table.table), scored.name, scored.metric.settings_in_use(settings), work)
    return session.share("draws", content, draw, doing="Resampling the text", what="resamples")


def _is_ours(chosen: Metric) -> bool:
    """Whether a metric is built in: the score of another package's may be a function that holds anything."""
    return chosen.key in BUILT_IN_METRICS


def _digest_of_groups(groups: Blocks | None) -> bytes:
    return b"" if groups is None else digest_of(groups.labels)


def _digests(
    corpus: Corpus, systems: Iterable[str], references: Iterable[str], needs: Iterable[str] = ()
) -> tuple[tuple[bytes, ...], ...]:
    """Digests of texts by position: of systems, references, and what else a metric needs."""

    def compute(_: object) -> Mapping[tuple[str, str], bytes]:
        return {(column.role, column.name): _digest(column.segments) for column in corpus.columns}

    of = session.remember("digests of texts", corpus.digest, compute, doing="Reading the texts", what="texts")
    others = {"source": ("source", "source"), "documents": ("document", "documents")}
    return (
        tuple(of["system", name] for name in systems),
        tuple(of["reference", name] for name in references),
        tuple(of[others[need]] for need in needs),
    )


def _digest(texts: Sequence[str | None]) -> bytes:
    """Of a text, whose lengths tell where its segments end, and which are absent."""
    lengths = np.array([-1 if text is None else len(text) for text in texts], np.int64)
    content = hashlib.blake2b(lengths.tobytes(), digest_size=DIGEST_BYTES)
    content.update("".join(text or "" for text in texts).encode("utf-8", "surrogatepass"))
    return content.digest()
