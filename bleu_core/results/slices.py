"""Slices compared: scores, differences and their variation as tables and as JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from bleu_core.dataset import plural
from bleu_core.fields import (
    BASELINE,
    P_VALUE,
    P_VALUE_ADJUSTED,
    REASON,
    SEGMENTS,
    SYSTEM,
    Cell,
    Field,
    Table,
    field,
    result,
    table_of,
)
from bleu_core.inference import MIN_PERCENTILE_UNITS, Comparisons, Correction
from bleu_core.results.envelope import Envelope, about
from bleu_core.results.significance import PairResult, ScoredSystem, pair_results, scored_systems
from bleu_core.scoring import BleuEvaluation, ScoredCorpus
from bleu_core.slicing import SlicesCompared
from bleu_core.version import VERSION

#: What stands in place of a label in the rows about the whole text.
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
        "object", "The pairs that are compared; p-values are corrected for the number of slices."
    )


@result
class VariationResult:
    """Whether the difference of a pair varies between slices."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    q: float = field("decimal", "Cochran's Q of the differences in the slices.", label="Q")
    p_value: float = field(
        P_VALUE,
        "p-value of Q: share of permutations of the labels in which the difference varies at least this much.",
    )
    reason: str = field(REASON, default="")


@result
class SlicesReport(Envelope):
    """The JSON of `bleu-core slices`."""

    by: str = field("text", "Name of the label.")
    unlabelled: int = field("count", "Number of segments without a value of the label, which are in no slice.")
    resamples: int | None = field(
        "count", f"Number of bootstrap resamples of each slice of {MIN_PERCENTILE_UNITS} units or more.", default=None
    )
    trials: int = field("count", "Number of permutations of the labels.")
    permuted: str = field("text", "Unit that the labels are permuted over: segment or document.")
    seed: int = field("count", "Seed of all draws.")
    alpha: float = field("fraction", "Significance level.")
    correction: Correction = field("text", "How the p-values of a pair are corrected for the number of slices.")
    systems: tuple[ScoredSystem, ...] = field("object", "The systems and their scores on all segments.")
    pairs: tuple[PairResult, ...] = field(
        "object", "The pairs, compared on all segments; p-values are corrected for the number of pairs."
    )
    slices: tuple[SliceResult, ...] = field(
        "object", "The slices: by length from short to long, else in the order of their first segments."
    )
    variation: tuple[VariationResult, ...] = field(
        "object", "For each pair, whether its difference varies between the slices more than chance."
    )
    methods: str = field("text", "Sentences for the methods section of a paper.")


def slices_report(found: SlicesCompared, metric: ScoredCorpus, evaluation: BleuEvaluation, by: str) -> SlicesReport:
    """The contract of `bleu-core slices --format json`.

    Args:
        found: the slices.
        metric: that the systems are scored by.
        evaluation: of the whole text.
        by: name of the label.
    """
    return SlicesReport(
        **about(evaluation, metric, found.warnings),
        by=by,
        unlabelled=found.unlabelled,
        resamples=found.resamples or None,
        trials=found.trials,
        permuted=found.unit,
        seed=found.whole.seed,
        alpha=found.whole.alpha,
        correction="holm",
        systems=scored_systems(found.whole, metric),
        pairs=pair_results(found.whole),
        slices=tuple(
            SliceResult(
                label=one.label,
                segments=one.segments,
                systems=scored_systems(one.comparisons, metric),
                pairs=pair_results(one.comparisons),
            )
            for one in found.slices
        ),
        variation=_variation(found),
        methods=slices_methods(found, metric, by),
    )


def slice_score_table(found: SlicesCompared, by: str) -> Table:
    """The score of each system on all segments and on every slice, a row each."""
    columns = {"label": replace(LABEL, label=by), "segments": SEGMENTS}
    columns |= {f"score of {name}": Field("points", label=f"score of {name}") for name in found.whole.systems}
    rows: list[tuple[Cell, ...]] = [(label, one.segments, *one.scores.tolist()) for label, one in _labelled(found)]
    return Table(columns, tuple(rows))


def slice_pair_table(found: SlicesCompared, by: str, system: str | None = None) -> Table:
    """The pairs on all segments and on every slice; p-values are corrected for the number of slices.

    Args:
        found: the slices.
        by: name of the label.
        system: the pairs of this system alone; all if None.
    """
    rows = [
        (_SliceRow(label=label, segments=one.segments), pair)
        for label, one in _labelled(found)
        for pair in pair_results(one)
        if system in (None, pair.system)
    ]
    corrected = "p-value corrected for the number of slices; for all segments, corrected for the number of pairs."
    columns = {"label": replace(LABEL, label=by), "p_value_adjusted": replace(P_VALUE_ADJUSTED, help=corrected)}
    return table_of(rows, _SliceRow, PairResult).redeclared(columns)


def variation_table(found: SlicesCompared) -> Table:
    """For each pair, whether its difference varies between the slices."""
    return table_of(_variation(found), VariationResult)


def slices_methods(found: SlicesCompared, metric: ScoredCorpus, by: str) -> str:
    """Sentences for a paper's methods section.

    Args:
        found: the slices.
        metric: that the systems are scored by.
        by: name of the label.
    """
    of_slice, units = found.slices[0].comparisons, f"{found.unit}s"
    slices = f"{len(found.slices):,} {plural(len(found.slices), 'slice')}"
    said = (
        f"Systems were compared by {metric.label} ({metric.signature}) on {slices} of the text by {by}, each slice "
        f"by {found.tested_by} (seed {of_slice.seed}; two-sided p-values), corrected for {slices} by Holm's method, at "
        f"a significance level of {of_slice.alpha:g}."
    )
    if any(not math.isnan(one.q) for one in found.variation):
        said += (
            " Whether differences vary between slices was tested by Cochran's Q with first-order bootstrap standard "
            f"errors, referred to {found.trials:,} permutations of the labels over {units}."
        )
    return (
        f"{said} For all segments, p-values come from {found.whole.resampled} and are corrected for "
        f"{found.whole.family} (bleu-dashboard {VERSION})."
    )


def _labelled(found: SlicesCompared) -> Sequence[tuple[str, Comparisons]]:
    return [(ALL_SEGMENTS, found.whole), *((one.label, one.comparisons) for one in found.slices)]


def _variation(found: SlicesCompared) -> tuple[VariationResult, ...]:
    return tuple(
        VariationResult(system=one.system, baseline=one.baseline, q=one.q, p_value=one.p_value, reason=one.reason)
        for one in found.variation
    )
