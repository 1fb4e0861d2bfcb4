"""Corpus scores, as a table and as JSON, for the command line and the page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bleu_core.fields import REASON, SYSTEM, Field, Table, field, result, table_of
from bleu_core.inference import CONFIDENCE, MIN_UNITS, RESAMPLES
from bleu_core.results.envelope import Envelope, ReportedMetric, envelope_fields, reported_metrics, whole_metric
from bleu_core.results.reproduction import ReproducedScore
from bleu_core.scoring import Bleu, BleuEvaluation, CorpusScores, Metric, ScoredCorpus

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleu_core.dataset import MissingText, ScoreTable
    from bleu_core.inference import ScoreIntervals  # loaded when first needed

#: Systems with scores; an evaluation means BLEU.
Scored = ScoredCorpus | BleuEvaluation | CorpusScores

INTERVAL = f"{100 * CONFIDENCE:g}% interval from {RESAMPLES:,} bootstrap resamples of the segments"

#: Reason of an undefined interval.
FEW_SEGMENTS = f"fewer than {MIN_UNITS} segments"

BLEU = Field("points", "Corpus BLEU.", "BLEU", best="highest")
SCORE = Field("points", "Corpus score.")


@result
class ScoreBounds:
    """The interval of a score."""

    low: float = field("points", f"Lower end of the {INTERVAL}.", undefined=FEW_SEGMENTS)
    high: float = field("points", f"Upper end of the {INTERVAL}.", undefined=FEW_SEGMENTS)


@result
class SystemScore:
    """A system's corpus score."""

    system: str = field(SYSTEM)
    bleu: float | None = field(BLEU, default=None)
    score: float | None = field(SCORE, default=None)
    scores: Mapping[str, float] = field("points", "Score by each metric, by its key.", only="json")
    intervals: Mapping[str, ScoreBounds] | None = field(
        "object", "Interval of the score by each metric, by its key, with several metrics.", only="json", default=None
    )
    bleu_low: float | None = field(
        "points", f"Lower end of the {INTERVAL}.", label="BLEU low", undefined=FEW_SEGMENTS, default=None
    )
    bleu_high: float | None = field(
        "points", f"Upper end of the {INTERVAL}.", label="BLEU high", undefined=FEW_SEGMENTS, default=None
    )
    score_low: float | None = field("points", f"Lower end of the {INTERVAL}.", undefined=FEW_SEGMENTS, default=None)
    score_high: float | None = field("points", f"Upper end of the {INTERVAL}.", undefined=FEW_SEGMENTS, default=None)
    confidence: float | None = field("fraction", "Confidence of the interval.", only="json", default=None)
    resamples: int | None = field("count", "Number of bootstrap resamples.", only="json", default=None)
    precisions: tuple[float, ...] | None = field(
        "fraction",
        "Modified {}-gram precision, smoothing included.",
        label="p{}",
        columns="precision_{}",
        best="highest",
        default=None,
    )
    brevity_penalty: float | None = field(
        "fraction", "Factor that penalises texts shorter than the reference; 1 means no penalty.", default=None
    )
    hypothesis_length: int | None = field("count", "Number of tokens of the system's text.", default=None)
    reference_length: float | None = field(
        "count", "Number of tokens of the reference, chosen by the setting Reference length.", default=None
    )
    length_ratio: float | None = field(
        "fraction", "Hypothesis length divided by reference length.", only="table", default=None
    )
    matches: tuple[int, ...] | None = field(
        "count", "Number of matching n-grams of each order, before smoothing.", only="json", default=None
    )
    totals: tuple[int, ...] | None = field("count", "Number of n-grams of each order.", only="json", default=None)
    scored_segments: int | None = field(
        "count", "Number of segments with a score, where not all have one.", label="segments", default=None
    )
    reason: str | None = field(REASON, default=None)


@result
class Scores(Envelope):
    """The JSON of `bleu-core score`."""

    metrics: tuple[ReportedMetric, ...] = field("object", "The metrics, in the order of the call.")
    systems: tuple[SystemScore, ...] = field("object", "Scores of each system.")
    reproduced: tuple[ReproducedScore, ...] | None = field(
        "object", "Scores printed by sacreBLEU compared with those computed here, with --metric-scores.", default=None
    )


def score_table(
    scored: Scored, intervals: ScoreIntervals | None = None, *, missing: Sequence[MissingText] = ()
) -> Table:
    """Return the score of each system, with the factors of BLEU, in the order of the corpus; missing systems are last.

    Args:
        scored: the systems under a metric; an evaluation means BLEU.
        intervals: of their scores.
        missing: systems whose outputs cannot be used.
    """
    scored = _under_metric(scored)
    return in_columns_of(scored.metric, table_of(_system_scores(scored, intervals, missing), SystemScore))


def score_report(
    evaluation: BleuEvaluation | CorpusScores,
    intervals: ScoreIntervals | None = None,
    *,
    scored: ScoredCorpus | None = None,
    missing: Sequence[MissingText] = (),
) -> Scores:
    """Return the JSON report of `bleu-core score` with one metric.

    Args:
        evaluation: has the settings, the references and the number of segments.
        intervals: of the scores.
        scored: the systems under a metric; BLEU if None.
        missing: systems whose outputs cannot be used.
    """
    metric = scored or _under_metric(evaluation)
    systems = _system_scores(metric, intervals, missing)
    return Scores(**envelope_fields(evaluation, scored), metrics=reported_metrics([metric]), systems=systems)


def scores_report(
    evaluation: BleuEvaluation,
    metrics: Sequence[ScoredCorpus],
    intervals: Mapping[str, ScoreIntervals] = MappingProxyType({}),
    *,
    whole: Mapping[str, ScoreTable] = MappingProxyType({}),
    missing: Sequence[MissingText] = (),
) -> Scores:
    """Return the JSON report of `bleu-core score` with several metrics.

    Args:
        evaluation: has the settings, the references and the number of segments.
        metrics: the same systems under each metric.
        intervals: key of a metric -> intervals of its scores, if there are any.
        whole: label -> scores, of metrics that have scores of whole systems only.
        missing: systems whose outputs cannot be used.
    """
    values = {metric.name: dict(zip(metric.systems, metric.scores.tolist(), strict=True)) for metric in metrics}
    undefined = {metric.name: metric.metric.undefined for metric in metrics}
    for label, table in whole.items():
        of_system = table.scores_of_systems
        values[label] = {name: of_system.get(name, math.nan) for name in metrics[0].systems}
        undefined[label] = f"the file has no score of this system by {label}"
    systems: list[SystemScore] = []
    for name in metrics[0].systems:
        scores = {key: of_system[name] for key, of_system in values.items()}
        reasons = dict.fromkeys(undefined[key] for key, score in scores.items() if math.isnan(score))
        bounds = {key: of_metric.scores[name] for key, of_metric in intervals.items()}
        systems.append(
            SystemScore(
                system=name,
                scores=scores,
                intervals={key: ScoreBounds(low=ends.low, high=ends.high) for key, ends in bounds.items()} or None,
                reason="; ".join(reasons) or None,
            )
        )
    systems += [
        SystemScore(system=text.name, scores=dict.fromkeys(values, math.nan), reason=f"no score: {text.reason}")
        for text in missing
    ]
    reported = (
        *reported_metrics(metrics),
        *(whole_metric(label, table) for label, table in whole.items()),
    )
    return Scores(**envelope_fields(evaluation, metrics[0]), metrics=reported, systems=tuple(systems))


def in_columns_of(metric: Metric, table: Table) -> Table:
    """Return a table whose columns with scores are those of a metric: titled by its label, with its decimals.

    BLEU has columns of its own, `bleu` in place of `score`; in JSON its scores are under both names.
    """
    if metric.score_field != "score":
        table = table.without("score", "score_low", "score_high")
    columns = {
        "score": Field("points", meaning_of(metric), metric.label, best=metric.best),
        "score_low": Field("points", f"Lower end of the {INTERVAL}.", f"{metric.label} low"),
        "score_high": Field("points", f"Upper end of the {INTERVAL}.", f"{metric.label} high"),
    }
    return table.redeclared(columns).with_decimals(metric.decimals)


def meaning_of(metric: Metric) -> str:
    """Return what a metric measures, and which scores are better, as the help of a column."""
    better = "higher" if metric.higher_is_better else "lower"
    return f"{metric.help[0].upper()}{metric.help[1:]}; {better} is better."


def _under_metric(scored: Scored) -> ScoredCorpus:
    return scored if isinstance(scored, ScoredCorpus) else ScoredCorpus.of_bleu(scored)


def _system_scores(
    scored: ScoredCorpus, intervals: ScoreIntervals | None, missing: Sequence[MissingText]
) -> tuple[SystemScore, ...]:
    """Return the scores of all systems, and the reasons why the missing ones have none."""
    key, factors = scored.metric.score_field, scored.factors
    counts = (
        scored.statistics.scored.sum(axis=1).tolist() if scored.statistics.has_gaps else [None] * len(scored.systems)
    )
    without: Any = {**score_values(key, math.nan), "scores": {scored.name: math.nan}}
    return (
        *(
            SystemScore(
                system=name,
                **score_values(key, score),
                scores={scored.name: score},
                **score_bounds(intervals, name, key),
                confidence=intervals.scores[name].confidence if intervals else None,
                resamples=intervals.resamples if intervals else None,
                **({} if factors is None else _factors(factors, k)),
                scored_segments=counts[k],
                reason=scored.metric.undefined if math.isnan(score) else None,
            )
            for k, (name, score) in enumerate(zip(scored.systems, scored.scores.tolist(), strict=True))
        ),
        *(SystemScore(system=text.name, reason=f"no score: {text.reason}", **without) for text in missing),
    )


def _factors(factors: Bleu, system: int) -> dict[str, Any]:
    """Return the fields with the factors of a system's score."""
    length, reference = int(factors.hypothesis_length[system]), float(factors.reference_length[system])
    return {
        "precisions": tuple(factors.precisions[system].tolist()),
        "brevity_penalty": float(factors.brevity_penalty[system]),
        "hypothesis_length": length,
        "reference_length": reference,
        "length_ratio": length / reference if reference else math.nan,
        "matches": tuple(int(m) for m in factors.matches[system]),
        "totals": tuple(int(t) for t in factors.totals[system]),
    }


def score_values(key: str, score: float) -> dict[str, Any]:
    """Return the fields with a score: `score`, and that of the metric's own name, if it has one."""
    return {"score": score, key: score}


def score_bounds(intervals: ScoreIntervals | None, system: str, key: str) -> dict[str, Any]:
    """Return the fields with the interval of a system's score, named like those of score_values, if there are any."""
    if intervals is None:
        return {}
    bounds = intervals.scores[system]
    return {f"{name}_{end}": getattr(bounds, end) for name in dict.fromkeys(("score", key)) for end in ("low", "high")}
