"""Agreement of BLEU with judges by choice of reference."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.agreement import Agreement
from bleu_core.fields import P_VALUE, REASON, Table, field, result, table_of
from bleu_core.paper.repetition import ReferenceAgreement
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import (
    LEFT_OUT,
    NO_JUDGMENTS,
    NO_JUDGMENTS_REASON,
    RATED,
    AgreementNumbers,
    agreement_numbers,
)


@result
class ReferenceAgreementNumbers:
    """Agreement of BLEU against some references with the ratings of all judges."""

    references: tuple[str, ...] = field("object", "Names of the references.")
    all_systems: AgreementNumbers = field("object", "All systems.")
    machines_only: AgreementNumbers | None = field(
        "object", "Without the human translators; null if none is named.", null=True
    )


@result
class ByReferenceNumbers:
    """The agreement in the JSON."""

    computed: tuple[ReferenceAgreementNumbers, ...] | None = field(RATED)
    reason: str = field(NO_JUDGMENTS_REASON, default="")


@result
class Row:
    """The correlation with one choice of references."""

    references: str = field("text", "The references that the systems are scored against.")
    who: str = field("text", "Whether human translators are among the systems.")
    systems: int = field("count", "Systems that have BLEU and ratings.")
    r: float = field("number", "Pearson's r of BLEU and the mean ratings of all judges.")
    low: float = field("number", "Lower end of the 95% interval of r.")
    high: float = field("number", "Upper end of the 95% interval of r.")
    p_value: float = field(P_VALUE)
    reason: str = field(REASON, default="")


def compute(data: PaperInput) -> StepResult:
    """Compute the agreement for each single reference and for those of the tables."""
    ratings = data.results.ratings
    if ratings is None:
        return StepResult(ByReferenceNumbers(computed=None, reason=NO_JUDGMENTS), notes=LEFT_OUT)
    agreements = ratings.by_reference
    computed = tuple(
        ReferenceAgreementNumbers(
            references=agreement.references,
            all_systems=agreement_numbers(agreement.everyone),
            machines_only=None if agreement.machines is None else agreement_numbers(agreement.machines),
        )
        for agreement in agreements
    )
    return StepResult(ByReferenceNumbers(computed=computed), tables=(_table(agreements),))


def _parts(agreement: ReferenceAgreement) -> tuple[tuple[str, Agreement], ...]:
    """Return the agreement over all systems, and over machines only if human translators are named."""
    everyone = ("all systems", agreement.everyone)
    return (everyone,) if agreement.machines is None else (everyone, ("machine systems only", agreement.machines))


def _table(agreements: Sequence[ReferenceAgreement]) -> Table:
    rows = [
        Row(
            references=reference_agreement.label,
            who=who,
            systems=agreement.pearson.pairs,
            r=agreement.pearson.coefficient,
            low=agreement.pearson.interval.low,
            high=agreement.pearson.interval.high,
            p_value=agreement.pearson.p_value,
            reason=agreement.pearson.note,
        )
        for reference_agreement in agreements
        for who, agreement in _parts(reference_agreement)
    ]
    return table_of(rows, Row)


STEP = Step(
    key="agreement_by_reference",
    heading="Agreement with the judges by reference",
    look="The choice of reference can decide how well BLEU agrees with the judges, and even whether the "
    "correlation is positive.",
    compute=compute,
    numbers=ByReferenceNumbers,
)
