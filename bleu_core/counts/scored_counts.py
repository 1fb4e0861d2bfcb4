"""Counts under settings: the scores that the counted texts have, and what is unusual about them."""

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
        evaluation: as of the texts; where segments are bundled, what remains without them.
        metric: with the sums of each segment, or of each bundle.
    """

    evaluation: BleuEvaluation | CorpusScores
    metric: ScoredCorpus

    @property
    def by_segment(self) -> BleuEvaluation | None:
        """The evaluation, where there are counts for each segment."""
        return self.evaluation if isinstance(self.evaluation, BleuEvaluation) else None

    def scores_of(self, systems: Sequence[str]) -> CorpusScores:
        """The scores of some of the systems, in the order given; nothing is summed again."""
        found = self.evaluation
        positions = [found.systems.index(name) for name in systems]
        return CorpusScores(
            systems=tuple(systems),
            references=found.references,
            settings=found.settings,
            segments=found.segments,
            signature=found.signature,
            scores=found.scores.subset(positions),
        )


def score_counts(counts: Counts, settings: BleuSettings) -> ScoredCounts:
    """The systems of counts, scored by BLEU.

    Args:
        counts: of the whole text.
        settings: tokeniser and case are taken from the counts.

    Raises:
        SettingsError: n-grams of the highest order were not counted.
    """
    counted, data = counts.counted, counts.data
    chosen = settings_of_counted(settings, counted)
    systems, references = (tuple(text.name for text in texts) for texts in (counted.systems, counted.references))
    if isinstance(data, SegmentCounts):
        evaluation = BleuEvaluation(
            digest=counts.digest, systems=systems, references=references, stats=data.stats(systems), settings=chosen
        )
        return ScoredCounts(evaluation, ScoredCorpus.of_bleu(evaluation))
    table = data.table(systems, chosen)
    written = signature(chosen, data.references_per_segment)
    scores = CorpusScores(
        systems=systems,
        references=references,
        settings=chosen,
        segments=counted.segments,
        signature=written,
        scores=bleu(table.sums(), chosen),
    )
    return ScoredCounts(scores, ScoredCorpus(find_metric("bleu"), written, table))


def settings_of_counted(settings: BleuSettings, counted: Counted) -> BleuSettings:
    """Settings with those of the counts where these decide how n-grams are counted.

    Raises:
        SettingsError: n-grams of the highest order were not counted.
    """
    if settings.max_order > counted.max_order:
        raise SettingsError(
            f"order {settings.max_order} is needed, but n-grams were counted up to order {counted.max_order}; "
            f"count the texts again, or set the maximum order to {counted.max_order}"
        )
    return replace(settings, **{each.name: getattr(counted.counting, each.name) for each in fields(counted.counting)})


def oddities_of(counts: Counts) -> list[str]:
    """What is unusual about counts, in sentences without a full stop."""
    counted = counts.counted
    found = [
        f"{text.name}: {sentence}"
        for text, odd in zip(counted.texts, counts.oddities, strict=True)
        for sentence in odd.sentences
    ]
    here = counting_signature(counted.counting)
    if counted.signature != here:
        found.append(f"the texts were counted with {counted.signature}, and the signature of the scores names {here}")
    return found
