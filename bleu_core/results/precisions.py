"""Precisions by order and their decay, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleu_core.fields import SYSTEM, Table, bounds, field, inline, result, table_of
from bleu_core.results.scores import INTERVAL
from bleu_core.scoring import BleuEvaluation, CorpusScores, Decay

if TYPE_CHECKING:
    from bleu_core.inference import Interval, ScoreIntervals


@result
class OrderPrecision:
    """The precision of a system at one order."""

    system: str = field(SYSTEM)
    order: int = field("count", "Number of tokens in an n-gram.")
    precision: float = field("fraction", "Modified n-gram precision, smoothing included.")
    interval: Interval | None = inline(bounds("fraction", INTERVAL), default=None)
    matches: int = field("count", "Number of matching n-grams.")
    totals: int = field("count", "Number of n-grams of this order.")


@result
class DecayRate:
    """The rate of decay of a system's precision."""

    system: str = field(SYSTEM)
    rate: float = field(
        "number", "Change of log precision per order: slope of the fitted line.", label="log precision per order"
    )
    retention: float = field(
        "fraction",
        "Precision of an order as a fraction of that of the order below: exp(rate).",
        label="kept per order",
    )
    r_squared: float = field("fraction", "R² of the fitted line; 1 means that the decay is exactly exponential.")
    orders: str = field("text", "The fitted orders: those with matches.")


def precision_table(evaluation: BleuEvaluation | CorpusScores, intervals: ScoreIntervals | None = None) -> Table:
    """Return precisions by system and order, with matches and totals."""
    scores = evaluation.scores
    rows = [
        OrderPrecision(
            system=name,
            order=n + 1,
            precision=float(scores.precisions[k, n]),
            interval=None if intervals is None else intervals.precisions[name][n],
            matches=int(scores.matches[k, n]),
            totals=int(scores.totals[k, n]),
        )
        for k, name in enumerate(evaluation.systems)
        for n in range(evaluation.settings.max_order)
    ]
    return table_of(rows, OrderPrecision)


def decay_table(systems: Sequence[str], decays: Sequence[Decay]) -> Table:
    """Return the fitted rate of decay of each system, the slowest first; systems without a fit are last."""
    rows = [
        DecayRate(
            system=name,
            rate=d.rate,
            retention=d.retention,
            r_squared=d.r_squared,
            orders=d.reason or ", ".join(map(str, d.orders)),
        )
        for name, d in sorted(zip(systems, decays, strict=True), key=_by_retention)
    ]
    return table_of(rows, DecayRate)


def _by_retention(item: tuple[str, Decay]) -> tuple[bool, float, str]:
    name, decay = item
    return bool(decay.reason), -decay.retention, name
