"""Comparison of slices: systems and differences for each value of a label, and whether differences vary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers, read_only
from bleu_core.dataset import plural
from bleu_core.errors import SettingsError
from bleu_core.inference import (
    ALPHA,
    ENOUGH_UNITS,
    MIN_PERCENTILE_UNITS,
    MIN_UNITS,
    SEED,
    Blocks,
    Comparisons,
    Pair,
    Unit,
    adjust,
    check_draws,
    compare,
    document_blocks,
    number_of_draws,
)
from bleu_core.progress import Progress, offset_progress
from bleu_core.scoring import SegmentStatistics
from bleu_core.slicing.heterogeneity import TRIALS, Variation, variation

#: Minimum units per slice for the test of variation: with fewer, permutations are not informative about the variance.
MIN_PERMUTED_UNITS = 10


@dataclass(frozen=True, slots=True, eq=False)
class LabelSlice:
    """The segments that share a value of a label.

    Attributes:
        label: the value.
        mask: (S,) whether a segment has it.
        comparisons: of the pairs on these segments alone; p-values are corrected for the number of slices.
    """

    label: str
    mask: npt.NDArray[np.bool_]
    comparisons: Comparisons

    def __post_init__(self) -> None:
        object.__setattr__(self, "mask", read_only(self.mask))

    @property
    def segments(self) -> int:
        """The number of segments in the slice."""
        return self.comparisons.segments


@dataclass(frozen=True, slots=True, kw_only=True)
class SlicesCompared:
    """Systems compared on all segments and on every slice.

    Attributes:
        whole: comparisons of the pairs on all segments; p-values are corrected for the number of pairs.
        slices: L slices, one per label.
        unlabelled: segments without a value of the label, which are in no slice.
        variation: for each pair, the test of whether its difference varies between the slices.
        unit: over which labels are permuted.
        trials: permutations of the labels.
        warnings: in sentences.
    """

    whole: Comparisons
    slices: tuple[LabelSlice, ...]
    unlabelled: int
    variation: tuple[Variation, ...]
    unit: Unit
    trials: int
    warnings: tuple[str, ...] = ()

    def obstructed(self, obstacle: str) -> SlicesCompared:
        """Return the comparisons of systems that are not comparable, for which no difference is significant."""
        slices = tuple(replace(each, comparisons=replace(each.comparisons, obstacle=obstacle)) for each in self.slices)
        return replace(self, whole=replace(self.whole, obstacle=obstacle), slices=slices)

    @property
    def resamples(self) -> int:
        """Resamples of each slice of 100 units or more; 0 if no slice has as many."""
        return max(part.comparisons.resamples for part in self.slices)

    @property
    def tested_by(self) -> str:
        """The test of differences on each slice, in words."""
        unit = self.slices[0].comparisons.unit
        if not self.resamples:
            return f"the jackknife over its {unit}s with Student's t"
        drawn = f"paired bootstrap resampling (Koehn, 2004; {self.resamples:,} resamples of its {unit}s)"
        if all(part.comparisons.resamples for part in self.slices):
            return drawn
        return f"{drawn}, or the jackknife with Student's t where it has fewer than {MIN_PERCENTILE_UNITS} {unit}s"


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceTests:
    """How systems are compared on slices.

    Attributes:
        whole_documents: whether the bootstrap draws documents, not segments. If every slice is a single document,
            segments of slices are drawn nevertheless.
        resamples: of the bootstrap; 10,000 if None.
        trials: permutations of the labels.
        seed: of all draws.
        alpha: level of significance, a fraction.
    """

    whole_documents: bool = False
    resamples: int | None = None
    trials: int = TRIALS
    seed: int = SEED
    alpha: float = ALPHA


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Plan:
    """What is compared.

    Attributes:
        statistics: of all systems.
        pairs: indices of a system and its baseline.
        names: L labels.
        codes: (S,) the number of each segment's label; -1 if it has none.
        documents: of all segments, if known.
        tests: how it is compared.
        draws: resamples of the bootstrap.
        progress: called with the draws done and their total.
    """

    statistics: SegmentStatistics
    pairs: Sequence[Pair]
    names: tuple[str, ...]
    codes: Integers
    documents: Blocks | None
    tests: SliceTests
    draws: int
    progress: Progress | None

    @property
    def total(self) -> int:
        """The number of all draws."""
        return self.draws * (1 + len(self.names)) + self.tests.trials

    @property
    def groups(self) -> Blocks | None:
        """The documents that are drawn; None if segments are."""
        return self.documents if self.tests.whole_documents else None

    def compare_whole(self) -> Comparisons:
        """Compare the pairs on all segments."""
        return compare(
            self.statistics,
            self.pairs,
            groups=self.groups,
            resamples=self.draws,
            seed=self.tests.seed,
            alpha=self.tests.alpha,
            progress=offset_progress(self.progress, 0, self.total),
        )

    def compare_slice(self, code: int) -> Comparisons:
        """Compare the pairs on a slice, without correction of p-values."""
        mask, groups = self.codes == code, self.groups
        if groups is not None and _parts(self.codes, groups) == len(self.names):
            groups = None
        return compare(
            replace(self.statistics, values=self.statistics.values[:, mask]),
            self.pairs,
            groups=None if groups is None else groups.subset(np.flatnonzero(mask).tolist()),
            resamples=self.draws,
            seed=self.tests.seed,
            correction="none",
            alpha=self.tests.alpha,
            progress=offset_progress(self.progress, (1 + code) * self.draws, self.total),
        )

    def test_variation(self) -> tuple[Unit, tuple[Variation, ...]]:
        """Test for each pair whether its difference varies between slices, and return the permuted unit, too."""
        known = self.codes >= 0
        labelled, codes = replace(self.statistics, values=self.statistics.values[:, known]), self.codes[known]
        unit: Unit = "segment"
        if self.documents is not None:
            documents = self.documents.subset(np.flatnonzero(known).tolist())
            if _parts(codes, documents) == len(documents.names) > len(self.names):  # each document has one label
                document_codes = np.zeros(len(documents.names), np.int64)
                document_codes[documents.labels] = codes
                labelled, codes, unit = labelled.grouped(documents.labels), document_codes, "document"
        reason = self._untestable(np.bincount(codes, minlength=len(self.names)), unit)
        if reason:
            systems, nan = self.statistics.systems, math.nan
            return unit, tuple(
                Variation(system=systems[k], baseline=systems[b], q=nan, p_value=nan, reason=reason)
                for k, b in self.pairs
            )
        trials, seed = self.tests.trials, self.tests.seed
        progress = offset_progress(self.progress, self.total - trials, self.total)
        return unit, variation(labelled, codes, self.pairs, trials=trials, seed=seed, progress=progress)

    def _untestable(self, sizes: Integers, unit: Unit) -> str:
        """Return why variation cannot be tested, given the number of units of each slice; empty if it can."""
        if len(self.names) == 1:
            return "only one slice"
        smallest = int(sizes.argmin())
        if sizes[smallest] >= MIN_PERMUTED_UNITS:
            return ""
        count = f"{sizes[smallest]} {plural(int(sizes[smallest]), unit)}"
        return f"{self.names[smallest]} has {count}, at least {MIN_PERMUTED_UNITS} per slice expected"


def compare_slices(
    statistics: SegmentStatistics,
    labels: Sequence[str],
    pairs: Sequence[Pair],
    *,
    order: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    tests: SliceTests = SliceTests(),  # frozen
    progress: Progress | None = None,
) -> SlicesCompared:
    """Compare systems on all segments and on every slice, and test whether their differences vary between slices.

    Each slice is compared like a whole text, by the paired bootstrap, or by the jackknife if it has few units (see
    compare). The p-values of a pair are corrected for the number of slices by Holm's method.

    Variation is tested by permuting the labels at the level at which they vary: over documents if each document has
    one label and there are more documents than labels, else over segments. It is not tested if a slice has fewer than
    10 such units, or if there is only one slice.

    Args:
        statistics: of all systems.
        labels: S values of the label; a segment whose value is empty is in no slice.
        pairs: indices of a system and its baseline.
        order: the labels in the order of the slices; that of their first segments if None.
        documents: the document of each segment, if known.
        tests: how they are compared.
        progress: called repeatedly with the draws done and their total.

    Raises:
        SettingsError: a number is out of its range, or no segment has a label.
        ValueError: the number of labels, or of documents, is not S.
    """
    if len(labels) != statistics.segments or (documents is not None and len(documents) != statistics.segments):
        raise ValueError(f"one label and one document expected for each of {statistics.segments} segments")
    check_draws(tests.seed, resamples=tests.resamples, trials=tests.trials)  # before any work is done
    known = dict.fromkeys(label for label in labels if label)
    names = tuple(known if order is None else order)
    if not names:
        raise SettingsError("no segment has a label, at least 1 expected")
    if set(names) != set(known):
        raise ValueError(f"an order of {', '.join(names)} found, one of {', '.join(known)} expected")
    position = {name: code for code, name in enumerate(names)}
    codes = np.array([position.get(label, -1) for label in labels], np.int64)
    draws, _ = number_of_draws("bootstrap", resamples=tests.resamples)
    plan = _Plan(
        statistics=statistics,
        pairs=pairs,
        names=names,
        codes=codes,
        documents=None if documents is None else document_blocks(documents),
        tests=tests,
        draws=draws,
        progress=progress,
    )
    whole = plan.compare_whole()
    uncorrected = [plan.compare_slice(code) for code in range(len(names))]
    unit, variations = plan.test_variation()
    slices = tuple(
        LabelSlice(name, codes == code, comparisons)
        for code, (name, comparisons) in enumerate(zip(names, _corrected(uncorrected), strict=True))
    )
    unlabelled = int((codes < 0).sum())
    return SlicesCompared(
        whole=whole,
        slices=slices,
        unlabelled=unlabelled,
        variation=variations,
        unit=unit,
        trials=tests.trials,
        warnings=(*whole.warnings, *_warnings(slices, unlabelled)),
    )


def _corrected(by_slice: Sequence[Comparisons]) -> list[Comparisons]:
    """Correct the p-values of each pair for the number of slices."""
    p_values = np.array([[pair.p_value for pair in comparisons.pairs] for comparisons in by_slice])  # (L, P)
    adjusted = [adjust(p_values_of_pair) for p_values_of_pair in p_values.T]
    return [
        replace(
            comparisons,
            correction="holm",
            family=f"{len(by_slice):,} {plural(len(by_slice), 'slice')}",
            pairs=tuple(
                # A bound or an approximation keeps its type.
                replace(pair, p_value_adjusted=type(pair.p_value)(adjusted[p][n]))
                for p, pair in enumerate(comparisons.pairs)
            ),
        )
        for n, comparisons in enumerate(by_slice)
    ]


def _parts(codes: Integers, documents: Blocks) -> int:
    """Return the number of distinct pairs of slice and document among the segments with a label."""
    known = codes >= 0
    return np.unique(np.stack([codes[known], documents.labels[known]]), axis=1).shape[1]


def _warnings(slices: Sequence[LabelSlice], unlabelled: int) -> tuple[str, ...]:
    """Return warnings about the slices."""
    warnings: list[str] = []
    if unlabelled:
        warnings.append(f"{unlabelled:,} {plural(unlabelled, 'segment')} without a label found, left out of all slices")
    small_slices = sum(part.comparisons.units < ENOUGH_UNITS for part in slices)
    if small_slices:
        warnings.append(
            f"{small_slices:,} of {len(slices):,} {plural(len(slices), 'slice')} with fewer than {ENOUGH_UNITS} units "
            f"found: their intervals and p-values are rough, and with fewer than {MIN_UNITS} there are none"
        )
    return tuple(warnings)
