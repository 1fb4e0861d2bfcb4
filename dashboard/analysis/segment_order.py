"""All segments of one or two systems: their influence on the score or the difference, and their order in a list."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.agreement import scatter, segment_ratings
from bleu_core.arrays import Floats, Integers
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import BleuCoreError
from bleu_core.inference import Comparison
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation, Metric, ScoredCorpus, SegmentStatistics
from bleu_core.segments import influences
from bleu_core.slicing import Slice, TextSearch, find_text, rating_ranges
from dashboard import session
from dashboard.analysis.ratings_in_use import ratings_or_none
from dashboard.analysis.scores import ScoresInOrder, score_systems, sums_with_optimised
from dashboard.analysis.shared import Sums
from dashboard.analysis.view import View

SegmentOrder = Literal["loss", "gain", "lowest", "longest", "disputed", "disagreement", "number"]

#: Orders that need ratings.
ORDERS_BY_RATINGS: tuple[SegmentOrder, ...] = ("disputed", "disagreement")

#: Number of segments that the answer excludes, and of rows of the list that are shown at once.
N_LARGEST, ROWS_SHOWN = 10, 10

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OutputNumbers:
    """Scores, lengths and ratings of single outputs.

    Attributes:
        systems: k systems.
        scores: (k, S), in points.
        lengths: (k, S) tokens.
        ratings: (k, S) mean ratings, NaN where there is none; None where no segment is rated.
    """

    systems: tuple[str, ...]
    scores: Floats
    lengths: Integers
    ratings: Floats | None


@dataclass(frozen=True, kw_only=True, eq=False)  # without slots, which would exclude cached properties
class SegmentAnalysis:
    """All segments of a system, or of a system and its baseline.

    Attributes:
        systems: the system, and the baseline if there is one.
        sums: of the whole text, or of the slice in use.
        numbers: (S,) the number of each segment in the whole text, from 1.
        influence: (S,) the score, or the difference, with all segments minus that without the segment, in points.
            Positive values are in favour of the system, also if lower scores are better.
        scores: (k, S) of single segments.
        lengths: (k, S) tokens of the outputs.
        reference_lengths: (S,) tokens of the first reference in use that a segment has.
        differs: (S,) whether the two outputs differ; False everywhere for one system.
        ratings: (k, S) mean ratings, NaN where there is none; None where no segment is rated.
        ranges: (S,) maximum difference between judges' ratings of an output; NaN where it is not known.
        disagreement: (S,) difference in rank between the metric and the ratings, by score or by difference; 0 to 1, NaN
            where one is unknown.
        remaining: the corpus scores without the N_LARGEST segments, (k,); None if there are no more segments.
    """

    systems: tuple[str, ...]
    sums: Sums
    numbers: Integers
    influence: Floats
    scores: Floats
    lengths: Integers
    reference_lengths: Integers
    differs: Mask
    ratings: Floats | None
    ranges: Floats
    disagreement: Floats
    remaining: tuple[float, ...] | None

    @property
    def segments(self) -> int:
        """The number of segments, S."""
        return len(self.influence)

    @property
    def last(self) -> int:
        """The number of the last segment."""
        return int(self.numbers[-1])

    def place(self, number: int) -> int | None:
        """Return the position, from 0, of the segment of that number; None where a slice does not have it."""
        place = int(np.searchsorted(self.numbers, number))
        return place if place < self.segments and self.numbers[place] == number else None

    def noted(self, notes: Mapping[int, session.SegmentNote]) -> Mask:
        """Return (S,) whether a segment is starred or has a note, given the notes by number."""
        return np.isin(self.numbers, list(notes))

    def score(self, k: int, number: int) -> float:
        """Return the score of one of the systems in the segment of that number."""
        place = self.place(number)
        return math.nan if place is None else float(self.scores[k, place])

    @property
    def scored(self) -> ScoredCorpus:
        """The scores of the systems."""
        return self.sums.scored

    @property
    def metric(self) -> Metric:
        """The metric of the scores."""
        return self.scored.metric

    @cached_property
    def corpus_scores(self) -> tuple[float, ...]:
        """The corpus score of the system, and of the baseline if there is one."""
        return tuple(self.scored.scores.tolist())

    @property
    def has_curve(self) -> bool:
        """Return whether the difference of two systems can be divided among segments."""
        return bool(self.systems[1:]) and bool(np.isfinite(self.influence).all()) and bool(self.differs.any())

    @property
    def outputs(self) -> OutputNumbers:
        """The numbers of single outputs of the system, and of the baseline if there is one."""
        return OutputNumbers(systems=self.systems, scores=self.scores, lengths=self.lengths, ratings=self.ratings)

    @cached_property
    def by_influence(self) -> Integers:
        """(S,) the positions of the segments by their influence, those most in favour of the system first."""
        return by_influence(self.influence)

    def ranked(self, first: int, last: int) -> Mask:
        """Return (S,) whether a segment has one of these ranks by influence, from 1, both included."""
        return ranked(self.influence, first, last)

    @property
    def orders(self) -> tuple[SegmentOrder, ...]:
        """The orders that are possible."""
        every: tuple[SegmentOrder, ...] = ("loss", "gain", "lowest", "longest", *ORDERS_BY_RATINGS, "number")
        known = {"disputed": self.ranges, "disagreement": self.disagreement}
        return tuple(order for order in every if order not in known or np.isfinite(known[order]).any())

    def listed(self, order: SegmentOrder, *masks: Mask) -> SegmentList:
        """Return the segments that all masks (S,) include, in an order; ties are in the order of the text."""
        sign = 1 if self.metric.higher_is_better else -1
        keys: Mapping[SegmentOrder, npt.NDArray[np.float64 | np.int64]] = {
            "loss": self.influence,
            "gain": -self.influence,
            "lowest": sign * self.scores[0],
            "longest": -self.reference_lengths,
            "disputed": -self.ranges,
            "disagreement": -self.disagreement,
            "number": np.arange(self.segments),
        }
        places = np.argsort(keys[order], kind="stable")  # NaN comes last
        for mask in masks:
            places = places[mask[places]]
        return SegmentList(places, self.numbers)


@dataclass(frozen=True, slots=True, eq=False)
class SegmentList:
    """Segments in some order.

    Attributes:
        places: their positions in the text, from 0.
        numbers: (S,) the number of each segment of the text, from 1; a slice does not have all numbers.
    """

    places: Integers
    numbers: Integers

    def __len__(self) -> int:
        return len(self.places)

    def number(self, position: int) -> int:
        """Return the number, from 1, of the segment at a position of the list, from 0."""
        return int(self.numbers[self.places[position]])

    def position(self, number: int) -> int | None:
        """Return the position, from 0, of the segment of that number; None where it is not in the list."""
        positions = np.flatnonzero(self.numbers[self.places] == number)
        return int(positions[0]) if len(positions) else None

    def around(self, number: int) -> range:
        """Return the positions of the rows shown together with a segment; the first ones if it is not listed."""
        start = (self.position(number) or 0) // ROWS_SHOWN * ROWS_SHOWN
        return range(start, min(start + ROWS_SHOWN, len(self)))


def systems_best_first(view: View, metric: str) -> tuple[str, ...]:
    """Return the compared systems by the metric of that key, the best first; cached, as a long text takes a while."""
    sums = score_systems(view, metric).sums
    return _best_first(view.scope, sums, view.compared.systems, view.not_ranked)


@session.cached("Scoring", "systems")
def _best_first(_: Progress, sums: Sums, compared: tuple[str, ...], not_ranked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in ScoresInOrder(sums.scored, not_ranked).ordered_systems() if name in compared)


def segments_of(view: View, metric: str, systems: tuple[str, ...]) -> SegmentAnalysis:
    """Return all segments of one or two compared systems.

    Args:
        view: the data and settings.
        metric: key of the metric.
        systems: the system, and the baseline if there is one.
    """
    ratings = ratings_or_none(view)
    sums = sums_with_optimised(view, metric).select(systems)
    evaluation = view.compared.select(systems)
    judgments = None if ratings is None else ratings.judgments
    # Other data may have the same text under other numbers.
    return _analysed(view.scope, view.workspace.corpus, evaluation, sums, text_slice=view.slice, judgments=judgments)


@session.cached("Leaving out each segment", "segments")
def _analysed(
    _: Progress,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    sums: Sums,
    *,
    text_slice: Slice | None,
    judgments: Judgments | None,
) -> SegmentAnalysis:
    systems, scored = evaluation.systems, sums.scored
    scores = scored.statistics.segment_scores
    differs = np.zeros(evaluation.segments, np.bool_)
    if systems[1:]:
        pairs = zip(*(corpus.systems[name] for name in systems), strict=True)
        differs = np.fromiter((first != second for first, second in pairs), np.bool_, evaluation.segments)
    influence = influence_of(scored.statistics)
    means, ranges = _rated(judgments, systems, evaluation.segments)
    numbers = range(1, evaluation.segments + 1) if text_slice is None else text_slice.numbers
    analysis = SegmentAnalysis(
        systems=systems,
        sums=sums,
        numbers=np.array(numbers, np.int64),
        influence=influence,
        scores=scores,
        lengths=evaluation.stats.hypothesis_lengths,
        reference_lengths=_first_lengths(evaluation.stats.reference_lengths),
        differs=differs,
        ratings=means,
        ranges=ranges,
        disagreement=_disagreement(scores, means, higher_is_better=scored.metric.higher_is_better),
        remaining=_remaining_scores(scored.statistics, influence),
    )
    for values in (
        analysis.numbers,
        analysis.influence,
        analysis.scores,
        analysis.reference_lengths,
        analysis.differs,
        analysis.ranges,
    ):
        values.flags.writeable = False
    return analysis


def outputs_of_all(view: View, metric: str, first: tuple[str, ...]) -> OutputNumbers:
    """Return the numbers of single outputs of all compared systems.

    Args:
        view: the data and settings.
        metric: key of the metric.
        first: systems that come first; the others follow, the best one first.
    """
    systems = (*first, *(name for name in systems_best_first(view, metric) if name not in first))
    ratings = ratings_or_none(view)
    judgments = None if ratings is None else ratings.judgments
    sums = sums_with_optimised(view, metric).select(systems)
    return _outputs(view.scope, view.compared.select(systems), sums, judgments)


@session.cached("Scoring each segment", "segments")
def _outputs(_: Progress, evaluation: BleuEvaluation, sums: Sums, judgments: Judgments | None) -> OutputNumbers:
    scores = sums.table.segment_scores
    scores.flags.writeable = False
    return OutputNumbers(
        systems=evaluation.systems,
        scores=scores,
        lengths=evaluation.stats.hypothesis_lengths,
        ratings=_rated(judgments, evaluation.systems, evaluation.segments)[0],
    )


def segments_by_lead(
    view: View, metric: str, pair: Comparison, first: Collection[int] = ()
) -> tuple[SegmentAnalysis, SegmentList]:
    """Return the segments of two systems by their contribution to the lead, largest first.

    Args:
        view: the data and settings.
        metric: key of the metric.
        pair: the two systems.
        first: positions of segments, from 0, that come before all others.
    """
    analysis = segments_of(view, metric, (pair.system, pair.baseline))
    leads = (pair.delta > 0) == analysis.metric.higher_is_better
    places = analysis.listed("gain" if leads else "loss").places
    in_front = np.isin(places, list(first))
    return analysis, SegmentList(np.concatenate([places[in_front], places[~in_front]]), analysis.numbers)


def find_segments(view: View, search: TextSearch) -> Mask | str:
    """Return (S,) whether each segment's source, references or outputs contain a text; else the error."""
    return _containing(view.scope, view.workspace.corpus, view.evaluation.systems, search)


@session.cached("Searching the text", "texts", typed=True)
def _containing(progress: Progress, corpus: Corpus, systems: tuple[str, ...], search: TextSearch) -> Mask | str:
    try:
        mask = find_text(corpus, search, systems=systems, progress=progress)
    except BleuCoreError as error:
        return str(error)  # cached, too: the search would take as long again
    mask.flags.writeable = False
    return mask


def influence_of(table: SegmentStatistics) -> Floats:
    """Return the influence (S,) on a system's score, or on the difference of two; NaN with one segment only."""
    result = influences(table)
    if table.systems[1:]:
        return result.between(*table.systems).values
    change = result.scores[0] - result.without[0]
    return change if table.higher_is_better else 0 - change


def by_influence(influence: Floats) -> Integers:
    """Return (S,) the positions of the segments by their influence, those most in favour of the system first."""
    return np.argsort(-influence, kind="stable")


def ranked(influence: Floats, first: int, last: int) -> Mask:
    """Return (S,) whether a segment has one of these ranks by influence, from 1, both included."""
    mask = np.zeros(len(influence), np.bool_)
    mask[by_influence(influence)[first - 1 : last]] = True
    return mask


def _remaining_scores(table: SegmentStatistics, influence: Floats) -> tuple[float, ...] | None:
    """Return the corpus scores without the segments that contribute most to the lead, or lower the only score most."""
    if table.segments <= N_LARGEST:
        return None
    sums = table.sums()
    scores = table.score(sums)
    sign = 1 if table.higher_is_better else -1
    leads = len(scores) > 1 and sign * (scores[0] - scores[1]) > 0
    largest = np.argsort(-influence if leads else influence, kind="stable")[:N_LARGEST]
    return tuple(table.score(sums - table.values[:, largest].sum(axis=1)).tolist())


def _first_lengths(lengths: Integers) -> Integers:
    """Return (S,) the lengths of the first reference that a segment has, of (R, S) lengths, negative where absent."""
    first = (lengths >= 0).argmax(axis=0)
    return np.take_along_axis(lengths, first[None], axis=0)[0]


def _rated(judgments: Judgments | None, systems: tuple[str, ...], segments: int) -> tuple[Floats | None, Floats]:
    """Return mean ratings, if there are any, and the ranges between judges."""
    no_ranges = np.full(segments, np.nan)
    if judgments is None:
        return None, no_ranges
    try:
        means = segment_ratings(judgments, systems, segments)
        ranges = rating_ranges(judgments, systems, segments)
    except BleuCoreError:
        return None, no_ranges
    if not np.isfinite(means).any():
        return None, no_ranges
    return means, np.fmax.reduce(ranges, axis=0)


def _disagreement(scores: Floats, ratings: Floats | None, *, higher_is_better: bool) -> Floats:
    """Return (S,) the distance between the percentiles of the score and the rating, or of both differences."""
    distance = np.full(scores.shape[1], np.nan)
    if ratings is None:
        return distance
    by_score, by_rating = (values[:1] - values[1:] if len(values) > 1 else values for values in (scores, ratings))
    points = scatter(by_score, by_rating, higher_is_better=higher_is_better)
    distance[points.entry] = np.abs(points.x_percentile - points.y_percentile)
    return distance
