"""Ranking of systems by judges: mean ratings with intervals, tests of all pairs, and tiers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleu_core.arrays import Floats, best_first
from bleu_core.dataset import Judgments, rated_segments
from bleu_core.fields import BASELINE, P_VALUE, P_VALUE_ADJUSTED, SYSTEM, Field, field, inline, result
from bleu_core.inference import CONFIDENCE, SEED, Correction, Interval, adjust, divide_into_tiers, significant
from bleu_core.judges.roster_balance import Confounding, confounding
from bleu_core.judges.system_means import AdjustedMeans, PairVariances

#: Whether means are adjusted for judges; "auto" adjusts them if judges are confounded with systems.
Adjustment = Literal["auto", "raw", "adjusted"]

_INTERVAL = f"{100 * CONFIDENCE:g}% interval"

CONFOUNDED = "judges are confounded with systems: raw means depend on which judges rated which system; adjust the means"


@result
class HumanRank:
    """The rank of a system by its ratings.

    Attributes:
        tier: from 1; None if there are no tiers.
        mean: raw or adjusted, as in the ranking.
        interval: NaN if there is none.
    """

    tier: int | None = field(
        "count", "Tier: every system of a tier is significantly better than every system of the tiers below."
    )
    system: str = field(SYSTEM)
    mean: float = field(
        "decimal", "Mean rating, adjusted for judges if the ranking is, see `human_method`.", best="highest"
    )
    interval: Interval = inline(
        {
            "low": Field(
                "decimal",
                f"Lower end of the {_INTERVAL} of the difference from the mean of all systems, placed around the mean "
                "rating.",
            ),
            "high": Field("decimal", f"Upper end of this {_INTERVAL}."),
        }
    )
    raw: float = field("decimal", "Mean rating: over judges, then over segments.", key="mean_raw")
    adjusted: float = field(
        "decimal", "Mean rating adjusted for judges and segments by least squares.", key="mean_adjusted"
    )
    segments: int = field("count", "Rated segments.")
    judges: int = field("count", "Judges who rated the system.")


@result
class HumanPair:
    """The difference between two systems' mean ratings.

    Attributes:
        system, baseline: the system is ranked higher.
        interval: NaN if there is none.
        degrees_of_freedom: NaN without a variance.
        variance, over_units, over_judges, residual: NaN if undefined.
    """

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    delta: float = field("difference", "Mean rating of the system minus that of the baseline.")
    interval: Interval = inline(
        {
            "low": Field("difference", f"Lower end of the {_INTERVAL} (Student's t)."),
            "high": Field("difference", f"Upper end of the {_INTERVAL}."),
        }
    )
    degrees_of_freedom: float = field("decimal", "Degrees of freedom of t, by Satterthwaite's formula.", label="df")
    p_value: float = field(P_VALUE)
    p_value_adjusted: float = field(P_VALUE_ADJUSTED, "p-value corrected for all pairs of systems (Holm).")
    variance: float = field(
        "number",
        "Variance of the difference: over units plus over judges minus the residual, but at least the larger of the "
        "two.",
    )
    over_units: float = field("number", "Variance by the jackknife over segments or documents.", key="variance_units")
    over_judges: float = field(
        "number", "Variance by the jackknife over judges, pooled over pairs of systems.", key="variance_judges"
    )
    residual: float = field(
        "number",
        "Residual variance, of single ratings, which is part of both: from ratings of a segment or document by a "
        "judge.",
        key="variance_residual",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanRanking:
    """Systems ranked by judges.

    Attributes:
        ranks: systems with a mean, best first.
        pairs: all pairs of these systems, the better one first.
        adjusted: whether means are adjusted for judges.
        unit: "segment" or "document": what the tests resample.
        units: number of units.
        correction: of the p-values, for all pairs.
        confounding: whether judges are confounded with systems.
        not_comparable: why no difference of two means may be stated; empty if they may.
        reason: why there are no tiers; empty if there are.
        notes: sentences about limitations of the standard errors.
    """

    ranks: tuple[HumanRank, ...]
    pairs: tuple[HumanPair, ...]
    adjusted: bool
    unit: str
    units: int
    correction: Correction
    confounding: Confounding
    not_comparable: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def means(self) -> AdjustedMeans:
        """Raw and adjusted means."""
        return self.confounding.means


def human_ranking(
    judgments: Judgments,
    systems: Sequence[str] = (),
    documents: Sequence[str] | None = None,
    *,
    adjustment: Adjustment = "auto",
    correction: Correction = "holm",
    seed: int = SEED,
) -> HumanRanking:
    """Rank systems by their mean ratings, adjusted for judges if these are confounded with systems.

    Pairs are tested by Student's t with the standard error of the adjusted or raw difference (see adjusted_means); that
    of raw means is over segments or documents only. Tiers are as in WMT: every system of a tier is significantly better
    than every system of lower tiers. Raw means of a confounded roster have no tiers.

    Args:
        judgments: the ratings.
        systems: names; all rated systems by default.
        documents: the document of each line of the texts, if they are known.
        adjustment: whether means are adjusted.
        correction: of the p-values, for all pairs.
        seed: of the test for confounding.
    """
    names = tuple(systems) or judgments.systems
    confounded = confounding(judgments, names, documents, seed=seed)
    means = confounded.means
    adjusted = adjustment == "adjusted" or (adjustment == "auto" and confounded.confounded)
    values = means.adjusted if adjusted else means.raw
    variances = means.variances if adjusted else means.raw_variances
    order = [k for k in best_first(means.systems, values) if not math.isnan(values[k])]
    p_values = np.full((len(names), len(names)), math.nan) if variances is None else variances.p_values(values)
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    corrected = adjust(np.array([p_values[pair] for pair in pairs], np.float64), correction)
    not_comparable = _not_comparable(judgments, confounded, adjusted=adjusted, variances=variances)
    untested = " ".join(means.notes).removesuffix(".") or "some pairs of systems cannot be tested"
    reason = not_comparable or (untested if np.isnan(corrected).any() else "")
    better = {pair for pair, p in zip(pairs, corrected.tolist(), strict=True) if significant(p)}
    tiers = divide_into_tiers(order, lambda above, below: (above, below) in better) if order and not reason else ()
    tier_of = {k: number for number, tier in enumerate(tiers, start=1) for k in tier}
    rated = judgments.of_systems(names).rated
    segments = rated.groupby("system", observed=True)["segment"].nunique()
    return HumanRanking(
        ranks=tuple(
            HumanRank(
                system=names[k],
                mean=float(values[k]),
                interval=_undefined_interval() if variances is None else variances.mean_interval(k, float(values[k])),
                tier=tier_of.get(k),
                raw=float(means.raw[k]),
                adjusted=float(means.adjusted[k]),
                segments=int(segments.get(names[k], 0)),
                judges=int((means.counts[k] > 0).sum()),
            )
            for k in order
        ),
        pairs=tuple(
            _pair(means, variances, values, pair=pair, p=(float(p_values[pair]), float(p)))
            for pair, p in zip(pairs, corrected.tolist(), strict=True)
        ),
        adjusted=adjusted,
        unit=means.unit,
        units=means.units,
        correction=correction,
        confounding=confounded,
        not_comparable=not_comparable,
        reason=reason,
        notes=means.notes if adjusted else (),
    )


def _not_comparable(
    judgments: Judgments, confounded: Confounding, *, adjusted: bool, variances: PairVariances | None
) -> str:
    """Return why no difference of two means may be stated; empty if they may."""
    means, rated = confounded.means, rated_segments(judgments, confounded.means.systems)
    limits = " ".join(means.notes).removesuffix(".")
    reasons = (
        (adjusted or len(means.components) > 1, means.reason),
        (confounded.confounded and not adjusted, CONFOUNDED),
        (rated.fewest is None, "the ratings are of whole systems, without segments"),
        (rated.too_few, rated.note.removesuffix(".")),
        (variances is None, means.reason or limits),
    )
    return next((reason for holds, reason in reasons if holds and reason), "")


def _pair(
    means: AdjustedMeans,
    variances: PairVariances | None,
    values: Floats,
    *,
    pair: tuple[int, int],
    p: tuple[float, float],
) -> HumanPair:
    delta = float(values[pair[0]] - values[pair[1]])

    def value_of(values_of_pairs: Floats | None) -> float:
        return math.nan if values_of_pairs is None else float(values_of_pairs[pair])

    return HumanPair(
        system=means.systems[pair[0]],
        baseline=means.systems[pair[1]],
        delta=delta,
        interval=_undefined_interval() if variances is None else variances.interval(*pair, delta),
        degrees_of_freedom=value_of(None if variances is None else variances.degrees_of_freedom),
        p_value=p[0],
        p_value_adjusted=p[1],
        variance=value_of(None if variances is None else variances.total),
        over_units=value_of(None if variances is None else variances.units),
        over_judges=value_of(None if variances is None else variances.judges),
        residual=value_of(None if variances is None else variances.residual),
    )


def _undefined_interval() -> Interval:
    return Interval(math.nan, math.nan, 0.95)
