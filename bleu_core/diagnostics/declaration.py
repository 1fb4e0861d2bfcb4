"""The declaration of warnings and findings.

A warning is declared by a module of `bleu_core.diagnostics.warnings` that exports WARNING, and listed in `register`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.fields import field, result
from bleu_core.scoring import Basis

#: Severity of a finding: a note is information, a caution limits conclusions, and an alarm means that scores or their
#: order are probably wrong.
Strength = Literal["note", "caution", "alarm"]

#: From the weakest to the strongest.
STRENGTHS: tuple[Strength, ...] = ("note", "caution", "alarm")

#: Maximum rate of false alarms of warnings that are shown without it.
MAX_RATE = 0.01


@result
class Finding:
    """A finding of a warning.

    Attributes:
        systems: in the order of the corpus.
        metrics: keys of the metrics concerned; empty for all.
        message: the observation, in sentences with numbers.
        obstacle: why systems are not comparable, a clause with numbers and without a full stop, for headlines; the
            message if empty.
        cause: possible cause, a sentence; empty if unknown.
    """

    key: str = field("text", "Key of the warning, see docs/warnings.md.")
    systems: tuple[str, ...] = field("object", "Names of the systems concerned.", default=())
    references: tuple[str, ...] = field("object", "Names of the references concerned.", default=())
    metrics: tuple[str, ...] = ()
    message: str = field("text", "What was found.", key="found")
    strength: Strength = field(
        "text",
        "Severity: a note is information, a caution limits conclusions, and an alarm means that scores are probably "
        "misleading.",
    )
    advice: str = field("text", "Recommended action.")
    segments: tuple[int, ...] = field(
        "object",
        "Numbers of the segments concerned, from 1; empty if the finding is not about single segments.",
        default=(),
    )
    obstacle: str = ""
    cause: str = ""

    @property
    def not_comparable(self) -> str:
        """The sentence that systems are not comparable, and why, of an alarm that obstructs a statement."""
        return f"Not comparable: {(self.obstacle or self.message).removesuffix('.')}."

    @property
    def reason(self) -> str:
        """Why systems are not comparable, the possible cause, and what to do: sentences."""
        return " ".join(filter(None, (self.not_comparable, self.cause, self.advice)))


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustWarning:
    """The declaration of a warning for the command line, the pages and the documentation.

    Attributes:
        key: in JSON, in links and in lists.
        title: for people, a noun phrase.
        checked: what is checked, a sentence.
        misleads: how BLEU can mislead in this case, a sentence.
        advice: what to do, a sentence.
        inferred: whether it is inferred from properties of the texts; else it states a fact.
        false_alarms: the share of random halves of real test sets, without an artificial cause, in which it is raised
            although it does not hold for the whole set: the maximum of the sets in docs/warnings.md. None for facts.
        obstructs: what its alarms make not comparable, from the register, which has it for all warnings.
        find: returns the findings for an input.
    """

    key: str
    title: str
    checked: str
    misleads: str
    advice: str
    inferred: bool = False
    false_alarms: float | None = None
    obstructs: tuple[Basis, ...] = ()
    find: Callable[[DiagnosticInput], Sequence[Finding]]

    @property
    def caveat(self) -> str:
        """The rate of false alarms, a sentence, if it exceeds MAX_RATE; else empty."""
        if self.false_alarms is None or self.false_alarms <= MAX_RATE:
            return ""
        return f"Raised without cause in {100 * self.false_alarms:.1f}% of random halves of real test sets."
