"""N-grams won and lost, overused and missing, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from bleu_core.fields import BASELINE, SYSTEM, Table, field, result, table_of
from bleu_core.results.envelope import Envelope, about
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

#: How the lists of n-grams are to be read, as sentences.
PAIR_NOTE = (
    "The effect is what the system's BLEU loses without its net gain of an n-gram, or, with a minus sign, what the "
    "baseline's BLEU loses without its own. N-grams overlap, so effects do not add up."
)
SYSTEM_NOTE = (
    "The effect is what the system's BLEU gains if the overused, or the missing, occurrences of an n-gram match. "
    "N-grams overlap, so effects do not add up."
)


@result
class _Group:
    """A group of n-grams, as the beginning of a row."""

    group: str | None = field("text", "Name of the group; left out for all n-grams.", default=None)
    order: int = field("count", "Length of the n-grams, in tokens.")
    in_references: int = field(
        "count", "Number of possible matches: per segment the most occurrences in a single reference."
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
    ngram: str = field("text", "The n-gram: its tokens, with blanks between them.", label="n-gram")
    kind: NgramKind = field(
        "text", "Numbers if a token has a digit; else punctuation if a token has no letter; else words."
    )
    in_references: int = field(
        "count", "Number of possible matches: per segment the most occurrences in a single reference."
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
        "Points that the system's BLEU loses without its net gain, or, with a minus sign, the baseline's without its "
        "own.",
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
    list: str = field("text", "List that the n-gram is in.")


@result
class _Division:
    by: str = field(
        "text",
        "How n-grams are grouped: by kind, by the number of their possible matches, or by the tokens of the first "
        "reference of their segments, in quarters of the segments.",
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
        "object", "N-grams with a net gain, by order, then from the greatest effect to the smallest."
    )
    lost: tuple[PairNgram, ...] = field(
        "object", "N-grams with a net loss, by order, then from the greatest effect to the smallest."
    )
    kinds: tuple[PairCounts, ...] = field("object", "N-grams by kind.")
    frequencies: tuple[PairCounts, ...] = field("object", "N-grams by the number of their possible matches.")
    lengths: tuple[PairCounts, ...] = field(
        "object", "N-grams by the tokens of the first reference of their segments, in quarters of the segments."
    )


@result
class _OfSystem:
    system: str = field(SYSTEM)


@result
class NgramSystem(_OfSystem):
    """N-grams that a system uses too often or lacks, beside its references."""

    orders: tuple[SystemCounts, ...] = field("object", "All n-grams of each order.")
    overused: tuple[SystemNgram, ...] = field(
        "object", "N-grams that occur too often, by order, then from the greatest effect to the smallest."
    )
    missing: tuple[SystemNgram, ...] = field(
        "object", "N-grams that are missing, by order, then from the greatest effect to the smallest."
    )
    kinds: tuple[SystemCounts, ...] = field("object", "N-grams by kind.")
    frequencies: tuple[SystemCounts, ...] = field("object", "N-grams by the number of their possible matches.")
    lengths: tuple[SystemCounts, ...] = field(
        "object", "N-grams by the tokens of the first reference of their segments, in quarters of the segments."
    )


@result
class NgramPairsReport(Envelope):
    """The JSON of `bleu-core ngrams --baseline NAME`."""

    pairs: tuple[NgramPair, ...] = field("object", "Each system and the baseline.")


@result
class NgramSystemsReport(Envelope):
    """The JSON of `bleu-core ngrams`."""

    systems: tuple[NgramSystem, ...] = field("object", "Each system beside its references.")


def ngram_pair(
    found: NgramDifferences,
    *,
    most: int = DEFAULT_NGRAMS,
    order: int | None = None,
    kind: NgramKind | None = None,
    numbers: Sequence[int] | None = None,
) -> NgramPair:
    """The n-grams won and lost between two systems.

    Args:
        found: by a comparison with a baseline.
        most: n-grams of each order and list.
        order: of the n-grams in lists and groups; all if None.
        kind: of the n-grams in lists; all if None.
        numbers: of the segments in the whole text, from 1; from 1 on if None.

    Raises:
        SettingsError: as NgramDifferences.most.
    """

    def listed(side: Side) -> tuple[PairNgram, ...]:
        return tuple(
            PairNgram(
                **_beginning(one),
                gained=one.surplus,
                lost=one.deficit,
                gained_in=len(one.surplus_segments),
                lost_in=len(one.deficit_segments),
                segments_gained=_numbers(one.surplus_segments, numbers),
                segments_lost=_numbers(one.deficit_segments, numbers),
                effect=one.effect,
            )
            for one in found.largest(side, number=most, order=order, kind=kind)
        )

    def counts(division: NgramDivision) -> tuple[PairCounts, ...]:
        return tuple(_pair_counts(sums, sums.group) for sums in _groups(found, division, order))

    return NgramPair(
        system=found.system,
        baseline=found.baseline,
        orders=tuple(_pair_counts(sums) for sums in found.orders),
        won=listed("surplus"),
        lost=listed("deficit"),
        kinds=counts("kind"),
        frequencies=counts("frequency"),
        lengths=counts("length"),
    )


def ngram_system(
    found: NgramDifferences,
    *,
    most: int = DEFAULT_NGRAMS,
    order: int | None = None,
    kind: NgramKind | None = None,
    numbers: Sequence[int] | None = None,
) -> NgramSystem:
    """The n-grams that a system uses too often or lacks.

    Args:
        found: by a comparison with the references.
        most: n-grams of each order and list.
        order: of the n-grams in lists and groups; all if None.
        kind: of the n-grams in lists; all if None.
        numbers: of the segments in the whole text, from 1; from 1 on if None.

    Raises:
        SettingsError: as NgramDifferences.most.
    """

    def listed(side: Side) -> tuple[SystemNgram, ...]:
        return tuple(
            SystemNgram(
                **_beginning(one),
                overused=one.surplus,
                missing=one.deficit,
                overused_in=len(one.surplus_segments),
                missing_in=len(one.deficit_segments),
                segments_overused=_numbers(one.surplus_segments, numbers),
                segments_missing=_numbers(one.deficit_segments, numbers),
                effect=one.effect,
            )
            for one in found.largest(side, number=most, order=order, kind=kind)
        )

    def counts(division: NgramDivision) -> tuple[SystemCounts, ...]:
        return tuple(_system_counts(sums, sums.group) for sums in _groups(found, division, order))

    return NgramSystem(
        system=found.system,
        orders=tuple(_system_counts(sums) for sums in found.orders),
        overused=listed("surplus"),
        missing=listed("deficit"),
        kinds=counts("kind"),
        frequencies=counts("frequency"),
        lengths=counts("length"),
    )


def ngram_pairs_report(pairs: Sequence[NgramPair], evaluation: BleuEvaluation) -> NgramPairsReport:
    """The contract of `bleu-core ngrams --baseline NAME --format json`."""
    return NgramPairsReport(**about(evaluation), pairs=tuple(pairs))


def ngram_systems_report(systems: Sequence[NgramSystem], evaluation: BleuEvaluation) -> NgramSystemsReport:
    """The contract of `bleu-core ngrams --format json`."""
    return NgramSystemsReport(**about(evaluation), systems=tuple(systems))


def ngram_tables(found: Sequence[NgramPair | NgramSystem]) -> list[Table]:
    """The counts of each order, the lists of n-grams, and the counts by kind, frequency and length.

    Args:
        found: results of one class, at least one.
    """
    of_pairs = isinstance(found[0], NgramPair)
    name, counts, ngram = (_OfPair, PairCounts, PairNgram) if of_pairs else (_OfSystem, SystemCounts, SystemNgram)
    orders = [(one, row) for one in found for row in one.orders]
    listed = [
        (one, _Listed(list=of_list), row)
        for of_list in (("won", "lost") if of_pairs else ("overused", "missing"))
        for one in found
        for row in getattr(one, of_list)
    ]
    divided = [
        (one, _Division(by=title), row)
        for title, rows in (("kind", "kinds"), ("frequency", "frequencies"), ("length", "lengths"))
        for one in found
        for row in getattr(one, rows)
    ]
    return [
        table_of(orders, name, counts),
        table_of(listed, name, _Listed, ngram),
        table_of(divided, name, _Division, counts),
    ]


def _groups(found: NgramDifferences, division: NgramDivision, order: int | None) -> list[NgramSums]:
    """The groups that have an n-gram, of one order or of all."""
    groups = (sums for sums in found.groups[division] if order in (None, sums.order))
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


def _beginning(one: NgramDifference) -> _Beginning:
    return {
        "order": one.order,
        "ngram": " ".join(one.ngram),
        "kind": one.kind,
        "in_references": one.in_references,
    }


def _numbers(positions: Sequence[int], numbers: Sequence[int] | None) -> tuple[int, ...]:
    """The numbers of segments, from 1, by their positions from 0."""
    return tuple(position + 1 if numbers is None else numbers[position] for position in positions)
