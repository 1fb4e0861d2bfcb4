"""Numbers that all sessions with the same texts share: counts, sums, and resamples of them.

They are cached by digests of the texts in order of position, without names. Each session adds its names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Any, Generic, TypeVar

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.counts import choose_counter
from bleu_core.dataset import Corpus
from bleu_core.digests import DIGEST_BYTES, digest_of
from bleu_core.errors import SettingsError
from bleu_core.inference import (
    Blocks,
    Interval,
    ScoreIntervals,
    bootstrap_scores,
    document_blocks,
    metric_intervals,
    score_intervals,
)
from bleu_core.progress import Progress
from bleu_core.scoring import (
    BUILT_IN_METRICS,
    BleuEvaluation,
    BleuSettings,
    Metric,
    NgramStats,
    ScoredCorpus,
    SegmentStatistics,
    count_ngrams,
    evaluate,
    find_metric,
    score_metric,
)
from dashboard import session

Value = TypeVar("Value")

#: Orders up to which n-grams are counted, so that a smaller maximum order needs no new count.
DEFAULT_ORDER, MAX_ORDER = 4, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class ByPosition(Generic[Value]):
    """The input of shared numbers.

    Attributes:
        value: the input with names, which the numbers do not have.
        fingerprint_by_position: of everything that the numbers are computed from, by position.
    """

    value: Value
    fingerprint_by_position: Hashable


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprinted(Generic[Value]):
    """A value of which only a part affects a result.

    Attributes:
        value: the input of the result.
        fingerprint: of the part that affects it.
    """

    value: Value
    fingerprint: Hashable


@dataclass(frozen=True, kw_only=True)  # without slots, which would exclude cached properties
class Sums:
    """Systems under a metric: all inputs of comparisons of their scores.

    Attributes:
        scored: the systems and the sums of their segments.
        evaluation: of the same systems; for metrics other than BLEU it only identifies the sums.
        documents: (S,) of the segments, if known; they are part of the evaluation's digest.
        scope: of the data.
    """

    scored: ScoredCorpus
    evaluation: BleuEvaluation
    documents: tuple[str, ...] | None
    scope: Hashable

    @property
    def table(self) -> SegmentStatistics:
        """(K, S, columns), with the metric as its score."""
        return self.scored.statistics

    @cached_property
    def fingerprint(self) -> tuple[Hashable, ...]:
        """The fingerprint of the sums for caches."""
        evaluation = self.evaluation
        metric = self.scored.metric.fingerprint
        return metric, evaluation.digest, evaluation.systems, evaluation.references, self._settings

    @cached_property
    def fingerprint_by_position(self) -> tuple[Hashable, ...]:
        """The fingerprint of the sums, without the names of the systems."""
        return self.scored.metric.fingerprint, self._settings, digest_of(self.table.values)

    @property
    def _settings(self) -> tuple[object, ...]:
        return self.scored.metric.settings_in_use(self.evaluation.settings)

    def select(self, systems: Sequence[str]) -> Sums:
        """Return the sums of some of the systems, in the order given."""
        if tuple(systems) == self.table.systems:
            return self
        return replace(self, scored=self.scored.select(systems), evaluation=self.evaluation.select(systems))

    def groups(self, *, by_documents: bool) -> Blocks | None:
        """Return the documents, where they are the unit of resampling; None for segments."""
        return document_blocks(self.documents) if by_documents and self.documents is not None else None


def evaluate_texts(
    scope: Hashable, corpus: Corpus, references: tuple[str, ...], settings: BleuSettings
) -> BleuEvaluation:
    """Evaluate all systems of a corpus against some references; n-grams are counted once, and the table is cached.

    Args:
        scope: of the corpus.
        corpus: the texts.
        references: names of those in use.
        settings: of BLEU.

    Raises:
        BleuCoreError: there is no reference, or the settings cannot be used with these data.
    """
    if not references:
        raise SettingsError("no reference is selected, at least 1 needed; select one under “References” in the sidebar")
    systems = tuple(corpus.systems)
    digests = _digests(scope, corpus, systems, references)
    texts = ByPosition(value=(corpus, references), fingerprint_by_position=digests)
    counting = _counting(settings, DEFAULT_ORDER if settings.max_order <= DEFAULT_ORDER else MAX_ORDER)
    stats = NgramStats(systems, *_counts(texts, counting))
    evaluation = BleuEvaluation(
        digest=corpus.digest, systems=systems, references=references, stats=stats, settings=settings
    )
    return evaluation.with_statistics(_table(scope, evaluation))


@lru_cache(maxsize=100)  # settings are validated once, not in every run
def _counting(settings: BleuSettings, max_order: int) -> BleuSettings:
    return settings.counting_up_to(max_order)


@session.cached("Scoring", "systems")
def _table(_: Progress, evaluation: BleuEvaluation) -> SegmentStatistics:
    return evaluation.statistics


@session.shared("Counting n-grams", "segments")
def _counts(
    progress: Progress, texts: ByPosition[tuple[Corpus, tuple[str, ...]]], counting: BleuSettings
) -> tuple[Integers, Integers, Integers]:
    corpus, references = texts.value
    count = choose_counter(len(corpus.systems) * corpus.segments)
    if count is count_ngrams:
        count = partial(session.offload, count_ngrams)
    stats = evaluate(corpus, counting, references=references, count=count, progress=progress).stats
    return stats.matches, stats.hypothesis_lengths, stats.reference_lengths


def compute_metric(scope: Hashable, corpus: Corpus, evaluation: BleuEvaluation, chosen: Metric) -> ScoredCorpus:
    """Return the systems of an evaluation under a metric other than BLEU.

    Args:
        scope: of the corpus.
        corpus: the texts.
        evaluation: of them.
        chosen: the metric.
    """
    settings = chosen.settings_in_use(evaluation.settings)
    if not _is_built_in(chosen):  # the sums of another package's metric, or of a file, may contain names
        known = chosen.fingerprint, evaluation.digest, evaluation.systems, evaluation.references, settings
        return _scored(scope, Fingerprinted(value=(corpus, evaluation, chosen), fingerprint=known), chosen.label)
    digests = _digests(scope, corpus, evaluation.systems, evaluation.references, needs=chosen.needs)
    texts = ByPosition(value=(corpus, evaluation), fingerprint_by_position=digests)
    sums, score = _sums(texts, chosen.key, settings)
    table = SegmentStatistics(evaluation.systems, sums, score, chosen.higher_is_better)
    return ScoredCorpus.of_corpus(corpus, evaluation, chosen, table)


@session.cached(lambda _texts, label: f"Computing {label}", "hypotheses")
def _scored(
    progress: Progress, texts: Fingerprinted[tuple[Corpus, BleuEvaluation, Metric]], _label: str
) -> ScoredCorpus:
    return score_metric(*texts.value, progress=progress)


def _computing(_: object, key: str, *_others: object) -> str:
    return f"Computing {find_metric(key).label}"


@session.shared(_computing, "hypotheses")
def _sums(
    progress: Progress, texts: ByPosition[tuple[Corpus, BleuEvaluation]], key: str, _settings: tuple[object, ...]
) -> tuple[Any, Any]:
    table = score_metric(*texts.value, key, progress=progress).statistics
    return table.values, table.score


@session.cached("Resampling the text", "resamples")
def intervals_of_scores(progress: Progress, sums: Sums) -> ScoreIntervals:
    """Return intervals of systems' scores; for BLEU also of their precisions."""
    draw = _shared_intervals if _is_built_in(sums.scored.metric) else partial(_intervals, progress)
    scores, precisions, resamples = draw(sums)
    systems = sums.table.systems
    return ScoreIntervals(
        dict(zip(systems, scores, strict=True)), dict(zip(systems, precisions, strict=False)), resamples
    )


def _intervals(progress: Progress, sums: Sums) -> tuple[tuple[Interval, ...], tuple[tuple[Interval, ...], ...], int]:
    intervals: ScoreIntervals = session.offload(score_intervals, sums.table, progress=progress)
    return tuple(intervals.scores.values()), tuple(intervals.precisions.values()), intervals.resamples


@session.cached("Resampling the text", "resamples")
def intervals_of_units(progress: Progress, sums: Sums, seed: int, *, by_documents: bool) -> Mapping[str, Interval]:
    """Return intervals of systems' scores.

    Args:
        progress: called with the progress of the draws.
        sums: of the systems.
        seed: of the draws.
        by_documents: whether documents are drawn as a whole.
    """
    draw = _shared_units if _is_built_in(sums.scored.metric) else partial(_units, progress)
    return dict(zip(sums.table.systems, draw(sums, sums.groups(by_documents=by_documents), seed), strict=True))


def _units(progress: Progress, sums: Sums, groups: Blocks | None, seed: int) -> tuple[Interval, ...]:
    return tuple(metric_intervals(sums.table, groups=groups, seed=seed, progress=progress).values())


@session.cached("Resampling the text", "resamples")
def resampled_scores(progress: Progress, sums: Sums, resamples: int, seed: int, *, by_documents: bool) -> Floats:
    """Return the scores of the bootstrap's resamples, points, (systems, resamples).

    Args:
        progress: called with the progress of the draws.
        sums: of the systems.
        resamples: number of resamples.
        seed: of the draws.
        by_documents: whether documents are drawn as a whole.
    """
    draw = _shared_scores if _is_built_in(sums.scored.metric) else partial(_scores, progress)
    return draw(sums, sums.groups(by_documents=by_documents), resamples, seed)


def _scores(progress: Progress, sums: Sums, groups: Blocks | None, resamples: int, seed: int) -> Floats:
    table = sums.table if groups is None else sums.table.grouped(groups.labels)
    return session.offload(bootstrap_scores, table, resamples, seed, progress=progress)


_shared_intervals = session.shared("Resampling the text", "resamples")(_intervals)
_shared_units = session.shared("Resampling the text", "resamples")(_units)
_shared_scores = session.shared("Resampling the text", "resamples")(_scores)


def _is_built_in(chosen: Metric) -> bool:
    """Return whether a metric is built in; the score of another package's may be a function with any content."""
    return chosen.key in BUILT_IN_METRICS


def _digests(
    scope: Hashable, corpus: Corpus, systems: Iterable[str], references: Iterable[str], *, needs: Iterable[str] = ()
) -> tuple[tuple[bytes, ...], ...]:
    """Return digests of texts by position: systems, references, and further columns that a metric needs."""
    digests = _digests_of(scope, corpus)
    others = {"source": ("source", "source"), "documents": ("document", "documents")}
    return (
        tuple(digests["system", name] for name in systems),
        tuple(digests["reference", name] for name in references),
        tuple(digests[others[need]] for need in needs),
    )


@session.cached("Reading the texts", "texts")
def _digests_of(_: Progress, corpus: Corpus) -> Mapping[tuple[str, str], bytes]:
    return {(column.role, column.name): _digest(column.segments) for column in corpus.columns}


def _digest(texts: Sequence[str | None]) -> bytes:
    """Return the digest of a text, including where its segments end, and which are absent."""
    lengths = np.array([-1 if text is None else len(text) for text in texts], np.int64)
    content = hashlib.blake2b(lengths.tobytes(), digest_size=DIGEST_BYTES)
    content.update("".join(text or "" for text in texts).encode("utf-8", "surrogatepass"))
    return content.digest()
