"""Figure 1: precision of a machine and a human by n-gram order."""

from __future__ import annotations

from bleu_core.paper.repetition import PaperResults
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.precisions import PrecisionNumbers, precision_numbers, precision_table
from bleu_core.paper.steps.shared import number_of


def compute(data: PaperInput) -> StepResult:
    """Return the precisions of the two systems on the first segments."""
    figure = data.results.figure_1
    return StepResult(
        precision_numbers(figure),
        tables=(precision_table(figure),),
        notes=_notes(data.results),
    )


def _notes(results: PaperResults) -> tuple[str, ...]:
    figure = results.figure_1
    first = f"the first {number_of(range(figure.segments), 'segment')}, {number_of(figure.references, 'reference')}"
    named = [name in results.humans for name in figure.systems] == [False, True]
    return (first,) if named else (first, "no human translator is named: systems with the lowest and the highest BLEU")


STEP = Step(
    key="figure_1",
    heading="Figure 1: precision of a machine and a human",
    look="The longer the n-gram, the larger the human's lead over the machine: precision alone distinguishes them.",
    compute=compute,
    numbers=PrecisionNumbers,
)
