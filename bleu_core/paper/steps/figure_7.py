"""Figure 7: BLEU and mean ratings, each scaled to its range."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.fields import SYSTEM, Table, field, result, table_of
from bleu_core.paper.judge_groups import Normalised
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import (
    GROUP,
    LEFT_OUT,
    NO_JUDGMENTS,
    NO_JUDGMENTS_REASON,
    RATED,
    group_column,
)

SAME = "all values are the same"


@result
class Scaled:
    """Scaled BLEU of the systems."""

    values: tuple[float, ...] = field("fraction", "Position in the range from 0 to 1, by system.", undefined=SAME)


@result
class ScaledRatings(Scaled):
    """Scaled mean ratings of the systems."""

    group: str | None = field(GROUP)


@result
class ScaledSystems:
    """All systems, scaled."""

    systems: tuple[str, ...] = field("object", "The systems, lowest BLEU first.")
    bleu: Scaled = field("object", "BLEU.")
    groups: tuple[ScaledRatings, ...] = field("object", "Mean ratings by group of judges.")


@result
class Figure7Numbers:
    """Figure 7 in the JSON."""

    computed: ScaledSystems | None = field(RATED)
    reason: str = field(NO_JUDGMENTS_REASON, default="")


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
    ratings = data.results.ratings
    if ratings is None:
        return StepResult(Figure7Numbers(computed=None, reason=NO_JUDGMENTS), notes=LEFT_OUT)
    normalised = ratings.normalised
    numbers = ScaledSystems(
        systems=normalised.systems,
        bleu=Scaled(values=tuple(normalised.bleu.tolist())),
        groups=tuple(
            ScaledRatings(group=group, values=tuple(values.tolist())) for group, values in normalised.groups.items()
        ),
    )
    return StepResult(Figure7Numbers(computed=numbers), tables=(_table(normalised),))


def _table(normalised: Normalised) -> Table:
    rows = [
        Row(
            system=name,
            BLEU=float(normalised.bleu[k]),
            groups={group_column(group): float(values[k]) for group, values in normalised.groups.items()},
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
    numbers=Figure7Numbers,
)
