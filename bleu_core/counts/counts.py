"""Counts of a range of lines, and how they add up to those of a longer one.

All counts are integers, so that whoever counted them, in whatever order, the sum is the same to the digit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
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

Whole = npt.NDArray[np.integer]

#: Columns of the sums of a bundle before those of matches and totals: the length of the hypothesis, and the effective
#: reference length by each of these.
SUMMED_LENGTHS: tuple[ReferenceLength, ...] = ("closest", "shortest")
LENGTHS = 1 + len(SUMMED_LENGTHS)


@dataclass(frozen=True, slots=True)
class CountedText:
    """A text that was counted: its name, and the digest of all its lines."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What was counted, and how: counts add up only where all of this is the same.

    Attributes:
        signature: of counting, in sacreBLEU's form, with the version of the tokenisers.
        counting: how texts became tokens.
        max_order: N, the highest order counted.
        systems: K texts.
        references: R texts.
        documents: the text with the document of each segment, where bundles are of documents.
        segments: S, of the whole text.
        bundling: how segments are bundled; None where counts are kept for each.
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


@dataclass(frozen=True, slots=True)
class SegmentCounts:
    """Counts of each of n segments, in the smallest types of integers that hold them.

    Attributes:
        matches: (K, n, N).
        hypothesis_lengths: (K, n).
        reference_lengths: (R, n); ABSENT where there is no such reference.
    """

    matches: Whole
    hypothesis_lengths: Whole
    reference_lengths: Whole

    @classmethod
    def of(cls, matches: Integers, hypothesis_lengths: Integers, reference_lengths: Integers) -> SegmentCounts:
        """The counts of a chunk."""
        return cls(*(smallest(array) for array in (matches, hypothesis_lengths, reference_lengths)))

    @classmethod
    def together(cls, parts: Sequence[SegmentCounts]) -> SegmentCounts:
        """The counts of ranges that follow each other, in this order."""
        return cls(
            np.concatenate([part.matches for part in parts], axis=1),
            np.concatenate([part.hypothesis_lengths for part in parts], axis=1),
            np.concatenate([part.reference_lengths for part in parts], axis=1),
        )

    @property
    def segments(self) -> int:
        """N."""
        return self.matches.shape[1]

    def totals_of_systems(self) -> list[tuple[int, tuple[int, ...]]]:
        """Hypothesis length and matches by order of each system, over all segments."""
        lengths, matches = self.hypothesis_lengths.sum(axis=1), self.matches.sum(axis=1)
        return _by_system(lengths, matches)

    def stats(self, systems: Sequence[str]) -> NgramStats:
        """The same in the form in which texts are counted."""
        return NgramStats(
            tuple(systems),
            self.matches.astype(np.int64),
            self.hypothesis_lengths.astype(np.int64),
            self.reference_lengths.astype(np.int64),
        )

    def bundled(self, labels: Integers, bundles: int) -> BundleCounts:
        """Sums in bundles.

        Args:
            labels: (n,) the bundle of each segment, from 0.
            bundles: B, how many there are.
        """
        stats = self.stats(tuple(str(k) for k in range(len(self.matches))))
        by_choice = [effective_reference_lengths(stats, choice).astype(np.int64) for choice in SUMMED_LENGTHS]
        lengths = [stats.hypothesis_lengths, *by_choice]
        columns = np.concatenate([np.stack(lengths, axis=-1), stats.matches, stats.totals], axis=-1)
        present = self.reference_lengths != ABSENT
        presence = present.sum(axis=0)
        of_references = np.where(present, self.reference_lengths, 0).sum(axis=0)
        each = np.arange(len(self.reference_lengths) + 1)
        by_presence = presence[:, None] == each  # (n, R + 1)
        return BundleCounts(
            _summed(columns, labels, bundles),
            _summed((by_presence[:, 1:] * of_references[:, None])[None], labels, bundles)[0],
            _summed(by_presence.astype(np.int64)[None], labels, bundles)[0],
        )


@dataclass(frozen=True, slots=True)
class BundleCounts:
    """Sums of counts in B bundles.

    Attributes:
        sums: (K, B, LENGTHS + 2N): hypothesis length, closest and shortest reference length, matches, totals.
        lengths_by_presence: (B, R): by how many references a segment has, from 1 on, the sum of all their lengths.
        segments_by_presence: (B, R + 1): the number of segments that have so many references, from 0 on.
    """

    sums: Integers
    lengths_by_presence: Integers
    segments_by_presence: Integers

    @property
    def segments(self) -> int:
        """In all bundles together."""
        return int(self.segments_by_presence.sum())

    @property
    def references_per_segment(self) -> int | None:
        """How many references each segment has; None where the number varies."""
        found = np.flatnonzero(self.segments_by_presence.any(axis=0))
        return int(found[0]) if len(found) == 1 else None

    def __add__(self, other: BundleCounts) -> BundleCounts:
        return BundleCounts(
            self.sums + other.sums,
            self.lengths_by_presence + other.lengths_by_presence,
            self.segments_by_presence + other.segments_by_presence,
        )

    def totals_of_systems(self) -> list[tuple[int, tuple[int, ...]]]:
        """Hypothesis length and matches by order of each system, over all bundles."""
        sums = self.sums.sum(axis=1)
        return _by_system(sums[:, 0], sums[:, LENGTHS : LENGTHS + (sums.shape[1] - LENGTHS) // 2])

    def table(self, systems: Sequence[str], settings: BleuSettings) -> SegmentStatistics:
        """T with bundles in place of segments, those without any segment left out: (K, at most B, 2 + 2N).

        Args:
            systems: K names.
            settings: what was chosen; max_order is N or less.
        """
        counted, order = (self.sums.shape[2] - LENGTHS) // 2, settings.max_order
        matches, totals = self.sums[..., LENGTHS : LENGTHS + counted], self.sums[..., LENGTHS + counted :]
        lengths = self._reference_lengths(settings)[..., None]
        columns = (self.sums[..., :1], lengths, matches[..., :order], totals[..., :order])
        filled = self.segments_by_presence.any(axis=1)
        sums = np.concatenate(columns, axis=-1)[:, filled]
        return bleu_statistics_of_sums(systems, sums, settings, bundled=self.segments)

    def _reference_lengths(self, settings: BleuSettings) -> Numbers:
        """Of each bundle, (K, B)."""
        if settings.reference_length in SUMMED_LENGTHS:
            return self.sums[..., 1 + SUMMED_LENGTHS.index(settings.reference_length)]
        present: Floats = np.arange(1.0, self.lengths_by_presence.shape[1] + 1)
        means: Floats = np.divide(self.lengths_by_presence, present).sum(axis=1)
        return np.broadcast_to(means, self.sums.shape[:2])


@dataclass(frozen=True)  # without slots, which leave no place for what is computed once
class Counts:
    """Counts of a range of lines of a text.

    Attributes:
        counted: what was counted, and how.
        range: the lines, which are those of the whole text unless it is a part.
        oddities: of the lines of each text: systems, then references.
        data: the counts, in bundles if the text is bundled.
    """

    counted: Counted
    range: LineRange
    oddities: tuple[Oddities, ...]
    data: SegmentCounts | BundleCounts

    @property
    def whole(self) -> bool:
        """Whether all lines of the text are counted."""
        return self.range == (0, self.counted.segments)

    @cached_property
    def digest(self) -> str:
        """Stands for them in caches.

        All counts are part of it: digests of texts are what a file says they are, and a file may say anything.
        """
        digest = hashlib.blake2b(repr((self.counted, self.range)).encode("utf-8", "surrogatepass"), digest_size=16)
        for each in fields(self.data):
            array = np.ascontiguousarray(getattr(self.data, each.name))
            digest.update(f"{array.dtype} {array.shape}".encode())
            digest.update(array.data)
        return digest.hexdigest()

    @property
    def fingerprint(self) -> str:
        """Stands for the counts in caches."""
        return self.digest


def described_bundling(bundling: Bundling | None) -> str:
    """How counts are kept, for people."""
    return "counts per segment" if bundling is None else f"sums in {bundling.number:,} bundles by {bundling.by}"


def described_counts(counts: Counts) -> str:
    """How much was counted and how it is kept, for people."""
    counted, lines = counts.counted, counts.range
    which = f"{counted.segments:,} {plural(counted.segments, 'segment')}"
    if not counts.whole:
        which = f"segments {lines.first + 1:,} to {lines.behind:,} of {counted.segments:,}"
    references = f"{len(counted.references):,} {plural(len(counted.references), 'reference')}"
    return f"{which}, {references}, {described_bundling(counted.bundling)}"


#: What is compared of counts, by the attribute of Counted: how it is written in a message.
DESCRIBED: Mapping[str, Callable[[Any], str]] = MappingProxyType(
    {
        "signature": str,
        "max_order": "order {}".format,
        "bundling": described_bundling,
        "segments": "a text of {:,} segments".format,
        "systems": lambda texts: f"systems {listed(text.name for text in texts)}",
        "references": lambda texts: f"references {listed(text.name for text in texts)}",
    }
)


def merge(parts: Sequence[tuple[str, Counts]]) -> Counts:
    """Add up the counts of all parts of a text, given in any order.

    Args:
        parts: each with its place, for messages.

    Raises:
        AlignmentError: the parts are not of the same texts counted in the same way, two of them have lines in common,
            or lines are missing.
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
    return together([part for _, part in ordered])


def copies(counted: Counted) -> list[Identical]:
    """Systems whose text equals a reference."""
    pairs = ((s, r) for s in counted.systems for r in counted.references)
    return [Identical(s.name, "reference", r.name) for s, r in pairs if s.digest == r.digest]


def together(parts: Sequence[Counts]) -> Counts:
    """Counts of ranges that follow each other, of the same texts, in this order."""
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
        oddities=tuple(reduce(add, of_text) for of_text in by_text),
        data=SegmentCounts.together(data) if sums is None else sums,
    )


def side_by_side(given: Sequence[tuple[str, Counts]]) -> Counts:
    """The systems of several counts of whole texts with the same references, one after the other.

    Args:
        given: each with its place, for messages.

    Raises:
        AlignmentError: counts are of a part only, of other references, counted in another way, or two systems have one
            name.
    """
    check_side_by_side(given)
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
        data=_data_side_by_side([counts.data for _, counts in given]),
    )


def check_side_by_side(given: Sequence[tuple[str, Counts]]) -> None:
    """Check that systems of several counts can be compared; arguments and errors are those of side_by_side."""
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
                    f"{place}: system {text.name!r} is in {places[text.name]}, too; rename its file and count it"
                )
            places[text.name] = place


def _data_side_by_side(given: Sequence[SegmentCounts | BundleCounts]) -> SegmentCounts | BundleCounts:
    segments = [data for data in given if isinstance(data, SegmentCounts)]
    if segments:
        return replace(
            segments[0],
            matches=np.concatenate([data.matches for data in segments]),
            hypothesis_lengths=np.concatenate([data.hypothesis_lengths for data in segments]),
        )
    bundles = [data for data in given if isinstance(data, BundleCounts)]
    return replace(bundles[0], sums=np.concatenate([data.sums for data in bundles]))


def difference_of(found: Counted, expected: Counted, *, systems: bool = True) -> str:
    """How counts differ in what was counted, in words; empty if they do not.

    Args:
        found: what was counted.
        expected: what should have been.
        systems: whether the systems are to be the same, too.
    """
    for attribute, written in DESCRIBED.items():
        this, that = written(getattr(found, attribute)), written(getattr(expected, attribute))
        if this != that and (systems or attribute != "systems"):
            return f"{this} found, {that} expected"
    compared = [("reference", found.references, expected.references)]
    if systems:
        compared.insert(0, ("system", found.systems, expected.systems))
    for noun, these, those in compared:
        for this, that in zip(these, those, strict=True):
            if this.digest != that.digest:
                return f"another text found for {noun} {this.name!r} than expected"
    return "other documents found than expected" if found.documents != expected.documents else ""


def smallest(array: Whole) -> Whole:
    """The same integers in the smallest type that holds them."""
    bounds = (int(array.min()), int(array.max())) if array.size else (0, 0)
    return array.astype(np.result_type(*(np.min_scalar_type(bound) for bound in bounds)))


def _check_cover(ordered: Sequence[tuple[str, Counts]], segments: int) -> None:
    """Check that parts, in the order of their lines, have each line once.

    Raises:
        AlignmentError: they do not.
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
    return AlignmentError(f"{lines} of {segments:,} are missing; give the parts that have them, too")


def _by_system(lengths: Whole, matches: Whole) -> list[tuple[int, tuple[int, ...]]]:
    return [(int(length), tuple(map(int, row))) for length, row in zip(lengths, matches, strict=True)]


def _summed(columns: Integers, labels: Integers, bundles: int) -> Integers:
    """Sums in bundles, (K, B, columns), of columns of segments, (K, n, columns); exact while below 2**53."""
    shape = (columns.shape[0], columns.shape[2], bundles)
    by_column = np.moveaxis(columns, 2, 1).reshape(-1, len(labels))
    sums = [np.bincount(labels, weights=column, minlength=bundles) for column in by_column]
    return np.moveaxis(np.array(sums, np.int64).reshape(shape), 1, 2)
