"""Why two systems' BLEU differs, as a table."""

from __future__ import annotations

from bleu_core.fields import Table, field, result, table_of
from bleu_core.scoring import Decomposition


@result
class TermRow:
    """A term of a difference of BLEU."""

    factor: str = field("text", "Factor of BLEU: the precision of an order, or the brevity penalty.")
    term: float = field("difference", "Part of the difference that is due to this factor, in points.", label="points")
    share: float | None = field(
        "fraction", "Part of the whole difference; given only if all parts have the same sign.", default=None
    )


def decomposition_table(found: Decomposition) -> Table:
    """The terms of a difference, which add up to it."""
    factors = [*(f"precision of order {n}" for n in range(1, len(found.precisions) + 1)), "brevity penalty"]
    shared = found.one_sign and found.delta != 0
    rows = [
        TermRow(factor=factor, term=term, share=term / found.delta if shared else None)
        for factor, term in zip(factors, found.terms.tolist(), strict=True)
    ]
    return table_of(rows, TermRow)
