"""Figure 2: precision of all systems by n-gram order."""

from __future__ import annotations

from bleu_core.paper.precision_orders import PrecisionOrders
from bleu_core.paper.step import PaperInput, Step, StepResult


def compute(data: PaperInput) -> StepResult:
    """Return the precisions of all systems on all segments."""
    figure = data.results.figure_2
    return StepResult(figure, tables=(figure.table,), notes=(data.references_note,))


STEP = Step(
    key="figure_2",
    heading="Figure 2: precision of all systems",
    look="Each n-gram order by itself should rank the systems in the same way.",
    compute=compute,
    numbers=PrecisionOrders,
)
