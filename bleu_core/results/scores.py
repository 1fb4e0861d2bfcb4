"""Corpus scores, as a table and as JSON, for the command line and the page."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from bleu_core.fields import REASON, SYSTEM, Field, Table, field, result, table_of
from bleu_core.inference import CONFIDENCE, MIN_UNITS, RESAMPLES
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.results.reproduction import ReproducedScore
from bleu_core.scoring import BleuEvaluation, CorpusScores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bleu_core.dataset import MissingText
    from bleu_core.inference import ScoreIntervals  # loaded when first needed
    from bleu_core.scoring import Metric, ScoredCorpus

INTERVAL = f"{100 * CONFIDENCE:g}% interval from {RESAMPLES:,} bootstrap resamples of the segments"

#: Reason of an undefined interval.
FEW_SEGMENTS = f"fewer than {MIN_UNITS} segments"

BLEU = Field("points", "Corpus BLEU.", "BLEU", best="highest")
SCORE = Field("points", "Corpus score.")


@result
class SystemScore:
    """A system's corpus score."""

    system: str = field(SYSTEM)
    bleu: float | None = field(BLEU, default=None)
    score: float | None = field(SCORE, default=None)
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
    reason: str | None = field(REASON, default=None)


@result
class Scores(Envelope):
    """The JSON of `bleu-core score`."""

    systems: tuple[SystemScore, ...] = field("object", "Scores of each system.")
    reproduced: tuple[ReproducedScore, ...] | None = field(
        "object", "Scores printed by sacreBLEU compared with those computed here, with --metric-scores.", default=None
    )


def score_table(
    evaluation: BleuEvaluation | CorpusScores,
    intervals: ScoreIntervals | None = None,
    *,
    missing: Sequence[MissingText] = (),
) -> Table:
    """Return BLEU of each system and its factors, in the order of the corpus; missing systems are last."""
    return table_of((*_system_scores(evaluation, intervals), *_without_scores(missing, is_bleu=True)), SystemScore)


def score_report(
    evaluation: BleuEvaluation | CorpusScores,
    intervals: ScoreIntervals | None = None,
    *,
    missing: Sequence[MissingText] = (),
) -> Scores:
    """Return the JSON report of `bleu-core score`."""
    systems = (*_system_scores(evaluation, intervals), *_without_scores(missing, is_bleu=True))
    return Scores(**envelope_fields(evaluation), systems=systems)


def metric_score_table(
    scored: ScoredCorpus, intervals: ScoreIntervals | None = None, *, missing: Sequence[MissingText] = ()
) -> Table:
    """Return the score of each system by any metric, in the order of the corpus; missing systems are last."""
    rows = (*_metric_scores(scored, intervals), *_without_scores(missing, is_bleu=False))
    return table_of(rows, SystemScore).redeclared(score_columns(scored.metric))


def metric_score_report(
    scored: ScoredCorpus,
    evaluation: BleuEvaluation,
    intervals: ScoreIntervals | None = None,
    *,
    missing: Sequence[MissingText] = (),
) -> Scores:
    """Return the JSON report of `bleu-core score` for metrics other than BLEU."""
    systems = (*_metric_scores(scored, intervals), *_without_scores(missing, is_bleu=False))
    return Scores(**envelope_fields(evaluation, scored), systems=systems)


def score_columns(metric: Metric) -> Mapping[str, Field]:
    """Return the columns with the scores of a metric, titled by its label; BLEU has its own columns."""
    better = "higher" if metric.higher_is_better else "lower"
    meaning = f"{metric.help[0].upper()}{metric.help[1:]}; {better} is better."
    return {
        "score": Field("points", meaning, metric.label, best="highest" if metric.higher_is_better else "lowest"),
        "score_low": Field("points", f"Lower end of the {INTERVAL}.", f"{metric.label} low"),
        "score_high": Field("points", f"Upper end of the {INTERVAL}.", f"{metric.label} high"),
    }


def _metric_scores(scored: ScoredCorpus, intervals: ScoreIntervals | None) -> tuple[SystemScore, ...]:
    return tuple(
        SystemScore(
            system=name,
            score=score,
            **score_bounds(intervals, name, "score"),
            confidence=intervals.scores[name].confidence if intervals else None,
            resamples=intervals.resamples if intervals else None,
            reason=scored.metric.undefined if math.isnan(score) else None,
        )
        for name, score in zip(scored.statistics.systems, scored.scores.tolist(), strict=True)
    )


def _system_scores(
    evaluation: BleuEvaluation | CorpusScores, intervals: ScoreIntervals | None
) -> tuple[SystemScore, ...]:
    scores = evaluation.scores
    lengths, references = scores.hypothesis_length, scores.reference_length
    return tuple(
        SystemScore(
            system=name,
            bleu=float(scores.score[k]),
            **score_bounds(intervals, name),
            confidence=intervals.scores[name].confidence if intervals else None,
            resamples=intervals.resamples if intervals else None,
            precisions=tuple(scores.precisions[k].tolist()),
            brevity_penalty=float(scores.brevity_penalty[k]),
            hypothesis_length=int(lengths[k]),
            reference_length=float(references[k]),
            length_ratio=float(lengths[k] / references[k]) if references[k] else math.nan,
            matches=tuple(int(m) for m in scores.matches[k]),
            totals=tuple(int(t) for t in scores.totals[k]),
        )
        for k, name in enumerate(evaluation.systems)
    )


def _without_scores(missing: Sequence[MissingText], *, is_bleu: bool) -> tuple[SystemScore, ...]:
    """Return the entries of systems whose outputs cannot be used."""
    score = "bleu" if is_bleu else "score"
    undefined: dict[str, Any] = {score: math.nan}
    return tuple(SystemScore(system=text.name, reason=f"no score: {text.reason}", **undefined) for text in missing)


def score_bounds(intervals: ScoreIntervals | None, system: str, score: str = "bleu") -> dict[str, Any]:
    """Return the fields with the interval of a system's score, if there are intervals."""
    if intervals is None:
        return {}
    bounds = intervals.scores[system]
    return {f"{score}_low": bounds.low, f"{score}_high": bounds.high}
