"""Intervals, the methods for numbers of units, and the definition of significance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats

#: Default level of significance, and confidence of intervals.
ALPHA = 0.05
CONFIDENCE = 0.95

#: Minimum number of units (segments, documents) for resampling: with 5, the p-value of a two-sided test by swaps is at
#: least 2 / 2**5 = 0.06, and the centred bootstrap of 2 or 3 units has no more than 3 or 10 values, which are often
#: closer to 0 than the observed difference, whatever the quality of the systems.
MIN_UNITS = 6

#: With fewer units than this, resampled values vary too little, and the plain percentile interval of a score is too
#: narrow. The percentiles are therefore expanded.
ENOUGH_UNITS = 30

#: Method of tests and intervals of the difference of two systems: by percentiles of bootstrap resamples, or by the
#: jackknife over units with Student's t.
Method = Literal["percentile", "jackknife"]

#: Names of the methods of intervals, in JSON.
STUDENT = "Student's t"
INTERVAL_NAMES: Mapping[Method | None, str] = {
    "percentile": "bootstrap percentiles",
    "jackknife": f"jackknife with {STUDENT}",
    None: "none",
}

#: Numbers of units at which methods were measured -> the method for this number up to the next: the one whose tests at
#: the 5 % level reject 3.5 to 6.5 % of null pairs of documents. The percentile bootstrap rejects 12 to
#: 14 % with 6 of them and up to 7 % with 30, random swaps 3 % with 6 (tests/inference/test_few_units.py; docs).
METHODS: Mapping[int, Method] = {
    6: "jackknife",
    8: "jackknife",
    10: "jackknife",
    20: "jackknife",
    30: "jackknife",
    100: "percentile",
}

#: Decimals to which values are rounded before comparisons, so that rounding errors have no variance and break no ties.
DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a value, in its unit; confidence is a fraction. NaN if there is no interval."""

    low: float
    high: float
    confidence: float


#: Minimum number of units for percentile intervals of differences.
MIN_PERCENTILE_UNITS = min(number for number, method in METHODS.items() if method == "percentile")


def method_for(units: int) -> Method | None:
    """Return the method of tests and intervals of a difference for a number of units; None for fewer than 6.

    A number between those of METHODS has the method of the next smaller one.
    """
    return next((METHODS[number] for number in sorted(METHODS, reverse=True) if number <= units), None)


@overload
def significant(p_value: float, alpha: float = ALPHA) -> bool: ...
@overload
def significant(p_value: Floats, alpha: float = ALPHA) -> npt.NDArray[np.bool_]: ...
def significant(p_value: float | Floats, alpha: float = ALPHA) -> bool | npt.NDArray[np.bool_]:
    """Return whether a p-value is below the level of significance; one that equals it, or is NaN, is not.

    Args:
        p_value: one, or an array of any shape.
        alpha: the level, a fraction.
    """
    return p_value < alpha if isinstance(p_value, np.ndarray) else bool(p_value < alpha)
