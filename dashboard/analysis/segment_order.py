"""All segments of one or two systems: what each adds to the score or the difference, and their order in a list."""

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
from bleu_core.scoring import BleuEvaluation, Metric, ScoredCorpus, SegmentStatistics, segment_scores
from bleu_core.segments import influences
from bleu_core.slicing import Slice, TextSearch, find_text, rating_ranges
from dashboard import session
from dashboard.analysis.ratings_in_use import ratings_or_none
from dashboard.analysis.scores import ScoresInOrder, score_systems, sums_under
from dashboard.analysis.shared import Sums
from dashboard.analysis.view import View

SegmentOrder = Literal["loss", "gain", "lowest", "longest", "disputed", "disagreement", "number"]

#: Orders that need ratings.
ORDERS_BY_RATINGS: tuple[SegmentOrder, ...] = ("disputed", "disagreement")

#: Segments that the answer leaves out, and rows of the list that are shown at once.
N_LARGEST, ROWS_SHOWN = 10, 10

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputNumbers:
    """What is known of single outputs, in numbers.

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


@dataclass(frozen=True, kw_only=True)  # without slots, which leave no place for what is computed once
class SegmentsRead:
    """All segments of a system, or of a system and its baseline.

    Attributes:
        systems: the system, and the baseline if there is one.
        sums: those of the whole text, or of the slice that is looked at.
        numbers: (S,) the number of each segment in the whole text, from 1.
        influence: (S,) the score, or the difference, with all segments minus that without each, in points. Positive
            values are in favour of the system, also if lower scores are better.
        scores: (k, S) of single segments.
        lengths: (k, S) tokens of the outputs.
        reference_lengths: (S,) tokens of the first reference in use that a segment has.
        differs: (S,) whether the two outputs differ; False everywhere for one system.
        ratings: (k, S) mean ratings, NaN where there is none; None where no segment is rated.
        ranges: (S,) how far judges are apart, at most, in their ratings of an output; NaN where it is not known.
        disagreement: (S,) how far the metric and the ratings are apart in how they rank the segments, by score or by
            difference; 0 to 1, NaN where one is unknown.
        remaining: the corpus scores without the N_LARGEST segments, (k,); None if there are not more.
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
        """S."""
        return len(self.influence)

    @property
    def last(self) -> int:
        """The number of the last segment."""
        return int(self.numbers[-1])

    def place(self, number: int) -> int | None:
        """The position, from 0, of the segment of that number; None where a slice does not have it."""
        place = int(np.searchsorted(self.numbers, number))
        return place if place < self.segments and self.numbers[place] == number else None

    def noted(self, notes: Mapping[int, session.SegmentNote]) -> Mask:
        """(S,) whether a segment is starred or has a note, of those by number."""
        return np.isin(self.numbers, list(notes))

    def score(self, k: int, number: int) -> float:
        """The score of one of the systems in the segment of that number."""
        place = self.place(number)
        return math.nan if place is None else float(self.scores[k, place])

    @property
    def scored(self) -> ScoredCorpus:
        """The scores of the systems."""
        return self.sums.scored

    @property
    def metric(self) -> Metric:
        """Which."""
        return self.scored.metric

    @cached_property
    def corpus_scores(self) -> tuple[float, ...]:
        """Of the system, and of the baseline if there is one."""
        return tuple(self.scored.scores.tolist())

    @property
    def has_curve(self) -> bool:
        """Whether the difference of two systems can be divided among segments."""
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
        """(S,) whether a segment has one of these ranks by influence, from 1, both included."""
        return ranked(self.influence, first, last)

    @property
    def orders(self) -> tuple[SegmentOrder, ...]:
        """The orders that are possible."""
        every: tuple[SegmentOrder, ...] = ("loss", "gain", "lowest", "longest", *ORDERS_BY_RATINGS, "number")
        known = {"disputed": self.ranges, "disagreement": self.disagreement}
        return tuple(order for order in every if order not in known or np.isfinite(known[order]).any())

    def listed(self, order: SegmentOrder, *chosen: Mask) -> SegmentList:
        """The segments in an order, those that all masks (S,) have; of equal ones the first comes first."""
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
        for mask in chosen:
            places = places[mask[places]]
        return SegmentList(places, self.numbers)


@dataclass(frozen=True, slots=True)
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
        """The number, from 1, of the segment at a position of the list, from 0."""
        return int(self.numbers[self.places[position]])

    def position(self, number: int) -> int | None:
        """The position, from 0, of the segment of that number; None where it is not in the list."""
        found = np.flatnonzero(self.numbers[self.places] == number)
        return int(found[0]) if len(found) else None

    def around(self, number: int) -> range:
        """The positions of the rows that are shown together with a segment; the first ones if it is not listed."""
        start = (self.position(number) or 0) // ROWS_SHOWN * ROWS_SHOWN
        return range(start, min(start + ROWS_SHOWN, len(self)))


def systems_best_first(view: View, metric: str) -> tuple[str, ...]:
    """The compared systems by the metric of that key, the best first; summed once, as a long text takes a while."""
    sums = score_systems(view, metric).sums
    return _best_first(view.scope, sums, view.compared.systems, view.not_ranked)


@session.cached("Scoring", "systems")
def _best_first(_: Progress, sums: Sums, compared: tuple[str, ...], not_ranked: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in ScoresInOrder(sums.scored, not_ranked).ordered_systems() if name in compared)


def segments_of(view: View, metric: str, systems: tuple[str, ...]) -> SegmentsRead:
    """All segments of one or two compared systems.

    Args:
        view: the data and settings.
        metric: its key.
        systems: the system, and the baseline if there is one.
    """
    ratings = ratings_or_none(view)
    sums = sums_under(view, metric).select(systems)
    evaluation = view.compared.select(systems)
    judgments = None if ratings is None else ratings.judgments
    # Other data may have the same text under other numbers.
    return _read(view.scope, view.workspace.corpus, evaluation, sums, chosen=view.slice, judgments=judgments)


@session.cached("Leaving out each segment", "segments")
def _read(
    _: Progress,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    sums: Sums,
    *,
    chosen: Slice | None,
    judgments: Judgments | None,
) -> SegmentsRead:
    systems, scored = evaluation.systems, sums.scored
    scores = segment_scores(evaluation, scored)
    differs = np.zeros(evaluation.segments, np.bool_)
    if systems[1:]:
        pairs = zip(*(corpus.systems[name] for name in systems), strict=True)
        differs = np.fromiter((one != other for one, other in pairs), np.bool_, evaluation.segments)
    influence = influence_of(scored.statistics)
    means, ranges = _rated(judgments, systems, evaluation.segments)
    numbers = range(1, evaluation.segments + 1) if chosen is None else chosen.numbers
    found = SegmentsRead(
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
        remaining=_remaining(scored.statistics, influence),
    )
    for values in (
        found.numbers,
        found.influence,
        found.scores,
        found.reference_lengths,
        found.differs,
        found.ranges,
    ):
        values.flags.writeable = False
    return found


def outputs_of_all(view: View, metric: str, first: tuple[str, ...]) -> OutputNumbers:
    """The numbers of single outputs of all compared systems.

    Args:
        view: the data and settings.
        metric: its key.
        first: systems that come first; the others follow, the best one first.
    """
    systems = (*first, *(name for name in systems_best_first(view, metric) if name not in first))
    ratings = ratings_or_none(view)
    judgments = None if ratings is None else ratings.judgments
    return _outputs(view.scope, view.compared.select(systems), sums_under(view, metric).select(systems), judgments)


@session.cached("Scoring each segment", "segments")
def _outputs(_: Progress, evaluation: BleuEvaluation, sums: Sums, judgments: Judgments | None) -> OutputNumbers:
    scores = segment_scores(evaluation, sums.scored)
    scores.flags.writeable = False
    return OutputNumbers(
        systems=evaluation.systems,
        scores=scores,
        lengths=evaluation.stats.hypothesis_lengths,
        ratings=_rated(judgments, evaluation.systems, evaluation.segments)[0],
    )


def segments_by_lead(
    view: View, metric: str, pair: Comparison, first: Collection[int] = ()
) -> tuple[SegmentsRead, SegmentList]:
    """The segments of two systems by what they add to the lead, those that add most first.

    Args:
        view: the data and settings.
        metric: its key.
        pair: the two systems.
        first: positions of segments, from 0, that come before all others.
    """
    read = segments_of(view, metric, (pair.system, pair.baseline))
    leads = (pair.delta > 0) == read.metric.higher_is_better
    places = read.listed("gain" if leads else "loss").places
    chosen = np.isin(places, list(first))
    return read, SegmentList(np.concatenate([places[chosen], places[~chosen]]), read.numbers)


def find_segments(view: View, search: TextSearch) -> Mask | str:
    """(S,) whether each segment's source, references or outputs contain a text; else why that is unknown."""
    return _holding(view.scope, view.workspace.corpus, view.evaluation.systems, search)


@session.cached("Searching the text", "texts", typed=True)
def _holding(progress: Progress, corpus: Corpus, systems: tuple[str, ...], search: TextSearch) -> Mask | str:
    try:
        found = find_text(corpus, search, systems=systems, progress=progress)
    except BleuCoreError as error:
        return str(error)  # which is kept, too: the search would take as long again
    found.flags.writeable = False
    return found


def influence_of(table: SegmentStatistics) -> Floats:
    """(S,) of a system, or of the difference of two; NaN where there is one segment only."""
    found = influences(table)
    if table.systems[1:]:
        return found.between(*table.systems).values
    change = found.scores[0] - found.without[0]
    return change if table.higher_is_better else 0 - change


def by_influence(influence: Floats) -> Integers:
    """(S,) the positions of the segments by their influence, those most in favour of the system first."""
    return np.argsort(-influence, kind="stable")


def ranked(influence: Floats, first: int, last: int) -> Mask:
    """(S,) whether a segment has one of these ranks by influence, from 1, both included."""
    found = np.zeros(len(influence), np.bool_)
    found[by_influence(influence)[first - 1 : last]] = True
    return found


def _remaining(table: SegmentStatistics, influence: Floats) -> tuple[float, ...] | None:
    """The corpus scores without the segments that add most to the lead, or lower the only system's score most."""
    if table.segments <= N_LARGEST:
        return None
    sums = table.sums()
    scores = table.score(sums)
    sign = 1 if table.higher_is_better else -1
    leads = len(scores) > 1 and sign * (scores[0] - scores[1]) > 0
    largest = np.argsort(-influence if leads else influence, kind="stable")[:N_LARGEST]
    return tuple(table.score(sums - table.values[:, largest].sum(axis=1)).tolist())


def _first_lengths(lengths: Integers) -> Integers:
    """(R, S) lengths, negative where absent -> (S,) those of the first reference that a segment has."""
    first = (lengths >= 0).argmax(axis=0)
    return np.take_along_axis(lengths, first[None], axis=0)[0]


def _rated(judgments: Judgments | None, systems: tuple[str, ...], segments: int) -> tuple[Floats | None, Floats]:
    """Mean ratings, if there are any, and how far judges are apart."""
    nothing = np.full(segments, np.nan)
    if judgments is None:
        return None, nothing
    try:
        means = segment_ratings(judgments, systems, segments)
        ranges = rating_ranges(judgments, systems, segments)
    except BleuCoreError:
        return None, nothing
    if not np.isfinite(means).any():
        return None, nothing
    return means, np.fmax.reduce(ranges, axis=0)


def _disagreement(scores: Floats, ratings: Floats | None, *, higher_is_better: bool) -> Floats:
    """(S,) the distance between the percentiles of the score and the rating, or of both differences."""
    found = np.full(scores.shape[1], np.nan)
    if ratings is None:
        return found
    one, other = (values[:1] - values[1:] if len(values) > 1 else values for values in (scores, ratings))
    points = scatter(one, other, higher_is_better=higher_is_better)
    found[points.entry] = np.abs(points.x_percentile - points.y_percentile)
    return found
