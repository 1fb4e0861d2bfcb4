"""Null pairs: two real systems whose outputs are swapped at random, so that they differ by chance alone."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from bleu_core.dataset import Corpus
from bleu_core.scoring import BleuEvaluation, SegmentStatistics, evaluate

VARIABLE = "BLEU_CONFORMANCE_DATA"
TED, RUEN, WMT23 = "ted-zhen", "newstest2020-ruen-2sys", "wmt23-ende-3raters"
REFERENCE = {TED: "ref.B", RUEN: "ref.A", WMT23: "ref.A"}

Mask = npt.NDArray[np.bool_]


def evaluation_data() -> Path:
    """The folder with the test sets; the test is skipped where there is none."""
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"{VARIABLE} names no folder with evaluation data; see tests/conformance/README.md")
    return Path(named) / "data"


def lines(path: Path) -> tuple[str, ...]:
    """The segments of a file."""
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def counted(folder: Path, name: str) -> BleuEvaluation:
    """A set's machine translations, of identical ones the first."""
    paths = sorted(path for path in (folder / name / "systems").glob("*.txt") if not path.stem.startswith("ref."))
    by_text = {lines(path): path.stem for path in reversed(paths)}
    systems = {system: texts for texts, system in reversed(by_text.items())}
    return evaluate(Corpus(systems, {"R": lines(folder / name / "refs" / f"{REFERENCE[name]}.txt")}))


def null_pair(table: SegmentStatistics, generator: np.random.Generator) -> SegmentStatistics:
    """Two of the systems, each segment swapped or not at random, so that neither can be better."""
    one, other = table.values[generator.choice(len(table.systems), 2, replace=False)]
    swapped: Mask = generator.integers(2, size=(table.segments, 1)).astype(bool)
    sums = np.stack([np.where(swapped, other, one), np.where(swapped, one, other)])
    return SegmentStatistics(("A", "B"), sums, table.score)


def within(share: float, low: float, high: float, number: int) -> None:
    """See that a share of that many, in per cent, lies between bounds, give or take two standard errors."""
    chance = 2 * np.sqrt(share * (100 - share) / number)
    assert low - chance <= share <= high + chance
