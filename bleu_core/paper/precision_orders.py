"""Modified precisions by n-gram order: Figures 1 and 2 of Papineni et al. (2002), section 2.1.2."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.arrays import Floats, best_first, worst_first
from bleu_core.errors import SettingsError
from bleu_core.paper.printed import FIGURE_1_SEGMENTS
from bleu_core.scoring import BleuEvaluation, Numbers, bleu

#: A human and a machine.
TWO = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecisionOrders:
    """Precisions of K systems by order, 1 to N, before any smoothing.

    Attributes:
        systems: K names.
        references: names of those matched against.
        segments: how many were summed.
        matches, totals: (K, N) clipped matches, and n-grams of the system.
    """

    systems: tuple[str, ...]
    references: tuple[str, ...]
    segments: int
    matches: Numbers
    totals: Numbers

    def in_order(self, systems: Sequence[str]) -> PrecisionOrders:
        """Those systems, in that order."""
        rows = [self.systems.index(name) for name in systems]
        return replace(self, systems=tuple(systems), matches=self.matches[rows], totals=self.totals[rows])

    @property
    def precisions(self) -> Floats:
        """(K, N) fractions; NaN where a system has no n-gram of the order."""
        return np.divide(self.matches, self.totals, out=np.full(self.totals.shape, np.nan), where=self.totals > 0)

    @property
    def rankings(self) -> tuple[tuple[str, ...], ...]:
        """N times the systems by precision, those without any and the lowest first."""
        return tuple(tuple(self.systems[k] for k in worst_first(self.systems, column)) for column in self.precisions.T)

    @property
    def ratios(self) -> Floats:
        """(N,) the last system's precision over the first's; NaN where that is 0 or undefined."""
        first, last = self.precisions[0], self.precisions[-1]
        return np.divide(last, first, out=np.full(len(first), np.nan), where=first > 0)


def precision_orders(
    evaluation: BleuEvaluation, systems: Sequence[str] | None = None, *, segments: int | None = None
) -> PrecisionOrders:
    """Sum the counts of some systems over the first segments.

    Args:
        evaluation: what was counted.
        systems: names, all if None.
        segments: the first so many, all if None or fewer there are.

    Raises:
        SettingsError: fewer than one segment is asked for.
    """
    if segments is not None and segments < 1:
        raise SettingsError(f"{segments} segments found, at least 1 expected")
    chosen = evaluation.systems if systems is None else tuple(systems)
    table = evaluation.statistics.select(chosen).values[:, :segments]
    scores = bleu(table.sum(axis=1), evaluation.settings)
    return PrecisionOrders(
        systems=chosen,
        references=evaluation.references,
        segments=table.shape[1],
        matches=scores.matches,
        totals=scores.totals,
    )


def figure_1(
    evaluation: BleuEvaluation, humans: Collection[str] = (), *, segments: int = FIGURE_1_SEGMENTS
) -> PrecisionOrders:
    """A poor machine and a good human: the machine with the lowest BLEU, then the human with the highest.

    Without a human named, or without a machine, they are the lowest and the highest of all; a single system stays
    alone. Of the segments the first are taken and none drawn: they keep whole documents together, as a test set of
    stories does, and anybody can cut the same ones from the files.

    Args:
        evaluation: systems against all references.
        humans: names of human translators among the systems.
        segments: how many.
    """
    order = [evaluation.systems[k] for k in best_first(evaluation.systems, evaluation.scores.score)]
    people = [name for name in order if name in humans]
    machines = [name for name in order if name not in humans]
    if not people or not machines:
        people = machines = order
    return precision_orders(evaluation, tuple(dict.fromkeys((machines[-1], people[0]))), segments=segments)
