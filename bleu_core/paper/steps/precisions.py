"""Precision by n-gram order, which Figures 1 and 2 show."""

from __future__ import annotations

from bleu_core.fields import SEGMENTS, SYSTEM, Cell, Field, Table, field, result
from bleu_core.paper.figure import Axis, Bars, Figure, Panel
from bleu_core.paper.precision_orders import PrecisionOrders
from bleu_core.paper.steps.shared import COMPUTED

#: Figure 1 compares two systems.
TWO = 2


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


def precision_numbers(found: PrecisionOrders) -> PrecisionNumbers:
    """Precisions for the JSON."""
    rows = zip(found.systems, found.matches, found.totals, found.precisions.tolist(), strict=True)
    precisions = Precisions(
        segments=found.segments,
        references=found.references,
        systems=tuple(
            SystemPrecisions(
                system=name,
                matches=tuple(int(n) for n in matches),
                totals=tuple(int(n) for n in totals),
                precisions=tuple(values),
            )
            for name, matches, totals, values in rows
        ),
        rankings=found.rankings,
    )
    return PrecisionNumbers(computed=precisions)


def precision_table(found: PrecisionOrders) -> Table:
    """Precisions of each system; of two systems also how many times the first one's the last one's are."""
    columns = {"system": SYSTEM}
    columns |= {
        f"precision_{n}": Field("fraction", f"Clipped matches of all {n}-grams.", f"p{n}")
        for n in range(1, found.matches.shape[1] + 1)
    }
    rows: list[tuple[Cell, ...]] = [
        (name, *values) for name, values in zip(found.systems, found.precisions.tolist(), strict=True)
    ]
    if len(rows) == TWO:
        rows.append((f"{found.systems[1]} / {found.systems[0]}", *found.ratios.tolist()))
    return Table(columns, tuple(rows))


def precision_figure(found: PrecisionOrders) -> Figure:
    """A bar for each system at each order."""
    orders = range(1, found.matches.shape[1] + 1)
    bars = [
        Bars(
            name,
            orders,
            found.precisions[k],
            system=name,
            details=[f"{m:g} of {t:g}" for m, t in zip(found.matches[k], found.totals[k], strict=True)],
            hover="order {x}: {y:.3f} ({detail})",
        )
        for k, name in enumerate(found.systems)
    ]
    return Figure((Panel(Axis("n-gram length", ticks=orders), bars),), y=Axis("precision", from_zero=True))
