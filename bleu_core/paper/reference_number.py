"""BLEU by number of references: Papineni et al. (2002), section 3.

BLEU is computed for every subset of the references; and in the single-reference experiment, a corpus gets one random
reference per document. For the experiment each reference is counted once: a draw selects the sums of one reference per
document, so that it is a row of weights over a table of all documents and references.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, worst_first
from bleu_core.dataset import Corpus, first_without_reference
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.fields import SYSTEM, derived, field, result, rows_of
from bleu_core.inference import BATCH_CELLS, DECIMALS, SEED, Blocks, check_draws, document_blocks, equal_blocks
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import BleuEvaluation, BleuSettings, SegmentStatistics, bleu_statistics, count_ngrams, evaluate

#: Maximum number of subsets of one size; more are sampled, as each has to be counted.
MAX_SUBSETS = 30

#: Number of draws of the single-reference experiment.
DRAWS = 1000


@result
class BleuRange:
    """BLEU of a system over several sets of references."""

    system: str = field(SYSTEM)
    mean: float = field("points", "Mean BLEU over the sets of references.")
    low: float = field("points", "Lowest BLEU over the sets of references.")
    high: float = field("points", "Highest BLEU over the sets of references.")


@result
class ReferenceNumber:
    """BLEU of K systems with one number of references.

    Attributes:
        systems: K names.
        possible: number of all subsets; above n if some were not drawn, or leave a segment without a reference.
        scores: (n, K) against each of n subsets, points.
    """

    systems: tuple[str, ...]
    number: int = field("count", "Number of references.", key="references")
    subsets: tuple[tuple[str, ...], ...] = field("object", "Sets of references that were used.", key="sets")
    possible: int = field("count", "Number of possible sets of this size.", key="possible_sets")
    scores: Floats

    @derived("object", "BLEU by system.", key="systems")
    def by_system(self) -> tuple[BleuRange, ...]:
        """Mean and range of each system's BLEU over the subsets."""
        return rows_of(
            BleuRange,
            system=self.systems,
            mean=self.scores.mean(axis=0),
            low=self.scores.min(axis=0),
            high=self.scores.max(axis=0),
        )


@result
class SystemDraws:
    """Scores of a system against single references."""

    system: str = field(SYSTEM)
    all_references: float = field("points", "BLEU against all references.")
    mean: float = field("points", "Mean BLEU over the draws.")
    low: float = field("points", "Lowest BLEU over the draws.")
    high: float = field("points", "Highest BLEU over the draws.")
    alone: tuple[float, ...] = field(
        "points", "BLEU against each single reference.", only="json", undefined="the reference lacks segments"
    )


@result
class SingleReference:
    """Results of the single-reference experiment.

    Attributes:
        systems: K names by BLEU against all references, in the reverse of best_first.
        references: R names.
        all_references: (K,) BLEU against all references, points.
        alone: (R, K) BLEU against each single reference, points; NaN if it lacks a segment.
        reason: why the unit is not the document; empty if it is.
        scores: (draws, K) points.
    """

    systems: tuple[str, ...]
    references: tuple[str, ...]
    all_references: Floats
    alone: Floats
    unit: str = field("text", "Unit for which one reference is drawn: document or segment.")
    units: int = field("count", "Number of units.")
    reason: str
    seed: int = field("count", "Seed of the draws.")
    scores: Floats = field("count", "Number of draws.", key="draws", part=len)

    @derived("object", "BLEU by system, lowest first.", key="systems")
    def by_system(self) -> tuple[SystemDraws, ...]:
        """The scores of each system."""
        return rows_of(
            SystemDraws,
            system=self.systems,
            all_references=self.all_references,
            mean=[float(column.mean()) for column in self.scores.T],
            low=self.scores.min(axis=0),
            high=self.scores.max(axis=0),
            alone=map(tuple, self.alone.T.tolist()),
        )

    @derived("text", "Why references are not drawn per document.")
    def why_unit(self) -> str | None:
        """Why the unit is not the document; None if it is."""
        return self.reason or None

    @property
    def kept(self) -> npt.NDArray[np.bool_]:
        """Whether neighbours keep their order with all references, including ties, (draws, K - 1)."""
        return _order_kept(self.scores, self.all_references)

    @derived(
        "fraction",
        "Share of the draws in which each system and the one before it keep the order that they have with all "
        "references.",
    )
    def neighbours_kept(self) -> Floats:
        """The fraction of draws (K - 1,) in which each pair of neighbours keeps its order."""
        return self.kept.mean(axis=0)

    @derived(
        "fraction",
        "Share of the draws in which all systems keep their order.",
        undefined="1 system, at least 2 needed",
    )
    def order_kept(self) -> float:
        """The fraction of draws in which all neighbours keep their order; NaN for a single system."""
        return float(self.kept.all(axis=1).mean()) if len(self.systems) > 1 else math.nan


class ReferenceSets:
    """Evaluations of a corpus against sets of its references.

    Only evaluations against single references, against all references and with additional orders are cached: others
    are needed once, and there may be many.
    """

    def __init__(
        self, corpus: Corpus, settings: BleuSettings, *, counts: int = 1, progress: Progress | None = None
    ) -> None:
        """Prepare the evaluations, without counting.

        Args:
            corpus: K systems and R references.
            settings: of BLEU.
            counts: expected number of sets, for the progress.
            progress: called with the number of counted segments and the number of all, over all sets.
        """
        self._corpus, self._settings = corpus, settings
        self._cached: dict[tuple[str, ...], BleuEvaluation] = {}
        self._counts, self._done, self._progress = counts, 0, progress

    def against(self, references: Sequence[str], *, counted_order: int | None = None) -> BleuEvaluation:
        """Evaluate against some references; errors and counted_order as in evaluate."""
        names = tuple(references)
        evaluation = self._cached.get(names)
        if evaluation is None:
            evaluation = evaluate(
                self._corpus,
                self._settings,
                references=names,
                counted_order=counted_order,
                progress=self._next_progress(),
            )
            self._done += 1
            if len(names) in (1, len(self._corpus.references)) or counted_order:
                self._cached[names] = evaluation
        return evaluation

    def alone(self, name: str) -> SegmentStatistics:
        """Return the sums against one reference; segments that it lacks have no matches and no reference length."""
        texts = self._corpus.references[name]
        if None not in texts:
            return self.against([name]).statistics
        stats = count_ngrams(
            self._corpus.systems,
            {name: texts},
            counting=self._settings.counting,
            max_order=self._settings.max_order,
            progress=self._next_progress(),
        )
        self._done += 1
        return bleu_statistics(stats, self._settings)

    def _next_progress(self) -> Progress | None:
        """Return the progress callback for the next set of references."""
        segments = self._corpus.segments
        return offset_progress(self._progress, self._done * segments, self._counts * segments)


def reference_subsets(
    corpus: Corpus, *, max_subsets: int = MAX_SUBSETS, seed: int = SEED
) -> Mapping[int, tuple[tuple[str, ...], ...]]:
    """Return the subsets of each size with a reference for every segment, sampled if there are too many.

    Raises:
        SettingsError: the maximum number of subsets is below 1.
    """
    if max_subsets < 1:
        raise SettingsError(f"{max_subsets} subsets found, at least 1 expected")
    generator = np.random.default_rng(seed)
    return {n: _subsets(corpus, n, max_subsets, generator) for n in range(1, len(corpus.references) + 1)}


def scores_by_number(
    corpus: Corpus, evaluations: ReferenceSets, subsets: Mapping[int, Sequence[tuple[str, ...]]]
) -> tuple[ReferenceNumber, ...]:
    """Score against subsets of the references.

    Args:
        corpus: K systems and R references.
        evaluations: of these and possibly other systems against sets of these references.
        subsets: of each size; sizes without any are omitted.

    Raises:
        AlignmentError: there is no system or no reference.
        SettingsError: the tokeniser is not available.
    """
    _check_texts(corpus)
    systems = tuple(corpus.systems)
    return tuple(
        ReferenceNumber(
            systems=systems,
            number=number,
            subsets=tuple(of_size),
            possible=math.comb(len(corpus.references), number),
            scores=np.array([evaluations.against(subset).select(systems).scores.score for subset in of_size]),
        )
        for number, of_size in subsets.items()
        if of_size
    )


def single_reference(
    corpus: Corpus,
    evaluations: ReferenceSets,
    *,
    draws: int = DRAWS,
    seed: int = SEED,
    drawing: Progress | None = None,
) -> SingleReference:
    """Draw one reference per document, or per segment without documents, and test whether the order is kept.

    A document gets one of the references that have all of its segments. If a document has no such reference, references
    are drawn per segment instead.

    Args:
        corpus: K systems and R references.
        evaluations: as in scores_by_number.
        draws: number of draws.
        seed: of the draws.
        drawing: called with the number of draws made and the number of all.

    Raises:
        AlignmentError: there is no system or no reference, or a segment has none.
        SettingsError: the tokeniser is not available, or the number of draws is below 1.
    """
    _check_texts(corpus)
    check_draws(seed, draws=draws)
    names = tuple(corpus.references)
    all_references = evaluations.against(names).select(tuple(corpus.systems)).scores.score
    order = list(worst_first(tuple(corpus.systems), all_references.round(DECIMALS)))
    systems = tuple(tuple(corpus.systems)[k] for k in order)
    tables = [evaluations.alone(name).select(systems) for name in names]
    absent = np.array([[text is None for text in texts] for texts in corpus.references.values()])
    units, reason = _units(corpus, absent)
    complete = np.stack([np.bincount(units.labels, weights=row, minlength=len(units.names)) == 0 for row in absent])
    # Rows are pairs of unit and reference, so that a draw is a row of weights with a one per unit.
    unit_sums = np.stack([t.sums_by_label(units.labels) for t in tables], axis=2)
    stacked = unit_sums.reshape(len(systems), -1, unit_sums.shape[-1])
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
        all_references=all_references[order],
        alone=alone,
        unit=units.unit if not reason else "segment",
        units=len(units.names),
        reason=reason,
        seed=seed,
        scores=np.concatenate(scores),
    )


def _units(corpus: Corpus, absent: npt.NDArray[np.bool_]) -> tuple[Blocks, str]:
    """Return the units that get a reference, and why these are not documents."""
    segments = equal_blocks(corpus.segments, corpus.segments)
    if corpus.documents is None:
        return segments, "no documents"
    documents = document_blocks(corpus.documents)
    n_missing = np.stack([np.bincount(documents.labels, weights=row, minlength=len(documents.names)) for row in absent])
    without_reference = np.flatnonzero((n_missing > 0).all(axis=0))
    if len(without_reference):
        return segments, f"no reference has the whole document {documents.names[without_reference[0]]}"
    return documents, ""


def _draws(complete: npt.NDArray[np.bool_], draws: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield weights in batches, (rows, units * R), with a one for the reference drawn for each unit.

    Args:
        complete: (R, units) whether each reference has the whole unit.
        draws: number of rows of all batches.
        seed: of NumPy's default generator; the draws do not depend on the batch size.
    """
    references, units = complete.shape
    choices = complete.sum(axis=0)
    # Complete references first, for each unit.
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


def _order_kept(scores: Floats, all_references: Floats) -> npt.NDArray[np.bool_]:
    """Return whether neighbours differ in the same direction, (draws, K - 1); ties must remain ties."""
    return np.sign(np.diff(scores.round(DECIMALS), axis=1)) == np.sign(np.diff(all_references.round(DECIMALS)))


def _subsets(
    corpus: Corpus, number: int, max_subsets: int, generator: np.random.Generator
) -> tuple[tuple[str, ...], ...]:
    """Return subsets of one size with a reference for every segment, sampled if there are too many."""
    names = tuple(corpus.references)
    if math.comb(len(names), number) <= max_subsets:
        subsets = list(combinations(names, number))
    else:
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < max_subsets:
            drawn[tuple(sorted(generator.choice(len(names), number, replace=False).tolist()))] = None
        subsets = [tuple(names[i] for i in subset) for subset in drawn]
    return tuple(s for s in subsets if not first_without_reference([corpus.references[name] for name in s]))


def _check_texts(corpus: Corpus) -> None:
    if not corpus.systems:
        raise AlignmentError("no system found, at least 1 expected; add the output of a system")
    if not corpus.references:
        raise AlignmentError("no reference found, at least 1 expected; add a reference translation")
