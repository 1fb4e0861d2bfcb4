"""The paper's experiment as a report: a section for each of its tables, figures and claims."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bleu_core.dataset import plural
from bleu_core.paper import (
    CANDIDATE_LENGTH,
    REFERENCE_LENGTHS,
    SYSTEMS,
    WANTED_PENALTY,
    Claim,
    Experiment,
    SingleReference,
    WorkedExample,
    corresponds,
)
from bleu_core.reports.paper_tables import (
    bleu_table,
    block_size_table,
    block_table,
    by_reference_table,
    claim_table,
    combination_table,
    definition_table,
    difference_table,
    example_table,
    length_table,
    normalised_table,
    order_table,
    penalty_table,
    published_table,
    reference_table,
    regression_table,
    single_reference_table,
)
from bleu_core.reports.table import Table
from bleu_core.scoring import brevity


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report.

    Attributes:
        key: as in the JSON.
        heading: what it is of, with its place in the paper.
        tables: what was found; none where nothing could be.
        notes: what to know of them.
    """

    key: str
    heading: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()


def sections(
    found: Experiment, examples: Sequence[Sequence[WorkedExample]], tested: Sequence[Claim]
) -> tuple[Section, ...]:
    """All of the report, in the order of the paper.

    Args:
        found: the experiment.
        examples: the paper's, worked; a list of candidates each.
        tested: its claims.
    """
    beside = corresponds(found.evaluation.systems)
    against = f"{_many(found.evaluation.references, 'reference')}: {', '.join(found.evaluation.references)}"
    ratings = found.ratings
    without = ("left out: no judgments",)
    parts = [
        Section("examples", "Examples 1 to 4", (example_table(examples), length_table(examples)), _examples(found)),
        Section("penalties", "Section 2.2.2: segments' own brevity penalties", (penalty_table(found.penalties),)),
        Section(
            "figure_1", "Figure 1: precision of a machine and a human", (order_table(found.figure_1),), _figure_1(found)
        ),
        Section("figure_2", "Figure 2: precision of all systems", (order_table(found.figure_2),), (against,)),
        Section(
            "combining",
            "Section 2.1.3: means, orders and weights",
            (combination_table(found.combinations, ratings.combination_agreements if ratings else ()),),
            (against,) if ratings else (against, "correlations left out: no judgments"),
        ),
        Section("table_1", "Table 1: BLEU", (bleu_table(found, published=beside),), (against,)),
        Section("table_2", "Table 2: BLEU on blocks", (block_table(found, published=beside),), _blocks(found)),
        Section("block_sizes", "Table 2 with other blocks: t", (block_size_table(found.block_sizes),)),
        Section(
            "references_by_number",
            "Section 3: BLEU by number of references",
            (reference_table(found.references_by_number, published=beside),),
        ),
        Section(
            "single_reference",
            "Section 3: a single reference, drawn",
            (single_reference_table(found.single_reference),),
            _single(found.single_reference),
        ),
        Section(
            "figures_3_4",
            "Figures 3 and 4: differences between neighbours as judges see them",
            (difference_table(ratings.differences, published=beside),) if ratings else (),
            () if ratings else without,
        ),
        Section(
            "figures_5_6",
            "Figures 5 and 6: mean rating and BLEU",
            (regression_table(ratings.agreements, published=beside),) if ratings else (),
            () if ratings else without,
        ),
        Section(
            "figure_7",
            "Figure 7: scaled to the range",
            (normalised_table(ratings.normalised),) if ratings else (),
            () if ratings else without,
        ),
        Section(
            "agreement_by_reference",
            "The choice of reference, and how well BLEU agrees with people",
            (by_reference_table(ratings.by_reference),) if ratings else (),
            () if ratings else without,
        ),
        Section(
            "definitions",
            "Two definitions of reference length, and log BLEU",
            (definition_table(found.definitions),),
            (against,),
        ),
        Section("claims", "What the paper claims", (claim_table(tested),)),
    ]
    if not beside:
        note = f"the paper's values are of its own systems: {', '.join(SYSTEMS)}"
        parts.append(Section("published", "What the paper prints", (published_table(),), (note,)))
    return tuple(parts)


def _examples(found: Experiment) -> tuple[str, ...]:
    if found.evaluation.settings.lowercase:
        return (_lengths(),)
    return (_lengths(), "the paper's counts need lower-case: The and the are two words under these settings")


def _lengths() -> str:
    found = brevity(CANDIDATE_LENGTH, REFERENCE_LENGTHS)
    lengths = ", ".join(map(str, found.reference_lengths))
    return (
        f"{found.hypothesis_length} words against references of {lengths}: brevity penalty {found.penalty:g}, "
        f"as section 2.2.2 wants ({WANTED_PENALTY:g})"
    )


def _figure_1(found: Experiment) -> tuple[str, ...]:
    figure = found.figure_1
    first = f"the first {_many(range(figure.segments), 'segment')}, {_many(figure.references, 'reference')}"
    named = [name in found.humans for name in figure.systems] == [False, True]
    return (first,) if named else (first, "no human translator is named beside a machine: the lowest and highest BLEU")


def _blocks(found: Experiment) -> tuple[str, ...]:
    sizes = found.table_2.blocks.sizes
    return (
        f"{_many(sizes, 'block')} of {' to '.join(map(str, sorted({min(sizes), max(sizes)})))} segments",
        f"one-sided 5 % point of t: {found.table_2.critical_t:.3g}",
    )


def _single(single: SingleReference) -> tuple[str, ...]:
    units = f"{single.units} {plural(single.units, single.unit)}"
    notes = [f"{len(single.scores):,} draws of a reference for each of {units}, seed {single.seed}"]
    if not math.isnan(single.order_kept):
        notes.append(f"all systems keep their order in {single.order_kept:.1%} of the draws")
    return (*notes, f"by segment: {single.reason}") if single.reason else tuple(notes)


def _many(things: Sequence[object], noun: str) -> str:
    return f"{len(things)} {plural(len(things), noun)}"
