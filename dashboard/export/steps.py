"""The steps of the Paper page, in the paper's order: what to look at, the figures and the tables of each.

The page and its printable version show the same steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import plotly.graph_objects as go

from bleu_core.agreement import Agreement, agreement_of_scores
from bleu_core.fields import Table
from bleu_core.judges import UNITS, Unit
from bleu_core.paper import Claim, Experiment, WorkedExample, corresponds
from bleu_core.reports import Section, sections
from dashboard import figures
from dashboard.figures import Style

ALL_JUDGES = "all judges"

#: What to look at in each step, in the section's place.
LOOK: Mapping[str, str] = MappingProxyType(
    {
        "examples": "A precision counts how much of a candidate the references confirm. Clipping each n-gram at the "
        "most that one reference has of it turns 7 of 7 into 2 of 7; recall of words would praise the worst candidate "
        "of Example 4.",
        "penalties": "Too short a text must not profit from its precision. One penalty for the corpus lets a short "
        "segment make up for a long one; the mean of the segments' own penalties does not.",
        "figure_1": "The longer the n-gram, the further the human is ahead of the machine: precision alone tells them "
        "apart.",
        "figure_2": "Each length of n-gram by itself should put the systems in one order.",
        "combining": "Precision falls about exponentially with the order, so the paper takes the geometric mean. Look "
        "where each line is highest: the paper found N = 4 best, with 3 and 5 close to it.",
        "table_1": "The score that everything else is about.",
        "table_2": "The mean over blocks stays close to the score of the whole, and t says whether neighbours differ "
        "by more than blocks do.",
        "block_sizes": "20 blocks of 25 segments are one choice among many. Where the line crosses the dotted one, the "
        "verdict depends on that choice.",
        "references_by_number": "The more references, the higher the score: numbers against different numbers of "
        "references must not be compared.",
        "single_reference": "One reference, drawn anew for each document, should still put the systems in the same "
        "order.",
        "figures_3_4": "How much better judges find each system than its neighbour. The paper's interval takes each "
        "judge's rating of each segment as one independent observation. Ratings of one segment, and by one judge, have "
        "much in common: by segment the interval holds for other text under the same judges, by judge for other judges "
        "of the same text. They often differ from the paper's in width, either way: what judges or segments share "
        "widens an interval of means, and what the two systems share cancels in their difference.",
        "figures_5_6": "How closely a group's mean ratings follow BLEU.",
        "figure_7": "BLEU and each group of judges, from the lowest system (0) to the highest (1): look at the gap "
        "between the best machine and the humans.",
        "agreement_by_reference": "Which reference the systems are scored against can decide how well BLEU agrees with "
        "people, and even which way.",
        "definitions": "Elsewhere BLEU is described with the length of the shortest reference. That penalty is never "
        "harsher, and the score never lower. Log BLEU, the sum of two parts, ranks as BLEU does.",
        "claims": "Each claim of the paper by a criterion of ours, on the data at hand.",
        "published": "The loaded systems are not the paper's, so its values stand by themselves.",
    }
)


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure; titled where a step has several."""

    title: str
    figure: go.Figure


@dataclass(frozen=True, slots=True)
class PaperStep:
    """A part of the page.

    Attributes:
        key: as in the JSON of `bleu-core paper`.
        heading: with its place in the paper.
        look: what to look at.
        drawings: figures of the first table.
        tables: none where nothing could be computed.
        notes: what to know of them.
    """

    key: str
    heading: str
    look: str
    drawings: tuple[Drawing, ...]
    tables: tuple[Table, ...]
    notes: tuple[str, ...]

    @property
    def short(self) -> str:
        """The heading for a list of contents: the figure's number, or what the section is about."""
        place, _, what = self.heading.partition(": ")
        short = what if place.startswith("Section") else place
        return short[0].upper() + short.partition(",")[0][1:]

    @property
    def remarks(self) -> str:
        """The notes as sentences."""
        return " ".join(f"{note[0].upper()}{note[1:]}." for note in self.notes)


def paper_steps(
    found: Experiment,
    examples: Sequence[Sequence[WorkedExample]],
    tested: Sequence[Claim],
    styles: Mapping[str, Style],
    units: Sequence[Unit] = UNITS[:1],
) -> tuple[PaperStep, ...]:
    """All steps, in the order of the paper.

    Args:
        found: the experiment.
        examples: the paper's, worked.
        tested: its claims.
        styles: how each system is drawn.
        units: of the intervals in Figures 3 and 4.
    """
    return tuple(_step(section, found, styles, units) for section in sections(found, examples, tested))


def _step(section: Section, found: Experiment, styles: Mapping[str, Style], units: Sequence[Unit]) -> PaperStep:
    draw = _FIGURES.get(section.key)
    drawn = draw(found, styles, units) if draw is not None and any(table.rows for table in section.tables) else []
    drawings = tuple(Drawing(title, figure) for title, figure in drawn)
    return PaperStep(section.key, section.heading, LOOK[section.key], drawings, section.tables, section.notes)


Drawn = list[tuple[str, go.Figure]]


def _tables(found: Experiment, _styles: Mapping[str, Style], _units: Sequence[Unit]) -> Drawn:
    table = found.table_2
    values = (table.corpus_scores / figures.UNIT_SCALE).tolist()
    return [("", figures.paper_scores(table.systems, values, published=corresponds(table.systems)))]


def _blocks(found: Experiment, _styles: Mapping[str, Style], _units: Sequence[Unit]) -> Drawn:
    table = found.table_2
    means, deviations = ((side / figures.UNIT_SCALE).tolist() for side in (table.means, table.standard_deviations))
    return [("", figures.paper_blocks(table.systems, means, deviations, published=corresponds(table.systems)))]


def _differences(found: Experiment, _styles: Mapping[str, Style], units: Sequence[Unit]) -> Drawn:
    if found.ratings is None:
        return []
    groups = found.ratings.differences
    chosen = groups[1:] or groups  # the paper draws each group, never all of them together
    return [("", figures.paper_differences(chosen, units, published=corresponds(groups[0].systems)))]


def _regressions(found: Experiment, styles: Mapping[str, Style], _units: Sequence[Unit]) -> Drawn:
    if found.ratings is None:
        return []
    groups = found.ratings.agreements
    return [
        (
            ALL_JUDGES if one.group is None else one.group,
            figures.bleu_and_ratings(
                from_0_to_1(one.everyone), styles, [n for n in found.humans if n in one.everyone.systems], score="BLEU"
            ),
        )
        for one in groups[1:] or groups
    ]


def _normalised(found: Experiment, _styles: Mapping[str, Style], _units: Sequence[Unit]) -> Drawn:
    if found.ratings is None:
        return []
    one = found.ratings.normalised
    named = {group: values for group, values in one.groups.items() if group is not None} or one.groups
    lines = {"BLEU": one.bleu.tolist()}
    lines |= {ALL_JUDGES if group is None else group: values.tolist() for group, values in named.items()}
    return [("", figures.normalised_lines(one.systems, lines))]


def _by_reference(found: Experiment, _styles: Mapping[str, Style], _units: Sequence[Unit]) -> Drawn:
    if found.ratings is None:
        return []
    by_reference: dict[str, dict[str, Agreement]] = {}
    for one in found.ratings.by_reference:
        by_reference.setdefault("all systems", {})[one.label] = one.everyone
        if one.machines is not None:
            by_reference.setdefault("machine systems only", {})[one.label] = one.machines
    return [("", figures.paper_agreement_by_reference(by_reference))]


_FIGURES: Mapping[str, Callable[[Experiment, Mapping[str, Style], Sequence[Unit]], Drawn]] = {
    "figure_1": lambda found, styles, _: [("", figures.paper_precisions(found.figure_1, styles))],
    "figure_2": lambda found, styles, _: [
        ("", figures.paper_precisions(found.figure_2.in_order(found.table_2.systems), styles))
    ],
    "combining": lambda found, _styles, _: (
        [("", figures.agreement_by_order(found.ratings.combination_agreements))] if found.ratings else []
    ),
    "table_1": _tables,
    "table_2": _blocks,
    "block_sizes": lambda found, _styles, _: [("", figures.paper_block_sizes(found.block_sizes))],
    "references_by_number": lambda found, styles, _: [
        (
            "",
            figures.reference_numbers(
                found.references_by_number, styles, published=corresponds(found.references_by_number.systems)
            ),
        )
    ],
    "single_reference": lambda found, styles, _: [("", figures.paper_single_reference(found.single_reference, styles))],
    "agreement_by_reference": _by_reference,
    "figures_3_4": _differences,
    "figures_5_6": _regressions,
    "figure_7": _normalised,
}


def from_0_to_1(result: Agreement) -> Agreement:
    """BLEU from 0 to 1 beside mean ratings, as the paper draws them."""
    scores, means = (
        dict(zip(result.systems, values.tolist(), strict=True))
        for values in (result.oriented_scores / figures.UNIT_SCALE, result.human)
    )
    return replace(
        agreement_of_scores(scores, means, metric=result.metric, signature=result.signature), excluded=result.excluded
    )
