"""N-grams won and lost, overused and missing, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from bleu_core.fields import BASELINE, SYSTEM, Field, Table, field, result, table_of, value_of
from bleu_core.results.envelope import Envelope, envelope_fields
from bleu_core.scoring import BleuEvaluation
from bleu_core.segments import (
    DEFAULT_NGRAMS,
    NgramDifferences,
    NgramDivision,
    NgramKind,
    NgramSums,
    PairCounts,
    PairNgram,
    SystemCounts,
    SystemNgram,
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

    def counts(division: NgramDivision) -> tuple[NgramSums, ...]:
        groups = (sums for sums in differences.groups[division] if order in (None, sums.order))
        return tuple(sums for sums in groups if sums.in_references or sums.surplus)

    listed = partial(differences.largest, number=max_ngrams, order=order, kind=kind, numbers=numbers)
    lists: Any = {
        "orders": differences.orders,
        "surplus": listed("surplus"),
        "deficit": listed("deficit"),
        "kinds": counts("kind"),
        "frequencies": counts("frequency"),
        "lengths": counts("length"),
    }
    if differences.baseline:
        return NgramPair(system=differences.system, baseline=differences.baseline, **lists)
    return NgramSystem(system=differences.system, **lists)


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
