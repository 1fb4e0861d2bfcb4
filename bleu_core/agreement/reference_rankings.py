"""The order of systems with each reference alone and with all together, and which systems each reference favours."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from bleu_core.agreement.correlation import (
    Agreement,
    Correlation,
    Exclusion,
    HumanSystems,
    agreement_of_scores,
    kendall,
    reasons_of,
)
from bleu_core.arrays import Floats, best_first
from bleu_core.dataset import Corpus, Judgments, human_translations, plural, rated_segments
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.inference import (
    ALPHA,
    CONFIDENCE,
    ENOUGH_UNITS,
    MIN_UNITS,
    TOLERANCE,
    Blocks,
    Interval,
    Unit,
    adjust,
    effects,
    expanded_p,
    expanded_share,
    few_units_warning,
    significant,
    too_few_units_reason,
)
from bleu_core.progress import Progress, scaled_progress
from bleu_core.scoring import BleuEvaluation, ScoredCorpus, SegmentStatistics, evaluate, score_metric

#: Steps of the progress bar for each reference.
STEPS = 1000

#: The fewest references, and the fewest systems, that can be compared.
MIN_SYSTEMS = 2

NO_SPREAD = "the scores of all segments are alike"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRanking:
    """The systems with one reference alone, or with all together.

    Attributes:
        reference: its name; None for all together.
        scored: the K systems with it.
        scores: (K,) points.
        ranks: (K,) from 1, the best; equal scores have the same rank, the best of those they share.
        agreement: with judges, where there are ratings of these systems.
    """

    reference: str | None
    scored: ScoredCorpus
    scores: Floats
    ranks: tuple[int, ...]
    agreement: Agreement | None = None

    @property
    def order(self) -> tuple[int, ...]:
        """The systems' indices, best first, those of one rank by name."""
        return best_first(self.scored.statistics.systems, self.ranks, higher_is_better=False)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems of rank 1."""
        return tuple(name for name, rank in zip(self.scored.statistics.systems, self.ranks, strict=True) if rank == 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPair:
    """Two rankings of the same systems.

    Attributes:
        reference, other: whose; None for all references together.
        kendall: Kendall's tau-b of the scores.
        reversed_pairs: pairs of systems that are in one order in the one, and in the other order in the other.
        pairs: of systems.
    """

    reference: str | None
    other: str | None
    kendall: Correlation
    reversed_pairs: int
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Advantage:
    """By how much a reference favours a system: what is left of its score when the means of both are taken out.

    Attributes:
        system, reference: names.
        points: the score less the system's mean over references and the reference's mean over systems, plus the mean
            of all; positive where the system scores better than expected, for metrics where lower is better too.
        error: the standard error.
        interval: of the advantage.
        p_value: two-sided; NaN where it is undefined.
        p_value_adjusted: corrected for the number of different advantages by Holm's method.
        reason: why they are undefined, else empty.
    """

    system: str
    reference: str
    points: float
    error: float
    interval: Interval
    p_value: float
    p_value_adjusted: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRankings:
    """K systems, ranked with each of R references.

    Attributes:
        systems: K names.
        rankings: R, each with one reference alone.
        together: with all references in use.
        pairs: all pairs of the R rankings, then each of them with that of all references.
        advantages: K times R, system by system.
        excluded: systems left out, with the reason.
        incomplete: references without some of the segments -> how many; they count in `together` only.
        unit: what standard errors are taken over, "segment" or "document".
        units: how many there are.
        tests: the number of different advantages that p-values are corrected for.
        alpha: significance level.
    """

    systems: tuple[str, ...]
    rankings: tuple[ReferenceRanking, ...]
    together: ReferenceRanking
    pairs: tuple[RankingPair, ...]
    advantages: tuple[Advantage, ...]
    excluded: tuple[Exclusion, ...]
    incomplete: Mapping[str, int]
    unit: Unit
    units: int
    tests: int
    alpha: float = ALPHA

    @property
    def references(self) -> tuple[str, ...]:
        """R names."""
        return tuple(one.reference for one in self.rankings if one.reference is not None)

    @property
    def alone(self) -> tuple[RankingPair, ...]:
        """The pairs of rankings with one reference each."""
        return tuple(pair for pair in self.pairs if pair.other is not None)

    @property
    def favoured(self) -> tuple[Advantage, ...]:
        """The significant advantages above 0, the largest first."""
        found = [one for one in self.advantages if one.points > 0 and self.is_significant(one)]
        return tuple(sorted(found, key=lambda one: -one.points))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to mind about the standard errors."""
        return (few_units_warning(self.units, self.unit),) if self.units < ENOUGH_UNITS else ()

    def is_significant(self, one: Advantage) -> bool:
        """Whether an advantage is more than chance."""
        return significant(one.p_value_adjusted, self.alpha)


def rank_by_reference(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments | None = None,
    *,
    name: str = "bleu",
    without: HumanSystems = (),
    documents: Blocks | None = None,
    alpha: float = ALPHA,
    progress: Progress | None = None,
) -> ReferenceRankings:
    """Rank the systems with each reference alone and with all together.

    Advantages are the interactions of a two-way table of scores, systems by references (Scheffe 1959, The analysis of
    variance, chapter 4). Their standard errors are those of the bootstrap over segments to first order (the
    infinitesimal jackknife: Efron 1982, The jackknife, the bootstrap and other resampling plans, chapter 6); p-values
    and intervals are normal, of fewer than 30 units those of Student's t; there are none of fewer than 6.

    A reference that lacks segments is not used alone: on fewer segments scores differ for other reasons than the
    reference. Human translations, which are those named and systems with the text of a reference of the
    corpus, are left out, and systems without a score.

    Args:
        corpus: the texts.
        evaluation: the counts of its systems against the references in use.
        judgments: the ratings; None without any.
        name: the key of the metric.
        without: human translators to leave out of the agreement with judges, or each with the reason.
        documents: units of the standard errors in place of segments.
        alpha: significance level.
        progress: told how much of the scoring is done.

    Raises:
        AlignmentError: fewer than two references have all segments, or fewer than two systems are left.
        SettingsError: there is no such metric, or alpha is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise SettingsError(f"alpha {alpha:g} found, a number between 0 and 1 expected")
    incomplete = _incomplete(corpus, evaluation)
    references = tuple(one for one in evaluation.references if one not in incomplete)
    _check_references(references, incomplete, corpus.segments)
    humans = _humans(corpus, evaluation, reasons_of(without))
    rest = _enough([system for system in evaluation.systems if system not in {one.system for one in humans}], humans)
    parts: list[tuple[str | None, BleuEvaluation]] = [
        (each, evaluate(corpus, evaluation.settings, references=[each])) for each in references
    ]
    parts.append((None, evaluation))
    scored: list[ScoredCorpus] = []
    for done, (_, of_part) in enumerate(parts):
        its_progress = scaled_progress(progress, done * STEPS, STEPS, len(parts) * STEPS)
        scored.append(score_metric(corpus, of_part.select(rest), name, progress=its_progress))
    undefined = _undefined(scored, [each for each, _ in parts])
    excluded = (*humans, *undefined)
    rest = _enough([system for system in rest if system not in {one.system for one in undefined}], excluded)
    rankings = [_ranking(each, one.select(rest), judgments) for (each, _), one in zip(parts, scored, strict=True)]
    alone, together = tuple(rankings[:-1]), rankings[-1]
    tables = [one.scored.statistics for one in alone]
    if documents is not None:
        tables = [table.grouped(documents.labels) for table in tables]
    unit: Unit = "segment" if documents is None else "document"
    tests = _different(len(rest)) * _different(len(references))
    return ReferenceRankings(
        systems=rest,
        rankings=alone,
        together=together,
        pairs=tuple(_pair(one, other) for one, other in (*combinations(alone, 2), *((one, together) for one in alone))),
        advantages=_advantages(rest, references, tables, unit),
        excluded=excluded,
        incomplete=incomplete,
        unit=unit,
        units=tables[0].segments,
        tests=tests,
        alpha=alpha,
    )


def _incomplete(corpus: Corpus, evaluation: BleuEvaluation) -> dict[str, int]:
    texts = {name: corpus.references[name] for name in evaluation.references}
    missing = {name: sum(line is None for line in text) for name, text in texts.items()}
    return {name: count for name, count in missing.items() if count}


def _check_references(complete: Sequence[str], incomplete: Mapping[str, int], segments: int) -> None:
    count = len(complete)
    if count >= MIN_SYSTEMS:
        return
    found = f"{count} {plural(count, 'reference')}"
    if incomplete:
        missing = ", ".join(f"{name} lacks {lines:,} of {segments:,}" for name, lines in incomplete.items())
        raise AlignmentError(
            f"{found} with all segments found, at least {MIN_SYSTEMS} expected ({missing}); choose a slice of the "
            "segments that both references have"
        )
    raise AlignmentError(
        f"{found} in use, at least {MIN_SYSTEMS} expected; add another reference, or use one that is left out"
    )


def _humans(corpus: Corpus, evaluation: BleuEvaluation, without: Mapping[str, str]) -> tuple[Exclusion, ...]:
    """The systems that are human translations."""
    reasons = {each.system: each.reason for each in human_translations(corpus)} | dict(without)
    return tuple(Exclusion(name, reasons[name]) for name in evaluation.systems if name in reasons)


def _undefined(scored: Sequence[ScoredCorpus], references: Sequence[str | None]) -> tuple[Exclusion, ...]:
    """The systems without a score."""
    found: dict[str, Exclusion] = {}
    for one, reference in zip(scored, references, strict=True):
        beside = "all references" if reference is None else reference
        for system, score in zip(one.statistics.systems, one.scores.tolist(), strict=True):
            if not math.isfinite(score) and system not in found:
                found[system] = Exclusion(system, f"{one.label} with {beside} is undefined: {one.metric.undefined}")
    return tuple(found.values())


def _enough(systems: Sequence[str], excluded: Sequence[Exclusion]) -> tuple[str, ...]:
    if len(systems) < MIN_SYSTEMS:
        out = f" (left out: {listed([f'{one.system}, {one.reason}' for one in excluded])})" if excluded else ""
        raise AlignmentError(
            f"{len(systems)} {plural(len(systems), 'system')} found, at least {MIN_SYSTEMS} expected{out}"
        )
    return tuple(systems)


def _ranking(reference: str | None, scored: ScoredCorpus, judgments: Judgments | None) -> ReferenceRanking:
    from scipy.stats import rankdata  # loaded when first needed: it costs more than scoring

    scores = np.asarray(scored.scores, np.float64)
    oriented = _oriented(scored.statistics, scores)
    ranks = rankdata(-np.round(oriented / TOLERANCE) * TOLERANCE, method="min").astype(int)
    return ReferenceRanking(
        reference=reference,
        scored=scored,
        scores=scores,
        ranks=tuple(ranks.tolist()),
        agreement=_agreement(scored, oriented, judgments),
    )


def _oriented(table: SegmentStatistics, scores: Floats) -> Floats:
    """Scores of which higher is better."""
    return scores if table.higher_is_better else -scores


def _agreement(scored: ScoredCorpus, oriented: Floats, judgments: Judgments | None) -> Agreement | None:
    if judgments is None:
        return None
    judgments.check_segments(scored.statistics.segments)
    try:
        found = agreement_of_scores(
            dict(zip(scored.statistics.systems, oriented.tolist(), strict=True)),
            judgments.system_means(),
            metric=scored.label,
            signature=scored.signature,
            higher_is_better=scored.statistics.higher_is_better,
        )
    except AlignmentError:  # none of these systems is rated
        return None
    return replace(found, rated=rated_segments(judgments, found.systems))


def _pair(one: ReferenceRanking, other: ReferenceRanking) -> RankingPair:
    x, y = (_oriented(each.scored.statistics, each.scores) for each in (one, other))
    signs = [np.sign(np.subtract.outer(each.ranks, each.ranks)) for each in (one, other)]
    systems = len(one.ranks)
    return RankingPair(
        reference=one.reference,
        other=other.reference,
        # If all scores of one are equal, it comes first: the reason why tau is undefined then names the metric.
        kendall=kendall(*sorted((x, y), key=lambda scores: float(np.ptp(scores))), metric=one.scored.label),
        reversed_pairs=int((np.prod(signs, axis=0) < 0).sum()) // 2,
        pairs=systems * (systems - 1) // 2,
    )


def _different(number: int) -> int:
    """How many rows, or columns, differ by more than their sign: of two, the one is the other with a minus."""
    return 1 if number == MIN_SYSTEMS else number


def _centred(values: Floats) -> Floats:
    """What is left of (R, K, ...) when the means over R and over K are taken out."""
    rows, columns = values.mean(axis=0, keepdims=True), values.mean(axis=1, keepdims=True)
    return values - rows - columns + values.mean(axis=(0, 1), keepdims=True)


def _advantages(
    systems: Sequence[str], references: Sequence[str], tables: Sequence[SegmentStatistics], unit: Unit
) -> tuple[Advantage, ...]:
    """The interactions, system by system.

    Args:
        systems: K names.
        references: R names.
        tables: R, of the same K systems and the same units.
        unit: what these are.
    """
    from scipy.special import ndtr, ndtri  # loaded when first needed: it costs more than scoring

    units, share = tables[0].segments, (1 - CONFIDENCE) / 2
    found = [effects(table) for table in tables]
    sign = 1 if tables[0].higher_is_better else -1
    points = sign * _centred(np.stack([one.scores for one in found]))
    errors = np.sqrt(np.square(_centred(np.stack([one.effects for one in found]))).sum(axis=2))
    ratios = np.divide(points, errors, out=np.full_like(points, math.nan), where=errors > TOLERANCE)
    p_values = 2 * np.asarray(ndtr(-np.abs(ratios)), np.float64)
    if units < MIN_UNITS:
        errors, p_values = np.full_like(errors, math.nan), np.full_like(p_values, math.nan)
    elif units < ENOUGH_UNITS:
        share, p_values = expanded_share(share, units), expanded_p(p_values, units)
    used = (slice(_different(len(references))), slice(_different(len(systems))))
    adjusted = np.broadcast_to(adjust(p_values[used].ravel()).reshape(p_values[used].shape), p_values.shape)
    numbers = np.stack([points, errors, p_values, adjusted], axis=-1)
    reason = too_few_units_reason(units, unit) if units < MIN_UNITS else NO_SPREAD
    return tuple(
        _advantage(system, reference, *numbers[r, k].tolist(), reach=-float(ndtri(share)), reason=reason)
        for k, system in enumerate(systems)
        for r, reference in enumerate(references)
    )


def _advantage(system: str, reference: str, *numbers: float, reach: float, reason: str) -> Advantage:
    """An advantage, given its points, its standard error, p and corrected p.

    Args:
        system: its name.
        reference: its name.
        numbers: those.
        reach: of the interval, in standard errors.
        reason: why there is no standard error, where there is none.
    """
    points, error, p_value, adjusted = numbers
    known = error > TOLERANCE
    width = reach * error if known else math.nan
    return Advantage(
        system=system,
        reference=reference,
        points=points,
        error=error if known else math.nan,
        interval=Interval(points - width, points + width, CONFIDENCE),
        p_value=p_value,
        p_value_adjusted=adjusted,
        reason="" if known else reason,
    )
