"""A step of the paper: an example, table, figure or claim, computed for any data.

A step is declared by a module of `bleu_core.paper.steps` that exports STEP, and listed in `steps.register`. The Paper
page, its printed version and all formats of `bleu-core paper` show its results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from bleu_core import fields
from bleu_core.dataset import Corpus, Judgments, RatedSegments, rated_segments
from bleu_core.errors import AlignmentError
from bleu_core.paper.repetition import PaperResults, Ratings
from bleu_core.paper.shared import NO_JUDGMENTS, number_of
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
    def ratings(self) -> Ratings:
        """The results that use ratings.

        Raises:
            AlignmentError: there are no judgments.
        """
        if self.results.ratings is None:
            raise AlignmentError(NO_JUDGMENTS)
        return self.results.ratings

    @property
    def rated(self) -> RatedSegments | None:
        """Numbers of rated segments of the systems; None without ratings."""
        return None if self.judgments is None else rated_segments(self.judgments, self.evaluation.systems)

    @property
    def references_note(self) -> str:
        """The note on the references of the tables."""
        names = self.evaluation.references
        return f"{number_of(names, 'reference')}: {', '.join(names)}"


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of a step.

    Attributes:
        numbers: for the JSON, of the type that the step declares; None if nothing was computed.
        tables: shown on the page.
        notes: on tables and figures, without a full stop.
    """

    numbers: Any = None
    tables: Sequence[fields.Table] = ()
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
        compute: computes the numbers, tables and notes; not called without judgments if the step is about them.
        look: what the reader of the page should notice.
        numbers: type of its numbers in the JSON, where they are `computed`; None if it has none.
        published: results with the values that the paper prints for its own data, where it does.
        needs_judgments: whether nothing can be computed without judgments.
        bare: whether the numbers are the whole content of the key, and not its `computed`.
    """

    key: str
    heading: str
    compute: Callable[[PaperInput], StepResult]
    look: str = ""
    numbers: Any = None
    published: Any = None
    needs_judgments: bool = False
    bare: bool = False

    def result(self, data: PaperInput) -> StepResult:
        """Compute the step, unless it is about judgments and there are none."""
        if self.needs_judgments and data.results.ratings is None:
            return StepResult(notes=(f"left out: {NO_JUDGMENTS}",))
        return self.compute(data)


@dataclass(frozen=True, slots=True)
class StepOutput:
    """A step with its result."""

    step: Step
    result: StepResult

    @property
    def content(self) -> Any:
        """The content of the step's key in the JSON, of its content type."""
        step, numbers = self.step, self.result.numbers
        if step.bare:
            return numbers
        values: dict[str, Any] = {"computed": numbers}
        if step.published is not None:
            values["published"] = step.published
        if step.needs_judgments:
            values["reason"] = NO_JUDGMENTS if numbers is None else ""
        return content_type(step)(**values)


@cache
def content_type(step: Step) -> Any:
    """Return the type of the content of a step's key in the JSON: numbers computed, and those that the paper prints."""
    if step.bare:
        return step.numbers
    declared: dict[str, Any] = {"computed": fields.field("object", "Computed from these data.")}
    types: dict[str, Any] = {"computed": step.numbers}
    if step.published is not None:
        declared["published"] = fields.field("object", "Values that the paper prints for its own data.")
        several = isinstance(step.published, tuple)
        types["published"] = tuple[type(step.published[0]), ...] if several else type(step.published)
    if step.needs_judgments:
        declared["computed"] = fields.field("object", "Computed from these data; null without judgments.", null=True)
        types["computed"] = step.numbers | None
        declared["reason"] = fields.field("text", "Why nothing was computed.", default="")
        types["reason"] = str
    name = f"{step.key.title().replace('_', '')}Numbers"
    return fields.result(type(name, (), {"__annotations__": types, **declared}))


def compute_steps(data: PaperInput, steps: Iterable[Step]) -> tuple[StepOutput, ...]:
    """Compute the steps, in the order given."""
    return tuple(StepOutput(step, step.result(data)) for step in steps)
