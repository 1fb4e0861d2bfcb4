"""BLEU of counted texts, and notes on what is unusual about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from bleu_core.counts.counts import Counted, Counts, SegmentCounts
from bleu_core.errors import SettingsError
from bleu_core.scoring import (
    BleuEvaluation,
    BleuSettings,
    CorpusScores,
    ScoredCorpus,
    bleu,
    counting_signature,
    find_metric,
    signature,
)


@dataclass(frozen=True, slots=True)
class ScoredCounts:
    """The systems of counts, scored by BLEU.

    Attributes:
        evaluation: the evaluation; of bundled counts only the scores of the corpus.
        metric: the scored systems, with the sums of each segment or bundle.
    """

    evaluation: BleuEvaluation | CorpusScores
    metric: ScoredCorpus

    @property
    def by_segment(self) -> BleuEvaluation | None:
        """The evaluation if there are counts for each segment, else None."""
        return self.evaluation if isinstance(self.evaluation, BleuEvaluation) else None

    def scores_of(self, systems: Sequence[str]) -> CorpusScores:
        """Return the scores of some of the systems, in the order given."""
        evaluation = self.evaluation
        positions = [evaluation.systems.index(name) for name in systems]
        return CorpusScores(
            systems=tuple(systems),
            references=evaluation.references,
            settings=evaluation.settings,
            segments=evaluation.segments,
            signature=evaluation.signature,
            scores=evaluation.scores.subset(positions),
        )


def score_counts(counts: Counts, settings: BleuSettings) -> ScoredCounts:
    """Score the systems of counts by BLEU.

    Args:
        counts: of the whole text.
        settings: the settings of BLEU; tokeniser and case are those of the counts.

    Raises:
        SettingsError: n-grams of the maximum order were not counted.
    """
    counted, data = counts.counted, counts.data
    used_settings = settings_of_counted(settings, counted)
    systems, references = (tuple(text.name for text in texts) for texts in (counted.systems, counted.references))
    if isinstance(data, SegmentCounts):
        evaluation = BleuEvaluation(
            digest=counts.digest,
            systems=systems,
            references=references,
            stats=data.stats(systems),
            settings=used_settings,
        )
        return ScoredCounts(evaluation, ScoredCorpus.of_bleu(evaluation))
    table = data.table(systems, used_settings)
    signature_text = signature(used_settings, data.references_per_segment)
    scores = CorpusScores(
        systems=systems,
        references=references,
        settings=used_settings,
        segments=counted.segments,
        signature=signature_text,
        scores=bleu(table.sums(), used_settings),
    )
    return ScoredCounts(scores, ScoredCorpus(find_metric("bleu"), signature_text, table))


def settings_of_counted(settings: BleuSettings, counted: Counted) -> BleuSettings:
    """Return the settings with the tokeniser and the case of the counts.

    Raises:
        SettingsError: n-grams of the maximum order were not counted.
    """
    if settings.max_order > counted.max_order:
        raise SettingsError(
            f"order {settings.max_order} is needed, but n-grams were counted up to order {counted.max_order}; "
            f"count the texts again, or set the maximum order to {counted.max_order}"
        )
    return replace(
        settings, **{setting.name: getattr(counted.counting, setting.name) for setting in fields(counted.counting)}
    )


def oddities_of(counts: Counts) -> list[str]:
    """Return sentences without a full stop about what is unusual in the counted texts."""
    counted = counts.counted
    sentences = [
        f"{text.name}: {sentence}"
        for text, odd in zip(counted.texts, counts.oddities, strict=True)
        for sentence in odd.sentences
    ]
    here = counting_signature(counted.counting)
    if counted.signature != here:
        sentences.append(f"the texts were counted with {counted.signature}, but the signature of the scores has {here}")
    return sentences
