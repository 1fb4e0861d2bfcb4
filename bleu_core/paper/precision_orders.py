"""Modified precisions by n-gram order: Figures 1 and 2 of Papineni et al. (2002), section 2.1.2."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from bleu_core.arrays import Floats, best_first, worst_first
from bleu_core.errors import SettingsError
from bleu_core.fields import SEGMENTS, SYSTEM, Table, derived, field, result, rows_of, table_of
from bleu_core.paper.printed import FIGURE_1_SEGMENTS
from bleu_core.scoring import BleuEvaluation, Numbers, bleu

#: Figure 1 compares two systems.
COMPARED_SYSTEMS = 2


@result
class PrecisionRow:
    """Precisions of a system, or their ratios, by order."""

    system: str = field(SYSTEM)
    precisions: tuple[float, ...] = field(
        "fraction",
        "Clipped matches divided by the number of {}-grams.",
        columns="precision_{}",
        label="p{}",
        undefined="an order has no n-grams",
    )


@result
class SystemPrecisions(PrecisionRow):
    """Precisions of a system, with their numerators and denominators."""

    matches: tuple[int, ...] = field("object", "Clipped matches of each order.")
    totals: tuple[int, ...] = field("object", "Number of n-grams of each order.")


@result
class PrecisionOrders:
    """Unsmoothed precisions of K systems by order, 1 to N.

    Attributes:
        systems: K names.
        matches, totals: (K, N) clipped matches, and numbers of n-grams, summed over the segments.
    """

    systems: tuple[str, ...]
    references: tuple[str, ...] = field("object", "Names of the references.")
    segments: int = field(SEGMENTS)
    matches: Numbers
    totals: Numbers

    @property
    def precisions(self) -> Floats:
        """The precisions (K, N), fractions; NaN if a system has no n-gram of the order."""
        return np.divide(self.matches, self.totals, out=np.full(self.totals.shape, np.nan), where=self.totals > 0)

    @derived("object", "Precisions by system.", key="systems")
    def by_system(self) -> tuple[SystemPrecisions, ...]:
        """The precisions of each system."""
        matches, totals = (counts.astype(np.int64) for counts in (self.matches, self.totals))
        return rows_of(
            SystemPrecisions, system=self.systems, precisions=self.precisions, matches=matches, totals=totals
        )

    @derived("object", "Systems ranked by precision, lowest first, for each order.")
    def rankings(self) -> tuple[tuple[str, ...], ...]:
        """The rankings of the systems by precision, lowest first, one per order; undefined precisions come first."""
        return tuple(tuple(self.systems[k] for k in worst_first(self.systems, column)) for column in self.precisions.T)

    @property
    def ratios(self) -> Floats:
        """The ratios (N,) of the last system's precision to the first's; NaN if the latter is 0 or undefined."""
        first, last = self.precisions[0], self.precisions[-1]
        return np.divide(last, first, out=np.full(len(first), np.nan), where=first > 0)

    @property
    def table(self) -> Table:
        """The table of precisions; for two systems, with the ratios of the second to the first."""
        rows: list[PrecisionRow] = [*self.by_system]
        if len(rows) == COMPARED_SYSTEMS:
            ratio = f"{self.systems[1]} / {self.systems[0]}"
            rows.append(PrecisionRow(system=ratio, precisions=tuple(self.ratios.tolist())))
        return table_of(rows, PrecisionRow)


def sum_precisions(
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
    return sum_precisions(evaluation, tuple(dict.fromkeys((machines[-1], human_names[0]))), segments=segments)
