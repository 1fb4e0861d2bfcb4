"""A step of the paper: one of its examples, tables, figures or claims, computed on any data.

A step is declared by a module of `bleu_core.paper.steps` that exports STEP, and listed in `steps.register`. The Paper
page, its printed version and every format of `bleu-core paper` show what STEP gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bleu_core.dataset import Corpus, Judgments, RatedSegments, rated_segments
from bleu_core.fields import Table
from bleu_core.inference import SEED
from bleu_core.paper.figure import Figure
from bleu_core.paper.reference_number import DRAWS
from bleu_core.paper.repetition import Experiment
from bleu_core.scoring import BleuEvaluation, BleuSettings

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PaperData:
    """What a step computes from.

    Attributes:
        corpus: the texts, with systems that equal a reference.
        judgments: the ratings; None without any.
        experiment: results that several steps share.
        draws: how many draws a step makes that draws references.
        seed: of all draws.
    """

    corpus: Corpus
    judgments: Judgments | None
    experiment: Experiment
    draws: int = DRAWS
    seed: int = SEED
    _shared: dict[Callable[..., Any], Any] = field(
        default_factory=dict[Callable[..., Any], Any], compare=False, repr=False
    )

    @property
    def settings(self) -> BleuSettings:
        """The settings in use."""
        return self.evaluation.settings

    @property
    def evaluation(self) -> BleuEvaluation:
        """The systems against the references of the tables."""
        return self.experiment.evaluation

    @property
    def rated(self) -> RatedSegments | None:
        """How many segments of the systems are rated; None without ratings."""
        return None if self.judgments is None else rated_segments(self.judgments, self.evaluation.systems)

    def share(self, compute: Callable[[PaperData], T]) -> T:
        """What a function computes from these data, computed once for all steps that need it."""
        if compute not in self._shared:
            self._shared[compute] = compute(self)
        return self._shared[compute]


@dataclass(frozen=True, slots=True)
class Found:
    """What a step found.

    Attributes:
        numbers: the content of its key in the JSON, of the type that the step declares; None for no key.
        tables: for people.
        figures: above the tables.
        notes: what to know of them, without a full stop.
    """

    numbers: Any = None
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()

    @property
    def shown(self) -> bool:
        """Whether there is anything to show; what stands in the JSON alone has no place on the page."""
        return bool(self.tables or self.figures or self.notes)


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice between versions of a step's figures, which the reader of the page makes.

    Attributes:
        label: of the box.
        key: of the choice in the page's address.
        options: the first is shown at first, the last is printed.
    """

    label: str
    key: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the paper.

    Attributes:
        key: in the JSON of `bleu-core paper` and in links to the step.
        heading: what it shows, after its place in the paper: "Table 1: BLEU".
        compute: finds the numbers, tables, figures and notes.
        look: what to look at, for the reader of the page.
        numbers: type of its numbers in the JSON, a result with declared fields; None for a step without.
        choice: between versions of its figures, if there are several.
    """

    key: str
    heading: str
    compute: Callable[[PaperData], Found]
    look: str = ""
    numbers: Any = None
    choice: Choice | None = None


@dataclass(frozen=True, slots=True)
class ComputedStep:
    """A step and what it found."""

    step: Step
    found: Found

    def figures(self, option: str = "") -> tuple[Figure, ...]:
        """The figures for an option of the step's choice."""
        return tuple(figure for figure in self.found.figures if figure.option in ("", option))


def compute_steps(data: PaperData, steps: Iterable[Step]) -> tuple[ComputedStep, ...]:
    """Compute steps, in the order given."""
    return tuple(ComputedStep(step, step.compute(data)) for step in steps)
