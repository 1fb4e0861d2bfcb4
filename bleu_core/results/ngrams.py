"""N-grams won and lost, overused and missing, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from bleu_core.fields import BASELINE, SYSTEM, Table, field, result, table_of
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.scoring import BleuEvaluation
from bleu_core.segments import (
    DEFAULT_NGRAMS,
    NgramDifference,
    NgramDifferences,
    NgramDivision,
    NgramKind,
    NgramSums,
    Side,
)

#: Notes on how to read the lists of n-grams.
PAIR_NOTE = (
    "The effect of an n-gram is the BLEU that the system loses without its net gain of that n-gram or, with a minus "
    "sign, the BLEU that the baseline loses without its own. N-grams overlap, so effects do not add up."
)
SYSTEM_NOTE = (
    "The effect of an n-gram is the BLEU that the system gains if its overused, or missing, occurrences match. N-grams "
    "overlap, so effects do not add up."
)


@result
class _Group:
    """A group of n-grams, as the beginning of a row."""

    group: str | None = field("text", "Name of the group; absent for all n-grams.", default=None)
    order: int = field("count", "Length of the n-grams, in tokens.")
    in_references: int = field(
        "count", "Number of possible matches: per segment, the maximum number of occurrences in a single reference."
    )


@result
class PairCounts(_Group):
    """Matches of two systems in a group of n-grams."""

    matches: int = field("count", "Matches of the system.")
    baseline_matches: int = field("count", "Matches of the baseline.")
    gained: int = field("count", "Matches that the system has and the baseline lacks, segment by segment.")
    lost: int = field("count", "Matches that the baseline has and the system lacks, segment by segment.")


@result
class SystemCounts(_Group):
    """Occurrences of a system in a group of n-grams."""

    occurrences: int = field("count", "Occurrences in the system's output.")
    matches: int = field("count", "Matches of the system.")
    overused: int = field("count", "Occurrences in the output that match nothing.")
    missing: int = field("count", "Possible matches that the system lacks.")


@result
class _Ngram:
    """An n-gram, as the beginning of a row."""

    order: int = field("count", "Length of the n-gram, in tokens.")
    ngram: str = field("text", "The n-gram: its tokens, separated by spaces.", label="n-gram")
    kind: NgramKind = field(
        "text", "Numbers if a token has a digit; else punctuation if a token has no letter; else words."
    )
    in_references: int = field(
        "count", "Number of possible matches: per segment, the maximum number of occurrences in a single reference."
    )


@result
class PairNgram(_Ngram):
    """An n-gram that is won or lost."""

    gained: int = field("count", "Matches that the system has and the baseline lacks, segment by segment.")
    lost: int = field("count", "Matches that the baseline has and the system lacks, segment by segment.")
    gained_in: int = field("count", "Number of segments with such a gain.", only="table", label="segments gained")
    lost_in: int = field("count", "Number of segments with such a loss.", only="table", label="segments lost")
    segments_gained: tuple[int, ...] = field("object", "Numbers of the segments with a gain, from 1.")
    segments_lost: tuple[int, ...] = field("object", "Numbers of the segments with a loss, from 1.")
    effect: float = field(
        "number",
        "Points that the system's BLEU loses without its net gain or, with a minus sign, that the baseline's BLEU "
        "loses without its own.",
    )


@result
class SystemNgram(_Ngram):
    """An n-gram that is overused or missing."""

    overused: int = field("count", "Occurrences in the output that match nothing.")
    missing: int = field("count", "Possible matches that the system lacks.")
    overused_in: int = field(
        "count", "Number of segments with such occurrences.", only="table", label="segments overused"
    )
    missing_in: int = field("count", "Number of segments that lack matches.", only="table", label="segments missing")
    segments_overused: tuple[int, ...] = field("object", "Numbers of the segments with such occurrences, from 1.")
    segments_missing: tuple[int, ...] = field("object", "Numbers of the segments that lack matches, from 1.")
    effect: float = field("number", "Points that the system's BLEU gains if these occurrences match.")


@result
class _OfPair:
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)


@result
class _Listed:
    list: str = field("text", "List of the n-gram.")


@result
class _Division:
    by: str = field(
        "text",
        "Grouping of n-grams: by kind, by the number of their possible matches, or by the number of tokens of the "
        "first reference of their segments, in quarters of the segments.",
    )


class _Beginning(TypedDict):
    """The arguments of _Ngram."""

    order: int
    ngram: str
    kind: NgramKind
    in_references: int


@result
class NgramPair(_OfPair):
    """N-grams won and lost between a system and a baseline."""

    orders: tuple[PairCounts, ...] = field("object", "All n-grams of each order.")
    won: tuple[PairNgram, ...] = field(
        "object", "N-grams with a net gain, by order, then by effect, the greatest first."
    )
    lost: tuple[PairNgram, ...] = field(
        "object", "N-grams with a net loss, by order, then by effect, the greatest first."
    )
    kinds: tuple[PairCounts, ...] = field("object", "N-grams by kind.")
    frequencies: tuple[PairCounts, ...] = field("object", "N-grams by the number of their possible matches.")
    lengths: tuple[PairCounts, ...] = field(
        "object", "N-grams by the number of tokens of the first reference of their segments, in quarters."
    )


@result
class _OfSystem:
    system: str = field(SYSTEM)


@result
class NgramSystem(_OfSystem):
    """N-grams that a system overuses or lacks relative to its references."""

    orders: tuple[SystemCounts, ...] = field("object", "All n-grams of each order.")
    overused: tuple[SystemNgram, ...] = field(
        "object", "N-grams that are overused, by order, then by effect, the greatest first."
    )
    missing: tuple[SystemNgram, ...] = field(
        "object", "N-grams that are missing, by order, then by effect, the greatest first."
    )
    kinds: tuple[SystemCounts, ...] = field("object", "N-grams by kind.")
    frequencies: tuple[SystemCounts, ...] = field("object", "N-grams by the number of their possible matches.")
    lengths: tuple[SystemCounts, ...] = field(
        "object", "N-grams by the number of tokens of the first reference of their segments, in quarters."
    )


@result
class NgramPairsReport(Envelope):
    """The JSON of `bleu-core ngrams --baseline NAME`."""

    pairs: tuple[NgramPair, ...] = field("object", "Each system and the baseline.")


@result
class NgramSystemsReport(Envelope):
    """The JSON of `bleu-core ngrams`."""

    systems: tuple[NgramSystem, ...] = field("object", "Each system compared with its references.")


def ngram_pair(
    differences: NgramDifferences,
    *,
    max_ngrams: int = DEFAULT_NGRAMS,
    order: int | None = None,
    kind: NgramKind | None = None,
    numbers: Sequence[int] | None = None,
) -> NgramPair:
    """Return the n-grams won and lost between two systems.

    Args:
        differences: differences from a baseline.
        max_ngrams: maximum number of n-grams per order and list.
        order: order of the n-grams in lists and groups; all if None.
        kind: kind of the n-grams in lists; all if None.
        numbers: numbers of the segments in the whole text, from 1; from 1 on if None.

    Raises:
        SettingsError: as for NgramDifferences.largest.
    """

    def listed(side: Side) -> tuple[PairNgram, ...]:
        return tuple(
            PairNgram(
                **_beginning(ngram),
                gained=ngram.surplus,
                lost=ngram.deficit,
                gained_in=len(ngram.surplus_segments),
                lost_in=len(ngram.deficit_segments),
                segments_gained=_numbers(ngram.surplus_segments, numbers),
                segments_lost=_numbers(ngram.deficit_segments, numbers),
                effect=ngram.effect,
            )
            for ngram in differences.largest(side, number=max_ngrams, order=order, kind=kind)
        )

    def counts(division: NgramDivision) -> tuple[PairCounts, ...]:
        return tuple(_pair_counts(sums, sums.group) for sums in _groups(differences, division, order))

    return NgramPair(
        system=differences.system,
        baseline=differences.baseline,
        orders=tuple(_pair_counts(sums) for sums in differences.orders),
        won=listed("surplus"),
        lost=listed("deficit"),
        kinds=counts("kind"),
        frequencies=counts("frequency"),
        lengths=counts("length"),
    )


def ngram_system(
    differences: NgramDifferences,
    *,
    max_ngrams: int = DEFAULT_NGRAMS,
    order: int | None = None,
    kind: NgramKind | None = None,
    numbers: Sequence[int] | None = None,
) -> NgramSystem:
    """Return the n-grams that a system overuses or lacks.

    Args:
        differences: differences from the references.
        max_ngrams: maximum number of n-grams per order and list.
        order: order of the n-grams in lists and groups; all if None.
        kind: kind of the n-grams in lists; all if None.
        numbers: numbers of the segments in the whole text, from 1; from 1 on if None.

    Raises:
        SettingsError: as for NgramDifferences.largest.
    """

    def listed(side: Side) -> tuple[SystemNgram, ...]:
        return tuple(
            SystemNgram(
                **_beginning(ngram),
                overused=ngram.surplus,
                missing=ngram.deficit,
                overused_in=len(ngram.surplus_segments),
                missing_in=len(ngram.deficit_segments),
                segments_overused=_numbers(ngram.surplus_segments, numbers),
                segments_missing=_numbers(ngram.deficit_segments, numbers),
                effect=ngram.effect,
            )
            for ngram in differences.largest(side, number=max_ngrams, order=order, kind=kind)
        )

    def counts(division: NgramDivision) -> tuple[SystemCounts, ...]:
        return tuple(_system_counts(sums, sums.group) for sums in _groups(differences, division, order))

    return NgramSystem(
        system=differences.system,
        orders=tuple(_system_counts(sums) for sums in differences.orders),
        overused=listed("surplus"),
        missing=listed("deficit"),
        kinds=counts("kind"),
        frequencies=counts("frequency"),
        lengths=counts("length"),
    )


def ngram_pairs_report(pairs: Sequence[NgramPair], evaluation: BleuEvaluation) -> NgramPairsReport:
    """Return the JSON report of `bleu-core ngrams --baseline NAME`."""
    return NgramPairsReport(**envelope_fields(evaluation), pairs=tuple(pairs))


def ngram_systems_report(systems: Sequence[NgramSystem], evaluation: BleuEvaluation) -> NgramSystemsReport:
    """Return the JSON report of `bleu-core ngrams`."""
    return NgramSystemsReport(**envelope_fields(evaluation), systems=tuple(systems))


def ngram_tables(results: Sequence[NgramPair | NgramSystem]) -> list[Table]:
    """Return tables of the counts per order, of the listed n-grams, and of the counts by kind, frequency and length.

    Args:
        results: results of one class, at least one.
    """
    is_pair = isinstance(results[0], NgramPair)
    name, counts, ngram = (_OfPair, PairCounts, PairNgram) if is_pair else (_OfSystem, SystemCounts, SystemNgram)
    orders = [(item, row) for item in results for row in item.orders]
    listed = [
        (item, _Listed(list=list_name), row)
        for list_name in (("won", "lost") if is_pair else ("overused", "missing"))
        for item in results
        for row in getattr(item, list_name)
    ]
    divided = [
        (item, _Division(by=title), row)
        for title, rows in (("kind", "kinds"), ("frequency", "frequencies"), ("length", "lengths"))
        for item in results
        for row in getattr(item, rows)
    ]
    return [
        table_of(orders, name, counts),
        table_of(listed, name, _Listed, ngram),
        table_of(divided, name, _Division, counts),
    ]


def _groups(differences: NgramDifferences, division: NgramDivision, order: int | None) -> list[NgramSums]:
    """Return the groups with n-grams, of one order or of all."""
    groups = (sums for sums in differences.groups[division] if order in (None, sums.order))
    return [sums for sums in groups if sums.in_references or sums.surplus]


def _pair_counts(sums: NgramSums, group: str | None = None) -> PairCounts:
    return PairCounts(
        group=group,
        order=sums.order,
        in_references=sums.in_references,
        matches=sums.matches,
        baseline_matches=sums.baseline_matches,
        gained=sums.surplus,
        lost=sums.deficit,
    )


def _system_counts(sums: NgramSums, group: str | None = None) -> SystemCounts:
    return SystemCounts(
        group=group,
        order=sums.order,
        in_references=sums.in_references,
        occurrences=sums.occurrences,
        matches=sums.matches,
        overused=sums.surplus,
        missing=sums.deficit,
    )


def _beginning(ngram: NgramDifference) -> _Beginning:
    return {
        "order": ngram.order,
        "ngram": " ".join(ngram.ngram),
        "kind": ngram.kind,
        "in_references": ngram.in_references,
    }


def _numbers(positions: Sequence[int], numbers: Sequence[int] | None) -> tuple[int, ...]:
    """Return the numbers of segments, from 1, at positions from 0."""
    return tuple(position + 1 if numbers is None else numbers[position] for position in positions)
