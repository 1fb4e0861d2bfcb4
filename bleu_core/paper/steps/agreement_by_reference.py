"""How the choice of reference changes the agreement of BLEU with the judges."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.agreement import Agreement
from bleu_core.fields import P_VALUE, REASON, Table, field, result, table_of
from bleu_core.paper.figure import Axis, Figure, Panel, Points
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
class OfReferences:
    """BLEU against some references beside the ratings of all judges."""

    references: tuple[str, ...] = field("object", "Names of the references.")
    all_systems: AgreementNumbers = field("object", "All systems.")
    machines_only: AgreementNumbers | None = field(
        "object", "Without the human translators; null if none is named.", null=True
    )


@result
class ByReferenceNumbers:
    """The agreement in the JSON."""

    computed: tuple[OfReferences, ...] | None = field(RATED)
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
    """Agreement with each reference alone and with those of the tables."""
    ratings = data.results.ratings
    if ratings is None:
        return StepResult(ByReferenceNumbers(computed=None, reason=NO_JUDGMENTS), notes=LEFT_OUT)
    found = ratings.by_reference
    computed = tuple(
        OfReferences(
            references=one.references,
            all_systems=agreement_numbers(one.everyone),
            machines_only=None if one.machines is None else agreement_numbers(one.machines),
        )
        for one in found
    )
    return StepResult(
        ByReferenceNumbers(computed=computed), tables=(_table(found),), figures=(_figure(found),) if found else ()
    )


def _parts(one: ReferenceAgreement) -> tuple[tuple[str, Agreement], ...]:
    """Over all systems, and over the machines alone where human translators are named."""
    everyone = ("all systems", one.everyone)
    return (everyone,) if one.machines is None else (everyone, ("machine systems only", one.machines))


def _table(found: Sequence[ReferenceAgreement]) -> Table:
    rows = [
        Row(
            references=one.label,
            who=who,
            systems=of.pearson.pairs,
            r=of.pearson.coefficient,
            low=of.pearson.interval.low,
            high=of.pearson.interval.high,
            p_value=of.pearson.p_value,
            reason=of.pearson.note,
        )
        for one in found
        for who, of in _parts(one)
    ]
    return table_of(rows, Row)


def _figure(found: Sequence[ReferenceAgreement]) -> Figure:
    """Pearson's r with its 95 % interval by reference."""
    parts: dict[str, dict[str, Agreement]] = {}
    for one in found:
        for who, of in _parts(one):
            parts.setdefault(who, {})[one.label] = of
    points = [
        Points(
            who,
            list(by_reference),
            [of.pearson.coefficient for of in by_reference.values()],
            low=[of.pearson.interval.low for of in by_reference.values()],
            high=[of.pearson.interval.high for of in by_reference.values()],
            number=number,
            hover="r {y:.4f}",
        )
        for number, (who, by_reference) in enumerate(parts.items())
    ]
    axis = Axis("reference", "categories", categories=list(dict.fromkeys(one.label for one in found)))
    return Figure((Panel(axis, points),), y=Axis("Pearson's r with the judges"), rule=0, legend=len(points) > 1)


STEP = Step(
    key="agreement_by_reference",
    heading="Agreement with the judges by reference",
    look="The choice of reference can decide how well BLEU agrees with the judges, and even whether the "
    "correlation is positive.",
    compute=compute,
    numbers=ByReferenceNumbers,
)
