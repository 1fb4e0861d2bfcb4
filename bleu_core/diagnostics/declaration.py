"""The declaration of a warning, and what it finds.

A warning is declared by a module of `bleu_core.diagnostics.warnings` that exports WARNING, and listed in `register`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from bleu_core.diagnostics.diagnostic_input import DiagnosticInput

#: How much a finding matters: a note says what to know, a caution what limits conclusions, and an alarm that scores
#: are probably wrong or that their order is.
Strength = Literal["note", "caution", "alarm"]

#: What an alarm makes not comparable: scores, or what judges say of the systems; empty where it is neither.
Obstructed = Literal["", "scores", "people"]

#: From the weakest to the strongest.
STRENGTHS: tuple[Strength, ...] = ("note", "caution", "alarm")

#: A warning that is raised without cause more often than in this share of texts says so wherever it is shown.
MAX_RATE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a warning found.

    Attributes:
        key: of the warning.
        systems: those it is about, in the order of the corpus.
        references: those it is about.
        found: what was found, in sentences with numbers.
        strength: how much it matters.
        advice: what to do.
        segments: the segments it is about, from 1; empty where it is about no single segments.
        obstacle: why systems are not comparable, a clause with numbers and without a full stop, for headlines; what was
            found if empty.
        cause: what may have caused it, a sentence; empty where nothing is known.
    """

    key: str
    systems: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    message: str
    strength: Strength
    advice: str
    segments: tuple[int, ...] = ()
    obstacle: str = ""
    cause: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustWarning:
    """A warning, as it is declared once for the command line, the pages and the documentation.

    Attributes:
        key: in JSON, in links and in lists.
        title: for people, a noun phrase.
        checked: what is checked, a sentence.
        misleads: how BLEU could mislead if it is so, a sentence.
        advice: what to do, a sentence.
        inferred: whether it is inferred from what the texts look like; else it states a fact.
        false_alarms: the share of random halves of real test sets, without a planted cause, in which it is raised
            although it is not true of the whole set: the highest of the sets in docs/warnings.md. None for facts.
        obstructs: what its alarms make not comparable: "scores", or "people" for statements about what judges say of
            the systems; headlines of these then say so.
        find: finds it in material.
    """

    key: str
    title: str
    checked: str
    misleads: str
    advice: str
    inferred: bool = False
    false_alarms: float | None = None
    obstructs: Obstructed = ""
    find: Callable[[DiagnosticInput], Sequence[Finding]]

    @property
    def caveat(self) -> str:
        """How often it is raised without cause, a sentence, where that is often; else empty."""
        if self.false_alarms is None or self.false_alarms <= MAX_RATE:
            return ""
        return f"Raised without cause in {100 * self.false_alarms:.1f}% of random halves of real test sets."
