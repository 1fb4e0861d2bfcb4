"""Whether differences between systems are confounded with who rated them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Judgments
from bleu_core.inference import SEED, adjust, significant
from bleu_core.judges.least_squares import Roster
from bleu_core.judges.ratings import judge_ratings
from bleu_core.judges.system_means import AdjustedMeans, adjusted_means, raw_weights, why_not_adjusted

#: Judges are confounded with systems only where the p of imbalance, and that of differences in severity, is below this.
LEVEL = 0.01
#: Random rosters that the observed one is compared with; p is at least 1 over one more.
DRAWS = 499
#: Drawing stops as soon as so many rosters are as unbalanced as the observed one (Besag and Clifford 1991).
ENOUGH_BEYOND = 20
_BATCH = 50
#: Standard deviations that differ by less than this part are equal.
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Imbalance:
    """How unequally severe the judges of different systems are.

    Attributes:
        deviation: the standard deviation over systems of the mean severity of their judges, in the unit of the ratings.
        expected: its mean over random rosters; NaN where none was drawn.
        p_value: the share of rosters as unbalanced, if judges rated systems at random within segments.
        draws: how many rosters were drawn.
        reason: why it is not tested, else empty.
    """

    deviation: float
    expected: float
    p_value: float
    draws: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeEffect:
    """What the adjustment for judges changes in the difference of two systems.

    Attributes:
        system, baseline: the two; the raw mean of the first is not lower.
        raw, adjusted: system minus baseline.
        effect: raw minus adjusted.
        standard_error: of the effect, over segments or documents; NaN where there is none.
        raw_p_adjusted, p_value_adjusted: p (Holm) of the raw and of the adjusted difference, over all pairs.
        misleading: whether the raw difference is significant, and the adjusted one is not, or has the other sign.
    """

    system: str
    baseline: str
    raw: float
    adjusted: float
    effect: float
    standard_error: float
    raw_p_adjusted: float
    p_value_adjusted: float
    misleading: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Confounding:
    """Whether judges are confounded with systems.

    Attributes:
        means: raw and adjusted.
        imbalance: of the roster.
        effects: of all pairs of systems with ratings.
        confounded: whether the roster is unbalanced, judges differ in severity, and a difference is misleading.
        reason: why it is not known, else empty.
    """

    means: AdjustedMeans
    imbalance: Imbalance
    effects: tuple[JudgeEffect, ...]
    confounded: bool
    reason: str = ""

    @property
    def misleading(self) -> tuple[JudgeEffect, ...]:
        """The pairs whose raw difference misleads, those with the largest effect first."""
        return tuple(sorted((e for e in self.effects if e.misleading), key=lambda e: -abs(e.effect)))


def confounding(
    judgments: Judgments,
    systems: Sequence[str] = (),
    documents: Sequence[str] | None = None,
    *,
    seed: int = SEED,
) -> Confounding:
    """Find out whether differences between mean ratings are due to who rated which system.

    Three things have to come together. The roster is unbalanced: the standard deviation over systems of the mean
    severity of their judges is larger than it is in all but LEVEL of rosters that assign the same judges at random
    within segments (severities held fixed). Judges differ in severity (F test at LEVEL). And a pair of systems has a
    significant raw difference (Holm) that, adjusted for judges, is not significant or has the other sign.

    Args:
        judgments: the ratings.
        systems: which; all that are rated by default.
        documents: the document of each line of the texts, if they are known.
        seed: of the rosters that are drawn.
    """
    names = tuple(systems) or judgments.systems
    means = adjusted_means(judgments, names, documents)
    if means.reason:
        none = Imbalance(deviation=math.nan, expected=math.nan, p_value=math.nan, draws=0, reason=means.reason)
        return Confounding(means=means, imbalance=none, effects=(), confounded=False, reason=means.reason)
    imbalance = roster_imbalance(judgments, means, seed=seed)
    effects = judge_effects(means)
    reason = imbalance.reason
    if not reason and means.variances is None:
        reason = " ".join(means.notes)
    confounded = (
        not reason
        and imbalance.p_value < LEVEL
        and means.severity_p < LEVEL
        and any(effect.misleading for effect in effects)
    )
    return Confounding(means=means, imbalance=imbalance, effects=effects, confounded=confounded, reason=reason)


def is_unbalanced(judgments: Judgments, systems: Sequence[str] = (), *, seed: int = SEED) -> bool:
    """Whether judges of different systems differ in severity more than by chance: the first condition, quickly.

    Nothing is left out and fitted again, so that this takes a fraction of the time of `confounding`.

    Args:
        judgments: the ratings.
        systems: which; all that are rated by default.
        seed: of the rosters that are drawn.
    """
    rated = judgments.of_systems(tuple(systems) or judgments.systems)
    data = judge_ratings(rated)
    kept = data.segment >= 0
    if why_not_adjusted(rated, data, kept):
        return False
    system, segment, judge = (
        np.unique(codes[kept], return_inverse=True)[1] for codes in (data.system, data.segment, data.judge)
    )
    roster = Roster(system, segment, judge, np.arange(int(segment.max()) + 1))
    severities = roster.solve(data.ratings[kept])[1]
    found = imbalance_of(system, segment, weights=raw_weights(roster), severity=severities[judge], seed=seed)
    return found.p_value < LEVEL


def roster_imbalance(judgments: Judgments, means: AdjustedMeans, *, seed: int = SEED) -> Imbalance:
    """Test whether judges are assigned to systems at random within segments.

    Args:
        judgments: the ratings that the means come from.
        means: adjusted, with severities.
        seed: of the rosters that are drawn.
    """
    data = judge_ratings(judgments.of_systems(means.systems))
    kept = data.segment >= 0
    place = {judge: number for number, judge in enumerate(means.judges)}
    severity = np.array([means.severities[place[judge]] if judge in place else 0.0 for judge in data.judges])
    _item, item_of = np.unique(data.item[kept], return_inverse=True)
    of_item = np.bincount(item_of)
    system = data.system[kept]
    systems = int(system.max()) + 1
    items = np.bincount(system, 1 / of_item[item_of], systems)
    weights = 1 / (of_item[item_of] * np.maximum(items, 1)[system])
    return imbalance_of(system, data.segment[kept], weights=weights, severity=severity[data.judge[kept]], seed=seed)


def imbalance_of(
    system: Integers, segment: Integers, *, weights: Floats, severity: Floats, seed: int = SEED
) -> Imbalance:
    """Test the roster by permutations within segments.

    Args:
        system: (n,) of each rating, numbers from 0.
        segment: (n,) likewise.
        weights: (n,) of each rating in its system's raw mean.
        severity: (n,) of its judge.
        seed: of the permutations.
    """
    from scipy import sparse  # loaded when first needed: scoring does without

    order = np.argsort(segment, kind="stable")
    system, segment, weights, severity = system[order], segment[order], weights[order], severity[order]
    n, systems = len(system), int(system.max()) + 1
    present = np.bincount(system, minlength=systems) > 0
    means = sparse.csr_array((weights, (system, np.arange(n))), shape=(systems, n))

    def deviation(values: Floats) -> Floats:
        return np.asarray(means @ values, np.float64)[present].std(axis=0, ddof=1)

    if present.sum() < 2:  # noqa: PLR2004 # there is no spread
        return Imbalance(deviation=math.nan, expected=math.nan, p_value=math.nan, draws=0, reason="there is one system")
    observed = float(deviation(severity[:, None])[0])
    first = np.concatenate([[0], np.flatnonzero(np.diff(segment)) + 1])
    if (np.maximum.reduceat(severity, first) == np.minimum.reduceat(severity, first)).all():
        reason = "no segment has two judges, so it cannot be known how judges could have been assigned within segments"
        return Imbalance(deviation=observed, expected=math.nan, p_value=math.nan, draws=0, reason=reason)
    generator = np.random.default_rng(seed)
    drawn = np.empty(0)
    while len(drawn) < DRAWS:
        size = min(_BATCH, DRAWS - len(drawn))
        shuffled = np.argsort(generator.random((size, n)) + segment, axis=1)
        drawn = np.concatenate([drawn, deviation(severity[shuffled].T)])
        beyond = drawn >= observed * (1 - _EQUAL)
        if beyond.sum() >= ENOUGH_BEYOND:
            draws = int(np.flatnonzero(beyond)[ENOUGH_BEYOND - 1]) + 1
            p_value = ENOUGH_BEYOND / draws
            return Imbalance(deviation=observed, expected=float(drawn.mean()), p_value=p_value, draws=draws)
    p_value = (1 + float((drawn >= observed * (1 - _EQUAL)).sum())) / (1 + len(drawn))
    return Imbalance(deviation=observed, expected=float(drawn.mean()), p_value=p_value, draws=len(drawn))


def judge_effects(means: AdjustedMeans) -> tuple[JudgeEffect, ...]:
    """Compare the raw and the adjusted difference of all pairs of systems with ratings."""
    rated = [k for k in range(len(means.systems)) if not math.isnan(means.raw[k])]
    pairs = [(a, b) if means.raw[a] >= means.raw[b] else (b, a) for i, a in enumerate(rated) for b in rated[i + 1 :]]
    if not pairs:
        return ()
    none = np.full((len(means.systems),) * 2, math.nan)
    raw_p = none if means.raw_variances is None else means.raw_variances.p_values(means.raw)
    own_p = none if means.variances is None else means.variances.p_values(means.adjusted)
    errors = none if means.effect_variances is None else np.sqrt(means.effect_variances)
    first, second = (np.array(side, np.intp) for side in zip(*pairs, strict=True))
    raw_adjusted, own_adjusted = adjust(raw_p[first, second], "holm"), adjust(own_p[first, second], "holm")
    found: list[JudgeEffect] = []
    for number, (system, baseline) in enumerate(pairs):
        raw = float(means.raw[system] - means.raw[baseline])
        adjusted = float(means.differences[system, baseline])
        kept = significant(float(own_adjusted[number])) and (adjusted > 0) == (raw > 0)
        found.append(
            JudgeEffect(
                system=means.systems[system],
                baseline=means.systems[baseline],
                raw=raw,
                adjusted=adjusted,
                effect=raw - adjusted,
                standard_error=float(errors[system, baseline]),
                raw_p_adjusted=float(raw_adjusted[number]),
                p_value_adjusted=float(own_adjusted[number]),
                misleading=bool(
                    significant(float(raw_adjusted[number])) and not math.isnan(own_adjusted[number]) and not kept
                ),
            )
        )
    return tuple(found)
