"""What several steps share: declared fields, results within their JSON, notes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from bleu_core.agreement import Agreement, Coefficient, Correlation, Exclusion, RegressionLine
from bleu_core.arrays import Floats
from bleu_core.dataset import plural
from bleu_core.fields import DEGREES_OF_FREEDOM, P_VALUE, REASON, SYSTEM, Field, T, field, result
from bleu_core.paper.repetition import PaperResults

#: BLEU in points for BLEU of 1; tables and figures show BLEU from 0 to 1, as the paper does, and JSON has points.
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
#: Of steps on judgments.
RATED = Field("object", "Computed from these data; null without judgments.", null=True)
NO_JUDGMENTS_REASON = Field("text", "Why nothing was computed.")


@result
class SystemBleu:
    """BLEU of a system."""

    system: str = field(SYSTEM)
    bleu: float = field(BLEU_POINTS)


@result
class TestedDifference:
    """The paired t of two systems over blocks."""

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
    """BLEU beside mean ratings."""

    systems: tuple[RatedSystem, ...] = field("object", "The systems that have both.")
    excluded: tuple[Exclusion, ...] = field("object", "Systems left out, with the reason.")
    pearson: CorrelationNumbers = field("object", "Pearson's correlation.")
    spearman: CorrelationNumbers = field("object", "Spearman's rank correlation.")
    regression: RegressionLine = field("object", "The least-squares line.")


def bleu_of_systems(systems: Sequence[str], scores: Floats) -> tuple[SystemBleu, ...]:
    """BLEU in points of each system."""
    return tuple(SystemBleu(system=name, bleu=score) for name, score in zip(systems, scores.tolist(), strict=True))


def correlation_numbers(found: Correlation) -> CorrelationNumbers:
    """A correlation with the number of systems."""
    coefficient = Coefficient.of(found)
    return CorrelationNumbers(systems=found.pairs, **vars(coefficient))


def agreement_numbers(found: Agreement) -> AgreementNumbers:
    """BLEU beside mean ratings, over systems."""
    rows = zip(found.systems, found.oriented_scores.tolist(), found.human.tolist(), strict=True)
    return AgreementNumbers(
        systems=tuple(RatedSystem(system=name, bleu=bleu, human=human) for name, bleu, human in rows),
        excluded=found.excluded,
        pearson=correlation_numbers(found.pearson),
        spearman=correlation_numbers(found.spearman),
        regression=RegressionLine.of(found.regression),
    )


def published_of(systems: Iterable[str], printed: Mapping[str, float]) -> list[float]:
    """What the paper prints of each system; NaN for systems that are not the paper's."""
    return [printed.get(name, math.nan) for name in systems]


def references_note(experiment: PaperResults) -> str:
    """The references that the tables are scored against."""
    names = experiment.evaluation.references
    return f"{number_of(names, 'reference')}: {', '.join(names)}"


def number_of(things: Sequence[object], noun: str) -> str:
    """How many there are, in words."""
    return f"{len(things)} {plural(len(things), noun)}"


def group_name(group: str | None) -> str:
    """A group of judges, for people."""
    return ALL_JUDGES if group is None else group


def group_column(group: str | None) -> str:
    """A group of judges in the name of a column, unlike the name of any other column."""
    return ALL_JUDGES if group is None else f"group {group}"
