"""Array types, whose shapes docstrings give, and the order of systems by score."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64 | np.float64]
Integers = npt.NDArray[np.int64]

Scalar = TypeVar("Scalar", bound=np.generic)

INDEX_BITS = 64


def check_index_size(kind: type[np.signedinteger[Any]] = np.intp) -> None:
    """Check that NumPy's indices have 64 bits: counting packs two of them, and would miscount with smaller ones.

    Raises:
        ImportError: they have fewer, as in a 32-bit Python.
    """
    if (bits := np.iinfo(kind).bits) < INDEX_BITS:
        raise ImportError(
            f"bleu_core counts with indices of {INDEX_BITS} bits, and those of this Python have {bits}; use a "
            f"{INDEX_BITS}-bit Python"
        )


check_index_size()


def read_only(array: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
    """Return a read-only view of an array, which stays writeable for the caller; itself if it is read-only."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def best_first(
    systems: Sequence[str], scores: Floats | Sequence[float], *, higher_is_better: bool = True
) -> tuple[int, ...]:
    """Return the systems' indices by score, best first, equal ones by name, undefined ones last.

    Every list of systems by score has this order or its reverse, so that all name the same system as the best one.

    Args:
        systems: K names.
        scores: (K,).
        higher_is_better: of the scores.
    """
    sign = -1 if higher_is_better else 1
    return tuple(sorted(range(len(systems)), key=lambda k: (np.isnan(scores[k]), sign * scores[k], systems[k])))


def worst_first(
    systems: Sequence[str], scores: Floats | Sequence[float], *, higher_is_better: bool = True
) -> tuple[int, ...]:
    """Return the reverse of best_first."""
    return best_first(systems, scores, higher_is_better=higher_is_better)[::-1]
