"""Rankings of systems with each single reference and with all references, and systems that a reference favours."""

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
from bleu_core.dataset import Corpus, Judgments, identical_texts, plural, rated_segments, translations_of
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.fields import P_VALUE, P_VALUE_ADJUSTED, REASON, SYSTEM, Field, bounds, derived, field, inline, result
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
    normal_probability,
    normal_quantile,
    significant,
    too_few_units_reason,
)
from bleu_core.progress import Progress, scaled_progress
from bleu_core.scoring import DEFAULT_METRIC, BleuEvaluation, ScoredCorpus, SegmentStatistics, evaluate, score_metric

#: Progress steps per reference.
STEPS_PER_REFERENCE = 1000

#: Minimum number of references, and of systems, for a comparison.
MIN_SYSTEMS = 2

REFERENCE = Field("text", "Name of the reference.")

NO_SPREAD = "the scores of all segments are alike"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReferenceRanking:
    """The systems scored with a single reference, or with all references.

    Attributes:
        reference: name of the reference; None for all references.
        scored: the K systems.
        scores: (K,) points.
        ranks: (K,) from 1, the best; ties share their best rank.
        agreement: with judges, if these systems have ratings.
    """

    reference: str | None
    scored: ScoredCorpus
    scores: Floats
    ranks: tuple[int, ...]
    agreement: Agreement | None = None

    @property
    def order(self) -> tuple[int, ...]:
        """Indices of the systems, best first, ties by name."""
        return best_first(self.scored.statistics.systems, self.ranks, higher_is_better=False)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The systems of rank 1."""
        return tuple(name for name, rank in zip(self.scored.statistics.systems, self.ranks, strict=True) if rank == 1)


@result
class RankingPair:
    """Two rankings of the same systems.

    Attributes:
        reference, other: references of the rankings; other is None for all references.
    """

    reference: str = field(REFERENCE)
    other: str | None = field("text", "Name of the other reference; null for all together.", null=True)
    kendall: Correlation = field("number", "Kendall's tau-b of the systems' scores.", key="tau", part="coefficient")
    reversed_pairs: int = field("count", "Pairs of systems whose order differs.")
    pairs: int = field("count", "Pairs of systems.")

    @derived(REASON)
    def reason(self) -> str:
        """Why tau is undefined; empty if it is defined."""
        return self.kendall.reason


@result
class Advantage:
    """The advantage of a system with a reference: the interaction of the two in a table of scores.

    Attributes:
        p_value: NaN if it is undefined.
        p_value_adjusted: corrected by Holm's method; advantages that are equal by definition count once.
        reason: why standard error, interval and p are undefined; empty if they are defined.
    """

    system: str = field(SYSTEM)
    reference: str = field(REFERENCE)
    points: float = field(
        "difference",
        "Score minus the system's mean over references minus the reference's mean over systems plus the mean of all; "
        "above 0 if the reference favours the system, also for metrics for which lower is better.",
        key="advantage",
    )
    error: float = field("points", "Standard error of the advantage.")
    interval: Interval = inline(bounds("difference", f"{100 * CONFIDENCE:g}% interval of the advantage"))
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED, "p-value corrected for the number of advantages.")
    reason: str = field(REASON, default="")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceRankings:
    """K systems, ranked with each of R references.

    Attributes:
        systems: K names.
        rankings: R, each with a single reference.
        together: with all references in use.
        pairs: all pairs of the R rankings, then each of them with that of all references.
        advantages: K times R, system by system.
        excluded: systems that are not ranked, with the reason.
        incomplete: reference -> number of missing segments; incomplete references are used in `together` only.
        unit: unit of the standard errors, "segment" or "document".
        units: number of units.
        tests: number of distinct advantages that p-values are corrected for.
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
        return tuple(ranking.reference for ranking in self.rankings if ranking.reference is not None)

    @property
    def alone(self) -> tuple[RankingPair, ...]:
        """The pairs of rankings with a single reference each."""
        return tuple(pair for pair in self.pairs if pair.other is not None)

    @property
    def favoured(self) -> tuple[Advantage, ...]:
        """The significant positive advantages, largest first."""
        favoured = [
            advantage for advantage in self.advantages if advantage.points > 0 and self.is_significant(advantage)
        ]
        return tuple(sorted(favoured, key=lambda advantage: -advantage.points))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Limitations of the standard errors."""
        return (few_units_warning(self.units, self.unit),) if self.units < ENOUGH_UNITS else ()

    def is_significant(self, advantage: Advantage) -> bool:
        """Return whether an advantage is significant."""
        return significant(advantage.p_value_adjusted, self.alpha)


def rank_by_reference(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments | None = None,
    *,
    name: str = DEFAULT_METRIC,
    without: HumanSystems = (),
    documents: Blocks | None = None,
    alpha: float = ALPHA,
    progress: Progress | None = None,
) -> ReferenceRankings:
    """Rank the systems with each single reference and with all references.

    Advantages are the interactions of a two-way table of scores, systems by references (Scheffe 1959, The analysis of
    variance, chapter 4). Their standard errors are those of the bootstrap over segments to first order (the
    infinitesimal jackknife: Efron 1982, The jackknife, the bootstrap and other resampling plans, chapter 6); p-values
    and intervals are normal, or Student's t for fewer than 30 units; for fewer than 6 there are none.

    A reference that lacks segments is not used alone, because scores on fewer segments differ for other reasons than
    the reference. Excluded are human translations, which are those named and systems with the text of a reference of
    the corpus, and systems without a score.

    Args:
        corpus: the texts.
        evaluation: of its systems against the references in use.
        judgments: the ratings; None if there are none.
        name: key of the metric.
        without: human translators to exclude, or each with the reason.
        documents: units of the standard errors instead of segments.
        alpha: significance level.
        progress: called with how much of the scoring is done.

    Raises:
        AlignmentError: fewer than two references have all segments, or fewer than two systems remain.
        SettingsError: there is no such metric, or alpha is not between 0 and 1.
    """
    if not 0 < alpha < 1:
        raise SettingsError(f"alpha {alpha:g} found, a number between 0 and 1 expected")
    incomplete = _incomplete(corpus, evaluation)
    references = tuple(reference for reference in evaluation.references if reference not in incomplete)
    _check_references(references, incomplete, corpus.segments)
    humans = _humans(corpus, evaluation, reasons_of(without))
    remaining = _without(evaluation.systems, humans, humans)
    parts: list[tuple[str | None, BleuEvaluation]] = [
        (reference, evaluate(corpus, evaluation.settings, references=[reference])) for reference in references
    ]
    parts.append((None, evaluation))
    scored: list[ScoredCorpus] = []
    for done, (_, part) in enumerate(parts):
        part_progress = scaled_progress(
            progress, done * STEPS_PER_REFERENCE, STEPS_PER_REFERENCE, len(parts) * STEPS_PER_REFERENCE
        )
        scored.append(score_metric(corpus, part.select(remaining), name, progress=part_progress))
    undefined = _undefined(scored, [reference for reference, _ in parts])
    excluded = (*humans, *undefined)
    remaining = _without(remaining, undefined, excluded)
    rankings = [
        _ranking(reference, systems.select(remaining), judgments)
        for (reference, _), systems in zip(parts, scored, strict=True)
    ]
    alone, together = tuple(rankings[:-1]), rankings[-1]
    tables = [ranking.scored.statistics for ranking in alone]
    if documents is not None:
        tables = [table.grouped(documents.labels) for table in tables]
    unit: Unit = "segment" if documents is None else "document"
    tests = _n_distinct(len(remaining)) * _n_distinct(len(references))
    return ReferenceRankings(
        systems=remaining,
        rankings=alone,
        together=together,
        pairs=tuple(
            _pair(first, second)
            for first, second in (*combinations(alone, 2), *((ranking, together) for ranking in alone))
        ),
        advantages=_advantages(remaining, references, tables, unit),
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
    number = f"{count} {plural(count, 'reference')}"
    if incomplete:
        missing = ", ".join(f"{name} lacks {lines:,} of {segments:,}" for name, lines in incomplete.items())
        raise AlignmentError(
            f"{number} with all segments found, at least {MIN_SYSTEMS} expected ({missing}); choose a slice of the "
            "segments that both references have"
        )
    raise AlignmentError(
        f"{number} in use, at least {MIN_SYSTEMS} expected; add another reference, or use one that is excluded"
    )


def _humans(corpus: Corpus, evaluation: BleuEvaluation, without: Mapping[str, str]) -> tuple[Exclusion, ...]:
    """Return the systems that are human translations."""
    humans = translations_of(corpus.systems, identical_texts(corpus))
    reasons = {human.system: human.reason for human in humans} | dict(without)
    return tuple(Exclusion(name, reasons[name]) for name in evaluation.systems if name in reasons)


def _undefined(scored: Sequence[ScoredCorpus], references: Sequence[str | None]) -> tuple[Exclusion, ...]:
    """Return the systems without a score."""
    exclusions: dict[str, Exclusion] = {}
    for corpus, reference in zip(scored, references, strict=True):
        references_name = "all references" if reference is None else reference
        for system, score in zip(corpus.statistics.systems, corpus.scores.tolist(), strict=True):
            if not math.isfinite(score) and system not in exclusions:
                reason = f"{corpus.label} with {references_name} is undefined: {corpus.metric.undefined}"
                exclusions[system] = Exclusion(system, reason)
    return tuple(exclusions.values())


def _without(systems: Sequence[str], left_out: Sequence[Exclusion], excluded: Sequence[Exclusion]) -> tuple[str, ...]:
    """Return the systems that are not left out; the error for too few names all excluded ones."""
    names = {exclusion.system for exclusion in left_out}
    remaining = tuple(system for system in systems if system not in names)
    if len(remaining) < MIN_SYSTEMS:
        reasons = [f"{exclusion.system}, {exclusion.reason}" for exclusion in excluded]
        note = f" (left out: {listed(reasons)})" if excluded else ""
        raise AlignmentError(
            f"{len(remaining)} {plural(len(remaining), 'system')} found, at least {MIN_SYSTEMS} expected{note}"
        )
    return remaining


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
    """Return scores oriented so that higher is better."""
    return scores if table.higher_is_better else -scores


def _agreement(scored: ScoredCorpus, oriented: Floats, judgments: Judgments | None) -> Agreement | None:
    if judgments is None:
        return None
    judgments.check_segments(scored.statistics.segments)
    try:
        agreement = agreement_of_scores(
            dict(zip(scored.statistics.systems, oriented.tolist(), strict=True)),
            judgments.system_means(),
            metric=scored.label,
            signature=scored.signature,
            higher_is_better=scored.statistics.higher_is_better,
        )
    except AlignmentError:  # none of these systems is rated
        return None
    return replace(agreement, rated=rated_segments(judgments, agreement.systems))


def _pair(first: ReferenceRanking, second: ReferenceRanking) -> RankingPair:
    x, y = (_oriented(ranking.scored.statistics, ranking.scores) for ranking in (first, second))
    signs = [np.sign(np.subtract.outer(ranking.ranks, ranking.ranks)) for ranking in (first, second)]
    systems = len(first.ranks)
    return RankingPair(
        reference=first.reference or "",
        other=second.reference,
        # Constant scores come first, because the reason why tau is undefined then names the metric.
        kendall=kendall(*sorted((x, y), key=lambda scores: float(np.ptp(scores))), metric=first.scored.label),
        reversed_pairs=int((np.prod(signs, axis=0) < 0).sum()) // 2,
        pairs=systems * (systems - 1) // 2,
    )


def _n_distinct(number: int) -> int:
    """Return how many centred rows, or columns, differ not only by sign: of two, one is the negated other."""
    return 1 if number == MIN_SYSTEMS else number


def _centred(values: Floats) -> Floats:
    """Return the interactions of (R, K, ...): values minus row and column means, plus the grand mean."""
    rows, columns = values.mean(axis=0, keepdims=True), values.mean(axis=1, keepdims=True)
    return values - rows - columns + values.mean(axis=(0, 1), keepdims=True)


def _advantages(
    systems: Sequence[str], references: Sequence[str], tables: Sequence[SegmentStatistics], unit: Unit
) -> tuple[Advantage, ...]:
    """Return the advantages, system by system.

    Args:
        systems: K names.
        references: R names.
        tables: R tables of the same K systems and the same units.
        unit: kind of unit.
    """
    units, share = tables[0].segments, (1 - CONFIDENCE) / 2
    reference_effects = [effects(table) for table in tables]
    sign = 1 if tables[0].higher_is_better else -1
    points = sign * _centred(np.stack([effect.scores for effect in reference_effects]))
    errors = np.sqrt(np.square(_centred(np.stack([effect.effects for effect in reference_effects]))).sum(axis=2))
    ratios = np.divide(points, errors, out=np.full_like(points, math.nan), where=errors > TOLERANCE)
    p_values = 2 * normal_probability(-np.abs(ratios))
    if units < MIN_UNITS:
        errors, p_values = np.full_like(errors, math.nan), np.full_like(p_values, math.nan)
    elif units < ENOUGH_UNITS:
        share, p_values = expanded_share(share, units), expanded_p(p_values, units)
    used = (slice(_n_distinct(len(references))), slice(_n_distinct(len(systems))))
    adjusted = np.broadcast_to(adjust(p_values[used].ravel()).reshape(p_values[used].shape), p_values.shape)
    numbers = np.stack([points, errors, p_values, adjusted], axis=-1)
    reason = too_few_units_reason(units, unit) if units < MIN_UNITS else NO_SPREAD
    return tuple(
        _advantage(system, reference, *numbers[r, k].tolist(), half_width=-normal_quantile(share), reason=reason)
        for k, system in enumerate(systems)
        for r, reference in enumerate(references)
    )


def _advantage(system: str, reference: str, *numbers: float, half_width: float, reason: str) -> Advantage:
    """Build an advantage from its points, its standard error, p and corrected p.

    Args:
        system: its name.
        reference: its name.
        numbers: points, standard error, p and corrected p.
        half_width: of the interval, in standard errors.
        reason: why there is no standard error, if there is none.
    """
    points, error, p_value, adjusted = numbers
    known = error > TOLERANCE
    width = half_width * error if known else math.nan
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
