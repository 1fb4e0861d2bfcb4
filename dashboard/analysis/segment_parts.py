"""Parts of the text on the page Segments, and the share of a difference in a part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bleu_core.errors import BleuCoreError
from bleu_core.fields import Table, columns_of, field, result, table_of_columns
from bleu_core.progress import Progress
from bleu_core.scoring import Metric, ScoredCorpus
from bleu_core.segments import Replacement, SliceShare, replace_outputs, slice_share
from bleu_core.slicing import Slice, combine_expressions
from dashboard import session
from dashboard.analysis.scores import score_systems
from dashboard.analysis.segment_order import Mask, SegmentAnalysis, by_influence, influence_of, ranked
from dashboard.analysis.shared import Sums
from dashboard.analysis.view import View, slice_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PartScores:
    """The scores of one or two systems in a part of the text and outside it.

    Attributes:
        expression: the expression that selects the part.
        systems: the system, and the baseline if there is one.
        metric: of the scores.
        segments: the number of segments in the part.
        of: number of segments of the text, without those that a file lacks.
        inside: each system's score of the part.
        outside: each system's score of all other segments.
        share: share of the part in the difference; None for one system.
    """

    expression: str
    systems: tuple[str, ...]
    metric: Metric
    segments: int
    of: int
    inside: tuple[float, ...]
    outside: tuple[float, ...]
    share: SliceShare | None


@result
class _CurvePoint:
    """A point of the curve."""

    replaced: int = field("count", "Segments whose outputs are replaced by the system's.")
    segment: int = field("count", "Number of the segment that was replaced last; 0 for none.")
    difference: float = field("difference", "Corpus score then, minus the baseline's.")


def stretch_scores(segments: SegmentAnalysis, first: int, last: int) -> PartScores:
    """Return the scores in the segments of these ranks by influence, both included, and in all other segments."""
    return _stretch(segments.sums.scope, segments.sums, first, last)


@session.cached("Scoring the part", "segments")
def _stretch(_: Progress, sums: Sums, first: int, last: int) -> PartScores:
    mask = ranked(influence_of(sums.table), first, last)
    return _part_scores(f"the rank by influence is {first:,} to {last:,}", sums.scored, mask)


def curve_table(segments: SegmentAnalysis, curve: Replacement) -> Table:
    """Return the difference after each segment that is replaced."""
    numbers = [0, *segments.numbers[curve.order].tolist()]
    columns = columns_of(
        _CurvePoint, replaced=range(len(numbers)), segment=numbers, difference=curve.differences.tolist()
    )
    return table_of_columns(columns).with_decimals(curve.decimals)


def segments_within(view: View, expression: str) -> Mask | str:
    """Return (S,) whether an expression holds for each segment of the view; else the error."""
    whole = view.whole or view
    try:
        text_slice = _slice(whole, expression)
    except BleuCoreError as error:
        return str(error)
    mask = text_slice.mask if view.slice is None else text_slice.mask[view.slice.mask]
    part = f" of the slice {_expression(view)!r}" if _expression(view) else " in use"
    return mask if mask.any() else f"{expression!r} holds for no segment{part}"


def part_scores(
    view: View, metric: str, systems: tuple[str, ...], within: str = "", inside: Mask | None = None
) -> PartScores | None:
    """Return the scores in the slice in use, or in a part of it, and in all other segments that no file lacks.

    Args:
        view: the data and settings.
        metric: key of the metric.
        systems: the system, and the baseline if there is one.
        within: an expression that names the part.
        inside: (S,) which segments of the view are in that part; None for all.

    Returns:
        None where the part is the whole text.
    """
    whole = view.whole or view
    mask = np.ones(whole.evaluation.segments, np.bool_) if view.slice is None else view.slice.mask.copy()
    if inside is not None:
        mask[mask] = inside
    among = np.ones_like(mask)  # segments that a file lacks are neither inside nor outside
    if view.slice is not None:
        among[np.array(view.slice.excluded, np.int64) - 1] = False
    if (mask == among).all():
        return None
    expression = combine_expressions(_expression(view), "and", within if inside is not None else "")
    sums = score_systems(whole, metric).sums.select(systems)
    return _part(view.scope, sums, expression, part=Slice(expression, mask), among=Slice("", among))


@session.cached("Scoring the part", "segments", typed=True)
def _part(_: Progress, sums: Sums, expression: str, *, part: Slice, among: Slice) -> PartScores:
    return _part_scores(expression, sums.scored.subset(among.rows), part.mask[among.mask])


def influence_curve(segments: SegmentAnalysis) -> Replacement | None:
    """Return the cumulative difference, from the segments most in favour of the system to those of the baseline.

    Returns:
        None for one system, for one segment, where outputs are the same, and where a score is undefined.
    """
    if not segments.has_curve:
        return None
    return _curve(segments.sums.scope, segments.sums)


@session.cached("Replacing outputs", "segments")
def _curve(_: Progress, sums: Sums) -> Replacement:
    system, baseline = sums.table.systems
    return replace_outputs(sums.table, system, baseline, by_influence(influence_of(sums.table)))


def _part_scores(expression: str, scored: ScoredCorpus, mask: Mask) -> PartScores:
    table = scored.statistics
    inside, outside = table.score(table.weighted_sums(np.stack([mask, ~mask]).astype(np.int64))).T.tolist()
    system, *baseline = table.systems
    pair_share = slice_share(table, system, baseline[0], mask) if baseline else None
    count = int(mask.sum())
    return PartScores(
        expression=expression,
        systems=table.systems,
        metric=scored.metric,
        segments=count,
        of=len(mask),
        inside=tuple(inside),
        outside=tuple(outside),
        share=pair_share,
    )


def _expression(view: View) -> str:
    """Return the expression of the slice in use; empty for the whole text."""
    return view.slice.expression if view.slice is not None else ""


def _slice(whole: View, expression: str) -> Slice:
    evaluation = whole.evaluation
    return slice_of(whole.workspace, whole.selection, expression, evaluation.references)
