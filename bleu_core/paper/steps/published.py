"""Values printed in the paper, for data with other systems than the paper's."""

from __future__ import annotations

from bleu_core.fields import table_of
from bleu_core.paper.printed import PUBLISHED, SYSTEMS, Published, corresponds
from bleu_core.paper.step import PaperInput, Step, StepResult


def compute(data: PaperInput) -> StepResult:
    """Return all printed values, unless the other steps show them next to the computed ones."""
    if corresponds(data.evaluation.systems):
        return StepResult()
    note = f"the paper's values are for its own systems: {', '.join(SYSTEMS)}"
    return StepResult(tables=(table_of(PUBLISHED, Published),), notes=(note,))


STEP = Step(
    key="published",
    heading="Values printed in the paper",
    look="The loaded systems are not the paper's, so its values are listed separately.",
    compute=compute,
)
