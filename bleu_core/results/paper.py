"""The paper's experiment as a report: the envelope, and for each step its numbers and its section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, make_dataclass
from typing import Any

from bleu_core.agreement import Exclusion
from bleu_core.fields import Table, field, result
from bleu_core.paper import PaperInput, StepOutput, all_steps, corresponds
from bleu_core.results.envelope import Envelope, about, rating_notes


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report.

    Attributes:
        key: as in the JSON.
        heading: what it is of, with its place in the paper.
        tables: what was found; none where nothing could be.
        notes: what to know of them.
    """

    key: str
    heading: str
    tables: Sequence[Table]
    notes: Sequence[str] = ()


@result
class PaperReport(Envelope):
    """The JSON of `bleu-core paper`, without the numbers of the steps."""

    table_references: tuple[str, ...] = field(
        "object", "Number of references used by the tables and by all figures except Figure 1."
    )
    human_systems: tuple[str, ...] = field("object", "Human translators among the systems.")
    left_out: tuple[Exclusion, ...] = field(
        "object", "Systems whose ratings are compared but not their BLEU, with the reason."
    )
    ratings_left_out: tuple[str, ...] = field("object", "Ratings that were not counted, with the reason.")
    published_corresponds: bool = field("text", "Whether the systems are those of the paper, by name.")


def paper_report_type() -> type[PaperReport]:
    """PaperReport with a field for each step that has numbers."""
    steps = [(step.key, step.numbers, field("object", f"{step.heading}.")) for step in all_steps() if step.numbers]
    return make_dataclass(PaperReport.__name__, steps, bases=(PaperReport,), frozen=True, kw_only=True)


def paper_report(data: PaperInput, steps: Iterable[StepOutput], left_out: Sequence[str] = ()) -> PaperReport:
    """The JSON of `bleu-core paper`: BLEU in points, printed values separate from computed ones.

    Args:
        data: what the steps were computed from.
        steps: the computed steps.
        left_out: what was left out of the judgments, in words.
    """
    found = data.results
    head: dict[str, Any] = about(found.evaluation, warnings=rating_notes(data.rated)) | {
        "references": found.full.references
    }
    return paper_report_type()(
        **head,
        table_references=found.evaluation.references,
        human_systems=found.humans,
        left_out=found.left_out,
        ratings_left_out=tuple(left_out),
        published_corresponds=corresponds(found.evaluation.systems),
        **{one.step.key: one.result.numbers for one in steps if one.step.numbers},
    )


def sections(steps: Iterable[StepOutput]) -> tuple[Section, ...]:
    """A section for each step that has something to show."""
    return tuple(
        Section(one.step.key, one.step.heading, one.result.tables, one.result.notes)
        for one in steps
        if one.result.shown
    )
