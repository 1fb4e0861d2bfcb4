"""Precision by n-gram order, for Figures 1 and 2."""

from __future__ import annotations

from bleu_core.fields import SEGMENTS, SYSTEM, Table, field, result, table_of
from bleu_core.paper.precision_orders import PrecisionOrders
from bleu_core.paper.steps.shared import COMPUTED

#: Figure 1 compares two systems.
COMPARED_SYSTEMS = 2


@result
class SystemPrecisions:
    """Precisions of a system."""

    system: str = field(SYSTEM)
    matches: tuple[int, ...] = field("object", "Clipped matches of each order.")
    totals: tuple[int, ...] = field("object", "Number of n-grams of each order.")
    precisions: tuple[float, ...] = field(
        "fraction", "Matches divided by n-grams, by order.", undefined="an order has no n-grams"
    )


@result
class Precisions:
    """Precisions of several systems."""

    segments: int = field(SEGMENTS)
    references: tuple[str, ...] = field("object", "Names of the references.")
    systems: tuple[SystemPrecisions, ...] = field("object", "Precisions by system.")
    rankings: tuple[tuple[str, ...], ...] = field(
        "object", "Systems ranked by precision, lowest first, for each order."
    )


@result
class PrecisionNumbers:
    """Precisions in the JSON."""

    computed: Precisions = field(COMPUTED)


def precision_numbers(precisions_by_order: PrecisionOrders) -> PrecisionNumbers:
    """Convert precisions for the JSON."""
    rows = zip(
        precisions_by_order.systems,
        precisions_by_order.matches,
        precisions_by_order.totals,
        precisions_by_order.precisions.tolist(),
        strict=True,
    )
    precisions = Precisions(
        segments=precisions_by_order.segments,
        references=precisions_by_order.references,
        systems=tuple(
            SystemPrecisions(
                system=name,
                matches=tuple(int(n) for n in matches),
                totals=tuple(int(n) for n in totals),
                precisions=tuple(values),
            )
            for name, matches, totals, values in rows
        ),
        rankings=precisions_by_order.rankings,
    )
    return PrecisionNumbers(computed=precisions)


@result
class Row:
    """Precisions of a system, or their ratios."""

    system: str = field(SYSTEM)
    precisions: tuple[float, ...] = field(
        "fraction", "Clipped matches of all {}-grams.", columns="precision_{}", label="p{}"
    )


def precision_table(precisions: PrecisionOrders) -> Table:
    """Return the table of precisions; for two systems, with the ratios of the second to the first."""
    rows = [
        Row(system=name, precisions=tuple(values))
        for name, values in zip(precisions.systems, precisions.precisions.tolist(), strict=True)
    ]
    if len(rows) == COMPARED_SYSTEMS:
        ratio = f"{precisions.systems[1]} / {precisions.systems[0]}"
        rows.append(Row(system=ratio, precisions=tuple(precisions.ratios.tolist())))
    return table_of(rows, Row)
