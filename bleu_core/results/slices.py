"""Comparison of slices: scores, differences and their variation, as tables and as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleu_core.dataset import plural
from bleu_core.fields import (
    P_VALUE_ADJUSTED,
    SEGMENTS,
    Field,
    Table,
    field,
    result,
    table_of,
)
from bleu_core.inference import MIN_PERCENTILE_UNITS, Comparisons, Correction
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.results.significance import PairResult, ScoredSystem, pair_results, scored_systems
from bleu_core.scoring import BleuEvaluation, ScoredCorpus
from bleu_core.slicing import SlicesCompared, Variation
from bleu_core.version import VERSION

#: Replaces the label in rows about the whole text.
ALL_SEGMENTS = "all segments"

LABEL = Field("text", "Value of the label that the segments of the slice share.")


@result
class _SliceRow:
    """A slice, as the beginning of a row."""

    label: str = field(LABEL)
    segments: int = field("count", "Number of segments of the slice.")


@result
class SliceResult(_SliceRow):
    """Systems and pairs on a slice."""

    systems: tuple[ScoredSystem, ...] = field("object", "The systems and their scores.")
    pairs: tuple[PairResult, ...] = field(
        "object", "The compared pairs; p-values are corrected for the number of slices."
    )


@result
class SlicesReport(Envelope):
    """The JSON of `bleu-core slices`."""

    by: str = field("text", "Name of the label.")
    unlabelled: int = field("count", "Number of segments without a value of the label, which are in no slice.")
    resamples: int | None = field(
        "count", f"Number of bootstrap resamples of each slice of {MIN_PERCENTILE_UNITS} units or more.", default=None
    )
    trials: int = field("count", "Number of permutations of the labels.")
    permuted: str = field("text", "Unit over which labels are permuted: segment or document.")
    seed: int = field("count", "Seed of all draws.")
    alpha: float = field("fraction", "Significance level.")
    correction: Correction = field("text", "Correction of the p-values of a pair for the number of slices.")
    systems: tuple[ScoredSystem, ...] = field("object", "The systems and their scores on all segments.")
    pairs: tuple[PairResult, ...] = field(
        "object", "The pairs, compared on all segments; p-values are corrected for the number of pairs."
    )
    slices: tuple[SliceResult, ...] = field(
        "object", "The slices, in the order of their first segments; by length, the shortest first."
    )
    variation: tuple[Variation, ...] = field(
        "object", "Test of whether the difference of each pair varies between slices more than by chance."
    )
    methods: str = field("text", "Sentences for the methods section of a paper.")


def slices_report(
    comparison: SlicesCompared, metric: ScoredCorpus, evaluation: BleuEvaluation, by: str
) -> SlicesReport:
    """Return the JSON report of `bleu-core slices`.

    Args:
        comparison: the compared slices.
        metric: the scored systems.
        evaluation: the evaluation of the whole text.
        by: name of the label.
    """
    return SlicesReport(
        **envelope_fields(evaluation, metric, comparison.warnings),
        by=by,
        unlabelled=comparison.unlabelled,
        resamples=comparison.resamples or None,
        trials=comparison.trials,
        permuted=comparison.unit,
        seed=comparison.whole.seed,
        alpha=comparison.whole.alpha,
        correction="holm",
        systems=scored_systems(comparison.whole, metric),
        pairs=pair_results(comparison.whole),
        slices=tuple(
            SliceResult(
                label=item.label,
                segments=item.segments,
                systems=scored_systems(item.comparisons, metric),
                pairs=pair_results(item.comparisons),
            )
            for item in comparison.slices
        ),
        variation=comparison.variation,
        methods=slices_methods(comparison, metric, by),
    )


@result
class _SliceScores:
    """The scores of the systems on a slice."""

    label: str = field(LABEL)
    segments: int = field(SEGMENTS)
    scores: Mapping[str, float] = field("points", columns="score_{}", label="score of {}")


def slice_score_table(comparison: SlicesCompared, by: str) -> Table:
    """Return the score of each system on all segments and on every slice."""
    rows = [
        _SliceScores(
            label=label,
            segments=comparisons.segments,
            scores=dict(zip(comparison.whole.systems, comparisons.scores.tolist(), strict=True)),
        )
        for label, comparisons in _labelled(comparison)
    ]
    return (
        table_of(rows, _SliceScores)
        .redeclared({"label": replace(LABEL, label=by)})
        .with_decimals(comparison.whole.decimals)
    )


def slice_pair_table(comparison: SlicesCompared, by: str, system: str | None = None) -> Table:
    """Return the pairs on all segments and on every slice; p-values are corrected for the number of slices.

    Args:
        comparison: the compared slices.
        by: name of the label.
        system: the system whose pairs are listed; all if None.
    """
    rows = [
        (_SliceRow(label=label, segments=comparisons.segments), pair)
        for label, comparisons in _labelled(comparison)
        for pair in pair_results(comparisons)
        if system in (None, pair.comparison.system)
    ]
    corrected = "p-value corrected for the number of slices; for all segments, corrected for the number of pairs."
    columns = {"label": replace(LABEL, label=by), "p_value_adjusted": replace(P_VALUE_ADJUSTED, help=corrected)}
    table = table_of(rows, _SliceRow, PairResult).redeclared(columns)
    return table.with_decimals(comparison.whole.decimals)


def variation_table(comparison: SlicesCompared) -> Table:
    """Return the variation of each pair's difference between slices."""
    return table_of(comparison.variation, Variation)


def slices_methods(comparison: SlicesCompared, metric: ScoredCorpus, by: str) -> str:
    """Return sentences for the methods section of a paper.

    Args:
        comparison: the compared slices.
        metric: the scored systems.
        by: name of the label.
    """
    first_slice, units = comparison.slices[0].comparisons, f"{comparison.unit}s"
    slices = f"{len(comparison.slices):,} {plural(len(comparison.slices), 'slice')}"
    sentences = (
        f"Systems were compared by {metric.label} ({metric.signature}) on {slices} of the text by {by}, each slice "
        f"by {comparison.tested_by} (seed {first_slice.seed}; two-sided p-values), corrected for {slices} by Holm's "
        f"method, at a significance level of {first_slice.alpha:g}."
    )
    if any(not math.isnan(variation.q) for variation in comparison.variation):
        sentences += (
            " Whether differences vary between slices was tested by Cochran's Q with first-order bootstrap standard "
            f"errors, referred to {comparison.trials:,} permutations of the labels over {units}."
        )
    return (
        f"{sentences} For all segments, p-values come from {comparison.whole.resampled} and are corrected for "
        f"{comparison.whole.family} (bleu-dashboard {VERSION})."
    )


def _labelled(comparison: SlicesCompared) -> Sequence[tuple[str, Comparisons]]:
    return [(ALL_SEGMENTS, comparison.whole), *((item.label, item.comparisons) for item in comparison.slices)]
