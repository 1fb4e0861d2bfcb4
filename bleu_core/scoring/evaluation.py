"""The BLEU evaluation of a corpus: n-gram counts, scores and signature. Counting is the only expensive step."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from bleu_core.dataset import Corpus, first_without_reference
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.scoring.bleu_factors import Bleu
from bleu_core.scoring.bleu_score import SMOOTHING_DEFAULTS, BleuSettings, bleu, bleu_statistics
from bleu_core.scoring.ngrams import ABSENT, Count, NgramStats, count_ngrams
from bleu_core.scoring.segment_statistics import SegmentStatistics
from bleu_core.scoring.settings import Counting, signature_keys
from bleu_core.scoring.tokenizers import tokenizer_signature


@dataclass(frozen=True, kw_only=True)  # without slots, which exclude cached properties
class BleuEvaluation:
    """The n-gram counts and BLEU scores of systems against references.

    Attributes:
        digest: of the corpus.
        systems: K names, in the order of the corpus.
        references: the names of the references in use.
        stats: the n-gram counts.
        settings: of BLEU.
    """

    digest: str
    systems: tuple[str, ...]
    references: tuple[str, ...]
    stats: NgramStats
    settings: BleuSettings

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Cache key of the evaluation; texts and settings determine the counts."""
        return self.digest, self.systems, self.references, self.settings

    @cached_property
    def statistics(self) -> SegmentStatistics:
        """Statistics (K, S, 2 + 2N) whose score is BLEU."""
        return bleu_statistics(self.stats, self.settings)

    @cached_property
    def scores(self) -> Bleu:
        """Corpus BLEU, (K,)."""
        return bleu(self.statistics.sums(), self.settings)

    @property
    def segment_scores(self) -> Bleu:
        """BLEU of each segment alone, (K, S)."""
        return bleu(self.statistics.values, self.settings, single_segments=True)

    @property
    def segments(self) -> int:
        """S."""
        return self.stats.matches.shape[1]

    @property
    def references_per_segment(self) -> int | None:
        """The number of references per segment; None if it varies."""
        present = (self.stats.reference_lengths != ABSENT).sum(axis=0)
        return int(present[0]) if (present == present[0]).all() else None

    @property
    def signature(self) -> str:
        """The signature to report with BLEU."""
        return signature(self.settings, self.references_per_segment)

    def select(self, systems: Sequence[str]) -> BleuEvaluation:
        """Return the evaluation of some of the systems, in the order given, without counting again."""
        if tuple(systems) == self.systems:
            return self  # with its cached values
        evaluation = replace(self, systems=tuple(systems), stats=self.stats.select(systems))
        return evaluation.with_statistics(self.statistics.select(systems)) if "statistics" in vars(self) else evaluation

    def subset(self, rows: Sequence[int], digest: str) -> BleuEvaluation:
        """Return the evaluation of some of the segments, without counting again.

        Args:
            rows: the positions of the segments, from 0.
            digest: of the corpus of these segments.
        """
        evaluation = replace(self, digest=digest, stats=self.stats.subset(rows))
        return evaluation.with_statistics(self.statistics.subset(rows)) if "statistics" in vars(self) else evaluation

    def with_statistics(self, statistics: SegmentStatistics) -> BleuEvaluation:
        """Return the evaluation with statistics that were derived from the same counts and settings."""
        evaluation = replace(self)
        vars(evaluation)["statistics"] = statistics  # the value of the cached property
        return evaluation

    def with_settings(self, settings: BleuSettings) -> BleuEvaluation:
        """Return the same counts under settings that differ only in what counting does not depend on.

        Raises:
            ValueError: the settings of counting differ, or max_order exceeds the orders counted.
        """
        if settings.counting != self.settings.counting or settings.max_order > self.stats.max_order:
            raise ValueError(f"{settings} needs other n-gram counts than {self.settings}")
        return self if settings == self.settings else replace(self, settings=settings)


@dataclass(frozen=True, kw_only=True)  # without slots, which exclude cached properties
class CorpusScores:
    """The corpus scores of an evaluation whose segments were not kept.

    Attributes:
        references: the names of the references in use.
        settings: of BLEU.
        signature: to report with the scores.
        statistics: of bundles of segments, whose score is BLEU.
    """

    references: tuple[str, ...]
    settings: BleuSettings
    signature: str
    statistics: SegmentStatistics

    @property
    def systems(self) -> tuple[str, ...]:
        """K names."""
        return self.statistics.systems

    @property
    def segments(self) -> int:
        """S."""
        return self.statistics.all_segments

    @cached_property
    def scores(self) -> Bleu:
        """Corpus BLEU, (K,)."""
        return bleu(self.statistics.sums(), self.settings)

    def select(self, systems: Sequence[str]) -> CorpusScores:
        """Return the scores of some of the systems, in the order given."""
        return replace(self, statistics=self.statistics.select(systems))


def signature(settings: BleuSettings, references: int | None) -> str:
    """Return the signature in sacreBLEU's form, followed by our keys for settings that sacreBLEU lacks.

    These keys are order, weights and length (of the reference).

    Args:
        settings: of BLEU.
        references: number per segment; None if it varies.
    """
    s = settings
    value = SMOOTHING_DEFAULTS.get(s.smoothing) if s.smoothing_value is None else s.smoothing_value
    keys = [
        _references_key(references),
        _case_key(s),
        f"eff:{'yes' if s.effective_order else 'no'}",
        _tokenizer_key(s),
        f"smooth:{s.smoothing}" + ("" if value is None else f"[{value:.2f}]"),
        _version_key(),
    ]
    return "|".join([*keys, *signature_keys(s)])


def common_signature(evaluation: BleuEvaluation) -> str:
    """Return the signature, in sacreBLEU's form, of a metric that depends on the tokens alone.

    The version is that of sacreBLEU, whose tokenisers are in use.
    """
    references = _references_key(evaluation.references_per_segment)
    return "|".join([references, counting_signature(evaluation.settings)])


def counting_signature(settings: Counting) -> str:
    """Return the settings that token counts depend on, in sacreBLEU's form."""
    counting = settings.counting
    return "|".join([_case_key(counting), _tokenizer_key(counting), _version_key(), *signature_keys(counting)])


def _references_key(references: int | None) -> str:
    return f"nrefs:{'var' if references is None else references}"


def _case_key(settings: Counting) -> str:
    return f"case:{'lc' if settings.lowercase else 'mixed'}"


def _tokenizer_key(settings: Counting) -> str:
    return f"tok:{tokenizer_signature(settings.tokenizer)}"


def _version_key() -> str:
    return f"version:{_sacrebleu_version()}"


@cache
def _sacrebleu_version() -> str:
    """Return the installed version, from the name of its metadata folder.

    importlib.metadata reads it there too, but loading that module takes a seventh of a short run.
    """
    spec = importlib.util.find_spec("sacrebleu")
    folders = list(Path(spec.origin).parents[1].glob("sacrebleu-*.dist-info")) if spec and spec.origin else []
    if len(folders) == 1:
        return folders[0].stem.removeprefix("sacrebleu-")
    from importlib import metadata

    return metadata.version("sacrebleu")


def evaluate(
    corpus: Corpus,
    settings: BleuSettings | None = None,
    *,
    references: Sequence[str] | None = None,
    counted_order: int | None = None,
    count: Count = count_ngrams,
    progress: Callable[[int, int], None] | None = None,
) -> BleuEvaluation:
    """Count every system of a corpus against its references.

    Args:
        corpus: the texts.
        settings: sacreBLEU's defaults if None.
        references: names of those to use; all if None.
        counted_order: count up to this order, so that settings with a higher max_order need no new count.
        count: function that counts the texts.
        progress: called repeatedly with the amount done and the total.

    Raises:
        AlignmentError: there is no system or no reference, or a segment has none of the references chosen.
        SettingsError: a chosen reference does not exist, or a requirement of the tokeniser is not installed.
    """
    settings = settings or BleuSettings()
    in_use = tuple(corpus.references) if references is None else tuple(references)
    unknown = [name for name in in_use if name not in corpus.references]
    if unknown:
        raise SettingsError(f"reference {unknown[0]!r} found, one of {', '.join(corpus.references)} expected")
    if not corpus.systems:
        raise AlignmentError("no system found, at least 1 expected; add the output of a system")
    if not in_use:
        raise AlignmentError("no reference found, at least 1 expected; add a reference translation")
    texts = {name: corpus.references[name] for name in in_use}
    line = first_without_reference(list(texts.values()))
    if line:
        raise AlignmentError(f"segment {line} has none of the references in use ({', '.join(in_use)})")
    stats = count(
        corpus.systems,
        texts,
        counting=settings.counting,
        max_order=max(settings.max_order, counted_order or 0),
        progress=progress,
    )
    return BleuEvaluation(
        digest=corpus.digest, systems=tuple(corpus.systems), references=in_use, stats=stats, settings=settings
    )
