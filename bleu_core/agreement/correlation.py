"""Agreement of BLEU, or of any score of systems, with human judgments."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, cast

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, Judgments, RatedSegments, identical_texts, rated_segments, translations_of
from bleu_core.errors import AlignmentError
from bleu_core.fields import P_VALUE, REASON, Field, bounds, derived, field, inline, result
from bleu_core.inference import CONFIDENCE, DECIMALS, Interval, correlation_interval
from bleu_core.scoring import DEFAULT_METRIC, BleuEvaluation, Metric, find_metric

COEFFICIENT = Field("number", "Coefficient of agreement.")
ACCURACY = Field(
    "number", "Fraction of pairs that the metric and the judges order the same way; a tie agrees with a tie."
)

PEARSON = Field("number", "Linear correlation, from −1 to 1.")
SPEARMAN = Field("number", "Correlation of the ranks, from −1 to 1.")
KENDALL = Field(
    "number", "Share of pairs in the same order minus share in the opposite order, adjusted for ties (tau-b)."
)

ROUNDING_ERROR = 1e-12
MIN_ENTRIES = 3


@result
class Correlation:
    """A coefficient of agreement between two scores of the same systems, or of their segments.

    Attributes:
        method: "pearson", "spearman" or "kendall" (tau-b).
        coefficient, interval, p_value: NaN if undefined; p is of no association.
        pairs: number of systems used.
        reason: why it is undefined; empty if it is defined.
        grouping: unit that was correlated.
    """

    method: str
    coefficient: float = field(COEFFICIENT)
    interval: Interval = inline(bounds("number", f"{100 * CONFIDENCE:g}% interval over systems"))
    p_value: float = field(P_VALUE)
    pairs: int
    reason: str = ""
    grouping: str = "system"

    @derived(REASON, key="reason")
    def note(self) -> str:
        """Why there is no coefficient, or no interval of it; empty if there are both."""
        if not self.reason and math.isnan(self.interval.low):
            return "a perfect rank correlation has no interval"
        return self.reason


@result
class PairwiseAccuracy:
    """Pairs of systems that both scores put in the same order, of all pairs; a tie agrees with a tie.

    Source: Kocmi et al. (2021), 2021.wmt-1.57.
    """

    @derived(ACCURACY, undefined="no pair of systems")
    def value(self) -> float:
        """The fraction of agreeing pairs; NaN without a pair."""
        return self.agreeing / self.pairs if self.pairs else math.nan

    agreeing: int = field("count", "Pairs that the metric and the judges order the same way.")
    pairs: int = field("count", "Number of pairs.")


@result
class Regression:
    """The least-squares line of human means on BLEU points.

    Attributes:
        slope, intercept: in the unit of the ratings, per BLEU point and at BLEU 0; NaN if undefined.
        mean: of the BLEU points.
        squares: sum of squares of the BLEU points around their mean.
        residual_deviation: residual standard deviation, with n - 2 degrees of freedom; NaN for two systems.
        pairs: number of systems used.
        reason: why the line is undefined; empty if it is defined.
    """

    slope: float = field("number", "Increase of the rating per point of the score.")
    intercept: float = field("number", "Rating at a score of 0.")
    mean: float
    squares: float
    residual_deviation: float
    pairs: int
    reason: str = field(REASON, default="")

    def at(self, bleu: Floats) -> Floats:
        """Return the line at some BLEU points."""
        return self.intercept + self.slope * bleu

    def mirrored(self) -> Regression:
        """Return the line for scores of the opposite sign."""
        return replace(self, slope=-self.slope, mean=-self.mean)

    def band(self, bleu: Floats, confidence: float = CONFIDENCE) -> tuple[Floats, Floats]:
        """Return the confidence band of the line, for the mean rating at a BLEU and not for a new system."""
        from scipy import stats  # loaded when first needed: it costs more than scoring

        width = stats.t.ppf((1 + confidence) / 2, self.pairs - 2) * self.residual_deviation
        width = width * np.sqrt(1 / self.pairs + (bleu - self.mean) ** 2 / self.squares)
        return self.at(bleu) - width, self.at(bleu) + width


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A system that is excluded from the comparison, with the reason."""

    system: str
    reason: str


@result
class Agreement:
    """BLEU, or another metric, compared with human judgments of the same systems.

    Attributes:
        signature: of the settings of BLEU; signature of another metric, if it has one.
        systems: compared systems, in the order of the corpus.
        oriented_scores: one per system, higher is better: BLEU in points, or the metric's scores, negated if lower is
            better.
        human: mean ratings, one per system.
        excluded: systems that are not compared, with the reason.
        pearson, spearman, kendall, pairwise_accuracy, regression: agreement of the two.
        metric: name of the metric.
        higher_is_better: whether higher scores of the metric are better.
        rated: how many segments of these systems are rated; None if that is unknown.
        human_raw: mean ratings before the adjustment for judges; None if the ratings are not adjusted.
        scored_by: the metric that computed the scores; None for scores from a file.
        decimals: of the scores for people.
    """

    metric: str = field("text", "Name of the metric.", default="BLEU")
    signature: str = field("text", "Signature to quote with the scores.")
    higher_is_better: bool = field("text", "Whether higher scores are better.", default=True)
    systems: tuple[str, ...]
    oriented_scores: Floats
    human: Floats
    excluded: tuple[Exclusion, ...]
    pearson: Correlation = field("object", "Pearson's r.")
    spearman: Correlation = field("object", "Spearman's rank correlation.")
    kendall: Correlation = field("object", "Kendall's tau-b.")
    pairwise_accuracy: PairwiseAccuracy = field("object", "Pairwise accuracy.")
    regression: Regression
    rated: RatedSegments | None = None
    human_raw: Floats | None = None
    scored_by: Metric | None = None
    decimals: int = 2

    @property
    def key(self) -> str:
        """The key of the metric in JSON; the name of other scores, such as those of BLEU under other settings."""
        return self.metric if self.scored_by is None or self.scored_by.label != self.metric else self.scored_by.key

    @property
    def score_field(self) -> Literal["bleu", "score"]:
        """The name of the fields with the scores in JSON and tables."""
        return "score" if self.scored_by is None else self.scored_by.score_field

    @property
    def scores(self) -> Floats:
        """The metric's original scores, one per system."""
        if self.higher_is_better:
            return self.oriented_scores
        return 0.0 - self.oriented_scores  # avoids -0.0

    @derived("object", "Least-squares regression of mean ratings on scores.", key="regression")
    def line(self) -> Regression:
        """The regression on the metric's original scores."""
        return self.regression if self.higher_is_better else self.regression.mirrored()

    @property
    def correlations(self) -> tuple[Correlation, ...]:
        """The three coefficients."""
        return self.pearson, self.spearman, self.kendall


#: Human translators among the systems, or each of them with the reason for its exclusion.
HumanSystems: TypeAlias = Iterable[str] | Mapping[str, str]


def reasons_of(without: HumanSystems) -> dict[str, str]:
    """Return the reason for the exclusion of each human translator."""
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

    Excluded, with the reason, are systems whose text equals a reference of the corpus, in use or not, systems without
    ratings, rated systems that are not in the evaluation, and the human translators named.

    Args:
        corpus: the texts that were evaluated.
        evaluation: of the compared systems against the references in use.
        judgments: the ratings.
        without: human translators to exclude, or each with the reason.

    Raises:
        AlignmentError: a rating is of a segment that the texts do not have, or no system has text and ratings.
    """
    judgments.check_segments(corpus.segments)
    means = judgments.system_means()
    excluded = _exclusions(corpus, evaluation, means, reasons_of(without))
    left_out = {e.system for e in excluded}
    score = dict(zip(evaluation.systems, evaluation.scores.score.tolist(), strict=True))
    compared_scores = {name: value for name, value in score.items() if name not in left_out}
    rated = {name: mean for name, mean in means.items() if name not in left_out}
    agreement = agreement_of_scores(compared_scores, rated, signature=evaluation.signature, excluded=excluded)
    raw = judgments.raw_means
    return replace(
        agreement,
        rated=rated_segments(judgments, agreement.systems),
        scored_by=find_metric(DEFAULT_METRIC),
        human_raw=np.array([raw.get(name, math.nan) for name in agreement.systems])
        if judgments.adjusted_means
        else None,
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
    """Compare a metric's scores of systems with mean ratings.

    Excluded, with the reason, are systems without a score or without ratings, and the human translators named.

    Args:
        scores: system -> score, higher is better; NaN is no score.
        means: system -> mean rating, higher is better; NaN is no rating.
        metric: name of the metric.
        signature: signature of the metric.
        without: human translators to exclude, or each with the reason.
        excluded: systems that were excluded before.
        higher_is_better: whether higher is better for the metric's original scores, too.

    Raises:
        AlignmentError: no system has both.
    """
    reasons = reasons_of(without)
    scored = {name for name, score in scores.items() if math.isfinite(score)}
    rated = {name for name, mean in means.items() if math.isfinite(mean)}
    exclusions = list(excluded)
    for name in dict.fromkeys((*scores, *means)):
        if name in reasons:
            exclusions.append(Exclusion(name, reasons[name]))
        elif name not in rated:
            exclusions.append(Exclusion(name, "no ratings"))
        elif name not in scored:
            exclusions.append(Exclusion(name, f"has ratings, but no score by {metric}"))
    left_out = {e.system for e in exclusions}
    systems = tuple(name for name in scores if name not in left_out)
    if not systems:
        reasons = "; ".join(f"{e.system}: {e.reason}" for e in exclusions)
        raise AlignmentError(f"no system has both a score and ratings ({reasons})")
    oriented = np.array([scores[name] for name in systems])
    human = np.array([means[name] for name in systems])
    return Agreement(
        signature=signature,
        systems=systems,
        oriented_scores=oriented,
        human=human,
        excluded=tuple(exclusions),
        pearson=pearson(oriented, human, metric=metric),
        spearman=spearman(oriented, human, metric=metric),
        kendall=kendall(oriented, human, metric=metric),
        pairwise_accuracy=pairwise_accuracy(oriented, human),
        regression=regression(oriented, human, metric=metric),
        metric=metric,
        higher_is_better=higher_is_better,
    )


def pearson(x: Floats, y: Floats, *, metric: str = "BLEU") -> Correlation:
    """Return Pearson's r with Fisher's interval."""
    from scipy import stats  # loaded when first needed: it costs more than scoring

    return _correlation("pearson", x, y=y, estimate=stats.pearsonr, metric=metric)


def spearman(x: Floats, y: Floats, *, metric: str = "BLEU") -> Correlation:
    """Return Spearman's rho with the interval of Bonett and Wright (2000)."""
    from scipy import stats

    return _correlation("spearman", x, y=y, estimate=stats.spearmanr, metric=metric)


def kendall(x: Floats, y: Floats, *, metric: str = "BLEU") -> Correlation:
    """Return Kendall's tau-b with the interval of Fieller, Hartley and Pearson (1957)."""
    from scipy import stats

    return _correlation("kendall", x, y=y, estimate=stats.kendalltau, metric=metric)


def pairwise_accuracy(x: Floats, y: Floats) -> PairwiseAccuracy:
    """Count the pairs whose differences have equal signs in both scores; systems without both are ignored."""
    x, y = _common(x, y)
    first, second = np.triu_indices(len(x), k=1)
    agree = np.sign(x[first] - x[second]) == np.sign(y[first] - y[second])
    return PairwiseAccuracy(agreeing=int(agree.sum()), pairs=len(first))


def regression(x: Floats, y: Floats, *, metric: str = "BLEU") -> Regression:
    """Regress y on x by least squares; systems without both scores are ignored."""
    from scipy import stats

    present = np.isfinite(x) & np.isfinite(y)
    x, y = x[present], y[present]
    # Rounded, as for coefficients: squares of smaller differences may underflow.
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
    """Scale values to their range, the lowest to 0 and the highest to 1 (Papineni et al. 2002, Figure 7).

    Without a range, as for a single or constant value, all are NaN.
    """
    spread = np.ptp(values) if len(values) else 0.0
    return (values - values.min()) / spread if spread > 0 else np.full(len(values), math.nan)


def _exclusions(
    corpus: Corpus, evaluation: BleuEvaluation, means: Mapping[str, float], without: Mapping[str, str]
) -> tuple[Exclusion, ...]:
    exclusions: list[Exclusion] = []
    humans = translations_of(corpus.systems, identical_texts(corpus))
    reasons = {human.system: human.reason for human in humans} | dict(without)
    for name in evaluation.systems:
        if name in reasons:
            exclusions.append(Exclusion(name, reasons[name]))
        elif name not in means:
            exclusions.append(Exclusion(name, "no ratings"))
    exclusions += [
        Exclusion(name, "has ratings, but no text in use") for name in means if name not in evaluation.systems
    ]
    return tuple(exclusions)


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
    if math.isclose(abs(coefficient), 1, abs_tol=ROUNDING_ERROR):  # deviations from 1 are rounding errors
        coefficient = math.copysign(1.0, coefficient)
    return Correlation(
        method=method,
        coefficient=coefficient,
        interval=correlation_interval(method, coefficient, len(x)),
        p_value=p_value,
        pairs=len(x),
    )


def _common(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the rounded scores of the systems that have both."""
    present = np.isfinite(x) & np.isfinite(y)
    return np.round(x[present], DECIMALS), np.round(y[present], DECIMALS)


def _undefined(x: Floats, y: Floats, metric: str, *, one_constant_is_enough: bool) -> str:
    """Return why the correlation of x and y is undefined; empty if it is defined."""
    if len(x) < MIN_ENTRIES:
        noun = "system" if len(x) == 1 else "systems"
        return f"{len(x)} {noun}, at least {MIN_ENTRIES} needed"
    if np.ptp(x) == 0:
        return f"all systems have the same {metric}"
    if one_constant_is_enough and np.ptp(y) == 0:
        return "all systems have the same mean rating"
    return ""
