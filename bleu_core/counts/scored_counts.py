"""BLEU of counted texts, and notes on what is unusual about them."""

from __future__ import annotations

from dataclasses import fields, replace

from bleu_core.counts.counts import Counted, Counts, SegmentCounts
from bleu_core.errors import SettingsError
from bleu_core.scoring import BleuEvaluation, BleuSettings, CorpusScores, counting_signature, signature


def score_counts(counts: Counts, settings: BleuSettings) -> BleuEvaluation | CorpusScores:
    """Score the systems of counts by BLEU.

    Args:
        counts: of the whole text.
        settings: the settings of BLEU; tokeniser and case are those of the counts.

    Returns:
        The evaluation; of bundled counts only the scores of the corpus.

    Raises:
        SettingsError: n-grams of the maximum order were not counted.
    """
    counted, data = counts.counted, counts.data
    used_settings = settings_of_counted(settings, counted)
    systems, references = (tuple(text.name for text in texts) for texts in (counted.systems, counted.references))
    if isinstance(data, SegmentCounts):
        return BleuEvaluation(
            digest=counts.digest,
            systems=systems,
            references=references,
            stats=data.stats(systems),
            settings=used_settings,
        )
    return CorpusScores(
        references=references,
        settings=used_settings,
        signature=signature(used_settings, data.references_per_segment),
        statistics=data.table(systems, used_settings),
    )


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
