"""Definitions shared by several steps: fields, parts of the JSON, notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from bleu_core.agreement import Agreement, Coefficient, Correlation, Exclusion, RegressionLine
from bleu_core.arrays import Floats
from bleu_core.dataset import plural
from bleu_core.fields import DEGREES_OF_FREEDOM, P_VALUE, REASON, SYSTEM, Field, T, field, result
from bleu_core.paper.repetition import PaperResults

#: Points for BLEU 1; tables and figures show BLEU from 0 to 1, as in the paper, and the JSON has points.
POINTS = 100

ALL_JUDGES = "all judges"
NO_JUDGMENTS = "no judgments"
LEFT_OUT = (f"left out: {NO_JUDGMENTS}",)

BLEU = Field("bleu", "Corpus BLEU, 0 to 1.", "BLEU")
BLEU_POINTS = Field("points", "Corpus BLEU.")
GROUP = Field("text", "Group of judges; null for all judges.", null=True)
GROUP_NAME = Field("text", "Group of judges.")
COMPUTED = Field("object", "Computed from these data.")
PUBLISHED = Field("object", "Values that the paper prints for its own data.")
#: Of steps that use judgments.
RATED = Field("object", "Computed from these data; null without judgments.", null=True)
NO_JUDGMENTS_REASON = Field("text", "Why nothing was computed.")


@result
class SystemBleu:
    """BLEU of a system."""

    system: str = field(SYSTEM)
    bleu: float = field(BLEU_POINTS)


@result
class TestedDifference:
    """The paired t test of two systems over blocks."""

    mean_difference: float = field("difference", "System minus baseline, mean over blocks.")
    degrees_of_freedom: int = field(DEGREES_OF_FREEDOM)
    t: float = field(T)
    p_value: float = field(P_VALUE)
    reason: str = field(REASON, default="")


@result
class CorrelationNumbers(Coefficient):
    """A correlation over systems."""

    systems: int = field("count", "Number of systems.")


@result
class RatedSystem(SystemBleu):
    """BLEU and mean rating of a system."""

    human: float = field("number", "Mean rating, in the unit of the ratings.")


@result
class AgreementNumbers:
    """Agreement of BLEU with mean ratings."""

    systems: tuple[RatedSystem, ...] = field("object", "The systems that have both.")
    excluded: tuple[Exclusion, ...] = field("object", "Systems left out, with the reason.")
    pearson: CorrelationNumbers = field("object", "Pearson's correlation.")
    spearman: CorrelationNumbers = field("object", "Spearman's rank correlation.")
    regression: RegressionLine = field("object", "The least-squares line.")


def bleu_of_systems(systems: Sequence[str], scores: Floats) -> tuple[SystemBleu, ...]:
    """Return BLEU in points of each system."""
    return tuple(SystemBleu(system=name, bleu=score) for name, score in zip(systems, scores.tolist(), strict=True))


def correlation_numbers(correlation: Correlation) -> CorrelationNumbers:
    """Convert a correlation, with the number of systems."""
    coefficient = Coefficient.of(correlation)
    return CorrelationNumbers(systems=correlation.pairs, **vars(coefficient))


def agreement_numbers(agreement: Agreement) -> AgreementNumbers:
    """Convert the agreement of BLEU with mean ratings over systems."""
    rows = zip(agreement.systems, agreement.oriented_scores.tolist(), agreement.human.tolist(), strict=True)
    return AgreementNumbers(
        systems=tuple(RatedSystem(system=name, bleu=bleu, human=human) for name, bleu, human in rows),
        excluded=agreement.excluded,
        pearson=correlation_numbers(agreement.pearson),
        spearman=correlation_numbers(agreement.spearman),
        regression=RegressionLine.of(agreement.regression),
    )


def published_of(systems: Iterable[str], printed: Mapping[str, float]) -> list[float]:
    """Return the printed value of each system; NaN for systems that are not the paper's."""
    return [printed.get(name, math.nan) for name in systems]


def references_note(results: PaperResults) -> str:
    """Return the note on the references of the tables."""
    names = results.evaluation.references
    return f"{number_of(names, 'reference')}: {', '.join(names)}"


def number_of(things: Sequence[object], noun: str) -> str:
    """Format a number of things with its noun."""
    return f"{len(things)} {plural(len(things), noun)}"


def group_name(group: str | None) -> str:
    """Return the label of a group of judges."""
    return ALL_JUDGES if group is None else group


def group_column(group: str | None) -> str:
    """Return a group of judges as part of a column's name, distinct from all other columns."""
    return ALL_JUDGES if group is None else f"group {group}"
