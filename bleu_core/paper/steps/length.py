"""Section 2.2.2: the brevity penalty of a candidate as long as one of its references (JSON only)."""

from __future__ import annotations

from bleu_core.fields import field, result
from bleu_core.paper.printed import CANDIDATE_LENGTH, REFERENCE_LENGTHS, WANTED_PENALTY
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import COMPUTED, PUBLISHED
from bleu_core.scoring import brevity


@result
class Length:
    """A candidate's brevity penalty."""

    hypothesis_length: int = field("count", "Words of the candidate.")
    reference_lengths: tuple[int, ...] = field("object", "Words of each reference.")
    choice: str = field("text", "How the reference length is chosen.")
    effective: float = field("number", "Effective reference length, in words.")
    penalty: float = field("fraction", "Brevity penalty; 1 means no penalty.")


@result
class WantedPenalty:
    """The penalty that the paper requires."""

    penalty: float = field("fraction", "Brevity penalty; 1 means no penalty.")


@result
class LengthNumbers:
    """The penalty in the JSON."""

    computed: Length = field(COMPUTED)
    published: WantedPenalty = field(PUBLISHED)


def compute(_data: PaperInput) -> StepResult:
    """Compute the penalty of the paper's lengths."""
    penalty = brevity(CANDIDATE_LENGTH, REFERENCE_LENGTHS)
    length = Length(
        hypothesis_length=penalty.hypothesis_length,
        reference_lengths=penalty.reference_lengths,
        choice=penalty.choice,
        effective=penalty.effective,
        penalty=penalty.penalty,
    )
    return StepResult(LengthNumbers(computed=length, published=WantedPenalty(penalty=WANTED_PENALTY)))


STEP = Step(key="length", heading="Section 2.2.2: brevity penalty", compute=compute, numbers=LengthNumbers)
