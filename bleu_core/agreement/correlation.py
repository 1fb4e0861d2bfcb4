"""How well BLEU, or any score of systems, agrees with human judgments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, Judgments, RatedSegments, human_translations, rated_segments
from bleu_core.errors import AlignmentError
from bleu_core.inference import CONFIDENCE, DECIMALS, Interval, correlation_interval
from bleu_core.scoring import BleuEvaluation

NEARLY = 1e-12
MINIMUM_PAIRS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A coefficient of agreement between two scores of the same systems.

    Attributes:
        method: "pearson", "spearman" or "kendall" (tau-b).
        coefficient: -1 to 1; NaN where it is undefined.
        interval: of the coefficient over systems; NaN where it is undefined.
        p_value: two-sided, of no association; NaN where it is undefined.
        pairs: how many systems it rests on.
        reason: why it is undefined, else empty.
        grouping: what was correlated.
    """

    method: str
    coefficient: float
    interval: Interval
    p_value: float
    pairs: int
    reason: str = ""
    grouping: str = "system"

    @property
    def note(self) -> str:
        """Why there is no coefficient, or no interval of it; empty when there are both."""
        if not self.reason and math.isnan(self.interval.low):
            return "a perfect rank correlation has no interval"
        return self.reason


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Of all pairs of systems, those that both scores put in the same order; a tie agrees with a tie.

    Source: Kocmi et al. (2021), 2021.wmt-1.57.
    """

    agreeing: int
    pairs: int

    @property
    def value(self) -> float:
        """A fraction; NaN without a pair."""
        return self.agreeing / self.pairs if self.pairs else math.nan


@dataclass(frozen=True, slots=True)
class Regression:
    """The least-squares line of human means on BLEU points.

    Attributes:
        slope, intercept: in the unit of the ratings, per BLEU point and at BLEU 0; NaN where undefined.
        mean: of the BLEU points.
        squares: their sum of squares around the mean.
        residual_deviation: with two degrees of freedom taken off; NaN for two systems.
        pairs: how many systems it rests on.
        reason: why it is undefined, else empty.
    """

    slope: float
    intercept: float
    mean: float
    squares: float
    residual_deviation: float
    pairs: int
    reason: str = ""

    def at(self, bleu: Floats) -> Floats:
        """The line."""
        return self.intercept + self.slope * bleu

    def mirrored(self) -> Regression:
        """The same line over scores of the other sign."""
        return replace(self, slope=-self.slope, mean=-self.mean)

    def band(self, bleu: Floats, confidence: float = CONFIDENCE) -> tuple[Floats, Floats]:
        """The confidence band of the line (of the mean rating at a BLEU, not of a further system)."""
        from scipy import stats  # loaded when first needed: it costs more than scoring

        width = stats.t.ppf((1 + confidence) / 2, self.pairs - 2) * self.residual_deviation
        width = width * np.sqrt(1 / self.pairs + (bleu - self.mean) ** 2 / self.squares)
        return self.at(bleu) - width, self.at(bleu) + width


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A system that takes no part in the comparison, and why."""

    system: str
    reason: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """BLEU, or another metric, beside human judgments, system by system.

    Attributes:
        signature: of the settings; of another metric what it is quoted with, if anything.
        systems: those compared, in the corpus's order.
        oriented_scores: one per system, so that higher is better: BLEU in points, or the metric's scores, their sign
            turned where lower is better.
        human: mean ratings, one per system.
        excluded: systems left out, with the reason.
        pearson, spearman, kendall, pairwise_accuracy, regression: agreement of the two.
        metric: whose scores are compared.
        higher_is_better: whether a higher score is the better one, as the metric gives them.
        rated: how many segments of these systems are rated; None where that is not known.
        human_raw: mean ratings that are not adjusted for judges, where the others are; else None.
    """

    signature: str
    systems: tuple[str, ...]
    oriented_scores: Floats
    human: Floats
    excluded: tuple[Exclusion, ...]
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    pairwise_accuracy: PairwiseAccuracy
    regression: Regression
    metric: str = "BLEU"
    higher_is_better: bool = True
    rated: RatedSegments | None = None
    human_raw: Floats | None = None

    @property
    def scores(self) -> Floats:
        """The metric's scores as it gives them, one per system."""
        if self.higher_is_better:
            return self.oriented_scores
        return 0.0 - self.oriented_scores  # without a minus before 0

    @property
    def line(self) -> Regression:
        """The regression on those."""
        return self.regression if self.higher_is_better else self.regression.mirrored()

    @property
    def correlations(self) -> tuple[Correlation, ...]:
        """The three coefficients."""
        return self.pearson, self.spearman, self.kendall


#: Human translators among the systems, or each of them with the reason why it is left out.
HumanSystems: TypeAlias = Iterable[str] | Mapping[str, str]


def reasons_of(without: HumanSystems) -> dict[str, str]:
    """Why each human translator is left out."""
    if isinstance(without, Mapping):
        return {name: str(reason) for name, reason in cast("Mapping[str, str]", without).items()}
    return dict.fromkeys(without, "human translator")


def correlate(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments,
    *,
    without: HumanSystems = (),
) -> Agreement:
    """Compare corpus BLEU with mean ratings over systems.

    Left out, and listed: a system whose text equals a reference of the corpus, in use or not, one without ratings, one
    without text among those in use, and the human translators named.

    Args:
        corpus: the texts that were evaluated.
        evaluation: what is compared; its systems and references are those in use.
        judgments: the ratings.
        without: human translators to leave out, or each with the reason.

    Raises:
        AlignmentError: a rating is of a segment that the texts do not have, or no system has text and ratings.
    """
    judgments.check_segments(corpus.segments)
    means = judgments.system_means()
    excluded = _exclusions(corpus, evaluation, means, reasons_of(without))
    left_out = {e.system for e in excluded}
    score = dict(zip(evaluation.systems, evaluation.scores.score.tolist(), strict=True))
    rest = {name: value for name, value in score.items() if name not in left_out}
    rated = {name: mean for name, mean in means.items() if name not in left_out}
    found = agreement_of_scores(rest, rated, signature=evaluation.signature, excluded=excluded)
    raw = judgments.raw_means
    return replace(
        found,
        rated=rated_segments(judgments, found.systems),
        human_raw=np.array([raw.get(name, math.nan) for name in found.systems]) if judgments.adjusted_means else None,
    )


def agreement_of_scores(
    scores: Mapping[str, float],
    means: Mapping[str, float],
    *,
    metric: str = "BLEU",
    signature: str = "",
    without: HumanSystems = (),
    excluded: Iterable[Exclusion] = (),
    higher_is_better: bool = True,
) -> Agreement:
    """Compare any metric's scores of systems with mean ratings.

    Left out, and listed: a system without a score or without ratings, and those named.

    Args:
        scores: system -> score, higher being better; NaN is no score.
        means: system -> mean rating, higher being better; NaN is no rating.
        metric: its name.
        signature: what to quote with it.
        without: human translators to leave out, or each with the reason.
        excluded: systems left out before.
        higher_is_better: whether that is so of the scores as the metric gives them, too.

    Raises:
        AlignmentError: no system has both.
    """
    reasons = reasons_of(without)
    scored = {name for name, score in scores.items() if math.isfinite(score)}
    rated = {name for name, mean in means.items() if math.isfinite(mean)}
    found = list(excluded)
    for name in dict.fromkeys((*scores, *means)):
        if name in reasons:
            found.append(Exclusion(name, reasons[name]))
        elif name not in rated:
            found.append(Exclusion(name, "no ratings"))
        elif name not in scored:
            found.append(Exclusion(name, f"has ratings, but no score by {metric}"))
    left_out = {e.system for e in found}
    systems = tuple(name for name in scores if name not in left_out)
    if not systems:
        reasons = "; ".join(f"{e.system}: {e.reason}" for e in found)
        raise AlignmentError(f"no system has both a score and ratings ({reasons})")
    x = np.array([scores[name] for name in systems])
    human = np.array([means[name] for name in systems])
    return Agreement(
        signature=signature,
        systems=systems,
        oriented_scores=x,
        human=human,
        excluded=tuple(found),
        pearson=pearson(x, human, metric=metric),
        spearman=spearman(x, human, metric=metric),
        kendall=kendall(x, human, metric=metric),
        pairwise_accuracy=pairwise_accuracy(x, human),
        regression=regression(x, human, metric=metric),
        metric=metric,
        higher_is_better=higher_is_better,
    )


def pearson(x: Floats, y: Floats, *, metric: str = "BLEU") -> Correlation:
    """Pearson's r with Fisher's interval."""
    from scipy import stats  # loaded when first needed: it costs more than scoring

    return _correlation("pearson", x, y=y, estimate=stats.pearsonr, metric=metric)


def spearman(x: Floats, y: Floats, *, metric: str = "BLEU") -> Correlation:
    """Spearman's rho with the interval of Bonett and Wright (2000)."""
    from scipy import stats

    return _correlation("spearman", x, y=y, estimate=stats.spearmanr, metric=metric)


def kendall(x: Floats, y: Floats, *, metric: str = "BLEU") -> Correlation:
    """Kendall's tau-b with the interval of Fieller, Hartley and Pearson (1957)."""
    from scipy import stats

    return _correlation("kendall", x, y=y, estimate=stats.kendalltau, metric=metric)


def pairwise_accuracy(x: Floats, y: Floats) -> PairwiseAccuracy:
    """Count the pairs whose differences have equal signs in both; systems that lack one score make no pair."""
    x, y = _common(x, y)
    first, second = np.triu_indices(len(x), k=1)
    agree = np.sign(x[first] - x[second]) == np.sign(y[first] - y[second])
    return PairwiseAccuracy(int(agree.sum()), len(first))


def regression(x: Floats, y: Floats, *, metric: str = "BLEU") -> Regression:
    """Regress y on x by least squares; systems that lack one of the scores are left out."""
    from scipy import stats

    present = np.isfinite(x) & np.isfinite(y)
    x, y = x[present], y[present]
    # Rounded, as coefficients are: of smaller differences the squares may vanish.
    reason = _undefined(np.round(x, DECIMALS), y, metric, one_constant_is_enough=False)
    nan = math.nan
    if reason:
        return Regression(
            slope=nan, intercept=nan, mean=nan, squares=nan, residual_deviation=nan, pairs=len(x), reason=reason
        )
    line = stats.linregress(x, y)
    residuals = y - line.intercept - line.slope * x
    return Regression(
        slope=float(line.slope),
        intercept=float(line.intercept),
        mean=float(x.mean()),
        squares=float(((x - x.mean()) ** 2).sum()),
        residual_deviation=math.sqrt(float((residuals**2).sum()) / (len(x) - 2)),
        pairs=len(x),
    )


def normalised_by_range(values: Floats) -> Floats:
    """Scale to the range of the values: the lowest is 0, the highest 1 (Papineni et al. 2002, Figure 7).

    Without a range, as with a single or constant value, all are NaN.
    """
    spread = np.ptp(values) if len(values) else 0.0
    return (values - values.min()) / spread if spread > 0 else np.full(len(values), math.nan)


def _exclusions(
    corpus: Corpus, evaluation: BleuEvaluation, means: Mapping[str, float], without: Mapping[str, str]
) -> tuple[Exclusion, ...]:
    found: list[Exclusion] = []
    reasons = {each.system: each.reason for each in human_translations(corpus)} | dict(without)
    for name in evaluation.systems:
        if name in reasons:
            found.append(Exclusion(name, reasons[name]))
        elif name not in means:
            found.append(Exclusion(name, "no ratings"))
    found += [Exclusion(name, "has ratings, but no text in use") for name in means if name not in evaluation.systems]
    return tuple(found)


def _correlation(
    method: str, x: Floats, y: Floats, estimate: Callable[[Floats, Floats], tuple[float, float]], metric: str
) -> Correlation:
    x, y = _common(x, y)
    reason = _undefined(x, y, metric, one_constant_is_enough=True)
    if reason:
        nan = math.nan
        return Correlation(
            method=method, coefficient=nan, interval=Interval(nan, nan, 0.95), p_value=nan, pairs=len(x), reason=reason
        )
    coefficient, p_value = (float(value) for value in estimate(x, y))
    if math.isclose(abs(coefficient), 1, abs_tol=NEARLY):  # float noise is no imperfection
        coefficient = math.copysign(1.0, coefficient)
    return Correlation(
        method=method,
        coefficient=coefficient,
        interval=correlation_interval(method, coefficient, len(x)),
        p_value=p_value,
        pairs=len(x),
    )


def _common(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Both scores of the systems that have both, rounded."""
    present = np.isfinite(x) & np.isfinite(y)
    return np.round(x[present], DECIMALS), np.round(y[present], DECIMALS)


def _undefined(x: Floats, y: Floats, metric: str, *, one_constant_is_enough: bool) -> str:
    """Why the correlation of x and y is undefined; empty if it is defined."""
    if len(x) < MINIMUM_PAIRS:
        noun = "system" if len(x) == 1 else "systems"
        return f"{len(x)} {noun}, at least {MINIMUM_PAIRS} needed"
    if np.ptp(x) == 0:
        return f"all systems have the same {metric}"
    if one_constant_is_enough and np.ptp(y) == 0:
        return "all systems have the same mean rating"
    return ""
