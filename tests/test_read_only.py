"""Arrays given to a class of the core are read-only in it, and stay writeable for the caller."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, get_origin

import numpy as np
import pytest

import bleu_core
from bleu_core.arrays import read_only
from bleu_core.dataset import ScoreTable
from bleu_core.inference import compare
from bleu_core.scoring import Decomposition, NgramStats, SegmentStatistics
from bleu_core.slicing import LabelSlice, Slice
from tests.annotations import alternatives, resolved
from tests.test_comparison import dataclasses_of

STATISTICS = SegmentStatistics(
    ("A", "B"), np.arange(12.0).reshape(2, 6, 1), lambda sums: sums[..., 0].astype(np.float64)
)

#: Classes that check or convert their arrays, made with these; the shapes of the arrays.
CLASSES: dict[type, tuple[Callable[..., object], tuple[tuple[int, ...], ...]]] = {
    SegmentStatistics: (lambda values: SegmentStatistics(("A",), values, STATISTICS.score), ((1, 2, 3),)),
    NgramStats: (lambda *counts: NgramStats(("A",), *counts), ((1, 2, 4), (1, 2), (1, 2))),
    Decomposition: (
        lambda terms: Decomposition(system="A", baseline="B", delta=1.0, precisions=terms, brevity=0.0),
        ((4,),),
    ),
    Slice: (lambda mask: Slice("", mask), ((3,),)),
    LabelSlice: (lambda mask: LabelSlice("x", mask, compare(STATISTICS, [(1, 0)])), ((6,),)),
    ScoreTable: (lambda *scores: ScoreTable("M", ("A",), *scores), ((1, 2), (1,))),
}


def arrays_of(kind: type) -> Iterator[str]:
    """Yield the names of the fields of a class that are arrays."""
    for name, annotation in vars(kind)["__annotations__"].items():
        hints = alternatives(resolved(annotation, vars(sys.modules[kind.__module__])))
        if any(get_origin(hint) is np.ndarray for hint in hints):
            yield name


def test_all_classes_that_convert_their_arrays_are_known() -> None:
    converting = {
        kind
        for kind in dataclasses_of(bleu_core)
        if hasattr(kind, "__post_init__") and [*arrays_of(kind)] and kind.__name__ != "HashIndex"  # makes its arrays
    }
    assert converting == CLASSES.keys()


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_arrays_stay_writeable_for_the_caller_and_are_read_only_in_the_object(kind: type) -> None:
    make, shapes = CLASSES[kind]
    given = [np.ones(shape) for shape in shapes]
    made: Any = make(*given)
    for array in given:
        assert array.flags.writeable
        array[0] = 0
    names = [*arrays_of(kind)]
    assert len(names) == len(given)
    for name in names:
        with pytest.raises(ValueError, match="read-only"):
            getattr(made, name)[0] = 0


def test_a_read_only_view_copies_nothing() -> None:
    array = np.arange(3)
    assert read_only(array).base is array
    assert (read_only(array).flags.writeable, array.flags.writeable) == (False, True)
