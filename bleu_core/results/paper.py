"""The report of the experiments of the 2002 paper: the envelope, and the numbers and the section of each step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bleu_core.agreement import Exclusion
from bleu_core.fields import Table, field, result
from bleu_core.paper import PaperInput, StepOutput, all_steps, content_type, corresponds
from bleu_core.results.envelope import Envelope, envelope_fields, rating_notes


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report.

    Attributes:
        key: the key in the JSON.
        heading: the heading, with the place in the paper.
        tables: the tables; none if nothing could be computed.
        notes: notes on the tables.
        caption: caption of the tables in LaTeX; the heading if empty.
    """

    key: str
    heading: str
    tables: Sequence[Table]
    notes: Sequence[str] = ()
    caption: str = ""


@result
class PaperReport(Envelope):
    """The JSON of `bleu-core paper`, without the numbers of the steps."""

    states_ratings: ClassVar[bool] = True

    table_references: tuple[str, ...] = field(
        "object", "References used by the tables and by all figures except Figure 1."
    )
    human_systems: tuple[str, ...] = field("object", "Human translators among the systems.")
    left_out: tuple[Exclusion, ...] = field(
        "object", "Systems of which only the ratings are compared, and not BLEU, with the reason."
    )
    ratings_left_out: tuple[str, ...] = field("object", "Ratings that were not used, with the reason.")
    published_corresponds: bool = field("text", "Whether the systems are those of the paper, by name.")


def paper_report_type() -> type[PaperReport]:
    """Return PaperReport with a field for each step that has numbers."""
    steps = [step for step in all_steps() if step.numbers]
    body: dict[str, Any] = {step.key: field("object", f"{step.heading}.") for step in steps}
    body["__annotations__"] = {step.key: content_type(step) for step in steps}
    return result(type(PaperReport.__name__, (PaperReport,), body))


def paper_report(data: PaperInput, steps: Iterable[StepOutput], left_out: Sequence[str] = ()) -> PaperReport:
    """Return the JSON of `bleu-core paper`: BLEU in points, published values separate from computed ones.

    Args:
        data: the data of the steps.
        steps: the computed steps.
        left_out: sentences on unused ratings.
    """
    experiment = data.results
    head: dict[str, Any] = envelope_fields(experiment.evaluation, warnings=rating_notes(data.rated)) | {
        "references": experiment.full.references
    }
    return paper_report_type()(
        **head,
        table_references=experiment.evaluation.references,
        human_systems=experiment.humans,
        left_out=experiment.left_out,
        ratings_left_out=tuple(left_out),
        published_corresponds=corresponds(experiment.evaluation.systems),
        **{computed.step.key: computed.content for computed in steps if computed.step.numbers},
    )


def sections(steps: Iterable[StepOutput]) -> tuple[Section, ...]:
    """Return a section for each step with content."""
    return tuple(
        Section(computed.step.key, computed.step.heading, computed.result.tables, computed.result.notes)
        for computed in steps
        if computed.result.shown
    )
