"""Agreement of BLEU with judges by choice of reference."""

from __future__ import annotations

from bleu_core.fields import field, inline, result, table_of
from bleu_core.paper.judge_groups import PearsonRow, ReferenceAgreement
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class Row:
    """The correlation with one choice of references."""

    references: str = field("text", "The references that the systems are scored against.")
    who: str = field("text", "Whether human translators are among the systems.")
    pearson: PearsonRow = inline(PearsonRow)


def compute(data: PaperInput) -> StepResult:
    """Compute the agreement for each single reference and for those of the tables."""
    choices = data.ratings.by_reference
    rows = [
        Row(references=choice.label, who=who, pearson=PearsonRow.of(agreement))
        for choice in choices
        for who, agreement in (("all systems", choice.everyone), ("machine systems only", choice.machines))
        if agreement is not None
    ]
    return StepResult(choices, tables=(table_of(rows, Row),))


STEP = Step(
    key="agreement_by_reference",
    heading="Agreement with the judges by reference",
    look="The choice of reference can decide how well BLEU agrees with the judges, and even whether the "
    "correlation is positive.",
    compute=compute,
    numbers=tuple[ReferenceAgreement, ...],
    needs_judgments=True,
)
