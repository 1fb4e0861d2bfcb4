"""N-grams won and lost, overused and missing, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from bleu_core.fields import BASELINE, SYSTEM, Field, Table, field, result, table_of, value_of
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


GAINED = Field("count", "Matches that the system has and the baseline lacks, segment by segment.")
LOST = Field("count", "Matches that the baseline has and the system lacks, segment by segment.")
OVERUSED = Field("count", "Occurrences in the output that match nothing.")
MISSING = Field("count", "Possible matches that the system lacks.")
IN_REFERENCES = Field(
    "count", "Number of possible matches: per segment, the maximum number of occurrences in a single reference."
)
MATCHES = Field("count", "Matches of the system.")


@result
class Counts:
    """Counts of a group of n-grams; see `NgramSums`."""

    group: str | None = field("text", "Name of the group; absent for all n-grams.", default=None)
    order: int = field("count", "Length of the n-grams, in tokens.")
    in_references: int = field(IN_REFERENCES)
    occurrences: int
    matches: int
    baseline_matches: int
    surplus: int
    deficit: int


@result
class PairCounts(Counts):
    """Matches of two systems in a group of n-grams."""

    matches: int = field(MATCHES)
    baseline_matches: int = field("count", "Matches of the baseline.")
    surplus: int = field(GAINED, key="gained")
    deficit: int = field(LOST, key="lost")


@result
class SystemCounts(Counts):
    """Occurrences of a system in a group of n-grams."""

    occurrences: int = field("count", "Occurrences in the system's output.")
    matches: int = field(MATCHES)
    surplus: int = field(OVERUSED, key="overused")
    deficit: int = field(MISSING, key="missing")


@result
class Ngram:
    """An n-gram with a surplus or a deficit; see `NgramDifference`. Segments are numbered from 1."""

    order: int = field("count", "Length of the n-gram, in tokens.")
    ngram: str = field("text", "The n-gram: its tokens, separated by spaces.", label="n-gram")
    kind: NgramKind = field(
        "text", "Numbers if a token has a digit; else punctuation if a token has no letter; else words."
    )
    in_references: int = field(IN_REFERENCES)
    surplus: int
    deficit: int
    surplus_in: int
    deficit_in: int
    surplus_segments: tuple[int, ...]
    deficit_segments: tuple[int, ...]
    effect: float


@result
class PairNgram(Ngram):
    """An n-gram that is won or lost."""

    surplus: int = field(GAINED, key="gained")
    deficit: int = field(LOST, key="lost")
    surplus_in: int = field(
        "count", "Number of segments with such a gain.", key="gained_in", only="table", label="segments gained"
    )
    deficit_in: int = field(
        "count", "Number of segments with such a loss.", key="lost_in", only="table", label="segments lost"
    )
    surplus_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments with a gain, from 1.", key="segments_gained"
    )
    deficit_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments with a loss, from 1.", key="segments_lost"
    )
    effect: float = field(
        "number",
        "Points that the system's BLEU loses without its net gain or, with a minus sign, that the baseline's BLEU "
        "loses without its own.",
    )


@result
class SystemNgram(Ngram):
    """An n-gram that is overused or missing."""

    surplus: int = field(OVERUSED, key="overused")
    deficit: int = field(MISSING, key="missing")
    surplus_in: int = field(
        "count", "Number of segments with such occurrences.", key="overused_in", only="table", label="segments overused"
    )
    deficit_in: int = field(
        "count", "Number of segments that lack matches.", key="missing_in", only="table", label="segments missing"
    )
    surplus_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments with such occurrences, from 1.", key="segments_overused"
    )
    deficit_segments: tuple[int, ...] = field(
        "object", "Numbers of the segments that lack matches, from 1.", key="segments_missing"
    )
    effect: float = field("number", "Points that the system's BLEU gains if these occurrences match.")


@result
class _OfPair:
    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)


@result
class _OfSystem:
    system: str = field(SYSTEM)


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


ORDERS = Field("object", "All n-grams of each order.")
KINDS = Field("object", "N-grams by kind.")
FREQUENCIES = Field("object", "N-grams by the number of their possible matches.")
LENGTHS = Field("object", "N-grams by the number of tokens of the first reference of their segments, in quarters.")


@result
class NgramPair(_OfPair):
    """N-grams won and lost between a system and a baseline."""

    orders: tuple[PairCounts, ...] = field(ORDERS)
    surplus: tuple[PairNgram, ...] = field(
        "object", "N-grams with a net gain, by order, then by effect, the greatest first.", key="won"
    )
    deficit: tuple[PairNgram, ...] = field(
        "object", "N-grams with a net loss, by order, then by effect, the greatest first.", key="lost"
    )
    kinds: tuple[PairCounts, ...] = field(KINDS)
    frequencies: tuple[PairCounts, ...] = field(FREQUENCIES)
    lengths: tuple[PairCounts, ...] = field(LENGTHS)


@result
class NgramSystem(_OfSystem):
    """N-grams that a system overuses or lacks relative to its references."""

    orders: tuple[SystemCounts, ...] = field(ORDERS)
    surplus: tuple[SystemNgram, ...] = field(
        "object", "N-grams that are overused, by order, then by effect, the greatest first.", key="overused"
    )
    deficit: tuple[SystemNgram, ...] = field(
        "object", "N-grams that are missing, by order, then by effect, the greatest first.", key="missing"
    )
    kinds: tuple[SystemCounts, ...] = field(KINDS)
    frequencies: tuple[SystemCounts, ...] = field(FREQUENCIES)
    lengths: tuple[SystemCounts, ...] = field(LENGTHS)


#: Kinds of counts and of n-grams, of a pair or of a system.
CountsOf = TypeVar("CountsOf", bound=Counts)
NgramOf = TypeVar("NgramOf", bound=Ngram)


@result
class NgramPairsReport(Envelope):
    """The JSON of `bleu-core ngrams --baseline NAME`."""

    pairs: tuple[NgramPair, ...] = field("object", "Each system and the baseline.")


@result
class NgramSystemsReport(Envelope):
    """The JSON of `bleu-core ngrams`."""

    systems: tuple[NgramSystem, ...] = field("object", "Each system compared with its references.")


def ngram_lists(
    differences: NgramDifferences,
    *,
    max_ngrams: int = DEFAULT_NGRAMS,
    order: int | None = None,
    kind: NgramKind | None = None,
    numbers: Sequence[int] | None = None,
) -> NgramPair | NgramSystem:
    """Return the n-grams won and lost between two systems or, without a baseline, those overused and missing.

    Args:
        differences: differences from a baseline, or from the references.
        max_ngrams: maximum number of n-grams per order and list.
        order: order of the n-grams in lists and groups; all if None.
        kind: kind of the n-grams in lists; all if None.
        numbers: numbers of the segments in the whole text, from 1; from 1 on if None.

    Raises:
        SettingsError: as for NgramDifferences.largest.
    """

    def listed(row: type[NgramOf], side: Side) -> tuple[NgramOf, ...]:
        largest = differences.largest(side, number=max_ngrams, order=order, kind=kind)
        return tuple(_ngram(row, ngram, numbers) for ngram in largest)

    def counts(row: type[CountsOf], division: NgramDivision) -> tuple[CountsOf, ...]:
        groups = (sums for sums in differences.groups[division] if order in (None, sums.order))
        return tuple(_counts(row, sums, sums.group) for sums in groups if sums.in_references or sums.surplus)

    if differences.baseline:
        return NgramPair(
            system=differences.system,
            baseline=differences.baseline,
            orders=tuple(_counts(PairCounts, sums) for sums in differences.orders),
            surplus=listed(PairNgram, "surplus"),
            deficit=listed(PairNgram, "deficit"),
            kinds=counts(PairCounts, "kind"),
            frequencies=counts(PairCounts, "frequency"),
            lengths=counts(PairCounts, "length"),
        )
    return NgramSystem(
        system=differences.system,
        orders=tuple(_counts(SystemCounts, sums) for sums in differences.orders),
        surplus=listed(SystemNgram, "surplus"),
        deficit=listed(SystemNgram, "deficit"),
        kinds=counts(SystemCounts, "kind"),
        frequencies=counts(SystemCounts, "frequency"),
        lengths=counts(SystemCounts, "length"),
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
        for row in value_of(item, list_name)
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


def _counts(row: type[CountsOf], sums: NgramSums, group: str | None = None) -> CountsOf:
    return row(
        group=group,
        order=sums.order,
        in_references=sums.in_references,
        occurrences=sums.occurrences,
        matches=sums.matches,
        baseline_matches=sums.baseline_matches,
        surplus=sums.surplus,
        deficit=sums.deficit,
    )


def _ngram(row: type[NgramOf], ngram: NgramDifference, numbers: Sequence[int] | None) -> NgramOf:
    return row(
        order=ngram.order,
        ngram=" ".join(ngram.ngram),
        kind=ngram.kind,
        in_references=ngram.in_references,
        surplus=ngram.surplus,
        deficit=ngram.deficit,
        surplus_in=len(ngram.surplus_segments),
        deficit_in=len(ngram.deficit_segments),
        surplus_segments=_numbers(ngram.surplus_segments, numbers),
        deficit_segments=_numbers(ngram.deficit_segments, numbers),
        effect=ngram.effect,
    )


def _numbers(positions: Sequence[int], numbers: Sequence[int] | None) -> tuple[int, ...]:
    """Return the numbers of segments, from 1, at positions from 0."""
    return tuple(position + 1 if numbers is None else numbers[position] for position in positions)
