"""The brevity penalty of one segment and of many, under both definitions of the reference length.

Papineni et al. (2002), sections 2.2.2 and 2.3, take the best match length, the reference length closest to the
hypothesis. Other descriptions take the length of the shortest reference, the setting reference_length="shortest".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bleu_core.arrays import Floats, worst_first
from bleu_core.fields import SEGMENTS, SYSTEM, derived, field, result, rows_of
from bleu_core.scoring.bleu_score import ReferenceLength, brevity_penalty, effective_reference_lengths
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.ngrams import ABSENT, NgramStats

#: Decimals to which logarithms are rounded before they are compared.
DECIMALS = 9

#: Number of bands of length into which segments are divided.
BANDS = 4

#: The paper's definition, and the other.
DEFINITIONS: tuple[ReferenceLength, ...] = ("closest", "shortest")


#: Why a logarithm is undefined.
NO_LOGARITHM = "the logarithm of 0 is undefined"


@result
class Brevity:
    """The brevity penalty of one segment."""

    hypothesis_length: int = field("count", "Words of the candidate.")
    reference_lengths: tuple[int, ...] = field("object", "Words of each reference.")
    choice: ReferenceLength = field("text", "How the reference length is chosen.")
    effective: float = field("number", "Effective reference length, in words.")
    penalty: float = field(
        "fraction", "Factor that penalises a candidate shorter than the reference; 1 means no penalty."
    )


@result
class LengthBand:
    """Segments of similar length; penalties are those of K systems."""

    segments: int = field(SEGMENTS)
    shortest: float = field("number", "Mean reference length of the shortest segment, in words.")
    longest: float = field("number", "Mean reference length of the longest segment, in words.")
    penalties: Floats = field("fraction", "Mean segment-level penalty of each system in these segments.")


@result
class SystemPenalties:
    """The brevity penalties of a system."""

    system: str = field(SYSTEM)
    corpus: float = field("fraction", "Brevity penalty of the whole text.")
    mean_of_segments: float = field("fraction", "Mean of the segment-level brevity penalties.")


@result
class SentencePenalties:
    """The brevity penalty of the corpus and the mean of those of segments, which section 2.2.2 advises against."""

    systems: tuple[SystemPenalties, ...] = field("object", "Penalties by system.")
    bands: tuple[LengthBand, ...] = field("object", "Quarters of the segments, shortest first.")


@result
class SystemDefinition:
    """Scores of a system with one definition of reference length."""

    system: str = field(SYSTEM)
    bleu: float = field("points", "Corpus BLEU.")
    brevity_penalty: float = field(
        "fraction", "Factor that penalises texts shorter than the reference; 1 means no penalty."
    )
    hypothesis_length: float = field("number", "Number of tokens of the system's text.")
    reference_length: float = field("number", "Number of tokens of the reference, as the definition chooses it.")
    log_brevity_penalty: float = field("number", "Natural logarithm of the brevity penalty.", undefined=NO_LOGARITHM)
    log_precisions: float = field(
        "number", "Weighted sum of the natural logarithms of the precisions.", undefined=NO_LOGARITHM
    )
    log_bleu: float = field("number", "Natural logarithm of BLEU from 0 to 1.", undefined=NO_LOGARITHM)


@result
class Definition:
    """BLEU of K systems under one definition of reference length, and its parts in the log domain."""

    choice: ReferenceLength = field("text", "How the reference length is chosen.", key="reference_length")
    signature: str = field("text", "Signature to quote with the scores.")
    systems: tuple[SystemDefinition, ...] = field("object", "Scores by system.")

    @derived("object", "The systems by log BLEU, lowest first.")
    def ranking(self) -> tuple[str, ...]:
        """The systems by log BLEU, lowest first."""
        names = [system.system for system in self.systems]
        log_bleu = np.array([system.log_bleu for system in self.systems])
        return tuple(names[k] for k in worst_first(names, log_bleu.round(DECIMALS)))


def brevity(hypothesis_length: int, reference_lengths: Sequence[int], choice: ReferenceLength = "closest") -> Brevity:
    """Return the penalty of a hypothesis, given its length and those of at least one reference, in tokens."""
    stats = NgramStats(
        ("",),
        np.zeros((1, 1, 1), np.int64),
        np.array([[hypothesis_length]], np.int64),
        np.array(reference_lengths, np.int64)[:, None],
    )
    effective = effective_reference_lengths(stats, choice)
    penalty = brevity_penalty(stats.hypothesis_lengths, effective)
    return Brevity(
        hypothesis_length=hypothesis_length,
        reference_lengths=tuple(reference_lengths),
        choice=choice,
        effective=float(effective[0, 0]),
        penalty=float(penalty[0, 0]),
    )


def sentence_penalties(evaluation: BleuEvaluation, bands: int = BANDS) -> SentencePenalties:
    """Average the penalties of segments, over all segments and by length.

    Args:
        evaluation: K systems, S segments.
        bands: number of bands, with nearly equal numbers of segments; at most one per segment.
    """
    statistics = evaluation.statistics.values
    penalties = brevity_penalty(statistics[..., 0], statistics[..., 1])
    lengths = evaluation.stats.reference_lengths
    present = lengths != ABSENT
    mean_lengths = np.where(present, lengths, 0).sum(axis=0) / np.maximum(present.sum(axis=0), 1)
    parts = np.array_split(np.argsort(mean_lengths, kind="stable"), min(bands, evaluation.segments))
    length_bands = tuple(
        LengthBand(
            segments=len(part),
            shortest=float(mean_lengths[part[0]]),
            longest=float(mean_lengths[part[-1]]),
            penalties=penalties[:, part].mean(axis=1),
        )
        for part in parts
    )
    systems = rows_of(
        SystemPenalties,
        system=evaluation.systems,
        corpus=evaluation.scores.brevity_penalty,
        mean_of_segments=penalties.mean(axis=1),
    )
    return SentencePenalties(systems=systems, bands=length_bands)


def definitions(evaluation: BleuEvaluation) -> tuple[Definition, ...]:
    """Score under the paper's definition of reference length and under the other, without counting again."""
    return tuple(_definition(evaluation, choice) for choice in DEFINITIONS)


def _definition(evaluation: BleuEvaluation, choice: ReferenceLength) -> Definition:
    evaluation = evaluation.with_settings(replace(evaluation.settings, reference_length=choice))
    scores = evaluation.scores
    with np.errstate(divide="ignore"):
        log_penalties = np.log(scores.brevity_penalty)
        log_precisions = (np.log(scores.precisions) * evaluation.settings.order_weights).sum(axis=-1)
    systems = rows_of(
        SystemDefinition,
        system=evaluation.systems,
        bleu=scores.score,
        brevity_penalty=scores.brevity_penalty,
        hypothesis_length=np.asarray(scores.hypothesis_length, np.float64),
        reference_length=np.asarray(scores.reference_length, np.float64),
        log_brevity_penalty=log_penalties,
        log_precisions=log_precisions,
        log_bleu=log_penalties + log_precisions,
    )
    return Definition(choice=choice, signature=evaluation.signature, systems=systems)
