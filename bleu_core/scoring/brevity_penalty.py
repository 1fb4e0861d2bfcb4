"""The brevity penalty of one segment and of many, under both definitions of the reference length.

Papineni et al. (2002), sections 2.2.2 and 2.3, take the best match length, the reference length closest to the
hypothesis. Other descriptions take the length of the shortest reference, the setting reference_length="shortest".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.arrays import Floats, worst_first
from bleu_core.scoring.bleu_score import ReferenceLength, brevity_penalty, effective_reference_lengths
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.ngrams import ABSENT, NgramStats

#: Decimals to which logarithms are rounded before they are compared.
DECIMALS = 9

#: Number of bands of length into which segments are divided.
BANDS = 4

#: The paper's definition, and the other.
DEFINITIONS: tuple[ReferenceLength, ...] = ("closest", "shortest")


@dataclass(frozen=True, slots=True, kw_only=True)
class Brevity:
    """The brevity penalty of one segment.

    Attributes:
        hypothesis_length: tokens.
        reference_lengths: tokens of each reference.
        choice: definition of the effective length.
        effective: the effective reference length, tokens.
        penalty: a fraction.
    """

    hypothesis_length: int
    reference_lengths: tuple[int, ...]
    choice: ReferenceLength
    effective: float
    penalty: float


@dataclass(frozen=True, slots=True, eq=False)
class LengthBand:
    """Segments of similar length.

    Attributes:
        segments: number of segments.
        shortest, longest: least and greatest mean length of their references, tokens.
        penalties: (K,) mean penalty of the segments by system, fractions.
    """

    segments: int
    shortest: float
    longest: float
    penalties: Floats


@dataclass(frozen=True, slots=True, eq=False)
class SentencePenalties:
    """The brevity penalty of the corpus and the mean of those of segments, which section 2.2.2 advises against.

    Attributes:
        systems: K names.
        corpus: (K,) penalties of the corpus, fractions.
        means: (K,) means of the segments' penalties, fractions.
        bands: of the segments by length, the shortest first.
    """

    systems: tuple[str, ...]
    corpus: Floats
    means: Floats
    bands: tuple[LengthBand, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Definition:
    """BLEU of K systems under one definition of reference length, and its parts in the log domain.

    Attributes:
        choice: definition of the reference length.
        signature: of the settings.
        systems: K names.
        scores: (K,) points.
        penalties: (K,) fractions.
        hypothesis_lengths, reference_lengths: (K,) tokens.
        log_penalties: (K,) min(1 - r/c, 0), natural logarithm; minus infinity for a system without a token.
        log_precisions: (K,) the weighted sum of log p_n; minus infinity where a precision is 0.
    """

    choice: ReferenceLength
    signature: str
    systems: tuple[str, ...]
    scores: Floats
    penalties: Floats
    hypothesis_lengths: Floats
    reference_lengths: Floats
    log_penalties: Floats
    log_precisions: Floats

    @property
    def log_bleu(self) -> Floats:
        """(K,) log BLEU as in section 2.3, of BLEU from 0 to 1."""
        return self.log_penalties + self.log_precisions

    @property
    def ranking(self) -> tuple[str, ...]:
        """The systems by log BLEU, lowest first."""
        return tuple(self.systems[k] for k in worst_first(self.systems, self.log_bleu.round(DECIMALS)))


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
            len(part),
            float(mean_lengths[part[0]]),
            float(mean_lengths[part[-1]]),
            penalties[:, part].mean(axis=1),
        )
        for part in parts
    )
    return SentencePenalties(
        evaluation.systems, evaluation.scores.brevity_penalty, penalties.mean(axis=1), length_bands
    )


def definitions(evaluation: BleuEvaluation) -> tuple[Definition, ...]:
    """Score under the paper's definition of reference length and under the other, without counting again."""
    return tuple(_definition(evaluation, choice) for choice in DEFINITIONS)


def _definition(evaluation: BleuEvaluation, choice: ReferenceLength) -> Definition:
    evaluation = evaluation.with_settings(replace(evaluation.settings, reference_length=choice))
    scores = evaluation.scores
    c, r = (np.asarray(length, np.float64) for length in (scores.hypothesis_length, scores.reference_length))
    with np.errstate(divide="ignore"):
        log_penalties = np.log(scores.brevity_penalty)
        log_precisions = (np.log(scores.precisions) * evaluation.settings.order_weights).sum(axis=-1)
    return Definition(
        choice=choice,
        signature=evaluation.signature,
        systems=evaluation.systems,
        scores=scores.score,
        penalties=scores.brevity_penalty,
        hypothesis_lengths=c,
        reference_lengths=r,
        log_penalties=log_penalties,
        log_precisions=log_precisions,
    )
