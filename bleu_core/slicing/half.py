"""The halves of a text for exploration and for tests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

from bleu_core.slicing.expression import Condition, Expression, Joined, fields_in

Half = Literal["explore", "test"]

HALVES: tuple[Half, Half] = ("explore", "test")


def halves(documents: Sequence[str] | None, numbers: Sequence[int]) -> tuple[Half, ...]:
    """Return the half of each segment.

    A document is never divided. Its half depends on its id only, neither on other documents nor on the program's
    version, so that it is the same for every user: explore if the last byte of the 8-byte BLAKE2b hash of its id in
    UTF-8 is even, else test. If documents are not known, the number of the segment is used as the id.

    Args:
        documents: the document of each segment, if known.
        numbers: (S,) the numbers of the segments in the whole text, from 1.

    Returns:
        S halves.
    """
    units = numbers if documents is None else documents
    half_by_unit: dict[int | str, Half] = {unit: _half(str(unit)) for unit in units}
    return tuple(half_by_unit[unit] for unit in units)


def may_follow_results(expression: Expression) -> bool:
    """Return whether segments may have been chosen by their results: not for a half or parts of that for tests."""
    return not is_in_test_half(expression) and fields_in(expression) != frozenset({"half"})


def is_in_test_half(expression: Expression) -> bool:
    """Return whether an expression is restricted to the half for tests."""
    if isinstance(expression, Joined):
        return expression.by == "and" and any(map(is_in_test_half, expression.terms))
    if not isinstance(expression, Condition) or expression.quoted:
        return False
    return (expression.field, expression.values) == ("half", (HALVES[1],)) and expression.operator in ("=", "in")


def _half(unit: str) -> Half:
    return HALVES[hashlib.blake2b(unit.encode("utf-8", "surrogatepass"), digest_size=8).digest()[-1] % 2]
