"""Counts of a range of lines, and their addition to the counts of a longer range.

All counts are integers, so that sums do not depend on the order of addition or on the machine that counted.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, reduce
from operator import add
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.counts.bundles import Bundling
from bleu_core.counts.lines import Oddities
from bleu_core.counts.ranges import LineRange
from bleu_core.dataset import Identical, plural
from bleu_core.errors import AlignmentError, listed
from bleu_core.invocation import invocation
from bleu_core.scoring import (
    ABSENT,
    BleuSettings,
    Counting,
    NgramStats,
    Numbers,
    ReferenceLength,
    SegmentStatistics,
    bleu_statistics_of_sums,
    effective_reference_lengths,
)

IntegerArray = npt.NDArray[np.integer]

#: The columns of a bundle's sums before matches and totals: hypothesis length, and effective reference length by each
#: of these methods.
SUMMED_LENGTHS: tuple[ReferenceLength, ...] = ("closest", "shortest")
LENGTH_COLUMNS = 1 + len(SUMMED_LENGTHS)


@dataclass(frozen=True, slots=True)
class CountedText:
    """The name of a counted text, and the digest of all its lines."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The texts and the method of counting; only counts that agree in all of this can be added.

    Attributes:
        signature: signature of counting, in sacreBLEU's form, with the version of the tokenisers.
        counting: the tokeniser and the case.
        max_order: N, the maximum order of n-grams.
        systems: K texts.
        references: R texts.
        documents: the text with the document of each segment; None unless bundles are of documents.
        segments: S, the number of segments of the whole text.
        bundling: the bundles of segments; None for counts per segment.
    """

    signature: str
    counting: Counting
    max_order: int
    systems: tuple[CountedText, ...]
    references: tuple[CountedText, ...]
    documents: CountedText | None
    segments: int
    bundling: Bundling | None

    @property
    def texts(self) -> tuple[CountedText, ...]:
        """The systems, then the references."""
        return (*self.systems, *self.references)


@dataclass(frozen=True, slots=True, eq=False)
class SegmentCounts:
    """Counts of each of n segments, in the smallest integer types that hold them.

    Attributes:
        matches: (K, n, N).
        hypothesis_lengths: (K, n).
        reference_lengths: (R, n); ABSENT where there is no such reference.
    """

    matches: IntegerArray
    hypothesis_lengths: IntegerArray
    reference_lengths: IntegerArray

    @classmethod
    def of(cls, matches: Integers, hypothesis_lengths: Integers, reference_lengths: Integers) -> SegmentCounts:
        """Return the counts of a chunk."""
        return cls(*(smallest(array) for array in (matches, hypothesis_lengths, reference_lengths)))

    @classmethod
    def concatenate(cls, parts: Sequence[SegmentCounts]) -> SegmentCounts:
        """Concatenate the counts of consecutive ranges, given in order."""
        return cls(
            np.concatenate([part.matches for part in parts], axis=1),
            np.concatenate([part.hypothesis_lengths for part in parts], axis=1),
            np.concatenate([part.reference_lengths for part in parts], axis=1),
        )

    @property
    def segments(self) -> int:
        """n, the number of segments."""
        return self.matches.shape[1]

    def totals_of_systems(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return hypothesis length and matches per order of each system, over all segments."""
        lengths, matches = self.hypothesis_lengths.sum(axis=1), self.matches.sum(axis=1)
        return _by_system(lengths, matches)

    def stats(self, systems: Sequence[str]) -> NgramStats:
        """Return the counts as NgramStats."""
        return NgramStats(
            tuple(systems),
            self.matches.astype(np.int64),
            self.hypothesis_lengths.astype(np.int64),
            self.reference_lengths.astype(np.int64),
        )

    def bundled(self, labels: Integers, bundles: int) -> BundleCounts:
        """Return the sums of the counts in bundles.

        Args:
            labels: (n,) the bundle of each segment, from 0.
            bundles: B, the number of bundles.
        """
        stats = self.stats(tuple(str(k) for k in range(len(self.matches))))
        by_choice = [effective_reference_lengths(stats, choice).astype(np.int64) for choice in SUMMED_LENGTHS]
        lengths = [stats.hypothesis_lengths, *by_choice]
        columns = np.concatenate([np.stack(lengths, axis=-1), stats.matches, stats.totals], axis=-1)
        present = self.reference_lengths != ABSENT
        presence = present.sum(axis=0)
        summed_lengths = np.where(present, self.reference_lengths, 0).sum(axis=0)
        reference_counts = np.arange(len(self.reference_lengths) + 1)
        by_presence = presence[:, None] == reference_counts  # (n, R + 1)
        return BundleCounts(
            _summed(columns, labels, bundles),
            _summed((by_presence[:, 1:] * summed_lengths[:, None])[None], labels, bundles)[0],
            _summed(by_presence.astype(np.int64)[None], labels, bundles)[0],
        )


@dataclass(frozen=True, slots=True, eq=False)
class BundleCounts:
    """Sums of counts in B bundles.

    Attributes:
        sums: (K, B,LENGTH_COLUMNS + 2N): hypothesis length, closest and shortest reference length, matches, totals.
        lengths_by_presence: (B, R): the summed length of all references of segments that have 1, 2, ... references.
        segments_by_presence: (B, R + 1): the number of segments that have 0, 1, ... references.
    """

    sums: Integers
    lengths_by_presence: Integers
    segments_by_presence: Integers

    @property
    def segments(self) -> int:
        """Number of segments in all bundles."""
        return int(self.segments_by_presence.sum())

    @property
    def references_per_segment(self) -> int | None:
        """Number of references per segment; None if it varies."""
        reference_counts = np.flatnonzero(self.segments_by_presence.any(axis=0))
        return int(reference_counts[0]) if len(reference_counts) == 1 else None

    def __add__(self, other: BundleCounts) -> BundleCounts:
        return BundleCounts(
            self.sums + other.sums,
            self.lengths_by_presence + other.lengths_by_presence,
            self.segments_by_presence + other.segments_by_presence,
        )

    def totals_of_systems(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return hypothesis length and matches per order of each system, over all bundles."""
        sums = self.sums.sum(axis=1)
        return _by_system(sums[:, 0], sums[:, LENGTH_COLUMNS : LENGTH_COLUMNS + (sums.shape[1] - LENGTH_COLUMNS) // 2])

    def table(self, systems: Sequence[str], settings: BleuSettings) -> SegmentStatistics:
        """Return the table of sums with a row per bundle that has segments: (K, at most B, 2 + 2N).

        Args:
            systems: K names.
            settings: the settings of BLEU; max_order is N or less.
        """
        counted, order = (self.sums.shape[2] - LENGTH_COLUMNS) // 2, settings.max_order
        matches, totals = (
            self.sums[..., LENGTH_COLUMNS : LENGTH_COLUMNS + counted],
            self.sums[..., LENGTH_COLUMNS + counted :],
        )
        lengths = self._reference_lengths(settings)[..., None]
        columns = (self.sums[..., :1], lengths, matches[..., :order], totals[..., :order])
        filled = self.segments_by_presence.any(axis=1)
        sums = np.concatenate(columns, axis=-1)[:, filled]
        return bleu_statistics_of_sums(systems, sums, settings, bundled=self.segments)

    def _reference_lengths(self, settings: BleuSettings) -> Numbers:
        """Return the reference length of each bundle, (K, B)."""
        if settings.reference_length in SUMMED_LENGTHS:
            return self.sums[..., 1 + SUMMED_LENGTHS.index(settings.reference_length)]
        present: Floats = np.arange(1.0, self.lengths_by_presence.shape[1] + 1)
        means: Floats = np.divide(self.lengths_by_presence, present).sum(axis=1)
        return np.broadcast_to(means, self.sums.shape[:2])


@dataclass(frozen=True)  # without slots, which exclude cached properties
class Counts:
    """Counts of a range of lines of a text.

    Attributes:
        counted: the texts and the method of counting.
        range: the lines; all lines of the text unless it is a part.
        oddities: what is unusual about the lines of each text: systems, then references.
        data: the counts, per segment or per bundle.
        assessments: of the texts, as JSON: whether scores can be compared; one of each set of systems that was
            counted together, empty if it was not assessed.
    """

    counted: Counted
    range: LineRange
    oddities: tuple[Oddities, ...]
    data: SegmentCounts | BundleCounts
    assessments: tuple[str, ...] = ("",)

    @property
    def whole(self) -> bool:
        """Whether all lines of the text are counted."""
        return self.range == (0, self.counted.segments)

    @cached_property
    def digest(self) -> str:
        """Key of the counts in caches.

        It covers all counts, since the digests of texts are read from the file and may be wrong.
        """
        digest = hashlib.blake2b(repr((self.counted, self.range)).encode("utf-8", "surrogatepass"), digest_size=16)
        for attribute in fields(self.data):
            array = np.ascontiguousarray(getattr(self.data, attribute.name))
            digest.update(f"{array.dtype} {array.shape}".encode())
            digest.update(array.data)
        return digest.hexdigest()

    @property
    def fingerprint(self) -> str:
        """Key of the counts in caches."""
        return self.digest


def describe_bundling(bundling: Bundling | None) -> str:
    """Describe whether counts are per segment or in bundles, for messages."""
    return "counts per segment" if bundling is None else f"sums in {bundling.number:,} bundles by {bundling.by}"


def describe_counts(counts: Counts) -> str:
    """Describe the segments, references and bundles of counts, for messages."""
    counted, lines = counts.counted, counts.range
    which = f"{counted.segments:,} {plural(counted.segments, 'segment')}"
    if not counts.whole:
        which = f"segments {lines.first + 1:,} to {lines.behind:,} of {counted.segments:,}"
    references = f"{len(counted.references):,} {plural(len(counted.references), 'reference')}"
    return f"{which}, {references}, {describe_bundling(counted.bundling)}"


#: The attributes of Counted that must agree -> a function that formats the value for messages.
COMPARED: Mapping[str, Callable[[Any], str]] = MappingProxyType(
    {
        "signature": str,
        "max_order": "order {}".format,
        "bundling": describe_bundling,
        "segments": "a text of {:,} segments".format,
        "systems": lambda texts: f"systems {listed(text.name for text in texts)}",
        "references": lambda texts: f"references {listed(text.name for text in texts)}",
    }
)


def merge(parts: Sequence[tuple[str, Counts]]) -> Counts:
    """Add up the counts of all parts of a text, given in any order.

    Args:
        parts: each with the name of its file, for messages.

    Raises:
        AlignmentError: the parts differ in their texts or in the method of counting, overlap, or lack lines.
    """
    if not parts:
        raise AlignmentError("no counts found, at least one part expected")
    first, expected = parts[0]
    for place, part in parts[1:]:
        difference = difference_of(part.counted, expected.counted)
        if difference:
            raise AlignmentError(f"{place}: {difference} (in {first}); count all parts of the same files in one way")
    ordered = sorted(parts, key=lambda part: part[1].range)
    _check_cover(ordered, expected.counted.segments)
    return concatenate_counts([part for _, part in ordered])


def copies(counted: Counted) -> list[Identical]:
    """Return the systems whose text equals a reference."""
    pairs = ((s, r) for s in counted.systems for r in counted.references)
    return [Identical(s.name, "reference", r.name) for s, r in pairs if s.digest == r.digest]


def concatenate_counts(parts: Sequence[Counts]) -> Counts:
    """Concatenate the counts of consecutive ranges of the same texts, given in order."""
    data: list[SegmentCounts] = []
    sums: BundleCounts | None = None
    for part in parts:
        if isinstance(part.data, SegmentCounts):
            data.append(part.data)
        else:
            sums = part.data if sums is None else sums + part.data
    by_text = zip(*(part.oddities for part in parts), strict=True)
    return replace(
        parts[0],
        range=LineRange(parts[0].range.first, sum(part.range.lines for part in parts)),
        oddities=tuple(reduce(add, oddities) for oddities in by_text),
        data=SegmentCounts.concatenate(data) if sums is None else sums,
        assessments=_assessments(parts),
    )


def combine_systems(given: Sequence[tuple[str, Counts]]) -> Counts:
    """Combine the systems of several counts of whole texts with the same references.

    Args:
        given: each with the name of its file, for messages.

    Raises:
        AlignmentError: counts are of a part, of other references or counted with other settings, or two systems have
            the same name.
    """
    check_combinable(given)
    expected = given[0][1]
    if len(given) == 1:
        return expected
    systems = tuple(text for _, counts in given for text in counts.counted.systems)
    references = len(expected.counted.references)
    oddities = [odd for _, counts in given for odd in counts.oddities[:-references]]
    return replace(
        expected,
        counted=replace(expected.counted, systems=systems),
        oddities=(*oddities, *expected.oddities[-references:]),
        data=_combine_data([counts.data for _, counts in given]),
        assessments=_assessments([counts for _, counts in given]),
    )


def _assessments(counts: Iterable[Counts]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for each in counts for text in each.assessments))


def check_combinable(given: Sequence[tuple[str, Counts]]) -> None:
    """Check that the systems of several counts can be compared; arguments and errors as for combine_systems."""
    first, expected = given[0]
    places: dict[str, str] = {}
    for place, counts in given:
        if not counts.whole:
            raise AlignmentError(
                f"{place}: {counts.range} of {counts.counted.segments:,} found; merge all parts first with "
                f"`{invocation('bleu-core')} merge`"
            )
        difference = difference_of(counts.counted, expected.counted, systems=False)
        if difference:
            raise AlignmentError(
                f"{place}: {difference} (in {first}); only systems with the same references, counted in the same way, "
                "can be compared"
            )
        for text in counts.counted.systems:
            if text.name in places:
                raise AlignmentError(
                    f"{place}: system {text.name!r} is in {places[text.name]}, too; rename its file and count it again"
                )
            places[text.name] = place


def _combine_data(given: Sequence[SegmentCounts | BundleCounts]) -> SegmentCounts | BundleCounts:
    segments = [data for data in given if isinstance(data, SegmentCounts)]
    if segments:
        return replace(
            segments[0],
            matches=np.concatenate([data.matches for data in segments]),
            hypothesis_lengths=np.concatenate([data.hypothesis_lengths for data in segments]),
        )
    bundles = [data for data in given if isinstance(data, BundleCounts)]
    return replace(bundles[0], sums=np.concatenate([data.sums for data in bundles]))


def difference_of(actual: Counted, expected: Counted, *, systems: bool = True) -> str:
    """Describe the first difference between the texts or the methods of counting; empty if there is none.

    Args:
        actual: the texts and the method that are checked.
        expected: the texts and the method to compare with.
        systems: whether the systems must be the same, too.
    """
    for attribute, formatted in COMPARED.items():
        this, that = formatted(getattr(actual, attribute)), formatted(getattr(expected, attribute))
        if this != that and (systems or attribute != "systems"):
            return f"{this} found, {that} expected"
    compared = [("reference", actual.references, expected.references)]
    if systems:
        compared.insert(0, ("system", actual.systems, expected.systems))
    for noun, these, those in compared:
        for this, that in zip(these, those, strict=True):
            if this.digest != that.digest:
                return f"another text found for {noun} {this.name!r} than expected"
    return "other documents found than expected" if actual.documents != expected.documents else ""


def smallest(array: IntegerArray) -> IntegerArray:
    """Return the integers in the smallest type that holds them."""
    bounds = (int(array.min()), int(array.max())) if array.size else (0, 0)
    return array.astype(np.result_type(*(np.min_scalar_type(bound) for bound in bounds)))


def _check_cover(ordered: Sequence[tuple[str, Counts]], segments: int) -> None:
    """Check that parts, sorted by their lines, contain each line once.

    Raises:
        AlignmentError: parts overlap, or lines are missing.
    """
    behind, before = 0, ""
    for place, part in ordered:
        if part.range.first < behind:
            both = LineRange(part.range.first, min(behind, part.range.behind) - part.range.first)
            raise AlignmentError(f"{place}: {both} are in {before}, too; give each part once")
        if part.range.first > behind:
            raise _missing(LineRange(behind, part.range.first - behind), segments)
        behind, before = part.range.behind, place
    if behind < segments:
        raise _missing(LineRange(behind, segments - behind), segments)


def _missing(lines: LineRange, segments: int) -> AlignmentError:
    return AlignmentError(f"{lines} of {segments:,} are missing; add the counts files of these parts")


def _by_system(lengths: IntegerArray, matches: IntegerArray) -> list[tuple[int, tuple[int, ...]]]:
    return [(int(length), tuple(map(int, row))) for length, row in zip(lengths, matches, strict=True)]


def _summed(columns: Integers, labels: Integers, bundles: int) -> Integers:
    """Return the sums in bundles, (K, B, columns), of columns of segments, (K, n, columns); exact below 2**53."""
    shape = (columns.shape[0], columns.shape[2], bundles)
    by_column = np.moveaxis(columns, 2, 1).reshape(-1, len(labels))
    sums = [np.bincount(labels, weights=column, minlength=bundles) for column in by_column]
    return np.moveaxis(np.array(sums, np.int64).reshape(shape), 1, 2)
