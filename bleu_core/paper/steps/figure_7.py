"""Figure 7: BLEU and mean ratings, each scaled to its range."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.fields import SYSTEM, Table, field, result, table_of
from bleu_core.paper.judge_groups import Normalised
from bleu_core.paper.shared import group_column
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class Row:
    """BLEU and mean ratings of a system, scaled."""

    system: str = field(SYSTEM)
    BLEU: float = field("fraction", "BLEU, scaled so that the lowest system is 0 and the highest is 1.")
    groups: Mapping[str, float] = field(
        "fraction", "Mean rating, scaled so that the lowest system is 0 and the highest is 1.", columns="{}"
    )


def compute(data: PaperInput) -> StepResult:
    """Return BLEU and mean ratings, scaled to their ranges."""
    normalised = data.ratings.normalised
    return StepResult(normalised, tables=(_table(normalised),))


def _table(normalised: Normalised) -> Table:
    rows = [
        Row(
            system=name,
            BLEU=float(normalised.bleu.values[k]),
            groups={group_column(ratings.group): float(ratings.values[k]) for ratings in normalised.groups},
        )
        for k, name in enumerate(normalised.systems)
    ]
    return table_of(rows, Row)


STEP = Step(
    key="figure_7",
    heading="Figure 7: scaled to the range",
    look="BLEU and the mean rating of each group of judges, scaled from the lowest system (0) to the highest (1). "
    "Note the gap between the best machine and the humans.",
    compute=compute,
    numbers=Normalised,
    needs_judgments=True,
)
