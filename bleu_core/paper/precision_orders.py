"""Modified precisions by n-gram order: Figures 1 and 2 of Papineni et al. (2002), section 2.1.2."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from bleu_core.arrays import Floats, best_first, worst_first
from bleu_core.errors import SettingsError
from bleu_core.paper.printed import FIGURE_1_SEGMENTS
from bleu_core.scoring import BleuEvaluation, Numbers, bleu


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionOrders:
    """Unsmoothed precisions of K systems by order, 1 to N.

    Attributes:
        systems: K names.
        references: names of the references.
        segments: number of segments that were summed.
        matches, totals: (K, N) clipped matches, and numbers of n-grams.
    """

    systems: tuple[str, ...]
    references: tuple[str, ...]
    segments: int
    matches: Numbers
    totals: Numbers

    def in_order(self, systems: Sequence[str]) -> PrecisionOrders:
        """Return the precisions of some systems, in the order given."""
        rows = [self.systems.index(name) for name in systems]
        return replace(self, systems=tuple(systems), matches=self.matches[rows], totals=self.totals[rows])

    @property
    def precisions(self) -> Floats:
        """The precisions (K, N), fractions; NaN if a system has no n-gram of the order."""
        return np.divide(self.matches, self.totals, out=np.full(self.totals.shape, np.nan), where=self.totals > 0)

    @property
    def rankings(self) -> tuple[tuple[str, ...], ...]:
        """The rankings of the systems by precision, lowest first, one per order; undefined precisions come first."""
        return tuple(tuple(self.systems[k] for k in worst_first(self.systems, column)) for column in self.precisions.T)

    @property
    def ratios(self) -> Floats:
        """The ratios (N,) of the last system's precision to the first's; NaN if the latter is 0 or undefined."""
        first, last = self.precisions[0], self.precisions[-1]
        return np.divide(last, first, out=np.full(len(first), np.nan), where=first > 0)


def precision_orders(
    evaluation: BleuEvaluation, systems: Sequence[str] | None = None, *, segments: int | None = None
) -> PrecisionOrders:
    """Sum the counts of systems over the first segments.

    Args:
        evaluation: with the counts.
        systems: names; None for all.
        segments: number of segments; None for all.

    Raises:
        SettingsError: fewer than one segment is asked for.
    """
    if segments is not None and segments < 1:
        raise SettingsError(f"{segments} segments found, at least 1 expected")
    names = evaluation.systems if systems is None else tuple(systems)
    table = evaluation.statistics.select(names).values[:, :segments]
    scores = bleu(table.sum(axis=1), evaluation.settings)
    return PrecisionOrders(
        systems=names,
        references=evaluation.references,
        segments=table.shape[1],
        matches=scores.matches,
        totals=scores.totals,
    )


def figure_1(
    evaluation: BleuEvaluation, humans: Collection[str] = (), *, segments: int = FIGURE_1_SEGMENTS
) -> PrecisionOrders:
    """Return the precisions of the machine with the lowest BLEU and of the human with the highest BLEU.

    Without human translators, or without machines, they are the systems with the lowest and the highest BLEU; a single
    system is returned alone. The first segments are used instead of a sample: they contain whole documents, and can be
    reproduced from the files.

    Args:
        evaluation: systems against all references.
        humans: names of human translators among the systems.
        segments: number of segments.
    """
    order = [evaluation.systems[k] for k in best_first(evaluation.systems, evaluation.scores.score)]
    human_names = [name for name in order if name in humans]
    machines = [name for name in order if name not in humans]
    if not human_names or not machines:
        human_names = machines = order
    return precision_orders(evaluation, tuple(dict.fromkeys((machines[-1], human_names[0]))), segments=segments)
