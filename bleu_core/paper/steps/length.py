"""Section 2.2.2: the brevity penalty of a candidate as long as one of its references (JSON only)."""

from __future__ import annotations

from bleu_core.fields import field, result
from bleu_core.paper.printed import CANDIDATE_LENGTH, REFERENCE_LENGTHS, WANTED_PENALTY
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.scoring import Brevity, brevity


@result
class WantedPenalty:
    """The penalty that the paper requires."""

    penalty: float = field("fraction", "Brevity penalty; 1 means no penalty.")


def compute(_data: PaperInput) -> StepResult:
    """Compute the penalty of the paper's lengths."""
    return StepResult(brevity(CANDIDATE_LENGTH, REFERENCE_LENGTHS))


STEP = Step(
    key="length",
    heading="Section 2.2.2: brevity penalty",
    compute=compute,
    numbers=Brevity,
    published=WantedPenalty(penalty=WANTED_PENALTY),
)
