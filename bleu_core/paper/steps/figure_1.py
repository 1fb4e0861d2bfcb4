"""Figure 1: precision of a machine and a human by n-gram order."""

from __future__ import annotations

from bleu_core.paper.precision_orders import PrecisionOrders
from bleu_core.paper.shared import number_of
from bleu_core.paper.step import PaperInput, Step, StepResult


def compute(data: PaperInput) -> StepResult:
    """Return the precisions of the two systems on the first segments."""
    figure = data.results.figure_1
    notes = [f"the first {number_of(range(figure.segments), 'segment')}, {number_of(figure.references, 'reference')}"]
    if [name in data.results.humans for name in figure.systems] != [False, True]:
        notes.append("no human translator is named: systems with the lowest and the highest BLEU")
    return StepResult(figure, tables=(figure.table,), notes=notes)


STEP = Step(
    key="figure_1",
    heading="Figure 1: precision of a machine and a human",
    look="The longer the n-gram, the larger the human's lead over the machine: precision alone distinguishes them.",
    compute=compute,
    numbers=PrecisionOrders,
)
