"""A step of the paper: an example, table, figure or claim, computed for any data.

A step is declared by a module of `bleu_core.paper.steps` that exports STEP, and listed in `steps.register`. The Paper
page, its printed version and all formats of `bleu-core paper` show its results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bleu_core.dataset import Corpus, Judgments, RatedSegments, rated_segments
from bleu_core.fields import Table
from bleu_core.paper.repetition import PaperResults
from bleu_core.scoring import Basis, BleuEvaluation, BleuSettings


@dataclass(frozen=True, slots=True)
class PaperInput:
    """The input of the steps.

    Attributes:
        corpus: the texts, including systems that equal a reference.
        judgments: the ratings; None if there are none.
        results: results that several steps share.
        obstacles: what scores or ratings rest on -> why systems are not comparable by them.
    """

    corpus: Corpus
    judgments: Judgments | None
    results: PaperResults
    obstacles: Mapping[Basis, str] = field(default_factory=dict[Basis, str])

    @property
    def settings(self) -> BleuSettings:
        """The settings of BLEU."""
        return self.evaluation.settings

    @property
    def evaluation(self) -> BleuEvaluation:
        """The evaluation against the references of the tables."""
        return self.results.evaluation

    @property
    def rated(self) -> RatedSegments | None:
        """Numbers of rated segments of the systems; None without ratings."""
        return None if self.judgments is None else rated_segments(self.judgments, self.evaluation.systems)


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    Attributes:
        numbers: the content of its key in the JSON, of the type that the step declares; None for no key.
        tables: shown on the page.
        notes: on tables and figures, without a full stop.
    """

    numbers: Any = None
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()

    @property
    def shown(self) -> bool:
        """Whether the page shows the step; a step with numbers only is in the JSON alone."""
        return bool(self.tables or self.notes)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the paper.

    Attributes:
        key: in the JSON of `bleu-core paper` and in links to the step.
        heading: location in the paper and content: "Table 1: BLEU".
        compute: computes the numbers, tables and notes.
        look: what the reader of the page should notice.
        numbers: type of its numbers in the JSON, a result with declared fields; None if it has none.
    """

    key: str
    heading: str
    compute: Callable[[PaperInput], StepResult]
    look: str = ""
    numbers: Any = None


@dataclass(frozen=True, slots=True)
class StepOutput:
    """A step with its result."""

    step: Step
    result: StepResult


def compute_steps(data: PaperInput, steps: Iterable[Step]) -> tuple[StepOutput, ...]:
    """Compute the steps, in the order given."""
    return tuple(StepOutput(step, step.compute(data)) for step in steps)
