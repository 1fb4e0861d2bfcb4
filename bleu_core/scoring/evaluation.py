"""From a corpus and settings to n-gram counts and scores: the only expensive step."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

from bleu_core.dataset import Corpus, first_without_reference
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.scoring.bleu_score import SMOOTHING_DEFAULTS, Bleu, BleuSettings, bleu, table
from bleu_core.scoring.ngrams import ABSENT, Count, NgramStats, count_ngrams
from bleu_core.scoring.settings import Counting, signature_keys
from bleu_core.scoring.sums import SumTable
from bleu_core.scoring.tokenizers import tokenizer_signature


@dataclass(frozen=True, kw_only=True)  # without slots, which leave no place for what is computed once
class Evaluation:
    """Systems counted against references, under settings.

    Attributes:
        digest: the corpus's.
        systems: K names, in the corpus's order.
        references: the names of the references in use.
        stats: what was counted.
        settings: what was chosen.
    """

    digest: str
    systems: tuple[str, ...]
    references: tuple[str, ...]
    stats: NgramStats
    settings: BleuSettings

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Stands for the evaluation in caches; what was counted follows from the texts and the settings."""
        return self.digest, self.systems, self.references, self.settings

    @cached_property
    def table(self) -> SumTable:
        """T, (K, S, 2 + 2N), with BLEU as its score."""
        return table(self.stats, self.settings)

    @cached_property
    def scores(self) -> Bleu:
        """Corpus BLEU, (K,)."""
        return bleu(self.table.sums(), self.settings)

    @property
    def segment_scores(self) -> Bleu:
        """BLEU of each segment by itself, (K, S)."""
        return bleu(self.table.table, self.settings, single_segments=True)

    @property
    def segments(self) -> int:
        """S."""
        return self.stats.matches.shape[1]

    @property
    def references_per_segment(self) -> int | None:
        """How many references each segment has; None where the number varies."""
        present = (self.stats.reference_lengths != ABSENT).sum(axis=0)
        return int(present[0]) if (present == present[0]).all() else None

    @property
    def signature(self) -> str:
        """What to quote with BLEU."""
        return signature(self.settings, self.references_per_segment)

    def select(self, systems: Sequence[str]) -> Evaluation:
        """The same for some of the systems, in the order given; nothing is counted again."""
        if tuple(systems) == self.systems:
            return self  # with what it has computed once
        found = replace(self, systems=tuple(systems), stats=self.stats.select(systems))
        return found.with_table(self.table.select(systems)) if "table" in vars(self) else found

    def subset(self, rows: Sequence[int], digest: str) -> Evaluation:
        """The same for some of the segments; nothing is counted again.

        Args:
            rows: the positions of the segments, from 0.
            digest: of the corpus of these segments.
        """
        found = replace(self, digest=digest, stats=self.stats.subset(rows))
        return found.with_table(self.table.subset(rows)) if "table" in vars(self) else found

    def with_table(self, table: SumTable) -> Evaluation:
        """The same with T, which was derived from the same counts and settings before."""
        found = replace(self)
        vars(found)["table"] = table  # where the cached property keeps it
        return found

    def under(self, settings: BleuSettings) -> Evaluation:
        """The same counts under settings that differ only in what is chosen after counting.

        Raises:
            ValueError: the settings of counting differ, or more orders are asked for than were counted.
        """
        if settings.counting != self.settings.counting or settings.max_order > self.stats.max_order:
            raise ValueError(f"{settings} needs other n-gram counts than {self.settings}")
        return self if settings == self.settings else replace(self, settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusScores:
    """What remains of an evaluation when segments are summed and dropped.

    Attributes:
        systems: K names.
        references: the names of the references in use.
        settings: what was chosen.
        segments: S.
        signature: what to quote with the scores.
        scores: corpus BLEU, (K,).
    """

    systems: tuple[str, ...]
    references: tuple[str, ...]
    settings: BleuSettings
    segments: int
    signature: str
    scores: Bleu


def signature(settings: BleuSettings, references: int | None) -> str:
    """Write the signature as sacreBLEU does; where the settings go beyond sacreBLEU's, our keys follow.

    Those are order, weights and length (of the reference).

    Args:
        settings: what was chosen.
        references: how many each segment has; None where it varies.
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


def common_signature(evaluation: Evaluation) -> str:
    """The signature, in sacreBLEU's form, of a metric that depends on the tokens alone.

    The version is sacreBLEU's, as its tokenisers are in use.
    """
    references = _references_key(evaluation.references_per_segment)
    return "|".join([references, counting_signature(evaluation.settings)])


def counting_signature(settings: Counting) -> str:
    """What counts of tokens depend on beside the texts, in sacreBLEU's form."""
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
    """The version installed, from the name of its metadata's folder.

    importlib.metadata would read it there, but loading that module takes a seventh of a short run.
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
) -> Evaluation:
    """Count every system of a corpus against its references.

    Args:
        corpus: the texts.
        settings: sacreBLEU's defaults if None.
        references: names of those to use; all if None.
        counted_order: count up to this order, so that settings with a higher max_order need no new count.
        count: what counts the texts.
        progress: told, now and then, how much of how much is done.

    Raises:
        AlignmentError: there is no system or no reference, or a segment has none of the references chosen.
        SettingsError: a chosen reference does not exist, or the tokeniser lacks what it needs.
    """
    settings = settings or BleuSettings()
    chosen = tuple(corpus.references) if references is None else tuple(references)
    unknown = [name for name in chosen if name not in corpus.references]
    if unknown:
        raise SettingsError(f"reference {unknown[0]!r} found, one of {', '.join(corpus.references)} expected")
    if not corpus.systems:
        raise AlignmentError("no system found, at least 1 expected; add the output of a system")
    if not chosen:
        raise AlignmentError("no reference found, at least 1 expected; add a reference translation")
    texts = {name: corpus.references[name] for name in chosen}
    line = first_without_reference(list(texts.values()))
    if line:
        raise AlignmentError(f"segment {line} has none of the references in use ({', '.join(chosen)})")
    stats = count(
        corpus.systems,
        texts,
        counting=settings.counting,
        max_order=max(settings.max_order, counted_order or 0),
        progress=progress,
    )
    return Evaluation(
        digest=corpus.digest, systems=tuple(corpus.systems), references=chosen, stats=stats, settings=settings
    )
