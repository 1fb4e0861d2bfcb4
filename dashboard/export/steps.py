"""The steps of the page of the 2002 paper with their figures, for the page and its printed version."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from bleu_core.errors import as_sentence
from bleu_core.fields import Table
from bleu_core.paper import PaperResults, StepOutput
from dashboard.exhibits import STEP_FIGURES, Choice
from dashboard.export.section import Drawing, Section
from dashboard.plots.theme import Style


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperStep:
    """A part of the page.

    Attributes:
        key: as in the JSON of `bleu-core paper`.
        heading: with its place in the paper.
        look: what to look for.
        tables: empty if nothing could be computed.
        notes: remarks on them.
        choice: selects one of several versions of the figures.
        draw: draws the figures, which belong to the first table.
    """

    key: str
    heading: str
    look: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...]
    choice: Choice | None = None
    draw: Callable[[], tuple[Drawing, ...]] = tuple

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """The figures, drawn on each access."""
        return self.draw()

    @property
    def short(self) -> str:
        """The heading for a table of contents: the figure's number, or the section's topic."""
        place, _, what = self.heading.partition(": ")
        short = what if place.startswith("Section") else place
        return short[0].upper() + short.partition(",")[0][1:]

    @property
    def section(self) -> Section:
        """The printed form of the part."""
        notes = (self.remarks,) if self.notes else ()
        return Section(
            key=self.key,
            title=self.heading,
            sentences=(self.look,),
            drawings=self.drawings,
            tables=self.tables,
            notes=notes,
        )

    @property
    def remarks(self) -> str:
        """The notes as sentences."""
        return " ".join(map(as_sentence, self.notes))


def paper_steps(
    results: PaperResults,
    steps: Iterable[StepOutput],
    styles: Mapping[str, Style],
    chosen: Mapping[str, str] | None = None,
) -> tuple[PaperStep, ...]:
    """Return all steps that have something to show, in the order of the paper.

    Args:
        results: of the experiment, which the figures show.
        steps: the computed steps.
        styles: style of each system.
        chosen: key of a choice -> option; the last option, as in print, by default.
    """
    return tuple(_step(results, computed, styles, chosen or {}) for computed in steps if computed.result.shown)


def _step(
    results: PaperResults, computed: StepOutput, styles: Mapping[str, Style], chosen: Mapping[str, str]
) -> PaperStep:
    step, output = computed.step, computed.result
    figures = STEP_FIGURES.get(step.key)
    choice = figures and figures.choice

    def drawings() -> tuple[Drawing, ...]:
        if figures is None:
            return ()
        drawn = figures.draw(results, styles, chosen.get(choice.key, "") if choice else "")
        return tuple(Drawing(title, figure) for title, figure in drawn.items())

    return PaperStep(
        key=step.key,
        heading=step.heading,
        look=step.look,
        tables=tuple(output.tables),
        notes=tuple(output.notes),
        choice=choice,
        draw=drawings,
    )
