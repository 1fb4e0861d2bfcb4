"""Decomposition of a difference in BLEU, as a table."""

from __future__ import annotations

from bleu_core.fields import Table, field, result, table_of
from bleu_core.scoring import Decomposition


@result
class TermRow:
    """A term of a difference in BLEU."""

    factor: str = field("text", "Factor of BLEU: the precision of an order, or the brevity penalty.")
    term: float = field("difference", "Part of the difference that is due to this factor, in points.", label="points")
    share: float | None = field(
        "fraction", "Part of the whole difference; given only if all parts have the same sign.", default=None
    )


def decomposition_table(decomposition: Decomposition) -> Table:
    """Return the terms of a difference; their sum is the difference."""
    factors = [*(f"precision of order {n}" for n in range(1, len(decomposition.precisions) + 1)), "brevity penalty"]
    shared = decomposition.one_sign and decomposition.delta != 0
    rows = [
        TermRow(factor=factor, term=term, share=term / decomposition.delta if shared else None)
        for factor, term in zip(factors, decomposition.terms.tolist(), strict=True)
    ]
    return table_of(rows, TermRow)
