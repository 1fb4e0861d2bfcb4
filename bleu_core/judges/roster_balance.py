"""Tests of whether differences between systems are confounded with judges."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judgments
from bleu_core.fields import BASELINE, REASON, SYSTEM, field, inline, result
from bleu_core.inference import SEED, adjust, significant
from bleu_core.judges.ratings import judge_ratings
from bleu_core.judges.system_means import AdjustedMeans, adjusted_means, raw_weights, roster_of

#: Significance level of the tests of imbalance and of differences in severity; confounding requires both.
CONFOUNDING_ALPHA = 0.01
#: Maximum number of random rosters that the observed one is compared with; p is at least 1 / (MAX_RANDOM_ROSTERS + 1).
MAX_RANDOM_ROSTERS = 499
#: Drawing stops after this number of rosters that are as unbalanced as the observed one (Besag and Clifford 1991).
MAX_EXTREME_DRAWS = 20
_BATCH_SIZE = 50
#: Standard deviations that differ by less than this fraction are equal.
_RELATIVE_TOLERANCE = 1e-9


@result
class Imbalance:
    """Imbalance of the judges' severities between systems.

    Attributes:
        deviation: of the roster.
        expected: mean deviation of random rosters; NaN if none was drawn.
        p_value: share of random rosters that are at least as unbalanced.
        draws: number of random rosters.
        reason: why the imbalance is not tested; empty if it is.
    """

    deviation: float = field(
        "number",
        "Standard deviation over systems of the mean severity of their judges, in the unit of the ratings.",
        key="imbalance",
    )
    expected: float = field(
        "number", "Expected imbalance if judges rated systems at random within segments.", key="imbalance_expected"
    )
    p_value: float = field("p", "p-value of the imbalance, by permutations within segments.", key="imbalance_p_value")
    draws: int
    reason: str = ""


@result
class JudgeEffect:
    """Effect of the adjustment for judges on the difference between two systems.

    Attributes:
        system, baseline: the raw mean of the system is not lower.
        standard_error: NaN if there is none.
        raw_p_adjusted, p_value_adjusted: over all pairs.
    """

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    raw: float = field("difference", "Raw mean rating of the system minus that of the baseline.", key="delta_raw")
    adjusted: float = field("difference", "Difference of the mean ratings adjusted for judges.", key="delta_adjusted")
    effect: float = field("difference", "Raw minus adjusted difference.")
    standard_error: float = field(
        "number", "Standard error of the effect over segments or documents, with the assignment of judges held fixed."
    )
    raw_p_adjusted: float = field("p", "p (Holm) of the raw difference.", label="p raw", key="p_value_raw")
    p_value_adjusted: float = field("p", "p (Holm) of the adjusted difference.", label="p adjusted")
    misleading: bool = field(
        "text", "Whether the raw difference is significant, and the adjusted one is not or has the other sign."
    )


@result
class Confounding:
    """Result of the tests of confounding of judges with systems.

    Attributes:
        means: raw and adjusted.
        imbalance: of the roster.
        effects: of all pairs of systems with ratings.
        reason: why confounding is not tested; empty if it is.
    """

    confounded: bool = field(
        "text", "Whether the roster is unbalanced, judges differ in severity, and a raw difference is misleading."
    )
    imbalance: Imbalance = inline(Imbalance)
    means: AdjustedMeans = field(
        "p", "p-value of the F test that all judges are equally severe.", key="severity_p_value", part="severity_p"
    )
    effects: tuple[JudgeEffect, ...]
    reason: str = field(REASON, default="")

    @property
    def misleading(self) -> tuple[JudgeEffect, ...]:
        """The pairs with a misleading raw difference, largest effect first."""
        return tuple(sorted((e for e in self.effects if e.misleading), key=lambda e: -abs(e.effect)))


def confounding(
    judgments: Judgments,
    systems: Sequence[str] = (),
    documents: Sequence[str] | None = None,
    *,
    seed: int = SEED,
) -> Confounding:
    """Test whether differences between mean ratings are due to the assignment of judges to systems.

    Three conditions must hold. The roster is unbalanced: the standard deviation over systems of the mean severity of
    their judges is significantly larger, at CONFOUNDING_ALPHA, than in rosters that assign the same judges at random
    within segments (with fixed severities). Judges differ in severity (F test at CONFOUNDING_ALPHA). And a pair of
    systems has a significant raw difference (Holm) that, adjusted for judges, is not significant or has the opposite
    sign.

    Args:
        judgments: the ratings.
        systems: names; all rated systems by default.
        documents: the document of each line of the texts, if they are known.
        seed: of the random rosters.
    """
    names = tuple(systems) or judgments.systems
    means = adjusted_means(judgments, names, documents)
    if means.reason:
        undefined = Imbalance(deviation=math.nan, expected=math.nan, p_value=math.nan, draws=0, reason=means.reason)
        return Confounding(means=means, imbalance=undefined, effects=(), confounded=False, reason=means.reason)
    imbalance = roster_imbalance(judgments, means, seed=seed)
    effects = judge_effects(means)
    reason = imbalance.reason
    if not reason and means.variances is None:
        reason = " ".join(means.notes)
    confounded = (
        not reason
        and imbalance.p_value < CONFOUNDING_ALPHA
        and means.severity_p < CONFOUNDING_ALPHA
        and any(effect.misleading for effect in effects)
    )
    return Confounding(means=means, imbalance=imbalance, effects=effects, confounded=confounded, reason=reason)


def is_unbalanced(judgments: Judgments, systems: Sequence[str] = (), *, seed: int = SEED) -> bool:
    """Return whether the roster is unbalanced: the first condition of `confounding`.

    Without the jackknife, this takes a fraction of the time of `confounding`.

    Args:
        judgments: the ratings.
        systems: names; all rated systems by default.
        seed: of the random rosters.
    """
    rated = judgments.of_systems(tuple(systems) or judgments.systems)
    roster = roster_of(rated)
    if roster is None:
        return False
    data = judge_ratings(rated)
    severities = roster.solve(data.ratings[data.segment >= 0])[1]
    imbalance = imbalance_of(
        roster.system, roster.segment, weights=raw_weights(roster), severity=severities[roster.judge], seed=seed
    )
    return imbalance.p_value < CONFOUNDING_ALPHA


def is_confounded(
    judgments: Judgments,
    systems: Sequence[str] = (),
    documents: Sequence[str] | None = None,
    *,
    seed: int = SEED,
) -> bool:
    """Return whether judges are confounded with systems, in a fraction of the time of `confounding` if they are not.

    Arguments as for `confounding`.
    """
    return (
        is_unbalanced(judgments, systems, seed=seed)
        and confounding(judgments, systems, documents, seed=seed).confounded
    )


def roster_imbalance(judgments: Judgments, means: AdjustedMeans, *, seed: int = SEED) -> Imbalance:
    """Test whether judges are assigned to systems at random within segments.

    Args:
        judgments: the ratings that the means come from.
        means: adjusted, with severities.
        seed: of the random rosters.
    """
    data = judge_ratings(judgments.of_systems(means.systems))
    has_segment = data.segment >= 0
    position = {judge: number for number, judge in enumerate(means.judges)}
    severity = np.array([means.severities[position[judge]] if judge in position else 0.0 for judge in data.judges])
    _item, item_number = np.unique(data.item[has_segment], return_inverse=True)
    judges_per_item = np.bincount(item_number)
    system = data.system[has_segment]
    systems = int(system.max()) + 1
    n_items = np.bincount(system, 1 / judges_per_item[item_number], systems)
    weights = 1 / (judges_per_item[item_number] * np.maximum(n_items, 1)[system])
    return imbalance_of(
        system, data.segment[has_segment], weights=weights, severity=severity[data.judge[has_segment]], seed=seed
    )


def imbalance_of(
    system: Integers, segment: Integers, *, weights: Floats, severity: Floats, seed: int = SEED
) -> Imbalance:
    """Test the imbalance of a roster by permutations within segments.

    Args:
        system: (n,) system of each rating, numbers from 0.
        segment: (n,) segment of each rating, numbers from 0.
        weights: (n,) weight of each rating in its system's raw mean.
        severity: (n,) severity of its judge.
        seed: of the permutations.
    """
    from scipy import sparse  # loaded when first needed: scoring does without

    order = np.argsort(segment, kind="stable")
    system, segment, weights, severity = system[order], segment[order], weights[order], severity[order]
    n, systems = len(system), int(system.max()) + 1
    is_rated = np.bincount(system, minlength=systems) > 0
    means = sparse.csr_array((weights, (system, np.arange(n))), shape=(systems, n))

    def deviation(values: Floats) -> Floats:
        return np.asarray(means @ values, np.float64)[is_rated].std(axis=0, ddof=1)

    if is_rated.sum() < 2:  # noqa: PLR2004 # no standard deviation
        return Imbalance(deviation=math.nan, expected=math.nan, p_value=math.nan, draws=0, reason="there is one system")
    observed = float(deviation(severity[:, None])[0])
    starts = np.concatenate([[0], np.flatnonzero(np.diff(segment)) + 1])
    if (np.maximum.reduceat(severity, starts) == np.minimum.reduceat(severity, starts)).all():
        reason = "no segment has two judges, so it cannot be known how judges could have been assigned within segments"
        return Imbalance(deviation=observed, expected=math.nan, p_value=math.nan, draws=0, reason=reason)
    generator = np.random.default_rng(seed)
    deviations = np.empty(0)
    while len(deviations) < MAX_RANDOM_ROSTERS:
        size = min(_BATCH_SIZE, MAX_RANDOM_ROSTERS - len(deviations))
        shuffled = np.argsort(generator.random((size, n)) + segment, axis=1)
        deviations = np.concatenate([deviations, deviation(severity[shuffled].T)])
        is_extreme = deviations >= observed * (1 - _RELATIVE_TOLERANCE)
        if is_extreme.sum() >= MAX_EXTREME_DRAWS:
            draws = int(np.flatnonzero(is_extreme)[MAX_EXTREME_DRAWS - 1]) + 1
            p_value = MAX_EXTREME_DRAWS / draws
            return Imbalance(deviation=observed, expected=float(deviations.mean()), p_value=p_value, draws=draws)
    p_value = (1 + float((deviations >= observed * (1 - _RELATIVE_TOLERANCE)).sum())) / (1 + len(deviations))
    return Imbalance(deviation=observed, expected=float(deviations.mean()), p_value=p_value, draws=len(deviations))


def judge_effects(means: AdjustedMeans) -> tuple[JudgeEffect, ...]:
    """Compare the raw and the adjusted differences of all pairs of systems with ratings."""
    rated = [k for k in range(len(means.systems)) if not math.isnan(means.raw[k])]
    pairs = [(a, b) if means.raw[a] >= means.raw[b] else (b, a) for i, a in enumerate(rated) for b in rated[i + 1 :]]
    if not pairs:
        return ()
    undefined = np.full((len(means.systems),) * 2, math.nan)
    raw_p = undefined if means.raw_variances is None else means.raw_variances.p_values(means.raw)
    adjusted_p = undefined if means.variances is None else means.variances.p_values(means.adjusted)
    errors = undefined if means.effect_variances is None else np.sqrt(means.effect_variances)
    first, second = (np.array(side, np.intp) for side in zip(*pairs, strict=True))
    p_of_raw, p_of_adjusted = adjust(raw_p[first, second], "holm"), adjust(adjusted_p[first, second], "holm")
    effects: list[JudgeEffect] = []
    for number, (system, baseline) in enumerate(pairs):
        raw = float(means.raw[system] - means.raw[baseline])
        adjusted = float(means.differences[system, baseline])
        is_confirmed = significant(float(p_of_adjusted[number])) and (adjusted > 0) == (raw > 0)
        effects.append(
            JudgeEffect(
                system=means.systems[system],
                baseline=means.systems[baseline],
                raw=raw,
                adjusted=adjusted,
                effect=raw - adjusted,
                standard_error=float(errors[system, baseline]),
                raw_p_adjusted=float(p_of_raw[number]),
                p_value_adjusted=float(p_of_adjusted[number]),
                misleading=bool(
                    significant(float(p_of_raw[number])) and not math.isnan(p_of_adjusted[number]) and not is_confirmed
                ),
            )
        )
    return tuple(effects)
