"""Tests of the paper's claims on the data."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.fields import field, result, table_of
from bleu_core.paper.all_claims import Claim, claims
from bleu_core.paper.step import PaperInput, Step, StepResult

VERDICTS: Mapping[bool | None, str] = {True: "yes", False: "no", None: "cannot be tested"}


@result
class Row:
    """A claim."""

    place: str = field("text", "Location in the paper.")
    claim: str = field("text", "The claim, paraphrased.")
    criterion: str = field("text", "Criterion by which the claim is tested here.")
    holds: str = field("text", "Whether the claim holds on these data.")
    found: str = field("text", "What these data show (BLEU from 0 to 1), or why the claim cannot be tested.")


def compute(data: PaperInput) -> StepResult:
    """Test every claim."""
    tested = claims(data.results, data.obstacles)
    rows = [
        Row(place=c.place, claim=c.said, criterion=c.criterion, holds=VERDICTS[c.holds], found=c.found or c.reason)
        for c in tested
    ]
    return StepResult(tested, tables=(table_of(rows, Row),))


STEP = Step(
    key="claims",
    heading="The paper's claims",
    look="Each claim of the paper, tested on these data by a criterion of our own.",
    compute=compute,
    numbers=tuple[Claim, ...],
)
