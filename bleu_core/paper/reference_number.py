"""How many references are needed: Papineni et al. (2002), section 3.

BLEU by number of references, over every subset of them; and the single-reference experiment, in which a corpus gets
one reference a document, drawn at random. For that each reference is counted once, by itself: a draw only picks, for
each document, the sums of the reference drawn, which is another W over the same table.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, worst_first
from bleu_core.dataset import Corpus, first_without_reference
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import BATCH_CELLS, DECIMALS, SEED, Blocks, check_draws, document_blocks, equal_blocks
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import BleuEvaluation, BleuSettings, SegmentStatistics, bleu_statistics, count_ngrams, evaluate

#: Of more subsets of one size so many are drawn: each is counted anew.
SUBSETS = 30

#: Draws of the single-reference experiment.
DRAWS = 1000


@dataclass(frozen=True, slots=True)
class ReferenceNumber:
    """BLEU of K systems with one number of references.

    Attributes:
        number: of references.
        subsets: n times the names of the references.
        possible: how many subsets there are; more than n where some were not drawn or leave a segment without any.
        scores: (n, K) points.
    """

    number: int
    subsets: tuple[tuple[str, ...], ...]
    possible: int
    scores: Floats

    @property
    def means(self) -> Floats:
        """(K,) over the subsets, points."""
        return self.scores.mean(axis=0)

    @property
    def lows(self) -> Floats:
        """(K,) the least, points."""
        return self.scores.min(axis=0)

    @property
    def highs(self) -> Floats:
        """(K,) the greatest, points."""
        return self.scores.max(axis=0)


@dataclass(frozen=True, slots=True)
class ReferenceNumbers:
    """BLEU by number of references.

    Attributes:
        systems: K names.
        references: R names.
        numbers: for 1 to R; a number is left out where each of its subsets leaves some segment without a reference.
        seed: of the subsets drawn where there are too many.
    """

    systems: tuple[str, ...]
    references: tuple[str, ...]
    numbers: tuple[ReferenceNumber, ...]
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleReference:
    """The single-reference experiment.

    Attributes:
        systems: K names by BLEU against all references, in the reverse of best_first.
        references: R names.
        all_references: (K,) BLEU against all of them, points.
        alone: (R, K) BLEU against each of them alone, points; NaN where it lacks a segment.
        unit: what gets one reference.
        units: how many.
        reason: why the unit is not the document, else empty.
        seed: of the draws.
        scores: (draws, K) points.
    """

    systems: tuple[str, ...]
    references: tuple[str, ...]
    all_references: Floats
    alone: Floats
    unit: str
    units: int
    reason: str
    seed: int
    scores: Floats

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """(draws, K - 1) whether each system scores above its left neighbour, or as it does with all references."""
        return _order_kept(self.scores, self.all_references)

    @property
    def neighbours_kept(self) -> Floats:
        """(K - 1,) in which share of the draws each system keeps its place above the neighbour, a fraction."""
        return self.kept.mean(axis=0)

    @property
    def order_kept(self) -> float:
        """In which share of the draws all do, a fraction; NaN for a single system."""
        return float(self.kept.all(axis=1).mean()) if len(self.systems) > 1 else math.nan


class ReferenceSets:
    """A corpus evaluated against sets of its references, each set counted once.

    Of other sets than a single reference, all of them, and those counted up to more orders, nothing is kept: they are
    asked for once, and there may be many.
    """

    def __init__(
        self, corpus: Corpus, settings: BleuSettings, *, counts: int = 1, progress: Progress | None = None
    ) -> None:
        """Count nothing yet.

        Args:
            corpus: K systems and R references.
            settings: what is chosen.
            counts: how many sets will be asked for.
            progress: told, now and then, how many segments of how many are counted, over all sets.
        """
        self._corpus, self._settings = corpus, settings
        self._kept: dict[tuple[str, ...], BleuEvaluation] = {}
        self._counts, self._done, self._progress = counts, 0, progress

    def against(self, references: Sequence[str], *, counted_order: int | None = None) -> BleuEvaluation:
        """Evaluate against some references; errors and counted_order are those of evaluate."""
        names = tuple(references)
        found = self._kept.get(names)
        if found is None:
            found = evaluate(
                self._corpus, self._settings, references=names, counted_order=counted_order, progress=self._told()
            )
            self._done += 1
            if len(names) in (1, len(self._corpus.references)) or counted_order:
                self._kept[names] = found
        return found

    def alone(self, name: str) -> SegmentStatistics:
        """T against one reference; a segment that it lacks has no match and no reference length."""
        texts = self._corpus.references[name]
        if None not in texts:
            return self.against([name]).statistics
        stats = count_ngrams(
            self._corpus.systems,
            {name: texts},
            counting=self._settings.counting,
            max_order=self._settings.max_order,
            progress=self._told(),
        )
        self._done += 1
        return bleu_statistics(stats, self._settings)

    def _told(self) -> Progress | None:
        """Counts the next set of references."""
        segments = self._corpus.segments
        return offset_progress(self._progress, self._done * segments, self._counts * segments)


def reference_subsets(
    corpus: Corpus, *, most: int = SUBSETS, seed: int = SEED
) -> Mapping[int, tuple[tuple[str, ...], ...]]:
    """The subsets of each size that leave no segment without a reference; of a size with more than most, some drawn.

    Raises:
        SettingsError: none is asked for.
    """
    if most < 1:
        raise SettingsError(f"{most} subsets found, at least 1 expected")
    generator = np.random.default_rng(seed)
    return {n: _subsets(corpus, n, most, generator) for n in range(1, len(corpus.references) + 1)}


def scores_by_number(
    corpus: Corpus,
    settings: BleuSettings,
    *,
    most: int = SUBSETS,
    seed: int = SEED,
    progress: Progress | None = None,
    evaluations: ReferenceSets | None = None,
) -> ReferenceNumbers:
    """Score against every subset of the references.

    Args:
        corpus: K systems and R references.
        settings: what is chosen.
        most: subsets of a size that are counted; of more, so many are drawn.
        seed: of those draws.
        progress: told, now and then, how many segments of all subsets' are done.
        evaluations: of these systems and maybe others, under the same settings, to take what is counted from; it
            tells its own progress.

    Raises:
        AlignmentError: there is no system or no reference.
        SettingsError: the tokeniser lacks what it needs, or no subset is asked for.
    """
    _need_texts(corpus)
    names, systems = tuple(corpus.references), tuple(corpus.systems)
    chosen = reference_subsets(corpus, most=most, seed=seed)
    if evaluations is None:
        counts = sum(map(len, chosen.values()))
        evaluations = ReferenceSets(corpus, settings, counts=counts, progress=progress)
    numbers = tuple(
        ReferenceNumber(
            number,
            subsets,
            math.comb(len(names), number),
            np.array([evaluations.against(subset).select(systems).scores.score for subset in subsets]),
        )
        for number, subsets in chosen.items()
        if subsets
    )
    return ReferenceNumbers(systems, names, numbers, seed)


def single_reference(
    corpus: Corpus,
    settings: BleuSettings,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
    progress: Progress | None = None,
    drawing: Progress | None = None,
    evaluations: ReferenceSets | None = None,
) -> SingleReference:
    """Draw one reference a document, or a segment where there are no documents, and see whether the order holds.

    A document gets one of the references that have all of its segments. Where one has no such reference, segments are
    drawn for instead.

    Args:
        corpus: K systems and R references.
        settings: what is chosen.
        draws: how many.
        seed: of the draws.
        progress: told, now and then, how many segments of how many are counted.
        drawing: told, now and then, how many draws of how many are made.
        evaluations: as of scores_by_number.

    Raises:
        AlignmentError: there is no system or no reference, or a segment has none.
        SettingsError: the tokeniser lacks what it needs, or no draw is asked for.
    """
    _need_texts(corpus)
    check_draws(seed, draws=draws)
    names = tuple(corpus.references)
    if evaluations is None:
        counts = len({names, *((name,) for name in names)})
        evaluations = ReferenceSets(corpus, settings, counts=counts, progress=progress)
    whole = evaluations.against(names).select(tuple(corpus.systems)).scores.score
    loaded = tuple(corpus.systems)
    order = list(worst_first(loaded, whole.round(DECIMALS)))
    systems = tuple(loaded[k] for k in order)
    tables = [evaluations.alone(name).select(systems) for name in names]
    absent = np.array([[text is None for text in texts] for texts in corpus.references.values()])
    units, reason = _units(corpus, absent)
    complete = np.stack([np.bincount(units.labels, weights=row, minlength=len(units.names)) == 0 for row in absent])
    # Rows are units by reference, so that a draw is a row of W with a one for each unit.
    of_units = np.stack([t.sums_by_label(units.labels) for t in tables], axis=2)
    stacked = of_units.reshape(len(systems), -1, of_units.shape[-1])
    drawable = replace(tables[0], values=stacked.astype(np.float64))
    scores: list[Floats] = []
    for weights in _draws(complete, draws, seed):
        scores.append(drawable.score(drawable.weighted_sums(weights)).T)
        if drawing:
            drawing(sum(map(len, scores)), draws)
    alone = np.array([t.score(t.sums()) for t in tables])
    alone[absent.any(axis=1)] = np.nan
    return SingleReference(
        systems=systems,
        references=names,
        all_references=whole[order],
        alone=alone,
        unit=units.unit if not reason else "segment",
        units=len(units.names),
        reason=reason,
        seed=seed,
        scores=np.concatenate(scores),
    )


def _units(corpus: Corpus, absent: npt.NDArray[np.bool_]) -> tuple[Blocks, str]:
    """What gets a reference, and why it is not the document."""
    segments = equal_blocks(corpus.segments, corpus.segments)
    if corpus.documents is None:
        return segments, "no documents"
    documents = document_blocks(corpus.documents)
    lacking = np.stack([np.bincount(documents.labels, weights=row, minlength=len(documents.names)) for row in absent])
    split = np.flatnonzero((lacking > 0).all(axis=0))
    if len(split):
        return segments, f"no reference has the whole document {documents.names[split[0]]}"
    return documents, ""


def _draws(complete: npt.NDArray[np.bool_], draws: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """W in batches: (rows, units * R), a one for the reference drawn of each unit.

    Args:
        complete: (R, units) which references can be drawn.
        draws: rows of all batches.
        seed: of NumPy's default generator; the draws are the same whatever the batch.
    """
    references, units = complete.shape
    choices = complete.sum(axis=0)
    # Of each unit first the references that can be drawn, then the others.
    ordered: npt.NDArray[np.int64] = np.asarray(np.argsort(~complete, axis=0, kind="stable"), np.int64)
    places = np.arange(units, dtype=np.int64)
    generator = np.random.default_rng(seed)
    size = max(1, BATCH_CELLS // (units * references))
    for first in range(0, draws, size):
        rows = min(size, draws - first)
        drawn = (generator.random((rows, units)) * choices).astype(np.int64)
        columns = places * references + ordered[drawn, places]
        weights = np.zeros((rows, units * references), np.int64)
        np.put_along_axis(weights, columns, 1, axis=1)
        yield weights


def _order_kept(scores: Floats, whole: Floats) -> npt.NDArray[np.bool_]:
    """(draws, K - 1) whether neighbours differ in the same direction; a tie must stay a tie."""
    return np.sign(np.diff(scores.round(DECIMALS), axis=1)) == np.sign(np.diff(whole.round(DECIMALS)))


def _subsets(corpus: Corpus, number: int, most: int, generator: np.random.Generator) -> tuple[tuple[str, ...], ...]:
    """Subsets of one size that leave no segment without a reference, at most so many."""
    names = tuple(corpus.references)
    if math.comb(len(names), number) <= most:
        found = list(combinations(names, number))
    else:
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < most:
            drawn[tuple(sorted(generator.choice(len(names), number, replace=False).tolist()))] = None
        found = [tuple(names[i] for i in subset) for subset in drawn]
    return tuple(s for s in found if not first_without_reference([corpus.references[name] for name in s]))


def _need_texts(corpus: Corpus) -> None:
    if not corpus.systems:
        raise AlignmentError("no system found, at least 1 expected; add the output of a system")
    if not corpus.references:
        raise AlignmentError("no reference found, at least 1 expected; add a reference translation")
