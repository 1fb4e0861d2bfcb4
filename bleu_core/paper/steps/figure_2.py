"""Figure 2: precision of all systems by n-gram order."""

from __future__ import annotations

from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.precisions import PrecisionNumbers, precision_numbers, precision_table
from bleu_core.paper.steps.shared import references_note


def compute(data: PaperInput) -> StepResult:
    """Return the precisions of all systems on all segments."""
    results = data.results
    return StepResult(
        precision_numbers(results.figure_2),
        tables=(precision_table(results.figure_2),),
        notes=(references_note(results),),
    )


STEP = Step(
    key="figure_2",
    heading="Figure 2: precision of all systems",
    look="Each n-gram order by itself should rank the systems in the same way.",
    compute=compute,
    numbers=PrecisionNumbers,
)
