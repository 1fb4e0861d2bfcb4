"""Values printed in the paper, for data with other systems than the paper's."""

from __future__ import annotations

from bleu_core.fields import field, result, table_of
from bleu_core.paper.printed import PUBLISHED, SYSTEMS, corresponds
from bleu_core.paper.shared import POINTS
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class Row:
    """A number that the paper prints."""

    place: str = field("text", "Location in the paper.")
    what: str = field("text", "Quantity.")
    value: str = field("text", "Value; BLEU from 0 to 1.")


def compute(data: PaperInput) -> StepResult:
    """Return all printed values, unless the other steps show them next to the computed ones."""
    if corresponds(data.evaluation.systems):
        return StepResult()
    rows = [
        Row(place=p.place, what=p.what, value=f"{p.value / POINTS if p.unit == 'points' else p.value:.6g}")
        for p in PUBLISHED
    ]
    note = f"the paper's values are for its own systems: {', '.join(SYSTEMS)}"
    return StepResult(tables=(table_of(rows, Row),), notes=(note,))


STEP = Step(
    key="published",
    heading="Values printed in the paper",
    look="The loaded systems are not the paper's, so its values are listed separately.",
    compute=compute,
)
